/* What is ahead of a message, fitted: a made-up truth comes back, by formulas and by simulations.
 */
#include "core/random.h"
#include "goal_example.h"
#include "run_example.h"
#include "simulate/constants.h"
#include "simulate/joint/simulation.h"
#include "unit.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- by formulas ---- */

enum { APPS = 3, CONFIGS = 8, CELLS = APPS * CONFIGS };

static const double packet_bytes = 1500;

/* An application waits for what is ahead of it, up to what the configuration sends; with one queue
 * it is slowed more by configurations with more senders, and what is free when alone is not free
 * beside another. */
static double slowdown_of(const struct ct_queues_cell *cell, const struct ct_port_queues *queues)
{
    double most_bytes = 20e3 * (double)(1 + cell->config);
    double senders = queues->order == CT_PORT_FIFO ? (double)(1 + cell->config % 4) : 1;
    double waits = fmin(queues->ahead_bytes, most_bytes) * senders / 20e3;
    double freed = queues->burst_bytes / 1e4 * (double)(1 + cell->app);
    return 0.05 + waits * (1 + 0.3 * (double)cell->app) + freed;
}

struct formulas {
    const struct ct_queues_cell *cells;
    size_t n;
    const size_t *unknown; /* configuration; NULL: none */
};

static enum ct_status answer(void *model, const struct ct_port_queues *queues,
                             const bool *is_wanted, double *slowdown_frac, struct ct_error *err)
{
    (void)err;
    const struct formulas *formulas = model;
    for (size_t c = 0; c < formulas->n; c++) {
        const struct ct_queues_cell *cell = &formulas->cells[c];
        bool is_known = !formulas->unknown || cell->config != *formulas->unknown;
        if (is_wanted[c])
            slowdown_frac[c] = is_known ? slowdown_of(cell, queues) : NAN;
    }
    return CT_OK;
}

static struct ct_queues_fit fit_knowing(const struct ct_queues_known *known,
                                        const struct ct_queues_cell *cells, size_t n,
                                        size_t *unknown)
{
    struct ct_queues_fit fit;
    struct formulas formulas = {cells, n, unknown};
    const struct ct_queues_fit_setup setup = {.cells = cells,
                                              .n_cells = n,
                                              .slowdowns = answer,
                                              .model = &formulas,
                                              .known = *known,
                                              .unfitted_ahead_bytes = 777,
                                              .packet_bytes = packet_bytes,
                                              .n_packets_max = 128};
    assert_int_equal(ct_queues_fit(&setup, &fit, NULL), CT_OK);
    return fit;
}

static struct ct_queues_fit fit_of(const struct ct_queues_cell *cells, size_t n, size_t *unknown)
{
    return fit_knowing(&(struct ct_queues_known){0}, cells, n, unknown);
}

static void measure(struct ct_queues_cell *cells, const struct ct_port_queues *truth, double noise,
                    uint64_t seed)
{
    for (size_t c = 0; c < CELLS; c++) {
        cells[c] = (struct ct_queues_cell){.app = c / CONFIGS, .config = c % CONFIGS};
        double off = 2 * ct_random_unit(ct_random_next(&seed)) - 1;
        cells[c].slowdown_frac = (1 + slowdown_of(&cells[c], truth)) * (1 + noise * off) - 1;
    }
}

/* Every candidate is found again; with times that are off by up to 5 %, what is ahead is within a
 * factor of two and inside the interval. */
static void slow_truth(void **state)
{
    (void)state;
    for (int order = CT_PORT_ROUND_ROBIN; order <= CT_PORT_FIFO; order++)
        for (double n = 1; n <= 64; n *= 2)
            for (int burst = 0; burst <= 1; burst++) {
                const struct ct_port_queues truth = {(enum ct_port_order)order, packet_bytes,
                                                     n * packet_bytes, burst * packet_bytes};
                struct ct_queues_cell cells[CELLS];
                measure(cells, &truth, 0, 1);
                struct ct_queues_fit fit = fit_of(cells, CELLS, NULL);
                assert_int_equal(fit.queues.order, order);
                assert_near(fit.queues.ahead_bytes, truth.ahead_bytes, 0);
                assert_near(fit.queues.burst_bytes, truth.burst_bytes, 0);
                assert_near(fit.off_mean, 0, 1e-12);
                assert_int_equal(fit.n_cells, CELLS);
                measure(cells, &truth, 0.05, (uint64_t)n);
                fit = fit_of(cells, CELLS, NULL);
                assert_near(log2(fit.queues.ahead_bytes / truth.ahead_bytes), 0, 1);
                assert_true(fit.ahead_bytes.lo <= fit.queues.ahead_bytes &&
                            fit.queues.ahead_bytes <= fit.ahead_bytes.hi);
                assert_true(fit.off_mean < 0.05);
            }
}

