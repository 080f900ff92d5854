#include "cli/calibrate_figures.h"

#include "plot/uncertainty.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { PATH_MAX_BYTES = 4096, NAME_MAX_BYTES = 80 };

static enum ct_status no_memory(struct ct_error *err)
{
    return ct_fail(err, CT_ENOMEM, "figures: out of memory");
}

/* @return false: too long */
static bool path_of(const char *folder, const char *name, char path[PATH_MAX_BYTES])
{
    int n = snprintf(path, PATH_MAX_BYTES, "%s/%s.svg", folder, name);
    return n > 0 && n < PATH_MAX_BYTES;
}

/* ---- sensitivities ---- */

static enum ct_status draw_sensitivities(const struct ct_calibration_request *request,
                                         const struct ct_calibration_answer *answer,
                                         const char *path, struct ct_error *err)
{
    size_t n = answer->n_outputs, m = request->unknowns->n;
    const char **outputs = malloc((n + 1) * sizeof *outputs), *parameters[CT_STACK_KEYS];
    double *total = malloc((n * m + 1) * sizeof *total), first[CT_STACK_KEYS];
    enum ct_status status = outputs && total ? CT_OK : no_memory(err);
    for (size_t i = 0; i < n && status == CT_OK; i++) {
        outputs[i] = answer->names[i];
        ct_surrogate_indices(ct_calibration_first(answer)->surrogate, i, first, total + i * m);
    }
    for (size_t p = 0; p < m; p++)
        parameters[p] = request->unknowns->parameters[p].name;
    const struct ct_sensitivities sensitivities = {.title = "Total sensitivity indices",
                                                   .outputs = outputs,
                                                   .n_outputs = n,
                                                   .parameters = parameters,
                                                   .n_parameters = m,
                                                   .total = total};
    if (status == CT_OK)
        status = ct_sensitivities_write(&sensitivities, path, err);
    free(outputs);
    free(total);
    return status;
}

/* ---- predictions ---- */

/* Arrays of a figure, in the unit that it shows. */
struct curves {
    double *x, *values[3], *lo[3], *hi[3]; /* prior, posterior, a run */
    double *measured_x, *measured_y;
    size_t n, n_measured;
};

static void free_curves(struct curves *curves)
{
    free(curves->x);
    for (size_t i = 0; i < 3; i++) {
        free(curves->values[i]);
        free(curves->lo[i]);
        free(curves->hi[i]);
    }
    free(curves->measured_x);
    free(curves->measured_y);
}

static bool make_curves(size_t n, size_t n_measured, struct curves *curves)
{
    size_t bytes = (n + 1) * sizeof(double);
    bool good = (curves->x = malloc(bytes)) != NULL;
    for (size_t i = 0; i < 3; i++) {
        curves->values[i] = malloc(bytes);
        curves->lo[i] = malloc(bytes);
        curves->hi[i] = malloc(bytes);
        good = good && curves->values[i] && curves->lo[i] && curves->hi[i];
    }
    curves->measured_x = malloc((n_measured + 1) * sizeof(double));
    curves->measured_y = malloc((n_measured + 1) * sizeof(double));
    return good && curves->measured_x && curves->measured_y;
}

/* @param scale  [in] of the unit that is shown */
static void add_point(const struct ct_posterior_output *found,
                      const struct ct_measured_series *series, double scale, struct curves *curves)
{
    const double middles[] = {found->prior_mean, found->most_likely, found->most_likely};
    const struct ct_interval intervals[] = {found->prior, found->interval, found->run};
    size_t at = curves->n++;
    curves->x[at] = (double)series->output.bytes;
    for (size_t i = 0; i < 3; i++) {
        curves->values[i][at] = exp(middles[i]) * scale;
        curves->lo[i][at] = exp(intervals[i].lo) * scale;
        curves->hi[i][at] = exp(intervals[i].hi) * scale;
    }
    for (size_t r = 0; r < series->n; r++) {
        curves->measured_x[curves->n_measured] = (double)series->output.bytes;
        curves->measured_y[curves->n_measured++] = series->values[r] * scale;
    }
}

static struct ct_predicted predicted_of(const struct curves *curves, size_t i)
{
    return (struct ct_predicted){curves->values[i], curves->lo[i], curves->hi[i]};
}

