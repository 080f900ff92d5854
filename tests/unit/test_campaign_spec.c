/* campaign/spec: which files are read, how others are refused, what a grid adds. */
#include "campaign/commands.h"
#include "campaign/simgrid_platform.h"
#include "campaign/spec_complete.h"
#include "core/file.h"
#include "tests/unit/campaign_texts.h"
#include "tests/unit/unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SIMGRID(hosts)                                                                             \
    "campaign: c\nlauncher: {kind: simgrid, rate: 40gbit, latency: 500ns, hosts: " hosts "}\n"

static void an_mpi_and_its_launcher_can_be_named(void **state)
{
    (void)state;
    struct ct_campaign_spec spec = read_spec(
        "campaign: c\nlauncher: {kind: lab, hosts: 2, mpi: openmpi, mpiexec: /opt/run}\n");
    assert_int_equal(spec.launcher.mpi, CT_MPI_OPENMPI);
    assert_string_equal(spec.launcher.mpiexec, "/opt/run");
    ct_campaign_spec_free(&spec);
    spec = read_spec(HEAD);
    assert_int_equal(spec.launcher.mpi, CT_MPI_UNKNOWN);
    assert_string_equal(spec.launcher.mpiexec, "");
    ct_campaign_spec_free(&spec);
}

static void a_lab_can_add_latency(void **state)
{
    (void)state;
    struct ct_campaign_spec spec =
        read_spec("campaign: c\nlauncher: {kind: lab, hosts: 2, latency: 500us, jitter: 50us, "
                  "jitter_shape: normal, lateness: 2ms}\n");
    assert_near(spec.launcher.latency_s, 500e-6, 1e-15);
    assert_near(spec.launcher.jitter_s, 50e-6, 1e-15);
    assert_int_equal(spec.launcher.jitter_shape, CT_LAB_JITTER_NORMAL);
    assert_near(spec.launcher.lateness_s, 2e-3, 1e-15);
    ct_campaign_spec_free(&spec);
    spec = read_spec(HEAD);
    assert_near(spec.launcher.latency_s, 0, 0);
    assert_near(spec.launcher.lateness_s, 100e-6, 1e-15);
    ct_campaign_spec_free(&spec);
}

/* 0.3 ms in one packet of a hundred is little beside 1.8 ms, and much beside 0.5 ms. */
static void lateness_is_judged_against_the_latency(void **state)
{
    (void)state;
    struct ct_campaign_launcher launcher = {.lateness_s = 100e-6};
    double median_s, p99_s;
    ct_campaign_lateness_bounds(&launcher, 1.8e-3, &median_s, &p99_s);
    assert_near(p99_s, 360e-6, 1e-12);
    assert_near(median_s, 36e-6, 1e-12);
    ct_campaign_lateness_bounds(&launcher, 0.5e-3, &median_s, &p99_s);
    assert_near(p99_s, 100e-6, 1e-12);
    assert_near(median_s, 20e-6, 1e-12);
    launcher.has_lateness = true; /* the file has the last word */
    ct_campaign_lateness_bounds(&launcher, 18e-3, &median_s, &p99_s);
    assert_near(p99_s, 100e-6, 1e-12);
}

/* Rate, latencies and the factor that is not given are those that the lab is built with. */
static void a_lab_can_imitate_a_machine(void **state)
{
    (void)state;
    struct ct_lab_spec lab;
    struct ct_campaign_spec spec = read_spec("campaign: c\nlauncher: {kind: lab, topology: "
                                             "\"tree:2x4,2\", like: qdr, dilation: 20000}\n");
    assert_int_equal(ct_campaign_lab_spec(&spec.launcher, &lab, NULL), CT_OK);
    assert_string_equal(lab.like.machine, "qdr");
    assert_near(lab.like.dilation, 20000, 0);
    assert_near(spec.launcher.rate_bit_per_s, lab.rate_bit_per_s, 0);
    assert_near(lab.rate_bit_per_s, 1.673e6, 1e3);
    assert_near(spec.launcher.latency_s, lab.delay.latency_s, 0);
    assert_near(lab.like.link_latency_s, 20000 * 190e-9, 1e-9);
    ct_campaign_spec_free(&spec);
    spec = read_spec("campaign: c\nlauncher: {kind: lab, hosts: 4, like: hdr}\n");
    assert_near(spec.launcher.dilation, 21000, 0);
    ct_campaign_spec_free(&spec);
}

static void a_lab_can_have_several_switches(void **state)
{
    (void)state;
    struct ct_lab_spec lab;
    struct ct_campaign_spec spec =
        read_spec("campaign: c\nlauncher: {kind: lab, rate: 20mbit, queue: fifo, latency: 1ms, "
                  "topology: \"tree:4x4\", spines: 2, uplink: 10mbit}\n");
    assert_int_equal(spec.launcher.hosts, 16);
    assert_int_equal(ct_campaign_lab_spec(&spec.launcher, &lab, NULL), CT_OK);
    assert_string_equal(lab.topology, "tree:4x4,2");
    assert_int_equal(lab.n_hosts, 16);
    assert_near(lab.rate_bit_per_s, 20e6, 0);
    assert_near(lab.uplink_bit_per_s, 10e6, 0);
    assert_int_equal(lab.queue, CT_LAB_FIFO);
    assert_near(lab.delay.latency_s, 1e-3, 1e-15);
    ct_campaign_spec_free(&spec);
    spec = read_spec("campaign: c\nlauncher: {kind: lab, hosts: 4, topology: \"tree:2x2\"}\n");
    assert_int_equal(ct_campaign_lab_spec(&spec.launcher, &lab, NULL), CT_OK);
    assert_string_equal(lab.topology, "tree:2x2,1");
    assert_near(lab.uplink_bit_per_s, 50e6, 0);
    ct_campaign_spec_free(&spec);
    spec = read_spec("campaign: c\nlauncher: {kind: lab, hosts: 4}\n");
    assert_int_equal(ct_campaign_lab_spec(&spec.launcher, &lab, NULL), CT_OK);
    assert_string_equal(lab.topology, "");
    ct_campaign_spec_free(&spec);
}

