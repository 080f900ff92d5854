#include "predict/models.h"

#include "model/mixture/mixture.h"
#include "predict/additive.h"
#include "predict/analysis.h"
#include "predict/mutual.h"
#include "predict/precomputed.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *text, *meaning;
} flags[] = {
#define CT_PREDICTION_FLAG_ROW(name, text, meaning) [CT_PREDICTION_##name] = {text, meaning},
    CT_PREDICTION_FLAG_MAP(CT_PREDICTION_FLAG_ROW)
#undef CT_PREDICTION_FLAG_ROW
};

const char *ct_prediction_flag_text(enum ct_prediction_flag flag)
{
    return flags[flag].text;
}

const char *ct_prediction_flag_meaning(enum ct_prediction_flag flag)
{
    return flags[flag].meaning;
}

const char *ct_interval_source_text(enum ct_interval_source source)
{
    static const char *const texts[] = {
#define CT_INTERVAL_SOURCE_ROW(name, text) [CT_INTERVAL_FROM_##name] = (text),
        CT_INTERVAL_SOURCE_MAP(CT_INTERVAL_SOURCE_ROW)
#undef CT_INTERVAL_SOURCE_ROW
    };
    return texts[source];
}

/* How a model answers: a function that several rows share, and which variant of it. */
struct ct_predict_method {
    enum ct_status (*answer)(const struct ct_predict_method *method,
                             const struct ct_predict_analysis *analysis,
                             const struct ct_predict_query *query, double *scores,
                             struct ct_prediction *prediction_p);
    const struct ct_lookup_model *lookup;
    bool has_curve; /* over this kind of utilization */
    enum ct_utilization_kind kind;
    enum ct_response_kind response;
};

static struct ct_prediction no_answer(enum ct_prediction_flag why)
{
    return (struct ct_prediction){.slowdown_frac = NAN,
                                  .flag = why,
                                  .interval = {NAN, NAN},
                                  .config = CT_PREDICT_NO_CONFIG,
                                  .at = NAN};
}

/* The application that is the only co-runner; the count of applications: it is something else. */
static size_t only_corunner(const struct ct_predict_analysis *analysis,
                            const struct ct_predict_query *query)
{
    size_t load = query->beside[0];
    bool is_app = query->n_beside == 1 && load > 0 && load <= analysis->n_apps;
    return is_app ? load - 1 : analysis->n_apps;
}

static bool is_probed(const struct ct_predict_load *load)
{
    return load->profile.latency_s.n > 0;
}

/* A configuration that a model may use to answer. */
static bool is_usable(const struct ct_predict_analysis *analysis,
                      const struct ct_predict_query *query, size_t config)
{
    return config != query->excluded && is_probed(&analysis->configs[config]) &&
           !isnan(analysis->under_config[query->app * analysis->n_configs + config].frac);
}

/* ---- look-up tables ---- */

static enum ct_prediction_flag flag_of(const struct ct_lookup_choice *choice)
{
    if (choice->fallback)
        return CT_PREDICTION_FALLBACK;
    return choice->tie ? CT_PREDICTION_TIE : CT_PREDICTION_PLAIN;
}

/* Known already for a single co-runner and an application that was timed under everything. */
static const struct ct_lookup_choice *known_pick(const struct ct_predict_method *method,
                                                 const struct ct_predict_analysis *analysis,
                                                 const struct ct_predict_query *query)
{
    size_t with = only_corunner(analysis, query);
    if (with == analysis->n_apps || query->excluded != CT_PREDICT_NO_CONFIG ||
        !analysis->precomputed->is_complete[query->app])
        return NULL;
    for (size_t i = 0; i < CT_PREDICT_N_LOOKUPS; i++)
        if (ct_predict_lookups[i] == method->lookup)
            return &analysis->precomputed->choices[i * analysis->n_apps + with];
    return NULL;
}

