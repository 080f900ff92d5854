/** Options of the commands on execution graphs for the topology and the placement of ranks. */
#ifndef CT_CLI_WIRE_OPTIONS_H
#define CT_CLI_WIRE_OPTIONS_H

#include "cli/model_options.h"
#include "lp-bridge/envelope/wires.h"

struct ct_wire_settings {
    const char *topology; /**< NULL: not given */
    uint64_t ranks_per_node;
    double wire_s, switch_s, L_node_s, G_node_s_per_byte; /**< NaN: not given */
};

/** Rows --topology, --wire, --switch, --ranks-per-node, --L-node, --G-node. */
extern const struct ct_option ct_wire_options[];

/** Defaults, to be set before the options are parsed: nothing is given. */
struct ct_wire_settings ct_wire_defaults(void);

/** The network of a command. */
struct ct_network {
    struct ct_topology topology; /**< without nodes: none was given */
    struct ct_wires *wires;      /**< NULL: L is the same for all pairs */
};

/**
 * Check the options, before anything is read.
 * @param needs_wire  [in]  whether a topology needs --wire and --switch
 * @return CT_OK; CT_EUSAGE
 */
enum ct_status ct_wire_check(const struct ct_wire_settings *settings,
                             const struct ct_model_settings *model, bool needs_wire,
                             struct ct_error *err);

/**
 * @param network_p  [out] ct_network_free(); unchanged on error
 * @return CT_OK; what ct_topology_open() and ct_wires_new() return
 */
enum ct_status ct_network_open(const struct ct_wire_settings *settings,
                               const struct ct_graph *graph, struct ct_network *network_p,
                               struct ct_error *err);
void ct_network_free(struct ct_network *network);

/** The parameters of a model, with the latency of a wire as L if there is a topology. */
struct ct_loggps ct_network_at(const struct ct_network *network,
                               const struct ct_wire_settings *settings,
                               const struct ct_parameters *model);

/** Add provenance: nodes, and switches between ranks. */
void ct_network_provenance(const struct ct_network *network, struct ct_tables *tables);

#endif
