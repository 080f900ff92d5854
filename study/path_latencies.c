#include "study/path_latencies.h"

#include "core/stats.h"
#include "study/logp_links.h"

#include <math.h>
#include <stdlib.h>

static uint32_t switches_between(const struct ct_run *run, uint32_t rank_from, uint32_t rank_to)
{
    uint32_t a = rank_from < rank_to ? rank_from : rank_to,
             b = rank_from < rank_to ? rank_to : rank_from;
    for (size_t i = 0; i < run->n_paths; i++)
        if (run->paths[i].rank_a == a && run->paths[i].rank_b == b)
            return run->paths[i].path_class;
    return 0;
}

uint32_t ct_logp_row_switches(const struct ct_run *run, const struct ct_logp_row *row)
{
    return row->method == CT_LOGP_FAST ? switches_between(run, row->rank_from, row->rank_to) : 0;
}

/* The smallest number of switches above this one; 0: there is none. */
static uint32_t next_switches(const struct ct_run *run, uint32_t above)
{
    uint32_t next = 0;
    for (size_t i = 0; i < run->n_paths; i++) {
        uint32_t here = run->paths[i].path_class;
        if (here > above && (next == 0 || here < next))
            next = here;
    }
    return next;
}

/* Values of links, and their median beyond that of the first link of all. */
struct values {
    double *x; /* [n], room for all links */
    size_t n;
    double first; /* NaN: none yet */
};

static void add_value(struct values *values, double value)
{
    if (isnan(value))
        return;
    values->first = isnan(values->first) ? value : values->first;
    values->x[values->n++] = value;
}

static double median_beyond(const struct values *values)
{
    return values->n > 0 ? ct_stats_median(values->x, values->n) - values->first : NAN;
}

static void take_classes(const struct ct_run *run, const struct ct_logp_links *links, double *room,
                         struct ct_path_latencies *paths)
{
    static const double ns_per_s = 1e9;
    struct values L_s = {room, 0, NAN}, G_s_per_byte = {room + links->n, 0, NAN};
    bool has_gaps = true;
    for (uint32_t switches = next_switches(run, 0);
         switches > 0 && paths->n < CT_PATH_LATENCIES_MAX;
         switches = next_switches(run, switches)) {
        L_s.n = G_s_per_byte.n = 0;
        for (size_t i = 0; i < links->n; i++) {
            const struct ct_logp_link_parameters *link = &links->links[i];
            if (switches_between(run, link->rank_from, link->rank_to) != switches)
                continue;
            add_value(&L_s, link->loggp.L_s.value);
            add_value(&G_s_per_byte, link->loggp.G_s_per_byte.value);
        }
        if (L_s.n == 0)
            continue;
        has_gaps = has_gaps && G_s_per_byte.n > 0;
        paths->switches[paths->n] = switches;
        paths->beyond_ns[paths->n] = median_beyond(&L_s) * ns_per_s;
        paths->beyond_ns_per_byte[paths->n++] = median_beyond(&G_s_per_byte) * ns_per_s;
    }
    for (uint32_t i = 0; i < paths->n && !has_gaps; i++)
        paths->beyond_ns_per_byte[i] = 0;
}

enum ct_status ct_path_latencies_take(const struct ct_run *run, struct ct_path_latencies *paths_p,
                                      struct ct_error *err)
{
    struct ct_path_latencies paths = {.n = 0};
    struct ct_logp_links links;
    *paths_p = paths;
    if (next_switches(run, next_switches(run, 0)) == 0)
        return CT_OK;
    enum ct_status status = ct_logp_links_take(run, 0, &links, err);
    if (status != CT_OK)
        return status == CT_ENODATA ? CT_OK : status;
    double *room = malloc((2 * links.n + 1) * sizeof *room);
    if (room)
        take_classes(run, &links, room, &paths);
    else
        status = ct_no_memory(err, "classes of paths");
    free(room);
    ct_logp_links_free(&links);
    if (status == CT_OK && paths.n > 1)
        *paths_p = paths;
    return status;
}
