/* campaign/adaptive: which configuration of the grid is measured next, by the runs in a folder, and
 * what else a folder or a scan decides of a campaign. */
#include "campaign/adaptive.h"
#include "campaign/commands.h"
#include "campaign/spec_file.h"
#include "predict/constants.h"
#include "tests/unit/campaign_texts.h"
#include "tests/unit/run_example.h"
#include "tests/unit/study_example.h"
#include "tests/unit/unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* A byte takes 1 us on a link; configuration 0 is measured anyway, the grid is open. */
#define SPEC                                                                                       \
    "campaign: c\nlauncher: {kind: mpiexec, hosts: 4, rate: 8mbit}\ngrid: adaptive\n" APPS         \
    "configurations:\n  - {partners: 1, messages: 1, bubble: 100ms}\n"

static void write_probe_run(const struct ct_plan *plan, const char *id, struct example_run_of of,
                            double waiting_frac)
{
    char path[CT_PLAN_ID_MAX + 32];
    assert_string_equal(find_run(plan, id)->id, id);
    mkdir("folder", 0777);
    mkdir("folder/runs", 0777);
    snprintf(path, sizeof path, "folder/runs/%s.h5", id);
    example_write_probe(path, of, waiting_frac);
}

/* Odds of a load's utilization as the prior has them: a product of powers, docs/constants.md. */
static double prior_odds(const struct ct_config *load)
{
    double byte_s = 1e-6;
    double density = (double)ct_config_message_bytes(load) * byte_s / load->bubble_s;
    return exp(ct_predict_constant(CT_PREDICT_NEXT_LOAD_MEAN_CONSTANT)) *
           pow(load->partners, ct_predict_constant(CT_PREDICT_NEXT_LOAD_MEAN_PARTNERS)) *
           pow(load->messages, ct_predict_constant(CT_PREDICT_NEXT_LOAD_MEAN_MESSAGES)) *
           pow(density, ct_predict_constant(CT_PREDICT_NEXT_LOAD_MEAN_DENSITY));
}

/* No configuration was measured, so that what is expected of each is the prior. */
static void the_first_choice_follows_from_the_time_of_messages(void **state)
{
    (void)state;
    struct ct_campaign_spec spec = read_spec(SPEC);
    struct ct_plan plan = make_plan(&spec, 1);
    struct ct_next_load next;
    size_t placement;
    struct ct_error err;
    size_t n_before = plan.n_runs;
    write_probe_run(&plan, "idle-r0", (struct example_run_of){"", "", NULL, NULL}, 0);
    write_probe_run(&plan, "impact-fft-r0", (struct example_run_of){"fft", "", NULL, NULL}, 0.6);
    assert_int_equal(ct_adaptive_add_next(&spec, "folder", 1, &plan, &placement, &next, &err),
                     CT_OK);
    assert_int_equal(next.reason, CT_NEXT_LOAD_REACH);
    assert_true(next.load < spec.n_configs && spec.configs[next.load].is_candidate);
    double odds = prior_odds(&spec.configs[next.load].load);
    assert_near(next.expected_frac, odds / (1 + odds), 1e-9);
    /* Beside the probe and beside each application. */
    assert_int_equal(plan.n_runs, n_before + 1 + spec.n_apps);
    assert_true(ct_plan_has_config(&plan, placement, next.load));
    ct_plan_free(&plan);
    ct_campaign_spec_free(&spec);
}

static void without_an_idle_network_nothing_is_chosen(void **state)
{
    (void)state;
    struct ct_campaign_spec spec = read_spec(SPEC);
    struct ct_plan plan = make_plan(&spec, 1);
    struct ct_next_load next = {.load = SIZE_MAX};
    size_t placement;
    struct ct_error err;
    size_t n_before = plan.n_runs;
    write_probe_run(&plan, "impact-fft-r0", (struct example_run_of){"fft", "", NULL, NULL}, 0.6);
    assert_int_equal(ct_adaptive_add_next(&spec, "folder", 1, &plan, &placement, &next, &err),
                     CT_ENODATA);
    assert_int_equal(plan.n_runs, n_before);
    assert_true(next.load == SIZE_MAX);
    ct_plan_free(&plan);
    ct_campaign_spec_free(&spec);
}

