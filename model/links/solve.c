#include "model/links/solve.h"

#include "model/constants.h"
#include "model/links/nnls.h"

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

static double constant(enum ct_model_constant row)
{
    return ct_model_constants[row].value;
}

/* ---- equations over groups ---- */

static bool merge_rows(const struct ct_link_rows *rows, const uint32_t *group, size_t n_groups,
                       struct ct_link_rows *merged)
{
    size_t n_all = rows->first[rows->n], n = 0;
    size_t *first = malloc((rows->n + 1) * sizeof *first);
    uint32_t *column = malloc((n_all + 1) * sizeof *column);
    double *factor = malloc((n_all + 1) * sizeof *factor);
    size_t *place = malloc((n_groups + 1) * sizeof *place); /* in the row */
    *merged = (struct ct_link_rows){rows->n, first, column, factor};
    bool room = first && column && factor && place;
    for (size_t g = 0; room && g < n_groups; g++)
        place[g] = SIZE_MAX;
    for (size_t r = 0; room && r < rows->n; r++) {
        first[r] = n;
        for (size_t i = rows->first[r]; i < rows->first[r + 1]; i++) {
            uint32_t g = group[rows->column[i]];
            if (place[g] == SIZE_MAX || place[g] < first[r]) {
                place[g] = n;
                column[n] = g;
                factor[n++] = 0;
            }
            factor[place[g]] += rows->factor ? rows->factor[i] : 1;
        }
    }
    if (room)
        first[rows->n] = n;
    free(place);
    return room;
}

enum ct_status ct_link_solver_new(const struct ct_link_system *system, const uint32_t *group,
                                  size_t n_groups, struct ct_link_solver *solver,
                                  struct ct_error *err)
{
    size_t n = n_groups + 1, n_pairs = system->paths.n;
    *solver = (struct ct_link_solver){
        .n_groups = n_groups,
        .n_pairs = n_pairs,
        .gram = malloc(n * n * sizeof *solver->gram),
        .rhs = malloc(n * sizeof *solver->rhs),
        .expected = malloc((n_pairs + 1) * sizeof *solver->expected),
        .unknown = malloc(n * sizeof *solver->unknown),
        .busy_by_unknown = malloc(n * sizeof *solver->busy_by_unknown),
        .slope = malloc((system->paths.first[n_pairs] + 1) * sizeof *solver->slope)};
    bool room = merge_rows(&system->paths, group, n_groups, &solver->paths);
    room = merge_rows(&system->balances, group, n_groups, &solver->balances) && room;
    if (room && solver->gram && solver->rhs && solver->expected && solver->unknown &&
        solver->busy_by_unknown && solver->slope)
        return CT_OK;
    return ct_fail(err, CT_ENOMEM, "utilization of links: out of memory");
}

static void free_rows(struct ct_link_rows *rows)
{
    free((void *)(uintptr_t)rows->first);
    free((void *)(uintptr_t)rows->column);
    free((void *)(uintptr_t)rows->factor);
}

void ct_link_solver_free(struct ct_link_solver *solver)
{
    free_rows(&solver->paths);
    free_rows(&solver->balances);
    free(solver->gram);
    free(solver->rhs);
    free(solver->expected);
    free(solver->unknown);
    free(solver->busy_by_unknown);
    free(solver->slope);
    *solver = (struct ct_link_solver){0};
}

static void clear(struct ct_link_solver *solver)
{
    memset(solver->gram, 0, solver->n_groups * solver->n_groups * sizeof *solver->gram);
    memset(solver->rhs, 0, solver->n_groups * sizeof *solver->rhs);
}

static double scale_of(const double *scale, size_t group)
{
    return scale ? scale[group] : 1;
}

