/*
 * The calls of one rank's trace, bare: receive from itself, send to itself, wait for both; every
 * tenth round an allreduce. As many as the trace of tests/mpi/long_trace.py has, three times, as a
 * replay makes them.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int main(int argc, char **argv)
{
    enum { PASSES = 3, BYTES = 64 };
    long rounds = argc > 1 ? strtol(argv[1], NULL, 10) : 0;
    char in[BYTES], out[BYTES] = {0};
    unsigned long long number = 1, sum;
    struct timespec used;
    MPI_Request requests[2];
    MPI_Init(&argc, &argv);
    for (long i = 0; i < PASSES * rounds; i++) {
        MPI_Irecv(in, BYTES, MPI_BYTE, 0, 7, MPI_COMM_WORLD, &requests[0]);
        MPI_Isend(out, BYTES, MPI_BYTE, 0, 7, MPI_COMM_WORLD, &requests[1]);
        MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
        MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
        if (i % 10 == 0)
            MPI_Allreduce(&number, &sum, 1, MPI_UNSIGNED_LONG_LONG, MPI_BXOR, MPI_COMM_WORLD);
    }
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    printf("%.9f\n", (double)used.tv_sec + 1e-9 * (double)used.tv_nsec);
    MPI_Finalize();
    return 0;
}
