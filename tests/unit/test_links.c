/* Links of simulated networks whose busy shares are known. */
#include "core/random.h"
#include "model/links/links.h"
#include "model/links/one_way.h"
#include "tests/unit/unit.h"
#include "topology/paths.h"
#include "topology/spec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- a simulated network ---- */

enum { PAIRS_MAX = 400, DIRECTIONS_MAX = 64, SAMPLES = 4000, IDLE = 4000, CLASSES = 2 };
static const double service_s = 1e-3;

struct network {
    struct ct_topology topology;
    struct ct_router *router;
    struct ct_node_pair pairs[PAIRS_MAX];
    size_t n_pairs;
    struct ct_paths paths;
    struct ct_link_system system;
    size_t balance_first[16];
    uint32_t balance_column[DIRECTIONS_MAX * 2];
    double balance_sign[DIRECTIONS_MAX * 2];
    uint32_t group[DIRECTIONS_MAX];
    bool is_open[DIRECTIONS_MAX];
    size_t n_groups;
};

static void add_balances(struct network *network)
{
    const struct ct_topology *topology = &network->topology;
    size_t n = 0, rows = 0;
    for (uint32_t v = topology->n_nodes; v < ct_topology_vertices(topology); v++) {
        network->balance_first[rows++] = n;
        for (size_t c = 0; c < network->paths.n_columns; c++) {
            uint32_t direction = network->paths.direction[c];
            const uint32_t *end = topology->links[direction / 2].end;
            if (end[direction % 2] == v || end[1 - direction % 2] == v) {
                network->balance_column[n] = (uint32_t)c;
                network->balance_sign[n++] = end[direction % 2] == v ? -1 : 1;
            }
        }
    }
    network->balance_first[rows] = n;
    network->system.balances = (struct ct_link_rows){
        rows, network->balance_first, network->balance_column, network->balance_sign};
}

static void setup(struct network *network, const char *text)
{
    struct ct_topology_settings settings = ct_topology_defaults();
    struct ct_error err = {.text = ""};
    memset(network, 0, sizeof *network);
    if (ct_topology_make(text, &settings, &network->topology, &err) != CT_OK ||
        ct_router_new(&network->topology, &network->router, &err) != CT_OK)
        fail_msg("%s: %s", text, err.text);
    for (uint32_t a = 0; a < network->topology.n_nodes; a++)
        for (uint32_t b = a + 1; b < network->topology.n_nodes; b++)
            network->pairs[network->n_pairs++] = (struct ct_node_pair){a, b};
    assert_int_equal(ct_paths_make(network->router, &network->topology, network->pairs,
                                   network->n_pairs, &network->paths, &err),
                     CT_OK);
    network->system = (struct ct_link_system){
        .n_directions = network->paths.n_columns,
        .paths = {network->paths.n_pairs, network->paths.first, network->paths.column, NULL}};
    add_balances(network);
    if (ct_links_group(&network->system, network->group, network->is_open, &network->n_groups,
                       &err) != CT_OK)
        fail_msg("%s: %s", text, err.text);
}

static void teardown(struct network *network)
{
    ct_paths_free(&network->paths);
    ct_router_free(network->router);
    ct_topology_free(&network->topology);
}

static size_t column_of(const struct network *network, const char *from, const char *to)
{
    for (size_t c = 0; c < network->paths.n_columns; c++) {
        uint32_t direction = network->paths.direction[c];
        const uint32_t *end = network->topology.links[direction / 2].end;
        if (!strcmp(ct_topology_name(&network->topology, end[direction % 2]), from) &&
            !strcmp(ct_topology_name(&network->topology, end[1 - direction % 2]), to))
            return c;
    }
    fail_msg("%s to %s is not passed", from, to);
    return 0;
}

static size_t count_open(const struct network *network)
{
    size_t n = 0;
    for (size_t g = 0; g < network->n_groups; g++)
        n += network->is_open[g];
    return n;
}

static uint32_t group_of(const struct network *network, const char *from, const char *to)
{
    return network->group[column_of(network, from, to)];
}

