#include "calibrate/runs/posterior_file.h"

#include "calibrate/runs/posterior_draws.h"
#include "results/arrays.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- writing ---- */

/* A file that is being filled: after a failure nothing more is added. */
struct writer {
    const struct ct_calibration_request *request;
    const struct ct_calibration_answer *answer;
    size_t m, n; /* parameters, outputs */
    struct ct_arrays file;
    enum ct_status status;
    struct ct_error *err;
};

#define DIMS(...)                                                                                  \
    ((const size_t[]){__VA_ARGS__}), sizeof((const size_t[]){__VA_ARGS__}) / sizeof(size_t)

static void add_array(struct writer *writer, const char *path, const char *about,
                      const size_t *dims, size_t n_dims, const double *values)
{
    if (writer->status == CT_OK)
        writer->status =
            ct_arrays_add(&writer->file, path, about, dims, n_dims, values, writer->err);
}

static void add_names(struct writer *writer, const char *path, const char *about,
                      const char *const *names, size_t n)
{
    if (writer->status == CT_OK)
        writer->status = ct_arrays_add_names(&writer->file, path, about, names, n, writer->err);
}

/* Room for numbers; NULL after a failure. */
static double *reserve_numbers(struct writer *writer, size_t n)
{
    double *values = writer->status == CT_OK ? malloc((n + 1) * sizeof *values) : NULL;
    if (!values && writer->status == CT_OK)
        writer->status = ct_no_memory(writer->err, "posterior");
    return values;
}

/* A column of a struct array of parameters or outputs. */
static void add_column(struct writer *writer, const char *path, const char *about,
                       const void *first, size_t stride, size_t n, bool is_logarithm)
{
    double *values = reserve_numbers(writer, n);
    if (!values)
        return;
    for (size_t i = 0; i < n; i++) {
        memcpy(&values[i], (const char *)first + i * stride, sizeof *values);
        if (is_logarithm)
            values[i] = exp(values[i]);
    }
    add_array(writer, path, about, &n, 1, values);
    free(values);
}

/* The same of intervals. */
static void add_intervals(struct writer *writer, const char *path, const char *about,
                          const void *first, size_t stride, size_t n, bool is_logarithm)
{
    double *values = reserve_numbers(writer, 2 * n);
    if (!values)
        return;
    for (size_t i = 0; i < n; i++) {
        memcpy(&values[2 * i], (const char *)first + i * stride, sizeof(struct ct_interval));
        for (size_t end = 0; end < 2 && is_logarithm; end++)
            values[2 * i + end] = exp(values[2 * i + end]);
    }
    add_array(writer, path, about, DIMS(n, 2), values);
    free(values);
}

/* The same of numbers of groups. */
static void add_groups(struct writer *writer, const char *path, const char *about, const int *first,
                       size_t stride, size_t n)
{
    double *values = reserve_numbers(writer, n);
    for (size_t i = 0; i < n && values; i++)
        values[i] = *(const int *)(const void *)((const char *)first + i * stride);
    if (values)
        add_array(writer, path, about, &n, 1, values);
    free(values);
}

static void add_parameters(struct writer *writer)
{
    const struct ct_unknowns *unknowns = writer->request->unknowns;
    const char *names[CT_STACK_KEYS], *units[CT_STACK_KEYS], *kinds[CT_STACK_KEYS];
    double bounds[2 * CT_STACK_KEYS], fixed[CT_STACK_KEYS];
    for (size_t i = 0; i < unknowns->n; i++) {
        const struct ct_parameter *parameter = &unknowns->parameters[i];
        names[i] = parameter->name;
        units[i] = parameter->unit;
        kinds[i] = ct_prior_kind_text(parameter->prior.kind);
        bounds[2 * i] = parameter->prior.a;
        bounds[2 * i + 1] = parameter->prior.b;
    }
    add_names(writer, "parameters/names", "parameters with a prior: keys of crosstalk simulate",
              names, unknowns->n);
    add_names(writer, "parameters/units", "units of their values", units, unknowns->n);
    add_names(writer, "parameters/prior_kinds", "kinds of their priors", kinds, unknowns->n);
    add_array(writer, "parameters/priors",
              "from, to; of normal priors mean, standard deviation; in units of the parameters",
              DIMS(unknowns->n, 2), bounds);
    size_t n = 0;
    for (size_t k = 0, i = 0; k < CT_STACK_KEYS; k++) {
        bool is_unknown = i < unknowns->n && unknowns->keys[i] == k;
        i += is_unknown;
        if (is_unknown || !ct_stack_counts(&unknowns->fixed, k))
            continue;
        names[n] = ct_stack_key_name(k);
        fixed[n++] = ct_stack_value(&unknowns->fixed, k);
    }
    add_names(writer, "fixed/names", "the other keys of crosstalk simulate that count", names, n);
    add_array(writer, "fixed/values",
              "their values: B/s, s, B, a count, of a choice its number from 0", DIMS(n), fixed);
}

