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

/* The latency of a number of switches; what comes first is what others are beyond. */
static void add_class(struct ct_path_latencies *paths, uint32_t switches, double latency_s,
                      double first_s)
{
    static const double ns_per_s = 1e9;
    if (isnan(latency_s) || paths->n == CT_PATH_LATENCIES_MAX)
        return;
    paths->switches[paths->n] = switches;
    paths->beyond_ns[paths->n++] = (latency_s - first_s) * ns_per_s;
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
    double *L_s = malloc((links.n + 1) * sizeof *L_s), first_s = NAN;
    for (uint32_t switches = next_switches(run, 0); L_s && switches > 0;
         switches = next_switches(run, switches)) {
        size_t n = 0;
        for (size_t i = 0; i < links.n; i++) {
            const struct ct_logp_link_parameters *link = &links.links[i];
            double here_s = link->loggp.L_s.value;
            if (isnan(here_s) || switches_between(run, link->rank_from, link->rank_to) != switches)
                continue;
            first_s = isnan(first_s) ? here_s : first_s;
            L_s[n++] = here_s;
        }
        add_class(&paths, switches, n > 0 ? ct_stats_median(L_s, n) : NAN, first_s);
        if (paths.n == CT_PATH_LATENCIES_MAX)
            break;
    }
    status = L_s ? CT_OK : ct_no_memory(err, "classes of paths");
    free(L_s);
    ct_logp_links_free(&links);
    if (status == CT_OK && paths.n > 1)
        *paths_p = paths;
    return status;
}
