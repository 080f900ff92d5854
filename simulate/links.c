#include "simulate/links.h"

#include "core/array.h"
#include "simulate/links_state.h"
#include "simulate/routes.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

static const uint32_t none = CT_LINKS_NONE;
static const double same_time = 1e-9; /* times that differ by less, relative to them, are one */

const char *const ct_links_order_names[] = {"round-robin", "fifo", NULL};

static enum ct_status no_memory(struct ct_error *err)
{
    return ct_fail(err, CT_ENOMEM, "links: out of memory");
}

static enum ct_status check(const struct ct_links_setup *setup, struct ct_error *err)
{
    if (setup->n_jobs < 1 || setup->n_jobs > CT_LINKS_JOBS_MAX)
        return ct_fail(err, CT_EINVAL, "links: %u jobs; 1 to %d", setup->n_jobs, CT_LINKS_JOBS_MAX);
    const struct ct_links_queues *queues = &setup->queues;
    if (!(queues->packet_bytes >= 0) || !(queues->ahead_bytes >= 0) || !(queues->burst_bytes >= 0))
        return ct_fail(err, CT_EINVAL,
                       "links: %g and %g bytes ahead and %g at once, which must not be below 0",
                       queues->packet_bytes, queues->ahead_bytes, queues->burst_bytes);
    return CT_OK;
}

static void make_link(struct link *link, double ns_per_byte, bool is_between, double burst_bytes)
{
    *link = (struct link){.rate = 1 / ns_per_byte, .is_between = is_between, .tokens = burst_bytes};
}

static bool make_links(struct ct_links *links)
{
    const struct ct_simulate_paths *paths = links->setup.paths;
    const struct ct_routes *routes = links->setup.routes;
    bool any_between = false;
    links->n_links = paths ? paths->n_links : ct_routes_n_ways(routes);
    links->links = malloc((links->n_links + (size_t)1) * sizeof *links->links);
    links->examined = malloc((links->n_links + (size_t)1) * sizeof *links->examined);
    links->due = malloc((links->n_links + (size_t)1) * sizeof *links->due);
    for (uint32_t i = 0; links->links && i < links->n_links; i++) {
        bool is_between =
            paths ? i >= paths->n_links - paths->n_between : ct_routes_joins_switches(routes, i);
        make_link(&links->links[i],
                  paths ? paths->ns_per_byte[i] : ct_routes_ns_per_byte(routes, i), is_between,
                  links->setup.queues.burst_bytes);
        any_between |= is_between;
    }
    links->serves_in_turn = any_between && !ct_links_are_fifo(links);
    links->has_inputs = links->setup.queues.burst_bytes > 0 && !ct_links_are_fifo(links);
    links->tokens = (struct ct_tokens){.burst_bytes = links->setup.queues.burst_bytes,
                                       .n_shares = ct_links_n_nodes(links) + 1.0};
    return links->links && links->examined && links->due;
}

enum ct_status ct_links_new(const struct ct_links_setup *setup, struct ct_links **links_p,
                            struct ct_error *err)
{
    enum ct_status status = check(setup, err);
    if (status != CT_OK)
        return status;
    struct ct_links *links = calloc(1, sizeof *links);
    if (links)
        *links = (struct ct_links){.setup = *setup, .free_entry = none};
    if (!links || !make_links(links)) {
        ct_links_free(links);
        return no_memory(err);
    }
    *links_p = links;
    return CT_OK;
}

void ct_links_free(struct ct_links *links)
{
    if (!links)
        return;
    for (uint32_t i = 0; links->links && i < links->n_links; i++)
        free(links->links[i].members);
    free(links->links);
    ct_pair_map_free(&links->pair_of);
    ct_pair_map_free(&links->source_of);
    free(links->pairs);
    free(links->hops);
    free(links->hop_sources);
    free(links->assured);
    free(links->offers);
    free(links->next_offers);
    free(links->lanes);
    free(links->idle);
    free(links->ends);
    free(links->sources);
    free(links->ahead);
    free(links->entries);
    free(links->waiting.heap);
    free(links->examined);
    free(links->solving);
    free(links->due);
    free(links->moving);
    free(links->asks);
    free(links);
}

/* ---- messages ---- */

