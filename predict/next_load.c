#include "predict/next_load.h"

#include "predict/constants.h"
#include "predict/curve.h"

#include <gsl/gsl_linalg.h>
#include <math.h>
#include <stdlib.h>

const char *ct_next_load_reason_text(enum ct_next_load_reason reason)
{
    static const char *const texts[CT_NEXT_LOAD_N_REASONS] = {
        [CT_NEXT_LOAD_DONE] = "nothing is needed",
        [CT_NEXT_LOAD_REACH] = "an application is beyond all loads",
        [CT_NEXT_LOAD_GAP] = "nothing is measured there",
        [CT_NEXT_LOAD_BEND] = "a curve rises at an application",
        [CT_NEXT_LOAD_SCATTER] = "loads around an application disagree"};
    return texts[reason];
}

/* Finite also at the ends of the axis. */
static double odds_of(double utilization_frac)
{
    double inside = fmin(fmax(utilization_frac, 1e-4), 1 - 1e-4);
    return inside / (1 - inside);
}

static double utilization_of(double odds)
{
    return odds / (1 + odds);
}

/* ---- expected utilization ---- */

enum { N_TERMS = 1 + CT_NEXT_LOAD_N_FACTORS };

/* Of log odds: a constant, then the powers of the factors. */
static double prior_mean(size_t term)
{
    return ct_predict_constants[CT_PREDICT_NEXT_LOAD_MEAN_CONSTANT + term].value;
}

static double prior_deviation(size_t term)
{
    return ct_predict_constants[CT_PREDICT_NEXT_LOAD_DEVIATION_CONSTANT + term].value;
}

static void terms_of(const struct ct_next_load_candidate *load, double terms[N_TERMS])
{
    terms[0] = 1;
    for (size_t f = 0; f < CT_NEXT_LOAD_N_FACTORS; f++)
        terms[f + 1] = log(load->factors[f]);
}

static bool is_point(const struct ct_next_load_candidate *load)
{
    return load->state == CT_NEXT_LOAD_MEASURED && isfinite(load->utilization_frac);
}

/* Posterior mean of the weights, from the normal equations with the prior as further rows. */
static void fit_weights(const struct ct_next_load_question *question, double weights[N_TERMS])
{
    double matrix[N_TERMS * N_TERMS] = {0}, right[N_TERMS];
    for (size_t i = 0; i < N_TERMS; i++) {
        double ratio =
            ct_predict_constant(CT_PREDICT_NEXT_LOAD_SCATTER_DEVIATION) / prior_deviation(i);
        matrix[i * N_TERMS + i] = ratio * ratio;
        right[i] = ratio * ratio * prior_mean(i);
    }
    for (size_t l = 0; l < question->n_loads; l++) {
        const struct ct_next_load_candidate *load = &question->loads[l];
        double terms[N_TERMS];
        if (!is_point(load) || !load->has_factors)
            continue;
        terms_of(load, terms);
        for (size_t i = 0; i < N_TERMS; i++) {
            right[i] += terms[i] * log(odds_of(load->utilization_frac));
            for (size_t j = 0; j < N_TERMS; j++)
                matrix[i * N_TERMS + j] += terms[i] * terms[j];
        }
    }
    gsl_matrix_view a = gsl_matrix_view_array(matrix, N_TERMS, N_TERMS);
    gsl_vector_view b = gsl_vector_view_array(right, N_TERMS);
    gsl_vector_view x = gsl_vector_view_array(weights, N_TERMS);
    gsl_linalg_cholesky_decomp1(&a.matrix); /* positive definite by the prior */
    gsl_linalg_cholesky_solve(&a.matrix, &b.vector, &x.vector);
}

static double expected_odds(const struct ct_next_load_candidate *load,
                            const double weights[N_TERMS])
{
    double terms[N_TERMS], sum = 0;
    terms_of(load, terms);
    for (size_t i = 0; i < N_TERMS; i++)
        sum += weights[i] * terms[i];
    return exp(sum);
}

/* ---- what is known ---- */

/* Points on the axis, the idle network first; those below it say nothing. */
struct knowledge {
    size_t n;
    double *x;      /* [n], utilization */
    size_t *load;   /* [n], not of point 0 */
    double *height; /* [app * n]: the curve at the points */
    double *app_x;  /* [n_app_x], where predictions are asked for, not below the idle network */
    size_t n_app_x;
    double top; /* up to here curves are to be known */
};

static void forget_loads(struct knowledge *known)
{
    free(known->x);
    free(known->load);
    free(known->height);
    free(known->app_x);
}

