/* The network of crosstalk simulate: one switch, or a topology and the nodes of each program. */
#pragma once

#include "cli/link_latency.h"
#include "core/option.h"
#include "core/table.h"
#include "simulate/places.h"

struct ct_fabric_settings {
    const char *topology; /* NULL: one switch */
    const char *hosts;    /* NULL: the first nodes */
    uint64_t spines, ranks_per_node;
    double rate_bit_per_s, uplink_bit_per_s, wire_s, switch_s; /* NaN: not given */
};

/* Rows --ranks-per-node, --topology, --hosts, --spines, --rate, --uplink, --wire, --switch. */
extern const struct ct_option ct_fabric_options[];

/* Defaults, to be set before the options are parsed. */
struct ct_fabric_settings ct_fabric_defaults(void);

/* @return CT_OK; CT_EUSAGE: options that do not go together */
enum ct_status ct_fabric_check(const struct ct_fabric_settings *settings, struct ct_error *err);

/* What the settings come to; empty: one switch. */
struct ct_fabric {
    struct ct_link_latency latency;
    struct ct_topology topology;
    struct ct_simulate_places places;
};

/*
 * @param n_ranks       [in]  n_programs
 * @param fabric_p      [out] ct_fabric_free(); unchanged on error
 * @return CT_OK; CT_EUSAGE (as many lists of hosts as there are programs, or one); what
 *         ct_topology_open() and ct_simulate_places_new() return
 */
enum ct_status ct_fabric_open(const struct ct_fabric_settings *settings, const uint32_t *n_ranks,
                              size_t n_programs, struct ct_fabric *fabric_p, struct ct_error *err);
void ct_fabric_free(struct ct_fabric *fabric);

/*
 * Find how latencies of the topology's links count, beside L.
 * @param is_measured  [in] L is that of the number of switches on a path: nothing is added to it
 * @param logp_path    [in] run of logpb that L is of; NULL: none
 * @return as ct_link_latency_find()
 */
enum ct_status ct_fabric_find_latency(const struct ct_fabric_settings *settings, bool is_measured,
                                      const char *logp_path, struct ct_fabric *fabric,
                                      struct ct_error *err);

/* Where a program is. The result refers to the fabric. */
struct ct_simulate_place ct_fabric_place(const struct ct_fabric *fabric,
                                         const struct ct_fabric_settings *settings, size_t program);

/* Table "links", and a row of it: a direction of a link, as in struct ct_network_way. */
void ct_fabric_links_begin(const char *title, struct ct_tables *tables);
void ct_fabric_links_row(const struct ct_fabric *fabric, uint32_t way, double ns_per_byte,
                         double busy_frac, struct ct_tables *tables);

/* Notes on what a file of the network left open. */
void ct_fabric_fill_notes(const struct ct_fabric *fabric, const struct ct_fabric_settings *settings,
                          struct ct_tables *tables);