static bool take_entry(struct ct_links *links, uint32_t *entry_p)
{
    if (links->free_entry == none) {
        uint32_t room = links->room_entries > 0 ? 2 * links->room_entries : 64;
        if (!CT_ARRAY_RESIZE(links->entries, room))
            return false;
        for (uint32_t i = room; i-- > links->room_entries;) {
            links->entries[i].next = links->free_entry;
            links->free_entry = i;
        }
        links->room_entries = room;
    }
    *entry_p = links->free_entry;
    links->free_entry = links->entries[*entry_p].next;
    return true;
}

/* ---- tokens ---- */

/* Whether an input is assured that a packet passes now, whatever its port owes: not behind others,
 * which use what it is assured. */
static bool is_assured(const struct ct_links *links, const struct pair *pair, uint32_t hop)
{
    if (pair->is_backlogged)
        return false;
    const struct link *link = &links->links[links->hops[hop].link];
    double ns_per_byte = links->tokens.n_shares / link->rate;
    return ct_bucket_bytes(&links->tokens, ct_links_assured(links, hop), ns_per_byte,
                           links->now_ns) > 0;
}

/* Bytes of the head of a lane that pass all links at once: for which these have tokens, or all of
 * them, if they are one packet and it is assured where there are no tokens. */
static double free_bytes(struct ct_links *links, const struct pair *pair, double bytes)
{
    bool passes = links->has_inputs && bytes <= links->setup.queues.burst_bytes;
    double most = bytes;
    for (uint32_t h = pair->first_hop; h < pair->first_hop + pair->n_hops; h++) {
        struct link *link = &links->links[links->hops[h].link];
        ct_links_count(links, link);
        most = ct_lesser(most, ct_greater(0, link->tokens));
        passes = passes && (link->tokens >= bytes || is_assured(links, pair, h));
    }
    return passes ? bytes : most;
}

/* The port pays for all bytes, and may owe then; an input for those that it was assured. */
static void take_bytes(struct ct_links *links, uint32_t hop, double bytes)
{
    struct link *link = &links->links[links->hops[hop].link];
    if (link->tokens < bytes)
        ct_bucket_take(&links->tokens, ct_links_assured(links, hop),
                       links->tokens.n_shares / link->rate, bytes, links->now_ns);
    link->tokens -= bytes;
    link->passed_bytes += bytes;
}

/* A message that does not pass at once is behind what its links owe: it passes that, too, which was
 * counted when it passed. @return bytes */
static double take_debts(struct ct_links *links, const struct pair *pair)
{
    double most = 0;
    for (uint32_t h = pair->first_hop; h < pair->first_hop + pair->n_hops; h++)
        most = ct_greater(most, -links->links[links->hops[h].link].tokens);
    for (uint32_t h = pair->first_hop; h < pair->first_hop + pair->n_hops && most > 0; h++) {
        struct link *link = &links->links[links->hops[h].link];
        link->tokens = ct_greater(0, link->tokens);
        link->passed_bytes -= most;
    }
    return most;
}

/* The head of a lane begins. */
static void take_tokens(struct ct_links *links, struct pair *pair, struct lane *lane)
{
    if (!(links->setup.queues.burst_bytes > 0))
        return;
    double bytes = free_bytes(links, pair, lane->left_bytes);
    for (uint32_t h = pair->first_hop; h < pair->first_hop + pair->n_hops && bytes > 0; h++)
        take_bytes(links, h, bytes);
    lane->left_bytes -= bytes;
    if (!(lane->left_bytes > 0))
        return;
    pair->is_backlogged = true;
    lane->left_bytes += take_debts(links, pair);
}

/* Until a time, with the rates of those that send now. */
static void move_on(struct ct_links *links, double to_ns)
{
    if (!(to_ns > links->now_ns))
        return;
    ct_links_solve(links);
    links->now_ns = to_ns;
}

/* A message that no other one of its lane is before. */
static bool begin(struct ct_links *links, struct pair *pair, struct lane *lane)
{
    double opens_ns = links->now_ns + ct_links_wait_ns(links, pair, lane->left_bytes);
    if (opens_ns > links->now_ns)
        return ct_events_add(&links->waiting, opens_ns, (uint32_t)(lane - links->lanes));
    take_tokens(links, pair, lane);
    ct_links_open_lane(links, pair, lane);
    return true;
}

