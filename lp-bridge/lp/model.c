/* The linear program from the folded graph. */
#include "core/array.h"
#include "lp-bridge/lp/lp.h"

#include <limits.h>
#include <stdlib.h>

struct builder {
    struct ct_lp lp;
    size_t rows_capacity, elements_capacity;
};

enum { ROW_ELEMENTS_MAX = 4 };

/* Room for one more row. */
static enum ct_status reserve_rows(struct builder *builder, struct ct_error *err)
{
    struct ct_lp *lp = &builder->lp;
    size_t rows = (size_t)lp->n_rows + 1;
    size_t elements = (rows > 1 ? (size_t)lp->row_start[lp->n_rows] : 0) + ROW_ELEMENTS_MAX;
    bool ok = true;
    if (elements >= INT_MAX)
        return ct_fail(
            err, CT_EINVAL,
            "linear program: more elements than Clp can number; use the envelope solver");
    if (rows > builder->rows_capacity) {
        builder->rows_capacity = rows + rows / 2 + 64;
        ok = CT_ARRAY_RESIZE(lp->row_start, builder->rows_capacity + 1) &&
             CT_ARRAY_RESIZE(lp->lower, builder->rows_capacity);
    }
    if (ok && elements > builder->elements_capacity) {
        builder->elements_capacity = elements + elements / 2 + 64;
        ok = CT_ARRAY_RESIZE(lp->column, builder->elements_capacity) &&
             CT_ARRAY_RESIZE(lp->element, builder->elements_capacity);
    }
    if (ok && rows == 1)
        lp->row_start[0] = 0;
    return ok ? CT_OK : ct_no_memory(err, "linear program");
}

static void put_element(struct ct_lp *lp, int column, double element)
{
    int *end = &lp->row_start[lp->n_rows + 1];
    if (element == 0)
        return;
    lp->column[*end] = column;
    lp->element[*end] = element;
    ++*end;
}

static int column_of(struct ct_fold_node node)
{
    return CT_LP_FIRST_JOIN + (int)node.id - 1;
}

static enum ct_status append_row(struct builder *builder, int target,
                                 const struct ct_fold_edge *edge, struct ct_error *err)
{
    CT_TRY(reserve_rows(builder, err));
    struct ct_lp *lp = &builder->lp;
    lp->row_start[lp->n_rows + 1] = lp->row_start[lp->n_rows];
    lp->lower[lp->n_rows] = edge->cost_ns;
    put_element(lp, target, 1);
    put_element(lp, column_of(edge->source), edge->source.id > 0 ? -1 : 0);
    put_element(lp, CT_LP_LATENCY, -edge->slope[0]);
    put_element(lp, CT_LP_GAP, -edge->slope[1]);
    lp->n_rows++;
    return CT_OK;
}

static enum ct_status append_join(void *data, struct ct_fold_node target,
                                  const struct ct_fold_edge *edges, size_t n_edges,
                                  struct ct_error *err)
{
    for (size_t i = 0; i < n_edges; i++)
        CT_TRY(append_row(data, column_of(target), &edges[i], err));
    return CT_OK;
}

static enum ct_status append_end(void *data, const struct ct_fold_edge *end, struct ct_error *err)
{
    return append_row(data, CT_LP_RUNTIME, end, err);
}

enum ct_status ct_lp_build_on(const struct ct_graph *graph, const struct ct_plane *plane,
                              struct ct_lp *lp_p, struct ct_error *err)
{
    struct builder builder = {0};
    struct ct_fold_visitor visitor = {.join = append_join, .end = append_end, .data = &builder};
    struct ct_fold_size size;
    enum ct_status status = ct_graph_fold(graph, plane, &visitor, &size, err);
    if (status == CT_OK && builder.lp.n_rows == 0)
        status = ct_fail(err, CT_EINVAL, "linear program: the schedule has no operations");
    if (status != CT_OK) {
        ct_lp_free(&builder.lp);
        return status;
    }
    builder.lp.n_columns = CT_LP_FIRST_JOIN + (int)size.n_joins;
    *lp_p = builder.lp;
    return CT_OK;
}

enum ct_status ct_lp_build(const struct ct_graph *graph, double o_ns, struct ct_lp *lp_p,
                           struct ct_error *err)
{
    const struct ct_plane plane = {.origin = {.o_ns = o_ns},
                                   .slope = {{.L_ns = 1}, {.G_ns_per_byte = 1}}};
    return ct_lp_build_on(graph, &plane, lp_p, err);
}

void ct_lp_free(struct ct_lp *lp)
{
    free(lp->row_start);
    free(lp->column);
    free(lp->element);
    free(lp->lower);
    *lp = (struct ct_lp){0};
}
