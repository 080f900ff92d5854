#include "results/run_rows.h"

enum ct_status ct_rows_agree(MPI_Comm comm, const struct ct_rows_plan *plan, enum ct_status status,
                             struct ct_error *err)
{
    int failed = status == CT_OK ? plan->size : plan->rank, lowest;
    MPI_Allreduce(&failed, &lowest, 1, MPI_INT, MPI_MIN, comm);
    if (lowest == plan->size)
        return CT_OK;
    MPI_Bcast(err, (int)sizeof *err, MPI_BYTE, lowest, comm);
    return err->status;
}
