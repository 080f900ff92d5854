/* crosstalk tolerance --along G: how much bandwidth a program can lose, and how much beside more
 * latency. */
#include "cli/tolerance.h"
#include "core/units.h"
#include "lp-bridge/envelope/envelope.h"
#include "lp-bridge/envelope/frontier.h"
#include "plot/plot.h"
#include "study/tolerance_intervals.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TITLE_MAX = 32, LOST_MAX = CT_UNITS_TEXT_MAX + 8 };
static const double s_per_ns = 1e-9;

/* What is computed on, and what comes of it. */
struct subject {
    const struct ct_tolerance_question *question;
    const struct ct_thresholds *thresholds;
    struct ct_parameters model;
    struct ct_graph graph;
    struct ct_loggps at;
    struct ct_sensitivity by_gap;        /* T, and dT/dG with its range */
    double lambda_L;                     /* dT/dL */
    double largest_G[CT_THRESHOLDS_MAX]; /* ns per byte; INFINITY: unbounded */
    size_t n_replicates;
    struct ct_interval runtime_s;
    struct ct_tolerance_interval intervals[CT_THRESHOLDS_MAX]; /* of G, s per byte */
    struct ct_frontier frontiers[CT_THRESHOLDS_MAX];
};

static double share_of(const struct subject *subject, double slope, double value)
{
    double runtime_ns = subject->by_gap.runtime_ns;
    return runtime_ns > 0 ? slope * value / runtime_ns : 0;
}

/* The part of the bandwidth that is lost if a byte takes G; NAN where none is known. */
static double lost_frac(const struct subject *subject, double G_ns_per_byte)
{
    return subject->at.G_ns_per_byte > 0 ? 1 - subject->at.G_ns_per_byte / G_ns_per_byte : NAN;
}

/* ---- computing ---- */

static enum ct_status find_tolerances(struct subject *subject, unsigned threads,
                                      struct ct_error *err)
{
    const struct ct_plane along_G = ct_plane_of_gap(subject->at),
                          along_L = ct_plane_of_latency(subject->at);
    struct ct_line line;
    struct ct_evaluator *evaluator;
    CT_TRY(ct_evaluator_compile(&subject->graph, &along_G, &evaluator, err));
    enum ct_status status = ct_sensitivity_with(evaluator, subject->at.G_ns_per_byte,
                                                subject->thresholds->frac, subject->thresholds->n,
                                                threads, &subject->by_gap, subject->largest_G, err);
    ct_evaluator_free(evaluator);
    for (size_t i = 0; i < subject->thresholds->n && status == CT_OK; i++)
        status = ct_frontier_find(&subject->graph, &subject->at,
                                  (1 + subject->thresholds->frac[i]) * subject->by_gap.runtime_ns,
                                  &subject->frontiers[i], err);
    if (status == CT_OK)
        status = ct_evaluate_once(&subject->graph, &along_L, subject->at.L_ns, &line, err);
    if (status == CT_OK)
        subject->lambda_L = line.slope;
    return status;
}

static enum ct_status compute_subject(struct subject *subject, struct ct_error *err)
{
    const struct ct_tolerance_settings *settings = subject->question->settings;
    const unsigned threads = (unsigned)settings->answer.threads;
    CT_TRY(ct_tolerance_load(subject->question, &subject->model, &subject->graph, err));
    subject->at = ct_parameters_at(&subject->model, subject->model.L_s);
    CT_TRY(find_tolerances(subject, threads, err));
    const struct ct_model_replicates of = {.graph = &subject->graph, .model = &subject->model};
    const struct ct_replicates replicates = ct_replicates_of_gap(&of);
    return ct_tolerance_intervals(&replicates, subject->thresholds->frac, subject->thresholds->n,
                                  threads, &subject->n_replicates, &subject->runtime_s,
                                  subject->intervals, err);
}

/* ---- printing ---- */

static void fill_findings(const struct subject *subject, struct ct_tables *tables)
{
    const struct ct_value rows[] = {
        {{"runtime_s", "run time T", CT_UNIT_SECONDS}, subject->by_gap.runtime_ns * s_per_ns},
        {{"runtime_ci_s[]", CT_IF_KNOWN "T from", CT_UNIT_SECONDS}, subject->runtime_s.lo},
        {{"runtime_ci_s[]", CT_IF_KNOWN "T to", CT_UNIT_SECONDS}, subject->runtime_s.hi},
        {{"G_s_per_byte", NULL, CT_UNIT_SECONDS}, subject->at.G_ns_per_byte * s_per_ns},
        {{"bandwidth_bytes_per_s", "bandwidth 1/G", CT_UNIT_BYTES_PER_S},
         1 / (subject->at.G_ns_per_byte * s_per_ns)},
        {{"lambda_G", "lambda_G, bytes on the critical path", CT_UNIT_NONE},
         subject->by_gap.line.slope},
        {{"rho_G", "rho_G, their share of T", CT_UNIT_FRACTION},
         share_of(subject, subject->by_gap.line.slope, subject->at.G_ns_per_byte)},
        {{"L_s", "latency L", CT_UNIT_SECONDS}, subject->at.L_ns * s_per_ns},
        {{"rho_L", "share of latency", CT_UNIT_FRACTION},
         share_of(subject, subject->lambda_L, subject->at.L_ns)},
    };
    CT_TABLES_NUMBERS(tables, rows);
}

