#include "study/pair_parameters.h"

#include "core/array.h"
#include "core/order.h"
#include "core/units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of a run of classes, sorted by ranks. */
struct paths {
    struct ct_path_row *rows;
    size_t n;
    bool between; /* some are between nodes */
};

struct maker {
    const struct ct_pair_given *given;
    struct ct_pair_parameters *parameters;
    struct paths paths;
    uint32_t *nodes; /* pairs.n_places ranks, ascending */
    size_t classes_capacity, infos_capacity;
};

static double or_given(double given, double measured)
{
    return isnan(given) ? measured : given;
}

/* ---- paths ---- */

CT_ORDER(by_ranks, struct ct_path_row, rank_a, rank_b)

/* NULL: the run says nothing of these two. */
static const struct ct_path_row *find_path(const struct paths *paths, uint32_t a, uint32_t b)
{
    const struct ct_path_row key = {.rank_a = a < b ? a : b, .rank_b = a < b ? b : a};
    return bsearch(&key, paths->rows, paths->n, sizeof key, by_ranks);
}

static enum ct_status take_paths(const struct ct_run *run, struct paths *paths,
                                 struct ct_error *err)
{
    if (run->n_paths == 0)
        return CT_OK;
    paths->rows = malloc(run->n_paths * sizeof *paths->rows);
    if (!paths->rows)
        return ct_no_memory(err, "pairs of nodes");
    for (size_t i = 0; i < run->n_paths; i++) {
        struct ct_path_row row = run->paths[i];
        if (row.rank_a >= row.rank_b)
            return ct_fail(err, CT_EINVAL, "paths: row %zu: rank %u is not below rank %u", i + 1,
                           row.rank_a, row.rank_b);
        paths->rows[paths->n++] = row;
        paths->between = paths->between || row.path_class > 0;
    }
    qsort(paths->rows, paths->n, sizeof *paths->rows, by_ranks);
    return CT_OK;
}

/* ---- nodes ---- */

static uint32_t sort_unique(uint32_t *numbers, size_t n)
{
    uint32_t kept = 0;
    qsort(numbers, n, sizeof *numbers, ct_order_u32);
    for (size_t i = 0; i < n; i++)
        if (kept == 0 || numbers[i] != numbers[kept - 1])
            numbers[kept++] = numbers[i];
    return kept;
}

/* Ranks of paths between nodes; of a run on one node, all. */
static size_t list_ranks_of_paths(const struct paths *paths, uint32_t *ranks)
{
    size_t n = 0;
    for (size_t i = 0; i < paths->n; i++)
        if (!paths->between || paths->rows[i].path_class > 0) {
            ranks[n++] = paths->rows[i].rank_a;
            ranks[n++] = paths->rows[i].rank_b;
        }
    return n;
}

static enum ct_status list_nodes(struct maker *maker, struct ct_error *err)
{
    const struct ct_logp_links *links = &maker->parameters->links;
    bool has_paths = maker->paths.n > 0;
    size_t n = has_paths ? 2 * maker->paths.n : links->n_ranks;
    maker->nodes = malloc((n + 1) * sizeof *maker->nodes);
    if (!maker->nodes)
        return ct_no_memory(err, "pairs of nodes");
    if (has_paths)
        n = list_ranks_of_paths(&maker->paths, maker->nodes);
    else
        memcpy(maker->nodes, links->ranks, n * sizeof *maker->nodes);
    uint32_t n_nodes = sort_unique(maker->nodes, n);
    if (n_nodes > CT_PAIRS_PLACES_MAX)
        return ct_fail(err, CT_EINVAL, "%u nodes; at most %d", n_nodes, CT_PAIRS_PLACES_MAX);
    maker->parameters->pairs.n_places = n_nodes;
    maker->parameters->pairs.ranks_per_place = maker->given->ranks_per_node;
    return CT_OK;
}

/* ---- classes ---- */

