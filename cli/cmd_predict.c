/* crosstalk predict: measured and predicted slowdown of every pair of applications. */
#include "cli/analysis.h"
#include "cli/cli.h"
#include "cli/load_campaign.h"
#include "predict/models.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- options ---- */

struct selection {
    bool on[CT_N_PREDICT_MODELS];
};

struct settings {
    struct selection models;
    const char *pair; /* NULL: all */
    struct ct_analysis_settings analysis;
};

static enum ct_status parse_models(const char *text, void *field, struct ct_error *err)
{
    struct selection selection = {0};
    bool all = !strcmp(text, "all");
    for (const char *name = text;; name++) {
        size_t length = strcspn(name, ",");
        bool known = all;
        for (size_t m = 0; m < CT_N_PREDICT_MODELS; m++) {
            const char *key = ct_predict_models[m].key;
            bool named = strlen(key) == length && !strncmp(key, name, length);
            selection.on[m] |= all || named;
            known |= named;
        }
        if (!known) {
            char keys[200] = "all";
            for (size_t m = 0; m < CT_N_PREDICT_MODELS; m++) {
                size_t used = strlen(keys);
                snprintf(keys + used, sizeof keys - used, ", %s", ct_predict_models[m].key);
            }
            return ct_fail(err, CT_EINVAL, "'%.*s': no such model; there are: %s", (int)length,
                           name, keys);
        }
        name += length;
        if (*name == '\0')
            break;
    }
    *(struct selection *)field = selection;
    return CT_OK;
}

static const struct ct_option prediction_options[] = {
    {.name = "models",
     .type = CT_OPTION_CUSTOM,
     .offset = offsetof(struct settings, models),
     .argument = "NAME,...",
     .initial = "all",
     .parse = parse_models,
     .help = "models to ask: average_lt (look-up by mean latency), queue (curve over utilization)"},
    {.name = "pair",
     .type = CT_OPTION_STRING,
     .offset = offsetof(struct settings, pair),
     .argument = "A+B",
     .help = "only A beside B and B beside A"},
    {0}};

static const struct ct_option_group groups[] = {
    {"Prediction", prediction_options, 0},
    {"Analysis and output", ct_analysis_options, offsetof(struct settings, analysis)},
    {0}};

static const char *const examples[] = {
    "crosstalk predict results",
    "every pair of the campaign in the folder results",
    "crosstalk predict campaign.h5 --pair fft+milc --models queue",
    "fft beside milc and milc beside fft, by the queue model",
    "crosstalk predict results --format json --seed 1",
    "for scripts, repeatable to the last digit",
    NULL};

static const char *const see_also[] = {"crosstalk-campaign(1)", "crosstalk-utilization(1)", NULL};

static const struct ct_command command = {
    .name = "crosstalk predict",
    .summary = "predict the slowdown of every pair of applications",
    .operands = "DIR",
    .description =
        "DIR is a folder with the runs of a campaign, or a packed campaign. The prediction for A "
        "beside B uses what B does to a probe, and how much A is slowed by CompressionB "
        "configurations that do as much to it. Where A was run beside B, the measured slowdown and "
        "the error of each model are shown too; a model's error is |predicted - measured|.\n\n"
        "An application whose baselines disagree beyond their 95 % intervals, so that it became "
        "slower or faster in the course of the campaign, is named in a note and flagged in the "
        "table of pairs.",
    .groups = groups,
    .min_operands = 1,
    .max_operands = 1,
    .examples = examples,
    .see_also = see_also};

/* ---- which pairs ---- */

struct pair {
    size_t app, with;
};

struct pairs {
    struct pair *items;
    size_t n;
};

/* Both names of "A+B"; a name may hold a plus itself, so every plus is tried. */
static bool find_pair(const struct ct_predict_input *input, const char *text, struct pair *pair_p)
{
    for (const char *plus = strchr(text, '+'); plus; plus = strchr(plus + 1, '+')) {
        size_t app = 0, with = 0, length = (size_t)(plus - text);
        while (app < input->n_apps && (strlen(input->app_names[app]) != length ||
                                       strncmp(input->app_names[app], text, length) != 0))
            app++;
        while (with < input->n_apps && strcmp(input->app_names[with], plus + 1) != 0)
            with++;
        if (app < input->n_apps && with < input->n_apps) {
            *pair_p = (struct pair){app, with};
            return true;
        }
    }
    return false;
}

