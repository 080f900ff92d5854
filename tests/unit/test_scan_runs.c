/* The loads of a scan as configurations of predict: its canary of latencies is the probe. */
#include "results/scan_setting.h"
#include "study/cache.h"
#include "study/questions.h"
#include "study/scan_file.h"
#include "study/scan_runs.h"
#include "study/scan_workloads.h"
#include "study/session.h"
#include "tests/unit/run_example.h"
#include "tests/unit/study_example.h"
#include "tests/unit/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { TIMES = 40, CELLS = 9, MESSAGE_BYTES = 4096 };
static const double idle_s = 1e-5;

static const struct ct_config light = {
    .partners = 1, .messages = 1, .bubble_s = 10e-3, .message_bytes = MESSAGE_BYTES, .slots = 1};
static const struct ct_config heavy = {
    .partners = 1, .messages = 5, .bubble_s = 1e-3, .message_bytes = MESSAGE_BYTES, .slots = 1};

static void write_scan(const char *cases)
{
    char text[600];
    snprintf(text, sizeof text,
             "{\"scan\": 1, \"launcher\": \"lab\", \"switches_of\": \"switch\", \"seed\": \"7\", "
             "\"time_s\": 60, \"half_width_frac\": 0.05, \"slots\": 1, \"message_bytes\": 4096, "
             "\"reason_ended\": \"\", \"cases\": [%s], \"nodes\": [{\"name\": \"a\"}, {\"name\": "
             "\"b\"}, {\"name\": \"c\"}, {\"name\": \"d\"}], \"paths\": [\"0111\", \"1011\", "
             "\"1101\", \"1110\"]}",
             cases);
    mkdir("sheet", 0777);
    mkdir("sheet/runs", 0777);
    example_write_text("sheet/scan.json", text);
}

static struct ct_scan_cell_row row_of(enum ct_scan_canary canary, enum ct_scan_congestor congestor,
                                      const struct ct_config *config)
{
    struct ct_scan_cell_row row = {.duration_s = 1,
                                   .intensity = 1,
                                   .bytes = 8,
                                   .canary = (uint8_t)canary,
                                   .congestor = (uint8_t)congestor};
    if (congestor != CT_SCAN_WITH_NONE) { /* two nodes received 1000 B in a second, each */
        row.congestor_s = 2;
        row.congestor_bytes = 4000;
    }
    if (config) {
        row.pause_s = config->bubble_s;
        row.partners = config->partners;
        row.messages = config->messages;
    }
    return row;
}

/* @param waits  [in] of ten times in each cell, how many are three times as long */
static void write_round(const char *path, const char *app, const char *canaries,
                        const struct ct_scan_cell_row *rows, size_t n, const int *waits)
{
    struct ct_scan_sample samples[CELLS * TIMES];
    struct ct_run run = example_run(CT_RUN_SCAN, 0);
    struct ct_error err;
    free(run.info.hosts);
    free(run.info.app);
    free(run.info.argv);
    free(run.scan_cells);
    free(run.scan_samples);
    run.info.hosts = strdup("a b c d");
    run.info.app = strdup(app);
    run.info.argv = strdup(path);
    run.info.has_config = false;
    free(run.info.with);
    run.info.with = strdup("");
    for (size_t i = 0; i < n * TIMES; i++)
        samples[i] = (struct ct_scan_sample){
            .t_s = 0.01 * (double)(i % TIMES),
            .value_s = idle_s * ((int)(i % 10) < waits[i / TIMES] ? 3 : 1) + 1e-8 * (double)(i % 7),
            .cell = (uint32_t)(i / TIMES),
            .node_b = 1};
    run.scan_cells = (struct ct_scan_cell_row *)rows;
    run.n_scan_cells = n;
    run.scan_samples = samples;
    run.n_scan_samples = n * TIMES;
    assert_int_equal(ct_run_add_text(&run.info, CT_RUN_SCAN_CANARIES, canaries), CT_OK);
    assert_int_equal(ct_run_add_text(&run.info, "option_message_size", "4KiB"), CT_OK);
    assert_int_equal(ct_run_add_number(&run.info, "ranks_per_node", 1), CT_OK);
    assert_int_equal(ct_run_add_number(&run.info, "cpu_measured_ranks", 4), CT_OK);
    assert_int_equal(ct_run_add_number(&run.info, "cpu_measured_wall_s", 4), CT_OK);
    assert_int_equal(ct_run_add_number(&run.info, "cpu_measured_wait_frac", 0.5), CT_OK);
    if (ct_run_write(path, &run, &err) != CT_OK)
        fail_msg("%s", err.text);
    ct_run_info_free(&run.info);
}

