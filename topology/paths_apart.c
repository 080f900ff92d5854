#include "topology/paths_apart.h"

#include "core/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { GRADIENTS_MAX = 20000 };
static const uint64_t seed = 1;
static const double relative_rounding = 1e-10; /* of slopes, beside those at the beginning */
/* Of the product of a row with a vector of variance 1: is either about 1, or rounding. */
static const double rounding = 1e-6;

/* Rows of the chosen pairs, and a vector that becomes one of their null space. */
struct finder {
    const struct ct_paths *paths;
    size_t *pairs; /* [n_chosen] */
    size_t n_chosen;
    size_t *open; /* [n_open] pairs that may tell more */
    size_t n_open;
    bool of_ways;                 /* a row a way; else a row a pair */
    double *rest, *image;         /* [2 n_pairs] */
    double *vector, *slope, *way; /* [n_columns] */
};

static size_t count_rows(const struct finder *finder)
{
    return finder->of_ways ? 2 * finder->n_chosen : finder->n_chosen;
}

/* Entries of a row of a pair. */
static void row_of(const struct finder *finder, size_t pair, bool is_back, size_t *begin_p,
                   size_t *end_p)
{
    const struct ct_paths *paths = finder->paths;
    *begin_p = finder->of_ways && is_back ? paths->back[pair] : paths->first[pair];
    *end_p = finder->of_ways && !is_back ? paths->back[pair] : paths->first[pair + 1];
}

static void chosen_row(const struct finder *finder, size_t row, size_t *begin_p, size_t *end_p)
{
    if (finder->of_ways)
        row_of(finder, finder->pairs[row / 2], row % 2, begin_p, end_p);
    else
        row_of(finder, finder->pairs[row], false, begin_p, end_p);
}

static double multiply_rows(const struct finder *finder, size_t begin, size_t end, const double *x)
{
    double sum = 0;
    for (size_t i = begin; i < end; i++)
        sum += x[finder->paths->column[i]];
    return sum;
}

static double sum_squares(const double *x, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += x[i] * x[i];
    return sum;
}

/* y = A x. @return its square */
static double multiply_matrix(const struct finder *finder, const double *x, double *y)
{
    size_t begin, end, n = count_rows(finder);
    for (size_t r = 0; r < n; r++) {
        chosen_row(finder, r, &begin, &end);
        y[r] = multiply_rows(finder, begin, end, x);
    }
    return sum_squares(y, n);
}

/* slope = A' rest. @return its square */
static double find_slope(struct finder *finder)
{
    const struct ct_paths *paths = finder->paths;
    size_t begin, end;
    memset(finder->slope, 0, paths->n_columns * sizeof *finder->slope);
    for (size_t r = 0; r < count_rows(finder); r++) {
        chosen_row(finder, r, &begin, &end);
        for (size_t i = begin; i < end; i++)
            finder->slope[paths->column[i]] += finder->rest[r];
    }
    return sum_squares(finder->slope, paths->n_columns);
}

/* A random vector, less its part in the rows chosen. */
static void find_vector(struct finder *finder, uint64_t *random)
{
    size_t n = finder->paths->n_columns;
    double *vector = finder->vector, *way = finder->way;
    for (size_t c = 0; c < n; c++) /* of variance 1 */
        vector[c] = sqrt(12) * (ct_random_unit(ct_random_next(random)) - 0.5);
    multiply_matrix(finder, vector, finder->rest);
    double size = find_slope(finder), least = relative_rounding * relative_rounding * size;
    memcpy(way, finder->slope, n * sizeof *way);
    for (int i = 0; i < GRADIENTS_MAX && size > least; i++) {
        double length = size / multiply_matrix(finder, way, finder->image), before = size;
        for (size_t c = 0; c < n; c++)
            vector[c] -= length * way[c];
        for (size_t r = 0; r < count_rows(finder); r++)
            finder->rest[r] -= length * finder->image[r];
        size = find_slope(finder);
        for (size_t c = 0; c < n; c++)
            way[c] = finder->slope[c] + size / before * way[c];
    }
}

/* Steps through all of n elements at irregular places: the golden ratio of n, without a divisor in
 * common. */
