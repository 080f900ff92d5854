/* Generated topologies against closed forms and enumeration; routes against breadth-first search.
 */
#include "tests/unit/unit.h"
#include "topology/measure.h"
#include "topology/spec.h"

#include <stdlib.h>
#include <string.h>

static struct ct_topology make_with(const char *text, const struct ct_topology_settings *settings)
{
    struct ct_topology topology;
    struct ct_error err = {.text = ""};
    if (ct_topology_make(text, settings, &topology, &err) != CT_OK)
        fail_msg("%s: %s", text, err.text);
    return topology;
}

static struct ct_topology make(const char *text)
{
    struct ct_topology_settings settings = ct_topology_defaults();
    return make_with(text, &settings);
}

static struct ct_router *route(const struct ct_topology *topology)
{
    struct ct_router *router;
    struct ct_error err = {.text = ""};
    if (ct_router_new(topology, &router, &err) != CT_OK)
        fail_msg("%s: %s", topology->name, err.text);
    return router;
}

/* ---- sizes ---- */

static void sizes_are_those_of_closed_forms(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint32_t nodes, switches, links, bisection;
    } rows[] = {
        {"switch:7", 7, 1, 7, 3},
        {"tree:4x4", 16, 5, 20, 2},
        {"tree:4x4,2", 16, 6, 24, 4},
        {"tree:4x4,4", 16, 8, 32, 8},
        /* Radix k, 3 tiers: k^3/4 nodes, 5 k^2/4 switches, 3 k^3/4 links, k^3/8 of them cut. */
        {"fat-tree:4", 16, 20, 48, 8},
        {"fat-tree:8x3", 128, 80, 384, 64},
        {"fat-tree:16x3", 1024, 320, 3072, 512},
        /* 2 tiers: k^2/2 nodes, 3 k/2 switches, k^2 links. 4 tiers: 2 (k/2)^4 nodes. */
        {"fat-tree:8x2", 32, 12, 64, 16},
        {"fat-tree:4x4", 32, 56, 128, 16},
        {"fat-tree:6x1", 6, 1, 6, 3},
        {"xgft:4,4/1,2", 16, 6, 24, 4},
        {"xgft:3,2/2,1", 6, 2 * 2 + 2, 2 * 6 + 4, 2},
        /* g a p nodes, g a switches; all pairs in a group, floor(a h / (g - 1)) of groups. */
        {"dragonfly:8,4,8", 256, 32, 256 + 8 * 6 + 28, 16},
        {"dragonfly:4,2,2", 16, 8, 16 + 4 + 6, 4},
        {"dragonfly:9,4,2,2", 72, 36, 72 + 54 + 36, 0},
        {"dragonfly:4,4,2,4", 32, 16, 32 + 24 + 5 * 6, 16},
        {"dragonfly:1,4,2", 8, 4, 8 + 6, 4},
        /* n k^n / 2 links ... a ring is cut twice. */
        {"torus:4x4", 16, 16, 16 + 32, 8},
        {"torus:4x4x4,2", 128, 64, 128 + 192, 32},
        {"torus:2x2x2", 8, 8, 8 + 12, 4},
        {"torus:6", 6, 6, 6 + 6, 2},
        {"torus:1x5", 5, 5, 5 + 5, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct ct_topology topology = make(rows[i].text);
        struct ct_bisection bisection;
        if (topology.n_nodes != rows[i].nodes || topology.n_switches != rows[i].switches ||
            topology.n_links != rows[i].links)
            fail_msg("%s: %u nodes, %u switches, %u links", rows[i].text, topology.n_nodes,
                     topology.n_switches, topology.n_links);
        assert_int_equal(ct_topology_bisect(&topology, &bisection, NULL), CT_OK);
        if (rows[i].bisection && bisection.links != rows[i].bisection)
            fail_msg("%s: %llu links between its halves", rows[i].text,
                     (unsigned long long)bisection.links);
        ct_topology_free(&topology);
    }
}

