#include "core/table.h"

#include "core/array.h"
#include "core/json.h"
#include "core/table_blocks.h"
#include "core/text.h"
#include "core/version.h"

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

const char *const ct_format_names[] = {"table", "csv", "json", NULL};

struct ct_tables *ct_tables_new(const char *program, enum ct_format format)
{
    struct ct_tables *tables = calloc(1, sizeof *tables);
    if (tables) {
        tables->program = program;
        tables->format = format;
    }
    return tables;
}

void ct_tables_free(struct ct_tables *tables)
{
    if (!tables)
        return;
    for (size_t b = 0; b < tables->n_blocks; b++) {
        struct block *block = &tables->blocks[b];
        for (size_t c = 0; c < block->n_cells; c++)
            free(block->cells[c].text);
        free(block->cells);
        free(block->columns);
    }
    ct_argv_free(&tables->texts);
    free(tables->part_text);
    free(tables->blocks);
    free(tables);
}

/* A copy that lives as long as the tables. */
static const char *keep_text(struct ct_tables *tables, const char *text)
{
    size_t n = tables->texts.n;
    if (!text)
        return NULL;
    ct_argv_add(&tables->texts, "%s", text);
    tables->out_of_memory |= tables->texts.failed;
    return tables->texts.n > n ? tables->texts.item[n] : "";
}

static struct ct_column keep_column(struct ct_tables *tables, struct ct_column column)
{
    return (struct ct_column){keep_text(tables, column.key), keep_text(tables, column.heading),
                              column.unit};
}

static struct block *add_block(struct ct_tables *tables, enum block_kind kind)
{
    if (!tables)
        return NULL;
    if (!CT_ARRAY_RESERVE(tables->blocks, tables->capacity, tables->n_blocks + 1)) {
        tables->out_of_memory = true;
        return NULL;
    }
    struct block *block = &tables->blocks[tables->n_blocks++];
    *block = (struct block){.kind = kind, .is_detail = tables->in_detail};
    tables->open = kind == BLOCK_TABLE ? tables->n_blocks : 0;
    return block;
}

static void add_cell(struct ct_tables *tables, struct block *block, struct cell cell,
                     const char *text)
{
    if (!block)
        return;
    bool fits = CT_ARRAY_RESERVE(block->cells, block->capacity, block->n_cells + 1);
    if (text)
        cell.text = strdup(text);
    if (!fits || (text && !cell.text)) {
        free(cell.text);
        tables->out_of_memory = true;
        return;
    }
    block->cells[block->n_cells++] = cell;
}

static struct block *open_table(struct ct_tables *tables)
{
    return tables && tables->open > 0 ? &tables->blocks[tables->open - 1] : NULL;
}

/* A cell of the open table; a row of a part begins with its name. */
static void add_to_row(struct ct_tables *tables, struct cell cell, const char *text)
{
    struct block *block = open_table(tables);
    if (block && block->has_parts && block->n_cells % block->n_columns == 0)
        add_cell(tables, block, (struct cell){.is_text = true}, tables->part_text);
    add_cell(tables, block, cell, text);
}

void ct_tables_part(struct ct_tables *tables, struct ct_column column, const char *text)
{
    if (!tables)
        return;
    free(tables->part_text);
    tables->part = keep_column(tables, column);
    tables->part_text = strdup(text);
    tables->out_of_memory |= !tables->part_text;
    tables->open = 0;
}

void ct_tables_part_end(struct ct_tables *tables)
{
    if (!tables)
        return;
    free(tables->part_text);
    tables->part_text = NULL;
    tables->open = 0;
}

/* After the provenance that is there, where there are tables of a part before. */
static struct block *add_provenance(struct ct_tables *tables)
{
    struct block *last = add_block(tables, BLOCK_PROVENANCE);
    size_t at = tables->n_blocks;
    if (!last || !tables->part_text)
        return last;
    while (at > 1 && tables->blocks[at - 2].kind != BLOCK_PROVENANCE)
        at--;
    if (at == 1)
        return last;
    struct block added = *last;
    memmove(&tables->blocks[at], &tables->blocks[at - 1],
            (tables->n_blocks - at) * sizeof *tables->blocks);
    tables->blocks[at - 1] = added;
    return &tables->blocks[at - 1];
}

/* Take out the value of a key, where the key is there. */
static struct block *reopen_provenance(struct ct_tables *tables, const char *key)
{
    for (size_t i = 0; i < tables->n_blocks; i++) {
        struct block *block = &tables->blocks[i];
        if (block->kind != BLOCK_PROVENANCE || block->n_cells != 2 ||
            strcmp(block->cells[0].text, key) != 0)
            continue;
        free(block->cells[--block->n_cells].text);
        return block;
    }
    return NULL;
}

