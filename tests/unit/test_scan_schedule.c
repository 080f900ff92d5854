/* Pairs of a scan meet once each; texts of its cells. */
#include "bench/scan/scan_schedule.h"
#include "results/scan_setting.h"
#include "tests/unit/unit.h"

#include <string.h>

enum { NODES_MAX = 33 };

static void each_pair_meets_once(void **state)
{
    (void)state;
    for (int n = 1; n <= NODES_MAX; n++) {
        int met[NODES_MAX][NODES_MAX] = {{0}};
        for (int step = 0; step < ct_scan_steps(n); step++)
            for (int node = 0; node < n; node++) {
                int partner = ct_scan_partner(n, step, node);
                assert_in_range(partner + 1, 0, n);
                assert_int_not_equal(partner, node);
                if (partner >= 0) {
                    assert_int_equal(ct_scan_partner(n, step, partner), node);
                    met[node][partner]++;
                }
            }
        for (int a = 0; a < n; a++)
            for (int b = 0; b < n; b++)
                assert_int_equal(met[a][b], a != b);
    }
}

/* Each node is in one part, at a place of its own; parts differ by one node at most. */
static void check_parts(enum ct_scan_congestor congestor, int n_nodes, uint64_t seed)
{
    int part_of[128], place_of[128], size_of[128] = {0}, n_parts, first = n_nodes - 1;
    bool is_taken[128][128] = {{false}};
    n_parts = ct_scan_part_count(congestor, n_nodes);
    assert_int_equal(
        ct_scan_part_divide(congestor, n_nodes, seed, &first, 1, part_of, place_of, NULL), CT_OK);
    for (int node = 0; node < n_nodes; node++) {
        assert_in_range(part_of[node], 0, n_parts - 1);
        size_of[part_of[node]]++;
    }
    for (int part = 0; part < n_parts; part++)
        assert_in_range(size_of[part], n_nodes / n_parts, (n_nodes + n_parts - 1) / n_parts);
    for (int node = 0; node < n_nodes; node++) {
        assert_in_range(place_of[node], 0, size_of[part_of[node]] - 1);
        assert_false(is_taken[part_of[node]][place_of[node]]);
        is_taken[part_of[node]][place_of[node]] = true;
    }
    if (congestor == CT_SCAN_WITH_INCAST)
        assert_true(part_of[first] == 0 && place_of[first] == 0);
}

static void parts_have_all_nodes(void **state)
{
    (void)state;
    for (int n = 2; n <= 128; n++)
        for (int k = CT_SCAN_WITH_NONE + 1; k < CT_N_SCAN_LOADS; k++)
            if (k != CT_SCAN_WITH_GPCNET || n >= CT_SCAN_GPCNET_NODES)
                check_parts((enum ct_scan_congestor)k, n, (uint64_t)n * 0x9E3779B97F4A7C15u);
}

/* The load of an incast on the network grows with the network. */
static void incasts_are_as_large_on_more_nodes(void **state)
{
    (void)state;
    static const int nodes[] = {2, 12, 23, 24, 26, 52, 102}, parts[] = {1, 1, 1, 2, 2, 4, 8};
    for (size_t i = 0; i < sizeof nodes / sizeof *nodes; i++) {
        assert_int_equal(ct_scan_part_count(CT_SCAN_WITH_INCAST, nodes[i]), parts[i]);
        assert_int_equal(ct_scan_part_count(CT_SCAN_WITH_ALLTOALL, nodes[i]), 1);
    }
    /* Their first nodes are spread: those of four parts of 52 nodes are 13 apart. */
    int part_of[52], place_of[52], last = -1;
    assert_int_equal(
        ct_scan_part_divide(CT_SCAN_WITH_INCAST, 52, 7, NULL, 0, part_of, place_of, NULL), CT_OK);
    for (int node = 0; node < 52; node++)
        if (place_of[node] == 0) {
            if (last >= 0)
                assert_int_equal(node - last, 13);
            last = node;
        }
}

static void cases_keep_their_text(void **state)
{
    (void)state;
    static const char *const texts[] = {"latency:none",
                                        "bandwidth:incast",
                                        "allreduce:allreduce",
                                        "latency:alltoall:1ms/10ms",
                                        "latency:broadcast:0.5",
                                        "bandwidth:bisection:100us/1s:0.125",
                                        "bandwidth:gpcnet",
                                        "latency:compression:P=1,M=10,B=100us",
                                        "bandwidth:compression:P=17,M=1,B=0s"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct ct_scan_case parsed;
        char text[CT_SCAN_TEXT_MAX];
        assert_int_equal(ct_scan_case_parse(texts[i], &parsed, NULL), CT_OK);
        ct_scan_case_format(&parsed, text);
        assert_string_equal(text, texts[i]);
    }
}

static void bad_cases_are_refused(void **state)
{
    (void)state;
    static const char *const texts[] = {"",
                                        "latency",
                                        "latency:",
                                        ":incast",
                                        "speed:incast",
                                        "latency:storm",
                                        "latency:none:0.5",
                                        "latency:none:1ms/1ms",
                                        "latency:incast:",
                                        "latency:incast:0",
                                        "latency:incast:1.5",
                                        "latency:incast:nan",
                                        "latency:incast:1ms",
                                        "latency:incast:1ms/",
                                        "latency:incast:1ms/2s",
                                        "latency:incast:10us/1ms",
                                        "latency:incast:0.5:1ms/1ms",
                                        "latency:incast:1ms/1ms:0.5:1",
                                        "latency:compression",
                                        "latency:compression:0.5",
                                        "latency:compression:P=1,M=1",
                                        "latency:compression:P=0,M=1,B=1us",
                                        "latency:compression:P=1,M=1001,B=1us",
                                        "latency:compression:P=1,M=1,B=2s",
                                        "latency:compression:P=1,M=1,B=1us:0.5",
                                        "latency:compression:M=1,P=1,B=1us"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct ct_scan_case parsed;
        struct ct_error err;
        assert_int_equal(ct_scan_case_parse(texts[i], &parsed, &err), CT_EINVAL);
        assert_non_null(strstr(err.text, "CANARY:CONGESTOR"));
    }
}

static void settings_differ_in_each_part(void **state)
{
    (void)state;
    struct ct_scan_setting a = {.congestor = CT_SCAN_WITH_INCAST,
                                .burst_s = 1e-3,
                                .pause_s = 1e-2,
                                .intensity = 1},
                           b = a;
    b.burst_s *= 1.0001;
    assert_true(ct_scan_setting_same(&a, &b));
    b = a, b.congestor = CT_SCAN_WITH_ALLTOALL;
    assert_false(ct_scan_setting_same(&a, &b));
    b = a, b.burst_s = 2e-3;
    assert_false(ct_scan_setting_same(&a, &b));
    b = a, b.pause_s = 0;
    assert_false(ct_scan_setting_same(&a, &b));
    b = a, b.intensity = 0.5;
    assert_false(ct_scan_setting_same(&a, &b));
    b = a, b.partners = 1;
    assert_false(ct_scan_setting_same(&a, &b));
    b = a, b.messages = 1;
    assert_false(ct_scan_setting_same(&a, &b));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_pair_meets_once),
        cmocka_unit_test(parts_have_all_nodes),
        cmocka_unit_test(incasts_are_as_large_on_more_nodes),
        cmocka_unit_test(cases_keep_their_text),
        cmocka_unit_test(bad_cases_are_refused),
        cmocka_unit_test(settings_differ_in_each_part),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
