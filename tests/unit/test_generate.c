/* trace/convert/generate.h: programs of any size against closed forms. */
#include "lp-bridge/collective/collective.h"
#include "lp-bridge/envelope/of_graph.h"
#include "trace/convert/generate.h"
#include "trace/convert/generate_spec.h"
#include "trace/input/input.h"
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct ct_goal goal_of(const char *text, const char *allreduce, const char *alltoall)
{
    struct ct_convert_options options = ct_convert_defaults();
    struct ct_convert_notes notes;
    struct ct_goal goal;
    struct ct_error err;
    assert_int_equal(ct_collective_rules_set(&options.rules, CT_COLLECTIVE_ALLREDUCE,
                                             allreduce ? allreduce : "recursive-doubling", NULL),
                     CT_OK);
    assert_int_equal(ct_collective_rules_set(&options.rules, CT_COLLECTIVE_ALLTOALL,
                                             alltoall ? alltoall : "linear", NULL),
                     CT_OK);
    if (ct_input_convert(ct_input_of(text), &options, &goal, &notes, &err) != CT_OK)
        fail_msg("%s: %s", text, err.text);
    assert_int_equal(notes.n_cut, 0);
    ct_convert_notes_free(&notes);
    return goal;
}

struct contents {
    double messages, bytes, compute_ns;
};

/* Every send has its receive, and nothing waits in a circle: else there is no chain. */
static struct contents contents_of(const struct ct_goal *goal)
{
    struct contents found = {0};
    double chain;
    for (uint64_t op = 0; op < goal->n_ops; op++) {
        found.messages += goal->ops[op].kind == CT_GOAL_SEND;
        if (goal->ops[op].kind == CT_GOAL_SEND)
            found.bytes += (double)goal->ops[op].amount;
        if (goal->ops[op].kind == CT_GOAL_CALC)
            found.compute_ns += (double)goal->ops[op].amount;
    }
    assert_int_equal(ct_longest_chain(goal, &chain, NULL), CT_OK);
    return found;
}

static double calls_of(const struct ct_goal *goal, const char *name)
{
    for (uint32_t i = 0; i < goal->calls->n_calls; i++)
        if (strcmp(goal->calls->calls[i].name, name) == 0)
            return (double)goal->calls->calls[i].count;
    return 0;
}

/* ---- closed forms ---- */

static void a_halo_is_two_messages_a_dimension_a_visit(void **state)
{
    (void)state;
    struct ct_goal goal = goal_of("halo:4x2x2,rounds=3,levels=3,bytes=1000B,sum=16B", NULL, NULL);
    struct contents found = contents_of(&goal);
    const double ranks = 16, rounds = 3, visits = 5, sums = 4; /* log2 of the ranks */
    assert_int_equal(goal.n_ranks, 16);
    assert_near(found.messages, ranks * rounds * (6 * visits + sums), 0);
    /* Down and up: 1000, 250, 62, 250, 1000 B in each direction. */
    assert_near(found.bytes, ranks * rounds * (6 * (1000 + 250 + 62 + 250 + 1000) + sums * 16), 0);
    assert_near(found.compute_ns, ranks * rounds * 1e6 * (1 + .125 + .015625 + .125 + 1), 1e-6);
    assert_near(calls_of(&goal, "MPI_Isend"), ranks * rounds * 6 * visits, 0);
    assert_near(calls_of(&goal, "MPI_Irecv"), ranks * rounds * 6 * visits, 0);
    assert_near(calls_of(&goal, "MPI_Wait"), ranks * rounds * visits, 0);
    assert_near(calls_of(&goal, "MPI_Allreduce"), ranks * rounds, 0);
    ct_goal_free(&goal);
}

static void borders_of_coarse_levels_have_some_bytes(void **state)
{
    (void)state;
    struct ct_goal goal = goal_of("halo:3x3,rounds=1,levels=30,bytes=64B,sum=0B", NULL, NULL);
    struct contents found = contents_of(&goal);
    assert_near(found.messages, 9 * 4 * 59, 0);
    /* 64, 32, 16, 8, then 8 on the other 26 levels. */
    assert_near(found.bytes, 9 * 4 * (2 * (64 + 32 + 16 + 8) + 8 * (59 - 8)), 0);
    ct_goal_free(&goal);
}

