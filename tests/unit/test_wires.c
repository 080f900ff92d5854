/*
 * Latencies by topology: T, its slopes and tolerances in the latency of a wire and in the time in a
 * switch, against closed forms, finite differences, a walk over the graph with enumerated hops, and
 * (where Clp is here) the linear program.
 */
#include "core/parts.h"
#include "goal_example.h"
#include "lp-bridge/envelope/envelope.h"
#include "lp-bridge/envelope/wires.h"
#include "lp-bridge/lp/lp.h"
#include "lp-bridge/lp/tolerance.h"
#include "tests/bench/halo_schedule.h"
#include "topology/route.h"
#include "topology/spec.h"
#include "unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { GRAPHS = 40, THRESHOLDS = 3 };

/* The paper's l_wire and d_switch; o and G are any. */
static const struct ct_loggps at = {.o_ns = 700, .L_ns = 274, .G_ns_per_byte = 0.25};
static const double switch_ns = 108, thresholds[THRESHOLDS] = {0.01, 0.02, 0.5};

static const char *const texts[] = {"fat-tree:4x3", "dragonfly:4,2,2", "torus:3x3", "switch:9",
                                    "tree:3x3,2"};
enum { TEXTS = sizeof texts / sizeof *texts };

/* A network and a schedule on it. */
struct placed {
    struct ct_topology topology;
    struct ct_graph graph;
    struct ct_wires *wires;
    uint32_t ranks_per_node;
    bool adds_links;
};

static struct ct_topology topology_of(const char *text)
{
    struct ct_topology_settings settings = ct_topology_defaults();
    struct ct_topology topology;
    assert_int_equal(ct_topology_make(text, &settings, &topology, NULL), CT_OK);
    return topology;
}

static struct ct_wires *wires_of(const struct ct_topology *topology, const struct ct_graph *graph,
                                 uint32_t ranks_per_node)
{
    const struct ct_wires_setup setup = {.topology = topology,
                                         .ranks_per_node = ranks_per_node,
                                         .switch_ns = switch_ns,
                                         .L_node_ns = 400,
                                         .G_node_ns_per_byte = 0.1};
    struct ct_wires *wires;
    struct ct_error err = {.text = ""};
    if (ct_wires_new(&setup, graph, &wires, &err) != CT_OK)
        fail_msg("%s", err.text);
    return wires;
}

static void place(struct placed *placed, uint64_t seed)
{
    static const struct ct_graph_options rendezvous = {.eager_max_bytes = 1000};
    const struct random_shape shape = {.n_ranks = 2 + (uint32_t)(seed % 8),
                                       .n_steps = 20 + (uint32_t)(seed * 13 % 300),
                                       .calc_max_ns = 8000,
                                       .bytes_max = 2000};
    placed->topology = topology_of(texts[seed % TEXTS]);
    placed->graph = random_graph(seed, shape, seed % 2 ? &eager : &rendezvous);
    placed->ranks_per_node = 1 + (uint32_t)(seed / TEXTS % 3);
    placed->adds_links = false;
    placed->wires = wires_of(&placed->topology, &placed->graph, placed->ranks_per_node);
}

/* Latencies of links that differ, beside an L that was measured on a path of 400 ns. */
static void add_latencies(struct placed *placed)
{
    struct ct_wires_setup setup = {.topology = &placed->topology,
                                   .ranks_per_node = placed->ranks_per_node,
                                   .L_node_ns = 400,
                                   .G_node_ns_per_byte = 0.1,
                                   .adds_links = true,
                                   .L_ns = at.L_ns,
                                   .measured_ns = 400};
    struct ct_error err = {.text = ""};
    for (uint32_t i = 0; i < placed->topology.n_links; i++)
        placed->topology.links[i].latency_s = 1e-9 * (100 + i * 37 % 500);
    ct_wires_free(placed->wires);
    placed->adds_links = true;
    if (ct_wires_new(&setup, &placed->graph, &placed->wires, &err) != CT_OK)
        fail_msg("%s", err.text);
}

