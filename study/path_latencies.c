#include "study/path_latencies.h"

#include "core/argv.h"
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

static struct ct_logp_drawn measured_of(const struct ct_logp_link_parameters *link)
{
    return (struct ct_logp_drawn){.o_s = link->loggp.o_s.value,
                                  .L_s = link->loggp.L_s.value,
                                  .G_s_per_byte = link->loggp.G_s_per_byte.value};
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

/* The first link with the fewest switches. */
static size_t first_link(const struct ct_run *run, const struct ct_logp_links *links)
{
    uint32_t least = next_switches(run, 0);
    size_t i = 0;
    while (i + 1 < links->n &&
           switches_between(run, links->links[i].rank_from, links->links[i].rank_to) != least)
        i++;
    return i;
}

/* Of the values of each link. */
static void take_classes(const struct ct_run *run, const struct ct_logp_links *links,
                         const struct ct_logp_drawn *of_links, double *room,
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
            add_value(&L_s, of_links[i].L_s);
            add_value(&G_s_per_byte, of_links[i].G_s_per_byte);
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
    struct ct_logp_drawn *measured = malloc((links.n + 1) * sizeof *measured);
    if (room && measured) {
        for (size_t i = 0; i < links.n; i++)
            measured[i] = measured_of(&links.links[i]);
        take_classes(run, &links, measured, room, &paths);
    } else {
        status = ct_no_memory(err, "classes of paths");
    }
    free(room);
    free(measured);
    ct_logp_links_free(&links);
    if (status == CT_OK && paths.n > 1)
        *paths_p = paths;
    return status;
}

/* ---- replicates ---- */

/* A value that cannot be derived from what was drawn is the one that was measured. */
static void take_drawn(const struct ct_logp_links *links, const struct ct_logp_drawn *drawn,
                       size_t first, const struct ct_loggps_model *of_first,
                       struct ct_logp_drawn *values)
{
    for (size_t i = 0; i < links->n; i++) {
        const struct ct_logp_drawn measured = measured_of(&links->links[i]);
        double L_s = i == first ? of_first->L_s : drawn[i].L_s;
        double G_s = i == first ? of_first->G_s_per_byte : drawn[i].G_s_per_byte;
        values[i] = (struct ct_logp_drawn){.o_s = NAN,
                                           .L_s = fmax(isnan(L_s) ? measured.L_s : L_s, 0),
                                           .G_s_per_byte =
                                               isnan(G_s) ? measured.G_s_per_byte : fmax(G_s, 0)};
    }
}

static enum ct_status draw_classes(const struct ct_run *run, const struct ct_logp_links *links,
                                   const struct ct_loggps_replicates *first,
                                   struct ct_path_latencies **paths_p, struct ct_error *err)
{
    struct ct_logp_draws draws = {.n = 0};
    enum ct_status status = ct_logp_links_draw(run, &draws, err);
    if (status != CT_OK || draws.n == 0) {
        ct_logp_draws_free(&draws);
        return status;
    }
    struct ct_path_latencies *paths = calloc(first->n + 1, sizeof *paths);
    struct ct_logp_drawn *values = malloc((links->n + 1) * sizeof *values);
    double *room = malloc((2 * links->n + 1) * sizeof *room);
    if (paths && values && room) {
        for (size_t r = 0; r < first->n; r++) {
            take_drawn(links, draws.drawn + r % draws.n * links->n, first_link(run, links),
                       &first->models[r], values);
            take_classes(run, links, values, room, &paths[r]);
        }
        *paths_p = paths;
    } else {
        status = ct_no_memory(err, "replicates of classes of paths");
        free(paths);
    }
    free(values);
    free(room);
    ct_logp_draws_free(&draws);
    return status;
}

enum ct_status ct_path_latencies_draw(const struct ct_run *run,
                                      const struct ct_loggps_replicates *first,
                                      struct ct_path_latencies **paths_p, struct ct_error *err)
{
    struct ct_logp_links links;
    *paths_p = NULL;
    if (first->n == 0 || next_switches(run, next_switches(run, 0)) == 0)
        return CT_OK;
    enum ct_status status = ct_logp_links_take(run, 0, &links, err);
    if (status != CT_OK)
        return status == CT_ENODATA ? CT_OK : status;
    if (links.n <= CT_PATH_DRAWS_LINKS_MAX)
        status = draw_classes(run, &links, first, paths_p, err);
    ct_logp_links_free(&links);
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
    CT_TRY(ct_run_read(path, &run, err));
    enum ct_status status = ct_path_classes_take(&run, &classes, &n, &worst, err);
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
