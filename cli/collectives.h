/** Algorithms of collectives compared: T and tolerances of a traced program with each of them. */
#ifndef CT_CLI_COLLECTIVES_H
#define CT_CLI_COLLECTIVES_H

#include "cli/thresholds.h"
#include "cli/trace_options.h"
#include "core/table.h"
#include "lp-bridge/envelope/tolerance.h"

enum { CT_COLLECTIVES_COLUMNS = 5 + CT_THRESHOLDS_MAX, CT_COLLECTIVES_HEADING_MAX = 32 };

/** A choice of algorithms, and what comes of it. */
struct ct_collectives_row {
    const char *collective, *algorithm;
    struct ct_tolerance at;
    double largest_ns[CT_THRESHOLDS_MAX]; /**< INFINITY: unbounded */
};

struct ct_collectives {
    struct ct_collectives_row *rows; /**< n; the first has the algorithms as they were given */
    size_t n;
    struct ct_column columns[CT_COLLECTIVES_COLUMNS];
    char headings[CT_THRESHOLDS_MAX][CT_COLLECTIVES_HEADING_MAX];
};

struct ct_collectives_question {
    const char *path;                       /**< of the traces */
    const struct ct_trace_settings *traces; /**< with the algorithms as they were given */
    struct ct_collectives_row given;        /**< what was found with them */
    /** Find at and largest_ns of the traces with other algorithms. */
    enum ct_status (*ask)(const void *data, const struct ct_trace_settings *traces,
                          struct ct_collectives_row *row_p, struct ct_error *err);
    const void *data;
};

/**
 * Ask about each algorithm of each collective that the program calls and that has several, in place
 * of what was given for it, the other collectives as given.
 * @param found_p  [out] ct_collectives_free(); unchanged on error
 * @return CT_OK; what ask returned, with the algorithm named; what ct_schedule_collectives()
 *         returns; CT_ENOMEM
 */
enum ct_status ct_collectives_compare(const struct ct_collectives_question *question,
                                      struct ct_collectives *found_p, struct ct_error *err);
void ct_collectives_free(struct ct_collectives *found);

/**
 * Table "collectives".
 * @param found    [in,out] stays where it is until the tables are printed
 * @param of_wire  [in]     tolerances are those of wires, not of L
 */
void ct_collectives_fill(struct ct_collectives *found, const struct ct_thresholds *thresholds,
                         bool of_wire, struct ct_tables *tables);

#endif
