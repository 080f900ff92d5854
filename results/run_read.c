/* Reading. A file may come from anywhere: nothing in it is believed before it is checked. */
#include "results/schema.h"

#include <stdlib.h>

/* No input of deflate shrinks by more than this (zlib, "Technical Details"), and no chunk that we
 * write comes near the other limit: together they bound what a hostile file can make us allocate.
 */
enum { DEFLATE_RATIO_MAX = 1032, CHUNK_BYTES_MAX = 64 << 20 };

/* ---- rows ---- */

static enum ct_status check_fields(hid_t type, const struct ct_dataset *dataset,
                                   struct ct_error *err)
{
    if (H5Tget_class(type) != H5T_COMPOUND)
        return ct_fail(err, CT_EFORMAT, "/%s is not a table with fields", dataset->name);
    for (size_t f = 0; f < dataset->n_fields; f++) {
        const struct ct_field *field = &dataset->fields[f];
        int index = H5Tget_member_index(type, field->name);
        if (index < 0 && field->optional)
            continue;
        if (index < 0)
            return ct_fail(err, CT_EFORMAT, "/%s: field '%s' is missing", dataset->name,
                           field->name);
        hid_t found = H5Tget_member_type(type, (unsigned)index);
        hid_t expected = ct_schema_field_type(field->type);
        bool same = H5Tequal(found, expected) > 0;
        H5Tclose(found);
        H5Tclose(expected);
        if (!same)
            return ct_fail(err, CT_EFORMAT, "/%s: field '%s' is not %s, little-endian",
                           dataset->name, field->name, ct_field_type_text(field->type));
    }
    return CT_OK;
}