static void ports_of_a_switch_are_its_radix(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint32_t least, most;
    } rows[] = {{"fat-tree:8x3", 8, 8},      {"fat-tree:16x3", 16, 16},   {"torus:4x4x4,2", 8, 8},
                {"dragonfly:9,4,2,2", 7, 7}, {"dragonfly:8,4,8", 12, 13}, {"tree:4x4,2", 4, 6}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct ct_topology topology = make(rows[i].text);
        uint32_t least = UINT32_MAX, most = 0;
        for (uint32_t v = topology.n_nodes; v < ct_topology_vertices(&topology); v++) {
            uint32_t degree = ct_topology_degree(&topology, v);
            least = degree < least ? degree : least;
            most = degree > most ? degree : most;
        }
        assert_int_equal(least, rows[i].least);
        assert_int_equal(most, rows[i].most);
        ct_topology_free(&topology);
    }
}

static void rates_decide_what_halves_can_tell_each_other(void **state)
{
    (void)state;
    struct ct_topology_settings settings = ct_topology_defaults();
    settings.rate_bit_per_s = 50e6;
    settings.uplink_bit_per_s = 100e6;
    settings.spines = 2;
    settings.wire_s = 1e-6;
    struct ct_topology topology = make_with("tree:4x4", &settings);
    struct ct_bisection bisection;
    assert_int_equal(ct_topology_bisect(&topology, &bisection, NULL), CT_OK);
    /* Four uplinks of one half, or eight links of its nodes: both are 400 Mbit/s. */
    assert_near(bisection.bit_per_s, 400e6, 0);
    assert_near(topology.links[0].latency_s, 1e-6, 0);
    ct_topology_free(&topology);
    settings.uplink_bit_per_s = 50e6;
    topology = make_with("tree:4x4", &settings);
    assert_int_equal(ct_topology_bisect(&topology, &bisection, NULL), CT_OK);
    assert_near(bisection.bit_per_s, 200e6, 0);
    ct_topology_free(&topology);
}

/* ---- hops ---- */

/* Pairs with so many switches between them, counted by hand. */
static void slow_hops_are_those_of_closed_forms(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint64_t pairs[8];
    } rows[] = {
        {"switch:7", {0, 7 * 6}},
        {"tree:4x4,2", {0, 16 * 3, 0, 16 * 12}},
        /* Same edge switch: k/2 - 1 others; same pod: (k/2)^2 - k/2; else: k^3/4 - (k/2)^2. */
        {"fat-tree:16x3", {0, 1024 * 7, 0, 1024 * 56, 0, 1024 * 960}},
        {"fat-tree:8x3", {0, 128 * 3, 0, 128 * 12, 0, 128 * 112}},
        {"torus:4x4", {0, 0, 16 * 4, 16 * 6, 16 * 4, 16 * 1}},
        {"torus:2x2x2", {0, 0, 8 * 3, 8 * 3, 8 * 1}},
        {"torus:5", {0, 0, 5 * 2, 5 * 2}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct ct_topology topology = make(rows[i].text);
        struct ct_router *router = route(&topology);
        struct ct_hop_counts counts;
        assert_int_equal(ct_topology_count_hops(router, &topology, UINT64_MAX, &counts, NULL),
                         CT_OK);
        assert_int_equal(counts.targets, topology.n_nodes);
        for (uint32_t h = 0; h < 8; h++)
            if ((h < counts.n ? counts.pairs[h] : 0) != rows[i].pairs[h])
                fail_msg("%s: %u switches: %llu pairs", rows[i].text, h,
                         (unsigned long long)(h < counts.n ? counts.pairs[h] : 0));
        free(counts.pairs);
        ct_router_free(router);
        ct_topology_free(&topology);
    }
}

/* Distances by search, over switches only; groups: at most one link between groups. */
static void search(const struct ct_topology *topology, uint32_t from, uint32_t *distance)
{
    uint32_t n = ct_topology_vertices(topology), *queue = malloc(n * sizeof *queue), end = 1;
    assert_non_null(queue);
    memset(distance, 0xff, n * sizeof *distance);
    distance[from] = 0;
    queue[0] = from;
    for (uint32_t i = 0; i < end; i++) {
        uint32_t v = queue[i];
        if (v < topology->n_nodes && v != from)
            continue;
        for (uint32_t p = topology->first_port[v]; p < topology->first_port[v + 1]; p++)
            if (distance[topology->ports[p].peer] == UINT32_MAX) {
                distance[topology->ports[p].peer] = distance[v] + 1;
                queue[end++] = topology->ports[p].peer;
            }
    }
    free(queue);
}

