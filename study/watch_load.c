#include "study/watch_load.h"

#include "core/map.h"
#include "study/link_structure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { THERE, BACK, WAYS };

/* Messages by pair and way. A value is 1 where a message waited, else 0, so that one class has all
 * ways: an idle network's messages have 0. */
struct seen {
    struct ct_node_pair *pairs; /* a < b */
    size_t n_pairs;
    uint32_t *row_of;         /* [n] of each message */
    double *values;           /* [n] by row */
    struct ct_series *series; /* [n_pairs WAYS] */
    struct ct_paths paths;
    size_t *first;   /* [n_pairs WAYS + 1] */
    uint32_t *class; /* [n_pairs WAYS] 0 */
};

static void free_seen(struct seen *seen)
{
    free(seen->pairs);
    free(seen->row_of);
    free(seen->values);
    free(seen->series);
    ct_paths_free(&seen->paths);
    free(seen->first);
    free(seen->class);
}

static bool find_pairs(const struct ct_watch_wait *waits, size_t n, struct seen *seen)
{
    struct ct_map numbers = {0};
    bool room = true;
    for (size_t i = 0; i < n && room; i++) {
        bool is_back = waits[i].from > waits[i].to;
        uint32_t a = is_back ? waits[i].to : waits[i].from,
                 b = is_back ? waits[i].from : waits[i].to;
        uint64_t key = ct_map_pair(a, b), number = ct_map_get(&numbers, key);
        if (number == 0) {
            seen->pairs[seen->n_pairs] = (struct ct_node_pair){a, b};
            number = ++seen->n_pairs;
            room = ct_map_set(&numbers, key, number);
        }
        seen->row_of[i] = (uint32_t)((number - 1) * WAYS + (is_back ? BACK : THERE));
    }
    ct_map_free(&numbers);
    return room;
}

/* Counting sort by row. */
static void sort_values(const struct ct_watch_wait *waits, size_t n, struct seen *seen)
{
    size_t n_rows = seen->n_pairs * WAYS, at = 0;
    for (size_t i = 0; i < n; i++)
        seen->series[seen->row_of[i]].n++;
    for (size_t r = 0; r < n_rows; r++) {
        seen->series[r].x = seen->values + at;
        at += seen->series[r].n;
        seen->series[r].n = 0;
    }
    for (size_t i = 0; i < n; i++) {
        struct ct_series *series = &seen->series[seen->row_of[i]];
        seen->values[(size_t)(series->x - seen->values) + series->n++] = waits[i].has_waited;
    }
}

static enum ct_status take_waits(const struct ct_topology *topology,
                                 const struct ct_watch_wait *waits, size_t n, struct seen *seen,
                                 struct ct_error *err)
{
    struct ct_router *router = NULL;
    seen->pairs = malloc(n * sizeof *seen->pairs);
    seen->row_of = malloc(n * sizeof *seen->row_of);
    seen->values = malloc(n * sizeof *seen->values);
    seen->series = calloc(n * WAYS, sizeof *seen->series);
    seen->first = calloc(n * WAYS + 1, sizeof *seen->first);
    seen->class = calloc(n * WAYS, sizeof *seen->class);
    if (!seen->pairs || !seen->row_of || !seen->values || !seen->series || !seen->first ||
        !seen->class || !find_pairs(waits, n, seen))
        return ct_no_memory(err, "loads of links");
    sort_values(waits, n, seen);
    enum ct_status status = ct_router_new(topology, &router, err);
    if (status == CT_OK)
        status = ct_paths_make(router, topology, seen->pairs, seen->n_pairs, &seen->paths, err);
    ct_router_free(router);
    for (size_t p = 0; p < seen->n_pairs && status == CT_OK; p++) {
        seen->first[p * WAYS + BACK] = seen->paths.back[p];
        seen->first[(p + 1) * WAYS] = seen->paths.first[p + 1];
    }
    return status;
}

static enum ct_status solve_loads(const struct ct_link_system *system, const struct seen *seen,
                                  double *busy_frac, struct ct_error *err)
{
    static const double idle_value = 0;
    const struct ct_series idle = {&idle_value, 1};
    const struct ct_link_probes probes = {
        .loaded = seen->series, .class_of_row = seen->class, .idle = &idle, .n_classes = 1};
    const struct ct_bootstrap no_intervals = {.level = 0.9};
    size_t n = system->n_directions, n_groups = 0;
    double dependence;
    uint32_t *group = malloc((n + 1) * sizeof *group);
    bool *is_open = malloc((n + 1) * sizeof *is_open);
    struct ct_link_estimate *estimates = calloc(n + 1, sizeof *estimates);
    enum ct_status status =
        group && is_open && estimates ? CT_OK : ct_no_memory(err, "loads of links");
    if (status == CT_OK)
        status = ct_links_group(system, group, is_open, &n_groups, err);
    if (status == CT_OK)
        status = ct_links_estimate(system, group, n_groups, &probes, &no_intervals, estimates,
                                   &dependence, err);
    for (size_t r = 0; r < system->paths.n && status == CT_OK; r++)
        for (size_t i = seen->first[r]; i < seen->first[r + 1] && seen->series[r].n > 0; i++) {
            uint32_t c = seen->paths.column[i];
            busy_frac[seen->paths.direction[c]] = estimates[group[c]].busy_frac;
        }
    free(group);
    free(is_open);
    free(estimates);
    return status;
}

enum ct_status ct_watch_load_estimate(const struct ct_topology *topology,
                                      const struct ct_watch_wait *waits, size_t n,
                                      double *busy_frac, struct ct_error *err)
{
    struct seen seen = {.n_pairs = 0};
    struct ct_link_structure structure = {0};
    if (n == 0)
        return ct_fail(err, CT_ENODATA, "no small message was seen");
    for (size_t d = 0; d < 2 * (size_t)topology->n_links; d++)
        busy_frac[d] = NAN;
    enum ct_status status = take_waits(topology, waits, n, &seen, err);
    if (status == CT_OK)
        status = ct_link_structure_make(topology, &seen.paths, &structure, err);
    if (status == CT_OK) {
        const struct ct_link_system system = {
            .n_directions = seen.paths.n_columns,
            .kind = structure.kind,
            .relative_rate = structure.relative_rate,
            .paths = {seen.n_pairs * WAYS, seen.first, seen.paths.column, NULL},
            .balances = structure.balances};
        status = solve_loads(&system, &seen, busy_frac, err);
    }
    ct_link_structure_free(&structure);
    free_seen(&seen);
    return status;
}
