/* trace/convert: schedules of traces whose run time is known by hand. */
#include "core/cancel.h"
#include "program_by_hand.h"
#include "trace/input/input.h"
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct ct_convert_options scaled(double scale)
{
    struct ct_convert_options options = ct_convert_defaults();
    options.compute_scale = scale;
    return options;
}

/* ---- messages ---- */

static void time_between_calls_is_compute_and_time_in_them_is_not(void **state)
{
    (void)state;
    for (uint64_t compute_ns = 0; compute_ns <= 4000; compute_ns += 500) {
        struct traced_program program = nonblocking_ring(compute_ns);
        /* The send starts after 10 + 10; what is computed meanwhile starts when its overhead is
         * paid; the wait ends when both are through; 50 more to the end. */
        double expected = fmax(20 + o + (double)compute_ns, 20 + message(8)) + 50;
        assert_near(runtime(&program, NULL), expected, 1e-9);
        program_free(&program);
    }
}

/* A schedule as it is written: what a receive and a send that do not block become, with the compute
 * around them, and who waits for what. */
static void the_schedule_is_as_it_was(void **state)
{
    (void)state;
    static const char golden[] = "num_ranks 2\n"
                                 "\n"
                                 "rank 0 {\n"
                                 "l1: calc 10\n"
                                 "l2: recv 8b from 1 tag 7\n"
                                 "l3: calc 10\n"
                                 "l4: send 8b to 1 tag 7\n"
                                 "l5: calc 4000\n"
                                 "l6: calc 50\n"
                                 "l2 requires l1\n"
                                 "l3 irequires l2\n"
                                 "l4 requires l3\n"
                                 "l5 irequires l4\n"
                                 "l6 requires l5\n"
                                 "l6 requires l2\n"
                                 "l6 requires l4\n"
                                 "}\n"
                                 "\n"
                                 "rank 1 {\n"
                                 "l1: calc 10\n"
                                 "l2: recv 8b from 0 tag 7\n"
                                 "l3: calc 10\n"
                                 "l4: send 8b to 0 tag 7\n"
                                 "l5: calc 4000\n"
                                 "l6: calc 50\n"
                                 "l2 requires l1\n"
                                 "l3 irequires l2\n"
                                 "l4 requires l3\n"
                                 "l5 irequires l4\n"
                                 "l6 requires l5\n"
                                 "l6 requires l2\n"
                                 "l6 requires l4\n"
                                 "}\n";
    struct traced_program program = nonblocking_ring(4000);
    struct ct_goal goal = goal_of_program(&program, NULL);
    char *text = text_of(&goal);
    assert_string_equal(text, golden);
    free(text);
    ct_goal_free(&goal);
    program_free(&program);
}

/* But for the first 10 ns, in which the program sets itself up. */
static void compute_is_scaled(void **state)
{
    (void)state;
    struct traced_program program = nonblocking_ring(4000);
    struct ct_convert_options options = scaled(0.25);
    assert_near(runtime(&program, &options), 10 + 2.5 + fmax(o + 1000, message(8)) + 12.5, 0.5);
    options = scaled(0);
    assert_near(runtime(&program, &options), 10 + message(8), 1e-9);
    options = scaled(3);
    assert_near(runtime(&program, &options), 10 + 30 + o + 12000 + 150, 1e-9);
    program_free(&program);
}

/* 30 gaps of 1 ns at a third, after one that is kept: rounding each would lose or triple them. */
static void fractions_of_nanoseconds_are_kept(void **state)
{
    (void)state;
    struct traced_program program = program_of(1);
    for (uint64_t i = 1; i <= 31; i++)
        call(&program, 0, i, i, wait_sent(0)); /* placed below */
    for (size_t i = 0; i < program.ranks[0].n; i++)
        if (program.ranks[0].events[i].kind == CT_TRACE_WAIT)
            program.ranks[0].events[i].n_values = 0;
    end(&program, 0, 31);
    struct ct_convert_options options = scaled(1.0 / 3);
    assert_near(runtime(&program, &options), 1 + 10, 1e-9);
    options = scaled(0.25); /* 7.5 ns */
    assert_near(runtime(&program, &options), 1 + 8, 1e-9);
    program_free(&program);
}

