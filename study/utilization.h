/** From an idle and a loaded probe run to the utilization of the network. */
#ifndef CT_STUDY_UTILIZATION_H
#define CT_STUDY_UTILIZATION_H

#include "study/study.h"

struct ct_utilization_settings {
    const char *idle_path, *loaded_path;
    const char *calibration_path; /**< campaign whose configurations calibrate; NULL: none */
    double link_bit_per_s;        /**< loads of configurations are known by it; NaN: by counters */
    struct ct_bootstrap setup;
};

struct ct_utilization_answer {
    size_t n_idle, n_loaded;             /**< latencies */
    struct ct_queue_estimate pk;         /**< by the formula of Pollaczek and Khinchine */
    struct ct_predict_analysis analysis; /**< the load is its only application */
    struct ct_study calibration;         /**< empty where there is none */
    struct ct_argv differences;          /**< for people: how the two runs used the network */
    double taught_latency_s; /**< median of the idle network of the calibration; NaN: unknown */
};

/**
 * The load is analysed as the only application of a campaign that has nothing else but
 * configurations, or not even these.
 * @param answer_p  [out] ct_utilization_free(); unchanged on error
 * @return CT_OK; CT_EINVAL (a run of another kind); CT_ENODATA (too few latencies; a calibration
 *         without configurations whose load is known); what reading runs returns; CT_ENOMEM
 */
enum ct_status ct_utilization_estimate(const struct ct_utilization_settings *settings,
                                       struct ct_utilization_answer *answer_p,
                                       struct ct_error *err);
void ct_utilization_free(struct ct_utilization_answer *answer);

#endif