static void slow_one_number_is_a_grid_of_close_sides(void **state)
{
    (void)state;
    static const struct {
        const char *number, *grid;
    } same[] = {{"halo:10648,rounds=1,levels=2", "halo:22x22x22,rounds=1,levels=2"},
                {"halo:24,rounds=1", "halo:4x3x2,rounds=1"},
                {"halo:7,rounds=1", "halo:7x1x1,rounds=1"}};
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        struct ct_goal a = goal_of(same[i].number, NULL, NULL);
        struct ct_goal b = goal_of(same[i].grid, NULL, NULL);
        assert_int_equal(a.n_ops, b.n_ops);
        for (size_t op = 0; op < a.n_ops; op++) {
            assert_int_equal(a.ops[op].amount, b.ops[op].amount);
            assert_int_equal(a.ops[op].peer, b.ops[op].peer);
            assert_int_equal(a.ops[op].tag, b.ops[op].tag);
            assert_int_equal(a.ops[op].kind, b.ops[op].kind);
        }
        ct_goal_free(&a);
        ct_goal_free(&b);
    }
}

static void an_allreduce_chain_is_as_the_algorithm_expands_it(void **state)
{
    (void)state;
    struct ct_goal goal = goal_of("allreduce:64,rounds=7,bytes=24B,compute=2us", NULL, NULL);
    struct contents found = contents_of(&goal);
    assert_near(found.messages, 7 * 64 * 6, 0);
    assert_near(found.bytes, 7 * 64 * 6 * 24, 0);
    assert_near(found.compute_ns, 7 * 64 * 2000, 0);
    ct_goal_free(&goal);
    goal = goal_of("allreduce:10,rounds=2,bytes=1000B", "ring", NULL);
    assert_near(contents_of(&goal).messages, 2 * 10 * 2 * 9, 0);
    assert_near(contents_of(&goal).bytes, 2 * 2 * 9 * 1000, 0);
    ct_goal_free(&goal);
}

static void an_alltoall_is_within_groups(void **state)
{
    (void)state;
    struct ct_goal goal = goal_of("alltoall:23,group=5,rounds=4,bytes=100B", NULL, NULL);
    struct contents found = contents_of(&goal);
    const double pairs = 4 * 5 * 4 + 3 * 2; /* four groups of 5, one of 3 */
    assert_near(found.messages, 4 * pairs, 0);
    assert_near(found.bytes, 400 * pairs, 0);
    for (uint64_t op = 0; op < goal.n_ops; op++)
        if (goal.ops[op].kind == CT_GOAL_SEND)
            assert_int_equal(goal.ops[op].peer / 5, ct_goal_rank_of(&goal, (uint32_t)op) / 5);
    ct_goal_free(&goal);
}

static void particles_go_to_two_domains(void **state)
{
    (void)state;
    struct ct_goal goal =
        goal_of("particles:24,domains=6,rounds=50,bytes=1000B,field=8B", NULL, NULL);
    double bytes = 0, n = 0;
    for (uint64_t op = 0; op < goal.n_ops; op++) {
        const struct ct_goal_op *what = &goal.ops[op];
        uint32_t rank = ct_goal_rank_of(&goal, (uint32_t)op);
        if (what->kind != CT_GOAL_SEND || what->amount == 8)
            continue;
        assert_true(what->peer == (rank + 4) % 24 || what->peer == (rank + 20) % 24);
        assert_in_range(what->amount, 500, 1500);
        bytes += (double)what->amount;
        n++;
    }
    assert_near(n, 24 * 50 * 2, 0);
    assert_near(bytes / n, 1000, 30); /* sigma of the mean: 289 / sqrt(2400) = 6 */
    assert_near(contents_of(&goal).messages, 24 * 50 * (2 + 2), 0);
    assert_near(calls_of(&goal, "MPI_Sendrecv"), 24 * 50 * 2, 0);
    ct_goal_free(&goal);
}

