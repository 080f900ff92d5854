/* lab/plan: switches, links, tables and names of labs with several switches. */
#include "lab/like.h"
#include "lab/plan.h"
#include "tests/unit/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct ct_lab_spec spec_of(const char *text, uint64_t spines, double uplink_bit_per_s)
{
    struct ct_lab_spec spec = CT_LAB_SPEC_DEFAULT;
    struct ct_error err = {.text = ""};
    spec.n_hosts = 0;
    if (ct_lab_spec_topology(text, spines, uplink_bit_per_s, &spec, &err) != CT_OK)
        fail_msg("%s: %s", text, err.text);
    return spec;
}

static struct ct_lab_plan *plan_of(const struct ct_lab_spec *spec)
{
    struct ct_lab_plan *plan;
    struct ct_error err = {.text = ""};
    if (ct_lab_plan_new(spec, &plan, &err) != CT_OK)
        fail_msg("%s: %s", spec->topology, err.text);
    return plan;
}

/* ---- settings ---- */

static void the_same_network_has_the_same_text(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint64_t spines;
        const char *expected;
        unsigned hosts;
    } rows[] = {{"tree:4x4", 2, "tree:4x4,2", 16},
                {"tree:4x4,2", 0, "tree:4x4,2", 16},
                {"tree:4x4,2", 2, "tree:4x4,2", 16},
                {"tree:2x3", 0, "tree:2x3,1", 6},
                {"fat-tree:4", 0, "fat-tree:4", 16},
                {"switch:5", 0, "", 5},
                {"dragonfly:4,2,2", 0, "dragonfly:4,2,2", 16}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct ct_lab_spec spec = spec_of(rows[i].text, rows[i].spines, NAN);
        assert_string_equal(spec.topology, rows[i].expected);
        assert_int_equal(spec.n_hosts, rows[i].hosts);
        assert_near(spec.uplink_bit_per_s, *rows[i].expected ? spec.rate_bit_per_s : 0, 0);
    }
    assert_near(spec_of("tree:4x4", 1, 20e6).uplink_bit_per_s, 20e6, 0);
}

static void what_a_lab_cannot_have_is_named(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint64_t spines, hosts;
        double uplink_bit_per_s;
        enum ct_status status;
        const char *says;
    } rows[] = {
        {"tree:1x4", 2, 0, NAN, CT_EINVAL, "two leaves or more, or 'switch:4'"},
        {"xgft:4,1/1,2", 0, 0, NAN, CT_EINVAL, "on one switch"},
        {"tree:9x8", 0, 0, NAN, CT_EINVAL, "72 hosts: 2 to 64"},
        {"switch:1", 0, 0, NAN, CT_EINVAL, "1 hosts: 2 to 64"},
        {"tree:16x4", 17, 0, NAN, CT_EINVAL, "33 switches and 272 links"},
        {"tree:2x4", UINT64_MAX, 0, NAN, CT_EINVAL, "spines: too many"},
        {"xgft:4,4/2,2", 0, 0, NAN, CT_EINVAL, "its hosts have 2 links"},
        {"tree:4x4", 0, 8, NAN, CT_EUSAGE, "has 16 hosts, not 8"},
        {"tree:4x4,2", 3, 0, NAN, CT_EUSAGE, "has 2 spines, not 3"},
        {"tree:4x4", 0, 0, 0, CT_EINVAL, "uplink 0 bit/s: 100kbit to 10gbit"},
        {"tree:4x4", 0, 0, -INFINITY, CT_EINVAL, "uplink -inf"},
        {"tree:4x4", 0, 0, 2e10, CT_EINVAL, "uplink 2e+10"},
        {"switch:4", 0, 0, 1e7, CT_EUSAGE, "no uplinks"},
        {"torus:1x1x1x1x1x2,000000000000000000000000000000004", 0, 0, NAN, CT_EINVAL, "too long"},
        {"tree", 0, 0, NAN, CT_EUSAGE, "write tree:LEAVESxHOSTS"},
        {"", 0, 0, NAN, CT_EUSAGE, "neither switch:N"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct ct_lab_spec spec = CT_LAB_SPEC_DEFAULT;
        struct ct_error err = {.text = ""};
        spec.n_hosts = rows[i].hosts;
        const struct ct_lab_spec before = spec;
        enum ct_status status = ct_lab_spec_topology(rows[i].text, rows[i].spines,
                                                     rows[i].uplink_bit_per_s, &spec, &err);
        if (status != rows[i].status || !strstr(err.text, rows[i].says))
            fail_msg("'%s': %d, %s", rows[i].text, status, err.text);
        assert_int_equal(spec.n_hosts, before.n_hosts);
        assert_string_equal(spec.topology, "");
    }
}

