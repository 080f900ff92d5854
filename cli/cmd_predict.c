/* crosstalk predict: measured and predicted slowdown of every pair of applications, and which may
   run beside each other. */
#include "cli/analysis.h"
#include "cli/campaign_rows.h"
#include "cli/cli.h"
#include "cli/commit.h"
#include "cli/link_rate.h"
#include "cli/predict_draws.h"
#include "cli/predict_placements.h"
#include "cli/predict_sealed.h"
#include "cli/predict_tables.h"
#include "cli/predict_times.h"
#include "cli/schedule_options.h"
#include "cli/warn.h"
#include "study/describe.h"
#include "study/model_choice.h"
#include "study/placements.h"
#include "study/session.h"

#include <stdlib.h>
#include <string.h>

/* ---- options ---- */

enum { PER_SWITCH_MAX = 64 };

/* Jobs in a group. */
struct together {
    uint64_t n;   /* 0: no groups */
    bool at_most; /* fewer are no error */
};

struct settings {
    struct ct_model_choice models;
    struct ct_question_choice choice;
    const char *explain; /* NULL: not asked for */
    const char *placement;
    double acceptable_frac;
    struct together groups;
    uint64_t switches;
    const char *jobs; /* NULL: every application once */
    int objective;    /* enum ct_grouping_objective */
    bool evaluate, run_times;
    const char *seal, *against; /* files; NULL: none */
    const char *scan;           /* NULL: none */
    struct ct_link_rate link_rate;
    struct ct_schedule_settings schedules;
    bool no_cache;
    uint64_t draws;
    struct ct_analysis_settings analysis;
};

static enum ct_status parse_models(const char *text, void *field, struct ct_error *err)
{
    struct ct_model_choice choice = {.all = !strcmp(text, "all"), .best = !strcmp(text, "best")};
    for (size_t m = 0; m < CT_N_PREDICT_MODELS; m++)
        choice.on[m] = choice.all;
    for (const char *name = text; !choice.all && !choice.best; name++) {
        size_t length = strcspn(name, ",");
        size_t model;
        CT_TRY(ct_analysis_find_model(name, length, &model, err));
        choice.on[model] = true;
        name += length;
        if (*name == '\0')
            break;
    }
    *(struct ct_model_choice *)field = choice;
    return CT_OK;
}

/* --per-switch of earlier versions. */
static enum ct_status parse_per_switch(const char *text, void *field, struct ct_error *err)
{
    struct together *groups = field;
    enum ct_status status = ct_parse_u64(text, &groups->n, err);
    groups->at_most = true;
    if (status == CT_OK && (groups->n < 1 || groups->n > PER_SWITCH_MAX))
        status = ct_fail(err, CT_EUSAGE, "'%s': not within 1 and %d", text, PER_SWITCH_MAX);
    return status;
}

static const char *const objectives[] = {
    [CT_GROUPING_SUM] = "total", [CT_GROUPING_MAX] = "worst", NULL};

static const struct ct_option group_options[] = {
    {CT_OPTION(U64, "groups", struct settings, groups.n), .initial = "0", .max = PER_SWITCH_MAX,
     .help = "divide the applications into groups of N that run together, sharing what programs "
             "shared in the campaign, so that they slow each other least; 0: no"},
    {CT_OPTION(U64, "switches", struct settings, switches), .initial = "0",
     .max = CT_ADVICE_JOBS_MAX, .help = "number of groups; 0: as few as possible"},
    {CT_OPTION(STRING, "jobs", struct settings, jobs), .argument = "A,B,...",
     .help = "applications to place; one that runs several times is listed as often (default: "
             "every one once)"},
    {CT_OPTION(CHOICE, "objective", struct settings, objective), .argument = "WHAT",
     .initial = "total", .choices = objectives,
     .help = "what is minimized: the sum of all slowdowns, or the largest one"},
    {CT_OPTION(CUSTOM, "per-switch", struct settings, groups), .argument = "N",
     .parse = parse_per_switch, .successor = "--groups N"},
    {CT_OPTION(CUSTOM, "model", struct settings, models), .argument = "NAME", .parse = parse_models,
     .successor = "--models NAME"},
    {0}};

