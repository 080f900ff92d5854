#include "trace/timeline/messages.h"

#include "core/array.h"
#include "core/order.h"
#include "trace/convert/communicators.h"

#include <stdlib.h>
#include <string.h>

enum { SEND, RECEIVE, N_SIDES };

struct channel {
    uint32_t seen[N_SIDES]; /* by the pass `seen_by` */
    uint32_t seen_by[N_SIDES];
    uint32_t pairs;
    bool uncertain[N_SIDES]; /* some ends are in the list of these */
    uint64_t first;          /* number of its first message */
};

/* An end that may be without counterpart: a send that was cancelled, a receive that nobody saw
 * complete. */
struct uncertain {
    uint32_t channel, ordinal;
    bool may_go;  /* where the other side has fewer ends */
    bool dropped; /* it did */
};

/* The ends of one side, by channel and ordinal. */
struct uncertain_list {
    struct uncertain *ends;
    size_t n, room;
};

/* A receive of the rank, in the order in which they were posted. */
enum slot_state { POSTED, COMPLETE, PROBED, VOID };
struct slot {
    uint32_t channel; /* + 1; 0: not known, a wildcard that nothing completed */
    uint32_t ordinal; /* of the channel; VOID: the slot of the probe that stands for it */
    uint8_t state;
};

struct open_request {
    uint32_t comm;    /* of a receive */
    uint32_t channel; /* of a send */
    uint32_t at;      /* slot of a receive, ordinal of a send */
    bool sends, cancelled;
};

struct probed {
    uint32_t channel, slot;
};

/* The rank whose events are read. */
struct reading {
    uint32_t rank;
    enum ct_messages_pass pass;
    struct ct_map comm_numbers; /* number -> communicator + 1 */
    struct slot *slots;
    size_t n_slots, room_slots;
    size_t next_slot;       /* of CT_MESSAGES_NUMBER */
    struct ct_map requests; /* number -> index in open + 1 */
    struct open_request *open;
    size_t n_open, room_open;
    uint32_t *unused; /* of open */
    size_t n_unused, room_unused;
    struct probed *probed;
    size_t n_probed, room_probed;
    uint64_t *received;
    size_t n_received, room_received;
};

struct ct_messages {
    struct ct_comms comms;
    struct ct_map pairs;  /* source and destination -> number */
    struct ct_map by_key; /* number and tag -> channel + 1 */
    uint32_t n_pairs;
    struct channel *channels;
    size_t n_channels, room_channels;
    struct uncertain_list uncertain[N_SIDES];
    uint64_t total;
    uint32_t n_passes;
    struct reading now;
};

enum ct_status ct_messages_new(const struct ct_events *events, struct ct_messages **messages_p,
                               struct ct_error *err)
{
    struct ct_messages *messages = calloc(1, sizeof *messages);
    if (!messages)
        return ct_no_memory(err, "messages");
    messages->comms =
        (struct ct_comms){.n_ranks = events->n_ranks, .position_unit = events->position_unit};
    *messages_p = messages;
    return CT_OK;
}

void ct_messages_free(struct ct_messages *messages)
{
    if (!messages)
        return;
    ct_comms_free(&messages->comms);
    ct_map_free(&messages->pairs);
    ct_map_free(&messages->by_key);
    ct_map_free(&messages->now.comm_numbers);
    ct_map_free(&messages->now.requests);
    for (int side = 0; side < N_SIDES; side++)
        free(messages->uncertain[side].ends);
    free(messages->channels);
    free(messages->now.slots);
    free(messages->now.open);
    free(messages->now.unused);
    free(messages->now.probed);
    free(messages->now.received);
    free(messages);
}

uint64_t ct_messages_total(const struct ct_messages *messages)
{
    return messages->total;
}

/* ---- channels ---- */

static enum ct_status find_comm(const struct ct_messages *of, uint32_t number, uint32_t *comm_p,
                                struct ct_error *err)
{
    uint32_t found = ct_map_find(&of->now.comm_numbers, number);
    if (found == 0)
        return ct_fail(err, CT_EFORMAT, "communicator %u is not in the trace", number);
    *comm_p = found - 1;
    return CT_OK;
}

static enum ct_status new_channel(struct ct_messages *of, uint64_t key, uint32_t *channel_p,
                                  struct ct_error *err)
{
    if (of->n_channels >= UINT32_MAX - 1)
        return ct_fail(err, CT_EUNSUPPORTED, "more than 2^32 pairs of ranks and tags");
    if (!CT_ARRAY_RESERVE(of->channels, of->room_channels, of->n_channels + 1))
        return ct_no_memory(err, "messages");
    of->channels[of->n_channels++] = (struct channel){0};
    *channel_p = (uint32_t)of->n_channels - 1;
    return ct_map_add(&of->by_key, key, *channel_p + 1) ? CT_OK : ct_no_memory(err, "messages");
}

