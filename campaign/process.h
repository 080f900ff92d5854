/**
 * Programs that a campaign starts. Each has a process group, a log file and a deadline, and can be
 * ended with all its children. For single-threaded callers.
 *
 *     ct_process_catch_signals();
 *     struct ct_process process;
 *     if (ct_process_start(argv, "logs/run.log", &process, &err) == CT_OK) {
 *         struct ct_process *all[] = {&process};
 *         ct_process_wait(all, 1, ct_clock_now_s() + 10);
 *         ct_process_end(&process, SIGTERM, 3);
 *     }
 */
#pragma once

#include "core/clock.h"
#include "core/status.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/** Processes that ct_process_wait() takes at once. */
enum { CT_PROCESSES_MAX = 64 };

struct ct_process {
    pid_t pid; /**< also the number of its process group */
    int pidfd;
    bool ended; /**< reaped; the fields below are valid, and no process of its group is left */
    int code;   /**< exit code, or 128 + number of the signal that ended it */
    double start_s, end_s; /**< ct_clock_now_s() */
};

/**
 * From now on SIGINT, SIGTERM and SIGHUP only set a flag, and are delivered only during
 * ct_process_wait().
 */
void ct_process_catch_signals(void);

/**
 * Start a program in a process group of its own, without standard input. When the calling process
 * dies, even by SIGKILL, the program gets SIGKILL.
 * @param argv       [in]  NULL-terminated; argv[0] is looked up in PATH
 * @param log_path   [in]  its standard output and error are appended here
 * @param process_p  [out] unchanged on error; ct_process_end() is due
 * @return CT_OK; CT_ENOENT (no such program); CT_EIO (the program cannot be started, or the log not
 *         written)
 */
enum ct_status ct_process_start(char *const *argv, const char *log_path,
                                struct ct_process *process_p, struct ct_error *err);

/** The same with a file for standard output, and another for standard error. */
enum ct_status ct_process_start_apart(char *const *argv, const char *output_path,
                                      const char *log_path, struct ct_process *process_p,
                                      struct ct_error *err);

/**
 * Call a function in a copy of this process, in a process group of its own, and end with what it
 * returns as exit code. Caught signals set the copy's own flag. When the calling process dies, even
 * by SIGKILL, the copy gets SIGKILL.
 * @param process_p  [out] unchanged on error; ct_process_end() is due
 * @return CT_OK; CT_EIO (there can be no further process)
 */
enum ct_status ct_process_fork(int (*work)(void *context), void *context,
                               struct ct_process *process_p, struct ct_error *err);

/**
 * Wait until a process ends, the time is reached, or a signal is caught. Processes that are left in
 * the group of one that has ended are killed.
 * @param processes   [in,out] n, at most CT_PROCESSES_MAX; ended ones are skipped
 * @param until_s     [in] ct_clock_now_s() at which to give up; INFINITY: never
 * @return CT_OK (at least one ended); CT_ETIMEOUT; CT_EINTR; with n = 0 one of the latter
 */
enum ct_status ct_process_wait(struct ct_process *const *processes, size_t n, double until_s);

/**
 * End a process: send a signal to it alone (a process manager passes it on), and after grace_s
 * SIGKILL to its group. If it has ended, nothing is done. Caught signals do not shorten the wait.
 * @return false if SIGKILL was needed
 */
bool ct_process_end(struct ct_process *process, int signal, double grace_s);

/** SIGKILL to the group at once. */
void ct_process_kill(struct ct_process *process);

/**
 * The last lines of a file in one line, separated by " | ", for a message; "" if there are none.
 * Lines of dashes, and those that Open MPI's mpiexec prints for every program that fails, are left
 * out.
 * @param text  [out] at most size bytes with NUL
 */
void ct_process_tail(const char *path, char *text, size_t size);
