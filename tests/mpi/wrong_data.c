/*
 * Loaded into ranks (LD_PRELOAD): changes one bit of what rank 1 gives to an MPI call, whose name
 * is in CROSSTALK_WRONG_DATA, each time but the first: a network or an MPI library that is broken.
 * Of reductions only those by exclusive or, which workloads check.
 */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

/* A copy with another last byte; NULL: this call stays as it is. */
static unsigned char *changed(const char *call, const void *data, int count, MPI_Datatype type)
{
    static int calls;
    const char *wanted = getenv("CROSSTALK_WRONG_DATA");
    int rank, size;
    if (!wanted || strcmp(wanted, call) != 0 || data == MPI_IN_PLACE)
        return NULL;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Type_size(type, &size);
    if (rank != 1 || count < 1 || size < 1 || ++calls < 2)
        return NULL;
    size_t bytes = (size_t)count * (size_t)size;
    unsigned char *copy = malloc(bytes);
    if (!copy)
        abort();
    memcpy(copy, data, bytes);
    copy[bytes - 1] ^= 1;
    return copy;
}

/* Not data: an MPI library that is for one thread at a time. */
int MPI_Query_thread(int *provided)
{
    const char *wanted = getenv("CROSSTALK_WRONG_DATA");
    int code = PMPI_Query_thread(provided);
    if (wanted && strcmp(wanted, "MPI_Query_thread") == 0)
        *provided = MPI_THREAD_SERIALIZED;
    return code;
}

int MPI_Send(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm)
{
    unsigned char *copy = changed("MPI_Send", buf, count, datatype);
    int code = PMPI_Send(copy ? copy : buf, count, datatype, dest, tag, comm);
    free(copy);
    return code;
}

/* The copy stays, for it is needed until somebody has waited for the request. */
int MPI_Isend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
              MPI_Request *request)
{
    unsigned char *copy = changed("MPI_Isend", buf, count, datatype);
    return PMPI_Isend(copy ? copy : buf, count, datatype, dest, tag, comm, request);
}

int MPI_Alltoall(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                 int recvcount, MPI_Datatype recvtype, MPI_Comm comm)
{
    int n_ranks;
    PMPI_Comm_size(comm, &n_ranks);
    unsigned char *copy = changed("MPI_Alltoall", sendbuf, n_ranks * sendcount, sendtype);
    int code = PMPI_Alltoall(copy ? copy : sendbuf, sendcount, sendtype, recvbuf, recvcount,
                             recvtype, comm);
    free(copy);
    return code;
}

int MPI_Allreduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                  MPI_Comm comm)
{
    unsigned char *copy =
        op == MPI_BXOR ? changed("MPI_Allreduce", sendbuf, count, datatype) : NULL;
    int code = PMPI_Allreduce(copy ? copy : sendbuf, recvbuf, count, datatype, op, comm);
    free(copy);
    return code;
}