static struct ct_lookup_choice pick(const struct ct_predict_method *method,
                                    const struct ct_predict_analysis *analysis,
                                    const struct ct_predict_query *query, double *scores)
{
    struct ct_lookup_search search = ct_lookup_begin(method->lookup, &query->load->profile);
    for (size_t c = 0; c < analysis->n_configs; c++) {
        if (!is_usable(analysis, query, c))
            continue;
        ct_lookup_offer(&search, c, &analysis->configs[c].profile);
        if (scores)
            scores[c] = method->lookup->score(&query->load->profile, &analysis->configs[c].profile);
    }
    return ct_lookup_end(&search);
}

/* app's slowdown under the configuration whose effect on the probe is nearest. */
static enum ct_status answer_by_lookup(const struct ct_predict_method *method,
                                       const struct ct_predict_analysis *analysis,
                                       const struct ct_predict_query *query, double *scores,
                                       struct ct_prediction *prediction_p)
{
    const struct ct_lookup_choice *known = scores ? NULL : known_pick(method, analysis, query);
    struct ct_lookup_choice choice = known ? *known : pick(method, analysis, query, scores);
    *prediction_p = no_answer(CT_PREDICTION_NO_CURVE);
    if (choice.found) {
        size_t cell = query->app * analysis->n_configs + choice.index;
        prediction_p->slowdown_frac = analysis->under_config[cell].frac;
        prediction_p->flag = flag_of(&choice);
        prediction_p->config = choice.index;
    }
    return CT_OK;
}

/* ---- curves over utilization ---- */

/* Casas and Bronevetsky, IPDPS 2014, section V-B: p_A(U_B), the curve through the configurations.
 */
static enum ct_status answer_by_utilization(const struct ct_predict_method *method,
                                            const struct ct_predict_analysis *analysis,
                                            const struct ct_predict_query *query, double *scores,
                                            struct ct_prediction *prediction_p)
{
    double at = ct_predict_utilization(query->load, method->kind);
    const struct ct_curve *curve = analysis->curves[method->kind * analysis->n_apps + query->app];
    struct ct_curve *without = NULL;
    if (query->excluded < analysis->n_configs) {
        enum ct_status status =
            ct_predict_curve_make(analysis, query->app, method->kind, query->excluded, &without);
        if (status != CT_OK)
            return status;
        curve = without;
    }
    for (size_t c = 0; c < analysis->n_configs && scores; c++)
        if (is_usable(analysis, query, c))
            scores[c] = ct_predict_utilization(&analysis->configs[c], method->kind);
    if (isnan(at)) {
        *prediction_p = no_answer(CT_PREDICTION_NO_CALIBRATION);
    } else if (!curve) {
        *prediction_p = no_answer(CT_PREDICTION_NO_CURVE);
    } else {
        bool beyond;
        *prediction_p = no_answer(CT_PREDICTION_PLAIN);
        prediction_p->slowdown_frac = ct_curve_at(curve, at, &beyond);
        prediction_p->at = at;
        prediction_p->flag = beyond ? CT_PREDICTION_CLAMPED : CT_PREDICTION_PLAIN;
    }
    ct_curve_free(without);
    return CT_OK;
}

/* ---- mixtures in time ---- */

/* Shares of time of the idle network and of each configuration that the application was timed
 * under; room for them is made. */
static enum ct_status find_shares(const struct ct_predict_analysis *analysis,
                                  const struct ct_predict_query *query, double **shares_p)
{
    size_t n = 1 + analysis->n_configs;
    double *shares = malloc(n * sizeof *shares), distance;
    bool *is_allowed = malloc(n * sizeof *is_allowed);
    enum ct_status status = CT_ENOMEM;
    for (size_t c = 0; c < analysis->n_configs && is_allowed; c++)
        is_allowed[1 + c] = is_usable(analysis, query, c);
    if (shares && is_allowed) {
        is_allowed[0] = true;
        status = ct_mixture_weights(analysis->mixture, &query->load->profile, is_allowed, shares,
                                    &distance);
    }
    free(is_allowed);
    if (status == CT_OK)
        *shares_p = shares;
    else
        free(shares);
    return status;
}

