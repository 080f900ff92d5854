#include "tests/unit/predict_example.h"

#include "tests/unit/unit.h"

#include <string.h>

const double victim_waiting_frac[N_CONFIGS] = {0.2, 0.4, 0.6, 0.8};
const double victim_latency_s[N_CONFIGS] = {14e-6, 20e-6, 40e-6, 80e-6};
const double victim_slowdown[N_CONFIGS] = {0.05, 0.2, 0.7, 1.9};
const struct ct_bootstrap example_setup = {.replicates = 60, .level = 0.9, .seed = 1};

static const double idle_latency_s = 10e-6;

/* Beside LIKE_CONFIG_1, with 10 us of delay, the slowdown of the configuration. */
const double example_response = 0.2 / 10e-6;
static const double no_response = 0;

static enum ct_status respond(const void *model, const double *extra_s, size_t n, double *runtime_s,
                              struct ct_error *err)
{
    (void)err;
    for (size_t i = 0; i < n; i++)
        runtime_s[i] = 2 * (1 + *(const double *)model * extra_s[i]);
    return CT_OK;
}

/* Together they answer the same; an application that has not been timed has no schedule. */
static enum ct_status respond_jointly(void *model, size_t app, const size_t *loads, size_t n,
                                      struct ct_joint_slowdown *slowdown_p, struct ct_error *err)
{
    static const double app_latency_s[N_APPS] = {
        [VICTIM] = 17e-6,  [TWIN] = 17e-6,   [IDLE] = 10e-6,     [LIKE_CONFIG_1] = 20e-6,
        [BETWEEN] = 27e-6, [ABOVE] = 100e-6, [UNPROBED] = 27e-6, [UNTIMED] = 17e-6};
    (void)model;
    (void)err;
    double sum_s = 0;
    for (size_t i = 0; i < n; i++)
        sum_s += (loads[i] <= N_APPS ? app_latency_s[loads[i] - 1]
                                     : victim_latency_s[loads[i] - 1 - N_APPS]) -
                 idle_latency_s;
    bool is_slowed = app == VICTIM || app == TWIN;
    slowdown_p->frac = app == UNTIMED ? NAN : is_slowed ? example_response * sum_s : 0;
    slowdown_p->spread_frac = NAN;
    return CT_OK;
}

static struct ct_samples fill(double *x, size_t n, double mean)
{
    for (size_t i = 0; i < n; i++)
        x[i] = mean * (i % 2 ? 1.1 : 0.9);
    return (struct ct_samples){.x = x, .n = n};
}

void example_load(double *x, double waiting_frac, double mean_s)
{
    double long_s = waiting_frac > 0 ? (mean_s - (1 - waiting_frac) * idle_latency_s) / waiting_frac
                                     : idle_latency_s;
    for (size_t i = 0; i < N_LATENCIES; i++) {
        bool waits = (double)(i % 20) < 20 * waiting_frac - 1e-9;
        x[i] = (waits ? long_s : idle_latency_s) * (i % 2 ? 1.05 : 0.95);
    }
}

struct ct_samples *example_passes(struct example *e, size_t app, size_t load)
{
    return &e->passes[load][app];
}

struct ct_measured_load *example_config(struct example *e, size_t config)
{
    return &e->loads[ct_load_of_config(N_APPS, config)];
}

static void add_load(struct example *e, size_t load, const char *name, double true_frac)
{
    e->loads[load] = (struct ct_measured_load){.name = (char *)name,
                                               .passes_s = e->passes[load],
                                               .true_frac = true_frac,
                                               .known_frac = NAN};
}

static void add_latencies(struct example *e, size_t load, double *x, double waiting_frac,
                          double mean_s)
{
    example_load(x, waiting_frac, mean_s);
    e->loads[load].latency_s = (struct ct_samples){.x = x, .time_s = e->time_s, .n = N_LATENCIES};
}