static void a_simulation_takes_its_hosts_from_the_topology(void **state)
{
    (void)state;
    struct ct_campaign_spec spec =
        read_spec("campaign: c\nseed: 1\nplacement: disjoint\nlauncher: {kind: simgrid, topology: "
                  "\"tree:2x4,2\", rate: 40gbit, latency: 1us, model: plain, overhead: 300ns}\n");
    assert_int_equal(spec.launcher.hosts, 8);
    assert_string_equal(ct_campaign_simgrid_models[spec.launcher.model], "plain");
    assert_near(spec.launcher.overhead_s, 300e-9, 1e-15);
    assert_near(spec.durations.start_s, 600, 0); /* of real time */
    assert_int_equal(spec.placements[0].n, 4);
    for (uint32_t i = 0; i < 4; i++) { /* a leaf each */
        assert_int_equal(spec.placements[0].hosts[0][i], i);
        assert_int_equal(spec.placements[0].hosts[1][i], 4 + i);
    }
    ct_campaign_spec_free(&spec);
    spec = read_spec(SIMGRID("4, topology: net.yaml") "durations: {start: 7s}\n");
    assert_int_equal(spec.launcher.hosts, 4);
    assert_near(spec.durations.start_s, 7, 0);
    ct_campaign_spec_free(&spec);
}

#define SMALL_TREE                                                                                 \
    "campaign: c\nlauncher: {kind: simgrid, topology: \"tree:2x2\", rate: 40gbit, "                \
    "latency: 500ns, uplink: 10gbit}\n"

static void count_words(const char *text, const char *word, size_t expected)
{
    size_t n = 0;
    for (const char *at = text; (at = strstr(at, word)); at++)
        n++;
    if (n != expected)
        fail_msg("%zu times %s, not %zu, in\n%s", n, word, expected, text);
}

/* Two leaves with two hosts each and one spine: routes of 2 links within a leaf, of 4 across. */
static void a_platform_has_the_routes_of_the_topology(void **state)
{
    (void)state;
    char folder[] = "/tmp/test-platform-XXXXXX", path[sizeof folder + 8];
    struct ct_topology topology;
    struct ct_text text;
    struct ct_error err;
    struct ct_campaign_spec spec = read_spec(SMALL_TREE);
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/p.xml", folder);
    assert_int_equal(ct_simgrid_topology(&spec.launcher, &topology, &err), CT_OK);
    assert_int_equal(ct_simgrid_platform_write(&topology, path, &err), CT_OK);
    assert_int_equal(ct_file_read(path, &text, &err), CT_OK);
    count_words(text.text, "<host id=", 4);
    count_words(text.text, "<link id=", 2 * (4 + 2));
    count_words(text.text, "bandwidth=\"5e+09Bps\" latency=\"5e-07s\"", 2 * 4);
    count_words(text.text, "bandwidth=\"1.25e+09Bps\" latency=\"5e-07s\"", 2 * 2);
    count_words(text.text, "<route src=", 4 * 3);
    count_words(text.text, "<link_ctn id=", 4 * (2 + 2 * 4));
    count_words(text.text, "<route src=\"h1\" dst=\"h3\" symmetrical=\"NO\">", 1);
    assert_int_not_equal(ct_simgrid_platform_write(&topology, "/nowhere/p.xml", &err), CT_OK);
    topology.links[0].latency_s = NAN;
    assert_int_equal(ct_simgrid_platform_write(&topology, path, &err), CT_EINVAL);
    free(text.text);
    ct_topology_free(&topology);
    ct_campaign_spec_free(&spec);
    unlink(path);
    rmdir(folder);
}

/* The same as options of crosstalk-simgrid. */
static void a_simulation_gets_the_network_of_the_campaign(void **state)
{
    (void)state;
    static const char *const words[] = {"--topology",      "tree:2x2",     "--rate=40gbit",
                                        "--uplink=10gbit", "--wire=500ns", "--prefix=h"};
    struct ct_topology topology;
    struct ct_argv argv = {0};
    struct ct_error err;
    struct ct_campaign_spec spec = read_spec(SMALL_TREE);
    assert_int_equal(ct_simgrid_topology(&spec.launcher, &topology, &err), CT_OK);
    ct_simgrid_add_network(&spec.launcher, &topology, &argv);
    assert_int_equal(argv.n, sizeof words / sizeof *words);
    for (size_t i = 0; i < argv.n; i++)
        assert_string_equal(argv.item[i], words[i]);
    assert_int_equal(topology.n_nodes, 4);
    ct_argv_free(&argv);
    ct_topology_free(&topology);
    ct_campaign_spec_free(&spec);
}

static void every_key_is_read(void **state)
{
    (void)state;
    struct ct_campaign_spec spec = read_spec(WHOLE);
    assert_string_equal(spec.name, "whole");
    assert_true(spec.has_seed);
    assert_int_equal(spec.seed, 7);
    assert_int_equal(spec.retries, 1);
    assert_int_equal(spec.launcher.kind, CT_LAUNCHER_LAB);
    assert_int_equal(spec.launcher.hosts, 6);
    assert_near(spec.launcher.rate_bit_per_s, 20e6, 0);
    assert_int_equal(spec.launcher.queue, CT_LAB_FIFO);
    assert_string_equal(spec.launcher.lab, "second");
    assert_near(spec.durations.impact_s, 5, 0);
    assert_near(spec.durations.runtime_s, 6, 0);
    assert_near(spec.durations.settle_s, 1.5, 0);
    assert_near(spec.durations.start_s, 4, 0);
    assert_near(spec.durations.deadline_factor, 2.5, 0);
    assert_near(spec.probe.interval_s, 25e-3, 1e-15);
    assert_int_equal(spec.probe.message_bytes, 2048);
    assert_string_equal(spec.probe.pairing, "random");
    assert_string_equal(spec.probe.options, "--wait block");
    assert_int_equal(spec.repetitions.idle, 3);
    assert_int_equal(spec.repetitions.compression, 2);
    assert_int_equal(spec.n_apps, 2);
    assert_string_equal(spec.apps[0].name, "fft");
    assert_string_equal(spec.apps[0].command, "workload fft --iterations 10");
    assert_int_equal(spec.apps[0].slots, 2);
    assert_int_equal(spec.apps[0].passes, CT_PASSES_SELF);
    assert_int_equal(spec.apps[1].passes, CT_PASSES_DRIVER);
    assert_near(spec.apps[1].pass_s, 4, 0);
    assert_int_equal(spec.n_configs, 3);
    assert_int_equal(spec.configs[0].load.messages, 2);
    assert_int_equal(spec.configs[0].load.message_bytes, 20000);
    assert_near(spec.configs[1].load.bubble_s, 5e-4, 1e-15);
    assert_int_equal(ct_config_slots(&spec.configs[2].load), 2);
    ct_campaign_spec_free(&spec);
}

