#include "model/links/sparse.h"

#include <stdlib.h>
#include <string.h>

/* Where the entries of the last rows are. place: of each column its entry, if that is of this row
 */
struct filling {
    struct ct_sparse *matrix;
    size_t *place;
    size_t n_rows, n_entries;
};

static void add_rows(struct filling *to, const struct ct_link_rows *rows, const uint32_t *group)
{
    struct ct_sparse *matrix = to->matrix;
    for (size_t r = 0; r < rows->n; r++) {
        size_t begin = to->n_entries;
        for (size_t i = rows->first[r]; i < rows->first[r + 1]; i++) {
            uint32_t c = group ? group[rows->column[i]] : rows->column[i];
            if (to->place[c] == SIZE_MAX || to->place[c] < begin) {
                to->place[c] = to->n_entries;
                matrix->row[to->n_entries] = (uint32_t)to->n_rows;
                matrix->column[to->n_entries] = c;
                matrix->factor[to->n_entries++] = 0;
            }
            matrix->factor[to->place[c]] += rows->factor ? rows->factor[i] : 1;
        }
        matrix->row_first[++to->n_rows] = to->n_entries;
    }
}

static void list_columns(struct ct_sparse *matrix)
{
    size_t n = matrix->n_columns, n_entries = matrix->row_first[matrix->n_rows];
    size_t *first = matrix->column_first; /* moved by one column while the lists are filled */
    memset(first, 0, (n + 2) * sizeof *first);
    for (size_t e = 0; e < n_entries; e++)
        first[matrix->column[e] + 2]++;
    for (size_t c = 0; c < n; c++)
        first[c + 2] += first[c + 1];
    for (size_t e = 0; e < n_entries; e++)
        matrix->entry_of_column[first[matrix->column[e] + 1]++] = e;
}

static size_t count_entries(const struct ct_link_rows *rows)
{
    return rows && rows->n > 0 ? rows->first[rows->n] : 0;
}

enum ct_status ct_sparse_new(const struct ct_link_rows *upper, const struct ct_link_rows *lower,
                             const uint32_t *group, size_t n_columns, struct ct_sparse *matrix_p,
                             struct ct_error *err)
{
    size_t n_rows = upper->n + (lower ? lower->n : 0);
    size_t room = count_entries(upper) + count_entries(lower) + 1;
    size_t *place = malloc((n_columns + 1) * sizeof *place);
    *matrix_p =
        (struct ct_sparse){.n_rows = n_rows,
                           .n_columns = n_columns,
                           .row_first = calloc(n_rows + 1, sizeof *matrix_p->row_first),
                           .row = malloc(room * sizeof *matrix_p->row),
                           .column = malloc(room * sizeof *matrix_p->column),
                           .factor = malloc(room * sizeof *matrix_p->factor),
                           .column_first = malloc((n_columns + 2) * sizeof *matrix_p->column_first),
                           .entry_of_column = malloc(room * sizeof *matrix_p->entry_of_column)};
    bool has_room = place && matrix_p->row_first && matrix_p->row && matrix_p->column &&
                    matrix_p->factor && matrix_p->column_first && matrix_p->entry_of_column;
    if (has_room) {
        struct filling filling = {.matrix = matrix_p, .place = place};
        for (size_t c = 0; c < n_columns; c++)
            place[c] = SIZE_MAX;
        add_rows(&filling, upper, group);
        if (lower)
            add_rows(&filling, lower, group);
        list_columns(matrix_p);
    }
    free(place);
    return has_room ? CT_OK : ct_no_memory(err, "utilization of links");
}

void ct_sparse_free(struct ct_sparse *matrix)
{
    free(matrix->row_first);
    free(matrix->row);
    free(matrix->column);
    free(matrix->factor);
    free(matrix->column_first);
    free(matrix->entry_of_column);
    *matrix = (struct ct_sparse){0};
}

void ct_sparse_multiply(const struct ct_sparse *matrix, const double *factor, const double *x,
                        double *y)
{
    for (size_t r = 0; r < matrix->n_rows; r++) {
        y[r] = 0;
        for (size_t e = matrix->row_first[r]; e < matrix->row_first[r + 1]; e++)
            y[r] += factor[e] * x[matrix->column[e]];
    }
}

void ct_sparse_multiply_transposed(const struct ct_sparse *matrix, const double *factor,
                                   const double *y, double *x)
{
    memset(x, 0, matrix->n_columns * sizeof *x);
    for (size_t r = 0; r < matrix->n_rows; r++)
        for (size_t e = matrix->row_first[r]; e < matrix->row_first[r + 1]; e++)
            x[matrix->column[e]] += factor[e] * y[r];
}
