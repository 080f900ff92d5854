#include "bench/workloads/alltoall.h"

#include <limits.h>
#include <stdlib.h>

enum { COMPLEX_WORDS = 2 };

void ct_alltoall_free(struct ct_alltoall *alltoall)
{
    if (!alltoall)
        return;
    free(alltoall->counts);
    free(alltoall->offsets);
    free(alltoall->sent);
    free(alltoall->received);
    free(alltoall);
}

/* Complex numbers that a rank holds; in double, since a scale may ask for more than fit a size_t.
 */
static double numbers_of(const struct ct_matrix *matrix, int rank)
{
    return (double)ct_transpose_span(matrix, rank).count * (double)matrix->n *
           (double)matrix->element_words / COMPLEX_WORDS;
}

enum ct_status ct_alltoall_new(const struct ct_workload_run *run, const struct ct_matrix *matrix,
                               struct ct_alltoall **alltoall_p, struct ct_error *err)
{
    double numbers = numbers_of(matrix, run->rank);
    if (numbers > INT_MAX) /* offsets are ints */
        return ct_fail(err, CT_EUSAGE,
                       "--scale %g: %.0f elements on one rank are more than MPI can count; use a "
                       "smaller scale or more ranks",
                       run->scale, numbers);
    size_t ranks = (size_t)run->size;
    /* One more: a rank may have none, and malloc(0) may answer NULL. */
    size_t bytes = ((size_t)numbers + 1) * COMPLEX_WORDS * CT_REGION_WORD_BYTES;
    struct ct_alltoall *alltoall = calloc(1, sizeof *alltoall);
    if (alltoall)
        *alltoall = (struct ct_alltoall){.matrix = *matrix,
                                         .even = matrix->n % ranks == 0,
                                         .counts = malloc(ranks * sizeof(int)),
                                         .offsets = malloc(ranks * sizeof(int)),
                                         .sent = malloc(bytes),
                                         .received = malloc(bytes)};
    if (!alltoall || !alltoall->counts || !alltoall->offsets || !alltoall->sent ||
        !alltoall->received) {
        ct_alltoall_free(alltoall);
        return ct_fail(err, CT_ENOMEM, "no memory for two times %zu bytes of a matrix", bytes);
    }
    int offset = 0;
    for (int peer = 0; peer < run->size; peer++) {
        struct ct_region region = ct_transpose_region(matrix, run->rank, peer, false);
        alltoall->offsets[peer] = offset;
        alltoall->counts[peer] = (int)(ct_region_words(&region) / COMPLEX_WORDS);
        offset += alltoall->counts[peer];
    }
    *alltoall_p = alltoall;
    return CT_OK;
}

static uint64_t *find_part(uint64_t *matrix, const struct ct_alltoall *alltoall, int peer)
{
    return matrix + COMPLEX_WORDS * (size_t)alltoall->offsets[peer];
}

void ct_alltoall_transpose(struct ct_alltoall *alltoall, struct ct_workload_run *run,
                           uint64_t stamp, bool back)
{
    const int *counts = alltoall->counts, *offsets = alltoall->offsets;
    for (int to = 0; to < run->size; to++) {
        struct ct_region region = ct_transpose_region(&alltoall->matrix, run->rank, to, back);
        ct_region_fill(&region, stamp, find_part(alltoall->sent, alltoall, to));
        if (to != run->rank && counts[to] > 0)
            ct_workload_sent(run, to, ct_region_words(&region) * CT_REGION_WORD_BYTES);
    }
    ct_workload_mpi_begin(run);
    if (alltoall->even)
        MPI_Alltoall(alltoall->sent, counts[0], MPI_C_DOUBLE_COMPLEX, alltoall->received, counts[0],
                     MPI_C_DOUBLE_COMPLEX, run->comm);
    else
        MPI_Alltoallv(alltoall->sent, counts, offsets, MPI_C_DOUBLE_COMPLEX, alltoall->received,
                      counts, offsets, MPI_C_DOUBLE_COMPLEX, run->comm);
    ct_workload_mpi_end(run);
    for (int from = 0; from < run->size; from++) {
        struct ct_region region = ct_transpose_region(&alltoall->matrix, from, run->rank, back);
        ct_workload_check(run, from, &region, stamp, find_part(alltoall->received, alltoall, from));
    }
}
