/* Sealed predictions beside what was measured since. */
#include "cli/predict_sealed.h"

#include "cli/predict_tables.h"
#include "study/constants.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { KEY_MAX = 64 };

static const struct ct_column error_columns[] = {{"model", "model", CT_UNIT_NONE},
                                                 {"n", "n", CT_UNIT_COUNT},
                                                 CT_COLUMNS_ERRORS,
                                                 {"log_mean_abs", "ln", CT_UNIT_NONE},
                                                 {"decisions", NULL, CT_UNIT_COUNT},
                                                 {"wrongly_allowed", "wrong yes", CT_UNIT_COUNT},
                                                 {"wrongly_refused", "wrong no", CT_UNIT_COUNT},
                                                 {"coverage", "inside", CT_UNIT_FRACTION},
                                                 {"mean_width", "mean width", CT_UNIT_FRACTION}};

static void add_pairs(const struct ct_seal *seal, const struct ct_seal_verdict *verdict,
                      struct ct_tables *tables)
{
    char key[KEY_MAX];
    ct_tables_begin(tables, "pairs", "Sealed predictions of co-runs that were measured since",
                    ct_pair_columns, CT_PAIR_COLUMNS);
    for (size_t m = 0; m < seal->n_models; m++) {
        snprintf(key, sizeof key, "predicted.%s", seal->models[m]);
        ct_tables_column(tables, (struct ct_column){key, seal->models[m], CT_UNIT_FRACTION});
    }
    for (size_t i = 0; i < seal->n; i++) {
        const struct ct_question *judged = verdict->judged[i];
        if (!judged)
            continue;
        ct_tables_cell_text(tables, seal->items[i].app);
        ct_tables_cell_text(tables, seal->items[i].with);
        CT_CELL_NUMBERS(tables, judged->measured.frac, judged->measured.interval.lo,
                        judged->measured.interval.hi, judged->processors_frac,
                        ct_question_cpu_wait(judged), judged->stolen_frac);
        for (size_t m = 0; m < seal->n_models; m++)
            ct_tables_cell_number(tables, seal->items[i].answers[m].slowdown_frac);
    }
}

/* decisions: NULL: none */
static void add_errors(const struct ct_seal *seal, const struct ct_predict_evaluation *models,
                       const struct ct_predict_decisions *decisions, const char *key,
                       const char *title, struct ct_tables *tables)
{
    CT_TABLES_BEGIN(tables, key, title, error_columns);
    for (size_t m = 0; m < seal->n_models; m++) {
        const struct ct_predict_evaluation *model = &models[m];
        const bool is_decided = decisions && decisions[m].n > 0;
        ct_tables_cell_text(tables, seal->models[m]);
        CT_CELL_NUMBERS(tables, (double)model->slowdown.n, model->slowdown.mean_abs,
                        model->slowdown.median, model->slowdown.q1, model->slowdown.q3,
                        model->slowdown.max, model->log.mean_abs,
                        is_decided ? (double)decisions[m].n : NAN,
                        is_decided ? (double)decisions[m].n_allowed : NAN,
                        is_decided ? (double)decisions[m].n_refused : NAN, model->coverage_frac,
                        model->mean_width_frac);
    }
}

/* Of the models that use the network. */
static void say_nearest(const struct ct_seal *seal, const struct ct_seal_verdict *verdict,
                        struct ct_tables *tables)
{
    const struct ct_predict_errors *nearest = NULL;
    const char *name = NULL;
    for (size_t m = 0; m < seal->n_models; m++) {
        const struct ct_predict_errors *errors = &verdict->models[m].slowdown;
        size_t model = 0;
        if (errors->n == 0 ||
            ct_predict_model_find(seal->models[m], strlen(seal->models[m]), &model, NULL) !=
                CT_OK ||
            ct_predict_model_is(&ct_predict_models[model], CT_MODEL_IS_NULL) ||
            (nearest && nearest->mean_abs <= errors->mean_abs))
            continue;
        nearest = errors;
        name = seal->models[m];
    }
    if (nearest)
        ct_tables_answer(tables,
                         "Nearest to what was measured since: %s, off by %.2g points on average, "
                         "%.2g at most, in %zu co-run%s.",
                         name, 100 * nearest->mean_abs, 100 * nearest->max, nearest->n,
                         nearest->n == 1 ? "" : "s");
    else
        ct_tables_answer(tables, "No co-run was measured since these predictions were sealed, so "
                                 "that nothing can be said of their errors.");
}

void ct_predict_tables_sealed(const struct ct_seal *seal, const struct ct_seal_verdict *verdict,
                              struct ct_tables *tables)
{
    ct_tables_provenance(tables, "sealed", "%s, by version %s, from %llu runs, seed %llu",
                         seal->made_utc, seal->version, (unsigned long long)seal->n_runs,
                         (unsigned long long)seal->seed);
    ct_tables_provenance(tables, "level", "%g", seal->level);
    add_pairs(seal, verdict, tables);
    add_errors(seal, verdict->models, verdict->decisions, "errors{}",
               "Error of the sealed predictions: |predicted - measured|, in points of slowdown",
               tables);
    if (verdict->n_slowed > 0)
        add_errors(seal, verdict->network_models, NULL, "network_errors{}",
                   "The same without the co-runs that are slowed by processors", tables);
    if (verdict->n_known > 0)
        ct_tables_note(tables,
                       "%zu of %zu co-runs were measured already when they were predicted: they "
                       "prove nothing and are not counted",
                       verdict->n_known, seal->n);
    if (verdict->n_slowed > 0)
        ct_tables_note(tables,
                       "slowed by processors: %zu of %zu co-runs, in which ranks waited longer for "
                       "processors than alone, by more than %g %% of the time alone",
                       verdict->n_slowed, verdict->n_judged,
                       100 * ct_study_constant(CT_STUDY_PROCESSORS_NOTED));
    if (verdict->n_missing > 0)
        ct_tables_note(tables, "%zu of %zu co-runs are not measured yet", verdict->n_missing,
                       seal->n);
    say_nearest(seal, verdict, tables);
}

enum ct_status ct_predict_note_opening(const char *path, const struct ct_seal *seal,
                                       const struct ct_seal_source *now, bool is_judged,
                                       struct ct_tables *tables, struct ct_error *err)
{
    struct ct_argv notes = {0}, earlier = {0};
    enum ct_status status = ct_seal_source_compare(&seal->source, now, &notes) == CT_OK
                                ? CT_OK
                                : ct_no_memory(err, "%s", path);
    if (status == CT_OK && is_judged)
        status = ct_seal_open(path, now, &earlier, err);
    for (size_t i = 0; i < notes.n && status == CT_OK; i++)
        ct_tables_answer(tables, "%s", notes.item[i]);
    for (size_t i = 0; i < earlier.n && status == CT_OK; i++)
        ct_tables_answer(tables, "opened before: %s", earlier.item[i]);
    ct_argv_free(&notes);
    ct_argv_free(&earlier);
    return status;
}
