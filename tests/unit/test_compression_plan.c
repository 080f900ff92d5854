/* Every pattern for 2 to 24 nodes, rings with every number of partners, unequal nodes, votes, bytes
 * over time. */
#include "bench/compression/compression_plan.h"
#include "bench/compression/compression_windows.h"
#include "tests/unit/unit.h"

#include <stdio.h>
#include <string.h>

enum { NODES_MAX = 24, SLOTS_MAX = 3, RANKS_MAX = NODES_MAX * SLOTS_MAX };

/* A layout without MPI. Ranks go round the nodes, so neighbours in rank are not on one node. */
struct fake {
    int node_of_rank[RANKS_MAX], slot_of_rank[RANKS_MAX], slots_of_node[NODES_MAX];
    char host_of_node[NODES_MAX][CT_HOST_MAX];
    struct ct_layout layout;
};

static void deal(struct fake *fake, int n_nodes, const int *slots)
{
    *fake = (struct fake){.layout = {.n_nodes = n_nodes,
                                     .node_of_rank = fake->node_of_rank,
                                     .slot_of_rank = fake->slot_of_rank,
                                     .slots_of_node = fake->slots_of_node,
                                     .hosts = fake->host_of_node[0],
                                     .host_bytes = CT_HOST_MAX,
                                     .min_slots = SLOTS_MAX}};
    struct ct_layout *layout = &fake->layout;
    for (int slot = 0; slot < SLOTS_MAX; slot++)
        for (int node = 0; node < n_nodes; node++)
            if (slots[node] > slot) {
                fake->node_of_rank[layout->n_ranks] = node;
                fake->slot_of_rank[layout->n_ranks++] = slot;
            }
    for (int node = 0; node < n_nodes; node++) {
        fake->slots_of_node[node] = slots[node];
        snprintf(fake->host_of_node[node], CT_HOST_MAX, "host%d", node);
        layout->max_slots = slots[node] > layout->max_slots ? slots[node] : layout->max_slots;
        layout->min_slots = slots[node] < layout->min_slots ? slots[node] : layout->min_slots;
    }
}

static void deal_equal(struct fake *fake, int n_nodes, int n_slots)
{
    int slots[NODES_MAX];
    for (int node = 0; node < n_nodes; node++)
        slots[node] = n_slots;
    deal(fake, n_nodes, slots);
}

/* Messages in a round, from every rank to every other: what is sent, which must be what is expected
 * at the other end, step by step. */
struct traffic {
    int sent[RANKS_MAX][RANKS_MAX], expected[RANKS_MAX][RANKS_MAX];
    int n_sends[RANKS_MAX], n_receives[RANKS_MAX];
    int n_steps;
};

static void add_rank(const struct fake *fake, const struct ct_compression_plan *plan, int rank,
                     struct traffic *traffic)
{
    const struct ct_layout *layout = &fake->layout;
    assert_int_equal(plan->n_sends % plan->n_steps, 0);
    assert_int_equal(plan->n_receives % plan->n_steps, 0);
    assert_true(plan->n_sends + plan->n_receives > 0);
    for (int k = 0; k < plan->n_sends; k++) {
        int to = plan->sends_to[k];
        assert_in_range(to, 0, layout->n_ranks - 1);
        assert_int_not_equal(layout->node_of_rank[to], layout->node_of_rank[rank]);
        assert_int_equal(layout->slot_of_rank[to], layout->slot_of_rank[rank]);
        assert_int_equal(traffic->sent[rank][to], 0); /* to everybody once at most */
        traffic->sent[rank][to] = 1 + k / (plan->n_sends / plan->n_steps);
    }
    for (int k = 0; k < plan->n_receives; k++) {
        int from = plan->receives_from[k];
        assert_in_range(from, 0, layout->n_ranks - 1);
        traffic->expected[from][rank] = 1 + k / (plan->n_receives / plan->n_steps);
    }
    traffic->n_sends[rank] = plan->n_sends;
    traffic->n_receives[rank] = plan->n_receives;
}

