/** Compares algorithms of collectives: T and tolerances of a traced program with each of them. */
#pragma once

#include "cli/thresholds.h"
#include "cli/trace_options.h"
#include "core/table.h"
#include "lp-bridge/envelope/tolerance.h"

/** A choice of algorithms, with T and the tolerances. */
struct ct_collectives_row {
    const char *collective, *algorithm;
    struct ct_tolerance at;
    double largest_ns[CT_THRESHOLDS_MAX]; /**< INFINITY: unbounded */
};

struct ct_collectives {
    struct ct_collectives_row *rows; /**< n; the first one has the algorithms of the options */
    size_t n;
};

struct ct_collectives_question {
    struct ct_input input;                  /**< the traces */
    const struct ct_trace_settings *traces; /**< with the algorithms of the options */
    struct ct_collectives_row given;        /**< results with these */
    /** Compute at and largest_ns of a row, for the traces with other algorithms. */
    enum ct_status (*ask)(const void *data, const struct ct_trace_settings *traces,
                          struct ct_collectives_row *row_p, struct ct_error *err);
    const void *data;
};

/**
 * Compute a row for each algorithm of each collective that the program calls and that has several
 * algorithms. The other collectives keep the algorithms of the options.
 * @param found_p  [out] ct_collectives_free(); unchanged on error
 * @return CT_OK; what ask() returned, with the algorithm in the message; what
 *         ct_schedule_collectives() returns; CT_ENOMEM
 */
enum ct_status ct_collectives_compare(const struct ct_collectives_question *question,
                                      struct ct_collectives *found_p, struct ct_error *err);
void ct_collectives_free(struct ct_collectives *found);

/** Table "collectives". @param of_wire  [in] tolerances are those of wires, not of L */
void ct_collectives_fill(const struct ct_collectives *found, const struct ct_thresholds *thresholds,
                         bool of_wire, struct ct_tables *tables);
