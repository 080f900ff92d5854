/* Max-min fair rates by progressive filling. */
#include "simulate/links_state.h"

#include <math.h>

static const uint32_t none = UINT32_MAX;
static const double same = 1 + 1e-9; /* parts that differ by rounding only */

static void share(struct link *link)
{
    link->part = link->n_shares > 0 ? link->left / link->n_shares : INFINITY;
}

/* Parts of a link that a pair has, where pairs or jobs have parts. */
static uint32_t shares_of(const struct ct_links *links, const struct pair *pair)
{
    return ct_links_are_fifo(links) ? pair->n_busy : 1;
}

void ct_links_count_passed(struct ct_links *links, double until_ns)
{
    double passed_ns = until_ns - links->filled_ns;
    for (uint32_t i = 0; i < links->n_used; i++) {
        struct link *link = &links->links[links->used[i]];
        link->passed_bytes += passed_ns * (link->rate - link->left);
    }
    links->filled_ns = until_ns;
}

static void forget_pairs(struct ct_links *links)
{
    for (uint32_t i = 0; i < links->n_used; i++) {
        struct link *link = &links->links[links->used[i]];
        link->n_shares = 0;
        link->left = link->rate;
        link->is_used = false;
    }
    links->n_used = 0;
    if (!links->sources)
        return;
    for (uint32_t i = 0; i < links->n_pairs; i++) {
        const struct pair *pair = &links->pairs[i];
        for (uint32_t h = 1; h + 1 < pair->n_hops; h++) {
            struct source *source = ct_links_source(links, pair->hops[h], pair->from);
            source->n_open = 0;
            source->fixed = 0;
        }
    }
}

static void count_pair(struct ct_links *links, const struct pair *pair)
{
    uint32_t n_shares = shares_of(links, pair);
    for (uint32_t h = 0; h < pair->n_hops; h++) {
        uint32_t number = pair->hops[h];
        struct link *link = &links->links[number];
        if (!link->is_used) {
            link->is_used = true;
            links->used[links->n_used++] = number;
        }
        if (links->sources && ct_links_is_between(links, number))
            link->n_shares += ct_links_source(links, number, pair->from)->n_open++ == 0;
        else
            link->n_shares += n_shares;
    }
}

static void count_pairs(struct ct_links *links)
{
    ct_links_count_passed(links, links->now_ns);
    forget_pairs(links);
    for (uint32_t i = 0; i < links->n_pairs; i++) {
        links->pairs[i].is_fixed = false;
        count_pair(links, &links->pairs[i]);
    }
    for (uint32_t i = 0; i < links->n_used; i++)
        share(&links->links[links->used[i]]);
}

/* Whether the nodes that send have parts of a link. */
static inline bool serves_sources(const struct ct_links *links, uint32_t link)
{
    return links->sources && ct_links_is_between(links, link);
}

/* What a link can give to a pair, for each part that the pair has. The pairs of a node that sends
 * share what the node has of a link between switches. */
static inline double part_for(const struct ct_links *links, const struct pair *pair,
                              uint32_t number)
{
    double part = links->links[number].part;
    if (!serves_sources(links, number))
        return part;
    const struct source *source = ct_links_source(links, number, pair->from);
    return ct_greater(0, part - source->fixed) / source->n_open;
}

static inline double least_part(const struct ct_links *links, const struct pair *pair)
{
    double least = part_for(links, pair, pair->hops[0]);
    for (uint32_t h = 1; h < pair->n_hops; h++)
        least = ct_lesser(least, part_for(links, pair, pair->hops[h]));
    return least;
}

/* The link between switches that gives a pair less than the links of nodes do; none. */
static uint32_t find_holder(const struct ct_links *links, const struct pair *pair)
{
    uint32_t holder = none;
    double least = part_for(links, pair, pair->hops[0]);
    for (uint32_t h = 1; h < pair->n_hops; h++) {
        double part = part_for(links, pair, pair->hops[h]);
        if (part * same < least) {
            least = part;
            holder = ct_links_is_between(links, pair->hops[h]) ? pair->hops[h] : none;
        }
    }
    return holder;
}

/* ---- links on which all have equal parts ---- */

static inline double least_equal_part(const struct ct_links *links, const struct pair *pair)
{
    double least = links->links[pair->hops[0]].part;
    for (uint32_t h = 1; h < pair->n_hops; h++)
        least = ct_lesser(least, links->links[pair->hops[h]].part);
    return least;
}

static void fix_equally(struct ct_links *links, struct pair *pair, double part)
{
    uint32_t n_shares = shares_of(links, pair);
    pair->is_fixed = true;
    if (pair->n_hops > 2)
        pair->held_by = find_holder(links, pair);
    pair->rate = part * n_shares;
    for (uint32_t h = 0; h < pair->n_hops; h++) {
        struct link *link = &links->links[pair->hops[h]];
        link->n_shares -= n_shares;
        link->left = ct_greater(0, link->left - pair->rate);
        share(link);
    }
}

