#include "lp-bridge/place/search.h"

#include "core/array.h"
#include "core/cancel.h"
#include "core/random.h"
#include "lp-bridge/place/constants.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    BATCH = 16,         /* mappings evaluated together, whatever the number of threads */
    TRIES_MAX = 128,    /* exchanges evaluated before a mapping counts as a local optimum */
    LOOKED_AT = 1 << 17 /* exchanges whose bound is computed in a step, about */
};
static const double same_frac = 1e-12; /* T that differ by less are equal: rounding */
enum { EFFORT_MIN = 1000, EFFORT_MAX = 20000 };

/* An exchange of two ranks, or a rank that goes to a node with room. */
struct move {
    double change_ns; /* of the critical path; < 0 */
    uint32_t a, b;    /* b: a rank, or n_ranks + the node */
};

/* The critical path of the current mapping. */
struct path {
    struct ct_place_count *counts;
    double *prices_ns;    /* of these counts */
    uint32_t *first, *of; /* its pairs, by rank */
    double *weight_ns;    /* what it has of each rank */
    uint32_t *ranks;      /* heaviest first */
};

/* Evaluations: at the begin, when a better T was found last, and at most. */
struct spent {
    size_t first, found_at, max;
};

struct search {
    struct ct_placer *placer;
    struct ct_place_room room;
    struct ct_place_pairs pairs;
    struct spent spent;
    uint64_t state;
    uint32_t *current, *best, *batch, *slots;
    double T_ns, volume_ns, best_T_ns, best_volume_ns, bound_ns;
    uint32_t *used; /* ranks on each node of the current mapping */
    struct path path;
    bool *taken; /* ranks that a batch has moved */
    struct move *moves;
    size_t n_moves, moves_room;
};

size_t ct_place_effort(const struct ct_placer *placer)
{
    double n = ct_place_constant(CT_PLACE_WORK) / ((double)ct_placer_size(placer).edges + 1);
    return (size_t)fmin(EFFORT_MAX, fmax(EFFORT_MIN, n));
}

static size_t count_evaluations(const struct search *search)
{
    return ct_placer_size(search->placer).evaluations;
}

/* ---- better ---- */

static bool is_better(double T_ns, double volume_ns, double than_T_ns, double than_volume_ns)
{
    if (fabs(T_ns - than_T_ns) > same_frac * than_T_ns)
        return T_ns < than_T_ns;
    return volume_ns < than_volume_ns * (1 - 1e-9);
}

static void take_mapping(struct search *search, const uint32_t *mapping, double T_ns)
{
    const struct ct_place_room *room = &search->room;
    memmove(search->current, mapping, room->n_ranks * sizeof *mapping);
    search->T_ns = T_ns;
    search->volume_ns = ct_place_volume(search->placer, mapping);
    memset(search->used, 0, room->n_nodes * sizeof *search->used);
    for (uint32_t r = 0; r < room->n_ranks; r++)
        search->used[mapping[r]]++;
    if (is_better(T_ns, search->volume_ns, search->best_T_ns, search->best_volume_ns)) {
        memmove(search->best, mapping, room->n_ranks * sizeof *mapping);
        if (T_ns < search->best_T_ns * (1 - same_frac))
            search->spent.found_at = count_evaluations(search);
        search->best_T_ns = T_ns;
        search->best_volume_ns = search->volume_ns;
    }
}

/* ---- the critical path, by rank ---- */

static void take_path(struct search *search)
{
    const struct ct_place_pairs *pairs = &search->pairs;
    ct_placer_path(search->placer, search->current, search->path.counts);
    uint32_t n = 0;
    for (size_t p = 0; p < pairs->n; p++) {
        const struct ct_place_pair *pair = &pairs->pairs[p];
        search->path.prices_ns[p] =
            ct_placer_price(search->placer, &search->path.counts[p], search->current[pair->from],
                            search->current[pair->to]);
    }
    for (uint32_t r = 0; r < search->room.n_ranks; r++) {
        search->path.first[r] = n;
        search->path.weight_ns[r] = 0;
        for (uint32_t i = pairs->first[r]; i < pairs->first[r + 1]; i++) {
            uint32_t p = pairs->of[i];
            const struct ct_place_count *count = &search->path.counts[p];
            if (count->o > 0 || count->L > 0 || count->G > 0) {
                search->path.of[n++] = p;
                search->path.weight_ns[r] += search->path.prices_ns[p];
            }
        }
    }
    search->path.first[search->room.n_ranks] = n;
}