static enum ct_status no_such_pair(const struct ct_predict_input *input, const char *wanted,
                                   struct ct_error *err)
{
    char names[300] = "";
    for (size_t app = 0; app < input->n_apps; app++) {
        size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s", app ? ", " : "", input->app_names[app]);
    }
    return ct_fail(err, CT_EUSAGE, "--pair: '%s': not A+B with two of %s", wanted, names);
}

static enum ct_status list_pairs(const struct ct_predict_input *input, const char *wanted,
                                 struct pairs *pairs_p, struct ct_error *err)
{
    struct pair only = {0};
    if (wanted && !find_pair(input, wanted, &only))
        return no_such_pair(input, wanted, err);
    struct pairs pairs = {.items = calloc(input->n_apps * input->n_apps + 1, sizeof *pairs.items)};
    if (!pairs.items)
        return ct_fail(err, CT_ENOMEM, "%zu applications: out of memory", input->n_apps);
    for (size_t app = 0; app < input->n_apps; app++)
        for (size_t with = 0; with < input->n_apps; with++) {
            bool forth = app == only.app && with == only.with;
            bool back = app == only.with && with == only.app;
            if (!wanted || forth || back)
                pairs.items[pairs.n++] = (struct pair){app, with};
        }
    *pairs_p = pairs;
    return CT_OK;
}

/* ---- what has to be there, and what is missing ---- */

static bool any(const struct ct_series *series, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (series[i].n > 0)
            return true;
    return false;
}

/* Pieces without which there is nothing to predict, each with what makes it. */
static enum ct_status check_input(const struct ct_predict_input *input, const char *directory,
                                  struct ct_error *err)
{
    const struct {
        bool missing;
        const char *what, *by;
    } pieces[] = {
        {input->idle_latency_s.n == 0, "no probe run on the idle network",
         "'impactb --output FILE.h5' with nothing beside it"},
        {!any(input->config_latency_s, input->n_configs),
         "no probe run beside a CompressionB configuration", "impactb beside compressionb"},
        {!any(input->app_latency_s, input->n_apps), "no probe run beside an application",
         "impactb beside 'workload NAME --loop'"},
        {!any(input->baseline_s, input->n_apps), "no baseline, an application timed alone",
         "'workload NAME --output FILE.h5'"},
        {!any(input->under_config_s, input->n_apps * input->n_configs),
         "no application timed beside a CompressionB configuration",
         "'workload NAME --output FILE.h5' beside compressionb"},
    };
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++)
        if (pieces[i].missing)
            return ct_fail(err, CT_ENODATA,
                           "%s: %s; 'crosstalk campaign run FILE.yaml' makes it (%s)", directory,
                           pieces[i].what, pieces[i].by);
    return CT_OK;
}

static void note_missing(const struct ct_predict_input *input, struct ct_report *report)
{
    for (size_t app = 0; app < input->n_apps; app++) {
        const char *name = input->app_names[app];
        size_t n_under = 0, first = app * input->n_configs;
        for (size_t c = 0; c < input->n_configs; c++)
            n_under += input->under_config_s[first + c].n > 0;
        if (input->baseline_s[app].n == 0)
            ct_report_note(report, "missing: baseline of %s; no slowdown of it is known", name);
        if (input->app_latency_s[app].n == 0)
            ct_report_note(report,
                           "missing: probe run beside %s; its co-runners' slowdowns cannot "
                           "be predicted",
                           name);
        if (n_under < input->n_configs)
            ct_report_note(report, "missing: %s was timed beside %zu of %zu configurations", name,
                           n_under, input->n_configs);
    }
    for (size_t c = 0; c < input->n_configs; c++)
        if (input->config_latency_s[c].n == 0)
            ct_report_note(report, "missing: probe run beside %s; it serves no model",
                           input->config_names[c]);
}

/* ---- report ---- */

/* Everything that the report is made from. */
struct answer {
    const struct settings *settings;
    const struct ct_predict_input *input;
    const struct ct_predict_analysis *analysis;
    const struct ct_drifts *drifts;
    struct pairs pairs;
    struct ct_prediction *predictions; /* [model * pairs.n + pair] */
    double *predicted, *measured;      /* [pair], for the errors of one model */
};

