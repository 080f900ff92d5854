/* simulate/call_times.h and spans_file.h, on observations made by hand. */
#include "lp-bridge/goal/goal.h"
#include "simulate/call_times.h"
#include "simulate/spans_file.h"
#include "unit.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORK, ASKED, SENT }; /* operations of each rank */
enum { PER_RANK = 3, RANKS = 2 };

/* Two ranks that compute, post a receive, send, and wait for the receive. */
static struct ct_goal exchange(bool has_calls)
{
    struct ct_goal_builder *builder = ct_goal_builder_new(RANKS);
    struct ct_goal goal;
    for (uint32_t rank = 0; rank < RANKS; rank++) {
        ct_goal_begin_rank(builder, rank);
        ct_goal_add(builder, (struct ct_goal_op){.kind = CT_GOAL_CALC, .amount = 100});
        if (has_calls)
            ct_goal_begin_call_at(builder, "MPI_Irecv", NULL);
        ct_goal_add(builder,
                    (struct ct_goal_op){.kind = CT_GOAL_RECV, .amount = 8, .peer = 1 - rank});
        if (has_calls)
            ct_goal_begin_call_at(builder, "MPI_Send", NULL);
        ct_goal_add(builder,
                    (struct ct_goal_op){.kind = CT_GOAL_SEND, .amount = 8, .peer = 1 - rank});
        if (has_calls)
            ct_goal_waited_in(builder, ASKED, ASKED,
                              ct_goal_begin_call_at(builder, "MPI_Wait", NULL));
    }
    assert_int_equal(ct_goal_build(builder, &goal, NULL), CT_OK);
    return goal;
}

static void tell(const struct ct_observer *observer, uint32_t pass, uint32_t rank, uint32_t op,
                 enum ct_time_part part, bool waits, double begin_ns, double end_ns)
{
    const struct ct_time_span span = {.pass = pass,
                                      .rank = rank,
                                      .op = rank * PER_RANK + op,
                                      .next = waits ? rank * PER_RANK : CT_TIME_NO_OP,
                                      .part = part,
                                      .begin_ns = begin_ns,
                                      .end_ns = end_ns};
    observer->span(observer->context, &span);
}

/* A pass of a rank: 100 compute, 10 to send, 20 + 30 wait for the receive, 5 to copy. */
static void tell_pass(const struct ct_observer *observer, uint32_t pass, uint32_t rank,
                      double begin_ns)
{
    tell(observer, pass, rank, WORK, CT_TIME_COMPUTE, false, begin_ns, begin_ns + 100);
    tell(observer, pass, rank, SENT, CT_TIME_STACK, false, begin_ns + 100, begin_ns + 110);
    tell(observer, pass, rank, ASKED, CT_TIME_SYNC, true, begin_ns + 110, begin_ns + 130);
    tell(observer, pass, rank, ASKED, CT_TIME_NETWORK, true, begin_ns + 130, begin_ns + 160);
    tell(observer, pass, rank, ASKED, CT_TIME_STACK, false, begin_ns + 160, begin_ns + 165);
}

static void end_pass(const struct ct_observer *observer, uint32_t pass, uint32_t rank,
                     double begin_ns, double end_ns)
{
    const struct ct_observed_rank ended = {
        .pass = pass, .rank = rank, .begin_ns = begin_ns, .end_ns = end_ns};
    observer->rank(observer->context, &ended);
}

static void assert_row(const struct ct_call_time *row, const char *name, uint64_t count,
                       double stack_ns, double sync_ns, double network_ns)
{
    assert_string_equal(row->name, name);
    assert_int_equal(row->count, count);
    assert_near(row->part_ns[CT_TIME_COMPUTE], 0, 0);
    assert_near(row->part_ns[CT_TIME_STACK], stack_ns, 1e-9);
    assert_near(row->part_ns[CT_TIME_SYNC], sync_ns, 1e-9);
    assert_near(row->part_ns[CT_TIME_NETWORK], network_ns, 1e-9);
}

/* An exchange that is watched. */
struct watched {
    struct ct_goal goal;
    struct ct_call_times *times;
    struct ct_observer observer;
};

static void begin(struct watched *watched, bool has_calls)
{
    watched->goal = exchange(has_calls);
    assert_int_equal(ct_call_times_new(&watched->goal, 1, &watched->times, NULL), CT_OK);
    watched->observer = ct_call_times_observer(watched->times);
}

static void end(struct watched *watched)
{
    ct_call_times_free(watched->times);
    ct_goal_free(&watched->goal);
}

static void waits_are_of_the_call_that_waits(void **state)
{
    (void)state;
    struct watched watched;
    struct ct_call_time rows[CT_GOAL_CALLS_MAX];
    begin(&watched, true);
    for (uint32_t rank = 0; rank < RANKS; rank++) {
        tell_pass(&watched.observer, 0, rank, 0);
        end_pass(&watched.observer, 0, rank, 0, 165);
    }
    assert_int_equal(ct_call_times_rows(watched.times, 0, rows), 3);
    assert_row(&rows[0], "MPI_Wait", 2, 10, 40, 60);
    assert_row(&rows[1], "MPI_Send", 2, 20, 0, 0);
    assert_row(&rows[2], "MPI_Irecv", 2, 0, 0, 0);
    end(&watched);
}

