#include "study/fault_price.h"

#include "core/array.h"
#include "core/parallel.h"
#include "simulate/routes.h"
#include "study/constants.h"
#include "study/pair_runtime.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double ns_per_s = 1e9;

struct ct_priced {
    const struct ct_goal *goal;
    struct ct_simulate_place place;
    struct ct_simulation_program *program;
};

enum ct_status ct_priced_new(const struct ct_goal *goal, const struct ct_simulate_place *place,
                             struct ct_priced **priced_p, struct ct_error *err)
{
    struct ct_priced *priced = calloc(1, sizeof *priced);
    if (!priced)
        return ct_no_memory(err, "prices");
    *priced = (struct ct_priced){.goal = goal, .place = *place};
    enum ct_status status = ct_simulation_program_new(goal, place, &priced->program, err);
    if (status == CT_OK)
        *priced_p = priced;
    else
        ct_priced_free(priced);
    return status;
}

void ct_priced_free(struct ct_priced *priced)
{
    if (!priced)
        return;
    ct_simulation_program_free(priced->program);
    free(priced);
}

/* ---- T(L, G) by pair ---- */

/* The number of a class with these costs, which is made if there is none. @return false: out of
 * memory */
static bool find_class(struct ct_pairs *pairs, size_t *room, const struct ct_loggps *at,
                       uint32_t *class_p)
{
    for (*class_p = 0; *class_p < pairs->n_classes; ++*class_p)
        if (pairs->classes[*class_p].L_ns == at->L_ns &&
            pairs->classes[*class_p].G_ns_per_byte == at->G_ns_per_byte)
            return true;
    if (!CT_ARRAY_RESERVE(pairs->classes, *room, pairs->n_classes + (size_t)1))
        return false;
    pairs->classes[pairs->n_classes++] = *at;
    return true;
}

/* L and G of all pairs of blocks of ranks: of their paths. */
static enum ct_status fill_pairs(const struct ct_simulation_packets *setup,
                                 const struct ct_simulate_place *place, struct ct_routes *routes,
                                 struct ct_pairs *pairs, struct ct_error *err)
{
    const struct ct_simulation_costs *costs = &setup->costs;
    size_t room = 0;
    for (uint32_t from = 0; from < pairs->n_places; from++)
        for (uint32_t to = 0; to < pairs->n_places; to++) {
            struct ct_path path;
            struct ct_loggps at = costs->at; /* also inside a node: as in simulations */
            uint32_t ends[2] = {place->nodes ? place->nodes[from] : from,
                                place->nodes ? place->nodes[to] : to};
            if (ends[0] != ends[1]) {
                CT_TRY(ct_routes_find(routes, ends[0], ends[1], &path, err));
                at.L_ns = path.latency_ns;
                at.G_ns_per_byte = ct_routes_slowest_ns_per_byte(routes, &path);
            }
            if (!find_class(pairs, &room, &at,
                            &pairs->class_of[(size_t)from * pairs->n_places + to]))
                return ct_no_memory(err, "prices");
        }
    return CT_OK;
}

static enum ct_status run_pairs(const struct ct_simulation_packets *setup,
                                const struct ct_simulate_place *place, const struct ct_graph *graph,
                                double *runtime_p, struct ct_error *err)
{
    uint32_t n = (graph->n_ranks - 1) / place->ranks_per_node + 1;
    struct ct_simulate_network_setup wanted = ct_simulation_packet_network(setup, n);
    wanted.injection_ns_per_byte = setup->costs.at.G_ns_per_byte; /* of messages, not of frames */
    if (n > CT_PAIRS_PLACES_MAX)
        return ct_fail(err, CT_EUNSUPPORTED, "%u nodes; at most %d have L and G by pair", n,
                       CT_PAIRS_PLACES_MAX);
    struct ct_pairs pairs = {.n_places = n,
                             .ranks_per_place = place->ranks_per_node,
                             .class_of = malloc((size_t)n * n * sizeof *pairs.class_of),
                             .o_self_ns = setup->costs.at.o_ns};
    struct ct_routes *routes = NULL;
    enum ct_status status = pairs.class_of ? CT_OK : ct_no_memory(err, "prices");
    if (status == CT_OK)
        status = ct_routes_new(&wanted, &routes, err);
    if (status == CT_OK)
        status = fill_pairs(setup, place, routes, &pairs, err);
    if (status == CT_OK)
        status = ct_pair_runtime(graph, &pairs, runtime_p, err);
    ct_routes_free(routes);
    ct_pairs_free(&pairs);
    return status;
}

/* ---- a network with a fault ---- */