static const struct traffic *plan_all(const struct fake *fake, enum ct_pattern pattern,
                                      int n_partners)
{
    static struct traffic traffic;
    const struct ct_layout *layout = &fake->layout;
    traffic = (struct traffic){0};
    bool runs_away = false, synchronous = false;
    assert_int_equal(ct_compression_check(layout, pattern, n_partners, NULL), CT_OK);
    for (int rank = 0; rank < layout->n_ranks; rank++) {
        struct ct_compression_plan plan;
        assert_int_equal(ct_compression_plan_new(layout, pattern, n_partners, rank, &plan, NULL),
                         CT_OK);
        add_rank(fake, &plan, rank, &traffic);
        assert_true(rank == 0 ||
                    (plan.n_steps == traffic.n_steps && plan.synchronous == synchronous));
        traffic.n_steps = plan.n_steps;
        synchronous = plan.synchronous;
        runs_away |= plan.n_receives == 0;
        ct_compression_plan_free(&plan);
    }
    assert_memory_equal(traffic.sent, traffic.expected, sizeof traffic.sent);
    assert_int_equal(synchronous, runs_away);
    return &traffic;
}

static void test_every_message_is_received(void **state)
{
    (void)state;
    struct fake fake;
    for (int n = 2; n <= NODES_MAX; n++) {
        deal_equal(&fake, n, 2);
        for (int n_partners = 1; n_partners < n; n_partners++) {
            const struct traffic *traffic = plan_all(&fake, CT_PATTERN_RING, n_partners);
            assert_int_equal(traffic->n_steps, n_partners);
            for (int rank = 0; rank < 2 * n; rank++)
                assert_int_equal(traffic->n_sends[rank], n_partners);
        }
    }
}

enum count { NONE, ONE, ALL_OTHERS };

static int count_of(enum count count, int n_nodes)
{
    return count == ALL_OTHERS ? n_nodes - 1 : count == ONE ? 1 : 0;
}

static void test_shapes(void **state)
{
    (void)state;
    static const struct {
        enum ct_pattern pattern;
        struct {
            enum count sends, receives;
        } first, others; /* nodes */
    } shapes[] = {
        {CT_PATTERN_ALLTOALL, {ALL_OTHERS, ALL_OTHERS}, {ALL_OTHERS, ALL_OTHERS}},
        {CT_PATTERN_INCAST, {NONE, ALL_OTHERS}, {ONE, NONE}},
        {CT_PATTERN_BISECTION, {ONE, ONE}, {ONE, ONE}},
        {CT_PATTERN_BCAST, {ALL_OTHERS, NONE}, {NONE, ONE}},
    };
    struct fake fake;
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
        for (int n = 2; n <= NODES_MAX; n++) {
            deal_equal(&fake, n, 3);
            const struct traffic *traffic = plan_all(&fake, shapes[s].pattern, 0);
            assert_int_equal(traffic->n_steps, 1);
            for (int rank = 0; rank < 3 * n; rank++) {
                bool first = fake.node_of_rank[rank] == 0;
                enum count sends = first ? shapes[s].first.sends : shapes[s].others.sends;
                enum count receives = first ? shapes[s].first.receives : shapes[s].others.receives;
                assert_int_equal(traffic->n_sends[rank], count_of(sends, n));
                assert_int_equal(traffic->n_receives[rank], count_of(receives, n));
            }
        }
}

static void test_bisection_crosses_the_middle(void **state)
{
    (void)state;
    struct fake fake;
    for (int n = 2; n <= NODES_MAX; n++) {
        deal_equal(&fake, n, 1);
        const struct traffic *traffic = plan_all(&fake, CT_PATTERN_BISECTION, 0);
        int crossing = 0;
        for (int a = 0; a < n / 2; a++)
            for (int b = n / 2; b < n; b++)
                crossing += traffic->sent[a][b] + traffic->sent[b][a];
        assert_int_equal(crossing, n - n % 2);
    }
}

static void list_ranks(const int *ranks, int n, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (int k = 0; k < n; k++)
        used += (size_t)snprintf(text + used, size - used, k ? " %d" : "%d", ranks[k]);
}

