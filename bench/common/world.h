/** What the launcher's environment says of the ranks, before and beside MPI. */
#ifndef CT_BENCH_COMMON_WORLD_H
#define CT_BENCH_COMMON_WORLD_H

#include "core/mpi_kind.h"

#include <stdbool.h>

struct ct_world {
    enum ct_mpi mpi; /**< that this program is linked to */
    bool prints; /**< on behalf of all ranks: what the launcher calls rank 0, or what has none */
    const char
        *launcher; /**< "srun", for messages; static; NULL: none says that it has started it */
    long n_ranks;  /**< that this launcher says it has started */
};

/**
 * Read the environment. Before MPI_Init: Open MPI writes into it what a process alone is to find.
 * A launcher of the program's own MPI counts first, so that a program may be alone inside a larger
 * job.
 * @param mpi  [in] that the program is linked to
 */
struct ct_world ct_world_look(enum ct_mpi mpi);

/**
 * Find out whether the launcher has started a world that MPI does not see. That is so if another
 * MPI's mpiexec has started the ranks: each is alone then.
 * @param size  [in] of MPI_COMM_WORLD
 * @return CT_OK; CT_EUNSUPPORTED (the message names both MPIs, and a launcher that fits)
 */
enum ct_status ct_world_check(const struct ct_world *world, int size, struct ct_error *err);

#endif
