/**
 * The events of one rank, or of one of its threads, as a script for a replay: a receive comes with
 * its outcome, the message that it got. So a receive from any source, or with any tag, can be
 * posted for this message, and a second run has the same outcome as the first.
 *
 * Events are read as a stream, ahead to the completion of the oldest open receive. Pure: no MPI.
 *
 * Each thread of a rank has a script of its own, which reads all events of the rank, and gives
 * those of the thread. Requests have places as their numbers (rehearse/places.h), from 1 on.
 */
#pragma once

#include "trace/convert/events.h"
#include "trace/rehearse/places.h"

/** Outcome of a receive. */
struct ct_outcome {
    bool arrives; /**< a message arrives, which is: */
    struct ct_trace_message message;
    bool cut;   /**< of which the receive gets the begin only */
    bool known; /**< its completion was read */
    bool freed; /**< no call completes it, since its request is freed: what arrives is not recorded
                 */
};

struct ct_script {
    const struct ct_events *events; /**< borrowed; those of a thread: its own */
    uint32_t rank;
    uint64_t position; /**< of the event that was returned last */
    bool is_of_thread;
    uint32_t thread;
    struct ct_events *own; /**< of a thread; else NULL */
    struct ct_places places;
    struct ct_events_place start, ahead;
    bool ahead_ends;
    struct ct_map posted; /**< request -> how many receives were posted before it, + 1 */
    struct ct_outcome
        *outcomes; /**< [first .. n) of receives that were read ahead and not returned yet */
    size_t first, n, room;
    uint32_t dropped; /**< receives whose outcomes were removed from the list */
};

/** @param script_p  [out] at the rank's first event; ct_script_free() */
void ct_script_open(const struct ct_events *events, uint32_t rank, struct ct_script *script_p);
/**
 * The script of one thread of a rank that has several.
 * @param script_p  [out] ct_script_free(), also on error, before the events are closed
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_script_open_thread(const struct ct_events *events, uint32_t rank, uint32_t thread,
                                     struct ct_script *script_p, struct ct_error *err);
void ct_script_free(struct ct_script *script);

enum { CT_SCRIPT_THREADS_MAX = 1024 }; /**< of a rank: each of them reads all of its events */

/**
 * Number of threads of a rank that have events; all events are read if they may be of several.
 * @return CT_OK; CT_EFORMAT; CT_EUNSUPPORTED (more than CT_SCRIPT_THREADS_MAX); CT_ENOMEM
 */
enum ct_status ct_script_count_threads(const struct ct_events *events, uint32_t rank, uint32_t *n_p,
                                       struct ct_error *err);

/**
 * The next event, of the rank or the thread.
 * @param event_p    [out] kind CT_TRACE_NONE at the end; borrowed until the next call
 * @param outcome_p  [out] of a receive with a request; else nothing arrives
 * @return CT_OK; CT_EFORMAT (with the place in its file); CT_ENOMEM
 */
enum ct_status ct_script_next(struct ct_script *script, struct ct_trace_event *event_p,
                              struct ct_outcome *outcome_p, struct ct_error *err);

/** Place of the next event, and going back to a place at which no receive is open; of a thread only
 * to the start. */
struct ct_events_place ct_script_tell(const struct ct_script *script);
void ct_script_seek(struct ct_script *script, struct ct_events_place place);
