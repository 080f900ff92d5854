/** Options of commands that read the runs of a campaign. */
#pragma once

#include "core/option.h"

/** @param help_  [in] what happens with the runs of this placement, and without the option */
#define CT_ROW_PLACEMENT(structure_, member_, help_)                                               \
    {                                                                                              \
        CT_OPTION(STRING, "placement", structure_, member_), .argument = "NAME", .help = (help_)   \
    }

/** The limit of verdicts (study/verdict.h). */
#define CT_ROW_ACCEPTABLE(structure_, member_)                                                     \
    {                                                                                              \
        CT_OPTION(FRACTION, "acceptable", structure_, member_),                                    \
            .argument = "FRACTION", .initial = "5%", CT_RANGE(1e-3, 10),                           \
            .help = "limit of a slowdown, up to which two applications may run beside each other"  \
    }
