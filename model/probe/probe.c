#include "model/probe/probe.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- grid ---- */

/* A double's exponent and the first bits of its mantissa: rises with the value. */
enum { MANTISSA_BITS = 52, PART_BITS = 3, SHIFT = MANTISSA_BITS - PART_BITS };
_Static_assert(CT_PROBE_BINS_PER_OCTAVE == 1 << PART_BITS, "parts of an octave are whole bits");

static uint64_t upper_bits(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits >> SHIFT;
}

enum ct_status ct_probe_grid_over(const struct ct_series *series, size_t n,
                                  struct ct_probe_grid *grid_p)
{
    double lo = INFINITY, hi = 0;
    for (size_t s = 0; s < n; s++) {
        double min, max;
        if (series[s].n == 0)
            continue;
        CT_TRY(ct_stats_range(series[s].x, series[s].n, &min, &max));
        lo = fmin(lo, min);
        hi = fmax(hi, max);
    }
    if (hi == 0 && isinf(lo))
        return CT_ENODATA;
    if (!(lo > 0) || upper_bits(hi) - upper_bits(lo) >= CT_PROBE_BINS_MAX)
        return CT_EINVAL;
    *grid_p = (struct ct_probe_grid){upper_bits(lo), upper_bits(hi) - upper_bits(lo) + 1};
    return CT_OK;
}

size_t ct_probe_bin(const struct ct_probe_grid *grid, double latency_s)
{
    uint64_t bits = upper_bits(latency_s);
    uint64_t bin = bits < grid->first ? 0 : bits - grid->first;
    return bin < grid->n_bins ? (size_t)bin : grid->n_bins - 1;
}

double ct_probe_edge_s(const struct ct_probe_grid *grid, size_t i)
{
    uint64_t bits = (grid->first + i) << SHIFT;
    double edge_s;
    memcpy(&edge_s, &bits, sizeof edge_s);
    return edge_s;
}

/* ---- summary ---- */

/* A block is an equal share of the samples of a series. */
static size_t block_start(size_t block, size_t n, size_t n_blocks)
{
    return block * n / n_blocks;
}

static uint32_t *counts_of(const struct ct_probe_summary *summary, size_t block, size_t scale)
{
    return summary->counts + (block * CT_PROBE_SCALES + scale) * summary->grid.n_bins;
}

static size_t run_end(struct ct_runs runs, size_t run, size_t n)
{
    return run < runs.n && runs.ends[run] < n ? runs.ends[run] : n;
}

/* Windows that begin in [start, end), all on this scale and of one run and block: bins rise with
 * latency, so the least latency has the least bin. Neighbours are counted in turn in two tables,
 * since a count that was just written is slow to be read again. */
static void count_windows(const double *latency_s, size_t start, size_t end, size_t scale,
                          const struct ct_probe_grid *grid, uint32_t *counts)
{
    uint32_t odd[CT_PROBE_BINS_MAX] = {0};
    uint64_t first = grid->first, last = grid->n_bins - 1;
    size_t length = (size_t)1 << scale;
    for (size_t i = start; i < end; i++) {
        double least_s = latency_s[i];
        for (size_t k = 1; k < length; k++)
            least_s = latency_s[i + k] < least_s ? latency_s[i + k] : least_s;
        uint64_t bin = upper_bits(least_s);
        bin = bin < first ? 0 : bin - first;
        uint32_t *table = i % 2 ? odd : counts;
        table[bin < last ? bin : last]++;
    }
    for (size_t bin = 0; bin < grid->n_bins; bin++)
        counts[bin] += odd[bin];
}

