/* study/: what schedules get: the parameters that a network was measured to have, and the load that
 * a configuration is. */
#include "lp-bridge/envelope/path.h"
#include "simulate/joint/interference.h"
#include "study/parameters.h"
#include "study/path_latencies.h"
#include "tests/unit/run_example.h"
#include "tests/unit/study_example.h"
#include "tests/unit/unit.h"

#include <stdlib.h>
#include <string.h>

/* ---- parameters ---- */

static void parameters_are_those_of_the_network(void **state)
{
    (void)state;
    const struct ct_parameters_given given = {
        .L_s = NAN, .o_s = NAN, .G_s_per_byte = NAN, .logp_path = "logp.h5"};
    struct ct_parameters model;
    struct ct_error err;
    example_write_logp("logp.h5", 10e-6, 2e-6, 1e-9);
    if (ct_parameters_make(&given, true, &model, &err) != CT_OK)
        fail_msg("%s", err.text);
    assert_near(model.L_s, 10e-6, 1e-12);
    assert_near(model.G_s_per_byte, 1e-9, 1e-13);
    assert_non_null(ct_parameters_overheads(&model));
    assert_int_equal(model.S_bytes, 100001); /* nothing waited */
    assert_non_null(strstr(model.L_origin, "logp.h5"));
    ct_parameters_free(&model);
}

/* A G that is less than the time of a byte on a link is this time, also where it is drawn. */
static void gap_is_not_below_that_of_a_link(void **state)
{
    (void)state;
    struct ct_parameters_given given = {
        .L_s = NAN, .o_s = NAN, .G_s_per_byte = NAN, .logp_path = "logp.h5"};
    struct ct_parameters model;
    struct ct_error err;
    example_write_logp("logp.h5", 10e-6, 2e-6, 1e-9);
    assert_int_equal(ct_parameters_make(&given, true, &model, &err), CT_OK);
    ct_parameters_bound_G(16e9, &model); /* 0.5 ns a byte */
    assert_near(model.G_s_per_byte, 1e-9, 1e-13);
    ct_parameters_bound_G(4e9, &model);
    assert_near(model.G_s_per_byte, 2e-9, 1e-18);
    assert_non_null(strstr(model.G_origin, "rate of a link, 4gbit; 1 ns by logp.h5"));
    struct ct_loggps_model drawn = {.L_s = 1e-6, .G_s_per_byte = 1.5e-9};
    model.replicates = (struct ct_loggps_replicates){.models = &drawn, .n = 1};
    assert_near(ct_parameters_replicate(&model, 0).G_s_per_byte, 2e-9, 1e-18);
    model.replicates = (struct ct_loggps_replicates){.n = 0};
    ct_parameters_free(&model);
    given.G_s_per_byte = 1e-9; /* what is given stays */
    assert_int_equal(ct_parameters_make(&given, true, &model, &err), CT_OK);
    ct_parameters_bound_G(4e9, &model);
    assert_near(model.G_s_per_byte, 1e-9, 1e-18);
    ct_parameters_free(&model);
}

/* A run of classes of paths: L of the pairs of one leaf, and what others have beyond it. */
static void L_is_of_the_path(void **state)
{
    (void)state;
    const struct ct_parameters_given given = {
        .L_s = NAN, .o_s = 1e-6, .G_s_per_byte = 1e-9, .logp_path = "classes.h5"};
    struct ct_parameters model;
    struct ct_error err;
    example_write_logp_classes("classes.h5", 10e-6, 25e-6);
    if (ct_parameters_make(&given, true, &model, &err) != CT_OK)
        fail_msg("%s", err.text);
    assert_near(model.L_s, 10e-6, 1e-12);
    assert_int_equal(model.paths.n, 2);
    assert_int_equal(model.paths.switches[0], 1);
    assert_int_equal(model.paths.switches[1], 3);
    const double beyond_ns[] = {0, 0, 7500, 15000, 22500, 30000}; /* by switches, from 1 on */
    for (uint32_t switches = 1; switches < 6; switches++)
        assert_near(ct_path_latency_beyond_ns(&model.paths, switches), beyond_ns[switches], 1e-6);
    assert_non_null(strstr(model.L_origin, "over 1 switch, "));
    ct_parameters_free(&model);
    struct ct_parameters_given own = given; /* an L that is given is that of all paths */
    own.L_s = 5e-6;
    assert_int_equal(ct_parameters_make(&own, true, &model, &err), CT_OK);
    assert_int_equal(model.paths.n, 0);
    ct_parameters_free(&model);
}

