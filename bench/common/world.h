/**
 * The ranks of a program: what a launcher has started, by its environment variables, and their
 * communicator.
 */
#pragma once

#include "core/mpi_kind.h"

#include <mpi.h>
#include <stdbool.h>

struct ct_world {
    enum ct_mpi mpi; /**< MPI that this program is linked to */
    bool prints; /**< this process prints on behalf of all ranks: rank 0 of the launcher, or started
                    without one */
    const char *launcher; /**< "srun", for messages; static; NULL: started without a launcher */
    long n_ranks;         /**< that this launcher has started */
};

/**
 * Read the environment. Call it before MPI_Init(): Open MPI adds variables there in a process that
 * was started alone. A launcher of the program's own MPI has priority, so that one process can run
 * alone inside a larger job.
 * @param mpi  [in] that the program is linked to
 */
struct ct_world ct_world_look(enum ct_mpi mpi);

/**
 * Start MPI.
 * @param threads  [in] ask for MPI_THREAD_MULTIPLE; MPI_Query_thread() tells what the MPI provides
 * @return the communicator of all ranks of this program: MPI_COMM_WORLD, or in a simulation of
 *         several programs this one's part of it; borrowed
 */
MPI_Comm ct_world_begin(int *argc, char ***argv, bool threads);

/** End MPI. In a simulation of several programs it goes on for the others. */
void ct_world_end(void);

/**
 * Check that MPI_COMM_WORLD has all ranks that the launcher has started. If the mpiexec of another
 * MPI has started them, each is alone in a world of one.
 * @param size  [in] of MPI_COMM_WORLD
 * @return CT_OK; CT_EUNSUPPORTED (the message names both MPIs, and a suitable launcher)
 */
enum ct_status ct_world_check(const struct ct_world *world, int size, struct ct_error *err);