static void links_that_no_pair_tells_apart(void **state)
{
    (void)state;
    struct network network;
    /* One switch: both directions of a node's link. */
    setup(&network, "switch:4");
    assert_int_equal(network.n_groups, 4);
    assert_int_equal(count_open(&network), 0);
    assert_int_equal(group_of(&network, "n1", "s0"), group_of(&network, "s0", "n1"));
    teardown(&network);
    /* Two nodes: all is one. */
    setup(&network, "switch:2");
    assert_int_equal(network.n_groups, 1);
    teardown(&network);
    /* One spine: both directions of an uplink, too. */
    setup(&network, "tree:4x4");
    assert_int_equal(network.n_groups, 20);
    assert_int_equal(group_of(&network, "leaf1", "spine0"), group_of(&network, "spine0", "leaf1"));
    teardown(&network);
    /* Two spines: there by one, back by the other; balances tell the directions apart. */
    setup(&network, "tree:4x4,2");
    assert_int_equal(network.n_groups, 32);
    assert_int_equal(count_open(&network), 0);
    assert_int_not_equal(group_of(&network, "leaf1", "spine0"),
                         group_of(&network, "spine0", "leaf1"));
    teardown(&network);
    /* Two leaves: what goes up to a spine comes down at the other leaf. */
    setup(&network, "tree:2x4,2");
    assert_int_equal(network.n_groups, 8 + 4);
    assert_int_equal(group_of(&network, "leaf0", "spine1"), group_of(&network, "spine1", "leaf1"));
    assert_int_not_equal(group_of(&network, "leaf0", "spine1"),
                         group_of(&network, "leaf1", "spine1"));
    teardown(&network);
    /* Two nodes a leaf, each with a spine of its own: what a node's link and the way down to it
       take is not distinguished. */
    setup(&network, "tree:3x2,2");
    assert_int_equal(network.n_groups, 6 + 12);
    assert_true(count_open(&network) > 0);
    teardown(&network);
}

/* Round trips: each passage of a busy link waits for an exponential time, independently or, if
 * `common`, all busy links of a path at the same moments. */
static double probe(const struct network *network, size_t pair, const double *busy, bool common,
                    uint64_t *random)
{
    double wait_s = 0, moment = ct_random_unit(ct_random_next(random));
    for (size_t i = network->paths.first[pair]; i < network->paths.first[pair + 1]; i++) {
        double draw = ct_random_unit(ct_random_next(random));
        double length = -log1p(-ct_random_unit(ct_random_next(random)));
        if ((common ? moment : draw) < busy[network->paths.column[i]])
            wait_s += service_s * (0.3 + length);
    }
    /* And some noise of the hosts. */
    return 100e-6 + wait_s - 20e-6 * log1p(-ct_random_unit(ct_random_next(random)));
}

/* @return q */
static double estimate_by(size_t samples, const struct network *network, const double *busy,
                          bool common, bool are_flows, size_t replicates,
                          struct ct_link_estimate *estimates)
{
    assert_true(samples <= SAMPLES);
    double dependence = NAN;
    static double loaded_s[PAIRS_MAX][SAMPLES], idle_s[CLASSES][IDLE];
    static const double quiet[DIRECTIONS_MAX];
    struct ct_series loaded[PAIRS_MAX], idle[CLASSES];
    uint32_t class_of_row[PAIRS_MAX];
    uint64_t random = 11;
    struct ct_error err = {.text = ""};
    for (size_t p = 0; p < network->n_pairs; p++) {
        class_of_row[p] = network->paths.switches[p] > 1;
        loaded[p] = (struct ct_series){loaded_s[p], samples};
        for (size_t i = 0; i < samples; i++)
            loaded_s[p][i] = probe(network, p, busy, common, &random);
    }
    for (size_t k = 0; k < CLASSES; k++) {
        idle[k] = (struct ct_series){idle_s[k], IDLE};
        for (size_t i = 0; i < IDLE; i++)
            idle_s[k][i] = probe(network, 0, quiet, false, &random);
    }
    const struct ct_link_probes probes = {.loaded = loaded,
                                          .class_of_row = class_of_row,
                                          .idle = idle,
                                          .n_classes = CLASSES,
                                          .are_flows = are_flows};
    const struct ct_bootstrap setup = {.replicates = replicates, .level = 0.9, .seed = 3};
    if (ct_links_estimate(&network->system, network->group, network->n_groups, &probes, &setup,
                          estimates, &dependence, &err) != CT_OK)
        fail_msg("%s", err.text);
    return dependence;
}

static double estimate_as(const struct network *network, const double *busy, bool common,
                          bool are_flows, size_t replicates, struct ct_link_estimate *estimates)
{
    return estimate_by(SAMPLES, network, busy, common, are_flows, replicates, estimates);
}

