/* Rounds of a scan in a folder become cells; how wide their factors are. */
#include "core/stats.h"
#include "study/scan.h"
#include "study/scan_file.h"
#include "study/scan_width.h"
#include "tests/unit/run_example.h"
#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char plan[] =
    "{\"scan\": 1, \"launcher\": \"lab\", \"switches_of\": \"tree\", \"seed\": \"7\", \"time_s\": "
    "60, "
    "\"half_width_frac\": 0.05, \"slots\": 1, \"message_bytes\": 4096, "
    "\"reason_ended\": \"\", \"cases\": "
    "[\"latency:incast\"], \"nodes\": [{\"name\": \"a\"}, {\"name\": \"b\"}, {\"name\": \"c\"}, "
    "{\"name\": \"d\"}], \"paths\": [\"0133\", \"1033\", \"3301\", \"3310\"]}";

static void write_plan(void)
{
    struct ct_scan scan;
    struct ct_error err;
    assert_int_equal(ct_scan_file_parse(plan, strlen(plan), "plan", &scan, &err), CT_OK);
    if (ct_scan_file_write(".", &scan, &err) != CT_OK)
        fail_msg("%s", err.text);
    ct_scan_free(&scan);
    mkdir("runs", 0777);
}

/* A round of two cells, latency alone and beside an incast, with times of the pairs (0, 1), (0, 2)
 * of the run's hosts: the first is path_s[0], the other path_s[1]; `factor` times that under load.
 */
static void write_round(const char *path, const char *hosts, const char *canaries, double planned,
                        const double path_s[2], double factor)
{
    enum { TIMES = 8 };
    struct ct_scan_cell_row cells[] = {{.duration_s = 1, .intensity = 1, .bytes = 8},
                                       {.start_s = 2,
                                        .duration_s = 1,
                                        .intensity = 1,
                                        .bytes = 8,
                                        .congestor = CT_SCAN_WITH_INCAST,
                                        .congestor_s = 2,
                                        .congestor_bytes = 1000}};
    struct ct_scan_sample samples[4 * TIMES];
    struct ct_run run = example_run(CT_RUN_SCAN, 0);
    struct ct_error err;
    free(run.info.hosts);
    free(run.scan_cells);
    free(run.scan_samples);
    run.info.hosts = strdup(hosts);
    for (uint32_t i = 0; i < 4 * TIMES; i++) {
        uint32_t cell = i / (2 * TIMES), pair = i % 2;
        samples[i] = (struct ct_scan_sample){.t_s = 0.01 * (4 * TIMES - i),
                                             .value_s = path_s[pair] * (cell ? factor : 1),
                                             .cell = cell,
                                             .node_a = 0,
                                             .node_b = pair + 1};
    }
    run.scan_cells = cells;
    run.n_scan_cells = 2;
    run.scan_samples = samples;
    run.n_scan_samples = 4 * TIMES;
    assert_int_equal(ct_run_add_text(&run.info, CT_RUN_SCAN_CANARIES, canaries), CT_OK);
    assert_int_equal(ct_run_add_number(&run.info, CT_RUN_SCAN_PLANNED, planned), CT_OK);
    if (ct_run_write(path, &run, &err) != CT_OK)
        fail_msg("%s", err.text);
    ct_run_info_free(&run.info);
}

static struct ct_scan load(void)
{
    struct ct_scan scan;
    struct ct_error err;
    if (ct_scan_load(".", &scan, &err) != CT_OK)
        fail_msg("%s", err.text);
    return scan;
}

