#include "simulated_collective.h"

#include "core/array.h"
#include "unit.h"

#include <stdlib.h>
#include <string.h>

typedef uint64_t contributions; /* bit r: that of rank r */

struct message {
    const struct ct_collective_step *step; /* of the sender; NULL: received */
    contributions blocks[SIMULATED_BLOCKS_MAX];
};

/* What a rank knows, and how far it is. */
struct rank_state {
    contributions holds[SIMULATED_BLOCKS_MAX];
    contributions result[SIMULATED_BLOCKS_MAX]; /* scans: of lower ranks; alltoall: arrived */
    size_t at, end;                             /* steps of the round under way; at == end: none */
    size_t n_open;                              /* of them: not matched yet */
    bool *matched;                              /* a flag for each step of the rank */
    size_t next;                                /* first step of the next round */
};

struct world {
    const struct simulated_call *call;
    uint32_t of_blocks;
    struct rank_state ranks[SIMULATED_RANKS_MAX];
    struct message *sent[SIMULATED_RANKS_MAX]; /* an element for each step of the rank */
};

static enum ct_status collect(const struct ct_collective_step *step, void *context)
{
    struct rank_steps *rank = context;
    if (!CT_ARRAY_RESERVE(rank->steps, rank->room, rank->n + 1) || !rank->steps)
        fail_msg("no room for %zu steps", (size_t)rank->n + 1);
    const struct ct_collective_step *last = rank->n ? &rank->steps[rank->n - 1] : NULL;
    if (last) {
        assert_true(step->round >= last->round);
        if (step->round == last->round)
            assert_true(!last->is_send || step->is_send);
    }
    rank->steps[rank->n++] = *step;
    return CT_OK;
}

void simulated_call_expand(struct simulated_call *call, const struct ct_collective_rules *rules)
{
    for (uint32_t rank = 0; rank < call->n_ranks; rank++) {
        uint64_t received[SIMULATED_RANKS_MAX];
        struct ct_collective_call own = {.what = call->what,
                                         .n_ranks = call->n_ranks,
                                         .rank = rank,
                                         .root = call->root,
                                         .bytes = call->bytes,
                                         .recv_bytes = call->block_bytes};
        if (call->pair_bytes) {
            for (uint32_t from = 0; from < call->n_ranks; from++)
                received[from] = call->pair_bytes[from * call->n_ranks + rank];
            own.send_bytes = call->pair_bytes + rank * call->n_ranks;
            own.recv_bytes = received;
        }
        struct ct_error err = {0};
        if (ct_collective_expand(rules, &own, collect, &call->ranks[rank], &err))
            fail_msg("%s", err.text);
        for (size_t i = 0; i < call->ranks[rank].n; i++) {
            assert_true(call->ranks[rank].steps[i].peer < call->n_ranks);
            if (call->what != CT_COLLECTIVE_ALLTOALL) /* "fours": to the rank itself, too */
                assert_int_not_equal(call->ranks[rank].steps[i].peer, rank);
        }
    }
}

void simulated_call_free(struct simulated_call *call)
{
    for (uint32_t rank = 0; rank < call->n_ranks; rank++)
        free(call->ranks[rank].steps);
    memset(call->ranks, 0, sizeof call->ranks);
}

/* Block of the i-th of a step's blocks. */
static uint32_t block_of(const struct ct_collective_step *step, uint32_t i)
{
    uint32_t offset = i % step->run_blocks + i / step->run_blocks * 2 * step->run_blocks;
    return (step->first_block + offset) % step->of_blocks;
}

/* Bytes of a block that the rank from has sent; alltoall: of distance `block`. */
static uint64_t block_bytes(const struct world *world, uint32_t from, uint32_t block)
{
    const struct simulated_call *call = world->call;
    switch (call->what) {
    case CT_COLLECTIVE_BARRIER:
        return 0;
    case CT_COLLECTIVE_ALLTOALL:
        return call->pair_bytes
                   ? call->pair_bytes[from * call->n_ranks + (from + block) % call->n_ranks]
                   : call->bytes;
    case CT_COLLECTIVE_ALLGATHER:
    case CT_COLLECTIVE_GATHER:
    case CT_COLLECTIVE_SCATTER:
        return call->block_bytes ? call->block_bytes[block] : call->bytes;
    default:
        if (call->block_bytes)
            return call->block_bytes[block];
        return call->bytes < block
                   ? 0
                   : (call->bytes - block + world->of_blocks - 1) / world->of_blocks;
    }
}

static bool has_own_data(enum ct_collective what)
{
    return what != CT_COLLECTIVE_BCAST && what != CT_COLLECTIVE_SCATTER;
}

