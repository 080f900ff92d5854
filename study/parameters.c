#include "study/parameters.h"

#include "study/constants.h"
#include "study/logp_points.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

double ct_ns_from_s(double seconds)
{
    double ns = seconds * 1e9, whole = round(ns * 1e6) / 1e6;
    return fabs(whole - ns) <= 8 * DBL_EPSILON * ns ? whole : ns;
}

struct ct_parameters ct_parameters_none(void)
{
    return (struct ct_parameters){.L_s = NAN,
                                  .o_s = NAN,
                                  .G_s_per_byte = NAN,
                                  .S_bytes = ct_study_count(CT_STUDY_EAGER_BYTES)};
}

/* ---- given ---- */

static void take(double value, const char *name, double *value_p, char *origin)
{
    if (isnan(value))
        return;
    *value_p = value;
    snprintf(origin, CT_ORIGIN_MAX, "--%s", name);
}

static void take_given(const struct ct_parameters_given *given, struct ct_parameters *model)
{
    take(given->L_s, "L", &model->L_s, model->L_origin);
    take(given->o_s, "o", &model->o_s, model->o_origin);
    take(given->G_s_per_byte, "G", &model->G_s_per_byte, model->G_origin);
    if (given->has_S) {
        model->S_bytes = given->S_bytes;
        snprintf(model->S_origin, CT_ORIGIN_MAX, "--S");
    }
}

static enum ct_status demand_given(const struct ct_parameters *model, bool needs_L,
                                   struct ct_error *err)
{
    const struct {
        const char *name;
        bool is_missing;
    } values[] = {{"L", needs_L && isnan(model->L_s)},
                  {"o", isnan(model->o_s)},
                  {"G", isnan(model->G_s_per_byte)}};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        if (values[i].is_missing)
            return ct_fail(
                err, CT_EUSAGE,
                "--%s DURATION is missing, or --logp FILE.h5 with a run of logpb; see --help",
                values[i].name);
    return CT_OK;
}

/* ---- measured ---- */

static void take_S(const struct ct_logp_curve *curve, const char *path, struct ct_parameters *model)
{
    const struct ct_loggp_threshold *threshold = &curve->threshold;
    if (*model->S_origin || curve->n == 0)
        return;
    model->S_bytes = ct_logp_curve_eager_bytes(curve);
    if (threshold->found)
        snprintf(model->S_origin, CT_ORIGIN_MAX, "%s: larger %s, confidence %.2g", path,
                 threshold->by_receiver ? "messages wait for their receiver"
                                        : "sends wait for a handshake",
                 threshold->confidence);
    else
        snprintf(model->S_origin, CT_ORIGIN_MAX, "%s: its largest size, no handshake up to there",
                 path);
}

static void describe_overheads(const struct ct_loggps_model *measured, const char *path,
                               char *origin)
{
    int n = snprintf(origin, CT_ORIGIN_MAX, "%s: %zu sizes", path, measured->overheads.n);
    if (measured->n_disturbed > 0 && n > 0 && n < CT_ORIGIN_MAX)
        snprintf(origin + n, CT_ORIGIN_MAX - (size_t)n,
                 "; %zu left out, where overheads are longer than the message took",
                 measured->n_disturbed);
}

/* A run file can hold any number. */
static enum ct_status check_measured(const struct ct_loggps_model *measured, const char *path,
                                     struct ct_error *err)
{
    double most_s = fmax(measured->L_s, measured->G_s_per_byte);
    for (size_t i = 0; i < measured->overheads.n; i++)
        most_s = fmax(
            most_s, fmax(measured->overheads.sizes[i].send_s, measured->overheads.sizes[i].recv_s));
    if (most_s > CT_MODEL_MAX_S)
        return ct_fail(err, CT_EINVAL, "%s: a parameter of %g s; more than %g s", path, most_s,
                       CT_MODEL_MAX_S);
    return CT_OK;
}

/* What was not given; origins tell. */
static enum ct_status take_measured(const char *path, bool needs_L, struct ct_parameters *model,
                                    struct ct_error *err)
{
    const struct ct_loggps_model *measured = &model->measured;
    if (needs_L && !*model->L_origin) {
        if (!(measured->L_s >= 0))
            return ct_fail(err, CT_ENODATA,
                           "%s: L comes out as %.4g us: small messages took less than their "
                           "overheads, as on a busy machine; measure again, or give L",
                           path, measured->L_s * 1e6);
        model->L_s = measured->L_s;
        model->L_is_measured = true;
        snprintf(model->L_origin, CT_ORIGIN_MAX, "%s: line through the sizes up to %d B", path,
                 CT_LOGGPS_SMALL_BYTES);
    }
    if (!*model->G_origin) {
        if (isnan(measured->G_s_per_byte))
            return ct_fail(err, CT_ENODATA,
                           "%s: no message above %d B was measured; measure again, or give G", path,
                           CT_LOGGPS_SMALL_BYTES);
        model->G_s_per_byte = measured->G_s_per_byte;
        model->G_is_measured = true;
        snprintf(model->G_origin, CT_ORIGIN_MAX, "%s: round trip of its largest message, %llu B",
                 path, (unsigned long long)measured->largest_bytes);
    }
    if (!*model->o_origin)
        describe_overheads(measured, path, model->o_origin);
    return CT_OK;
}

