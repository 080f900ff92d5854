#include "lp-bridge/envelope/of_graph.h"

/* The line of the critical path at one value of L. */
static enum ct_status line_at(const struct ct_graph *graph, const struct ct_loggps *at, double L_ns,
                              struct ct_line *line_p, struct ct_error *err)
{
    struct ct_plane plane = ct_plane_of_latency(*at);
    return ct_evaluate_once(graph, &plane, L_ns, line_p, err);
}

enum ct_status ct_runtime_of_graph(const struct ct_graph *graph, const struct ct_loggps *at,
                                   double *runtime_ns_p, struct ct_error *err)
{
    struct ct_line line;
    CT_TRY(line_at(graph, at, at->L_ns, &line, err));
    *runtime_ns_p = ct_line_at(line, at->L_ns);
    return CT_OK;
}

enum ct_status ct_envelope_of_graph(const struct ct_graph *graph, const struct ct_loggps *at,
                                    double lo_ns, double hi_ns, unsigned threads,
                                    struct ct_envelope *envelope_p, struct ct_error *err)
{
    struct ct_plane plane = ct_plane_of_latency(*at);
    struct ct_evaluator *evaluator = NULL;
    enum ct_status status = ct_evaluator_compile(graph, &plane, &evaluator, err);
    if (status == CT_OK)
        status = ct_envelope_find(evaluator, lo_ns, hi_ns, threads, envelope_p, err);
    ct_evaluator_free(evaluator);
    return status;
}

enum ct_status ct_longest_chain(const struct ct_goal *goal, double *messages_p,
                                struct ct_error *err)
{
    const struct ct_graph_options all_eager = {.eager_max_bytes = SIZE_MAX};
    const struct ct_loggps latency_only = {0};
    struct ct_graph graph;
    struct ct_line line;
    CT_TRY(ct_graph_build(goal, &all_eager, &graph, err));
    enum ct_status status = line_at(&graph, &latency_only, CT_EVALUATOR_FAR, &line, err);
    ct_graph_free(&graph);
    if (status == CT_OK)
        *messages_p = line.slope;
    return status;
}
