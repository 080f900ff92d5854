/* Measured and predicted run times at several latencies, of a made-up campaign whose program has a
 * known number of messages in a row. */
#include "study/latency_validation.h"
#include "tests/unit/run_example.h"
#include "tests/unit/study_example.h"
#include "tests/unit/unit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static const struct example_run_of alone = {"program", "", NULL, NULL};
static const double L_s = 100e-6, compute_s = 10e-3, threshold_frac[] = {0.3, 0.5};
enum { MESSAGES = 20 };

/* Messages from rank 0 to the last one and back, and what rank 0 computes before each; o and G cost
 * nothing. */
static void write_schedule(const char *path, unsigned n_messages, int n_ranks)
{
    char text[16384];
    int used = snprintf(text, sizeof text, "num_ranks %d\n", n_ranks);
    for (int rank = 1; rank < n_ranks - 1; rank++)
        used +=
            snprintf(text + used, sizeof text - (size_t)used, "rank %d {\n  c: calc 1\n}\n", rank);
    used += snprintf(text + used, sizeof text - (size_t)used, "rank 0 {\n  c: calc %.0f\n",
                     1e9 * compute_s * n_messages / MESSAGES);
    for (int rank = 0; rank < 2; rank++) {
        for (unsigned i = 0; i < n_messages; i++) {
            bool sends = i % 2 == (unsigned)rank;
            used += snprintf(text + used, sizeof text - (size_t)used, "  m%u: %s 8b %s %d tag %u\n",
                             i, sends ? "send" : "recv", sends ? "to" : "from",
                             rank == 0 ? n_ranks - 1 : 0, i);
            if (i > 0)
                used += snprintf(text + used, sizeof text - (size_t)used, "  m%u requires m%u\n", i,
                                 i - 1);
            else if (rank == 0)
                used += snprintf(text + used, sizeof text - (size_t)used, "  m0 requires c\n");
        }
        used += snprintf(text + used, sizeof text - (size_t)used, "}\n");
        if (rank == 0)
            used += snprintf(text + used, sizeof text - (size_t)used, "rank %d {\n", n_ranks - 1);
    }
    assert_true((size_t)used < sizeof text);
    example_write_text(path, text);
}

/* A pass: half of the longer schedule. */
static double pass_s(double added_s)
{
    return compute_s + MESSAGES * (L_s + added_s);
}

static void write_passes(const char *path, double added_s, double duration_s)
{
    example_write_passes(path, alone, duration_s);
    example_add_latency(path, added_s);
}

/* What bytes take, 0.1 ns each, is not in pass_s(). */
static const double bytes_s = 1e-7;

/* With as many passes more in the longer schedule. */
static void write_campaign_by(unsigned longer_by)
{
    char longer[64], ending[CT_PASSES_ENDING_MAX];
    ct_passes_ending(longer_by, ending);
    snprintf(longer, sizeof longer, "val/traces/program%s", ending);
    assert_int_equal(mkdir("val", 0777), 0);
    assert_int_equal(mkdir("val/runs", 0777), 0);
    assert_int_equal(mkdir("val/traces", 0777), 0);
    write_passes("val/runs/at-0.h5", 0, pass_s(0));
    write_passes("val/runs/at-1.h5", 50e-6, pass_s(50e-6));
    write_passes("val/runs/at-2.h5", 200e-6, 1.1 * pass_s(200e-6));
    example_write_logp("val/runs/logp.h5", L_s, 0, 1e-10);
    write_schedule("val/traces/program", MESSAGES, 2);
    write_schedule(longer, (1 + longer_by) * MESSAGES, 2);
}

static void write_campaign(void)
{
    write_campaign_by(1);
}

static const struct ct_validation_question question = {.folder = "val",
                                                       .app = "program",
                                                       .threshold_frac = threshold_frac,
                                                       .n_thresholds = 2,
                                                       .threads = 1,
                                                       .seed = 1};

static void refused(enum ct_status expected, const char *why)
{
    struct ct_validation found;
    struct ct_error err;
    assert_int_equal(ct_validation_find(&question, &found, &err), expected);
    ct_validation_free(&found);
    if (!strstr(err.text, why))
        fail_msg("%s", err.text);
}

static void predictions_are_those_of_the_traces(void **state)
{
    (void)state;
    struct ct_validation found;
    struct ct_error err;
    write_campaign();
    if (ct_validation_find(&question, &found, &err) != CT_OK)
        fail_msg("%s", err.text);
    assert_int_equal(found.n_points, 3);
    for (size_t i = 0; i < 3; i++)
        assert_near(found.points[i].predicted_s, pass_s(found.points[i].delta_L_s), bytes_s);
    assert_near(found.lambda_L, MESSAGES, 1e-9);
    assert_near(found.rrmse, (1 - 1 / 1.1) / sqrt(3), 1e-6);
    assert_int_equal(found.n_tolerances, 2);
    assert_near(found.tolerances[0].predicted_s, 0.3 * pass_s(0) / MESSAGES, bytes_s);
    /* Between the second point and the third, which is 10 % above its prediction. */
    double low_s = pass_s(50e-6), high_s = 1.1 * pass_s(200e-6);
    assert_near(found.tolerances[0].measured_s,
                50e-6 + 150e-6 * (1.3 * pass_s(0) - low_s) / (high_s - low_s), bytes_s);
    assert_true(isnan(found.tolerances[1].predicted_s)); /* beyond the largest latency */
    ct_validation_free(&found);
}

