/* The rounds of a scan: rows of run files become cells. */
#include "study/scan.h"

#include "core/array.h"
#include "core/stats.h"
#include "results/checkpoint.h"
#include "results/run.h"
#include "study/scan_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A sample with its nodes as the scan numbers them. */
struct place {
    double t_s, value_s;
    size_t node_a, node_b;
    int path_class;
};

/* ---- nodes ---- */

/* Numbers of a run's hosts in the scan. Virtual nodes of one machine have the same name: the second
 * host of a name is the second node of it. @param node_of_p  [out] free() */
static enum ct_status match_hosts(const struct ct_scan *scan, const char *hosts, size_t n_hosts,
                                  size_t **node_of_p, struct ct_error *err)
{
    struct ct_argv names = {0};
    bool *is_taken = calloc(scan->n_nodes, sizeof *is_taken);
    size_t *node_of = calloc(n_hosts + 1, sizeof *node_of);
    enum ct_status status = ct_argv_split(&names, hosts, err);
    if (status == CT_OK && (!is_taken || !node_of || names.failed))
        status = ct_no_memory(err, "hosts");
    for (size_t h = 0; h < names.n && status == CT_OK; h++) {
        size_t node = 0;
        while (node < scan->n_nodes &&
               (is_taken[node] || strcmp(scan->nodes[node].name, names.item[h]) != 0))
            node++;
        if (node == scan->n_nodes)
            status = ct_fail(err, CT_EINVAL, "host %s is no node of this scan", names.item[h]);
        else
            is_taken[node] = true;
        node_of[h] = node;
    }
    ct_argv_free(&names);
    free(is_taken);
    if (status == CT_OK)
        *node_of_p = node_of;
    else
        free(node_of);
    return status;
}

static enum ct_status take_canaries(const struct ct_run *run, const size_t *node_of, size_t n_hosts,
                                    struct ct_scan_round *round, struct ct_error *err)
{
    const char *text = ct_run_text(&run->info, CT_RUN_SCAN_CANARIES);
    char *end;
    while (text && *text) {
        unsigned long host = strtoul(text, &end, 10);
        if (end == text || host >= n_hosts || round->is_canary[node_of[host]])
            return ct_fail(err, CT_EFORMAT, "attribute '%s' is no list of hosts",
                           CT_RUN_SCAN_CANARIES);
        round->is_canary[node_of[host]] = true;
        round->n_canaries++;
        text = end + strspn(end, " ");
    }
    return round->n_canaries >= 2
               ? CT_OK
               : ct_fail(err, CT_EFORMAT, "attribute '%s' has fewer than two hosts",
                         CT_RUN_SCAN_CANARIES);
}

/* ---- cells ---- */

static int by_time(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    return (x->t_s > y->t_s) - (x->t_s < y->t_s);
}

static int by_class(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    return x->path_class != y->path_class ? (x->path_class > y->path_class ? 1 : -1)
                                          : by_time(a, b);
}

static int by_pair(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    if (x->node_a != y->node_a)
        return x->node_a > y->node_a ? 1 : -1;
    if (x->node_b != y->node_b)
        return x->node_b > y->node_b ? 1 : -1;
    return (x->value_s > y->value_s) - (x->value_s < y->value_s);
}

/* A copy of the times, which the scan owns. NULL: out of memory. */
static const double *keep_samples(struct ct_scan *scan, const struct place *places, size_t n)
{
    double *samples = malloc((n + 1) * sizeof *samples);
    if (!samples || !CT_ARRAY_RESIZE(scan->sample_blocks, scan->n_sample_blocks + 1)) {
        free(samples);
        return NULL;
    }
    for (size_t i = 0; i < n; i++)
        samples[i] = places[i].value_s;
    scan->sample_blocks[scan->n_sample_blocks++] = samples;
    return samples;
}

/* The pairs of a cell with their medians. Reorders the places. */
static enum ct_status find_pairs(struct place *places, size_t n, struct ct_scan_cell *cell)
{
    qsort(places, n, sizeof *places, by_pair);
    for (size_t from = 0, to; from < n; from = to) {
        for (to = from + 1; to < n && places[to].node_a == places[from].node_a &&
                            places[to].node_b == places[from].node_b;
             to++)
            continue;
        if (!CT_ARRAY_RESIZE(cell->pairs, cell->n_pairs + 1))
            return CT_ENOMEM;
        double lower = places[from + (to - from - 1) / 2].value_s;
        double upper = places[from + (to - from) / 2].value_s;
        cell->pairs[cell->n_pairs++] = (struct ct_scan_pair){.node_a = places[from].node_a,
                                                             .node_b = places[from].node_b,
                                                             .path_class = places[from].path_class,
                                                             .n_samples = to - from,
                                                             .median_s = (lower + upper) / 2};
    }
    return CT_OK;
}

