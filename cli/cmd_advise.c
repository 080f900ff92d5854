/* crosstalk advise: which applications should share a switch. */
#include "cli/analysis.h"
#include "cli/cli.h"
#include "predict/constants.h"
#include "predict/grouping.h"
#include "predict/interval.h"
#include "study/cache.h"
#include "study/questions.h"
#include "study/schedules.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- options ---- */

struct settings {
    uint64_t per_switch;
    uint64_t switches; /* 0: as few as hold all */
    const char *jobs;  /* NULL: every application once */
    const char *model;
    int objective; /* enum ct_grouping_objective */
    struct ct_schedule_settings schedules;
    bool no_cache;
    struct ct_analysis_settings analysis;
};

static const char *const objectives[] = {
    [CT_GROUPING_SUM] = "total", [CT_GROUPING_MAX] = "worst", NULL};

static const struct ct_option advice_options[] = {
    {.name = "per-switch",
     .type = CT_OPTION_U64,
     .offset = offsetof(struct settings, per_switch),
     .argument = "K",
     .initial = "2",
     .min = 1,
     .max = 64,
     .help = "applications that a switch holds"},
    {.name = "switches",
     .type = CT_OPTION_U64,
     .offset = offsetof(struct settings, switches),
     .argument = "N",
     .initial = "0",
     .max = 10000,
     .help = "number of switches; 0: as few as possible"},
    {.name = "jobs",
     .type = CT_OPTION_STRING,
     .offset = offsetof(struct settings, jobs),
     .argument = "A,B,...",
     .help = "applications to place, each as often as it is to run (default: every one once)"},
    {.name = "model",
     .type = CT_OPTION_STRING,
     .offset = offsetof(struct settings, model),
     .argument = "NAME",
     .initial = "phase",
     .help =
         "model that predicts the slowdowns, one of 'crosstalk predict --models'; with traces of "
         "all applications, simulated is the most accurate, and takes longest"},
    {.name = "objective",
     .type = CT_OPTION_CHOICE,
     .offset = offsetof(struct settings, objective),
     .argument = "WHAT",
     .initial = "total",
     .choices = objectives,
     .help = "what is to be least: the sum of all slowdowns, or the worst one"},
    {.name = "no-cache",
     .type = CT_OPTION_FLAG,
     .offset = offsetof(struct settings, no_cache),
     .help = "read all runs, and store no summaries beside them"},
    {0}};

static const struct ct_option_group groups[] = {
    {"Advice", advice_options, 0},
    {"Schedules", ct_schedule_options, offsetof(struct settings, schedules)},
    {"Analysis and output", ct_analysis_options, offsetof(struct settings, analysis)},
    {0}};

static const char *const examples[] = {
    "crosstalk advise results",
    "pair the applications of the campaign in the folder results",
    "crosstalk advise results --per-switch 3 --objective worst",
    "three on a switch, so that the one that is slowed most is slowed least",
    "crosstalk advise results --jobs fft,fft,milc,amg --switches 2",
    "place two runs of fft, one of milc and one of amg on two switches",
    NULL};

static const char *const see_also[] = {"crosstalk-predict(1)", "crosstalk-campaign(1)", NULL};

static const struct ct_command command = {
    .name = "crosstalk advise",
    .summary = "tell which applications should share a switch",
    .operands = "DIR",
    .description =
        "DIR is a folder with the runs of a campaign, or a packed campaign. The applications are "
        "divided among switches so that the predicted slowdowns are least. The answer is compared "
        "with random divisions: jobs in random order, dealt out to the switches in turn.\n\n"
        "Up to 14 jobs the division is the best there is by the model; with more it is the best "
        "of a search, and the answer says so.",
    .groups = groups,
    .min_operands = 1,
    .max_operands = 1,
    .examples = examples,
    .see_also = see_also};

/* ---- jobs and what groups of them cost ---- */

struct jobs {
    const struct ct_loaded_campaign *campaign;
    struct ct_predict_analysis *analysis;
    const struct ct_predict_model *model;
    struct ct_together *together; /* NULL: the model simulates nothing */
    size_t *app;                  /* [job] */
    size_t n;
    enum ct_grouping_objective objective;
    struct ct_error *err;
};

