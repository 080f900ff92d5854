#include "tests/unit/study_example.h"

#include "tests/unit/run_example.h"
#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

const struct ct_config example_configs[N_CONFIGS] = {
    [LIGHT] = {.partners = 1, .messages = 1, .bubble_s = 10e-3},
    [HEAVY] = {.partners = 4, .messages = 10, .bubble_s = 1e-3}};
const double example_waiting_frac[N_LOADS] = {
    [LOAD_FFT] = 0.3, [LOAD_MILC] = 0.1, [LOAD_LIGHT] = 0.2, [LOAD_HEAVY] = 0.6};
const double example_slowdown[N_APPS][N_LOADS] = {
    [FFT] = {[LOAD_FFT] = 0.4, [LOAD_MILC] = 0.25, [LOAD_LIGHT] = 0.1, [LOAD_HEAVY] = 0.5},
    [MILC] = {[LOAD_FFT] = 0.1, [LOAD_MILC] = 0.05, [LOAD_LIGHT] = 0.04, [LOAD_HEAVY] = 0.2}};
const double example_group_slowdown = 0.8;
const double example_sent_bytes_per_s = 1e6;
const double example_busy_frac = 0.55;

static struct ct_run_info info_of(enum ct_run_kind kind, struct example_run_of of)
{
    struct ct_run_info info = {
        .kind = kind,
        .tool = (char *)"test",
        .version = (char *)"0",
        .app = (char *)of.app,
        .with = (char *)of.with,
        .has_config = of.config != NULL,
        .started_utc = (char *)(of.started_utc ? of.started_utc : "2026-11-21T10:00:00Z"),
        .argv = (char *)"",
        .hosts = (char *)"h1 h2",
        .mpi_library = (char *)"",
        .timer = (char *)"",
        .timer_resolution_s = 1e-9};
    if (of.config)
        info.config = *of.config;
    return info;
}

static void write_run(const char *path, const struct ct_run *run)
{
    struct ct_error err;
    struct ct_run named = *run;
    named.info.argv = (char *)path; /* or runs of one content would be copies of each other */
    if (ct_run_write(path, &named, &err) != CT_OK)
        fail_msg("%s", err.text);
}

void example_write_probe(const char *path, struct example_run_of of, double waiting_frac)
{
    struct ct_sample samples[N_LATENCIES];
    struct ct_pair pair = {.rank_b = 1, .host_a = "h1", .host_b = "h2"};
    for (size_t i = 0; i < N_LATENCIES; i++) {
        size_t at = N_LATENCIES - 1 - i; /* the last one first */
        bool waits = (double)(i % 10) < 10 * waiting_frac - 1e-9;
        samples[at] = (struct ct_sample){
            .t_s = 0.1 * (double)i, .latency_s = (waits ? 30e-6 : 10e-6) + 1e-8 * (double)(i % 7)};
    }
    write_run(path, &(struct ct_run){.info = info_of(CT_RUN_IMPACT, of),
                                     .samples = samples,
                                     .n_samples = N_LATENCIES,
                                     .pairs = &pair,
                                     .n_pairs = 1});
}

void example_write_passes(const char *path, struct example_run_of of, double mean_s)
{
    example_write_scattered(path, of, mean_s, 0.001);
}

void example_write_scattered(const char *path, struct example_run_of of, double mean_s,
                             double scatter_frac)
{
    struct ct_runtime passes[N_PASSES];
    for (size_t i = 0; i < N_PASSES; i++)
        passes[i] = (struct ct_runtime){2 * (double)i,
                                        mean_s * (i % 2 ? 1 + scatter_frac : 1 - scatter_frac)};
    write_run(path, &(struct ct_run){.info = info_of(CT_RUN_RUNTIME, of),
                                     .runtimes = passes,
                                     .n_runtimes = N_PASSES});
}

/* Two nodes send so much. */
static void write_rounds(const char *path, const struct ct_config *config, double bytes_per_s)
{
    struct ct_round rounds[3];
    for (size_t i = 0; i < 3; i++)
        rounds[i] = (struct ct_round){(double)i, 0.5, (uint64_t)(2 * 0.5 * bytes_per_s)};
    write_run(path, &(struct ct_run){.info = info_of(CT_RUN_COMPRESSION,
                                                     (struct example_run_of){"", "", config, NULL}),
                                     .rounds = rounds,
                                     .n_rounds = 3});
}

void example_write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

/* Run ID of a load and an application: "runtime-fft-load3". */
static void name_run(const char *directory, const char *what, const char *app, size_t load,
                     char path[256])
{
    snprintf(path, 256, "%s/runs/%s-%s-load%zu.h5", directory, what, app, load);
}

