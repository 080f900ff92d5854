#include "study/parameters.h"

#include "model/loggp/threshold.h"
#include "study/constants.h"
#include "study/logp_points.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

const struct ct_option ct_model_options[] = {
    CT_MODEL_ROW_O(offsetof(struct ct_model_settings, o), "; required without --logp"),
    CT_MODEL_ROW_G(offsetof(struct ct_model_settings, G), "; required without --logp"),
    CT_MODEL_ROW_S(offsetof(struct ct_model_settings, S),
                   ": they wait until the receive is posted (default: 256KiB, or with --logp the "
                   "size above which sends wait for a handshake)"),
    CT_MODEL_ROW_LOGP(offsetof(struct ct_model_settings, logp_path),
                      "run of logpb to take L, o by message size, G and S from; a value that is "
                      "given by its option is taken instead of the measured one"),
    {0}};

double ct_ns_from_s(double seconds)
{
    double ns = seconds * 1e9, whole = round(ns * 1e6) / 1e6;
    return fabs(whole - ns) <= 8 * DBL_EPSILON * ns ? whole : ns;
}

struct ct_graph_model ct_graph_model_none(void)
{
    return (struct ct_graph_model){.L_s = NAN,
                                   .o_s = NAN,
                                   .G_s_per_byte = NAN,
                                   .S_bytes = ct_study_count(CT_STUDY_EAGER_BYTES)};
}

/* ---- given ---- */

static enum ct_status take_duration(const char *name, const char *text, double *value_p,
                                    char *origin, struct ct_error *err)
{
    struct ct_error why;
    if (!text)
        return CT_OK;
    if (ct_parse_duration(text, value_p, &why) != CT_OK)
        return ct_fail(err, CT_EUSAGE, "--%s: %s", name, why.text);
    if (*value_p > CT_MODEL_MAX_S)
        return ct_fail(err, CT_EUSAGE, "--%s: '%s': more than %g s", name, text, CT_MODEL_MAX_S);
    snprintf(origin, CT_ORIGIN_MAX, "--%s", name);
    return CT_OK;
}

static enum ct_status take_given(const struct ct_model_settings *settings,
                                 struct ct_graph_model *model, struct ct_error *err)
{
    enum ct_status status = take_duration("L", settings->L, &model->L_s, model->L_origin, err);
    if (status == CT_OK)
        status = take_duration("o", settings->o, &model->o_s, model->o_origin, err);
    if (status == CT_OK)
        status = take_duration("G", settings->G, &model->G_s_per_byte, model->G_origin, err);
    if (status != CT_OK || !settings->S)
        return status;
    struct ct_error why;
    if (ct_parse_size(settings->S, &model->S_bytes, &why) != CT_OK)
        return ct_fail(err, CT_EUSAGE, "--S: %s", why.text);
    snprintf(model->S_origin, CT_ORIGIN_MAX, "--S");
    return CT_OK;
}

