/* Pairs of nodes: their paths, those that send, and when each is through next. */
#include "core/array.h"
#include "simulate/links_state.h"
#include "simulate/routes.h"

#include <math.h>

static const uint32_t none = CT_LINKS_NONE;

/* Idle pairs lose their places if there are so many pairs, of which one in so many is idle. */
enum { KEPT_LEAST = 64, KEPT_PART = 4 };

/* ---- when they are through ---- */

/* Of pairs at the same time the one that has sent first, or has taken its place. */
static bool is_before(const struct pair_end *a, const struct pair_end *b)
{
    if (a->at_ns < b->at_ns || a->at_ns > b->at_ns)
        return a->at_ns < b->at_ns;
    return a->pair < b->pair;
}

static void put_end(struct ct_links *links, uint32_t at, const struct pair_end *end)
{
    links->ends[at] = *end;
    links->pairs[end->pair].end_at = at;
}

static void raise_end(struct ct_links *links, uint32_t at)
{
    const struct pair_end end = links->ends[at];
    for (; at > 0 && is_before(&end, &links->ends[(at - 1) / 4]); at = (at - 1) / 4)
        put_end(links, at, &links->ends[(at - 1) / 4]);
    put_end(links, at, &end);
}

static void lower_end(struct ct_links *links, uint32_t at)
{
    const struct pair_end end = links->ends[at];
    for (uint32_t first; (first = 4 * at + 1) < links->n_active;) {
        uint32_t least = first;
        for (uint32_t i = first + 1; i < first + 4 && i < links->n_active; i++)
            if (is_before(&links->ends[i], &links->ends[least]))
                least = i;
        if (!is_before(&links->ends[least], &end))
            break;
        put_end(links, at, &links->ends[least]);
        at = least;
    }
    put_end(links, at, &end);
}

double ct_links_through_ns(const struct ct_links *links, const struct pair *pair)
{
    const struct lane *lanes = ct_links_lanes(links, pair);
    double least_bytes = INFINITY;
    for (uint32_t job = 0; job < links->setup.n_jobs; job++)
        if (ct_links_is_open(pair, job))
            least_bytes = ct_lesser(least_bytes, lanes[job].left_bytes);
    if (pair->rate > 0)
        return pair->settled_ns + least_bytes / (pair->rate / pair->n_busy);
    return least_bytes <= 0 && pair->late == 0 ? pair->settled_ns : INFINITY;
}

void ct_links_set_end(struct ct_links *links, struct pair *pair)
{
    double at_ns = ct_links_through_ns(links, pair);
    if (links->has_inputs)
        at_ns = ct_lesser(at_ns, ct_links_assured_ns(links, pair));
    uint32_t at = pair->end_at;
    bool is_later = at_ns > links->ends[at].at_ns;
    links->ends[at].at_ns = at_ns;
    if (is_later)
        lower_end(links, at);
    else
        raise_end(links, at);
}

void ct_links_settle(const struct ct_links *links, struct pair *pair)
{
    struct lane *lanes = ct_links_lanes(links, pair);
    if (!(links->now_ns > pair->settled_ns))
        return;
    for (uint32_t job = 0; job < links->setup.n_jobs; job++)
        if (ct_links_is_open(pair, job))
            lanes[job].left_bytes = ct_links_left_bytes(links, pair, &lanes[job]);
    pair->settled_ns = links->now_ns;
}

/* ---- pairs that have nothing to send ---- */

static bool has_messages(const struct ct_links *links, const struct pair *pair)
{
    const struct lane *lanes = ct_links_lanes(links, pair);
    for (uint32_t job = 0; job < links->setup.n_jobs; job++)
        if (lanes[job].head != none)
            return true;
    return false;
}

static void become_idle(struct ct_links *links, struct pair *pair)
{
    uint32_t number = (uint32_t)(pair - links->pairs);
    struct idle *idle = &links->idle[pair->n_hops];
    pair->is_idle = true;
    pair->idle_before = idle->last;
    pair->idle_after = none;
    if (idle->last == none)
        idle->first = number;
    else
        links->pairs[idle->last].idle_after = number;
    idle->last = number;
    links->n_idle++;
}