static enum ct_status read_curve(const char *path, struct ct_logp_curve *curve_p,
                                 struct ct_error *err)
{
    struct ct_run run;
    enum ct_status status = ct_run_read(path, &run, err);
    if (status != CT_OK)
        return status;
    if (run.info.kind != CT_RUN_LOGP)
        status = ct_fail(err, CT_EINVAL, "%s: a run of kind %s; logpb makes runs of kind %s", path,
                         ct_run_kind_text(run.info.kind), ct_run_kind_text(CT_RUN_LOGP));
    else if (ct_logp_curve_take(&run, curve_p, err) != CT_OK)
        status = ct_fail_within(err, CT_ENOMEM, "%s", path);
    ct_run_free(&run);
    return status;
}

enum ct_status ct_parameters_measure(const char *path, bool needs_L, struct ct_parameters *model,
                                     struct ct_error *err)
{
    struct ct_logp_curve curve;
    enum ct_status status = read_curve(path, &curve, err);
    if (status != CT_OK)
        return status;
    take_S(&curve, path, model);
    status = ct_loggps_model_derive(curve.points, curve.n, model->S_bytes, &model->measured, err);
    ct_logp_curve_free(&curve);
    if (status != CT_OK)
        return ct_fail_within(err, status, "%s", path);
    status = check_measured(&model->measured, path, err);
    return status == CT_OK ? take_measured(path, needs_L, model, err) : status;
}

/* ---- replicates ---- */

enum ct_status ct_parameters_resample(const char *path, struct ct_parameters *model,
                                      struct ct_error *err)
{
    struct ct_logp_curve curve;
    enum ct_status status = read_curve(path, &curve, err);
    if (status != CT_OK)
        return status;
    ct_loggps_replicates_free(&model->replicates);
    status = ct_loggps_resample(curve.points, curve.samples, curve.n, model->S_bytes,
                                &curve.resampling, &model->replicates, err);
    ct_logp_curve_free(&curve);
    return status;
}

struct ct_parameters ct_parameters_replicate(const struct ct_parameters *model, size_t r)
{
    struct ct_parameters drawn = *model;
    drawn.measured = model->replicates.models[r];
    if (model->L_is_measured)
        drawn.L_s = drawn.measured.L_s > 0 ? drawn.measured.L_s : 0;
    if (model->G_is_measured && !isnan(drawn.measured.G_s_per_byte))
        drawn.G_s_per_byte = drawn.measured.G_s_per_byte;
    return drawn;
}

enum ct_status ct_parameters_make(const struct ct_parameters_given *given, bool needs_L,
                                  struct ct_parameters *model_p, struct ct_error *err)
{
    struct ct_parameters model = ct_parameters_none();
    take_given(given, &model);
    enum ct_status status = given->logp_path
                                ? ct_parameters_measure(given->logp_path, needs_L, &model, err)
                                : demand_given(&model, needs_L, err);
    if (status != CT_OK) {
        ct_parameters_free(&model);
        return status;
    }
    if (!*model.S_origin)
        snprintf(model.S_origin, sizeof model.S_origin, "default");
    *model_p = model;
    return CT_OK;
}

void ct_parameters_free(struct ct_parameters *model)
{
    ct_loggps_model_free(&model->measured);
    ct_loggps_replicates_free(&model->replicates);
}

struct ct_interval ct_parameters_L_interval(const struct ct_parameters *model)
{
    return model->L_is_measured ? ct_loggps_L_interval(&model->replicates)
                                : (struct ct_interval){NAN, NAN};
}

struct ct_interval ct_parameters_G_interval(const struct ct_parameters *model)
{
    return model->G_is_measured ? ct_loggps_G_interval(&model->replicates)
                                : (struct ct_interval){NAN, NAN};
}

bool ct_parameters_is_measured(const struct ct_parameters *model)
{
    return model->measured.overheads.n > 0 &&
           (model->L_is_measured || model->G_is_measured || isnan(model->o_s));
}

const struct ct_overheads *ct_parameters_overheads(const struct ct_parameters *model)
{
    return isnan(model->o_s) ? &model->measured.overheads : NULL;
}

struct ct_loggps ct_parameters_at(const struct ct_parameters *model, double L_s)
{
    return (struct ct_loggps){.o_ns = isnan(model->o_s) ? 0 : ct_ns_from_s(model->o_s),
                              .L_ns = ct_ns_from_s(L_s),
                              .G_ns_per_byte = ct_ns_from_s(model->G_s_per_byte)};
}
