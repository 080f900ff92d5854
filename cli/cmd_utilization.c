/* crosstalk utilization: from an idle and a loaded probe run to the utilization of the network. */
#include "cli/analysis.h"
#include "cli/cli.h"
#include "cli/link_rate.h"
#include "study/constants.h"
#include "study/describe.h"
#include "study/load_impact.h"
#include "study/network_settings.h"

#include <math.h>
#include <stdlib.h>

struct settings {
    const char *idle_path, *loaded_path;
    const char *calibration_path; /* NULL: none */
    struct ct_link_rate link_rate;
    struct ct_analysis_settings analysis;
};

static const struct ct_option input_options[] = {{.name = "idle",
                                                  .type = CT_OPTION_STRING,
                                                  .offset = offsetof(struct settings, idle_path),
                                                  .argument = "FILE.h5",
                                                  .required = true,
                                                  .help = "run of impactb on the idle network"},
                                                 {.name = "loaded",
                                                  .type = CT_OPTION_STRING,
                                                  .offset = offsetof(struct settings, loaded_path),
                                                  .argument = "FILE.h5",
                                                  .required = true,
                                                  .help = "run of impactb beside the load"},
                                                 {0}};

static const struct ct_option calibration_options[] = {
    {.name = "calibration",
     .type = CT_OPTION_STRING,
     .offset = offsetof(struct settings, calibration_path),
     .argument = "DIR",
     .help = "campaign, or packed campaign, on the same network: its CompressionB configurations, "
             "whose load is known, calibrate"},
    {0}};

static const struct ct_option_group groups[] = {
    {"Input", input_options, 0},
    {"Calibration", calibration_options, 0},
    {"Known loads", ct_link_rate_options, offsetof(struct settings, link_rate)},
    {"Analysis and output", ct_analysis_options, offsetof(struct settings, analysis)},
    {0}};

static const char *const examples[] = {
    "crosstalk utilization --idle idle.h5 --loaded beside-fft.h5",
    "utilization that fft causes, with 90% intervals",
    "crosstalk utilization --idle idle.h5 --loaded beside-fft.h5 --format json --seed 1",
    "the same for scripts, repeatable to the last digit",
    "crosstalk utilization --idle idle.h5 --loaded beside-fft.h5 --calibration results",
    "as the busy share of a link, calibrated by the configurations of the campaign 'results'",
    NULL};

static const char *const see_also[] = {"impactb(1)", "crosstalk-predict(1)", NULL};

static const struct ct_command command = {
    .name = "crosstalk utilization",
    .summary = "network utilization from probe latencies",
    .description =
        "Estimates utilization in up to four ways, each with an interval.\n\n"
        "pk: takes the network for one M/G/1 queue. The smallest latency on the idle network is "
        "the service time, the variance there its variance, and the mean latency under load gives "
        "the arrival rate by the formula of Pollaczek and Khinchine. Utilization is arrival rate "
        "by service rate. The service is the probe's, not that of the traffic: compare such "
        "utilizations on one network with each other, not with a counter. One odd latency on the "
        "idle network changes it much.\n\n"
        "By waiting: the share of probes that had to wait. Without --calibration the network is "
        "taken for a single queue; with it, for as many as the known loads suggest.\n\n"
        "By delay (with --calibration): M/G/1 with the service of the traffic, fitted to the known "
        "loads.\n\n"
        "By phases (with --calibration): the mixture of the campaign's configurations that "
        "explains the latencies best, and the sum of their known loads.",
    .groups = groups,
    .examples = examples,
    .see_also = see_also};

/* ---- calibration by configurations ---- */

static void note_other_network(struct ct_report *report, const struct settings *settings,
                               double own_s, double taught_s)
{
    double ratio = own_s / taught_s;
    double most = ct_study_constant(CT_STUDY_SAME_NETWORK);
    if (ratio > most || ratio < 1 / most)
        ct_report_note(report,
                       "The idle network of %s had a median latency of %.4g us, that of %s %.4g "
                       "us: calibrate on the same network.",
                       settings->calibration_path, 1e6 * taught_s, settings->idle_path,
                       1e6 * own_s);
}

