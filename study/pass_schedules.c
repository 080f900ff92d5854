#include "study/pass_schedules.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

/* ---- parameters ---- */

static struct ct_pair_given given_pairs(const struct ct_pass_source *source)
{
    return (struct ct_pair_given){.path = source->logp_path,
                                  .o_s = NAN,
                                  .G_s_per_byte = NAN,
                                  .L_node_s = NAN,
                                  .G_node_s_per_byte = NAN,
                                  .ranks_per_node = 1};
}

/* If the run of logpb measured classes of paths. */
static enum ct_status take_classes(const struct ct_pass_source *source,
                                   struct ct_pass_schedules *schedules, struct ct_error *err)
{
    const struct ct_pair_given given = given_pairs(source);
    struct ct_run run;
    CT_TRY(ct_run_read(source->logp_path, &run, err));
    schedules->by_class = run.n_paths > 0;
    enum ct_status status = CT_OK;
    if (schedules->by_class &&
        (status = ct_pair_parameters_of_run(&run, &given, &schedules->pairs, err)) != CT_OK)
        ct_fail_within(err, status, "%s", source->logp_path);
    ct_run_free(&run);
    if (status == CT_OK && schedules->by_class)
        status = ct_pair_draws_read(&given, &schedules->pairs, &schedules->pair_draws, err);
    if (status == CT_OK && schedules->by_class)
        schedules->parameters.S_bytes = (size_t)schedules->pairs.S_bytes;
    return status;
}

static enum ct_status take_parameters(const struct ct_pass_source *source,
                                      struct ct_parameters *parameters, struct ct_error *err)
{
    const struct ct_parameters_given given = {.L_s = NAN,
                                              .o_s = NAN,
                                              .G_s_per_byte = NAN,
                                              .posterior_path = source->posterior_path,
                                              .logp_path = source->logp_path};
    CT_TRY(ct_parameters_make(&given, true, parameters, err));
    if (ct_parameters_is_measured(parameters))
        CT_TRY(ct_parameters_resample(source->logp_path, parameters, err));
    return ct_parameters_draw(parameters, err);
}

/* ---- schedules ---- */

/* Path of the traces; "": there are none. */
static enum ct_status find_traces(const struct ct_pass_source *source, const char *ending,
                                  char path[PATH_MAX], struct ct_error *err)
{
    struct stat facts;
    int length = snprintf(path, PATH_MAX, "%s/traces/%s%s", source->folder, source->app, ending);
    if (length >= PATH_MAX)
        return ct_fail(err, CT_EINVAL, "%s: the path of its traces is too long", source->folder);
    if (stat(path, &facts) != 0)
        *path = '\0';
    return CT_OK;
}

/* The longer ones, of whatever number of passes. */
static enum ct_status find_longer(const struct ct_pass_source *source, char path[PATH_MAX],
                                  uint64_t *by_p, struct ct_error *err)
{
    enum ct_status status = CT_OK;
    *path = '\0';
    for (uint64_t by = 1; by <= CT_PASSES_LONGER_MAX && status == CT_OK && !*path; by++) {
        char ending[CT_PASSES_ENDING_MAX];
        ct_passes_ending(by, ending);
        status = find_traces(source, ending, path, err);
        *by_p = by;
    }
    return status;
}

static enum ct_status compile_pass(const char *path, struct ct_pass_schedules *schedules, size_t i,
                                   struct ct_error *err)
{
    const struct ct_parameters *parameters = &schedules->parameters;
    if (!schedules->by_class) {
        struct ct_plane plane = ct_plane_of_latency(ct_parameters_at(parameters, parameters->L_s));
        return ct_evaluator_compile(&schedules->graphs[i], &plane, &schedules->evaluators[i], err);
    }
    enum ct_status status = ct_pair_evaluator_new(&schedules->graphs[i], &schedules->pairs.pairs,
                                                  &schedules->pair_evaluators[i], err);
    return status == CT_OK ? CT_OK : ct_fail_within(err, status, "%s", path);
}

