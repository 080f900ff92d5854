/* campaign/schedstat, campaign/waits: times that threads waited, found, added up and put into a
 * run. */
#include "campaign/schedstat.h"
#include "campaign/waits.h"
#include "tests/unit/run_example.h"
#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- one file ---- */

static void a_file_has_three_numbers(void **state)
{
    (void)state;
    struct ct_schedstat stat = {7, 8};
    assert_true(ct_schedstat_parse("1041683 4078656 6\n", &stat));
    assert_int_equal(stat.used_ns, 1041683);
    assert_int_equal(stat.waited_ns, 4078656);
    const char *const bad[] = {"",      "1 2",      "-1 2 3",  "1 -2 3",
                               "a b c", "1 2 3 \t", "1.5 2 3", "1 2 3 4"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (ct_schedstat_parse(bad[i], &stat))
            fail_msg("'%s' is taken", bad[i]);
    assert_int_equal(stat.used_ns, 1041683);
}

/* ---- a made-up /proc ---- */

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "we");
    if (!file || fputs(text, file) < 0 || fclose(file) != 0)
        fail_msg("%s: cannot be written", path);
}

static void make_thread(int pid, int tid, int used_ns, int waited_ns, const char *children)
{
    char path[80], text[80];
    snprintf(path, sizeof path, "proc/%d", pid);
    mkdir(path, 0777);
    snprintf(path, sizeof path, "proc/%d/task", pid);
    mkdir(path, 0777);
    snprintf(path, sizeof path, "proc/%d/task/%d", pid, tid);
    mkdir(path, 0777);
    snprintf(path, sizeof path, "proc/%d/task/%d/schedstat", pid, tid);
    snprintf(text, sizeof text, "%d %d 1\n", used_ns, waited_ns);
    write_text(path, text);
    snprintf(path, sizeof path, "proc/%d/task/%d/children", pid, tid);
    write_text(path, children);
}

static void end_thread(int pid, int tid)
{
    char command[80];
    snprintf(command, sizeof command, "proc/%d/task/%d/schedstat", pid, tid);
    unlink(command);
    snprintf(command, sizeof command, "proc/%d/task/%d/children", pid, tid);
    unlink(command);
    snprintf(command, sizeof command, "proc/%d/task/%d", pid, tid);
    rmdir(command);
}

static void assert_sum(struct ct_schedstat_watch *watch, uint64_t used_ns, uint64_t waited_ns)
{
    struct ct_schedstat sum = ct_schedstat_sum(watch);
    assert_int_equal(sum.used_ns, used_ns);
    assert_int_equal(sum.waited_ns, waited_ns);
}

static void threads_and_descendants_are_added_up(void **state)
{
    (void)state;
    struct ct_schedstat_watch watch = {.proc = "proc", .left_out = 40};
    mkdir("proc", 0777);
    make_thread(10, 10, 100, 10, "20 40 ");
    make_thread(10, 11, 200, 20, "");
    make_thread(20, 20, 300, 30, "30");
    make_thread(30, 30, 400, 40, "");
    make_thread(40, 40, 5000, 5000, ""); /* the watcher itself */
    make_thread(50, 50, 6000, 6000, ""); /* somebody else */
    assert_true(ct_schedstat_sample(&watch, 10));
    assert_sum(&watch, 1000, 100);
    ct_schedstat_free(&watch);
}

static void what_ended_still_counts(void **state)
{
    (void)state;
    struct ct_schedstat_watch watch = {.proc = "proc"};
    mkdir("proc", 0777);
    make_thread(10, 10, 100, 10, "");
    make_thread(10, 11, 200, 20, "");
    assert_true(ct_schedstat_sample(&watch, 10));
    end_thread(10, 11);
    make_thread(10, 10, 150, 15, "");
    assert_true(ct_schedstat_sample(&watch, 10));
    assert_int_equal(watch.n_threads, 1);
    assert_sum(&watch, 350, 35);
    make_thread(10, 10, 10, 1, ""); /* its number is that of another one now */
    assert_true(ct_schedstat_sample(&watch, 10));
    assert_sum(&watch, 360, 36);
    end_thread(10, 10);
    assert_false(ct_schedstat_sample(&watch, 10));
    assert_sum(&watch, 360, 36);
    assert_false(ct_schedstat_sample(&watch, 77));
    ct_schedstat_free(&watch);
}

