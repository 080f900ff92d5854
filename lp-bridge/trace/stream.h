/**
 * Writing one rank's trace (trace/format.h) while its program runs. The file is mapped piece by
 * piece: an event is in the system's hands as soon as it is added, at the cost of a copy, and a
 * program that is killed leaves a trace that ends with its last whole event. Room on the disk is
 * taken before a piece is mapped, so a full disk is an error here and not a signal.
 *
 * No MPI. Not safe for several threads.
 */
#ifndef CT_LP_BRIDGE_TRACE_STREAM_H
#define CT_LP_BRIDGE_TRACE_STREAM_H

#include "lp-bridge/trace/format.h"

struct ct_trace_stream; /**< opaque */

/**
 * Begin a file.
 * @param stream_p  [out] ct_trace_stream_close(); unchanged on error
 * @return CT_OK; CT_EEXIST: the file is there already, and is kept; CT_EIO (with path and cause);
 * CT_ENOMEM
 */
enum ct_status ct_trace_stream_open(const char *path, const struct ct_trace_header *header,
                                    struct ct_trace_stream **stream_p, struct ct_error *err);

/**
 * Add an event; one that starts before the end of the event before is moved to that.
 * @return CT_OK; CT_EIO (no room on the disk): the stream takes no more events
 */
enum ct_status ct_trace_stream_add(struct ct_trace_stream *stream,
                                   const struct ct_trace_event *event, struct ct_error *err);

/** Cut the file behind its last event, flush it, and free the stream; NULL is allowed. */
enum ct_status ct_trace_stream_close(struct ct_trace_stream *stream, struct ct_error *err);

#endif
