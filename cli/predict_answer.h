/**
 * The answer of crosstalk predict: a verdict on every question, a table of what decides, and in
 * words which applications may run beside each other.
 */
#pragma once

#include "cli/predict_tables.h"
#include "study/advice.h"

/** What is said so far, and the texts that the tables borrow: it must outlive them. */
struct ct_predict_answer;
/** @param n_placements  [in] 0: the campaign has one study. @return NULL: out of memory */
struct ct_predict_answer *ct_predict_answer_new(size_t n_placements);
void ct_predict_answer_free(struct ct_predict_answer *answer);

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
enum ct_status ct_predict_answer_pairs(struct ct_predict_answer *answer,
                                       const struct ct_predict_answers *answers, bool has_errors,
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
enum ct_status ct_predict_answer_groups(struct ct_predict_answer *answer,
                                        const struct ct_predict_answers *answers,
                                        const struct ct_advice *advice,
                                        enum ct_grouping_objective objective,
                                        struct ct_tables *tables);

/**
 * Add the pairs of one of several placements: rows of "co_runs", and what is said of them at the
 * end by ct_predict_answer_placements().
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_predict_answer_placement(struct ct_predict_answer *answer,
                                           const struct ct_predict_answers *answers,
                                           const char *placement, struct ct_tables *tables);

/**
 * Add "answers": a row for each pair, with the placements under each verdict.
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_predict_answer_placements(struct ct_predict_answer *answer, double limit_frac,
                                            struct ct_tables *tables);
