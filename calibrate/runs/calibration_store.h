/**
 * Simulations of a calibration in a file beside its result, each appended as soon as it is made, so
 * that a calibration that was interrupted continues, and one with more points or another likelihood
 * makes new simulations only.
 *
 * A simulation is found by a hash of 128 bits of all its inputs. The file is OUTPUT.simulations; it
 * is of one machine and one build. If it is of another one, or damaged, it is begun anew, or
 * continued after its last intact entry. It may be removed at any time.
 */
#pragma once

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CT_CALIBRATION_STORE_SUFFIX ".simulations"

struct ct_calibration_store;

/**
 * Open the file of a result, or create it.
 * @param output    [in]  path of the result
 * @param n_values  [in]  of a simulation, >= 1
 * @param store_p   [out] ct_calibration_store_close(); unchanged on error
 * @return CT_OK; CT_EIO (it cannot be written); CT_ENOMEM
 */
enum ct_status ct_calibration_store_open(const char *output, size_t n_values,
                                         struct ct_calibration_store **store_p,
                                         struct ct_error *err);
void ct_calibration_store_close(struct ct_calibration_store *store);

/** @param values  [out] n_values; unchanged if there is none @return whether there is one */
bool ct_calibration_store_find(const struct ct_calibration_store *store, const uint64_t key[2],
                               double *values);

/**
 * Append a simulation to the file. Not for two threads at the same time;
 * ct_calibration_store_find() does not find it.
 * @return CT_OK; CT_EIO
 */
enum ct_status ct_calibration_store_add(struct ct_calibration_store *store, const uint64_t key[2],
                                        const double *values, struct ct_error *err);

/**
 * Entries of a file's bytes, for tests: how many are intact, from the first on.
 * @param bytes  [in] n of them
 * @return 0 also where the file is of another build or for another number of values
 */
size_t ct_calibration_store_count(const unsigned char *bytes, size_t n, size_t n_values);
