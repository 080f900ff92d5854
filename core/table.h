/**
 * The result of a command on standard output, as a table, CSV or JSON. Values are given once, in
 * seconds, bytes and fractions. JSON and CSV have these units; the table has microseconds and
 * percent, with the unit in the heading.
 *
 * Texts and columns are copied. Keys are paths into the JSON document: "predicted.queue" is a
 * member of an object, two columns with the key "measured_ci[]" make an array of two, and a table
 * with the key "errors{}" becomes an object whose members are named by the first column. NaN
 * becomes null in JSON, "-" in the table, an empty field in CSV; an infinite value null in JSON,
 * "inf" elsewhere.
 *
 * An empty table is in files only. The text is as wide as the terminal (100 columns elsewhere) and
 * has at most 25 lines: notes are broken, a last column of texts is cut or columns are left out
 * from the right on, and the longest tables lose their last rows. A line says how much that is;
 * --all shows it. A value whose interval is beside it, two values with one key "...[]", has the
 * digits that the interval allows. -q: values and tables only.
 */
#pragma once

#include "core/option.h"

#include <stdio.h>

enum ct_format { CT_FORMAT_TABLE, CT_FORMAT_CSV, CT_FORMAT_JSON };

/**
 * Names of the formats for standard output, NULL-terminated, for an option row of type
 * CT_OPTION_CHOICE.
 */
extern const char *const ct_format_names[];

enum ct_unit {
    CT_UNIT_NONE,         /**< a number or a text without unit; whole ones without decimals */
    CT_UNIT_COUNT,        /**< whole number */
    CT_UNIT_SECONDS,      /**< latencies: the table shows us */
    CT_UNIT_LONG_SECONDS, /**< run times: the table shows s */
    CT_UNIT_FRACTION,     /**< the table shows % */
    CT_UNIT_BYTES,
    CT_UNIT_BYTES_PER_S, /**< the table shows MB/s */
    CT_UNIT_BIT_PER_S,   /**< the table shows Mbit/s */
    CT_UNIT_PER_S,
    CT_UNIT_SECONDS2 /**< variances: the table shows us^2 */
};

struct ct_column {
    const char *key;     /**< JSON path and CSV heading */
    const char *heading; /**< of the table, without the unit; NULL: not shown in the table; a table
                            of such columns is in files only; CT_IF_KNOWN before it: shown unless
                            all of its values are NaN */
    enum ct_unit unit;
};
#define CT_IF_KNOWN "?"

struct ct_tables;

/** Decimals of a value whose interval is so wide, > 0: two digits of the width; 0 to 9. */
int ct_interval_decimals(double width);

/**
 * @param program  [in] "impactb"; borrowed
 * @return NULL when out of memory: everything below takes it, and ct_tables_print() and
 *         ct_tables_finish() say so. Free with ct_tables_free() or ct_tables_finish()
 */
struct ct_tables *ct_tables_new(const char *program, enum ct_format format);
void ct_tables_free(struct ct_tables *tables);

/** Provenance: "# key: value" lines, or members of the JSON object "provenance". A key that is
 * already there takes the place of that line, as a file's parameter that of an option. */
void ct_tables_provenance(struct ct_tables *tables, const char *key, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/** Every option of a command as provenance; text has those that were given, with --verbose all, and
 * -q and --all of the command are those of the tables. */
void ct_tables_parameters(struct ct_tables *tables, const struct ct_command *command,
                          const void *values);

/** Show a parameter in the text although it was not given: the seed of random intervals. */
void ct_tables_show_parameter(struct ct_tables *tables, const char *key);

/** -q, --verbose and --all of the tables, for commands whose options are not their provenance. */
void ct_tables_view(struct ct_tables *tables, const struct ct_view *view);

/** Whether what is added from now on is shown in the text only with --all; files have it. */
void ct_tables_detail(struct ct_tables *tables, bool on);

/** Add a sentence of the answer, which is the end of the text whenever it is added; an element of
 * "answer" in JSON. */
void ct_tables_answer(struct ct_tables *tables, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/** Add a single value. */
void ct_tables_number(struct ct_tables *tables, struct ct_column column, double value);
void ct_tables_text(struct ct_tables *tables, struct ct_column column, const char *text);
#define CT_TABLES_NUMBER(tables_, key_, heading_, unit_, value_)                                   \
    ct_tables_number(tables_, (struct ct_column){key_, heading_, CT_UNIT_##unit_}, value_)
#define CT_TABLES_TEXT(tables_, key_, heading_, text_)                                             \
    ct_tables_text(tables_, (struct ct_column){key_, heading_, CT_UNIT_NONE}, text_)

/** Several values. */
struct ct_value {
    struct ct_column column;
    double value;
};
void ct_tables_numbers(struct ct_tables *tables, const struct ct_value *values, size_t n);
#define CT_TABLES_NUMBERS(tables_, values_)                                                        \
    ct_tables_numbers(tables_, values_, sizeof(values_) / sizeof *(values_))

/** Add a remark: a line of its own in the table, an element of "notes" in JSON. */
void ct_tables_note(struct ct_tables *tables, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/**
 * Begin a table. The cells that are added next fill it row by row.
 * @param key    [in] path of the array (or "name{}" object) in JSON; NULL: the table is not in
 * files
 * @param title  [in] line above the table; NULL: none
 */
void ct_tables_begin(struct ct_tables *tables, const char *key, const char *title,
                     const struct ct_column *columns, size_t n_columns);
#define CT_TABLES_BEGIN(tables_, key_, title_, columns_)                                           \
    ct_tables_begin(tables_, key_, title_, columns_, sizeof(columns_) / sizeof *(columns_))

/** Add a column to the table that was begun, before its first cell. */
void ct_tables_column(struct ct_tables *tables, struct ct_column column);

/**
 * From now on everything belongs to a part, such as one of several placements. Tables get a first
 * column that names the part; one with the key of a table of a part before continues it, and must
 * have the same columns. In JSON an object has a member for each part. The name is put before
 * notes, and after the keys of provenance ("runs_disjoint").
 * @param column  [in] of the name
 * @param text    [in] name of the part
 */
void ct_tables_part(struct ct_tables *tables, struct ct_column column, const char *text);

/** From now on nothing belongs to a part. */
void ct_tables_part_end(struct ct_tables *tables);

void ct_tables_cell_number(struct ct_tables *tables, double value);
void ct_tables_cell_numbers(struct ct_tables *tables, const double *values, size_t n);
#define CT_CELL_NUMBERS(tables_, ...)                                                              \
    ct_tables_cell_numbers(tables_, (const double[]){__VA_ARGS__},                                 \
                           sizeof((const double[]){__VA_ARGS__}) / sizeof(double))
void ct_tables_cell_text(struct ct_tables *tables, const char *text);
/** A cell of texts that are separated by ", ": with the key "names[]" an array in JSON; "": none.
 */
void ct_tables_cell_list(struct ct_tables *tables, const char *text);

/**
 * Print everything; on CT_ENOMEM and CT_EINVAL nothing is printed.
 * @return CT_OK; CT_ENOMEM (in this or an earlier call); CT_EINVAL (the last row is not complete);
 *         CT_EIO
 */
enum ct_status ct_tables_print(struct ct_tables *tables, FILE *out, struct ct_error *err);

/** Print on standard output, and free. */
enum ct_status ct_tables_finish(struct ct_tables *tables, struct ct_error *err);
