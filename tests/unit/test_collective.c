/* Collectives: the data arrives, for every algorithm, number of ranks and root; and at what cost.
 */
#include "simulated_collective.h"
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RANKS = 33 };

static const struct ct_collective_algorithm *rows(size_t *n_p)
{
    return ct_collective_algorithms(n_p);
}

static struct ct_collective_rules only(const struct ct_collective_algorithm *row)
{
    struct ct_collective_rules rules;
    ct_collective_rules_default(CT_COLLECTIVE_OF_MPICH, &rules);
    assert_int_equal(ct_collective_rules_set(&rules, row->what, row->name, NULL), CT_OK);
    return rules;
}

static bool is_rooted(enum ct_collective what)
{
    return what == CT_COLLECTIVE_BCAST || what == CT_COLLECTIVE_REDUCE ||
           what == CT_COLLECTIVE_GATHER || what == CT_COLLECTIVE_SCATTER;
}

static bool has_blocks(enum ct_collective what)
{
    return what == CT_COLLECTIVE_ALLGATHER || what == CT_COLLECTIVE_REDUCE_SCATTER ||
           what == CT_COLLECTIVE_GATHER || what == CT_COLLECTIVE_SCATTER;
}

static void assert_works(struct simulated_call *call, const struct ct_collective_algorithm *row)
{
    const struct ct_collective_rules rules = only(row);
    simulated_call_expand(call, &rules);
    const char *wrong = simulated_call_run(call);
    if (wrong)
        fail_msg("%s by %s, %u ranks, root %u, %llu bytes: %s", ct_collective_name(row->what),
                 row->name, call->n_ranks, call->root, (unsigned long long)call->bytes, wrong);
    simulated_call_free(call);
}

/* None, fewer than ranks, not divisible by them, several chunks of the pipeline. */
static const uint64_t sizes[] = {0, 1, 7, 1000, 5 * 64 * 1024 + 3};

static void slow_every_algorithm_delivers(void **state)
{
    (void)state;
    size_t n;
    const struct ct_collective_algorithm *row = rows(&n);
    for (const struct ct_collective_algorithm *end = row + n; row < end; row++)
        for (uint32_t n_ranks = 1; n_ranks <= RANKS; n_ranks++)
            for (uint32_t root = 0; root < (is_rooted(row->what) ? n_ranks : 1); root++)
                for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
                    struct simulated_call call = {
                        .what = row->what, .n_ranks = n_ranks, .root = root, .bytes = sizes[i]};
                    assert_works(&call, row);
                }
}

/* Among the blocks are empty ones. */
static void slow_unequal_blocks_arrive(void **state)
{
    (void)state;
    size_t n;
    const struct ct_collective_algorithm *row = rows(&n);
    uint64_t blocks[RANKS];
    for (uint32_t i = 0; i < RANKS; i++)
        blocks[i] = i * i * 7 % 5 * 100 + i % 3;
    for (const struct ct_collective_algorithm *end = row + n; row < end; row++)
        for (uint32_t n_ranks = 1; n_ranks <= RANKS && has_blocks(row->what); n_ranks++)
            for (uint32_t root = 0; root < (is_rooted(row->what) ? n_ranks : 1); root++) {
                struct simulated_call call = {
                    .what = row->what, .n_ranks = n_ranks, .root = root, .block_bytes = blocks};
                assert_works(&call, row);
            }
}

static void alltoallv_arrives(void **state)
{
    (void)state;
    size_t n;
    const struct ct_collective_algorithm *row = rows(&n);
    static uint64_t pairs[RANKS * RANKS];
    for (uint32_t i = 0; i < RANKS * RANKS; i++)
        pairs[i] = i % 7 * i;
    for (const struct ct_collective_algorithm *end = row + n; row < end; row++)
        for (uint32_t n_ranks = 1; n_ranks <= RANKS; n_ranks++)
            if (row->what == CT_COLLECTIVE_ALLTOALL) {
                struct simulated_call call = {
                    .what = row->what, .n_ranks = n_ranks, .pair_bytes = pairs};
                assert_works(&call, row);
            }
}

