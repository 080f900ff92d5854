/* HDF5 converts numbers, but not texts of one kind to another: those that are not stored as we
 * store them are read by themselves. */
#include "results/read_rows.h"

#include "core/cancel.h"

#include <stdlib.h>
#include <string.h>

/* No host has such a name: a file that says so wants memory. */
enum { FIXED_TEXT_MAX = 65536 };

struct reading {
    hid_t id, file_space;
    const struct ct_dataset *dataset;
    const struct ct_rows_shape *shape;
    size_t n_pairs;
    char *rows;
};

/* ---- where rows are ---- */

bool ct_rows_shape_of(hid_t dataset, struct ct_rows_shape *shape_p)
{
    hsize_t dims[CT_ROWS_RANK_MAX] = {0};
    hid_t space = H5Dget_space(dataset);
    int rank = H5Sget_simple_extent_ndims(space);
    bool is_list = rank >= 1 && rank <= CT_ROWS_RANK_MAX &&
                   H5Sget_simple_extent_dims(space, dims, NULL) == rank;
    H5Sclose(space);
    if (is_list && rank == 1)
        *shape_p = (struct ct_rows_shape){1, 0, dims[0]};
    else if (is_list && dims[1] == 1)
        *shape_p = (struct ct_rows_shape){2, 0, dims[0]};
    else if (is_list && dims[0] == 1)
        *shape_p = (struct ct_rows_shape){2, 1, dims[1]};
    else
        is_list = false;
    return is_list;
}

static bool select_rows(const struct reading *reading, hsize_t first, hsize_t count)
{
    hsize_t start[CT_ROWS_RANK_MAX] = {0}, extent[CT_ROWS_RANK_MAX] = {1, 1};
    start[reading->shape->along] = first;
    extent[reading->shape->along] = count;
    return H5Sselect_hyperslab(reading->file_space, H5S_SELECT_SET, start, NULL, extent, NULL) >= 0;
}

static bool read_block(const struct reading *reading, hid_t type, hid_t transfer, hsize_t first,
                       hsize_t count, void *buffer)
{
    hid_t memory_space = H5Screate_simple(1, &count, NULL);
    bool done =
        select_rows(reading, first, count) &&
        H5Dread(reading->id, type, memory_space, reading->file_space, transfer, buffer) >= 0;
    H5Sclose(memory_space);
    return done;
}

static hsize_t block_rows(const struct reading *reading, hsize_t first, hsize_t most)
{
    hsize_t left = reading->shape->n - first;
    return left < most ? left : most;
}

/* ---- fields ---- */

static enum ct_status check_field(hid_t type, const struct ct_dataset *dataset,
                                  const struct ct_field *field, struct ct_error *err)
{
    H5T_class_t class = H5Tget_class(type);
    if (field->type == CT_FIELD_HOST) {
        if (class != H5T_STRING)
            return ct_fail(err, CT_EFORMAT, "/%s: field '%s' is not a text", dataset->name,
                           field->name);
        if (H5Tis_variable_str(type) <= 0 && H5Tget_size(type) > FIXED_TEXT_MAX)
            return ct_fail(err, CT_EFORMAT, "/%s: field '%s' is a text of %zu bytes", dataset->name,
                           field->name, H5Tget_size(type));
        return CT_OK;
    }
    if (class == H5T_INTEGER || class == H5T_FLOAT || class == H5T_ENUM)
        return CT_OK;
    return ct_fail(err, CT_EFORMAT, "/%s: field '%s' is not a number", dataset->name, field->name);
}

enum ct_status ct_rows_check_fields(hid_t type, const struct ct_dataset *dataset,
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
        enum ct_status status = check_field(found, dataset, field, err);
        H5Tclose(found);
        if (status != CT_OK)
            return status;
    }
    return CT_OK;
}

/* ---- numbers, and texts as we store them ---- */

struct conversion {
    hid_t transfer;   /* properties of H5Dread() */
    bool is_lossless; /* so far */
};

/* HDF5 would take the nearest number that fits. */
static H5T_conv_ret_t refuse_conversion(H5T_conv_except_t what, hid_t from, hid_t to, void *value,
                                        void *converted, void *data)
{
    (void)from, (void)to, (void)value, (void)converted;
    struct conversion *conversion = data;
    if (what == H5T_CONV_EXCEPT_PRECISION)
        return H5T_CONV_UNHANDLED;
    conversion->is_lossless = false;
    return H5T_CONV_ABORT;
}

/* Block by block, through a buffer that stays in the processor's cache. */
static enum ct_status read_blocks(const struct reading *reading, hid_t type,
                                  const struct conversion *conversion, void *packed,
                                  struct ct_error *err)
{
    const struct ct_dataset *dataset = reading->dataset;
    enum ct_status status = CT_OK;
    hsize_t n = reading->shape->n, count;
    ct_dataset_blank(dataset, block_rows(reading, 0, CT_BLOCK_ROWS), packed);
    for (hsize_t first = 0; first < n && status == CT_OK; first += count) {
        char *block = reading->rows + first * dataset->row_bytes;
        if ((status = ct_cancel_check(err)) != CT_OK)
            break;
        count = block_rows(reading, first, CT_BLOCK_ROWS);
        if (read_block(reading, type, conversion->transfer, first, count, packed)) {
            ct_dataset_unpack(dataset, packed, count, block);
            status =
                ct_dataset_check(dataset, block, count, first, reading->n_pairs, CT_EFORMAT, err);
        } else if (conversion->is_lossless) {
            status = ct_schema_fail(err, CT_EFORMAT, "/%s cannot be read", dataset->name);
        } else {
            status = ct_fail(err, CT_EFORMAT,
                             "/%s: a number in rows %llu to %llu is outside the range of its "
                             "field, or not whole",
                             dataset->name, (unsigned long long)first,
                             (unsigned long long)(first + count - 1));
        }
    }
    return status;
}