/* A campaign that was interrupted goes on with what it had chosen. */
static void a_choice_whose_run_is_there_is_in_the_plan_again(void **state)
{
    (void)state;
    struct ct_campaign_spec spec = read_spec(SPEC);
    struct ct_plan plan = make_plan(&spec, 1), resumed = make_plan(&spec, 1);
    struct ct_next_load next;
    size_t placement;
    struct ct_error err;
    size_t n_before = resumed.n_runs;
    write_probe_run(&plan, "idle-r0", (struct example_run_of){"", "", NULL, NULL}, 0);
    write_probe_run(&plan, "impact-fft-r0", (struct example_run_of){"fft", "", NULL, NULL}, 0.6);
    assert_int_equal(ct_adaptive_add_found(&spec, "folder", 1, &resumed, &err), CT_OK);
    assert_int_equal(resumed.n_runs, n_before);
    assert_int_equal(ct_adaptive_add_next(&spec, "folder", 1, &plan, &placement, &next, &err),
                     CT_OK);
    const struct ct_config *chosen = &spec.configs[next.load].load;
    for (size_t i = 0; i < plan.n_runs; i++) {
        const struct ct_plan_run *run = &plan.runs[i];
        if (run->measure == CT_PLAN_PROBE && run->background == CT_PLAN_COMPRESSION &&
            run->config == next.load)
            write_probe_run(&plan, run->id, (struct example_run_of){"", "", chosen, NULL}, 0.5);
    }
    assert_int_equal(ct_adaptive_add_found(&spec, "folder", 1, &resumed, &err), CT_OK);
    assert_int_equal(resumed.n_runs, plan.n_runs);
    assert_true(ct_plan_has_config(&resumed, placement, next.load));
    ct_plan_free(&plan);
    ct_plan_free(&resumed);
    ct_campaign_spec_free(&spec);
}

static void write_placed_probe(const char *id, const char *app, const char *placement,
                               double waiting_frac)
{
    struct ct_run run;
    struct ct_error err;
    char path[64];
    mkdir("placed", 0777);
    mkdir("placed/runs", 0777);
    snprintf(path, sizeof path, "placed/runs/%s-%s-r0.h5", id, placement);
    example_write_probe(path, (struct example_run_of){app, "", NULL, NULL}, waiting_frac);
    assert_int_equal(ct_run_read(path, &run, &err), CT_OK);
    assert_int_equal(ct_run_add_text(&run.info, CT_RUN_PLACEMENT, placement), CT_OK);
    assert_int_equal(ct_run_write(path, &run, &err), CT_OK);
    ct_run_free(&run);
}

/* The first placement needs none; the picks of the second one are its own. */
static void each_placement_has_choices_of_its_own(void **state)
{
    (void)state;
    struct ct_campaign_spec spec =
        read_spec("campaign: c\nlauncher: {kind: lab, hosts: 8, rate: 8mbit}\ngrid: adaptive\n"
                  "placement: shared interleaved\n" APPS
                  "configurations:\n  - {partners: 1, messages: 1, bubble: 100ms}\n");
    struct ct_plan plan = make_plan(&spec, 1);
    struct ct_next_load next;
    size_t placement;
    struct ct_error err;
    write_placed_probe("idle", "", "interleaved", 0);
    write_placed_probe("impact-fft", "fft", "interleaved", 0.6);
    size_t n_before = plan.n_runs;
    if (ct_adaptive_add_next(&spec, "placed", 1, &plan, &placement, &next, &err) != CT_OK)
        fail_msg("%s", err.text);
    assert_int_equal(placement, 1);
    assert_int_equal(next.reason, CT_NEXT_LOAD_REACH);
    assert_int_equal(plan.n_runs, n_before + 1 + spec.n_apps);
    assert_true(ct_plan_has_config(&plan, 1, next.load));
    assert_false(ct_plan_has_config(&plan, 0, next.load));
    ct_plan_free(&plan);
    ct_campaign_spec_free(&spec);
}

