#include "simulate/links.h"

#include "core/array.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

static const uint32_t none = UINT32_MAX;

const char *const ct_links_order_names[] = {"round-robin", "fifo", NULL};

/* fmin() and fmax() are calls, for the sake of NaN, which is not here. */
static inline double lesser(double a, double b)
{
    return a < b ? a : b;
}

static inline double greater(double a, double b)
{
    return a > b ? a : b;
}

/* A message in the queue of a lane, or a free entry. */
struct entry {
    double bytes;
    uint32_t number, next;
};

/* Messages of a job from one node to another, in order. */
struct lane {
    uint32_t head, tail; /* entries */
    double left_bytes;   /* of the head */
    double behind_bytes; /* of the messages that follow it */
    double opens_ns;     /* what was ahead of the head is through; before, the lane has no rate */
};

/* A pair of nodes with something to send. */
struct pair {
    uint32_t from, to;
    uint32_t n_busy; /* lanes */
    double rate;     /* bytes a ns, of all lanes together */
    bool is_fixed;
};

/* A link, out of a node or into it. */
struct link {
    uint32_t n_shares; /* that have no rate yet: pairs, or their jobs */
    double left;       /* bytes a ns */
    double part;       /* of it for each of them; INFINITY: there is none */
    double tokens;     /* bytes that may pass at once */
};

struct ct_links {
    struct ct_links_setup setup;
    double now_ns;
    struct lane *lanes;  /* [(from * n_nodes + to) * n_jobs + job] */
    uint32_t *active_at; /* [from * n_nodes + to]: index in pairs; none */
    struct pair *pairs;  /* n_pairs */
    struct link *links;  /* [2 * n_nodes]: out of the nodes, then into them */
    struct entry *entries;
    uint32_t *waiting; /* lanes that open later: n_waiting, room_waiting */
    uint32_t n_waiting, room_waiting;
    uint32_t n_pairs, room_entries, free_entry;
    bool other_pairs; /* than the rates are for */
    bool is_stale;    /* next_ns is */
    double next_ns;
    uint32_t next_lane;    /* whose head is through */
    uint32_t next_waiting; /* or, unless it is none, index in waiting of the one that opens */
};

static enum ct_status no_memory(struct ct_error *err)
{
    return ct_fail(err, CT_ENOMEM, "links: out of memory");
}

static enum ct_status check(const struct ct_links_setup *setup, struct ct_error *err)
{
    if (setup->n_nodes < 1 || setup->n_nodes > CT_LINKS_NODES_MAX)
        return ct_fail(err, CT_EINVAL, "links: %u nodes; 1 to %d", setup->n_nodes,
                       CT_LINKS_NODES_MAX);
    if (setup->n_jobs < 1 || setup->n_jobs > CT_LINKS_JOBS_MAX)
        return ct_fail(err, CT_EINVAL, "links: %u jobs; 1 to %d", setup->n_jobs, CT_LINKS_JOBS_MAX);
    const struct ct_links_queues *queues = &setup->queues;
    if (!(setup->ns_per_byte > 0) || !isfinite(setup->ns_per_byte) ||
        !(queues->packet_bytes >= 0) || !(queues->ahead_bytes >= 0) || !(queues->burst_bytes >= 0))
        return ct_fail(err, CT_EINVAL,
                       "links: %g ns a byte, which must be above 0 and finite; %g and %g bytes "
                       "ahead and %g at once, which must not be below 0",
                       setup->ns_per_byte, queues->packet_bytes, queues->ahead_bytes,
                       queues->burst_bytes);
    return CT_OK;
}

