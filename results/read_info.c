/* Reading the attributes of a run. Messages come without the path: ct_run_read() puts it in front.
 */
#include "results/schema.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Limits that no run file comes near, so that a hostile one cannot ask for all memory. */
enum { TEXT_MAX = 64 << 20, FACTS_MAX = 10000 };

static enum ct_status fail_missing(struct ct_error *err, const char *name)
{
    return ct_fail(err, CT_EFORMAT, "attribute '%s' is missing", name);
}

/* Classes of values that can become a text, a number. */
enum { TEXTS = 1 << H5T_STRING, NUMBERS = 1 << H5T_INTEGER | 1 << H5T_FLOAT | 1 << H5T_ENUM };

static bool is_of(H5T_class_t class, unsigned classes)
{
    return class >= 0 && class < 32 && classes & 1u << class;
}

/* One value: MATLAB writes lists of length 1, and h5py a text of length 0 as no value. */
static bool is_single(hid_t space, H5T_class_t class)
{
    H5S_class_t kind = H5Sget_simple_extent_type(space);
    return kind == H5S_SCALAR || (kind == H5S_SIMPLE && H5Sget_simple_extent_npoints(space) == 1) ||
           (kind == H5S_NULL && class == H5T_STRING);
}

/* An attribute that is open, with what is known of it; close_value() where it was opened. */
struct value {
    hid_t attribute, type;
    H5T_class_t class;
    bool is_single, is_empty;
};

static enum ct_status open_value(hid_t group, const char *name, struct value *value,
                                 struct ct_error *err)
{
    hid_t attribute = H5Aopen(group, name, H5P_DEFAULT);
    if (attribute < 0)
        return ct_schema_fail(err, CT_EFORMAT, "attribute '%s'", name);
    hid_t type = H5Aget_type(attribute), space = H5Aget_space(attribute);
    H5T_class_t class = type < 0 ? H5T_NO_CLASS : H5Tget_class(type);
    *value = (struct value){.attribute = attribute,
                            .type = type,
                            .class = class,
                            .is_single = space >= 0 && is_single(space, class),
                            .is_empty = space >= 0 && H5Sget_simple_extent_type(space) == H5S_NULL};
    H5Sclose(space);
    return CT_OK;
}

static void close_value(struct value *value)
{
    H5Tclose(value->type);
    H5Aclose(value->attribute);
}

/* Open a single value of some classes; CT_EFORMAT for anything else. */
static enum ct_status open_attribute(hid_t group, const char *name, unsigned classes,
                                     const char *what, struct value *value, struct ct_error *err)
{
    if (H5Aexists(group, name) <= 0)
        return fail_missing(err, name);
    enum ct_status status = open_value(group, name, value, err);
    if (status != CT_OK || (value->is_single && is_of(value->class, classes)))
        return status;
    close_value(value);
    return ct_fail(err, CT_EFORMAT, "attribute '%s' is not %s", name, what);
}

static char *read_variable_text(hid_t attribute, hid_t type)
{
    char *borrowed = NULL;
    if (H5Aread(attribute, type, &borrowed) < 0)
        return NULL;
    /* HDF5 gives NULL for a text of length 0. */
    char *text = strdup(borrowed ? borrowed : "");
    H5free_memory(borrowed);
    return text;
}

static char *read_fixed_text(hid_t attribute, hid_t type)
{
    size_t size = H5Tget_size(type);
    if (size == 0 || size > TEXT_MAX)
        return NULL;
    char *text = calloc(size + 1, 1);
    if (text && H5Aread(attribute, type, text) < 0) {
        free(text);
        return NULL;
    }
    if (text && H5Tget_strpad(type) == H5T_STR_SPACEPAD)
        for (size_t length = strlen(text); length > 0 && text[length - 1] == ' '; length--)
            text[length - 1] = '\0';
    return text;
}