static bool add_class(struct maker *maker, struct ct_loggps values, struct ct_pair_class info)
{
    struct ct_pairs *pairs = &maker->parameters->pairs;
    if (!CT_ARRAY_RESERVE(pairs->classes, maker->classes_capacity, pairs->n_classes + (size_t)1) ||
        !CT_ARRAY_RESERVE(maker->parameters->classes, maker->infos_capacity,
                          pairs->n_classes + (size_t)1))
        return false;
    pairs->classes[pairs->n_classes] = values;
    maker->parameters->classes[pairs->n_classes] = info;
    pairs->n_classes++;
    return true;
}

/* A run file can hold any number. */
static enum ct_status check_values(const struct ct_logp_link_parameters *link,
                                   const struct ct_loggps *class, struct ct_error *err)
{
    const struct {
        const char *name;
        double ns;
    } values[] = {{"o", class->o_ns}, {"L", class->L_ns}, {"G", class->G_ns_per_byte}};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        if (i == 2 && isnan(values[i].ns)) {
            enum ct_status status = ct_loggps_demand_G(&link->loggp.G, err);
            return ct_fail_within(err, status == CT_OK ? CT_ENODATA : status, "rank %u to rank %u",
                                  link->rank_from, link->rank_to);
        }
        if (!(values[i].ns >= 0))
            return ct_fail(err, CT_ENODATA,
                           "rank %u to rank %u: %s comes out as %.4g us: measure again",
                           link->rank_from, link->rank_to, values[i].name, values[i].ns * 1e-3);
        if (values[i].ns <= ct_ns_from_s(CT_MODEL_MAX_S))
            continue;
        char value[CT_UNITS_TEXT_MAX], limit[CT_UNITS_TEXT_MAX];
        ct_format_duration(values[i].ns * 1e-9, value);
        ct_format_duration(CT_MODEL_MAX_S, limit);
        return ct_fail(err, CT_EINVAL, "rank %u to rank %u: %s of %s: more than %s",
                       link->rank_from, link->rank_to, values[i].name, value, limit);
    }
    return CT_OK;
}

/* Of the values that are known; NaN: none is. */
static double median_of(double *x, size_t n)
{
    double median = NAN;
    size_t known = 0;
    for (size_t i = 0; i < n; i++)
        if (!isnan(x[i]))
            x[known++] = x[i];
    if (known == 0)
        return NAN;
    ct_stats_sort(x, known);
    ct_stats_quantile(x, known, 0.5, &median);
    return median;
}

/* Medians over links; room: 3 n numbers. */
static struct ct_loggps find_medians(const struct ct_pair_given *given,
                                     const struct ct_logp_link_parameters *const *links, size_t n,
                                     double *room)
{
    for (size_t i = 0; i < n; i++) {
        room[i] = links[i]->loggp.o_s.value;
        room[n + i] = links[i]->loggp.L_s.value;
        room[2 * n + i] = links[i]->loggp.G_s_per_byte.value;
    }
    return (struct ct_loggps){
        .o_ns = ct_ns_from_s(or_given(given->o_s, median_of(room, n))),
        .L_ns = ct_ns_from_s(median_of(room + n, n)),
        .G_ns_per_byte = ct_ns_from_s(or_given(given->G_s_per_byte, median_of(room + 2 * n, n)))};
}

/* One class of some links, all of which count for it. */
static enum ct_status class_of_links(struct maker *maker, uint32_t path_class,
                                     const struct ct_logp_link_parameters *const *links, size_t n,
                                     struct ct_error *err)
{
    double *room = malloc((3 * n + 1) * sizeof *room);
    if (!room)
        return ct_no_memory(err, "pairs of nodes");
    struct ct_loggps values = find_medians(maker->given, links, n, room);
    free(room);
    const struct ct_logp_link_parameters *all = maker->parameters->links.links;
    for (size_t i = 0; i < n; i++)
        maker->parameters->class_of_link[links[i] - all] = maker->parameters->pairs.n_classes;
    CT_TRY(check_values(links[0], &values, err));
    if (!add_class(maker, values, (struct ct_pair_class){path_class, (uint32_t)n}))
        return ct_no_memory(err, "pairs of nodes");
    return CT_OK;
}

