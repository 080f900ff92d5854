/** The cells of a round of a scan, one after the other; what they measured is rank 0's. */
#pragma once

#include "bench/scan/scan_canary.h"
#include "bench/scan/scan_congestor.h"

struct ct_scan_setup {
    const struct ct_scan_case *cases; /**< [n_cases] in the order in which they are measured */
    size_t n_cases;
    size_t message_bytes; /**< of bandwidth canaries, and of congestors */
    size_t most_samples;  /**< of a cell */
    double cell_s;        /**< of a canary */
    double settle_s;      /**< between the congestors' first messages and the canary */
    double start_limit_s; /**< for the congestors' first messages */
};

/** Root 0: rows of the run file. Elsewhere empty. */
struct ct_scan_result {
    struct ct_scan_cell_row *cells; /**< [n_cells] that are complete */
    size_t n_cells;
    struct ct_scan_sample *samples; /**< [n_samples] by cell */
    size_t n_samples;
    bool is_interrupted; /**< a signal came; the same on all ranks */
};

/**
 * Called on rank 0 after each cell.
 * @return CT_OK; else the round ends
 */
typedef enum ct_status ct_scan_keep(void *context, const struct ct_scan_result *so_far,
                                    struct ct_error *err);

/**
 * Measure the cells. Collective. A cell during which a signal comes is left out, and those behind
 * it, too: that is no error.
 * @param result_p  [out] ct_scan_result_free(), also on error
 * @return the same on all ranks: CT_OK; CT_EINVAL (a congestor, but no congestor nodes); CT_EIO
 *         (of keep()); CT_ENOMEM. Congestors that do not start end the program.
 */
enum ct_status ct_scan_run(const struct ct_scan_side *side, const struct ct_scan_setup *setup,
                           ct_scan_keep *keep, void *context, struct ct_scan_result *result_p,
                           struct ct_error *err);
void ct_scan_result_free(struct ct_scan_result *result);