static void slow_any_number_of_ranks_is_valid(void **state)
{
    (void)state;
    static const struct {
        const char *pattern, *keys;
    } programs[] = {{"halo", ",levels=2"},
                    {"allreduce", ""},
                    {"particles", ""},
                    {"particles", ",domains=1"},
                    {"alltoall", ""}};
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
        for (uint32_t n = 1; n <= 40; n++) {
            char text[64];
            snprintf(text, sizeof text, "%s:%u,rounds=2%s", programs[i].pattern, n,
                     programs[i].keys);
            struct ct_goal goal = goal_of(text, NULL, NULL);
            assert_int_equal(goal.n_ranks, n);
            contents_of(&goal);
            ct_goal_free(&goal);
        }
}

/* ---- compute ---- */

static void imbalance_is_of_a_rank_and_noise_of_a_round(void **state)
{
    (void)state;
    enum { RANKS = 400, ROUNDS = 5 };
    struct ct_goal goal =
        goal_of("allreduce:400,rounds=5,compute=1ms,imbalance=0.5,seed=7", NULL, NULL);
    struct ct_goal noisy = goal_of("allreduce:400,rounds=5,compute=1ms,noise=1", NULL, NULL);
    double sum = 0, sum_noisy = 0;
    for (uint32_t rank = 0; rank < RANKS; rank++) {
        uint64_t first = 0;
        for (uint64_t op = goal.first_op[rank]; op < goal.first_op[rank + 1]; op++) {
            const struct ct_goal_op *what = &goal.ops[op];
            if (what->kind != CT_GOAL_CALC || what->amount == 0)
                continue;
            first = first ? first : what->amount;
            assert_int_equal(what->amount, first);
            assert_in_range(what->amount, 500000, 1500000);
            sum += (double)what->amount;
        }
        for (uint64_t op = noisy.first_op[rank]; op < noisy.first_op[rank + 1]; op++)
            if (noisy.ops[op].kind == CT_GOAL_CALC) {
                assert_in_range(noisy.ops[op].amount, 0, 2000000);
                sum_noisy += (double)noisy.ops[op].amount;
            }
    }
    /* Five standard errors. */
    assert_near(sum / RANKS / ROUNDS, 1e6, 5 * 0.5e6 / sqrt(3.0 * RANKS));
    assert_near(sum_noisy / RANKS / ROUNDS, 1e6, 5 * 1e6 / sqrt(3.0 * RANKS * ROUNDS));
    ct_goal_free(&goal);
    ct_goal_free(&noisy);
}

static void compute_is_scaled_from_the_first_round_on(void **state)
{
    (void)state;
    struct ct_convert_options options = ct_convert_defaults();
    struct ct_convert_notes notes;
    struct ct_goal goal;
    options.compute_scale = 0.25;
    assert_int_equal(ct_input_convert(ct_input_of("alltoall:6,rounds=3,compute=1ms"), &options,
                                      &goal, &notes, NULL),
                     CT_OK);
    assert_near(contents_of(&goal).compute_ns, 6 * 3 * 0.25e6, 1e-6);
    ct_convert_notes_free(&notes);
    ct_goal_free(&goal);
}

/* ---- the source of events ---- */

static void places_are_found_again(void **state)
{
    (void)state;
    struct ct_events events;
    enum { EVENTS = 60 };
    struct ct_events_place places[EVENTS];
    struct ct_trace_event first[EVENTS], again;
    uint64_t position;
    assert_int_equal(ct_generate_open("particles:9,domains=3,rounds=9,noise=0.5", &events, NULL),
                     CT_OK);
    for (size_t i = 0; i < EVENTS; i++) {
        places[i] = events.tell(events.context, 4);
        assert_int_equal(events.next(events.context, 4, &first[i], &position, NULL), CT_OK);
    }
    /* BEGIN, two communicators, the call that ends the setup, 9 rounds of 3, END, and no more. */
    assert_int_equal(first[31].kind, CT_TRACE_END);
    assert_int_equal(first[32].kind, CT_TRACE_NONE);
    assert_int_equal(first[EVENTS - 1].kind, CT_TRACE_NONE);
    for (size_t i = EVENTS; i-- > 0;) {
        events.seek(events.context, 4, places[i]);
        assert_int_equal(events.next(events.context, 4, &again, &position, NULL), CT_OK);
        assert_int_equal(again.kind, first[i].kind);
        assert_int_equal(again.start_ns, first[i].start_ns);
        assert_int_equal(again.to.bytes, first[i].to.bytes);
        assert_int_equal(position, i + 1);
    }
    events.rewind(events.context, 4);
    assert_int_equal(events.next(events.context, 4, &again, &position, NULL), CT_OK);
    assert_int_equal(again.kind, CT_TRACE_BEGIN);
    events.close(events.context);
}