static void add_output_names(struct writer *writer)
{
    const char **names = malloc((writer->n + 1) * sizeof *names);
    if (!names) {
        writer->status = ct_no_memory(writer->err, "posterior");
        return;
    }
    for (size_t i = 0; i < writer->n; i++)
        names[i] = writer->answer->names[i];
    add_names(writer, "outputs/names", "what was measured and simulated", names, writer->n);
    free(names);
}

static void add_data(struct writer *writer)
{
    const struct ct_measured *measured = writer->request->measured;
    size_t n_values = 0, at = 0;
    for (size_t i = 0; i < writer->n; i++)
        n_values += measured->series[i].n;
    double *values = reserve_numbers(writer, 2 * n_values),
           *bytes = reserve_numbers(writer, writer->n);
    const char **quantities = malloc((writer->n + 1) * sizeof *quantities);
    if (!quantities && writer->status == CT_OK)
        writer->status = ct_no_memory(writer->err, "posterior");
    for (size_t i = 0; i < writer->n && writer->status == CT_OK; i++) {
        const struct ct_measured_series *series = &measured->series[i];
        quantities[i] = ct_benchmark_names[series->output.quantity];
        bytes[i] = (double)series->output.bytes;
        for (size_t r = 0; r < series->n; r++, at++) {
            values[2 * at] = (double)i;
            values[2 * at + 1] = series->values[r];
        }
    }
    if (writer->status == CT_OK) {
        add_names(writer, "outputs/quantities", "throughput (B/s), round-trip or latency (s)",
                  quantities, writer->n);
        add_array(writer, "outputs/bytes",
                  "sizes of messages, B; of latency the number of the load from 1", DIMS(writer->n),
                  bytes);
        add_array(writer, "data/values",
                  "repetitions: index of the output, measured value, B/s or s", DIMS(n_values, 2),
                  values);
    }
    free(quantities);
    free(bytes);
    free(values);
}

/* ---- rounds ---- */

/* A dataset of the first round, or of the last one: "design/points", "refined/points". */
static void add_of(struct writer *writer, const struct ct_calibration_round *round,
                   const char *name, const char *about, const size_t *dims, size_t n_dims,
                   const double *values)
{
    char path[80];
    bool is_first = round == ct_calibration_first(writer->answer);
    snprintf(path, sizeof path, "%s/%s", is_first ? "design" : "refined", name);
    add_array(writer, path, about, dims, n_dims, values);
}

/* Points in units of parameters. */
static void add_design(struct writer *writer, const struct ct_calibration_round *round)
{
    const struct ct_design *design = &round->design;
    double bounds[2 * CT_STACK_KEYS];
    size_t n = design->n_points * design->n_dims;
    double *values = reserve_numbers(writer, n);
    if (!values)
        return;
    for (size_t i = 0; i < n; i++)
        values[i] = ct_prior_value(&round->unknowns.parameters[i % design->n_dims].prior,
                                   design->points[i]);
    for (size_t i = 0; i < 2 * writer->m; i++) {
        const struct ct_prior *prior = &round->unknowns.parameters[i / 2].prior;
        bounds[i] = ct_prior_value(prior, i % 2 > 0 ? 1 : -1);
    }
    add_of(writer, round, "bounds", "[parameter]: from, to, in units of parameters",
           DIMS(writer->m, 2), bounds);
    add_of(writer, round, "points", "[point, parameter]: where simulations were made",
           DIMS(design->n_points, design->n_dims), values);
    add_of(writer, round, "coordinates", "[point, parameter]: the same from -1 to 1",
           DIMS(design->n_points, design->n_dims), design->points);
    add_of(writer, round, "outputs", "[point, output]: results of the simulations, B/s and s",
           DIMS(design->n_points, writer->n), round->outputs);
    free(values);
}

