/**
 * The one set of parameters that is derived from a measured curve: overheads by message size, and
 * one L, o, G and S that are consistent with them. logpb prints this set, analyses of a schedule
 * use it, and simulators get it. Pure.
 *
 * A message of m bytes takes t(m) = RTT(m) - RTT(0) / 2, since a round trip is a message of m bytes
 * and an empty answer. The model, with B = m - 1 (0 for m = 0), is
 *
 *     eager, m <= S:     t(m) = o_s(m) + L + B G + o_r(m)
 *     rendezvous, m > S: t(m) = 2 o_s(0) + o_s(m) + 3 L + B G + o_r(m)
 *
 * Disturbances make times longer. So if a larger message has a shorter round trip, o_s or o_r, this
 * value replaces that of the smaller message.
 *
 * Overheads are the measured ones, with straight lines between the sizes. Two kinds of sizes are
 * left out. Above S, the measured overhead contains the transfer. If the overheads alone exceed
 * t(m) by more than a quarter, the message was a rendezvous that was not recognized. Overheads are
 * constant beyond the last size that remains. If they exceed t(m) by less than a quarter, both
 * sides worked at the same time, and both overheads are reduced so that their sum is t(m).
 *
 * L is the time of a small message without its overheads: t(m) - o_s(m) - o_r(m) = L + B G for the
 * sizes up to CT_LOGGPS_SMALL_BYTES. The line through these is that of Theil and Sen. Its slope is
 * the median of the slopes of all pairs of sizes, at least 0; L is the median of the intercepts. So
 * L is right on a slow link too, where 64 B take long, and a quarter of the sizes may be disturbed.
 * L follows from round trips only. With the size 1 B alone it is the L of LogP in Table 1 of
 * Kielmann et al.,
 *
 *     L + g(1) - o_s(1) - o_r(1),  L = (RTT(0) - 2 g(0)) / 2,  g(1) = RTT(1) - RTT(0) + g(0)
 *         = RTT(1) - RTT(0) / 2 - o_s(1) - o_r(1),
 *
 * in which g(0) cancels out. It does not cancel if g(1) is measured by trains of messages: a train
 * measures the gap, which is no part of the time of a message.
 *
 * A library may wait for the receive above S and have no handshake that takes time, as SimGrid's.
 * With the smallest size s above S, the slope G' of the sizes from there on and r below, if
 *
 *     2 (o_s(0) + L) > 2 r t(s)   and   (1 + r) t(s) < o_s(s) + L + B G' + o_r(s) + o_s(0) + L,
 *
 * a handshake would be seen and is not: then t(m) is that of an eager message for all sizes.
 *
 * G is the value for which t(m) of the largest size equals the measured one. o, for models with one
 * overhead, is (o_s(1) + o_r(1)) / 2 (Table 1) of the overheads above.
 *
 * Sizes that take little longer than an empty message do not determine G, nor do those that pass at
 * once, as from a token bucket. With the largest size m, the largest e whose overheads are used,
 * the smallest s that gives L, k = 1 for an eager m and 3 for a rendezvous, and x-, x+ what an
 * interval goes below and above its value x (of RTT(m) at least r = CT_LOGGP_TRIP_ERROR of it,
 * which is what all repetitions may have in common),
 *
 *     G- = sqrt(RTT(m)-^2 + (k RTT(s)+)^2 + o_s(e)+^2 + o_r(e)+^2) / (m - 1),
 *     G+ = sqrt(RTT(m)+^2 + (k RTT(s)-)^2 + o_s(e)-^2 + o_r(e)-^2) / (m - 1).
 *
 * G is given if G- < G, so that [G - G-, G + G+] does not contain 0, and G- + G+ <= G, so that it
 * is not wider than G. Where a size has no interval, that of RTT(m) is r, and of others nothing.
 *
 * One G and one L are not right for all sizes where the network cuts, copies or announces messages
 * from some size on. What a message takes beyond its overheads and L,
 *
 *     x(m) = t(m) - o_s(m) - o_r(m) - L,  of a rendezvous t(m) - 2 o_s(0) - o_s(m) - o_r(m) - 3 L,
 *
 * is w(m) + y(m): in w(m) = min(g(m), x(m)), with the gap g(m) between two messages, its bytes are
 * on a link, where others wait for them; y(m) is a longer latency. (A gap cannot be less than an
 * overhead; so w of small messages is x.) A t(m) that a larger message replaced counts again if the
 * whole interval of RTT(m) is above it. Both are kept by size where G is off t(m) by more than
 * CT_LOGGP_GAPS_MISFIT at a size, unless some size has x(m) < G B by that part of t(m): its bytes
 * passed at once, as by a token bucket, which is no property of the size.
 */
