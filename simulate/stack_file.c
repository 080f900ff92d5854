/* Files of the parameters of protocols. */
#include "core/file.h"
#include "core/foreign.h"
#include "core/text.h"
#include "simulate/stack.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Whose parameter a key is: bits. */
enum owner {
    OF_RDMA = 1 << CT_STACK_RDMA,
    OF_LOGGPS = 1 << CT_STACK_LOGGPS | 1 << CT_STACK_SOCKETS,
    OF_ALL = OF_RDMA | OF_LOGGPS
};

/* A line of a file; range in the unit of the key. */
static const struct key {
    const char *name;
    enum ct_stack_unit unit;
    size_t offset;
    double min, max;
    enum owner owner;
    const char *const *choices; /* of a choice */
} keys[CT_STACK_KEYS] = {
#define KEY(name, unit, field, min, max, owner, ...)                                               \
    {                                                                                              \
        name, CT_STACK_##unit, offsetof(struct ct_stack_parameters, field), min, max, owner,       \
            __VA_ARGS__                                                                            \
    }
    KEY("injection-bandwidth", BYTES_PER_S, injection_bytes_per_s, 1, 1e15, OF_RDMA, NULL),
    KEY("link-bandwidth", BYTES_PER_S, link_bytes_per_s, 1, 1e15, OF_RDMA, NULL),
    KEY("memory-bandwidth", BYTES_PER_S, memory_bytes_per_s, 1, 1e15, OF_RDMA, NULL),
    KEY("post-header", SECONDS, header_s, 0, 1000, OF_RDMA, NULL),
    KEY("post-rdma", SECONDS, rdma_s, 0, 1000, OF_RDMA, NULL),
    KEY("pin", SECONDS, pin_s, 0, 1000, OF_RDMA, NULL),
    KEY("pin-page", SECONDS, pin_page_s, 0, 1000, OF_RDMA, NULL),
    KEY("hop", SECONDS, hop_s, 0, 1000, OF_RDMA, NULL),
    KEY("page", BYTES, page_bytes, 1, 1e12, OF_RDMA, NULL),
    KEY("mailbox-max", BYTES, mailbox_max_bytes, 0, 1e15, OF_RDMA, NULL),
    KEY("eager-max", BYTES, eager_max_bytes, 0, 1e15, OF_RDMA, NULL),
    KEY("mailbox-credits", COUNT, credits, 0, 1 << 30, OF_RDMA, NULL),
    KEY("progress", CHOICE, progress, 0, CT_PROGRESS_IN_CALL, OF_RDMA, ct_progress_names),
    KEY("protocols", CHOICE, family, 0, CT_STACK_SOCKETS, OF_ALL, ct_stack_family_names),
    [CT_STACK_KEY_L] = KEY("L", SECONDS, L_s, 0, 1000, OF_LOGGPS, NULL),
    [CT_STACK_KEY_o] = KEY("o", SECONDS, o_s, 0, 1000, OF_LOGGPS, NULL),
    [CT_STACK_KEY_G] = KEY("G", SECONDS, G_s_per_byte, 1e-18, 1000, OF_LOGGPS, NULL),
    [CT_STACK_KEY_S] = KEY("S", BYTES, S_bytes, 0, 1e15, OF_LOGGPS, NULL),
    [CT_STACK_KEY_QUEUE] =
        KEY("queue", CHOICE, order, 0, CT_PORT_SHARED, OF_ALL, ct_port_order_names),
    [CT_STACK_KEY_BURST] = KEY("burst", AMOUNT, burst_bytes, 0, 1e15, OF_ALL, NULL),
    [CT_STACK_KEY_AHEAD] = KEY("ahead", AMOUNT, ahead_bytes, 0, 1e15, OF_ALL, NULL),
#undef KEY
};

struct reader {
    const char *source;
    unsigned line;
    unsigned seen[CT_STACK_KEYS]; /* line; 0: not yet */
    struct ct_stack_parameters *into;
    ct_stack_taker *take; /* of values with blanks; NULL: refused */
    void *taker;
    struct ct_error *err;
};

/* ---- values ---- */

