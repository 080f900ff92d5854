/* crosstalk predict: measured and predicted slowdown of every pair of applications. */
#include "cli/analysis.h"
#include "cli/cli.h"
#include "cli/link_rate.h"
#include "cli/placement_row.h"
#include "cli/predict_draws.h"
#include "cli/predict_sealed.h"
#include "cli/predict_tables.h"
#include "cli/predict_times.h"
#include "cli/schedule_options.h"
#include "cli/warn.h"
#include "study/describe.h"
#include "study/placements.h"
#include "study/session.h"

#include <stdlib.h>
#include <string.h>

/* ---- options ---- */

struct selection {
    bool on[CT_N_PREDICT_MODELS];
    bool all, best; /* in place of names */
};

struct settings {
    struct selection models;
    struct ct_question_choice choice;
    const char *explain; /* NULL: not asked for */
    const char *placement;
    bool evaluate, run_times;
    const char *seal, *against; /* files; NULL: none */
    struct ct_link_rate link_rate;
    struct ct_schedule_settings schedules;
    bool no_cache;
    uint64_t draws;
    struct ct_analysis_settings analysis;
};

static enum ct_status parse_models(const char *text, void *field, struct ct_error *err)
{
    struct selection selection = {.all = !strcmp(text, "all"), .best = !strcmp(text, "best")};
    for (size_t m = 0; m < CT_N_PREDICT_MODELS; m++)
        selection.on[m] = selection.all;
    for (const char *name = text; !selection.all && !selection.best; name++) {
        size_t length = strcspn(name, ",");
        size_t model;
        enum ct_status status = ct_analysis_find_model(name, length, &model, err);
        if (status != CT_OK)
            return status;
        selection.on[model] = true;
        name += length;
        if (*name == '\0')
            break;
    }
    *(struct selection *)field = selection;
    return CT_OK;
}

static const struct ct_option prediction_options[] = {
    {.name = "models",
     CT_OPTION_AT(CUSTOM, struct settings, models),
     .argument = "NAME,...",
     .initial = "best",
     .parse = parse_models,
     .help =
         "models to use, or best: the best that the inputs allow: packets with schedules of all "
         "applications, else mutual with configurations, else lp with a schedule. all: every one "
         "of average_lt, average_stdev_lt, pdf_lt (look-up of a configuration), queue (curve over "
         "utilization), mutual (mixture of configurations in time, with co-runners that are slowed "
         "too), lp (run time of the application's schedule with the mean delay beside the "
         "co-runner), packets (schedules of all, simulated together as packets in the queues of "
         "ports). The null models none (no slowdown) and additive (means of the other measured "
         "co-runs) are always included"},
    {.name = "pair",
     CT_OPTION_AT(STRING, struct settings, choice.pair),
     .argument = "A+B",
     .help = "only A beside B and B beside A"},
    {.name = "with",
     CT_OPTION_AT(STRING, struct settings, choice.with),
     .argument = "B,C,...",
     .help = "every application beside all of these at once"},
    {.name = "explain",
     CT_OPTION_AT(STRING, struct settings, explain),
     .argument = "A+B[+C...]",
     .help = "show how the models predict A beside B (and C): the configurations and utilizations "
             "chosen, the curve, the distances"},
    {.name = "evaluate",
     CT_OPTION_AT(FLAG, struct settings, evaluate),
     .help = "show the quality of the models instead of the pairs: errors, the worst pairs, "
             "comparisons of models on the same pairs, utilizations compared with the switch "
             "counters, repeatability of co-runs"},
    {.name = "run-times",
     CT_OPTION_AT(FLAG, struct settings, run_times),
     .help = "also print run times in seconds, alone and together, measured and by the model "
             "packets, and their relative errors"},
    CT_ROW_PLACEMENT(struct settings, placement,
                     "only this placement of a campaign that has several; without it, all of them, "
                     "with a column 'placement' (--evaluate and --explain need it)"),
    {.name = "seal",
     CT_OPTION_AT(STRING, struct settings, seal),
     .target = CT_FILE_STREAM,
     .argument = "FILE" CT_SEAL_ENDING,
     .help = "also write the predictions to a file, before the co-runs are measured. An existing "
             "file is not overwritten. While it is in the folder of a campaign, crosstalk campaign "
             "run makes no run again that the predictions use"},
    {.name = "against",
     CT_OPTION_AT(STRING, struct settings, against),
     .argument = "FILE" CT_SEAL_ENDING,
     .help = "instead of predicting, compare sealed predictions with the slowdowns measured since: "
             "errors and coverage of each model"},
    {.name = "draws",
     CT_OPTION_AT(U64, struct settings, draws),
     .argument = "N",
     .initial = "20",
     .min = 2,
     .max = 100000,
     .help =
         "with --parameters: how many draws of the posterior every co-run is simulated with, by "
         "the model packets"},
    {.name = "no-cache",
     CT_OPTION_AT(FLAG, struct settings, no_cache),
     .help = "read all runs and simulate everything: no cache is read or written"},
    {0}};