/* A folder of an earlier version goes on with all programs on all hosts. */
static void a_folder_keeps_its_placement(void **state)
{
    (void)state;
    static const char text[] = "campaign: c\nlauncher: {kind: lab, hosts: 8}\napplications:\n"
                               "  - {name: fft, command: fft, hosts: 4}\n";
    static const char *const folders[] = {NULL, "nowhere", "placed", "unplaced"};
    mkdir("unplaced", 0777);
    mkdir("unplaced/runs", 0777);
    write_placed_probe("idle", "", "interleaved", 0);
    example_write_probe("unplaced/runs/idle-r0.h5", (struct example_run_of){"", "", NULL, NULL}, 0);
    FILE *out = fopen("c.yaml", "w");
    assert_non_null(out);
    fputs(text, out);
    fclose(out);
    for (size_t i = 0; i < 4; i++) {
        struct ct_campaign_spec spec;
        struct ct_text file;
        struct ct_error err;
        assert_int_equal(ct_campaign_spec_read("c.yaml", folders[i], &file, &spec, &err), CT_OK);
        assert_int_equal(spec.n_placements, i < 3 ? 2 : 0);
        ct_campaign_spec_free(&spec);
        free(file.text);
    }
}

/* What the file does not say of logpb is chosen by the network, but not in a folder of an earlier
 * version. */
static void a_folder_keeps_its_runs_of_logpb(void **state)
{
    (void)state;
    static const struct {
        const char *launcher, *logp, *journal; /* NULL: a new folder */
        int wanted;
    } cases[] = {{"lab, topology: \"tree:2x4\"", "", NULL, CT_CAMPAIGN_LOGP_CLASSES},
                 {"simgrid, topology: \"tree:2x4\", rate: 1gbit, latency: 1us", "", NULL,
                  CT_CAMPAIGN_LOGP_CLASSES},
                 {"simgrid, topology: \"switch:8\", rate: 1gbit, latency: 1us", "", NULL,
                  CT_CAMPAIGN_LOGP_NONE},
                 {"lab, hosts: 8", "", NULL, CT_CAMPAIGN_LOGP_NONE},
                 {"lab, topology: \"tree:2x4\"", "logp: idle\n", NULL, CT_CAMPAIGN_LOGP_IDLE},
                 {"lab, topology: \"tree:2x4\"", "logp: false\n", NULL, CT_CAMPAIGN_LOGP_NONE},
                 {"lab, topology: \"tree:2x4\"", "", "{\"campaign\":\"c\",\"seed\":1}\n",
                  CT_CAMPAIGN_LOGP_NONE},
                 {"lab, topology: \"tree:2x4\"", "",
                  "{\"campaign\":\"c\",\"seed\":1,\"choices\":true}\n", CT_CAMPAIGN_LOGP_CLASSES}};
    mkdir("begun", 0777);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct ct_campaign_spec spec;
        struct ct_text file;
        struct ct_error err;
        FILE *out = fopen("c.yaml", "w");
        assert_non_null(out);
        fprintf(out, "campaign: c\nlauncher: {kind: %s}\n%s", cases[i].launcher, cases[i].logp);
        fclose(out);
        if (cases[i].journal)
            example_write_text("begun/journal.jsonl", cases[i].journal);
        if (ct_campaign_spec_read("c.yaml", cases[i].journal ? "begun" : "new", &file, &spec,
                                  &err) != CT_OK)
            fail_msg("case %zu: %s", i, err.text);
        assert_int_equal(spec.logp, cases[i].wanted);
        ct_campaign_spec_free(&spec);
        free(file.text);
    }
}

