/* Rates of links (links_state.h) that change only where they must: after each event they are those
 * of all pairs found together, by the condition that each pair has a link that limits it. */
#include "goal_example.h"
#include "links_example.h"
#include "simulate/links_state.h"
#include "topology/spec.h"
#include "unit.h"

#include <stdlib.h>

enum { NODES = 16, MESSAGES = 400, MANY_NODES = 32 };
static const double rounding = 1e-8;
/* Links that limit each other in a circle may not settle: so many pairs are left then. */
static const double circles_open = 0.01;

static struct ct_simulate_paths paths_between(uint32_t n_nodes, const char *spec, double uplink)
{
    struct ct_topology_settings settings = ct_topology_defaults();
    struct ct_topology topology;
    struct ct_simulate_paths paths;
    uint32_t nodes[MANY_NODES];
    assert_true(n_nodes <= MANY_NODES);
    settings.rate_bit_per_s = 1e6;
    settings.uplink_bit_per_s = uplink * 1e6;
    assert_int_equal(ct_topology_make(spec, &settings, &topology, NULL), CT_OK);
    for (uint32_t i = 0; i < n_nodes; i++)
        nodes[i] = i;
    const struct ct_simulate_paths_setup setup = {
        .topology = &topology, .nodes = nodes, .n_nodes = n_nodes, .ns_per_byte = 2};
    assert_int_equal(ct_simulate_paths_of_topology(&setup, &paths, NULL), CT_OK);
    ct_topology_free(&topology);
    return paths;
}

static struct ct_simulate_paths paths_of(const char *spec, double uplink)
{
    return paths_between(NODES, spec, uplink);
}

/* What pairs have of a link: all, those of a node that sends, and the most of a share. */
struct use {
    double all, of_node[NODES], most, most_of_node[NODES];
};

static double share_of(const struct ct_links *links, const struct pair *pair)
{
    return pair->rate / (ct_links_are_fifo(links) ? pair->n_busy : 1);
}

static void add_up(const struct ct_links *links, struct use *uses)
{
    for (uint32_t i = 0; i < links->n_active; i++) {
        const struct pair *pair = &links->pairs[links->ends[i].pair];
        for (uint32_t h = 0; h < pair->n_hops; h++) {
            struct use *use = &uses[links->hops[pair->first_hop + h].link];
            use->all += pair->rate;
            use->of_node[pair->from] += pair->rate;
            use->most = fmax(use->most, share_of(links, pair));
            use->most_of_node[pair->from] = fmax(use->most_of_node[pair->from], pair->rate);
        }
    }
}

static bool limits(const struct ct_links *links, const struct use *use, const struct link *link,
                   const struct pair *pair)
{
    double least = 1 - rounding, most = 0;
    if (use->all < link->rate * least)
        return false;
    if (!link->is_between || ct_links_are_fifo(links))
        return share_of(links, pair) >= use->most * least;
    for (int i = 0; i < NODES; i++)
        most = fmax(most, use->of_node[i]);
    return use->of_node[pair->from] >= most * least &&
           pair->rate >= use->most_of_node[pair->from] * least;
}

/* @return pairs without a link that limits them */
static uint32_t check_rates(const struct ct_links *links)
{
    struct use *uses = calloc(links->n_links, sizeof *uses);
    uint32_t n_without = 0;
    assert_non_null(uses);
    add_up(links, uses);
    for (uint32_t i = 0; i < links->n_links; i++)
        assert_true(uses[i].all <= links->links[i].rate * (1 + rounding));
    for (uint32_t i = 0; i < links->n_active; i++) {
        const struct pair *pair = &links->pairs[links->ends[i].pair];
        bool is_limited = false;
        for (uint32_t h = 0; h < pair->n_hops; h++) {
            uint32_t link = links->hops[pair->first_hop + h].link;
            is_limited |= limits(links, &uses[link], &links->links[link], pair);
        }
        n_without += !is_limited;
    }
    free(uses);
    return n_without;
}

