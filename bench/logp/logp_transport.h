/**
 * What the measuring procedure needs of a network: two ranks and a clock. The program gives it MPI,
 * the tests a simulated LogGP network.
 *
 * "From" is the rank that measures, "to" the rank that answers. All times are raw: the cost of the
 * readings is in them.
 */
#ifndef CT_BENCH_LOGP_LOGP_TRANSPORT_H
#define CT_BENCH_LOGP_LOGP_TRANSPORT_H

#include "core/status.h"

#include <stdbool.h>
#include <stdint.h>

/** Messages in a row, then an empty answer to the last of them. */
struct ct_logp_trip {
    double send_s;  /**< in the sends; two readings of the clock */
    double total_s; /**< until the answer was received; three readings */
};

struct ct_logp_transport {
    void *self; /**< handed to every function */
    /**
     * Repeat: send n_messages of some size in a row, receive an empty answer.
     * @param trips_p  [out] count of them
     * @return CT_OK; CT_EINTR (the run is to end); other errors of the transport
     */
    enum ct_status (*train)(void *self, size_t bytes, uint64_t n_messages, size_t count,
                            struct ct_logp_trip *trips_p, struct ct_error *err);
    /**
     * Repeat: ask with an empty message for one of some size, wait, then time its receive.
     * @param wait_s     [in]  longer than a round trip: the message has come by then
     * @param expected   [in]  the receive is posted before the message is asked for; both the
     *                         posting and the completion are timed
     * @param receive_s  [out] count of them; two readings of the clock, or four when expected
     */
    enum ct_status (*receive)(void *self, size_t bytes, double wait_s, bool expected, size_t count,
                              double *receive_s, struct ct_error *err);
    double (*now_s)(void *self);
    double timer_overhead_s; /**< cost of a reading */
    double timer_resolution_s;
};

#endif