/* What is known is taken, whatever the cells say, and the rest found. */
static void test_known(void **state)
{
    (void)state;
    const struct ct_port_queues truth = {CT_PORT_FIFO, packet_bytes, 8 * packet_bytes,
                                         packet_bytes};
    const struct ct_queues_known window = {.has_ahead = true, .ahead_bytes = 5000 * packet_bytes},
                                 right = {.has_ahead = true, .ahead_bytes = truth.ahead_bytes};
    struct ct_queues_cell cells[CELLS];
    measure(cells, &truth, 0, 1);
    struct ct_queues_fit fit = fit_knowing(&window, cells, CELLS, NULL);
    assert_near(fit.queues.ahead_bytes, window.ahead_bytes, 0);
    assert_near(fit.ahead_bytes.lo, window.ahead_bytes, 0);
    assert_true(fit.off_mean > 0);
    fit = fit_knowing(&right, cells, CELLS, NULL);
    assert_int_equal(fit.queues.order, truth.order);
    assert_near(fit.queues.burst_bytes, truth.burst_bytes, 0);
    assert_near(fit.off_mean, 0, 1e-12);
}

/* Too few cells or configurations; cells that a simulation does not answer; an error. */
static void test_too_few(void **state)
{
    (void)state;
    const struct ct_port_queues truth = {CT_PORT_FIFO, packet_bytes, 8 * packet_bytes, 0};
    struct ct_queues_cell cells[CELLS], two[CELLS];
    size_t n = 0, unknown = 2;
    measure(cells, &truth, 0, 1);
    struct ct_queues_fit fit = fit_of(cells, CT_QUEUES_FIT_CELLS - 1, NULL);
    assert_int_equal(fit.n_cells, 0);
    assert_int_equal(fit.queues.order, CT_PORT_ROUND_ROBIN);
    assert_near(fit.queues.ahead_bytes, 777, 0);
    assert_true(isnan(fit.off_mean) && isnan(fit.ahead_bytes.lo) && isnan(fit.order_frac));
    for (size_t c = 0; c < CELLS; c++)
        if (cells[c].config < CT_QUEUES_FIT_CONFIGS - 1)
            two[n++] = cells[c];
    assert_true(n >= CT_QUEUES_FIT_CELLS);
    assert_int_equal(fit_of(two, n, NULL).n_cells, 0);
    fit = fit_of(cells, CELLS, &unknown);
    assert_int_equal(fit.n_cells, CELLS - APPS);
    assert_int_equal(fit.queues.order, CT_PORT_FIFO);
    assert_near(fit.queues.ahead_bytes, 8 * packet_bytes, 0);
}

static enum ct_status fails(void *model, const struct ct_port_queues *queues, const bool *is_wanted,
                            double *slowdown_frac, struct ct_error *err)
{
    (void)model, (void)queues, (void)is_wanted, (void)slowdown_frac;
    return ct_fail(err, CT_ENOMEM, "no memory");
}

static void test_error(void **state)
{
    (void)state;
    struct ct_queues_cell cells[CELLS];
    const struct ct_port_queues truth = {CT_PORT_FIFO, packet_bytes, packet_bytes, 0};
    struct ct_queues_fit fit = {.n_cells = 77};
    struct ct_error err;
    measure(cells, &truth, 0, 1);
    const struct ct_queues_fit_setup setup = {.cells = cells,
                                              .n_cells = CELLS,
                                              .slowdowns = fails,
                                              .packet_bytes = packet_bytes,
                                              .n_packets_max = 128};
    assert_int_equal(ct_queues_fit(&setup, &fit, &err), CT_ENOMEM);
    assert_int_equal(fit.n_cells, 77);
}

/* ---- by simulations ---- */

enum { LOADS = 5, RANKS = 4 };

static const double frame_bytes = 1514;

static const struct ct_config *const configs[LOADS] = {
    &(const struct ct_config){.partners = 1, .messages = 1, .bubble_s = 8e-3},
    &(const struct ct_config){.partners = 3, .messages = 1, .bubble_s = 20e-3},
    &(const struct ct_config){.partners = 3, .messages = 2, .bubble_s = 16e-3},
    &(const struct ct_config){.partners = 2, .messages = 4, .bubble_s = 40e-3},
    &(const struct ct_config){.partners = 3, .messages = 4, .bubble_s = 100e-3}};

