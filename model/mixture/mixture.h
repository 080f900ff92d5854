/**
 * A load as a mixture in time of loads that are known: the shares of time in which the network
 * looks as it does beside each of them.
 *
 * A load with phases shows the probe one distribution of latencies in each; over a long time it
 * shows their mixture, weighted by the time spent in each. The same holds for what lasts over
 * several probes (the scales of model/probe/probe.h), as long as phases are longer. So bursts that
 * are over before the next probe are told from a queue that stays, though single latencies may be
 * alike. The weights are those for which the cumulative distributions, on all scales together, come
 * nearest to the load's (least squares over bins that are nearly equal in log latency, the Cramer
 * distance), under w >= 0 and sum w = 1.
 */
#ifndef CT_MODEL_MIXTURE_MIXTURE_H
#define CT_MODEL_MIXTURE_MIXTURE_H

#include "model/probe/probe.h"

struct ct_mixture;

/**
 * @param components  [in]  n >= 1 profiles of one grid, copied; one that was not measured has no
 *                          share in anything
 * @param floor_s     [in]  below this latencies are alike; 0: no floor
 * @param mixture_p   [out] ct_mixture_free(); unchanged on error
 * @return CT_OK; CT_EINVAL (n = 0); CT_ENOMEM
 */
enum ct_status ct_mixture_new(const struct ct_probe_profile *components, size_t n, double floor_s,
                              struct ct_mixture **mixture_p);
void ct_mixture_free(struct ct_mixture *mixture);

/**
 * @param load        [in]  measured, of the same grid
 * @param is_allowed  [in]  [component]: may have a share; NULL: all may
 * @param weights     [out] [component], sum 1. A load that is one of the components exactly has
 *                          weight 1 there (the first of equal ones).
 * @param distance_p  [out] root mean square difference of the cumulative distributions, 0..1;
 *                          how far the load is from every mixture
 * @return CT_OK; CT_ENODATA (nothing is allowed, or the load was not measured); CT_ENOMEM
 */
enum ct_status ct_mixture_weights(const struct ct_mixture *mixture,
                                  const struct ct_probe_profile *load, const bool *is_allowed,
                                  double *weights, double *distance_p);

#endif
