/* Costs of the execution graph, by hand. */
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

/* Schedules and their T, worked out by hand with the rules in graph.h. */
static const struct {
    const char *what;
    size_t eager_max_bytes;
    bool serialize;
    double T_ns;
    const char *text;
} cases[] = {
    {"nothing at all", SIZE_MAX, false, 0, "num_ranks 1\nrank 0 {\n}\n"},
    {"eager: o + L + 3 G + o", SIZE_MAX, false, 126,
     "num_ranks 2\nrank 0 {\ns: send 4b to 1 tag 0\n}\n"
     "rank 1 {\nr: recv 4b from 0 tag 0\n}\n"},
    {"no bytes cost no G, one byte neither", SIZE_MAX, false, 120,
     "num_ranks 2\nrank 0 {\ns: send 0b to 1 tag 0\ns2: send 1b to 1 tag 1\n}\n"
     "rank 1 {\nr: recv 0b from 0 tag 0\nr2: recv 1b from 0 tag 1\n}\n"},
    {"a late receiver: the message has arrived", SIZE_MAX, false, 1010,
     "num_ranks 2\nrank 0 {\ns: send 4b to 1 tag 0\n}\n"
     "rank 1 {\nc: calc 1000\nr: recv 4b from 0 tag 0\nr requires c\n}\n"},
    {"at the limit: still eager", 4, false, 1010,
     "num_ranks 2\nrank 0 {\ns: send 4b to 1 tag 0\n}\n"
     "rank 1 {\nc: calc 1000\nr: recv 4b from 0 tag 0\nr requires c\n}\n"},
    /* a = 1000, b = 1110, receiver b + o + L + 6 + o */
    {"rendezvous: the receiver", 3, false, 1236,
     "num_ranks 2\nrank 0 {\ns: send 4b to 1 tag 0\n}\n"
     "rank 1 {\nc: calc 1000\nr: recv 4b from 0 tag 0\nr requires c\n}\n"},
    /* sender b + o + 6 = 1126, then 500 */
    {"rendezvous: the sender", 3, false, 1626,
     "num_ranks 2\nrank 0 {\ns: send 4b to 1 tag 0\nd: calc 500\nd requires s\n}\n"
     "rank 1 {\nc: calc 1000\nr: recv 4b from 0 tag 0\nr requires c\n}\n"},
    {"irequires a rendezvous send: its start and o", 3, false, 2010,
     "num_ranks 2\nrank 0 {\ns: send 4b to 1 tag 0\nd: calc 2000\nd irequires s\n}\n"
     "rank 1 {\nc: calc 1000\nr: recv 4b from 0 tag 0\nr requires c\n}\n"},
    {"irequires an eager send: o later", SIZE_MAX, false, 510,
     "num_ranks 2\nrank 0 {\ns: send 4b to 1 tag 0\nd: calc 500\nd irequires s\n}\n"
     "rank 1 {\nr: recv 4b from 0 tag 0\n}\n"},
    {"irequires a receive: when it is posted", SIZE_MAX, false, 700,
     "num_ranks 2\nrank 0 {\nw: calc 300\ns: send 4b to 1 tag 0\ns requires w\n}\n"
     "rank 1 {\nc: calc 200\nr: recv 4b from 0 tag 0\nd: calc 500\nr requires c\nd irequires "
     "r\n}\n"},
    {"requires a receive: when it is done", SIZE_MAX, false, 926,
     "num_ranks 2\nrank 0 {\nw: calc 300\ns: send 4b to 1 tag 0\ns requires w\n}\n"
     "rank 1 {\nc: calc 200\nr: recv 4b from 0 tag 0\nd: calc 500\nr requires c\nd requires "
     "r\n}\n"},
    {"irequires a calc: when it starts", SIZE_MAX, false, 700,
     "num_ranks 1\nrank 0 {\nc: calc 600\nd: calc 700\nd irequires c\n}\n"},
    {"two calcs side by side", SIZE_MAX, false, 700,
     "num_ranks 1\nrank 0 {\nc: calc 600\nd: calc 700\n}\n"},
    {"serialized: one after the other", SIZE_MAX, true, 1300,
     "num_ranks 1\nrank 0 {\nc: calc 600\nd: calc 700\n}\n"},
    {"serialized sends: o each", SIZE_MAX, true, 136,
     "num_ranks 2\nrank 0 {\ns: send 4b to 1 tag 0\nt: send 4b to 1 tag 1\n}\n"
     "rank 1 {\nr: recv 4b from 0 tag 0\nq: recv 4b from 0 tag 1\n}\n"},
    {"the send's size counts, the receive has room for more", 50, false, 126,
     "num_ranks 2\nrank 0 {\ns: send 4b to 1 tag 0\n}\n"
     "rank 1 {\nr: recv 100b from 0 tag 0\n}\n"},
    {"to itself: two overheads", SIZE_MAX, false, 1020,
     "num_ranks 1\nrank 0 {\nc: calc 1000\ns: send 4b to 0 tag 0\ns requires c\n"
     "r: recv 4b from 0 tag 0\n}\n"},
    /* the request is there at 10, a = 1000, b = 1010, and o on either side */
    {"to itself by rendezvous", 3, false, 1030,
     "num_ranks 1\nrank 0 {\nc: calc 1000\ns: send 4b to 0 tag 0\n"
     "r: recv 4b from 0 tag 0\nr requires c\n}\n"},
    {"same tag: first in, first out", SIZE_MAX, false, 3126,
     "num_ranks 2\nrank 0 {\nc: calc 2000\ns: send 4b to 1 tag 0\nt: send 5b to 1 tag 0\n"
     "t requires c\n}\n"
     "rank 1 {\nr: recv 4b from 0 tag 0\nq: recv 5b from 0 tag 0\nd: calc 3000\nd requires r\n}\n"},
    /* Tag 7 is taken by its own receive, listed first; any tag gets the older of what is left. */
    {"any tag: the oldest send that is left", SIZE_MAX, false, 2116 + 10 + 3000,
     "num_ranks 2\nrank 0 {\ns: send 4b to 1 tag 7\nc: calc 2000\nt: send 4b to 1 tag 8\n"
     "u: send 4b to 1 tag 9\nt requires c\n}\n"
     "rank 1 {\nr: recv 4b from 0 tag 7\nq: recv 4b from 0 tag -1\np: recv 4b from 0 tag -1\n"
     "d: calc 3000\nd requires q\n}\n"},
};

