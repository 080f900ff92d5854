/*
 * Computes the same on every rank, between barriers, however many ranks share the processors: 40
 * times a number of rounds of arithmetic, 5 million unless it is given.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    enum { STEPS = 40 };
    unsigned long rounds = argc > 1 ? strtoul(argv[1], NULL, 10) : 5000000, number = 1;
    MPI_Init(&argc, &argv);
    for (int step = 0; step < STEPS; step++) {
        for (unsigned long i = 0; i < rounds; i++)
            number = number * 6364136223846793005 + 1442695040888963407;
        MPI_Barrier(MPI_COMM_WORLD);
    }
    if (number == 0)
        printf("unlikely\n");
    MPI_Finalize();
    return 0;
}
