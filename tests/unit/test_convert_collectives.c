/* trace/convert: collectives become their messages, whose run time is known by hand. */
#include "program_by_hand.h"
#include "unit.h"

static void use(struct ct_convert_options *options, enum ct_collective what, const char *rules)
{
    assert_int_equal(ct_collective_rules_set(&options->rules, what, rules, NULL), CT_OK);
}

static void a_collective_is_its_messages(void **state)
{
    (void)state;
    for (uint32_t n = 2; n <= 16; n *= 2) {
        struct ct_convert_options options = ct_convert_defaults();
        struct traced_program program = program_of(n);
        double rounds = log2(n);
        for (uint32_t rank = 0; rank < n; rank++) {
            call(&program, rank, 100, 9000, collective(CT_TRACE_ALLREDUCE, 0, 1024, 0));
            end(&program, rank, 9020);
        }
        use(&options, CT_COLLECTIVE_ALLREDUCE, "recursive-doubling");
        assert_near(runtime(&program, &options), 100 + rounds * message(1024) + 20, 1e-9);
        use(&options, CT_COLLECTIVE_ALLREDUCE, "ring");
        assert_near(runtime(&program, &options), 100 + 2 * (n - 1.0) * message(1024 / n) + 20,
                    1e-9);
        program_free(&program);
    }
}

/* All sends of a round start one after the other: the last after n - 2 overheads. */
static void sends_of_a_round_pay_their_overheads(void **state)
{
    (void)state;
    enum { N = 6 };
    struct ct_convert_options options = ct_convert_defaults();
    struct traced_program program = program_of(N);
    for (uint32_t rank = 0; rank < N; rank++) {
        call(&program, rank, 0, 10, collective(CT_TRACE_ALLTOALL, 0, 64, 0));
        end(&program, rank, 10);
    }
    use(&options, CT_COLLECTIVE_ALLTOALL, "linear");
    assert_near(runtime(&program, &options), (N - 2) * o + message(64), 1e-9);
    program_free(&program);
}

static void a_nonblocking_collective_runs_beside_the_program(void **state)
{
    (void)state;
    for (uint64_t compute_ns = 0; compute_ns <= 4000; compute_ns += 1000) {
        struct ct_convert_options options = ct_convert_defaults();
        struct traced_program program = program_of(4);
        for (uint32_t rank = 0; rank < 4; rank++) {
            uint64_t waits = 10 + compute_ns;
            call(&program, rank, 0, 10, collective(CT_TRACE_ALLREDUCE, 0, 8, 6));
            call(&program, rank, waits, waits + 10, wait_sent(6));
            end(&program, rank, waits + 15);
        }
        use(&options, CT_COLLECTIVE_ALLREDUCE, "recursive-doubling");
        assert_near(runtime(&program, &options), fmax((double)compute_ns, 2 * message(8)) + 5,
                    1e-9);
        program_free(&program);
    }
}

/* Two at once, waited for in the other order; and a blocking one meanwhile. */
static void collectives_under_way_do_not_mix(void **state)
{
    (void)state;
    struct traced_program program = program_of(5);
    for (uint32_t rank = 0; rank < 5; rank++) {
        call(&program, rank, 0, 0, collective(CT_TRACE_BCAST, 3, 100, 1));
        call(&program, rank, 0, 0, collective(CT_TRACE_BCAST, 3, 200, 2));
        call(&program, rank, 0, 0, collective(CT_TRACE_BARRIER, 0, 0, 0));
        call(&program, rank, 0, 0, wait_sent(2));
        call(&program, rank, 0, 0, wait_sent(1));
        end(&program, rank, 0);
    }
    struct ct_goal goal = goal_of_program(&program, NULL);
    int32_t tags[3] = {0};
    for (uint64_t i = 0; i < goal.n_ops; i++) {
        const struct ct_goal_op *op = &goal.ops[i];
        if (op->kind == CT_GOAL_CALC)
            continue;
        int32_t *tag = &tags[op->amount / 100];
        assert_true(*tag == 0 || *tag == op->tag);
        *tag = op->tag;
    }
    assert_true(tags[0] != tags[1] && tags[1] != tags[2] && tags[0] != tags[2]);
    assert_true(runtime_of(&goal, o, L, G, EAGER) > 2 * L);
    ct_goal_free(&goal);
    program_free(&program);
}

