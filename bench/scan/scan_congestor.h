/**
 * Congestors: what the other nodes send while a canary measures.
 *
 * Congestor nodes are one part or several (scan_schedule.h). Ranks of a part with the same slot on
 * their nodes form a group. A round of a group, in messages that are started together
 * (bench/compression/compression_plan.h):
 *   - incast: all send to the first node; alltoall: all to all; broadcast: the first to all;
 *     bisection: each to the node half way round;
 *   - compression: a ring of P partners one after the other, M messages each, B after each;
 *   - allreduce: all ranks together call MPI_Allreduce with an array;
 *   - gpcnet: four parts at once, with messages of 4 KiB: all to all; all send to the first; all
 *     MPI_Put to the first; all MPI_Get from the first. Source: congestors.c of GPCNeT,
 *     github.com/netbench/GPCNET, and the list in its network_load_test.c.
 * All ranks of a part end after the same round: they vote while rounds go on, as compressionb does,
 * for the end as soon as the message has come that the canaries are done. So no rank waits for a
 * message that is not sent.
 */
#pragma once

#include "bench/scan/scan_side.h"
#include "results/scan_setting.h"

/** Messages to each partner in a round, at most; of compression M. */
enum { CT_SCAN_MESSAGES = 4 };

struct ct_scan_load {
    uint64_t bytes; /**< that this rank received; of an allreduce: that it reduced */
    double time_s;  /**< from the first round that counts to the last, with all pauses */
};

/** Whether there are as many congestor nodes as the setting needs. @return CT_OK; CT_EINVAL, the
 * same on all congestors */
enum ct_status ct_scan_congestor_check(const struct ct_scan_side *side,
                                       const struct ct_scan_setting *setting, struct ct_error *err);

/**
 * Load the network until the canaries are done, or a signal comes to a congestor. Collective over
 * the congestors. The first round connects them, and counts for nothing; after it the canaries'
 * first rank gets a message (ct_scan_congestor_await()).
 * @param setting  [in] a congestor; not NONE
 * @param seed     [in] of the lengths of bursts and pauses
 * @return the same on all congestors: CT_OK; CT_ENOMEM, where the canaries get their message
 *         nevertheless
 */
enum ct_status ct_scan_congestor_run(const struct ct_scan_side *side,
                                     const struct ct_scan_setting *setting, size_t message_bytes,
                                     uint64_t seed, struct ct_scan_load *load_p,
                                     struct ct_error *err);

/**
 * The first rank of the canaries: wait until all congestors are under way.
 * @return CT_OK; CT_ETIMEOUT (they have not started within limit_s)
 */
enum ct_status ct_scan_congestor_await(const struct ct_scan_side *side, double limit_s,
                                       struct ct_error *err);

/** The first rank of the canaries: they are done. */
void ct_scan_congestor_end(const struct ct_scan_side *side);
