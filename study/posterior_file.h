/**
 * Posterior files: all of a calibration in one HDF5 file (results/arrays.h, kind `posterior`), and
 * what others need of it. docs/calibrate.md lists the datasets.
 */
#ifndef CT_STUDY_POSTERIOR_FILE_H
#define CT_STUDY_POSTERIOR_FILE_H

#include "results/run.h"
#include "study/calibration.h"

/**
 * Write the result of a calibration.
 * @param about  [in] its facts become attributes of the file; borrowed
 * @return CT_OK; CT_EIO; CT_ENOMEM
 */
enum ct_status ct_posterior_file_write(const struct ct_calibration_request *request,
                                       const struct ct_calibration_answer *answer,
                                       const struct ct_run_info *about, struct ct_error *err);

/** Parameters with their uncertainty; ct_posterior_draws_free(). */
struct ct_posterior_draws {
    struct ct_unknowns unknowns;       /**< fixed values and priors */
    double most_likely[CT_STACK_KEYS]; /**< [unknowns.n] */
    double *draws;                     /**< [draw * unknowns.n + parameter] */
    size_t n;                          /**< draws: those of all chains */
};

/**
 * Read parameters.
 * @param draws_p  [out] unchanged on error
 * @return what ct_arrays_read() returns; CT_EFORMAT (values that parameters cannot have)
 */
enum ct_status ct_posterior_draws_read(const char *path, struct ct_posterior_draws *draws_p,
                                       struct ct_error *err);
void ct_posterior_draws_free(struct ct_posterior_draws *draws);

/** Draw i of n that are spread evenly over all draws of a posterior. */
struct ct_stack_parameters ct_posterior_draw(const struct ct_posterior_draws *draws, size_t i,
                                             size_t n);

#endif
