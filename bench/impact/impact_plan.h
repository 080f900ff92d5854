/**
 * Who probes whom, and when. Pure: no MPI, no clock.
 *
 * A run is divided into epochs. Within an epoch every node has at most one partner; --pairing
 * selects how partners change from epoch to epoch.
 */
#pragma once

#include "core/status.h"

#include <stdbool.h>
#include <stdint.h>

enum ct_pairing {
    CT_PAIRING_ADJACENT, /**< nodes 0 and 1, 2 and 3, ...; the last of an odd number has no partner
                          */
    CT_PAIRING_ROTATE,   /**< round-robin tournament: every node meets every other */
    CT_PAIRING_RANDOM,   /**< a new perfect matching every epoch, drawn from the seed */
    CT_PAIRING_LINKS     /**< few pairs that pass every link (bench/impact/impact_rounds.h) */
};
extern const char *const ct_pairing_names[]; /**< NULL-terminated */

enum ct_arrivals {
    CT_ARRIVALS_POISSON, /**< exponential distances: probes see time averages (PASTA) */
    CT_ARRIVALS_FIXED    /**< equal distances, from a random phase per pair */
};
extern const char *const ct_arrivals_names[]; /**< NULL-terminated */

/**
 * Number of epochs of a whole cycle of a pairing: 1 (adjacent), n - 1 or, for odd n, n (rotate,
 * random). Not for CT_PAIRING_LINKS, whose cycle is that of its rounds.
 * @param n_nodes  [in] >= 2
 */
int ct_impact_epochs(enum ct_pairing pairing, int n_nodes);

/**
 * Partners in one epoch: partner_p[partner_p[i]] == i; a node without a partner has itself.
 * @param pairing    [in]  not CT_PAIRING_LINKS
 * @param n_nodes    [in]  >= 1
 * @param epoch      [in]  >= 0; rotate repeats after ct_impact_epochs()
 * @param partner_p  [out] n_nodes
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_impact_partners(enum ct_pairing pairing, int n_nodes, int epoch, uint64_t seed,
                                  int *partner_p);

/** The epochs of a run. */
struct ct_impact_epoch_plan {
    int n_epochs;
    double epoch_s; /**< length of each */
};

/**
 * Divide a run into epochs. Epochs of about a second or ten probes, whichever is longer, make as
 * many whole cycles as fit. If not even one cycle fits, it is made once with shorter epochs. If
 * these would be shorter than 50 ms or two probes, there are fewer epochs, each as long as that.
 * Where a new partner costs nothing only the number of probes counts.
 * @param once        [in] epochs of a cycle, >= 1
 * @param time_s      [in] length of the run, > 0
 * @param interval_s  [in] mean distance of probes, > 0
 * @param is_free     [in] a new partner costs nothing, as in a simulation
 */
struct ct_impact_epoch_plan ct_impact_plan_epochs(int once, double time_s, double interval_s,
                                                  bool is_free);

/** Due times of one pair in one epoch. An open loop: they do not depend on latencies. */
struct ct_impact_schedule;

/**
 * @param start_s  [in] start of the epoch, seconds since the run's start
 * @param stream   [in] a number for each pair and epoch: equal seeds and streams give equal times
 * @return NULL when out of memory; free with ct_impact_schedule_free()
 */
struct ct_impact_schedule *ct_impact_schedule_new(enum ct_arrivals arrivals, double interval_s,
                                                  double start_s, uint64_t seed, uint64_t stream);
void ct_impact_schedule_free(struct ct_impact_schedule *schedule);

/** Next due time, seconds since the run's start; later than every one before. */
double ct_impact_schedule_next(struct ct_impact_schedule *schedule);
