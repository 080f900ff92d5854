/* Writing from one process, and the part of a parallel write that one process does. */
#include "results/schema.h"
#include "results/sum.h"
#include "results/write_driver.h"

#include <stdlib.h>
#include <string.h>

/* Level 4 gives nearly the size of 9 in a third of the time on shuffled doubles. */
enum { DEFLATE_LEVEL = 4, ATTRIBUTES_IN_HEADER = 1000 };

/* ---- attributes ---- */

static enum ct_status write_attribute(hid_t group, const char *name, hid_t file_type,
                                      hid_t memory_type, const void *value, struct ct_error *err)
{
    enum ct_status status = CT_OK;
    hid_t space = H5Screate(H5S_SCALAR);
    hid_t attribute = H5Acreate2(group, name, file_type, space, H5P_DEFAULT, H5P_DEFAULT);
    if (attribute < 0 || H5Awrite(attribute, memory_type, value) < 0)
        status = ct_schema_fail(err, CT_EIO, "attribute '%s'", name);
    if (attribute >= 0)
        H5Aclose(attribute);
    H5Sclose(space);
    return status;
}

static enum ct_status write_text(hid_t group, const char *name, const char *text,
                                 struct ct_error *err)
{
    /* Of variable length: h5py gives a str for these, but bytes for texts of fixed length. */
    hid_t type = H5Tcopy(H5T_C_S1);
    enum ct_status status = CT_OK;
    if (!text)
        text = "";
    if (H5Tset_size(type, H5T_VARIABLE) < 0 || H5Tset_cset(type, H5T_CSET_UTF8) < 0)
        status = ct_schema_fail(err, CT_EIO, "attribute '%s'", name);
    else
        status = write_attribute(group, name, type, type, &text, err);
    H5Tclose(type);
    return status;
}

static enum ct_status write_u64(hid_t group, const char *name, uint64_t value, struct ct_error *err)
{
    return write_attribute(group, name, H5T_STD_U64LE, H5T_NATIVE_UINT64, &value, err);
}

static enum ct_status write_f64(hid_t group, const char *name, double value, struct ct_error *err)
{
    return write_attribute(group, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, &value, err);
}

static enum ct_status write_member(hid_t group, const struct ct_attribute *attribute,
                                   const struct ct_run_info *info, struct ct_error *err)
{
    const void *member = (const char *)info + attribute->offset;
    switch (attribute->type) {
    case CT_ATTRIBUTE_TEXT:
        return write_text(group, attribute->name, *(char *const *)member, err);
    case CT_ATTRIBUTE_U64:
        return write_u64(group, attribute->name, *(const uint64_t *)member, err);
    case CT_ATTRIBUTE_F64:
        return write_f64(group, attribute->name, *(const double *)member, err);
    }
    return CT_EINVAL;
}

static enum ct_status write_config(hid_t group, const struct ct_config *config,
                                   struct ct_error *err)
{
    CT_TRY(write_u64(group, "config_P", config->partners, err));
    CT_TRY(write_u64(group, "config_M", config->messages, err));
    CT_TRY(write_f64(group, "config_B_s", config->bubble_s, err));
    CT_TRY(write_text(group, "config_pattern", ct_pattern_names[config->pattern], err));
    if (config->burst.given)
        CT_TRY(write_f64(group, "config_burst_on_s", config->burst.on_s, err));
    if (config->burst.given)
        CT_TRY(write_f64(group, "config_burst_off_s", config->burst.off_s, err));
    if (config->message_bytes > 0)
        CT_TRY(write_u64(group, "config_message_bytes", config->message_bytes, err));
    if (config->slots > 0)
        CT_TRY(write_u64(group, "config_slots", config->slots, err));
    return CT_OK;
}

enum ct_status ct_schema_write_facts(hid_t group, const struct ct_run_info *info,
                                     struct ct_error *err)
{
    for (size_t f = 0; f < info->n_facts; f++) {
        const struct ct_run_fact *fact = &info->facts[f];
        CT_TRY(fact->text ? write_text(group, fact->key, fact->text, err)
                          : write_f64(group, fact->key, fact->number, err));
    }
    return CT_OK;
}

enum ct_status ct_schema_write_kind(hid_t group, const char *kind, struct ct_error *err)
{
    CT_TRY(write_u64(group, "schema", CT_RUN_SCHEMA, err));
    return write_text(group, "kind", kind, err);
}