static void end_idle(struct ct_links *links, struct pair *pair)
{
    struct idle *idle = &links->idle[pair->n_hops];
    if (pair->idle_before == none)
        idle->first = pair->idle_after;
    else
        links->pairs[pair->idle_before].idle_after = pair->idle_after;
    if (pair->idle_after == none)
        idle->last = pair->idle_before;
    else
        links->pairs[pair->idle_after].idle_before = pair->idle_before;
    pair->is_idle = false;
    links->n_idle--;
}

/* The pair whose place one with as many hops takes; none: it needs a place of its own. */
static uint32_t take_idle(struct ct_links *links, uint32_t n_hops)
{
    if (links->n_pairs < KEPT_LEAST || links->n_idle < links->n_pairs / KEPT_PART)
        return none;
    uint32_t number = n_hops < links->n_idle_lists ? links->idle[n_hops].first : none;
    if (number == none || links->pairs[number].is_solving)
        return none;
    struct pair *pair = &links->pairs[number];
    end_idle(links, pair);
    for (uint32_t h = pair->first_hop; h < pair->first_hop + pair->n_hops; h++)
        links->links[links->hops[h].link].n_paths--;
    return number;
}

/* ---- new pairs ---- */

/* Room for a list of the pairs with so many hops. */
static bool reserve_idle(struct ct_links *links, uint32_t n_hops)
{
    if (!CT_ARRAY_RESERVE(links->idle, links->room_idle_lists, n_hops + (size_t)1))
        return false;
    while (links->n_idle_lists <= n_hops)
        links->idle[links->n_idle_lists++] = (struct idle){none, none};
    return true;
}

/* Room for a pair in all that it can be in, so that only a new one can need memory. */
static bool make_room(struct ct_links *links, const struct pair *pair)
{
    size_t n = links->n_pairs + (size_t)1, n_hops = links->n_hops + (size_t)pair->n_hops;
    return CT_ARRAY_RESERVE(links->pairs, links->room_pairs, n) &&
           CT_ARRAY_RESERVE(links->lanes, links->room_lanes, n * links->setup.n_jobs) &&
           CT_ARRAY_RESERVE(links->ends, links->room_ends, n) &&
           CT_ARRAY_RESERVE(links->solving, links->room_solving, n) &&
           CT_ARRAY_RESERVE(links->hops, links->room_hops, n_hops) &&
           (!links->has_inputs || (CT_ARRAY_RESERVE(links->assured, links->room_assured, n_hops) &&
                                   CT_ARRAY_RESERVE(links->waiting.heap, links->waiting.room,
                                                    n * links->setup.n_jobs))) &&
           (!links->serves_in_turn ||
            (CT_ARRAY_RESERVE(links->moving, links->room_moving, n) &&
             CT_ARRAY_RESERVE(links->hop_sources, links->room_hop_sources, n_hops) &&
             CT_ARRAY_RESERVE(links->offers, links->room_offers, n_hops) &&
             CT_ARRAY_RESERVE(links->next_offers, links->room_next_offers, n_hops))) &&
           reserve_idle(links, pair->n_hops) &&
           CT_ARRAY_RESERVE(links->ahead, links->room_ahead, pair->n_hops + (size_t)1);
}

/* Most links have few. */
static bool reserve_members(struct link *link)
{
    uint32_t n = ++link->n_paths, room = n + n / 4 + 1;
    if (n <= link->room_members)
        return true;
    if (!CT_ARRAY_RESIZE(link->members, room))
        return false;
    link->room_members = room;
    return true;
}