/* A scan of two loads and an incast, with a workload, and an application that was probed by its
 * canary and by impactb. */
static void write_all(int milc_waits)
{
    const struct ct_scan_cell_row cells[CELLS] = {
        row_of(CT_SCAN_LATENCY, CT_SCAN_WITH_NONE, NULL),
        row_of(CT_SCAN_LATENCY, CT_SCAN_WITH_COMPRESSION, &light),
        row_of(CT_SCAN_BANDWIDTH, CT_SCAN_WITH_COMPRESSION, &light),
        row_of(CT_SCAN_LATENCY, CT_SCAN_WITH_INCAST, NULL),
        row_of(CT_SCAN_LATENCY, CT_SCAN_WITH_COMPRESSION, &heavy),
        row_of(CT_SCAN_MILC, CT_SCAN_WITH_NONE, NULL),
        row_of(CT_SCAN_MILC, CT_SCAN_WITH_COMPRESSION, &light),
        row_of(CT_SCAN_MILC, CT_SCAN_WITH_COMPRESSION, &heavy),
        row_of(CT_SCAN_MILC, CT_SCAN_WITH_INCAST, NULL)};
    write_scan("\"latency:compression:P=1,M=1,B=10ms\", \"milc:incast\", \"milc:alltoall\", "
               "\"milc:incast:0.5\"");
    for (int round = 1; round < 3; round++) {
        char path[40];
        snprintf(path, sizeof path, "sheet/runs/round-%04d.h5", round);
        write_round(path, "", "0 1", cells, CELLS, (int[]){0, 2, 9, 5, 6, 0, 1, 5, milc_waits});
    }
    mkdir("results", 0777);
    mkdir("results/runs", 0777);
    write_round("results/runs/beside-fft.h5", "fft", "0 1 2 3", cells, 1, (const int[]){4});
    example_write_probe("results/runs/impact.h5", (struct example_run_of){"fft", "", NULL, NULL},
                        0.9);
    example_write_passes("results/runs/alone.h5", (struct example_run_of){"fft", "", NULL, NULL},
                         1);
    example_place("results/runs/alone.h5", "results/runs/alone.h5", "interleaved");
    example_write_passes("results/runs/light.h5", (struct example_run_of){"fft", "", &light, NULL},
                         1.1);
    example_write_passes("results/runs/heavy.h5", (struct example_run_of){"fft", "", &heavy, NULL},
                         1.5);
    example_place("results/runs/light.h5", "results/runs/light.h5", "interleaved");
    example_place("results/runs/heavy.h5", "results/runs/heavy.h5", "interleaved");
    example_place("results/runs/impact.h5", "results/runs/impact.h5", "interleaved");
}

static void loads_of_a_scan_are_configurations(void **state)
{
    (void)state;
    struct ct_study study;
    struct ct_error err;
    write_all(3);
    if (ct_study_load_cached("results", NULL, "sheet", false, &study, NULL, &err) != CT_OK)
        fail_msg("%s", err.text);
    const struct ct_measurements *measured = &study.measured;
    const size_t fft = ct_study_find_app(&study, "fft"), milc = ct_study_find_app(&study, "milc");
    assert_int_equal(measured->n_apps, 1); /* neither workloads nor congestors */
    assert_int_equal(milc, 1);
    assert_int_equal(measured->n_configs, 2);
    assert_int_equal(fft, 0);
    const size_t at_light = ct_study_find_config(&study, &light),
                 at_heavy = ct_study_find_config(&study, &heavy),
                 load_heavy = ct_load_of_config(1, at_heavy);
    assert_true(at_light < 2 && at_heavy < 2);
    const struct ct_samples *idle = &measured->loads[0].latency_s,
                            *beside = &measured->loads[ct_load_of_app(fft)].latency_s,
                            *loaded = &measured->loads[load_heavy].latency_s;
    assert_int_equal(idle->n, 2 * TIMES); /* of two rounds, without those beside a load */
    assert_int_equal(idle->n_runs, 2);
    assert_int_equal(loaded->n, 2 * TIMES);
    assert_int_equal(beside->n, TIMES); /* not those of impactb */
    assert_near(ct_samples_mean(beside->x, beside->n) / idle_s, 1.8, 0.01);
    assert_near(ct_samples_mean(loaded->x, loaded->n) / idle_s, 2.2, 0.01);
    assert_near(study.configs[at_light].sent_bytes_per_s, 1000, 1e-9);
    assert_true(isnan(study.idle_wait_frac)); /* ranks of congestors waited, too */
    assert_near(ct_samples_wait_frac(beside), 0.5, 1e-12);
    assert_int_equal(study.shared, CT_SHARED_OWN_HOSTS);
    assert_int_equal(study.notes.n, 1);
    assert_non_null(strstr(study.notes.item[0], "left out: 1 runs of impactb"));
    ct_study_free(&study);
}