static void a_schedule_without_calls_has_kinds(void **state)
{
    (void)state;
    struct watched watched;
    struct ct_call_time rows[CT_GOAL_CALLS_MAX];
    begin(&watched, false);
    assert_null(watched.goal.calls);
    tell_pass(&watched.observer, 0, 0, 0);
    end_pass(&watched.observer, 0, 0, 0, 165);
    assert_int_equal(ct_call_times_rows(watched.times, 0, rows), 2);
    assert_row(&rows[0], "recv", 2, 5, 20, 30);
    assert_row(&rows[1], "send", 2, 10, 0, 0);
    end(&watched);
}

/* Passes are means; what a simulation did not end is none, and the next simulation begins at 0. */
static void passes_that_did_not_end_do_not_count(void **state)
{
    (void)state;
    struct watched watched;
    struct ct_call_time rows[CT_GOAL_CALLS_MAX];
    begin(&watched, true);
    for (uint32_t pass = 0; pass < 2; pass++) {
        tell_pass(&watched.observer, pass, 0, 165 * pass);
        end_pass(&watched.observer, pass, 0, 165 * pass, 165 * (pass + 1));
    }
    tell(&watched.observer, 2, 0, ASKED, CT_TIME_SYNC, true, 330, 900);
    tell(&watched.observer, 0, 0, ASKED, CT_TIME_SYNC, true, 0, 11);
    end_pass(&watched.observer, 0, 0, 0, 11);
    assert_int_equal(ct_call_times_rows(watched.times, 0, rows), 3);
    assert_row(&rows[0], "MPI_Wait", 2, 10.0 / 3, (20 + 20 + 11) / 3.0, 60.0 / 3);
    end(&watched);
}

/* However long a pass becomes, all time is in the course, each part at its time. */
static void the_course_has_all_time_where_it_was(void **state)
{
    (void)state;
    struct watched watched;
    begin(&watched, true);
    const double origin_ns = 5000;
    double at_ns = origin_ns, sum_ns[CT_TIME_PARTS] = {0}, found_ns[CT_TIME_PARTS] = {0};
    for (int i = 0; i < 400; i++) {
        enum ct_time_part part = i < 100   ? CT_TIME_COMPUTE
                                 : i < 200 ? CT_TIME_SYNC
                                           : CT_TIME_NETWORK;
        double length_ns = 1 + (i * 7 % 10);
        tell(&watched.observer, 0, 0, ASKED, part, part != CT_TIME_COMPUTE, at_ns,
             at_ns + length_ns);
        sum_ns[part] += length_ns;
        at_ns += length_ns;
    }
    const struct ct_time_course *course = ct_call_times_course(watched.times, 0);
    assert_in_range(course->n, CT_TIME_COURSE_MAX / 2, CT_TIME_COURSE_MAX);
    assert_true(course->step_ns * (double)course->n >= at_ns - origin_ns);
    for (size_t step = 0; step < course->n; step++) {
        double all_ns = 0;
        for (int part = 0; part < CT_TIME_PARTS; part++) {
            all_ns += course->part_ns[step][part];
            found_ns[part] += course->part_ns[step][part];
        }
        if (step + 1 < course->n)
            assert_near(all_ns, course->step_ns, 1e-6);
        if ((double)step * course->step_ns >= sum_ns[CT_TIME_COMPUTE])
            assert_near(course->part_ns[step][CT_TIME_COMPUTE], 0, 0);
    }
    for (int part = 0; part < CT_TIME_PARTS; part++)
        assert_near(found_ns[part], sum_ns[part], 1e-6);
    end(&watched);
}

