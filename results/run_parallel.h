/** Run files written by all ranks of an MPI program at once, with parallel HDF5. */
#ifndef CT_RESULTS_RUN_PARALLEL_H
#define CT_RESULTS_RUN_PARALLEL_H

#include "results/run.h"

#include <mpi.h>

/**
 * Collective over comm. Every rank writes its own samples, runtimes, rounds and logp rows into one
 * dataset each, ordered by rank; nothing is gathered on one rank. info and pairs are rank 0's.
 * Written under a temporary name, flushed, then renamed by rank 0.
 *
 * Room for the rows as they are without compression is made sure of before the writing, on the disk
 * and within each rank's limit (ulimit -f). An input or output error of the device in the middle of
 * the writing can make ranks wait for each other: HDF5 1.10 does not agree on it.
 * @param comm  [in] duplicated inside
 * @param path  [in] same text on all ranks
 * @param run   [in] the rank's share; info and pairs matter on rank 0 only
 * @return the same status on all ranks: CT_OK; CT_EIO; CT_EINVAL (rows that no reader would take,
 * see ct_run_write()); CT_ENOMEM. The message is rank 0's or that of the lowest rank that failed.
 */
enum ct_status ct_run_write_parallel(MPI_Comm comm, const char *path, const struct ct_run *run,
                                     struct ct_error *err);

#endif