static void fill_apps(struct example *e)
{
    static const struct {
        const char *name;
        double waiting_frac, mean_s; /* mean 0: not probed */
    } loads[N_APPS] = {[VICTIM] = {"victim", 0.3, 17e-6},   [TWIN] = {"twin", 0.3, 17e-6},
                       [IDLE] = {"idle", 0, 10e-6},         [LIKE_CONFIG_1] = {"like", 0.4, 20e-6},
                       [BETWEEN] = {"between", 0.5, 27e-6}, [ABOVE] = {"above", 0.9, 100e-6},
                       [UNPROBED] = {"unprobed", 0, 0},     [UNTIMED] = {"untimed", 0.3, 17e-6}};
    for (size_t a = 0; a < N_APPS; a++) {
        bool is_slowed = a == VICTIM || a == TWIN;
        add_load(e, ct_load_of_app(a), loads[a].name, a == BETWEEN ? 0.44 : NAN);
        if (a != UNTIMED)
            e->responses[a] = (struct ct_predict_response){
                is_slowed ? &example_response : &no_response, NULL, respond};
        e->passes[0][a] = fill(e->baseline_s[a], N_PASSES, 2);
        if (loads[a].mean_s > 0)
            add_latencies(e, ct_load_of_app(a), e->app_latency_s[a], loads[a].waiting_frac,
                          loads[a].mean_s);
        for (size_t c = 0; c < N_CONFIGS && a != UNTIMED; c++)
            *example_passes(e, a, ct_load_of_config(N_APPS, c)) = fill(
                e->under_config_s[a][c], N_PASSES, 2 * (1 + (is_slowed ? victim_slowdown[c] : 0)));
    }
}

void example_make(struct example *e)
{
    static const char *const config_names[N_CONFIGS] = {"C0", "C1", "C2", "C3"};
    *e = (struct example){0};
    for (size_t i = 0; i < N_LATENCIES; i++)
        e->time_s[i] = 0.1 * (double)i;
    add_load(e, 0, "idle network", 0.01);
    add_latencies(e, 0, e->idle_s, 0, idle_latency_s);
    for (size_t c = 0; c < N_CONFIGS; c++) {
        size_t load = ct_load_of_config(N_APPS, c);
        add_load(e, load, config_names[c], NAN);
        add_latencies(e, load, e->config_latency_s[c], victim_waiting_frac[c], victim_latency_s[c]);
        e->loads[load].known_frac = victim_waiting_frac[c];
    }
    fill_apps(e);
    *example_passes(e, VICTIM, ct_load_of_app(BETWEEN)) = fill(e->beside_s, N_PASSES, 2 * 1.25);
    e->measured =
        (struct ct_measurements){.n_apps = N_APPS, .n_configs = N_CONFIGS, .loads = e->loads};
    e->input = (struct ct_predict_input){.measured = &e->measured,
                                         .responses = e->responses,
                                         .joint = {.model = e, .slowdown = respond_jointly}};
}

void example_keep_one_config(struct example *example)
{
    example->measured.n_configs = 1;
}

struct ct_predict_analysis example_analyse(const struct example *example)
{
    struct ct_predict_analysis analysis;
    struct ct_error err;
    if (ct_predict_analyse(&example->input, &example_setup, &analysis, &err) != CT_OK)
        fail_msg("%s", err.text);
    return analysis;
}

const struct ct_predict_model *example_model(const char *key)
{
    for (size_t m = 0; m < CT_N_PREDICT_MODELS; m++)
        if (!strcmp(ct_predict_models[m].key, key))
            return &ct_predict_models[m];
    fail_msg("no model %s", key);
    return NULL;
}

struct ct_prediction example_predict(const char *key, const struct ct_predict_analysis *analysis,
                                     size_t app, size_t with)
{
    struct ct_prediction prediction = {.slowdown_frac = -77};
    assert_int_equal(
        ct_predict_group(example_model(key), analysis, app, &with, 1, NULL, &prediction), CT_OK);
    return prediction;
}
