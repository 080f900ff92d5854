/* Programs whose threads call MPI at the same time, acted without a network. */
#include "rehearsed_program.h"
#include "trace/rehearse/script.h"
#include "unit.h"

#include <string.h>

enum { FIRST = 2 }; /* events that a rank begins with: its communicator, and begin */

static void add(struct traced_program *program, uint32_t rank, struct ct_trace_event event)
{
    uint64_t at_ns = 10 * program->ranks[rank].n;
    call(program, rank, at_ns, at_ns + 5, event);
}

/* Rank 0 receives, and rank 1 sends that once it has got a synchronous send of rank 0, which ends
 * later. */
static struct traced_program crossing(uint32_t thread, uint64_t after)
{
    struct traced_program program = program_of(2);
    add(&program, 0, receive_from(1, 1, 8, 0));
    add(&program, 0, on_thread(thread, after, in_mode(CT_TRACE_SYNCHRONOUS, send_to(1, 2, 8, 0))));
    add(&program, 1, receive_from(0, 2, 8, 0));
    add(&program, 1, send_to(0, 1, 8, 0));
    for (uint32_t rank = 0; rank < 2; rank++)
        end(&program, rank, 1000);
    return program;
}

static void calls_overlap_as_in_the_trace(void **state)
{
    (void)state;
    taken(crossing(1, FIRST));
    refused(crossing(0, 0), CT_EFORMAT,
            "rank 0, event 3 (receive): the program cannot end: it waits for a message");
    /* The send begins after the receive has ended: it is the receive that cannot end. */
    refused(crossing(1, FIRST + 1), CT_EFORMAT,
            "rank 0, event 3 (receive): the program cannot end: it waits for a message from rank "
            "1, tag 1");
}

/* Two calls of rank 0, on threads of its own; the second begins after so many events. */
static struct traced_program two_calls(struct ct_trace_event first, struct ct_trace_event second,
                                       uint64_t after)
{
    struct traced_program program = program_of(2);
    add(&program, 0, on_thread(1, FIRST, first));
    add(&program, 0, on_thread(2, after, second));
    return program;
}

static struct traced_program two_sends(uint64_t bytes, uint64_t after)
{
    struct traced_program program = two_calls(send_to(1, 1, 8, 0), send_to(1, 1, bytes, 0), after);
    add(&program, 1, receive_from(0, 1, 8, 0));
    add(&program, 1, receive_from(0, 1, bytes, 0));
    end(&program, 0, 1000);
    end(&program, 1, 1000);
    return program;
}

static struct traced_program two_receives(struct ct_trace_event first, struct ct_trace_event second,
                                          uint64_t after)
{
    struct traced_program program = two_calls(first, second, after);
    for (int i = 0; i < 2; i++) {
        const struct ct_trace_event *of = i == 0 ? &first : &second;
        add(&program, 1, send_to(0, of->from.tag, of->from.bytes + of->cut, 0));
    }
    end(&program, 0, 1000);
    end(&program, 1, 1000);
    return program;
}

static struct traced_program two_barriers(uint64_t after)
{
    struct ct_trace_event barrier = collective(CT_TRACE_BARRIER, 0, 0, 0);
    struct traced_program program = two_calls(barrier, barrier, after);
    add(&program, 1, barrier);
    add(&program, 1, barrier);
    end(&program, 0, 1000);
    end(&program, 1, 1000);
    return program;
}

static void what_has_no_order_is_refused(void **state)
{
    (void)state;
    taken(two_sends(8, FIRST));
    taken(two_sends(9, FIRST + 1));
    refused(two_sends(9, FIRST), CT_EUNSUPPORTED,
            "rank 0, event 4 (send): it overlaps with event 3 of another thread: messages of "
            "different sizes to one rank with one tag");
    struct ct_trace_event small = receive_from(1, 1, 8, 0), large = receive_from(1, 1, 9, 0),
                          other = receive_from(1, 2, 9, 0);
    taken(two_receives(small, small, FIRST));
    taken(two_receives(small, large, FIRST + 1));
    taken(two_receives(small, other, FIRST));
    refused(two_receives(small, large, FIRST), CT_EUNSUPPORTED, "receives of different sizes");
    small.cut = other.cut = true;
    taken(two_receives(small, other, FIRST + 1));
    refused(two_receives(small, other, FIRST), CT_EUNSUPPORTED,
            "receives that are too short for their messages");
    taken(two_barriers(FIRST + 1));
    refused(two_barriers(FIRST), CT_EUNSUPPORTED, "collectives on one communicator");
}

/* The order in which a rank's calls are looked at makes no difference: a call that begins early and
 * ends late overlaps with all in between. */
