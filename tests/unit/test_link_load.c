/* Probe runs on a known topology: where their hosts are, latencies by path, busy links. */
#include "results/path_classes.h"
#include "study/link_load.h"
#include "tests/unit/run_example.h"
#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HOSTS = 8, PAIRS = HOSTS * (HOSTS - 1) / 2, PER_PAIR = 300 };
static const char tree[] = "tree:4x2,2";

static char *copy(const char *text)
{
    char *copied = strdup(text);
    assert_non_null(copied);
    return copied;
}

/* Hosts h1 to h8, two on each leaf; each sample of a pair for which `slow` says so is delayed by
 * 1 ms every second time. */
static struct ct_run make_run(bool (*slow)(uint32_t a, uint32_t b), const char *topology)
{
    struct ct_run run = example_run(CT_RUN_IMPACT, 0);
    free(run.pairs);
    free(run.info.hosts);
    run.info.hosts = copy("h1 h2 h3 h4 h5 h6 h7 h8");
    run.n_pairs = 0;
    run.pairs = calloc(PAIRS, sizeof *run.pairs);
    run.samples = calloc(PAIRS * PER_PAIR, sizeof *run.samples);
    assert_true(run.pairs && run.samples);
    for (uint32_t a = 0; a < HOSTS; a++)
        for (uint32_t b = a + 1; b < HOSTS; b++) {
            struct ct_pair *pair = &run.pairs[run.n_pairs];
            *pair = (struct ct_pair){a, b, "", "", a / 2 == b / 2 ? 1 : 3};
            snprintf(pair->host_a, CT_HOST_MAX, "h%u", a + 1);
            snprintf(pair->host_b, CT_HOST_MAX, "h%u", b + 1);
            for (size_t i = 0; i < PER_PAIR; i++) {
                double noise_s = 1e-6 * (double)(i * 7 % 11);
                double wait_s = slow && slow(a, b) && i % 2 ? 1e-3 : 0;
                run.samples[run.n_samples++] =
                    (struct ct_sample){.t_s = (double)i,
                                       .sent_s = (double)i,
                                       .pair = (uint32_t)run.n_pairs,
                                       .latency_s = 1e-4 + noise_s + wait_s,
                                       .forward_s = NAN};
            }
            run.n_pairs++;
        }
    if (topology)
        assert_int_equal(ct_run_add_text(&run.info, CT_RUN_TOPOLOGY, topology), CT_OK);
    return run;
}

static void write_run(const char *path, struct ct_run run)
{
    struct ct_error err = {.text = ""};
    if (ct_run_write(path, &run, &err) != CT_OK)
        fail_msg("%s", err.text);
    ct_run_free(&run);
}

/* Host h1 is busy. */
static bool to_first(uint32_t a, uint32_t b)
{
    (void)b;
    return a == 0;
}

static enum ct_status estimate(const char *topology, struct ct_link_load *load,
                               struct ct_error *err)
{
    const struct ct_link_load_settings settings = {
        .idle_path = "idle.h5",
        .loaded_path = "loaded.h5",
        .topology = topology,
        .rate_bit_per_s = NAN,
        .uplink_rate_bit_per_s = NAN,
        .setup = {.replicates = 20, .level = 0.9, .seed = 1}};
    return ct_link_load_estimate(&settings, load, err);
}

static double busy_of(const struct ct_link_load *load, const char *from, const char *to)
{
    const struct ct_topology *topology = &load->network.topology;
    for (size_t c = 0; c < load->paths.n_columns; c++) {
        uint32_t direction = load->paths.direction[c];
        const uint32_t *end = topology->links[direction / 2].end;
        if (!strcmp(ct_topology_name(topology, end[direction % 2]), from) &&
            !strcmp(ct_topology_name(topology, end[1 - direction % 2]), to))
            return load->estimates[load->group[c]].busy_frac;
    }
    fail_msg("no direction from %s to %s", from, to);
    return NAN;
}

