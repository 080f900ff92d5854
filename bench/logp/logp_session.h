/** State of a measurement: repetitions with their bounds, costs, results. Internal. */
#pragma once

#include "bench/logp/logp_procedure.h"

enum { CT_LOGP_LEAST_REPETITIONS = 2 };

struct ct_logp_session {
    const struct ct_logp_transport *transport;
    const struct ct_logp_setup *setup;
    struct ct_logp_result *result;
    struct ct_logp_cost *cost; /**< of the part under way */
    size_t repetitions_capacity, points_capacity;
    double start_s;
    double empty_rtt_s;    /**< RTT(0); 0: not known yet */
    double median_trip_s;  /**< of the current size: decides how long a receive has to wait */
    double fastest_trip_s; /**< shortest one of the current size */
    double share_ends_s;   /**< when the current size has had its part of the time: it then makes
                                do with CT_LOGP_LEAST_REPETITIONS of everything; INFINITY: it
                                is not limited */
    bool is_coarse;        /**< sizes do not come in ascending order */
    bool was_hurried;      /**< the current size had to make do with fewer repetitions */
    enum ct_status status; /**< after an error nothing more is measured */
    struct ct_error *err;
};

/** Round trips of trains, repeated until the medians are within epsilon. */
struct ct_logp_trips {
    struct ct_estimate send_s, total_s;
    uint32_t n;
};
struct ct_logp_trips ct_logp_trips(struct ct_logp_session *session, size_t bytes,
                                   uint64_t n_messages);

/** Overhead of receiving, after ct_logp_trips() of the same size. */
struct ct_estimate ct_logp_receives(struct ct_logp_session *session, size_t bytes, bool expected);

/** A gap by saturation: (RTT_n - RTT_1) / (n - 1), with n doubled until it does not change. */
struct ct_logp_saturation {
    struct ct_estimate g_s;
    uint64_t n_messages;
    bool is_settled;
};

/**
 * @param rtt_s  [in] RTT_1 of the size; NaN: measured first
 * @param repeat [in] repeat the longest train for an interval
 */
struct ct_logp_saturation ct_logp_saturate(struct ct_logp_session *session, size_t bytes,
                                           struct ct_estimate rtt_s, bool repeat);

/** The gap by trains of this length again. */
struct ct_estimate ct_logp_train_gap(struct ct_logp_session *session, size_t bytes,
                                     uint64_t n_messages, struct ct_estimate rtt_s);

/**
 * The gap by a train of 2 to 8 messages, as many as needed so that the noise of round trips is
 * epsilon of it.
 * @param rtt_s      [in] RTT_1 of the size
 * @param g_about_s  [in] approximate gap
 */
struct ct_estimate ct_logp_short_train_gap(struct ct_logp_session *session, size_t bytes,
                                           struct ct_estimate rtt_s, double g_about_s);

/** Unrecorded exchanges. */
void ct_logp_warm_up(struct ct_logp_session *session, size_t bytes);

/** Count the costs from now on for this part. */
void ct_logp_begin_part(struct ct_logp_session *session, enum ct_logp_part part);

/** Whether the measurement has to end: an error, an interruption, or the time is over. */
bool ct_logp_is_over(struct ct_logp_session *session);
