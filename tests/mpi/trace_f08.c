/* The calls of trace_f08.f90 in C. */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Comm half;
    MPI_Request requests[2], persistent;
    MPI_Status status;
    int rank, n, half_rank, got[4], sum;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    int next = (rank + 1) % n, before = (rank + n - 1) % n;
    int out[4] = {rank, rank, rank, rank};

    if (rank % 2 == 0) {
        MPI_Send(out, 4, MPI_INT, next, 1, MPI_COMM_WORLD);
        MPI_Recv(got, 4, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    } else {
        MPI_Recv(got, 4, MPI_INT, before, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(out, 4, MPI_INT, next, 1, MPI_COMM_WORLD);
    }
    MPI_Barrier(MPI_COMM_WORLD);

    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
    MPI_Comm_rank(half, &half_rank);
    MPI_Irecv(got, 3, MPI_INT, 1 - half_rank, 2, half, &requests[0]);
    MPI_Isend(out, 3, MPI_INT, 1 - half_rank, 2, half, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Bcast(got, 2, MPI_INT, 1, half);
    MPI_Comm_free(&half);

    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Ibarrier(MPI_COMM_WORLD, &requests[0]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    MPI_Sendrecv(out, 2, MPI_INT, next, 3, got, 2, MPI_INT, before, 3, MPI_COMM_WORLD, &status);

    MPI_Recv_init(got, 1, MPI_INT, before, 4, MPI_COMM_WORLD, &persistent);
    for (int i = 0; i < 2; i++) {
        MPI_Start(&persistent);
        MPI_Send(out, 1, MPI_INT, next, 4, MPI_COMM_WORLD);
        MPI_Wait(&persistent, &status);
    }
    MPI_Request_free(&persistent);

    MPI_Irecv(got, 4, MPI_INT, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &requests[0]);
    MPI_Send(out, 1, MPI_INT, next, 5, MPI_COMM_WORLD);
    MPI_Wait(&requests[0], &status);
    MPI_Send(out, 1, MPI_INT, next, 6, MPI_COMM_WORLD);
    MPI_Probe(before, 6, MPI_COMM_WORLD, &status);
    MPI_Recv(got, 4, MPI_INT, before, 6, MPI_COMM_WORLD, &status);
    MPI_Finalize();
    return 0;
}
