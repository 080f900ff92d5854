/**
 * Schedules run as events on a network, with the steps of each message (stack.h): one engine for
 * all protocols (stack.h) and networks (network.h), and for several programs at once.
 *
 * An operation begins when all that it waits for has ended. Meaning of dependencies, as in
 * lp-bridge/graph/graph.h: `requires` waits for the end of an operation, `irequires` for its start:
 * of a calc its begin, of a receive its posting, of a send the end of its first work (or, if it
 * waits for credit, its begin: the library keeps the message).
 *
 * Where work is done one message at a time (the RDMA protocols), it is done in the order in which
 * it became possible; a calc does not wait for it. With progress in calls, work that a program did
 * not call for waits until no calc of the rank is under way.
 *
 * Deterministic: equal input has equal results, to the bit.
 */
#pragma once

#include "lp-bridge/goal/goal.h"
#include "simulate/network.h"
#include "simulate/observer.h"
#include "simulate/places.h"
#include "simulate/stack.h"

/** A schedule in a form for the engine; immutable. */
struct ct_engine_program;

/**
 * @param goal       [in]  may be freed afterwards
 * @param program_p  [out] ct_engine_program_free(); unchanged on error
 * @return CT_OK; CT_EINVAL (a message without its counterpart, no operation, too many); CT_ENOMEM
 */
enum ct_status ct_engine_program_new(const struct ct_goal *goal,
                                     struct ct_engine_program **program_p, struct ct_error *err);
void ct_engine_program_free(struct ct_engine_program *program);

/** A program that runs, and where. */
struct ct_engine_job {
    const struct ct_engine_program *program; /**< borrowed */
    struct ct_simulate_place place;
    double begin_ns; /**< >= 0 */
};

struct ct_engine_setup {
    const struct ct_stack *stack;              /**< borrowed */
    const struct ct_simulate_network *network; /**< new, for one run; borrowed */
    uint32_t n_nodes;                          /**< of the network */
    size_t passes;     /**< >= 1: of each program that begin after all programs have begun */
    uint64_t work_max; /**< limit: events; 1e9 take about ten seconds */
};

/** What a run took. */
struct ct_engine_counts {
    uint64_t n_messages; /**< between ranks or of a rank to itself, of all passes */
    uint64_t n_events;   /**< of the engine and of the network */
    double end_ns;       /**< time at which the simulation ended */
    uint32_t n_flights;  /**< most messages under way, or posted at one end, at a time */
};

/** Memory that the engine takes for a message under way, bytes; networks have their own. */
extern const size_t ct_engine_flight_bytes;

/**
 * Run programs until each has made its passes; each begins again when it has ended.
 * @param jobs          [in]  n
 * @param observer      [in]  NULL: none
 * @param mean_pass_ns  [out] n; mean time of the passes that began after all programs had begun
 * @param counts_p      [out] NULL: not asked for
 * @return CT_OK; CT_EINVAL (a program that takes no time while others run, or that cannot end,
 * which names an operation; nodes that the network does not have); CT_EUNSUPPORTED (too much work);
 * CT_ENODATA (no route); CT_EINTR (core/cancel.h); CT_ENOMEM
 */
enum ct_status ct_engine_run(const struct ct_engine_job *jobs, size_t n,
                             const struct ct_engine_setup *setup,
                             const struct ct_observer *observer, double *mean_pass_ns,
                             struct ct_engine_counts *counts_p, struct ct_error *err);
