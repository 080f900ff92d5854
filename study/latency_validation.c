#include "study/latency_validation.h"

#include "study/constants.h"
#include "study/pass_draws.h"

#include <math.h>
#include <stdlib.h>

/* ---- what was measured ---- */

static struct ct_bootstrap bootstrap_of(const struct ct_validation_question *question)
{
    return (struct ct_bootstrap){.replicates = ct_study_count(CT_STUDY_REPLICATES),
                                 .level = ct_study_constant(CT_STUDY_VALIDATION_LEVEL),
                                 .seed = question->seed};
}

static enum ct_status read_runs(const struct ct_validation_question *question,
                                struct ct_validation *found, struct ct_error *err)
{
    struct ct_validation_runs *runs = &found->runs;
    const char *folder = question->folder;
    const struct ct_bootstrap setup = bootstrap_of(question);
    double level = setup.level;
    CT_TRY(ct_validation_runs_read(folder, question->placement, question->app, &setup, runs, err));
    found->points = calloc(runs->n_runs + 1, sizeof *found->points);
    if (!found->points)
        return ct_no_memory(err, "%s", folder);
    if (runs->has_load)
        ct_validation_points(runs->alone, runs->n_alone, level, &found->alone);
    found->n_points = ct_validation_points(runs->runs, runs->n_runs, level, found->points);
    if (found->n_points < 2 || found->points[0].delta_L_s > 0)
        return ct_fail(err, CT_ENODATA, "%s: needs run times without added latency and with it",
                       folder);
    if (!runs->logp_path)
        return ct_fail(err, CT_ENODATA, "%s: no run of logpb in it", folder);
    return CT_OK;
}

/* ---- what is predicted ---- */

/* The measurement without added latency; with a load, the one alone. */
static const struct ct_validation_point *find_baseline(const struct ct_validation *found)
{
    return found->runs.has_load ? &found->alone : &found->points[0];
}

/* By class of paths: the mean of those on the critical path. */
static enum ct_status find_classes(struct ct_validation *found, struct ct_error *err)
{
    const struct ct_pairs *pairs = &found->schedules.pairs.pairs;
    double latencies = 0, sum_ns = 0;
    found->class_lambdas = calloc(pairs->n_classes + (size_t)1, sizeof *found->class_lambdas);
    if (!found->class_lambdas)
        return ct_no_memory(err, "classes of paths");
    enum ct_status status = ct_pass_schedules_classes(&found->schedules, found->class_lambdas, err);
    for (uint32_t c = 0; c < pairs->n_classes && status == CT_OK; c++) {
        latencies += found->class_lambdas[c].latencies;
        sum_ns += found->class_lambdas[c].latencies * pairs->classes[c].L_ns;
    }
    found->L_s = latencies > 0 ? 1e-9 * sum_ns / latencies : NAN;
    return status;
}

static enum ct_status make_model(const struct ct_validation_question *question,
                                 struct ct_validation *found, struct ct_error *err)
{
    const struct ct_pass_source source = {.folder = question->folder,
                                          .app = question->app,
                                          .convert = question->convert,
                                          .serialize = question->serialize,
                                          .serialize_nic = question->serialize_nic,
                                          .logp_path = found->runs.logp_path,
                                          .posterior_path = question->posterior_path};
    struct ct_pass_schedules *schedules = &found->schedules;
    CT_TRY(ct_pass_schedules_read(&source, schedules, &found->notes, err));
    found->L_s = schedules->parameters.L_s;
    enum ct_status status = CT_OK;
    if (schedules->by_class)
        status = find_classes(found, err);
    if (status != CT_OK)
        return status;
    found->model = ct_pass_schedules_model(schedules, question->threads);
    double runtime_s;
    status = ct_pass_runtime(&found->model, schedules->own_s, &runtime_s, &found->lambda_L, err);
    if (status == CT_OK && !found->model.longer) {
        found->model.offset_s = find_baseline(found)->measured_s - runtime_s;
        runtime_s = find_baseline(found)->measured_s;
    }
    found->alone.predicted_s = runtime_s;
    found->at_s = schedules->own_s;
    if (found->runs.has_load)
        found->at_s = fmax(schedules->own_s + found->runs.probes[0].added_s, 0);
    return status;
}

/* At the latency that the probe had beside the load. */
static enum ct_status predict_by_probe(struct ct_validation *found, size_t point,
                                       struct ct_error *err)
{
    const struct ct_validation_runs *runs = &found->runs;
    found->by_probe[point] = (struct ct_validation_by_probe){NAN, NAN};
    for (size_t i = 0; i < runs->n_probes; i++) {
        if (runs->probes[i].delta_L_s != found->points[point].delta_L_s)
            continue;
        struct ct_validation_by_probe *at = &found->by_probe[point];
        double at_s = fmax(found->schedules.own_s + runs->probes[i].added_s, 0);
        at->L_s = found->L_s + at_s - found->schedules.own_s;
        return ct_pass_runtime(&found->model, at_s, &at->predicted_s, NULL, err);
    }
    return CT_OK;
}

