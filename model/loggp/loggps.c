#include "model/loggp/loggps.h"

#include "core/units.h"
#include "model/loggp/constants.h"

#include <math.h>
#include <stdlib.h>

/* What a message took, by its round trip. */
struct measured {
    uint64_t bytes;
    double time_s;
    double rtt_s; /* of which it was made */
    struct ct_overhead overhead;
};

/* A small message without its overheads: L + B G. */
struct rest {
    double B, time_s;
};

/* Sizes with a round trip, ascending. */
struct curve {
    struct measured *sizes;
    size_t n;
};

static double B_of(uint64_t bytes)
{
    return bytes > 0 ? (double)(bytes - 1) : 0;
}

/* From the last size down: none takes longer than a larger one. What was not measured stays NaN. */
static void lower_least(double *value, double *least)
{
    if (*value >= 0)
        *least = *value = fmin(*value, *least);
}

/* Disturbances make times longer, never shorter. Overheads above S are not those of the CPU. */
static void remove_bumps(struct curve *curve, uint64_t S_bytes)
{
    double time_s = INFINITY, send_s = INFINITY, recv_s = INFINITY;
    for (size_t i = curve->n; i-- > 0;) {
        struct measured *size = &curve->sizes[i];
        lower_least(&size->time_s, &time_s);
        if (size->bytes > S_bytes)
            continue;
        lower_least(&size->overhead.send_s, &send_s);
        lower_least(&size->overhead.recv_s, &recv_s);
    }
}

/* Round trips first, of which half an empty one goes off. */
static enum ct_status take_curve(const struct ct_loggp_point *points, size_t n, uint64_t S_bytes,
                                 struct curve *curve_p, struct ct_error *err)
{
    if (n == 0 || points[0].bytes != 0 || !(points[0].rtt_s.value > 0) ||
        !isfinite(points[0].rtt_s.value))
        return ct_fail(err, CT_ENODATA,
                       "the round trip of an empty message was not measured; use --method fast");
    struct curve curve = {.sizes = calloc(n, sizeof *curve.sizes)};
    if (!curve.sizes)
        return ct_no_memory(err, "%zu sizes", n);
    for (size_t i = 0; i < n; i++)
        if (points[i].rtt_s.value > 0 && isfinite(points[i].rtt_s.value))
            curve.sizes[curve.n++] = (struct measured){
                .bytes = points[i].bytes,
                .time_s = points[i].rtt_s.value,
                .overhead = {points[i].bytes, points[i].os_s.value, points[i].or_s.value}};
    remove_bumps(&curve, S_bytes);
    double back_s = curve.sizes[0].time_s / 2;
    for (size_t i = 0; i < curve.n; i++) {
        curve.sizes[i].rtt_s = curve.sizes[i].time_s;
        curve.sizes[i].time_s -= back_s;
    }
    *curve_p = curve;
    return CT_OK;
}

/* Both overheads were measured: what the difference of two times gives can be below 0. */
static bool has_overheads(const struct measured *size)
{
    return size->overhead.send_s >= 0 && size->overhead.recv_s >= 0 &&
           isfinite(size->overhead.send_s + size->overhead.recv_s);
}

static double rest_s(const struct measured *size)
{
    return size->time_s - size->overhead.send_s - size->overhead.recv_s;
}

static struct ct_overhead shorten_overhead(struct ct_overhead overhead, double factor)
{
    return (struct ct_overhead){overhead.bytes, overhead.send_s / factor, overhead.recv_s / factor};
}

static enum ct_status take_overheads(const struct curve *curve, struct ct_loggps_model *model,
                                     struct ct_error *err)
{
    struct ct_overheads *overheads = &model->overheads;
    overheads->sizes = malloc((curve->n + 1) * sizeof *overheads->sizes);
    if (!overheads->sizes)
        return ct_no_memory(err, "%zu sizes", curve->n);
    for (size_t i = 0; i < curve->n; i++) {
        const struct measured *size = &curve->sizes[i];
        if (size->bytes > model->S_bytes || !has_overheads(size))
            continue;
        double excess = (size->overhead.send_s + size->overhead.recv_s) / size->time_s;
        if (excess > 1 + ct_loggp_constant(CT_LOGGP_OVERLAP))
            model->n_disturbed++;
        else
            overheads->sizes[overheads->n++] = shorten_overhead(size->overhead, fmax(excess, 1));
    }
    if (overheads->n > 0)
        return CT_OK;
    if (model->n_disturbed == 0)
        return ct_fail(err, CT_ENODATA,
                       "no overhead of an eager message was measured; use --method fast");
    return ct_fail(err, CT_ENODATA,
                   "at each of %zu sizes the overheads alone are longer than the message took; "
                   "measure again with a smaller --epsilon, or with no other program beside it",
                   model->n_disturbed);
}

