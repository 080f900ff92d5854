/**
 * Processor time that a process used, and time that it was runnable and waited for a processor: the
 * sum over all threads of the process and of its descendants, including threads that have ended, if
 * they were in a sample. Linux counts both for each thread, in /proc/PID/task/TID/schedstat. Needs
 * the C library only.
 *
 *     struct ct_schedstat_watch watch = {.proc = "/proc"};
 *     while (ct_schedstat_sample(&watch, pid))
 *         print(ct_schedstat_sum(&watch));
 *     ct_schedstat_free(&watch);
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct ct_schedstat {
    uint64_t used_ns;   /**< on a processor */
    uint64_t waited_ns; /**< runnable, waiting for a processor */
};

/** Time of all processors of a machine since it was started. */
struct ct_machine_times {
    double busy_s;   /**< in which they ran something */
    double stolen_s; /**< in which they had something to run, while the machine's host ran others */
};

/**
 * Read the first line of /proc/stat, as proc(5) describes it: "cpu USER NICE SYSTEM IDLE IOWAIT IRQ
 * SOFTIRQ STEAL ...", in ticks. USER and NICE contain the time of guests.
 * @param times_p  [out] unchanged on error
 * @return whether the text begins with such a line of at least eight numbers
 */
bool ct_machine_times_parse(const char *text, struct ct_machine_times *times_p);

/** The same from PROC/stat. */
bool ct_machine_times_read(const char *proc, struct ct_machine_times *times_p);

/**
 * Read the content of a schedstat file: "USED WAITED SLICES".
 * @param stat_p  [out] unchanged on error
 * @return whether the text is such a content
 */
bool ct_schedstat_parse(const char *text, struct ct_schedstat *stat_p);

/** A process that is sampled repeatedly. */
struct ct_schedstat_watch {
    const char *proc; /**< "/proc"; borrowed */
    pid_t left_out;   /**< a process that is left out; 0: none */
    struct ct_schedstat_thread {
        pid_t tid;
        bool seen; /**< present in the last sample */
        struct ct_schedstat stat;
    } * threads; /**< owned */
    size_t n_threads;
    struct ct_schedstat ended; /**< of threads that were in a sample and have ended */
};

/**
 * Sample all threads of a process and of its descendants. The times of a thread that has ended
 * since the last sample are those of that sample.
 * @param pid  [in] number of the process in watch->proc
 * @return whether a thread was found whose times can be read
 */
bool ct_schedstat_sample(struct ct_schedstat_watch *watch, pid_t pid);

/** Sum of the times of all threads that were in a sample. */
struct ct_schedstat ct_schedstat_sum(const struct ct_schedstat_watch *watch);

void ct_schedstat_free(struct ct_schedstat_watch *watch);
