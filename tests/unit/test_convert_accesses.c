/* trace/convert: one-sided accesses, whose run time is known by hand. */
#include "program_by_hand.h"
#include "unit.h"

#include <string.h>

/* The same if steps of messages wait until their ranks are in MPI. */
static double runtime_in_calls(struct traced_program *program, size_t eager_max_bytes)
{
    const struct ct_loggps at = {.o_ns = o, .L_ns = L, .G_ns_per_byte = G};
    const struct ct_graph_options in_calls = {
        .eager_max_bytes = eager_max_bytes, .in_call = true, .puts = true};
    struct ct_convert_options options = ct_convert_defaults();
    options.marks_waits = true;
    struct ct_goal goal = goal_of_program(program, &options);
    double runtime_ns = runtime_in_graph(&goal, &at, &in_calls);
    ct_goal_free(&goal);
    return runtime_ns;
}

static struct ct_trace_event access_to(int32_t to, uint64_t bytes, uint64_t answer,
                                       uint32_t request)
{
    return (struct ct_trace_event){.kind = CT_TRACE_ACCESS,
                                   .mode = answer ? CT_TRACE_GET : CT_TRACE_PUT,
                                   .request = request,
                                   .to = {.rank = to, .bytes = bytes},
                                   .bytes = answer};
}

static struct ct_trace_event flush_of(const uint64_t *ranks, size_t n)
{
    return (struct ct_trace_event){.kind = CT_TRACE_WINDOW_FLUSH, .values = ranks, .n_values = n};
}

/* Rank 0 accesses the memory of rank 1, computes, and waits; rank 1 makes no call. */
static struct traced_program one_access(uint64_t bytes, uint64_t answer, uint64_t compute_ns,
                                        uint32_t request)
{
    struct traced_program program = program_of(2);
    const uint64_t waits = 20 + compute_ns;
    call(&program, 0, 10, 20, access_to(1, bytes, answer, request));
    if (request)
        call(&program, 0, waits, waits + 500, wait_sent(request));
    call(&program, 0, waits + (request ? 500 : 0), waits + 500, flush_of(NULL, 0));
    end(&program, 0, waits + 550);
    end(&program, 1, 100);
    return program;
}

