#include "study/link_load.h"

#include "core/order.h"
#include "core/units.h"
#include "model/constants.h"
#include "model/links/one_way.h"
#include "results/network_settings.h"
#include "study/link_structure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Rows of a pair of nodes with one-way times: by the probes of its first node there and back, by
 * those of its second node back and there. */
enum { THERE, ANSWERS_BACK, BACK, ANSWERS_THERE, WAYS };

/* A run, by pairs of nodes: what probes measured of each path, in the order of time. */
struct probed {
    struct ct_run run;
    struct ct_paths paths;
    bool one_way;       /* WAYS rows a pair; else one */
    bool common_clocks; /* one-way times have no difference of clocks in them */
    double *values_s;
    struct ct_series *rows; /* [n_rows] in values_s */
    double *weight;         /* [n_rows] */
    size_t n_rows;
    size_t *first;    /* [n_rows + 1] of each in column */
    uint32_t *column; /* of paths */
};

static bool is_simulated(const struct ct_run_info *info)
{
    return info->timer && !strcmp(info->timer, "simulated");
}

CT_ORDER(by_pair_and_time, struct ct_sample, pair, t_s)

static int by_prober_and_time(const void *left, const void *right)
{
    const struct ct_sample *a = left, *b = right;
    if (a->pair == b->pair && a->from_b != b->from_b)
        return a->from_b < b->from_b ? -1 : 1;
    return by_pair_and_time(left, right);
}

static void sort_samples(struct ct_run *run, int (*compare)(const void *, const void *))
{
    if (run->n_samples > 0)
        qsort(run->samples, run->n_samples, sizeof *run->samples, compare);
}

/* Whether the way there and the way back are known apart. */
static bool has_one_way_times(const struct ct_run *run)
{
    for (size_t i = 0; i < run->n_samples; i++)
        if (!isfinite(run->samples[i].forward_s) || !isfinite(run->samples[i].sent_s))
            return false;
    return true;
}

static void take_round_trips(struct probed *probed)
{
    sort_samples(&probed->run, by_pair_and_time);
    for (size_t i = 0; i < probed->run.n_samples; i++) {
        const struct ct_sample *sample = &probed->run.samples[i];
        struct ct_series *row = &probed->rows[sample->pair];
        probed->values_s[i] = 2 * sample->latency_s;
        if (row->n++ == 0)
            row->x = &probed->values_s[i];
    }
}

/* Of the samples of a pair, by the clock of its first node: when they were under way, and their
 * times there and back. */
static void take_times(const struct ct_sample *samples, size_t n, double *at_s, double *there_s,
                       double *back_s)
{
    for (size_t i = 0; i < n; i++) {
        double forward_s = samples[i].forward_s;
        double answer_s = 2 * samples[i].latency_s - forward_s;
        /* Half of the difference is that of the clocks, but for the latency. */
        double ahead_s = samples[i].from_b ? (forward_s - answer_s) / 2 : 0;
        at_s[i] = samples[i].sent_s + ahead_s;
        there_s[i] = samples[i].from_b ? answer_s : forward_s;
        back_s[i] = samples[i].from_b ? forward_s : answer_s;
    }
    for (size_t i = n; i-- > 0;)
        at_s[i] -= at_s[0];
}