static void defaults_hold_where_keys_are_missing(void **state)
{
    (void)state;
    struct ct_campaign_spec spec = read_spec(HEAD);
    assert_false(spec.has_seed);
    assert_int_equal(spec.retries, 2);
    assert_near(spec.durations.deadline_factor, 3, 0);
    assert_false(spec.repetitions.has_target);
    assert_int_equal(spec.n_apps, 0);
    assert_int_equal(spec.n_configs, 0);
    assert_string_equal(spec.launcher.hostfile, "");
    ct_campaign_spec_free(&spec);
}

/* "p1-m1-b1ms ..." of all configurations. */
static void list_configs(const struct ct_campaign_spec *spec, char *text, size_t size)
{
    text[0] = '\0';
    for (size_t i = 0; i < spec->n_configs; i++) {
        char name[CT_CONFIG_TEXT_MAX];
        size_t used = strlen(text);
        ct_plan_config_name(&spec->configs[i].load, name);
        snprintf(text + used, size - used, "%s%s", i ? " " : "", name);
        for (size_t j = 0; j < i; j++)
            assert_false(ct_config_same(&spec->configs[i].load, &spec->configs[j].load));
    }
}

static void the_grid_of_the_paper_has_its_configurations(void **state)
{
    (void)state;
    struct ct_campaign_spec spec =
        read_spec("campaign: c\ngrid: paper\nlauncher: {kind: mpiexec, hosts: 18, rate: 40gbit}\n");
    assert_int_equal(spec.n_configs, 40);
    char text[2000];
    list_configs(&spec, text, sizeof text);
    assert_non_null(
        strstr(text, "p1-m1-b9.6us p1-m1-b96us p1-m1-b960us p1-m1-b9.6ms p1-m10-b9.6us "));
    assert_non_null(strstr(text, " p17-m10-b960us p17-m10-b9.6ms"));
    for (size_t i = 0; i < spec.n_configs; i++) {
        assert_int_equal(ct_config_message_bytes(&spec.configs[i].load), 40000);
        assert_int_equal(ct_config_slots(&spec.configs[i].load), 1);
    }
    assert_false(spec.grid.partners_cut);
    assert_near(spec.grid.step, 10, 0);
    ct_campaign_spec_free(&spec);
}

static void the_grid_fits_fewer_hosts_and_slower_links(void **state)
{
    (void)state;
    struct ct_campaign_spec spec =
        read_spec("campaign: c\ngrid: paper\nlauncher: {kind: lab, hosts: 4}\n");
    char text[2000];
    list_configs(&spec, text, sizeof text);
    /* 40 kB at 50 Mbit/s are 6.4 ms; 25/26 * 8/6.4 of that is the shortest pause */
    assert_string_equal(text, "p1-m1-b7.7ms p1-m1-b23ms p1-m1-b69ms p1-m1-b210ms "
                              "p1-m10-b7.7ms p1-m10-b23ms p1-m10-b69ms p1-m10-b210ms "
                              "p3-m1-b7.7ms p3-m1-b23ms p3-m1-b69ms p3-m1-b210ms "
                              "p3-m10-b7.7ms p3-m10-b23ms p3-m10-b69ms p3-m10-b210ms");
    ct_grid_describe(&spec.grid, text, sizeof text);
    assert_non_null(strstr(text, "16 configurations, pauses 7.7ms 23ms 69ms 210ms in steps of 3 "));
    assert_non_null(strstr(text, "more than 3 partners became 3"));
    ct_campaign_spec_free(&spec);
    for (uint64_t hosts = 2; hosts < 20; hosts++)
        for (double rate = 1e5; rate < 1e13; rate *= 7) {
            struct ct_grid grid = ct_grid_paper(hosts, rate);
            size_t n_partners = hosts < 3 ? 1 : hosts < 6 ? 2 : hosts < 9 ? 3 : hosts < 16 ? 4 : 5;
            assert_int_equal(grid.n, n_partners * 2 * CT_GRID_PAUSES);
            assert_int_equal(grid.partners_cut, hosts < 18); /* 17 are the most */
            for (size_t i = 0; i < grid.n; i++)
                assert_in_range(grid.loads[i].partners, 1, hosts - 1);
            for (size_t k = 1; k < CT_GRID_PAUSES; k++)
                assert_true(grid.pauses_s[k] > 2.5 * grid.pauses_s[k - 1] &&
                            grid.pauses_s[k] < 11 * grid.pauses_s[k - 1]);
        }
}