/* Sum of the ones in the numbers below n: edges that blocks 0..n-1 cross in a binomial tree. */
static uint64_t ones_below(uint32_t n)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < n; i++)
        sum += (uint64_t)__builtin_popcount(i);
    return sum;
}

static uint32_t log2_above(uint32_t n)
{
    uint32_t log = 0;
    while (UINT32_C(1) << log < n)
        log++;
    return log;
}

/* The sequence of its rounds that a rank takes part in, and what all ranks send. */
static void count(const struct simulated_call *call, uint64_t *rounds_p, uint64_t *bytes_p,
                  uint64_t *messages_p)
{
    *rounds_p = *bytes_p = *messages_p = 0;
    for (uint32_t rank = 0; rank < call->n_ranks; rank++) {
        const struct rank_steps *steps = &call->ranks[rank];
        uint64_t rounds = 0;
        for (size_t i = 0; i < steps->n; i++) {
            rounds += i == 0 || steps->steps[i].round != steps->steps[i - 1].round;
            *bytes_p += steps->steps[i].is_send ? steps->steps[i].bytes : 0;
            *messages_p += steps->steps[i].is_send;
        }
        *rounds_p = rounds > *rounds_p ? rounds : *rounds_p;
    }
}

/* What an algorithm costs: rounds of the rank that has most; of all ranks the messages, and the
 * bytes in units of B, the P-th part of a vector or a block. */
struct cost {
    uint64_t rounds, messages, units;
};

/* P ranks; E of them stay after folding and X = P - E are folded in; l = log2 E. */
static struct cost costs_of(const char *algorithm, uint64_t P, uint64_t E, uint64_t l)
{
    uint64_t X = P - E, L = log2_above((uint32_t)P), folds = X > 0 ? 2 : 0, ones;
    ones = ones_below((uint32_t)P);
    const struct {
        const char *name;
        struct cost cost;
    } closed_forms[] = {
        {"barrier dissemination", {L, P * L, 0}},
        {"bcast binomial", {L, P - 1, (P - 1) * P}},
        {"bcast scatter-ring", {L + P - 1, P - 1 + P * (P - 1), ones + P * (P - 1)}},
        {"reduce binomial", {L, P - 1, (P - 1) * P}},
        {"allreduce recursive-doubling", {l + folds, E * l + 2 * X, (E * l + 2 * X) * P}},
        {"allreduce ring", {2 * (P - 1), 2 * P * (P - 1), 2 * P * (P - 1)}},
        {"allreduce rabenseifner", {2 * l + folds, 2 * E * l + 2 * X, 2 * (E - 1) * P + 2 * X * P}},
        {"reduce-scatter pairwise", {P - 1, P * (P - 1), P * (P - 1)}},
        {"allgather ring", {P - 1, P * (P - 1), P * (P - 1)}},
        {"allgather bruck", {L, P * L, P * (P - 1)}},
        {"alltoall pairwise", {P - 1, P * (P - 1), P * (P - 1)}},
        {"alltoall bruck", {L, P * L, P * ones}},
        {"alltoall linear", {(P + 31) / 32, P * (P - 1), P * (P - 1)}},
        {"alltoall fours", {P > 1 ? (P + 3) / 4 : 0, P > 1 ? P * P : 0, P > 1 ? P * P : 0}},
        {"alltoall ring", {P - 1, P * (P - 1), P * (P - 1)}},
        {"gather linear", {P > 1, P - 1, P - 1}},
        {"gather binomial", {L, P - 1, ones}},
        {"scatter linear", {P > 1, P - 1, P - 1}},
        {"scatter binomial", {L, P - 1, ones}},
        {"scan linear", {P > 2 ? 2 : P - 1, P - 1, (P - 1) * P}},
        {"exscan linear", {P > 2 ? 2 : P - 1, P - 1, (P - 1) * P}},
    };
    /* Those that are only as simple if nothing is folded in. */
    const struct {
        const char *name;
        struct cost cost;
    } unfolded[] = {
        {"bcast scatter-allgather", {2 * l, P - 1 + P * l, ones + P * (P - 1)}},
        {"reduce reduce-scatter-gather", {2 * l, P * l + P - 1, P * (P - 1) + ones}},
        {"reduce-scatter recursive-halving", {l, P * l, P * (P - 1)}},
        {"allgather recursive-doubling", {l, P * l, P * (P - 1)}},
        {"scan recursive-doubling", {l, P * l, P * l * P}},
        {"exscan recursive-doubling", {l, P * l, P * l * P}},
    };
    for (size_t i = 0; i < sizeof closed_forms / sizeof *closed_forms; i++)
        if (strcmp(closed_forms[i].name, algorithm) == 0)
            return closed_forms[i].cost;
    for (size_t i = 0; i < sizeof unfolded / sizeof *unfolded; i++)
        if (strcmp(unfolded[i].name, algorithm) == 0 && X == 0)
            return unfolded[i].cost;
    return (struct cost){0};
}