/* T of the traces at a path. */
static enum ct_status add_schedule(const struct ct_pass_source *source, const char *path,
                                   struct ct_pass_schedules *schedules, struct ct_argv *notes,
                                   struct ct_error *err)
{
    const struct ct_parameters *parameters = &schedules->parameters;
    struct ct_goal goal;
    const struct ct_graph_options options = {.eager_max_bytes = parameters->S_bytes,
                                             .serialize = source->serialize,
                                             .serialize_nic = source->serialize_nic,
                                             .overheads = ct_parameters_overheads(parameters),
                                             .peers = schedules->by_class};
    CT_TRY(ct_schedule_read(ct_input_of(path), &source->convert, &goal, notes, err));
    size_t i = schedules->n++;
    enum ct_status status = ct_graph_take(&goal, &options, &schedules->graphs[i], err);
    if (status != CT_OK)
        return ct_fail_within(err, status, "%s", path);
    return compile_pass(path, schedules, i, err);
}

enum ct_status ct_pass_schedules_read(const struct ct_pass_source *source,
                                      struct ct_pass_schedules *schedules_p, struct ct_argv *notes,
                                      struct ct_error *err)
{
    char path[PATH_MAX];
    struct ct_argv known = {0}; /* parts of traces that the first ones lacked, too */
    enum ct_status status = CT_OK;
    *schedules_p = (struct ct_pass_schedules){.parameters = ct_parameters_none()};
    if (!source->posterior_path)
        status = take_classes(source, schedules_p, err);
    if (status == CT_OK && !schedules_p->by_class)
        status = take_parameters(source, &schedules_p->parameters, err);
    if (status == CT_OK)
        status = find_traces(source, "", path, err);
    if (status == CT_OK && !*path)
        status =
            ct_fail(err, CT_ENODATA, "%s: no traces of '%s' in it", source->folder, source->app);
    if (status == CT_OK)
        status = add_schedule(source, path, schedules_p, notes, err);
    if (status == CT_OK)
        status = find_longer(source, path, &schedules_p->longer_by, err);
    if (status == CT_OK && *path)
        status = add_schedule(source, path, schedules_p, &known, err);
    ct_argv_free(&known);
    schedules_p->own_s = schedules_p->by_class ? 0 : schedules_p->parameters.L_s;
    return status;
}

void ct_pass_schedules_free(struct ct_pass_schedules *schedules)
{
    for (size_t i = 0; i < schedules->n; i++) {
        ct_evaluator_free(schedules->evaluators[i]);
        ct_pair_evaluator_free(schedules->pair_evaluators[i]);
        ct_graph_free(&schedules->graphs[i]);
    }
    ct_parameters_free(&schedules->parameters);
    ct_pair_parameters_free(&schedules->pairs);
    ct_pair_draws_free(&schedules->pair_draws);
    *schedules = (struct ct_pass_schedules){.parameters = ct_parameters_none()};
}

/* ---- what they say ---- */

struct ct_pass_model ct_pass_schedules_model(const struct ct_pass_schedules *schedules,
                                             unsigned threads)
{
    const struct ct_evaluator *evaluators[CT_PASS_SCHEDULES_MAX] = {NULL};
    for (size_t i = 0; i < schedules->n; i++)
        evaluators[i] = schedules->by_class ? ct_pair_evaluator_added(schedules->pair_evaluators[i])
                                            : schedules->evaluators[i];
    return (struct ct_pass_model){.schedule = evaluators[0],
                                  .longer = evaluators[1],
                                  .longer_by = (double)schedules->longer_by,
                                  .threads = threads};
}

double ct_pass_schedules_level(const struct ct_pass_schedules *schedules)
{
    return schedules->by_class ? schedules->pair_draws.level
                               : schedules->parameters.replicates.level;
}

enum ct_status ct_pass_schedules_classes(const struct ct_pass_schedules *schedules,
                                         struct ct_pair_lambda *lambdas_p, struct ct_error *err)
{
    uint32_t n_classes = schedules->pairs.pairs.n_classes;
    enum ct_status status = CT_OK;
    for (uint32_t c = 0; c < n_classes; c++)
        lambdas_p[c] = (struct ct_pair_lambda){0};
    for (size_t i = 0; i < schedules->n && status == CT_OK; i++) {
        struct ct_pair_sensitivity found = {0};
        double sign = i + 1 == schedules->n ? 1 : -1;
        if (schedules->n > 1)
            sign /= (double)schedules->longer_by;
        status = ct_pair_sensitivity_find(schedules->pair_evaluators[i], 0, &found, err);
        for (uint32_t c = 0; c < n_classes && status == CT_OK; c++) {
            lambdas_p[c].latencies += sign * found.classes[c].latencies;
            lambdas_p[c].bytes += sign * found.classes[c].bytes;
        }
        ct_pair_sensitivity_free(&found);
    }
    return status;
}