static int by_weight(const void *a, const void *b, void *data)
{
    const double *weight_ns = data;
    const uint32_t *x = a, *y = b;
    if (weight_ns[*x] > weight_ns[*y] || weight_ns[*x] < weight_ns[*y])
        return weight_ns[*x] > weight_ns[*y] ? -1 : 1;
    return (*x > *y) - (*x < *y);
}

/* ---- moves ---- */

static uint32_t node_after(const struct search *search, const struct move *move, uint32_t rank)
{
    uint32_t n = search->room.n_ranks;
    if (rank == move->a)
        return move->b < n ? search->current[move->b] : move->b - n;
    return rank == move->b ? search->current[move->a] : search->current[rank];
}

/* Change of the length of the critical path. */
static double change_of(const struct search *search, const struct move *move)
{
    const uint32_t moved[] = {move->a, move->b};
    double change_ns = 0;
    for (size_t k = 0; k < 2 && moved[k] < search->room.n_ranks; k++)
        for (uint32_t i = search->path.first[moved[k]]; i < search->path.first[moved[k] + 1]; i++) {
            uint32_t p = search->path.of[i];
            const struct ct_place_pair *pair = &search->pairs.pairs[p];
            /* Between the two: counted with a. */
            if (k == 1 && (pair->from == move->a || pair->to == move->a))
                continue;
            change_ns += ct_placer_price(search->placer, &search->path.counts[p],
                                         node_after(search, move, pair->from),
                                         node_after(search, move, pair->to)) -
                         search->path.prices_ns[p];
        }
    return change_ns;
}

static bool add_if_shorter(struct search *search, struct move move)
{
    move.change_ns = change_of(search, &move);
    if (move.change_ns >= -same_frac * search->T_ns)
        return true;
    if (!CT_ARRAY_RESERVE(search->moves, search->moves_room, search->n_moves + 1))
        return false;
    search->moves[search->n_moves++] = move;
    return true;
}

static int by_change(const void *a, const void *b)
{
    const struct move *x = a, *y = b;
    if (x->change_ns < y->change_ns || x->change_ns > y->change_ns)
        return x->change_ns < y->change_ns ? -1 : 1;
    if (x->a != y->a)
        return x->a < y->a ? -1 : 1;
    return (x->b > y->b) - (x->b < y->b);
}

/* All that shorten the critical path; of many ranks those with the heaviest parts of it. */
static bool find_moves(struct search *search)
{
    const struct ct_place_room *room = &search->room;
    uint32_t n = room->n_ranks;
    size_t n_heavy = LOOKED_AT / ((size_t)n + room->n_nodes) + 8;
    for (uint32_t r = 0; r < n; r++)
        search->path.ranks[r] = r;
    qsort_r(search->path.ranks, n, sizeof *search->path.ranks, by_weight, search->path.weight_ns);
    search->n_moves = 0;
    for (uint32_t i = 0; i < n && i < n_heavy; i++) {
        uint32_t a = search->path.ranks[i];
        if (search->path.first[a] == search->path.first[a + 1])
            break;
        for (uint32_t k = i + 1; k < n; k++) {
            uint32_t b = search->path.ranks[k];
            if (search->current[a] != search->current[b] &&
                !add_if_shorter(search, (struct move){.a = a, .b = b}))
                return false;
        }
        for (uint32_t node = 0; node < room->n_nodes; node++)
            if (search->used[node] < room->ranks_per_node && search->current[a] != node &&
                !add_if_shorter(search, (struct move){.a = a, .b = n + node}))
                return false;
    }
    if (search->n_moves > 0)
        qsort(search->moves, search->n_moves, sizeof *search->moves, by_change);
    return true;
}

static void apply_move(const struct search *search, const struct move *move, uint32_t *mapping)
{
    uint32_t n = search->room.n_ranks, before = mapping[move->a];
    if (move->b < n) {
        mapping[move->a] = mapping[move->b];
        mapping[move->b] = before;
    } else {
        mapping[move->a] = move->b - n;
    }
}

/* The first moves that have no rank in common, at most `most`; of those to free nodes one. */
static size_t apply_several(struct search *search, size_t most, uint32_t *mapping)
{
    uint32_t n = search->room.n_ranks;
    size_t applied = 0;
    bool has_moved = false;
    memset(search->taken, 0, n * sizeof *search->taken);
    for (size_t i = 0; i < search->n_moves && applied < most; i++) {
        const struct move *move = &search->moves[i];
        bool to_node = move->b >= n;
        if (search->taken[move->a] || (to_node ? has_moved : search->taken[move->b]))
            continue;
        apply_move(search, move, mapping);
        search->taken[move->a] = true;
        if (to_node)
            has_moved = true;
        else
            search->taken[move->b] = true;
        applied++;
    }
    return applied;
}

