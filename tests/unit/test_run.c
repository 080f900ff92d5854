/* Run files: what is written is read back, and a file appears complete or not at all. */
#include "core/cancel.h"
#include "results/run.h"
#include "tests/unit/run_example.h"
#include "tests/unit/unit.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const enum ct_run_kind kinds[] = {CT_RUN_IMPACT, CT_RUN_COMPRESSION, CT_RUN_RUNTIME,
                                         CT_RUN_LOGP, CT_RUN_SCAN};
enum { N_KINDS = sizeof kinds / sizeof *kinds };

static int count_files(const char *folder)
{
    int n = 0;
    DIR *dir = opendir(folder);
    assert_non_null(dir);
    for (struct dirent *entry; (entry = readdir(dir));)
        n += entry->d_name[0] != '.';
    closedir(dir);
    return n;
}

static void assert_reads_as(const char *path, const struct ct_run *expected)
{
    struct ct_run run;
    struct ct_error err = {.text = ""};
    if (ct_run_read(path, &run, &err) != CT_OK)
        fail_msg("%s", err.text);
    const char *difference = example_difference(expected, &run);
    if (difference)
        fail_msg("%s: %s is not as written", path, difference);
    ct_run_free(&run);
}

/* ---- round trips ---- */

static void slow_every_kind_round_trips(void **state)
{
    (void)state;
    /* None, one, and more than fit into one chunk. */
    const size_t counts[] = {0, 1, 5, 70001};
    for (size_t k = 0; k < N_KINDS; k++)
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
            for (int plain = 0; plain <= 1; plain++) {
                struct ct_error err = {.text = ""};
                struct ct_run run = example_run(kinds[k], counts[c]);
                enum ct_run_storage storage = plain ? CT_RUN_PLAIN : CT_RUN_COMPRESSED;
                if (ct_run_write_stored("a.h5", &run, storage, &err) != CT_OK)
                    fail_msg("%s", err.text);
                assert_reads_as("a.h5", &run);
                ct_run_free(&run);
            }
}

static void reading_rows_can_be_stopped(void **state)
{
    (void)state;
    const volatile int stop = 1;
    struct ct_run run = example_run(CT_RUN_IMPACT, 5), read;
    struct ct_run_info info;
    struct ct_error err;
    assert_int_equal(ct_run_write("a.h5", &run, &err), CT_OK);
    ct_cancel_watch(&stop);
    assert_int_equal(ct_run_read("a.h5", &read, &err), CT_EINTR);
    assert_int_equal(ct_run_read_info("a.h5", &info, &err), CT_OK); /* no rows */
    ct_cancel_watch(NULL);
    assert_reads_as("a.h5", &run);
    ct_run_info_free(&info);
    ct_run_free(&run);
}

static void info_alone_is_read_without_rows(void **state)
{
    (void)state;
    struct ct_run run = example_run(CT_RUN_IMPACT, 5);
    struct ct_run read = {0};
    assert_int_equal(ct_run_write("a.h5", &run, NULL), CT_OK);
    assert_int_equal(ct_run_read_info("a.h5", &read.info, NULL), CT_OK);
    assert_string_equal(example_difference(&run, &read), "samples");
    assert_string_equal(ct_run_text(&read.info, "zeta"), "first in the file");
    assert_near(ct_run_number(&read.info, "alpha_s"), 0.1, 0);
    assert_true(isnan(ct_run_number(&read.info, "zeta")));
    assert_true(isnan(ct_run_number(&read.info, "missing")));
    assert_null(ct_run_text(&read.info, "alpha_s"));
    ct_run_free(&read);
    ct_run_free(&run);
}

static void long_texts_and_many_facts_round_trip(void **state)
{
    (void)state;
    enum { LONG = 300000 };
    struct ct_run run = example_run(CT_RUN_RUNTIME, 1);
    struct ct_error err = {.text = ""};
    free(run.info.hosts);
    run.info.hosts = malloc(LONG + 1);
    assert_non_null(run.info.hosts);
    memset(run.info.hosts, 'h', LONG);
    run.info.hosts[LONG] = '\0';
    for (int i = 200; i > 0; i--) {
        char key[32];
        snprintf(key, sizeof key, "fact_%d", i);
        assert_int_equal(ct_run_add_number(&run.info, key, i), CT_OK);
    }
    if (ct_run_write("a.h5", &run, &err) != CT_OK)
        fail_msg("%s", err.text);
    assert_reads_as("a.h5", &run);
    ct_run_free(&run);
}

static void a_fact_is_changed_not_doubled(void **state)
{
    (void)state;
    struct ct_run_info info = {0};
    assert_int_equal(ct_run_add_text(&info, "key", "text"), CT_OK);
    assert_int_equal(ct_run_add_number(&info, "key", 2), CT_OK);
    assert_int_equal(info.n_facts, 1);
    assert_near(ct_run_number(&info, "key"), 2, 0);
    assert_null(ct_run_text(&info, "key"));
    ct_run_info_free(&info);
}

