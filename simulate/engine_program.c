#include "lp-bridge/graph/match.h"
#include "simulate/engine_state.h"

#include <stdlib.h>

void ct_engine_program_free(struct ct_engine_program *program)
{
    if (!program)
        return;
    free(program->ops);
    free(program->n_waits);
    free(program->edges);
    free(program->first_op);
    free(program);
}

static enum ct_status make_ops(struct ct_engine_program *program, const struct ct_goal *goal,
                               struct ct_error *err)
{
    uint32_t *partner;
    CT_TRY(ct_match(goal, &partner, err));
    for (uint32_t rank = 0; rank <= goal->n_ranks; rank++)
        program->first_op[rank] = (uint32_t)goal->first_op[rank];
    for (uint32_t rank = 0; rank < goal->n_ranks; rank++)
        for (uint32_t i = program->first_op[rank]; i < program->first_op[rank + 1]; i++) {
            const struct ct_goal_op *op = &goal->ops[i];
            uint32_t send = op->kind == CT_GOAL_RECV ? partner[i] : i;
            program->ops[i] = (struct ct_engine_op){
                .amount = goal->ops[send].amount,
                .partner = partner[i],
                .rank = rank,
                .kind = op->kind & 3U,
                .partner_rank = (op->kind == CT_GOAL_CALC ? rank : op->peer) & 0x1fffffffU};
            program->n_messages += op->kind == CT_GOAL_SEND;
        }
    free(partner);
    return CT_OK;
}

/* Counted first, then put in, in the order of the schedule. */
static enum ct_status make_edges(struct ct_engine_program *program, const struct ct_goal *goal,
                                 struct ct_error *err)
{
    uint32_t *fill = calloc(program->n_ops + (size_t)1, sizeof *fill), n = 0;
    if (!fill)
        return ct_no_memory(err, "simulation");
    for (uint64_t d = 0; d < goal->n_deps; d++) {
        fill[goal->deps[d].on]++;
        program->n_waits[goal->deps[d].op]++;
        if (goal->deps[d].irequires)
            program->ops[goal->deps[d].on].has_starts = 1;
    }
    for (uint32_t i = 0; i <= program->n_ops; i++) {
        uint32_t here = i < program->n_ops ? fill[i] : 0;
        program->ops[i].first_edge = fill[i] = n;
        n += here;
    }
    for (uint64_t d = 0; d < goal->n_deps; d++)
        program->edges[fill[goal->deps[d].on]++] =
            goal->deps[d].op << 1 | (goal->deps[d].irequires ? 1 : 0);
    free(fill);
    return CT_OK;
}

enum ct_status ct_engine_program_new(const struct ct_goal *goal,
                                     struct ct_engine_program **program_p, struct ct_error *err)
{
    if (goal->n_ops == 0 || goal->n_ops >= CT_ENGINE_INDEX_MAX || goal->n_deps >= UINT32_MAX)
        return ct_fail(err, CT_EINVAL,
                       "simulation: %llu operations and %llu dependencies; at least "
                       "one operation, at most 2^30, and 2^32 dependencies",
                       (unsigned long long)goal->n_ops, (unsigned long long)goal->n_deps);
    struct ct_engine_program *program = malloc(sizeof *program);
    if (!program)
        return ct_no_memory(err, "simulation");
    *program = (struct ct_engine_program){
        .ops = calloc(goal->n_ops + 1, sizeof *program->ops),
        .n_waits = calloc(goal->n_ops + 1, sizeof *program->n_waits),
        .edges = malloc((goal->n_deps + 1) * sizeof *program->edges),
        .first_op = malloc((goal->n_ranks + (size_t)1) * sizeof *program->first_op),
        .n_ops = (uint32_t)goal->n_ops,
        .n_ranks = goal->n_ranks};
    enum ct_status status = CT_OK;
    if (!program->ops || !program->n_waits || !program->edges || !program->first_op)
        status = ct_no_memory(err, "simulation");
    if (status == CT_OK)
        status = make_ops(program, goal, err);
    if (status == CT_OK)
        status = make_edges(program, goal, err);
    if (status == CT_OK)
        *program_p = program;
    else
        ct_engine_program_free(program);
    return status;
}