static size_t most_terms(const struct ct_surrogate *surrogate)
{
    size_t most = 0;
    for (size_t i = 0; i < ct_surrogate_n_outputs(surrogate); i++)
        if (ct_surrogate_n_terms(surrogate, i) > most)
            most = ct_surrogate_n_terms(surrogate, i);
    return most;
}

static void add_terms(struct writer *writer, const struct ct_calibration_round *round)
{
    const struct ct_surrogate *surrogate = round->surrogate;
    size_t terms = most_terms(surrogate);
    double *powers = reserve_numbers(writer, terms * writer->m),
           *values = reserve_numbers(writer, terms * writer->n);
    for (size_t t = 0; t < terms && writer->status == CT_OK; t++)
        for (size_t d = 0; d < writer->m; d++)
            powers[t * writer->m + d] = ct_surrogate_term(surrogate, t)[d];
    for (size_t i = 0; i < writer->n && writer->status == CT_OK; i++) {
        const double *coefficients = ct_surrogate_coefficients(surrogate, i);
        for (size_t t = 0; t < terms; t++)
            values[i * terms + t] = t < ct_surrogate_n_terms(surrogate, i) ? coefficients[t] : 0;
    }
    add_of(writer, round, "orders", "[term, parameter]: orders of Legendre's polynomials",
           DIMS(terms, writer->m), powers);
    add_of(writer, round, "coefficients",
           "[output, term], for the natural logarithm of an output; 0 beyond its order",
           DIMS(writer->n, terms), values);
    free(values);
    free(powers);
}

static void add_errors(struct writer *writer, const struct ct_calibration_round *round)
{
    const struct ct_surrogate *surrogate = round->surrogate;
    double *values = reserve_numbers(writer, 3 * writer->n);
    if (!values)
        return;
    for (size_t i = 0; i < writer->n; i++) {
        values[3 * i] = ct_surrogate_order(surrogate, i);
        values[3 * i + 1] = sqrt(ct_surrogate_loo_variance(surrogate, i));
        values[3 * i + 2] = ct_surrogate_loo_share(surrogate, i);
    }
    add_of(writer, round, "errors",
           "[output]: order of its polynomial; leave-one-out error, a share of the output; its "
           "square as a share of the variance over the design",
           DIMS(writer->n, 3), values);
    free(values);
}

static void add_round(struct writer *writer, const struct ct_calibration_round *round)
{
    add_design(writer, round);
    add_terms(writer, round);
    add_errors(writer, round);
}

static void add_indices(struct writer *writer)
{
    size_t n = writer->n * writer->m;
    double *first = reserve_numbers(writer, n), *total = reserve_numbers(writer, n);
    for (size_t i = 0; i < writer->n && writer->status == CT_OK; i++)
        ct_surrogate_indices(ct_calibration_first(writer->answer)->surrogate, i,
                             first + i * writer->m, total + i * writer->m);
    add_array(writer, "sobol/first",
              "[output, parameter]: share of the variance by a parameter alone",
              DIMS(writer->n, writer->m), first);
    add_array(writer, "sobol/total", "[output, parameter]: by a parameter alone and with others",
              DIMS(writer->n, writer->m), total);
    free(total);
    free(first);
}

/* ---- posterior ---- */

static void add_chains(struct writer *writer)
{
    const struct ct_posterior *posterior = writer->answer->posterior;
    size_t chains = posterior->n_chains, steps = posterior->n_steps;
    add_array(writer, "chains/draws", "[chain, step, parameter], in units of parameters",
              DIMS(chains, steps, writer->m), posterior->draws);
    add_array(writer, "chains/log_likelihood", "[chain, step]", DIMS(chains, steps),
              posterior->log_likelihood);
    if (posterior->discrepancy)
        add_array(writer, "chains/discrepancy",
                  "[chain, step, group]: standard deviation of the simulator's own error, a share",
                  DIMS(chains, steps, posterior->n_groups), posterior->discrepancy);
    add_array(writer, "chains/acceptance", "[group, chain]: share of proposals that were accepted",
              DIMS(posterior->n_groups, chains), posterior->acceptance);
}

