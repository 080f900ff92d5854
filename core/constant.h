/**
 * Numbers that answers rest on and that the measurements at hand do not give. Each is one row of
 * the table of its room (constants.h there), and the code takes its value from that row, or the row
 * from the one definition in a header where the size of an array depends on it. So no two commands
 * disagree; `crosstalk show --constants` prints all rows.
 */
#ifndef CT_CORE_CONSTANT_H
#define CT_CORE_CONSTANT_H

#include <stddef.h>

/** Where a value is from, with the word for it. */
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
    const char *model; /**< or command, or part of one, that it belongs to */
    enum ct_constant_origin origin;
    const char *from;   /**< what it was fitted to; where it was published; why it was chosen */
    const char *off_by; /**< how far off it is, and where that was tried; NULL: was not tried */
};

/** The word for an origin. Static storage. */
const char *ct_constant_origin_text(enum ct_constant_origin origin);

#endif
