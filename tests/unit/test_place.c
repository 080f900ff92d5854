/*
 * Where ranks run: T of a mapping against the evaluation of pairs, the search against all mappings,
 * mappings to compare with, networks.
 */
#include "goal_example.h"
#include "lp-bridge/envelope/envelope.h"
#include "lp-bridge/place/compare.h"
#include "lp-bridge/place/files.h"
#include "lp-bridge/place/network.h"
#include "topology/spec.h"
#include "unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#ifdef CT_SANITIZED
enum { GRAPHS = 6 };
#else
enum { GRAPHS = 40 };
#endif
enum { NODES_MAX = 8, RANKS_MAX = 8 };

static const struct ct_graph_options ways[] = {
    {.eager_max_bytes = SIZE_MAX, .peers = true},
    {.eager_max_bytes = 1000, .peers = true},
    {.eager_max_bytes = 1000, .peers = true, .serialize_nic = true},
    {.eager_max_bytes = 1000, .serialize_nic = true},
    {.eager_max_bytes = SIZE_MAX},
};
enum { WAYS = sizeof ways / sizeof *ways };

struct example {
    struct ct_graph graph;
    struct ct_pairs pairs;
    uint32_t class_of[NODES_MAX * NODES_MAX];
    struct ct_loggps classes[NODES_MAX * NODES_MAX];
};

/* Every pair of nodes a class of its own, the same o for all where the graph has no peers. */
static void make(struct example *example, uint64_t seed, uint32_t n_ranks, uint32_t n_nodes,
                 uint32_t ranks_per_node)
{
    const struct random_shape shape = {.n_ranks = n_ranks,
                                       .n_steps = 30 + (uint32_t)(seed * 13 % 200),
                                       .calc_max_ns = 3000,
                                       .bytes_max = 2000};
    uint64_t die = seed;
    *example = (struct example){.graph = random_graph(seed, shape, &ways[seed % WAYS])};
    for (uint32_t i = 0; i < n_nodes * n_nodes; i++) {
        bool inside = i / n_nodes == i % n_nodes;
        example->class_of[i] = i;
        example->classes[i] = (struct ct_loggps){
            .o_ns = ways[seed % WAYS].peers ? 100 + (double)throw_die(&die, 1000) + 0.25 : 300,
            .L_ns = inside ? 200 : 500 + (double)throw_die(&die, 8000) + 0.125,
            .G_ns_per_byte = (double)throw_die(&die, 100) / 64};
    }
    example->pairs = (struct ct_pairs){.n_places = n_nodes,
                                       .ranks_per_place = ranks_per_node,
                                       .class_of = example->class_of,
                                       .classes = example->classes,
                                       .n_classes = n_nodes * n_nodes,
                                       .o_self_ns = 300};
}

static struct ct_placer *compile(const struct ct_graph *graph, const struct ct_pairs *pairs,
                                 unsigned threads)
{
    struct ct_placer *placer;
    struct ct_error err = {.text = ""};
    if (ct_placer_new(graph, pairs, threads, &placer, &err) != CT_OK)
        fail_msg("%s", err.text);
    return placer;
}

static double runtime_of(struct ct_placer *placer, const uint32_t *mapping)
{
    const uint32_t *const mappings[] = {mapping};
    double T_ns;
    ct_placer_runtimes(placer, mappings, 1, &T_ns);
    return T_ns;
}

/* T by pairs.h: the ranks are the places, and their pairs have the classes of their nodes. */
static double runtime_by_pairs(const struct example *example, const uint32_t *mapping)
{
    uint32_t class_of[RANKS_MAX * RANKS_MAX], n = example->graph.n_ranks;
    struct ct_pairs of_ranks = example->pairs;
    struct ct_pair_evaluator *evaluator;
    struct ct_pair_sensitivity found;
    of_ranks.n_places = n;
    of_ranks.ranks_per_place = 1;
    of_ranks.class_of = class_of;
    for (uint32_t from = 0; from < n; from++)
        for (uint32_t to = 0; to < n; to++)
            class_of[from * n + to] =
                example->class_of[mapping[from] * example->pairs.n_places + mapping[to]];
    assert_int_equal(ct_pair_evaluator_new(&example->graph, &of_ranks, &evaluator, NULL), CT_OK);
    assert_int_equal(ct_pair_sensitivity_find(evaluator, 0, &found, NULL), CT_OK);
    double T_ns = found.runtime_ns;
    ct_pair_sensitivity_free(&found);
    ct_pair_evaluator_free(evaluator);
    return T_ns;
}

