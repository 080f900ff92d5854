/* T(L): seconds outside, nanoseconds inside. */
#include "libcrosstalk/parameters.h"
#include "libcrosstalk/schedule.h"
#include "lp-bridge/envelope/envelope.h"

#include <math.h>
#include <stdlib.h>

enum { THREADS_MAX = 64 };

struct crosstalk_curve {
    struct crosstalk_parameters parameters; /* those in use; without a path */
    struct ct_parameters model;
    struct ct_graph graph;
    struct ct_evaluator *evaluator;
};

void crosstalk_parameters_init(struct crosstalk_parameters *parameters_p)
{
    *parameters_p =
        (struct crosstalk_parameters){.L_s = NAN, .o_s = NAN, .G_s_per_byte = NAN, .threads = 1};
}

/* ---- parameters ---- */

static enum ct_status take_value(const char *name, double value, double *value_p, char *origin,
                                 struct ct_error *err)
{
    if (isnan(value))
        return CT_OK;
    if (!(value >= 0 && value <= CT_MODEL_MAX_S))
        return ct_fail(err, CT_EINVAL, "%s: %g: not within 0 and %g s", name, value,
                       CT_MODEL_MAX_S);
    *value_p = value;
    snprintf(origin, CT_ORIGIN_MAX, "given");
    return CT_OK;
}

static enum ct_status take_given(const struct crosstalk_parameters *given,
                                 struct ct_parameters *model, struct ct_error *err)
{
    enum ct_status status = take_value("L", given->L_s, &model->L_s, model->L_origin, err);
    if (status == CT_OK)
        status = take_value("o", given->o_s, &model->o_s, model->o_origin, err);
    if (status == CT_OK)
        status = take_value("G", given->G_s_per_byte, &model->G_s_per_byte, model->G_origin, err);
    if (status == CT_OK && (given->threads < 1 || given->threads > THREADS_MAX))
        status = ct_fail(err, CT_EINVAL, "threads: %u: not within 1 and %d", given->threads,
                         THREADS_MAX);
    if (status != CT_OK || !given->has_S)
        return status;
    if (given->S_bytes > SIZE_MAX)
        return ct_fail(err, CT_EINVAL, "S: more than this machine can address");
    model->S_bytes = (size_t)given->S_bytes;
    snprintf(model->S_origin, CT_ORIGIN_MAX, "given");
    return CT_OK;
}

static enum ct_status complete_parameters(const struct crosstalk_parameters *given, bool needs_L,
                                          struct ct_parameters *model, struct ct_error *err)
{
    if (given->logp_path) {
        struct ct_results_guest guest = ct_facade_enter_results();
        enum ct_status status = ct_parameters_measure(given->logp_path, needs_L, model, err);
        ct_facade_leave_results(guest);
        /* Who asks about other latencies needs none. */
        if (status == CT_OK && isnan(model->L_s) && model->measured.L_s >= 0)
            model->L_s = model->measured.L_s;
        return status;
    }
    const char *missing = isnan(model->o_s)              ? "o"
                          : isnan(model->G_s_per_byte)   ? "G"
                          : needs_L && isnan(model->L_s) ? "L"
                                                         : NULL;
    return missing
               ? ct_fail(err, CT_EINVAL,
                         "%s is missing: give it, or a run of logpb that it is taken from", missing)
               : CT_OK;
}

enum ct_status ct_facade_parameters(const struct crosstalk_parameters *given, bool needs_L,
                                    struct ct_parameters *model_p, struct ct_error *err)
{
    struct ct_parameters model = ct_parameters_none();
    enum ct_status status = take_given(given, &model, err);
    if (status == CT_OK)
        status = complete_parameters(given, needs_L, &model, err);
    if (status == CT_OK)
        *model_p = model;
    else
        ct_parameters_free(&model);
    return status;
}

/* ---- the curve ---- */

static enum ct_status build_envelope(const struct crosstalk_schedule *schedule,
                                     struct crosstalk_curve *curve, struct ct_error *err)
{
    const struct ct_graph_options options = {.eager_max_bytes = curve->model.S_bytes,
                                             .serialize = curve->parameters.serialize,
                                             .serialize_nic = curve->parameters.serialize_nic,
                                             .overheads = ct_parameters_overheads(&curve->model)};
    enum ct_status status = ct_graph_build(&schedule->goal, &options, &curve->graph, err);
    if (status != CT_OK)
        return ct_fail_within(err, status, "%s", schedule->path);
    struct ct_plane plane = ct_plane_of_latency(ct_parameters_at(&curve->model, 0));
    return ct_evaluator_compile(&curve->graph, &plane, &curve->evaluator, err);
}

