/* crosstalk advise: which applications should share a switch. */
#include "cli/advise_placements.h"
#include "cli/analysis.h"
#include "cli/cli.h"
#include "cli/placement_row.h"
#include "cli/schedule_options.h"
#include "cli/warn.h"
#include "study/advice.h"
#include "study/placements.h"
#include "study/session.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- options ---- */

struct settings {
    uint64_t per_switch;
    uint64_t switches; /* 0: as few as hold all */
    const char *jobs;  /* NULL: every application once */
    const char *model; /* NULL: the best */
    int objective;     /* enum ct_grouping_objective */
    const char *placement;
    double acceptable_frac;
    struct ct_schedule_settings schedules;
    bool no_cache;
    struct ct_analysis_settings analysis;
};

static const char *const objectives[] = {
    [CT_GROUPING_SUM] = "total", [CT_GROUPING_MAX] = "worst", NULL};

static const struct ct_option advice_options[] = {
    {.name = "per-switch",
     CT_OPTION_AT(U64, struct settings, per_switch),
     .argument = "K",
     .initial = "2",
     .min = 1,
     .max = 64,
     .help = "applications that a switch holds"},
    {.name = "switches",
     CT_OPTION_AT(U64, struct settings, switches),
     .argument = "N",
     .initial = "0",
     .max = 10000,
     .help = "number of switches; 0: as few as possible"},
    {.name = "jobs",
     CT_OPTION_AT(STRING, struct settings, jobs),
     .argument = "A,B,...",
     .help = "applications to place; one that runs several times is listed as often (default: "
             "every one once)"},
    {.name = "model",
     CT_OPTION_AT(STRING, struct settings, model),
     .argument = "NAME",
     .help = "model that predicts the slowdowns, one of 'crosstalk predict --models' (default: the "
             "best that the inputs allow, as there)"},
    {.name = "objective",
     CT_OPTION_AT(CHOICE, struct settings, objective),
     .argument = "WHAT",
     .initial = "total",
     .choices = objectives,
     .help = "what is minimized: the sum of all slowdowns, or the largest one"},
    CT_ROW_PLACEMENT(struct settings, placement,
                     "of a campaign that has several: divide the applications for this one; "
                     "without it, tell for every two applications under which they are fine"),
    {.name = "acceptable",
     CT_OPTION_AT(FRACTION, struct settings, acceptable_frac),
     .argument = "FRACTION",
     .initial = "5%",
     .min = 1e-3,
     .max = 10,
     .help = "slowdown up to which two applications are fine under a placement"},
    {.name = "no-cache",
     CT_OPTION_AT(FLAG, struct settings, no_cache),
     .help = "read all runs and simulate everything: no cache is read or written"},
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
    "three on a switch, with the largest slowdown as small as possible",
    "crosstalk advise results --jobs fft,fft,milc,amg --switches 2",
    "place two runs of fft, one of milc and one of amg on two switches",
    "crosstalk advise places --acceptable 10%",
    "a campaign with several placements: where may two applications run beside each other",
    NULL};

static const char *const see_also[] = {"crosstalk-predict(1)", "crosstalk-campaign(1)", NULL};

static const struct ct_command command = {
    .name = "crosstalk advise",
    .summary = "tell which applications should share a switch",
    .operands = "DIR",
    .description = "DIR is a folder with the runs of a campaign, or a packed campaign. The "
                   "applications are divided among switches so that the predicted slowdowns are "
                   "least. The result is compared with random divisions.\n\n"
                   "Up to 14 jobs the division is the optimum by the model: the search is exact. "
                   "With more it is the best one of local searches, which is not proven to be the "
                   "optimum. With many hundreds they end early, before all changes were tried. "
                   "There are at most 10000 jobs.\n\n"
                   "If the campaign has several placements (docs/campaigns.md), the answer is for "
                   "every two applications: under which placements both slowdowns are acceptable, "
                   "those measured or else those that the model predicts. Switches are not divided "
                   "then, and --jobs, "
                   "--per-switch, --switches and --objective are not used, unless --placement "
                   "names one.",
    .groups = groups,
    .min_operands = 1,
    .max_operands = 1,
    .examples = examples,
    .see_also = see_also};

