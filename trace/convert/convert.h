/**
 * Converts the traces of an MPI program to a schedule.
 *
 * - The time from the end of a call to the start of the next is compute; the time in calls is not
 *   used, since the model computes it. Every rank begins at time 0, when it leaves MPI_Init, and
 *   ends when it enters MPI_Finalize.
 * - A blocking call ends when its messages are complete. After a nonblocking one the program
 *   continues when it has started (`irequires`: after the overhead of a send, at once for a
 *   receive), and it is complete at the wait or the successful test for it.
 * - The program never waits for a buffered send. A synchronous send is complete when an empty
 *   message arrives that the receiver sends after it has received.
 * - The program waits for a message at the probe that finds it; the receive that follows takes no
 *   time.
 * - Collectives become messages by lp-bridge/collective/collective.h. The sends of a round start
 *   one after the other, each when the overhead of the one before is paid. Those of a nonblocking
 *   one are concurrent to the program, from its start until the program waits for them.
 * - Marks of waits: a rank is in MPI in calls that block, and in waits and successful tests. The
 *   mark of a message names the call that waits for it, and the first one after it has begun, with
 *   the longest time that the program computes in between: both are bounds for when the library
 *   works for the message (lp-bridge/graph/graph.h).
 * - Wildcard receives have the source and tag that they got.
 * - Messages of different communicators, and of different collective calls, have different tags.
 *
 * The schedule of an aborted program ends before the first action without counterpart.
 */
#pragma once

#include "lp-bridge/collective/collective.h"
#include "lp-bridge/goal/goal.h"
#include "trace/convert/summary.h"

/**
 * A part of the program: what lies between the ends of two blocking collectives of all ranks,
 * counted from 1, as `workload replay` counts them. 0, 0: the whole program.
 */
struct ct_convert_part {
    uint64_t from, to;
};

struct ct_convert_options {
    /**
     * Factor for the time between calls, >= 0, finite; the time before a rank's first call is not
     * scaled.
     */
    double compute_scale;
    struct ct_collective_rules rules; /**< of collectives that have some: others are expanded as
                                           MPICH does, of programs inside SimGrid as SMPI does */
    bool in_simgrid; /**< the program ran there, whether its traces say so or not */
    struct ct_convert_part part;
    bool marks_waits; /**< the schedule has marks (struct ct_goal_mark) */
};

/** Factor 1, the default algorithms, the whole program. */
struct ct_convert_options ct_convert_defaults(void);

/** Remarks on a conversion. */
struct ct_convert_notes {
    uint32_t n_cut;       /**< ranks whose trace ends before MPI_Finalize */
    uint32_t first_cut;   /**< the first of them, where there is one */
    uint32_t n_threaded;  /**< ranks that call MPI from several threads */
    uint32_t n_open;      /**< ranks whose recording was turned off before their end */
    uint64_t unused;      /**< events (liballprof: lines) left out because of these and of n_cut */
    uint64_t longer;      /**< receives that are longer than their message */
    uint64_t synchronous; /**< synchronous sends */
    uint64_t accesses;    /**< one-sided */
    uint64_t dropped;     /**< messages cancelled, or never completed and without counterpart */
    /** n_unmodelled that are not in the schedule, in the order of first use; owned */
    struct ct_trace_unmodelled *unmodelled;
    size_t n_unmodelled;
};
void ct_convert_notes_free(struct ct_convert_notes *notes);

/**
 * @param events   [in]  not closed
 * @param goal_p   [out] ct_goal_free(); unchanged on error
 * @param notes_p  [out] ct_convert_notes_free(); unchanged on error
 * @return CT_OK; CT_EINVAL (compute_scale); CT_EUSAGE (part: the program has no such collectives,
 *         or messages or requests are under way at their end); CT_ENODATA (a rank's trace is
 *         missing); CT_EFORMAT (damaged, or of different programs; ranks that are not consistent: a
 *         message without counterpart or with another size, collectives that differ; the message
 *         names the first one by rank and event); CT_EUNSUPPORTED; CT_EIO; CT_ENOMEM
 */
enum ct_status ct_convert_events(const struct ct_events *events,
                                 const struct ct_convert_options *options, struct ct_goal *goal_p,
                                 struct ct_convert_notes *notes_p, struct ct_error *err);

/** A program that becomes a schedule window by window; opaque (windows.c). */
struct ct_windows;

/** Weight of a window that has the whole program. */
#define CT_WINDOW_WHOLE UINT64_MAX

/**
 * Begin to convert a program in windows, of which each is a schedule of its own: cut where no rank
 * has a request open or a message probed, every message that is sent is received, and all members
 * of each communicator have made its calls, as soon as there is such a place after `weight`
 * operations. T of the whole is that of the windows one after the other, where the last operation
 * of each rank (struct ct_goal) is the first one of the next window. Programs that are never at
 * rest like that, and the end of an aborted one from its last such place on, are one window.
 *
 * @param events     [in]  not closed; borrowed until ct_windows_free()
 * @param options    [in]  a part of the program: one window only
 * @param weight     [in]  operations of the first window, about, >= 1; of the others an eighth, but
 *                         no less than 16 a rank; CT_WINDOW_WHOLE: all
 * @param windows_p  [out] ct_windows_free(); unchanged on error
 * @return CT_OK; CT_EINVAL (compute_scale); CT_ENOMEM
 */
enum ct_status ct_windows_open(const struct ct_events *events,
                               const struct ct_convert_options *options, uint64_t weight,
                               struct ct_windows **windows_p, struct ct_error *err);

/**
 * The next window; !goal_p->is_continued: the last one.
 * @param goal_p  [out] ct_goal_free(); unchanged on error
 * @return as ct_convert_events()
 */
enum ct_status ct_windows_next(struct ct_windows *windows, struct ct_goal *goal_p,
                               struct ct_error *err);

/** Remarks so far. @param notes_p  [out] the caller's to free, once. */
void ct_windows_take_notes(struct ct_windows *windows, struct ct_convert_notes *notes_p);
void ct_windows_free(struct ct_windows *windows); /**< NULL is allowed */

/**
 * How often the ranks call each collective, the calls of all ranks together.
 * @param kinds    [in]  CT_TRACE_N_KINDS, as in struct ct_trace_summary
 * @param calls_p  [out] CT_COLLECTIVE_N_COLLECTIVES
 */
void ct_convert_collectives(const struct ct_trace_count *kinds, uint64_t *calls_p);
