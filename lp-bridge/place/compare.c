#include "lp-bridge/place/compare.h"

#include "core/cancel.h"
#include "lp-bridge/place/constants.h"
#include "lp-bridge/place/scotch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BATCH = 16, EXHAUSTIVE_MAX = 50000 };

/* Starts of the search. */
enum start {
    BLOCK,
    ROUND_ROBIN,
    VOLUME,
    VOLUME_OF_BLOCK,
    VOLUME_OF_OTHER,
    RANDOM_BEST,
    GIVEN,
    STARTS
};

struct comparison {
    struct ct_placer *placer;
    struct ct_place_room room;
    const struct ct_place_search *search;
    const uint32_t *given;                        /* NULL: none */
    const struct ct_place_contention *contention; /* NULL: links are not shared */
    uint32_t *starts[STARTS];
    uint32_t *found; /* a mapping of the search by simulation */
    struct ct_place_result *result;
};

static double runtime_of(struct ct_placer *placer, const uint32_t *mapping)
{
    const uint32_t *const mappings[] = {mapping};
    double T_ns;
    ct_placer_runtimes(placer, mappings, 1, &T_ns);
    return T_ns;
}

/* ---- all mappings ---- */

static void evaluate_batch(struct ct_placer *placer, const uint32_t *batch, size_t n,
                           uint32_t *mapping_p, double *T_ns_p)
{
    const uint32_t *mappings[BATCH];
    double T_ns[BATCH];
    uint32_t n_ranks = ct_placer_room(placer).n_ranks;
    for (size_t i = 0; i < n; i++)
        mappings[i] = batch + i * n_ranks;
    ct_placer_runtimes(placer, mappings, n, T_ns);
    for (size_t i = 0; i < n; i++)
        if (isnan(*T_ns_p) || T_ns[i] < *T_ns_p) {
            *T_ns_p = T_ns[i];
            memcpy(mapping_p, mappings[i], n_ranks * sizeof *mapping_p);
        }
}

/*
 * T of the best of all mappings.
 * @param mapping_p  [out] n_ranks; a best one
 * @param T_ns_p     [out] its T; NaN if there are more than `limit` mappings
 * @return CT_OK; CT_ENOMEM
 */
static enum ct_status exhaust_mappings(struct ct_placer *placer, uint64_t limit,
                                       uint32_t *mapping_p, double *T_ns_p, struct ct_error *err)
{
    const struct ct_place_room room = ct_placer_room(placer);
    *T_ns_p = NAN;
    if (ct_mapping_count(room, limit) > limit)
        return CT_OK;
    uint32_t *current = malloc((room.n_ranks + (size_t)1) * sizeof *current);
    uint32_t *used = calloc(room.n_nodes, sizeof *used);
    uint32_t *batch = malloc((BATCH * (size_t)room.n_ranks + 1) * sizeof *batch);
    enum ct_status status = current && used && batch ? CT_OK : ct_no_memory(err, "placement");
    if (status == CT_OK) {
        size_t n = 0;
        bool more = true;
        ct_mapping_block(room, current);
        ct_mapping_is_valid(room, current, used);
        while (more && !ct_is_cancelled()) {
            memcpy(batch + n * room.n_ranks, current, room.n_ranks * sizeof *current);
            n++;
            more = ct_mapping_next(room, current, used);
            if (n == BATCH || !more) {
                evaluate_batch(placer, batch, n, mapping_p, T_ns_p);
                n = 0;
            }
        }
    }
    free(current);
    free(used);
    free(batch);
    return status;
}

/* ---- mappings to compare with ---- */

