#include "topology/hostlist.h"

#include "core/array.h"
#include "topology/topology.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { NAME_MAX_CHARS = 256, DIGITS_MAX = 9 };

/* A name in the making, and what is still to be expanded. */
struct part {
    char name[NAME_MAX_CHARS];
    size_t length;
};

static enum ct_status refuse_list(const char *text, size_t length, const char *why,
                                  struct ct_error *err)
{
    return ct_fail(err, CT_EFORMAT, "list of names '%.*s': %s", (int)(length < 80 ? length : 80),
                   text, why);
}

/* Blanks, quotes, backslashes and control characters are slips rather than parts of a name. */
static bool is_fit(const struct part *part)
{
    for (size_t i = 0; i < part->length; i++)
        if ((unsigned char)part->name[i] <= ' ' || strchr("\\\"'\x7f", part->name[i]))
            return false;
    return part->length > 0;
}

static enum ct_status append_name(const struct part *part, struct ct_hostlist *list,
                                  struct ct_error *err)
{
    if (!is_fit(part))
        return refuse_list(part->name, part->length,
                           "no name: blanks, quotes and backslashes are not allowed", err);
    if (list->n >= CT_TOPOLOGY_VERTICES_MAX)
        return ct_fail(err, CT_EFORMAT, "list of names: more than %d", CT_TOPOLOGY_VERTICES_MAX);
    if (!CT_ARRAY_RESERVE(list->names, list->room, list->n + 1))
        return ct_no_memory(err, "list of names");
    char *name = strndup(part->name, part->length);
    if (!name)
        return ct_no_memory(err, "list of names");
    list->names[list->n++] = name;
    return CT_OK;
}

static bool parse_number(const char **at, const char *end, uint32_t *value_p, int *digits_p)
{
    uint32_t value = 0;
    int digits = 0;
    for (; *at < end && isdigit((unsigned char)**at) && digits <= DIGITS_MAX; ++*at, digits++)
        value = digits < DIGITS_MAX ? 10 * value + (uint32_t)(**at - '0') : value;
    *value_p = value;
    *digits_p = digits;
    return digits > 0 && digits <= DIGITS_MAX;
}

/* Everything of `text` behind what the name has already. Recursion ends at the brackets' number. */
static enum ct_status expand_part(const char *text, size_t length, struct part part,
                                  struct ct_hostlist *list, struct ct_error *err)
{
    const char *end = text + length, *open = memchr(text, '[', length);
    size_t plain = open ? (size_t)(open - text) : length;
    if (part.length + plain + DIGITS_MAX >= NAME_MAX_CHARS)
        return refuse_list(text, length, "a name is too long", err);
    if (memchr(text, ']', plain))
        return refuse_list(text, length, "']' without '['", err);
    memcpy(part.name + part.length, text, plain);
    part.length += plain;
    if (!open)
        return append_name(&part, list, err);
    const char *close = memchr(open, ']', (size_t)(end - open)), *at = open + 1;
    if (!close)
        return refuse_list(text, length, "'[' without ']'", err);
    for (bool more = true; more; at++) {
        uint32_t first, last;
        int width, digits;
        if (!parse_number(&at, close, &first, &width))
            return refuse_list(text, length, "a number of 1 to 9 digits is missing in []", err);
        last = first;
        if (at < close && *at == '-') {
            at++;
            if (!parse_number(&at, close, &last, &digits))
                return refuse_list(text, length, "a number of 1 to 9 digits is missing in []", err);
            if (last < first)
                return refuse_list(text, length, "a range in [] ends below its begin", err);
        }
        if (last - first >= CT_TOPOLOGY_VERTICES_MAX)
            return refuse_list(text, length, "a range in [] is too long", err);
        for (uint32_t i = first; i <= last; i++) {
            struct part longer = part;
            longer.length +=
                (size_t)snprintf(longer.name + part.length, DIGITS_MAX + 1, "%0*u", width, i);
            CT_TRY(expand_part(close + 1, (size_t)(end - close - 1), longer, list, err));
        }
        more = at < close;
        if (more && *at != ',')
            return refuse_list(text, length, "write numbers and ranges in [], with commas", err);
    }
    return CT_OK;
}

/* The end of the first name: the next comma outside of brackets. */
static const char *end_of_name(const char *at, const char *end)
{
    bool inside = false;
    for (; at < end && (inside || *at != ','); at++)
        inside = *at == '[' || (inside && *at != ']');
    return at;
}

enum ct_status ct_hostlist_expand(const char *text, size_t length, struct ct_hostlist *list,
                                  struct ct_error *err)
{
    const char *at = text, *end = text + length;
    enum ct_status status = CT_OK;
    for (bool more = true; more && status == CT_OK;) {
        const char *next = end_of_name(at, end);
        if (next == at)
            return refuse_list(text, length, "a name is missing", err);
        status = expand_part(at, (size_t)(next - at), (struct part){.length = 0}, list, err);
        more = next < end;
        at = next + 1;
    }
    return status;
}

void ct_hostlist_free(struct ct_hostlist *list)
{
    for (size_t i = 0; i < list->n; i++)
        free(list->names[i]);
    free(list->names);
    *list = (struct ct_hostlist){0};
}