static enum ct_status list_jobs(const struct settings *settings, struct jobs *jobs)
{
    const struct ct_predict_input *input = &jobs->campaign->input;
    if (settings->jobs)
        return ct_names_parse(input, "jobs", settings->jobs, &jobs->app, &jobs->n, jobs->err);
    jobs->n = input->n_apps;
    jobs->app = malloc((jobs->n + 1) * sizeof *jobs->app);
    if (!jobs->app)
        return ct_fail(jobs->err, CT_ENOMEM, "%zu jobs: out of memory", jobs->n);
    for (size_t i = 0; i < jobs->n; i++)
        jobs->app[i] = i;
    return CT_OK;
}

/* The applications beside one of a group; their number is n - 1. */
static void list_others(const struct jobs *jobs, const size_t *group, size_t n, size_t member,
                        size_t *others)
{
    size_t n_others = 0;
    for (size_t i = 0; i < n; i++)
        if (i != member)
            others[n_others++] = jobs->app[group[i]];
}

static enum ct_status fail_unknown(const struct jobs *jobs, const struct ct_question *question,
                                   const struct ct_prediction *prediction)
{
    const struct ct_predict_input *input = &jobs->campaign->input;
    char with[256];
    ct_question_with(question, input, with, sizeof with);
    return ct_fail(jobs->err, CT_ENODATA, "%s beside %s: the model %s gives no slowdown: %s",
                   input->app_names[question->app], with, jobs->model->key,
                   ct_prediction_flag_meaning(prediction->flag));
}

static enum ct_status cost_of_group(const size_t *group, size_t n, void *data, double *cost_p)
{
    const struct jobs *jobs = data;
    double sum = 0, worst = 0;
    size_t *others = malloc(n * sizeof *others);
    enum ct_status status = others ? CT_OK : CT_ENOMEM;
    for (size_t member = 0; member < n && n > 1 && status == CT_OK; member++) {
        struct ct_prediction prediction;
        size_t app = jobs->app[group[member]];
        list_others(jobs, group, n, member, others);
        status =
            ct_predict_group(jobs->model, jobs->analysis, app, others, n - 1, NULL, &prediction);
        if (status == CT_OK && isnan(prediction.slowdown_frac))
            status = fail_unknown(
                jobs, &(struct ct_question){.app = app, .with = others, .n_with = n - 1},
                &prediction);
        sum += prediction.slowdown_frac;
        worst = fmax(worst, prediction.slowdown_frac);
    }
    free(others);
    *cost_p = jobs->objective == CT_GROUPING_SUM ? sum : worst;
    return status;
}

/* ---- report ---- */

static const struct ct_column placement_columns[] = {
    {"switch", "switch", CT_UNIT_COUNT},
    {"app", "app", CT_UNIT_NONE},
    {"with", "with", CT_UNIT_NONE},
    {"predicted", "predicted", CT_UNIT_FRACTION},
    {"predicted_ci[]", "from", CT_UNIT_FRACTION},
    {"predicted_ci[]", "to", CT_UNIT_FRACTION},
    {"flag", "flag", CT_UNIT_NONE},
};

/* A row of the answer: a job with those that share its switch. */
struct row {
    size_t number; /* of the switch */
    struct ct_question question;
    struct ct_predict_case one; /* model NULL: it is alone */
};

static enum ct_status make_row(const struct jobs *jobs, const struct ct_grouping *grouping,
                               size_t job, struct row *row)
{
    size_t *with = malloc((jobs->n + 1) * sizeof *with), n = 0;
    if (!with)
        return CT_ENOMEM;
    for (size_t i = 0; i < jobs->n; i++)
        if (i != job && grouping->switch_of[i] == grouping->switch_of[job])
            with[n++] = jobs->app[i];
    row->number = grouping->switch_of[job];
    row->question = (struct ct_question){.app = jobs->app[job], .with = with, .n_with = n};
    row->one = (struct ct_predict_case){.model = n > 0 ? jobs->model : NULL,
                                        .app = jobs->app[job],
                                        .with = with,
                                        .n_with = n,
                                        .prediction = {.interval = {0, 0}}};
    return CT_OK;
}