enum ct_status ct_schema_write_info(hid_t group, const struct ct_run_info *info,
                                    struct ct_error *err)
{
    CT_TRY(ct_schema_write_kind(group, ct_run_kind_text(info->kind), err));
    for (size_t a = 0; a < CT_N_ATTRIBUTES; a++)
        CT_TRY(write_member(group, &ct_attributes[a], info, err));
    if (info->has_config)
        CT_TRY(write_config(group, &info->config, err));
    return ct_schema_write_facts(group, info, err);
}

/* ---- rows ---- */

static hid_t dataset_properties(size_t n, enum ct_run_storage storage)
{
    hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
    hsize_t chunk = n < CT_BLOCK_ROWS ? n : CT_BLOCK_ROWS;
    /* Every row is written: filling the room before would double the work. */
    H5Pset_fill_time(properties, H5D_FILL_TIME_NEVER);
    if (n > 0 && storage == CT_RUN_COMPRESSED) {
        H5Pset_chunk(properties, 1, &chunk);
        H5Pset_shuffle(properties);
        H5Pset_deflate(properties, DEFLATE_LEVEL);
    }
    return properties;
}

static enum ct_status write_rows(const struct ct_file *draft, hid_t dataset_id,
                                 const struct ct_dataset *dataset, const void *rows, size_t n,
                                 struct ct_error *err)
{
    size_t block = n < CT_BLOCK_ROWS ? n : CT_BLOCK_ROWS;
    void *packed = malloc(block * dataset->packed_bytes);
    if (!packed)
        return ct_no_memory(err, "/%s", dataset->name);
    hid_t type = ct_schema_packed_type(dataset);
    hid_t file_space = H5Dget_space(dataset_id);
    enum ct_status status = CT_OK;
    for (hsize_t first = 0; first < n && status == CT_OK && !draft->failure; first += block) {
        hsize_t count = n - first < block ? n - first : block;
        hid_t memory_space = H5Screate_simple(1, &count, NULL);
        ct_dataset_pack(dataset, (const char *)rows + first * dataset->row_bytes, count, packed);
        if (H5Sselect_hyperslab(file_space, H5S_SELECT_SET, &first, NULL, &count, NULL) < 0 ||
            H5Dwrite(dataset_id, type, memory_space, file_space, H5P_DEFAULT, packed) < 0)
            status = ct_schema_fail(err, CT_EIO, "/%s", dataset->name);
        H5Sclose(memory_space);
    }
    H5Sclose(file_space);
    H5Tclose(type);
    free(packed);
    return status;
}

static enum ct_status write_dataset(const struct ct_file *draft, hid_t group,
                                    const struct ct_dataset *dataset, const struct ct_run *run,
                                    size_t n, bool with_rows, enum ct_run_storage storage,
                                    struct ct_error *err)
{
    hsize_t dims = n;
    hid_t type = ct_schema_file_type(dataset);
    hid_t space = H5Screate_simple(1, &dims, NULL);
    hid_t properties = dataset_properties(n, storage);
    hid_t id = H5Dcreate2(group, dataset->name, type, space, H5P_DEFAULT, properties, H5P_DEFAULT);
    enum ct_status status = CT_OK;
    if (id < 0)
        status = ct_schema_fail(err, CT_EIO, "/%s", dataset->name);
    else if (with_rows && n > 0)
        status = write_rows(draft, id, dataset, ct_dataset_rows(dataset, run), n, err);
    if (id >= 0 && H5Dclose(id) < 0 && status == CT_OK)
        status = ct_schema_fail(err, CT_EIO, "/%s", dataset->name);
    H5Pclose(properties);
    H5Sclose(space);
    H5Tclose(type);
    return status;
}

/* ---- files ---- */

size_t ct_schema_room_bytes(const struct ct_run_info *info, const size_t n_rows[CT_N_DATASETS])
{
    /* Headers, and what HDF5 sets aside for each text. */
    size_t bytes = 65536;
    for (size_t a = 0; a < CT_N_ATTRIBUTES; a++)
        if (ct_attributes[a].type == CT_ATTRIBUTE_TEXT) {
            const char *text = *(char *const *)((const char *)info + ct_attributes[a].offset);
            bytes += text ? 4096 + strlen(text) : 4096;
        }
    for (size_t f = 0; f < info->n_facts; f++)
        bytes += 256 + strlen(info->facts[f].key) +
                 (info->facts[f].text ? strlen(info->facts[f].text) : 0);
    for (size_t d = 0; d < CT_N_DATASETS; d++)
        bytes += n_rows[d] * ct_datasets[d].packed_bytes / 64 * 65;
    return bytes;
}

