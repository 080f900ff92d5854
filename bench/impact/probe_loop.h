/**
 * The probes of one pair in one epoch: an open loop. A probe leaves when it is due, whether those
 * before have been answered or not, so that none waits for its predecessor: a pair that had one
 * probe under way at a time would queue behind itself, and read about three times the latency of an
 * M/D/1 queue whose mean round trip is an interval. Pure: works on a transport.
 */
#ifndef CT_BENCH_IMPACT_PROBE_LOOP_H
#define CT_BENCH_IMPACT_PROBE_LOOP_H

#include "bench/impact/impact_plan.h"
#include "bench/impact/probe_transport.h"
#include "results/run.h"

/** A probe that leaves so much after its due time is late, or a tenth of the interval if that is
 * less. */
#define CT_PROBE_LATE_S 1e-3

struct ct_probe_setup {
    size_t outstanding; /**< probes under way at most, >= 1; one that is due beyond that is late */
    double interval_s;  /**< mean distance of the probes */
    double end_s;       /**< of the epoch, since the run's start: no probe is due or leaves later */
    bool limited;       /**< n_probes counts */
    uint64_t n_probes;
};

/** Take a sample. @return CT_OK; an error ends the epoch once nothing is under way */
typedef enum ct_status ct_probe_record(void *data, struct ct_sample sample);

struct ct_probe_counts {
    uint64_t n_late;   /**< left later than due, see CT_PROBE_LATE_S; they are samples, too */
    uint64_t n_missed; /**< due in the epoch, and not sent before its end */
};

/**
 * Probe until the epoch's end, all probes are through, or the run is over; returns when every probe
 * has its answer. latency_s of a sample is half the time from sending to the answer.
 * @param first_sequence  [in]  of the first probe
 * @param schedule        [in,out] due times
 * @param pair            [in]  of the samples
 * @param counts_p        [out] also on error
 * @return CT_OK; CT_ENOMEM; CT_EIO; what record() returned
 */
enum ct_status ct_probe_epoch(const struct ct_probe_transport *transport,
                              const struct ct_probe_setup *setup, uint64_t first_sequence,
                              struct ct_impact_schedule *schedule, uint32_t pair,
                              ct_probe_record *record, void *data, uint64_t *next_sequence_p,
                              struct ct_probe_counts *counts_p, struct ct_error *err);

#endif
