/**
 * Ranks of several MPI programs in one simulation. To the simulator they are one program; its
 * MPI_COMM_WORLD is split, and each rank calls the main() of its own program, which gets its part
 * as its world (core/simulated.h).
 *
 * Programs are libraries with a main(), as the build preset simgrid makes them. All ranks of a
 * program share its variables, so it must have none that differ between ranks.
 */
#pragma once

#include "core/argv.h"
#include "core/status.h"
#include "topology/topology.h"

#include <simgrid/forward.h>
#include <stdbool.h>
#include <stdint.h>

/** A program with the hosts that it runs on. */
struct ct_simgrid_part {
    const char *hosts;  /**< names, separated by commas; a host may occur twice */
    uint64_t slots;     /**< ranks on each */
    double start_s;     /**< simulated time at which its ranks start, after the worlds of all
                             programs are there */
    bool is_background; /**< it is asked to end as soon as the programs that are not have ended */
    const char *trace;  /**< folder for traces of its ranks; "": none */
    char **argv;        /**< NULL-terminated; argv[0] is the library */

    void *library; /**< of ct_simgrid_load() */
    int (*main)(int argc, char **argv);
    int n_ranks, n_ended;
    int code; /**< largest exit code of its ranks */
};

struct ct_simgrid_run {
    const char *platform;               /**< path; NULL: the topology; borrowed */
    const struct ct_topology *topology; /**< each link with rate and latency; borrowed */
    const char *prefix;                 /**< of its hosts: see topology/simgrid.h; borrowed */
    struct ct_argv settings;            /**< words for the simulator: "--cfg=KEY:VALUE" */
    const char *counters;               /**< file for the load of the links; NULL: none; borrowed */
    double added_latency_s;             /**< to each message between hosts; 0: none */
    bool factors_by_size;               /**< of the model: see simgrid_counters.h */
    const char *rate_factors, *latency_factors; /**< by size; NULL: SimGrid's; borrowed */
    struct ct_simgrid_part *parts;              /**< [n_parts] */
    size_t n_parts;
    int n_measured, n_measured_ended; /**< ranks of programs that are not in the background */
    int n_measuring;                  /**< of these, that are between the marks of
                                           ct_simulated_measure() */
    bool has_marks;                   /**< there were such marks */
    bool is_prepared;                 /**< for counting links, and adding latency */
    sg_bar_t are_all_there;           /**< ranks of all programs, with their worlds */
    const char *no_counters;          /**< why links cannot be counted; NULL: they can */
    struct ct_error counters_error;   /**< of writing the counters */
};

/**
 * Load the programs.
 * @return CT_OK; CT_ENOENT (no such program); CT_EINVAL (no library with a main())
 */
enum ct_status ct_simgrid_load(struct ct_simgrid_run *run, struct ct_error *err);

/**
 * Simulate until all ranks have ended. Once in a process.
 * @return CT_OK; CT_ECHILD (a program failed, or ranks wait for each other for ever); CT_EIO;
 *         CT_ENOMEM
 */
enum ct_status ct_simgrid_simulate(struct ct_simgrid_run *run, struct ct_error *err);

/** Called by the simulator's own library for each rank. @return its exit code */
int ct_simgrid_rank(void) __attribute__((visibility("default")));

/** Called by the simulator's own library where the network is a topology: makes it. */
void ct_simgrid_network(void) __attribute__((visibility("default")));

void ct_simgrid_unload(struct ct_simgrid_run *run);
