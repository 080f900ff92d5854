/** Latencies of a probe run by path: classes of pairs with as many switches between them. */
#pragma once

#include "results/run.h"

struct ct_path_class {
    uint32_t switches;
    size_t n_pairs, n; /**< pairs with samples, and samples */
    double mean_s, p25_s, p50_s, p75_s, p99_s;
};

/**
 * @param classes_p  [out] n_p classes with samples, by number of switches; free(); NULL and 0 for a
 *                         run without path classes; unchanged on error
 * @param worst_p    [out] the pair with the largest mean latency; n_pairs: there are no samples
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_path_classes_take(const struct ct_run *run, struct ct_path_class **classes_p,
                                    size_t *n_p, size_t *worst_p, struct ct_error *err);
