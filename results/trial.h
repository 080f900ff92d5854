/**
 * Tries files before they are read. A damaged file may crash HDF5 1.10, or make it loop without
 * end: texts are in a part of the file that has no checksum, and the library does not check the
 * sizes that are stored there. So another program, crosstalk-try, reads everything but the rows
 * first. If it crashes or does not end, the file is damaged. It is started once for all files, and
 * again behind a file that it could not read.
 *
 *     struct ct_trial trial;
 *     ct_trial_begin(&trial, NULL, CT_TRIAL_RUNS, paths, n);
 *     for (size_t i = 0; i < n; i++)
 *         if (ct_trial_survives(&trial, i))
 *             read(paths[i]);
 *     ct_trial_end(&trial);
 *
 * Files of the user's own with a right sum (sum.h) are not tried. Without crosstalk-try, as beside
 * a library that was copied alone, or where it cannot be started, all files are read untried.
 */
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/** What is in the files; the first argument of crosstalk-try. */
enum ct_trial_kind { CT_TRIAL_RUNS, CT_TRIAL_ARRAYS };

/** Names of the kinds. */
#define CT_TRIAL_KIND_NAMES                                                                        \
    {                                                                                              \
        "runs", "arrays"                                                                           \
    }

/** Bytes that crosstalk-try writes: when it begins, and behind each file. */
enum { CT_TRIAL_READY = 'r', CT_TRIAL_TRIED = 't' };

/** Files that are tried. */
struct ct_trial {
    enum ct_trial_kind kind;
    char *verdicts; /* one a path; NULL: all survive */
    size_t n;       /* paths */
    size_t next;    /* the first that nobody has asked about */
    size_t n_done;  /* paths that crosstalk-try has answered for, or died of */
    int paths;      /* file in memory: what crosstalk-try reads, paths with a NUL behind each */
    int answers;    /* pipe that it writes to; -1: it does not run */
    bool is_ready;  /* it has begun */
    pid_t process;
    char program[PATH_MAX];
};

/**
 * Begin to try files.
 * @param program  [in]  crosstalk-try; NULL: the one that was installed or built with this code
 * @param paths    [in]  n, as ct_run_read() takes them; not needed after the call
 * @param trial_p  [out] ct_trial_end()
 */
void ct_trial_begin(struct ct_trial *trial_p, const char *program, enum ct_trial_kind kind,
                    const char *const *paths, size_t n);

/**
 * Whether a file can be read without a crash in one second of processor time. Waits until it has
 * been tried.
 * @param i  [in] its index in the paths
 * @return also true if it is not tried
 */
bool ct_trial_survives(struct ct_trial *trial, size_t i);

/** End the program, if it runs, and free everything. */
void ct_trial_end(struct ct_trial *trial);

/** The same for one file. */
bool ct_trial_survives_alone(enum ct_trial_kind kind, const char *path);
