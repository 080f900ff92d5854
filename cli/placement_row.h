/** The option --placement of commands that read the runs of a campaign. */
#ifndef CT_CLI_PLACEMENT_ROW_H
#define CT_CLI_PLACEMENT_ROW_H

#include "core/option.h"

/** @param help_  [in] what happens with the runs of this placement, and without the option */
#define CT_ROW_PLACEMENT(structure_, member_, help_)                                               \
    {                                                                                              \
        .name = "placement", CT_OPTION_AT(STRING, structure_, member_), .argument = "NAME",        \
        .help = (help_)                                                                            \
    }

#endif
