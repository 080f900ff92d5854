/**
 * Extra latency as a function of time: dL(t) is added to L for a message that is sent at t. It is
 * made from samples in the order of time and is periodic, so that an execution can start at any
 * time of it.
 *
 * Messages do not overtake each other, as in a queue that serves in the order of arrival. With
 * samples d(t) this gives
 *
 *     dL(t) = max over s <= t of (s + d(s)) - t,
 *
 * which equals d except where d decreases fast: there dL decreases by one second per second, as the
 * delay of a queue that empties. So a message that waits for the end of a burst is delayed once.
 * This also makes run times monotone in d.
 */
#ifndef CT_SIMULATE_DELAY_H
#define CT_SIMULATE_DELAY_H

#include "core/stats.h"

/** The delay between samples. */
enum ct_delay_shape {
    CT_DELAY_STEP,  /**< that of the sample before */
    CT_DELAY_LINEAR /**< on the straight line to the sample after */
};

/** Samples of a delay; arrays are borrowed. */
struct ct_delay_samples {
    const double *time_ns;  /**< n, not decreasing, finite */
    const double *extra_ns; /**< n, finite; may be below 0 */
    size_t n;               /**< >= 1 */
    double period_ns;       /**< period, > last time - first time */
    enum ct_delay_shape shape;
};

struct ct_delay;

/**
 * @param delay_p  [out] ct_delay_free(); unchanged on error
 * @return CT_OK; CT_EINVAL (a time, a delay or the period out of range); CT_ENOMEM
 */
enum ct_status ct_delay_new(const struct ct_delay_samples *samples, struct ct_delay **delay_p,
                            struct ct_error *err);
void ct_delay_free(struct ct_delay *delay);

/** dL at a time since the first sample, ns; any finite time >= 0. Takes constant time on average.
 */
double ct_delay_at(const struct ct_delay *delay, double time_ns);

double ct_delay_period_ns(const struct ct_delay *delay);

/** Mean over a period, ns. */
double ct_delay_mean_ns(const struct ct_delay *delay);

#endif
