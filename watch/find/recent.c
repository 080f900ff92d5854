#include "watch/find/recent.h"

#include "core/array.h"
#include "watch/find/constants.h"

#include <math.h>
#include <stdlib.h>

/* Paths are forgotten, and found anew, before they need more memory than this. */
enum { PATHS_MAX = 1 << 22 };

enum ct_status ct_recent_new(const struct ct_topology *topology, struct ct_recent *recent_p,
                             struct ct_error *err)
{
    struct ct_recent recent = {.topology = topology};
    if (!CT_ARRAY_RESIZE(recent.seen, CT_RECENT_MAX))
        return ct_no_memory(err, "observations");
    enum ct_status status = ct_router_new(topology, &recent.router, err);
    if (status != CT_OK) {
        free(recent.seen);
        return status;
    }
    *recent_p = recent;
    return CT_OK;
}

void ct_recent_free(struct ct_recent *recent)
{
    ct_router_free(recent->router);
    ct_map_free(&recent->path_at);
    free(recent->seen);
    free(recent->paths);
    free(recent->route.hops);
    *recent = (struct ct_recent){0};
}

enum ct_status ct_recent_path(struct ct_recent *recent, uint32_t from, uint32_t to,
                              const uint32_t **path_p, struct ct_error *err)
{
    uint64_t key = ct_map_pair(from, to), found = ct_map_get(&recent->path_at, key);
    if (found == 0) {
        CT_TRY(ct_route_find(recent->router, from, to, &recent->route, err));
        if (recent->n_paths + recent->route.n + 1 > PATHS_MAX) {
            ct_map_free(&recent->path_at);
            recent->path_at = (struct ct_map){0};
            recent->n_paths = 0;
        }
        size_t at = recent->n_paths;
        if (!CT_ARRAY_RESERVE(recent->paths, recent->paths_room, at + recent->route.n + 1) ||
            !ct_map_add(&recent->path_at, key, at + 1))
            return ct_no_memory(err, "paths");
        recent->paths[at] = (uint32_t)recent->route.n;
        for (size_t i = 0; i < recent->route.n; i++) {
            const struct ct_hop *hop = &recent->route.hops[i];
            recent->paths[at + 1 + i] =
                2 * hop->link + (recent->topology->links[hop->link].end[1] == hop->from);
        }
        recent->n_paths = at + 1 + recent->route.n;
        found = at + 1;
    }
    *path_p = recent->paths + found - 1;
    return CT_OK;
}

void ct_recent_add(struct ct_recent *recent, const struct ct_seen *seen)
{
    recent->seen[recent->n++ % CT_RECENT_MAX] = *seen;
}

/* ---- who passed what ---- */

typedef bool visit_direction(uint32_t direction, const struct ct_seen *seen, void *data);

/* Calls visit() for the directions of an observation, until it returns false. */
static enum ct_status visit_path(struct ct_recent *recent, const struct ct_seen *seen,
                                 visit_direction *visit, void *data, struct ct_error *err)
{
    for (int way = 0; way <= seen->is_round; way++) {
        const uint32_t *path;
        CT_TRY(ct_recent_path(recent, way ? seen->to : seen->from, way ? seen->from : seen->to,
                              &path, err));
        for (uint32_t i = 1; i <= path[0]; i++)
            if (!visit(path[i], seen, data))
                return CT_OK;
    }
    return CT_OK;
}

struct search {
    const uint32_t *directions;
    uint32_t n;
    bool found;
};

static bool match_direction(uint32_t direction, const struct ct_seen *seen, void *data)
{
    struct search *search = data;
    (void)seen;
    for (uint32_t i = 0; i < search->n; i++)
        search->found |= search->directions[i] == direction;
    return !search->found;
}

bool ct_recent_passes(struct ct_recent *recent, const struct ct_seen *seen,
                      const uint32_t *directions, uint32_t n)
{
    struct search search = {directions, n, false};
    return visit_path(recent, seen, match_direction, &search, NULL) == CT_OK && search.found;
}

/* ---- the best cause ---- */

struct count {
    uint64_t key; /* direction, or 1 + node and direction */
    uint32_t passed, bad;
};

struct counts {
    struct ct_map at;
    struct count *rows;
    size_t n, room;
    uint64_t all, bad;
    double least_frac;
    const uint32_t *path; /* how many directions may be causes, and these; NULL: all */
    bool failed;
};

