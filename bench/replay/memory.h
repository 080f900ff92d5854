/** Memory of a node for the messages of a replay, so that too much of it is an error before it is
 * used. */
#pragma once

#include <mpi.h>
#include <stdint.h>

struct ct_node_memory {
    uint64_t asked; /**< by all ranks of the node together, bytes */
    uint64_t
        available;  /**< on the node: MemAvailable of /proc/meminfo, else its whole memory, bytes */
    uint32_t ranks; /**< on the node, >= 1 */
};

/**
 * Ask for memory. Collective over comm.
 * @param bytes  [in] what this rank needs
 */
struct ct_node_memory ct_node_memory(MPI_Comm comm, uint64_t bytes);
