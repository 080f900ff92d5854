/* study/: from run files to what predictions are made from. */
#include "study/advice.h"
#include "study/cache.h"
#include "study/placements.h"
#include "study/session.h"
#include "study/utilization.h"
#include "tests/unit/run_example.h"
#include "tests/unit/study_example.h"
#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct ct_study load(const char *path)
{
    struct ct_study study;
    struct ct_error err;
    if (ct_study_load(path, NULL, &study, &err) != CT_OK)
        fail_msg("%s", err.text);
    return study;
}

static double slowdown_of(const struct ct_study *study, size_t app, size_t load)
{
    struct ct_samples with_s = ct_measured_passes(&study->measured, app, load);
    struct ct_samples alone_s = ct_measured_passes(&study->measured, app, 0);
    return ct_measured_slowdown(&with_s, &alone_s);
}

static const struct ct_predict_model *model_named(const char *key)
{
    size_t model = 0;
    struct ct_error err;
    assert_int_equal(ct_predict_model_find(key, strlen(key), &model, &err), CT_OK);
    return &ct_predict_models[model];
}

/* ---- loading ---- */

static void every_run_finds_its_place(void **state)
{
    (void)state;
    example_write_campaign("campaign");
    struct ct_study study = load("campaign");
    assert_int_equal(study.measured.n_apps, N_APPS);
    assert_int_equal(study.measured.n_configs, N_CONFIGS);
    assert_string_equal(ct_study_app(&study, FFT), "fft");
    assert_string_equal(ct_study_app(&study, MILC), "milc");
    for (size_t c = 0; c < N_CONFIGS; c++) {
        assert_true(ct_config_same(&study.configs[c].config, &example_configs[c]));
        assert_int_equal(ct_study_find_config(&study, &example_configs[c]), c);
    }
    for (size_t load = 0; load < N_LOADS; load++) {
        const struct ct_samples *latency_s = &study.measured.loads[load].latency_s;
        size_t n_runs = load == IDLE ? N_IDLE_RUNS : 1, n_long = 0;
        assert_int_equal(latency_s->n, n_runs * N_LATENCIES);
        assert_int_equal(latency_s->n_runs, n_runs);
        for (size_t run = 0; run < n_runs; run++)
            assert_int_equal(latency_s->ends[run], (run + 1) * N_LATENCIES);
        for (size_t i = 0; i < latency_s->n; i++) {
            assert_near(latency_s->time_s[i], 0.1 * (double)(i % N_LATENCIES), 1e-12);
            n_long += latency_s->x[i] > 20e-6;
        }
        assert_near((double)n_long / N_LATENCIES, example_waiting_frac[load], 1e-12);
        for (size_t app = 0; app < N_APPS; app++)
            assert_near(slowdown_of(&study, app, load), example_slowdown[app][load], 1e-12);
    }
    assert_int_equal(study.n_runs, N_LOADS * (1 + N_APPS) + 2);
    assert_int_equal(study.notes.n, 0);
    assert_int_equal(study.drifts.n, 0);
    ct_study_free(&study);
}

/* All runs of the example under one placement, and again under another, where co-runs take half as
 * long again. */
static void place_twice(void)
{
    struct ct_run_list list;
    struct ct_error err;
    assert_int_equal(ct_run_list_read("campaign", &list, &err), CT_OK);
    for (size_t i = 0; i < list.n_entries; i++) {
        struct ct_run run;
        char path[256];
        if (ct_run_read_entry(&list.entries[i], &run, &err) != CT_OK)
            fail_msg("%s", err.text);
        assert_int_equal(ct_run_add_text(&run.info, CT_RUN_PLACEMENT, "shared"), CT_OK);
        assert_int_equal(ct_run_write(list.entries[i].path, &run, &err), CT_OK);
        assert_int_equal(ct_run_add_text(&run.info, CT_RUN_PLACEMENT, "apart"), CT_OK);
        for (size_t k = 0; k < run.n_runtimes && (*run.info.with || run.info.has_config); k++)
            run.runtimes[k].duration_s *= 1.5;
        snprintf(path, sizeof path, "%.*s-apart.h5", (int)strlen(list.entries[i].path) - 3,
                 list.entries[i].path);
        assert_int_equal(ct_run_write(path, &run, &err), CT_OK);
        ct_run_free(&run);
    }
    ct_run_list_free(&list);
}

