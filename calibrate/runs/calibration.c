#include "calibrate/runs/calibration.h"

#include "calibrate/constants.h"
#include "results/fingerprint.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void name_output(const struct ct_calibration_request *request,
                        const struct ct_benchmark_output *output, char name[CT_OUTPUT_NAME_MAX])
{
    const char *quantity = ct_benchmark_names[output->quantity];
    char size[CT_UNITS_TEXT_MAX];
    ct_format_size(output->bytes, size);
    if (output->quantity == CT_BENCHMARK_LATENCY)
        snprintf(name, CT_OUTPUT_NAME_MAX, "%s beside %.40s", quantity,
                 ct_calibration_load_name(request->loads, output->bytes));
    else
        snprintf(name, CT_OUTPUT_NAME_MAX, "%s at %s", quantity, size);
}

/* Number of outputs of the benchmark; those of loads follow. */
static size_t count_benchmark_outputs(const struct ct_measured *measured)
{
    size_t n = 0;
    while (n < measured->n && measured->series[n].output.quantity < CT_BENCHMARK_OF_LOGPB)
        n++;
    return n;
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
        return ct_no_memory(err, "calibration");
    double *next = answer->logarithms;
    for (size_t i = 0; i < n; i++) {
        const struct ct_measured_series *series = &measured->series[i];
        name_output(request, &series->output, answer->names[i]);
        answer->observed[i] =
            (struct ct_observed){.name = answer->names[i],
                                 .values = next,
                                 .n = series->n,
                                 .scale = series->output.quantity == CT_BENCHMARK_LATENCY
                                              ? ct_calibrate_constant(CT_CALIBRATE_WAIT_ERROR)
                                              : 1};
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
        return ct_no_memory(err, "calibration");
    size_t n = count_benchmark_outputs(measured);
    for (size_t i = 0; i < n; i++)
        outputs[i] = measured->series[i].output;
    enum ct_status status = ct_benchmark_new(request->benchmark, outputs, n, benchmark_p, err);
    free(outputs);
    return status;
}

/* ---- a round ---- */

/* The largest sparse grid of at most so many points. */
static enum ct_status make_grid(struct ct_design_setup setup, size_t points,
                                struct ct_calibration_round *round, struct ct_error *err)
{
    CT_TRY(ct_design_make(&setup, &round->design, err));
    for (unsigned level = 1; level <= CT_DESIGN_LEVEL_MAX; level++) {
        struct ct_design finer;
        setup.level = level;
        if (ct_design_make(&setup, &finer, NULL) != CT_OK)
            break;
        if (finer.n_points > points) {
            ct_design_free(&finer);
            break;
        }
        ct_design_free(&round->design);
        round->design = finer;
        round->level = level;
    }
    return CT_OK;
}

static enum ct_status make_design(const struct ct_calibration_request *request, size_t n_outputs,
                                  struct ct_calibration_round *round, struct ct_error *err)
{
    const struct ct_design_setup setup = {.kind = request->design,
                                          .n_dims = request->unknowns->n,
                                          .n_points = request->points,
                                          .seed = request->posterior.seed};
    CT_TRY(request->design == CT_DESIGN_SPARSE ? make_grid(setup, request->points, round, err)
                                               : ct_design_make(&setup, &round->design, err));
    round->outputs = malloc(round->design.n_points * n_outputs * sizeof *round->outputs);
    return round->outputs ? CT_OK : ct_no_memory(err, "calibration");
}

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
                              network->buffer_bytes,
                              network->packet_header_bytes,
                              network->message_header_bytes};
    uint64_t loads[2] = {0};
    struct ct_fingerprint *fingerprint = ct_fingerprint_new();
    if (!fingerprint)
        return ct_no_memory(err, "calibration");
    ct_fingerprint_add(fingerprint, numbers, sizeof numbers);
    ct_fingerprint_add_text(fingerprint, request->network);
    if (request->loads)
        ct_calibration_loads_hash(request->loads, loads);
    ct_fingerprint_add(fingerprint, loads, sizeof loads);
    for (size_t i = 0; i < request->measured->n; i++) {
        const struct ct_benchmark_output *output = &request->measured->series[i].output;
        const uint64_t of[] = {output->quantity, output->bytes};
        ct_fingerprint_add(fingerprint, of, sizeof of);
    }
    ct_fingerprint_end(fingerprint, bits);
    return CT_OK;
}

static enum ct_status simulate_points(const struct ct_calibration_request *request,
                                      const struct ct_benchmark *benchmark, size_t n_outputs,
                                      struct ct_calibration_round *round, struct ct_error *err)
{
    struct ct_calibration_points points = {.unknowns = &round->unknowns,
                                           .benchmark = benchmark,
                                           .loads = request->loads,
                                           .n_outputs = n_outputs,
                                           .design = &round->design,
                                           .output = request->output,
                                           .threads = request->posterior.threads,
                                           .log = request->log};
    CT_TRY(hash_inputs(request, points.inputs, err));
    return ct_calibration_simulate(&points, round->outputs, &round->counts, err);
}

static enum ct_status fit_surrogate(const struct ct_calibration_request *request,
                                    const struct ct_calibration_answer *answer,
                                    struct ct_calibration_round *round, struct ct_error *err)
{
    size_t n = round->design.n_points * answer->n_outputs;
    const char **names = malloc((answer->n_outputs + 1) * sizeof *names);
    double *logarithms = malloc((n + 1) * sizeof *logarithms);
    enum ct_status status = names && logarithms ? CT_OK : ct_no_memory(err, "calibration");
    for (size_t i = 0; i < n && status == CT_OK; i++)
        logarithms[i] = log(round->outputs[i]);
    for (size_t i = 0; i < answer->n_outputs && status == CT_OK; i++)
        names[i] = answer->names[i];
    const struct ct_surrogate_data data = {.points = round->design.points,
                                           .n_points = round->design.n_points,
                                           .n_dims = round->design.n_dims,
                                           .outputs = logarithms,
                                           .n_outputs = answer->n_outputs,
                                           .names = names};
    if (status == CT_OK)
        status = ct_surrogate_fit(&data, request->order,
                                  (unsigned)ct_calibrate_constant(CT_CALIBRATE_ORDER),
                                  &round->surrogate, err);
    free(logarithms);
    free(names);
    return status;
}

