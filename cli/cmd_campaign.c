/* crosstalk campaign: plan and make the runs of a campaign file. */
#include "campaign/cores.h"
#include "campaign/drive.h"
#include "campaign/process.h"
#include "campaign/script.h"
#include "campaign/spec_complete.h"
#include "campaign/spec_file.h"
#include "campaign/status.h"
#include "cli/cli.h"
#include "cli/family.h"
#include "core/option_rows.h"
#include "lab/like.h"
#include "study/describe.h"
#include "study/session.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct campaign_values {
    const char *folder;
    bool summary, before_co_runs;
    int format;
    struct ct_view view;
    double job_time_s; /* 0: what the campaign needs */
    uint64_t jobs;     /* 0: as the file says */
    int exit_code;     /* of a run whose error is printed, or that has failed runs */
};

static const struct ct_option run_options[] = {
    CT_ROW_OUTPUT(struct campaign_values, folder, "DIR",
                  "folder of the campaign; made if it does not exist", .required = true),
    {CT_OPTION(FLAG, "before-co-runs", struct campaign_values, before_co_runs),
     .help = "end before the runs in which applications are timed beside others, so that these can "
             "be predicted and sealed first (crosstalk predict --seal); without this option the "
             "same command continues with them"},
    {CT_OPTION(U64, "jobs", struct campaign_values, jobs), CT_RANGE(1, CT_PROCESSES_MAX),
     .help = "simulations at once; without it as launcher.jobs of the file says, else one for each "
             "processor. Runs that measure a real network or machine are made one after the other"},
    CT_ROW_QUIET_NO_ANSWER(struct campaign_values, view.quiet),
    {0}};

static const struct ct_option script_options[] = {
    CT_ROW_OUTPUT(struct campaign_values, folder, "DIR", "folder of the campaign",
                  .required = true),
    {CT_OPTION(DURATION, "job-time", struct campaign_values, job_time_s), CT_RANGE(120, 1e8),
     .help = "time limit of a job; if it is too short for the campaign, submit the script several "
             "times"},
    {0}};

static const struct ct_option plan_options[] = {
    {CT_OPTION(FLAG, "summary", struct campaign_values, summary),
     .help = "one line: number of runs, and their approximate duration"},
    {0}};

static const struct ct_option format_options[] = {
    CT_ROW_FORMAT(struct campaign_values, format, "format of the output"),
    CT_ROWS_VIEW(struct campaign_values, view),
    {0}};

static const struct ct_option_group run_groups[] = {{"Output", run_options, 0}, {0}};
static const struct ct_option_group script_groups[] = {{"Job", script_options, 0}, {0}};
static const struct ct_option_group cores_groups[] = {{0}};
static const struct ct_option_group plan_groups[] = {
    {"Output", plan_options, 0}, {"Form", format_options, 0}, {0}};
static const struct ct_option_group status_groups[] = {{"Output", format_options, 0}, {0}};

static const char *const see_also[] = {"crosstalk(1)", "crosstalk-lab(1)", "crosstalk-predict(1)",
                                       NULL};

/* ---- run ---- */

static void print_end(struct ct_log *log, const char *file, const char *folder,
                      const struct ct_drive_result *result)
{
    char retried[48] = "";
    if (result->n_retried > 0)
        snprintf(retried, sizeof retried, "; attempts repeated: %zu", result->n_retried);
    ct_log_info(log, "%zu of %zu runs done (%zu now)%s", result->n_found + result->n_made,
                result->n_runs, result->n_made, retried);
    if (result->n_failed > 0)
        ct_log_warn(log,
                    "%zu of %zu runs failed; see crosstalk campaign status %s, and try again with "
                    "crosstalk campaign run %s -o %s",
                    result->n_failed, result->n_runs, folder, file, folder);
}