static const struct ct_option prediction_options[] = {
    {CT_OPTION(CUSTOM, "models", struct settings, models), .argument = "NAME,...",
     .initial = "best", .parse = parse_models,
     .help =
         "models to use, or best: the best that the inputs allow: packets with schedules of all "
         "applications, else probe with configurations, else lp with a schedule. all: every one "
         "of average_lt, average_stdev_lt, pdf_lt (look-up of a configuration), queue (curve over "
         "utilization), mutual (mixture of configurations in time, with co-runners that are slowed "
         "too), probe (line over delay and waiting of the probe, with such co-runners, and what "
         "measured co-runs of either add), lp (run time of the application's schedule with the "
         "mean delay beside the "
         "co-runner), packets (schedules of all, simulated together as packets in the queues of "
         "ports). The null models none (no slowdown) and multiplicative (rows and columns of the "
         "other "
         "measured co-runs) are always included"},
    CT_ROW_ACCEPTABLE(struct settings, acceptable_frac),
    {CT_OPTION(STRING, "pair", struct settings, choice.pair), .argument = "A+B",
     .help = "only A beside B and B beside A"},
    {CT_OPTION(STRING, "with", struct settings, choice.with), .argument = "B,C,...",
     .help = "every application beside all of these at once"},
    {CT_OPTION(STRING, "explain", struct settings, explain), .argument = "A+B[+C...]",
     .help = "show how the models predict A beside B (and C): the configurations and utilizations "
             "chosen, the curve, the distances"},
    {CT_OPTION(FLAG, "evaluate", struct settings, evaluate),
     .help = "show the quality of the models instead of the pairs: errors; with --all the worst "
             "pairs, comparisons of models on the same pairs, utilizations compared with the "
             "switch counters, repeatability of co-runs"},
    {CT_OPTION(FLAG, "run-times", struct settings, run_times),
     .help = "also print run times in seconds, alone and together, measured and by the model "
             "packets, and their relative errors"},
    CT_ROW_PLACEMENT(struct settings, placement,
                     "only this placement of a campaign that has several; without it, all of them, "
                     "with a column 'placement' (--evaluate and --explain need it)"),
    {CT_OPTION(STRING, "scan", struct settings, scan), .argument = "SHEET",
     .help = "folder of crosstalk-scan(1): its loads of known amount are configurations, and its "
             "canary of latencies is the probe, in the place of impactb. DIR then has what a scan "
             "cannot know: passes of each application alone and beside these configurations, and "
             "that canary beside each application (scanb --cells latency:none --label APP): a "
             "campaign with 'scan: SHEET' in its file measures these"},
    {CT_OPTION(STRING, "seal", struct settings, seal), .target = CT_FILE_STREAM,
     .argument = "FILE" CT_SEAL_ENDING,
     .help = "also write the predictions to a file, before the co-runs are measured. An existing "
             "file is not overwritten. It has the commit, and hashes of the program and of every "
             "input. While it is in the folder of a campaign, crosstalk campaign "
             "run makes no run again that the predictions use"},
    {CT_OPTION(STRING, "against", struct settings, against), .argument = "FILE" CT_SEAL_ENDING,
     .help = "instead of predicting, compare sealed predictions with the slowdowns measured since: "
             "errors and coverage of each model, what differs from when they were sealed, and who "
             "opened them before (FILE" CT_SEAL_ENDING ".opened, which this opening is added to)"},
    {CT_OPTION(U64, "draws", struct settings, draws), .initial = "20", CT_RANGE(2, 100000),
     .help =
         "with --parameters: how many draws of the posterior every co-run is simulated with, by "
         "the model packets"},
    {CT_OPTION(FLAG, "no-cache", struct settings, no_cache),
     .help = "read all runs and simulate everything: no cache is read or written"},
    {0}};

static const struct ct_option_group groups[] = {
    {"Prediction", prediction_options, 0},
    {"Groups", group_options, 0},
    {"Known loads", ct_link_rate_options, offsetof(struct settings, link_rate)},
    {"Schedules", ct_schedule_options, offsetof(struct settings, schedules)},
    {"Analysis and output", ct_analysis_options, offsetof(struct settings, analysis)},
    {0}};

