/* Traced programs acted without a network: what ends, what cannot, and what a rank has to know. */
#include "core/array.h"
#include "rehearsed_program.h"
#include "trace/rehearse/script.h"
#include "trace/rehearse/steps.h"
#include "unit.h"

#include <stdlib.h>
#include <string.h>

static void finish(struct traced_program *program)
{
    for (uint32_t rank = 0; rank < program->n_ranks; rank++)
        end(program, rank, 1000);
}

/* Two ranks: each makes one call, then another. */
static struct traced_program pair_of(struct ct_trace_event first[2], struct ct_trace_event then[2])
{
    struct traced_program program = program_of(2);
    for (uint32_t rank = 0; rank < 2; rank++) {
        call(&program, rank, 10, 20, first[rank]);
        call(&program, rank, 30, 40, then[rank]);
    }
    finish(&program);
    return program;
}

static void sends_do_not_wait_and_receives_do(void **state)
{
    (void)state;
    taken(pair_of((struct ct_trace_event[]){send_to(1, 1, 8, 0), send_to(0, 1, 8, 0)},
                  (struct ct_trace_event[]){receive_from(1, 1, 8, 0), receive_from(0, 1, 8, 0)}));
    refused(
        pair_of((struct ct_trace_event[]){receive_from(1, 1, 8, 0), receive_from(0, 1, 8, 0)},
                (struct ct_trace_event[]){send_to(1, 1, 8, 0), send_to(0, 1, 8, 0)}),
        CT_EFORMAT,
        "rank 0, event 3 (receive): the program cannot end: it waits for a message from rank 1, "
        "tag 1");
    struct ct_trace_event to[] = {in_mode(CT_TRACE_SYNCHRONOUS, send_to(1, 1, 8, 0)),
                                  in_mode(CT_TRACE_SYNCHRONOUS, send_to(0, 1, 8, 0))};
    refused(
        pair_of(to, (struct ct_trace_event[]){receive_from(1, 1, 8, 0), receive_from(0, 1, 8, 0)}),
        CT_EFORMAT, "rank 0, event 3 (send): the program cannot end");
}

/* Else a correct program seems to be wrong. */
static void refusals_of_programs_with_threads_say_so(void **state)
{
    (void)state;
    static const char text[] = CT_TRACE_THREADS;
    struct traced_program program = program_of(2);
    for (uint32_t rank = 0; rank < 2; rank++) {
        if (rank == 1)
            call(&program, rank, 5, 5,
                 (struct ct_trace_event){
                     .kind = CT_TRACE_UNMODELLED, .text = text, .n_text = sizeof text - 1});
        call(&program, rank, 10, 20, receive_from((int32_t)!rank, 1, 8, 0));
        call(&program, rank, 30, 40, send_to((int32_t)!rank, 1, 8, 0));
    }
    finish(&program);
    refused(program, CT_EFORMAT,
            "the program cannot end: it waits for a message from rank 1, tag 1; threads called MPI "
            "at the same time, and traces do not have the order of such calls");
}

static void what_has_no_counterpart_is_named(void **state)
{
    (void)state;
    refused(pair_of((struct ct_trace_event[]){send_to(1, 7, 8, 0), send_to(0, 1, 8, 0)},
                    (struct ct_trace_event[]){receive_from(1, 1, 8, 0), {.kind = CT_TRACE_TEST}}),
            CT_EFORMAT, "rank 0 sends a message of 8 B, tag 7, that is never received");
    refused(pair_of((struct ct_trace_event[]){send_to(1, 1, 9, 0), send_to(0, 1, 8, 0)},
                    (struct ct_trace_event[]){receive_from(1, 1, 8, 0), receive_from(0, 1, 8, 0)}),
            CT_EFORMAT, "rank 0 sends 9 B to rank 1, tag 1, which receives 8 B");
    refused(pair_of((struct ct_trace_event[]){send_to(5, 1, 9, 0), send_to(0, 1, 8, 0)},
                    (struct ct_trace_event[]){receive_from(1, 1, 8, 0), receive_from(0, 1, 8, 0)}),
            CT_EFORMAT, "rank 0, event 3 (send): a message with rank 5");
    refused(pair_of((struct ct_trace_event[]){wait_sent(4), send_to(0, 1, 8, 0)},
                    (struct ct_trace_event[]){receive_from(1, 1, 8, 0), receive_from(0, 1, 8, 0)}),
            CT_EFORMAT, "request 4 was not begun");
    struct traced_program aborted = program_of(2);
    end(&aborted, 0, 5);
    refused(aborted, CT_EFORMAT, "rank 1, after event 2: the trace ends before MPI_Finalize");
}

