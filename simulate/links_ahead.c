/* What a short message waits for: bytes that are ahead of it in the queues of its links. */
#include "simulate/links_state.h"

static const uint32_t none = CT_LINKS_NONE;

static void add_ahead(struct ahead *ahead, double bytes)
{
    if (bytes > 0) {
        ahead->bytes += bytes;
        ahead->n_others++;
    }
}

/* The most that a lane of a pair has under way, up to a limit. */
static double most_of(const struct ct_links *links, const struct pair *pair, double limit)
{
    const struct lane *lanes = ct_links_lanes(links, pair);
    double most = 0;
    for (uint32_t job = 0; job < links->setup.n_jobs; job++)
        if (ct_links_is_open(pair, job))
            most =
                ct_greater(most, ct_lesser(limit, ct_links_left_bytes(links, pair, &lanes[job])));
    return most;
}

/* Of each lane of a pair what is in queues already; the own one of the message is empty. */
static void add_lanes(struct ct_links *links, const struct pair *pair, struct ahead *ahead)
{
    const struct lane *lanes = ct_links_lanes(links, pair);
    for (uint32_t job = 0; job < links->setup.n_jobs; job++) {
        if (!ct_links_is_open(pair, job))
            continue;
        double bytes = ct_links_left_bytes(links, pair, &lanes[job]) + lanes[job].behind_bytes;
        add_ahead(ahead,
                  ct_links_hold_ahead(links, bytes) ? bytes : links->setup.queues.ahead_bytes);
    }
}

/* A message that shares with n others has (1 + n) times its bytes to wait for anyway. */
static double beyond(const struct ahead *ahead, double bytes)
{
    return ct_greater(0, ahead->bytes - ahead->n_others * bytes);
}

/* What the other pairs on a link of a node have ahead of a message. */
static void add_pairs(struct ct_links *links, const struct link *link, const struct pair *own,
                      struct ahead *ahead)
{
    for (uint32_t i = 0; i < link->n_members; i++) {
        const struct pair *pair = &links->pairs[link->members[i].pair];
        if (pair == own)
            continue;
        if (ct_links_are_fifo(links))
            add_lanes(links, pair, ahead);
        else
            add_ahead(ahead, most_of(links, pair, links->setup.queues.packet_bytes));
    }
}

/* Of all pairs of a node that sends a link between switches has one packet ahead of others. */
static void add_source(struct ct_links *links, const struct pair *pair, struct source *source,
                       struct ahead *ahead)
{
    double before = source->counted == links->n_sent ? source->ahead : 0;
    double most = ct_greater(before, most_of(links, pair, links->setup.queues.packet_bytes));
    ahead->bytes += most - before;
    ahead->n_others += before <= 0 && most > 0;
    source->ahead = most;
    source->counted = links->n_sent;
}

/* What is in the queue of a link between switches: of the pairs that it limits. */
static void add_held(struct ct_links *links, uint32_t number, const struct pair *own,
                     struct hop_ahead *ahead)
{
    const struct link *link = &links->links[number];
    for (uint32_t i = 0; i < link->n_members; i++) {
        const struct pair *pair = &links->pairs[link->members[i].pair];
        uint32_t source = ct_links_source(links, link->members[i].hop);
        if (pair->held_by != number)
            continue;
        if (source == none) {
            add_lanes(links, pair, &ahead->others);
        } else if (pair->from != own->from) {
            add_source(links, pair, &links->sources[source], &ahead->others);
        } else {
            add_lanes(links, pair, &ahead->own);
            ahead->own_rate += pair->rate;
        }
    }
}

static double longest_ns(const struct ct_links *links, const struct pair *pair, double bytes)
{
    double longest = 0;
    for (uint32_t h = 0; h < pair->n_hops; h++) {
        const struct hop_ahead *ahead = &links->ahead[h];
        double rate = links->links[links->hops[pair->first_hop + h].link].rate;
        longest = ct_greater(longest, beyond(&ahead->others, bytes) / rate);
        if (ahead->own_rate > 0)
            longest = ct_greater(longest, beyond(&ahead->own, bytes) / ahead->own_rate);
    }
    return longest;
}

/* While a link of it is in debt, as if all that send over its first one had equal parts. */
static double rate_of(const struct ct_links *links, const struct pair *pair)
{
    const struct link *first = ct_links_link(links, pair->first_hop);
    return pair->rate > 0 ? pair->rate : first->rate / first->n_members;
}

/* Each other message has at most a packet ahead of it or, in the same queue, what that holds: one
 * that is longer waits for no more than sharing costs it. */
static bool waits_for_nothing(struct ct_links *links, const struct pair *pair, double bytes)
{
    const struct ct_links_queues *queues = &links->setup.queues;
    bool has_packets_ahead =
        pair->n_hops <= 2 && !ct_links_sends(pair) && !ct_links_are_fifo(links);
    if (bytes < queues->packet_bytes)
        return false;
    return has_packets_ahead || !ct_links_hold_ahead(links, bytes);
}

double ct_links_wait_ns(struct ct_links *links, const struct pair *pair, double bytes)
{
    const struct hop *hops = &links->hops[pair->first_hop];
    uint32_t n = pair->n_hops;
    bool is_active = ct_links_sends(pair);
    struct ahead between = {0, 0};
    if (waits_for_nothing(links, pair, bytes))
        return 0;
    /* Rates matter where another job sends, or links between switches have queues. */
    if (is_active || n > 2)
        ct_links_solve(links);
    for (uint32_t h = 0; h < n; h++)
        links->ahead[h] = (struct hop_ahead){.own_rate = 0};
    add_pairs(links, &links->links[hops[0].link], pair, &links->ahead[0].others);
    add_pairs(links, &links->links[hops[n - 1].link], pair, &links->ahead[n - 1].others);
    for (uint32_t h = 1; h + 1 < n; h++)
        add_held(links, hops[h].link, pair, &links->ahead[h]);
    double wait_ns = longest_ns(links, pair, bytes);
    if (!is_active)
        return wait_ns;
    add_lanes(links, pair, &between);
    return ct_greater(wait_ns, beyond(&between, bytes) / rate_of(links, pair));
}