static void costs_have_their_closed_forms(void **state)
{
    (void)state;
    size_t n, n_checked = 0;
    const struct ct_collective_algorithm *row = rows(&n);
    for (const struct ct_collective_algorithm *end = row + n; row < end; row++)
        for (uint32_t P = 1; P <= RANKS; P++) {
            char name[64];
            snprintf(name, sizeof name, "%s %s", ct_collective_name(row->what), row->name);
            uint32_t l = log2_above(P + 1) - 1;
            struct cost expected = costs_of(name, P, UINT64_C(1) << l, l);
            if (expected.messages == 0)
                continue;
            /* A vector is cut without remainder, whether into P or into 2^l parts. */
            bool is_vector = row->what == CT_COLLECTIVE_REDUCE_SCATTER ||
                             (!has_blocks(row->what) && row->what != CT_COLLECTIVE_ALLTOALL);
            struct simulated_call call = {
                .what = row->what, .n_ranks = P, .bytes = 64 * (is_vector ? P : 1)};
            const struct ct_collective_rules rules = only(row);
            simulated_call_expand(&call, &rules);
            struct cost got;
            count(&call, &got.rounds, &got.units, &got.messages);
            if (got.rounds != expected.rounds || got.messages != expected.messages ||
                got.units != 64 * expected.units)
                fail_msg("%s, %u ranks: %llu rounds, %llu messages, %llu bytes", name, P,
                         (unsigned long long)got.rounds, (unsigned long long)got.messages,
                         (unsigned long long)got.units);
            n_checked++;
            simulated_call_free(&call);
        }
    assert_true(n_checked > 19 * 30);
}

static void pipeline_has_its_length(void **state)
{
    (void)state;
    struct ct_collective_rules rules;
    ct_collective_rules_default(CT_COLLECTIVE_OF_MPICH, &rules);
    assert_int_equal(ct_collective_rules_set(&rules, CT_COLLECTIVE_BCAST, "pipelined-ring", NULL),
                     CT_OK);
    struct simulated_call call = {
        .what = CT_COLLECTIVE_BCAST, .n_ranks = 7, .root = 3, .bytes = 10 * 65536 + 1};
    simulated_call_expand(&call, &rules);
    uint64_t rounds, bytes, messages;
    count(&call, &rounds, &bytes, &messages);
    assert_int_equal(rounds, 12);
    assert_int_equal(messages, 6 * 11);
    assert_int_equal(bytes, 6 * call.bytes);
    for (size_t i = 0; i < call.ranks[3].n; i++)
        assert_true(call.ranks[3].steps[i].bytes <= 65536);
    simulated_call_free(&call);
}

/* Damage to one end of a message; from DROP_MESSAGE on to both, so that only the data can tell. */
enum damage { DROP_SEND, DROP_RECEIVE, WRONG_PEER, DROP_MESSAGE, WRONG_BLOCK, NOT_REDUCED };

static void drop(struct rank_steps *steps, size_t i)
{
    memmove(&steps->steps[i], &steps->steps[i + 1], (steps->n - i - 1) * sizeof *steps->steps);
    steps->n--;
}

