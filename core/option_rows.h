/**
 * Rows of option tables (core/option.h) that several commands have, so that spelling, range and
 * default are the same in all of them. `structure_, member_` is the offset of the field in the
 * values; rows whose meaning depends on the command take `help_`. Further members of the row, such
 * as `.required = true`, may follow.
 */
#ifndef CT_CORE_OPTION_ROWS_H
#define CT_CORE_OPTION_ROWS_H

#include "core/option.h"
#include "core/table.h"

/** --format FORMAT; int, enum ct_format. */
#define CT_ROW_FORMAT(structure_, member_, help_)                                                  \
    {                                                                                              \
        .name = "format", CT_OPTION_AT(CHOICE, structure_, member_), .argument = "FORMAT",         \
        .initial = "table", .choices = ct_format_names, .help = (help_)                            \
    }

/** -o, --output ARGUMENT; const char *. */
#define CT_ROW_OUTPUT(structure_, member_, argument_, help_, ...)                                  \
    {                                                                                              \
        .name = "output", .letter = 'o', CT_OPTION_AT(STRING, structure_, member_),                \
        .argument = (argument_), .help = (help_), __VA_ARGS__                                      \
    }

/** --plot FILE; const char *. */
#define CT_ROW_PLOT(structure_, member_, help_)                                                    \
    {                                                                                              \
        .name = "plot", CT_OPTION_AT(STRING, structure_, member_), .target = CT_FILE_PICTURE,      \
        .argument = "FILE.svg|FILE.png", .help = (help_)                                           \
    }

/** -q, --quiet; bool. */
#define CT_ROW_QUIET_AS(structure_, member_, help_)                                                \
    {                                                                                              \
        .name = "quiet", .letter = 'q', CT_OPTION_AT(FLAG, structure_, member_), .help = (help_)   \
    }

/* A path of members in offsetof() has no parentheses. NOLINTBEGIN(bugprone-macro-parentheses) */
/** --all and --verbose; member_ is a struct ct_view. */
#define CT_ROWS_MORE(structure_, member_)                                                          \
    {.name = "all",                                                                                \
     CT_OPTION_AT(VIEW, structure_, member_.given.all),                                            \
     .help = "print the whole result; without it, what fits on 25 lines"},                         \
    {                                                                                              \
        .name = "verbose", CT_OPTION_AT(VERBOSE, structure_, member_.given),                       \
        .help = "print all parameters; without it, those that were given"                          \
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
        .name = "seed", CT_OPTION_AT(SEED, structure_, member_), .argument = "N", .help = (help_)  \
    }

/** --confidence FRACTION; double. */
#define CT_ROW_CONFIDENCE(structure_, member_, help_)                                              \
    {                                                                                              \
        .name = "confidence", CT_OPTION_AT(FRACTION, structure_, member_), .argument = "FRACTION", \
        .initial = "90%", .min = 0.5, .max = 0.99, .help = (help_)                                 \
    }

#endif
