#include "engine_example.h"

#include "unit.h"

#include <stdio.h>
#include <string.h>

struct ct_stack_parameters hand_parameters(void)
{
    return (struct ct_stack_parameters){.injection_bytes_per_s = 2e9,
                                        .link_bytes_per_s = 2e9,
                                        .memory_bytes_per_s = 1e9,
                                        .header_s = 100e-9,
                                        .rdma_s = 200e-9,
                                        .pin_s = 1000e-9,
                                        .pin_page_s = 10e-9,
                                        .hop_s = 50e-9,
                                        .page_bytes = 4096,
                                        .mailbox_max_bytes = 100,
                                        .eager_max_bytes = 1000};
}

struct ct_simulate_network_setup hand_network(uint32_t n_nodes)
{
    return (struct ct_simulate_network_setup){.n_nodes = n_nodes,
                                              .n_jobs = 1,
                                              .injection_ns_per_byte = 0.5,
                                              .link_ns_per_byte = 0.5,
                                              .latency_ns = 50,
                                              .packet_bytes = 4096,
                                              .buffer_bytes = 65536};
}

const struct ct_loggps somewhere = {.o_ns = 700, .L_ns = 3000, .G_ns_per_byte = 0.25};

struct ct_simulate_network_setup switch_of(uint32_t n_nodes, uint32_t n_jobs)
{
    return (struct ct_simulate_network_setup){.n_nodes = n_nodes,
                                              .n_jobs = n_jobs,
                                              .injection_ns_per_byte = somewhere.G_ns_per_byte,
                                              .link_ns_per_byte = NAN,
                                              .latency_ns = somewhere.L_ns,
                                              .packet_bytes = 1000,
                                              .buffer_bytes = 20000};
}

struct random_shape shape_of(uint64_t seed, uint64_t bytes_max)
{
    return (struct random_shape){.n_ranks = 2 + (uint32_t)(seed % 9),
                                 .n_steps = 30 + (uint32_t)(seed * 17 % 300),
                                 .calc_max_ns = 20000,
                                 .bytes_max = bytes_max};
}

const struct ct_stack *stack_of(uint64_t seed, struct ct_stack *stack)
{
    struct ct_stack_parameters parameters = hand_parameters();
    parameters.mailbox_max_bytes = 2000;
    parameters.eager_max_bytes = 6000;
    parameters.progress = seed % 2 ? CT_PROGRESS_ASYNC : CT_PROGRESS_IN_CALL;
    *stack = seed % 5 ? ct_stack_rdma(&parameters) : ct_stack_loggps(&somewhere, 5000, NULL);
    return stack;
}

static void take_span(void *context, const struct ct_time_span *span)
{
    struct told *told = context;
    assert_true(told->n_spans < TOLD_MAX);
    told->spans[told->n_spans++] = *span;
}

static void take_message(void *context, const struct ct_observed_message *message)
{
    struct told *told = context;
    assert_true(told->n_messages < TOLD_MAX);
    memcpy(told->times[told->n_messages], message->steps,
           message->n_steps * sizeof *message->steps);
    told->messages[told->n_messages++] = *message;
}

static void take_rank(void *context, const struct ct_observed_rank *rank)
{
    struct told *told = context;
    assert_true(told->n_ranks < TOLD_MAX);
    told->ranks[told->n_ranks++] = *rank;
}

double run_observed(const struct ct_goal *goal, const struct ct_stack *stack,
                    enum ct_simulate_network_kind kind,
                    const struct ct_simulate_network_setup *setup,
                    const struct ct_observer *observer)
{
    struct ct_engine_program *program;
    struct ct_simulate_network network;
    struct ct_error err;
    double pass_ns;
    if (ct_engine_program_new(goal, &program, &err) != CT_OK ||
        ct_simulate_network_new(kind, setup, &network, &err) != CT_OK)
        fail_msg("%s", err.text);
    const struct ct_engine_job job = {program, ct_simulate_blocks(1), 0};
    const struct ct_engine_setup run = {.stack = stack,
                                        .network = &network,
                                        .n_nodes = setup->n_nodes,
                                        .passes = 1,
                                        .work_max = UINT64_MAX};
    if (ct_engine_run(&job, 1, &run, observer, &pass_ns, NULL, &err) != CT_OK)
        fail_msg("%s", err.text);
    ct_simulate_network_free(&network);
    ct_engine_program_free(program);
    return pass_ns;
}

double run_alone(const struct ct_goal *goal, const struct ct_stack *stack,
                 enum ct_simulate_network_kind kind, const struct ct_simulate_network_setup *setup,
                 struct told *told)
{
    const struct ct_observer observer = {
        .span = take_span, .message = take_message, .rank = take_rank, .context = told};
    if (told)
        told->n_spans = told->n_messages = told->n_ranks = 0;
    return run_observed(goal, stack, kind, setup, told ? &observer : NULL);
}

void check_told(const struct told *told)
{
    for (size_t r = 0; r < told->n_ranks; r++) {
        const struct ct_observed_rank *rank = &told->ranks[r];
        double at_ns = rank->begin_ns, sum_ns = 0;
        for (size_t i = 0; i < told->n_spans; i++) {
            const struct ct_time_span *span = &told->spans[i];
            if (span->rank != rank->rank || span->pass != rank->pass)
                continue;
            assert_near(span->begin_ns, at_ns, 0);
            assert_true(span->end_ns > span->begin_ns);
            at_ns = span->end_ns;
            sum_ns += span->end_ns - span->begin_ns;
        }
        assert_near(at_ns, rank->end_ns, 0);
        assert_near(sum_ns, rank->end_ns - rank->begin_ns, 1e-12 * (rank->end_ns - rank->begin_ns));
    }
}

enum { TEXT_MAX = 1000 };

static void compare(const char *what, const char *of, size_t number, const char *text,
                    const char *expected)
{
    if (strcmp(text, expected) != 0)
        fail_msg("%s: %s %zu: '%s' in place of '%s'", what, of, number, text, expected);
}

void check_spans(const char *what, const struct told *told, uint32_t rank, const char *expected)
{
    char text[TEXT_MAX] = "";
    size_t size = 0;
    const struct ct_time_span *before = NULL;
    double end_ns = 0;
    for (size_t i = 0; i <= told->n_spans; i++) {
        const struct ct_time_span *span = i < told->n_spans ? &told->spans[i] : NULL;
        if (span && span->rank != rank)
            continue;
        if (before && (!span || span->part != before->part) && size < TEXT_MAX)
            size +=
                (size_t)snprintf(text + size, TEXT_MAX - size, "%s%s %.9g", size > 0 ? ", " : "",
                                 ct_time_part_names[before->part], end_ns);
        before = span;
        end_ns = span ? span->end_ns : end_ns;
    }
    compare(what, "rank", rank, text, expected);
}

void check_steps(const char *what, const struct told *told, size_t message, const char *expected)
{
    char text[TEXT_MAX] = "";
    size_t size = 0;
    for (uint8_t i = 0; i < told->messages[message].n_steps && size < TEXT_MAX; i++) {
        const struct ct_message_times *times = &told->times[message][i];
        size +=
            (size_t)snprintf(text + size, TEXT_MAX - size, "%s%.9g %.9g %.9g", size > 0 ? ", " : "",
                             times->ready_ns, times->paid_ns, times->there_ns);
    }
    compare(what, "steps of message", message, text, expected);
}
