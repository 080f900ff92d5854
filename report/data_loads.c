/* How much of the network each load uses: utilizations, latencies of the probe beside it, and the
 * course of both in time. Casas and Bronevetsky, IPDPS 2014, Figs. 3, 6 and 7. */
#include "core/order.h"
#include "model/queue/calibration.h"
#include "predict/curve.h"
#include "report/part.h"
#include "report/windows.h"
#include "study/constants.h"

#include <math.h>
#include <stdlib.h>

enum { QUANTILES = 200, WINDOWS = 80, PROBES_PER_WINDOW = 16, CURVE_POINTS = 41 };

/* ---- utilizations ---- */

static void put_utilization(struct ct_json *one, const char *name, double frac,
                            struct ct_interval interval)
{
    const double values[] = {frac, interval.lo, interval.hi};
    if (!isnan(frac))
        ct_json_put(one, name, ct_page_numbers(values, 3, 1));
}

static struct ct_json *describe_load(const struct ct_predict_load *load, const char *name,
                                     const char *kind)
{
    struct ct_json *one = ct_json_object();
    const struct ct_interval none = {NAN, NAN};
    ct_json_put(one, "name", ct_json_text(name));
    ct_json_put(one, "kind", ct_json_text(kind));
    ct_json_put(one, "probes", ct_json_number((double)load->profile.latency_s.n));
    ct_json_put(
        one, "mean_us",
        ct_page_number(load->profile.latency_s.n ? 1e6 * load->profile.latency_s.mean : NAN));
    put_utilization(one, "counters", load->true_utilization_frac, none);
    put_utilization(one, "waiting", load->waiting.frac, load->waiting.interval);
    put_utilization(one, "delay", load->calibrated.frac, load->calibrated.interval);
    put_utilization(one, "pk", load->utilization_frac, load->utilization_interval);
    return one;
}

static void write_utilizations(const struct ct_page_part *part, struct ct_json *into)
{
    const struct ct_predict_analysis *analysis = &part->analysis;
    struct ct_json *loads = ct_json_put(into, "loads", ct_json_array());
    ct_json_append(loads, describe_load(&analysis->idle, "idle network", "idle"));
    for (size_t app = 0; app < analysis->n_apps; app++)
        ct_json_append(loads, describe_load(&analysis->apps[app], ct_page_app(part, app), "app"));
    for (size_t c = 0; c < analysis->n_configs; c++)
        ct_json_append(loads,
                       describe_load(&analysis->configs[c],
                                     ct_measured_config(&part->session.study.measured, c)->name,
                                     "configuration"));
}

/* ---- slowdown over utilization ---- */

/* Through the slowdowns beside configurations, from no utilization up to the last of these. */
static struct ct_json *describe_curve(const struct ct_predict_analysis *analysis, size_t app)
{
    const struct ct_curve *curve =
        analysis->curves[CT_UTILIZATION_WAITING * analysis->n_apps + app];
    struct ct_json *points = ct_json_array();
    double end = 0;
    for (size_t c = 0; c < analysis->n_configs; c++)
        if (!isnan(analysis->under_config[app * analysis->n_configs + c].frac))
            end = fmax(end, analysis->configs[c].waiting.frac);
    for (size_t i = 0; curve && end > 0 && i < CURVE_POINTS; i++) {
        bool beyond;
        double at = end * (double)i / (CURVE_POINTS - 1);
        const double point[] = {at, ct_curve_at(curve, at, &beyond)};
        ct_json_append(points, ct_page_numbers(point, 2, 1));
    }
    return points;
}

static void write_degradations(const struct ct_page_part *part, struct ct_json *into)
{
    const struct ct_predict_analysis *analysis = &part->analysis;
    struct ct_json *apps = ct_json_put(into, "under", ct_json_array());
    for (size_t app = 0; app < analysis->n_apps; app++) {
        struct ct_json *one = ct_json_append(apps, ct_json_object());
        struct ct_json *values = ct_json_put(one, "configs", ct_json_array());
        for (size_t c = 0; c < analysis->n_configs; c++) {
            const struct ct_slowdown *s = &analysis->under_config[app * analysis->n_configs + c];
            const double row[] = {s->frac, s->interval.lo, s->interval.hi};
            ct_json_append(values, ct_page_numbers(row, 3, 1));
        }
        ct_json_put(one, "curve", describe_curve(analysis, app));
    }
}

/* ---- latencies, and their course in time ---- */

/* What a window is measured against. */
struct scale {
    double threshold_s; /* above it a window is busy; NaN: not known */
    double m;           /* of the utilization by waiting */
};

/* By waiting: of the probes that found nothing in their way, the busy quantile stay below the
 * threshold, of the others none. */