/* ---- steps ---- */

static uint32_t *new_candidate(const struct search *search, size_t i)
{
    uint32_t *mapping = search->batch + i * search->room.n_ranks;
    memcpy(mapping, search->current, search->room.n_ranks * sizeof *mapping);
    return mapping;
}

/* Evaluate n candidates; the best becomes the current mapping if it is better. */
static bool try_batch(struct search *search, size_t n)
{
    const uint32_t *mappings[BATCH];
    double T_ns[BATCH], least_ns = INFINITY, least_volume_ns = INFINITY;
    size_t best = 0;
    for (size_t i = 0; i < n; i++)
        mappings[i] = search->batch + i * search->room.n_ranks;
    ct_placer_runtimes(search->placer, mappings, n, T_ns);
    for (size_t i = 0; i < n; i++) {
        if (T_ns[i] > search->T_ns * (1 + same_frac) || T_ns[i] > least_ns * (1 + same_frac))
            continue;
        double volume_ns = ct_place_volume(search->placer, mappings[i]);
        if (isinf(least_ns) || is_better(T_ns[i], volume_ns, least_ns, least_volume_ns)) {
            best = i;
            least_ns = T_ns[i];
            least_volume_ns = volume_ns;
        }
    }
    if (isinf(least_ns) || !is_better(least_ns, least_volume_ns, search->T_ns, search->volume_ns))
        return false;
    take_mapping(search, mappings[best], least_ns);
    return true;
}

/* One improvement; *found_p: false at a local optimum. */
static bool step_search(struct search *search, size_t evaluations_max, bool *found_p)
{
    *found_p = false;
    take_path(search);
    if (!find_moves(search))
        return false;
    size_t next = 0;
    while (next < search->n_moves && next < TRIES_MAX && !*found_p &&
           count_evaluations(search) < evaluations_max) {
        size_t n = 0;
        for (size_t most = BATCH; next == 0 && most >= 2; most /= 2)
            if (apply_several(search, most, new_candidate(search, n)) == most)
                n++;
        for (; n < BATCH && next < search->n_moves; n++)
            apply_move(search, &search->moves[next++], new_candidate(search, n));
        *found_p = try_batch(search, n);
    }
    return true;
}

static bool is_done(const struct search *search)
{
    return search->best_T_ns <= search->bound_ns * (1 + same_frac) || ct_is_cancelled() ||
           count_evaluations(search) >= search->spent.max;
}

static bool improve_mapping(struct search *search, const uint32_t *mapping, double T_ns,
                            size_t evaluations_max)
{
    bool found = true, ok = true;
    take_mapping(search, mapping, T_ns);
    while (ok && found && !is_done(search) && count_evaluations(search) < evaluations_max)
        ok = step_search(search, evaluations_max, &found);
    return ok;
}

/* ---- starts ---- */

/* The best mapping with some ranks exchanged, or moved to nodes with room; now and then a mapping
 * that has nothing in common with it. */
static void shake_mapping(struct search *search, size_t restart, uint32_t *mapping)
{
    const struct ct_place_room *room = &search->room;
    uint32_t n = room->n_ranks, n_slots = room->n_nodes * room->ranks_per_node;
    if (restart % 4 == 3) {
        ct_mapping_random(*room, &search->state, search->slots, mapping);
        return;
    }
    memcpy(mapping, search->best, n * sizeof *mapping);
    uint32_t times = 2 + (uint32_t)(ct_random_next(&search->state) % (1 + n / 16));
    for (uint32_t i = 0; i < times && n > 0; i++) {
        uint32_t a = (uint32_t)(ct_random_next(&search->state) % n);
        uint32_t other = (uint32_t)(ct_random_next(&search->state) % n_slots);
        if (other < n) {
            uint32_t node = mapping[a];
            mapping[a] = mapping[other];
            mapping[other] = node;
            continue;
        }
        /* As many slots as are free: to one of them. */
        memset(search->used, 0, room->n_nodes * sizeof *search->used);
        for (uint32_t r = 0; r < n; r++)
            search->used[mapping[r]]++;
        uint32_t free_slot = other - n, node = 0;
        while (free_slot >= room->ranks_per_node - search->used[node])
            free_slot -= room->ranks_per_node - search->used[node++];
        mapping[a] = node;
    }
}

/* Nothing was found for as long as it took to find the best, and the evaluations took time: of a
 * small schedule they do not. */
