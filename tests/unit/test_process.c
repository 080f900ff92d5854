/* campaign/process: exit codes, deadlines, groups, signals, logs. */
#include "campaign/process.h"
#include "tests/unit/unit.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* A folder for logs, made for each test. */
struct scratch {
    char folder[64], log[96];
};

static int make_scratch(void **state)
{
    struct scratch *scratch = calloc(1, sizeof *scratch);
    if (!scratch)
        return -1;
    snprintf(scratch->folder, sizeof scratch->folder, "/tmp/ct-process-XXXXXX");
    if (!mkdtemp(scratch->folder))
        return -1;
    snprintf(scratch->log, sizeof scratch->log, "%s/log", scratch->folder);
    *state = scratch;
    return 0;
}

static int remove_scratch(void **state)
{
    struct scratch *scratch = *state;
    unlink(scratch->log);
    rmdir(scratch->folder);
    free(scratch);
    return 0;
}

static struct ct_process start_shell(const struct scratch *scratch, const char *script)
{
    char *argv[] = {"/bin/sh", "-c", strdup(script), NULL};
    struct ct_process process;
    struct ct_error err;
    if (ct_process_start(argv, scratch->log, &process, &err) != CT_OK)
        fail_msg("%s", err.text);
    free(argv[2]);
    return process;
}

/* Generous: a busy machine must not fail the test. */
static double soon_s(void)
{
    return ct_clock_now_s() + 20;
}

/* The number that a script has printed, once it has. */
static pid_t read_pid(const struct scratch *scratch)
{
    for (double until_s = soon_s(); ct_clock_now_s() < until_s;) {
        char text[64];
        ct_process_tail(scratch->log, text, sizeof text);
        if (*text)
            return (pid_t)strtol(text, NULL, 10);
        ct_process_wait(NULL, 0, ct_clock_now_s() + 0.01);
    }
    fail_msg("the script printed nothing");
    return -1;
}

/* Zombies, which nobody may reap in a container, are gone. */
static bool is_alive(pid_t pid)
{
    char path[64], state = 'X';
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    FILE *file = fopen(path, "re");
    if (!file)
        return false;
    if (fscanf(file, "%*d (%*[^)]) %c", &state) != 1)
        state = 'X';
    fclose(file);
    return state != 'Z' && state != 'X';
}

static void assert_gone(pid_t pid)
{
    double until_s = soon_s();
    while (is_alive(pid) && ct_clock_now_s() < until_s)
        ct_process_wait(NULL, 0, ct_clock_now_s() + 0.01);
    assert_false(is_alive(pid));
}

/* ---- tests ---- */

static void exit_codes_are_reported(void **state)
{
    const struct {
        const char *script;
        int code;
    } cases[] = {{"exit 0", 0}, {"exit 7", 7}, {"kill -9 $$", 128 + 9}, {"kill -15 $$", 128 + 15}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct ct_process process = start_shell(*state, cases[i].script);
        struct ct_process *all[] = {&process};
        assert_int_equal(ct_process_wait(all, 1, soon_s()), CT_OK);
        assert_true(process.ended);
        assert_int_equal(process.code, cases[i].code);
        assert_true(process.end_s >= process.start_s);
        ct_process_end(&process, SIGTERM, 1); /* nothing to do */
    }
}

static void what_cannot_be_started_is_an_error(void **state)
{
    const struct scratch *scratch = *state;
    char *missing[] = {"/nowhere/program", NULL}, *folder[] = {"/tmp", NULL};
    char *shell[] = {"/bin/sh", NULL};
    struct ct_process process = {.pid = -5};
    struct ct_error err;
    assert_int_equal(ct_process_start(missing, scratch->log, &process, &err), CT_ENOENT);
    assert_non_null(strstr(err.text, "/nowhere/program: No such file"));
    assert_int_equal(ct_process_start(folder, scratch->log, &process, &err), CT_EIO);
    assert_non_null(strstr(err.text, "/tmp: Permission denied"));
    assert_int_equal(ct_process_start(shell, "/nowhere/log", &process, &err), CT_EIO);
    assert_non_null(strstr(err.text, "/nowhere/log"));
    assert_int_equal(process.pid, -5);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); /* no child left */
    assert_int_equal(errno, ECHILD);
}