static void count_cause(struct counts *counts, uint64_t key, bool is_bad)
{
    uint32_t number;
    if (!ct_map_number(&counts->at, key, &number) ||
        !CT_ARRAY_RESERVE(counts->rows, counts->room, (size_t)number + 1)) {
        counts->failed = true;
        return;
    }
    if (number >= counts->n)
        counts->rows[counts->n++] = (struct count){.key = key};
    counts->rows[number].passed++;
    counts->rows[number].bad += is_bad;
}

static bool count_direction(uint32_t direction, const struct ct_seen *seen, void *data)
{
    count_cause(data, direction, seen->is_bad);
    if (!seen->is_round)
        count_cause(data, ct_map_pair(seen->to + 1, direction), seen->is_bad);
    return true;
}

/* ln of the likelihood of k of n, with the share that makes it largest. */
static double log_likelihood(double k, double n)
{
    double sum = 0;
    if (k > 0)
        sum += k * log(k / n);
    if (n > k)
        sum += (n - k) * log((n - k) / n);
    return sum;
}

/* How much better than "all alike" it is that those who passed were bad more often, and at least as
 * often as a fault makes them. */
static double gain_of(const struct counts *counts, const struct count *row)
{
    bool is_asked = !counts->path;
    for (uint32_t i = 1; counts->path && i <= counts->path[0]; i++)
        is_asked |= counts->path[i] == (uint32_t)row->key;
    double passed = row->passed, bad = row->bad, all = (double)counts->all,
           all_bad = (double)counts->bad;
    if (!is_asked || bad * all <= all_bad * passed)
        return 0;
    double p = fmax(counts->least_frac, bad / passed), rest = passed - bad;
    return bad * log(p) + (rest > 0 ? rest * log(1 - p) : 0) +
           log_likelihood(all_bad - bad, all - passed) - log_likelihood(all_bad, all);
}

static void explain_counts(const struct counts *counts, struct ct_explained *explained)
{
    const double apart = ct_watch_constants[CT_WATCH_APART].value;
    const struct count *best = NULL, *best_route = NULL;
    double gain = 0, route_gain = 0;
    for (size_t i = 0; i < counts->n; i++) {
        double this_gain = gain_of(counts, &counts->rows[i]);
        bool is_route = counts->rows[i].key >> 32 > 0;
        if (is_route && this_gain > route_gain) {
            best_route = &counts->rows[i];
            route_gain = this_gain;
        } else if (!is_route && this_gain > gain) {
            best = &counts->rows[i];
            gain = this_gain;
        }
    }
    /* One of many pairs of node and direction fits better by chance. */
    explained->is_route = best_route && route_gain > gain + apart + log((double)counts->n);
    if (explained->is_route) {
        best = best_route;
        gain = route_gain;
        explained->route_to = (uint32_t)(best->key >> 32) - 1;
    }
    if (!best)
        return;
    explained->passed = best->passed;
    explained->bad = best->bad;
    explained->n = 1;
    explained->suspects[0] = (uint32_t)best->key;
    for (size_t i = 0; i < counts->n; i++) {
        const struct count *row = &counts->rows[i];
        if (row == best || row->key >> 32 != best->key >> 32 || gain_of(counts, row) < gain - apart)
            continue;
        if (explained->n < CT_WATCH_SUSPECTS_MAX)
            explained->suspects[explained->n] = (uint32_t)row->key;
        explained->n++;
    }
}

enum ct_status ct_recent_explain(struct ct_recent *recent, const struct ct_explain *what,
                                 struct ct_explained *explained_p, struct ct_error *err)
{
    struct ct_explained explained = {0};
    struct counts counts = {.least_frac = what->least_frac};
    uint64_t first = ct_recent_first(recent);
    enum ct_status status = CT_OK;
    for (uint64_t i = first; i < recent->n && status == CT_OK; i++) {
        const struct ct_seen *seen = &recent->seen[i % CT_RECENT_MAX];
        if (seen->kind != what->kind || seen->unix_ns < what->since_unix_ns ||
            (seen->explained_by != 0 && seen->explained_by != what->alarm))
            continue;
        counts.all++;
        counts.bad += seen->is_bad;
        status = visit_path(recent, seen, count_direction, &counts, err);
    }
    if (status == CT_OK && counts.failed)
        status = ct_no_memory(err, "suspects");
    if (status == CT_OK && what->from != what->to)
        status = ct_recent_path(recent, what->from, what->to, &counts.path, err);
    if (status == CT_OK)
        explain_counts(&counts, &explained);
    free(counts.rows);
    ct_map_free(&counts.at);
    if (status == CT_OK && explained.n == 0)
        return ct_fail(err, CT_ENODATA, "nothing that was seen is bad on some links only");
    if (status == CT_OK)
        *explained_p = explained;
    return status;
}
