/**
 * Sequential test of a stream of yes and no against "yes is at most this likely", whenever the
 * change comes: an e-detector.
 *
 * A bet on p1 > p0 multiplies by p1 / p0 at a yes and by (1 - p1) / (1 - p0) at a no: on average by
 * at most 1 as long as yes is not more likely than p0, whatever came before. The Shiryaev-Roberts
 * sum of the products that begin at each observation, R_n = (1 + R_(n - 1)) e_n, has E[R_n] <= n,
 * so that the mean number of observations until R >= c is at least c where nothing has changed, of
 * a mean of several bets, too [J. Shin, A. Ramdas, A. Rinaldo, E-detectors, 2023]. With n
 * observations a day that are tested, c = n / a raises at most a false alarms a day, over all
 * streams together.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { CT_DETECTOR_BETS_MAX = 4 };

/** The question. */
struct ct_detector_bets {
    double null;                     /**< p0, within 0 and 1 */
    unsigned n;                      /**< bets, >= 1 */
    double on[CT_DETECTOR_BETS_MAX]; /**< each within 0 and 1; above p0 (below it, where the null is
                                        "at least p0") */
};

/** {0} at first. Of each bet: */
struct ct_detector {
    double log_sum[CT_DETECTOR_BETS_MAX];  /**< ln(1 + R) */
    double log_best[CT_DETECTOR_BETS_MAX]; /**< ln of its largest product, at least 0 (CUSUM) */
    int64_t since_unix_ns[CT_DETECTOR_BETS_MAX]; /**< where that product begins */
};

void ct_detector_take(struct ct_detector *detector, const struct ct_detector_bets *bets, bool yes,
                      int64_t unix_ns);

/** ln of the mean of 1 + R over the bets. */
double ct_detector_log_evidence(const struct ct_detector *detector,
                                const struct ct_detector_bets *bets);

/** About when the change was: the beginning of the bet that has won most, or an earlier yes that
 * came later, as from another host. */
int64_t ct_detector_since(const struct ct_detector *detector, const struct ct_detector_bets *bets);
