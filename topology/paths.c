#include "topology/paths.h"

#include "core/array.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static enum ct_status no_memory(struct ct_error *err)
{
    return ct_fail(err, CT_ENOMEM, "paths: out of memory");
}

/* ---- the matrix ---- */

/* First with directions where columns will be. */
struct maker {
    struct ct_paths paths;
    size_t n, room; /* of paths.column */
    struct ct_route route;
};

static enum ct_status add_way(struct maker *maker, struct ct_router *router,
                              const struct ct_topology *topology, uint32_t from, uint32_t to,
                              uint32_t *switches, struct ct_error *err)
{
    enum ct_status status = ct_route_find(router, from, to, &maker->route, err);
    if (status != CT_OK)
        return status;
    const struct ct_route *route = &maker->route;
    if (!CT_ARRAY_RESERVE(maker->paths.column, maker->room, maker->n + route->n))
        return no_memory(err);
    for (size_t i = 0; i < route->n; i++) {
        const struct ct_hop *hop = &route->hops[i];
        maker->paths.column[maker->n++] =
            2 * hop->link + (topology->links[hop->link].end[0] != hop->from);
    }
    if (route->n - 1 > *switches)
        *switches = (uint32_t)route->n - 1;
    return CT_OK;
}

static enum ct_status add_pair(struct maker *maker, struct ct_router *router,
                               const struct ct_topology *topology, struct ct_node_pair pair,
                               size_t p, struct ct_error *err)
{
    if (pair.a >= topology->n_nodes || pair.b >= topology->n_nodes || pair.a == pair.b)
        return ct_fail(err, CT_EINVAL, "%s: %u and %u are not two nodes", topology->name, pair.a,
                       pair.b);
    uint32_t *switches = &maker->paths.switches[p];
    *switches = 0;
    maker->paths.first[p] = maker->n;
    enum ct_status status = add_way(maker, router, topology, pair.a, pair.b, switches, err);
    maker->paths.back[p] = maker->n;
    return status == CT_OK ? add_way(maker, router, topology, pair.b, pair.a, switches, err)
                           : status;
}

/* Numbers of columns in place of directions. */
static enum ct_status number_columns(struct maker *maker, uint32_t n_links, struct ct_error *err)
{
    struct ct_paths *paths = &maker->paths;
    size_t n_directions = 2 * (size_t)n_links;
    uint32_t *column_of = calloc(n_directions + 1, sizeof *column_of);
    if (!column_of)
        return no_memory(err);
    for (size_t i = 0; i < maker->n; i++)
        column_of[paths->column[i]] = 1;
    for (size_t d = 0; d < n_directions; d++)
        paths->n_columns += column_of[d];
    paths->direction = malloc((paths->n_columns + 1) * sizeof *paths->direction);
    if (!paths->direction) {
        free(column_of);
        return no_memory(err);
    }
    for (size_t d = 0, column = 0; d < n_directions; d++)
        if (column_of[d]) {
            paths->direction[column] = (uint32_t)d;
            column_of[d] = (uint32_t)column++;
        }
    for (size_t i = 0; i < maker->n; i++)
        paths->column[i] = column_of[paths->column[i]];
    free(column_of);
    return CT_OK;
}

enum ct_status ct_paths_make(struct ct_router *router, const struct ct_topology *topology,
                             const struct ct_node_pair *pairs, size_t n_pairs,
                             struct ct_paths *paths_p, struct ct_error *err)
{
    struct maker maker = {
        .paths = {.n_pairs = n_pairs,
                  .first = malloc((n_pairs + 1) * sizeof *maker.paths.first),
                  .back = malloc((n_pairs + 1) * sizeof *maker.paths.back),
                  .switches = malloc((n_pairs + 1) * sizeof *maker.paths.switches)}};
    struct ct_paths *paths = &maker.paths;
    enum ct_status status = paths->first && paths->back && paths->switches ? CT_OK : no_memory(err);
    for (size_t p = 0; p < n_pairs && status == CT_OK; p++)
        status = add_pair(&maker, router, topology, pairs[p], p, err);
    if (status == CT_OK) {
        paths->first[n_pairs] = maker.n;
        status = number_columns(&maker, topology->n_links, err);
    }
    free(maker.route.hops);
    if (status == CT_OK)
        *paths_p = *paths;
    else
        ct_paths_free(paths);
    return status;
}

