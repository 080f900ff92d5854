#include "topology/paths.h"

#include "core/array.h"
#include "topology/paths_apart.h"

#include <stdlib.h>
#include <string.h>

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
    CT_TRY(ct_route_find(router, from, to, &maker->route, err));
    const struct ct_route *route = &maker->route;
    if (!CT_ARRAY_RESERVE(maker->paths.column, maker->room, maker->n + route->n))
        return ct_no_memory(err, "paths");
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
        return ct_no_memory(err, "paths");
    for (size_t i = 0; i < maker->n; i++)
        column_of[paths->column[i]] = 1;
    for (size_t d = 0; d < n_directions; d++)
        paths->n_columns += column_of[d];
    paths->direction = malloc((paths->n_columns + 1) * sizeof *paths->direction);
    if (!paths->direction) {
        free(column_of);
        return ct_no_memory(err, "paths");
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
    enum ct_status status =
        paths->first && paths->back && paths->switches ? CT_OK : ct_no_memory(err, "paths");
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

/* Pairs of one path class by the number of directions that they would add, which only decreases: a
 * pair is counted again when its list is due, and moves to a shorter one's. */
struct queue {
    size_t n_lists;
    size_t *head, *tail; /* [n_lists] of the list of so many directions; none: SIZE_MAX */
    size_t *next;        /* [n_pairs] */
};

static void append_pair(struct queue *queue, size_t list, size_t pair)
{
    queue->next[pair] = SIZE_MAX;
    if (queue->head[list] == SIZE_MAX)
        queue->head[list] = pair;
    else
        queue->next[queue->tail[list]] = pair;
    queue->tail[list] = pair;
}

static void cover_class(const struct ct_paths *paths, uint32_t switches, struct queue *queue,
                        bool *passed, bool *chosen)
{
    memset(passed, 0, paths->n_columns * sizeof *passed);
    for (size_t p = 0; p < paths->n_pairs; p++)
        if (paths->switches[p] == switches)
            append_pair(queue, paths->first[p + 1] - paths->first[p], p);
    for (size_t list = queue->n_lists - 1; list > 0; list--)
        while (queue->head[list] != SIZE_MAX) {
            size_t pair = queue->head[list];
            queue->head[list] = queue->next[pair];
            size_t n = count_new(paths, pair, passed);
            if (n > 0 && n < list)
                append_pair(queue, n, pair);
            if (n < list)
                continue;
            chosen[pair] = true;
            for (size_t i = paths->first[pair]; i < paths->first[pair + 1]; i++)
                passed[paths->column[i]] = true;
        }
}

static enum ct_status cover_classes(const struct ct_paths *paths, bool *chosen,
                                    struct ct_error *err)
{
    uint32_t most = 0;
    struct queue queue = {.n_lists = 1};
    for (size_t p = 0; p < paths->n_pairs; p++) {
        size_t n = paths->first[p + 1] - paths->first[p];
        queue.n_lists = n + 1 > queue.n_lists ? n + 1 : queue.n_lists;
        most = paths->switches[p] > most ? paths->switches[p] : most;
    }
    bool *passed = calloc(paths->n_columns + 1, sizeof *passed);
    queue.head = malloc(queue.n_lists * sizeof *queue.head);
    queue.tail = malloc(queue.n_lists * sizeof *queue.tail);
    queue.next = malloc((paths->n_pairs + 1) * sizeof *queue.next);
    enum ct_status status =
        passed && queue.head && queue.tail && queue.next ? CT_OK : ct_no_memory(err, "paths");
    for (size_t list = 0; list < queue.n_lists && status == CT_OK; list++)
        queue.head[list] = SIZE_MAX;
    for (uint32_t switches = 0; switches <= most && status == CT_OK; switches++)
        cover_class(paths, switches, &queue, passed, chosen);
    free(passed);
    free(queue.head);
    free(queue.tail);
    free(queue.next);
    return status;
}

enum ct_status ct_paths_choose(const struct ct_paths *paths, bool *chosen, struct ct_error *err)
{
    memset(chosen, 0, paths->n_pairs * sizeof *chosen);
    CT_TRY(cover_classes(paths, chosen, err));
    return ct_paths_tell_apart(paths, chosen, err);
}
