/* trace/convert: what a schedule knows of the calls of its program: in which a rank waits, and
 * which one each operation is of. */
#include "trace/input/input.h"
#include "traced_program.h"
#include "unit.h"

#include <stdlib.h>
#include <string.h>

/* ---- waits ---- */

/* Asserts that the marks of rank 0 are these lines; the schedule is that of the program. */
static void assert_marks(struct traced_program *program, const char *expected)
{
    struct ct_convert_options options = ct_convert_defaults();
    options.marks_waits = true;
    struct ct_goal goal = goal_of_program(program, &options);
    char *text = text_of(&goal), *rank_1 = strstr(text, "rank 1 {");
    assert_non_null(rank_1);
    *rank_1 = '\0';
    char *first = strstr(text, "//crosstalk-wait l");
    assert_non_null(first);
    assert_string_equal(first, expected);
    free(text);
    ct_goal_free(&goal);
    program_free(program);
}

/* In which calls a rank waits, and how long it computes between the first one and the last. */
static void messages_have_marks_of_their_waits(void **state)
{
    (void)state;
    struct traced_program program = nonblocking_ring(4000);
    assert_marks(&program, "//crosstalk-wait l2 both requires l5 away 0\n"
                           "//crosstalk-wait l4 first requires l5 away 0\n"
                           "//crosstalk-wait l4 last requires l2 away 0\n"
                           "//crosstalk-wait l4 last requires l5 away 0\n"
                           "}\n\n");
    /* Rank 0 computes 30 and 200 and 70 between the calls in which it waits; nothing waits for its
     * buffered send, which is l5. */
    program = program_of(2);
    call(&program, 0, 0, 10, send_to(1, 1, 8, 1));
    call(&program, 0, 40, 50, receive_from(1, 2, 8, 0));
    call(&program, 0, 50, 60, in_mode(CT_TRACE_BUFFERED, send_to(1, 3, 8, 0)));
    call(&program, 0, 250, 260, receive_from(1, 4, 8, 0));
    call(&program, 0, 330, 340, wait_sent(1));
    end(&program, 0, 440);
    call(&program, 1, 0, 10, receive_from(0, 1, 8, 0));
    call(&program, 1, 10, 20, send_to(0, 2, 8, 0));
    call(&program, 1, 20, 30, receive_from(0, 3, 8, 0));
    call(&program, 1, 30, 40, send_to(0, 4, 8, 0));
    end(&program, 1, 50);
    assert_marks(&program, "//crosstalk-wait l1 first requires l2 away 190\n"
                           "//crosstalk-wait l1 last requires l7 away 0\n"
                           "//crosstalk-wait l4 both requires l5 away 100\n"
                           "}\n\n");
}

/* Messages of a collective that follow others begin in a call, too. */
static void nonblocking_collectives_have_marks(void **state)
{
    (void)state;
    struct traced_program program = program_of(4);
    for (uint32_t rank = 0; rank < 4; rank++) {
        call(&program, rank, 0, 10, collective(CT_TRACE_BARRIER, 0, 0, 1));
        call(&program, rank, 1010, 1020, wait_sent(1));
        end(&program, rank, 1020);
    }
    assert_marks(&program, "//crosstalk-wait l1 both requires l6 away 0\n"
                           "//crosstalk-wait l2 both requires l6 away 0\n"
                           "//crosstalk-wait l3 both begins requires l6 away 0\n"
                           "//crosstalk-wait l4 both begins requires l6 away 0\n"
                           "//crosstalk-wait l5 both begins requires l6 away 0\n"
                           "}\n\n");
}

/* ---- calls ---- */

static void operations_know_their_calls(void **state)
{
    (void)state;
    struct traced_program program = nonblocking_ring(4000);
    struct ct_goal goal = goal_of_program(&program, NULL);
    const uint64_t received = 1, sent = 3;
    assert_int_equal(goal.n_ops, 12);
    for (uint64_t rank = 0; rank < 2; rank++) {
        assert_string_equal(calls_of(&goal, 6 * rank + received).made, "MPI_Irecv");
        assert_string_equal(calls_of(&goal, 6 * rank + received).waited, "MPI_Wait");
        assert_string_equal(calls_of(&goal, 6 * rank + sent).made, "MPI_Isend");
        assert_string_equal(calls_of(&goal, 6 * rank + sent).waited, "MPI_Wait");
    }
    assert_int_equal(count_of(&goal, "MPI_Irecv"), 2);
    assert_int_equal(count_of(&goal, "MPI_Wait"), 4);
    assert_int_equal(count_of(&goal, "MPI_Recv"), 0);
    ct_goal_free(&goal);
    program_free(&program);
}

/* All messages of collectives, and of a synchronous send, are of the call. */
static void messages_that_calls_expand_to_are_of_the_call(void **state)
{
    (void)state;
    enum { RANKS = 8, SUMMED = 3 };
    struct traced_program program = program_of(RANKS);
    for (uint32_t rank = 0; rank < RANKS; rank++) {
        call(&program, rank, 100, 200, collective(CT_TRACE_ALLREDUCE, 0, 8, 0));
        call(&program, rank, 300, 400, collective(CT_TRACE_BARRIER, 0, 0, 5));
        call(&program, rank, 1500, 1600, wait_sent(5));
        if (rank == 0)
            call(&program, 0, 1700, 1800, in_mode(CT_TRACE_SYNCHRONOUS, send_to(1, 9, 4, 0)));
        if (rank == 1)
            call(&program, 1, 1700, 1800, receive_from(0, 9, 4, 0));
        end(&program, rank, 2000);
    }
    struct ct_goal goal = goal_of_program(&program, NULL);
    uint64_t of_sum = 0, of_barrier = 0, of_send = 0, of_receive = 0;
    for (uint64_t op = 0; op < goal.n_ops; op++) {
        struct calls calls = calls_of(&goal, op);
        if (goal.ops[op].kind == CT_GOAL_CALC)
            continue;
        bool ends_later = strcmp(calls.made, "MPI_Ibarrier") == 0;
        assert_string_equal(calls.waited, ends_later ? "MPI_Wait" : calls.made);
        of_sum += strcmp(calls.made, "MPI_Allreduce") == 0;
        of_barrier += ends_later;
        of_send += strcmp(calls.made, "MPI_Ssend") == 0;
        of_receive += strcmp(calls.made, "MPI_Recv") == 0;
    }
    assert_int_equal(of_sum, 2 * SUMMED * RANKS);
    assert_int_equal(of_barrier, 2 * SUMMED * RANKS);
    assert_int_equal(of_send, 2);    /* and the answer */
    assert_int_equal(of_receive, 2); /* likewise */
    assert_int_equal(count_of(&goal, "MPI_Allreduce"), RANKS);
    assert_int_equal(count_of(&goal, "MPI_Ssend"), 1);
    ct_goal_free(&goal);
    program_free(&program);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_have_marks_of_their_waits),
        cmocka_unit_test(nonblocking_collectives_have_marks),
        cmocka_unit_test(operations_know_their_calls),
        cmocka_unit_test(messages_that_calls_expand_to_are_of_the_call),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
