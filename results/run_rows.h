/**
 * Writes the rows of all ranks into a run file: one function for each driver. Internal to results.
 */
#pragma once

#include "results/dataset.h"

#include <mpi.h>

/** What ranks exchange before the writing. */
struct ct_rows_plan {
    int rank, size;
    enum ct_run_kind kind;
    size_t n_pairs;
    size_t total[CT_N_DATASETS]; /**< rows of all ranks */
};

/**
 * Write the rows of shared datasets into a file that rank 0 has made, with datasets of the right
 * size. Collective over comm.
 * @param temporary  [in] its name, the same on all ranks
 * @return the same status on all ranks: CT_OK; CT_EIO; CT_ENOMEM
 */
typedef enum ct_status ct_rows_driver(MPI_Comm comm, const struct ct_rows_plan *plan,
                                      const char *temporary, const struct ct_run *run,
                                      struct ct_error *err);

ct_rows_driver ct_rows_write_collective, ct_rows_write_gathered;

/** Give all ranks the status and message of the lowest rank that failed. Collective. */
enum ct_status ct_rows_agree(MPI_Comm comm, const struct ct_rows_plan *plan, enum ct_status status,
                             struct ct_error *err);