/* Events, of which the third one comes with a wish to stop. */
struct stopped_events {
    struct ct_events events;
    int n, stop;
};

static enum ct_status next_stopped(void *context, uint32_t rank, struct ct_trace_event *event_p,
                                   uint64_t *position_p, struct ct_error *err)
{
    struct stopped_events *of = context;
    of->stop = ++of->n == 3;
    return of->events.next(of->events.context, rank, event_p, position_p, err);
}

static void rewind_stopped(void *context, uint32_t rank)
{
    struct stopped_events *of = context;
    of->events.rewind(of->events.context, rank);
}

static void reading_events_can_be_stopped(void **state)
{
    (void)state;
    struct traced_program program = program_of(1);
    for (uint64_t i = 1; i <= 9; i++) {
        call(&program, 0, i, i, wait_sent(0));
        program.ranks[0].events[program.ranks[0].n - 1].n_values = 0;
    }
    end(&program, 0, 31);
    struct ct_convert_options options = ct_convert_defaults();
    struct stopped_events stopped = {.events = events_of(&program)};
    struct ct_events events = stopped.events;
    struct ct_convert_notes notes;
    struct ct_goal goal;
    struct ct_error err;
    events.context = &stopped;
    events.next = next_stopped;
    events.rewind = rewind_stopped;
    ct_cancel_watch(&stopped.stop);
    assert_int_equal(ct_convert_events(&events, &options, &goal, &notes, &err), CT_EINTR);
    ct_cancel_watch(NULL);
    assert_int_equal(stopped.n, 3);
    program_free(&program);
}

/* Whole nanoseconds of 64 bits end not far above it. */
static void thirty_years_between_calls_are_refused(void **state)
{
    (void)state;
    struct traced_program program = program_of(1);
    call(&program, 0, 10, 10, wait_sent(0));
    program.ranks[0].events[program.ranks[0].n - 1].n_values = 0;
    end(&program, 0, 1100000000010);
    struct ct_convert_options options = scaled(1e6);
    struct ct_events events = events_of(&program);
    struct ct_convert_notes notes;
    struct ct_goal goal;
    struct ct_error err;
    assert_int_equal(ct_convert_events(&events, &options, &goal, &notes, &err), CT_EFORMAT);
    assert_non_null(strstr(err.text, "between two calls"));
    options = scaled(0.9e6);
    assert_near(runtime(&program, &options), 10 + 0.99e18, 1e4);
    program_free(&program);
}

static struct traced_program one_message(struct ct_trace_event send, struct ct_trace_event receive)
{
    struct traced_program program = program_of(2);
    call(&program, 0, 100, 200, send);
    call(&program, 1, 0, 5000, receive);
    end(&program, 0, 230);
    end(&program, 1, 5010);
    return program;
}

static void blocking_calls_end_with_their_messages(void **state)
{
    (void)state;
    struct traced_program program = one_message(send_to(1, 3, 8, 0), receive_from(0, 3, 8, 0));
    assert_near(runtime(&program, NULL), 100 + message(8) + 10, 1e-9);
    /* With rendezvous the sender waits for the grant: o + L + o + L, then o + B G. */
    struct ct_goal goal = goal_of_program(&program, NULL);
    assert_near(runtime_of(&goal, o, L, G, 4), 100 + (o + L) + (o + L) + (o + L + 7 * G + o) + 10,
                1e-9);
    ct_goal_free(&goal);
    program_free(&program);
}

/* The sender goes on when the answer is there: the message, then an empty one back. */
static void synchronous_sends_wait_for_the_receiver(void **state)
{
    (void)state;
    struct traced_program program =
        one_message(in_mode(CT_TRACE_SYNCHRONOUS, send_to(1, 3, 8, 0)), receive_from(0, 3, 8, 0));
    assert_near(runtime(&program, NULL), 100 + message(8) + message(0) + 30, 1e-9);
    program_free(&program);
    program = program_of(2);
    call(&program, 0, 100, 110, in_mode(CT_TRACE_SYNCHRONOUS, send_to(1, 3, 8, 4)));
    call(&program, 0, 110, 300, wait_sent(4));
    call(&program, 1, 0, 5000, receive_from(0, 3, 8, 0));
    end(&program, 0, 330);
    end(&program, 1, 5000);
    assert_near(runtime(&program, NULL), 100 + message(8) + message(0) + 30, 1e-9);
    program_free(&program);
}

