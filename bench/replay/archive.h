/**
 * Archives of OTF2 for a replay. Every rank acts the traces of all ranks in turns, which an archive
 * cannot be read in. So the first rank of each node makes traces of it, in a folder of its own
 * under TMPDIR or /tmp, and all ranks of the node open them.
 */
#pragma once

#include "trace/convert/events.h"

#include <mpi.h>

/**
 * Traces of an archive. Collective.
 * @param events_p  [out] to be closed; unchanged on error. The folder is gone already.
 * @return as ct_otf2_unpack(), ct_trace_events_open(); on a node all ranks fail, or those that
 * cannot open what is there
 */
enum ct_status ct_replay_open_archive(const char *path, MPI_Comm comm, struct ct_events *events_p,
                                      struct ct_error *err);
