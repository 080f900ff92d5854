/* Probes in the course of time, with the phases of what runs beside them. */
#include "model/queue/calibration.h"
#include "report/sections.h"
#include "report/summarize.h"
#include "study/constants.h"

#include <math.h>
#include <stdlib.h>

enum { POINTS = 1200, WINDOWS = 80, PROBES_PER_WINDOW = 16 };

/* What a window is measured against. */
struct scale {
    double threshold_s; /* above it a window is busy; NaN: not known */
    double m;           /* of the utilization by waiting */
};

static enum ct_status make_scale(const struct ct_page_facts *facts, struct scale *scale_p)
{
    double busy_quantile = ct_study_constant(CT_STUDY_BUSY_QUANTILE);
    struct scale scale = {.threshold_s = NAN, .m = 1};
    if (ct_stats_quantile_of(ct_samples_values(&facts->measured->loads[0].latency_s), busy_quantile,
                             &scale.threshold_s) == CT_ENOMEM)
        return CT_ENOMEM;
    if (facts->analysis)
        scale.m = facts->analysis->waiting.parameter;
    *scale_p = scale;
    return CT_OK;
}

/* By waiting: of the probes that found nothing in their way, the busy quantile stay below the
 * threshold, of the others none. */
static double utilization_of(const struct scale *scale, const struct ct_window *window)
{
    double busy_quantile = ct_study_constant(CT_STUDY_BUSY_QUANTILE);
    double waiting_frac = 1 - (1 - window->above_frac) / busy_quantile;
    return ct_queue_relation_at(&ct_queue_waiting, waiting_frac, scale->m);
}

/* ---- one figure ---- */

struct course {
    double t_s[POINTS], latency_us[POINTS];
    size_t n_points;
    struct ct_window windows[WINDOWS];
    size_t n_windows;
    double window_s[2 * WINDOWS], utilization[2 * WINDOWS];
    struct ct_plot_zone zones[WINDOWS];
    size_t n_zones;
};

/* Busy windows that touch are one phase. */
static void find_phases(struct course *course)
{
    for (size_t w = 0; w < course->n_windows; w++) {
        const struct ct_window *window = &course->windows[w];
        bool goes_on = w > 0 && course->windows[w - 1].is_busy &&
                       window->start_s <= course->windows[w - 1].end_s * (1 + 1e-9);
        if (!window->is_busy)
            continue;
        if (goes_on)
            course->zones[course->n_zones - 1].hi = window->end_s;
        else
            course->zones[course->n_zones++] =
                (struct ct_plot_zone){NULL, window->start_s, window->end_s};
    }
}

static enum ct_status fill_course(const struct ct_page_probe *probe, const struct scale *scale,
                                  struct course *course)
{
    course->n_points = ct_series_thin(probe->t_s, probe->latency_s, probe->n, POINTS, course->t_s,
                                      course->latency_us);
    for (size_t i = 0; i < course->n_points; i++)
        course->latency_us[i] *= 1e6;
    enum ct_status status =
        ct_windows_make(probe->t_s, probe->latency_s, probe->n, PROBES_PER_WINDOW, WINDOWS,
                        scale->threshold_s, course->windows, &course->n_windows);
    for (size_t w = 0; w < course->n_windows; w++)
        for (size_t end = 0; end < 2; end++) {
            const struct ct_window *window = &course->windows[w];
            course->window_s[2 * w + end] = end ? window->end_s : window->start_s;
            course->utilization[2 * w + end] = 100 * utilization_of(scale, window);
        }
    find_phases(course);
    return status;
}

static double busy_share(const struct course *course)
{
    double busy_s = 0, all_s = 0;
    for (size_t w = 0; w < course->n_windows; w++) {
        double length_s = course->windows[w].end_s - course->windows[w].start_s;
        all_s += length_s;
        busy_s += course->windows[w].is_busy ? length_s : 0;
    }
    return all_s > 0 ? busy_s / all_s : 0;
}

static const struct ct_column columns[] = {{"t_s", "time", CT_UNIT_LONG_SECONDS},
                                           {"latency_s", "latency", CT_UNIT_SECONDS}};

