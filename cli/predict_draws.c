#include "cli/predict_draws.h"

#include "study/slowdown_draws.h"

#include <math.h>
#include <stdlib.h>

static double share_of(double part, const struct ct_slowdown_spread *spread)
{
    double all = ct_slowdown_variance(spread);
    return all > 0 ? part / all : 0;
}

static void add_row(const struct ct_predict_answers *answers,
                    const struct ct_slowdown_spread *spread, size_t i, struct ct_tables *tables)
{
    const struct ct_question *question = &answers->questions->items[i];
    bool is_known = !isnan(question->measured.frac) && !isnan(spread->frac.lo);
    ct_predict_cells_question(answers->study, question, tables);
    ct_tables_cell_text(tables, ct_predict_packets);
    const double cells[] = {question->measured.frac,
                            spread->predicted_frac,
                            spread->frac.lo,
                            spread->frac.hi,
                            spread->parameters_frac.lo,
                            spread->parameters_frac.hi,
                            share_of(spread->variance_parameters, spread),
                            share_of(spread->variance_runs, spread),
                            share_of(spread->variance_simulator, spread)};
    ct_tables_cell_numbers(tables, cells, sizeof cells / sizeof *cells);
    ct_tables_cell_text(tables, !is_known                                 ? ""
                                : ct_slowdown_is_inside(question, spread) ? "yes"
                                                                          : "no");
}

static void fill_rows(const struct ct_predict_answers *answers,
                      const struct ct_slowdown_spread *spreads, struct ct_tables *tables)
{
    static const struct ct_column columns[] = {
        {"app", "app", CT_UNIT_NONE},
        {"with", "with", CT_UNIT_NONE},
        {"model", "model", CT_UNIT_NONE},
        {"measured", "measured", CT_UNIT_FRACTION},
        {"predicted", "predicted", CT_UNIT_FRACTION},
        {"ci[]", "from", CT_UNIT_FRACTION},
        {"ci[]", "to", CT_UNIT_FRACTION},
        {"parameters_ci[]", "by parameters from", CT_UNIT_FRACTION},
        {"parameters_ci[]", "to", CT_UNIT_FRACTION},
        {"parameters_frac", "not known, by parameters", CT_UNIT_FRACTION},
        {"runs_frac", "by runs", CT_UNIT_FRACTION},
        {"simulator_frac", "by the simulator", CT_UNIT_FRACTION},
        {"inside", "inside", CT_UNIT_NONE}};
    CT_TABLES_BEGIN(tables, "uncertainty", "Slowdown with the uncertainty of parameters", columns);
    for (size_t i = 0; i < answers->questions->n; i++)
        add_row(answers, &spreads[i], i, tables);
}

static void fill_summary(const struct ct_predict_answers *answers,
                         const struct ct_slowdown_spread *spreads, struct ct_tables *tables)
{
    static const struct ct_column columns[] = {
        {"model", "model", CT_UNIT_NONE},
        {"measured", "measured co-runs", CT_UNIT_COUNT},
        {"inside", "in the interval", CT_UNIT_COUNT},
        {"coverage", "coverage", CT_UNIT_FRACTION},
        {"width", "mean width", CT_UNIT_FRACTION},
        {"parameters_frac", "not known, by parameters", CT_UNIT_FRACTION},
        {"runs_frac", "by runs", CT_UNIT_FRACTION},
        {"simulator_frac", "by the simulator", CT_UNIT_FRACTION}};
    CT_TABLES_BEGIN(tables, "uncertainty_summary", "Measured slowdowns in these intervals",
                    columns);
    const struct ct_slowdown_coverage all = ct_slowdown_coverage(answers->questions, spreads);
    const double cells[] = {(double)all.n,
                            (double)all.n_inside,
                            all.n > 0 ? (double)all.n_inside / (double)all.n : NAN,
                            all.width_frac,
                            all.parameters_frac,
                            all.runs_frac,
                            all.simulator_frac};
    ct_tables_cell_text(tables, ct_predict_packets);
    ct_tables_cell_numbers(tables, cells, sizeof cells / sizeof *cells);
}

/* Of the first question: those of others differ by what is left out. */
static void describe_error(const struct ct_slowdown_spread *spread, struct ct_tables *tables)
{
    if (spread->error_from == CT_INTERVAL_FROM_TOO_FEW)
        ct_tables_note(tables,
                       "Uncertainty by %s: too few measured slowdowns tell the simulator's own "
                       "error, which is not in the intervals.",
                       ct_predict_packets);
    else
        ct_tables_note(tables,
                       "Uncertainty by %s: the simulator's own error is known from %zu slowdowns "
                       "beside %s.",
                       ct_predict_packets, spread->n_errors,
                       spread->error_from == CT_INTERVAL_FROM_CO_RUNS ? "other applications"
                                                                      : "configurations");
}

static void add_notes(const struct ct_predict_answers *answers,
                      const struct ct_slowdown_spread *spreads, size_t n_draws,
                      struct ct_tables *tables)
{
    ct_tables_note(tables,
                   "Uncertainty: %g %% of %zu draws of the posterior, the scatter of runs, and the "
                   "simulator's own error.",
                   100 * answers->setup.level, n_draws);
    if (answers->questions->n > 0)
        describe_error(&spreads[0], tables);
}

enum ct_status ct_predict_draws_fill(const struct ct_predict_answers *answers, size_t n_draws,
                                     struct ct_log *log, struct ct_tables *tables,
                                     struct ct_error *err)
{
    const struct ct_parameters *model = answers->schedules->model;
    struct ct_slowdown_spread *spreads = NULL;
    if (!model || !model->posterior || !ct_predict_packets_are_asked(answers))
        return CT_OK;
    const struct ct_slowdown_draws draws = {.study = answers->study,
                                            .schedules = answers->schedules,
                                            .questions = answers->questions,
                                            .n_draws = n_draws,
                                            .level = answers->setup.level,
                                            .log = log};
    CT_TRY(ct_slowdown_draws(&draws, &spreads, err));
    fill_rows(answers, spreads, tables);
    fill_summary(answers, spreads, tables);
    add_notes(answers, spreads, n_draws, tables);
    free(spreads);
    return CT_OK;
}
