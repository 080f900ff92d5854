/** What the launcher's environment says of the ranks, before and beside MPI. */
#ifndef CT_BENCH_COMMON_WORLD_H
#define CT_BENCH_COMMON_WORLD_H

#include "core/mpi_kind.h"

#include <stdbool.h>

/** Whether this is the one process that prints for all: the one that the launcher calls rank 0, or
 * any process without a launcher. */
bool ct_world_speaks(void);

/**
 * Find out whether the launcher has started a world that MPI does not see. That is so if another
 * MPI's mpiexec has started the ranks: each is alone then. A launcher of the program's own MPI
 * counts first, so that a program may be alone inside a larger job.
 * @param mpi   [in] that the program is linked to
 * @param size  [in] of MPI_COMM_WORLD
 * @return CT_OK; CT_EUNSUPPORTED (the message names both, and a launcher that fits)
 */
enum ct_status ct_world_check(enum ct_mpi mpi, int size, struct ct_error *err);

#endif
