#include "study/scan_factors.h"

#include "core/array.h"
#include "core/distribution.h"
#include "study/constants.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const ct_scan_statistic_keys[CT_N_SCAN_STATISTICS] = {"mean", "median", "p99"};

static const struct ct_scan_setting alone = {.congestor = CT_SCAN_WITH_NONE, .intensity = 1};

/* ---- a row ---- */

static bool is_cell_of(const struct ct_scan_cell *cell, size_t round,
                       const struct ct_scan_case *wanted, int path_class)
{
    return cell->round == round && cell->canary == wanted->canary &&
           cell->path_class == path_class && ct_scan_setting_same(&cell->setting, &wanted->setting);
}

/* Statistics of all times of a case in a round. @param room  [out] for all samples of the scan
 * @return how many times; 0: none */
static size_t reduce_times(const struct ct_scan *scan, size_t round,
                           const struct ct_scan_case *wanted, int path_class, double *room,
                           double value_s[CT_N_SCAN_STATISTICS])
{
    size_t n = 0;
    for (size_t c = 0; c < scan->n_cells; c++) {
        const struct ct_scan_cell *cell = &scan->cells[c];
        if (is_cell_of(cell, round, wanted, path_class) && cell->n_samples > 0) {
            memcpy(room + n, cell->samples_s, cell->n_samples * sizeof *room);
            n += cell->n_samples;
        }
    }
    struct ct_summary summary;
    if (ct_stats_summarize(room, n, &summary) != CT_OK || !(summary.min > 0))
        return 0;
    ct_stats_sort(room, n);
    value_s[CT_SCAN_MEAN] = summary.mean;
    ct_stats_quantile(room, n, 0.5, &value_s[CT_SCAN_MEDIAN]);
    ct_stats_quantile(room, n, 0.99, &value_s[CT_SCAN_P99]);
    return n;
}

static struct ct_scan_factor reduce_logs(const double *logs, size_t n)
{
    struct ct_scan_factor factor = {.value = NAN, .interval = {NAN, NAN}};
    struct ct_summary summary;
    if (ct_stats_summarize(logs, n, &summary) != CT_OK)
        return factor;
    factor.value = exp(summary.mean);
    struct ct_interval interval;
    if (ct_stats_mean_interval(logs, n, ct_study_constant(CT_STUDY_SCAN_LEVEL), &interval) == CT_OK)
        factor.interval = (struct ct_interval){exp(interval.lo), exp(interval.hi)};
    return factor;
}

static size_t count_samples(const struct ct_scan *scan)
{
    size_t n = 0;
    for (size_t c = 0; c < scan->n_cells; c++)
        n += scan->cells[c].n_samples;
    return n;
}

static double mean_rate(const struct ct_scan *scan, const struct ct_scan_case *wanted,
                        int path_class)
{
    double sum = 0;
    size_t n = 0;
    for (size_t c = 0; c < scan->n_cells; c++)
        if (is_cell_of(&scan->cells[c], scan->cells[c].round, wanted, path_class)) {
            sum += scan->cells[c].congestor_node_bytes_per_s;
            n++;
        }
    return n > 0 ? sum / (double)n : NAN;
}

/* @param room  [out] for all samples; @param logs  [out] n_rounds of each statistic */
static void fill_row(const struct ct_scan *scan, struct ct_scan_row *row, double *room,
                     double *logs)
{
    const struct ct_scan_case baseline = {row->scan_case.canary, alone};
    bool is_baseline = row->scan_case.setting.congestor == CT_SCAN_WITH_NONE;
    for (size_t round = 0; round < scan->n_rounds; round++) {
        double beside_s[CT_N_SCAN_STATISTICS], alone_s[CT_N_SCAN_STATISTICS] = {1, 1, 1};
        if (scan->rounds[round].is_survey)
            continue;
        size_t n = reduce_times(scan, round, &row->scan_case, row->path_class, room, beside_s);
        if (n == 0 ||
            (!is_baseline && !reduce_times(scan, round, &baseline, row->path_class, room, alone_s)))
            continue;
        for (size_t i = 0; i < CT_N_SCAN_STATISTICS; i++)
            logs[i * scan->n_rounds + row->n_rounds] = log(beside_s[i] / alone_s[i]);
        row->n_rounds++;
        row->n_samples += n;
    }
    for (size_t i = 0; i < CT_N_SCAN_STATISTICS; i++)
        row->at[i] = reduce_logs(logs + i * scan->n_rounds, row->n_rounds);
    row->node_bytes_per_s = mean_rate(scan, &row->scan_case, row->path_class);
}

