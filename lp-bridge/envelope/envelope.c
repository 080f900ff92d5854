#include "lp-bridge/envelope/envelope.h"

#include <math.h>
#include <stdlib.h>

/* A point that was evaluated, and whether nothing is between its line and that of the next one. */
struct point {
    double t;
    struct ct_line line;
    bool closed;
};

struct search {
    const struct ct_evaluator *evaluator;
    unsigned threads;
    struct point *points; /* from left to right */
    size_t n;
    size_t evaluations, walks;
};

static double find_crossing(struct ct_line a, struct ct_line b)
{
    return (a.cost_ns - b.cost_ns) / (b.slope - a.slope);
}

/* The line is above the value. */
static bool is_above(struct ct_line line, double t, double value)
{
    return ct_line_at(line, t) > value + CT_ENVELOPE_TOLERANCE * fabs(value);
}

/* Where to look between two points: where their lines meet, kept inside for rounding. */
static double find_between(const struct point *a, const struct point *b)
{
    return fmin(fmax(find_crossing(a->line, b->line), a->t), b->t);
}

static enum ct_status evaluate_points(struct search *search, const double *t, size_t n,
                                      struct ct_line *lines_p, struct ct_error *err)
{
    search->evaluations += n;
    search->walks += (n + CT_EVALUATOR_LANES - 1) / CT_EVALUATOR_LANES;
    return ct_evaluator_lines(search->evaluator, t, n, search->threads, lines_p, err);
}

/* As many points as fit the walks that run at the same time, evenly over the interval. */
static enum ct_status first_points(struct search *search, double lo, double hi,
                                   struct ct_error *err)
{
    size_t n = (size_t)CT_EVALUATOR_LANES * search->threads;
    double *t = malloc(n * sizeof *t);
    struct ct_line *lines = malloc(n * sizeof *lines);
    search->points = malloc(n * sizeof *search->points);
    enum ct_status status = t && lines && search->points ? CT_OK : ct_no_memory(err, "envelope");
    if (status == CT_OK) {
        for (size_t i = 0; i < n; i++)
            t[i] = i + 1 < n ? lo + (hi - lo) * (double)i / (double)(n - 1) : hi;
        status = evaluate_points(search, t, n, lines, err);
    }
    for (size_t i = 0; i < n && status == CT_OK; i++)
        search->points[search->n++] = (struct point){t[i], lines[i], false};
    free(t);
    free(lines);
    return status;
}

/* Lines of equal slope are the same path or tie with it: nothing is between. */
static void close_equal(struct search *search)
{
    for (size_t i = 0; i + 1 < search->n; i++)
        if (search->points[i].line.slope >= search->points[i + 1].line.slope)
            search->points[i].closed = true;
}

/*
 * Put what was found into the gaps that were open. A line that is not above where its neighbours
 * meet closes the gap. lines: one for each open gap, in order; spare: room for n + number of gaps.
 */
static void merge_points(struct search *search, const double *t, const struct ct_line *lines,
                         struct point *spare)
{
    size_t n = 0, gap = 0;
    for (size_t i = 0; i < search->n; i++) {
        struct point *point = &search->points[i];
        bool open = i + 1 < search->n && !point->closed;
        if (!open) {
            spare[n++] = *point;
            continue;
        }
        double value = fmax(ct_line_at(point->line, t[gap]), ct_line_at(point[1].line, t[gap]));
        bool found = is_above(lines[gap], t[gap], value);
        point->closed = !found;
        spare[n++] = *point;
        if (found)
            spare[n++] = (struct point){t[gap], lines[gap], false};
        gap++;
    }
    free(search->points);
    search->points = spare;
    search->n = n;
}

/* Look into every open gap at once. */
static enum ct_status look_into_gaps(struct search *search, bool *done_p, struct ct_error *err)
{
    double *t = malloc(search->n * sizeof *t);
    struct ct_line *lines = malloc(search->n * sizeof *lines);
    struct point *spare = malloc(2 * search->n * sizeof *spare);
    size_t gaps = 0;
    enum ct_status status = t && lines && spare ? CT_OK : ct_no_memory(err, "envelope");
    close_equal(search);
    for (size_t i = 0; i + 1 < search->n && status == CT_OK; i++)
        if (!search->points[i].closed)
            t[gaps++] = find_between(&search->points[i], &search->points[i + 1]);
    *done_p = gaps == 0;
    if (status == CT_OK && gaps > 0)
        status = evaluate_points(search, t, gaps, lines, err);
    if (status == CT_OK && gaps > 0) {
        merge_points(search, t, lines, spare);
        spare = NULL;
    }
    free(t);
    free(lines);
    free(spare);
    return status;
}

/* Shorter than rounding can tell from nothing. */
static bool is_empty(const struct ct_segment *segment)
{
    return segment->hi - segment->lo <= CT_ENVELOPE_TOLERANCE * segment->hi;
}

/* Put a line to the right of those that are there; what it leaves nothing of goes. */
static void append_segment(struct ct_envelope *envelope, struct ct_line line, double lo, double hi)
{
    struct ct_segment next = {lo, hi, line};
    while (envelope->n > 0) {
        struct ct_segment *last = &envelope->segments[envelope->n - 1];
        if (line.slope <= last->line.slope)
            return;
        next.lo = last->hi = fmin(fmax(find_crossing(last->line, line), lo), hi);
        if (!is_empty(last))
            break;
        envelope->n--;
        next.lo = lo;
    }
    if (!is_empty(&next))
        envelope->segments[envelope->n++] = next;
    else if (envelope->n > 0)
        envelope->segments[envelope->n - 1].hi = hi;
}

static enum ct_status take_segments(const struct search *search, double lo, double hi,
                                    struct ct_envelope *envelope_p, struct ct_error *err)
{
    struct ct_envelope envelope = {.segments = malloc(search->n * sizeof *envelope.segments),
                                   .points = search->evaluations,
                                   .walks = search->walks};
    if (!envelope.segments)
        return ct_no_memory(err, "envelope");
    for (size_t i = 0; i < search->n; i++)
        append_segment(&envelope, search->points[i].line, lo, hi);
    *envelope_p = envelope;
    return CT_OK;
}

enum ct_status ct_envelope_find(const struct ct_evaluator *evaluator, double lo, double hi,
                                unsigned threads, struct ct_envelope *envelope_p,
                                struct ct_error *err)
{
    if (!(lo >= 0 && lo < hi && isfinite(hi)))
        return ct_fail(err, CT_EINVAL, "interval from %g to %g: give 0 <= from < to", lo, hi);
    struct search search = {.evaluator = evaluator, .threads = threads};
    bool done = false;
    enum ct_status status = first_points(&search, lo, hi, err);
    while (status == CT_OK && !done)
        status = look_into_gaps(&search, &done, err);
    if (status == CT_OK)
        status = take_segments(&search, lo, hi, envelope_p, err);
    free(search.points);
    return status;
}

void ct_envelope_free(struct ct_envelope *envelope)
{
    free(envelope->segments);
    *envelope = (struct ct_envelope){0};
}