static void texts_that_were_not_given_are_empty(void **state)
{
    (void)state;
    struct ct_run run = {.info = {.kind = CT_RUN_LOGP}}, read;
    assert_int_equal(ct_run_write("a.h5", &run, NULL), CT_OK);
    assert_int_equal(ct_run_read("a.h5", &read, NULL), CT_OK);
    assert_string_equal(read.info.tool, "");
    assert_string_equal(read.info.hosts, "");
    ct_run_free(&read);
}

/* ---- rows that no reader would take ---- */

static void assert_refused(struct ct_run *run, const char *message)
{
    struct ct_error err = {.text = ""};
    assert_int_equal(ct_run_write("a.h5", run, &err), CT_EINVAL);
    if (!strstr(err.text, message))
        fail_msg("'%s' does not say '%s'", err.text, message);
    assert_int_equal(count_files("."), 0);
    ct_run_free(run);
}

static void impossible_rows_are_not_written(void **state)
{
    (void)state;
    struct ct_run run = example_run(CT_RUN_IMPACT, 9);
    run.samples[7].latency_s = NAN;
    assert_refused(&run, "/samples: row 7: latency_s is nan");
    run = example_run(CT_RUN_IMPACT, 9);
    run.samples[0].latency_s = -1e-9;
    assert_refused(&run, "/samples: row 0: latency_s is -1e-09");
    run = example_run(CT_RUN_IMPACT, 5000);
    run.samples[4999].t_s = INFINITY;
    assert_refused(&run, "/samples: row 4999: t_s is inf");
    run = example_run(CT_RUN_IMPACT, 9);
    run.samples[8].pair = 3;
    assert_refused(&run, "/samples: row 8: pair is 3, but there are 3 pairs");
    run = example_run(CT_RUN_IMPACT, 9);
    run.samples[1].late = 2;
    assert_refused(&run, "/samples: row 1: late is 2");
    run = example_run(CT_RUN_RUNTIME, 2);
    run.runtimes[1].duration_s = -1;
    assert_refused(&run, "/runtimes: row 1: duration_s is -1");
    run = example_run(CT_RUN_RUNTIME, 2);
    run.info.kind = CT_RUN_LOGP;
    assert_refused(&run, "'logp' has no runtimes");
}

/* ---- complete or not at all ---- */

static void overwriting_replaces_the_whole_file(void **state)
{
    (void)state;
    struct ct_run large = example_run(CT_RUN_IMPACT, 5000), small = example_run(CT_RUN_LOGP, 1);
    assert_int_equal(ct_run_write("a.h5", &large, NULL), CT_OK);
    assert_int_equal(ct_run_write("a.h5", &small, NULL), CT_OK);
    assert_reads_as("a.h5", &small);
    assert_int_equal(count_files("."), 1);
    ct_run_free(&large);
    ct_run_free(&small);
}

static void what_a_killed_writer_left_does_not_disturb(void **state)
{
    (void)state;
    char stale[64];
    struct ct_run run = example_run(CT_RUN_IMPACT, 10);
    /* Of an earlier process with the number that this one has. */
    snprintf(stale, sizeof stale, "a.h5.tmp.%ld", (long)getpid());
    FILE *file = fopen(stale, "w");
    assert_non_null(file);
    fputs("half a file", file);
    fclose(file);
    assert_int_equal(ct_run_write("a.h5", &run, NULL), CT_OK);
    assert_reads_as("a.h5", &run);
    assert_int_equal(count_files("."), 1);
    ct_run_free(&run);
}

static void slow_a_writer_that_is_killed_leaves_the_old_file(void **state)
{
    (void)state;
    struct ct_run old = example_run(CT_RUN_IMPACT, 10);
    assert_int_equal(ct_run_write("a.h5", &old, NULL), CT_OK);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        struct ct_run run = example_run(CT_RUN_IMPACT, 3000000);
        ct_run_write("a.h5", &run, NULL);
        _exit(0);
    }
    char temporary[64];
    struct stat st;
    snprintf(temporary, sizeof temporary, "a.h5.tmp.%ld", (long)child);
    /* Once something of it is on the disk it is in the middle of some seconds of compressing. */
    for (int i = 0; i < 20000 && (stat(temporary, &st) != 0 || st.st_size < 4096); i++)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    kill(child, SIGKILL);
    int ended;
    assert_int_equal(waitpid(child, &ended, 0), child);
    assert_true(WIFSIGNALED(ended));
    assert_int_equal(stat(temporary, &st), 0);
    assert_reads_as("a.h5", &old);
    struct ct_run_list list;
    assert_int_equal(ct_run_list_read(".", &list, NULL), CT_OK);
    assert_int_equal(list.n_entries, 1);
    assert_int_equal(list.n_rejected, 0);
    ct_run_list_free(&list);
    ct_run_free(&old);
}