static void bad_texts_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *words;
    } bad[] = {
        {"halo:", "N, XxY or XxYxZ"},
        {"halo:2x2x2x2", "XxYxZ"},
        {"halo:0", "1 to 1048576"},
        {"halo:2x0", "1 to 1048576"},
        {"halo:99999999999999999999", "1 to 1048576"},
        {"halo:1024x1024x2", "1 to 1048576"},
        {"alltoall:2x2", "'x2' after the number of ranks"},
        {"halo:8;rounds=2", "';rounds=2' after"},
        {"halo:8,rounds=0", "rounds=0: not within 1 to"},
        {"halo:8,rounds=2,rounds=3", "a key of halo once"},
        {"halo:8,levels=31", "levels=31: not within 1 to 30"},
        {"halo:8,bytes=8", "bytes"},
        {"halo:8,bytes=5000GB", "bytes=5000GB: not within 0B to "},
        {"halo:8,compute=-1ms", "compute"},
        {"halo:8,compute=11min", "compute=11min: not within 0s to 600s"},
        {"halo:8,noise=2", "noise"},
        {"halo:8,group=2", "halo has rounds, compute"},
        {"halo:8,", "KEY=VALUE"},
        {"halo:8,rounds", "KEY=VALUE"},
        {"halo:8,=2", "KEY=VALUE"},
        {"halo:8,rounds=", "rounds"},
        {"allreduce:8,levels=2", "allreduce has"},
        {"particles:8,domains=9", "domains=9, of 8 ranks"},
        {"alltoall:8,group=9", "group=9, of 8 ranks"},
        {"alltoall:8,rounds=0000000000000000000000000000000000000000000000000000000000000000002",
         "KEY=VALUE"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct ct_events events;
        struct ct_error err;
        assert_true(ct_generate_spec_is(bad[i].text));
        assert_int_equal(ct_generate_open(bad[i].text, &events, &err), CT_EUSAGE);
        if (!strstr(err.text, bad[i].words))
            fail_msg("%s: '%s' without '%s'", bad[i].text, err.text, bad[i].words);
    }
    assert_false(ct_generate_spec_is("halo"));
    assert_false(ct_generate_spec_is("halo.goal"));
    assert_false(ct_generate_spec_is("halos:8"));
    assert_false(ct_generate_spec_is("folder/halo:8"));
}

static void the_kind_of_an_input_is_asked_once(void **state)
{
    (void)state;
    const struct {
        const char *path;
        enum ct_input_kind kind;
    } inputs[] = {{"halo:2x2x2", CT_INPUT_GENERATED},  {"nowhere/x.otf2", CT_INPUT_OTF2},
                  {"nowhere/x.goal", CT_INPUT_ABSENT}, {"-", CT_INPUT_SCHEDULE},
                  {"/dev/null", CT_INPUT_SCHEDULE},    {"/", CT_INPUT_ALLPROF}};
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++) {
        struct ct_input input = ct_input_of(inputs[i].path);
        assert_int_equal(input.kind, inputs[i].kind);
        assert_string_equal(input.path, inputs[i].path);
        assert_int_equal(ct_input_has_calls(input), input.kind > CT_INPUT_SCHEDULE);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_halo_is_two_messages_a_dimension_a_visit),
        cmocka_unit_test(borders_of_coarse_levels_have_some_bytes),
        cmocka_unit_test(slow_one_number_is_a_grid_of_close_sides),
        cmocka_unit_test(an_allreduce_chain_is_as_the_algorithm_expands_it),
        cmocka_unit_test(an_alltoall_is_within_groups),
        cmocka_unit_test(particles_go_to_two_domains),
        cmocka_unit_test(slow_any_number_of_ranks_is_valid),
        cmocka_unit_test(imbalance_is_of_a_rank_and_noise_of_a_round),
        cmocka_unit_test(compute_is_scaled_from_the_first_round_on),
        cmocka_unit_test(places_are_found_again),
        cmocka_unit_test(bad_texts_are_refused),
        cmocka_unit_test(the_kind_of_an_input_is_asked_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