/* The fewest switches with one link between groups at most: local, global, local. */
static uint32_t minimal_in_dragonfly(const struct ct_topology *topology, uint32_t from, uint32_t to)
{
    const struct ct_shape *shape = &topology->shape;
    uint32_t a = shape->group_switches, best = UINT32_MAX;
    uint32_t s = from / shape->nodes_per_switch, t = to / shape->nodes_per_switch;
    if (s == t || s / a == t / a)
        return s == t ? 1 : 2;
    for (uint32_t i = 0; i < topology->n_links; i++)
        for (size_t side = 0; side < 2; side++) {
            uint32_t x = topology->links[i].end[side], y = topology->links[i].end[!side];
            if (x < topology->n_nodes || y < topology->n_nodes)
                continue;
            x -= topology->n_nodes;
            y -= topology->n_nodes;
            if (x / a != s / a || y / a != t / a)
                continue;
            uint32_t switches = 2 + (uint32_t)(x != s) + (uint32_t)(y != t);
            best = switches < best ? switches : best;
        }
    return best;
}

static void check_ways(const struct ct_topology *topology, struct ct_router *router, uint32_t from,
                       const uint32_t *distance)
{
    struct ct_route way = {0};
    bool is_dragonfly = topology->shape.groups > 0;
    for (uint32_t to = 0; to < topology->n_nodes; to++) {
        uint32_t at = from, switches;
        assert_int_equal(ct_route_find(router, from, to, &way, NULL), CT_OK);
        assert_int_equal(ct_route_switches(router, from, to, &switches, NULL), CT_OK);
        for (size_t i = 0; i < way.n; i++) {
            const struct ct_link *link = &topology->links[way.hops[i].link];
            assert_int_equal(way.hops[i].from, at);
            assert_true(i == 0 || at >= topology->n_nodes);
            at = way.hops[i].to;
            assert_true((link->end[0] == at && link->end[1] == way.hops[i].from) ||
                        (link->end[1] == at && link->end[0] == way.hops[i].from));
        }
        assert_int_equal(at, to);
        assert_int_equal(switches, way.n > 0 ? way.n - 1 : 0);
        if (is_dragonfly && from != to)
            assert_int_equal(switches, minimal_in_dragonfly(topology, from, to));
        if (!is_dragonfly)
            assert_int_equal(way.n, distance[to]);
        assert_true(way.n >= distance[to]);
    }
    free(way.hops);
}

static void slow_routes_are_as_short_as_those_of_a_search(void **state)
{
    (void)state;
    static const char *const texts[] = {"switch:5",
                                        "tree:3x5,4",
                                        "fat-tree:4",
                                        "fat-tree:8x2",
                                        "fat-tree:4x4",
                                        "xgft:3,2,4/2,3,2",
                                        "xgft:2,3,2,2/1,2,1,3",
                                        "dragonfly:8,4,8",
                                        "dragonfly:9,4,2,2",
                                        "dragonfly:4,4,2,4",
                                        "dragonfly:5,3,2,7",
                                        "dragonfly:2,1,3",
                                        "torus:5x4x3",
                                        "torus:2x6,3",
                                        "torus:1x7",
                                        "torus:4x1x4"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct ct_topology topology = make(texts[i]), unshaped = topology;
        unshaped.routing = NULL;
        unshaped.shape = (struct ct_shape){0};
        struct ct_router *routers[] = {route(&topology), route(&unshaped)};
        uint32_t *distance = malloc(ct_topology_vertices(&topology) * sizeof *distance);
        for (uint32_t from = 0; from < topology.n_nodes; from++) {
            search(&topology, from, distance);
            check_ways(&topology, routers[0], from, distance);
            check_ways(&unshaped, routers[1], from, distance);
        }
        free(distance);
        ct_router_free(routers[0]);
        ct_router_free(routers[1]);
        ct_topology_free(&topology);
    }
}

