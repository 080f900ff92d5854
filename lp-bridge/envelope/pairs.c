#include "lp-bridge/envelope/pairs.h"

#include "core/array.h"
#include "lp-bridge/envelope/stream.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What travels: an item of a list that leads back to the beginning of an edge of the stream. */
struct trail {
    uint32_t before; /* 1 + index; 0: the first */
    uint32_t pair;   /* index into uses */
    struct ct_pair_lambda lambda;
};

struct ct_pair_evaluator {
    struct ct_evaluator *added;
    struct trail *trails;
    size_t n_trails, trails_capacity;
    struct ct_pair_use *uses; /* lambda is 0 */
    size_t n_uses;
    uint32_t n_classes;
};

/* Needed only while an evaluator is made. */
struct maker {
    struct ct_pair_evaluator *evaluator;
    const struct ct_pairs *pairs;
    uint32_t *number_of; /* [from * n_places + to]: 1 + index into uses; 0: no messages so far */
    size_t uses_capacity;
    enum ct_status status; /* why find_travel() could not go on */
    struct ct_error why;
};

void ct_pairs_free(struct ct_pairs *pairs)
{
    free(pairs->class_of);
    free(pairs->classes);
    *pairs = (struct ct_pairs){0};
}

static size_t cell_of(const struct ct_pairs *pairs, uint32_t rank_from, uint32_t rank_to)
{
    return (size_t)(rank_from / pairs->ranks_per_place) * pairs->n_places +
           rank_to / pairs->ranks_per_place;
}

/* ---- costs and trails ---- */

static void get_cost(const void *data, uint32_t from, uint32_t to, struct ct_loggps *origin_p,
                     struct ct_loggps slope_p[CT_FREE_MAX])
{
    const struct ct_pairs *pairs = data;
    size_t cell = cell_of(pairs, from, to);
    uint32_t class = pairs->class_of[cell];
    bool inside = from / pairs->ranks_per_place == to / pairs->ranks_per_place;
    if (class >= pairs->n_classes) /* no message travels there */
        return;
    *origin_p = pairs->classes[class];
    slope_p[0].L_ns = inside ? 0 : 1;
}

static void get_with_gap(const void *data, uint32_t from, uint32_t to, struct ct_loggps *origin_p,
                         struct ct_loggps slope_p[CT_FREE_MAX])
{
    const struct ct_pairs *pairs = data;
    bool inside = from / pairs->ranks_per_place == to / pairs->ranks_per_place;
    get_cost(data, from, to, origin_p, slope_p);
    slope_p[1].G_ns_per_byte = inside ? 0 : 1;
}

void ct_pairs_plane(const struct ct_pairs *pairs, struct ct_pairs_plane *plane_p)
{
    plane_p->costs = (struct ct_pair_costs){.get = get_with_gap, .data = pairs};
    plane_p->plane =
        (struct ct_plane){.origin = {.o_ns = pairs->o_self_ns}, .pairs = &plane_p->costs};
}

static enum ct_status add_use(struct maker *maker, size_t cell, struct ct_error *err)
{
    const struct ct_pairs *pairs = maker->pairs;
    struct ct_pair_evaluator *evaluator = maker->evaluator;
    const struct ct_pair_use use = {.from = (uint32_t)(cell / pairs->n_places),
                                    .to = (uint32_t)(cell % pairs->n_places),
                                    .class = pairs->class_of[cell]};
    if (use.class >= pairs->n_classes && use.from == use.to)
        return ct_fail(err, CT_EINVAL, "no parameters of messages inside a node, as in node %u",
                       use.from);
    if (use.class >= pairs->n_classes)
        return ct_fail(err, CT_EINVAL, "no parameters of messages from node %u to node %u",
                       use.from, use.to);
    if (!CT_ARRAY_RESERVE(evaluator->uses, maker->uses_capacity, evaluator->n_uses + 1))
        return ct_no_memory(err, "sensitivities of pairs");
    evaluator->uses[evaluator->n_uses++] = use;
    maker->number_of[cell] = (uint32_t)evaluator->n_uses;
    return CT_OK;
}

static uint32_t find_travel(void *data, uint32_t trail, const struct ct_cost *cost)
{
    struct maker *maker = data;
    struct ct_pair_evaluator *evaluator = maker->evaluator;
    size_t cell = cell_of(maker->pairs, cost->from, cost->to);
    if (evaluator->n_trails >= UINT32_MAX - 1 ||
        !CT_ARRAY_RESERVE(evaluator->trails, evaluator->trails_capacity, evaluator->n_trails + 1))
        return 0;
    if (maker->number_of[cell] == 0 && (maker->status = add_use(maker, cell, &maker->why)) != CT_OK)
        return 0;
    uint32_t pair = maker->number_of[cell] - 1;
    evaluator->uses[pair].messages++;
    evaluator->trails[evaluator->n_trails++] =
        (struct trail){.before = trail, .pair = pair, .lambda = {cost->L, cost->G}};
    return (uint32_t)evaluator->n_trails;
}

static enum ct_status check_pairs(const struct ct_graph *graph, const struct ct_pairs *pairs,
                                  struct ct_error *err)
{
    uint64_t room = (uint64_t)pairs->n_places * pairs->ranks_per_place;
    if (room >= graph->n_ranks)
        return CT_OK;
    return ct_fail(err, CT_EINVAL,
                   "pairs of %u nodes with %u ranks each have no room for the schedule's %u ranks",
                   pairs->n_places, pairs->ranks_per_place, graph->n_ranks);
}

