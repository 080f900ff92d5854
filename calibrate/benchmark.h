/**
 * The benchmark whose results parameters are calibrated to, on a simulated network: what logpb
 * measures between two ranks on two nodes. A train of n messages of m bytes is sent one after the
 * other, and the receiver answers the last one with an empty message; RTT_n(m) is the time from the
 * first send to the end of the receive of the answer [K].
 *
 *     round trip   RTT_1(m)
 *     throughput   m / g(m),   g(m) = (RTT_n(m) - RTT_1(m)) / (n - 1)
 *
 * With a window of w messages, the sender and the receiver have up to w of them under way: they
 * begin w messages (MPI_Isend, MPI_Irecv) and wait for all of them before they begin the next w.
 *
 * Where ports let a burst pass at once, repetitions follow each other as those of logpb do, and the
 * later ones count: the first ones use the burst up.
 *
 * Deterministic: equal parameters have equal results, to the bit.
 */
#pragma once

#include "simulate/stack.h"

enum ct_benchmark_quantity {
    CT_BENCHMARK_THROUGHPUT, /**< bytes per second */
    CT_BENCHMARK_ROUND_TRIP, /**< seconds */
    CT_BENCHMARK_OF_LOGPB,   /**< the ones above: what ct_benchmark_run() has */
    CT_BENCHMARK_LATENCY = CT_BENCHMARK_OF_LOGPB, /**< of a probe beside a load, seconds
                                                     (calibrate/runs/calibration_loads.h) */
    CT_BENCHMARK_QUANTITIES
};
extern const char *const ct_benchmark_names[]; /**< "throughput", "round-trip", "latency", NULL */

/** A result of the benchmark: of throughput, bytes > 0. */
struct ct_benchmark_output {
    enum ct_benchmark_quantity quantity;
    uint64_t bytes; /**< m, at most CT_BENCHMARK_BYTES_MAX; of latency the number of the load */
};

enum { CT_BENCHMARK_MESSAGES_MAX = 4096 };
#define CT_BENCHMARK_BYTES_MAX ((uint64_t)1 << 30)

struct ct_benchmark_setup {
    enum ct_simulate_network_kind kind;
    /** Two nodes. Its rates and latencies are not read: they are parameters. Borrowed, with what it
     * borrows, while the benchmark is used. */
    struct ct_simulate_network_setup network;
    uint32_t messages; /**< n, 2 .. CT_BENCHMARK_MESSAGES_MAX */
    uint32_t window;   /**< w, 1 .. n */
};

/** The schedules of a benchmark, ready to run. Immutable: several threads may run it. */
struct ct_benchmark;

/**
 * @param outputs      [in]  n >= 1; copied
 * @param benchmark_p  [out] ct_benchmark_free(); unchanged on error
 * @return CT_OK; CT_EINVAL (out of range); CT_ENOMEM
 */
enum ct_status ct_benchmark_new(const struct ct_benchmark_setup *setup,
                                const struct ct_benchmark_output *outputs, size_t n,
                                struct ct_benchmark **benchmark_p, struct ct_error *err);
void ct_benchmark_free(struct ct_benchmark *benchmark);

/**
 * Results for a vector of parameters.
 * @param values  [out] [n of the outputs]: bytes per second or seconds, > 0; undefined on error
 * @return CT_OK; CT_EINVAL (a message that takes no time: its throughput is infinite); what
 *         ct_simulate_network_new() and ct_engine_run() return
 */
enum ct_status ct_benchmark_run(const struct ct_benchmark *benchmark,
                                const struct ct_stack_parameters *parameters, double *values,
                                struct ct_error *err);
