/* Files are tried by another program before they are read, but those of the user's own with a right
 * sum. */
#include "results/run.h"
#include "results/sum.h"
#include "results/trial.h"
#include "tests/unit/run_example.h"
#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static void write_bytes(const char *path, const char *bytes, size_t n)
{
    FILE *file = fopen(path, "w");
    assert_true(file && fwrite(bytes, 1, n, file) == n && fclose(file) == 0);
}

static size_t read_bytes(const char *path, char *bytes, size_t size)
{
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    size_t n = fread(bytes, 1, size, file);
    fclose(file);
    return n;
}

static void assert_no_child(void)
{
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
}

/* ---- sums ---- */

static void only_own_files_with_a_right_sum_are_not_doubtful(void **state)
{
    (void)state;
    static char bytes[1 << 16];
    struct ct_run run = example_run(CT_RUN_RUNTIME, 5);
    assert_int_equal(ct_run_write("a.h5", &run, NULL), CT_OK);
    ct_run_free(&run);
    size_t n = read_bytes("a.h5", bytes, sizeof bytes);
    assert_true(n < sizeof bytes);
    chmod("a.h5", 0644);
    assert_false(ct_sum_is_doubtful("a.h5"));
    chmod("a.h5", 0664);
    assert_true(ct_sum_is_doubtful("a.h5"));
    chmod("a.h5", 0646);
    assert_true(ct_sum_is_doubtful("a.h5"));
    if (geteuid() == 0) {
        chmod("a.h5", 0644);
        assert_int_equal(chown("a.h5", 1, 1), 0);
        assert_true(ct_sum_is_doubtful("a.h5"));
    }
    for (size_t at = 0; at < n; at += at < 64 || at + 64 > n ? 1 : 29) {
        bytes[at] ^= 1;
        write_bytes("b.h5", bytes, n);
        assert_true(ct_sum_is_doubtful("b.h5"));
        bytes[at] ^= 1;
        write_bytes("b.h5", bytes, at); /* cut */
        assert_true(ct_sum_is_doubtful("b.h5"));
    }
    write_bytes("b.h5", bytes, n + 1);
    assert_true(ct_sum_is_doubtful("b.h5"));
    write_bytes("b.h5", bytes, n);
    assert_false(ct_sum_is_doubtful("b.h5"));
    assert_false(ct_sum_is_doubtful("nowhere.h5"));
    assert_int_equal(mkdir("folder.h5", 0777), 0);
    assert_false(ct_sum_is_doubtful("folder.h5"));
}

/* ---- a program that answers as crosstalk-try does, and does what the name of a file says ---- */

static void write_program(const char *script)
{
    FILE *file = fopen("program", "w");
    assert_non_null(file);
    fprintf(file, "#!/bin/bash\necho start >>starts\n%s", script);
    fclose(file);
    chmod("program", 0755);
}

static const char tries[] = "printf r\n"
                            "while IFS= read -r -d '' path; do\n"
                            "    (($2 > i++)) && continue\n"
                            "    echo \"$1 $path\" >>log\n"
                            "    case $path in\n"
                            "    crash*) kill -SEGV $$ ;;\n"
                            "    end*) exit ;;\n"
                            "    esac\n"
                            "    printf t\n"
                            "done\n";

/* Files that are not a run's, for which the program answers. */
static void make_files(const char *const *paths, size_t n)
{
    for (size_t i = 0; i < n; i++)
        write_bytes(paths[i], "x", 1);
}

static size_t count_lines(const char *path)
{
    char text[4096];
    size_t n = read_bytes(path, text, sizeof text), lines = 0;
    for (size_t i = 0; i < n; i++)
        lines += text[i] == '\n';
    return lines;
}

static void one_process_tries_many_files(void **state)
{
    (void)state;
    enum { N = 100 };
    static char names[N][16];
    const char *paths[N];
    struct ct_trial trial;
    for (size_t i = 0; i < N; i++) {
        snprintf(names[i], sizeof names[i], "good %zu", i);
        paths[i] = names[i];
    }
    make_files(paths, N);
    write_program(tries);
    ct_trial_begin(&trial, "./program", CT_TRIAL_ARRAYS, paths, N);
    for (size_t i = 0; i < N; i++)
        assert_true(ct_trial_survives(&trial, i));
    ct_trial_end(&trial);
    assert_int_equal(count_lines("starts"), 1);
    assert_int_equal(count_lines("log"), N);
    char log[4096];
    log[read_bytes("log", log, sizeof log - 1)] = '\0';
    assert_ptr_equal(strstr(log, "arrays good 0\narrays good 1\n"), log);
    assert_no_child();
    ct_trial_end(&trial);
}

