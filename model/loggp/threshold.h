/**
 * Finds S, the largest eager message of LogGPS, in a measured curve. Larger messages go by
 * rendezvous.
 *
 * A rendezvous begins with a handshake, and a blocking send waits for it. So o_s jumps between two
 * consecutive sizes, and stays high for all larger sizes. The height of a jump is the least of
 * three distances of o_s: from the line through the two sizes before it, from the higher one of
 * these, and from the line through the two sizes after it. A change of slope alone, as at the size
 * of a buffer, has no height. Only a jump of half an empty round trip or more can be a handshake.
 * Round trips do not show the threshold. They also jump where messages take another path through
 * the machine, and a rendezvous can make them shorter, since it saves a copy.
 *
 * In some implementations a sender waits only for the answer of the receiver: Open MPI over TCP
 * then gives the message to the kernel and returns. On a slow link this wait is less than the error
 * of a round trip. So if o_s shows no handshake, the same test is applied to o_r. A receiver that
 * is late finds an eager message complete, but has to wait for the whole transfer of a rendezvous.
 */
#pragma once

#include "model/loggp/curve.h"

struct ct_loggp_threshold {
    bool found;
    uint64_t eager_bytes;      /**< S: largest measured size below the jump */
    uint64_t rendezvous_bytes; /**< smallest measured size above it: S is at least eager_bytes and
                                    less than this */
    bool by_receiver;          /**< the jump is in o_r, not in o_s */
    double jump_s;             /**< height of the jump */
    /**
     * Share of this change point in the likelihood of all change points and of none, 0..1. With z,
     * the jump in standard errors, it is exp(z^2 / 2) over the sum of this term over all intervals
     * and n^(3/2), the penalty (BIC) for a place, a height and the noise of the n sizes.
     */
    double confidence;
};

/**
 * Find the threshold.
 * @param points   [in] n points, ascending sizes, with os_s, or_s and rtt_s
 * @param epsilon  [in] lower bound of the relative error of a round trip
 */
struct ct_loggp_threshold ct_loggp_find_threshold(const struct ct_loggp_point *points, size_t n,
                                                  double epsilon);

/** S of a curve: eager_bytes, or the largest size if no threshold was found; 0: there is no size.
 */
uint64_t ct_loggp_eager_bytes(const struct ct_loggp_threshold *threshold,
                              const struct ct_loggp_point *points, size_t n);
