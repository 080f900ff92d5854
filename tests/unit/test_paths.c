/* Directions that round trips pass, and few pairs that pass them all. */
#include "bench/impact/impact_pairs.h"
#include "tests/unit/unit.h"
#include "topology/paths.h"
#include "topology/places.h"
#include "topology/read.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct network {
    struct ct_topology topology;
    struct ct_router *router;
    struct ct_paths paths; /* of all pairs of nodes */
    struct ct_node_pair *pairs;
};

static void setup(struct network *network, const char *text)
{
    struct ct_topology_settings settings = ct_topology_defaults();
    struct ct_error err = {.text = ""};
    *network = (struct network){0};
    if (ct_topology_make(text, &settings, &network->topology, &err) != CT_OK ||
        ct_router_new(&network->topology, &network->router, &err) != CT_OK)
        fail_msg("%s: %s", text, err.text);
    uint32_t n = network->topology.n_nodes;
    size_t n_pairs = 0;
    network->pairs = malloc((size_t)n * n * sizeof *network->pairs);
    assert_non_null(network->pairs);
    for (uint32_t a = 0; a < n; a++)
        for (uint32_t b = a + 1; b < n; b++)
            network->pairs[n_pairs++] = (struct ct_node_pair){a, b};
    if (ct_paths_make(network->router, &network->topology, network->pairs, n_pairs, &network->paths,
                      &err) != CT_OK)
        fail_msg("%s: %s", text, err.text);
}

static void teardown(struct network *network)
{
    ct_paths_free(&network->paths);
    ct_router_free(network->router);
    ct_topology_free(&network->topology);
    free(network->pairs);
}

/* "leaf0>spine1" of each direction of a pair, in their order. */
static void describe(const struct network *network, size_t pair, char text[512])
{
    const struct ct_paths *paths = &network->paths;
    text[0] = '\0';
    for (size_t i = paths->first[pair]; i < paths->first[pair + 1]; i++) {
        uint32_t direction = paths->direction[paths->column[i]];
        const uint32_t *end = network->topology.links[direction / 2].end;
        size_t used = strlen(text);
        snprintf(text + used, 512 - used, " %s>%s",
                 ct_topology_name(&network->topology, end[direction % 2]),
                 ct_topology_name(&network->topology, end[1 - direction % 2]));
    }
}

static size_t pair_of(const struct network *network, uint32_t a, uint32_t b)
{
    size_t p = 0;
    while (network->pairs[p].a != a || network->pairs[p].b != b)
        p++;
    return p;
}

static void round_trips_pass_both_routes(void **state)
{
    (void)state;
    struct network network;
    char text[512];
    setup(&network, "tree:4x4,2");
    /* To n5 by spine 1, back to n0 by spine 0 (D-mod-k). */
    size_t p = pair_of(&network, 0, 5);
    describe(&network, p, text);
    assert_string_equal(text, " n0>leaf0 leaf0>spine1 spine1>leaf1 leaf1>n5"
                              " n5>leaf1 leaf1>spine0 spine0>leaf0 leaf0>n0");
    assert_int_equal(network.paths.switches[p], 3);
    p = pair_of(&network, 0, 3);
    describe(&network, p, text);
    assert_string_equal(text, " n0>leaf0 leaf0>n3 n3>leaf0 leaf0>n0");
    assert_int_equal(network.paths.switches[p], 1);
    /* Both directions of 16 links of nodes and of 8 between switches. */
    assert_int_equal(network.paths.n_columns, 48);
    teardown(&network);
}

static void no_pair_of_one_node(void **state)
{
    (void)state;
    struct network network;
    struct ct_paths paths;
    struct ct_error err;
    setup(&network, "switch:3");
    struct ct_node_pair same = {1, 1}, beyond = {0, 3};
    assert_int_equal(ct_paths_make(network.router, &network.topology, &same, 1, &paths, &err),
                     CT_EINVAL);
    assert_int_equal(ct_paths_make(network.router, &network.topology, &beyond, 1, &paths, &err),
                     CT_EINVAL);
    teardown(&network);
}

