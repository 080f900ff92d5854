/* study/seal: predictions that are written before the co-runs are measured, and judged after. */
#include "core/file.h"
#include "study/seal.h"
#include "study/session.h"
#include "tests/unit/run_example.h"
#include "tests/unit/study_example.h"
#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Everything from the folder to the answers of all models. */
struct asked {
    struct ct_session session;
    struct ct_predict_analysis analysis;
    struct ct_questions questions;
    struct ct_predict_case *cases;
    bool is_asked[CT_N_PREDICT_MODELS];
};

static void ask(struct asked *asked)
{
    struct ct_session_settings wanted = {.path = "campaign", .link_bit_per_s = NAN};
    const struct ct_bootstrap setup = {.level = 0.9, .replicates = 100, .seed = 1};
    const struct ct_question_choice all = {0};
    struct ct_error err = {.text = ""};
    wanted.schedules.given =
        (struct ct_parameters_given){.L_s = NAN, .o_s = NAN, .G_s_per_byte = NAN};
    for (size_t m = 0; m < CT_N_PREDICT_MODELS; m++)
        asked->is_asked[m] = !ct_predict_model_is(&ct_predict_models[m], CT_MODEL_NEEDS_SCHEDULE);
    if (ct_session_open(&wanted, &asked->session, &err) != CT_OK ||
        ct_session_analyse(&asked->session, "campaign", &asked->analysis, &err) != CT_OK ||
        ct_questions_make(&asked->session.study, &all, &asked->questions, &err) != CT_OK ||
        ct_questions_ask(&asked->questions, asked->is_asked, &asked->analysis, &setup,
                         &asked->cases) != CT_OK)
        fail_msg("%s", err.text);
    ct_questions_measure(&asked->session.study, &asked->analysis, 0.9, &asked->questions);
}

static void forget(struct asked *asked)
{
    free(asked->cases);
    ct_questions_free(&asked->questions);
    ct_predict_analysis_free(&asked->analysis);
    ct_session_free(&asked->session);
}

static enum ct_status seal(const struct asked *asked, const char *path, struct ct_error *err)
{
    static struct ct_seal_file file = {(char *)"runs/a.h5", "0123456789abcdef0123456789abcdef"};
    static const struct ct_seal_source source = {(char *)"abc", "00112233445566778899aabbccddeeff",
                                                 &file, 1};
    const struct ct_seal_input input = {&asked->session.study,
                                        &asked->questions,
                                        asked->is_asked,
                                        asked->cases,
                                        0.9,
                                        UINT64_MAX - 1,
                                        &source};
    return ct_seal_write(path, &input, err);
}

static struct ct_seal read_back(const char *path)
{
    struct ct_seal back;
    struct ct_error err;
    if (ct_seal_read(path, &back, &err) != CT_OK)
        fail_msg("%s", err.text);
    return back;
}

static size_t n_asked(const struct asked *asked)
{
    size_t n = 0;
    for (size_t m = 0; m < CT_N_PREDICT_MODELS; m++)
        n += asked->is_asked[m];
    return n;
}

static bool same(double a, double b)
{
    return (isnan(a) && isnan(b)) || fabs(a - b) <= 1e-15 * fabs(a);
}

