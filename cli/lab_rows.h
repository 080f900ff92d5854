/** Rows of option tables of the commands that build a lab, or start programs in one. */
#pragma once

#include "core/mpi_kind.h"
#include "core/option_rows.h"

/** --id NAME; const char *. */
#define CT_LAB_ROW_ID(structure_, member_)                                                         \
    {                                                                                              \
        CT_OPTION(STRING, "id", structure_, member_),                                              \
            .argument = "NAME",                                                                    \
            .help = "name of the lab; without this option $CROSSTALK_LAB, or else 'default'"       \
    }

/** --ppn K; uint64_t. */
#define CT_LAB_ROW_RANKS_PER_HOST(structure_, member_)                                             \
    {                                                                                              \
        CT_OPTION(U64, "ppn", structure_, member_),                                                \
            .argument = "K", .initial = "1", CT_RANGE(1, 1000),                                    \
            .help = "slots per host; ranks 0 to K-1 are on the first host, and so on"              \
    }

/** --mpi MPI; int, enum ct_mpi. */
#define CT_LAB_ROW_MPI(structure_, member_)                                                        \
    {                                                                                              \
        CT_OPTION(CHOICE, "mpi", structure_, member_),                                             \
            .argument = "MPI", .initial = "auto", .choices = ct_mpi_names,                         \
            .help = "MPI of a program whose MPI cannot be found, such as a script; auto: that of " \
                    "crosstalk"                                                                    \
    }
