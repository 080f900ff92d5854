/* campaign/sides: which hosts programs get under each placement, what cannot be divided, which
 * links both sides use. */
#include "campaign/sides.h"
#include "tests/unit/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct ct_lab_plan *network_of(const char *topology)
{
    struct ct_lab_spec spec = CT_LAB_SPEC_DEFAULT;
    struct ct_lab_plan *plan = NULL;
    struct ct_error err;
    spec.n_hosts = 0;
    if (ct_lab_spec_topology(topology, 0, NAN, &spec, &err) != CT_OK ||
        ct_lab_plan_new(&spec, &plan, &err) != CT_OK)
        fail_msg("%s", err.text);
    return plan;
}

static struct ct_sides_network in(const struct ct_lab_plan *plan)
{
    return (struct ct_sides_network){plan->n_hosts, plan->switch_of, ct_sides_uplinks(plan)};
}

/* The sides as text: "1-2 3-4"; and the links they have in common. */
static void expect(enum ct_sides_kind kind, const char *topology, const char *first,
                   const char *second, size_t n_common)
{
    struct ct_lab_plan *plan = network_of(topology);
    struct ct_sides_network network = in(plan);
    struct ct_sides sides;
    struct ct_error err;
    if (ct_sides_make(kind, &network, true, 2, 7, &sides, &err) != CT_OK)
        fail_msg("%s: %s", topology, err.text);
    const char *const expected[2] = {first, second};
    for (size_t side = 0; side < 2; side++) {
        char *text = ct_sides_format(&sides, side);
        assert_string_equal(text, expected[side]);
        free(text);
    }
    assert_int_equal(ct_sides_meeting(&sides, plan), n_common);
    ct_sides_free(&sides);
    free(plan);
}

static void halves_of_leaves_do_not_meet(void **state)
{
    (void)state;
    expect(CT_SIDES_DISJOINT, "tree:2x2", "1-2", "3-4", 0);
    expect(CT_SIDES_DISJOINT, "tree:4x4,2", "1-8", "9-16", 0);
    expect(CT_SIDES_DISJOINT, "tree:2x3", "1-3", "4-6", 0);
    expect(CT_SIDES_DISJOINT, "fat-tree:4", "1-8", "9-16", 0);
    expect(CT_SIDES_DISJOINT, "switch:6", "1-3", "4-6", 0);
}

static void hosts_in_turn_meet_on_every_uplink(void **state)
{
    (void)state;
    /* Pairs: alternate hosts are reached over different spines. */
    expect(CT_SIDES_INTERLEAVED, "tree:4x4,2", "1-2,5-6,9-10,13-14", "3-4,7-8,11-12,15-16", 16);
    expect(CT_SIDES_INTERLEAVED, "tree:2x4", "1-2,5-6", "3-4,7-8", 4);
    expect(CT_SIDES_INTERLEAVED, "tree:2x8,4", "1-4,9-12", "5-8,13-16", 16);
    expect(CT_SIDES_INTERLEAVED, "tree:2x2", "1,3", "2,4", 4);
    expect(CT_SIDES_INTERLEAVED, "tree:2x3", "1,3,5", "2,4,6", 4);
    /* As many spines as hosts of a leaf: sides change places, and meet where hosts allow it. */
    expect(CT_SIDES_INTERLEAVED, "tree:2x2,2", "1,4", "2-3", 0);
    expect(CT_SIDES_INTERLEAVED, "tree:4x2,2", "1,4-5,8", "2-3,6-7", 8);
    expect(CT_SIDES_INTERLEAVED, "switch:8", "1-2,5-6", "3-4,7-8", 0);
    expect(CT_SIDES_INTERLEAVED, "switch:6", "1,3,5", "2,4,6", 0);
}

static void shared_hosts_are_the_same_twice(void **state)
{
    (void)state;
    expect(CT_SIDES_SHARED, "tree:4x4,2", "1-8", "1-8", 8);
    struct ct_sides_network network = {.n_hosts = 5};
    struct ct_sides sides;
    assert_int_equal(ct_sides_make(CT_SIDES_SHARED, &network, false, 1, 0, &sides, NULL), CT_OK);
    assert_int_equal(sides.n, 5);
    assert_memory_equal(sides.hosts[0], sides.hosts[1], 5 * sizeof **sides.hosts);
    ct_sides_free(&sides);
}

