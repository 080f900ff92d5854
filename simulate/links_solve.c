/*
 * Whose rates change when pairs begin or end to send.
 *
 * Rates are max-min fair if each pair has a link that limits it: one that is full, and on which no
 * share is larger than that of the pair (Bertsekas and Gallager, Data Networks, 6.5.2). So the
 * rates of those that have no such link any more are found anew, while all others keep theirs.
 * Where that takes the link that limits it from another pair, or cannot give a pair its share, more
 * pairs are added. This ends when each has its link, which is usually long before all pairs are
 * added that are joined by links.
 */
#include "simulate/links_state.h"

#include <math.h>

static const uint32_t none = CT_LINKS_NONE;
static const double same = 1 + 1e-9;    /* what differs by rounding only */
static const double free_of = 1 + 1e-6; /* more than what is lost by rounding, several times over */
static const double rounding = 1e-12;   /* of rates: those that differ by less stay as they are */

/* So many times those without a link are added, then all that are joined with them. */
enum { TIMES_MAX = 8 };

void ct_links_count(const struct ct_links *links, struct link *link)
{
    double passed_ns = links->now_ns - link->counted_ns;
    double left = ct_greater(0, link->rate - link->used);
    link->passed_bytes += passed_ns * link->used;
    link->tokens =
        ct_lesser(links->tokens.burst_bytes + link->held_bytes, link->tokens + passed_ns * left);
    link->counted_ns = links->now_ns;
}

/* ---- the links as they are with the next rates ---- */

static double share_of(const struct ct_links *links, const struct pair *pair)
{
    return ct_links_are_fifo(links) ? pair->next_rate / pair->n_busy : pair->next_rate;
}

static double add_up_pairs(struct ct_links *links, struct link *link)
{
    double sum = 0;
    link->top = 0;
    for (uint32_t i = 0; i < link->n_members; i++) {
        const struct pair *pair = &links->pairs[link->members[i].pair];
        sum += pair->next_rate;
        link->top = ct_greater(link->top, share_of(links, pair));
    }
    return sum;
}

static struct source *source_of(const struct ct_links *links, const struct member *member)
{
    return &links->sources[links->hop_sources[member->hop]];
}

static double add_up_sources(struct ct_links *links, struct link *link)
{
    double sum = 0;
    link->top = 0;
    for (uint32_t i = 0; i < link->n_members; i++) {
        struct source *source = source_of(links, &link->members[i]);
        source->total = source->top = 0;
    }
    for (uint32_t i = 0; i < link->n_members; i++) {
        struct source *source = source_of(links, &link->members[i]);
        double rate = links->pairs[link->members[i].pair].next_rate;
        sum += rate;
        source->total += rate;
        source->top = ct_greater(source->top, rate);
        link->top = ct_greater(link->top, source->total);
    }
    return sum;
}

static void add_up(struct ct_links *links)
{
    for (uint32_t i = 0; i < links->n_examined; i++) {
        struct link *link = &links->links[links->examined[i]];
        bool has_sources = links->serves_in_turn && link->is_between;
        link->next_used = link->top = 0;
        if (!link->is_in_debt)
            link->next_used = has_sources ? add_up_sources(links, link) : add_up_pairs(links, link);
        link->is_full = link->next_used * same >= ct_links_lent(link);
        link->is_free = link->next_used * free_of < ct_links_lent(link);
    }
}

/* ---- pairs without a link that limits them ---- */

static bool is_limited_by(const struct ct_links *links, const struct pair *pair, uint32_t hop)
{
    const struct link *link = &links->links[links->hops[hop].link];
    uint32_t number = ct_links_source(links, hop);
    if (!link->is_full)
        return false;
    if (number == none || link->is_in_debt)
        return share_of(links, pair) * same >= link->top;
    const struct source *source = &links->sources[number];
    return source->total * same >= link->top && pair->next_rate * same >= source->top;
}