static double estimate(const struct network *network, const double *busy, bool common,
                       size_t replicates, struct ct_link_estimate *estimates)
{
    return estimate_as(network, busy, common, false, replicates, estimates);
}

static void set_busy(const struct network *network, double *busy)
{
    static const struct {
        const char *from, *to;
        double frac;
    } rows[] = {{"n0", "leaf0", 0.2},      {"n5", "leaf1", 0.1},      {"leaf0", "spine0", 0.5},
                {"spine0", "leaf1", 0.5},  {"leaf1", "spine0", 0.3},  {"spine0", "leaf0", 0.3},
                {"leaf0", "spine1", 0.15}, {"spine1", "leaf1", 0.15}, {"leaf1", "spine1", 0.35},
                {"spine1", "leaf0", 0.35}};
    for (size_t c = 0; c < network->paths.n_columns; c++)
        busy[c] = 0;
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        busy[column_of(network, rows[r].from, rows[r].to)] = rows[r].frac;
        if (rows[r].from[0] == 'n') /* as much comes back */
            busy[column_of(network, rows[r].to, rows[r].from)] = rows[r].frac;
    }
}

/* Mean waits add up whether links wait at the same moments or not. */
static void slow_mean_waits_are_found(void **state)
{
    (void)state;
    for (int common = 0; common < 2; common++) {
        struct network network;
        struct ct_link_estimate estimates[DIRECTIONS_MAX];
        double busy[DIRECTIONS_MAX];
        setup(&network, "tree:4x4,2");
        set_busy(&network, busy);
        estimate(&network, busy, common, 0, estimates);
        /* What goes out of a leaf and what comes in are known as a sum only: here they are alike.
         */
        double sum = 0, expected = 0;
        for (size_t c = 0; c < network.paths.n_columns; c++) {
            sum += estimates[network.group[c]].wait_s;
            expected += busy[c] * 1.3 * service_s;
        }
        assert_near(sum / expected, 1, 0.03);
        assert_near(estimates[group_of(&network, "n0", "leaf0")].wait_s, 0.2 * 1.3e-3, 3e-5);
        assert_near(estimates[group_of(&network, "leaf2", "spine0")].wait_s, 0, 3e-5);
        teardown(&network);
    }
}

static void slow_the_busiest_links_are_found(void **state)
{
    (void)state;
    struct network network;
    struct ct_link_estimate estimates[DIRECTIONS_MAX];
    double busy[DIRECTIONS_MAX], error = 0;
    setup(&network, "tree:4x4,2");
    set_busy(&network, busy);
    /* Links that wait at the same moments: between independent ones, and the busiest alone. */
    assert_true(estimate(&network, busy, true, 30, estimates) > 1.5);
    for (size_t c = 0; c < network.paths.n_columns; c++) {
        const struct ct_link_estimate *link = &estimates[network.group[c]];
        error += fabs(link->busy_frac - busy[c]) / (double)network.paths.n_columns;
        assert_true(link->busy_frac >= 0 && link->busy_frac < 1);
        assert_true(link->busy_ci.lo <= link->busy_frac + 0.02);
        assert_true(link->busy_ci.hi >= link->busy_frac - 0.02);
        assert_true(link->wait_ci.lo <= link->wait_ci.hi);
    }
    assert_true(error < 0.06);
    double idle_link = estimates[group_of(&network, "leaf2", "spine0")].busy_frac;
    assert_true(estimates[group_of(&network, "leaf0", "spine0")].busy_frac > idle_link + 0.2);
    assert_true(estimates[group_of(&network, "n0", "leaf0")].busy_frac >
                estimates[group_of(&network, "n1", "leaf0")].busy_frac + 0.1);
    teardown(&network);
}

static void an_idle_network_is_idle(void **state)
{
    (void)state;
    struct network network;
    struct ct_link_estimate estimates[DIRECTIONS_MAX];
    static const double quiet[DIRECTIONS_MAX];
    setup(&network, "tree:2x4,2");
    estimate(&network, quiet, false, 0, estimates);
    for (size_t g = 0; g < network.n_groups; g++) {
        assert_true(estimates[g].busy_frac < 0.05);
        assert_near(estimates[g].wait_s, 0, 5e-6);
        assert_true(isnan(estimates[g].busy_ci.lo));
    }
    teardown(&network);
}