/* Median of n values >= 0 of them; NaN of none. Sorts them. */
/* Theil and Sen: the median over all pairs of sizes. Bytes take no less than no time. */
static double slope_of(const struct rest *rests, size_t n, double *slopes)
{
    size_t n_slopes = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++)
            if (rests[i].B > rests[j].B)
                slopes[n_slopes++] =
                    (rests[i].time_s - rests[j].time_s) / (rests[i].B - rests[j].B);
    return n_slopes > 0 ? fmax(ct_stats_median(slopes, n_slopes), 0) : 0;
}

static double intercept_of(const struct rest *rests, size_t n, double slope, double *values)
{
    for (size_t i = 0; i < n; i++)
        values[i] = rests[i].time_s - slope * rests[i].B;
    return ct_stats_median(values, n);
}

static enum ct_status find_L(const struct curve *curve, struct ct_loggps_model *model,
                             struct ct_error *err)
{
    size_t n = 0, most = curve->n;
    struct rest *rests = malloc(most * sizeof *rests);
    double *scratch = malloc(most * most * sizeof *scratch);
    if (rests && scratch) {
        for (size_t i = 0; i < most; i++) {
            const struct measured *size = &curve->sizes[i];
            if (size->bytes <= CT_LOGGPS_SMALL_BYTES && size->bytes <= model->S_bytes &&
                has_overheads(size))
                rests[n++] = (struct rest){B_of(size->bytes), rest_s(size)};
        }
        model->L_s = intercept_of(rests, n, slope_of(rests, n, scratch), scratch);
    }
    bool failed = !rests || !scratch;
    free(rests);
    free(scratch);
    return failed ? ct_no_memory(err, "%zu sizes", most) : CT_OK;
}

double ct_loggps_model_time(const struct ct_loggps_model *model, uint64_t bytes)
{
    struct ct_overhead own = ct_overheads_at(&model->overheads, bytes);
    double L_s = fmax(model->L_s, 0); /* 0 where it is NaN */
    double time_s = own.send_s + L_s + B_of(bytes) * model->G_s_per_byte + own.recv_s;
    if (bytes > model->S_bytes && !model->lacks_handshake)
        time_s += 2 * (ct_overheads_at(&model->overheads, 0).send_s + L_s);
    return time_s;
}

/* What a simulator with one overhead takes: that of the smallest message that has data. */
static void find_o(struct ct_loggps_model *model)
{
    struct ct_overhead one = ct_overheads_at(&model->overheads, 1);
    model->o_s = (one.send_s + one.recv_s) / 2;
}

static enum ct_status keep_times(const struct curve *curve, struct ct_loggps_model *model,
                                 struct ct_error *err)
{
    model->times = malloc(curve->n * sizeof *model->times);
    if (!model->times)
        return ct_no_memory(err, "%zu sizes", curve->n);
    for (size_t i = 0; i < curve->n; i++)
        model->times[i] = (struct ct_loggps_time){curve->sizes[i].bytes, curve->sizes[i].time_s};
    model->n_times = curve->n;
    return CT_OK;
}

/* By the sizes above S alone, or, if there is one, by that beside the largest eager one. */
static double slope_above_S(const struct curve *curve, size_t first)
{
    size_t from = first + 1 < curve->n ? first : first - 1;
    const struct measured *low = &curve->sizes[from], *high = &curve->sizes[curve->n - 1];
    return (high->time_s - low->time_s) / (double)(high->bytes - low->bytes);
}

static void find_handshake(const struct curve *curve, struct ct_loggps_model *model)
{
    double L_s = fmax(model->L_s, 0), r = ct_loggp_constant(CT_LOGGP_TRIP_ERROR);
    double shake_s = 2 * (ct_overheads_at(&model->overheads, 0).send_s + L_s);
    size_t first = 0;
    while (first < curve->n && curve->sizes[first].bytes <= model->S_bytes)
        first++;
    if (first == 0 || first == curve->n)
        return;
    const struct measured *size = &curve->sizes[first];
    struct ct_overhead own = ct_overheads_at(&model->overheads, size->bytes);
    double eager_s =
        own.send_s + own.recv_s + L_s + B_of(size->bytes) * slope_above_S(curve, first);
    bool is_visible = shake_s > 2 * r * size->time_s;
    model->lacks_handshake = is_visible && size->time_s * (1 + r) < eager_s + shake_s / 2;
}

