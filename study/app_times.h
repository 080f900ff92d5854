/**
 * Where the time of each application of a campaign goes: its schedule alone, simulated under LogGPS
 * on each kind of network (simulate/engine.h), on the nodes and links of its baseline where the
 * runs record them, else on one switch. `crosstalk simulate SCHEDULE --logp FILE --network KIND`
 * does the same.
 */
#pragma once

#include "simulate/network.h"
#include "simulate/rank_times.h"
#include "study/schedules.h"

/** Mean of the ranks of an application, on one kind of network. */
struct ct_app_time {
    bool is_known;
    double runtime_s; /**< of the last rank */
    double mean_s;    /**< mean of the ranks: what the parts add up to */
    double part_s[CT_TIME_PARTS];
};

struct ct_app_times {
    struct ct_app_time on[CT_NETWORK_KINDS]; /**< by enum ct_simulate_network_kind */
    /** Lengths of the critical path on the network `packet`, which add up to its run time there;
     * all 0 if that is not known. */
    double path_s[CT_TIME_PARTS];
    double no_network_s; /**< run time without a network, with the costs of MPI */
    char *why;           /**< reason for the first network that is not known; NULL: all are */
};

/**
 * @param schedules  [in]  their files are read again
 * @param times_p    [out] [schedules->n_apps], to be freed by ct_app_times_free(); unchanged on
 *                         error
 * @return CT_OK, also if nothing can be simulated; CT_ENOMEM
 */
enum ct_status ct_app_times_find(const struct ct_schedules *schedules,
                                 struct ct_app_times **times_p, struct ct_error *err);
void ct_app_times_free(struct ct_app_times *times, size_t n_apps); /**< NULL is allowed */
