/** Tables of crosstalk predict. */
#ifndef CT_CLI_PREDICT_REPORT_H
#define CT_CLI_PREDICT_REPORT_H

#include "core/report.h"
#include "predict/evaluate.h"
#include "study/questions.h"
#include "study/schedules.h"

/** Everything that the tables are made from; borrowed. */
struct ct_predict_answers {
    const struct ct_study *study;
    const struct ct_predict_analysis *analysis;
    const struct ct_schedules *schedules;
    const struct ct_questions *questions;
    const bool *is_asked;          /**< [model] */
    struct ct_predict_case *cases; /**< [model * questions->n + question]; answered where asked */
};

/** "loads": what each load does to the probe, with utilizations. */
void ct_predict_report_loads(const struct ct_predict_answers *answers, struct ct_report *report);

/** "pairs": measured and predicted slowdowns. The columns must outlive the report. */
struct ct_predict_columns;
struct ct_predict_columns *ct_predict_columns_new(const bool *is_asked);
void ct_predict_columns_free(struct ct_predict_columns *columns);
void ct_predict_report_pairs(const struct ct_predict_answers *answers,
                             const struct ct_predict_columns *columns, struct ct_report *report);

/** "errors": of the models; "group_errors": of groups, where pairs are there too. @return CT_OK;
 * CT_ENOMEM */
enum ct_status ct_predict_report_errors(const struct ct_predict_answers *answers,
                                        struct ct_report *report);

/**
 * More about errors: the worst pairs of each model, utilizations against the switch's counters, how
 * well measurements repeat.
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_predict_report_evaluation(const struct ct_predict_answers *answers,
                                            struct ct_report *report);

/** Notes: flags that occurred, drifts, calibration, what is missing. */
void ct_predict_report_notes(const struct ct_predict_answers *answers, struct ct_report *report);

/** Why the first question is answered as it is. @return CT_OK; CT_ENOMEM */
enum ct_status ct_predict_report_explanation(const struct ct_predict_answers *answers,
                                             struct ct_report *report);

#endif
