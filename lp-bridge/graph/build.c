/* From a schedule to a graph: match messages, draft nodes and edges, sort. */
#include "core/array.h"
#include "lp-bridge/graph/draft.h"
#include "lp-bridge/graph/match.h"

#include <stdlib.h>
#include <string.h>

/* An operation that another one waits for: -> the node and the kind of the edge. */
struct builder {
    const struct ct_goal *goal;
    struct ct_goal *taken; /* the same, to be freed as soon as possible; NULL: it is borrowed */
    const struct ct_graph_options *options;
    bool has_leavings;
    uint32_t n_operations; /* over all ranks; also the nodes, before those of postings */
    uint32_t *partner;
    /* n_operations; second node: of the posting of a receive, of the leaving of a send; 0: none */
    uint32_t *second;
    uint32_t n_seconds; /* nodes, before those of steps */
    /* With progress in calls: */
    uint8_t call;         /* of the marks that count: CT_GOAL_MARK_FIRST or _LAST */
    uint32_t *gate;       /* n_operations; where a receive is met, or a send begins, in a call; 0:
                             where the operation is */
    uint32_t *steps;      /* n_operations; of a send the first of the nodes of its steps */
    uint32_t *first_mark; /* n_operations + 1 */
    struct ct_draft_extra *extras;
    size_t n_extras, room_extras;
    struct ct_draft draft;
};

enum { CPUS_MAX = 256, NICS_MAX = 256 };

/* Of a send or a receive. */
static enum ct_protocol_kind protocol_of(const struct builder *builder, uint32_t op)
{
    const struct ct_goal_op *ops = builder->goal->ops;
    uint32_t send = ops[op].kind == CT_GOAL_SEND ? op : builder->partner[op];
    enum ct_protocol_kind kind =
        ct_protocol_of(ops[send].amount, builder->options->eager_max_bytes);
    return kind == CT_PROTOCOL_RENDEZVOUS && builder->options->puts ? CT_PROTOCOL_PUT : kind;
}

/* ---- steps of messages, with progress in calls ---- */

/* Two nodes a step of a message, from the third on: where it may begin once the rank has been away,
 * and where it begins. */
enum { NODES_A_STEP = 2 };

static uint32_t extra_number(const struct builder *builder)
{
    return builder->n_seconds + (uint32_t)builder->n_extras;
}

static bool add_extra(struct builder *builder, struct ct_draft_extra extra)
{
    if (!CT_ARRAY_RESERVE(builder->extras, builder->room_extras, builder->n_extras + 1))
        return false;
    builder->extras[builder->n_extras++] = extra;
    return true;
}

static bool has_steps(const struct builder *builder, uint32_t op)
{
    return builder->options->in_call && builder->goal->ops[op].kind != CT_GOAL_CALC &&
           ct_protocols[protocol_of(builder, op)].n_steps > CT_STEP_FIRST;
}

/* The send of a message and the receive. */
static uint32_t op_of_side(const struct builder *builder, uint32_t send, enum ct_message_side side)
{
    return side == CT_SIDE_SENDER ? send : builder->partner[send];
}

static uint32_t step_node(const struct builder *builder, uint32_t send, uint8_t step)
{
    return builder->steps[send] + NODES_A_STEP * (uint32_t)(step - CT_STEP_FIRST) + 1;
}

/* The marks of an operation that count, one after the other. */
static const struct ct_goal_mark *next_mark(const struct builder *builder, uint32_t op,
                                            uint32_t *at)
{
    while (*at < builder->first_mark[op + 1]) {
        const struct ct_goal_mark *mark = &builder->goal->marks[(*at)++];
        if (mark->flags & builder->call)
            return mark;
    }
    return NULL;
}

/* All of them together. */
struct marked {
    bool is_there, begins;
    uint64_t away_ns;
};

