/** Ready-made sets of CompressionB configurations. Pure. */
#ifndef CT_CAMPAIGN_GRID_H
#define CT_CAMPAIGN_GRID_H

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
    uint32_t partners_max; /**< most partners that the hosts allow; larger numbers became this */
    bool partners_cut;     /**< that happened */
    double pauses_s[CT_GRID_PAUSES]; /**< from short to long */
    double step; /**< from a pause to the next, before rounding; 10: as published */
};

/**
 * The grid of Casas and Bronevetsky (IPDPS 2014, section IV-C): P in {1, 4, 7, 14, 17}, M in
 * {1, 10}, B in {2.5e4, 2.5e5, 2.5e6, 2.5e7} cycles of 2.6 GHz, fitted to other networks.
 *
 * The load of a port follows from M t / B, t being the time of one 40 kB message on a link, so B is
 * scaled with t. On the paper's links (5 GB/s, t = 8 us) its pauses of 9.6 us to 9.6 ms are 1.2,
 * 12, 120 and 1200 t:
 *
 *     t = 8 * 40000 / rate,  B_k = 1.2 t * step^k,  k = 0..3,  step = clamp(cbrt(0.2 s / 1.2 t), 3,
 * 10)
 *
 * rounded to two digits. Steps are smaller than the paper's 10 on slow links, where the longest
 * pause would otherwise exceed 0.2 s by far and a run of seconds would see few messages; at least
 * 3, so that the pauses still differ. P larger than hosts - 1, all that a ring allows, becomes
 * that, and what is there twice then is left out.
 * @param hosts           [in] >= 2
 * @param rate_bit_per_s  [in] of a link, > 0
 */
struct ct_grid ct_grid_paper(uint64_t hosts, double rate_bit_per_s);

/**
 * Add a row for every P and M of the grid, with its shortest pause, in bursts: as dense within a
 * burst as the grid gets, so that the mean load follows from the burst. One that is there already
 * is not added again.
 * @return false where there are CT_GRID_BURSTS_MAX already
 */
bool ct_grid_add_burst(struct ct_grid *grid, struct ct_burst burst);

/** One line on what the grid is and how it differs from the published one. */
void ct_grid_describe(const struct ct_grid *grid, char *text, size_t size);

#endif
