#include "model/loggp/threshold.h"

#include <math.h>

static const double least_jump = 0.5; /* of an empty round trip */
/* Of an empty round trip: the processor's share of a send or round trip differs from size to size
 * by more than repetitions of one size show. */
static const double least_sigma = 0.02;
static const double half_width_in_sigmas = 1.96;

/* Where the jump is looked for, and what is a jump. */
struct curve {
    const struct ct_loggp_point *points;
    size_t n;
    bool of_sends; /* else of round trips */
    double least_s;
    double least_sigma_s;
    double epsilon;
};

static struct ct_estimate value_at(const struct curve *curve, size_t i)
{
    return curve->of_sends ? curve->points[i].os_s : curve->points[i].rtt_s;
}

/* Standard error: from the interval, which can be narrower than the truth. */
static double sigma_at(const struct curve *curve, size_t i)
{
    struct ct_estimate y = value_at(curve, i);
    double told_s = ct_estimate_half_width(y) / half_width_in_sigmas;
    double believed_s = curve->epsilon / half_width_in_sigmas * y.value;
    return fmax(fmax(told_s, believed_s), curve->least_sigma_s);
}

struct jump {
    double height_s, z;
};

/* How far a size beyond sizes i and i + 1 extends the line through them. */
static double reach(const struct curve *curve, size_t i, size_t beyond)
{
    const struct ct_loggp_point *points = curve->points;
    return ((double)points[beyond].bytes - (double)points[i + 1].bytes) /
           ((double)points[i + 1].bytes - (double)points[i].bytes);
}

/* After a size that was measured too high the line points down: not below what came before. */
static double height_above(const struct curve *curve, size_t i, size_t beyond)
{
    double a = value_at(curve, i).value, b = value_at(curve, i + 1).value;
    return value_at(curve, beyond).value - fmax(fmax(a, b), b + reach(curve, i, beyond) * (b - a));
}

/* Between sizes i + 1 and i + 2, from the line through i and i + 1; z is 0 if it is no handshake.
 */
static struct jump jump_after(const struct curve *curve, size_t i)
{
    double factor = reach(curve, i, i + 2);
    double sigma = hypot(sigma_at(curve, i + 2),
                         hypot((1 + factor) * sigma_at(curve, i + 1), factor * sigma_at(curve, i)));
    struct jump jump = {.height_s = height_above(curve, i, i + 2)};
    if (i + 3 < curve->n) /* a single size that is high is no jump */
        jump.height_s = fmin(jump.height_s, height_above(curve, i, i + 3));
    jump.z = jump.height_s >= curve->least_s ? jump.height_s / sigma : 0;
    return jump;
}

/* Relative to the best, for exp(z^2 / 2) is soon beyond any number. */
static double confidence_of(const struct curve *curve, double best_z)
{
    double sum = exp(1.5 * log((double)curve->n) - best_z * best_z / 2);
    for (size_t i = 0; i + 2 < curve->n; i++) {
        double z = jump_after(curve, i).z;
        if (z > 0)
            sum += exp((z * z - best_z * best_z) / 2);
    }
    return 1 / sum;
}

static bool sends_were_timed(const struct ct_loggp_point *points, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (isnan(points[i].os_s.value))
            return false;
    return true;
}

struct ct_loggp_threshold ct_loggp_find_threshold(const struct ct_loggp_point *points, size_t n,
                                                  double epsilon)
{
    struct ct_loggp_threshold best = {.confidence = 0};
    if (n < 4)
        return best;
    double empty_s = points[0].rtt_s.value;
    const struct curve curve = {.points = points,
                                .n = n,
                                .of_sends = sends_were_timed(points, n),
                                .least_s = least_jump * empty_s,
                                .least_sigma_s = least_sigma * empty_s,
                                .epsilon = epsilon};
    double best_z = 0;
    for (size_t i = 0; i + 2 < n; i++) {
        struct jump jump = jump_after(&curve, i);
        if (jump.z <= best_z)
            continue;
        best_z = jump.z;
        best = (struct ct_loggp_threshold){.found = true,
                                           .eager_bytes = points[i + 1].bytes,
                                           .rendezvous_bytes = points[i + 2].bytes,
                                           .jump_s = jump.height_s};
    }
    best.confidence = best.found ? confidence_of(&curve, best_z) : 0;
    best.found = best.found && best.confidence > 0.5;
    return best;
}
