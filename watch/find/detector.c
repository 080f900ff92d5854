#include "watch/find/detector.h"

#include <math.h>

void ct_detector_take(struct ct_detector *detector, const struct ct_detector_bets *bets, bool yes,
                      int64_t unix_ns)
{
    for (unsigned i = 0; i < bets->n; i++) {
        double p = bets->on[i], won = yes ? log(p / bets->null) : log((1 - p) / (1 - bets->null));
        if (detector->log_best[i] <= 0 || (yes && unix_ns < detector->since_unix_ns[i]))
            detector->since_unix_ns[i] = unix_ns;
        detector->log_best[i] = fmax(0, detector->log_best[i] + won);
        /* ln(1 + (1 + R) e): 1 + R is kept as its logarithm. */
        double grown = detector->log_sum[i] + won;
        detector->log_sum[i] = grown > 30 ? grown : log1p(exp(grown));
    }
}

double ct_detector_log_evidence(const struct ct_detector *detector,
                                const struct ct_detector_bets *bets)
{
    double largest = 0, sum = 0;
    for (unsigned i = 0; i < bets->n; i++)
        largest = fmax(largest, detector->log_sum[i]);
    for (unsigned i = 0; i < bets->n; i++)
        sum += exp(detector->log_sum[i] - largest);
    return largest + log(sum / bets->n);
}

int64_t ct_detector_since(const struct ct_detector *detector, const struct ct_detector_bets *bets)
{
    unsigned best = 0;
    for (unsigned i = 1; i < bets->n; i++)
        if (detector->log_sum[i] > detector->log_sum[best])
            best = i;
    return detector->since_unix_ns[best];
}
