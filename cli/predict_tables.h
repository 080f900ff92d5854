/** Tables of crosstalk predict. */
#ifndef CT_CLI_PREDICT_TABLES_H
#define CT_CLI_PREDICT_TABLES_H

#include "core/table.h"
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
    struct ct_bootstrap setup;     /**< of the intervals and comparisons */
    struct ct_predict_case *cases; /**< [model * questions->n + question]; answered where asked */
};

/** "loads": what each load does to the probe, with utilizations. */
void ct_predict_tables_loads(const struct ct_predict_answers *answers, struct ct_tables *tables);

/** Columns that tables of pairs begin with. */
enum { CT_PAIR_COLUMNS = 7 };
extern const struct ct_column ct_pair_columns[CT_PAIR_COLUMNS];

/** "pairs": measured and predicted slowdowns. The columns must outlive the tables. */
struct ct_predict_columns;
struct ct_predict_columns *ct_predict_columns_new(const bool *is_asked);
void ct_predict_columns_free(struct ct_predict_columns *columns);
void ct_predict_tables_pairs(const struct ct_predict_answers *answers,
                             const struct ct_predict_columns *columns, struct ct_tables *tables);

/** "errors": of the models; "group_errors": of groups, where pairs are there too. @return CT_OK;
 * CT_ENOMEM */
enum ct_status ct_predict_tables_errors(const struct ct_predict_answers *answers,
                                        struct ct_tables *tables);

/**
 * More about errors: the worst pairs of each model, models compared on the same pairs, utilizations
 * against the switch's counters, how well measurements repeat.
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_predict_tables_evaluation(const struct ct_predict_answers *answers,
                                            struct ct_tables *tables);

/** Notes: flags that occurred, drifts, calibration, what is missing. */
void ct_predict_tables_notes(const struct ct_predict_answers *answers, struct ct_tables *tables);

/** Why the first question is answered as it is. @return CT_OK; CT_ENOMEM */
enum ct_status ct_predict_tables_explanation(const struct ct_predict_answers *answers,
                                             struct ct_tables *tables);

#endif