/* ---- T of a mapping ---- */

static void runtimes_are_those_of_pairs(void **state)
{
    (void)state;
    enum { MAPPINGS = 27 };
    for (uint64_t seed = 1; seed <= GRAPHS; seed++) {
        struct example example;
        uint32_t n_ranks = 2 + (uint32_t)(seed % (RANKS_MAX - 1)),
                 per_node = 1 + (uint32_t)(seed % 3);
        make(&example, seed, n_ranks, NODES_MAX, per_node);
        struct ct_placer *placer = compile(&example.graph, &example.pairs, per_node);
        const struct ct_place_room room = ct_placer_room(placer);
        uint32_t all[MAPPINGS][RANKS_MAX], slots[NODES_MAX * 3];
        const uint32_t *mappings[MAPPINGS];
        double T_ns[MAPPINGS];
        uint64_t die = seed;
        for (size_t i = 0; i < MAPPINGS; i++) {
            ct_mapping_random(room, &die, slots, all[i]);
            mappings[i] = all[i];
        }
        ct_placer_runtimes(placer, mappings, MAPPINGS, T_ns);
        for (size_t i = 0; i < MAPPINGS; i++)
            assert_near(T_ns[i], runtime_by_pairs(&example, all[i]), 1e-12 * T_ns[i]);
        assert_int_equal(ct_placer_size(placer).evaluations, MAPPINGS);
        ct_placer_free(placer);
        ct_graph_free(&example.graph);
    }
}

/* The path of one mapping is as long as its T, and under another one not longer than T of that. */
static void a_critical_path_is_a_lower_bound(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= GRAPHS; seed++) {
        struct example example;
        make(&example, seed, RANKS_MAX, NODES_MAX, 2);
        struct ct_placer *placer = compile(&example.graph, &example.pairs, 1);
        const struct ct_place_room room = ct_placer_room(placer);
        const struct ct_place_pairs pairs = ct_placer_pairs(placer);
        struct ct_place_count *counts = calloc(pairs.n + 1, sizeof *counts);
        uint32_t here[RANKS_MAX], there[RANKS_MAX], slots[2 * NODES_MAX];
        uint64_t die = seed;
        ct_mapping_random(room, &die, slots, here);
        double T_ns = ct_placer_path(placer, here, counts);
        assert_near(T_ns, runtime_of(placer, here), 1e-12 * T_ns);
        assert_true(ct_placer_bound(placer) <= T_ns * (1 + 1e-12));
        for (int i = 0; i < 20; i++) {
            double length_ns = T_ns;
            ct_mapping_random(room, &die, slots, there);
            for (size_t p = 0; p < pairs.n; p++) {
                uint32_t from = pairs.pairs[p].from, to = pairs.pairs[p].to;
                length_ns += ct_placer_price(placer, &counts[p], there[from], there[to]) -
                             ct_placer_price(placer, &counts[p], here[from], here[to]);
            }
            double other_ns = runtime_of(placer, there);
            assert_true(length_ns <= other_ns * (1 + 1e-12));
        }
        free(counts);
        ct_placer_free(placer);
        ct_graph_free(&example.graph);
    }
}

/* Ranks 0 and 2 talk ten times, 1 and 3 once. Blocks have none of them on one node. */
static void those_who_talk_share_a_node(void **state)
{
    (void)state;
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    assert_non_null(out);
    fprintf(out, "num_ranks 4\n");
    for (int rank = 0; rank < 4; rank++) {
        int n = rank % 2 == 0 ? 10 : 1;
        fprintf(out, "rank %d {\n", rank);
        for (int i = 0; i < n; i++)
            fprintf(out, "m%d: %s %d tag %d\n", i, rank < 2 ? "send 1b to" : "recv 1b from",
                    rank < 2 ? rank + 2 : rank - 2, i);
        for (int i = 1; i < n; i++)
            fprintf(out, "m%d requires m%d\n", i, i - 1);
        fprintf(out, "}\n");
    }
    assert_int_equal(fclose(out), 0);
    uint32_t class_of[] = {0, 1, 1, 0};
    struct ct_loggps classes[] = {{100, 50, 0}, {100, 9000, 0}};
    const struct ct_pairs pairs = {2, 2, class_of, classes, 2, 100};
    struct ct_graph graph = graph_of_text(text, &ways[0]);
    free(text);
    struct ct_placer *placer = compile(&graph, &pairs, 2);
    struct ct_place_result result;
    const struct ct_place_search search = {.seed = 1};
    assert_int_equal(ct_place_compare(placer, &search, NULL, NULL, &result, NULL), CT_OK);
    /* The sender pays ten overheads, the last message travels, the receiver pays one. */
    assert_near(result.block_ns, 11 * 100 + 9000, 1e-9);
    assert_near(result.round_robin_ns, 11 * 100 + 50, 1e-9);
    assert_near(result.search_ns, 11 * 100 + 50, 1e-9);
    assert_near(result.after_ns, result.bound_ns, 1e-9);
    assert_near(result.exhaustive_ns, result.after_ns, 1e-9);
    assert_near(result.volume_ns, result.after_ns, 1e-9);
    assert_true(result.random_mean_ns > result.after_ns);
    assert_int_equal(result.mapping[0], result.mapping[2]);
    assert_int_equal(result.mapping[1], result.mapping[3]);
    ct_place_result_free(&result);
    ct_placer_free(placer);
    ct_graph_free(&graph);
}

