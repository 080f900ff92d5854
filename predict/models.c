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
#define BY(function)                                                                               \
    &(const struct ct_predict_method)                                                              \
    {                                                                                              \
        .answer = (function)                                                                       \
    }

const struct ct_predict_model ct_predict_models[CT_N_PREDICT_MODELS] = {
    {.key = "none",
     .words = "no slowdown",
     .needs = "nothing: a null model",
     .rule = "no slowdown",
     .scores = "",
     .capabilities = CT_MODEL_IS_NULL | CT_MODEL_NEEDS_NO_PROBE,
     .method = BY(ct_answer_no_slowdown)},
    {.key = "multiplicative",
     .words = "rows and columns of the other co-runs",
     .needs = "other measured co-runs: a null model",
     .rule = "sensitivity of the application times aggressiveness of the co-runner, by least "
             "squares of logarithms of the other co-runs",
     .scores = "",
     .capabilities = CT_MODEL_IS_NULL | CT_MODEL_NEEDS_NO_PROBE | CT_MODEL_KNOWS_CO_RUNS |
                     CT_MODEL_JUDGED_BY_CO_RUNS,
     .method = BY(ct_answer_multiplicatively)},
    {.key = "average_lt",
     .words = "load of the nearest mean latency",
     .needs = "mean probe latency",
     .rule = "the configuration with the nearest mean",
     .scores = "-|difference of means| [s]",
     .method = BY_LOOKUP(ct_lookup_average)},
    {.key = "average_stdev_lt",
     .words = "load of the nearest spread of latency",
     .needs = "mean and standard deviation of probe latencies",
     .rule = "the configuration whose interval mean +- deviation has most in common",
     .scores = "interval in common [s]",
     .method = BY_LOOKUP(ct_lookup_average_stdev)},
    {.key = "pdf_lt",
     .words = "load of the nearest latencies",
     .needs = "density of probe latencies",
     .rule = "the configuration with the largest integral of f_B f_C",
     .scores = "integral of f_B f_C [1/s]",
     .method = BY_LOOKUP(ct_lookup_pdf)},
    {.key = "queue",
     .words = "slowdown over the paper's index",
     .needs = "mean probe latency, idle minimum and variance",
     .rule = "the application's slowdown over the paper's index (pk), read at the co-runner's",
     .scores = "paper's index (pk)",
     .method = &(const struct ct_predict_method){.answer = ct_answer_by_curve, .has_curve = true}},
    {.key = "lp",
     .words = "schedule with the delay that the probe saw",
     .needs = "a schedule of the application; mean probe latency",
     .rule = "T(L + dL) / T(L) - 1 of the schedule, dL the mean delay beside the co-runner",
     .scores = "",
     .capabilities = CT_MODEL_NEEDS_SCHEDULE,
     .method = BY(ct_answer_by_schedule)},
    {.key = "packets",
     .words = "schedules simulated together",
     .needs = "schedules of the application and of all that run beside it",
     .rule = "the time that the schedules take when they are simulated together on one network, "
             "with packets that wait in the queues of ports, headers, and a window of what a node "
             "has under way to another one",
     .scores = "",
     .capabilities = CT_MODEL_NEEDS_SCHEDULE | CT_MODEL_NEEDS_NO_PROBE,
     .method = BY(ct_answer_by_simulation)},
    {.key = "mutual",
     .words = "loads that the co-runner looks like",
     .needs = "distributions of probe latencies, and of the smaller of two in a row, of all "
              "applications together",
     .rule = "the shares of time in which the co-runner looks like each configuration or like the "
             "idle network; the mean of the application's speeds there; co-runners that are slowed "
             "themselves load the network less",
     .scores = "share of time",
     .capabilities = CT_MODEL_JUDGED_BY_CO_RUNS,
     .method = BY(ct_answer_mutually)},
    {.key = "probe",
     .words = "line over what the probe reads",
     .needs = "distribution of probe latencies; measured co-runs of either, where there are some",
     .rule = "the application's slowdown over the delay of the probe and the share of probes that "
             "wait, a smooth line, read at the co-runner's; co-runners that are slowed themselves "
             "load the network less; and how much more the application was slowed, and the "
             "co-runner slowed others, than that in measured co-runs",
     .scores = "reading of the probe",
     .capabilities = CT_MODEL_KNOWS_CO_RUNS | CT_MODEL_JUDGED_BY_CO_RUNS,
     .method = BY(ct_answer_by_line)},
};

/* ---- the default ---- */

/* The first row whose facts are there. Order: the mean error over the campaigns of
 * docs/validation.md, where the inputs of both rows are there. */
static const struct ct_predict_default defaults[] = {
    {"packets", "schedules of all applications are there", CT_HAS_ALL_SCHEDULES},
    {"probe", "configurations are there, and not schedules of all applications", CT_HAS_CONFIGS},
    {"lp", "a schedule is there, and no configuration", CT_HAS_A_SCHEDULE},
    {"multiplicative", "co-runs are there, and neither configurations nor schedules",
     CT_HAS_CO_RUNS},
    {"none", "nothing is there that a model predicts from", 0}};

const struct ct_predict_default *ct_predict_default(unsigned facts)
{
    const struct ct_predict_default *row = defaults;
    while ((facts & row->facts) != row->facts)
        row++;
    return row;
}

/* ---- rows ---- */

static bool is_key(const char *key, const char *name, size_t length)
{
    return strlen(key) == length && !strncmp(key, name, length);
}

/* The model that takes the place of one of earlier versions. */
static const struct {
    const char *former, *key;
} successors[] = {{"additive", "multiplicative"},
                  {"simulated", "packets"},
                  {"cosim", "packets"},
                  {"phase", "mutual"},
                  {"replay", "lp"},
                  {"replay_gap", "lp"},
                  {"lp_gap", "lp"},
                  {"queue_calibrated", "queue"},
                  {"queue_waiting", "queue"},
                  {"pdf_lt_normalised", "pdf_lt"}};

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
    return method->has_curve ? analysis->curves[CT_UTILIZATION_PK * analysis->n_apps + app] : NULL;
}