static void the_busy_link_is_found(void **state)
{
    (void)state;
    struct ct_link_load load;
    struct ct_error err = {.text = ""};
    write_run("idle.h5", make_run(NULL, tree));
    write_run("loaded.h5", make_run(to_first, tree));
    if (estimate(NULL, &load, &err) != CT_OK)
        fail_msg("%s", err.text);
    assert_int_equal(load.paths.n_pairs, PAIRS);
    assert_int_equal(load.n_loaded, PAIRS * PER_PAIR);
    /* Half of the round trips wait on both directions together. */
    double busy = busy_of(&load, "n0", "leaf0");
    assert_true(busy > 0.25 && busy < 0.55);
    assert_near(busy_of(&load, "leaf0", "n0"), busy, 1e-12);
    assert_true(busy_of(&load, "n1", "leaf0") < 0.15);
    assert_true(busy_of(&load, "leaf3", "spine1") < 0.15);
    double *picture = ct_link_load_picture(&load);
    size_t n_known = 0;
    assert_non_null(picture);
    for (size_t d = 0; d < 2 * (size_t)load.network.topology.n_links; d++)
        n_known += isnan(picture[d]) ? 0 : 1;
    assert_int_equal(n_known, load.paths.n_columns);
    free(picture);
    ct_link_load_free(&load);
}

/* What host h1 sends waits, what it receives does not; the partners' clocks run ahead, and fast. */
static struct ct_run make_one_way_run(bool loaded)
{
    struct ct_run run = make_run(NULL, tree);
    for (size_t i = 0; i < run.n_samples; i++) {
        struct ct_sample *sample = &run.samples[i];
        double wait_s = loaded && sample->pair < HOSTS - 1 && i % 2 ? 1e-3 : 0;
        sample->forward_s = sample->latency_s + wait_s + 7 + 50e-6 * sample->sent_s;
        sample->latency_s += wait_s / 2;
    }
    return run;
}

/* The same, but the second host of every other pair probes the first one, whose answers wait. */
static struct ct_run make_turns_run(bool loaded)
{
    struct ct_run run = make_one_way_run(loaded);
    for (size_t i = 0; i < run.n_samples; i++) {
        struct ct_sample *sample = &run.samples[i];
        if (i / 2 % 2 == 0)
            continue;
        sample->from_b = 1;
        sample->forward_s = 2 * sample->latency_s - sample->forward_s;
        sample->sent_s += 7;
    }
    return run;
}

static void partners_take_turns(void **state)
{
    (void)state;
    struct ct_link_load load;
    struct ct_error err = {.text = ""};
    write_run("idle.h5", make_turns_run(false));
    write_run("loaded.h5", make_turns_run(true));
    if (estimate(NULL, &load, &err) != CT_OK)
        fail_msg("%s", err.text);
    assert_true(load.one_way);
    assert_true(busy_of(&load, "n0", "leaf0") > 0.4);
    assert_true(busy_of(&load, "leaf0", "n0") < 0.05);
    assert_true(busy_of(&load, "leaf3", "n7") < 0.05);
    ct_link_load_free(&load);
}

static void both_ways_are_told_apart(void **state)
{
    (void)state;
    struct ct_link_load load;
    struct ct_error err = {.text = ""};
    write_run("idle.h5", make_one_way_run(false));
    write_run("loaded.h5", make_one_way_run(true));
    if (estimate(NULL, &load, &err) != CT_OK)
        fail_msg("%s", err.text);
    assert_true(load.one_way);
    assert_true(busy_of(&load, "n0", "leaf0") > 0.4);
    assert_true(busy_of(&load, "leaf0", "n0") < 0.1);
    assert_true(busy_of(&load, "leaf3", "n7") < 0.05);
    ct_link_load_free(&load);
    /* Without these times, or on request: round trips. */
    const struct ct_link_load_settings settings = {
        .idle_path = "idle.h5",
        .loaded_path = "loaded.h5",
        .round_trips = true,
        .rate_bit_per_s = NAN,
        .uplink_rate_bit_per_s = NAN,
        .setup = {.replicates = 0, .level = 0.9, .seed = 1}};
    assert_int_equal(ct_link_load_estimate(&settings, &load, &err), CT_OK);
    assert_false(load.one_way);
    ct_link_load_free(&load);
    write_run("idle.h5", make_run(NULL, tree));
    assert_int_equal(estimate(NULL, &load, &err), CT_OK);
    assert_false(load.one_way);
    assert_near(busy_of(&load, "n0", "leaf0"), busy_of(&load, "leaf0", "n0"), 1e-12);
    ct_link_load_free(&load);
}

static struct ct_run simulated(struct ct_run run)
{
    free(run.info.timer);
    run.info.timer = copy("simulated");
    return run;
}

