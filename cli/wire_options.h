/** Options of the commands on execution graphs for the topology and the placement of ranks. */
#pragma once

#include "cli/link_latency.h"
#include "cli/model_options.h"
#include "lp-bridge/envelope/wires.h"

struct ct_wire_settings {
    const char *topology; /**< NULL: not given */
    uint64_t ranks_per_node;
    double wire_s, switch_s, L_node_s, G_node_s_per_byte; /**< NaN: not given */
};

/** Rows --topology, --wire, --switch, --ranks-per-node, --L-node, --G-node. */
extern const struct ct_option ct_wire_options[];

/** The machine that a schedule runs on: a LogGPS model, a network of nodes, or a run of all pairs.
 */
struct ct_machine_settings {
    struct ct_model_settings model;
    struct ct_wire_settings wires;
    const char *pairs_path; /**< run of logpb; NULL: not given */
};

/** Row --pairs; offset in struct ct_machine_settings. */
extern const struct ct_option ct_pair_options[];

/* A path of members in offsetof() has no parentheses. NOLINTBEGIN(bugprone-macro-parentheses) */
/** Groups of a command that runs a schedule on a machine. */
#define CT_MACHINE_GROUPS(structure_, member_)                                                     \
    {"Model (LogGPS)", ct_model_options, offsetof(structure_, member_.model)},                     \
        {"Network", ct_wire_options, offsetof(structure_, member_.wires)},                         \
    {                                                                                              \
        "Pairs of nodes", ct_pair_options, offsetof(structure_, member_)                           \
    }
/* NOLINTEND(bugprone-macro-parentheses) */

/** Defaults, to be set before the options are parsed: nothing is given. */
struct ct_wire_settings ct_wire_defaults(void);

/** The network of a command. */
struct ct_network {
    struct ct_topology topology;    /**< without nodes: none was given */
    struct ct_link_latency latency; /**< of its links; zeros where these do not count */
    bool adds_to_L;                 /**< ct_wire_adds_to_L(), of a command that takes L */
    struct ct_wires *wires;         /**< NULL: L is the same for all pairs */
};

/** What a topology needs beside it. */
enum ct_wire_need {
    CT_WIRE_ANY,        /**< the command has more options */
    CT_WIRE_OR_CLASSES, /**< --wire and --switch, or a run of logpb --pairs classes */
    CT_WIRE_OR_LINKS    /**< likewise, or L and a file with latencies of links */
};

/** Whether paths have latencies beside L: those of classes in a run, or of links in a file. */
bool ct_wire_adds_to_L(const struct ct_wire_settings *settings,
                       const struct ct_model_settings *model);

/** Demand that a run measured classes of paths. @return CT_OK; CT_EUSAGE */
enum ct_status ct_wire_demand_classes(const struct ct_path_latencies *by_switches,
                                      const char *logp_path, struct ct_error *err);

/**
 * Check the options, before anything is read.
 * @return CT_OK; CT_EUSAGE
 */
enum ct_status ct_wire_check(const struct ct_wire_settings *settings,
                             const struct ct_model_settings *model, enum ct_wire_need need,
                             struct ct_error *err);

/** The L that latencies of classes or links are added to. */
struct ct_wire_base {
    const struct ct_parameters *model;
    const struct ct_model_settings *given;
};

/**
 * @param base       [in]  with CT_WIRE_OR_LINKS; NULL: L is never added to
 * @param network_p  [out] ct_network_free(); unchanged on error
 * @return CT_OK; CT_EUSAGE (a file without latencies of all links, or a run without classes, and
 *         no --wire); what ct_topology_open(), ct_link_latency_find() and ct_wires_new() return
 */
enum ct_status ct_network_open(const struct ct_wire_settings *settings,
                               const struct ct_graph *graph, const struct ct_wire_base *base,
                               struct ct_network *network_p, struct ct_error *err);
void ct_network_free(struct ct_network *network);

/** The parameters of a model, with the latency of a wire as L if there is a topology with --wire.
 */
struct ct_loggps ct_network_at(const struct ct_network *network,
                               const struct ct_wire_settings *settings,
                               const struct ct_parameters *model);

/** Add provenance: nodes, and switches between ranks. */
void ct_network_provenance(const struct ct_network *network, struct ct_tables *tables);
