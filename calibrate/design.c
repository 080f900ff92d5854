#include "calibrate/design.h"

#include "core/random.h"

#include <gsl/gsl_qrng.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

void ct_design_free(struct ct_design *design)
{
    free(design->points);
    free(design->weights);
    *design = (struct ct_design){0};
}

/* ---- sequences ---- */

static enum ct_status fill_sobol(struct ct_design *design, struct ct_error *err)
{
    gsl_qrng *sequence = gsl_qrng_alloc(gsl_qrng_sobol, (unsigned)design->n_dims);
    if (!sequence)
        return ct_no_memory(err, "design");
    for (size_t i = 0; i < design->n_points; i++)
        gsl_qrng_get(sequence, design->points + i * design->n_dims);
    gsl_qrng_free(sequence);
    for (size_t i = 0; i < design->n_points * design->n_dims; i++)
        design->points[i] = 2 * design->points[i] - 1;
    return CT_OK;
}

/* A dimension's strata do not depend on how many other dimensions there are. */
static enum ct_status fill_latin(struct ct_design *design, uint64_t seed, struct ct_error *err)
{
    size_t n = design->n_points;
    int *strata = malloc(n * sizeof *strata);
    if (!strata)
        return ct_no_memory(err, "design");
    for (size_t d = 0; d < design->n_dims; d++) {
        struct ct_twister twister;
        ct_twister_seed(&twister, ct_random_fold(ct_random_at(seed, d)));
        for (size_t i = 0; i < n; i++)
            strata[i] = (int)i;
        ct_twister_shuffle(&twister, strata, n);
        for (size_t i = 0; i < n; i++)
            design->points[i * design->n_dims + d] =
                2 * (strata[i] + ct_twister_unit(&twister)) / (double)n - 1;
    }
    free(strata);
    return CT_OK;
}

/* ---- sparse grid ---- */

/* Points of the rule of a level that are not in that of the level below. */
static size_t n_new_points(unsigned level)
{
    return level == 0 ? 1 : level == 1 ? 2 : (size_t)1 << (level - 1);
}

/* Number of such a point in the rule of its level, which has 0 .. 2^level. */
static size_t new_point(unsigned level, size_t i)
{
    return level == 0 ? 0 : level == 1 ? 2 * i : 2 * i + 1;
}

static double rule_point(unsigned level, size_t j)
{
    return level == 0 || 2 * j == (size_t)1 << level ? 0 : -cos(M_PI * (double)j / exp2(level));
}

/* Weight of a point in a rule of Clenshaw and Curtis for the mean over [-1, 1]. */
static double rule_weight(unsigned level, size_t j)
{
    if (level == 0)
        return 1;
    size_t n = (size_t)1 << level;
    double theta = M_PI * (double)j / (double)n, sum = 1;
    for (size_t b = 1; b <= n / 2; b++)
        sum -=
            (2 * b == n ? 1 : 2) / (4.0 * (double)b * (double)b - 1) * cos(2 * (double)b * theta);
    return sum * (j == 0 || j == n ? 0.5 : 1) / (double)n;
}

/* The points of a sparse grid, each once: it is new in one level of each dimension. */
struct grid {
    const struct ct_design_setup *setup;
    struct ct_design *design; /* n_points: those so far */
    /* of the point at hand */
    unsigned level[CT_DESIGN_DIMS_MAX];
    size_t number[CT_DESIGN_DIMS_MAX];
    /* [l]: weight that a point which is new in level m has in the rule of level l, less that in the
       rule below; at difference[m][i][l - m] */
    double *difference[CT_DESIGN_LEVEL_MAX + 1];
};

/* Points of the grids whose levels add up to `sum`: the coefficient of a product of series. */
static double count_points(const struct ct_design_setup *setup)
{
    double count[CT_DESIGN_LEVEL_MAX + 1] = {1}, all = 0;
    for (size_t d = 0; d < setup->n_dims; d++)
        for (unsigned sum = setup->level + 1; sum-- > 0;) {
            double next = 0;
            for (unsigned level = 0; level <= sum; level++)
                next += count[sum - level] * (double)n_new_points(level);
            count[sum] = next;
        }
    for (unsigned sum = 0; sum <= setup->level; sum++)
        all += count[sum];
    return all;
}

/* Weights of a point of level m in the rules of levels m, m + 1 and so on, each less the one
 * before.
 */
static enum ct_status make_differences(struct grid *grid, struct ct_error *err)
{
    unsigned top = grid->setup->level;
    for (unsigned m = 0; m <= top; m++) {
        size_t n_levels = top - m + 1;
        grid->difference[m] = calloc(n_new_points(m) * n_levels, sizeof(double));
        if (!grid->difference[m])
            return ct_no_memory(err, "design");
        for (size_t i = 0; i < n_new_points(m); i++) {
            double below = 0;
            for (unsigned l = m; l <= top; l++) {
                /* The only point of level 0 is the middle one of the others. */
                size_t j =
                    m == 0 ? (l == 0 ? 0 : (size_t)1 << (l - 1)) : new_point(m, i) << (l - m);
                double weight = rule_weight(l, j);
                grid->difference[m][i * n_levels + (l - m)] = weight - below;
                below = weight;
            }
        }
    }
    return CT_OK;
}

