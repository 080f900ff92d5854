/* Messages that share links, by hand; programs together: by hand, against T(L), and properties. */
#include "goal_example.h"
#include "links_example.h"
#include "simulate/simulate.h"
#include "unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- links ---- */

static struct ct_links *links_with(uint32_t n_nodes, struct ct_links_queues queues)
{
    struct ct_simulate_paths paths;
    assert_int_equal(ct_simulate_paths_of_switch(n_nodes, 2, &paths, NULL), CT_OK);
    return links_on(&paths, queues);
}

static struct ct_links *new_links(uint32_t n_nodes, double packet_bytes, double ahead_bytes)
{
    return links_with(n_nodes, (struct ct_links_queues){.packet_bytes = packet_bytes,
                                                        .ahead_bytes = ahead_bytes});
}

static void test_links_share(void **state)
{
    (void)state;
    /* Alone; in a row; halves of a link out of a node, of one into it. */
    CHECK_LINKS(new_links(2, 0, 0), {0, 1, 0, 100, 50, 250});
    CHECK_LINKS(new_links(2, 0, 0), {0, 1, 0, 100, 0, 200}, {0, 1, 0, 100, 0, 400});
    CHECK_LINKS(new_links(3, 0, 0), {0, 1, 0, 100, 0, 400}, {0, 2, 0, 300, 0, 800});
    CHECK_LINKS(new_links(3, 0, 0), {0, 2, 0, 100, 0, 300}, {1, 2, 0, 100, 100, 400});
    /* There and back do not meet. */
    CHECK_LINKS(new_links(2, 0, 0), {0, 1, 0, 100, 0, 200}, {1, 0, 0, 100, 0, 200});
    /* Three out of one node, so that the fourth has what the third leaves of a link: 2/3. */
    CHECK_LINKS(new_links(5, 0, 0), {0, 1, 0, 120, 0, 720}, {0, 2, 0, 120, 0, 720},
                {0, 3, 0, 120, 0, 720}, {4, 3, 0, 120, 0, 360});
}

static void test_links_jobs(void **state)
{
    (void)state;
    /* Two jobs between the same nodes; the second message of a job waits for its first. */
    CHECK_LINKS(new_links(2, 0, 0), {0, 1, 0, 100, 0, 400}, {0, 1, 1, 200, 0, 700},
                {0, 1, 0, 50, 0, 600});
    /* A pair has its part of a link, however many jobs it has. */
    CHECK_LINKS(new_links(3, 0, 0), {0, 1, 0, 100, 0, 800}, {0, 1, 1, 100, 0, 800},
                {0, 2, 0, 200, 0, 800});
}

static void test_links_ahead(void **state)
{
    (void)state;
    /* A byte behind a packet of the other pair, behind what is left of it, and of several. It
     * shares the link only while it passes itself. */
    CHECK_LINKS(new_links(3, 1500, 0), {0, 1, 0, 10000, 0, 20002}, {0, 2, 0, 1, 1000, 4002});
    CHECK_LINKS(new_links(3, 1500, 0), {0, 1, 0, 10000, 0, 20002}, {0, 2, 0, 1, 19000, 20002});
    CHECK_LINKS(new_links(4, 1500, 0), {1, 0, 0, 10000, 0, 40002}, {2, 0, 0, 10000, 0, 40002},
                {3, 0, 0, 1, 1000, 7002});
    /* Half a packet shares for as long as the other half would make it wait; a whole one does not
     * wait. */
    CHECK_LINKS(new_links(3, 1500, 0), {0, 1, 0, 10000, 0, 21500}, {0, 2, 0, 750, 0, 4500});
    CHECK_LINKS(new_links(3, 1500, 0), {0, 1, 0, 10000, 0, 23000}, {0, 2, 0, 1500, 0, 6000});
    /* Behind what another job has ahead; a longer message shares. */
    CHECK_LINKS(new_links(2, 1500, 4500), {0, 1, 0, 10000, 0, 20002}, {0, 1, 1, 1, 0, 9002});
    CHECK_LINKS(new_links(2, 1500, 4500), {0, 1, 0, 10000, 0, 30000}, {0, 1, 1, 5000, 0, 20000});
    /* The next one of a job that waits follows it. */
    CHECK_LINKS(new_links(3, 1500, 0), {0, 1, 0, 10000, 0, 20022}, {0, 2, 0, 1, 1000, 4002},
                {0, 2, 0, 10, 1001, 4042});
}