static void slow_each_placement_is_a_study(void **state)
{
    (void)state;
    struct ct_study study;
    struct ct_error err;
    struct ct_argv names;
    example_write_campaign("campaign");
    place_twice();
    assert_int_equal(ct_placements_read("campaign", &names, &err), CT_OK);
    assert_int_equal(names.n, 2);
    assert_string_equal(names.item[0], "apart");
    assert_string_equal(names.item[1], "shared");
    ct_argv_free(&names);
    assert_int_equal(ct_study_load("campaign", NULL, &study, &err), CT_EUSAGE);
    assert_non_null(strstr(err.text, "2 placements (apart, shared)"));
    assert_int_equal(ct_study_load("campaign", "far", &study, &err), CT_EUSAGE);
    assert_non_null(strstr(err.text, "are: apart, shared"));
    for (size_t p = 0; p < 2; p++) {
        const double factor = p ? 1.5 : 1;
        /* Twice: read, and from the cache. */
        for (size_t k = 0; k < 2; k++) {
            if (ct_study_load_cached("campaign", p ? "apart" : "shared", NULL, true, &study, NULL,
                                     &err) != CT_OK)
                fail_msg("%s", err.text);
            assert_int_equal(study.n_runs, N_LOADS * (1 + N_APPS) + 2);
            for (size_t load = 1; load < N_LOADS; load++)
                for (size_t app = 0; app < N_APPS; app++)
                    assert_near(slowdown_of(&study, app, load),
                                factor * (1 + example_slowdown[app][load]) - 1, 1e-12);
            assert_near(study.configs[LIGHT].sent_bytes_per_s, example_sent_bytes_per_s, 1e-6);
            ct_study_free(&study);
        }
    }
    /* Of a list with one placement all runs count. */
    struct ct_run_list list;
    assert_int_equal(ct_placements_read_list("campaign", "apart", &list, &err), CT_OK);
    assert_int_equal(ct_placements_select(NULL, "campaign", &list, &err), CT_OK);
    assert_int_equal(list.n_entries, N_LOADS * (1 + N_APPS) + 3);
    ct_run_list_free(&list);
}

/* Runs at an added latency are of another network: nothing is made of them. */
static void runs_at_an_added_latency_are_left_out(void **state)
{
    (void)state;
    struct ct_run run;
    struct ct_error err;
    example_write_campaign("campaign");
    struct ct_study before = load("campaign");
    static const char *const names[] = {"fft-later.h5", "idle-later.h5"};
    example_write_passes("campaign/runs/fft-later.h5", (struct example_run_of){.app = "fft"}, 99);
    example_write_probe("campaign/runs/idle-later.h5", (struct example_run_of){.app = ""}, 1);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[64];
        snprintf(path, sizeof path, "campaign/runs/%s", names[i]);
        assert_int_equal(ct_run_read(path, &run, &err), CT_OK);
        assert_int_equal(ct_run_add_number(&run.info, CT_RUN_ADDED_LATENCY, 1e-3), CT_OK);
        assert_int_equal(ct_run_write(path, &run, &err), CT_OK);
        ct_run_free(&run);
    }
    struct ct_study study = load("campaign");
    assert_int_equal(ct_measured_passes(&study.measured, FFT, 0).n,
                     ct_measured_passes(&before.measured, FFT, 0).n);
    assert_int_equal(study.measured.loads[IDLE].latency_s.n, N_IDLE_RUNS * N_LATENCIES);
    assert_int_equal(study.drifts.n, before.drifts.n);
    ct_study_free(&study);
    ct_study_free(&before);
}

