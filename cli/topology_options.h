/** Rows of options of topologies; for tables with any offsets. */
#pragma once

#include "core/option.h"
#include "core/status.h"
#include "core/table.h"
#include "topology/topology.h"

#include <stdbool.h>

/**
 * Check options of networks for a text: those that set rates and latencies fill what a file does
 * not have; a number of spines is of generated trees only.
 * @param options     [in] that are given, for the message
 * @param has_spines  [in] --spines is given
 * @return CT_OK; CT_EUSAGE (it names neither a kind of network nor a file; spines of a file)
 */
enum ct_status ct_topology_options_check(const char *options, const char *text, bool has_spines,
                                         struct ct_error *err);

/** Note what the reader of a file left out or assumed. */
void ct_topology_fill_notes(const struct ct_topology *topology, struct ct_tables *tables);

/** Note that links between switches count as fast as those of nodes, if a file has no rates. */
void ct_topology_fill_rates_note(const struct ct_topology *topology, struct ct_tables *tables);

/** --spines N; uint64_t, 0: not given. */
#define CT_ROW_SPINES(structure_, member_)                                                         \
    {                                                                                              \
        CT_OPTION(U64, "spines", structure_, member_), CT_RANGE(1, 100000),                        \
            .help = "switches that all leaves of a tree are joined to; without it as in the "      \
                    "text, or 1"                                                                   \
    }

/** --rate RATE and --uplink RATE; double, untouched if not given. */
#define CT_ROW_RATE(structure_, member_)                                                           \
    CT_ROW_LINK_RATE("rate", structure_, member_,                                                  \
                     "a node's link; of a file, of links whose rate it does not have")
#define CT_ROW_UPLINK(structure_, member_)                                                         \
    CT_ROW_LINK_RATE("uplink", structure_, member_,                                                \
                     "a link between switches, likewise; without it that of --rate")
#define CT_ROW_LINK_RATE(name_, structure_, member_, of_)                                          \
    {                                                                                              \
        CT_OPTION(RATE, name_, structure_, member_), CT_RANGE(1, 1e12),                            \
            .help = "rate of each direction of " of_                                               \
    }
