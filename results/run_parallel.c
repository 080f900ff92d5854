/*
 * Rank 0 makes the file alone, with attributes, pairs and empty datasets of the right size; then
 * all ranks open it and write their rows collectively. So the attributes need not travel, and only
 * the rows, which are many, go through parallel input and output.
 */
#include "results/run_parallel.h"

#include "results/schema.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

/* What ranks tell each other before the writing. */
struct plan {
    int rank, size;
    enum ct_run_kind kind;
    size_t n_pairs;
    size_t first[CT_N_DATASETS]; /* row where this rank's part begins */
    size_t total[CT_N_DATASETS];
};

/* The status of the lowest rank that failed becomes everybody's, with its message. */
static enum ct_status agree(MPI_Comm comm, const struct plan *plan, enum ct_status status,
                            struct ct_error *err)
{
    int failed = status == CT_OK ? plan->size : plan->rank, lowest;
    MPI_Allreduce(&failed, &lowest, 1, MPI_INT, MPI_MIN, comm);
    if (lowest == plan->size)
        return CT_OK;
    MPI_Bcast(err, (int)sizeof *err, MPI_BYTE, lowest, comm);
    return err->status;
}

static void share_counts(MPI_Comm comm, const struct ct_run *run, struct plan *plan)
{
    uint64_t own[CT_N_DATASETS], before[CT_N_DATASETS] = {0}, all[CT_N_DATASETS];
    uint64_t header[2] = {(uint64_t)run->info.kind, run->n_pairs};
    MPI_Bcast(header, 2, MPI_UINT64_T, 0, comm);
    plan->kind = (enum ct_run_kind)header[0];
    plan->n_pairs = (size_t)header[1];
    for (size_t d = 0; d < CT_N_DATASETS; d++) {
        bool counts = ct_datasets[d].is_shared || plan->rank == 0;
        own[d] = counts ? ct_dataset_count(&ct_datasets[d], run) : 0;
    }
    MPI_Exscan(own, before, CT_N_DATASETS, MPI_UINT64_T, MPI_SUM, comm);
    MPI_Allreduce(own, all, CT_N_DATASETS, MPI_UINT64_T, MPI_SUM, comm);
    for (size_t d = 0; d < CT_N_DATASETS; d++) {
        plan->first[d] = (size_t)before[d];
        plan->total[d] = (size_t)all[d];
    }
}

/* ---- rows ---- */

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

static enum ct_status write_shared(MPI_Comm comm, const struct plan *plan, hid_t file, size_t d,
                                   const struct ct_run *run, struct ct_error *err)
{
    const struct ct_dataset *dataset = &ct_datasets[d];
    size_t n = ct_dataset_count(dataset, run);
    enum ct_status status = CT_OK;
    void *packed = malloc(n > 0 ? n * dataset->packed_bytes : 1);
    hid_t id = H5I_INVALID_HID;
    if (!packed)
        status = ct_fail(err, CT_ENOMEM, "/%s: out of memory for %zu rows", dataset->name, n);
    else if ((id = H5Dopen2(file, dataset->name, H5P_DEFAULT)) < 0)
        status = ct_schema_fail(err, CT_EIO, "/%s", dataset->name);
    status = agree(comm, plan, status, err);
    if (status == CT_OK) {
        ct_dataset_pack(dataset, ct_dataset_rows(dataset, run), n, packed);
        status = write_part(id, dataset, packed, plan->first[d], n, err);
    }
    if (id >= 0)
        H5Dclose(id);
    free(packed);
    return agree(comm, plan, status, err);
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

static enum ct_status write_rows(MPI_Comm comm, const struct plan *plan, const char *temporary,
                                 const struct ct_run *run, struct ct_error *err)
{
    ct_schema_begin();
    hid_t file = H5I_INVALID_HID;
    enum ct_status status = agree(comm, plan, open_together(comm, temporary, &file, err), err);
    for (size_t d = 0; d < CT_N_DATASETS && status == CT_OK; d++)
        if (ct_datasets[d].is_shared && ct_datasets[d].kind == plan->kind && plan->total[d] > 0)
            status = write_shared(comm, plan, file, d, run, err);
    if (file >= 0 && H5Fclose(file) < 0 && status == CT_OK)
        status = ct_schema_fail(err, CT_EIO, "cannot be closed");
    return agree(comm, plan, status, err);
}

/* ---- the file ---- */

/* A write that fails in the middle of a collective one is what HDF5 1.10 does not survive: the rank
 * that fails leaves, and the others wait for it. So the room is made sure of beforehand. Rank 0
 * only. */
static enum ct_status make_room(struct ct_replace *replace, size_t bytes, struct ct_error *err)
{
    bool reserved = false;
    enum ct_status status = ct_replace_reserve(replace, bytes, &reserved, err);
    return status == CT_OK && !reserved ? ct_replace_fill(replace, bytes, err) : status;
}

/* Any rank may be the one that writes at the end of the file. */
static enum ct_status check_limit(const char *path, size_t bytes, struct ct_error *err)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ||
        limit.rlim_cur >= bytes)
        return CT_OK;
    return ct_fail(err, CT_EIO,
                   "%s: cannot be written: %zu bytes are needed, but files are limited to %llu "
                   "(ulimit -f)",
                   path, bytes, (unsigned long long)limit.rlim_cur);
}