static const char *const examples[] = {
    "crosstalk predict results",
    "which applications of the campaign in the folder results may run beside each other",
    "crosstalk predict results --groups 3 --objective worst",
    "divide them, three together, with the largest slowdown as small as possible",
    "crosstalk predict results --groups 2 --jobs fft,fft,milc,amg",
    "divide two runs of fft, one of milc and one of amg into two pairs",
    "crosstalk predict campaign.h5 --pair fft+milc --models queue",
    "fft beside milc and milc beside fft, by the queue model",
    "crosstalk predict results --explain fft+milc",
    "how the models predict fft beside milc",
    "crosstalk predict results --with fft,milc",
    "every application beside fft and milc at once",
    "crosstalk predict results --models lp --L 20us --o 5us --G 160ns",
    "from schedules in results/schedules, without any CompressionB run",
    "crosstalk predict results --scan sheet",
    "with the loads of a scan as configurations",
    "crosstalk predict results --parameters posterior.h5",
    "with intervals from the draws of a calibration",
    "crosstalk predict results --models all --evaluate",
    "errors of each model for the measured co-runs",
    "crosstalk predict results --schedules passes --models packets --run-times",
    "run times in seconds, from schedules of the timed pass",
    "crosstalk predict results --seal results/first.sealed.json",
    "and store the predictions, before crosstalk campaign run measures the co-runs",
    "crosstalk predict results --against results/first.sealed.json",
    "compare these predictions with the measured co-runs",
    "crosstalk predict results --format json --seed 1",
    "for scripts, repeatable to the last digit",
    NULL};

static const char *const see_also[] = {"crosstalk-campaign(1)", "crosstalk-utilization(1)", NULL};

static const struct ct_command command = {
    .name = "crosstalk predict",
    .summary = "which applications may run beside each other: slowdowns, measured and predicted",
    .operands = "DIR",
    .description =
        "DIR is a folder with the runs of a campaign, or a packed campaign. A slowdown is the "
        "measured one, or else that of a model, and --acceptable is the limit. The verdict is yes "
        "where the interval ends below the limit, no where it begins above, and perhaps where the "
        "limit is inside. Two applications may run beside each other if the verdict on both is "
        "yes. "
        "Disturbed: waiting for processors, or drift of the application alone, explains more than "
        "half of the slowdown (or of the limit, if that is larger), so that it decides nothing. No "
        "random number is in a verdict. Files have everything (--format csv, json), and --all "
        "prints it.\n\n"
        "Most models predict A "
        "beside B from the effect of B on the probe, and from the slowdown of A under CompressionB "
        "configurations with the same effect; others use schedules of A, or of both. If A was run "
        "beside B, the measured slowdown and the error of each model are shown too; a model's "
        "error is |predicted - measured|.\n\n"
        "The interval of a prediction is made from known errors of the model: those for the other "
        "measured co-runs or, if these are too few, those for configurations, each left out in "
        "turn (split conformal prediction, docs/models.md). A level of 90 % needs nine of either "
        "kind; with fewer there is no interval, and a flag and a note say so. The "
        "interval of a measured slowdown is Student's t over runs and passes.\n\n"
        "Two null models use no input from the network: none predicts no slowdown, multiplicative "
        "the sensitivity of the application times the aggressiveness of the co-runner, by the "
        "other measured co-runs. A model is useful if its errors are smaller than theirs. "
        "--evaluate compares every two "
        "models on the same pairs; the interval of the difference is a bootstrap over "
        "applications, not over pairs.\n\n"
        "Programs that share processors are also slowed by that, which is in no model of the "
        "network: 'cpu_slowdown' of CSV and JSON is the part of a measured slowdown that waiting "
        "for processors explains, if the campaign recorded it (docs/models.md). If it is more than "
        "2 % the pair is flagged, and errors are also printed without such pairs.\n\n"
        "An application whose baselines disagree beyond their 95 % intervals, so that it became "
        "slower or faster during the campaign, is named in a note and flagged in the table of "
        "pairs.\n\n"
        "What programs shared in the campaign stands beside the answer: hosts; with hosts of their "
        "own, switches or links between switches; older campaigns did not record it. Slowdowns on "
        "the same hosts say nothing of programs with hosts of their own, which behind one switch "
        "may not meet at all.\n\n"
        "--groups is an exact search for up to 14 jobs. With more it is the best one of local "
        "searches, which is not proven to be the optimum, and with many hundreds they end early. "
        "There are at most 10000 jobs. The result is compared with random divisions.\n\n"
        "A campaign with several placements (docs/campaigns.md) is one study for each: all tables "
        "have the column 'placement', and predictions use the runs of their placement only. The "
        "answer has a column for each placement; applications are divided for one "
        "(--placement).\n\n"
        "Summaries of the probe runs and simulated slowdowns are kept in $XDG_CACHE_HOME/crosstalk "
        "(by default ~/.cache/crosstalk), so that samples are read and simulations are made once. "
        "They are bound to the content of what they are made from: if a run is changed, added or "
        "removed, they are computed again. They take at most 500 MB, and may be removed at any "
        "time.",
    .groups = groups,
    .min_operands = 1,
    .examples = examples,
    .see_also = see_also};