/* Rows of pairs, by ways or whole, as far as they are independent: orthonormal ones that span them
 * (Gram and Schmidt, twice for rounding). */
static size_t rank_of(const struct ct_paths *paths, const bool *chosen, bool of_ways)
{
    size_t n = paths->n_columns, rank = 0;
    double *rows = malloc((n + 1) * n * sizeof *rows);
    assert_non_null(rows);
    for (size_t r = 0; r < 2 * paths->n_pairs && rank < n; r++) {
        size_t p = r / 2, begin = of_ways && r % 2 ? paths->back[p] : paths->first[p];
        size_t end = of_ways && r % 2 == 0 ? paths->back[p] : paths->first[p + 1];
        double *row = rows + rank * n, square = 0;
        if ((chosen && !chosen[p]) || (!of_ways && r % 2))
            continue;
        memset(row, 0, n * sizeof *row);
        for (size_t i = begin; i < end; i++)
            row[paths->column[i]] += 1;
        for (size_t other = 0; other < 2 * rank; other++) {
            const double *unit = rows + other % rank * n;
            double product = 0;
            for (size_t c = 0; c < n; c++)
                product += row[c] * unit[c];
            for (size_t c = 0; c < n; c++)
                row[c] -= product * unit[c];
        }
        for (size_t c = 0; c < n; c++)
            square += row[c] * row[c];
        for (size_t c = 0; c < n; c++)
            row[c] /= sqrt(square);
        rank += square > 1e-8;
    }
    free(rows);
    return rank;
}

/* Each direction, on the shortest paths and on the longest on which a pair passes it. */
static void check_cover(const struct ct_paths *paths, const bool *chosen)
{
    for (size_t c = 0; c < paths->n_columns; c++) {
        uint32_t least[2] = {UINT32_MAX, UINT32_MAX}, most[2] = {0, 0};
        for (size_t p = 0; p < paths->n_pairs; p++)
            for (size_t i = paths->first[p]; i < paths->first[p + 1]; i++)
                for (int by_all = chosen[p] ? 0 : 1; by_all < 2 && paths->column[i] == c;
                     by_all++) {
                    uint32_t switches = paths->switches[p];
                    least[by_all] = switches < least[by_all] ? switches : least[by_all];
                    most[by_all] = switches > most[by_all] ? switches : most[by_all];
                }
        assert_int_equal(least[0], least[1]);
        assert_int_equal(most[0], most[1]);
    }
}

/* What no pair tells apart is left out of the ranks: the sums into switches and out of them. */
static void slow_chosen_pairs_tell_links_apart(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t rank; /* of round trips; 0: not known beforehand */
    } rows[] = {
        {"switch:2", 1}, /* one pair */
        {"switch:3", 3}, /* h_i + h_j of three hosts */
        {"switch:16", 16},
        /* 16 hosts; by leaf 3 of the 4 uplink directions are left besides the sums in and out; and
           one of all leaves is lost where both spines exchange their parts. */
        {"tree:4x4,2", 27},
        {"tree:4x4", 20}, /* 16 hosts, and both directions of 4 uplinks as one each */
        {"fat-tree:4", 0},
        {"dragonfly:4,2,2", 0},
        {"torus:3x3", 0},
        {"xgft:4,4,4/1,2,4", 0},
    };
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        struct network network;
        setup(&network, rows[r].text);
        const struct ct_paths *paths = &network.paths;
        bool *chosen = calloc(paths->n_pairs, sizeof *chosen);
        size_t n_chosen = 0;
        struct ct_error err;
        assert_non_null(chosen);
        assert_int_equal(ct_paths_choose(paths, chosen, &err), CT_OK);
        for (size_t p = 0; p < paths->n_pairs; p++)
            n_chosen += chosen[p];
        size_t rank = rank_of(paths, NULL, false);
        assert_int_equal(rank_of(paths, chosen, false), rank);
        assert_int_equal(rank_of(paths, chosen, true), rank_of(paths, NULL, true));
        assert_true(n_chosen <= 2 * rank);
        check_cover(paths, chosen);
        if (rows[r].rank > 0 && rank != rows[r].rank)
            fail_msg("%s: rank %zu, not %zu", rows[r].text, rank, rows[r].rank);
        free(chosen);
        teardown(&network);
    }
}

