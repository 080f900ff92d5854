/* Costs of the execution graph against a direct reading of the model's rules, and of progress in
 * calls. */
#include "goal_example.h"
#include "lp-bridge/envelope/path.h"
#include "unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct ct_loggps model = {.o_ns = 10, .L_ns = 100, .G_ns_per_byte = 2};

static double runtime_of(const struct ct_graph *graph)
{
    struct ct_path path;
    assert_int_equal(ct_path_find(graph, &model, &path, NULL), CT_OK);
    double runtime_ns = path.runtime_ns;
    ct_path_free(&path);
    return runtime_ns;
}

/* ---- the rules read directly ---- */

/* Start and end of each operation, raised until every rule holds. */
struct times {
    double *start_ns, *end_ns, *posted_ns;
    bool changed;
};

static void raise_to(struct times *times, double *time_ns, double least_ns)
{
    if (*time_ns < least_ns) {
        *time_ns = least_ns;
        times->changed = true;
    }
}

/* The k-th send of a source, destination and tag goes to the k-th receive of them. */
static uint64_t find_send(const struct ct_goal *goal, const uint32_t *rank_of, uint64_t recv)
{
    const struct ct_goal_op *op = &goal->ops[recv];
    size_t k = 0, seen = 0;
    for (uint64_t i = goal->first_op[rank_of[recv]]; i < recv; i++)
        k += goal->ops[i].kind == CT_GOAL_RECV && goal->ops[i].peer == op->peer &&
             goal->ops[i].tag == op->tag;
    for (uint64_t i = goal->first_op[op->peer]; i < goal->first_op[op->peer + 1]; i++)
        if (goal->ops[i].kind == CT_GOAL_SEND && goal->ops[i].peer == rank_of[recv] &&
            goal->ops[i].tag == op->tag && seen++ == k)
            return i;
    fail_msg("no send for a receive");
    return 0;
}

/* When a step of op can begin that follows what is there at. */
static double begin_in_call(const struct ct_goal *goal, const struct times *times, uint64_t op,
                            double at_ns)
{
    double away_ns = 0;
    for (uint64_t i = 0; i < goal->n_marks; i++) {
        const struct ct_goal_mark *mark = &goal->marks[i];
        bool is_send = goal->ops[mark->on].kind == CT_GOAL_SEND;
        if (mark->op != op)
            continue;
        away_ns = (double)mark->away_ns;
        if (mark->on != op)
            at_ns = fmax(at_ns, !(mark->flags & CT_GOAL_MARK_START) ? times->end_ns[mark->on]
                                : is_send ? times->start_ns[mark->on] + model.o_ns
                                          : times->posted_ns[mark->on]);
    }
    return at_ns + away_ns;
}

static void apply_steps(const struct ct_goal *goal, struct times *times, uint64_t send,
                        uint64_t recv, size_t eager_max_bytes, bool puts, bool to_itself)
{
    uint64_t bytes = goal->ops[send].amount;
    double o = model.o_ns, L = to_itself ? 0 : model.L_ns,
           B = bytes > 0 && !to_itself ? (double)(bytes - 1) * model.G_ns_per_byte : 0;
    bool begins = false, is_eager = bytes <= eager_max_bytes;
    for (uint64_t i = 0; i < goal->n_marks; i++)
        begins =
            begins || (goal->marks[i].op == send && goal->marks[i].flags & CT_GOAL_MARK_BEGINS);
    double at = times->posted_ns[send];
    raise_to(times, &times->start_ns[send], begins ? begin_in_call(goal, times, send, at) : at);
    at = begin_in_call(goal, times, recv, times->start_ns[send] + o + L + (is_eager ? B : 0));
    raise_to(times, &times->start_ns[recv], fmax(at, times->posted_ns[recv]));
    at = times->start_ns[recv];
    if (is_eager) {
        raise_to(times, &times->end_ns[send], times->start_ns[send] + o);
        raise_to(times, &times->end_ns[recv], at + o);
        return;
    }
    at = begin_in_call(goal, times, send, at + o + L) + o + B;
    if (!puts)
        raise_to(times, &times->end_ns[send], at);
    at = begin_in_call(goal, times, recv, at + L) + o;
    if (puts) {
        at = begin_in_call(goal, times, send, at + L) + o;
        raise_to(times, &times->end_ns[send], at);
        at = begin_in_call(goal, times, recv, at + L) + o;
    }
    raise_to(times, &times->end_ns[recv], at);
}

