#include "study/compute_noise.h"

#include "core/order.h"
#include "core/random.h"
#include "lp-bridge/envelope/envelope.h"
#include "model/loggp/resample.h"
#include "study/constants.h"
#include "study/tolerance_intervals.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A calculation, its class, and its place in the program of its rank. */
struct member {
    uint64_t class;
    uint32_t vertex, operation;
};

struct noise {
    const struct ct_graph *graph;
    const struct ct_compute_noise_query *query;
    struct member *members; /* n, by class: those whose class has several durations */
    size_t n;
    uint64_t *amount;                  /* n_vertices; of a draw */
    double *runtime_ns, *tolerance_ns; /* of draws, a row for each threshold */
    size_t n_draws;
};

/* ---- classes ---- */

CT_ORDER(by_class, struct member, class, operation)

/* What a calculation is beside; of another calculation the duration does not count. */
static uint64_t describe_operation(const struct ct_graph *graph, uint32_t v)
{
    uint64_t kind = ct_vertex_kind(graph, v);
    return ct_random_at(kind, kind == CT_VERTEX_CALC ? 0 : graph->amount[v]);
}

/* Of a rank's operations first .. end - 1: what is around one of them. */
static uint64_t describe_place(const struct ct_graph *graph, const uint32_t *vertices,
                               uint32_t first, uint32_t at, uint32_t end)
{
    enum { AROUND = 4 };
    uint64_t place = graph->rank[vertices[at]];
    for (uint32_t k = 1; k <= AROUND; k++) {
        uint64_t before = at >= first + k ? describe_operation(graph, vertices[at - k]) : 0,
                 after = at + k < end ? describe_operation(graph, vertices[at + k]) : 0;
        place = ct_random_at(ct_random_at(place, before), after);
    }
    return place;
}

static bool is_operation(const struct ct_graph *graph, uint32_t v)
{
    enum ct_vertex_kind kind = ct_vertex_kind(graph, v);
    return kind == CT_VERTEX_CALC || kind == CT_VERTEX_SEND || kind == CT_VERTEX_RECV;
}

/* Vertices of operations in the order of ranks. @param first  [out] n_ranks + 1 */
static void list_operations(const struct ct_graph *graph, uint32_t *first, uint32_t *vertices)
{
    for (uint32_t v = 0; v < graph->n_vertices; v++)
        first[graph->rank[v] + 1] += is_operation(graph, v);
    for (uint32_t rank = 0; rank < graph->n_ranks; rank++)
        first[rank + 1] += first[rank];
    for (uint32_t v = 0; v < graph->n_vertices; v++)
        if (is_operation(graph, v))
            vertices[first[graph->rank[v]] + graph->operation[v]] = v;
}

static void list_members(struct noise *noise, const uint32_t *first, const uint32_t *vertices)
{
    const struct ct_graph *graph = noise->graph;
    for (uint32_t rank = 0; rank < graph->n_ranks; rank++)
        for (uint32_t i = first[rank]; i < first[rank + 1]; i++) {
            uint32_t v = vertices[i];
            if (ct_vertex_kind(graph, v) != CT_VERTEX_CALC || graph->amount[v] == 0)
                continue;
            noise->members[noise->n++] = (struct member){
                describe_place(graph, vertices, first[rank], i, first[rank + 1]), v, i};
        }
    qsort(noise->members, noise->n, sizeof *noise->members, by_class);
}

static size_t class_end(const struct noise *noise, size_t begin)
{
    size_t end = begin + 1;
    while (end < noise->n && noise->members[end].class == noise->members[begin].class)
        end++;
    return end;
}

/* Only what varies stays. @return their share of computing */
static double keep_varying(struct noise *noise)
{
    const uint64_t *amount = noise->graph->amount;
    size_t kept = 0;
    double all_ns = 0, varying_ns = 0;
    for (size_t begin = 0, end; begin < noise->n; begin = end) {
        bool varies = false;
        double sum_ns = 0;
        end = class_end(noise, begin);
        for (size_t i = begin; i < end; i++) {
            sum_ns += (double)amount[noise->members[i].vertex];
            varies =
                varies || amount[noise->members[i].vertex] != amount[noise->members[begin].vertex];
        }
        all_ns += sum_ns;
        varying_ns += varies ? sum_ns : 0;
        for (size_t i = begin; i < end && varies; i++)
            noise->members[kept++] = noise->members[i];
    }
    noise->n = kept;
    return all_ns > 0 ? varying_ns / all_ns : 0;
}

static enum ct_status find_classes(struct noise *noise, double *varying_frac_p,
                                   struct ct_error *err)
{
    const struct ct_graph *graph = noise->graph;
    uint32_t *first = calloc(graph->n_ranks + (size_t)1, sizeof *first);
    uint32_t *vertices = calloc(graph->n_operations + (size_t)1, sizeof *vertices);
    noise->members = malloc((graph->n_operations + (size_t)1) * sizeof *noise->members);
    enum ct_status status = CT_OK;
    if (!first || !vertices || !noise->members) {
        status = ct_no_memory(err, "noise of computing");
    } else {
        list_operations(graph, first, vertices);
        list_members(noise, first, vertices);
        *varying_frac_p = keep_varying(noise);
        if (*varying_frac_p < 0.5)
            noise->n = 0;
    }
    free(first);
    free(vertices);
    return status;
}

