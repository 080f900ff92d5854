/**
 * Interface of the measuring procedure to the network and the clock. logpb implements it with MPI,
 * the tests with a simulated LogGP network.
 *
 * "From" is the rank that measures, "to" the rank that answers. All times are raw: they include the
 * cost of reading the clock.
 */
#pragma once

#include "core/status.h"

#include <stdbool.h>
#include <stdint.h>

/** Several messages one after the other, then an empty answer to the last of them. */
struct ct_logp_trip {
    double send_s;  /**< time of the sends; includes two readings of the clock */
    double total_s; /**< time until the answer was received; includes three readings */
};

struct ct_logp_transport {
    void *self; /**< argument of every function */
    /**
     * Repeat: send n_messages of a size one after the other, receive an empty answer.
     * @param trips_p  [out] [count]
     * @return CT_OK; CT_EINTR (the run is to end); other errors of the transport
     */
    enum ct_status (*train)(void *self, size_t bytes, uint64_t n_messages, size_t count,
                            struct ct_logp_trip *trips_p, struct ct_error *err);
    /**
     * Repeat: request a message of a size with an empty message, wait, then time its receive.
     * @param wait_s     [in]  longer than a round trip: the message has arrived by then
     * @param expected   [in]  the receive is posted before the request; both the posting and the
     *                         completion are timed
     * @param receive_s  [out] [count]; each includes two readings of the clock, four if expected
     */
    enum ct_status (*receive)(void *self, size_t bytes, double wait_s, bool expected, size_t count,
                              double *receive_s, struct ct_error *err);
    double (*now_s)(void *self);
    double timer_overhead_s; /**< cost of a reading */
    double timer_resolution_s;
};
