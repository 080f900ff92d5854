#include "predict/replays.h"

#include "core/parallel.h"
#include "predict/constants.h"

#include <math.h>
#include <stdlib.h>

struct replays {
    size_t n_apps, n_loads;
    double *runtime_s; /* [cell] */
};

static size_t cell_of(size_t n_apps, size_t n_loads, size_t kind, size_t app, size_t load)
{
    return (kind * n_apps + app) * n_loads + load;
}

static double *runtime_of(const struct replays *replays, size_t kind, size_t app, size_t load)
{
    return &replays->runtime_s[cell_of(replays->n_apps, replays->n_loads, kind, app, load)];
}

/* ---- what a load does to messages ---- */

static const struct ct_predict_load *load_of(const struct ct_predict_analysis *analysis,
                                             size_t load)
{
    if (load == 0)
        return &analysis->idle;
    return load <= analysis->n_apps ? &analysis->apps[load - 1]
                                    : &analysis->configs[load - 1 - analysis->n_apps];
}

static size_t n_runs(const struct ct_samples *timed)
{
    return timed->n_runs > 0 ? timed->n_runs : 1;
}

static size_t run_begin(const struct ct_samples *timed, size_t run)
{
    return run > 0 ? timed->ends[run - 1] : 0;
}

static size_t run_end(const struct ct_samples *timed, size_t run)
{
    return timed->n_runs > 0 ? timed->ends[run] : timed->n;
}

static double span_s(const struct ct_samples *timed, size_t run)
{
    size_t begin = run_begin(timed, run), end = run_end(timed, run);
    return end > begin ? timed->time_s[end - 1] - timed->time_s[begin] : 0;
}

/* From one probe to the next. */
static double mean_distance_s(const struct ct_samples *timed)
{
    double sum_s = 0, n = 0;
    for (size_t run = 0; run < n_runs(timed); run++) {
        sum_s += span_s(timed, run);
        n += fmax(0, (double)(run_end(timed, run) - run_begin(timed, run)) - 1);
    }
    return sum_s > 0 ? sum_s / n : 1; /* one probe a run: any length does */
}

/* Runs one after the other, a mean distance of probes apart. Returns the length of the whole. */
static double join_runs(const struct ct_samples *timed, double *time_s)
{
    double at_s = 0, distance_s = mean_distance_s(timed);
    for (size_t run = 0; run < n_runs(timed); run++) {
        size_t begin = run_begin(timed, run);
        for (size_t i = begin; i < run_end(timed, run); i++)
            time_s[i] = at_s + timed->time_s[i] - timed->time_s[begin];
        at_s += span_s(timed, run) + distance_s;
    }
    return at_s;
}

/* With which delay the network is half used: the share of the probes that wait tells how much it is
 * used now, beside the mean delay; a queue's delay is K rho / (1 - rho). */
static double half_delay_s(const struct ct_predict_analysis *analysis,
                           const struct ct_predict_load *load)
{
    double extra_s = load->profile.latency_s.mean - analysis->idle.profile.latency_s.mean;
    double used_frac = fmin(load->waiting.frac, ct_predict_constant(CT_PREDICT_MOST_USED));
    return extra_s > 0 && used_frac > 0 ? extra_s * (1 - used_frac) / used_frac : INFINITY;
}

/* ---- asking ---- */

struct asker {
    const struct ct_predict_input *input;
    const struct ct_predict_analysis *analysis;
    struct replays *replays;
    double *time_s, *extra_s; /* of the longest series */
    uint64_t seed;
    /* About the load at hand, by several threads. */
    size_t load;
    struct ct_predict_delay delays[CT_N_RESPONSES];
    enum ct_status *status; /* [kind * n_apps + app] */
    struct ct_error *errs;  /* likewise */
};

static void ask(void *work, size_t i)
{
    struct asker *asker = work;
    size_t n_apps = asker->input->measured->n_apps, kind = i / n_apps, app = i % n_apps;
    const struct ct_predict_response *response = &asker->input->responses[app];
    asker->status[i] = CT_OK;
    if (response->model)
        asker->status[i] =
            response->runtime(response->model, &asker->delays[kind], asker->seed + asker->load,
                              runtime_of(asker->replays, kind, app, asker->load), &asker->errs[i]);
}