/* More pairs than candidates: some at each distance, and still each link on each kind of path. */
static void slow_rounds_of_many_nodes_pass_every_link(void **state)
{
    (void)state;
    struct ct_topology_settings settings = ct_topology_defaults();
    struct ct_topology topology;
    struct ct_router *router;
    struct ct_impact_rounds rounds;
    struct ct_paths paths;
    struct ct_error err;
    assert_int_equal(ct_topology_make("xgft:16,16,8/1,1,1", &settings, &topology, &err), CT_OK);
    assert_int_equal(ct_router_new(&topology, &router, &err), CT_OK);
    uint32_t n = topology.n_nodes;
    assert_true((size_t)n * (n - 1) / 2 > CT_IMPACT_CANDIDATES_MAX);
    uint32_t *vertex = malloc(n * sizeof *vertex);
    assert_non_null(vertex);
    for (uint32_t i = 0; i < n; i++) /* in another order than the topology's */
        vertex[i] = n - 1 - i;
    assert_int_equal(ct_impact_rounds_make(router, &topology, vertex, (int)n, &rounds, &err),
                     CT_OK);
    struct ct_node_pair *pairs = malloc((size_t)rounds.n * n * sizeof *pairs);
    assert_non_null(pairs);
    size_t n_pairs = 0, n_of_class[6] = {0};
    for (size_t i = 0; i < (size_t)rounds.n * n; i++)
        if (rounds.partner[i] > (int)(i % n))
            pairs[n_pairs++] = (struct ct_node_pair){vertex[i % n], vertex[rounds.partner[i]]};
    assert_int_equal(ct_paths_make(router, &topology, pairs, n_pairs, &paths, &err), CT_OK);
    assert_int_equal(paths.n_columns, 2 * topology.n_links);
    for (size_t p = 0; p < n_pairs; p++)
        n_of_class[paths.switches[p]]++;
    for (int switches = 1; switches <= 5; switches += 2)
        assert_true(n_of_class[switches] >= n / 2);
    /* Where a node would have no partner, it repeats one, if another one is free. */
    assert_true(n_pairs > (size_t)rounds.n * n / 2 * 4 / 5);
    ct_paths_free(&paths);
    ct_impact_rounds_free(&rounds);
    ct_router_free(router);
    ct_topology_free(&topology);
    free(vertex);
    free(pairs);
}

static void rounds_are_matchings(void **state)
{
    (void)state;
    static const char *const texts[] = {"switch:2", "switch:9", "tree:4x4,2", "fat-tree:6"};
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
        struct network network;
        struct ct_impact_rounds rounds;
        struct ct_error err;
        setup(&network, texts[t]);
        int n = (int)network.topology.n_nodes;
        uint32_t *vertex = malloc((size_t)n * sizeof *vertex);
        bool *met = calloc((size_t)n, sizeof *met);
        assert_true(vertex && met);
        for (int i = 0; i < n; i++)
            vertex[i] = (uint32_t)i;
        assert_int_equal(
            ct_impact_rounds_make(network.router, &network.topology, vertex, n, &rounds, &err),
            CT_OK);
        assert_in_range(rounds.n, 1, n);
        for (int round = 0; round < rounds.n; round++)
            for (int i = 0; i < n; i++) {
                const int *partner = rounds.partner + (size_t)round * (size_t)n;
                assert_in_range(partner[i], 0, n - 1);
                assert_int_equal(partner[partner[i]], i);
                met[i] = met[i] || partner[i] != i;
            }
        for (int i = 0; i < n; i++)
            assert_true(met[i]);
        ct_impact_rounds_free(&rounds);
        free(vertex);
        free(met);
        teardown(&network);
    }
}