/* Also where a standard one would wait for the grant. */
static void buffered_sends_wait_for_nobody(void **state)
{
    (void)state;
    struct traced_program program = program_of(2);
    call(&program, 0, 100, 200, in_mode(CT_TRACE_BUFFERED, send_to(1, 3, 8, 0)));
    call(&program, 0, 200, 210, in_mode(CT_TRACE_BUFFERED, send_to(1, 3, 8, 9)));
    call(&program, 0, 210, 220, wait_sent(9));
    call(&program, 1, 9000, 9100, receive_from(0, 3, 8, 0));
    call(&program, 1, 9100, 9200, receive_from(0, 3, 8, 0));
    end(&program, 0, 50220);
    end(&program, 1, 9200);
    struct ct_goal goal = goal_of_program(&program, NULL);
    assert_near(runtime_of(&goal, o, L, G, 4), 100 + o + o + 50000, 1e-9);
    ct_goal_free(&goal);
    program_free(&program);
}

static void sendrecv_does_both_at_once(void **state)
{
    (void)state;
    struct traced_program program = program_of(3);
    for (uint32_t rank = 0; rank < 3; rank++) {
        call(&program, rank, 10, 90,
             (struct ct_trace_event){.kind = CT_TRACE_SENDRECV,
                                     .to = {(int32_t)(rank + 1) % 3, 1, 100},
                                     .from = {(int32_t)(rank + 2) % 3, 1, 100}});
        end(&program, rank, 91);
    }
    assert_near(runtime(&program, NULL), 10 + message(100) + 1, 1e-9);
    program_free(&program);
}

/* Posted for anybody; what came is known at the wait, in another order than posted. */
static void wildcards_get_what_they_got(void **state)
{
    (void)state;
    struct traced_program program = program_of(3);
    call(&program, 0, 0, 0, receive_from(-1, -1, 100, 1));
    call(&program, 0, 0, 0, receive_from(-1, 6, 100, 2));
    call(&program, 0, 0, 0, receive_from(1, -1, 100, 3));
    call(&program, 0, 0, 0, wait_received(2, 2, 6, 20));
    call(&program, 0, 0, 0, wait_received(3, 1, 8, 30));
    call(&program, 0, 0, 0, wait_received(1, 1, 7, 40));
    call(&program, 1, 500, 500, send_to(0, 8, 30, 0));
    call(&program, 1, 500, 500, send_to(0, 7, 40, 0));
    call(&program, 2, 400, 400, send_to(0, 6, 20, 0));
    for (uint32_t rank = 0; rank < 3; rank++)
        end(&program, rank, 1000);
    struct ct_goal goal = goal_of_program(&program, NULL);
    assert_int_equal(goal.ops[0].kind, CT_GOAL_RECV);
    assert_int_equal(goal.ops[0].peer, 1);
    assert_int_equal(goal.ops[0].tag, 7);
    assert_int_equal(goal.ops[0].amount, 40);
    assert_int_equal(goal.ops[1].peer, 2);
    assert_int_equal(goal.ops[2].tag, 8);
    /* Two sends of rank 1 one after the other, then 1000 ns on rank 0. */
    assert_near(runtime_of(&goal, o, L, G, EAGER), 500 + o + message(40) + 1000, 1e-9);
    ct_goal_free(&goal);
    program_free(&program);
}

static void persistent_requests_begin_again(void **state)
{
    (void)state;
    enum { TIMES = 4 };
    struct traced_program program = program_of(2);
    for (uint64_t i = 0; i < TIMES; i++) {
        call(&program, 0, 1000 * i + 100, 1000 * i + 200, send_to(1, 1, 8, 5));
        call(&program, 0, 1000 * i + 200, 1000 * i + 1000, wait_sent(5));
        call(&program, 1, 10 * i, 10 * i, receive_from(0, 1, 8, 3));
        call(&program, 1, 10 * i, 10 * i + 10, wait_received(3, 0, 1, 8));
    }
    end(&program, 0, 1000 * TIMES);
    end(&program, 1, 10 * TIMES);
    assert_near(runtime(&program, NULL), 400 + 3 * o + message(8), 1e-9);
    program_free(&program);
}

