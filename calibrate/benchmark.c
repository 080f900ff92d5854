#include "calibrate/benchmark.h"

#include "simulate/constants.h"
#include "simulate/engine.h"

#include <math.h>
#include <stdlib.h>

const char *const ct_benchmark_names[] = {"throughput", "round-trip", "latency", NULL};

static const double ns_per_s = 1e9;

/* The schedules of one size. */
struct size {
    uint64_t bytes;
    struct ct_engine_program *single, *train; /* train NULL: no output needs it */
};

struct ct_benchmark {
    struct ct_benchmark_setup setup;
    struct ct_benchmark_output *outputs; /* n */
    size_t *size_of;                     /* [n]: index in sizes */
    size_t n;
    struct size *sizes; /* n_sizes */
    size_t n_sizes;
};

/* ---- schedules ---- */

/* Messages of one rank, numbered from 0: the first of each window waits for all of the window
 * before, the others for the call before to return. */
static void add_messages(struct ct_goal_builder *builder, struct ct_goal_op op, uint32_t n,
                         uint32_t window)
{
    for (uint32_t i = 0; i < n; i++) {
        uint32_t at = ct_goal_add(builder, op);
        if (i % window > 0)
            ct_goal_require(builder, at, at - 1, CT_GOAL_START);
        for (uint32_t before = i; i % window == 0 && before > 0 && i - before < window; before--)
            ct_goal_require(builder, at, before - 1, CT_GOAL_FINISH);
    }
}

/* The answer waits for all messages of the last window. */
static void add_answer(struct ct_goal_builder *builder, struct ct_goal_op op, uint32_t n,
                       uint32_t window)
{
    uint32_t at = ct_goal_add(builder, op);
    for (uint32_t i = (n - 1) / window * window; i < n; i++)
        ct_goal_require(builder, at, i, CT_GOAL_FINISH);
}

static enum ct_status make_program(uint64_t bytes, uint32_t n, uint32_t window,
                                   struct ct_engine_program **program_p, struct ct_error *err)
{
    enum { MESSAGE, ANSWER };
    struct ct_goal_builder *builder = ct_goal_builder_new(2);
    struct ct_goal goal;
    if (!builder)
        return ct_no_memory(err, "benchmark");
    for (uint32_t rank = 0; rank < 2; rank++) {
        const struct ct_goal_op message = {.kind = rank == 0 ? CT_GOAL_SEND : CT_GOAL_RECV,
                                           .amount = bytes,
                                           .peer = 1 - rank,
                                           .tag = MESSAGE};
        const struct ct_goal_op answer = {
            .kind = rank == 0 ? CT_GOAL_RECV : CT_GOAL_SEND, .peer = 1 - rank, .tag = ANSWER};
        ct_goal_begin_rank(builder, rank);
        add_messages(builder, message, n, window);
        add_answer(builder, answer, n, window);
    }
    CT_TRY(ct_goal_build(builder, &goal, err));
    enum ct_status status = ct_engine_program_new(&goal, program_p, err);
    ct_goal_free(&goal);
    return status;
}

static size_t find_size(const struct ct_benchmark *benchmark, uint64_t bytes)
{
    size_t i = 0;
    while (i < benchmark->n_sizes && benchmark->sizes[i].bytes != bytes)
        i++;
    return i;
}

static enum ct_status add_output(struct ct_benchmark *benchmark,
                                 const struct ct_benchmark_output *output, struct ct_error *err)
{
    enum ct_status status = CT_OK;
    bool is_throughput = output->quantity == CT_BENCHMARK_THROUGHPUT;
    if (output->quantity >= CT_BENCHMARK_OF_LOGPB)
        return ct_fail(err, CT_EINVAL, "%s is no result of logpb",
                       ct_benchmark_names[output->quantity]);
    if (output->bytes > CT_BENCHMARK_BYTES_MAX || (is_throughput && output->bytes == 0))
        return ct_fail(err, CT_EINVAL, "%s of messages of %llu B: %s to %llu B",
                       ct_benchmark_names[output->quantity], (unsigned long long)output->bytes,
                       is_throughput ? "1" : "0", (unsigned long long)CT_BENCHMARK_BYTES_MAX);
    size_t at = find_size(benchmark, output->bytes);
    struct size *size = &benchmark->sizes[at];
    if (at == benchmark->n_sizes) {
        *size = (struct size){.bytes = output->bytes};
        benchmark->n_sizes++;
        status = make_program(output->bytes, 1, 1, &size->single, err);
    }
    if (status == CT_OK && is_throughput && !size->train)
        status = make_program(output->bytes, benchmark->setup.messages, benchmark->setup.window,
                              &size->train, err);
    benchmark->outputs[benchmark->n] = *output;
    benchmark->size_of[benchmark->n++] = at;
    return status;
}