static enum ct_status predict_points(const struct ct_validation_question *question,
                                     struct ct_validation *found, struct ct_error *err)
{
    found->by_probe = calloc(found->n_points, sizeof *found->by_probe);
    CT_TRY(found->by_probe ? CT_OK : ct_no_memory(err, "%s", question->folder));
    for (size_t i = 0; i < found->n_points; i++) {
        CT_TRY(ct_pass_runtime(&found->model, found->at_s + found->points[i].delta_L_s,
                               &found->points[i].predicted_s, NULL, err));
        CT_TRY(predict_by_probe(found, i, err));
    }
    return CT_OK;
}

/* Added latencies at which a pass is longer by each threshold. */
static enum ct_status find_tolerances(const struct ct_validation_question *question,
                                      struct ct_validation *found, struct ct_error *err)
{
    const struct ct_bootstrap setup = bootstrap_of(question);
    double last_s = found->points[found->n_points - 1].delta_L_s;
    found->tolerances = calloc(question->n_thresholds + 1, sizeof *found->tolerances);
    enum ct_status status = found->tolerances ? CT_OK : ct_no_memory(err, "%s", question->folder);
    for (size_t i = 0; i < question->n_thresholds && status == CT_OK; i++) {
        double longer_frac = question->threshold_frac[i];
        struct ct_validation_tolerance *tolerance = &found->tolerances[found->n_tolerances++];
        tolerance->threshold_frac = longer_frac;
        tolerance->measured_s =
            ct_validation_tolerance_s(found->points, found->n_points, longer_frac);
        status = ct_validation_tolerance_ci(found->runs.runs, found->runs.n_runs, longer_frac,
                                            &setup, &tolerance->measured_ci);
        if (status != CT_OK)
            return ct_fail(err, status, "%s: no interval of a tolerance", question->folder);
        status = ct_pass_tolerance(&found->model, found->at_s, longer_frac, last_s,
                                   &tolerance->predicted_s, err);
    }
    return status;
}

/* What replicates of the parameters predict, beside what runs leave open. */
static enum ct_status spread_of(const struct ct_validation_question *question,
                                struct ct_validation *found, struct ct_error *err)
{
    size_t n = found->n_points;
    double *added_L_s = malloc((n + 1) * sizeof *added_L_s);
    struct ct_draws_summary *summaries = malloc((n + 1) * sizeof *summaries);
    found->spreads = calloc(n + 1, sizeof *found->spreads);
    enum ct_status status = added_L_s && summaries && found->spreads
                                ? CT_OK
                                : ct_no_memory(err, "%s", question->folder);
    for (size_t i = 0; i < n && status == CT_OK; i++)
        added_L_s[i] = found->at_s - found->schedules.own_s + found->points[i].delta_L_s;
    const struct ct_pass_draws draws = {.schedules = &found->schedules,
                                        .baseline_s = find_baseline(found)->measured_s,
                                        .added_L_s = added_L_s,
                                        .n = n,
                                        .threads = question->threads};
    if (status == CT_OK)
        status = ct_pass_draws(&draws, &found->n_draws, summaries, err);
    for (size_t i = 0; i < n && status == CT_OK; i++)
        found->spreads[i] = (struct ct_validation_spread){
            summaries[i].interval,
            summaries[i].variance / (summaries[i].variance + found->points[i].measured_variance)};
    free(added_L_s);
    free(summaries);
    return status;
}

enum ct_status ct_validation_find(const struct ct_validation_question *question,
                                  struct ct_validation *found_p, struct ct_error *err)
{
    *found_p = (struct ct_validation){.L_s = NAN};
    CT_TRY(read_runs(question, found_p, err));
    CT_TRY(make_model(question, found_p, err));
    CT_TRY(predict_points(question, found_p, err));
    CT_TRY(find_tolerances(question, found_p, err));
    CT_TRY(spread_of(question, found_p, err));
    found_p->rrmse = ct_validation_rrmse(found_p->points, found_p->n_points);
    found_p->limit_s = ct_validation_limit_s(found_p->points, found_p->n_points,
                                             ct_study_constant(CT_STUDY_VALIDATION_LONGER));
    found_p->slope = ct_validation_slope(found_p->runs.runs, found_p->runs.n_runs, found_p->limit_s,
                                         ct_study_constant(CT_STUDY_VALIDATION_LEVEL));
    found_p->slope_predicted =
        ct_validation_predicted_slope(found_p->points, found_p->n_points, found_p->limit_s);
    return CT_OK;
}

void ct_validation_free(struct ct_validation *found)
{
    ct_validation_runs_free(&found->runs);
    free(found->points);
    free(found->by_probe);
    free(found->spreads);
    free(found->tolerances);
    free(found->class_lambdas);
    ct_pass_schedules_free(&found->schedules);
    ct_argv_free(&found->notes);
    *found = (struct ct_validation){0};
}
