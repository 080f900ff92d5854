/**
 * Fits the queues of a network (simulate/network.h) to the slowdowns under configurations: the
 * order in which ports serve, the bytes ahead of a message, and the burst that passes at once.
 * Co-runs are not used.
 *
 * A cell is an application beside a configuration, with the measured slowdown m. The simulation
 * with the queues of a candidate predicts a slowdown p. The error of the candidate is
 *
 *     |ln((1 + m) / (1 + p))|, mean over the cells.
 *
 * The candidate with the least error is taken; of several with the same error the first one that
 * was tried. Both orders are tried without a burst, then both with one of a packet. The first of
 * these four has 16 packets ahead of a message at first, then four times as many, as long as the
 * error decreases, up to the constant ahead_packets_max. The second one begins with the best number
 * of the first, those with a burst with that of their order without. Each is then tried with twice
 * as many, as long as that is better, or, if it never is, with half as many, down to one packet:
 * more ahead makes all slowdowns longer, so the error is taken to have one minimum. What is known
 * of order, burst and bytes ahead is the only one that is tried. The uncertainty follows from
 * replicates in which configurations are drawn with replacement.
 */
#pragma once

#include "core/stats.h"
#include "simulate/network.h"

#include <stdbool.h>
#include <stddef.h>

/** An application beside a configuration. */
struct ct_queues_cell {
    size_t app, config;
    double slowdown_frac; /**< measured, > -1 */
};

/** What is known of queues; the rest is fitted. {0}: nothing is. */
struct ct_queues_known {
    bool has_order, has_burst, has_ahead;
    enum ct_port_order order;
    double burst_bytes;
    double ahead_bytes; /**< the window */
};

struct ct_queues_fit_setup {
    const struct ct_queues_cell *cells; /**< n_cells, borrowed */
    size_t n_cells;
    /**
     * Simulate the slowdowns of cells with some queues.
     * @param is_wanted      [in]  [n_cells]
     * @param slowdown_frac  [out] [n_cells]; others than wanted ones are not read. NaN: not known;
     *                             the cell is then used for no candidate
     * @return CT_OK; an error ends the fit
     */
    enum ct_status (*slowdowns)(void *model, const struct ct_port_queues *queues,
                                const bool *is_wanted, double *slowdown_frac, struct ct_error *err);
    void *model;                  /**< argument of slowdowns() */
    struct ct_queues_known known; /**< only such candidates are tried */
    double unfitted_ahead_bytes;  /**< of the queues if there are too few cells */
    double packet_bytes;          /**< > 0 */
    size_t
        n_packets_max; /**< 1 .. 1024: largest number of packets ahead of a message that is tried */
};

struct ct_queues_fit {
    struct ct_port_queues queues;
    size_t n_cells;  /**< cells that are used; below CT_QUEUES_FIT_CELLS: nothing was fitted */
    double off_mean; /**< mean |ln(measured / predicted time)| */
    struct ct_interval ahead_bytes; /**< 90 % of the replicates */
    double order_frac,
        burst_frac; /**< share of the replicates that have this order, and this burst */
};

/** Least number of cells for a fit, and of different configurations among them. */
enum { CT_QUEUES_FIT_CELLS = 6, CT_QUEUES_FIT_CONFIGS = 3 };

/**
 * @param fit_p  [out] if there are too few cells, queues are the known ones, else plain, and the
 *                     interval and the other numbers are NaN; unchanged on error
 * @return CT_OK; CT_ENOMEM; what slowdowns() returns
 */
enum ct_status ct_queues_fit(const struct ct_queues_fit_setup *setup, struct ct_queues_fit *fit_p,
                             struct ct_error *err);