/* ---- one-way times by the clocks of the nodes ---- */

enum { WAYS = 2, PROBES = 600, NODES_MAX = 16 };
static const double run_s = 300, work_s = 1e-3;

/* M/D/1: when the work that has arrived by each arrival is done. */
struct server {
    double *arrival_s, *free_s;
    size_t n;
};

static struct server poisson_server(double busy, uint64_t *random)
{
    size_t room = (size_t)(2 * busy * run_s / work_s) + 100;
    struct server server = {malloc(room * sizeof(double)), malloc(room * sizeof(double)), 0};
    assert_true(server.arrival_s && server.free_s);
    double now_s = 0, free_s = 0;
    while (busy > 0 && now_s < run_s && server.n < room) {
        now_s -= work_s / busy * log1p(-ct_random_unit(ct_random_next(random)));
        free_s = fmax(free_s, now_s) + work_s;
        server.arrival_s[server.n] = now_s;
        server.free_s[server.n++] = free_s;
    }
    return server;
}

static double wait_at(const struct server *server, double time_s)
{
    size_t lo = 0, hi = server->n; /* arrivals before time_s */
    while (lo < hi) {
        size_t middle = (lo + hi) / 2;
        if (server->arrival_s[middle] <= time_s)
            lo = middle + 1;
        else
            hi = middle;
    }
    return lo == 0 ? 0 : fmax(0, server->free_s[lo - 1] - time_s);
}

struct node_clock {
    double ahead_s, rate;
};

static double clock_time(const struct node_clock *clock, double time_s)
{
    return time_s * (1 + clock->rate) + clock->ahead_s;
}

struct one_way_probes {
    double there_s[PROBES], back_s[PROBES];
};

/* Probes of a pair at random moments. @return the rate of the second clock less that of the first,
 * as found */
static double probe_ways(const struct network *network, size_t pair, const struct server *servers,
                         const struct node_clock *clocks, struct one_way_probes *probes,
                         uint64_t *random)
{
    const struct ct_paths *paths = &network->paths;
    const struct node_clock *a = &clocks[network->pairs[pair].a];
    const struct node_clock *b = &clocks[network->pairs[pair].b];
    double sent_s[PROBES];
    for (size_t i = 0; i < PROBES; i++) {
        double now_s = run_s * ((double)i + ct_random_unit(ct_random_next(random))) / PROBES;
        double left_s = now_s, turned_s = 0;
        for (size_t hop = paths->first[pair]; hop < paths->first[pair + 1]; hop++) {
            if (hop == paths->back[pair])
                turned_s = now_s;
            now_s += 50e-6 + wait_at(&servers[paths->column[hop]], now_s) -
                     5e-6 * log1p(-ct_random_unit(ct_random_next(random)));
        }
        sent_s[i] = clock_time(a, left_s);
        probes->there_s[i] = clock_time(b, turned_s) - sent_s[i];
        probes->back_s[i] = clock_time(a, now_s) - clock_time(b, turned_s);
    }
    return ct_one_way_waits(sent_s, probes->there_s, probes->back_s, PROBES);
}

/* Loads that flows between nodes make: what enters a switch leaves it. */
static void set_flows(const struct network *network, double *busy)
{
    static const struct {
        uint32_t a, b;
        double there, back;
    } flows[] = {{0, 5, 0.5, 0.05}, {1, 7, 0.3, 0.1}, {2, 3, 0.1, 0.4}, {4, 9, 0.05, 0.45}};
    for (size_t c = 0; c < network->paths.n_columns; c++)
        busy[c] = 0;
    for (size_t f = 0; f < sizeof flows / sizeof *flows; f++)
        for (size_t p = 0; p < network->n_pairs; p++) {
            const struct ct_paths *paths = &network->paths;
            if (network->pairs[p].a != flows[f].a || network->pairs[p].b != flows[f].b)
                continue;
            for (size_t hop = paths->first[p]; hop < paths->first[p + 1]; hop++)
                busy[paths->column[hop]] += hop < paths->back[p] ? flows[f].there : flows[f].back;
        }
}