/* ---- jobs ---- */

/* Owned by the caller. */
static enum ct_status list_jobs(const struct settings *settings, const struct ct_study *study,
                                size_t **jobs_p, size_t *n_p, struct ct_error *err)
{
    if (settings->jobs)
        return ct_names_parse(study, "jobs", settings->jobs, jobs_p, n_p, err);
    *n_p = study->measured.n_apps;
    *jobs_p = malloc((*n_p + 1) * sizeof **jobs_p);
    if (!*jobs_p)
        return ct_no_memory(err, "%zu jobs", *n_p);
    for (size_t i = 0; i < *n_p; i++)
        (*jobs_p)[i] = i;
    return CT_OK;
}

/* ---- the model ---- */

/* The one that was asked for, or the best that there is. */
static const struct ct_predict_model *model_of(const struct ct_predict_model *asked,
                                               const struct ct_session *session)
{
    size_t best = 0;
    const struct ct_predict_default *row = ct_session_default(session);
    return asked || ct_predict_model_find(row->key, strlen(row->key), &best, NULL) != CT_OK
               ? asked
               : &ct_predict_models[best];
}

static void say_model(const struct settings *settings, const struct ct_session *session,
                      struct ct_tables *tables)
{
    const struct ct_predict_default *row = ct_session_default(session);
    if (!settings->model)
        ct_tables_provenance(tables, "default_model", "%s: %s", row->key, row->why);
}

/* ---- tables ---- */

static const struct ct_column placement_columns[] = {
    {"switch", "switch", CT_UNIT_COUNT},
    {"app", "app", CT_UNIT_NONE},
    {"with", "with", CT_UNIT_NONE},
    {"predicted", "predicted", CT_UNIT_FRACTION},
    {"predicted_ci[]", "from", CT_UNIT_FRACTION},
    {"predicted_ci[]", "to", CT_UNIT_FRACTION},
    {"flag", "flag", CT_UNIT_NONE},
    {"measured", "measured", CT_UNIT_FRACTION},
    {"cpu_slowdown", "by processors", CT_UNIT_FRACTION},
    {"cpu_wait", NULL, CT_UNIT_FRACTION},
    {"verdict", "verdict", CT_UNIT_NONE},
};

static void fill_groups(const struct ct_study *study, const struct ct_advice *advice,
                        struct ct_tables *tables)
{
    ct_tables_begin(tables, "placement", "Which applications share a switch", placement_columns,
                    sizeof placement_columns / sizeof *placement_columns);
    for (size_t i = 0; i < advice->n; i++) {
        const struct ct_advice_row *row = &advice->rows[i];
        char with[512];
        ct_question_with(&row->question, study, with, sizeof with);
        ct_tables_cell_number(tables, (double)row->number + 1);
        ct_tables_cell_text(tables, ct_study_app(study, row->question.app));
        ct_tables_cell_text(tables, with);
        ct_tables_cell_number(tables, row->prediction.slowdown_frac);
        ct_tables_cell_number(tables, row->prediction.interval.lo);
        ct_tables_cell_number(tables, row->prediction.interval.hi);
        ct_tables_cell_text(tables, ct_prediction_flag_text(row->prediction.flag));
        ct_tables_cell_number(tables, row->question.measured.frac);
        ct_tables_cell_number(tables, row->question.processors_frac);
        ct_tables_cell_number(tables, ct_question_cpu_wait(&row->question));
        ct_tables_cell_text(tables, ct_verdict_key(row->judged.verdict));
    }
}

