/* What holds for every schedule that a conversion makes. */
#pragma once

#include "lp-bridge/graph/graph.h"

#include <stdlib.h>
#include <string.h>

/* Every message has its counterpart; operations may wait for each other in a circle. */
static inline void fuzz_check_matched(const struct ct_goal *goal)
{
    const struct ct_graph_options options = {.eager_max_bytes = 100};
    struct ct_graph graph;
    struct ct_error err;
    if (ct_graph_build(goal, &options, &graph, &err) == CT_OK)
        ct_graph_free(&graph);
    else if (!strstr(err.text, "a cycle"))
        abort();
}
