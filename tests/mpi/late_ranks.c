/*
 * Two ranks that wait for each other for known times, ROUNDS times each: a late sender, a late
 * receiver of a large message, a rank that is late at an allreduce, and a late sender of a receive
 * that is posted early. Rank 0 prints how long the waits are, in seconds, by the calls in which
 * they are: the times of the pauses as the ranks measured them.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ROUNDS = 4, PAUSE_MS = 20, LARGE = 1 << 20, SMALL = 8 };

/* Sleeps, and returns for how long. */
static double pause_for(int ms)
{
    const struct timespec length = {.tv_nsec = 1000000L * ms};
    double begin_s = MPI_Wtime();
    nanosleep(&length, NULL);
    return MPI_Wtime() - begin_s;
}

int main(int argc, char **argv)
{
    enum { SENDER, RECEIVER, SUM, EARLY, LATE, WAITS };
    double waits_s[WAITS] = {0}, all_s[WAITS], number = 1, sum;
    int rank;
    MPI_Request request;
    char *bytes = calloc(LARGE, 1);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int round = 0; round < ROUNDS && bytes; round++) {
        if (rank == 0) {
            waits_s[SENDER] += pause_for(PAUSE_MS);
            MPI_Send(bytes, SMALL, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
            MPI_Send(bytes, LARGE, MPI_CHAR, 1, 1, MPI_COMM_WORLD);
            MPI_Allreduce(&number, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
            waits_s[LATE] += pause_for(PAUSE_MS);
            MPI_Send(bytes, SMALL, MPI_CHAR, 1, 2, MPI_COMM_WORLD);
        } else {
            MPI_Recv(bytes, SMALL, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            waits_s[RECEIVER] += pause_for(PAUSE_MS);
            MPI_Recv(bytes, LARGE, MPI_CHAR, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            waits_s[SUM] += pause_for(PAUSE_MS);
            MPI_Allreduce(&number, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
            MPI_Irecv(bytes, SMALL, MPI_CHAR, 0, 2, MPI_COMM_WORLD, &request);
            waits_s[EARLY] += pause_for(PAUSE_MS / 2);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        }
    }
    MPI_Reduce(waits_s, all_s, WAITS, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("{\"MPI_Recv\": %g, \"MPI_Send\": %g, \"MPI_Allreduce\": %g, \"MPI_Wait\": %g}\n",
               all_s[SENDER], all_s[RECEIVER], all_s[SUM], all_s[LATE] - all_s[EARLY]);
    MPI_Finalize();
    free(bytes);
    return 0;
}
