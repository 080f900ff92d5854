/**
 * Verdicts: whether a slowdown is acceptable, and whether two applications may run beside each
 * other. One rule for commands, the page and the library. Pure: what is judged was measured by
 * ct_questions_measure() and predicted by ct_questions_ask().
 *
 * The slowdown s of an application is the measured one, with the interval [lo, hi] of
 * ct_question.measured; where none was measured, that of the model, with its interval.
 * With the limit l,
 *
 *     yes        hi <= l
 *     no         lo > l
 *     perhaps    else, and without an interval
 *     unknown    neither measured nor predicted
 *     disturbed  measured, and e > max(|s|, l) / 2
 *
 * with e = |p| + |t| + |d|, or max(-p, 0) + max(-t, 0) + |d| where hi <= l. p is the slowdown that
 * waiting for processors explains (ct_measured_processors()), t that by time that a host took away
 * (ct_measured_stolen()), and d the drift of the application's baseline (study/drift.h), each 0
 * where it is not known. What explains more than half of the slowdown, or of the limit where that
 * is larger, may have made a slowdown or hidden one: such a measurement decides nothing. Waiting
 * beside the co-runner, p > 0 or t > 0, hides none: without it the application would be slowed
 * still less.
 *
 * No random number is in it: measured intervals are computed with the variance that the bootstrap
 * of predict/resample.h draws with, and intervals of predictions are order statistics of errors. So
 * a verdict is the same under every seed.
 */
#pragma once

#include "study/questions.h"

/** With keys. The verdict on two applications is the later one of both in this order. */
#define CT_VERDICT_MAP(X)                                                                          \
    X(YES, "yes")                                                                                  \
    X(PERHAPS, "perhaps")                                                                          \
    X(UNKNOWN, "unknown")                                                                          \
    X(DISTURBED, "disturbed")                                                                      \
    X(NO, "no")

enum ct_verdict {
#define CT_VERDICT_ENUM(name, key) CT_VERDICT_##name,
    CT_VERDICT_MAP(CT_VERDICT_ENUM)
#undef CT_VERDICT_ENUM
        CT_N_VERDICTS
};

const char *ct_verdict_key(enum ct_verdict verdict);

/** An application beside others. */
struct ct_judged {
    double frac;                 /**< slowdown; NaN: neither measured nor predicted */
    struct ct_interval interval; /**< NaN: none */
    bool is_measured;
    double explained_frac; /**< |p| + |t| + |d|; 0: not measured */
    double hiding_frac;    /**< max(-p, 0) + max(-t, 0) + |d|, which may have hidden a slowdown */
    enum ct_verdict verdict;
};

/**
 * @param question    [in] measured
 * @param predicted   [in] by the model that is relied on; NULL: not predicted
 * @param limit_frac  [in] largest acceptable slowdown, > 0
 */
struct ct_judged ct_question_judge(const struct ct_question *question,
                                   const struct ct_prediction *predicted, double limit_frac);

/** Two applications beside each other: [0] the first, [1] the second. */
struct ct_pair_verdict {
    size_t app[2]; /**< app[0] <= app[1]; the same one twice: beside another run of it */
    struct ct_judged judged[2];
    enum ct_verdict verdict; /**< the later one of both */
    size_t decisive; /**< index of the one that has it; of two, that with the larger slowdown
                      */
};

/** The verdict on two applications from those on each of them beside the other. */
struct ct_pair_verdict ct_pair_judge(size_t app, size_t with, const struct ct_judged *app_judged,
                                     const struct ct_judged *with_judged);

/** Number of pairs of n applications, each with itself too. */
size_t ct_pairs_count(size_t n_apps);

/**
 * @param pairs      [in]  [app * n_apps + with], as ct_questions_make() lists all; measured
 * @param cases      [in]  [app * n_apps + with], answered by the model that is relied on; NULL:
 * none
 * @param verdicts   [out] [ct_pairs_count()], by (app[0], app[1])
 */
void ct_study_verdicts(const struct ct_question *pairs, const struct ct_predict_case *cases,
                       size_t n_apps, double limit_frac, struct ct_pair_verdict *verdicts);