/* Ranks that a rank sends to and receives from, in order: "0 4 3". */
static void assert_plan(const struct fake *fake, enum ct_pattern pattern, int n_partners, int rank,
                        const char *sends_to, const char *receives_from)
{
    struct ct_compression_plan plan = {0};
    char text[16 * NODES_MAX];
    assert_int_equal(ct_compression_plan_new(&fake->layout, pattern, n_partners, rank, &plan, NULL),
                     CT_OK);
    list_ranks(plan.sends_to, plan.n_sends, text, sizeof text);
    assert_string_equal(text, sends_to);
    list_ranks(plan.receives_from, plan.n_receives, text, sizeof text);
    assert_string_equal(text, receives_from);
    ct_compression_plan_free(&plan);
}

static void test_direction(void **state)
{
    (void)state;
    struct fake fake;
    deal_equal(&fake, 5, 1);
    assert_plan(&fake, CT_PATTERN_RING, 3, 1, "0 4 3", "2 3 4");
    assert_plan(&fake, CT_PATTERN_ALLTOALL, 0, 1, "0 4 3 2", "2 3 4 0");
    assert_plan(&fake, CT_PATTERN_BISECTION, 0, 1, "4", "3");
    assert_plan(&fake, CT_PATTERN_INCAST, 0, 0, "", "1 2 3 4");
    assert_plan(&fake, CT_PATTERN_INCAST, 0, 3, "0", "");
    assert_plan(&fake, CT_PATTERN_BCAST, 0, 0, "1 2 3 4", "");
    assert_plan(&fake, CT_PATTERN_BCAST, 0, 3, "", "0");
}

static void test_unequal_nodes(void **state)
{
    (void)state;
    struct fake fake;
    /* Ranks: 0 to 4 in slot 0; 5, 6, 7 in slot 1 on nodes 0, 2, 4. */
    deal(&fake, 5, (int[]){2, 1, 2, 1, 2});
    assert_int_equal(ct_compression_smallest_group(&fake.layout), 3);
    plan_all(&fake, CT_PATTERN_RING, 1);
    plan_all(&fake, CT_PATTERN_RING, 2);
    for (enum ct_pattern pattern = CT_PATTERN_ALLTOALL; ct_pattern_names[pattern]; pattern++)
        plan_all(&fake, pattern, 0);
    assert_plan(&fake, CT_PATTERN_RING, 2, 6, "5 7", "7 5");
    assert_plan(&fake, CT_PATTERN_ALLTOALL, 0, 6, "5 7", "7 5");
    assert_plan(&fake, CT_PATTERN_ALLTOALL, 0, 1, "0 4 3 2", "2 3 4 0");
    assert_plan(&fake, CT_PATTERN_INCAST, 0, 5, "", "6 7");
}

static void test_ring_alone_takes_partners(void **state)
{
    (void)state;
    for (enum ct_pattern pattern = CT_PATTERN_RING; ct_pattern_names[pattern]; pattern++)
        assert_int_equal(ct_pattern_takes_partners(pattern), pattern == CT_PATTERN_RING);
}

