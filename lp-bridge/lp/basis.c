#include "lp-bridge/lp/basis.h"

#include <math.h>
#include <stdlib.h>

/* Node 0 of the forest is time 0; node c + 1 is column c. */
struct forest {
    const struct ct_lp *lp;
    size_t *start; /* of the rows at each node */
    int *rows;
    double *rate; /* dy/dL of each column */
    bool *known;  /* each node */
    int *queue;
};

struct ends {
    int target, source; /* nodes */
    double latencies;
};

/* A row waits for its source: y(target) = y(source) + latencies * l + ... */
static struct ends ends_of(const struct ct_lp *lp, int row)
{
    struct ends ends = {0};
    for (int e = lp->row_start[row]; e < lp->row_start[row + 1]; e++)
        if (lp->column[e] == CT_LP_LATENCY)
            ends.latencies = -lp->element[e];
        else if (lp->column[e] != CT_LP_GAP && lp->element[e] > 0)
            ends.target = lp->column[e] + 1;
        else if (lp->column[e] != CT_LP_GAP)
            ends.source = lp->column[e] + 1;
    return ends;
}

static void free_forest(struct forest *forest)
{
    free(forest->start);
    free(forest->rows);
    free(forest->rate);
    free(forest->known);
    free(forest->queue);
}

static bool new_forest(const struct ct_lp *lp, struct forest *forest)
{
    size_t nodes = (size_t)lp->n_columns + 1;
    *forest = (struct forest){.lp = lp,
                              .start = calloc(nodes + 2, sizeof *forest->start),
                              .rows = malloc(((size_t)lp->n_rows * 2 + 1) * sizeof *forest->rows),
                              .rate = calloc(nodes, sizeof *forest->rate),
                              .known = calloc(nodes, sizeof *forest->known),
                              .queue = malloc(nodes * sizeof *forest->queue)};
    return forest->start && forest->rows && forest->rate && forest->known && forest->queue;
}

/* The rows that hold with equality, at both of their nodes. */
static void list_rows(struct forest *forest, const struct ct_basis *basis)
{
    const struct ct_lp *lp = forest->lp;
    for (int row = 0; row < lp->n_rows; row++)
        if (!basis->is_basic_row(basis->data, row)) {
            struct ends ends = ends_of(lp, row);
            forest->start[ends.target + 2]++;
            forest->start[ends.source + 2]++;
        }
    for (int node = 0; node <= lp->n_columns; node++)
        forest->start[node + 1] += forest->start[node];
    for (int row = 0; row < lp->n_rows; row++)
        if (!basis->is_basic_row(basis->data, row)) {
            struct ends ends = ends_of(lp, row);
            forest->rows[forest->start[ends.target + 1]++] = row;
            forest->rows[forest->start[ends.source + 1]++] = row;
        }
}

/* Columns that do not move, then along the rows whatever hangs on them. l itself moves by 1. */
static void find_rates(struct forest *forest, const struct ct_basis *basis)
{
    const struct ct_lp *lp = forest->lp;
    size_t n = 0;
    forest->known[0] = true;
    forest->queue[n++] = 0;
    for (int c = CT_LP_RUNTIME; c < lp->n_columns; c++)
        if (!basis->is_basic_column(basis->data, c)) {
            forest->known[c + 1] = true;
            forest->queue[n++] = c + 1;
        }
    for (size_t i = 0; i < n; i++) {
        int node = forest->queue[i];
        for (size_t r = forest->start[node]; r < forest->start[node + 1]; r++) {
            struct ends ends = ends_of(lp, forest->rows[r]);
            int other = node == ends.target ? ends.source : ends.target;
            if (forest->known[other])
                continue;
            forest->known[other] = true;
            forest->rate[other] =
                forest->rate[node] + (other == ends.target ? ends.latencies : -ends.latencies);
            forest->queue[n++] = other;
        }
    }
}

/* What is `room` above its bound and moves at `rate` gets there; rounding may leave it below. */
static void limit_range(double room, double rate, double *down_p, double *up_p)
{
    double step = fmax(room, 0) / fabs(rate);
    if (rate < 0)
        *up_p = fmin(*up_p, step);
    else if (rate > 0)
        *down_p = fmin(*down_p, step);
}

static void find_limits(const struct forest *forest, const struct ct_basis *basis, double *down_p,
                        double *up_p)
{
    const struct ct_lp *lp = forest->lp;
    for (int c = CT_LP_RUNTIME; c < lp->n_columns; c++)
        if (basis->is_basic_column(basis->data, c))
            limit_range(basis->columns[c], forest->rate[c + 1], down_p, up_p);
    for (int row = 0; row < lp->n_rows; row++)
        if (basis->is_basic_row(basis->data, row)) {
            struct ends ends = ends_of(lp, row);
            double rate = forest->rate[ends.target] - forest->rate[ends.source] - ends.latencies;
            limit_range(basis->rows[row] - lp->lower[row], rate, down_p, up_p);
        }
}

enum ct_status ct_basis_range(const struct ct_lp *lp, const struct ct_basis *basis, double L_ns,
                              double *lo_ns_p, double *hi_ns_p, struct ct_error *err)
{
    if (basis->is_basic_column(basis->data, CT_LP_LATENCY)) {
        /* l is not at its bound, nothing moves with the bound: until it is, and down to 0. */
        *lo_ns_p = 0;
        *hi_ns_p = basis->columns[CT_LP_LATENCY];
        return CT_OK;
    }
    if (basis->is_basic_column(basis->data, CT_LP_GAP)) {
        /* Then the rows are no forest; T does not depend on g, and the range is not worth more. */
        *lo_ns_p = *hi_ns_p = L_ns;
        return CT_OK;
    }
    struct forest forest;
    enum ct_status status = CT_OK;
    if (new_forest(lp, &forest)) {
        double down = L_ns, up = INFINITY;
        list_rows(&forest, basis);
        find_rates(&forest, basis);
        for (int c = CT_LP_RUNTIME; c < lp->n_columns && status == CT_OK; c++)
            if (!forest.known[c + 1])
                status = ct_fail(err, CT_ECHILD, "Clp: its basis leaves column %d open", c);
        find_limits(&forest, basis, &down, &up);
        if (status == CT_OK) {
            *lo_ns_p = L_ns - down;
            *hi_ns_p = L_ns + up;
        }
    } else
        status = ct_no_memory(err, "linear program");
    free_forest(&forest);
    return status;
}