/* The links between ranks whose path is of this class. */
static size_t list_links(const struct maker *maker, uint32_t path_class,
                         const struct ct_logp_link_parameters **found)
{
    const struct ct_logp_links *links = &maker->parameters->links;
    size_t n = 0;
    for (size_t i = 0; i < links->n; i++) {
        const struct ct_logp_link_parameters *link = &links->links[i];
        const struct ct_path_row *path = find_path(&maker->paths, link->rank_from, link->rank_to);
        if (path && path->path_class == path_class)
            found[n++] = link;
    }
    return n;
}

static enum ct_status classes_of_paths(struct maker *maker, struct ct_error *err)
{
    size_t n_links = maker->parameters->links.n;
    uint32_t *numbers = malloc(maker->paths.n * sizeof *numbers);
    const struct ct_logp_link_parameters **found = malloc((n_links + 1) * sizeof(void *));
    enum ct_status status = numbers && found ? CT_OK : ct_no_memory(err, "pairs of nodes");
    uint32_t n_numbers = 0;
    if (status == CT_OK) {
        for (size_t i = 0; i < maker->paths.n; i++)
            numbers[i] = maker->paths.rows[i].path_class;
        n_numbers = sort_unique(numbers, maker->paths.n);
    }
    for (uint32_t i = 0; i < n_numbers && status == CT_OK; i++) {
        size_t n = list_links(maker, numbers[i], found);
        if (n > 0)
            status = class_of_links(maker, numbers[i], found, n, err);
    }
    free(found);
    free(numbers);
    return status;
}

static enum ct_status make_classes(struct maker *maker, struct ct_error *err)
{
    const struct ct_logp_links *links = &maker->parameters->links;
    uint32_t *class_of_link = malloc((links->n + 1) * sizeof *class_of_link);
    if (!class_of_link)
        return ct_no_memory(err, "pairs of nodes");
    maker->parameters->class_of_link = class_of_link;
    for (size_t i = 0; i < links->n; i++)
        class_of_link[i] = UINT32_MAX;
    if (maker->paths.n > 0)
        return classes_of_paths(maker, err);
    for (size_t i = 0; i < links->n; i++) {
        const struct ct_logp_link_parameters *link = &links->links[i];
        CT_TRY(class_of_links(maker, 0, &link, 1, err));
    }
    return CT_OK;
}

/* ---- inside a node ---- */

static enum ct_status median_overhead(const struct ct_pairs *pairs, double *o_ns_p,
                                      struct ct_error *err)
{
    double *all = malloc((pairs->n_classes + (size_t)1) * sizeof *all);
    if (!all)
        return ct_no_memory(err, "pairs of nodes");
    for (uint32_t c = 0; c < pairs->n_classes; c++)
        all[c] = pairs->classes[c].o_ns;
    *o_ns_p = median_of(all, pairs->n_classes);
    free(all);
    return CT_OK;
}

/* What is given; else class 0 of a run of classes on several nodes; UINT32_MAX: not known. */
static enum ct_status find_inside(struct maker *maker, uint32_t *class_p, struct ct_error *err)
{
    const struct ct_pair_given *given = maker->given;
    const struct ct_pair_parameters *parameters = maker->parameters;
    const struct ct_pairs *pairs = &parameters->pairs;
    *class_p = UINT32_MAX;
    if (isnan(given->L_node_s)) {
        bool is_measured =
            maker->paths.between && pairs->n_classes > 0 && parameters->classes[0].path_class == 0;
        *class_p = is_measured ? 0 : UINT32_MAX;
        return CT_OK;
    }
    const struct ct_loggps inside = {.o_ns = pairs->o_self_ns,
                                     .L_ns = ct_ns_from_s(given->L_node_s),
                                     .G_ns_per_byte = ct_ns_from_s(given->G_node_s_per_byte)};
    *class_p = pairs->n_classes;
    return add_class(maker, inside, (struct ct_pair_class){0, 0})
               ? CT_OK
               : ct_no_memory(err, "pairs of nodes");
}

/* ---- which class for which pair ---- */

