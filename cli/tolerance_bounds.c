/* crosstalk tolerance --progress both: the least and the most run time, by when the steps of
 * messages begin that ranks must make. */
#include "cli/tolerance_once.h"
#include "core/units.h"

#include <math.h>

static const double s_per_ns = 1e-9;

enum bound { AT_ONCE, IN_CALL, BOUNDS };

struct subject {
    const struct ct_tolerance_question *question;
    struct ct_tolerance_once sides[BOUNDS];
};

static enum ct_status solve_bound(struct subject *subject, enum bound bound, struct ct_error *err)
{
    struct ct_tolerance_settings settings = *subject->question->settings;
    struct ct_tolerance_question question = *subject->question;
    struct ct_tolerance_once *side = &subject->sides[bound];
    settings.graph.progress = bound == IN_CALL ? CT_ASKED_IN_CALL : CT_ASKED_AT_ONCE;
    settings.graph.traces.is_known = bound == IN_CALL;
    question.settings = &settings;
    CT_TRY(ct_model_parameters(&settings.machine.model, true, &side->model, err));
    return ct_tolerance_once_solve(&question, side, err);
}

static void fill_tolerances(const struct subject *subject, struct ct_tables *tables)
{
    static const struct ct_column columns[] = {
        {"threshold", "T longer by", CT_UNIT_FRACTION},
        {"delta_L_at_once_s", "added latency, at once", CT_UNIT_SECONDS},
        {"delta_L_in_call_s", "in calls", CT_UNIT_SECONDS},
    };
    const struct ct_thresholds *thresholds = &subject->question->settings->thresholds;
    CT_TABLES_BEGIN(tables, "tolerance", "Latency tolerance, each of its own T", columns);
    for (size_t i = 0; i < thresholds->n; i++) {
        ct_tables_cell_number(tables, thresholds->frac[i]);
        for (size_t k = 0; k < BOUNDS; k++)
            ct_tables_cell_number(tables, subject->sides[k].tolerance_ns[i] * s_per_ns);
    }
}

static void answer_in_words(const struct subject *subject, struct ct_tables *tables)
{
    const struct ct_tolerance_once *least = &subject->sides[AT_ONCE],
                                   *most = &subject->sides[IN_CALL];
    char from[CT_UNITS_TEXT_MAX], to[CT_UNITS_TEXT_MAX], share[CT_UNITS_TEXT_MAX];
    double frac = least->runtime_ns > 0 ? most->runtime_ns / least->runtime_ns - 1 : 0;
    ct_format_words(least->runtime_ns * s_per_ns, 4, from);
    ct_format_words(most->runtime_ns * s_per_ns, 4, to);
    ct_format_share(frac, share);
    if (!(frac > 0.001)) {
        ct_tables_answer(tables,
                         "T is %s, whether messages go on at once or wait until ranks are in MPI.",
                         from);
        return;
    }
    ct_tables_answer(
        tables,
        "T is from %s, if messages go on while ranks compute, to %s (%s more), if they "
        "wait until ranks are in MPI.",
        from, to, share);
    ct_tables_answer(tables, "On the path are then %.4g latencies in place of %.4g.",
                     most->lambda_L, least->lambda_L);
}

static enum ct_status print_findings(const struct subject *subject, struct ct_error *err)
{
    const struct ct_tolerance_once *least = &subject->sides[AT_ONCE],
                                   *most = &subject->sides[IN_CALL];
    struct ct_tables *tables = ct_tolerance_tables(subject->question, &least->graph);
    const struct ct_value rows[] = {
        {{"runtime_at_once_s", "T, messages go on at once", CT_UNIT_SECONDS},
         least->runtime_ns * s_per_ns},
        {{"runtime_in_call_s", "T, in calls", CT_UNIT_SECONDS}, most->runtime_ns * s_per_ns},
        {{"lambda_L_at_once", "lambda_L, at once", CT_UNIT_NONE}, least->lambda_L},
        {{"lambda_L_in_call", "lambda_L, in calls", CT_UNIT_NONE}, most->lambda_L},
    };
    CT_TABLES_NUMBERS(tables, rows);
    fill_tolerances(subject, tables);
    ct_tables_note(
        tables,
        "In calls: a step of a message waits for the call that waits for the message%s. "
        "Overheads of several messages of a rank may overlap in both.",
        most->graph.by_first_call
            ? ", or rather, since such calls wait for each other, for the first call that "
              "waits after the message was begun, and a pause between calls more"
            : "");
    answer_in_words(subject, tables);
    return ct_tables_finish(tables, err);
}

enum ct_status ct_bounds_answer(const struct ct_tolerance_question *question, struct ct_error *err)
{
    struct subject subject = {.question = question};
    enum ct_status status = solve_bound(&subject, AT_ONCE, err);
    if (status == CT_OK)
        status = solve_bound(&subject, IN_CALL, err);
    if (status == CT_OK)
        status = print_findings(&subject, err);
    for (size_t i = 0; i < BOUNDS; i++)
        ct_tolerance_once_free(&subject.sides[i]);
    return status;
}
