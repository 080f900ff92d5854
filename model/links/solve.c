#include "model/links/solve.h"

#include "model/constants.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 40, STEPS_AGAIN = 5, SWEEPS = 6 };
/* -ln(1 - busy share) of what is idle: from 0 no step would lead away. */
static const double least_unknown = 1e-6;
/* Of the mean of the diagonal, that holds a step back; and a step that changes nothing any more. */
static const double damping = 1e-2, least_change = 1e-3;
/* A part of the mean of the diagonal that is added to it: of what equations leave open the smallest
 * solution is taken. */
static const double ridge = 1e-4;
/* Bounds of -ln c in weights: pairs that never wait, or always, are not known exactly. */
static const double least_waiting = 0.05, most_waiting = 3.5;
/* Of probes, that do or do not wait: no row is known better, since the solution is not. */
static const double least_share = 1e-3;

/* A path that enters a switch leaves it, so that no path shows what all that enters has more and
 * all that leaves has less: by the means of groups, since a path that passes one member passes all.
 */
static enum ct_status make_flat(const struct ct_link_system *system, const uint32_t *group,
                                size_t n_groups, struct ct_sparse *flat_p, struct ct_error *err)
{
    struct ct_link_rows rows = system->balances;
    size_t n = rows.n > 0 ? rows.first[rows.n] : 0;
    double *factor = malloc((n + 1) * sizeof *factor);
    double *members = calloc(n_groups + 1, sizeof *members);
    enum ct_status status = factor && members ? CT_OK : ct_no_memory(err, "utilization of links");
    for (size_t d = 0; d < system->n_directions && status == CT_OK; d++)
        members[group[d]]++;
    for (size_t i = 0; i < n && status == CT_OK; i++)
        factor[i] = copysign(1 / members[group[rows.column[i]]], rows.factor[i]);
    rows.factor = factor;
    if (status == CT_OK)
        status = ct_sparse_new(&rows, NULL, group, n_groups, flat_p, err);
    free(factor);
    free(members);
    return status;
}

enum ct_status ct_link_solver_new(const struct ct_link_system *system, const uint32_t *group,
                                  size_t n_groups, struct ct_link_solver *solver,
                                  struct ct_error *err)
{
    *solver = (struct ct_link_solver){.n_groups = n_groups, .n_pairs = system->paths.n};
    CT_TRY(
        ct_sparse_new(&system->paths, &system->balances, group, n_groups, &solver->equations, err));
    CT_TRY(make_flat(system, group, n_groups, &solver->flat, err));
    CT_TRY(ct_nnls_room_new(&solver->equations, &solver->flat, &solver->room, err));
    CT_TRY(ct_link_prior_new(system, group, n_groups, &solver->prior, err));
    size_t n = n_groups + 1, n_rows = solver->equations.n_rows;
    size_t n_entries = solver->equations.row_first[n_rows];
    solver->weight = malloc((n_rows + 1) * sizeof *solver->weight);
    solver->rhs = malloc((n_rows + 1) * sizeof *solver->rhs);
    solver->slope = malloc((n_entries + 1) * sizeof *solver->slope);
    solver->expected = malloc((solver->n_pairs + 1) * sizeof *solver->expected);
    solver->unknown = malloc(n * sizeof *solver->unknown);
    solver->held = malloc(n * sizeof *solver->held);
    solver->power = malloc(n * sizeof *solver->power);
    solver->busy_by_unknown = malloc(n * sizeof *solver->busy_by_unknown);
    if (solver->weight && solver->rhs && solver->slope && solver->expected && solver->unknown &&
        solver->held && solver->power && solver->busy_by_unknown)
        return CT_OK;
    return ct_no_memory(err, "utilization of links");
}

void ct_link_solver_free(struct ct_link_solver *solver)
{
    ct_sparse_free(&solver->equations);
    ct_nnls_room_free(&solver->room);
    ct_sparse_free(&solver->flat);
    ct_link_prior_free(&solver->prior);
    free(solver->weight);
    free(solver->rhs);
    free(solver->slope);
    free(solver->expected);
    free(solver->unknown);
    free(solver->held);
    free(solver->power);
    free(solver->busy_by_unknown);
    *solver = (struct ct_link_solver){0};
}

/* All rows of no weight: those that have one are then set. */
static void clear_solver(struct ct_link_solver *solver)
{
    memset(solver->weight, 0, solver->equations.n_rows * sizeof *solver->weight);
    memset(solver->rhs, 0, solver->equations.n_rows * sizeof *solver->rhs);
}

static double mean_of(const double *x, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += x[i];
    return n > 0 ? sum / (double)n : 0;
}

/* ---- busy share ---- */

/* -ln of the share that waits nowhere, half a probe added to both so that it is finite. */
static double waiting_of(const struct ct_link_tally *tally)
{
    double undisturbed = (tally->undisturbed + 0.5) / (tally->n + 1) / tally->idle_undisturbed;
    return fmax(0, -log(undisturbed));
}

