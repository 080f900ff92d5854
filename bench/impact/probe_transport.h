/**
 * What the probes of a pair need of a network: an initiator's end of it, and a clock. The program
 * gives it MPI, the tests a simulated network.
 */
#ifndef CT_BENCH_IMPACT_PROBE_TRANSPORT_H
#define CT_BENCH_IMPACT_PROBE_TRANSPORT_H

#include "core/status.h"

#include <stdbool.h>
#include <stdint.h>

struct ct_probe_transport {
    void *self; /**< handed to every function */
    /** Seconds since the run's start. */
    double (*now_s)(void *self);
    /**
     * Send a probe, with the receive for its answer posted before. Does not wait for the answer.
     * @param sequence  [in] one more than the one before
     */
    enum ct_status (*send)(void *self, uint64_t sequence, struct ct_error *err);
    /**
     * Look whether the oldest probe under way has its answer: answers come in the order of the
     * probes. Does not wait.
     * @param sequence   [in]  of that probe
     * @param arrived_p  [out] the answer is here; it is taken
     * @param counts_p   [out] false: the partner had left the run already; with arrived_p
     * @return CT_OK; CT_EIO (the answer is not the one to this probe, or was changed)
     */
    enum ct_status (*receive)(void *self, uint64_t sequence, bool *arrived_p, bool *counts_p,
                              struct ct_error *err);
    /**
     * Wait until a time, or with a probe under way until an answer may be here.
     * @param until_s    [in] since the run's start; INFINITY: for an answer only
     * @param under_way  [in] there are probes under way: the core is kept busy looking
     * @return false: the run is over, for whatever reason; nothing more is to be sent
     */
    bool (*wait)(void *self, double until_s, bool under_way);
};

#endif
