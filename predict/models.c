#include "predict/models.h"

#include "predict/method.h"

#include <stdio.h>
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

/* ---- the table ---- */

#define BY_LOOKUP(table)                                                                           \
    &(const struct ct_predict_method)                                                              \
    {                                                                                              \
        .answer = ct_answer_by_lookup, .lookup = &(table)                                          \
    }
#define BY_CURVE(over)                                                                             \
    &(const struct ct_predict_method)                                                              \
    {                                                                                              \
        .answer = ct_answer_by_curve, .has_curve = true, .kind = (over)                            \
    }
#define BY_SCHEDULE(way)                                                                           \
    &(const struct ct_predict_method)                                                              \
    {                                                                                              \
        .answer = ct_answer_by_schedule, .response = (way)                                         \
    }
#define BY(function)                                                                               \
    &(const struct ct_predict_method)                                                              \
    {                                                                                              \
        .answer = (function)                                                                       \
    }

const struct ct_predict_model ct_predict_models[CT_N_PREDICT_MODELS] = {
    {.key = "none",
     .needs = "nothing: a null model",
     .rule = "no slowdown",
     .scores = "",
     .capabilities = CT_MODEL_IS_NULL | CT_MODEL_NEEDS_NO_PROBE,
     .method = BY(ct_answer_no_slowdown)},
    {.key = "additive",
     .needs = "other measured co-runs: a null model",
     .rule = "the mean slowdown of the application, plus the mean slowdown beside the co-runner, "
             "minus the mean of all co-runs",
     .scores = "",
     .capabilities = CT_MODEL_IS_NULL | CT_MODEL_NEEDS_NO_PROBE | CT_MODEL_KNOWS_CO_RUNS |
                     CT_MODEL_JUDGED_BY_CO_RUNS,
     .method = BY(ct_answer_additively)},
    {.key = "average_lt",
     .needs = "mean probe latency",
     .rule = "the configuration with the nearest mean",
     .scores = "-|difference of means| [s]",
     .method = BY_LOOKUP(ct_lookup_average)},
    {.key = "average_stdev_lt",
     .needs = "mean and standard deviation of probe latencies",
     .rule = "the configuration whose interval mean +- deviation has most in common",
     .scores = "interval in common [s]",
     .method = BY_LOOKUP(ct_lookup_average_stdev)},
    {.key = "pdf_lt",
     .needs = "density of probe latencies",
     .rule = "the configuration with the largest integral of f_B f_C",
     .scores = "integral of f_B f_C [1/s]",
     .method = BY_LOOKUP(ct_lookup_pdf)},
    {.key = "pdf_lt_normalised",
     .needs = "density of probe latencies",
     .rule = "the configuration with the largest integral of sqrt(f_B f_C)",
     .scores = "integral of sqrt(f_B f_C)",
     .method = BY_LOOKUP(ct_lookup_pdf_normalised)},
    {.key = "queue",
     .needs = "mean probe latency, idle minimum and variance",
     .rule = "the application's slowdown over utilization \"pk\", read at the co-runner's",
     .scores = "utilization \"pk\"",
     .method = BY_CURVE(CT_UTILIZATION_PK)},
    {.key = "queue_calibrated",
     .needs = "mean probe latency, configurations of known load",
     .rule = "the application's slowdown over utilization by delay, with K fitted, read at the "
             "co-runner's",
     .scores = "utilization by delay",
     .method = BY_CURVE(CT_UTILIZATION_CALIBRATED)},
    {.key = "queue_waiting",
     .needs = "share of the probes that wait",
     .rule = "the application's slowdown over utilization by waiting, read at the co-runner's",
     .scores = "utilization by waiting",
     .method = BY_CURVE(CT_UTILIZATION_WAITING)},
    {.key = "lp",
     .needs = "a schedule of the application; mean probe latency",
     .rule = "T(L + dL) / T(L) - 1 of the schedule, dL the mean delay beside the co-runner",
     .scores = "",
     .capabilities = CT_MODEL_NEEDS_SCHEDULE | CT_MODEL_NEEDS_SERIES,
     .method = BY_SCHEDULE(CT_RESPONSE_MEAN)},
    {.key = "lp_gap",
     .needs = "the same, and the share of the probes that wait",
     .rule = "as lp, with the gap G / (1 - utilization) by this share",
     .scores = "",
     .capabilities = CT_MODEL_NEEDS_SCHEDULE | CT_MODEL_NEEDS_SERIES,
     .method = BY_SCHEDULE(CT_RESPONSE_MEAN_GAP)},
    {.key = "replay",
     .needs = "a schedule of the application; probe latencies in the order of time",
     .rule = "the mean run time of the schedule when each message meets the delay of its moment",
     .scores = "",
     .capabilities = CT_MODEL_NEEDS_SCHEDULE | CT_MODEL_NEEDS_SERIES,
     .method = BY_SCHEDULE(CT_RESPONSE_SERIES)},
    {.key = "replay_gap",
     .needs = "the same, and the share of the probes that wait",
     .rule = "as replay, with a gap that grows with the delay of the moment",
     .scores = "",
     .capabilities = CT_MODEL_NEEDS_SCHEDULE | CT_MODEL_NEEDS_SERIES,
     .method = BY_SCHEDULE(CT_RESPONSE_SERIES_GAP)},
    {.key = "packets",
     .needs = "schedules of the application and of all that run beside it",
     .rule = "the time that the schedules take when they are simulated together on one network, "
             "with packets that wait in the queues of ports, headers, and a window of what a node "
             "has under way to another one",
     .scores = "",
     .capabilities = CT_MODEL_NEEDS_SCHEDULE | CT_MODEL_NEEDS_NO_PROBE,
     .method = BY(ct_answer_by_simulation)},
    {.key = "phase",
     .needs = "distributions of probe latencies, and of the smaller of two in a row",
     .rule = "the shares of time in which the co-runner looks like each configuration or like the "
             "idle network; the mean of the application's speeds there",
     .scores = "share of time",
     .method = BY(ct_answer_by_mixture)},
    {.key = "mutual",
     .needs = "the same, of all applications together",
     .rule = "as phase, but co-runners that are slowed themselves load the network less",
     .scores = "share of time",
     .capabilities = CT_MODEL_JUDGED_BY_CO_RUNS,
     .method = BY(ct_answer_mutually)},
};