/* ---- draws ---- */

static double mean_of(const struct noise *noise, size_t begin, size_t end)
{
    double sum_ns = 0;
    for (size_t i = begin; i < end; i++)
        sum_ns += (double)noise->graph->amount[noise->members[i].vertex];
    return sum_ns / (double)(end - begin);
}

/* Which of n passes takes the place of one of them. */
static size_t pass_of(uint64_t draw_seed, size_t n, size_t place)
{
    return (size_t)(ct_random_at(ct_random_at(draw_seed, n), place) % n);
}

/* Of all classes with as many members the same passes are drawn.
 * @param seed  [in] of the draw; NULL: means in place of what is drawn */
static void draw_amounts(struct noise *noise, const uint64_t *seed)
{
    for (size_t begin = 0, end; begin < noise->n; begin = end) {
        end = class_end(noise, begin);
        double n = (double)(end - begin), mean_ns = mean_of(noise, begin, end);
        for (size_t i = begin; i < end; i++) {
            double off_ns = 0;
            if (seed) {
                size_t drawn = begin + pass_of(*seed, end - begin, i - begin);
                off_ns = (double)noise->graph->amount[noise->members[drawn].vertex] - mean_ns;
            }
            noise->amount[noise->members[i].vertex] =
                (uint64_t)fmax(round(mean_ns + off_ns * sqrt(n / (n - 1))), 0);
        }
    }
}

static enum ct_status solve_draw(struct noise *noise, size_t draw, struct ct_error *err)
{
    const struct ct_compute_noise_query *query = noise->query;
    struct ct_graph drawn = *noise->graph; /* borrows all but its durations */
    const struct ct_plane plane = ct_plane_of_latency(query->at);
    double *limits_ns = noise->tolerance_ns + query->n * noise->n_draws,
           *found_ns = limits_ns + query->n;
    struct ct_evaluator *evaluator;
    struct ct_line line;
    drawn.amount = noise->amount;
    CT_TRY(ct_evaluator_compile(&drawn, &plane, &evaluator, err));
    enum ct_status status = ct_evaluator_lines(evaluator, &query->at.L_ns, 1, 1, &line, err);
    if (status == CT_OK) {
        noise->runtime_ns[draw] = ct_line_at(line, query->at.L_ns);
        for (size_t i = 0; i < query->n; i++)
            limits_ns[i] = (1 + query->longer_frac[i]) * noise->runtime_ns[draw];
        status = ct_tolerance_find(evaluator, query->at.L_ns, limits_ns, query->n, query->threads,
                                   found_ns, err);
    }
    for (size_t i = 0; i < query->n && status == CT_OK; i++)
        noise->tolerance_ns[i * noise->n_draws + draw] = found_ns[i] - query->at.L_ns;
    ct_evaluator_free(evaluator);
    return status;
}

/* ---- what the median of draws has of this run ---- */

/* Numbers of passes, each once. @param sizes  [out] room for noise->n  @return how many */
static size_t list_sizes(const struct noise *noise, size_t *sizes)
{
    size_t n = 0, kept = 0;
    for (size_t begin = 0, end; begin < noise->n; begin = end) {
        end = class_end(noise, begin);
        sizes[n++] = end - begin;
    }
    qsort(sizes, n, sizeof *sizes, ct_order_sizes);
    for (size_t i = 0; i < n; i++)
        if (kept == 0 || sizes[i] != sizes[kept - 1])
            sizes[kept++] = sizes[i];
    return kept;
}

/* Sum over n passes of the squared covariance with how often each was drawn.
 * @param covariance  [out] n; scratch */
static double sum_covariances(const struct noise *noise, size_t n, const double *values,
                              double mean, double *covariance)
{
    double sum = 0;
    memset(covariance, 0, n * sizeof *covariance);
    for (size_t draw = 0; draw < noise->n_draws; draw++) {
        const uint64_t seed = ct_random_at(noise->query->seed, draw);
        for (size_t place = 0; place < n; place++)
            covariance[pass_of(seed, n, place)] += (values[draw] - mean) / (double)noise->n_draws;
    }
    for (size_t pass = 0; pass < n; pass++)
        sum += covariance[pass] * covariance[pass];
    return sum;
}

/* W / V of a tolerance, from 0 to 1. @param sizes, covariance  [out] noise->n; scratch */
static double shared_frac(const struct noise *noise, const double *values, size_t *sizes,
                          double *covariance)
{
    const double n_draws = (double)noise->n_draws;
    double mean = 0, variance = 0, shared = 0;
    for (size_t draw = 0; draw < noise->n_draws; draw++)
        mean += values[draw] / n_draws;
    for (size_t draw = 0; draw < noise->n_draws; draw++)
        variance += (values[draw] - mean) * (values[draw] - mean) / n_draws;
    if (!isfinite(variance) || !(variance > 0))
        return 1;
    const size_t n_sizes = list_sizes(noise, sizes);
    for (size_t i = 0; i < n_sizes; i++)
        shared += sum_covariances(noise, sizes[i], values, mean, covariance) -
                  (double)(sizes[i] - 1) / n_draws * variance;
    return fmin(fmax(shared / variance, 0), 1);
}

