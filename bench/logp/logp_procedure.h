/**
 * The measuring procedure of one direction between two ranks. Pure: it uses the network through a
 * struct ct_logp_transport only.
 *
 * Source: Kielmann, Bal and Verstoep 2000, section 3. Where this differs from the paper:
 * - g(0) is (RTT_n - RTT_1) / (n - 1) of the longest train, not its sending time / n: a library
 *   that buffers small messages returns long before the link has transferred them.
 * - The equation for g(m) assumes that a round trip takes the same time right after another one as
 *   after a pause. If not, its error is up to RTT(0): the link may still be busy after the answer
 *   has arrived, or may let the first bytes after a pause pass at once. So g(m) is also measured by
 *   short trains, for messages whose round trip is not much longer than that of an empty message
 *   (enum ct_logp_gap).
 * - Every value is a median with a distribution-free interval, and "within epsilon" always means
 *   within epsilon or within the intervals, so that noise does not add more and more sizes.
 * - Powers of two are measured coarse to fine: the least and the largest, then the middle of each
 *   distance on the scale of logarithms, so that a measurement that is cut short has sizes all over
 *   the range. Up to the level on which two neighbours are at most a factor of 8 apart, which is a
 *   size in every decade, no size takes more than its part of the time that is left, but always two
 *   repetitions.
 */
#pragma once

#include "bench/logp/logp_transport.h"
#include "model/loggp/resample.h"
#include "model/loggp/threshold.h"
#include "results/run.h"

enum ct_logp_methods { CT_LOGP_ONLY_FAST, CT_LOGP_ONLY_SATURATION, CT_LOGP_BOTH };
extern const char *const ct_logp_method_names[]; /**< NULL-terminated */

/** How the fast method measures g(m). */
enum ct_logp_gap {
    CT_LOGP_GAP_AUTO,        /**< by equation, unless short trains are more precise */
    CT_LOGP_GAP_EQUATION,    /**< RTT(m) - RTT(0) + g(0), as the paper does */
    CT_LOGP_GAP_BACK_TO_BACK /**< (RTT_n(m) - RTT(m)) / (n - 1) of short trains */
};
extern const char *const ct_logp_gap_names[]; /**< NULL-terminated */

struct ct_logp_setup {
    double epsilon;     /**< largest relative error, 0 < epsilon < 1 */
    double level;       /**< of the intervals */
    size_t max_bytes;   /**< largest size, >= 1 */
    uint64_t max_sizes; /**< no sizes are added between others beyond this number */
    enum ct_logp_methods methods;
    enum ct_logp_gap gap;
    uint64_t n_warmup;           /**< exchanges of every size before its first repetition */
    double time_s;               /**< no further size is begun after this time */
    uint32_t rank_from, rank_to; /**< recorded with every repetition */
    uint64_t seed;               /**< of the intervals of L and G */
    /**
     * Called after every size, outside of timed parts; the result so far is consistent. NULL: not
     * called.
     */
    void (*on_size)(void *observer);
    void *observer; /**< argument of on_size */
};

/** Cost of a part of the procedure. */
struct ct_logp_cost {
    double elapsed_s;
    uint64_t messages; /**< both directions, answers included */
    uint64_t bytes;
};

enum ct_logp_part {
    CT_LOGP_PART_EMPTY,    /**< round trips and trains of empty messages: g(0) */
    CT_LOGP_PART_SIZES,    /**< round trips and receives of every size */
    CT_LOGP_PART_EXPECTED, /**< receives that were posted before: not part of the paper's method */
    CT_LOGP_PART_CHECK,    /**< of the assumption */
    CT_LOGP_PART_SATURATION,
    CT_LOGP_PART_OBSERVER, /**< calls of on_size */
    CT_LOGP_N_PARTS
};

/**
 * Check of one size: whether a gap measured right after other messages agrees with the first one.
 */
struct ct_logp_check {
    uint64_t bytes;
    struct ct_estimate g_s;       /**< by equation; for size 0 by the first train */
    struct ct_estimate g_again_s; /**< of messages right after others; for size 0 of a second train,
                                     right after the round trips of all sizes */
    bool agrees;                  /**< the intervals overlap, or the values are within 10 % */
};
enum { CT_LOGP_CHECKS_MAX = 6 };

/** One direction between two ranks. */
struct ct_logp_link {
    uint32_t rank_from, rank_to;
    struct ct_estimate g0_s;
    uint64_t g0_train;  /**< messages in the train that gave g(0) */
    bool g0_is_settled; /**< the gap settled while the train doubled */
    bool is_complete;   /**< the procedure was not ended by the time limit, a signal or the limit of
                           sizes */
    uint64_t cut_powers; /**< bit k: 2^k bytes were to be measured and were not */
    uint64_t n_hurried;  /**< sizes whose repetitions the time limit ended */
    uint64_t
        n_bends; /**< sizes that were not within epsilon of the line when max_sizes was reached */
    bool gap_is_stable; /**< the last three powers of two are on a line */
    double timer_resolution_s, timer_overhead_s;
    struct ct_loggp loggp;             /**< L and G have intervals at the end of the measurement */
    struct ct_estimate gap_per_byte_s; /**< g(m) / m of the largest size: 1 / bandwidth */
    struct ct_loggp_threshold threshold;
    struct ct_logp_cost cost[CT_LOGP_N_PARTS];
    struct ct_logp_check checks[CT_LOGP_CHECKS_MAX];
    uint64_t n_checks;
    uint64_t n_points;
};

struct ct_logp_result {
    struct ct_logp_link link;
    struct ct_loggp_point *points; /**< link.n_points, ascending sizes, from 0 */
    struct ct_logp_repetition *repetitions;
    size_t n_repetitions;
};

/**
 * Measure.
 * @param result_p  [out] results so far, also on error; ct_logp_result_free()
 * @return CT_OK, also if the time was over or the transport returned CT_EINTR (link.is_complete is
 *         then false); CT_EINVAL (setup); CT_ENOMEM; errors of the transport
 */
enum ct_status ct_logp_measure(const struct ct_logp_transport *transport,
                               const struct ct_logp_setup *setup, struct ct_logp_result *result_p,
                               struct ct_error *err);
void ct_logp_result_free(struct ct_logp_result *result);

/** Time, messages and bytes of a method, without those of additional measurements. */
struct ct_logp_cost ct_logp_cost_of(const struct ct_logp_link *link, enum ct_logp_method method);
