#include "lp-bridge/place/contention.h"

#include "core/parallel.h"
#include "core/random.h"
#include "lp-bridge/place/constants.h"
#include "simulate/constants.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BATCH = 16 }; /* steps tried together, whatever the number of threads */
static const double same_frac = 1e-9;
/* How many simulations CT_PLACE_CONTENTION_WORK is for most schedules. */
enum { EFFORT_MIN = 64, EFFORT_MAX = 4000 };

/* Mappings that are simulated at the same time. */
struct batch {
    const struct ct_place_contention *contention;
    const struct ct_engine_program *program;
    const uint32_t *const *mappings;
    double *runtime_ns;
    enum ct_status *status;
    struct ct_error *errors;
};

struct search {
    const struct ct_place_contention *contention;
    struct ct_engine_program *program;
    uint64_t state;
    uint32_t *current, *tried[BATCH];
    uint32_t *used; /* ranks on each node of the current mapping */
    double current_ns;
    size_t evaluations, refused; /* steps tried, and those in a row that were no better */
};

static void simulate_one(void *work_, size_t i)
{
    const struct batch *batch = work_;
    const struct ct_place_contention *contention = batch->contention;
    const struct ct_engine_job job = {.program = batch->program,
                                      .place = {.ranks_per_node = 1,
                                                .nodes = batch->mappings[i],
                                                .n_nodes = contention->room.n_ranks}};
    struct ct_simulate_network network;
    batch->status[i] = ct_simulate_network_new(CT_NETWORK_PACKET, &contention->network, &network,
                                               &batch->errors[i]);
    if (batch->status[i] != CT_OK)
        return;
    const struct ct_engine_setup setup = {.stack = contention->stack,
                                          .network = &network,
                                          .n_nodes = contention->network.n_nodes,
                                          .passes = 1,
                                          .work_max =
                                              (uint64_t)ct_simulate_constant(CT_SIMULATE_WORK_MAX)};
    batch->status[i] =
        ct_engine_run(&job, 1, &setup, NULL, &batch->runtime_ns[i], NULL, &batch->errors[i]);
    ct_simulate_network_free(&network);
}

static enum ct_status simulate_all(const struct search *search, const uint32_t *const *mappings,
                                   size_t n, double *runtime_ns, struct ct_error *err)
{
    struct batch batch = {search->contention,
                          search->program,
                          mappings,
                          runtime_ns,
                          calloc(n, sizeof *batch.status),
                          calloc(n, sizeof *batch.errors)};
    enum ct_status status = CT_ENOMEM;
    if (batch.status && batch.errors) {
        ct_parallel_run(n, search->contention->threads, simulate_one, &batch);
        status = CT_OK;
        for (size_t i = 0; i < n && status == CT_OK; i++)
            if ((status = batch.status[i]) != CT_OK && err)
                *err = batch.errors[i];
    } else {
        ct_no_memory(err, "placement");
    }
    free(batch.status);
    free(batch.errors);
    return status;
}

static uint32_t draw_below(struct search *search, uint32_t n)
{
    return (uint32_t)(ct_random_unit(ct_random_next(&search->state)) * n);
}

/* A step from the current mapping: a rank and another node, or the ranks of two nodes. */
static void step_search(struct search *search, uint32_t *mapping)
{
    const struct ct_place_room room = search->contention->room;
    memcpy(mapping, search->current, room.n_ranks * sizeof *mapping);
    uint32_t rank = draw_below(search, room.n_ranks);
    uint32_t node = (mapping[rank] + 1 + draw_below(search, room.n_nodes - 1)) % room.n_nodes;
    if (search->used[node] == room.ranks_per_node) {
        uint32_t nth = draw_below(search, room.ranks_per_node), other = 0;
        for (uint32_t left = nth + 1; left > 0; other++)
            left -= mapping[other] == node;
        mapping[other - 1] = mapping[rank];
    }
    mapping[rank] = node;
}