static void long_calls_overlap_with_short_ones(void **state)
{
    (void)state;
    for (uint32_t first = 0; first < 2; first++) {
        struct traced_program program = program_of(2);
        add(&program, 0, on_thread(first, FIRST, send_to(1, 3, 8, 0)));
        for (uint64_t i = 0; i < 3; i++)
            add(&program, 0, on_thread(1 - first, FIRST + 1 + i, send_to(1, 1, 8, 0)));
        add(&program, 0, on_thread(first, FIRST + 1, send_to(1, 1, 9, 0)));
        add(&program, 1, receive_from(0, 3, 8, 0));
        for (uint64_t i = 0; i < 4; i++)
            add(&program, 1, receive_from(0, 1, 8 + (i == 3), 0));
        end(&program, 0, 1000);
        end(&program, 1, 1000);
        refused(program, CT_EUNSUPPORTED, "of another thread: messages of different sizes");
    }
}

static void receives_that_get_nothing_take_no_message_of_others(void **state)
{
    (void)state;
    for (uint64_t late = 0; late < 2; late++) {
        struct traced_program program = program_of(2);
        add(&program, 0, on_thread(1, FIRST, receive_from(1, 1, 8, 0)));
        add(&program, 0, on_thread(2, FIRST + late, receive_from(-1, 1, 8, 1)));
        add(&program, 0,
            on_thread(2, FIRST + 2,
                      (struct ct_trace_event){.kind = CT_TRACE_CANCEL, .request = 1}));
        add(&program, 0, on_thread(2, FIRST + 3, wait_sent(1)));
        add(&program, 1, send_to(0, 1, 8, 0));
        end(&program, 0, 1000);
        end(&program, 1, 1000);
        if (late)
            taken(program);
        else
            refused(program, CT_EUNSUPPORTED, "a receive that gets no message");
    }
}

static void communicators_are_made_one_after_the_other(void **state)
{
    (void)state;
    for (uint64_t late = 0; late < 2; late++) {
        struct traced_program program = program_of(1);
        for (uint64_t i = 0; i < 2; i++) {
            const uint64_t alone[CT_RANKS_RUN_VALUES] = {0, 1, CT_RANKS_NEXT};
            add(&program, 0,
                on_thread((uint32_t)i + 1, FIRST + (late ? i : 0),
                          (struct ct_trace_event){.kind = CT_TRACE_NEW_COMM,
                                                  .comm = 2 + (uint32_t)i,
                                                  .ordinal = 1 + i,
                                                  .values = alone,
                                                  .n_values = CT_RANKS_RUN_VALUES}));
        }
        end(&program, 0, 1000);
        if (late)
            taken(program);
        else
            refused(program, CT_EUNSUPPORTED, "communicators of the same ranks");
    }
}

/* What one thread begins another may complete, in calls that come later. */
static void requests_pass_from_thread_to_thread(void **state)
{
    (void)state;
    for (uint64_t after = FIRST; after <= FIRST + 1; after++) {
        struct traced_program program = program_of(2);
        add(&program, 0, receive_from(-1, 1, 100, 1));
        add(&program, 0, on_thread(1, after, wait_received(1, 1, 1, 40)));
        add(&program, 1, send_to(0, 1, 40, 0));
        end(&program, 0, 1000);
        end(&program, 1, 1000);
        if (after == FIRST)
            refused(program, CT_EFORMAT, "it uses request 1 while event 3 of another thread does");
        else
            taken(program);
    }
}

static void communicators_are_used_after_they_are_made(void **state)
{
    (void)state;
    for (uint64_t after = FIRST; after <= FIRST + 1; after++) {
        const uint64_t values[] = {1, 0};
        struct traced_program program = program_of(1);
        communicator(&program, 0, 15, 2, values, 2);
        add(&program, 0, on_thread(1, after, in_comm(2, collective(CT_TRACE_BARRIER, 0, 0, 0))));
        end(&program, 0, 1000);
        if (after == FIRST)
            refused(program, CT_EFORMAT,
                    "it uses communicator 2 while event 3 of another thread makes it");
        else
            taken(program);
    }
}

static void an_aborted_program_is_refused(void **state)
{
    (void)state;
    struct traced_program program = two_calls(send_to(0, 1, 8, 0), receive_from(0, 1, 8, 0), FIRST);
    end(&program, 1, 1000);
    refused(program, CT_EFORMAT, "the trace ends before MPI_Finalize");
}