/* Steps in which each rank computes, sends to the next one and waits for the one before. */
static struct ct_goal ring_goal(uint64_t bytes, uint64_t calc_ns)
{
    enum { STEPS = 40 };
    struct ct_goal goal;
    struct ct_goal_builder *builder = ct_goal_builder_new(RANKS);
    for (uint32_t rank = 0; rank < RANKS; rank++) {
        const struct ct_goal_op ops[] = {
            {.kind = CT_GOAL_CALC, .amount = calc_ns},
            {.kind = CT_GOAL_SEND, .amount = bytes, .peer = (rank + 1) % RANKS},
            {.kind = CT_GOAL_RECV, .amount = bytes, .peer = (rank + RANKS - 1) % RANKS}};
        uint32_t last = 0;
        ct_goal_begin_rank(builder, rank);
        for (uint32_t i = 0; i < 3 * STEPS; i++) {
            uint32_t added = ct_goal_add(builder, ops[i % 3]);
            if (i > 0)
                ct_goal_require(builder, added, last, CT_GOAL_FINISH);
            last = added;
        }
    }
    struct ct_error err;
    if (ct_goal_build(builder, &goal, &err) != CT_OK)
        fail_msg("%s", err.text);
    return goal;
}

/* Three rings, and the simulations of them. */
struct rings {
    struct ct_simulation_program *programs[APPS];
    struct ct_simulation *simulation;
};

static struct ct_simulation_setup setup_of(const struct ct_simulation_costs *costs)
{
    return (struct ct_simulation_setup){.n_apps = APPS,
                                        .configs = configs,
                                        .n_configs = LOADS,
                                        .costs = *costs,
                                        .work_max = 100000000};
}

static struct rings new_rings(struct ct_simulation_setup setup)
{
    static const struct {
        uint64_t bytes, calc_ns;
    } apps[APPS] = {{100, 500000}, {1200, 1000000}, {6000, 3000000}};
    struct rings rings;
    for (size_t app = 0; app < APPS; app++) {
        struct ct_goal goal = ring_goal(apps[app].bytes, apps[app].calc_ns);
        const struct ct_simulate_place place = ct_simulate_blocks(1);
        assert_int_equal(ct_simulation_program_new(&goal, &place, &rings.programs[app], NULL),
                         CT_OK);
        ct_goal_free(&goal);
    }
    setup.programs = rings.programs;
    assert_int_equal(ct_simulation_new(&setup, &rings.simulation, NULL), CT_OK);
    return rings;
}

static void free_rings(struct rings *rings)
{
    ct_simulation_free(rings->simulation);
    for (size_t app = 0; app < APPS; app++)
        ct_simulation_program_free(rings->programs[app]);
}

static void set_pass(struct ct_measurements *measured, size_t app, size_t load, double pass_s)
{
    struct ct_samples *passes = &measured->loads[load].passes_s[app];
    passes->x = malloc(sizeof *passes->x);
    assert_non_null(passes->x);
    passes->x[0] = pass_s;
    passes->n = 1;
}

static double ask(struct ct_simulation *simulation, size_t app, size_t load)
{
    const struct ct_predict_joint_response response = ct_simulation_response(simulation);
    struct ct_joint_slowdown slowdown;
    assert_int_equal(response.slowdown(response.model, app, &load, 1, &slowdown, NULL), CT_OK);
    /* Two applications meet at several phases, a configuration at one. */
    bool is_app = load <= APPS;
    assert_true(is_app ? slowdown.spread_frac >= 0 : isnan(slowdown.spread_frac));
    return slowdown.frac;
}

static struct ct_simulation_costs costs_of_network(void)
{
    return (struct ct_simulation_costs){.at = {.L_ns = 30e3, .o_ns = 5e3, .G_ns_per_byte = 160},
                                        .S_bytes =
                                            (size_t)ct_simulate_constant(CT_SIMULATE_EAGER_BYTES)};
}

/* A campaign on a network, as its simulation says it. */
static struct ct_measurements measure_network(struct ct_simulation *network)
{
    struct ct_measurements measured;
    assert_int_equal(ct_measurements_new(APPS, LOADS, &measured), CT_OK);
    for (size_t app = 0; app < APPS; app++) {
        set_pass(&measured, app, 0, 1);
        for (size_t c = 0; c < LOADS; c++) {
            size_t load = ct_load_of_config(APPS, c);
            set_pass(&measured, app, load, 1 + ask(network, app, load));
        }
    }
    return measured;
}

/* Fitted to configurations the queues of a network come back, and co-runs, which had no part in
 * it, are then as they are. */
