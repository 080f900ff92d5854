/**
 * Trying files before they are read. A damaged file may crash HDF5 1.10, or keep it busy for ever:
 * texts are in a part of the file that has no checksum, and the library believes the sizes that it
 * finds there. So a process of its own goes through everything but the rows first. Where it does
 * not come to its end, the file is damaged. One process tries many files; after a crash the next
 * file gets a new one.
 */
#ifndef CT_RESULTS_TRIAL_H
#define CT_RESULTS_TRIAL_H

#include <stdbool.h>
#include <sys/types.h>

/** Clear with {0}: a process is started for the first file. Nothing of it stays after
 * ct_trial_end(). */
struct ct_trial {
    pid_t process; /* 0: none */
    int socket;
};

/** Goes through a file, however it likes; runs in the process of the trial. */
typedef void ct_trial_fn(const char *path);

/**
 * Whether a file can be gone through without harm, in a second of processor time.
 * @param path   [in] at most PATH_MAX bytes; longer ones are not tried, nothing can be under them
 * @return also true where no process is to be had: the file is then read unprotected, as every
 * other program reads it
 */
bool ct_trial_survives(struct ct_trial *trial, ct_trial_fn *look, const char *path);

/** End the process, if there is one. */
void ct_trial_end(struct ct_trial *trial);

#endif