static enum ct_status take_text(const struct value *value, const char *name, char **text_p,
                                struct ct_error *err)
{
    char *text = value->is_empty ? strdup("")
                 : H5Tis_variable_str(value->type) > 0
                     ? read_variable_text(value->attribute, value->type)
                     : read_fixed_text(value->attribute, value->type);
    if (!text)
        return ct_schema_fail(err, CT_EFORMAT, "attribute '%s' cannot be read", name);
    *text_p = text;
    return CT_OK;
}

static enum ct_status read_text(hid_t group, const char *name, char **text_p, struct ct_error *err)
{
    struct value value;
    CT_TRY(open_attribute(group, name, TEXTS, "a text", &value, err));
    enum ct_status status = take_text(&value, name, text_p, err);
    close_value(&value);
    return status;
}

/* A negative number and one with a fraction are found: HDF5 would make another one of them. */
static enum ct_status read_whole(hid_t attribute, hid_t type, const char *name, uint64_t *value_p,
                                 struct ct_error *err)
{
    const double beyond = 18446744073709551616.0; /* 2^64 */
    double number = 0;
    int64_t whole = 0;
    bool is_float = H5Tget_class(type) == H5T_FLOAT;
    bool is_signed = H5Tget_class(type) == H5T_INTEGER && H5Tget_sign(type) == H5T_SGN_2;
    herr_t done = is_float    ? H5Aread(attribute, H5T_NATIVE_DOUBLE, &number)
                  : is_signed ? H5Aread(attribute, H5T_NATIVE_INT64, &whole)
                              : H5Aread(attribute, H5T_NATIVE_UINT64, value_p);
    if (done < 0)
        return ct_schema_fail(err, CT_EFORMAT, "attribute '%s' cannot be read", name);
    if (is_float && !(number >= 0 && number < beyond && floor(number) == number))
        return ct_fail(err, CT_EFORMAT, "attribute '%s' is %g, not a whole number from 0 on", name,
                       number);
    if (is_signed && whole < 0)
        return ct_fail(err, CT_EFORMAT, "attribute '%s' is %lld, below 0", name, (long long)whole);
    if (is_float)
        *value_p = (uint64_t)number;
    if (is_signed)
        *value_p = (uint64_t)whole;
    return CT_OK;
}

static enum ct_status read_u64(hid_t group, const char *name, uint64_t *value_p,
                               struct ct_error *err)
{
    struct value value;
    CT_TRY(open_attribute(group, name, NUMBERS, "a whole number", &value, err));
    uint64_t whole = 0;
    enum ct_status status = read_whole(value.attribute, value.type, name, &whole, err);
    if (status == CT_OK)
        *value_p = whole;
    close_value(&value);
    return status;
}

static enum ct_status take_f64(const struct value *value, const char *name, double *number_p,
                               struct ct_error *err)
{
    if (H5Aread(value->attribute, H5T_NATIVE_DOUBLE, number_p) < 0)
        return ct_schema_fail(err, CT_EFORMAT, "attribute '%s' cannot be read", name);
    return CT_OK;
}

static enum ct_status read_f64(hid_t group, const char *name, double *value_p, struct ct_error *err)
{
    struct value value;
    CT_TRY(open_attribute(group, name, NUMBERS, "a number", &value, err));
    enum ct_status status = take_f64(&value, name, value_p, err);
    close_value(&value);
    return status;
}

static enum ct_status read_member(hid_t group, const struct ct_attribute *attribute,
                                  struct ct_run_info *info, struct ct_error *err)
{
    void *member = (char *)info + attribute->offset;
    switch (attribute->type) {
    case CT_ATTRIBUTE_TEXT:
        return read_text(group, attribute->name, member, err);
    case CT_ATTRIBUTE_U64:
        return read_u64(group, attribute->name, member, err);
    case CT_ATTRIBUTE_F64:
        return read_f64(group, attribute->name, member, err);
    }
    return CT_EINVAL;
}

