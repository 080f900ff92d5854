/** Rows of options of generated topologies; for tables with any offsets. */
#ifndef CT_CLI_TOPOLOGY_OPTIONS_H
#define CT_CLI_TOPOLOGY_OPTIONS_H

#include "core/option.h"
#include "core/status.h"

/**
 * Refuse options of generated topologies for a text that names none.
 * @param options  [in] for the message
 * @return CT_EUSAGE
 */
enum ct_status ct_topology_options_refuse(const char *options, const char *text,
                                          struct ct_error *err);

/** --spines N; uint64_t, 0: not given. */
#define CT_ROW_SPINES(offset_)                                                                     \
    {                                                                                              \
        .name = "spines", .type = CT_OPTION_U64, .offset = (offset_), .argument = "N", .min = 1,   \
        .max = 100000,                                                                             \
        .help =                                                                                    \
            "switches that all leaves of a tree are joined to; without it as in the text, or 1"    \
    }

/** --rate RATE and --uplink RATE; double, untouched if not given. */
#define CT_ROW_RATE(offset_) CT_ROW_LINK_RATE("rate", offset_, "a node's link")
#define CT_ROW_UPLINK(offset_)                                                                     \
    CT_ROW_LINK_RATE("uplink", offset_, "a link between switches; without it that of --rate")
#define CT_ROW_LINK_RATE(name_, offset_, of_)                                                      \
    {                                                                                              \
        .name = (name_), .type = CT_OPTION_RATE, .offset = (offset_), .argument = "RATE",          \
        .min = 1, .max = 1e12, .help = "rate of each direction of " of_                            \
    }

#endif