static void a_plan_needs_as_many_hosts_as_its_text_has(void **state)
{
    (void)state;
    struct ct_lab_plan *plan = NULL;
    struct ct_lab_spec spec = spec_of("tree:2x2", 0, NAN);
    spec.n_hosts = 5;
    assert_int_equal(ct_lab_plan_new(&spec, &plan, NULL), CT_EINVAL);
    assert_null(plan);
}

/* ---- the plan ---- */

static void one_switch_has_ports_only(void **state)
{
    (void)state;
    struct ct_lab_spec spec = CT_LAB_SPEC_DEFAULT;
    struct ct_lab_plan *plan = plan_of(&spec);
    assert_int_equal(plan->n_switches, 1);
    assert_int_equal(plan->n_links, 0);
    for (unsigned host = 0; host < 8; host++) {
        assert_int_equal(plan->switch_of[host], 0);
        assert_int_equal(plan->way[0][host].kind, CT_LAB_WAY_HOST);
    }
    assert_true(isnan(ct_lab_oversubscription(plan, &spec)));
    free(plan);
}

/* Leaves 0 to 3, spines 4 and 5; links leaf by leaf: 2 l to spine 0, 2 l + 1 to spine 1. */
static void a_tree_goes_up_by_the_destination(void **state)
{
    (void)state;
    struct ct_lab_spec spec = spec_of("tree:4x4", 2, NAN);
    struct ct_lab_plan *plan = plan_of(&spec);
    assert_int_equal(plan->n_switches, 6);
    assert_int_equal(plan->n_links, 8);
    assert_string_equal(plan->switch_name[3], "leaf3");
    assert_string_equal(plan->switch_name[4], "spine0");
    for (unsigned link = 0; link < 8; link++) {
        assert_int_equal(plan->link[link].at[0], link / 2);
        assert_int_equal(plan->link[link].at[1], 4 + link % 2);
        /* Up: all hosts of the leaf. Down: all of others. */
        uint64_t own = UINT64_C(0xf) << (4 * (link / 2));
        assert_true(plan->link[link].sources[0] == own);
        assert_true(plan->link[link].sources[1] == (0xffff & ~own));
    }
    for (unsigned host = 0; host < 16; host++) {
        unsigned leaf = host / 4, spine = host % 2;
        assert_int_equal(plan->switch_of[host], leaf);
        for (unsigned at = 0; at < 4; at++) {
            const struct ct_lab_way *way = &plan->way[at][host];
            assert_int_equal(way->kind, at == leaf ? CT_LAB_WAY_HOST : CT_LAB_WAY_LINK);
            if (at != leaf)
                assert_int_equal(way->link, 2 * at + spine);
            assert_int_equal(way->end, 0);
        }
        /* The other spine never sees what is for that host. */
        assert_int_equal(plan->way[4 + spine][host].kind, CT_LAB_WAY_LINK);
        assert_int_equal(plan->way[4 + spine][host].link, 2 * leaf + spine);
        assert_int_equal(plan->way[4 + spine][host].end, 1);
        assert_int_equal(plan->way[4 + !spine][host].kind, CT_LAB_WAY_NONE);
    }
    free(plan);
}