/* Without other applications workloads are applications, and congestors are beside them. */
static void workloads_of_a_scan_are_applications(void **state)
{
    (void)state;
    struct ct_study study;
    struct ct_error err;
    write_all(3);
    if (ct_study_load("sheet", NULL, &study, &err) != CT_OK)
        fail_msg("%s", err.text);
    const struct ct_measurements *measured = &study.measured;
    const size_t milc = ct_study_find_app(&study, "milc"),
                 incast = ct_study_find_app(&study, "incast");
    assert_int_equal(measured->n_apps, 2);
    assert_int_equal(measured->n_configs, 2);
    assert_true(milc < 2 && incast < 2);
    const size_t heavy_load = ct_load_of_config(2, ct_study_find_config(&study, &heavy));
    const struct ct_samples alone = ct_measured_passes(measured, milc, 0),
                            loaded = ct_measured_passes(measured, milc, heavy_load),
                            beside = ct_measured_passes(measured, milc, ct_load_of_app(incast));
    assert_int_equal(alone.n, 2 * TIMES);
    assert_near(ct_measured_slowdown(&loaded, &alone), 1, 0.01);
    assert_near(ct_measured_slowdown(&beside, &alone), 0.6, 0.01);
    assert_int_equal(ct_measured_app(measured, incast)->latency_s.n, 2 * TIMES);
    ct_study_free(&study);
}

/* Beside an application that the probe reads between both loads, the line says so, too. */
static void predict_works_from_a_scan(void **state)
{
    (void)state;
    const struct {
        const char *path, *scan, *app, *with;
        double least, most;
    } cases[] = {{"results", "sheet", "fft", "fft", 0.1, 0.5},
                 {"sheet", NULL, "milc", "incast", 0.2, 1}};
    write_all(3);
    for (size_t i = 0; i < 2 * sizeof cases / sizeof *cases; i++) { /* then from the cache */
        const struct ct_session_settings settings = {.path = cases[i / 2].path,
                                                     .scan = cases[i / 2].scan,
                                                     .use_cache = true,
                                                     .link_bit_per_s = 1e5};
        struct ct_session session;
        struct ct_predict_analysis analysis;
        struct ct_prediction prediction;
        struct ct_error err;
        size_t model;
        if (ct_session_open(&settings, &session, &err) != CT_OK ||
            ct_session_analyse(&session, "results", &analysis, &err) != CT_OK)
            fail_msg("%s", err.text);
        const struct ct_study *study = &session.study;
        const size_t app = ct_study_find_app(study, cases[i / 2].app),
                     with = ct_study_find_app(study, cases[i / 2].with),
                     n_apps = study->measured.n_apps;
        assert_string_equal(ct_session_default(&session)->key, "probe");
        assert_int_equal(ct_predict_model_find("probe", 5, &model, &err), CT_OK);
        assert_int_equal(ct_predict_group(&ct_predict_models[model], &analysis, app, &with, 1, NULL,
                                          &prediction),
                         CT_OK);
        assert_true(prediction.slowdown_frac > cases[i / 2].least &&
                    prediction.slowdown_frac < cases[i / 2].most);
        assert_near(study->measured.loads[ct_load_of_config(n_apps, 0)].known_frac, 0.08, 1e-9);
        ct_predict_analysis_free(&analysis);
        ct_session_free(&session);
    }
}

/* What is sealed is of a workload beside a steady congestor that was measured, and no time of it
 * there changes that. */