/* The receive that a send meets: as many of the same pair are before it. */
static size_t receive_of(const struct simulated_call *call, uint32_t rank, size_t send)
{
    uint32_t to = call->ranks[rank].steps[send].peer;
    size_t before = 0, i = 0;
    for (size_t k = 0; k < send; k++)
        before += call->ranks[rank].steps[k].is_send && call->ranks[rank].steps[k].peer == to;
    for (;; i++) {
        assert_true(i < call->ranks[to].n);
        if (!call->ranks[to].steps[i].is_send && call->ranks[to].steps[i].peer == rank &&
            before-- == 0)
            return i;
    }
}

/* Returns false if the damage does not apply. */
static bool do_damage(struct simulated_call *call, uint32_t rank, size_t i, enum damage damage)
{
    struct ct_collective_step *sent = &call->ranks[rank].steps[i];
    struct rank_steps *to = &call->ranks[sent->peer];
    size_t k = receive_of(call, rank, i);
    switch (damage) {
    case DROP_SEND:
        drop(&call->ranks[rank], i);
        return true;
    case DROP_RECEIVE:
        drop(to, k);
        return true;
    case WRONG_PEER:
        sent->peer = (sent->peer + 1) % call->n_ranks;
        if (sent->peer == rank)
            sent->peer = (sent->peer + 1) % call->n_ranks;
        return true;
    case DROP_MESSAGE:
        drop(&call->ranks[rank], i);
        drop(to, k);
        return true;
    case WRONG_BLOCK:
        if (sent->n_blocks == sent->of_blocks)
            return false;
        sent->first_block = (sent->first_block + 1) % sent->of_blocks;
        to->steps[k].first_block = sent->first_block;
        return true;
    case NOT_REDUCED:
        /* What a scan returns is kept apart from what it passes on. */
        if (!sent->is_reduced || call->what == CT_COLLECTIVE_SCAN ||
            call->what == CT_COLLECTIVE_EXSCAN)
            return false;
        sent->is_reduced = to->steps[k].is_reduced = false;
        return true;
    }
    return false;
}

/* Algorithms that send what the receiver has or does not need: a rank of the binomial scatter holds
 * blocks that are brought again; after folding, all blocks are sent to who gave one away;
 * higher ranks give lower ones what only some of them use. */
static bool is_redundant(const struct ct_collective_algorithm *row)
{
    if (row->what == CT_COLLECTIVE_BCAST)
        return strcmp(row->name, "scatter-ring") == 0 ||
               strcmp(row->name, "scatter-allgather") == 0;
    return (row->what == CT_COLLECTIVE_SCAN || row->what == CT_COLLECTIVE_EXSCAN) &&
           strcmp(row->name, "recursive-doubling") == 0;
}

static void slow_damage_is_caught(void **state)
{
    (void)state;
    size_t n, n_caught = 0;
    const struct ct_collective_algorithm *row = rows(&n);
    for (const struct ct_collective_algorithm *end = row + n; row < end; row++) {
        const struct ct_collective_rules rules = only(row);
        for (enum damage damage = DROP_SEND; damage <= NOT_REDUCED; damage++)
            for (uint32_t rank = 0; rank < 8; rank++)
                for (size_t i = 0;; i++) {
                    struct simulated_call call = {
                        .what = row->what, .n_ranks = 8, .root = 2, .bytes = 8 * 65536};
                    simulated_call_expand(&call, &rules);
                    bool is_over = i == call.ranks[rank].n;
                    bool is_send = !is_over && call.ranks[rank].steps[i].is_send;
                    bool is_copy = is_send && call.ranks[rank].steps[i].peer == rank;
                    if (is_send && !(damage >= DROP_MESSAGE && (is_redundant(row) || is_copy)) &&
                        do_damage(&call, rank, i, damage)) {
                        if (!simulated_call_run(&call))
                            fail_msg("%s by %s: damage %d to step %zu of rank %u is not noticed",
                                     ct_collective_name(row->what), row->name, damage, i, rank);
                        n_caught++;
                    }
                    simulated_call_free(&call);
                    if (is_over)
                        break;
                }
    }
    assert_true(n_caught > 1000);
}