/* Of both ways of all pairs, the clocks seconds apart and 50 ppm. */
static double estimate_ways(struct network *network, const double *busy, bool loaded,
                            struct ct_link_estimate *estimates)
{
    double dependence = NAN;
    static struct one_way_probes probes[PAIRS_MAX], idle[1];
    static size_t first[WAYS * PAIRS_MAX + 1];
    static const double quiet[DIRECTIONS_MAX];
    struct ct_series rows[WAYS * PAIRS_MAX], idle_rows = {idle->there_s, PROBES};
    uint32_t class_of_row[WAYS * PAIRS_MAX] = {0};
    struct node_clock clocks[NODES_MAX];
    struct server servers[DIRECTIONS_MAX], free_servers[DIRECTIONS_MAX];
    uint64_t random = 17;
    struct ct_error err = {.text = ""};
    for (size_t k = 0; k < NODES_MAX; k++)
        clocks[k] = (struct node_clock){10 * ct_random_unit(ct_random_next(&random)) - 5,
                                        k % 3 == 0 ? 25e-6 : -25e-6};
    for (size_t c = 0; c < network->paths.n_columns; c++) {
        servers[c] = poisson_server(loaded ? busy[c] : 0, &random);
        free_servers[c] = poisson_server(quiet[c], &random);
    }
    probe_ways(network, 20, free_servers, clocks, idle, &random);
    for (size_t p = 0; p < network->n_pairs; p++) {
        double rate = probe_ways(network, p, servers, clocks, &probes[p], &random);
        assert_near(rate, clocks[network->pairs[p].b].rate - clocks[network->pairs[p].a].rate,
                    2e-6);
        rows[WAYS * p] = (struct ct_series){probes[p].there_s, PROBES};
        rows[WAYS * p + 1] = (struct ct_series){probes[p].back_s, PROBES};
        first[WAYS * p] = network->paths.first[p];
        first[WAYS * p + 1] = network->paths.back[p];
    }
    first[WAYS * network->n_pairs] = network->paths.first[network->n_pairs];
    network->system.paths =
        (struct ct_link_rows){WAYS * network->n_pairs, first, network->paths.column, NULL};
    const struct ct_link_probes all = {
        .loaded = rows, .class_of_row = class_of_row, .idle = &idle_rows, .n_classes = 1};
    const struct ct_bootstrap bootstrap = {.replicates = 0, .level = 0.9, .seed = 3};
    if (ct_links_group(&network->system, network->group, network->is_open, &network->n_groups,
                       &err) != CT_OK ||
        ct_links_estimate(&network->system, network->group, network->n_groups, &all, &bootstrap,
                          estimates, &dependence, &err) != CT_OK)
        fail_msg("%s", err.text);
    for (size_t c = 0; c < network->paths.n_columns; c++) {
        free(servers[c].arrival_s);
        free(servers[c].free_s);
        free(free_servers[c].arrival_s);
        free(free_servers[c].free_s);
    }
    return dependence;
}

static double mean_error(const struct network *network, const double *busy,
                         const struct ct_link_estimate *estimates)
{
    double sum = 0;
    for (size_t c = 0; c < network->paths.n_columns; c++)
        sum += fabs(estimates[network->group[c]].busy_frac - busy[c]);
    return sum / (double)network->paths.n_columns;
}

/* Round trips know both directions of a node's link as a mean only. */
static void slow_one_way_times_tell_directions_apart(void **state)
{
    (void)state;
    struct network network;
    struct ct_link_estimate estimates[DIRECTIONS_MAX];
    double busy[DIRECTIONS_MAX];
    setup(&network, "tree:4x4,2");
    set_flows(&network, busy);
    assert_true(estimate_ways(&network, busy, true, estimates) < 1.5);
    assert_int_equal(network.n_groups, network.paths.n_columns);
    assert_int_equal(count_open(&network), 0);
    assert_true(mean_error(&network, busy, estimates) < 0.05);
    assert_true(estimates[group_of(&network, "n0", "leaf0")].busy_frac > 0.4);
    assert_true(estimates[group_of(&network, "leaf0", "n0")].busy_frac < 0.1);
    /* M/D/1: rho / (1 - rho) / 2 of the time of a message. */
    for (size_t c = 0; c < network.paths.n_columns; c++) {
        double wait_s = busy[c] / (1 - busy[c]) * work_s / 2;
        assert_near(estimates[network.group[c]].wait_s, wait_s, 25e-6 + wait_s / 10);
    }
    estimate_ways(&network, busy, false, estimates);
    static const double quiet[DIRECTIONS_MAX];
    assert_true(mean_error(&network, quiet, estimates) < 0.02);
    teardown(&network);
}