/* A window belongs to the block of its first latency, and reaches over no end of a run. */
static void count_block(struct ct_series latency_s, struct ct_runs runs, size_t block,
                        const struct ct_probe_summary *summary)
{
    size_t start = block_start(block, latency_s.n, summary->n_blocks), run = 0;
    size_t end = block_start(block + 1, latency_s.n, summary->n_blocks);
    while (start < end) {
        while (run_end(runs, run, latency_s.n) <= start)
            run++;
        size_t of_run = run_end(runs, run, latency_s.n), to = of_run < end ? of_run : end;
        for (size_t scale = 0; scale < CT_PROBE_SCALES; scale++) {
            size_t before = ((size_t)1 << scale) - 1;
            size_t last = of_run - start > before ? of_run - before : start;
            count_windows(latency_s.x, start, to < last ? to : last, scale, &summary->grid,
                          counts_of(summary, block, scale));
        }
        start = to;
    }
}

static enum ct_status fill_summary(struct ct_series latency_s, struct ct_runs runs,
                                   struct ct_probe_summary *summary)
{
    for (size_t b = 0; b < summary->n_blocks; b++) {
        size_t start = block_start(b, latency_s.n, summary->n_blocks);
        size_t end = block_start(b + 1, latency_s.n, summary->n_blocks);
        enum ct_status status =
            ct_stats_summarize(latency_s.x + start, end - start, &summary->blocks[b]);
        if (status != CT_OK || !(summary->blocks[b].min > 0))
            return CT_EINVAL;
        count_block(latency_s, runs, b, summary);
    }
    return CT_OK;
}

enum ct_status ct_probe_summarize(struct ct_series latency_s, struct ct_runs runs,
                                  const struct ct_probe_grid *grid,
                                  struct ct_probe_summary *summary_p)
{
    struct ct_probe_summary summary = {.grid = *grid};
    if (latency_s.n > 0) {
        size_t length = ct_stats_block_length(latency_s.x, latency_s.n);
        size_t wanted = latency_s.n / length;
        summary.n_blocks = wanted < CT_PROBE_BLOCKS_MAX ? wanted : CT_PROBE_BLOCKS_MAX;
        summary.blocks = calloc(summary.n_blocks, sizeof *summary.blocks);
        summary.counts =
            calloc(summary.n_blocks * ct_probe_mass_size(grid), sizeof *summary.counts);
        enum ct_status status = CT_ENOMEM;
        if (summary.blocks && summary.counts)
            status = fill_summary(latency_s, runs, &summary);
        if (status != CT_OK) {
            ct_probe_summary_free(&summary);
            return status;
        }
    }
    *summary_p = summary;
    return CT_OK;
}

void ct_probe_summary_free(struct ct_probe_summary *summary)
{
    free(summary->blocks);
    free(summary->counts);
    *summary = (struct ct_probe_summary){0};
}

/* ---- what was read ---- */

bool ct_probe_grid_is_sound(const struct ct_probe_grid *grid)
{
    if (grid->n_bins < 1 || grid->n_bins > CT_PROBE_BINS_MAX || upper_bits(INFINITY) < grid->first)
        return false;
    return ct_probe_edge_s(grid, 0) > 0 && isfinite(ct_probe_edge_s(grid, grid->n_bins));
}

static bool is_block(const struct ct_summary *block)
{
    const double rounding = 1e-9;
    bool has_variance =
        block->n > 1 ? block->variance >= 0 && isfinite(block->variance) : isnan(block->variance);
    return block->n > 0 && block->min > 0 && block->min * (1 - rounding) <= block->mean &&
           block->mean <= block->max * (1 + rounding) && isfinite(block->max) && has_variance;
}

bool ct_probe_summary_is_sound(const struct ct_probe_summary *summary, size_t n)
{
    size_t left = n;
    for (size_t b = 0; b < summary->n_blocks; b++) {
        const struct ct_summary *block = &summary->blocks[b];
        uint64_t counted = 0;
        if (!is_block(block) || block->n > left)
            return false;
        left -= block->n;
        for (size_t bin = 0; bin < summary->grid.n_bins; bin++)
            counted += counts_of(summary, b, 0)[bin];
        if (counted != block->n)
            return false;
    }
    return left == 0;
}