static void leave(struct placed *placed)
{
    ct_wires_free(placed->wires);
    ct_graph_free(&placed->graph);
    ct_topology_free(&placed->topology);
}

static struct ct_evaluator *compile(const struct placed *placed, const struct ct_loggps *here,
                                    enum ct_wires_free free)
{
    struct ct_wires_plane plane;
    struct ct_evaluator *evaluator;
    ct_wires_plane(placed->wires, here, free, CT_WIRES_FIXED, &plane);
    assert_int_equal(ct_evaluator_compile(&placed->graph, &plane.plane, &evaluator, NULL), CT_OK);
    return evaluator;
}

static double runtime_at(const struct ct_evaluator *evaluator, double t)
{
    struct ct_line line;
    assert_int_equal(ct_evaluator_lines(evaluator, &t, 1, 1, &line, NULL), CT_OK);
    return ct_line_at(line, t);
}

/* ---- closed forms ---- */

#define PING(to_)                                                                                  \
    "num_ranks 9\nrank 0 {\na: send 101b to " to_ " tag 0\n}\nrank " to_                           \
    " {\nb: recv 101b from 0 tag 0\n}\n"

/* T = 2 o + (h + 1) l + h d + 100 G. */
static void one_message_passes_the_switches_of_its_way(void **state)
{
    (void)state;
    static const struct {
        const char *topology, *schedule;
        double switches;
    } rows[] = {{"fat-tree:4x3", PING("1"), 1},    {"fat-tree:4x3", PING("2"), 3},
                {"fat-tree:4x3", PING("8"), 5},    {"dragonfly:4,2,2", PING("1"), 1},
                {"dragonfly:4,2,2", PING("3"), 2}, {"switch", PING("8"), 1}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct ct_topology_settings settings = ct_topology_defaults();
        struct placed placed;
        struct ct_line wire, in_switch;
        settings.n_nodes = 9;
        assert_int_equal(ct_topology_make(rows[i].topology, &settings, &placed.topology, NULL),
                         CT_OK);
        placed.graph = graph_of_text(rows[i].schedule, &eager);
        placed.wires = wires_of(&placed.topology, &placed.graph, 1);
        struct ct_evaluator *by_wire = compile(&placed, &at, CT_WIRES_LATENCY);
        struct ct_evaluator *by_switch = compile(&placed, &at, CT_WIRES_SWITCH);
        assert_int_equal(ct_evaluator_lines(by_wire, &at.L_ns, 1, 1, &wire, NULL), CT_OK);
        assert_int_equal(ct_evaluator_lines(by_switch, &switch_ns, 1, 1, &in_switch, NULL), CT_OK);
        double h = rows[i].switches;
        double expected = 2 * at.o_ns + (h + 1) * at.L_ns + h * switch_ns + 100 * at.G_ns_per_byte;
        assert_near(ct_line_at(wire, at.L_ns), expected, 1e-9);
        assert_near(ct_line_at(in_switch, switch_ns), expected, 1e-9);
        assert_near(wire.slope, h + 1, 0);
        assert_near(in_switch.slope, h, 0);
        struct ct_wires_hops hops = ct_wires_hops(placed.wires);
        assert_int_equal(hops.most, (uint32_t)h);
        assert_near(hops.mean, h, 0);
        ct_evaluator_free(by_wire);
        ct_evaluator_free(by_switch);
        leave(&placed);
    }
}

/* Ranks 0 and 1 are on node 0: T = 2 o + L_node + 100 G_node, whatever the wires. */
static void messages_inside_a_node_pass_no_wire(void **state)
{
    (void)state;
    struct placed placed = {.topology = topology_of("switch:5")};
    placed.graph = graph_of_text(PING("1"), &eager);
    placed.wires = wires_of(&placed.topology, &placed.graph, 2);
    struct ct_evaluator *evaluator = compile(&placed, &at, CT_WIRES_LATENCY);
    assert_near(runtime_at(evaluator, 5000), 2 * at.o_ns + 400 + 100 * 0.1, 1e-9);
    struct ct_wires_hops hops = ct_wires_hops(placed.wires);
    assert_int_equal(hops.between, 0);
    assert_true(hops.inside > 0 && isnan(hops.mean));
    ct_evaluator_free(evaluator);
    leave(&placed);
}