static void what_is_sealed_is_read_back(void **state)
{
    (void)state;
    struct asked asked;
    struct ct_error err;
    example_write_campaign("campaign");
    ask(&asked);
    assert_int_equal(seal(&asked, "campaign/a.sealed.json", &err), CT_OK);
    struct ct_seal back = read_back("campaign/a.sealed.json");
    assert_int_equal(back.seed, UINT64_MAX - 1);
    assert_int_equal(back.n_runs, asked.session.study.n_runs);
    assert_near(back.level, 0.9, 0);
    assert_int_equal(back.n, asked.questions.n);
    assert_int_equal(back.n_models, n_asked(&asked));
    assert_int_equal(strlen(back.made_utc), strlen("2026-11-22T08:39:36Z"));
    assert_string_equal(back.source.commit, "abc");
    assert_string_equal(back.source.program, "00112233445566778899aabbccddeeff");
    assert_int_equal(back.source.n, 1);
    assert_string_equal(back.source.files[0].path, "runs/a.h5");
    assert_string_equal(back.source.files[0].hash, "0123456789abcdef0123456789abcdef");
    size_t column = 0;
    for (size_t m = 0; m < CT_N_PREDICT_MODELS; m++) {
        if (!asked.is_asked[m])
            continue;
        assert_string_equal(back.models[column], ct_predict_models[m].key);
        for (size_t i = 0; i < back.n; i++) {
            const struct ct_prediction *made = &asked.cases[m * asked.questions.n + i].prediction;
            const struct ct_sealed_answer *answer = &back.items[i].answers[column];
            assert_true(same(answer->slowdown_frac, made->slowdown_frac));
            assert_true(same(answer->interval.lo, made->interval.lo));
            assert_true(same(answer->interval.hi, made->interval.hi));
            assert_true(back.items[i].was_measured);
        }
        column++;
    }
    ct_seal_free(&back);
    forget(&asked);
}

static void nothing_is_overwritten(void **state)
{
    (void)state;
    struct asked asked;
    struct ct_error err;
    char name[64] = "none";
    struct ct_text before, after;
    example_write_campaign("campaign");
    assert_false(ct_seal_is_in("campaign", name, sizeof name));
    assert_string_equal(name, "none");
    ask(&asked);
    assert_int_equal(seal(&asked, "campaign/a.json", &err), CT_EUSAGE);
    assert_int_equal(seal(&asked, ".sealed.json", &err), CT_EUSAGE);
    assert_int_equal(seal(&asked, "campaign/b.sealed.json", &err), CT_OK);
    assert_int_equal(seal(&asked, "campaign/a.sealed.json", &err), CT_OK);
    assert_int_equal(ct_file_read("campaign/a.sealed.json", &before, &err), CT_OK);
    assert_int_equal(seal(&asked, "campaign/a.sealed.json", &err), CT_EEXIST);
    assert_non_null(strstr(err.text, "campaign/a.sealed.json"));
    assert_int_equal(ct_file_read("campaign/a.sealed.json", &after, &err), CT_OK);
    assert_string_equal(before.text, after.text);
    assert_true(ct_seal_is_in("campaign", name, sizeof name));
    assert_string_equal(name, "a.sealed.json");
    assert_false(ct_seal_is_in("nowhere", name, sizeof name));
    free(before.text);
    free(after.text);
    forget(&asked);
}

/* fft beside milc is measured after it was predicted; the other pairs were measured before, or are
 * not measured at all. */
static void only_what_was_measured_since_is_judged(void **state)
{
    (void)state;
    struct asked asked;
    struct ct_error err;
    char path[64], kept[64];
    example_write_campaign("campaign");
    snprintf(path, sizeof path, "campaign/runs/runtime-fft-load%d.h5", LOAD_MILC);
    snprintf(kept, sizeof kept, "campaign/runs/runtime-milc-load%d.h5", LOAD_FFT);
    assert_int_equal(rename(path, "later.h5"), 0);
    assert_int_equal(unlink(kept), 0);
    ask(&asked);
    assert_int_equal(seal(&asked, "a.sealed.json", &err), CT_OK);
    forget(&asked);
    assert_int_equal(rename("later.h5", path), 0);
    ask(&asked);
    struct ct_seal back = read_back("a.sealed.json");
    struct ct_seal_verdict verdict;
    assert_int_equal(ct_seal_judge(&back, &asked.session.study, &asked.questions, 0.05, &verdict),
                     CT_OK);
    assert_int_equal(verdict.n_judged, 1);
    assert_int_equal(verdict.n_missing, 1);
    assert_int_equal(verdict.n_known, back.n - 2);
    for (size_t i = 0; i < back.n; i++) {
        bool is_it = !strcmp(back.items[i].app, "fft") && !strcmp(back.items[i].with, "milc");
        const struct ct_question *judged = verdict.judged[i];
        assert_int_equal(judged != NULL, is_it);
        if (!judged)
            continue;
        double measured_frac = judged->measured.frac;
        assert_near(measured_frac, example_slowdown[FFT][LOAD_MILC], 1e-6);
        for (size_t m = 0; m < back.n_models; m++) {
            double predicted = back.items[i].answers[m].slowdown_frac;
            assert_int_equal(verdict.models[m].slowdown.n, !isnan(predicted));
            if (!isnan(predicted))
                assert_near(verdict.models[m].slowdown.mean_abs, fabs(predicted - measured_frac),
                            1e-12);
            /* Nothing is known of processors. */
            assert_int_equal(verdict.network_models[m].slowdown.n, verdict.models[m].slowdown.n);
        }
    }
    ct_seal_verdict_free(&verdict);
    ct_seal_free(&back);
    forget(&asked);
}