static const struct ct_column load_columns[] = {
    {"what", "load", CT_UNIT_NONE},
    {"name", "name", CT_UNIT_NONE},
    {"latencies", "latencies", CT_UNIT_COUNT},
    {"mean_latency_s", "mean latency", CT_UNIT_SECONDS},
    {"utilization", "utilization " CT_QUEUE_MODEL, CT_UNIT_FRACTION},
    {"utilization_ci[]", "from", CT_UNIT_FRACTION},
    {"utilization_ci[]", "to", CT_UNIT_FRACTION},
    {"true_utilization", "switch counters", CT_UNIT_FRACTION},
};

static void add_load(struct ct_report *report, const char *what, const char *name,
                     const struct ct_predict_load *load)
{
    bool probed = load->profile.latency_s.n > 0;
    ct_report_cell_text(report, what);
    ct_report_cell_text(report, name);
    ct_report_cell_number(report, (double)load->profile.latency_s.n);
    ct_report_cell_number(report, probed ? load->profile.latency_s.mean : NAN);
    ct_report_cell_number(report, load->utilization_frac);
    ct_report_cell_number(report, load->utilization_interval.lo);
    ct_report_cell_number(report, load->utilization_interval.hi);
    ct_report_cell_number(report, load->true_utilization_frac);
}

static void report_loads(const struct answer *answer, struct ct_report *report)
{
    const struct ct_predict_analysis *analysis = answer->analysis;
    ct_report_table(report, "loads", "What each load does to the probe", load_columns,
                    sizeof load_columns / sizeof *load_columns);
    add_load(report, "idle", "", &analysis->idle);
    for (size_t app = 0; app < analysis->n_apps; app++)
        add_load(report, "application", answer->input->app_names[app], &analysis->apps[app]);
    for (size_t c = 0; c < analysis->n_configs; c++)
        add_load(report, "configuration", answer->input->config_names[c], &analysis->configs[c]);
}

static const struct ct_column pair_columns_first[] = {
    {"app", "app", CT_UNIT_NONE},
    {"with", "with", CT_UNIT_NONE},
    {"measured", "measured", CT_UNIT_FRACTION},
    {"measured_ci[]", "from", CT_UNIT_FRACTION},
    {"measured_ci[]", "to", CT_UNIT_FRACTION},
};

enum { N_FIRST = sizeof pair_columns_first / sizeof *pair_columns_first };

/* Columns of the table of pairs: the first ones, two for each model, the flags. */
struct pair_columns {
    struct ct_column columns[N_FIRST + 2 * CT_N_PREDICT_MODELS + 1];
    size_t n;
    char keys[CT_N_PREDICT_MODELS][2][64];
    char headings[CT_N_PREDICT_MODELS][64];
};

static void make_pair_columns(const struct selection *selected, struct pair_columns *made)
{
    memcpy(made->columns, pair_columns_first, sizeof pair_columns_first);
    made->n = N_FIRST;
    for (size_t m = 0; m < CT_N_PREDICT_MODELS; m++) {
        const char *key = ct_predict_models[m].key;
        if (!selected->on[m])
            continue;
        snprintf(made->keys[m][0], sizeof made->keys[m][0], "predicted.%s", key);
        snprintf(made->keys[m][1], sizeof made->keys[m][1], "error.%s", key);
        snprintf(made->headings[m], sizeof made->headings[m], "%s", key);
        made->columns[made->n++] =
            (struct ct_column){made->keys[m][0], made->headings[m], CT_UNIT_FRACTION};
        made->columns[made->n++] = (struct ct_column){made->keys[m][1], "off by", CT_UNIT_FRACTION};
    }
    made->columns[made->n++] = (struct ct_column){"flags", "flags", CT_UNIT_NONE};
}