/* ---- known loads of a scan ---- */

#define OF_SCAN                                                                                    \
    "campaign: c\nscan: sheet\nlauncher: {kind: simgrid, topology: \"switch:8\", rate: 1gbit, "    \
    "latency: 1us}\napplications: [{name: app, command: app}]\n"

static void write_sheet(const char *cases)
{
    char text[600];
    snprintf(text, sizeof text,
             "{\"scan\": 1, \"launcher\": \"lab\", \"switches_of\": \"switch\", \"seed\": \"7\", "
             "\"time_s\": 60, \"half_width_frac\": 0.05, \"slots\": 2, \"message_bytes\": 4096, "
             "\"reason_ended\": \"\", \"cases\": [%s], \"nodes\": [{\"name\": \"a\"}, {\"name\": "
             "\"b\"}, {\"name\": \"c\"}, {\"name\": \"d\"}], \"paths\": [\"0111\", \"1011\", "
             "\"1101\", \"1110\"]}",
             cases);
    mkdir("sheet", 0777);
    example_write_text("sheet/scan.json", text);
}

static enum ct_status read_of_scan(const char *text, struct ct_text *file_p,
                                   struct ct_campaign_spec *spec_p, struct ct_error *err)
{
    example_write_text("c.yaml", text);
    return ct_campaign_spec_read("c.yaml", "new", file_p, spec_p, err);
}

/* The scan is asked once: what is kept of the file has its loads. */
static void a_campaign_has_the_known_loads_of_a_scan(void **state)
{
    (void)state;
    struct ct_text file, again;
    struct ct_campaign_spec spec;
    struct ct_error err;
    write_sheet("\"latency:incast\", \"latency:compression:P=1,M=2,B=10ms\", "
                "\"bandwidth:compression:P=1,M=9,B=10ms\", \"latency:compression:P=1,M=5,B=30us\"");
    if (read_of_scan(OF_SCAN, &file, &spec, &err) != CT_OK)
        fail_msg("%s", err.text);
    const struct ct_config wanted[] = {
        {.partners = 1, .messages = 2, .bubble_s = 10e-3, .message_bytes = 4096, .slots = 2},
        {.partners = 1, .messages = 5, .bubble_s = 30e-6, .message_bytes = 4096, .slots = 2}};
    assert_int_equal(spec.n_configs, 2);
    for (size_t i = 0; i < 2; i++)
        assert_true(ct_config_same(&spec.configs[i].load, &wanted[i]));
    assert_int_equal(spec.n_placements, 1); /* loads of a scan have nodes of their own */
    assert_int_equal(spec.placements[0].kind, CT_SIDES_INTERLEAVED);
    ct_campaign_spec_free(&spec);
    assert_int_equal(remove("sheet/scan.json"), 0);
    if (read_of_scan(file.text, &again, &spec, &err) != CT_OK)
        fail_msg("%s", err.text);
    assert_string_equal(again.text, file.text);
    assert_int_equal(spec.n_configs, 2);
    ct_campaign_spec_free(&spec);
    free(file.text);
    free(again.text);
}

/* What the scan has is not measured again: neither the idle network, nor the probe beside loads. */
static void the_canary_of_a_scan_probes_beside_applications(void **state)
{
    (void)state;
    struct ct_text file;
    struct ct_campaign_spec spec;
    struct ct_error err;
    struct ct_argv argv = {0};
    size_t n_probes = 0;
    write_sheet("\"latency:compression:P=1,M=2,B=10ms\"");
    if (read_of_scan(OF_SCAN, &file, &spec, &err) != CT_OK)
        fail_msg("%s", err.text);
    struct ct_plan plan = make_plan(&spec, 1);
    for (size_t i = 0; i < plan.n_runs; i++)
        n_probes += plan.runs[i].measure == CT_PLAN_PROBE;
    assert_int_equal(n_probes, 1);
    const struct ct_plan_run *probe = find_run(&plan, "impact-app-interleaved-r0");
    (void)find_run(&plan, "runtime-app-under-p1-m2-b10ms-4kib-x2-interleaved-r0");
    assert_int_equal(ct_command_measured(&spec, probe, "o.h5", &argv, &err), CT_OK);
    const char *name = strrchr(argv.item[0], '/');
    assert_string_equal(name ? name + 1 : argv.item[0], "scanb");
    assert_string_equal(argv.item[2], "latency:none");
    assert_int_equal(ct_command_measured_slots(&spec, probe), 2);
    ct_argv_free(&argv);
    ct_plan_free(&plan);
    ct_campaign_spec_free(&spec);
    free(file.text);
}