/* Only where MPICH sends them, and nowhere if the call has no data. */
static void empty_messages_are_sent_as_by_mpich(void **state)
{
    (void)state;
    static const uint64_t blocks[] = {0, 8, 0, 8, 0};
    size_t n;
    const struct ct_collective_algorithm *row = rows(&n);
    for (const struct ct_collective_algorithm *end = row + n; row < end; row++) {
        if (!has_blocks(row->what))
            continue;
        size_t n_empty = 0;
        struct simulated_call call = {.what = row->what, .n_ranks = 5, .block_bytes = blocks};
        const struct ct_collective_rules rules = only(row);
        simulated_call_expand(&call, &rules);
        for (uint32_t rank = 0; rank < call.n_ranks; rank++)
            for (size_t i = 0; i < call.ranks[rank].n; i++)
                n_empty += call.ranks[rank].steps[i].bytes == 0;
        assert_true((n_empty > 0) == row->sends_empty);
        simulated_call_free(&call);

        static const uint64_t nothing[5];
        call.block_bytes = nothing;
        simulated_call_expand(&call, &rules);
        for (uint32_t rank = 0; rank < call.n_ranks; rank++)
            assert_int_equal(call.ranks[rank].n, 0);
        simulated_call_free(&call);
    }
}

static const struct {
    enum ct_collective what;
    uint64_t bytes;
    uint32_t n_ranks;
    const char *algorithm;
} choices[] = {
    {CT_COLLECTIVE_BARRIER, 0, 9, "dissemination"},
    {CT_COLLECTIVE_BCAST, 1 << 20, 7, "binomial"},
    {CT_COLLECTIVE_BCAST, 12288, 8, "binomial"},
    {CT_COLLECTIVE_BCAST, 12289, 8, "scatter-allgather"},
    {CT_COLLECTIVE_BCAST, 12289, 9, "scatter-ring"},
    {CT_COLLECTIVE_BCAST, 524288, 16, "scatter-allgather"},
    {CT_COLLECTIVE_BCAST, 524289, 16, "scatter-ring"},
    {CT_COLLECTIVE_REDUCE, 2048, 8, "binomial"},
    {CT_COLLECTIVE_REDUCE, 2049, 8, "reduce-scatter-gather"},
    {CT_COLLECTIVE_REDUCE, 4095, 512, "binomial"},
    {CT_COLLECTIVE_REDUCE, 4096, 1023, "reduce-scatter-gather"},
    {CT_COLLECTIVE_ALLREDUCE, 8, 1, "recursive-doubling"},
    {CT_COLLECTIVE_ALLREDUCE, 8, 2, "recursive-doubling"},
    {CT_COLLECTIVE_ALLREDUCE, 16, 2, "rabenseifner"},
    {CT_COLLECTIVE_ALLREDUCE, 31, 6, "recursive-doubling"},
    {CT_COLLECTIVE_ALLREDUCE, 32, 6, "rabenseifner"},
    {CT_COLLECTIVE_REDUCE_SCATTER, 524287, 5, "recursive-halving"},
    {CT_COLLECTIVE_REDUCE_SCATTER, 524288, 5, "pairwise"},
    {CT_COLLECTIVE_ALLGATHER, 8191, 10, "bruck"},
    {CT_COLLECTIVE_ALLGATHER, 8192, 10, "ring"},
    {CT_COLLECTIVE_ALLGATHER, 1, 8, "recursive-doubling"},
    {CT_COLLECTIVE_ALLGATHER, 65535, 8, "recursive-doubling"},
    {CT_COLLECTIVE_ALLGATHER, 65536, 8, "ring"},
    {CT_COLLECTIVE_ALLTOALL, 256, 8, "linear"},
    {CT_COLLECTIVE_ALLTOALL, 256, 9, "bruck"},
    {CT_COLLECTIVE_ALLTOALL, 257, 9, "linear"},
    {CT_COLLECTIVE_ALLTOALL, 32768, 8, "linear"},
    {CT_COLLECTIVE_ALLTOALL, 32769, 8, "pairwise"},
    {CT_COLLECTIVE_GATHER, 100, 4, "binomial"},
    {CT_COLLECTIVE_SCATTER, 100, 4, "binomial"},
    {CT_COLLECTIVE_SCAN, 100, 4, "recursive-doubling"},
    {CT_COLLECTIVE_EXSCAN, 100, 4, "recursive-doubling"},
};

