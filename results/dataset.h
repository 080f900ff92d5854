/**
 * The datasets of a run, described by tables: the fields of a row, their places in memory, and
 * their ranges. Writing, reading, checking and exporting use these tables. Neither MPI nor HDF5.
 */
#pragma once

#include "results/run.h"

/** Type of a field, with its bytes in the file. */
#define CT_FIELD_TYPE_MAP(X)                                                                       \
    X(F64, 8)                                                                                      \
    X(U64, 8)                                                                                      \
    X(U32, 4)                                                                                      \
    X(U8, 1)                                                                                       \
    X(HOST, CT_HOST_MAX) /* UTF-8 */

enum ct_field_type {
#define CT_FIELD_TYPE_ENUM(name, bytes) CT_FIELD_##name,
    CT_FIELD_TYPE_MAP(CT_FIELD_TYPE_ENUM)
#undef CT_FIELD_TYPE_ENUM
};

/** Values that a field may have; others are refused on reading and on writing. */
enum ct_field_rule {
    CT_RULE_ANY,
    CT_RULE_FINITE,       /**< F64 */
    CT_RULE_NOT_NEGATIVE, /**< F64: finite and >= 0 */
    CT_RULE_FLAG,         /**< U8: 0 or 1 */
    CT_RULE_PAIR          /**< U32: a row of pairs */
};

struct ct_field {
    const char *name; /**< in the file */
    enum ct_field_type type;
    enum ct_field_rule rule;
    size_t offset; /**< in the row in memory */
    bool optional; /**< a file may lack it: integers are then 0, times NaN */
};

struct ct_dataset {
    const char *name;      /**< in the file, without "/" */
    enum ct_run_kind kind; /**< all runs of this kind have it, and no others */
    bool is_shared;        /**< every rank has a part of it; false: rank 0 has all of it */
    const struct ct_field *fields;
    size_t n_fields;
    size_t row_bytes;    /**< in memory */
    size_t packed_bytes; /**< in the file: fields one after the other, without gaps */
    size_t rows_offset;  /**< of the pointer in struct ct_run */
    size_t count_offset; /**< of the number of rows in struct ct_run */
    bool optional;       /**< a file may lack it: no rows then */
};

enum { CT_N_DATASETS = 9 };

/** All datasets. The first one of each kind is that of ct_dataset_main(). */
extern const struct ct_dataset ct_datasets[CT_N_DATASETS];

/** By its name in files; NULL: there is none. */
const struct ct_dataset *ct_dataset_find(const char *name);
/** The main dataset of a kind: the measurements, such as the samples of a probe run. */
const struct ct_dataset *ct_dataset_main(enum ct_run_kind kind);

size_t ct_field_bytes(enum ct_field_type type);

/** Rows of a run, borrowed (NULL: none), and their number. */
const void *ct_dataset_rows(const struct ct_dataset *dataset, const struct ct_run *run);
size_t ct_dataset_count(const struct ct_dataset *dataset, const struct ct_run *run);

/**
 * Set the rows of a run.
 * @param rows  [in] from malloc(); the run owns them from now on
 */
void ct_dataset_set(const struct ct_dataset *dataset, struct ct_run *run, void *rows, size_t n);

/** Fill packed rows with the values of fields that a file lacks: 0, and NaN for optional times. */
void ct_dataset_blank(const struct ct_dataset *dataset, size_t n, void *packed);

/** Convert n rows from memory to their packed form, native byte order, and back. */
void ct_dataset_pack(const struct ct_dataset *dataset, const void *rows, size_t n, void *packed);
void ct_dataset_unpack(const struct ct_dataset *dataset, const void *packed, size_t n, void *rows);

/**
 * Check rows against the rules of their fields.
 * @param first    [in] number of the first of these rows, for the message
 * @param n_pairs  [in] rows of the dataset pairs
 * @param fault    [in] status for a value that breaks its rule
 * @return CT_OK; fault, with a message that names dataset, row, field and value
 */
enum ct_status ct_dataset_check(const struct ct_dataset *dataset, const void *rows, size_t n,
                                size_t first, size_t n_pairs, enum ct_status fault,
                                struct ct_error *err);

/**
 * Check all datasets of a run before it is written.
 * @return CT_OK; CT_EINVAL (a value breaks its rule, or the kind has no such rows)
 */
enum ct_status ct_run_check(const struct ct_run *run, enum ct_run_kind kind, size_t n_pairs,
                            struct ct_error *err);