/* Each rank knows its own row; what it receives is in those of the others. */
static void blocks_of_others_come_from_their_traces(void **state)
{
    (void)state;
    enum { N = 4 };
    struct ct_convert_options options = ct_convert_defaults();
    struct traced_program program = program_of(N);
    for (uint64_t rank = 0; rank < N; rank++) {
        const uint64_t row[N] = {10 * rank, 10 * rank + 1, 10 * rank + 2, 10 * rank + 3};
        struct ct_trace_event event = collective(CT_TRACE_ALLTOALLV, 0, 0, 0);
        event.values = row;
        event.n_values = N;
        call(&program, (uint32_t)rank, 0, 10, event);
        call(&program, (uint32_t)rank, 10, 20, collective(CT_TRACE_GATHER, 2, 1000 + rank, 0));
        end(&program, (uint32_t)rank, 20);
    }
    use(&options, CT_COLLECTIVE_ALLTOALL, "linear");
    struct ct_goal goal = goal_of_program(&program, &options);
    for (uint64_t i = 0; i < goal.n_ops; i++) {
        const struct ct_goal_op *op = &goal.ops[i];
        uint32_t rank = ct_goal_rank_of(&goal, (uint32_t)i);
        if (op->kind == CT_GOAL_RECV && op->amount < 1000)
            assert_int_equal(op->amount, 10 * op->peer + rank);
        if (op->kind == CT_GOAL_RECV && op->amount >= 1000) {
            assert_int_equal(rank, 2);
            assert_int_equal(op->amount, 1000 + op->peer);
        }
    }
    runtime_of(&goal, o, L, G, EAGER);
    ct_goal_free(&goal);
    program_free(&program);
}

static void neighbours_get_their_messages(void **state)
{
    (void)state;
    for (uint32_t request = 0; request < 2; request++) {
        struct traced_program program = program_of(3);
        for (uint64_t rank = 0; rank < 3; rank++) { /* in a row: 0 - 1 - 2 */
            uint64_t values[9] = {0}, n = 1;
            for (int sends = 1; sends >= 0; sends--) {
                for (uint64_t other = 0; other < 3; other++) {
                    if (other + 1 != rank && rank + 1 != other)
                        continue;
                    values[0] += (uint64_t)sends;
                    values[n++] = other;
                    values[n++] = sends ? 100 * rank : 100 * other;
                }
            }
            struct ct_trace_event event = {
                .kind = CT_TRACE_NEIGHBOR, .request = request, .values = values, .n_values = n};
            call(&program, (uint32_t)rank, 0, 10, event);
            if (request)
                call(&program, (uint32_t)rank, 10, 20, wait_sent(request));
            end(&program, (uint32_t)rank, 25);
        }
        /* Rank 1 receives 200 bytes from 2, which sends at once. */
        assert_near(runtime(&program, NULL), message(200) + (request ? 5 : 15), 1e-9);
        program_free(&program);
    }
}

/* Every collective, blocking and not, of equal and unequal blocks, on all ranks and on half. */
static void every_collective_has_all_its_messages(void **state)
{
    (void)state;
    for (uint32_t n = 1; n <= 9; n++) {
        struct traced_program program = program_of(n);
        uint64_t every_second[PROGRAM_RANKS_MAX + 1] = {0}, row[PROGRAM_RANKS_MAX];
        uint32_t n_second = (n + 1) / 2;
        for (uint32_t i = 0; i < n_second; i++)
            every_second[1 + i] = 2 * (n_second - 1 - i); /* from the last to the first */
        for (uint32_t rank = 0; rank < n; rank++) {
            uint64_t at = 0;
            if (rank % 2 == 0)
                communicator(&program, rank, 0, 7, every_second, n_second + 1);
            for (uint32_t comm = 0; comm <= 7; comm += 7) {
                uint32_t members = comm ? n_second : n;
                for (int kind = CT_TRACE_BARRIER; kind < CT_TRACE_NEIGHBOR; kind++) {
                    for (uint32_t request = 0; request < 2 && (comm == 0 || rank % 2 == 0);
                         request++) {
                        bool blocks = kind == CT_TRACE_GATHER || kind == CT_TRACE_SCATTER ||
                                      kind == CT_TRACE_ALLGATHER;
                        struct ct_trace_event event =
                            collective((enum ct_trace_kind)kind, n > 4 ? 4 : 0,
                                       blocks ? 10 + rank * request : 80, request);
                        for (uint32_t i = 0; i < members; i++)
                            row[i] = kind == CT_TRACE_ALLTOALLV ? i + 3 * rank : i + request;
                        bool listed = kind == CT_TRACE_ALLTOALLV || kind == CT_TRACE_REDUCE_SCATTER;
                        event.values = row;
                        event.n_values = listed ? members : 0;
                        if (kind == CT_TRACE_REDUCE_SCATTER)
                            event.bytes = members * (members - 1) / 2 + members * request;
                        if (kind == CT_TRACE_ALLTOALLV || kind == CT_TRACE_BARRIER)
                            event.bytes = 0;
                        call(&program, rank, at, at + 1, in_comm(comm, event));
                        if (request)
                            call(&program, rank, at + 1, at + 2, wait_sent(1));
                        at += 10;
                    }
                }
            }
            end(&program, rank, at);
        }
        struct ct_goal goal = goal_of_program(&program, NULL);
        assert_true(runtime_of(&goal, o, L, G, EAGER) > (n > 1 ? 20 * L : 0));
        ct_goal_free(&goal);
        program_free(&program);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_collective_is_its_messages),
        cmocka_unit_test(sends_of_a_round_pay_their_overheads),
        cmocka_unit_test(a_nonblocking_collective_runs_beside_the_program),
        cmocka_unit_test(collectives_under_way_do_not_mix),
        cmocka_unit_test(blocks_of_others_come_from_their_traces),
        cmocka_unit_test(neighbours_get_their_messages),
        cmocka_unit_test(every_collective_has_all_its_messages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