static enum ct_status find_randoms(struct comparison *comparison, struct ct_error *err)
{
    const struct ct_place_room room = comparison->room;
    struct ct_place_result *result = comparison->result;
    uint32_t *slots = malloc(((size_t)room.n_nodes * room.ranks_per_node + 1) * sizeof *slots);
    uint32_t *all = malloc((CT_PLACE_RANDOMS * (size_t)room.n_ranks + 1) * sizeof *all);
    const uint32_t *mappings[CT_PLACE_RANDOMS];
    double T_ns[CT_PLACE_RANDOMS], sum_ns = 0;
    uint64_t state = comparison->search->seed;
    enum ct_status status = slots && all ? CT_OK : ct_no_memory(err, "placement");
    if (status == CT_OK) {
        for (size_t i = 0; i < CT_PLACE_RANDOMS; i++) {
            uint32_t *mapping = all + i * room.n_ranks;
            ct_mapping_random(room, &state, slots, mapping);
            mappings[i] = mapping;
        }
        ct_placer_runtimes(comparison->placer, mappings, CT_PLACE_RANDOMS, T_ns);
        result->random_least_ns = INFINITY;
        for (size_t i = 0; i < CT_PLACE_RANDOMS; i++) {
            sum_ns += T_ns[i];
            if (T_ns[i] < result->random_least_ns) {
                result->random_least_ns = T_ns[i];
                memcpy(comparison->starts[RANDOM_BEST], mappings[i],
                       room.n_ranks * sizeof(uint32_t));
            }
        }
        result->random_mean_ns = sum_ns / CT_PLACE_RANDOMS;
    }
    free(slots);
    free(all);
    return status;
}

/* By Scotch if it is here, and by exchanges, which also go on from where Scotch ended. */
static enum ct_status find_volumes(struct comparison *comparison, struct ct_error *err)
{
    const size_t bytes = comparison->room.n_ranks * sizeof(uint32_t);
    struct ct_placer *placer = comparison->placer;
    uint32_t **starts = comparison->starts;
    memcpy(starts[VOLUME_OF_BLOCK], starts[BLOCK], bytes);
    enum ct_status status = ct_place_lower_volume(placer, starts[VOLUME_OF_BLOCK], err);
    if (status != CT_OK)
        return status;
    status = ct_place_scotch(placer, starts[VOLUME], err);
    comparison->result->by_scotch = status == CT_OK;
    if (status != CT_OK && status != CT_EUNSUPPORTED)
        return status;
    if (status == CT_EUNSUPPORTED)
        memcpy(starts[VOLUME], starts[VOLUME_OF_BLOCK], bytes);
    memcpy(starts[VOLUME_OF_OTHER],
           comparison->result->by_scotch ? starts[VOLUME] : starts[RANDOM_BEST], bytes);
    return ct_place_lower_volume(placer, starts[VOLUME_OF_OTHER], err);
}

static enum ct_status find_starts(struct comparison *comparison, struct ct_error *err)
{
    struct ct_place_result *result = comparison->result;
    ct_mapping_block(comparison->room, comparison->starts[BLOCK]);
    ct_mapping_round_robin(comparison->room, comparison->starts[ROUND_ROBIN]);
    enum ct_status status = find_randoms(comparison, err);
    if (status == CT_OK)
        status = find_volumes(comparison, err);
    if (status != CT_OK)
        return status;
    result->block_ns = runtime_of(comparison->placer, comparison->starts[BLOCK]);
    result->round_robin_ns = runtime_of(comparison->placer, comparison->starts[ROUND_ROBIN]);
    result->volume_ns = runtime_of(comparison->placer, comparison->starts[VOLUME]);
    if (comparison->given) {
        memcpy(comparison->starts[GIVEN], comparison->given,
               comparison->room.n_ranks * sizeof *comparison->given);
        result->given_ns = runtime_of(comparison->placer, comparison->given);
    }
    return CT_OK;
}

/* ---- links that messages share ---- */

static enum ct_status compare_contended(struct comparison *comparison, struct ct_error *err)
{
    struct ct_place_result *result = comparison->result;
    const uint32_t *const starts[] = {comparison->starts[BLOCK], comparison->starts[ROUND_ROBIN],
                                      comparison->starts[VOLUME], result->mapping,
                                      comparison->starts[GIVEN]};
    enum { N = sizeof starts / sizeof *starts };
    double start_ns[N] = {NAN, NAN, NAN, NAN, NAN};
    struct ct_place_contended found;
    enum ct_status status =
        ct_place_contend(comparison->contention, starts, comparison->given ? N : N - 1, start_ns,
                         comparison->found, &found, err);
    if (status != CT_OK)
        return status;
    memcpy(result->mapping, comparison->found, result->n_ranks * sizeof *result->mapping);
    result->after_ns = runtime_of(comparison->placer, result->mapping);
    result->simulated =
        (struct ct_place_simulated){start_ns[0], start_ns[1],    start_ns[2],      start_ns[4],
                                    start_ns[3], found.after_ns, found.evaluations};
    return CT_OK;
}