enum ct_status ct_scan_row_make(const struct ct_scan *scan, const struct ct_scan_case *scan_case,
                                int path_class, struct ct_scan_row *row_p, struct ct_error *err)
{
    struct ct_scan_row row = {.scan_case = *scan_case, .path_class = path_class};
    double *room = malloc((count_samples(scan) + 1) * sizeof *room);
    double *logs = calloc(CT_N_SCAN_STATISTICS * (scan->n_rounds + 1), sizeof *logs);
    bool is_done = room && logs;
    if (is_done)
        fill_row(scan, &row, room, logs);
    free(room);
    free(logs);
    if (!is_done)
        return ct_no_memory(err, "factors");
    *row_p = row;
    return CT_OK;
}

const struct ct_scan_row *ct_scan_sheet_find(const struct ct_scan_sheet *sheet,
                                             const struct ct_scan_case *scan_case, int path_class)
{
    for (size_t i = 0; i < sheet->n_rows; i++)
        if (sheet->rows[i].scan_case.canary == scan_case->canary &&
            sheet->rows[i].path_class == path_class &&
            ct_scan_setting_same(&sheet->rows[i].scan_case.setting, &scan_case->setting))
            return &sheet->rows[i];
    return NULL;
}

/* Of a canary together, steady congestors first, all paths before their classes. */
static int compare_rows(const void *a, const void *b)
{
    const struct ct_scan_row *x = a, *y = b;
    const struct ct_scan_setting *s = &x->scan_case.setting, *t = &y->scan_case.setting;
    const double keys[][2] = {{x->scan_case.canary, y->scan_case.canary},
                              {s->burst_s > 0, t->burst_s > 0},
                              {t->intensity, s->intensity},
                              {s->congestor, t->congestor},
                              {s->partners, t->partners},
                              {s->messages, t->messages},
                              {s->burst_s, t->burst_s},
                              {s->pause_s, t->pause_s},
                              {x->path_class, y->path_class}};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (keys[i][0] < keys[i][1] || keys[i][0] > keys[i][1])
            return keys[i][0] < keys[i][1] ? -1 : 1;
    return 0;
}

static enum ct_status make_rows(const struct ct_scan *scan, struct ct_scan_sheet *sheet,
                                struct ct_error *err)
{
    size_t room = 0;
    for (size_t c = 0; c < scan->n_cells; c++) {
        const struct ct_scan_cell *cell = &scan->cells[c];
        const struct ct_scan_case scan_case = {cell->canary, cell->setting};
        struct ct_scan_row row;
        if (ct_scan_sheet_find(sheet, &scan_case, cell->path_class) ||
            scan->rounds[cell->round].is_survey)
            continue;
        enum ct_status status = ct_scan_row_make(scan, &scan_case, cell->path_class, &row, err);
        if (status != CT_OK)
            return status;
        if (row.n_rounds == 0)
            continue;
        if (!CT_ARRAY_RESERVE(sheet->rows, room, sheet->n_rows + 1))
            return ct_no_memory(err, "factors");
        sheet->rows[sheet->n_rows++] = row;
    }
    if (sheet->n_rows > 0)
        qsort(sheet->rows, sheet->n_rows, sizeof *sheet->rows, compare_rows);
    return CT_OK;
}

/* ---- the score ---- */

size_t ct_scan_score_cells(void)
{
    return (size_t)CT_N_SCAN_CANARIES * ((size_t)CT_N_SCAN_CONGESTORS - 1);
}

bool ct_scan_is_steady(const struct ct_scan_setting *setting)
{
    return setting->congestor != CT_SCAN_WITH_NONE && setting->congestor < CT_N_SCAN_CONGESTORS &&
           !(setting->burst_s > 0) && !(setting->intensity < 1);
}

/* Of logarithms of factors, and of halves of their intervals. */
struct sum {
    double log, half;
    size_t n;
};

static void add_mean(struct sum *sum, const struct sum *of)
{
    if (of->n == 0)
        return;
    sum->log += of->log / (double)of->n;
    sum->half += of->half / (double)of->n;
    sum->n++;
}

static void add_factor(struct sum *sum, const struct ct_scan_row *row)
{
    const struct ct_scan_factor *factor = &row->at[CT_SCAN_MEAN];
    sum->log += log(factor->value);
    sum->half += log(factor->interval.hi / factor->interval.lo) / 2;
    sum->n++;
}

