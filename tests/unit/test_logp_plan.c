/* Who measures whom, what links say together, and rows of the file. */
#include "bench/logp/logp_plan.h"
#include "bench/logp/logp_rows.h"
#include "bench/logp/logp_summary.h"
#include "tests/unit/unit.h"

#include <stdlib.h>
#include <string.h>

/* ---- plan ---- */

enum { RANKS_MAX = 24 };

struct fake {
    struct ct_layout layout;
    int node_of_rank[RANKS_MAX], slot_of_rank[RANKS_MAX], slots_of_node[RANKS_MAX];
};

/* Ranks go round the nodes. */
static void fake_layout(struct fake *fake, int n_ranks, int n_nodes)
{
    *fake = (struct fake){.layout = {.n_ranks = n_ranks, .n_nodes = n_nodes}};
    fake->layout.node_of_rank = fake->node_of_rank;
    fake->layout.slot_of_rank = fake->slot_of_rank;
    fake->layout.slots_of_node = fake->slots_of_node;
    for (int rank = 0; rank < n_ranks; rank++) {
        fake->node_of_rank[rank] = rank % n_nodes;
        fake->slot_of_rank[rank] = fake->slots_of_node[rank % n_nodes]++;
    }
}

static struct ct_logp_plan make(int n_ranks, int n_nodes, enum ct_logp_pairs pairs, bool swap,
                                bool sequential)
{
    struct fake fake;
    struct ct_logp_plan plan;
    struct ct_error err;
    fake_layout(&fake, n_ranks, n_nodes);
    if (ct_logp_plan_make(&fake.layout, pairs, swap, sequential, &plan, &err) != CT_OK)
        fail_msg("%s", err.text);
    return plan;
}

static void every_two_nodes_meet_once_in_each_direction(void **state)
{
    (void)state;
    for (int n = 2; n <= 9; n++)
        for (int swap = 0; swap <= 1; swap++)
            for (int sequential = 0; sequential <= 1; sequential++) {
                struct ct_logp_plan plan =
                    make(2 * n, n, CT_LOGP_PAIRS_ALL, swap != 0, sequential != 0);
                int met[RANKS_MAX][RANKS_MAX] = {{0}}, round = 0;
                size_t busy = 0; /* ranks of the round, a bit each */
                assert_int_equal(plan.n, n * (n - 1) / 2 * (swap ? 2 : 1));
                for (size_t i = 0; i < plan.n; i++) {
                    const struct ct_logp_meeting *meeting = &plan.meetings[i];
                    size_t both = (size_t)1 << meeting->rank_from | (size_t)1 << meeting->rank_to;
                    assert_true(meeting->round == round || meeting->round == round + 1);
                    busy = meeting->round == round ? busy : 0;
                    assert_int_equal(busy & both, 0);
                    busy |= both;
                    round = meeting->round;
                    met[meeting->rank_from][meeting->rank_to]++;
                    assert_in_range(meeting->rank_from, 0, n - 1);
                    assert_in_range(meeting->rank_to, 0, n - 1);
                }
                assert_int_equal(plan.n_rounds, round + 1);
                if (sequential)
                    assert_int_equal(plan.n_rounds, plan.n);
                for (int a = 0; a < n; a++)
                    for (int b = 0; b < n; b++)
                        assert_int_equal(met[a][b] + (swap ? 0 : met[b][a]), a != b);
                ct_logp_plan_free(&plan);
            }
}

