/* campaign/spec and campaign/plan: which files are read, how others are refused, which runs follow.
 */
#include "campaign/commands.h"
#include "campaign/constants.h"
#include "campaign/plan.h"
#include "campaign/repeat.h"
#include "campaign/traces.h"
#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEAD "campaign: c\nlauncher: {kind: mpiexec}\n"
#define APPS                                                                                       \
    "applications:\n"                                                                              \
    "  - {name: fft, command: \"workload fft --iterations 10\", slots: 2}\n"                       \
    "  - {name: other, command: \"./app 'in put'\", passes: driver, pass: 4s}\n"
#define CONFIGS                                                                                    \
    "configurations:\n"                                                                            \
    "  - {partners: 1, messages: 2, bubble: 100ms, message_size: 20kB}\n"                          \
    "  - {partners: 4, messages: 1, bubble: 500us}\n"                                              \
    "  - {partners: 4, messages: 1, bubble: 1ms, slots: 2}\n"
#define ADAPTIVE "campaign: c\nlauncher: {kind: mpiexec, hosts: 4, rate: 40gbit}\ngrid: adaptive\n"
#define WHOLE                                                                                      \
    "campaign: whole\nseed: 7\nretries: 1\n"                                                       \
    "launcher: {kind: lab, hosts: 6, rate: 20mbit, queue: fifo, lab: second}\n"                    \
    "durations: {impact: 5s, runtime: 6s, settle: 1.5s, start: 4s, deadline_factor: 2.5}\n"        \
    "probe: {interval: 25ms, message_size: 2KiB, slots: 1, pairing: random, options: '--wait "     \
    "block'}\n"                                                                                    \
    "repetitions: {idle: 3, baseline: 2, impact: 1, compression: 2, corun: 1}\n" APPS CONFIGS

static struct ct_campaign_spec read_spec(const char *text)
{
    struct ct_campaign_spec spec;
    struct ct_error err;
    if (ct_campaign_spec_parse(text, strlen(text), "file.yaml", &spec, &err) != CT_OK)
        fail_msg("%s", err.text);
    return spec;
}

static struct ct_plan make_plan(const struct ct_campaign_spec *spec, uint64_t seed)
{
    struct ct_plan plan;
    struct ct_error err;
    if (ct_plan_make(spec, seed, &plan, &err) != CT_OK)
        fail_msg("%s", err.text);
    return plan;
}

/* ---- files ---- */

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

