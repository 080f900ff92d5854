/* trace/convert/part.c: parts of programs whose run time is known by hand. */
#include "program_by_hand.h"
#include "unit.h"

#include <string.h>

static double runtime_of_part(struct traced_program *program, struct ct_convert_part part)
{
    struct ct_convert_options options = ct_convert_defaults();
    options.part = part;
    return runtime(program, &options);
}

/* Steps of 1000 ns of compute, a message to the next rank and a barrier; a receive that is posted
 * in step 3 and waited for in step 4. */
enum { STEPS = 6 };
static struct traced_program steps(bool crosses)
{
    struct traced_program program = program_of(2);
    for (uint32_t rank = 0; rank < 2; rank++) {
        int32_t other = 1 - (int32_t)rank;
        uint64_t at = 0;
        for (int step = 0; step < STEPS; step++) {
            call(&program, rank, at + 1000, at + 1010, receive_from(other, step, 8, 1));
            call(&program, rank, at + 1010, at + 1020, send_to(other, step, 8, 0));
            if (crosses && step == 3)
                call(&program, rank, at + 1030, at + 1040, collective(CT_TRACE_BARRIER, 0, 0, 0));
            call(&program, rank, at + 1040, at + 1100, wait_received(1, other, step, 8));
            call(&program, rank, at + 1100, at + 1200, collective(CT_TRACE_BARRIER, 0, 0, 0));
            at += 1200;
        }
        end(&program, rank, at + 5000);
    }
    return program;
}

static void a_part_takes_the_time_of_its_steps(void **state)
{
    (void)state;
    struct traced_program program = steps(false);
    double step_ns = runtime_of_part(&program, (struct ct_convert_part){1, 2});
    assert_true(step_ns > 1000 + o + L + 7 * G + o); /* compute, and the message of 8 bytes */
    assert_near(runtime_of_part(&program, (struct ct_convert_part){2, 5}), 3 * step_ns, 1e-9);
    assert_near(runtime_of_part(&program, (struct ct_convert_part){1, STEPS}),
                (STEPS - 1) * step_ns, 1e-9);
    program_free(&program);
}

static void assert_no_part(struct traced_program *program, struct ct_convert_part part,
                           const char *words)
{
    struct ct_convert_options options = ct_convert_defaults();
    struct ct_events events = events_of(program);
    struct ct_convert_notes notes;
    struct ct_goal goal;
    struct ct_error err;
    options.part = part;
    assert_int_equal(ct_convert_events(&events, &options, &goal, &notes, &err), CT_EUSAGE);
    if (!strstr(err.text, words))
        fail_msg("'%s' in: %s", words, err.text);
}

static void parts_that_there_are_not_are_refused(void **state)
{
    (void)state;
    struct traced_program program = steps(true); /* the fourth collective is within an exchange */
    assert_no_part(&program, (struct ct_convert_part){3, 0}, "--pass-to 0: both");
    assert_no_part(&program, (struct ct_convert_part){3, 3}, "the second larger");
    assert_no_part(&program, (struct ct_convert_part){3, STEPS + 2}, "make 7 collectives together");
    assert_no_part(&program, (struct ct_convert_part){4, 6}, "--pass-from 4: messages or requests");
    assert_no_part(&program, (struct ct_convert_part){2, 4}, "--pass-to 4: messages or requests");
    assert_true(runtime_of_part(&program, (struct ct_convert_part){3, 5}) > 0);
    program_free(&program);
}

/* Members of a smaller communicator that make its collective on different sides of a mark. */
static void collectives_of_some_ranks_do_not_cross(void **state)
{
    (void)state;
    static const uint64_t both[] = {1, 0, 1}; /* another communicator of both */
    struct traced_program program = program_of(2);
    for (uint32_t rank = 0; rank < 2; rank++) {
        communicator(&program, rank, 0, 5, both, 3);
        for (uint64_t step = 0; step < 4; step++) {
            bool late =
                step == 1 && rank == 1; /* the barrier of both ranks as started, not ended */
            call(&program, rank, 100 * step + 10, 100 * step + 20,
                 late ? collective(CT_TRACE_BARRIER, 0, 0, 0)
                      : in_comm(5, collective(CT_TRACE_BARRIER, 0, 0, 0)));
            call(&program, rank, 100 * step + 30, 100 * step + 40,
                 late ? in_comm(5, collective(CT_TRACE_BARRIER, 0, 0, 0))
                      : collective(CT_TRACE_BARRIER, 0, 0, 0));
        }
        end(&program, rank, 1000);
    }
    assert_no_part(&program, (struct ct_convert_part){3, 6}, "--pass-from 3");
    assert_no_part(&program, (struct ct_convert_part){1, 3}, "--pass-to 3");
    assert_true(runtime_of_part(&program, (struct ct_convert_part){4, 6}) > 0);
    program_free(&program);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_part_takes_the_time_of_its_steps),
        cmocka_unit_test(parts_that_there_are_not_are_refused),
        cmocka_unit_test(collectives_of_some_ranks_do_not_cross),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