/* A probe of three hosts, two of them on one switch: middles of the latencies, each with as much
 * scatter up and down. */
static void write_probes(const char *path, double near_s, double far_s, double scatter_s)
{
    static const struct ct_pair pairs[] = {
        {.rank_a = 0, .rank_b = 1, .host_a = "h1", .host_b = "h2", .path_class = 1},
        {.rank_a = 0, .rank_b = 2, .host_a = "h1", .host_b = "h3", .path_class = 3},
        {.rank_a = 1, .rank_b = 2, .host_a = "h2", .host_b = "h3", .path_class = 3}};
    struct ct_run run;
    struct ct_error err;
    example_write_probe(path, (struct example_run_of){.app = "", .with = ""}, 0);
    assert_int_equal(ct_run_read(path, &run, &err), CT_OK);
    free(run.pairs);
    run.n_pairs = sizeof pairs / sizeof *pairs;
    run.pairs = malloc(sizeof pairs);
    assert_non_null(run.pairs);
    memcpy(run.pairs, pairs, sizeof pairs);
    for (size_t i = 0; i < run.n_samples; i++) {
        run.samples[i].pair = (uint32_t)(i % 3);
        run.samples[i].latency_s =
            (i % 3 == 0 ? near_s : far_s) + scatter_s * ((double)(i / 3 % 5) - 2) / 2;
    }
    assert_int_equal(ct_run_add_text(&run.info, CT_RUN_TOPOLOGY, "tree:2x2"), CT_OK);
    if (ct_run_write(path, &run, &err) != CT_OK)
        fail_msg("%s", err.text);
    ct_run_free(&run);
}

/* logpb measured one pair: what other paths have beyond it is known from the idle probe, if it is
 * more than the probe's scatter. */
static void L_of_other_paths_is_that_of_probes(void **state)
{
    (void)state;
    static const struct {
        double far_s[2], scatter_s;
        const char *hosts;
        double near_ns, far_ns; /* beyond what logpb measured */
    } cases[] = {
        {{15e-6, 17e-6}, 1e-6, "h1 h2", 0, 6000}, {{15e-6, 17e-6}, 1e-6, "h3 h1", -6000, 0},
        {{15e-6, 17e-6}, 1e-6, "n1 n2", 0, 6000}, /* taken for neighbours */
        {{15e-6, 17e-6}, 9e-6, "h1 h2", 0, 0},    {{15e-6, 10.5e-6}, 1e-6, "h1 h2", 0, 0},
        {{9e-6, 8e-6}, 1e-6, "h1 h2", 0, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct ct_path_latencies paths;
        struct ct_run_list list;
        struct ct_error err;
        write_probes("one.h5", 10e-6, cases[i].far_s[0], cases[i].scatter_s);
        write_probes("two.h5", 10e-6, cases[i].far_s[1], cases[i].scatter_s);
        example_write_probe("fft.h5", (struct example_run_of){.app = "fft", .with = ""}, 0.5);
        assert_int_equal(ct_run_list_read(".", &list, &err), CT_OK);
        assert_int_equal(ct_path_latencies_of_probes(&list, cases[i].hosts, &paths, &err), CT_OK);
        ct_run_list_free(&list);
        bool differs = cases[i].near_ns < cases[i].far_ns;
        assert_int_equal(paths.n, differs ? 2 : 0);
        assert_near(ct_path_latency_beyond_ns(&paths, 1), cases[i].near_ns, 1e-6);
        assert_near(ct_path_latency_beyond_ns(&paths, 3), cases[i].far_ns, 1e-6);
    }
}

/* A run file can hold any number; solvers lose their precision. */
static void parameters_of_no_network_are_refused(void **state)
{
    (void)state;
    const struct ct_parameters_given given = {
        .L_s = NAN, .o_s = NAN, .G_s_per_byte = NAN, .logp_path = "logp.h5"};
    struct ct_parameters model;
    struct ct_error err;
    const struct {
        double L_s, o_s, G_s_per_byte;
    } values[] = {{1.1 * CT_MODEL_MAX_S, 1, 1e-9},
                  {1, 1.1 * CT_MODEL_MAX_S, 1e-9},
                  {1, 1, 1.1 * CT_MODEL_MAX_S}};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        example_write_logp("logp.h5", values[i].L_s, values[i].o_s, values[i].G_s_per_byte);
        assert_int_equal(ct_parameters_make(&given, true, &model, &err), CT_EINVAL);
        assert_non_null(strstr(err.text, "more than 1000s"));
    }
}