/* The load as the one application of a campaign that has nothing else but configurations. */
static enum ct_status analyse(const struct settings *settings, const struct ct_values *idle,
                              const struct ct_values *loaded,
                              const struct ct_loaded_campaign *campaign,
                              const struct ct_bootstrap *setup,
                              struct ct_predict_analysis *analysis_p, struct ct_error *err)
{
    const struct ct_predict_input *taught = &campaign->input;
    const char *name = settings->loaded_path;
    const struct ct_series loaded_s = ct_values_series(loaded), none = {0};
    const struct ct_runs idle_runs = ct_values_runs(idle), loaded_runs = ct_values_runs(loaded);
    const double unknown = NAN;
    struct ct_series *untimed = calloc(taught->n_configs + 1, sizeof *untimed);
    if (!untimed)
        return ct_fail(err, CT_ENOMEM, "%zu configurations: out of memory", taught->n_configs);
    struct ct_predict_input input = {
        .n_apps = 1,
        .n_configs = taught->n_configs,
        .app_names = &name,
        .config_names = taught->config_names,
        .idle_latency_s = ct_values_series(idle),
        .app_latency_s = &loaded_s,
        .config_latency_s = taught->config_latency_s,
        .baseline_s = &none,
        .under_config_s = untimed,
        .beside_app_s = &none,
        .idle_true_utilization_frac = NAN,
        .app_true_utilization_frac = &unknown,
        .config_true_utilization_frac = taught->config_true_utilization_frac,
        .idle_runs = &idle_runs,
        .app_runs = &loaded_runs,
        .config_runs = taught->config_runs,
        .config_known_frac = taught->config_known_frac,
    };
    enum ct_status status = ct_predict_analyse(&input, setup, analysis_p, err);
    free(untimed);
    return status;
}

static enum ct_status load_calibration(const struct settings *settings,
                                       struct ct_loaded_campaign *campaign_p, struct ct_error *err)
{
    const char *path = settings->calibration_path;
    double rate = NAN;
    if (!path)
        return settings->link_rate.text
                   ? ct_fail(err, CT_EUSAGE, "--link-rate: is for --calibration, which is missing")
                   : CT_OK;
    enum ct_status status = ct_link_rate_parse(&settings->link_rate, &rate, err);
    if (status == CT_OK)
        status = ct_load_campaign(path, campaign_p, err);
    if (status != CT_OK)
        return status;
    return ct_link_rate_use(&settings->link_rate, path, campaign_p, err);
}

/* ---- the answer ---- */

static void report_pk(struct ct_report *report, const struct ct_queue_estimate *estimate)
{
    const struct {
        struct ct_column column;
        double value;
    } rows[] = {
        {{"mean_latency_s", "mean latency under load", CT_UNIT_SECONDS}, estimate->mean_latency_s},
        {{"service_rate_per_s", "service rate", CT_UNIT_PER_S}, 1 / estimate->service.time_s},
        {{"service_variance_s2", "variance of service time", CT_UNIT_SECONDS2},
         estimate->service.variance_s2},
        {{"arrival_rate_per_s", "arrival rate", CT_UNIT_PER_S}, estimate->arrival_rate_per_s},
        {{"utilization", "utilization " CT_QUEUE_MODEL, CT_UNIT_FRACTION},
         estimate->utilization_frac},
        {{"utilization_ci[]", "from", CT_UNIT_FRACTION}, estimate->utilization_interval.lo},
        {{"utilization_ci[]", "to", CT_UNIT_FRACTION}, estimate->utilization_interval.hi},
    };
    ct_report_text(report, (struct ct_column){"model", "model", CT_UNIT_NONE}, CT_QUEUE_MODEL);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        ct_report_number(report, rows[i].column, rows[i].value);
}

static void report_further(struct ct_report *report, const struct ct_predict_load *load,
                           bool is_calibrated)
{
    const struct {
        const char *key, *ci_key, *heading;
        const struct ct_utilization *utilization;
        bool needs_calibration;
    } rows[] = {{"waiting_utilization", "waiting_utilization_ci[]", "utilization by waiting",
                 &load->waiting, false},
                {"calibrated_utilization", "calibrated_utilization_ci[]", "utilization by delay",
                 &load->calibrated, true},
                {"mixture_utilization", "mixture_utilization_ci[]", "utilization by phases",
                 &load->mixture, true}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (rows[i].needs_calibration && !is_calibrated)
            continue;
        const struct ct_utilization *utilization = rows[i].utilization;
        const struct ct_column columns[] = {{rows[i].key, rows[i].heading, CT_UNIT_FRACTION},
                                            {rows[i].ci_key, "from", CT_UNIT_FRACTION},
                                            {rows[i].ci_key, "to", CT_UNIT_FRACTION}};
        ct_report_number(report, columns[0], utilization->frac);
        ct_report_number(report, columns[1], utilization->interval.lo);
        ct_report_number(report, columns[2], utilization->interval.hi);
    }
}

