#include "lp-bridge/collective/steps.h"

#include <assert.h>

struct ct_part ct_part_blocks(const struct ct_collective_expansion *e, uint32_t first, uint32_t n)
{
    return (struct ct_part){.first = first % e->of_blocks, .n = n, .run = n};
}

struct ct_part ct_part_whole(const struct ct_collective_expansion *e)
{
    return ct_part_blocks(e, 0, e->of_blocks);
}

struct ct_part ct_part_reduced(struct ct_part part)
{
    part.is_reduced = true;
    return part;
}

uint32_t ct_rank_after(const struct ct_collective_expansion *e, uint32_t distance)
{
    return (e->call->rank + distance) % e->call->n_ranks;
}

uint32_t ct_rank_before(const struct ct_collective_expansion *e, uint32_t distance)
{
    return (e->call->rank + e->call->n_ranks - distance) % e->call->n_ranks;
}

/* Bytes of the first n blocks of a vector that is cut evenly. */
static uint64_t even_bytes(const struct ct_collective_expansion *e, uint32_t n)
{
    uint64_t remainder = e->call->bytes % e->of_blocks;
    return n * (e->call->bytes / e->of_blocks) + (n < remainder ? n : remainder);
}

static uint64_t sum_of_blocks(const struct ct_collective_expansion *e, const uint64_t *bytes,
                              struct ct_part part)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < part.n; i++)
        sum += bytes[(part.first + i) % e->of_blocks];
    return sum;
}

static uint64_t part_bytes(const struct ct_collective_expansion *e, bool is_send, uint32_t peer,
                           struct ct_part part)
{
    const struct ct_collective_call *call = e->call;
    switch (call->what) {
    case CT_COLLECTIVE_BARRIER:
        return 0;
    case CT_COLLECTIVE_ALLTOALL:
        if (call->send_bytes)
            return is_send ? call->send_bytes[peer] : call->recv_bytes[peer];
        return part.n * call->bytes;
    case CT_COLLECTIVE_ALLGATHER:
    case CT_COLLECTIVE_GATHER:
    case CT_COLLECTIVE_SCATTER:
        return call->recv_bytes ? sum_of_blocks(e, call->recv_bytes, part) : part.n * call->bytes;
    default:
        break;
    }
    if (call->recv_bytes)
        return sum_of_blocks(e, call->recv_bytes, part);
    /* No algorithm carries a part across the end of a vector that is cut evenly. */
    assert(part.first + part.n <= e->of_blocks);
    return even_bytes(e, part.first + part.n) - even_bytes(e, part.first);
}

static void hand_out(struct ct_collective_expansion *e, bool is_send, uint32_t peer,
                     struct ct_part part)
{
    uint64_t bytes = part_bytes(e, is_send, peer, part);
    if (e->status || (bytes == 0 && !e->sends_empty))
        return;
    const struct ct_collective_step step = {.is_send = is_send,
                                            .is_reduced = part.is_reduced,
                                            .peer = peer,
                                            .round = e->round,
                                            .bytes = bytes,
                                            .first_block = part.first,
                                            .n_blocks = part.n,
                                            .run_blocks = part.run,
                                            .of_blocks = e->of_blocks};
    e->status = e->sink(&step, e->context);
}

void ct_steps_send(struct ct_collective_expansion *e, uint32_t to, struct ct_part part)
{
    hand_out(e, true, to, part);
}

void ct_steps_receive(struct ct_collective_expansion *e, uint32_t from, struct ct_part part)
{
    hand_out(e, false, from, part);
}

void ct_steps_end_round(struct ct_collective_expansion *e)
{
    e->round++;
}

void ct_steps_exchange(struct ct_collective_expansion *e, uint32_t to, struct ct_part sent,
                       uint32_t from, struct ct_part received)
{
    ct_steps_receive(e, from, received);
    ct_steps_send(e, to, sent);
    ct_steps_end_round(e);
}

uint32_t ct_power_of_two_below(uint32_t n)
{
    uint32_t power = 1;
    while (power <= n / 2)
        power *= 2;
    return power;
}

