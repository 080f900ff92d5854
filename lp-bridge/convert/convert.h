/**
 * From the traces of an MPI program to its schedule.
 *
 * - The time from the end of a call to the start of the next is compute; the time in calls is not,
 *   since the model gives it. Every rank begins at time 0, when it leaves MPI_Init, and ends when
 *   it enters MPI_Finalize.
 * - A blocking call ends when its messages are complete. A nonblocking one lets the program go on
 *   when it has started (`irequires`: a send costs its overhead by then, a receive nothing), and is
 *   complete where a wait or a successful test says so.
 * - A buffered send never keeps the program. A synchronous one is complete when an empty message
 *   comes back that the receiver sends after it has received.
 * - A probe that finds a message is where the program waits for it, and the receive that follows
 *   costs nothing.
 * - Collectives become messages as lp-bridge/collective/collective.h says. The sends of a round
 *   start one after the other, each when the overhead of the one before is paid. Those of a
 *   nonblocking one go on beside the program from its start, until it waits for them.
 * - Wildcard receives have the source and tag that they got.
 * - Messages of different communicators, and of different collective calls, have different tags.
 *
 * A program that was aborted is used as far as everything has its counterpart.
 */
#ifndef CT_LP_BRIDGE_CONVERT_CONVERT_H
#define CT_LP_BRIDGE_CONVERT_CONVERT_H

#include "lp-bridge/collective/collective.h"
#include "lp-bridge/convert/events.h"
#include "lp-bridge/goal/goal.h"

struct ct_convert_options {
    /** Factor for the time between calls, >= 0, finite; not for what is before a rank's first. */
    double compute_scale;
    struct ct_collective_rules rules;
};

/** As traced, with the default algorithms. */
struct ct_convert_options ct_convert_defaults(void);

enum { CT_CONVERT_NAME_MAX = 64 };

/** Calls that the schedule does not have. */
struct ct_convert_unmodelled {
    char name[CT_CONVERT_NAME_MAX + 1];
    uint64_t calls;
};

/** What a user should know about a conversion. */
struct ct_convert_notes {
    uint32_t n_cut;       /**< ranks whose trace ends before MPI_Finalize */
    uint32_t first_cut;   /**< the first of them, where there is one */
    uint64_t unused;      /**< events (liballprof: lines) left out because of aborted ranks */
    uint64_t synchronous; /**< synchronous sends */
    uint64_t dropped;     /**< messages cancelled, or never completed and without counterpart */
    struct ct_convert_unmodelled *unmodelled; /**< n_unmodelled, in the order of first use; owned */
    size_t n_unmodelled;
};
void ct_convert_notes_free(struct ct_convert_notes *notes);

/**
 * @param directory  [in]  traces of `crosstalk trace`, or of liballprof (see convert/allprof.h)
 * @param goal_p     [out] ct_goal_free(); unchanged on error
 * @param notes_p    [out] ct_convert_notes_free(); unchanged on error
 * @return CT_OK; CT_EINVAL (compute_scale); CT_ENOENT; CT_ENODATA (a rank's trace is missing);
 *         CT_EFORMAT (damaged, or of different programs; ranks that do not fit together: a message
 *         without its counterpart or with another size, collectives that differ; the first one is
 *         named by rank and event); CT_EUNSUPPORTED; CT_EIO; CT_ENOMEM
 */
enum ct_status ct_convert(const char *directory, const struct ct_convert_options *options,
                          struct ct_goal *goal_p, struct ct_convert_notes *notes_p,
                          struct ct_error *err);

/** The same of events from anywhere, which stay open. */
enum ct_status ct_convert_events(const struct ct_events *events,
                                 const struct ct_convert_options *options, struct ct_goal *goal_p,
                                 struct ct_convert_notes *notes_p, struct ct_error *err);

/**
 * How often the ranks call each collective, the calls of all ranks together.
 * @param kinds    [in]  CT_TRACE_N_KINDS, as in struct ct_trace_summary
 * @param calls_p  [out] CT_COLLECTIVE_N_COLLECTIVES
 */
void ct_convert_collectives(const struct ct_trace_count *kinds, uint64_t *calls_p);

#endif