static void apply_rules(const struct ct_goal *goal, const uint32_t *rank_of,
                        const uint64_t *send_of, const struct ct_graph_options *options,
                        struct times *times)
{
    for (uint64_t op = 0; op < goal->n_ops; op++)
        if (goal->ops[op].kind == CT_GOAL_CALC)
            raise_to(times, &times->end_ns[op],
                     times->posted_ns[op] + (double)goal->ops[op].amount);
        else if (goal->ops[op].kind == CT_GOAL_RECV)
            apply_steps(goal, times, send_of[op], op, options->eager_max_bytes, options->puts,
                        goal->ops[op].peer == rank_of[op]);
    for (uint64_t d = 0; d < goal->n_deps; d++) {
        const struct ct_goal_dep *dep = &goal->deps[d];
        double start_ns = goal->ops[dep->on].kind == CT_GOAL_SEND
                              ? times->start_ns[dep->on] + model.o_ns
                              : times->posted_ns[dep->on];
        raise_to(times, &times->posted_ns[dep->op],
                 dep->irequires ? start_ns : times->end_ns[dep->on]);
    }
}

static double runtime_by_rules(const struct ct_goal *goal, const struct ct_graph_options *options)
{
    size_t n = goal->n_ops + 1;
    struct times times = {calloc(n, sizeof(double)), calloc(n, sizeof(double)),
                          calloc(n, sizeof(double)), true};
    uint32_t *rank_of = calloc(n, sizeof *rank_of);
    uint64_t *send_of = calloc(n, sizeof *send_of);
    double T_ns = 0;
    for (uint64_t op = 0; op + 1 < n; op++)
        rank_of[op] = ct_goal_rank_of(goal, (uint32_t)op);
    for (uint64_t op = 0; op + 1 < n; op++)
        if (goal->ops[op].kind == CT_GOAL_RECV)
            send_of[op] = find_send(goal, rank_of, op);
    while (times.changed) {
        times.changed = false;
        apply_rules(goal, rank_of, send_of, options, &times);
    }
    for (uint64_t op = 0; op + 1 < n; op++)
        T_ns = fmax(T_ns, times.end_ns[op]);
    free(times.start_ns);
    free(times.end_ns);
    free(times.posted_ns);
    free(rank_of);
    free(send_of);
    return T_ns;
}

static void test_by_rules(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 150; seed++) {
        const struct random_shape shape = {.n_ranks = 2 + (uint32_t)(seed % 6),
                                           .n_steps = 5 + (uint32_t)(seed % 150),
                                           .calc_max_ns = 500,
                                           .bytes_max = 40};
        const struct ct_graph_options options = {.eager_max_bytes = seed % 3 ? 20 : SIZE_MAX};
        struct ct_goal goal = random_goal(seed, shape);
        struct ct_graph graph;
        assert_int_equal(ct_graph_build(&goal, &options, &graph, NULL), CT_OK);
        double T_ns = runtime_of(&graph), expected_ns = runtime_by_rules(&goal, &options);
        if (T_ns != expected_ns)
            fail_msg("schedule %u: T is %g, by the rules %g", (unsigned)seed, T_ns, expected_ns);
        ct_graph_free(&graph);
        ct_goal_free(&goal);
    }
}

/* ---- progress in calls ---- */

/* Two ranks post at 0, and compute before they wait: the sender for 1000 ns, the receiver for 500.
 */
#define BOTH_COMPUTE(away_)                                                                        \
    "num_ranks 2\n//crosstalk-wait known\n"                                                        \
    "rank 0 {\ns: send 4b to 1 tag 0\nc: calc 1000\nd: calc 0\nc irequires s\nd requires c\n"      \
    "d requires s\n//crosstalk-wait s both requires c away " away_ "\n}\n"                         \
    "rank 1 {\nr: recv 4b from 0 tag 0\nc: calc 500\nd: calc 0\nc irequires r\nd requires c\n"     \
    "d requires r\n//crosstalk-wait r both requires c away 0\n}\n"
