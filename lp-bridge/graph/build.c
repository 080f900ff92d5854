/* From a schedule to a graph: match messages, draft nodes and edges, sort. */
#include "lp-bridge/graph/draft.h"
#include "lp-bridge/graph/match.h"

#include <stdlib.h>
#include <string.h>

/* An operation that another one waits for: -> the node and the kind of the edge. */
struct builder {
    const struct ct_goal *goal;
    struct ct_goal *taken; /* the same, to be freed as soon as possible; NULL: it is borrowed */
    const struct ct_graph_options *options;
    uint32_t n_operations; /* over all ranks; also the nodes, before those of postings */
    uint32_t *partner;
    /* n_operations; second node: of the posting of a receive, of the leaving of a send; 0: none */
    uint32_t *second;
    struct ct_draft draft;
};

enum { CPUS_MAX = 256, NICS_MAX = 256 };

/* Of a send or a receive. */
static enum ct_protocol_kind protocol_of(const struct builder *builder, uint32_t op)
{
    const struct ct_goal_op *ops = builder->goal->ops;
    uint32_t send = ops[op].kind == CT_GOAL_SEND ? op : builder->partner[op];
    return ct_protocol_of(ops[send].amount, builder->options->eager_max_bytes);
}

/* ---- edges: visited twice, to count them and to put them in ---- */

typedef void edge_visitor(struct builder *builder, uint32_t target, uint32_t source,
                          enum ct_edge_kind kind);

static void count_edge(struct builder *builder, uint32_t target, uint32_t source,
                       enum ct_edge_kind kind)
{
    (void)source;
    (void)kind;
    builder->draft.first[target + 2]++;
}

static void put_edge(struct builder *builder, uint32_t target, uint32_t source,
                     enum ct_edge_kind kind)
{
    builder->draft.edges[builder->draft.first[target + 1]++] = ct_edge_word(source, kind);
}

/* Where an operation waits for others of its rank: a receive that is posted waits there. */
static uint32_t start_node(const struct builder *builder, uint32_t op)
{
    bool is_posted = builder->goal->ops[op].kind == CT_GOAL_RECV && builder->second[op];
    return is_posted ? builder->second[op] : op;
}

/* Where a message comes from: where it leaves, if that is a node. */
static uint32_t message_node(const struct builder *builder, uint32_t send)
{
    return builder->second[send] ? builder->second[send] : send;
}

static void visit_finish(struct builder *builder, uint32_t op, uint32_t on, edge_visitor *visit)
{
    bool sent = builder->goal->ops[on].kind == CT_GOAL_SEND &&
                ct_protocol_send_needs_recv(&ct_protocols[protocol_of(builder, on)]);
    visit(builder, start_node(builder, op), sent ? builder->partner[on] : on,
          sent ? CT_EDGE_SENT : CT_EDGE_FINISH);
}

static void visit_start(struct builder *builder, uint32_t op, uint32_t on, edge_visitor *visit)
{
    visit(builder, start_node(builder, op), start_node(builder, on), CT_EDGE_START);
}

static void visit_dependencies(struct builder *builder, edge_visitor *visit)
{
    const struct ct_goal *goal = builder->goal;
    for (uint64_t d = 0; d < goal->n_deps; d++) {
        const struct ct_goal_dep *dep = &goal->deps[d];
        (dep->irequires ? visit_start : visit_finish)(builder, dep->op, dep->on, visit);
    }
}

static void visit_messages(struct builder *builder, edge_visitor *visit)
{
    const struct ct_goal *goal = builder->goal;
    for (uint32_t op = 0; op < builder->n_operations; op++) {
        if (goal->ops[op].kind != CT_GOAL_RECV)
            continue;
        if (builder->second[op])
            visit(builder, op, builder->second[op], CT_EDGE_START);
        visit(builder, op, message_node(builder, builder->partner[op]), CT_EDGE_MESSAGE);
    }
}