/* In each part of the time the application runs with the speed that it has beside the configuration
 * that the load looks like then, so speeds are averaged: while it waits for a burst to pass, it
 * does not meet the next one. */
static double mean_speed(const struct ct_predict_analysis *analysis, size_t app,
                         const double *shares)
{
    const double *speed = analysis->precomputed->speed + app * analysis->n_configs;
    double sum = shares[0];
    for (size_t c = 0; c < analysis->n_configs; c++)
        if (shares[1 + c] > 0)
            sum += shares[1 + c] * speed[c];
    return sum;
}

/* Shares of a single application are known already, and of use unless one of them is that of a
 * configuration under which the other was not timed: its speed is NaN, and so is the mean. */
static double known_speed(const struct ct_predict_analysis *analysis,
                          const struct ct_predict_query *query)
{
    size_t with = only_corunner(analysis, query);
    if (with == analysis->n_apps || query->excluded != CT_PREDICT_NO_CONFIG)
        return NAN;
    return mean_speed(analysis, query->app, analysis->shares + with * (1 + analysis->n_configs));
}

static enum ct_status answer_by_mixture(const struct ct_predict_method *method,
                                        const struct ct_predict_analysis *analysis,
                                        const struct ct_predict_query *query, double *scores,
                                        struct ct_prediction *prediction_p)
{
    (void)method;
    double highest_s = analysis->precomputed->highest_s[query->app], *shares;
    *prediction_p = no_answer(CT_PREDICTION_NO_CURVE);
    if (isnan(highest_s))
        return CT_OK;
    double speed = scores ? NAN : known_speed(analysis, query);
    if (isnan(speed)) {
        enum ct_status status = find_shares(analysis, query, &shares);
        if (status != CT_OK)
            return status == CT_ENOMEM ? status : CT_OK;
        for (size_t c = 0; c < analysis->n_configs && scores; c++)
            if (is_usable(analysis, query, c))
                scores[c] = shares[1 + c];
        speed = mean_speed(analysis, query->app, shares);
        free(shares);
    }
    prediction_p->slowdown_frac = 1 / speed - 1;
    prediction_p->flag = query->load->profile.latency_s.mean > highest_s ? CT_PREDICTION_CLAMPED
                                                                         : CT_PREDICTION_PLAIN;
    return CT_OK;
}

/* ---- slowing each other ---- */

/* Members of a group, the one that is asked about first. */
struct members {
    size_t n;
    size_t *app;
    size_t *others; /* room for n - 1 */
    double *full;
    double *load;
    double *speed;
};

/* Speed of a member beside all the others at full speed. One whose slowdown cannot be told is taken
 * not to be slowed, and nobody runs faster than alone. */
static enum ct_status find_full(const struct ct_predict_analysis *analysis, size_t member,
                                struct members *members)
{
    static const struct ct_predict_method mixture = {.answer = answer_by_mixture};
    static const struct ct_predict_model by_phases = {.method = &mixture};
    size_t n_others = 0;
    for (size_t i = 0; i < members->n; i++)
        if (i != member)
            members->others[n_others++] = members->app[i];
    struct ct_prediction prediction;
    enum ct_status status = ct_predict_group(&by_phases, analysis, members->app[member],
                                             members->others, n_others, NULL, &prediction);
    if (status == CT_OK)
        members->full[member] =
            isnan(prediction.slowdown_frac) ? 1 : fmin(1, 1 / (1 + prediction.slowdown_frac));
    return status;
}

static enum ct_status settle_members(const struct ct_predict_analysis *analysis,
                                     struct members *members, double *speed_p)
{
    enum ct_status status = CT_OK;
    for (size_t i = 0; i < members->n && status == CT_OK; i++) {
        const struct ct_predict_load *load = &analysis->apps[members->app[i]];
        status = find_full(analysis, i, members);
        members->load[i] = fmax(0, ct_predict_utilization(load, CT_UTILIZATION_WAITING));
    }
    struct ct_mutual mutual = {members->n, members->full, members->load, members->speed};
    if (status == CT_OK)
        *speed_p = ct_mutual_speed(&mutual);
    return status;
}