/* ---- the whole ---- */

static size_t count_models(const bool asked[CT_N_PREDICT_MODELS])
{
    size_t n = 0;
    for (size_t m = 0; m < CT_N_PREDICT_MODELS; m++)
        n += asked[m] && !ct_predict_model_is(&ct_predict_models[m], CT_MODEL_IS_NULL);
    return n;
}

/* Of several models, the errors are the answer. */
static bool shows_errors(const struct settings *settings, const struct ct_predict_answers *answers)
{
    return settings->evaluate || (answers->n_models > 1 && !ct_predict_shows_models(answers));
}

/* What files have, and --all prints. */
static enum ct_status fill_tables(const struct settings *settings,
                                  const struct ct_predict_answers *answers,
                                  struct ct_tables *tables)
{
    if (settings->explain)
        return ct_predict_tables_explanation(answers, tables);
    ct_tables_detail(tables, true);
    if (!settings->evaluate) {
        ct_predict_tables_loads(answers, tables);
        ct_predict_tables_pairs(answers, tables);
    }
    enum ct_status status =
        ct_predict_tables_errors(answers, shows_errors(settings, answers), tables);
    if (status == CT_OK && settings->evaluate)
        status = ct_predict_tables_evaluation(answers, tables);
    ct_tables_detail(tables, false);
    return status;
}

/* What is printed at the end, of one study or of one for each placement. */
struct output {
    struct ct_tables *tables;
    struct ct_predict_placements *placements; /* where there are several */
    bool asked[CT_N_PREDICT_MODELS];          /* models of the first study, for all */
    const char *part;                         /* placement; NULL: there is one study */
    size_t n_parts;
    bool is_first;
    bool is_busy; /* was said */
};

static void fill_head(const struct settings *settings, const struct ct_session *session,
                      const struct ct_predict_answers *answers, const char *directory,
                      const struct output *output)
{
    const struct ct_predict_default *best = ct_session_default(session);
    const struct ct_study *study = answers->study;
    struct ct_tables *tables = output->tables;
    char text[CT_DESCRIPTION_MAX];
    if (output->is_first)
        ct_tables_provenance(tables, "campaign", "%s", directory);
    if (!output->part)
        ct_tables_provenance(tables, "runs", "%zu", study->n_runs);
    if (output->is_first)
        ct_tables_parameters(tables, &command, settings);
    if (settings->analysis.view.given.all || settings->groups.n > 0) /* else nothing is random */
        ct_tables_show_parameter(tables, "seed");
    if (output->part) {
        ct_tables_part(tables, (struct ct_column){"placement", "placement", CT_UNIT_NONE},
                       output->part);
        ct_tables_provenance(tables, "runs", "%zu", study->n_runs);
    } else
        ct_tables_text(tables, (struct ct_column){"shared", NULL, CT_UNIT_NONE},
                       ct_shared_key(study->shared));
    ct_tables_detail(tables, true);
    if (settings->models.best && output->is_first)
        ct_tables_provenance(tables, "default_model", "%s: %s", best->key, best->why);
    if (*session->like)
        ct_tables_provenance(tables, "network_like", "%s", session->like);
    ct_describe_calibration(study, answers->analysis, text);
    ct_tables_provenance(tables, "calibration", "%s", text);
    if (ct_describe_queues(answers->schedules, text))
        ct_tables_provenance(tables, "packet_queues", "%s", text);
    if (ct_describe_order(answers->schedules))
        ct_tables_provenance(tables, "packet_order", "%s", ct_describe_order(answers->schedules));
    ct_tables_provenance(tables, "schedules_used", "%zu of %zu applications",
                         answers->schedules->n_available, study->measured.n_apps);
    ct_tables_detail(tables, false);
    for (size_t app = 0; app < study->measured.n_apps && output->is_first; app++)
        ct_tables_text(tables, (struct ct_column){"apps[]", NULL, CT_UNIT_NONE},
                       ct_study_app(study, app));
}

