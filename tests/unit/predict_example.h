/* A constructed campaign whose right answers are known. */
#pragma once

#include "predict/models.h"

/* What the applications are; those beside which the victim is timed are told by their names. Only
 * the victim and its twin are slowed by anything. */
enum { VICTIM, TWIN, IDLE, LIKE_CONFIG_1, BETWEEN, ABOVE, UNPROBED, UNTIMED, N_APPS };
enum { N_CONFIGS = 4, N_LATENCIES = 400, N_PASSES = 10 };

/* Share of the probes that wait, and mean latency; both rise from configuration to configuration.
 */
extern const double victim_waiting_frac[N_CONFIGS];
extern const double victim_latency_s[N_CONFIGS];
extern const double victim_slowdown[N_CONFIGS]; /* of the victim */

struct example {
    double idle_s[N_LATENCIES];
    double app_latency_s[N_APPS][N_LATENCIES];
    double config_latency_s[N_CONFIGS][N_LATENCIES];
    double baseline_s[N_APPS][N_PASSES];
    double under_config_s[N_APPS][N_CONFIGS][N_PASSES];
    double beside_s[N_PASSES];
    double time_s[N_LATENCIES];
    struct ct_measured_load loads[1 + N_APPS + N_CONFIGS];
    struct ct_samples passes[1 + N_APPS + N_CONFIGS][N_APPS];
    struct ct_measurements measured;
    struct ct_predict_response responses[N_APPS];
    struct ct_predict_input input;
};

extern const struct ct_bootstrap example_setup;

/* What models of execution say of the victim: 2 s, and so much more for a second of mean delay. All
 * but the untimed application have such a model. */
extern const double example_response;

/* It points into itself: it stays where it is. */
void example_make(struct example *example);

/* Passes of an application beside a load, and a load that is a configuration. */
struct ct_samples *example_passes(struct example *example, size_t app, size_t load);
struct ct_measured_load *example_config(struct example *example, size_t config);

/* As if the first configuration had been the only one. */
void example_keep_one_config(struct example *example);

/* Latencies of which a share waits, in runs of 20 probes, so that the mean is as wanted. */
void example_load(double *x, double waiting_frac, double mean_s);

struct ct_predict_analysis example_analyse(const struct example *example);

const struct ct_predict_model *example_model(const char *key);

/* Answer of a model, which must not fail. */
struct ct_prediction example_predict(const char *key, const struct ct_predict_analysis *analysis,
                                     size_t app, size_t with);
