/** A workload as a canary: its iterations on the canary ranks. */
#pragma once

#include "bench/scan/scan_side.h"
#include "results/scan_setting.h"

struct ct_scan_workload;

/**
 * At scale 1, with its own time of computing, in which ranks sleep. Collective over the side.
 * @param canary      [in]  a workload
 * @param workload_p  [out] ct_scan_workload_free(); unchanged on error
 * @return the same on all ranks of the side: CT_OK; CT_EUSAGE (not on this number of ranks);
 *         CT_EINVAL; CT_ENOMEM
 */
enum ct_status ct_scan_workload_new(const struct ct_scan_side *side, enum ct_scan_canary canary,
                                    struct ct_scan_workload **workload_p, struct ct_error *err);
/** One iteration. Collective over the side. */
void ct_scan_workload_iterate(struct ct_scan_workload *workload);
/** @param workload  [in] NULL: CT_OK. @return on this rank: CT_OK; CT_EIO (a message was changed)
 */
enum ct_status ct_scan_workload_status(const struct ct_scan_workload *workload,
                                       struct ct_error *err);
void ct_scan_workload_free(struct ct_scan_workload *workload);
