/**
 * Attempts at runs: one after the other, or several at once where runs do not disturb each other.
 * Of several each is made in a copy of this process, which writes the files of its run and nothing
 * else: the journal, the log and the plan belong to the caller.
 *
 *     while (there are runs || ct_jobs_n_open(jobs) > 0) {
 *         if (there are runs && !ct_jobs_full(jobs))
 *             ct_jobs_begin(jobs, run, &attempt, &err);
 *         else
 *             ct_jobs_next(jobs, &job);
 *     }
 */
#pragma once

#include "campaign/journal.h"
#include "campaign/launcher.h"

struct ct_jobs;

/** An attempt. */
struct ct_job {
    const struct ct_plan_run *run;
    struct ct_attempt attempt; /**< its line in the journal; duration_s once it has ended */
    enum ct_status status;     /**< as ct_attempt_make() returns it; CT_ECHILD too if the copy of
                                  this process ended otherwise */
    struct ct_error why;       /**< unless status is CT_OK */
};

/**
 * How many attempts are made at once.
 * @param asked  [in]  by the user; 0: as the campaign file says, or, where it does not, one for
 *                     each processor if runs are simulated, and one otherwise
 * @param n_p    [out] 1 to CT_PROCESSES_MAX
 * @return CT_OK; CT_EINVAL (several, where runs share a network or a machine)
 */
enum ct_status ct_jobs_number(const struct ct_campaign_spec *spec, uint64_t asked, size_t *n_p,
                              struct ct_error *err);

/**
 * @param launcher  [in] borrowed, as spec and folder; ct_jobs_number() allows n
 * @param folder    [in] path
 * @param n         [in] attempts at once at most, 1 to CT_PROCESSES_MAX; 1: in this process
 * @return NULL: out of memory; ct_jobs_free() is due
 */
struct ct_jobs *ct_jobs_new(const struct ct_campaign_spec *spec, struct ct_launcher *launcher,
                            const char *folder, size_t n);

/** Those that are under way are killed. */
void ct_jobs_free(struct ct_jobs *jobs);

/** Attempts that were begun, and that ct_jobs_next() has not returned. */
size_t ct_jobs_n_open(const struct ct_jobs *jobs);
/** No further one can be begun before ct_jobs_next(). */
bool ct_jobs_full(const struct ct_jobs *jobs);

/**
 * Begin an attempt; not when ct_jobs_full().
 * @param run  [in] borrowed until ct_jobs_next() has returned it
 * @return CT_OK; CT_EIO (there can be no further process)
 */
enum ct_status ct_jobs_begin(struct ct_jobs *jobs, const struct ct_plan_run *run,
                             const struct ct_attempt *attempt, struct ct_error *err);

/**
 * Wait until an attempt has ended. When a signal is caught, all are asked to end; each of them then
 * comes with CT_EINTR, or with what it had come to.
 * @param job_p  [out]
 * @return false: none is open
 */
bool ct_jobs_next(struct ct_jobs *jobs, struct ct_job *job_p);

/** Ask all that are under way to end, as by a signal; ct_jobs_next() is due for each. */
void ct_jobs_stop(struct ct_jobs *jobs);