static enum ct_status draw_predictions(const struct ct_calibration_request *request,
                                       const struct ct_calibration_answer *answer,
                                       enum ct_benchmark_quantity quantity, const char *path,
                                       struct ct_error *err)
{
    static const char *const labels[] = {"throughput [MB/s]", "round trip [us]", "latency [us]"};
    static const double scales[] = {1e-6, 1e6, 1e6};
    const struct ct_measured *measured = request->measured;
    struct curves curves = {.n = 0};
    size_t n_measured = 0;
    for (size_t i = 0; i < measured->n; i++)
        n_measured += measured->series[i].n;
    enum ct_status status = make_curves(measured->n, n_measured, &curves) ? CT_OK : no_memory(err);
    for (size_t i = 0; i < measured->n && status == CT_OK; i++)
        if (measured->series[i].output.quantity == quantity && measured->series[i].output.bytes > 0)
            add_point(&answer->posterior->outputs[i], &measured->series[i], scales[quantity],
                      &curves);
    const struct ct_predictions predictions = {.x_label = "size of messages [B]",
                                               .y_label = labels[quantity],
                                               .x_log = true,
                                               .y_log = true,
                                               .level = request->posterior.level,
                                               .x = curves.x,
                                               .n = curves.n,
                                               .prior = predicted_of(&curves, 0),
                                               .posterior = predicted_of(&curves, 1),
                                               .run = predicted_of(&curves, 2),
                                               .measured_x = curves.measured_x,
                                               .measured_y = curves.measured_y,
                                               .n_measured = curves.n_measured};
    if (status == CT_OK && curves.n > 0)
        status = ct_predictions_write(&predictions, path, err);
    free_curves(&curves);
    return status;
}

/* ---- parameters ---- */

/* What is drawn of each parameter, in the unit that is shown. */
struct axes {
    char names[CT_STACK_KEYS][NAME_MAX_BYTES];
    const char *name_of[CT_STACK_KEYS];
    double scale[CT_STACK_KEYS], lo[CT_STACK_KEYS], hi[CT_STACK_KEYS], most_likely[CT_STACK_KEYS];
    double prior[CT_STACK_KEYS * CT_PAIRS_BINS];
};

static void make_axis(const struct ct_parameter *parameter, double most_likely, size_t i,
                      struct axes *axes)
{
    bool is_time = strcmp(parameter->unit, "s") == 0;
    double scale = is_time ? 1e6 : 1e-9, lo = ct_prior_value(&parameter->prior, -1),
           hi = ct_prior_value(&parameter->prior, 1);
    snprintf(axes->names[i], NAME_MAX_BYTES, "%s [%s]", parameter->name, is_time ? "us" : "GB/s");
    axes->name_of[i] = axes->names[i];
    axes->scale[i] = scale;
    axes->lo[i] = lo * scale;
    axes->hi[i] = hi * scale;
    axes->most_likely[i] = most_likely * scale;
    for (size_t bin = 0; bin < CT_PAIRS_BINS; bin++) {
        double value = lo + ((double)bin + 0.5) / CT_PAIRS_BINS * (hi - lo);
        axes->prior[i * CT_PAIRS_BINS + bin] = ct_prior_density(&parameter->prior, value) / scale;
    }
}

static enum ct_status draw_parameters(const struct ct_calibration_request *request,
                                      const struct ct_calibration_answer *answer, const char *path,
                                      struct ct_error *err)
{
    const struct ct_posterior *posterior = answer->posterior;
    size_t m = posterior->n_parameters, n_draws = posterior->n_chains * posterior->n_steps;
    double *draws = malloc(n_draws * m * sizeof *draws);
    struct axes *axes = malloc(sizeof *axes);
    enum ct_status status = draws && axes ? CT_OK : no_memory(err);
    for (size_t i = 0; i < m && status == CT_OK; i++)
        make_axis(&request->unknowns->parameters[i], posterior->parameters[i].most_likely, i, axes);
    for (size_t i = 0; i < n_draws * m && status == CT_OK; i++)
        draws[i] = posterior->draws[i] * axes->scale[i % m];
    if (status == CT_OK) {
        const struct ct_pairs pairs = {.names = axes->name_of,
                                       .n = m,
                                       .draws = draws,
                                       .n_draws = n_draws,
                                       .lo = axes->lo,
                                       .hi = axes->hi,
                                       .prior = axes->prior,
                                       .most_likely = axes->most_likely};
        status = ct_pairs_write(&pairs, path, err);
    }
    free(axes);
    free(draws);
    return status;
}

enum ct_status ct_calibrate_draw(const struct ct_calibration_request *request,
                                 const struct ct_calibration_answer *answer, const char *folder,
                                 struct ct_error *err)
{
    char path[PATH_MAX_BYTES];
    if (!path_of(folder, ct_benchmark_names[CT_BENCHMARK_THROUGHPUT], path))
        return ct_fail(err, CT_EINVAL, "--figures: a path that is too long");
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return ct_fail(err, CT_EIO, "--figures: %s: %s", folder, strerror(errno));
    path_of(folder, "sensitivities", path);
    enum ct_status status = draw_sensitivities(request, answer, path, err);
    for (int quantity = 0; quantity < CT_BENCHMARK_QUANTITIES && status == CT_OK; quantity++) {
        path_of(folder, ct_benchmark_names[quantity], path);
        status = draw_predictions(request, answer, (enum ct_benchmark_quantity)quantity, path, err);
    }
    path_of(folder, "parameters", path);
    return status == CT_OK ? draw_parameters(request, answer, path, err) : status;
}
