/* What a scan measures: nodes, cases, order; switches by a topology and by latencies; scan.json. */
#include "campaign/scan_network.h"
#include "campaign/scan_plan.h"
#include "campaign/scan_survey.h"
#include "study/scan_file.h"
#include "tests/unit/unit.h"
#include "topology/read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NODES_MAX = 200 };

static const struct ct_scan_pace pace = {.cell_s = 1, .extra_s = 0.25, .start_s = 3};

/* n nodes, on switches of so many each; 0: no switch is known. */
static struct ct_scan make_scan(size_t n, size_t per_switch)
{
    struct ct_scan scan = {.n_nodes = n,
                           .nodes = calloc(n, sizeof *scan.nodes),
                           .path_class = calloc(n * n, sizeof *scan.path_class)};
    for (size_t i = 0; i < n; i++) {
        assert_true(asprintf(&scan.nodes[i].name, "h%zu", i + 1) > 0);
        if (per_switch > 0)
            assert_true(asprintf(&scan.nodes[i].switch_name, "leaf%zu", i / per_switch) > 0);
    }
    return scan;
}

static size_t count_marked(const bool *is_canary, size_t from, size_t n)
{
    size_t count = 0;
    for (size_t i = from; i < from + n; i++)
        count += is_canary[i];
    return count;
}