/* The least part that a link can give to each that has a part is theirs; the others share the
 * rest. */
static void fill_equally(struct ct_links *links)
{
    for (uint32_t n_fixed = 0; n_fixed < links->n_pairs;) {
        double least = INFINITY;
        for (uint32_t i = 0; i < links->n_used; i++)
            least = ct_lesser(least, links->links[links->used[i]].part);
        for (uint32_t i = 0; i < links->n_pairs; i++) {
            struct pair *pair = &links->pairs[i];
            if (pair->is_fixed || least_equal_part(links, pair) > least * same)
                continue;
            fix_equally(links, pair, least);
            n_fixed++;
        }
    }
}

/* ---- links that serve nodes in turn ---- */

static void take_part(struct ct_links *links, const struct pair *pair, uint32_t number, double rate)
{
    struct link *link = &links->links[number];
    if (serves_sources(links, number)) {
        struct source *source = ct_links_source(links, number, pair->from);
        source->fixed += rate;
        if (--source->n_open > 0)
            return;
        rate = source->fixed;
    }
    link->n_shares--;
    link->left = ct_greater(0, link->left - rate);
    share(link);
}

static void fix(struct ct_links *links, struct pair *pair, double rate)
{
    pair->is_fixed = true;
    if (pair->n_hops > 2)
        pair->held_by = find_holder(links, pair);
    pair->rate = rate;
    for (uint32_t h = 0; h < pair->n_hops; h++)
        take_part(links, pair, pair->hops[h], rate);
}

/* Links that give none of their pairs more than another link does: they are full, and what they
 * give is final. A part of a node may be less than that of another, so the least part is not. */
static void find_full(struct ct_links *links)
{
    for (uint32_t i = 0; i < links->n_used; i++) {
        struct link *link = &links->links[links->used[i]];
        link->is_full = link->n_shares > 0;
    }
    for (uint32_t i = 0; i < links->n_pairs; i++) {
        const struct pair *pair = &links->pairs[i];
        if (pair->is_fixed)
            continue;
        double least = least_part(links, pair);
        for (uint32_t h = 0; h < pair->n_hops; h++)
            if (part_for(links, pair, pair->hops[h]) > least * same)
                links->links[pair->hops[h]].is_full = false;
    }
}

static bool passes_full(const struct ct_links *links, const struct pair *pair)
{
    for (uint32_t h = 0; h < pair->n_hops; h++)
        if (links->links[pair->hops[h]].is_full)
            return true;
    return false;
}

/* Where links limit each other in a circle, none is full: the pair with the least part has it. */
static uint32_t fix_least(struct ct_links *links)
{
    struct pair *least = links->pairs;
    double least_rate = INFINITY;
    for (uint32_t i = 0; i < links->n_pairs; i++) {
        struct pair *pair = &links->pairs[i];
        double part = pair->is_fixed ? INFINITY : least_part(links, pair);
        if (part < least_rate) {
            least = pair;
            least_rate = part;
        }
    }
    fix(links, least, least_rate);
    return 1;
}

static uint32_t fix_full(struct ct_links *links)
{
    uint32_t n_fixed = 0;
    find_full(links);
    for (uint32_t i = 0; i < links->n_pairs; i++) {
        struct pair *pair = &links->pairs[i];
        if (pair->is_fixed || !passes_full(links, pair))
            continue;
        fix(links, pair, least_part(links, pair));
        n_fixed++;
    }
    return n_fixed;
}

/* What pairs that are fixed before their links are full leave of these. */
static void fill_rest(struct ct_links *links)
{
    for (uint32_t i = 0; i < links->n_pairs; i++) {
        struct pair *pair = &links->pairs[i];
        double rest = INFINITY;
        for (uint32_t h = 0; h < pair->n_hops; h++)
            rest = ct_lesser(rest, links->links[pair->hops[h]].left);
        pair->rate += rest;
        for (uint32_t h = 0; h < pair->n_hops; h++)
            links->links[pair->hops[h]].left =
                ct_greater(0, links->links[pair->hops[h]].left - rest);
    }
}

static void fill_in_turn(struct ct_links *links)
{
    bool has_circle = false;
    for (uint32_t n_fixed = 0; n_fixed < links->n_pairs;) {
        uint32_t n_full = fix_full(links);
        has_circle |= n_full == 0;
        n_fixed += n_full > 0 ? n_full : fix_least(links);
    }
    if (has_circle)
        fill_rest(links);
}

void ct_links_fill(struct ct_links *links)
{
    count_pairs(links);
    if (links->sources)
        fill_in_turn(links);
    else
        fill_equally(links);
}