/* With no topology L is that between nodes, and the same as ever with one rank on each. */
static void without_a_topology_L_is_that_between_nodes(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        struct placed placed;
        place(&placed, seed);
        ct_wires_free(placed.wires);
        placed.wires = wires_of(NULL, &placed.graph, 1);
        struct ct_evaluator *evaluator = compile(&placed, &at, CT_WIRES_LATENCY);
        assert_near(runtime_at(evaluator, at.L_ns), runtime_by_envelope(&placed.graph, at), 1e-6);
        ct_evaluator_free(evaluator);
        leave(&placed);
    }
}

/* Nodes at 1 us, uplinks at 5 us: inside a leaf L, across L + 12 us - 2 us. */
static void latencies_of_links_are_added_to_L(void **state)
{
    (void)state;
    static const struct {
        const char *schedule;
        double measured_ns, least_L_ns, latency_ns;
    } rows[] = {{PING("1"), 2000, 0, 10000},
                {PING("4"), 2000, 0, 20000},
                {PING("1"), 12000, 10000, 0},
                {PING("4"), 12000, 0, 10000}};
    const struct ct_loggps here = {.o_ns = 700, .L_ns = 10000, .G_ns_per_byte = 0.25};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct placed placed = {.topology = topology_of("tree:3x3")};
        for (uint32_t l = 0; l < placed.topology.n_links; l++)
            placed.topology.links[l].latency_s =
                placed.topology.links[l].end[0] < 9 || placed.topology.links[l].end[1] < 9 ? 1e-6
                                                                                           : 5e-6;
        struct ct_wires_setup setup = {.topology = &placed.topology,
                                       .ranks_per_node = 1,
                                       .adds_links = true,
                                       .L_ns = here.L_ns,
                                       .measured_ns = rows[i].measured_ns};
        struct ct_error err;
        struct ct_line line, share;
        struct ct_wires_plane plane;
        double t = here.L_ns;
        placed.graph = graph_of_text(rows[i].schedule, &eager);
        assert_int_equal(ct_wires_new(&setup, &placed.graph, &placed.wires, &err), CT_OK);
        assert_near(ct_wires_hops(placed.wires).least_L_ns, rows[i].least_L_ns, 1e-6);
        struct ct_evaluator *evaluator = compile(&placed, &here, CT_WIRES_LATENCY);
        assert_int_equal(ct_evaluator_lines(evaluator, &t, 1, 1, &line, NULL), CT_OK);
        assert_near(ct_line_at(line, t), 2 * 700 + 100 * 0.25 + rows[i].latency_ns, 1e-6);
        assert_near(line.slope, 1, 0);
        ct_wires_plane(placed.wires, &here, CT_WIRES_SHARE, CT_WIRES_FIXED, &plane);
        assert_int_equal(ct_evaluate_once(&placed.graph, &plane.plane, 1, &share, NULL), CT_OK);
        assert_near(share.slope, rows[i].latency_ns, 1e-6);
        ct_evaluator_free(evaluator);
        leave(&placed);
    }
}

/* Latencies below 0 are refused: measured across a tree, L is too short for what is near. */
static void latencies_below_0_are_refused(void **state)
{
    (void)state;
    struct ct_topology topology = topology_of("switch:9");
    struct ct_graph graph = graph_of_text(PING("1"), &eager);
    for (uint32_t l = 0; l < topology.n_links; l++)
        topology.links[l].latency_s = 1e-6;
    const struct ct_wires_setup setup = {.topology = &topology,
                                         .ranks_per_node = 1,
                                         .adds_links = true,
                                         .L_ns = 9000,
                                         .measured_ns = 12000};
    struct ct_wires *wires;
    struct ct_error err;
    assert_int_equal(ct_wires_new(&setup, &graph, &wires, &err), CT_EINVAL);
    assert_non_null(strstr(err.text, "would be -1 us: its links take 10 us less"));
    ct_graph_free(&graph);
    ct_topology_free(&topology);
}