static bool make_hop(struct ct_links *links, uint32_t node, uint32_t number, uint32_t hop)
{
    struct link *link = &links->links[number];
    links->hops[hop] = (struct hop){.link = number, .place = none};
    if (!reserve_members(link))
        return false;
    if (links->has_inputs)
        links->assured[hop] = (struct ct_bucket){-INFINITY};
    if (!links->serves_in_turn)
        return true;
    if (!CT_ARRAY_RESERVE(links->asks, links->room_asks, 2 * (size_t)link->n_paths))
        return false;
    uint32_t *source = &links->hop_sources[hop];
    *source = none;
    if (!link->is_between)
        return true;
    if (!ct_pair_map_find(&links->source_of, number, node, source) ||
        !CT_ARRAY_RESERVE(links->sources, links->room_sources, *source + (size_t)1))
        return false;
    if (*source == links->n_sources)
        links->sources[links->n_sources++] = (struct source){.assured = {-INFINITY}};
    return true;
}

static enum ct_status find_path(struct ct_links *links, uint32_t from, uint32_t to,
                                struct pair *pair, struct ct_error *err)
{
    const struct ct_simulate_paths *paths = links->setup.paths;
    struct ct_path path;
    if (paths) {
        const uint32_t *first = &paths->first_hop[(size_t)from * paths->n_nodes + to];
        pair->n_hops = (uint16_t)(first[1] - first[0]);
        return CT_OK;
    }
    enum ct_status status = ct_routes_find(links->setup.routes, from, to, &path, err);
    if (status == CT_OK)
        pair->n_hops = (uint16_t)path.n;
    return status;
}

static uint32_t link_of(const struct ct_links *links, const struct pair *pair, uint32_t h)
{
    const struct ct_simulate_paths *paths = links->setup.paths;
    struct ct_path path;
    if (paths)
        return paths->hops[paths->first_hop[(size_t)pair->from * paths->n_nodes + pair->to] + h];
    return ct_routes_find(links->setup.routes, pair->from, pair->to, &path, NULL) == CT_OK
               ? ct_path_way(ct_routes_ways(links->setup.routes), &path, h)
               : none;
}

/* In its place among the pairs: a new one, or that of a pair that was idle. */
static bool put_pair(struct ct_links *links, uint32_t number, const struct pair *pair)
{
    uint32_t n_jobs = links->setup.n_jobs;
    for (uint32_t h = 0; h < pair->n_hops; h++)
        if (!make_hop(links, pair->from, link_of(links, pair, h), pair->first_hop + h))
            return false;
    for (uint32_t job = 0; job < n_jobs; job++)
        links->lanes[number * (size_t)n_jobs + job] = (struct lane){.head = none, .tail = none};
    links->pairs[number] = *pair;
    return true;
}

static bool add_pair(struct ct_links *links, struct pair *pair, uint32_t *number_p)
{
    uint32_t idle = take_idle(links, pair->n_hops);
    if (idle != none) {
        const struct pair *other = &links->pairs[idle];
        pair->first_hop = other->first_hop;
        ct_pair_map_replace(&links->pair_of, other->from, other->to, pair->from, pair->to);
        *number_p = idle;
        return put_pair(links, idle, pair);
    }
    if (!make_room(links, pair) || !put_pair(links, *number_p, pair))
        return false;
    links->n_hops += pair->n_hops;
    links->n_pairs++;
    return true;
}

enum ct_status ct_links_find_pair(struct ct_links *links, uint32_t from, uint32_t to,
                                  uint32_t *number_p, struct ct_error *err)
{
    enum ct_status status = CT_OK;
    struct pair pair = {.from = from, .to = to, .first_hop = links->n_hops, .held_by = none};
    if (!ct_pair_map_find(&links->pair_of, from, to, number_p))
        return ct_fail(err, CT_ENOMEM, "links: out of memory");
    if (*number_p < links->n_pairs) {
        if (links->pairs[*number_p].is_idle)
            end_idle(links, &links->pairs[*number_p]);
        return CT_OK;
    }
    status = find_path(links, from, to, &pair, err);
    if (status == CT_OK && !add_pair(links, &pair, number_p))
        status = ct_fail(err, CT_ENOMEM, "links: out of memory");
    return status;
}

