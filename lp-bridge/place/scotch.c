#include "lp-bridge/place/scotch.h"

#include "lp-bridge/place/search.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
/* Needs stdio.h and stdint.h before it. */
#include <scotch.h>

enum { NODES_MAX = 1024, WEIGHT_MAX = 100000 };

/* A graph of Scotch in its arrays: the neighbours of v are first[v] .. first[v + 1] - 1. */
struct arrays {
    SCOTCH_Num n, *first, *load, *neighbour, *weight;
    size_t n_arcs;
};

static void free_arrays(struct arrays *arrays)
{
    free(arrays->first);
    free(arrays->load);
    free(arrays->neighbour);
    free(arrays->weight);
}

static bool make_arrays(struct arrays *arrays, size_t n, size_t arcs_max)
{
    arrays->n = (SCOTCH_Num)n;
    arrays->first = calloc(n + 1, sizeof *arrays->first);
    arrays->load = calloc(n + 1, sizeof *arrays->load);
    arrays->neighbour = calloc(arcs_max + 1, sizeof *arrays->neighbour);
    arrays->weight = calloc(arcs_max + 1, sizeof *arrays->weight);
    return arrays->first && arrays->load && arrays->neighbour && arrays->weight;
}

static SCOTCH_Num scale_weight(double value, double most)
{
    return 1 + (most > 0 ? (SCOTCH_Num)lrint(WEIGHT_MAX * value / most) : 0);
}

/* ---- the two graphs ---- */

/* Bytes between two ranks, in both directions, message by message at least one. */
static bool take_ranks(const struct ct_placer *placer, struct arrays *arrays)
{
    const struct ct_place_pairs pairs = ct_placer_pairs(placer);
    uint32_t n = ct_placer_size(placer).n_ranks;
    double *volume = calloc((size_t)n + 1, sizeof *volume), most = 0;
    if (!volume || !make_arrays(arrays, n, 2 * pairs.n)) {
        free(volume);
        return false;
    }
    for (size_t p = 0; p < pairs.n; p++)
        most = fmax(most, 2 * (pairs.pairs[p].bytes + pairs.pairs[p].messages));
    for (uint32_t r = 0; r < n; r++) {
        arrays->load[r] = 1;
        /* A pair of two directions is met twice: summed up at the first. */
        for (int pass = 0; pass < 2; pass++)
            for (uint32_t i = pairs.first[r]; i < pairs.first[r + 1]; i++) {
                const struct ct_place_pair *pair = &pairs.pairs[pairs.of[i]];
                uint32_t other = pair->from + pair->to - r;
                if (pass == 0) {
                    volume[other] += pair->bytes + pair->messages;
                } else if (volume[other] > 0) {
                    arrays->neighbour[arrays->n_arcs] = (SCOTCH_Num)other;
                    arrays->weight[arrays->n_arcs++] = scale_weight(volume[other], most);
                    volume[other] = 0;
                }
            }
        arrays->first[r + 1] = (SCOTCH_Num)arrays->n_arcs;
    }
    free(volume);
    return true;
}

/* All pairs of nodes, with the mean of both latencies. */
static bool take_nodes(const struct ct_placer *placer, struct arrays *arrays)
{
    static const struct ct_place_count latency = {.L = 1};
    const struct ct_place_room room = ct_placer_room(placer);
    size_t n = room.n_nodes;
    double most = 0;
    if (!make_arrays(arrays, n, n * n))
        return false;
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t a = 0; a < n; a++) {
            arrays->load[a] = (SCOTCH_Num)room.ranks_per_node;
            for (uint32_t b = 0; b < n; b++) {
                if (a == b)
                    continue;
                double both_ns = ct_placer_price(placer, &latency, a, b) +
                                 ct_placer_price(placer, &latency, b, a);
                if (pass == 0) {
                    most = fmax(most, both_ns);
                    continue;
                }
                arrays->neighbour[arrays->n_arcs] = (SCOTCH_Num)b;
                arrays->weight[arrays->n_arcs++] =
                    1 + (SCOTCH_Num)(most > 0 ? lrint(1000 * both_ns / most) : 0);
            }
            if (pass == 1)
                arrays->first[a + 1] = (SCOTCH_Num)arrays->n_arcs;
        }
    return true;
}

static int build_graph(SCOTCH_Graph *graph, const struct arrays *arrays)
{
    return SCOTCH_graphBuild(graph, 0, arrays->n, arrays->first, NULL, arrays->load, NULL,
                             (SCOTCH_Num)arrays->n_arcs, arrays->neighbour, arrays->weight);
}

/* ---- mapping ---- */