/* ---- configurations as schedules ---- */

enum { N_ROUNDS = 3 };

static double runtime_ns(const struct ct_config *config, uint32_t n_nodes,
                         const struct ct_loggps *at)
{
    struct ct_goal goal;
    struct ct_graph graph;
    struct ct_path path;
    struct ct_error err;
    if (ct_interference_schedule(config, n_nodes, N_ROUNDS, &goal, &err) != CT_OK ||
        ct_graph_build(&goal, &(struct ct_graph_options){.eager_max_bytes = SIZE_MAX}, &graph,
                       &err) != CT_OK ||
        ct_path_find(&graph, at, &path, &err) != CT_OK)
        fail_msg("%s", err.text);
    double runtime_ns = path.runtime_ns;
    ct_path_free(&path);
    ct_graph_free(&graph);
    ct_goal_free(&goal);
    return runtime_ns;
}

/* A round takes as long as its messages, which are under way at once, or as its pauses. */
static void rounds_take_their_messages_or_their_pauses(void **state)
{
    (void)state;
    const struct ct_loggps at = {.o_ns = 0, .L_ns = 1000, .G_ns_per_byte = 0.5};
    const double message_ns = 1000 + (CT_CONFIG_MESSAGE_BYTES - 1) * 0.5;
    const struct {
        struct ct_config config;
        uint32_t n_nodes;
        double round_ns;
    } cases[] = {{{.partners = 1, .messages = 3, .bubble_s = 0}, 2, message_ns},
                 {{.partners = 1, .messages = 3, .bubble_s = 1}, 2, 1e9},
                 {{.partners = 2, .messages = 1, .bubble_s = 1}, 3, 2e9}, /* a pause a step */
                 {{.partners = 2, .messages = 1, .bubble_s = 0}, 3, message_ns},
                 {{.messages = 2, .bubble_s = 1, .pattern = CT_PATTERN_ALLTOALL}, 4, 1e9},
                 {{.messages = 2, .bubble_s = 0, .pattern = CT_PATTERN_ALLTOALL}, 4, message_ns},
                 {{.messages = 2, .bubble_s = 1, .pattern = CT_PATTERN_BISECTION}, 4, 1e9}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_near(runtime_ns(&cases[i].config, cases[i].n_nodes, &at) /
                        (N_ROUNDS * cases[i].round_ns),
                    1, 1e-9);
}

static void loads_that_are_no_schedule_are_refused(void **state)
{
    (void)state;
    const struct ct_config refused[] = {
        {.partners = 1,
         .messages = 1,
         .bubble_s = 1e-3,
         .burst = {.given = true, .on_s = 1, .off_s = 1}},
        {.partners = 1, .messages = 1, .bubble_s = 1e-3, .pattern = CT_PATTERN_INCAST},
        {.partners = 4, .messages = 1, .bubble_s = 1e-3},
        {.partners = 1, .messages = UINT32_MAX, .bubble_s = 1e-3}};
    struct ct_goal goal;
    struct ct_error err;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        assert_int_equal(ct_interference_schedule(&refused[i], 4, N_ROUNDS, &goal, &err),
                         CT_EUNSUPPORTED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(parameters_are_those_of_the_network, example_folder_enter,
                                        example_folder_leave),
        cmocka_unit_test_setup_teardown(L_is_of_the_path, example_folder_enter,
                                        example_folder_leave),
        cmocka_unit_test_setup_teardown(L_of_other_paths_is_that_of_probes, example_folder_enter,
                                        example_folder_leave),
        cmocka_unit_test_setup_teardown(gap_is_not_below_that_of_a_link, example_folder_enter,
                                        example_folder_leave),
        cmocka_unit_test_setup_teardown(parameters_of_no_network_are_refused, example_folder_enter,
                                        example_folder_leave),
        cmocka_unit_test(rounds_take_their_messages_or_their_pauses),
        cmocka_unit_test(loads_that_are_no_schedule_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