static uint32_t class_between(const struct maker *maker, uint32_t rank_from, uint32_t rank_to)
{
    const struct ct_pair_parameters *parameters = maker->parameters;
    if (maker->paths.n == 0) {
        const struct ct_logp_link_parameters *link =
            ct_logp_links_find(&parameters->links, rank_from, rank_to);
        return link ? parameters->class_of_link[link - parameters->links.links] : UINT32_MAX;
    }
    const struct ct_path_row *path = find_path(&maker->paths, rank_from, rank_to);
    for (uint32_t c = 0; path && c < parameters->pairs.n_classes; c++)
        if (parameters->classes[c].n_links > 0 &&
            parameters->classes[c].path_class == path->path_class)
            return c;
    return UINT32_MAX;
}

static enum ct_status place_classes(struct maker *maker, struct ct_error *err)
{
    struct ct_pairs *pairs = &maker->parameters->pairs;
    uint32_t n = pairs->n_places, inside;
    CT_TRY(median_overhead(pairs, &pairs->o_self_ns, err));
    CT_TRY(find_inside(maker, &inside, err));
    pairs->class_of = malloc((size_t)n * n * sizeof *pairs->class_of);
    if (!pairs->class_of)
        return ct_no_memory(err, "pairs of nodes");
    for (uint32_t from = 0; from < n; from++)
        for (uint32_t to = 0; to < n; to++)
            pairs->class_of[(size_t)from * n + to] =
                from == to ? inside : class_between(maker, maker->nodes[from], maker->nodes[to]);
    return CT_OK;
}

static enum ct_status make_pairs(struct maker *maker, struct ct_error *err)
{
    struct ct_pair_parameters *parameters = maker->parameters;
    parameters->S_bytes = parameters->links.links[0].S_bytes;
    parameters->has_paths = maker->paths.n > 0;
    CT_TRY(list_nodes(maker, err));
    CT_TRY(make_classes(maker, err));
    if (parameters->pairs.n_classes == 0)
        return ct_fail(err, CT_ENODATA, "none of its pairs is on one of its paths");
    return place_classes(maker, err);
}

enum ct_status ct_pair_parameters_of_run(const struct ct_run *run,
                                         const struct ct_pair_given *given,
                                         struct ct_pair_parameters *parameters_p,
                                         struct ct_error *err)
{
    struct ct_pair_parameters parameters = {.S_bytes = 0};
    struct maker maker = {.given = given, .parameters = &parameters};
    enum ct_status status = CT_OK;
    if (run->info.kind != CT_RUN_LOGP)
        status = ct_fail(err, CT_EINVAL, "a run of kind %s; logpb makes runs of kind %s",
                         ct_run_kind_text(run->info.kind), ct_run_kind_text(CT_RUN_LOGP));
    if (status == CT_OK)
        status = take_paths(run, &maker.paths, err);
    if (status == CT_OK)
        status = ct_logp_links_take(run, 0, &parameters.links, err);
    if (status == CT_OK)
        status = make_pairs(&maker, err);
    if (status == CT_OK && !(parameters.hosts = strdup(run->info.hosts ? run->info.hosts : "")))
        status = ct_no_memory(err, "pairs of nodes");
    free(maker.paths.rows);
    free(maker.nodes);
    if (status == CT_OK)
        *parameters_p = parameters;
    else
        ct_pair_parameters_free(&parameters);
    return status;
}

enum ct_status ct_pair_parameters_read(const struct ct_pair_given *given,
                                       struct ct_pair_parameters *parameters_p,
                                       struct ct_error *err)
{
    struct ct_run run;
    CT_TRY(ct_run_read(given->path, &run, err));
    enum ct_status status = ct_pair_parameters_of_run(&run, given, parameters_p, err);
    ct_run_free(&run);
    return status == CT_OK ? CT_OK : ct_fail_within(err, status, "%s", given->path);
}

void ct_pair_parameters_free(struct ct_pair_parameters *parameters)
{
    ct_pairs_free(&parameters->pairs);
    free(parameters->classes);
    free(parameters->hosts);
    free(parameters->class_of_link);
    parameters->class_of_link = NULL;
    parameters->classes = NULL;
    parameters->hosts = NULL;
    ct_logp_links_free(&parameters->links);
}