static void what_is_sealed_has_not_seen_its_cell(void **state)
{
    (void)state;
    double value[2];
    for (int i = 0; i < 2; i++) {
        struct ct_scan scan;
        struct ct_scan_workload_factor *factors = NULL;
        struct ct_error err;
        size_t n = 0;
        write_all(i == 0 ? 3 : 9);
        assert_int_equal(ct_scan_file_read("sheet", &scan, &err), CT_OK);
        if (ct_scan_workloads_predict("sheet", &scan, 0.9, &factors, &n, &err) != CT_OK)
            fail_msg("%s", err.text);
        assert_int_equal(n, 1);
        assert_true(isnan(factors[0].interval.lo)); /* nine loads are needed, and there are two */
        free(factors);
        if (ct_scan_workloads_predict("sheet", &scan, 0.6, &factors, &n, &err) != CT_OK)
            fail_msg("%s", err.text);
        assert_int_equal(factors[0].scan_case.canary, CT_SCAN_MILC);
        assert_int_equal(factors[0].scan_case.setting.congestor, CT_SCAN_WITH_INCAST);
        assert_near(factors[0].scan_case.setting.intensity, 1, 0);
        value[i] = factors[0].value;
        assert_true(value[i] > 1.2 && value[i] < 2); /* between both loads, as the probe reads */
        assert_true(factors[0].interval.lo < value[i] && value[i] < factors[0].interval.hi);
        free(factors);
        ct_scan_free(&scan);
    }
    assert_near(value[0], value[1], 0);
}

/* Nothing is asked about a congestor, which has no time of its own. */
static void congestors_are_beside_others_only(void **state)
{
    (void)state;
    struct ct_study study;
    struct ct_questions questions;
    struct ct_error err;
    const struct ct_question_choice all = {.pair = NULL}, timed = {.of_timed = true};
    write_all(3);
    if (ct_study_load("sheet", NULL, &study, &err) != CT_OK)
        fail_msg("%s", err.text);
    const size_t milc = ct_study_find_app(&study, "milc");
    assert_false(ct_study_only_loads(&study, milc));
    assert_true(ct_study_only_loads(&study, 1 - milc));
    assert_int_equal(ct_questions_make(&study, &all, &questions, &err), CT_OK);
    assert_int_equal(questions.n, 4);
    ct_questions_free(&questions);
    assert_int_equal(ct_questions_make(&study, &timed, &questions, &err), CT_OK);
    assert_int_equal(questions.n, 2);
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(questions.items[i].app, milc);
        assert_int_equal(questions.items[i].with[0], i);
    }
    ct_questions_free(&questions);
    ct_study_free(&study);
}

/* The probe beside an application alone tells nothing, and is no fault. */
static void without_its_scan_a_folder_can_be_read(void **state)
{
    (void)state;
    const struct ct_session_settings settings = {.path = "results", .link_bit_per_s = NAN};
    struct ct_session session;
    struct ct_predict_analysis analysis;
    struct ct_error err;
    write_all(3);
    example_write_passes("results/runs/both.h5", (struct example_run_of){"fft", "fft", NULL, NULL},
                         1.2);
    example_place("results/runs/both.h5", "results/runs/both.h5", "interleaved");
    if (ct_session_open(&settings, &session, &err) != CT_OK)
        fail_msg("%s", err.text);
    assert_int_equal(session.study.measured.loads[0].latency_s.n, 0);
    if (ct_session_analyse(&session, "results", &analysis, &err) != CT_OK)
        fail_msg("%s", err.text);
    assert_true(isnan(analysis.apps[0].mixture.frac));
    ct_predict_analysis_free(&analysis);
    ct_session_free(&session);
}

static void what_is_no_such_scan_is_refused(void **state)
{
    (void)state;
    struct ct_run_list list;
    struct ct_error err;
    assert_int_equal(ct_scan_runs_list("sheet", &list, &err), CT_EUSAGE);
    assert_non_null(strstr(err.text, "sheet: no folder of crosstalk scan"));
    write_scan("\"latency:incast\", \"bandwidth:compression:P=1,M=1,B=10ms\"");
    assert_int_equal(ct_scan_runs_list("sheet", &list, &err), CT_ENODATA);
    assert_non_null(strstr(err.text, "no load of known amount"));
    write_scan("\"latency:compression:P=1,M=1,B=10ms\"");
    assert_int_equal(ct_scan_runs_list("sheet", &list, &err), CT_ENODATA);
    assert_non_null(strstr(err.text, "no run file in it"));
}

#define IN_FOLDER(test)                                                                            \
    cmocka_unit_test_setup_teardown(test, example_folder_enter, example_folder_leave)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(loads_of_a_scan_are_configurations),
        IN_FOLDER(workloads_of_a_scan_are_applications),
        IN_FOLDER(predict_works_from_a_scan),
        IN_FOLDER(what_is_sealed_has_not_seen_its_cell),
        IN_FOLDER(congestors_are_beside_others_only),
        IN_FOLDER(without_its_scan_a_folder_can_be_read),
        IN_FOLDER(what_is_no_such_scan_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
