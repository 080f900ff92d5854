/**
 * Run files in a program that uses HDF5 itself. Reading and writing run files changes settings that
 * HDF5 has for the whole process; these functions save and restore them.
 *
 *     struct ct_results_guest before = ct_results_enter();
 *     status = ct_run_read(path, &run, &err);
 *     ct_results_leave(before);
 */
#pragma once

/** Settings of HDF5. */
struct ct_results_guest {
    void (*print)(void); /**< prints HDF5's errors; cast from the type that HDF5 has for it */
    void *context;       /**< of print */
    unsigned plugins;    /**< kinds of plugins that files may load; bits of H5PL_type_t */
};

/**
 * Save the settings. The printing of errors is set for each thread: enter and leave in the same
 * thread.
 */
struct ct_results_guest ct_results_enter(void);

/** Restore the settings. */
void ct_results_leave(struct ct_results_guest guest);