/* ---- the search ---- */

static struct ct_place_result compare(const struct example *example, unsigned threads,
                                      uint64_t seed)
{
    struct ct_placer *placer = compile(&example->graph, &example->pairs, threads);
    struct ct_place_result result;
    const struct ct_place_search search = {.evaluations = 4000, .seed = seed};
    assert_int_equal(ct_place_compare(placer, &search, NULL, NULL, &result, NULL), CT_OK);
    uint32_t used[NODES_MAX];
    assert_true(ct_mapping_is_valid(ct_placer_room(placer), result.mapping, used));
    assert_near(runtime_of(placer, result.mapping), result.after_ns, 1e-12 * result.after_ns);
    ct_placer_free(placer);
    return result;
}

static void slow_the_search_finds_what_all_mappings_have(void **state)
{
    (void)state;
    static const struct {
        uint32_t n_ranks, n_nodes, per_node;
    } shapes[] = {{7, 7, 1}, {8, 4, 2}, {5, 8, 1}, {6, 3, 3}, {8, 2, 4}, {4, 8, 1}};
    for (uint64_t seed = 1; seed <= GRAPHS; seed++) {
        struct example example;
        size_t s = seed % (sizeof shapes / sizeof *shapes);
        make(&example, seed, shapes[s].n_ranks, shapes[s].n_nodes, shapes[s].per_node);
        struct ct_place_result result = compare(&example, 2, seed);
        assert_true(result.search_ns <= result.block_ns);
        assert_true(result.search_ns <= result.round_robin_ns);
        assert_true(result.search_ns <= result.volume_ns);
        assert_true(result.search_ns <= result.random_least_ns);
        assert_true(result.exhaustive_ns <= result.search_ns);
        assert_true(result.search_ns <= 1.01 * result.exhaustive_ns);
        assert_true(result.bound_ns <= result.exhaustive_ns * (1 + 1e-12));
        ct_place_result_free(&result);
        ct_graph_free(&example.graph);
    }
}

static void slow_threads_do_not_matter(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 4; seed++) {
        struct example example;
        make(&example, seed, 8, 4, 2);
        struct ct_place_result one = compare(&example, 1, 7), three = compare(&example, 3, 7);
        assert_near(one.search_ns, three.search_ns, 0);
        assert_memory_equal(one.mapping, three.mapping, 8 * sizeof *one.mapping);
        assert_int_equal(one.evaluations, three.evaluations);
        ct_place_result_free(&one);
        ct_place_result_free(&three);
        ct_graph_free(&example.graph);
    }
}

/* One rank, one node, no messages, fewer ranks than nodes. */
/* ---- links that messages share ---- */

enum { CROSSING = 4, CROSSINGS = 24 };

/* Ranks 0 and 2 exchange long messages, and so do 1 and 3. */
static struct ct_goal crossing(void)
{
    return goal_of_text("num_ranks 4\n"
                        "rank 0 {\na: send 100001b to 2 tag 0\nb: recv 100001b from 2 tag 0\n}\n"
                        "rank 1 {\na: send 100001b to 3 tag 0\nb: recv 100001b from 3 tag 0\n}\n"
                        "rank 2 {\na: send 100001b to 0 tag 0\nb: recv 100001b from 0 tag 0\n}\n"
                        "rank 3 {\na: send 100001b to 1 tag 0\nb: recv 100001b from 1 tag 0\n}\n");
}