static void defaults_choose_as_mpich(void **state)
{
    (void)state;
    struct ct_collective_rules rules;
    ct_collective_rules_default(CT_COLLECTIVE_OF_MPICH, &rules);
    for (size_t i = 0; i < CT_COLLECTIVE_N_COLLECTIVES; i++)
        assert_int_not_equal(rules.n[i], 0);
    for (size_t i = 0; i < sizeof choices / sizeof *choices; i++) {
        struct ct_collective_call call = {
            .what = choices[i].what, .n_ranks = choices[i].n_ranks, .bytes = choices[i].bytes};
        assert_string_equal(ct_collective_choose(&rules, &call)->name, choices[i].algorithm);
    }
}

/* As SimGrid 3.32 does with smpi/coll-selector:mpich: smpi_mpich_selector.cpp. */
static void those_of_smpi_choose_as_it(void **state)
{
    static const struct {
        enum ct_collective what;
        uint64_t bytes;
        uint32_t n_ranks;
        const char *algorithm;
    } by_smpi[] = {
        {CT_COLLECTIVE_BARRIER, 0, 9, "dissemination"},
        {CT_COLLECTIVE_BCAST, 1 << 20, 8, "binomial"},
        {CT_COLLECTIVE_REDUCE, 2048, 8, "reduce-scatter-gather"},
        {CT_COLLECTIVE_ALLREDUCE, 1 << 20, 8, "recursive-doubling"},
        {CT_COLLECTIVE_ALLGATHER, 8192, 10, "bruck"},
        {CT_COLLECTIVE_ALLTOALL, 255, 7, "fours"},
        {CT_COLLECTIVE_ALLTOALL, 255, 8, "bruck"},
        {CT_COLLECTIVE_ALLTOALL, 256, 8, "fours"},
        {CT_COLLECTIVE_ALLTOALL, 32767, 8, "fours"},
        {CT_COLLECTIVE_ALLTOALL, 32768, 8, "ring"},
        {CT_COLLECTIVE_SCAN, 100, 4, "recursive-doubling"},
    };
    (void)state;
    struct ct_collective_rules rules, named = {0};
    ct_collective_rules_default(CT_COLLECTIVE_OF_SMPI, &rules);
    assert_int_equal(ct_collective_rules_parse(&named, "smpi", NULL), CT_OK);
    for (size_t i = 0; i < sizeof by_smpi / sizeof *by_smpi; i++) {
        struct ct_collective_call call = {
            .what = by_smpi[i].what, .n_ranks = by_smpi[i].n_ranks, .bytes = by_smpi[i].bytes};
        assert_string_equal(ct_collective_choose(&rules, &call)->name, by_smpi[i].algorithm);
        assert_ptr_equal(ct_collective_choose(&named, &call), ct_collective_choose(&rules, &call));
    }
    const uint64_t blocks[] = {300, 300, 300, 300};
    struct ct_collective_call call = {
        .what = CT_COLLECTIVE_ALLTOALL, .n_ranks = 4, .send_bytes = blocks, .recv_bytes = blocks};
    assert_string_equal(ct_collective_choose(&rules, &call)->name, "linear");
}

static void what_cannot_be_done_falls_back(void **state)
{
    (void)state;
    static const uint64_t large[] = {1 << 20, 1 << 20, 1 << 20};
    struct ct_collective_rules rules;
    ct_collective_rules_default(CT_COLLECTIVE_OF_MPICH, &rules);
    struct ct_collective_call gatherv = {
        .what = CT_COLLECTIVE_GATHER, .n_ranks = 3, .recv_bytes = large};
    assert_string_equal(ct_collective_choose(&rules, &gatherv)->name, "linear");
    struct ct_collective_call alltoallv = {
        .what = CT_COLLECTIVE_ALLTOALL, .n_ranks = 3, .send_bytes = large, .recv_bytes = large};
    assert_string_equal(ct_collective_choose(&rules, &alltoallv)->name, "linear");
    assert_int_equal(
        ct_collective_rules_set(&rules, CT_COLLECTIVE_ALLTOALL, "pairwise,bruck", NULL), CT_OK);
    assert_string_equal(ct_collective_choose(&rules, &alltoallv)->name, "pairwise");

    /* allgatherv counts with its sum, known to all. */
    assert_int_equal(
        ct_collective_rules_set(&rules, CT_COLLECTIVE_ALLGATHER, "bruck,ring@3MiB", NULL), CT_OK);
    struct ct_collective_call allgatherv = {
        .what = CT_COLLECTIVE_ALLGATHER, .n_ranks = 3, .recv_bytes = large};
    assert_string_equal(ct_collective_choose(&rules, &allgatherv)->name, "ring");

    /* No rule holds: the first row. */
    assert_int_equal(ct_collective_rules_set(&rules, CT_COLLECTIVE_ALLREDUCE, "ring@1MiB", NULL),
                     CT_OK);
    struct ct_collective_call allreduce = {.what = CT_COLLECTIVE_ALLREDUCE, .n_ranks = 3};
    assert_string_equal(ct_collective_choose(&rules, &allreduce)->name, "recursive-doubling");
}

