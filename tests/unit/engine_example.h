/* Runs of the engine for tests, with what it tells. */
#pragma once

#include "goal_example.h"
#include "simulate/engine.h"

enum { TOLD_MAX = 4096 };

/* All that a run tells; too much fails the test. */
struct told {
    struct ct_time_span spans[TOLD_MAX];
    size_t n_spans;
    struct ct_observed_message messages[TOLD_MAX]; /* steps: in times */
    struct ct_message_times times[TOLD_MAX][CT_STACK_STEPS_MAX];
    size_t n_messages;
    struct ct_observed_rank ranks[TOLD_MAX];
    size_t n_ranks;
};

/* What the tests by hand calculate with: header 100 ns, RDMA 200 ns, copy 1 ns/B, pin 1000 ns and
 * 10 ns for each page of 4096 B; mailbox up to 100 B, eager up to 1000 B. */
struct ct_stack_parameters hand_parameters(void);

/* One switch of so many nodes: 0.5 ns/B, 50 ns. */
struct ct_simulate_network_setup hand_network(uint32_t n_nodes);

/* Run a schedule alone, a rank on each node, or fail the test; returns T.
 * told: NULL: nobody is told */
double run_alone(const struct ct_goal *goal, const struct ct_stack *stack,
                 enum ct_simulate_network_kind kind, const struct ct_simulate_network_setup *setup,
                 struct told *told);

/* The same with another observer; NULL: none. */
double run_observed(const struct ct_goal *goal, const struct ct_stack *stack,
                    enum ct_simulate_network_kind kind,
                    const struct ct_simulate_network_setup *setup,
                    const struct ct_observer *observer);

/* Random schedules of up to 10 ranks with requires and irequires. */
struct random_shape shape_of(uint64_t seed, uint64_t bytes_max);

/* A switch under `somewhere`, with room for 20 packets of 1000 B. */
extern const struct ct_loggps somewhere;
struct ct_simulate_network_setup switch_of(uint32_t n_nodes, uint32_t n_jobs);

/* Protocols for random schedules, different ones for different seeds. */
const struct ct_stack *stack_of(uint64_t seed, struct ct_stack *stack);

/* Fail the test unless the spans of each rank follow one another from the begin of its pass to its
 * end. */
void check_told(const struct told *told);

/* Fail the test unless the spans of a rank are these, from 0 on: "stack 100, sync 1150": of the
 * stack until 100 ns, then of synchronization until 1150 ns. Spans in a row that are the same part
 * count as one. */
void check_spans(const char *what, const struct told *told, uint32_t rank, const char *expected);

/* The same of the steps of a message: "0 100 200, 200 300 300" are the times ready, paid and there
 * of two steps, in ns. */
void check_steps(const char *what, const struct told *told, size_t message, const char *expected);
