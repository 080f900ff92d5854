#include "model/loggp/emit.h"

#include "model/loggp/constants.h"
#include "model/loggp/loggps.h"
#include "model/loggp/sections.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

const char *const ct_emit_names[] = {"none", "loggopsim", "llamp", "simgrid", NULL};

enum { LLAMP_ROWS_MIN = 4 }; /* its script looks at G from the fourth row on */
static const double ns_per_s = 1e9;
static const double least_gap_units = 100; /* three digits for G */
static const double least_time_s = 1e-9;
static const double least_gap_s = 1e-15; /* per byte: a bandwidth is finite */

/* One direction with what its points give. */
struct link {
    const struct ct_emit_source *source;
    struct ct_loggps_model model;
    struct ct_estimate g_s; /* g(1) */
};

static bool is_whole(const struct link *link)
{
    return !isnan(link->model.L_s) && !isnan(link->g_s.value) && link->model.G_s_per_byte >= 0;
}

/* A measured difference can come out below 0, and no simulator takes that. */
static double at_least_zero(double x)
{
    return x > 0 ? x : 0;
}

/* ---- LogGOPSim ---- */

static double choose_scale(const struct link *link)
{
    const struct ct_loggps_model *model = &link->model;
    double longest_ns = ns_per_s * fmax(fmax(model->L_s, model->o_s), link->g_s.value);
    double scale = 1;
    while (model->G_s_per_byte * ns_per_s * scale < least_gap_units &&
           10 * scale * longest_ns < INT32_MAX)
        scale *= 10;
    return scale;
}

static enum ct_status emit_loggopsim(const struct link *link, FILE *out, struct ct_error *err)
{
    const struct ct_emit_source *source = link->source;
    const struct ct_loggps_model *model = &link->model;
    (void)err;
    double scale = choose_scale(link), units = ns_per_s * scale;
    uint64_t largest = source->points[source->n_points - 1].bytes;
    fprintf(out, "# unit of time: %g ns", 1 / scale);
    if (scale > 1)
        fprintf(out,
                "; multiply compute times of the schedule (ns) by %g, and divide the simulated "
                "times by it",
                scale);
    fprintf(out, "\n# G measured: %.6g ns per byte\n", model->G_s_per_byte * ns_per_s);
    if (model->L_s < 0)
        fprintf(out, "# L measured: %.6g ns, below 0: overheads take all of the time\n",
                model->L_s * ns_per_s);
    if (source->threshold.found)
        fprintf(out, "# S: confidence %.3g\n", source->threshold.confidence);
    else
        fprintf(out, "# S: no rendezvous up to %" PRIu64 " B, the largest size measured\n",
                largest);
    fprintf(out, "-L %.0f -o %.0f -g %.0f -G %.0f -O 0 -S %" PRIu64 "\n",
            at_least_zero(model->L_s) * units, model->o_s * units,
            at_least_zero(link->g_s.value) * units, model->G_s_per_byte * units,
            ct_loggp_eager_bytes(&source->threshold, source->points, source->n_points));
    return CT_OK;
}

/* ---- LLAMP ---- */

static enum ct_status emit_llamp(const struct link *link, FILE *out, struct ct_error *err)
{
    const struct ct_loggps_model *model = &link->model;
    size_t n_rows = 0;
    for (size_t i = 0; i < model->n_times; i++)
        n_rows += model->times[i].bytes > 0;
    if (n_rows < LLAMP_ROWS_MIN)
        return ct_fail(err, CT_ENODATA, "llamp: %zu sizes were measured, and its script needs %d",
                       n_rows, LLAMP_ROWS_MIN);
    fputs("L,s,o,G\n", out);
    for (size_t i = 0; i < model->n_times; i++) {
        uint64_t bytes = model->times[i].bytes;
        struct ct_overhead own = ct_overheads_at(&model->overheads, bytes);
        if (bytes > 0)
            fprintf(out, "%.0f,%" PRIu64 ",%.0f,%.9g\n", at_least_zero(model->L_s) * ns_per_s,
                    bytes, (own.send_s + own.recv_s) / 2 * ns_per_s,
                    model->G_s_per_byte * ns_per_s);
    }
    return CT_OK;
}