/* ---- profile ---- */

size_t ct_probe_mass_size(const struct ct_probe_grid *grid)
{
    return CT_PROBE_SCALES * grid->n_bins;
}

/* Moments of the union of blocks, by way of their means (Chan, Golub, LeVeque 1983). */
static struct ct_summary unite_blocks(const struct ct_probe_summary *summary,
                                      const uint32_t *times_drawn)
{
    struct ct_summary all = {.min = INFINITY, .max = -INFINITY, .mean = NAN, .variance = NAN};
    double n = 0, squares = 0;
    for (size_t b = 0; b < summary->n_blocks; b++) {
        const struct ct_summary *block = &summary->blocks[b];
        double times = times_drawn ? times_drawn[b] : 1, more = times * (double)block->n;
        if (more == 0)
            continue;
        double distance = n > 0 ? block->mean - all.mean : 0;
        squares += distance * distance * n * more / (n + more);
        if (block->n > 1)
            squares += times * block->variance * (double)(block->n - 1);
        all.mean = n > 0 ? all.mean + distance * more / (n + more) : block->mean;
        n += more;
        all.min = fmin(all.min, block->min);
        all.max = fmax(all.max, block->max);
    }
    all.n = (uint64_t)n;
    if (n > 1)
        all.variance = squares / (n - 1);
    return all;
}

void ct_probe_profile_of(const struct ct_probe_summary *summary, const uint32_t *times_drawn,
                         double *mass, struct ct_probe_profile *profile_p)
{
    *profile_p = (struct ct_probe_profile){
        .latency_s = unite_blocks(summary, times_drawn), .grid = summary->grid, .mass = mass};
    size_t n_bins = summary->grid.n_bins, row = ct_probe_mass_size(&summary->grid);
    for (size_t i = 0; i < row; i++)
        mass[i] = 0;
    for (size_t b = 0; b < summary->n_blocks; b++) {
        double times = times_drawn ? times_drawn[b] : 1;
        for (size_t i = 0; i < row && times > 0; i++)
            mass[i] += times * summary->counts[b * row + i];
    }
    for (size_t scale = 0; scale < CT_PROBE_SCALES; scale++) {
        double sum = 0;
        for (size_t i = 0; i < n_bins; i++)
            sum += mass[scale * n_bins + i];
        for (size_t i = 0; i < n_bins && sum > 0; i++)
            mass[scale * n_bins + i] /= sum;
    }
}

double ct_probe_quantile_s(const struct ct_probe_profile *profile, double p)
{
    double below = 0;
    size_t last = profile->grid.n_bins;
    if (profile->latency_s.n == 0 || !profile->mass)
        return NAN;
    for (size_t i = 0; i < profile->grid.n_bins; i++) {
        double mass = profile->mass[i];
        if (mass > 0)
            last = i;
        if (mass > 0 && below + mass >= p) {
            double lo_s = ct_probe_edge_s(&profile->grid, i);
            double hi_s = ct_probe_edge_s(&profile->grid, i + 1);
            return lo_s + (hi_s - lo_s) * fmax(0, p - below) / mass;
        }
        below += mass;
    }
    return ct_probe_edge_s(&profile->grid, last + 1); /* p above the sum by rounding */
}

double ct_probe_undisturbed_frac(const struct ct_probe_profile *idle,
                                 const struct ct_probe_profile *load, double from)
{
    if (idle->latency_s.n == 0 || load->latency_s.n == 0 || !idle->mass || !load->mass)
        return NAN;
    double least = 1, below_idle = 0, below_load = 0;
    for (size_t i = 0; i < idle->grid.n_bins; i++) {
        below_idle += idle->mass[i];
        below_load += load->mass[i];
        if (below_idle >= from)
            least = fmin(least, below_load / below_idle);
    }
    return fmax(0, least);
}
