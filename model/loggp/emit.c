#include "model/loggp/emit.h"

#include "model/loggp/constants.h"
#include "model/loggp/sections.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

const char *const ct_emit_names[] = {"none", "loggopsim", "llamp", "simgrid", NULL};

enum { LLAMP_ROWS_MIN = 4 }; /* its script looks at G from the fourth row on */
static const double ns_per_s = 1e9;
static const double least_gap_units = 100; /* three digits for G */
static const double least_time_s = 1e-9;

static bool is_whole(const struct ct_emit_source *link)
{
    const struct ct_loggp *loggp = &link->loggp;
    return link->n_points > 0 && !isnan(loggp->L_s.value) && !isnan(loggp->o_s.value) &&
           !isnan(loggp->g_s.value) && loggp->G_s_per_byte.value > 0;
}

/* A measured difference can come out below 0, and no simulator takes that. */
static double at_least_zero(double x)
{
    return x > 0 ? x : 0;
}

/* ---- LogGOPSim ---- */

static double choose_scale(const struct ct_loggp *loggp)
{
    double longest_ns = ns_per_s * fmax(fmax(loggp->L_s.value, loggp->o_s.value), loggp->g_s.value);
    double scale = 1;
    while (loggp->G_s_per_byte.value * ns_per_s * scale < least_gap_units &&
           10 * scale * longest_ns < INT32_MAX)
        scale *= 10;
    return scale;
}

static enum ct_status emit_loggopsim(const struct ct_emit_source *link, FILE *out,
                                     struct ct_error *err)
{
    const struct ct_loggp *loggp = &link->loggp;
    (void)err;
    double scale = choose_scale(loggp), units = ns_per_s * scale;
    uint64_t largest = link->points[link->n_points - 1].bytes;
    fprintf(out, "# unit of time: %g ns", 1 / scale);
    if (scale > 1)
        fprintf(out,
                "; multiply compute times of the schedule (ns) by %g, and divide the simulated "
                "times by it",
                scale);
    fprintf(out, "\n# G measured: %.6g ns per byte\n", loggp->G_s_per_byte.value * ns_per_s);
    if (link->threshold.found)
        fprintf(out, "# S: confidence %.3g\n", link->threshold.confidence);
    else
        fprintf(out, "# S: no rendezvous up to %" PRIu64 " B, the largest size measured\n",
                largest);
    fprintf(out, "-L %.0f -o %.0f -g %.0f -G %.0f -O 0 -S %" PRIu64 "\n",
            at_least_zero(loggp->L_s.value) * units, at_least_zero(loggp->o_s.value) * units,
            at_least_zero(loggp->g_s.value) * units, loggp->G_s_per_byte.value * units,
            link->threshold.found ? link->threshold.eager_bytes : largest);
    return CT_OK;
}

/* ---- LLAMP ---- */