static int by_switch(const void *left, const void *right)
{
    const struct row *a = left, *b = right;
    return (a->number > b->number) - (a->number < b->number);
}

static enum ct_status answer_rows(const struct jobs *jobs, const struct ct_bootstrap *setup,
                                  struct row *rows)
{
    struct ct_predict_case *cases = calloc(jobs->n, sizeof *cases);
    if (!cases)
        return CT_ENOMEM;
    for (size_t i = 0; i < jobs->n; i++)
        cases[i] = rows[i].one;
    enum ct_status status = ct_predict_cases(jobs->analysis, setup, cases, jobs->n);
    for (size_t i = 0; i < jobs->n && status == CT_OK; i++)
        rows[i].one = cases[i];
    free(cases);
    return status;
}

static void report_rows(const struct jobs *jobs, const struct row *rows, struct ct_report *report)
{
    const struct ct_predict_input *input = &jobs->campaign->input;
    ct_report_table(report, "placement", "Which applications share a switch", placement_columns,
                    sizeof placement_columns / sizeof *placement_columns);
    for (size_t i = 0; i < jobs->n; i++) {
        const struct ct_prediction *prediction = &rows[i].one.prediction;
        char with[512];
        ct_question_with(&rows[i].question, input, with, sizeof with);
        ct_report_cell_number(report, (double)rows[i].number + 1);
        ct_report_cell_text(report, input->app_names[rows[i].question.app]);
        ct_report_cell_text(report, with);
        ct_report_cell_number(report, prediction->slowdown_frac);
        ct_report_cell_number(report, prediction->interval.lo);
        ct_report_cell_number(report, prediction->interval.hi);
        ct_report_cell_text(report, ct_prediction_flag_text(prediction->flag));
    }
}

static void report_costs(const struct jobs *jobs, const struct ct_grouping *grouping,
                         double random_cost, struct ct_report *report)
{
    bool is_sum = jobs->objective == CT_GROUPING_SUM;
    ct_report_number(report,
                     (struct ct_column){"cost", is_sum ? "sum of slowdowns" : "worst slowdown",
                                        CT_UNIT_FRACTION},
                     grouping->cost);
    ct_report_number(
        report, (struct ct_column){"random_cost", "of random divisions, mean", CT_UNIT_FRACTION},
        random_cost);
    ct_report_number(report, (struct ct_column){"gain", "gained", CT_UNIT_FRACTION},
                     random_cost - grouping->cost);
    ct_report_text(report, (struct ct_column){"search", "search", CT_UNIT_NONE},
                   grouping->is_exact ? "exact" : "not exact");
}

static enum ct_status print_advice(const struct settings *settings, const struct jobs *jobs,
                                   const struct ct_grouping *grouping, double random_cost,
                                   const struct row *rows, const char *directory)
{
    struct ct_report *report =
        ct_report_new(command.name, (enum ct_format)settings->analysis.format);
    if (!report)
        return ct_fail(jobs->err, CT_ENOMEM, "report: out of memory");
    ct_report_provenance(report, "campaign", "%s", directory);
    ct_analysis_provenance(&command, settings, report);
    report_costs(jobs, grouping, random_cost, report);
    report_rows(jobs, rows, report);
    enum ct_status status = ct_report_print(report, stdout, jobs->err);
    ct_report_free(report);
    return status;
}

/* ---- the whole ---- */

