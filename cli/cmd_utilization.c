/* crosstalk utilization: from an idle and a loaded probe run to the utilization of the network. */
#include "cli/analysis.h"
#include "cli/cli.h"
#include "cli/link_rate.h"
#include "cli/link_utilization.h"
#include "study/constants.h"
#include "study/describe.h"
#include "study/utilization.h"

#include <math.h>
#include <stddef.h>

struct settings {
    const char *idle_path, *loaded_path;
    const char *calibration_path; /* NULL: none */
    struct ct_link_rate link_rate;
    struct ct_link_utilization_values links;
    struct ct_analysis_settings analysis;
};

static const struct ct_option input_options[] = {
    {CT_OPTION(STRING, "idle", struct settings, idle_path), .argument = "FILE.h5", .required = true,
     .help = "run of impactb on the idle network"},
    {CT_OPTION(STRING, "loaded", struct settings, loaded_path), .argument = "FILE.h5",
     .required = true, .help = "run of impactb beside the load"},
    {0}};

static const struct ct_option calibration_options[] = {
    {CT_OPTION(STRING, "calibration", struct settings, calibration_path), .argument = "DIR",
     .help = "campaign, or packed campaign, on the same network: the estimates are calibrated with "
             "its CompressionB configurations, whose load is known"},
    {0}};

static const struct ct_option_group groups[] = {
    {"Input", input_options, 0},
    {"Calibration", calibration_options, 0},
    {"Known loads", ct_link_rate_options, offsetof(struct settings, link_rate)},
    {"Links", ct_link_utilization_options, offsetof(struct settings, links)},
    {"Analysis and output", ct_analysis_options, offsetof(struct settings, analysis)},
    {0}};

static const char *const examples[] = {
    "crosstalk utilization --idle idle.h5 --loaded beside-fft.h5",
    "utilization that fft causes, with 90% intervals",
    "crosstalk utilization --idle idle.h5 --loaded beside-fft.h5 --format json --seed 1",
    "the same for scripts, repeatable to the last digit",
    "crosstalk utilization --idle idle.h5 --loaded beside-fft.h5 --calibration results",
    "as the share of a link, calibrated with the configurations of the campaign 'results'",
    "crosstalk utilization --links --idle idle.h5 --loaded beside-fft.h5 --plot busy.svg",
    "which links fft makes busy, in a network of several switches, and a picture",
    NULL};

static const char *const see_also[] = {"impactb(1)", "crosstalk-predict(1)",
                                       "crosstalk-topology(1)", NULL};

static const struct ct_command command = {
    .name = "crosstalk utilization",
    .summary = "network utilization from probe latencies",
    .description =
        "Estimates utilization in up to four ways, each with an interval. That by waiting is "
        "printed, "
        "or with --calibration the one that is off least for the known loads; --all prints all.\n\n"
        "Paper's index (pk): models the network as one M/G/1 queue. The smallest latency on the "
        "idle network is "
        "the service time, the variance there its variance, and the mean latency under load gives "
        "the arrival rate by the formula of Pollaczek and Khinchine. Utilization is arrival rate "
        "by service rate. The service is that of the probe, not of the traffic: it is an index "
        "that "
        "grows with the load, and no share of time; compare it on one network with itself, not "
        "with a "
        "counter. A single outlier on the "
        "idle network changes it much.\n\n"
        "By waiting: the share of probes that had to wait. Without --calibration the network is "
        "modelled as a single queue; with it, as a number of queues that is fitted to the known "
        "loads.\n\n"
        "By delay (with --calibration): M/G/1 with the service of the traffic, fitted to the known "
        "loads.\n\n"
        "By phases (with --calibration): the mixture of the campaign's configurations whose "
        "latencies are nearest, and the sum of their known loads, weighted by their shares of the "
        "time.\n\n"
        "The interval is that of the probes of these two runs: it has neither what a missing "
        "calibration costs nor how idle networks differ from run to run. crosstalk predict "
        "calibrates and takes all idle runs of a campaign; its values may lie outside.\n\n"
        "With --links: how busy each link is on which the probes' round trips pass, and how long "
        "messages wait there, from runs of impactb on a known topology. Mean waits add up along a "
        "path; the share of probes that had to wait follows from the busy shares of its links. "
        "Links that every pair of nodes uses together have one value.",
    .groups = groups,
    .examples = examples,
    .see_also = see_also};

/* ---- the answer ---- */

static void note_other_network(struct ct_tables *tables, const struct settings *settings,
                               double own_s, double taught_s)
{
    double ratio = own_s / taught_s; /* NaN: not known */
    double most = ct_study_constant(CT_STUDY_SAME_NETWORK);
    if (ratio > most || ratio < 1 / most)
        ct_tables_note(tables,
                       "The idle network of %s had a median latency of %.4g us, that of %s %.4g "
                       "us: calibrate on the same network.",
                       settings->calibration_path, 1e6 * taught_s, settings->idle_path,
                       1e6 * own_s);
}

