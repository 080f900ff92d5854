#include "study/model_choice.h"

void ct_model_choice_ask(const struct ct_model_choice *choice, const struct ct_session *session,
                         bool needs_all, bool asked[CT_N_PREDICT_MODELS])
{
    const bool without = choice->all && session->schedules.n_available == 0 && !needs_all;
    size_t best;
    for (size_t m = 0; m < CT_N_PREDICT_MODELS; m++) {
        const struct ct_predict_model *model = &ct_predict_models[m];
        asked[m] =
            choice->on[m] && !(without && ct_predict_model_is(model, CT_MODEL_NEEDS_SCHEDULE));
        asked[m] |= ct_predict_model_is(model, CT_MODEL_IS_NULL);
    }
    if (choice->best && ct_session_find_model(session, NULL, &best, NULL) == CT_OK)
        asked[best] = true;
}

size_t ct_model_choice_answer(const struct ct_model_choice *choice,
                              const bool asked[CT_N_PREDICT_MODELS],
                              const struct ct_session *session)
{
    size_t model;
    if (ct_session_find_model(session, NULL, &model, NULL) == CT_OK && asked[model])
        return model;
    for (model = 0; model < CT_N_PREDICT_MODELS; model++)
        if (asked[model] && !ct_predict_model_is(&ct_predict_models[model], CT_MODEL_IS_NULL))
            return model;
    for (model = 0; model + 1 < CT_N_PREDICT_MODELS && !choice->on[model]; model++)
        ;
    return asked[model] ? model : 0;
}