#define PARAMETER(field) &parameters[0].field, sizeof *parameters, writer->m

static void add_summaries(struct writer *writer)
{
    const struct ct_posterior_parameter *parameters = writer->answer->posterior->parameters;
    add_column(writer, "posterior/most_likely", "of all parameters together",
               PARAMETER(most_likely), false);
    add_column(writer, "posterior/mean", "means", PARAMETER(mean), false);
    add_column(writer, "posterior/deviation", "standard deviations", PARAMETER(deviation), false);
    add_column(writer, "posterior/median", "medians", PARAMETER(median), false);
    add_intervals(writer, "posterior/interval", "intervals of quantiles, of the level of the file",
                  PARAMETER(interval), false);
    add_column(writer, "posterior/r_hat", "split R-hat of the chains", PARAMETER(r_hat), false);
    add_column(writer, "posterior/effective", "effective sample sizes", PARAMETER(effective),
               false);
    add_groups(writer, "posterior/group",
               "parameters with the same number were sampled together; -1: the data do not depend "
               "on the parameter",
               &parameters[0].group, sizeof *parameters, writer->m);
}

#define OUTPUT(field) &outputs[0].field, sizeof *outputs, writer->n

static void add_predictions(struct writer *writer)
{
    const struct ct_posterior_output *outputs = writer->answer->posterior->outputs;
    add_groups(writer, "predictions/group",
               "parameters of this number, and their discrepancy, decide the output; -1: none",
               &outputs[0].group, sizeof *outputs, writer->n);
    add_intervals(writer, "predictions/prior", "intervals over the prior", OUTPUT(prior), true);
    add_column(writer, "predictions/prior_mean", "geometric means over the prior",
               OUTPUT(prior_mean), true);
    add_column(writer, "predictions/most_likely", "at the most likely values", OUTPUT(most_likely),
               true);
    add_column(writer, "predictions/mean", "geometric means over the posterior", OUTPUT(mean),
               true);
    add_intervals(writer, "predictions/interval", "what parameters contribute", OUTPUT(interval),
                  true);
    add_intervals(writer, "predictions/run", "of one further repetition", OUTPUT(run), true);
    add_column(writer, "predictions/variance_parameters",
               "parts of the variance of the logarithm of a further repetition: parameters",
               OUTPUT(variance_parameters), false);
    add_column(writer, "predictions/variance_model", "error of polynomials and of the simulator",
               OUTPUT(variance_model), false);
    add_column(writer, "predictions/variance_runs", "scatter of repetitions", OUTPUT(variance_runs),
               false);
    add_column(writer, "predictions/misfit",
               "predicted at the most likely values less measured, in standard deviations",
               OUTPUT(misfit), false);
}

enum ct_status ct_posterior_file_write(const struct ct_calibration_request *request,
                                       const struct ct_calibration_answer *answer,
                                       const struct ct_run_info *about, struct ct_error *err)
{
    struct writer writer = {.request = request,
                            .answer = answer,
                            .m = request->unknowns->n,
                            .n = answer->n_outputs,
                            .err = err};
    add_parameters(&writer);
    add_output_names(&writer);
    add_data(&writer);
    add_round(&writer, ct_calibration_first(answer));
    if (answer->n_rounds > 1)
        add_round(&writer, ct_calibration_last(answer));
    add_indices(&writer);
    add_chains(&writer);
    add_summaries(&writer);
    add_predictions(&writer);
    writer.file.info.facts = about->facts;
    writer.file.info.n_facts = about->n_facts;
    if (writer.status == CT_OK)
        writer.status = ct_arrays_write(request->output, CT_POSTERIOR_KIND, &writer.file, err);
    writer.file.info = (struct ct_run_info){.app = NULL};
    ct_arrays_free(&writer.file);
    return writer.status;
}