static const struct ct_option_group groups[] = {
    {"Prediction", prediction_options, 0},
    {"Known loads", ct_link_rate_options, offsetof(struct settings, link_rate)},
    {"Schedules", ct_schedule_options, offsetof(struct settings, schedules)},
    {"Analysis and output", ct_analysis_options, offsetof(struct settings, analysis)},
    {0}};

static const char *const examples[] = {
    "crosstalk predict results",
    "every pair of the campaign in the folder results",
    "crosstalk predict campaign.h5 --pair fft+milc --models queue",
    "fft beside milc and milc beside fft, by the queue model",
    "crosstalk predict results --explain fft+milc",
    "how the models predict fft beside milc",
    "crosstalk predict results --with fft,milc",
    "every application beside fft and milc at once",
    "crosstalk predict results --models lp --L 20us --o 5us --G 160ns",
    "from schedules in results/schedules, without any CompressionB run",
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
    .summary = "predict the slowdown of every pair of applications",
    .operands = "DIR",
    .description =
        "DIR is a folder with the runs of a campaign, or a packed campaign. Most models predict A "
        "beside B from the effect of B on the probe, and from the slowdown of A under CompressionB "
        "configurations with the same effect; others use schedules of A, or of both. If A was run "
        "beside B, the measured slowdown and the error of each model are shown too; a model's "
        "error is |predicted - measured|.\n\n"
        "The interval of a prediction is made from known errors of the model: those for the other "
        "measured co-runs or, if these are too few, those for configurations, each left out in "
        "turn (split conformal prediction, docs/models.md). A level of 90 % needs nine of either "
        "kind; with fewer there is no interval, and a flag and a note say so. Intervals of "
        "measured slowdowns come from a bootstrap of probe latencies, runs and passes.\n\n"
        "Two null models use no input from the network: none predicts no slowdown, additive the "
        "mean slowdown of the application plus that beside the co-runner, less the mean of all. A "
        "model is useful if its errors are smaller than theirs. --evaluate compares every two "
        "models on the same pairs; the interval of the difference is a bootstrap over "
        "applications, not over pairs.\n\n"
        "Programs that share processors are also slowed by that, which is in no model of the "
        "network: the column 'by processors' is the part of a measured slowdown that waiting for "
        "processors explains, if the campaign recorded it (docs/models.md). If it is more than 2 % "
        "the pair is flagged, and errors are also printed without such pairs.\n\n"
        "An application whose baselines disagree beyond their 95 % intervals, so that it became "
        "slower or faster during the campaign, is named in a note and flagged in the table of "
        "pairs.\n\n"
        "A campaign with several placements (docs/campaigns.md) is one study for each: all tables "
        "have the column 'placement', and predictions use the runs of their placement only.\n\n"
        "Summaries of the probe runs and simulated slowdowns are kept in $XDG_CACHE_HOME/crosstalk "
        "(by default ~/.cache/crosstalk), so that samples are read and simulations are made once. "
        "They are bound to the content of what they are made from: if a run is changed, added or "
        "removed, they are computed again. They take at most 500 MB, and may be removed at any "
        "time.",
    .groups = groups,
    .min_operands = 1,
    .max_operands = 1,
    .examples = examples,
    .see_also = see_also};

/* ---- the whole ---- */

static enum ct_status fill_tables(const struct settings *settings,
                                  const struct ct_predict_answers *answers,
                                  const struct ct_predict_columns *columns,
                                  struct ct_tables *tables)
{
    if (settings->explain)
        return ct_predict_tables_explanation(answers, tables);
    if (!settings->evaluate) {
        ct_predict_tables_loads(answers, tables);
        ct_predict_tables_pairs(answers, columns, tables);
    }
    enum ct_status status = ct_predict_tables_errors(answers, tables);
    if (status == CT_OK && settings->evaluate)
        status = ct_predict_tables_evaluation(answers, tables);
    return status;
}