static struct block *put_provenance(struct ct_tables *tables, const char *key, const char *text)
{
    char name[128];
    if (!tables)
        return NULL;
    snprintf(name, sizeof name, "%s%s%s", key, tables->part_text ? "_" : "",
             tables->part_text ? tables->part_text : "");
    struct block *block = reopen_provenance(tables, name);
    if (!block) {
        block = add_provenance(tables);
        add_cell(tables, block, (struct cell){.is_text = true}, name);
    }
    add_cell(tables, block, (struct cell){.is_text = true}, text);
    if (block)
        block->is_silent = false;
    return block;
}

void ct_tables_provenance(struct ct_tables *tables, const char *key, const char *format, ...)
{
    char text[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    put_provenance(tables, key, text);
}

struct parameters {
    struct ct_tables *tables;
    const struct ct_command *command;
    const void *values;
};

static void add_parameter(const char *name, const char *value, void *data)
{
    const struct parameters *to = data;
    to->tables->quiet |= !strcmp(name, "quiet") && !strcmp(value, "yes");
    if (!*value)
        return;
    struct block *block = put_provenance(to->tables, name, value);
    if (block)
        block->is_silent = !ct_command_has(to->command, to->values, name);
}

void ct_tables_parameters(struct ct_tables *tables, const struct ct_command *command,
                          const void *values)
{
    if (!tables)
        return;
    struct parameters to = {tables, command, values};
    const struct ct_given *given = ct_command_given(command, values);
    tables->has_view = given != NULL;
    tables->verbose = given && given->verbose;
    tables->all = given && given->all;
    ct_command_visit(command, values, add_parameter, &to);
}

void ct_tables_show_parameter(struct ct_tables *tables, const char *key)
{
    if (!tables)
        return;
    for (size_t i = 0; i < tables->n_blocks; i++)
        if (tables->blocks[i].kind == BLOCK_PROVENANCE &&
            !strcmp(tables->blocks[i].cells[0].text, key))
            tables->blocks[i].is_silent = false;
}

void ct_tables_view(struct ct_tables *tables, const struct ct_view *view)
{
    if (!tables)
        return;
    tables->has_view = true;
    tables->quiet = view->quiet;
    tables->verbose = view->given.verbose;
    tables->all = view->given.all;
}

void ct_tables_detail(struct ct_tables *tables, bool on)
{
    if (!tables)
        return;
    tables->in_detail = on;
}

/* A line of text, after the name of its part. */
__attribute__((format(printf, 3, 0))) static void
add_line(struct ct_tables *tables, enum block_kind kind, const char *format, va_list args)
{
    char text[1024];
    size_t used = 0;
    if (tables && tables->part_text)
        used = (size_t)snprintf(text, sizeof text / 2, "%s: ", tables->part_text);
    vsnprintf(text + used, sizeof text - used, format, args);
    add_cell(tables, add_block(tables, kind), (struct cell){.is_text = true}, text);
}

void ct_tables_note(struct ct_tables *tables, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add_line(tables, BLOCK_NOTE, format, args);
    va_end(args);
}

void ct_tables_answer(struct ct_tables *tables, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add_line(tables, BLOCK_ANSWER, format, args);
    va_end(args);
}

void ct_tables_number(struct ct_tables *tables, struct ct_column column, double value)
{
    struct block *block = add_block(tables, BLOCK_SCALAR);
    if (block)
        block->column = keep_column(tables, column);
    add_cell(tables, block, (struct cell){.number = value}, NULL);
}

void ct_tables_text(struct ct_tables *tables, struct ct_column column, const char *text)
{
    struct block *block = add_block(tables, BLOCK_SCALAR);
    if (block)
        block->column = keep_column(tables, column);
    add_cell(tables, block, (struct cell){.is_text = true}, text);
}

void ct_tables_numbers(struct ct_tables *tables, const struct ct_value *values, size_t n)
{
    for (size_t i = 0; i < n; i++)
        ct_tables_number(tables, values[i].column, values[i].value);
}

/* The table of this name that parts before have begun. */
static bool continue_table(struct ct_tables *tables, const char *key)
{
    for (size_t b = 0; b < tables->n_blocks; b++)
        if (tables->blocks[b].kind == BLOCK_TABLE && tables->blocks[b].has_parts &&
            tables->blocks[b].key && !strcmp(tables->blocks[b].key, key)) {
            tables->open = b + 1;
            return true;
        }
    return false;
}

void ct_tables_begin(struct ct_tables *tables, const char *key, const char *title,
                     const struct ct_column *columns, size_t n_columns)
{
    if (!tables)
        return;
    tables->is_continued = tables->part_text && key && continue_table(tables, key);
    if (tables->is_continued)
        return;
    struct block *block = add_block(tables, BLOCK_TABLE);
    if (!block)
        return;
    block->key = keep_text(tables, key);
    block->title = keep_text(tables, title);
    block->has_parts = tables->part_text;
    if (block->has_parts)
        ct_tables_column(tables, tables->part);
    for (size_t c = 0; c < n_columns; c++)
        ct_tables_column(tables, columns[c]);
}

void ct_tables_column(struct ct_tables *tables, struct ct_column column)
{
    struct block *block = open_table(tables);
    if (!block || tables->is_continued)
        return;
    if (CT_ARRAY_RESIZE(block->columns, block->n_columns + 1))
        block->columns[block->n_columns++] = keep_column(tables, column);
    else
        tables->out_of_memory = true;
}

void ct_tables_cell_number(struct ct_tables *tables, double value)
{
    add_to_row(tables, (struct cell){.number = value}, NULL);
}

void ct_tables_cell_numbers(struct ct_tables *tables, const double *values, size_t n)
{
    for (size_t i = 0; i < n; i++)
        ct_tables_cell_number(tables, values[i]);
}

void ct_tables_cell_text(struct ct_tables *tables, const char *text)
{
    add_to_row(tables, (struct cell){.is_text = true}, text);
}

void ct_tables_cell_list(struct ct_tables *tables, const char *text)
{
    add_cell(tables, open_table(tables), (struct cell){.is_text = true, .is_list = true}, text);
}

/* ---- CSV ---- */

static void print_csv_text(const char *text, FILE *out)
{
    if (!strpbrk(text, ",\"\n\r")) {
        fputs(text, out);
        return;
    }
    fputc('"', out);
    for (const char *p = text; *p; p++) {
        if (*p == '"')
            fputc('"', out);
        fputc(*p, out);
    }
    fputc('"', out);
}

static void print_csv_cell(const struct cell *cell, FILE *out)
{
    if (cell->is_text)
        print_csv_text(cell->text, out);
    else if (!isnan(cell->number))
        fprintf(out, "%.17g", cell->number);
}

static void print_csv_table(const struct block *block, FILE *out)
{
    for (size_t c = 0; c < block->n_columns; c++) {
        print_csv_text(block->columns[c].key, out);
        fputc(c + 1 < block->n_columns ? ',' : '\n', out);
    }
    for (size_t row = 0; row < block->n_cells; row += block->n_columns)
        for (size_t c = 0; c < block->n_columns; c++) {
            print_csv_cell(&block->cells[row + c], out);
            fputc(c + 1 < block->n_columns ? ',' : '\n', out);
        }
}

static void print_as_csv(const struct ct_tables *tables, FILE *out)
{
    bool in_scalars = false, separate = false;
    for (size_t b = 0; b < tables->n_blocks; b++) {
        const struct block *block = &tables->blocks[b];
        if (block->kind == BLOCK_TABLE && !block->key)
            continue;
        if (block->kind == BLOCK_PROVENANCE) {
            fprintf(out, "# %s: %s\n", block->cells[0].text, block->cells[1].text);
        } else if (block->kind == BLOCK_NOTE) {
            fprintf(out, "# %s\n", block->cells[0].text);
        } else if (block->kind == BLOCK_ANSWER) {
            fprintf(out, "# answer: %s\n", block->cells[0].text);
        } else if (block->kind == BLOCK_SCALAR) {
            if (!in_scalars)
                fprintf(out, "%skey,value\n", separate ? "\n" : "");
            print_csv_text(block->column.key, out);
            fputc(',', out);
            print_csv_cell(&block->cells[0], out);
            fputc('\n', out);
        } else {
            if (separate)
                fputc('\n', out);
            print_csv_table(block, out);
        }
        in_scalars = block->kind == BLOCK_SCALAR;
        separate |= block->kind == BLOCK_SCALAR || block->kind == BLOCK_TABLE;
    }
}

/* ---- JSON ---- */

static struct ct_json *json_cell(const struct cell *cell)
{
    return cell->is_text ? ct_json_text(cell->text) : ct_json_number(cell->number);
}

static struct ct_json *find_member(struct ct_json *object, const char *name,
                                   struct ct_json *(*create)(void))
{
    struct ct_json *item = ct_json_member(object, name);
    return item ? item : ct_json_put(object, name, create());
}

/* Put a value at a path: "a.b" descends, "a[]" appends. */
static void json_put(struct ct_json *object, const char *path, struct ct_json *value)
{
    char name[128];
    const char *dot;
    while ((dot = strchr(path, '.'))) {
        snprintf(name, sizeof name, "%.*s", (int)(dot - path), path);
        object = find_member(object, name, ct_json_object);
        path = dot + 1;
    }
    const char *array = strstr(path, "[]");
    if (array) {
        snprintf(name, sizeof name, "%.*s", (int)(array - path), path);
        ct_json_append(find_member(object, name, ct_json_array), value);
    } else {
        ct_json_put(object, path, value);
    }
}

/* An array, also of no text. */
static void json_list(struct ct_json *row, const char *key, const char *text)
{
    static const char separator[] = ", ";
    char name[128];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(key, "["), key);
    struct ct_json *array = find_member(row, name, ct_json_array);
    while (*text) {
        const char *end = strstr(text, separator);
        size_t n = end ? (size_t)(end - text) : strlen(text);
        char *word = strndup(text, n);
        ct_json_append(array, word ? ct_json_text(word) : NULL);
        free(word);
        text += end ? n + strlen(separator) : n;
    }
}

