/** Run files written by all ranks of an MPI program. */
#pragma once

#include "results/run.h"

#include <mpi.h>

/** How the rows of all ranks are written. The files have the same content. */
enum ct_run_driver {
    CT_RUN_COLLECTIVE, /**< every rank writes its rows with parallel HDF5; nothing is gathered */
    CT_RUN_GATHERED    /**< rank 0 writes the rows that the others send, at most 1 MiB at a time */
};

/** Whether this build has a driver: the first one needs a parallel HDF5. */
bool ct_run_driver_exists(enum ct_run_driver driver);

/**
 * Collective over comm. The samples, runtimes, rounds and logp rows of all ranks become one dataset
 * each, ordered by rank. info and pairs are rank 0's. Written under a temporary name, flushed, then
 * renamed by rank 0; by the first driver that this build has.
 *
 * Before writing, room for the uncompressed rows is reserved on the disk, and checked against each
 * rank's limit of file size (ulimit -f). If the device fails during a collective write, ranks may
 * wait for each other without end: HDF5 1.10 does not agree on such errors.
 * @param comm  [in] duplicated inside
 * @param path  [in] same text on all ranks
 * @param run   [in] the rank's share; info and pairs matter on rank 0 only
 * @return the same status on all ranks: CT_OK; CT_EIO; CT_EINVAL (rows that a reader would refuse,
 *         see ct_run_write()); CT_ENOMEM. The message is rank 0's or that of the lowest rank that
 *         failed.
 */
enum ct_status ct_run_write_parallel(MPI_Comm comm, const char *path, const struct ct_run *run,
                                     struct ct_error *err);

/** The same by a given driver, which must exist in this build. */
enum ct_status ct_run_write_by(enum ct_run_driver driver, MPI_Comm comm, const char *path,
                               const struct ct_run *run, struct ct_error *err);