/* Flows do not fill a link with four times the rate of hosts' links: what is said of it is no
 * measurement, by bytes like links that probes see, and so busy a shorter time. */
static void fast_links_are_not_seen_by_flows(void **state)
{
    (void)state;
    struct ct_link_load load;
    struct ct_error err = {.text = ""};
    struct ct_link_load_settings settings = {.idle_path = "idle.h5",
                                             .loaded_path = "loaded.h5",
                                             .rate_bit_per_s = 10e9,
                                             .uplink_rate_bit_per_s = 40e9,
                                             .setup = {.level = 0.9, .seed = 1}};
    write_run("idle.h5", simulated(make_run(NULL, tree)));
    write_run("loaded.h5", simulated(make_run(to_first, tree)));
    assert_int_equal(ct_link_load_estimate(&settings, &load, &err), CT_OK);
    double of_hosts = 0, between = 0;
    for (size_t c = 0; c < load.paths.n_columns; c++) {
        const uint32_t *end = load.network.topology.links[load.paths.direction[c] / 2].end;
        bool is_host = end[0] < HOSTS || end[1] < HOSTS;
        double unknown = -log1p(-load.estimates[load.group[c]].busy_frac);
        *(is_host ? &of_hosts : &between) += unknown;
        assert_true(is_host || load.is_open[load.group[c]]);
    }
    double n_of_hosts = 2 * HOSTS, n_between = (double)load.paths.n_columns - n_of_hosts;
    assert_true(between > 0 && between / n_between < 0.7 * of_hosts / n_of_hosts);
    ct_link_load_free(&load);
    /* Without a rate of their own they are as fast, and seen. */
    settings.uplink_rate_bit_per_s = NAN;
    assert_int_equal(ct_link_load_estimate(&settings, &load, &err), CT_OK);
    assert_true(busy_of(&load, "n0", "leaf0") > 0.25);
    assert_true(busy_of(&load, "leaf3", "n7") < 0.2);
    ct_link_load_free(&load);
}

/* The run is on two leaves of the tree that it names: its nodes say on which. */
static void recorded_nodes_count(void **state)
{
    (void)state;
    struct ct_link_load load;
    struct ct_error err = {.text = ""};
    struct ct_run idle = make_run(NULL, "tree:8x2,2"), loaded = make_run(to_first, "tree:8x2,2");
    static const char nodes[] = "n8 n9 n10 n11 n12 n13 n14 n15";
    assert_int_equal(ct_run_add_text(&idle.info, CT_RUN_TOPOLOGY_NODES, nodes), CT_OK);
    assert_int_equal(ct_run_add_text(&loaded.info, CT_RUN_TOPOLOGY_NODES, nodes), CT_OK);
    write_run("idle.h5", idle);
    write_run("loaded.h5", loaded);
    if (estimate(NULL, &load, &err) != CT_OK)
        fail_msg("%s", err.text);
    assert_true(busy_of(&load, "n8", "leaf4") > 0.25);
    assert_true(busy_of(&load, "leaf7", "n15") < 0.15);
    ct_link_load_free(&load);
}

/* A file is in the run itself; hosts are found by their names. */
static void a_file_travels_with_the_run(void **state)
{
    (void)state;
    static const char file[] = "SwitchName=a Nodes=h[1-4]\nSwitchName=b Nodes=h[5-8]\n"
                               "SwitchName=top Switches=a,b\n";
    struct ct_link_load load;
    struct ct_error err = {.text = ""};
    struct ct_run loaded = make_run(to_first, "topology.conf");
    assert_int_equal(ct_run_add_text(&loaded.info, CT_RUN_TOPOLOGY_TEXT, file), CT_OK);
    write_run("idle.h5", make_run(NULL, NULL));
    write_run("loaded.h5", loaded);
    if (estimate(NULL, &load, &err) != CT_OK)
        fail_msg("%s", err.text);
    assert_true(busy_of(&load, "h1", "a") > 0.25);
    assert_true(busy_of(&load, "a", "top") < 0.15);
    /* Another one that was given replaces it. */
    ct_link_load_free(&load);
    assert_int_equal(estimate("switch:8", &load, &err), CT_OK);
    assert_int_equal(load.n_groups, 8);
    ct_link_load_free(&load);
}