/* Each thread has memory of its own, and sizes of others are found by the event. */
static void facts_are_those_of_each_thread(void **state)
{
    (void)state;
    const uint64_t world[] = {1, 0, 1};
    struct traced_program program = program_of(2);
    for (uint32_t rank = 0; rank < 2; rank++) {
        communicator(&program, rank, 15, 2, world, 3);
        add(&program, rank, on_thread(1, 3, collective(CT_TRACE_GATHER, 0, 10 + rank, 0)));
        add(&program, rank,
            on_thread(0, 3, in_comm(2, collective(CT_TRACE_GATHER, 0, 20 + rank, 0))));
        add(&program, rank,
            on_thread(1, 3, rank == 0 ? send_to(1, 1, 7, 0) : receive_from(0, 1, 7, 0)));
        end(&program, rank, 1000);
    }
    struct ct_rehearsal facts = rehearsed(&program, 0);
    assert_int_equal(facts.n_threads, 2);
    assert_int_equal(facts.threads[0].message.send, 0);
    assert_int_equal(facts.threads[1].message.send, 7);
    assert_int_equal(facts.threads[0].collective.receive, 41);
    assert_int_equal(facts.threads[1].collective.receive, 21);
    assert_int_equal(facts.n_uses, 2);
    assert_int_equal(facts.uses[0].position, 4);
    assert_int_equal(facts.sizes[facts.uses[0].first + 1], 11);
    assert_int_equal(facts.uses[1].position, 5);
    assert_int_equal(facts.sizes[facts.uses[1].first + 1], 21);
    ct_rehearsal_free(&facts);
    program_free(&program);
}

/* Receives that are freed are found by their events, in whatever order threads come to them. */
static void freed_receives_are_in_the_order_of_the_trace(void **state)
{
    (void)state;
    struct traced_program program = program_of(2);
    add(&program, 0, receive_from(1, 1, 8, 0)); /* ends after what the other thread does */
    add(&program, 0, receive_from(1, 2, 100, 1));
    add(&program, 0, free_of(1));
    add(&program, 0, on_thread(1, FIRST, receive_from(1, 3, 100, 2)));
    add(&program, 0, on_thread(1, FIRST, free_of(2)));
    add(&program, 0, on_thread(1, FIRST, send_to(1, 4, 8, 0)));
    add(&program, 1, receive_from(0, 4, 8, 0));
    for (int tag = 1; tag < 4; tag++)
        add(&program, 1, send_to(0, tag, tag == 1 ? 8 : 10 * (uint64_t)tag, 0));
    for (uint32_t rank = 0; rank < 2; rank++)
        end(&program, rank, 1000);
    struct ct_rehearsal facts = rehearsed(&program, 0);
    assert_int_equal(facts.n_freed, 2);
    assert_int_equal(facts.freed[0].position, 4);
    assert_int_equal(facts.freed[0].bytes, 20);
    assert_int_equal(facts.freed[1].position, 6);
    assert_int_equal(facts.freed[1].bytes, 30);
    ct_rehearsal_free(&facts);
    program_free(&program);
}

/* A message from another rank may come to the first receive from any source, unless it is sent
 * behind a barrier that its sender left before, and that the receiver came to afterwards. */
static void barriers_of_other_threads_keep_messages_apart(void **state)
{
    (void)state;
    const struct ct_trace_event any = receive_from(-1, -1, 8, 1), starts = start_of(any, 0, 1),
                                barrier = collective(CT_TRACE_BARRIER, 0, 0, 0),
                                sends = send_to(0, 1, 8, 0);
    for (uint64_t early = 0; early < 4; early++) {
        struct traced_program program = program_of(3);
        add(&program, 0, init_of(any));
        add(&program, 0, starts);
        add(&program, 0, wait_received(1, 1, 1, 8));
        add(&program, 0, on_thread(1, FIRST + 3 - (early & 1), barrier));
        add(&program, 0, starts);
        add(&program, 0, wait_received(1, 2, 1, 8));
        add(&program, 0, free_of(1));
        add(&program, 1, sends);
        add(&program, 1, barrier);
        add(&program, 2, on_thread(1, FIRST, barrier));
        add(&program, 2, on_thread(0, FIRST + 1 - (early >> 1), sends));
        for (uint32_t rank = 0; rank < 3; rank++)
            end(&program, rank, 1000);
        struct ct_rehearsal facts = rehearsed(&program, 0);
        assert_int_equal(facts.any_may_differ, early > 0);
        ct_rehearsal_free(&facts);
        program_free(&program);
    }
}

