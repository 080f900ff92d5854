/**
 * Busy share and mean wait of links, from the latencies of probes between the nodes.
 *
 * A probe measures the way there and the way back, each by itself (one_way.h) or both together. Its
 * path is the directions of links that it then passes. Two quantities have equations in unknowns x
 * >= 0, one a direction:
 *
 * - mean wait: what the load adds to the mean time on a path is the sum of d_l over it. This holds
 *   whatever depends on what. By non-negative least squares, weighted by what is known of each
 * pair.
 * - busy share: with c the share of probes that wait nowhere, (-ln c)^q = sum of (-ln(1 -
 *   rho_l))^q over the path. q = 1 is right if links are busy independently of each other: c is
 *   then the product of all 1 - rho_l. The packets of one message pass several links of a path at
 *   nearly the same time, and programs send on all nodes at the same time, so waits come together;
 *   large q counts the busiest link only. q is found in the probes: see ct_links_estimate(). Where
 *   messages are flows it is given: probes that fit several q equally well would decide for less.
 *   By the largest likelihood, with a binomial number of probes of each pair that wait nowhere
 *   (solve.h).
 *
 * The second one needs probes that meet the network as it is at any time, as those with random
 * distances do on the way there (PASTA). A way back begins where the way there ends, behind the
 * packets that it waited for; such rows have a lower weight.
 *
 * A probe waits if its time is above l + CT_MODEL_LINK_IDLE_MARGIN (Q - l) by more than the
 * resolution of times, with l the least and Q the quantile CT_MODEL_LINK_IDLE_QUANTILE of the idle
 * network's times on paths of its class: beside a load hosts delay probes, too. In simulators the
 * margin is 1. As an independent check of the mean: M/G/1 would give rho of d_l only with a known
 * size of bursts, which probes do not tell.
 *
 * A flow need not use all that a link has. A probe that is late by w, and takes s by itself, had
 * the rate that others left: they used w / (w + s) if that is below one half; else its share was
 * that of one among several, and the link was full. So such a probe counts as w / (w + s) of one
 * that waits, or as one.
 *
 * **What cannot be distinguished.** Directions that the same pairs pass as often have one value
 * together: that of each of them if they are alike. For the rest, what enters a switch leaves it,
 * up to the difference of rates: such balances are equations too, with less weight, for busy
 * shares (each unknown times its busy share by its value in the solution before). What even these
 * leave open is taken as small as can be; where messages are flows, near what links of its kind
 * have (prior.h), as are links of which few probes tell.
 */
#pragma once

#include "core/stats.h"

#include <stdbool.h>

/** More groups take too long. */
enum { CT_LINK_GROUPS_MAX = 20000 };

/** Rows of a sparse matrix. */
struct ct_link_rows {
    size_t n;
    const size_t *first;    /**< [n + 1] */
    const uint32_t *column; /**< of row i: first[i] .. first[i + 1]; may repeat: then it counts as
                                 often */
    const double *factor;   /**< of each; NULL: 1 */
};

/** Directions, and what is known of them. Borrowed. */
struct ct_link_system {
    size_t n_directions;
    const uint32_t *kind;         /**< [n_directions] those of one kind are expected to be about as
                                       busy; NULL: all are of one */
    const double *relative_rate;  /**< [n_directions] beside the slowest; NULL: 1 */
    struct ct_link_rows paths;    /**< a row a pair: there and back; or two: there, back */
    struct ct_link_rows balances; /**< a row a switch: above 0 what enters, below 0 what leaves */
};

/**
 * Put directions that the same pairs pass as often into groups.
 * @param group       [out] [n_directions] numbers from 0 on, in the order of the first member
 * @param is_open     [out] [n_directions, of which n_groups are set] whether the equations of all
 *                          pairs and balances do not determine the value of the group
 * @param n_groups_p  [out]
 * @return CT_OK; CT_EINVAL (more than CT_LINK_GROUPS_MAX that different pairs pass); CT_ENOMEM
 */
enum ct_status ct_links_group(const struct ct_link_system *system, uint32_t *group, bool *is_open,
                              size_t *n_groups_p, struct ct_error *err);

/**
 * Times that probes took on the paths, seconds, in the order of time. A constant may be missing in
 * all times of a class, such as the least of them. Borrowed.
 */
struct ct_link_probes {
    const struct ct_series *loaded; /**< [rows of paths], beside the load; may be empty */
    const double *weight_of_row;    /**< [rows of paths] above 0, 1 as a rule; NULL: 1 */
    const uint32_t *class_of_row;   /**< [rows of paths] */
    const struct ct_series *idle;   /**< [n_classes] of all paths of a class; not empty */
    size_t n_classes;
    bool are_flows; /**< messages pass all links of their path at once, as in simulators that share
                       rates: q is then CT_MODEL_LINK_DEPENDENCE_FLOWS */
    double own_s; /**< with flows: what a probe takes on an unused link, beside the latency; 0: not
                     known */
    double resolution_s; /**< by so much times differ that were rounded alike; 0: not at all */
};

/** Of each direction of a group. */
struct ct_link_estimate {
    double busy_frac;           /**< 0..1 */
    struct ct_interval busy_ci; /**< NaN: fewer than 20 replicates */
    double wait_s;              /**< mean */
    struct ct_interval wait_ci;
};

/**
 * Estimate all groups. Unless it is given, q is taken from 1 to CT_MODEL_LINK_DEPENDENCE_MAX, at
 * even distances of Kendall's tau, which is 1 - 1 / q, and busy shares are means over q with the
 * weights exp(-D / 2), D the misfit (solve.h) beyond the least one, divided by the misfit of an
 * equation if that is above 1.
 *
 * All steps take time and memory linear in the links of all paths, but for a matrix of the
 * switches: the square of their number in memory, and its third power in time.
 *
 * Intervals are percentiles of a bootstrap of blocks of consecutive latencies of each row, and of
 * the idle latencies of each class, with a q drawn by these weights. Those of busy shares are wider
 * by the error of the equations: the root of the sum of squares with CT_MODEL_LINK_ERROR standard
 * deviations of the normal distribution on either side. There are as many replicates as wanted, but
 * no more than CT_MODEL_LINK_WORK by the number of links of all paths, and
 * CT_MODEL_LINK_REPLICATES_MIN in any case.
 * @param group         [in]  of ct_links_group()
 * @param setup         [in]  block: 0 (by the series)
 * @param estimates     [out] [n_groups]
 * @param dependence_p  [out] mean q
 * @return CT_OK; CT_ENODATA (no latency of any pair, or none of a class); CT_EINVAL; CT_ENOMEM
 */
enum ct_status ct_links_estimate(const struct ct_link_system *system, const uint32_t *group,
                                 size_t n_groups, const struct ct_link_probes *probes,
                                 const struct ct_bootstrap *setup,
                                 struct ct_link_estimate *estimates, double *dependence_p,
                                 struct ct_error *err);
