/* Folders of runs and packed campaigns. */
#include "results/thin.h"
#include "tests/unit/run_example.h"
#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void write_text_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static void write_run(const char *path, enum ct_run_kind kind, size_t n, uint64_t seed)
{
    struct ct_run run = example_run(kind, n);
    struct ct_error err;
    run.info.seed = seed;
    if (ct_run_write(path, &run, &err) != CT_OK)
        fail_msg("%s", err.text);
    ct_run_free(&run);
}

static struct ct_run_list read_list(const char *path)
{
    struct ct_run_list list;
    struct ct_error err;
    if (ct_run_list_read(path, &list, &err) != CT_OK)
        fail_msg("%s", err.text);
    return list;
}

static void pack(const char *from, const char *to)
{
    struct ct_error err;
    struct ct_run_list list = read_list(from);
    if (ct_run_pack_thinned(&list, to, SIZE_MAX, &err) != CT_OK)
        fail_msg("%s", err.text);
    ct_run_list_free(&list);
}

static void assert_paths(const char *path, const char *const *expected)
{
    struct ct_run_list list = read_list(path);
    for (size_t i = 0; i < list.n_entries && expected[i]; i++)
        assert_string_equal(list.entries[i].path, expected[i]);
    for (size_t n = 0;; n++)
        if (!expected[n]) {
            assert_int_equal(list.n_entries, n);
            break;
        }
    ct_run_list_free(&list);
}

#define PATHS(...)                                                                                 \
    (const char *const[])                                                                          \
    {                                                                                              \
        __VA_ARGS__, NULL                                                                          \
    }

static void a_folder_lists_its_run_files(void **state)
{
    (void)state;
    mkdir("c", 0777);
    mkdir("c/runs", 0777);
    mkdir("c/runs/.partial", 0777);
    write_run("c/b.h5", CT_RUN_LOGP, 1, 1);
    write_run("c/a.h5", CT_RUN_IMPACT, 2, 2);
    write_run("c/runs/r.h5", CT_RUN_RUNTIME, 2, 3);
    write_run("c/runs/.partial/half.h5", CT_RUN_RUNTIME, 2, 4);
    write_text_file("c/z.h5.tmp.77", "temporary");
    write_text_file("c/.hidden.h5", "hidden");
    write_text_file("c/notes.txt", "not a run");
    assert_paths("c", PATHS("c/a.h5", "c/b.h5", "c/runs/r.h5"));
    struct ct_run_list list = read_list("c");
    assert_int_equal(list.n_rejected, 0);
    assert_int_equal(list.entries[0].info.kind, CT_RUN_IMPACT);
    assert_int_equal(list.entries[2].info.seed, 3);
    ct_run_list_free(&list);
}

static void what_cannot_be_read_is_named(void **state)
{
    (void)state;
    write_run("a.h5", CT_RUN_LOGP, 1, 1);
    write_text_file("foreign.h5", "not HDF5");
    write_text_file("empty.h5", "");
    struct ct_run_list list = read_list(".");
    assert_int_equal(list.n_entries, 1);
    assert_int_equal(list.n_rejected, 2);
    assert_non_null(strstr(list.rejected[0], "./empty.h5: "));
    assert_non_null(strstr(list.rejected[1], "./foreign.h5: a text, which is not read"));
    ct_run_list_free(&list);
}