/* "13.04GB/s", or bits as in other places. */
static enum ct_status parse_rate(const char *text, double *bytes_per_s_p, struct ct_error *err)
{
    char size_text[CT_TEXT_LINE_MAX];
    size_t n = strlen(text), bytes;
    double bit_per_s;
    if (n > 2 && strcmp(text + n - 2, "/s") == 0) {
        snprintf(size_text, sizeof size_text, "%.*s", (int)(n - 2), text);
        enum ct_status status = ct_parse_size(size_text, &bytes, err);
        *bytes_per_s_p = status == CT_OK ? (double)bytes : 0;
        return status;
    }
    enum ct_status status = ct_parse_rate(text, &bit_per_s, err);
    *bytes_per_s_p = status == CT_OK ? bit_per_s / 8 : 0;
    return status;
}

static enum ct_status parse_choice(const char *const *choices, const char *text, double *number_p,
                                   struct ct_error *err)
{
    for (int i = 0; choices[i]; i++)
        if (strcmp(text, choices[i]) == 0) {
            *number_p = i;
            return CT_OK;
        }
    char listed[200] = "";
    for (int i = 0; choices[i]; i++) {
        const char *next = choices[i + 1] ? ", " : " or ";
        size_t used = strlen(listed);
        snprintf(listed + used, sizeof listed - used, "%s%s", i ? next : "", choices[i]);
    }
    return ct_fail(err, CT_EFORMAT, "'%s': %s", text, listed);
}

static enum ct_status refuse_range(size_t key, const char *text, struct ct_error *err)
{
    char low[CT_STACK_VALUE_MAX], high[CT_STACK_VALUE_MAX];
    ct_stack_key_format(key, keys[key].min, low);
    ct_stack_key_format(key, keys[key].max, high);
    return ct_fail(err, CT_EFORMAT, "%s '%s': not from %s to %s", keys[key].name, text, low, high);
}

/* A value in range, as a number: of a choice its index. */
static enum ct_status parse_number(const struct key *key, const char *text, double *number_p,
                                   struct ct_error *err)
{
    enum ct_status status = CT_OK;
    double number = 0;
    size_t bytes = 0;
    uint64_t count = 0;
    switch (key->unit) {
    case CT_STACK_BYTES_PER_S:
        status = parse_rate(text, &number, err);
        break;
    case CT_STACK_SECONDS:
        status = ct_parse_duration(text, &number, err);
        break;
    case CT_STACK_AMOUNT:
    case CT_STACK_BYTES:
        status = ct_parse_size(text, &bytes, err);
        number = (double)bytes;
        break;
    case CT_STACK_COUNT:
        status = ct_parse_u64(text, &count, err);
        number = (double)count;
        break;
    case CT_STACK_CHOICE:
        status = parse_choice(key->choices, text, &number, err);
        break;
    }
    if (status != CT_OK)
        return ct_fail_within(err, CT_EFORMAT, "%s", key->name);
    if (!(number >= key->min && number <= key->max))
        return refuse_range((size_t)(key - keys), text, err);
    *number_p = number;
    return CT_OK;
}

static void set_number(struct ct_stack_parameters *parameters, const struct key *key, double number)
{
    void *field = (char *)parameters + key->offset;
    parameters->given |= 1u << (key - keys);
    switch (key->unit) {
    case CT_STACK_BYTES_PER_S:
    case CT_STACK_SECONDS:
    case CT_STACK_AMOUNT:
        *(double *)field = number;
        break;
    case CT_STACK_BYTES:
        *(size_t *)field = (size_t)number;
        break;
    case CT_STACK_COUNT:
        *(uint64_t *)field = (uint64_t)number;
        break;
    case CT_STACK_CHOICE:
        *(int *)field = (int)number;
        break;
    }
}

/* ---- keys ---- */

const char *ct_stack_key_name(size_t key)
{
    return keys[key].name;
}

enum ct_stack_unit ct_stack_key_unit(size_t key)
{
    return keys[key].unit;
}

size_t ct_stack_key_find(const char *name)
{
    size_t key = 0;
    while (key < CT_STACK_KEYS && strcmp(keys[key].name, name) != 0)
        key++;
    return key;
}