static void cancelled_receives_are_left_out(void **state)
{
    (void)state;
    struct traced_program program = program_of(2);
    call(&program, 1, 0, 0, receive_from(0, 1, 8, 1)); /* waits, and gets nothing */
    call(&program, 1, 0, 0, (struct ct_trace_event){.kind = CT_TRACE_CANCEL, .request = 1});
    call(&program, 1, 0, 0, wait_sent(1));
    call(&program, 1, 0, 0, receive_from(0, 1, 8, 1)); /* freed: gets its message */
    call(&program, 1, 0, 0, (struct ct_trace_event){.kind = CT_TRACE_FREE, .request = 1});
    call(&program, 1, 0, 0, receive_from(0, 1, 8, 1)); /* nobody asks for it */
    call(&program, 0, 0, 0, send_to(1, 1, 8, 0));
    call(&program, 0, 0, 0, send_to(1, 2, 8, 1));
    call(&program, 0, 0, 0, (struct ct_trace_event){.kind = CT_TRACE_CANCEL, .request = 1});
    call(&program, 0, 0, 0, wait_sent(1));
    end(&program, 0, 50);
    end(&program, 1, 10);
    struct ct_convert_options options = ct_convert_defaults();
    struct ct_convert_notes notes;
    struct ct_events events = events_of(&program);
    struct ct_goal goal;
    assert_int_equal(ct_convert_events(&events, &options, &goal, &notes, NULL), CT_OK);
    assert_int_equal(notes.dropped, 3);
    assert_near(runtime_of(&goal, o, L, G, EAGER), message(8), 1e-9);
    ct_convert_notes_free(&notes);
    ct_goal_free(&goal);
    program_free(&program);
}

/* The program waits at the probe; the receive comes 300 ns later and costs nothing. */
static void probes_wait_for_the_message(void **state)
{
    (void)state;
    const struct ct_trace_event probe = {.kind = CT_TRACE_PROBE, .from = {0, 4, 8}};
    for (int nonblocking = 0; nonblocking < 2; nonblocking++) {
        struct traced_program program = program_of(2);
        call(&program, 0, 100, 100, send_to(1, 4, 8, 0));
        call(&program, 1, 0, 200, probe);
        call(&program, 1, 250, 260, probe); /* the same message again */
        if (nonblocking) {
            call(&program, 1, 510, 520, receive_from(-1, -1, 8, 1));
            call(&program, 1, 520, 530, wait_received(1, 0, 4, 8));
        } else {
            call(&program, 1, 510, 530, receive_from(0, 4, 8, 0));
        }
        end(&program, 0, 100);
        end(&program, 1, 530);
        assert_near(runtime(&program, NULL), 100 + message(8) + 50 + 250, 1e-9);
        struct ct_goal goal = goal_of_program(&program, NULL);
        for (uint64_t op = goal.first_op[1]; op < goal.n_ops; op++)
            if (goal.ops[op].kind == CT_GOAL_RECV)
                assert_string_equal(calls_of(&goal, op).waited, "MPI_Probe");
        assert_int_equal(count_of(&goal, nonblocking ? "MPI_Irecv" : "MPI_Recv"), 1);
        ct_goal_free(&goal);
        program_free(&program);
    }
}

/* ---- communicators ---- */

