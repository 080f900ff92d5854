/* What a scan says of an application, against times computed by hand. */
#include "goal_example.h"
#include "study/scan_answers.h"
#include "study/scan_words.h"
#include "unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Canaries alone: a class of l = 1 us, one of 4 us, and all pairs together. A window of 100 kB
   takes l + 100 us, so that G is 1 ns. */
enum { NODES = 4, ROUNDS = 2, CELLS_MAX = 64, WINDOW = 100000 };
static const double near_s = 1e-6, far_s = 4e-6, all_s = 2e-6, byte_s = 1e-9;

static const struct ct_scan_setting alone = {.congestor = CT_SCAN_WITH_NONE, .intensity = 1};
static const struct ct_scan_setting alltoall = {.congestor = CT_SCAN_WITH_ALLTOALL, .intensity = 1};
static const struct ct_scan_setting incast = {.congestor = CT_SCAN_WITH_INCAST, .intensity = 1};

struct example {
    struct ct_scan scan;
    struct ct_scan_node nodes[NODES];
    struct ct_scan_round rounds[ROUNDS];
    struct ct_scan_cell cells[CELLS_MAX];
    double times_s[CELLS_MAX];
    int path_class[NODES * NODES];
};

/* A time in each round: a fabric without noise, but for what `spread` makes of the rounds. */
static void add_cells(struct example *example, enum ct_scan_canary canary,
                      const struct ct_scan_setting *setting, int path_class, double time_s,
                      double spread)
{
    for (size_t round = 0; round < ROUNDS; round++) {
        size_t i = example->scan.n_cells++;
        assert_true(i < CELLS_MAX);
        example->times_s[i] = time_s * (round == 0 ? spread : 1 / spread);
        example->cells[i] =
            (struct ct_scan_cell){.canary = canary,
                                  .setting = *setting,
                                  .round = round,
                                  .path_class = path_class,
                                  .samples_s = &example->times_s[i],
                                  .n_samples = 1,
                                  .bytes = canary == CT_SCAN_BANDWIDTH ? WINDOW : 8};
    }
}

static double window_s(double latency_s)
{
    return latency_s + WINDOW * byte_s;
}

/* Four nodes, two to a switch: nodes 0 and 1 are near, 0 and 2 far. */
static void setup_example(struct example *example)
{
    *example = (struct example){.scan = {.n_nodes = NODES, .n_rounds = ROUNDS}};
    example->scan.nodes = example->nodes;
    example->scan.rounds = example->rounds;
    example->scan.cells = example->cells;
    example->scan.path_class = example->path_class;
    for (int i = 0; i < NODES; i++)
        for (int k = 0; k < NODES; k++)
            example->path_class[i * NODES + k] = i == k ? 0 : i / 2 == k / 2 ? 1 : 3;
    const double at_s[] = {all_s, near_s, far_s};
    const int classes[] = {-1, 1, 3};
    for (int i = 0; i < 3; i++) {
        add_cells(example, CT_SCAN_LATENCY, &alone, classes[i], at_s[i], 1);
        add_cells(example, CT_SCAN_BANDWIDTH, &alone, classes[i], window_s(at_s[i]), 1);
    }
}

/* Factors of all classes are 2, but for a far latency, which takes 3 times as long. */
static void add_alltoall(struct example *example, double spread)
{
    add_cells(example, CT_SCAN_LATENCY, &alltoall, -1, 2 * all_s, 1);
    add_cells(example, CT_SCAN_BANDWIDTH, &alltoall, -1, 2 * window_s(all_s), 1);
    add_cells(example, CT_SCAN_LATENCY, &alltoall, 3, 3 * far_s, 1);
    add_cells(example, CT_SCAN_BANDWIDTH, &alltoall, 3, 2 * window_s(far_s), spread);
}

static struct ct_scan_sheet sheet_of(const struct example *example)
{
    struct ct_scan_sheet sheet;
    assert_int_equal(ct_scan_sheet_make(&example->scan, &sheet, NULL), CT_OK);
    return sheet;
}

