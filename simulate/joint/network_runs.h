/**
 * Programs on one of the networks of simulate/network.h: alone and together, where the time of
 * their ranks goes, and what a faster network would gain.
 */
#pragma once

#include "simulate/engine.h"
#include "simulate/rank_times.h"

/**
 * When a program begins in one of several simulations, as a share of its time alone: spread evenly,
 * and differently for each program and simulation.
 * @param i      [in] of the programs; 0: begins at once
 * @param start  [in] which simulation
 */
double ct_network_begin_frac(size_t i, size_t start);

/** How many of the simulations are observed: 1 of a program alone, all of several together. */
size_t ct_network_runs_observed(size_t n);

struct ct_network_runs_setup {
    enum ct_simulate_network_kind kind;
    struct ct_simulate_network_setup network; /**< its n_jobs is not read */
    const struct ct_stack *stack;
    uint64_t work_max; /**< as in struct ct_engine_setup */
    bool has_gains;    /**< no_network_ns and none_ns are asked for; false: they are NaN */
    unsigned threads;  /**< simulations at the same time, >= 1; answers do not depend on it */
    /** [ct_network_runs_observed()]: of each run that is observed, which calls it from a thread of
     * its own; NULL: none */
    const struct ct_observer *observers;
};

/** How busy links were: shares of the time from the begin to the end of simulations, their mean. */
struct ct_busy_links {
    struct ct_busy_link {
        uint32_t way; /**< 2 l + d: link l of the topology from its end d on */
        double ns_per_byte;
        double busy_frac; /**< bytes that have passed it, times ns_per_byte, of the time */
    } * links;            /**< [n]; freed by the owner; NULL: the network has none */
    uint32_t n;
};

/** Run times of a program, ns. */
struct ct_network_run {
    double alone_ns;
    double together_ns;   /**< of a single program: alone_ns */
    double no_network_ns; /**< alone, on the network `none`, with the costs of the stack */
    double none_ns; /**< likewise, without these costs: what the imbalance of the program takes */
};

/**
 * Run programs. Observers and `times` observe the run of a single program, or of all runs
 * together: as in simulations of co-runs, four with three passes each, in which programs begin at
 * different times. A simulation is one thread; several are made at the same time.
 * @param jobs   [in]  n, 1 .. CT_SIMULATE_JOBS_MAX; begin_ns is not read
 * @param runs   [out] n
 * @param busy_p [out] of the runs that are observed; NULL: not asked for
 * @param times_p  [out] of all programs; ct_rank_times_free(); unchanged on error
 * @return CT_OK; what ct_simulate_network_new() and ct_engine_run() return
 */
enum ct_status ct_network_runs(const struct ct_engine_job *jobs, const uint32_t *n_ranks, size_t n,
                               const struct ct_network_runs_setup *setup,
                               struct ct_network_run *runs, struct ct_rank_times **times_p,
                               struct ct_busy_links *busy_p, struct ct_error *err);