enum ct_status ct_links_new(const struct ct_links_setup *setup, struct ct_links **links_p,
                            struct ct_error *err)
{
    enum ct_status status = check(setup, err);
    if (status != CT_OK)
        return status;
    size_t n = (size_t)setup->n_nodes * setup->n_nodes;
    struct ct_links *links = calloc(1, sizeof *links);
    if (links) {
        *links = (struct ct_links){.setup = *setup,
                                   .lanes = malloc(n * setup->n_jobs * sizeof *links->lanes),
                                   .active_at = malloc(n * sizeof *links->active_at),
                                   .pairs = malloc(n * sizeof *links->pairs),
                                   .links = malloc(2 * setup->n_nodes * sizeof *links->links),
                                   .free_entry = none,
                                   .next_ns = INFINITY};
    }
    if (!links || !links->lanes || !links->active_at || !links->pairs || !links->links) {
        ct_links_free(links);
        return no_memory(err);
    }
    for (size_t i = 0; i < n; i++)
        links->active_at[i] = none;
    for (size_t i = 0; i < n * setup->n_jobs; i++)
        links->lanes[i] = (struct lane){none, none, 0, 0, 0};
    for (uint32_t i = 0; i < 2 * setup->n_nodes; i++)
        links->links[i] =
            (struct link){.left = 1 / setup->ns_per_byte, .tokens = setup->queues.burst_bytes};
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
    free(links->entries);
    free(links->waiting);
    free(links);
}

/* ---- rates ---- */

static struct link *link_out(struct ct_links *links, uint32_t node)
{
    return &links->links[node];
}

static struct link *link_in(struct ct_links *links, uint32_t node)
{
    return &links->links[links->setup.n_nodes + node];
}

static void share(struct link *link)
{
    link->part = link->n_shares > 0 ? link->left / link->n_shares : INFINITY;
}

static bool is_fifo(const struct ct_links *links)
{
    return links->setup.queues.order == CT_LINKS_FIFO;
}

/* Parts of a link that a pair has. */
static uint32_t shares_of(const struct ct_links *links, const struct pair *pair)
{
    return is_fifo(links) ? pair->n_busy : 1;
}

static void count_pairs(struct ct_links *links)
{
    for (uint32_t i = 0; i < 2 * links->setup.n_nodes; i++) {
        links->links[i].n_shares = 0;
        links->links[i].left = 1 / links->setup.ns_per_byte;
    }
    for (uint32_t i = 0; i < links->n_pairs; i++) {
        struct pair *pair = &links->pairs[i];
        pair->is_fixed = false;
        link_out(links, pair->from)->n_shares += shares_of(links, pair);
        link_in(links, pair->to)->n_shares += shares_of(links, pair);
    }
    for (uint32_t i = 0; i < 2 * links->setup.n_nodes; i++)
        share(&links->links[i]);
}

static void take_part(struct link *link, double rate, uint32_t n_shares)
{
    link->n_shares -= n_shares;
    link->left = greater(0, link->left - rate);
    share(link);
}

/* The least part that a link can give to each that has a part is theirs; the others share the
 * rest. */
static void fill_links(struct ct_links *links)
{
    static const double same = 1 + 1e-9;
    count_pairs(links);
    for (uint32_t n_fixed = 0; n_fixed < links->n_pairs;) {
        double least = INFINITY;
        for (uint32_t i = 0; i < 2 * links->setup.n_nodes; i++)
            least = lesser(least, links->links[i].part);
        for (uint32_t i = 0; i < links->n_pairs; i++) {
            struct pair *pair = &links->pairs[i];
            struct link *out = link_out(links, pair->from), *in = link_in(links, pair->to);
            if (pair->is_fixed || lesser(out->part, in->part) > least * same)
                continue;
            pair->is_fixed = true;
            pair->rate = least * shares_of(links, pair);
            take_part(out, pair->rate, shares_of(links, pair));
            take_part(in, pair->rate, shares_of(links, pair));
            n_fixed++;
        }
    }
}

