/** Sparse matrices by rows and by columns: links by paths. Internal. */
#pragma once

#include "model/links/links.h"

/** Entries are in the order of rows; a column is once in a row. Memory is linear in the entries. */
struct ct_sparse {
    size_t n_rows, n_columns;
    size_t *row_first;    /**< [n_rows + 1] entries of row r: row_first[r] .. row_first[r + 1] */
    uint32_t *row;        /**< of each entry */
    uint32_t *column;     /**< of each entry */
    double *factor;       /**< of each entry */
    size_t *column_first; /**< [n_columns + 1] of each column in entry_of_column */
    size_t *entry_of_column;
};

/**
 * The rows of one list, then those of another; entries that fall into one column are added up.
 * @param upper        [in]  columns < the number of elements of group
 * @param lower        [in]  likewise; NULL: none
 * @param group        [in]  the column that each column becomes, < n_columns; NULL: itself
 * @param n_columns    [in]  of the matrix
 * @param matrix_p     [out] ct_sparse_free(), also on error
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_sparse_new(const struct ct_link_rows *upper, const struct ct_link_rows *lower,
                             const uint32_t *group, size_t n_columns, struct ct_sparse *matrix_p,
                             struct ct_error *err);
void ct_sparse_free(struct ct_sparse *matrix);

/** y = A x. @param factor  [in] of each entry; y: [out] [n_rows] */
void ct_sparse_multiply(const struct ct_sparse *matrix, const double *factor, const double *x,
                        double *y);

/** x = A' y. @param x  [out] [n_columns] */
void ct_sparse_multiply_transposed(const struct ct_sparse *matrix, const double *factor,
                                   const double *y, double *x);