static enum ct_status run_run(const struct ct_command *command, struct campaign_values *values,
                              const struct ct_arguments *args, struct ct_error *err)
{
    const char *path = args->operands[0];
    struct ct_log log = ct_log_open(command->name, values->view.quiet);
    struct ct_text file;
    struct ct_campaign_spec spec;
    CT_TRY(ct_campaign_spec_read(path, values->folder, &file, &spec, err));
    char text[300];
    if (spec.grid.n > 0) {
        ct_grid_describe(&spec.grid, text, sizeof text);
        ct_log_info(&log, "%s", text);
    }
    if (ct_campaign_describe_choice(&spec, text, sizeof text))
        ct_log_info(&log, "%s", text);
    struct ct_drive_result result;
    const struct ct_drive_options options = {.leaves_out_co_runs = values->before_co_runs,
                                             .jobs = values->jobs};
    enum ct_status status = ct_drive(values->folder, file, &spec, &options, &log, &result, err);
    ct_campaign_spec_free(&spec);
    free(file.text);
    if (status == CT_EINTR)
        ct_fail(err, status,
                "interrupted: %zu of %zu runs done; go on with crosstalk campaign run %s -o %s",
                result.n_found + result.n_made, result.n_runs, path, values->folder);
    if (status != CT_OK) {
        ct_log_error(&log, err);
        if (status != CT_EINTR && result.n_runs > 0)
            ct_log_info(&log,
                        "%zu of %zu runs done; when that is mended, go on with crosstalk campaign "
                        "run %s -o %s",
                        result.n_found + result.n_made, result.n_runs, path, values->folder);
        values->exit_code = ct_exit_code(status);
        return CT_OK;
    }
    print_end(&log, path, values->folder, &result);
    values->exit_code = result.n_failed > 0;
    return CT_OK;
}

/* ---- plan ---- */

static const struct ct_column plan_columns[] = {{"id", "run", CT_UNIT_NONE},
                                                {"sort", "sort", CT_UNIT_NONE},
                                                {"expected_s", "expected", CT_UNIT_LONG_SECONDS}};

static void note_open_runs(struct ct_tables *tables, const struct ct_campaign_spec *spec,
                           const struct ct_plan *plan)
{
    char elapsed[CT_UNITS_TEXT_MAX];
    if (plan->n_open == 0)
        return;
    ct_format_elapsed(plan->open_s, elapsed);
    CT_TABLES_NUMBER(tables, "n_open_runs", "further runs, at most", COUNT, (double)plan->n_open);
    CT_TABLES_NUMBER(tables, "open_s", "these take, at most", LONG_SECONDS, plan->open_s);
    ct_tables_note(tables,
                   "The number of runs is open: configurations of the grid are picked one by one, "
                   "to a resolution of %g %%, before the last baselines. All of them would be %zu "
                   "more runs, about %s.",
                   100 * spec->resolution_frac, plan->n_open, elapsed);
}

/* What runs in the file's folder say about its grid, if it has no configuration that they have not.
 */
static void note_reach(struct ct_tables *tables, const char *path,
                       const struct ct_campaign_spec *spec)
{
    char folder[PATH_MAX], text[CT_DESCRIPTION_MAX];
    const char *slash = strrchr(path, '/');
    int length = slash ? (int)(slash - path) : 1;
    struct ct_session session;
    struct ct_predict_analysis analysis;
    if (snprintf(folder, sizeof folder, "%.*s", length, slash ? path : ".") >= PATH_MAX)
        return;
    const struct ct_session_settings settings = {.path = folder, .link_bit_per_s = NAN};
    if (ct_session_open(&settings, &session, NULL) != CT_OK)
        return;
    bool is_measured = spec->n_configs > 0;
    for (size_t c = 0; c < spec->n_configs; c++)
        is_measured = is_measured && ct_study_find_config(&session.study, &spec->configs[c].load) <
                                         session.study.measured.n_configs;
    if (is_measured && ct_session_analyse(&session, folder, &analysis, NULL) == CT_OK) {
        if (ct_describe_reach(&session.study, &analysis, text))
            ct_tables_note(tables, "By the runs in this folder the grid is too light. %s.", text);
        ct_predict_analysis_free(&analysis);
    }
    ct_session_free(&session);
}

static const struct ct_column placement_columns[] = {
    {"placement", "placement", CT_UNIT_NONE},
    {"hosts", "hosts", CT_UNIT_NONE},
    {"with_hosts", "hosts of co-runners", CT_UNIT_NONE},
    {"common_links", "links in common", CT_UNIT_COUNT},
    {"links", "of", CT_UNIT_COUNT}};