static void groups_are_kept_apart(void **state)
{
    (void)state;
    example_write_campaign("campaign");
    struct ct_study study = load("campaign");
    assert_int_equal(study.n_groups, 1);
    const struct ct_study_group *group = &study.groups[0];
    struct ct_samples alone_s = ct_measured_passes(&study.measured, FFT, 0);
    assert_int_equal(group->app, FFT);
    assert_int_equal(group->n_with, 2);
    assert_int_equal(group->with[0], FFT);
    assert_int_equal(group->with[1], MILC);
    assert_near(ct_measured_slowdown(&group->passes_s, &alone_s), example_group_slowdown, 1e-12);
    ct_study_free(&study);
}

static void loads_are_known_by_counters_or_by_what_was_sent(void **state)
{
    (void)state;
    struct ct_error err;
    example_write_campaign("campaign");
    struct ct_study study = load("campaign");
    const struct ct_measured_load *loads = study.measured.loads;
    assert_near(loads[LOAD_HEAVY].true_frac, example_busy_frac, 1e-12);
    assert_near(loads[LOAD_HEAVY].known_frac, example_busy_frac, 1e-12);
    assert_true(isnan(loads[LOAD_LIGHT].known_frac));
    assert_true(isnan(loads[LOAD_FFT].known_frac) && isnan(loads[IDLE].true_frac));
    assert_false(study.is_recorded);
    assert_int_equal(ct_study_set_rate(&study, 80e6, &err), CT_OK); /* 10 MB/s */
    assert_near(loads[LOAD_LIGHT].known_frac, 0.1, 1e-12);
    assert_true(isnan(loads[LOAD_HEAVY].known_frac)); /* what it sent was not recorded */
    assert_true(study.is_recorded);
    assert_int_equal(ct_study_set_rate(&study, 1, &err), CT_EINVAL);
    assert_non_null(strstr(err.text, "rate of a link, 1bit: "));
    assert_non_null(strstr(err.text, " sent 8mbit from each node"));
    assert_near(loads[LOAD_LIGHT].known_frac, 0.1, 1e-12);
    ct_study_free(&study);
    unlink("campaign/runs/compression-light.h5");
    study = load("campaign");
    assert_int_equal(ct_study_set_rate(&study, 80e6, &err), CT_ENODATA);
    ct_study_free(&study);
}

/* A run that cannot be read costs itself only, and says so. */
static void unreadable_files_are_left_out(void **state)
{
    (void)state;
    example_write_campaign("campaign");
    example_write_text("campaign/runs/impact-probe-load0.h5", "not a run");
    example_write_text("campaign/runs/runtime-milc-load1.h5", "");
    assert_int_equal(truncate("campaign/runs/runtime-fft-load4.h5", 2000), 0);
    example_write_text("campaign/runs/impact-probe-load4.ports.json", "{\"busy\": ");
    struct ct_study study = load("campaign");
    assert_int_equal(study.notes.n, 4);
    for (size_t i = 0; i < study.notes.n; i++)
        assert_non_null(strstr(study.notes.item[i], "left out: campaign/runs/"));
    assert_int_equal(study.measured.loads[IDLE].latency_s.n, N_LATENCIES); /* the other run */
    assert_int_equal(ct_measured_passes(&study.measured, MILC, LOAD_FFT).n, 0);
    assert_true(isnan(slowdown_of(&study, MILC, LOAD_FFT)));
    assert_true(isnan(slowdown_of(&study, FFT, LOAD_HEAVY)));
    assert_true(isnan(study.measured.loads[LOAD_HEAVY].true_frac));
    assert_int_equal(study.measured.loads[LOAD_HEAVY].latency_s.n, N_LATENCIES);
    for (size_t load = 0; load < N_LOADS; load++)
        if (load != LOAD_HEAVY)
            assert_near(slowdown_of(&study, FFT, load), example_slowdown[FFT][load], 1e-12);
    ct_study_free(&study);
}

static void runs_of_no_combination_are_named(void **state)
{
    (void)state;
    example_write_campaign("campaign");
    example_write_probe("campaign/runs/odd.h5",
                        (struct example_run_of){"fft", "", &example_configs[0], NULL}, 0);
    struct ct_study study = load("campaign");
    assert_int_equal(study.notes.n, 1);
    assert_non_null(strstr(study.notes.item[0], "campaign/runs/odd.h5"));
    assert_int_equal(study.measured.loads[LOAD_FFT].latency_s.n, N_LATENCIES);
    ct_study_free(&study);
}