static void report_calibration(struct ct_report *report, const struct settings *settings,
                               const struct ct_loaded_campaign *campaign,
                               const struct ct_predict_analysis *analysis)
{
    char known[CT_DESCRIPTION_MAX];
    ct_describe_calibration(campaign, analysis, known);
    ct_report_provenance(report, "known loads", "%s", known);
    for (size_t i = 0; i < campaign->n_notes; i++)
        ct_report_note(report, "%s", campaign->notes[i]);
    double taught_s;
    if (ct_stats_quantile_of(campaign->input.idle_latency_s, 0.5, &taught_s) == CT_OK)
        note_other_network(report, settings, analysis->idle_latency_s, taught_s);
}

static enum ct_status estimate(const struct settings *settings, const struct ct_values *idle,
                               const struct ct_values *loaded, struct ct_report *report,
                               struct ct_error *err)
{
    struct ct_bootstrap setup = ct_analysis_bootstrap(&settings->analysis);
    struct ct_queue_estimate pk;
    char noise[CT_DESCRIPTION_MAX];
    struct ct_loaded_campaign campaign = {0};
    struct ct_predict_analysis analysis = {0};
    enum ct_status status =
        ct_queue_estimate(ct_values_series(idle), ct_values_series(loaded), &setup, &pk, err);
    if (status != CT_OK)
        return ct_fail_within(err, status, "--idle %s --loaded %s", settings->idle_path,
                              settings->loaded_path);
    status = load_calibration(settings, &campaign, err);
    if (status == CT_OK)
        status = analyse(settings, idle, loaded, &campaign, &setup, &analysis, err);
    if (status == CT_OK && settings->calibration_path && analysis.delay.n == 0)
        status = ct_fail(err, CT_ENODATA,
                         "--calibration %s: no configuration that was probed and whose load is "
                         "known, by the switch's counters or by --link-rate and recorded "
                         "compressionb runs",
                         settings->calibration_path);
    if (status == CT_OK) {
        ct_report_provenance(report, "idle latencies", "%zu", idle->n);
        ct_report_provenance(report, "loaded latencies", "%zu", loaded->n);
        if (settings->calibration_path)
            report_calibration(report, settings, &campaign, &analysis);
        report_pk(report, &pk);
        report_further(report, &analysis.apps[0], settings->calibration_path != NULL);
        if (ct_describe_idle_noise(&analysis, noise))
            ct_report_note(report, "%s", noise);
    }
    ct_predict_analysis_free(&analysis);
    ct_loaded_campaign_free(&campaign);
    return status;
}

static enum ct_status answer(const struct settings *settings, struct ct_error *err)
{
    struct ct_values idle = {0}, loaded = {0};
    struct ct_report *report =
        ct_report_new(command.name, (enum ct_format)settings->analysis.format);
    if (!report)
        return ct_fail(err, CT_ENOMEM, "report: out of memory");
    ct_analysis_provenance(&command, settings, report);
    enum ct_status status = ct_load_impact(settings->idle_path, &idle, NULL, err);
    if (status == CT_OK)
        status = ct_load_impact(settings->loaded_path, &loaded, NULL, err);
    if (status == CT_OK)
        status = estimate(settings, &idle, &loaded, report, err);
    if (status == CT_OK)
        status =
            ct_network_settings_note_files(settings->idle_path, settings->loaded_path, report, err);
    if (status == CT_OK)
        status = ct_report_print(report, stdout, err);
    ct_report_free(report);
    ct_values_free(&idle);
    ct_values_free(&loaded);
    return status;
}

int ct_cmd_utilization(int argc, char **argv)
{
    struct settings settings = {0};
    struct ct_arguments args;
    struct ct_error err;
    struct ct_log log = ct_log_open(command.name, false);
    enum ct_status status = ct_command_parse(&command, argc, argv, &settings, &args, stdout, &err);
    if (status == CT_OK && !args.finished)
        status = answer(&settings, &err);
    if (status != CT_OK)
        ct_log_error(&log, &err);
    return ct_exit_code(status);
}
