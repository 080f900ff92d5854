/**
 * Load of a campaign's network during a run: how many bytes each port of its hosts and each link
 * between switches carried, and how busy it was. A file of JSON, RUN.ports.json, and facts of the
 * run. The launcher counts.
 */
#pragma once

#include "results/run.h"

struct ct_network_load;

/** What one direction of a link carried. */
struct ct_load_flow {
    double bytes;
    double drops;     /**< packets; NaN: not counted */
    double busy_frac; /**< share of what the direction can carry; NaN: no time passed */
};

/** @return to be freed by ct_network_load_free(); NULL: out of memory */
struct ct_network_load *ct_network_load_new(void);
/** NULL: does nothing. */
void ct_network_load_free(struct ct_network_load *load);

/**
 * Append a host's port, or a direction of a link between switches. Lack of memory is reported by
 * ct_network_load_write(). @param tx  [in] what the host sent @param rx  [in] what it received
 */
void ct_network_load_add_host(struct ct_network_load *load, const char *host,
                              const struct ct_load_flow *tx, const struct ct_load_flow *rx);
void ct_network_load_add_link(struct ct_network_load *load, const char *from, const char *to,
                              const struct ct_load_flow *flow);

/**
 * Write the file: "interval_s", "busy_fraction_mean" and "busy_fraction_max" of what hosts sent,
 * "ports", and for a network of several switches "topology" and "links".
 * @param interval_s  [in] time in which it was counted
 * @param topology    [in] its name; NULL: not known
 * @return CT_OK; CT_EIO; CT_ENOMEM
 */
enum ct_status ct_network_load_write(struct ct_network_load *load, double interval_s,
                                     const char *topology, const char *path, struct ct_error *err);

/**
 * Add what such a file says of links between switches to the facts of a run: "link_busy_mean",
 * "link_busy_max", "link_busiest", and "link_drops" where they were counted. Nothing for one
 * switch.
 * @return CT_OK; CT_ENOENT, CT_EIO, CT_EFORMAT (the file); CT_ENOMEM
 */
enum ct_status ct_network_load_add_facts(const char *path, struct ct_run_info *info,
                                         struct ct_error *err);
