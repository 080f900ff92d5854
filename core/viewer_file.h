/**
 * Files for viewers of timelines, in the Trace Event format that Perfetto and chrome://tracing
 * read: one object with the list traceEvents. A process is a program, a track a rank, or one of its
 * threads. A slice is an event "X" (complete), an arrow a pair of "s" and "f" with one id, each
 * within a slice of its track; "M" gives names. Times are microseconds.
 *
 *     ct_viewer_begin(out);
 *     ct_viewer_names(0, "stencil", 2, out);
 *     ct_viewer_event("X", "compute", 0, 1, start_ns, out);
 *     ct_viewer_time("dur", 500, out);
 *     fputs(",\"name\":\"compute\"}", out);
 *     ct_viewer_end(out);
 *
 * Errors of the stream are the caller's.
 */
#pragma once

#include <stdint.h>
#include <stdio.h>

void ct_viewer_begin(FILE *out);
void ct_viewer_end(FILE *out);

/** Name a program. Program 0 is the first, and before all events. */
void ct_viewer_program(uint32_t program, const char *name, FILE *out);

/** Name a program and its ranks, whose tracks have their numbers. */
void ct_viewer_names(uint32_t program, const char *name, uint32_t n_ranks, FILE *out);

/** Name a track of a program. @param place  [in] among its tracks, the least is at the top */
void ct_viewer_track(uint32_t program, uint32_t track, int64_t place, const char *name, FILE *out);

/** What all events begin with: the caller goes on with fields, each after a comma, and "}". */
void ct_viewer_event(const char *phase, const char *category, uint32_t program, uint32_t track,
                     uint64_t start_ns, FILE *out);

/** A field that is a time. */
void ct_viewer_time(const char *name, uint64_t time_ns, FILE *out);

/** An end of an arrow: the begin of a message, or its end. */
enum ct_viewer_end_of { CT_VIEWER_SENT, CT_VIEWER_RECEIVED };
void ct_viewer_arrow(enum ct_viewer_end_of end, uint32_t program, uint32_t track, uint64_t time_ns,
                     uint64_t message, FILE *out);