static enum ct_status settle_group(const struct ct_predict_analysis *analysis, size_t app,
                                   const size_t *beside, size_t n_beside, double *speed_p)
{
    enum { FEW = 8 };
    size_t few[2 * FEW], n = 1 + n_beside;
    double few_values[3 * FEW];
    size_t *apps = n > FEW ? malloc(2 * n * sizeof *apps) : few;
    double *values = n > FEW ? malloc(3 * n * sizeof *values) : few_values;
    enum ct_status status = CT_ENOMEM;
    if (apps && values) {
        struct members members = {n, apps, apps + n, values, values + n, values + 2 * n};
        for (size_t i = 0; i < n; i++)
            apps[i] = i == 0 ? app : beside[i - 1] - 1;
        status = settle_members(analysis, &members, speed_p);
    }
    if (n > FEW) {
        free(apps);
        free(values);
    }
    return status;
}

static enum ct_status answer_mutually(const struct ct_predict_method *method,
                                      const struct ct_predict_analysis *analysis,
                                      const struct ct_predict_query *query, double *scores,
                                      struct ct_prediction *prediction_p)
{
    double speed;
    enum ct_status status = answer_by_mixture(method, analysis, query, scores, prediction_p);
    bool is_config = query->beside[0] > analysis->n_apps; /* which nobody slows */
    if (status != CT_OK || is_config || isnan(prediction_p->slowdown_frac))
        return status;
    status = settle_group(analysis, query->app, query->beside, query->n_beside, &speed);
    if (status == CT_OK)
        prediction_p->slowdown_frac = 1 / speed - 1;
    return status;
}

/* ---- models of execution ---- */

static double response_to(const struct ct_predict_analysis *analysis, enum ct_response_kind kind,
                          size_t app, size_t load)
{
    size_t n_loads = 1 + analysis->n_apps + analysis->n_configs;
    return analysis->responses[(kind * analysis->n_apps + app) * n_loads + load];
}

/* Delays of several co-runners add up; slowdowns do as long as the critical path stays the same. No
 * configuration has a part in the answer, so that none has a score. */
static enum ct_status answer_by_schedule(const struct ct_predict_method *method,
                                         const struct ct_predict_analysis *analysis,
                                         const struct ct_predict_query *query, double *scores,
                                         struct ct_prediction *prediction_p)
{
    (void)scores;
    double sum = 0;
    for (size_t i = 0; i < query->n_beside; i++)
        sum += response_to(analysis, method->response, query->app, query->beside[i]);
    *prediction_p = no_answer(isnan(sum) ? CT_PREDICTION_NO_SCHEDULE : CT_PREDICTION_PLAIN);
    prediction_p->slowdown_frac = sum;
    return CT_OK;
}

/* All members run at once, by their schedules: nothing is taken from the probe. */
static enum ct_status answer_jointly(const struct ct_predict_method *method,
                                     const struct ct_predict_analysis *analysis,
                                     const struct ct_predict_query *query, double *scores,
                                     struct ct_prediction *prediction_p)
{
    (void)method;
    (void)scores;
    const struct ct_predict_joint_response *joint = &analysis->joint;
    double slowdown_frac = NAN;
    struct ct_error err;
    enum ct_status status = CT_OK;
    if (joint->model)
        status = joint->slowdown(joint->model, query->app, query->beside, query->n_beside,
                                 &slowdown_frac, &err);
    *prediction_p =
        no_answer(isnan(slowdown_frac) ? CT_PREDICTION_NO_SCHEDULE : CT_PREDICTION_PLAIN);
    prediction_p->slowdown_frac = slowdown_frac;
    return status;
}

/* ---- null models ---- */

