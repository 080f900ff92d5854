/**
 * Rows of option tables (core/option.h) that several commands have, so that spelling, range and
 * default are the same in all of them. `structure_, member_` is the offset of the field in the
 * values; rows whose meaning depends on the command take `help_`. Further members of the row, such
 * as `.required = true`, may follow.
 */
#pragma once

#include "core/option.h"
#include "core/table.h"

/** --format FORMAT; int, enum ct_format. */
#define CT_ROW_FORMAT(structure_, member_, help_)                                                  \
    {                                                                                              \
        CT_OPTION(CHOICE, "format", structure_, member_),                                          \
            .argument = "FORMAT", .initial = "table", .choices = ct_format_names, .help = (help_)  \
    }

/** -o, --output ARGUMENT; const char *. */
#define CT_ROW_OUTPUT(structure_, member_, argument_, help_, ...)                                  \
    {                                                                                              \
        CT_OPTION(STRING, "output", structure_, member_), .letter = 'o', .argument = (argument_),  \
                                                          .help = (help_), __VA_ARGS__             \
    }

/** --plot FILE; const char *. */
#define CT_ROW_PLOT(structure_, member_, help_)                                                    \
    {                                                                                              \
        CT_OPTION(STRING, "plot", structure_, member_),                                            \
            .target = CT_FILE_PICTURE, .argument = "FILE.svg|FILE.png", .help = (help_)            \
    }

/** -q, --quiet; bool. */
#define CT_ROW_QUIET_AS(structure_, member_, help_)                                                \
    {                                                                                              \
        CT_OPTION(FLAG, "quiet", structure_, member_), .letter = 'q', .help = (help_)              \
    }

/* A path of members in offsetof() has no parentheses. NOLINTBEGIN(bugprone-macro-parentheses) */
/** --all and --verbose; member_ is a struct ct_view. */
#define CT_ROWS_MORE(structure_, member_)                                                          \
    {CT_OPTION(VIEW, "all", structure_, member_.given.all),                                        \
     .help = "print the whole result; without it, what fits on 25 lines"},                         \
    {                                                                                              \
        CT_OPTION(VERBOSE, "verbose", structure_, member_.given),                                  \
            .help = "print all parameters; without it, those that were given"                      \
    }

/** These and --quiet, of a command that prints its result on standard output. */
#define CT_ROWS_VIEW(structure_, member_)                                                          \
    CT_ROW_QUIET_AS(structure_, member_.quiet, "print only the answer, warnings and errors"),      \
        CT_ROWS_MORE(structure_, member_)
/* NOLINTEND(bugprone-macro-parentheses) */

/** --quiet of a command whose result is not printed. */
#define CT_ROW_QUIET_NO_ANSWER(structure_, member_)                                                \
    CT_ROW_QUIET_AS(structure_, member_, "print warnings and errors only")

/** --seed N; uint64_t. */
#define CT_ROW_SEED(structure_, member_, help_)                                                    \
    {                                                                                              \
        CT_OPTION(SEED, "seed", structure_, member_), .help = (help_)                              \
    }

/** --confidence FRACTION; double. */
#define CT_ROW_CONFIDENCE(structure_, member_, help_)                                              \
    {                                                                                              \
        CT_OPTION(FRACTION, "confidence", structure_, member_),                                    \
            .argument = "FRACTION", .initial = "90%", CT_RANGE(0.5, 0.99), .help = (help_)         \
    }
