/* Programs alone and together, in one thread and in several: the same bytes. */
#include "engine_example.h"
#include "goal_example.h"
#include "simulate/call_times.h"
#include "simulate/joint/network_runs.h"
#include "unit.h"

#include <stdlib.h>
#include <string.h>

enum { PROGRAMS = 2, NODES = 10 };

static struct ct_goal goals[PROGRAMS];
static struct ct_engine_program *programs[PROGRAMS];

static int make_programs(void **state)
{
    (void)state;
    for (size_t i = 0; i < PROGRAMS; i++) {
        goals[i] = random_goal(i + 7, shape_of(i + 7, 10000));
        assert_int_equal(ct_engine_program_new(&goals[i], &programs[i], NULL), CT_OK);
    }
    return 0;
}

static int free_programs(void **state)
{
    (void)state;
    for (size_t i = 0; i < PROGRAMS; i++) {
        ct_engine_program_free(programs[i]);
        ct_goal_free(&goals[i]);
    }
    return 0;
}

/* All that is found of the first n programs. */
struct found {
    struct ct_network_run runs[PROGRAMS];
    struct ct_rank_times *times;
    struct ct_busy_links busy;
    struct ct_call_times *calls;
};

static struct found find(size_t n, enum ct_simulate_network_kind kind, unsigned threads,
                         bool has_gains)
{
    enum { TOLD = 16 };
    struct found found = {.times = NULL};
    struct ct_engine_job jobs[PROGRAMS];
    struct ct_call_times *calls[TOLD] = {NULL};
    struct ct_observer observers[TOLD];
    uint32_t n_ranks[PROGRAMS];
    struct ct_stack stack;
    struct ct_error err;
    size_t n_told = ct_network_runs_observed(n);
    assert_in_range(n_told, 1, TOLD);
    for (size_t i = 0; i < n_told; i++) {
        assert_int_equal(ct_call_times_new(goals, n, &calls[i], NULL), CT_OK);
        observers[i] = ct_call_times_observer(calls[i]);
    }
    for (size_t i = 0; i < n; i++) {
        jobs[i] = (struct ct_engine_job){.program = programs[i], .place = ct_simulate_blocks(1)};
        n_ranks[i] = goals[i].n_ranks;
    }
    const struct ct_network_runs_setup setup = {.kind = kind,
                                                .network = switch_of(NODES, 1),
                                                .stack = stack_of(1, &stack),
                                                .work_max = UINT64_MAX,
                                                .has_gains = has_gains,
                                                .threads = threads,
                                                .observers = observers};
    if (ct_network_runs(jobs, n_ranks, n, &setup, found.runs, &found.times, &found.busy, &err) !=
        CT_OK)
        fail_msg("%s", err.text);
    for (size_t i = 1; i < n_told; i++) {
        ct_call_times_add(calls[0], calls[i]);
        ct_call_times_free(calls[i]);
    }
    found.calls = calls[0];
    return found;
}

static void free_found(struct found *found)
{
    ct_rank_times_free(found->times);
    ct_call_times_free(found->calls);
    free(found->busy.links);
}

static void assert_equal(const struct found *a, const struct found *b, size_t n)
{
    assert_memory_equal(a->runs, b->runs, n * sizeof *a->runs);
    assert_int_equal(a->busy.n, b->busy.n);
    for (uint32_t i = 0; i < a->busy.n; i++)
        assert_near(a->busy.links[i].busy_frac, b->busy.links[i].busy_frac, 0);
    for (size_t i = 0; i < n; i++) {
        static struct ct_call_time rows[2][CT_GOAL_CALLS_MAX];
        size_t n_rows = ct_call_times_rows(a->calls, i, rows[0]);
        assert_int_equal(ct_call_times_rows(b->calls, i, rows[1]), n_rows);
        for (size_t row = 0; row < n_rows; row++)
            assert_memory_equal(rows[0][row].part_ns, rows[1][row].part_ns,
                                sizeof rows[0][row].part_ns);
        assert_memory_equal(ct_call_times_course(a->calls, i), ct_call_times_course(b->calls, i),
                            sizeof(struct ct_time_course));
        for (uint32_t rank = 0; rank < goals[i].n_ranks; rank++) {
            const struct ct_time_shares x = ct_rank_times_of(a->times, i, rank),
                                        y = ct_rank_times_of(b->times, i, rank);
            assert_memory_equal(&x, &y, sizeof x);
        }
    }
}