/* The channel between this rank and `message`, which it sends or receives. */
static enum ct_status find_channel(struct ct_messages *of, int side, uint32_t comm,
                                   const struct ct_trace_message *message, uint32_t *channel_p,
                                   struct ct_error *err)
{
    int32_t tag = 0;
    if (message->rank < 0 || (uint32_t)message->rank >= of->comms.n_ranks)
        return ct_fail(err, CT_EFORMAT, "a message with rank %d; there are ranks 0 to %u",
                       message->rank, of->comms.n_ranks - 1);
    if (message->tag < 0)
        return ct_fail(err, CT_EFORMAT, "a message with tag %d", message->tag);
    CT_TRY(ct_comms_tag(&of->comms, CT_TAG_MESSAGE, comm, (uint32_t)message->tag, &tag, err));
    uint64_t peer = (uint32_t)message->rank;
    uint64_t key = side == SEND ? (uint64_t)of->now.rank << 32 | peer : peer << 32 | of->now.rank;
    uint32_t pair = ct_map_find(&of->pairs, key);
    if (pair == 0) {
        pair = ++of->n_pairs;
        if (!ct_map_add(&of->pairs, key, pair))
            return ct_no_memory(err, "messages");
    }
    key = (uint64_t)pair << 32 | (uint32_t)tag;
    uint32_t found = ct_map_find(&of->by_key, key);
    if (found == 0)
        return new_channel(of, key, channel_p, err);
    *channel_p = found - 1;
    return CT_OK;
}

/* How many ends of a channel this pass had before. */
static uint32_t next_ordinal(struct ct_messages *of, int side, uint32_t channel)
{
    struct channel *at = &of->channels[channel];
    if (at->seen_by[side] != of->n_passes) {
        at->seen_by[side] = of->n_passes;
        at->seen[side] = 0;
    }
    return at->seen[side]++;
}

/* ---- numbers ---- */

static enum ct_status add_uncertain(struct ct_messages *of, int side, struct uncertain end,
                                    struct ct_error *err)
{
    struct uncertain_list *list = &of->uncertain[side];
    if (of->now.pass != CT_MESSAGES_COUNT)
        return CT_OK;
    if (!CT_ARRAY_RESERVE(list->ends, list->room, list->n + 1))
        return ct_no_memory(err, "messages");
    list->ends[list->n++] = end;
    of->channels[end.channel].uncertain[side] = true;
    return CT_OK;
}

CT_ORDER(by_channel_and_ordinal, struct uncertain, channel, ordinal)

