/*
 * Rates on links between switches that limit each other in a circle: the part of a node on one link
 * depends on what its pairs have on another, and so on. No link is full by itself then.
 *
 * Each link offers each pair the most that it could have there, while the others take what they are
 * offered elsewhere, if that is less. A pair has the least of the offers of its links. Links make
 * new offers until none changes: then each pair has a link that is full and gives it as much as to
 * any other that asks for more. First all links make them at once: pairs that are alike then have
 * equal offers all the time, and equal rates, so that their messages end together. Offers that do
 * not settle like that are made by one link after the other.
 */
#include "simulate/links_state.h"

#include <math.h>

static const uint32_t none = CT_LINKS_NONE;
static const double rounding = 1e-10; /* offers that change by less do not change */

/* Offers that swing between two values settle if they change by a part only: those at once from the
 * beginning, those one after the other after some turns. */
enum { TURNS_AT_ONCE = 60, WHOLE_TURNS = 8, TURNS_MAX = 300 };
static const double part_at_once = 0.6, part_of_change = 0.7;

/* The largest share if so much is shared by those in a list, none of which takes more than it asks
 * for. If all have what they ask for, the one that asks for most could have the rest, too. */
static double share_out(const struct ask *asks, uint32_t first, double amount)
{
    double level = 0, before = -1;
    while (level > before) {
        double rest = amount, most = 0;
        uint32_t n = 0;
        for (uint32_t i = first; i != none; i = asks[i].next) {
            most = ct_greater(most, asks[i].rate);
            if (asks[i].rate > level)
                n++;
            else
                rest -= asks[i].rate;
        }
        before = level;
        if (n == 0)
            return most + ct_greater(0, rest);
        level = ct_greater(level, rest / n);
    }
    return level;
}

/* ---- a link ---- */

/* What a pair is offered on the other links of its path. */
static double asked_rate(const struct ct_links *links, const struct pair *pair, uint32_t but)
{
    double least = INFINITY;
    for (uint32_t h = pair->first_hop; h < pair->first_hop + pair->n_hops; h++)
        if (h != but)
            least = ct_lesser(least, links->offers[h]);
    return least;
}

/* Pairs ask in a list by source, if there are sources, else in one. */
static uint32_t list_asks(struct ct_links *links, const struct link *link)
{
    uint32_t n = 0, all = none;
    for (uint32_t i = 0; i < link->n_open; i++) {
        const struct member *member = &link->members[i];
        const struct pair *pair = &links->pairs[member->pair];
        uint32_t source = ct_links_source(links, member->hop);
        uint32_t *first = source == none ? &all : &links->sources[source].first_ask;
        links->asks[n] =
            (struct ask){asked_rate(links, pair, member->hop), member->pair, member->hop, *first};
        *first = n++;
    }
    return all;
}

static bool changes(const struct ct_links *links, uint32_t hop)
{
    double change = links->next_offers[hop] - links->offers[hop];
    return fabs(change) > rounding * links->offers[hop];
}

static void make_due(struct ct_links *links, uint32_t number)
{
    struct link *link = &links->links[number];
    if (link->is_due)
        return;
    link->is_due = true;
    uint32_t at = links->first_due + links->n_due++;
    links->due[at < links->n_links ? at : at - links->n_links] = number;
}

static struct link *take_due(struct ct_links *links)
{
    struct link *link = &links->links[links->due[links->first_due]];
    links->first_due = links->first_due + 1 < links->n_links ? links->first_due + 1 : 0;
    links->n_due--;
    link->is_due = false;
    return link;
}

/* Where an offer changes, the links of the pair have to make theirs anew. */
static void change_offer(struct ct_links *links, const struct pair *pair, uint32_t hop)
{
    links->offers[hop] += links->offer_frac * (links->next_offers[hop] - links->offers[hop]);
    for (uint32_t h = pair->first_hop; h < pair->first_hop + pair->n_hops; h++)
        make_due(links, links->hops[h].link);
}

static void make_offers(struct ct_links *links, uint32_t first, double offer)
{
    for (uint32_t i = first; i != none; i = links->asks[i].next) {
        uint32_t hop = links->asks[i].hop;
        struct pair *pair = &links->pairs[links->asks[i].pair];
        links->next_offers[hop] = offer;
        if (!changes(links, hop))
            continue;
        if (!links->offers_at_once)
            change_offer(links, pair, hop);
        else if (!pair->is_moving)
            links->moving[links->n_moving++] = links->asks[i].pair;
        pair->is_moving = links->offers_at_once;
    }
}