static void fill_tolerances(const struct subject *subject, struct ct_tables *tables)
{
    static const struct ct_column columns[] = {
        {"threshold", "T longer by", CT_UNIT_FRACTION},
        {"G_s_per_byte", NULL, CT_UNIT_SECONDS},
        {"G_ci_s_per_byte[]", NULL, CT_UNIT_SECONDS},
        {"G_ci_s_per_byte[]", NULL, CT_UNIT_SECONDS},
        {"bandwidth_bytes_per_s", "least bandwidth", CT_UNIT_BYTES_PER_S},
        {"bandwidth_ci_bytes_per_s[]", CT_IF_KNOWN "from", CT_UNIT_BYTES_PER_S},
        {"bandwidth_ci_bytes_per_s[]", CT_IF_KNOWN "to", CT_UNIT_BYTES_PER_S},
        {"bandwidth_lost", "lost", CT_UNIT_FRACTION}};
    CT_TABLES_BEGIN(tables, "tolerance", "Bandwidth tolerance", columns);
    for (size_t i = 0; i < subject->thresholds->n; i++) {
        const struct ct_interval *G_s = &subject->intervals[i].L_s;
        CT_CELL_NUMBERS(tables, subject->thresholds->frac[i], subject->largest_G[i] * s_per_ns,
                        G_s->lo, G_s->hi, 1 / (subject->largest_G[i] * s_per_ns), 1 / G_s->hi,
                        1 / G_s->lo, lost_frac(subject, subject->largest_G[i]));
    }
}

static void fill_frontiers(const struct subject *subject, struct ct_tables *tables)
{
    static const struct ct_column columns[] = {
        {"threshold", "T longer by", CT_UNIT_FRACTION},
        {"delta_L_s", "added latency", CT_UNIT_SECONDS},
        {"G_s_per_byte", NULL, CT_UNIT_SECONDS},
        {"bandwidth_bytes_per_s", "bandwidth", CT_UNIT_BYTES_PER_S},
        {"bandwidth_lost", "lost", CT_UNIT_FRACTION},
    };
    CT_TABLES_BEGIN(tables, "frontier", "Both together: corners of the frontier", columns);
    for (size_t i = 0; i < subject->thresholds->n; i++)
        for (size_t k = 0; k < subject->frontiers[i].n; k++) {
            const struct ct_frontier_point *point = &subject->frontiers[i].points[k];
            double G = subject->at.G_ns_per_byte + point->added_G;
            CT_CELL_NUMBERS(tables, subject->thresholds->frac[i], point->added_L_ns * s_per_ns,
                            G * s_per_ns, 1 / (G * s_per_ns), lost_frac(subject, G));
        }
    for (size_t i = 0; i < subject->thresholds->n; i++)
        if (!subject->frontiers[i].is_whole) {
            ct_tables_note(tables,
                           "Some frontiers have more than %d corners; those that are left out make "
                           "them a little narrower than they are.",
                           (int)CT_FRONTIER_CORNERS_MAX);
            break;
        }
}

/* "1.5 %", or "all but 0.04 %". */
static void format_lost(const struct subject *subject, double G, char text[LOST_MAX])
{
    char left[CT_UNITS_TEXT_MAX];
    double lost = lost_frac(subject, G);
    ct_format_share(lost > 0.9 ? 1 - lost : lost, left);
    snprintf(text, LOST_MAX, "%s%s", lost > 0.9 ? "all but " : "", left);
}

/* "The network may lose ...: 1.5 % for a run time 1 % longer, 7 % for 5 %." */
static void answer_tolerances(const struct subject *subject, struct ct_tables *tables)
{
    char text[500] = "", lost[LOST_MAX], longer[CT_UNITS_TEXT_MAX];
    const struct ct_thresholds *thresholds = subject->thresholds;
    for (size_t i = 0; i < thresholds->n && isfinite(subject->largest_G[i]); i++) {
        format_lost(subject, subject->largest_G[i], lost);
        ct_thresholds_append(thresholds, i, lost, text, sizeof text);
    }
    ct_format_share(thresholds->frac[0], longer);
    if (*text)
        ct_tables_answer(tables, "The network may lose this share of its bandwidth: %s.", text);
    else
        ct_tables_answer(tables, "No loss of bandwidth makes the program %s longer.", longer);
}