/* ---- rows ---- */

static bool is_key(const char *key, const char *name, size_t length)
{
    return strlen(key) == length && !strncmp(key, name, length);
}

/* The model that takes the place of one of earlier versions. */
static const struct {
    const char *former, *key;
} successors[] = {{"simulated", "packets"}, {"cosim", "packets"}};

const char *ct_predict_model_successor(const char *key, size_t length)
{
    for (size_t i = 0; i < sizeof successors / sizeof *successors; i++)
        if (is_key(successors[i].former, key, length))
            return successors[i].key;
    return NULL;
}

enum ct_status ct_predict_model_find(const char *key, size_t length, size_t *model_p,
                                     struct ct_error *err)
{
    char keys[400] = "";
    const char *successor = ct_predict_model_successor(key, length);
    if (successor)
        return ct_predict_model_find(successor, strlen(successor), model_p, err);
    for (size_t m = 0; m < CT_N_PREDICT_MODELS; m++) {
        size_t used = strlen(keys);
        if (is_key(ct_predict_models[m].key, key, length)) {
            *model_p = m;
            return CT_OK;
        }
        snprintf(keys + used, sizeof keys - used, "%s%s", m ? ", " : "", ct_predict_models[m].key);
    }
    return ct_fail(err, CT_EUSAGE, "'%.*s': no such model; there are: %s", (int)length, key, keys);
}

const struct ct_curve *ct_predict_model_curve(const struct ct_predict_model *model,
                                              const struct ct_predict_analysis *analysis,
                                              size_t app)
{
    const struct ct_predict_method *method = model->method;
    return method->has_curve ? analysis->curves[method->kind * analysis->n_apps + app] : NULL;
}
