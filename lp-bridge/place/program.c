/* A graph as a stream of edges, whose messages get their prices later. */
#include "lp-bridge/place/program.h"

#include "core/array.h"
#include "core/hash.h"
#include "core/map.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static const uint32_t last_bit = UINT32_C(1) << CT_PLACE_LAST_BIT;

struct key {
    uint32_t from, to;
    double o, L, G;
};

struct compiler {
    struct ct_place_program *program;
    size_t edges_room, origins_room, targets_room;
    struct key *keys; /* of terms, from 1 */
    size_t n_keys, keys_room;
    struct ct_map terms; /* hash -> term */
    struct ct_fold_writers writers;
};

/* ---- terms ---- */

static uint64_t hash_of(const struct key *key)
{
    uint64_t numbers[] = {(uint64_t)key->from << 32 | key->to, 0, 0, 0};
    memcpy(&numbers[1], &key->o, sizeof key->o);
    memcpy(&numbers[2], &key->L, sizeof key->L);
    memcpy(&numbers[3], &key->G, sizeof key->G);
    return ct_hash_numbers(numbers, sizeof numbers / sizeof *numbers);
}

static bool same_key(const struct key *a, const struct key *b)
{
    return a->from == b->from && a->to == b->to && a->o == b->o && a->L == b->L && a->G == b->G;
}

/* A number for a cost of a pair, the same for the same cost; 0: out of memory. */
static uint32_t find_travel(void *data, uint32_t trail, const struct ct_cost *cost)
{
    struct compiler *compiler = data;
    assert(trail == 0 && "an edge has one cost of a pair");
    (void)trail;
    const struct key key = {cost->from, cost->to, cost->o, cost->L, cost->G};
    if (compiler->n_keys >= UINT32_MAX ||
        !CT_ARRAY_RESERVE(compiler->keys, compiler->keys_room, compiler->n_keys + 2))
        return 0;
    if (compiler->n_keys == 0)
        compiler->keys[compiler->n_keys++] = (struct key){0};
    uint64_t hash = hash_of(&key);
    size_t at = 0;
    for (uint32_t term; (term = (uint32_t)ct_map_next(&compiler->terms, hash, &at)) != 0;)
        if (same_key(&compiler->keys[term], &key))
            return term;
    if (!ct_map_add(&compiler->terms, hash, compiler->n_keys))
        return 0;
    compiler->keys[compiler->n_keys] = key;
    return (uint32_t)compiler->n_keys++;
}

/* ---- the stream ---- */

static uint32_t slot_of(struct ct_fold_node node)
{
    return node.slot == CT_PLACE_SLOT_ZERO ? CT_PLACE_SLOT_ZERO : node.slot + CT_PLACE_SLOT_T;
}

static bool append_edge(struct compiler *compiler, double base_ns, uint32_t source, uint32_t term)
{
    struct ct_place_program *program = compiler->program;
    if (program->n_edges >= UINT32_MAX ||
        !CT_ARRAY_RESERVE(program->edges, compiler->edges_room, program->n_edges + 1) ||
        !CT_ARRAY_RESERVE(program->origins, compiler->origins_room, program->n_edges + 1))
        return false;
    program->origins[program->n_edges] = ct_fold_writer(&compiler->writers, source);
    program->edges[program->n_edges++] = (struct ct_place_edge){base_ns, source, term};
    return true;
}

static bool close_join(struct compiler *compiler, uint32_t target)
{
    struct ct_place_program *program = compiler->program;
    if (!CT_ARRAY_RESERVE(program->targets, compiler->targets_room, program->n_joins + 1))
        return false;
    program->edges[program->n_edges - 1].source |= last_bit;
    program->targets[program->n_joins++] = target;
    return ct_fold_writers_note(&compiler->writers, target, program->n_joins);
}

static enum ct_status append_join(void *data, struct ct_fold_node target,
                                  const struct ct_fold_edge *edges, size_t n_edges,
                                  struct ct_error *err)
{
    struct compiler *compiler = data;
    for (size_t i = 0; i < n_edges; i++)
        if (!append_edge(compiler, edges[i].cost_ns, slot_of(edges[i].source), edges[i].trail))
            return ct_no_memory(err, "placement");
    return close_join(compiler, slot_of(target)) ? CT_OK : ct_no_memory(err, "placement");
}

/* T = max(T, end), as a join into the slot of T. */
static enum ct_status append_end(void *data, const struct ct_fold_edge *end, struct ct_error *err)
{
    struct compiler *compiler = data;
    if (!append_edge(compiler, 0, CT_PLACE_SLOT_T, 0) ||
        !append_edge(compiler, end->cost_ns, slot_of(end->source), end->trail) ||
        !close_join(compiler, CT_PLACE_SLOT_T))
        return ct_no_memory(err, "placement");
    compiler->program->last_join = (uint32_t)compiler->program->n_joins;
    return CT_OK;
}

/* ---- pairs ---- */

struct ordered {
    uint32_t from, to, term;
};

static int by_pair(const void *a, const void *b)
{
    const struct ordered *x = a, *y = b;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    if (x->to != y->to)
        return x->to < y->to ? -1 : 1;
    return (x->term > y->term) - (x->term < y->term);
}

