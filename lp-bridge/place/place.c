#include "lp-bridge/place/place.h"

#include "core/parallel.h"
#include "lp-bridge/place/program.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 64 };

/* What a thread needs. Its prices are those of the mappings that it evaluated last. */
struct worker {
    double *prices; /* (n_terms + 1) * CT_PLACE_LANES */
    double *slots;
    uint32_t *mappings; /* CT_PLACE_LANES * n_ranks */
    bool *moved;        /* n_ranks: elsewhere than before */
};

struct ct_placer {
    struct ct_place_program program;
    const struct ct_pairs *pairs;
    struct worker workers[CT_PARALLEL_MAX];
    unsigned n_workers;
    double *prices, *slots; /* of one mapping, for its critical path */
    uint32_t *over;
    size_t evaluations;
};

/* ---- making ---- */

static enum ct_status check_pairs(const struct ct_graph *graph, const struct ct_pairs *pairs,
                                  struct ct_error *err)
{
    uint32_t n = pairs->n_places;
    if ((uint64_t)n * pairs->ranks_per_place < graph->n_ranks)
        return ct_fail(err, CT_EINVAL,
                       "%u nodes with %u ranks each have no room for the schedule's %u ranks", n,
                       pairs->ranks_per_place, graph->n_ranks);
    for (uint32_t from = 0; from < n; from++)
        for (uint32_t to = 0; to < n; to++) {
            if (pairs->class_of[(size_t)from * n + to] < pairs->n_classes ||
                (from == to && pairs->ranks_per_place == 1))
                continue;
            if (from == to)
                return ct_fail(err, CT_EINVAL,
                               "no parameters of messages inside a node, as in node %u", from);
            return ct_fail(err, CT_EINVAL,
                           "no parameters of messages from node %u to node %u: ranks may be on "
                           "any pair of nodes",
                           from, to);
        }
    return CT_OK;
}