/* On two leaves with two nodes each, and one link between them. */
static void shared_links_are_avoided(void **state)
{
    (void)state;
    static const uint32_t nodes[CROSSING] = {0, 1, 2, 3};
    const struct ct_topology_settings settings = ct_topology_defaults();
    const struct ct_loggps at = {100, 10, 1};
    const struct ct_stack stack = ct_stack_loggps(&at, SIZE_MAX, NULL);
    struct ct_topology tree;
    struct ct_goal goal = crossing();
    assert_int_equal(ct_topology_make("tree:2x2", &settings, &tree, NULL), CT_OK);
    const struct ct_place_room room = {CROSSING, CROSSING, 1};
    struct ct_place_contention contention = {.goal = &goal,
                                             .stack = &stack,
                                             .network = {.topology = &tree,
                                                         .nodes = nodes,
                                                         .n_nodes = CROSSING,
                                                         .n_jobs = 1,
                                                         .injection_ns_per_byte = 1,
                                                         .link_ns_per_byte = NAN,
                                                         .latency_ns = NAN,
                                                         .wire_ns = 10,
                                                         .packet_bytes = 1000,
                                                         .buffer_bytes = 20000},
                                             .room = room,
                                             .threads = 2,
                                             .seed = 1};
    uint32_t all[CROSSINGS][CROSSING], used[CROSSING] = {0}, found[CROSSING], again[CROSSING];
    const uint32_t *starts[CROSSINGS];
    double start_ns[CROSSINGS], least_ns = INFINITY;
    struct ct_place_contended first, second;
    ct_mapping_block(room, all[0]);
    ct_mapping_is_valid(room, all[0], used);
    for (size_t i = 0; i < CROSSINGS; i++) {
        starts[i] = all[i];
        if (i > 0) {
            memcpy(all[i], all[i - 1], sizeof all[i]);
            assert_true(ct_mapping_next(room, all[i], used));
        }
    }
    contention.evaluations = 1;
    assert_int_equal(
        ct_place_contend(&contention, starts, CROSSINGS, start_ns, found, &first, NULL), CT_OK);
    for (size_t i = 0; i < CROSSINGS; i++)
        least_ns = fmin(least_ns, start_ns[i]);
    /* In blocks both messages of a direction cross: twice the time of one. */
    assert_near(start_ns[0], 2 * 100 + 4 * 10 + 2 * 100000, 1e-6);
    assert_near(least_ns, 2 * 100 + 2 * 10 + 100000, 1e-6);
    assert_near(first.after_ns, least_ns, 1e-9);
    contention.evaluations = 0;
    assert_int_equal(ct_place_contend(&contention, starts, 1, start_ns, found, &first, NULL),
                     CT_OK);
    assert_near(first.after_ns, least_ns, 1e-9);
    assert_int_equal(found[0] / 2, found[2] / 2);
    contention.threads = 1;
    assert_int_equal(ct_place_contend(&contention, starts, 1, start_ns, again, &second, NULL),
                     CT_OK);
    assert_int_equal(first.evaluations, second.evaluations);
    assert_memory_equal(found, again, sizeof found);
    ct_topology_free(&tree);
    ct_goal_free(&goal);
}

static void small_things(void **state)
{
    (void)state;
    static const char *const texts[] = {"num_ranks 1\nrank 0 {\na: calc 5\n}\n",
                                        "num_ranks 2\nrank 0 {\na: calc 5\n}\nrank 1 {\n}\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        for (uint32_t per_node = 1; per_node <= 2; per_node++) {
            uint32_t class_of[] = {0, 0, 0, 0};
            struct ct_loggps class = {1, 2, 3};
            const struct ct_pairs pairs = {2, per_node, class_of, &class, 1, 1};
            struct ct_graph graph = graph_of_text(texts[i], &ways[0]);
            struct example example = {.graph = graph, .pairs = pairs};
            struct ct_place_result result = compare(&example, 2, 1);
            assert_near(result.after_ns, 5, 0);
            assert_near(result.random_mean_ns, 5, 0);
            ct_place_result_free(&result);
            ct_graph_free(&graph);
        }
}

/* ---- mappings ---- */

