/**
 * The size S above which messages go by rendezvous, from a measured curve: LogGPS needs it.
 *
 * A rendezvous costs a handshake, for which a blocking send waits: o_s jumps between two
 * consecutive sizes, and stays up for all larger ones. A jump is how far o_s lies above the line
 * through the two sizes before it, above both of these, and above the line through the two sizes
 * after it; so a mere change of slope, as where a buffer is full, is none. Only a jump of half an
 * empty round trip or more can be a handshake. Round trips do not tell: they jump too where
 * messages take another way through the machine, and rendezvous can make them shorter, by saving a
 * copy.
 *
 * A sender need not wait for more than the answer of the receiver, though: Open MPI's over TCP then
 * gives the message to the kernel and is done. On a slow link that is less than the error of a
 * round trip. So where o_s shows no handshake, the same is asked of o_r: a receiver that comes late
 * still finds an eager message complete, but of a rendezvous it has to wait for the whole transfer.
 */
#ifndef CT_MODEL_LOGGP_THRESHOLD_H
#define CT_MODEL_LOGGP_THRESHOLD_H

#include "model/loggp/curve.h"

struct ct_loggp_threshold {
    bool found;
    uint64_t eager_bytes;      /**< S: largest measured size below the jump */
    uint64_t rendezvous_bytes; /**< smallest measured size above it: S is at least eager_bytes and
                                    less than this */
    bool by_receiver;          /**< it is o_r that jumps */
    double jump_s;             /**< of o_s, or else of o_r */
    /**
     * Share of the likelihood that this change point has among all and none: with z the jump in
     * standard errors, exp(z^2 / 2) against the sum over all intervals and n^(3/2), the usual
     * penalty (BIC) for a place, a height and the noise of the n sizes. 0..1
     */
    double confidence;
};

/**
 * @param points   [in] n of them, ascending sizes, with os_s, or_s and rtt_s
 * @param epsilon  [in] least relative error believed of a round trip
 */
struct ct_loggp_threshold ct_loggp_find_threshold(const struct ct_loggp_point *points, size_t n,
                                                  double epsilon);

/** S of a curve: the largest eager size, or the largest size of all where none waits; 0: no size.
 */
uint64_t ct_loggp_eager_bytes(const struct ct_loggp_threshold *threshold,
                              const struct ct_loggp_point *points, size_t n);

#endif