static enum ct_status fill_draws(const struct settings *settings,
                                 const struct ct_predict_answers *answers, struct output *output,
                                 struct ct_error *err)
{
    struct ct_log log = ct_log_open(command.name, settings->analysis.view.quiet);
    return settings->explain
               ? CT_OK
               : ct_predict_draws_fill(answers, settings->draws, &log, output->tables, err);
}

/* What is asked about groups; its jobs are owned by the caller. */
static enum ct_status describe_groups(const struct settings *settings, const struct ct_study *study,
                                      struct ct_advice_settings *wanted_p, struct ct_error *err)
{
    size_t *jobs = NULL, n_jobs = study->measured.n_apps;
    enum ct_status status =
        settings->jobs ? ct_names_parse(study, "jobs", settings->jobs, &jobs, &n_jobs, err) : CT_OK;
    struct ct_advice_settings wanted = {.limit_frac = settings->acceptable_frac,
                                        .jobs = jobs,
                                        .n_jobs = n_jobs,
                                        .per_switch = settings->groups.n,
                                        .n_switches = settings->switches,
                                        .objective =
                                            (enum ct_grouping_objective)settings->objective,
                                        .setup = ct_predict_bootstrap(&settings->analysis)};
    /* One application is a group, whatever was asked. */
    if (status == CT_OK && n_jobs > 1 && wanted.per_switch > n_jobs && !settings->groups.at_most)
        status = ct_fail(err, CT_EUSAGE,
                         "--groups: %zu together, but there are %zu applications: give at most "
                         "%zu, or list some several times in --jobs",
                         wanted.per_switch, n_jobs, n_jobs);
    if (status == CT_OK)
        status = ct_advice_check(&wanted, err);
    if (status == CT_OK)
        *wanted_p = wanted;
    else
        free(jobs);
    return status;
}

/* Before anything is simulated. */
static enum ct_status check_groups(const struct settings *settings, const struct ct_study *study,
                                   struct ct_error *err)
{
    struct ct_advice_settings wanted = {0};
    enum ct_status status =
        settings->groups.n > 0 ? describe_groups(settings, study, &wanted, err) : CT_OK;
    free((void *)wanted.jobs);
    return status;
}

static enum ct_status fill_groups(const struct settings *settings,
                                  const struct ct_predict_answers *answers,
                                  const struct output *output, struct ct_error *err)
{
    struct ct_advice advice = {0};
    struct ct_advice_settings wanted = {0};
    enum ct_status status = describe_groups(settings, answers->study, &wanted, err);
    if (status == CT_OK) {
        struct ct_log log = ct_log_open(command.name, settings->analysis.view.quiet);
        wanted.model = &ct_predict_models[answers->model];
        ct_schedules_show(answers->schedules, &log);
        status = ct_advice_make(answers->study, answers->analysis, &wanted, &advice, err);
        ct_schedules_show(answers->schedules, NULL);
    }
    if (status == CT_OK &&
        ct_predict_answer_groups(answers, &advice, wanted.objective, output->tables) != CT_OK)
        status = ct_no_memory(err, "groups");
    ct_advice_free(&advice);
    free((void *)wanted.jobs);
    return status;
}

static enum ct_status fill_answer(const struct settings *settings,
                                  const struct ct_predict_answers *answers, struct output *output,
                                  struct ct_error *err)
{
    if (settings->explain || settings->evaluate)
        return CT_OK;
    enum ct_status status = CT_OK;
    char busy[CT_DESCRIPTION_MAX];
    if (!output->is_busy && ct_describe_busy(answers->study, busy)) {
        ct_tables_answer(output->tables, "%s", busy);
        output->is_busy = true;
    }
    ct_predict_answer_verdicts(answers, output->tables);
    if (output->part)
        status =
            ct_predict_placements_add(output->placements, answers, output->part, output->tables);
    else if (settings->groups.n > 0)
        return fill_groups(settings, answers, output, err);
    else
        status = ct_predict_answer_pairs(answers, shows_errors(settings, answers), output->tables);
    return status == CT_OK ? CT_OK : ct_no_memory(err, "answer");
}

