#include "lp-bridge/graph/graph.h"

#include <stdlib.h>

void ct_graph_free(struct ct_graph *graph)
{
    free(graph->amount);
    free(graph->rank);
    free(graph->operation);
    free(graph->first_edge);
    free(graph->edges);
    free(graph->what);
    free(graph->receiver);
    free(graph->peer);
    free(graph->overheads.sizes);
    free(graph->gaps.sizes);
    *graph = (struct ct_graph){0};
}

size_t ct_graph_bytes(const struct ct_graph *graph)
{
    size_t vertex = sizeof *graph->amount + sizeof *graph->rank + sizeof *graph->operation +
                    sizeof *graph->first_edge + sizeof *graph->what;
    return graph->n_vertices * vertex + graph->n_edges * sizeof *graph->edges +
           graph->overheads.n * sizeof *graph->overheads.sizes;
}
