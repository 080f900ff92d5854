/* Reading. A file may come from anywhere: nothing in it is believed before it is checked. */
#include "results/read_rows.h"

#include <stdlib.h>

/* No input of deflate shrinks by more than this (zlib, "Technical Details"), and no chunk that we
 * write comes near the other limit: together they bound what a hostile file can make us allocate.
 */
enum { DEFLATE_RATIO_MAX = 1032, CHUNK_BYTES_MAX = 64 << 20 };

/* ---- rows ---- */

/* Only what we write, or its like: in this file, and by filters that come with HDF5. */
static bool layout_is_known(hid_t properties, size_t file_row_bytes)
{
    H5D_layout_t layout = H5Pget_layout(properties);
    if (layout == H5D_VIRTUAL || H5Pget_external_count(properties) != 0)
        return false;
    hsize_t chunk[CT_ROWS_RANK_MAX] = {1, 1};
    if (layout == H5D_CHUNKED &&
        (H5Pget_chunk(properties, CT_ROWS_RANK_MAX, chunk) > CT_ROWS_RANK_MAX ||
         chunk[0] > CHUNK_BYTES_MAX / file_row_bytes ||
         chunk[1] > CHUNK_BYTES_MAX / file_row_bytes / chunk[0]))
        return false;
    int n_filters = H5Pget_nfilters(properties);
    for (int i = 0; i < n_filters; i++) {
        unsigned flags, config;
        size_t n_values = 0;
        H5Z_filter_t filter =
            H5Pget_filter2(properties, (unsigned)i, &flags, &n_values, NULL, 0, NULL, &config);
        if (filter != H5Z_FILTER_DEFLATE && filter != H5Z_FILTER_SHUFFLE &&
            filter != H5Z_FILTER_FLETCHER32)
            return false;
    }
    return n_filters >= 0;
}

/* The rows, once it is sure that the file can hold them and memory can count them. */
static enum ct_status check_shape(hid_t id, hid_t type, const struct ct_dataset *dataset,
                                  uint64_t file_bytes, struct ct_rows_shape *shape_p,
                                  struct ct_error *err)
{
    if (!ct_rows_shape_of(id, shape_p))
        return ct_fail(err, CT_EFORMAT, "/%s is not one list of rows", dataset->name);
    size_t file_row_bytes = H5Tget_size(type);
    hid_t properties = H5Dget_create_plist(id);
    bool known = file_row_bytes > 0 && layout_is_known(properties, file_row_bytes);
    H5Pclose(properties);
    if (!known)
        return ct_fail(err, CT_EFORMAT, "/%s is stored in a way that run files are not",
                       dataset->name);
    hsize_t n = shape_p->n;
    if (n > file_bytes * DEFLATE_RATIO_MAX / file_row_bytes || n > SIZE_MAX / dataset->row_bytes)
        return ct_fail(err, CT_EFORMAT, "/%s says it has %llu rows, more than the file can hold",
                       dataset->name, (unsigned long long)n);
    return CT_OK;
}

static enum ct_status read_rows(hid_t id, const struct ct_dataset *dataset,
                                const struct ct_rows_shape *shape, struct ct_run *run,
                                struct ct_error *err)
{
    if (shape->n == 0)
        return CT_OK;
    if (!run)
        return ct_rows_read(id, dataset, shape, 0, NULL, err);
    char *rows = malloc(shape->n * dataset->row_bytes);
    enum ct_status status =
        rows ? ct_rows_read(id, dataset, shape, run->n_pairs, rows, err)
             : ct_no_memory(err, "/%s: %llu rows", dataset->name, (unsigned long long)shape->n);
    if (status == CT_OK)
        ct_dataset_set(dataset, run, rows, shape->n);
    else
        free(rows);
    return status;
}

/* NULL for run: everything but the rows that cannot crash HDF5. */
static enum ct_status read_dataset(const struct ct_source *source, const struct ct_dataset *dataset,
                                   struct ct_run *run, struct ct_error *err)
{
    if (dataset->optional && H5Lexists(source->group, dataset->name, H5P_DEFAULT) == 0)
        return CT_OK;
    if (!ct_schema_is_own(source->group, dataset->name))
        return ct_fail(err, CT_EFORMAT, "dataset /%s is missing", dataset->name);
    hid_t id = H5Dopen2(source->group, dataset->name, H5P_DEFAULT);
    if (id < 0)
        return ct_schema_fail(err, CT_EFORMAT, "/%s is not a dataset", dataset->name);
    hid_t type = H5Dget_type(id);
    struct ct_rows_shape shape;
    enum ct_status status = ct_rows_check_fields(type, dataset, err);
    if (status == CT_OK)
        status = check_shape(id, type, dataset, source->stamp.bytes, &shape, err);
    if (status == CT_OK)
        status = read_rows(id, dataset, &shape, run, err);
    H5Tclose(type);
    H5Dclose(id);
    return status;
}

/* ---- runs ---- */

void ct_source_touch(const struct ct_source *source)
{
    struct ct_run_info info = {0};
    if (ct_schema_read_info(source->group, &info, NULL) == CT_OK)
        for (size_t d = 0; d < CT_N_DATASETS; d++)
            if (ct_datasets[d].kind == info.kind)
                read_dataset(source, &ct_datasets[d], NULL, NULL);
    ct_run_info_free(&info);
}

/* Samples refer to pairs: what is rank 0's is read before what ranks share. */
static enum ct_status read_datasets(const struct ct_source *source, struct ct_run *run,
                                    struct ct_error *err)
{
    enum ct_status status = CT_OK;
    for (int shared = 0; shared <= 1; shared++)
        for (size_t d = 0; d < CT_N_DATASETS && status == CT_OK; d++)
            if (ct_datasets[d].kind == run->info.kind && ct_datasets[d].is_shared == (bool)shared)
                status = read_dataset(source, &ct_datasets[d], run, err);
    return status;
}

/* The source is closed. Everything but the rows where these are not wanted. */
static enum ct_status read_run(struct ct_source *source, const char *path, bool with_rows,
                               struct ct_run *run_p, struct ct_error *err)
{
    struct ct_run run = {0};
    enum ct_status status = ct_schema_read_info(source->group, &run.info, err);
    if (status == CT_OK && with_rows)
        status = read_datasets(source, &run, err);
    ct_source_close(source);
    if (status == CT_OK) {
        *run_p = run;
    } else {
        ct_fail_within(err, status, "%s", path);
        ct_run_free(&run);
    }
    return status;
}

enum ct_status ct_run_file_read(const char *path, struct ct_run *run_p, struct ct_error *err)
{
    struct ct_source source;
    CT_TRY(ct_source_open(path, &source, err));
    return read_run(&source, path, true, run_p, err);
}

enum ct_status ct_run_file_read_entry(const struct ct_run_entry *entry, struct ct_run *run_p,
                                      struct ct_error *err)
{
    struct ct_source source;
    CT_TRY(ct_source_open_again(entry, &source, err));
    return read_run(&source, entry->path, true, run_p, err);
}

enum ct_status ct_run_file_read_info(const char *path, struct ct_run_info *info_p,
                                     struct ct_error *err)
{
    struct ct_source source;
    struct ct_run run;
    CT_TRY(ct_source_open(path, &source, err));
    CT_TRY(read_run(&source, path, false, &run, err));
    *info_p = run.info;
    return CT_OK;
}