/* What was left out is not silent. */
static void say_first_note(const struct ct_study *study, struct ct_tables *tables)
{
    char more[40] = "";
    size_t n = study->notes.n;
    if (n > 1)
        snprintf(more, sizeof more, "; %zu more: --all", n - 1);
    if (study->n_unreadable > 0)
        ct_tables_answer(tables, "Remark: %s%s", study->notes.item[0], more);
}

static enum ct_status fill_answers(const struct settings *settings,
                                   const struct ct_session *session,
                                   const struct ct_predict_answers *answers, const char *directory,
                                   struct output *output, struct ct_error *err)
{
    if (!output->tables) {
        output->tables = ct_tables_new(command.name, (enum ct_format)settings->analysis.format);
        output->placements = ct_predict_placements_new(output->n_parts);
    }
    enum ct_status status = output->tables && output->placements ? CT_OK : CT_ENOMEM;
    if (status == CT_OK) {
        fill_head(settings, session, answers, directory, output);
        bool is_silent =
            settings->analysis.view.quiet && settings->analysis.format == CT_FORMAT_TABLE;
        if (!settings->explain && !output->part && !is_silent)
            ct_predict_answer_model(answers, output->tables);
    }
    if (status == CT_OK)
        status = fill_tables(settings, answers, output->tables);
    if (status != CT_OK)
        return ct_fail(err, status, "%s: %s", directory, ct_status_text(status));
    status = fill_answer(settings, answers, output, err);
    if (status == CT_OK && settings->run_times)
        status = ct_predict_times_fill(answers, output->tables, err);
    if (status == CT_OK)
        status = fill_draws(settings, answers, output, err);
    if (!settings->explain)
        say_first_note(answers->study, output->tables);
    ct_tables_detail(output->tables, true);
    ct_predict_tables_notes(answers, output->tables);
    ct_tables_detail(output->tables, false);
    output->is_first = false;
    return status;
}

/* The program and its inputs, as they are now. */
static enum ct_status read_source(const struct settings *settings, const char *directory,
                                  struct ct_seal_source *source_p, struct ct_error *err)
{
    struct ct_schedule_source given;
    CT_TRY(ct_schedule_source_given(&settings->schedules, &given, err));
    const char *const others[] = {given.folder, given.given.logp_path, given.given.posterior_path,
                                  settings->scan};
    return ct_seal_source_read(CT_COMMIT, directory, others, sizeof others / sizeof *others,
                               source_p, err);
}

/* What was sealed beside what is measured by now. */
static enum ct_status print_against(const struct settings *settings, const struct ct_study *study,
                                    const struct ct_questions *questions, const char *directory,
                                    struct ct_error *err)
{
    struct ct_seal seal;
    struct ct_seal_source now = {0};
    struct ct_seal_verdict verdict = {0};
    CT_TRY(ct_seal_read(settings->against, &seal, err));
    struct ct_tables *tables =
        ct_tables_new(command.name, (enum ct_format)settings->analysis.format);
    enum ct_status status =
        tables ? ct_seal_judge(&seal, study, questions, settings->acceptable_frac, &verdict)
               : CT_ENOMEM;
    if (status == CT_OK) {
        ct_tables_provenance(tables, "campaign", "%s", directory);
        ct_tables_parameters(tables, &command, settings);
        ct_predict_tables_sealed(&seal, &verdict, tables);
        for (size_t i = 0; i < study->notes.n; i++)
            ct_tables_note(tables, "%s", study->notes.item[i]);
        status = read_source(settings, directory, &now, err);
        if (status == CT_OK)
            status = ct_predict_note_opening(settings->against, &seal, &now, verdict.n_judged > 0,
                                             tables, err);
        if (status == CT_OK)
            status = ct_tables_print(tables, stdout, err);
    } else {
        ct_fail(err, status, "%s: %s", settings->against, ct_status_text(status));
    }
    ct_tables_free(tables);
    ct_seal_verdict_free(&verdict);
    ct_seal_source_free(&now);
    ct_seal_free(&seal);
    return status;
}