/* What formulas say and what shortest paths spread alike say is the same, link by link. */
static void trees_as_files_have_the_same_routes(void **state)
{
    (void)state;
    static const char *const texts[] = {"tree:4x4,2", "tree:3x4,3", "fat-tree:4", "fat-tree:8x3",
                                        "fat-tree:8x2"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct ct_topology topology = make(texts[i]), unshaped = topology;
        unshaped.routing = NULL;
        struct ct_router *a = route(&topology), *b = route(&unshaped);
        struct ct_route left = {0}, right = {0};
        for (uint32_t from = 0; from < topology.n_nodes; from++)
            for (uint32_t to = 0; to < topology.n_nodes; to++) {
                assert_int_equal(ct_route_find(a, from, to, &left, NULL), CT_OK);
                assert_int_equal(ct_route_find(b, from, to, &right, NULL), CT_OK);
                assert_int_equal(left.n, right.n);
                for (size_t h = 0; h < left.n; h++)
                    assert_int_equal(left.hops[h].link, right.hops[h].link);
            }
        free(left.hops);
        free(right.hops);
        ct_router_free(a);
        ct_router_free(b);
        ct_topology_free(&topology);
    }
}

/*
 * D-mod-k: with a message from each node to each other one, every direction of every link between
 * switches of a full tree carries as many [Zahavi 2012].
 */
static void trees_spread_an_exchange_of_all_evenly(void **state)
{
    (void)state;
    static const char *const texts[] = {"tree:4x4,2", "tree:4x4,4", "fat-tree:4", "fat-tree:8x3"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct ct_topology topology = make(texts[i]);
        struct ct_router *router = route(&topology);
        struct ct_route way = {0};
        uint32_t(*carried)[2] = calloc(topology.n_links, sizeof *carried);
        for (uint32_t from = 0; from < topology.n_nodes; from++)
            for (uint32_t to = 0; to < topology.n_nodes; to++) {
                assert_int_equal(ct_route_find(router, from, to, &way, NULL), CT_OK);
                for (size_t h = 0; h < way.n; h++)
                    carried[way.hops[h].link]
                           [topology.links[way.hops[h].link].end[0] != way.hops[h].from]++;
            }
        /* Links of a level come one after the other: those of nodes, of leaves, ... */
        uint32_t first = 0;
        for (uint32_t level = 0; level < topology.shape.n; level++) {
            uint32_t last = first;
            while (last + 1 < topology.n_links && carried[last + 1][0] == carried[first][0])
                last++;
            assert_true(last > first);
            for (uint32_t link = first; link <= last; link++)
                assert_int_equal(carried[link][1], carried[first][1]);
            first = last + 1;
        }
        assert_int_equal(first, topology.n_links);
        free(carried);
        free(way.hops);
        ct_router_free(router);
        ct_topology_free(&topology);
    }
}

/* ---- large ones ---- */

/* Hops from each node of a network in which all nodes are alike. */
struct hops {
    uint64_t pairs[72]; /* by switches */
};

/* Level by level of a tree: with M_i children each, (M_i - 1) M_(i-1) .. M_1 nodes are 2 i - 1
 * switches away. */
static struct hops hops_of_tree(const struct ct_shape *shape)
{
    struct hops hops = {{0}};
    uint64_t below = 1;
    for (uint32_t i = 0; i < shape->n; i++) {
        hops.pairs[2 * i + 1] = (shape->down[i] - 1) * below;
        below *= shape->down[i];
    }
    return hops;
}

/* Distances on a ring of n: 0 once, each other one twice, n/2 of an even one once; sums of them
 * over dimensions. */
static struct hops hops_of_torus(const struct ct_shape *shape)
{
    struct hops hops = {{[1] = 1}};
    for (uint32_t i = 0; i < shape->n; i++) {
        struct hops longer = {{0}};
        for (uint32_t position = 0; position < shape->down[i]; position++) {
            uint32_t steps = position <= shape->down[i] / 2 ? position : shape->down[i] - position;
            for (uint32_t h = 0; h + steps < 72; h++)
                longer.pairs[h + steps] += hops.pairs[h];
        }
        hops = longer;
    }
    hops.pairs[1] -= 1; /* itself */
    return hops;
}

/* All links of switches to other groups in use: h groups have theirs at the node's own switch. */
static struct hops hops_of_dragonfly(const struct ct_shape *shape)
{
    uint64_t p = shape->nodes_per_switch, a = shape->group_switches, g = shape->groups;
    uint64_t own = shape->globals, others = g - 1 - own;
    return (struct hops){{[1] = p - 1,
                          [2] = (a - 1) * p + own * p,
                          [3] = own * (a - 1) * p + others * p,
                          [4] = others * (a - 1) * p}};
}