static bool is_stale(const struct search *search)
{
    const struct ct_placer_size size = ct_placer_size(search->placer);
    const size_t since = size.evaluations - search->spent.found_at;
    return since >= search->spent.found_at - search->spent.first &&
           (double)since * (double)size.edges >= ct_place_constant(CT_PLACE_PATIENCE);
}

static bool restart_until_done(struct search *search, uint32_t *mapping)
{
    bool ok = true;
    for (size_t i = 0; ok && !is_stale(search) && !is_done(search); i++) {
        const uint32_t *const mappings[] = {mapping};
        double T_ns;
        shake_mapping(search, i, mapping);
        ct_placer_runtimes(search->placer, mappings, 1, &T_ns);
        ok = improve_mapping(search, mapping, T_ns, search->spent.max);
    }
    return ok;
}

/* Half of the evaluations are for the starts, in equal parts. */
static bool run_search(struct search *search, const uint32_t *const *starts, size_t n,
                       uint32_t *mapping)
{
    size_t share = (search->spent.max - count_evaluations(search)) / (2 * n + 1);
    double *T_ns = malloc((n + 1) * sizeof *T_ns);
    bool ok = T_ns != NULL;
    if (!ok)
        return false;
    ct_placer_runtimes(search->placer, starts, n, T_ns);
    for (size_t i = 0; i < n; i++)
        take_mapping(search, starts[i], T_ns[i]);
    for (size_t i = 0; i < n && ok; i++)
        ok = improve_mapping(search, starts[i], T_ns[i], count_evaluations(search) + share);
    free(T_ns);
    return ok && restart_until_done(search, mapping);
}

static bool make_search(struct search *search)
{
    size_t n = search->room.n_ranks, nodes = search->room.n_nodes, pairs = search->pairs.n;
    search->current = malloc((n + 1) * sizeof *search->current);
    search->best = malloc((n + 1) * sizeof *search->best);
    search->batch = malloc((BATCH * n + 1) * sizeof *search->batch);
    search->slots = malloc((nodes * search->room.ranks_per_node + 1) * sizeof *search->slots);
    search->used = calloc(nodes, sizeof *search->used);
    search->path.counts = calloc(pairs + 1, sizeof *search->path.counts);
    search->path.prices_ns = calloc(pairs + 1, sizeof *search->path.prices_ns);
    search->path.first = calloc(n + 1, sizeof *search->path.first);
    search->path.of = calloc(2 * pairs + 1, sizeof *search->path.of);
    search->path.weight_ns = calloc(n + 1, sizeof *search->path.weight_ns);
    search->path.ranks = calloc(n + 1, sizeof *search->path.ranks);
    search->taken = calloc(n + 1, sizeof *search->taken);
    return search->current && search->best && search->batch && search->slots && search->used &&
           search->path.counts && search->path.prices_ns && search->path.first && search->path.of &&
           search->path.weight_ns && search->path.ranks && search->taken;
}

static void unmake_search(struct search *search)
{
    void *const arrays[] = {search->current,        search->best,       search->batch,
                            search->slots,          search->used,       search->path.counts,
                            search->path.prices_ns, search->path.first, search->path.of,
                            search->path.weight_ns, search->path.ranks, search->taken,
                            search->moves};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        free(arrays[i]);
}

enum ct_status ct_place_find(struct ct_placer *placer, const struct ct_place_search *settings,
                             const uint32_t *const *starts, size_t n, uint32_t *mapping_p,
                             double *T_ns_p, struct ct_error *err)
{
    struct search search = {.placer = placer,
                            .room = ct_placer_room(placer),
                            .pairs = ct_placer_pairs(placer),
                            .state = settings->seed,
                            .best_T_ns = INFINITY,
                            .best_volume_ns = INFINITY,
                            .bound_ns = ct_placer_bound(placer)};
    size_t effort = settings->evaluations > 0 ? settings->evaluations : ct_place_effort(placer);
    search.spent.first = search.spent.found_at = count_evaluations(&search);
    search.spent.max = search.spent.first + effort;
    uint32_t *mapping = malloc((search.room.n_ranks + (size_t)1) * sizeof *mapping);
    enum ct_status status = CT_OK;
    if (!mapping || !make_search(&search) || !run_search(&search, starts, n, mapping))
        status = ct_no_memory(err, "placement");
    if (status == CT_OK)
        status = ct_cancel_check(err);
    if (status == CT_OK) {
        memcpy(mapping_p, search.best, search.room.n_ranks * sizeof *mapping_p);
        *T_ns_p = search.best_T_ns;
    }
    free(mapping);
    unmake_search(&search);
    return status;
}