static enum ct_status collect_loads(const struct ct_next_load_question *question,
                                    struct knowledge *known)
{
    size_t most = question->n_loads + 1;
    known->x = malloc(most * sizeof *known->x);
    known->load = calloc(most, sizeof *known->load);
    known->height = malloc((question->n_apps * most + 1) * sizeof *known->height);
    known->app_x = malloc((question->n_apps + 1) * sizeof *known->app_x);
    if (!known->x || !known->load || !known->height || !known->app_x)
        return CT_ENOMEM;
    double idle = question->idle_utilization_frac;
    known->x[known->n++] = idle;
    for (size_t l = 0; l < question->n_loads; l++) {
        const struct ct_next_load_candidate *load = &question->loads[l];
        if (!is_point(load) || load->utilization_frac <= idle)
            continue;
        size_t at = known->n++;
        for (; at > 1 && known->x[at - 1] > load->utilization_frac; at--) {
            known->x[at] = known->x[at - 1];
            known->load[at] = known->load[at - 1];
        }
        known->x[at] = load->utilization_frac;
        known->load[at] = l;
    }
    known->top = idle;
    for (size_t app = 0; app < question->n_apps; app++)
        if (isfinite(question->app_utilization_frac[app])) {
            double x = fmax(question->app_utilization_frac[app], idle);
            known->app_x[known->n_app_x++] = x;
            known->top = fmax(known->top, x);
        }
    if (known->n_app_x == 0)
        known->top = 1;
    return CT_OK;
}

static double slowdown_at(const struct ct_next_load_question *question,
                          const struct knowledge *known, size_t app, size_t point)
{
    return question->loads[known->load[point]].slowdown_frac[app];
}

static enum ct_status draw_curve(const struct ct_next_load_question *question,
                                 struct knowledge *known, size_t app)
{
    struct ct_curve_point *points = malloc(known->n * sizeof *points);
    struct ct_curve *curve;
    size_t n = 0;
    if (!points)
        return CT_ENOMEM;
    for (size_t p = 1; p < known->n; p++) {
        double slowdown = slowdown_at(question, known, app, p);
        if (isfinite(slowdown))
            points[n++] = (struct ct_curve_point){known->x[p], slowdown};
    }
    enum ct_status status = ct_curve_new(points, n, known->x[0], &curve);
    free(points);
    if (status != CT_OK)
        return status;
    bool beyond;
    for (size_t p = 0; p < known->n; p++)
        known->height[app * known->n + p] = ct_curve_at(curve, known->x[p], &beyond);
    ct_curve_free(curve);
    return CT_OK;
}

/* ---- needs ---- */

struct need {
    enum ct_next_load_reason reason;
    double size;     /* in multiples of its limit */
    double from, to; /* part of the axis where a load meets it */
    double target;   /* best place */
};

struct needs {
    const struct ct_next_load_question *question;
    const struct knowledge *known;
    struct need *list;
    size_t n;
};

static void add_need(struct needs *needs, struct need need)
{
    if (need.size > 1)
        needs->list[needs->n++] = need;
}

static void need_reach(struct needs *needs)
{
    const struct knowledge *known = needs->known;
    double last = known->x[known->n - 1];
    if (known->n == 1 || (known->n_app_x > 0 && known->top > last))
        add_need(needs, (struct need){
                            CT_NEXT_LOAD_REACH, INFINITY, last, 1,
                            known->n_app_x > 0
                                ? utilization_of(ct_predict_constant(CT_PREDICT_NEXT_LOAD_BEYOND) *
                                                 odds_of(known->top))
                                : (last + known->top) / 2});
}

static void need_gap(struct needs *needs, size_t point)
{
    const struct knowledge *known = needs->known;
    double from = known->x[point], to = point + 1 < known->n ? known->x[point + 1] : known->top;
    if (from < known->top)
        add_need(needs, (struct need){CT_NEXT_LOAD_GAP,
                                      (to - from) / (ct_predict_constant(CT_PREDICT_NEXT_LOAD_GAP) *
                                                     needs->question->resolution_frac),
                                      from, to, (from + to) / 2});
}

static void need_bend(struct needs *needs, size_t point, double x)
{
    const struct knowledge *known = needs->known;
    double from = known->x[point], to = known->x[point + 1], rise = 0;
    if (!(x >= from && x < to))
        return;
    for (size_t app = 0; app < needs->question->n_apps; app++) {
        const double *height = &known->height[app * known->n + point];
        rise = fmax(rise, (height[1] - height[0]) / (1 + height[1]));
    }
    double distance = point == 0 ? to - x : 2 * fmin(x - from, to - x);
    add_need(needs, (struct need){CT_NEXT_LOAD_BEND,
                                  rise * distance / (to - from) / needs->question->resolution_frac,
                                  from, to, x});
}