/* The schedule of five passes, the fifth of four more being a pass. */
static void a_longer_schedule_may_have_several_passes_more(void **state)
{
    (void)state;
    struct ct_validation found;
    struct ct_error err;
    write_campaign_by(4);
    if (ct_validation_find(&question, &found, &err) != CT_OK)
        fail_msg("%s", err.text);
    for (size_t i = 0; i < 3; i++)
        assert_near(found.points[i].predicted_s, pass_s(found.points[i].delta_L_s), bytes_s);
    assert_near(found.lambda_L, MESSAGES, 1e-9);
    ct_validation_free(&found);
}

/* Without a longer trace the whole program is timed, with a start that no trace has. */
static void a_whole_program_is_off_by_its_start(void **state)
{
    (void)state;
    struct ct_validation found;
    struct ct_error err;
    write_campaign();
    assert_int_equal(remove("val/traces/program.longer"), 0);
    write_passes("val/runs/at-0.h5", 0, 3 + pass_s(0));
    write_passes("val/runs/at-1.h5", 50e-6, 3 + pass_s(50e-6));
    if (ct_validation_find(&question, &found, &err) != CT_OK)
        fail_msg("%s", err.text);
    assert_near(found.model.offset_s, 3, bytes_s);
    assert_near(found.points[1].predicted_s, found.points[1].measured_s, bytes_s);
    ct_validation_free(&found);
}

/* Messages cost the L of the class of their path: those of rank 0 and rank n - 1 are between leaves
 * where n is 3. */
static void every_class_of_paths_has_its_latency(void **state)
{
    (void)state;
    static const double other_L_s = 30e-6;
    for (int n_ranks = 2; n_ranks <= 3; n_ranks++) {
        struct ct_validation found;
        struct ct_error err;
        bool is_between = n_ranks == 3;
        write_campaign();
        example_write_logp_classes("val/runs/logp.h5", is_between ? other_L_s : L_s,
                                   is_between ? L_s : other_L_s);
        write_schedule("val/traces/program", MESSAGES, n_ranks);
        write_schedule("val/traces/program.longer", 2 * MESSAGES, n_ranks);
        if (ct_validation_find(&question, &found, &err) != CT_OK)
            fail_msg("%s", err.text);
        assert_true(found.schedules.by_class);
        for (size_t i = 0; i < 3; i++)
            assert_near(found.points[i].predicted_s, pass_s(found.points[i].delta_L_s), bytes_s);
        assert_near(found.L_s, L_s, 1e-12);
        assert_near(found.tolerances[0].predicted_s, 0.3 * pass_s(0) / MESSAGES, bytes_s);
        assert_int_equal(found.schedules.pairs.pairs.n_classes, 2);
        for (uint32_t c = 0; c < 2; c++)
            assert_near(found.class_lambdas[c].latencies, (c == 1) == is_between ? MESSAGES : 0, 0);
        ct_validation_free(&found);
        assert_int_equal(example_folder_leave(state), 0);
        assert_int_equal(example_folder_enter(state), 0);
    }
}

/* A rank more than hosts. */
static void ranks_without_a_host_are_refused(void **state)
{
    (void)state;
    write_campaign();
    example_write_logp_classes("val/runs/logp.h5", L_s, L_s);
    write_schedule("val/traces/program", MESSAGES, 5);
    refused(CT_EINVAL, "no room for the schedule's 5 ranks");
}

static void placements_are_told_apart(void **state)
{
    (void)state;
    static const char *const files[] = {"at-0", "at-1", "at-2", "logp"};
    struct ct_validation_question of_one = question;
    struct ct_validation found;
    struct ct_error err;
    write_campaign();
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char here[64], there[64];
        snprintf(here, sizeof here, "val/runs/%s.h5", files[i]);
        snprintf(there, sizeof there, "val/runs/%s-apart.h5", files[i]);
        example_place(here, there, "apart");
        example_place(here, here, "mixed");
    }
    write_passes("val/runs/more.h5", 50e-6, 2 * pass_s(50e-6));
    example_place("val/runs/more.h5", "val/runs/more.h5", "apart");
    refused(CT_EUSAGE, "apart, mixed");
    of_one.placement = "mixed";
    if (ct_validation_find(&of_one, &found, &err) != CT_OK)
        fail_msg("%s", err.text);
    assert_near(found.points[1].measured_s, pass_s(50e-6), 1e-9);
    ct_validation_free(&found);
    of_one.placement = "apart";
    if (ct_validation_find(&of_one, &found, &err) != CT_OK)
        fail_msg("%s", err.text);
    assert_near(found.points[1].measured_s, 1.5 * pass_s(50e-6), 1e-9);
    ct_validation_free(&found);
}

static void what_is_missing_is_said(void **state)
{
    (void)state;
    write_campaign();
    assert_int_equal(remove("val/traces/program"), 0);
    refused(CT_ENODATA, "no traces of 'program'");
    assert_int_equal(remove("val/runs/logp.h5"), 0);
    refused(CT_ENODATA, "no run of logpb");
    assert_int_equal(remove("val/runs/at-0.h5"), 0);
    refused(CT_ENODATA, "without added latency");
}

#define IN_FOLDER(test)                                                                            \
    cmocka_unit_test_setup_teardown(test, example_folder_enter, example_folder_leave)

int main(void)
{
    const struct CMUnitTest tests[] = {IN_FOLDER(predictions_are_those_of_the_traces),
                                       IN_FOLDER(a_longer_schedule_may_have_several_passes_more),
                                       IN_FOLDER(a_whole_program_is_off_by_its_start),
                                       IN_FOLDER(every_class_of_paths_has_its_latency),
                                       IN_FOLDER(ranks_without_a_host_are_refused),
                                       IN_FOLDER(placements_are_told_apart),
                                       IN_FOLDER(what_is_missing_is_said)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