static enum ct_status answer_nothing(const struct ct_predict_method *method,
                                     const struct ct_predict_analysis *analysis,
                                     const struct ct_predict_query *query, double *scores,
                                     struct ct_prediction *prediction_p)
{
    (void)method;
    (void)analysis;
    (void)query;
    (void)scores;
    *prediction_p = no_answer(CT_PREDICTION_PLAIN);
    prediction_p->slowdown_frac = 0;
    return CT_OK;
}

/* Of several co-runners the slowdowns add up; a configuration has no co-runs. */
static enum ct_status answer_additively(const struct ct_predict_method *method,
                                        const struct ct_predict_analysis *analysis,
                                        const struct ct_predict_query *query, double *scores,
                                        struct ct_prediction *prediction_p)
{
    (void)method;
    (void)scores;
    double sum = 0;
    for (size_t i = 0; i < query->n_beside; i++) {
        size_t load = query->beside[i];
        sum += load > 0 && load <= analysis->n_apps
                   ? ct_additive_slowdown(analysis->additive, query->app, load - 1, query->left_out,
                                          query->n_left_out)
                   : NAN;
    }
    *prediction_p = no_answer(isnan(sum) ? CT_PREDICTION_NO_CO_RUN : CT_PREDICTION_PLAIN);
    prediction_p->slowdown_frac = sum;
    return CT_OK;
}

/* ---- the table ---- */

#define BY_LOOKUP(table)                                                                           \
    &(const struct ct_predict_method)                                                              \
    {                                                                                              \
        .answer = answer_by_lookup, .lookup = &(table)                                             \
    }
#define BY_CURVE(over)                                                                             \
    &(const struct ct_predict_method)                                                              \
    {                                                                                              \
        .answer = answer_by_utilization, .has_curve = true, .kind = (over)                         \
    }
#define BY_SCHEDULE(way)                                                                           \
    &(const struct ct_predict_method)                                                              \
    {                                                                                              \
        .answer = answer_by_schedule, .response = (way)                                            \
    }
#define BY(function)                                                                               \
    &(const struct ct_predict_method)                                                              \
    {                                                                                              \
        .answer = (function)                                                                       \
    }

