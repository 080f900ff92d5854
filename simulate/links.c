#include "simulate/links.h"

#include "core/array.h"
#include "simulate/constants.h"
#include "simulate/links_state.h"
#include "simulate/routes.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

static const uint32_t none = CT_LINKS_NONE;
static const double ns_per_s = 1e9;

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
    const struct ct_links_frames *frames = &setup->frames;
    if (!(frames->payload_bytes >= 0) || !(frames->header_bytes >= 0) ||
        !(frames->message_header_bytes >= 0))
        return ct_fail(
            err, CT_EINVAL,
            "links: headers of %g and %g bytes, packets of %g, which must not be below 0",
            frames->header_bytes, frames->message_header_bytes, frames->payload_bytes);
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
    return links->links && links->examined && links->due;
}

static bool make_inputs(struct ct_links *links)
{
    const struct ct_links_frames *frames = &links->setup.frames;
    double payload_bytes = frames->payload_bytes;
    bool has_frames = payload_bytes > 0;
    links->has_inputs = links->setup.queues.burst_bytes > 0 && !ct_links_are_fifo(links);
    links->frame_frac = has_frames ? payload_bytes / (payload_bytes + frames->header_bytes) : 1;
    links->packet_bytes = has_frames ? payload_bytes : links->setup.queues.packet_bytes;
    if (!(links->packet_bytes > 0))
        links->packet_bytes = links->setup.queues.burst_bytes;
    links->together_ns = ct_simulate_constant(CT_SIMULATE_TOGETHER) * ns_per_s;
    links->tokens =
        (struct ct_tokens){.burst_bytes = links->setup.queues.burst_bytes * links->frame_frac,
                           .n_shares = ct_links_n_nodes(links) + 1.0};
    return !links->has_inputs ||
           CT_ARRAY_RESERVE(links->paid.heap, links->paid.room, links->n_links + (size_t)1);
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
    if (!links || !make_links(links) || !make_inputs(links)) {
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
    free(links->sent_ns);
    free(links->waiting.heap);
    free(links->paid.heap);
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
        if ((links->has_inputs && !CT_ARRAY_RESIZE(links->sent_ns, room)) ||
            !CT_ARRAY_RESIZE(links->entries, room))
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

/* With headers, in bytes of long messages. */
static double bytes_on_links(const struct ct_links *links, double bytes)
{
    const struct ct_links_frames *frames = &links->setup.frames;
    if (!(frames->payload_bytes > 0))
        return bytes;
    bytes += frames->message_header_bytes;
    return (bytes + frames->header_bytes * ceil(bytes / frames->payload_bytes)) * links->frame_frac;
}

/* ---- tokens ---- */

/* The head of a lane begins: bytes for which all of its links have tokens pass at once. */
static void take_tokens(struct ct_links *links, const struct pair *pair, struct lane *lane)
{
    double most = lane->left_bytes;
    for (uint32_t h = pair->first_hop; h < pair->first_hop + pair->n_hops; h++) {
        ct_links_count(links, ct_links_link(links, h));
        most = ct_lesser(most, ct_links_link(links, h)->tokens);
    }
    for (uint32_t h = pair->first_hop; h < pair->first_hop + pair->n_hops; h++) {
        ct_links_link(links, h)->tokens -= most;
        ct_links_link(links, h)->passed_bytes += most;
    }
    lane->left_bytes -= most;
}

/* Until a time, with the rates of those that send now. */
static void move_on(struct ct_links *links, double to_ns)
{
    if (!(to_ns > links->now_ns))
        return;
    ct_links_solve(links);
    links->now_ns = to_ns;
}

static void open_lane(struct ct_links *links, struct pair *pair, struct lane *lane)
{
    ct_links_open_lane(links, pair, lane);
    if (links->has_inputs)
        ct_links_charge(links, pair, 0);
}

static bool wait_until(struct ct_links *links, const struct lane *lane, double at_ns)
{
    return ct_events_add(&links->waiting, at_ns, (uint32_t)(lane - links->lanes));
}

/* A message that no other one of its lane is before. If inputs have buckets, one that waits has
 * passed before that what passes at once; that may be all of it. */
static bool begin(struct ct_links *links, struct pair *pair, struct lane *lane)
{
    if (links->has_inputs && ct_links_pass_at_once(links, pair, lane))
        return wait_until(links, lane, links->now_ns);
    double opens_ns = links->now_ns + ct_links_wait_ns(links, pair, lane->left_bytes);
    if (opens_ns > links->now_ns)
        return wait_until(links, lane, opens_ns);
    if (!links->has_inputs && links->setup.queues.burst_bytes > 0)
        take_tokens(links, pair, lane);
    open_lane(links, pair, lane);
    return true;
}

/* Bytes of a lane that are not through. */
static double bytes_of(const struct ct_links *links, const struct pair *pair, uint32_t job)
{
    const struct lane *lane = ct_links_lanes(links, pair) + job;
    bool is_open = ct_links_is_open(pair, job);
    return (is_open ? ct_links_left_bytes(links, pair, lane) : lane->left_bytes) +
           lane->behind_bytes;
}

/* Whether a head is in the queue behind heads of other lanes that were sent before: not if there is
 * more of these than the queue holds of a job when it comes. */
static bool is_behind(struct ct_links *links, const struct pair *pair, const struct lane *lane)
{
    const struct lane *lanes = ct_links_lanes(links, pair);
    double before_ns = links->sent_ns[lane->head] - links->together_ns;
    bool is_queued = pair->queued & ct_links_bit(links, pair, lane);
    for (uint32_t job = 0; job < links->setup.n_jobs; job++)
        if (lanes[job].head != none && links->sent_ns[lanes[job].head] < before_ns &&
            (is_queued || ct_links_hold_ahead(links, bytes_of(links, pair, job))))
            return true;
    return false;
}

/* The next head that begins; NULL: all have begun, or are behind others. */
static struct lane *find_next(struct ct_links *links, struct pair *pair)
{
    struct lane *lanes = ct_links_lanes(links, pair), *first = NULL;
    for (uint32_t job = 0; job < links->setup.n_jobs; job++) {
        if (lanes[job].head == none || (pair->begun >> job & 1) != 0)
            continue;
        if (is_behind(links, pair, &lanes[job]))
            pair->queued |= ct_links_bit(links, pair, &lanes[job]);
        else if (!first || links->sent_ns[lanes[job].head] < links->sent_ns[first->head])
            first = &lanes[job];
    }
    return first;
}

/* Where inputs have buckets, the lanes of a pair are one queue. */
static bool begin_next(struct ct_links *links, struct pair *pair)
{
    bool done = true;
    for (struct lane *lane; done && (lane = find_next(links, pair));) {
        pair->begun |= ct_links_bit(links, pair, lane);
        pair->queued &= (uint16_t)~ct_links_bit(links, pair, lane);
        done = begin(links, pair, lane);
    }
    return done;
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
    if (links->has_inputs)
        links->sent_ns[at] = now_ns;
    struct pair *pair = &links->pairs[number];
    struct lane *lane = ct_links_lanes(links, pair) + message->job;
    double bytes = bytes_on_links(links, message->bytes);
    links->n_sent++;
    links->entries[at] = (struct entry){bytes, message->number, none};
    if (lane->head != none) {
        links->entries[lane->tail].next = at;
        lane->tail = at;
        lane->behind_bytes += bytes;
        return CT_OK;
    }
    *lane = (struct lane){.head = at, .tail = at, .left_bytes = bytes};
    bool done = links->has_inputs ? begin_next(links, pair) : begin(links, pair, lane);
    return done ? CT_OK : no_memory(err);
}

/* ---- time ---- */

static double waiting_ns(const struct ct_links *links)
{
    return ct_lesser(ct_events_next_ns(&links->waiting), ct_events_next_ns(&links->paid));
}

/* Equal messages end at one time, but for the rounding of their rates; each end by itself would
 * need rates of its own for the others. */
static double through_ns(const struct ct_links *links)
{
    double at_ns = links->n_active > 0 ? links->ends[0].at_ns : INFINITY;
    return at_ns - links->now_ns <= CT_LINKS_SAME_TIME * links->now_ns ? links->now_ns : at_ns;
}

/* What is through now is so at any rate, but where inputs have buckets: what waited until now comes
 * first then. Rates are found when time goes on. */
double ct_links_next_ns(struct ct_links *links)
{
    double waiting = waiting_ns(links),
           next_ns = links->has_inputs ? waiting : ct_lesser(through_ns(links), waiting);
    if (links->n_examined > 0 && next_ns > links->now_ns)
        ct_links_solve(links);
    return ct_lesser(through_ns(links), waiting);
}

double ct_links_next_before(struct ct_links *links, double until_ns)
{
    double next_ns = until_ns > links->now_ns ? ct_links_next_ns(links) : INFINITY;
    return next_ns < until_ns ? next_ns : INFINITY;
}

double ct_links_ahead_least(const struct ct_links *links)
{
    return links->ahead_least;
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

/* The first lane that is through. */
static struct lane *find_through(struct ct_links *links, const struct pair *pair)
{
    struct lane *lanes = ct_links_lanes(links, pair), *least = NULL;
    for (uint32_t job = 0; job < links->setup.n_jobs; job++)
        if (ct_links_is_open(pair, job) && (!least || lanes[job].left_bytes < least->left_bytes))
            least = &lanes[job];
    return least;
}

/* The head of a lane leaves it. @return its number */
static uint32_t take_head(struct ct_links *links, struct lane *lane)
{
    uint32_t done = lane->head;
    lane->head = links->entries[done].next;
    links->entries[done].next = links->free_entry;
    links->free_entry = done;
    if (lane->head != none) {
        lane->left_bytes = links->entries[lane->head].bytes;
        lane->behind_bytes -= lane->left_bytes;
    }
    return links->entries[done].number;
}

/* The next message of a lane, or the lane ends. */
static uint32_t end_head(struct ct_links *links, struct pair *pair, struct lane *lane)
{
    uint32_t number = take_head(links, lane);
    if (lane->head == none) {
        ct_links_close_lane(links, pair, lane);
        return number;
    }
    if (links->setup.queues.burst_bytes > 0)
        take_tokens(links, pair, lane);
    ct_links_set_end(links, pair);
    return number;
}

/* Where inputs have buckets, each message begins anew. There is room for its event. */
static uint32_t end_queued(struct ct_links *links, struct pair *pair, struct lane *lane)
{
    double bytes = links->entries[lane->head].bytes, left_bytes = lane->left_bytes;
    uint16_t bit = ct_links_bit(links, pair, lane);
    uint32_t number = take_head(links, lane);
    pair->begun &= (uint16_t)~bit;
    if (pair->late & bit) {
        pair->late &= (uint16_t)~bit;
        ct_links_close_lane(links, pair, lane);
        ct_links_end_inputs(links, pair, bytes, left_bytes);
    } else {
        ct_links_rest(links, pair);
    }
    begin_next(links, pair);
    return number;
}

/* The next packet of a pair passes, or what is through ends. @return whether a message ends */
static bool step_queued(struct ct_links *links, struct pair *pair, uint32_t *number_p)
{
    struct lane *lane = find_through(links, pair);
    if (ct_links_assured_ns(links, pair) < ct_links_through_ns(links, pair))
        lane = ct_links_pass_assured(links, pair);
    if (lane)
        *number_p = end_queued(links, pair, lane);
    return lane != NULL;
}

/* Whether what is next is not an event. */
static bool is_through(const struct ct_links *links)
{
    double at_ns = through_ns(links), event_ns = waiting_ns(links);
    return links->has_inputs ? at_ns < event_ns : at_ns <= event_ns;
}

bool ct_links_step(struct ct_links *links, uint32_t *number_p)
{
    move_on(links, ct_links_next_ns(links));
    if (is_through(links)) {
        struct pair *pair = &links->pairs[links->ends[0].pair];
        ct_links_settle(links, pair);
        if (links->has_inputs)
            return step_queued(links, pair, number_p);
        *number_p = end_head(links, pair, find_through(links, pair));
        return true;
    }
    if (ct_events_next_ns(&links->paid) < ct_events_next_ns(&links->waiting)) {
        ct_links_step_paid(links);
        return false;
    }
    struct lane *lane = &links->lanes[ct_events_take(&links->waiting).what];
    struct pair *pair = &links->pairs[(size_t)(lane - links->lanes) / links->setup.n_jobs];
    bool has_passed = links->has_inputs && !(pair->late & ct_links_bit(links, pair, lane));
    if (has_passed)
        *number_p = end_queued(links, pair, lane);
    else
        open_lane(links, pair, lane);
    return has_passed;
}