static void json_table(struct ct_json *root, const struct block *block)
{
    size_t length = strlen(block->key);
    bool keyed = length > 2 && !strcmp(block->key + length - 2, "{}");
    char name[128];
    snprintf(name, sizeof name, "%.*s", (int)(length - (keyed ? 2 : 0)), block->key);
    struct ct_json *table = find_member(root, name, keyed ? ct_json_object : ct_json_array);
    for (size_t i = 0; i < block->n_cells; i += block->n_columns) {
        struct ct_json *row = ct_json_object(), *object = table;
        size_t name_at = i;
        if (keyed && block->has_parts) /* an object for each part */
            object = find_member(table, block->cells[name_at++].text, ct_json_object);
        for (size_t c = keyed + (name_at - i); c < block->n_columns; c++) {
            const struct cell *cell = &block->cells[i + c];
            if (cell->is_list)
                json_list(row, block->columns[c].key, cell->text);
            else
                json_put(row, block->columns[c].key, json_cell(cell));
        }
        if (keyed)
            ct_json_put(object, block->cells[name_at].text, row);
        else
            ct_json_append(table, row);
    }
}

static enum ct_status print_as_json(const struct ct_tables *tables, FILE *out)
{
    struct ct_json *root = ct_json_object();
    for (size_t b = 0; b < tables->n_blocks; b++) {
        const struct block *block = &tables->blocks[b];
        switch (block->kind) {
        case BLOCK_PROVENANCE:
            ct_json_put(find_member(root, "provenance", ct_json_object), block->cells[0].text,
                        ct_json_text(block->cells[1].text));
            break;
        case BLOCK_NOTE:
            json_put(root, "notes[]", ct_json_text(block->cells[0].text));
            break;
        case BLOCK_ANSWER:
            json_put(root, "answer[]", ct_json_text(block->cells[0].text));
            break;
        case BLOCK_SCALAR:
            json_put(root, block->column.key, json_cell(&block->cells[0]));
            break;
        case BLOCK_TABLE:
            if (block->key)
                json_table(root, block);
            break;
        }
    }
    enum ct_status status = ct_json_print(root, out);
    ct_json_free(root);
    if (status == CT_OK)
        fputc('\n', out);
    return status;
}