static const struct large {
    const char *text;
    uint32_t nodes, switches, links, bisection; /* bisection: 0, not known */
    struct hops (*hops)(const struct ct_shape *shape);
} large[] = {
    {"tree:400x250,100", 100000, 500, 100000 + 400 * 100, 100 * 200, hops_of_tree},
    /* Radix k: k^3/4 nodes, 5 k^2/4 switches, 3 k^3/4 links, k^3/8 of them cut. */
    {"fat-tree:74x3", 101306, 6845, 303918, 50653, hops_of_tree},
    /* 40 subtrees with 25 times 20 links up each. */
    {"xgft:50,50,40/1,25,20", 100000, 2000 + 1000 + 500, 100000 + 50000 + 20000, 20 * 500,
     hops_of_tree},
    /* A ring of 46 is cut twice, for each of 47 times 47 rows. */
    {"torus:46x47x47", 101614, 101614, 4 * 101614, 2 * 47 * 47, hops_of_torus},
    /* a h = g - 1: each switch has h links to other groups, and each pair of groups one link. */
    {"dragonfly:129,16,49,8", 101136, 2064, 101136 + 129 * 120 + 129 * 64, 0, hops_of_dragonfly},
    /* An even number of groups: one link from each of the first half to each of the second. */
    {"dragonfly:130,16,49,9", 101920, 2080, 101920 + 130 * 120 + 65 * 129, 65 * 65, NULL}};
enum { N_LARGE = sizeof large / sizeof *large };

static void slow_hundred_thousand_nodes_are_as_closed_forms_say(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_LARGE; i++) {
        const struct large *row = &large[i];
        struct ct_topology topology = make(row->text);
        struct ct_router *router = route(&topology);
        struct ct_bisection bisection;
        struct ct_hop_counts counts;
        assert_int_equal(topology.n_nodes, row->nodes);
        assert_int_equal(topology.n_switches, row->switches);
        assert_int_equal(topology.n_links, row->links);
        assert_int_equal(ct_topology_bisect(&topology, &bisection, NULL), CT_OK);
        if (row->bisection > 0)
            assert_int_equal(bisection.links, row->bisection);
        assert_int_equal(ct_topology_count_hops(router, &topology, 500000, &counts, NULL), CT_OK);
        assert_in_range(counts.targets, 1, 10);
        const struct hops hops = row->hops ? row->hops(&topology.shape) : (struct hops){{0}};
        for (uint32_t h = 0; h < 72 && row->hops; h++)
            if ((h < counts.n ? counts.pairs[h] : 0) != counts.targets * hops.pairs[h])
                fail_msg("%s: %u switches: %llu pairs, not %u times %llu", row->text, h,
                         (unsigned long long)(h < counts.n ? counts.pairs[h] : 0), counts.targets,
                         (unsigned long long)hops.pairs[h]);
        free(counts.pairs);
        ct_router_free(router);
        ct_topology_free(&topology);
    }
}

static void slow_hundred_thousand_nodes_are_routed(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_LARGE; i++) {
        struct ct_topology topology = make(large[i].text), unshaped = topology;
        unshaped.routing = NULL;
        unshaped.shape = (struct ct_shape){0};
        struct ct_router *routers[] = {route(&topology), route(&unshaped)};
        uint32_t *distance = malloc(ct_topology_vertices(&topology) * sizeof *distance);
        for (uint32_t k = 0; k < 3; k++) {
            uint32_t to = (uint32_t)((uint64_t)k * (topology.n_nodes - 1) / 2), switches;
            search(&topology, to, distance);
            for (uint32_t from = 0; from < topology.n_nodes; from += 31) {
                assert_int_equal(ct_route_switches(routers[1], from, to, &switches, NULL), CT_OK);
                assert_int_equal(switches, from == to ? 0 : distance[from] - 1);
                assert_int_equal(ct_route_switches(routers[0], from, to, &switches, NULL), CT_OK);
                assert_true(topology.shape.groups > 0
                                ? switches <= 4
                                : switches == (from == to ? 0 : distance[from] - 1));
            }
        }
        free(distance);
        ct_router_free(routers[0]);
        ct_router_free(routers[1]);
        ct_topology_free(&topology);
    }
}

