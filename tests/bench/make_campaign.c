/*
 * Write a campaign that nobody measured, to try speeds on: the probe beside nothing, every
 * configuration and every application, applications alone and under every configuration.
 *
 *     make_campaign FOLDER APPLICATIONS CONFIGURATIONS SAMPLES
 *
 * Latencies are a floor with noise and, for the share of the time that a load fills, a queue in
 * bursts; an application is slowed in proportion to the mean wait.
 */
#include "core/units.h"
#include "results/run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const double floor_s = 20e-6, noise_s = 5e-6, interval_s = 1e-3;

enum { PASSES = 4, BURST_SAMPLES = 50 };

static void stop(const char *what)
{
    fprintf(stderr, "make_campaign: %s\n", what);
    exit(1);
}

/* xorshift64 (Marsaglia 2003); 0 < u < 1. */
static double uniform(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return ((double)(*state >> 11) + 0.5) / 9007199254740992.0;
}

struct campaign {
    const char *folder;
    uint64_t n_apps, n_configs, n_samples, state;
};

/* What a load does: it fills a share of the time with waits of this mean. */
struct load {
    double busy_frac, wait_s;
};

static struct load load_of(size_t i, size_t n)
{
    double x = ((double)i + 0.5) / (double)n;
    return (struct load){0.05 + 0.85 * x, 100e-6 * (1 + 9 * x * x)};
}

static struct ct_config config_of(size_t i)
{
    return (struct ct_config){.partners = 1 + (uint32_t)(i % 5),
                              .messages = 1 + (uint32_t)(i / 5),
                              .bubble_s = 1e-3 * (double)(i + 1)};
}

static void write(const struct campaign *campaign, const char *id, struct ct_run *run,
                  const char *app, const struct ct_config *config)
{
    char path[4096], name[40] = "";
    struct ct_error err;
    const char *const texts[] = {"make_campaign", "0.1.0", app,   "", "2026-01-01T00:00:00Z", "",
                                 "h1 h2",         "none",  "none"};
    char *copies[sizeof texts / sizeof *texts];
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (!(copies[i] = strdup(texts[i])))
            stop("out of memory");
    run->info = (struct ct_run_info){.kind = run->n_samples ? CT_RUN_IMPACT : CT_RUN_RUNTIME,
                                     .tool = copies[0],
                                     .version = copies[1],
                                     .app = copies[2],
                                     .with = copies[3],
                                     .started_utc = copies[4],
                                     .argv = copies[5],
                                     .hosts = copies[6],
                                     .mpi_library = copies[7],
                                     .timer = copies[8],
                                     .has_config = config != NULL};
    if (config) {
        run->info.config = *config;
        snprintf(name, sizeof name, "-p%u-m%u", config->partners, config->messages);
    }
    snprintf(path, sizeof path, "%s/runs/%s%s%s.h5", campaign->folder, id, app, name);
    if (ct_run_write_stored(path, run, CT_RUN_PLAIN, &err) != CT_OK)
        stop(err.text);
    ct_run_info_free(&run->info);
}

static void write_probe(struct campaign *campaign, struct ct_sample *samples, struct load load,
                        const char *id, const char *app, const struct ct_config *config)
{
    struct ct_pair pair = {.rank_a = 0, .rank_b = 1, .host_a = "h1", .host_b = "h2"};
    struct ct_run run = {
        .samples = samples, .n_samples = campaign->n_samples, .pairs = &pair, .n_pairs = 1};
    bool busy = false;
    for (size_t i = 0; i < campaign->n_samples; i++) {
        if (i % BURST_SAMPLES == 0)
            busy = uniform(&campaign->state) < load.busy_frac;
        samples[i] = (struct ct_sample){
            .t_s = interval_s * (double)i,
            .latency_s = floor_s - noise_s * log(uniform(&campaign->state)) -
                         (busy ? load.wait_s * log(uniform(&campaign->state)) : 0)};
    }
    write(campaign, id, &run, app, config);
}

static void write_passes(struct campaign *campaign, double pass_s, const char *id, const char *app,
                         const struct ct_config *config)
{
    struct ct_runtime passes[PASSES];
    struct ct_run run = {.runtimes = passes, .n_runtimes = PASSES};
    for (size_t i = 0; i < PASSES; i++)
        passes[i] = (struct ct_runtime){(double)i * pass_s,
                                        pass_s * (1 + 0.02 * (uniform(&campaign->state) - 0.5))};
    write(campaign, id, &run, app, config);
}

static void make(struct campaign *campaign)
{
    struct ct_sample *samples = malloc((campaign->n_samples + 1) * sizeof *samples);
    if (!samples)
        stop("out of memory");
    write_probe(campaign, samples, (struct load){0, 0}, "idle", "", NULL);
    for (size_t c = 0; c < campaign->n_configs; c++) {
        struct ct_config config = config_of(c);
        write_probe(campaign, samples, load_of(c, campaign->n_configs), "impact", "", &config);
    }
    for (size_t a = 0; a < campaign->n_apps; a++) {
        char app[32];
        double harm_per_s = 2e3 * (1 + uniform(&campaign->state));
        snprintf(app, sizeof app, "-app%zu", a);
        write_probe(campaign, samples, load_of(a, campaign->n_apps), "impact", app + 1, NULL);
        write_passes(campaign, 1, "alone", app + 1, NULL);
        for (size_t c = 0; c < campaign->n_configs; c++) {
            struct ct_config config = config_of(c);
            struct load load = load_of(c, campaign->n_configs);
            write_passes(campaign, 1 + harm_per_s * load.busy_frac * load.wait_s, "under", app + 1,
                         &config);
        }
    }
    free(samples);
}

int main(int argc, char **argv)
{
    struct ct_error err;
    struct campaign campaign = {.state = 88172645463325252U};
    if (argc != 5)
        stop("arguments: FOLDER APPLICATIONS CONFIGURATIONS SAMPLES");
    campaign.folder = argv[1];
    if (ct_parse_u64(argv[2], &campaign.n_apps, &err) != CT_OK ||
        ct_parse_u64(argv[3], &campaign.n_configs, &err) != CT_OK ||
        ct_parse_u64(argv[4], &campaign.n_samples, &err) != CT_OK)
        stop(err.text);
    char runs[4096];
    snprintf(runs, sizeof runs, "%s/runs", campaign.folder);
    mkdir(campaign.folder, 0777);
    mkdir(runs, 0777);
    make(&campaign);
    return 0;
}
