/* The process that tries files before they are read. */
#include "results/trial.h"
#include "tests/unit/unit.h"

#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* One process can have it, and nothing gives it back. */
static int lock = -1;

static bool take_lock(void)
{
    uint64_t value;
    return read(lock, &value, sizeof value) == sizeof value;
}

static void look(const char *path)
{
    volatile uint64_t turns = 0;
    if (!strcmp(path, "crash"))
        raise(SIGSEGV);
    if (!strcmp(path, "abort"))
        abort();
    if (!strcmp(path, "end"))
        _exit(0);
    while (!strcmp(path, "busy"))
        turns++;
    if (!strcmp(path, "locked") || (!strcmp(path, "locked once") && take_lock()))
        pause();
}

static void one_process_tries_many_files(void **state)
{
    (void)state;
    struct ct_trial trial = {0};
    assert_true(ct_trial_survives(&trial, look, "good"));
    pid_t first = trial.process;
    assert_true(first > 0);
    for (size_t i = 0; i < 1000; i++)
        assert_true(ct_trial_survives(&trial, look, "good"));
    assert_int_equal(trial.process, first);
    ct_trial_end(&trial);
    assert_int_equal(trial.process, 0);
    assert_int_equal(kill(first, 0), -1);
    ct_trial_end(&trial);
}

static void slow_what_ends_the_process_is_found_and_the_next_file_is_tried(void **state)
{
    (void)state;
    static const char *const bad[] = {"crash", "abort", "end", "busy"};
    struct ct_trial trial = {0};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_true(ct_trial_survives(&trial, look, "good"));
        assert_false(ct_trial_survives(&trial, look, bad[i]));
        assert_true(ct_trial_survives(&trial, look, ""));
    }
    ct_trial_end(&trial);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); /* no child is left */
}

/* The limit counts from each file on, not from the start of the process. */
static void slow_small_files_do_not_add_up(void **state)
{
    (void)state;
    struct ct_trial trial = {0};
    clock_t start = clock();
    while (clock() - start < CLOCKS_PER_SEC / 4)
        assert_true(ct_trial_survives(&trial, look, "good"));
    assert_false(ct_trial_survives(&trial, look, "busy"));
    ct_trial_end(&trial);
}

/* As after fork() while another thread holds a lock. */
static void slow_a_process_that_stands_still_gives_way_to_a_new_one(void **state)
{
    (void)state;
    struct ct_trial trial = {0};
    lock = eventfd(1, EFD_NONBLOCK);
    assert_true(lock >= 0 && ct_trial_survives(&trial, look, "good"));
    pid_t first = trial.process;
    assert_true(ct_trial_survives(&trial, look, "locked once"));
    assert_true(trial.process > 0 && trial.process != first);
    assert_int_equal(kill(first, 0), -1);
    assert_true(ct_trial_survives(&trial, look, "locked"));
    assert_int_equal(trial.process, 0);
    assert_false(ct_trial_survives(&trial, look, "crash"));
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    close(lock);
}

static void the_next_file_is_tried_before_it_is_asked_about(void **state)
{
    (void)state;
    struct ct_trial trial = {0};
    ct_trial_begin(&trial, look, "good");
    pid_t first = trial.process;
    assert_true(first > 0 && ct_trial_survives(&trial, look, "good"));
    assert_true(ct_trial_survives(&trial, look, "good"));
    assert_int_equal(trial.process, first);
    ct_trial_begin(&trial, look, "crash");
    ct_trial_begin(&trial, look, "good"); /* one at a time */
    assert_false(ct_trial_survives(&trial, look, "crash"));
    /* An answer is never taken for that of another file. */
    ct_trial_begin(&trial, look, "good");
    assert_false(ct_trial_survives(&trial, look, "end"));
    ct_trial_begin(&trial, look, "end");
    assert_true(ct_trial_survives(&trial, look, "good"));
    ct_trial_begin(&trial, look, "locked");
    ct_trial_end(&trial);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
}

static void a_path_that_no_file_can_have_is_not_tried(void **state)
{
    (void)state;
    struct ct_trial trial = {0};
    static char path[2 * PATH_MAX];
    memset(path, 'x', sizeof path - 1);
    assert_true(ct_trial_survives(&trial, look, path));
    assert_int_equal(trial.process, 0);
    path[PATH_MAX - 1] = '\0';
    assert_true(ct_trial_survives(&trial, look, path));
    assert_true(trial.process > 0);
    ct_trial_end(&trial);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_process_tries_many_files),
        cmocka_unit_test(slow_what_ends_the_process_is_found_and_the_next_file_is_tried),
        cmocka_unit_test(slow_small_files_do_not_add_up),
        cmocka_unit_test(slow_a_process_that_stands_still_gives_way_to_a_new_one),
        cmocka_unit_test(the_next_file_is_tried_before_it_is_asked_about),
        cmocka_unit_test(a_path_that_no_file_can_have_is_not_tried)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
