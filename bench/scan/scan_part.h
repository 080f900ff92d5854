/** Ranks of a part of the congestors (scan_schedule.h): a communicator of its own. */
#pragma once

#include "bench/scan/scan_side.h"
#include "results/scan_setting.h"

struct ct_scan_part {
    int n_parts;
    int number;    /**< of this rank's, from 0 */
    MPI_Comm comm; /**< the ranks of this rank's part; its first rank is on its first node */
    int rank;      /**< in comm */
    struct ct_layout layout; /**< of comm */
};

/**
 * Collective over the congestors.
 * @param part_p  [out] ct_scan_part_free(); unchanged on error
 * @return CT_OK; CT_ENOMEM, on this rank's part
 */
enum ct_status ct_scan_part_new(const struct ct_scan_side *side, enum ct_scan_congestor congestor,
                                uint64_t seed, struct ct_scan_part *part_p, struct ct_error *err);
void ct_scan_part_free(struct ct_scan_part *part);