static void test_by_hand(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct ct_graph_options options = {.eager_max_bytes = cases[i].eager_max_bytes,
                                           .serialize = cases[i].serialize};
        struct ct_graph graph = graph_of_text(cases[i].text, &options);
        double T_ns = runtime_of(&graph);
        if (T_ns != cases[i].T_ns)
            fail_msg("%s: T is %g, not %g", cases[i].what, T_ns, cases[i].T_ns);
        ct_graph_free(&graph);
    }
}

#define TWO_RECEIVERS "rank 1 {\nr: recv 4b from 0 tag 0\n}\nrank 2 {\nr: recv 6b from 0 tag 0\n}\n"

/* One message at a time on each NIC, and T without that. */
static const struct {
    const char *what;
    size_t eager_max_bytes;
    double T_ns, shared_ns;
    const char *text;
} nic_cases[] = {
    /* The second leaves at 16, when the last byte of the first has left, and is there at 126. */
    {"two at once", SIZE_MAX, 136, 130,
     "num_ranks 3\nrank 0 {\ns: send 4b to 1 tag 0\nt: send 6b to 2 tag 0\n}\n" TWO_RECEIVERS},
    {"the processor goes on", SIZE_MAX, 510, 510,
     "num_ranks 3\nrank 0 {\ns: send 4b to 1 tag 0\nt: send 6b to 2 tag 0\nd: calc 500\n"
     "d irequires t\n}\n" TWO_RECEIVERS},
    {"an idle NIC", SIZE_MAX, 1130, 1130,
     "num_ranks 3\nrank 0 {\ns: send 4b to 1 tag 0\nc: calc 1000\nt: send 6b to 2 tag 0\n"
     "t requires c\n}\n" TWO_RECEIVERS},
    {"two NICs", SIZE_MAX, 130, 130,
     "num_ranks 3\nrank 0 {\ns: send 4b to 1 tag 0\nt: send 6b to 2 tag 0 cpu 0 nic "
     "1\n}\n" TWO_RECEIVERS},
    {"three at once", SIZE_MAX, 142, 130,
     "num_ranks 2\nrank 0 {\ns: send 4b to 1 tag 0\nt: send 6b to 1 tag 1\nu: send 4b to 1 tag 2\n"
     "}\nrank 1 {\nr: recv 4b from 0 tag 0\nq: recv 6b from 0 tag 1\np: recv 4b from 0 tag 2\n}\n"},
    {"to itself is not on the NIC", SIZE_MAX, 126, 126,
     "num_ranks 2\nrank 0 {\nt: send 600b to 0 tag 0\ns: send 4b to 1 tag 0\n"
     "q: recv 600b from 0 tag 0\n}\nrank 1 {\nr: recv 4b from 0 tag 0\n}\n"},
    {"rendezvous neither waits nor keeps", 5, 350, 350,
     "num_ranks 3\nrank 0 {\nt: send 6b to 2 tag 0\ns: send 4b to 1 tag 0\n}\n" TWO_RECEIVERS},
};