static void test_errors_name_cause(void **state)
{
    (void)state;
    static const struct {
        int n_nodes, slots[5];
        enum ct_pattern pattern;
        int n_partners;
        const char *texts[3];
    } cases[] = {
        {1, {2}, CT_PATTERN_RING, 1, {"one node", "host0", "two or more"}},
        {1, {1}, CT_PATTERN_INCAST, 0, {"one node", "--pattern incast", "two or more"}},
        {4, {1, 1, 1, 1}, CT_PATTERN_RING, 4, {"--partners 4", "number of nodes, 4", ""}},
        {4, {2, 2, 2, 2}, CT_PATTERN_RING, 9, {"--partners 9", "number of nodes, 4", ""}},
        {5,
         {2, 1, 2, 1, 2},
         CT_PATTERN_RING,
         3,
         {"--partners 3", "less than 3", "3 of 5 nodes have 2 ranks"}},
        {3, {1, 2, 1}, CT_PATTERN_RING, 1, {"only one of 3 nodes has 2 ranks", "same number", ""}},
        {3, {1, 2, 1}, CT_PATTERN_ALLTOALL, 0, {"only one of 3 nodes", "--pattern alltoall", ""}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fake fake;
        struct ct_error err;
        deal(&fake, cases[i].n_nodes, cases[i].slots);
        assert_int_equal(
            ct_compression_check(&fake.layout, cases[i].pattern, cases[i].n_partners, &err),
            CT_EINVAL);
        for (size_t t = 0; t < 3; t++)
            if (!strstr(err.text, cases[i].texts[t]))
                fail_msg("'%s' lacks '%s'", err.text, cases[i].texts[t]);
    }
}

static void test_cadence(void **state)
{
    (void)state;
    /* Slow rounds: a vote each. Fast ones: from 1 by factors of at most 4 to about 75 ms. */
    assert_int_equal(ct_compression_cadence(1, 10), 1);
    assert_int_equal(ct_compression_cadence(500, 10), 1);
    assert_int_equal(ct_compression_cadence(1, 1e-5), 4);
    int n = 1;
    for (int i = 0; i < 20; i++)
        n = ct_compression_cadence(n, 1e-5);
    assert_in_range(n, 5000, 10000);
    /* Neither time 0 nor ever more rounds overflow. */
    for (int i = 0; i < 40; i++)
        n = ct_compression_cadence(n, 0);
    assert_in_range(n, 10000, 1 << 24);
}

static uint64_t total(const struct ct_compression_windows *windows)
{
    uint64_t sum = 0;
    for (size_t k = 0; k < windows->n; k++)
        sum += windows->bytes[k];
    return sum;
}

static void test_bytes_are_spread(void **state)
{
    (void)state;
    struct ct_compression_windows windows;
    assert_int_equal(ct_compression_windows_new(1, &windows, NULL), CT_OK);
    assert_near(windows.width_s, 0.1, 1e-15);
    assert_int_equal(ct_compression_windows_add(&windows, 0.25, 0.45, 1000, NULL), CT_OK);
    assert_near((double)windows.bytes[2], 250, 1);
    assert_near((double)windows.bytes[3], 500, 1);
    assert_near((double)windows.bytes[4], 250, 1);
    assert_int_equal(total(&windows), 1000);
    /* Within one window; of no length. */
    assert_int_equal(ct_compression_windows_add(&windows, 0.72, 0.73, 77, NULL), CT_OK);
    assert_int_equal(ct_compression_windows_add(&windows, 0.75, 0.75, 3, NULL), CT_OK);
    assert_int_equal(windows.bytes[7], 80);
    ct_compression_windows_free(&windows);
}

static void test_no_byte_is_lost(void **state)
{
    (void)state;
    struct ct_compression_windows windows;
    assert_int_equal(ct_compression_windows_new(2, &windows, NULL), CT_OK);
    uint64_t sent = 0;
    double from_s = 0;
    for (unsigned i = 0; from_s < 5; i++) { /* beyond the time that was asked for */
        double to_s = from_s + 0.0137 * (1 + i % 40);
        uint64_t bytes = UINT64_C(9007199254740993) + i * 7919; /* no double holds these */
        assert_int_equal(ct_compression_windows_add(&windows, from_s, to_s, bytes, NULL), CT_OK);
        sent += bytes;
        from_s = to_s;
    }
    assert_true(sent == total(&windows));
    assert_true(windows.n >= ct_compression_windows_until(&windows, from_s));
    for (size_t k = ct_compression_windows_until(&windows, from_s); k < windows.n; k++)
        assert_int_equal(windows.bytes[k], 0);
    ct_compression_windows_free(&windows);
}

static void test_long_runs_stay_small(void **state)
{
    (void)state;
    struct ct_compression_windows windows;
    assert_int_equal(ct_compression_windows_new(1e7, &windows, NULL), CT_OK);
    assert_in_range(windows.n, 1000, 10100);
    assert_near(windows.width_s, 1e3, 1e-9);
    ct_compression_windows_free(&windows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_message_is_received),
        cmocka_unit_test(test_shapes),
        cmocka_unit_test(test_bisection_crosses_the_middle),
        cmocka_unit_test(test_direction),
        cmocka_unit_test(test_unequal_nodes),
        cmocka_unit_test(test_ring_alone_takes_partners),
        cmocka_unit_test(test_errors_name_cause),
        cmocka_unit_test(test_cadence),
        cmocka_unit_test(test_bytes_are_spread),
        cmocka_unit_test(test_no_byte_is_lost),
        cmocka_unit_test(test_long_runs_stay_small),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
