/**
 * The critical path of a simulated run: the chain of computation and messages that ends with the
 * last operation of a pass and begins with the pass, without a gap. So its lengths add up to the
 * run time (to rounding). Shortening something else does not shorten the run.
 *
 * From the operation that ended last it goes back, at each operation, to the one that this waited
 * for last. A calc is COMPUTE. A message goes back through its steps (observer.h): NETWORK while
 * something is under way, STACK while the software of either side works or has other messages to
 * do first. Where a step waited for the receive to be posted, and this was later than what the
 * message needs, the path continues on the rank of the receive; else it continues with the begin of
 * the send. So the path does not wait for a late rank, it passes through what made that rank late.
 * SYNC is what is left: a message that waits for a rank to end a computation, with progress in
 * calls, or for credit.
 *
 * Of several that were waited for until the same time, the path takes the one that came last in the
 * order of events.
 */
#pragma once

#include "core/status.h"
#include "lp-bridge/goal/goal.h"
#include "simulate/observer.h"

#include <stddef.h>

/** A piece of a path. */
struct ct_run_path_step {
    enum ct_time_part part;
    uint32_t op;  /**< the calc; STACK: the send or receive that the work is for; NETWORK, SYNC:
                       the operation that the path reached the message by. Numbered as in
                       struct ct_time_span */
    uint32_t row; /**< COMPUTE: 0; else as ct_call_row_of() */
    uint32_t from, to;       /**< ranks; NETWORK: of the two sides; others: equal */
    double begin_ns, end_ns; /**< begin_ns < end_ns; end_ns is the begin_ns of the next step */
};

struct ct_run_path {
    struct ct_run_path_step *steps; /**< [n], in the order of time */
    size_t n;
    double begin_ns, end_ns; /**< of the pass */
};

/** What is recorded while a simulation runs, of the first pass of each program. */
struct ct_path_record;

/**
 * Takes 24 B for each operation, and while a simulation runs 24 B for each step of each message of
 * the first pass (2 to 5).
 * @param goals     [in]  [n] of the programs; borrowed
 * @param record_p  [out] ct_path_record_free()
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_path_record_new(const struct ct_goal *goals, size_t n,
                                  struct ct_path_record **record_p, struct ct_error *err);
void ct_path_record_free(struct ct_path_record *record); /**< NULL is allowed */

/** The observer that records. Of several simulations one after the other the first one counts. */
struct ct_observer ct_path_record_observer(struct ct_path_record *record);

/**
 * The path of the program with an index, after the simulation.
 * @param path_p  [out] ct_run_path_free(); unchanged on error
 * @return CT_OK; CT_ENODATA (the first pass has not ended); CT_ENOMEM, also while recording
 */
enum ct_status ct_run_path_find(const struct ct_path_record *record, size_t index,
                                struct ct_run_path *path_p, struct ct_error *err);
void ct_run_path_free(struct ct_run_path *path);