static void baselines_that_disagree_are_told(void **state)
{
    (void)state;
    char text[400];
    example_write_campaign("campaign");
    example_write_passes("campaign/runs/runtime-fft-later.h5",
                         (struct example_run_of){"fft", "", NULL, "2026-11-22T10:00:00Z"}, 2.4);
    struct ct_study study = load("campaign");
    assert_int_equal(study.drifts.n, 1);
    const struct ct_app_drift *drift = ct_drifts_of(&study.drifts, "fft");
    assert_non_null(drift);
    assert_near(drift->drift.change_frac, 0.2, 1e-9);
    assert_string_equal(drift->after_utc, "2026-11-22T10:00:00Z");
    assert_null(ct_drifts_of(&study.drifts, "milc"));
    ct_drift_describe(drift, text, sizeof text);
    assert_non_null(strstr(text, "+20.0 %"));
    ct_study_free(&study);
    /* Its interval reaches down to the first baseline. */
    example_write_scattered("campaign/runs/runtime-fft-later.h5",
                            (struct example_run_of){"fft", "", NULL, "2026-11-22T10:00:00Z"}, 2.16,
                            0.05);
    study = load("campaign");
    assert_int_equal(study.drifts.n, 0);
    ct_study_free(&study);
}

static void nothing_to_load(void **state)
{
    (void)state;
    struct ct_study study = {.n_runs = 77};
    struct ct_error err;
    assert_int_equal(ct_study_load("nowhere", NULL, &study, &err), CT_ENOENT);
    example_write_campaign("campaign");
    const struct ct_run_list none = {0};
    assert_int_equal(study.n_runs, 77);
    assert_int_equal(ct_study_load_list(&none, &study, &err), CT_OK);
    assert_int_equal(ct_measured_n_loads(&study.measured), 1);
    assert_int_equal(ct_study_check(&study, 0, "here", &err), CT_ENODATA);
    assert_non_null(strstr(err.text, "idle network"));
    ct_study_free(&study);
}

/* ---- what is made of it ---- */

static void a_session_analyses(void **state)
{
    (void)state;
    struct ct_session_settings wanted = {
        .path = "campaign", .use_schedules = true, .link_bit_per_s = NAN};
    struct ct_session session;
    struct ct_predict_analysis analysis;
    struct ct_error err;
    wanted.schedules.given =
        (struct ct_parameters_given){.L_s = NAN, .o_s = NAN, .G_s_per_byte = NAN};
    example_write_campaign("campaign");
    if (ct_session_open(&wanted, &session, &err) != CT_OK ||
        ct_session_analyse(&session, "campaign", &analysis, &err) != CT_OK)
        fail_msg("%s", err.text);
    assert_int_equal(session.schedules.n_available, 0);
    assert_non_null(strstr(session.schedules.items[FFT].why, "no schedule"));
    assert_null(example_cache("summaries")); /* it was not asked for */
    for (size_t app = 0; app < N_APPS; app++)
        for (size_t with = 0; with < N_APPS; with++)
            assert_near(analysis.beside_app[app * N_APPS + with].frac,
                        example_slowdown[app][ct_load_of_app(with)], 1e-12);
    assert_true(analysis.apps[FFT].utilization_frac > analysis.apps[MILC].utilization_frac);
    ct_predict_analysis_free(&analysis);
    ct_session_free(&session);
}

