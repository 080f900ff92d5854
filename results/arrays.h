/**
 * Files of named arrays of numbers, for results that are no runs, such as the posterior of a
 * calibration. HDF5 like run files: attributes `schema` and `kind`, and facts of any number;
 * datasets of 64-bit floats, or of names, each with the attribute `about`, which says what it holds
 * and in which units. Written under a temporary name, flushed, renamed.
 */
#pragma once

#include "results/run.h"

enum { CT_ARRAY_DIMS_MAX = 3 };

/** An array; of names, values is NULL. Owned by its file. */
struct ct_array {
    char *path; /**< "design/points": in a group, or "names" */
    char *about;
    size_t n_dims, dims[CT_ARRAY_DIMS_MAX];
    double *values;             /**< row-major */
    char (*names)[CT_HOST_MAX]; /**< [dims[0]]: NUL-terminated, of at most CT_HOST_MAX - 1 bytes */
};

/** A file in memory; {0} is empty. */
struct ct_arrays {
    struct ct_run_info info; /**< its facts, by ct_run_add_text() and ct_run_add_number() */
    struct ct_array *arrays; /**< n */
    size_t n;
};

void ct_arrays_free(struct ct_arrays *file);

/**
 * Add an array.
 * @param dims    [in] n_dims, 1 .. CT_ARRAY_DIMS_MAX; > 0
 * @param values  [in] copied
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_arrays_add(struct ct_arrays *file, const char *path, const char *about,
                             const size_t *dims, size_t n_dims, const double *values,
                             struct ct_error *err);

/** Add names. @param names [in] n > 0; copied; longer ones are cut */
enum ct_status ct_arrays_add_names(struct ct_arrays *file, const char *path, const char *about,
                                   const char *const *names, size_t n, struct ct_error *err);

/** @param kind  [in] "posterior" @return CT_OK; CT_EIO; CT_ENOMEM */
enum ct_status ct_arrays_write(const char *path, const char *kind, const struct ct_arrays *file,
                               struct ct_error *err);

/** Whether a file is HDF5, by its first bytes. */
bool ct_arrays_is_hdf5(const char *path);

/**
 * Read a file. Facts that are attributes of run files (`tool`, `argv`, ..) are not read, nor are
 * other datasets than those that this header writes.
 * @param file_p  [out] ct_arrays_free(); unchanged on error
 * @return CT_OK; CT_ENOENT; CT_EFORMAT (no HDF5 file, damaged, another kind, too large); CT_ENOMEM
 */
enum ct_status ct_arrays_read(const char *path, const char *kind, struct ct_arrays *file_p,
                              struct ct_error *err);

/**
 * An array of a known form.
 * @param dims     [in]  n_dims; 0: any number of elements
 * @param array_p  [out] borrowed
 * @return CT_OK; CT_EFORMAT (it is not there, or has another form), naming it
 */
enum ct_status ct_arrays_find(const struct ct_arrays *file, const char *path, const size_t *dims,
                              size_t n_dims, const struct ct_array **array_p, struct ct_error *err);