/* Copies that file managers, editors and users make, whatever their names. */
static void a_copy_counts_once(void **state)
{
    (void)state;
    mkdir("c", 0777);
    mkdir("c/runs", 0777);
    write_run("c/runs/idle-r0.h5", CT_RUN_IMPACT, 3, 1);
    write_run("c/runs/idle-r0 (1).h5", CT_RUN_IMPACT, 3, 1);
    write_run("c/runs/a-saved-one.h5", CT_RUN_IMPACT, 3, 1);
    write_run("c/runs/idle-r1.h5", CT_RUN_IMPACT, 3, 2);
    write_run("c/runs/shorter.h5", CT_RUN_IMPACT, 2, 1);
    /* As a program saves it again, with attributes in another order. */
    struct ct_run run = example_run(CT_RUN_IMPACT, 3);
    run.info.seed = 1;
    const struct ct_run_fact first = run.info.facts[0];
    run.info.facts[0] = run.info.facts[run.info.n_facts - 1];
    run.info.facts[run.info.n_facts - 1] = first;
    assert_int_equal(ct_run_write("c/runs/z.h5.repacked.h5", &run, NULL), CT_OK);
    ct_run_free(&run);
    assert_paths("c", PATHS("c/runs/idle-r0.h5", "c/runs/idle-r1.h5", "c/runs/shorter.h5"));
    struct ct_run_list list = read_list("c");
    assert_int_equal(list.n_rejected, 0);
    assert_int_equal(list.n_copies, 3);
    assert_string_equal(list.copies[2],
                        "c/runs/z.h5.repacked.h5: the same run as c/runs/idle-r0.h5");
    assert_string_equal(list.copies[0], "c/runs/a-saved-one.h5: the same run as c/runs/idle-r0.h5");
    assert_string_equal(list.copies[1], "c/runs/idle-r0 (1).h5: the same run as c/runs/idle-r0.h5");
    ct_run_list_free(&list);
}

static void nothing_to_list_is_an_error(void **state)
{
    (void)state;
    struct ct_run_list list;
    struct ct_error err = {.text = ""};
    assert_int_equal(ct_run_list_read("nowhere", &list, &err), CT_ENOENT);
    assert_non_null(strstr(err.text, "nowhere"));
    mkdir("empty", 0777);
    assert_int_equal(ct_run_list_read("empty", &list, &err), CT_ENODATA);
    assert_non_null(strstr(err.text, "empty: no run file"));
    write_text_file("empty/foreign.h5", "not HDF5");
    assert_int_equal(ct_run_list_read("empty", &list, &err), CT_ENODATA);
    assert_non_null(strstr(err.text, "foreign.h5"));
    assert_int_equal(ct_run_list_read("empty/foreign.h5", &list, &err), CT_EFORMAT);
}

static void a_single_file_is_a_list_of_one(void **state)
{
    (void)state;
    write_run("a.h5", CT_RUN_LOGP, 1, 1);
    assert_paths("a.h5", PATHS("a.h5"));
}

static void packed_runs_are_the_same(void **state)
{
    (void)state;
    const enum ct_run_kind kinds[] = {CT_RUN_IMPACT, CT_RUN_COMPRESSION, CT_RUN_RUNTIME,
                                      CT_RUN_LOGP, CT_RUN_SCAN};
    enum { N = sizeof kinds / sizeof *kinds };
    char path[64];
    mkdir("c", 0777);
    for (size_t k = 0; k < N; k++) {
        snprintf(path, sizeof path, "c/%zu.h5", k);
        write_run(path, kinds[k], 40000 * (k + 1) % 70000, k);
    }
    pack("c", "packed.h5");
    for (size_t k = 0; k < N; k++) {
        struct ct_run single, packed;
        struct ct_error err = {.text = ""};
        snprintf(path, sizeof path, "c/%zu.h5", k);
        assert_int_equal(ct_run_read(path, &single, &err), CT_OK);
        snprintf(path, sizeof path, "packed.h5:%04zu", k);
        if (ct_run_read(path, &packed, &err) != CT_OK)
            fail_msg("%s", err.text);
        assert_null(example_difference(&single, &packed));
        ct_run_free(&single);
        ct_run_free(&packed);
    }
    assert_paths("packed.h5", PATHS("packed.h5:0000", "packed.h5:0001", "packed.h5:0002",
                                    "packed.h5:0003", "packed.h5:0004"));
    /* A packed campaign can be packed again. */
    pack("packed.h5", "again.h5");
    assert_paths("again.h5", PATHS("again.h5:0000", "again.h5:0001", "again.h5:0002",
                                   "again.h5:0003", "again.h5:0004"));
}

