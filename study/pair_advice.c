#include "study/pair_advice.h"

#include <math.h>
#include <stdlib.h>

static void measure(const struct ct_study *study, const struct ct_predict_analysis *analysis,
                    double level, struct ct_pair_advice *pair)
{
    for (size_t i = 0; i < 2; i++) {
        struct ct_question question = {.app = pair->app[i], .with = &pair->app[1 - i], .n_with = 1};
        ct_questions_measure(study, analysis, level, &(struct ct_questions){&question, 1});
        pair->measured[i] = question.measured;
    }
}

enum ct_status ct_pairs_advise(const struct ct_study *study, struct ct_predict_analysis *analysis,
                               const struct ct_predict_model *model,
                               const struct ct_bootstrap *setup, struct ct_pair_advice **pairs_p,
                               size_t *n_p, struct ct_error *err)
{
    size_t n_apps = study->measured.n_apps, n = 0, n_pairs = n_apps * (n_apps + 1) / 2;
    struct ct_pair_advice *pairs = calloc(n_pairs + 1, sizeof *pairs);
    struct ct_predict_case *cases = calloc(2 * n_pairs + 1, sizeof *cases);
    enum ct_status status = pairs && cases ? CT_OK : CT_ENOMEM;
    for (size_t a = 0; a < n_apps && status == CT_OK; a++)
        for (size_t b = a; b < n_apps; b++)
            pairs[n++] = (struct ct_pair_advice){.app = {a, b}};
    for (size_t i = 0; i < 2 * n; i++)
        cases[i] = (struct ct_predict_case){.model = model,
                                            .app = pairs[i / 2].app[i % 2],
                                            .with = &pairs[i / 2].app[1 - i % 2],
                                            .n_with = 1};
    if (status == CT_OK)
        status = ct_predict_cases(analysis, setup->level, cases, 2 * n);
    for (size_t i = 0; i < 2 * n && status == CT_OK; i++)
        pairs[i / 2].prediction[i % 2] = cases[i].prediction;
    for (size_t i = 0; i < n && status == CT_OK; i++)
        measure(study, analysis, setup->level, &pairs[i]);
    free(cases);
    if (status != CT_OK) {
        free(pairs);
        return ct_fail(err, status, "pairs: %s", ct_status_text(status));
    }
    *pairs_p = pairs;
    *n_p = n;
    return CT_OK;
}

double ct_pair_advice_frac(const struct ct_pair_advice *pair, size_t i)
{
    double measured = pair->measured[i].frac;
    return isnan(measured) ? pair->prediction[i].slowdown_frac : measured;
}

size_t ct_pair_advice_worst(const struct ct_pair_advice *pair)
{
    return ct_pair_advice_frac(pair, 1) > ct_pair_advice_frac(pair, 0);
}