static void *new_lanes(size_t n)
{
    size_t bytes = n * CT_PLACE_LANES * sizeof(double);
    void *lanes = aligned_alloc(ALIGNMENT, (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);
    if (lanes)
        memset(lanes, 0, bytes);
    return lanes;
}

static bool make_worker(const struct ct_place_program *program, struct worker *worker)
{
    size_t n_mapped = CT_PLACE_LANES * (size_t)program->n_ranks;
    worker->prices = new_lanes(program->n_terms + 1);
    worker->slots = new_lanes(program->n_slots);
    worker->mappings = malloc((n_mapped + 1) * sizeof *worker->mappings);
    worker->moved = calloc(program->n_ranks + (size_t)1, sizeof *worker->moved);
    if (!worker->prices || !worker->slots || !worker->mappings || !worker->moved)
        return false;
    for (size_t i = 0; i < n_mapped; i++)
        worker->mappings[i] = UINT32_MAX; /* nowhere yet */
    return true;
}

enum ct_status ct_placer_new(const struct ct_graph *graph, const struct ct_pairs *pairs,
                             unsigned threads, struct ct_placer **placer_p, struct ct_error *err)
{
    enum ct_status status = check_pairs(graph, pairs, err);
    if (status != CT_OK)
        return status;
    struct ct_placer *placer = calloc(1, sizeof *placer);
    if (!placer)
        return ct_no_memory(err, "placement");
    placer->pairs = pairs;
    placer->n_workers = threads < CT_PARALLEL_MAX ? threads : CT_PARALLEL_MAX;
    status = ct_place_compile(graph, pairs, &placer->program, err);
    const struct ct_place_program *program = &placer->program;
    bool ok = status == CT_OK;
    for (unsigned i = 0; i < placer->n_workers && ok; i++)
        ok = make_worker(program, &placer->workers[i]);
    if (ok) {
        placer->prices = calloc(program->n_terms + 1, sizeof *placer->prices);
        placer->slots = calloc(program->n_slots, sizeof *placer->slots);
        placer->over = calloc(program->n_joins + 1, sizeof *placer->over);
        ok = placer->prices && placer->slots && placer->over;
    }
    if (status == CT_OK && !ok)
        status = ct_no_memory(err, "placement");
    if (status == CT_OK)
        *placer_p = placer;
    else
        ct_placer_free(placer);
    return status;
}

void ct_placer_free(struct ct_placer *placer)
{
    if (!placer)
        return;
    for (unsigned i = 0; i < placer->n_workers; i++) {
        free(placer->workers[i].prices);
        free(placer->workers[i].slots);
        free(placer->workers[i].mappings);
        free(placer->workers[i].moved);
    }
    free(placer->prices);
    free(placer->slots);
    free(placer->over);
    ct_place_program_free(&placer->program);
    free(placer);
}

struct ct_placer_size ct_placer_size(const struct ct_placer *placer)
{
    return (struct ct_placer_size){.n_ranks = placer->program.n_ranks,
                                   .n_nodes = placer->pairs->n_places,
                                   .ranks_per_node = placer->pairs->ranks_per_place,
                                   .joins = placer->program.n_joins,
                                   .edges = placer->program.n_edges,
                                   .terms = placer->program.n_terms,
                                   .evaluations = placer->evaluations};
}

struct ct_place_pairs ct_placer_pairs(const struct ct_placer *placer)
{
    return (struct ct_place_pairs){placer->program.pairs, placer->program.n_pairs,
                                   placer->program.first_of_rank, placer->program.of_rank};
}

/* ---- prices ---- */

static double price_of(const struct ct_place_count *count, const struct ct_loggps *class)
{
    return count->o * class->o_ns + count->L * class->L_ns + count->G * class->G_ns_per_byte;
}

static const struct ct_loggps *class_of(const struct ct_pairs *pairs, uint32_t from, uint32_t to)
{
    return &pairs->classes[pairs->class_of[(size_t)from * pairs->n_places + to]];
}

double ct_placer_price(const struct ct_placer *placer, const struct ct_place_count *count,
                       uint32_t node_from, uint32_t node_to)
{
    return price_of(count, class_of(placer->pairs, node_from, node_to));
}

/* Prices of the terms of a pair, `stride` apart. */
static void set_pair(const struct ct_placer *placer, size_t pair, const uint32_t *mapping,
                     double *prices, size_t stride)
{
    const struct ct_place_program *program = &placer->program;
    const struct ct_place_pair *of = &program->pairs[pair];
    const struct ct_loggps *class = class_of(placer->pairs, mapping[of->from], mapping[of->to]);
    for (uint32_t t = program->first_term[pair]; t < program->first_term[pair + 1]; t++)
        prices[t * stride] = price_of(&program->terms[t].count, class);
}

/* A price is always computed anew, so that it does not depend on what was evaluated before. */
static void set_lane(const struct ct_placer *placer, struct worker *worker, size_t lane,
                     const uint32_t *mapping)
{
    const struct ct_place_program *program = &placer->program;
    uint32_t *before = worker->mappings + lane * program->n_ranks;
    for (uint32_t r = 0; r < program->n_ranks; r++) {
        worker->moved[r] = before[r] != mapping[r];
        before[r] = mapping[r];
    }
    for (uint32_t r = 0; r < program->n_ranks; r++)
        for (uint32_t i = program->first_of_rank[r];
             worker->moved[r] && i < program->first_of_rank[r + 1]; i++) {
            size_t p = program->of_rank[i];
            const struct ct_place_pair *pair = &program->pairs[p];
            bool is_done =
                pair->from + pair->to - r < r && worker->moved[pair->from + pair->to - r];
            if (!is_done)
                set_pair(placer, p, mapping, worker->prices + lane, CT_PLACE_LANES);
        }
}

/* ---- evaluation ---- */

struct work {
    struct ct_placer *placer;
    const uint32_t *const *mappings;
    double *runtimes_ns;
    size_t n;
    atomic_size_t next; /* the first mapping that no worker has taken */
};

static void walk_some(void *data, size_t index)
{
    struct work *work = data;
    struct ct_placer *placer = work->placer;
    struct worker *worker = &placer->workers[index];
    size_t i;
    while ((i = atomic_fetch_add(&work->next, CT_PLACE_LANES)) < work->n) {
        double T_ns[CT_PLACE_LANES];
        size_t n = work->n - i < CT_PLACE_LANES ? work->n - i : CT_PLACE_LANES;
        for (size_t lane = 0; lane < n; lane++)
            set_lane(placer, worker, lane, work->mappings[i + lane]);
        ct_place_walk(&placer->program, worker->prices, worker->slots, T_ns);
        memcpy(work->runtimes_ns + i, T_ns, n * sizeof *T_ns);
    }
}

void ct_placer_runtimes(struct ct_placer *placer, const uint32_t *const *mappings, size_t n,
                        double *runtimes_ns_p)
{
    struct work work = {
        .placer = placer, .mappings = mappings, .runtimes_ns = runtimes_ns_p, .n = n};
    size_t walks = (n + CT_PLACE_LANES - 1) / CT_PLACE_LANES;
    size_t workers = walks < placer->n_workers ? walks : placer->n_workers;
    ct_parallel_run(workers, placer->n_workers, walk_some, &work);
    placer->evaluations += n;
}

double ct_placer_path(struct ct_placer *placer, const uint32_t *mapping,
                      struct ct_place_count *counts_p)
{
    const struct ct_place_program *program = &placer->program;
    memset(counts_p, 0, program->n_pairs * sizeof *counts_p);
    for (size_t p = 0; p < program->n_pairs; p++)
        set_pair(placer, p, mapping, placer->prices, 1);
    double T_ns = ct_place_walk_recorded(program, placer->prices, placer->slots, placer->over);
    uint32_t join = program->last_join;
    while (join > 0) {
        uint32_t e = placer->over[join - 1];
        const struct ct_place_term *term = &program->terms[program->edges[e].term];
        if (program->edges[e].term > 0) {
            struct ct_place_count *count = &counts_p[term->pair];
            count->o += term->count.o;
            count->L += term->count.L;
            count->G += term->count.G;
        }
        join = program->origins[e];
    }
    return T_ns;
}

double ct_placer_bound(struct ct_placer *placer)
{
    const struct ct_place_program *program = &placer->program;
    const struct ct_pairs *pairs = placer->pairs;
    size_t n = pairs->n_places;
    struct ct_loggps least = {INFINITY, INFINITY, INFINITY};
    for (size_t cell = 0; cell < n * n; cell++) {
        if (pairs->class_of[cell] >= pairs->n_classes ||
            (pairs->ranks_per_place == 1 && cell / n == cell % n))
            continue;
        const struct ct_loggps *class = &pairs->classes[pairs->class_of[cell]];
        least.o_ns = fmin(least.o_ns, class->o_ns);
        least.L_ns = fmin(least.L_ns, class->L_ns);
        least.G_ns_per_byte = fmin(least.G_ns_per_byte, class->G_ns_per_byte);
    }
    for (size_t t = 1; t <= program->n_terms; t++)
        placer->prices[t] = price_of(&program->terms[t].count, &least);
    return ct_place_walk_recorded(program, placer->prices, placer->slots, placer->over);
}
