/** The nodes on which crosstalk place may put ranks, and what messages between them cost. */
#pragma once

#include "cli/graph_input.h"
#include "cli/pair_settings.h"
#include "topology/topology.h"

struct ct_place_settings {
    struct ct_machine_settings machine;
    const char *matrix;  /**< NULL: not given */
    const char *hosts;   /**< a file; NULL: not given */
    const char *compare; /**< a hostfile; NULL: not given */
    bool shared_links;   /**< messages share the links of the topology */
    size_t packet_bytes; /**< then */
    uint64_t spines;
    double rate_bit_per_s, uplink_bit_per_s; /**< NaN: not given */
};

/** Rows --matrix, --hosts, --compare, --shared-links, --packet, and those of rates; offsets in
 * struct ct_place_settings. */
extern const struct ct_option ct_place_node_options[];

struct ct_place_nodes {
    struct ct_parameters model; /**< for the graph */
    struct ct_pairs pairs;
    bool o_differs;              /**< from pair to pair: the graph needs peers */
    struct ct_topology topology; /**< of --shared-links; else without nodes */
    uint32_t *used;              /**< likewise: nodes of the topology, pairs.n_places; NULL else */
    char **names;                /**< pairs.n_places */
    bool named;                  /**< they are names of hosts; else "node0", "node1" */
    bool has_latencies;          /**< links of the topology's file have some, which do not count */
    const char *from;            /**< where the costs are from: a path, or a topology; borrowed */
};

/**
 * Check the options, before anything is read.
 * @return CT_OK; CT_EUSAGE
 */
enum ct_status ct_place_nodes_check(const struct ct_place_settings *settings, struct ct_error *err);

/**
 * Parameters for the graph, before it is there.
 * @param nodes_p  [out] ct_place_nodes_free() is due even on error
 * @return CT_OK; CT_EUSAGE; what ct_parameters_make() and ct_pair_settings_read() return
 */
enum ct_status ct_place_nodes_open(const struct ct_place_settings *settings,
                                   struct ct_place_nodes *nodes_p, struct ct_error *err);

/**
 * Pairs of nodes, for a number of ranks.
 * @return CT_OK; CT_EINVAL (names that do not fit); what ct_topology_open(), ct_place_network(),
 *         ct_delay_matrix_read() and ct_file_read() return
 */
enum ct_status ct_place_nodes_find(const struct ct_place_settings *settings, uint32_t n_ranks,
                                   struct ct_place_nodes *nodes, struct ct_error *err);
/**
 * A mapping from the hostfile of the settings.
 * @param mapping_p  [out] n_ranks nodes, free(); NULL: no hostfile was given. Unchanged on error
 * @return CT_OK; CT_EINVAL (not as many lines as ranks, a host that is no node, or one without
 * room); what ct_file_read() returns
 */
enum ct_status ct_place_nodes_compare(const struct ct_place_settings *settings, uint32_t n_ranks,
                                      const struct ct_place_nodes *nodes, uint32_t **mapping_p,
                                      struct ct_error *err);
void ct_place_nodes_free(struct ct_place_nodes *nodes);