static enum ct_status read_schema(hid_t group, struct ct_error *err)
{
    uint64_t schema = 0;
    if (H5Aexists(group, "schema") <= 0)
        return ct_fail(err, CT_EFORMAT,
                       "an HDF5 file, but not a run file: attribute 'schema' is "
                       "missing");
    CT_TRY(read_u64(group, "schema", &schema, err));
    if (schema != CT_RUN_SCHEMA)
        return ct_fail(err, CT_EFORMAT, "schema %llu, but this version reads schema %d only",
                       (unsigned long long)schema, CT_RUN_SCHEMA);
    return CT_OK;
}

enum ct_status ct_schema_read_kind(hid_t group, char **kind_p, struct ct_error *err)
{
    CT_TRY(read_schema(group, err));
    return read_text(group, "kind", kind_p, err);
}

static bool find_kind(const char *text, enum ct_run_kind *kind_p)
{
    static const enum ct_run_kind kinds[] = {
#define KIND_ITEM(name, text) CT_RUN_##name,
        CT_RUN_KIND_MAP(KIND_ITEM)
#undef KIND_ITEM
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(text, ct_run_kind_text(kinds[i])) == 0) {
            *kind_p = kinds[i];
            return true;
        }
    return false;
}

static enum ct_status read_kind(hid_t group, enum ct_run_kind *kind_p, struct ct_error *err)
{
    if (H5Aexists(group, "kind") <= 0 && H5Lexists(group, "runs", H5P_DEFAULT) > 0)
        return ct_fail(err, CT_EFORMAT,
                       "a packed campaign, not a run: name one of its runs, as in FILE.h5:0000");
    char *text = NULL;
    enum ct_status status = read_text(group, "kind", &text, err);
    if (status != CT_OK || !text)
        return status;
    if (!find_kind(text, kind_p))
        status = ct_fail(err, CT_EFORMAT,
                         "attribute 'kind' is '%.40s', which this version does not know", text);
    free(text);
    return status;
}

/* Pattern and burst are younger than P, M and B: a file without them has the ring, all the time. */
static enum ct_status read_pattern(hid_t group, enum ct_pattern *pattern_p, struct ct_error *err)
{
    char *text = NULL;
    if (H5Aexists(group, "config_pattern") <= 0)
        return CT_OK;
    enum ct_status status = read_text(group, "config_pattern", &text, err);
    if (status != CT_OK || !text)
        return status;
    int pattern = 0;
    while (ct_pattern_names[pattern] && strcmp(text, ct_pattern_names[pattern]) != 0)
        pattern++;
    if (pattern == CT_N_PATTERNS)
        status = ct_fail(err, CT_EFORMAT,
                         "attribute 'config_pattern' is '%.40s', which this version does not know",
                         text);
    else
        *pattern_p = (enum ct_pattern)pattern;
    free(text);
    return status;
}

static enum ct_status read_burst(hid_t group, struct ct_burst *burst_p, struct ct_error *err)
{
    if (H5Aexists(group, "config_burst_on_s") <= 0 && H5Aexists(group, "config_burst_off_s") <= 0)
        return CT_OK;
    enum ct_status status = read_f64(group, "config_burst_on_s", &burst_p->on_s, err);
    if (status == CT_OK)
        status = read_f64(group, "config_burst_off_s", &burst_p->off_s, err);
    burst_p->given = true;
    return status;
}

/* Left out where nobody said. */
static enum ct_status read_size(hid_t group, uint64_t *bytes_p, uint64_t *slots_p,
                                struct ct_error *err)
{
    if (H5Aexists(group, "config_message_bytes") > 0)
        CT_TRY(read_u64(group, "config_message_bytes", bytes_p, err));
    if (H5Aexists(group, "config_slots") > 0)
        CT_TRY(read_u64(group, "config_slots", slots_p, err));
    return CT_OK;
}

static bool in_range(const struct ct_config *config)
{
    const struct ct_burst *burst = &config->burst;
    return isfinite(config->bubble_s) && config->bubble_s >= 0 &&
           (!burst->given || (isfinite(burst->on_s) && burst->on_s > 0 && isfinite(burst->off_s) &&
                              burst->off_s > 0));
}