static void places_that_cannot_be_written_are_named(void **state)
{
    (void)state;
    struct ct_error err = {.text = ""};
    struct ct_run run = example_run(CT_RUN_LOGP, 2);
    assert_int_equal(ct_run_write("nowhere/a.h5", &run, &err), CT_EIO);
    assert_non_null(strstr(err.text, "nowhere/a.h5"));
    assert_non_null(strstr(err.text, "No such file"));
    assert_int_equal(mkdir("folder.h5", 0777), 0);
    assert_int_equal(ct_run_write("folder.h5", &run, &err), CT_EIO);
    assert_non_null(strstr(err.text, "folder.h5"));
    assert_int_equal(count_files("."), 1);
    ct_run_free(&run);
}

/* In a process of its own, whose exit shows that HDF5 does not stumble over what it could not
 * write. Answers 0 where the write failed with the cause, left nothing, and kept the old file. */
static int write_without_room(const char *folder, const char *cause)
{
    struct ct_error err = {.text = ""};
    struct ct_run small = example_run(CT_RUN_IMPACT, 1), large = example_run(CT_RUN_IMPACT, 200000);
    struct ct_run read;
    char path[256];
    snprintf(path, sizeof path, "%s/a.h5", folder);
    for (int plain = 0; plain <= 1; plain++)
        if (ct_run_write_stored(path, &large, plain ? CT_RUN_PLAIN : CT_RUN_COMPRESSED, &err) !=
                CT_EIO ||
            !strstr(err.text, path) || !strstr(err.text, cause)) {
            fprintf(stderr, "message: '%s', expected: %s\n", err.text, cause);
            return 1;
        }
    if (count_files(folder) != 1 || ct_run_read(path, &read, &err) != CT_OK ||
        example_difference(&small, &read)) {
        fprintf(stderr, "the old file has suffered: %s\n", err.text);
        return 2;
    }
    ct_run_free(&read);
    ct_run_free(&small);
    ct_run_free(&large);
    return 0;
}

static void assert_child_succeeds(int (*work)(const char *, const char *), const char *folder,
                                  const char *cause, rlim_t file_bytes)
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        struct rlimit limit = {file_bytes, file_bytes};
        signal(SIGXFSZ, SIG_IGN);
        if (file_bytes != RLIM_INFINITY && setrlimit(RLIMIT_FSIZE, &limit) != 0)
            _exit(3);
        exit(work(folder, cause));
    }
    int ended;
    assert_int_equal(waitpid(child, &ended, 0), child);
    assert_true(WIFEXITED(ended));
    assert_int_equal(WEXITSTATUS(ended), 0);
}

static void a_write_that_fails_half_way_leaves_nothing(void **state)
{
    (void)state;
    struct ct_run small = example_run(CT_RUN_IMPACT, 1);
    assert_int_equal(ct_run_write("a.h5", &small, NULL), CT_OK);
    /* At the first rows, and in the middle of them. */
    assert_child_succeeds(write_without_room, ".", "File too large", 4096);
    assert_child_succeeds(write_without_room, ".", "File too large", 900000);
    ct_run_free(&small);
}

static void a_full_disk_is_reported_and_left_clean(void **state)
{
    (void)state;
    struct ct_run small = example_run(CT_RUN_IMPACT, 1);
    assert_int_equal(mkdir("disk", 0777), 0);
    if (mount("tmpfs", "disk", "tmpfs", 0, "size=600k") != 0) {
        print_message("skipped: no file system can be mounted here\n");
        ct_run_free(&small);
        skip();
    }
    enum ct_status status = ct_run_write("disk/a.h5", &small, NULL);
    pid_t child = fork();
    if (child == 0)
        exit(write_without_room("disk", "No space left on device"));
    int ended = -1;
    if (child > 0)
        waitpid(child, &ended, 0);
    umount2("disk", MNT_DETACH);
    assert_int_equal(status, CT_OK);
    assert_true(WIFEXITED(ended));
    assert_int_equal(WEXITSTATUS(ended), 0);
    ct_run_free(&small);
}

#define IN_FOLDER(test)                                                                            \
    cmocka_unit_test_setup_teardown(test, example_folder_enter, example_folder_leave)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(slow_every_kind_round_trips),
        IN_FOLDER(reading_rows_can_be_stopped),
        IN_FOLDER(info_alone_is_read_without_rows),
        IN_FOLDER(long_texts_and_many_facts_round_trip),
        IN_FOLDER(a_fact_is_changed_not_doubled),
        IN_FOLDER(texts_that_were_not_given_are_empty),
        IN_FOLDER(impossible_rows_are_not_written),
        IN_FOLDER(overwriting_replaces_the_whole_file),
        IN_FOLDER(what_a_killed_writer_left_does_not_disturb),
        IN_FOLDER(slow_a_writer_that_is_killed_leaves_the_old_file),
        IN_FOLDER(places_that_cannot_be_written_are_named),
        IN_FOLDER(a_write_that_fails_half_way_leaves_nothing),
        IN_FOLDER(a_full_disk_is_reported_and_left_clean),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