/* Each operation after the one before it on its CPU; a send holds the CPU for its overhead. */
static void visit_cpus(struct builder *builder, edge_visitor *visit)
{
    const struct ct_goal *goal = builder->goal;
    for (uint32_t rank = 0; rank < goal->n_ranks; rank++) {
        uint32_t last[CPUS_MAX];
        bool seen[CPUS_MAX] = {false};
        for (uint64_t i = goal->first_op[rank]; i < goal->first_op[rank + 1]; i++) {
            uint32_t op = (uint32_t)i;
            uint8_t cpu = goal->ops[op].cpu;
            if (seen[cpu])
                (goal->ops[last[cpu]].kind == CT_GOAL_SEND ? visit_start : visit_finish)(
                    builder, op, last[cpu], visit);
            last[cpu] = op;
            seen[cpu] = true;
        }
    }
}

/* Each message that leaves after the one before it on its NIC. */
static void visit_nics(struct builder *builder, edge_visitor *visit)
{
    const struct ct_goal *goal = builder->goal;
    for (uint32_t rank = 0; rank < goal->n_ranks; rank++) {
        uint32_t last[NICS_MAX] = {0}; /* no second node is 0 */
        for (uint64_t i = goal->first_op[rank]; i < goal->first_op[rank + 1]; i++) {
            uint32_t op = (uint32_t)i, leaving = builder->second[op];
            if (goal->ops[op].kind != CT_GOAL_SEND || !leaving)
                continue;
            visit(builder, leaving, op, CT_EDGE_FINISH);
            uint32_t *before = &last[goal->ops[op].nic];
            if (*before)
                visit(builder, leaving, *before, CT_EDGE_START);
            *before = leaving;
        }
    }
}

static void visit_edges(struct builder *builder, edge_visitor *visit)
{
    visit_dependencies(builder, visit);
    if (builder->options->serialize)
        visit_cpus(builder, visit);
    if (builder->options->serialize_nic)
        visit_nics(builder, visit);
    visit_messages(builder, visit);
}

/* ---- draft ---- */

/* Messages to other ranks whose bytes leave at once get a node for that. */
static uint32_t number_leavings(struct builder *builder, uint32_t n)
{
    const struct ct_goal *goal = builder->goal;
    for (uint32_t rank = 0; rank < goal->n_ranks; rank++)
        for (uint64_t i = goal->first_op[rank]; i < goal->first_op[rank + 1]; i++) {
            uint32_t op = (uint32_t)i;
            if (goal->ops[op].kind == CT_GOAL_SEND && goal->ops[op].peer != rank &&
                ct_protocols[protocol_of(builder, op)].steps[0].carries == CT_CARRIES_DATA)
                builder->second[op] = n++;
        }
    return n;
}

/* Receives that somebody follows by `irequires` get a node for their posting. */
static bool number_nodes(struct builder *builder)
{
    const struct ct_goal *goal = builder->goal;
    uint32_t n = builder->n_operations;
    builder->second = calloc(n + (size_t)1, sizeof *builder->second);
    if (!builder->second)
        return false;
    for (uint64_t d = 0; d < goal->n_deps; d++) {
        uint32_t on = goal->deps[d].on;
        if (goal->deps[d].irequires && goal->ops[on].kind == CT_GOAL_RECV && !builder->second[on])
            builder->second[on] = n++;
    }
    if (builder->options->serialize_nic)
        n = number_leavings(builder, n);
    builder->draft.n_nodes = n;
    builder->draft.n_operations = builder->n_operations;
    builder->draft.second = builder->second;
    return true;
}

/* Counted two entries ahead, so that after filling each start is where it belongs. */
static enum ct_status draft_edges(struct builder *builder, struct ct_error *err)
{
    struct ct_draft *draft = &builder->draft;
    uint64_t n_edges = 0;
    draft->first = calloc(draft->n_nodes + (size_t)2, sizeof *draft->first);
    if (!draft->first)
        return ct_no_memory(err, "execution graph");
    visit_edges(builder, count_edge);
    for (uint32_t v = 0; v < draft->n_nodes; v++)
        n_edges += draft->first[v + 2];
    if (n_edges > UINT32_MAX)
        return ct_fail(err, CT_EINVAL, "execution graph: %llu dependencies; at most 2^32 - 1",
                       (unsigned long long)n_edges);
    for (uint32_t v = 0; v < draft->n_nodes; v++)
        draft->first[v + 1] += draft->first[v];
    draft->n_edges = (uint32_t)n_edges;
    draft->edges = malloc((n_edges + 1) * sizeof *draft->edges);
    if (!draft->edges)
        return ct_no_memory(err, "execution graph");
    visit_edges(builder, put_edge);
    return CT_OK;
}