/* Of each pair its waits there, then those back. at_s: room for all samples */
static void take_ways(struct probed *probed, double *at_s)
{
    struct ct_run *run = &probed->run;
    sort_samples(run, by_prober_and_time);
    for (size_t begin = 0, n; begin < run->n_samples; begin += n) {
        const struct ct_sample *samples = &run->samples[begin];
        double *there_s = probed->values_s + 2 * begin;
        size_t n_first = 0;
        for (n = 0; begin + n < run->n_samples && samples[n].pair == samples->pair; n++)
            n_first += samples[n].from_b ? 0 : 1;
        double *back_s = there_s + n;
        take_times(samples, n, at_s, there_s, back_s);
        if (!probed->common_clocks)
            ct_one_way_waits(at_s, there_s, back_s, n);
        struct ct_series *rows = &probed->rows[(size_t)WAYS * samples->pair];
        rows[THERE] = (struct ct_series){there_s, n_first};
        rows[ANSWERS_BACK] = (struct ct_series){back_s, n_first};
        rows[BACK] = (struct ct_series){back_s + n_first, n - n_first};
        rows[ANSWERS_THERE] = (struct ct_series){there_s + n_first, n - n_first};
        /* Of a pair with one prober, answers are all that is known of one way. */
        double *weights = &probed->weight[(size_t)WAYS * samples->pair];
        if (n_first > 0 && n_first < n)
            weights[ANSWERS_BACK] = weights[ANSWERS_THERE] =
                ct_model_constant(CT_MODEL_LINK_ANSWER);
    }
}

static bool is_answer(size_t row)
{
    return row % WAYS == ANSWERS_BACK || row % WAYS == ANSWERS_THERE;
}

/* The least time of probes, or of answers, on paths with so many switches. */
static double least_time_s(const struct probed *probed, uint32_t switches, bool of_answers)
{
    double least_s = INFINITY;
    for (size_t r = 0; r < WAYS * probed->run.n_pairs; r++) {
        const struct ct_series *row = &probed->rows[r];
        if (probed->paths.switches[r / WAYS] == switches && is_answer(r) == of_answers)
            for (size_t i = 0; i < row->n; i++)
                least_s = fmin(least_s, row->x[i]);
    }
    return least_s;
}

/* Times of probes by one clock, less the least of all pairs with as many switches: of the few
 * probes between two nodes all may have waited. Answers apart, which have other constants. */
static void take_common_waits(struct probed *probed)
{
    uint32_t most = 0;
    for (size_t p = 0; p < probed->run.n_pairs; p++)
        most = probed->paths.switches[p] > most ? probed->paths.switches[p] : most;
    for (uint32_t k = 0; k <= most; k++)
        for (int of_answers = 0; of_answers < 2; of_answers++) {
            double least_s = least_time_s(probed, k, of_answers);
            for (size_t r = 0; r < WAYS * probed->run.n_pairs && isfinite(least_s); r++)
                if (probed->paths.switches[r / WAYS] == k && is_answer(r) == of_answers)
                    for (size_t i = 0; i < probed->rows[r].n; i++)
                        probed->values_s[(size_t)(probed->rows[r].x - probed->values_s) + i] -=
                            least_s;
        }
}

/* Which directions each row passes, and sees: flows do not see all. */
static void set_rows(struct probed *probed, const struct ct_topology *topology)
{
    bool are_flows = is_simulated(&probed->run.info);
    const struct ct_paths *paths = &probed->paths;
    size_t n_rows = 0, n = 0;
    for (size_t p = 0; p < probed->run.n_pairs; p++)
        for (int way = 0; way < (probed->one_way ? WAYS : 1); way++) {
            bool goes_back = probed->one_way && (way == ANSWERS_BACK || way == BACK);
            bool goes_there = way == THERE || way == ANSWERS_THERE;
            size_t begin = goes_back ? paths->back[p] : paths->first[p];
            size_t end = probed->one_way && goes_there ? paths->back[p] : paths->first[p + 1];
            probed->first[n_rows] = n;
            probed->weight[n_rows++] = 1;
            for (size_t i = begin; i < end; i++)
                if (!are_flows || ct_link_is_seen(topology, paths, paths->column + begin,
                                                  end - begin, paths->column[i]))
                    probed->column[n++] = paths->column[i];
        }
    probed->first[n_rows] = n;
    probed->n_rows = n_rows;
}

