/* Max-min fair rates by progressive filling. */
#include "simulate/links_state.h"

#include <math.h>

static const uint32_t none = CT_LINKS_NONE;
static const double same = 1 + 1e-9; /* parts that differ by rounding only */

static void share(struct link *link)
{
    link->part = link->n_shares > 0 ? link->left / link->n_shares : INFINITY;
}

/* ---- what others leave ---- */

static void count_member(struct ct_links *links, struct link *link, const struct member *member)
{
    const struct pair *pair = &links->pairs[member->pair];
    uint32_t source = ct_links_source(links, member->hop);
    if (source != none) {
        links->sources[source].n_open += pair->is_solving && !pair->is_fixed;
        links->sources[source].fixed += pair->is_solving ? 0 : pair->rate;
    } else if (!pair->is_solving) {
        link->left -= pair->rate;
    } else if (!pair->is_fixed) {
        link->n_shares += ct_links_shares(links, pair);
    }
}

/* A source has one share if a rate of its pairs is to be found; else it takes what they have. */
static void count_source(struct ct_links *links, struct link *link, uint32_t number)
{
    struct source *source = &links->sources[number];
    if (source->is_counted)
        return;
    source->is_counted = true;
    if (source->n_open > 0)
        link->n_shares++;
    else
        link->left -= source->fixed;
}

static void count_link(struct ct_links *links, struct link *link)
{
    link->n_shares = 0;
    link->left = ct_links_lent(link);
    link->part = INFINITY;
    if (link->is_in_debt)
        return;
    for (uint32_t i = 0; i < link->n_members && links->serves_in_turn && link->is_between; i++) {
        struct source *source = &links->sources[links->hop_sources[link->members[i].hop]];
        source->n_open = 0;
        source->fixed = 0;
        source->is_counted = false;
    }
    for (uint32_t i = 0; i < link->n_members; i++)
        count_member(links, link, &link->members[i]);
    for (uint32_t i = 0; i < link->n_members && links->serves_in_turn && link->is_between; i++)
        count_source(links, link, links->hop_sources[link->members[i].hop]);
    link->left = ct_greater(0, link->left);
    share(link);
}

static void count_all(struct ct_links *links)
{
    for (uint32_t i = 0; i < links->n_examined; i++)
        count_link(links, &links->links[links->examined[i]]);
}

/* Pairs with a link in debt have no rate. @return how many */
static uint32_t fix_stopped(struct ct_links *links)
{
    uint32_t n_fixed = 0;
    for (uint32_t i = 0; i < links->n_solving; i++) {
        struct pair *pair = &links->pairs[links->solving[i]];
        uint32_t link = links->has_inputs ? ct_links_in_debt(links, pair, none) : none;
        pair->is_fixed = link != none;
        if (link == none)
            continue;
        pair->next_rate = 0;
        pair->held_by = links->links[link].is_between ? link : none;
        n_fixed++;
    }
    return n_fixed;
}

/* ---- parts ---- */

/* What a link can give to a pair, for each part that the pair has. The pairs of a node that sends
 * share what the node has of a link between switches. */
static inline double part_for(const struct ct_links *links, uint32_t hop)
{
    double part = links->links[links->hops[hop].link].part;
    uint32_t number = ct_links_source(links, hop);
    if (number == none)
        return part;
    const struct source *source = &links->sources[number];
    return ct_greater(0, part - source->fixed) / source->n_open;
}

static inline double least_part(const struct ct_links *links, const struct pair *pair)
{
    double least = part_for(links, pair->first_hop);
    for (uint32_t h = 1; h < pair->n_hops; h++)
        least = ct_lesser(least, part_for(links, pair->first_hop + h));
    return least;
}

static void take_part(struct ct_links *links, const struct pair *pair, uint32_t hop)
{
    struct link *link = &links->links[links->hops[hop].link];
    uint32_t number = ct_links_source(links, hop);
    double rate = pair->next_rate;
    uint32_t n_shares = 1;
    if (number != none) {
        struct source *source = &links->sources[number];
        source->fixed += rate;
        if (--source->n_open > 0)
            return;
        rate = source->fixed;
    } else {
        n_shares = ct_links_shares(links, pair);
    }
    link->n_shares -= n_shares;
    link->left = ct_greater(0, link->left - rate);
    share(link);
}

