#include "core/hash.h"
#include "core/map.h"
#include "core/random.h"
#include "model/links/sparse.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- directions that the same pairs pass ---- */

static size_t entries_of(const struct ct_sparse *matrix, size_t column, const size_t **entries_p)
{
    *entries_p = matrix->entry_of_column + matrix->column_first[column];
    return matrix->column_first[column + 1] - matrix->column_first[column];
}

static bool are_equal(const struct ct_sparse *matrix, size_t a, size_t b)
{
    const size_t *of_a, *of_b;
    size_t n = entries_of(matrix, a, &of_a);
    if (n == 0 || n != entries_of(matrix, b, &of_b))
        return false;
    for (size_t i = 0; i < n; i++) /* factors are counts */
        if (matrix->row[of_a[i]] != matrix->row[of_b[i]] ||
            fabs(matrix->factor[of_a[i]] - matrix->factor[of_b[i]]) > 0)
            return false;
    return true;
}

static uint64_t hash_of(const struct ct_sparse *matrix, size_t column)
{
    const size_t *entries;
    size_t n = entries_of(matrix, column, &entries);
    uint64_t hash = n > 0 ? n : ct_random_mix(column);
    for (size_t i = 0; i < n; i++)
        hash = ct_random_mix(hash + matrix->row[entries[i]] * CT_HASH_PRIME);
    return hash;
}

static enum ct_status join_equal(const struct ct_sparse *matrix, uint32_t *group,
                                 size_t *n_groups_p, struct ct_error *err)
{
    struct ct_map leaders = {0}; /* hash -> first member of a group + 1 */
    size_t n_groups = 0;
    bool room = true;
    for (size_t c = 0; c < matrix->n_columns && room; c++) {
        uint64_t hash = hash_of(matrix, c), leader;
        size_t at = 0;
        while ((leader = ct_map_next(&leaders, hash, &at)) != 0 &&
               !are_equal(matrix, leader - 1, c))
            continue;
        group[c] = leader != 0 ? group[leader - 1] : (uint32_t)n_groups++;
        room = leader != 0 || ct_map_add(&leaders, hash, c + 1);
    }
    ct_map_free(&leaders);
    *n_groups_p = n_groups;
    return room ? CT_OK : ct_no_memory(err, "groups of links");
}

/* ---- what remains undetermined ---- */

/*
 * A value is determined if its direction is orthogonal to the null space of the equations A. A
 * random vector z, less its projection on the rows of A, is a random vector of the null space: so a
 * value is open if any of several such differences has it. The projection is the least solution of
 * |A y - A z|, by conjugate gradients (CGLS: Bjorck, Numerical Methods for Least Squares Problems,
 * 1996, 7.4), rows scaled to length 1, which changes no null space.
 */
enum { VECTORS = 8, GRADIENTS_MAX = 20000 };
static const uint64_t seed = 1;
static const double relative_rounding = 1e-12; /* of slopes, beside those at the beginning */
static const double rounding = 1e-6;           /* of the share of a value in the null space */

struct projection {
    const struct ct_sparse *matrix;
    double *factor;               /* of each entry */
    double *rest, *image;         /* [n_rows] */
    double *vector, *slope, *way; /* [n_columns] */
    double *open;                 /* [n_columns] sum of squares in the null space */
};

static double sum_squares(const double *x, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += x[i] * x[i];
    return sum;
}

static void scale_rows(struct projection *projection)
{
    const struct ct_sparse *matrix = projection->matrix;
    for (size_t r = 0; r < matrix->n_rows; r++) {
        size_t begin = matrix->row_first[r], n = matrix->row_first[r + 1] - begin;
        double length = sqrt(sum_squares(matrix->factor + begin, n));
        for (size_t e = begin; e < begin + n; e++)
            projection->factor[e] = length > 0 ? matrix->factor[e] / length : 0;
    }
}

/* The vector becomes its part in the null space: |A vector| goes to 0 by steps within the rows of
 * A. */
