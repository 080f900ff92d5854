/* T around one point, and where it reaches a limit. */
#include "lp-bridge/envelope/envelope.h"
#include "lp-bridge/envelope/stream.h"

#include <math.h>
#include <stdlib.h>

static bool is_close(double a, double b)
{
    return fabs(a - b) <= CT_ENVELOPE_TOLERANCE * fmax(fabs(a), fabs(b));
}

/* ---- what is looked for: each asks for T at one point after the other ---- */

/*
 * Where a line stops being T, towards another line: the lines' crossing, moved closer as long as a
 * third line is above it. An end without limit has other.slope equal to the line's.
 */
struct end {
    struct ct_line line, other;
    double t;
    bool is_found;
};

/* Where T reaches a limit: Newton steps from the right, whose last one stays where it is. */
struct reach {
    double limit, t;
    bool is_found;
};

static void ask_end(struct end *end)
{
    end->is_found = end->other.slope == end->line.slope;
    if (!end->is_found)
        end->t = fmax(
            (end->line.cost_ns - end->other.cost_ns) / (end->other.slope - end->line.slope), 0);
}

/* The line of T at end->t. */
static void take_end(struct end *end, struct ct_line found)
{
    const double value = ct_line_at(end->line, end->t);
    const bool same_side =
        (found.slope - end->line.slope) * (end->other.slope - end->line.slope) > 0;
    if (!same_side || ct_line_at(found, end->t) <= value + CT_ENVELOPE_TOLERANCE * fabs(value)) {
        end->is_found = true;
        return;
    }
    end->other = found;
    ask_end(end);
}

/* The line of T at reach->t. */
static void take_reach(struct reach *reach, struct ct_line found)
{
    reach->is_found = found.slope <= 0;
    if (reach->is_found)
        return;
    const double next = (reach->limit - found.cost_ns) / found.slope;
    reach->is_found = !(next < reach->t) || is_close(next, reach->t);
    reach->t = fmin(reach->t, next);
}

/* ---- all of them in the same walks ---- */

enum { LEFT, RIGHT, ENDS };

struct search {
    const struct ct_evaluator *evaluator;
    unsigned threads;
    struct end ends[ENDS];
    struct reach *reaches; /* [n] */
    size_t n;
    double *t;             /* [ENDS + n] */
    struct ct_line *lines; /* [ENDS + n] */
};

static enum ct_status new_search(const struct ct_evaluator *evaluator, size_t n, unsigned threads,
                                 struct search *search, struct ct_error *err)
{
    *search = (struct search){.evaluator = evaluator,
                              .threads = threads,
                              .ends = {{.is_found = true}, {.is_found = true}},
                              .reaches = calloc(n + !n, sizeof *search->reaches),
                              .n = n,
                              .t = malloc((ENDS + n) * sizeof *search->t),
                              .lines = malloc((ENDS + n) * sizeof *search->lines)};
    return search->reaches && search->t && search->lines ? CT_OK : ct_no_memory(err, "tolerance");
}

static void free_search(struct search *search)
{
    free(search->reaches);
    free(search->t);
    free(search->lines);
}

static size_t list_points(const struct search *search)
{
    size_t n = 0;
    for (size_t i = 0; i < ENDS; i++)
        if (!search->ends[i].is_found)
            search->t[n++] = search->ends[i].t;
    for (size_t i = 0; i < search->n; i++)
        if (!search->reaches[i].is_found)
            search->t[n++] = search->reaches[i].t;
    return n;
}

/* One walk for all that is not found, until all is. */
static enum ct_status run_search(struct search *search, struct ct_error *err)
{
    size_t n;
    while ((n = list_points(search)) > 0) {
        const struct ct_line *line = search->lines;
        CT_TRY(ct_evaluator_lines(search->evaluator, search->t, n, search->threads, search->lines,
                                  err));
        for (size_t i = 0; i < ENDS; i++)
            if (!search->ends[i].is_found)
                take_end(&search->ends[i], *line++);
        for (size_t i = 0; i < search->n; i++)
            if (!search->reaches[i].is_found)
                take_reach(&search->reaches[i], *line++);
    }
    return CT_OK;
}

/* ---- around a point, and up to limits ---- */

/*
 * Points of the first walk, from left to right. A walk takes as long for one point as for
 * CT_EVALUATOR_LANES; where each reads a file, points around t save walks.
 */
static const double around[] = {0.5, 0.9, 0.99, 0.999, 1, 1.001, 1.01, 1.1, 1.4, 2, 3, 5, 10, 40};
enum { AROUND = sizeof around / sizeof *around, FIRST_MAX = AROUND + 2 };

struct first {
    double t[FIRST_MAX];
    struct ct_line lines[FIRST_MAX];
    size_t n, at; /* t[at] is t */
};

static struct first first_points(const struct ct_evaluator *evaluator, double t)
{
    struct first first = {.t = {0}, .n = 1};
    for (size_t i = 0; i < AROUND; i++) {
        const bool is_t = !(around[i] < 1 || around[i] > 1);
        if (is_t)
            first.at = first.n;
        if (is_t || evaluator->next)
            first.t[first.n++] = is_t ? t : around[i] * t;
    }
    first.t[first.n++] = CT_EVALUATOR_FAR;
    return first;
}