static enum ct_status take_rows(struct probed *probed, const struct ct_topology *topology,
                                bool one_way, struct ct_error *err)
{
    const struct ct_run *run = &probed->run;
    size_t n_rows = (one_way ? WAYS : 1) * run->n_pairs + 1;
    size_t n_columns = (one_way ? 2 : 1) * probed->paths.first[run->n_pairs] + 1;
    double *at_s = malloc((run->n_samples + 1) * sizeof *at_s);
    probed->one_way = one_way;
    const char *clocks = ct_run_text(&run->info, CT_RUN_CLOCKS);
    probed->common_clocks = clocks && !strcmp(clocks, CT_RUN_CLOCKS_COMMON);
    probed->values_s = malloc(((one_way ? 2 : 1) * run->n_samples + 1) * sizeof *probed->values_s);
    probed->rows = calloc(n_rows, sizeof *probed->rows);
    probed->weight = malloc(n_rows * sizeof *probed->weight);
    probed->first = malloc(n_rows * sizeof *probed->first);
    probed->column = malloc(n_columns * sizeof *probed->column);
    bool room = at_s && probed->values_s && probed->rows && probed->weight && probed->first &&
                probed->column;
    if (room)
        set_rows(probed, topology);
    if (room && one_way) {
        take_ways(probed, at_s);
        if (probed->common_clocks)
            take_common_waits(probed);
    } else if (room)
        take_round_trips(probed);
    free(at_s);
    return room ? CT_OK : ct_no_memory(err, "utilization of links");
}

static enum ct_status read_probe(const char *path, struct probed *probed, struct ct_error *err)
{
    *probed = (struct probed){0};
    CT_TRY(ct_run_read(path, &probed->run, err));
    if (probed->run.info.kind != CT_RUN_IMPACT)
        return ct_fail(err, CT_EINVAL, "%s: a run of the kind '%s', not of impactb", path,
                       ct_run_kind_text(probed->run.info.kind));
    return CT_OK;
}

static enum ct_status follow_paths(const char *path, struct ct_run_network *network,
                                   struct probed *probed, struct ct_error *err)
{
    struct ct_node_pair *pairs = NULL;
    enum ct_status status = ct_run_network_pairs(network, &probed->run, &pairs, err);
    if (status == CT_OK)
        status = ct_paths_make(network->router, &network->topology, pairs, probed->run.n_pairs,
                               &probed->paths, err);
    free(pairs);
    return status == CT_OK ? CT_OK : ct_fail_within(err, status, "%s", path);
}

static void free_probed(struct probed *probed)
{
    ct_run_free(&probed->run);
    ct_paths_free(&probed->paths);
    free(probed->values_s);
    free(probed->rows);
    free(probed->weight);
    free(probed->first);
    free(probed->column);
}

/* ---- path classes ---- */

struct classes {
    uint32_t *of_row;       /* of the loaded run */
    uint32_t *switches;     /* of each class */
    struct ct_series *idle; /* of each class */
    double *values_s;       /* of all, by class and time */
    size_t n;
};

static uint32_t switches_of(const struct probed *probed, size_t row)
{
    return probed->paths.switches[probed->one_way ? row / WAYS : row];
}

static void number_classes(const struct probed *loaded, struct classes *classes)
{
    for (size_t r = 0; r < loaded->n_rows; r++) {
        size_t k = 0;
        while (k < classes->n && classes->switches[k] != switches_of(loaded, r))
            k++;
        if (k == classes->n)
            classes->switches[classes->n++] = switches_of(loaded, r);
        classes->of_row[r] = (uint32_t)k;
    }
}

/* Idle times of a class, row by row. */
static enum ct_status take_idle(const struct probed *idle, struct classes *classes,
                                struct ct_error *err)
{
    size_t n = 0;
    for (size_t k = 0; k < classes->n; k++) {
        classes->idle[k].x = classes->values_s + n;
        for (size_t r = 0; r < idle->n_rows; r++)
            if (switches_of(idle, r) == classes->switches[k]) {
                const struct ct_series *row = &idle->rows[r];
                if (row->n > 0)
                    memcpy(classes->values_s + n, row->x, row->n * sizeof *row->x);
                n += row->n;
                classes->idle[k].n += row->n;
            }
        if (classes->idle[k].n == 0)
            return ct_fail(err, CT_ENODATA,
                           "the idle run has no probe between nodes with %u switches between them: "
                           "probe the same nodes",
                           classes->switches[k]);
    }
    return CT_OK;
}