static void project_vector(struct projection *projection)
{
    const struct ct_sparse *matrix = projection->matrix;
    size_t n = matrix->n_columns, n_rows = matrix->n_rows;
    double *vector = projection->vector, *way = projection->way, *slope = projection->slope;
    ct_sparse_multiply(matrix, projection->factor, vector, projection->rest);
    ct_sparse_multiply_transposed(matrix, projection->factor, projection->rest, slope);
    memcpy(way, slope, n * sizeof *way);
    double size = sum_squares(slope, n), least = relative_rounding * relative_rounding * size;
    for (int i = 0; i < GRADIENTS_MAX && size > least; i++) {
        ct_sparse_multiply(matrix, projection->factor, way, projection->image);
        double length = size / sum_squares(projection->image, n_rows), before = size;
        for (size_t c = 0; c < n; c++)
            vector[c] -= length * way[c];
        for (size_t r = 0; r < n_rows; r++)
            projection->rest[r] -= length * projection->image[r];
        ct_sparse_multiply_transposed(matrix, projection->factor, projection->rest, slope);
        size = sum_squares(slope, n);
        for (size_t c = 0; c < n; c++)
            way[c] = slope[c] + size / before * way[c];
    }
}

static void find_open(struct projection *projection, bool *is_open)
{
    size_t n = projection->matrix->n_columns;
    uint64_t random = seed;
    scale_rows(projection);
    for (int i = 0; i < VECTORS; i++) {
        for (size_t c = 0; c < n; c++) /* of variance 1 */
            projection->vector[c] = sqrt(12) * (ct_random_unit(ct_random_next(&random)) - 0.5);
        project_vector(projection);
        for (size_t c = 0; c < n; c++)
            projection->open[c] += projection->vector[c] * projection->vector[c];
    }
    for (size_t c = 0; c < n; c++)
        is_open[c] = projection->open[c] > rounding * VECTORS;
}

static enum ct_status analyse_rows(const struct ct_sparse *matrix, bool *is_open,
                                   struct ct_error *err)
{
    size_t n_rows = matrix->n_rows + 1, n = matrix->n_columns + 1;
    struct projection projection = {
        .matrix = matrix,
        .factor = malloc((matrix->row_first[matrix->n_rows] + 1) * sizeof *projection.factor),
        .rest = malloc(n_rows * sizeof *projection.rest),
        .image = malloc(n_rows * sizeof *projection.image),
        .vector = malloc(n * sizeof *projection.vector),
        .slope = malloc(n * sizeof *projection.slope),
        .way = malloc(n * sizeof *projection.way),
        .open = calloc(n, sizeof *projection.open)};
    bool room = projection.factor && projection.rest && projection.image && projection.vector &&
                projection.slope && projection.way && projection.open;
    if (room)
        find_open(&projection, is_open);
    free(projection.factor);
    free(projection.rest);
    free(projection.image);
    free(projection.vector);
    free(projection.slope);
    free(projection.way);
    free(projection.open);
    return room ? CT_OK : ct_no_memory(err, "groups of links");
}

enum ct_status ct_links_group(const struct ct_link_system *system, uint32_t *group, bool *is_open,
                              size_t *n_groups_p, struct ct_error *err)
{
    struct ct_sparse paths = {0}, all = {0};
    size_t n_groups = 0;
    enum ct_status status =
        ct_sparse_new(&system->paths, NULL, NULL, system->n_directions, &paths, err);
    if (status == CT_OK)
        status = join_equal(&paths, group, &n_groups, err);
    if (status == CT_OK && n_groups > CT_LINK_GROUPS_MAX)
        status = ct_fail(err, CT_EINVAL,
                         "%zu links are passed by different pairs; at most %d are possible",
                         n_groups, CT_LINK_GROUPS_MAX);
    if (status == CT_OK)
        status = ct_sparse_new(&system->paths, &system->balances, group, n_groups, &all, err);
    if (status == CT_OK)
        status = analyse_rows(&all, is_open, err);
    if (status == CT_OK)
        *n_groups_p = n_groups;
    ct_sparse_free(&paths);
    ct_sparse_free(&all);
    return status;
}
