/*
 * Buckets of inputs (tokens.h), where ports serve their inputs in turn: packets that pass beside
 * the rates that pairs share.
 *
 * A message that begins passes at once as many packets as on each of its links its input is
 * assured, or the port has tokens for if nothing sends over it. While the rest is under way, a
 * packet passes whenever its inputs are assured it. The last packet of a message passes when no
 * bucket is in debt, and leaves a debt, so rates carry what is before it. The port pays for all:
 * while it is in debt, it lends nothing.
 */
#include "simulate/links_state.h"

#include <math.h>

static const double rounding_bytes = 1e-6; /* a bucket that owes less has no debt */

static double gap_ns(const struct ct_links *links, uint32_t hop)
{
    return links->tokens.n_shares / ct_links_link(links, hop)->rate;
}

/* Bytes of a message before its last packet. */
static double before_last(const struct ct_links *links, double bytes)
{
    return ct_greater(0, links->packet_bytes * (ceil(bytes / links->packet_bytes) - 1));
}

/* ---- what ports are paid ---- */

/* A time that is rounded away is no debt: it would be paid at the same instant. */
static bool has_debt(const struct ct_links *links, const struct link *link)
{
    return link->tokens < -rounding_bytes &&
           -link->tokens / link->rate > CT_LINKS_SAME_TIME * links->now_ns;
}

/* There is room for an event of each link. */
static void await_payment(struct ct_links *links, const struct link *link)
{
    ct_events_add(&links->paid, links->now_ns - link->tokens / link->rate,
                  (uint32_t)(link - links->links));
}

/* A port in debt lends nothing from now on. */
static void find_debt(struct ct_links *links, struct link *link)
{
    if (link->n_members == 0 || link->is_in_debt || !has_debt(links, link))
        return;
    link->is_in_debt = true;
    ct_links_solve_debt(links, (uint32_t)(link - links->links));
    await_payment(links, link);
}

void ct_links_charge(struct ct_links *links, const struct pair *pair, double bytes)
{
    for (uint32_t h = pair->first_hop; h < pair->first_hop + pair->n_hops; h++) {
        struct link *link = ct_links_link(links, h);
        ct_links_count(links, link);
        link->tokens -= bytes;
        link->passed_bytes += bytes;
        find_debt(links, link);
    }
}

void ct_links_step_paid(struct ct_links *links)
{
    do {
        struct link *link = &links->links[ct_events_take(&links->paid).what];
        ct_links_count(links, link);
        link->is_in_debt = has_debt(links, link);
        if (link->is_in_debt)
            await_payment(links, link);
        else
            ct_links_solve_debt(links, (uint32_t)(link - links->links));
    } while (ct_events_next_ns(&links->paid) <= links->now_ns * (1 + CT_LINKS_SAME_TIME));
}

/* ---- what inputs are assured ---- */

/* Bytes of packets that a bucket with so many tokens lets pass: the last one may leave a debt. */
static double passing(const struct ct_links *links, double tokens)
{
    if (tokens < -rounding_bytes)
        return 0;
    return links->packet_bytes * (floor(ct_greater(0, tokens) / links->packet_bytes) + 1);
}

static double assured_bytes(const struct ct_links *links, uint32_t hop)
{
    double tokens = ct_bucket_bytes(&links->tokens, ct_links_assured(links, hop),
                                    gap_ns(links, hop), links->now_ns);
    return passing(links, tokens);
}

static double passing_all(const struct ct_links *links, const struct pair *pair)
{
    double least = INFINITY;
    for (uint32_t h = pair->first_hop; h < pair->first_hop + pair->n_hops; h++) {
        struct link *link = ct_links_link(links, h);
        double most = assured_bytes(links, h);
        ct_links_count(links, link);
        if (link->n_members == 0)
            most = ct_greater(most, passing(links, link->tokens));
        least = ct_lesser(least, most);
    }
    return least;
}

/* The input of a hop pays. */
static void use_assured(const struct ct_links *links, uint32_t hop, double bytes)
{
    ct_bucket_take(&links->tokens, ct_links_assured(links, hop), gap_ns(links, hop), bytes,
                   links->now_ns);
}

/* What is under way over links before the last one of its path may wait at that. */
static void hold(struct ct_links *links, const struct pair *pair, double bytes)
{
    for (uint32_t h = pair->first_hop; h + 1 < pair->first_hop + pair->n_hops; h++) {
        struct link *link = ct_links_link(links, h);
        link->held_bytes = ct_greater(0, link->held_bytes + bytes);
    }
}

/* ---- messages ---- */

bool ct_links_pass_at_once(struct ct_links *links, struct pair *pair, struct lane *lane)
{
    double bytes = lane->left_bytes;
    double at_once = ct_links_sends(pair) ? 0 : ct_lesser(bytes, passing_all(links, pair));
    for (uint32_t h = pair->first_hop; h < pair->first_hop + pair->n_hops && at_once > 0; h++)
        use_assured(links, h, ct_lesser(at_once, assured_bytes(links, h)));
    if (at_once > 0)
        ct_links_charge(links, pair, at_once);
    if (at_once >= bytes)
        return true;
    bytes -= at_once;
    links->entries[lane->head].bytes = bytes;
    lane->left_bytes = before_last(links, bytes);
    pair->late |= ct_links_bit(links, pair, lane);
    hold(links, pair, bytes);
    return false;
}

struct lane *ct_links_pass_assured(struct ct_links *links, struct pair *pair)
{
    struct lane *lanes = ct_links_lanes(links, pair), *lane = lanes;
    double most_bytes = -1;
    for (uint32_t job = 0; job < links->setup.n_jobs; job++)
        if (ct_links_is_open(pair, job) && lanes[job].left_bytes > most_bytes) {
            lane = &lanes[job];
            most_bytes = lane->left_bytes;
        }
    double bytes = links->entries[lane->head].bytes, packet_bytes = links->packet_bytes;
    double left_bytes = lane->left_bytes + bytes - before_last(links, bytes);
    for (uint32_t h = pair->first_hop; h < pair->first_hop + pair->n_hops; h++)
        use_assured(links, h, ct_lesser(packet_bytes, left_bytes));
    if (left_bytes <= packet_bytes + rounding_bytes)
        return lane;
    double passed_bytes = ct_lesser(packet_bytes, lane->left_bytes);
    lane->left_bytes -= passed_bytes;
    ct_links_charge(links, pair, passed_bytes);
    ct_links_set_end(links, pair);
    return NULL;
}

void ct_links_end_inputs(struct ct_links *links, struct pair *pair, double bytes, double left_bytes)
{
    ct_links_charge(links, pair, left_bytes + bytes - before_last(links, bytes));
    hold(links, pair, -bytes);
}