static void a_packed_run_that_is_not_there_is_named(void **state)
{
    (void)state;
    struct ct_run run;
    struct ct_error err = {.text = ""};
    write_run("a.h5", CT_RUN_LOGP, 1, 1);
    pack("a.h5", "packed.h5");
    assert_int_equal(ct_run_read("packed.h5:0001", &run, &err), CT_ENOENT);
    assert_non_null(strstr(err.text, "packed.h5:0001"));
    assert_int_equal(ct_run_read("nowhere.h5:0001", &run, &err), CT_ENOENT);
    assert_int_equal(ct_run_read("a.h5:0000", &run, &err), CT_EFORMAT);
    assert_int_equal(ct_run_read("packed.h5", &run, &err), CT_EFORMAT);
    assert_non_null(strstr(err.text, "packed.h5: a packed campaign"));
    /* A name that looks like a packed run but is a file's own. */
    write_run("b.h5:0007", CT_RUN_LOGP, 1, 7);
    assert_int_equal(ct_run_read("b.h5:0007", &run, &err), CT_OK);
    assert_int_equal(run.info.seed, 7);
    ct_run_free(&run);
}

static void a_run_does_not_count_twice(void **state)
{
    (void)state;
    mkdir("c", 0777);
    write_run("c/x.h5", CT_RUN_LOGP, 1, 1);
    write_run("c/y.h5", CT_RUN_LOGP, 1, 2);
    write_run("c/y-other.h5", CT_RUN_LOGP, 2, 2); /* other rows make another run */
    pack("c", "c/packed.h5");
    assert_paths("c", PATHS("c/x.h5", "c/y-other.h5", "c/y.h5"));
    /* The packed campaign fills the gap where a file is gone. */
    assert_int_equal(unlink("c/x.h5"), 0);
    assert_paths("c", PATHS("c/packed.h5:0000", "c/y-other.h5", "c/y.h5"));
    assert_int_equal(rename("c/packed.h5", "only.h5"), 0);
    assert_paths("only.h5", PATHS("only.h5:0000", "only.h5:0001", "only.h5:0002"));
}

static void what_packing_adds_makes_no_other_run(void **state)
{
    (void)state;
    struct ct_run_list list;
    mkdir("c", 0777);
    write_run("c/x.h5", CT_RUN_LOGP, 1, 1);
    assert_int_equal(ct_run_list_read("c", &list, NULL), CT_OK);
    assert_int_equal(ct_run_add_number(&list.entries[0].info, "packed_truth", 0.5), CT_OK);
    assert_int_equal(ct_run_pack_thinned(&list, "c/packed.h5", SIZE_MAX, NULL), CT_OK);
    ct_run_list_free(&list);
    assert_paths("c", PATHS("c/x.h5"));
    struct ct_run run;
    assert_int_equal(ct_run_read("c/packed.h5:0000", &run, NULL), CT_OK);
    assert_true(ct_run_number(&run.info, "packed_truth") == 0.5);
    ct_run_free(&run);
}