static void describe_curve(struct crosstalk_curve *curve)
{
    struct crosstalk_parameters *used = &curve->parameters;
    used->L_s = curve->model.L_s;
    used->o_s = curve->model.o_s;
    used->G_s_per_byte = curve->model.G_s_per_byte;
    used->has_S = true;
    used->S_bytes = curve->model.S_bytes;
    used->logp_path = NULL;
}

enum crosstalk_status crosstalk_curve_new(const struct crosstalk_schedule *schedule,
                                          const struct crosstalk_parameters *parameters,
                                          struct crosstalk_curve **curve_p,
                                          struct crosstalk_error *error)
{
    struct ct_error err;
    struct crosstalk_curve *curve = calloc(1, sizeof *curve);
    if (!curve)
        return ct_facade_return(ct_no_memory(&err, "curve"), &err, error);
    curve->parameters = *parameters;
    curve->model = ct_parameters_none();
    enum ct_status status = ct_facade_parameters(parameters, false, &curve->model, &err);
    if (status == CT_OK)
        status = build_envelope(schedule, curve, &err);
    if (status != CT_OK) {
        crosstalk_curve_close(curve);
        return ct_facade_return(status, &err, error);
    }
    describe_curve(curve);
    *curve_p = curve;
    return CROSSTALK_OK;
}

void crosstalk_curve_close(struct crosstalk_curve *curve)
{
    if (curve) {
        ct_evaluator_free(curve->evaluator);
        ct_graph_free(&curve->graph);
        ct_parameters_free(&curve->model);
    }
    free(curve);
}

void crosstalk_curve_parameters(const struct crosstalk_curve *curve,
                                struct crosstalk_parameters *parameters_p)
{
    *parameters_p = curve->parameters;
}

/* ---- questions ---- */

static enum ct_status check_latency(double L_s, struct ct_error *err)
{
    return L_s >= 0 && L_s <= CT_MODEL_MAX_S
               ? CT_OK
               : ct_fail(err, CT_EINVAL, "L: %g: not within 0 and %g s", L_s, CT_MODEL_MAX_S);
}

enum crosstalk_status crosstalk_curve_at(const struct crosstalk_curve *curve, double L_s,
                                         struct crosstalk_point *point_p,
                                         struct crosstalk_error *error)
{
    struct ct_error err;
    struct ct_sensitivity found;
    struct ct_loggps at = ct_parameters_at(&curve->model, L_s);
    double lambda_G;
    enum ct_status status = check_latency(L_s, &err);
    if (status == CT_OK)
        status =
            ct_sensitivity_at(curve->evaluator, at.L_ns, curve->parameters.threads, &found, &err);
    if (status == CT_OK)
        status = ct_lambda_gap(&curve->graph, &at, &lambda_G, &err);
    if (status != CT_OK)
        return ct_facade_return(status, &err, error);
    *point_p = (struct crosstalk_point){
        .runtime_s = found.runtime_ns * 1e-9,
        .lambda_L = found.line.slope,
        .lambda_G = lambda_G,
        .rho_L = found.runtime_ns > 0 ? found.line.slope * at.L_ns / found.runtime_ns : 0,
        .L_lo_s = found.lo * 1e-9,
        .L_hi_s = found.hi * 1e-9};
    return CROSSTALK_OK;
}

/* Largest run times in place of the fractions. */
static enum ct_status find_limits(const struct crosstalk_curve *curve,
                                  const struct ct_evaluator *evaluator, double at,
                                  const double *longer_frac, size_t n, double *limits,
                                  struct ct_error *err)
{
    struct ct_line line;
    enum ct_status status =
        ct_evaluator_lines(evaluator, &at, 1, curve->parameters.threads, &line, err);
    for (size_t i = 0; i < n && status == CT_OK; i++) {
        if (!(longer_frac[i] >= 0 && longer_frac[i] < INFINITY))
            status = ct_fail(err, CT_EINVAL, "longer_frac[%zu]: %g: not a number >= 0", i,
                             longer_frac[i]);
        limits[i] = (1 + longer_frac[i]) * ct_line_at(line, at);
    }
    return status;
}

