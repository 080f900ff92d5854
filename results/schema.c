#include "results/schema.h"

#include "core/foreign.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define ATTRIBUTE(member, type)                                                                    \
    {                                                                                              \
#member, CT_ATTRIBUTE_##type, offsetof(struct ct_run_info, member)                         \
    }

const struct ct_attribute ct_attributes[CT_N_ATTRIBUTES] = {ATTRIBUTE(tool, TEXT),
                                                            ATTRIBUTE(version, TEXT),
                                                            ATTRIBUTE(app, TEXT),
                                                            ATTRIBUTE(with, TEXT),
                                                            ATTRIBUTE(argv, TEXT),
                                                            ATTRIBUTE(started_utc, TEXT),
                                                            ATTRIBUTE(seed, U64),
                                                            ATTRIBUTE(hosts, TEXT),
                                                            ATTRIBUTE(mpi_library, TEXT),
                                                            ATTRIBUTE(timer, TEXT),
                                                            ATTRIBUTE(timer_resolution_s, F64)};

bool ct_schema_owns(const char *name)
{
    static const char *const others[] = {"schema",
                                         "kind",
                                         "config_P",
                                         "config_M",
                                         "config_B_s",
                                         "config_pattern",
                                         "config_burst_on_s",
                                         "config_burst_off_s",
                                         "config_message_bytes",
                                         "config_slots"};
    for (size_t i = 0; i < CT_N_ATTRIBUTES; i++)
        if (!strcmp(name, ct_attributes[i].name))
            return true;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (!strcmp(name, others[i]))
            return true;
    return false;
}

void ct_schema_begin(void)
{
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    H5PLset_loading_state(0);
}

/* HDF5 wraps what the system says: "file write failed: time = ..., errno = 28, error message =
 * 'No space left on device', buf = ...". Only the quoted part tells a person something. */
static herr_t take_innermost(unsigned depth, const H5E_error2_t *entry, void *data)
{
    char *cause = data;
    static const char quoted[] = "error message = '";
    if (depth > 0)
        return 0;
    const char *from = strstr(entry->desc, quoted);
    from = from ? from + sizeof quoted - 1 : entry->desc;
    size_t length = from == entry->desc ? strlen(from) : strcspn(from, "'");
    snprintf(cause, 200, "%.*s", (int)(length < 199 ? length : 199), from);
    return 0;
}

enum ct_status ct_schema_fail(struct ct_error *err, enum ct_status status, const char *format, ...)
{
    char what[400], cause[200] = "HDF5 gives no cause";
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, take_innermost, cause);
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    return ct_fail(err, status, "%s: %s", what, cause);
}

enum ct_status ct_schema_fail_open(const char *path, struct ct_error *err)
{
    enum ct_status status =
        ct_schema_fail(err, CT_EFORMAT, "%s: not an HDF5 file, or damaged", path);
    ct_foreign_explain_path(path, CT_READS_DATA, err);
    return status;
}

hid_t ct_schema_access(void)
{
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    /* 1.10: all structures in the file carry checksums, so damage is found before it is used.
     * No locks: a file is complete before it has its name, and some file systems have none. */
    if (access >= 0 && (H5Pset_libver_bounds(access, H5F_LIBVER_V110, H5F_LIBVER_V110) < 0 ||
                        H5Pset_fclose_degree(access, H5F_CLOSE_STRONG) < 0 ||
                        H5Pset_file_locking(access, false, true) < 0)) {
        H5Pclose(access);
        return H5I_INVALID_HID;
    }
    return access;
}

static hid_t host_type(void)
{
    hid_t type = H5Tcopy(H5T_C_S1);
    if (type >= 0 && (H5Tset_size(type, CT_HOST_MAX) < 0 || H5Tset_cset(type, H5T_CSET_UTF8) < 0)) {
        H5Tclose(type);
        return H5I_INVALID_HID;
    }
    return type;
}

static hid_t field_type(enum ct_field_type type, bool native)
{
    switch (type) {
    case CT_FIELD_F64:
        return H5Tcopy(native ? H5T_NATIVE_DOUBLE : H5T_IEEE_F64LE);
    case CT_FIELD_U64:
        return H5Tcopy(native ? H5T_NATIVE_UINT64 : H5T_STD_U64LE);
    case CT_FIELD_U32:
        return H5Tcopy(native ? H5T_NATIVE_UINT32 : H5T_STD_U32LE);
    case CT_FIELD_U8:
        return H5Tcopy(native ? H5T_NATIVE_UINT8 : H5T_STD_U8LE);
    case CT_FIELD_HOST:
        return host_type();
    }
    return H5I_INVALID_HID;
}

hid_t ct_schema_field_type(enum ct_field_type type)
{
    return field_type(type, false);
}

bool ct_schema_is_own_text(hid_t row, unsigned index)
{
    hid_t found = H5Tget_member_type(row, index), own = host_type();
    bool same = H5Tequal(found, own) > 0;
    H5Tclose(own);
    H5Tclose(found);
    return same;
}

/* What the rows of a file have for a field: it can be read with the others. */
static bool is_present(hid_t file_row, const struct ct_field *field)
{
    int index = H5Tget_member_index(file_row, field->name);
    return index >= 0 &&
           (field->type != CT_FIELD_HOST || ct_schema_is_own_text(file_row, (unsigned)index));
}

/* present: H5I_INVALID_HID, or the type of rows that have not all fields. */
static hid_t row_type(const struct ct_dataset *dataset, bool native, hid_t present)
{
    hid_t row = H5Tcreate(H5T_COMPOUND, dataset->packed_bytes);
    size_t at = 0;
    for (size_t f = 0; f < dataset->n_fields && row >= 0; f++) {
        const struct ct_field *field = &dataset->fields[f];
        size_t here = at;
        at += ct_field_bytes(field->type);
        if (present >= 0 && !is_present(present, field))
            continue;
        hid_t type = field_type(field->type, native);
        if (type < 0 || H5Tinsert(row, field->name, here, type) < 0) {
            H5Tclose(row);
            row = H5I_INVALID_HID;
        }
        if (type >= 0)
            H5Tclose(type);
    }
    return row;
}

hid_t ct_schema_file_type(const struct ct_dataset *dataset)
{
    return row_type(dataset, false, H5I_INVALID_HID);
}

hid_t ct_schema_packed_type(const struct ct_dataset *dataset)
{
    return row_type(dataset, true, H5I_INVALID_HID);
}

hid_t ct_schema_present_type(const struct ct_dataset *dataset, hid_t file_type)
{
    return row_type(dataset, true, file_type);
}