/* The switches are those of a lab. */
static enum ct_status fill_placements(struct ct_tables *tables, const struct ct_campaign_spec *spec,
                                      struct ct_error *err)
{
    struct ct_lab_spec lab;
    struct ct_lab_plan *network = NULL;
    enum ct_status status = CT_OK;
    if (spec->n_placements == 0)
        return CT_OK;
    if (*spec->launcher.topology && spec->launcher.kind == CT_LAUNCHER_LAB) {
        status = ct_campaign_lab_spec(&spec->launcher, &lab, err);
        if (status == CT_OK)
            status = ct_lab_plan_new(&lab, &network, err);
    }
    CT_TABLES_BEGIN(tables, "placements", "Placements: hosts by number, directions of links",
                    placement_columns);
    for (size_t i = 0; i < spec->n_placements && status == CT_OK; i++) {
        const struct ct_sides *sides = &spec->placements[i];
        ct_tables_cell_text(tables, ct_sides_names[sides->kind]);
        for (size_t side = 0; side < 2; side++) {
            char *hosts = ct_sides_format(sides, side);
            ct_tables_cell_text(tables, hosts ? hosts : "");
            if (!hosts)
                status = ct_no_memory(err, "hosts");
            free(hosts);
        }
        CT_CELL_NUMBERS(tables, network ? (double)ct_sides_meeting(sides, network) : NAN,
                        network ? 2 * (double)network->n_links : NAN);
    }
    free(network);
    return status;
}

/* Runs of one sort together, in the order in which sorts come. */
static void fill_kinds(struct ct_tables *tables, const struct ct_plan *plan)
{
    static const struct ct_column columns[] = {{"sort", "sort", CT_UNIT_NONE},
                                               {"n_runs", "runs", CT_UNIT_COUNT},
                                               {"expected_s", "expected", CT_UNIT_LONG_SECONDS}};
    CT_TABLES_BEGIN(tables, "sorts", NULL, columns);
    for (size_t i = 0; i < plan->n_runs; i++) {
        const char *sort = ct_plan_sort(&plan->runs[i]);
        size_t n = 0, before = 0;
        double expected_s = 0;
        for (size_t k = 0; k < plan->n_runs; k++)
            if (!strcmp(sort, ct_plan_sort(&plan->runs[k]))) {
                n++;
                before += k < i ? 1 : 0;
                expected_s += plan->runs[k].expected_s;
            }
        if (before > 0)
            continue;
        ct_tables_cell_text(tables, sort);
        CT_CELL_NUMBERS(tables, (double)n, expected_s);
    }
}

/* Of a lab that imitates a machine. */
static void answer_scatter(struct ct_tables *tables, const struct ct_campaign_launcher *launcher)
{
    struct ct_lab_spec lab;
    if (!*launcher->like || ct_campaign_lab_spec(launcher, &lab, NULL) != CT_OK)
        return;
    double scatter_frac = ct_lab_like_scatter_frac(&lab);
    CT_TABLES_NUMBER(tables, "scatter", "expected scatter", FRACTION, scatter_frac);
    ct_tables_answer(tables,
                     "Everything takes %g times as long as on %s; as busy as this machine is now, "
                     "times scatter by about %.2g %%.",
                     lab.like.dilation, lab.like.machine, 100 * scatter_frac);
}

