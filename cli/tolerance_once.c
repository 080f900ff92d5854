#include "cli/tolerance_once.h"

enum ct_status ct_tolerance_load(const struct ct_tolerance_question *question,
                                 struct ct_parameters *model_p, struct ct_graph *graph_p,
                                 struct ct_error *err)
{
    const struct ct_tolerance_settings *settings = question->settings;
    CT_TRY(ct_model_parameters(&settings->machine.model, true, model_p, err));
    CT_TRY(ct_model_replicates(&settings->machine.model, model_p, err));
    return ct_graph_load(question->command->name, question->input, &settings->graph, model_p,
                         graph_p, err);
}

struct ct_tables *ct_tolerance_tables(const struct ct_tolerance_question *question,
                                      const struct ct_graph *graph)
{
    return ct_graph_tables(question->command, question->settings,
                           (enum ct_format)question->settings->answer.format, question->input.path,
                           graph);
}

enum ct_status ct_tolerance_once_at(const struct ct_tolerance_once *once, struct ct_loggps at,
                                    double *runtime_ns_p, struct ct_error *err)
{
    const struct ct_plane plane = ct_plane_of_latency(at);
    struct ct_line line;
    CT_TRY(ct_evaluate_once(&once->graph, &plane, at.L_ns, &line, err));
    *runtime_ns_p = ct_line_at(line, at.L_ns);
    return CT_OK;
}

static enum ct_status find_tolerances(const struct ct_tolerance_settings *settings,
                                      const struct ct_evaluator *evaluator,
                                      struct ct_tolerance_once *once, struct ct_error *err)
{
    const struct ct_thresholds *thresholds = &settings->thresholds;
    const unsigned threads = (unsigned)settings->answer.threads;
    struct ct_sensitivity sensitivity;
    CT_TRY(ct_sensitivity_with(evaluator, once->at.L_ns, thresholds->frac, thresholds->n, threads,
                               &sensitivity, once->tolerance_ns, err));
    once->runtime_ns = sensitivity.runtime_ns;
    once->lambda_L = sensitivity.line.slope;
    for (size_t i = 0; i < thresholds->n; i++)
        once->tolerance_ns[i] -= once->at.L_ns;
    return CT_OK;
}

enum ct_status ct_tolerance_once_solve(const struct ct_tolerance_question *question,
                                       struct ct_tolerance_once *once_p, struct ct_error *err)
{
    const struct ct_tolerance_settings *settings = question->settings;
    struct ct_evaluator *evaluator;
    once_p->at = ct_parameters_at(&once_p->model, once_p->model.L_s);
    CT_TRY(ct_graph_load(question->command->name, question->input, &settings->graph, &once_p->model,
                         &once_p->graph, err));
    const struct ct_plane plane = ct_plane_of_latency(once_p->at);
    enum ct_status status = ct_evaluator_compile(&once_p->graph, &plane, &evaluator, err);
    if (status == CT_OK) {
        status = find_tolerances(settings, evaluator, once_p, err);
        ct_evaluator_free(evaluator);
    }
    return status;
}

void ct_tolerance_once_free(struct ct_tolerance_once *once)
{
    ct_graph_free(&once->graph);
    ct_parameters_free(&once->model);
}