static void a_fifth_measures(void **state)
{
    (void)state;
    static const struct {
        size_t n, canaries;
    } cases[] = {{4, 2},  {5, 2},  {7, 2},   {8, 4},    {9, 4},
                 {20, 4}, {32, 6}, {64, 12}, {128, 26}, {1000, 200}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(ct_scan_plan_canaries(cases[i].n), cases[i].canaries);
    for (size_t n = CT_SCAN_NODES_MIN; n < 2000; n++) {
        assert_int_equal(ct_scan_plan_canaries(n) % 2, 0);
        assert_true(n - ct_scan_plan_canaries(n) >= 2);
    }
}

static void canaries_are_spread_over_switches(void **state)
{
    (void)state;
    static const size_t per_switch[] = {0, 1, 2, 4, 8, 100};
    bool is_canary[NODES_MAX];
    for (size_t n = CT_SCAN_NODES_MIN; n <= 40; n += 3)
        for (size_t s = 0; s < sizeof per_switch / sizeof *per_switch; s++) {
            struct ct_scan scan = make_scan(n, per_switch[s]);
            assert_int_equal(ct_scan_plan_divide(&scan, 7, is_canary, NULL), CT_OK);
            assert_int_equal(count_marked(is_canary, 0, n), ct_scan_plan_canaries(n));
            ct_scan_free(&scan);
        }
    /* Two leaves of four: two canaries on each; four leaves of two: one on each. */
    struct ct_scan two = make_scan(8, 4), four = make_scan(8, 2);
    for (uint64_t seed = 0; seed < 50; seed++) {
        assert_int_equal(ct_scan_plan_divide(&two, seed, is_canary, NULL), CT_OK);
        assert_int_equal(count_marked(is_canary, 0, 4), 2);
        assert_int_equal(ct_scan_plan_divide(&four, seed, is_canary, NULL), CT_OK);
        for (size_t leaf = 0; leaf < 4; leaf++)
            assert_int_equal(count_marked(is_canary, 2 * leaf, 2), 1);
    }
    ct_scan_free(&two);
    ct_scan_free(&four);
}

static void seeds_draw_other_nodes(void **state)
{
    (void)state;
    struct ct_scan scan = make_scan(16, 4);
    bool first[NODES_MAX], again[NODES_MAX], other[NODES_MAX];
    size_t n_differing = 0;
    assert_int_equal(ct_scan_plan_divide(&scan, 1, first, NULL), CT_OK);
    assert_int_equal(ct_scan_plan_divide(&scan, 1, again, NULL), CT_OK);
    assert_memory_equal(first, again, scan.n_nodes * sizeof *first);
    for (uint64_t seed = 2; seed < 12; seed++) {
        assert_int_equal(ct_scan_plan_divide(&scan, seed, other, NULL), CT_OK);
        n_differing += memcmp(first, other, scan.n_nodes * sizeof *first) != 0;
    }
    assert_true(n_differing >= 8);
    ct_scan_free(&scan);
}

/* Two canaries of a switch are neighbours, the last one and the first counted; incasts gather
 * beside canaries, on one switch after the other. */
static void canaries_are_neighbours_and_roots_beside_them(void **state)
{
    (void)state;
    struct ct_scan scan = make_scan(32, 4);
    bool is_canary[NODES_MAX];
    size_t roots[NODES_MAX], n_roots;
    for (uint64_t seed = 0; seed < 50; seed++) {
        assert_int_equal(ct_scan_plan_divide(&scan, seed, is_canary, NULL), CT_OK);
        for (size_t from = 0; from < 32; from += 4) {
            size_t n = count_marked(is_canary, from, 4);
            assert_true(n == 0 || n == 2);
            assert_false(is_canary[from] && is_canary[from + 2]);
            assert_false(is_canary[from + 1] && is_canary[from + 3]);
        }
        assert_int_equal(ct_scan_plan_roots(&scan, seed, is_canary, 5, roots, &n_roots, NULL),
                         CT_OK);
        assert_int_equal(n_roots, 5);
        size_t n_on_switch[8] = {0};
        for (size_t i = 0; i < n_roots; i++) {
            assert_false(is_canary[roots[i]]);
            n_on_switch[roots[i] / 4]++;
        }
        for (size_t k = 0; k < 8; k++)
            assert_true(count_marked(is_canary, 4 * k, 4) == 2
                            ? n_on_switch[k] == 1 || n_on_switch[k] == 2
                            : n_on_switch[k] == 0);
        /* Two of each of the three switches, and no more. */
        assert_int_equal(ct_scan_plan_roots(&scan, seed, is_canary, 9, roots, &n_roots, NULL),
                         CT_OK);
        assert_int_equal(n_roots, 6);
    }
    ct_scan_free(&scan);
}

static size_t count_kind(const struct ct_scan_case *cases, size_t n, bool is_burst)
{
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        count += (cases[i].setting.burst_s > 0) == is_burst;
    return count;
}

static void more_time_measures_more(void **state)
{
    (void)state;
    struct ct_scan_case *cases = NULL;
    struct ct_error err;
    size_t n = 0, n_before = 0;
    assert_int_equal(ct_scan_plan_cases(60, false, &pace, &cases, &n, &err), CT_EINVAL);
    assert_non_null(strstr(err.text, "--time"));
    static const double times_s[] = {120, 300, 600, 900, 3600};
    for (size_t i = 0; i < sizeof times_s / sizeof *times_s; i++) {
        assert_int_equal(ct_scan_plan_cases(times_s[i], false, &pace, &cases, &n, NULL), CT_OK);
        assert_true(n >= n_before);
        assert_true(CT_SCAN_ROUNDS_MIN *
                        ct_scan_plan_round_s(&pace, ct_scan_plan_count(cases, n)) <=
                    times_s[i]);
        n_before = n;
        if (times_s[i] == 120)
            assert_int_equal(count_kind(cases, n, true), 0);
        free(cases);
    }
    /* Every canary beside every congestor and GPCNeT's, four maps of nine, half of the intensity,
       and two canaries beside twelve configurations. */
    assert_int_equal(n, 15 + 3 + 36 + 15 + 24);
}

/* What the seal of a kit predicts: in fifteen minutes one workload, beside twelve configurations
 * and five congestors; in an hour two, and no cell twice. */
static void a_kit_has_workloads(void **state)
{
    (void)state;
    static const double times_s[] = {120, 900, 3600};
    static const size_t n_expected[] = {0, 17, 34};
    for (size_t i = 0; i < sizeof times_s / sizeof *times_s; i++) {
        struct ct_scan_case *cases = NULL;
        size_t n = 0, n_workloads = 0;
        assert_int_equal(ct_scan_plan_cases(times_s[i], true, &pace, &cases, &n, NULL), CT_OK);
        for (size_t k = 0; k < n; k++) {
            n_workloads += ct_scan_is_workload(cases[k].canary);
            for (size_t j = 0; j < k; j++)
                assert_false(cases[j].canary == cases[k].canary &&
                             ct_scan_setting_same(&cases[j].setting, &cases[k].setting));
        }
        assert_int_equal(n_workloads, n_expected[i]);
        assert_true(CT_SCAN_ROUNDS_MIN *
                        ct_scan_plan_round_s(&pace, ct_scan_plan_count(cases, n)) <=
                    times_s[i]);
        free(cases);
    }
}

static void baselines_are_between(void **state)
{
    (void)state;
    struct ct_scan_case *cases, *cells, *again;
    size_t n, n_cells, n_again;
    assert_int_equal(ct_scan_plan_cases(3600, false, &pace, &cases, &n, NULL), CT_OK);
    for (size_t take = 1; take <= n; take += 5) {
        size_t since[CT_N_SCAN_CANARIES] = {0}, n_loaded = 0;
        bool is_seen[CT_N_SCAN_CANARIES] = {false};
        assert_int_equal(ct_scan_plan_order(cases, take, 3, &cells, &n_cells, NULL), CT_OK);
        assert_int_equal(n_cells, ct_scan_plan_count(cases, take));
        for (size_t i = 0; i < n_cells; i++) {
            int canary = (int)cells[i].canary;
            if (cells[i].setting.congestor == CT_SCAN_WITH_NONE) {
                is_seen[canary] = true;
                since[canary] = 0;
                continue;
            }
            assert_true(is_seen[canary]);
            n_loaded++;
            for (int c = 0; c < CT_N_SCAN_CANARIES; c++)
                assert_true(++since[c] <= CT_SCAN_BASELINE_EVERY || !is_seen[c]);
        }
        assert_int_equal(n_loaded, take);
        assert_int_equal(cells[n_cells - 1].setting.congestor, CT_SCAN_WITH_NONE);
        assert_int_equal(ct_scan_plan_order(cases, take, 3, &again, &n_again, NULL), CT_OK);
        assert_int_equal(n_again, n_cells);
        for (size_t i = 0; i < n_cells; i++)
            assert_true(again[i].canary == cells[i].canary &&
                        ct_scan_setting_same(&again[i].setting, &cells[i].setting));
        free(cells);
        free(again);
    }
    free(cases);
}

static void a_topology_names_switches(void **state)
{
    (void)state;
    struct ct_topology_settings settings = ct_topology_defaults();
    struct ct_topology topology;
    struct ct_scan scan = make_scan(8, 0);
    assert_int_equal(ct_topology_open("tree:2x4,2", &settings, &topology, NULL), CT_OK);
    assert_int_equal(ct_scan_network_take(&topology, CT_PLACES_OF_LAB, &scan, NULL), CT_OK);
    assert_string_equal(scan.nodes[0].switch_name, scan.nodes[3].switch_name);
    assert_string_not_equal(scan.nodes[0].switch_name, scan.nodes[4].switch_name);
    for (size_t a = 0; a < 8; a++)
        for (size_t b = 0; b < 8; b++)
            assert_int_equal(scan.path_class[a * 8 + b], a == b ? 0 : a / 4 == b / 4 ? 1 : 3);
    ct_topology_free(&topology);
    ct_scan_free(&scan);
}

/* Nodes i and k are near each other where i % n_groups == k % n_groups. */
static void fill_latencies(double *latency_s, size_t n, size_t n_groups, double far_s)
{
    for (size_t a = 0; a < n; a++)
        for (size_t b = 0; b < n; b++)
            latency_s[a * n + b] = a == b ? NAN
                                          : (a % n_groups == b % n_groups ? 1e-6 : far_s) *
                                                (1 + 1e-3 * (double)((a + b) % 5));
}

static void latencies_make_groups(void **state)
{
    (void)state;
    double latency_s[64];
    struct ct_scan scan = make_scan(8, 0);
    fill_latencies(latency_s, 8, 2, 1.05e-6); /* too near to tell */
    assert_false(ct_scan_network_group(latency_s, &scan));
    assert_null(scan.nodes[0].switch_name);
    fill_latencies(latency_s, 8, 2, 1.5e-6);
    latency_s[0 * 8 + 1] = latency_s[1 * 8 + 0] = 1e-6; /* near, but in another group */
    assert_false(ct_scan_network_group(latency_s, &scan));
    fill_latencies(latency_s, 8, 2, 1.5e-6);
    assert_true(ct_scan_network_group(latency_s, &scan));
    assert_string_equal(scan.nodes[0].switch_name, "group 1");
    assert_string_equal(scan.nodes[1].switch_name, "group 2");
    for (size_t a = 0; a < 8; a++)
        for (size_t b = 0; b < 8; b++)
            assert_int_equal(scan.path_class[a * 8 + b], a == b ? 0 : a % 2 == b % 2 ? 1 : 2);
    ct_scan_free(&scan);
}

static const char document[] =
    "{\"scan\": 1, \"launcher\": \"lab\", \"switches_of\": \"Slurm\", \"seed\": "
    "\"18446744073709551615\", \"time_s\": 900, \"half_width_frac\": 0.05, \"slots\": 2, "
    ""
    "\"message_bytes\": 4096, "
    "\"reason_ended\": \"\", \"cases\": [\"latency:incast\"], \"nodes\": [{\"name\": \"a\", "
    "\"switch\": \"s\"}, {\"name\": \"b\"}], \"paths\": [\"03\", \"30\"]}";

static void a_plan_is_read(void **state)
{
    (void)state;
    struct ct_scan scan;
    struct ct_error err;
    if (ct_scan_file_parse(document, strlen(document), "x", &scan, &err) != CT_OK)
        fail_msg("%s", err.text);
    assert_true(scan.asked.seed == UINT64_MAX);
    assert_int_equal(scan.asked.slots, 2);
    assert_int_equal(scan.n_nodes, 2);
    assert_string_equal(scan.nodes[0].switch_name, "s");
    assert_null(scan.nodes[1].switch_name);
    assert_int_equal(scan.path_class[1], 3);
    assert_int_equal(scan.n_cases, 1);
    assert_int_equal(scan.cases[0].setting.congestor, CT_SCAN_WITH_INCAST);
    assert_false(scan.is_complete);
    ct_scan_free(&scan);
}

/* Each change makes another member wrong. */
static void bad_plans_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *from, *to, *named;
    } changes[] = {{"\"scan\": 1", "\"scan\": 2", "'scan'"},
                   {"\"lab\"", "7", "'launcher'"},
                   {"\"18446744073709551615\"", "\"x\"", "'seed'"},
                   {"900", "-1", "'time_s'"},
                   {"\"slots\": 2", "\"slots\": 0", "'slots'"},
                   {"latency:incast", "latency:storm", "'cases'"},
                   {"[\"latency:incast\"]", "7", "'cases'"},
                   {"\"name\": \"b\"", "\"named\": \"b\"", "'nodes'"},
                   {"\"30\"", "\"3\"", "'paths'"},
                   {"\"30\"", "\"3?\"", "'paths'"},
                   {", \"30\"]", "]", "'paths'"},
                   {"\"paths\"", "\"path\"", "'paths'"},
                   {"}", "", "JSON"}};
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        char text[1024];
        struct ct_scan scan;
        struct ct_error err;
        const char *at = strstr(document, changes[i].from);
        assert_non_null(at);
        snprintf(text, sizeof text, "%.*s%s%s", (int)(at - document), document, changes[i].to,
                 at + strlen(changes[i].from));
        assert_int_equal(ct_scan_file_parse(text, strlen(text), "x", &scan, &err), CT_EFORMAT);
        assert_non_null(strstr(err.text, changes[i].named));
    }
}

