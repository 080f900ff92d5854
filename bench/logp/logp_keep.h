/** Checkpoints of a run: the measurements of this rank, by results/checkpoint.h. */
#pragma once

#include "bench/common/bench.h"
#include "bench/logp/logp_run.h"

struct ct_logp_keeper {
    const struct ct_bench *bench;          /**< borrowed */
    const struct ct_logp_results *results; /**< of this rank; borrowed */
    double level;                          /**< of the intervals */
    double period_s;                       /**< 0: no checkpoints */
    double next_s;                         /**< ct_clock_now_s() of the next checkpoint */
};

/** Make the folder, if there is an output and a period. Collective. @return the same on all ranks:
 *  CT_OK; CT_EEXIST (a killed run left one); CT_EIO; CT_ENOMEM */
enum ct_status ct_logp_keep_begin(struct ct_logp_keeper *keeper, struct ct_error *err);

/**
 * Write the results so far if a checkpoint is due. To be on_size of struct ct_logp_setup. An error
 * is printed, and ends the checkpoints but not the measurement.
 */
void ct_logp_keep_if_due(void *self);
