/**
 * Timeline of a program, for figures: spans of time in calls and between them, on one clock, and
 * the messages between calls. Each thread of a rank that calls MPI has a track. Traces are read in
 * passes, so memory does not grow with their length, but for 12 bytes for each receive of one rank
 * and, for a window, two bits for each message.
 */
#pragma once

#include "trace/convert/events.h"

#include <stdio.h>

struct ct_timeline; /**< opaque */

/**
 * Part of a timeline, in time since the first event of all ranks. A span that touches it belongs to
 * it.
 */
struct ct_timeline_window {
    uint64_t from_ns, to_ns; /**< from <= to; to UINT64_MAX: to the end */
};

struct ct_timeline_about {
    uint32_t n_ranks;
    uint32_t n_tracks;   /**< threads of all ranks; a rank without events has one, too */
    uint64_t span_ns;    /**< from the first event of all ranks to the end of the last */
    uint64_t n_calls;    /**< all events but new communicators */
    uint64_t n_messages; /**< with both ends in the window */
    uint32_t n_cut;      /**< ranks whose trace ends before MPI_Finalize */
    struct ct_timeline_window window;
};

/** A call, or the time between two calls of a thread. */
struct ct_timeline_span {
    uint32_t track; /**< below n_tracks: those of rank 0 by thread, then those of rank 1, ... */
    const struct ct_trace_event
        *event;                /**< NULL: compute. The times in it are of the rank's own clock */
    uint64_t start_ns, end_ns; /**< since the first event of all ranks, start <= end */
    uint64_t sent; /**< number of the message that it sends, from 1 on; 0: none in the window */
    const uint64_t *
        received; /**< [n_received] numbers of the messages that it completes receiving; borrowed */
    size_t n_received;
};

/**
 * @param events      [in] stay open, and are borrowed
 * @param window      [in] part to be visited; NULL: everything
 * @param timeline_p  [out] ct_timeline_free(); unchanged on error
 * @return CT_OK; CT_EFORMAT (with rank and event); CT_ENODATA (nothing in the window); CT_ENOMEM;
 *         what the events return
 */
enum ct_status ct_timeline_of(const struct ct_events *events,
                              const struct ct_timeline_window *window,
                              struct ct_timeline **timeline_p, struct ct_error *err);
void ct_timeline_free(struct ct_timeline *timeline); /**< NULL is allowed */

const struct ct_timeline_about *ct_timeline_about(const struct ct_timeline *timeline);

/** First track of a rank, that of thread 0. @param rank  [in] of n_ranks: n_tracks */
uint32_t ct_timeline_first_track(const struct ct_timeline *timeline, uint32_t rank);

/** @return CT_OK: continue; other values end the visit */
typedef enum ct_status ct_timeline_visitor(void *data, const struct ct_timeline_span *span,
                                           struct ct_error *err);

/**
 * Visit the spans of a rank that touch the window, those of a track in order: none begins before
 * the end of the one before.
 * @return CT_OK; CT_EFORMAT; CT_ENOMEM; what visit() returns
 */
enum ct_status ct_timeline_visit(struct ct_timeline *timeline, uint32_t rank,
                                 ct_timeline_visitor *visit, void *data, struct ct_error *err);

/**
 * Write the timeline in the Trace Event format (JSON), as Perfetto and chrome://tracing read it: a
 * track a thread, a slice a call and a slice the time between two, an arrow a message.
 * @param name  [in] of the program, for its tracks
 * @return CT_OK; as ct_timeline_visit(); errors of the stream are the caller's
 */
enum ct_status ct_timeline_write_json(struct ct_timeline *timeline, const char *name, FILE *out,
                                      struct ct_error *err);

/** Most messages that are drawn as arrows; if there are more, none are drawn. */
enum { CT_TIMELINE_ARROWS_MAX = 5000 };

/**
 * Draw the timeline as SVG: a row a thread, time from left to right. Calls that are narrower than a
 * point are combined: a point has the colour of the kind that took most of its time.
 * @param name  [in] for the title
 * @return as ct_timeline_write_json(); CT_EUNSUPPORTED (too many threads)
 */
enum ct_status ct_timeline_draw(struct ct_timeline *timeline, const char *name, FILE *out,
                                struct ct_error *err);
