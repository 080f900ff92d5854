#include "lp-bridge/collective/steps.h"

#include <inttypes.h>

#define RANKS_MAX (UINT32_C(1) << 31)

enum blocks {
    BLOCKS_NONE, /* none are taken */
    BLOCKS_ALL,  /* known to all ranks: their sum is that of a whole vector */
    BLOCKS_OWN,  /* each rank knows its own */
    BLOCKS_PAIRS /* alltoallv */
};

static const struct {
    bool has_root;
    enum blocks blocks;
} traits[CT_COLLECTIVE_N_COLLECTIVES] = {
    [CT_COLLECTIVE_BCAST] = {.has_root = true},
    [CT_COLLECTIVE_REDUCE] = {.has_root = true},
    [CT_COLLECTIVE_REDUCE_SCATTER] = {.blocks = BLOCKS_ALL},
    [CT_COLLECTIVE_ALLGATHER] = {.blocks = BLOCKS_ALL},
    [CT_COLLECTIVE_ALLTOALL] = {.blocks = BLOCKS_PAIRS},
    [CT_COLLECTIVE_GATHER] = {.has_root = true, .blocks = BLOCKS_OWN},
    [CT_COLLECTIVE_SCATTER] = {.has_root = true, .blocks = BLOCKS_OWN},
};

static enum ct_status check_sizes(const struct ct_collective_call *call, struct ct_error *err)
{
    const char *name = ct_collective_name(call->what);
    enum blocks blocks = traits[call->what].blocks;
    bool has_send = call->send_bytes, has_recv = call->recv_bytes;
    if (blocks == BLOCKS_NONE ? has_send || has_recv
                              : has_send != (has_recv && blocks == BLOCKS_PAIRS))
        return ct_fail(err, CT_EINVAL, "%s: takes %s", name,
                       blocks == BLOCKS_NONE    ? "no blocks of unequal size"
                       : blocks == BLOCKS_PAIRS ? "blocks sent and blocks received, or neither"
                                                : "one block for each rank");
    uint64_t sum = 0;
    bool is_too_much = false;
    if (has_recv && blocks == BLOCKS_ALL)
        for (uint32_t i = 0; i < call->n_ranks; i++)
            is_too_much |= __builtin_add_overflow(sum, call->recv_bytes[i], &sum);
    else if (!has_recv && blocks != BLOCKS_NONE && call->what != CT_COLLECTIVE_REDUCE_SCATTER)
        is_too_much = __builtin_mul_overflow(call->bytes, (uint64_t)call->n_ranks, &sum);
    return is_too_much
               ? ct_fail(err, CT_EINVAL, "%s: its blocks add up to 2^64 bytes or more", name)
               : CT_OK;
}

static enum ct_status check_call(const struct ct_collective_call *call, struct ct_error *err)
{
    if ((unsigned)call->what >= CT_COLLECTIVE_N_COLLECTIVES)
        return ct_fail(err, CT_EINVAL, "collective %d: there are %d", (int)call->what,
                       CT_COLLECTIVE_N_COLLECTIVES);
    const char *name = ct_collective_name(call->what);
    if (call->n_ranks < 1 || call->n_ranks > RANKS_MAX)
        return ct_fail(err, CT_EINVAL, "%s: %" PRIu32 " ranks: 1 to %" PRIu32 " are possible", name,
                       call->n_ranks, RANKS_MAX);
    if (call->rank >= call->n_ranks)
        return ct_fail(err, CT_EINVAL, "%s: rank %" PRIu32 " of %" PRIu32, name, call->rank,
                       call->n_ranks);
    if (traits[call->what].has_root && call->root >= call->n_ranks)
        return ct_fail(err, CT_EINVAL, "%s: root %" PRIu32 " of %" PRIu32 " ranks", name,
                       call->root, call->n_ranks);
    return check_sizes(call, err);
}

enum ct_status ct_collective_expand(const struct ct_collective_rules *rules,
                                    const struct ct_collective_call *call, ct_collective_sink *sink,
                                    void *context, struct ct_error *err)
{
    enum ct_status status = check_call(call, err);
    if (status || call->n_ranks == 1)
        return status;
    const struct ct_collective_algorithm *algorithm = ct_collective_choose(rules, call);
    bool has_work = call->what == CT_COLLECTIVE_BARRIER || ct_call_size(call) > 0;
    struct ct_collective_expansion expansion = {.call = call,
                                                .sink = sink,
                                                .context = context,
                                                .sends_empty = algorithm->sends_empty && has_work};
    algorithm->expand(&expansion);
    return expansion.status;
}