static void what_ends_the_process_is_found_and_the_next_file_is_tried(void **state)
{
    (void)state;
    static const char *const paths[] = {"crash 1", "good", "end 2", "crash 3", "good too", "end 4"};
    static const bool survive[] = {false, true, false, false, true, false};
    enum { N = sizeof paths / sizeof *paths };
    struct ct_trial trial;
    make_files(paths, N);
    write_program(tries);
    ct_trial_begin(&trial, "./program", CT_TRIAL_RUNS, paths, N);
    for (size_t i = 0; i < N; i++)
        assert_int_equal(ct_trial_survives(&trial, i), survive[i]);
    for (size_t i = N; i-- > 0;) /* in any order, once they are known */
        assert_int_equal(ct_trial_survives(&trial, i), survive[i]);
    ct_trial_end(&trial);
    assert_int_equal(count_lines("starts"), 4);
    assert_int_equal(count_lines("log"), N);
    /* An answer is never taken for that of another file. */
    ct_trial_begin(&trial, "./program", CT_TRIAL_RUNS, paths, N);
    assert_true(ct_trial_survives(&trial, 4));
    assert_false(ct_trial_survives(&trial, 3));
    ct_trial_end(&trial); /* before it is asked about all */
    assert_no_child();
}

/* Of the shell's 127 for a program that lacks a library, too: it says nothing of any file. */
static void without_a_program_that_begins_nothing_is_tried(void **state)
{
    (void)state;
    static const char *const paths[] = {"crash 1", "good"};
    make_files(paths, 2);
    write_program("exit 127\n");
    static const char *const programs[] = {"./nowhere", "./program"};
    for (size_t i = 0; i < 2; i++) {
        struct ct_trial trial;
        ct_trial_begin(&trial, programs[i], CT_TRIAL_RUNS, paths, 2);
        assert_true(ct_trial_survives(&trial, 1));
        assert_true(ct_trial_survives(&trial, 0));
        ct_trial_end(&trial);
    }
    assert_int_equal(count_lines("starts"), 1);
    assert_no_child();
}

static void what_is_not_there_is_not_tried(void **state)
{
    (void)state;
    static const char *const paths[] = {"nowhere", "folder", "nowhere:0001"};
    struct ct_trial trial;
    write_program(tries);
    write_bytes("starts", "", 0);
    assert_int_equal(mkdir("folder", 0777), 0);
    ct_trial_begin(&trial, "./program", CT_TRIAL_RUNS, paths, 3);
    for (size_t i = 0; i < 3; i++)
        assert_true(ct_trial_survives(&trial, i));
    ct_trial_end(&trial);
    assert_int_equal(count_lines("starts"), 0);
}

/* ---- crosstalk-try ---- */

/* A run file in which a byte is another. */
static void write_damaged(const char *path, const char *original, size_t at, char byte)
{
    static char bytes[1 << 16];
    const char *source = getenv("CROSSTALK_SOURCE");
    char from[4096];
    snprintf(from, sizeof from, "%s/tests/fuzz/corpus/run/%s", source ? source : ".", original);
    size_t n = read_bytes(from, bytes, sizeof bytes);
    assert_true(at < n);
    bytes[at] = byte;
    write_bytes(path, bytes, n);
}

/* HDF5 1.10.8 never comes back from one of them, and crashes on the other. */
static void slow_what_hdf5_fails_on_is_refused(void **state)
{
    (void)state;
    struct ct_run run;
    struct ct_error err;
    write_damaged("busy.h5", "old-format.h5", 894, '\xff');
    write_damaged("crash.h5", "impact.h5", 2303, 'A');
    assert_int_equal(ct_run_read("busy.h5", &run, &err), CT_EFORMAT);
    assert_int_equal(ct_run_read("crash.h5", &run, &err), CT_EFORMAT);
}

#define IN_FOLDER(test)                                                                            \
    cmocka_unit_test_setup_teardown(test, example_folder_enter, example_folder_leave)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(only_own_files_with_a_right_sum_are_not_doubtful),
        IN_FOLDER(one_process_tries_many_files),
        IN_FOLDER(what_ends_the_process_is_found_and_the_next_file_is_tried),
        IN_FOLDER(without_a_program_that_begins_nothing_is_tried),
        IN_FOLDER(what_is_not_there_is_not_tried),
        IN_FOLDER(slow_what_hdf5_fails_on_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