static void test_nics(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof nic_cases / sizeof *nic_cases; i++)
        for (int serialize = 0; serialize < 2; serialize++) {
            struct ct_graph_options options = {.eager_max_bytes = nic_cases[i].eager_max_bytes,
                                               .serialize_nic = serialize};
            struct ct_graph graph = graph_of_text(nic_cases[i].text, &options);
            double expected_ns = serialize ? nic_cases[i].T_ns : nic_cases[i].shared_ns;
            double T_ns = runtime_of(&graph);
            if (T_ns != expected_ns)
                fail_msg("%s: T is %g, not %g", nic_cases[i].what, T_ns, expected_ns);
            ct_graph_free(&graph);
        }
}

#define TWO_SENDS                                                                                  \
    "num_ranks 3\nrank 0 {\ns: send 4b to 1 tag 0\nt: send 6b to 2 tag 0\n}\n" TWO_RECEIVERS

/* Time between two messages: the first leaves at 10, the second is there L and 5 G after it has
 * left. */
static const struct {
    const char *what;
    struct ct_graph_options options;
    double T_ns;
    const char *text;
} between_cases[] = {
    {"g after the first byte", {.g_ns = 50, .eager_max_bytes = SIZE_MAX}, 60 + 120, TWO_SENDS},
    {"g after the last byte",
     {.g_ns = 50, .serialize_nic = true, .eager_max_bytes = SIZE_MAX},
     66 + 120,
     TWO_SENDS},
    {"no longer than o: the overheads are as far apart",
     {.g_ns = 10, .serialize = true, .eager_max_bytes = SIZE_MAX},
     20 + 120,
     TWO_SENDS},
    {"what exceeds o",
     {.g_ns = 13, .serialize = true, .eager_max_bytes = SIZE_MAX},
     23 + 120,
     TWO_SENDS},
    {"rendezvous has no first byte", {.g_ns = 5000, .eager_max_bytes = 3}, 350, TWO_SENDS},
};

static void test_between(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof between_cases / sizeof *between_cases; i++) {
        struct ct_graph graph = graph_of_text(between_cases[i].text, &between_cases[i].options);
        double T_ns = runtime_of(&graph), walked_ns = runtime_by_envelope(&graph, model);
        if (T_ns != between_cases[i].T_ns || walked_ns != T_ns)
            fail_msg("%s: T is %g and %g, not %g", between_cases[i].what, T_ns, walked_ns,
                     between_cases[i].T_ns);
        ct_graph_free(&graph);
    }
}