static void need_scatter(struct needs *needs, double x)
{
    const struct knowledge *known = needs->known;
    double window_odds = ct_predict_constant(CT_PREDICT_NEXT_LOAD_WINDOW);
    double from = utilization_of(odds_of(x) / window_odds);
    double to = utilization_of(odds_of(x) * window_odds), worst = 0;
    for (size_t app = 0; app < needs->question->n_apps; app++) {
        double squares = 0, heights = 0, k = 0;
        for (size_t p = 1; p < known->n; p++) {
            double height = known->height[app * known->n + p];
            double off = slowdown_at(needs->question, known, app, p) - height;
            if (!(known->x[p] > from && known->x[p] < to) || isnan(off))
                continue;
            squares += off * off;
            heights += height;
            k++;
        }
        if (k > 0)
            worst = fmax(worst, sqrt(squares) / k / (1 + heights / k));
    }
    add_need(needs, (struct need){CT_NEXT_LOAD_SCATTER, worst / needs->question->resolution_frac,
                                  from, to, x});
}

static void find_needs(struct needs *needs)
{
    const struct knowledge *known = needs->known;
    need_reach(needs);
    for (size_t p = 0; p < known->n; p++)
        need_gap(needs, p);
    for (size_t a = 0; a < known->n_app_x; a++) {
        for (size_t p = 0; p + 1 < known->n; p++)
            need_bend(needs, p, known->app_x[a]);
        if (known->app_x[a] > known->x[0])
            need_scatter(needs, known->app_x[a]);
    }
}

/* ---- the choice ---- */

static int by_size(const void *left, const void *right)
{
    const struct need *a = left, *b = right;
    if (a->size > b->size || a->size < b->size)
        return a->size < b->size ? 1 : -1;
    return (a->target > b->target) - (a->target < b->target);
}

/* The open load that is expected nearest to where the need is. */
static bool meet_need(const struct need *need, const struct ct_next_load_question *question,
                      const double weights[N_TERMS], struct ct_next_load *chosen)
{
    double nearest = INFINITY, last = odds_of(need->from);
    for (size_t l = 0; l < question->n_loads; l++) {
        if (question->loads[l].state != CT_NEXT_LOAD_OPEN)
            continue;
        double odds = expected_odds(&question->loads[l], weights);
        double distance = fabs(log(odds / odds_of(need->target)));
        /* What is expected at the heaviest application may be beyond it. */
        bool fits =
            need->reason == CT_NEXT_LOAD_REACH
                ? odds > last || distance < log(ct_predict_constant(CT_PREDICT_NEXT_LOAD_WINDOW))
                : odds > last && odds < odds_of(need->to);
        if (!fits || distance >= nearest)
            continue;
        nearest = distance;
        *chosen = (struct ct_next_load){.reason = need->reason,
                                        .load = l,
                                        .expected_frac = utilization_of(odds),
                                        .from_frac = need->from,
                                        .to_frac = need->to};
    }
    return isfinite(nearest);
}

static enum ct_status choose_from(const struct ct_next_load_question *question,
                                  const struct knowledge *known, struct ct_next_load *next_p)
{
    size_t most = 1 + known->n + known->n_app_x * (known->n + 1);
    struct needs needs = {question, known, malloc(most * sizeof *needs.list), 0};
    double weights[N_TERMS];
    if (!needs.list)
        return CT_ENOMEM;
    find_needs(&needs);
    qsort(needs.list, needs.n, sizeof *needs.list, by_size);
    fit_weights(question, weights);
    struct ct_next_load chosen = {.reason = CT_NEXT_LOAD_DONE, .is_met = needs.n == 0};
    for (size_t i = 0; i < needs.n; i++)
        if (meet_need(&needs.list[i], question, weights, &chosen))
            break;
    free(needs.list);
    *next_p = chosen;
    return CT_OK;
}

static bool is_valid(const struct ct_next_load_question *question)
{
    if (!isfinite(question->idle_utilization_frac) || !(question->resolution_frac > 0))
        return false;
    for (size_t l = 0; l < question->n_loads; l++)
        for (size_t f = 0; f < CT_NEXT_LOAD_N_FACTORS; f++) {
            const struct ct_next_load_candidate *load = &question->loads[l];
            bool counts = load->state == CT_NEXT_LOAD_OPEN || load->has_factors;
            if (counts && !(load->factors[f] > 0 && isfinite(load->factors[f])))
                return false;
        }
    return true;
}

enum ct_status ct_next_load_choose(const struct ct_next_load_question *question,
                                   struct ct_next_load *next_p)
{
    if (!is_valid(question))
        return CT_EINVAL;
    struct knowledge known = {0};
    enum ct_status status = collect_loads(question, &known);
    for (size_t app = 0; app < question->n_apps && status == CT_OK; app++)
        status = draw_curve(question, &known, app);
    if (status == CT_OK)
        status = choose_from(question, &known, next_p);
    forget_loads(&known);
    return status;
}
