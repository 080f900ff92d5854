/*
 * Ranks for the tests of the lab.
 *   ranks where           each rank prints its number and host
 *   ranks until-signal    run until a signal, write a line a second later, exit with 7
 *   ranks nodes           how many nodes MPI sees
 *   ranks exchange N      each rank sends N times 100000 bytes to the next
 */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
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
    fflush(stdout); /* a launcher may end a rank as soon as another one has exited with 7 */
    MPI_Barrier(MPI_COMM_WORLD);
}

/* By who may share memory with whom. */
static void count_nodes(int rank)
{
    MPI_Comm node;
    int rank_on_node, n_nodes;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    MPI_Comm_rank(node, &rank_on_node);
    int is_first = rank_on_node == 0;
    MPI_Reduce(&is_first, &n_nodes, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Comm_free(&node);
    if (rank == 0)
        printf("%d nodes\n", n_nodes);
}

static void exchange(int rank, int n)
{
    enum { SIZE = 100000 };
    static char out[SIZE], in[SIZE];
    int size;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < n; i++)
        MPI_Sendrecv(out, SIZE, MPI_BYTE, (rank + 1) % size, 0, in, SIZE, MPI_BYTE,
                     (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* A whole number from 1 on; anything else ends the program. */
static int count_of(const char *text)
{
    char *end;
    long count = strtol(text, &end, 10);
    if (end == text || *end != '\0' || count < 1 || count > 1000000) {
        fprintf(stderr, "'%s' is no count\n", text);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    return (int)count;
}

int main(int argc, char **argv)
{
    int rank;
    char host[64];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const char *what = argc > 1 ? argv[1] : "";
    int wait = !strcmp(what, "until-signal");
    gethostname(host, sizeof host);
    if (wait)
        until_signal(rank);
    else if (!strcmp(what, "nodes"))
        count_nodes(rank);
    else if (!strcmp(what, "exchange"))
        exchange(rank, argc > 2 ? count_of(argv[2]) : 1);
    else
        printf("rank %d on %s\n", rank, host);
    MPI_Finalize();
    return wait ? 7 : 0;
}