/* ---- a second way to compute the same ---- */

/* Switches between nodes, by breadth-first search (that is minimal in all of the texts). */
static uint32_t switches_between(const struct ct_topology *topology, uint32_t from, uint32_t to)
{
    uint32_t n = ct_topology_vertices(topology), queue[64], distance[64], end = 1;
    assert_true(n <= 64);
    memset(distance, 0xff, sizeof distance);
    distance[from] = 0;
    queue[0] = from;
    for (uint32_t i = 0; i < end; i++)
        for (uint32_t p = topology->first_port[queue[i]]; p < topology->first_port[queue[i] + 1];
             p++) {
            uint32_t peer = topology->ports[p].peer;
            if (distance[peer] != UINT32_MAX)
                continue;
            distance[peer] = distance[queue[i]] + 1;
            queue[end++] = peer;
        }
    return distance[to] - 1;
}

static double links_between_ns(const struct ct_topology *topology, uint32_t from, uint32_t to)
{
    struct ct_router *router;
    struct ct_route route = {0};
    double sum = 0;
    assert_int_equal(ct_router_new(topology, &router, NULL), CT_OK);
    assert_int_equal(ct_route_find(router, from, to, &route, NULL), CT_OK);
    for (size_t i = 0; i < route.n; i++)
        sum += 1e9 * topology->links[route.hops[i].link].latency_s;
    free(route.hops);
    ct_router_free(router);
    return sum;
}

static double cost_ns(const struct placed *placed, const struct ct_cost *cost)
{
    double L_ns = 400, G = 0.1;
    uint32_t from = cost->from / placed->ranks_per_node, to = cost->to / placed->ranks_per_node;
    if (from != to) {
        double h = switches_between(&placed->topology, from, to);
        L_ns = (h + 1) * at.L_ns + h * switch_ns;
        if (placed->adds_links && cost->L != 0)
            L_ns = at.L_ns + links_between_ns(&placed->topology, from, to) - 400;
        G = at.G_ns_per_byte;
    }
    return cost->compute_ns + cost->o * at.o_ns + cost->L * L_ns + cost->G * G;
}

/* T by the longest path, vertex by vertex. */
static double longest_path(const struct placed *placed)
{
    const struct ct_graph *graph = &placed->graph;
    double *time_ns = calloc(graph->n_vertices + 1, sizeof *time_ns), longest = 0;
    assert_non_null(time_ns);
    for (uint32_t v = 0; v < graph->n_vertices; v++) {
        for (uint32_t e = graph->first_edge[v]; e < graph->first_edge[v + 1]; e++) {
            struct ct_cost cost = ct_graph_edge_cost(graph, v, graph->edges[e]);
            double over = time_ns[ct_edge_source(graph->edges[e])] + cost_ns(placed, &cost);
            time_ns[v] = fmax(time_ns[v], over);
        }
        struct ct_cost cost = ct_graph_finish_cost(graph, v);
        longest = fmax(longest, time_ns[v] + cost_ns(placed, &cost));
    }
    free(time_ns);
    return longest;
}

static void runtimes_are_those_of_enumerated_hops(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= GRAPHS; seed++) {
        struct placed placed;
        place(&placed, seed);
        struct ct_evaluator *by_wire = compile(&placed, &at, CT_WIRES_LATENCY);
        struct ct_evaluator *by_switch = compile(&placed, &at, CT_WIRES_SWITCH);
        double expected = longest_path(&placed);
        assert_near(runtime_at(by_wire, at.L_ns), expected, 1e-6);
        assert_near(runtime_at(by_switch, switch_ns), expected, 1e-6);
        ct_evaluator_free(by_wire);
        ct_evaluator_free(by_switch);
        leave(&placed);
    }
}

