#include "study/pass_draws.h"

#include <math.h>
#include <stdlib.h>

static const double s_per_ns = 1e-9;

/* Data of the replicates of a schedule. */
struct data {
    struct ct_model_replicates model;
    struct ct_pair_replicates pairs;
};

static struct ct_replicates replicates_of(const struct ct_pass_schedules *schedules, size_t i,
                                          struct data *data)
{
    data->model = (struct ct_model_replicates){.graph = &schedules->graphs[i],
                                               .model = &schedules->parameters};
    data->pairs = (struct ct_pair_replicates){&schedules->graphs[i], &schedules->pairs,
                                              &schedules->pair_draws};
    return schedules->by_class ? ct_replicates_of_pairs(&data->pairs)
                               : ct_replicates_of_model(&data->model);
}

/* P with the values of a replicate; L_s_p: its own. */
static enum ct_status open_model(const struct ct_pass_schedules *schedules, size_t draw,
                                 struct ct_evaluator *evaluators[CT_PASS_SCHEDULES_MAX],
                                 double *L_s_p, struct ct_error *err)
{
    enum ct_status status = CT_OK;
    for (size_t i = 0; i < schedules->n && status == CT_OK; i++) {
        struct data data;
        const struct ct_replicates replicates = replicates_of(schedules, i, &data);
        double L_ns;
        status = replicates.compile(replicates.data, draw, &L_ns, &evaluators[i], err);
        *L_s_p = L_ns * s_per_ns;
    }
    return status;
}

static enum ct_status run_draw(void *data, size_t draw, double *values, struct ct_error *err)
{
    const struct ct_pass_draws *draws = data;
    struct ct_evaluator *evaluators[CT_PASS_SCHEDULES_MAX] = {NULL};
    double L_s = 0, own_s = 0;
    enum ct_status status = open_model(draws->schedules, draw, evaluators, &L_s, err);
    struct ct_pass_model model = {.schedule = evaluators[0],
                                  .longer = evaluators[1],
                                  .longer_by = (double)draws->schedules->longer_by,
                                  .threads = 1};
    if (status == CT_OK && !model.longer) {
        status = ct_pass_runtime(&model, L_s, &own_s, NULL, err);
        model.offset_s = draws->baseline_s - own_s;
    }
    for (size_t i = 0; i < draws->n && status == CT_OK; i++)
        status = ct_pass_runtime(&model, fmax(L_s + draws->added_L_s[i], 0), &values[i], NULL, err);
    ct_evaluator_free(evaluators[0]);
    ct_evaluator_free(evaluators[1]);
    return status;
}

static size_t count_draws(const struct ct_pass_schedules *schedules)
{
    struct data data;
    const struct ct_replicates replicates = replicates_of(schedules, schedules->n - 1, &data);
    return ct_replicates_affordable(&replicates, 2);
}

enum ct_status ct_pass_draws(const struct ct_pass_draws *draws, size_t *n_draws_p,
                             struct ct_draws_summary *runtimes_s_p, struct ct_error *err)
{
    const struct ct_draws_job job = {.n_draws = count_draws(draws->schedules),
                                     .n_values = draws->n,
                                     .threads = draws->threads,
                                     .evaluate = run_draw,
                                     .data = (void *)draws};
    double *values = malloc((job.n_draws * (draws->n + 1) + 1) * sizeof *values);
    enum ct_status status = values ? CT_OK : ct_no_memory(err, "draws");
    if (status == CT_OK && job.n_draws > 0)
        status = ct_draws_evaluate(&job, values, err);
    for (size_t i = 0; i < draws->n && status == CT_OK; i++)
        runtimes_s_p[i] =
            ct_draws_summarize(&job, values, i, ct_pass_schedules_level(draws->schedules),
                               values + job.n_draws * draws->n);
    free(values);
    if (status == CT_OK)
        *n_draws_p = job.n_draws;
    return status;
}
