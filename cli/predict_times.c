#include "cli/predict_times.h"

#include "study/run_times.h"

#include <stdlib.h>

/* "off by" is a share of the measured run time. */
static void fill_rows(const struct ct_predict_answers *answers, const struct ct_run_time *times,
                      size_t n, struct ct_tables *tables)
{
    static const struct ct_column columns[] = {
        {"app", "app", CT_UNIT_NONE},
        {"with", "with", CT_UNIT_NONE},
        {"measured_s", "measured", CT_UNIT_LONG_SECONDS},
        {"cpu_wait", "waiting for processors", CT_UNIT_FRACTION},
        {"run_time_s.packets", "packets", CT_UNIT_LONG_SECONDS},
        {"error.packets", "off by", CT_UNIT_FRACTION}};
    CT_TABLES_BEGIN(tables, "run_times", "Run times, measured and simulated", columns);
    double factor = answers->study->dilation.factor; /* times are those of the machine */
    for (size_t i = 0; i < n; i++) {
        char with[200] = "";
        if (times[i].beside)
            ct_question_with(times[i].beside, answers->study, with, sizeof with);
        ct_tables_cell_text(tables, ct_study_app(answers->study, times[i].app));
        ct_tables_cell_text(tables, with);
        CT_CELL_NUMBERS(tables, times[i].measured_s / factor, times[i].waited_frac,
                        times[i].simulated_s / factor, ct_run_time_error(&times[i]));
    }
}

static void fill_errors(const struct ct_run_time *times, size_t n, struct ct_tables *tables)
{
    static const struct ct_column columns[] = {
        {"model", "model", CT_UNIT_NONE},          {"programs", "programs", CT_UNIT_NONE},
        {"run_times", "run times", CT_UNIT_COUNT}, {"rms", "rms", CT_UNIT_FRACTION},
        {"mean", "mean", CT_UNIT_FRACTION},        {"largest", "largest", CT_UNIT_FRACTION}};
    CT_TABLES_BEGIN(tables, "run_time_errors", "Relative errors of these run times", columns);
    for (int together = 0; together <= 1; together++) {
        const struct ct_run_time_errors errors = ct_run_time_errors(times, n, together);
        ct_tables_cell_text(tables, ct_predict_packets);
        ct_tables_cell_text(tables, together ? "together" : "alone");
        CT_CELL_NUMBERS(tables, (double)errors.n, errors.rms_frac, errors.mean_frac,
                        errors.largest_frac);
    }
}

enum ct_status ct_predict_times_fill(const struct ct_predict_answers *answers,
                                     struct ct_tables *tables, struct ct_error *err)
{
    struct ct_run_time *times = NULL;
    size_t n = answers->study->measured.n_apps + answers->questions->n;
    if (!ct_predict_packets_are_asked(answers))
        return ct_fail(err, CT_EUSAGE,
                       "--run-times: of the model packets, which needs schedules of the "
                       "applications; ask for it with --models, and give --schedules or traces in "
                       "the folder of the campaign");
    CT_TRY(ct_run_times(answers->study, answers->schedules, answers->questions, &times, err));
    fill_rows(answers, times, n, tables);
    fill_errors(times, n, tables);
    ct_tables_note(tables, "run times: a simulated one is that of a whole schedule. If the "
                           "schedule has more than the pass that is timed, as traces of whole "
                           "programs have, cut it to the pass (crosstalk-goal(1), --pass-from)");
    free(times);
    return CT_OK;
}
