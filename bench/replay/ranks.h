/** Ranks of the program that is replayed, compared with those that were started. */
#pragma once

#include "bench/workloads/workload.h"

/**
 * Check that a rank was started for each one of the program.
 * @param option   [in] that named the program, for the message
 * @param path     [in] its argument
 * @param n_ranks  [in] of the program
 * @return CT_OK; CT_EUSAGE: fewer or more were started
 */
enum ct_status ct_replay_check_ranks(const char *option, const char *path, uint32_t n_ranks,
                                     const struct ct_workload_run *run, struct ct_error *err);
