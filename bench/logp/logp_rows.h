/** Converts results to the rows and facts of a run file. Pure. */
#pragma once

#include "bench/logp/logp_procedure.h"

/**
 * Rows of the results of one rank: run->logp and run->repetitions, to be freed with the run.
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_logp_make_rows(const struct ct_logp_result *results, size_t n, struct ct_run *run,
                                 struct ct_error *err);

/**
 * Add the facts of the first direction: its parameters, S, costs; a value that is not known gives
 * no fact. And of all directions what was cut: `cut_sizes`, the powers of two that one of them was
 * to measure and did not, as "2 B, 8 B"; `cut_directions`, how many of them lack one; and
 * `hurried_sizes`, how many sizes had fewer repetitions than they needed.
 * @param links  [in] n >= 1
 * @param level  [in] of the intervals
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_logp_add_facts(struct ct_run_info *info, const struct ct_logp_link *links,
                                 size_t n, double level);
