#include "delay/latency.h"

#include "core/array.h"
#include "core/file.h"
#include "core/foreign.h"
#include "core/units.h"

#include <math.h>
#include <string.h>

enum { ENTRY_MAX = 64 };

enum ct_status ct_delay_latency_check(double latency_s, struct ct_error *err)
{
    if (latency_s >= 0 && latency_s <= CT_DELAY_LATENCY_MAX_S)
        return CT_OK;
    char latency[CT_UNITS_TEXT_MAX], most[CT_UNITS_TEXT_MAX];
    ct_format_duration(latency_s, latency);
    ct_format_duration(CT_DELAY_LATENCY_MAX_S, most);
    return ct_fail(err, CT_EINVAL, "a latency of %s: the range is 0s to %s", latency, most);
}

/* A matrix that is being read. */
struct reading {
    const char *name;
    size_t line;      /* of the text, from 1 */
    size_t n_columns; /* of the first row; 0: not read yet */
    int64_t *values;
    size_t n, room;
};

static enum ct_status add_value(struct reading *reading, size_t column, const char *entry,
                                struct ct_error *err)
{
    size_t row = reading->n_columns > 0 ? reading->n / reading->n_columns : 0;
    double latency_s = 0;
    enum ct_status status = CT_OK;
    struct ct_error why;
    if (strcmp(entry, "-") != 0) {
        status = ct_parse_duration(entry, &latency_s, &why);
        if (status == CT_OK)
            status = ct_delay_latency_check(latency_s, &why);
        if (status != CT_OK)
            return ct_fail(err, CT_EFORMAT, "%s:%zu: entry %zu: %s", reading->name, reading->line,
                           column + 1, why.text);
    } else if (row != column) {
        return ct_fail(err, CT_EFORMAT,
                       "%s:%zu: entry %zu: '-' is for the diagonal, from a rank to itself",
                       reading->name, reading->line, column + 1);
    }
    if (!CT_ARRAY_RESERVE(reading->values, reading->room, reading->n + 1))
        return ct_no_memory(err, "%s", reading->name);
    reading->values[reading->n++] = llround(latency_s * 1e9);
    return CT_OK;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* The next word of a line; false: there is none. A word that is too long is cut, and no duration.
 */
static bool next_word(const char **at_p, const char *end, char word[ENTRY_MAX])
{
    const char *at = *at_p;
    size_t n = 0;
    while (at < end && is_blank(*at))
        at++;
    if (at == end || *at == '#')
        return false;
    for (; at < end && !is_blank(*at) && *at != '#'; at++)
        if (n < ENTRY_MAX - 1)
            word[n++] = *at != '\0' ? *at : '?';
    word[n] = '\0';
    *at_p = at;
    return true;
}

static enum ct_status read_line(struct reading *reading, const char *at, const char *end,
                                struct ct_error *err)
{
    char word[ENTRY_MAX];
    size_t column = 0;
    size_t wanted = reading->n_columns > 0 ? reading->n_columns : CT_DELAY_RANKS_MAX;
    for (; next_word(&at, end, word); column++) {
        if (column >= wanted)
            return ct_fail(err, CT_EFORMAT, "%s:%zu: more than %zu entries: %s", reading->name,
                           reading->line, wanted,
                           reading->n_columns > 0 ? "the first row has as many"
                                                  : "as many ranks can have a matrix");
        CT_TRY(add_value(reading, column, word, err));
    }
    if (column == 0)
        return CT_OK;
    if (reading->n_columns == 0)
        reading->n_columns = column;
    if (column < reading->n_columns)
        return ct_fail(err, CT_EFORMAT, "%s:%zu: %zu entries, but the first row has %zu",
                       reading->name, reading->line, column, reading->n_columns);
    if (reading->n > reading->n_columns * reading->n_columns)
        return ct_fail(err, CT_EFORMAT, "%s:%zu: more rows than columns, which are %zu",
                       reading->name, reading->line, reading->n_columns);
    return CT_OK;
}

static enum ct_status read_lines(struct reading *reading, const char *text, size_t size,
                                 struct ct_error *err)
{
    const char *end = text + size;
    for (const char *at = text; at < end; reading->line++) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        const char *line_end = newline ? newline : end;
        CT_TRY(read_line(reading, at, line_end, err));
        at = newline ? newline + 1 : end;
    }
    if (reading->n_columns == 0)
        return ct_fail(err, CT_EFORMAT, "%s: no latency in it", reading->name);
    if (reading->n < reading->n_columns * reading->n_columns)
        return ct_fail(err, CT_EFORMAT,
                       "%s: %zu rows of %zu entries; a matrix has a row and a column for each rank",
                       reading->name, reading->n / reading->n_columns, reading->n_columns);
    return CT_OK;
}

enum ct_status ct_delay_matrix_parse(const char *text, size_t size, const char *name,
                                     struct ct_delay_latency *latency_p, struct ct_error *err)
{
    struct reading reading = {.name = name, .line = 1};
    enum ct_status status = read_lines(&reading, text, size, err);
    if (status != CT_OK) {
        free(reading.values);
        return status;
    }
    *latency_p =
        (struct ct_delay_latency){.n_ranks = reading.n_columns, .matrix_ns = reading.values};
    return CT_OK;
}

enum ct_status ct_delay_matrix_read(const char *path, struct ct_delay_latency *latency_p,
                                    struct ct_error *err)
{
    struct ct_text text;
    CT_TRY(ct_file_read(path, &text, err));
    enum ct_status status = ct_delay_matrix_parse(text.text, text.size, path, latency_p, err);
    if (status == CT_EFORMAT)
        ct_foreign_explain(path, text.text, text.size, CT_READS_TABLE, err);
    free(text.text);
    return status;
}

int64_t ct_delay_latency_ns(const struct ct_delay_latency *latency, size_t from, size_t to)
{
    return latency->n_ranks > 0 ? latency->matrix_ns[from * latency->n_ranks + to]
                                : latency->uniform_ns;
}

int64_t ct_delay_latency_least_ns(const struct ct_delay_latency *latency)
{
    int64_t least_ns = 0;
    if (latency->n_ranks == 0)
        return latency->uniform_ns;
    for (size_t from = 0; from < latency->n_ranks; from++)
        for (size_t to = 0; to < latency->n_ranks; to++) {
            int64_t ns = ct_delay_latency_ns(latency, from, to);
            if (from != to && ns > 0 && (least_ns == 0 || ns < least_ns))
                least_ns = ns;
        }
    return least_ns;
}
