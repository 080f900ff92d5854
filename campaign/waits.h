/**
 * How long the programs of a run waited for processors: reads the files that crosstalk-waits wrote
 * for each rank, adds up the times, and puts them into the run file as facts.
 *
 * A rank is started as "crosstalk-waits PREFIX PROGRAM...", and has a file PREFIX.HOST.NUMBERS:
 *
 *     crosstalk-waits 1
 *     1234.567890 812345678 91234567 94.31 0.55
 *     ...
 *     end 1294.570012                        the rank has ended; missing if the watcher was killed
 *
 * A sample each 0.2 s: time of CLOCK_MONOTONIC, s; time on a processor, ns; runnable and waiting
 * for one, ns; then, where /proc/stat has them, the times of all processors of the machine, s:
 * busy, and stolen. "none" in place of samples: the system does not count these times.
 */
#pragma once

#include "campaign/folder_name.h"
#include "core/argv.h"

#include <stdbool.h>
#include <stddef.h>

/** Times of a program, of all of its ranks. */
struct ct_waits {
    double n_ranks;       /**< whose times are known */
    double wall_s;        /**< rank seconds: sum over the ranks of the time that was sampled */
    double used_s;        /**< time on a processor; more than wall_s with several threads */
    double waited_s;      /**< time runnable and waiting for a processor; likewise */
    double wait_frac;     /**< mean of ct_waits_frac() over ranks, weighted by their time */
    double wait_max_frac; /**< the largest of them */
    double stolen_s;      /**< ct_waits_stolen(), summed likewise; NaN: of a rank not known */
    double
        stolen_frac; /**< mean over ranks of stolen_s as a share of their time, weighted likewise */
};

/**
 * Share of a rank's time in which its threads waited for a processor, as the mean over its busy
 * threads:
 *     waited / max(wall, used + waited)
 * With one thread this is waited / wall. Several threads that are busy all the time make used +
 * waited a multiple of wall.
 * @return 0 to 1; NaN with wall 0
 */
double ct_waits_frac(double wall_s, double used_s, double waited_s);

/**
 * Time that a machine's host took away from a rank, while it would have been on a processor:
 *     used * stolen / busy
 * with the times of all processors of the machine: the mean over all that ran there, since only the
 * host knows whose work it interrupted. Such time is part of neither used nor waited.
 * @return seconds; 0 where the machine ran nothing; NaN where a time is not known (NaN)
 */
double ct_waits_stolen(double used_s, double machine_busy_s, double machine_stolen_s);

/**
 * Times of one rank.
 * @param text      [in]  content of its file; a last line that is cut off is ignored
 * @param window_s  [in]  use the last window_s seconds only, > 0; INFINITY: all
 * @param waits_p   [out] with n_ranks = 1; unchanged on error
 * @return CT_OK; CT_EUNSUPPORTED (the system does not count these times); CT_ENODATA (fewer than
 *         two samples); CT_EFORMAT
 */
enum ct_status ct_waits_of_rank(const char *text, double window_s, struct ct_waits *waits_p,
                                struct ct_error *err);

/** Add the times of further ranks. */
void ct_waits_add(struct ct_waits *sum, const struct ct_waits *more);

/** A program of a run. */
struct ct_waits_program {
    const char *name; /**< "measured", "background", "background2"...; borrowed */
    size_t n_starts;  /**< how often it was started */
    bool is_timer;    /**< it wrote the run file: only the last part of its time, as long as the
                         measurement, is used, since starting uses processors too */
};

/**
 * Put crosstalk-waits before a program in its command line.
 * @param folder  [in]     for their files
 * @param name    [in]     of the program, as in struct ct_waits_program
 * @param argv    [in,out] command line of the program
 * @return CT_OK; CT_ENOENT (crosstalk-waits was not found; argv is unchanged); CT_ENOMEM
 */
enum ct_status ct_waits_command(const char *folder, const char *name, struct ct_argv *argv,
                                struct ct_error *err);

/**
 * Add the times in the files of a folder to a run file. Facts of each program, see
 * docs/campaigns.md: cpu_NAME_ranks, cpu_NAME_wall_s, cpu_NAME_used_s, cpu_NAME_wait_s,
 * cpu_NAME_wait_frac, cpu_NAME_wait_max_frac and, where /proc/stat is readable, cpu_NAME_stolen_s
 * and cpu_NAME_stolen_frac; or, if the times are not known, cpu_NAME_unknown, the reason.
 * @param path  [in] run file; replaced as a whole
 * @return CT_OK; CT_EIO; CT_ENOMEM
 */
enum ct_status ct_waits_keep(const char *folder, const struct ct_waits_program *programs, size_t n,
                             const char *path, struct ct_error *err);