/* The same probe is the fastest both ways, so any rate near 0 would do. */
static void the_middle_of_possible_rates_is_taken(void **state)
{
    (void)state;
    const double sent_s[] = {0, 10, 20};
    double there_s[] = {7.001, 7, 7.001}, back_s[] = {-6.999, -7, -6.999};
    assert_near(ct_one_way_waits(sent_s, there_s, back_s, 3), 0, 1e-12);
    assert_near(there_s[0], 1e-3, 1e-9);
    assert_near(there_s[1], 0, 1e-12);
    assert_near(back_s[2], 1e-3, 1e-9);
    /* Clocks that part by more than any do: the largest rate. */
    double fast_s[] = {0, 1, 2}, slow_s[] = {0, -1, -2};
    assert_near(ct_one_way_waits(sent_s, fast_s, slow_s, 3), 200e-6, 1e-12);
    assert_near(ct_one_way_waits(sent_s, NULL, NULL, 0), 0, 0);
}

enum { TIMES = 40 };

/* The same times of all pairs of one switch. @return the busy share of a link */
static double busy_by_times(const double *idle_s, const double *loaded_s, double resolution_s)
{
    struct network network;
    struct ct_link_estimate estimates[DIRECTIONS_MAX];
    struct ct_series loaded[PAIRS_MAX];
    const struct ct_series idle = {idle_s, TIMES};
    uint32_t class_of_row[PAIRS_MAX] = {0};
    const struct ct_link_probes probes = {.loaded = loaded,
                                          .class_of_row = class_of_row,
                                          .idle = &idle,
                                          .n_classes = 1,
                                          .resolution_s = resolution_s};
    const struct ct_bootstrap setup_of = {.replicates = 0, .level = 0.9};
    double dependence;
    setup(&network, "switch:4");
    for (size_t p = 0; p < network.n_pairs; p++)
        loaded[p] = (struct ct_series){loaded_s, TIMES};
    assert_int_equal(ct_links_estimate(&network.system, network.group, network.n_groups, &probes,
                                       &setup_of, estimates, &dependence, NULL),
                     CT_OK);
    teardown(&network);
    return estimates[0].busy_frac;
}

/* Times in whole nanoseconds: those of undisturbed probes are one of two. */
static void rounding_is_no_wait(void **state)
{
    (void)state;
    double idle_s[TIMES], loaded_s[TIMES];
    for (size_t i = 0; i < TIMES; i++) {
        idle_s[i] = 1000e-9;
        loaded_s[i] = i % 2 ? 1001e-9 : 1000e-9;
    }
    assert_true(busy_by_times(idle_s, loaded_s, 2e-9) < 0.01);
    assert_true(busy_by_times(idle_s, loaded_s, 0) > 0.1);
}

/* What hosts delay is not a wait, though it is twice as long as on the idle network. */
static void noise_of_hosts_is_no_wait(void **state)
{
    (void)state;
    double idle_s[TIMES], delayed_s[TIMES], waiting_s[TIMES];
    for (size_t i = 0; i < TIMES; i++) {
        idle_s[i] = 1e-3 + 1e-6 * (double)i;
        delayed_s[i] = 1e-3 + 2e-6 * (double)i;
        waiting_s[i] = 1e-3 + 8e-6 * (double)i;
    }
    assert_true(busy_by_times(idle_s, delayed_s, 0) < 0.01);
    assert_true(busy_by_times(idle_s, waiting_s, 0) > 0.1);
}

/* Links of hosts are busy at the same moments, others never: the dependence is found with few
 * probes of each pair, too. */
static void few_probes_show_dependence(void **state)
{
    (void)state;
    struct network network;
    struct ct_link_estimate estimates[DIRECTIONS_MAX];
    double busy[DIRECTIONS_MAX];
    setup(&network, "tree:4x4,2");
    for (size_t c = 0; c < network.paths.n_columns; c++) {
        uint32_t link = network.paths.direction[c] / 2;
        busy[c] = network.topology.links[link].end[0] < 8 ? 0.6 : 0;
    }
    assert_true(estimate_by(60, &network, busy, true, false, 30, estimates) > 4);
    assert_true(mean_error(&network, busy, estimates) < 0.12);
    teardown(&network);
}