void ct_paths_free(struct ct_paths *paths)
{
    free(paths->direction);
    free(paths->first);
    free(paths->back);
    free(paths->column);
    free(paths->switches);
    *paths = (struct ct_paths){0};
}

/* ---- the choice ---- */

static size_t count_new(const struct ct_paths *paths, size_t pair, const bool *passed)
{
    size_t n = 0;
    for (size_t i = paths->first[pair]; i < paths->first[pair + 1]; i++)
        n += !passed[paths->column[i]];
    return n;
}

static void cover(const struct ct_paths *paths, bool *passed, bool *chosen)
{
    for (;;) {
        size_t best = 0, most = 0;
        for (size_t p = 0; p < paths->n_pairs; p++) {
            size_t n = count_new(paths, p, passed);
            if (n > most) {
                most = n;
                best = p;
            }
        }
        if (most == 0)
            return;
        chosen[best] = true;
        for (size_t i = paths->first[best]; i < paths->first[best + 1]; i++)
            passed[paths->column[i]] = true;
    }
}

/* Orthonormal rows that span those of the pairs taken. */
struct span {
    size_t n_columns, rank;
    double *rows; /* [rank][n_columns] */
    double *row;  /* the next one */
};

/* A remainder of whole numbers is either about as long as they are, or rounding. */
static const double rounding = 1e-8;

/* Take the part of a row that the span does not have (Gram and Schmidt, twice for rounding). */
static bool extend(struct span *span, const struct ct_paths *paths, size_t pair)
{
    size_t n = span->n_columns;
    double square = 0;
    memset(span->row, 0, n * sizeof *span->row);
    for (size_t i = paths->first[pair]; i < paths->first[pair + 1]; i++)
        span->row[paths->column[i]] += 1;
    for (size_t r = 0; r < 2 * span->rank; r++) {
        const double *other = span->rows + (r % span->rank) * n;
        double product = 0;
        for (size_t c = 0; c < n; c++)
            product += span->row[c] * other[c];
        for (size_t c = 0; c < n; c++)
            span->row[c] -= product * other[c];
    }
    for (size_t c = 0; c < n; c++)
        square += span->row[c] * span->row[c];
    if (square < rounding)
        return false;
    double *own = span->rows + span->rank++ * n;
    for (size_t c = 0; c < n; c++)
        own[c] = span->row[c] / sqrt(square);
    return true;
}

static enum ct_status tell_apart(const struct ct_paths *paths, bool *chosen, size_t *rank_p,
                                 struct ct_error *err)
{
    size_t n = paths->n_columns, most = n < paths->n_pairs ? n : paths->n_pairs;
    struct span span = {.n_columns = n,
                        .rows = malloc((most * n + 1) * sizeof *span.rows),
                        .row = malloc((n + 1) * sizeof *span.row)};
    enum ct_status status = span.rows && span.row ? CT_OK : no_memory(err);
    for (size_t p = 0; p < paths->n_pairs && status == CT_OK; p++)
        if (chosen[p])
            extend(&span, paths, p);
    for (size_t p = 0; p < paths->n_pairs && status == CT_OK && span.rank < most; p++)
        if (!chosen[p])
            chosen[p] = extend(&span, paths, p);
    if (status == CT_OK)
        *rank_p = span.rank;
    free(span.rows);
    free(span.row);
    return status;
}

enum ct_status ct_paths_choose(const struct ct_paths *paths, bool *chosen, size_t *rank_p,
                               struct ct_error *err)
{
    bool *passed = calloc(paths->n_columns + 1, sizeof *passed);
    if (!passed)
        return no_memory(err);
    memset(chosen, 0, paths->n_pairs * sizeof *chosen);
    cover(paths, passed, chosen);
    free(passed);
    *rank_p = 0;
    return paths->n_columns <= CT_PATHS_RANK_MAX ? tell_apart(paths, chosen, rank_p, err) : CT_OK;
}