/* Rank 0 only. */
static enum ct_status create(const char *path, const struct ct_run *run, const struct plan *plan,
                             size_t bytes, struct ct_replace *replace, struct ct_error *err)
{
    enum ct_status status = ct_replace_open(path, replace, err);
    if (status != CT_OK)
        return status;
    status =
        ct_schema_create(replace, run, plan->total, CT_SCHEMA_OWN_ROWS, CT_RUN_COMPRESSED, err);
    if (status == CT_OK)
        status = make_room(replace, bytes, err);
    if (status != CT_OK)
        ct_replace_discard(replace);
    return status;
}

/* All ranks need the name that rank 0 has chosen. */
static enum ct_status share_name(MPI_Comm comm, const struct plan *plan,
                                 const struct ct_replace *replace, char **name_p,
                                 struct ct_error *err)
{
    const size_t capacity = strlen(replace->path) + CT_REPLACE_SUFFIX_MAX;
    char *name = malloc(capacity);
    enum ct_status status = name ? CT_OK : ct_fail(err, CT_ENOMEM, "out of memory");
    if (name && plan->rank == 0)
        snprintf(name, capacity, "%s", replace->temporary);
    status = agree(comm, plan, status, err);
    if (status == CT_OK) {
        MPI_Bcast(name, (int)capacity, MPI_CHAR, 0, comm);
        *name_p = name;
    } else {
        free(name);
    }
    return status;
}

static enum ct_status write_file(MPI_Comm comm, const struct plan *plan, const char *path,
                                 const struct ct_run *run, struct ct_error *err)
{
    struct ct_replace replace = {.path = path, .fd = -1};
    char *temporary = NULL;
    size_t bytes = plan->rank == 0 ? ct_schema_room_bytes(&run->info, plan->total) : 0;
    MPI_Bcast(&bytes, (int)sizeof bytes, MPI_BYTE, 0, comm);
    enum ct_status status = agree(comm, plan, check_limit(path, bytes, err), err);
    if (status != CT_OK)
        return status;
    if (plan->rank == 0)
        status = create(path, run, plan, bytes, &replace, err);
    status = agree(comm, plan, status, err);
    if (status != CT_OK)
        return status;
    status = share_name(comm, plan, &replace, &temporary, err);
    if (status == CT_OK) {
        status = write_rows(comm, plan, temporary, run, err);
        if (status != CT_OK)
            ct_fail_within(err, "%s: cannot be written", path);
    }
    free(temporary);
    if (plan->rank == 0 && status == CT_OK)
        status = ct_replace_commit(&replace, err);
    else if (plan->rank == 0)
        ct_replace_discard(&replace);
    return agree(comm, plan, status, err);
}

enum ct_status ct_run_write_parallel(MPI_Comm comm, const char *path, const struct ct_run *run,
                                     struct ct_error *err)
{
    MPI_Comm own;
    struct plan plan;
    struct ct_error unused;
    if (!err)
        err = &unused;
    MPI_Comm_dup(comm, &own);
    MPI_Comm_rank(own, &plan.rank);
    MPI_Comm_size(own, &plan.size);
    share_counts(own, run, &plan);
    enum ct_status status = ct_run_check(run, plan.kind, plan.n_pairs, err);
    if (status != CT_OK)
        ct_fail_within(err, "%s: rank %d", path, plan.rank);
    status = agree(own, &plan, status, err);
    if (status == CT_OK)
        status = write_file(own, &plan, path, run, err);
    MPI_Comm_free(&own);
    return status;
}