static void all_mappings_are_there_once(void **state)
{
    (void)state;
    static const struct {
        struct ct_place_room room;
        uint64_t n;
    } rows[] = {{{4, 4, 1}, 24}, {{4, 2, 2}, 6},    {{3, 5, 1}, 60},    {{6, 3, 2}, 90},
                {{3, 2, 2}, 6},  {{8, 4, 2}, 2520}, {{8, 8, 1}, 40320}, {{2, 2, 2}, 4},
                {{1, 1, 1}, 1},  {{5, 2, 5}, 32}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct ct_place_room room = rows[i].room;
        uint32_t mapping[8], before[8], used[8], check[8];
        uint64_t n = 0;
        ct_mapping_block(room, mapping);
        assert_true(ct_mapping_is_valid(room, mapping, used));
        do {
            assert_true(ct_mapping_is_valid(room, mapping, check));
            uint32_t r = 0;
            while (n > 0 && r < room.n_ranks && mapping[r] == before[r])
                r++;
            assert_true(n == 0 || mapping[r] > before[r]); /* ascending: no two are the same */
            memcpy(before, mapping, sizeof before);
            n++;
        } while (ct_mapping_next(room, mapping, used));
        assert_int_equal(n, rows[i].n);
        assert_int_equal(ct_mapping_count(room, 100000), rows[i].n);
        assert_int_equal(ct_mapping_count(room, rows[i].n - 1), rows[i].n);
    }
    assert_int_equal(ct_mapping_count((struct ct_place_room){16, 16, 1}, 50000), 50001);
    assert_int_equal(ct_mapping_count((struct ct_place_room){4096, 4096, 1}, 50000), 50001);
}

static void mappings_of_launchers(void **state)
{
    (void)state;
    static const uint32_t blocks[] = {0, 0, 1, 1, 2}, in_turn[] = {0, 1, 2, 0, 1};
    const struct ct_place_room room = {5, 7, 2};
    uint32_t mapping[5];
    ct_mapping_block(room, mapping);
    assert_memory_equal(mapping, blocks, sizeof blocks);
    ct_mapping_round_robin(room, mapping);
    assert_memory_equal(mapping, in_turn, sizeof in_turn);
}

/* ---- files ---- */

static char *text_of(const struct ct_placement *placement, enum ct_place_form form)
{
    char *text = NULL;
    size_t size;
    struct ct_error err = {.text = ""};
    FILE *out = open_memstream(&text, &size);
    if (ct_place_write(placement, form, out, &err) != CT_OK)
        fail_msg("%s", err.text);
    fclose(out);
    return text;
}

static void files_are_as_launchers_read_them(void **state)
{
    (void)state;
    static const uint32_t mapping[] = {2, 0, 1, 0, 1};
    static const char *const hosts[] = {"a", "b", "c"}, *const cores[] = {"a", "b", "a"};
    static const char ranks[] =
        "rank 0=c slot=0\nrank 1=a slot=0\nrank 2=b slot=0\nrank 3=a slot=1\nrank 4=b slot=1\n";
    static const char *const texts[CT_PLACE_FORMS] = {[CT_PLACE_RANKFILE] = ranks,
                                                      [CT_PLACE_HOSTFILE] = "c\na\nb\na\nb\n",
                                                      [CT_PLACE_ORDER] = "1,3,2,4,0\n"};
    struct ct_placement placement = {{5, 3, 2}, mapping, hosts};
    for (enum ct_place_form form = 0; form < CT_PLACE_FORMS; form++) {
        char *text = text_of(&placement, form);
        assert_string_equal(text, texts[form]);
        free(text);
    }
    /* Nodes 0 and 2 are of one host: its cores 0 and 1, and 2 and 3. */
    placement.hosts = cores;
    char *text = text_of(&placement, CT_PLACE_RANKFILE);
    assert_non_null(strstr(text, "rank 0=a slot=2\n"));
    assert_non_null(strstr(text, "rank 3=a slot=1\n"));
    free(text);
}

static void an_order_cannot_leave_nodes_out(void **state)
{
    (void)state;
    static const uint32_t mappings[][3] = {{0, 2, 1}, {2, 0, 0}, {1, 1, 0}};
    static const char *const hosts[] = {"a", "b", "c"};
    for (size_t i = 0; i < 3; i++) {
        const struct ct_placement placement = {{3, 3, 2}, mappings[i], hosts};
        struct ct_error err;
        char *text = NULL;
        size_t size;
        FILE *out = open_memstream(&text, &size);
        enum ct_status status = ct_place_write(&placement, CT_PLACE_ORDER, out, &err);
        fclose(out);
        assert_int_equal(status, CT_EINVAL);
        assert_non_null(strstr(err.text, "is not full while"));
        free(text);
    }
}