enum ct_status ct_benchmark_new(const struct ct_benchmark_setup *setup,
                                const struct ct_benchmark_output *outputs, size_t n,
                                struct ct_benchmark **benchmark_p, struct ct_error *err)
{
    if (n == 0 || setup->messages < 2 || setup->messages > CT_BENCHMARK_MESSAGES_MAX ||
        setup->window < 1 || setup->window > setup->messages || setup->network.n_nodes != 2)
        return ct_fail(err, CT_EINVAL,
                       "benchmark: %zu outputs, %u messages, a window of %u, %u nodes: at least 1, "
                       "2 to %d, 1 to the messages, 2",
                       n, setup->messages, setup->window, setup->network.n_nodes,
                       CT_BENCHMARK_MESSAGES_MAX);
    struct ct_benchmark *benchmark = calloc(1, sizeof *benchmark);
    if (!benchmark)
        return ct_no_memory(err, "benchmark");
    benchmark->setup = *setup;
    benchmark->outputs = calloc(n, sizeof *benchmark->outputs);
    benchmark->size_of = calloc(n, sizeof *benchmark->size_of);
    benchmark->sizes = calloc(n, sizeof *benchmark->sizes);
    enum ct_status status = CT_OK;
    if (!benchmark->outputs || !benchmark->size_of || !benchmark->sizes)
        status = ct_no_memory(err, "benchmark");
    for (size_t i = 0; i < n && status == CT_OK; i++)
        status = add_output(benchmark, &outputs[i], err);
    if (status == CT_OK)
        *benchmark_p = benchmark;
    else
        ct_benchmark_free(benchmark);
    return status;
}

void ct_benchmark_free(struct ct_benchmark *benchmark)
{
    if (!benchmark)
        return;
    for (size_t i = 0; benchmark->sizes && i < benchmark->n_sizes; i++) {
        ct_engine_program_free(benchmark->sizes[i].single);
        ct_engine_program_free(benchmark->sizes[i].train);
    }
    free(benchmark->outputs);
    free(benchmark->size_of);
    free(benchmark->sizes);
    free(benchmark);
}

/* ---- runs ---- */

/* What a run is made with. */
struct run {
    const struct ct_benchmark *benchmark;
    struct ct_stack stack;
    struct ct_simulate_network_setup network;
    struct ct_error *err;
};

static enum ct_status run_passes(const struct run *run, const struct ct_engine_program *program,
                                 size_t passes, double *mean_ns)
{
    struct ct_simulate_network network;
    CT_TRY(ct_simulate_network_new(run->benchmark->setup.kind, &run->network, &network, run->err));
    const struct ct_engine_job job = {.program = program, .place = ct_simulate_blocks(1)};
    const struct ct_engine_setup setup = {.stack = &run->stack,
                                          .network = &network,
                                          .n_nodes = run->network.n_nodes,
                                          .passes = passes,
                                          .work_max =
                                              (uint64_t)ct_simulate_constant(CT_SIMULATE_WORK_MAX)};
    enum ct_status status = ct_engine_run(&job, 1, &setup, NULL, mean_ns, NULL, run->err);
    ct_simulate_network_free(&network);
    return status;
}

/* Repetitions follow each other, as those of logpb do: what a port lets pass at once is used up by
 * the first ones. Without a burst all are alike.
 * @param bytes  [in] that a repetition sends */
static enum ct_status run_program(const struct run *run, const struct ct_engine_program *program,
                                  double bytes, double *time_ns)
{
    enum { COUNTED = 8, FIRST_MAX = 128 };
    const struct ct_simulate_network_setup *network = &run->network;
    double sent_bytes = bytes + network->packet_header_bytes + network->message_header_bytes + 1;
    double n_passing = network->queues.burst_bytes / sent_bytes;
    size_t first = COUNTED + (size_t)fmin(n_passing, FIRST_MAX), all = first + COUNTED;
    double first_ns = 0, all_ns = 0;
    if (!(network->queues.burst_bytes > 0))
        return run_passes(run, program, 1, time_ns);
    enum ct_status status = run_passes(run, program, first, &first_ns);
    if (status == CT_OK)
        status = run_passes(run, program, all, &all_ns);
    *time_ns = ((double)all * all_ns - (double)first * first_ns) / COUNTED;
    return status;
}

/* RTT_1 and g of a size. */
static enum ct_status run_size(const struct run *run, const struct size *size, double *rtt_ns,
                               double *gap_ns)
{
    double train_ns = 0;
    enum ct_status status = run_program(run, size->single, (double)size->bytes, rtt_ns);
    if (status != CT_OK || !size->train)
        return status;
    status = run_program(run, size->train, (double)size->bytes * run->benchmark->setup.messages,
                         &train_ns);
    *gap_ns = (train_ns - *rtt_ns) / (run->benchmark->setup.messages - 1);
    if (status == CT_OK && !(*gap_ns > 0))
        return ct_fail(run->err, CT_EINVAL,
                       "throughput of messages of %llu B: with these parameters a further message "
                       "takes no time",
                       (unsigned long long)size->bytes);
    return status;
}

enum ct_status ct_benchmark_run(const struct ct_benchmark *benchmark,
                                const struct ct_stack_parameters *parameters, double *values,
                                struct ct_error *err)
{
    struct run run = {.benchmark = benchmark,
                      .stack = ct_stack_of(parameters),
                      .network = benchmark->setup.network,
                      .err = err};
    ct_stack_set_network(parameters, &run.network);
    run.network.n_jobs = 1;
    for (size_t s = 0; s < benchmark->n_sizes; s++) {
        double rtt_ns = 0, gap_ns = 0;
        CT_TRY(run_size(&run, &benchmark->sizes[s], &rtt_ns, &gap_ns));
        for (size_t i = 0; i < benchmark->n; i++)
            if (benchmark->size_of[i] == s)
                values[i] = benchmark->outputs[i].quantity == CT_BENCHMARK_ROUND_TRIP
                                ? rtt_ns / ns_per_s
                                : (double)benchmark->sizes[s].bytes * ns_per_s / gap_ns;
    }
    return CT_OK;
}
