#include "results/arrays.h"

#include "core/array.h"
#include "results/schema.h"
#include "results/sum.h"
#include "results/trial.h"
#include "results/write_driver.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Limits that no file of ours comes near: a damaged one cannot ask for all memory. */
enum { ARRAYS_MAX = 200, ABOUT_MAX = 1000 };
static const hsize_t values_max = 1 << 27;

void ct_arrays_free(struct ct_arrays *file)
{
    for (size_t i = 0; i < file->n; i++) {
        struct ct_array *array = &file->arrays[i];
        free(array->path);
        free(array->about);
        free(array->values);
        free(array->names);
    }
    free(file->arrays);
    ct_run_info_free(&file->info);
    *file = (struct ct_arrays){0};
}

static size_t count_values(const struct ct_array *array)
{
    size_t n = 1;
    for (size_t d = 0; d < array->n_dims; d++)
        n *= array->dims[d];
    return n;
}

/* Add an array without its elements. @return NULL: out of memory */
static struct ct_array *add_array(struct ct_arrays *file, const char *path, const char *about,
                                  const size_t *dims, size_t n_dims, struct ct_error *err)
{
    struct ct_array array = {.path = strdup(path), .about = strdup(about), .n_dims = n_dims};
    memcpy(array.dims, dims, n_dims * sizeof *dims);
    if (!array.path || !array.about || !CT_ARRAY_RESIZE(file->arrays, file->n + 1)) {
        ct_no_memory(err, "/%s", path);
        free(array.path);
        free(array.about);
        return NULL;
    }
    file->arrays[file->n] = array;
    return &file->arrays[file->n++];
}

enum ct_status ct_arrays_add(struct ct_arrays *file, const char *path, const char *about,
                             const size_t *dims, size_t n_dims, const double *values,
                             struct ct_error *err)
{
    struct ct_array *array = add_array(file, path, about, dims, n_dims, err);
    if (!array)
        return CT_ENOMEM;
    size_t n = count_values(array);
    array->values = malloc(n * sizeof *values);
    if (!array->values)
        return ct_no_memory(err, "/%s", path);
    memcpy(array->values, values, n * sizeof *values);
    return CT_OK;
}

enum ct_status ct_arrays_add_names(struct ct_arrays *file, const char *path, const char *about,
                                   const char *const *names, size_t n, struct ct_error *err)
{
    struct ct_array *array = add_array(file, path, about, &n, 1, err);
    if (!array)
        return CT_ENOMEM;
    array->names = calloc(n, sizeof *array->names);
    if (!array->names)
        return ct_no_memory(err, "/%s", path);
    for (size_t i = 0; i < n; i++)
        strncpy(array->names[i], names[i], CT_HOST_MAX - 1);
    return CT_OK;
}

enum ct_status ct_arrays_find(const struct ct_arrays *file, const char *path, const size_t *dims,
                              size_t n_dims, const struct ct_array **array_p, struct ct_error *err)
{
    for (size_t i = 0; i < file->n; i++) {
        const struct ct_array *array = &file->arrays[i];
        if (strcmp(array->path, path) != 0)
            continue;
        bool fits = array->n_dims == n_dims;
        for (size_t d = 0; fits && d < n_dims; d++)
            fits = dims[d] == 0 || dims[d] == array->dims[d];
        if (!fits)
            return ct_fail(err, CT_EFORMAT, "/%s has another shape than the rest of the file",
                           path);
        *array_p = array;
        return CT_OK;
    }
    return ct_fail(err, CT_EFORMAT, "dataset /%s is missing", path);
}

/* ---- writing ---- */

/* Groups on the way are made. */
static hid_t create_dataset(hid_t file, const struct ct_array *array, hid_t type, hid_t space)
{
    hid_t links = H5Pcreate(H5P_LINK_CREATE);
    H5Pset_create_intermediate_group(links, 1);
    hid_t id = H5Dcreate2(file, array->path, type, space, links, H5P_DEFAULT, H5P_DEFAULT);
    H5Pclose(links);
    return id;
}

