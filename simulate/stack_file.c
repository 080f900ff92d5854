/* Files of the parameters of the RDMA protocols. */
#include "core/file.h"
#include "core/units.h"
#include "simulate/stack.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind { RATE, DURATION, SIZE, COUNT, PROGRESS };

/* A line of a file; range in bytes per second, seconds, bytes, or a count. */
static const struct key {
    const char *name;
    enum kind kind;
    size_t offset;
    double min, max;
} keys[] = {
#define KEY(name, kind, field, min, max)                                                           \
    {                                                                                              \
        name, kind, offsetof(struct ct_stack_parameters, field), min, max                          \
    }
    KEY("injection-bandwidth", RATE, injection_bytes_per_s, 1, 1e15),
    KEY("link-bandwidth", RATE, link_bytes_per_s, 1, 1e15),
    KEY("memory-bandwidth", RATE, memory_bytes_per_s, 1, 1e15),
    KEY("post-header", DURATION, header_s, 0, 1000),
    KEY("post-rdma", DURATION, rdma_s, 0, 1000),
    KEY("pin", DURATION, pin_s, 0, 1000),
    KEY("pin-page", DURATION, pin_page_s, 0, 1000),
    KEY("hop", DURATION, hop_s, 0, 1000),
    KEY("page", SIZE, page_bytes, 1, 1e12),
    KEY("mailbox-max", SIZE, mailbox_max_bytes, 0, 1e15),
    KEY("eager-max", SIZE, eager_max_bytes, 0, 1e15),
    KEY("mailbox-credits", COUNT, credits, 0, 1 << 30),
    KEY("progress", PROGRESS, progress, 0, 0),
#undef KEY
};
enum { N_KEYS = sizeof keys / sizeof *keys, LINE_MAX_BYTES = 200 };

struct reader {
    const char *source;
    unsigned line;
    unsigned seen[N_KEYS]; /* line; 0: not yet */
    struct ct_stack_parameters *into;
    struct ct_error *err;
};

static void *field_of(const struct ct_stack_parameters *parameters, const struct key *key)
{
    return (char *)parameters + key->offset;
}

#define FAIL(reader, ...) fail_at(reader, ct_fail((reader)->err, CT_EFORMAT, __VA_ARGS__))

static enum ct_status fail_at(const struct reader *reader, enum ct_status status)
{
    return ct_fail_within(reader->err, status, "%s:%u", reader->source, reader->line);
}

/* ---- values ---- */

