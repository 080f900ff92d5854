/* results/checkpoint: what was added is there, whenever the program was killed. */
#include "results/checkpoint.h"
#include "tests/unit/run_example.h"
#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int enter_folder(void **state)
{
    char name[] = "/tmp/test_checkpoint.XXXXXX";
    (void)state;
    return mkdtemp(name) && chdir(name) == 0 ? 0 : -1;
}

static int leave_folder(void **state)
{
    char here[200], command[220];
    (void)state;
    if (!getcwd(here, sizeof here))
        return -1;
    snprintf(command, sizeof command, "rm -rf %s", here);
    return chdir("/tmp") == 0 && system(command) == 0 ? 0 : -1;
}

static struct ct_sample sample_of(size_t i)
{
    return (struct ct_sample){.t_s = 0.1 * (double)i,
                              .sent_s = 0.1 * (double)i + 1e-5,
                              .latency_s = 1e-6 * (double)(i + 1),
                              .forward_s = 1e-6 * (double)i - 2,
                              .pair = (uint32_t)(i % 2),
                              .late = i % 7 == 0,
                              .from_b = i % 5 == 0};
}

enum { MANY = 3000 };

/* Two ranks, in pieces of all sizes; the first one has even samples. */
static void keep_many(void)
{
    struct ct_run run = example_run(CT_RUN_IMPACT, 3);
    assert_int_equal(ct_checkpoint_begin("out.h5", &run, NULL), CT_OK);
    struct ct_checkpoint ranks[2] = {{"out.h5", 0, -1, 0}, {"out.h5", 5, -1, 0}};
    struct ct_sample *samples[2];
    size_t n[2] = {0};
    for (int r = 0; r < 2; r++)
        samples[r] = calloc(MANY, sizeof **samples);
    for (size_t i = 0; i < MANY; i++) {
        size_t r = i % 2;
        samples[r][n[r]++] = sample_of(i);
        if (i % 97 == 0 || i + 2 >= MANY)
            assert_int_equal(ct_checkpoint_keep(&ranks[r], samples[r], n[r], NULL), CT_OK);
    }
    for (int r = 0; r < 2; r++) {
        ct_checkpoint_close(&ranks[r]);
        free(samples[r]);
    }
    ct_run_free(&run);
}

static void samples_come_back(void **state)
{
    (void)state;
    struct ct_run run;
    struct ct_error err = {0};
    keep_many();
    if (ct_checkpoint_recover("out.h5.checkpoint", &run, &err) != CT_OK)
        fail_msg("%s", err.text);
    assert_int_equal(run.n_samples, MANY);
    assert_true(ct_run_number(&run.info, CT_CHECKPOINT_FACT) == 1);
    assert_string_equal(run.info.app, "fft");
    for (size_t i = 0; i < MANY; i++) {
        size_t r = i / (MANY / 2), k = 2 * (i % (MANY / 2)) + r;
        struct ct_sample expected = sample_of(k);
        assert_near(run.samples[i].t_s, expected.t_s, 0);
        assert_near(run.samples[i].latency_s, expected.latency_s, 0);
        assert_near(run.samples[i].sent_s, expected.sent_s, 0);
        assert_near(run.samples[i].forward_s, expected.forward_s, 0);
        assert_int_equal(run.samples[i].pair, expected.pair);
        assert_int_equal(run.samples[i].late, expected.late);
        assert_int_equal(run.samples[i].from_b, expected.from_b);
    }
    ct_run_free(&run);
    assert_int_equal(ct_checkpoint_remove("out.h5", NULL), CT_OK);
    assert_int_equal(access("out.h5.checkpoint", F_OK), -1);
    assert_int_equal(ct_checkpoint_remove("out.h5", NULL), CT_OK); /* nothing there */
}