static size_t pair_index(const struct ct_links *links, uint32_t from, uint32_t to)
{
    return (size_t)from * links->setup.n_nodes + to;
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
        fill_links(links);
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
                    greater(0, lanes[job].left_bytes - passed_ns * lane_rate(pair));
    }
    for (uint32_t i = 0; i < 2 * links->setup.n_nodes; i++)
        links->links[i].tokens = lesser(links->setup.queues.burst_bytes,
                                        links->links[i].tokens + passed_ns * links->links[i].left);
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

/* What is ahead of a message on a link, or between its nodes, and of how many others it is. */
struct ahead {
    double bytes;
    uint32_t n_others;
};

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
            most = greater(most, lesser(limit, lanes[job].left_bytes));
    return most;
}

/* Of each lane of a pair what is in queues already; the own one of the message is empty. */
static void add_lanes(const struct ct_links *links, const struct lane *lanes, struct ahead *ahead)
{
    for (uint32_t job = 0; job < links->setup.n_jobs; job++)
        if (is_open(links, &lanes[job]))
            add_ahead(ahead, lesser(links->setup.queues.ahead_bytes,
                                    lanes[job].left_bytes + lanes[job].behind_bytes));
}

/* A message that shares with n others has (1 + n) times its bytes to wait for anyway. */
static double beyond(const struct ahead *ahead, double bytes)
{
    return greater(0, ahead->bytes - ahead->n_others * bytes);
}

/* What another pair has ahead of a message on a link that both use. */
static void add_pair(const struct ct_links *links, const struct lane *lanes, struct ahead *ahead)
{
    if (is_fifo(links))
        add_lanes(links, lanes, ahead);
    else
        add_ahead(ahead, most_of(links, lanes, links->setup.queues.packet_bytes));
}

/* How long a message waits for what is ahead of it, beyond what sharing costs it. */
static double wait_ns(const struct ct_links *links, const struct ct_links_message *message)
{
    const struct ct_links_queues *queues = &links->setup.queues;
    struct ahead out = {0, 0}, in = {0, 0}, between = {0, 0};
    double pair_ns_per_byte = 0;
    if (message->bytes >= greater(queues->packet_bytes, queues->ahead_bytes))
        return 0;
    for (uint32_t i = 0; i < links->n_pairs; i++) {
        const struct pair *pair = &links->pairs[i];
        const struct lane *lanes = lanes_of(links, pair);
        bool same_out = pair->from == message->from, same_in = pair->to == message->to;
        if (same_out && same_in) {
            pair_ns_per_byte = 1 / pair->rate;
            add_lanes(links, lanes, &between);
        } else if (same_out || same_in) {
            add_pair(links, lanes, same_out ? &out : &in);
        }
    }
    double on_links = greater(beyond(&out, message->bytes), beyond(&in, message->bytes));
    return greater(on_links * links->setup.ns_per_byte,
                   beyond(&between, message->bytes) * pair_ns_per_byte);
}

/* The head of a lane begins: what tokens of both links cover is through. */
static void take_tokens(struct ct_links *links, uint32_t lane)
{
    size_t index = lane / links->setup.n_jobs;
    struct link *out = link_out(links, (uint32_t)(index / links->setup.n_nodes));
    struct link *in = link_in(links, (uint32_t)(index % links->setup.n_nodes));
    double bytes = lesser(links->lanes[lane].left_bytes, lesser(out->tokens, in->tokens));
    out->tokens -= bytes;
    in->tokens -= bytes;
    links->lanes[lane].left_bytes -= bytes;
}

static void begin_pair(struct ct_links *links, uint32_t from, uint32_t to)
{
    links->other_pairs = true;
    links->active_at[pair_index(links, from, to)] = links->n_pairs;
    links->pairs[links->n_pairs++] = (struct pair){.from = from, .to = to};
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
        begin_pair(links, (uint32_t)(index / links->setup.n_nodes),
                   (uint32_t)(index % links->setup.n_nodes));
    links->pairs[links->active_at[index]].n_busy++;
    links->other_pairs |= is_fifo(links);
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
        links->other_pairs |= is_fifo(links);
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