/* Both ranks wait for what they receive, and then for what they send. */
#define EXCHANGING_RANK(rank_, other_)                                                             \
    "rank " rank_ " {\nr: recv 4b from " other_ " tag 0\ns: send 4b to " other_ " tag 0\n"         \
    "c: calc 1000\nw: calc 5\nd: calc 0\ns irequires r\nc irequires s\nw requires c\n"             \
    "w requires r\nd requires w\nd requires s\n//crosstalk-wait r both requires c away 0\n"        \
    "//crosstalk-wait s first requires c away 5\n//crosstalk-wait s last requires w away 0\n}\n"

static const struct {
    const char *what;
    size_t eager_max_bytes;
    bool puts, by_first_call;
    double at_once_ns, in_call_ns;
    const char *text;
} call_cases[] = {
    {"eager: taken in the call", SIZE_MAX, false, false, 1050, 1060,
     "num_ranks 2\n//crosstalk-wait known\nrank 0 {\ns: send 4b to 1 tag 0\n}\n"
     "rank 1 {\nr: recv 4b from 0 tag 0\nc: calc 1000\nd: calc 50\nc irequires r\nd requires c\n"
     "d requires r\n//crosstalk-wait r both requires c away 0\n}\n"},
    {"blocking: no marks", SIZE_MAX, false, false, 126, 126,
     "num_ranks 2\n//crosstalk-wait known\nrank 0 {\ns: send 4b to 1 tag 0\n}\n"
     "rank 1 {\nr: recv 4b from 0 tag 0\n}\n"},
    /* granted at 500, data at 1010 + 10 + 6 + 100, taken 10 later */
    {"rendezvous", 3, false, false, 1010, 1136, BOTH_COMPUTE("0")},
    {"rendezvous, after a pause", 3, false, false, 1010, 1166, BOTH_COMPUTE("30")},
    /* the data are there at 1126, acknowledged at 1236, the end is there at 1346 */
    {"put", 3, true, false, 1010, 1356, BOTH_COMPUTE("0")},
    /* and 30 before the data and before the end */
    {"put, after pauses", 3, true, false, 1010, 1416, BOTH_COMPUTE("30")},
    /* grants at 1010 are there at 1120, data leave 5 later */
    {"waits for each other: the first call", 3, false, true, 1015, 1256,
     "num_ranks 2\n//crosstalk-wait known\n" EXCHANGING_RANK("0", "1") EXCHANGING_RANK("1", "0")},
    /* received at 116, passed on at 1010 */
    {"a later message of a nonblocking collective", SIZE_MAX, false, false, 1000, 1136,
     "num_ranks 2\n//crosstalk-wait known\n"
     "rank 0 {\nr: recv 4b from 1 tag 0\ns: send 4b to 1 tag 1\nc: calc 1000\nd: calc 0\n"
     "s requires r\nd requires c\nd requires s\n//crosstalk-wait r both requires c away 0\n"
     "//crosstalk-wait s both begins requires c away 0\n}\n"
     "rank 1 {\na: send 4b to 0 tag 0\nb: recv 4b from 0 tag 1\n}\n"},
    {"from the begin of the program", SIZE_MAX, false, false, 126, 166,
     "num_ranks 2\n//crosstalk-wait known\nrank 0 {\ns: send 4b to 1 tag 0\n}\n"
     "rank 1 {\nr: recv 4b from 0 tag 0\n//crosstalk-wait r both requires r away 40\n}\n"},
};