const struct ct_predict_model ct_predict_models[CT_N_PREDICT_MODELS] = {
    {.key = "none",
     .needs = "nothing: a null model",
     .picks = "no slowdown",
     .scores = "",
     .capabilities = CT_MODEL_IS_NULL | CT_MODEL_NEEDS_NO_PROBE,
     .method = BY(answer_nothing)},
    {.key = "additive",
     .needs = "other measured co-runs: a null model",
     .picks = "the mean slowdown of the application, plus the mean slowdown beside the co-runner, "
              "minus the mean of all co-runs",
     .scores = "",
     .capabilities = CT_MODEL_IS_NULL | CT_MODEL_NEEDS_NO_PROBE | CT_MODEL_KNOWS_CO_RUNS |
                     CT_MODEL_JUDGED_BY_CO_RUNS,
     .method = BY(answer_additively)},
    {.key = "average_lt",
     .needs = "mean probe latency",
     .picks = "the configuration with the nearest mean",
     .scores = "-|difference of means| [s]",
     .method = BY_LOOKUP(ct_lookup_average)},
    {.key = "average_stdev_lt",
     .needs = "mean and standard deviation of probe latencies",
     .picks = "the configuration whose interval mean +- deviation has most in common",
     .scores = "interval in common [s]",
     .method = BY_LOOKUP(ct_lookup_average_stdev)},
    {.key = "pdf_lt",
     .needs = "density of probe latencies",
     .picks = "the configuration with the largest integral of f_B f_C",
     .scores = "integral of f_B f_C [1/s]",
     .method = BY_LOOKUP(ct_lookup_pdf)},
    {.key = "pdf_lt_normalised",
     .needs = "density of probe latencies",
     .picks = "the configuration with the largest integral of sqrt(f_B f_C)",
     .scores = "integral of sqrt(f_B f_C)",
     .method = BY_LOOKUP(ct_lookup_pdf_normalised)},
    {.key = "queue",
     .needs = "mean probe latency, idle minimum and variance",
     .picks = "the application's slowdown over utilization \"pk\", read at the co-runner's",
     .scores = "utilization \"pk\"",
     .method = BY_CURVE(CT_UTILIZATION_PK)},
    {.key = "queue_calibrated",
     .needs = "mean probe latency, configurations of known load",
     .picks = "the application's slowdown over utilization by delay, with K fitted, read at the "
              "co-runner's",
     .scores = "utilization by delay",
     .method = BY_CURVE(CT_UTILIZATION_CALIBRATED)},
    {.key = "queue_waiting",
     .needs = "share of the probes that wait",
     .picks = "the application's slowdown over utilization by waiting, read at the co-runner's",
     .scores = "utilization by waiting",
     .method = BY_CURVE(CT_UTILIZATION_WAITING)},
    {.key = "lp",
     .needs = "a schedule of the application; mean probe latency",
     .picks = "T(L + dL) / T(L) - 1 of the schedule, dL the mean delay beside the co-runner",
     .scores = "",
     .capabilities = CT_MODEL_NEEDS_SCHEDULE | CT_MODEL_NEEDS_SERIES,
     .method = BY_SCHEDULE(CT_RESPONSE_MEAN)},
    {.key = "lp_gap",
     .needs = "the same, and the share of the probes that wait",
     .picks = "as lp, with the gap G / (1 - utilization) by this share",
     .scores = "",
     .capabilities = CT_MODEL_NEEDS_SCHEDULE | CT_MODEL_NEEDS_SERIES,
     .method = BY_SCHEDULE(CT_RESPONSE_MEAN_GAP)},
    {.key = "replay",
     .needs = "a schedule of the application; probe latencies in the order of time",
     .picks = "the mean run time of the schedule when each message meets the delay of its moment",
     .scores = "",
     .capabilities = CT_MODEL_NEEDS_SCHEDULE | CT_MODEL_NEEDS_SERIES,
     .method = BY_SCHEDULE(CT_RESPONSE_SERIES)},
    {.key = "replay_gap",
     .needs = "the same, and the share of the probes that wait",
     .picks = "as replay, with a gap that grows with the delay of the moment",
     .scores = "",
     .capabilities = CT_MODEL_NEEDS_SCHEDULE | CT_MODEL_NEEDS_SERIES,
     .method = BY_SCHEDULE(CT_RESPONSE_SERIES_GAP)},
    {.key = "simulated",
     .needs = "schedules of the application and of all that run beside it",
     .picks = "the time that the schedules take when they are simulated together on one switch",
     .scores = "",
     .capabilities = CT_MODEL_NEEDS_SCHEDULE | CT_MODEL_NEEDS_NO_PROBE,
     .method = BY(answer_jointly)},
    {.key = "phase",
     .needs = "distributions of probe latencies, and of the smaller of two in a row",
     .picks = "the shares of time in which the co-runner looks like each configuration or like the "
              "idle network; the mean of the application's speeds there",
     .scores = "share of time",
     .method = BY(answer_by_mixture)},
    {.key = "mutual",
     .needs = "the same, of all applications together",
     .picks = "as phase, but co-runners that are slowed themselves load the network less",
     .scores = "share of time",
     .capabilities = CT_MODEL_JUDGED_BY_CO_RUNS,
     .method = BY(answer_mutually)},
};

/* ---- rows ---- */

static bool is_key(const char *key, const char *name, size_t length)
{
    return strlen(key) == length && !strncmp(key, name, length);
}

enum ct_status ct_predict_model_find(const char *key, size_t length, size_t *model_p,
                                     struct ct_error *err)
{
    char keys[400] = "";
    for (size_t m = 0; m < CT_N_PREDICT_MODELS; m++) {
        size_t used = strlen(keys);
        if (is_key(ct_predict_models[m].key, key, length)) {
            *model_p = m;
            return CT_OK;
        }
        snprintf(keys + used, sizeof keys - used, "%s%s", m ? ", " : "", ct_predict_models[m].key);
    }
    if (is_key("cosim", key, length))
        return ct_fail(err, CT_EUSAGE, "'cosim': this model is called simulated now");
    return ct_fail(err, CT_EUSAGE, "'%.*s': no such model; there are: %s", (int)length, key, keys);
}