/* One queue a port: behind what each other job on the link has in it, whichever pair it is of; and
 * jobs, not pairs, have equal parts. */
static void test_links_fifo(void **state)
{
    (void)state;
    const struct ct_links_queues queue = {
        .order = CT_LINKS_FIFO, .packet_bytes = 1500, .ahead_bytes = 4500};
    /* In turn it would be behind 1500 B of each. */
    CHECK_LINKS(links_with(3, queue), {0, 1, 0, 10000, 0, 20002}, {0, 2, 0, 1, 1000, 10002});
    CHECK_LINKS(links_with(4, queue), {1, 0, 0, 10000, 0, 40002}, {2, 0, 0, 10000, 0, 40002},
                {3, 0, 0, 1, 1000, 19002});
    /* Behind what is left, where that is less. */
    CHECK_LINKS(links_with(3, queue), {0, 1, 0, 10000, 0, 20002}, {0, 2, 0, 1, 17000, 20002});
    /* Three jobs of two pairs: a third each, a half for each pair in turn. */
    CHECK_LINKS(links_with(3, queue), {0, 1, 0, 9000, 0, 54000}, {0, 1, 1, 9000, 0, 54000},
                {0, 2, 0, 9000, 0, 54000});
    CHECK_LINKS(new_links(3, 1500, 4500), {0, 1, 0, 9000, 0, 54000}, {0, 1, 1, 9000, 0, 54000},
                {0, 2, 0, 9000, 0, 36000});
}

/* Tokens of a link that was not used pass at once, if both links have them, and come back at the
 * link's rate. */
static void test_links_burst(void **state)
{
    (void)state;
    const struct ct_links_queues burst = {.order = CT_LINKS_FIFO, .burst_bytes = 1000};
    CHECK_LINKS(links_with(2, burst), {0, 1, 0, 800, 50, 50});
    CHECK_LINKS(links_with(2, burst), {0, 1, 0, 1500, 50, 1050});
    /* The second finds what the first left, and 300 B more after 600 ns. */
    CHECK_LINKS(links_with(2, burst), {0, 1, 0, 800, 0, 0}, {0, 1, 0, 800, 0, 1200});
    CHECK_LINKS(links_with(2, burst), {0, 1, 0, 800, 0, 0}, {0, 1, 0, 800, 600, 1200});
    CHECK_LINKS(links_with(2, burst), {0, 1, 0, 800, 0, 0}, {0, 1, 0, 800, 1200, 1200});
    /* The link out of node 2 has all of them, the one into node 1 has 200 B. */
    CHECK_LINKS(links_with(3, burst), {0, 1, 0, 800, 0, 0}, {2, 1, 0, 800, 0, 1200});
    /* A busy link gathers none. */
    CHECK_LINKS(links_with(3, burst), {0, 1, 0, 3000, 0, 4000}, {0, 2, 0, 500, 4000, 5000});
}

/* Nothing passes faster than a link, and a link that is asked for is never idle. */
static void test_links_conserve(void **state)
{
    (void)state;
    enum { NODES = 6, MESSAGES = 200 };
    uint64_t die = 3;
    for (int i = 0; i < 50; i++) {
        struct ct_links *links = new_links(NODES, 0, 0);
        double into[NODES] = {0}, last_ns[NODES] = {0}, most_ns = 0;
        uint32_t to[MESSAGES];
        bool only_in = i % 2;
        for (uint32_t m = 0; m < MESSAGES; m++) {
            uint32_t from = (uint32_t)throw_die(&die, NODES);
            to[m] = only_in ? 0 : (uint32_t)throw_die(&die, NODES);
            from = from == to[m] ? (from + 1) % NODES : from;
            const struct ct_links_message message = {from, to[m], (uint32_t)throw_die(&die, 2),
                                                     (double)throw_die(&die, 5000), m};
            assert_int_equal(ct_links_send(links, 0, &message, NULL), CT_OK);
            into[to[m]] += message.bytes;
        }
        double before_ns = 0;
        for (int m = 0; m < MESSAGES; m++) {
            double at_ns = ct_links_next_ns(links);
            assert_true(at_ns >= before_ns);
            before_ns = at_ns;
            uint32_t number;
            assert_true(ct_links_step(links, &number));
            last_ns[to[number]] = at_ns;
        }
        for (int node = 0; node < NODES; node++) {
            assert_true(last_ns[node] >= 2 * into[node] - 1e-6);
            most_ns = fmax(most_ns, 2 * into[node]);
        }
        if (only_in)
            assert_near(before_ns, most_ns, 1e-6);
        free_links(links);
    }
}

