/**
 * Tries files before they are read. A damaged file may crash HDF5 1.10, or make it loop without
 * end: texts are in a part of the file that has no checksum, and the library does not check the
 * sizes that are stored there. So a separate process reads everything but the rows first. If it
 * crashes or does not end, the file is damaged. One process tries many files; after a crash the
 * next file gets a new one.
 *
 * The process is a copy of one thread. A lock that another thread held at that instant (of HDF5, of
 * an allocator that does not care for fork()) is never released there, so a process that uses no
 * processor time for 3 s is ended, and a new one tries the file.
 */
#ifndef CT_RESULTS_TRIAL_H
#define CT_RESULTS_TRIAL_H

#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>

/**
 * Clear with {0}: the process is started for the first file. ct_trial_end() ends it and frees
 * everything.
 */
struct ct_trial {
    pid_t process; /* 0: none */
    int socket;
    char begun[PATH_MAX]; /* file that is tried now; "": none */
};

/** Reads a file, with any result; runs in the process of the trial. */
typedef void ct_trial_fn(const char *path);

/**
 * Whether a file can be read without a crash in one second of processor time.
 * @param path   [in] at most PATH_MAX bytes; a longer one cannot exist, and is not tried
 * @return also true if no process can be started, or three stood still: the file is then read
 *         without a trial
 */
bool ct_trial_survives(struct ct_trial *trial, ct_trial_fn *look, const char *path);

/**
 * Begin to try the file that ct_trial_survives() is called for next, which then takes less time.
 * Called for another file, it starts a new process.
 */
void ct_trial_begin(struct ct_trial *trial, ct_trial_fn *look, const char *path);

/** End the process, if there is one. */
void ct_trial_end(struct ct_trial *trial);

#endif