enum ct_status ct_stack_key_parse(size_t key, const char *text, double *value_p,
                                  struct ct_error *err)
{
    return parse_number(&keys[key], text, value_p, err);
}

void ct_stack_key_format(size_t key, double value, char text[CT_STACK_VALUE_MAX])
{
    char unit_text[CT_UNITS_TEXT_MAX] = "";
    switch (keys[key].unit) {
    case CT_STACK_BYTES_PER_S:
        snprintf(text, CT_STACK_VALUE_MAX, "%.6gGB/s", value * 1e-9);
        return;
    case CT_STACK_SECONDS:
        ct_format_duration(value, unit_text);
        break;
    case CT_STACK_AMOUNT:
    case CT_STACK_BYTES:
        ct_format_size((size_t)value, unit_text);
        break;
    case CT_STACK_COUNT:
        snprintf(unit_text, sizeof unit_text, "%.0f", value);
        break;
    case CT_STACK_CHOICE:
        snprintf(unit_text, sizeof unit_text, "%s", keys[key].choices[(int)value]);
        break;
    }
    snprintf(text, CT_STACK_VALUE_MAX, "%s", unit_text);
}

bool ct_stack_counts(const struct ct_stack_parameters *parameters, size_t key)
{
    bool has_default = keys[key].owner == OF_RDMA;
    return (keys[key].owner >> parameters->family & 1) &&
           (has_default || ct_stack_is_given(parameters, key));
}

enum ct_status ct_stack_check(const struct ct_stack_parameters *parameters, struct ct_error *err)
{
    for (size_t key = CT_STACK_KEY_L; key <= CT_STACK_KEY_G; key++)
        if (parameters->family != CT_STACK_RDMA && !ct_stack_is_given(parameters, key))
            return ct_fail(err, CT_EUSAGE,
                           "--parameters: '%s' of LogGPS is missing: a simulation needs L, o and G",
                           keys[key].name);
    return CT_OK;
}

enum ct_status ct_stack_check_options(const struct ct_stack_parameters *parameters,
                                      uint32_t options, const char *path, struct ct_error *err)
{
    for (size_t key = 0; key < CT_STACK_KEYS; key++)
        if (ct_stack_is_given(parameters, key) && (options >> key & 1))
            return ct_fail(err, CT_EUSAGE,
                           "--%s: --parameters %s has '%s', too; leave out one of the two",
                           keys[key].name, path, keys[key].name);
    return CT_OK;
}

double ct_stack_value(const struct ct_stack_parameters *parameters, size_t key)
{
    const void *field = (const char *)parameters + keys[key].offset;
    switch (keys[key].unit) {
    case CT_STACK_BYTES_PER_S:
    case CT_STACK_SECONDS:
    case CT_STACK_AMOUNT:
        break;
    case CT_STACK_BYTES:
        return (double)*(const size_t *)field;
    case CT_STACK_COUNT:
        return (double)*(const uint64_t *)field;
    case CT_STACK_CHOICE:
        return *(const int *)field;
    }
    return *(const double *)field;
}

enum ct_status ct_stack_set(struct ct_stack_parameters *parameters, size_t key, double value,
                            struct ct_error *err)
{
    char text[CT_STACK_VALUE_MAX];
    if (!(value >= keys[key].min && value <= keys[key].max)) {
        snprintf(text, sizeof text, "%g", value);
        return refuse_range(key, text, err);
    }
    set_number(parameters, &keys[key], value);
    return CT_OK;
}

/* ---- lines ---- */

static enum ct_status take_value(struct reader *reader, size_t key, const char *value)
{
    double number = 0;
    enum ct_status status;
    if (strpbrk(value, " \t")) {
        if (!reader->take)
            return ct_fail(reader->err, CT_EFORMAT,
                           "%s '%s': one value; ranges are for crosstalk-calibrate(1)",
                           keys[key].name, value);
        status = reader->take(reader->taker, key, value, reader->err);
        reader->into->given |= 1u << key;
        return status;
    }
    CT_TRY(parse_number(&keys[key], value, &number, reader->err));
    set_number(reader->into, &keys[key], number);
    return CT_OK;
}

