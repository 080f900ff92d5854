#include "cli/validation.h"

#include "cli/pair_tolerance.h"

static const struct ct_column point_columns[] = {
    {"delta_L_s", "added latency", CT_UNIT_SECONDS},
    {"n_runs", "runs", CT_UNIT_COUNT},
    {"measured_s", "measured", CT_UNIT_LONG_SECONDS},
    {"measured_ci[]", "from", CT_UNIT_LONG_SECONDS},
    {"measured_ci[]", "to", CT_UNIT_LONG_SECONDS},
    {"predicted_s", "predicted", CT_UNIT_LONG_SECONDS},
    {"predicted_ci[]", "from", CT_UNIT_LONG_SECONDS},
    {"predicted_ci[]", "to", CT_UNIT_LONG_SECONDS},
    {"error_frac", "error", CT_UNIT_FRACTION},
    {"parameters_frac", "not known, by parameters", CT_UNIT_FRACTION},
    {"cpu_wait_frac", "waited for processors", CT_UNIT_FRACTION},
    {"probe_L_s", "latency of the probe", CT_UNIT_SECONDS}, /* and the next one with a load only */
    {"predicted_by_probe_s", "predicted with it", CT_UNIT_LONG_SECONDS}};
enum { LOAD_COLUMNS = 2 };
static const struct ct_column tolerance_columns[] = {
    {"threshold", "longer by", CT_UNIT_FRACTION},
    {"measured_s", "measured at added latency", CT_UNIT_SECONDS},
    {"measured_ci[]", "from", CT_UNIT_SECONDS},
    {"measured_ci[]", "to", CT_UNIT_SECONDS},
    {"predicted_s", "predicted", CT_UNIT_SECONDS}};

static void fill_points(struct ct_tables *tables, const struct ct_validation *found)
{
    enum { COLUMNS = sizeof point_columns / sizeof *point_columns };
    size_t n_columns = found->runs.has_load ? COLUMNS : COLUMNS - LOAD_COLUMNS;
    ct_tables_begin(tables, "points",
                    found->runs.has_load ? "Run time of a pass beside the load"
                                         : "Run time of a pass",
                    point_columns, n_columns);
    for (size_t i = 0; i < found->n_points; i++) {
        const struct ct_validation_point *p = &found->points[i];
        const struct ct_validation_spread *spread = &found->spreads[i];
        CT_CELL_NUMBERS(tables, p->delta_L_s, (double)p->n_runs, p->measured_s, p->measured_ci.lo,
                        p->measured_ci.hi, p->predicted_s, spread->predicted_s.lo,
                        spread->predicted_s.hi, p->predicted_s / p->measured_s - 1,
                        spread->parameters_frac, p->cpu_wait_frac, found->by_probe[i].L_s,
                        found->by_probe[i].predicted_s);
    }
    ct_tables_detail(tables, true);
    if (found->n_draws > 0)
        ct_tables_note(tables,
                       "Intervals of predictions are what parameters contribute: %g %% of %zu "
                       "replicates. 'Not known, by parameters' is their share of the variance of "
                       "predicted less measured; the rest is the scatter of runs.",
                       100 * ct_pass_schedules_level(&found->schedules), found->n_draws);
    ct_tables_detail(tables, false);
}

/* What it does without added latency. */
static void fill_load(struct ct_tables *tables, const struct ct_validation *found)
{
    const struct ct_validation_probe *probe = &found->runs.probes[0];
    const struct ct_validation_point *alone = &found->alone, *beside = &found->points[0];
    const struct ct_value rows[] = {
        {{"load_adds_s", "the load adds to the latency of the probe", CT_UNIT_SECONDS},
         probe->added_s},
        {{"load_adds_ci_s[]", "from", CT_UNIT_SECONDS}, probe->added_ci.lo},
        {{"load_adds_ci_s[]", "to", CT_UNIT_SECONDS}, probe->added_ci.hi},
        {{"L_beside_s", "latency L_B beside the load", CT_UNIT_SECONDS},
         found->L_s + found->at_s - found->schedules.own_s},
        {{"alone_measured_s", "run time of a pass alone, measured", CT_UNIT_LONG_SECONDS},
         alone->measured_s},
        {{"alone_predicted_s", "predicted", CT_UNIT_LONG_SECONDS}, alone->predicted_s},
        {{"slowdown_measured", "slowdown by the load, measured", CT_UNIT_FRACTION},
         beside->measured_s / alone->measured_s - 1},
        {{"slowdown_predicted", "predicted", CT_UNIT_FRACTION},
         beside->predicted_s / alone->predicted_s - 1}};
    CT_TABLES_NUMBERS(tables, rows);
    ct_tables_note(tables, "Predictions beside the load are T(L_B + added latency), with L_B from "
                           "the probe without added latency. 'Predicted with it' is T at the "
                           "latency that the probe had at that point: the load itself may become "
                           "lighter when its messages take longer.");
}

static void fill_tolerances(struct ct_tables *tables, const struct ct_validation *found)
{
    enum { COLUMNS = sizeof tolerance_columns / sizeof *tolerance_columns };
    ct_tables_begin(tables, "tolerance", "Latency tolerance", tolerance_columns, COLUMNS);
    for (size_t i = 0; i < found->n_tolerances; i++) {
        const struct ct_validation_tolerance *t = &found->tolerances[i];
        CT_CELL_NUMBERS(tables, t->threshold_frac, t->measured_s, t->measured_ci.lo,
                        t->measured_ci.hi, t->predicted_s);
    }
}

void ct_validation_fill(struct ct_tables *tables, const struct ct_validation *found)
{
    const struct ct_value rows[] = {
        {{"rrmse", "relative root mean square error", CT_UNIT_FRACTION}, found->rrmse},
        {{"L_s",
          found->schedules.by_class ? "latency L of the baseline, mean over the critical path"
                                    : "latency L of the baseline",
          CT_UNIT_SECONDS},
         found->L_s},
        {{"lambda_L", "lambda_L, latencies on the critical path", CT_UNIT_NONE}, found->lambda_L},
        {{"slope_limit_s", "slopes up to an added latency of", CT_UNIT_SECONDS}, found->limit_s},
        {{"slope_measured", "slope, measured", CT_UNIT_NONE}, found->slope.slope},
        {{"slope_ci[]", "from", CT_UNIT_NONE}, found->slope.ci.lo},
        {{"slope_ci[]", "to", CT_UNIT_NONE}, found->slope.ci.hi},
        {{"slope_predicted", "slope, predicted", CT_UNIT_NONE}, found->slope_predicted}};
    CT_TABLES_NUMBERS(tables, rows);
    if (!found->model.longer) {
        CT_TABLES_NUMBER(tables, "offset_s", "added to T", LONG_SECONDS, found->model.offset_s);
        ct_tables_note(tables, "The whole program is timed, with its start, which a trace does not "
                               "contain: predictions are T plus what the measurement without added "
                               "latency takes longer.");
    }
    if (found->runs.has_load)
        fill_load(tables, found);
    fill_points(tables, found);
    if (found->schedules.by_class)
        ct_pair_classes_fill(&found->schedules.pairs, found->class_lambdas,
                             found->alone.predicted_s, tables);
    fill_tolerances(tables, found);
    char off[CT_UNITS_TEXT_MAX];
    ct_format_share(found->rrmse, off);
    ct_tables_answer(tables,
                     "Predicted run times are off by %s (root mean square). Run time grows by %.3g "
                     "times the added latency as measured, by %.3g as predicted.",
                     off, found->slope.slope, found->slope_predicted);
}
