/** Which models answer a question: those that were named, all of them, or the best. */
#pragma once

#include "study/session.h"

struct ct_model_choice {
    bool on[CT_N_PREDICT_MODELS]; /**< named; with `all` every one */
    bool all, best;               /**< in place of names */
};

/**
 * The models to ask: the chosen ones, and null models, with which the others are to be compared.
 * @param needs_all  [in]  those that need a schedule are asked though there is none; else `all`
 *                         leaves them out
 * @param asked      [out] [model]
 */
void ct_model_choice_ask(const struct ct_model_choice *choice, const struct ct_session *session,
                         bool needs_all, bool asked[CT_N_PREDICT_MODELS]);

/** The model whose answers stand where nothing was measured: the session's default where it is
 * asked, else the first one that is: a null model if there are no others. */
size_t ct_model_choice_answer(const struct ct_model_choice *choice,
                              const bool asked[CT_N_PREDICT_MODELS],
                              const struct ct_session *session);
