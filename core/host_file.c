#include "core/host_file.h"

#include "core/file.h"
#include "core/foreign.h"
#include "core/text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- names ---- */

/* The part in front of the domain: of an address all of it. */
static size_t length_of_label(const char *name)
{
    size_t length = strlen(name);
    return strspn(name, "0123456789.") == length ? length : strcspn(name, ".");
}

static int compare_labels(const char *a, const char *b)
{
    size_t length_a = length_of_label(a), length_b = length_of_label(b);
    int order = strncasecmp(a, b, length_a < length_b ? length_a : length_b);
    return order ? order : (length_a > length_b) - (length_a < length_b);
}

bool ct_host_is_same(const char *a, const char *b)
{
    bool may_have_domain = a[length_of_label(a)] == '\0' || b[length_of_label(b)] == '\0';
    return strcasecmp(a, b) == 0 || (may_have_domain && compare_labels(a, b) == 0);
}

struct place {
    const char *name;
    size_t i; /* in the list */
};

/* By label, without a domain first, then by the whole name and the place in the list. */
static int by_name(const void *x, const void *y)
{
    const struct place *a = x, *b = y;
    int order = compare_labels(a->name, b->name);
    order = order ? order : strcasecmp(a->name, b->name);
    return order ? order : (a->i > b->i) - (a->i < b->i);
}

/* The end of those that are equal to the first one. */
static size_t end_of_equals(const struct place *places, size_t first, size_t n,
                            int (*compare)(const char *a, const char *b))
{
    size_t end = first + 1;
    while (end < n && compare(places[first].name, places[end].name) == 0)
        end++;
    return end;
}

/* Of places [first, end) the least one in the list stays. */
static void keep_first(const struct place *places, size_t first, size_t end, bool *stays)
{
    size_t least = places[first].i;
    for (size_t i = first; i < end; i++)
        least = places[i].i < least ? places[i].i : least;
    stays[least] = true;
}

bool ct_host_unite(struct ct_argv *names)
{
    size_t n = names->n, n_kept = 0;
    struct place *places = calloc(n + 1, sizeof *places);
    bool *stays = calloc(n + 1, sizeof *stays);
    bool good = places && stays;
    for (size_t i = 0; good && i < n; i++)
        places[i] = (struct place){names->item[i], i};
    if (good)
        qsort(places, n, sizeof *places, by_name);
    for (size_t first = 0, end; good && first < n; first = end) {
        end = end_of_equals(places, first, n, compare_labels);
        size_t second = end_of_equals(places, first, end, strcasecmp);
        bool is_plain = places[first].name[length_of_label(places[first].name)] == '\0';
        if (is_plain && second < end && end_of_equals(places, second, end, strcasecmp) == end)
            second = end; /* one domain only */
        for (keep_first(places, first, second, stays); second < end;) {
            first = second;
            second = end_of_equals(places, first, end, strcasecmp);
            keep_first(places, first, second, stays);
        }
    }
    for (size_t i = 0; good && i < n; i++) {
        if (stays[i])
            names->item[n_kept++] = names->item[i];
        else
            free(names->item[i]);
    }
    if (good && n > 0) {
        names->n = n_kept;
        names->item[n_kept] = NULL;
    }
    free(places);
    free(stays);
    return good;
}

/* ---- files ---- */

/* What other formats have and names of hosts have not. */
static bool is_name(const char *name, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (iscntrl((unsigned char)name[i]) || strchr(",;[]{}()<>=\"'*?$&|\\", name[i]))
            return false;
    return length > 0 && name[0] != '-';
}

static enum ct_status take_lines(const char *path, char *text, struct ct_argv *names,
                                 struct ct_error *err)
{
    const size_t n_before = names->n;
    char *line;
    for (size_t number = 1; (line = strsep(&text, "\n")); number++) {
        line += strspn(line, " \t\r");
        size_t length = strcspn(line, ": \t\r#");
        if (length == 0 && (*line == '\0' || *line == '#'))
            continue;
        if (!is_name(line, length))
            return ct_fail(err, CT_EFORMAT,
                           "%s: line %zu: '%.*s': begins with no name of a host; write one on each "
                           "line, as 'scontrol show hostnames' does",
                           path, number, (int)(length < 80 ? length + 1 : 80), line);
        ct_argv_add(names, "%.*s", (int)length, line);
    }
    if (names->failed)
        return ct_no_memory(err, "%s", path);
    return names->n > n_before ? CT_OK : ct_fail(err, CT_EFORMAT, "%s: names no host", path);
}

enum ct_status ct_host_file_read(const char *path, struct ct_argv *names, struct ct_error *err)
{
    struct ct_text text;
    CT_TRY(ct_file_read(path, &text, err));
    char *copy = strndup(text.text, text.size);
    enum ct_status status = CT_OK;
    if (!copy)
        status = ct_no_memory(err, "%s", path);
    else if (memchr(text.text, '\0', text.size))
        status = ct_fail(err, CT_EFORMAT, "%s: a NUL byte in it: no text", path);
    else if (ct_text_skip_mark(copy) != copy)
        status = ct_fail(err, CT_EFORMAT,
                         "%s: begins with a byte order mark, which launchers take for a part of "
                         "the first name: save it as UTF-8 without one",
                         path);
    else
        status = take_lines(path, copy, names, err);
    if (status == CT_EFORMAT)
        ct_foreign_explain(path, text.text, text.size, CT_READS_HOSTS, err);
    free(copy);
    free(text.text);
    return status;
}
