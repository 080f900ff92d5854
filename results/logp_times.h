/** Finds the repetitions of a logp run that the values of one message size are medians of. Pure. */
#pragma once

#include "results/run.h"

/** Repetitions of one size and occasion, seconds. */
struct ct_logp_times {
    double *send_s, *rtt_s; /**< n_trips, of the same round trips; owned */
    double *recv_s;         /**< n_receives, of unexpected messages; owned */
    size_t n_trips, n_receives;
};

/** A size, with values from its row of the dataset logp. */
struct ct_logp_size {
    uint32_t rank_from, rank_to;
    uint64_t bytes;
    double rtt_s, or_s; /**< medians; NaN: not measured */
};

/**
 * Find the repetitions. A size can be measured on several occasions, and its row has the medians of
 * one of them. The round trips of an occasion are consecutive; those of the occasion whose median
 * is rtt_s are returned. The same is done for receives, with or_s.
 * @param repetitions  [in]  n of them, as logpb writes them: in the order of time for each
 *                           direction
 * @param times_p      [out] ct_logp_times_free(); a count is 0 if no occasion has that median, as
 *                           in a file without repetitions
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_logp_times_find(const struct ct_logp_repetition *repetitions, size_t n,
                                  const struct ct_logp_size *size, struct ct_logp_times *times_p,
                                  struct ct_error *err);
void ct_logp_times_free(struct ct_logp_times *times);