static const struct ct_plan_run *find_run(const struct ct_plan *plan, const char *id)
{
    for (size_t i = 0; i < plan->n_runs; i++)
        if (!strcmp(plan->runs[i].id, id))
            return &plan->runs[i];
    fail_msg("no run %s", id);
    return NULL;
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
        read_spec(ADAPTIVE "resolution: 2%\nrepetitions: {baseline: 3}\n" APPS CONFIGS);
    assert_near(spec.resolution_frac, 0.02, 1e-12);
    assert_int_equal(spec.n_configs, paper.n_configs);
    struct ct_plan all = make_plan(&paper, 1), plan = make_plan(&spec, 1);
    /* 16 candidates, each beside the probe and two applications */
    assert_int_equal(plan.n_open, 16 * 3);
    assert_int_equal(plan.n_runs + plan.n_open, all.n_runs);
    assert_near(plan.expected_s + plan.open_s, all.expected_s, 1e-9);
    for (size_t c = 0; c < spec.n_configs; c++) {
        assert_int_equal(spec.configs[c].is_candidate, c >= 3);
        assert_int_equal(ct_plan_has_config(&plan, c), c < 3);
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
    assert_int_equal(ct_plan_add_candidate(&spec, 1, 5, &plan, NULL), CT_OK);
    assert_int_equal(plan.n_runs, all.n_runs - plan.n_open + 3);
    assert_true(ct_plan_has_config(&plan, 5));
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

static void bad_files_are_refused_with_the_place(void **state)
{
    (void)state;
    const struct {
        const char *text, *message;
    } cases[] = {
        {"", "file.yaml: empty"},
        {"campaign: \"c", "file.yaml:1: campaign: libyaml: found unexpected end of stream"},
        {"- a\n", "file.yaml: Expecting MAPPING"},
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
        {HEAD "colour: red\n", "file.yaml: Unexpected key: colour"},
        {HEAD "probe: {intervall: 1s}\n", "file.yaml: probe: Unexpected key: intervall"},
        {HEAD "campaign: d\n", "already seen: campaign"},
        {HEAD "applications:\n  - {name: a, command: b}\n  - {name: c, comand: d}\n",
         "file.yaml: applications[2]: Unexpected key: comand"},
        {HEAD "probe: 3\n", "file.yaml:3: probe: Expecting MAPPING"},
        {HEAD "seed: [1]\n", "file.yaml:3: seed: Expecting STRING"},
        {HEAD "applications: {name: a}\n", "file.yaml:3: applications: Expecting SEQUENCE"},
        {"launcher: {kind: lab, hosts: 4}\n", "file.yaml: campaign: missing"},
        {"campaign: c\n", "file.yaml: launcher.kind: missing"},
        {HEAD "applications: [{name: a}]\n", "file.yaml: applications[1].command: missing"},
        {HEAD "configurations: [{partners: 1, messages: 1}]\n",
         "file.yaml: configurations[1].bubble: missing"},
        {HEAD "seed: one\n", "file.yaml: seed: "},
        {HEAD "seed: -1\n", "file.yaml: seed: "},
        {HEAD "durations: {impact: 5}\n", "file.yaml: durations.impact: "},
        {HEAD "durations: {runtime: 0s}\n",
         "file.yaml: durations.runtime: '0s': not within 0.001 to 1e+06 seconds"},
        {HEAD "durations: {deadline_factor: 0.5}\n", "file.yaml: durations.deadline_factor: '0.5'"},
        {HEAD "probe: {message_size: 1kb}\n", "file.yaml: probe.message_size: "},
        {HEAD "probe: {options: \"it's\"}\n", "file.yaml: probe.options: 'it's': no closing '"},
        {"campaign: c\nlauncher: {kind: ssh}\n",
         "file.yaml: launcher.kind: 'ssh': not one of lab, mpiexec, slurm"},
        {"campaign: c\nlauncher: {kind: lab}\n", "launcher.hosts: a lab has 2 to"},
        {"campaign: c\nlauncher: {kind: lab, hosts: 65}\n", "launcher.hosts: a lab has 2 to"},
        {"campaign: c\nlauncher: {kind: lab, hosts: 2, hostfile: h}\n", "launcher: hostfile and"},
        {"campaign: c\nlauncher: {kind: lab, hosts: 2, rate: 50}\n", "launcher.rate: "},
        {"campaign: c\nlauncher: {kind: lab, hosts: 2, queue: lifo}\n",
         "launcher.queue: 'lifo': not one of round-robin, fifo"},
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

/* ---- plans ---- */

static size_t count_sort(const struct ct_plan *plan, const char *sort)
{
    size_t n = 0;
    for (size_t i = 0; i < plan->n_runs; i++)
        n += !strcmp(ct_plan_sort(&plan->runs[i]), sort);
    return n;
}

static void a_plan_has_every_run_once(void **state)
{
    (void)state;
    struct ct_campaign_spec spec = read_spec(WHOLE);
    struct ct_plan plan = make_plan(&spec, 1);
    assert_int_equal(count_sort(&plan, "idle"), 3);
    assert_int_equal(count_sort(&plan, "baseline"), 2 * 2);
    assert_int_equal(count_sort(&plan, "impact"), 2 + 3);
    assert_int_equal(count_sort(&plan, "compression"), 2 * 3 * 2);
    assert_int_equal(count_sort(&plan, "corun"), 2 * 2);
    assert_int_equal(plan.n_runs, 3 + 4 + 5 + 12 + 4);
    for (size_t i = 0; i < plan.n_runs; i++)
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(plan.runs[i].id, plan.runs[j].id);
    const char *const ids[] = {"idle-r2",
                               "baseline-other-r1",
                               "impact-fft-r0",
                               "impact-p1-m2-b100ms-20kb-r0",
                               "runtime-fft-under-p4-m1-b500us-r1",
                               "runtime-fft-with-other-r0",
                               "runtime-other-with-fft-r0",
                               "runtime-fft-with-fft-r0"};
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++)
        find_run(&plan, ids[i]);
    const struct ct_plan_run *run = find_run(&plan, "runtime-other-with-fft-r0");
    assert_int_equal(run->measure, CT_PLAN_APP);
    assert_int_equal(run->app, 1);
    assert_int_equal(run->background, CT_PLAN_OTHER_APP);
    assert_int_equal(run->other, 0);
    ct_plan_free(&plan);
    ct_campaign_spec_free(&spec);
}

static void with_logp_each_network_is_measured_once_more(void **state)
{
    (void)state;
    struct ct_campaign_spec spec = read_spec("logp: true\n" WHOLE);
    struct ct_plan plan = make_plan(&spec, 1);
    assert_int_equal(plan.n_runs, 28 + 1 + 2 + 3);
    assert_int_equal(count_sort(&plan, "logp"), 1 + 2 + 3);
    find_run(&plan, "logp-r0");
    find_run(&plan, "logp-p1-m2-b100ms-20kb-r0");
    const struct ct_plan_run *run = find_run(&plan, "logp-other-r0");
    assert_int_equal(run->measure, CT_PLAN_LOGP);
    assert_near(ct_plan_measured_s(&spec, run), 60, 0);
    assert_int_equal(ct_command_measured_slots(&spec, run), 1);
    struct ct_argv argv = {0};
    assert_int_equal(ct_command_measured(&spec, run, "out.h5", &argv, NULL), CT_OK);
    assert_non_null(strstr(argv.item[0], "logpb"));
    assert_string_equal(argv.item[1], "--time");
    assert_string_equal(argv.item[3], "--checkpoint");
    assert_string_equal(argv.item[4], "0s");
    assert_string_equal(argv.item[9], "--label");
    assert_string_equal(argv.item[10], "other");
    ct_argv_free(&argv);
    ct_plan_free(&plan);
    ct_campaign_spec_free(&spec);
    spec = read_spec("logp: idle\n" WHOLE);
    plan = make_plan(&spec, 1);
    assert_int_equal(plan.n_runs, 28 + 1);
    find_run(&plan, "logp-r0");
    ct_plan_free(&plan);
    ct_campaign_spec_free(&spec);
}

/* One pass of each, without the words that make a program time itself; other runs stay where they
 * are. */
static void with_trace_each_application_is_traced_once(void **state)
{
    (void)state;
    struct ct_campaign_spec plain = read_spec(WHOLE), spec = read_spec("trace: true\n" WHOLE);
    struct ct_plan without = make_plan(&plain, 1), plan = make_plan(&spec, 1);
    assert_int_equal(plan.n_runs, without.n_runs + 2);
    assert_int_equal(count_sort(&plan, "trace"), 2);
    for (size_t i = 0; i < without.n_runs; i++)
        assert_string_equal(plan.runs[i].id, without.runs[i].id);
    const struct ct_plan_run *run = find_run(&plan, "trace-other-r0");
    assert_ptr_equal(run, &plan.runs[plan.n_runs - 1]);
    assert_int_equal(run->background, CT_PLAN_NOTHING);
    assert_int_equal(ct_command_measured_slots(&spec, run), spec.apps[run->app].slots);
    struct ct_argv argv = {0}, traced = {0};
    assert_int_equal(ct_command_measured(&spec, run, "folder", &argv, NULL), CT_OK);
    for (size_t i = 0; i < argv.n; i++) {
        assert_string_not_equal(argv.item[i], "--loop");
        assert_string_not_equal(argv.item[i], "--output");
    }
    ct_traces_command("folder", argv.item, &traced);
    assert_int_equal(traced.n, 5 + argv.n);
    const char *const first[] = {"trace", "--output", "folder", "--"};
    for (size_t i = 0; i < 4; i++)
        assert_string_equal(traced.item[1 + i], first[i]);
    assert_string_equal(traced.item[5], argv.item[0]);
    ct_argv_free(&argv);
    ct_argv_free(&traced);
    ct_plan_free(&plan);
    ct_plan_free(&without);
    ct_campaign_spec_free(&spec);
    ct_campaign_spec_free(&plain);
}

static void equal_seeds_give_equal_plans(void **state)
{
    (void)state;
    struct ct_campaign_spec spec = read_spec(WHOLE);
    struct ct_plan a = make_plan(&spec, 1), b = make_plan(&spec, 1), c = make_plan(&spec, 2);
    size_t n_moved = 0;
    for (size_t i = 0; i < a.n_runs; i++) {
        assert_string_equal(a.runs[i].id, b.runs[i].id);
        assert_int_equal(a.runs[i].seed, b.runs[i].seed);
        assert_int_not_equal(a.runs[i].seed, find_run(&c, a.runs[i].id)->seed);
        n_moved += strcmp(a.runs[i].id, c.runs[i].id) != 0;
        for (size_t j = 0; j < i; j++)
            assert_int_not_equal(a.runs[i].seed, a.runs[j].seed);
    }
    assert_true(n_moved > a.n_runs / 2);
    ct_plan_free(&a);
    ct_plan_free(&b);
    ct_plan_free(&c);
    ct_campaign_spec_free(&spec);
}

static void repetitions_spread_over_the_campaign(void **state)
{
    (void)state;
    struct ct_campaign_spec spec = read_spec(WHOLE);
    for (uint64_t seed = 0; seed < 50; seed++) {
        struct ct_plan plan = make_plan(&spec, seed);
        for (size_t i = 0; i < plan.n_runs; i++) {
            const struct ct_plan_run *run = &plan.runs[i];
            if (!strcmp(ct_plan_sort(run), "idle"))
                assert_true(run->position >= (double)run->repetition / 3 &&
                            run->position < (double)(run->repetition + 1) / 3);
            assert_true(i == 0 || run->position >= plan.runs[i - 1].position);
        }
        ct_plan_free(&plan);
    }
    ct_campaign_spec_free(&spec);
}

static void expected_times_add_up(void **state)
{
    (void)state;
    struct ct_campaign_spec spec = read_spec(WHOLE);
    struct ct_plan plan = make_plan(&spec, 1);
    double sum_s = 0;
    for (size_t i = 0; i < plan.n_runs; i++) {
        const struct ct_plan_run *run = &plan.runs[i];
        sum_s += run->expected_s;
        assert_true(run->expected_s > ct_plan_measured_s(&spec, run));
    }
    assert_near(plan.expected_s, sum_s, 1e-9);
    /* half of a pass of 4 s; settle */
    assert_near(ct_plan_measured_s(&spec, find_run(&plan, "baseline-other-r0")), 8, 1e-12);
    assert_true(find_run(&plan, "impact-fft-r0")->expected_s >=
                find_run(&plan, "idle-r0")->expected_s + 1.5);
    ct_plan_free(&plan);
    ct_campaign_spec_free(&spec);
}

static void a_mean_is_precise_at_its_target(void **state)
{
    (void)state;
    /* n = 2: half width = 12.706 * 0.01 * sqrt(2) / sqrt(2) = 0.12706 about a mean of 1 */
    const double two[] = {0.99, 1.01}, many[] = {1, 1.02, 0.98, 1, 1.02, 0.98};
    assert_false(ct_repeat_is_precise(two, 2, 0.1270));
    assert_true(ct_repeat_is_precise(two, 2, 0.1271));
    /* s = sqrt(4 * 4e-4 / 5) = 0.017889, half width = 2.5706 * s / sqrt(6) = 0.018773 */
    assert_false(ct_repeat_is_precise(many, 6, 0.0187));
    assert_true(ct_repeat_is_precise(many, 6, 0.0188));
    assert_false(ct_repeat_is_precise(two, 1, 1));
    assert_false(ct_repeat_is_precise(NULL, 0, 1));
    assert_false(ct_repeat_is_precise((const double[]){1, NAN}, 2, 1));
}

static void a_further_repetition_is_as_if_planned(void **state)
{
    (void)state;
    struct ct_campaign_spec spec = read_spec(WHOLE);
    struct ct_plan plan = make_plan(&spec, 3);
    struct ct_plan_run run = *find_run(&plan, "baseline-fft-r0");
    ct_plan_repeat(&spec, 3, 1, &run);
    assert_string_equal(run.id, "baseline-fft-r1");
    assert_int_equal(run.seed, find_run(&plan, "baseline-fft-r1")->seed);
    ct_plan_repeat(&spec, 3, 2, &run);
    size_t n = plan.n_runs;
    double expected_s = plan.expected_s;
    assert_int_equal(ct_plan_append(&plan, &run, NULL), CT_OK);
    assert_int_equal(plan.n_runs, n + 1);
    assert_string_equal(plan.runs[n].id, "baseline-fft-r2");
    assert_near(plan.expected_s, expected_s + run.expected_s, 1e-9);
    ct_plan_free(&plan);
    ct_campaign_spec_free(&spec);
}

static void refuse_plan(const char *text, const char *message)
{
    struct ct_campaign_spec spec = read_spec(text);
    struct ct_plan plan;
    struct ct_error err;
    assert_int_equal(ct_plan_make(&spec, 1, &plan, &err), CT_EINVAL);
    if (!strstr(err.text, message))
        fail_msg("'%s' instead of '%s'", err.text, message);
    ct_campaign_spec_free(&spec);
}

static void impossible_plans_are_refused(void **state)
{
    (void)state;
    refuse_plan(HEAD "repetitions: {idle: 0}\n", "nothing to measure");
    refuse_plan(HEAD "applications: [{name: a, command: x}, {name: a-with-a, command: x}]\n",
                "'runtime-a-with-a-with-a-r0': rename");
    char text[2000] = HEAD "repetitions: {corun: 1000}\napplications:\n";
    for (int i = 0; i < 11; i++) {
        size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "  - {name: a%d, command: x}\n", i);
    }
    refuse_plan(text, "more than 100000 runs");
}

/* ---- command lines ---- */

static void assert_words(const struct ct_argv *words, const char *expected)
{
    char line[2000] = "";
    for (size_t i = 0; i < words->n; i++) {
        size_t used = strlen(line);
        /* Where a program is beside this test, its path is given. */
        const char *name =
            i == 0 && words->item[i][0] == '/' ? strrchr(words->item[i], '/') + 1 : words->item[i];
        snprintf(line + used, sizeof line - used, "%s<%s>", i ? " " : "", name);
    }
    assert_string_equal(line, expected);
}

static void words_are_split_as_a_shell_does(void **state)
{
    (void)state;
    const struct {
        const char *text, *words;
    } cases[] = {{"", ""},
                 {"  a\tb\n", "<a> <b>"},
                 {"a 'b c' \"d e\"", "<a> <b c> <d e>"},
                 {"a''b \"\"", "<ab> <>"},
                 {"'$HOME' * \"\\\"\"", "<$HOME> <*> <\">"},
                 {"a\\ b '\\'", "<a b> <\\>"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct ct_argv words = {0};
        assert_int_equal(ct_argv_split(&words, cases[i].text, NULL), CT_OK);
        assert_words(&words, cases[i].words);
        ct_argv_free(&words);
    }
    struct ct_argv words = {0};
    assert_int_equal(ct_argv_split(&words, "a \"b", NULL), CT_EINVAL);
    ct_argv_free(&words);
}

static void command_lines_say_what_is_measured(void **state)
{
    (void)state;
    struct ct_campaign_spec spec = read_spec(WHOLE);
    struct ct_plan plan = make_plan(&spec, 1);
    const struct {
        const char *id, *measured, *background;
    } cases[] = {
        {"idle-r0",
         "<impactb> <--interval> <25ms> <--message-size> <2KiB> <--pairing> <random> "
         "<--wait> "
         "<block> <--checkpoint> <0s> <--time> <5s> <--seed> <5> <--output> <out.h5> <--quiet>",
         NULL},
        {"impact-p4-m1-b500us-r0",
         "<impactb> <--interval> <25ms> <--message-size> <2KiB> <--pairing> <random> "
         "<--wait> "
         "<block> <--checkpoint> <0s> <--time> <5s> <--seed> <5> <--output> <out.h5> <--config> "
         "<4:1:500us> <--quiet>",
         "<compressionb> <--partners> <4> <--messages> <1> <--bubble> <500us> <--message-size> "
         "<40kB> <--output> <sent.h5> <--time> <100s> <--seed> <5> <--quiet>"},
        {"runtime-fft-under-p4-m1-b500us-r0",
         "<workload> <fft> <--iterations> <10> <--loop> <--time> <6s> <--seed> <5> <--output> "
         "<out.h5> <--label> <fft> <--config> <4:1:500us> <--quiet>",
         "<compressionb> <--partners> <4> <--messages> <1> <--bubble> <500us> <--message-size> "
         "<40kB> <--output> <sent.h5> <--label> <fft> <--time> <100s> <--seed> <5> <--quiet>"},
        {"runtime-fft-with-other-r0",
         "<workload> <fft> <--iterations> <10> <--loop> <--time> <6s> <--seed> <5> <--output> "
         "<out.h5> <--label> <fft> <--with> <other> <--quiet>",
         "<./app> <in put>"},
        {"runtime-other-with-fft-r0", "<./app> <in put>",
         "<workload> <fft> <--iterations> <10> <--loop> <--time> <100s> <--seed> <5> <--quiet>"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct ct_plan_run run = *find_run(&plan, cases[i].id);
        run.seed = 5;
        struct ct_argv words = {0};
        assert_int_equal(ct_command_measured(&spec, &run, "out.h5", &words, NULL), CT_OK);
        assert_words(&words, cases[i].measured);
        ct_argv_free(&words);
        if (!cases[i].background)
            continue;
        assert_int_equal(ct_command_background(&spec, &run, 0, "sent.h5", 100, &words, NULL),
                         CT_OK);
        assert_words(&words, cases[i].background);
        ct_argv_free(&words);
    }
    ct_plan_free(&plan);
    ct_campaign_spec_free(&spec);
}

static void co_runs_can_be_left_for_later(void **state)
{
    (void)state;
    struct ct_campaign_spec spec = read_spec(ADAPTIVE "repetitions: {baseline: 3, corun: 2}\n" APPS
                                                      "groups: [{app: fft, with: fft other}]\n");
    struct ct_plan plan = make_plan(&spec, 1), before = make_plan(&spec, 1);
    size_t n_co_runs = count_sort(&plan, "corun") + count_sort(&plan, "group");
    assert_int_equal(n_co_runs, 2 * 4 + 2);
    ct_plan_leave_out_co_runs(&before);
    assert_int_equal(before.n_runs, plan.n_runs - n_co_runs);
    assert_int_equal(before.n_closing, plan.n_closing);
    double expected_s = 0;
    for (size_t i = 0, j = 0; i < plan.n_runs; i++) {
        if (ct_plan_is_co_run(&plan.runs[i]))
            continue;
        expected_s += plan.runs[i].expected_s;
        assert_string_equal(before.runs[j++].id, plan.runs[i].id);
    }
    assert_near(before.expected_s, expected_s, 1e-9 * expected_s);
    ct_plan_free(&before);
    ct_plan_free(&plan);
    ct_campaign_spec_free(&spec);
}

#define GROUPS                                                                                     \
    "groups:\n"                                                                                    \
    "  - {app: other, with: milc fft}\n"                                                           \
    "  - {app: fft, with: fft other fft}\n"
#define THREE_APPS APPS "  - {name: milc, command: workload milc, slots: 3}\n"

static void a_group_is_timed_beside_all_its_others(void **state)
{
    (void)state;
    struct ct_campaign_spec spec = read_spec(HEAD "repetitions: {corun: 2}\n" THREE_APPS GROUPS);
    struct ct_plan plan = make_plan(&spec, 1);
    assert_int_equal(count_sort(&plan, "group"), 4);
    assert_int_equal(count_sort(&plan, "corun"), 18);
    struct ct_plan_run run = *find_run(&plan, "runtime-other-with-fft+milc-r1");
    assert_string_equal(ct_plan_others(&spec, &run), "fft,milc");
    /* Two programs are started in the background, one after the other. */
    double one_more_s = run.expected_s - find_run(&plan, "runtime-other-with-fft-r1")->expected_s;
    assert_near(one_more_s, ct_campaign_constant(CT_CAMPAIGN_LAUNCH), 1e-9);
    const char *const wanted[] = {
        "<workload> <fft> <--iterations> <10> <--loop> <--time> <100s> <--seed> <5> <--quiet>",
        "<workload> <milc> <--loop> <--time> <100s> <--seed> <6> <--quiet>"};
    run.seed = 5;
    assert_int_equal(ct_command_n_backgrounds(&spec, &run), 2);
    for (size_t i = 0; i < 2; i++) {
        struct ct_argv words = {0};
        assert_int_equal(ct_command_background(&spec, &run, i, "sent.h5", 100, &words, NULL),
                         CT_OK);
        assert_words(&words, wanted[i]);
        ct_argv_free(&words);
    }
    assert_int_equal(ct_command_background_slots_sum(&spec, &run, 1), 2);
    assert_int_equal(ct_command_background_slots_sum(&spec, &run, 2), 5);

    run = *find_run(&plan, "runtime-fft-with-fft+fft+other-r0");
    struct ct_argv words = {0};
    run.seed = 5;
    assert_int_equal(ct_command_measured(&spec, &run, "out.h5", &words, NULL), CT_OK);
    assert_words(&words, "<workload> <fft> <--iterations> <10> <--loop> <--time> <60s> <--seed> "
                         "<5> <--output> <out.h5> <--label> <fft> <--with> <fft,fft,other> "
                         "<--quiet>");
    ct_argv_free(&words);
    ct_plan_free(&plan);
    ct_campaign_spec_free(&spec);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_mpi_and_its_launcher_can_be_named),
        cmocka_unit_test(every_key_is_read),
        cmocka_unit_test(defaults_hold_where_keys_are_missing),
        cmocka_unit_test(the_grid_of_the_paper_has_its_configurations),
        cmocka_unit_test(the_grid_fits_fewer_hosts_and_slower_links),
        cmocka_unit_test(a_grid_adds_to_the_list),
        cmocka_unit_test(a_grid_takes_bursts),
        cmocka_unit_test(candidates_of_an_adaptive_grid_are_open),
        cmocka_unit_test(bad_files_are_refused_with_the_place),
        cmocka_unit_test(a_plan_has_every_run_once),
        cmocka_unit_test(with_logp_each_network_is_measured_once_more),
        cmocka_unit_test(with_trace_each_application_is_traced_once),
        cmocka_unit_test(equal_seeds_give_equal_plans),
        cmocka_unit_test(repetitions_spread_over_the_campaign),
        cmocka_unit_test(expected_times_add_up),
        cmocka_unit_test(a_mean_is_precise_at_its_target),
        cmocka_unit_test(a_further_repetition_is_as_if_planned),
        cmocka_unit_test(impossible_plans_are_refused),
        cmocka_unit_test(words_are_split_as_a_shell_does),
        cmocka_unit_test(command_lines_say_what_is_measured),
        cmocka_unit_test(co_runs_can_be_left_for_later),
        cmocka_unit_test(a_group_is_timed_beside_all_its_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