static void rules_are_parsed(void **state)
{
    (void)state;
    struct ct_collective_rules rules;
    ct_collective_rules_default(CT_COLLECTIVE_OF_MPICH, &rules);
    assert_int_equal(
        ct_collective_rules_set(&rules, CT_COLLECTIVE_ALLREDUCE,
                                "recursive-doubling,ring@64KiB@4ranks@power-of-two@16B/rank", NULL),
        CT_OK);
    assert_int_equal(rules.n[CT_COLLECTIVE_ALLREDUCE], 2);
    const struct ct_collective_rule *rule = &rules.of[CT_COLLECTIVE_ALLREDUCE][1];
    assert_string_equal(rule->algorithm->name, "ring");
    assert_int_equal(rule->from_bytes, 65536);
    assert_int_equal(rule->from_ranks, 4);
    assert_true(rule->power_of_two);
    assert_int_equal(rule->from_bytes_a_rank, 16);

    static const char *const wrong[] = {"",         "rings",          "ring@",       "ring@64",
                                        "ring@-1B", "ring@64KiB,",    "ring@64rank", "ring@ranks",
                                        "binomial", "ring@64B/ranks", "Ring",        "ring "};
    struct ct_collective_rules before = rules;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct ct_error err = {0};
        assert_int_equal(ct_collective_rules_set(&rules, CT_COLLECTIVE_ALLREDUCE, wrong[i], &err),
                         CT_EINVAL);
        assert_non_null(strstr(err.text, "allreduce"));
        assert_memory_equal(&rules, &before, sizeof rules);
    }
    char many[] = "ring,ring,ring,ring,ring,ring,ring,ring,ring";
    assert_int_equal(ct_collective_rules_set(&rules, CT_COLLECTIVE_ALLREDUCE, many, NULL),
                     CT_EINVAL);
    many[strlen(many) - strlen(",ring")] = '\0';
    assert_int_equal(ct_collective_rules_set(&rules, CT_COLLECTIVE_ALLREDUCE, many, NULL), CT_OK);
    static char overlong[2000];
    memset(overlong, 'r', sizeof overlong - 1);
    assert_int_equal(ct_collective_rules_set(&rules, CT_COLLECTIVE_ALLREDUCE, overlong, NULL),
                     CT_EINVAL);
}

