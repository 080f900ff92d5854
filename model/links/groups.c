#include "model/links/links.h"

#include <gsl/gsl_eigen.h>
#include <gsl/gsl_math.h>
#include <stdlib.h>
#include <string.h>

static enum ct_status no_memory(struct ct_error *err)
{
    return ct_fail(err, CT_ENOMEM, "groups of links: out of memory");
}

/* ---- directions that the same pairs pass ---- */

/* The matrix by columns: the pairs that pass each direction, one that passes it twice twice. */
struct columns {
    size_t *first, *filled;
    uint32_t *pair;
};

static bool transpose(const struct ct_link_system *system, struct columns *columns)
{
    const struct ct_link_rows *paths = &system->paths;
    size_t n = system->n_directions, n_all = paths->first[paths->n];
    columns->first = calloc(n + 2, sizeof *columns->first);
    columns->filled = calloc(n + 1, sizeof *columns->filled);
    columns->pair = malloc((n_all + 1) * sizeof *columns->pair);
    if (!columns->first || !columns->filled || !columns->pair)
        return false;
    for (size_t i = 0; i < n_all; i++)
        columns->first[paths->column[i] + 1]++;
    for (size_t c = 0; c < n; c++)
        columns->first[c + 1] += columns->first[c];
    for (size_t p = 0; p < paths->n; p++)
        for (size_t i = paths->first[p]; i < paths->first[p + 1]; i++) {
            uint32_t c = paths->column[i];
            columns->pair[columns->first[c] + columns->filled[c]++] = (uint32_t)p;
        }
    return true;
}

static bool are_equal(const struct columns *columns, size_t a, size_t b)
{
    size_t n = columns->filled[a];
    return n == columns->filled[b] &&
           memcmp(columns->pair + columns->first[a], columns->pair + columns->first[b],
                  n * sizeof *columns->pair) == 0;
}

/* leader: [n_directions] room for the first member of each group */
static size_t join_equal(const struct columns *columns, size_t n, uint32_t *leader, uint32_t *group)
{
    size_t n_groups = 0;
    for (size_t c = 0; c < n; c++) {
        size_t g = 0;
        while (g < n_groups && !are_equal(columns, leader[g], c))
            g++;
        if (g == n_groups)
            leader[n_groups++] = (uint32_t)c;
        group[c] = (uint32_t)g;
    }
    return n_groups;
}

/* ---- what remains undetermined ---- */

static void add_rows(gsl_matrix *gram, const struct ct_link_rows *rows, const uint32_t *group,
                     double *row)
{
    size_t n = gram->size1;
    for (size_t r = 0; r < rows->n; r++) {
        memset(row, 0, n * sizeof *row);
        for (size_t i = rows->first[r]; i < rows->first[r + 1]; i++)
            row[group[rows->column[i]]] += rows->factor ? rows->factor[i] : 1;
        for (size_t a = 0; a < n; a++)
            for (size_t b = 0; b < n && row[a] != 0; b++)
                *gsl_matrix_ptr(gram, a, b) += row[a] * row[b];
    }
}

/* A value is determined if its direction is orthogonal to the null space of the equations. */
static void find_open(const gsl_vector *values, const gsl_matrix *vectors, bool *is_open)
{
    const double relative_rounding = 1e-9, rounding = 1e-6;
    double largest = gsl_vector_max(values);
    for (size_t g = 0; g < values->size; g++) {
        double in_null_space = 0;
        for (size_t k = 0; k < values->size; k++)
            if (gsl_vector_get(values, k) < relative_rounding * largest)
                in_null_space += gsl_pow_2(gsl_matrix_get(vectors, g, k));
        is_open[g] = in_null_space > rounding;
    }
}

static enum ct_status analyse(const struct ct_link_system *system, const uint32_t *group,
                              size_t n_groups, bool *is_open, struct ct_error *err)
{
    gsl_matrix *gram = gsl_matrix_calloc(n_groups, n_groups);
    gsl_matrix *vectors = gsl_matrix_alloc(n_groups, n_groups);
    gsl_vector *values = gsl_vector_alloc(n_groups);
    gsl_eigen_symmv_workspace *work = gsl_eigen_symmv_alloc(n_groups);
    double *row = malloc(n_groups * sizeof *row);
    enum ct_status status = CT_OK;
    if (gram && vectors && values && work && row) {
        add_rows(gram, &system->paths, group, row);
        add_rows(gram, &system->balances, group, row);
        gsl_eigen_symmv(gram, values, vectors, work);
        find_open(values, vectors, is_open);
    } else {
        status = no_memory(err);
    }
    gsl_matrix_free(gram);
    gsl_matrix_free(vectors);
    gsl_vector_free(values);
    gsl_eigen_symmv_free(work);
    free(row);
    return status;
}

enum ct_status ct_links_group(const struct ct_link_system *system, uint32_t *group, bool *is_open,
                              size_t *n_groups_p, struct ct_error *err)
{
    struct columns columns = {0};
    size_t n = system->n_directions, n_groups = 0;
    uint32_t *leader = malloc((n + 1) * sizeof *leader);
    enum ct_status status = leader && transpose(system, &columns) ? CT_OK : no_memory(err);
    if (status == CT_OK) {
        n_groups = join_equal(&columns, n, leader, group);
        if (n_groups > CT_LINK_GROUPS_MAX)
            status = ct_fail(err, CT_EINVAL,
                             "%zu links are passed by different pairs; at most %d are possible",
                             n_groups, CT_LINK_GROUPS_MAX);
    }
    if (status == CT_OK && n_groups > 0)
        status = analyse(system, group, n_groups, is_open, err);
    if (status == CT_OK)
        *n_groups_p = n_groups;
    free(columns.first);
    free(columns.filled);
    free(columns.pair);
    free(leader);
    return status;
}
