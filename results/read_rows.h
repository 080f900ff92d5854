/**
 * Reads the rows of a dataset, whatever numeric types and order of fields the file has. Internal to
 * results.
 */
#pragma once

#include "results/schema.h"

/** Some programs, MATLAB among them, write a list as a table with one row or one column. */
enum { CT_ROWS_RANK_MAX = 2 };

struct ct_rows_shape {
    int rank, along; /**< number of dimensions, and the index of that of the rows; the other one has
                        extent 1 */
    hsize_t n;       /**< rows */
};

/** @return false: not one list of rows */
bool ct_rows_shape_of(hid_t dataset, struct ct_rows_shape *shape_p);

/**
 * Check that the fields of a type in a file can be converted to those of the dataset. The file may
 * have them in any order and others besides, numbers of any type, and texts of any kind.
 * @return CT_OK; CT_EFORMAT
 */
enum ct_status ct_rows_check_fields(hid_t type, const struct ct_dataset *dataset,
                                    struct ct_error *err);

/**
 * @param n_pairs  [in]  of the run, which samples refer to
 * @param rows     [out] [shape->n]; NULL: read only what can crash HDF5, and discard it
 * @return CT_OK; CT_EFORMAT (damaged; a number that its field cannot hold, a text that is too long,
 *         a value that breaks the field's rule); CT_ENOMEM
 */
enum ct_status ct_rows_read(hid_t id, const struct ct_dataset *dataset,
                            const struct ct_rows_shape *shape, size_t n_pairs, char *rows,
                            struct ct_error *err);