static void refuse(const char *topology, enum ct_status status, const char *pattern)
{
    struct ct_link_load load;
    struct ct_error err = {.text = ""};
    assert_int_equal(estimate(topology, &load, &err), status);
    if (!strstr(err.text, pattern))
        fail_msg("no '%s' in: %s", pattern, err.text);
    ct_link_load_free(&load);
}

static void what_cannot_be_estimated_is_refused(void **state)
{
    (void)state;
    write_run("idle.h5", make_run(NULL, NULL));
    write_run("loaded.h5", make_run(NULL, NULL));
    refuse(NULL, CT_ENODATA, "loaded.h5: the run has no topology: give --topology");
    refuse("tree:2x2", CT_EINVAL, "tree:2x2: 4 nodes; the run is on 8");
    refuse("tree:2x", CT_EUSAGE, "tree:2x");
    /* Named, but not held: a file that was too large, or another driver's. */
    write_run("loaded.h5", make_run(NULL, "topology.conf"));
    refuse(NULL, CT_ENODATA, "topology topology.conf cannot be built again");
    struct ct_run idle = make_run(NULL, NULL);
    for (size_t p = 0; p < idle.n_pairs; p++) /* the first pair alone, of one leaf */
        for (size_t i = 0; p > 0 && i < PER_PAIR; i++)
            idle.samples[p * PER_PAIR + i].pair = 0;
    write_run("idle.h5", idle);
    refuse(tree, CT_ENODATA, "no probe between nodes with 3 switches");
    struct ct_run inside = make_run(NULL, NULL);
    memcpy(inside.pairs[3].host_b, inside.pairs[3].host_a, CT_HOST_MAX);
    write_run("idle.h5", make_run(NULL, NULL));
    write_run("loaded.h5", inside);
    refuse(tree, CT_EINVAL, "loaded.h5: pair 3: both ranks are on h1");
    write_run("idle.h5", example_run(CT_RUN_RUNTIME, 3));
    refuse(tree, CT_EINVAL, "idle.h5: a run of the kind 'runtime'");
}

static void latencies_by_path(void **state)
{
    (void)state;
    struct ct_run run = make_run(to_first, tree);
    struct ct_path_class *classes;
    size_t n, worst;
    struct ct_error err;
    run.samples[5].latency_s = 1; /* of the pair h1, h2 */
    assert_int_equal(ct_path_classes_take(&run, &classes, &n, &worst, &err), CT_OK);
    assert_int_equal(n, 2);
    assert_int_equal(classes[0].switches, 1);
    assert_int_equal(classes[0].n_pairs, 4);
    assert_int_equal(classes[0].n, 4 * PER_PAIR);
    assert_int_equal(classes[1].switches, 3);
    assert_int_equal(classes[1].n_pairs, PAIRS - 4);
    /* 6 of 24 pairs, half of their probes, 1 ms. */
    assert_near(classes[1].mean_s, 1.05e-4 + 1e-3 / 8, 1e-6);
    assert_near(classes[1].p50_s, 1.06e-4, 3e-6);
    assert_int_equal(worst, 0);
    free(classes);
    for (size_t p = 0; p < run.n_pairs; p++)
        run.pairs[p].path_class = 0;
    assert_int_equal(ct_path_classes_take(&run, &classes, &n, &worst, &err), CT_OK);
    assert_int_equal(n, 0);
    assert_null(classes);
    ct_run_free(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_busy_link_is_found, example_folder_enter,
                                        example_folder_leave),
        cmocka_unit_test_setup_teardown(both_ways_are_told_apart, example_folder_enter,
                                        example_folder_leave),
        cmocka_unit_test_setup_teardown(partners_take_turns, example_folder_enter,
                                        example_folder_leave),
        cmocka_unit_test_setup_teardown(fast_links_are_not_seen_by_flows, example_folder_enter,
                                        example_folder_leave),
        cmocka_unit_test_setup_teardown(recorded_nodes_count, example_folder_enter,
                                        example_folder_leave),
        cmocka_unit_test_setup_teardown(a_file_travels_with_the_run, example_folder_enter,
                                        example_folder_leave),
        cmocka_unit_test_setup_teardown(what_cannot_be_estimated_is_refused, example_folder_enter,
                                        example_folder_leave),
        cmocka_unit_test(latencies_by_path),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
