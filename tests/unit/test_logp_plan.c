/* Who measures whom, what links say together, and rows of the file. */
#include "bench/logp/logp_paths.h"
#include "bench/logp/logp_plan.h"
#include "bench/logp/logp_rows.h"
#include "bench/logp/logp_summary.h"
#include "tests/unit/unit.h"
#include "topology/places.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- plan ---- */

enum { RANKS_MAX = 24 };

struct fake {
    struct ct_layout layout;
    int node_of_rank[RANKS_MAX], slot_of_rank[RANKS_MAX], slots_of_node[RANKS_MAX];
    char host_of_node[RANKS_MAX][CT_HOST_MAX];
};

/* Ranks go round the nodes. */
static void fake_layout(struct fake *fake, int n_ranks, int n_nodes)
{
    *fake = (struct fake){.layout = {.n_ranks = n_ranks, .n_nodes = n_nodes}};
    fake->layout.node_of_rank = fake->node_of_rank;
    fake->layout.slot_of_rank = fake->slot_of_rank;
    fake->layout.slots_of_node = fake->slots_of_node;
    fake->layout.hosts = fake->host_of_node[0];
    fake->layout.host_bytes = CT_HOST_MAX;
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

/* ---- classes of paths ---- */

struct made {
    struct fake fake;
    struct ct_path_row *paths;
    size_t n;
};

/* text: of the topology; NULL: none is known. */
static enum ct_status find_paths(struct made *made, const char *text, struct ct_error *err)
{
    struct ct_impact_network network;
    enum ct_status status = ct_impact_network_find(text, &made->fake.layout, &network, err);
    if (status == CT_OK)
        status = ct_logp_paths_make(&made->fake.layout, &network, &made->paths, &made->n, err);
    ct_impact_network_free(&network);
    return status;
}

static void make_paths(struct made *made, int n_ranks, int n_nodes, const char *text)
{
    struct ct_error err = {.text = ""};
    fake_layout(&made->fake, n_ranks, n_nodes);
    if (find_paths(made, text, &err) != CT_OK)
        fail_msg("%s", err.text);
}

/* Leaves of two nodes: 1 switch within, 3 between; rank r is on node r modulo 4. */
static void classes_of_paths_are_switches_between_nodes(void **state)
{
    (void)state;
    struct made made;
    make_paths(&made, 6, 4, "tree:2x2");
    static const struct ct_path_row expected[] = {{0, 4, 0}, {1, 5, 0}, {0, 1, 1}, {0, 2, 3},
                                                  {0, 3, 3}, {1, 2, 3}, {1, 3, 3}, {2, 3, 1}};
    assert_int_equal(made.n, sizeof expected / sizeof *expected);
    for (size_t i = 0; i < made.n; i++) {
        assert_int_equal(made.paths[i].rank_a, expected[i].rank_a);
        assert_int_equal(made.paths[i].rank_b, expected[i].rank_b);
        assert_int_equal(made.paths[i].path_class, expected[i].path_class);
    }
    free(made.paths);
    make_paths(&made, 3, 3, NULL);
    assert_int_equal(made.n, 3);
    for (size_t i = 0; i < made.n; i++)
        assert_int_equal(made.paths[i].path_class, 1);
    free(made.paths);
    make_paths(&made, 4, 1, NULL);
    assert_int_equal(made.n, 6);
    for (size_t i = 0; i < made.n; i++)
        assert_int_equal(made.paths[i].path_class, 0);
    free(made.paths);
}

/* A file names hosts, in any order; one that it does not name is an error. */
static void hosts_are_found_by_name(void **state)
{
    (void)state;
    static const char text[] = "SwitchName=a Nodes=x,z\nSwitchName=b Nodes=y\n"
                               "SwitchName=c Switches=a,b\n";
    char file[] = "/tmp/topology-XXXXXX";
    struct made made;
    struct ct_error err;
    int fd = mkstemp(file);
    assert_int_equal(write(fd, text, sizeof text - 1), sizeof text - 1);
    assert_int_equal(close(fd), 0);
    fake_layout(&made.fake, 3, 3);
    snprintf(made.fake.host_of_node[0], CT_HOST_MAX, "x");
    snprintf(made.fake.host_of_node[1], CT_HOST_MAX, "y");
    snprintf(made.fake.host_of_node[2], CT_HOST_MAX, "z");
    assert_int_equal(find_paths(&made, file, &err), CT_OK);
    assert_int_equal(made.n, 3);
    assert_int_equal(made.paths[0].path_class, 3); /* x, y */
    assert_int_equal(made.paths[1].path_class, 1); /* x, z */
    assert_int_equal(made.paths[2].path_class, 3); /* y, z */
    free(made.paths);
    snprintf(made.fake.host_of_node[1], CT_HOST_MAX, "w");
    assert_int_equal(find_paths(&made, file, &err), CT_EINVAL);
    assert_non_null(strstr(err.text, "no node is called w"));
    fake_layout(&made.fake, 4, 4);
    assert_int_equal(find_paths(&made, file, &err), CT_EINVAL);
    assert_non_null(strstr(err.text, "3 nodes; the run is on 4"));
    fake_layout(&made.fake, 1, 1);
    assert_int_equal(find_paths(&made, NULL, &err), CT_EINVAL);
    assert_int_equal(remove(file), 0);
}

/* In a lab hosts are nodes by their numbers, whichever of them take part. */
static void the_topology_of_a_lab_is_found(void **state)
{
    (void)state;
    struct made made;
    fake_layout(&made.fake, 3, 3);
    snprintf(made.fake.host_of_node[0], CT_HOST_MAX, "h2");
    snprintf(made.fake.host_of_node[1], CT_HOST_MAX, "h3");
    snprintf(made.fake.host_of_node[2], CT_HOST_MAX, "h4");
    assert_int_equal(setenv(CT_LAB_TOPOLOGY_VARIABLE, "tree:2x2", 1), 0);
    assert_int_equal(find_paths(&made, NULL, NULL), CT_OK);
    assert_int_equal(unsetenv(CT_LAB_TOPOLOGY_VARIABLE), 0);
    assert_int_equal(made.paths[0].path_class, 3);
    assert_int_equal(made.paths[1].path_class, 3);
    assert_int_equal(made.paths[2].path_class, 1);
    free(made.paths);
}

static void check_classes(const struct made *made, uint64_t per_class, bool swap, bool sequential)
{
    struct ct_logp_plan plan;
    size_t of_class[8] = {0}, there_are[8] = {0}, n = 0;
    assert_int_equal(
        ct_logp_plan_make_classes(made->paths, made->n, per_class, swap, sequential, &plan, NULL),
        CT_OK);
    for (size_t i = 0; i < made->n; i++)
        there_are[made->paths[i].path_class]++;
    for (size_t i = 0; i < plan.n; i++) {
        const struct ct_logp_meeting *meeting = &plan.meetings[i];
        uint32_t from = (uint32_t)meeting->rank_from, to = (uint32_t)meeting->rank_to;
        assert_true(meeting->round >= 0 && meeting->round < plan.n_rounds);
        assert_true(i == 0 || meeting->round >= plan.meetings[i - 1].round);
        for (size_t k = 0; k < made->n; k++)
            if (made->paths[k].rank_a == (from < to ? from : to) &&
                made->paths[k].rank_b == (from < to ? to : from))
                of_class[made->paths[k].path_class]++;
        for (size_t k = 0; k < i; k++) {
            const struct ct_logp_meeting *other = &plan.meetings[k];
            bool same =
                other->rank_from == meeting->rank_from && other->rank_to == meeting->rank_to;
            bool shares =
                other->rank_from == meeting->rank_from || other->rank_from == meeting->rank_to ||
                other->rank_to == meeting->rank_from || other->rank_to == meeting->rank_to;
            assert_false(same);
            assert_false(other->round == meeting->round && (shares || sequential));
        }
    }
    for (size_t c = 0; c < 8; c++) {
        size_t expected = there_are[c] < per_class ? there_are[c] : (size_t)per_class;
        assert_int_equal(of_class[c], expected * (swap ? 2 : 1));
        n += of_class[c];
    }
    assert_int_equal(n, plan.n);
    assert_true(!sequential || plan.n_rounds == (int)plan.n);
    ct_logp_plan_free(&plan);
}

/* As many of each class as asked for or as there are, and no rank twice in a round. */
static void some_of_every_class_meet(void **state)
{
    (void)state;
    static const struct {
        int n_ranks, n_nodes;
        const char *text;
    } rows[] = {{6, 4, "tree:2x2"},  {16, 16, "fat-tree:4x3"},
                {24, 8, "tree:4x2"}, {5, 1, NULL},
                {9, 9, NULL},        {2, 2, NULL}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct made made;
        make_paths(&made, rows[i].n_ranks, rows[i].n_nodes, rows[i].text);
        for (uint64_t per_class = 1; per_class <= 5; per_class += 2)
            for (int flags = 0; flags < 4; flags++)
                check_classes(&made, per_class, flags & 1, flags & 2);
        free(made.paths);
    }
}

/* Of a class the pairs that share no rank come first. */
static void pairs_of_a_class_are_spread(void **state)
{
    (void)state;
    struct made made;
    struct ct_logp_plan plan;
    make_paths(&made, 8, 8, NULL);
    assert_int_equal(ct_logp_plan_make_classes(made.paths, made.n, 4, false, false, &plan, NULL),
                     CT_OK);
    assert_int_equal(plan.n, 4);
    assert_int_equal(plan.n_rounds, 1);
    ct_logp_plan_free(&plan);
    assert_int_equal(ct_logp_plan_make_classes(NULL, 0, 4, false, false, &plan, NULL), CT_EINVAL);
    free(made.paths);
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
        cmocka_unit_test(classes_of_paths_are_switches_between_nodes),
        cmocka_unit_test(hosts_are_found_by_name),
        cmocka_unit_test(the_topology_of_a_lab_is_found),
        cmocka_unit_test(some_of_every_class_meet),
        cmocka_unit_test(pairs_of_a_class_are_spread),
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