/* Before the first step all links are as busy as they would be if all pairs waited as often as they
 * do on average: m = y n^(1/q) on a path of n equal links, here of the mean length. */
static void start_equal(struct ct_link_solver *solver, const struct ct_link_tally *tallies,
                        double q)
{
    const size_t *first = solver->equations.row_first;
    double waiting = 0, length = 0, n = 0;
    for (size_t p = 0; p < solver->n_pairs; p++)
        if (tallies[p].n > 0) {
            waiting += waiting_of(&tallies[p]);
            length += (double)(first[p + 1] - first[p]);
            n++;
        }
    double each = n > 0 ? waiting / n / pow(fmax(length / n, 1), 1 / q) : 0;
    for (size_t g = 0; g < solver->n_groups; g++)
        solver->unknown[g] = fmax(each, least_unknown);
}

/* A balance holds for busy shares, 1 - exp(-y): each unknown is multiplied by what its busy share
 * was to it in the solution before. */
static void add_balances(struct ct_link_solver *solver, double weight)
{
    for (size_t g = 0; g < solver->n_groups; g++) {
        double y = fmax(solver->unknown[g], least_waiting);
        solver->busy_by_unknown[g] = -expm1(-y) / y;
    }
    const struct ct_sparse *equations = &solver->equations;
    for (size_t r = solver->n_pairs; r < equations->n_rows; r++) {
        solver->weight[r] = weight;
        for (size_t e = equations->row_first[r]; e < equations->row_first[r + 1]; e++)
            solver->slope[e] = equations->factor[e] * solver->busy_by_unknown[equations->column[e]];
    }
}

static double misfit_of(const struct ct_link_solver *solver, const struct ct_link_tally *tallies)
{
    double sum = 0;
    for (size_t p = 0; p < solver->n_pairs; p++) {
        const struct ct_link_tally *tally = &tallies[p];
        double share = exp(-solver->expected[p]) * tally->idle_undisturbed;
        share = fmin(fmax(share, least_share), 1 - least_share);
        double off = tally->undisturbed - tally->n * share;
        if (tally->n > 0)
            sum += tally->weight * off * off / (tally->n * share * (1 - share));
    }
    return sum;
}

static void set_powers(struct ct_link_solver *solver, double q)
{
    for (size_t g = 0; g < solver->n_groups; g++)
        solver->power[g] = pow(solver->unknown[g], q);
}

/* m(y) = (sum of y_l^q)^(1/q) over the path. power: y_l^q */
static double waiting_on(const struct ct_link_solver *solver, size_t pair, double q)
{
    const struct ct_sparse *equations = &solver->equations;
    double sum = 0;
    for (size_t e = equations->row_first[pair]; e < equations->row_first[pair + 1]; e++)
        sum += equations->factor[e] * solver->power[equations->column[e]];
    return pow(sum, 1 / q);
}

/* The slopes dm / dy_l = (y_l / m)^(q - 1), with which m is the sum of slope times y_l. */
static void set_slopes(struct ct_link_solver *solver, size_t pair, double m, double q)
{
    const struct ct_sparse *equations = &solver->equations;
    double by_power = pow(fmax(m, DBL_MIN), 1 - q);
    for (size_t e = equations->row_first[pair]; e < equations->row_first[pair + 1]; e++) {
        uint32_t g = equations->column[e];
        solver->slope[e] = equations->factor[e] * by_power * solver->power[g] / solver->unknown[g];
    }
}

/* A step moves what it has a reason to move: not a link that is never the busiest of a path. Such a
 * link could be anything below that: with a prior it is near what is expected of it. @param
 * precision  [in] of the prior, 0: none. @return the weight of both */
static double hold_unknown(struct ct_link_solver *solver, const struct ct_nnls *problem,
                           double precision)
{
    size_t n = solver->n_groups;
    ct_nnls_diagonal(problem, solver->room.diagonal);
    double to_last = damping * (mean_of(solver->room.diagonal, n) + precision);
    double sum = precision + to_last;
    for (size_t g = 0; g < n; g++)
        solver->held[g] = sum > 0 ? (precision * ct_link_prior_mean(&solver->prior, g) +
                                     to_last * solver->unknown[g]) /
                                        sum
                                  : solver->unknown[g];
    return sum;
}

/* One step of Fisher's scoring: of n probes, n p wait nowhere, p = p_idle exp(-m(y)), and of those
 * that are seen m + 1 - seen / (n p) is the value of m to which the likelihood's slope leads. */
