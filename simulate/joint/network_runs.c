#include "simulate/joint/network_runs.h"

#include "core/parallel.h"
#include "core/spread.h"
#include "simulate/constants.h"

#include <math.h>
#include <stdlib.h>

double ct_network_begin_frac(size_t i, size_t start)
{
    return i == 0 ? 0 : ct_spread(0.5, i * (start + 1));
}

size_t ct_network_runs_observed(size_t n)
{
    return n > 1 ? ct_simulate_count(CT_SIMULATE_STARTS) : 1;
}

/* What is observed of a simulation. */
struct observed {
    struct ct_rank_times *times;
    struct ct_observer_pair pair;
    struct ct_observer both;
    bool asks_busy;
    struct ct_busy_links busy;
    double weight; /* of the simulation among those that are observed */
};

/* A simulation. */
struct run {
    struct ct_engine_job jobs[CT_SIMULATE_JOBS_MAX]; /* n */
    size_t n, passes;
    enum ct_simulate_network_kind kind;
    const struct ct_stack *stack;
    struct observed *observed; /* NULL: nobody */
    double pass_ns[CT_SIMULATE_JOBS_MAX];
    enum ct_status status;
    struct ct_error err;
};

/* Several of them, shared by threads. */
struct work {
    const struct ct_network_runs_setup *setup;
    struct run *runs;
};