static enum ct_status emit_llamp(const struct ct_emit_source *link, FILE *out, struct ct_error *err)
{
    size_t n_rows = 0;
    for (size_t i = 0; i < link->n_points; i++)
        n_rows += link->points[i].bytes > 0 && ct_loggp_gap(&link->points[i]).value > 0;
    if (n_rows < LLAMP_ROWS_MIN)
        return ct_fail(err, CT_ENODATA,
                       "llamp: %zu sizes with a gap above 0 were measured, and its script needs %d",
                       n_rows, LLAMP_ROWS_MIN);
    fputs("L,s,o,G\n", out);
    for (size_t i = 0; i < link->n_points; i++) {
        const struct ct_loggp_point *point = &link->points[i];
        double gap_s = ct_loggp_gap(point).value;
        if (point->bytes == 0 || !(gap_s > 0))
            continue;
        fprintf(out, "%.0f,%" PRIu64 ",%.0f,%.9g\n",
                at_least_zero(link->loggp.L_s.value) * ns_per_s, point->bytes,
                at_least_zero((point->os_s.value + point->or_s.value) / 2) * ns_per_s,
                gap_s * ns_per_s / (double)point->bytes);
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

static void add_point(struct curve *curve, size_t i, struct ct_estimate estimate, double least_s)
{
    curve->y_s[i] = fmax(estimate.value, least_s);
    curve->tolerance[i] = fmax(ct_loggp_constant(CT_LOGGP_EMIT_TOLERANCE),
                               ct_estimate_half_width(estimate) / curve->y_s[i]);
}

static void make_curves(const struct ct_emit_source *source, struct curves *c)
{
    for (size_t i = 0; i < source->n_points; i++) {
        const struct ct_loggp_point *point = &source->points[i];
        bool eager = !source->threshold.found || point->bytes <= source->threshold.eager_bytes;
        struct ct_estimate delay =
            ct_estimate_combine(1, source->latency_s, 1, ct_loggp_gap(point));
        if (isnan(delay.value) || isnan(point->os_s.value) || isnan(point->or_s.value))
            continue;
        struct ct_estimate overheads = ct_estimate_combine(1, point->os_s, 1, point->or_s);
        /* A rendezvous send lasts as long as the transfer, which the network model adds itself. */
        struct ct_estimate network = eager ? ct_estimate_combine(1, delay, -1, overheads) : delay;
        c->bytes[c->n] = (double)point->bytes;
        add_point(&c->os, c->n, point->os_s, least_time_s);
        add_point(&c->or_, c->n, point->or_s, least_time_s);
        add_point(&c->network, c->n, network,
                  fmax(ct_loggp_constant(CT_LOGGP_EMIT_NETWORK) * delay.value, least_time_s));
        double startup_s = c->network.y_s[c->n] - source->loggp.G_s_per_byte.value * c->bytes[c->n];
        c->link_latency_s = fmin(c->link_latency_s, fmax(startup_s, least_time_s));
        c->n++;
        c->n_eager += eager;
    }
}

static size_t fit(const struct curves *c, const struct curve *curve, size_t n, double least_startup,
                  double least_slope)
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
    size_t n = fit(c, curve, c->n_eager, 0, 0);
    fprintf(out, "--cfg=smpi/%s:", option);
    for (size_t i = 0; i < n; i++)
        fprintf(out, "%s%.0f:%.6g:%.6g", i > 0 ? ";" : "", c->sections[i].from,
                c->sections[i].startup, c->sections[i].slope);
    if (c->n_eager < c->n)
        fprintf(out, "%s%.0f:0:0", n > 0 ? ";" : "", c->bytes[c->n_eager]);
    fputc('\n', out);
}

/* Factors of the link's latency are 1 or more, of its bandwidth at most 1. */
static void print_factors(FILE *out, const struct ct_emit_source *source, const struct curves *c)
{
    double per_byte_s = source->loggp.G_s_per_byte.value, latency_s = c->link_latency_s;
    size_t n = fit(c, &c->network, c->n, latency_s, per_byte_s);
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

static void print_simgrid(FILE *out, const struct ct_emit_source *source, struct curves *c)
{
    fputs("# for smpirun, such as smpirun $(grep -v '^#' FILE) ...; costs in seconds\n", out);
    print_factors(out, source, c);
    print_overheads(out, "os", &c->os, c);
    print_overheads(out, "or", &c->or_, c);
    if (source->threshold.found)
        fprintf(out,
                "--cfg=smpi/async-small-thresh:%" PRIu64
                "\n--cfg=smpi/send-is-detached-thresh:%" PRIu64 "\n",
                source->threshold.rendezvous_bytes, source->threshold.rendezvous_bytes);
}

static enum ct_status emit_simgrid(const struct ct_emit_source *source, FILE *out,
                                   struct ct_error *err)
{
    enum { ARRAYS = 7 };
    size_t room = source->n_points;
    double *numbers = malloc(ARRAYS * room * sizeof *numbers);
    struct curves curves = {.link_latency_s = INFINITY,
                            .sections = malloc(room * sizeof *curves.sections)};
    enum ct_status status = CT_OK;
    if (!numbers || !curves.sections) {
        status = ct_fail(err, CT_ENOMEM, "simgrid: out of memory");
    } else {
        curves.bytes = numbers;
        curves.os = (struct curve){numbers + room, numbers + 2 * room};
        curves.or_ = (struct curve){numbers + 3 * room, numbers + 4 * room};
        curves.network = (struct curve){numbers + 5 * room, numbers + 6 * room};
        make_curves(source, &curves);
        print_simgrid(out, source, &curves);
    }
    free(curves.sections);
    free(numbers);
    return status;
}

/* ---- all ---- */

static enum ct_status emit_nothing(const struct ct_emit_source *link, FILE *out,
                                   struct ct_error *err)
{
    (void)link, (void)out, (void)err;
    return CT_OK;
}

enum ct_status ct_loggp_emit(enum ct_emit what, const struct ct_emit_source *link, FILE *out,
                             struct ct_error *err)
{
    static enum ct_status (*const emitters[])(const struct ct_emit_source *, FILE *,
                                              struct ct_error *) = {
        [CT_EMIT_NONE] = emit_nothing,
        [CT_EMIT_LOGGOPSIM] = emit_loggopsim,
        [CT_EMIT_LLAMP] = emit_llamp,
        [CT_EMIT_SIMGRID] = emit_simgrid};
    if (what != CT_EMIT_NONE && !is_whole(link))
        return ct_fail(err, CT_ENODATA,
                       "%s: L, o, g and G are needed, and not all were measured; use --method fast",
                       ct_emit_names[what]);
    enum ct_status status = emitters[what](link, out, err);
    if (status == CT_OK && (fflush(out) != 0 || ferror(out)))
        return ct_fail(err, CT_EIO, "standard output: cannot be written");
    return status;
}