/* What is printed at the end, of one study or of one for each placement. */
struct output {
    struct ct_tables *tables;
    struct ct_predict_columns *columns;
    struct selection models; /* those of the first study, for all */
    const char *part;        /* placement; NULL: there is one study */
    bool is_first;
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
    if (output->part) {
        ct_tables_part(tables, (struct ct_column){"placement", "placement", CT_UNIT_NONE},
                       output->part);
        ct_tables_provenance(tables, "runs", "%zu", study->n_runs);
    }
    if (settings->models.best && output->is_first)
        ct_tables_provenance(tables, "default_model", "%s: %s", best->key, best->why);
    ct_describe_calibration(study, answers->analysis, text);
    ct_tables_provenance(tables, "calibration", "%s", text);
    if (ct_describe_queues(answers->schedules, text))
        ct_tables_provenance(tables, "packet_queues", "%s", text);
    ct_tables_provenance(tables, "schedules_used", "%zu of %zu applications",
                         answers->schedules->n_available, study->measured.n_apps);
    for (size_t app = 0; app < study->measured.n_apps && output->is_first; app++)
        ct_tables_text(tables, (struct ct_column){"apps[]", NULL, CT_UNIT_NONE},
                       ct_study_app(study, app));
}

static enum ct_status fill_draws(const struct settings *settings, const struct ct_session *session,
                                 const struct ct_predict_answers *answers, struct output *output,
                                 struct ct_error *err)
{
    struct ct_log log = ct_log_open(command.name, settings->analysis.view.quiet);
    return settings->explain ? CT_OK
                             : ct_predict_draws_fill(answers, session, settings->draws, &log,
                                                     output->tables, err);
}

static enum ct_status fill_answers(const struct settings *settings,
                                   const struct ct_session *session,
                                   const struct ct_predict_answers *answers, const char *directory,
                                   struct output *output, struct ct_error *err)
{
    if (!output->tables) {
        output->tables = ct_tables_new(command.name, (enum ct_format)settings->analysis.format);
        output->columns = ct_predict_columns_new(answers->is_asked);
    }
    enum ct_status status = output->tables && output->columns ? CT_OK : CT_ENOMEM;
    if (status == CT_OK) {
        fill_head(settings, session, answers, directory, output);
        status = fill_tables(settings, answers, output->columns, output->tables);
    }
    if (status != CT_OK)
        return ct_fail(err, status, "%s: %s", directory, ct_status_text(status));
    if (settings->run_times)
        status = ct_predict_times_fill(answers, output->tables, err);
    if (status == CT_OK)
        status = fill_draws(settings, session, answers, output, err);
    ct_predict_tables_notes(answers, output->tables);
    output->is_first = false;
    return status;
}

/* What was sealed beside what is measured by now. */
static enum ct_status print_against(const struct settings *settings, const struct ct_study *study,
                                    const struct ct_questions *questions, const char *directory,
                                    struct ct_error *err)
{
    struct ct_seal seal;
    struct ct_seal_verdict verdict = {0};
    enum ct_status status = ct_seal_read(settings->against, &seal, err);
    if (status != CT_OK)
        return status;
    struct ct_tables *tables =
        ct_tables_new(command.name, (enum ct_format)settings->analysis.format);
    struct ct_sealed_columns *columns = ct_sealed_columns_new(&seal);
    status = tables && columns ? ct_seal_judge(&seal, study, questions, &verdict) : CT_ENOMEM;
    if (status == CT_OK) {
        ct_tables_provenance(tables, "campaign", "%s", directory);
        ct_tables_parameters(tables, &command, settings);
        ct_predict_tables_sealed(&seal, &verdict, columns, tables);
        for (size_t i = 0; i < study->notes.n; i++)
            ct_tables_note(tables, "%s", study->notes.item[i]);
        status = ct_tables_print(tables, stdout, err);
    } else {
        ct_fail(err, status, "%s: %s", settings->against, ct_status_text(status));
    }
    ct_tables_free(tables);
    ct_sealed_columns_free(columns);
    ct_seal_verdict_free(&verdict);
    ct_seal_free(&seal);
    return status;
}