static void step_fit(struct ct_link_solver *solver, const struct ct_link_tally *tallies,
                     const struct ct_link_fit *fit, double precision)
{
    double busy_weights = 0, n = 0;
    clear_solver(solver);
    set_powers(solver, fit->dependence);
    for (size_t p = 0; p < solver->n_pairs; p++) {
        const struct ct_link_tally *tally = &tallies[p];
        double all = waiting_on(solver, p, fit->dependence);
        double m = fmin(fmax(all, least_waiting), most_waiting);
        set_slopes(solver, p, all, fit->dependence);
        if (!(tally->n > 0))
            continue;
        double share = exp(-m) * tally->idle_undisturbed;
        solver->weight[p] = tally->weight * tally->n * share / (1 - share);
        solver->rhs[p] = m + 1 - tally->undisturbed / (tally->n * share);
        /* of 1 - c, as the weight is that of -ln c */
        busy_weights += solver->weight[p] * exp(2 * m);
        n += tally->weight;
    }
    add_balances(solver, n > 0 ? ct_model_constant(CT_MODEL_LINK_BALANCE) * busy_weights / n : 1);
    struct ct_nnls problem = {.matrix = &solver->equations,
                              .factor = solver->slope,
                              .weight = solver->weight,
                              .b = solver->rhs,
                              .held = solver->held};
    problem.hold = hold_unknown(solver, &problem, precision);
    /* Not to the end: the next step has other equations anyway. */
    ct_nnls_descend(&problem, SWEEPS, &solver->room, solver->unknown);
}

static double take_misfit(struct ct_link_solver *solver, const struct ct_link_tally *tallies,
                          double q)
{
    set_powers(solver, q);
    for (size_t p = 0; p < solver->n_pairs; p++)
        solver->expected[p] = waiting_on(solver, p, q);
    return misfit_of(solver, tallies);
}

/* By what probes tell after a step; balances are no measurements of a link. */
static void improve_prior(struct ct_link_solver *solver, const struct ct_link_tally *tallies,
                          double q)
{
    double n = 0;
    const struct ct_sparse *equations = &solver->equations;
    double *known = solver->room.diagonal;
    memset(known, 0, solver->n_groups * sizeof *known);
    for (size_t p = 0; p < solver->n_pairs; p++)
        for (size_t e = equations->row_first[p]; e < equations->row_first[p + 1]; e++)
            known[equations->column[e]] += solver->weight[p] * solver->slope[e] * solver->slope[e];
    for (size_t p = 0; p < solver->n_pairs; p++)
        n += tallies[p].n > 0 ? tallies[p].weight : 0;
    ct_link_prior_improve(&solver->prior, solver->unknown, known, take_misfit(solver, tallies, q),
                          n);
}

/* Half of the way, since slopes change with the solution. @return the largest change */
static double go_half(const struct ct_link_solver *solver, double *last)
{
    double most = 0;
    for (size_t g = 0; g < solver->n_groups; g++) {
        double next = fmax((last[g] + solver->unknown[g]) / 2, least_unknown);
        most = fmax(most, fabs(next - last[g]));
        solver->unknown[g] = last[g] = next;
    }
    return most;
}

double ct_link_solve_busy(struct ct_link_solver *solver, const struct ct_link_tally *tallies,
                          const struct ct_link_fit *fit, double *busy_frac)
{
    double change = INFINITY, *last = busy_frac;
    if (fit->start_frac)
        for (size_t g = 0; g < solver->n_groups; g++)
            solver->unknown[g] = fmax(-log1p(-fit->start_frac[g]), least_unknown);
    else
        start_equal(solver, tallies, fit->dependence);
    if (!fit->start_frac)
        ct_link_prior_start(&solver->prior, solver->unknown);
    memcpy(last, solver->unknown, solver->n_groups * sizeof *last);
    int steps = fit->start_frac ? STEPS_AGAIN : STEPS;
    for (int i = 0; i < steps && change > least_change; i++) {
        step_fit(solver, tallies, fit,
                 fit->has_prior ? ct_link_prior_precision(&solver->prior) : 0);
        change = go_half(solver, last);
        if (fit->has_prior && !fit->start_frac)
            improve_prior(solver, tallies, fit->dependence);
    }
    double misfit = take_misfit(solver, tallies, fit->dependence);
    for (size_t g = 0; g < solver->n_groups; g++)
        busy_frac[g] = -expm1(-last[g]);
    return misfit;
}

/* ---- mean wait ---- */

enum ct_status ct_link_solve_wait(struct ct_link_solver *solver,
                                  const struct ct_link_tally *tallies, double least_gain,
                                  double *wait_s, struct ct_error *err)
{
    clear_solver(solver);
    for (size_t p = 0; p < solver->n_pairs; p++)
        if (tallies[p].n > 0) {
            solver->weight[p] = tallies[p].weight * tallies[p].n;
            solver->rhs[p] = tallies[p].excess_s;
        }
    struct ct_nnls problem = {.matrix = &solver->equations,
                              .factor = solver->equations.factor,
                              .weight = solver->weight,
                              .b = solver->rhs};
    ct_nnls_diagonal(&problem, solver->room.diagonal);
    problem.hold = ridge * mean_of(solver->room.diagonal, solver->n_groups);
    return ct_nnls_solve(&problem, least_gain, &solver->room, wait_s, err);
}
