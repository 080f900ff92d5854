/** A round of a scan: scanb, started once by a launcher. */
#pragma once

#include "campaign/launcher.h"
#include "campaign/scan_plan.h"

/** The arguments of scanb. */
struct ct_scan_order {
    const char *folder; /**< of the scan */
    size_t number;      /**< of the round */
    const struct ct_scan_case *cells;
    size_t n_cells;
    const bool *is_canary; /**< [n_nodes]; NULL: all are */
    const size_t *roots;   /**< [n_roots] nodes at which incasts gather, in this order */
    size_t n_roots;
    const struct ct_scan_node *nodes;
    size_t n_nodes;
    uint64_t slots, seed;
    double cell_s;
    size_t message_bytes;
    double limit_s; /**< after which it is ended */
};

/** Make the folder with runs/ and logs/, where they are not there. @return CT_OK; CT_EIO */
enum ct_status ct_scan_round_prepare(const char *folder, struct ct_error *err);

/** Take over what a round that was killed had measured. @return CT_OK; CT_EIO */
enum ct_status ct_scan_round_recover(const char *folder, struct ct_error *err);

/** Number of the next round in the folder. @return CT_OK; CT_EIO */
enum ct_status ct_scan_round_next(const char *folder, size_t *next_p, struct ct_error *err);

/**
 * Make it. What it measured is in the folder afterwards, also where it failed or was ended.
 * @return CT_OK; CT_EINTR (a signal came); CT_ETIMEOUT (limit_s); CT_ECHILD (it failed; the message
 *         has its last lines); errors of the launcher; CT_EIO; CT_ENOMEM
 */
enum ct_status ct_scan_round_make(struct ct_launcher *launcher, const struct ct_scan_order *order,
                                  struct ct_error *err);
