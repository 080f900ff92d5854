/**
 * Extra latency as a function of time: what a message that is sent at t meets beyond L. Made from
 * samples in the order of time and repeated for ever, so that an execution can start anywhere in
 * it.
 *
 * Nothing overtakes: a message never arrives before one that was sent earlier, as in a queue that
 * serves in the order of arrival. From samples d(t) this makes
 *
 *     dL(t) = max over s <= t of (s + d(s)) - t,
 *
 * which is d itself except after a fall: there the delay falls by one second a second, as a queue
 * does that empties. A message that waits for a burst to end is therefore delayed once. This also
 * makes run times monotone in d.
 */
#ifndef CT_SIMULATE_DELAY_H
#define CT_SIMULATE_DELAY_H

#include "core/stats.h"

/** What the delay is between samples. */
enum ct_delay_shape {
    CT_DELAY_STEP,  /**< that of the sample before */
    CT_DELAY_LINEAR /**< on the straight line to the sample after */
};

/** Samples of a delay; arrays are borrowed. */
struct ct_delay_samples {
    const double *time_ns;  /**< n, not falling, finite */
    const double *extra_ns; /**< n, finite; may be below 0 */
    size_t n;               /**< >= 1 */
    double period_ns;       /**< after which it begins again: above last time - first time */
    enum ct_delay_shape shape;
};

struct ct_delay;

/**
 * @param delay_p  [out] ct_delay_free(); unchanged on error
 * @return CT_OK; CT_EINVAL (samples as they must not be); CT_ENOMEM
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