static void one_pair_or_neighbours(void **state)
{
    (void)state;
    struct ct_logp_plan plan = make(6, 3, CT_LOGP_PAIRS_FIRST, true, false);
    assert_int_equal(plan.n, 2);
    assert_int_equal(plan.meetings[0].rank_from, 0);
    assert_int_equal(plan.meetings[0].rank_to, 1);
    assert_int_equal(plan.meetings[1].rank_from, 1);
    assert_int_equal(plan.meetings[1].round, 1);
    ct_logp_plan_free(&plan);
    plan = make(5, 5, CT_LOGP_PAIRS_ADJACENT, false, false);
    assert_int_equal(plan.n, 2);
    assert_int_equal(plan.n_rounds, 1);
    ct_logp_plan_free(&plan);
    plan = make(4, 1, CT_LOGP_PAIRS_ADJACENT, false, false); /* ranks of one node */
    assert_int_equal(plan.n, 2);
    assert_int_equal(plan.meetings[1].rank_from, 2);
    assert_int_equal(plan.meetings[1].rank_to, 3);
    ct_logp_plan_free(&plan);
}

static void one_rank_is_refused(void **state)
{
    (void)state;
    struct fake fake;
    struct ct_logp_plan plan;
    struct ct_error err;
    fake_layout(&fake, 1, 1);
    assert_int_equal(
        ct_logp_plan_make(&fake.layout, CT_LOGP_PAIRS_FIRST, false, false, &plan, &err), CT_EINVAL);
    assert_non_null(strstr(err.text, "mpiexec -n 2"));
}

/* ---- summary ---- */

static struct ct_logp_link link_of(uint32_t from, uint32_t to, double latency_s)
{
    const struct ct_estimate none = ct_estimate_none();
    return (struct ct_logp_link){
        .rank_from = from,
        .rank_to = to,
        .loggp = {{latency_s, {latency_s * 0.99, latency_s * 1.01}}, none, none, none},
        .g0_s = none,
        .timer_resolution_s = 30e-9};
}

static void links_that_stand_out_are_found(void **state)
{
    (void)state;
    struct ct_logp_link links[6];
    bool outlier[6];
    for (uint32_t i = 0; i < 6; i++)
        links[i] = link_of(i, i + 1, (5 + 0.02 * i) * 1e-6);
    const struct ct_logp_parameter *latency = &ct_logp_parameters[0];
    assert_int_equal(ct_logp_find_outliers(latency, links, 6, outlier), CT_OK);
    for (size_t i = 0; i < 6; i++)
        assert_false(outlier[i]);
    links[4].loggp.L_s.value = 7e-6;
    assert_int_equal(ct_logp_find_outliers(latency, links, 6, outlier), CT_OK);
    for (size_t i = 0; i < 6; i++)
        assert_int_equal(outlier[i], i == 4);
    links[4].loggp.L_s.value = 5.4e-6; /* far in deviations, but within a tenth */
    assert_int_equal(ct_logp_find_outliers(latency, links, 6, outlier), CT_OK);
    assert_false(outlier[4]);
    assert_int_equal(ct_logp_find_outliers(latency, links, 3, outlier), CT_OK);
    struct ct_estimate overall = ct_logp_overall(latency, links, 3);
    assert_near(overall.value, 5.02e-6, 1e-15);
    assert_near(overall.ci.lo, 5e-6, 1e-15);
    assert_near(overall.ci.hi, 5.04e-6, 1e-15);
    assert_near(ct_logp_overall(latency, links, 1).ci.hi, 5.05e-6, 1e-12);
    assert_true(isnan(ct_logp_overall(&ct_logp_parameters[1], links, 3).value));
}

static void the_opposite_direction_is_found(void **state)
{
    (void)state;
    const struct ct_logp_link links[] = {link_of(0, 1, 1e-6), link_of(2, 3, 1e-6),
                                         link_of(1, 0, 2e-6)};
    assert_ptr_equal(ct_logp_opposite(links, 3, &links[0]), &links[2]);
    assert_null(ct_logp_opposite(links, 3, &links[1]));
}