static void impossible_sizes_ask_for_no_memory(void **state)
{
    (void)state;
    const uint64_t huge = UINT64_C(1) << 60;
    refused(
        pair_of((struct ct_trace_event[]){send_to(1, 1, huge, 0), send_to(0, 1, 8, 0)},
                (struct ct_trace_event[]){receive_from(1, 1, 8, 0), receive_from(0, 1, huge, 0)}),
        CT_EUNSUPPORTED, "1152921504606846976 bytes in one call");
    struct ct_trace_event all = collective(CT_TRACE_ALLTOALL, 0, UINT64_MAX / 2 + 1, 0);
    refused(pair_of((struct ct_trace_event[]){all, all}, (struct ct_trace_event[]){all, all}),
            CT_EUNSUPPORTED, "bytes in one call");
    all = collective(CT_TRACE_ALLGATHER, 0, INT32_MAX, 0);
    refused(pair_of((struct ct_trace_event[]){all, all}, (struct ct_trace_event[]){all, all}),
            CT_EUNSUPPORTED, "bytes in one call");
}

static void members_make_the_same_calls(void **state)
{
    (void)state;
    struct ct_trace_event bcast = collective(CT_TRACE_BCAST, 0, 8, 0),
                          barrier = collective(CT_TRACE_BARRIER, 0, 0, 0);
    taken(pair_of((struct ct_trace_event[]){bcast, bcast},
                  (struct ct_trace_event[]){barrier, barrier}));
    refused(pair_of((struct ct_trace_event[]){bcast, barrier},
                    (struct ct_trace_event[]){barrier, bcast}),
            CT_EFORMAT, ", event 3, calls ");
    /* The root passes: what it does next may be what the other one waits for. */
    taken(pair_of((struct ct_trace_event[]){bcast, receive_from(0, 1, 8, 0)},
                  (struct ct_trace_event[]){send_to(1, 1, 8, 0), bcast}));
    refused(pair_of((struct ct_trace_event[]){barrier, receive_from(0, 1, 8, 0)},
                    (struct ct_trace_event[]){send_to(1, 1, 8, 0), barrier}),
            CT_EFORMAT, "waits for the other members");
}

/* Rank 0 posts two receives for any source; the second one completes first. */
static struct traced_program wildcards(void)
{
    struct traced_program program = program_of(3);
    call(&program, 0, 10, 11, receive_from(-1, -1, 100, 1));
    call(&program, 0, 12, 13, receive_from(-1, 5, 100, 2));
    call(&program, 0, 20, 30, wait_received(2, 1, 5, 24));
    call(&program, 0, 40, 50, wait_received(1, 2, 5, 16));
    call(&program, 1, 10, 15, send_to(0, 5, 24, 0));
    call(&program, 2, 10, 15, send_to(0, 5, 16, 0));
    finish(&program);
    return program;
}

static void wildcards_are_posted_for_what_they_get(void **state)
{
    (void)state;
    struct traced_program program = wildcards();
    struct ct_events events = events_of(&program);
    struct ct_script script;
    struct ct_trace_event event;
    struct ct_outcome outcome;
    const int32_t sources[] = {-1, -1, 2, 1};
    ct_script_open(&events, 0, &script);
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
        assert_int_equal(ct_script_next(&script, &event, &outcome, NULL), CT_OK);
        assert_int_equal(script.position, i + 1);
        assert_int_equal(outcome.arrives, sources[i] >= 0);
        if (outcome.arrives)
            assert_int_equal(outcome.message.rank, sources[i]);
    }
    assert_int_equal(outcome.message.bytes, 24);
    ct_script_seek(&script, script.start);
    assert_int_equal(ct_script_next(&script, &event, &outcome, NULL), CT_OK);
    assert_int_equal(event.kind, CT_TRACE_NEW_COMM);
    ct_script_free(&script);
    struct ct_rehearsal rehearsal = rehearsed(&program, 0);
    assert_int_equal(rehearsal.n_slots, 2);
    assert_int_equal(rehearsal.slots[1].receive, 100);
    ct_rehearsal_free(&rehearsal);
    program_free(&program);
}