/* As version 0.1 wrote them: samples-NNNNNN, each without its last field. */
static void older_samples_come_back(void **state)
{
    (void)state;
    enum { NOW = 40, THEN = 32 };
    char sample[NOW];
    struct ct_run run;
    keep_many();
    FILE *in = fopen("out.h5.checkpoint/probes-000005", "rb");
    FILE *out = fopen("out.h5.checkpoint/samples-000005", "wb");
    assert_true(in && out);
    while (fread(sample, NOW, 1, in) == 1)
        assert_int_equal(fwrite(sample, THEN, 1, out), 1);
    fclose(in);
    fclose(out);
    assert_int_equal(unlink("out.h5.checkpoint/probes-000005"), 0);
    assert_int_equal(ct_checkpoint_recover("out.h5.checkpoint", &run, NULL), CT_OK);
    assert_int_equal(run.n_samples, MANY);
    for (size_t i = 0; i < MANY; i++) { /* the even ones first, as they are now */
        struct ct_sample expected = sample_of(i < MANY / 2 ? 2 * i : 2 * (i - MANY / 2) + 1);
        assert_near(run.samples[i].sent_s, expected.sent_s, 0);
        assert_int_equal(isnan(run.samples[i].forward_s), i >= MANY / 2);
    }
    ct_run_free(&run);
    assert_int_equal(ct_checkpoint_remove("out.h5", NULL), CT_OK);
    assert_int_equal(access("out.h5.checkpoint", F_OK), -1);
}

static struct ct_logp_row row_of(uint64_t bytes, uint32_t rank)
{
    struct ct_run example = example_run(CT_RUN_LOGP, 1);
    struct ct_logp_row row = example.logp[0];
    ct_run_free(&example);
    row.bytes = bytes;
    row.rank_from = rank;
    return row;
}

/* The rows of a rank so far; what it kept before is gone. */
static void keep_rows(int rank, size_t n)
{
    struct ct_logp_row rows[8];
    struct ct_logp_repetition repetition = {.rank_from = (uint32_t)rank, .value_s = 1e-6};
    struct ct_run example = example_run(CT_RUN_LOGP, 1);
    struct ct_run run = {.info = example.info,
                         .logp = rows,
                         .n_logp = n,
                         .repetitions = &repetition,
                         .n_repetitions = 1};
    for (size_t i = 0; i < n; i++)
        rows[i] = row_of(i, (uint32_t)rank);
    assert_int_equal(ct_run_add_number(&run.info, "g_s", rank), CT_OK);
    assert_int_equal(ct_checkpoint_replace("logp.h5", rank, &run, NULL), CT_OK);
    example.info = run.info; /* which may have grown */
    ct_run_free(&example);
}

static void rows_of_logpb_come_back(void **state)
{
    (void)state;
    struct ct_run run = example_run(CT_RUN_LOGP, 1);
    struct ct_error err = {0};
    assert_int_equal(ct_checkpoint_begin("logp.h5", &run, &err), CT_OK);
    ct_run_free(&run);
    assert_int_equal(ct_checkpoint_recover("logp.h5.checkpoint", &run, &err), CT_ENODATA);
    keep_rows(4, 2);
    keep_rows(1, 3);
    keep_rows(4, 5);
    FILE *cut = fopen("logp.h5.checkpoint/rows-000001.h5.tmp.77", "w");
    assert_non_null(cut); /* was being written */
    fclose(cut);
    if (ct_checkpoint_recover("logp.h5.checkpoint", &run, &err) != CT_OK)
        fail_msg("%s", err.text);
    assert_int_equal(run.n_logp, 3 + 5);
    assert_int_equal(run.n_repetitions, 2);
    for (size_t i = 0; i < run.n_logp; i++) {
        assert_int_equal(run.logp[i].rank_from, i < 3 ? 1 : 4);
        assert_int_equal(run.logp[i].bytes, i < 3 ? i : i - 3);
    }
    assert_int_equal(run.repetitions[1].rank_from, 4);
    assert_near(ct_run_number(&run.info, "g_s"), 1, 0); /* of the lowest rank */
    assert_near(ct_run_number(&run.info, CT_CHECKPOINT_FACT), 1, 0);
    ct_run_free(&run);
    assert_int_equal(ct_checkpoint_remove("logp.h5", NULL), CT_OK);
    assert_int_equal(access("logp.h5.checkpoint", F_OK), -1);
}