static enum ct_status make_draft(struct builder *builder, struct ct_error *err)
{
    if (!number_nodes(builder))
        return ct_no_memory(err, "execution graph");
    enum ct_status status = draft_edges(builder, err);
    if (status == CT_OK && builder->taken) {
        free(builder->taken->deps);
        builder->taken->deps = NULL;
        builder->taken->n_deps = 0;
    }
    return status;
}

/* A cycle that is there only because of an option looks like a fault of the schedule. */
static enum ct_status sort_draft(const struct builder *builder, uint32_t **order_p,
                                 struct ct_error *err)
{
    enum ct_status status = ct_draft_order(&builder->draft, builder->goal, order_p, err);
    if (status == CT_EINVAL && builder->options->serialize)
        ct_fail_within(err, status, "one operation at a time on each CPU");
    else if (status == CT_EINVAL && builder->options->serialize_nic)
        ct_fail_within(err, status, "one message at a time on each NIC");
    return status;
}

/* ---- vertices ---- */

static bool allocate_vertices(const struct ct_graph_options *options, struct ct_graph *graph)
{
    size_t n = (size_t)graph->n_vertices + 1;
    graph->amount = malloc(n * sizeof *graph->amount);
    graph->rank = malloc(n * sizeof *graph->rank);
    graph->operation = malloc(n * sizeof *graph->operation);
    graph->what = malloc(n * sizeof *graph->what);
    if (options->serialize_nic)
        graph->receiver = calloc(n, sizeof *graph->receiver);
    if (options->serialize_nic && !graph->receiver)
        return false;
    if (options->peers)
        graph->peer = malloc(n * sizeof *graph->peer);
    if (options->peers && !graph->peer)
        return false;
    return graph->amount && graph->rank && graph->operation && graph->what;
}

/* The second node of an operation. */
static void fill_second(const struct builder *builder, struct ct_graph *graph, uint32_t op,
                        uint32_t first, uint32_t second)
{
    const struct ct_goal_op *of = &builder->goal->ops[op];
    bool is_send = of->kind == CT_GOAL_SEND;
    graph->amount[second] = is_send ? graph->amount[first] : 0;
    graph->rank[second] = graph->rank[first];
    graph->operation[second] = graph->operation[first];
    graph->what[second] = (is_send ? CT_VERTEX_LEAVING : CT_VERTEX_POSTED) |
                          (graph->what[first] & CT_VERTEX_PROTOCOL_MASK);
    if (is_send)
        graph->receiver[second] = of->peer;
    if (graph->peer)
        graph->peer[second] = is_send ? of->peer : graph->rank[first];
}

/* place: of each node among the vertices. */
static void fill_operation(const struct builder *builder, struct ct_graph *graph,
                           const uint32_t *place, uint32_t rank, uint32_t op)
{
    static const uint8_t kinds[] = {[CT_GOAL_CALC] = CT_VERTEX_CALC,
                                    [CT_GOAL_SEND] = CT_VERTEX_SEND,
                                    [CT_GOAL_RECV] = CT_VERTEX_RECV};
    const struct ct_goal *goal = builder->goal;
    uint32_t v = place[op];
    uint8_t kind = goal->ops[op].kind, vertex = kinds[kind];
    if (goal->goes_on && op == goal->first_op[rank])
        vertex = CT_VERTEX_INPUT;
    else if (goal->is_continued && op + 1 == goal->first_op[rank + 1])
        vertex = CT_VERTEX_OUTPUT;
    /* The size of a message is that of its send: a receive may have room for more. */
    graph->amount[v] = goal->ops[kind == CT_GOAL_RECV ? builder->partner[op] : op].amount;
    graph->rank[v] = rank;
    graph->operation[v] = (uint32_t)(op - goal->first_op[rank]);
    uint8_t protocol = 0;
    if (kind != CT_GOAL_CALC)
        protocol = (uint8_t)(protocol_of(builder, op) << CT_VERTEX_PROTOCOL_SHIFT);
    graph->what[v] = vertex | protocol;
    if (graph->peer)
        graph->peer[v] = kind == CT_GOAL_CALC ? rank : goal->ops[op].peer;
    if (builder->second[op])
        fill_second(builder, graph, op, v, place[builder->second[op]]);
}