#pragma once

#include "model/loggp/curve.h"
#include "model/loggp/overhead.h"

enum { CT_LOGGPS_SMALL_BYTES = 64 };

/** t(m) of a size, corrected for disturbances. */
struct ct_loggps_time {
    uint64_t bytes;
    double time_s;
};

/** How well the sizes determine G. */
struct ct_loggps_G {
    double value_s_per_byte; /**< NaN: no message above CT_LOGGPS_SMALL_BYTES was measured */
    struct ct_interval ci;   /**< [G - G-, G + G+], from 0 on */
    uint64_t largest_bytes;  /**< the size that it is of */
    bool is_determined;
};

/**
 * @return CT_OK; CT_ENODATA (the sizes do not determine G: why, and what to measure)
 */
enum ct_status ct_loggps_demand_G(const struct ct_loggps_G *G, struct ct_error *err);

struct ct_loggps_model {
    struct ct_overheads overheads; /**< n >= 1; owned */
    size_t n_disturbed;            /**< sizes up to S left out, since their overheads exceed t(m) */
    double L_s; /**< below 0 if messages took less time than their overheads, as on a busy machine;
                     NaN: no small size was measured. G is then derived with L = 0 */
    double o_s; /**< (o_s(1) + o_r(1)) / 2 */
    double G_s_per_byte;  /**< NaN: the sizes do not determine it */
    struct ct_loggps_G G; /**< what is known of it */
    struct ct_gaps gaps;  /**< n = 0: one G and one L are right for all sizes; owned */
    uint64_t S_bytes;
    bool lacks_handshake;   /**< messages above S wait for the receive, and take no longer */
    uint64_t largest_bytes; /**< the largest size that was measured */
    double misfit_median_frac, misfit_max_frac; /**< |model / t(m) - 1| over the sizes measured;
                                                      NaN without G */
    uint64_t misfit_max_bytes;
    struct ct_loggps_time
        *times; /**< [n_times] all sizes that have a round trip, ascending; owned */
    size_t n_times;
};

/**
 * Derive the model from a curve.
 * @param points   [in]  n points, ascending sizes, the first of 0 bytes; NaN: not measured
 * @param S_bytes  [in]  largest eager message
 * @param model_p  [out] ct_loggps_model_free(); unchanged on error
 * @return CT_OK; CT_ENODATA (no empty message, or no size whose overheads are used); CT_ENOMEM
 */
enum ct_status ct_loggps_model_derive(const struct ct_loggp_point *points, size_t n,
                                      uint64_t S_bytes, struct ct_loggps_model *model_p,
                                      struct ct_error *err);
/** The same for values that were drawn: G is that of the largest size, whatever determines it. */
enum ct_status ct_loggps_model_derive_drawn(const struct ct_loggp_point *points, size_t n,
                                            uint64_t S_bytes, struct ct_loggps_model *model_p,
                                            struct ct_error *err);
void ct_loggps_model_free(struct ct_loggps_model *model);

/** Time of a message by the model, t(m) above, seconds; L below 0 or NaN counts as 0. */
double ct_loggps_model_time(const struct ct_loggps_model *model, uint64_t bytes);
