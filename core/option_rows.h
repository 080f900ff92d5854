/**
 * Rows of option tables (core/option.h) that several commands have, so that spelling, range and
 * default are the same in all of them. `offset_` is the offset of the field in the values; rows
 * whose meaning depends on the command take `help_`. Further members of the row, such as `.required
 * = true`, may follow.
 */
#ifndef CT_CORE_OPTION_ROWS_H
#define CT_CORE_OPTION_ROWS_H

#include "core/option.h"
#include "core/table.h"

/** --format FORMAT; int, enum ct_format. */
#define CT_ROW_FORMAT(offset_, help_)                                                              \
    {                                                                                              \
        .name = "format", .type = CT_OPTION_CHOICE, .offset = (offset_), .argument = "FORMAT",     \
        .initial = "table", .choices = ct_format_names, .help = (help_)                            \
    }

/** -o, --output ARGUMENT; const char *. */
#define CT_ROW_OUTPUT(offset_, argument_, help_, ...)                                              \
    {                                                                                              \
        .name = "output", .letter = 'o', .type = CT_OPTION_STRING, .offset = (offset_),            \
        .argument = (argument_), .help = (help_), __VA_ARGS__                                      \
    }

/** -q, --quiet; bool. */
#define CT_ROW_QUIET_AS(offset_, help_)                                                            \
    {                                                                                              \
        .name = "quiet", .letter = 'q', .type = CT_OPTION_FLAG, .offset = (offset_),               \
        .help = (help_)                                                                            \
    }

/** --quiet of a command that prints its result on standard output. */
#define CT_ROW_QUIET(offset_) CT_ROW_QUIET_AS(offset_, "print only the result, warnings and errors")

/** --quiet of a command whose result is not printed. */
#define CT_ROW_QUIET_NO_ANSWER(offset_) CT_ROW_QUIET_AS(offset_, "print warnings and errors only")

/** --seed N; uint64_t. */
#define CT_ROW_SEED(offset_, help_)                                                                \
    {                                                                                              \
        .name = "seed", .type = CT_OPTION_SEED, .offset = (offset_), .argument = "N",              \
        .help = (help_)                                                                            \
    }

/** --confidence FRACTION; double. */
#define CT_ROW_CONFIDENCE(offset_, help_)                                                          \
    {                                                                                              \
        .name = "confidence", .type = CT_OPTION_FRACTION, .offset = (offset_),                     \
        .argument = "FRACTION", .initial = "90%", .min = 0.5, .max = 0.99, .help = (help_)         \
    }

#endif