enum { SIZES_MAX = 3 }; /* of a fault: the likely one, and the ends of its interval */

/* How many of them differ. */
static size_t count_sizes(const struct ct_fault *fault)
{
    return fault->low < fault->high ? SIZES_MAX : 1;
}

/* Of losses it is drawn which packets are lost. */
static size_t count_draws(const struct ct_fault *fault)
{
    return fault->kind == CT_WATCH_LOSS ? ct_study_count(CT_STUDY_FAULT_DRAWS) : 1;
}

/* A run of the application; the first one is without a fault. */
struct run {
    struct ct_way_change *changes; /* [n]; borrowed */
    size_t n;
    uint64_t seed;  /* of the draw */
    bool is_likely; /* of the likely size */
    double runtime_ns;
    enum ct_status status;
    struct ct_error err;
};

struct work {
    const struct ct_fault_network *network;
    const struct ct_priced *priced;
    const struct ct_graph *graph; /* T(L, G) by pair; NULL: packets */
    struct run *runs;
};

static void run_one(void *data, size_t i)
{
    const struct work *work = data;
    struct run *run = &work->runs[i];
    const struct ct_fault_network *network = work->network;
    double again_ns = isnan(network->again_s) ? 0 : network->again_s * ns_per_s;
    const struct ct_simulation_packets setup = {.costs = network->costs,
                                                .net = {.topology = network->topology,
                                                        .nodes = network->nodes,
                                                        .n_nodes = network->n_nodes,
                                                        .changes = run->changes,
                                                        .n_changes = run->n,
                                                        .losses = {again_ns, run->seed}},
                                                .queues = network->queues,
                                                .passes = 1,
                                                .work_max = network->work_max};
    const struct ct_simulation_program *program = work->priced->program;
    const double begin_ns = 0;
    struct ct_network_use use;
    run->status = work->graph ? run_pairs(&setup, &work->priced->place, work->graph,
                                          &run->runtime_ns, &run->err)
                              : ct_simulation_run_packets(&setup, &program, 1, &begin_ns,
                                                          &run->runtime_ns, &use, &run->err);
}

/* @return CT_OK; that of the first one that failed */
static enum ct_status run_all(const struct work *work, size_t n, struct ct_error *err)
{
    struct work first = *work, rest = *work;
    rest.runs++;
    run_one(&first, 0); /* whether packets are too many is known by one */
    if (work->runs[0].status == CT_OK)
        ct_parallel_run(n - 1, work->graph ? 1 : work->network->threads, run_one, &rest);
    for (size_t i = 0; i < n; i++)
        if (work->runs[i].status != CT_OK) {
            if (err)
                *err = work->runs[i].err;
            return work->runs[i].status;
        }
    return CT_OK;
}

/* By packets, or if these are too many, by pair, where L and G are all that the fault changes. */
static enum ct_status run_either(struct work *work, size_t n, bool may_pair, bool *by_pairs_p,
                                 struct ct_error *err)
{
    struct ct_graph graph;
    enum ct_status status = run_all(work, n, err);
    *by_pairs_p = status == CT_EUNSUPPORTED && may_pair;
    if (!*by_pairs_p)
        return status;
    CT_TRY(ct_pair_graph(&work->network->costs, work->priced->goal, &graph, err));
    work->graph = &graph;
    status = run_all(work, n, err);
    work->graph = NULL;
    ct_graph_free(&graph);
    return status;
}

static struct ct_way_change change_of(const struct ct_fault *fault, uint32_t way, double size)
{
    struct ct_way_change change = {.way = way, .slower = 1};
    if (fault->kind == CT_WATCH_RATE)
        change.slower = 1 / (1 - size);
    else if (fault->kind == CT_WATCH_LOSS)
        change.lost_frac = size;
    else
        change.later_ns = size * ns_per_s;
    return change;
}

/* The runs with the fault, after the first one: for each direction that may be sick, or for all
 * together, all draws of each size. */
static void set_runs(const struct ct_fault *fault, struct ct_way_change *changes, struct run *runs)
{
    const double sizes[SIZES_MAX] = {fault->size, fault->low, fault->high};
    size_t n_sizes = count_sizes(fault), n_draws = count_draws(fault);
    size_t n_places = fault->is_one ? fault->n : 1, n_each = fault->is_one ? 1 : fault->n;
    *runs++ = (struct run){.n = 0};
    for (size_t place = 0; place < n_places; place++)
        for (size_t size = 0; size < n_sizes; size++, changes += n_each) {
            for (size_t draw = 0; draw < n_draws; draw++)
                *runs++ = (struct run){
                    .changes = changes, .n = n_each, .seed = draw, .is_likely = size == 0};
            for (size_t i = 0; i < n_each; i++)
                changes[i] = change_of(fault, fault->ways[place + i], sizes[size]);
        }
}