static struct marked marked_op(const struct builder *builder, uint32_t op)
{
    struct marked all = {false};
    const struct ct_goal_mark *mark;
    for (uint32_t at = builder->first_mark[op]; (mark = next_mark(builder, op, &at));) {
        all.is_there = true;
        all.begins = all.begins || mark->flags & CT_GOAL_MARK_BEGINS;
        all.away_ns = mark->away_ns > all.away_ns ? mark->away_ns : all.away_ns;
    }
    return all;
}

static bool number_gate(struct builder *builder, uint32_t op)
{
    const struct marked marked = marked_op(builder, op);
    bool is_recv = builder->goal->ops[op].kind == CT_GOAL_RECV;
    if (!marked.is_there || !(is_recv || marked.begins))
        return true;
    builder->gate[op] = extra_number(builder);
    return add_extra(builder, (struct ct_draft_extra){.op = op, .away_ns = marked.away_ns});
}

static bool number_steps(struct builder *builder, uint32_t send)
{
    const struct ct_protocol *protocol = &ct_protocols[protocol_of(builder, send)];
    builder->steps[send] = extra_number(builder);
    for (uint8_t step = CT_STEP_FIRST; step < protocol->n_steps; step++) {
        uint32_t op = op_of_side(builder, send, protocol->steps[step].by);
        struct ct_draft_extra away = {.op = op, .away_ns = marked_op(builder, op).away_ns},
                              begin = {.op = op, .step = step};
        if (!add_extra(builder, away) || !add_extra(builder, begin))
            return false;
    }
    return true;
}

/* first_mark: as in a graph, of marks that are in the order of operations. */
static void find_marks(struct builder *builder)
{
    const struct ct_goal *goal = builder->goal;
    uint64_t mark = 0;
    for (uint32_t op = 0; op <= builder->n_operations; op++) {
        while (mark < goal->n_marks && goal->marks[mark].op < op)
            mark++;
        builder->first_mark[op] = (uint32_t)mark;
    }
}

static enum ct_status number_extras(struct builder *builder, struct ct_error *err)
{
    size_t n = builder->n_operations + (size_t)1;
    builder->n_seconds = builder->draft.n_seconds = builder->draft.n_nodes;
    if (!builder->options->in_call)
        return CT_OK;
    builder->gate = calloc(n, sizeof *builder->gate);
    builder->steps = calloc(n, sizeof *builder->steps);
    builder->first_mark = calloc(n, sizeof *builder->first_mark);
    bool has_room = builder->gate && builder->steps && builder->first_mark;
    if (has_room)
        find_marks(builder);
    for (uint32_t op = 0; op < builder->n_operations && has_room; op++) {
        if (builder->goal->ops[op].kind == CT_GOAL_CALC)
            continue;
        has_room = number_gate(builder, op);
        if (has_room && builder->goal->ops[op].kind == CT_GOAL_SEND && has_steps(builder, op))
            has_room = number_steps(builder, op);
        if (builder->n_extras > CT_GRAPH_VERTICES_MAX)
            return ct_fail(err, CT_EINVAL, "execution graph: more than %d vertices",
                           CT_GRAPH_VERTICES_MAX);
    }
    builder->draft.extras = builder->extras;
    builder->draft.n_nodes = extra_number(builder);
    return has_room ? CT_OK : ct_no_memory(err, "execution graph");
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

/* Where an operation starts: a receive that is posted does there. */
static uint32_t start_node(const struct builder *builder, uint32_t op)
{
    bool is_posted = builder->goal->ops[op].kind == CT_GOAL_RECV && builder->second[op];
    return is_posted ? builder->second[op] : op;
}

/* Where it waits for others of its rank: a send that a later call begins, before that. */
static uint32_t wait_node(const struct builder *builder, uint32_t op)
{
    bool is_gated =
        builder->gate && builder->gate[op] && builder->goal->ops[op].kind == CT_GOAL_SEND;
    return is_gated ? builder->gate[op] : start_node(builder, op);
}

/* Where a message comes from: where it leaves, if that is a node. */
static uint32_t message_node(const struct builder *builder, uint32_t send)
{
    return builder->second[send] ? builder->second[send] : send;
}

/* The end of an operation with steps is that of a step of its side. */
static void visit_last_step(struct builder *builder, uint32_t node, uint32_t on,
                            edge_visitor *visit)
{
    const struct ct_protocol *protocol = &ct_protocols[protocol_of(builder, on)];
    bool sends = builder->goal->ops[on].kind == CT_GOAL_SEND;
    visit(builder, node,
          step_node(builder, sends ? on : builder->partner[on],
                    sends ? protocol->send_ends.step : protocol->recv_ends.step),
          CT_EDGE_FINISH);
}

static void visit_finish_at(struct builder *builder, uint32_t node, uint32_t on,
                            edge_visitor *visit)
{
    if (has_steps(builder, on)) {
        visit_last_step(builder, node, on, visit);
        return;
    }
    bool sent = builder->goal->ops[on].kind == CT_GOAL_SEND &&
                ct_protocol_send_needs_recv(&ct_protocols[protocol_of(builder, on)]);
    visit(builder, node, sent ? builder->partner[on] : on, sent ? CT_EDGE_SENT : CT_EDGE_FINISH);
}

static void visit_finish(struct builder *builder, uint32_t op, uint32_t on, edge_visitor *visit)
{
    visit_finish_at(builder, wait_node(builder, op), on, visit);
}

static void visit_start(struct builder *builder, uint32_t op, uint32_t on, edge_visitor *visit)
{
    visit(builder, wait_node(builder, op), start_node(builder, on), CT_EDGE_START);
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
        uint32_t met = builder->gate && builder->gate[op] ? builder->gate[op] : op;
        visit(builder, met, message_node(builder, builder->partner[op]), CT_EDGE_MESSAGE);
    }
}

