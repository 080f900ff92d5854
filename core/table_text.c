/* Tables as text for people, on one screen. */
#include "core/table_blocks.h"
#include "core/text.h"
#include "core/version.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* How the table shows a unit. One row a unit. */
static const struct {
    const char *text;
    double scale;
    int significant; /* digits; 0: whole number */
} shown[] = {
    [CT_UNIT_NONE] = {"", 1, 5},
    [CT_UNIT_COUNT] = {"", 1, 0},
    [CT_UNIT_SECONDS] = {"us", 1e6, 5},
    [CT_UNIT_LONG_SECONDS] = {"s", 1, 4},
    [CT_UNIT_FRACTION] = {"%", 100, 3},
    [CT_UNIT_BYTES] = {"B", 1, 0},
    [CT_UNIT_BYTES_PER_S] = {"MB/s", 1e-6, 4},
    [CT_UNIT_BIT_PER_S] = {"Mbit/s", 1e-6, 4},
    [CT_UNIT_PER_S] = {"1/s", 1, 5},
    [CT_UNIT_SECONDS2] = {"us^2", 1e12, 5},
};

/* What fits. */
struct page {
    size_t width, rows;
    size_t n_tables;      /* the first ones */
    bool all;             /* details too, and all columns */
    size_t n_columns_out; /* left out */
    bool cuts;            /* texts of a last column */
    size_t n_tables_seen;
    FILE *out;
};

int ct_interval_decimals(double width)
{
    int decimals = 1 - (int)floor(log10(width));
    return decimals < 0 ? 0 : decimals > 9 ? 9 : decimals;
}

/* Decimals that an interval allows; -1: those of the unit. */
static int decimals_of(const struct cell *lo, const struct cell *hi, enum ct_unit unit)
{
    double width = (hi->number - lo->number) * shown[unit].scale;
    if (lo->is_text || hi->is_text || !isfinite(width) || width <= 0 ||
        shown[unit].significant == 0)
        return -1;
    return ct_interval_decimals(width);
}

static bool is_interval(const struct ct_column *a, const struct ct_column *b)
{
    return (!strncmp(a->key, "ci", 2) || strstr(a->key, "_ci")) && !strcmp(a->key, b->key);
}

static void format_number(double value, enum ct_unit unit, int decimals_at_most, char *text,
                          size_t size)
{
    if (!isfinite(value)) {
        snprintf(text, size, "%s", isnan(value) ? "-" : value > 0 ? "inf" : "-inf");
        return;
    }
    double scaled = value * shown[unit].scale;
    bool whole_number = unit == CT_UNIT_NONE && value == rint(value) && fabs(value) < 1e12;
    if (shown[unit].significant == 0 || whole_number) {
        snprintf(text, size, "%.0f", scaled);
        return;
    }
    /* Rounding errors, where 1 is an everyday value. */
    double zero = unit == CT_UNIT_FRACTION ? 5e-4 : unit == CT_UNIT_LONG_SECONDS ? 0 : 1e-10;
    if (fabs(scaled) < zero)
        scaled = 0;
    /* Fixed point with so many digits: columns line up, and no exponent in everyday values. */
    double magnitude = fabs(scaled);
    bool is_small = unit == CT_UNIT_LONG_SECONDS && magnitude > 0; /* in simulations */
    int whole = magnitude >= 1 || is_small ? (int)floor(log10(magnitude)) + 1 : 1;
    int decimals = shown[unit].significant - whole;
    /* Without a unit that is fit for them, small numbers would lose their digits. */
    double least = unit == CT_UNIT_NONE ? 1e-2 : is_small ? 1e-6 : 1e-4;
    if (decimals_at_most >= 0 && decimals > decimals_at_most)
        decimals = decimals_at_most;
    if (decimals_at_most < 0 && ((magnitude != 0 && magnitude < least) || magnitude >= 1e12))
        snprintf(text, size, "%.*g", shown[unit].significant, scaled);
    else
        snprintf(text, size, "%.*f", decimals > 0 ? decimals : 0, scaled);
    if (text[strspn(text, "-0.")] == '\0')
        snprintf(text, size, "0");
}

static void format_cell(const struct cell *cell, enum ct_unit unit, int decimals, char *text,
                        size_t size)
{
    if (cell->is_text)
        snprintf(text, size, "%s", cell->text);
    else
        format_number(cell->number, unit, decimals, text, size);
}

static void format_heading(const struct ct_column *column, char *text, size_t size)
{
    const char *unit = shown[column->unit].text;
    const char *heading = column->heading + (*column->heading == *CT_IF_KNOWN);
    if (*unit)
        snprintf(text, size, "%s [%s]", heading, unit);
    else
        snprintf(text, size, "%s", heading);
}

