/**
 * The probes of one pair in one epoch: an open loop. A probe is sent when it is due, whether those
 * before have been answered or not, so that no probe waits for the one before. With only one probe
 * at a time, probes would queue behind each other: at a mean round trip of one interval, the
 * measured latency would be about three times that of an M/D/1 queue. Pure: works on a transport.
 */
#pragma once

#include "bench/impact/impact_plan.h"
#include "bench/impact/probe_transport.h"
#include "results/run.h"

/**
 * A probe that is sent by this much later than it was due is late; a tenth of the interval, if that
 * is less.
 */
#define CT_PROBE_LATE_S 1e-3

struct ct_probe_setup {
    size_t outstanding; /**< most probes that are not yet answered, >= 1; further ones wait, and may
                           be late */
    double interval_s;  /**< mean time between probes */
    double end_s;       /**< of the epoch, since the run's start: no probe is due or sent later */
    bool limited;       /**< n_probes is a limit */
    uint64_t n_probes;
    bool from_b; /**< of the samples: the higher rank of the pair probes */
};

/**
 * Store a sample.
 * @return CT_OK; an error ends the epoch as soon as all probes are answered
 */
typedef enum ct_status ct_probe_record(void *data, struct ct_sample sample);

struct ct_probe_counts {
    uint64_t n_late;   /**< sent later than due, see CT_PROBE_LATE_S; these are samples too */
    uint64_t n_missed; /**< due in the epoch, and not sent before its end */
};

/**
 * Probe until the epoch ends, all n_probes are sent, or the run is over. Returns when all probes
 * are answered. latency_s of a sample is half the time from sending to the answer.
 * @param first_sequence  [in]  of the first probe
 * @param schedule        [in,out] due times
 * @param pair            [in]  of the samples
 * @param counts_p        [out] set also on error
 * @return CT_OK; CT_ENOMEM; CT_EIO; what record() returned
 */
enum ct_status ct_probe_epoch(const struct ct_probe_transport *transport,
                              const struct ct_probe_setup *setup, uint64_t first_sequence,
                              struct ct_impact_schedule *schedule, uint32_t pair,
                              ct_probe_record *record, void *data, uint64_t *next_sequence_p,
                              struct ct_probe_counts *counts_p, struct ct_error *err);
