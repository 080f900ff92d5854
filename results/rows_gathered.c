/*
 * Rank 0 writes what the others send, for a serial HDF5. A rank sends one piece of bounded size at
 * a time, and only when rank 0 asks for it: no more than a piece waits anywhere, however many ranks
 * and rows there are. Where writing fails rank 0 asks for nothing more, and says so.
 */
#include "results/run_rows.h"
#include "results/schema.h"

#include <stdlib.h>

enum { PIECE_BYTES = 1 << 20, TAG_ASK = 1, TAG_PIECE = 2 };
enum { STOP, GO };

static bool is_written(const struct ct_dataset *dataset, const struct ct_rows_plan *plan)
{
    return dataset->is_shared && dataset->kind == plan->kind;
}

static size_t rows_in_piece(const struct ct_dataset *dataset, size_t left)
{
    size_t most = PIECE_BYTES / dataset->packed_bytes;
    return left < most ? left : most;
}

static void pack_rows(const struct ct_dataset *dataset, const struct ct_run *run, size_t first,
                      size_t n, void *piece)
{
    const char *rows = ct_dataset_rows(dataset, run);
    ct_dataset_pack(dataset, rows + first * dataset->row_bytes, n, piece);
}

/* ---- the others ---- */

static void send_rows(MPI_Comm comm, const struct ct_rows_plan *plan, const struct ct_run *run,
                      void *piece)
{
    for (size_t d = 0; d < CT_N_DATASETS; d++) {
        const struct ct_dataset *dataset = &ct_datasets[d];
        size_t n_rows = is_written(dataset, plan) ? ct_dataset_count(dataset, run) : 0;
        for (size_t sent = 0, n; sent < n_rows; sent += n) {
            int asked = STOP;
            MPI_Recv(&asked, 1, MPI_INT, 0, TAG_ASK, comm, MPI_STATUS_IGNORE);
            if (asked == STOP)
                return;
            n = rows_in_piece(dataset, n_rows - sent);
            pack_rows(dataset, run, sent, n, piece);
            MPI_Send(piece, (int)(n * dataset->packed_bytes), MPI_BYTE, 0, TAG_PIECE, comm);
        }
    }
}

/* ---- rank 0 ---- */

static enum ct_status write_piece(hid_t id, const struct ct_dataset *dataset, const void *piece,
                                  hsize_t first, hsize_t n, struct ct_error *err)
{
    enum ct_status status = CT_OK;
    hid_t type = ct_schema_packed_type(dataset);
    hid_t file_space = H5Dget_space(id);
    hid_t memory_space = H5Screate_simple(1, &n, NULL);
    H5Sselect_hyperslab(file_space, H5S_SELECT_SET, &first, NULL, &n, NULL);
    if (H5Dwrite(id, type, memory_space, file_space, H5P_DEFAULT, piece) < 0)
        status = ct_schema_fail(err, CT_EIO, "/%s", dataset->name);
    H5Sclose(memory_space);
    H5Sclose(file_space);
    H5Tclose(type);
    return status;
}

/* What rank 0 works with: counts[rank * CT_N_DATASETS + dataset]. */
struct gathering {
    MPI_Comm comm;
    const struct ct_rows_plan *plan;
    const struct ct_run *run;
    const uint64_t *counts;
    void *piece;
};

static void tell_rank(MPI_Comm comm, int rank, int what)
{
    MPI_Send(&what, 1, MPI_INT, rank, TAG_ASK, comm);
}

/* A rank's part of a dataset. The rank is left waiting for the next question only if it has rows.
 */
static enum ct_status write_part(const struct gathering *all, hid_t id, size_t d, int rank,
                                 hsize_t first, size_t *left, struct ct_error *err)
{
    const struct ct_dataset *dataset = &ct_datasets[d];
    size_t n_rows = (size_t)all->counts[(size_t)rank * CT_N_DATASETS + d];
    for (size_t done = 0, n; done < n_rows; done += n) {
        n = rows_in_piece(dataset, n_rows - done);
        if (rank == 0) {
            pack_rows(dataset, all->run, done, n, all->piece);
        } else {
            tell_rank(all->comm, rank, GO);
            MPI_Recv(all->piece, (int)(n * dataset->packed_bytes), MPI_BYTE, rank, TAG_PIECE,
                     all->comm, MPI_STATUS_IGNORE);
        }
        left[rank] -= n;
        CT_TRY(write_piece(id, dataset, all->piece, first + done, n, err));
    }
    return CT_OK;
}