static void report_pairs(const struct answer *answer, const struct pair_columns *columns,
                         struct ct_report *report)
{
    const struct selection *selected = &answer->settings->models;
    ct_report_table(report, "pairs", "Slowdown of app beside with (off by: percentage points)",
                    columns->columns, columns->n);
    for (size_t p = 0; p < answer->pairs.n; p++) {
        struct pair pair = answer->pairs.items[p];
        const struct ct_slowdown *measured =
            &answer->analysis->beside_app[pair.app * answer->analysis->n_apps + pair.with];
        char flags[256] = "";
        ct_report_cell_text(report, answer->input->app_names[pair.app]);
        ct_report_cell_text(report, answer->input->app_names[pair.with]);
        ct_report_cell_number(report, measured->frac);
        ct_report_cell_number(report, measured->interval.lo);
        ct_report_cell_number(report, measured->interval.hi);
        for (size_t m = 0; m < CT_N_PREDICT_MODELS; m++) {
            const struct ct_prediction *prediction = &answer->predictions[m * answer->pairs.n + p];
            if (!selected->on[m])
                continue;
            ct_report_cell_number(report, prediction->slowdown_frac);
            ct_report_cell_number(report, prediction->slowdown_frac - measured->frac);
            size_t used = strlen(flags);
            if (prediction->flag != CT_PREDICTION_PLAIN)
                snprintf(flags + used, sizeof flags - used, "%s%s: %s", used ? "; " : "",
                         ct_predict_models[m].key, ct_prediction_flag_text(prediction->flag));
        }
        if (ct_drifts_of(answer->drifts, answer->input->app_names[pair.app])) {
            size_t used = strlen(flags);
            snprintf(flags + used, sizeof flags - used, "%sbaseline drifts", used ? "; " : "");
        }
        ct_report_cell_text(report, flags);
    }
}

static const struct ct_column error_columns[] = {
    {"model", "model", CT_UNIT_NONE},         {"pairs", "pairs", CT_UNIT_COUNT},
    {"mean_abs", "mean", CT_UNIT_FRACTION},   {"median", "median", CT_UNIT_FRACTION},
    {"q1", "1st quartile", CT_UNIT_FRACTION}, {"q3", "3rd quartile", CT_UNIT_FRACTION},
    {"max", "max", CT_UNIT_FRACTION},
};

static enum ct_status report_errors(const struct answer *answer, struct ct_report *report)
{
    ct_report_table(report, "errors{}", "Error of the models: |predicted - measured|",
                    error_columns, sizeof error_columns / sizeof *error_columns);
    for (size_t m = 0; m < CT_N_PREDICT_MODELS; m++) {
        if (!answer->settings->models.on[m])
            continue;
        for (size_t p = 0; p < answer->pairs.n; p++) {
            struct pair pair = answer->pairs.items[p];
            answer->predicted[p] = answer->predictions[m * answer->pairs.n + p].slowdown_frac;
            answer->measured[p] =
                answer->analysis->beside_app[pair.app * answer->analysis->n_apps + pair.with].frac;
        }
        struct ct_predict_errors errors;
        enum ct_status status =
            ct_predict_errors_of(answer->predicted, answer->measured, answer->pairs.n, &errors);
        if (status != CT_OK)
            return status;
        ct_report_cell_text(report, ct_predict_models[m].key);
        ct_report_cell_number(report, (double)errors.n);
        ct_report_cell_number(report, errors.mean_abs);
        ct_report_cell_number(report, errors.median);
        ct_report_cell_number(report, errors.q1);
        ct_report_cell_number(report, errors.q3);
        ct_report_cell_number(report, errors.max);
    }
    return CT_OK;
}

/* Each flag that occurred is explained once. */
static void note_flags(const struct answer *answer, struct ct_report *report)
{
    for (int flag = CT_PREDICTION_PLAIN + 1; flag < CT_PREDICTION_N_FLAGS; flag++) {
        size_t n = 0;
        for (size_t m = 0; m < CT_N_PREDICT_MODELS; m++)
            for (size_t p = 0; p < answer->pairs.n && answer->settings->models.on[m]; p++)
                n += answer->predictions[m * answer->pairs.n + p].flag ==
                     (enum ct_prediction_flag)flag;
        if (n > 0)
            ct_report_note(report, "%s (%zu predictions): %s",
                           ct_prediction_flag_text((enum ct_prediction_flag)flag), n,
                           ct_prediction_flag_meaning((enum ct_prediction_flag)flag));
    }
}

/* Of applications that are timed in a pair that is shown. */
static void note_drifts(const struct answer *answer, struct ct_report *report)
{
    for (size_t i = 0; i < answer->drifts->n; i++) {
        const struct ct_app_drift *drift = &answer->drifts->items[i];
        bool shown = false;
        for (size_t p = 0; p < answer->pairs.n && !shown; p++)
            shown = !strcmp(answer->input->app_names[answer->pairs.items[p].app], drift->app);
        char text[400];
        ct_drift_describe(drift, text, sizeof text);
        if (shown)
            ct_report_note(report, "%s", text);
    }
}