/* 101 bytes take 300 ns and half of L more; 51 are between; 201 take 100 G more than 101. */
static void test_gaps_by_size(void **state)
{
    (void)state;
    struct ct_gap_size sizes[] = {{1, 0, 0}, {101, 300e-9, 0.5}};
    const struct ct_gaps gaps = {sizes, 2};
    static const struct {
        const char *bytes;
        size_t eager_max_bytes;
        double T_ns;
    } sized[] = {{"1", SIZE_MAX, 120},
                 {"101", SIZE_MAX, 120 + 50 + 300},
                 {"51", SIZE_MAX, 120 + 25 + 150},
                 {"201", SIZE_MAX, 120 + 50 + 500},
                 {"101", 3, 3 * 110 + 10 + 50 + 300}}; /* the request and the grant are not late */
    for (size_t i = 0; i < sizeof sized / sizeof *sized; i++) {
        char text[200];
        snprintf(text, sizeof text,
                 "num_ranks 2\nrank 0 {\ns: send %sb to 1 tag 0\n}\n"
                 "rank 1 {\nr: recv %sb from 0 tag 0\n}\n",
                 sized[i].bytes, sized[i].bytes);
        const struct ct_graph_options options = {
            .eager_max_bytes = sized[i].eager_max_bytes, .gaps = &gaps, .gaps_G_s_per_byte = 2e-9};
        struct ct_graph graph = graph_of_text(text, &options);
        double T_ns = runtime_of(&graph);
        if (fabs(T_ns - sized[i].T_ns) > 1e-9)
            fail_msg("%s B: T is %g, not %g", sized[i].bytes, T_ns, sized[i].T_ns);
        /* Twice the G: one factor on all of the curve. */
        struct ct_loggps twice = model;
        twice.G_ns_per_byte *= 2;
        double more_ns = runtime_by_envelope(&graph, twice) - T_ns;
        assert_near(
            more_ns,
            2 * ct_gaps_at(&gaps, 2e-9, strtoull(sized[i].bytes, NULL, 10)).wire_s * 1e9 / 2, 1e-9);
        ct_graph_free(&graph);
    }
}

static void assert_build_fails(const char *text, const struct ct_graph_options *options,
                               const char *expected)
{
    struct ct_goal goal = goal_of_text(text);
    struct ct_graph graph;
    struct ct_error err;
    assert_int_equal(ct_graph_build(&goal, options, &graph, &err), CT_EINVAL);
    if (!strstr(err.text, expected))
        fail_msg("'%s' does not contain '%s'", err.text, expected);
    ct_goal_free(&goal);
}

/* o_s 10 ns for no bytes, 30 for 10 bytes, o_r 5 and 105: 18 and 45 for 4 bytes. */
static void test_overheads_by_size(void **state)
{
    (void)state;
    struct ct_overhead sizes[] = {{0, 10e-9, 5e-9}, {10, 30e-9, 105e-9}};
    const struct ct_overheads overheads = {sizes, 2};
    static const struct {
        const char *what;
        size_t eager_max_bytes;
        double T_ns;
        const char *text;
    } sized[] = {
        {"eager: o_s(4) + L + 3 G + o_r(4)", SIZE_MAX, 18 + 100 + 6 + 45,
         "num_ranks 2\nrank 0 {\ns: send 4b to 1 tag 0\n}\n"
         "rank 1 {\nr: recv 4b from 0 tag 0\n}\n"},
        {"beyond the last size: o_s(10) + L + 49 G + o_r(10)", SIZE_MAX, 30 + 100 + 98 + 105,
         "num_ranks 2\nrank 0 {\ns: send 50b to 1 tag 0\n}\n"
         "rank 1 {\nr: recv 50b from 0 tag 0\n}\n"},
        {"the send's size counts on both sides", SIZE_MAX, 18 + 100 + 6 + 45,
         "num_ranks 2\nrank 0 {\ns: send 4b to 1 tag 0\n}\n"
         "rank 1 {\nr: recv 9b from 0 tag 0\n}\n"},
        /* request o_s(0) + L, grant o_s(0) + L, message o_s(4) + L + 3 G + o_r(4) */
        {"rendezvous: the receiver", 3, 10 + 100 + 10 + 100 + 18 + 100 + 6 + 45,
         "num_ranks 2\nrank 0 {\ns: send 4b to 1 tag 0\n}\n"
         "rank 1 {\nr: recv 4b from 0 tag 0\n}\n"},
        {"rendezvous: the sender", 3, 10 + 100 + 10 + 100 + 18 + 6 + 500,
         "num_ranks 2\nrank 0 {\ns: send 4b to 1 tag 0\nd: calc 500\nd requires s\n}\n"
         "rank 1 {\nr: recv 4b from 0 tag 0\n}\n"},
        {"irequires a rendezvous send: o_s(0) later", 3, 10 + 2000,
         "num_ranks 2\nrank 0 {\ns: send 4b to 1 tag 0\nd: calc 2000\nd irequires s\n}\n"
         "rank 1 {\nr: recv 4b from 0 tag 0\n}\n"},
    };
    for (size_t i = 0; i < sizeof sized / sizeof *sized; i++) {
        const struct ct_graph_options options = {.eager_max_bytes = sized[i].eager_max_bytes,
                                                 .overheads = &overheads};
        struct ct_graph graph = graph_of_text(sized[i].text, &options);
        double T_ns = runtime_of(&graph);
        if (fabs(T_ns - sized[i].T_ns) > 1e-9)
            fail_msg("%s: T is %g, not %g", sized[i].what, T_ns, sized[i].T_ns);
        ct_graph_free(&graph);
    }
}