/* Of flows that fill all links of their path at the same moments. */
static void slow_links_of_flows_are_busy_together(void **state)
{
    (void)state;
    struct network network;
    struct ct_link_estimate estimates[DIRECTIONS_MAX];
    double busy[DIRECTIONS_MAX];
    setup(&network, "tree:4x4,2");
    for (size_t c = 0; c < network.paths.n_columns; c++)
        busy[c] = 0.3;
    estimate(&network, busy, true, 0, estimates);
    double error = mean_error(&network, busy, estimates);
    assert_near(estimate_as(&network, busy, true, true, 0, estimates), 3, 0);
    assert_true(mean_error(&network, busy, estimates) < error - 0.02);
    teardown(&network);
}

/* ---- a network of more than a thousand links ---- */

enum { MANY_DIRECTIONS = 1536, PARTNERS = 12, LEAF = 8 };

/* Each node with those of its leaf and with others at random. */
static size_t choose_pairs(uint32_t n_nodes, struct ct_node_pair *pairs)
{
    uint64_t random = 7;
    size_t n = 0;
    for (uint32_t a = 0; a < n_nodes; a++) {
        for (uint32_t b = a + 1; b / LEAF == a / LEAF; b++)
            pairs[n++] = (struct ct_node_pair){a, b};
        for (int i = 0; i < PARTNERS; i++) {
            uint32_t b = (uint32_t)(ct_random_next(&random) % n_nodes);
            if (b / LEAF != a / LEAF)
                pairs[n++] = (struct ct_node_pair){a, b};
        }
    }
    return n;
}

/* The sum over the path of a row. @param of  by group; group NULL: by direction */
static double add_up_row(const struct ct_link_rows *rows, size_t row, const uint32_t *group,
                         const struct ct_link_estimate *estimates, const double *wait_s)
{
    double sum = 0;
    for (size_t i = rows->first[row]; i < rows->first[row + 1]; i++)
        sum += wait_s ? wait_s[rows->column[i]] : estimates[group[rows->column[i]]].wait_s;
    return sum;
}

/* Every third link makes messages wait. Estimates explain the waits on all paths. */
static void slow_large_networks_are_estimated(void **state)
{
    (void)state;
    struct ct_topology_settings settings = ct_topology_defaults();
    struct ct_topology topology;
    struct ct_router *router;
    struct ct_paths paths;
    static struct ct_node_pair pairs[(PARTNERS + LEAF) * 256];
    static size_t first[2 * (PARTNERS + LEAF) * 256 + 1];
    static double loaded_s[2 * (PARTNERS + LEAF) * 256];
    static struct ct_series loaded[2 * (PARTNERS + LEAF) * 256];
    static uint32_t class_of_row[2 * (PARTNERS + LEAF) * 256], group[MANY_DIRECTIONS];
    static bool is_open[MANY_DIRECTIONS];
    static double wait_s[MANY_DIRECTIONS];
    static struct ct_link_estimate estimates[MANY_DIRECTIONS];
    static const size_t no_rows[1] = {0};
    const double idle_s[] = {1e-6, 1e-6};
    const struct ct_series idle = {idle_s, 2};
    size_t n_groups = 0, n_open = 0;
    double dependence;
    assert_int_equal(ct_topology_make("xgft:8,8,4/1,8,8", &settings, &topology, NULL), CT_OK);
    assert_int_equal(ct_router_new(&topology, &router, NULL), CT_OK);
    size_t n_pairs = choose_pairs(topology.n_nodes, pairs);
    assert_int_equal(ct_paths_make(router, &topology, pairs, n_pairs, &paths, NULL), CT_OK);
    assert_true(paths.n_columns > 1024 && paths.n_columns <= MANY_DIRECTIONS);
    for (size_t p = 0; p < n_pairs; p++) {
        first[2 * p] = paths.first[p];
        first[2 * p + 1] = paths.back[p];
    }
    first[2 * n_pairs] = paths.first[n_pairs];
    const struct ct_link_system system = {.n_directions = paths.n_columns,
                                          .paths = {2 * n_pairs, first, paths.column, NULL},
                                          .balances = {0, no_rows, NULL, NULL}};
    for (size_t c = 0; c < paths.n_columns; c++)
        wait_s[c] = c % 3 == 0 ? 1e-6 * (double)(c % 7) : 0;
    for (size_t r = 0; r < 2 * n_pairs; r++) {
        loaded_s[r] = idle_s[0] + add_up_row(&system.paths, r, NULL, NULL, wait_s);
        loaded[r] = (struct ct_series){&loaded_s[r], 1};
    }
    const struct ct_link_probes probes = {
        .loaded = loaded, .class_of_row = class_of_row, .idle = &idle, .n_classes = 1};
    const struct ct_bootstrap bootstrap = {.replicates = 0, .level = 0.9};
    assert_int_equal(ct_links_group(&system, group, is_open, &n_groups, NULL), CT_OK);
    assert_true(n_groups > 1024);
    assert_int_equal(ct_links_estimate(&system, group, n_groups, &probes, &bootstrap, estimates,
                                       &dependence, NULL),
                     CT_OK);
    for (size_t g = 0; g < n_groups; g++)
        n_open += is_open[g];
    /* What enters a switch can be exchanged for what leaves it: each link is at one. */
    assert_int_equal(n_open, n_groups);
    for (size_t r = 0; r < 2 * n_pairs; r++) {
        double expected_s = loaded_s[r] - idle_s[0];
        assert_near(add_up_row(&system.paths, r, group, estimates, NULL), expected_s,
                    20e-9 + expected_s / 100);
    }
    ct_paths_free(&paths);
    ct_router_free(router);
    ct_topology_free(&topology);
}

