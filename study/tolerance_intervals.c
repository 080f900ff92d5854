#include "study/tolerance_intervals.h"

#include "study/constants.h"

#include <math.h>
#include <stdlib.h>

enum { LEAST_REPLICATES = 20 };
static const double s_per_ns = 1e-9;

/* Values of all replicates, a row of n_replicates for each quantity. */
struct draws {
    size_t n; /* replicates */
    double *runtime_s;
    double *L_s, *delta_L_s; /* n for each threshold in turn */
};

size_t ct_replicates_affordable(const struct ct_replicates *replicates, size_t walks)
{
    size_t n = replicates->n;
    double edges = fmax((double)replicates->n_edges, 1) * (double)walks;
    double most = ct_study_constant(CT_STUDY_INTERVAL_EDGES);
    size_t fewer = edges * (double)n > most ? (size_t)(most / edges) : n;
    return fewer < LEAST_REPLICATES ? 0 : fewer;
}

/* T at the replicate's L, and from it the tolerances. */
static enum ct_status solve_draw(const struct ct_evaluator *evaluator, double L_ns,
                                 const double *threshold_frac, size_t n, unsigned threads,
                                 double *limits, double *tolerance_ns, double *runtime_ns_p,
                                 struct ct_error *err)
{
    struct ct_line line;
    CT_TRY(ct_evaluator_lines(evaluator, &L_ns, 1, threads, &line, err));
    *runtime_ns_p = ct_line_at(line, L_ns);
    for (size_t i = 0; i < n; i++)
        limits[i] = (1 + threshold_frac[i]) * *runtime_ns_p;
    return ct_tolerance_find(evaluator, L_ns, limits, n, threads, tolerance_ns, err);
}

enum free_parameter { FREE_L, FREE_G, FREE_GROWTH };

/* T of the graph with the parameters of a replicate but one, which is free. */
static enum ct_status compile_replicate(const struct ct_model_replicates *of, size_t r,
                                        enum free_parameter free, double *at_ns_p,
                                        struct ct_evaluator **evaluator_p, struct ct_error *err)
{
    const struct ct_parameters drawn = ct_parameters_replicate(of->model, r);
    const struct ct_overheads *overheads = ct_parameters_overheads(&drawn);
    const struct ct_loggps at = ct_parameters_at(&drawn, drawn.L_s);
    struct ct_plane plane = free == FREE_G   ? ct_plane_of_gap(at)
                            : free == FREE_L ? ct_plane_of_latency(at)
                                             : ct_plane_of_growth(at, of->growth);
    struct ct_wires_plane of_wires;
    struct ct_graph again = *of->graph; /* borrows all but its overheads and gaps */
    if (overheads)
        again.overheads = *overheads;
    if (again.gaps.n > 0 && drawn.G_s_per_byte > 0) {
        again.gaps = drawn.measured.gaps;
        again.gaps_G_s_per_byte = drawn.G_s_per_byte;
    }
    if (of->wires) {
        ct_wires_plane(of->wires, &at, free == FREE_G ? CT_WIRES_GAP : CT_WIRES_LATENCY,
                       CT_WIRES_FIXED, &of_wires);
        of_wires.by_switches = &drawn.paths;
        plane = of_wires.plane;
    }
    *at_ns_p = free == FREE_G ? at.G_ns_per_byte : free == FREE_L ? at.L_ns : 1;
    return ct_evaluator_compile(&again, &plane, evaluator_p, err);
}

static enum ct_status compile_of_model(const void *data, size_t r, double *L_ns_p,
                                       struct ct_evaluator **evaluator_p, struct ct_error *err)
{
    return compile_replicate(data, r, FREE_L, L_ns_p, evaluator_p, err);
}

static enum ct_status compile_of_gap(const void *data, size_t r, double *G_p,
                                     struct ct_evaluator **evaluator_p, struct ct_error *err)
{
    return compile_replicate(data, r, FREE_G, G_p, evaluator_p, err);
}

static enum ct_status compile_of_growth(const void *data, size_t r, double *factor_p,
                                        struct ct_evaluator **evaluator_p, struct ct_error *err)
{
    return compile_replicate(data, r, FREE_GROWTH, factor_p, evaluator_p, err);
}

struct ct_replicates ct_replicates_of_model(const struct ct_model_replicates *of)
{
    return (struct ct_replicates){.n = of->model->replicates.n,
                                  .level = of->model->replicates.level,
                                  .n_edges = of->graph->n_edges,
                                  .compile = compile_of_model,
                                  .data = of};
}

struct ct_replicates ct_replicates_of_gap(const struct ct_model_replicates *of)
{
    struct ct_replicates replicates = ct_replicates_of_model(of);
    replicates.compile = compile_of_gap;
    return replicates;
}

struct ct_replicates ct_replicates_of_growth(const struct ct_model_replicates *of)
{
    struct ct_replicates replicates = ct_replicates_of_model(of);
    replicates.compile = compile_of_growth;
    return replicates;
}

