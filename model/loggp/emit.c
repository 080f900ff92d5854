#include "model/loggp/emit.h"

#include "model/loggp/sections.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

const char *const ct_emit_names[] = {"none", "loggopsim", "llamp", "simgrid", NULL};

enum { LLAMP_ROWS_MIN = 4 }; /* its script looks at G from the fourth row on */
static const double ns_per_s = 1e9;
static const double least_gap_units = 100; /* three digits for G */
static const double section_tolerance = 0.05;
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

struct curves {
    size_t n;       /* sizes */
    size_t n_eager; /* of them sent eagerly */
    double *bytes;  /* n */
    double *os_s;   /* n */
    double *or_s;   /* n */
    double *time_s; /* n: in the network, from the end of the send to the start of the receive */
    struct ct_section *sections; /* room for n */
};

static bool make_curves(const struct ct_emit_source *link, double *numbers, struct curves *curves_p)
{
    size_t room = link->n_points;
    struct curves c = {.bytes = numbers,
                       .os_s = numbers + room,
                       .or_s = numbers + 2 * room,
                       .time_s = numbers + 3 * room,
                       .sections = curves_p->sections};
    for (size_t i = 0; i < room; i++) {
        const struct ct_loggp_point *point = &link->points[i];
        bool eager = !link->threshold.found || point->bytes <= link->threshold.eager_bytes;
        double delay_s = link->latency_s.value + ct_loggp_gap(point).value;
        if (isnan(delay_s) || isnan(point->os_s.value) || isnan(point->or_s.value))
            continue;
        /* A rendezvous send lasts as long as the transfer, which the network model adds itself. */
        double overheads_s = eager ? point->os_s.value + point->or_s.value : 0;
        c.bytes[c.n] = (double)point->bytes;
        c.os_s[c.n] = fmax(point->os_s.value, least_time_s);
        c.or_s[c.n] = fmax(point->or_s.value, least_time_s);
        c.time_s[c.n] = fmax(delay_s - overheads_s, least_time_s);
        c.n++;
        c.n_eager += eager;
    }
    *curves_p = c;
    return c.n > 0;
}

static void print_overheads(FILE *out, const char *option, const double *y, const struct curves *c)
{
    size_t n = ct_sections_fit(c->bytes, y, c->n_eager, 0, section_tolerance, c->sections);
    fprintf(out, "--cfg=smpi/%s:", option);
    for (size_t i = 0; i < n; i++)
        fprintf(out, "%s%.0f:%.6g:%.6g", i > 0 ? ";" : "", c->sections[i].from,
                c->sections[i].startup, c->sections[i].slope);
    if (c->n_eager < c->n)
        fprintf(out, "%s%.0f:0:0", n > 0 ? ";" : "", c->bytes[c->n_eager]);
    fputc('\n', out);
}

/* Of a link with this latency and 1 / G: factors of latency are 1 or more, of bandwidth at most 1.
 */
static void print_factors(FILE *out, const struct ct_emit_source *link, const struct curves *c)
{
    double per_byte_s = link->loggp.G_s_per_byte.value;
    size_t n =
        ct_sections_fit(c->bytes, c->time_s, c->n, per_byte_s, section_tolerance, c->sections);
    double least_s = INFINITY;
    for (size_t i = 0; i < n; i++)
        least_s = fmin(least_s, fmax(c->sections[i].startup, least_time_s));
    fprintf(out, "# link of the platform: bandwidth %.6g Bps, latency %.6g s\n", 1 / per_byte_s,
            least_s);
    fputs("--cfg=smpi/bw-factor:", out);
    for (size_t i = 0; i < n; i++)
        fprintf(out, "%s%.0f:%.6g", i > 0 ? ";" : "", c->sections[i].from,
                per_byte_s / c->sections[i].slope);
    fputs("\n--cfg=smpi/lat-factor:", out);
    for (size_t i = 0; i < n; i++)
        fprintf(out, "%s%.0f:%.6g", i > 0 ? ";" : "", c->sections[i].from,
                fmax(c->sections[i].startup, least_time_s) / least_s);
    fputc('\n', out);
}

static enum ct_status emit_simgrid(const struct ct_emit_source *link, FILE *out,
                                   struct ct_error *err)
{
    enum { CURVES = 4 };
    double *numbers = malloc(CURVES * link->n_points * sizeof *numbers);
    struct curves curves = {.sections = malloc(link->n_points * sizeof *curves.sections)};
    enum ct_status status = CT_OK;
    if (!numbers || !curves.sections)
        status = ct_fail(err, CT_ENOMEM, "simgrid: out of memory");
    else if (!make_curves(link, numbers, &curves))
        status = ct_fail(err, CT_ENODATA, "simgrid: no overheads were measured; use --method fast");
    if (status == CT_OK) {
        fputs("# for smpirun, such as smpirun $(grep -v '^#' FILE) ...; costs in seconds\n", out);
        print_factors(out, link, &curves);
        print_overheads(out, "os", curves.os_s, &curves);
        print_overheads(out, "or", curves.or_s, &curves);
        if (link->threshold.found)
            fprintf(out,
                    "--cfg=smpi/async-small-thresh:%" PRIu64
                    "\n--cfg=smpi/send-is-detached-thresh:%" PRIu64 "\n",
                    link->threshold.rendezvous_bytes, link->threshold.rendezvous_bytes);
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