/* Appends a cell like `model` with these places, in the order of time. Reorders them. */
static enum ct_status add_cell(struct ct_scan *scan, const struct ct_scan_cell *model,
                               int path_class, struct place *places, size_t n)
{
    if (!CT_ARRAY_RESIZE(scan->cells, scan->n_cells + 1))
        return CT_ENOMEM;
    struct ct_scan_cell *cell = &scan->cells[scan->n_cells++];
    *cell = *model;
    cell->path_class = path_class;
    cell->samples_s = keep_samples(scan, places, n);
    cell->n_samples = n;
    if (!cell->samples_s)
        return CT_ENOMEM;
    return ct_scan_has_pairs(cell->canary) ? find_pairs(places, n, cell) : CT_OK;
}

/* All of the cell, then each class that is known. */
static enum ct_status add_classes(struct ct_scan *scan, const struct ct_scan_cell *model,
                                  struct place *places, size_t n)
{
    qsort(places, n, sizeof *places, by_time);
    enum ct_status status = add_cell(scan, model, -1, places, n);
    if (!ct_scan_has_pairs(model->canary))
        return status;
    qsort(places, n, sizeof *places, by_class);
    for (size_t from = 0, to; from < n && status == CT_OK; from = to) {
        int class = places[from].path_class;
        for (to = from + 1; to < n && places[to].path_class == class;)
            to++;
        if (class > 0)
            status = add_cell(scan, model, class, places + from, to - from);
    }
    return status;
}

static struct ct_scan_cell make_model(const struct ct_scan_cell_row *row, size_t round,
                                      size_t n_congestors)
{
    double rate = row->congestor_s > 0 ? (double)row->congestor_bytes / row->congestor_s : 0;
    return (struct ct_scan_cell){.canary = (enum ct_scan_canary)row->canary,
                                 .setting = {.congestor = (enum ct_scan_congestor)row->congestor,
                                             .burst_s = row->burst_s,
                                             .pause_s = row->pause_s,
                                             .intensity = row->intensity,
                                             .partners = row->partners,
                                             .messages = row->messages},
                                 .round = round,
                                 .bytes = row->bytes,
                                 .start_s = row->start_s,
                                 .duration_s = row->duration_s,
                                 .congestor_bytes_per_s = rate,
                                 .congestor_node_bytes_per_s =
                                     n_congestors > 0 ? rate / (double)n_congestors : 0};
}

/* The samples of a cell; their nodes in the order of the scan. */
static size_t take_places(const struct ct_scan *scan, const struct ct_run *run, size_t cell,
                          const size_t *node_of, struct place *places)
{
    size_t n = 0;
    for (size_t i = 0; i < run->n_scan_samples; i++) {
        const struct ct_scan_sample *sample = &run->scan_samples[i];
        if (sample->cell != cell)
            continue;
        size_t a = node_of[sample->node_a], b = node_of[sample->node_b];
        places[n++] = (struct place){.t_s = sample->t_s,
                                     .value_s = sample->value_s,
                                     .node_a = a < b ? a : b,
                                     .node_b = a < b ? b : a,
                                     .path_class = scan->path_class[a * scan->n_nodes + b]};
    }
    return n;
}

static enum ct_status check_rows(const struct ct_run *run, size_t n_hosts, struct ct_error *err)
{
    for (size_t c = 0; c < run->n_scan_cells; c++)
        if (run->scan_cells[c].canary >= CT_N_SCAN_MEASURED ||
            run->scan_cells[c].congestor >= CT_N_SCAN_LOADS)
            return ct_fail(err, CT_EFORMAT, "/scan_cells, row %zu: no canary or congestor", c);
    for (size_t i = 0; i < run->n_scan_samples; i++) {
        const struct ct_scan_sample *sample = &run->scan_samples[i];
        if (sample->cell >= run->n_scan_cells || sample->node_a >= n_hosts ||
            sample->node_b >= n_hosts)
            return ct_fail(err, CT_EFORMAT, "/scan_samples, row %zu: no cell or host", i);
    }
    return CT_OK;
}

static enum ct_status add_cells(struct ct_scan *scan, const struct ct_run *run,
                                const size_t *node_of, size_t n_congestors, struct ct_error *err)
{
    struct place *places = malloc((run->n_scan_samples + 1) * sizeof *places);
    enum ct_status status = places ? CT_OK : CT_ENOMEM;
    for (size_t c = 0; c < run->n_scan_cells && status == CT_OK; c++) {
        struct ct_scan_cell model = make_model(&run->scan_cells[c], scan->n_rounds, n_congestors);
        size_t n = take_places(scan, run, c, node_of, places);
        if (n > 0)
            status = add_classes(scan, &model, places, n);
    }
    free(places);
    return status == CT_OK ? CT_OK : ct_no_memory(err, "cells of a round");
}