/* Another thread's receive may be posted before or after the one from any source. */
static void receives_of_other_threads_may_get_the_message(void **state)
{
    (void)state;
    const struct ct_trace_event any = receive_from(-1, -1, 8, 1);
    for (uint64_t late = 0; late < 2; late++) {
        struct traced_program program = program_of(2);
        add(&program, 0, init_of(any));
        add(&program, 0, on_thread(1, FIRST + 1, receive_from(1, 2, 8, 0)));
        add(&program, 0, on_thread(0, FIRST + 1 + late, start_of(any, 0, 1)));
        add(&program, 0, wait_received(1, 1, 1, 8));
        add(&program, 0, free_of(1));
        add(&program, 1, send_to(0, 2, 8, 0));
        add(&program, 1, send_to(0, 1, 8, 0));
        for (uint32_t rank = 0; rank < 2; rank++)
            end(&program, rank, 1000);
        struct ct_rehearsal facts = rehearsed(&program, 0);
        assert_int_equal(facts.any_may_differ, !late);
        ct_rehearsal_free(&facts);
        program_free(&program);
    }
}

/* ---- scripts ---- */

static uint32_t request_of(struct ct_script *script)
{
    struct ct_trace_event event;
    struct ct_outcome outcome;
    struct ct_trace_completion completion;
    size_t at = 0;
    assert_int_equal(ct_script_next(script, &event, &outcome, NULL), CT_OK);
    if (event.kind != CT_TRACE_WAIT)
        return event.request;
    assert_true(ct_trace_completion_next(&event, &at, &completion));
    return completion.request;
}

/* The trace has number 1 for both requests, but the second may begin before the first has ended. */
static void places_are_free_for_all_threads(void **state)
{
    (void)state;
    for (uint64_t late = 0; late < 2; late++) {
        struct traced_program program = program_of(1);
        struct ct_script scripts[2];
        add(&program, 0, send_to(0, 1, 8, 1));
        add(&program, 0, wait_sent(1));
        add(&program, 0, on_thread(1, FIRST + 1 + late, send_to(0, 1, 8, 1)));
        add(&program, 0, on_thread(1, FIRST + 3, wait_sent(1)));
        struct ct_events events = events_of(&program);
        for (uint32_t i = 0; i < 2; i++)
            assert_int_equal(ct_script_open_thread(&events, 0, i, &scripts[i], NULL), CT_OK);
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < FIRST; i++)
                assert_int_equal(request_of(&scripts[0]), 0);
            for (int i = 0; i < 2; i++) {
                assert_int_equal(request_of(&scripts[0]), 1);
                assert_int_equal(request_of(&scripts[1]), late ? 1 : 2);
            }
            assert_int_equal(request_of(&scripts[1]), 0);
            for (uint32_t i = 0; i < 2; i++)
                ct_script_seek(&scripts[i], scripts[i].start);
        }
        for (uint32_t i = 0; i < 2; i++)
            ct_script_free(&scripts[i]);
        program_free(&program);
    }
}

/* A receive is posted for the message that another thread's wait got. */
static void outcomes_are_in_calls_of_other_threads(void **state)
{
    (void)state;
    struct traced_program program = program_of(1);
    struct ct_script script;
    struct ct_trace_event event;
    struct ct_outcome outcome;
    add(&program, 0, receive_from(-1, 4, 8, 1));
    add(&program, 0, on_thread(1, FIRST + 1, receive_from(-1, 5, 8, 2)));
    add(&program, 0, on_thread(1, FIRST + 1, wait_received(1, 0, 4, 3)));
    add(&program, 0, wait_received(2, 0, 5, 6));
    struct ct_events events = events_of(&program);
    assert_int_equal(ct_script_open_thread(&events, 0, 1, &script, NULL), CT_OK);
    assert_int_equal(ct_script_next(&script, &event, &outcome, NULL), CT_OK);
    assert_int_equal(event.from.tag, 5);
    assert_true(outcome.arrives);
    assert_int_equal(outcome.message.bytes, 6);
    ct_script_free(&script);
    program_free(&program);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_overlap_as_in_the_trace),
        cmocka_unit_test(what_has_no_order_is_refused),
        cmocka_unit_test(long_calls_overlap_with_short_ones),
        cmocka_unit_test(receives_that_get_nothing_take_no_message_of_others),
        cmocka_unit_test(communicators_are_made_one_after_the_other),
        cmocka_unit_test(requests_pass_from_thread_to_thread),
        cmocka_unit_test(communicators_are_used_after_they_are_made),
        cmocka_unit_test(an_aborted_program_is_refused),
        cmocka_unit_test(facts_are_those_of_each_thread),
        cmocka_unit_test(freed_receives_are_in_the_order_of_the_trace),
        cmocka_unit_test(barriers_of_other_threads_keep_messages_apart),
        cmocka_unit_test(receives_of_other_threads_may_get_the_message),
        cmocka_unit_test(places_are_free_for_all_threads),
        cmocka_unit_test(outcomes_are_in_calls_of_other_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
