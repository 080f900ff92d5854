/*
 * What a traced call costs: MPI_Sendrecv of a rank with itself, again and again; prints the
 * nanoseconds of a call, the best round of many. trace_cost.sh runs it with the tracer and without.
 *
 *     bench_trace [ROUNDS [CALLS]]
 */
#include "core/clock.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    long rounds = argc > 1 ? strtol(argv[1], NULL, 10) : 200;
    long calls = argc > 2 ? strtol(argv[2], NULL, 10) : 2000;
    double best_s = 1e9;
    int out = 1, in = 0;
    MPI_Init(&argc, &argv);
    for (long round = 0; round < rounds; round++) {
        double start_s = ct_clock_now_s();
        for (long i = 0; i < calls; i++)
            MPI_Sendrecv(&out, 1, MPI_INT, 0, 1, &in, 1, MPI_INT, 0, 1, MPI_COMM_SELF,
                         MPI_STATUS_IGNORE);
        double round_s = (ct_clock_now_s() - start_s) / (double)calls;
        best_s = round_s < best_s ? round_s : best_s;
    }
    printf("%.1f\n", 1e9 * best_s);
    MPI_Finalize();
    return in != out;
}
