#include "study/calibration.h"

#include "calibrate/constants.h"
#include "study/fingerprint.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static enum ct_status no_memory(struct ct_error *err)
{
    return ct_fail(err, CT_ENOMEM, "calibration: out of memory");
}

/* Names, and logarithms of what was measured. */
static enum ct_status take_outputs(const struct ct_calibration_request *request,
                                   struct ct_calibration_answer *answer, struct ct_error *err)
{
    const struct ct_measured *measured = request->measured;
    size_t n = answer->n_outputs = measured->n, n_values = 0;
    for (size_t i = 0; i < n; i++)
        n_values += measured->series[i].n;
    answer->logarithms = malloc((n_values + 1) * sizeof *answer->logarithms);
    answer->names = calloc(n + 1, sizeof *answer->names);
    answer->observed = calloc(n + 1, sizeof *answer->observed);
    answer->summaries = calloc(n + 1, sizeof *answer->summaries);
    if (!answer->logarithms || !answer->names || !answer->observed || !answer->summaries)
        return no_memory(err);
    double *next = answer->logarithms;
    for (size_t i = 0; i < n; i++) {
        const struct ct_measured_series *series = &measured->series[i];
        char size[CT_UNITS_TEXT_MAX];
        ct_format_size(series->output.bytes, size);
        snprintf(answer->names[i], sizeof answer->names[i], "%s at %s",
                 ct_benchmark_names[series->output.quantity], size);
        answer->observed[i] = (struct ct_observed){
            .name = answer->names[i], .values = next, .n = series->n, .scale = 1};
        for (size_t r = 0; r < series->n; r++)
            *next++ = log(series->values[r]);
    }
    return ct_observed_summarize(answer->observed, n, answer->summaries, err);
}

static enum ct_status make_benchmark(const struct ct_calibration_request *request,
                                     struct ct_benchmark **benchmark_p, struct ct_error *err)
{
    const struct ct_measured *measured = request->measured;
    struct ct_benchmark_output *outputs = malloc((measured->n + 1) * sizeof *outputs);
    if (!outputs)
        return no_memory(err);
    for (size_t i = 0; i < measured->n; i++)
        outputs[i] = measured->series[i].output;
    enum ct_status status =
        ct_benchmark_new(request->benchmark, outputs, measured->n, benchmark_p, err);
    free(outputs);
    return status;
}

/* ---- the design ---- */

/* The largest sparse grid of at most so many points. */
static enum ct_status make_grid(struct ct_design_setup setup, size_t points,
                                struct ct_calibration_answer *answer, struct ct_error *err)
{
    enum ct_status status = ct_design_make(&setup, &answer->design, err);
    for (unsigned level = 1; level <= CT_DESIGN_LEVEL_MAX && status == CT_OK; level++) {
        struct ct_design finer;
        setup.level = level;
        if (ct_design_make(&setup, &finer, NULL) != CT_OK)
            break;
        if (finer.n_points > points) {
            ct_design_free(&finer);
            break;
        }
        ct_design_free(&answer->design);
        answer->design = finer;
        answer->level = level;
    }
    return status;
}

static enum ct_status make_design(const struct ct_calibration_request *request,
                                  struct ct_calibration_answer *answer, struct ct_error *err)
{
    const struct ct_design_setup setup = {.kind = request->design,
                                          .n_dims = request->unknowns->n,
                                          .n_points = request->points,
                                          .seed = request->posterior.seed};
    enum ct_status status = request->design == CT_DESIGN_SPARSE
                                ? make_grid(setup, request->points, answer, err)
                                : ct_design_make(&setup, &answer->design, err);
    if (status != CT_OK)
        return status;
    answer->outputs = malloc(answer->design.n_points * answer->n_outputs * sizeof *answer->outputs);
    return answer->outputs ? CT_OK : no_memory(err);
}

/* ---- simulations ---- */

