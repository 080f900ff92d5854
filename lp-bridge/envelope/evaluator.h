/**
 * T as a function of one free parameter t, in a form for fast evaluation: the folded graph as a
 * stream of edges, with values in a small number of slots. For each t a walk through the stream
 * gives the line of the critical path at t: T(t) = cost + slope * t, and no other path is above it
 * at t.
 */
#pragma once

#include "lp-bridge/graph/fold.h"

#include <sys/types.h>

/** A path through the graph: its length is cost_ns + slope * t. */
struct ct_line {
    double cost_ns;
    double slope; /**< for t = L: messages on the path (lambda_L) */
};

static inline double ct_line_at(struct ct_line line, double t)
{
    return line.cost_ns + line.slope * t;
}

struct ct_evaluator;

/** L is t; the other parameters are fixed. */
struct ct_plane ct_plane_of_latency(struct ct_loggps at);
/** G is t; the other parameters are fixed. */
struct ct_plane ct_plane_of_gap(struct ct_loggps at);

/** Which parameters grow together, and how fast: weights from 0 to 1. Overheads and gaps by size
 * grow by one factor on the whole curve. */
struct ct_growth {
    double L, o, G;
};

/** t is a factor: each parameter is 1 - w + w t times what it is at t = 1. */
struct ct_plane ct_plane_of_growth(struct ct_loggps at, struct ct_growth growth);

/**
 * @param plane        [in]  only slope[0] is used
 * @param evaluator_p  [out] ct_evaluator_free(); the graph may be freed before
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_evaluator_compile(const struct ct_graph *graph, const struct ct_plane *plane,
                                    struct ct_evaluator **evaluator_p, struct ct_error *err);
void ct_evaluator_free(struct ct_evaluator *evaluator);

/** An evaluator that is made of a schedule in windows (goal.h). {0} at first. */
struct ct_evaluator_parts {
    struct ct_evaluator *evaluator; /**< ct_evaluator_free(), also after an error */
    struct ct_evaluator *last;      /**< its last part */
    off_t file_end;
};

/**
 * Append a window. With the last one the evaluator is complete. That of several windows is in a
 * file without a name in TMPDIR, or /var/tmp: each walk reads it from begin to end, and has no more
 * in memory than the largest window. T is the same, and sums of costs may be rounded at other
 * places.
 * @param graph  [in]  may be freed after the call
 * @return CT_OK; CT_EIO (the file cannot be made or written); CT_ENOMEM
 */
enum ct_status ct_evaluator_append(const struct ct_graph *graph, const struct ct_plane *plane,
                                   struct ct_evaluator_parts *parts, struct ct_error *err);

struct ct_evaluator_size {
    size_t joins, edges, slots;
    size_t bytes;            /**< of the evaluator */
    size_t evaluation_bytes; /**< in addition for each walk, so for each thread */
};
struct ct_evaluator_size ct_evaluator_size(const struct ct_evaluator *evaluator);

/**
 * A value of the free parameter so large that the slope alone decides which line is T: that of the
 * path with the largest slope of all. Its cost may be that of any path with this slope.
 */
#define CT_EVALUATOR_FAR 1e200

/** Number of points that one walk evaluates together. */
enum { CT_EVALUATOR_LANES = 8 };

/**
 * Critical paths at n values of the free parameter, CT_EVALUATOR_LANES in a walk. Where paths tie,
 * the one with the largest slope is taken: the right derivative of T.
 * @param t        [in]  n values >= 0
 * @param threads  [in]  walks at the same time, >= 1; one thread is the caller's own
 * @param lines_p  [out] n
 * @return CT_OK; CT_EIO (of windows: their file cannot be read); CT_EINTR (core/cancel.h);
 * CT_ENOMEM
 */
enum ct_status ct_evaluator_lines(const struct ct_evaluator *evaluator, const double *t, size_t n,
                                  unsigned threads, struct ct_line *lines_p, struct ct_error *err);

/**
 * The critical path at one value of the free parameter, from the graph itself: the line of an
 * evaluator, bit for bit, in less time and memory than it takes to compile one.
 * @param plane   [in]  only slope[0] is used
 * @param line_p  [out] unchanged on error
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_evaluate_once(const struct ct_graph *graph, const struct ct_plane *plane,
                                double t, struct ct_line *line_p, struct ct_error *err);

/** A critical path with another sum along it: passenger = slope[1] of the plane, which decides
 * nothing. */
struct ct_once_value {
    struct ct_line line;
    double passenger;
};

/** The same of a schedule in windows. {0} at first; free(ranks). */
struct ct_once {
    struct ct_once_value *ranks; /**< where they are between windows */
    struct ct_once_value end;    /**< the critical path so far */
};

/** Add the next window. @return CT_OK; CT_ENOMEM */
enum ct_status ct_once_add(struct ct_once *of, const struct ct_graph *graph,
                           const struct ct_plane *plane, double t, struct ct_error *err);
