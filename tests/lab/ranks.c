/*
 * Ranks for the tests of the lab.
 *   ranks where           each rank prints its number and host
 *   ranks until-signal    run until a signal, write a line a second later, exit with 7
 */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t signals;

static void count_signal(int number)
{
    (void)number;
    signals = signals + 1;
}

static void until_signal(int rank)
{
    int stop = 0;
    signal(SIGTERM, count_signal);
    signal(SIGINT, count_signal);
    MPI_Barrier(MPI_COMM_WORLD); /* all ranks have their handlers when one says so */
    if (rank == 0) {
        puts("ready");
        fflush(stdout);
    }
    while (!stop) {
        int mine = signals > 0;
        MPI_Allreduce(&mine, &stop, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
        usleep(2000);
    }
    sleep(1);
    MPI_Barrier(MPI_COMM_WORLD);
    printf("rank %d got %d\n", rank, (int)signals);
}

int main(int argc, char **argv)
{
    int rank;
    char host[64];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int wait = argc > 1 && !strcmp(argv[1], "until-signal");
    gethostname(host, sizeof host);
    if (wait)
        until_signal(rank);
    else
        printf("rank %d on %s\n", rank, host);
    MPI_Finalize();
    return wait ? 7 : 0;
}