/* The first link that limits a pair is the one where it waits. */
static bool find_limit(const struct ct_links *links, struct pair *pair)
{
    pair->checked = links->n_checks;
    for (uint32_t h = pair->first_hop; h < pair->first_hop + pair->n_hops; h++) {
        uint32_t link = links->hops[h].link;
        if (!is_limited_by(links, pair, h))
            continue;
        pair->held_by = links->links[link].is_between ? link : none;
        return true;
    }
    pair->held_by = none;
    return false;
}

/* Others have more of the full links of a pair: theirs is to be found, too. */
static void add_rivals(struct ct_links *links, const struct pair *pair)
{
    for (uint32_t h = pair->first_hop; h < pair->first_hop + pair->n_hops; h++) {
        const struct link *link = &links->links[links->hops[h].link];
        bool has_sources = ct_links_source(links, h) != none;
        for (uint32_t i = 0; i < link->n_members && link->is_full; i++) {
            struct pair *rival = &links->pairs[link->members[i].pair];
            if (!rival->is_solving &&
                (has_sources || share_of(links, rival) > share_of(links, pair) * same))
                ct_links_solve_pair(links, rival);
        }
    }
}

/* A link that was free before, and is now, limits none of its pairs; each whose rate was found is
 * on another one that does. One in debt limits all of them. */
static void add_unlimited(struct ct_links *links)
{
    links->n_checks++;
    for (uint32_t i = 0, n = links->n_examined; i < n; i++) {
        const struct link *link = &links->links[links->examined[i]];
        if ((link->is_free && link->was_free) || link->is_in_debt)
            continue;
        for (uint32_t m = 0; m < link->n_members; m++) {
            struct pair *pair = &links->pairs[link->members[m].pair];
            if (pair->checked == links->n_checks || find_limit(links, pair))
                continue;
            if (pair->is_solving)
                add_rivals(links, pair);
            else
                ct_links_solve_pair(links, pair);
        }
    }
}

/* All that share a link with a pair whose rate is to be found, and those that share one with them.
 */
static void add_joined(struct ct_links *links)
{
    for (uint32_t i = 0; i < links->n_examined; i++) {
        const struct link *link = &links->links[links->examined[i]];
        for (uint32_t m = 0; m < link->n_members; m++)
            ct_links_solve_pair(links, &links->pairs[link->members[m].pair]);
    }
}

/* ---- the whole ---- */

/* Pairs that have ended since they were added have no rate. */
static void drop_ended(struct ct_links *links)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < links->n_solving; i++) {
        struct pair *pair = &links->pairs[links->solving[i]];
        pair->is_solving = ct_links_sends(pair);
        if (pair->is_solving)
            links->solving[n++] = links->solving[i];
    }
    links->n_solving = n;
}

static void put_in_force(struct ct_links *links)
{
    for (uint32_t i = 0; i < links->n_solving; i++) {
        struct pair *pair = &links->pairs[links->solving[i]];
        pair->is_solving = false;
        if (fabs(pair->next_rate - pair->rate) <= rounding * pair->rate) {
            pair->next_rate = pair->rate;
            continue;
        }
        ct_links_settle(links, pair);
        pair->rate = pair->next_rate;
        ct_links_set_end(links, pair);
    }
    for (uint32_t i = 0; i < links->n_examined; i++) {
        struct link *link = &links->links[links->examined[i]];
        ct_links_count(links, link);
        link->used = link->next_used;
        link->is_examined = false;
    }
    links->n_solving = links->n_examined = 0;
}

void ct_links_solve(struct ct_links *links)
{
    if (links->n_examined == 0)
        return;
    drop_ended(links);
    for (uint32_t times = 0, n_before = none; links->n_solving != n_before; times++) {
        ct_links_fill(links);
        add_up(links);
        n_before = links->n_solving;
        add_unlimited(links);
        if (times >= TIMES_MAX && links->n_solving != n_before)
            add_joined(links);
    }
    put_in_force(links);
}