/* What the vertices are; the edges are there. */
static enum ct_status fill_vertices(const struct builder *builder, const uint32_t *place,
                                    struct ct_graph *graph, struct ct_error *err)
{
    const struct ct_goal *goal = builder->goal;
    if (!allocate_vertices(builder->options, graph))
        return ct_no_memory(err, "execution graph");
    for (uint32_t rank = 0; rank < goal->n_ranks; rank++)
        for (uint64_t op = goal->first_op[rank]; op < goal->first_op[rank + 1]; op++)
            fill_operation(builder, graph, place, rank, (uint32_t)op);
    graph->n_ranks = goal->n_ranks;
    graph->n_operations =
        builder->n_operations - goal->n_ranks * (uint32_t)(goal->goes_on + goal->is_continued);
    graph->goes_on = goal->goes_on;
    graph->is_continued = goal->is_continued;
    return CT_OK;
}

static enum ct_status copy_overheads(const struct ct_overheads *overheads, struct ct_graph *graph,
                                     struct ct_error *err)
{
    if (!overheads || overheads->n == 0)
        return CT_OK;
    graph->overheads.sizes = malloc(overheads->n * sizeof *overheads->sizes);
    if (!graph->overheads.sizes)
        return ct_no_memory(err, "execution graph");
    memcpy(graph->overheads.sizes, overheads->sizes, overheads->n * sizeof *overheads->sizes);
    graph->overheads.n = overheads->n;
    return CT_OK;
}

static enum ct_status check_options(const struct ct_goal *goal,
                                    const struct ct_graph_options *options, struct ct_error *err)
{
    /* A second node for each operation at most. */
    if (goal->n_ops > CT_GRAPH_VERTICES_MAX / 2)
        return ct_fail(err, CT_EINVAL, "execution graph: %llu operations; at most %d",
                       (unsigned long long)goal->n_ops, CT_GRAPH_VERTICES_MAX / 2);
    return options->overheads ? ct_overheads_check(options->overheads, err) : CT_OK;
}

static enum ct_status build_graph(struct builder *builder, struct ct_graph *graph,
                                  struct ct_error *err)
{
    uint32_t *order = NULL; /* then the place of each node in it */
    enum ct_status status = check_options(builder->goal, builder->options, err);
    builder->n_operations = (uint32_t)builder->goal->n_ops;
    if (status == CT_OK)
        status = ct_match(builder->goal, &builder->partner, err);
    if (status == CT_OK)
        status = make_draft(builder, err);
    if (status == CT_OK)
        status = sort_draft(builder, &order, err);
    if (status == CT_OK)
        status = ct_draft_arrange(&builder->draft, &order, graph, err);
    if (status == CT_OK)
        status = fill_vertices(builder, order, graph, err);
    if (status == CT_OK)
        status = copy_overheads(builder->options->overheads, graph, err);
    free(order);
    ct_draft_free(&builder->draft);
    free(builder->second);
    free(builder->partner);
    return status;
}

static enum ct_status build_or_free(struct builder *builder, struct ct_graph *graph_p,
                                    struct ct_error *err)
{
    struct ct_graph graph = {0};
    enum ct_status status = build_graph(builder, &graph, err);
    if (status != CT_OK) {
        ct_graph_free(&graph);
        return status;
    }
    ct_graph_set_flags(&graph);
    ct_graph_sum_steps(&graph);
    *graph_p = graph;
    return CT_OK;
}

enum ct_status ct_graph_build(const struct ct_goal *goal, const struct ct_graph_options *options,
                              struct ct_graph *graph_p, struct ct_error *err)
{
    struct builder builder = {.goal = goal, .options = options};
    return build_or_free(&builder, graph_p, err);
}

enum ct_status ct_graph_take(struct ct_goal *goal, const struct ct_graph_options *options,
                             struct ct_graph *graph_p, struct ct_error *err)
{
    struct builder builder = {.goal = goal, .taken = goal, .options = options};
    enum ct_status status = build_or_free(&builder, graph_p, err);
    ct_goal_free(goal);
    return status;
}
