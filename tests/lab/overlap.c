/*
 * Two ranks, each of which receives a large message while it computes:
 *     overlap [ITERATIONS [BYTES [MILLISECONDS]]]
 * Irecv, Isend, compute (sleep), Wait. An MPI that makes progress within its calls only cannot
 * answer the request of a rendezvous while the program computes.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static void exchange(int peer, char *sent, char *received, int bytes, long compute_ms)
{
    const struct timespec compute = {compute_ms / 1000, compute_ms % 1000 * 1000000};
    MPI_Request requests[2];
    MPI_Irecv(received, bytes, MPI_CHAR, peer, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(sent, bytes, MPI_CHAR, peer, 0, MPI_COMM_WORLD, &requests[1]);
    nanosleep(&compute, NULL);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    long iterations = argc > 1 ? strtol(argv[1], NULL, 10) : 20;
    long bytes = argc > 2 ? strtol(argv[2], NULL, 10) : 131072;
    long compute_ms = argc > 3 ? strtol(argv[3], NULL, 10) : 20;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size != 2 || iterations < 1 || bytes < 1 || bytes > 1 << 30 || compute_ms < 0) {
        fprintf(stderr, "overlap: two ranks; overlap [ITERATIONS [BYTES [MILLISECONDS]]]\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    char *buffers = calloc(2, (size_t)bytes);
    if (!buffers)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Barrier(MPI_COMM_WORLD);
    for (long i = 0; i < iterations; i++)
        exchange(1 - rank, buffers, buffers + bytes, (int)bytes, compute_ms);
    free(buffers);
    MPI_Finalize();
    return 0;
}
