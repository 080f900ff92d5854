#include "campaign/sides.h"

#include "core/random.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const ct_sides_names[] = {[CT_SIDES_SHARED] = "shared",
                                      [CT_SIDES_DISJOINT] = "disjoint",
                                      [CT_SIDES_INTERLEAVED] = "interleaved",
                                      [CT_SIDES_FRAGMENTS] = "fragments",
                                      [CT_SIDES_N_KINDS] = NULL};

/* ---- switches that have hosts ---- */

/* In the order of their first hosts. */
struct leaves {
    uint32_t *leaf;    /* [host] */
    uint32_t *at;      /* [host]: number of the host on its leaf */
    size_t n;          /* leaves */
    size_t hosts_each; /* 0: they do not all have the same number */
};

static void leaves_free(struct leaves *leaves)
{
    free(leaves->leaf);
    free(leaves->at);
}

static size_t switch_of(const struct ct_sides_network *network, size_t host)
{
    return network->switch_of ? network->switch_of[host] : 0;
}

/* @param leaf_of  [out] by the number of the switch; all UINT32_MAX before */
static void number_leaves(const struct ct_sides_network *network, uint32_t *leaf_of,
                          uint32_t *count, struct leaves *leaves)
{
    for (size_t host = 0; host < network->n_hosts; host++) {
        size_t at = switch_of(network, host);
        if (leaf_of[at] == UINT32_MAX)
            leaf_of[at] = (uint32_t)leaves->n++;
        leaves->leaf[host] = leaf_of[at];
        leaves->at[host] = count[leaf_of[at]]++;
    }
    leaves->hosts_each = leaves->n > 0 ? count[0] : 0;
    for (size_t leaf = 1; leaf < leaves->n; leaf++)
        if (count[leaf] != count[0])
            leaves->hosts_each = 0;
}

static bool find_leaves(const struct ct_sides_network *network, struct leaves *leaves_p)
{
    size_t n = network->n_hosts, n_switches = 1;
    for (size_t host = 0; host < n; host++)
        if (switch_of(network, host) >= n_switches)
            n_switches = switch_of(network, host) + 1;
    struct leaves leaves = {calloc(n + 1, sizeof *leaves.leaf), calloc(n + 1, sizeof *leaves.at), 0,
                            0};
    uint32_t *leaf_of = malloc(n_switches * sizeof *leaf_of);
    uint32_t *count = calloc(n_switches, sizeof *count);
    bool good = leaves.leaf && leaves.at && leaf_of && count;
    if (good) {
        memset(leaf_of, 0xff, n_switches * sizeof *leaf_of);
        number_leaves(network, leaf_of, count, &leaves);
        *leaves_p = leaves;
    } else {
        leaves_free(&leaves);
    }
    free(leaf_of);
    free(count);
    return good;
}

/* ---- placements ---- */

/* All set the side of each host: 0 or 1. */

static void divide_in_halves(size_t n, uint8_t *side)
{
    for (size_t host = 0; host < n; host++)
        side[host] = host >= n / 2;
}

static enum ct_status divide_leaves(const struct leaves *leaves, size_t n, uint8_t *side,
                                    struct ct_error *err)
{
    if (leaves->n == 1) {
        divide_in_halves(n, side);
        return CT_OK;
    }
    if (leaves->n % 2 > 0 || leaves->hosts_each == 0)
        return ct_fail(err, CT_EINVAL,
                       "the hosts are on %zu switches%s: needs an even number of switches with "
                       "equal numbers of hosts",
                       leaves->n, leaves->hosts_each == 0 ? " that do not all have as many" : "");
    for (size_t host = 0; host < n; host++)
        side[host] = leaves->leaf[host] >= leaves->n / 2;
    return CT_OK;
}

static enum ct_status interleave_hosts(const struct leaves *leaves, size_t uplinks, size_t n,
                                       uint8_t *side, struct ct_error *err)
{
    size_t each = leaves->hosts_each, block = 1;
    if (each == 0)
        return ct_fail(
            err, CT_EINVAL,
            "the hosts are on switches that do not all have as many: needs equal numbers "
            "of hosts");
    if (each % 2 > 0) { /* one more of either side, from switch to switch */
        for (size_t host = 0; host < n; host++)
            side[host] = (leaves->at[host] + leaves->leaf[host] * each) % 2;
        return CT_OK;
    }
    if (uplinks > 0 && each % (2 * uplinks) == 0)
        block = uplinks == 1 && each % 4 == 0 ? 2 : uplinks;
    else if (each % 4 == 0)
        block = 2;
    bool changes = uplinks > 0 && block % uplinks > 0;
    for (size_t host = 0; host < n; host++)
        side[host] = (leaves->at[host] / block + (changes ? leaves->leaf[host] : 0)) % 2;
    return CT_OK;
}

static enum ct_status scatter_hosts(size_t n, size_t fragment, uint64_t seed, uint8_t *side,
                                    struct ct_error *err)
{
    if (n / 2 % fragment > 0)
        return ct_fail(err, CT_EINVAL,
                       "half of the hosts, %zu, is not a multiple of 'fragment', %zu", n / 2,
                       fragment);
    size_t n_blocks = n / fragment;
    int *blocks = malloc(n_blocks * sizeof *blocks);
    if (!blocks)
        return ct_no_memory(err, "%zu hosts", n);
    struct ct_twister twister;
    ct_twister_seed(&twister, ct_random_fold(seed));
    for (size_t i = 0; i < n_blocks; i++)
        blocks[i] = (int)i;
    ct_twister_shuffle(&twister, blocks, n_blocks);
    for (size_t i = 0; i < n_blocks; i++)
        for (size_t k = 0; k < fragment; k++)
            side[(size_t)blocks[i] * fragment + k] = i >= n_blocks / 2;
    free(blocks);
    return CT_OK;
}

