/** Which models the page relies on, and shows first. Pure. */
#ifndef CT_REPORT_VERDICT_H
#define CT_REPORT_VERDICT_H

#include "report/page.h"

/** Models in the order of the page. */
struct ct_page_order {
    size_t models[CT_N_PREDICT_MODELS]; /**< rows of ct_predict_models: null models, the best three,
                                           the others in the order of their rows */
    size_t n_first; /**< null models and the best three; the others are hidden */
    size_t model;   /**< row of the recommended model */
};

/**
 * Order the models. If co-runs were measured, the model with the smaller mean error is better; else
 * the one with more predictions, and of equal ones the last row. The recommended model is
 * facts->model, which also counts as the best.
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_page_order_models(const struct ct_page_facts *facts,
                                    struct ct_page_order *order_p);

#endif