/* Time, nodes, and what the measurements do to others on the network. */
static void answer_plan(struct ct_tables *tables, const struct ct_campaign_spec *spec,
                        const struct ct_plan *plan)
{
    const bool is_real =
        spec->launcher.kind == CT_LAUNCHER_MPIEXEC || spec->launcher.kind == CT_LAUNCHER_SLURM;
    char elapsed[CT_UNITS_TEXT_MAX], hosts[100] = "", more[100] = "";
    size_t n_loads = 0;
    uint64_t n_hosts = spec->launcher.hosts;
    double loads_s = 0;
    for (size_t i = 0; i < plan->n_runs; i++)
        if (plan->runs[i].background == CT_PLAN_COMPRESSION) {
            n_loads++;
            loads_s += plan->runs[i].expected_s;
        }
    for (size_t i = 0; i < spec->n_configs && spec->launcher.hosts == 0; i++)
        if (spec->configs[i].load.partners >= n_hosts)
            n_hosts = spec->configs[i].load.partners + 1;
    if (n_hosts > 0)
        snprintf(hosts, sizeof hosts, " on %s%" PRIu64 " hosts",
                 spec->launcher.hosts == 0 ? "at least " : "", n_hosts);
    if (n_hosts > 0 && is_real)
        snprintf(more, sizeof more, ", %.2g node-hours", (double)n_hosts * plan->expected_s / 3600);
    char choice[300];
    if (ct_campaign_describe_choice(spec, choice, sizeof choice))
        ct_tables_answer(tables, "%s", choice);
    ct_format_elapsed(plan->expected_s, elapsed);
    ct_tables_answer(tables, "%zu runs take about %s%s%s.", plan->n_runs, elapsed, hosts, more);
    answer_scatter(tables, &spec->launcher);
    if (!is_real)
        return;
    ct_format_elapsed(loads_s, elapsed);
    if (n_loads > 0)
        ct_tables_answer(tables,
                         "In %zu of them, %s, compressionb takes as much of the network between "
                         "these hosts as it can get, up to all of it: only where nobody else "
                         "shares these switches.",
                         n_loads, elapsed);
    ct_tables_answer(tables, "The others load it as the applications do; impactb is a few kB/s.");
}

static enum ct_status print_plan(const struct ct_command *command,
                                 const struct campaign_values *values, const char *path,
                                 const struct ct_campaign_spec *spec, const struct ct_plan *plan,
                                 struct ct_error *err)
{
    char elapsed[CT_UNITS_TEXT_MAX];
    ct_format_elapsed(plan->expected_s, elapsed);
    if (values->summary) {
        printf("%zu runs, about %s", plan->n_runs, elapsed);
        if (plan->n_open > 0) {
            ct_format_elapsed(plan->open_s, elapsed);
            printf("; up to %zu more, about %s", plan->n_open, elapsed);
        }
        putchar('\n');
        return CT_OK;
    }
    struct ct_tables *tables = ct_tables_new(command->name, (enum ct_format)values->format);
    ct_tables_parameters(tables, command, values);
    CT_TABLES_TEXT(tables, "campaign", "campaign", spec->name);
    CT_TABLES_TEXT(tables, "placement", NULL,
                   *spec->placement_words ? spec->placement_words : "shared");
    CT_TABLES_NUMBER(tables, "n_runs", "runs", COUNT, (double)plan->n_runs);
    CT_TABLES_NUMBER(tables, "expected_s", "expected", LONG_SECONDS, plan->expected_s);
    if (!spec->has_seed)
        ct_tables_note(tables, "The file has no seed: the order of the runs will differ from "
                               "this one.");
    if (spec->repetitions.has_target)
        ct_tables_note(tables,
                       "Timed runs are repeated beyond this until their means are known to %g "
                       "%%, up to %llu times each.",
                       100 * spec->repetitions.target_frac,
                       (unsigned long long)spec->repetitions.max);
    if (spec->grid.n > 0) {
        char text[300];
        ct_grid_describe(&spec->grid, text, sizeof text);
        ct_tables_note(tables, "%s", text);
    }
    note_open_runs(tables, spec, plan);
    note_reach(tables, path, spec);
    enum ct_status status = fill_placements(tables, spec, err);
    if (status != CT_OK) {
        ct_tables_free(tables);
        return status;
    }
    fill_kinds(tables, plan);
    answer_plan(tables, spec, plan);
    ct_tables_detail(tables, true);
    CT_TABLES_BEGIN(tables, "runs", "Runs", plan_columns);
    for (size_t i = 0; i < plan->n_runs; i++) {
        ct_tables_cell_text(tables, plan->runs[i].id);
        ct_tables_cell_text(tables, ct_plan_sort(&plan->runs[i]));
        ct_tables_cell_number(tables, plan->runs[i].expected_s);
    }
    return ct_tables_finish(tables, err);
}