static void fill_costs(bool is_sum, const struct ct_advice *advice, struct ct_tables *tables)
{
    const struct {
        struct ct_column column;
        double frac;
    } costs[] = {
        {{"cost", is_sum ? "sum of slowdowns" : "worst slowdown", CT_UNIT_FRACTION},
         advice->grouping.cost},
        {{"random_cost", "of random divisions, mean", CT_UNIT_FRACTION}, advice->random_cost},
        {{"gain", "gained", CT_UNIT_FRACTION}, advice->random_cost - advice->grouping.cost}};
    for (size_t i = 0; i < sizeof costs / sizeof *costs; i++)
        ct_tables_number(tables, costs[i].column, costs[i].frac);
    ct_tables_text(tables, (struct ct_column){"search", "search", CT_UNIT_NONE},
                   advice->grouping.is_exact       ? "exact"
                   : advice->grouping.is_cut_short ? "not exact, ended early"
                                                   : "not exact");
}

static enum ct_status print_advice(const struct settings *settings,
                                   const struct ct_session *session, const struct ct_advice *advice,
                                   const char *directory, struct ct_error *err)
{
    struct ct_tables *tables =
        ct_tables_new(command.name, (enum ct_format)settings->analysis.format);
    if (!tables)
        return ct_no_memory(err, "tables");
    ct_tables_provenance(tables, "campaign", "%s", directory);
    ct_tables_parameters(tables, &command, settings);
    say_model(settings, session, tables);
    fill_costs(settings->objective == CT_GROUPING_SUM, advice, tables);
    fill_groups(&session->study, advice, tables);
    enum ct_status status = ct_tables_print(tables, stdout, err);
    ct_tables_free(tables);
    return status;
}

/* ---- the whole ---- */

static enum ct_status divide(const struct settings *settings, const struct ct_predict_model *model,
                             const struct ct_session *session, const char *directory,
                             struct ct_error *err)
{
    struct ct_predict_analysis analysis = {0};
    struct ct_advice advice = {0};
    struct ct_log log = ct_log_open(command.name, settings->analysis.view.quiet);
    size_t *jobs = NULL, n_jobs = 0;
    enum ct_status status = list_jobs(settings, &session->study, &jobs, &n_jobs, err);
    if (status == CT_OK)
        status = ct_session_analyse(session, directory, &analysis, err);
    if (status == CT_OK) {
        const struct ct_advice_settings wanted = {
            .model = model_of(model, session),
            .limit_frac = settings->acceptable_frac,
            .jobs = jobs,
            .n_jobs = n_jobs,
            .per_switch = settings->per_switch,
            .n_switches = settings->switches,
            .objective = (enum ct_grouping_objective)settings->objective,
            .setup = ct_predict_bootstrap(&settings->analysis)};
        ct_schedules_show(&session->schedules, &log);
        status = ct_advice_make(&session->study, &analysis, &wanted, &advice, err);
        ct_schedules_show(&session->schedules, NULL);
    }
    if (status == CT_OK)
        status = print_advice(settings, session, &advice, directory, err);
    ct_advice_free(&advice);
    ct_predict_analysis_free(&analysis);
    free(jobs);
    return status;
}

static enum ct_status advise_one(const struct settings *settings,
                                 const struct ct_predict_model *model,
                                 const struct ct_session_settings *wanted, struct ct_error *err)
{
    struct ct_session session;
    enum ct_status status = ct_session_open(wanted, &session, err);
    if (status != CT_OK)
        return status;
    ct_warn_all("crosstalk", &session.study.notes);
    ct_warn_all("crosstalk", &session.schedules.notes);
    status = divide(settings, model, &session, wanted->path, err);
    ct_session_free(&session);
    return status;
}

/* ---- several placements ---- */

static enum ct_status answer_pairs(const struct settings *settings,
                                   const struct ct_predict_model *model,
                                   const struct ct_session *session, const char *path,
                                   const char *placement, struct ct_placement_answers *answers,
                                   struct ct_tables *tables, struct ct_error *err)
{
    const struct ct_bootstrap setup = ct_predict_bootstrap(&settings->analysis);
    struct ct_predict_analysis analysis;
    struct ct_pair_advice *pairs = NULL;
    size_t n = 0;
    struct ct_log log = ct_log_open(command.name, settings->analysis.view.quiet);
    enum ct_status status = ct_session_analyse(session, path, &analysis, err);
    if (status != CT_OK)
        return status;
    ct_schedules_show(&session->schedules, &log);
    status = ct_pairs_advise(&session->study, &analysis, model_of(model, session), &setup, &pairs,
                             &n, err);
    ct_schedules_show(&session->schedules, NULL);
    if (status == CT_OK &&
        ct_placement_answers_add(answers, placement, &session->study, pairs, n, tables) != CT_OK)
        status = ct_no_memory(err, "answers");
    free(pairs);
    ct_predict_analysis_free(&analysis);
    return status;
}

