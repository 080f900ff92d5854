#include "bench/workloads/workload_print.h"

#include "core/stats.h"
#include "results/run_parallel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is printed of a phase: one row for run file and tables. */
enum metric { TIME, MPI_TIME, MESSAGES, BYTES, REDUCTIONS, PARTNERS, N_METRICS };
static const struct {
    const char *fact; /* of the run file: phase_NAME_<fact> */
    struct ct_column column;
    bool adds_up; /* with every iteration; the file has it per pass, the tables per iteration */
} metrics[N_METRICS] = {
    [TIME] = {"s", {"time_s", "time", CT_UNIT_SECONDS}, true},
    [MPI_TIME] = {"mpi_s", {"mpi_s", "in MPI", CT_UNIT_SECONDS}, true},
    [MESSAGES] = {"messages", {"messages", "messages", CT_UNIT_NONE}, true},
    [BYTES] = {"bytes", {"bytes", "sent", CT_UNIT_BYTES}, true},
    [REDUCTIONS] = {"reductions", {"reductions", "reductions", CT_UNIT_NONE}, true},
    [PARTNERS] = {"partners", {"partners", "partners", CT_UNIT_NONE}, false},
};

struct result {
    double mean_s, min_s, max_s;
    struct ct_interval mean_interval_s;
    double communication_frac;
    double messages, bytes; /* sent to others per iteration, mean over ranks */
    double phases[CT_PROFILE_PHASES_MAX][N_METRICS]; /* per pass, means over ranks */
};

/* Everything at once: the sums over ranks are all that rank 0 needs. */
static void sum_phases(const struct ct_bench *bench, const struct ct_profile *profile,
                       double sums[CT_PROFILE_PHASES_MAX][N_METRICS])
{
    double here[CT_PROFILE_PHASES_MAX][N_METRICS];
    for (int i = 0; i < CT_PROFILE_PHASES_MAX; i++) {
        const struct ct_profile_phase *phase = &profile->phases[i];
        here[i][TIME] = phase->time_s;
        here[i][MPI_TIME] = phase->mpi_s;
        here[i][MESSAGES] = (double)phase->messages;
        here[i][BYTES] = (double)phase->bytes;
        here[i][REDUCTIONS] = (double)phase->reductions;
        here[i][PARTNERS] = (double)ct_profile_partners(profile, i);
    }
    MPI_Reduce(here, sums, CT_PROFILE_PHASES_MAX * N_METRICS, MPI_DOUBLE, MPI_SUM, 0, bench->comm);
}

static enum ct_status summarize_passes(const struct ct_workload_passes *passes,
                                       struct result *result, struct ct_error *err)
{
    double *duration_s = malloc(passes->n * sizeof *duration_s);
    if (!duration_s)
        return ct_fail(err, CT_ENOMEM, "no memory for the times of %zu passes", passes->n);
    for (size_t i = 0; i < passes->n; i++)
        duration_s[i] = passes->rows[i].duration_s;
    struct ct_summary summary;
    enum ct_status status = ct_stats_summarize(duration_s, passes->n, &summary);
    if (status == CT_OK)
        status = ct_stats_mean_interval(duration_s, passes->n, 0.95, &result->mean_interval_s);
    free(duration_s);
    if (status != CT_OK)
        return ct_fail(err, status, "times of %zu passes: %s", passes->n, ct_status_text(status));
    result->mean_s = summary.mean;
    result->min_s = summary.min;
    result->max_s = summary.max;
    return CT_OK;
}

/* Turn sums over ranks and passes into means. */
static void average_passes(const struct ct_workload_plan *plan,
                           const struct ct_workload_passes *passes, int n_ranks,
                           struct result *result)
{
    double n_passes = (double)passes->n, iterations = n_passes * (double)plan->iterations;
    double mpi_s = 0;
    for (int i = 0; i < CT_PROFILE_PHASES_MAX; i++) {
        double *phase = result->phases[i];
        mpi_s += phase[MPI_TIME];
        result->messages += phase[MESSAGES];
        result->bytes += phase[BYTES];
        for (int m = 0; m < N_METRICS; m++)
            phase[m] /= n_ranks * (metrics[m].adds_up ? n_passes : 1);
    }
    result->communication_frac = mpi_s / (n_ranks * passes->total_s);
    result->messages /= n_ranks * iterations;
    result->bytes /= n_ranks * iterations;
}

static void tell_phases(struct ct_tables *tables, const struct ct_workload *workload,
                        const struct ct_workload_plan *plan, const struct result *result)
{
    const struct ct_column phase = {"phase", "phase", CT_UNIT_NONE};
    ct_tables_begin(tables, "phases", "Phases, per iteration and rank", &phase, 1);
    for (int m = 0; m < N_METRICS; m++)
        ct_tables_column(tables, metrics[m].column);
    for (int i = 0; workload->phases[i]; i++) {
        ct_tables_cell_text(tables, workload->phases[i]);
        for (int m = 0; m < N_METRICS; m++)
            ct_tables_cell_number(tables, result->phases[i][m] /
                                              (metrics[m].adds_up ? (double)plan->iterations : 1));
    }
}