static void a_deadline_ends_the_wait_and_not_the_process(void **state)
{
    struct ct_process process = start_shell(*state, "sleep 100");
    struct ct_process *all[] = {&process};
    double start_s = ct_clock_now_s();
    assert_int_equal(ct_process_wait(all, 1, start_s + 0.05), CT_ETIMEOUT);
    assert_true(ct_clock_now_s() >= start_s + 0.05);
    assert_false(process.ended);
    ct_process_end(&process, SIGTERM, 20);
    assert_true(process.ended);
    assert_int_equal(process.code, 128 + SIGTERM);
}

static void the_first_of_several_to_end_is_found(void **state)
{
    struct ct_process slow = start_shell(*state, "sleep 100");
    struct ct_process fast = start_shell(*state, "exit 3");
    struct ct_process *all[] = {&slow, &fast};
    assert_int_equal(ct_process_wait(all, 2, soon_s()), CT_OK);
    assert_true(fast.ended);
    assert_false(slow.ended);
    /* an ended one is passed over from then on */
    assert_int_equal(ct_process_wait(all, 2, ct_clock_now_s() + 0.02), CT_ETIMEOUT);
    ct_process_kill(&slow);
    assert_int_equal(slow.code, 128 + SIGKILL);
}

static void one_that_ignores_sigterm_is_killed(void **state)
{
    const struct scratch *scratch = *state;
    struct ct_process process =
        start_shell(scratch, "trap '' TERM; echo $$; while :; do sleep 0.1; done");
    read_pid(scratch);
    ct_process_end(&process, SIGTERM, 0.1);
    assert_true(process.ended);
    assert_int_equal(process.code, 128 + SIGKILL);
}

static void a_program_may_clean_up_after_sigterm(void **state)
{
    const struct scratch *scratch = *state;
    struct ct_process process = start_shell(
        scratch, "trap 'echo cleaned; exit 5' TERM; echo $$; while :; do sleep 0.05; done");
    read_pid(scratch);
    ct_process_end(&process, SIGTERM, 20);
    assert_int_equal(process.code, 5);
    char text[64];
    ct_process_tail(scratch->log, text, sizeof text);
    assert_non_null(strstr(text, "cleaned"));
}

static void all_of_a_group_ends_with_its_leader(void **state)
{
    const struct scratch *scratch = *state;
    struct ct_process process = start_shell(scratch, "sleep 100 & echo $!; exit 0");
    struct ct_process *all[] = {&process};
    assert_int_equal(ct_process_wait(all, 1, soon_s()), CT_OK);
    assert_gone(read_pid(scratch));
    unlink(scratch->log);
    process = start_shell(scratch, "sleep 100 & echo $!; wait");
    pid_t child = read_pid(scratch);
    assert_true(is_alive(child));
    ct_process_kill(&process);
    assert_gone(child);
}

static void programs_do_not_outlive_a_killed_caller(void **state)
{
    const struct scratch *scratch = *state;
    pid_t caller = fork();
    if (caller == 0) {
        struct ct_process process;
        char *argv[] = {"/bin/sh", "-c", "echo $$; exec sleep 100", NULL};
        ct_process_start(argv, scratch->log, &process, NULL);
        pause();
        _exit(0);
    }
    pid_t child = read_pid(scratch);
    assert_true(is_alive(child));
    kill(caller, SIGKILL);
    waitpid(caller, NULL, 0);
    assert_gone(child);
}

static void the_tail_is_one_line(void **state)
{
    const struct scratch *scratch = *state;
    char text[200];
    ct_process_tail("/nowhere/log", text, sizeof text);
    assert_string_equal(text, "");
    struct ct_process process =
        start_shell(scratch, "echo first; echo; printf '  second\\tpart\\n' >&2; printf third");
    struct ct_process *all[] = {&process};
    ct_process_wait(all, 1, soon_s());
    ct_process_tail(scratch->log, text, sizeof text);
    assert_string_equal(text, "first | second part | third");
    ct_process_tail(scratch->log, text, 8);
    assert_int_equal(strlen(text), 7);
    assert_non_null(strstr("first | second part | third", text + 3));
}

