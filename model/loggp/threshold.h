/**
 * The size S above which messages go by rendezvous, from a measured curve: LogGPS needs it.
 *
 * A rendezvous costs a handshake, so the round trip jumps between two neighbouring sizes. A jump is
 * how far the round trip of the larger size lies above the line through the two sizes before it,
 * and above both of these; a mere change of slope gives none as the sizes come close. Only a jump
 * of half an empty round trip or more can be a handshake, and one that the next size shows, too.
 * Where sends were timed, they have to become longer by as much: a rendezvous makes the sender
 * wait, while a receiver that falls asleep lengthens the round trip only.
 */
#ifndef CT_MODEL_LOGGP_THRESHOLD_H
#define CT_MODEL_LOGGP_THRESHOLD_H

#include "model/loggp/curve.h"

struct ct_loggp_threshold {
    bool found;
    uint64_t eager_bytes;      /**< S: largest measured size below the jump */
    uint64_t rendezvous_bytes; /**< smallest measured size above it: S is at least eager_bytes and
                                    less than this */
    double jump_s;             /**< of the round trip */
    /**
     * Share of the likelihood that this change point has among all and none: with z the jump in
     * standard errors, exp(z^2 / 2) against the sum over all intervals and n^(3/2), the usual
     * penalty (BIC) for a place, a height and the noise of the n sizes. 0..1
     */
    double confidence;
};

/**
 * @param points   [in] n of them, ascending sizes, with rtt_s
 * @param epsilon  [in] least relative error believed of a round trip
 */
struct ct_loggp_threshold ct_loggp_find_threshold(const struct ct_loggp_point *points, size_t n,
                                                  double epsilon);

#endif
