#include "study/latency_validation.h"

#include "study/constants.h"
#include "study/pass_draws.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

/* ---- what was measured ---- */

static enum ct_status read_runs(const struct ct_validation_question *question,
                                struct ct_validation *found, struct ct_error *err)
{
    struct ct_validation_runs *runs = &found->runs;
    const char *folder = question->folder;
    double level = ct_study_constant(CT_STUDY_VALIDATION_LEVEL);
    const struct ct_bootstrap setup = {
        .replicates = ct_study_count(CT_STUDY_REPLICATES), .level = level, .seed = question->seed};
    enum ct_status status = ct_validation_runs_read(folder, question->app, &setup, runs, err);
    if (status != CT_OK)
        return status;
    found->points = calloc(runs->n_runs + 1, sizeof *found->points);
    if (!found->points)
        return ct_fail(err, CT_ENOMEM, "%s: out of memory", folder);
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

/* Path of the traces; "": there are none. */
static enum ct_status find_traces(const struct ct_validation_question *question, const char *ending,
                                  char path[PATH_MAX], struct ct_error *err)
{
    struct stat facts;
    int length =
        snprintf(path, PATH_MAX, "%s/traces/%s%s", question->folder, question->app, ending);
    if (length >= PATH_MAX)
        return ct_fail(err, CT_EINVAL, "%s: the path of its traces is too long", question->folder);
    if (stat(path, &facts) != 0)
        *path = '\0';
    return CT_OK;
}

/* T as a function of L, of the traces at a path. */
static enum ct_status compile(const struct ct_validation_question *question, const char *path,
                              const struct ct_parameters *parameters, struct ct_argv *notes,
                              struct ct_graph *graph_p, struct ct_evaluator **evaluator_p,
                              struct ct_error *err)
{
    struct ct_goal goal;
    const struct ct_graph_options options = {.eager_max_bytes = parameters->S_bytes,
                                             .serialize = question->serialize,
                                             .serialize_nic = question->serialize_nic,
                                             .overheads = ct_parameters_overheads(parameters)};
    enum ct_status status = ct_schedule_read(path, &question->convert, &goal, notes, err);
    if (status != CT_OK)
        return status;
    status = ct_graph_take(&goal, &options, graph_p, err);
    if (status != CT_OK)
        return ct_fail_within(err, status, "%s", path);
    struct ct_plane plane = ct_plane_of_latency(ct_parameters_at(parameters, parameters->L_s));
    return ct_evaluator_compile(graph_p, &plane, evaluator_p, err);
}

/* T of the program and, if it was traced, of its longer form. */
static enum ct_status compile_all(const struct ct_validation_question *question,
                                  struct ct_validation *found, struct ct_error *err)
{
    char path[PATH_MAX];
    struct ct_argv known = {0}; /* parts of traces that the first ones lacked, too */
    enum ct_status status = find_traces(question, "", path, err);
    if (status == CT_OK && !*path)
        status = ct_fail(err, CT_ENODATA, "%s: no traces of '%s' in it", question->folder,
                         question->app);
    if (status == CT_OK)
        status = compile(question, path, &found->parameters, &found->notes, &found->graphs[0],
                         &found->schedule, err);
    if (status == CT_OK)
        status = find_traces(question, ".longer", path, err);
    if (status == CT_OK && *path)
        status = compile(question, path, &found->parameters, &known, &found->graphs[1],
                         &found->longer, err);
    ct_argv_free(&known);
    return status;
}

/* The measurement without added latency; with a load, the one alone. */
static const struct ct_validation_point *baseline(const struct ct_validation *found)
{
    return found->runs.has_load ? &found->alone : &found->points[0];
}

static enum ct_status make_model(const struct ct_validation_question *question,
                                 struct ct_validation *found, struct ct_error *err)
{
    const struct ct_parameters_given given = {.L_s = NAN,
                                              .o_s = NAN,
                                              .G_s_per_byte = NAN,
                                              .posterior_path = question->posterior_path,
                                              .logp_path = found->runs.logp_path};
    enum ct_status status = ct_parameters_make(&given, true, &found->parameters, err);
    if (status == CT_OK && ct_parameters_is_measured(&found->parameters))
        status = ct_parameters_resample(found->runs.logp_path, &found->parameters, err);
    if (status == CT_OK)
        status = ct_parameters_draw(&found->parameters, err);
    if (status == CT_OK)
        status = compile_all(question, found, err);
    if (status != CT_OK)
        return status;
    found->model = (struct ct_pass_model){
        .schedule = found->schedule, .longer = found->longer, .threads = question->threads};
    double L_s = found->parameters.L_s, runtime_s;
    status = ct_pass_runtime(&found->model, L_s, &runtime_s, &found->lambda_L, err);
    if (status == CT_OK && !found->longer) {
        found->model.offset_s = baseline(found)->measured_s - runtime_s;
        runtime_s = baseline(found)->measured_s;
    }
    found->alone.predicted_s = runtime_s;
    found->L_s = L_s;
    if (found->runs.has_load)
        found->L_s = fmax(L_s + found->runs.probes[0].added_s, 0);
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
        at->L_s = fmax(found->parameters.L_s + runs->probes[i].added_s, 0);
        return ct_pass_runtime(&found->model, at->L_s, &at->predicted_s, NULL, err);
    }
    return CT_OK;
}

