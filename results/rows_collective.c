/* All ranks open the file and write their rows at once, through parallel HDF5. */
#include "results/run_rows.h"
#include "results/schema.h"

#include <stdlib.h>

/* A rank without rows takes part too: a collective write of compressed chunks waits for all. */
static enum ct_status write_part(hid_t id, const struct ct_dataset *dataset, const void *packed,
                                 hsize_t first, hsize_t n, struct ct_error *err)
{
    enum ct_status status = CT_OK;
    hid_t type = ct_schema_packed_type(dataset);
    hid_t file_space = H5Dget_space(id);
    hid_t memory_space = H5Screate_simple(1, &n, NULL);
    hid_t transfer = H5Pcreate(H5P_DATASET_XFER);
    H5Pset_dxpl_mpio(transfer, H5FD_MPIO_COLLECTIVE);
    if (n > 0)
        H5Sselect_hyperslab(file_space, H5S_SELECT_SET, &first, NULL, &n, NULL);
    else
        H5Sselect_none(file_space);
    if (H5Dwrite(id, type, memory_space, file_space, transfer, packed) < 0)
        status = ct_schema_fail(err, CT_EIO, "/%s", dataset->name);
    H5Pclose(transfer);
    H5Sclose(memory_space);
    H5Sclose(file_space);
    H5Tclose(type);
    return status;
}

static enum ct_status write_shared(MPI_Comm comm, const struct ct_rows_plan *plan, hid_t file,
                                   size_t d, const struct ct_run *run, struct ct_error *err)
{
    const struct ct_dataset *dataset = &ct_datasets[d];
    size_t n = ct_dataset_count(dataset, run);
    uint64_t own = n, first = 0; /* the row where this rank's part begins */
    MPI_Exscan(&own, &first, 1, MPI_UINT64_T, MPI_SUM, comm);
    if (plan->rank == 0)
        first = 0; /* MPI does not say what it gives the first rank */
    enum ct_status status = CT_OK;
    void *packed = malloc(n > 0 ? n * dataset->packed_bytes : 1);
    hid_t id = H5I_INVALID_HID;
    if (!packed)
        status = ct_no_memory(err, "/%s: %zu rows", dataset->name, n);
    else if ((id = H5Dopen2(file, dataset->name, H5P_DEFAULT)) < 0)
        status = ct_schema_fail(err, CT_EIO, "/%s", dataset->name);
    status = ct_rows_agree(comm, plan, status, err);
    if (status == CT_OK) {
        ct_dataset_pack(dataset, ct_dataset_rows(dataset, run), n, packed);
        status = write_part(id, dataset, packed, first, n, err);
    }
    if (id >= 0)
        H5Dclose(id);
    free(packed);
    return ct_rows_agree(comm, plan, status, err);
}

static enum ct_status open_together(MPI_Comm comm, const char *file, hid_t *id_p,
                                    struct ct_error *err)
{
    enum ct_status status = CT_OK;
    hid_t access = ct_schema_access();
    if (H5Pset_fapl_mpio(access, comm, MPI_INFO_NULL) < 0 ||
        (*id_p = H5Fopen(file, H5F_ACC_RDWR, access)) < 0)
        status = ct_schema_fail(err, CT_EIO, "cannot be opened by all ranks");
    H5Pclose(access);
    return status;
}

enum ct_status ct_rows_write_collective(MPI_Comm comm, const struct ct_rows_plan *plan,
                                        const char *temporary, const struct ct_run *run,
                                        struct ct_error *err)
{
    ct_schema_begin();
    hid_t file = H5I_INVALID_HID;
    enum ct_status status =
        ct_rows_agree(comm, plan, open_together(comm, temporary, &file, err), err);
    for (size_t d = 0; d < CT_N_DATASETS && status == CT_OK; d++)
        if (ct_datasets[d].is_shared && ct_datasets[d].kind == plan->kind && plan->total[d] > 0)
            status = write_shared(comm, plan, file, d, run, err);
    if (file >= 0 && H5Fclose(file) < 0 && status == CT_OK)
        status = ct_schema_fail(err, CT_EIO, "cannot be closed");
    return ct_rows_agree(comm, plan, status, err);
}
