/* core/file: what is replaced is whole, what fails leaves the old file alone and nothing behind. */
#include "core/file.h"
#include "tests/unit/unit.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

struct scratch {
    char folder[64], path[96], link[96];
};

static int make_scratch(void **state)
{
    static struct scratch scratch;
    snprintf(scratch.folder, sizeof scratch.folder, "/tmp/crosstalk-file-XXXXXX");
    if (!mkdtemp(scratch.folder))
        return -1;
    snprintf(scratch.path, sizeof scratch.path, "%s/text", scratch.folder);
    snprintf(scratch.link, sizeof scratch.link, "%s/link", scratch.folder);
    *state = &scratch;
    return 0;
}

static size_t n_files(const struct scratch *scratch)
{
    size_t n = 0;
    DIR *dir = opendir(scratch->folder);
    assert_non_null(dir);
    for (struct dirent *entry; (entry = readdir(dir));)
        n += entry->d_name[0] != '.';
    closedir(dir);
    return n;
}

static int remove_scratch(void **state)
{
    struct scratch *scratch = *state;
    chmod(scratch->folder, 0700);
    unlink(scratch->link);
    unlink(scratch->path);
    return rmdir(scratch->folder); /* fails where something is left */
}

static void assert_contents(const char *path, const char *expected)
{
    struct ct_text text;
    assert_int_equal(ct_file_read(path, &text, NULL), CT_OK);
    assert_string_equal(text.text, expected);
    assert_int_equal(text.size, strlen(expected));
    free(text.text);
}

static void a_file_is_replaced(void **state)
{
    struct scratch *scratch = *state;
    mode_t mask = umask(022);
    struct stat about;
    assert_int_equal(ct_file_save(scratch->path, "one", 3, NULL), CT_OK);
    assert_contents(scratch->path, "one");
    assert_int_equal(stat(scratch->path, &about), 0);
    assert_int_equal(about.st_mode & 0777, 0644);
    assert_int_equal(ct_file_save(scratch->path, "", 0, NULL), CT_OK);
    assert_contents(scratch->path, "");
    assert_int_equal(n_files(scratch), 1);
    umask(mask);
}

/* Until the end the old file is there; nobody sees a part. */
static void the_old_file_stays_until_the_end(void **state)
{
    struct scratch *scratch = *state;
    struct ct_file draft;
    assert_int_equal(ct_file_save(scratch->path, "old", 3, NULL), CT_OK);
    assert_int_equal(ct_file_create(scratch->path, &draft, NULL), CT_OK);
    ct_file_write(&draft, "new text", 8, 0);
    ct_file_truncate(&draft, 5);
    ct_file_write(&draft, "N", 1, 0);
    assert_contents(scratch->path, "old");
    assert_int_equal(ct_file_commit(&draft, NULL), CT_OK);
    assert_contents(scratch->path, "New t");
    assert_int_equal(ct_file_create(scratch->path, &draft, NULL), CT_OK);
    ct_file_write(&draft, "newer", 5, 0);
    ct_file_discard(&draft);
    assert_contents(scratch->path, "New t");
    assert_int_equal(n_files(scratch), 1);
}

static enum ct_status write_lines(FILE *out, const void *data, struct ct_error *err)
{
    (void)err;
    for (int i = 0; i < *(const int *)data; i++)
        fputs("a line of text\n", out);
    return CT_OK;
}

static enum ct_status write_and_fail(FILE *out, const void *data, struct ct_error *err)
{
    (void)data;
    fputs("the beginning", out);
    return ct_fail(err, CT_ENODATA, "no more");
}

/* A disk that is full after 4 KiB, as a limit of the process. */
static void a_full_disk_leaves_the_old_file_alone(void **state)
{
    struct scratch *scratch = *state;
    static const char zeros[100000];
    const int n_lines = 10000;
    struct rlimit usual, small;
    assert_int_equal(ct_file_save(scratch->path, "old", 3, NULL), CT_OK);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &usual), 0);
    small = (struct rlimit){4096, usual.rlim_max};
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    struct ct_error saved, made;
    enum ct_status save = ct_file_save(scratch->path, zeros, sizeof zeros, &saved);
    enum ct_status make = ct_file_make(scratch->path, write_lines, &n_lines, &made);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &usual), 0);
    assert_int_equal(save, CT_EIO);
    assert_int_equal(make, CT_EIO);
    assert_non_null(strstr(saved.text, scratch->path));
    assert_non_null(strstr(made.text, "File too large"));
    assert_contents(scratch->path, "old");
    assert_int_equal(n_files(scratch), 1);
}

