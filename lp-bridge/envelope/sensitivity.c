/* T around one point, and where it reaches a limit. */
#include "lp-bridge/envelope/envelope.h"

#include <math.h>
#include <stdlib.h>

static bool is_close(double a, double b)
{
    return fabs(a - b) <= CT_ENVELOPE_TOLERANCE * fmax(fabs(a), fabs(b));
}

/*
 * Where the line of a segment stops being T, towards another line: the lines' crossing, moved
 * closer as long as a third line is above it. An end without limit has other.slope equal to the
 * segment's.
 */
static enum ct_status find_end(const struct ct_evaluator *evaluator, struct ct_line line,
                               struct ct_line *other, double *end_p, struct ct_error *err)
{
    while (other->slope != line.slope) {
        double t = fmax((line.cost_ns - other->cost_ns) / (other->slope - line.slope), 0);
        double value = ct_line_at(line, t);
        struct ct_line found;
        *end_p = t;
        enum ct_status status = ct_evaluator_lines(evaluator, &t, 1, 1, &found, err);
        if (status != CT_OK)
            return status;
        bool same_side = (found.slope - line.slope) * (other->slope - line.slope) > 0;
        if (!same_side || ct_line_at(found, t) <= value + CT_ENVELOPE_TOLERANCE * fabs(value))
            return CT_OK;
        *other = found;
    }
    return CT_OK;
}

static enum ct_status find_segment(const struct ct_evaluator *evaluator, struct ct_line at_zero,
                                   struct ct_line at_far, double t, struct ct_sensitivity *s,
                                   struct ct_error *err)
{
    struct ct_line left = at_zero, right = at_far;
    enum ct_status status = find_end(evaluator, s->line, &left, &s->lo, err);
    if (status == CT_OK)
        status = find_end(evaluator, s->line, &right, &s->hi, err);
    s->left_slope = s->line.slope;
    if (status == CT_OK && isfinite(s->hi) && is_close(s->hi, t)) {
        /* Rounding took the left line at a breakpoint. */
        s->lo = s->hi;
        s->line = right;
        s->hi = INFINITY;
        right = at_far;
        status = find_end(evaluator, s->line, &right, &s->hi, err);
    } else if (s->lo > 0 && is_close(s->lo, t))
        s->left_slope = left.slope;
    return status;
}

enum ct_status ct_sensitivity_at(const struct ct_evaluator *evaluator, double t, unsigned threads,
                                 struct ct_sensitivity *sensitivity_p, struct ct_error *err)
{
    if (!(t >= 0 && isfinite(t)))
        return ct_fail(err, CT_EINVAL, "parameter %g: give a finite value >= 0", t);
    const double first[] = {0, t, CT_EVALUATOR_FAR};
    struct ct_line lines[3];
    enum ct_status status = ct_evaluator_lines(evaluator, first, 3, threads, lines, err);
    if (status != CT_OK)
        return status;
    struct ct_sensitivity s = {
        .runtime_ns = ct_line_at(lines[1], t), .line = lines[1], .lo = 0, .hi = INFINITY};
    status = find_segment(evaluator, lines[0], lines[2], t, &s, err);
    if (status == CT_OK)
        *sensitivity_p = s;
    return status;
}

/* One Newton step for each limit; a limit whose step stays where it is has been reached. */
static bool step_line(const double *limits, size_t n, const struct ct_line *lines, double *t)
{
    bool moved = false;
    for (size_t i = 0; i < n; i++) {
        if (lines[i].slope <= 0)
            continue;
        double next = (limits[i] - lines[i].cost_ns) / lines[i].slope;
        if (next < t[i] && !is_close(next, t[i])) {
            t[i] = next;
            moved = true;
        } else
            t[i] = fmin(t[i], next);
    }
    return moved;
}

enum ct_status ct_tolerance_find(const struct ct_evaluator *evaluator, double at,
                                 const double *limits, size_t n, unsigned threads, double *t_p,
                                 struct ct_error *err)
{
    struct ct_line start;
    struct ct_line *lines = malloc((n + !n) * sizeof *lines);
    double *t = malloc((n + !n) * sizeof *t);
    enum ct_status status = CT_OK;
    if (!lines || !t)
        status = ct_no_memory(err, "tolerance");
    if (status == CT_OK)
        status = ct_evaluator_lines(evaluator, &at, 1, 1, &start, err);
    for (size_t i = 0; i < n && status == CT_OK; i++) {
        double runtime = ct_line_at(start, at);
        if (!(limits[i] >= runtime))
            status = ct_fail(err, CT_EINVAL, "limit %g ns: below the run time of %g ns", limits[i],
                             runtime);
        t[i] = CT_EVALUATOR_FAR;
    }
    for (bool moved = true; moved && status == CT_OK;) {
        status = ct_evaluator_lines(evaluator, t, n, threads, lines, err);
        moved = status == CT_OK && step_line(limits, n, lines, t);
    }
    for (size_t i = 0; i < n && status == CT_OK; i++)
        t_p[i] = t[i] < CT_EVALUATOR_FAR ? fmax(t[i], at) : INFINITY;
    free(lines);
    free(t);
    return status;
}

enum ct_status ct_lambda_gap_on(const struct ct_graph *graph, const struct ct_plane *plane,
                                double G_ns_per_byte, double *lambda_G_p, struct ct_error *err)
{
    struct ct_line line;
    enum ct_status status = ct_evaluate_once(graph, plane, G_ns_per_byte, &line, err);
    if (status == CT_OK)
        *lambda_G_p = line.slope;
    return status;
}

enum ct_status ct_lambda_gap(const struct ct_graph *graph, const struct ct_loggps *at,
                             double *lambda_G_p, struct ct_error *err)
{
    struct ct_plane plane = ct_plane_of_gap(*at);
    return ct_lambda_gap_on(graph, &plane, at->G_ns_per_byte, lambda_G_p, err);
}