static void take_mapping(struct search *search, const uint32_t *mapping, double runtime_ns)
{
    const struct ct_place_room room = search->contention->room;
    memcpy(search->current, mapping, room.n_ranks * sizeof *mapping);
    memset(search->used, 0, room.n_nodes * sizeof *search->used);
    for (uint32_t r = 0; r < room.n_ranks; r++)
        search->used[mapping[r]]++;
    search->current_ns = runtime_ns;
}

static enum ct_status improve_mapping(struct search *search, size_t limit, struct ct_error *err)
{
    const struct ct_place_room room = search->contention->room;
    /* After so many steps in vain, hardly one that helps is left. */
    size_t patience = 4 * (size_t)room.n_ranks * room.n_nodes;
    while (room.n_nodes > 1 && search->evaluations < limit && search->refused < patience) {
        double runtime_ns[BATCH];
        size_t best = 0;
        for (size_t i = 0; i < BATCH; i++)
            step_search(search, search->tried[i]);
        enum ct_status status =
            simulate_all(search, (const uint32_t *const *)search->tried, BATCH, runtime_ns, err);
        if (status != CT_OK)
            return status;
        for (size_t i = 1; i < BATCH; i++)
            best = runtime_ns[i] < runtime_ns[best] ? i : best;
        search->evaluations += BATCH;
        search->refused += BATCH;
        if (runtime_ns[best] < search->current_ns * (1 - same_frac)) {
            take_mapping(search, search->tried[best], runtime_ns[best]);
            search->refused = 0;
        }
    }
    return CT_OK;
}

static size_t effort_of(const struct ct_place_contention *contention)
{
    if (contention->evaluations > 0)
        return contention->evaluations;
    const struct ct_goal *goal = contention->goal;
    double size = (double)goal->n_ops + 1;
    for (uint64_t i = 0; i < goal->n_ops; i++)
        if (goal->ops[i].kind == CT_GOAL_SEND)
            size += (double)goal->ops[i].amount / contention->network.packet_bytes;
    double n = ct_place_constant(CT_PLACE_CONTENTION_WORK) / size;
    return (size_t)fmin(EFFORT_MAX, fmax(EFFORT_MIN, n));
}

static enum ct_status search_from(struct search *search, const uint32_t *const *starts, size_t n,
                                  double *start_ns_p, struct ct_error *err)
{
    size_t best = 0;
    enum ct_status status = simulate_all(search, starts, n, start_ns_p, err);
    if (status != CT_OK)
        return status;
    for (size_t i = 1; i < n; i++)
        best = start_ns_p[i] < start_ns_p[best] ? i : best;
    take_mapping(search, starts[best], start_ns_p[best]);
    return improve_mapping(search, effort_of(search->contention), err);
}

enum ct_status ct_place_contend(const struct ct_place_contention *contention,
                                const uint32_t *const *starts, size_t n, double *start_ns_p,
                                uint32_t *mapping_p, struct ct_place_contended *found_p,
                                struct ct_error *err)
{
    const size_t n_ranks = contention->room.n_ranks + (size_t)1;
    struct search search = {.contention = contention,
                            .state = contention->seed,
                            .current = malloc(n_ranks * sizeof *search.current),
                            .used = calloc(contention->room.n_nodes, sizeof *search.used)};
    uint32_t *tried = malloc(BATCH * n_ranks * sizeof *tried);
    enum ct_status status = CT_OK;
    if (!search.current || !search.used || !tried)
        status = ct_no_memory(err, "placement");
    for (size_t i = 0; i < BATCH && tried; i++)
        search.tried[i] = tried + i * n_ranks;
    if (status == CT_OK)
        status = ct_engine_program_new(contention->goal, &search.program, err);
    if (status == CT_OK)
        status = search_from(&search, starts, n, start_ns_p, err);
    if (status == CT_OK) {
        memcpy(mapping_p, search.current, contention->room.n_ranks * sizeof *mapping_p);
        *found_p = (struct ct_place_contended){search.current_ns, search.evaluations};
    }
    ct_engine_program_free(search.program);
    free(search.current);
    free(search.used);
    free(tried);
    return status;
}