static void an_unwritable_folder_leaves_the_old_file_alone(void **state)
{
    struct scratch *scratch = *state;
    struct ct_error err;
    char nowhere[128];
    snprintf(nowhere, sizeof nowhere, "%s/none/text", scratch->folder);
    assert_int_equal(ct_file_save(nowhere, "x", 1, &err), CT_EIO);
    assert_non_null(strstr(err.text, nowhere));
    assert_int_equal(ct_file_save(scratch->path, "old", 3, NULL), CT_OK);
    assert_int_equal(chmod(scratch->folder, 0500), 0);
    if (geteuid() != 0) { /* whom permissions do not stop */
        assert_int_equal(ct_file_save(scratch->path, "new", 3, &err), CT_EIO);
        assert_contents(scratch->path, "old");
    }
    assert_int_equal(chmod(scratch->folder, 0700), 0);
    /* A folder of that name cannot be renamed onto, by root either. */
    assert_int_equal(unlink(scratch->path), 0);
    assert_int_equal(mkdir(scratch->path, 0700), 0);
    assert_int_equal(ct_file_save(scratch->path, "new", 3, &err), CT_EIO);
    assert_int_equal(n_files(scratch), 1);
    assert_int_equal(rmdir(scratch->path), 0);
}

static void a_writer_that_fails_leaves_the_old_file_alone(void **state)
{
    struct scratch *scratch = *state;
    struct ct_error err;
    const int n_lines = 2;
    assert_int_equal(ct_file_make(scratch->path, write_lines, &n_lines, NULL), CT_OK);
    assert_int_equal(ct_file_make(scratch->path, write_and_fail, NULL, &err), CT_ENODATA);
    assert_non_null(strstr(err.text, "text: no more"));
    assert_contents(scratch->path, "a line of text\na line of text\n");
    assert_int_equal(n_files(scratch), 1);
}

static void links_and_devices_stay_what_they_are(void **state)
{
    struct scratch *scratch = *state;
    struct stat about;
    struct ct_error err;
    const int n_lines = 1;
    assert_int_equal(ct_file_save(scratch->path, "old", 3, NULL), CT_OK);
    assert_int_equal(symlink(scratch->path, scratch->link), 0);
    assert_int_equal(ct_file_make(scratch->link, write_lines, &n_lines, NULL), CT_OK);
    assert_int_equal(lstat(scratch->link, &about), 0);
    assert_true(S_ISLNK(about.st_mode));
    assert_contents(scratch->path, "a line of text\n");
    assert_int_equal(ct_file_save(scratch->link, "saved", 5, NULL), CT_OK);
    assert_contents(scratch->path, "saved");
    struct ct_file draft;
    assert_int_equal(ct_file_create(scratch->link, &draft, NULL), CT_OK);
    ct_file_write(&draft, "whole", 5, 0);
    assert_contents(scratch->path, "saved");
    assert_int_equal(ct_file_commit(&draft, NULL), CT_OK);
    assert_contents(scratch->path, "whole");
    assert_int_equal(lstat(scratch->link, &about), 0);
    assert_true(S_ISLNK(about.st_mode));

    assert_int_equal(unlink(scratch->path), 0);
    assert_int_equal(mkfifo(scratch->path, 0600), 0);
    assert_int_equal(ct_file_create(scratch->path, &draft, &err), CT_EIO);
    assert_non_null(strstr(err.text, "a pipe, whose place no file takes"));
    assert_int_equal(ct_file_create(scratch->link, &draft, &err), CT_EIO);
    assert_int_equal(lstat(scratch->path, &about), 0);
    assert_true(S_ISFIFO(about.st_mode));
    assert_int_equal(unlink(scratch->path), 0);
    assert_int_equal(ct_file_create(scratch->link, &draft, NULL), CT_OK); /* leads nowhere */
    ct_file_discard(&draft);

    assert_int_equal(ct_file_save("/dev/null", "x", 1, NULL), CT_OK);
    assert_int_equal(ct_file_save("/dev/full", "x", 1, &err), CT_EIO);
    assert_int_equal(ct_file_make("/dev/null", write_lines, &n_lines, NULL), CT_OK);
    assert_int_equal(ct_file_make("/dev/full", write_lines, &n_lines, &err), CT_EIO);
    assert_non_null(strstr(err.text, "No space left"));
}