static void fix(struct ct_links *links, struct pair *pair, double part)
{
    pair->is_fixed = true;
    pair->next_rate = part * ct_links_shares(links, pair);
    for (uint32_t h = 0; h < pair->n_hops; h++)
        take_part(links, pair, pair->first_hop + h);
}

/* ---- links on which all have equal parts ---- */

/* The least part that a link can give to each that has a part is theirs; the others share the
 * rest. */
static void fill_equally(struct ct_links *links, uint32_t n_fixed)
{
    while (n_fixed < links->n_solving) {
        double least = INFINITY;
        for (uint32_t i = 0; i < links->n_examined; i++)
            least = ct_lesser(least, links->links[links->examined[i]].part);
        for (uint32_t i = 0; i < links->n_solving; i++) {
            struct pair *pair = &links->pairs[links->solving[i]];
            if (pair->is_fixed || least_part(links, pair) > least * same)
                continue;
            fix(links, pair, least);
            n_fixed++;
        }
    }
}

/* ---- links that serve nodes in turn ---- */

/* Links that give none of their pairs more than another link does: they are full, and what they
 * give is final. A part of a node may be less than that of another, so the least part is not. */
static void find_full(struct ct_links *links)
{
    for (uint32_t i = 0; i < links->n_examined; i++) {
        struct link *link = &links->links[links->examined[i]];
        link->may_fill = link->n_shares > 0;
    }
    for (uint32_t i = 0; i < links->n_solving; i++) {
        const struct pair *pair = &links->pairs[links->solving[i]];
        if (pair->is_fixed)
            continue;
        double least = least_part(links, pair);
        for (uint32_t h = pair->first_hop; h < pair->first_hop + pair->n_hops; h++)
            if (part_for(links, h) > least * same)
                links->links[links->hops[h].link].may_fill = false;
    }
}

static bool passes_full(const struct ct_links *links, const struct pair *pair)
{
    for (uint32_t h = pair->first_hop; h < pair->first_hop + pair->n_hops; h++)
        if (links->links[links->hops[h].link].may_fill)
            return true;
    return false;
}

/* Where links limit each other in a circle, none is full: the pair with the least part has it. */
static uint32_t fix_least(struct ct_links *links)
{
    struct pair *least = &links->pairs[links->solving[0]];
    double least_rate = INFINITY;
    for (uint32_t i = 0; i < links->n_solving; i++) {
        struct pair *pair = &links->pairs[links->solving[i]];
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
    for (uint32_t i = 0; i < links->n_solving; i++) {
        struct pair *pair = &links->pairs[links->solving[i]];
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
    for (uint32_t i = 0; i < links->n_solving; i++) {
        struct pair *pair = &links->pairs[links->solving[i]];
        const struct hop *hops = &links->hops[pair->first_hop];
        double rest = INFINITY;
        for (uint32_t h = 0; h < pair->n_hops; h++)
            rest = ct_lesser(rest, links->links[hops[h].link].left);
        pair->next_rate += rest;
        for (uint32_t h = 0; h < pair->n_hops; h++)
            links->links[hops[h].link].left = ct_greater(0, links->links[hops[h].link].left - rest);
    }
}

static void fill_in_turn(struct ct_links *links, uint32_t n_fixed)
{
    bool has_circle = false;
    while (n_fixed < links->n_solving) {
        uint32_t n_full = fix_full(links);
        if (n_full == 0 && !has_circle && ct_links_fill_circle(links))
            return;
        has_circle |= n_full == 0;
        n_fixed += n_full > 0 ? n_full : fix_least(links);
    }
    if (has_circle)
        fill_rest(links);
}

void ct_links_fill(struct ct_links *links)
{
    uint32_t n_fixed = fix_stopped(links);
    if (n_fixed == links->n_solving)
        return;
    count_all(links);
    if (links->serves_in_turn)
        fill_in_turn(links, n_fixed);
    else
        fill_equally(links, n_fixed);
}