/* How busy the links of a network were until a time. */
static enum ct_status find_busy(const struct ct_simulate_network *network, double end_ns,
                                double weight, struct ct_busy_links *busy, struct ct_error *err)
{
    uint32_t n = network->ops->ways ? network->ops->ways(network->state, end_ns, NULL) : 0;
    struct ct_network_way *ways = malloc((n + (size_t)1) * sizeof *ways);
    if (!busy->links)
        busy->links = calloc(n + (size_t)1, sizeof *busy->links);
    if (!ways || !busy->links) {
        free(ways);
        return ct_no_memory(err, "simulation");
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

/* One simulation on a network of its own. */
static enum ct_status run_once(const struct ct_network_runs_setup *setup, struct run *run)
{
    struct ct_engine_counts counts;
    struct ct_simulate_network_setup wanted = setup->network;
    struct ct_simulate_network network;
    struct observed *observed = run->observed;
    wanted.n_jobs = (uint32_t)run->n;
    CT_TRY(ct_simulate_network_new(run->kind, &wanted, &network, &run->err));
    const struct ct_engine_setup engine = {.stack = run->stack,
                                           .network = &network,
                                           .n_nodes = wanted.n_nodes,
                                           .passes = run->passes,
                                           .work_max = setup->work_max};
    enum ct_status status =
        ct_engine_run(run->jobs, run->n, &engine, observed ? &observed->both : NULL, run->pass_ns,
                      &counts, &run->err);
    if (status == CT_OK && observed && observed->asks_busy)
        status = find_busy(&network, counts.end_ns, observed->weight, &observed->busy, &run->err);
    ct_simulate_network_free(&network);
    return status;
}

static void run_one(void *data, size_t i)
{
    const struct work *work = data;
    work->runs[i].status = run_once(work->setup, &work->runs[i]);
}

/* @return CT_OK; that of the first one that failed */
static enum ct_status run_all(const struct ct_network_runs_setup *setup, struct run *runs,
                              size_t n_runs, struct ct_error *err)
{
    struct work work = {setup, runs};
    ct_parallel_run(n_runs, setup->threads, run_one, &work);
    for (size_t i = 0; i < n_runs; i++)
        if (runs[i].status != CT_OK) {
            if (err)
                *err = runs[i].err;
            return runs[i].status;
        }
    return CT_OK;
}

/* Each program alone: on the network, without one, and without the costs of the stack, too. */
static enum ct_status run_alone(const struct ct_engine_job *jobs, size_t n,
                                const struct ct_network_runs_setup *setup,
                                struct observed *observed, struct ct_network_run *answers,
                                struct ct_error *err)
{
    enum { ON_NETWORK, NO_NETWORK, NONE, KINDS };
    const struct ct_stack free_stack = ct_stack_free_of_cost(setup->stack);
    size_t n_runs = n * (setup->has_gains ? KINDS : 1);
    struct run *runs = calloc(n_runs, sizeof *runs);
    if (!runs)
        return ct_no_memory(err, "simulation");
    for (size_t i = 0; i < n_runs; i++) {
        size_t kind = i / n;
        runs[i].jobs[0] = jobs[i % n];
        runs[i].jobs[0].begin_ns = 0;
        runs[i].n = runs[i].passes = 1;
        runs[i].kind = kind == ON_NETWORK ? setup->kind : CT_NETWORK_NONE;
        runs[i].stack = kind == NONE ? &free_stack : setup->stack;
        runs[i].observed = n == 1 && kind == ON_NETWORK ? observed : NULL;
    }
    enum ct_status status = run_all(setup, runs, n_runs, err);
    for (size_t i = 0; i < n && status == CT_OK; i++)
        answers[i] = (struct ct_network_run){
            .alone_ns = runs[i].pass_ns[0],
            .together_ns = runs[i].pass_ns[0],
            .no_network_ns = setup->has_gains ? runs[NO_NETWORK * n + i].pass_ns[0] : NAN,
            .none_ns = setup->has_gains ? runs[NONE * n + i].pass_ns[0] : NAN};
    free(runs);
    return status;
}

static enum ct_status run_together(const struct ct_engine_job *jobs, size_t n,
                                   const struct ct_network_runs_setup *setup,
                                   struct observed *observed, struct ct_network_run *answers,
                                   struct ct_error *err)
{
    size_t n_starts = ct_network_runs_observed(n);
    struct run *runs = calloc(n_starts, sizeof *runs);
    if (!runs)
        return ct_no_memory(err, "simulation");
    for (size_t start = 0; start < n_starts; start++) {
        struct run *run = &runs[start];
        run->n = n;
        run->passes = ct_simulate_count(CT_SIMULATE_PASSES);
        run->kind = setup->kind;
        run->stack = setup->stack;
        run->observed = &observed[start];
        for (size_t i = 0; i < n; i++) {
            run->jobs[i] = jobs[i];
            run->jobs[i].begin_ns = ct_network_begin_frac(i, start) * answers[i].alone_ns;
        }
    }
    enum ct_status status = run_all(setup, runs, n_starts, err);
    for (size_t i = 0; i < n && status == CT_OK; i++) {
        answers[i].together_ns = 0;
        for (size_t start = 0; start < n_starts; start++)
            answers[i].together_ns += runs[start].pass_ns[i] / (double)n_starts;
    }
    free(runs);
    return status;
}

static void free_observed(struct observed *observed, size_t n_observed)
{
    for (size_t i = 0; observed && i < n_observed; i++) {
        ct_rank_times_free(observed[i].times);
        free(observed[i].busy.links);
    }
    free(observed);
}

static enum ct_status make_observed(const uint32_t *n_ranks, size_t n,
                                    const struct ct_network_runs_setup *setup, bool asks_busy,
                                    struct observed *observed, struct ct_error *err)
{
    size_t n_observed = ct_network_runs_observed(n);
    enum ct_status status = CT_OK;
    for (size_t i = 0; i < n_observed && status == CT_OK; i++) {
        status = ct_rank_times_new(n_ranks, n, &observed[i].times, err);
        if (status != CT_OK)
            break;
        observed[i].pair.first = ct_rank_times_observer(observed[i].times);
        if (setup->observers)
            observed[i].pair.second = setup->observers[i];
        observed[i].both = ct_observer_of_pair(&observed[i].pair);
        observed[i].asks_busy = asks_busy;
        observed[i].weight = 1 / (double)n_observed;
    }
    return status;
}

/* What was observed of all is added to the first, in their order: threads do not matter. */
static void add_observed(struct observed *observed, size_t n_observed)
{
    for (size_t i = 1; i < n_observed; i++) {
        ct_rank_times_add(observed[0].times, observed[i].times);
        for (uint32_t link = 0; link < observed[0].busy.n; link++)
            observed[0].busy.links[link].busy_frac += observed[i].busy.links[link].busy_frac;
    }
}

enum ct_status ct_network_runs(const struct ct_engine_job *jobs, const uint32_t *n_ranks, size_t n,
                               const struct ct_network_runs_setup *setup,
                               struct ct_network_run *runs, struct ct_rank_times **times_p,
                               struct ct_busy_links *busy_p, struct ct_error *err)
{
    if (n == 0 || n > CT_SIMULATE_JOBS_MAX)
        return ct_fail(err, CT_EINVAL, "%zu programs; 1 to %d run together", n,
                       CT_SIMULATE_JOBS_MAX);
    size_t n_observed = ct_network_runs_observed(n);
    struct observed *observed = calloc(n_observed, sizeof *observed);
    if (!observed)
        return ct_no_memory(err, "simulation");
    enum ct_status status = make_observed(n_ranks, n, setup, busy_p, observed, err);
    if (status == CT_OK)
        status = run_alone(jobs, n, setup, observed, runs, err);
    if (status == CT_OK && n > 1)
        status = run_together(jobs, n, setup, observed, runs, err);
    if (status == CT_OK) {
        add_observed(observed, n_observed);
        *times_p = observed[0].times;
        observed[0].times = NULL;
        if (busy_p) {
            *busy_p = observed[0].busy;
            observed[0].busy.links = NULL;
        }
    }
    free_observed(observed, n_observed);
    return status;
}