/* ---- the whole ---- */

static enum ct_status make_room(enum ct_sides_kind kind, size_t n, struct ct_sides *sides_p,
                                struct ct_error *err)
{
    struct ct_sides sides = {
        kind, n, {calloc(n + 1, sizeof **sides.hosts), calloc(n + 1, sizeof **sides.hosts)}};
    if (!sides.hosts[0] || !sides.hosts[1]) {
        ct_sides_free(&sides);
        return ct_no_memory(err, "%zu hosts", n);
    }
    *sides_p = sides;
    return CT_OK;
}

static enum ct_status share_hosts(const struct ct_sides_network *network, bool halves,
                                  struct ct_sides *sides_p, struct ct_error *err)
{
    CT_TRY(
        make_room(CT_SIDES_SHARED, halves ? network->n_hosts / 2 : network->n_hosts, sides_p, err));
    for (size_t i = 0; i < sides_p->n; i++)
        sides_p->hosts[0][i] = sides_p->hosts[1][i] = (uint32_t)i;
    return CT_OK;
}

static enum ct_status divide_hosts(enum ct_sides_kind kind, const struct ct_sides_network *network,
                                   size_t fragment, uint64_t seed, uint8_t *side,
                                   struct ct_error *err)
{
    size_t n = network->n_hosts;
    struct leaves leaves;
    if (kind == CT_SIDES_FRAGMENTS)
        return scatter_hosts(n, fragment, seed, side, err);
    if (!find_leaves(network, &leaves))
        return ct_no_memory(err, "%zu hosts", n);
    enum ct_status status = kind == CT_SIDES_DISJOINT
                                ? divide_leaves(&leaves, n, side, err)
                                : interleave_hosts(&leaves, network->uplinks, n, side, err);
    leaves_free(&leaves);
    return status;
}

enum ct_status ct_sides_make(enum ct_sides_kind kind, const struct ct_sides_network *network,
                             bool halves, size_t fragment, uint64_t seed, struct ct_sides *sides_p,
                             struct ct_error *err)
{
    size_t n = network->n_hosts;
    if (kind == CT_SIDES_SHARED && !halves)
        return share_hosts(network, false, sides_p, err);
    if (n < 4 || n % 2 > 0)
        return ct_fail(err, CT_EINVAL,
                       "%zu hosts%s: needs an even number, at least 4: each program gets half of "
                       "them",
                       n, n % 2 > 0 ? ", one is left over" : "");
    if (kind == CT_SIDES_SHARED)
        return share_hosts(network, true, sides_p, err);
    uint8_t *side = calloc(n, 1);
    struct ct_sides sides;
    enum ct_status status = side ? CT_OK : ct_no_memory(err, "%zu hosts", n);
    if (status == CT_OK)
        status = divide_hosts(kind, network, fragment, seed, side, err);
    if (status == CT_OK)
        status = make_room(kind, n / 2, &sides, err);
    if (status == CT_OK) {
        size_t used[2] = {0};
        for (size_t host = 0; host < n; host++)
            sides.hosts[side[host]][used[side[host]]++] = (uint32_t)host;
        *sides_p = sides;
    }
    free(side);
    return status;
}

void ct_sides_free(struct ct_sides *sides)
{
    free(sides->hosts[0]);
    free(sides->hosts[1]);
    *sides = (struct ct_sides){0};
}

char *ct_sides_format(const struct ct_sides *sides, size_t side)
{
    char *text = NULL;
    size_t size;
    const uint32_t *hosts = sides->hosts[side];
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    for (size_t first = 0, end; first < sides->n; first = end) {
        for (end = first + 1; end < sides->n && hosts[end] == hosts[end - 1] + 1; end++)
            ;
        fprintf(out, end > first + 1 ? "%s%" PRIu32 "-%" PRIu32 : "%s%" PRIu32, first ? "," : "",
                hosts[first] + 1, hosts[end - 1] + 1);
    }
    if (fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}

/* ---- links between switches ---- */

size_t ct_sides_uplinks(const struct ct_lab_plan *plan)
{
    size_t n = 0;
    for (size_t i = 0; i < plan->n_links; i++)
        n += plan->link[i].at[0] == plan->switch_of[0] || plan->link[i].at[1] == plan->switch_of[0];
    return n;
}

/* Mark what a message between two hosts takes; a route has no circle. */
static void mark_route(const struct ct_lab_plan *plan, uint32_t from, uint32_t to, uint8_t bit,
                       uint8_t (*used)[2])
{
    uint16_t at = plan->switch_of[from];
    for (size_t hops = 0; hops < plan->n_switches; hops++) {
        const struct ct_lab_way *way = &plan->way[at][to];
        if (way->kind != CT_LAB_WAY_LINK)
            return;
        used[way->link][way->end] |= bit;
        at = plan->link[way->link].at[!way->end];
    }
}

size_t ct_sides_meeting(const struct ct_sides *sides, const struct ct_lab_plan *plan)
{
    uint8_t used[CT_LAB_LINKS_MAX][2] = {{0}};
    size_t n = 0;
    for (size_t side = 0; side < 2; side++)
        for (size_t i = 0; i < sides->n; i++)
            for (size_t k = 0; k < sides->n; k++)
                mark_route(plan, sides->hosts[side][i], sides->hosts[side][k], (uint8_t)(1 << side),
                           used);
    for (size_t i = 0; i < plan->n_links; i++)
        for (size_t end = 0; end < 2; end++)
            n += used[i][end] == 3 ? 1 : 0;
    return n;
}