/* The same number at every size is what o is without sizes. */
static void test_overheads_alike(void **state)
{
    (void)state;
    struct ct_overhead sizes[] = {{0, 10e-9, 10e-9}, {7, 10e-9, 10e-9}, {30, 10e-9, 10e-9}};
    const struct ct_overheads overheads = {sizes, 3};
    const struct random_shape shape = {
        .n_ranks = 5, .n_steps = 100, .calc_max_ns = 500, .bytes_max = 40};
    for (uint64_t seed = 1; seed <= 50; seed++) {
        const struct ct_graph_options one = {.eager_max_bytes = 20};
        const struct ct_graph_options by_size = {.eager_max_bytes = 20, .overheads = &overheads};
        struct ct_graph a = random_graph(seed, shape, &one),
                        b = random_graph(seed, shape, &by_size);
        assert_near(runtime_of(&b), runtime_of(&a), 1e-6);
        ct_graph_free(&a);
        ct_graph_free(&b);
    }
}

static void test_overheads_refused(void **state)
{
    (void)state;
    static const struct {
        struct ct_overhead sizes[2];
        const char *expected;
    } wrong[] = {{{{8, 1, 1}, {8, 2, 2}}, "8 B comes after 8 B"},
                 {{{0, 1, 1}, {8, -2, 2}}, "overheads of 8 B: -2 and 2 s"},
                 {{{0, 1, NAN}, {8, 2, 2}}, "overheads of 0 B"},
                 {{{0, 1, 1}, {8, 2, INFINITY}}, "overheads of 8 B"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct ct_overhead sizes[2] = {wrong[i].sizes[0], wrong[i].sizes[1]};
        const struct ct_overheads overheads = {sizes, 2};
        const struct ct_graph_options options = {.eager_max_bytes = 1, .overheads = &overheads};
        assert_build_fails("num_ranks 1\nrank 0 {\na: calc 5\n}\n", &options, wrong[i].expected);
    }
}

/* ---- the rest ---- */

/* Both ranks receive before they send: harmless as listed, a deadlock one after the other. */
static void test_cycles(void **state)
{
    (void)state;
    static const char exchange[] = "num_ranks 2\n"
                                   "rank 0 {\nr: recv 4b from 1 tag 0\ns: send 4b to 1 tag 0\n}\n"
                                   "rank 1 {\nr: recv 4b from 0 tag 0\ns: send 4b to 0 tag 0\n}\n";
    const struct ct_graph_options serialized = {.eager_max_bytes = SIZE_MAX, .serialize = true};
    struct ct_graph graph = graph_of_text(exchange, &eager);
    assert_near(runtime_of(&graph), 126, 0);
    ct_graph_free(&graph);
    assert_build_fails(exchange, &serialized,
                       "rank 1, operation 1 in line 7 (recv 4b from 0 tag 0) waits for rank 0, "
                       "operation 2 in line 4 "
                       "(send");
    assert_build_fails(exchange, &serialized, "the first of these");
    assert_build_fails(exchange, &serialized, "one operation at a time on each CPU: a cycle: ");
    const struct ct_graph_options nic = {.eager_max_bytes = SIZE_MAX, .serialize_nic = true};
    assert_build_fails("num_ranks 2\nrank 0 {\ns: send 4b to 1 tag 0\nt: send 4b to 1 tag 1\n"
                       "r: recv 4b from 1 tag 0\ns requires r\n}\n"
                       "rank 1 {\nr: recv 4b from 0 tag 0\nq: recv 4b from 0 tag 1\n"
                       "s: send 4b to 0 tag 0\ns requires q\n}\n",
                       &nic, "one message at a time on each NIC: a cycle: ");
}

static void test_unmatched(void **state)
{
    (void)state;
    assert_build_fails(
        "num_ranks 2\nrank 0 {\ns: send 4b to 1 tag 0\n}\nrank 1 {\n}\n", &eager,
        "rank 0, operation 1 in line 3 (send 4b to 1 tag 0) has no matching receive on rank 1");
    assert_build_fails("num_ranks 2\nrank 0 {\ns: send 4b to 1 tag 0\nt: send 4b to 1 tag 0\n}\n"
                       "rank 1 {\nr: recv 4b from 0 tag 0\n}\n",
                       &eager, "rank 0, operation 2 in line 4 (send");
    assert_build_fails("num_ranks 2\nrank 0 {\ns: send 4b to 1 tag 0\n}\n"
                       "rank 1 {\nr: recv 4b from 0 tag 1\n}\n",
                       &eager,
                       "rank 1, operation 1 in line 6 (recv 4b from 0 tag 1) has no matching send");
    assert_build_fails("num_ranks 2\nrank 0 {\ns: send 4b to 1 tag 0\n}\n"
                       "rank 1 {\nr: recv 4b from 0 tag -1\nq: recv 4b from 0 tag 0\n}\n",
                       &eager, "rank 1, operation 2 in line 7 (recv");
}

/* A receive may have room for more, not for less; a blocking rendezvous with itself never ends. */
static void test_impossible_messages(void **state)
{
    (void)state;
    const struct ct_graph_options rendezvous = {.eager_max_bytes = 3};
    assert_build_fails("num_ranks 2\nrank 0 {\ns: send 4b to 1 tag 0\n}\n"
                       "rank 1 {\nr: recv 3b from 0 tag 0\n}\n",
                       &eager,
                       "rank 0, operation 1 in line 3 (send 4b to 1 tag 0) is larger than the "
                       "receive that it matches, rank 1, operation 1 in line 6 (recv 3b");
    assert_build_fails("num_ranks 1\nrank 0 {\ns: send 4b to 0\nr: recv 4b from 0\n"
                       "r requires s\n}\n",
                       &rendezvous, "a cycle: rank 0, operation 2 in line 4");
}

/* A message of 120 ns ties with a calc: at an operation that waits for both, and at the end. */
static void test_ties_have_the_most_latencies(void **state)
{
    (void)state;
    static const char *const ends[] = {"", "e: calc 5\ne requires r\ne requires c\n",
                                       "e: calc 5\ne requires c\ne requires r\n"};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        char text[200];
        snprintf(text, sizeof text,
                 "num_ranks 2\nrank 0 {\nsend 1b to 1 tag 0\n}\n"
                 "rank 1 {\nr: recv 1b from 0 tag 0\nc: calc 120\n%s}\n",
                 ends[i]);
        struct ct_graph graph = graph_of_text(text, &eager);
        struct ct_path path;
        assert_int_equal(ct_path_find(&graph, &model, &path, NULL), CT_OK);
        assert_near(path.runtime_ns, i == 0 ? 120 : 125, 0);
        assert_near(path.messages, 1, 0);
        ct_path_free(&path);
        ct_graph_free(&graph);
    }
}