/* Whether a column is for people, by its cells: each n_columns-th of them. */
static bool is_headed(const struct ct_column *column, const struct cell *cells, size_t n_cells,
                      size_t n_columns)
{
    bool is_known = column->heading && *column->heading != *CT_IF_KNOWN;
    for (size_t i = 0; column->heading && !is_known && i < n_cells; i += n_columns)
        is_known = cells[i].is_text || !isnan(cells[i].number);
    return is_known;
}

/* How a column is laid out. */
struct layout {
    size_t width;
    bool left, is_out, is_cut;
};

/* A text to so many columns, the last three of which are dots. */
static void cut_text(char *text, size_t columns)
{
    size_t n = strlen(text);
    if (ct_text_columns(text) <= columns)
        return;
    while (n > 0 && ct_text_columns(text) + 3 > columns) {
        while (n > 0 && (text[--n] & 0xC0) == 0x80) /* within a character */
            ;
        text[n] = '\0';
    }
    memcpy(&text[n], "...", sizeof "...");
}

static void print_padded(const char *text, struct layout layout, bool first, bool last, FILE *out)
{
    size_t length = ct_text_columns(text);
    int pad = length < layout.width ? (int)(layout.width - length) : 0;
    fputs(first ? "" : "  ", out);
    if (layout.left)
        fprintf(out, "%s%*s", text, last ? 0 : pad, "");
    else
        fprintf(out, "%*s%s", pad, "", text);
}

/* Decimals of a cell of a table: of a value before its interval, and of the interval. */
static int decimals_at(const struct block *block, size_t i)
{
    size_t c = i % block->n_columns;
    for (size_t back = 0; back <= 2 && back <= c; back++) {
        size_t value = c - back;
        if (value + 2 < block->n_columns &&
            is_interval(&block->columns[value + 1], &block->columns[value + 2]))
            return decimals_of(&block->cells[i - back + 1], &block->cells[i - back + 2],
                               block->columns[c].unit);
    }
    return -1;
}

static size_t n_cells_shown(const struct block *block, const struct page *page)
{
    size_t rows = block->n_cells / block->n_columns;
    return (rows < page->rows ? rows : page->rows) * block->n_columns;
}

static struct layout layout_of(const struct block *block, size_t c, size_t n_cells)
{
    char text[CT_TABLE_CELL_MAX];
    struct layout layout = {0};
    format_heading(&block->columns[c], text, sizeof text);
    layout.width = ct_text_columns(text);
    for (size_t i = c; i < n_cells; i += block->n_columns) {
        format_cell(&block->cells[i], block->columns[c].unit, decimals_at(block, i), text,
                    sizeof text);
        size_t width = ct_text_columns(text);
        layout.width = width > layout.width ? width : layout.width;
        layout.left |= block->cells[i].is_text;
    }
    return layout;
}

/* A last column of texts is cut; else columns are left out from the right on, but not the first
 * one, until a line fits. */
static void fit_columns(struct layout *layouts, size_t n, struct page *page)
{
    enum { LEAST = 20 }; /* of a text that is cut */
    size_t width = 0, n_in = 0, last = 0;
    for (size_t c = 0; c < n; c++)
        if (!layouts[c].is_out) {
            width += layouts[c].width + (n_in > 0 ? 2 : 0);
            n_in++;
            last = c;
        }
    size_t over = width > page->width && !page->all ? width - page->width : 0;
    if (over > 0 && n_in > 1 && layouts[last].left && layouts[last].width >= over + LEAST) {
        layouts[last].width -= over;
        layouts[last].is_cut = page->cuts = true;
        return;
    }
    for (size_t c = n; c-- > 0 && width > page->width && n_in > 1 && !page->all;)
        if (!layouts[c].is_out) {
            layouts[c].is_out = true;
            width -= layouts[c].width + 2;
            n_in--;
            page->n_columns_out++;
        }
}

static void print_row(const struct block *block, const struct layout *layouts, size_t at,
                      size_t last, struct page *page)
{
    bool first = true;
    for (size_t c = 0; c <= last; c++) {
        char text[CT_TABLE_CELL_MAX];
        if (layouts[c].is_out)
            continue;
        if (at == SIZE_MAX)
            format_heading(&block->columns[c], text, sizeof text);
        else
            format_cell(&block->cells[at + c], block->columns[c].unit, decimals_at(block, at + c),
                        text, sizeof text);
        if (layouts[c].is_cut)
            cut_text(text, layouts[c].width);
        print_padded(text, layouts[c], first, c == last, page->out);
        first = false;
    }
    fputc('\n', page->out);
}