static void test_links_bad(void **state)
{
    (void)state;
    struct ct_simulate_paths paths;
    struct ct_error err;
    assert_int_equal(ct_simulate_paths_of_switch(0, 1, &paths, &err), CT_EINVAL);
    assert_int_equal(ct_simulate_paths_of_switch(CT_SIMULATE_NODES_MAX + 1, 1, &paths, &err),
                     CT_EINVAL);
    assert_int_equal(ct_simulate_paths_of_switch(2, 0, &paths, &err), CT_EINVAL);
    assert_int_equal(ct_simulate_paths_of_switch(2, NAN, &paths, &err), CT_EINVAL);
    assert_int_equal(ct_simulate_paths_of_switch(2, INFINITY, &paths, &err), CT_EINVAL);
    assert_int_equal(ct_simulate_paths_of_switch(2, 1, &paths, &err), CT_OK);
    const struct ct_links_setup bad[] = {
        {.paths = &paths, .n_jobs = 0},
        {.paths = &paths, .n_jobs = CT_LINKS_JOBS_MAX + 1},
        {.paths = &paths, .n_jobs = 1, .queues = {.packet_bytes = -1}},
        {.paths = &paths, .n_jobs = 1, .queues = {.ahead_bytes = NAN}},
        {.paths = &paths, .n_jobs = 1, .queues = {.burst_bytes = -1}},
        {.paths = &paths, .n_jobs = 1, .frames = {.payload_bytes = -1}},
        {.paths = &paths, .n_jobs = 1, .frames = {.payload_bytes = 1, .header_bytes = NAN}},
        {.paths = &paths, .n_jobs = 1, .frames = {1, 0, -1}}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct ct_links *links;
        assert_int_equal(ct_links_new(&bad[i], &links, &err), CT_EINVAL);
    }
    ct_simulate_paths_free(&paths);
}

/* ---- programs ---- */

static const struct ct_loggps somewhere = {.o_ns = 700, .L_ns = 3000, .G_ns_per_byte = 0.25};

static const struct ct_simulate_setup plain = {
    .ns_per_byte = 0.25, .passes = 3, .work_max = 10000000};

static struct ct_simulate_program *program_of(struct ct_graph graph, uint32_t ranks_per_node)
{
    const struct ct_simulate_place place = ct_simulate_blocks(ranks_per_node);
    struct ct_simulate_program *program;
    struct ct_error err;
    if (ct_simulate_program_new(&graph, &somewhere, &place, &program, &err) != CT_OK)
        fail_msg("%s", err.text);
    ct_graph_free(&graph);
    return program;
}

static struct ct_simulate_program *program_of_text(const char *text)
{
    return program_of(graph_of_text(text, &eager), 1);
}

static double alone_ns(const struct ct_simulate_program *program)
{
    const double begin_ns = 5;
    double pass_ns;
    struct ct_error err;
    if (ct_simulate_run(&program, 1, &begin_ns, &plain, &pass_ns, NULL, &err) != CT_OK)
        fail_msg("%s", err.text);
    return pass_ns;
}