/* The same tag, sent in one order and received in the other: with one tag space sizes differ. */
static void communicators_do_not_mix(void **state)
{
    (void)state;
    const uint64_t copy[] = {1, 0, 1}, reversed[] = {0, 1, 0};
    struct traced_program program = program_of(2);
    for (uint32_t rank = 0; rank < 2; rank++) { /* numbered as each likes */
        communicator(&program, rank, 0, rank ? 3 : 2, copy, 3);
        communicator(&program, rank, 0, rank ? 2 : 3, reversed, 3);
    }
    call(&program, 0, 0, 0, in_comm(0, send_to(1, 5, 10, 0)));
    call(&program, 0, 0, 0, in_comm(2, send_to(1, 5, 20, 0)));
    call(&program, 0, 0, 0, in_comm(3, send_to(1, 5, 30, 0)));
    call(&program, 1, 0, 0, in_comm(2, receive_from(0, 5, 30, 0)));
    call(&program, 1, 0, 0, in_comm(3, receive_from(0, 5, 20, 0)));
    call(&program, 1, 0, 0, in_comm(0, receive_from(0, 5, 10, 0)));
    end(&program, 0, 0);
    end(&program, 1, 0);
    struct ct_goal goal = goal_of_program(&program, NULL);
    assert_int_equal(goal.ops[0].tag, 5); /* that of MPI_COMM_WORLD stays */
    assert_true(goal.ops[1].tag != goal.ops[2].tag);
    assert_near(runtime_of(&goal, o, L, G, EAGER), 2 * o + message(30) + 2 * o, 1e-9);
    ct_goal_free(&goal);
    program_free(&program);
}

/* ---- what does not fit ---- */

static void the_first_message_without_counterpart_is_named(void **state)
{
    (void)state;
    struct traced_program program = one_message(send_to(1, 3, 8, 0), receive_from(0, 4, 8, 0));
    assert_refused(&program, "rank 0, event 3: send of 8 B to rank 1, tag 3: never received: of "
                             "these, 1 are sent and 0 received");
    program_free(&program);
    program = one_message(send_to(1, 3, 8, 0), receive_from(0, 3, 9, 0));
    assert_refused(&program, "rank 0, event 3: send of 8 B to rank 1, tag 3, meets the receive of "
                             "rank 1 in its event 3, which got 9 B");
    program_free(&program);
    program = one_message(send_to(1, 3, 8, 0), receive_from(0, 3, 7, 2));
    assert_refused(&program, "which has room for 7 B");
    program_free(&program);
    program = one_message(send_to(2, 3, 8, 0), receive_from(0, 3, 8, 0));
    assert_refused(&program, "rank 0, event 3 (send): a message with rank 2");
    program_free(&program);
    program = one_message(in_comm(9, send_to(1, 3, 8, 0)), receive_from(0, 3, 8, 0));
    assert_refused(&program, "rank 0, event 3 (send): communicator 9 is not in the trace");
    program_free(&program);
    program = one_message(wait_sent(4), receive_from(0, 3, 8, 0));
    assert_refused(&program, "rank 0, event 3 (wait): completes request 4, which was not begun");
    program_free(&program);
}