static enum ct_status solve_replicate(const struct ct_replicates *replicates, size_t r,
                                      const double *threshold_frac, size_t n, unsigned threads,
                                      double *scratch, struct draws *draws, struct ct_error *err)
{
    struct ct_evaluator *evaluator;
    double *limits = scratch, *tolerance_ns = scratch + n, runtime_ns = NAN, L_ns;
    CT_TRY(replicates->compile(replicates->data, r, &L_ns, &evaluator, err));
    enum ct_status status = solve_draw(evaluator, L_ns, threshold_frac, n, threads, limits,
                                       tolerance_ns, &runtime_ns, err);
    ct_evaluator_free(evaluator);
    draws->runtime_s[r] = runtime_ns * s_per_ns;
    for (size_t i = 0; i < n; i++) {
        draws->L_s[i * draws->n + r] = tolerance_ns[i] * s_per_ns;
        draws->delta_L_s[i * draws->n + r] = (tolerance_ns[i] - L_ns) * s_per_ns;
    }
    return status;
}

enum ct_status ct_tolerance_intervals(const struct ct_replicates *replicates,
                                      const double *threshold_frac, size_t n, unsigned threads,
                                      size_t *n_replicates_p, struct ct_interval *runtime_s_p,
                                      struct ct_tolerance_interval *intervals_p,
                                      struct ct_error *err)
{
    const struct ct_interval none = {NAN, NAN};
    double level = replicates->level;
    struct draws draws = {.n = ct_replicates_affordable(replicates, 1)};
    double *room = malloc(((2 * n + 1) * draws.n + 2 * n + 1) * sizeof *room);
    *n_replicates_p = draws.n;
    *runtime_s_p = none;
    for (size_t i = 0; i < n; i++)
        intervals_p[i] = (struct ct_tolerance_interval){none, none};
    if (!room)
        return ct_no_memory(err, "%zu replicates", draws.n);
    draws.runtime_s = room;
    draws.L_s = room + draws.n;
    draws.delta_L_s = draws.L_s + n * draws.n;
    double *scratch = draws.delta_L_s + n * draws.n;
    enum ct_status status = CT_OK;
    for (size_t r = 0; r < draws.n && status == CT_OK; r++)
        status = solve_replicate(replicates, r, threshold_frac, n, threads, scratch, &draws, err);
    if (status == CT_OK && draws.n > 0) {
        *runtime_s_p = ct_loggp_percentiles(draws.runtime_s, draws.n, level);
        for (size_t i = 0; i < n; i++)
            intervals_p[i] = (struct ct_tolerance_interval){
                ct_loggp_percentiles(draws.L_s + i * draws.n, draws.n, level),
                ct_loggp_percentiles(draws.delta_L_s + i * draws.n, draws.n, level)};
    }
    free(room);
    return status;
}

/* ---- T and lambda_L at given latencies ---- */

static enum ct_status read_lines(const struct ct_replicates *replicates, size_t r,
                                 const double *L_ns, size_t n, unsigned threads,
                                 struct ct_line *lines_p, struct ct_error *err)
{
    struct ct_evaluator *evaluator;
    double own_L_ns; /* not asked for: latencies are given */
    CT_TRY(replicates->compile(replicates->data, r, &own_L_ns, &evaluator, err));
    enum ct_status status = ct_evaluator_lines(evaluator, L_ns, n, threads, lines_p, err);
    ct_evaluator_free(evaluator);
    return status;
}

enum ct_status ct_line_intervals(const struct ct_replicates *replicates, const double *L_ns,
                                 size_t n, unsigned threads, size_t *n_replicates_p,
                                 struct ct_line_interval *intervals_p, struct ct_error *err)
{
    const struct ct_interval none = {NAN, NAN};
    const double level = replicates->level;
    size_t walks = (n + CT_EVALUATOR_LANES - 1) / CT_EVALUATOR_LANES;
    size_t n_drawn = ct_replicates_affordable(replicates, walks > 0 ? walks : 1);
    struct ct_line *lines = malloc((n_drawn * n + 1) * sizeof *lines);
    double *values = malloc((n_drawn + 1) * sizeof *values);
    enum ct_status status = CT_OK;
    if (!lines || !values)
        status = ct_no_memory(err, "%zu replicates", n_drawn);
    for (size_t r = 0; r < n_drawn && status == CT_OK; r++)
        status = read_lines(replicates, r, L_ns, n, threads, lines + r * n, err);
    for (size_t i = 0; i < n && status == CT_OK; i++) {
        intervals_p[i] = (struct ct_line_interval){none, none};
        if (n_drawn == 0)
            continue;
        for (size_t r = 0; r < n_drawn; r++)
            values[r] = ct_line_at(lines[r * n + i], L_ns[i]) * s_per_ns;
        intervals_p[i].runtime_s = ct_loggp_percentiles(values, n_drawn, level);
        for (size_t r = 0; r < n_drawn; r++)
            values[r] = lines[r * n + i].slope;
        intervals_p[i].lambda_L = ct_loggp_percentiles(values, n_drawn, level);
    }
    free(lines);
    free(values);
    if (status == CT_OK)
        *n_replicates_p = n_drawn;
    return status;
}