static enum ct_status seal_answers(const struct settings *settings,
                                   const struct ct_predict_answers *answers, struct ct_error *err)
{
    const struct ct_seal_input input = {.study = answers->study,
                                        .questions = answers->questions,
                                        .is_asked = answers->is_asked,
                                        .cases = answers->cases,
                                        .level = answers->setup.level,
                                        .seed = settings->analysis.seed};
    return settings->seal ? ct_seal_write(settings->seal, &input, err) : CT_OK;
}

/* Without any schedule the models that need one are left out where nobody asked for them. Null
 * models are always there: what the others say is to be compared with these. */
static struct selection models_to_ask(const struct settings *settings,
                                      const struct ct_session *session)
{
    struct selection models = settings->models;
    const char *best = ct_session_default(session)->key;
    size_t model;
    if (models.best && ct_predict_model_find(best, strlen(best), &model, NULL) == CT_OK)
        models.on[model] = true;
    for (size_t m = 0; m < CT_N_PREDICT_MODELS; m++)
        if (models.all && ct_predict_model_is(&ct_predict_models[m], CT_MODEL_NEEDS_SCHEDULE) &&
            session->schedules.n_available == 0 && !settings->explain)
            models.on[m] = false;
    for (size_t m = 0; m < CT_N_PREDICT_MODELS; m++)
        models.on[m] |= ct_predict_model_is(&ct_predict_models[m], CT_MODEL_IS_NULL);
    return models;
}

static enum ct_status make_questions(const struct settings *settings, const struct ct_study *study,
                                     struct ct_questions *questions_p, struct ct_error *err)
{
    if (!settings->explain)
        return ct_questions_make(study, &settings->choice, questions_p, err);
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

static enum ct_status answer(const struct settings *settings, const struct ct_session *session,
                             struct ct_predict_analysis *analysis, const char *directory,
                             struct output *output, struct ct_error *err)
{
    const struct ct_bootstrap setup = ct_predict_bootstrap(&settings->analysis);
    if (output->is_first && !settings->against)
        output->models = models_to_ask(settings, session);
    const struct selection models = output->models;
    struct ct_questions questions = {0};
    struct ct_predict_case *cases = NULL;
    enum ct_status status = make_questions(settings, &session->study, &questions, err);
    if (status == CT_OK) {
        struct ct_log log = ct_log_open(command.name, settings->analysis.view.quiet);
        ct_schedules_show(&session->schedules, &log);
        status = ct_questions_ask(&questions, models.on, analysis, &setup, &cases);
        ct_schedules_show(&session->schedules, NULL);
        if (status != CT_OK)
            ct_fail(err, status, "%s: %s", directory, ct_status_text(status));
    }
    if (status == CT_OK) {
        ct_questions_measure(&session->study, analysis, setup.level, &questions);
        const struct ct_predict_answers answers = {.study = &session->study,
                                                   .analysis = analysis,
                                                   .schedules = &session->schedules,
                                                   .questions = &questions,
                                                   .is_asked = models.on,
                                                   .setup = setup,
                                                   .cases = cases};
        status = settings->against
                     ? print_against(settings, &session->study, &questions, directory, err)
                     : seal_answers(settings, &answers, err);
        if (status == CT_OK && !settings->against)
            status = fill_answers(settings, session, &answers, directory, output, err);
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
    enum ct_status status = ct_session_open(wanted, &session, err);
    if (status != CT_OK)
        return status;
    if (output->is_first)
        ct_warn_all("crosstalk", &session.schedules.notes);
    status = ct_session_analyse(&session, wanted->path, &analysis, err);
    if (status == CT_OK) {
        status = answer(settings, &session, &analysis, wanted->path, output, err);
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

static enum ct_status predict(void *values, const struct ct_arguments *args, struct ct_error *err)
{
    const struct settings *settings = values;
    const char *directory = args->operands[0];
    struct ct_session_settings wanted = {.path = directory,
                                         .placement = settings->placement,
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
    wanted.schedules.keeps_goals = settings->schedules.model.posterior_path != NULL;
    if (status == CT_OK) {
        status = predict_one(settings, &wanted, &output, err);
        if (status == CT_EUSAGE && !for_one)
            status = predict_each(settings, &wanted, &output, err);
    }
    if (status == CT_OK && output.tables)
        status = ct_tables_print(output.tables, stdout, err);
    ct_tables_free(output.tables);
    ct_predict_columns_free(output.columns);
    return status;
}

int ct_cmd_predict(int argc, char **argv)
{
    struct settings settings = {0};
    return ct_command_main(&command, argc, argv, &settings, predict);
}