static void a_grid_adds_to_the_list(void **state)
{
    (void)state;
    struct ct_campaign_spec spec =
        read_spec("campaign: c\ngrid: paper\nlauncher: {kind: mpiexec, hosts: 2, rate: 40gbit}\n"
                  "configurations:\n"
                  "  - {partners: 1, messages: 2, bubble: 3ms}\n"
                  "  - {partners: 1, messages: 10, bubble: 9600ns, message_size: 1kB, slots: 2}\n");
    char text[2000];
    list_configs(&spec, text, sizeof text);
    assert_string_equal(
        text, "p1-m2-b3ms p1-m10-b9.6us-1kb-x2 p1-m1-b9.6us p1-m1-b96us "
              "p1-m1-b960us p1-m1-b9.6ms p1-m10-b9.6us p1-m10-b96us p1-m10-b960us p1-m10-b9.6ms");
    assert_int_equal(spec.configs[1].load.message_bytes, 1000);
    struct ct_plan plan = make_plan(&spec, 1);
    assert_int_equal(plan.n_runs, 2 + 10);
    ct_plan_free(&plan);
    ct_campaign_spec_free(&spec);
}

static void a_grid_takes_bursts(void **state)
{
    (void)state;
    struct ct_campaign_spec spec =
        read_spec("campaign: c\ngrid: paper\nbursts: 20ms/40ms 1s/1s 20ms/40ms\n"
                  "launcher: {kind: mpiexec, hosts: 2, rate: 40gbit}\n"
                  "configurations: [{messages: 1, bubble: 1ms, pattern: incast},"
                  "{messages: 1, bubble: 1ms, pattern: bcast, burst: 20ms/40ms}]\n");
    char text[2000];
    list_configs(&spec, text, sizeof text);
    assert_string_equal(text, "m1-b1ms-incast m1-b1ms-bcast-20ms-40ms p1-m1-b9.6us p1-m1-b96us "
                              "p1-m1-b960us p1-m1-b9.6ms p1-m10-b9.6us p1-m10-b96us p1-m10-b960us "
                              "p1-m10-b9.6ms p1-m1-b9.6us-20ms-40ms p1-m10-b9.6us-20ms-40ms "
                              "p1-m1-b9.6us-1s-1s p1-m10-b9.6us-1s-1s");
    ct_grid_describe(&spec.grid, text, sizeof text);
    assert_non_null(strstr(text, "8 configurations"));
    assert_non_null(strstr(text, "4 more in bursts"));
    struct ct_plan plan = make_plan(&spec, 1);
    struct ct_argv words = {0};
    assert_int_equal(ct_command_background(&spec,
                                           find_run(&plan, "impact-m1-b1ms-bcast-20ms-40ms-r0"), 0,
                                           "sent.h5", 9, &words, NULL),
                     CT_OK);
    assert_non_null(words.item[1]);
    char line[400] = "";
    for (size_t i = 1; i < words.n; i++) {
        size_t used = strlen(line);
        snprintf(line + used, sizeof line - used, "%s ", words.item[i]);
    }
    assert_non_null(strstr(line, "--pattern bcast --messages 1 --bubble 1ms --burst 20ms/40ms "));
    ct_argv_free(&words);
    ct_plan_free(&plan);
    ct_campaign_spec_free(&spec);
}

static bool is_alone(const struct ct_plan_run *run)
{
    return run->background == CT_PLAN_NOTHING;
}

static void candidates_of_an_adaptive_grid_are_open(void **state)
{
    (void)state;
    struct ct_campaign_spec paper =
        read_spec("campaign: c\nlauncher: {kind: mpiexec, hosts: 4, rate: 40gbit}\n"
                  "grid: paper\nrepetitions: {baseline: 3}\n" APPS CONFIGS);
    struct ct_campaign_spec spec =
        read_spec(ADAPTIVE "resolution: 2%\nrepetitions: {baseline: 3, corun: 1}\n" APPS CONFIGS);
    assert_near(spec.resolution_frac, 0.02, 1e-12);
    assert_int_equal(spec.n_configs, paper.n_configs);
    struct ct_plan all = make_plan(&paper, 1), plan = make_plan(&spec, 1);
    /* 16 candidates, each beside the probe and two applications */
    assert_int_equal(plan.n_open, 16 * 3);
    assert_int_equal(plan.n_runs + plan.n_open, all.n_runs);
    assert_near(plan.expected_s + plan.open_s, all.expected_s, 1e-9);
    for (size_t c = 0; c < spec.n_configs; c++) {
        assert_int_equal(spec.configs[c].is_candidate, c >= 3);
        assert_int_equal(ct_plan_has_config(&plan, 0, c), c < 3);
    }
    /* The last idle run and baselines come last, and only they. */
    assert_int_equal(plan.n_closing, 3);
    for (size_t i = 0; i < plan.n_runs; i++) {
        const struct ct_plan_run *run = &plan.runs[i];
        bool closes = i >= plan.n_runs - 3;
        assert_int_equal(ct_plan_closes(&spec, run), closes);
        if (closes)
            assert_true(is_alone(run) && run->repetition == (run->measure == CT_PLAN_APP ? 2 : 1));
    }
    assert_int_equal(all.n_closing, 0);
    /* What is picked comes before them, with the names and seeds of the fixed grid. */
    assert_int_equal(ct_plan_add_candidate(&spec, 1, 0, 5, &plan, NULL), CT_OK);
    assert_int_equal(plan.n_runs, all.n_runs - plan.n_open + 3);
    assert_true(ct_plan_has_config(&plan, 0, 5));
    for (size_t i = 0; i < plan.n_runs; i++) {
        assert_int_equal(find_run(&all, plan.runs[i].id)->seed, plan.runs[i].seed);
        assert_int_equal(i >= plan.n_runs - 3, ct_plan_closes(&spec, &plan.runs[i]));
        assert_int_equal(i >= plan.n_runs - 6 && i < plan.n_runs - 3,
                         plan.runs[i].background == CT_PLAN_COMPRESSION &&
                             plan.runs[i].config == 5);
    }
    ct_plan_free(&all);
    ct_plan_free(&plan);
    ct_campaign_spec_free(&paper);
    ct_campaign_spec_free(&spec);
}