static void answer_in_words(const struct subject *subject, struct ct_tables *tables)
{
    char bytes[CT_UNITS_TEXT_MAX], latency[CT_UNITS_TEXT_MAX], longer[CT_UNITS_TEXT_MAX],
        added[CT_UNITS_TEXT_MAX], lost[LOST_MAX];
    const size_t last = subject->thresholds->n - 1;
    const struct ct_frontier *frontier = &subject->frontiers[last];
    double half_ns = frontier->points[0].added_L_ns / 2;
    answer_tolerances(subject, tables);
    ct_format_share(share_of(subject, subject->by_gap.line.slope, subject->at.G_ns_per_byte),
                    bytes);
    ct_format_share(share_of(subject, subject->lambda_L, subject->at.L_ns), latency);
    ct_tables_answer(tables, "Bytes are %s of the run time, latency %s.", bytes, latency);
    double G = subject->at.G_ns_per_byte + ct_frontier_gap_at(frontier, half_ns);
    if (!isfinite(half_ns) || !isfinite(G))
        return;
    ct_format_share(subject->thresholds->frac[last], longer);
    ct_format_words(half_ns * s_per_ns, 2, added);
    format_lost(subject, G, lost);
    ct_tables_answer(tables,
                     "Both at once: beside %s of added latency %s of the bandwidth, for %s.", added,
                     lost, longer);
}

static enum ct_status print_findings(const struct subject *subject, struct ct_error *err)
{
    const struct ct_tolerance_settings *settings = subject->question->settings;
    struct ct_tables *tables = ct_tolerance_tables(subject->question, &subject->graph);
    ct_intervals_fill(&subject->model, &settings->machine.model, subject->graph.n_edges,
                      subject->n_replicates, tables);
    fill_findings(subject, tables);
    fill_tolerances(subject, tables);
    ct_tables_detail(tables, true);
    fill_frontiers(subject, tables);
    ct_tables_detail(tables, false);
    answer_in_words(subject, tables);
    ct_gaps_fill(&settings->graph, &subject->model, tables);
    ct_parameters_fill(&subject->model, tables);
    return ct_tables_finish(tables, err);
}

/* ---- the figure ---- */

/* A frontier in us and in times that a byte takes, of which 1 is the network that was measured. */
static bool draw_frontier(const struct subject *subject, size_t i, double *values, char *title,
                          struct ct_plot_series *series_p)
{
    const struct ct_frontier *frontier = &subject->frontiers[i];
    double *x = values, *y = values + frontier->n;
    if (!isfinite(frontier->points[0].added_L_ns) ||
        !isfinite(frontier->points[frontier->n - 1].added_G))
        return false;
    for (size_t k = 0; k < frontier->n; k++) {
        x[k] = frontier->points[k].added_L_ns * 1e-3;
        y[k] = 1 + frontier->points[k].added_G / subject->at.G_ns_per_byte;
    }
    snprintf(title, TITLE_MAX, "T longer by %.3g %%", 100 * subject->thresholds->frac[i]);
    *series_p = (struct ct_plot_series){
        .title = title, .style = CT_PLOT_LINE, .x = x, .y = y, .n = frontier->n};
    return true;
}

static enum ct_status draw_figure(const struct subject *subject, const char *path,
                                  struct ct_error *err)
{
    static const double here_x[] = {0}, here_y[] = {1};
    static double values[CT_THRESHOLDS_MAX][2 * (CT_FRONTIER_CORNERS_MAX + 2)];
    char titles[CT_THRESHOLDS_MAX][TITLE_MAX];
    struct ct_plot_series series[CT_THRESHOLDS_MAX + 1] = {{.title = "the network as measured",
                                                            .style = CT_PLOT_POINTS,
                                                            .x = here_x,
                                                            .y = here_y,
                                                            .n = 1}};
    size_t n = 1;
    if (!(subject->at.G_ns_per_byte > 0))
        return ct_fail(err, CT_EINVAL, "--plot: G is 0: bandwidth has no limit to draw");
    for (size_t i = 0; i < subject->thresholds->n; i++)
        n += draw_frontier(subject, i, values[i], titles[i], &series[n]);
    if (n == 1)
        return ct_fail(err, CT_EINVAL,
                       "--plot: run time does not depend on both latency and bandwidth");
    const struct ct_plot_series *last = &series[n - 1]; /* thresholds ascend */
    const double widest[] = {last->x[0], last->y[last->n - 1]};
    const struct ct_plot_panel panel = {.x_label = "added latency (us)",
                                        .y_label = "time of a byte (1: as measured)",
                                        .series = series,
                                        .n_series = n,
                                        .x_hi = 1.05 * widest[0],
                                        .y_lo = 1 - 0.02 * (widest[1] - 1),
                                        .y_hi = 1 + 1.05 * (widest[1] - 1),
                                        .key_below = true};
    const struct ct_plot plot = {
        .title = subject->question->input.path, .panels = &panel, .n_panels = 1};
    return ct_plot_write(&plot, path, err);
}

enum ct_status ct_gap_answer(const struct ct_tolerance_question *question, struct ct_error *err)
{
    const struct ct_tolerance_settings *settings = question->settings;
    struct subject subject = {.question = question, .thresholds = &settings->thresholds};
    enum ct_status status = compute_subject(&subject, err);
    if (status == CT_OK && settings->plot_path)
        status = draw_figure(&subject, settings->plot_path, err);
    if (status == CT_OK)
        status = print_findings(&subject, err);
    for (size_t i = 0; i < CT_THRESHOLDS_MAX; i++)
        ct_frontier_free(&subject.frontiers[i]);
    ct_graph_free(&subject.graph);
    ct_parameters_free(&subject.model);
    return status;
}
