/* Loads of a simulated fabric are found from the small messages of its watch. */
#include "study/watch_load.h"
#include "tests/unit/simulated_fabric.h"
#include "tests/unit/unit.h"
#include "topology/spec.h"
#include "watch/find/finder.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { HOSTS = 16, DIRECTIONS = 48, FLOWS = 12 };

struct watched {
    struct ct_topology topology;
    struct fabric fabric;
    struct ct_watch_finder *finder;
};

static void watch_for(struct watched *watched, double time_s, bool knows_clocks)
{
    struct ct_error err = {.text = ""};
    for (double end_s = watched->fabric.now_s + time_s; watched->fabric.now_s < end_s;) {
        struct ct_watch_sample sample = fabric_probe(&watched->fabric);
        if (!knows_clocks)
            sample.there_s = sample.back_s = NAN;
        if (ct_watch_finder_take(watched->finder, &sample, 1, &err) != CT_OK)
            fail_msg("%s", err.text);
    }
}

static void watched_open(struct watched *watched, uint64_t seed)
{
    const struct ct_topology_settings settings = ct_topology_defaults();
    const struct ct_watch_rules rules = {.false_alarms_per_day = 0.01, .learn_s = 120};
    struct ct_watch_host hosts[HOSTS] = {0};
    struct ct_error err;
    assert_int_equal(ct_topology_make("tree:4x4,2", &settings, &watched->topology, &err), CT_OK);
    assert_int_equal(2 * watched->topology.n_links, DIRECTIONS);
    fabric_open(&watched->fabric, &watched->topology, seed);
    assert_int_equal(ct_watch_finder_new(&watched->topology, &rules, &watched->finder, &err),
                     CT_OK);
    for (uint32_t i = 0; i < HOSTS; i++)
        snprintf(hosts[i].name, sizeof hosts[i].name, "%s",
                 ct_topology_name(&watched->topology, i));
    assert_int_equal(ct_watch_finder_hosts(watched->finder, hosts, HOSTS, &err), CT_OK);
}

static void watched_close(struct watched *watched)
{
    ct_watch_finder_free(watched->finder);
    fabric_close(&watched->fabric);
    ct_topology_free(&watched->topology);
}

/* What pairs of hosts send, along their routes: switches send on what they get. */
static void send_flows(struct fabric *fabric, uint64_t seed)
{
    for (uint32_t d = 0; d < DIRECTIONS; d++)
        fabric->load[d] = 0;
    for (int i = 0; i < FLOWS; i++) {
        uint64_t random = ct_random_next(&seed);
        uint32_t from = (uint32_t)(random % HOSTS),
                 to = (from + 1 + (uint32_t)(random / HOSTS % (HOSTS - 1))) % HOSTS;
        double load = 0.05 + 0.2 * ct_random_unit(ct_random_next(&seed));
        assert_int_equal(ct_route_find(fabric->router, from, to, &fabric->route, NULL), CT_OK);
        for (size_t h = 0; h < fabric->route.n; h++) {
            const struct ct_hop *hop = &fabric->route.hops[h];
            uint32_t direction =
                2 * hop->link + (fabric->topology->links[hop->link].end[1] == hop->from);
            fabric->load[direction] = fmin(0.9, fabric->load[direction] + load);
        }
    }
}

/* Under loads that change. */
static void learn(struct watched *watched, uint64_t seed, bool knows_clocks)
{
    for (uint64_t i = 1; i <= 9; i++) {
        send_flows(&watched->fabric, 100 * seed + i);
        watch_for(watched, 15, knows_clocks);
    }
}

static void estimate(struct watched *watched, double busy_frac[DIRECTIONS])
{
    const struct ct_watch_wait *waits;
    struct ct_error err = {.text = ""};
    size_t n;
    assert_int_equal(ct_watch_finder_waits(watched->finder, &waits, &n, &err), CT_OK);
    if (ct_watch_load_estimate(&watched->topology, waits, n, busy_frac, &err) != CT_OK)
        fail_msg("%s", err.text);
}

/* @param found_p  [out] the busiest, as estimated. @return mean error of those that are known,
 * nearly all */
static double compare(const struct watched *watched, const double busy_frac[DIRECTIONS],
                      uint32_t *found_p)
{
    double error = 0;
    int n = 0;
    *found_p = 0;
    for (uint32_t d = 0; d < DIRECTIONS; d++) {
        if (isnan(busy_frac[d])) /* an alarm explains what passed it */
            continue;
        error += fabs(busy_frac[d] - watched->fabric.load[d]);
        n++;
        if (busy_frac[d] > busy_frac[*found_p])
            *found_p = d;
    }
    assert_true(n >= DIRECTIONS - 1);
    return error / n;
}

static void loads_are_found(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 4; seed++) {
        struct watched watched = {.finder = NULL};
        double busy_frac[DIRECTIONS], most = 0;
        uint32_t found;
        watched_open(&watched, seed);
        learn(&watched, seed, true);
        send_flows(&watched.fabric, seed);
        watch_for(&watched, 60, true);
        estimate(&watched, busy_frac);
        double error = compare(&watched, busy_frac, &found);
        for (uint32_t d = 0; d < DIRECTIONS; d++)
            most = fmax(most, watched.fabric.load[d]);
        printf("seed %d: mean error %.1f points, busiest %.0f %%, found %.0f %%\n", (int)seed,
               100 * error, 100 * most, 100 * busy_frac[found]);
        assert_true(error < 0.03);
        assert_true(watched.fabric.load[found] > most - 0.1);
        watched_close(&watched);
    }
}

static void clocks_have_to_be_known(void **state)
{
    (void)state;
    struct watched watched = {.finder = NULL};
    const struct ct_watch_wait *waits;
    struct ct_error err;
    size_t n;
    watched_open(&watched, 5);
    learn(&watched, 5, false);
    assert_int_equal(ct_watch_finder_waits(watched.finder, &waits, &n, &err), CT_OK);
    assert_int_equal(n, 0);
    watched_close(&watched);
}

static void nothing_is_not_idle(void **state)
{
    (void)state;
    struct watched watched = {.finder = NULL};
    const struct ct_watch_wait one = {.from = 0, .to = 1};
    double busy_frac[DIRECTIONS];
    struct ct_error err;
    watched_open(&watched, 1);
    assert_int_equal(ct_watch_load_estimate(&watched.topology, &one, 0, busy_frac, &err),
                     CT_ENODATA);
    assert_int_equal(ct_watch_load_estimate(&watched.topology, &one, 1, busy_frac, &err), CT_OK);
    for (int d = 0, n = 0; d < DIRECTIONS; d++) {
        n += !isnan(busy_frac[d]);
        assert_true(d < DIRECTIONS - 1 || n == 2);
    }
    watched_close(&watched);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loads_are_found),
        cmocka_unit_test(clocks_have_to_be_known),
        cmocka_unit_test(nothing_is_not_idle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
