/** Rows of a dataset into memory, in whatever form the file has them. Internal to results. */
#ifndef CT_RESULTS_READ_ROWS_H
#define CT_RESULTS_READ_ROWS_H

#include "results/schema.h"

/** Some programs, MATLAB among them, write a list as a table with one row or one column. */
enum { CT_ROWS_RANK_MAX = 2 };

struct ct_rows_shape {
    int rank, along; /**< dimensions, and that of the rows: the others have extent 1 */
    hsize_t n;       /**< rows */
};

/** @return false: not one list of rows */
bool ct_rows_shape_of(hid_t dataset, struct ct_rows_shape *shape_p);

/** Whether the fields of a type in a file can become those of the dataset: any order, others beside
 *  them, numbers of any type, texts of any kind. @return CT_OK; CT_EFORMAT */
enum ct_status ct_rows_check_fields(hid_t type, const struct ct_dataset *dataset,
                                    struct ct_error *err);

/**
 * @param n_pairs  [in]  of the run, which samples refer to
 * @param rows     [out] [shape->n]; NULL: what can crash HDF5 is gone through, and given up
 * @return CT_OK; CT_EFORMAT (damaged; a number that its field cannot hold, a text that is too long,
 * a value against the field's rule); CT_ENOMEM
 */
enum ct_status ct_rows_read(hid_t id, const struct ct_dataset *dataset,
                            const struct ct_rows_shape *shape, size_t n_pairs, char *rows,
                            struct ct_error *err);

#endif
