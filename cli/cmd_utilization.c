/* crosstalk utilization: from an idle and a loaded probe run to the utilization of the network. */
#include "cli/analysis.h"
#include "cli/cli.h"
#include "cli/load_impact.h"

struct settings {
    const char *idle_path, *loaded_path;
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

static const struct ct_option_group groups[] = {
    {"Input", input_options, 0},
    {"Analysis and output", ct_analysis_options, offsetof(struct settings, analysis)},
    {0}};

static const char *const examples[] = {
    "crosstalk utilization --idle idle.h5 --loaded beside-fft.h5",
    "utilization that fft causes, with a 95% interval",
    "crosstalk utilization --idle idle.h5 --loaded beside-fft.h5 --format json --seed 1",
    "the same for scripts, repeatable to the last digit", NULL};

static const char *const see_also[] = {"impactb(1)", "crosstalk-predict(1)", NULL};

static const struct ct_command command = {
    .name = "crosstalk utilization",
    .summary = "network utilization from probe latencies",
    .description =
        "Takes the network for one M/G/1 queue: the smallest latency on the idle network is the "
        "service time, the variance there its variance, and the mean latency under load gives the "
        "arrival rate by the formula of Pollaczek and Khinchine. Utilization is arrival rate by "
        "service rate.\n\n"
        "The service is the probe's, not that of the traffic: compare utilizations on one network "
        "with each other, not with a counter.",
    .groups = groups,
    .examples = examples,
    .see_also = see_also};

static void fill_report(struct ct_report *report, const struct ct_queue_estimate *estimate)
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
        {{"utilization", "utilization", CT_UNIT_FRACTION}, estimate->utilization_frac},
        {{"utilization_ci[]", "interval from", CT_UNIT_FRACTION},
         estimate->utilization_interval.lo},
        {{"utilization_ci[]", "interval to", CT_UNIT_FRACTION}, estimate->utilization_interval.hi},
    };
    ct_report_text(report, (struct ct_column){"model", "model", CT_UNIT_NONE}, CT_QUEUE_MODEL);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        ct_report_number(report, rows[i].column, rows[i].value);
}

static enum ct_status answer(const struct settings *settings, struct ct_error *err)
{
    struct ct_values idle = {0}, loaded = {0};
    struct ct_report *report = NULL;
    struct ct_queue_estimate estimate;
    struct ct_bootstrap setup = ct_analysis_bootstrap(&settings->analysis);
    enum ct_status status = ct_load_impact(settings->idle_path, &idle, NULL, err);
    if (status == CT_OK)
        status = ct_load_impact(settings->loaded_path, &loaded, NULL, err);
    if (status != CT_OK)
        goto out;
    status = ct_queue_estimate(ct_values_series(&idle), ct_values_series(&loaded), &setup,
                               &estimate, err);
    if (status != CT_OK) {
        ct_fail_within(err, "--idle %s --loaded %s", settings->idle_path, settings->loaded_path);
        goto out;
    }
    report = ct_report_new(command.name, (enum ct_format)settings->analysis.format);
    if (!report) {
        status = ct_fail(err, CT_ENOMEM, "report: out of memory");
        goto out;
    }
    ct_analysis_provenance(&command, settings, report);
    ct_report_provenance(report, "idle latencies", "%zu", idle.n);
    ct_report_provenance(report, "loaded latencies", "%zu", loaded.n);
    fill_report(report, &estimate);
    status = ct_report_print(report, stdout, err);
out:
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
