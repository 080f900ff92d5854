/** Independent pieces of work, in several threads. */
#pragma once

#include <stddef.h>

enum { CT_PARALLEL_MAX = 64 };

/** Processors that there are, 1 .. CT_PARALLEL_MAX. */
unsigned ct_parallel_processors(void);

/**
 * Call run(work, i) once for every i below n, in any order, and return when all calls have. The
 * caller's thread takes part; what a thread that cannot be started would do, the others do.
 * @param threads  [in] calls at the same time, >= 1; more than CT_PARALLEL_MAX are that many
 */
void ct_parallel_run(size_t n, unsigned threads, void (*run)(void *work, size_t i), void *work);
