/**
 * A probe series in a form of fixed size that can be resampled: moments and histograms of blocks of
 * consecutive latencies, on several scales of time.
 *
 *     ct_probe_grid_over(latencies, n_loads, &grid);
 *     ct_probe_summarize(latency_s, runs, &grid, &summary);        one pass
 *     ct_probe_profile_of(&summary, NULL, mass, &profile);         all blocks once
 *     ct_probe_profile_of(&summary, times_drawn, mass, &profile);  a bootstrap replicate
 *
 * Blocks follow the rule of ct_stats_block_length(); drawing whole blocks with replacement keeps
 * the autocorrelation of the series (block bootstrap, Kuensch 1989). All scales of a block are
 * drawn together.
 */
#pragma once

#include "core/stats.h"

#include <stdbool.h>

/** Number of bins per doubling of the latency, and largest number of bins. */
enum { CT_PROBE_BINS_PER_OCTAVE = 8, CT_PROBE_BINS_MAX = 512 };

/**
 * On scale k the least of 2^k successive latencies, of any pairs of nodes, is counted: a delay that
 * lasts that long. Scale 0 has the latencies themselves. A delay that is found on scale 1 too is a
 * burst, or a queue, that delayed two successive probes; one that is not was over before the second
 * probe.
 */
enum { CT_PROBE_SCALES = 2, CT_PROBE_BLOCKS_MAX = 256 };

/**
 * Bins of latency, the same for all loads of a campaign: each octave [2^k, 2^(k+1)) s is divided
 * into CT_PROBE_BINS_PER_OCTAVE parts of equal width, so that a bin is the upper bits of a double.
 */
struct ct_probe_grid {
    uint64_t first; /**< upper bits of the smallest latency */
    size_t n_bins;  /**< 1..CT_PROBE_BINS_MAX */
};

/** Where the runs of a pooled series end: run r is [ends[r - 1], ends[r]); n = 0: one run. */
struct ct_runs {
    const size_t *ends;
    size_t n;
};

/**
 * @param series  [in]  n of them, latencies in seconds; empty ones are passed over
 * @param grid_p  [out] covers all values; unchanged on error
 * @return CT_OK; CT_ENODATA (all empty); CT_EINVAL (a latency is not finite or not above 0, or the
 *         largest is 2^64 times the smallest)
 */
enum ct_status ct_probe_grid_over(const struct ct_series *series, size_t n,
                                  struct ct_probe_grid *grid_p);

/** Bin of a latency; latencies outside the grid are counted in the bin at its end. */
size_t ct_probe_bin(const struct ct_probe_grid *grid, double latency_s);

/** Lower edge of bin i, seconds; i = n_bins is the upper edge of the last. */
double ct_probe_edge_s(const struct ct_probe_grid *grid, size_t i);

/** Probe series of one load, in blocks; arrays are owned. */
struct ct_probe_summary {
    struct ct_probe_grid grid;
    size_t n_blocks;           /**< 0: not measured */
    struct ct_summary *blocks; /**< of the latencies of a block, seconds */
    uint32_t *counts;          /**< [(block * CT_PROBE_SCALES + scale) * grid.n_bins + bin] */
};

/**
 * Summarize a series in one pass.
 * @param latency_s  [in]  in the order of time, run after run; n = 0 gives a summary of no blocks
 * @param runs       [in]  where runs end: latencies of different runs are not combined on scale 1
 * @param summary_p  [out] ct_probe_summary_free(); unchanged on error
 * @return CT_OK; CT_EINVAL (a latency is not finite or not above 0); CT_ENOMEM
 */
enum ct_status ct_probe_summarize(struct ct_series latency_s, struct ct_runs runs,
                                  const struct ct_probe_grid *grid,
                                  struct ct_probe_summary *summary_p);
void ct_probe_summary_free(struct ct_probe_summary *summary);

/**
 * Whether a grid is valid: its edges are latencies, finite and above 0. For grids and summaries
 * that were read from a file.
 */
bool ct_probe_grid_is_sound(const struct ct_probe_grid *grid);

/**
 * Whether a summary can be that of n latencies: its blocks have n in all, the moments of each block
 * are consistent, and every latency is counted once on scale 0.
 */
bool ct_probe_summary_is_sound(const struct ct_probe_summary *summary, size_t n);

/** Input of the models: moments and histograms of a probe series. */
struct ct_probe_profile {
    struct ct_summary latency_s; /**< n = 0: not measured */
    struct ct_probe_grid grid;
    double *mass; /**< [scale * grid.n_bins + bin], sum 1 on each scale that was sampled, else 0;
                       NULL: no histogram. Borrowed */
};

/** Doubles that the histograms of a profile need. */
size_t ct_probe_mass_size(const struct ct_probe_grid *grid);

/**
 * @param times_drawn  [in]  [block] number of times that each block counts; NULL: once
 * @param mass         [out] room for ct_probe_mass_size(); becomes profile_p->mass
 */
void ct_probe_profile_of(const struct ct_probe_summary *summary, const uint32_t *times_drawn,
                         double *mass, struct ct_probe_profile *profile_p);

/**
 * p-quantile of the latencies from the histogram, linear within a bin; its error is at most the
 * width of a bin.
 * @return NaN: there is no histogram
 */
double ct_probe_quantile_s(const struct ct_probe_profile *profile, double p);

/**
 * Share of the probes that did not have to wait: the largest c with F_load(t) >= c F_idle(t) for
 * every latency t at or above a quantile of the idle network (below it few idle samples make noise,
 * and a network that is a little slower than when it was idle seems to be busy). Latencies
 * beside a load are those of the idle network, or longer; c is the largest share that can be those
 * of the idle network. Probes at random times see time averages (Wolff 1982), so 1 - c is the share
 * of the time in which a probe has to wait. In M/G/1 this is the utilization, for every
 * distribution of service times.
 * @param from  [in]  that quantile, 0..1
 * @return 0..1; NaN: one of them was not measured
 */
double ct_probe_undisturbed_frac(const struct ct_probe_profile *idle,
                                 const struct ct_probe_profile *load, double from);