void example_write_campaign(const char *directory)
{
    static const char *const apps[N_APPS] = {"fft", "milc"};
    const struct example_run_of loads[N_LOADS] = {
        [IDLE] = {"", "", NULL, NULL},
        [LOAD_FFT] = {"fft", "", NULL, NULL},
        [LOAD_MILC] = {"milc", "", NULL, NULL},
        [LOAD_LIGHT] = {"", "", &example_configs[0], NULL},
        [LOAD_HEAVY] = {"", "", &example_configs[1], NULL}};
    char path[256], counted[128];
    mkdir(directory, 0777);
    snprintf(path, sizeof path, "%s/runs", directory);
    mkdir(path, 0777);
    for (size_t load = 0; load < N_LOADS; load++) {
        name_run(directory, "impact", "probe", load, path);
        example_write_probe(path, loads[load], example_waiting_frac[load]);
        for (size_t app = 0; app < N_APPS; app++) {
            struct example_run_of of = {apps[app], loads[load].app, loads[load].config, NULL};
            name_run(directory, "runtime", apps[app], load, path);
            example_write_passes(path, of, 2 * (1 + example_slowdown[app][load]));
        }
    }
    snprintf(path, sizeof path, "%s/runs/impact-probe-load0-again.h5", directory);
    example_write_probe(path, loads[IDLE], 0);
    snprintf(path, sizeof path, "%s/runs/runtime-group.h5", directory);
    example_write_passes(path, (struct example_run_of){"fft", "milc,fft", NULL, NULL},
                         2 * (1 + example_group_slowdown));
    snprintf(path, sizeof path, "%s/runs/compression-light.h5", directory);
    write_rounds(path, &example_configs[LIGHT], example_sent_bytes_per_s);
    snprintf(path, sizeof path, "%s/runs/impact-probe-load%d.ports.json", directory, LOAD_HEAVY);
    snprintf(counted, sizeof counted, "{\"busy_fraction_mean\": %g}\n", example_busy_frac);
    example_write_text(path, counted);
}

/* A round trip of each size between rank 0 and another one. */
static void fill_logp(struct ct_logp_row rows[3], uint32_t rank_to, double L_s, double o_s,
                      double G_s_per_byte)
{
    const uint64_t bytes[] = {0, 1000, 100001};
    for (size_t i = 0; i < 3; i++) {
        double one_way_s = L_s + 2 * o_s;
        double rtt_s = 2 * one_way_s + (bytes[i] > 0 ? (double)(bytes[i] - 1) * G_s_per_byte : 0);
        rows[i] = (struct ct_logp_row){.bytes = bytes[i],
                                       .os_s = o_s,
                                       .or_s = o_s,
                                       .or_expected_s = NAN,
                                       .g_s = 1e-6,
                                       .rtt_s = rtt_s,
                                       .rank_to = rank_to,
                                       .method = CT_LOGP_FAST};
    }
}

void example_write_logp(const char *path, double L_s, double o_s, double G_s_per_byte)
{
    struct ct_run run = example_run(CT_RUN_LOGP, 3);
    fill_logp(run.logp, 1, L_s, o_s, G_s_per_byte);
    run.n_paths = 0;
    write_run(path, &run);
    ct_run_free(&run);
}

void example_write_logp_classes(const char *path, double leaf_L_s, double tree_L_s)
{
    static const struct ct_path_row paths[] = {{0, 1, 1}, {0, 2, 3}, {0, 3, 3},
                                               {1, 2, 3}, {1, 3, 3}, {2, 3, 1}};
    struct ct_run run = example_run(CT_RUN_LOGP, 6);
    fill_logp(run.logp, 1, leaf_L_s, 0, 1e-10);
    fill_logp(run.logp + 3, 2, tree_L_s, 0, 1e-10);
    free(run.paths);
    run.n_paths = sizeof paths / sizeof *paths;
    run.paths = malloc(sizeof paths);
    assert_non_null(run.paths);
    memcpy(run.paths, paths, sizeof paths);
    write_run(path, &run);
    ct_run_free(&run);
}

void example_place(const char *from, const char *to, const char *placement)
{
    struct ct_run run;
    assert_int_equal(ct_run_read(from, &run, NULL), CT_OK);
    assert_int_equal(ct_run_add_text(&run.info, CT_RUN_PLACEMENT, placement), CT_OK);
    write_run(to, &run);
    ct_run_free(&run);
}

void example_add_latency(const char *path, double added_s)
{
    struct ct_run run;
    struct ct_error err;
    assert_int_equal(ct_run_read(path, &run, &err), CT_OK);
    assert_int_equal(ct_run_add_number(&run.info, CT_RUN_ADDED_LATENCY, added_s), CT_OK);
    if (run.info.kind == CT_RUN_IMPACT)
        for (size_t i = 0; i < run.n_samples; i++)
            run.samples[i].latency_s += added_s;
    assert_int_equal(ct_run_write(path, &run, &err), CT_OK);
    ct_run_free(&run);
}