static enum ct_status write_dataset(const struct gathering *all, hid_t file, size_t d, size_t *left,
                                    struct ct_error *err)
{
    hid_t id = H5Dopen2(file, ct_datasets[d].name, H5P_DEFAULT);
    if (id < 0)
        return ct_schema_fail(err, CT_EIO, "/%s", ct_datasets[d].name);
    enum ct_status status = CT_OK;
    hsize_t first = 0;
    for (int rank = 0; rank < all->plan->size && status == CT_OK; rank++) {
        status = write_part(all, id, d, rank, first, left, err);
        first += all->counts[(size_t)rank * CT_N_DATASETS + d];
    }
    if (H5Dclose(id) < 0 && status == CT_OK)
        status = ct_schema_fail(err, CT_EIO, "/%s cannot be closed", ct_datasets[d].name);
    return status;
}

static enum ct_status write_file(const struct gathering *all, const char *temporary, size_t *left,
                                 struct ct_error *err)
{
    ct_schema_begin();
    hid_t access = ct_schema_access();
    hid_t file = H5Fopen(temporary, H5F_ACC_RDWR, access);
    enum ct_status status =
        file < 0 ? ct_schema_fail(err, CT_EIO, "cannot be opened again") : CT_OK;
    H5Pclose(access);
    for (size_t d = 0; d < CT_N_DATASETS && status == CT_OK; d++)
        if (is_written(&ct_datasets[d], all->plan) && all->plan->total[d] > 0)
            status = write_dataset(all, file, d, left, err);
    if (file >= 0 && H5Fclose(file) < 0 && status == CT_OK)
        status = ct_schema_fail(err, CT_EIO, "cannot be closed");
    return status;
}

static enum ct_status gather_rows(MPI_Comm comm, const struct ct_rows_plan *plan,
                                  const char *temporary, const struct ct_run *run,
                                  const uint64_t *counts, size_t *left, void *piece,
                                  struct ct_error *err)
{
    const struct gathering all = {
        .comm = comm, .plan = plan, .run = run, .counts = counts, .piece = piece};
    for (int rank = 0; rank < plan->size; rank++) {
        left[rank] = 0;
        for (size_t d = 0; d < CT_N_DATASETS; d++)
            left[rank] += (size_t)counts[(size_t)rank * CT_N_DATASETS + d];
    }
    enum ct_status status = write_file(&all, temporary, left, err);
    for (int rank = 1; rank < plan->size; rank++)
        if (left[rank] > 0)
            tell_rank(comm, rank, STOP);
    return status;
}

enum ct_status ct_rows_write_gathered(MPI_Comm comm, const struct ct_rows_plan *plan,
                                      const char *temporary, const struct ct_run *run,
                                      struct ct_error *err)
{
    size_t size = plan->rank == 0 ? (size_t)plan->size : 0;
    void *piece = malloc(PIECE_BYTES);
    uint64_t *counts = malloc((size * CT_N_DATASETS + 1) * sizeof *counts);
    size_t *left = malloc((size + 1) * sizeof *left);
    uint64_t own[CT_N_DATASETS];
    for (size_t d = 0; d < CT_N_DATASETS; d++)
        own[d] = is_written(&ct_datasets[d], plan) ? ct_dataset_count(&ct_datasets[d], run) : 0;
    enum ct_status status = piece && counts && left ? CT_OK : ct_no_memory(err, "rows");
    status = ct_rows_agree(comm, plan, status, err);
    if (status == CT_OK) {
        MPI_Gather(own, CT_N_DATASETS, MPI_UINT64_T, counts, CT_N_DATASETS, MPI_UINT64_T, 0, comm);
        if (plan->rank == 0)
            status = gather_rows(comm, plan, temporary, run, counts, left, piece, err);
        else
            send_rows(comm, plan, run, piece);
        status = ct_rows_agree(comm, plan, status, err);
    }
    free(left);
    free(counts);
    free(piece);
    return status;
}