static enum ct_status seal_answers(const struct settings *settings,
                                   const struct ct_predict_answers *answers, const char *directory,
                                   struct ct_error *err)
{
    struct ct_seal_source source = {0};
    if (!settings->seal)
        return CT_OK;
    const struct ct_seal_input input = {.study = answers->study,
                                        .questions = answers->questions,
                                        .is_asked = answers->is_asked,
                                        .cases = answers->cases,
                                        .level = answers->setup.level,
                                        .seed = settings->analysis.seed,
                                        .source = &source};
    enum ct_status status = read_source(settings, directory, &source, err);
    if (status == CT_OK)
        status = ct_seal_write(settings->seal, &input, err);
    ct_seal_source_free(&source);
    return status;
}

static enum ct_status make_questions(const struct settings *settings, const struct ct_study *study,
                                     struct ct_questions *questions_p, struct ct_error *err)
{
    struct ct_question_choice choice = settings->choice;
    choice.of_timed = true;
    if (!settings->explain)
        return ct_questions_make(study, &choice, questions_p, err);
    struct ct_question *only = calloc(1, sizeof *only);
    if (!only)
        return ct_no_memory(err, "explanation");
    enum ct_status status = ct_question_parse(study, "explain", settings->explain, only, err);
    if (status == CT_OK)
        *questions_p = (struct ct_questions){only, 1};
    else
        free(only);
    return status;
}

static enum ct_status answer_questions(const struct settings *settings,
                                       const struct ct_session *session,
                                       struct ct_predict_analysis *analysis, const char *directory,
                                       struct output *output, struct ct_error *err)
{
    const struct ct_bootstrap setup = ct_predict_bootstrap(&settings->analysis);
    if (output->is_first && !settings->against)
        ct_model_choice_ask(&settings->models, session, settings->explain != NULL, output->asked);
    struct ct_questions questions = {0};
    struct ct_predict_case *cases = NULL;
    enum ct_status status = check_groups(settings, &session->study, err);
    if (status == CT_OK)
        status = make_questions(settings, &session->study, &questions, err);
    if (status == CT_OK) {
        struct ct_log log = ct_log_open(command.name, settings->analysis.view.quiet);
        ct_schedules_show(&session->schedules, &log);
        status = ct_questions_ask(&questions, output->asked, analysis, &setup, &cases);
        ct_schedules_show(&session->schedules, NULL);
        if (status != CT_OK)
            ct_fail(err, status, "%s: %s", directory, ct_status_text(status));
    }
    if (status == CT_OK) {
        ct_questions_measure(&session->study, analysis, setup.level, &questions);
        struct ct_predict_answers answers = {
            .study = &session->study,
            .analysis = analysis,
            .schedules = &session->schedules,
            .questions = &questions,
            .is_asked = output->asked,
            .n_models = count_models(output->asked),
            .setup = setup,
            .cases = cases,
            .model = ct_model_choice_answer(&settings->models, output->asked, session),
            .limit_frac = settings->acceptable_frac,
            .all = settings->analysis.view.given.all};
        status = ct_predict_answers_judge(&answers, err);
        if (status == CT_OK)
            status = settings->against
                         ? print_against(settings, &session->study, &questions, directory, err)
                         : seal_answers(settings, &answers, directory, err);
        if (status == CT_OK && !settings->against)
            status = fill_answers(settings, session, &answers, directory, output, err);
        ct_predict_answers_free(&answers);
    }
    free(cases);
    ct_questions_free(&questions);
    return status;
}

