#include "simulate/joint/interference.h"

#include "simulate/constants.h"

/* What a rank does, operation after operation; who sends to whom is written in
 * bench/compression/compression_plan.h. */
struct rank {
    struct ct_goal_builder *builder;
    const struct ct_config *config;
    uint32_t rank, n_nodes;
    uint32_t last; /* that the next operation follows, by its end or by its start */
    enum ct_goal_wait wait;
    uint32_t round; /* joins the messages of a round; it takes no time */
};

static uint32_t n_steps(const struct ct_config *config)
{
    return config->pattern == CT_PATTERN_RING ? config->partners : 1;
}

/* Partners of a step: this many, the k-th so far away. */
static uint32_t n_partners(const struct ct_config *config, uint32_t n_nodes)
{
    return config->pattern == CT_PATTERN_ALLTOALL ? n_nodes - 1 : 1;
}

static uint32_t distance_between(const struct ct_config *config, uint32_t n_nodes, uint32_t step,
                                 uint32_t k)
{
    switch (config->pattern) {
    case CT_PATTERN_ALLTOALL:
        return k + 1;
    case CT_PATTERN_BISECTION:
        return n_nodes / 2;
    default:
        return step + 1;
    }
}

/* A message to or from a partner; the round waits for its end, the rank for its start only. */
static void add_message(struct rank *rank, enum ct_goal_kind kind, uint32_t peer)
{
    const struct ct_goal_op op = {
        .kind = (uint8_t)kind, .amount = ct_config_message_bytes(rank->config), .peer = peer};
    uint32_t added = ct_goal_add(rank->builder, op);
    ct_goal_require(rank->builder, added, rank->last, rank->wait);
    ct_goal_require(rank->builder, rank->round, added, CT_GOAL_FINISH);
    rank->last = added;
    rank->wait = CT_GOAL_START;
}

static void add_calc(struct rank *rank, double ns)
{
    const struct ct_goal_op op = {.kind = CT_GOAL_CALC, .amount = (uint64_t)(ns + 0.5)};
    uint32_t added = ct_goal_add(rank->builder, op);
    ct_goal_require(rank->builder, added, rank->last, rank->wait);
    rank->last = added;
    rank->wait = CT_GOAL_FINISH;
}

static void add_step(struct rank *rank, uint32_t step)
{
    static const double ns_per_s = 1e9;
    uint32_t n = rank->n_nodes;
    for (uint32_t k = 0; k < n_partners(rank->config, n); k++) {
        uint32_t away = distance_between(rank->config, n, step, k);
        for (uint32_t m = 0; m < rank->config->messages; m++)
            add_message(rank, CT_GOAL_RECV, (rank->rank + away) % n);
    }
    for (uint32_t k = 0; k < n_partners(rank->config, n); k++) {
        uint32_t away = distance_between(rank->config, n, step, k);
        for (uint32_t m = 0; m < rank->config->messages; m++)
            add_message(rank, CT_GOAL_SEND, (rank->rank + n - away) % n);
    }
    add_calc(rank, rank->config->bubble_s * ns_per_s);
}

static void add_rank(struct rank *rank, size_t n_rounds)
{
    const struct ct_goal_op nothing = {.kind = CT_GOAL_CALC};
    ct_goal_begin_rank(rank->builder, rank->rank);
    rank->last = ct_goal_add(rank->builder, nothing);
    rank->wait = CT_GOAL_FINISH;
    for (size_t round = 0; round < n_rounds; round++) {
        rank->round = ct_goal_add(rank->builder, nothing);
        for (uint32_t step = 0; step < n_steps(rank->config); step++)
            add_step(rank, step);
        ct_goal_require(rank->builder, rank->round, rank->last, CT_GOAL_FINISH);
        rank->last = rank->round;
    }
}

static enum ct_status check_loads(const struct ct_config *config, uint32_t n_nodes, size_t n_rounds,
                                  struct ct_error *err)
{
    if (config->burst.given)
        return ct_fail(err, CT_EUNSUPPORTED, "schedule of a load: bursts");
    if (config->pattern == CT_PATTERN_INCAST || config->pattern == CT_PATTERN_BCAST)
        return ct_fail(err, CT_EUNSUPPORTED, "schedule of a load: ranks that only send");
    if (ct_config_slots(config) > 1)
        return ct_fail(err, CT_EUNSUPPORTED, "schedule of a load: %u ranks per node",
                       ct_config_slots(config));
    if (n_nodes < 2 || n_steps(config) < 1 || n_steps(config) >= n_nodes)
        return ct_fail(err, CT_EUNSUPPORTED, "schedule of a load: %u partners on %u nodes",
                       n_steps(config), n_nodes);
    double most_messages = ct_simulate_constant(CT_SIMULATE_CONFIG_MESSAGES);
    double n = (double)n_rounds * n_nodes * n_steps(config) * n_partners(config, n_nodes) *
               config->messages;
    if (!(config->bubble_s >= 0) || n > most_messages)
        return ct_fail(err, CT_EUNSUPPORTED, "schedule of a load: %g messages, %g at most", n,
                       most_messages);
    return CT_OK;
}

enum ct_status ct_interference_schedule(const struct ct_config *config, uint32_t n_nodes,
                                        size_t n_rounds, struct ct_goal *goal_p,
                                        struct ct_error *err)
{
    CT_TRY(check_loads(config, n_nodes, n_rounds, err));
    struct ct_goal_builder *builder = ct_goal_builder_new(n_nodes);
    if (!builder)
        return ct_no_memory(err, "schedule of a load");
    for (uint32_t r = 0; r < n_nodes; r++) {
        struct rank rank = {.builder = builder, .config = config, .rank = r, .n_nodes = n_nodes};
        add_rank(&rank, n_rounds);
    }
    return ct_goal_build(builder, goal_p, err);
}