/* The end of a log under Open MPI's mpiexec. */
static void the_launchers_words_do_not_hide_the_programs(void **state)
{
    static const char rule[] =
        "--------------------------------------------------------------------------";
    const struct scratch *scratch = *state;
    char text[300];
    FILE *log = fopen(scratch->log, "w");
    assert_non_null(log);
    fprintf(log, "before\nout of cheese\n");
    fprintf(log,
            "%s\nPrimary job  terminated normally, but 1 process returned\n"
            "a non-zero exit code. Per user-direction, the job has been aborted.\n%s\n",
            rule, rule);
    fprintf(log,
            "%s\nmpiexec detected that one or more processes exited with non-zero status, "
            "thus causing\nthe job to be terminated. The first process to do so was:\n\n"
            "  Process name: [[15747,1],0]\n  Exit code:    3\n%s\n",
            rule, rule);
    fclose(log);
    ct_process_tail(scratch->log, text, sizeof text);
    assert_string_equal(text, "before | out of cheese");
    /* What names a cause stays. */
    log = fopen(scratch->log, "w");
    assert_non_null(log);
    fprintf(log, "%s\nThere are not enough slots available\n%s\nafter\n", rule, rule);
    fclose(log);
    ct_process_tail(scratch->log, text, sizeof text);
    assert_string_equal(text, "There are not enough slots available | after");
    remove(scratch->log);
}

static void standard_input_is_empty_and_logs_grow(void **state)
{
    const struct scratch *scratch = *state;
    char text[64];
    for (int i = 0; i < 2; i++) {
        struct ct_process process = start_shell(scratch, "cat; echo end");
        struct ct_process *all[] = {&process};
        assert_int_equal(ct_process_wait(all, 1, soon_s()), CT_OK);
    }
    ct_process_tail(scratch->log, text, sizeof text);
    assert_string_equal(text, "end | end");
}

struct work {
    bool waits;
    int result;
};

static int work(void *context)
{
    const struct work *given = context;
    while (given->waits)
        pause();
    return given->result;
}

static void a_copy_ends_with_what_its_function_returns(void **state)
{
    (void)state;
    struct work quick = {.result = 3}, slow = {.waits = true};
    struct ct_process copies[2];
    struct ct_process *all[] = {&copies[0], &copies[1]};
    assert_int_equal(ct_process_fork(work, &slow, &copies[0], NULL), CT_OK);
    assert_int_equal(ct_process_fork(work, &quick, &copies[1], NULL), CT_OK);
    assert_int_equal(ct_process_wait(all, 2, soon_s()), CT_OK);
    assert_false(copies[0].ended);
    assert_true(copies[1].ended);
    assert_int_equal(copies[1].code, 3);
    assert_int_equal(getpgid(copies[0].pid), copies[0].pid);
    ct_process_kill(&copies[0]);
    assert_int_equal(copies[0].code, 128 + SIGKILL);
}

/* Nor does what a copy has started. */
static void copies_do_not_outlive_a_killed_caller(void **state)
{
    const struct scratch *scratch = *state;
    pid_t caller = fork();
    if (caller == 0) {
        struct work slow = {.waits = true};
        struct ct_process copy;
        ct_process_fork(work, &slow, &copy, NULL);
        FILE *log = fopen(scratch->log, "w");
        if (log) {
            fprintf(log, "%d\n", (int)copy.pid);
            fclose(log);
        }
        pause();
        _exit(0);
    }
    pid_t copy = read_pid(scratch);
    assert_true(is_alive(copy));
    kill(caller, SIGKILL);
    waitpid(caller, NULL, 0);
    assert_gone(copy);
}

/* Last, since the flag stays. */
static void signals_end_a_wait_only(void **state)
{
    ct_process_catch_signals();
    raise(SIGTERM); /* held back */
    struct ct_process process = start_shell(*state, "sleep 100");
    struct ct_process *all[] = {&process};
    assert_int_equal(ct_process_wait(all, 1, soon_s()), CT_EINTR);
    assert_int_equal(ct_process_wait(NULL, 0, soon_s()), CT_EINTR);
    /* programs get signals as usual */
    ct_process_end(&process, SIGTERM, 20);
    assert_int_equal(process.code, 128 + SIGTERM);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, make_scratch, remove_scratch)
    const struct CMUnitTest tests[] = {
        TEST(exit_codes_are_reported),
        TEST(what_cannot_be_started_is_an_error),
        TEST(a_deadline_ends_the_wait_and_not_the_process),
        TEST(the_first_of_several_to_end_is_found),
        TEST(one_that_ignores_sigterm_is_killed),
        TEST(a_program_may_clean_up_after_sigterm),
        TEST(all_of_a_group_ends_with_its_leader),
        TEST(programs_do_not_outlive_a_killed_caller),
        TEST(a_copy_ends_with_what_its_function_returns),
        TEST(copies_do_not_outlive_a_killed_caller),
        TEST(the_tail_is_one_line),
        TEST(the_launchers_words_do_not_hide_the_programs),
        TEST(standard_input_is_empty_and_logs_grow),
        TEST(signals_end_a_wait_only),
    };
#undef TEST
    return cmocka_run_group_tests(tests, NULL, NULL);
}