static void free_round(struct ct_calibration_round *round)
{
    ct_design_free(&round->design);
    free(round->outputs);
    ct_surrogate_free(round->surrogate);
}

/* ---- boxes ---- */

/* The part of a prior that is near its posterior. */
static struct ct_prior narrow_priors(const struct ct_prior *prior,
                                     const struct ct_posterior_parameter *found)
{
    double lo = ct_prior_coordinate(prior, found->interval.lo),
           hi = ct_prior_coordinate(prior, found->interval.hi), width = hi - lo;
    struct ct_prior narrowed = *prior;
    if (prior->kind == CT_PRIOR_NORMAL || found->group == CT_CALIBRATION_NO_GROUP || !(width > 0))
        return narrowed;
    narrowed.a = ct_prior_value(prior, fmax(-1, lo - width));
    narrowed.b = ct_prior_value(prior, fmin(1, hi + width));
    return narrowed;
}

static struct ct_unknowns narrow_all(const struct ct_unknowns *unknowns,
                                     const struct ct_posterior *posterior)
{
    struct ct_unknowns narrowed = *unknowns;
    for (size_t i = 0; i < unknowns->n; i++)
        narrowed.parameters[i].prior =
            narrow_priors(&unknowns->parameters[i].prior, &posterior->parameters[i]);
    return narrowed;
}

/* What the priors predict is found in the first round only. */
static void keep_prior_predictions(const struct ct_posterior *first, struct ct_posterior *later)
{
    for (size_t i = 0; i < later->n_outputs; i++) {
        later->outputs[i].prior = first->outputs[i].prior;
        later->outputs[i].prior_mean = first->outputs[i].prior_mean;
    }
}

/* ---- the whole ---- */

struct ct_calibration ct_calibration_of(const struct ct_calibration_request *request,
                                        const struct ct_calibration_answer *answer)
{
    return (struct ct_calibration){.parameters = request->unknowns->parameters,
                                   .observed = answer->observed,
                                   .surrogate = ct_calibration_last(answer)->surrogate};
}

/* Chains that have not converged are run again, longer: a posterior that is a narrow ridge takes
 * many steps. */
static enum ct_status sample_posterior(const struct ct_calibration_request *request,
                                       const struct ct_calibration *calibration,
                                       struct ct_posterior **posterior_p, struct ct_error *err)
{
    enum { TRIES = 3, LONGER = 4 };
    struct ct_calibration_setup setup = request->posterior;
    struct ct_posterior *posterior = NULL;
    enum ct_status status = CT_OK;
    for (int i = 0; i < TRIES; i++) {
        ct_posterior_free(posterior);
        posterior = NULL;
        status = ct_calibrate(calibration, &setup, &posterior, err);
        if (status != CT_OK || ct_posterior_converged(calibration, posterior, NULL) == CT_OK)
            break;
        setup.warmup *= LONGER;
        setup.thin *= LONGER;
    }
    if (status == CT_OK)
        *posterior_p = posterior;
    return status;
}

static enum ct_status run_round(const struct ct_calibration_request *request,
                                const struct ct_benchmark *benchmark,
                                struct ct_calibration_answer *answer, struct ct_error *err)
{
    struct ct_calibration_round *round = &answer->rounds[answer->n_rounds++];
    struct ct_posterior *before = answer->posterior, *posterior = NULL;
    round->unknowns = before ? narrow_all(request->unknowns, before) : *request->unknowns;
    enum ct_status status = make_design(request, answer->n_outputs, round, err);
    if (status == CT_OK)
        status = simulate_points(request, benchmark, answer->n_outputs, round, err);
    if (status == CT_OK)
        status = fit_surrogate(request, answer, round, err);
    const struct ct_calibration calibration = {.parameters = round->unknowns.parameters,
                                               .observed = answer->observed,
                                               .surrogate = round->surrogate};
    if (status == CT_OK)
        status = sample_posterior(request, &calibration, &posterior, err);
    if (status != CT_OK)
        return status;
    if (before)
        keep_prior_predictions(before, posterior);
    ct_posterior_free(before);
    answer->posterior = posterior;
    return CT_OK;
}

enum ct_status ct_calibration_find(const struct ct_calibration_request *request,
                                   struct ct_calibration_answer *answer_p, struct ct_error *err)
{
    struct ct_calibration_answer answer = {.n_outputs = 0};
    struct ct_benchmark *benchmark = NULL;
    if (request->refine >= CT_CALIBRATION_ROUNDS_MAX)
        return ct_fail(err, CT_EINVAL, "%u rounds after the first; at most %d", request->refine,
                       CT_CALIBRATION_ROUNDS_MAX - 1);
    enum ct_status status = take_outputs(request, &answer, err);
    if (status == CT_OK)
        status = make_benchmark(request, &benchmark, err);
    for (unsigned round = 0; round <= request->refine && status == CT_OK; round++)
        status = run_round(request, benchmark, &answer, err);
    ct_benchmark_free(benchmark);
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
    for (size_t i = 0; i < answer->n_rounds; i++)
        free_round(&answer->rounds[i]);
    ct_posterior_free(answer->posterior);
    *answer = (struct ct_calibration_answer){0};
}
