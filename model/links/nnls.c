#include "model/links/nnls.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Turns of sweeps and conjugate gradients; of a turn's sweeps, gradients and halvings. */
enum { TURNS = 200, TURN_SWEEPS = 3, GRADIENTS = 200, HALVINGS = 12 };
/* Slopes, beside the largest at x = 0, that are 0 but for rounding; and of gradients beside those
 * at the beginning of a turn: the next turn may have other unknowns at 0. */
static const double relative_rounding = 1e-12, turn_rounding = 1e-3;
/* Of the least gain of a turn, that of a step of gradients. */
static const double part_of_gain = 0.1;

enum ct_status ct_nnls_room_new(const struct ct_sparse *matrix, const struct ct_sparse *flat,
                                struct ct_nnls_room *room_p, struct ct_error *err)
{
    size_t n_rows = matrix->n_rows + 1, n = matrix->n_columns + 1;
    *room_p = (struct ct_nnls_room){.residual = malloc(n_rows * sizeof *room_p->residual),
                                    .row = malloc(n_rows * sizeof *room_p->row),
                                    .diagonal = malloc(n * sizeof *room_p->diagonal),
                                    .slope = malloc(n * sizeof *room_p->slope),
                                    .rest = malloc(n * sizeof *room_p->rest),
                                    .way = malloc(n * sizeof *room_p->way),
                                    .image = malloc(n * sizeof *room_p->image),
                                    .next = malloc(n * sizeof *room_p->next),
                                    .before = malloc(n * sizeof *room_p->before)};
    if (room_p->residual && room_p->row && room_p->diagonal && room_p->slope && room_p->rest &&
        room_p->way && room_p->image && room_p->next && room_p->before)
        return ct_flat_new(flat, &room_p->flat, err);
    return ct_no_memory(err, "non-negative least squares");
}

void ct_nnls_room_free(struct ct_nnls_room *room)
{
    free(room->residual);
    free(room->row);
    free(room->diagonal);
    free(room->slope);
    free(room->rest);
    free(room->way);
    free(room->image);
    free(room->next);
    free(room->before);
    ct_flat_free(&room->flat);
    *room = (struct ct_nnls_room){0};
}

static double find_held(const struct ct_nnls *problem, size_t c)
{
    return problem->held ? problem->held[c] : 0;
}

void ct_nnls_diagonal(const struct ct_nnls *problem, double *diagonal)
{
    const struct ct_sparse *matrix = problem->matrix;
    memset(diagonal, 0, matrix->n_columns * sizeof *diagonal);
    for (size_t e = 0; e < matrix->row_first[matrix->n_rows]; e++)
        diagonal[matrix->column[e]] +=
            problem->weight[matrix->row[e]] * problem->factor[e] * problem->factor[e];
}

static void set_residual(const struct ct_nnls *problem, struct ct_nnls_room *room, const double *x)
{
    ct_sparse_multiply(problem->matrix, problem->factor, x, room->residual);
    for (size_t r = 0; r < problem->matrix->n_rows; r++)
        room->residual[r] = problem->b[r] - room->residual[r];
}

/* ---- sweeps ---- */

static void move_one(const struct ct_nnls *problem, size_t c, struct ct_nnls_room *room, double *x)
{
    const struct ct_sparse *matrix = problem->matrix;
    const size_t *entries = matrix->entry_of_column;
    double gain = problem->hold * (find_held(problem, c) - x[c]);
    if (!(room->diagonal[c] > 0))
        return;
    for (size_t i = matrix->column_first[c]; i < matrix->column_first[c + 1]; i++) {
        size_t e = entries[i];
        uint32_t r = matrix->row[e];
        gain += problem->weight[r] * problem->factor[e] * room->residual[r];
    }
    double next = fmax(0, x[c] + gain / room->diagonal[c]), change = next - x[c];
    if (!(fabs(change) > 0))
        return;
    for (size_t i = matrix->column_first[c]; i < matrix->column_first[c + 1]; i++)
        room->residual[matrix->row[entries[i]]] -= problem->factor[entries[i]] * change;
    x[c] = next;
}

