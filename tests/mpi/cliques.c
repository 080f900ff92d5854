/*
 * Loaded into ranks that are all on one machine (LD_PRELOAD), so that MPI programs see several
 * nodes: MPIR_CVAR_NUM_CLIQUES of them, of which rank r is on number r modulo that. This is what
 * MPICH itself does by that variable; Open MPI has nothing like it.
 */
#include <mpi.h>
#include <stdlib.h>

int MPI_Comm_split_type(MPI_Comm comm, int split_type, int key, MPI_Info info, MPI_Comm *newcomm)
{
    const char *text = getenv("MPIR_CVAR_NUM_CLIQUES");
    int n_nodes = text ? (int)strtol(text, NULL, 10) : 1, rank; /* no number: 0, one node */
    if (split_type != MPI_COMM_TYPE_SHARED || n_nodes < 2)
        return PMPI_Comm_split_type(comm, split_type, key, info, newcomm);
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return PMPI_Comm_split(comm, rank % n_nodes, key, newcomm);
}
