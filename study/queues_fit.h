/**
 * What queues of a network do to a message, fitted to configurations: the order in which ports
 * serve, what is ahead of a message, and the burst that passes at once (simulate/links.h). Co-runs
 * have no part in it.
 *
 * A cell is an application beside a configuration, with the slowdown m that was measured. For each
 * candidate the simulation says a slowdown p, and the candidate is off by
 *
 *     |ln((1 + m) / (1 + p))|, mean over the cells.
 *
 * The one that is off least is taken; of two that are equal the one that is listed first, which
 * assumes less. Both orders are tried with 1, 4, 16, ... packets ahead of a message, up to the
 * constant ahead_packets_max; then both orders without a burst and with one of a packet, from the
 * best of these on with twice and half as much ahead as long as that is better. How well the
 * campaign tells them is seen from replicates that draw configurations anew.
 */
#ifndef CT_STUDY_QUEUES_FIT_H
#define CT_STUDY_QUEUES_FIT_H

#include "core/stats.h"
#include "simulate/links.h"

#include <stddef.h>

/** An application beside a configuration. */
struct ct_queues_cell {
    size_t app, config;
    double slowdown_frac; /**< measured, > -1 */
};

struct ct_queues_fit_setup {
    const struct ct_queues_cell *cells; /**< n_cells, borrowed */
    size_t n_cells;
    /**
     * Slowdown of a cell with these queues. Equal queues are asked about in a row.
     * @param slowdown_frac_p  [out] NaN: not known; the cell then counts for no candidate
     * @return CT_OK; an error ends the fit
     */
    enum ct_status (*slowdown)(void *model, const struct ct_queues_cell *cell,
                               const struct ct_links_queues *queues, double *slowdown_frac_p,
                               struct ct_error *err);
    void *model;          /**< handed on */
    double packet_bytes;  /**< > 0 */
    size_t n_packets_max; /**< 1 .. 1024: most that are tried ahead of a message */
};

struct ct_queues_fit {
    struct ct_links_queues queues;
    size_t n_cells;  /**< that counts; below CT_QUEUES_FIT_CELLS: nothing was fitted */
    double off_mean; /**< mean |ln(measured / predicted time)| */
    struct ct_interval ahead_bytes; /**< 90 % of the replicates */
    double order_frac, burst_frac;  /**< share of the replicates with this order, with this burst */
};

/** Cells that a fit needs at least, and configurations among them. */
enum { CT_QUEUES_FIT_CELLS = 6, CT_QUEUES_FIT_CONFIGS = 3 };

/**
 * @param fit_p  [out] where there are too few cells: queues are those of the first candidate, the
 *               interval and the other numbers NaN; unchanged on error
 * @return CT_OK; CT_ENOMEM; what slowdown() returns
 */
enum ct_status ct_queues_fit(const struct ct_queues_fit_setup *setup, struct ct_queues_fit *fit_p,
                             struct ct_error *err);

#endif