static enum ct_status take_line(void *taker, char *line)
{
    struct reader *reader = taker;
    struct ct_error *err = reader->err;
    line[strcspn(line, "#")] = '\0';
    char *name = ct_text_trim(line), *colon = strchr(name, ':');
    if (!*name)
        return CT_OK;
    if (strcmp(name, "---") == 0)
        return reader->into->given == 0
                   ? CT_OK
                   : ct_fail(err, CT_EFORMAT, "a second document ('---'): a file has one");
    if (!colon)
        return ct_fail(err, CT_EFORMAT, "'%s' is no 'key: value'", name);
    *colon = '\0';
    char *value = ct_text_trim(colon + 1);
    name = ct_text_trim(name);
    size_t key = ct_stack_key_find(name);
    if (key == CT_STACK_KEYS)
        return ct_fail(err, CT_EFORMAT,
                       "'%s' is no parameter; the first ones are %s, %s, %s; see "
                       "crosstalk-simulate(1)",
                       name, keys[0].name, keys[1].name, keys[2].name);
    if (reader->seen[key] > 0)
        return ct_fail(err, CT_EFORMAT, "'%s' is in line %u, too", name, reader->seen[key]);
    reader->seen[key] = reader->line;
    return take_value(reader, key, value);
}

/* Keys of the other protocols. */
static enum ct_status check_family(struct reader *reader)
{
    const struct ct_stack_parameters *read = reader->into;
    bool is_rdma = read->family == CT_STACK_RDMA;
    for (size_t key = 0; key < CT_STACK_KEYS; key++) {
        if (reader->seen[key] == 0 || keys[key].owner >> read->family & 1)
            continue;
        return ct_fail(
            reader->err, CT_EFORMAT, "%s:%u: '%s' is of the protocols %s, and these are %s: %s",
            reader->source, reader->seen[key], keys[key].name,
            ct_stack_family_names[is_rdma ? CT_STACK_LOGGPS : CT_STACK_RDMA],
            ct_stack_family_names[read->family],
            is_rdma ? "add the line 'protocols: loggps'" : "L, o, G and S are in place of it");
    }
    if (read->eager_max_bytes < read->mailbox_max_bytes)
        return ct_fail(reader->err, CT_EFORMAT, "%s: eager-max, %zu B, is below mailbox-max, %zu B",
                       reader->source, read->eager_max_bytes, read->mailbox_max_bytes);
    return CT_OK;
}

enum ct_status ct_stack_parse(const char *text, const char *source, ct_stack_taker *take,
                              void *taker, struct ct_stack_parameters *parameters_p,
                              struct ct_error *err)
{
    struct ct_stack_parameters read = ct_stack_defaults();
    struct reader reader = {
        .source = source, .into = &read, .take = take, .taker = taker, .err = err};
    CT_TRY(ct_text_lines(text, source, &reader.line, take_line, &reader, err));
    CT_TRY(check_family(&reader));
    *parameters_p = read;
    return CT_OK;
}

enum ct_status ct_stack_read(const char *path, ct_stack_taker *take, void *taker,
                             struct ct_stack_parameters *parameters_p, struct ct_error *err)
{
    struct ct_text text;
    CT_TRY(ct_file_read(path, &text, err));
    enum ct_status status = strlen(text.text) == text.size
                                ? ct_stack_parse(text.text, path, take, taker, parameters_p, err)
                                : ct_fail(err, CT_EFORMAT, "%s: not a text: it has a byte 0", path);
    if (status == CT_EFORMAT)
        ct_foreign_explain(path, text.text, text.size, CT_READS_STACK, err);
    free(text.text);
    return status;
}

void ct_stack_visit(const struct ct_stack_parameters *parameters,
                    void (*visit)(const char *key, const char *value, void *data), void *data)
{
    for (size_t key = 0; key < CT_STACK_KEYS; key++) {
        char text[CT_STACK_VALUE_MAX];
        if (!ct_stack_counts(parameters, key))
            continue;
        ct_stack_key_format(key, ct_stack_value(parameters, key), text);
        visit(keys[key].name, text, data);
    }
}