static bool is_complete(const struct ct_tables *tables)
{
    for (size_t b = 0; b < tables->n_blocks; b++) {
        const struct block *block = &tables->blocks[b];
        if (block->kind == BLOCK_TABLE && block->n_cells % block->n_columns)
            return false;
    }
    return true;
}

enum ct_status ct_tables_print(struct ct_tables *tables, FILE *out, struct ct_error *err)
{
    if (!tables || tables->out_of_memory)
        return ct_no_memory(err, "tables");
    enum ct_format format = tables->format;
    if (!is_complete(tables))
        return ct_fail(err, CT_EINVAL, "tables: one was left with an unfinished row");
    if (format == CT_FORMAT_CSV)
        fprintf(out, "# %s v%s\n", tables->program, CT_VERSION);
    if (format == CT_FORMAT_JSON && print_as_json(tables, out) == CT_ENOMEM)
        return ct_no_memory(err, "tables");
    if (format == CT_FORMAT_TABLE)
        ct_tables_print_text(tables, out);
    if (format == CT_FORMAT_CSV)
        print_as_csv(tables, out);
    if (fflush(out) != 0 || ferror(out))
        return ct_fail(err, CT_EIO, "standard output: cannot be written");
    return CT_OK;
}

enum ct_status ct_tables_finish(struct ct_tables *tables, struct ct_error *err)
{
    enum ct_status status = ct_tables_print(tables, stdout, err);
    ct_tables_free(tables);
    return status;
}