static void doubts_are_named_with_the_smallest_size(void **state)
{
    (void)state;
    const struct ct_estimate none = ct_estimate_none();
    struct ct_loggp_point points[4];
    struct ct_logp_link link = link_of(0, 1, 5e-6);
    for (size_t i = 0; i < 4; i++)
        points[i] = (struct ct_loggp_point){.bytes = 1 + i,
                                            .os_s = {1e-6, {1e-6, 1e-6}},
                                            .or_s = {1e-6, {1e-6, 1e-6}},
                                            .or_expected_s = none,
                                            .g_s = {2e-6, {1.9e-6, 2.1e-6}},
                                            .g_saturation_s = none,
                                            .rtt_s = {9e-6, {9e-6, 9e-6}}};
    link.n_points = 4;
    struct ct_logp_doubts doubts = ct_logp_doubts_of(&link, points);
    assert_int_equal(doubts.n_receive_above_gap + doubts.n_below_resolution, 0);
    points[1].or_s = (struct ct_estimate){2.05e-6, {2e-6, 2.2e-6}}; /* within the intervals */
    points[2].or_s = (struct ct_estimate){3e-6, {2.9e-6, 3.1e-6}};
    points[3].os_s.value = 20e-9;
    link.n_checks = 2;
    link.checks[0].agrees = true;
    link.checks[1] = (struct ct_logp_check){.bytes = 77};
    doubts = ct_logp_doubts_of(&link, points);
    assert_int_equal(doubts.n_receive_above_gap, 1);
    assert_int_equal(doubts.receive_above_gap_bytes, 3);
    assert_int_equal(doubts.n_below_resolution, 1);
    assert_int_equal(doubts.below_resolution_bytes, 4);
    assert_int_equal(doubts.n_checks_failed, 1);
    assert_int_equal(doubts.check_failed_bytes, 77);
}

/* ---- rows ---- */

static void rows_hold_both_methods_of_every_link(void **state)
{
    (void)state;
    const struct ct_estimate some = {2, {1, 3}}, none = ct_estimate_none();
    struct ct_loggp_point both = {.bytes = 64,
                                  .os_s = some,
                                  .or_s = some,
                                  .or_expected_s = some,
                                  .g_s = some,
                                  .g_saturation_s = {4, {NAN, NAN}},
                                  .rtt_s = some,
                                  .repetitions = 9,
                                  .train = 320};
    struct ct_loggp_point fast = both;
    fast.g_saturation_s = none;
    fast.train = 0;
    struct ct_logp_repetition repetition = {.bytes = 64, .value_s = 1};
    struct ct_logp_result results[] = {
        {.link = {.rank_from = 1, .rank_to = 2, .n_points = 1},
         .points = &both,
         .repetitions = &repetition,
         .n_repetitions = 1},
        {.link = {.rank_from = 1, .rank_to = 3, .n_points = 1}, .points = &fast}};
    struct ct_run run = {.logp = NULL};
    struct ct_error err;
    assert_int_equal(ct_logp_make_rows(results, 2, &run, &err), CT_OK);
    assert_int_equal(run.n_logp, 3);
    assert_int_equal(run.logp[0].method, CT_LOGP_FAST);
    assert_near(run.logp[0].or_expected_hi_s, 3, 0);
    assert_int_equal(run.logp[0].repetitions, 9);
    assert_int_equal(run.logp[1].method, CT_LOGP_SATURATION);
    assert_near(run.logp[1].g_s, 4, 0);
    assert_true(isnan(run.logp[1].os_s) && isnan(run.logp[1].rtt_hi_s));
    assert_int_equal(run.logp[1].repetitions, 320);
    assert_int_equal(run.logp[2].rank_to, 3);
    assert_int_equal(run.n_repetitions, 1);
    ct_run_free(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_two_nodes_meet_once_in_each_direction),
        cmocka_unit_test(one_pair_or_neighbours),
        cmocka_unit_test(one_rank_is_refused),
        cmocka_unit_test(links_that_stand_out_are_found),
        cmocka_unit_test(the_opposite_direction_is_found),
        cmocka_unit_test(doubts_are_named_with_the_smallest_size),
        cmocka_unit_test(rows_hold_both_methods_of_every_link),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