static void fill_pk(struct ct_tables *tables, const struct ct_queue_estimate *estimate)
{
    const struct ct_value rows[] = {
        {{"service_rate_per_s", "service rate", CT_UNIT_PER_S}, 1 / estimate->service.time_s},
        {{"service_variance_s2", "variance of service time", CT_UNIT_SECONDS2},
         estimate->service.variance_s2},
        {{"arrival_rate_per_s", "arrival rate", CT_UNIT_PER_S}, estimate->arrival_rate_per_s},
        {{"utilization", CT_QUEUE_WORDS, CT_UNIT_FRACTION}, estimate->utilization_frac},
        {{"utilization_ci[]", "from", CT_UNIT_FRACTION}, estimate->utilization_interval.lo},
        {{"utilization_ci[]", "to", CT_UNIT_FRACTION}, estimate->utilization_interval.hi},
    };
    CT_TABLES_NUMBER(tables, "mean_latency_s", "mean latency under load", SECONDS,
                     estimate->mean_latency_s);
    ct_tables_detail(tables, true);
    CT_TABLES_TEXT(tables, "model", "model", CT_QUEUE_MODEL);
    CT_TABLES_NUMBERS(tables, rows);
    ct_tables_detail(tables, false);
}

/* A share of the time, for a sentence. */
static const char *share_in_words(double frac)
{
    static const struct {
        double most;
        const char *words;
    } rows[] = {{0.03, "hardly ever"},
                {0.075, "about a twentieth of the time"},
                {0.15, "about a tenth of the time"},
                {0.225, "about a fifth of the time"},
                {0.29, "about a quarter of the time"},
                {0.4, "about a third of the time"},
                {0.59, "about half of the time"},
                {0.71, "about two thirds of the time"},
                {0.83, "about three quarters of the time"},
                {0.95, "about nine tenths of the time"},
                {INFINITY, "nearly all of the time"}};
    size_t i = 0;
    while (!(frac <= rows[i].most) && i + 1 < sizeof rows / sizeof *rows)
        i++;
    return rows[i].words;
}

static void answer_in_words(struct ct_tables *tables, const struct ct_utilization *used,
                            const char *estimate, const struct ct_predict_fit *fit)
{
    char share[CT_UNITS_TEXT_MAX], lo[CT_UNITS_TEXT_MAX], hi[CT_UNITS_TEXT_MAX];
    if (isnan(used->frac)) {
        ct_tables_answer(tables, "How busy the network was is not known.");
        return;
    }
    ct_format_share(used->frac, share);
    ct_format_share(used->interval.lo, lo);
    ct_format_share(used->interval.hi, hi);
    ct_tables_answer(
        tables, "A message had to wait %s: utilization %s, %s to %s (by %s, in these two runs).",
        share_in_words(used->frac), share, lo, hi, estimate);
    if (fit)
        ct_tables_answer(tables,
                         "It is off by %.0f points (root mean square) for the %zu known loads.",
                         100 * fit->rms_frac, fit->n);
    else
        ct_tables_answer(tables, "How far that is off is not known without known loads: "
                                 "--calibration CAMPAIGN.");
}

/* The other estimates are details; where loads are known, the one that is off least for them is
 * shown, else that by waiting. */
