/** The run of impactb: probes at their due times, answers, epochs, end. */
#pragma once

#include "bench/common/bench.h"
#include "bench/impact/impact_network.h"
#include "bench/impact/impact_plan.h"
#include "results/checkpoint.h"

enum ct_wait {
    CT_WAIT_SPIN,  /**< poll MPI without pause: shortest latencies, a core each */
    CT_WAIT_YIELD, /**< give the core to other processes after each poll */
    CT_WAIT_BLOCK  /**< sleep between polls while waiting for a probe: adds up to 0.1 ms */
};
extern const char *const ct_wait_names[]; /**< NULL-terminated */

struct ct_impact_setup {
    size_t message_bytes;
    double interval_s;
    double time_s;
    bool limited;       /**< n_probes is a limit */
    uint64_t n_probes;  /**< of every pair, in each of its epochs */
    uint64_t n_warmup;  /**< exchanges at the start of an epoch, not recorded, >= 1 */
    size_t outstanding; /**< most probes of a pair that are not yet answered, >= 1 */
    enum ct_pairing pairing;
    const struct ct_impact_rounds *rounds;   /**< of CT_PAIRING_LINKS; else NULL */
    const struct ct_impact_network *network; /**< on rank 0; a topology may not be known */
    enum ct_arrivals arrivals;
    enum ct_wait wait;
    bool within_node; /**< pairs are ranks of one node */
    uint64_t seed;
    /**
     * Interval at which samples are added to the checkpoint (results/checkpoint.h); 0: no
     * checkpoint.
     */
    double checkpoint_s;
    const char *output; /**< run file; used if checkpoint_s > 0 */
    const struct ct_run_info
        *info; /**< attributes of the run, on rank 0; used if checkpoint_s > 0 */
};

/** What a rank measured. Owned; ct_impact_result_free(). */
struct ct_impact_result {
    struct ct_sample *samples; /**< of the pairs in which this rank is the initiator */
    size_t n_samples, capacity;
    uint64_t n_late;   /**< sent later than due, see bench/impact/probe_loop.h */
    uint64_t n_missed; /**< due in an epoch that ended before they could be sent; not sent */
    uint64_t all_samples, all_late, all_missed; /**< sums over ranks, the same on every rank */
    struct ct_pair *pairs;                      /**< all pairs of the run, the same on every rank */
    size_t n_pairs;
    int n_epochs;
    double epoch_s;
    double exchange_overhead_s; /**< time of an exchange of the same size of a rank with itself:
                                   cost of the calls */
    bool has_one_clock;         /**< one-way times have no difference of clocks in them */
    bool checkpointed;          /**< there is a checkpoint, for the caller to remove */
};

/**
 * Probe until the time is over, all pairs have made n_probes, or a signal comes. Collective. With
 * checkpoint_s > 0 all samples are in the checkpoint at the end.
 * @param result_p  [out] what was measured, also on error
 * @return CT_OK; CT_EINVAL (one rank; one node without within_node); CT_ENOMEM; CT_EIO (the content
 *         of an answer is wrong; the checkpoint cannot be made); CT_EEXIST (there is a checkpoint
 *         of another run). The same on all ranks.
 */
enum ct_status ct_impact_run(struct ct_bench *bench, const struct ct_impact_setup *setup,
                             struct ct_impact_result *result_p, struct ct_error *err);

void ct_impact_result_free(struct ct_impact_result *result);

/**
 * Append a sample.
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_impact_record(struct ct_impact_result *result, struct ct_sample sample);
