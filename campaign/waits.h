/**
 * How long the programs of a run waited for processors: what crosstalk-watch wrote beside each
 * rank, read, added up, and put into the run file as facts.
 *
 * A rank is started as "crosstalk-watch PREFIX PROGRAM...", and has a file PREFIX.HOST.NUMBERS:
 *
 *     crosstalk-watch 1
 *     1234.567890 812345678 91234567         time of CLOCK_MONOTONIC, s; on a processor, ns;
 *     ...                                    runnable and waiting for one, ns
 *     end 1294.570012                        the rank has ended; missing if the watcher was killed
 *
 * A sample each 0.2 s. "none" in place of samples: this system does not count.
 */
#ifndef CT_CAMPAIGN_WAITS_H
#define CT_CAMPAIGN_WAITS_H

#include "campaign/folder_name.h"
#include "core/argv.h"

#include <stdbool.h>
#include <stddef.h>

/** Times of a program, of all of its ranks. */
struct ct_waits {
    double n_ranks;       /**< whose times are known */
    double wall_s;        /**< rank seconds: sum over the ranks of the time that was looked at */
    double used_s;        /**< of these on a processor; more than wall_s with several threads */
    double waited_s;      /**< runnable, and waiting for a processor; likewise */
    double wait_frac;     /**< mean of ct_waits_frac() over ranks, weighted by their time */
    double wait_max_frac; /**< the largest of them */
};

/**
 * Share of a rank's time that its threads waited for a processor, in the mean over the threads that
 * had something to do at a time:
 *     waited / max(wall, used + waited)
 * With one thread that is waited / wall. Several threads that are busy all the time make used +
 * waited a multiple of wall.
 * @return 0 to 1; NaN with wall 0
 */
double ct_waits_frac(double wall_s, double used_s, double waited_s);

/**
 * Times of one rank.
 * @param text      [in]  content of its file; a last line that is cut off is ignored
 * @param window_s  [in]  look at the last so many seconds of it only, > 0; INFINITY: at all of it
 * @param waits_p   [out] with n_ranks = 1; unchanged on error
 * @return CT_OK; CT_EUNSUPPORTED (its system does not count); CT_ENODATA (it was too short to be
 *         seen twice); CT_EFORMAT
 */
enum ct_status ct_waits_of_rank(const char *text, double window_s, struct ct_waits *waits_p,
                                struct ct_error *err);

/** Add those of further ranks. */
void ct_waits_add(struct ct_waits *sum, const struct ct_waits *more);

/** A program of a run. */
struct ct_waits_program {
    const char *name; /**< "measured", "background", "background2"...; borrowed */
    size_t n_starts;  /**< how often it was started */
    bool is_timer; /**< it wrote the run file: looked at is the time at its end that is as long as
                        what it measured, since to start takes processors, too */
};

/**
 * Put words before a program so that its ranks are watched.
 * @param folder  [in]     for their files
 * @param name    [in]     of the program, as in struct ct_waits_program
 * @param argv    [in,out] command line of the program
 * @return CT_OK; CT_ENOENT (crosstalk-watch is not there; argv is unchanged); CT_ENOMEM
 */
enum ct_status ct_waits_command(const char *folder, const char *name, struct ct_argv *argv,
                                struct ct_error *err);

/**
 * Put what the files of a folder say into a run file. Facts of each program, see docs/campaigns.md:
 * cpu_NAME_ranks, cpu_NAME_wall_s, cpu_NAME_used_s, cpu_NAME_wait_s, cpu_NAME_wait_frac and
 * cpu_NAME_wait_max_frac; where nothing is known cpu_NAME_unknown, the reason.
 * @param path  [in] run file; replaced as a whole
 * @return CT_OK; CT_EIO; CT_ENOMEM
 */
enum ct_status ct_waits_keep(const char *folder, const struct ct_waits_program *programs, size_t n,
                             const char *path, struct ct_error *err);

#endif
