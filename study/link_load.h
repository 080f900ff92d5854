/** Busy share and mean wait of every link, from a probe run on the idle network and one beside a
 * load. */
#pragma once

#include "core/argv.h"
#include "model/links/links.h"
#include "study/run_network.h"

struct ct_link_load_settings {
    const char *idle_path, *loaded_path;
    const char *topology;         /**< as crosstalk-topology(1) takes it; NULL: that of the run */
    bool round_trips;             /**< leave one-way times out */
    double rate_bit_per_s;        /**< of links, where the topology has none; NaN: not known */
    double uplink_rate_bit_per_s; /**< the same of links between switches; NaN: as of the others */
    struct ct_bootstrap setup;
};

/** The directions that the pairs of the loaded run pass, and what they carry. */
struct ct_link_load {
    struct ct_run_network network;
    struct ct_paths paths;
    uint32_t *group; /**< [paths.n_columns] */
    bool *is_open;   /**< [n_groups] the pairs do not determine the busy share */
    size_t n_groups;
    struct ct_link_estimate *estimates; /**< [n_groups] */
    double dependence;                  /**< q of the equations of busy shares, mean */
    size_t n_idle, n_loaded;            /**< probes */
    bool one_way; /**< both runs have one-way times: the way there and the way back are
                     distinguished */
    struct ct_argv differences; /**< messages: settings of the network that differ */
};

/**
 * @param load_p  [out] not to be moved; ct_link_load_free(), also on error
 * @return CT_OK; CT_EINVAL (a run of another kind, hosts that are not in the topology); CT_ENODATA
 *         (no topology, no latencies, a path class that the idle run lacks); what reading runs and
 *         topologies returns; CT_ENOMEM
 */
enum ct_status ct_link_load_estimate(const struct ct_link_load_settings *settings,
                                     struct ct_link_load *load_p, struct ct_error *err);
void ct_link_load_free(struct ct_link_load *load);

/**
 * Busy shares for a picture (topology/draw.h).
 * @return 2 n_links values, NaN where no pair passes; free(); NULL: out of memory
 */
double *ct_link_load_picture(const struct ct_link_load *load);