/* Rank 0 makes these calls, rank 1 sends it a message with tag 1. */
static struct traced_program receiver_of(const struct ct_trace_event *calls, size_t n)
{
    struct traced_program program = program_of(2);
    for (size_t i = 0; i < n; i++)
        call(&program, 0, 10 * i + 1, 10 * i + 2, calls[i]);
    call(&program, 1, 10, 20, in_mode(CT_TRACE_SYNCHRONOUS, send_to(0, 1, 8, 0)));
    finish(&program);
    return program;
}
#define RECEIVER(...)                                                                              \
    receiver_of((struct ct_trace_event[]){__VA_ARGS__},                                            \
                sizeof((struct ct_trace_event[]){__VA_ARGS__}) / sizeof(struct ct_trace_event))

/* In a replay it would take the message of another, which then waits for ever. */
static void a_receive_that_gets_none_takes_none(void **state)
{
    (void)state;
    const struct ct_trace_event gets = receive_from(1, 1, 8, 0), none = wait_sent(1),
                                cancels = {.kind = CT_TRACE_CANCEL, .request = 1};
    const char taker[] = "event 4 (receive): the message from rank 1, tag 1, would come to a "
                         "receive that was posted before";
    const struct ct_trace_event posted[] = {receive_from(-1, -1, 8, 1), receive_from(-1, 1, 8, 1),
                                            receive_from(1, -1, 8, 1), receive_from(1, 1, 8, 1)};
    for (size_t i = 0; i < sizeof posted / sizeof *posted; i++) {
        refused(RECEIVER(posted[i], gets, cancels, none), CT_EFORMAT, taker);
        taken(RECEIVER(posted[i], cancels, gets, none));
        taken(RECEIVER(gets, posted[i], cancels, none));
        taken(RECEIVER(gets, posted[i]));
    }
    refused(RECEIVER(posted[0], gets), CT_EFORMAT, taker);
    taken(RECEIVER(receive_from(-1, 7, 8, 1), gets));
    taken(RECEIVER(receive_from(0, -1, 8, 1), gets));
    const struct ct_trace_event wild = receive_from(-1, -1, 8, 1);
    taken(RECEIVER(init_of(wild), gets, start_of(wild, 0, 1), cancels, none, free_of(1)));
    refused(RECEIVER(init_of(wild), start_of(wild, 0, 1), gets, cancels, none, free_of(1)),
            CT_EFORMAT, "would come to a receive that was posted before");
    refused(RECEIVER(wild, none, gets), CT_EFORMAT,
            "event 4 (wait): request 1 completes without a message, but was not cancelled");
    refused(RECEIVER(wild, free_of(1), gets), CT_EUNSUPPORTED,
            "event 4 (free): a receive from any source, or with any tag, is freed");
    taken(RECEIVER(wild, cancels, free_of(1), gets));
    /* What it was posted for is looked at all the same. */
    refused(RECEIVER(in_comm(77, wild), cancels, none, gets), CT_EFORMAT,
            "communicator 77 is not in the trace");
    refused(RECEIVER(receive_from(9, 1, 8, 1), cancels, none, gets), CT_EFORMAT,
            "a message with rank 9, which is no member");
}

/* A replay cancels such a receive at the end of its pass, and the sender may wait until then. */
static void a_message_that_nobody_waits_for_is_refused(void **state)
{
    (void)state;
    const char words[] = "rank 1 sends a message, tag 1, to a receive of rank 0 that no call "
                         "completes";
    const struct ct_trace_event from = receive_from(1, 1, 8, 1);
    refused(RECEIVER(from), CT_EUNSUPPORTED, words);
    refused(RECEIVER(init_of(from), start_of(from, 0, 1)), CT_EUNSUPPORTED, words);
    refused(RECEIVER(from, (struct ct_trace_event){.kind = CT_TRACE_TEST}), CT_EUNSUPPORTED, words);
}

