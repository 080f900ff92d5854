/* Schedules for tests: from text, from a file of tests/data/goal, or random. */
#pragma once

#include "lp-bridge/graph/graph.h"

#include <stdio.h>

struct random_shape {
    uint32_t n_ranks;
    uint32_t n_steps; /* calcs or messages: one or two operations each */
    uint64_t calc_max_ns;
    uint64_t bytes_max;
};

/* Write a schedule without cycles, with requires and irequires among a rank's operations. */
void write_random_goal(FILE *out, uint64_t seed, struct random_shape shape);

/* Read or build, or fail the test. */
struct ct_goal goal_of_text(const char *text);
struct ct_goal random_goal(uint64_t seed, struct random_shape shape);
struct ct_graph graph_of_text(const char *text, const struct ct_graph_options *options);
struct ct_graph graph_of_file(const char *name, const struct ct_graph_options *options);
struct ct_graph random_graph(uint64_t seed, struct random_shape shape,
                             const struct ct_graph_options *options);

/* T by lp-bridge/envelope/, ns. */
double runtime_by_envelope(const struct ct_graph *graph, struct ct_loggps at);

/* All eager, nothing serialized. */
extern const struct ct_graph_options eager;

/* Numbers as from a fixed die: 0 .. n - 1. */
uint64_t throw_die(uint64_t *state, uint64_t n);
