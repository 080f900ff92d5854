#include "simulate/joint/queues_fit.h"

#include "core/lesser.h"
#include "core/random.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

static const double level = 0.9;

enum { REPLICATES = 400, CANDIDATES_MAX = 99, N_MIDDLE = 16, SEED = 1 };

struct fit {
    const struct ct_queues_fit_setup *setup;
    struct ct_port_queues candidates[CANDIDATES_MAX];
    size_t n_candidates;
    double *off;    /* [candidate * n_cells + cell]; NaN: not known */
    bool *counts;   /* [cell]: known for all candidates */
    double *weight; /* [cell]: how often it is drawn */
    size_t *config; /* [config]: n_configs that have a cell, each once */
    size_t n_configs;
};

/* ---- how far candidates are off ---- */

/* By the cells as they are weighted; NaN: none counts. */
static double mean_off(const struct fit *fit, size_t candidate)
{
    const double *off = fit->off + candidate * fit->setup->n_cells;
    double sum = 0, n = 0;
    for (size_t c = 0; c < fit->setup->n_cells; c++)
        if (fit->counts[c]) {
            sum += fit->weight[c] * off[c];
            n += fit->weight[c];
        }
    return sum / n;
}

/* Sums in other orders differ in the last digits, which choose nothing. */
static size_t best_of(const struct fit *fit)
{
    static const double same = 1 - 1e-9;
    size_t best = 0;
    for (size_t i = 1; i < fit->n_candidates; i++)
        if (mean_off(fit, i) < mean_off(fit, best) * same)
            best = i;
    return best;
}

/* ---- candidates ---- */

static bool is_tried(const struct fit *fit, const struct ct_port_queues *queues)
{
    for (size_t i = 0; i < fit->n_candidates; i++) {
        const struct ct_port_queues *tried = &fit->candidates[i];
        if (tried->order == queues->order && tried->ahead_bytes == queues->ahead_bytes &&
            tried->burst_bytes == queues->burst_bytes)
            return true;
    }
    return false;
}

static enum ct_status try_queues(struct fit *fit, struct ct_port_queues queues,
                                 struct ct_error *err)
{
    const struct ct_queues_fit_setup *setup = fit->setup;
    double *off = fit->off + fit->n_candidates * setup->n_cells;
    if (is_tried(fit, &queues))
        return CT_OK;
    CT_TRY(setup->slowdowns(setup->model, &queues, fit->counts, off, err));
    for (size_t c = 0; c < setup->n_cells; c++) {
        if (!fit->counts[c])
            continue;
        off[c] = fabs(log((1 + setup->cells[c].slowdown_frac) / (1 + off[c])));
        fit->counts[c] = isfinite(off[c]);
    }
    fit->candidates[fit->n_candidates++] = queues;
    return CT_OK;
}

/* The best of those with this order and burst that were tried. */
static size_t best_like(const struct fit *fit, const struct ct_port_queues *queues)
{
    size_t best = SIZE_MAX;
    for (size_t i = 0; i < fit->n_candidates; i++) {
        const struct ct_port_queues *tried = &fit->candidates[i];
        if (tried->order == queues->order && tried->burst_bytes == queues->burst_bytes &&
            (best == SIZE_MAX || mean_off(fit, i) < mean_off(fit, best)))
            best = i;
    }
    return best;
}

/* So many times as much ahead as the best of what was tried with this order and burst, as long as
 * that is better; nothing where it is known. */
static enum ct_status go_on(struct fit *fit, struct ct_port_queues queues, double factor,
                            struct ct_error *err)
{
    const double least_bytes = queues.packet_bytes;
    const double most_bytes = least_bytes * (double)fit->setup->n_packets_max;
    for (size_t n_before = 0; n_before < fit->n_candidates && !fit->setup->known.has_ahead;) {
        n_before = fit->n_candidates;
        double ahead_bytes = factor * fit->candidates[best_like(fit, &queues)].ahead_bytes;
        queues.ahead_bytes = ct_greater(least_bytes, ct_lesser(ahead_bytes, most_bytes));
        CT_TRY(try_queues(fit, queues, err));
    }
    return CT_OK;
}

/* Twice as much, or half as much if that is not better: the error has one minimum. */
static enum ct_status refine_fit(struct fit *fit, const struct ct_port_queues *queues,
                                 struct ct_error *err)
{
    size_t before = best_like(fit, queues);
    CT_TRY(go_on(fit, *queues, 2, err));
    if (best_like(fit, queues) == before)
        CT_TRY(go_on(fit, *queues, 0.5, err));
    return CT_OK;
}

/* ---- how well it is known ---- */

static size_t count_cells(const struct fit *fit)
{
    size_t n = 0;
    for (size_t c = 0; c < fit->setup->n_cells; c++)
        n += fit->counts[c];
    return n;
}

static void find_configs(struct fit *fit)
{
    fit->n_configs = 0;
    for (size_t c = 0; c < fit->setup->n_cells; c++) {
        size_t i = 0, config = fit->setup->cells[c].config;
        while (i < fit->n_configs && fit->config[i] != config)
            i++;
        if (i == fit->n_configs && fit->counts[c])
            fit->config[fit->n_configs++] = config;
    }
}

static void draw_configs(struct fit *fit, uint64_t *state)
{
    for (size_t c = 0; c < fit->setup->n_cells; c++)
        fit->weight[c] = 0;
    for (size_t i = 0; i < fit->n_configs; i++) {
        double part = ct_random_unit(ct_random_next(state));
        size_t drawn = fit->config[(size_t)(part * (double)fit->n_configs)];
        for (size_t c = 0; c < fit->setup->n_cells; c++)
            fit->weight[c] += fit->setup->cells[c].config == drawn;
    }
}