static void slopes_are_those_of_finite_differences(void **state)
{
    (void)state;
    const double step = 1e-3;
    size_t compared = 0;
    for (uint64_t seed = 1; seed <= GRAPHS; seed++) {
        struct placed placed;
        place(&placed, seed);
        for (int in = 0; in < 2; in++) {
            struct ct_evaluator *evaluator =
                compile(&placed, &at, in ? CT_WIRES_SWITCH : CT_WIRES_LATENCY);
            double t = in ? switch_ns : at.L_ns;
            struct ct_sensitivity found;
            assert_int_equal(ct_sensitivity_at(evaluator, t, 1, &found, NULL), CT_OK);
            if (found.lo < t - step && found.hi > t + step) {
                double rise = runtime_at(evaluator, t + step) - runtime_at(evaluator, t - step);
                assert_near(rise / (2 * step), found.line.slope, 1e-3);
                compared++;
            }
            ct_evaluator_free(evaluator);
        }
        leave(&placed);
    }
    assert_true(compared > GRAPHS);
}

/* ---- linear programming ---- */

static void compare(const struct placed *placed, enum ct_wires_free free, double value)
{
    struct ct_wires_plane parameter, gap;
    struct ct_evaluator *evaluator = compile(placed, &at, free);
    ct_wires_plane(placed->wires, &at, free, CT_WIRES_GAP, &parameter);
    ct_wires_plane(placed->wires, &at, CT_WIRES_GAP, CT_WIRES_FIXED, &gap);
    const struct ct_tolerance_planes planes = {parameter.plane, gap.plane};
    const struct ct_tolerance_query query = {.at = {at.o_ns, value, at.G_ns_per_byte},
                                             .longer_frac = thresholds,
                                             .n = THRESHOLDS,
                                             .planes = &planes};
    struct ct_tolerance exact, by_lp;
    double largest[THRESHOLDS], largest_by_lp[THRESHOLDS];
    assert_int_equal(
        ct_tolerance_by_envelope(&placed->graph, evaluator, &query, 1, &exact, largest, NULL),
        CT_OK);
    assert_near(exact.runtime_ns, longest_path(placed), 1e-6);
    for (size_t i = 0; i < THRESHOLDS; i++)
        if (isfinite(largest[i]))
            assert_near(runtime_at(evaluator, largest[i]), (1 + thresholds[i]) * exact.runtime_ns,
                        1e-9 * exact.runtime_ns);
    if (CT_HAVE_CLP) {
        struct ct_error err = {.text = ""};
        if (ct_tolerance_by_lp(&placed->graph, &query, &by_lp, largest_by_lp, &err) != CT_OK)
            fail_msg("%s", err.text);
        assert_near(by_lp.runtime_ns, exact.runtime_ns, 1e-9 * exact.runtime_ns);
        bool inside = exact.lo_ns < value - 1e-3 && exact.hi_ns > value + 1e-3;
        if (inside) {
            assert_near(by_lp.lambda_L, exact.lambda_L, 1e-6);
            assert_near(by_lp.lambda_G, exact.lambda_G, 1e-6 * fmax(exact.lambda_G, 1));
        }
        for (size_t i = 0; i < THRESHOLDS; i++) {
            assert_int_equal(isinf(largest[i]), isinf(largest_by_lp[i]));
            if (isfinite(largest[i]))
                assert_near(largest_by_lp[i], largest[i], 1e-8 * fmax(largest[i], 1));
        }
    }
    ct_evaluator_free(evaluator);
}

static void slow_tolerances_are_those_of_the_linear_program(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= GRAPHS; seed++) {
        struct placed placed;
        place(&placed, seed);
        compare(&placed, CT_WIRES_LATENCY, at.L_ns);
        compare(&placed, CT_WIRES_SWITCH, switch_ns);
        add_latencies(&placed);
        compare(&placed, CT_WIRES_LATENCY, at.L_ns);
        leave(&placed);
    }
}

/* ---- two networks for one program ---- */

/*
 * As in LLAMP's Fig. 12: a program on 256 nodes tolerates longer wires on a dragonfly than on a fat
 * tree, whose ways are longer, with the paper's parameters of the networks and of 256 nodes.
 */