/* A simulation that is continued with other rates would be another network. */
static void a_scan_is_continued_on_its_network(void **state)
{
    (void)state;
    static const struct {
        const char *topology, *known;
        double rate, uplink, wire_s;
        const char *why; /* NULL: it is the same */
    } cases[] = {
        {"tree:2x4,2", "", 1e11, 1e11, 5e-7, NULL},
        {"tree:2x4,2", "", 1e11, 5e10, 5e-7,
         "has a scan of links of 100gbit, 100gbit between switches, 500ns, and this is one of "
         "links of 100gbit, 50gbit between switches, 500ns: continue it with the same --rate, "
         "--uplink and --wire"},
        {"tree:2x4,2", "", 5e10, 1e11, 5e-7, "links of 50gbit, 100gbit"},
        {"tree:2x4,2", "", 1e11, 1e11, 1e-6, "between switches, 1us"},
        {"tree:2x4,1", "", 1e11, 1e11, 5e-7, "known by 'tree:2x4,2', which 'tree:2x4,1' is not"},
        {"tree:2x4,2", "tree:2x4,1", 1e11, 1e11, 5e-7, "which 'tree:2x4,1' is not"}};
    struct ct_campaign_spec spec = {.launcher = {.kind = CT_LAUNCHER_SIMGRID,
                                                 .topology = "tree:2x4,2",
                                                 .hosts = 8,
                                                 .rate_bit_per_s = 1e11,
                                                 .uplink_bit_per_s = 1e11,
                                                 .has_uplink = true,
                                                 .latency_s = 5e-7}};
    struct ct_launcher launcher = {.spec = &spec, .folder = "sheet"};
    char network[CT_SCAN_NETWORK_MAX];
    ct_scan_survey_network(&spec.launcher, network);
    struct ct_scan scan = make_scan(8, 4);
    scan.asked.network = network;
    scan.asked.switches_of = "tree:2x4,2";
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct ct_error err;
        spec.launcher.topology = cases[i].topology;
        spec.launcher.rate_bit_per_s = cases[i].rate;
        spec.launcher.uplink_bit_per_s = cases[i].uplink;
        spec.launcher.latency_s = cases[i].wire_s;
        enum ct_status status = ct_scan_survey_check(&launcher, cases[i].known, &scan, &err);
        assert_int_equal(status, cases[i].why ? CT_EEXIST : CT_OK);
        if (cases[i].why && !strstr(err.text, cases[i].why))
            fail_msg("%s", err.text);
    }
    spec.launcher.kind = CT_LAUNCHER_MPIEXEC;
    assert_int_equal(ct_scan_survey_check(&launcher, "", &scan, NULL), CT_EEXIST);
    scan.asked.network = NULL; /* of an earlier version */
    assert_int_equal(ct_scan_survey_check(&launcher, "", &scan, NULL), CT_OK);
    scan.asked.switches_of = NULL;
    ct_scan_free(&scan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_scan_is_continued_on_its_network),
        cmocka_unit_test(canaries_are_neighbours_and_roots_beside_them),
        cmocka_unit_test(a_fifth_measures),
        cmocka_unit_test(canaries_are_spread_over_switches),
        cmocka_unit_test(seeds_draw_other_nodes),
        cmocka_unit_test(more_time_measures_more),
        cmocka_unit_test(a_kit_has_workloads),
        cmocka_unit_test(baselines_are_between),
        cmocka_unit_test(a_topology_names_switches),
        cmocka_unit_test(latencies_make_groups),
        cmocka_unit_test(a_plan_is_read),
        cmocka_unit_test(bad_plans_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
