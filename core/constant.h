/**
 * Numbers that results depend on and that are not measured in a campaign. Each is one row of the
 * table of its room (constants.h there), and the code takes its value from that row. If the size of
 * an array depends on the number, a header defines it, and the row takes it from there. So all
 * commands use the same value. `crosstalk show --constants` prints all rows.
 */
#pragma once

#include <stddef.h>

/** Origin of a value, with its name in output. */
#define CT_CONSTANT_ORIGIN_MAP(X)                                                                  \
    X(FITTED, "fitted")       /* to measurements, once */                                          \
    X(PUBLISHED, "published") /* in a paper or a standard */                                       \
    X(CHOSEN, "chosen")       /* by judgement, not fitted */

enum ct_constant_origin {
#define CT_CONSTANT_ORIGIN_ENUM(name, text) CT_CONSTANT_##name,
    CT_CONSTANT_ORIGIN_MAP(CT_CONSTANT_ORIGIN_ENUM)
#undef CT_CONSTANT_ORIGIN_ENUM
};

struct ct_constant {
    const char *name; /**< unique among all */
    double value;
    const char *unit;  /**< "B", "s"; "1" for a ratio or a count without one */
    const char *model; /**< what uses it: a model, a command, or a part of one */
    enum ct_constant_origin origin;
    const char *from;   /**< what it was fitted to; where it was published; why it was chosen */
    const char *off_by; /**< its error, and the data that this was tested on; NULL: not tested */
};

/** Name of an origin. Static storage. */
const char *ct_constant_origin_text(enum ct_constant_origin origin);

/** The table of a room, whose rows are enum ct_ROOM_constant, and the value of a row of it: as it
 * is, and of a row whose value is a whole number. */
#define CT_CONSTANTS(room_, ROOM_)                                                                 \
    extern const struct ct_constant ct_##room_##_constants[CT_##ROOM_##_N_CONSTANTS];              \
    static inline double ct_##room_##_constant(enum ct_##room_##_constant row)                     \
    {                                                                                              \
        return ct_##room_##_constants[row].value;                                                  \
    }                                                                                              \
    static inline size_t ct_##room_##_count(enum ct_##room_##_constant row)                        \
    {                                                                                              \
        return (size_t)ct_##room_##_constants[row].value;                                          \
    }