static void what_is_not_modelled_is_counted(void **state)
{
    (void)state;
    struct traced_program program = program_of(3);
    for (uint32_t rank = 1; rank < 3; rank++)
        call(&program, rank, 10, 20,
             (struct ct_trace_event){.kind = CT_TRACE_UNMODELLED, .text = "MPI_Put", .n_text = 7});
    finish(&program);
    for (uint32_t rank = 0; rank < 3; rank++) {
        struct ct_rehearsal rehearsal = rehearsed(&program, rank);
        assert_int_equal(rehearsal.n_unmodelled, 1);
        assert_int_equal(rehearsal.unmodelled[0].calls, 2); /* of all ranks, on each rank */
        assert_string_equal(rehearsal.unmodelled[0].name, "MPI_Put");
        ct_rehearsal_free(&rehearsal);
    }
    program_free(&program);
}

static void sizes_of_others_are_known(void **state)
{
    (void)state;
    struct traced_program program = program_of(3);
    const uint64_t give[3][3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
    for (uint32_t rank = 0; rank < 3; rank++) {
        struct ct_trace_event exchange = collective(CT_TRACE_ALLTOALLV, 0, 0, 0);
        call(&program, rank, 10, 20, collective(CT_TRACE_GATHER, 1, 10 + rank, 0));
        call(&program, rank, 30, 40, collective(CT_TRACE_ALLGATHER, 0, 8, 0));
        exchange.values = give[rank];
        exchange.n_values = 3;
        call(&program, rank, 50, 60, exchange);
        call(&program, rank, 70, 80, collective(CT_TRACE_ALLREDUCE, 0, 64, 0));
        call(&program, rank, 90, 95, exchange);
    }
    finish(&program);
    struct ct_rehearsal rehearsal = rehearsed(&program, 1);
    assert_int_equal(rehearsal.n_uses, 3);
    assert_int_equal(rehearsal.uses[0].position, 3);
    assert_int_equal(rehearsal.uses[1].position, 5);
    assert_int_equal(rehearsal.uses[2].position, 7);
    assert_int_equal(rehearsal.uses[1].first, rehearsal.uses[2].first); /* kept once */
    assert_int_equal(rehearsal.sizes[rehearsal.uses[0].first + 2], 12);
    assert_int_equal(rehearsal.sizes[rehearsal.uses[1].first + 0], 2);
    assert_int_equal(rehearsal.sizes[rehearsal.uses[1].first + 2], 8);
    assert_int_equal(rehearsal.threads[0].collective.receive, 64);
    assert_int_equal(rehearsal.threads[0].collective.send, 15);
    assert_int_equal(rehearsal.reduced_bytes, 64);
    ct_rehearsal_free(&rehearsal);
    program_free(&program);
}

/* Members get a communicator where they first use it, in an order that is not that of its making.
 */
static void communicators_at_first_use_are_made_before(void **state)
{
    (void)state;
    const uint64_t both[2][3] = {{1, 0, 1}, {2, 0, 1}};
    for (int crossed = 0; crossed < 2; crossed++) {
        struct traced_program program = program_of(2);
        for (uint32_t rank = 0; rank < 2; rank++) {
            uint32_t first = crossed && rank == 1;
            communicator(&program, rank, 10, 5, both[first], 3);
            communicator(&program, rank, 20, 6, both[!first], 3);
        }
        finish(&program);
        struct ct_rehearsal rehearsal = rehearsed(&program, 0);
        assert_int_equal(rehearsal.comms_first, crossed);
        ct_rehearsal_free(&rehearsal);
        program_free(&program);
    }
}

static void memory_does_not_grow_with_the_length(void **state)
{
    (void)state;
    enum { ROUNDS = 90 };
    struct traced_program program = program_of(2);
    for (uint64_t i = 0; i < ROUNDS; i++) {
        for (uint32_t rank = 0; rank < 2; rank++) {
            int32_t other = rank == 0;
            call(&program, rank, 100 * i + 10, 100 * i + 11,
                 receive_from(other, (int32_t)i, 1000, (uint32_t)(2 * i + 1)));
            call(&program, rank, 100 * i + 12, 100 * i + 13,
                 send_to(other, (int32_t)i, 8, (uint32_t)(2 * i + 2)));
            call(&program, rank, 100 * i + 14, 100 * i + 15,
                 wait_received((uint32_t)(2 * i + 1), other, (int32_t)i, 8));
            call(&program, rank, 100 * i + 16, 100 * i + 17, wait_sent((uint32_t)(2 * i + 2)));
        }
    }
    finish(&program);
    struct ct_rehearsal rehearsal = rehearsed(&program, 1);
    assert_int_equal(rehearsal.n_slots, 2);
    assert_int_equal(rehearsal.total_bytes, 2 * 1008);
    ct_rehearsal_free(&rehearsal);
    program_free(&program);
}

/* A set-up, steps of a message and two reductions, an end. crossing: a message leaves in the second
 * step and is received in the third one. */
static struct traced_program stepping(bool crossing)
{
    enum { STEPS = 8 };
    struct traced_program program = program_of(2);
    uint64_t at = 10;
    for (uint32_t rank = 0; rank < 2; rank++)
        call(&program, rank, at, at + 1, collective(CT_TRACE_BCAST, 0, 100, 0));
    for (int step = 0; step < STEPS; step++) {
        at += 100;
        call(&program, 0, at, at + 1, send_to(1, 1, 8, 0));
        call(&program, 1, at, at + 1, receive_from(0, 1, 8, 0));
        if (crossing && step == 1)
            call(&program, 0, at + 2, at + 3, send_to(1, 2, 8, 0));
        if (crossing && step == 2)
            call(&program, 1, at + 2, at + 3, receive_from(0, 2, 8, 0));
        for (uint32_t rank = 0; rank < 2; rank++) {
            call(&program, rank, at + 10, at + 20, collective(CT_TRACE_ALLREDUCE, 0, 8, 0));
            call(&program, rank, at + 30, at + 40, collective(CT_TRACE_ALLREDUCE, 0, 16, 0));
        }
    }
    for (uint32_t rank = 0; rank < 2; rank++)
        call(&program, rank, at + 50, at + 60, collective(CT_TRACE_BARRIER, 0, 0, 0));
    finish(&program);
    return program;
}

static void steps_are_found(void **state)
{
    (void)state;
    struct ct_steps steps = {0};
    struct ct_error err;
    struct traced_program program = stepping(false);
    struct ct_rehearsal rehearsal = rehearsed(&program, 1);
    assert_int_equal(rehearsal.n_marks, 18);
    assert_int_equal(rehearsal.marks[1].messages, 1);
    assert_int_equal(rehearsal.marks[2].messages, 0);
    assert_int_equal(ct_steps_find(&rehearsal, &steps, &err), CT_OK);
    assert_int_equal(steps.period, 2);
    assert_int_equal(steps.first, 2);
    assert_int_equal(steps.n, 7); /* from the first reduction to the last but one */
    assert_int_equal(ct_steps_between(&rehearsal, 3, 9, &steps, &err), CT_OK);
    assert_int_equal(steps.period, 6);
    assert_int_equal(steps.n, 1);
    assert_int_equal(ct_steps_between(&rehearsal, 3, 19, &steps, &err), CT_EUSAGE);
    assert_int_equal(ct_steps_between(&rehearsal, 0, 9, &steps, &err), CT_EUSAGE);
    assert_int_equal(ct_steps_between(&rehearsal, 9, 9, &steps, &err), CT_EUSAGE);
    ct_rehearsal_free(&rehearsal);
    program_free(&program);
}

static void nothing_is_under_way_between_steps(void **state)
{
    (void)state;
    struct ct_steps steps = {0};
    struct ct_error err;
    struct traced_program program = stepping(true);
    struct ct_rehearsal rehearsal = rehearsed(&program, 0);
    for (size_t mark = 1; mark <= rehearsal.n_marks; mark++)
        assert_int_equal(rehearsal.marks[mark - 1].crossed, mark == 4 || mark == 5);
    assert_int_equal(ct_steps_find(&rehearsal, &steps, &err), CT_OK);
    assert_true(steps.first > 5 && steps.period == 2 && steps.n >= 4);
    assert_int_equal(ct_steps_between(&rehearsal, 4, 9, &steps, &err), CT_EUSAGE);
    if (!strstr(err.text, "--pass-from 4") || !strstr(err.text, "they are not at 3"))
        fail_msg("%s", err.text);
    ct_rehearsal_free(&rehearsal);
    program_free(&program);
    program = wildcards();
    rehearsal = rehearsed(&program, 0);
    assert_int_equal(ct_steps_find(&rehearsal, &steps, &err), CT_ENODATA);
    ct_rehearsal_free(&rehearsal);
    program_free(&program);
}

/* ---- persistent requests ---- */

/* Two ranks that exchange a message in each of `rounds` rounds, by two requests that they make
 * first; a reduction after each round. wild: of any source, with any tag. */
static struct traced_program persistent(int rounds, bool wild)
{
    struct traced_program program = program_of(2);
    for (uint32_t rank = 0; rank < 2; rank++) {
        int32_t other = rank == 0;
        struct ct_trace_event from =
            wild ? receive_from(-1, -1, 100, 1) : receive_from(other, 5, 100, 1);
        struct ct_trace_event to = in_mode(CT_TRACE_SYNCHRONOUS, send_to(other, 5, 8, 2));
        call(&program, rank, 10, 11, init_of(from));
        call(&program, rank, 12, 13, init_of(to));
        for (int round = 0; round < rounds; round++) {
            uint64_t at = 100 * (uint64_t)(round + 1);
            call(&program, rank, at, at + 1, start_of(from, 0, 2));
            call(&program, rank, at + 1, at + 1, start_of(to, 1, 2));
            call(&program, rank, at + 2, at + 3, wait_received(1, other, 5, 8));
            call(&program, rank, at + 4, at + 5, wait_sent(2));
            call(&program, rank, at + 10, at + 20, collective(CT_TRACE_ALLREDUCE, 0, 8, 0));
        }
    }
    return program;
}

static void persistent_requests_keep_their_place(void **state)
{
    (void)state;
    for (int wild = 0; wild < 2; wild++) {
        struct traced_program program = persistent(10, wild);
        for (uint32_t rank = 0; rank < 2; rank++) {
            call(&program, rank, 2000, 2001, free_of(1));
            call(&program, rank, 2002, 2003, receive_from(rank == 0, 9, 16, 3));
            call(&program, rank, 2004, 2005, send_to(rank == 0, 9, 16, 0));
            call(&program, rank, 2006, 2007, wait_received(3, rank == 0, 9, 16));
            end(&program, rank, 3000); /* request 2 is never freed */
        }
        struct ct_rehearsal rehearsal = rehearsed(&program, 1);
        assert_int_equal(rehearsal.n_slots, 2);
        assert_int_equal(rehearsal.slots[0].receive, 100); /* used again by request 3 */
        assert_int_equal(rehearsal.slots[1].send, 8);
        /* They are there at each mark, but not under way. */
        for (size_t mark = 0; mark < rehearsal.n_marks; mark++)
            assert_false(rehearsal.marks[mark].crossed);
        ct_rehearsal_free(&rehearsal);
        program_free(&program);
    }
}

/* A program of which rank 0 makes one more call, after two rounds. */
static void refused_with(struct ct_trace_event event, enum ct_status status, const char *words)
{
    struct traced_program program = persistent(2, false);
    call(&program, 0, 1900, 1910, event);
    finish(&program);
    refused(program, status, words);
}

static void persistent_requests_are_checked(void **state)
{
    (void)state;
    const struct ct_trace_event from = receive_from(1, 5, 100, 1);
    refused_with(start_of(receive_from(1, 5, 100, 7), 0, 1), CT_EFORMAT,
                 "request 7 starts, which was not made");
    refused_with(start_of(receive_from(1, 6, 100, 1), 0, 1), CT_EFORMAT,
                 "request 1 was made for another message");
    refused_with(start_of(send_to(1, 5, 100, 1), 0, 1), CT_EFORMAT, "made for another message");
    refused_with(start_of(in_comm(3, from), 0, 1), CT_EFORMAT, "made for another message");
    refused_with(start_of(from, 1, 2), CT_EFORMAT, "start 2 of 2 where start 1 of a call is due");
    refused_with(start_of(from, 0, 2), CT_EFORMAT,
                 "between the starts of a call that starts 2 requests");
    refused_with(receive_from(1, 5, 100, 1), CT_EFORMAT, "request 1 begins again");
    refused_with(init_of(from), CT_EFORMAT, "request 1 begins again");
    refused_with(init_of(receive_from(1, 5, 100, 0)), CT_EFORMAT, "without a number");
    refused_with(init_of(send_to(2, 5, 100, 8)), CT_EFORMAT, "rank 2, which is no member");
    refused_with(init_of(send_to(-1, 5, 100, 8)), CT_EFORMAT, "rank -1, which is no member");
    refused_with(init_of(send_to(1, 5, UINT64_MAX, 8)), CT_EUNSUPPORTED, "bytes in one call");
    refused_with(wait_sent(2), CT_EFORMAT, "request 2 was not begun");
    refused_with((struct ct_trace_event){.kind = CT_TRACE_CANCEL, .request = 1}, CT_EFORMAT,
                 "request 1 was not begun");
    refused_with(free_of(9), CT_EFORMAT, "request 9 was not begun");
    refused_with(start_of(in_mode(CT_TRACE_SYNCHRONOUS, send_to(1, 5, 8, 2)), 0, 1), CT_EFORMAT,
                 "never received");
    struct traced_program twice = persistent(2, false);
    call(&twice, 0, 1900, 1901, start_of(from, 0, 1));
    call(&twice, 0, 1902, 1903, start_of(from, 0, 1));
    finish(&twice);
    refused(twice, CT_EFORMAT, "request 1 begins again before it is complete");
}

/* Rank 0 posts a receive, frees it, and gets 3 B with another: request, 0 if that blocks. */
static struct ct_rehearsal freed_by(bool gets_first, uint32_t freed, uint32_t request)
{
    struct traced_program program = program_of(2);
    const struct ct_trace_event last = receive_from(1, 1, 3, request);
    call(&program, 0, 10, 11, receive_from(1, 1, 100, freed));
    for (uint32_t rank = 0; rank < 2; rank++)
        call(&program, rank, 20, 21, collective(CT_TRACE_BARRIER, 0, 0, 0));
    call(&program, 0, 30, 31, gets_first ? last : free_of(freed));
    if (!gets_first)
        call(&program, 0, 40, 41, last);
    if (request != 0)
        call(&program, 0, 50, 51, wait_received(request, 1, 1, 3));
    if (gets_first)
        call(&program, 0, 60, 61, free_of(freed));
    call(&program, 1, 30, 31, send_to(0, 1, 40, 0));
    call(&program, 1, 32, 33, send_to(0, 1, 3, 0));
    finish(&program);
    struct ct_rehearsal facts = rehearsed(&program, 0);
    program_free(&program);
    return facts;
}

static void requests_that_are_freed_go_on(void **state)
{
    (void)state;
    const struct ct_trace_event posted = receive_from(1, 1, 100, 1);
    /* Before the message comes, after that, and with a number that is used again at once. */
    struct ct_rehearsal facts[] = {freed_by(false, 1, 0), freed_by(true, 1, 2),
                                   freed_by(true, 1, 0), freed_by(false, 4, 4)};
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
        assert_int_equal(facts[i].n_freed, 1);
        assert_int_equal(facts[i].freed[0].bytes, 40);
        assert_int_equal(facts[i].freed_bytes, 100);
        ct_rehearsal_free(&facts[i]);
    }
    /* A synchronous send that is freed waits for nobody. */
    const struct ct_trace_event out = in_mode(CT_TRACE_SYNCHRONOUS, send_to(1, 1, 8, 1));
    taken(pair_of((struct ct_trace_event[]){out, {.kind = CT_TRACE_TEST}},
                  (struct ct_trace_event[]){free_of(1), receive_from(0, 1, 8, 0)}));
    refused(pair_of((struct ct_trace_event[]){posted, {.kind = CT_TRACE_TEST}},
                    (struct ct_trace_event[]){free_of(1), {.kind = CT_TRACE_TEST}}),
            CT_EFORMAT, "rank 0 frees a receive, tag 1, that gets no message");
    refused(pair_of((struct ct_trace_event[]){posted, send_to(0, 1, 101, 0)},
                    (struct ct_trace_event[]){free_of(1), {.kind = CT_TRACE_TEST}}),
            CT_EFORMAT, "rank 1 sends 101 B to rank 0, tag 1, which has room for 100 B");
    struct ct_trace_event barrier = collective(CT_TRACE_BARRIER, 0, 0, 1);
    refused(pair_of((struct ct_trace_event[]){barrier, barrier},
                    (struct ct_trace_event[]){free_of(1), wait_sent(1)}),
            CT_EFORMAT, "the request of a collective is freed");
}

