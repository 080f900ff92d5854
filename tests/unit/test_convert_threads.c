/* trace/convert: schedules of programs whose threads call MPI at the same time. */
#include "traced_program.h"
#include "unit.h"

/* A thread waits in a call while another one computes 100 ns and sends. Time goes on from the
 * latest end: 20 ns to the next call, 70 to the last. */
static void calls_of_threads_follow_one_another(void **state)
{
    (void)state;
    struct ct_convert_options options = ct_convert_defaults();
    struct ct_convert_notes notes;
    struct ct_goal goal;
    struct traced_program program = program_of(2);
    struct ct_trace_event receive = receive_from(1, 5, 8, 0);
    receive.thread = 1;
    call(&program, 0, 10, 20, (struct ct_trace_event){.kind = CT_TRACE_BEGIN});
    call(&program, 0, 120, 130, send_to(1, 7, 8, 0));
    call(&program, 0, 30, 150, receive);
    call(&program, 0, 170, 180, send_to(1, 8, 8, 0));
    end(&program, 0, 250);
    call(&program, 1, 10, 20, send_to(0, 5, 8, 0));
    call(&program, 1, 20, 30, receive_from(0, 7, 8, 0));
    call(&program, 1, 30, 200, receive_from(0, 8, 8, 0));
    end(&program, 1, 200);
    struct ct_events events = events_of(&program);
    assert_int_equal(ct_convert_events(&events, &options, &goal, &notes, NULL), CT_OK);
    assert_int_equal(notes.n_unmodelled, 0);
    assert_int_equal(notes.n_threaded, 1);
    uint64_t compute_ns = 0;
    for (uint64_t i = goal.first_op[0]; i < goal.first_op[1]; i++)
        if (goal.ops[i].kind == CT_GOAL_CALC)
            compute_ns += goal.ops[i].amount;
    assert_int_equal(compute_ns, 100 + 20 + 70);
    ct_convert_notes_free(&notes);
    ct_goal_free(&goal);
    program_free(&program);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_of_threads_follow_one_another),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