static double utilization_of(const struct scale *scale, const struct ct_window *window)
{
    double busy_quantile = ct_study_constant(CT_STUDY_BUSY_QUANTILE);
    double waiting_frac = 1 - (1 - window->above_frac) / busy_quantile;
    return ct_queue_relation_at(&ct_queue_waiting, waiting_frac, scale->m);
}

CT_ORDER(by_time, struct ct_sample, t_s)

static enum ct_status add_windows(const double *t_s, const double *x_s, size_t n,
                                  const struct scale *scale, struct ct_json *windows)
{
    struct ct_window found[WINDOWS];
    size_t n_found;
    enum ct_status status = ct_windows_make(t_s, x_s, n, PROBES_PER_WINDOW, WINDOWS,
                                            scale->threshold_s, found, &n_found);
    for (size_t w = 0; w < n_found; w++) {
        const double row[] = {found[w].start_s,
                              found[w].end_s,
                              found[w].median * 1e6,
                              found[w].most * 1e6,
                              utilization_of(scale, &found[w]),
                              found[w].is_busy};
        ct_json_append(windows, ct_page_numbers(row, sizeof row / sizeof *row, 1));
    }
    return status;
}

/* As impactb says it when it ends. */
static size_t count_late(const struct ct_run *run)
{
    double missed = ct_run_number(&run->info, "missed_probes");
    size_t n = isnan(missed) ? 0 : (size_t)missed;
    for (size_t i = 0; i < run->n_samples; i++)
        n += run->samples[i].late;
    return n;
}

/* [start s, end s, median us, largest us, utilization, busy] of windows of a run. */
static enum ct_status describe_run(struct ct_run *run, const struct scale *scale,
                                   struct ct_json *one)
{
    size_t n = run->n_samples, late = count_late(run);
    double *values = malloc((2 * n + 1) * sizeof *values);
    if (!values)
        return CT_ENOMEM;
    if (n > 0)
        qsort(run->samples, n, sizeof *run->samples, by_time);
    for (size_t i = 0; i < n; i++) {
        values[i] = run->samples[i].t_s;
        values[n + i] = run->samples[i].latency_s;
    }
    enum ct_status status =
        add_windows(values, values + n, n, scale, ct_json_put(one, "windows", ct_json_array()));
    free(values);
    if ((double)late > ct_study_constant(CT_STUDY_LATE_NOTED) * (double)(n + late))
        ct_json_put(one, "late", ct_json_number((double)late));
    return status;
}

/* Of the first run that can be read; "": the idle network. */
static enum ct_status add_course(const struct ct_page_part *part, const char *app,
                                 const struct scale *scale, struct ct_json *one)
{
    for (size_t i = 0; i < part->list.n_entries; i++) {
        struct ct_run run;
        struct ct_error why;
        if (!ct_page_is_probe_of(&part->list.entries[i].info, app) ||
            ct_run_read_entry(&part->list.entries[i], &run, &why) != CT_OK)
            continue;
        enum ct_status status = describe_run(&run, scale, one);
        ct_run_free(&run);
        return status;
    }
    return CT_OK;
}

static enum ct_status make_scale(const struct ct_page_part *part, struct scale *scale_p)
{
    const struct ct_samples *idle = &part->session.study.measured.loads[0].latency_s;
    *scale_p = (struct scale){NAN, part->is_analysed ? part->analysis.waiting.parameter : 1};
    enum ct_status status = ct_stats_quantile_of(
        ct_samples_values(idle), ct_study_constant(CT_STUDY_BUSY_QUANTILE), &scale_p->threshold_s);
    return status == CT_ENOMEM ? status : CT_OK;
}

static enum ct_status write_probes(const struct ct_page_part *part, struct ct_json *into)
{
    const struct ct_measurements *measured = &part->session.study.measured;
    struct ct_json *probes = ct_json_put(into, "probes", ct_json_array());
    struct scale scale;
    CT_TRY(make_scale(part, &scale));
    for (size_t load = 0; load < 1 + measured->n_apps; load++) {
        const char *app = load > 0 ? measured->loads[load].name : "";
        struct ct_json *one = ct_json_append(probes, ct_json_object());
        ct_json_put(one, "beside", ct_json_text(load > 0 ? app : "idle network"));
        ct_json_put(
            one, "us",
            ct_page_quantiles(ct_samples_values(&measured->loads[load].latency_s), QUANTILES, 1e6));
        CT_TRY(add_course(part, app, &scale, one));
    }
    return CT_OK;
}

enum ct_status ct_page_write_loads(const struct ct_page_part *part, struct ct_json *into,
                                   struct ct_error *err)
{
    if (part->is_analysed) {
        write_utilizations(part, into);
        write_degradations(part, into);
    }
    return write_probes(part, into) == CT_OK ? CT_OK
                                             : ct_no_memory(err, "%s", part->settings->directory);
}