/* ---- SimGrid ---- */

/* A cost as a function of size. */
struct curve {
    double *y_s;       /* of each size, > 0 */
    double *tolerance; /* relative: what its interval leaves open, and at least some */
};

struct curves {
    size_t n;       /* sizes */
    size_t n_eager; /* of them sent eagerly */
    double *bytes;
    struct curve os, or_, network; /* network: between the end of the send and the receive */
    double link_latency_s;
    struct ct_section *sections; /* room for n */
};

/* measured: what its interval is of. */
static void add_point(struct curve *curve, size_t i, double value_s, struct ct_estimate measured,
                      double least_s)
{
    curve->y_s[i] = fmax(value_s, least_s);
    curve->tolerance[i] = fmax(ct_loggp_constant(CT_LOGGP_EMIT_TOLERANCE),
                               ct_estimate_half_width(measured) / curve->y_s[i]);
}

static void make_curves(const struct link *link, struct curves *c)
{
    const struct ct_emit_source *source = link->source;
    const struct ct_loggps_model *model = &link->model;
    const struct ct_loggp_point *point = source->points;
    for (size_t i = 0; i < model->n_times; i++) {
        const struct ct_loggps_time *at = &model->times[i];
        bool eager = !source->threshold.found || at->bytes <= source->threshold.eager_bytes;
        struct ct_overhead own = ct_overheads_at(&model->overheads, at->bytes);
        /* A rendezvous send lasts as long as the transfer, which the network model adds itself. */
        double network_s = at->time_s - (eager ? own.send_s + own.recv_s : 0);
        while (point->bytes < at->bytes)
            point++;
        c->bytes[c->n] = (double)at->bytes;
        add_point(&c->os, c->n, own.send_s, point->os_s, least_time_s);
        add_point(&c->or_, c->n, own.recv_s, point->or_s, least_time_s);
        add_point(&c->network, c->n, network_s, point->rtt_s,
                  fmax(ct_loggp_constant(CT_LOGGP_EMIT_NETWORK) * at->time_s, least_time_s));
        double startup_s = c->network.y_s[c->n] - model->G_s_per_byte * c->bytes[c->n];
        c->link_latency_s = fmin(c->link_latency_s, fmax(startup_s, least_time_s));
        c->n++;
        c->n_eager += eager;
    }
}

static size_t fit_curve(const struct curves *c, const struct curve *curve, size_t n,
                        double least_startup, double least_slope)
{
    const struct ct_sections_curve whole = {.x = c->bytes,
                                            .y = curve->y_s,
                                            .tolerance = curve->tolerance,
                                            .n = n,
                                            .least_startup = least_startup,
                                            .least_slope = least_slope};
    return ct_sections_fit(&whole, c->sections);
}

static void print_overheads(FILE *out, const char *option, const struct curve *curve,
                            const struct curves *c)
{
    size_t n = fit_curve(c, curve, c->n_eager, 0, 0);
    fprintf(out, "--cfg=smpi/%s:", option);
    for (size_t i = 0; i < n; i++)
        fprintf(out, "%s%.0f:%.6g:%.6g", i > 0 ? ";" : "", c->sections[i].from,
                c->sections[i].startup, c->sections[i].slope);
    if (c->n_eager < c->n)
        fprintf(out, "%s%.0f:0:0", n > 0 ? ";" : "", c->bytes[c->n_eager]);
    fputc('\n', out);
}

