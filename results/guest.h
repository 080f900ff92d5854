/**
 * Run files in a program that uses HDF5 itself: reading and writing change what is set for the
 * whole process, and here it is put back.
 *
 *     struct ct_results_guest before = ct_results_enter();
 *     status = ct_run_read(path, &run, &err);
 *     ct_results_leave(before);
 */
#ifndef CT_RESULTS_GUEST_H
#define CT_RESULTS_GUEST_H

/** What a program has set of HDF5's. */
struct ct_results_guest {
    void (*print)(void); /**< prints HDF5's errors; of another type, which HDF5 knows */
    void *context;       /**< of print */
    unsigned plugins;    /**< which kinds of plugins files may load; bits of H5PL_type_t */
};

/** Remember. HDF5's errors are printed thread by thread: enter and leave in the same thread. */
struct ct_results_guest ct_results_enter(void);

/** Put back. */
void ct_results_leave(struct ct_results_guest guest);

#endif
