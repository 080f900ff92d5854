/*
 * Simulation of one program on each network: 64 and 512 ranks that exchange halos, and an alltoall.
 * Prints messages a second and their ratio to those of alpha-beta, and packets likewise.
 */
#include "core/clock.h"
#include "halo_schedule.h"
#include "simulate/constants.h"
#include "simulate/engine.h"
#include "simulate/rank_times.h"
#include "trace/input/input.h"

#include <malloc.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { OPERATIONS = 100000, RUNS = 3 };

static const struct ct_loggps at = {.o_ns = 600, .L_ns = 1000, .G_ns_per_byte = 0.08};

static void must(enum ct_status status, const struct ct_error *err)
{
    if (status == CT_OK)
        return;
    fprintf(stderr, "bench_simulate: %s\n", err->text);
    exit(1);
}

/* Processor time, which others that use the machine change less. */
static double cpu_s(void)
{
    return 1e-9 * (double)ct_clock_read_ns(CLOCK_PROCESS_CPUTIME_ID);
}

/* A run of the engine. */
struct engine_case {
    const char *name;
    enum ct_simulate_network_kind kind;
    bool rdma, told;
    double burst_bytes; /* of ports that serve in turn, so that their inputs have buckets */
};

static const struct engine_case engine_cases[] = {
    {"alpha-beta", CT_NETWORK_ALPHA_BETA, false, false, 0},
    {"alpha-beta, rdma", CT_NETWORK_ALPHA_BETA, true, false, 0},
    {"alpha-beta, told", CT_NETWORK_ALPHA_BETA, true, true, 0},
    {"packet", CT_NETWORK_PACKET, false, false, 0},
    {"packet, burst", CT_NETWORK_PACKET, false, false, 1600},
    {"packet, rdma", CT_NETWORK_PACKET, true, false, 0},
    {"none", CT_NETWORK_NONE, false, false, 0}};

/* Packets of all messages of a schedule. */
static double count_packets(const struct ct_goal *goal, double packet_bytes)
{
    double n = 0;
    for (uint64_t i = 0; i < goal->n_ops; i++)
        if (goal->ops[i].kind == CT_GOAL_SEND)
            n += fmax(1, ceil((double)goal->ops[i].amount / packet_bytes));
    return n;
}

/* Bytes that are allocated now, also in mappings of their own. */
static size_t allocated_bytes(void)
{
    const struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

/* The fastest of some runs, s. */
static double run_engine_s(const struct ct_engine_program *program, uint32_t n_ranks,
                           const struct engine_case *of, struct ct_engine_counts *counts_p,
                           double *network_bytes_p)
{
    const struct ct_stack_parameters parameters = ct_stack_defaults();
    const struct ct_stack stack =
        of->rdma ? ct_stack_rdma(&parameters) : ct_stack_loggps(&at, (size_t)256 * 1024, NULL);
    struct ct_simulate_network_setup wanted = {
        .n_nodes = n_ranks,
        .n_jobs = 1,
        .injection_ns_per_byte = at.G_ns_per_byte,
        .link_ns_per_byte = NAN,
        .latency_ns = at.L_ns,
        .packet_bytes = ct_simulate_constant(CT_SIMULATE_NETWORK_PACKET),
        .buffer_bytes = ct_simulate_constant(CT_SIMULATE_NETWORK_BUFFER)};
    const struct ct_engine_job job = {program, ct_simulate_blocks(1), 0};
    double least_s = INFINITY;
    wanted.queues.burst_bytes = of->burst_bytes;
    for (int i = 0; i < RUNS; i++) {
        struct ct_simulate_network network;
        struct ct_rank_times *times;
        struct ct_error err;
        double pass_ns;
        size_t before_bytes = allocated_bytes();
        must(ct_simulate_network_new(of->kind, &wanted, &network, &err), &err);
        must(ct_rank_times_new(&n_ranks, 1, &times, &err), &err);
        const struct ct_observer observer = ct_rank_times_observer(times);
        const struct ct_engine_setup setup = {&stack, &network, n_ranks, 1, UINT64_MAX};
        double start_s = cpu_s();
        must(ct_engine_run(&job, 1, &setup, of->told ? &observer : NULL, &pass_ns, counts_p, &err),
             &err);
        least_s = fmin(least_s, cpu_s() - start_s);
        ct_rank_times_free(times);
        *network_bytes_p = (double)(allocated_bytes() - before_bytes);
        ct_simulate_network_free(&network);
    }
    return least_s;
}

static void compare_engine(const struct ct_goal *goal)
{
    struct ct_engine_program *program;
    struct ct_engine_counts counts;
    struct ct_error err;
    double network_bytes,
        first_s = 0,
        n_packets = count_packets(goal, ct_simulate_constant(CT_SIMULATE_NETWORK_PACKET));
    must(ct_engine_program_new(goal, &program, &err), &err);
    printf("\n%u ranks, %llu operations; a message under way takes %zu B in the engine\n"
           "network           messages/s  time a message, a packet, of the first  under way  "
           "network [B each]\n",
           goal->n_ranks, (unsigned long long)goal->n_ops, ct_engine_flight_bytes);
    for (size_t i = 0; i < sizeof engine_cases / sizeof *engine_cases; i++) {
        double taken_s =
            run_engine_s(program, goal->n_ranks, &engine_cases[i], &counts, &network_bytes);
        double messages = (double)counts.n_messages;
        first_s = i == 0 ? taken_s : first_s;
        printf("%-16s %11.3g %15.2f %23.2f %10u %17.0f\n", engine_cases[i].name, messages / taken_s,
               taken_s / first_s, taken_s / first_s * messages / n_packets, counts.n_flights,
               network_bytes / counts.n_flights);
    }
    ct_engine_program_free(program);
}

int main(void)
{
    static const uint32_t sides[][3] = {{4, 4, 4}, {8, 8, 8}};
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
        struct ct_goal goal;
        struct ct_error err;
        must(make_halo_schedule_3d(OPERATIONS, sides[i], &goal, &err), &err);
        compare_engine(&goal);
        ct_goal_free(&goal);
    }
    const struct ct_convert_options options = ct_convert_defaults();
    struct ct_convert_notes notes;
    struct ct_goal goal;
    struct ct_error err;
    must(ct_input_convert(ct_input_of("alltoall:64,rounds=6,bytes=4KiB"), &options, &goal, &notes,
                          &err),
         &err);
    compare_engine(&goal);
    ct_convert_notes_free(&notes);
    ct_goal_free(&goal);
    return 0;
}
