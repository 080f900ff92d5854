/**
 * Datasets of a run as tables: what fields a row has, where they are in memory, what values they
 * may hold. Writing, reading, checking and exporting all go by the same rows. Neither MPI nor HDF5.
 */
#ifndef CT_RESULTS_DATASET_H
#define CT_RESULTS_DATASET_H

#include "results/run.h"

/** Type of a field, with its bytes in the file and its name in messages. */
#define CT_FIELD_TYPE_MAP(X)                                                                       \
    X(F64, 8, "a 64-bit float")                                                                    \
    X(U64, 8, "an unsigned 64-bit integer")                                                        \
    X(U32, 4, "an unsigned 32-bit integer")                                                        \
    X(U8, 1, "an unsigned 8-bit integer")                                                          \
    X(HOST, CT_HOST_MAX, "a UTF-8 text of 64 bytes")

enum ct_field_type {
#define CT_FIELD_TYPE_ENUM(name, bytes, text) CT_FIELD_##name,
    CT_FIELD_TYPE_MAP(CT_FIELD_TYPE_ENUM)
#undef CT_FIELD_TYPE_ENUM
};

/** What a value must be; anything else is refused on reading and on writing. */
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
    bool optional; /**< a file may lack it: numbers are then 0, times NaN */
};

struct ct_dataset {
    const char *name;      /**< in the file, without "/" */
    enum ct_run_kind kind; /**< of the runs that have it; all of those do */
    bool is_shared;        /**< ranks have a part each; otherwise it is rank 0's */
    const struct ct_field *fields;
    size_t n_fields;
    size_t row_bytes;    /**< in memory */
    size_t packed_bytes; /**< in the file: fields one after the other, without gaps */
    size_t rows_offset;  /**< of the pointer in struct ct_run */
    size_t count_offset; /**< of the number of rows in struct ct_run */
    bool optional;       /**< a file may lack it: no rows then */
};

enum { CT_N_DATASETS = 7 };

/** All datasets. The first one of a kind is the one that the run is made for. */
extern const struct ct_dataset ct_datasets[CT_N_DATASETS];

/** By its name in files; NULL: there is none. */
const struct ct_dataset *ct_dataset_find(const char *name);
/** The one that runs of a kind are made for. */
const struct ct_dataset *ct_dataset_main(enum ct_run_kind kind);

const char *ct_field_type_text(enum ct_field_type type);
size_t ct_field_bytes(enum ct_field_type type);

/** Rows and their number in a run. Borrowed; NULL where there are none. */
const void *ct_dataset_rows(const struct ct_dataset *dataset, const struct ct_run *run);
size_t ct_dataset_count(const struct ct_dataset *dataset, const struct ct_run *run);

/** Hand rows (malloc) over to a run. */
void ct_dataset_set(const struct ct_dataset *dataset, struct ct_run *run, void *rows, size_t n);

/** Packed rows as they are where a file has none of the fields: 0, optional times NaN. */
void ct_dataset_blank(const struct ct_dataset *dataset, size_t n, void *packed);

/** Put n rows from memory into their packed form, native byte order, and back. */
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

/** All of the run's datasets at once; also refuses rows that the kind does not have (CT_EINVAL). */
enum ct_status ct_run_check(const struct ct_run *run, enum ct_run_kind kind, size_t n_pairs,
                            struct ct_error *err);

#endif