/* ---- pairs that send ---- */

static void add_members(struct ct_links *links, const struct pair *pair)
{
    uint32_t number = (uint32_t)(pair - links->pairs);
    for (uint32_t h = pair->first_hop; h < pair->first_hop + pair->n_hops; h++) {
        struct link *link = &links->links[links->hops[h].link];
        links->hops[h].place = link->n_members;
        link->members[link->n_members++] = (struct member){number, h};
    }
}

static void remove_members(struct ct_links *links, const struct pair *pair)
{
    for (uint32_t h = pair->first_hop; h < pair->first_hop + pair->n_hops; h++) {
        struct link *link = &links->links[links->hops[h].link];
        uint32_t place = links->hops[h].place;
        link->members[place] = link->members[--link->n_members];
        links->hops[link->members[place].hop].place = place;
    }
}

/* What a link passes is found anew. */
static void examine(struct ct_links *links, uint32_t number)
{
    struct link *link = &links->links[number];
    if (link->is_examined)
        return;
    links->examined[links->n_examined++] = number;
    link->is_examined = true;
    link->was_free = link->is_free;
}

static void examine_path(struct ct_links *links, const struct pair *pair)
{
    for (uint32_t h = pair->first_hop; h < pair->first_hop + pair->n_hops; h++)
        examine(links, links->hops[h].link);
}

void ct_links_solve_pair(struct ct_links *links, struct pair *pair)
{
    if (!pair->is_solving)
        links->solving[links->n_solving++] = (uint32_t)(pair - links->pairs);
    pair->is_solving = true;
    examine_path(links, pair);
}

void ct_links_solve_debt(struct ct_links *links, uint32_t number)
{
    const struct link *link = &links->links[number];
    for (uint32_t m = 0; m < link->n_members; m++) {
        struct pair *pair = &links->pairs[link->members[m].pair];
        if (ct_links_in_debt(links, pair, number) == none)
            ct_links_solve_pair(links, pair);
    }
}

static void begin_pair(struct ct_links *links, struct pair *pair)
{
    add_members(links, pair);
    pair->settled_ns = links->now_ns;
    pair->rate = pair->next_rate = 0;
    pair->held_by = none;
    const struct pair_end end = {INFINITY, (uint32_t)(pair - links->pairs)};
    put_end(links, links->n_active++, &end);
    raise_end(links, pair->end_at);
}

static void remove_end(struct ct_links *links, uint32_t at)
{
    const struct pair_end last = links->ends[links->n_active];
    if (at == links->n_active)
        return;
    bool is_earlier = is_before(&last, &links->ends[at]);
    put_end(links, at, &last);
    if (is_earlier)
        raise_end(links, at);
    else
        lower_end(links, at);
}

void ct_links_rest(struct ct_links *links, struct pair *pair)
{
    if (!ct_links_sends(pair) && !has_messages(links, pair))
        become_idle(links, pair);
}

static void end_pair(struct ct_links *links, struct pair *pair)
{
    links->n_active--;
    remove_members(links, pair);
    remove_end(links, pair->end_at);
    ct_links_rest(links, pair);
}

void ct_links_open_lane(struct ct_links *links, struct pair *pair, struct lane *lane)
{
    bool begins = !ct_links_sends(pair);
    if (begins)
        begin_pair(links, pair);
    ct_links_settle(links, pair);
    pair->n_busy++;
    pair->open |= ct_links_bit(links, pair, lane);
    ct_links_set_end(links, pair);
    if (begins || ct_links_are_fifo(links))
        ct_links_solve_pair(links, pair);
}

void ct_links_close_lane(struct ct_links *links, struct pair *pair, struct lane *lane)
{
    pair->open &= (uint16_t)~ct_links_bit(links, pair, lane);
    if (--pair->n_busy == 0) {
        examine_path(links, pair);
        end_pair(links, pair);
        return;
    }
    ct_links_set_end(links, pair);
    if (ct_links_are_fifo(links))
        ct_links_solve_pair(links, pair);
}
