/** The option --placement of commands that read the runs of a campaign. */
#ifndef CT_CLI_PLACEMENT_ROW_H
#define CT_CLI_PLACEMENT_ROW_H

#include "core/option.h"

/** @param help_  [in] what happens with the runs of this placement, and without the option */
#define CT_ROW_PLACEMENT(offset_, help_)                                                           \
    {                                                                                              \
        .name = "placement", .type = CT_OPTION_STRING, .offset = (offset_), .argument = "NAME",    \
        .help = (help_)                                                                            \
    }

#endif