static enum ct_status run_plan(const struct ct_command *command, struct campaign_values *values,
                               const struct ct_arguments *args, struct ct_error *err)
{
    struct ct_text file;
    struct ct_campaign_spec spec;
    struct ct_plan plan;
    CT_TRY(ct_campaign_spec_read(args->operands[0], NULL, &file, &spec, err));
    enum ct_status status = ct_plan_make(&spec, spec.seed, &plan, err);
    if (status == CT_OK) {
        status = print_plan(command, values, args->operands[0], &spec, &plan, err);
        ct_plan_free(&plan);
    }
    ct_campaign_spec_free(&spec);
    free(file.text);
    return status;
}

/* ---- script ---- */

static enum ct_status run_script(const struct ct_command *command, struct campaign_values *values,
                                 const struct ct_arguments *args, struct ct_error *err)
{
    (void)command;
    const char *path = args->operands[0];
    struct ct_text file;
    struct ct_campaign_spec spec;
    CT_TRY(ct_campaign_spec_read(path, values->folder, &file, &spec, err));
    enum ct_status status =
        ct_script_write_here(path, &spec, values->folder, values->job_time_s, stdout, err);
    if (status != CT_OK && status != CT_EIO)
        ct_fail_within(err, status, "%s", path);
    ct_campaign_spec_free(&spec);
    free(file.text);
    return status;
}

/* ---- cores ---- */

static enum ct_status run_cores(const struct ct_command *command, struct campaign_values *values,
                                const struct ct_arguments *args, struct ct_error *err)
{
    (void)command;
    (void)values;
    (void)args;
    struct ct_cores cores;
    CT_TRY(ct_cores_read(&cores, err));
    char *list = ct_cores_format(&cores, (struct ct_core_range){0, cores.n});
    ct_cores_free(&cores);
    enum ct_status status = CT_OK;
    if (!list || puts(list) == EOF || fflush(stdout) != 0)
        status = ct_fail(err, list ? CT_EIO : CT_ENOMEM, "cores: %s", strerror(errno));
    free(list);
    return status;
}

/* ---- status ---- */

static const struct ct_column status_columns[] = {
    {"id", "run", CT_UNIT_NONE},
    {"state", "state", CT_UNIT_NONE},
    {"attempts", "attempts", CT_UNIT_COUNT},
    {"reason", "why an attempt failed", CT_UNIT_NONE}};

/* Runs that are done are details. */
static void fill_status(struct ct_tables *tables, const struct ct_campaign_status *campaign,
                        const struct campaign_values *values, const char *folder)
{
    const size_t *n = campaign->n, n_open = n[CT_RUN_MISSING] + n[CT_RUN_RUNNING];
    bool has_done = values->format != CT_FORMAT_TABLE || values->view.given.all;
    CT_TABLES_BEGIN(tables, "runs", NULL, status_columns);
    for (size_t i = 0; i < campaign->plan.n_runs; i++) {
        const struct ct_run_status *run = &campaign->runs[i];
        if (run->state == CT_RUN_DONE && run->n_attempts <= 1 && !has_done)
            continue;
        ct_tables_cell_text(tables, campaign->plan.runs[i].id);
        ct_tables_cell_text(tables, ct_run_state_text(run->state));
        ct_tables_cell_number(tables, (double)run->n_attempts);
        ct_tables_cell_text(tables, run->reason);
    }
    CT_TABLES_TEXT(tables, "campaign", "campaign", campaign->spec.name);
    CT_TABLES_NUMBER(tables, "n_runs", "runs", COUNT, (double)campaign->plan.n_runs);
    CT_TABLES_NUMBER(tables, "n_done", "done", COUNT, (double)n[CT_RUN_DONE]);
    CT_TABLES_NUMBER(tables, "n_failed", "failed", COUNT, (double)n[CT_RUN_FAILED]);
    CT_TABLES_NUMBER(tables, "n_missing", "missing", COUNT, (double)n_open);
    for (size_t i = 0; i < campaign->doubts.n; i++)
        ct_tables_note(tables, "%s", campaign->doubts.item[i]);
    if (n[CT_RUN_DONE] == campaign->plan.n_runs && *campaign->spec.scan)
        ct_tables_answer(tables, "All %zu runs are done: crosstalk predict %s --scan %s.",
                         campaign->plan.n_runs, folder, campaign->spec.scan);
    else if (n[CT_RUN_DONE] == campaign->plan.n_runs)
        ct_tables_answer(tables, "All %zu runs are done: crosstalk report %s.",
                         campaign->plan.n_runs, folder);
    else
        ct_tables_answer(
            tables,
            "%zu of %zu runs are done, %zu failed, %zu are missing: crosstalk campaign "
            "run FILE.yaml -o %s makes them.",
            n[CT_RUN_DONE], campaign->plan.n_runs, n[CT_RUN_FAILED], n_open, folder);
}

