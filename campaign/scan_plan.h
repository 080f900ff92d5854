/** What a scan measures, on which nodes, in which order. Pure: no files, no clock, no programs. */
#pragma once

#include "study/scan.h"

/** Times of a cell, for the plan. */
struct ct_scan_pace {
    double cell_s;  /**< that a canary measures */
    double extra_s; /**< between two cells: congestors that start, settle and end */
    double start_s; /**< of a round: programs that start and end */
};

/** Rounds that a scan has at least: intervals are made of differences between rounds. */
enum { CT_SCAN_ROUNDS_MIN = 3 };

/** Least number of nodes: two canaries, two congestors. */
enum { CT_SCAN_NODES_MIN = 4 };

/**
 * How many nodes measure: a fifth, as in GPCNeT, and an even number; but two with 4 to 7 nodes, and
 * at least four with 8 or more, so that paths of several classes are seen.
 * @param n_nodes  [in] >= CT_SCAN_NODES_MIN
 */
size_t ct_scan_plan_canaries(size_t n_nodes);

/**
 * Divide the nodes of a round at random, mixed over the switches: canaries are dealt to switches in
 * random order, two at a time where a switch has four nodes or more, so that congestors stay beside
 * them. The two are neighbours in the order of the nodes: routes by destination (D-mod-k) then lead
 * to them by different links, where there are several, so that canaries do not disturb each other
 * in one round more than in the next.
 * @param is_canary  [out] [scan->n_nodes]
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_scan_plan_divide(const struct ct_scan *scan, uint64_t seed, bool *is_canary,
                                   struct ct_error *err);

/**
 * Congestor nodes at which incasts gather, and broadcasts begin: one of each switch that has
 * canaries, in random order, then a second one and so on. Elsewhere an incast is not beside a
 * canary, and whether it is would be most of what differs between rounds.
 * @param roots  [out] [n_wanted]
 * @param n_p    [out] at most n_wanted, and fewer where these switches have no more congestors
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_scan_plan_roots(const struct ct_scan *scan, uint64_t seed, const bool *is_canary,
                                  size_t n_wanted, size_t *roots, size_t *n_p,
                                  struct ct_error *err);

/**
 * Cases that are worth the time, without baselines: every canary beside every congestor, steady;
 * then, if CT_SCAN_ROUNDS_BURSTS rounds fit, every canary beside GPCNeT's congestors, latency and
 * allreduce beside bursts of incast and alltoall (heat maps of burst and pause), congestors of half
 * the intensity, and configurations of compressionb beside latency and bandwidth.
 * With workloads, before these, latency and a workload beside these configurations, and the
 * workload beside congestors: what the seal of a kit predicts.
 * @param time_s   [in]  of all rounds
 * @param cases_p  [out] free(); unchanged on error
 * @return CT_OK; CT_EINVAL (too short for CT_SCAN_ROUNDS_MIN rounds; the message has the least
 *         time); CT_ENOMEM
 */
enum ct_status ct_scan_plan_cases(double time_s, bool has_workloads,
                                  const struct ct_scan_pace *pace, struct ct_scan_case **cases_p,
                                  size_t *n_p, struct ct_error *err);

/**
 * The cells of a round: cases in random order, with the baselines of their canaries before them,
 * after each CT_SCAN_BASELINE_EVERY of them, and at the end.
 * @param cells_p  [out] free(); unchanged on error
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_scan_plan_order(const struct ct_scan_case *cases, size_t n, uint64_t seed,
                                  struct ct_scan_case **cells_p, size_t *n_p, struct ct_error *err);
enum { CT_SCAN_BASELINE_EVERY = 6, CT_SCAN_ROUNDS_BURSTS = 5 };

/** Expected time of a round of n cells, baselines counted. */
double ct_scan_plan_round_s(const struct ct_scan_pace *pace, size_t n_cells);

/** Number of cells of the round that ct_scan_plan_order() makes. */
size_t ct_scan_plan_count(const struct ct_scan_case *cases, size_t n);