/* Nothing without memory. */
static void print_table(const struct block *block, struct page *page)
{
    size_t last = 0, n_cells = n_cells_shown(block, page);
    struct layout *layouts = calloc(block->n_columns + 1, sizeof *layouts);
    if (!layouts)
        return;
    for (size_t c = 0; c < block->n_columns; c++)
        if (is_headed(&block->columns[c], block->cells + c, block->n_cells - c, block->n_columns))
            layouts[c] = layout_of(block, c, n_cells);
        else
            layouts[c].is_out = true;
    fit_columns(layouts, block->n_columns, page);
    for (size_t c = 0; c < block->n_columns; c++)
        last = layouts[c].is_out ? last : c;
    if (block->title) {
        fputc('\n', page->out);
        ct_text_wrap(block->title, 0, 0, page->width, page->out);
    }
    print_row(block, layouts, SIZE_MAX, last, page);
    for (size_t i = 0; i < n_cells; i += block->n_columns)
        print_row(block, layouts, i, last, page);
    free(layouts);
}

/* Of a value in the paragraph; the others, and files, have it whole. */
enum { VALUE_SHOWN = 240 };

/* The tool and the parameters that were given, as a paragraph; every one on a line with --verbose.
 */
static void print_header(const struct ct_tables *tables, const struct page *page)
{
    char *text = NULL, *lines = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return;
    fprintf(out, "%s v%s", tables->program, CT_VERSION);
    for (size_t b = 0; b < tables->n_blocks; b++) {
        const struct block *block = &tables->blocks[b];
        bool is_shown = !tables->has_view || tables->verbose ||
                        !(block->is_silent || (block->is_detail && !page->all));
        if (block->kind != BLOCK_PROVENANCE || !is_shown)
            continue;
        const char *value = block->cells[1].text;
        bool is_cut = tables->has_view && !tables->verbose && strlen(value) > VALUE_SHOWN;
        fprintf(out, "%s%s: %.*s%s", tables->has_view && !tables->verbose ? "; " : "\n",
                block->cells[0].text, is_cut ? VALUE_SHOWN : INT_MAX, value, is_cut ? "..." : "");
    }
    fclose(out);
    out = text ? open_memstream(&lines, &size) : NULL;
    if (out) {
        ct_text_wrap(text, 0, 0, page->width - 2, out);
        fclose(out);
    }
    char *rest = lines;
    for (char *line; rest && (line = strsep(&rest, "\n")) && rest;)
        fprintf(page->out, "# %s\n", line);
    free(lines);
    free(text);
}

/* Beside that of the part. */
static bool has_heading(const struct block *block)
{
    for (size_t c = block->has_parts ? 1 : 0; c < block->n_columns; c++)
        if (is_headed(&block->columns[c], block->cells + c, block->n_cells - c, block->n_columns))
            return true;
    return false;
}

static bool is_shown(const struct ct_tables *tables, const struct block *block,
                     const struct page *page)
{
    if (block->is_detail && !page->all)
        return false;
    if (block->kind == BLOCK_SCALAR)
        return is_headed(&block->column, block->cells, 1, 1);
    if (block->kind == BLOCK_TABLE)
        return block->n_cells > 0 && has_heading(block);
    return block->kind == BLOCK_NOTE && !tables->quiet;
}

/* The interval of a value, two scalars that follow it, is on its line. */
static bool has_interval_after(const struct ct_tables *tables, size_t b)
{
    const struct block *block = &tables->blocks[b];
    return b + 2 < tables->n_blocks && block[1].kind == BLOCK_SCALAR &&
           block[2].kind == BLOCK_SCALAR && is_headed(&block[1].column, block[1].cells, 1, 1) &&
           is_interval(&block[1].column, &block[2].column) &&
           !is_interval(&block[0].column, &block[1].column);
}

static void print_scalar(const struct ct_tables *tables, size_t b, size_t width,
                         const struct page *page)
{
    char text[CT_TABLE_CELL_MAX], lo[CT_TABLE_CELL_MAX], hi[CT_TABLE_CELL_MAX];
    const struct block *block = &tables->blocks[b];
    const enum ct_unit unit = block->column.unit;
    bool has_interval = has_interval_after(tables, b);
    int decimals = has_interval ? decimals_of(&block[1].cells[0], &block[2].cells[0], unit) : -1;
    format_heading(&block->column, text, sizeof text);
    fprintf(page->out, "%s%*s  ", text, (int)(width - ct_text_columns(text)), "");
    format_cell(&block->cells[0], unit, decimals, text, sizeof text);
    if (block->cells[0].is_text) {
        ct_text_wrap(text, width + 2, width + 2, page->width, page->out);
        return;
    }
    fputs(text, page->out);
    if (has_interval) {
        format_cell(&block[1].cells[0], unit, decimals, lo, sizeof lo);
        format_cell(&block[2].cells[0], unit, decimals, hi, sizeof hi);
        fprintf(page->out, " (%s to %s)", lo, hi);
    }
    fputc('\n', page->out);
}

