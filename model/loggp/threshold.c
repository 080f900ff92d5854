#include "model/loggp/threshold.h"

#include <math.h>

static const double least_jump = 0.5; /* of an empty round trip */
static const double half_width_in_sigmas = 1.96;

/* Standard error of a round trip: from its interval, which can be narrower than the truth. */
static double sigma_of(const struct ct_loggp_point *point, double epsilon)
{
    return fmax(ct_estimate_half_width(point->rtt_s) / half_width_in_sigmas,
                epsilon / half_width_in_sigmas * point->rtt_s.value);
}

struct jump {
    double height_s, z;
    bool possible; /* that it is a handshake */
};

/* How far a size beyond two others extends the line through them. */
static double reach(const struct ct_loggp_point *points, const struct ct_loggp_point *beyond)
{
    return ((double)beyond->bytes - (double)points[1].bytes) /
           ((double)points[1].bytes - (double)points[0].bytes);
}

/* After a size that was measured too high the line points down: not below what came before. */
static double height_above(const struct ct_loggp_point *points, const struct ct_loggp_point *beyond)
{
    double a = points[0].rtt_s.value, b = points[1].rtt_s.value;
    return beyond->rtt_s.value - fmax(fmax(a, b), b + reach(points, beyond) * (b - a));
}

/* Who sends by rendezvous waits for the answer: the send gets longer by a handshake as well. */
static bool send_waits(const struct ct_loggp_point *points, double least_s)
{
    double longer_s = points[2].os_s.value - points[1].os_s.value;
    return isnan(longer_s) || longer_s >= least_s;
}

/* Between points[1] and points[2], from the line through points[0] and points[1]; n: of points. */
static struct jump jump_after(const struct ct_loggp_point *points, size_t n, double least_s,
                              double epsilon)
{
    double factor = reach(points, &points[2]);
    double sigma =
        hypot(sigma_of(&points[2], epsilon), hypot((1 + factor) * sigma_of(&points[1], epsilon),
                                                   factor * sigma_of(&points[0], epsilon)));
    struct jump jump = {.height_s = height_above(points, &points[2])};
    if (n > 3) /* a single size that is high is no jump */
        jump.height_s = fmin(jump.height_s, height_above(points, &points[3]));
    jump.z = jump.height_s / sigma;
    jump.possible = jump.height_s >= least_s && jump.z > 0 && send_waits(points, least_s);
    return jump;
}

struct ct_loggp_threshold ct_loggp_find_threshold(const struct ct_loggp_point *points, size_t n,
                                                  double epsilon)
{
    struct ct_loggp_threshold best = {.confidence = 0};
    if (n < 4)
        return best;
    double least_s = least_jump * points[0].rtt_s.value, best_z = 0;
    for (size_t i = 0; i + 2 < n; i++) {
        struct jump jump = jump_after(points + i, n - i, least_s, epsilon);
        if (!jump.possible || jump.z <= best_z)
            continue;
        best_z = jump.z;
        best = (struct ct_loggp_threshold){.found = true,
                                           .eager_bytes = points[i + 1].bytes,
                                           .rendezvous_bytes = points[i + 2].bytes,
                                           .jump_s = jump.height_s};
    }
    /* Everything relative to the best, for exp(z^2 / 2) is soon beyond any number. */
    double sum = exp(1.5 * log((double)n) - best_z * best_z / 2);
    for (size_t i = 0; i + 2 < n; i++) {
        struct jump jump = jump_after(points + i, n - i, least_s, epsilon);
        if (jump.possible)
            sum += exp((jump.z * jump.z - best_z * best_z) / 2);
    }
    best.confidence = best.found ? 1 / sum : 0;
    best.found = best.found && best.confidence > 0.5;
    return best;
}