static void collectives_that_differ_are_named(void **state)
{
    (void)state;
    const struct {
        struct ct_trace_event first, second;
        const char *words;
    } cases[] = {
        {collective(CT_TRACE_BARRIER, 0, 0, 0), collective(CT_TRACE_BCAST, 0, 8, 0),
         "rank 1, event 3 (bcast): bcast of 8 B and root 0, where rank 0 calls barrier"},
        {collective(CT_TRACE_BCAST, 0, 8, 0), collective(CT_TRACE_BCAST, 1, 8, 0),
         "bcast of 8 B and root 1, where rank 0 calls bcast of 8 B and root 0 in its event 3; "
         "collective call 1 of the communicator of ranks 0 1"},
        {collective(CT_TRACE_ALLREDUCE, 0, 8, 0), collective(CT_TRACE_ALLREDUCE, 0, 16, 0),
         "allreduce of 16 B"},
        {collective(CT_TRACE_BCAST, 5, 8, 0), collective(CT_TRACE_BCAST, 5, 8, 0),
         "root 5 of a bcast is no member"},
        {collective(CT_TRACE_BARRIER, 0, 0, 0), wait_sent(0),
         "rank 0, event 3: barrier, collective call 1 of the communicator of ranks 0 1: not all "
         "of them make so many; one makes 0"},
        {collective(CT_TRACE_ALLTOALLV, 0, 0, 0), collective(CT_TRACE_ALLTOALLV, 0, 0, 0),
         "alltoallv with 0 blocks for 2 members"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct traced_program program = program_of(2);
        call(&program, 0, 1, 2, cases[i].first);
        if (cases[i].second.kind != CT_TRACE_WAIT)
            call(&program, 1, 1, 2, cases[i].second);
        end(&program, 0, 3);
        end(&program, 1, 3);
        assert_refused(&program, cases[i].words);
        program_free(&program);
    }
}

/* Rank 1 was killed in the third of ten rounds: the others get as far as its messages went. */
static void an_aborted_program_is_used_as_far_as_it_fits(void **state)
{
    (void)state;
    enum { ROUNDS = 10, N = 4 };
    struct traced_program program = program_of(N);
    for (uint32_t rank = 0; rank < N; rank++) {
        int32_t next = (int32_t)(rank + 1) % N, before = (int32_t)(rank + N - 1) % N;
        for (uint64_t i = 0; i < (rank == 1 ? 3 : ROUNDS); i++) {
            uint64_t at = 100 * i;
            call(&program, rank, at + 10, at + 11, receive_from(before, 1, 8, 1));
            call(&program, rank, at + 11, at + 12, send_to(next, 1, 8, 2));
            if (rank == 1 && i == 2)
                break;
            call(&program, rank, at + 12, at + 50, wait_received(1, before, 1, 8));
            call(&program, rank, at + 50, at + 60, wait_sent(2));
            call(&program, rank, at + 60, at + 100, collective(CT_TRACE_BARRIER, 0, 0, 0));
        }
    }
    struct ct_convert_options options = ct_convert_defaults();
    struct ct_convert_notes notes;
    struct ct_events events = events_of(&program);
    struct ct_goal goal;
    assert_int_equal(ct_convert_events(&events, &options, &goal, &notes, NULL), CT_OK);
    assert_int_equal(notes.n_cut, N);
    assert_int_equal(notes.first_cut, 0);
    /* Ranks 0, 2 and 3 send and receive in round 3, and their barrier has no rank 1. */
    assert_int_equal(notes.unused, 3 * (1 + 5 * (ROUNDS - 3)));
    assert_near(runtime_of(&goal, o, L, G, EAGER),
                2 * (10 + message(8) + 2 * message(0)) + 10 + message(8), 1e-9);
    ct_convert_notes_free(&notes);
    ct_goal_free(&goal);
    program_free(&program);
}

static void bad_options_and_folders_are_refused(void **state)
{
    (void)state;
    struct ct_convert_notes notes;
    struct ct_goal goal;
    struct ct_error err;
    struct ct_convert_options options = scaled(-1);
    struct traced_program program = nonblocking_ring(0);
    struct ct_events events = events_of(&program);
    assert_int_equal(ct_convert_events(&events, &options, &goal, &notes, &err), CT_EINVAL);
    options = scaled(NAN);
    assert_int_equal(ct_convert_events(&events, &options, &goal, &notes, &err), CT_EINVAL);
    options = scaled(1);
    assert_int_equal(ct_input_convert(ct_input_of("/nonexistent"), &options, &goal, &notes, &err),
                     CT_ENOENT);
    program_free(&program);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reading_events_can_be_stopped),
        cmocka_unit_test(time_between_calls_is_compute_and_time_in_them_is_not),
        cmocka_unit_test(the_schedule_is_as_it_was),
        cmocka_unit_test(compute_is_scaled),
        cmocka_unit_test(fractions_of_nanoseconds_are_kept),
        cmocka_unit_test(thirty_years_between_calls_are_refused),
        cmocka_unit_test(blocking_calls_end_with_their_messages),
        cmocka_unit_test(synchronous_sends_wait_for_the_receiver),
        cmocka_unit_test(buffered_sends_wait_for_nobody),
        cmocka_unit_test(sendrecv_does_both_at_once),
        cmocka_unit_test(wildcards_get_what_they_got),
        cmocka_unit_test(persistent_requests_begin_again),
        cmocka_unit_test(cancelled_receives_are_left_out),
        cmocka_unit_test(probes_wait_for_the_message),
        cmocka_unit_test(communicators_do_not_mix),
        cmocka_unit_test(the_first_message_without_counterpart_is_named),
        cmocka_unit_test(collectives_that_differ_are_named),
        cmocka_unit_test(an_aborted_program_is_used_as_far_as_it_fits),
        cmocka_unit_test(bad_options_and_folders_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
