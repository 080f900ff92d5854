/**
 * Transposition of an n x n matrix that is distributed by rows: which part each rank sends to
 * which. Pure: no MPI.
 *
 * Rank r holds the rows of span(r). Forward, r sends s the elements in r's rows and s's columns,
 * column by column, so that each column is a row at s. Backward is the same on the transposed
 * matrix, and restores the first distribution. An element is one complex number of doubles, two
 * words, or a row of several: a cube divided into slabs is a matrix whose elements are rows of the
 * axis that is not transposed.
 */
#pragma once

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
 * Rows of a rank. The spans of all ranks cover 0..n-1 in order, once, and their lengths differ by
 * at most one.
 * @param rank  [in] 0..n_ranks-1
 */
struct ct_span ct_transpose_span(const struct ct_matrix *matrix, int rank);

/**
 * The part that one rank sends to another. The message from a to b has as many elements as the one
 * from b to a, forward and backward.
 * @param back  [in] backward
 */
struct ct_region ct_transpose_region(const struct ct_matrix *matrix, int from, int to, bool back);
