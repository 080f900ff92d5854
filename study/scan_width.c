#include "study/scan_width.h"

#include "core/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MEDIAN, MEAN, N_STATISTICS, ROUNDS_MIN = 3 };

static const double level = 0.95;

static bool is_wanted(const struct ct_scan_cell *cell, size_t round, enum ct_scan_canary canary,
                      const struct ct_scan_setting *setting)
{
    return cell->round == round && cell->canary == canary && cell->path_class == -1 &&
           ct_scan_setting_same(&cell->setting, setting);
}

/* Median and mean of all times of a setting in a round. @param room  [out] for all samples of the
 * round. @return false: the round has none */
static bool reduce_times(const struct ct_scan *scan, size_t round, enum ct_scan_canary canary,
                         const struct ct_scan_setting *setting, double *room,
                         double value_s[N_STATISTICS])
{
    size_t n = 0;
    for (size_t c = 0; c < scan->n_cells; c++)
        if (is_wanted(&scan->cells[c], round, canary, setting)) {
            memcpy(room + n, scan->cells[c].samples_s, scan->cells[c].n_samples * sizeof *room);
            n += scan->cells[c].n_samples;
        }
    struct ct_summary summary;
    if (ct_stats_summarize(room, n, &summary) != CT_OK)
        return false;
    ct_stats_sort(room, n);
    value_s[MEAN] = summary.mean;
    return ct_stats_quantile(room, n, 0.5, &value_s[MEDIAN]) == CT_OK;
}

static size_t count_samples(const struct ct_scan *scan)
{
    size_t n = 0;
    for (size_t c = 0; c < scan->n_cells; c++)
        n += scan->cells[c].n_samples;
    return n;
}

enum ct_status ct_scan_width(const struct ct_scan *scan, const struct ct_scan_case *scan_case,
                             double *width_p, struct ct_error *err)
{
    static const struct ct_scan_setting alone = {.congestor = CT_SCAN_WITH_NONE, .intensity = 1};
    size_t n = 0, most = scan->n_rounds + 1;
    double *logs = calloc(N_STATISTICS * most, sizeof *logs), width = 0;
    double *room = malloc((count_samples(scan) + 1) * sizeof *room);
    for (size_t round = 0; logs && room && round < scan->n_rounds; round++) {
        double beside_s[N_STATISTICS], alone_s[N_STATISTICS];
        if (!reduce_times(scan, round, scan_case->canary, &scan_case->setting, room, beside_s) ||
            !reduce_times(scan, round, scan_case->canary, &alone, room, alone_s))
            continue;
        for (int i = 0; i < N_STATISTICS; i++)
            logs[(size_t)i * most + n] = log(beside_s[i] / alone_s[i]);
        n++;
    }
    for (int i = 0; logs && room && n >= ROUNDS_MIN && i < N_STATISTICS; i++) {
        struct ct_interval interval;
        enum ct_status status =
            ct_stats_mean_interval(logs + (size_t)i * most, n, level, &interval);
        width = status == CT_OK ? fmax(width, expm1((interval.hi - interval.lo) / 2)) : INFINITY;
    }
    bool is_done = logs && room;
    free(logs);
    free(room);
    if (!is_done)
        return ct_no_memory(err, "factors");
    *width_p = n >= ROUNDS_MIN ? width : INFINITY;
    return CT_OK;
}