static enum ct_status predict(const struct ct_validation_question *question,
                              struct ct_validation *found, struct ct_error *err)
{
    double L_s = found->L_s, last_s = found->points[found->n_points - 1].delta_L_s;
    found->by_probe = calloc(found->n_points, sizeof *found->by_probe);
    found->tolerances = calloc(question->n_thresholds + 1, sizeof *found->tolerances);
    enum ct_status status = found->by_probe && found->tolerances
                                ? CT_OK
                                : ct_fail(err, CT_ENOMEM, "%s: out of memory", question->folder);
    for (size_t i = 0; i < found->n_points && status == CT_OK; i++) {
        status = ct_pass_runtime(&found->model, L_s + found->points[i].delta_L_s,
                                 &found->points[i].predicted_s, NULL, err);
        if (status == CT_OK)
            status = predict_by_probe(found, i, err);
    }
    for (size_t i = 0; i < question->n_thresholds && status == CT_OK; i++) {
        struct ct_validation_tolerance *tolerance = &found->tolerances[found->n_tolerances++];
        tolerance->threshold_frac = question->threshold_frac[i];
        tolerance->measured_s =
            ct_validation_tolerance_s(found->points, found->n_points, tolerance->threshold_frac);
        status = ct_pass_tolerance(&found->model, L_s, tolerance->threshold_frac, last_s,
                                   &tolerance->predicted_s, err);
    }
    return status;
}

/* What replicates of the parameters predict, beside what runs leave open. */
static enum ct_status spread(const struct ct_validation_question *question,
                             struct ct_validation *found, struct ct_error *err)
{
    size_t n = found->n_points;
    double *added_L_s = malloc((n + 1) * sizeof *added_L_s);
    struct ct_draws_summary *summaries = malloc((n + 1) * sizeof *summaries);
    found->spreads = calloc(n + 1, sizeof *found->spreads);
    enum ct_status status = added_L_s && summaries && found->spreads
                                ? CT_OK
                                : ct_fail(err, CT_ENOMEM, "%s: out of memory", question->folder);
    for (size_t i = 0; i < n && status == CT_OK; i++)
        added_L_s[i] = found->L_s - found->parameters.L_s + found->points[i].delta_L_s;
    const struct ct_pass_draws draws = {.schedule = &found->graphs[0],
                                        .longer = found->longer ? &found->graphs[1] : NULL,
                                        .model = &found->parameters,
                                        .baseline_s = baseline(found)->measured_s,
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
    *found_p = (struct ct_validation){.parameters = ct_parameters_none()};
    enum ct_status status = read_runs(question, found_p, err);
    if (status == CT_OK)
        status = make_model(question, found_p, err);
    if (status == CT_OK)
        status = predict(question, found_p, err);
    if (status == CT_OK)
        status = spread(question, found_p, err);
    if (status != CT_OK)
        return status;
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
    ct_evaluator_free(found->schedule);
    ct_evaluator_free(found->longer);
    ct_graph_free(&found->graphs[0]);
    ct_graph_free(&found->graphs[1]);
    ct_parameters_free(&found->parameters);
    ct_argv_free(&found->notes);
    *found = (struct ct_validation){0};
}