/* Every host is on one side; blocks stay whole; equal seeds give equal hosts. */
static void fragments_are_blocks_at_random(void **state)
{
    (void)state;
    struct ct_sides_network network = {.n_hosts = 24};
    size_t n_different = 0;
    char *before = NULL;
    for (uint64_t seed = 1; seed <= 8; seed++)
        for (size_t fragment = 1; fragment <= 4; fragment++) {
            struct ct_sides sides, again;
            uint8_t side[24] = {0};
            assert_int_equal(
                ct_sides_make(CT_SIDES_FRAGMENTS, &network, true, fragment, seed, &sides, NULL),
                CT_OK);
            assert_int_equal(
                ct_sides_make(CT_SIDES_FRAGMENTS, &network, true, fragment, seed, &again, NULL),
                CT_OK);
            assert_int_equal(sides.n, 12);
            for (size_t i = 0; i < 12; i++) {
                assert_int_equal(sides.hosts[1][i], again.hosts[1][i]);
                side[sides.hosts[0][i]] += 1;
                side[sides.hosts[1][i]] += 2;
            }
            for (size_t host = 0; host < 24; host++) {
                assert_true(side[host] == 1 || side[host] == 2);
                assert_int_equal(side[host], side[host / fragment * fragment]);
            }
            char *text = ct_sides_format(&sides, 0);
            n_different += before && strcmp(before, text) != 0;
            free(before);
            before = text;
            ct_sides_free(&sides);
            ct_sides_free(&again);
        }
    free(before);
    assert_true(n_different > 24);
}

static void refused(enum ct_sides_kind kind, struct ct_sides_network network, size_t fragment,
                    const char *why)
{
    struct ct_sides sides;
    struct ct_error err;
    assert_int_equal(ct_sides_make(kind, &network, true, fragment, 1, &sides, &err), CT_EINVAL);
    if (!strstr(err.text, why))
        fail_msg("'%s' should have '%s'", err.text, why);
}

static void hosts_that_cannot_be_halved_are_refused(void **state)
{
    (void)state;
    static const uint16_t uneven[6] = {0, 0, 0, 0, 1, 1};
    struct ct_lab_plan *three = network_of("tree:3x4");
    refused(CT_SIDES_DISJOINT, (struct ct_sides_network){.n_hosts = 7}, 1, "one is left over");
    refused(CT_SIDES_INTERLEAVED, (struct ct_sides_network){.n_hosts = 9}, 1, "one is left over");
    refused(CT_SIDES_SHARED, (struct ct_sides_network){.n_hosts = 2}, 1, "at least 4");
    refused(CT_SIDES_DISJOINT, in(three), 1, "on 3 switches");
    refused(CT_SIDES_DISJOINT, (struct ct_sides_network){6, uneven, 1}, 1, "do not all have as");
    refused(CT_SIDES_INTERLEAVED, (struct ct_sides_network){6, uneven, 1}, 1, "do not all have as");
    refused(CT_SIDES_FRAGMENTS, (struct ct_sides_network){.n_hosts = 12}, 4,
            "half of the hosts, 6");
    free(three);
}

/* More switches than a lab has: those of simulated networks. */
static void networks_may_have_many_switches(void **state)
{
    (void)state;
    enum { SWITCHES = 5000, HOSTS = 2 * SWITCHES };
    static uint16_t switch_of[HOSTS];
    struct ct_sides_network network = {HOSTS, switch_of, 1};
    struct ct_sides sides;
    struct ct_error err;
    for (size_t host = 0; host < HOSTS; host++)
        switch_of[host] = (uint16_t)(SWITCHES - 1 - host / 2);
    assert_int_equal(ct_sides_make(CT_SIDES_DISJOINT, &network, true, 2, 7, &sides, &err), CT_OK);
    char *first = ct_sides_format(&sides, 0);
    assert_string_equal(first, "1-5000");
    free(first);
    ct_sides_free(&sides);
    switch_of[0] = SWITCHES; /* a leaf more, with one host */
    assert_int_equal(ct_sides_make(CT_SIDES_DISJOINT, &network, true, 2, 7, &sides, &err),
                     CT_EINVAL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(halves_of_leaves_do_not_meet),
        cmocka_unit_test(hosts_in_turn_meet_on_every_uplink),
        cmocka_unit_test(shared_hosts_are_the_same_twice),
        cmocka_unit_test(fragments_are_blocks_at_random),
        cmocka_unit_test(hosts_that_cannot_be_halved_are_refused),
        cmocka_unit_test(networks_may_have_many_switches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