static void nodes_are_those_of_the_scan(void **state)
{
    (void)state;
    static const double path_s[] = {1e-6, 3e-6};
    write_plan();
    /* Its first host is the scan's last node; (0, 1) is (d, c), one switch; (0, 2) is (d, a). */
    write_round("runs/round-0000.h5", "d c a b", "0 1 2", 2, path_s, 2);
    struct ct_scan scan = load();
    assert_int_equal(scan.n_rounds, 1);
    assert_int_equal(scan.rounds[0].n_canaries, 3);
    assert_true(scan.rounds[0].is_canary[0] && !scan.rounds[0].is_canary[1]);
    assert_false(scan.rounds[0].is_survey || scan.rounds[0].is_interrupted);
    assert_int_equal(scan.n_cells, 6); /* two cells: all, one switch, three */
    for (size_t i = 0; i < 2; i++) {
        const struct ct_scan_cell *all = &scan.cells[3 * i];
        double factor = i ? 2 : 1;
        assert_int_equal(all[0].path_class, -1);
        assert_int_equal(all[1].path_class, 1);
        assert_int_equal(all[2].path_class, 3);
        assert_int_equal(all[0].n_samples, 16);
        assert_int_equal(all[1].n_samples, 8);
        assert_int_equal(all[0].n_pairs, 2);
        assert_int_equal(all[0].pairs[0].node_a, 0);
        assert_int_equal(all[0].pairs[0].node_b, 3);
        assert_near(all[0].pairs[0].median_s, 3e-6 * factor, 1e-12);
        assert_int_equal(all[1].pairs[0].node_a, 2);
        assert_near(all[1].samples_s[0], 1e-6 * factor, 1e-12);
        assert_near(all[0].congestor_bytes_per_s, i ? 500 : 0, 1e-9);
        assert_near(all[0].congestor_node_bytes_per_s, i ? 500 : 0, 1e-9); /* one is no canary */
    }
    ct_scan_free(&scan);
}

static void a_round_of_others_is_left_out(void **state)
{
    (void)state;
    static const double path_s[] = {1e-6, 3e-6};
    struct ct_scan scan;
    struct ct_error err;
    assert_int_equal(ct_scan_load(".", &scan, &err), CT_ENOENT);
    write_plan();
    assert_int_equal(ct_scan_load(".", &scan, &err), CT_ENODATA);
    write_round("runs/round-0000.h5", "a b c d", "0 1 2 3", 3, path_s, 2);
    write_round("runs/round-0001.h5", "a b c e", "0 1 2", 2, path_s, 2);
    write_round("runs/round-0002.h5", "a b c d", "0 9", 2, path_s, 2);
    write_round("runs/round-0003.h5", "a b", "0 1", 2, path_s, 2); /* its rows name a third host */
    scan = load();
    assert_int_equal(scan.n_rounds, 1);
    assert_true(scan.rounds[0].is_survey && scan.rounds[0].is_interrupted);
    assert_int_equal(scan.notes.n, 3);
    assert_non_null(strstr(scan.notes.item[0], "host e"));
    assert_non_null(strstr(scan.notes.item[1], "scan_canaries"));
    assert_non_null(strstr(scan.notes.item[2], "/scan_samples, row 1"));
    ct_scan_free(&scan);
}

/* Student's t for three rounds whose logarithms are -d, 0, d beside a mean: 4.303 d / sqrt(3). */
static void a_width_is_that_of_rounds(void **state)
{
    (void)state;
    static const double path_s[] = {1e-6, 1e-6};
    const struct ct_scan_case scan_case = {CT_SCAN_LATENCY,
                                           {.congestor = CT_SCAN_WITH_INCAST, .intensity = 1}};
    const double d = 0.01;
    double width;
    write_plan();
    write_round("runs/round-0000.h5", "a b c d", "0 1 2", 2, path_s, 2 * exp(-d));
    write_round("runs/round-0001.h5", "a b c d", "0 1 2", 2, path_s, 2);
    struct ct_scan scan = load();
    assert_int_equal(ct_scan_width(&scan, &scan_case, &width, NULL), CT_OK);
    assert_true(isinf(width));
    ct_scan_free(&scan);
    write_round("runs/round-0002.h5", "a b c d", "0 1 2", 2, path_s, 2 * exp(d));
    scan = load();
    assert_int_equal(ct_scan_width(&scan, &scan_case, &width, NULL), CT_OK);
    assert_near(width, expm1(4.302653 * d / sqrt(3)), 1e-6);
    ct_scan_free(&scan);
}

#define IN_FOLDER(test)                                                                            \
    cmocka_unit_test_setup_teardown(test, example_folder_enter, example_folder_leave)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(nodes_are_those_of_the_scan),
        IN_FOLDER(a_round_of_others_is_left_out),
        IN_FOLDER(a_width_is_that_of_rounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
