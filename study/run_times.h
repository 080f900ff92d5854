/**
 * Run times of the applications of a campaign, in seconds: as measured, and as their schedules have
 * them in simulations, alone and beside each other. A slowdown is the ratio of two run times, so
 * that an error that both have is not in it; here it is.
 */
#pragma once

#include "study/questions.h"
#include "study/schedules.h"

/** Time of a pass of one application. */
struct ct_run_time {
    size_t app;
    const struct ct_question *beside; /**< NULL: alone; borrowed */
    double measured_s;                /**< mean over all passes; NaN: not measured */
    double waited_frac;               /**< of it, ranks waited for processors; NaN: not known */
    double simulated_s;               /**< mean; NaN: not known */
};

/**
 * Run times of every application alone, then of the co-runs.
 * @param schedules  [in]  the time of a pass is that of a whole schedule: a schedule with more than
 *                         the timed pass takes longer
 * @param questions  [in]  measured; borrowed by the result
 * @param times_p    [out] [study's applications + questions->n]; free(); unchanged on error
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_run_times(const struct ct_study *study, const struct ct_schedules *schedules,
                            const struct ct_questions *questions, struct ct_run_time **times_p,
                            struct ct_error *err);

/** Relative error of a simulated run time, (simulated - measured) / measured; NaN: not known. */
double ct_run_time_error(const struct ct_run_time *time);

/** Relative errors of several run times. */
struct ct_run_time_errors {
    size_t n;            /**< with a known error; 0: the others are NaN */
    double mean_frac;    /**< with its sign: what all of them have in common */
    double rms_frac;     /**< sqrt(mean of squares) */
    double largest_frac; /**< of the absolute values */
};

/**
 * @param times     [in] [n] of ct_run_times()
 * @param together  [in] those of co-runs; else those alone
 */
struct ct_run_time_errors ct_run_time_errors(const struct ct_run_time *times, size_t n,
                                             bool together);