static void sweep_unknowns(const struct ct_nnls *problem, int sweeps, struct ct_nnls_room *room,
                           double *x)
{
    for (int i = 0; i < sweeps; i++)
        for (size_t c = 0; c < problem->matrix->n_columns; c++)
            move_one(problem, c, room, x);
}

static void begin_search(const struct ct_nnls *problem, struct ct_nnls_room *room, const double *x)
{
    ct_nnls_diagonal(problem, room->diagonal);
    for (size_t c = 0; c < problem->matrix->n_columns; c++)
        room->diagonal[c] += problem->hold;
    set_residual(problem, room, x);
}

void ct_nnls_descend(const struct ct_nnls *problem, int sweeps, struct ct_nnls_room *room,
                     double *x)
{
    begin_search(problem, room, x);
    sweep_unknowns(problem, sweeps, room, x);
}

/* ---- conjugate gradients ---- */

/* -1/2 of the slope of the sum by each unknown. */
static void set_slope(const struct ct_nnls *problem, struct ct_nnls_room *room, const double *x)
{
    for (size_t r = 0; r < problem->matrix->n_rows; r++)
        room->row[r] = problem->weight[r] * room->residual[r];
    ct_sparse_multiply_transposed(problem->matrix, problem->factor, room->row, room->slope);
    for (size_t c = 0; c < problem->matrix->n_columns; c++)
        room->slope[c] += problem->hold * (find_held(problem, c) - x[c]);
}

static double sum_of(const struct ct_nnls *problem, const struct ct_nnls_room *room,
                     const double *x)
{
    double sum = 0;
    for (size_t r = 0; r < problem->matrix->n_rows; r++)
        sum += problem->weight[r] * room->residual[r] * room->residual[r];
    for (size_t c = 0; c < problem->matrix->n_columns; c++)
        sum += problem->hold * (find_held(problem, c) - x[c]) * (find_held(problem, c) - x[c]);
    return sum;
}

/* image = (A'WA + hold) way. @return way' image */
static double set_image(const struct ct_nnls *problem, struct ct_nnls_room *room)
{
    const struct ct_sparse *matrix = problem->matrix;
    double product = 0;
    for (size_t c = 0; c < matrix->n_columns; c++)
        room->image[c] = problem->hold * room->way[c];
    for (size_t r = 0; r < matrix->n_rows; r++) {
        size_t begin = matrix->row_first[r], end = matrix->row_first[r + 1];
        double of_row = 0;
        if (!(problem->weight[r] > 0))
            continue;
        for (size_t e = begin; e < end; e++)
            of_row += problem->factor[e] * room->way[matrix->column[e]];
        for (size_t e = begin; e < end; e++)
            room->image[matrix->column[e]] += problem->weight[r] * problem->factor[e] * of_row;
    }
    for (size_t c = 0; c < matrix->n_columns; c++)
        product += room->way[c] * room->image[c];
    return product;
}

/* next: the rest by the preconditioner. @return rest' next */
static double precondition_gradient(const struct ct_nnls *problem, struct ct_nnls_room *room)
{
    double product = 0;
    for (size_t c = 0; c < problem->matrix->n_columns; c++)
        room->next[c] = room->rest[c] / room->diagonal[c];
    ct_flat_add(&room->flat, room->rest, room->next);
    for (size_t c = 0; c < problem->matrix->n_columns; c++)
        product += room->rest[c] * room->next[c];
    return product;
}

/* Towards the least sum over the unknowns above 0, without the bound, by steps that lower it by so
 * much. before: those are above 0 in it. */
static void go_along(const struct ct_nnls *problem, struct ct_nnls_room *room, double rounding,
                     double least_gain, double *x)
{
    size_t n = problem->matrix->n_columns;
    const struct ct_flat_sum sum = {problem->matrix, problem->factor, problem->weight,
                                    problem->hold};
    ct_flat_set(&room->flat, &sum, room->before);
    for (size_t c = 0; c < n; c++)
        room->rest[c] = room->before[c] > 0 ? room->slope[c] : 0;
    double size = precondition_gradient(problem, room),
           least = turn_rounding * turn_rounding * size;
    memcpy(room->way, room->next, n * sizeof *room->way);
    for (int i = 0; i < GRADIENTS && size > least; i++) {
        double length = size / set_image(problem, room), most = 0, last_size = size;
        for (size_t c = 0; c < n; c++) {
            x[c] += length * room->way[c];
            room->rest[c] -= room->before[c] > 0 ? length * room->image[c] : 0;
            most = fmax(most, fabs(room->rest[c]));
        }
        if (most <= rounding || length * size < least_gain)
            break;
        size = precondition_gradient(problem, room);
        for (size_t c = 0; c < n; c++)
            room->way[c] = room->next[c] + size / last_size * room->way[c];
    }
}