/* ---- the whole ---- */

static enum ct_status predict_pairs(struct answer *answer)
{
    size_t n = answer->pairs.n;
    /* One more than needed: calloc(0) may answer NULL. */
    answer->predictions = calloc(n * CT_N_PREDICT_MODELS + 1, sizeof *answer->predictions);
    answer->predicted = calloc(n + 1, sizeof *answer->predicted);
    answer->measured = calloc(n + 1, sizeof *answer->measured);
    if (!answer->predictions || !answer->predicted || !answer->measured)
        return CT_ENOMEM;
    for (size_t m = 0; m < CT_N_PREDICT_MODELS; m++)
        for (size_t p = 0; p < n && answer->settings->models.on[m]; p++) {
            enum ct_status status = ct_predict_models[m].predict(
                &ct_predict_models[m], answer->analysis, answer->pairs.items[p].app,
                answer->pairs.items[p].with, &answer->predictions[m * n + p]);
            if (status != CT_OK)
                return status;
        }
    return CT_OK;
}

static enum ct_status print_answer(struct answer *answer, const struct ct_loaded_campaign *campaign,
                                   const char *directory, struct ct_error *err)
{
    struct ct_report *report =
        ct_report_new(command.name, (enum ct_format)answer->settings->analysis.format);
    if (!report)
        return ct_fail(err, CT_ENOMEM, "report: out of memory");
    ct_report_provenance(report, "campaign", "%s", directory);
    ct_report_provenance(report, "runs", "%zu", campaign->n_runs);
    ct_analysis_provenance(&command, answer->settings, report);
    struct ct_column name_column = {"apps[]", NULL, CT_UNIT_NONE};
    for (size_t app = 0; app < answer->input->n_apps; app++)
        ct_report_text(report, name_column, answer->input->app_names[app]);
    struct pair_columns columns;
    make_pair_columns(&answer->settings->models, &columns);
    report_loads(answer, report);
    report_pairs(answer, &columns, report);
    enum ct_status status = report_errors(answer, report);
    if (status == CT_OK) {
        note_flags(answer, report);
        note_drifts(answer, report);
        note_missing(answer->input, report);
        for (size_t i = 0; i < campaign->n_notes; i++)
            ct_report_note(report, "%s", campaign->notes[i]);
        status = ct_report_print(report, stdout, err);
    } else {
        ct_fail(err, status, "errors of the models: %s", ct_status_text(status));
    }
    ct_report_free(report);
    return status;
}

static enum ct_status predict(const struct settings *settings, const char *directory,
                              struct ct_error *err)
{
    struct ct_loaded_campaign campaign;
    enum ct_status status = ct_load_campaign(directory, &campaign, err);
    if (status != CT_OK)
        return status;
    struct ct_predict_analysis analysis = {0};
    struct answer answer = {.settings = settings,
                            .input = &campaign.input,
                            .analysis = &analysis,
                            .drifts = &campaign.drifts};
    struct ct_bootstrap setup = ct_analysis_bootstrap(&settings->analysis);
    status = check_input(&campaign.input, directory, err);
    if (status == CT_OK)
        status = list_pairs(&campaign.input, settings->pair, &answer.pairs, err);
    if (status == CT_OK && ct_predict_analyse(&campaign.input, &setup, &analysis, err) != CT_OK)
        status = ct_fail_within(err, "%s", directory);
    if (status == CT_OK) {
        status = predict_pairs(&answer);
        if (status != CT_OK)
            ct_fail(err, status, "%s: %s", directory, ct_status_text(status));
    }
    if (status == CT_OK)
        status = print_answer(&answer, &campaign, directory, err);
    free(answer.pairs.items);
    free(answer.predictions);
    free(answer.predicted);
    free(answer.measured);
    ct_predict_analysis_free(&analysis);
    ct_loaded_campaign_free(&campaign);
    return status;
}

int ct_cmd_predict(int argc, char **argv)
{
    struct settings settings = {0};
    struct ct_arguments args;
    struct ct_error err;
    struct ct_log log = ct_log_open(command.name, false);
    enum ct_status status = ct_command_parse(&command, argc, argv, &settings, &args, stdout, &err);
    if (status == CT_OK && !args.finished)
        status = predict(&settings, args.operands[0], &err);
    if (status != CT_OK)
        ct_log_error(&log, &err);
    return ct_exit_code(status);
}
