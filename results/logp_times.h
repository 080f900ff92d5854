/** Which repetitions of a logp run the values of one size are medians of. Pure. */
#ifndef CT_RESULTS_LOGP_TIMES_H
#define CT_RESULTS_LOGP_TIMES_H

#include "results/run.h"

/** Repetitions of one size and occasion, seconds. */
struct ct_logp_times {
    double *send_s, *rtt_s; /**< n_trips, of the same round trips; owned */
    double *recv_s;         /**< n_receives, of unexpected messages; owned */
    size_t n_trips, n_receives;
};

/** What the row of a size says of it. */
struct ct_logp_size {
    uint32_t rank_from, rank_to;
    uint64_t bytes;
    double rtt_s, or_s; /**< medians; NaN: not measured */
};

/**
 * Find them. A size can be measured on several occasions, of which one counts: the round trips of
 * an occasion stand next to each other, and those wanted are the ones whose median is the row's.
 * The same holds for receives.
 * @param repetitions  [in]  n of them, as logpb writes them: in the order of time for each
 * direction
 * @param times_p      [out] ct_logp_times_free(); counts are 0 where none has that median, as in a
 *                           file whose repetitions were left out
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_logp_times_find(const struct ct_logp_repetition *repetitions, size_t n,
                                  const struct ct_logp_size *size, struct ct_logp_times *times_p,
                                  struct ct_error *err);
void ct_logp_times_free(struct ct_logp_times *times);

#endif