/* Scotch may put more ranks on a node than it has room for: the rest goes where room is nearest. */
static bool make_room(const struct ct_placer *placer, const SCOTCH_Num *parts, uint32_t *mapping_p)
{
    static const struct ct_place_count latency = {.L = 1};
    const struct ct_place_room room = ct_placer_room(placer);
    uint32_t *used = calloc(room.n_nodes, sizeof *used);
    if (!used)
        return false;
    for (uint32_t r = 0; r < room.n_ranks; r++) {
        uint32_t node = (uint32_t)parts[r];
        bool fits = parts[r] >= 0 && node < room.n_nodes && used[node] < room.ranks_per_node;
        mapping_p[r] = fits ? node : UINT32_MAX;
        used[fits ? node : 0] += fits;
    }
    for (uint32_t r = 0; r < room.n_ranks; r++) {
        if (mapping_p[r] != UINT32_MAX)
            continue;
        uint32_t wanted =
            parts[r] >= 0 && (uint32_t)parts[r] < room.n_nodes ? (uint32_t)parts[r] : 0;
        double least_ns = INFINITY;
        for (uint32_t node = 0; node < room.n_nodes; node++) {
            if (used[node] == room.ranks_per_node)
                continue;
            double ns = node == wanted ? 0 : ct_placer_price(placer, &latency, wanted, node);
            if (mapping_p[r] == UINT32_MAX || ns < least_ns) {
                least_ns = ns;
                mapping_p[r] = node;
            }
        }
        used[mapping_p[r]]++;
    }
    free(used);
    return true;
}

/* From version 7 on Scotch takes a thread for each processor, and which is first decides: with one
 * thread it answers the same each time. */
#if SCOTCH_VERSION >= 7
static int open_context(SCOTCH_Context *context)
{
    return SCOTCH_contextInit(context) != 0 || SCOTCH_contextRandomClone(context) != 0 ||
           SCOTCH_contextThreadSpawn(context, 1, NULL) != 0;
}

static int bind_graph(SCOTCH_Context *context, const struct arrays *arrays, SCOTCH_Graph *graph,
                      SCOTCH_Graph *bound)
{
    return build_graph(graph, arrays) != 0 || SCOTCH_contextBindGraph(context, graph, bound) != 0;
}
#else
typedef int SCOTCH_Context;
#define open_context(context_) 0
#define bind_graph(context_, arrays_, graph_, bound_) build_graph(bound_, arrays_)
#define SCOTCH_contextExit(context_) ((void)(context_))
#endif

/* 0; else the number of the call that Scotch refused. */
static int map_ranks(const struct arrays *ranks, const struct arrays *nodes, SCOTCH_Num *parts)
{
    const struct arrays *const arrays[] = {ranks, nodes};
    SCOTCH_Context context;
    SCOTCH_Graph graphs[2], bound[2];
    SCOTCH_Arch arch;
    SCOTCH_Strat by_default, balanced;
    int failed = 0;
    SCOTCH_archInit(&arch);
    SCOTCH_stratInit(&by_default);
    SCOTCH_stratInit(&balanced);
    SCOTCH_randomReset();
    if (open_context(&context) != 0)
        failed = 1;
    for (int i = 0; i < 2; i++) {
        SCOTCH_graphInit(&graphs[i]);
        SCOTCH_graphInit(&bound[i]);
        if (failed == 0 && bind_graph(&context, arrays[i], &graphs[i], &bound[i]) != 0)
            failed = 2 + i;
    }
    if (failed == 0 && SCOTCH_archBuild(&arch, &bound[1], 0, NULL, &by_default) != 0)
        failed = 4;
    if (failed == 0 && SCOTCH_stratGraphMapBuild(&balanced, SCOTCH_STRATBALANCE, nodes->n, 0) != 0)
        failed = 5;
    if (failed == 0 && SCOTCH_graphMap(&bound[0], &arch, &balanced, parts) != 0)
        failed = 6;
    SCOTCH_stratExit(&balanced);
    SCOTCH_stratExit(&by_default);
    SCOTCH_archExit(&arch);
    for (int i = 0; i < 2; i++) {
        SCOTCH_graphExit(&bound[i]);
        SCOTCH_graphExit(&graphs[i]);
    }
    SCOTCH_contextExit(&context);
    return failed;
}

enum ct_status ct_place_scotch(const struct ct_placer *placer, uint32_t *mapping_p,
                               struct ct_error *err)
{
    const struct ct_place_room room = ct_placer_room(placer);
    struct arrays ranks = {0}, nodes = {0};
    if (room.n_nodes > NODES_MAX)
        return ct_fail(err, CT_EUNSUPPORTED, "%u nodes; Scotch is asked for at most %d",
                       room.n_nodes, NODES_MAX);
    SCOTCH_Num *parts = calloc(room.n_ranks + (size_t)1, sizeof *parts);
    bool made = parts && take_ranks(placer, &ranks) && take_nodes(placer, &nodes);
    int failed = made ? map_ranks(&ranks, &nodes, parts) : 0;
    made = made && (failed != 0 || make_room(placer, parts, mapping_p));
    free(parts);
    free_arrays(&ranks);
    free_arrays(&nodes);
    if (!made)
        return ct_no_memory(err, "placement");
    return failed == 0 ? CT_OK
                       : ct_fail(err, CT_EINVAL,
                                 "Scotch refuses the graphs of ranks and nodes (call %d)", failed);
}