static void fill_further(struct ct_tables *tables, const struct ct_predict_analysis *analysis,
                         bool is_calibrated)
{
    const struct ct_predict_load *load = &analysis->apps[0];
    bool by_delay = is_calibrated && analysis->delay.rms_frac < analysis->waiting.rms_frac;
    const struct {
        const char *key, *ci_key, *heading;
        const struct ct_utilization *utilization;
        bool needs_calibration, is_used;
    } rows[] = {{"waiting_utilization", "waiting_utilization_ci[]", "utilization by waiting",
                 &load->waiting, false, !by_delay},
                {"calibrated_utilization", "calibrated_utilization_ci[]", "utilization by delay",
                 &load->calibrated, true, by_delay},
                {"mixture_utilization", "mixture_utilization_ci[]", "utilization by phases",
                 &load->mixture, true, false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (rows[i].needs_calibration && !is_calibrated)
            continue;
        const struct ct_utilization *utilization = rows[i].utilization;
        const struct ct_column columns[] = {{rows[i].key, rows[i].heading, CT_UNIT_FRACTION},
                                            {rows[i].ci_key, "from", CT_UNIT_FRACTION},
                                            {rows[i].ci_key, "to", CT_UNIT_FRACTION}};
        ct_tables_detail(tables, !rows[i].is_used);
        ct_tables_number(tables, columns[0], utilization->frac);
        ct_tables_number(tables, columns[1], utilization->interval.lo);
        ct_tables_number(tables, columns[2], utilization->interval.hi);
    }
    ct_tables_detail(tables, false);
    answer_in_words(tables, by_delay ? &load->calibrated : &load->waiting,
                    by_delay ? "delay" : "waiting",
                    is_calibrated ? (by_delay ? &analysis->delay : &analysis->waiting) : NULL);
}

static void fill_calibration(struct ct_tables *tables, const struct settings *settings,
                             const struct ct_utilization_answer *answer)
{
    char known[CT_DESCRIPTION_MAX];
    ct_describe_calibration(&answer->calibration, &answer->analysis, known);
    ct_tables_detail(tables, true);
    ct_tables_provenance(tables, "known loads", "%s", known);
    ct_tables_detail(tables, false);
    for (size_t i = 0; i < answer->calibration.notes.n; i++)
        ct_tables_note(tables, "%s", answer->calibration.notes.item[i]);
    note_other_network(tables, settings, answer->analysis.idle_latency_s, answer->taught_latency_s);
}

static void fill_tables(struct ct_tables *tables, const struct settings *settings,
                        const struct ct_utilization_answer *answer)
{
    char noise[CT_DESCRIPTION_MAX];
    ct_tables_parameters(tables, &command, settings);
    ct_tables_show_parameter(tables, "seed");
    ct_tables_provenance(tables, "idle latencies", "%zu", answer->n_idle);
    ct_tables_provenance(tables, "loaded latencies", "%zu", answer->n_loaded);
    if (settings->calibration_path)
        fill_calibration(tables, settings, answer);
    fill_pk(tables, &answer->pk);
    fill_further(tables, &answer->analysis, settings->calibration_path != NULL);
    if (ct_describe_idle_noise(&answer->analysis, noise))
        ct_tables_note(tables, "%s", noise);
    for (size_t i = 0; i < answer->differences.n; i++)
        ct_tables_note(tables, "%s", answer->differences.item[i]);
}

static enum ct_status make_settings(const struct settings *settings,
                                    struct ct_utilization_settings *made_p, struct ct_error *err)
{
    *made_p = (struct ct_utilization_settings){.idle_path = settings->idle_path,
                                               .loaded_path = settings->loaded_path,
                                               .calibration_path = settings->calibration_path,
                                               .setup = ct_analysis_bootstrap(&settings->analysis)};
    if (settings->link_rate.text && !settings->calibration_path)
        return ct_fail(err, CT_EUSAGE,
                       "--link-rate: is for --calibration or --links, which are missing");
    return ct_link_rate_parse(&settings->link_rate, &made_p->link_bit_per_s, err);
}

static enum ct_status answer_links(const struct settings *settings, struct ct_error *err)
{
    struct ct_link_load_settings made = {.idle_path = settings->idle_path,
                                         .loaded_path = settings->loaded_path,
                                         .topology = settings->links.topology,
                                         .round_trips = settings->links.round_trips,
                                         .setup = ct_predict_bootstrap(&settings->analysis)};
    struct ct_link_load load;
    if (settings->calibration_path)
        return ct_fail(err, CT_EUSAGE, "--calibration: is not for --links");
    if (ct_link_rate_parse(&settings->link_rate, &made.rate_bit_per_s, err) != CT_OK ||
        ct_link_uplink_rate_parse(&settings->links, &made.uplink_rate_bit_per_s, err) != CT_OK)
        return CT_EUSAGE;
    enum ct_status status = ct_link_load_estimate(&made, &load, err);
    if (status == CT_OK) {
        struct ct_tables *tables =
            ct_tables_new(command.name, (enum ct_format)settings->analysis.format);
        ct_tables_parameters(tables, &command, settings);
        ct_tables_show_parameter(tables, "seed");
        ct_link_utilization_fill(tables, &load);
        status = ct_tables_finish(tables, err);
    }
    if (status == CT_OK && settings->links.plot_path)
        status = ct_link_utilization_draw(&load, settings->links.plot_path, err);
    if (status == CT_OK && settings->links.picture_path)
        status = ct_link_utilization_draw(&load, settings->links.picture_path, err);
    ct_link_load_free(&load);
    return status;
}

static enum ct_status answer_utilization(const struct settings *settings, struct ct_error *err)
{
    struct ct_utilization_settings made;
    struct ct_utilization_answer found;
    CT_TRY(make_settings(settings, &made, err));
    CT_TRY(ct_utilization_estimate(&made, &found, err));
    struct ct_tables *tables =
        ct_tables_new(command.name, (enum ct_format)settings->analysis.format);
    fill_tables(tables, settings, &found);
    enum ct_status status = ct_tables_finish(tables, err);
    ct_utilization_free(&found);
    return status;
}

static enum ct_status estimate_loads(void *values, const struct ct_arguments *args,
                                     struct ct_error *err)
{
    (void)args;
    const struct settings *settings = values;
    CT_TRY(ct_link_utilization_check(&settings->links, err));
    return settings->links.links ? answer_links(settings, err) : answer_utilization(settings, err);
}

int ct_cmd_utilization(int argc, char **argv)
{
    struct settings settings = {0};
    return ct_command_main(&command, argc, argv, &settings, estimate_loads);
}
