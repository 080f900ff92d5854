/**
 * Long work that its caller may stop: a thread watches a flag, which another thread or a signal
 * handler sets. Loops that run for seconds look at it; ct_parallel_run() hands it to its threads.
 */
#pragma once

#include "core/status.h"

#include <stdbool.h>

/** @param flag  [in] other than 0: what this thread computes is to end; NULL: none. Borrowed */
void ct_cancel_watch(const volatile int *flag);

/** The flag of this thread. */
const volatile int *ct_cancel_watched(void);

bool ct_is_cancelled(void);

/** @return CT_OK; CT_EINTR: the flag is set */
enum ct_status ct_cancel_check(struct ct_error *err);