static enum ct_status make_classes(const struct probed *loaded, const struct probed *idle,
                                   struct classes *classes, struct ct_error *err)
{
    size_t n = loaded->n_rows + 1, n_values = (idle->one_way ? 2 : 1) * idle->run.n_samples;
    *classes = (struct classes){.of_row = malloc(n * sizeof *classes->of_row),
                                .switches = malloc(n * sizeof *classes->switches),
                                .idle = calloc(n, sizeof *classes->idle),
                                .values_s = malloc((n_values + 1) * sizeof *classes->values_s)};
    if (!classes->of_row || !classes->switches || !classes->idle || !classes->values_s)
        return ct_no_memory(err, "utilization of links");
    number_classes(loaded, classes);
    return take_idle(idle, classes, err);
}

static void free_classes(struct classes *classes)
{
    free(classes->of_row);
    free(classes->switches);
    free(classes->idle);
    free(classes->values_s);
}

/* ---- the whole ---- */

/* Of a probe on a link, if its size and the links' rate are known; else 0. */
static double own_time_s(const struct probed *loaded, const struct ct_link_load *load)
{
    const struct ct_topology *topology = &load->network.topology;
    const char *size = ct_run_text(&loaded->run.info, "option_message_size");
    double least_bit_per_s = INFINITY;
    size_t bytes;
    for (uint32_t i = 0; i < topology->n_links; i++)
        least_bit_per_s = fmin(least_bit_per_s, topology->links[i].rate_bit_per_s);
    if (!size || ct_parse_size(size, &bytes, NULL) != CT_OK || !(least_bit_per_s > 0))
        return 0;
    return 8 * (double)bytes / least_bit_per_s;
}

/* A time is the difference of two readings, and so is the least one that is subtracted. */
static double resolution_of(const struct ct_run_info *info)
{
    return info->timer_resolution_s > 0 ? 2 * info->timer_resolution_s : 0;
}

static enum ct_status solve_links(const struct ct_link_load_settings *settings,
                                  const struct probed *loaded, const struct classes *classes,
                                  const struct ct_link_structure *structure,
                                  struct ct_link_load *load, struct ct_error *err)
{
    const struct ct_link_system system = {
        .n_directions = loaded->paths.n_columns,
        .kind = structure->kind,
        .relative_rate = structure->relative_rate,
        .paths = {loaded->n_rows, loaded->first, loaded->column, NULL},
        .balances = structure->balances};
    const struct ct_link_probes probes = {.loaded = loaded->rows,
                                          .weight_of_row = loaded->weight,
                                          .class_of_row = classes->of_row,
                                          .idle = classes->idle,
                                          .are_flows = is_simulated(&loaded->run.info),
                                          .own_s = own_time_s(loaded, load),
                                          .resolution_s = resolution_of(&loaded->run.info),
                                          .n_classes = classes->n};
    load->group = malloc((system.n_directions + 1) * sizeof *load->group);
    load->is_open = malloc((system.n_directions + 1) * sizeof *load->is_open);
    if (!load->group || !load->is_open)
        return ct_no_memory(err, "utilization of links");
    CT_TRY(ct_links_group(&system, load->group, load->is_open, &load->n_groups, err));
    load->estimates = calloc(load->n_groups + 1, sizeof *load->estimates);
    if (!load->estimates)
        return ct_no_memory(err, "utilization of links");
    return ct_links_estimate(&system, load->group, load->n_groups, &probes, &settings->setup,
                             load->estimates, &load->dependence, err);
}