/* Three directions that both pairs pass, one of them twice by the second pair: its waits count
 * twice. */
static void directions_that_are_passed_more_often_stay_apart(void **state)
{
    (void)state;
    static const size_t first[] = {0, 3, 7}, no_rows[] = {0};
    static const uint32_t column[] = {0, 1, 2, 0, 1, 2, 2};
    const struct ct_link_system system = {
        .n_directions = 3, .paths = {2, first, column, NULL}, .balances = {0, no_rows, NULL, NULL}};
    uint32_t group[3];
    bool is_open[3];
    size_t n_groups;
    assert_int_equal(ct_links_group(&system, group, is_open, &n_groups, NULL), CT_OK);
    assert_int_equal(n_groups, 2);
    assert_true(group[0] == 0 && group[1] == 0 && group[2] == 1);
    assert_false(is_open[0] || is_open[1]);
}

static void nothing_is_not_estimated(void **state)
{
    (void)state;
    struct network network;
    struct ct_link_estimate estimates[DIRECTIONS_MAX];
    const double idle_s[] = {1e-3, 2e-3};
    struct ct_series loaded[PAIRS_MAX] = {{NULL, 0}}, idle = {idle_s, 2};
    uint32_t class_of_row[PAIRS_MAX] = {0};
    const struct ct_link_probes probes = {
        .loaded = loaded, .class_of_row = class_of_row, .idle = &idle, .n_classes = 1};
    double dependence;
    const struct ct_bootstrap setup_of = {.replicates = 0, .level = 0.9};
    struct ct_error err;
    setup(&network, "switch:4");
    assert_int_equal(ct_links_estimate(&network.system, network.group, network.n_groups, &probes,
                                       &setup_of, estimates, &dependence, &err),
                     CT_ENODATA);
    loaded[1] = idle;
    assert_int_equal(ct_links_estimate(&network.system, network.group, network.n_groups, &probes,
                                       &setup_of, estimates, &dependence, &err),
                     CT_OK);
    idle.n = 0;
    assert_int_equal(ct_links_estimate(&network.system, network.group, network.n_groups, &probes,
                                       &setup_of, estimates, &dependence, &err),
                     CT_ENODATA);
    teardown(&network);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(links_that_no_pair_tells_apart),
        cmocka_unit_test(slow_mean_waits_are_found),
        cmocka_unit_test(slow_the_busiest_links_are_found),
        cmocka_unit_test(an_idle_network_is_idle),
        cmocka_unit_test(slow_one_way_times_tell_directions_apart),
        cmocka_unit_test(the_middle_of_possible_rates_is_taken),
        cmocka_unit_test(rounding_is_no_wait),
        cmocka_unit_test(few_probes_show_dependence),
        cmocka_unit_test(noise_of_hosts_is_no_wait),
        cmocka_unit_test(slow_links_of_flows_are_busy_together),
        cmocka_unit_test(slow_large_networks_are_estimated),
        cmocka_unit_test(directions_that_are_passed_more_often_stay_apart),
        cmocka_unit_test(nothing_is_not_estimated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