/* From every host to every other by the tables alone. */
static unsigned follow(const struct ct_lab_plan *plan, unsigned from, unsigned to)
{
    unsigned at = plan->switch_of[from], switches = 1;
    while (plan->way[at][to].kind != CT_LAB_WAY_HOST && switches <= plan->n_switches) {
        const struct ct_lab_way *way = &plan->way[at][to];
        assert_int_equal(way->kind, CT_LAB_WAY_LINK);
        const struct ct_lab_plan_link *link = &plan->link[way->link];
        assert_int_equal(link->at[way->end], at);
        assert_true(link->sources[way->end] >> from & 1);
        at = link->at[!way->end];
        switches++;
    }
    assert_int_equal(at, plan->switch_of[to]);
    return switches;
}

static void tables_lead_from_every_host_to_every_other(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        unsigned most; /* switches on the longest way */
    } rows[] = {{"tree:8x8,4", 3}, {"tree:3x5,7", 3},        {"tree:64x1,2", 3},
                {"fat-tree:4", 5}, {"dragonfly:4,2,2,2", 4}, {"dragonfly:3,4,5", 4},
                {"torus:4x4", 5},  {"torus:2x2x2,8", 4},     {"xgft:2,2,4/1,2,2", 5}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct ct_lab_spec spec = spec_of(rows[i].text, 0, NAN);
        struct ct_lab_plan *plan = plan_of(&spec);
        unsigned most = 0;
        for (unsigned from = 0; from < plan->n_hosts; from++)
            for (unsigned to = 0; to < plan->n_hosts; to++) {
                unsigned switches = from == to ? 0 : follow(plan, from, to);
                most = switches > most ? switches : most;
            }
        if (most != rows[i].most)
            fail_msg("%s: %u switches", rows[i].text, most);
        free(plan);
    }
}

static void oversubscription_is_by_rates(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double uplink_bit_per_s, expected;
    } rows[] = {{"tree:4x4,2", NAN, 2},   {"tree:4x4,2", 100e6, 1}, {"tree:4x4,2", 200e6, 0.5},
                {"tree:2x8,1", 10e6, 40}, {"fat-tree:4", NAN, 1},   {"torus:3x3", NAN, 0.25}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct ct_lab_spec spec = spec_of(rows[i].text, 0, rows[i].uplink_bit_per_s);
        struct ct_lab_plan *plan = plan_of(&spec);
        assert_near(ct_lab_oversubscription(plan, &spec), rows[i].expected, 1e-12);
        free(plan);
    }
}

/* ---- names ---- */

static void devices_have_names(void **state)
{
    (void)state;
    static const char *const others[] = {"u",   "u1",    "u0a", "ua",   "u1c", "u1ab", "p1",
                                         "sw0", "u257a", "lo",  "u-1a", "",    "u 1a"};
    char text[CT_LAB_DEVICE_MAX];
    size_t link = 99, end = 99;
    ct_lab_switch_device(127, text);
    assert_string_equal(text, "sw127");
    for (unsigned i = 0; i < 2 * CT_LAB_LINKS_MAX; i++) {
        ct_lab_link_device(i / 2, i % 2, text);
        assert_true(ct_lab_link_of_device(text, &link, &end));
        assert_int_equal(link, i / 2);
        assert_int_equal(end, i % 2);
    }
    assert_string_equal(text, "u256b");
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (ct_lab_link_of_device(others[i], &link, &end))
            fail_msg("'%s' is taken for a link", others[i]);
}

/* ---- labs that imitate a machine ---- */

