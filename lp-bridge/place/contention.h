/**
 * The search for a mapping with which a program is fast while its messages share links: mappings
 * are judged by simulation of the program alone (simulate/engine.h) instead of by T, which has no
 * contention. Messages are packets, which wait for each other at ports.
 *
 * The best start is improved by random steps: a rank goes to a node with room, or exchanges its
 * node with a rank that is there. Of each 16 steps the one that shortens the run most is taken. The
 * result is never worse than any start, and the same for every number of threads.
 */
#pragma once

#include "lp-bridge/place/mapping.h"
#include "simulate/engine.h"

/** The program and the network. All borrowed. */
struct ct_place_contention {
    const struct ct_goal *goal;
    const struct ct_stack *stack;
    struct ct_simulate_network_setup network; /**< of one program, on all nodes of a mapping */
    struct ct_place_room room;
    unsigned threads;   /**< simulations at the same time, >= 1 */
    size_t evaluations; /**< simulations, about; 0: some seconds, fewer for a large schedule */
    uint64_t seed;
};

/** What the search found. */
struct ct_place_contended {
    double after_ns;    /**< run time of the best mapping */
    size_t evaluations; /**< simulations after those of the starts */
};

/**
 * @param starts      [in]  n >= 1 mappings
 * @param start_ns_p  [out] [n]: their run times
 * @param mapping_p   [out] n_ranks nodes: the best mapping; unchanged on error
 * @return CT_OK; what ct_engine_program_new(), ct_simulate_network_new() and ct_engine_run()
 * return; CT_ENOMEM
 */
enum ct_status ct_place_contend(const struct ct_place_contention *contention,
                                const uint32_t *const *starts, size_t n, double *start_ns_p,
                                uint32_t *mapping_p, struct ct_place_contended *found_p,
                                struct ct_error *err);