bool ct_predict_model_is(const struct ct_predict_model *model, enum ct_model_capability what)
{
    return model->capabilities & what;
}

const struct ct_curve *ct_predict_model_curve(const struct ct_predict_model *model,
                                              const struct ct_predict_analysis *analysis,
                                              size_t app)
{
    const struct ct_predict_method *method = model->method;
    return method->has_curve ? analysis->curves[method->kind * analysis->n_apps + app] : NULL;
}

/* ---- questions ---- */

enum ct_status ct_predict_answer(const struct ct_predict_model *model,
                                 const struct ct_predict_analysis *analysis,
                                 const struct ct_predict_query *query, double *scores,
                                 struct ct_prediction *prediction_p)
{
    for (size_t c = 0; c < analysis->n_configs && scores; c++)
        scores[c] = NAN;
    if (ct_predict_model_is(model, CT_MODEL_NEEDS_NO_PROBE) || is_probed(query->load))
        return model->method->answer(model->method, analysis, query, scores, prediction_p);
    *prediction_p = no_answer(CT_PREDICTION_NO_PROBE);
    return CT_OK;
}

/* Fill in the co-runners of a query that has the rest, and ask. */
static enum ct_status ask_about(const struct ct_predict_model *model,
                                const struct ct_predict_analysis *analysis,
                                struct ct_predict_query query, const size_t *with, size_t n,
                                double *scores, struct ct_prediction *prediction_p)
{
    const size_t only = ct_load_of_app(with[0]);
    query.load = &analysis->apps[with[0]];
    query.beside = &only;
    query.n_beside = 1;
    if (n == 1)
        return ct_predict_answer(model, analysis, &query, scores, prediction_p);
    struct ct_predict_load load;
    double *mass = malloc((ct_predict_mass_size(analysis) + 1) * sizeof *mass);
    size_t *beside = malloc((n + 1) * sizeof *beside);
    enum ct_status status = CT_ENOMEM;
    for (size_t i = 0; i < n && beside; i++)
        beside[i] = ct_load_of_app(with[i]);
    if (mass && beside)
        status = ct_predict_combine(analysis, with, n, mass, &load);
    query.load = &load;
    query.beside = beside;
    query.n_beside = n;
    if (status == CT_OK)
        status = ct_predict_answer(model, analysis, &query, scores, prediction_p);
    free(mass);
    free(beside);
    return status;
}

enum ct_status ct_predict_group(const struct ct_predict_model *model,
                                const struct ct_predict_analysis *analysis, size_t app,
                                const size_t *with, size_t n, double *scores,
                                struct ct_prediction *prediction_p)
{
    const struct ct_predict_query query = {.app = app, .excluded = CT_PREDICT_NO_CONFIG};
    return ask_about(model, analysis, query, with, n, scores, prediction_p);
}

enum ct_status ct_predict_pair(const struct ct_predict_model *model,
                               const struct ct_predict_analysis *analysis, size_t app, size_t with,
                               struct ct_prediction *prediction_p)
{
    return ct_predict_group(model, analysis, app, &with, 1, NULL, prediction_p);
}

enum ct_status ct_predict_without(const struct ct_predict_model *model,
                                  const struct ct_predict_analysis *analysis, size_t app,
                                  const size_t *with, size_t n, const size_t *left_out,
                                  size_t n_left_out, struct ct_prediction *prediction_p)
{
    const struct ct_predict_query query = {.app = app,
                                           .excluded = CT_PREDICT_NO_CONFIG,
                                           .left_out = left_out,
                                           .n_left_out = n_left_out};
    return ask_about(model, analysis, query, with, n, NULL, prediction_p);
}
