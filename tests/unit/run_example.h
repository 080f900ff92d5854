/* What the tests of run files share: runs of every kind, a comparison, a folder to work in. */
#pragma once

#include "results/run.h"

/**
 * A run with n rows in each of its datasets (pairs: 3), values that differ from row to row, and
 * facts. Free with ct_run_free(). Ends the program when out of memory.
 */
struct ct_run example_run(enum ct_run_kind kind, size_t n);

/** NULL where the runs are equal in every member, otherwise the name of a part that differs. */
const char *example_difference(const struct ct_run *a, const struct ct_run *b);

/** Set-up and tear-down for cmocka: the test runs in an empty folder of its own, the current one,
 * which has the caches, too. */
int example_folder_enter(void **state);
int example_folder_leave(void **state);

/** Path of the only cache that ends in .KIND. @return free(); NULL: there is none */
char *example_cache(const char *kind);