static void processes_that_start_each_other_in_a_circle_end_the_walk(void **state)
{
    (void)state;
    struct ct_schedstat_watch watch = {.proc = "proc"};
    mkdir("proc", 0777);
    make_thread(10, 10, 100, 10, "20");
    make_thread(20, 20, 100, 10, "10");
    assert_true(ct_schedstat_sample(&watch, 10));
    assert_sum(&watch, 200, 20);
    ct_schedstat_free(&watch);
}

static void stolen_time_is_in_the_first_line(void **state)
{
    (void)state;
    struct ct_machine_times times = {-1, -1};
    double per_s = (double)sysconf(_SC_CLK_TCK);
    assert_true(ct_machine_times_parse("cpu  100 20 30 4000 50 6 7 80 9 10\ncpu0 1 2\n", &times));
    assert_near(times.busy_s, 163 / per_s, 1e-9);
    assert_near(times.stolen_s, 80 / per_s, 1e-9);
    assert_true(ct_machine_times_parse("cpu 1 2 3 4 5 6 7 8\n", &times));
    times.busy_s = -1;
    assert_false(ct_machine_times_parse("cpu 1 2 3 4 5 6 7\n", &times)); /* before Linux 2.6.11 */
    assert_false(ct_machine_times_parse("cpu0 1 2 3 4 5 6 7 8\n", &times));
    assert_false(ct_machine_times_parse("", &times));
    assert_near(times.busy_s, -1, 0);
    assert_true(ct_machine_times_read("/proc", &times));
    assert_true(times.busy_s > 0 && times.stolen_s >= 0);
    assert_false(ct_machine_times_read("nowhere", &times));
}

/* ---- shares ---- */

static void a_share_is_of_the_time_of_a_thread(void **state)
{
    (void)state;
    assert_near(ct_waits_frac(10, 4, 3), 0.3, 1e-12);
    /* Four threads that are runnable all the time: each waited a quarter of it. */
    assert_near(ct_waits_frac(10, 30, 10), 0.25, 1e-12);
    assert_near(ct_waits_frac(10, 0, 0), 0, 0);
    assert_true(isnan(ct_waits_frac(0, 0, 0)));
}

static void stolen_time_is_that_of_who_ran(void **state)
{
    (void)state;
    assert_near(ct_waits_stolen(3, 12, 4), 1, 1e-12);
    assert_near(ct_waits_stolen(3, 0, 0), 0, 0);
    assert_near(ct_waits_stolen(3, 12, -1), 0, 0); /* a machine that has moved */
    assert_true(isnan(ct_waits_stolen(3, NAN, NAN)));
}

#define HEAD "crosstalk-waits 1\n"

static struct ct_waits read_rank(const char *text, double window_s)
{
    struct ct_waits waits;
    struct ct_error err;
    if (ct_waits_of_rank(text, window_s, &waits, &err) != CT_OK)
        fail_msg("%s", err.text);
    return waits;
}

static void a_window_is_at_the_end(void **state)
{
    (void)state;
    /* 2 s in which it only waited, then 10 s in which it waited for 1 s. */
    static const char text[] = HEAD "100.0 0 0\n102.0 0 2000000000\n"
                                    "112.0 4000000000 3000000000\nend 112.0\n";
    struct ct_waits waits = read_rank(text, INFINITY);
    assert_near(waits.wall_s, 12, 1e-9);
    assert_near(waits.waited_s, 3, 1e-9);
    assert_near(waits.wait_frac, 0.25, 1e-9);
    assert_near(waits.n_ranks, 1, 0);
    waits = read_rank(text, 10);
    assert_near(waits.waited_s, 1, 1e-9);
    assert_near(waits.used_s, 4, 1e-9);
    assert_near(waits.wait_frac, 0.1, 1e-9);
    waits = read_rank(text, 11); /* from the middle of the first stretch */
    assert_near(waits.wall_s, 11, 1e-9);
    assert_near(waits.waited_s, 2, 1e-9);
    assert_near(read_rank(text, 100).wait_frac, 0.25, 1e-9);
}