static struct ct_tables *make_data(const struct ct_page_probe *probe)
{
    struct ct_tables *data = ct_figure_data();
    if (!data)
        return NULL;
    ct_tables_provenance(data, "beside", "%s", probe->name);
    ct_tables_begin(data, "samples", NULL, columns, 2);
    double t_s[POINTS], latency_s[POINTS];
    size_t n = ct_series_thin(probe->t_s, probe->latency_s, probe->n, POINTS, t_s, latency_s);
    for (size_t i = 0; i < n; i++) {
        ct_tables_cell_number(data, t_s[i]);
        ct_tables_cell_number(data, latency_s[i]);
    }
    return data;
}

static enum ct_status draw(struct ct_html *page, const struct ct_page_probe *probe, size_t number,
                           const struct course *course, struct ct_error *err)
{
    const struct ct_plot_series latencies = {.style = CT_PLOT_DOTS,
                                             .x = course->t_s,
                                             .y = course->latency_us,
                                             .n = course->n_points,
                                             .colour = "#0072B2"};
    const struct ct_plot_series windows = {.style = CT_PLOT_LINE,
                                           .x = course->window_s,
                                           .y = course->utilization,
                                           .n = 2 * course->n_windows,
                                           .colour = "#000000"};
    struct ct_plot_panel panels[2] = {
        {.y_label = "latency (µs)", .series = &latencies, .y_log = true},
        {.y_label = "util. by waiting (%)", .series = &windows, .y_hi = 100}};
    for (size_t p = 0; p < 2; p++) {
        panels[p].x_label = "time since the start of the run (s)";
        panels[p].n_series = 1;
        panels[p].zones = course->zones;
        panels[p].n_zones = course->n_zones;
        panels[p].x_lo = course->windows[0].start_s;
        panels[p].x_hi = course->windows[course->n_windows - 1].end_s;
    }
    bool has_utilization = !isnan(course->utilization[0]);
    struct ct_plot plot = ct_figure_plot(panels, has_utilization ? 2 : 1, CT_FIGURE_HEIGHT - 90);
    char id[64], about[120], *name;
    ct_figure_id("time", number, id);
    snprintf(about, sizeof about, "%.0f %% of the time is busy, in %zu phases; %zu probes.",
             100 * busy_share(course), course->n_zones, probe->n);
    struct ct_tables *data = make_data(probe);
    if (!data || asprintf(&name, "Probes in time, %s", probe->name) < 0) {
        ct_tables_free(data);
        return ct_no_memory(err, "probes in time");
    }
    enum ct_status status =
        ct_html_figure(page,
                       &(struct ct_html_figure){
                           .id = id, .name = name, .about = about, .plot = &plot, .data = data},
                       err);
    free(name);
    ct_tables_free(data);
    return status;
}

enum ct_status ct_section_time(struct ct_html *page, const struct ct_page_view *view,
                               struct ct_error *err)
{
    const struct ct_page_facts *facts = view->facts;
    struct scale scale;
    if (facts->n_probes == 0) {
        ct_html_missing(page, "There is no probe run.");
        return CT_OK;
    }
    if (make_scale(facts, &scale) != CT_OK)
        return ct_no_memory(err, "probes in time");
    ct_html_say(page,
                "One run of the probe beside each application: every dot is a small message, and "
                "below is the utilization by waiting in windows of about %d of them, accurate to "
                "some 10 points each. Phases are shaded: windows in which half of the messages "
                "take longer than nine of ten do on the idle network. An application that uses the "
                "network in bursts does not disturb others between them, and so disturbs less than "
                "its mean suggests.",
                PROBES_PER_WINDOW);
    if (isnan(scale.threshold_s))
        ct_html_missing(page, "The idle network was not probed, so that phases are not known.");
    enum ct_status status = CT_OK;
    ct_html_grid_open(page, false);
    for (size_t i = 0; i < facts->n_probes && status == CT_OK; i++) {
        struct course *course = calloc(1, sizeof *course);
        status = course ? fill_course(&facts->probes[i], &scale, course) : CT_ENOMEM;
        if (status != CT_OK)
            ct_no_memory(err, "probes in time");
        else if (course->n_windows > 0)
            status = draw(page, &facts->probes[i], i + 1, course, err);
        free(course);
    }
    ct_html_grid_close(page);
    return status;
}