static void rules_of_several_collectives(void **state)
{
    (void)state;
    struct ct_collective_rules rules, by_one;
    ct_collective_rules_default(CT_COLLECTIVE_OF_MPICH, &rules);
    by_one = rules;
    assert_int_equal(ct_collective_rules_parse(
                         &rules, "allreduce=recursive-doubling,ring@64KiB,scan=linear", NULL),
                     CT_OK);
    ct_collective_rules_set(&by_one, CT_COLLECTIVE_ALLREDUCE, "recursive-doubling,ring@64KiB",
                            NULL);
    ct_collective_rules_set(&by_one, CT_COLLECTIVE_SCAN, "linear", NULL);
    assert_memory_equal(&rules, &by_one, sizeof rules);
    for (size_t i = 0; i < CT_COLLECTIVE_N_COLLECTIVES; i++) {
        char text[64];
        snprintf(text, sizeof text, "%s=ring", ct_collective_name((enum ct_collective)i));
        struct ct_error err = {0};
        ct_collective_rules_parse(&rules, text, &err);
        assert_null(strstr(err.text, "not a collective"));
    }
    rules = by_one;
    static const char *const wrong[] = {"",
                                        "ring",
                                        "=ring",
                                        "allreduce",
                                        "allreduce=",
                                        "allreduce=ring=",
                                        "allreduce=ring,",
                                        "ring,bcast=binomial",
                                        "scan=linear,allsum=ring",
                                        "allreduce=ring,=ring"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(ct_collective_rules_parse(&rules, wrong[i], NULL), CT_EINVAL);
        assert_memory_equal(&rules, &by_one, sizeof rules);
    }
    struct ct_error err = {0};
    ct_collective_rules_parse(&rules, "allsum=ring", &err);
    assert_string_equal(err.text, "allsum: not a collective; there are barrier, bcast, reduce, "
                                  "allreduce, reduce-scatter, allgather, alltoall, gather, "
                                  "scatter, scan, exscan");
}

static enum ct_status refuse(const struct ct_collective_step *step, void *context)
{
    (void)step;
    int *calls = context;
    return ++*calls == 3 ? CT_ENOMEM : CT_OK;
}

static void wrong_calls_are_refused(void **state)
{
    (void)state;
    static const uint64_t blocks[2] = {UINT64_MAX, 1};
    const struct ct_collective_call wrong[] = {
        {.what = CT_COLLECTIVE_N_COLLECTIVES, .n_ranks = 2},
        {.what = CT_COLLECTIVE_BARRIER, .n_ranks = 0},
        {.what = CT_COLLECTIVE_BARRIER, .n_ranks = UINT32_MAX},
        {.what = CT_COLLECTIVE_BARRIER, .n_ranks = 2, .rank = 2},
        {.what = CT_COLLECTIVE_BCAST, .n_ranks = 2, .root = 2},
        {.what = CT_COLLECTIVE_BCAST, .n_ranks = 2, .recv_bytes = blocks},
        {.what = CT_COLLECTIVE_GATHER, .n_ranks = 2, .send_bytes = blocks},
        {.what = CT_COLLECTIVE_ALLTOALL, .n_ranks = 2, .send_bytes = blocks},
        {.what = CT_COLLECTIVE_ALLTOALL, .n_ranks = 2, .recv_bytes = blocks},
        {.what = CT_COLLECTIVE_ALLGATHER, .n_ranks = 2, .recv_bytes = blocks},
        {.what = CT_COLLECTIVE_ALLGATHER, .n_ranks = 2, .bytes = UINT64_MAX},
    };
    struct ct_collective_rules rules;
    ct_collective_rules_default(CT_COLLECTIVE_OF_MPICH, &rules);
    int calls = 0;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct ct_error err = {0};
        assert_int_equal(ct_collective_expand(&rules, &wrong[i], refuse, &calls, &err), CT_EINVAL);
        assert_string_not_equal(err.text, "");
    }
    assert_int_equal(calls, 0);

    struct ct_collective_call barrier = {.what = CT_COLLECTIVE_BARRIER, .n_ranks = 33};
    assert_int_equal(ct_collective_expand(&rules, &barrier, refuse, &calls, NULL), CT_ENOMEM);
    assert_int_equal(calls, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slow_every_algorithm_delivers),
        cmocka_unit_test(slow_unequal_blocks_arrive),
        cmocka_unit_test(alltoallv_arrives),
        cmocka_unit_test(costs_have_their_closed_forms),
        cmocka_unit_test(pipeline_has_its_length),
        cmocka_unit_test(slow_damage_is_caught),
        cmocka_unit_test(empty_messages_are_sent_as_by_mpich),
        cmocka_unit_test(defaults_choose_as_mpich),
        cmocka_unit_test(those_of_smpi_choose_as_it),
        cmocka_unit_test(what_cannot_be_done_falls_back),
        cmocka_unit_test(rules_are_parsed),
        cmocka_unit_test(rules_of_several_collectives),
        cmocka_unit_test(wrong_calls_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