enum crosstalk_status crosstalk_curve_tolerance(const struct crosstalk_curve *curve, double L_s,
                                                const double *longer_frac, size_t n,
                                                double *L_max_s_p, struct crosstalk_error *error)
{
    struct ct_error err;
    double L_ns = ct_ns_from_s(L_s);
    double *limits = malloc((n + 1) * sizeof *limits), *found = malloc((n + 1) * sizeof *found);
    enum ct_status status = check_latency(L_s, &err);
    if (status == CT_OK && (!limits || !found))
        status = ct_no_memory(&err, "tolerance");
    if (status == CT_OK)
        status = find_limits(curve, curve->evaluator, L_ns, longer_frac, n, limits, &err);
    if (status == CT_OK)
        status = ct_tolerance_find(curve->evaluator, L_ns, limits, n, curve->parameters.threads,
                                   found, &err);
    for (size_t i = 0; i < n && status == CT_OK; i++)
        L_max_s_p[i] = found[i] * 1e-9;
    free(limits);
    free(found);
    return ct_facade_return(status, &err, error);
}

/* T as a function of G, with L as it is. */
static enum ct_status find_gaps(const struct crosstalk_curve *curve, double L_s,
                                const double *longer_frac, size_t n, double *limits, double *found,
                                struct ct_error *err)
{
    const struct ct_loggps at = ct_parameters_at(&curve->model, L_s);
    const struct ct_plane plane = ct_plane_of_gap(at);
    struct ct_evaluator *evaluator;
    CT_TRY(ct_evaluator_compile(&curve->graph, &plane, &evaluator, err));
    enum ct_status status =
        find_limits(curve, evaluator, at.G_ns_per_byte, longer_frac, n, limits, err);
    if (status == CT_OK)
        status = ct_tolerance_find(evaluator, at.G_ns_per_byte, limits, n,
                                   curve->parameters.threads, found, err);
    ct_evaluator_free(evaluator);
    return status;
}

enum crosstalk_status crosstalk_curve_gap_tolerance(const struct crosstalk_curve *curve, double L_s,
                                                    const double *longer_frac, size_t n,
                                                    double *G_max_s_per_byte_p,
                                                    struct crosstalk_error *error)
{
    struct ct_error err;
    double *limits = malloc((n + 1) * sizeof *limits), *found = malloc((n + 1) * sizeof *found);
    enum ct_status status = check_latency(L_s, &err);
    if (status == CT_OK && (!limits || !found))
        status = ct_no_memory(&err, "tolerance");
    if (status == CT_OK)
        status = find_gaps(curve, L_s, longer_frac, n, limits, found, &err);
    for (size_t i = 0; i < n && status == CT_OK; i++)
        G_max_s_per_byte_p[i] = found[i] * 1e-9;
    free(limits);
    free(found);
    return ct_facade_return(status, &err, error);
}

static struct crosstalk_piece *publish_pieces(const struct ct_envelope *envelope)
{
    struct crosstalk_piece *pieces = calloc(envelope->n, sizeof *pieces);
    for (size_t i = 0; pieces && i < envelope->n; i++) {
        const struct ct_segment *segment = &envelope->segments[i];
        pieces[i] =
            (struct crosstalk_piece){.L_lo_s = segment->lo * 1e-9,
                                     .L_hi_s = segment->hi * 1e-9,
                                     .runtime_lo_s = ct_line_at(segment->line, segment->lo) * 1e-9,
                                     .lambda_L = segment->line.slope};
    }
    return pieces;
}

enum crosstalk_status crosstalk_curve_pieces(const struct crosstalk_curve *curve, double L_lo_s,
                                             double L_hi_s, struct crosstalk_piece **pieces_p,
                                             size_t *n_p, struct crosstalk_error *error)
{
    struct ct_error err;
    struct ct_envelope envelope = {0};
    struct crosstalk_piece *pieces = NULL;
    enum ct_status status = check_latency(L_lo_s, &err);
    if (status == CT_OK)
        status = check_latency(L_hi_s, &err);
    if (status == CT_OK && !(L_lo_s < L_hi_s))
        status = ct_fail(&err, CT_EINVAL, "L_hi_s: %g: not above L_lo_s, %g", L_hi_s, L_lo_s);
    if (status == CT_OK)
        status = ct_envelope_find(curve->evaluator, ct_ns_from_s(L_lo_s), ct_ns_from_s(L_hi_s),
                                  curve->parameters.threads, &envelope, &err);
    if (status == CT_OK && !(pieces = publish_pieces(&envelope)))
        status = ct_no_memory(&err, "pieces");
    if (status == CT_OK) {
        *pieces_p = pieces;
        *n_p = envelope.n;
    }
    ct_envelope_free(&envelope);
    return ct_facade_return(status, &err, error);
}