enum { CLASS_ROUNDS = 2 }; /* from which an interval can be made */

/* The path classes of a cell, each with the same weight: among more nodes fewer pairs are near.
 * Where no class is known, all pairs.
 * @param all  [in] its row of all pairs */
static struct sum sum_classes(const struct ct_scan_sheet *sheet, const struct ct_scan_row *all)
{
    struct sum sum = {0};
    for (size_t i = 0; i < sheet->n_rows; i++) {
        const struct ct_scan_row *row = &sheet->rows[i];
        if (row->path_class > 0 && row->n_rounds >= CLASS_ROUNDS &&
            row->scan_case.canary == all->scan_case.canary &&
            ct_scan_setting_same(&row->scan_case.setting, &all->scan_case.setting))
            add_factor(&sum, row);
    }
    if (sum.n == 0)
        add_factor(&sum, all);
    return sum;
}

static struct ct_scan_score make_score(const struct ct_scan_sheet *sheet)
{
    struct ct_scan_score score = {{NAN, {NAN, NAN}}, 0};
    struct sum canaries = {0}, mean = {0};
    for (int canary = 0; canary < CT_N_SCAN_CANARIES; canary++) {
        struct sum cells = {0};
        for (size_t i = 0; i < sheet->n_rows; i++) {
            const struct ct_scan_row *row = &sheet->rows[i];
            if ((int)row->scan_case.canary != canary || row->path_class != -1 ||
                !ct_scan_is_steady(&row->scan_case.setting))
                continue;
            const struct sum classes = sum_classes(sheet, row);
            add_mean(&cells, &classes);
        }
        score.n_cells += cells.n;
        add_mean(&canaries, &cells);
    }
    add_mean(&mean, &canaries);
    if (mean.n > 0)
        score.factor = (struct ct_scan_factor){
            exp(mean.log), {exp(mean.log - mean.half), exp(mean.log + mean.half)}};
    return score;
}

/* ---- paths ---- */

/* A pair beside a congestor, and the sum of the logarithms of its factors. */
struct path {
    size_t node_a, node_b;
    struct ct_scan_setting setting;
    double sum;
    size_t n;
};

/* Median of a pair alone, in a round: the mean of its baselines. */
static double alone_of(const struct ct_scan *scan, size_t round, const struct ct_scan_pair *pair)
{
    const struct ct_scan_case baseline = {CT_SCAN_LATENCY, alone};
    double sum = 0;
    size_t n = 0;
    for (size_t c = 0; c < scan->n_cells; c++) {
        const struct ct_scan_cell *cell = &scan->cells[c];
        for (size_t p = 0; is_cell_of(cell, round, &baseline, -1) && p < cell->n_pairs; p++)
            if (cell->pairs[p].node_a == pair->node_a && cell->pairs[p].node_b == pair->node_b &&
                cell->pairs[p].median_s > 0) {
                sum += cell->pairs[p].median_s;
                n++;
            }
    }
    return n > 0 ? sum / (double)n : NAN;
}

/* @return false: out of memory */
static bool add_path(struct path **paths_p, size_t *n_p, size_t *room_p,
                     const struct ct_scan_cell *cell, const struct ct_scan_pair *pair, double ratio)
{
    size_t i = 0;
    for (; i < *n_p; i++)
        if ((*paths_p)[i].node_a == pair->node_a && (*paths_p)[i].node_b == pair->node_b &&
            ct_scan_setting_same(&(*paths_p)[i].setting, &cell->setting))
            break;
    if (i == *n_p) {
        if (!CT_ARRAY_RESERVE(*paths_p, *room_p, *n_p + 1))
            return false;
        (*paths_p)[(*n_p)++] = (struct path){pair->node_a, pair->node_b, cell->setting, 0, 0};
    }
    (*paths_p)[i].sum += log(ratio);
    (*paths_p)[i].n++;
    return true;
}

enum { WORST_ROUNDS = 2 }; /* the worst of many in one round is chance */

