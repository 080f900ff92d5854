/**
 * What the model `probe` of predict/ says of workloads beside the steady congestors of a scan: from
 * what its canary of latencies reads there, and how long the workload takes beside loads of known
 * amount. No time of the workload beside a congestor is used.
 *
 * Intervals are those of `crosstalk predict` (predict/interval.h), by the model's errors for the
 * loads of known amount, each left out in turn: a co-run is not there when the answer is sealed.
 */
#pragma once

#include "study/scan_factors.h"

struct ct_scan_workload_factor {
    struct ct_scan_case scan_case; /**< the workload beside the congestor */
    double value;                  /**< factor of its mean time */
    struct ct_interval interval;   /**< NaN: too few errors for the level */
};

/**
 * @param dir        [in]  of the scan; all rounds in it are used
 * @param level      [in]  of the intervals
 * @param factors_p  [out] free(); n of them, none where the scan has no workload, no load of known
 *                         amount, or nothing that can be predicted; unchanged on error
 * @return CT_OK; CT_EIO, CT_EFORMAT; CT_ENOMEM
 */
enum ct_status ct_scan_workloads_predict(const char *dir, const struct ct_scan *scan, double level,
                                         struct ct_scan_workload_factor **factors_p, size_t *n_p,
                                         struct ct_error *err);