/* Messages of two jobs at random. @return share of the pairs, over all events, without a limit */
static double run(const struct ct_simulate_paths *paths, enum ct_links_order order, uint64_t *die)
{
    const struct ct_links_queues queues = {.order = order};
    struct ct_links *links = links_on(paths, queues);
    uint32_t n_sent = 0, n_through = 0, number;
    double at_ns = 0, n_pairs = 0, n_without = 0;
    while (n_through < MESSAGES) {
        if (n_sent < MESSAGES && at_ns <= ct_links_next_ns(links)) {
            uint32_t from = (uint32_t)throw_die(die, NODES),
                     by = 1 + (uint32_t)throw_die(die, NODES - 1);
            const struct ct_links_message message = {.from = from,
                                                     .to = (from + by) % NODES,
                                                     .job = (uint32_t)throw_die(die, 2),
                                                     .bytes = 1 + (double)throw_die(die, 5000),
                                                     .number = n_sent++};
            assert_int_equal(ct_links_send(links, at_ns, &message, NULL), CT_OK);
            at_ns += throw_die(die, 3) > 0 ? (double)throw_die(die, 600) : 0;
        } else {
            n_through += ct_links_step(links, &number);
        }
        ct_links_solve(links);
        n_pairs += links->n_active;
        n_without += check_rates(links);
    }
    free_links(links);
    return n_without / n_pairs;
}

static void test_shares(void **state)
{
    (void)state;
    static const char *const specs[] = {"switch:16", "tree:4x4,2", "dragonfly:4,2,2", "torus:4x4",
                                        "xgft:4,4/1,2"};
    static const double uplinks[] = {1, 0.5, 2, 0.3};
    uint64_t die = 3;
    for (int i = 0; i < 20; i++) {
        struct ct_simulate_paths paths = paths_of(specs[i % 5], uplinks[i / 5]);
        assert_true(run(&paths, CT_LINKS_FIFO, &die) <= 0);
        paths = paths_of(specs[i % 5], uplinks[i / 5]);
        double without = run(&paths, CT_LINKS_ROUND_ROBIN, &die);
        assert_true(without <= (i % 5 == 0 ? 0 : circles_open));
    }
}

/* All pairs of nodes send, one after the other and with paths of several lengths: memory is needed
 * for few of them, and each message takes its time. */
static void test_idle_pairs(void **state)
{
    (void)state;
    struct ct_simulate_paths paths = paths_of("tree:4x4,2", 1);
    const struct ct_links_queues queues = {.order = CT_LINKS_ROUND_ROBIN};
    struct ct_links *links = links_on(&paths, queues);
    for (uint32_t i = 0; i < 2 * NODES * (NODES - 1); i++) {
        uint32_t from = i / 2 % NODES, by = 1 + i / 2 / NODES, number;
        const struct ct_links_message message = {
            .from = from, .to = (from + by) % NODES, .job = i % 2, .bytes = 100, .number = i};
        assert_int_equal(ct_links_send(links, 1000.0 * i, &message, NULL), CT_OK);
        assert_near(ct_links_next_ns(links), 1000.0 * i + 200, 1e-6);
        assert_true(ct_links_step(links, &number));
        assert_int_equal(number, i);
        assert_int_equal(ct_links_n_busy(links), 0);
    }
    assert_in_range(links->n_pairs, NODES, NODES * (NODES - 1) / 2);
    free_links(links);
}

/* All nodes send as much to all others, one after the other. @return times at which messages end */
static size_t count_ends(uint32_t n_nodes, const char *spec)
{
    struct ct_simulate_paths paths = paths_between(n_nodes, spec, 1);
    const struct ct_links_queues queues = {.order = CT_LINKS_ROUND_ROBIN};
    struct ct_links *links = links_on(&paths, queues);
    size_t n_ends = 0;
    double last_ns = -1;
    uint32_t n = n_nodes * (n_nodes - 1), n_sent = 0, number;
    for (uint32_t n_through = 0; n_through < n;) {
        uint32_t from = n_sent % n_nodes, by = 1 + n_sent / n_nodes;
        double sent_ns = n_sent < n ? 1000.0 * by : INFINITY;
        double at_ns = ct_links_next_before(links, sent_ns);
        if (isfinite(at_ns)) {
            assert_near(ct_links_next_ns(links), at_ns, 0);
            n_ends += at_ns > last_ns;
            last_ns = at_ns;
            n_through += ct_links_step(links, &number);
            continue;
        }
        const struct ct_links_message message = {
            .from = from, .to = (from + by) % n_nodes, .bytes = 4096, .number = n_sent++};
        assert_int_equal(ct_links_send(links, sent_ns, &message, NULL), CT_OK);
    }
    free_links(links);
    return n_ends;
}

/* Pairs that are alike have equal rates also where links between switches limit each other: their
 * messages end together, so that rates are found a few times and not for each message. */
static void test_alike_pairs(void **state)
{
    (void)state;
    assert_in_range(count_ends(16, "switch:16"), 1, 15);
    assert_in_range(count_ends(32, "tree:4x8,2"), 32, 400);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_shares),
                                       cmocka_unit_test(test_idle_pairs),
                                       cmocka_unit_test(test_alike_pairs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