static void cut_messages_are_longer_than_their_buffers(void **state)
{
    (void)state;
    struct ct_trace_event cut = receive_from(1, 1, 4, 0);
    cut.cut = true;
    taken(pair_of((struct ct_trace_event[]){cut, send_to(0, 1, 5, 0)},
                  (struct ct_trace_event[]){{.kind = CT_TRACE_TEST}, {.kind = CT_TRACE_TEST}}));
    refused(pair_of((struct ct_trace_event[]){cut, send_to(0, 1, 4, 0)},
                    (struct ct_trace_event[]){{.kind = CT_TRACE_TEST}, {.kind = CT_TRACE_TEST}}),
            CT_EFORMAT, "rank 1 sends 4 B to rank 0, tag 1, which receives only the begin, 4 B");
}

/* From any source, and started again; what comes second is sent after a barrier, or before it. */
static void what_comes_from_any_source_may_differ(void **state)
{
    (void)state;
    const struct ct_trace_event any = receive_from(-1, -1, 8, 1), starts = start_of(any, 0, 1),
                                barrier = collective(CT_TRACE_BARRIER, 0, 0, 0),
                                sends = send_to(0, 1, 8, 0);
    for (int late = 0; late < 2; late++) {
        struct traced_program program = program_of(3);
        call(&program, 0, 10, 20, init_of(any));
        call(&program, 0, 30, 40, starts);
        call(&program, 0, 50, 60, wait_received(1, 1, 1, 8));
        call(&program, 0, 70, 80, barrier);
        call(&program, 0, 90, 100, starts);
        call(&program, 0, 110, 120, wait_received(1, 2, 1, 8));
        call(&program, 0, 130, 140, free_of(1));
        call(&program, 1, 10, 20, sends);
        call(&program, 1, 30, 40, barrier);
        call(&program, 2, 10, 20, late ? barrier : sends);
        call(&program, 2, 30, 40, late ? sends : barrier);
        finish(&program);
        struct ct_rehearsal facts = rehearsed(&program, 0);
        assert_int_equal(facts.any_may_differ, !late);
        ct_rehearsal_free(&facts);
        program_free(&program);
    }
}

