/** Ready-made sets of CompressionB configurations. Pure. */
#pragma once

#include "results/run.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Names as in a campaign file. The adaptive one has the paper's configurations as candidates. */
enum ct_grid_kind { CT_GRID_NONE, CT_GRID_PAPER, CT_GRID_ADAPTIVE };
extern const char *const ct_grid_names[]; /**< NULL-terminated, in this order */

enum {
    CT_GRID_STEADY_MAX = 40,
    CT_GRID_PER_BURST = 10,
    CT_GRID_BURSTS_MAX = 6,
    CT_GRID_LOADS_MAX = CT_GRID_STEADY_MAX + CT_GRID_PER_BURST * CT_GRID_BURSTS_MAX,
    CT_GRID_PAUSES = 4
};

struct ct_grid {
    struct ct_config loads[CT_GRID_LOADS_MAX]; /**< n, all different */
    size_t n;
    size_t n_steady; /**< the first ones, without bursts */
    size_t n_bursts;
    uint32_t partners_max; /**< largest P that the hosts allow; larger ones are replaced by it */
    bool partners_cut;     /**< whether some were replaced */
    double pauses_s[CT_GRID_PAUSES]; /**< from short to long */
    double step; /**< ratio of a pause to the one before, before rounding; 10: as published */
};

/**
 * The grid of Casas and Bronevetsky (IPDPS 2014, section IV-C): P in {1, 4, 7, 14, 17}, M in {1,
 * 10}, B in {2.5e4, 2.5e5, 2.5e6, 2.5e7} cycles of 2.6 GHz, adapted to other networks.
 *
 * The load of a port depends on M t / B, where t is the time of one 40 kB message on a link. So B
 * is scaled with t. On the paper's links (5 GB/s, t = 8 us) its pauses of 9.6 us to 9.6 ms are 1.2,
 * 12, 120 and 1200 t:
 *
 *     t = 8 * 40000 / rate,  B_k = 1.2 t * step^k,  k = 0..3,  step = clamp(cbrt(0.2 s / 1.2 t), 3,
 * 10)
 *
 * rounded to two digits. On slow links steps are smaller than the paper's 10, since the longest
 * pause would otherwise be far above 0.2 s, and a run of some seconds would have few messages. They
 * are at least 3, so that the pauses still differ. P is at most hosts - 1, the largest one of a
 * ring; equal configurations are then listed once.
 * @param hosts           [in] >= 2
 * @param rate_bit_per_s  [in] of a link, > 0
 */
struct ct_grid ct_grid_paper(uint64_t hosts, double rate_bit_per_s);

/**
 * Add a configuration with bursts for every P and M of the grid, with the shortest pause: the load
 * within a burst is the largest of the grid, and the mean load follows from the burst. Bursts that
 * were added before are not added again.
 * @return false: there are CT_GRID_BURSTS_MAX already
 */
bool ct_grid_add_burst(struct ct_grid *grid, struct ct_burst burst);

/** Describe the grid in one line, and how it differs from the published one. */
void ct_grid_describe(const struct ct_grid *grid, char *text, size_t size);
