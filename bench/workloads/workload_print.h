/** Results of the passes of a workload: summary over ranks, tables, run file. */
#pragma once

#include "bench/workloads/workload.h"

/**
 * Print the summary, and write the run file if there is an --output. Each phase of the workload is
 * in the file as facts, means over passes and ranks: phase_NAME_s, phase_NAME_mpi_s,
 * phase_NAME_messages, phase_NAME_bytes, phase_NAME_reductions, phase_NAME_partners; the fact
 * "phases" lists the names. Collective.
 * @param show_profile  [in] print the phases too
 * @return the same on all ranks: CT_OK; CT_EIO; CT_ENOMEM
 */
enum ct_status ct_workload_print(struct ct_bench *bench, const struct ct_workload *workload,
                                 const struct ct_workload_plan *plan,
                                 const struct ct_profile *profile,
                                 const struct ct_workload_passes *passes, bool show_profile,
                                 struct ct_error *err);