static enum ct_status read_numbers(const struct reading *reading, hid_t file_type,
                                   struct ct_error *err)
{
    struct conversion conversion = {H5Pcreate(H5P_DATASET_XFER), true};
    hid_t type = ct_schema_present_type(reading->dataset, file_type);
    void *packed = malloc(CT_BLOCK_ROWS * reading->dataset->packed_bytes);
    enum ct_status status = CT_OK;
    if (!packed)
        status = ct_no_memory(err, "/%s", reading->dataset->name);
    else if (type < 0 ||
             H5Pset_type_conv_cb(conversion.transfer, refuse_conversion, &conversion) < 0)
        status = ct_schema_fail(err, CT_EFORMAT, "/%s", reading->dataset->name);
    else
        status = read_blocks(reading, type, &conversion, packed, err);
    free(packed);
    H5Tclose(type);
    H5Pclose(conversion.transfer);
    return status;
}

/* ---- texts as others store them ---- */

/* Of a value in memory: where it is, and its bytes without what fills it up. */
static const char *text_of(const void *value, hid_t type, bool is_variable, size_t *length_p)
{
    const char *text = value;
    size_t length = 0;
    if (is_variable) {
        memcpy(&text, value, sizeof text);
        length = text ? strlen(text) : 0; /* HDF5 gives NULL for a text of length 0 */
    } else {
        length = strnlen(text, H5Tget_size(type));
        while (H5Tget_strpad(type) == H5T_STR_SPACEPAD && length > 0 && text[length - 1] == ' ')
            length--;
    }
    *length_p = length;
    return text;
}

static enum ct_status keep_texts(const struct reading *reading, const struct ct_field *field,
                                 hid_t type, const char *values, hsize_t first, hsize_t count,
                                 struct ct_error *err)
{
    bool is_variable = H5Tis_variable_str(type) > 0;
    for (hsize_t i = 0; i < count && reading->rows; i++) {
        size_t length;
        const char *text = text_of(values + i * H5Tget_size(type), type, is_variable, &length);
        if (length >= CT_HOST_MAX)
            return ct_fail(err, CT_EFORMAT, "/%s: row %llu: %s has %zu bytes, more than %d",
                           reading->dataset->name, (unsigned long long)(first + i), field->name,
                           length, CT_HOST_MAX - 1);
        char *to = reading->rows + (first + i) * reading->dataset->row_bytes + field->offset;
        memset(to, 0, CT_HOST_MAX);
        if (length > 0)
            memcpy(to, text, length);
    }
    return CT_OK;
}

/* row: a type with this field alone */
static enum ct_status read_texts(const struct reading *reading, const struct ct_field *field,
                                 hid_t type, hid_t row, struct ct_error *err)
{
    const hsize_t most = 1 + (1 << 20) / H5Tget_size(row);
    enum ct_status status = CT_OK;
    hsize_t n = reading->shape->n, count;
    char *values = malloc((size_t)most * H5Tget_size(row));
    if (!values)
        return ct_no_memory(err, "/%s", reading->dataset->name);
    for (hsize_t first = 0; first < n && status == CT_OK; first += count) {
        count = block_rows(reading, first, most);
        if (!read_block(reading, row, H5P_DEFAULT, first, count, values)) {
            status = ct_schema_fail(err, CT_EFORMAT, "/%s: field '%s' cannot be read",
                                    reading->dataset->name, field->name);
            break;
        }
        status = keep_texts(reading, field, type, values, first, count, err);
        hid_t space = H5Screate_simple(1, &count, NULL);
        H5Dvlen_reclaim(row, space, H5P_DEFAULT, values);
        H5Sclose(space);
    }
    free(values);
    return status;
}

static enum ct_status read_foreign_texts(const struct reading *reading, hid_t file_type,
                                         struct ct_error *err)
{
    enum ct_status status = CT_OK;
    for (size_t f = 0; f < reading->dataset->n_fields && status == CT_OK; f++) {
        const struct ct_field *field = &reading->dataset->fields[f];
        int index = H5Tget_member_index(file_type, field->name);
        if (index < 0 || field->type != CT_FIELD_HOST ||
            ct_schema_is_own_text(file_type, (unsigned)index))
            continue;
        hid_t stored = H5Tget_member_type(file_type, (unsigned)index);
        hid_t type = H5Tget_native_type(stored, H5T_DIR_ASCEND);
        hid_t row = type < 0 ? H5I_INVALID_HID : H5Tcreate(H5T_COMPOUND, H5Tget_size(type));
        if (row < 0 || H5Tinsert(row, field->name, 0, type) < 0)
            status = ct_schema_fail(err, CT_EFORMAT, "/%s: field '%s'", reading->dataset->name,
                                    field->name);
        else
            status = read_texts(reading, field, type, row, err);
        H5Tclose(row);
        H5Tclose(type);
        H5Tclose(stored);
    }
    return status;
}

enum ct_status ct_rows_read(hid_t id, const struct ct_dataset *dataset,
                            const struct ct_rows_shape *shape, size_t n_pairs, char *rows,
                            struct ct_error *err)
{
    hid_t file_type = H5Dget_type(id);
    const struct reading reading = {id, H5Dget_space(id), dataset, shape, n_pairs, rows};
    enum ct_status status = rows ? read_numbers(&reading, file_type, err) : CT_OK;
    if (status == CT_OK)
        status = read_foreign_texts(&reading, file_type, err);
    H5Sclose(reading.file_space);
    H5Tclose(file_type);
    return status;
}