/* From before to x, no further than lowers the sum, and along the bounds where it meets them. */
static void search_minimum(const struct ct_nnls *problem, struct ct_nnls_room *room, double *x)
{
    size_t n = problem->matrix->n_columns;
    double sum = sum_of(problem, room, room->before), part = 1;
    for (size_t c = 0; c < n; c++)
        room->way[c] = x[c] - room->before[c];
    for (int i = 0; i < HALVINGS; i++) {
        for (size_t c = 0; c < n; c++)
            x[c] = fmax(0, room->before[c] + part * room->way[c]);
        set_residual(problem, room, x);
        if (sum_of(problem, room, x) <= sum)
            return;
        part /= 2;
    }
    memcpy(x, room->before, n * sizeof *x);
    set_residual(problem, room, x);
}

/* ---- the whole ---- */

/* Karush, Kuhn and Tucker: no slope but where it leads below 0. */
static bool is_least(const struct ct_nnls *problem, const struct ct_nnls_room *room,
                     double rounding, const double *x)
{
    for (size_t c = 0; c < problem->matrix->n_columns; c++)
        if (room->slope[c] > rounding || (x[c] > 0 && room->slope[c] < -rounding))
            return false;
    return true;
}

static enum ct_status check_problem(const struct ct_nnls *problem, struct ct_error *err)
{
    if (!(problem->hold > 0))
        return ct_fail(err, CT_EINVAL,
                       "non-negative least squares: the equations do not determine all unknowns");
    for (size_t r = 0; r < problem->matrix->n_rows; r++)
        if (!isfinite(problem->b[r]) || !isfinite(problem->weight[r]))
            return ct_fail(err, CT_EINVAL, "non-negative least squares: equation %zu is not finite",
                           r);
    return CT_OK;
}

/* The largest slope at x = 0, by which rounding is judged. */
static double largest_slope(const struct ct_nnls *problem, struct ct_nnls_room *room)
{
    size_t n = problem->matrix->n_columns;
    double largest = 0;
    memset(room->before, 0, n * sizeof *room->before);
    set_residual(problem, room, room->before);
    set_slope(problem, room, room->before);
    for (size_t c = 0; c < n; c++)
        largest = fmax(largest, fabs(room->slope[c]));
    return largest;
}

/* Of the sum at its least, what one equation has on average: the variance of an equation of
 * weight 1. */
static double find_variance(const struct ct_nnls *problem, double sum)
{
    double n = 0;
    for (size_t r = 0; r < problem->matrix->n_rows; r++)
        n += problem->weight[r] > 0;
    return n > 0 ? sum / n : 0;
}

enum ct_status ct_nnls_solve(const struct ct_nnls *problem, double least_gain,
                             struct ct_nnls_room *room, double *x, struct ct_error *err)
{
    CT_TRY(check_problem(problem, err));
    double rounding = relative_rounding * largest_slope(problem, room), sum = INFINITY;
    begin_search(problem, room, x);
    for (int turn = 0; turn < TURNS; turn++) {
        sweep_unknowns(problem, TURN_SWEEPS, room, x);
        set_slope(problem, room, x);
        double before = sum;
        sum = sum_of(problem, room, x);
        double gain = least_gain * find_variance(problem, sum);
        if (before - sum < gain || is_least(problem, room, rounding, x))
            break;
        memcpy(room->before, x, problem->matrix->n_columns * sizeof *x);
        go_along(problem, room, rounding, part_of_gain * gain, x);
        search_minimum(problem, room, x);
    }
    return CT_OK;
}