static void what_does_not_fit_a_scan_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *cases, *text, *why;
    } cases[] = {
        {NULL, OF_SCAN, "c.yaml: scan: sheet: no folder of crosstalk scan"},
        {"\"latency:incast\"", OF_SCAN,
         "c.yaml: scan: sheet: the scan has no load of known amount"},
        {"\"latency:compression:P=1,M=2,B=1ms\"", OF_SCAN "placement: disjoint shared\n",
         "c.yaml: placement: shared: not with 'scan'"},
        {"\"latency:compression:P=1,M=2,B=1ms\"", OF_SCAN "grid: paper\n",
         "c.yaml: grid: paper: not with 'scan'"},
        {"\"latency:compression:P=1,M=2,B=1ms\"", OF_SCAN "latencies: 1us\nlatency_runs: loaded\n",
         "c.yaml: latency_runs: not with 'scan'"},
        {"\"latency:compression:P=9,M=2,B=1ms\"", OF_SCAN, "configurations[1].partners"},
        {"\"latency:compression:P=1,M=2,B=1ms\"",
         "{campaign: c, scan: sheet, launcher: {kind: simgrid, topology: \"switch:8\", rate: "
         "1gbit, "
         "latency: 1us}}\n",
         "cannot be added at the end of the file"},
        {"\"latency:compression:P=1,M=2,B=1ms\"",
         "campaign: c\nscan: sheet\nlauncher: {kind: slurm}\n", "placement: give launcher.hosts"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct ct_text file;
        struct ct_campaign_spec spec;
        struct ct_error err = {.text = ""};
        if (cases[i].cases)
            write_sheet(cases[i].cases);
        assert_int_not_equal(read_of_scan(cases[i].text, &file, &spec, &err), CT_OK);
        if (!strstr(err.text, cases[i].why))
            fail_msg("'%s' is not in '%s'", cases[i].why, err.text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_first_choice_follows_from_the_time_of_messages,
                                        example_folder_enter, example_folder_leave),
        cmocka_unit_test_setup_teardown(without_an_idle_network_nothing_is_chosen,
                                        example_folder_enter, example_folder_leave),
        cmocka_unit_test_setup_teardown(a_choice_whose_run_is_there_is_in_the_plan_again,
                                        example_folder_enter, example_folder_leave),
        cmocka_unit_test_setup_teardown(each_placement_has_choices_of_its_own, example_folder_enter,
                                        example_folder_leave),
        cmocka_unit_test_setup_teardown(a_folder_keeps_its_placement, example_folder_enter,
                                        example_folder_leave),
        cmocka_unit_test_setup_teardown(a_folder_keeps_its_runs_of_logpb, example_folder_enter,
                                        example_folder_leave),
        cmocka_unit_test_setup_teardown(a_campaign_has_the_known_loads_of_a_scan,
                                        example_folder_enter, example_folder_leave),
        cmocka_unit_test_setup_teardown(the_canary_of_a_scan_probes_beside_applications,
                                        example_folder_enter, example_folder_leave),
        cmocka_unit_test_setup_teardown(what_does_not_fit_a_scan_is_refused, example_folder_enter,
                                        example_folder_leave),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