/* Index of the first of a list that is not before the end. */
static size_t search_list(const struct uncertain_list *list, struct uncertain end)
{
    size_t low = 0, high = list->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (by_channel_and_ordinal(&list->ends[middle], &end) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Drop up to `excess` ends of a channel, the last first. @return how many */
static uint32_t drop_ends(struct uncertain_list *list, uint32_t channel, uint32_t excess)
{
    uint32_t dropped = 0;
    size_t first = search_list(list, (struct uncertain){.channel = channel});
    for (size_t i =
             search_list(list, (struct uncertain){.channel = channel, .ordinal = UINT32_MAX});
         i-- > first && dropped < excess;) {
        list->ends[i].dropped = list->ends[i].may_go;
        dropped += list->ends[i].dropped;
    }
    return dropped;
}

void ct_messages_pair(struct ct_messages *of)
{
    for (int side = 0; side < N_SIDES; side++)
        if (of->uncertain[side].n > 1)
            qsort(of->uncertain[side].ends, of->uncertain[side].n, sizeof(struct uncertain),
                  by_channel_and_ordinal);
    of->total = 0;
    for (size_t c = 0; c < of->n_channels; c++) {
        struct channel *channel = &of->channels[c];
        uint32_t sends = channel->seen[SEND], receives = channel->seen[RECEIVE];
        if (sends > receives && channel->uncertain[SEND])
            sends -= drop_ends(&of->uncertain[SEND], (uint32_t)c, sends - receives);
        else if (receives > sends && channel->uncertain[RECEIVE])
            receives -= drop_ends(&of->uncertain[RECEIVE], (uint32_t)c, receives - sends);
        channel->pairs = sends < receives ? sends : receives;
        channel->first = of->total + 1;
        of->total += channel->pairs;
    }
}

/* Place of an end among those of its side that are not dropped; false: it is. */
static bool place_end(const struct ct_messages *of, int side, uint32_t channel, uint32_t ordinal,
                      uint32_t *place_p)
{
    const struct uncertain_list *list = &of->uncertain[side];
    *place_p = ordinal;
    if (!of->channels[channel].uncertain[side])
        return true;
    for (size_t i = search_list(list, (struct uncertain){.channel = channel});
         i < list->n && list->ends[i].channel == channel && list->ends[i].ordinal <= ordinal; i++) {
        if (list->ends[i].dropped && list->ends[i].ordinal == ordinal)
            return false;
        *place_p -= list->ends[i].dropped;
    }
    return true;
}

/* Whether the receive at a place is one that nobody saw complete. */
static bool is_hole(const struct ct_messages *of, uint32_t channel, uint32_t wanted)
{
    const struct uncertain_list *list = &of->uncertain[RECEIVE];
    uint32_t dropped = 0;
    if (!of->channels[channel].uncertain[RECEIVE])
        return false;
    for (size_t i = search_list(list, (struct uncertain){.channel = channel});
         i < list->n && list->ends[i].channel == channel; i++) {
        if (!list->ends[i].dropped && list->ends[i].ordinal - dropped == wanted)
            return true;
        dropped += list->ends[i].dropped;
    }
    return false;
}

/* The message of an end; 0: it is none that is sent and received. */
static uint64_t number_of(const struct ct_messages *of, int side, uint32_t channel,
                          uint32_t ordinal)
{
    uint32_t at;
    if (!place_end(of, side, channel, ordinal, &at) || at >= of->channels[channel].pairs ||
        is_hole(of, channel, at))
        return 0;
    return of->channels[channel].first + at;
}

/* ---- requests ---- */

static struct open_request *find_request(struct ct_messages *of, uint32_t request)
{
    uint32_t found = ct_map_find(&of->now.requests, request);
    return found ? &of->now.open[found - 1] : NULL;
}

static enum ct_status remove_request(struct ct_messages *of, uint32_t request, struct ct_error *err)
{
    uint32_t found = ct_map_find(&of->now.requests, request);
    if (found == 0)
        return CT_OK;
    if (!CT_ARRAY_RESERVE(of->now.unused, of->now.room_unused, of->now.n_unused + 1))
        return ct_no_memory(err, "messages");
    of->now.unused[of->now.n_unused++] = found - 1;
    ct_map_remove(&of->now.requests, request, found);
    return CT_OK;
}

static enum ct_status add_request(struct ct_messages *of, uint32_t request,
                                  struct open_request opened, struct ct_error *err)
{
    CT_TRY(remove_request(of, request, err));
    uint32_t index =
        of->now.n_unused > 0 ? of->now.unused[--of->now.n_unused] : (uint32_t)of->now.n_open;
    if (index == of->now.n_open) {
        if (!CT_ARRAY_RESERVE(of->now.open, of->now.room_open, of->now.n_open + 1))
            return ct_no_memory(err, "messages");
        of->now.n_open++;
    }
    of->now.open[index] = opened;
    return ct_map_add(&of->now.requests, request, index + 1) ? CT_OK
                                                             : ct_no_memory(err, "messages");
}

/* ---- receives ---- */

/* The next receive of the rank; of CT_MESSAGES_NUMBER it is known from the pass before. */
static enum ct_status take_slot(struct ct_messages *of, uint32_t *slot_p, struct ct_error *err)
{
    if (of->now.pass == CT_MESSAGES_NUMBER) {
        if (of->now.next_slot >= of->now.n_slots)
            return ct_fail(err, CT_EFORMAT, "the trace changed while it was read");
        *slot_p = (uint32_t)of->now.next_slot++;
        return CT_OK;
    }
    if (of->now.n_slots >= UINT32_MAX)
        return ct_fail(err, CT_EUNSUPPORTED, "more than 2^32 receives of a rank");
    if (!CT_ARRAY_RESERVE(of->now.slots, of->now.room_slots, of->now.n_slots + 1))
        return ct_no_memory(err, "messages");
    of->now.slots[of->now.n_slots] = (struct slot){.state = POSTED};
    *slot_p = (uint32_t)of->now.n_slots++;
    return CT_OK;
}

static struct probed *find_probed(struct ct_messages *of, uint32_t channel)
{
    for (size_t i = 0; i < of->now.n_probed; i++)
        if (of->now.probed[i].channel == channel)
            return &of->now.probed[i];
    return NULL;
}

/* A receive got a message of a channel. That of a message that was probed before counts where the
 * probe is. */
static void settle_end(struct ct_messages *of, uint32_t at, uint32_t channel)
{
    struct probed *probed = find_probed(of, channel);
    of->now.slots[at].channel = channel + 1;
    of->now.slots[at].state = COMPLETE;
    if (!probed || probed->slot > at)
        return;
    of->now.slots[at].state = VOID;
    of->now.slots[at].ordinal = probed->slot;
    of->now.slots[probed->slot].state = COMPLETE;
    *probed = of->now.probed[--of->now.n_probed];
}

static enum ct_status give_number(struct ct_messages *of, uint32_t at, struct ct_error *err)
{
    const struct slot *slot = &of->now.slots[at];
    if (slot->state == VOID) {
        struct probed *probed = find_probed(of, slot->channel - 1);
        if (probed)
            *probed = of->now.probed[--of->now.n_probed];
        slot = &of->now.slots[slot->ordinal];
    }
    uint64_t number =
        slot->state == COMPLETE ? number_of(of, RECEIVE, slot->channel - 1, slot->ordinal) : 0;
    if (number == 0)
        return CT_OK;
    if (!CT_ARRAY_RESERVE(of->now.received, of->now.room_received, of->now.n_received + 1))
        return ct_no_memory(err, "messages");
    of->now.received[of->now.n_received++] = number;
    return CT_OK;
}

static enum ct_status complete_end(struct ct_messages *of, uint32_t at, uint32_t comm,
                                   const struct ct_trace_message *from, struct ct_error *err)
{
    uint32_t channel = 0;
    if (of->now.pass == CT_MESSAGES_NUMBER)
        return give_number(of, at, err);
    CT_TRY(find_channel(of, RECEIVE, comm, from, &channel, err));
    settle_end(of, at, channel);
    return CT_OK;
}

/* The order of a channel's receives, now that what they got is known. */
static enum ct_status order_receives(struct ct_messages *of, struct ct_error *err)
{
    for (size_t i = 0; i < of->now.n_slots; i++) {
        struct slot *slot = &of->now.slots[i];
        if (slot->channel == 0 || slot->state == VOID)
            continue;
        slot->ordinal = next_ordinal(of, RECEIVE, slot->channel - 1);
        if (slot->state != COMPLETE)
            CT_TRY(add_uncertain(of, RECEIVE,
                                 (struct uncertain){.channel = slot->channel - 1,
                                                    .ordinal = slot->ordinal,
                                                    .may_go = slot->state == POSTED},
                                 err));
    }
    return CT_OK;
}

/* ---- events ---- */

static enum ct_status on_comm(struct ct_messages *of, const struct ct_trace_event *event,
                              struct ct_error *err)
{
    uint32_t comm = 0;
    CT_TRY(ct_comms_add(&of->comms, event, &comm, err));
    return ct_map_add(&of->now.comm_numbers, event->comm, comm + 1) ? CT_OK
                                                                    : ct_no_memory(err, "messages");
}

static enum ct_status on_send(struct ct_messages *of, const struct ct_trace_event *event,
                              uint64_t *sent_p, struct ct_error *err)
{
    uint32_t comm = 0, channel = 0;
    CT_TRY(find_comm(of, event->comm, &comm, err));
    CT_TRY(find_channel(of, SEND, comm, &event->to, &channel, err));
    uint32_t ordinal = next_ordinal(of, SEND, channel);
    if (of->now.pass == CT_MESSAGES_NUMBER)
        *sent_p = number_of(of, SEND, channel, ordinal);
    return event->request
               ? add_request(
                     of, event->request,
                     (struct open_request){.channel = channel, .at = ordinal, .sends = true}, err)
               : CT_OK;
}

static enum ct_status on_receive(struct ct_messages *of, const struct ct_trace_event *event,
                                 struct ct_error *err)
{
    uint32_t comm = 0, channel = 0, at = 0;
    enum ct_status status = find_comm(of, event->comm, &comm, err);
    if (status == CT_OK)
        status = take_slot(of, &at, err);
    if (status == CT_OK && event->request == 0)
        return complete_end(of, at, comm, &event->from, err);
    bool known = event->from.rank >= 0 && event->from.tag >= 0;
    if (status == CT_OK && known && of->now.pass != CT_MESSAGES_NUMBER) {
        status = find_channel(of, RECEIVE, comm, &event->from, &channel, err);
        of->now.slots[at].channel = channel + 1;
    }
    return status == CT_OK
               ? add_request(of, event->request, (struct open_request){.comm = comm, .at = at}, err)
               : status;
}

static enum ct_status on_probe(struct ct_messages *of, const struct ct_trace_event *event,
                               struct ct_error *err)
{
    uint32_t comm = 0, channel = 0, at = 0;
    enum ct_status status = find_comm(of, event->comm, &comm, err);
    if (status == CT_OK)
        status = find_channel(of, RECEIVE, comm, &event->from, &channel, err);
    if (status != CT_OK || find_probed(of, channel))
        return status;
    CT_TRY(take_slot(of, &at, err));
    if (of->now.pass != CT_MESSAGES_NUMBER)
        of->now.slots[at] = (struct slot){.channel = channel + 1, .state = PROBED};
    if (!CT_ARRAY_RESERVE(of->now.probed, of->now.room_probed, of->now.n_probed + 1))
        return ct_no_memory(err, "messages");
    of->now.probed[of->now.n_probed++] = (struct probed){channel, at};
    return CT_OK;
}

static enum ct_status on_completion(struct ct_messages *of,
                                    const struct ct_trace_completion *completion,
                                    struct ct_error *err)
{
    const struct open_request *found = find_request(of, completion->request);
    if (!found || found->sends)
        return remove_request(of, completion->request, err);
    struct open_request request = *found;
    CT_TRY(remove_request(of, completion->request, err));
    if (completion->received)
        return complete_end(of, request.at, request.comm, &completion->from, err);
    if (of->now.pass != CT_MESSAGES_NUMBER)
        of->now.slots[request.at].channel = 0;
    return CT_OK;
}

static enum ct_status on_wait(struct ct_messages *of, const struct ct_trace_event *event,
                              struct ct_error *err)
{
    struct ct_trace_completion completion;
    size_t at = 0;
    enum ct_status status = CT_OK;
    while (status == CT_OK && ct_trace_completion_next(event, &at, &completion))
        status = on_completion(of, &completion, err);
    if (status == CT_OK && at < event->n_values)
        status = ct_fail(err, CT_EFORMAT, "a damaged list of completions");
    return status;
}

static enum ct_status on_cancel(struct ct_messages *of, const struct ct_trace_event *event,
                                struct ct_error *err)
{
    struct open_request *found = find_request(of, event->request);
    if (!found || !found->sends || found->cancelled)
        return CT_OK;
    found->cancelled = true;
    return add_uncertain(of, SEND, (struct uncertain){found->channel, found->at, .may_go = true},
                         err);
}

void ct_messages_begin(struct ct_messages *of, uint32_t rank, enum ct_messages_pass pass)
{
    of->now.rank = rank;
    of->now.pass = pass;
    of->n_passes++;
    ct_map_free(&of->now.comm_numbers);
    ct_map_free(&of->now.requests);
    of->now.comm_numbers = (struct ct_map){0};
    of->now.requests = (struct ct_map){0};
    if (pass != CT_MESSAGES_NUMBER)
        of->now.n_slots = 0;
    of->now.next_slot = 0;
    of->now.n_open = 0;
    of->now.n_unused = 0;
    of->now.n_probed = 0;
}

enum ct_status ct_messages_next(struct ct_messages *of, const struct ct_trace_event *event,
                                struct ct_message_ends *ends_p, struct ct_error *err)
{
    uint64_t sent = 0;
    enum ct_status status = CT_OK;
    of->now.n_received = 0;
    switch (event->kind) {
    case CT_TRACE_NEW_COMM:
        status = on_comm(of, event, err);
        break;
    case CT_TRACE_SEND:
        status = on_send(of, event, &sent, err);
        break;
    case CT_TRACE_RECEIVE:
        status = on_receive(of, event, err);
        break;
    case CT_TRACE_SENDRECV:
        status = on_receive(of, event, err);
        if (status == CT_OK)
            status = on_send(of, event, &sent, err);
        break;
    case CT_TRACE_PROBE:
        status = on_probe(of, event, err);
        break;
    case CT_TRACE_WAIT:
    case CT_TRACE_TEST:
        status = on_wait(of, event, err);
        break;
    case CT_TRACE_CANCEL:
        status = on_cancel(of, event, err);
        break;
    case CT_TRACE_FREE:
        status = remove_request(of, event->request, err);
        break;
    default: /* a collective's request may have a number that was a message's */
        if (ct_trace_kind_fields(event->kind) & CT_TRACE_REQUEST)
            status = remove_request(of, event->request, err);
        break;
    }
    if (ends_p)
        *ends_p = (struct ct_message_ends){sent, of->now.received, of->now.n_received};
    return status;
}

enum ct_status ct_messages_end(struct ct_messages *of, struct ct_error *err)
{
    return of->now.pass == CT_MESSAGES_NUMBER ? CT_OK : order_receives(of, err);
}