/* Computes for 10 us, then sends 100001 B: T = 10 us + L + 100000 G. */
static const char two_ranks[] =
    "num_ranks 2\n"
    "rank 0 {\na: calc 10000\nb: send 100001b to 1 tag 1\nb requires a\n}\n"
    "rank 1 {\nrecv 100001b from 0 tag 1\n}\n";
static const double calc_s = 1e-5, bytes = 1e5;

static enum ct_status answer(const struct example *example, struct ct_scan_sheet *sheet,
                             const char *schedule, uint32_t ranks_per_node, struct ct_error *err)
{
    struct ct_goal goal = goal_of_text(schedule);
    const struct ct_scan_program program = {
        .name = "two", .goal = &goal, .ranks_per_node = ranks_per_node};
    enum ct_status status = ct_scan_answers_make(&example->scan, sheet, &program, 1, err);
    ct_goal_free(&goal);
    return status;
}

static double slowdown(double L_s, double G_s)
{
    return (calc_s + L_s + bytes * G_s) / (calc_s + far_s + bytes * byte_s) - 1;
}

/* Two ranks are on nodes 0 and 2, which are far. */
static void a_message_takes_the_latency_and_the_gap_of_its_path(void **state)
{
    (void)state;
    struct example example;
    setup_example(&example);
    add_alltoall(&example, 1);
    struct ct_scan_sheet sheet = sheet_of(&example);
    assert_int_equal(answer(&example, &sheet, two_ranks, 1, NULL), CT_OK);
    assert_int_equal(sheet.n_answers, 1);
    double G_s = (2 * window_s(far_s) - 3 * far_s) / WINDOW;
    assert_near(sheet.answers[0].slowdown_frac, slowdown(3 * far_s, G_s), 1e-9);
    assert_near(sheet.answers[0].interval.lo, slowdown(3 * far_s, G_s), 1e-9);
    assert_near(sheet.answers[0].interval.hi, slowdown(3 * far_s, G_s), 1e-9);
    assert_string_equal(sheet.answers[0].why, "");
    ct_scan_sheet_free(&sheet);
}

/* The window takes twice as long times 1.01, and by 1.01: the interval of two logarithms by
   Student's t has 12.706 sd / sqrt(2), with sd = sqrt(2) log(1.01). */
static void the_interval_is_that_of_the_factors(void **state)
{
    (void)state;
    struct example example;
    char text[CT_SCAN_ANSWER_MAX];
    setup_example(&example);
    add_alltoall(&example, 1.01);
    struct ct_scan_sheet sheet = sheet_of(&example);
    assert_int_equal(answer(&example, &sheet, two_ranks, 1, NULL), CT_OK);
    double half = exp(12.7062047 * log(1.01));
    double low_s = (2 / half * window_s(far_s) - 3 * far_s) / WINDOW;
    double high_s = (2 * half * window_s(far_s) - 3 * far_s) / WINDOW;
    assert_near(sheet.answers[0].interval.lo, slowdown(3 * far_s, low_s), 1e-6);
    assert_near(sheet.answers[0].interval.hi, slowdown(3 * far_s, high_s), 1e-6);
    sheet.answers[0].slowdown_frac = 0.124;
    sheet.answers[0].interval = (struct ct_interval){0.08, 0.16};
    ct_scan_answer_format(&sheet.answers[0], text);
    assert_string_equal(text, "+12.4 % ± 4.0");
    ct_scan_sheet_free(&sheet);
}

/* A class whose pairs did not measure beside the congestor has the factor of all pairs; a near one
   has none here. */