/* Of two applications four ordered pairs, which are open if the file does not say how often. */
static void co_runs_of_an_adaptive_grid_are_open(void **state)
{
    (void)state;
    struct ct_campaign_spec all = read_spec(ADAPTIVE "repetitions: {corun: 1}\n" APPS CONFIGS);
    struct ct_campaign_spec spec = read_spec(ADAPTIVE "acceptable: 2%\n" APPS CONFIGS);
    struct ct_plan planned = make_plan(&all, 1), plan = make_plan(&spec, 1);
    assert_false(all.repetitions.picks_co_runs);
    assert_true(spec.repetitions.picks_co_runs);
    assert_near(spec.acceptable_frac, 0.02, 1e-12);
    assert_int_equal(plan.n_open, planned.n_open + 4);
    assert_true(ct_plan_has_co_run(&planned, 0, 0, 1));
    assert_false(ct_plan_has_co_run(&plan, 0, 0, 1));
    struct ct_plan_run run = ct_plan_co_run(&spec, 1, 0, 0, 1);
    assert_string_equal(run.id, find_run(&planned, run.id)->id);
    assert_near(run.expected_s, find_run(&planned, run.id)->expected_s, 1e-12);
    ct_plan_free(&planned);
    ct_plan_free(&plan);
    ct_campaign_spec_free(&all);
    ct_campaign_spec_free(&spec);
}

#define PLACED "campaign: c\nlauncher: {kind: lab, topology: \"tree:2x4\"}\n"

static void hosts_are_divided_among_programs(void **state)
{
    (void)state;
    struct ct_campaign_spec spec =
        read_spec(PLACED "seed: 5\ngrid: paper\nplacement: shared disjoint fragments\n");
    assert_int_equal(spec.n_placements, 3);
    assert_int_equal(spec.placements[1].kind, CT_SIDES_DISJOINT);
    assert_int_equal(spec.placements[1].hosts[1][0], 4);
    assert_int_equal(ct_campaign_program_hosts(&spec), 4);
    assert_int_equal(spec.grid.partners_max, 3);
    ct_campaign_spec_free(&spec);
    spec = read_spec(PLACED "grid: paper\n");
    assert_int_equal(spec.n_placements, 0);
    assert_int_equal(ct_campaign_program_hosts(&spec), 8);
    assert_int_equal(spec.grid.partners_max, 7);
    ct_campaign_spec_free(&spec);
}

