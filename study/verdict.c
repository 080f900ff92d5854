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

static double known_size(double frac)
{
    return isnan(frac) ? 0 : fabs(frac);
}

static enum ct_verdict judge(const struct ct_judged *judged, double limit_frac)
{
    if (isnan(judged->frac))
        return CT_VERDICT_UNKNOWN;
    if (judged->explained_frac > fmax(fabs(judged->frac), limit_frac) / 2)
        return CT_VERDICT_DISTURBED;
    if (judged->interval.lo > limit_frac)
        return CT_VERDICT_NO;
    return judged->interval.hi <= limit_frac ? CT_VERDICT_YES : CT_VERDICT_PERHAPS;
}

struct ct_judged ct_question_judge(const struct ct_question *question,
                                   const struct ct_prediction *predicted, double limit_frac)
{
    struct ct_judged judged = {.frac = NAN, .interval = {NAN, NAN}};
    if (!isnan(question->measured.frac)) {
        judged.is_measured = true;
        judged.frac = question->measured.frac;
        judged.interval = question->measured_interval;
        judged.explained_frac =
            known_size(question->processors_frac) + known_size(question->drift_frac);
    } else if (predicted) {
        judged.frac = predicted->slowdown_frac;
        judged.interval = predicted->interval;
    }
    judged.verdict = judge(&judged, limit_frac);
    return judged;
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
            struct ct_pair_verdict pair = {.app = {a, b}};
            for (size_t i = 0; i < 2; i++) {
                size_t at = pair.app[i] * n_apps + pair.app[1 - i];
                pair.judged[i] =
                    ct_question_judge(&pairs[at], cases ? &cases[at].prediction : NULL, limit_frac);
            }
            const struct ct_judged *one = &pair.judged[0], *other = &pair.judged[1];
            pair.decisive = one->verdict != other->verdict ? other->verdict > one->verdict
                                                           : other->frac > one->frac;
            pair.verdict = pair.judged[pair.decisive].verdict;
            *verdicts++ = pair;
        }
}