static size_t width_of_scalars(const struct ct_tables *tables, const struct page *page)
{
    char heading[CT_TABLE_CELL_MAX];
    size_t width = 0;
    for (size_t b = 0; b < tables->n_blocks; b++) {
        const struct block *block = &tables->blocks[b];
        if (block->kind != BLOCK_SCALAR || !is_shown(tables, block, page))
            continue;
        format_heading(&block->column, heading, sizeof heading);
        size_t columns = ct_text_columns(heading);
        width = columns > width ? columns : width;
        b += has_interval_after(tables, b) ? 2 : 0;
    }
    return width;
}

static void print_page(const struct ct_tables *tables, struct page *page)
{
    size_t width = width_of_scalars(tables, page);
    if (!tables->quiet)
        print_header(tables, page);
    for (size_t b = 0; b < tables->n_blocks; b++) {
        const struct block *block = &tables->blocks[b];
        if (!is_shown(tables, block, page))
            continue;
        if (block->kind == BLOCK_NOTE)
            ct_text_wrap(block->cells[0].text, 0, 0, page->width, page->out);
        else if (block->kind == BLOCK_TABLE) {
            if (page->n_tables_seen++ < page->n_tables)
                print_table(block, page);
        } else {
            print_scalar(tables, b, width, page);
            b += has_interval_after(tables, b) ? 2 : 0;
        }
    }
}

/* With its comma. */
static void print_count(const char *what, size_t n, bool *is_first, FILE *out)
{
    if (n > 0) {
        fprintf(out, "%s%zu %s%s", *is_first ? "" : ", ", n, what, n == 1 ? "" : "s");
        *is_first = false;
    }
}

static void print_left_out(const struct ct_tables *tables, const struct page *page, size_t n_lines)
{
    size_t n_remarks = 0;
    bool is_first = true;
    for (size_t b = 0; b < tables->n_blocks && !page->all; b++)
        n_remarks += tables->blocks[b].kind == BLOCK_NOTE && tables->blocks[b].is_detail;
    print_count("more line", n_lines, &is_first, page->out);
    print_count("remark", n_remarks, &is_first, page->out);
    print_count("more column", page->n_columns_out, &is_first, page->out);
    if (page->cuts)
        fprintf(page->out, "%swhole texts", is_first ? "" : ", ");
    if (page->cuts || !is_first)
        fputs(": --all\n", page->out);
}

/* What was left out, then the answer, which is the end. */
static void print_end(const struct ct_tables *tables, const struct page *page, size_t n_out)
{
    if (!tables->quiet)
        print_left_out(tables, page, n_out);
    for (size_t b = 0; b < tables->n_blocks; b++)
        if (tables->blocks[b].kind == BLOCK_ANSWER)
            ct_text_wrap(tables->blocks[b].cells[0].text, 0, 0, page->width, page->out);
}

/*
 * As a string, free(); NULL: out of memory.
 * @param n_all  [in,out] lines of what can be shown, without the end; 0: this is all
 */
static char *draw_page(const struct ct_tables *tables, struct page *page, size_t *n_all,
                       size_t *n_lines_p)
{
    char *text = NULL;
    size_t size, n = 0;
    page->n_columns_out = page->n_tables_seen = 0;
    page->cuts = false;
    page->out = open_memstream(&text, &size);
    if (!page->out)
        return NULL;
    print_page(tables, page);
    fflush(page->out);
    for (const char *p = text; p && *p; p++)
        n += *p == '\n' ? 1 : 0;
    *n_all = *n_all > 0 ? *n_all : n;
    print_end(tables, page, *n_all - n);
    fclose(page->out);
    *n_lines_p = 0;
    for (const char *p = text; p && *p; p++)
        *n_lines_p += *p == '\n' ? 1 : 0;
    return text;
}

void ct_tables_print_text(const struct ct_tables *tables, FILE *out)
{
    enum { LINES = 25, ROWS_LEAST = 3 };
    struct page page = {
        .width = ct_text_width(out), .rows = SIZE_MAX, .n_tables = SIZE_MAX, .all = true};
    size_t n_all = 0, n, rows = LINES, n_tables = tables->n_blocks;
    char *text = draw_page(tables, &page, &n_all, &n);
    bool fits = tables->all || !tables->has_view;
    /* Long tables lose rows, then the last tables are left out. */
    while (!fits && text) {
        free(text);
        page = (struct page){
            .width = page.width, .rows = tables->quiet ? SIZE_MAX : rows, .n_tables = n_tables};
        text = draw_page(tables, &page, &n_all, &n);
        fits = n <= LINES || tables->quiet || n_tables == 1;
        if (rows > ROWS_LEAST) {
            rows--;
            continue;
        }
        n_tables = page.n_tables_seen < n_tables ? page.n_tables_seen : n_tables;
        n_tables = n_tables > 1 ? n_tables - 1 : 1;
    }
    if (text)
        fputs(text, out);
    free(text);
}
