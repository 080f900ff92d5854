/*
 * Rank 0 makes the file alone, with attributes, pairs and empty datasets of the right size; then
 * the rows, which are many, go into it by one of two drivers. So the attributes need not travel.
 */
#include "results/run_parallel.h"

#include "core/parts.h"
#include "results/run_rows.h"
#include "results/schema.h"
#include "results/sum.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

/* What a build without parallel HDF5 does not have is never chosen. */
static ct_rows_driver *const drivers[] = {
#if CT_HAVE_PARALLEL_HDF5
    [CT_RUN_COLLECTIVE] = ct_rows_write_collective,
#endif
    [CT_RUN_GATHERED] = ct_rows_write_gathered};

bool ct_run_driver_exists(enum ct_run_driver driver)
{
    return driver == CT_RUN_GATHERED || CT_HAVE_PARALLEL_HDF5;
}

static void share_counts(MPI_Comm comm, const struct ct_run *run, struct ct_rows_plan *plan)
{
    uint64_t own[CT_N_DATASETS], all[CT_N_DATASETS];
    uint64_t header[2] = {(uint64_t)run->info.kind, run->n_pairs};
    MPI_Bcast(header, 2, MPI_UINT64_T, 0, comm);
    plan->kind = (enum ct_run_kind)header[0];
    plan->n_pairs = (size_t)header[1];
    for (size_t d = 0; d < CT_N_DATASETS; d++) {
        bool counts = ct_datasets[d].is_shared || plan->rank == 0;
        own[d] = counts ? ct_dataset_count(&ct_datasets[d], run) : 0;
    }
    MPI_Allreduce(own, all, CT_N_DATASETS, MPI_UINT64_T, MPI_SUM, comm);
    for (size_t d = 0; d < CT_N_DATASETS; d++)
        plan->total[d] = (size_t)all[d];
}

/* ---- the file ---- */

/* A write that fails in the middle of a collective one is what HDF5 1.10 does not survive: the rank
 * that fails leaves, and the others wait for it. So the room is made sure of beforehand. Rank 0
 * only. */
static enum ct_status make_room(struct ct_file *draft, size_t bytes, struct ct_error *err)
{
    bool reserved = false;
    enum ct_status status = ct_file_reserve(draft, bytes, &reserved, err);
    return status == CT_OK && !reserved ? ct_file_fill(draft, bytes, err) : status;
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
static enum ct_status create_draft(const char *path, const struct ct_run *run,
                                   const struct ct_rows_plan *plan, size_t bytes,
                                   struct ct_file *draft, struct ct_error *err)
{
    CT_TRY(ct_file_create(path, draft, err));
    enum ct_status status =
        ct_schema_create(draft, run, plan->total, CT_SCHEMA_OWN_ROWS, CT_RUN_COMPRESSED, err);
    if (status == CT_OK)
        status = make_room(draft, bytes, err);
    if (status != CT_OK)
        ct_file_discard(draft);
    return status;
}

/* All ranks need the name that rank 0 has chosen. */
static enum ct_status share_name(MPI_Comm comm, const struct ct_rows_plan *plan,
                                 const struct ct_file *draft, char **name_p, struct ct_error *err)
{
    int size = plan->rank == 0 ? (int)strlen(draft->temporary) + 1 : 0;
    MPI_Bcast(&size, 1, MPI_INT, 0, comm);
    char *name = malloc((size_t)size);
    enum ct_status status = name ? CT_OK : ct_no_memory(err, "name of the file");
    if (name && plan->rank == 0)
        memcpy(name, draft->temporary, (size_t)size);
    status = ct_rows_agree(comm, plan, status, err);
    if (status == CT_OK) {
        MPI_Bcast(name, size, MPI_CHAR, 0, comm);
        *name_p = name;
    } else {
        free(name);
    }
    return status;
}

static enum ct_status write_file(MPI_Comm comm, const struct ct_rows_plan *plan, const char *path,
                                 const struct ct_run *run, enum ct_run_driver driver,
                                 struct ct_error *err)
{
    struct ct_file draft = {.path = path, .fd = -1};
    char *temporary = NULL;
    size_t bytes = plan->rank == 0 ? ct_schema_room_bytes(&run->info, plan->total) : 0;
    MPI_Bcast(&bytes, (int)sizeof bytes, MPI_BYTE, 0, comm);
    CT_TRY(ct_rows_agree(comm, plan, check_limit(path, bytes, err), err));
    enum ct_status status = CT_OK;
    if (plan->rank == 0)
        status = create_draft(path, run, plan, bytes, &draft, err);
    CT_TRY(ct_rows_agree(comm, plan, status, err));
    status = share_name(comm, plan, &draft, &temporary, err);
    if (status == CT_OK) {
        status = drivers[driver](comm, plan, temporary, run, err);
        if (status != CT_OK)
            ct_fail_within(err, status, "%s: cannot be written", path);
    }
    free(temporary);
    if (plan->rank == 0 && status == CT_OK)
        status = ct_sum_commit(&draft, err);
    else if (plan->rank == 0)
        ct_file_discard(&draft);
    return ct_rows_agree(comm, plan, status, err);
}

enum ct_status ct_run_write_parallel(MPI_Comm comm, const char *path, const struct ct_run *run,
                                     struct ct_error *err)
{
    enum ct_run_driver driver =
        ct_run_driver_exists(CT_RUN_COLLECTIVE) ? CT_RUN_COLLECTIVE : CT_RUN_GATHERED;
    return ct_run_write_by(driver, comm, path, run, err);
}

enum ct_status ct_run_write_by(enum ct_run_driver driver, MPI_Comm comm, const char *path,
                               const struct ct_run *run, struct ct_error *err)
{
    MPI_Comm own;
    struct ct_rows_plan plan;
    struct ct_error unused;
    if (!err)
        err = &unused;
    MPI_Comm_dup(comm, &own);
    MPI_Comm_rank(own, &plan.rank);
    MPI_Comm_size(own, &plan.size);
    share_counts(own, run, &plan);
    enum ct_status status = ct_run_check(run, plan.kind, plan.n_pairs, err);
    if (status != CT_OK)
        ct_fail_within(err, status, "%s: rank %d", path, plan.rank);
    status = ct_rows_agree(own, &plan, status, err);
    if (status == CT_OK)
        status = write_file(own, &plan, path, run, driver, err);
    MPI_Comm_free(&own);
    return status;
}
