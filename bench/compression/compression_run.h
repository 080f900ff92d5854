/** The rounds of CompressionB: messages, pauses, phases without load, and the common end. */
#pragma once

#include "bench/common/bench.h"
#include "bench/compression/compression_burst.h"
#include "bench/compression/compression_plan.h"
#include "bench/compression/compression_windows.h"

struct ct_compression_setup {
    enum ct_pattern pattern;
    int partners;    /**< P, >= 1 where the pattern takes partners; else ignored */
    int messages;    /**< M, >= 1, for each message of the plan */
    double bubble_s; /**< B, pause after each step; the same on all ranks */
    struct ct_burst burst;
    size_t message_bytes; /**< CT_COMPRESSION_LEAST_BYTES..INT_MAX */
    double time_s;
};

/** Least size of a message: a stamp of 8 bytes at both ends. */
enum { CT_COMPRESSION_LEAST_BYTES = 16 };

/** What was sent. Owned; ct_compression_result_free(). All ranks make the same number of rounds. */
struct ct_compression_result {
    uint64_t n_rounds;
    uint64_t round_bytes; /**< bytes that this rank sends in a round */
    int partners;     /**< largest number of ranks that a rank sends to in a round: P on a ring */
    double elapsed_s; /**< duration of all rounds on the slowest rank */
    double loaded_s;  /**< part of elapsed_s in phases with load; all of it without bursts */
    double longest_s; /**< longest round of any rank; with bursts it may include a phase without
                         load */
    double pause_s;   /**< measured mean pause of all ranks; NaN: no pause was completed */
    double waiting_s; /**< time that this rank waited for messages after the pauses, in phases with
                         load */
    struct ct_compression_windows windows; /**< rank 0: bytes of all ranks; others: their own */
};

/**
 * Make rounds until the time is over or a signal comes to any rank; then all ranks end after the
 * same round. They end within about 0.1 s or one round of the given time, whichever is longer, and
 * within two rounds or 0.2 s after a signal. A signal to a single rank may take effect only after
 * the phase without load of the others. Collective.
 *
 * Messages are started before the pauses and completed after the last one, as in the paper. So the
 * MPI library may send a part of a message only then. Every message is checked at both ends. With
 * bursts, steps start only in phases with load. The phases follow from the seed, and the first one
 * begins with the first round, after a barrier. A rank that is in a round when a phase with load
 * ends waits for the others until the next one begins.
 * @param result_p  [out] unchanged on error
 * @return CT_OK; CT_EINVAL (partners: see ct_compression_check(); too many messages at once);
 *         CT_ENOMEM; CT_EIO (the content of a message is wrong). The same on all ranks.
 */
enum ct_status ct_compression_run(struct ct_bench *bench, const struct ct_compression_setup *setup,
                                  struct ct_compression_result *result_p, struct ct_error *err);

void ct_compression_result_free(struct ct_compression_result *result);