/* ---- names and refusals ---- */

static void names_are_found(void **state)
{
    (void)state;
    static const struct {
        const char *text, *node, *first, *last;
    } rows[] = {{"switch:4", "n3", "s0", "s0"},
                {"tree:4x4,2", "n15", "leaf0", "spine1"},
                {"fat-tree:4", "n15", "s1.0", "s3.3"},
                {"dragonfly:4,2,2", "n15", "g0s0", "g3s1"},
                {"torus:2x3", "n5", "s0.0", "s1.2"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct ct_topology topology = make(rows[i].text);
        uint32_t v = 0;
        assert_true(ct_topology_find(&topology, rows[i].node, &v));
        assert_int_equal(v, topology.n_nodes - 1);
        assert_true(ct_topology_find(&topology, rows[i].first, &v));
        assert_int_equal(v, topology.n_nodes);
        assert_true(ct_topology_find(&topology, rows[i].last, &v));
        assert_int_equal(v, ct_topology_vertices(&topology) - 1);
        assert_false(ct_topology_find(&topology, "elsewhere", &v));
        ct_topology_free(&topology);
    }
}

static void other_texts_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } rows[] = {{"hypercube:4", "neither switch:N"},
                {"switch", "of how many nodes? Give switch:N"},
                {"switch:", "write switch:N"},
                {"switch:0", "write switch:N"},
                {"switch:4x4", "write switch:N"},
                {"tree:4", "write tree:LEAVESxHOSTS"},
                {"tree:4x", "write tree:"},
                {"tree:4x4,2,2", "write tree:"},
                {"fat-tree:5", "must be even"},
                {"fat-tree:4x9", "at most 8 tiers"},
                {"fat-tree:99999999999999999999", "write fat-tree:"},
                {"fat-tree:1000", "at most 262144 nodes"},
                {"xgft:4,4/1", "as many numbers of parents"},
                {"xgft:4,4", "write xgft:"},
                {"xgft:2,2,2,2,2,2,2,2/262144,262144,262144,262144,262144,262144,262144,262144",
                 "at most 262144 nodes"},
                {"dragonfly:8,4", "write dragonfly:"},
                {"dragonfly:8,4,8,1", "H must be at least 2"},
                {"dragonfly:2,262144,1,262144", "too many links"},
                {"torus:4x4,0", "write torus:"},
                {"torus:100x100x100", "at most 262144 nodes"}};
    struct ct_topology_settings settings = ct_topology_defaults();
    struct ct_topology topology;
    struct ct_error err;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_not_equal(ct_topology_make(rows[i].text, &settings, &topology, &err), CT_OK);
        if (!strstr(err.text, rows[i].message))
            fail_msg("%s: %s", rows[i].text, err.text);
    }
    settings.spines = 2;
    assert_int_equal(ct_topology_make("torus:4", &settings, &topology, &err), CT_EUSAGE);
    assert_int_equal(ct_topology_make("tree:4x4,3", &settings, &topology, &err), CT_EUSAGE);
    settings = ct_topology_defaults();
    settings.n_nodes = 12;
    assert_int_equal(ct_topology_make("switch", &settings, &topology, &err), CT_OK);
    assert_int_equal(topology.n_nodes, 12);
    ct_topology_free(&topology);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_are_those_of_closed_forms),
        cmocka_unit_test(ports_of_a_switch_are_its_radix),
        cmocka_unit_test(rates_decide_what_halves_can_tell_each_other),
        cmocka_unit_test(slow_hops_are_those_of_closed_forms),
        cmocka_unit_test(slow_routes_are_as_short_as_those_of_a_search),
        cmocka_unit_test(trees_as_files_have_the_same_routes),
        cmocka_unit_test(trees_spread_an_exchange_of_all_evenly),
        cmocka_unit_test(slow_hundred_thousand_nodes_are_as_closed_forms_say),
        cmocka_unit_test(slow_hundred_thousand_nodes_are_routed),
        cmocka_unit_test(names_are_found),
        cmocka_unit_test(other_texts_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
