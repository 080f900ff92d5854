/**
 * A load as a mixture, in time, of known loads: for each of these, the share of the time in which
 * the probe's latencies are like those beside it.
 *
 * In each phase of a load the latencies of the probe have another distribution. Over a long time
 * their distribution is the mixture of these, weighted by the duration of the phases. The same
 * holds for the least of several successive latencies (the scales of model/probe/probe.h), if
 * phases are longer than the distance of probes. So short bursts can be distinguished from a queue
 * that persists, even if single latencies have the same distribution. The weights w >= 0, sum w =
 * 1, minimize the sum of squared differences between the cumulative distribution of the mixture and
 * that of the load (Cramer distance), over all scales and over bins of nearly equal width in log
 * latency.
 */
#pragma once

#include "model/probe/probe.h"

struct ct_mixture;

/**
 * @param components  [in]  n >= 1 profiles of one grid, copied; one that was not measured has
 *                          weight 0
 * @param floor_s     [in]  differences between latencies below this do not count; 0: no floor
 * @param mixture_p   [out] ct_mixture_free(); unchanged on error
 * @return CT_OK; CT_EINVAL (n = 0); CT_ENOMEM
 */
enum ct_status ct_mixture_new(const struct ct_probe_profile *components, size_t n, double floor_s,
                              struct ct_mixture **mixture_p);
void ct_mixture_free(struct ct_mixture *mixture);

/**
 * @param load        [in]  measured, of the same grid
 * @param is_allowed  [in]  [component]: whether its weight may be above 0; NULL: all
 * @param weights     [out] [component], sum 1. A load that is one of the components exactly has
 *                          weight 1 there (the first of equal ones).
 * @param distance_p  [out] root mean square difference between the cumulative distributions of load
 *                          and mixture, 0..1
 * @return CT_OK; CT_ENODATA (nothing is allowed, or the load was not measured); CT_ENOMEM
 */
enum ct_status ct_mixture_weights(const struct ct_mixture *mixture,
                                  const struct ct_probe_profile *load, const bool *is_allowed,
                                  double *weights, double *distance_p);