static void stolen_time_is_a_part_of_the_rank_s_time(void **state)
{
    (void)state;
    /* The rank runs for 6 of 10 s; meanwhile the machine is busy for 12 s, and 4 s are stolen. */
    struct ct_waits waits =
        read_rank(HEAD "100 0 0 50.00 7.00\n110 6000000000 0 62.00 11.00\nend 110\n", INFINITY);
    assert_near(waits.stolen_s, 2, 1e-9);
    assert_near(waits.stolen_frac, 0.2, 1e-9);
    assert_near(waits.wait_frac, 0, 0);
    waits = read_rank(HEAD "100 0 0\n110 6000000000 0\nend 110\n", INFINITY);
    assert_true(isnan(waits.stolen_s) && isnan(waits.stolen_frac));
}

static void a_watcher_that_was_killed_left_what_it_saw(void **state)
{
    (void)state;
    static const char text[] = HEAD "5 1000 0\n7 500000000 1000000000\n9 9000000";
    struct ct_waits waits = read_rank(text, INFINITY);
    assert_near(waits.wall_s, 2, 1e-9);
    assert_near(waits.wait_frac, 0.5, 1e-9);
    /* The rank ended after the last sample. */
    waits = read_rank(HEAD "5 1 0\n7 10 1000000000\n9 20 1000000000\nend 10\n", 3);
    assert_near(waits.wall_s, 2, 1e-9);
    assert_near(waits.waited_s, 0, 1e-9);
}