static void test_shares(void **state)
{
    (void)state;
    struct ct_graph graph =
        graph_of_text("num_ranks 2\nrank 0 {\nc: calc 50\ns: send 4b to 1 tag 0\n"
                      "s requires c\n}\n"
                      "rank 1 {\nr: recv 4b from 0 tag 0\nd: calc 7\n"
                      "d requires r\n}\n",
                      &eager);
    static const double expected[2][CT_PATH_PARTS] = {{50, 10, 0, 0}, {7, 10, 100, 6}};
    double parts[2][CT_PATH_PARTS];
    struct ct_path path;
    assert_int_equal(ct_path_find(&graph, &model, &path, NULL), CT_OK);
    assert_int_equal(path.n, 4);
    assert_near(path.messages, 1, 0);
    assert_near(path.bytes, 3, 0);
    ct_path_share(&path, 2, parts);
    for (int rank = 0; rank < 2; rank++)
        for (int part = 0; part < CT_PATH_PARTS; part++)
            assert_near(parts[rank][part], expected[rank][part], 0);
    ct_path_free(&path);
    ct_graph_free(&graph);
}

/* Sources come first, and the mark of the last edge that leaves a vertex is right. */
static void test_order(void **state)
{
    (void)state;
    const struct random_shape shape = {
        .n_ranks = 7, .n_steps = 3000, .calc_max_ns = 500, .bytes_max = 40};
    struct ct_graph graph = random_graph(3, shape, &eager);
    uint32_t *last = calloc(graph.n_vertices, sizeof *last);
    for (uint32_t v = 0; v < graph.n_vertices; v++)
        for (uint32_t e = graph.first_edge[v]; e < graph.first_edge[v + 1]; e++) {
            assert_true(ct_edge_source(graph.edges[e]) < v);
            last[ct_edge_source(graph.edges[e])] = e + 1;
        }
    for (uint32_t e = 0; e < graph.n_edges; e++)
        assert_int_equal(ct_edge_is_last(graph.edges[e]),
                         last[ct_edge_source(graph.edges[e])] == e + 1);
    for (uint32_t v = 0; v < graph.n_vertices; v++)
        assert_int_equal((graph.what[v] & CT_VERTEX_LEAF) != 0, last[v] == 0);
    assert_true(ct_graph_bytes(&graph) <= 40 * (size_t)graph.n_vertices);
    free(last);
    ct_graph_free(&graph);
}

