/* A small campaign on disk whose numbers are known: two applications, two configurations. */
#pragma once

#include "results/run.h"

/* In the order of their names, and by P. */
enum { FFT, MILC, N_APPS };
enum { LIGHT, HEAVY, N_CONFIGS };
enum { IDLE, LOAD_FFT, LOAD_MILC, LOAD_LIGHT, LOAD_HEAVY, N_LOADS };

enum { N_LATENCIES = 40, N_PASSES = 4, N_IDLE_RUNS = 2 };

extern const struct ct_config example_configs[N_CONFIGS];
extern const double example_waiting_frac[N_LOADS];     /* of the probes, 30 us instead of 10 us */
extern const double example_slowdown[N_APPS][N_LOADS]; /* beside each load; alone 0 */
extern const double example_group_slowdown;            /* of fft beside fft and milc at once */
extern const double example_sent_bytes_per_s;          /* of the light configuration, by a node */
extern const double example_busy_frac;                 /* of the heavy one, by counters */

/* What a run file is about. */
struct example_run_of {
    const char *app, *with;
    const struct ct_config *config; /* NULL: none */
    const char *started_utc;        /* NULL: the same for all */
};

/* Write a probe run, its samples not in the order of time, or a run of timed passes. */
void example_write_probe(const char *path, struct example_run_of of, double waiting_frac);
void example_write_passes(const char *path, struct example_run_of of, double mean_s);

/* The same with passes that lie so far from their mean, on either side in turn. */
void example_write_scattered(const char *path, struct example_run_of of, double mean_s,
                             double scatter_frac);

/* A run of logpb: round trips of L + o + o + (bytes - 1) G each way, the answer empty. */
void example_write_logp(const char *path, double L_s, double o_s, double G_s_per_byte);

/* One of classes of paths between four nodes, two on each leaf of a tree, o and G 0: L under a
 * leaf, and L between leaves. */
void example_write_logp_classes(const char *path, double leaf_L_s, double tree_L_s);

/* Make a run one with added latency, as a lab does: a fact, and latencies that are longer. */
void example_add_latency(const char *path, double added_s);

/* Copy a run as one under a placement; both files may be the same. */
void example_place(const char *from, const char *to, const char *placement);

void example_write_text(const char *path, const char *text);

/* Write all runs into DIR/runs, and what a switch counted. */
void example_write_campaign(const char *directory);