static enum ct_status run_status(const struct ct_command *command, struct campaign_values *values,
                                 const struct ct_arguments *args, struct ct_error *err)
{
    struct ct_campaign_status campaign;
    CT_TRY(ct_campaign_status_read(args->operands[0], &campaign, err));
    struct ct_tables *tables = ct_tables_new(command->name, (enum ct_format)values->format);
    ct_tables_parameters(tables, command, values);
    fill_status(tables, &campaign, values, args->operands[0]);
    ct_campaign_status_free(&campaign);
    return ct_tables_finish(tables, err);
}

/* ---- the commands ---- */

struct campaign_command {
    enum ct_status (*run)(const struct ct_command *, struct campaign_values *,
                          const struct ct_arguments *, struct ct_error *);
    struct ct_command command;
};

#define EXAMPLES (const char *const[])

static const struct campaign_command commands[] = {
    {run_run,
     {.name = "crosstalk campaign run",
      .summary = "make the measurements that a campaign file names",
      .operands = "FILE.yaml",
      .description =
          "Measures the idle network, every application alone, the probe beside every application "
          "and every CompressionB configuration, every application under every configuration, and "
          "every ordered pair of applications, in random order. Each run becomes a file "
          "DIR/runs/ID.h5; on an emulated or simulated network DIR/runs/ID.ports.json contains how "
          "busy the ports were during the run. Attributes cpu_... of the file contain how long the "
          "ranks of "
          "each program waited for processors.\n\n"
          "With 'repetitions: {target: 2%, max: 10}' timed runs are repeated further, one at a "
          "time, until half of the 95 % interval of the mean of their passes is below the target, "
          "or max is reached.\n\n"
          "With 'placement: disjoint interleaved' all of this is measured for each placement: the "
          "timed application and the probe on one half of the hosts, what runs beside them on the "
          "other (docs/campaigns.md).\n\n"
          "The same command again continues where it stopped: finished runs are not repeated. "
          "Every run has a deadline. A run that fails is tried again, and reported by name if no "
          "attempt succeeds. DIR/journal.jsonl has the attempts, DIR/logs the output of the "
          "programs. SIGINT and SIGTERM end the current run and keep the finished ones.\n\n"
          "impactb, compressionb, logpb and workload are taken from the folder of crosstalk, other "
          "programs from PATH. An application with 'passes: driver' is started repeatedly, and a "
          "pass is the time from its start to its exit, including the time to launch it.",
      .groups = run_groups,
      .examples = EXAMPLES{"crosstalk campaign run campaign.yaml -o results",
                           "make all measurements, or those that are still missing",
                           "crosstalk campaign run campaign.yaml -o results --before-co-runs",
                           "only what predictions need, so that they can be sealed before co-runs",
                           "crosstalk campaign run simulated.yaml -o results --jobs 4",
                           "four runs at once, of a network inside SimGrid", NULL},
      .see_also = see_also,
      .min_operands = 1}},
    {run_plan,
     {.name = "crosstalk campaign plan",
      .summary = "list the runs of a campaign file, and how long they take",
      .operands = "FILE.yaml",
      .description =
          "Starts nothing. With --all runs are listed in the order in which they are made. For "
          "'grid: paper' the configurations on these hosts and links are listed, for "
          "'grid: adaptive' the largest number of further runs.",
      .groups = plan_groups,
      .examples = EXAMPLES{"crosstalk campaign plan campaign.yaml",
                           "how many runs, how long, what they do to the network",
                           "crosstalk campaign plan --summary campaign.yaml",
                           "number and duration in one line",
                           "crosstalk campaign plan --all campaign.yaml", "also every run", NULL},
      .see_also = see_also,
      .min_operands = 1}},
    {run_status,
     {.name = "crosstalk campaign status",
      .summary = "which runs of a campaign are done, missing or failed, and why",
      .operands = "DIR",
      .description =
          "Reads the folder of a campaign, also while the campaign is being run. An application "
          "whose baselines disagree beyond their 95 % intervals is named in a note.",
      .groups = status_groups,
      .examples = EXAMPLES{"crosstalk campaign status results", "what is missing or failed",
                           "crosstalk campaign status results --all", "every run",
                           "crosstalk campaign status results --format json", "for scripts", NULL},
      .see_also = see_also,
      .min_operands = 1}},
    {run_script,
     {.name = "crosstalk campaign script",
      .summary = "print a script for sbatch that runs a campaign",
      .operands = "FILE.yaml",
      .description =
          "For a campaign file with the launcher slurm and a number of hosts. The job requests "
          "this number of whole nodes, and 1.5 times the expected duration of the campaign plus "
          "ten minutes. A minute before the time is over it ends the current run; submit it again "
          "to continue. Jobs of the same campaign wait for each other.",
      .groups = script_groups,
      .examples =
          EXAMPLES{"crosstalk campaign script campaign.yaml -o results >campaign.sh",
                   "write a script",
                   "crosstalk campaign script campaign.yaml -o results --job-time 4h >job.sh",
                   "one for a queue with jobs of four hours at most",
                   "sbatch --partition=short --account=p123 campaign.sh", "submit it", NULL},
      .see_also = see_also,
      .min_operands = 1}},
    {run_cores,
     {.name = "crosstalk campaign cores",
      .summary = "list the cores of this machine that programs are bound to",
      .description = "One line: the number of the first hardware thread of each core that programs "
                     "may use here. A campaign starts this command on its hosts. It binds the "
                     "measured program to the first of these cores and the one in the background "
                     "to the last ones; with 'placement: none' under 'launcher' it binds none.",
      .groups = cores_groups,
      .examples =
          EXAMPLES{"crosstalk campaign cores", "for example 0,2,4,6",
                   "srun --ntasks-per-node=1 crosstalk campaign cores", "on each node of a job",
                   "taskset --cpu-list 0-3 crosstalk campaign cores",
                   "those among the first four hardware threads", NULL},
      .see_also = see_also}},
};