/* ---- prices ---- */

/* Why it has no price; NULL: it has one. */
static const char *why_unknown(const struct ct_fault_network *network, const struct ct_fault *fault)
{
    if (fault->kind == CT_WATCH_LOSS && isnan(network->again_s))
        return "lost messages have a price with --retransmit only";
    if (fault->kind == CT_WATCH_FLAP)
        return "how long the link is down is not known";
    if (fault->kind == CT_WATCH_ROUTE)
        return "which messages take the wrong route is not known";
    if (fault->n == 0)
        return "where it is is not known";
    return isnan(fault->size) || isnan(fault->low) || isnan(fault->high)
               ? "how large it is is not known"
               : NULL;
}

static enum ct_status check_fault(const struct ct_fault *fault, struct ct_error *err)
{
    double least = fmin(fault->size, fmin(fault->low, fault->high));
    double most = fmax(fault->size, fmax(fault->low, fault->high));
    bool is_share = fault->kind == CT_WATCH_RATE || fault->kind == CT_WATCH_LOSS;
    if (!isfinite(least) || !isfinite(most) || (is_share && !(most < 1)))
        return ct_fail(err, CT_EINVAL,
                       "a fault of %g [%g, %g]: a rate is down by less than 1, not all messages "
                       "are lost, a delay is finite",
                       fault->size, fault->low, fault->high);
    return CT_OK;
}

/* A size that a lucky sample has below 0 is no fault. */
static struct ct_fault without_gain(const struct ct_fault *fault)
{
    struct ct_fault result = *fault;
    result.size = fmax(0, result.size);
    result.low = fmax(0, result.low);
    result.high = fmax(0, result.high);
    return result;
}

static void take_prices(const struct run *runs, size_t n, struct ct_watch_price *price)
{
    double healthy_ns = runs[0].runtime_ns, sum = 0;
    size_t n_likely = 0;
    price->low = INFINITY;
    price->high = -INFINITY;
    for (size_t i = 1; i < n; i++) {
        double percent = healthy_ns > 0 ? 100 * (runs[i].runtime_ns / healthy_ns - 1) : 0;
        price->low = fmin(price->low, percent);
        price->high = fmax(price->high, percent);
        n_likely += runs[i].is_likely;
        sum += runs[i].is_likely ? percent : 0;
    }
    price->percent = sum / (double)n_likely;
}

static void write_how(const struct ct_fault *fault, bool by_pairs, char *text, size_t room)
{
    snprintf(text, room, "%s%s", by_pairs ? "T(L, G) by pair" : "packets",
             fault->kind == CT_WATCH_HOST ? ", without its computing" : "");
}

static void set_unknown(const char *why, struct ct_watch_price *price)
{
    price->percent = price->low = price->high = NAN;
    snprintf(price->how, sizeof price->how, "%s", why);
}

enum ct_status ct_fault_price(const struct ct_fault_network *network, const struct ct_fault *fault,
                              const struct ct_priced *priced, struct ct_watch_price *price_p,
                              struct ct_error *err)
{
    const char *why = why_unknown(network, fault);
    if (why) {
        set_unknown(why, price_p);
        return CT_OK;
    }
    CT_TRY(check_fault(fault, err));
    const struct ct_fault sick = without_gain(fault);
    size_t n_cases = count_sizes(&sick) * (fault->is_one ? fault->n : 1);
    size_t n_runs = 1 + n_cases * count_draws(&sick);
    struct ct_way_change *changes = malloc(count_sizes(&sick) * fault->n * sizeof *changes);
    struct run *runs = malloc(n_runs * sizeof *runs);
    struct work work = {.network = network, .priced = priced, .runs = runs};
    bool by_pairs = false;
    enum ct_status status = changes && runs ? CT_OK : ct_no_memory(err, "prices");
    if (status == CT_OK) {
        set_runs(&sick, changes, runs);
        status = run_either(&work, n_runs, fault->kind != CT_WATCH_LOSS, &by_pairs, err);
    }
    if (status == CT_OK) {
        take_prices(runs, n_runs, price_p);
        write_how(fault, by_pairs, price_p->how, sizeof price_p->how);
    } else if (status == CT_EUNSUPPORTED) {
        set_unknown("its schedule is too large to be simulated", price_p);
        status = CT_OK;
    }
    free(changes);
    free(runs);
    return status;
}