static enum ct_status compile_pairs(struct maker *maker, const struct ct_graph *graph,
                                    struct ct_error *err)
{
    struct ct_pair_evaluator *evaluator = maker->evaluator;
    const struct ct_pairs *pairs = maker->pairs;
    const struct ct_pair_costs costs = {.get = get_cost, .data = pairs};
    const struct ct_plane plane = {.origin = {.o_ns = pairs->o_self_ns}, .pairs = &costs};
    const struct ct_stream_trails trails = {find_travel, maker};
    maker->number_of = calloc((size_t)pairs->n_places * pairs->n_places, sizeof *maker->number_of);
    if (!maker->number_of)
        return ct_no_memory(err, "sensitivities of pairs");
    enum ct_status status = ct_stream_compile(graph, &plane, &trails, &evaluator->added, err);
    if (maker->status != CT_OK)
        return ct_fail(err, maker->status, "%s", maker->why.text);
    if (status == CT_OK && evaluator->added->n_edges > UINT32_MAX)
        return ct_fail(err, CT_EINVAL, "sensitivities of pairs: %zu dependencies; at most 2^32 - 1",
                       evaluator->added->n_edges);
    return status;
}

enum ct_status ct_pair_evaluator_new(const struct ct_graph *graph, const struct ct_pairs *pairs,
                                     struct ct_pair_evaluator **evaluator_p, struct ct_error *err)
{
    CT_TRY(check_pairs(graph, pairs, err));
    struct ct_pair_evaluator *evaluator = calloc(1, sizeof *evaluator);
    if (!evaluator)
        return ct_no_memory(err, "sensitivities of pairs");
    struct maker maker = {.evaluator = evaluator, .pairs = pairs};
    evaluator->n_classes = pairs->n_classes;
    enum ct_status status = compile_pairs(&maker, graph, err);
    free(maker.number_of);
    if (status == CT_OK)
        *evaluator_p = evaluator;
    else
        ct_pair_evaluator_free(evaluator);
    return status;
}

void ct_pair_evaluator_free(struct ct_pair_evaluator *evaluator)
{
    if (!evaluator)
        return;
    ct_evaluator_free(evaluator->added);
    free(evaluator->trails);
    free(evaluator->uses);
    free(evaluator);
}

const struct ct_evaluator *ct_pair_evaluator_added(const struct ct_pair_evaluator *evaluator)
{
    return evaluator->added;
}

/* ---- sensitivities ---- */

static void add_lambda(struct ct_pair_lambda *sum, const struct ct_pair_lambda *lambda)
{
    sum->latencies += lambda->latencies;
    sum->bytes += lambda->bytes;
}

/* From T back to time 0, over the edge by which each join came to its value. */
static void walk_back(const struct ct_pair_evaluator *evaluator, const uint32_t *over,
                      struct ct_pair_use *uses)
{
    const struct ct_stream_origin *origins = evaluator->added->origins;
    uint32_t join = evaluator->added->last_join;
    while (join > 0) {
        const struct ct_stream_origin *origin = &origins[over[join - 1]];
        for (uint32_t t = origin->trail; t > 0; t = evaluator->trails[t - 1].before) {
            const struct trail *trail = &evaluator->trails[t - 1];
            add_lambda(&uses[trail->pair].lambda, &trail->lambda);
        }
        join = origin->join;
    }
}

static void sum_up(struct ct_pair_sensitivity *found)
{
    for (size_t i = 0; i < found->n_pairs; i++) {
        const struct ct_pair_use *use = &found->pairs[i];
        add_lambda(use->from == use->to ? &found->inside : &found->between, &use->lambda);
        add_lambda(&found->classes[use->class], &use->lambda);
    }
}

enum ct_status ct_pair_sensitivity_find(const struct ct_pair_evaluator *evaluator, double added_ns,
                                        struct ct_pair_sensitivity *found_p, struct ct_error *err)
{
    if (!(added_ns >= 0 && isfinite(added_ns)))
        return ct_fail(err, CT_EINVAL, "added latency %g: give a finite value >= 0", added_ns);
    const struct ct_evaluator *added = evaluator->added;
    struct ct_pair_sensitivity found = {
        .pairs = calloc(evaluator->n_uses + 1, sizeof *found.pairs),
        .n_pairs = evaluator->n_uses,
        .classes = calloc(evaluator->n_classes + (size_t)1, sizeof *found.classes),
        .n_classes = evaluator->n_classes};
    uint32_t *over = malloc((added->n_joins + 1) * sizeof *over);
    void *slots = malloc(ct_record_bytes(added));
    enum ct_status status = CT_OK;
    if (found.pairs && found.classes && over && slots) {
        struct ct_line line = ct_walk_recorded(added, added_ns, slots, over);
        found.runtime_ns = ct_line_at(line, added_ns);
        if (evaluator->n_uses > 0)
            memcpy(found.pairs, evaluator->uses, evaluator->n_uses * sizeof *found.pairs);
        walk_back(evaluator, over, found.pairs);
        sum_up(&found);
    } else {
        status = ct_no_memory(err, "sensitivities of pairs");
    }
    free(slots);
    free(over);
    if (status == CT_OK)
        *found_p = found;
    else
        ct_pair_sensitivity_free(&found);
    return status;
}

void ct_pair_sensitivity_free(struct ct_pair_sensitivity *found)
{
    free(found->pairs);
    free(found->classes);
    *found = (struct ct_pair_sensitivity){0};
}