/* Simulations of different lengths: what each took, whichever is added to the other. */
static void simulations_are_added(void **state)
{
    (void)state;
    struct watched watched[2];
    struct ct_call_time rows[CT_GOAL_CALLS_MAX];
    enum { LONGER = 50 };
    for (int into = 0; into < 2; into++) {
        double found_ns = 0, compute_ns = 0;
        for (int i = 0; i < 2; i++) {
            begin(&watched[i], true);
            tell_pass(&watched[i].observer, 0, 0, 0);
            if (i == 1) /* the second waits much longer for its receive */
                tell(&watched[i].observer, 0, 0, ASKED, CT_TIME_SYNC, true, 165, 165 * LONGER);
            end_pass(&watched[i].observer, 0, 0, 0, i == 1 ? 165 * LONGER : 165);
        }
        ct_call_times_add(watched[into].times, watched[1 - into].times);
        assert_int_equal(ct_call_times_rows(watched[into].times, 0, rows), 3);
        assert_row(&rows[0], "MPI_Wait", 2, 5, (20 + 20 + 165 * (LONGER - 1)) / 2.0, 30);
        assert_row(&rows[1], "MPI_Send", 2, 10, 0, 0);
        const struct ct_time_course *course = ct_call_times_course(watched[into].times, 0);
        assert_near(course->step_ns, 256, 0); /* 64 steps of 128 ns are 8192 < 8250 */
        assert_int_equal(course->n, 33);
        for (size_t step = 0; step < course->n; step++)
            for (int part = 0; part < CT_TIME_PARTS; part++)
                found_ns += course->part_ns[step][part];
        assert_near(found_ns, 165 * (LONGER + 1), 1e-9);
        for (size_t step = 0; step < course->n; step++)
            compute_ns += course->part_ns[step][CT_TIME_COMPUTE];
        assert_near(compute_ns, 200, 1e-9);
        assert_near(course->part_ns[0][CT_TIME_COMPUTE], 200, 1e-9);
        end(&watched[0]);
        end(&watched[1]);
    }
}

/* ---- the file for viewers ---- */

static const char *text_in(const cJSON *event, const char *key)
{
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItem(event, key));
    return text ? text : "";
}

static double number_in(const cJSON *event, const char *key)
{
    return cJSON_GetNumberValue(cJSON_GetObjectItem(event, key));
}

static cJSON *file_of(const struct ct_goal *goal)
{
    static const char *const names[] = {"an \"exchange\""};
    struct ct_spans_file *file;
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    assert_int_equal(ct_spans_file_begin(goal, names, 1, out, &file, NULL), CT_OK);
    const struct ct_observer observer = ct_spans_file_observer(file);
    for (int simulation = 0; simulation < 2; simulation++)
        for (uint32_t rank = 0; rank < RANKS; rank++) {
            const struct ct_observed_message message = {
                .op = {rank * PER_RANK + SENT, (1 - rank) * PER_RANK + ASKED},
                .rank = {rank, 1 - rank},
                .posted_ns = {100, 101},
                .ended_ns = {110, 165}};
            tell_pass(&observer, 0, rank, 0);
            if (rank == 0) /* the same once more is one slice */
                tell(&observer, 0, rank, ASKED, CT_TIME_STACK, false, 165, 170);
            observer.message(observer.context, &message);
            end_pass(&observer, 0, rank, 0, 170);
            tell_pass(&observer, 1, rank, 170); /* not the first pass */
        }
    ct_spans_file_end(file);
    assert_int_equal(fclose(out), 0);
    cJSON *json = cJSON_Parse(text);
    assert_non_null(json);
    free(text);
    return json;
}

static void the_file_has_the_first_pass(void **state)
{
    (void)state;
    static const struct {
        const char *part, *call;
        double begin_us, end_us;
    } slices[] = {{"compute", "", 0, .1},
                  {"stack", "MPI_Send", .1, .11},
                  {"sync", "MPI_Wait", .11, .13},
                  {"network", "MPI_Wait", .13, .16},
                  {"stack", "MPI_Wait", .16, .17}};
    enum { SLICES = sizeof slices / sizeof *slices };
    struct ct_goal goal = exchange(true);
    cJSON *json = file_of(&goal);
    const cJSON *event;
    int n_slices = 0, n_sent = 0, n_received = 0;
    cJSON_ArrayForEach(event, cJSON_GetObjectItem(json, "traceEvents"))
    {
        n_sent += strcmp(text_in(event, "ph"), "s") == 0;
        n_received += strcmp(text_in(event, "ph"), "f") == 0;
        if (strcmp(text_in(event, "ph"), "X") != 0)
            continue;
        int rank = n_slices / SLICES, i = n_slices % SLICES;
        assert_string_equal(text_in(event, "name"), slices[i].part);
        assert_string_equal(text_in(cJSON_GetObjectItem(event, "args"), "call"), slices[i].call);
        assert_near(number_in(event, "tid"), rank + 1, 0);
        assert_near(number_in(event, "ts"), slices[i].begin_us, 1e-9);
        double end_us = rank == 1 && i == SLICES - 1 ? .165 : slices[i].end_us;
        assert_near(number_in(event, "ts") + number_in(event, "dur"), end_us, 1e-9);
        n_slices++;
    }
    assert_int_equal(n_slices, RANKS * SLICES);
    assert_int_equal(n_sent, RANKS);
    assert_int_equal(n_received, RANKS);
    cJSON_Delete(json);
    ct_goal_free(&goal);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(waits_are_of_the_call_that_waits),
        cmocka_unit_test(a_schedule_without_calls_has_kinds),
        cmocka_unit_test(passes_that_did_not_end_do_not_count),
        cmocka_unit_test(the_course_has_all_time_where_it_was),
        cmocka_unit_test(simulations_are_added),
        cmocka_unit_test(the_file_has_the_first_pass),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
