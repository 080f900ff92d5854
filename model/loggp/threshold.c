#include "model/loggp/threshold.h"

#include "model/loggp/constants.h"

#include <math.h>

static const double half_width_in_sigmas = 1.96;

/* The overhead in which a handshake is looked for: that of the sender or that of the receiver. */
typedef struct ct_estimate overhead_fn(const struct ct_loggp_point *point);

static struct ct_estimate of_sender(const struct ct_loggp_point *point)
{
    return point->os_s;
}

static struct ct_estimate of_receiver(const struct ct_loggp_point *point)
{
    return point->or_s;
}

/* Standard error of an overhead: from its interval, which can be narrower than the truth. An
 * overhead is known to epsilon of the round trip, for that is how exactly it is measured. */
static double sigma_of(const struct ct_loggp_point *point, overhead_fn *o, double epsilon)
{
    return fmax(ct_estimate_half_width(o(point)), epsilon * point->rtt_s.value) /
           half_width_in_sigmas;
}

/* How far a size beyond two others extends the line through them. */
static double find_reach(const struct ct_loggp_point *points, const struct ct_loggp_point *beyond)
{
    return ((double)beyond->bytes - (double)points[1].bytes) /
           ((double)points[1].bytes - (double)points[0].bytes);
}

/* After a size that was measured too high the line points down: not below what came before. */
static double height_above(const struct ct_loggp_point *points, const struct ct_loggp_point *beyond,
                           overhead_fn *o)
{
    double a = o(&points[0]).value, b = o(&points[1]).value;
    return o(beyond).value - fmax(fmax(a, b), b + find_reach(points, beyond) * (b - a));
}

/* ---- a jump between points[1] and points[2]; n: of points ---- */

static double error_of_height(const struct ct_loggp_point *points, overhead_fn *o, double epsilon)
{
    double factor = find_reach(points, &points[2]);
    double line_s = hypot((1 + factor) * sigma_of(&points[1], o, epsilon),
                          factor * sigma_of(&points[0], o, epsilon));
    return hypot(sigma_of(&points[2], o, epsilon), line_s);
}

/* From the line through the sizes before it. A single size that is high is no jump. */
static double height_seen_from_below(const struct ct_loggp_point *points, size_t n, overhead_fn *o)
{
    double height_s = height_above(points, &points[2], o);
    return n > 3 ? fmin(height_s, height_above(points, &points[3], o)) : height_s;
}

/* From the line through the sizes after it: where the curve only bends, none is left. */
static double height_seen_from_above(const struct ct_loggp_point *points, size_t n, overhead_fn *o)
{
    double step_s = o(&points[2]).value - o(&points[1]).value;
    if (n < 4)
        return step_s;
    double slope = (o(&points[3]).value - o(&points[2]).value) /
                   ((double)points[3].bytes - (double)points[2].bytes);
    return step_s - fmax(0, slope) * ((double)points[2].bytes - (double)points[1].bytes);
}

/* No larger message takes as little again. */
static bool stays_above(const struct ct_loggp_point *points, size_t n, overhead_fn *o,
                        double least_s)
{
    double before_s = fmax(o(&points[0]).value, o(&points[1]).value);
    for (size_t i = 2; i < n; i++)
        if (!(o(&points[i]).value >= before_s + least_s))
            return false;
    return true;
}

/* 0: it can be no handshake. */
static double height_of_jump(const struct ct_loggp_point *points, size_t n, overhead_fn *o,
                             double least_s)
{
    double height_s =
        fmin(height_seen_from_below(points, n, o), height_seen_from_above(points, n, o));
    return height_s >= least_s && stays_above(points, n, o, least_s) ? height_s : 0;
}

/* Half the square of the jump in standard errors. */
static double evidence_of(const struct ct_loggp_point *points, size_t n, overhead_fn *o,
                          double least_s, double epsilon)
{
    double z = height_of_jump(points, n, o, least_s) / error_of_height(points, o, epsilon);
    return z * z / 2;
}

static struct ct_loggp_threshold find_jump(const struct ct_loggp_point *points, size_t n,
                                           overhead_fn *o, double epsilon)
{
    struct ct_loggp_threshold best = {.confidence = 0};
    if (n < 4)
        return best;
    double least_s = ct_loggp_constant(CT_LOGGP_RENDEZVOUS_JUMP) * points[0].rtt_s.value, most = 0;
    for (size_t i = 0; i + 2 < n; i++) {
        double evidence = evidence_of(points + i, n - i, o, least_s, epsilon);
        if (!(evidence > most))
            continue;
        most = evidence;
        best = (struct ct_loggp_threshold){.found = true,
                                           .eager_bytes = points[i + 1].bytes,
                                           .rendezvous_bytes = points[i + 2].bytes,
                                           .jump_s = height_of_jump(points + i, n - i, o, least_s)};
    }
    /* Everything relative to the best, for the exponential is soon beyond any number. */
    double sum = exp(ct_loggp_constant(CT_LOGGP_RENDEZVOUS_PENALTY) * log((double)n) - most);
    for (size_t i = 0; i + 2 < n; i++) {
        double evidence = evidence_of(points + i, n - i, o, least_s, epsilon);
        if (evidence > 0)
            sum += exp(evidence - most);
    }
    best.confidence = best.found ? 1 / sum : 0;
    best.found = best.found && best.confidence > ct_loggp_constant(CT_LOGGP_RENDEZVOUS_CONFIDENCE);
    return best;
}

struct ct_loggp_threshold ct_loggp_find_threshold(const struct ct_loggp_point *points, size_t n,
                                                  double epsilon)
{
    struct ct_loggp_threshold sent = find_jump(points, n, of_sender, epsilon);
    if (sent.found)
        return sent;
    struct ct_loggp_threshold received = find_jump(points, n, of_receiver, epsilon);
    received.by_receiver = received.found;
    return received.found ? received : sent;
}

uint64_t ct_loggp_eager_bytes(const struct ct_loggp_threshold *threshold,
                              const struct ct_loggp_point *points, size_t n)
{
    if (threshold->found)
        return threshold->eager_bytes;
    return n > 0 ? points[n - 1].bytes : 0;
}
