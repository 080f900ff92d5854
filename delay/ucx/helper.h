/**
 * The helper: a thread that, while the program computes, records when messages arrive and grants
 * rendezvous that are due. While the program is in MPI calls, these do the same; then the helper
 * only checks from time to time whether the program is still there, and does not touch the worker.
 */
#pragma once

#include "delay/ucx/state.h"

/**
 * Start the helper.
 * @return false: it does not run; the error was printed
 */
bool ct_delay_helper_start(struct ct_delay_worker *worker);

/** End the helper and wait for its end. Call without the lock. */
void ct_delay_helper_end(struct ct_delay_worker *worker);