/* Every time of the machine, times the factor: with G of each byte, headers counted. */
static void all_times_of_a_machine_are_longer_by_one_factor(void **state)
{
    (void)state;
    static const double factors[] = {3000, 5000, 17000};
    const struct ct_machine *hdr;
    struct ct_error err = {.text = ""};
    assert_int_equal(ct_machine_find("hdr", &hdr, &err), CT_OK);
    for (size_t i = 0; i < sizeof factors / sizeof *factors; i++) {
        struct ct_lab_spec spec = spec_of("tree:2x2,1", 0, NAN);
        double n = factors[i];
        if (n < 6300)
            spec = spec_of("switch:2", 0, NAN);
        assert_int_equal(ct_lab_spec_like("hdr", n, &spec, &err), CT_OK);
        double byte_s = 8 / spec.rate_bit_per_s;
        assert_near(byte_s * 1514, n * hdr->G_s * 1448, 1e-12);
        assert_near(spec.delay.latency_s + 86 * byte_s, n * hdr->leaf_s, 1e-9);
        assert_near(spec.like.overhead_s, n * hdr->o_s, 1e-12);
        assert_near(spec.like.link_latency_s, *spec.topology ? n * hdr->link_s : 0, 1e-12);
        assert_near(spec.uplink_bit_per_s, *spec.topology ? spec.rate_bit_per_s : 0, 0);
        struct ct_machine_groups lab = ct_lab_like_groups(&spec),
                                 machine = ct_machine_groups(hdr->leaf_s, hdr->o_s, hdr->G_s, 1448);
        assert_near(ct_machine_distance(&lab, &machine), 1, 1e-9);
    }
}

static void a_factor_that_is_not_possible_has_a_nearest(void **state)
{
    (void)state;
    static const struct {
        const char *machine, *topology, *text;
        double dilation;
    } rows[] = {
        {"qdr", "switch:8",
         "at most 20ms can be added; the nearest that a lab like qdr can have is 45000", 50000},
        {"qdr", "switch:8",
         "33,000 packets a second; the nearest that a lab like qdr can have is 670", 200},
        {"qdr", "switch:2",
         "at least 200us can be added; the nearest that a lab like qdr can have is 460", 100},
        {"ndr", "tree:4x4,2", "no dilation is possible with so many hosts: 34000 at least", 0},
        {"fdr", "switch:2", "'fdr': no such machine; there are qdr, hdr, ndr, slingshot11, 100gbe",
         0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct ct_lab_spec spec = spec_of(rows[i].topology, 0, NAN), before = spec;
        struct ct_error err = {.text = ""};
        assert_int_equal(ct_lab_spec_like(rows[i].machine, rows[i].dilation, &spec, &err),
                         CT_EINVAL);
        if (!strstr(err.text, rows[i].text))
            fail_msg("'%s' lacks '%s'", err.text, rows[i].text);
        assert_memory_equal(&spec, &before, sizeof spec);
    }
}

/* Noise counts the less the larger the factor is. */
static void without_a_factor_it_is_the_largest(void **state)
{
    (void)state;
    struct ct_error err = {.text = ""};
    for (size_t i = 0; i < CT_MACHINES_N; i++) {
        struct ct_lab_spec spec = spec_of("switch:4", 0, NAN);
        assert_string_equal(ct_machine_names[i], ct_machines[i].name);
        for (size_t j = 0; j < CT_MACHINE_VALUES; j++)
            assert_non_null(ct_machines[i].from[j]);
        assert_int_equal(ct_lab_spec_like(ct_machines[i].name, 0, &spec, &err), CT_OK);
        assert_true(spec.delay.latency_s <= CT_LAB_LATENCY_MAX_S);
        assert_true(spec.delay.latency_s > 0.9 * CT_LAB_LATENCY_MAX_S);
    }
    assert_null(ct_machine_names[CT_MACHINES_N]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_network_has_the_same_text),
        cmocka_unit_test(what_a_lab_cannot_have_is_named),
        cmocka_unit_test(a_plan_needs_as_many_hosts_as_its_text_has),
        cmocka_unit_test(one_switch_has_ports_only),
        cmocka_unit_test(a_tree_goes_up_by_the_destination),
        cmocka_unit_test(tables_lead_from_every_host_to_every_other),
        cmocka_unit_test(oversubscription_is_by_rates),
        cmocka_unit_test(devices_have_names),
        cmocka_unit_test(all_times_of_a_machine_are_longer_by_one_factor),
        cmocka_unit_test(a_factor_that_is_not_possible_has_a_nearest),
        cmocka_unit_test(without_a_factor_it_is_the_largest)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