static enum ct_status hash_inputs(const struct ct_calibration_request *request, uint64_t bits[2],
                                  struct ct_error *err)
{
    const struct ct_benchmark_setup *setup = request->benchmark;
    const struct ct_simulate_network_setup *network = &setup->network;
    const double numbers[] = {setup->kind,
                              setup->messages,
                              setup->window,
                              network->queues.order,
                              network->queues.packet_bytes,
                              network->queues.ahead_bytes,
                              network->queues.burst_bytes,
                              network->packet_bytes,
                              network->buffer_bytes};
    struct ct_fingerprint *fingerprint = ct_fingerprint_new();
    if (!fingerprint)
        return no_memory(err);
    ct_fingerprint_add(fingerprint, numbers, sizeof numbers);
    ct_fingerprint_add_text(fingerprint, request->network);
    for (size_t i = 0; i < request->measured->n; i++) {
        const struct ct_benchmark_output *output = &request->measured->series[i].output;
        const uint64_t of[] = {output->quantity, output->bytes};
        ct_fingerprint_add(fingerprint, of, sizeof of);
    }
    ct_fingerprint_end(fingerprint, bits);
    return CT_OK;
}

static enum ct_status simulate(const struct ct_calibration_request *request,
                               struct ct_calibration_answer *answer, struct ct_error *err)
{
    struct ct_benchmark *benchmark;
    enum ct_status status = make_benchmark(request, &benchmark, err);
    if (status != CT_OK)
        return status;
    struct ct_calibration_points points = {.unknowns = request->unknowns,
                                           .benchmark = benchmark,
                                           .n_outputs = answer->n_outputs,
                                           .design = &answer->design,
                                           .output = request->output,
                                           .threads = request->posterior.threads,
                                           .log = request->log};
    status = hash_inputs(request, points.inputs, err);
    if (status == CT_OK)
        status = ct_calibration_simulate(&points, answer->outputs, &answer->counts, err);
    ct_benchmark_free(benchmark);
    return status;
}

/* ---- the whole ---- */

static enum ct_status fit(const struct ct_calibration_request *request,
                          struct ct_calibration_answer *answer, struct ct_error *err)
{
    size_t n = answer->design.n_points * answer->n_outputs;
    const char **names = malloc((answer->n_outputs + 1) * sizeof *names);
    double *logarithms = malloc((n + 1) * sizeof *logarithms);
    enum ct_status status = names && logarithms ? CT_OK : no_memory(err);
    for (size_t i = 0; i < n && status == CT_OK; i++)
        logarithms[i] = log(answer->outputs[i]);
    for (size_t i = 0; i < answer->n_outputs && status == CT_OK; i++)
        names[i] = answer->names[i];
    const struct ct_surrogate_data data = {.points = answer->design.points,
                                           .n_points = answer->design.n_points,
                                           .n_dims = answer->design.n_dims,
                                           .outputs = logarithms,
                                           .n_outputs = answer->n_outputs,
                                           .names = names};
    if (status == CT_OK)
        status = ct_surrogate_fit(&data, request->order,
                                  (unsigned)ct_calibrate_constant(CT_CALIBRATE_ORDER),
                                  &answer->surrogate, err);
    free(logarithms);
    free(names);
    return status;
}

struct ct_calibration ct_calibration_of(const struct ct_calibration_request *request,
                                        const struct ct_calibration_answer *answer)
{
    return (struct ct_calibration){.parameters = request->unknowns->parameters,
                                   .observed = answer->observed,
                                   .surrogate = answer->surrogate};
}

static void say_what_follows(const struct ct_calibration_request *request, const char *what)
{
    if (request->log->terminal)
        ct_log_info(request->log, "%s", what);
}

enum ct_status ct_calibration_find(const struct ct_calibration_request *request,
                                   struct ct_calibration_answer *answer_p, struct ct_error *err)
{
    struct ct_calibration_answer answer = {.n_outputs = 0};
    enum ct_status status = take_outputs(request, &answer, err);
    if (status == CT_OK)
        status = make_design(request, &answer, err);
    if (status == CT_OK)
        status = simulate(request, &answer, err);
    say_what_follows(request, "fitting polynomials");
    if (status == CT_OK)
        status = fit(request, &answer, err);
    say_what_follows(request, "sampling the posterior");
    const struct ct_calibration calibration = ct_calibration_of(request, &answer);
    if (status == CT_OK)
        status = ct_calibrate(&calibration, &request->posterior, &answer.posterior, err);
    if (status == CT_OK)
        *answer_p = answer;
    else
        ct_calibration_answer_free(&answer);
    return status;
}

void ct_calibration_answer_free(struct ct_calibration_answer *answer)
{
    free(answer->names);
    free(answer->logarithms);
    free(answer->observed);
    free(answer->summaries);
    ct_design_free(&answer->design);
    free(answer->outputs);
    ct_surrogate_free(answer->surrogate);
    ct_posterior_free(answer->posterior);
    *answer = (struct ct_calibration_answer){0};
}
