/**
 * The size S above which messages go by rendezvous, from a measured curve: LogGPS needs it.
 *
 * Who sends by rendezvous waits for an answer before the data go, so the time of a send jumps
 * between two neighbouring sizes; and so does the round trip, which counts where sends were not
 * timed (the jump is then small beside the transfer on a slow link, and a receiver that falls
 * asleep makes one, too). A jump is how far the larger size lies above the line through the two
 * sizes before it, and above both of these; a mere change of slope gives none as the sizes come
 * close. Only a jump of half an empty round trip or more can be a handshake, and one that the next
 * size shows, too.
 */
#ifndef CT_MODEL_LOGGP_THRESHOLD_H
#define CT_MODEL_LOGGP_THRESHOLD_H

#include "model/loggp/curve.h"

struct ct_loggp_threshold {
    bool found;
    uint64_t eager_bytes;      /**< S: largest measured size below the jump */
    uint64_t rendezvous_bytes; /**< smallest measured size above it: S is at least eager_bytes and
                                    less than this */
    double jump_s;             /**< of the time of a send, or else of a round trip */
    /**
     * Share of the likelihood that this change point has among all and none: with z the jump in
     * standard errors, exp(z^2 / 2) against the sum over all intervals and n^(3/2), the usual
     * penalty (BIC) for a place, a height and the noise of the n sizes. 0..1
     */
    double confidence;
};

/**
 * @param points   [in] n of them, ascending sizes, with rtt_s, and with os_s or not
 * @param epsilon  [in] least relative error believed of a round trip
 */
struct ct_loggp_threshold ct_loggp_find_threshold(const struct ct_loggp_point *points, size_t n,
                                                  double epsilon);

#endif
