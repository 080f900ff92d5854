#include "bench/workloads/transpose.h"

struct ct_span ct_transpose_span(const struct ct_matrix *matrix, int rank)
{
    size_t ranks = (size_t)matrix->n_ranks, r = (size_t)rank;
    size_t share = matrix->n / ranks, longer = matrix->n % ranks;
    return (struct ct_span){.first = r * share + (r < longer ? r : longer),
                            .count = share + (r < longer)};
}

struct ct_region ct_transpose_region(const struct ct_matrix *matrix, int from, int to, bool back)
{
    struct ct_span held = ct_transpose_span(matrix, from);
    struct ct_span wanted = ct_transpose_span(matrix, to);
    /* Keys are words of the matrix before it was transposed: row, column, word of the element. On
     * the way back what a rank holds are columns of that matrix. */
    uint64_t column = matrix->element_words, row = matrix->n * column;
    uint64_t held_stride = back ? column : row, wanted_stride = back ? row : column;
    return (struct ct_region){.origin = held.first * held_stride + wanted.first * wanted_stride,
                              .extent = {1, wanted.count, held.count, matrix->element_words},
                              .stride = {0, wanted_stride, held_stride, 1}};
}