static void questions_are_asked_and_measured(void **state)
{
    (void)state;
    struct ct_error err;
    struct ct_questions questions;
    struct ct_predict_case *cases;
    struct ct_predict_analysis analysis;
    const struct ct_bootstrap setup = {.replicates = 20, .level = 0.9, .seed = 1};
    const struct ct_question_choice all = {.pair = NULL}, pair = {.pair = "milc+fft"},
                                    unknown = {.pair = "milc+cg"};
    example_write_campaign("campaign");
    struct ct_study study = load("campaign");
    const struct ct_predict_input input = ct_study_input(&study);
    assert_int_equal(ct_predict_analyse(&input, NULL, &analysis, &err), CT_OK);
    assert_int_equal(ct_questions_make(&study, &all, &questions, &err), CT_OK);
    assert_int_equal(questions.n, N_APPS * N_APPS + 1);
    assert_int_equal(ct_questions_ask(&questions, NULL, &analysis, &setup, &cases), CT_OK);
    ct_questions_measure(&study, &analysis, 0.9, &questions);
    const struct ct_question *group = &questions.items[questions.n - 1];
    char with[64];
    ct_question_with(group, &study, with, sizeof with);
    assert_string_equal(with, "fft,milc");
    assert_near(group->measured.frac, example_group_slowdown, 1e-12);
    for (size_t i = 0; i < CT_N_PREDICT_MODELS * questions.n; i++) {
        assert_ptr_equal(cases[i].model, &ct_predict_models[i / questions.n]);
        assert_int_equal(cases[i].app, questions.items[i % questions.n].app);
    }
    free(cases);
    ct_questions_free(&questions);
    assert_int_equal(ct_questions_make(&study, &pair, &questions, &err), CT_OK);
    assert_int_equal(questions.n, 2); /* both sides, in the order of names */
    assert_int_equal(questions.items[0].app, FFT);
    ct_questions_free(&questions);
    assert_int_equal(ct_questions_make(&study, &unknown, &questions, &err), CT_EUSAGE);
    assert_non_null(strstr(err.text, "fft, milc"));
    ct_predict_analysis_free(&analysis);
    ct_study_free(&study);
}

/* fft suffers beside itself, milc hardly: they share switches crosswise. */
static void advice_keeps_apart_what_disturbs(void **state)
{
    (void)state;
    const size_t jobs[] = {FFT, FFT, MILC, MILC};
    struct ct_error err;
    struct ct_advice advice;
    struct ct_predict_analysis analysis;
    struct ct_advice_settings settings = {.model = model_named("mutual"),
                                          .limit_frac = 0.05,
                                          .jobs = jobs,
                                          .n_jobs = 4,
                                          .per_switch = 2,
                                          .setup = {.replicates = 20, .level = 0.9, .seed = 1}};
    example_write_campaign("campaign");
    struct ct_study study = load("campaign");
    const struct ct_predict_input input = ct_study_input(&study);
    assert_int_equal(ct_predict_analyse(&input, NULL, &analysis, &err), CT_OK);
    assert_int_equal(ct_advice_make(&study, &analysis, &settings, &advice, &err), CT_OK);
    assert_int_equal(advice.n, 4);
    for (size_t i = 0; i < advice.n; i++) {
        assert_int_equal(advice.rows[i].question.n_with, 1);
        assert_int_not_equal(advice.rows[i].question.app, advice.rows[i].question.with[0]);
    }
    assert_true(advice.grouping.is_exact && advice.grouping.cost < advice.random_cost);
    ct_advice_free(&advice);
    /* The worst job, wherever it is among those of its switch. */
    const size_t others_first[] = {MILC, MILC, FFT, FFT};
    settings.objective = CT_GROUPING_MAX;
    for (int turn = 0; turn < 2; turn++) {
        double worst_frac = 0;
        assert_int_equal(ct_advice_make(&study, &analysis, &settings, &advice, &err), CT_OK);
        for (size_t i = 0; i < advice.n; i++)
            worst_frac = fmax(worst_frac, advice.rows[i].judged.frac);
        assert_near(advice.grouping.cost, worst_frac, 1e-12);
        ct_advice_free(&advice);
        settings.jobs = others_first;
    }
    settings.n_switches = 1;
    assert_int_equal(ct_advice_make(&study, &analysis, &settings, &advice, &err), CT_EUSAGE);
    ct_predict_analysis_free(&analysis);
    ct_study_free(&study);
}