static void forms_of_a_collective_do_not_mix(void **state)
{
    (void)state;
    struct ct_trace_event plain = collective(CT_TRACE_GATHER, 0, 8, 0), vector = plain;
    vector.vector = true;
    taken(pair_of((struct ct_trace_event[]){plain, plain},
                  (struct ct_trace_event[]){vector, vector}));
    refused(
        pair_of((struct ct_trace_event[]){plain, vector}, (struct ct_trace_event[]){plain, vector}),
        CT_EFORMAT, "a size for each member");
    /* A call that blocks and one that does not never meet. */
    struct ct_trace_event starts = collective(CT_TRACE_GATHER, 0, 8, 1), waits = wait_sent(1);
    taken(pair_of((struct ct_trace_event[]){starts, starts},
                  (struct ct_trace_event[]){waits, waits}));
    refused(pair_of((struct ct_trace_event[]){plain, starts},
                    (struct ct_trace_event[]){{.kind = CT_TRACE_TEST}, waits}),
            CT_EFORMAT, "calls gather, 8 B, root 0, nonblocking");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sends_do_not_wait_and_receives_do),
        cmocka_unit_test(refusals_of_programs_with_threads_say_so),
        cmocka_unit_test(what_has_no_counterpart_is_named),
        cmocka_unit_test(impossible_sizes_ask_for_no_memory),
        cmocka_unit_test(members_make_the_same_calls),
        cmocka_unit_test(wildcards_are_posted_for_what_they_get),
        cmocka_unit_test(a_receive_that_gets_none_takes_none),
        cmocka_unit_test(a_message_that_nobody_waits_for_is_refused),
        cmocka_unit_test(what_is_not_modelled_is_counted),
        cmocka_unit_test(sizes_of_others_are_known),
        cmocka_unit_test(communicators_at_first_use_are_made_before),
        cmocka_unit_test(memory_does_not_grow_with_the_length),
        cmocka_unit_test(steps_are_found),
        cmocka_unit_test(nothing_is_under_way_between_steps),
        cmocka_unit_test(persistent_requests_keep_their_place),
        cmocka_unit_test(persistent_requests_are_checked),
        cmocka_unit_test(requests_that_are_freed_go_on),
        cmocka_unit_test(cut_messages_are_longer_than_their_buffers),
        cmocka_unit_test(what_comes_from_any_source_may_differ),
        cmocka_unit_test(forms_of_a_collective_do_not_mix),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