static enum ct_status demand_given(const struct ct_graph_model *model, bool needs_L,
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

static void take_S(const struct ct_run *run, const struct ct_loggp_point *points, size_t n,
                   const char *path, struct ct_graph_model *model)
{
    struct ct_loggp_threshold threshold =
        ct_loggp_find_threshold(points, n, ct_logp_epsilon(&run->info));
    if (*model->S_origin || n == 0)
        return;
    model->S_bytes = threshold.found ? threshold.eager_bytes : points[n - 1].bytes;
    if (threshold.found)
        snprintf(model->S_origin, CT_ORIGIN_MAX, "%s: larger %s, confidence %.2g", path,
                 threshold.by_receiver ? "messages wait for their receiver"
                                       : "sends wait for a handshake",
                 threshold.confidence);
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
static enum ct_status take_measured(const char *path, bool needs_L, struct ct_graph_model *model,
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
        snprintf(model->L_origin, CT_ORIGIN_MAX, "%s: median of the sizes up to %d B", path,
                 CT_LOGGPS_SMALL_BYTES);
    }
    if (!*model->G_origin) {
        if (isnan(measured->G_s_per_byte))
            return ct_fail(err, CT_ENODATA,
                           "%s: no message above %d B was measured; measure again, or give G", path,
                           CT_LOGGPS_SMALL_BYTES);
        model->G_s_per_byte = measured->G_s_per_byte;
        snprintf(model->G_origin, CT_ORIGIN_MAX, "%s: round trip of its largest message, %llu B",
                 path, (unsigned long long)measured->largest_bytes);
    }
    if (!*model->o_origin)
        describe_overheads(measured, path, model->o_origin);
    return CT_OK;
}

enum ct_status ct_graph_model_measure(const char *path, bool needs_L, struct ct_graph_model *model,
                                      struct ct_error *err)
{
    struct ct_run run;
    enum ct_status status = ct_run_read(path, &run, err);
    if (status != CT_OK)
        return status;
    if (run.info.kind != CT_RUN_LOGP) {
        status = ct_fail(err, CT_EINVAL, "%s: a run of kind %s; logpb makes runs of kind %s", path,
                         ct_run_kind_text(run.info.kind), ct_run_kind_text(CT_RUN_LOGP));
        ct_run_free(&run);
        return status;
    }
    struct ct_loggp_point *points;
    size_t n = ct_logp_points(&run, &points);
    if (!points) {
        status = ct_fail(err, CT_ENOMEM, "%s: out of memory", path);
    } else {
        take_S(&run, points, n, path, model);
        status = ct_loggps_model_derive(points, n, model->S_bytes, &model->measured, err);
        if (status != CT_OK)
            ct_fail_within(err, status, "%s", path);
    }
    free(points);
    ct_run_free(&run);
    if (status == CT_OK)
        status = check_measured(&model->measured, path, err);
    return status == CT_OK ? take_measured(path, needs_L, model, err) : status;
}

enum ct_status ct_graph_model_make(const struct ct_model_settings *settings, bool needs_L,
                                   struct ct_graph_model *model_p, struct ct_error *err)
{
    struct ct_graph_model model = ct_graph_model_none();
    enum ct_status status = take_given(settings, &model, err);
    if (status == CT_OK && settings->logp_path)
        status = ct_graph_model_measure(settings->logp_path, needs_L, &model, err);
    else if (status == CT_OK)
        status = demand_given(&model, needs_L, err);
    if (status != CT_OK) {
        ct_graph_model_free(&model);
        return status;
    }
    if (!*model.S_origin)
        snprintf(model.S_origin, sizeof model.S_origin, "default");
    *model_p = model;
    return CT_OK;
}

void ct_graph_model_free(struct ct_graph_model *model)
{
    ct_loggps_model_free(&model->measured);
}

const struct ct_overheads *ct_graph_model_overheads(const struct ct_graph_model *model)
{
    return isnan(model->o_s) ? &model->measured.overheads : NULL;
}

struct ct_loggps ct_graph_model_at(const struct ct_graph_model *model, double L_s)
{
    return (struct ct_loggps){.o_ns = isnan(model->o_s) ? 0 : ct_ns_from_s(model->o_s),
                              .L_ns = ct_ns_from_s(L_s),
                              .G_ns_per_byte = ct_ns_from_s(model->G_s_per_byte)};
}

/* ---- the table ---- */

/* Six digits, of which no more are measured. */
static void show_duration(double value_s, char *text, size_t size)
{
    static const struct {
        double s;
        const char *name;
    } units[] = {{1, "s"}, {1e-3, "ms"}, {1e-6, "us"}, {1e-9, "ns"}};
    size_t i = 0;
    while (i + 1 < sizeof units / sizeof *units && value_s < units[i].s)
        i++;
    snprintf(text, size, "%.6g%s", value_s / units[i].s, units[i].name);
}

static void add_row(struct ct_report *report, const char *name, const char *shown, double value,
                    const char *origin)
{
    ct_report_cell_text(report, name);
    ct_report_cell_text(report, shown);
    ct_report_cell_number(report, value);
    ct_report_cell_text(report, origin);
}

static void add_duration(struct ct_report *report, const char *name, double value_s,
                         const char *origin)
{
    char shown[CT_UNITS_TEXT_MAX];
    show_duration(value_s, shown, sizeof shown);
    add_row(report, name, shown, value_s, origin);
}

static void add_overheads(const struct ct_graph_model *model, struct ct_report *report)
{
    const struct ct_overheads *overheads = ct_graph_model_overheads(model);
    if (!overheads) {
        add_duration(report, "o", model->o_s, model->o_origin);
        return;
    }
    for (size_t side = 0; side < 2; side++) {
        const struct ct_overhead *first = &overheads->sizes[0], *last = first + overheads->n - 1;
        char from[CT_UNITS_TEXT_MAX], to[CT_UNITS_TEXT_MAX], shown[128];
        show_duration(side == 0 ? first->send_s : first->recv_s, from, sizeof from);
        show_duration(side == 0 ? last->send_s : last->recv_s, to, sizeof to);
        snprintf(shown, sizeof shown, "%s (%lluB) to %s (%lluB)", from,
                 (unsigned long long)first->bytes, to, (unsigned long long)last->bytes);
        add_row(report, side == 0 ? "o_send" : "o_recv", shown, NAN, model->o_origin);
    }
}

static void add_overhead_table(const struct ct_overheads *overheads, struct ct_report *report)
{
    static const struct ct_column columns[] = {{"bytes", "size", CT_UNIT_BYTES},
                                               {"send_s", "o_send", CT_UNIT_SECONDS},
                                               {"recv_s", "o_recv", CT_UNIT_SECONDS}};
    ct_report_table(report, "overheads", "Overheads by message size", columns,
                    sizeof columns / sizeof *columns);
    for (size_t i = 0; i < overheads->n; i++) {
        ct_report_cell_number(report, (double)overheads->sizes[i].bytes);
        ct_report_cell_number(report, overheads->sizes[i].send_s);
        ct_report_cell_number(report, overheads->sizes[i].recv_s);
    }
}

void ct_graph_model_report(const struct ct_graph_model *model, struct ct_report *report)
{
    static const struct ct_column columns[] = {{"parameter", "parameter", CT_UNIT_NONE},
                                               {"shown", "value", CT_UNIT_NONE},
                                               {"value", NULL, CT_UNIT_NONE},
                                               {"origin", "from", CT_UNIT_NONE}};
    const struct ct_loggps_model *measured = &model->measured;
    char S_shown[CT_UNITS_TEXT_MAX];
    ct_report_table(report, "parameters{}", "Parameters (LogGPS)", columns,
                    sizeof columns / sizeof *columns);
    if (!isnan(model->L_s))
        add_duration(report, "L", model->L_s, model->L_origin);
    add_overheads(model, report);
    add_duration(report, "G", model->G_s_per_byte, model->G_origin);
    ct_format_size(model->S_bytes, S_shown);
    add_row(report, "S", S_shown, (double)model->S_bytes, model->S_origin);
    if (ct_graph_model_overheads(model))
        add_overhead_table(&measured->overheads, report);
    if (measured->overheads.n > 0 && !isnan(measured->misfit_max_frac))
        ct_report_note(report,
                       "as measured, the model is off the time of a message by %.3g %% (median of "
                       "the sizes), at most %.3g %% (%llu B)",
                       100 * measured->misfit_median_frac, 100 * measured->misfit_max_frac,
                       (unsigned long long)measured->misfit_max_bytes);
}
