/** Utilization of the network from a probe run on the idle network and one beside a load. */
#pragma once

#include "study/study.h"

struct ct_utilization_settings {
    const char *idle_path, *loaded_path;
    const char
        *calibration_path; /**< campaign with the configurations for the calibration; NULL: none */
    double link_bit_per_s; /**< rate of a link, from which known loads are computed; NaN: known
                              loads by counters */
    struct ct_bootstrap setup;
};

struct ct_utilization_answer {
    size_t n_idle, n_loaded;             /**< latencies */
    struct ct_queue_estimate pk;         /**< utilization "pk" */
    struct ct_predict_analysis analysis; /**< in which the load is the only application */
    struct ct_study calibration;         /**< empty without a calibration */
    struct ct_argv
        differences; /**< messages: settings of the network that differ between the two runs */
    double taught_latency_s; /**< median of the idle network of the calibration; NaN: unknown */
};

/**
 * Analyse the load as the only application of a campaign, with the configurations of the
 * calibration, if there is one.
 * @param answer_p  [out] ct_utilization_free(); unchanged on error
 * @return CT_OK; CT_EINVAL (a run of another kind); CT_ENODATA (too few latencies; a calibration
 *         without configurations whose load is known); what reading runs returns; CT_ENOMEM
 */
enum ct_status ct_utilization_estimate(const struct ct_utilization_settings *settings,
                                       struct ct_utilization_answer *answer_p,
                                       struct ct_error *err);
void ct_utilization_free(struct ct_utilization_answer *answer);