static enum ct_status place(const struct settings *settings, const struct jobs *jobs,
                            const struct ct_bootstrap *setup, const char *directory)
{
    size_t n_trials = ct_predict_count(CT_PREDICT_GROUPING_TRIALS);
    struct jobs known = *jobs;
    size_t per_switch = settings->per_switch, n_least = (jobs->n + per_switch - 1) / per_switch;
    const struct ct_grouping_problem problem = {
        .n = jobs->n,
        .n_switches = settings->switches > 0 ? settings->switches : n_least,
        .per_switch = per_switch,
        .objective = jobs->objective,
        .cost = cost_of_group,
        .data = &known,
        .seed = settings->analysis.seed};
    if (problem.n_switches < n_least)
        return ct_fail(jobs->err, CT_EUSAGE, "--switches: %zu x %zu jobs is not room for %zu",
                       problem.n_switches, per_switch, jobs->n);
    struct ct_grouping grouping = {0};
    double random_cost;
    struct row *rows = calloc(jobs->n, sizeof *rows);
    *jobs->err = (struct ct_error){0};
    enum ct_status status = rows ? ct_grouping_best(&problem, &grouping) : CT_ENOMEM;
    if (status == CT_OK)
        status = ct_grouping_random(&problem, n_trials, &random_cost);
    for (size_t i = 0; i < jobs->n && status == CT_OK; i++)
        status = make_row(jobs, &grouping, i, &rows[i]);
    if (status == CT_OK)
        qsort(rows, jobs->n, sizeof *rows, by_switch);
    if (status == CT_OK)
        status = answer_rows(jobs, setup, rows);
    ct_together_show(jobs->together, NULL);
    if (status == CT_OK)
        status = print_advice(settings, jobs, &grouping, random_cost, rows, directory);
    else if (jobs->err->status == CT_OK)
        ct_fail(jobs->err, status, "%s: %s", directory, ct_status_text(status));
    for (size_t i = 0; i < jobs->n && rows; i++)
        free(rows[i].question.with);
    free(rows);
    ct_grouping_free(&grouping);
    return status;
}

static enum ct_status advise(const struct settings *settings, const char *directory,
                             struct ct_error *err)
{
    struct ct_loaded_campaign campaign;
    struct ct_predict_analysis analysis = {0};
    struct ct_schedules schedules = {0};
    struct ct_log log = ct_log_open(command.name, settings->analysis.quiet);
    struct ct_bootstrap setup = ct_predict_bootstrap(&settings->analysis);
    struct jobs jobs = {.campaign = &campaign,
                        .analysis = &analysis,
                        .objective = (enum ct_grouping_objective)settings->objective,
                        .err = err};
    size_t model;
    enum ct_status status =
        ct_predict_model_find(settings->model, strlen(settings->model), &model, err);
    if (status != CT_OK)
        return ct_fail_within(err, status, "--model");
    jobs.model = &ct_predict_models[model];
    status = ct_load_campaign_summarized(
        directory, !settings->no_cache && !jobs.model->needs_series, &campaign, err);
    if (status != CT_OK)
        return status;
    if (jobs.model->needs_schedule)
        status = ct_schedules_load(&campaign, directory, &settings->schedules, &schedules, err);
    ct_analysis_warn(&schedules.notes);
    if (status == CT_OK && !jobs.model->needs_series)
        campaign.input.responses = NULL;
    campaign.input.seed = setup.seed;
    if (status == CT_OK)
        status = ct_campaign_check(&campaign.input, directory, err);
    if (status == CT_OK)
        status = list_jobs(settings, &jobs);
    if (status == CT_OK) {
        status = ct_predict_analyse(&campaign.input, NULL, &analysis, err);
        if (status != CT_OK)
            ct_fail_within(err, status, "%s", directory);
    }
    if (status == CT_OK)
        ct_together_show(schedules.together, &log);
    jobs.together = schedules.together;
    if (status == CT_OK)
        status = place(settings, &jobs, &setup, directory);
    ct_together_show(schedules.together, NULL);
    free(jobs.app);
    ct_predict_analysis_free(&analysis);
    ct_schedules_free(&schedules);
    ct_loaded_campaign_free(&campaign);
    return status;
}

int ct_cmd_advise(int argc, char **argv)
{
    struct settings settings = {0};
    struct ct_arguments args;
    struct ct_error err;
    struct ct_log log = ct_log_open(command.name, false);
    enum ct_status status = ct_command_parse(&command, argc, argv, &settings, &args, stdout, &err);
    if (status == CT_OK && !args.finished)
        status = advise(&settings, args.operands[0], &err);
    if (status != CT_OK)
        ct_log_error(&log, &err);
    return ct_exit_code(status);
}