static void test_calls_by_hand(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof call_cases / sizeof *call_cases; i++) {
        struct ct_graph_options options = {.eager_max_bytes = call_cases[i].eager_max_bytes,
                                           .puts = call_cases[i].puts};
        struct ct_graph at_once = graph_of_text(call_cases[i].text, &options);
        options.in_call = true;
        struct ct_graph in_call = graph_of_text(call_cases[i].text, &options);
        if (runtime_of(&at_once) != call_cases[i].at_once_ns ||
            runtime_of(&in_call) != call_cases[i].in_call_ns)
            fail_msg("%s: T is %g and %g, not %g and %g", call_cases[i].what, runtime_of(&at_once),
                     runtime_of(&in_call), call_cases[i].at_once_ns, call_cases[i].in_call_ns);
        assert_int_equal(in_call.by_first_call, call_cases[i].by_first_call);
        assert_int_equal(in_call.n_operations, at_once.n_operations);
        ct_graph_free(&at_once);
        ct_graph_free(&in_call);
    }
    const struct ct_graph_options options = {.eager_max_bytes = 3, .in_call = true};
    struct ct_goal without = goal_of_text("num_ranks 1\nrank 0 {\na: calc 5\n}\n");
    struct ct_graph graph;
    struct ct_error err;
    assert_int_equal(ct_graph_build(&without, &options, &graph, &err), CT_EUNSUPPORTED);
    assert_non_null(strstr(err.text, "no marks of waits, so nothing says in which calls"));
    ct_goal_free(&without);
}

/* Half of the messages wait for a call that begins with an operation before them. */
static void mark_some(struct ct_goal *goal, uint64_t seed)
{
    goal->marks = calloc(goal->n_ops + 1, sizeof *goal->marks);
    assert_non_null(goal->marks);
    for (uint32_t rank = 0; rank < goal->n_ranks; rank++)
        for (uint64_t op = goal->first_op[rank]; op < goal->first_op[rank + 1]; op++) {
            seed = seed * 6364136223846793005U + 1442695040888963407U;
            uint64_t random = seed >> 33;
            if (goal->ops[op].kind == CT_GOAL_CALC || goal->ops[op].peer == rank || random & 1)
                continue; /* a receive of what its rank sends cannot wait for the send */
            uint64_t before = op - goal->first_op[rank];
            goal->marks[goal->n_marks++] = (struct ct_goal_mark){
                .rank = rank,
                .op = (uint32_t)op,
                .on = (uint32_t)(op - random / 64 % (before < 5 ? before + 1 : 5)),
                .flags = (uint8_t)(CT_GOAL_MARK_FIRST | CT_GOAL_MARK_LAST |
                                   (random & 2 ? CT_GOAL_MARK_START : 0) |
                                   (random & 4 ? CT_GOAL_MARK_BEGINS : 0)),
                .away_ns = random & 8 ? random % 50 : 0};
        }
}

static void test_calls_by_rules(void **state)
{
    (void)state;
    unsigned n_longer = 0;
    for (uint64_t seed = 1; seed <= 70; seed++) {
        const struct random_shape shape = {.n_ranks = 2 + (uint32_t)(seed % 6),
                                           .n_steps = 5 + (uint32_t)(seed % 150),
                                           .calc_max_ns = 500,
                                           .bytes_max = 40};
        struct ct_graph_options options = {.eager_max_bytes = seed % 3 ? 20 : SIZE_MAX,
                                           .puts = seed % 2};
        struct ct_goal goal = random_goal(seed, shape);
        struct ct_graph in_call, at_once;
        mark_some(&goal, seed);
        assert_int_equal(ct_graph_build(&goal, &options, &at_once, NULL), CT_OK);
        options.in_call = true;
        assert_int_equal(ct_graph_build(&goal, &options, &in_call, NULL), CT_OK);
        double T_ns = runtime_of(&in_call), expected_ns = runtime_by_rules(&goal, &options);
        if (T_ns != expected_ns)
            fail_msg("schedule %u: T is %g, by the rules %g", (unsigned)seed, T_ns, expected_ns);
        assert_true(runtime_of(&at_once) <= T_ns);
        n_longer += runtime_of(&at_once) < T_ns;
        ct_graph_free(&in_call);
        ct_graph_free(&at_once);
        ct_goal_free(&goal);
    }
    assert_true(n_longer > 35);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_rules),
        cmocka_unit_test(test_calls_by_hand),
        cmocka_unit_test(test_calls_by_rules),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