static enum ct_status find_worst(const struct ct_scan *scan, struct ct_scan_worst *worst_p,
                                 struct ct_error *err)
{
    struct path *paths = NULL;
    size_t n = 0, room = 0;
    bool is_enough = true;
    *worst_p = (struct ct_scan_worst){.factor = NAN};
    for (size_t c = 0; c < scan->n_cells && is_enough; c++) {
        const struct ct_scan_cell *cell = &scan->cells[c];
        if (cell->canary != CT_SCAN_LATENCY || cell->path_class != -1 ||
            !ct_scan_is_steady(&cell->setting))
            continue;
        for (size_t p = 0; p < cell->n_pairs && is_enough; p++) {
            double ratio = cell->pairs[p].median_s / alone_of(scan, cell->round, &cell->pairs[p]);
            if (ratio > 0 && isfinite(ratio))
                is_enough = add_path(&paths, &n, &room, cell, &cell->pairs[p], ratio);
        }
    }
    for (size_t i = 0; i < n; i++) {
        double factor = exp(paths[i].sum / (double)paths[i].n);
        if (paths[i].n >= WORST_ROUNDS && !(factor <= worst_p->factor))
            *worst_p = (struct ct_scan_worst){paths[i].node_a, paths[i].node_b, paths[i].setting,
                                              factor, paths[i].n};
    }
    free(paths);
    return is_enough ? CT_OK : ct_no_memory(err, "paths");
}

/* ---- the idle network ---- */

/* The cell of the survey's latencies; NULL: there is no survey. */
static const struct ct_scan_cell *find_survey(const struct ct_scan *scan)
{
    for (size_t c = 0; c < scan->n_cells; c++)
        if (scan->rounds[scan->cells[c].round].is_survey &&
            scan->cells[c].canary == CT_SCAN_LATENCY && scan->cells[c].path_class == -1)
            return &scan->cells[c];
    return NULL;
}

/* @param medians  [out] room for all pairs */
static struct ct_scan_class_health judge_class(const struct ct_scan_cell *cell, int path_class,
                                               double *medians)
{
    struct ct_scan_class_health health = {.path_class = path_class, .most_s = -1};
    for (size_t p = 0; p < cell->n_pairs; p++) {
        const struct ct_scan_pair *pair = &cell->pairs[p];
        if (pair->path_class != path_class)
            continue;
        medians[health.n_pairs++] = pair->median_s;
        if (pair->median_s > health.most_s) {
            health.most_s = pair->median_s;
            health.most_a = pair->node_a;
            health.most_b = pair->node_b;
        }
    }
    health.median_s = ct_stats_median(medians, health.n_pairs);
    health.least_s = medians[0];
    double limit_s = ct_study_constant(CT_STUDY_SCAN_OUTLIER) * health.median_s;
    for (size_t i = 0; i < health.n_pairs; i++)
        health.n_outliers += medians[i] > limit_s;
    return health;
}

static enum ct_status judge_idle(const struct ct_scan *scan, struct ct_scan_sheet *sheet,
                                 struct ct_error *err)
{
    const struct ct_scan_cell *cell = find_survey(scan);
    if (!cell || cell->n_pairs == 0)
        return CT_OK;
    size_t room = 0;
    double *medians = malloc(cell->n_pairs * sizeof *medians);
    enum ct_status status = medians ? CT_OK : ct_no_memory(err, "idle latencies");
    for (size_t p = 0; p < cell->n_pairs && status == CT_OK; p++) {
        bool is_known = false;
        for (size_t i = 0; i < sheet->n_classes; i++)
            is_known = is_known || sheet->classes[i].path_class == cell->pairs[p].path_class;
        if (is_known)
            continue;
        if (!CT_ARRAY_RESERVE(sheet->classes, room, sheet->n_classes + 1))
            status = ct_no_memory(err, "idle latencies");
        else
            sheet->classes[sheet->n_classes++] =
                judge_class(cell, cell->pairs[p].path_class, medians);
    }
    free(medians);
    return status;
}

/* ---- the whole ---- */

enum ct_status ct_scan_sheet_make(const struct ct_scan *scan, struct ct_scan_sheet *sheet_p,
                                  struct ct_error *err)
{
    struct ct_scan_sheet sheet = {0};
    enum ct_status status = make_rows(scan, &sheet, err);
    if (status == CT_OK)
        status = find_worst(scan, &sheet.worst, err);
    if (status == CT_OK)
        status = judge_idle(scan, &sheet, err);
    sheet.score = make_score(&sheet);
    if (status == CT_OK)
        *sheet_p = sheet;
    else
        ct_scan_sheet_free(&sheet);
    return status;
}

void ct_scan_sheet_free(struct ct_scan_sheet *sheet)
{
    free(sheet->rows);
    free(sheet->answers);
    free(sheet->classes);
}

