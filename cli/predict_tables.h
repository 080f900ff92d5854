/** Tables of crosstalk predict. */
#pragma once

#include "core/table.h"
#include "predict/evaluate.h"
#include "study/schedules.h"
#include "study/verdict.h"

/** Input of the tables; borrowed. */
struct ct_predict_answers {
    const struct ct_study *study;
    struct ct_predict_analysis *analysis;
    const struct ct_schedules *schedules;
    const struct ct_questions *questions;
    const bool *is_asked;      /**< [model] */
    size_t n_models;           /**< asked, without null models */
    struct ct_bootstrap setup; /**< of the intervals and comparisons */
    struct ct_predict_case
        *cases;        /**< [model * questions->n + question]; filled for models that are asked */
    size_t model;      /**< that verdicts rely on; asked */
    double limit_frac; /**< of the verdicts */
    const struct ct_judged *judged;      /**< [question] */
    const struct ct_pair_verdict *pairs; /**< [n_pairs]: of questions about two applications */
    size_t n_pairs;
    bool all; /**< the whole result is wanted */
};

/** Key of the model of simulations. */
extern const char *const ct_predict_packets;

/** Whether it is asked for and can answer: there are schedules. */
bool ct_predict_packets_are_asked(const struct ct_predict_answers *answers);

/** Add cells of the application and of what is beside it. */
void ct_predict_cells_question(const struct ct_study *study, const struct ct_question *question,
                               struct ct_tables *tables);

/** Add "loads": the effect of each load on the probe, and utilizations. */
void ct_predict_tables_loads(const struct ct_predict_answers *answers, struct ct_tables *tables);

/** The first columns of tables of pairs. */
enum { CT_PAIR_COLUMNS = 8 };
extern const struct ct_column ct_pair_columns[CT_PAIR_COLUMNS];

/** "pairs": measured and predicted slowdowns. */
void ct_predict_tables_pairs(const struct ct_predict_answers *answers, struct ct_tables *tables);

/** Columns of struct ct_predict_errors, after that of their number. */
#define CT_COLUMNS_ERRORS                                                                          \
    {"mean_abs", "mean", CT_UNIT_FRACTION}, {"median", "median", CT_UNIT_FRACTION},                \
        {"q1", NULL, CT_UNIT_FRACTION}, {"q3", NULL, CT_UNIT_FRACTION},                            \
    {                                                                                              \
        "max", "max", CT_UNIT_FRACTION                                                             \
    }

/**
 * Add "errors" of the models and, if there are pairs too, "group_errors" of groups, as details.
 * @param is_shown  [in] the first of them is none
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_predict_tables_errors(const struct ct_predict_answers *answers, bool is_shown,
                                        struct ct_tables *tables);

/**
 * Add more tables of errors: the worst pairs of each model, models compared on the same pairs,
 * utilizations compared with the switch counters, repeatability of measurements.
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_predict_tables_evaluation(const struct ct_predict_answers *answers,
                                            struct ct_tables *tables);

/** Add notes: flags that occurred, drifts, calibration, missing runs. */
void ct_predict_tables_notes(const struct ct_predict_answers *answers, struct ct_tables *tables);

/**
 * Add the explanation of the predictions for the first question.
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_predict_tables_explanation(const struct ct_predict_answers *answers,
                                             struct ct_tables *tables);