/* Smolyak's weight: sum over all grids that have the point of the product of differences. */
static double point_weight(const struct grid *grid)
{
    unsigned top = grid->setup->level;
    double sum_of[CT_DESIGN_LEVEL_MAX + 1] = {1}, all = 0;
    for (size_t d = 0; d < grid->setup->n_dims; d++) {
        unsigned m = grid->level[d];
        const double *difference = grid->difference[m] + grid->number[d] * (top - m + 1);
        for (unsigned sum = top + 1; sum-- > 0;) {
            double next = 0;
            for (unsigned l = m; l <= sum; l++)
                next += sum_of[sum - l] * difference[l - m];
            sum_of[sum] = next;
        }
    }
    for (unsigned sum = 0; sum <= top; sum++)
        all += sum_of[sum];
    return all;
}

static void add_point(struct grid *grid)
{
    struct ct_design *design = grid->design;
    for (size_t d = 0; d < design->n_dims; d++)
        design->points[design->n_points * design->n_dims + d] =
            rule_point(grid->level[d], new_point(grid->level[d], grid->number[d]));
    design->weights[design->n_points++] = point_weight(grid);
}

/* All points of the grids whose levels add up to `sum`: an odometer, first of levels, then of
 * numbers. */
static void add_points_of_levels(struct grid *grid)
{
    size_t d = 0, n_dims = grid->setup->n_dims;
    memset(grid->number, 0, sizeof grid->number);
    while (d < n_dims) {
        add_point(grid);
        for (d = 0; d < n_dims && ++grid->number[d] == n_new_points(grid->level[d]); d++)
            grid->number[d] = 0;
    }
}

/* Next levels with the same sum: one unit moves from the first level above 0 to the right, the rest
   of that level goes to the first dimension. False after the last. */
static bool next_levels(struct grid *grid)
{
    size_t first = 0, n_dims = grid->setup->n_dims;
    while (first < n_dims && grid->level[first] == 0)
        first++;
    if (first + 1 >= n_dims)
        return false;
    unsigned rest = grid->level[first] - 1;
    grid->level[first] = 0;
    grid->level[first + 1]++;
    grid->level[0] = rest;
    return true;
}

static enum ct_status fill_sparse(struct ct_design *design, const struct ct_design_setup *setup,
                                  struct ct_error *err)
{
    struct grid grid = {.setup = setup, .design = design};
    design->weights = malloc(design->n_points * sizeof *design->weights);
    if (!design->weights)
        return ct_no_memory(err, "design");
    enum ct_status status = make_differences(&grid, err);
    design->n_points = 0;
    for (unsigned sum = 0; status == CT_OK && sum <= setup->level; sum++) {
        memset(grid.level, 0, sizeof grid.level);
        grid.level[0] = sum;
        do
            add_points_of_levels(&grid);
        while (next_levels(&grid));
    }
    for (unsigned m = 0; m <= setup->level; m++)
        free(grid.difference[m]);
    return status;
}

/* ---- all ---- */

static enum ct_status check_setup(const struct ct_design_setup *setup, size_t *n_points_p,
                                  struct ct_error *err)
{
    if (setup->n_dims == 0 || setup->n_dims > CT_DESIGN_DIMS_MAX)
        return ct_fail(err, CT_EINVAL, "design: %zu parameters: 1 to %d are supported",
                       setup->n_dims, CT_DESIGN_DIMS_MAX);
    if (setup->kind != CT_DESIGN_SPARSE) {
        if (setup->n_points == 0 || setup->n_points > CT_DESIGN_POINTS_MAX)
            return ct_fail(err, CT_EINVAL, "design: %zu points: 1 to %d are supported",
                           setup->n_points, CT_DESIGN_POINTS_MAX);
        *n_points_p = setup->n_points;
        return CT_OK;
    }
    if (setup->level > CT_DESIGN_LEVEL_MAX)
        return ct_fail(err, CT_EINVAL, "design: level %u of a sparse grid: 0 to %d are supported",
                       setup->level, CT_DESIGN_LEVEL_MAX);
    double n = count_points(setup);
    if (n > CT_DESIGN_POINTS_MAX)
        return ct_fail(err, CT_EINVAL,
                       "design: a sparse grid of level %u for %zu parameters has %.0f points, more "
                       "than %d: take a lower level",
                       setup->level, setup->n_dims, n, CT_DESIGN_POINTS_MAX);
    *n_points_p = (size_t)n;
    return CT_OK;
}

enum ct_status ct_design_make(const struct ct_design_setup *setup, struct ct_design *design_p,
                              struct ct_error *err)
{
    struct ct_design design = {.n_dims = setup->n_dims};
    CT_TRY(check_setup(setup, &design.n_points, err));
    design.points = malloc(design.n_points * design.n_dims * sizeof *design.points);
    enum ct_status status = CT_OK;
    if (!design.points)
        status = ct_no_memory(err, "design");
    else if (setup->kind == CT_DESIGN_SOBOL)
        status = fill_sobol(&design, err);
    else if (setup->kind == CT_DESIGN_LATIN)
        status = fill_latin(&design, setup->seed, err);
    else
        status = fill_sparse(&design, setup, err);
    if (status == CT_OK)
        *design_p = design;
    else
        ct_design_free(&design);
    return status;
}