static enum ct_status ask_all(struct asker *asker, struct ct_error *err)
{
    const struct ct_measurements *measured = asker->input->measured;
    size_t n = CT_N_RESPONSES * measured->n_apps;
    ct_parallel_run(n, ct_parallel_processors(), ask, asker);
    for (size_t i = 0; i < n; i++) {
        if (asker->status[i] == CT_OK)
            continue;
        if (err)
            *err = asker->errs[i];
        return ct_fail_within(err, asker->status[i], "schedule of %s",
                              ct_measured_app(measured, i % measured->n_apps)->name);
    }
    return CT_OK;
}

static enum ct_status ask_about(struct asker *asker, size_t load, struct ct_error *err)
{
    const struct ct_samples *timed = &asker->input->measured->loads[load].latency_s;
    struct ct_predict_delay delay = {asker->time_s, asker->extra_s, timed->n, 0, INFINITY, false};
    if (delay.n == 0)
        return CT_OK;
    delay.period_s = join_runs(timed, asker->time_s);
    for (size_t i = 0; i < delay.n; i++)
        asker->extra_s[i] = timed->x[i] - asker->analysis->idle.profile.latency_s.mean;
    double K_s = half_delay_s(asker->analysis, load_of(asker->analysis, load));
    for (size_t kind = 0; kind < CT_N_RESPONSES; kind++) {
        delay.is_constant = kind == CT_RESPONSE_MEAN || kind == CT_RESPONSE_MEAN_GAP;
        delay.half_delay_s =
            kind == CT_RESPONSE_MEAN_GAP || kind == CT_RESPONSE_SERIES_GAP ? K_s : INFINITY;
        asker->delays[kind] = delay;
    }
    asker->load = load;
    return ask_all(asker, err);
}

static size_t longest_series(const struct ct_measurements *measured)
{
    size_t longest = 0;
    for (size_t load = 0; load < ct_measured_n_loads(measured); load++) {
        size_t n = measured->loads[load].latency_s.n;
        longest = n > longest ? n : longest;
    }
    return longest;
}

static struct replays *allocate(size_t n_apps, size_t n_loads)
{
    struct replays *replays = malloc(sizeof *replays);
    size_t n = CT_N_RESPONSES * n_apps * n_loads;
    if (!replays)
        return NULL;
    *replays = (struct replays){n_apps, n_loads, calloc(n + 1, sizeof(double))};
    if (!replays->runtime_s) {
        free(replays);
        return NULL;
    }
    for (size_t i = 0; i < n; i++)
        replays->runtime_s[i] = NAN;
    return replays;
}

static void replays_free(struct replays *replays)
{
    if (!replays)
        return;
    free(replays->runtime_s);
    free(replays);
}

static void set_slowdowns(const struct replays *replays, double *responses)
{
    size_t n_apps = replays->n_apps, n_loads = replays->n_loads;
    for (size_t kind = 0; kind < CT_N_RESPONSES; kind++)
        for (size_t app = 0; app < n_apps; app++)
            for (size_t load = 0; load < n_loads; load++)
                responses[cell_of(n_apps, n_loads, kind, app, load)] =
                    *runtime_of(replays, kind, app, load) / *runtime_of(replays, kind, app, 0) - 1;
}

enum ct_status ct_predict_replays_ask(const struct ct_predict_input *input,
                                      struct ct_predict_analysis *analysis, struct ct_error *err)
{
    if (!input->responses)
        return CT_OK;
    size_t n_loads = ct_measured_n_loads(input->measured);
    size_t longest = longest_series(input->measured);
    size_t n_asked = CT_N_RESPONSES * input->measured->n_apps;
    struct asker asker = {.input = input,
                          .analysis = analysis,
                          .replays = allocate(input->measured->n_apps, n_loads),
                          .time_s = malloc((longest + 1) * sizeof(double)),
                          .extra_s = malloc((longest + 1) * sizeof(double)),
                          .seed = input->seed,
                          .status = malloc((n_asked + 1) * sizeof(enum ct_status)),
                          .errs = malloc((n_asked + 1) * sizeof(struct ct_error))};
    enum ct_status status = CT_OK;
    if (!asker.replays || !asker.time_s || !asker.extra_s || !asker.status || !asker.errs)
        status = ct_fail(err, CT_ENOMEM, "run times by schedules: out of memory");
    for (size_t load = 0; load < n_loads && status == CT_OK; load++)
        status = ask_about(&asker, load, err);
    free(asker.time_s);
    free(asker.extra_s);
    free(asker.status);
    free(asker.errs);
    if (status == CT_OK)
        set_slowdowns(asker.replays, analysis->responses);
    replays_free(asker.replays);
    return status;
}
