/**
 * The helper: a thread that notes when messages arrive while the program computes, and lets
 * rendezvous send that are due. While the program is in MPI, where it does so itself, the helper
 * only looks from time to time whether it still is: it does not touch the worker.
 */
#ifndef CT_DELAY_UCX_HELPER_H
#define CT_DELAY_UCX_HELPER_H

#include "delay/ucx/state.h"

/** Start it. @return whether it runs; an error is printed */
bool ct_delay_helper_start(struct ct_delay_worker *worker);

/** End it and wait for that. Without the lock. */
void ct_delay_helper_end(struct ct_delay_worker *worker);

#endif
