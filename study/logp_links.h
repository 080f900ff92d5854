/** Every direction between two ranks in a logp run, each with its LogGP parameters. */
#pragma once

#include "study/logp_points.h"

struct ct_logp_link_parameters {
    uint32_t rank_from, rank_to;
    struct ct_loggp loggp; /**< NaN: not derivable from what was measured */
    uint64_t S_bytes;      /**< largest eager message */
};

struct ct_logp_links {
    struct ct_logp_link_parameters *links; /**< n, by rank_from and rank_to */
    size_t n;
    uint32_t *ranks; /**< n_ranks, ascending: those that measured or were measured */
    uint32_t n_ranks;
    bool has_intervals; /**< there are not more links than intervals were asked for */
};

/**
 * @param run            [in]  of kind logp; may be freed after the call
 * @param intervals_max  [in]  derive intervals of L and G, too, if there are at most so many links:
 *                             200 replicates of each take about 50 ms
 * @param links_p        [out] ct_logp_links_free(); unchanged on error
 * @return CT_OK; CT_ENODATA (no row of the fast method); CT_ENOMEM
 */
enum ct_status ct_logp_links_take(const struct ct_run *run, size_t intervals_max,
                                  struct ct_logp_links *links_p, struct ct_error *err);
void ct_logp_links_free(struct ct_logp_links *links);

/**
 * The link from one rank to another, or, where that was not measured, the other way.
 * @return NULL: neither was measured; borrowed
 */
const struct ct_logp_link_parameters *ct_logp_links_find(const struct ct_logp_links *links,
                                                         uint32_t rank_from, uint32_t rank_to);

/** Parameters of a link in a replicate; NaN: they cannot be derived from what was drawn. */
struct ct_logp_drawn {
    double o_s, L_s, G_s_per_byte;
};

/** Replicates of all links. */
struct ct_logp_draws {
    struct ct_logp_drawn *drawn; /**< [n * links], replicate after replicate; owned */
    size_t n;                    /**< 0: no link has repetitions */
    double level;                /**< of the run */
    uint64_t seed;
};

/**
 * Draw replicates of every link, in the order of ct_logp_links_take(); each link has random numbers
 * of its own, from the seed of the run.
 * @param run      [in]  of kind logp; may be freed after the call
 * @param draws_p  [out] ct_logp_draws_free(); unchanged on error
 * @return as ct_logp_links_take()
 */
enum ct_status ct_logp_links_draw(const struct ct_run *run, struct ct_logp_draws *draws_p,
                                  struct ct_error *err);
void ct_logp_draws_free(struct ct_logp_draws *draws);