/* ---- networks ---- */

/* Blocks on a network, as wires.h has them. */
static void networks_are_those_of_wires(void **state)
{
    (void)state;
    static const char *const specs[] = {"fat-tree:4x3", "dragonfly:2,4,2", "torus:4x2", "switch"};
    for (uint64_t seed = 1; seed <= 12; seed++) {
        const struct random_shape shape = {
            .n_ranks = 8, .n_steps = 200, .calc_max_ns = 3000, .bytes_max = 2000};
        struct ct_graph graph = random_graph(seed, shape, &ways[3 + seed % 2]);
        struct ct_topology_settings given = ct_topology_defaults();
        struct ct_topology topology;
        struct ct_error err = {.text = ""};
        given.n_nodes = 8;
        if (ct_topology_make(specs[seed % 4], &given, &topology, &err) != CT_OK)
            fail_msg("%s", err.text);
        const struct ct_wires_setup setup = {.topology = &topology,
                                             .ranks_per_node = 1 + (uint32_t)(seed % 2),
                                             .switch_ns = 108,
                                             .L_node_ns = 90,
                                             .G_node_ns_per_byte = 0.5};
        const struct ct_loggps at = {300, 274, 0.25};
        struct ct_wires *wires;
        struct ct_wires_plane plane;
        struct ct_evaluator *evaluator;
        struct ct_pairs pairs;
        struct ct_line line;
        assert_int_equal(ct_wires_new(&setup, &graph, &wires, NULL), CT_OK);
        ct_wires_plane(wires, &at, CT_WIRES_LATENCY, CT_WIRES_FIXED, &plane);
        assert_int_equal(ct_evaluator_compile(&graph, &plane.plane, &evaluator, NULL), CT_OK);
        assert_int_equal(ct_evaluator_lines(evaluator, &at.L_ns, 1, 1, &line, NULL), CT_OK);
        assert_int_equal(ct_place_network(&setup, &at, NULL, 0, &pairs, NULL), CT_OK);
        struct ct_placer *placer = compile(&graph, &pairs, 1);
        uint32_t mapping[8];
        ct_mapping_block(ct_placer_room(placer), mapping);
        double T_ns = ct_line_at(line, at.L_ns);
        assert_near(runtime_of(placer, mapping), T_ns, 1e-12 * T_ns);
        ct_placer_free(placer);
        ct_pairs_free(&pairs);
        ct_evaluator_free(evaluator);
        ct_wires_free(wires);
        ct_topology_free(&topology);
        ct_graph_free(&graph);
    }
}

/* ---- bad input ---- */

static void what_is_missing_is_named(void **state)
{
    (void)state;
    struct example example;
    struct ct_placer *placer;
    struct ct_error err;
    make(&example, 1, 8, 4, 2);
    example.class_of[1 * 4 + 3] = UINT32_MAX;
    assert_int_equal(ct_placer_new(&example.graph, &example.pairs, 1, &placer, &err), CT_EINVAL);
    assert_non_null(strstr(err.text, "from node 1 to node 3"));
    example.class_of[1 * 4 + 3] = 0;
    example.class_of[2 * 4 + 2] = UINT32_MAX;
    assert_int_equal(ct_placer_new(&example.graph, &example.pairs, 1, &placer, &err), CT_EINVAL);
    assert_non_null(strstr(err.text, "inside a node, as in node 2"));
    example.pairs.ranks_per_place = 1;
    assert_int_equal(ct_placer_new(&example.graph, &example.pairs, 1, &placer, &err), CT_EINVAL);
    assert_non_null(
        strstr(err.text, "4 nodes with 1 ranks each have no room for the schedule's 8"));
    ct_graph_free(&example.graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runtimes_are_those_of_pairs),
        cmocka_unit_test(a_critical_path_is_a_lower_bound),
        cmocka_unit_test(those_who_talk_share_a_node),
        cmocka_unit_test(slow_the_search_finds_what_all_mappings_have),
        cmocka_unit_test(slow_threads_do_not_matter),
        cmocka_unit_test(shared_links_are_avoided),
        cmocka_unit_test(small_things),
        cmocka_unit_test(all_mappings_are_there_once),
        cmocka_unit_test(mappings_of_launchers),
        cmocka_unit_test(files_are_as_launchers_read_them),
        cmocka_unit_test(an_order_cannot_leave_nodes_out),
        cmocka_unit_test(networks_are_those_of_wires),
        cmocka_unit_test(what_is_missing_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
