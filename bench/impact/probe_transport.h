/**
 * Interface to the network and the clock for the initiator of a pair. impactb implements it with
 * MPI, the tests with a simulated network.
 */
#pragma once

#include "core/status.h"

#include <stdbool.h>
#include <stdint.h>

/** What an answer says. */
struct ct_probe_answer {
    bool counts;       /**< false: the partner had ended its run, so this is no sample */
    double answered_s; /**< when the partner answered, by its clock, since its run's start; NaN: the
                            answer has no room for it */
};

struct ct_probe_transport {
    void *self; /**< argument of every function */
    /** Seconds since the run's start. */
    double (*now_s)(void *self);
    /**
     * Post the receive for the answer, and send a probe. Does not wait for the answer.
     * @param sequence  [in] one more than that of the probe before
     */
    enum ct_status (*send)(void *self, uint64_t sequence, struct ct_error *err);
    /**
     * Receive the answer to the oldest probe that is not yet answered, if it has arrived: answers
     * come in the order of the probes. Does not wait.
     * @param sequence   [in]  of that probe
     * @param arrived_p  [out] whether an answer was received
     * @param answer_p   [out] valid if *arrived_p
     * @return CT_OK; CT_EIO (the message is not the answer to this probe, or its content is wrong)
     */
    enum ct_status (*receive)(void *self, uint64_t sequence, bool *arrived_p,
                              struct ct_probe_answer *answer_p, struct ct_error *err);
    /**
     * Wait until a time or, while a probe is not answered, until an answer may have arrived.
     * @param until_s    [in] since the run's start; INFINITY: for an answer only
     * @param under_way  [in] some probes are not answered: poll without pause
     * @return false: the run is over; send no more probes
     */
    bool (*wait)(void *self, double until_s, bool under_way);
};