static void thinned_runs_keep_the_rest(void **state)
{
    (void)state;
    write_run("a.h5", CT_RUN_IMPACT, 1000, 1);
    write_run("b.h5", CT_RUN_IMPACT, 200, 2);
    write_run("c.h5", CT_RUN_RUNTIME, 1000, 3);
    struct ct_run_list list = read_list(".");
    assert_int_equal(ct_run_add_number(&list.entries[0].info, "packed_truth", 0.5), CT_OK);
    assert_int_equal(ct_run_pack_thinned(&list, "packed.h5", 200, NULL), CT_OK);
    ct_run_list_free(&list);
    struct ct_run whole, packed;
    static const char *const names[][2] = {
        {"a.h5", "packed.h5:0000"}, {"b.h5", "packed.h5:0001"}, {"c.h5", "packed.h5:0002"}};
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(ct_run_read(names[i][0], &whole, NULL), CT_OK);
        assert_int_equal(ct_run_read(names[i][1], &packed, NULL), CT_OK);
        if (i == 0) {
            assert_int_equal(packed.n_samples, 198); /* 3 stretches of 66 */
            assert_near(ct_run_number(&packed.info, CT_THIN_FROM_FACT), 1000, 0);
            assert_near(ct_run_number(&packed.info, "packed_truth"), 0.5, 0);
            assert_int_equal(packed.n_pairs, whole.n_pairs);
            assert_string_equal(packed.info.argv, whole.info.argv);
        } else {
            assert_null(example_difference(&whole, &packed));
        }
        ct_run_free(&whole);
        ct_run_free(&packed);
    }
    /* Beside their files they are the same runs; and they are not thinned again. */
    assert_paths(".", PATHS("./a.h5", "./b.h5", "./c.h5"));
    list = read_list("packed.h5");
    struct ct_error err;
    assert_int_equal(ct_run_pack_thinned(&list, "again.h5", 198, NULL), CT_OK);
    assert_int_equal(ct_run_pack_thinned(&list, "again.h5", 100, &err), CT_EINVAL);
    assert_non_null(strstr(err.text, "packed.h5:0000: its 198 samples are what is left of a run"));
    ct_run_list_free(&list);
}

static void runs_of_two_configurations_are_two(void **state)
{
    (void)state;
    struct ct_run run = example_run(CT_RUN_RUNTIME, 1);
    mkdir("c", 0777);
    assert_int_equal(ct_run_write("first.h5", &run, NULL), CT_OK);
    run.info.config.messages++;
    assert_int_equal(ct_run_write("c/second.h5", &run, NULL), CT_OK);
    ct_run_free(&run);
    pack("first.h5", "c/packed.h5");
    assert_paths("c", PATHS("c/packed.h5:0000", "c/second.h5"));
}

static void a_damaged_run_is_not_packed(void **state)
{
    (void)state;
    struct ct_error err = {.text = ""};
    struct stat st;
    write_run("a.h5", CT_RUN_IMPACT, 50000, 1);
    write_run("b.h5", CT_RUN_IMPACT, 50000, 2);
    struct ct_run_list list = read_list(".");
    /* Rows of b are hit; its attributes still read well. */
    assert_int_equal(stat("b.h5", &st), 0);
    FILE *file = fopen("b.h5", "r+");
    assert_non_null(file);
    fseek(file, (long)st.st_size / 2, SEEK_SET);
    for (int i = 0; i < 64; i++)
        fputc(0x55, file);
    fclose(file);
    assert_int_equal(ct_run_pack_thinned(&list, "packed.h5", SIZE_MAX, &err), CT_EFORMAT);
    assert_non_null(strstr(err.text, "b.h5"));
    assert_int_not_equal(stat("packed.h5", &st), 0);
    ct_run_list_free(&list);
    list = read_list(".");
    assert_int_equal(list.n_entries, 2);
    ct_run_list_free(&list);
}

#define IN_FOLDER(test)                                                                            \
    cmocka_unit_test_setup_teardown(test, example_folder_enter, example_folder_leave)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(a_folder_lists_its_run_files),
        IN_FOLDER(what_cannot_be_read_is_named),
        IN_FOLDER(a_copy_counts_once),
        IN_FOLDER(nothing_to_list_is_an_error),
        IN_FOLDER(a_single_file_is_a_list_of_one),
        IN_FOLDER(packed_runs_are_the_same),
        IN_FOLDER(a_packed_run_that_is_not_there_is_named),
        IN_FOLDER(what_packing_adds_makes_no_other_run),
        IN_FOLDER(a_run_does_not_count_twice),
        IN_FOLDER(thinned_runs_keep_the_rest),
        IN_FOLDER(runs_of_two_configurations_are_two),
        IN_FOLDER(a_damaged_run_is_not_packed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