/* Sources ask for what their pairs ask for. */
static void offer_to_sources(struct ct_links *links, const struct link *link)
{
    uint32_t first = none;
    for (uint32_t i = 0; i < link->n_open; i++)
        links->sources[links->hop_sources[link->members[i].hop]].first_ask = none;
    list_asks(links, link);
    for (uint32_t i = 0; i < link->n_open; i++) {
        uint32_t number = links->hop_sources[link->members[i].hop];
        struct source *source = &links->sources[number];
        uint32_t at = link->n_open + i; /* behind those of pairs */
        if (source->first_ask == none || source->is_listed)
            continue;
        links->asks[at] = (struct ask){.rate = source->fixed, .hop = number, .next = first};
        for (uint32_t a = source->first_ask; a != none; a = links->asks[a].next)
            links->asks[at].rate += links->asks[a].rate;
        source->is_listed = true;
        first = at;
    }
    double part = share_out(links->asks, first, link->left);
    for (uint32_t i = first; i != none; i = links->asks[i].next) {
        struct source *source = &links->sources[links->asks[i].hop];
        double offer =
            share_out(links->asks, source->first_ask, ct_greater(0, part - source->fixed));
        make_offers(links, source->first_ask, offer);
        source->is_listed = false;
    }
}

static void offer(struct ct_links *links, const struct link *link)
{
    if (links->serves_in_turn && link->is_between) {
        offer_to_sources(links, link);
        return;
    }
    uint32_t first = list_asks(links, link);
    make_offers(links, first, share_out(links->asks, first, link->left));
}

/* ---- all ---- */

/* Those to which it makes offers come first. */
static void sort_members(struct ct_links *links, struct link *link)
{
    link->n_open = 0;
    for (uint32_t i = 0; i < link->n_members; i++) {
        const struct member member = link->members[i];
        const struct pair *pair = &links->pairs[member.pair];
        if (!pair->is_solving || pair->is_fixed)
            continue;
        uint32_t place = link->n_open++;
        link->members[i] = link->members[place];
        link->members[place] = member;
        links->hops[link->members[i].hop].place = i;
        links->hops[member.hop].place = place;
    }
}

static void begin_offers(struct ct_links *links)
{
    while (links->n_due > 0)
        take_due(links);
    for (uint32_t i = 0; i < links->n_examined; i++) {
        struct link *link = &links->links[links->examined[i]];
        sort_members(links, link);
        if (link->n_open > 0)
            make_due(links, links->examined[i]);
    }
    for (uint32_t i = 0; i < links->n_solving; i++) {
        const struct pair *pair = &links->pairs[links->solving[i]];
        for (uint32_t h = pair->first_hop; h < pair->first_hop + pair->n_hops; h++)
            links->offers[h] = links->next_offers[h] = ct_links_lent(ct_links_link(links, h));
    }
}

/* After all links have made their offers. */
static void change_all_offers(struct ct_links *links)
{
    for (uint32_t i = 0; i < links->n_moving; i++) {
        struct pair *pair = &links->pairs[links->moving[i]];
        pair->is_moving = false;
        for (uint32_t h = pair->first_hop; h < pair->first_hop + pair->n_hops; h++)
            if (changes(links, h))
                change_offer(links, pair, h);
    }
    links->n_moving = 0;
}

/* Of the links that have to make offers now. */
static void take_turn(struct ct_links *links)
{
    for (uint32_t n = links->n_due; n > 0; n--)
        offer(links, take_due(links));
    change_all_offers(links);
}

/* @return whether offers settle */
static bool settle_at_once(struct ct_links *links)
{
    links->offers_at_once = true;
    links->offer_frac = part_at_once;
    for (int turn = 0; links->n_due > 0 && turn < TURNS_AT_ONCE; turn++)
        take_turn(links);
    return links->n_due == 0;
}

static bool settle_in_turn(struct ct_links *links)
{
    links->offers_at_once = false;
    for (int turn = 0; links->n_due > 0 && turn < TURNS_MAX; turn++) {
        links->offer_frac = turn < WHOLE_TURNS ? 1 : part_of_change;
        take_turn(links);
    }
    return links->n_due == 0;
}

bool ct_links_fill_circle(struct ct_links *links)
{
    begin_offers(links);
    bool is_settled = settle_at_once(links);
    if (!is_settled) {
        begin_offers(links);
        is_settled = settle_in_turn(links);
    }
    for (uint32_t i = 0; i < links->n_solving && is_settled; i++) {
        struct pair *pair = &links->pairs[links->solving[i]];
        if (!pair->is_fixed)
            pair->next_rate = asked_rate(links, pair, none);
    }
    return is_settled;
}