/* Switches of the nodes; 0: one is not known. */
static size_t count_switches(const struct ct_scan *scan)
{
    size_t n = 0;
    for (size_t i = 0; i < scan->n_nodes; i++) {
        bool is_new = true;
        if (!scan->nodes[i].switch_name)
            return 0;
        for (size_t k = 0; k < i; k++)
            is_new = is_new && strcmp(scan->nodes[k].switch_name, scan->nodes[i].switch_name) != 0;
        n += is_new;
    }
    return n;
}

/* What a node gets of its link alone, and what congestor nodes got at most; NaN: not known. */
static void find_rates(const struct ct_scan *scan, const struct ct_scan_sheet *sheet,
                       double *alone_p, double *most_p)
{
    const struct ct_scan_case baseline = {CT_SCAN_BANDWIDTH, alone};
    const struct ct_scan_row *row = ct_scan_sheet_find(sheet, &baseline, -1);
    *alone_p = *most_p = NAN;
    for (size_t c = 0; row && c < scan->n_cells; c++)
        if (scan->cells[c].canary == CT_SCAN_BANDWIDTH)
            *alone_p = (double)scan->cells[c].bytes / row->at[CT_SCAN_MEDIAN].value;
    for (size_t i = 0; i < sheet->n_rows; i++)
        if (ct_scan_is_steady(&sheet->rows[i].scan_case.setting))
            *most_p = fmax(*most_p, sheet->rows[i].node_bytes_per_s);
}

/* A steady cell of all paths that has an interval. */
static bool is_judged(const struct ct_scan_row *row)
{
    return row->path_class == -1 && ct_scan_is_steady(&row->scan_case.setting) &&
           row->n_rounds >= 2;
}

static size_t count_judged(const struct ct_scan_sheet *sheet)
{
    size_t n = 0;
    for (size_t i = 0; i < sheet->n_rows; i++)
        n += is_judged(&sheet->rows[i]);
    return n;
}

/* Half of the interval of a logarithm at a level that n cells share. */
static double shared_half(const struct ct_scan_row *row, size_t n)
{
    double level = ct_study_constant(CT_STUDY_SCAN_LEVEL);
    const struct ct_interval *interval = &row->at[CT_SCAN_MEAN].interval;
    return log(interval->hi / interval->lo) / 2 *
           ct_student_half_width(1 - (1 - level) / (double)n, row->n_rounds - 1) /
           ct_student_half_width(level, row->n_rounds - 1);
}

bool ct_scan_explain_nothing(const struct ct_scan *scan, const struct ct_scan_sheet *sheet,
                             char *text, size_t size)
{
    size_t n = count_judged(sheet), n_switches = count_switches(scan);
    double width = 0, alone_per_s, most_per_s;
    for (size_t i = 0; i < sheet->n_rows; i++) {
        const struct ct_scan_row *row = &sheet->rows[i];
        if (!is_judged(row))
            continue;
        double half = shared_half(row, n);
        if (log(row->at[CT_SCAN_MEAN].value) > half)
            return false;
        width = fmax(width, expm1(half));
    }
    if (n == 0)
        return false;
    find_rates(scan, sheet, &alone_per_s, &most_per_s);
    int used = snprintf(text, size, "No effect can be seen with %zu nodes on this fabric, because ",
                        scan->n_nodes);
    if (used < 0 || (size_t)used >= size)
        return true;
    text += used;
    size -= (size_t)used;
    if (width > scan->asked.half_width_frac)
        snprintf(text, size,
                 "intervals are up to %.2g %% wide on each side: effects below that are hidden. "
                 "Give it more --time.",
                 100 * width);
    else if (n_switches == 1)
        snprintf(text, size,
                 "all of them are behind one switch: nodes of their own share no link there. Take "
                 "nodes of several switches.");
    else if (most_per_s < alone_per_s / 2)
        snprintf(text, size,
                 "congestor nodes received %.3g MB/s at most, %.2g %% of what a canary node gets "
                 "alone: they do not fill the links. Take more --slots or a larger --message-size.",
                 most_per_s / 1e6, 100 * most_per_s / alone_per_s);
    else
        snprintf(
            text, size,
            "%s links have room for all of them: every factor at the mean is 1 within %.2g %%.",
            n_switches == 0 ? "they may be behind one switch (switches are not known), or its"
                            : "its",
            100 * width);
    return true;
}