static void files_are_read_whole_or_refused(void **state)
{
    struct scratch *scratch = *state;
    struct ct_text text = {.size = 77};
    struct ct_error err;
    char head[4];
    assert_int_equal(ct_file_read(scratch->path, &text, &err), CT_ENOENT);
    assert_int_equal(ct_file_read(scratch->folder, &text, &err), CT_EIO);
    assert_false(ct_file_head(scratch->path, head, sizeof head));
    assert_string_equal(head, "");
    assert_int_equal(ct_file_save(scratch->path, "a\0bcd", 5, NULL), CT_OK);
    assert_true(ct_file_head(scratch->path, head, sizeof head));
    assert_memory_equal(head, "a\0b", 4);
    assert_int_equal(truncate(scratch->path, (1 << 24) + 1), 0);
    assert_int_equal(ct_file_read(scratch->path, &text, &err), CT_EFORMAT);
    assert_int_equal(text.size, 77);
    assert_int_equal(truncate(scratch->path, 5), 0);
    assert_int_equal(ct_file_read(scratch->path, &text, NULL), CT_OK);
    assert_int_equal(text.size, 5);
    assert_memory_equal(text.text, "a\0bcd", 6);
    free(text.text);
}

/* What a pipe or a device has: its size is not known before its end. */
static void pipes_are_read_to_their_end(void **state)
{
    (void)state;
    enum { BYTES = 50000 };
    struct ct_text text;
    struct ct_error err;
    int ends[2];
    char name[32], bytes[BYTES];
    assert_int_equal(ct_file_read("/dev/null", &text, NULL), CT_OK);
    assert_int_equal(text.size, 0);
    free(text.text);
    assert_int_equal(ct_file_read("/dev/zero", &text, &err), CT_EFORMAT);
    assert_non_null(strstr(err.text, "larger than 16 MiB"));
    assert_int_equal(pipe(ends), 0);
    memset(bytes, 'x', BYTES);
    assert_int_equal(write(ends[1], bytes, BYTES), BYTES);
    close(ends[1]);
    snprintf(name, sizeof name, "/dev/fd/%d", ends[0]);
    assert_int_equal(ct_file_read(name, &text, NULL), CT_OK);
    close(ends[0]);
    assert_int_equal(text.size, BYTES);
    assert_memory_equal(text.text, bytes, BYTES);
    free(text.text);
}

static enum ct_status check_target(const char *path, enum ct_file_target target)
{
    return ct_file_check_target(path, target, NULL);
}

/* Nothing is created, and no name is refused that can be written. */
static void names_are_checked_before_the_work(void **state)
{
    const struct scratch *scratch = *state;
    char below[200], slash[200];
    snprintf(below, sizeof below, "%s/below", scratch->path);
    snprintf(slash, sizeof slash, "%s/", scratch->path);
    assert_int_equal(check_target(scratch->path, CT_FILE_REGULAR), CT_OK);
    assert_int_equal(check_target(scratch->path, CT_FILE_FOLDER), CT_OK);
    assert_int_equal(check_target(slash, CT_FILE_REGULAR), CT_EIO);
    assert_int_equal(check_target(slash, CT_FILE_FOLDER), CT_OK);
    assert_int_equal(access(scratch->path, F_OK), -1);
    assert_int_equal(check_target(below, CT_FILE_STREAM), CT_EIO); /* its folder is missing */
    assert_int_equal(ct_file_save(scratch->path, "a", 1, NULL), CT_OK);
    assert_int_equal(check_target(scratch->path, CT_FILE_REGULAR), CT_OK);
    assert_int_equal(check_target(scratch->path, CT_FILE_FOLDER), CT_EIO);
    assert_int_equal(check_target(below, CT_FILE_STREAM), CT_EIO); /* its folder is a file */
    assert_int_equal(check_target("/tmp", CT_FILE_STREAM), CT_EIO);
    assert_int_equal(check_target("/tmp", CT_FILE_FOLDER), CT_OK);
    assert_int_equal(check_target("/dev/null", CT_FILE_STREAM), CT_OK);
    assert_int_equal(check_target("/dev/null", CT_FILE_REGULAR), CT_EIO);
    assert_int_equal(check_target("-", CT_FILE_STREAM), CT_OK);
}

#define file_test(name) cmocka_unit_test_setup_teardown(name, make_scratch, remove_scratch)

int main(void)
{
    const struct CMUnitTest tests[] = {
        file_test(a_file_is_replaced),
        file_test(the_old_file_stays_until_the_end),
        file_test(a_full_disk_leaves_the_old_file_alone),
        file_test(an_unwritable_folder_leaves_the_old_file_alone),
        file_test(a_writer_that_fails_leaves_the_old_file_alone),
        file_test(links_and_devices_stay_what_they_are),
        file_test(files_are_read_whole_or_refused),
        cmocka_unit_test(pipes_are_read_to_their_end),
        file_test(names_are_checked_before_the_work),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