/* ---- all of it ---- */

static enum ct_status compare_all(struct comparison *comparison, struct ct_error *err)
{
    struct ct_place_result *result = comparison->result;
    struct ct_placer *placer = comparison->placer;
    double affordable =
        ct_place_constant(CT_PLACE_WORK) / ((double)ct_placer_size(placer).edges + 1);
    uint64_t limit = affordable < EXHAUSTIVE_MAX ? (uint64_t)affordable : EXHAUSTIVE_MAX;
    if (comparison->room.n_ranks > CT_PLACE_EXHAUSTIVE_RANKS)
        return CT_OK;
    uint32_t *mapping = malloc((comparison->room.n_ranks + (size_t)1) * sizeof *mapping);
    enum ct_status status = mapping ? CT_OK : ct_no_memory(err, "placement");
    if (status == CT_OK)
        status = exhaust_mappings(placer, limit, mapping, &result->exhaustive_ns, err);
    if (status == CT_OK)
        status = ct_cancel_check(err);
    if (status == CT_OK && result->exhaustive_ns < result->after_ns) {
        result->after_ns = result->exhaustive_ns;
        memcpy(result->mapping, mapping, comparison->room.n_ranks * sizeof *mapping);
    }
    free(mapping);
    return status;
}

static enum ct_status compare_mappings(struct comparison *comparison, struct ct_error *err)
{
    struct ct_place_result *result = comparison->result;
    const struct ct_place_search *search = comparison->search;
    enum ct_status status = find_starts(comparison, err);
    if (status != CT_OK)
        return status;
    result->bound_ns = ct_placer_bound(comparison->placer);
    size_t before = ct_placer_size(comparison->placer).evaluations;
    status =
        ct_place_find(comparison->placer, search, (const uint32_t *const *)comparison->starts,
                      comparison->given ? STARTS : GIVEN, result->mapping, &result->search_ns, err);
    result->evaluations = ct_placer_size(comparison->placer).evaluations - before;
    result->after_ns = result->search_ns;
    if (status == CT_OK)
        status = compare_all(comparison, err);
    return status == CT_OK && comparison->contention ? compare_contended(comparison, err) : status;
}

enum ct_status ct_place_compare(struct ct_placer *placer, const struct ct_place_search *search,
                                const uint32_t *given, const struct ct_place_contention *contention,
                                struct ct_place_result *result_p, struct ct_error *err)
{
    struct ct_place_result result = {
        .exhaustive_ns = NAN, .given_ns = NAN, .simulated = {NAN, NAN, NAN, NAN, NAN, NAN, 0}};
    struct comparison comparison = {.placer = placer,
                                    .room = ct_placer_room(placer),
                                    .search = search,
                                    .given = given,
                                    .contention = contention,
                                    .result = &result};
    const size_t bytes = (comparison.room.n_ranks + (size_t)1) * sizeof(uint32_t);
    result.n_ranks = comparison.room.n_ranks;
    result.mapping = malloc(bytes);
    comparison.found = malloc(bytes);
    bool ok = result.mapping && comparison.found;
    for (size_t i = 0; i < STARTS; i++)
        ok = (comparison.starts[i] = malloc(bytes)) && ok;
    enum ct_status status =
        ok ? compare_mappings(&comparison, err) : ct_no_memory(err, "placement");
    for (size_t i = 0; i < STARTS; i++)
        free(comparison.starts[i]);
    free(comparison.found);
    if (status == CT_OK)
        *result_p = result;
    else
        ct_place_result_free(&result);
    return status;
}

void ct_place_result_free(struct ct_place_result *result)
{
    free(result->mapping);
    result->mapping = NULL;
}