/* Factors of the link's latency are 1 or more, of its bandwidth at most 1. */
static void print_factors(FILE *out, const struct link *link, const struct curves *c)
{
    double per_byte_s = fmax(link->model.G_s_per_byte, least_gap_s), latency_s = c->link_latency_s;
    size_t n = fit_curve(c, &c->network, c->n, latency_s, per_byte_s);
    fprintf(out, "# link of the platform: bandwidth %.6g Bps, latency %.6g s\n", 1 / per_byte_s,
            latency_s);
    fputs("--cfg=smpi/bw-factor:", out);
    for (size_t i = 0; i < n; i++)
        fprintf(out, "%s%.0f:%.6g", i > 0 ? ";" : "", c->sections[i].from,
                per_byte_s / c->sections[i].slope);
    fputs("\n--cfg=smpi/lat-factor:", out);
    for (size_t i = 0; i < n; i++)
        fprintf(out, "%s%.0f:%.6g", i > 0 ? ";" : "", c->sections[i].from,
                c->sections[i].startup / latency_s);
    fputc('\n', out);
}

static void print_simgrid(FILE *out, const struct link *link, struct curves *c)
{
    const struct ct_loggp_threshold *threshold = &link->source->threshold;
    fputs("# for smpirun, such as smpirun $(grep -v '^#' FILE) ...; costs in seconds\n", out);
    print_factors(out, link, c);
    print_overheads(out, "os", &c->os, c);
    print_overheads(out, "or", &c->or_, c);
    if (threshold->found)
        fprintf(out,
                "--cfg=smpi/async-small-thresh:%" PRIu64
                "\n--cfg=smpi/send-is-detached-thresh:%" PRIu64 "\n",
                threshold->rendezvous_bytes, threshold->rendezvous_bytes);
}

static enum ct_status emit_simgrid(const struct link *link, FILE *out, struct ct_error *err)
{
    enum { ARRAYS = 7 };
    size_t room = link->source->n_points;
    double *numbers = malloc(ARRAYS * room * sizeof *numbers);
    struct curves curves = {.link_latency_s = INFINITY,
                            .sections = malloc(room * sizeof *curves.sections)};
    enum ct_status status = CT_OK;
    if (!numbers || !curves.sections) {
        status = ct_no_memory(err, "simgrid");
    } else {
        curves.bytes = numbers;
        curves.os = (struct curve){numbers + room, numbers + 2 * room};
        curves.or_ = (struct curve){numbers + 3 * room, numbers + 4 * room};
        curves.network = (struct curve){numbers + 5 * room, numbers + 6 * room};
        make_curves(link, &curves);
        print_simgrid(out, link, &curves);
    }
    free(curves.sections);
    free(numbers);
    return status;
}

/* ---- all ---- */

static enum ct_status emit_nothing(const struct link *link, FILE *out, struct ct_error *err)
{
    (void)link, (void)out, (void)err;
    return CT_OK;
}

enum ct_status ct_loggp_emit(enum ct_emit what, const struct ct_emit_source *source, FILE *out,
                             struct ct_error *err)
{
    static enum ct_status (*const emitters[])(const struct link *, FILE *, struct ct_error *) = {
        [CT_EMIT_NONE] = emit_nothing,
        [CT_EMIT_LOGGOPSIM] = emit_loggopsim,
        [CT_EMIT_LLAMP] = emit_llamp,
        [CT_EMIT_SIMGRID] = emit_simgrid};
    struct link link = {.source = source,
                        .g_s = ct_loggp_gap_of_one(source->points, source->n_points)};
    uint64_t S_bytes = ct_loggp_eager_bytes(&source->threshold, source->points, source->n_points);
    enum ct_status status =
        ct_loggps_model_derive(source->points, source->n_points, S_bytes, &link.model, err);
    if (status != CT_OK)
        ct_fail_within(err, status, "%s", ct_emit_names[what]);
    else if ((status = ct_loggps_demand_G(&link.model.G, err)) != CT_OK)
        ct_fail_within(err, status, "%s", ct_emit_names[what]);
    else if (!is_whole(&link))
        status = ct_fail(err, CT_ENODATA,
                         "%s: L and g are needed, and not both were measured; use --method fast",
                         ct_emit_names[what]);
    else
        status = emitters[what](&link, out, err);
    ct_loggps_model_free(&link.model);
    if (status == CT_OK && (fflush(out) != 0 || ferror(out)))
        return ct_fail(err, CT_EIO, "standard output: cannot be written");
    return status;
}
