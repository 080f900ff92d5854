/** What core/table.c collects, for the printers of its formats. */
#pragma once

#include "core/argv.h"
#include "core/table.h"

#include <stdbool.h>

struct cell {
    bool is_text;
    bool is_list; /* a text of several */
    double number;
    char *text;
};

/* Provenance, scalars and notes are blocks with cells of their own; so is a table. */
enum block_kind { BLOCK_PROVENANCE, BLOCK_SCALAR, BLOCK_NOTE, BLOCK_TABLE, BLOCK_ANSWER };

struct block {
    enum block_kind kind;
    const char *key; /* of a table */
    const char *title;
    struct ct_column column; /* of a scalar */
    struct ct_column *columns;
    size_t n_columns;
    bool has_parts; /* the first column names them */
    struct cell *cells;
    size_t n_cells, capacity;
    bool is_silent; /* a parameter that was not given */
    bool is_detail; /* shown with --all only */
};

struct ct_tables {
    const char *program;
    struct ct_argv texts; /* keys, headings and titles of all blocks */
    enum ct_format format;
    struct block *blocks;
    size_t n_blocks, capacity;
    size_t open;                        /* number of the table that cells go to, from 1; 0: none */
    bool is_continued;                  /* it was begun for a part before */
    struct ct_column part;              /* of the column that names the part */
    char *part_text;                    /* NULL: there are no parts */
    bool has_view, quiet, all, verbose; /* without has_view everything is shown */
    bool in_detail;                     /* what is added is a detail */
    bool out_of_memory;
};

enum { CT_TABLE_CELL_MAX = 1024 };

/** The form for people. */
void ct_tables_print_text(const struct ct_tables *tables, FILE *out);
