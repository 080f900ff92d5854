/** The curve in a logp run. */
#ifndef CT_STUDY_LOGP_POINTS_H
#define CT_STUDY_LOGP_POINTS_H

#include "model/loggp/curve.h"
#include "results/run.h"

/**
 * Rows of the fast method in the direction of the first row, by size.
 * @param run       [in]  of kind logp
 * @param points_p  [out] owned by the caller, free(); NULL: out of memory
 * @return number of sizes
 */
size_t ct_logp_points(const struct ct_run *run, struct ct_loggp_point **points_p);

/** The least relative error that the run was to believe of a value. */
double ct_logp_epsilon(const struct ct_run_info *info);

#endif