/* The calls that an operation's steps wait for. */
static void visit_marks(struct builder *builder, uint32_t node, uint32_t op, edge_visitor *visit)
{
    const struct ct_goal_mark *mark;
    for (uint32_t at = builder->first_mark[op]; (mark = next_mark(builder, op, &at));)
        if (mark->on != op && mark->flags & CT_GOAL_MARK_START)
            visit(builder, node, start_node(builder, mark->on), CT_EDGE_START);
        else if (mark->on != op)
            visit_finish_at(builder, node, mark->on, visit);
}

static void visit_steps(struct builder *builder, uint32_t send, edge_visitor *visit)
{
    const struct ct_protocol *protocol = &ct_protocols[protocol_of(builder, send)];
    uint32_t before = builder->partner[send];
    for (uint8_t step = CT_STEP_FIRST; step < protocol->n_steps; step++) {
        uint32_t begin = step_node(builder, send, step), away = begin - 1;
        visit(builder, away, before, CT_EDGE_MESSAGE);
        visit_marks(builder, away, op_of_side(builder, send, protocol->steps[step].by), visit);
        visit(builder, begin, away, CT_EDGE_FINISH);
        before = begin;
    }
}

static void visit_calls(struct builder *builder, edge_visitor *visit)
{
    for (uint32_t op = 0; op < builder->n_operations; op++) {
        if (builder->gate[op]) {
            visit_marks(builder, builder->gate[op], op, visit);
            visit(builder, op, builder->gate[op], CT_EDGE_FINISH);
        }
        if (builder->steps[op])
            visit_steps(builder, op, visit);
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
    if (builder->has_leavings)
        visit_nics(builder, visit);
    visit_messages(builder, visit);
    if (builder->options->in_call)
        visit_calls(builder, visit);
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

static void number_posting(struct builder *builder, uint32_t on, uint32_t *n)
{
    if (builder->goal->ops[on].kind == CT_GOAL_RECV && !builder->second[on])
        builder->second[on] = (*n)++;
}

/* Receives that somebody follows by `irequires` get a node for their posting. */
static bool number_nodes(struct builder *builder)
{
    const struct ct_goal *goal = builder->goal;
    uint32_t n = builder->n_operations;
    builder->second = calloc(n + (size_t)1, sizeof *builder->second);
    if (!builder->second)
        return false;
    for (uint64_t d = 0; d < goal->n_deps; d++)
        if (goal->deps[d].irequires)
            number_posting(builder, goal->deps[d].on, &n);
    for (uint64_t i = 0; builder->options->in_call && i < goal->n_marks; i++)
        if (goal->marks[i].flags & CT_GOAL_MARK_START && goal->marks[i].on != goal->marks[i].op)
            number_posting(builder, goal->marks[i].on, &n);
    if (builder->has_leavings)
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
    CT_TRY(number_extras(builder, err));
    CT_TRY(draft_edges(builder, err));
    if (builder->taken && !builder->options->in_call) {
        free(builder->taken->deps);
        builder->taken->deps = NULL;
        builder->taken->n_deps = 0;
    }
    return CT_OK;
}

/* A cycle that is there only because of an option looks like a fault of the schedule. */
static enum ct_status sort_draft(const struct builder *builder, uint32_t **order_p,
                                 struct ct_error *err)
{
    enum ct_status status = ct_draft_order(&builder->draft, builder->goal, order_p, err);
    if (status == CT_EINVAL && builder->options->serialize)
        ct_fail_within(err, status, "one operation at a time on each CPU");
    else if (status == CT_EINVAL && builder->has_leavings)
        ct_fail_within(err, status, "one message at a time on each NIC");
    return status;
}

/* ---- vertices ---- */

static bool allocate_vertices(const struct ct_graph_options *options, bool has_leavings,
                              struct ct_graph *graph)
{
    size_t n = (size_t)graph->n_vertices + 1;
    graph->amount = malloc(n * sizeof *graph->amount);
    graph->rank = malloc(n * sizeof *graph->rank);
    graph->operation = malloc(n * sizeof *graph->operation);
    graph->what = malloc(n * sizeof *graph->what);
    if (has_leavings)
        graph->receiver = calloc(n, sizeof *graph->receiver);
    if (has_leavings && !graph->receiver)
        return false;
    if (options->peers || options->in_call)
        graph->peer = malloc(n * sizeof *graph->peer);
    if ((options->peers || options->in_call) && !graph->peer)
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

/* A calculation for a step, or the begin of one. */
static void fill_extra(const struct builder *builder, struct ct_graph *graph, uint32_t v,
                       const struct ct_draft_extra *extra)
{
    const struct ct_goal *goal = builder->goal;
    const struct ct_goal_op *op = &goal->ops[extra->op];
    uint32_t send = op->kind == CT_GOAL_SEND ? extra->op : builder->partner[extra->op];
    graph->rank[v] = ct_goal_rank_of(goal, extra->op);
    graph->operation[v] = (uint32_t)(extra->op - goal->first_op[graph->rank[v]]);
    graph->peer[v] = extra->step ? op->peer : graph->rank[v];
    graph->amount[v] = extra->step ? goal->ops[send].amount : extra->away_ns;
    unsigned kind = CT_VERTEX_STEP + (unsigned)extra->step - CT_STEP_FIRST,
             protocol = (unsigned)protocol_of(builder, send) << CT_VERTEX_PROTOCOL_SHIFT;
    graph->what[v] = extra->step ? (uint8_t)(kind | protocol) : CT_VERTEX_CALC;
}

/* What the vertices are; the edges are there. */
static enum ct_status fill_vertices(const struct builder *builder, const uint32_t *place,
                                    struct ct_graph *graph, struct ct_error *err)
{
    const struct ct_goal *goal = builder->goal;
    if (!allocate_vertices(builder->options, builder->has_leavings, graph))
        return ct_no_memory(err, "execution graph");
    for (uint32_t rank = 0; rank < goal->n_ranks; rank++)
        for (uint64_t op = goal->first_op[rank]; op < goal->first_op[rank + 1]; op++)
            fill_operation(builder, graph, place, rank, (uint32_t)op);
    for (size_t i = 0; i < builder->n_extras; i++)
        fill_extra(builder, graph, place[builder->n_seconds + i], &builder->extras[i]);
    graph->in_call = builder->options->in_call;
    graph->by_first_call = graph->in_call && builder->call == CT_GOAL_MARK_FIRST;
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

static enum ct_status copy_gaps(const struct ct_graph_options *options, struct ct_graph *graph,
                                struct ct_error *err)
{
    const struct ct_gaps *gaps = options->gaps;
    graph->g_ns = options->g_ns;
    if (!gaps || gaps->n == 0)
        return CT_OK;
    graph->gaps.sizes = malloc(gaps->n * sizeof *gaps->sizes);
    if (!graph->gaps.sizes)
        return ct_no_memory(err, "execution graph");
    memcpy(graph->gaps.sizes, gaps->sizes, gaps->n * sizeof *gaps->sizes);
    graph->gaps.n = gaps->n;
    graph->gaps_G_s_per_byte = options->gaps_G_s_per_byte;
    return CT_OK;
}

static enum ct_status check_options(const struct ct_goal *goal,
                                    const struct ct_graph_options *options, struct ct_error *err)
{
    /* A second node for each operation at most. */
    if (goal->n_ops > CT_GRAPH_VERTICES_MAX / 2)
        return ct_fail(err, CT_EINVAL, "execution graph: %llu operations; at most %d",
                       (unsigned long long)goal->n_ops, CT_GRAPH_VERTICES_MAX / 2);
    if (options->in_call && !goal->marks)
        return ct_fail(err, CT_EUNSUPPORTED,
                       "this schedule has no marks of waits, so nothing says in which calls the "
                       "library works for a message: convert the trace again");
    return options->overheads ? ct_overheads_check(options->overheads, err) : CT_OK;
}

static void free_draft(struct builder *builder)
{
    ct_draft_free(&builder->draft);
    free(builder->second);
    free(builder->gate);
    free(builder->steps);
    free(builder->first_mark);
    free(builder->extras);
    builder->second = builder->gate = builder->steps = builder->first_mark = NULL;
    builder->extras = NULL;
    builder->n_extras = builder->room_extras = 0;
}

/* @param call  [in] whose marks count */
static enum ct_status order_nodes(struct builder *builder, uint8_t call, uint32_t **order_p,
                                  struct ct_error *err)
{
    free_draft(builder);
    builder->call = call;
    CT_TRY(make_draft(builder, err));
    return sort_draft(builder, order_p, err);
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
        status = order_nodes(builder, CT_GOAL_MARK_LAST, &order, err);
    if (status == CT_EINVAL && builder->options->in_call && builder->partner)
        status = order_nodes(builder, CT_GOAL_MARK_FIRST, &order, err);
    if (status == CT_OK)
        status = ct_draft_arrange(&builder->draft, &order, graph, err);
    if (status == CT_OK)
        status = fill_vertices(builder, order, graph, err);
    if (status == CT_OK)
        status = copy_overheads(builder->options->overheads, graph, err);
    if (status == CT_OK)
        status = copy_gaps(builder->options, graph, err);
    free(order);
    free_draft(builder);
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
    if (!builder->options->serialize_nic) /* bytes of one message do not delay the next one */
        for (size_t p = 0; p < CT_PROTOCOLS; p++)
            graph.sums[p][CT_VERTEX_LEAVING][CT_EDGE_START].G = 0;
    *graph_p = graph;
    return CT_OK;
}

enum ct_status ct_graph_build(const struct ct_goal *goal, const struct ct_graph_options *options,
                              struct ct_graph *graph_p, struct ct_error *err)
{
    struct builder builder = {.goal = goal,
                              .options = options,
                              .has_leavings = options->serialize_nic || options->g_ns > 0};
    return build_or_free(&builder, graph_p, err);
}

enum ct_status ct_graph_take(struct ct_goal *goal, const struct ct_graph_options *options,
                             struct ct_graph *graph_p, struct ct_error *err)
{
    struct builder builder = {.goal = goal,
                              .taken = goal,
                              .options = options,
                              .has_leavings = options->serialize_nic || options->g_ns > 0};
    enum ct_status status = build_or_free(&builder, graph_p, err);
    ct_goal_free(goal);
    return status;
}