static void slow_a_dragonfly_tolerates_longer_wires_than_a_fat_tree(void **state)
{
    (void)state;
    static const char *const networks[] = {"fat-tree:16x3", "dragonfly:8,4,8"};
    static const struct ct_loggps paper = {.o_ns = 6030, .L_ns = 274, .G_ns_per_byte = 0.013};
    const struct ct_graph_options options = {.eager_max_bytes = 256 * 1024};
    const uint32_t sides[3] = {8, 8, 4};
    struct ct_wires_hops hops[2];
    struct ct_sensitivity found[2];
    double largest[2][THRESHOLDS], added = 1e-3;
    struct ct_goal goal;
    assert_int_equal(make_halo_schedule_3d(40000, sides, &goal, NULL), CT_OK);
    for (size_t i = 0; i < 2; i++) {
        struct placed placed = {.topology = topology_of(networks[i])};
        double limits[THRESHOLDS];
        assert_int_equal(ct_graph_build(&goal, &options, &placed.graph, NULL), CT_OK);
        assert_int_equal(placed.graph.n_ranks, 256);
        placed.wires = wires_of(&placed.topology, &placed.graph, 1);
        hops[i] = ct_wires_hops(placed.wires);
        struct ct_evaluator *evaluator = compile(&placed, &paper, CT_WIRES_LATENCY);
        assert_int_equal(ct_sensitivity_at(evaluator, paper.L_ns, 1, &found[i], NULL), CT_OK);
        assert_near((runtime_at(evaluator, paper.L_ns + added) - found[i].runtime_ns) / added,
                    found[i].line.slope, 1e-2 * found[i].line.slope);
        for (size_t k = 0; k < THRESHOLDS; k++)
            limits[k] = (1 + thresholds[k]) * found[i].runtime_ns;
        assert_int_equal(
            ct_tolerance_find(evaluator, paper.L_ns, limits, THRESHOLDS, 1, largest[i], NULL),
            CT_OK);
        for (size_t k = 0; k < THRESHOLDS; k++)
            assert_near(runtime_at(evaluator, largest[i][k]), limits[k], 1e-9 * limits[k]);
        ct_evaluator_free(evaluator);
        leave(&placed);
    }
    ct_goal_free(&goal);
    assert_int_equal(hops[0].most, 5);
    assert_int_equal(hops[1].most, 4);
    assert_true(hops[1].mean < hops[0].mean);
    assert_true(found[1].line.slope < found[0].line.slope);
    for (size_t k = 0; k < THRESHOLDS; k++)
        assert_true(largest[1][k] > largest[0][k]);
}

/* ---- refusals ---- */

static void ranks_without_a_node_are_refused(void **state)
{
    (void)state;
    struct ct_topology topology = topology_of("switch:4");
    struct ct_graph graph = graph_of_text(PING("8"), &eager);
    struct ct_wires_setup setup = {.topology = &topology, .ranks_per_node = 2};
    struct ct_wires *wires;
    struct ct_error err;
    assert_int_equal(ct_wires_new(&setup, &graph, &wires, &err), CT_EINVAL);
    assert_non_null(
        strstr(err.text, "4 nodes with 2 ranks each have no room for the schedule's 9"));
    setup.ranks_per_node = 3;
    assert_int_equal(ct_wires_new(&setup, &graph, &wires, &err), CT_OK);
    ct_wires_free(wires);
    ct_graph_free(&graph);
    ct_topology_free(&topology);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_message_passes_the_switches_of_its_way),
        cmocka_unit_test(messages_inside_a_node_pass_no_wire),
        cmocka_unit_test(without_a_topology_L_is_that_between_nodes),
        cmocka_unit_test(latencies_of_links_are_added_to_L),
        cmocka_unit_test(latencies_below_0_are_refused),
        cmocka_unit_test(runtimes_are_those_of_enumerated_hops),
        cmocka_unit_test(slopes_are_those_of_finite_differences),
        cmocka_unit_test(slow_tolerances_are_those_of_the_linear_program),
        cmocka_unit_test(slow_a_dragonfly_tolerates_longer_wires_than_a_fat_tree),
        cmocka_unit_test(ranks_without_a_node_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