static void replicate_fit(struct fit *fit, struct ct_queues_fit *result)
{
    double ahead[REPLICATES];
    uint64_t state = SEED;
    size_t n_order = 0, n_burst = 0;
    for (size_t r = 0; r < REPLICATES; r++) {
        draw_configs(fit, &state);
        const struct ct_port_queues *drawn = &fit->candidates[best_of(fit)];
        ahead[r] = drawn->ahead_bytes;
        n_order += drawn->order == result->queues.order;
        n_burst += drawn->burst_bytes == result->queues.burst_bytes;
    }
    ct_stats_sort(ahead, REPLICATES);
    ct_stats_quantile(ahead, REPLICATES, (1 - level) / 2, &result->ahead_bytes.lo);
    ct_stats_quantile(ahead, REPLICATES, (1 + level) / 2, &result->ahead_bytes.hi);
    result->order_frac = (double)n_order / REPLICATES;
    result->burst_frac = (double)n_burst / REPLICATES;
}

/* ---- the whole ---- */

static bool is_enough(struct fit *fit)
{
    find_configs(fit);
    return count_cells(fit) >= CT_QUEUES_FIT_CELLS && fit->n_configs >= CT_QUEUES_FIT_CONFIGS;
}

/* Bursts to try, the first one in steps. @return how many */
static int list_bursts(const struct fit *fit, double bursts_bytes[2])
{
    const struct ct_queues_known *known = &fit->setup->known;
    bursts_bytes[0] = known->has_burst ? known->burst_bytes : 0;
    bursts_bytes[1] = fit->setup->packet_bytes;
    return known->has_burst ? 1 : 2;
}

/* Bytes ahead to try first of all. */
static double first_ahead_bytes(const struct ct_queues_fit_setup *setup)
{
    return setup->known.has_ahead
               ? setup->known.ahead_bytes
               : setup->packet_bytes * ct_lesser(N_MIDDLE, (double)setup->n_packets_max);
}

/* Bytes ahead to try first with this order: the best that it has, or that the other one has. */
static double best_ahead_bytes(const struct fit *fit, const struct ct_port_queues *queues)
{
    size_t best = best_like(fit, queues);
    return fit->candidates[best == SIZE_MAX ? best_of(fit) : best].ahead_bytes;
}

/* Both orders without a burst, the first one from a middle number of packets ahead upwards and the
 * other from its best; then both with a burst, from the best without. */
static enum ct_status try_all(struct fit *fit, struct ct_error *err)
{
    static const enum ct_port_order open[] = {CT_PORT_ROUND_ROBIN, CT_PORT_FIFO};
    const struct ct_queues_known *known = &fit->setup->known;
    const enum ct_port_order *orders = known->has_order ? &known->order : open;
    double bursts_bytes[2];
    int n_bursts = list_bursts(fit, bursts_bytes), n_orders = known->has_order ? 1 : 2;
    for (int i = 0; i < n_orders * n_bursts; i++) {
        struct ct_port_queues queues = {.order = orders[i % n_orders],
                                        .packet_bytes = fit->setup->packet_bytes,
                                        .burst_bytes = bursts_bytes[0]};
        bool is_first = fit->n_candidates == 0;
        queues.ahead_bytes =
            is_first ? first_ahead_bytes(fit->setup) : best_ahead_bytes(fit, &queues);
        queues.burst_bytes = bursts_bytes[i / n_orders];
        CT_TRY(try_queues(fit, queues, err));
        if (is_first)
            CT_TRY(go_on(fit, queues, 4, err));
        CT_TRY(refine_fit(fit, &queues, err));
    }
    return CT_OK;
}

static enum ct_status run_fit(struct fit *fit, struct ct_queues_fit *result, struct ct_error *err)
{
    if (!is_enough(fit))
        return CT_OK;
    enum ct_status status = try_all(fit, err);
    if (status != CT_OK || !is_enough(fit))
        return status;
    size_t best = best_of(fit);
    result->queues = fit->candidates[best];
    result->n_cells = count_cells(fit);
    result->off_mean = mean_off(fit, best);
    replicate_fit(fit, result);
    return CT_OK;
}

enum ct_status ct_queues_fit(const struct ct_queues_fit_setup *setup, struct ct_queues_fit *fit_p,
                             struct ct_error *err)
{
    size_t n = setup->n_cells;
    struct fit fit = {.setup = setup,
                      .off = calloc(CANDIDATES_MAX * n + 1, sizeof *fit.off),
                      .counts = malloc((n + 1) * sizeof *fit.counts),
                      .weight = malloc((n + 1) * sizeof *fit.weight),
                      .config = malloc((n + 1) * sizeof *fit.config)};
    struct ct_queues_fit result = {.queues = {.order = setup->known.order,
                                              .packet_bytes = setup->packet_bytes,
                                              .ahead_bytes = setup->unfitted_ahead_bytes,
                                              .burst_bytes = setup->known.burst_bytes},
                                   .off_mean = NAN,
                                   .ahead_bytes = {NAN, NAN},
                                   .order_frac = NAN,
                                   .burst_frac = NAN};
    enum ct_status status = CT_ENOMEM;
    if (fit.off && fit.counts && fit.weight && fit.config) {
        for (size_t c = 0; c < n; c++) {
            fit.counts[c] = setup->cells[c].slowdown_frac > -1;
            fit.weight[c] = 1;
        }
        status = run_fit(&fit, &result, err);
    } else {
        ct_no_memory(err, "queues");
    }
    free(fit.off);
    free(fit.counts);
    free(fit.weight);
    free(fit.config);
    if (status == CT_OK)
        *fit_p = result;
    return status;
}
