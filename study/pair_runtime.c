#include "study/pair_runtime.h"

enum ct_status ct_pair_graph(const struct ct_simulation_costs *costs, const struct ct_goal *goal,
                             struct ct_graph *graph_p, struct ct_error *err)
{
    const struct ct_graph_options options = {.eager_max_bytes = costs->S_bytes,
                                             .serialize_nic = true,
                                             .overheads = costs->overheads,
                                             .g_ns = costs->g_ns,
                                             .peers = true};
    return ct_graph_build(goal, &options, graph_p, err);
}

enum ct_status ct_pair_runtime(const struct ct_graph *graph, const struct ct_pairs *pairs,
                               double *runtime_p, struct ct_error *err)
{
    struct ct_pair_evaluator *evaluator;
    struct ct_line line;
    const double added_ns = 0;
    enum ct_status status = ct_pair_evaluator_new(graph, pairs, &evaluator, err);
    if (status != CT_OK)
        return status;
    if (ct_evaluator_lines(ct_pair_evaluator_added(evaluator), &added_ns, 1, 1, &line, NULL) !=
        CT_OK)
        status = ct_no_memory(err, "run time");
    else
        *runtime_p = ct_line_at(line, added_ns);
    ct_pair_evaluator_free(evaluator);
    return status;
}
