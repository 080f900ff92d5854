/**
 * The one set of parameters that a measured curve gives: overheads by message size, and one L, o, G
 * and S that go with them. What logpb prints, what analyses of a schedule take and what simulators
 * get is this set. Pure.
 *
 * A message of m bytes takes t(m) = RTT(m) - RTT(0) / 2: what went out with m bytes came back
 * empty. The model, with B = m - 1 (0 for m = 0), says
 *
 *     eager, m <= S:     t(m) = o_s(m) + L + B G + o_r(m)
 *     rendezvous, m > S: t(m) = 2 o_s(0) + o_s(m) + 3 L + B G + o_r(m)
 *
 * Disturbances make times longer: where a larger message took less, its round trip, o_s or o_r
 * counts for the smaller one too.
 *
 * Overheads are those measured, straight lines between the sizes. A size above S is left out, for
 * what was timed there contains the transfer, and so is one whose overheads alone exceed t(m) by
 * more than a quarter: a rendezvous that was not recognized. Beyond the last size that is left they
 * are constant. Where they exceed t(m) by less, both sides work at the same time: both are
 * shortened until they add up to t(m).
 *
 * L is what a small message takes besides its overheads: t(m) - o_s(m) - o_r(m) = L + B G over the
 * sizes up to CT_LOGGPS_SMALL_BYTES. The line through them is that of Theil and Sen: its slope is
 * the median over all pairs of sizes, at least 0, and L the median of what is left of each. So L is
 * right on a slow link too, where 64 B take long, and a quarter of the sizes may be disturbed.
 * Round trips alone give L: with the size 1 B by itself it is the L of LogP in Table 1 of
 * Kielmann et al.,
 *
 *     L + g(1) - o_s(1) - o_r(1),  L = (RTT(0) - 2 g(0)) / 2,  g(1) = RTT(1) - RTT(0) + g(0)
 *         = RTT(1) - RTT(0) / 2 - o_s(1) - o_r(1),
 *
 * in which g(0) cancels out. It does not where g(1) comes from trains of messages: what a train
 * measures is a gap, but no part of what a message takes.
 *
 * G is what makes t(m) of the largest size right. o, for models with one overhead, is
 * (o_s(1) + o_r(1)) / 2, Table 1 again, of the overheads above.
 */
#ifndef CT_MODEL_LOGGP_LOGGPS_H
#define CT_MODEL_LOGGP_LOGGPS_H

#include "model/loggp/curve.h"
#include "model/loggp/overhead.h"

enum { CT_LOGGPS_SMALL_BYTES = 64 };

/** t(m) of a size, without disturbances. */
struct ct_loggps_time {
    uint64_t bytes;
    double time_s;
};

struct ct_loggps_model {
    struct ct_overheads overheads; /**< n >= 1; owned */
    size_t n_disturbed;            /**< sizes up to S left out because of overheads beyond t(m) */
    double L_s; /**< below 0 where messages took less than their overheads, as a busy machine has
                     it; NaN where there is no small size. G is found with 0 then */
    double o_s; /**< (o_s(1) + o_r(1)) / 2 */
    double G_s_per_byte; /**< NaN: no message above CT_LOGGPS_SMALL_BYTES was measured */
    uint64_t S_bytes;
    uint64_t largest_bytes;                     /**< of all that was measured */
    double misfit_median_frac, misfit_max_frac; /**< |model / t(m) - 1| over the sizes measured;
                                                      NaN without G */
    uint64_t misfit_max_bytes;
    struct ct_loggps_time
        *times; /**< n_times, ascending sizes, all that have a round trip; owned */
    size_t n_times;
};

/**
 * @param points   [in]  n of them, ascending sizes, the first of 0 bytes; NaN: not measured
 * @param S_bytes  [in]  largest eager message
 * @param model_p  [out] ct_loggps_model_free(); unchanged on error
 * @return CT_OK; CT_ENODATA (no empty message, or no overhead that is to be believed); CT_ENOMEM
 */
enum ct_status ct_loggps_model_derive(const struct ct_loggp_point *points, size_t n,
                                      uint64_t S_bytes, struct ct_loggps_model *model_p,
                                      struct ct_error *err);
void ct_loggps_model_free(struct ct_loggps_model *model);

/** Time of a message by the model, t(m) above, seconds; an L that is not >= 0 counts as 0. */
double ct_loggps_model_time(const struct ct_loggps_model *model, uint64_t bytes);

#endif