static enum ct_status read_config(hid_t group, struct ct_run_info *info, struct ct_error *err)
{
    if (H5Aexists(group, "config_P") <= 0 && H5Aexists(group, "config_M") <= 0 &&
        H5Aexists(group, "config_B_s") <= 0)
        return CT_OK;
    uint64_t partners = 0, messages = 0, bytes = 0, slots = 0;
    CT_TRY(read_u64(group, "config_P", &partners, err));
    CT_TRY(read_u64(group, "config_M", &messages, err));
    CT_TRY(read_f64(group, "config_B_s", &info->config.bubble_s, err));
    CT_TRY(read_pattern(group, &info->config.pattern, err));
    CT_TRY(read_burst(group, &info->config.burst, err));
    CT_TRY(read_size(group, &bytes, &slots, err));
    if (partners > UINT32_MAX || messages > UINT32_MAX || bytes > INT32_MAX || slots > UINT32_MAX ||
        !in_range(&info->config))
        return ct_fail(err, CT_EFORMAT, "attributes 'config_*' are out of range");
    info->config.partners = (uint32_t)partners;
    info->config.messages = (uint32_t)messages;
    info->config.message_bytes = (size_t)bytes;
    info->config.slots = (uint32_t)slots;
    info->has_config = true;
    return CT_OK;
}

/* ---- facts: every other attribute that is a text or a number; the rest is left alone ---- */

struct fact_reader {
    struct ct_run_info *info;
    enum ct_status status;
    struct ct_error *err;
};

static enum ct_status keep_fact(const struct value *value, const char *name,
                                struct ct_run_info *info, struct ct_error *err)
{
    char *text = NULL;
    double number = NAN;
    enum ct_status status;
    if (is_of(value->class, TEXTS)) {
        status = take_text(value, name, &text, err);
        if (status == CT_OK && ct_run_add_text(info, name, text) != CT_OK)
            status = ct_no_memory(err, "attribute '%s'", name);
        free(text);
        return status;
    }
    CT_TRY(take_f64(value, name, &number, err));
    if (ct_run_add_number(info, name, number) != CT_OK)
        return ct_no_memory(err, "attribute '%s'", name);
    return CT_OK;
}

static herr_t visit_attribute(hid_t group, const char *name, const H5A_info_t *about, void *data)
{
    (void)about;
    struct fact_reader *reader = data;
    if (ct_schema_owns(name))
        return 0;
    if (reader->info->n_facts >= FACTS_MAX) {
        reader->status = ct_fail(reader->err, CT_EFORMAT, "more than %d attributes", FACTS_MAX);
        return 1;
    }
    struct value value;
    if (open_value(group, name, &value, NULL) != CT_OK)
        return 0;
    if (value.is_single && is_of(value.class, TEXTS | NUMBERS))
        reader->status = keep_fact(&value, name, reader->info, reader->err);
    close_value(&value);
    return reader->status == CT_OK ? 0 : 1;
}

enum ct_status ct_schema_read_facts(hid_t group, struct ct_run_info *info, struct ct_error *err)
{
    struct fact_reader reader = {.info = info, .err = err};
    unsigned order = 0;
    hid_t properties = H5Gget_create_plist(group);
    H5Pget_attr_creation_order(properties, &order);
    H5Pclose(properties);
    H5_index_t index = order & H5P_CRT_ORDER_TRACKED ? H5_INDEX_CRT_ORDER : H5_INDEX_NAME;
    hsize_t at = 0;
    if (H5Aiterate2(group, index, H5_ITER_INC, &at, visit_attribute, &reader) < 0)
        return ct_schema_fail(err, CT_EFORMAT, "attributes cannot be read");
    return reader.status;
}

enum ct_status ct_schema_read_info(hid_t group, struct ct_run_info *info, struct ct_error *err)
{
    CT_TRY(read_schema(group, err));
    CT_TRY(read_kind(group, &info->kind, err));
    for (size_t a = 0; a < CT_N_ATTRIBUTES; a++)
        CT_TRY(read_member(group, &ct_attributes[a], info, err));
    CT_TRY(read_config(group, info, err));
    return ct_schema_read_facts(group, info, err);
}
