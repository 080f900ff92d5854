/** Messages for people, on standard error: "PROGRAM: what: why". */
#pragma once

#include "core/status.h"

#include <stdbool.h>
#include <stdio.h>

/** A variable of main(). In an MPI program all ranks but one are quiet. */
struct ct_log {
    const char *program; /**< borrowed */
    FILE *stream;
    bool quiet;          /**< no information and no progress; warnings and errors stay */
    bool terminal;       /**< stream is a terminal: progress rewrites one line */
    bool line_open;      /**< a progress line is unfinished on the terminal */
    double last_print_s; /**< not on a terminal: ct_clock_now_s() of the last progress line */
};

struct ct_log ct_log_open(const char *program, bool quiet);

void ct_log_info(struct ct_log *log, const char *format, ...) __attribute__((format(printf, 2, 3)));
void ct_log_warn(struct ct_log *log, const char *format, ...) __attribute__((format(printf, 2, 3)));
void ct_log_error(struct ct_log *log, const struct ct_error *err);

/**
 * Print the progress of long work: on a terminal one line that is rewritten, elsewhere a line at
 * most every 10 s.
 * @param done    [in] finished work, in any unit
 * @param total   [in] all work, in the unit of done; 0: unknown
 * @param left_s  [in] estimate of the time left, seconds; NaN: unknown
 * @param what    [in] the current step of the work
 */
void ct_log_progress(struct ct_log *log, double done, double total, double left_s,
                     const char *what);

/** End an open progress line. */
void ct_log_progress_end(struct ct_log *log);