struct ct_fold ct_fold_ranks(const struct ct_collective_expansion *e, uint32_t root, uint32_t stays)
{
    uint32_t n_ranks = e->call->n_ranks, n_ids = ct_power_of_two_below(n_ranks);
    uint32_t extra = n_ranks - n_ids, vrank = ct_rank_before(e, root);
    struct ct_fold fold = {
        .n_ranks = n_ranks, .root = root, .n_ids = n_ids, .extra = extra, .stays = stays};
    fold.id = vrank < 2 * extra ? vrank / 2 : vrank - extra;
    fold.idles = vrank < 2 * extra && vrank % 2 != stays;
    return fold;
}

uint32_t ct_fold_rank_of(const struct ct_fold *fold, uint32_t id)
{
    uint32_t vrank = id < fold->extra ? 2 * id + fold->stays : id + fold->extra;
    return (fold->root + vrank) % fold->n_ranks;
}

/* The vrank of the first rank that an id stands for. */
static uint32_t first_vrank(const struct ct_fold *fold, uint32_t id)
{
    return id < fold->extra ? 2 * id : id + fold->extra;
}

struct ct_part ct_fold_part(const struct ct_collective_expansion *e, const struct ct_fold *fold,
                            uint32_t first_id, uint32_t n)
{
    if (!fold->block_a_rank)
        return ct_part_blocks(e, first_id, n);
    uint32_t first = first_vrank(fold, first_id);
    return ct_part_blocks(e, first, first_vrank(fold, first_id + n) - first);
}

/* The rank that the neighbour of an idling rank is, and the other way round. */
static uint32_t find_neighbour(const struct ct_fold *fold)
{
    uint32_t vrank = 2 * fold->id + (fold->idles ? fold->stays : 1 - fold->stays);
    return (fold->root + vrank) % fold->n_ranks;
}

void ct_fold_in(struct ct_collective_expansion *e, const struct ct_fold *fold, struct ct_part part)
{
    if (fold->idles)
        ct_steps_send(e, find_neighbour(fold), part);
    else if (fold->id < fold->extra)
        ct_steps_receive(e, find_neighbour(fold), part);
    ct_steps_end_round(e);
}

void ct_fold_out(struct ct_collective_expansion *e, const struct ct_fold *fold, struct ct_part part)
{
    if (fold->idles)
        ct_steps_receive(e, find_neighbour(fold), part);
    else if (fold->id < fold->extra)
        ct_steps_send(e, find_neighbour(fold), part);
    ct_steps_end_round(e);
}

uint32_t ct_fold_bit(const struct ct_fold *fold, enum ct_order order, uint32_t step)
{
    return order == CT_NEAREST_FIRST ? UINT32_C(1) << step : fold->n_ids >> (step + 1);
}

uint32_t ct_fold_halve(struct ct_collective_expansion *e, const struct ct_fold *fold,
                       enum ct_order order)
{
    uint32_t block = 0, step = 0;
    for (uint32_t n = fold->n_ids / 2; n > 0; n /= 2, step++) {
        uint32_t bit = ct_fold_bit(fold, order, step);
        uint32_t partner = ct_fold_rank_of(fold, fold->id ^ bit);
        uint32_t mine = fold->id & bit ? block + n : block;
        struct ct_part sent = ct_part_reduced(ct_fold_part(e, fold, mine ^ n, n));
        struct ct_part received = ct_part_reduced(ct_fold_part(e, fold, mine, n));
        ct_steps_exchange(e, partner, sent, partner, received);
        block = mine;
    }
    return block;
}

void ct_fold_double(struct ct_collective_expansion *e, const struct ct_fold *fold,
                    enum ct_order order, uint32_t block)
{
    uint32_t step = 0;
    for (uint32_t n = 1; n < fold->n_ids; n *= 2, step++) {
        uint32_t partner = ct_fold_rank_of(fold, fold->id ^ ct_fold_bit(fold, order, step));
        ct_steps_exchange(e, partner, ct_fold_part(e, fold, block, n), partner,
                          ct_fold_part(e, fold, block ^ n, n));
        block &= ~n;
    }
}

void ct_ring_pass(struct ct_collective_expansion *e, uint32_t own, bool is_reduced)
{
    uint32_t n_ranks = e->call->n_ranks;
    for (uint32_t k = 0; k + 1 < n_ranks; k++) {
        struct ct_part sent = ct_part_blocks(e, own + n_ranks - k, 1);
        struct ct_part received = ct_part_blocks(e, own + n_ranks - k - 1, 1);
        sent.is_reduced = received.is_reduced = is_reduced;
        ct_steps_exchange(e, ct_rank_after(e, 1), sent, ct_rank_before(e, 1), received);
    }
}