static void an_access_is_complete_when_its_answer_is_there(void **state)
{
    (void)state;
    static const uint64_t sizes[][2] = {{101, 0}, {0, 101}, {8, 8}, {16, 8}, {0, 0}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (uint64_t compute_ns = 0; compute_ns <= 4000; compute_ns += 1000)
            for (uint32_t request = 0; request < 3; request += 2) {
                struct traced_program program =
                    one_access(sizes[i][0], sizes[i][1], compute_ns, request);
                double there_and_back = message(sizes[i][0]) + message(sizes[i][1]);
                assert_near(runtime(&program, NULL),
                            10 + fmax(there_and_back, o + (double)compute_ns) + 50, 1e-9);
                program_free(&program);
            }
}

/* A rank that computes is accessed all the same. */
static void the_other_rank_goes_on(void **state)
{
    (void)state;
    struct traced_program program = program_of(2);
    call(&program, 0, 10, 20, access_to(1, 8, 0, 0));
    call(&program, 0, 20, 30, flush_of(NULL, 0));
    call(&program, 0, 30, 40, send_to(1, 1, 8, 0));
    end(&program, 0, 40);
    call(&program, 1, 900000, 900010, receive_from(0, 1, 8, 0));
    end(&program, 1, 900010);
    assert_near(runtime(&program, NULL), 900000 + o, 1e-9);
    program_free(&program);
}

/* A flush waits for the accesses to the ranks that it names, and to a window that it is of. */
static void a_flush_waits_for_what_it_names(void **state)
{
    (void)state;
    static const uint64_t ranks[] = {1};
    for (int all = 0; all < 2; all++) {
        struct traced_program program = program_of(3);
        for (uint32_t rank = 0; rank < 3; rank++)
            communicator(&program, rank, 0, 5, (const uint64_t[]){1, 0, 1, 2}, 4);
        call(&program, 0, 0, 10, access_to(2, 0, 1001, 0));
        call(&program, 0, 10, 20, in_comm(5, access_to(1, 0, 5001, 0)));
        call(&program, 0, 20, 30, access_to(1, 0, 1, 0));
        call(&program, 0, 30, 40, flush_of(ranks, all ? 0 : 1));
        call(&program, 0, 10040, 10050, flush_of(NULL, 0));
        call(&program, 0, 10050, 10060, in_comm(5, flush_of(NULL, 0)));
        end(&program, 0, 10060);
        for (uint32_t rank = 1; rank < 3; rank++)
            end(&program, rank, 10);
        /* All begin when the overhead of the one before is paid; the last of 5001 B ends before the
         * compute does. */
        double end = all ? message(0) + message(1001) : 2 * o + message(0) + message(1);
        assert_near(runtime(&program, NULL), end + 10000, 1e-9);
        program_free(&program);
    }
}

/* Both ranks put to each other in epochs that two barriers end, over and over: each epoch is a
 * message there and back, and a round of empty ones. */
static void epochs_follow_one_another(void **state)
{
    (void)state;
    enum { EPOCHS = 5 };
    struct traced_program program = program_of(2);
    for (uint32_t rank = 0; rank < 2; rank++) {
        for (uint64_t i = 0; i < EPOCHS; i++) {
            call(&program, rank, 100 * i, 100 * i + 10, access_to(1 - (int32_t)rank, 51, 0, 0));
            call(&program, rank, 100 * i + 10, 100 * i + 20, flush_of(NULL, 0));
            call(&program, rank, 100 * i + 20, 100 * i + 100,
                 collective(CT_TRACE_BARRIER, 0, 0, 0));
        }
        end(&program, rank, 100 * EPOCHS);
    }
    assert_near(runtime(&program, NULL), EPOCHS * (message(51) + 2 * message(0)), 1e-9);
    program_free(&program);
}

/* Rank 0 puts, waits, and goes on; rank 1 computes meanwhile. */
enum { BUSY_NS = 900000 };
static struct traced_program put_to_busy(uint64_t bytes, struct ct_trace_event next_of_0,
                                         struct ct_trace_event next_of_1)
{
    struct traced_program program = program_of(2);
    call(&program, 0, 0, 10, access_to(1, bytes, 0, 0));
    call(&program, 0, 10, 20, flush_of(NULL, 0));
    call(&program, 0, 20, 30, next_of_0);
    end(&program, 0, 30);
    call(&program, 1, BUSY_NS, BUSY_NS + 10, next_of_1);
    end(&program, 1, BUSY_NS + 10);
    return program;
}

/* In calls, rank 1 takes what was put, and answers, when it comes to wait for rank 0. */
static void the_other_rank_serves_in_the_call_that_waits(void **state)
{
    (void)state;
    struct traced_program program = put_to_busy(101, collective(CT_TRACE_BARRIER, 0, 0, 0),
                                                collective(CT_TRACE_BARRIER, 0, 0, 0));
    assert_near(runtime(&program, NULL), BUSY_NS + message(0), 1e-9);
    assert_near(runtime_in_calls(&program, EAGER), BUSY_NS + o + 2 * message(0), 1e-9);
    /* Above S, over sockets: the grant, data, acknowledgement and end come after the busy time. */
    assert_near(runtime_in_calls(&program, 100),
                BUSY_NS + (o + L) + (o + L + 100 * G) + (o + L) + (o + L) + o + 2 * message(0),
                1e-9);
    program_free(&program);
    program = put_to_busy(101, send_to(1, 1, 8, 0), receive_from(0, 1, 8, 0));
    assert_near(runtime(&program, NULL), BUSY_NS + o, 1e-9);
    assert_near(runtime_in_calls(&program, EAGER), BUSY_NS + o + message(0) + message(8), 1e-9);
    program_free(&program);
}

/* A reduction to rank 0 does not make rank 1 wait for it: the end of the program does. */
static void a_call_that_does_not_wait_serves_nothing(void **state)
{
    (void)state;
    enum { LATE_NS = 5000 };
    struct traced_program program = program_of(2);
    call(&program, 0, 0, 10, access_to(1, 8, 0, 0));
    call(&program, 0, 10, 20, flush_of(NULL, 0));
    call(&program, 0, 20, 30, collective(CT_TRACE_REDUCE, 0, 8, 0));
    end(&program, 0, 30);
    call(&program, 1, BUSY_NS, BUSY_NS + 10, collective(CT_TRACE_REDUCE, 0, 8, 0));
    end(&program, 1, BUSY_NS + 10 + LATE_NS);
    assert_near(runtime(&program, NULL), fmax(BUSY_NS + message(8), BUSY_NS + o + LATE_NS), 1e-9);
    assert_near(runtime_in_calls(&program, EAGER), BUSY_NS + o + LATE_NS + o + message(0) + o,
                1e-9);
    program_free(&program);
}

/* Rank 1 waits for rank 2, which waits for what rank 0 does after the put: the call of rank 1 that
 * waits for rank 0 itself would wait for itself. So the first call counts, and the longest pause.
 */
static void a_circle_of_calls_counts_the_longest_pause(void **state)
{
    (void)state;
    enum { PAUSE_NS = 5000 };
    struct traced_program program = program_of(3);
    call(&program, 0, 0, 0, access_to(1, 8, 0, 0));
    call(&program, 0, 0, 0, flush_of(NULL, 0));
    call(&program, 0, 0, 0, send_to(2, 1, 8, 0));
    call(&program, 0, 0, 0, send_to(1, 2, 8, 0));
    end(&program, 0, 0);
    call(&program, 1, BUSY_NS, BUSY_NS, receive_from(2, 3, 8, 0));
    call(&program, 1, BUSY_NS + PAUSE_NS, BUSY_NS + PAUSE_NS, receive_from(0, 2, 8, 0));
    end(&program, 1, BUSY_NS + PAUSE_NS);
    call(&program, 2, 0, 0, receive_from(0, 1, 8, 0));
    call(&program, 2, 0, 0, send_to(1, 3, 8, 0));
    end(&program, 2, 0);
    assert_near(runtime(&program, NULL), BUSY_NS + o + PAUSE_NS + o, 1e-9);
    assert_near(runtime_in_calls(&program, EAGER),
                BUSY_NS + PAUSE_NS + o + message(0) + 2 * message(8) + PAUSE_NS + o, 1e-9);
    program_free(&program);
}

static void accesses_to_nobody_are_refused(void **state)
{
    (void)state;
    for (int32_t to = -1; to < 3; to += to < 0 ? 1 : 2) {
        struct traced_program program = program_of(2);
        call(&program, 0, 0, 10, access_to(to, 8, 0, 0));
        end(&program, 0, 10);
        end(&program, 1, 10);
        assert_refused(&program, "no other rank of the window");
        program_free(&program);
    }
    struct traced_program program = program_of(2);
    call(&program, 0, 0, 10, in_comm(9, flush_of(NULL, 0)));
    assert_refused(&program, "communicator 9 is not in the trace");
    program_free(&program);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_access_is_complete_when_its_answer_is_there),
        cmocka_unit_test(the_other_rank_goes_on),
        cmocka_unit_test(a_flush_waits_for_what_it_names),
        cmocka_unit_test(epochs_follow_one_another),
        cmocka_unit_test(the_other_rank_serves_in_the_call_that_waits),
        cmocka_unit_test(a_call_that_does_not_wait_serves_nothing),
        cmocka_unit_test(a_circle_of_calls_counts_the_longest_pause),
        cmocka_unit_test(accesses_to_nobody_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
