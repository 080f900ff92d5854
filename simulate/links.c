#include "simulate/links.h"

#include "core/array.h"
#include "simulate/links_state.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

static const uint32_t none = UINT32_MAX;

const char *const ct_links_order_names[] = {"round-robin", "fifo", NULL};

/* What is ahead of a message in one place, and of how many others it is. */
struct ahead {
    double bytes;
    uint32_t n_others;
};

/* What is ahead of a message on one link. */
struct hop_ahead {
    struct ahead others;
    struct ahead own; /* of the node that it is sent from, in the same queue */
    double own_rate;  /* at which that queue is served, bytes a ns */
};

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

static bool make_rooms(struct ct_links *links)
{
    const struct ct_simulate_paths *paths = links->setup.paths;
    size_t n_pairs = (size_t)paths->n_nodes * paths->n_nodes;
    links->lanes = malloc(n_pairs * links->setup.n_jobs * sizeof *links->lanes);
    links->active_at = malloc(n_pairs * sizeof *links->active_at);
    links->pairs = malloc(n_pairs * sizeof *links->pairs);
    links->links = malloc((paths->n_links + (size_t)1) * sizeof *links->links);
    links->used = malloc((paths->n_links + (size_t)1) * sizeof *links->used);
    links->ahead = malloc((paths->most_hops + (size_t)1) * sizeof *links->ahead);
    bool in_turn = links->setup.queues.order == CT_LINKS_ROUND_ROBIN && paths->n_between > 0;
    if (in_turn)
        links->sources = calloc((size_t)paths->n_between * paths->n_nodes, sizeof *links->sources);
    return links->lanes && links->active_at && links->pairs && links->links && links->used &&
           links->ahead && (links->sources || !in_turn);
}

enum ct_status ct_links_new(const struct ct_links_setup *setup, struct ct_links **links_p,
                            struct ct_error *err)
{
    enum ct_status status = check(setup, err);
    if (status != CT_OK)
        return status;
    struct ct_links *links = calloc(1, sizeof *links);
    if (links)
        *links = (struct ct_links){.setup = *setup, .free_entry = none, .next_ns = INFINITY};
    if (!links || !make_rooms(links)) {
        ct_links_free(links);
        return no_memory(err);
    }
    size_t n = (size_t)setup->paths->n_nodes * setup->paths->n_nodes;
    for (size_t i = 0; i < n; i++)
        links->active_at[i] = none;
    for (size_t i = 0; i < n * setup->n_jobs; i++)
        links->lanes[i] = (struct lane){none, none, 0, 0, 0};
    for (uint32_t i = 0; i < setup->paths->n_links; i++) {
        double rate = 1 / setup->paths->ns_per_byte[i];
        links->links[i] =
            (struct link){.rate = rate, .left = rate, .tokens = setup->queues.burst_bytes};
    }
    *links_p = links;
    return CT_OK;
}

void ct_links_free(struct ct_links *links)
{
    if (!links)
        return;
    free(links->lanes);
    free(links->active_at);
    free(links->pairs);
    free(links->links);
    free(links->used);
    free(links->sources);
    free(links->ahead);
    free(links->entries);
    free(links->waiting);
    free(links);
}

/* ---- time ---- */

static size_t pair_index(const struct ct_links *links, uint32_t from, uint32_t to)
{
    return (size_t)from * links->setup.paths->n_nodes + to;
}

static struct lane *lanes_of(const struct ct_links *links, const struct pair *pair)
{
    return links->lanes + pair_index(links, pair->from, pair->to) * links->setup.n_jobs;
}

static double lane_rate(const struct pair *pair)
{
    return pair->rate / pair->n_busy;
}

/* Whether the head of a lane is under way. */
static bool is_open(const struct ct_links *links, const struct lane *lane)
{
    return lane->head != none && lane->opens_ns <= links->now_ns;
}