hid_t ct_schema_creation(hid_t class)
{
    hid_t properties = H5Pcreate(class);
    /* The order in which attributes were made is the order in which they are read back. They stay
     * in the group's header, of which HDF5 reads less than of the structures for thousands. */
    if (properties >= 0 && (H5Pset_attr_creation_order(properties, H5P_CRT_ORDER_TRACKED |
                                                                       H5P_CRT_ORDER_INDEXED) < 0 ||
                            H5Pset_attr_phase_change(properties, ATTRIBUTES_IN_HEADER,
                                                     ATTRIBUTES_IN_HEADER - 1) < 0)) {
        H5Pclose(properties);
        return H5I_INVALID_HID;
    }
    return properties;
}

static enum ct_status write_contents(const struct ct_file *draft, hid_t group,
                                     const struct ct_run *run, const size_t n_rows[CT_N_DATASETS],
                                     enum ct_schema_rows which, enum ct_run_storage storage,
                                     struct ct_error *err)
{
    CT_TRY(ct_schema_write_info(group, &run->info, err));
    for (size_t d = 0; d < CT_N_DATASETS; d++) {
        const struct ct_dataset *dataset = &ct_datasets[d];
        if (dataset->kind == run->info.kind)
            CT_TRY(write_dataset(draft, group, dataset, run, n_rows[d],
                                 which == CT_SCHEMA_ALL_ROWS || !dataset->is_shared, storage, err));
    }
    return CT_OK;
}

static void count_rows(const struct ct_run *run, size_t n_rows[CT_N_DATASETS])
{
    for (size_t d = 0; d < CT_N_DATASETS; d++)
        n_rows[d] = ct_dataset_count(&ct_datasets[d], run);
}

enum ct_status ct_schema_write_run(const struct ct_file *draft, hid_t group,
                                   const struct ct_run *run, struct ct_error *err)
{
    size_t n_rows[CT_N_DATASETS];
    count_rows(run, n_rows);
    return write_contents(draft, group, run, n_rows, CT_SCHEMA_ALL_ROWS, CT_RUN_COMPRESSED, err);
}

enum ct_status ct_schema_create(struct ct_file *draft, const struct ct_run *run,
                                const size_t n_rows[CT_N_DATASETS], enum ct_schema_rows which,
                                enum ct_run_storage storage, struct ct_error *err)
{
    ct_schema_begin();
    CT_TRY(ct_file_reserve(draft, ct_schema_room_bytes(&run->info, n_rows), NULL, err));
    hid_t access = ct_schema_access();
    hid_t creation = ct_schema_creation(H5P_FILE_CREATE);
    hid_t file = ct_write_driver_create(draft, creation, access);
    enum ct_status status = CT_OK;
    if (file < 0) {
        status = ct_schema_fail(err, CT_EIO, "%s: cannot be created", draft->path);
    } else {
        status = write_contents(draft, file, run, n_rows, which, storage, err);
        if (status != CT_OK)
            ct_fail_within(err, status, "%s: cannot be written", draft->path);
        if (H5Fclose(file) < 0 && status == CT_OK)
            status = ct_schema_fail(err, CT_EIO, "%s: cannot be written", draft->path);
    }
    H5Pclose(creation);
    H5Pclose(access);
    return status == CT_OK ? ct_file_check(draft, err) : status;
}

enum ct_status ct_run_write_stored(const char *path, const struct ct_run *run,
                                   enum ct_run_storage storage, struct ct_error *err)
{
    enum ct_status status = ct_run_check(run, run->info.kind, run->n_pairs, err);
    if (status != CT_OK) {
        ct_fail_within(err, status, "%s", path);
        return status;
    }
    size_t n_rows[CT_N_DATASETS];
    count_rows(run, n_rows);
    struct ct_file draft;
    CT_TRY(ct_file_create(path, &draft, err));
    status = ct_schema_create(&draft, run, n_rows, CT_SCHEMA_ALL_ROWS, storage, err);
    if (status == CT_OK)
        return ct_sum_commit(&draft, err);
    ct_file_discard(&draft);
    return status;
}

enum ct_status ct_run_write(const char *path, const struct ct_run *run, struct ct_error *err)
{
    return ct_run_write_stored(path, run, CT_RUN_COMPRESSED, err);
}
