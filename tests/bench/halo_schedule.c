#include "halo_schedule.h"

enum { DIMENSIONS_MAX = 3, NEIGHBOURS_MAX = 2 * DIMENSIONS_MAX, HALO_BYTES = 8192, SUM_BYTES = 8 };

struct maker {
    struct ct_goal_builder *builder;
    uint32_t sides[DIMENSIONS_MAX], n_dimensions, n_ranks;
    uint64_t die;
};

static uint64_t throw_die(struct maker *maker, uint64_t n)
{
    maker->die ^= maker->die << 13;
    maker->die ^= maker->die >> 7;
    maker->die ^= maker->die << 17;
    return (maker->die >> 11) % n;
}

/* Directions 0 and 1 are up and down in the first dimension, and so on. */
static uint32_t neighbour(const struct maker *maker, uint32_t rank, uint32_t direction)
{
    uint32_t scale = 1;
    for (uint32_t d = 0; d < direction / 2; d++)
        scale *= maker->sides[d];
    uint32_t n = maker->sides[direction / 2], at = rank / scale % n;
    uint32_t to = direction % 2 ? (at + n - 1) % n : (at + 1) % n;
    return rank - at * scale + to * scale;
}

static uint32_t add(struct maker *maker, enum ct_goal_kind kind, uint64_t amount, uint32_t peer,
                    int tag)
{
    return ct_goal_add(
        maker->builder,
        (struct ct_goal_op){.kind = (uint8_t)kind, .amount = amount, .peer = peer, .tag = tag});
}

/* The halo of one round after `before`; returns the operation that has waited for all of it. */
static uint32_t add_halo(struct maker *maker, uint32_t rank, uint32_t before)
{
    uint32_t waits[NEIGHBOURS_MAX], last = before, neighbours = 2 * maker->n_dimensions;
    for (uint32_t d = 0; d < neighbours; d++) {
        /* What comes from a neighbour was sent in the opposite direction. */
        waits[d] = add(maker, CT_GOAL_RECV, HALO_BYTES, neighbour(maker, rank, d), (int)d ^ 1);
        ct_goal_require(maker->builder, waits[d], before, CT_GOAL_FINISH);
    }
    for (uint32_t d = 0; d < neighbours; d++) {
        uint32_t send = add(maker, CT_GOAL_SEND, HALO_BYTES, neighbour(maker, rank, d), (int)d);
        ct_goal_require(maker->builder, send, last, CT_GOAL_FINISH);
        last = send;
    }
    uint32_t done = add(maker, CT_GOAL_CALC, 1000 + throw_die(maker, 1000), 0, 0);
    ct_goal_require(maker->builder, done, last, CT_GOAL_FINISH);
    for (uint32_t d = 0; d < neighbours; d++)
        ct_goal_require(maker->builder, done, waits[d], CT_GOAL_FINISH);
    return done;
}

static uint32_t add_allreduce(struct maker *maker, uint32_t rank, uint32_t before)
{
    int tag = 2 * (int)maker->n_dimensions;
    for (uint32_t distance = 1; distance < maker->n_ranks; distance *= 2) {
        uint32_t send = add(maker, CT_GOAL_SEND, SUM_BYTES, rank ^ distance, tag);
        uint32_t recv = add(maker, CT_GOAL_RECV, SUM_BYTES, rank ^ distance, tag);
        ct_goal_require(maker->builder, send, before, CT_GOAL_FINISH);
        ct_goal_require(maker->builder, recv, send, CT_GOAL_FINISH);
        before = recv;
    }
    return before;
}

/* Very uneven work, so that the critical path moves with the latency. */
static uint64_t work_ns(struct maker *maker)
{
    return throw_die(maker, 1000) * throw_die(maker, 1000);
}

static enum ct_status make(struct maker *maker, uint64_t n_operations, struct ct_goal *goal_p,
                           struct ct_error *err)
{
    uint64_t a_round = 2 + 4 * (uint64_t)maker->n_dimensions;
    if (!maker->builder)
        return ct_fail(err, CT_ENOMEM, "schedule: out of memory");
    for (uint32_t distance = 1; distance < maker->n_ranks; distance *= 2)
        a_round += 2;
    uint64_t rounds = n_operations / (a_round * maker->n_ranks);
    for (uint32_t rank = 0; rank < maker->n_ranks; rank++) {
        uint32_t last = 0;
        ct_goal_begin_rank(maker->builder, rank);
        for (uint64_t round = 0; round < rounds; round++) {
            uint32_t work = add(maker, CT_GOAL_CALC, work_ns(maker), 0, 0);
            if (round > 0)
                ct_goal_require(maker->builder, work, last, CT_GOAL_FINISH);
            last = add_allreduce(maker, rank, add_halo(maker, rank, work));
        }
    }
    return ct_goal_build(maker->builder, goal_p, err);
}

enum ct_status make_halo_schedule(uint64_t n_operations, uint32_t n_side, struct ct_goal *goal_p,
                                  struct ct_error *err)
{
    uint32_t n_ranks = n_side * n_side;
    struct maker maker = {ct_goal_builder_new(n_ranks), {n_side, n_side}, 2, n_ranks, 88172645};
    return make(&maker, n_operations, goal_p, err);
}

enum ct_status make_halo_schedule_3d(uint64_t n_operations, const uint32_t sides[3],
                                     struct ct_goal *goal_p, struct ct_error *err)
{
    uint32_t n_ranks = sides[0] * sides[1] * sides[2];
    struct maker maker = {
        ct_goal_builder_new(n_ranks), {sides[0], sides[1], sides[2]}, 3, n_ranks, 88172645};
    return make(&maker, n_operations, goal_p, err);
}