/* Only what we write, or its like: in this file, and by filters that come with HDF5. */
static bool layout_is_known(hid_t properties, size_t file_row_bytes)
{
    H5D_layout_t layout = H5Pget_layout(properties);
    if (layout == H5D_VIRTUAL || H5Pget_external_count(properties) != 0)
        return false;
    hsize_t chunk = 0;
    if (layout == H5D_CHUNKED &&
        (H5Pget_chunk(properties, 1, &chunk) != 1 || chunk > CHUNK_BYTES_MAX / file_row_bytes))
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

/* Number of rows, once it is sure that the file can hold them and memory can count them. */
static enum ct_status check_shape(hid_t id, hid_t type, const struct ct_dataset *dataset,
                                  uint64_t file_bytes, size_t *n_p, struct ct_error *err)
{
    hid_t space = H5Dget_space(id);
    hsize_t n = 0;
    bool is_list =
        H5Sget_simple_extent_ndims(space) == 1 && H5Sget_simple_extent_dims(space, &n, NULL) == 1;
    H5Sclose(space);
    if (!is_list)
        return ct_fail(err, CT_EFORMAT, "/%s is not one list of rows", dataset->name);
    size_t file_row_bytes = H5Tget_size(type);
    hid_t properties = H5Dget_create_plist(id);
    bool known = file_row_bytes > 0 && layout_is_known(properties, file_row_bytes);
    H5Pclose(properties);
    if (!known)
        return ct_fail(err, CT_EFORMAT, "/%s is stored in a way that run files are not",
                       dataset->name);
    if (n > file_bytes * DEFLATE_RATIO_MAX / file_row_bytes || n > SIZE_MAX / dataset->row_bytes)
        return ct_fail(err, CT_EFORMAT, "/%s says it has %llu rows, more than the file can hold",
                       dataset->name, (unsigned long long)n);
    *n_p = (size_t)n;
    return CT_OK;
}

/* Read rows block by block, through a buffer that stays in the processor's cache. */
static enum ct_status read_blocks(hid_t id, const struct ct_dataset *dataset, size_t n,
                                  size_t n_pairs, void *packed, char *rows, struct ct_error *err)
{
    enum ct_status status = CT_OK;
    hid_t file_type = H5Dget_type(id);
    hid_t type = ct_schema_present_type(dataset, file_type);
    H5Tclose(file_type);
    ct_dataset_blank(dataset, n < CT_BLOCK_ROWS ? n : CT_BLOCK_ROWS, packed);
    hid_t file_space = H5Dget_space(id);
    for (hsize_t first = 0; first < n && status == CT_OK; first += CT_BLOCK_ROWS) {
        hsize_t count = n - first < CT_BLOCK_ROWS ? n - first : CT_BLOCK_ROWS;
        hid_t memory_space = H5Screate_simple(1, &count, NULL);
        char *block = rows + first * dataset->row_bytes;
        if (H5Sselect_hyperslab(file_space, H5S_SELECT_SET, &first, NULL, &count, NULL) < 0 ||
            H5Dread(id, type, memory_space, file_space, H5P_DEFAULT, packed) < 0) {
            status = ct_schema_fail(err, CT_EFORMAT, "/%s cannot be read", dataset->name);
        } else {
            ct_dataset_unpack(dataset, packed, count, block);
            status = ct_dataset_check(dataset, block, count, first, n_pairs, CT_EFORMAT, err);
        }
        H5Sclose(memory_space);
    }
    H5Sclose(file_space);
    H5Tclose(type);
    return status;
}

static enum ct_status read_rows(hid_t id, const struct ct_dataset *dataset, size_t n,
                                struct ct_run *run, struct ct_error *err)
{
    if (n == 0)
        return CT_OK;
    char *rows = malloc(n * dataset->row_bytes);
    void *packed = malloc(CT_BLOCK_ROWS * dataset->packed_bytes);
    enum ct_status status = CT_OK;
    if (!rows || !packed)
        status = ct_fail(err, CT_ENOMEM, "/%s: out of memory for %zu rows", dataset->name, n);
    else
        status = read_blocks(id, dataset, n, run->n_pairs, packed, rows, err);
    free(packed);
    if (status == CT_OK)
        ct_dataset_set(dataset, run, rows, n);
    else
        free(rows);
    return status;
}

/* NULL for run: everything but the rows. */
static enum ct_status read_dataset(const struct ct_source *source, const struct ct_dataset *dataset,
                                   struct ct_run *run, struct ct_error *err)
{
    if (!ct_schema_is_own(source->group, dataset->name))
        return ct_fail(err, CT_EFORMAT, "dataset /%s is missing", dataset->name);
    hid_t id = H5Dopen2(source->group, dataset->name, H5P_DEFAULT);
    if (id < 0)
        return ct_schema_fail(err, CT_EFORMAT, "/%s is not a dataset", dataset->name);
    hid_t type = H5Dget_type(id);
    size_t n = 0;
    enum ct_status status = check_fields(type, dataset, err);
    if (status == CT_OK)
        status = check_shape(id, type, dataset, source->file_bytes, &n, err);
    if (status == CT_OK && run)
        status = read_rows(id, dataset, n, run, err);
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

static enum ct_status read_run(const char *path, bool with_rows, struct ct_run *run_p,
                               struct ct_error *err)
{
    struct ct_source source;
    struct ct_run run = {0};
    enum ct_status status = ct_source_open(path, &source, err);
    if (status != CT_OK)
        return status;
    status = ct_schema_read_info(source.group, &run.info, err);
    if (status == CT_OK && with_rows)
        status = read_datasets(&source, &run, err);
    ct_source_close(&source);
    if (status == CT_OK) {
        *run_p = run;
    } else {
        ct_fail_within(err, status, "%s", path);
        ct_run_free(&run);
    }
    return status;
}

enum ct_status ct_run_read(const char *path, struct ct_run *run_p, struct ct_error *err)
{
    return read_run(path, true, run_p, err);
}

enum ct_status ct_run_read_info(const char *path, struct ct_run_info *info_p, struct ct_error *err)
{
    struct ct_run run;
    enum ct_status status = read_run(path, false, &run, err);
    if (status == CT_OK)
        *info_p = run.info;
    return status;
}
