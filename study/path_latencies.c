#include "study/path_latencies.h"

#include "core/argv.h"
#include "core/stats.h"
#include "results/path_classes.h"
#include "study/logp_links.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

/* ---- of probes ---- */

enum { RUNS_MAX = 16 }; /* enough for a median */

struct probes {
    uint32_t switches[CT_PATH_LATENCIES_MAX];         /* [n] of the first run, ascending */
    double beyond_s[CT_PATH_LATENCIES_MAX][RUNS_MAX]; /* the least, [n][n_runs] */
    bool is_apart[CT_PATH_LATENCIES_MAX];             /* in all runs, from the class before */
    uint32_t n;
    size_t n_runs;
    uint32_t measured; /* switches on the path that logpb measured; 0: not known */
};

static bool is_idle_probe(const struct ct_run_info *info)
{
    return info->kind == CT_RUN_IMPACT && !*info->app && !*info->with && !info->has_config &&
           ct_run_text(info, CT_RUN_TOPOLOGY);
}

/* The class of the first two hosts; 0: no probe passes between them. */
static uint32_t class_between(const struct ct_run *run, const struct ct_argv *hosts)
{
    for (size_t i = 0; i < run->n_pairs && hosts->n > 1; i++)
        for (int k = 0; k < 2; k++)
            if (!strcmp(run->pairs[i].host_a, hosts->item[k]) &&
                !strcmp(run->pairs[i].host_b, hosts->item[!k]))
                return run->pairs[i].path_class;
    return 0;
}

static const struct ct_path_class *find_class(const struct ct_path_class *classes, size_t n,
                                              uint32_t switches)
{
    size_t i = 0;
    while (i < n && classes[i].switches != switches)
        i++;
    return i < n ? &classes[i] : NULL;
}

static void take_probed(const struct ct_path_class *classes, size_t n, struct probes *probes)
{
    for (size_t i = 0; i < n && probes->n_runs == 0 && i < CT_PATH_LATENCIES_MAX; i++) {
        probes->switches[probes->n] = classes[i].switches;
        probes->is_apart[probes->n++] = true;
    }
    const struct ct_path_class *least = find_class(classes, n, probes->switches[0]), *last = least;
    if (!least)
        return;
    for (uint32_t i = 0; i < probes->n; i++) {
        const struct ct_path_class *here = find_class(classes, n, probes->switches[i]);
        probes->is_apart[i] = probes->is_apart[i] && here && here->p25_s > last->p75_s;
        probes->beyond_s[i][probes->n_runs] = here ? here->p50_s - least->p50_s : NAN;
        last = here ? here : last;
    }
    probes->n_runs++;
}

static enum ct_status read_probed(const char *path, const struct ct_argv *hosts,
                                  struct probes *probes, struct ct_error *err)
{
    struct ct_run run;
    struct ct_path_class *classes = NULL;
    size_t n = 0, worst;
    enum ct_status status = ct_run_read(path, &run, err);
    if (status != CT_OK)
        return status;
    status = ct_path_classes_take(&run, &classes, &n, &worst, err);
    if (status == CT_OK && n > 1)
        take_probed(classes, n, probes);
    if (probes->measured == 0)
        probes->measured = class_between(&run, hosts);
    free(classes);
    ct_run_free(&run);
    return status;
}

static void fill_probed(struct probes *probes, struct ct_path_latencies *paths_p)
{
    static const double ns_per_s = 1e9;
    struct ct_path_latencies paths = {.n = probes->n};
    double measured_ns = 0;
    bool differs = false;
    for (uint32_t i = 0; i < probes->n; i++) {
        bool counts = i > 0 && probes->is_apart[i];
        paths.switches[i] = probes->switches[i];
        paths.beyond_ns[i] = counts
                                 ? ns_per_s * ct_stats_median(probes->beyond_s[i], probes->n_runs)
                             : i > 0 ? paths.beyond_ns[i - 1]
                                     : 0;
        differs = differs || counts;
        if (probes->switches[i] <= probes->measured)
            measured_ns = paths.beyond_ns[i];
    }
    for (uint32_t i = 0; i < paths.n; i++)
        paths.beyond_ns[i] -= measured_ns;
    if (differs)
        *paths_p = paths;
}

enum ct_status ct_path_latencies_of_probes(const struct ct_run_list *list, const char *hosts,
                                           struct ct_path_latencies *paths_p, struct ct_error *err)
{
    struct probes probes = {.n = 0};
    struct ct_argv names = {0};
    *paths_p = (struct ct_path_latencies){.n = 0};
    enum ct_status status = ct_argv_split(&names, hosts, err);
    for (size_t i = 0; i < list->n_entries && probes.n_runs < RUNS_MAX && status == CT_OK; i++)
        if (is_idle_probe(&list->entries[i].info))
            status = read_probed(list->entries[i].path, &names, &probes, err);
    ct_argv_free(&names);
    if (status == CT_OK)
        fill_probed(&probes, paths_p);
    return status;
}
