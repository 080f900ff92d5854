#include "model/links/nnls.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

struct problem {
    const double *gram, *rhs;
    size_t n;
    double *x;
    bool *is_free;  /* [n] not held at 0 */
    size_t *set, m; /* those that are free */
    double *factor; /* [m][m] Cholesky */
    double *least;  /* [m] without the bound */
};

static double gram_of(const struct problem *p, size_t i, size_t j)
{
    return i >= j ? p->gram[i * p->n + j] : p->gram[j * p->n + i];
}

static bool factorize(struct problem *p)
{
    size_t m = p->m;
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j <= i; j++) {
            double sum = gram_of(p, p->set[i], p->set[j]);
            for (size_t k = 0; k < j; k++)
                sum -= p->factor[i * m + k] * p->factor[j * m + k];
            if (i == j && !(sum > 0 && isfinite(sum)))
                return false;
            p->factor[i * m + j] = i == j ? sqrt(sum) : sum / p->factor[j * m + j];
        }
    return true;
}

/* Least squares over the free unknowns alone. */
static bool solve_free(struct problem *p)
{
    p->m = 0;
    for (size_t i = 0; i < p->n; i++)
        if (p->is_free[i])
            p->set[p->m++] = i;
    size_t m = p->m;
    if (!factorize(p))
        return false;
    for (size_t i = 0; i < m; i++) {
        double sum = p->rhs[p->set[i]];
        for (size_t k = 0; k < i; k++)
            sum -= p->factor[i * m + k] * p->least[k];
        p->least[i] = sum / p->factor[i * m + i];
    }
    for (size_t i = m; i-- > 0;) {
        double sum = p->least[i];
        for (size_t k = i + 1; k < m; k++)
            sum -= p->factor[k * m + i] * p->least[k];
        p->least[i] = sum / p->factor[i * m + i];
    }
    return true;
}

/* Go towards the least value as far as the bound allows; who meets the bound is held there.
 * @return whether somebody is */
static bool step(struct problem *p)
{
    double share = 1;
    size_t blocking = p->n;
    for (size_t k = 0; k < p->m; k++) {
        double x = p->x[p->set[k]], least = p->least[k];
        if (least <= 0 && (blocking == p->n || x / (x - least) < share)) {
            share = x > 0 ? x / (x - least) : 0;
            blocking = p->set[k];
        }
    }
    for (size_t k = 0; k < p->m; k++) {
        double *x = &p->x[p->set[k]];
        *x = fmax(0, *x + share * (p->least[k] - *x));
    }
    if (blocking == p->n)
        return false;
    p->x[blocking] = 0;
    p->is_free[blocking] = false;
    return true;
}

/* The unknown at 0 whose increase helps most; n: none. */
static size_t find_helpful(const struct problem *p, double least_gain)
{
    size_t best = p->n;
    double most = least_gain;
    for (size_t i = 0; i < p->n; i++) {
        double gain = p->rhs[i];
        if (p->is_free[i])
            continue;
        for (size_t j = 0; j < p->n; j++)
            gain -= gram_of(p, i, j) * p->x[j];
        if (gain > most) {
            most = gain;
            best = i;
        }
    }
    return best;
}

static enum ct_status iterate(struct problem *p, struct ct_error *err)
{
    const double relative_rounding = 1e-12;
    double largest = 0;
    for (size_t i = 0; i < p->n; i++)
        largest = fmax(largest, fabs(p->rhs[i]));
    /* Each set comes once; rounding alone could repeat one. */
    for (size_t left = 3 * p->n + 10; left > 0; left--) {
        do {
            if (!solve_free(p))
                return ct_fail(err, CT_EINVAL,
                               "non-negative least squares: the equations do not determine all "
                               "unknowns");
        } while (step(p));
        size_t next = find_helpful(p, relative_rounding * largest);
        if (next == p->n)
            break;
        p->is_free[next] = true;
    }
    return CT_OK;
}

enum ct_status ct_nnls_solve(const double *gram, const double *rhs, size_t n, double *x,
                             struct ct_error *err)
{
    struct problem p = {.gram = gram,
                        .rhs = rhs,
                        .n = n,
                        .x = x,
                        .is_free = calloc(n + 1, sizeof *p.is_free),
                        .set = malloc((n + 1) * sizeof *p.set),
                        .factor = malloc((n * n + 1) * sizeof *p.factor),
                        .least = malloc((n + 1) * sizeof *p.least)};
    enum ct_status status = CT_OK;
    if (!p.is_free || !p.set || !p.factor || !p.least)
        status = ct_fail(err, CT_ENOMEM, "non-negative least squares: out of memory");
    for (size_t i = 0; i < n && status == CT_OK; i++) {
        p.is_free[i] = x[i] > 0;
        x[i] = fmax(0, x[i]);
        if (!isfinite(rhs[i]))
            status =
                ct_fail(err, CT_EINVAL, "non-negative least squares: value %zu is not finite", i);
    }
    if (status == CT_OK)
        status = iterate(&p, err);
    free(p.is_free);
    free(p.set);
    free(p.factor);
    free(p.least);
    return status;
}