static void what_is_not_counted_is_no_zero(void **state)
{
    (void)state;
    const struct {
        const char *text;
        enum ct_status status;
        const char *part;
    } cases[] = {{HEAD "none\nend 3\n", CT_EUNSUPPORTED, "does not count"},
                 {HEAD "1 0 0\n2 0 0\nend 3\n", CT_EUNSUPPORTED, "delayacct"},
                 {HEAD "1 100 100\nend 3\n", CT_ENODATA, "too short"},
                 {HEAD, CT_ENODATA, "too short"},
                 {HEAD "1 100 100\n1 100 100\n", CT_ENODATA, "too short"},
                 {"", CT_EFORMAT, "not written by"},
                 {"crosstalk-waits 2\n", CT_EFORMAT, "not written by"},
                 {HEAD "1 100 100\n0.5 200 200\n", CT_EFORMAT, "line 3"},
                 {HEAD "1 100 100\n2 99 200\n", CT_EFORMAT, "line 3"},
                 {HEAD "1 nan 100\n", CT_EFORMAT, "line 2"},
                 {HEAD "1 100\n", CT_EFORMAT, "line 2"},
                 {HEAD "1 100 100 5\n", CT_EFORMAT, "line 2"},
                 {HEAD "1 100 100 5 -1\n", CT_EFORMAT, "line 2"},
                 {HEAD "end inf\n", CT_EFORMAT, "line 2"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct ct_waits waits = {.n_ranks = 5};
        struct ct_error err = {0};
        if (ct_waits_of_rank(cases[i].text, INFINITY, &waits, &err) != cases[i].status ||
            !strstr(err.text, cases[i].part))
            fail_msg("case %zu: %s", i, err.text);
        assert_near(waits.n_ranks, 5, 0);
    }
}

static void ranks_are_added_up(void **state)
{
    (void)state;
    struct ct_waits sum = {0};
    const struct ct_waits a = {1, 10, 5, 1, 0.1, 0.1, 2, 0.2},
                          b = {1, 30, 10, 9, 0.3, 0.3, 1, 0.04};
    ct_waits_add(&sum, &a);
    ct_waits_add(&sum, &b);
    assert_near(sum.n_ranks, 2, 0);
    assert_near(sum.wall_s, 40, 0);
    assert_near(sum.used_s, 15, 0);
    assert_near(sum.waited_s, 10, 0);
    assert_near(sum.wait_frac, 0.25, 1e-12);
    assert_near(sum.wait_max_frac, 0.3, 0);
    assert_near(sum.stolen_s, 3, 0);
    assert_near(sum.stolen_frac, 0.08, 1e-12);
}

/* ---- facts of a run ---- */

static double number(const struct ct_run *run, const char *key)
{
    double value = ct_run_number(&run->info, key);
    if (isnan(value))
        fail_msg("%s: missing", key);
    return value;
}

static void a_run_gets_the_times_of_its_programs(void **state)
{
    (void)state;
    struct ct_run run = example_run(CT_RUN_RUNTIME, 1), back;
    struct ct_error err;
    run.runtimes[0] = (struct ct_runtime){0, 10};
    assert_int_equal(ct_run_write("run.h5", &run, &err), CT_OK);
    mkdir("waits", 0777);
    /* 5 s to start, in which it waits; then a pass of 10 s. */
    write_text("waits/measured.a", HEAD "0 0 0\n5 1 5000000000\n15 2 6000000000\nend 15\n");
    write_text("waits/measured.b", HEAD "0 0 0\n5 1 5000000000\n15 2 8000000000\nend 15\n");
    write_text("waits/background.a", HEAD "0 0 0 7 3\n10 2000000000 5000000000 11 5\nend 10\n");
    write_text("waits/background.b", HEAD "0 0 0 7 3\n10 2000000000 5000000000 11 5\nend 10\n");
    write_text("waits/background2.a", HEAD "none\nend 10\n");
    const struct ct_waits_program programs[] = {{"measured", 1, true},
                                                {"background", 2, false},
                                                {"background2", 1, false},
                                                {"background3", 1, false}};
    assert_int_equal(ct_waits_keep("waits", programs, 4, "run.h5", &err), CT_OK);
    assert_int_equal(ct_run_read("run.h5", &back, &err), CT_OK);
    assert_near(number(&back, "cpu_measured_ranks"), 2, 0);
    assert_near(number(&back, "cpu_measured_wall_s"), 20, 1e-9);
    assert_near(number(&back, "cpu_measured_wait_s"), 4, 1e-9);
    assert_near(number(&back, "cpu_measured_wait_frac"), 0.2, 1e-9);
    assert_near(number(&back, "cpu_measured_wait_max_frac"), 0.3, 1e-9);
    /* Two passes of one rank each. */
    assert_near(number(&back, "cpu_background_ranks"), 1, 0);
    assert_near(number(&back, "cpu_background_wait_frac"), 0.5, 1e-9);
    assert_near(number(&back, "cpu_background_stolen_s"), 2, 1e-9);
    assert_near(number(&back, "cpu_background_stolen_frac"), 0.1, 1e-9);
    assert_true(isnan(ct_run_number(&back.info, "cpu_measured_stolen_frac"))); /* not recorded */
    assert_true(isnan(ct_run_number(&back.info, "cpu_background2_wait_frac")));
    assert_non_null(strstr(ct_run_text(&back.info, "cpu_background2_unknown"), "does not count"));
    assert_string_equal(ct_run_text(&back.info, "cpu_background3_unknown"), "no rank was watched");
    assert_int_equal(back.n_runtimes, run.n_runtimes);
    assert_near(back.runtimes[0].duration_s, 10, 0);
    ct_run_free(&run);
    ct_run_free(&back);
}

int main(void)
{
#define IN_FOLDER(name)                                                                            \
    cmocka_unit_test_setup_teardown(name, example_folder_enter, example_folder_leave)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_has_three_numbers),
        IN_FOLDER(threads_and_descendants_are_added_up),
        IN_FOLDER(what_ended_still_counts),
        IN_FOLDER(processes_that_start_each_other_in_a_circle_end_the_walk),
        cmocka_unit_test(stolen_time_is_in_the_first_line),
        cmocka_unit_test(a_share_is_of_the_time_of_a_thread),
        cmocka_unit_test(stolen_time_is_that_of_who_ran),
        cmocka_unit_test(a_window_is_at_the_end),
        cmocka_unit_test(stolen_time_is_a_part_of_the_rank_s_time),
        cmocka_unit_test(a_watcher_that_was_killed_left_what_it_saw),
        cmocka_unit_test(what_is_not_counted_is_no_zero),
        cmocka_unit_test(ranks_are_added_up),
        IN_FOLDER(a_run_gets_the_times_of_its_programs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