static void find_next(struct ct_links *links)
{
    links->next_ns = INFINITY;
    links->next_waiting = none;
    for (uint32_t i = 0; i < links->n_pairs; i++) {
        const struct pair *pair = &links->pairs[i];
        struct lane *lanes = lanes_of(links, pair);
        for (uint32_t job = 0; job < links->setup.n_jobs; job++) {
            if (!is_open(links, &lanes[job]))
                continue;
            double at_ns = links->now_ns + lanes[job].left_bytes / lane_rate(pair);
            if (at_ns < links->next_ns) {
                links->next_ns = at_ns;
                links->next_lane = (uint32_t)(&lanes[job] - links->lanes);
            }
        }
    }
    for (uint32_t i = 0; i < links->n_waiting; i++) {
        double opens_ns = links->lanes[links->waiting[i]].opens_ns;
        if (opens_ns < links->next_ns) {
            links->next_ns = opens_ns;
            links->next_waiting = i;
        }
    }
}

static void refresh(struct ct_links *links)
{
    if (links->other_pairs)
        ct_links_fill(links);
    if (links->is_stale)
        find_next(links);
    links->other_pairs = links->is_stale = false;
}

static void move_on(struct ct_links *links, double to_ns)
{
    double passed_ns = to_ns - links->now_ns;
    if (passed_ns <= 0)
        return;
    for (uint32_t i = 0; i < links->n_pairs; i++) {
        const struct pair *pair = &links->pairs[i];
        struct lane *lanes = lanes_of(links, pair);
        for (uint32_t job = 0; job < links->setup.n_jobs; job++)
            if (is_open(links, &lanes[job]))
                lanes[job].left_bytes =
                    ct_greater(0, lanes[job].left_bytes - passed_ns * lane_rate(pair));
    }
    double burst_bytes = links->setup.queues.burst_bytes;
    for (uint32_t i = 0; i < links->setup.paths->n_links && burst_bytes > 0; i++)
        links->links[i].tokens =
            ct_lesser(burst_bytes, links->links[i].tokens + passed_ns * links->links[i].left);
    links->now_ns = to_ns;
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

static void add_ahead(struct ahead *ahead, double bytes)
{
    if (bytes > 0) {
        ahead->bytes += bytes;
        ahead->n_others++;
    }
}

/* The most that a lane of a pair has under way, up to a limit. */
static double most_of(const struct ct_links *links, const struct lane *lanes, double limit)
{
    double most = 0;
    for (uint32_t job = 0; job < links->setup.n_jobs; job++)
        if (is_open(links, &lanes[job]))
            most = ct_greater(most, ct_lesser(limit, lanes[job].left_bytes));
    return most;
}

/* Of each lane of a pair what is in queues already; the own one of the message is empty. */
static void add_lanes(const struct ct_links *links, const struct lane *lanes, struct ahead *ahead)
{
    for (uint32_t job = 0; job < links->setup.n_jobs; job++)
        if (is_open(links, &lanes[job]))
            add_ahead(ahead, ct_lesser(links->setup.queues.ahead_bytes,
                                       lanes[job].left_bytes + lanes[job].behind_bytes));
}

/* A message that shares with n others has (1 + n) times its bytes to wait for anyway. */
static double beyond(const struct ahead *ahead, double bytes)
{
    return ct_greater(0, ahead->bytes - ahead->n_others * bytes);
}

/* What another pair has ahead of a message on a link that both use. */
static void add_pair(const struct ct_links *links, const struct lane *lanes, struct ahead *ahead)
{
    if (ct_links_are_fifo(links))
        add_lanes(links, lanes, ahead);
    else
        add_ahead(ahead, most_of(links, lanes, links->setup.queues.packet_bytes));
}

/* Of all pairs of a node that sends a link between switches has one packet ahead of others. */
static void add_source(struct ct_links *links, const struct pair *pair, const struct lane *lanes,
                       struct ahead *ahead)
{
    struct source *source = ct_links_source(links, pair->held_by, pair->from);
    double before = source->counted == links->n_sent ? source->ahead : 0;
    double most = ct_greater(before, most_of(links, lanes, links->setup.queues.packet_bytes));
    ahead->bytes += most - before;
    ahead->n_others += before == 0 && most > 0;
    source->ahead = most;
    source->counted = links->n_sent;
}

/* What a pair has in the queue of the link between switches that limits it. */
static void add_held(struct ct_links *links, const struct pair *pair, const struct lane *lanes,
                     uint32_t from, struct hop_ahead *ahead)
{
    if (ct_links_are_fifo(links)) {
        add_lanes(links, lanes, &ahead->others);
    } else if (pair->from != from) {
        add_source(links, pair, lanes, &ahead->others);
    } else {
        add_lanes(links, lanes, &ahead->own);
        ahead->own_rate += pair->rate;
    }
}

/* Queues of links between switches: of those that limit somebody. */
static void add_queues(struct ct_links *links, const struct ct_links_message *message,
                       const uint32_t *hops, uint32_t n_hops)
{
    for (uint32_t i = 0; i < links->n_pairs; i++) {
        const struct pair *pair = &links->pairs[i];
        for (uint32_t h = 1; h + 1 < n_hops && pair->held_by != none; h++)
            if (hops[h] == pair->held_by)
                add_held(links, pair, lanes_of(links, pair), message->from, &links->ahead[h]);
    }
}

/* How long a message waits for what is ahead of it, beyond what sharing costs it. */
static double wait_ns(struct ct_links *links, const struct ct_links_message *message)
{
    const struct ct_links_queues *queues = &links->setup.queues;
    const struct ct_simulate_paths *paths = links->setup.paths;
    const uint32_t *first_hop = &paths->first_hop[pair_index(links, message->from, message->to)];
    const uint32_t *hops = &paths->hops[*first_hop];
    uint32_t n_hops = first_hop[1] - first_hop[0];
    struct ahead between = {0, 0};
    double pair_ns_per_byte = 0, longest_ns = 0;
    if (message->bytes >= ct_greater(queues->packet_bytes, queues->ahead_bytes))
        return 0;
    for (uint32_t h = 0; h < n_hops; h++)
        links->ahead[h] = (struct hop_ahead){.own_rate = 0};
    for (uint32_t i = 0; i < links->n_pairs; i++) {
        const struct pair *pair = &links->pairs[i];
        const struct lane *lanes = lanes_of(links, pair);
        bool same_out = pair->from == message->from, same_in = pair->to == message->to;
        if (same_out && same_in) {
            pair_ns_per_byte = 1 / pair->rate;
            add_lanes(links, lanes, &between);
        } else if (same_out || same_in) {
            add_pair(links, lanes, &links->ahead[same_out ? 0 : n_hops - 1].others);
        }
    }
    if (n_hops > 2)
        add_queues(links, message, hops, n_hops);
    for (uint32_t h = 0; h < n_hops; h++) {
        const struct hop_ahead *ahead = &links->ahead[h];
        longest_ns = ct_greater(longest_ns, beyond(&ahead->others, message->bytes) *
                                                paths->ns_per_byte[hops[h]]);
        if (ahead->own_rate > 0)
            longest_ns =
                ct_greater(longest_ns, beyond(&ahead->own, message->bytes) / ahead->own_rate);
    }
    return ct_greater(longest_ns, beyond(&between, message->bytes) * pair_ns_per_byte);
}

/* The head of a lane begins: what tokens of all its links cover is through. */
static void take_tokens(struct ct_links *links, uint32_t lane)
{
    const struct ct_simulate_paths *paths = links->setup.paths;
    const uint32_t *first_hop = &paths->first_hop[lane / links->setup.n_jobs];
    double bytes = links->lanes[lane].left_bytes;
    if (!(links->setup.queues.burst_bytes > 0))
        return;
    for (uint32_t i = first_hop[0]; i < first_hop[1]; i++)
        bytes = ct_lesser(bytes, links->links[paths->hops[i]].tokens);
    for (uint32_t i = first_hop[0]; i < first_hop[1]; i++) {
        links->links[paths->hops[i]].tokens -= bytes;
        links->links[paths->hops[i]].passed_bytes += bytes;
    }
    links->lanes[lane].left_bytes -= bytes;
}

static void begin_pair(struct ct_links *links, size_t index)
{
    const struct ct_simulate_paths *paths = links->setup.paths;
    links->other_pairs = true;
    links->active_at[index] = links->n_pairs;
    links->pairs[links->n_pairs++] =
        (struct pair){.from = (uint32_t)(index / paths->n_nodes),
                      .to = (uint32_t)(index % paths->n_nodes),
                      .n_hops = paths->first_hop[index + 1] - paths->first_hop[index],
                      .hops = &paths->hops[paths->first_hop[index]],
                      .held_by = none};
}

static void end_pair(struct ct_links *links, uint32_t at)
{
    links->other_pairs = true;
    struct pair *last = &links->pairs[--links->n_pairs];
    links->active_at[pair_index(links, links->pairs[at].from, links->pairs[at].to)] = none;
    if (at < links->n_pairs) {
        links->pairs[at] = *last;
        links->active_at[pair_index(links, last->from, last->to)] = at;
    }
}

/* The head of a lane has a rate from now on. */
static void open_lane(struct ct_links *links, uint32_t lane)
{
    size_t index = lane / links->setup.n_jobs;
    if (links->active_at[index] == none)
        begin_pair(links, index);
    links->pairs[links->active_at[index]].n_busy++;
    links->other_pairs |= ct_links_are_fifo(links);
    links->is_stale = true;
}

static bool keep_waiting(struct ct_links *links, uint32_t lane)
{
    if (!CT_ARRAY_RESERVE(links->waiting, links->room_waiting, links->n_waiting + 1))
        return false;
    links->waiting[links->n_waiting++] = lane;
    links->is_stale = true;
    return true;
}

enum ct_status ct_links_send(struct ct_links *links, double now_ns,
                             const struct ct_links_message *message, struct ct_error *err)
{
    uint32_t at;
    uint32_t number =
        (uint32_t)(pair_index(links, message->from, message->to)) * links->setup.n_jobs +
        message->job;
    struct lane *lane = &links->lanes[number];
    if (!take_entry(links, &at))
        return no_memory(err);
    refresh(links);
    move_on(links, now_ns);
    links->n_sent++;
    links->entries[at] = (struct entry){message->bytes, message->number, none};
    if (lane->head != none) {
        links->entries[lane->tail].next = at;
        lane->tail = at;
        lane->behind_bytes += message->bytes;
        return CT_OK;
    }
    double opens_ns = links->now_ns + wait_ns(links, message);
    *lane = (struct lane){at, at, message->bytes, 0, opens_ns};
    if (opens_ns <= links->now_ns) {
        take_tokens(links, number);
        open_lane(links, number);
    } else if (!keep_waiting(links, number)) {
        return no_memory(err);
    }
    return CT_OK;
}

void ct_links_passed(struct ct_links *links, double until_ns, double *bytes)
{
    refresh(links);
    ct_links_count_passed(links, until_ns);
    for (uint32_t i = 0; i < links->setup.paths->n_links; i++)
        bytes[i] = links->links[i].passed_bytes;
}

uint32_t ct_links_n_busy(const struct ct_links *links)
{
    return links->n_pairs;
}

double ct_links_next_ns(struct ct_links *links)
{
    refresh(links);
    return links->next_ns;
}

/* The head of a lane is through. */
static uint32_t end_head(struct ct_links *links, uint32_t number)
{
    struct lane *lane = &links->lanes[number];
    uint32_t done = lane->head;
    lane->head = links->entries[done].next;
    links->entries[done].next = links->free_entry;
    links->free_entry = done;
    if (lane->head != none) {
        lane->left_bytes = links->entries[lane->head].bytes;
        lane->behind_bytes -= lane->left_bytes;
        take_tokens(links, number);
    } else {
        uint32_t at = links->active_at[number / links->setup.n_jobs];
        links->other_pairs |= ct_links_are_fifo(links);
        if (--links->pairs[at].n_busy == 0)
            end_pair(links, at);
    }
    links->is_stale = true;
    return links->entries[done].number;
}

bool ct_links_step(struct ct_links *links, uint32_t *number_p)
{
    refresh(links);
    move_on(links, links->next_ns);
    if (links->next_waiting == none) {
        *number_p = end_head(links, links->next_lane);
        return true;
    }
    uint32_t lane = links->waiting[links->next_waiting];
    links->waiting[links->next_waiting] = links->waiting[--links->n_waiting];
    open_lane(links, lane);
    return false;
}
