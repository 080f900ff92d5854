#include "study/network_runs.h"

#include "study/constants.h"

#include <math.h>
#include <stdlib.h>

double ct_network_begin_frac(size_t i, size_t start)
{
    static const double golden = 0.6180339887498949;
    double whole, part = modf(0.5 + golden * (double)(i * (start + 1)), &whole);
    return i == 0 ? 0 : part;
}

/* Who is told of a simulation. */
struct told {
    const struct ct_observer *observer;
    struct ct_busy_links *busy; /* NULL: not asked for */
    double weight;              /* of the simulation among those that are told */
};

/* Add how busy the links of a network were until a time. */
static enum ct_status add_busy(const struct ct_simulate_network *network, double end_ns,
                               double weight, struct ct_busy_links *busy, struct ct_error *err)
{
    uint32_t n = network->ops->ways ? network->ops->ways(network->state, end_ns, NULL) : 0;
    struct ct_network_way *ways = malloc((n + (size_t)1) * sizeof *ways);
    if (!busy->links)
        busy->links = calloc(n + (size_t)1, sizeof *busy->links);
    if (!ways || !busy->links) {
        free(ways);
        return ct_fail(err, CT_ENOMEM, "simulation: out of memory");
    }
    if (n > 0)
        network->ops->ways(network->state, end_ns, ways);
    for (uint32_t i = 0; i < n; i++) {
        busy->links[i].way = ways[i].way;
        busy->links[i].ns_per_byte = ways[i].ns_per_byte;
        if (end_ns > 0)
            busy->links[i].busy_frac +=
                weight * ways[i].passed_bytes * ways[i].ns_per_byte / end_ns;
    }
    busy->n = n;
    free(ways);
    return CT_OK;
}

/* One simulation on a network of its own. busy: added to with a weight; NULL: not asked for */
static enum ct_status run_once(const struct ct_engine_job *jobs, size_t n,
                               const struct ct_network_runs_setup *setup, size_t passes,
                               const struct told *told, double *pass_ns, struct ct_error *err)
{
    struct ct_engine_counts counts;
    struct ct_simulate_network_setup wanted = setup->network;
    struct ct_simulate_network network;
    wanted.n_jobs = (uint32_t)n;
    enum ct_status status = ct_simulate_network_new(setup->kind, &wanted, &network, err);
    if (status != CT_OK)
        return status;
    const struct ct_engine_setup engine = {.stack = setup->stack,
                                           .network = &network,
                                           .n_nodes = wanted.n_nodes,
                                           .passes = passes,
                                           .work_max = setup->work_max};
    status = ct_engine_run(jobs, n, &engine, told ? told->observer : NULL, pass_ns, &counts, err);
    if (status == CT_OK && told && told->busy)
        status = add_busy(&network, counts.end_ns, told->weight, told->busy, err);
    ct_simulate_network_free(&network);
    return status;
}

/* A program alone, on the network and without one. */
static enum ct_status run_alone(const struct ct_engine_job *job,
                                const struct ct_network_runs_setup *setup, const struct told *told,
                                struct ct_network_run *run, struct ct_error *err)
{
    struct ct_engine_job at_once = *job;
    struct ct_network_runs_setup without = *setup;
    at_once.begin_ns = 0;
    enum ct_status status = run_once(&at_once, 1, setup, 1, told, &run->alone_ns, err);
    const struct ct_stack free_stack = ct_stack_free_of_cost(setup->stack);
    without.kind = CT_NETWORK_NONE;
    if (status == CT_OK)
        status = run_once(&at_once, 1, &without, 1, NULL, &run->no_network_ns, err);
    without.stack = &free_stack;
    if (status == CT_OK)
        status = run_once(&at_once, 1, &without, 1, NULL, &run->none_ns, err);
    run->together_ns = run->alone_ns;
    return status;
}

static enum ct_status run_together(const struct ct_engine_job *jobs, size_t n,
                                   const struct ct_network_runs_setup *setup,
                                   const struct told *told, struct ct_network_run *runs,
                                   struct ct_error *err)
{
    size_t n_starts = ct_study_count(CT_STUDY_STARTS);
    enum ct_status status = CT_OK;
    for (size_t i = 0; i < n; i++)
        runs[i].together_ns = 0;
    for (size_t start = 0; start < n_starts && status == CT_OK; start++) {
        struct ct_engine_job begun[CT_LINKS_JOBS_MAX];
        double pass_ns[CT_LINKS_JOBS_MAX];
        for (size_t i = 0; i < n; i++) {
            begun[i] = jobs[i];
            begun[i].begin_ns = ct_network_begin_frac(i, start) * runs[i].alone_ns;
        }
        status = run_once(begun, n, setup, ct_study_count(CT_STUDY_PASSES), told, pass_ns, err);
        for (size_t i = 0; i < n && status == CT_OK; i++)
            runs[i].together_ns += pass_ns[i] / (double)n_starts;
    }
    return status;
}

enum ct_status ct_network_runs(const struct ct_engine_job *jobs, const uint32_t *n_ranks, size_t n,
                               const struct ct_network_runs_setup *setup,
                               struct ct_network_run *runs, struct ct_rank_times **times_p,
                               struct ct_busy_links *busy_p, struct ct_error *err)
{
    struct ct_busy_links busy = {NULL, 0};
    if (n == 0 || n > CT_LINKS_JOBS_MAX)
        return ct_fail(err, CT_EINVAL, "%zu programs; 1 to %d run together", n, CT_LINKS_JOBS_MAX);
    struct ct_rank_times *times;
    enum ct_status status = ct_rank_times_new(n_ranks, n, &times, err);
    if (status != CT_OK)
        return status;
    struct ct_observer_pair pair = {.first = ct_rank_times_observer(times)};
    if (setup->observer)
        pair.second = *setup->observer;
    const struct ct_observer both = ct_observer_of_pair(&pair);
    const struct told told = {&both, busy_p ? &busy : NULL,
                              n > 1 ? 1.0 / ct_study_constant(CT_STUDY_STARTS) : 1};
    for (size_t i = 0; i < n && status == CT_OK; i++)
        status = run_alone(&jobs[i], setup, n == 1 ? &told : NULL, &runs[i], err);
    if (status == CT_OK && n > 1)
        status = run_together(jobs, n, setup, &told, runs, err);
    if (status != CT_OK) {
        ct_rank_times_free(times);
        free(busy.links);
        return status;
    }
    *times_p = times;
    if (busy_p)
        *busy_p = busy;
    return CT_OK;
}
