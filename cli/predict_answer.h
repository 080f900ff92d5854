/**
 * The answer of crosstalk predict: a verdict on every question, a table of what decides, and in
 * words which applications may run beside each other.
 */
#pragma once

#include "cli/predict_tables.h"
#include "study/advice.h"

/** A slowdown as a cell: "44", "(44)" where it is predicted, "44±2" with the interval. */
void ct_predict_format_slowdown(const struct ct_judged *judged, bool with_interval, bool is_whole,
                                char *text, size_t size);

/** Add how much was measured, and what the model is. */
void ct_predict_answer_model(const struct ct_predict_answers *answers, struct ct_tables *tables);

/** Add "verdicts", a row for each question, which files have. */
void ct_predict_answer_verdicts(const struct ct_predict_answers *answers, struct ct_tables *tables);

/** Whether there are several models, and few enough questions that each model has a row for each.
 */
bool ct_predict_shows_models(const struct ct_predict_answers *answers);

/**
 * Add what is shown of pairs, and the end in words.
 * @param has_errors  [in] the errors of several models are shown in place of a table of pairs
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_predict_answer_pairs(const struct ct_predict_answers *answers, bool has_errors,
                                       struct ct_tables *tables);

/**
 * Judge every question, and pairs where both directions of all are asked.
 * @param answers  [in,out] gets these; ct_predict_answers_free(), also on error
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_predict_answers_judge(struct ct_predict_answers *answers, struct ct_error *err);
/** Frees the verdicts; the rest is borrowed. */
void ct_predict_answers_free(struct ct_predict_answers *answers);

/**
 * Add "placement", the groups that --groups made, and the end in words.
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_predict_answer_groups(const struct ct_predict_answers *answers,
                                        const struct ct_advice *advice,
                                        enum ct_grouping_objective objective,
                                        struct ct_tables *tables);
