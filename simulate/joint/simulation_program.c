#include "simulate/joint/simulation_program.h"

#include <stdlib.h>

/* Lines of a text are no part of what a schedule does. */
static void add_goal(const struct ct_goal *goal, struct ct_fingerprint *fingerprint)
{
    const uint64_t whole[] = {goal->n_ranks, goal->n_ops, goal->n_deps};
    ct_fingerprint_add(fingerprint, whole, sizeof whole);
    ct_fingerprint_add(fingerprint, goal->first_op,
                       (goal->n_ranks + (size_t)1) * sizeof *goal->first_op);
    for (uint64_t i = 0; i < goal->n_ops; i++) {
        const struct ct_goal_op *op = &goal->ops[i];
        const uint64_t values[] = {op->amount, (uint64_t)op->peer << 32 | (uint32_t)op->tag,
                                   (uint64_t)op->kind << 16 | (uint64_t)op->cpu << 8 | op->nic};
        ct_fingerprint_add(fingerprint, values, sizeof values);
    }
    for (uint64_t i = 0; i < goal->n_deps; i++) {
        const uint32_t values[] = {goal->deps[i].op, goal->deps[i].on, goal->deps[i].irequires};
        ct_fingerprint_add(fingerprint, values, sizeof values);
    }
}

static uint32_t count_nodes(const struct ct_simulate_place *place, uint32_t n_ranks)
{
    uint32_t n_blocks = (n_ranks - 1) / place->ranks_per_node + 1, n = 0;
    if (!place->nodes)
        return n_blocks;
    for (uint32_t i = 0; i < n_blocks && i < place->n_nodes; i++)
        if (place->nodes[i] >= n)
            n = place->nodes[i] + 1;
    return n;
}

static enum ct_status make_packets(const struct ct_goal *goal,
                                   const struct ct_simulate_place *place,
                                   struct ct_simulation_program *program, struct ct_error *err)
{
    struct ct_fingerprint *fingerprint = ct_fingerprint_new();
    if (!fingerprint)
        return ct_no_memory(err, "simulation");
    add_goal(goal, fingerprint);
    ct_fingerprint_end(fingerprint, program->schedule);
    program->place = *place;
    program->n_nodes = count_nodes(place, goal->n_ranks);
    return ct_engine_program_new(goal, &program->packets, err);
}

enum ct_status ct_simulation_program_new(const struct ct_goal *goal,
                                         const struct ct_simulate_place *place,
                                         struct ct_simulation_program **program_p,
                                         struct ct_error *err)
{
    struct ct_simulation_program *program = calloc(1, sizeof *program);
    if (!program)
        return ct_no_memory(err, "simulation");
    enum ct_status status = make_packets(goal, place, program, err);
    if (status == CT_OK)
        *program_p = program;
    else
        ct_simulation_program_free(program);
    return status;
}

void ct_simulation_program_free(struct ct_simulation_program *program)
{
    if (!program)
        return;
    ct_engine_program_free(program->packets);
    free(program);
}

void ct_simulation_program_add(const struct ct_simulation_program *program,
                               struct ct_fingerprint *fingerprint)
{
    const uint64_t numbers[] = {program->schedule[0], program->schedule[1],
                                program->place.ranks_per_node, program->place.n_nodes};
    ct_fingerprint_add(fingerprint, numbers, sizeof numbers);
    if (program->place.nodes)
        ct_fingerprint_add(fingerprint, program->place.nodes,
                           program->place.n_nodes * sizeof *program->place.nodes);
}
