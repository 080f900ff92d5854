/* Nodes of a topology that programs are on. */
#include "simulate/places.h"
#include "topology/read.h"
#include "unit.h"

#include <stdlib.h>

static void test_places(void **state)
{
    (void)state;
    struct ct_topology_settings settings = ct_topology_defaults();
    struct ct_topology topology;
    struct ct_node_list lists[2];
    struct ct_simulate_places places;
    struct ct_error err;
    assert_int_equal(ct_topology_make("tree:2x4", &settings, &topology, NULL), CT_OK);
    assert_int_equal(ct_simulate_places_named(&topology, "n[6-7],n1", 9, &lists[0], &err), CT_OK);
    assert_int_equal(ct_simulate_places_named(&topology, "n6,n6", 5, &lists[1], &err), CT_OK);
    assert_int_equal(ct_simulate_places_new(&topology, lists, 2, &places, &err), CT_OK);
    const uint32_t used[] = {1, 6, 7}, first[] = {1, 2, 0}, second[] = {1, 1};
    assert_int_equal(places.n_used, 3);
    assert_memory_equal(places.used, used, sizeof used);
    assert_memory_equal(places.of[0].nodes, first, sizeof first);
    assert_memory_equal(places.of[1].nodes, second, sizeof second);
    ct_simulate_places_free(&places);
    free(lists[0].nodes);
    free(lists[1].nodes);
    assert_int_equal(ct_simulate_places_first(&topology, 8, &lists[0], &err), CT_OK);
    assert_int_equal(lists[0].nodes[7], 7);
    lists[0].nodes[7] = 8;
    assert_int_equal(ct_simulate_places_new(&topology, lists, 1, &places, &err), CT_EINVAL);
    free(lists[0].nodes);
    assert_int_equal(ct_simulate_places_first(&topology, 9, &lists[0], &err), CT_EINVAL);
    assert_int_equal(ct_simulate_places_named(&topology, "n8", 2, &lists[0], &err), CT_EINVAL);
    assert_int_equal(ct_simulate_places_named(&topology, "leaf0", 5, &lists[0], &err), CT_EINVAL);
    assert_int_equal(ct_simulate_places_named(&topology, "n[", 2, &lists[0], &err), CT_EFORMAT);
    ct_topology_free(&topology);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_places)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