/* What was measured counts before what is predicted. */
static void groups_are_made_by_measurement_first(void **state)
{
    (void)state;
    const size_t jobs[] = {FFT, MILC};
    struct ct_error err;
    struct ct_advice advice;
    struct ct_predict_analysis analysis;
    struct ct_advice_settings settings = {.model = model_named("none"),
                                          .limit_frac = 0.05,
                                          .jobs = jobs,
                                          .n_jobs = 2,
                                          .per_switch = 2,
                                          .setup = {.replicates = 20, .level = 0.9, .seed = 1}};
    example_write_campaign("campaign");
    char path[256];
    snprintf(path, sizeof path, "campaign/runs/runtime-milc-load%d.h5", LOAD_FFT);
    assert_int_equal(unlink(path), 0);
    struct ct_study study = load("campaign");
    const struct ct_predict_input input = ct_study_input(&study);
    assert_int_equal(ct_predict_analyse(&input, NULL, &analysis, &err), CT_OK);
    assert_int_equal(ct_advice_make(&study, &analysis, &settings, &advice, &err), CT_OK);
    assert_near(advice.grouping.cost, example_slowdown[FFT][LOAD_MILC], 1e-12);
    assert_int_equal(advice.n, 2);
    assert_true(advice.rows[0].judged.is_measured && !advice.rows[1].judged.is_measured);
    assert_near(advice.rows[0].judged.frac, example_slowdown[FFT][LOAD_MILC], 1e-12);
    assert_int_equal(advice.rows[0].judged.verdict, CT_VERDICT_NO);
    assert_near(advice.rows[1].judged.frac, 0, 0);
    ct_advice_free(&advice);
    settings.model = model_named("lp");
    assert_int_equal(ct_advice_make(&study, &analysis, &settings, &advice, &err), CT_ENODATA);
    assert_non_null(strstr(err.text, "milc beside fft"));
    ct_predict_analysis_free(&analysis);
    ct_study_free(&study);
}

static void utilization_from_two_runs(void **state)
{
    (void)state;
    struct ct_error err;
    struct ct_utilization_answer answer;
    struct ct_utilization_settings settings = {
        .idle_path = "campaign/runs/impact-probe-load0.h5",
        .loaded_path = "campaign/runs/impact-probe-load1.h5",
        .link_bit_per_s = NAN,
        .setup = {.replicates = 50, .level = 0.9, .seed = 1}};
    example_write_campaign("campaign");
    assert_int_equal(ct_utilization_estimate(&settings, &answer, &err), CT_OK);
    assert_int_equal(answer.n_idle, N_LATENCIES);
    assert_near(answer.analysis.apps[0].waiting.frac, example_waiting_frac[LOAD_FFT], 0.02);
    assert_true(isnan(answer.taught_latency_s));
    ct_utilization_free(&answer);
    settings.calibration_path = "campaign";
    assert_int_equal(ct_utilization_estimate(&settings, &answer, &err), CT_OK);
    assert_int_equal(answer.analysis.delay.n, 1);
    assert_near(answer.taught_latency_s, 10e-6, 1e-7);
    ct_utilization_free(&answer);
    settings.loaded_path = "campaign/runs/runtime-fft-load1.h5";
    assert_int_equal(ct_utilization_estimate(&settings, &answer, &err), CT_EINVAL);
    assert_non_null(strstr(err.text, "runtime"));
}

int main(void)
{
#define IN_FOLDER(test)                                                                            \
    cmocka_unit_test_setup_teardown(test, example_folder_enter, example_folder_leave)
    const struct CMUnitTest tests[] = {
        IN_FOLDER(every_run_finds_its_place),
        IN_FOLDER(slow_each_placement_is_a_study),
        IN_FOLDER(runs_at_an_added_latency_are_left_out),
        IN_FOLDER(groups_are_kept_apart),
        IN_FOLDER(loads_are_known_by_counters_or_by_what_was_sent),
        IN_FOLDER(unreadable_files_are_left_out),
        IN_FOLDER(runs_of_no_combination_are_named),
        IN_FOLDER(baselines_that_disagree_are_told),
        IN_FOLDER(nothing_to_load),
        IN_FOLDER(a_session_analyses),
        IN_FOLDER(questions_are_asked_and_measured),
        IN_FOLDER(advice_keeps_apart_what_disturbs),
        IN_FOLDER(groups_are_made_by_measurement_first),
        IN_FOLDER(utilization_from_two_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