static size_t find_coprime(size_t n)
{
    size_t step = (size_t)(0.618034 * (double)n), a, b;
    do {
        step++;
        for (a = n, b = step; b > 0;) {
            size_t rest = a % b;
            a = b;
            b = rest;
        }
    } while (a != 1 && n > 0);
    return step;
}

/* Whether a row of a pair is no combination of those chosen. */
static bool is_open(const struct finder *finder, size_t pair)
{
    size_t begin, end;
    for (int is_back = 0; is_back < (finder->of_ways ? 2 : 1); is_back++) {
        row_of(finder, pair, is_back, &begin, &end);
        if (fabs(multiply_rows(finder, begin, end, finder->vector)) > rounding)
            return true;
    }
    return false;
}

/* Whether a pair passes none of the open directions that pairs of this turn pass. */
static bool is_apart(const struct finder *finder, size_t pair, const bool *passed)
{
    const struct ct_paths *paths = finder->paths;
    for (size_t i = paths->first[pair]; i < paths->first[pair + 1]; i++)
        if (passed[paths->column[i]] && fabs(finder->vector[paths->column[i]]) > rounding)
            return false;
    return true;
}

/* All pairs that are not chosen, in an irregular order: as they are listed, many in sequence differ
 * from each other by the same, and tell little apart. */
static void list_open(struct finder *finder, const bool *chosen)
{
    size_t n = finder->paths->n_pairs, stride = find_coprime(n);
    finder->n_open = 0;
    for (size_t i = 0, pair = 0; i < n; i++, pair = (pair + stride) % n)
        if (!chosen[pair])
            finder->open[finder->n_open++] = pair;
}

/* Choose of the open ones; what is no longer open never will be.
 * @param passed  [out] room: [n_columns]. @return whether any was chosen */
static bool add_pairs(struct finder *finder, bool *passed, bool *chosen)
{
    const struct ct_paths *paths = finder->paths;
    size_t n_before = finder->n_chosen, n_open = finder->n_open;
    memset(passed, 0, paths->n_columns * sizeof *passed);
    finder->n_open = 0;
    for (size_t i = 0; i < n_open; i++) {
        size_t pair = finder->open[i];
        if (!is_open(finder, pair))
            continue;
        if (!is_apart(finder, pair, passed)) {
            finder->open[finder->n_open++] = pair;
            continue;
        }
        chosen[pair] = true;
        finder->pairs[finder->n_chosen++] = pair;
        for (size_t e = paths->first[pair]; e < paths->first[pair + 1]; e++)
            passed[paths->column[e]] = true;
    }
    return finder->n_chosen > n_before;
}

enum ct_status ct_paths_tell_apart(const struct ct_paths *paths, bool *chosen, struct ct_error *err)
{
    size_t n_rows = 2 * paths->n_pairs + 1, n = paths->n_columns + 1;
    uint64_t random = seed;
    bool *passed = malloc(n * sizeof *passed);
    struct finder finder = {.paths = paths,
                            .pairs = malloc((paths->n_pairs + 1) * sizeof *finder.pairs),
                            .open = malloc((paths->n_pairs + 1) * sizeof *finder.open),
                            .rest = malloc(n_rows * sizeof *finder.rest),
                            .image = malloc(n_rows * sizeof *finder.image),
                            .vector = malloc(n * sizeof *finder.vector),
                            .slope = malloc(n * sizeof *finder.slope),
                            .way = malloc(n * sizeof *finder.way)};
    bool room = passed && finder.pairs && finder.open && finder.rest && finder.image &&
                finder.vector && finder.slope && finder.way;
    for (size_t p = 0; p < paths->n_pairs && room; p++)
        if (chosen[p])
            finder.pairs[finder.n_chosen++] = p;
    for (int of_ways = 0; of_ways < 2 && room; of_ways++) {
        finder.of_ways = of_ways;
        list_open(&finder, chosen);
        do
            find_vector(&finder, &random);
        while (add_pairs(&finder, passed, chosen));
    }
    free(passed);
    free(finder.pairs);
    free(finder.open);
    free(finder.rest);
    free(finder.image);
    free(finder.vector);
    free(finder.slope);
    free(finder.way);
    return room ? CT_OK : ct_no_memory(err, "paths");
}
