#include "bench/replay/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static uint64_t whole_memory(void)
{
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    return pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page : UINT64_MAX;
}

static uint64_t available_memory(void)
{
    static const char key[] = "MemAvailable:"; /* kB follow */
    char line[128];
    uint64_t bytes = whole_memory();
    FILE *file = fopen("/proc/meminfo", "re");
    if (!file)
        return bytes;
    while (fgets(line, sizeof line, file))
        if (strncmp(line, key, sizeof key - 1) == 0)
            bytes = 1024 * (uint64_t)strtoull(line + sizeof key - 1, NULL, 10);
    fclose(file);
    return bytes;
}

struct ct_node_memory ct_node_memory(MPI_Comm comm, uint64_t bytes)
{
    struct ct_node_memory memory;
    MPI_Comm node;
    int ranks, rank;
    MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    MPI_Comm_size(node, &ranks);
    MPI_Comm_rank(node, &rank);
    /* Far above any memory, and its sum over all ranks fits. */
    uint64_t most = UINT64_MAX / ((uint64_t)ranks + 1), asked = bytes < most ? bytes : most;
    memory.ranks = (uint32_t)ranks;
    memory.available = rank == 0 ? available_memory() : 0;
    MPI_Allreduce(&asked, &memory.asked, 1, MPI_UINT64_T, MPI_SUM, node);
    MPI_Bcast(&memory.available, 1, MPI_UINT64_T, 0, node);
    MPI_Comm_free(&node);
    return memory;
}