/* Terms in the order of their pairs, and a number of each pair; edges follow. */
static bool sort_terms(struct compiler *compiler)
{
    struct ct_place_program *program = compiler->program;
    size_t n = compiler->n_keys > 0 ? compiler->n_keys - 1 : 0;
    struct ordered *order = malloc((n + 1) * sizeof *order);
    uint32_t *number = calloc(n + 1, sizeof *number);
    program->terms = calloc(n + 1, sizeof *program->terms);
    program->pairs = calloc(n + 1, sizeof *program->pairs);
    program->first_term = calloc(n + 2, sizeof *program->first_term);
    bool ok = order && number && program->terms && program->pairs && program->first_term;
    for (size_t i = 0; i < n && ok; i++)
        order[i] =
            (struct ordered){compiler->keys[i + 1].from, compiler->keys[i + 1].to, (uint32_t)i + 1};
    if (ok && n > 0)
        qsort(order, n, sizeof *order, by_pair);
    for (size_t i = 0; i < n && ok; i++) {
        const struct key *key = &compiler->keys[order[i].term];
        if (i == 0 || order[i - 1].from != key->from || order[i - 1].to != key->to) {
            program->first_term[program->n_pairs] = (uint32_t)i + 1;
            program->pairs[program->n_pairs++] = (struct ct_place_pair){key->from, key->to, 0, 0};
        }
        program->terms[i + 1] =
            (struct ct_place_term){(uint32_t)program->n_pairs - 1, {key->o, key->L, key->G}};
        number[order[i].term] = (uint32_t)i + 1;
    }
    program->n_terms = n;
    if (ok) {
        program->first_term[program->n_pairs] = (uint32_t)n + 1;
        for (size_t e = 0; e < program->n_edges; e++)
            program->edges[e].term = number[program->edges[e].term];
    }
    free(order);
    free(number);
    return ok;
}

static int by_ranks(const void *a, const void *b)
{
    const struct ct_place_pair *x = a, *y = b;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return (x->to > y->to) - (x->to < y->to);
}

/* Messages and bytes, each message once: a receive has one edge of kind message. */
static void count_messages(const struct ct_graph *graph, struct ct_place_program *program)
{
    for (uint32_t v = 0; v < graph->n_vertices; v++)
        for (uint32_t e = graph->first_edge[v];
             ct_vertex_kind(graph, v) == CT_VERTEX_RECV && e < graph->first_edge[v + 1]; e++) {
            if (ct_edge_kind(graph->edges[e]) != CT_EDGE_MESSAGE)
                continue;
            struct ct_cost cost = ct_graph_edge_cost(graph, v, graph->edges[e]);
            const struct ct_place_pair key = {.from = cost.from, .to = cost.to};
            struct ct_place_pair *pair =
                bsearch(&key, program->pairs, program->n_pairs, sizeof key, by_ranks);
            if (!pair)
                continue;
            pair->messages++;
            pair->bytes += (double)graph->amount[v];
        }
}

static bool list_of_ranks(struct ct_place_program *program)
{
    uint32_t *first = calloc(program->n_ranks + (size_t)2, sizeof *first);
    uint32_t *of = malloc((2 * program->n_pairs + 1) * sizeof *of);
    program->first_of_rank = first;
    program->of_rank = of;
    if (!first || !of)
        return false;
    for (size_t p = 0; p < program->n_pairs; p++) {
        first[program->pairs[p].from + 2]++;
        first[program->pairs[p].to + 2]++;
    }
    for (size_t r = 2; r < program->n_ranks + (size_t)2; r++)
        first[r] += first[r - 1];
    for (size_t p = 0; p < program->n_pairs; p++) {
        of[first[program->pairs[p].from + 1]++] = (uint32_t)p;
        of[first[program->pairs[p].to + 1]++] = (uint32_t)p;
    }
    return true;
}

/* ---- all of it ---- */

/* Prices come later. Without peers o is the same for all pairs, and known. */
static void get_nothing(const void *data, uint32_t from, uint32_t to, struct ct_loggps *origin_p,
                        struct ct_loggps slope_p[CT_FREE_MAX])
{
    const bool *has_peers = data;
    (void)from;
    (void)to;
    (void)slope_p;
    *origin_p = (struct ct_loggps){.o_ns = *has_peers ? 0 : origin_p->o_ns};
}

static uint32_t travel_without_o(void *data, uint32_t trail, const struct ct_cost *cost)
{
    struct ct_cost of_network = *cost;
    of_network.o = 0;
    return find_travel(data, trail, &of_network);
}

enum ct_status ct_place_compile(const struct ct_graph *graph, const struct ct_pairs *pairs,
                                struct ct_place_program *program_p, struct ct_error *err)
{
    const bool has_peers = graph->peer != NULL;
    struct ct_place_program program = {.n_ranks = graph->n_ranks};
    struct compiler compiler = {.program = &program};
    const struct ct_pair_costs costs = {.get = get_nothing, .data = &has_peers};
    const struct ct_plane plane = {.origin = {.o_ns = pairs->o_self_ns}, .pairs = &costs};
    const struct ct_fold_visitor visitor = {.join = append_join,
                                            .end = append_end,
                                            .data = &compiler,
                                            .travel = has_peers ? find_travel : travel_without_o,
                                            .prices_later = true};
    struct ct_fold_size size = {0};
    enum ct_status status = ct_graph_fold(graph, &plane, &visitor, &size, err);
    if (status == CT_OK && !sort_terms(&compiler))
        status = ct_no_memory(err, "placement");
    if (status == CT_OK)
        count_messages(graph, &program);
    if (status == CT_OK && !list_of_ranks(&program))
        status = ct_no_memory(err, "placement");
    program.n_slots = (size_t)size.n_slots + CT_PLACE_SLOT_T + 1;
    free(compiler.keys);
    ct_map_free(&compiler.terms);
    free(compiler.writers.join);
    if (status == CT_OK)
        *program_p = program;
    else
        ct_place_program_free(&program);
    return status;
}

void ct_place_program_free(struct ct_place_program *program)
{
    free(program->edges);
    free(program->origins);
    free(program->targets);
    free(program->terms);
    free(program->first_term);
    free(program->pairs);
    free(program->first_of_rank);
    free(program->of_rank);
    *program = (struct ct_place_program){0};
}