/* Add weight (row x - b)^2. scale: of the unknowns in it; NULL: 1 */
static void add_equation(struct ct_link_solver *solver, const struct ct_link_rows *rows, size_t r,
                         const double *scale, double b, double weight)
{
    for (size_t i = rows->first[r]; i < rows->first[r + 1]; i++) {
        size_t a = rows->column[i];
        double factor = rows->factor[i] * scale_of(scale, a);
        solver->rhs[a] += weight * factor * b;
        for (size_t j = rows->first[r]; j < rows->first[r + 1]; j++) {
            size_t c = rows->column[j];
            solver->gram[a * solver->n_groups + c] +=
                weight * factor * rows->factor[j] * scale_of(scale, c);
        }
    }
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
    double waiting = 0, length = 0, n = 0;
    for (size_t p = 0; p < solver->n_pairs; p++)
        if (tallies[p].n > 0) {
            waiting += waiting_of(&tallies[p]);
            length += (double)(solver->paths.first[p + 1] - solver->paths.first[p]);
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
    for (size_t s = 0; s < solver->balances.n; s++)
        add_equation(solver, &solver->balances, s, solver->busy_by_unknown, 0, weight);
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

/* m(y) = (sum of y_l^q)^(1/q) over the path, and the slopes dm / dy_l = (y_l / m)^(q - 1), with
 * which m is the sum of slope times y_l. */
static double set_slopes(struct ct_link_solver *solver, size_t pair, double q)
{
    const struct ct_link_rows *paths = &solver->paths;
    double sum = 0;
    for (size_t i = paths->first[pair]; i < paths->first[pair + 1]; i++)
        sum += paths->factor[i] * pow(solver->unknown[paths->column[i]], q);
    double m = pow(sum, 1 / q);
    for (size_t i = paths->first[pair]; i < paths->first[pair + 1]; i++)
        solver->slope[i] =
            paths->factor[i] * pow(solver->unknown[paths->column[i]] / fmax(m, DBL_MIN), q - 1);
    return m;
}

/* A link that is never the busiest of a path could be anything below that: what probes leave open
 * is near the mean of all links. By the weight of a part of a mean link's equations. */
static void hold_to_mean(struct ct_link_solver *solver, double mean_weight)
{
    size_t n = solver->n_groups;
    double weight = 0, mean = 0;
    for (size_t g = 0; g < n; g++) {
        weight += mean_weight * solver->gram[g * n + g] / (double)n;
        mean += solver->unknown[g] / (double)n;
    }
    for (size_t g = 0; g < n; g++) {
        solver->gram[g * n + g] += weight;
        solver->rhs[g] += weight * mean;
    }
}

/* A step moves what it has a reason to move: not a link that is never the busiest of a path. */
static void hold_to_last(struct ct_link_solver *solver)
{
    size_t n = solver->n_groups;
    double weight = 0;
    for (size_t g = 0; g < n; g++)
        weight += damping * solver->gram[g * n + g] / (double)n;
    for (size_t g = 0; g < n; g++) {
        solver->gram[g * n + g] += weight;
        solver->rhs[g] += weight * solver->unknown[g];
    }
}

/* Towards the least squares over unknowns >= 0, one unknown after the other (Hildreth, Naval
 * Research Logistics Quarterly 4, 1957): the next step has other equations anyway. */
static void descend(struct ct_link_solver *solver)
{
    size_t n = solver->n_groups;
    for (int i = 0; i < SWEEPS; i++)
        for (size_t a = 0; a < n; a++) {
            double gain = solver->rhs[a], own = solver->gram[a * n + a];
            for (size_t c = 0; c < n; c++)
                gain -= solver->gram[a * n + c] * solver->unknown[c];
            if (own > 0)
                solver->unknown[a] = fmax(0, solver->unknown[a] + gain / own);
        }
}

/* One step of Fisher's scoring: of n probes, n p wait nowhere, p = p_idle exp(-m(y)), and of those
 * that are seen m + 1 - seen / (n p) is the value of m to which the likelihood's slope leads. */
static void step(struct ct_link_solver *solver, const struct ct_link_tally *tallies,
                 const struct ct_link_fit *fit)
{
    double busy_weights = 0, n = 0;
    clear(solver);
    for (size_t p = 0; p < solver->n_pairs; p++) {
        const struct ct_link_tally *tally = &tallies[p];
        double m = fmin(fmax(set_slopes(solver, p, fit->dependence), least_waiting), most_waiting);
        if (!(tally->n > 0))
            continue;
        double share = exp(-m) * tally->idle_undisturbed;
        double weight = tally->weight * tally->n * share / (1 - share);
        struct ct_link_rows slopes = solver->paths;
        slopes.factor = solver->slope;
        add_equation(solver, &slopes, p, NULL, m + 1 - tally->undisturbed / (tally->n * share),
                     weight);
        /* of 1 - c, as the weight is that of -ln c */
        busy_weights += weight * exp(2 * m);
        n += tally->weight;
    }
    add_balances(solver, n > 0 ? constant(CT_MODEL_LINK_BALANCE) * busy_weights / n : 1);
    hold_to_mean(solver, fit->mean_weight);
    hold_to_last(solver);
    descend(solver);
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
    memcpy(last, solver->unknown, solver->n_groups * sizeof *last);
    int steps = fit->start_frac ? STEPS_AGAIN : STEPS;
    for (int i = 0; i < steps && change > least_change; i++) {
        step(solver, tallies, fit);
        change = go_half(solver, last);
    }
    for (size_t p = 0; p < solver->n_pairs; p++)
        solver->expected[p] = set_slopes(solver, p, fit->dependence);
    for (size_t g = 0; g < solver->n_groups; g++)
        busy_frac[g] = -expm1(-last[g]);
    return misfit_of(solver, tallies);
}

/* ---- mean wait ---- */

static enum ct_status solve(struct ct_link_solver *solver, struct ct_error *err)
{
    size_t n = solver->n_groups;
    double sum = 0;
    for (size_t g = 0; g < n; g++)
        sum += solver->gram[g * n + g];
    for (size_t g = 0; g < n; g++)
        solver->gram[g * n + g] += ridge * sum / (double)n;
    return ct_nnls_solve(solver->gram, solver->rhs, n, solver->unknown, err);
}

enum ct_status ct_link_solve_wait(struct ct_link_solver *solver,
                                  const struct ct_link_tally *tallies, double *wait_s,
                                  struct ct_error *err)
{
    clear(solver);
    memcpy(solver->unknown, wait_s, solver->n_groups * sizeof *wait_s);
    for (size_t p = 0; p < solver->n_pairs; p++)
        if (tallies[p].n > 0)
            add_equation(solver, &solver->paths, p, NULL, tallies[p].excess_s,
                         tallies[p].weight * tallies[p].n);
    enum ct_status status = solve(solver, err);
    if (status == CT_OK)
        memcpy(wait_s, solver->unknown, solver->n_groups * sizeof *wait_s);
    return status;
}