static enum ct_status check_choice(const struct settings *settings, struct ct_error *err)
{
    if (settings->choice.pair && settings->choice.with)
        return ct_fail(err, CT_EUSAGE, "--pair and --with: give one of them");
    if (settings->explain && (settings->choice.pair || settings->choice.with || settings->evaluate))
        return ct_fail(err, CT_EUSAGE,
                       "--explain names its own co-run: leave out --pair, --with and --evaluate");
    if (settings->run_times && (settings->explain || settings->against))
        return ct_fail(err, CT_EUSAGE,
                       "--run-times: of predictions that are made now; leave out --explain and "
                       "--against");
    bool chooses = settings->choice.pair || settings->choice.with || settings->explain;
    bool divides = settings->groups.n > 0;
    if (!divides && (settings->jobs || settings->switches > 0))
        return ct_fail(err, CT_EUSAGE, "--jobs and --switches: for --groups N, which is missing");
    if (divides && (chooses || settings->evaluate || settings->against))
        return ct_fail(err, CT_EUSAGE,
                       "--groups: leave out --pair, --with, --explain, --evaluate and --against");
    if (settings->against && (chooses || settings->evaluate || settings->seal))
        return ct_fail(err, CT_EUSAGE,
                       "--against shows what was sealed: leave out --pair, --with, --explain, "
                       "--evaluate and --seal");
    if (settings->placement && (settings->against || settings->seal))
        return ct_fail(err, CT_EUSAGE,
                       "--seal and --against: leave out --placement, and give the file that "
                       "'crosstalk export DIR --placement %s -o FILE.h5' makes",
                       settings->placement);
    if (settings->seal && (settings->explain || settings->evaluate))
        return ct_fail(err, CT_EUSAGE, "--seal: leave out --explain and --evaluate");
    return settings->seal ? ct_seal_check_path(settings->seal, err) : CT_OK;
}

static enum ct_status predict_one(const struct settings *settings,
                                  const struct ct_session_settings *wanted, struct output *output,
                                  struct ct_error *err)
{
    struct ct_session session;
    struct ct_predict_analysis analysis;
    CT_TRY(ct_session_open(wanted, &session, err));
    if (output->is_first)
        ct_warn_all("crosstalk", &session.schedules.notes);
    enum ct_status status = ct_session_analyse(&session, wanted->path, &analysis, err);
    if (status == CT_OK) {
        status = answer_questions(settings, &session, &analysis, wanted->path, output, err);
        ct_predict_analysis_free(&analysis);
    } else {
        ct_warn_all("crosstalk", &session.study.notes);
    }
    ct_session_free(&session);
    return status;
}

/* Of a campaign with several placements, where that is why it could not be opened; else the error
   stays. */
static enum ct_status predict_each(const struct settings *settings,
                                   struct ct_session_settings *wanted, struct output *output,
                                   struct ct_error *err)
{
    struct ct_argv names = {0};
    enum ct_status status = err->status;
    if (ct_placements_read(wanted->path, &names, NULL) == CT_OK && names.n > 1)
        status = CT_OK;
    output->n_parts = names.n;
    for (size_t i = 0; i < names.n && status == CT_OK; i++) {
        wanted->placement = names.item[i];
        output->part = *names.item[i] ? names.item[i] : "none";
        status = predict_one(settings, wanted, output, err);
        if (status != CT_OK)
            ct_fail_within(err, status, "placement %s", output->part);
    }
    ct_argv_free(&names);
    return status;
}

static enum ct_status predict_campaign(void *values, const struct ct_arguments *args,
                                       struct ct_error *err)
{
    struct settings *settings = values;
    const char *directory = args->operands[0];
    struct ct_session_settings wanted = {.path = directory,
                                         .placement = settings->placement,
                                         .scan = settings->scan,
                                         .use_cache = !settings->no_cache,
                                         .use_schedules = true};
    struct output output = {.is_first = true};
    bool for_one = settings->placement || settings->explain || settings->evaluate ||
                   settings->seal || settings->against;
    enum ct_status status = check_choice(settings, err);
    if (status == CT_OK)
        status = ct_link_rate_parse(&settings->link_rate, &wanted.link_bit_per_s, err);
    if (status == CT_OK)
        status = ct_schedule_source_given(&settings->schedules, &wanted.schedules, err);
    if (status == CT_OK) {
        status = predict_one(settings, &wanted, &output, err);
        if (status == CT_EUSAGE && !for_one)
            status = predict_each(settings, &wanted, &output, err);
    }
    if (status == CT_OK && output.tables && output.part) {
        ct_tables_part_end(output.tables);
        ct_predict_placements_fill(output.placements, settings->acceptable_frac, output.tables);
    }
    if (status == CT_OK && output.tables)
        status = ct_tables_print(output.tables, stdout, err);
    ct_tables_free(output.tables);
    ct_predict_placements_free(output.placements);
    return status;
}

int ct_cmd_predict(int argc, char **argv)
{
    struct settings settings = {0};
    return ct_command_main(&command, argc, argv, &settings, predict_campaign);
}