static enum ct_status answer_placement(const struct settings *settings,
                                       const struct ct_predict_model *model,
                                       const struct ct_session_settings *wanted,
                                       struct ct_placement_answers *answers,
                                       struct ct_tables *tables, struct ct_error *err)
{
    struct ct_session session;
    const char *name = *wanted->placement ? wanted->placement : "none";
    enum ct_status status = ct_session_open(wanted, &session, err);
    if (status == CT_OK) {
        ct_tables_part(tables, (struct ct_column){"placement", "placement", CT_UNIT_NONE}, name);
        say_model(settings, &session, tables);
        status = answer_pairs(settings, model, &session, wanted->path, name, answers, tables, err);
        for (size_t i = 0; i < session.study.notes.n; i++)
            ct_tables_note(tables, "%s", session.study.notes.item[i]);
        ct_session_free(&session);
    }
    return status == CT_OK ? CT_OK : ct_fail_within(err, status, "placement %s", name);
}

/* Of a campaign with several placements, where that is why it could not be opened; else the error
   stays. */
static enum ct_status advise_each(const struct settings *settings,
                                  const struct ct_predict_model *model,
                                  struct ct_session_settings *wanted, struct ct_error *err)
{
    struct ct_argv names = {0};
    enum ct_status status = err->status;
    if (ct_placements_read(wanted->path, &names, NULL) != CT_OK || names.n < 2) {
        ct_argv_free(&names);
        return status;
    }
    struct ct_tables *tables =
        ct_tables_new(command.name, (enum ct_format)settings->analysis.format);
    struct ct_placement_answers *answers = ct_placement_answers_new(settings->acceptable_frac);
    status = tables && answers ? CT_OK : ct_no_memory(err, "tables");
    if (status == CT_OK) {
        ct_tables_provenance(tables, "campaign", "%s", wanted->path);
        ct_tables_parameters(tables, &command, settings);
    }
    for (size_t i = 0; i < names.n && status == CT_OK; i++) {
        wanted->placement = names.item[i];
        status = answer_placement(settings, model, wanted, answers, tables, err);
    }
    if (status == CT_OK) {
        ct_tables_part_end(tables);
        ct_placement_answers_fill(answers, tables);
        status = ct_tables_print(tables, stdout, err);
    }
    ct_placement_answers_free(answers);
    ct_tables_free(tables);
    ct_argv_free(&names);
    return status;
}

static enum ct_status advise(void *values, const struct ct_arguments *args, struct ct_error *err)
{
    const struct settings *settings = values;
    const char *directory = args->operands[0];
    size_t index = 0;
    struct ct_session_settings wanted = {.path = directory,
                                         .placement = settings->placement,
                                         .use_cache = !settings->no_cache,
                                         .link_bit_per_s = NAN};
    enum ct_status status = CT_OK;
    if (settings->model)
        status = ct_analysis_find_model(settings->model, strlen(settings->model), &index, err);
    if (status != CT_OK)
        return ct_fail_within(err, status, "--model");
    status = ct_schedule_source_given(&settings->schedules, &wanted.schedules, err);
    if (status != CT_OK)
        return status;
    const struct ct_predict_model *model = settings->model ? &ct_predict_models[index] : NULL;
    wanted.use_schedules = !model || ct_predict_model_is(model, CT_MODEL_NEEDS_SCHEDULE);
    status = advise_one(settings, model, &wanted, err);
    return status == CT_EUSAGE && !settings->placement ? advise_each(settings, model, &wanted, err)
                                                       : status;
}

int ct_cmd_advise(int argc, char **argv)
{
    struct settings settings = {0};
    return ct_command_main(&command, argc, argv, &settings, advise);
}