static enum ct_status write_array(hid_t file, const struct ct_array *array, struct ct_error *err)
{
    hsize_t dims[CT_ARRAY_DIMS_MAX];
    for (size_t d = 0; d < array->n_dims; d++)
        dims[d] = array->dims[d];
    hid_t type = ct_schema_field_type(array->values ? CT_FIELD_F64 : CT_FIELD_HOST);
    hid_t space = H5Screate_simple((int)array->n_dims, dims, NULL);
    hid_t id = create_dataset(file, array, type, space);
    char key[] = "about";
    struct ct_run_fact fact = {.key = key, .text = array->about};
    const struct ct_run_info about = {.facts = &fact, .n_facts = 1};
    enum ct_status status = CT_OK;
    if (id < 0 ||
        H5Dwrite(id, array->values ? H5T_NATIVE_DOUBLE : type, H5S_ALL, H5S_ALL, H5P_DEFAULT,
                 array->values ? (const void *)array->values : array->names) < 0)
        status = ct_schema_fail(err, CT_EIO, "/%s", array->path);
    else
        status = ct_schema_write_facts(id, &about, err);
    if (id >= 0 && H5Dclose(id) < 0 && status == CT_OK)
        status = ct_schema_fail(err, CT_EIO, "/%s", array->path);
    H5Sclose(space);
    H5Tclose(type);
    return status;
}

static enum ct_status write_all(struct ct_file *draft, const char *kind,
                                const struct ct_arrays *file, struct ct_error *err)
{
    ct_schema_begin();
    hid_t access = ct_schema_access(), creation = ct_schema_creation(H5P_FILE_CREATE);
    hid_t id = ct_write_driver_create(draft, creation, access);
    enum ct_status status = CT_OK;
    if (id < 0) {
        status = ct_schema_fail(err, CT_EIO, "cannot be created");
    } else {
        status = ct_schema_write_kind(id, kind, err);
        if (status == CT_OK)
            status = ct_schema_write_facts(id, &file->info, err);
        for (size_t i = 0; i < file->n && status == CT_OK; i++)
            status = write_array(id, &file->arrays[i], err);
        if (H5Fclose(id) < 0 && status == CT_OK)
            status = ct_schema_fail(err, CT_EIO, "cannot be written");
    }
    H5Pclose(creation);
    H5Pclose(access);
    if (status != CT_OK)
        return ct_fail_within(err, status, "%s", draft->path);
    return ct_file_check(draft, err);
}

enum ct_status ct_arrays_write(const char *path, const char *kind, const struct ct_arrays *file,
                               struct ct_error *err)
{
    struct ct_file draft;
    CT_TRY(ct_file_create(path, &draft, err));
    enum ct_status status = write_all(&draft, kind, file, err);
    if (status == CT_OK)
        return ct_sum_commit(&draft, err);
    ct_file_discard(&draft);
    return status;
}

/* ---- reading ---- */

bool ct_arrays_is_hdf5(const char *path)
{
    static const char signature[] = "\x89HDF\r\n\x1a\n";
    char head[sizeof signature];
    return ct_file_head(path, head, sizeof head) &&
           memcmp(head, signature, sizeof signature - 1) == 0;
}

struct reader {
    struct ct_arrays *file;
    uint64_t file_bytes;
    enum ct_status status;
    struct ct_error *err;
};

/* Only what we write: all elements of a dataset in one piece of this file. */
static bool is_plain(hid_t id)
{
    hid_t properties = H5Dget_create_plist(id);
    bool plain =
        H5Pget_layout(properties) == H5D_CONTIGUOUS && H5Pget_external_count(properties) == 0;
    H5Pclose(properties);
    return plain;
}

/* @return whether the dataset has a shape that the file can hold */
static bool shape_of(const struct reader *reader, hid_t id, hid_t type, size_t dims[],
                     size_t *n_dims_p)
{
    hsize_t extents[CT_ARRAY_DIMS_MAX] = {0}, n = 1;
    hid_t space = H5Dget_space(id);
    int rank = H5Sget_simple_extent_ndims(space);
    bool fits = rank >= 1 && rank <= CT_ARRAY_DIMS_MAX &&
                H5Sget_simple_extent_dims(space, extents, NULL) == rank;
    for (int d = 0; fits && d < rank; d++) {
        fits = extents[d] > 0 && extents[d] <= values_max / n;
        n *= extents[d];
        dims[d] = (size_t)extents[d];
    }
    H5Sclose(space);
    *n_dims_p = (size_t)rank;
    return fits && n <= reader->file_bytes / H5Tget_size(type);
}

static bool is_names(hid_t type)
{
    return H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0 &&
           H5Tget_size(type) == CT_HOST_MAX;
}

static enum ct_status read_elements(struct reader *reader, hid_t id, hid_t type, const char *path,
                                    const size_t *dims, size_t n_dims)
{
    struct ct_array *array = add_array(reader->file, path, "", dims, n_dims, reader->err);
    if (!array)
        return CT_ENOMEM;
    bool names = is_names(type);
    void *elements = malloc(count_values(array) * (names ? sizeof *array->names : sizeof(double)));
    if (!elements)
        return ct_no_memory(reader->err, "/%s", path);
    if (names)
        array->names = elements;
    else
        array->values = elements;
    if (H5Dread(id, names ? type : H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, elements) < 0)
        return ct_schema_fail(reader->err, CT_EFORMAT, "/%s cannot be read", path);
    for (size_t i = 0; names && i < count_values(array); i++)
        array->names[i][CT_HOST_MAX - 1] = '\0';
    return CT_OK;
}