/* What the largest message took beyond the model with G = 0 is its bytes. */
static void find_G(const struct curve *curve, struct ct_loggps_model *model)
{
    const struct measured *last = &curve->sizes[curve->n - 1];
    model->largest_bytes = last->bytes;
    model->G_s_per_byte = 0;
    double beyond_s = last->time_s - ct_loggps_model_time(model, last->bytes);
    model->G_s_per_byte =
        last->bytes > CT_LOGGPS_SMALL_BYTES ? fmax(beyond_s, 0) / B_of(last->bytes) : NAN;
}

/* What intervals of the values that G is made of leave open, as squares. */
static void add_square(double factor, const struct ct_estimate *x, double square[2])
{
    double below = x->value - x->ci.lo, above = x->ci.hi - x->value;
    if (!(below >= 0 && above >= 0)) /* none */
        return;
    square[0] += factor * below * factor * below;
    square[1] += factor * above * factor * above;
}

/* The largest size for which both overheads are used; NULL: none is. */
static const struct ct_loggp_point *last_overhead(const struct ct_loggp_point *points, size_t n,
                                                  const struct ct_loggps_model *model)
{
    uint64_t bytes = model->overheads.sizes[model->overheads.n - 1].bytes;
    for (size_t i = 0; i < n; i++)
        if (points[i].bytes == bytes)
            return &points[i];
    return NULL;
}

static void judge_G(const struct ct_loggp_point *points, size_t n, struct ct_loggps_model *model)
{
    double G = model->G_s_per_byte, bytes = B_of(model->largest_bytes), trip[2] = {0}, off[2] = {0};
    const struct ct_loggp_point *last = NULL, *small = NULL, *own = last_overhead(points, n, model);
    for (size_t i = 0; i < n; i++) {
        bool has_trip = points[i].rtt_s.value > 0 && isfinite(points[i].rtt_s.value);
        last = has_trip ? &points[i] : last;
        small = has_trip && (!small || small->bytes == 0) ? &points[i] : small;
    }
    model->G = (struct ct_loggps_G){
        .value_s_per_byte = G, .ci = {NAN, NAN}, .largest_bytes = model->largest_bytes};
    if (isnan(G) || !last || !small || !own)
        return;
    add_square(1, &last->rtt_s, trip);
    double least = ct_loggp_constant(CT_LOGGP_TRIP_ERROR) * last->rtt_s.value;
    /* off[0]: more than measured here makes G less. */
    add_square(last->bytes > model->S_bytes ? 3 : 1, &small->rtt_s, off);
    add_square(1, &own->os_s, off);
    add_square(1, &own->or_s, off);
    double below = sqrt(fmax(trip[0], least * least) + off[1]) / bytes,
           above = sqrt(fmax(trip[1], least * least) + off[0]) / bytes;
    model->G.ci = (struct ct_interval){fmax(G - below, 0), G + above};
    model->G.is_determined = below < G && below + above <= G;
    if (!model->G.is_determined)
        model->G_s_per_byte = NAN;
}

enum ct_status ct_loggps_demand_G(const struct ct_loggps_G *G, struct ct_error *err)
{
    if (G->is_determined)
        return CT_OK;
    char largest[CT_UNITS_TEXT_MAX];
    ct_format_size((size_t)G->largest_bytes, largest);
    if (isnan(G->ci.lo))
        return ct_fail(
            err, CT_ENODATA,
            "G is not determined: no message above %d B was measured whose overheads are "
            "shorter than its time; measure larger messages (logpb with a larger "
            "--max-size or --time) on a quiet network, or give it (--G)",
            CT_LOGGPS_SMALL_BYTES);
    return ct_fail(
        err, CT_ENODATA,
        "G is not determined by these sizes (up to %s): %.3g ns a byte, 95 %% interval "
        "[%.3g, %.3g], which %s; measure larger messages (logpb with a larger --max-size "
        "or --time), or give it (--G)",
        largest, G->value_s_per_byte * 1e9, G->ci.lo * 1e9, G->ci.hi * 1e9,
        G->ci.lo > 0 ? "is wider than G" : "contains 0");
}

static enum ct_status find_misfit(const struct curve *curve, struct ct_loggps_model *model,
                                  struct ct_error *err)
{
    model->misfit_median_frac = model->misfit_max_frac = NAN;
    if (isnan(model->G_s_per_byte))
        return CT_OK;
    double *misfit = malloc(curve->n * sizeof *misfit);
    if (!misfit)
        return ct_no_memory(err, "%zu sizes", curve->n);
    for (size_t i = 0; i < curve->n; i++) {
        const struct measured *size = &curve->sizes[i];
        misfit[i] = fabs(ct_loggps_model_time(model, size->bytes) / size->time_s - 1);
        if (i == 0 || misfit[i] > model->misfit_max_frac) {
            model->misfit_max_frac = misfit[i];
            model->misfit_max_bytes = size->bytes;
        }
    }
    ct_stats_sort(misfit, curve->n);
    enum ct_status status = ct_stats_quantile(misfit, curve->n, 0.5, &model->misfit_median_frac);
    free(misfit);
    return status;
}