static void slow_threads_change_nothing(void **state)
{
    (void)state;
    for (size_t n = 1; n <= PROGRAMS; n++)
        for (int kind = 0; kind < CT_NETWORK_KINDS; kind++) {
            enum ct_simulate_network_kind network = (enum ct_simulate_network_kind)kind;
            struct found one = find(n, network, 1, true);
            for (unsigned threads = 2; threads <= 5; threads += 3) {
                struct found several = find(n, network, threads, true);
                assert_equal(&one, &several, n);
                free_found(&several);
            }
            free_found(&one);
        }
}

/* The parts of all passes of all simulations are the run times, and the course has all of them. */
static void what_is_told_is_added_up(void **state)
{
    (void)state;
    struct found found = find(PROGRAMS, CT_NETWORK_PACKET, 3, true);
    for (size_t i = 0; i < PROGRAMS; i++) {
        const struct ct_time_shares shares = ct_rank_times_sum(found.times, i);
        struct ct_call_time rows[CT_GOAL_CALLS_MAX];
        size_t n_rows = ct_call_times_rows(found.calls, i, rows);
        double sum_ns = 0, calls_ns[CT_TIME_PARTS] = {0};
        for (int part = 0; part < CT_TIME_PARTS; part++)
            sum_ns += shares.part_ns[part];
        assert_near(sum_ns, shares.runtime_ns, 1e-9 * shares.runtime_ns);
        for (size_t row = 0; row < n_rows; row++)
            for (int part = 0; part < CT_TIME_PARTS; part++)
                calls_ns[part] += rows[row].part_ns[part];
        for (int part = CT_TIME_STACK; part < CT_TIME_PARTS; part++)
            assert_near(calls_ns[part], shares.part_ns[part], 1e-9 * shares.runtime_ns);
        assert_true(found.runs[i].together_ns >= found.runs[i].alone_ns);
    }
    free_found(&found);
}

static void gains_that_nobody_asks_for_are_not_known(void **state)
{
    (void)state;
    struct found with = find(1, CT_NETWORK_PACKET, 2, true);
    struct found without = find(1, CT_NETWORK_PACKET, 2, false);
    assert_near(with.runs[0].alone_ns, without.runs[0].alone_ns, 0);
    assert_true(with.runs[0].none_ns < with.runs[0].no_network_ns);
    assert_true(isnan(without.runs[0].none_ns) && isnan(without.runs[0].no_network_ns));
    free_found(&with);
    free_found(&without);
}

/* The first of several errors, in the order of the programs, whichever thread has it. */
static void an_error_is_told(void **state)
{
    (void)state;
    const struct ct_engine_job job = {.program = programs[0], .place = ct_simulate_blocks(1)};
    struct ct_stack stack;
    struct ct_network_runs_setup setup = {.kind = CT_NETWORK_PACKET,
                                          .network = switch_of(1, 1),
                                          .stack = stack_of(1, &stack),
                                          .work_max = UINT64_MAX,
                                          .has_gains = true,
                                          .threads = 3};
    struct ct_network_run run;
    struct ct_rank_times *times = NULL;
    struct ct_error err;
    assert_int_equal(ct_network_runs(&job, &goals[0].n_ranks, 1, &setup, &run, &times, NULL, &err),
                     CT_EINVAL);
    assert_non_null(strstr(err.text, "the network has 1"));
    assert_null(times);
    assert_int_equal(ct_network_runs(&job, &goals[0].n_ranks, 1, &setup, &run, &times, NULL, NULL),
                     CT_EINVAL);
    assert_int_equal(ct_network_runs(&job, &goals[0].n_ranks, 0, &setup, &run, &times, NULL, &err),
                     CT_EINVAL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(slow_threads_change_nothing),
                                       cmocka_unit_test(what_is_told_is_added_up),
                                       cmocka_unit_test(gains_that_nobody_asks_for_are_not_known),
                                       cmocka_unit_test(an_error_is_told)};
    return cmocka_run_group_tests(tests, make_programs, free_programs);
}
