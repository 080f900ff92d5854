/* How much latency each application tolerates: by its schedule and, where it was run at several
 * latencies, as measured. Shen et al., "LLAMP" (2024), Fig. 1 and 9. */
#include "core/parallel.h"
#include "report/part.h"
#include "study/latency_validation.h"

#include <math.h>
#include <string.h>

/* As those of crosstalk validate. */
static const double threshold_frac[] = {0.01, 0.02, 0.05};
enum { N_THRESHOLDS = sizeof threshold_frac / sizeof *threshold_frac };

/* ---- by the schedule ---- */

static const double least_s = 1e-7, most_s = 10; /* of added latencies that are looked at */
enum { POINTS = 25, ROUNDS = 4 };

/* Where T, which is convex and does not fall, is longer by a fraction: in each round between two
 * of the points. NaN: nowhere up to most_s. */
static enum ct_status find_tolerance(const struct ct_predict_response *response, double runtime_s,
                                     double frac, double *tolerance_p, struct ct_error *err)
{
    double lo = least_s, hi = most_s, at_s[POINTS], found_s[POINTS];
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < POINTS; i++)
            at_s[i] = lo * pow(hi / lo, (double)i / (POINTS - 1));
        CT_TRY(response->runtimes(response->model, at_s, POINTS, found_s, err));
        int first = 0;
        while (first < POINTS && found_s[first] <= runtime_s * (1 + frac))
            first++;
        *tolerance_p = first == POINTS ? NAN : at_s[first];
        if (first == POINTS || first == 0)
            return CT_OK;
        lo = at_s[first - 1];
        hi = at_s[first];
    }
    return CT_OK;
}

/* T from no added latency to that which costs the most of the thresholds, and half as much again.
 */
static enum ct_status add_curve(const struct ct_predict_response *response, double last_s,
                                struct ct_json *one, struct ct_error *err)
{
    double at_s[POINTS], found_s[POINTS];
    for (int i = 0; i < POINTS; i++)
        at_s[i] = 1.5 * last_s * i / (POINTS - 1);
    CT_TRY(response->runtimes(response->model, at_s, POINTS, found_s, err));
    ct_json_put(one, "added_us", ct_page_numbers(at_s, POINTS, 1e6));
    ct_json_put(one, "runtime_s", ct_page_numbers(found_s, POINTS, 1));
    return CT_OK;
}

static enum ct_status describe_schedule(const struct ct_page_part *part, size_t app,
                                        struct ct_json *one, struct ct_error *err)
{
    const struct ct_predict_response *response = &part->session.schedules.responses[app];
    double runtime_s, tolerance_s[N_THRESHOLDS], last_s = 0;
    if (!response->model) {
        ct_json_put(one, "why", ct_json_text(response->why ? response->why : "no schedule"));
        return CT_OK;
    }
    const double none = 0;
    CT_TRY(response->runtimes(response->model, &none, 1, &runtime_s, err));
    for (size_t i = 0; i < N_THRESHOLDS; i++) {
        CT_TRY(find_tolerance(response, runtime_s, threshold_frac[i], &tolerance_s[i], err));
        if (!isnan(tolerance_s[i]))
            last_s = tolerance_s[i];
    }
    ct_json_put(one, "tolerance_us", ct_page_numbers(tolerance_s, N_THRESHOLDS, 1e6));
    return last_s > 0 ? add_curve(response, last_s, one, err) : CT_OK;
}

/* ---- measured ---- */

static bool has_latencies(const struct ct_run_list *list, const char *app)
{
    for (size_t i = 0; i < list->n_entries; i++) {
        const struct ct_run_info *info = &list->entries[i].info;
        if (info->kind == CT_RUN_RUNTIME && !strcmp(info->app, app) && !*info->with &&
            ct_run_added_latency_s(info) > 0)
            return true;
    }
    return false;
}

static void describe_found(const struct ct_validation *found, struct ct_json *one)
{
    struct ct_json *points = ct_json_put(one, "points", ct_json_array());
    for (size_t i = 0; i < found->n_points; i++) {
        const struct ct_validation_point *p = &found->points[i];
        const double row[] = {1e6 * p->delta_L_s, p->measured_s,  p->measured_ci.lo,
                              p->measured_ci.hi,  p->predicted_s, (double)p->n_runs};
        ct_json_append(points, ct_page_numbers(row, sizeof row / sizeof *row, 1));
    }
    struct ct_json *tolerances = ct_json_put(one, "measured_tolerance", ct_json_array());
    for (size_t i = 0; i < found->n_tolerances; i++) {
        const struct ct_validation_tolerance *t = &found->tolerances[i];
        const double row[] = {t->threshold_frac, 1e6 * t->measured_s, 1e6 * t->measured_ci.lo,
                              1e6 * t->measured_ci.hi, 1e6 * t->predicted_s};
        ct_json_append(tolerances, ct_page_numbers(row, sizeof row / sizeof *row, 1));
    }
    ct_json_put(one, "rrmse", ct_page_number(found->rrmse));
}

static enum ct_status describe_measured(const struct ct_page_part *part, const char *app,
                                        struct ct_json *one, struct ct_error *err)
{
    const struct ct_page_settings *settings = part->settings;
    const struct ct_validation_question question = {.folder = settings->directory,
                                                    .placement = part->placement,
                                                    .app = app,
                                                    .threshold_frac = threshold_frac,
                                                    .n_thresholds = N_THRESHOLDS,
                                                    .convert = ct_convert_defaults(),
                                                    .serialize_nic = true,
                                                    .threads = ct_parallel_processors(),
                                                    .seed = settings->bootstrap.seed};
    struct ct_validation found;
    struct ct_error why;
    if (!has_latencies(&part->list, app))
        return CT_OK;
    enum ct_status status = ct_validation_find(&question, &found, &why);
    if (status == CT_OK)
        describe_found(&found, one);
    else
        ct_json_put(one, "why_not_measured", ct_json_text(why.text));
    ct_validation_free(&found);
    return status == CT_ENOMEM ? ct_no_memory(err, "%s", settings->directory) : CT_OK;
}

enum ct_status ct_page_write_tolerance(const struct ct_page_part *part, struct ct_json *into,
                                       struct ct_error *err)
{
    struct ct_json *apps = ct_json_put(into, "tolerance", ct_json_array());
    ct_json_put(into, "thresholds", ct_page_numbers(threshold_frac, N_THRESHOLDS, 1));
    for (size_t app = 0; app < ct_page_n_apps(part); app++) {
        struct ct_json *one = ct_json_append(apps, ct_json_object());
        if (part->session.schedules.n_available > 0)
            CT_TRY(describe_schedule(part, app, one, err));
        CT_TRY(describe_measured(part, ct_page_app(part, app), one, err));
    }
    return CT_OK;
}
