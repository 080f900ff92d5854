/* What each model predicts of what was measured, and how far it is off: Casas and Bronevetsky,
 * IPDPS 2014, Figs. 8 and 9. */
#include "predict/evaluate.h"
#include "report/part.h"

#include <math.h>
#include <stdlib.h>

static void put_errors(const struct ct_predict_errors *errors, struct ct_json *one)
{
    ct_json_put(one, "pairs", ct_json_number((double)errors->n));
    ct_json_put(one, "mean", ct_page_number(errors->mean_abs));
    ct_json_put(one, "median", ct_page_number(errors->median));
    ct_json_put(one, "max", ct_page_number(errors->max));
    if (errors->n > 0)
        ct_json_put(one, "worst", ct_json_number((double)errors->worst));
}

/* The prediction, and its interval, of each pair. */
static struct ct_json *list_predictions(const struct ct_predict_case *cases, size_t n)
{
    struct ct_json *predictions = ct_json_array();
    for (size_t i = 0; i < n; i++) {
        const struct ct_prediction *p = &cases[i].prediction;
        const double row[] = {p->slowdown_frac, p->interval.lo, p->interval.hi};
        ct_json_append(predictions, ct_page_numbers(row, 3, 1));
    }
    return predictions;
}

static enum ct_status describe_model(const struct ct_page_part *part, size_t m,
                                     const double *measured, size_t n, struct ct_json *models)
{
    const struct ct_predict_case *cases = part->cases + m * part->questions.n;
    struct ct_predict_judgement judgement;
    CT_TRY(ct_predict_judge(&part->analysis, part->settings->bootstrap.level, cases, measured, n,
                            &judgement));
    const struct ct_predict_evaluation *asked = &judgement.asked;
    struct ct_json *one = ct_json_append(models, ct_json_object());
    ct_json_put(one, "key", ct_json_text(ct_predict_models[m].key));
    ct_json_put(one, "needs", ct_json_text(ct_predict_models[m].needs));
    ct_json_put(one, "is_null",
                ct_json_number(ct_predict_model_is(&ct_predict_models[m], CT_MODEL_IS_NULL)));
    put_errors(&asked->slowdown, one);
    ct_json_put(one, "covered", ct_page_number(asked->coverage_frac));
    ct_json_put(one, "width", ct_page_number(asked->mean_width_frac));
    ct_json_put(one, "interval_from", ct_json_text(ct_interval_source_text(asked->interval_from)));
    const struct ct_predict_decisions decisions =
        ct_predict_decide(cases, measured, n, part->settings->acceptable_frac);
    ct_json_put(one, "log_mean", ct_page_number(asked->log.mean_abs));
    ct_json_put(one, "wrongly_allowed", ct_json_number((double)decisions.n_allowed));
    ct_json_put(one, "wrongly_refused", ct_json_number((double)decisions.n_refused));
    ct_json_put(one, "left_out_covered", ct_page_number(judgement.left_out.coverage_frac));
    ct_json_put(one, "left_out_width", ct_page_number(judgement.left_out.mean_width_frac));
    ct_json_put(one, "left_out_mean", ct_page_number(judgement.left_out.slowdown.mean_abs));
    ct_json_put(one, "predicted", list_predictions(cases, n));
    return CT_OK;
}

/* How far two measurements of the same pair differ. */
static enum ct_status describe_repeats(const struct ct_page_part *part, struct ct_json *into)
{
    struct ct_predict_errors repeated;
    CT_TRY(ct_predict_repeatability(&part->session.study.measured, &repeated));
    if (repeated.n > 0)
        put_errors(&repeated, ct_json_put(into, "repeated", ct_json_object()));
    return CT_OK;
}

enum ct_status ct_page_write_models(const struct ct_page_part *part, struct ct_json *into,
                                    struct ct_error *err)
{
    size_t n = part->analysis.n_apps * part->analysis.n_apps;
    if (!part->is_analysed)
        return CT_OK;
    double *measured = malloc((n + 1) * sizeof *measured);
    enum ct_status status = measured ? CT_OK : CT_ENOMEM;
    struct ct_json *models = ct_json_put(into, "models", ct_json_array());
    for (size_t i = 0; i < n && measured; i++)
        measured[i] = part->analysis.beside_app[i].frac;
    ct_json_put(into, "measured", measured ? ct_page_numbers(measured, n, 1) : NULL);
    for (size_t m = 0; m < CT_N_PREDICT_MODELS && status == CT_OK; m++)
        status = describe_model(part, m, measured, n, models);
    if (status == CT_OK)
        status = describe_repeats(part, into);
    free(measured);
    ct_json_put(into, "model", ct_json_text(ct_predict_models[part->model].key));
    if (part->why_model)
        ct_json_put(into, "why_model", ct_json_text(part->why_model));
    return status == CT_OK ? CT_OK : ct_no_memory(err, "errors of the models");
}