/* The pairs of a run are those of the rounds, which come again and again. */
static void teams_play_the_rounds(void **state)
{
    (void)state;
    static int node_of_rank[] = {0, 1, 2, 3}, slots[] = {0, 0, 0, 0}, of_node[] = {1, 1, 1, 1};
    static int partner[] = {2, 1, 0, 3, 0, 3, 2, 1};
    static char hosts[4][CT_HOST_MAX] = {"a", "b", "c", "d"};
    const struct ct_layout layout = {.n_ranks = 4,
                                     .n_nodes = 4,
                                     .node_of_rank = node_of_rank,
                                     .slot_of_rank = slots,
                                     .slots_of_node = of_node,
                                     .max_slots = 1,
                                     .min_slots = 1,
                                     .hosts = hosts[0],
                                     .host_bytes = CT_HOST_MAX};
    const struct ct_impact_rounds rounds = {2, partner};
    struct ct_impact_team team;
    struct ct_pair *pairs;
    size_t n;
    assert_int_equal(ct_impact_team_new(&layout, CT_PAIRING_LINKS, false, 1, &rounds, &team),
                     CT_OK);
    assert_int_equal(ct_impact_team_cycle(&team), 2);
    assert_int_equal(ct_impact_team_pairs(&team, 5, &pairs, &n), CT_OK);
    assert_int_equal(n, 2);
    assert_int_equal(pairs[0].rank_b, 2);
    assert_int_equal(pairs[1].rank_a, 1);
    assert_int_equal(pairs[1].rank_b, 3);
    assert_int_equal(ct_impact_team_epoch(&team, 3), CT_OK);
    assert_int_equal(ct_impact_team_partner(&team, 0), 0);
    assert_int_equal(ct_impact_team_partner(&team, 3), 1);
    free(pairs);
    /* Partners take turns from cycle to cycle. */
    assert_int_equal(ct_impact_team_prober(&team, 3, 1, 0), 3);
    assert_int_equal(ct_impact_team_prober(&team, 1, 3, 1), 3);
    assert_int_equal(ct_impact_team_prober(&team, 3, 1, 2), 1);
    assert_int_equal(ct_impact_team_prober(&team, 0, 3, 0), 0);
    ct_impact_team_free(&team);
}

static void hosts_are_found(void **state)
{
    (void)state;
    static const char *const lab[] = {"h5", "h1"}, *const named[] = {"b", "a"};
    static const char *const strange[] = {"h0", "h17", "n1", "h2x"};
    static const char text[] = "SwitchName=s0 Nodes=a,b,c\n";
    struct network network;
    struct ct_topology read;
    struct ct_error err;
    uint32_t vertex[17];
    setup(&network, "tree:4x4");
    assert_int_equal(ct_topology_place(&network.topology, lab, 2, CT_PLACES_OF_LAB, vertex, &err),
                     CT_OK);
    assert_int_equal(vertex[0], 4);
    assert_int_equal(vertex[1], 0);
    assert_int_equal(ct_topology_place(&network.topology, lab, 2, CT_PLACES_IN_ORDER, vertex, &err),
                     CT_OK);
    assert_int_equal(vertex[0], 0);
    for (size_t i = 0; i < sizeof strange / sizeof *strange; i++)
        assert_int_equal(
            ct_topology_place(&network.topology, &strange[i], 1, CT_PLACES_OF_LAB, vertex, &err),
            CT_EINVAL);
    assert_int_equal(
        ct_topology_place(&network.topology, lab, 17, CT_PLACES_IN_ORDER, vertex, &err), CT_EINVAL);
    assert_int_equal(ct_topology_parse(text, sizeof text - 1, "topology.conf", &read, &err), CT_OK);
    assert_int_equal(ct_topology_place(&read, named, 2, CT_PLACES_OF_LAB, vertex, &err), CT_OK);
    assert_string_equal(ct_topology_name(&read, vertex[0]), "b");
    assert_int_equal(ct_topology_place(&read, lab, 1, CT_PLACES_OF_LAB, vertex, &err), CT_EINVAL);
    ct_topology_free(&read);
    teardown(&network);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(round_trips_pass_both_routes),
        cmocka_unit_test(no_pair_of_one_node),
        cmocka_unit_test(slow_chosen_pairs_tell_links_apart),
        cmocka_unit_test(rounds_are_matchings),
        cmocka_unit_test(slow_rounds_of_many_nodes_pass_every_link),
        cmocka_unit_test(teams_play_the_rounds),
        cmocka_unit_test(hosts_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