static void assert_same_graph(const struct ct_graph *a, const struct ct_graph *b)
{
    size_t n = a->n_vertices;
    assert_int_equal(b->n_ranks, a->n_ranks);
    assert_int_equal(b->n_vertices, n);
    assert_int_equal(b->n_edges, a->n_edges);
    assert_int_equal(b->n_operations, a->n_operations);
    assert_memory_equal(b->amount, a->amount, n * sizeof *a->amount);
    assert_memory_equal(b->rank, a->rank, n * sizeof *a->rank);
    assert_memory_equal(b->operation, a->operation, n * sizeof *a->operation);
    assert_memory_equal(b->what, a->what, n * sizeof *a->what);
    assert_memory_equal(b->first_edge, a->first_edge, (n + 1) * sizeof *a->first_edge);
    assert_memory_equal(b->edges, a->edges, a->n_edges * sizeof *a->edges);
    assert_memory_equal(b->peer, a->peer, n * sizeof *a->peer);
    assert_memory_equal(b->receiver, a->receiver, n * sizeof *a->receiver);
}

/* What is freed meanwhile makes no difference, and it is freed. */
static void test_taken(void **state)
{
    (void)state;
    const struct random_shape shape = {
        .n_ranks = 5, .n_steps = 900, .calc_max_ns = 500, .bytes_max = 40};
    const struct ct_graph_options options = {
        .eager_max_bytes = 30, .serialize_nic = true, .peers = true};
    struct ct_goal goal = random_goal(11, shape);
    struct ct_graph built, taken;
    struct ct_error err;
    assert_int_equal(ct_graph_build(&goal, &options, &built, &err), CT_OK);
    assert_int_equal(ct_graph_take(&goal, &options, &taken, &err), CT_OK);
    assert_null(goal.ops);
    assert_null(goal.deps);
    assert_same_graph(&built, &taken);
    ct_graph_free(&built);
    ct_graph_free(&taken);

    goal = goal_of_text("num_ranks 1\nrank 0 {\na: calc 1\nb: calc 2\na requires b\nb requires "
                        "a\n}\n");
    assert_int_equal(ct_graph_take(&goal, &eager, &taken, &err), CT_EINVAL);
    assert_non_null(strstr(err.text, "operation 2 in line 4"));
    assert_null(goal.ops);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_by_hand),
                                       cmocka_unit_test(test_nics),
                                       cmocka_unit_test(test_between),
                                       cmocka_unit_test(test_gaps_by_size),
                                       cmocka_unit_test(test_cycles),
                                       cmocka_unit_test(test_unmatched),
                                       cmocka_unit_test(test_impossible_messages),
                                       cmocka_unit_test(test_overheads_by_size),
                                       cmocka_unit_test(test_overheads_alike),
                                       cmocka_unit_test(test_overheads_refused),
                                       cmocka_unit_test(test_shares),
                                       cmocka_unit_test(test_ties_have_the_most_latencies),
                                       cmocka_unit_test(test_order),
                                       cmocka_unit_test(test_taken)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
