/**
 * Writes the trace of one rank (trace/format.h) while its program runs. The file is mapped into
 * memory, piece by piece. So adding an event is a copy, and the trace of a program that is killed
 * ends with its last whole event. Room on the disk is reserved before a piece is mapped, so a full
 * disk is an error and not a signal. Long lists of ranks are files of their own beside it, of which
 * each is written once.
 *
 * No MPI. Not safe for several threads.
 */
#pragma once

#include "trace/format.h"

struct ct_trace_stream; /**< opaque */

/**
 * Begin a file.
 * @param stream_p  [out] ct_trace_stream_close(); unchanged on error
 * @return CT_OK; CT_EEXIST: the file exists, and is kept; CT_EIO (with path and cause); CT_ENOMEM
 */
enum ct_status ct_trace_stream_open(const char *path, const struct ct_trace_header *header,
                                    struct ct_trace_stream **stream_p, struct ct_error *err);

/**
 * Add an event. If it starts before the end of its thread's event before, its start becomes that
 * end. In a file without threads all events are of one.
 * @return CT_OK; CT_EIO (no room on the disk): the stream takes no more events; CT_EFORMAT (a
 *         thread's number is not the next new one, `after` is more than the events before);
 *         CT_ENOMEM
 */
enum ct_status ct_trace_stream_add(struct ct_trace_stream *stream,
                                   const struct ct_trace_event *event, struct ct_error *err);

/** Cut the file after its last event, flush it, and free the stream; NULL is allowed. */
enum ct_status ct_trace_stream_close(struct ct_trace_stream *stream, struct ct_error *err);