static void check_recovery(struct ct_port_queues truth)
{
    const struct ct_simulation_costs costs = costs_of_network();
    struct ct_simulation_setup setup = setup_of(&costs);
    setup.queues = truth;
    struct rings true_rings = new_rings(setup);
    struct ct_simulation *network = true_rings.simulation;
    assert_null(ct_simulation_queues(network));
    struct ct_measurements measured = measure_network(network);
    setup.known = (struct ct_queues_known){.has_order = true,
                                           .has_burst = true,
                                           .order = truth.order,
                                           .burst_bytes = truth.burst_bytes};
    setup.measured = &measured;
    struct rings found_rings = new_rings(setup);
    struct ct_simulation *found = found_rings.simulation;
    assert_null(ct_simulation_queues(found));
    for (size_t app = 0; app < APPS; app++)
        for (size_t with = 0; with < APPS; with++)
            assert_near(ask(found, app, ct_load_of_app(with)),
                        ask(network, app, ct_load_of_app(with)), 1e-9);
    const struct ct_queues_fit *fit = ct_simulation_queues(found);
    assert_non_null(fit);
    assert_int_equal(fit->queues.order, truth.order);
    assert_near(fit->queues.burst_bytes, truth.burst_bytes, 0);
    assert_near(fit->off_mean, 0, 1e-12);
    ct_measurements_free(&measured);
    free_rings(&true_rings);
    free_rings(&found_rings);
}

/* With an order and a burst that are known. Wider windows than programs fill are all the same. */
static void slow_recovery(void **state)
{
    (void)state;
    skip_if_sanitized();
    check_recovery((struct ct_port_queues){CT_PORT_ROUND_ROBIN, frame_bytes, 4 * frame_bytes, 0});
    check_recovery(
        (struct ct_port_queues){CT_PORT_FIFO, frame_bytes, 16 * frame_bytes, frame_bytes});
}

/* ---- simulations that are kept ---- */

enum { N_KEPT = APPS * (APPS + LOADS) };

static ino_t file_of_store(void)
{
    struct stat facts;
    char *path = example_cache("simulations");
    assert_int_equal(stat(path, &facts), 0);
    free(path);
    return facts.st_ino;
}

/* All pairs of a network with these queues, with the store. */
static void ask_all(const struct ct_simulation_costs *costs, struct ct_port_queues queues,
                    bool keep, double *slowdown_frac)
{
    struct ct_simulation_setup setup = setup_of(costs);
    struct ct_simulation_store *store = keep ? ct_simulation_store_open() : NULL;
    setup.queues = queues;
    setup.store = store;
    struct rings rings = new_rings(setup);
    for (size_t app = 0, i = 0; app < APPS; app++)
        for (size_t load = 1; load <= APPS + LOADS; load++)
            slowdown_frac[i++] = ask(rings.simulation, app, load);
    free_rings(&rings);
    ct_simulation_store_close(store);
}

/* A file that is written is another one: ct_file_save() replaces it. */
static void slow_kept(void **state)
{
    (void)state;
    struct ct_simulation_costs costs = costs_of_network();
    const struct ct_port_queues turns = {CT_PORT_ROUND_ROBIN, packet_bytes, 1500, 0},
                                fifo = {CT_PORT_FIFO, packet_bytes, 24000, 0};
    double plain[N_KEPT], first[N_KEPT], again[N_KEPT], others[N_KEPT];
    ask_all(&costs, turns, false, plain);
    assert_null(example_cache("simulations"));
    ask_all(&costs, turns, true, first);
    ino_t file = file_of_store();
    ask_all(&costs, turns, true, again);
    assert_int_equal(file_of_store(), file); /* nothing was simulated */
    assert_memory_equal(first, plain, sizeof plain);
    assert_memory_equal(again, plain, sizeof plain);

    /* Other queues, another network: other simulations. */
    ask_all(&costs, fifo, true, first);
    assert_int_not_equal(file_of_store(), file);
    file = file_of_store();
    ask_all(&costs, fifo, false, others);
    assert_memory_equal(first, others, sizeof others);
    assert_memory_not_equal(first, plain, sizeof plain);
    costs.at.L_ns *= 2;
    ask_all(&costs, fifo, true, first);
    assert_int_not_equal(file_of_store(), file);
    ask_all(&costs, fifo, false, others);
    assert_memory_equal(first, others, sizeof others);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slow_truth),
        cmocka_unit_test(test_known),
        cmocka_unit_test(test_too_few),
        cmocka_unit_test(test_error),
        cmocka_unit_test(slow_recovery),
        cmocka_unit_test_setup_teardown(slow_kept, example_folder_enter, example_folder_leave)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