/* At any byte: the last sample is there or not. */
static void slow_a_cut_file_loses_its_last_sample(void **state)
{
    (void)state;
    struct ct_run run;
    keep_many();
    for (int cut = 1; cut < 60; cut++) {
        assert_int_equal(truncate("out.h5.checkpoint/probes-000005", 40 * (MANY / 2) - cut), 0);
        assert_int_equal(ct_checkpoint_recover("out.h5.checkpoint", &run, NULL), CT_OK);
        assert_int_equal(run.n_samples, MANY - (cut + 39) / 40);
        ct_run_free(&run);
    }
}

static void damage(const char *name, long at, int byte)
{
    FILE *file = fopen(name, "r+");
    assert_non_null(file);
    fseek(file, at, SEEK_SET);
    putc(byte, file);
    fclose(file);
}

/* It is a run by its own name and in a folder, until the run file is there, and stays. */
static void a_checkpoint_is_a_run(void **state)
{
    (void)state;
    struct ct_run run;
    struct ct_run_info info;
    struct ct_run_list list;
    keep_many();
    assert_true(ct_checkpoint_is("out.h5.checkpoint") && ct_checkpoint_is("out.h5.checkpoint/"));
    assert_false(ct_checkpoint_is("out.h5") || ct_checkpoint_is("."));
    assert_int_equal(ct_run_read("out.h5.checkpoint", &run, NULL), CT_OK);
    assert_int_equal(ct_run_read_info("out.h5.checkpoint", &info, NULL), CT_OK);
    assert_int_equal(info.kind, run.info.kind);
    ct_run_info_free(&info);
    assert_int_equal(ct_run_list_read(".", &list, NULL), CT_OK);
    size_t n_left = 0;
    for (size_t i = 0; i < list.n_entries; i++)
        n_left += strcmp(list.entries[i].path, "./out.h5.checkpoint") == 0;
    assert_int_equal(n_left, 1);
    ct_run_list_free(&list);
    assert_int_equal(ct_run_write("out.h5", &run, NULL), CT_OK);
    assert_int_equal(ct_run_list_read(".", &list, NULL), CT_OK);
    for (size_t i = 0; i < list.n_entries; i++)
        assert_string_not_equal(list.entries[i].path, "./out.h5.checkpoint");
    ct_run_list_free(&list);
    ct_run_free(&run);
    assert_int_equal(unlink("out.h5"), 0);
    assert_true(ct_checkpoint_is("out.h5.checkpoint"));
    assert_int_equal(ct_checkpoint_remove("out.h5", NULL), CT_OK);
}

static void bad_folders_are_refused(void **state)
{
    (void)state;
    struct ct_run run = example_run(CT_RUN_IMPACT, 3);
    struct ct_error err;
    assert_int_equal(ct_checkpoint_recover("nowhere.checkpoint", &run, &err), CT_ENOENT);
    assert_int_equal(ct_checkpoint_begin("nowhere/out.h5", &run, &err), CT_EIO);
    assert_int_equal(ct_checkpoint_begin("empty.h5", &run, &err), CT_OK);
    assert_int_equal(ct_checkpoint_begin("empty.h5", &run, &err), CT_EEXIST);
    assert_non_null(strstr(err.text, "crosstalk export empty.h5.checkpoint -o FILE.h5"));
    ct_run_free(&run);
    assert_int_equal(ct_checkpoint_recover("empty.h5.checkpoint", &run, &err), CT_ENODATA);
    keep_many();
    damage("out.h5.checkpoint/probes-000005", 16, 200); /* pair 200 */
    assert_int_equal(ct_checkpoint_recover("out.h5.checkpoint", &run, &err), CT_EINVAL);
    assert_non_null(strstr(err.text, "probes-000005"));
    damage("out.h5.checkpoint/run.h5", 0, 0);
    assert_int_equal(ct_checkpoint_recover("out.h5.checkpoint", &run, &err), CT_EFORMAT);
}

int main(void)
{
#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, enter_folder, leave_folder)
    const struct CMUnitTest tests[] = {
        IN_FOLDER(samples_come_back),       IN_FOLDER(older_samples_come_back),
        IN_FOLDER(rows_of_logpb_come_back), IN_FOLDER(slow_a_cut_file_loses_its_last_sample),
        IN_FOLDER(a_checkpoint_is_a_run),   IN_FOLDER(bad_folders_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