/* Where messages take no time on the links, or never leave a node, T is T(L). */
static void test_alone_is_envelope(void **state)
{
    (void)state;
    const struct ct_overhead sizes[] = {{0, 1e-6, 2e-6}, {1000, 3e-6, 5e-6}};
    const struct ct_overheads overheads = {(struct ct_overhead *)sizes, 2};
    const struct ct_graph_options options[] = {
        {.eager_max_bytes = SIZE_MAX},
        {.eager_max_bytes = 0},
        {.eager_max_bytes = 0, .overheads = &overheads},
        {.eager_max_bytes = SIZE_MAX, .overheads = &overheads}};
    for (uint64_t seed = 1; seed <= 60; seed++) {
        bool is_near = seed % 3 == 0;
        struct random_shape shape = {.n_ranks = 2 + (uint32_t)(seed % 9),
                                     .n_steps = 30 + (uint32_t)(seed * 17 % 900),
                                     .calc_max_ns = 20000,
                                     .bytes_max = is_near ? 2000 : 2};
        struct ct_graph graph = random_graph(seed, shape, &options[seed % 4]);
        double expected_ns = runtime_by_envelope(&graph, somewhere);
        struct ct_simulate_program *program = program_of(graph, is_near ? 2 * shape.n_ranks : 1);
        assert_int_equal(ct_simulate_n_nodes(program), is_near ? 1 : shape.n_ranks);
        assert_near(alone_ns(program), expected_ns, 1e-9 * expected_ns);
        ct_simulate_program_free(program);
    }
}

/* Messages that meet take longer, never shorter. */
static void test_own_messages_meet(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 30; seed++) {
        struct random_shape shape = {.n_ranks = 2 + (uint32_t)(seed % 9),
                                     .n_steps = 400,
                                     .calc_max_ns = 2000,
                                     .bytes_max = 20000};
        const struct ct_graph_options rendezvous = {.eager_max_bytes = 5000};
        struct ct_graph graph = random_graph(seed, shape, seed % 2 ? &rendezvous : &eager);
        double least_ns = runtime_by_envelope(&graph, somewhere);
        struct ct_simulate_program *program = program_of(graph, 1);
        assert_true(alone_ns(program) >= least_ns * (1 - 1e-12));
        ct_simulate_program_free(program);
    }
}

/* A message of 40001 bytes a pass: 700 + 10000 + 3000 + 700 ns alone. */
static const char one_message[] = "num_ranks 2\n"
                                  "rank 0 {\nl1: send 40001b to 1 tag 0\n}\n"
                                  "rank 1 {\nl1: recv 40001b from 0 tag 0\n}\n";

/* The same from the third rank to the fourth. */
static const char elsewhere[] = "num_ranks 4\n"
                                "rank 0 {\n}\nrank 1 {\n}\n"
                                "rank 2 {\nl1: send 40001b to 3 tag 0\n}\n"
                                "rank 3 {\nl1: recv 40001b from 2 tag 0\n}\n";

static void check_two(const char *first, const char *second, double begin_ns,
                      const double *expected_ns)
{
    struct ct_simulate_program *programs[] = {program_of_text(first), program_of_text(second)};
    const struct ct_simulate_program *both[] = {programs[0], programs[1]};
    const double begin[] = {0, begin_ns};
    double pass_ns[2];
    assert_int_equal(ct_simulate_run(both, 2, begin, &plain, pass_ns, NULL, NULL), CT_OK);
    for (int i = 0; i < 2; i++) {
        assert_near(pass_ns[i], expected_ns[i], 1e-6);
        ct_simulate_program_free(programs[i]);
    }
}

static void test_two_programs(void **state)
{
    (void)state;
    /* In step they share the link all the time; 10000 ns becomes 20000. */
    check_two(one_message, one_message, 0, (const double[]){24400, 24400});
    /* A link of their own each. */
    check_two(one_message, elsewhere, 0, (const double[]){14400, 14400});
    /* Out of step by more than what a pass does not use the link: 4400 of 14400 ns. Each shares the
     * link at its begin and at its end, for s ns in a pass of p: 10000 + s = p - 4400 and what one
     * shares at its begin the other shares at its end; begun 5000 later the second shares 10000 at
     * first, and from then on both repeat. */
    struct ct_simulate_program *program = program_of_text(one_message);
    const struct ct_simulate_program *both[] = {program, program};
    const double begin[] = {0, 5000};
    double pass_ns[2];
    assert_int_equal(ct_simulate_run(both, 2, begin, &plain, pass_ns, NULL, NULL), CT_OK);
    for (int i = 0; i < 2; i++)
        assert_true(pass_ns[i] > 14400 && pass_ns[i] < 24400);
    ct_simulate_program_free(program);
}