static void a_class_without_canaries_has_the_factors_of_all(void **state)
{
    (void)state;
    struct example example;
    setup_example(&example);
    add_alltoall(&example, 1);
    for (int i = 0; i < NODES * NODES; i++)
        if (example.path_class[i] == 3)
            example.path_class[i] = 1;
    struct ct_scan_sheet sheet = sheet_of(&example);
    assert_int_equal(answer(&example, &sheet, two_ranks, 1, NULL), CT_OK);
    double alone_s = calc_s + near_s + bytes * byte_s;
    double beside_s = calc_s + 2 * near_s + 2 * window_s(near_s) - 2 * near_s;
    assert_near(sheet.answers[0].slowdown_frac, beside_s / alone_s - 1, 1e-9);
    ct_scan_sheet_free(&sheet);
}

static void ranks_of_one_node_do_not_feel_the_network(void **state)
{
    (void)state;
    struct example example;
    setup_example(&example);
    add_alltoall(&example, 1);
    struct ct_scan_sheet sheet = sheet_of(&example);
    assert_int_equal(answer(&example, &sheet, two_ranks, 2, NULL), CT_OK);
    assert_near(sheet.answers[0].slowdown_frac, 0, 1e-12);
    ct_scan_sheet_free(&sheet);
}

static void what_is_missing_is_said(void **state)
{
    (void)state;
    static const char five_ranks[] = "num_ranks 5\nrank 4 {\ncalc 10\n}\n";
    static const char nothing[] = "num_ranks 2\n";
    struct example example;
    struct ct_error err;
    setup_example(&example);
    add_alltoall(&example, 1);
    add_cells(&example, CT_SCAN_LATENCY, &incast, -1, all_s, 1);
    struct ct_scan_sheet sheet = sheet_of(&example);
    assert_int_equal(answer(&example, &sheet, five_ranks, 1, &err), CT_EUSAGE);
    assert_non_null(strstr(err.text, "5 ranks, 1 on a node, and the scan has 4 nodes"));
    assert_non_null(strstr(err.text, "--ranks-per-node 2"));
    assert_int_equal(answer(&example, &sheet, two_ranks, 1, NULL), CT_OK);
    const struct ct_scan_answer *beside =
        ct_scan_answer_find(sheet.answers, sheet.n_answers, &incast);
    assert_non_null(beside);
    assert_true(isnan(beside->slowdown_frac));
    assert_string_equal(beside->why, "latency and bandwidth were not both measured");
    assert_int_equal(ct_scan_answers_end(&sheet, 0), 2);
    ct_scan_sheet_free(&sheet);
    sheet = sheet_of(&example);
    assert_int_equal(answer(&example, &sheet, nothing, 1, NULL), CT_OK);
    assert_string_equal(sheet.answers[0].why, "it takes no time");
    ct_scan_sheet_free(&sheet);
}

/* The sheet of a scan without one of the two canaries. */
static void both_canaries_are_needed(void **state)
{
    (void)state;
    static const enum ct_scan_canary canaries[] = {CT_SCAN_LATENCY, CT_SCAN_BANDWIDTH};
    static const char *const missing[] = {"no bandwidth canary", "no latency canary"};
    for (int i = 0; i < 2; i++) {
        struct example example;
        struct ct_error err;
        setup_example(&example);
        example.scan.n_cells = 0;
        add_cells(&example, canaries[i], &alone, -1, all_s, 1);
        add_cells(&example, canaries[i], &alltoall, -1, all_s, 1);
        struct ct_scan_sheet sheet = sheet_of(&example);
        assert_int_equal(answer(&example, &sheet, two_ranks, 1, &err), CT_ENODATA);
        assert_non_null(strstr(err.text, missing[i]));
        assert_int_equal(sheet.n_answers, 0);
        ct_scan_sheet_free(&sheet);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_message_takes_the_latency_and_the_gap_of_its_path),
        cmocka_unit_test(the_interval_is_that_of_the_factors),
        cmocka_unit_test(a_class_without_canaries_has_the_factors_of_all),
        cmocka_unit_test(ranks_of_one_node_do_not_feel_the_network),
        cmocka_unit_test(what_is_missing_is_said),
        cmocka_unit_test(both_canaries_are_needed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