static void other_files_are_refused_with_the_reason(void **state)
{
    (void)state;
    static const char head[] =
        "{\"sealed_predictions\":1,\"made_utc\":\"t\",\"version\":\"0\",\"runs\":3,"
        "\"level\":0.9,";
    static const struct {
        const char *rest, *message;
    } cases[] = {
        {"\"seed\":\"1\",\"models\":[\"a\"],\"predictions\":[]}", NULL},
        {"\"seed\":\"1\",\"models\":[\"a\"],\"predictions\":[", "cut short"},
        {"\"seed\":1,\"models\":[\"a\"],\"predictions\":[]}", "'seed' is not a text"},
        {"\"seed\":\"-1\",\"models\":[\"a\"],\"predictions\":[]}", "'seed' is not a whole number"},
        {"\"seed\":\"1\",\"models\":[],\"predictions\":[]}", "'models' is not a list"},
        {"\"seed\":\"1\",\"models\":[2],\"predictions\":[]}", "'models' is not a list"},
        {"\"seed\":\"1\",\"models\":[\"a\"],\"predictions\":3}", "'predictions' is not a list"},
        {"\"seed\":\"1\",\"models\":[\"a\"],\"predictions\":[3]}", "'measured'"},
        {"\"seed\":\"1\",\"models\":[\"a\"],\"predictions\":[{\"measured\":0,\"with\":\"b\"}]}",
         "'app' is not a text"},
        {"\"seed\":\"1\",\"models\":[\"a\"],\"predictions\":[{\"measured\":0,\"app\":\"b\","
         "\"with\":\"b\","
         "\"by\":{\"b\":{}}}]}",
         "no answer"},
        {"\"seed\":\"1\",\"models\":[\"a\"],\"predictions\":[{\"measured\":0,\"app\":\"b\","
         "\"with\":\"b\","
         "\"by\":{\"a\":{\"slowdown\":1,\"interval\":[1,1e999]}}}]}",
         "no answer"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1000];
        struct ct_seal read;
        struct ct_error err = {.text = ""};
        snprintf(text, sizeof text, "%s%s", head, cases[i].rest);
        enum ct_status status = ct_seal_parse(text, strlen(text), "file", &read, &err);
        assert_int_equal(status, cases[i].message ? CT_EFORMAT : CT_OK);
        if (cases[i].message &&
            (!strstr(err.text, cases[i].message) || !strstr(err.text, "file: ")))
            fail_msg("'%s' instead of '%s'", err.text, cases[i].message);
        if (!cases[i].message)
            ct_seal_free(&read);
    }
    struct ct_seal read;
    struct ct_error err;
    assert_int_equal(ct_seal_read("nowhere.sealed.json", &read, &err), CT_ENOENT);
    assert_int_equal(ct_seal_parse("{}", 2, "file", &read, &err), CT_EFORMAT);
    assert_non_null(strstr(err.text, "not such a file"));
}

int main(void)
{
#define IN_A_FOLDER(test)                                                                          \
    cmocka_unit_test_setup_teardown(test, example_folder_enter, example_folder_leave)
    const struct CMUnitTest tests[] = {IN_A_FOLDER(what_is_sealed_is_read_back),
                                       IN_A_FOLDER(nothing_is_overwritten),
                                       IN_A_FOLDER(only_what_was_measured_since_is_judged),
                                       cmocka_unit_test(other_files_are_refused_with_the_reason)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