/* ---- rounds ---- */

static enum ct_status describe_round(const struct ct_scan *scan, const struct ct_run *run,
                                     const char *path, const size_t *node_of, size_t n_hosts,
                                     struct ct_scan_round *round, struct ct_error *err)
{
    *round = (struct ct_scan_round){
        .path = strdup(path),
        .started_utc = strdup(run->info.started_utc),
        .seed = run->info.seed,
        .is_canary = calloc(scan->n_nodes, sizeof *round->is_canary),
        .is_interrupted =
            ct_run_number(&run->info, CT_CHECKPOINT_FACT) > 0 ||
            !((double)run->n_scan_cells >= ct_run_number(&run->info, CT_RUN_SCAN_PLANNED)),
        .wait_frac = ct_run_number(&run->info, "cpu_measured_wait_frac"),
        .stolen_frac = ct_run_number(&run->info, "cpu_measured_stolen_frac")};
    if (!round->path || !round->started_utc || !round->is_canary)
        return ct_no_memory(err, "round");
    enum ct_status status = take_canaries(run, node_of, n_hosts, round, err);
    round->is_survey = round->n_canaries == n_hosts;
    return status;
}

static enum ct_status add_round(struct ct_scan *scan, const struct ct_run *run, const char *path,
                                struct ct_error *err)
{
    size_t *node_of = NULL, n_hosts = ct_run_count_hosts(&run->info);
    if (!CT_ARRAY_RESIZE(scan->rounds, scan->n_rounds + 1))
        return ct_no_memory(err, "rounds");
    struct ct_scan_round *round = &scan->rounds[scan->n_rounds];
    *round = (struct ct_scan_round){0};
    enum ct_status status = match_hosts(scan, run->info.hosts, n_hosts, &node_of, err);
    if (status == CT_OK)
        status = check_rows(run, n_hosts, err);
    if (status == CT_OK)
        status = describe_round(scan, run, path, node_of, n_hosts, round, err);
    if (status == CT_OK)
        status = add_cells(scan, run, node_of, n_hosts - round->n_canaries, err);
    free(node_of);
    if (status == CT_OK) {
        scan->n_rounds++;
    } else {
        free(round->path);
        free(round->started_utc);
        free(round->is_canary);
    }
    return status;
}

/* One that cannot be used is noted. */
static enum ct_status read_round(struct ct_scan *scan, const struct ct_run_entry *entry,
                                 struct ct_error *err)
{
    struct ct_run run;
    struct ct_error why;
    if (entry->info.kind != CT_RUN_SCAN)
        return CT_OK;
    enum ct_status status = ct_run_read_entry(entry, &run, &why);
    if (status == CT_OK) {
        status = add_round(scan, &run, entry->path, &why);
        ct_run_free(&run);
    }
    if (status == CT_ENOMEM)
        return ct_no_memory(err, "%s", entry->path);
    if (status != CT_OK)
        ct_argv_add(&scan->notes, "%s: left out: %s", entry->path, why.text);
    return CT_OK;
}

size_t ct_scan_window_bytes(const struct ct_scan *scan)
{
    for (size_t c = 0; c < scan->n_cells; c++)
        if (scan->cells[c].canary == CT_SCAN_BANDWIDTH)
            return scan->cells[c].bytes;
    return 0;
}

enum ct_status ct_scan_load(const char *dir, struct ct_scan *scan_p, struct ct_error *err)
{
    struct ct_scan scan;
    struct ct_run_list list;
    enum ct_status status = ct_scan_file_read(dir, &scan, err);
    if (status != CT_OK)
        return status;
    status = ct_run_list_read(dir, &list, err);
    if (status == CT_OK) {
        for (size_t i = 0; i < list.n_rejected; i++)
            ct_argv_add(&scan.notes, "%s", list.rejected[i]);
        for (size_t i = 0; i < list.n_entries && status == CT_OK; i++)
            status = read_round(&scan, &list.entries[i], err);
        ct_run_list_free(&list);
    }
    if (status == CT_OK && scan.n_rounds == 0)
        status = ct_fail(err, CT_ENODATA, "%s: no round of a scan can be read%s%s", dir,
                         scan.notes.n > 0 ? ": " : "", scan.notes.n > 0 ? scan.notes.item[0] : "");
    if (status == CT_OK && scan.notes.failed)
        status = ct_no_memory(err, "%s", dir);
    if (status == CT_OK)
        *scan_p = scan;
    else
        ct_scan_free(&scan);
    return status;
}