/* Where the topology has none. */
static void set_rates(const struct ct_link_load_settings *settings, struct ct_topology *topology)
{
    double uplink_bit_per_s = isnan(settings->uplink_rate_bit_per_s)
                                  ? settings->rate_bit_per_s
                                  : settings->uplink_rate_bit_per_s;
    for (uint32_t i = 0; i < topology->n_links; i++) {
        struct ct_link *link = &topology->links[i];
        bool has_node = link->end[0] < topology->n_nodes || link->end[1] < topology->n_nodes;
        if (isnan(link->rate_bit_per_s))
            link->rate_bit_per_s = has_node ? settings->rate_bit_per_s : uplink_bit_per_s;
    }
}

static enum ct_status analyse_links(const struct ct_link_load_settings *settings,
                                    struct probed *idle, struct probed *loaded,
                                    struct ct_link_load *load, struct ct_error *err)
{
    struct classes classes = {0};
    struct ct_link_structure structure = {0};
    enum ct_status status =
        ct_run_network_open(&loaded->run.info, settings->topology, &load->network, err);
    if (status != CT_OK)
        return ct_fail_within(err, status, "%s", settings->loaded_path);
    set_rates(settings, &load->network.topology);
    status = follow_paths(settings->loaded_path, &load->network, loaded, err);
    if (status == CT_OK)
        status = follow_paths(settings->idle_path, &load->network, idle, err);
    load->one_way =
        !settings->round_trips && has_one_way_times(&idle->run) && has_one_way_times(&loaded->run);
    if (status == CT_OK)
        status = take_rows(idle, &load->network.topology, load->one_way, err);
    if (status == CT_OK)
        status = take_rows(loaded, &load->network.topology, load->one_way, err);
    if (status == CT_OK)
        status = ct_link_structure_make(&load->network.topology, &loaded->paths, &structure, err);
    if (status == CT_OK)
        status = make_classes(loaded, idle, &classes, err);
    if (status == CT_OK)
        status = solve_links(settings, loaded, &classes, &structure, load, err);
    free_classes(&classes);
    ct_link_structure_free(&structure);
    return status;
}

enum ct_status ct_link_load_estimate(const struct ct_link_load_settings *settings,
                                     struct ct_link_load *load_p, struct ct_error *err)
{
    struct probed idle = {0}, loaded = {0};
    *load_p = (struct ct_link_load){0};
    enum ct_status status = read_probe(settings->idle_path, &idle, err);
    if (status == CT_OK)
        status = read_probe(settings->loaded_path, &loaded, err);
    if (status == CT_OK)
        status = analyse_links(settings, &idle, &loaded, load_p, err);
    if (status == CT_OK)
        status = ct_network_settings_compare_files(settings->idle_path, settings->loaded_path,
                                                   &load_p->differences, err);
    load_p->n_idle = idle.run.n_samples;
    load_p->n_loaded = loaded.run.n_samples;
    load_p->paths = loaded.paths;
    loaded.paths = (struct ct_paths){0};
    free_probed(&idle);
    free_probed(&loaded);
    return status;
}

void ct_link_load_free(struct ct_link_load *load)
{
    ct_run_network_close(&load->network);
    ct_paths_free(&load->paths);
    free(load->group);
    free(load->is_open);
    free(load->estimates);
    ct_argv_free(&load->differences);
    *load = (struct ct_link_load){0};
}

double *ct_link_load_picture(const struct ct_link_load *load)
{
    size_t n = 2 * (size_t)load->network.topology.n_links;
    double *busy = malloc((n + 1) * sizeof *busy);
    for (size_t d = 0; busy && d < n; d++)
        busy[d] = NAN;
    for (size_t c = 0; busy && c < load->paths.n_columns; c++)
        busy[load->paths.direction[c]] = load->estimates[load->group[c]].busy_frac;
    return busy;
}
