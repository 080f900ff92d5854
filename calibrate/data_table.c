/* Tables of measured values. */
#include "calibrate/data.h"
#include "core/file.h"
#include "core/foreign.h"
#include "core/text.h"
#include "core/units.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum column { KIND, SIZE, VALUE, N_COLUMNS };
static const char *const column_names[N_COLUMNS] = {"kind", "size", "value"};

enum { FIELDS_MAX = 32, ROWS_MAX = 1 << 20 };

struct table {
    const char *source;
    unsigned line;
    bool has_names;
    size_t n_fields;             /* of the first line */
    size_t column_at[N_COLUMNS]; /* fields */
    struct ct_measured measured;
    size_t n_rows;
    size_t last;            /* series of the row before */
    unsigned came_again;    /* line whose series had ended before; 0: there is none */
    bool is_rounds;         /* so far each round has all series, in the same order */
    unsigned out_of_rounds; /* the line that was not */
    struct ct_error *err;
};

/* Cut a line at its commas; blanks around fields do not count. */
static size_t split_line(char *line, char *fields[FIELDS_MAX])
{
    size_t n = 0;
    for (char *at = line; n < FIELDS_MAX;) {
        size_t length = strcspn(at, ",");
        bool is_last = at[length] == '\0';
        at[length] = '\0';
        fields[n++] = ct_text_trim(at);
        if (is_last)
            return n;
        at += length + 1;
    }
    return FIELDS_MAX + 1;
}

static enum ct_status take_names(struct table *table, char *const *fields, size_t n)
{
    for (size_t c = 0; c < N_COLUMNS; c++) {
        size_t at = 0, found = 0;
        for (size_t f = 0; f < n; f++)
            if (strcmp(fields[f], column_names[c]) == 0) {
                at = f;
                found++;
            }
        if (found != 1)
            return ct_fail(table->err, CT_EFORMAT,
                           "%zu columns '%s'; the first line names the columns: kind,size,value",
                           found, column_names[c]);
        table->column_at[c] = at;
    }
    table->n_fields = n;
    table->has_names = true;
    return CT_OK;
}

static enum ct_status parse_kind(const char *text, enum ct_benchmark_quantity *quantity_p,
                                 struct ct_error *err)
{
    for (int i = 0; i < CT_BENCHMARK_OF_LOGPB; i++)
        if (strcmp(text, ct_benchmark_names[i]) == 0) {
            *quantity_p = (enum ct_benchmark_quantity)i;
            return CT_OK;
        }
    return ct_fail(err, CT_EFORMAT, "kind '%s': %s or %s", text, ct_benchmark_names[0],
                   ct_benchmark_names[1]);
}

/* Whether rows are in one of the two orders. A series that is new is the last one. */
static void watch_order(struct table *table, size_t series, bool is_new)
{
    size_t n = table->measured.n;
    if (table->n_rows == 0)
        table->is_rounds = true;
    else if (!is_new && series != table->last && table->came_again == 0)
        table->came_again = table->line;
    size_t expected = is_new ? table->n_rows : table->n_rows % n;
    if (table->is_rounds && series != expected) {
        table->is_rounds = false;
        table->out_of_rounds = table->line;
    }
    table->last = series;
    table->n_rows++;
}

static enum ct_status take_row(struct table *table, char *const *fields)
{
    struct ct_benchmark_output output;
    double value;
    enum ct_status status =
        parse_kind(fields[table->column_at[KIND]], &output.quantity, table->err);
    if (status == CT_OK)
        status = ct_parse_u64(fields[table->column_at[SIZE]], &output.bytes, table->err);
    if (status == CT_OK)
        status = ct_parse_double(fields[table->column_at[VALUE]], &value, table->err);
    if (status != CT_OK)
        return CT_EFORMAT;
    size_t n_before = table->measured.n, series = 0;
    status = ct_measured_add(&table->measured, &output, value, table->err);
    if (status != CT_OK)
        return status == CT_EINVAL ? CT_EFORMAT : status;
    while (table->measured.series[series].output.quantity != output.quantity ||
           table->measured.series[series].output.bytes != output.bytes)
        series++;
    watch_order(table, series, table->measured.n > n_before);
    return CT_OK;
}

static enum ct_status take_line(void *taker, char *line)
{
    struct table *table = taker;
    char *fields[FIELDS_MAX];
    if (line[strspn(line, " \t\r")] == '\0' || *line == '#')
        return CT_OK;
    size_t n = split_line(line, fields);
    if (n > FIELDS_MAX)
        return ct_fail(table->err, CT_EFORMAT, "more than %d columns", FIELDS_MAX);
    if (!table->has_names)
        return take_names(table, fields, n);
    if (n != table->n_fields)
        return ct_fail(table->err, CT_EFORMAT, "%zu fields, but %zu columns", n, table->n_fields);
    if (table->n_rows == ROWS_MAX)
        return ct_fail(table->err, CT_EFORMAT, "more than %d rows", ROWS_MAX);
    return take_row(table, fields);
}

/* Neither series after series nor round after round. */
static enum ct_status check_order(struct table *table)
{
    if (table->came_again == 0 || table->is_rounds)
        return CT_OK;
    return ct_fail(
        table->err, CT_EFORMAT,
        "%s:%u: a kind and size that is there twice: rows of the same kind and size follow each "
        "other, or all kinds and sizes take turns",
        table->source,
        table->came_again > table->out_of_rounds ? table->came_again : table->out_of_rounds);
}

enum ct_status ct_measured_parse(const char *text, const char *source,
                                 struct ct_measured *measured_p, struct ct_error *err)
{
    struct table table = {.source = source, .err = err};
    enum ct_status status = ct_text_lines(text, source, &table.line, take_line, &table, err);
    if (status == CT_OK && !table.has_names)
        status = ct_fail(err, CT_EFORMAT,
                         "%s: empty; the first line names the columns: "
                         "kind,size,value",
                         source);
    if (status == CT_OK)
        status = check_order(&table);
    if (status == CT_OK && table.n_rows == 0)
        status = ct_fail(err, CT_ENODATA, "%s: no row below the names of columns", source);
    if (status != CT_OK) {
        ct_measured_free(&table.measured);
        return status;
    }
    ct_measured_sort(&table.measured);
    *measured_p = table.measured;
    return CT_OK;
}

enum ct_status ct_measured_read(const char *path, struct ct_measured *measured_p,
                                struct ct_error *err)
{
    struct ct_text text;
    CT_TRY(ct_file_read(path, &text, err));
    enum ct_status status = strlen(text.text) == text.size
                                ? ct_measured_parse(text.text, path, measured_p, err)
                                : ct_fail(err, CT_EFORMAT, "%s: not a text: it has a byte 0", path);
    if (status == CT_EFORMAT)
        ct_foreign_explain(path, text.text, text.size, CT_READS_TABLE, err);
    free(text.text);
    return status;
}
