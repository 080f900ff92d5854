#include "cli/place_draws.h"

#include <stdlib.h>

enum { BEFORE, AFTER, GAIN, SHORTER, VALUES };

static const double s_per_ns = 1e-9;

struct work {
    const struct ct_place_draws *draws;
    uint32_t *block; /* [n_ranks] */
};

/* T of both mappings on nodes and a graph that have the values of a replicate. */
static enum ct_status evaluate_draw(const struct work *work, const struct ct_graph *graph,
                                    const struct ct_pairs *pairs, double *values,
                                    struct ct_error *err)
{
    const uint32_t *const mappings[] = {work->block, work->draws->mapping};
    struct ct_placer *placer;
    double runtimes_ns[2];
    CT_TRY(ct_placer_new(graph, pairs, 1, &placer, err));
    ct_placer_runtimes(placer, mappings, 2, runtimes_ns);
    ct_placer_free(placer);
    values[BEFORE] = runtimes_ns[0] * s_per_ns;
    values[AFTER] = runtimes_ns[1] * s_per_ns;
    values[GAIN] = runtimes_ns[0] > 0 ? 1 - runtimes_ns[1] / runtimes_ns[0] : 0;
    values[SHORTER] = runtimes_ns[1] < runtimes_ns[0];
    return CT_OK;
}

static enum ct_status run_draw(void *data, size_t draw, double *values, struct ct_error *err)
{
    const struct work *work = data;
    const struct ct_place_draws *draws = work->draws;
    struct ct_graph graph = *draws->graph; /* borrows all but its overheads */
    struct ct_place_nodes nodes = {.from = draws->nodes->from,
                                   .model = ct_parameters_replicate(&draws->nodes->model, draw)};
    const struct ct_overheads *overheads = ct_parameters_overheads(&nodes.model);
    if (overheads)
        graph.overheads = *overheads;
    enum ct_status status = ct_place_nodes_find(draws->settings, draws->room.n_ranks, &nodes, err);
    if (status == CT_OK)
        status = evaluate_draw(work, &graph, &nodes.pairs, values, err);
    nodes.model = ct_parameters_none(); /* it is the replicate's */
    ct_place_nodes_free(&nodes);
    return status;
}

static void summarize_draws(const struct ct_draws_job *job, const double *values, double level,
                            double *scratch, struct ct_place_spread *spread_p)
{
    struct ct_draws_summary of[VALUES];
    for (size_t i = 0; i < VALUES; i++)
        of[i] = ct_draws_summarize(job, values, i, level, scratch);
    *spread_p = (struct ct_place_spread){.n = job->n_draws,
                                         .before_s = of[BEFORE].interval,
                                         .after_s = of[AFTER].interval,
                                         .gain_frac = of[GAIN].interval,
                                         .shorter_frac = of[SHORTER].mean};
}

enum ct_status ct_place_draws_find(const struct ct_place_draws *draws,
                                   struct ct_place_spread *spread_p, struct ct_error *err)
{
    const struct ct_parameters *model = &draws->nodes->model;
    const struct ct_model_replicates of = {.graph = draws->graph, .model = model};
    const struct ct_replicates replicates = ct_replicates_of_model(&of);
    struct work work = {.draws = draws,
                        .block = malloc((draws->room.n_ranks + (size_t)1) * sizeof *work.block)};
    const struct ct_draws_job job = {.n_draws = ct_replicates_affordable(&replicates, 2),
                                     .n_values = VALUES,
                                     .threads = draws->threads,
                                     .evaluate = run_draw,
                                     .data = &work};
    double *values = malloc((job.n_draws * (VALUES + 1) + 1) * sizeof *values);
    enum ct_status status = CT_OK;
    *spread_p = (struct ct_place_spread){.n = 0};
    if (!values || !work.block)
        status = ct_no_memory(err, "draws");
    if (status == CT_OK && job.n_draws > 0) {
        ct_mapping_block(draws->room, work.block);
        status = ct_draws_evaluate(&job, values, err);
        if (status == CT_OK)
            summarize_draws(&job, values, model->replicates.level, values + job.n_draws * VALUES,
                            spread_p);
    }
    free(work.block);
    free(values);
    return status;
}

void ct_place_draws_fill(const struct ct_place_draws *draws, const struct ct_place_spread *spread,
                         struct ct_tables *tables)
{
    if (spread->n == 0)
        return;
    CT_TABLES_NUMBER(tables, "shorter_frac", "shorter in this share of draws", FRACTION,
                     spread->shorter_frac);
    ct_intervals_fill(&draws->nodes->model, &draws->settings->machine.model, draws->graph->n_edges,
                      spread->n, tables);
}