/* "13.04GB/s", or bits as in other places. */
static enum ct_status parse_rate(const char *text, double *bytes_per_s_p, struct ct_error *err)
{
    char size_text[LINE_MAX_BYTES];
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

static enum ct_status parse_progress(const char *text, int *progress_p, struct ct_error *err)
{
    for (int i = 0; ct_progress_names[i]; i++)
        if (strcmp(text, ct_progress_names[i]) == 0) {
            *progress_p = i;
            return CT_OK;
        }
    return ct_fail(err, CT_EFORMAT, "'%s': %s or %s", text, ct_progress_names[0],
                   ct_progress_names[1]);
}

/* @param number_p  [out] the value, for its range */
static enum ct_status parse_value(const struct key *key, const char *text, void *field,
                                  double *number_p, struct ct_error *err)
{
    enum ct_status status = CT_OK;
    switch (key->kind) {
    case RATE:
        status = parse_rate(text, field, err);
        break;
    case DURATION:
        status = ct_parse_duration(text, field, err);
        break;
    case SIZE:
        status = ct_parse_size(text, field, err);
        *number_p = status == CT_OK ? (double)*(size_t *)field : 0;
        return status;
    case COUNT:
        status = ct_parse_u64(text, field, err);
        *number_p = status == CT_OK ? (double)*(uint64_t *)field : 0;
        return status;
    case PROGRESS:
        *number_p = 0;
        return parse_progress(text, field, err);
    }
    *number_p = status == CT_OK ? *(double *)field : 0;
    return status;
}

/* ---- lines ---- */

static char *trim(char *text)
{
    static const char blanks[] = " \t\r";
    text += strspn(text, blanks);
    size_t n = strlen(text);
    while (n > 0 && strchr(blanks, text[n - 1]))
        text[--n] = '\0';
    return text;
}

static const struct key *find_key(const char *name)
{
    for (size_t i = 0; i < N_KEYS; i++)
        if (strcmp(keys[i].name, name) == 0)
            return &keys[i];
    return NULL;
}

static enum ct_status take_line(struct reader *reader, char *line)
{
    line[strcspn(line, "#")] = '\0';
    char *name = trim(line), *colon = strchr(name, ':');
    if (!*name || strcmp(name, "---") == 0)
        return CT_OK;
    if (!colon)
        return FAIL(reader, "'%s' is no 'key: value'", name);
    *colon = '\0';
    char *value = trim(colon + 1);
    name = trim(name);
    const struct key *key = find_key(name);
    if (!key)
        return FAIL(reader,
                    "'%s' is no parameter; the first ones are %s, %s, %s; see "
                    "crosstalk-simulate(1)",
                    name, keys[0].name, keys[1].name, keys[2].name);
    if (reader->seen[key - keys] > 0)
        return FAIL(reader, "'%s' is in line %u, too", name, reader->seen[key - keys]);
    reader->seen[key - keys] = reader->line;
    double number;
    enum ct_status status =
        parse_value(key, value, field_of(reader->into, key), &number, reader->err);
    if (status != CT_OK)
        return fail_at(reader, ct_fail_within(reader->err, CT_EFORMAT, "%s", name));
    if (key->kind != PROGRESS && !(number >= key->min && number <= key->max))
        return FAIL(reader, "%s '%s': not from %g to %g", name, value, key->min, key->max);
    return CT_OK;
}

static enum ct_status take_text(struct reader *reader, const char *text)
{
    enum ct_status status = CT_OK;
    for (const char *at = text; *at && status == CT_OK;) {
        char line[LINE_MAX_BYTES];
        size_t n = strcspn(at, "\n");
        reader->line++;
        if (n >= sizeof line)
            return FAIL(reader, "a line of %zu characters; at most %zu", n, sizeof line - 1);
        memcpy(line, at, n);
        line[n] = '\0';
        status = take_line(reader, line);
        at += n + (at[n] == '\n');
    }
    return status;
}

enum ct_status ct_stack_parse(const char *text, const char *source,
                              struct ct_stack_parameters *parameters_p, struct ct_error *err)
{
    struct ct_stack_parameters read = ct_stack_defaults();
    struct reader reader = {.source = source, .into = &read, .err = err};
    enum ct_status status = take_text(&reader, text);
    if (status == CT_OK && read.eager_max_bytes < read.mailbox_max_bytes)
        return ct_fail(err, CT_EFORMAT, "%s: eager-max, %zu B, is below mailbox-max, %zu B", source,
                       read.eager_max_bytes, read.mailbox_max_bytes);
    if (status == CT_OK)
        *parameters_p = read;
    return status;
}

enum ct_status ct_stack_read(const char *path, struct ct_stack_parameters *parameters_p,
                             struct ct_error *err)
{
    struct ct_text text;
    enum ct_status status = ct_file_read(path, &text, err);
    if (status != CT_OK)
        return status;
    status = strlen(text.text) == text.size
                 ? ct_stack_parse(text.text, path, parameters_p, err)
                 : ct_fail(err, CT_EFORMAT, "%s: not a text: it has a byte 0", path);
    free(text.text);
    return status;
}

void ct_stack_visit(const struct ct_stack_parameters *parameters,
                    void (*visit)(const char *key, const char *value, void *data), void *data)
{
    for (size_t i = 0; i < N_KEYS; i++) {
        const void *field = field_of(parameters, &keys[i]);
        char text[CT_UNITS_TEXT_MAX + 8];
        switch (keys[i].kind) {
        case RATE:
            snprintf(text, sizeof text, "%.6gGB/s", *(const double *)field * 1e-9);
            break;
        case DURATION:
            ct_format_duration(*(const double *)field, text);
            break;
        case SIZE:
            ct_format_size(*(const size_t *)field, text);
            break;
        case COUNT:
            snprintf(text, sizeof text, "%llu", (unsigned long long)*(const uint64_t *)field);
            break;
        case PROGRESS:
            snprintf(text, sizeof text, "%s", ct_progress_names[*(const int *)field]);
            break;
        }
        visit(keys[i].name, text, data);
    }
}
