/* trace/convert: calls that begin their messages in stages, whose run time is known by hand. */
#include "program_by_hand.h"
#include "unit.h"

static struct ct_trace_event stages(const uint64_t *sizes, size_t n)
{
    return (struct ct_trace_event){.kind = CT_TRACE_STAGES, .values = sizes, .n_values = n};
}

/* Rank 0 sends to 1, and 1 sends back: at once, or when the message has come. Then both compute,
 * and wait. */
static struct traced_program there_and_back(bool in_stages, uint64_t compute_ns)
{
    static const uint64_t one_each[] = {1, 1};
    struct traced_program program = program_of(2);
    for (uint32_t rank = 0; rank < 2; rank++) {
        const int32_t other = 1 - (int32_t)rank;
        if (in_stages)
            call(&program, rank, 10, 10, stages(one_each, 2));
        call(&program, rank, 10, 10,
             rank == 0 ? send_to(other, 1, 101, 1) : receive_from(other, 1, 101, 1));
        call(&program, rank, 10, 10,
             rank == 0 ? receive_from(other, 2, 51, 2) : send_to(other, 2, 51, 2));
        call(&program, rank, 10 + compute_ns, 10 + compute_ns,
             rank == 0 ? wait_sent(1) : wait_received(1, other, 1, 101));
        call(&program, rank, 10 + compute_ns, 20 + compute_ns,
             rank == 0 ? wait_received(2, other, 2, 51) : wait_sent(2));
        end(&program, rank, 70 + compute_ns);
    }
    return program;
}

static void a_stage_begins_when_the_one_before_has_ended(void **state)
{
    (void)state;
    for (int in_stages = 0; in_stages < 2; in_stages++)
        for (uint64_t compute_ns = 0; compute_ns <= 4000; compute_ns += 1000) {
            struct traced_program program = there_and_back(in_stages, compute_ns);
            double messages = in_stages ? message(101) + message(51) : message(101);
            assert_near(runtime(&program, NULL), 10 + fmax(messages, o + (double)compute_ns) + 50,
                        1e-9);
            program_free(&program);
        }
}

/* A barrier of rank 0 alone has no messages: what comes after it begins where the call does. A
 * stage of two ends with the later one. */
static void stages_of_nothing_and_of_two(void **state)
{
    (void)state;
    static const uint64_t sizes[] = {1, 2, 1};
    struct traced_program program = program_of(3);
    communicator(&program, 0, 0, 5, (const uint64_t[]){0, 0}, 2);
    call(&program, 0, 10, 10, stages(sizes, 3));
    call(&program, 0, 10, 10, in_comm(5, collective(CT_TRACE_BARRIER, 0, 0, 1)));
    call(&program, 0, 10, 10, receive_from(1, 1, 1001, 2));
    call(&program, 0, 10, 10, receive_from(2, 1, 1, 3));
    call(&program, 0, 10, 10, send_to(1, 2, 11, 4));
    call(&program, 0, 10, 20, wait_sent(1));
    call(&program, 0, 20, 20, wait_received(2, 1, 1, 1001));
    call(&program, 0, 20, 20, wait_received(3, 2, 1, 1));
    call(&program, 0, 20, 20, wait_sent(4));
    end(&program, 0, 20);
    call(&program, 1, 10, 20, send_to(0, 1, 1001, 0));
    call(&program, 1, 20, 30, receive_from(0, 2, 11, 0));
    end(&program, 1, 30);
    call(&program, 2, 10, 20, send_to(0, 1, 1, 0));
    end(&program, 2, 20);
    assert_near(runtime(&program, NULL), 10 + message(1001) + message(11), 1e-9);
    program_free(&program);
}

/* The program does not wait for stages where it goes on, and the next call of it begins there. */
static void other_calls_do_not_wait_for_stages(void **state)
{
    (void)state;
    static const uint64_t one_each[] = {1, 1};
    struct traced_program program = program_of(2);
    call(&program, 0, 0, 0, stages(one_each, 2));
    call(&program, 0, 0, 0, receive_from(1, 1, 1, 1));
    call(&program, 0, 0, 0, send_to(1, 2, 1, 2));
    call(&program, 0, 0, 10, send_to(1, 3, 1, 0));
    call(&program, 0, 10, 20, wait_received(1, 1, 1, 1));
    call(&program, 0, 20, 20, wait_sent(2));
    end(&program, 0, 20);
    call(&program, 1, 0, 10, receive_from(0, 3, 1, 0)); /* only then it sends what 0 waits for */
    call(&program, 1, 10, 20, send_to(0, 1, 1, 0));
    call(&program, 1, 20, 30, receive_from(0, 2, 1, 0));
    end(&program, 1, 30);
    /* Rank 0 pays the overhead of its posted receive when the message comes. */
    assert_near(runtime(&program, NULL), 3 * message(1), 1e-9);
    program_free(&program);
}

static void damaged_stages_are_refused(void **state)
{
    (void)state;
    static const uint64_t nothing[] = {1, 0}, one[] = {1};
    struct traced_program program = program_of(2);
    call(&program, 0, 0, 0, stages(nothing, 2));
    assert_refused(&program, "rank 0, event 3 (stages): a stage without calls");
    program_free(&program);
    program = program_of(2);
    call(&program, 0, 0, 0, stages(one, 1));
    call(&program, 0, 0, 0, send_to(1, 1, 1, 0));
    assert_refused(&program, "a call that blocks, in a stage of another one");
    program_free(&program);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stage_begins_when_the_one_before_has_ended),
        cmocka_unit_test(stages_of_nothing_and_of_two),
        cmocka_unit_test(other_calls_do_not_wait_for_stages),
        cmocka_unit_test(damaged_stages_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
