/**
 * Transposition of an n x n matrix that is distributed by rows: who sends which part to whom.
 * Pure: no MPI.
 *
 * Rank r holds the rows of span(r). Forward, r sends s the elements in r's rows and s's columns,
 * column by column, so that s finds each column as a row. Backward is the same on the transposed
 * matrix and restores the first distribution. An element is one complex number of doubles, two
 * words, or a row of several: a cube cut into slabs is a matrix whose elements are rows of the axis
 * that stays where it is.
 */
#ifndef CT_BENCH_WORKLOADS_TRANSPOSE_H
#define CT_BENCH_WORKLOADS_TRANSPOSE_H

#include "bench/workloads/region.h"

struct ct_matrix {
    size_t n;             /**< rows, and columns */
    size_t element_words; /**< >= 1 */
    int n_ranks;          /**< >= 1 */
};

/** Consecutive indices. */
struct ct_span {
    size_t first, count;
};

/**
 * Rows of a rank: the spans of all ranks cover 0..n-1 in order, once, and differ by at most one in
 * length.
 * @param rank  [in] 0..n_ranks-1
 */
struct ct_span ct_transpose_span(const struct ct_matrix *matrix, int rank);

/**
 * What one rank sends another. Both ways there are as many elements in the message from a to b as
 * in the one from b to a.
 * @param back  [in] the way back
 */
struct ct_region ct_transpose_region(const struct ct_matrix *matrix, int from, int to, bool back);

#endif
