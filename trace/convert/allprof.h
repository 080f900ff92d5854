/*
 * Traces in liballprof's text form (allprof_line.h), as events.
 *
 * The form lacks some facts; these are the assumptions:
 * - The members of a communicator: they follow from the calls that made it (allprof_comms.h). A new
 *   handle is taken for the communicator that the rank has made and not yet used, if rank and size
 *   agree (allprof_bind.c). A communicator that no call made is accepted if it has all ranks of the
 *   program with the same numbers, or one rank; others are refused.
 * - The size of a cartesian communicator: as in the first line that uses it; ranks are as in its
 *   parent.
 * - The source and tag of a wildcard receive: those of the message that was sent first, by the
 *   clocks, among those for which no other receive is posted.
 * - The requests that a test, waitany or waitsome has completed: a request is complete with the
 *   first wait or waitall that has it, else with the last test, waitany or waitsome before its
 *   handle is used again.
 * - The size of a handle: 8 bytes, or 4 if any address of one is not a multiple of 8.
 * - The size of a received message: at most the size of the buffer.
 */
#pragma once

#include "trace/convert/allprof_line.h"
#include "trace/convert/events.h"

/*
 * directory: with a file for each rank whose name ends in its number and ".txt"
 * CT_OK; CT_ENOENT (there is none); CT_ENODATA (of one rank there is none); CT_EFORMAT (with file
 * and line; files with different beginnings); CT_EUNSUPPORTED (a communicator
 * whose members are not known); CT_EIO; CT_ENOMEM
 */
enum ct_status ct_allprof_open(const char *directory, struct ct_events *events_p,
                               struct ct_error *err);

/* The same from memory: a text for each rank, needed until the call returns. */
enum ct_status ct_allprof_read(const struct ct_allprof_text *texts, uint32_t n_ranks,
                               struct ct_events *events_p, struct ct_error *err);
