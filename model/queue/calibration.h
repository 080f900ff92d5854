/**
 * Two relations between latencies and utilization, each with one parameter that is fitted to
 * configurations of CompressionB whose load is known.
 *
 * By delay: W - W0 = K rho / (1 - rho), the M/G/1 formula with K = E[S^2] / (2 E[S]) of the traffic
 * in the queue, not of the probe's service as in queue.h. By waiting: a probe does not have to wait
 * with probability (1 - rho)^m, where m is the number of independent queues on its route; 1 for a
 * single M/G/1 queue. The sizes of the messages in the queues do not matter.
 *
 * K and m minimize the sum of squared errors of the known utilizations (Brent's method of GSL). The
 * known load is independent of latencies: the bytes that CompressionB has sent, divided by the rate
 * of a link.
 */
#pragma once

#include "core/status.h"

#include <stddef.h>

/** A relation between a signal x, derived from latencies, and utilization. */
struct ct_queue_relation {
    const char *parameter; /**< "K", "m" */
    /** Utilization for a signal x > 0 and the parameter: rises with x, falls with the parameter. */
    double (*utilization_frac)(double x, double parameter);
    /** The parameter with which x > 0 gives this utilization. */
    double (*parameter_of)(double x, double utilization_frac);
};

/** x = W - W0 in seconds, K in seconds: rho = x / (K + x). */
extern const struct ct_queue_relation ct_queue_delay;

/** x = share of the probes that wait, 0..1; rho = 1 - (1 - x)^(1/m). */
extern const struct ct_queue_relation ct_queue_waiting;

struct ct_queue_known {
    double x;                /**< the signal */
    double utilization_frac; /**< 0 < rho < 1 */
};

/**
 * Fit the parameter of a relation.
 * @param known        [in]  n of them; those with x <= 0 or a utilization outside (0, 1) are
 *                           ignored
 * @param parameter_p  [out] > 0; unchanged on error
 * @param rms_p        [out] root mean square error of the utilizations; unchanged on error
 * @return CT_OK; CT_ENODATA (no usable one); CT_ENOMEM
 */
enum ct_status ct_queue_fit(const struct ct_queue_relation *relation,
                            const struct ct_queue_known *known, size_t n, double *parameter_p,
                            double *rms_p);

/** Utilization; 0 for x <= 0; NaN if x or the parameter is NaN. */
double ct_queue_relation_at(const struct ct_queue_relation *relation, double x, double parameter);