/* Towards the closest lines that are others, or the farthest. */
static void begin_ends(struct search *search, const struct first *first)
{
    const struct ct_line line = first->lines[first->at];
    size_t left = first->at, right = first->at;
    while (left > 0 && !(first->lines[left].slope < line.slope))
        left--;
    while (right + 1 < first->n && !(first->lines[right].slope > line.slope))
        right++;
    search->ends[LEFT] = (struct end){.line = line, .other = first->lines[left]};
    search->ends[RIGHT] = (struct end){.line = line, .other = first->lines[right], .t = INFINITY};
    for (size_t i = 0; i < ENDS; i++)
        ask_end(&search->ends[i]);
}

/* From the first point behind the limit on. */
static void begin_reach(struct reach *reach, double limit, const struct first *first)
{
    size_t i = first->at;
    while (i + 1 < first->n && ct_line_at(first->lines[i], first->t[i]) <= limit)
        i++;
    *reach = (struct reach){.limit = limit, .t = first->t[i]};
    take_reach(reach, first->lines[i]);
}

static enum ct_status take_segment(struct search *search, const struct first *first,
                                   struct ct_sensitivity *s, struct ct_error *err)
{
    const struct end *left = &search->ends[LEFT];
    struct end *right = &search->ends[RIGHT];
    const double t = first->t[first->at];
    const struct ct_line line = first->lines[first->at];
    *s = (struct ct_sensitivity){.runtime_ns = ct_line_at(line, t),
                                 .line = line,
                                 .lo = left->t,
                                 .hi = right->t,
                                 .left_slope = line.slope};
    if (!isfinite(s->hi) || !is_close(s->hi, t)) {
        if (s->lo > 0 && is_close(s->lo, t))
            s->left_slope = left->other.slope;
        return CT_OK;
    }
    /* Rounding took the left line at a breakpoint. */
    s->lo = s->hi;
    s->line = right->other;
    *right = (struct end){.line = s->line, .other = first->lines[first->n - 1], .t = INFINITY};
    ask_end(right);
    enum ct_status status = run_search(search, err);
    s->hi = right->t;
    return status;
}

enum ct_status ct_sensitivity_with(const struct ct_evaluator *evaluator, double t,
                                   const double *longer_frac, size_t n, unsigned threads,
                                   struct ct_sensitivity *sensitivity_p, double *t_p,
                                   struct ct_error *err)
{
    struct first first = first_points(evaluator, t);
    struct search search;
    struct ct_sensitivity s;
    if (!(t >= 0 && isfinite(t)))
        return ct_fail(err, CT_EINVAL, "parameter %g: give a finite value >= 0", t);
    enum ct_status status = new_search(evaluator, n, threads, &search, err);
    if (status == CT_OK)
        status = ct_evaluator_lines(evaluator, first.t, first.n, threads, first.lines, err);
    if (status == CT_OK) {
        const double runtime_ns = ct_line_at(first.lines[first.at], t);
        begin_ends(&search, &first);
        for (size_t i = 0; i < n; i++)
            begin_reach(&search.reaches[i], (1 + longer_frac[i]) * runtime_ns, &first);
        status = run_search(&search, err);
    }
    if (status == CT_OK)
        status = take_segment(&search, &first, &s, err);
    for (size_t i = 0; i < n && status == CT_OK; i++)
        t_p[i] = search.reaches[i].t < CT_EVALUATOR_FAR ? fmax(search.reaches[i].t, t) : INFINITY;
    if (status == CT_OK)
        *sensitivity_p = s;
    free_search(&search);
    return status;
}

enum ct_status ct_sensitivity_at(const struct ct_evaluator *evaluator, double t, unsigned threads,
                                 struct ct_sensitivity *sensitivity_p, struct ct_error *err)
{
    return ct_sensitivity_with(evaluator, t, NULL, 0, threads, sensitivity_p, NULL, err);
}

enum ct_status ct_tolerance_find(const struct ct_evaluator *evaluator, double at,
                                 const double *limits, size_t n, unsigned threads, double *t_p,
                                 struct ct_error *err)
{
    struct first first = {.t = {at, CT_EVALUATOR_FAR}, .n = 2};
    struct search search;
    enum ct_status status = new_search(evaluator, n, threads, &search, err);
    if (status == CT_OK)
        status = ct_evaluator_lines(evaluator, first.t, first.n, threads, first.lines, err);
    for (size_t i = 0; i < n && status == CT_OK; i++) {
        double runtime = ct_line_at(first.lines[0], at);
        if (!(limits[i] >= runtime))
            status = ct_fail(err, CT_EINVAL, "limit %g ns: below the run time of %g ns", limits[i],
                             runtime);
        begin_reach(&search.reaches[i], limits[i], &first);
    }
    if (status == CT_OK)
        status = run_search(&search, err);
    for (size_t i = 0; i < n && status == CT_OK; i++)
        t_p[i] = search.reaches[i].t < CT_EVALUATOR_FAR ? fmax(search.reaches[i].t, at) : INFINITY;
    free_search(&search);
    return status;
}

enum ct_status ct_lambda_gap_on(const struct ct_graph *graph, const struct ct_plane *plane,
                                double G_ns_per_byte, double *lambda_G_p, struct ct_error *err)
{
    struct ct_line line;
    CT_TRY(ct_evaluate_once(graph, plane, G_ns_per_byte, &line, err));
    *lambda_G_p = line.slope;
    return CT_OK;
}

enum ct_status ct_lambda_gap(const struct ct_graph *graph, const struct ct_loggps *at,
                             double *lambda_G_p, struct ct_error *err)
{
    struct ct_plane plane = ct_plane_of_gap(*at);
    return ct_lambda_gap_on(graph, &plane, at->G_ns_per_byte, lambda_G_p, err);
}