/* ---- gaps by size ---- */

static const struct ct_loggp_point *point_of(const struct ct_loggp_point *points, size_t n,
                                             uint64_t bytes)
{
    for (size_t i = 0; i < n; i++)
        if (points[i].bytes == bytes)
            return &points[i];
    return NULL;
}

/* x(m): what a message takes beyond what it takes without bytes. */
static double beyond_s(const struct ct_loggps_model *model, uint64_t bytes, double time_s)
{
    struct ct_loggps_model empty = *model;
    empty.G_s_per_byte = 0;
    return time_s - ct_loggps_model_time(&empty, bytes);
}

static bool needs_gaps(const struct curve *curve, const struct ct_loggps_model *model)
{
    double most = ct_loggp_constant(CT_LOGGP_GAPS_MISFIT);
    if (isnan(model->G_s_per_byte) || !(model->misfit_max_frac > most))
        return false;
    for (size_t i = 0; i < curve->n; i++) {
        const struct measured *size = &curve->sizes[i];
        double expected_s = B_of(size->bytes) * model->G_s_per_byte;
        if (beyond_s(model, size->bytes, size->time_s) < expected_s - most * size->time_s)
            return false;
    }
    return true;
}

static enum ct_status find_gaps(const struct curve *curve, const struct ct_loggp_point *points,
                                size_t n, struct ct_loggps_model *model, struct ct_error *err)
{
    double L_s = fmax(model->L_s, 0);
    if (!needs_gaps(curve, model))
        return CT_OK;
    struct ct_gap_size *sizes = malloc((curve->n + 1) * sizeof *sizes);
    if (!sizes)
        return ct_no_memory(err, "%zu sizes", curve->n);
    model->gaps = (struct ct_gaps){sizes, 0};
    for (size_t i = 0; i < curve->n; i++) {
        const struct measured *size = &curve->sizes[i];
        const struct ct_loggp_point *point = point_of(points, n, size->bytes);
        /* A larger message that took less makes a disturbance of this one, unless all of its
         * repetitions took longer. */
        double longer_s = point ? point->rtt_s.value - size->rtt_s : 0;
        bool is_step = point && longer_s > 0 && point->rtt_s.ci.lo > size->rtt_s;
        double time_s = size->time_s + (is_step ? longer_s : 0);
        double x_s = fmax(beyond_s(model, size->bytes, time_s), 0);
        double gap_s = point ? ct_loggp_gap(point).value : NAN;
        double wire_s = gap_s >= 0 ? fmin(gap_s, x_s) : x_s;
        sizes[model->gaps.n++] =
            (struct ct_gap_size){size->bytes, wire_s, L_s > 0 ? (x_s - wire_s) / L_s : 0};
    }
    return CT_OK;
}

static enum ct_status derive_model(const struct ct_loggp_point *points, size_t n, uint64_t S_bytes,
                                   bool judges, struct ct_loggps_model *model_p,
                                   struct ct_error *err)
{
    struct ct_loggps_model model = {.S_bytes = S_bytes};
    struct curve curve = {0};
    enum ct_status status = take_curve(points, n, S_bytes, &curve, err);
    if (status == CT_OK)
        status = take_overheads(&curve, &model, err);
    if (status == CT_OK)
        status = find_L(&curve, &model, err);
    if (status == CT_OK)
        status = keep_times(&curve, &model, err);
    if (status == CT_OK) {
        find_o(&model);
        find_handshake(&curve, &model);
        find_G(&curve, &model);
        if (judges)
            judge_G(points, n, &model);
        status = find_misfit(&curve, &model, err);
    }
    if (status == CT_OK)
        status = find_gaps(&curve, points, n, &model, err);
    free(curve.sizes);
    if (status == CT_OK)
        *model_p = model;
    else
        ct_loggps_model_free(&model);
    return status;
}

enum ct_status ct_loggps_model_derive(const struct ct_loggp_point *points, size_t n,
                                      uint64_t S_bytes, struct ct_loggps_model *model_p,
                                      struct ct_error *err)
{
    return derive_model(points, n, S_bytes, true, model_p, err);
}

enum ct_status ct_loggps_model_derive_drawn(const struct ct_loggp_point *points, size_t n,
                                            uint64_t S_bytes, struct ct_loggps_model *model_p,
                                            struct ct_error *err)
{
    return derive_model(points, n, S_bytes, false, model_p, err);
}

void ct_loggps_model_free(struct ct_loggps_model *model)
{
    free(model->overheads.sizes);
    free(model->gaps.sizes);
    free(model->times);
    *model = (struct ct_loggps_model){0};
}