static const struct ct_command *get_member(size_t i)
{
    return &commands[i].command;
}

static int run_member(size_t i, int argc, char **argv)
{
    const struct campaign_command *row = &commands[i];
    struct campaign_values values = {0};
    struct ct_arguments args;
    struct ct_error err;
    enum ct_status status =
        ct_command_parse(&row->command, argc, argv, &values, &args, stdout, &err);
    if (status == CT_OK && !args.finished)
        status = row->run(&row->command, &values, &args, &err);
    return status == CT_OK ? values.exit_code : ct_print_failure(row->command.name, &err);
}

static const char *const family_examples[] = {"crosstalk campaign plan campaign.yaml",
                                              "the runs, and how long they take",
                                              "crosstalk campaign run campaign.yaml -o results",
                                              "make all measurements, or those that are missing",
                                              "crosstalk campaign status results",
                                              "the state of each run",
                                              NULL};

static const struct ct_family family = {
    .name = "crosstalk campaign",
    .summary = "plan and run the measurements of a campaign file",
    .operands = "[OPTION]... OPERAND",
    .notes = "Every command has --help and a man page, crosstalk-campaign-COMMAND(1). "
             "examples/cluster.yaml shows every key of a campaign file.",
    .examples = family_examples,
    .see_also = see_also,
    .exit_note = "",
    .n_members = sizeof commands / sizeof *commands,
    .member = get_member,
    .run = run_member};

int ct_cmd_campaign(int argc, char **argv)
{
    /* For campaigns only, see campaign/launcher_mpiexec.c; not shown. */
    if (argc > 3 && !strcmp(argv[1], "bind")) {
        struct ct_error err;
        ct_cores_become(argv[2], argv + 3, &err);
        return ct_print_failure("crosstalk campaign", &err);
    }
    return ct_family_main(&family, argc, argv);
}
