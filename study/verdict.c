#include "study/verdict.h"

#include <math.h>

const char *ct_verdict_key(enum ct_verdict verdict)
{
    static const char *const keys[CT_N_VERDICTS] = {
#define CT_VERDICT_KEY(name, key) [CT_VERDICT_##name] = (key),
        CT_VERDICT_MAP(CT_VERDICT_KEY)
#undef CT_VERDICT_KEY
    };
    return keys[verdict];
}

static double zero_if_unknown(double frac)
{
    return isnan(frac) ? 0 : frac;
}

static enum ct_verdict judge_slowdown(const struct ct_judged *judged, double limit_frac)
{
    bool is_within = judged->interval.hi <= limit_frac;
    double otherwise = is_within ? judged->hiding_frac : judged->explained_frac;
    if (isnan(judged->frac))
        return CT_VERDICT_UNKNOWN;
    if (otherwise > fmax(fabs(judged->frac), limit_frac) / 2)
        return CT_VERDICT_DISTURBED;
    if (judged->interval.lo > limit_frac)
        return CT_VERDICT_NO;
    return is_within ? CT_VERDICT_YES : CT_VERDICT_PERHAPS;
}

struct ct_judged ct_question_judge(const struct ct_question *question,
                                   const struct ct_prediction *predicted, double limit_frac)
{
    struct ct_judged judged = {.frac = NAN, .interval = {NAN, NAN}};
    if (!isnan(question->measured.frac)) {
        double processors = zero_if_unknown(question->processors_frac);
        double stolen = zero_if_unknown(question->stolen_frac);
        double drift = fabs(zero_if_unknown(question->drift_frac));
        judged.is_measured = true;
        judged.frac = question->measured.frac;
        judged.interval = question->measured.interval;
        judged.explained_frac = fabs(processors) + fabs(stolen) + drift;
        judged.hiding_frac = fmax(-processors, 0) + fmax(-stolen, 0) + drift;
    } else if (predicted) {
        judged.frac = predicted->slowdown_frac;
        judged.interval = predicted->interval;
    }
    judged.verdict = judge_slowdown(&judged, limit_frac);
    return judged;
}

struct ct_pair_verdict ct_pair_judge(size_t app, size_t with, const struct ct_judged *app_judged,
                                     const struct ct_judged *with_judged)
{
    struct ct_pair_verdict pair = {.app = {app, with}, .judged = {*app_judged, *with_judged}};
    pair.decisive = app_judged->verdict != with_judged->verdict
                        ? with_judged->verdict > app_judged->verdict
                        : with_judged->frac > app_judged->frac;
    pair.verdict = pair.judged[pair.decisive].verdict;
    return pair;
}

size_t ct_pairs_count(size_t n_apps)
{
    return n_apps * (n_apps + 1) / 2;
}

void ct_study_verdicts(const struct ct_question *pairs, const struct ct_predict_case *cases,
                       size_t n_apps, double limit_frac, struct ct_pair_verdict *verdicts)
{
    for (size_t a = 0; a < n_apps; a++)
        for (size_t b = a; b < n_apps; b++) {
            struct ct_judged judged[2];
            const size_t at[2] = {a * n_apps + b, b * n_apps + a};
            for (size_t i = 0; i < 2; i++)
                judged[i] = ct_question_judge(&pairs[at[i]],
                                              cases ? &cases[at[i]].prediction : NULL, limit_frac);
            *verdicts++ = ct_pair_judge(a, b, &judged[0], &judged[1]);
        }
}