enum ct_status ct_links_send(struct ct_links *links, double now_ns,
                             const struct ct_links_message *message, struct ct_error *err)
{
    uint32_t at, number;
    enum ct_status status = ct_links_find_pair(links, message->from, message->to, &number, err);
    if (status != CT_OK)
        return status;
    if (!take_entry(links, &at))
        return no_memory(err);
    move_on(links, now_ns);
    struct pair *pair = &links->pairs[number];
    struct lane *lane = ct_links_lanes(links, pair) + message->job;
    links->n_sent++;
    links->entries[at] = (struct entry){message->bytes, message->number, none};
    if (lane->head != none) {
        links->entries[lane->tail].next = at;
        lane->tail = at;
        lane->behind_bytes += message->bytes;
        return CT_OK;
    }
    *lane = (struct lane){.head = at, .tail = at, .left_bytes = message->bytes};
    return begin(links, pair, lane) ? CT_OK : no_memory(err);
}

/* ---- time ---- */

static double waiting_ns(const struct ct_links *links)
{
    return ct_events_next_ns(&links->waiting);
}

/* Equal messages end at one time, but for the rounding of their rates; each end by itself would
 * need rates of its own for the others. */
static double through_ns(const struct ct_links *links)
{
    double at_ns = links->n_active > 0 ? links->ends[0].at_ns : INFINITY;
    return at_ns - links->now_ns <= same_time * links->now_ns ? links->now_ns : at_ns;
}

/* What is through now is so at any rate: rates are found when time goes on. */
double ct_links_next_ns(struct ct_links *links)
{
    double next_ns = ct_lesser(through_ns(links), waiting_ns(links));
    if (links->n_examined == 0 || next_ns <= links->now_ns)
        return next_ns;
    ct_links_solve(links);
    return ct_lesser(through_ns(links), waiting_ns(links));
}

double ct_links_next_before(struct ct_links *links, double until_ns)
{
    double next_ns = until_ns > links->now_ns ? ct_links_next_ns(links) : INFINITY;
    return next_ns < until_ns ? next_ns : INFINITY;
}

uint32_t ct_links_n_busy(const struct ct_links *links)
{
    return links->n_active;
}

void ct_links_passed(struct ct_links *links, double until_ns, double *bytes)
{
    ct_links_solve(links);
    for (uint32_t i = 0; i < links->n_links; i++) {
        const struct link *link = &links->links[i];
        bytes[i] = link->passed_bytes + (until_ns - link->counted_ns) * link->used;
    }
}

/* The head of the first lane that is through. */
static struct lane *find_through(struct ct_links *links, const struct pair *pair)
{
    struct lane *lanes = ct_links_lanes(links, pair), *least = NULL;
    for (uint32_t job = 0; job < links->setup.n_jobs; job++)
        if (ct_links_is_open(pair, job) && (!least || lanes[job].left_bytes < least->left_bytes))
            least = &lanes[job];
    return least;
}

/* The next message of a lane, or the lane ends. */
static uint32_t end_head(struct ct_links *links, struct pair *pair)
{
    ct_links_settle(links, pair);
    struct lane *lane = find_through(links, pair);
    uint32_t done = lane->head;
    lane->head = links->entries[done].next;
    links->entries[done].next = links->free_entry;
    links->free_entry = done;
    if (lane->head == none) {
        ct_links_close_lane(links, pair, lane);
    } else {
        lane->left_bytes = links->entries[lane->head].bytes;
        lane->behind_bytes -= lane->left_bytes;
        take_tokens(links, pair, lane);
        ct_links_set_end(links, pair);
    }
    return links->entries[done].number;
}

bool ct_links_step(struct ct_links *links, uint32_t *number_p)
{
    move_on(links, ct_links_next_ns(links));
    if (through_ns(links) <= waiting_ns(links)) {
        *number_p = end_head(links, &links->pairs[links->ends[0].pair]);
        return true;
    }
    struct lane *lane = &links->lanes[ct_events_take(&links->waiting).what];
    struct pair *pair = &links->pairs[(size_t)(lane - links->lanes) / links->setup.n_jobs];
    pair->is_backlogged = true;
    ct_links_open_lane(links, pair, lane);
    return false;
}