/* Of another run, by a factor as wide as what was drawn. */
static struct ct_interval widen_interval(double *values, size_t n, double level, double factor)
{
    struct ct_interval interval = ct_loggp_percentiles(values, n, level);
    double median = ct_stats_median(values, n), least = 0;
    if (isinf(median) || isnan(median) || isinf(interval.hi))
        return (struct ct_interval){isinf(interval.lo) ? INFINITY : least, INFINITY};
    return (struct ct_interval){fmax(median - factor * (median - interval.lo), least),
                                median + factor * (interval.hi - median)};
}

static enum ct_status take_tolerances(const struct noise *noise, double drawn_frac,
                                      struct ct_interval *tolerance_ns, struct ct_error *err)
{
    size_t *sizes = malloc(noise->n * sizeof *sizes);
    double *covariance = malloc(noise->n * sizeof *covariance);
    const bool has_room = sizes && covariance;
    for (size_t i = 0; i < noise->query->n && has_room; i++) {
        double *values = noise->tolerance_ns + i * noise->n_draws;
        double shared = shared_frac(noise, values, sizes, covariance);
        tolerance_ns[i] = widen_interval(values, noise->n_draws, noise->query->level,
                                         sqrt((1 + shared) / drawn_frac));
    }
    free(sizes);
    free(covariance);
    return has_room ? CT_OK : ct_no_memory(err, "noise of computing");
}

static enum ct_status draw_all(struct noise *noise, struct ct_compute_noise *found,
                               struct ct_interval *tolerance_ns, struct ct_error *err)
{
    const struct ct_compute_noise_query *query = noise->query;
    struct ct_graph quiet = *noise->graph;
    const struct ct_plane plane = ct_plane_of_latency(query->at);
    struct ct_line line;
    double sum_ns = 0;
    quiet.amount = noise->amount;
    draw_amounts(noise, NULL);
    enum ct_status status = ct_evaluate_once(&quiet, &plane, query->at.L_ns, &line, err);
    for (size_t draw = 0; draw < noise->n_draws && status == CT_OK; draw++) {
        uint64_t seed = ct_random_at(query->seed, draw);
        draw_amounts(noise, &seed);
        status = solve_draw(noise, draw, err);
        sum_ns += noise->runtime_ns[draw];
    }
    if (status != CT_OK)
        return status;
    double factor = sqrt(2 / found->drawn_frac);
    found->n_draws = noise->n_draws;
    found->quiet_ns = ct_line_at(line, query->at.L_ns);
    found->mean_ns = sum_ns / (double)noise->n_draws;
    found->runtime_ns = widen_interval(noise->runtime_ns, noise->n_draws, query->level, factor);
    return take_tolerances(noise, found->drawn_frac, tolerance_ns, err);
}

enum ct_status ct_compute_noise_find(const struct ct_graph *graph,
                                     const struct ct_compute_noise_query *query,
                                     struct ct_compute_noise *noise_p,
                                     struct ct_interval *tolerance_ns, struct ct_error *err)
{
    const struct ct_replicates cost = {.n = ct_study_count(CT_STUDY_POSTERIOR_DRAWS),
                                       .n_edges = graph->n_edges};
    struct noise noise = {.graph = graph, .query = query};
    struct ct_compute_noise found = {.mean_ns = NAN, .quiet_ns = NAN, .runtime_ns = {NAN, NAN}};
    for (size_t i = 0; i < query->n; i++)
        tolerance_ns[i] = (struct ct_interval){NAN, NAN};
    /* A tenth of the time of other intervals: this one is there without being asked for. */
    enum { WALKS = 10 };
    noise.n_draws = ct_replicates_affordable(&cost, WALKS);
    enum ct_status status =
        noise.n_draws > 0 ? find_classes(&noise, &found.drawn_frac, err) : CT_OK;
    if (status == CT_OK && noise.n > 0) {
        size_t bytes = (graph->n_vertices + (size_t)1) * sizeof *noise.amount;
        noise.amount = malloc(bytes);
        noise.runtime_ns = calloc(noise.n_draws, sizeof *noise.runtime_ns);
        noise.tolerance_ns = calloc(query->n * (noise.n_draws + 2) + 1, sizeof *noise.tolerance_ns);
        if (!noise.amount || !noise.runtime_ns || !noise.tolerance_ns) {
            status = ct_no_memory(err, "noise of computing");
        } else {
            memcpy(noise.amount, graph->amount, graph->n_vertices * sizeof *noise.amount);
            status = draw_all(&noise, &found, tolerance_ns, err);
        }
    }
    free(noise.members);
    free(noise.amount);
    free(noise.runtime_ns);
    free(noise.tolerance_ns);
    if (status == CT_OK)
        *noise_p = found;
    return status;
}