static enum ct_status print_result(const struct ct_bench *bench, const struct ct_workload *workload,
                                   const struct ct_workload_plan *plan,
                                   const struct ct_workload_passes *passes,
                                   const struct result *result, bool show_profile,
                                   struct ct_error *err)
{
    struct ct_tables *tables =
        ct_tables_new(bench->command->name, (enum ct_format)bench->options->format);
    ct_bench_add_provenance(bench, tables);
    const struct ct_value rows[] = {
        {{"passes", "passes", CT_UNIT_COUNT}, (double)passes->n},
        {{"mean_s", "mean pass", CT_UNIT_LONG_SECONDS}, result->mean_s},
        {{"mean_ci_s[]", "95 % interval, from", CT_UNIT_LONG_SECONDS}, result->mean_interval_s.lo},
        {{"mean_ci_s[]", "95 % interval, to", CT_UNIT_LONG_SECONDS}, result->mean_interval_s.hi},
        {{"min_s", "shortest pass", CT_UNIT_LONG_SECONDS}, result->min_s},
        {{"max_s", "longest pass", CT_UNIT_LONG_SECONDS}, result->max_s},
        {{"communication_frac", "time in MPI", CT_UNIT_FRACTION}, result->communication_frac},
        {{CT_RUN_MESSAGES, "messages per iteration and rank", CT_UNIT_NONE}, result->messages},
        {{"bytes_per_iteration", "sent per iteration and rank", CT_UNIT_BYTES}, result->bytes},
    };
    char mean[CT_UNITS_TEXT_MAX], share[CT_UNITS_TEXT_MAX];
    ct_format_words(result->mean_s, 3, mean);
    ct_format_share(result->communication_frac, share);
    ct_tables_answer(tables, "A pass takes %s, %s of it in MPI.", mean, share);
    CT_TABLES_TEXT(tables, "workload", "workload", workload->name);
    CT_TABLES_NUMBERS(tables, rows);
    if (show_profile)
        tell_phases(tables, workload, plan, result);
    return ct_tables_finish(tables, err);
}

static enum ct_status add_phase_facts(struct ct_run_info *info, const struct ct_workload *workload,
                                      const struct result *result)
{
    char names[128] = "", key[64];
    for (int i = 0; workload->phases[i]; i++) {
        size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s", i ? " " : "", workload->phases[i]);
        for (int m = 0; m < N_METRICS; m++) {
            snprintf(key, sizeof key, "phase_%s_%s", workload->phases[i], metrics[m].fact);
            CT_TRY(ct_run_add_number(info, key, result->phases[i][m]));
        }
    }
    return ct_run_add_text(info, "phases", names);
}

static enum ct_status add_facts(struct ct_run_info *info, const struct ct_workload *workload,
                                const struct ct_workload_plan *plan, const struct result *result)
{
    const struct {
        const char *key;
        double number;
    } facts[] = {{"communication_frac", result->communication_frac},
                 {CT_RUN_MESSAGES, result->messages},
                 {"bytes_per_iteration", result->bytes}};
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
        CT_TRY(ct_run_add_number(info, facts[i].key, facts[i].number));
    if (plan->dilation > 0)
        CT_TRY(ct_run_add_number(info, CT_RUN_COMPUTE_DILATION, plan->dilation));
    return add_phase_facts(info, workload, result);
}

static enum ct_status write_run(const struct ct_bench *bench, const struct ct_workload *workload,
                                const struct ct_workload_plan *plan,
                                const struct ct_workload_passes *passes,
                                const struct result *result, struct ct_error *err)
{
    struct ct_run run = {.runtimes = passes->rows, .n_runtimes = passes->n};
    enum ct_status status = ct_bench_describe(bench, CT_RUN_RUNTIME, &run.info, err);
    if (status == CT_OK && bench->rank == 0) {
        status = add_facts(&run.info, workload, plan, result);
        if (status != CT_OK)
            ct_fail(err, status, "no memory for the run's attributes");
    }
    status = ct_bench_agree(bench, status, err);
    if (status == CT_OK)
        status = ct_run_write_parallel(bench->comm, bench->options->output, &run, err);
    ct_run_info_free(&run.info);
    return status;
}

enum ct_status ct_workload_print(struct ct_bench *bench, const struct ct_workload *workload,
                                 const struct ct_workload_plan *plan,
                                 const struct ct_profile *profile,
                                 const struct ct_workload_passes *passes, bool show_profile,
                                 struct ct_error *err)
{
    struct result result = {0};
    sum_phases(bench, profile, result.phases);
    enum ct_status status = CT_OK;
    if (bench->rank == 0) {
        average_passes(plan, passes, bench->size, &result);
        status = summarize_passes(passes, &result, err);
    }
    status = ct_bench_agree(bench, status, err);
    if (status != CT_OK)
        return status;
    /* Printed first: what was measured is not lost where the file cannot be written. */
    ct_log_progress_end(&bench->log);
    if (bench->rank == 0)
        status = print_result(bench, workload, plan, passes, &result, show_profile, err);
    enum ct_status written = CT_OK;
    if (*bench->options->output)
        written = write_run(bench, workload, plan, passes, &result, err);
    return written != CT_OK ? written : status;
}