static void begin(struct world *world)
{
    const struct simulated_call *call = world->call;
    for (uint32_t rank = 0; rank < call->n_ranks; rank++) {
        struct rank_state *state = &world->ranks[rank];
        for (uint32_t block = 0; block < SIMULATED_BLOCKS_MAX; block++) {
            bool is_of_rank =
                call->what != CT_COLLECTIVE_ALLGATHER && call->what != CT_COLLECTIVE_GATHER;
            bool holds =
                has_own_data(call->what) ? is_of_rank || block == rank : rank == call->root;
            state->holds[block] = holds ? UINT64_C(1) << (has_own_data(call->what) ? rank : 0) : 0;
        }
        state->result[0] = call->what == CT_COLLECTIVE_SCAN ? state->holds[0] : 0;
        state->matched = calloc(call->ranks[rank].n + 1, sizeof *state->matched);
        world->sent[rank] = calloc(call->ranks[rank].n + 1, sizeof *world->sent[rank]);
        assert_non_null(state->matched);
        assert_non_null(world->sent[rank]);
    }
}

/* A message leaves with what its sender holds now. */
static const char *leave(struct world *world, uint32_t rank, size_t i)
{
    const struct ct_collective_step *step = &world->call->ranks[rank].steps[i];
    struct rank_state *state = &world->ranks[rank];
    struct message *message = &world->sent[rank][i];
    uint64_t bytes = 0;
    message->step = step;
    if (world->call->what == CT_COLLECTIVE_BARRIER) {
        message->blocks[0] = state->holds[0];
        return step->bytes ? "a barrier sends data" : NULL;
    }
    if (step->of_blocks != world->of_blocks || step->n_blocks > step->of_blocks ||
        step->n_blocks == 0)
        return "the data is cut in different ways";
    for (uint32_t k = 0; k < step->n_blocks; k++) {
        uint32_t block = block_of(step, k);
        uint64_t size = block_bytes(world, rank, block);
        bytes += size;
        if (size > 0 && state->holds[block] == 0)
            return "a rank sends what it does not have";
        message->blocks[k] = state->holds[block];
        if (world->call->what == CT_COLLECTIVE_ALLTOALL)
            state->holds[block] = 0;
    }
    return bytes == step->bytes ? NULL : "a message is not as long as what it carries";
}

static const char *store(struct world *world, uint32_t rank, uint32_t block,
                         const struct ct_collective_step *step, contributions carried)
{
    struct rank_state *state = &world->ranks[rank];
    switch (world->call->what) {
    case CT_COLLECTIVE_BARRIER:
        state->holds[block] |= carried;
        return NULL;
    case CT_COLLECTIVE_ALLTOALL:
        /* For a block that is where it belongs, the distance is that from its source. */
        if (carried == UINT64_C(1) << (rank + world->call->n_ranks - block) % world->call->n_ranks)
            state->result[block] = carried;
        else
            state->holds[block] = carried;
        return NULL;
    case CT_COLLECTIVE_SCAN:
    case CT_COLLECTIVE_EXSCAN:
        if (step->peer < rank && state->result[block] & carried)
            return "a contribution counts twice in a scan";
        if (step->peer < rank)
            state->result[block] |= carried;
        break;
    default:
        break;
    }
    if (step->is_reduced && state->holds[block] & carried)
        return "a contribution counts twice";
    state->holds[block] = carried | (step->is_reduced ? state->holds[block] : 0);
    return NULL;
}

static const char *arrive(struct world *world, uint32_t rank, const struct ct_collective_step *step,
                          const struct message *message)
{
    const struct ct_collective_step *sent = message->step;
    if (sent->bytes != step->bytes)
        return "a message is not as long as its receiver expects";
    if (sent->first_block != step->first_block || sent->n_blocks != step->n_blocks ||
        sent->run_blocks != step->run_blocks || sent->of_blocks != step->of_blocks ||
        sent->is_reduced != step->is_reduced)
        return "a message is not what its receiver expects";
    const char *wrong = NULL;
    uint32_t n_blocks = world->call->what == CT_COLLECTIVE_BARRIER ? 1 : step->n_blocks;
    for (uint32_t k = 0; k < n_blocks && !wrong; k++)
        wrong =
            store(world, rank, step->n_blocks ? block_of(step, k) : 0, step, message->blocks[k]);
    return wrong;
}

/* The first message from a rank to another that is under way: its place, or the number of steps. */
static size_t first_on_the_way(const struct world *world, uint32_t from, uint32_t to)
{
    size_t n = world->call->ranks[from].n, i = 0;
    while (i < n && !(world->sent[from][i].step && world->sent[from][i].step->peer == to))
        i++;
    return i;
}