static enum ct_status read_dataset(struct reader *reader, hid_t file, const char *path)
{
    hid_t id = H5Dopen2(file, path, H5P_DEFAULT);
    if (id < 0)
        return ct_schema_fail(reader->err, CT_EFORMAT, "/%s cannot be opened", path);
    hid_t type = H5Dget_type(id);
    size_t dims[CT_ARRAY_DIMS_MAX] = {0}, n_dims = 0;
    enum ct_status status = CT_OK;
    bool is_known = H5Tget_class(type) == H5T_FLOAT || is_names(type);
    if (is_known && !(is_plain(id) && shape_of(reader, id, type, dims, &n_dims) &&
                      (!is_names(type) || n_dims == 1)))
        status = ct_fail(reader->err, CT_EFORMAT, "/%s is not stored as crosstalk writes it", path);
    else if (is_known)
        status = read_elements(reader, id, type, path, dims, n_dims);
    H5Tclose(type);
    H5Dclose(id);
    return status;
}

static herr_t visit_object(hid_t file, const char *path, const H5O_info_t *info, void *data)
{
    struct reader *reader = data;
    if (info->type != H5O_TYPE_DATASET)
        return 0;
    reader->status = reader->file->n < ARRAYS_MAX
                         ? read_dataset(reader, file, path)
                         : ct_fail(reader->err, CT_EFORMAT, "more than %d datasets", ARRAYS_MAX);
    return reader->status == CT_OK ? 0 : 1;
}

/* kind NULL: any. */
static enum ct_status check_kind(hid_t group, const char *kind, struct ct_error *err)
{
    char *found = NULL;
    enum ct_status status = ct_schema_read_kind(group, &found, err);
    if (status == CT_OK && kind && strcmp(found, kind) != 0)
        status = ct_fail(err, CT_EFORMAT, "a file of kind '%.40s', not '%s'", found, kind);
    free(found);
    return status;
}

static enum ct_status read_all(hid_t id, const char *kind, uint64_t file_bytes,
                               struct ct_arrays *file, struct ct_error *err)
{
    struct reader reader = {.file = file, .file_bytes = file_bytes, .err = err};
    hid_t group = H5Gopen2(id, "/", H5P_DEFAULT);
    if (group < 0)
        return ct_schema_fail(err, CT_EFORMAT, "damaged");
    enum ct_status status = check_kind(group, kind, err);
    if (status == CT_OK)
        status = ct_schema_read_facts(group, &file->info, err);
    if (status == CT_OK &&
        H5Ovisit2(group, H5_INDEX_NAME, H5_ITER_INC, visit_object, &reader, H5O_INFO_BASIC) < 0)
        status = ct_schema_fail(err, CT_EFORMAT, "damaged");
    H5Gclose(group);
    return status == CT_OK ? reader.status : status;
}

enum ct_status ct_arrays_read_untried(const char *path, const char *kind, struct ct_arrays *file_p,
                                      struct ct_error *err)
{
    struct ct_arrays file = {0};
    struct stat st;
    if (stat(path, &st) != 0)
        return ct_fail(err, errno == ENOENT || errno == ENOTDIR ? CT_ENOENT : CT_EIO, "%s: %s",
                       path, errno == ENOENT ? "no such file" : strerror(errno));
    if (!S_ISREG(st.st_mode))
        return ct_fail(err, CT_EFORMAT, "%s: not a regular file", path);
    ct_schema_begin();
    hid_t access = ct_schema_access(), id = H5Fopen(path, H5F_ACC_RDONLY, access);
    H5Pclose(access);
    if (id < 0)
        return ct_schema_fail_open(path, err);
    enum ct_status status = read_all(id, kind, (uint64_t)st.st_size, &file, err);
    H5Fclose(id);
    if (status == CT_OK) {
        *file_p = file;
        return CT_OK;
    }
    ct_arrays_free(&file);
    return ct_fail_within(err, status, "%s", path);
}

enum ct_status ct_arrays_read(const char *path, const char *kind, struct ct_arrays *file_p,
                              struct ct_error *err)
{
    return ct_trial_survives_alone(CT_TRIAL_ARRAYS, path)
               ? ct_arrays_read_untried(path, kind, file_p, err)
               : ct_source_fail_tried(path, err);
}