/* With rendezvous only the data takes time on the link: 3 L, 4 o and the data. */
static void test_rendezvous(void **state)
{
    (void)state;
    const struct ct_graph_options rendezvous = {.eager_max_bytes = 100};
    struct ct_simulate_program *program = program_of(graph_of_text(one_message, &rendezvous), 1);
    const struct ct_simulate_program *both[] = {program, program};
    const double begin[] = {0, 0};
    double pass_ns[2], once_ns = 4 * 700 + 3 * 3000 + 10000;
    assert_near(alone_ns(program), once_ns, 1e-6);
    assert_int_equal(ct_simulate_run(both, 2, begin, &plain, pass_ns, NULL, NULL), CT_OK);
    assert_near(pass_ns[0], once_ns + 10000, 1e-6);
    ct_simulate_program_free(program);
}

/* Three at once; one of them computes only. */
static void test_three_programs(void **state)
{
    (void)state;
    struct ct_simulate_program *message = program_of_text(one_message);
    struct ct_simulate_program *silent =
        program_of_text("num_ranks 1\nrank 0 {\nl1: calc 1234\n}\n");
    const struct ct_simulate_program *all[] = {message, silent, message};
    const double begin[] = {0, 0, 0};
    double pass_ns[3];
    assert_int_equal(ct_simulate_run(all, 3, begin, &plain, pass_ns, NULL, NULL), CT_OK);
    assert_near(pass_ns[0], 24400, 1e-6);
    assert_near(pass_ns[1], 1234, 1e-6);
    assert_near(pass_ns[2], 24400, 1e-6);
    ct_simulate_program_free(message);
    ct_simulate_program_free(silent);
}

static void test_bad_programs(void **state)
{
    (void)state;
    struct ct_error err;
    struct ct_simulate_program *program = program_of_text("num_ranks 1\nrank 0 {\nl1: calc 0\n}\n");
    const struct ct_simulate_program *one = program;
    const double begin_ns = 0;
    double pass_ns = -1;
    assert_int_equal(ct_simulate_run(&one, 1, &begin_ns, &plain, &pass_ns, NULL, &err), CT_EINVAL);
    assert_non_null(strstr(err.text, "no time"));
    struct ct_simulate_setup setup = plain;
    setup.passes = 0;
    assert_int_equal(ct_simulate_run(&one, 1, &begin_ns, &setup, &pass_ns, NULL, &err), CT_EINVAL);
    assert_int_equal(ct_simulate_run(&one, 0, &begin_ns, &plain, &pass_ns, NULL, &err), CT_EINVAL);
    ct_simulate_program_free(program);

    one = program = program_of_text(one_message);
    setup = plain;
    setup.work_max = 3;
    assert_int_equal(ct_simulate_run(&one, 1, &begin_ns, &setup, &pass_ns, NULL, &err),
                     CT_EUNSUPPORTED);
    setup = plain;
    setup.ns_per_byte = 0;
    assert_int_equal(ct_simulate_run(&one, 1, &begin_ns, &setup, &pass_ns, NULL, &err), CT_EINVAL);
    assert_near(pass_ns, -1, 0);
    ct_simulate_program_free(program);

    const struct ct_simulate_place ones = ct_simulate_blocks(1), nowhere = ct_simulate_blocks(0);
    const struct ct_graph_options nic = {.eager_max_bytes = SIZE_MAX, .serialize_nic = true};
    struct ct_graph graph = graph_of_text(one_message, &nic);
    assert_int_equal(ct_simulate_program_new(&graph, &somewhere, &ones, &program, &err), CT_EINVAL);
    ct_graph_free(&graph);
    graph = graph_of_text(one_message, &eager);
    assert_int_equal(ct_simulate_program_new(&graph, &somewhere, &nowhere, &program, &err),
                     CT_EINVAL);
    ct_graph_free(&graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_links_share),       cmocka_unit_test(test_links_jobs),
        cmocka_unit_test(test_links_ahead),       cmocka_unit_test(test_links_fifo),
        cmocka_unit_test(test_links_burst),       cmocka_unit_test(test_links_conserve),
        cmocka_unit_test(test_links_bad),         cmocka_unit_test(test_alone_is_envelope),
        cmocka_unit_test(test_own_messages_meet), cmocka_unit_test(test_two_programs),
        cmocka_unit_test(test_rendezvous),        cmocka_unit_test(test_three_programs),
        cmocka_unit_test(test_bad_programs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