static const char *receive(struct world *world, uint32_t rank, bool *moved_p)
{
    struct rank_state *state = &world->ranks[rank];
    for (size_t i = state->at; i < state->end; i++) {
        const struct ct_collective_step *step = &world->call->ranks[rank].steps[i];
        if (step->is_send || state->matched[i])
            continue;
        size_t k = first_on_the_way(world, step->peer, rank);
        if (k == world->call->ranks[step->peer].n)
            continue;
        const char *wrong = arrive(world, rank, step, &world->sent[step->peer][k]);
        if (wrong)
            return wrong;
        world->sent[step->peer][k].step = NULL;
        state->matched[i] = world->ranks[step->peer].matched[k] = true;
        state->n_open--;
        world->ranks[step->peer].n_open--;
        *moved_p = true;
    }
    return NULL;
}

static const char *begin_round(struct world *world, uint32_t rank)
{
    const struct rank_steps *steps = &world->call->ranks[rank];
    struct rank_state *state = &world->ranks[rank];
    state->at = state->end = state->next;
    while (state->end < steps->n && steps->steps[state->end].round == steps->steps[state->at].round)
        state->end++;
    state->next = state->end;
    state->n_open = state->end - state->at;
    for (size_t i = state->at; i < state->end; i++)
        if (steps->steps[i].is_send) {
            const char *wrong = leave(world, rank, i);
            if (wrong)
                return wrong;
        }
    return NULL;
}

/* Whether what a rank has in the end is what MPI promises, or nothing is promised. */
static bool is_right(const struct world *world, uint32_t rank, uint32_t block)
{
    const struct simulated_call *call = world->call;
    const struct rank_state *state = &world->ranks[rank];
    contributions has = state->holds[block], all = UINT64_MAX >> (64 - call->n_ranks);
    contributions own = UINT64_C(1) << rank, lower = own - 1;
    uint32_t from = (rank + call->n_ranks - block) % call->n_ranks;
    switch (call->what) {
    case CT_COLLECTIVE_BARRIER:
    case CT_COLLECTIVE_ALLREDUCE:
        return has == all;
    case CT_COLLECTIVE_REDUCE:
        return has == all || rank != call->root;
    case CT_COLLECTIVE_REDUCE_SCATTER:
        return has == all || rank != block;
    case CT_COLLECTIVE_BCAST:
        return has == 1;
    case CT_COLLECTIVE_SCATTER:
        return has == 1 || rank != block;
    case CT_COLLECTIVE_ALLGATHER:
        return has == UINT64_C(1) << block;
    case CT_COLLECTIVE_GATHER:
        return has == UINT64_C(1) << block || rank != call->root;
    case CT_COLLECTIVE_SCAN:
        return state->result[block] == (own | lower);
    case CT_COLLECTIVE_EXSCAN:
        return state->result[block] == lower;
    case CT_COLLECTIVE_ALLTOALL:
        return state->result[block] == UINT64_C(1) << from || from == rank ||
               block_bytes(world, from, block) == 0;
    case CT_COLLECTIVE_N_COLLECTIVES:
        break;
    }
    return false;
}

static const char *check_end(const struct world *world)
{
    bool has_data = world->call->what != CT_COLLECTIVE_BARRIER;
    bool has_blocks = has_data && world->call->what != CT_COLLECTIVE_ALLTOALL;
    for (uint32_t rank = 0; rank < world->call->n_ranks; rank++)
        for (uint32_t block = 0; block < (has_data ? world->of_blocks : 1); block++)
            if (!(has_blocks && block_bytes(world, rank, block) == 0) &&
                !is_right(world, rank, block))
                return "a rank does not end with what it should have";
    return NULL;
}

static const char *carry_out(struct world *world)
{
    const struct simulated_call *call = world->call;
    bool moved = true;
    while (moved) {
        moved = false;
        for (uint32_t rank = 0; rank < call->n_ranks; rank++) {
            struct rank_state *state = &world->ranks[rank];
            const char *wrong = NULL;
            if (state->n_open == 0 && state->next < call->ranks[rank].n) {
                wrong = begin_round(world, rank);
                moved = true;
            }
            if (!wrong)
                wrong = receive(world, rank, &moved);
            if (wrong)
                return wrong;
        }
    }
    for (uint32_t rank = 0; rank < call->n_ranks; rank++)
        if (world->ranks[rank].n_open > 0)
            return "ranks wait for messages for ever";
    return check_end(world);
}

const char *simulated_call_run(const struct simulated_call *call)
{
    struct world *world = calloc(1, sizeof *world);
    assert_non_null(world);
    world->call = call;
    world->of_blocks = call->n_ranks;
    for (uint32_t rank = 0; rank < call->n_ranks; rank++)
        if (call->ranks[rank].n > 0)
            world->of_blocks = call->ranks[rank].steps[0].of_blocks;
    assert_true(world->of_blocks <= SIMULATED_BLOCKS_MAX);
    begin(world);
    const char *wrong = carry_out(world);
    for (uint32_t rank = 0; rank < call->n_ranks; rank++) {
        free(world->ranks[rank].matched);
        free(world->sent[rank]);
    }
    free(world);
    return wrong;
}