static void bad_files_are_refused_with_the_place(void **state)
{
    (void)state;
    const struct {
        const char *text, *message;
    } cases[] = {
        {"", "file.yaml: empty"},
        {"campaign: \"c", "file.yaml:1: no YAML: found unexpected end of stream"},
        {"- a\n", "file.yaml:1: lines 'key: value' belong here, and it is a list"},
        {HEAD "configurations: [{messages: 1, bubble: 1ms}]\n",
         "configurations[1].partners: missing, for pattern ring"},
        {HEAD "configurations: [{partners: 1, messages: 1, bubble: 1ms, pattern: bcast}]\n",
         "configurations[1].partners: must be left out with pattern bcast"},
        {HEAD "configurations: [{partners: 1, messages: 1, bubble: 1ms, burst: 1us/1s}]\n",
         "configurations[1].burst: '1us/1s': not ON/OFF"},
        {HEAD "bursts: 20ms/40ms\n", "file.yaml: bursts: are for a grid"},
        {HEAD "bursts: 20ms\n", "file.yaml: bursts: '20ms': not ON/OFF"},
        {HEAD APPS "groups: [{app: fft, with: other}]\n",
         "groups[1].with: 'other': not 2 to 4 applications; pairs are always made"},
        {HEAD APPS "groups: [{app: fft, with: fft fft fft fft fft}]\n", "not 2 to 4 applications"},
        {HEAD APPS "groups: [{app: fft, with: other milc}]\n",
         "groups[1].with: 'milc': not among the applications"},
        {HEAD APPS "groups: [{app: milc, with: other fft}]\n",
         "groups[1].app: 'milc': not among the applications"},
        {HEAD APPS "groups: [{app: fft, with: other fft}, {app: fft, with: fft other}]\n",
         "groups[2]: the applications of groups[1]"},
        {HEAD APPS "groups: [{app: fft}]\n", "groups[1].with: missing"},
        {HEAD "colour: red\n", "file.yaml:3: colour: unknown key"},
        {HEAD "probe: {intervall: 1s}\n", "file.yaml:3: probe.intervall: unknown key"},
        {HEAD "campaign: d\n", "file.yaml:3: campaign: is there twice"},
        {"%YAML 1.1\n--- # of one\n" HEAD "---\n# two\nseed: 2\n",
         "file.yaml:5: a second document: a file has one campaign"},
        {HEAD "probe: {slots: 1, slots: 2}\n", "file.yaml:3: probe.slots: is there twice"},
        {HEAD "probe: {pairing: \"a\\0b\"}\n", "file.yaml:3: probe.pairing: a character NUL"},
        {HEAD "? [a]\n: b\n", "file.yaml:3: one value belongs here, and it is a list"},
        {HEAD "groups: []\ngroups: []\n", "file.yaml:4: groups: is there twice"},
        {HEAD "...\n---\ncampaign: d\n", "file.yaml:4: a second document"},
        {HEAD "--- {seed: 2}", "file.yaml:3: a second document"},
        {HEAD "applications:\n  - {name: a, command: b}\n  - {name: c, comand: d}\n",
         "file.yaml:5: applications[2].comand: unknown key"},
        {HEAD "probe: 3\n",
         "file.yaml:3: probe: lines 'key: value' belong here, and it is one value"},
        {HEAD "seed: [1]\n", "file.yaml:3: seed: one value belongs here, and it is a list"},
        {HEAD "applications: {name: a}\n",
         "file.yaml:3: applications: a list belongs here, and it is lines 'key: value'"},
        {"launcher: {kind: lab, hosts: 4}\n", "file.yaml: campaign: missing"},
        {"campaign: c\n", "file.yaml: launcher.kind: missing"},
        {HEAD "applications: [{name: a}]\n", "file.yaml: applications[1].command: missing"},
        {HEAD "configurations: [{partners: 1, messages: 1}]\n",
         "file.yaml: configurations[1].bubble: missing"},
        {HEAD "seed: one\n", "file.yaml: seed: "},
        {HEAD "seed: -1\n", "file.yaml: seed: "},
        {HEAD "durations: {impact: 5}\n", "file.yaml: durations.impact: "},
        {HEAD "durations: {runtime: 0s}\n",
         "file.yaml: durations.runtime: '0s': not within 1ms to 1000000s"},
        {HEAD "durations: {deadline_factor: 0.5}\n", "file.yaml: durations.deadline_factor: '0.5'"},
        {HEAD "probe: {message_size: 1kb}\n", "file.yaml: probe.message_size: "},
        {HEAD "probe: {options: \"it's\"}\n", "file.yaml: probe.options: 'it's': no closing '"},
        {"campaign: c\nlauncher: {kind: ssh}\n",
         "file.yaml: launcher.kind: 'ssh': not one of lab, mpiexec, slurm, simgrid"},
        {"campaign: c\nlauncher: {kind: lab}\n", "launcher.hosts: a lab has 2 to"},
        {"campaign: c\nlauncher: {kind: lab, hosts: 65}\n", "launcher.hosts: a lab has 2 to"},
        {"campaign: c\nlauncher: {kind: lab, hosts: 2, hostfile: h}\n", "launcher: hostfile and"},
        {"campaign: c\nlauncher: {kind: lab, hosts: 2, rate: 50}\n", "launcher.rate: "},
        {"campaign: c\nlauncher: {kind: lab, hosts: 2, queue: lifo}\n",
         "launcher.queue: 'lifo': not one of round-robin, fifo"},
        {"campaign: c\nlauncher: {kind: lab, hosts: 8, topology: \"tree:4x4\"}\n",
         "launcher: topology 'tree:4x4': has 16 hosts, not 8"},
        {"campaign: c\nlauncher: {kind: lab, topology: \"tree:1x4\"}\n",
         "launcher: topology 'tree:1x4': all its hosts are on one switch"},
        {"campaign: c\nlauncher: {kind: lab, topology: \"tree:9x8\"}\n", "72 hosts: 2 to 64"},
        {"campaign: c\nlauncher: {kind: lab, topology: tree}\n", "write tree:LEAVESxHOSTS"},
        {"campaign: c\nlauncher: {kind: lab, topology: \"tree:2x2\", uplink: 0mbit}\n",
         "launcher.uplink: '0mbit'"},
        {"campaign: c\nlauncher: {kind: lab, hosts: 8, spines: 2}\n",
         "launcher.spines: one switch has none; give 'topology: "},
        {"campaign: c\nlauncher: {kind: lab, hosts: 8, uplink: 1mbit}\n",
         "launcher.uplink: one switch has none; give 'topology: "},
        {"campaign: c\nlauncher: {kind: mpiexec, topology: \"tree:4x4\"}\n",
         "launcher.topology: is for 'kind: lab' and 'kind: simgrid'"},
        {"campaign: c\nlauncher: {kind: lab, hosts: 8, dilation: 5000}\n",
         "launcher.dilation: needs launcher.like"},
        {"campaign: c\nlauncher: {kind: lab, hosts: 8, like: hdr, rate: 5mbit}\n",
         "launcher.rate: is derived from launcher.like"},
        {"campaign: c\nlauncher: {kind: slurm, like: hdr}\n", "launcher.like: is for 'kind: lab'"},
        {"campaign: c\nlauncher: {kind: lab, hosts: 8, like: hdr, dilation: 90000}\n",
         "launcher: dilation 90000: a latency of at most 20ms can be added; the nearest"},
        {"campaign: c\nlauncher: {kind: slurm, uplink: 1mbit}\n",
         "launcher.uplink: is for 'kind: lab' and 'kind: simgrid'"},
        {"campaign: c\nlauncher: {kind: lab, hosts: 2, latency: 100us}\n",
         "launcher: latency 100us: 200us to 20ms"},
        {"campaign: c\nlauncher: {kind: lab, hosts: 2, jitter: 100us}\n",
         "launcher: jitter: needs a latency"},
        {"campaign: c\nlauncher: {kind: mpiexec, latency: 1ms}\n",
         "launcher.latency: is for 'kind: lab' and 'kind: simgrid'"},
        {"campaign: c\nlauncher: {kind: simgrid, hosts: 4, rate: 40gbit}\n",
         "launcher: give rate and latency, those of each link"},
        {SIMGRID("4") "latencies: 1ms 1ms\n", "latencies: 1ms: is there twice"},
        {SIMGRID("4, jobs: 65"), "launcher.jobs: '65'"},
        {SIMGRID("4, options: 'network/model:LV08'"), "launcher.options: network/model: is that"},
        {SIMGRID("4") "latencies: 11s\n", "latencies: 11s: more than 10s"},
        {SIMGRID("4, uplink: 2000gbit, topology: 'tree:2x2'"),
         "launcher.uplink: a simulation has at most 1000gbit"},
        {SIMGRID("4, uplink: 2gbit"), "launcher.uplink: one switch has none"},
        {"campaign: c\nlauncher: {kind: lab, hosts: 2, jobs: 2}\n",
         "launcher.jobs: is for 'kind: simgrid'"},
        {SIMGRID("1"), "launcher.hosts: a simulation has 2 or more"},
        {SIMGRID("4, mpi: mpich"), "launcher: hostfile, mpi and mpiexec are for"},
        {SIMGRID("4, model: fluid"), "launcher.model: 'fluid': not one of smpi, ib, plain"},
        {SIMGRID("17, topology: \"tree:4x4\""), "launcher.hosts: 17, but tree:4x4 has 16 nodes"},
        {SIMGRID("4, topology: \"tree:4x\""), "launcher.topology: "},
        {SIMGRID("4, topology: net.yaml") "placement: disjoint\n",
         "placement: the switches of a file are not read here"},
        {SIMGRID("4") "applications:\n  - {name: a, command: b, passes: driver}\n",
         "applications[1].passes: driver: not in a simulation"},
        {"campaign: c\nlatencies: 1ms\nlauncher: {kind: lab, hosts: 2}\n",
         "latencies: need 'latency: 200us'"},
        {"campaign: c\nlatencies: 19900us\nlauncher: {kind: lab, hosts: 2, latency: 200us}\n",
         "latencies: 19900us: with launcher.latency more than the 20ms"},
        {"campaign: c\nlatencies: 1ms 1000us\nlauncher: {kind: lab, hosts: 2, latency: 1ms}\n",
         "latencies: 1000us: is there twice"},
        {"campaign: c\nlatencies: 1ms\nlauncher: {kind: lab, hosts: 2, latency: 1ms}\n"
         "repetitions: {target: 2%}\n",
         "latencies: not with repetitions.target"},
        {"campaign: c\nlatency_runs: all\nlauncher: {kind: lab, hosts: 2, latency: 1ms}\n",
         "latency_runs: goes with 'latencies: 100us 1ms'"},
        {"campaign: c\nlatencies: 1ms\nlatency_runs: loaded\n"
         "launcher: {kind: lab, hosts: 2, latency: 1ms}\n",
         "latency_runs: there are no configurations"},
        {"campaign: c\nlatencies: 1ms\nlatency_runs: loaded\ngrid: adaptive\n"
         "launcher: {kind: lab, hosts: 4, latency: 1ms}\n",
         "latency_runs: not with grid: adaptive"},
        {"campaign: c\nlauncher: {kind: lab, hosts: 2, mpi: lam}\n",
         "launcher.mpi: 'lam': not one of auto, mpich, openmpi"},
        {"campaign: c\nlauncher: {kind: slurm, mpi: openmpi}\n", "--mpi=pmi2"},
        {"campaign: c\nlauncher: {kind: slurm, mpiexec: mpirun}\n", "launcher: mpi and mpiexec"},
        {"campaign: c\nlauncher: {kind: lab, hosts: 4}\n"
         "configurations: [{partners: 4, messages: 1, bubble: 1ms}]\n",
         "configurations[1].partners: 4: with 4 hosts there are at most 3"},
        {"campaign: a/b\nlauncher: {kind: mpiexec}\n", "file.yaml: campaign: 'a/b': a name is"},
        {HEAD "applications: [{name: ../x, command: y}]\n",
         "file.yaml: applications[1].name: '../x'"},
        {HEAD "applications: [{name: x, command: ' '}]\n",
         "file.yaml: applications[1].command: ' ': no program named"},
        {HEAD "applications: [{name: x, command: y, passes: often}]\n",
         "file.yaml: applications[1].passes: 'often': not one of self, driver"},
        {HEAD "applications: [{name: x, command: y}, {name: x, command: z}]\n",
         "file.yaml: applications[2].name: 'x': used twice"},
        {HEAD "configurations: [{partners: 1, messages: 1, bubble: 1ms},"
              "{partners: 1, messages: 1, bubble: 1000us, message_size: 40000B}]\n",
         "file.yaml: configurations[2]: partners, messages, bubble, pattern, burst, message_size "
         "and "
         "slots are those of configurations[1]"},
        {HEAD "repetitions: {target: 2}\n", "file.yaml: repetitions.target: '2': not within"},
        {HEAD "repetitions: {max: 4}\n", "file.yaml: repetitions.max: is for repetitions.target"},
        {HEAD "grid: round\n", "file.yaml: grid: 'round': not one of none, paper, adaptive"},
        {HEAD "acceptable: 5%\n",
         "file.yaml: acceptable: is for 'grid: adaptive' without repetitions.corun"},
        {ADAPTIVE "acceptable: 2%\nrepetitions: {corun: 1}\n" APPS,
         "file.yaml: acceptable: is for 'grid: adaptive' without repetitions.corun"},
        {HEAD "resolution: 5%\n", "file.yaml: resolution: is for 'grid: adaptive'"},
        {ADAPTIVE, "file.yaml: grid: adaptive: give applications"},
        {ADAPTIVE APPS "resolution: 0\n", "file.yaml: resolution: '0': not within 0.001 to 0.5"},
        {ADAPTIVE APPS "repetitions: {impact: 0}\n",
         "file.yaml: grid: adaptive: repetitions of idle, baseline, impact and compression must"},
        {HEAD "grid: paper\n", "file.yaml: grid: give launcher.hosts"},
        {"campaign: c\ngrid: paper\nlauncher: {kind: mpiexec, hosts: 4}\n",
         "file.yaml: grid: give launcher.rate"},
        {"campaign: c\nlauncher: {kind: lab, hosts: 4, rate: 40gbit}\n",
         "file.yaml: launcher.rate: a lab has at most 10gbit"},
        {"campaign: c\nlauncher: {kind: lab, topology: \"tree:2x2\", uplink: 40gbit}\n",
         "file.yaml: launcher: uplink 4e+10 bit/s: 100kbit to 10gbit are possible"},
        {HEAD "applications: [{name: a, command: b, hosts: 2}]\n",
         "applications[1].hosts: give launcher.hosts"},
        {"campaign: c\nlauncher: {kind: mpiexec, hosts: 4}\n"
         "applications: [{name: a, command: b, hosts: 2}]\n",
         "applications[1].hosts: launcher mpiexec starts all programs on this machine"},
        {"campaign: c\nlauncher: {kind: lab, hosts: 4}\n"
         "applications: [{name: a, command: b, hosts: 5}]\n",
         "applications[1].hosts: 5: a program has 4 hosts"},
        {PLACED "applications: [{name: a, command: b, hosts: 9}]\nplacement: disjoint\n",
         "applications[1].hosts: 9: a program has 4 hosts"},
        {HEAD "placement: disjoint\n", "placement: launcher mpiexec starts all programs on this"},
        {"campaign: c\nplacement: disjoint\nlauncher: {kind: mpiexec, hostfile: h}\n",
         "placement: give launcher.hosts"},
        {"campaign: c\nplacement: disjoint\nlauncher: {kind: slurm}\n",
         "placement: give launcher.hosts"},
        {PLACED "placement: apart\n",
         "placement: 'apart': not one of shared, disjoint, interleaved, fragments"},
        {PLACED "placement: shared shared\n", "placement: shared: is there twice"},
        {PLACED "placement: fragments\n", "placement: fragments: give 'seed: NUMBER'"},
        {PLACED "placement: disjoint\nfragment: 2\n", "fragment: is for 'placement: fragments'"},
        {PLACED "seed: 1\nplacement: fragments\nfragment: 3\n",
         "placement: fragments: half of the hosts, 4, is not a multiple of 'fragment', 3"},
        {PLACED "placement: disjoint\nconfigurations: [{partners: 4, messages: 1, bubble: 1ms}]\n",
         "configurations[1].partners: 4: with 4 hosts for each program there are at most 3"},
        {"campaign: c\nlauncher: {kind: lab, topology: \"tree:3x2\"}\nplacement: disjoint\n",
         "placement: disjoint: the hosts are on 3 switches"},
        {"campaign: c\nlauncher: {kind: lab, hosts: 5}\nplacement: interleaved\n",
         "placement: interleaved: 5 hosts, one is left over"},
        {HEAD "probe: &p {slots: 1}\nrepetitions: *p\n", "file.yaml"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct ct_campaign_spec spec;
        struct ct_error err;
        if (ct_campaign_spec_parse(cases[i].text, strlen(cases[i].text), "file.yaml", &spec,
                                   &err) == CT_OK)
            fail_msg("accepted: %s", cases[i].text);
        if (!strstr(err.text, cases[i].message))
            fail_msg("'%s' instead of '%s' for:\n%s", err.text, cases[i].message, cases[i].text);
    }
}

/* Where all have room on half of the hosts, on these and on the same; else on the same. */
static void placements_are_chosen_where_none_is_given(void **state)
{
    (void)state;
    static const struct {
        const char *hosts, *launcher, *more;
        const char *words;
    } cases[] = {{"4", "lab, hosts: 8", "", "shared interleaved"},
                 {"4", "lab, topology: \"tree:2x4\"", "", "shared interleaved"},
                 {"4", "simgrid, rate: 40gbit, latency: 500ns, hosts: 8", "", "shared interleaved"},
                 {"5", "lab, hosts: 8", "", ""}, /* too many */
                 {"0", "lab, hosts: 8", "", ""}, /* all */
                 {"3", "lab, hosts: 7", "", ""}, /* one left over */
                 {"1", "lab, hosts: 2", "", ""}, /* too few */
                 {"1", "slurm, hosts: 4", "", "shared interleaved"},
                 {"4", "lab, hosts: 8",
                  "configurations:\n  - {partners: 4, messages: 1, bubble: 1ms}\n",
                  ""}, /* a ring of 5 */
                 {"4", "lab, hosts: 8", "placement: disjoint\n", "disjoint"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[500], line[300];
        snprintf(text, sizeof text,
                 "campaign: c\nlauncher: {kind: %s}\napplications:\n"
                 "  - {name: a, command: a, hosts: %s}\n  - {name: b, command: b, hosts: 1}\n%s",
                 cases[i].launcher, cases[i].hosts, cases[i].more);
        struct ct_campaign_spec spec = read_spec(text);
        if (strcmp(spec.placement_words, cases[i].words) != 0)
            fail_msg("case %zu: '%s'", i, spec.placement_words);
        assert_int_equal(spec.n_placements,
                         (*cases[i].words != 0) + !strcmp(cases[i].words, "shared interleaved"));
        bool is_chosen = ct_campaign_describe_choice(&spec, line, sizeof line);
        assert_int_equal(is_chosen, strcmp(cases[i].words, "disjoint") != 0);
        if (is_chosen)
            assert_non_null(
                strstr(line, *cases[i].words ? "shared and interleaved" : "hosts of their own"));
        ct_campaign_spec_free(&spec);
        /* As before, in a folder that was begun without. */
        struct ct_error err;
        assert_int_equal(ct_campaign_spec_parse_begun(text, strlen(text), "f", true, &spec, &err),
                         CT_OK);
        assert_int_equal(spec.n_placements, strcmp(cases[i].words, "disjoint") == 0);
        ct_campaign_spec_free(&spec);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_mpi_and_its_launcher_can_be_named),
        cmocka_unit_test(a_lab_can_add_latency),
        cmocka_unit_test(a_lab_can_imitate_a_machine),
        cmocka_unit_test(lateness_is_judged_against_the_latency),
        cmocka_unit_test(a_lab_can_have_several_switches),
        cmocka_unit_test(a_simulation_takes_its_hosts_from_the_topology),
        cmocka_unit_test(a_platform_has_the_routes_of_the_topology),
        cmocka_unit_test(a_simulation_gets_the_network_of_the_campaign),
        cmocka_unit_test(every_key_is_read),
        cmocka_unit_test(defaults_hold_where_keys_are_missing),
        cmocka_unit_test(the_grid_of_the_paper_has_its_configurations),
        cmocka_unit_test(the_grid_fits_fewer_hosts_and_slower_links),
        cmocka_unit_test(a_grid_adds_to_the_list),
        cmocka_unit_test(a_grid_takes_bursts),
        cmocka_unit_test(candidates_of_an_adaptive_grid_are_open),
        cmocka_unit_test(co_runs_of_an_adaptive_grid_are_open),
        cmocka_unit_test(placements_are_chosen_where_none_is_given),
        cmocka_unit_test(hosts_are_divided_among_programs),
        cmocka_unit_test(bad_files_are_refused_with_the_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
