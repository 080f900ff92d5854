/** A schedule that is too large to have all of its graph in memory: its windows, one by one. */
#pragma once

#include "cli/graph_input.h"
#include "lp-bridge/envelope/evaluator.h"

/** Operations, about, up to which a schedule is one window. */
enum { CT_TOLERANCE_WINDOW = 1 << 23 };

/** What is left of the windows. {0}: there were none. */
struct ct_tolerance_windows {
    struct ct_evaluator *evaluator; /**< T as a function of L; NULL: the schedule has one graph */
    double lambda_G;                /**< right derivative of T in G */
    double compute_ns;              /**< of the critical path; NaN: with overheads by size */
    uint64_t n_edges;
};

struct ct_tolerance_load {
    const char *command;
    struct ct_input input;
    const struct ct_graph_settings *graph;
    const struct ct_parameters *model;
    struct ct_loggps at;
    uint64_t weight; /**< operations of a window, about; CT_WINDOW_WHOLE: the graph is needed */
};

/**
 * Read a schedule. While one window is read, the one before becomes a part of the evaluator.
 * @param graph_p    [out] ct_graph_free(); of several windows the number of ranks and operations
 *                         only
 * @param windows_p  [out] the evaluator is the caller's to free
 * @return as ct_graph_load(), ct_evaluator_append()
 */
enum ct_status ct_tolerance_windows_load(const struct ct_tolerance_load *load,
                                         struct ct_graph *graph_p,
                                         struct ct_tolerance_windows *windows_p,
                                         struct ct_error *err);
