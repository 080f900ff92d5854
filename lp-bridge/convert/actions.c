/* From events to actions. */
#include "lp-bridge/convert/actions.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A communicator of a rank. */
struct local_comm {
    uint32_t comm, member;
};

/* A message that a probe has found, and that is still to be received. */
struct probed {
    int32_t tag;
    uint32_t source;
    uint32_t action;
};

struct reader {
    const struct ct_events *source;
    struct ct_actions *all;
    struct ct_rank_actions *of;
    struct ct_convert_notes *notes;
    uint32_t rank;
    uint64_t place;           /* of the event that is read */
    uint64_t end_ns, gap_ns;  /* end of the event before; compute since the action before */
    bool begun;               /* end_ns is set */
    struct local_comm *comms; /* [n_comms] in the order of their events */
    uint32_t n_comms, room_comms;
    struct ct_handle_map comm_numbers; /* number -> place in comms + 1 */
    uint32_t *calls;                   /* [comms of all ranks] collective calls so far */
    size_t n_calls;
    struct ct_handle_map requests; /* number -> first action + 1 */
    struct probed *probed;
    size_t n_probed, room_probed;
    struct ct_error *err;
};

static enum ct_status no_memory(struct ct_error *err)
{
    return ct_fail(err, CT_ENOMEM, "traces: out of memory");
}

void ct_actions_free(struct ct_actions *actions)
{
    for (uint32_t rank = 0; actions->ranks && rank < actions->n_ranks; rank++) {
        free(actions->ranks[rank].actions);
        free(actions->ranks[rank].completed);
        free(actions->ranks[rank].comms);
    }
    free(actions->ranks);
    ct_comms_free(&actions->comms);
    *actions = (struct ct_actions){0};
}

/* Room for one item more, at least. */
static bool make_room(void *array_p, uint32_t n, uint32_t *room, size_t item_size)
{
    void *array = *(void **)array_p;
    if (n < *room)
        return true;
    uint32_t more = *room / 2 + 64;
    if (more > UINT32_MAX - *room - 1)
        return false;
    array = realloc(array, ((size_t)*room + more) * item_size);
    if (!array)
        return false;
    *(void **)array_p = array;
    *room += more;
    return true;
}

/* ---- adding ---- */

/* An action gets the compute since the one before. */
static enum ct_status add(struct reader *reader, struct ct_action action)
{
    struct ct_rank_actions *of = reader->of;
    if (!make_room(&of->actions, of->n, &of->room, sizeof *of->actions))
        return no_memory(reader->err);
    action.gap_ns = reader->gap_ns;
    action.place = reader->place;
    reader->gap_ns = 0;
    of->actions[of->n++] = action;
    return CT_OK;
}

static enum ct_status add_completed(struct reader *reader, uint32_t action)
{
    struct ct_rank_actions *of = reader->of;
    if (!make_room(&of->completed, of->n_completed, &of->room_completed, sizeof *of->completed))
        return no_memory(reader->err);
    of->completed[of->n_completed++] = action;
    of->actions[action].flags |= CT_ACTION_COMPLETED;
    return CT_OK;
}

/* The program waits for the last n actions. */
static enum ct_status complete_last(struct reader *reader, uint32_t n)
{
    struct ct_rank_actions *of = reader->of;
    uint32_t end = of->n, first_of_list = of->n_completed;
    enum ct_status status = CT_OK;
    for (uint32_t i = end - n; i < end && status == CT_OK; i++)
        status = add_completed(reader, i);
    if (status != CT_OK)
        return status;
    return add(reader,
               (struct ct_action){.kind = CT_ACTION_COMPLETE, .partner = first_of_list, .n = n});
}

/* The last n actions belong to a request; without one, the program waits for them. */
static enum ct_status give_request(struct reader *reader, uint32_t request, uint32_t n)
{
    struct ct_rank_actions *of = reader->of;
    if (request == 0)
        return complete_last(reader, n);
    uint32_t first = of->n - n;
    of->actions[first].n = n;
    uint32_t before = ct_handle_map_find(&reader->requests, request);
    if (before != 0)
        ct_handle_map_remove(&reader->requests, request, before);
    return ct_handle_map_add(&reader->requests, request, first + 1) ? CT_OK
                                                                    : no_memory(reader->err);
}

/* ---- communicators ---- */

/* Calls are counted for each communicator that any rank has. */
static enum ct_status make_room_for_calls(struct reader *reader)
{
    size_t room = reader->all->comms.room;
    if (reader->all->comms.n <= reader->n_calls)
        return CT_OK;
    uint32_t *larger = realloc(reader->calls, room * sizeof *larger);
    if (!larger)
        return no_memory(reader->err);
    memset(larger + reader->n_calls, 0, (room - reader->n_calls) * sizeof *larger);
    reader->calls = larger;
    reader->n_calls = room;
    return CT_OK;
}

static enum ct_status new_comm(struct reader *reader, const struct ct_trace_event *event)
{
    struct local_comm found = {0};
    struct ct_rank_actions *of = reader->of;
    struct ct_comms *all = &reader->all->comms;
    enum ct_status status =
        ct_comms_add(all, event->values, event->n_values, &found.comm, reader->err);
    if (status != CT_OK)
        return status;
    if (!ct_comm_member(&all->comms[found.comm], reader->rank, &found.member))
        return ct_fail(reader->err, CT_EFORMAT, "a communicator that the rank is no member of");
    if (!make_room(&reader->comms, reader->n_comms, &reader->room_comms, sizeof *reader->comms) ||
        !make_room(&of->comms, of->n_comms, &of->room_comms, sizeof *of->comms))
        return no_memory(reader->err);
    reader->comms[reader->n_comms++] = found;
    of->comms[of->n_comms++] = found.comm;
    if (!ct_handle_map_add(&reader->comm_numbers, event->comm, reader->n_comms))
        return no_memory(reader->err);
    return make_room_for_calls(reader);
}

static enum ct_status find_comm(struct reader *reader, uint32_t number, struct local_comm *comm_p)
{
    uint32_t found = ct_handle_map_find(&reader->comm_numbers, number);
    if (found == 0)
        return ct_fail(reader->err, CT_EFORMAT, "communicator %u is not in the trace", number);
    *comm_p = reader->comms[found - 1];
    return CT_OK;
}

/* ---- messages ---- */

static enum ct_status message_tag(struct reader *reader, uint32_t comm, int32_t tag,
                                  uint32_t *number_p)
{
    int32_t number;
    if (tag < 0)
        return ct_fail(reader->err, CT_EFORMAT, "a message with tag %d", tag);
    enum ct_status status = ct_comms_tag(&reader->all->comms, CT_TAG_MESSAGE, comm, (uint32_t)tag,
                                         &number, reader->err);
    if (status == CT_OK)
        *number_p = (uint32_t)number;
    return status;
}

static enum ct_status check_peer(struct reader *reader, int32_t peer)
{
    if (peer >= 0 && (uint32_t)peer < reader->all->n_ranks)
        return CT_OK;
    return ct_fail(reader->err, CT_EFORMAT, "a message with rank %d; there are ranks 0 to %u", peer,
                   reader->all->n_ranks - 1);
}

static enum ct_status add_send(struct reader *reader, const struct ct_trace_event *event,
                               uint8_t flags)
{
    struct ct_action action = {.kind = CT_ACTION_SEND,
                               .mode = (uint8_t)event->mode,
                               .flags = flags,
                               .bytes = event->to.bytes};
    struct local_comm comm = {0};
    enum ct_status status = find_comm(reader, event->comm, &comm);
    if (status == CT_OK)
        status = check_peer(reader, event->to.rank);
    if (status == CT_OK)
        status = message_tag(reader, comm.comm, event->to.tag, &action.number);
    if (status != CT_OK)
        return status;
    action.peer = (uint32_t)event->to.rank;
    reader->notes->synchronous += event->mode == CT_TRACE_SYNCHRONOUS;
    return add(reader, action);
}

/* Source and tag, where they are known. A receive that is posted for any has its communicator as
 * its peer until it is complete. */
static enum ct_status address(struct reader *reader, struct ct_action *action, uint32_t comm,
                              struct ct_trace_message from)
{
    action->bytes = from.bytes;
    if (from.rank < 0 || from.tag < 0) {
        action->flags |= CT_ACTION_UNRESOLVED;
        action->peer = comm;
        return CT_OK;
    }
    enum ct_status status = check_peer(reader, from.rank);
    if (status == CT_OK)
        status = message_tag(reader, comm, from.tag, &action->number);
    action->peer = (uint32_t)from.rank;
    return status;
}

static enum ct_status add_receive(struct reader *reader, const struct ct_trace_event *event,
                                  uint8_t flags)
{
    struct ct_action action = {.kind = CT_ACTION_RECEIVE, .flags = flags};
    struct local_comm comm = {0};
    enum ct_status status = find_comm(reader, event->comm, &comm);
    if (status == CT_OK)
        status = address(reader, &action, comm.comm, event->from);
    if (status == CT_OK && flags & CT_ACTION_BLOCKS && action.flags & CT_ACTION_UNRESOLVED)
        status = ct_fail(reader->err, CT_EFORMAT,
                         "a receive from any source or with any tag, and nothing "
                         "left that it can have got");
    return status == CT_OK ? add(reader, action) : status;
}

static struct probed *find_probed(struct reader *reader, uint32_t source, uint32_t tag)
{
    for (size_t i = 0; i < reader->n_probed; i++)
        if (reader->probed[i].source == source && reader->probed[i].tag == (int32_t)tag)
            return &reader->probed[i];
    return NULL;
}

/* A receive of a message that was probed before: the receive at the probe is the one that counts.
 * @return its action, else the receive itself */
static uint32_t settle_receive(struct reader *reader, uint32_t receive)
{
    struct ct_action *action = &reader->of->actions[receive];
    struct probed *probed = find_probed(reader, action->peer, action->number);
    if (!probed || probed->action > receive)
        return receive;
    uint32_t first = probed->action;
    *probed = reader->probed[--reader->n_probed];
    action->kind = CT_ACTION_NONE;
    return first;
}

static enum ct_status on_probe(struct reader *reader, const struct ct_trace_event *event)
{
    const uint8_t flags = CT_ACTION_BLOCKS | CT_ACTION_COMPLETED;
    struct local_comm comm = {0};
    uint32_t tag;
    enum ct_status status = find_comm(reader, event->comm, &comm);
    if (status == CT_OK)
        status = message_tag(reader, comm.comm, event->from.tag, &tag);
    if (status == CT_OK)
        status = check_peer(reader, event->from.rank);
    if (status != CT_OK || find_probed(reader, (uint32_t)event->from.rank, tag))
        return status;
    status = add_receive(reader, event, flags);
    if (status != CT_OK)
        return status;
    if (reader->n_probed == reader->room_probed) {
        size_t room = 2 * reader->room_probed + 8;
        struct probed *larger = realloc(reader->probed, room * sizeof *larger);
        if (!larger)
            return no_memory(reader->err);
        reader->probed = larger;
        reader->room_probed = room;
    }
    reader->probed[reader->n_probed++] =
        (struct probed){(int32_t)tag, (uint32_t)event->from.rank, reader->of->n - 1};
    return CT_OK;
}

static enum ct_status on_send(struct reader *reader, const struct ct_trace_event *event)
{
    const uint8_t blocking = CT_ACTION_BLOCKS | CT_ACTION_COMPLETED;
    enum ct_status status = add_send(reader, event, event->request ? 0 : blocking);
    return status == CT_OK && event->request ? give_request(reader, event->request, 1) : status;
}

static enum ct_status on_receive(struct reader *reader, const struct ct_trace_event *event)
{
    const uint8_t blocking = CT_ACTION_BLOCKS | CT_ACTION_COMPLETED;
    enum ct_status status = add_receive(reader, event, event->request ? 0 : blocking);
    if (status != CT_OK)
        return status;
    if (event->request)
        return give_request(reader, event->request, 1);
    settle_receive(reader, reader->of->n - 1);
    return CT_OK;
}

static enum ct_status on_sendrecv(struct reader *reader, const struct ct_trace_event *event)
{
    enum ct_status status = add_receive(reader, event, 0);
    if (status == CT_OK)
        status = add_send(reader, event, 0);
    return status == CT_OK ? complete_last(reader, 2) : status;
}

/* ---- requests ---- */

/* What a wait or test says about a receive is what came. */
static enum ct_status complete_receive(struct reader *reader, uint32_t receive,
                                       const struct ct_trace_completion *completion)
{
    struct ct_action *action = &reader->of->actions[receive];
    if (!completion->received) {
        /* Only receives without a message complete like this: cancelled ones. */
        action->flags |= CT_ACTION_DROPPED;
        reader->notes->dropped++;
        return CT_OK;
    }
    bool wild = action->flags & CT_ACTION_UNRESOLVED;
    uint32_t peer = action->peer, number = action->number, found = number;
    struct ct_action actual = {0};
    enum ct_status status = CT_OK;
    if (wild) {
        status = address(reader, &actual, peer, completion->from);
        peer = actual.peer;
        found = actual.number;
    }
    if (status == CT_OK && (completion->from.rank < 0 || (uint32_t)completion->from.rank != peer))
        status = ct_fail(reader->err, CT_EFORMAT, "a receive from rank %u got a message from %d",
                         peer, completion->from.rank);
    if (status != CT_OK)
        return status;
    action = &reader->of->actions[receive];
    action->flags &= (uint8_t)~CT_ACTION_UNRESOLVED;
    action->peer = peer;
    action->number = found;
    action->bytes = completion->from.bytes;
    return CT_OK;
}

static enum ct_status complete_request(struct reader *reader,
                                       const struct ct_trace_completion *completion)
{
    uint32_t found = ct_handle_map_find(&reader->requests, completion->request);
    if (found == 0)
        return ct_fail(reader->err, CT_EFORMAT, "completes request %u, which was not begun",
                       completion->request);
    ct_handle_map_remove(&reader->requests, completion->request, found);
    uint32_t first = found - 1, n = reader->of->actions[first].n;
    enum ct_status status = CT_OK;
    for (uint32_t i = first; i < first + n && status == CT_OK; i++) {
        uint32_t done = i;
        /* Collectives of neighbours have several actions, and their messages are known. */
        if (reader->of->actions[i].kind == CT_ACTION_RECEIVE && n == 1) {
            status = complete_receive(reader, i, completion);
            if (status == CT_OK && !(reader->of->actions[i].flags & CT_ACTION_DROPPED))
                done = settle_receive(reader, i);
        }
        if (status == CT_OK)
            status = add_completed(reader, done);
    }
    return status;
}

static enum ct_status on_wait(struct reader *reader, const struct ct_trace_event *event)
{
    struct ct_trace_completion completion;
    size_t at = 0;
    uint32_t first = reader->of->n_completed;
    enum ct_status status = CT_OK;
    while (status == CT_OK && ct_trace_completion_next(event, &at, &completion))
        status = complete_request(reader, &completion);
    if (status == CT_OK && at < event->n_values)
        status = ct_fail(reader->err, CT_EFORMAT, "a damaged list of completions");
    if (status != CT_OK)
        return status;
    return add(reader, (struct ct_action){.kind = CT_ACTION_COMPLETE,
                                          .partner = first,
                                          .n = reader->of->n_completed - first});
}

static enum ct_status on_cancel(struct reader *reader, const struct ct_trace_event *event)
{
    uint32_t found = ct_handle_map_find(&reader->requests, event->request);
    if (found != 0)
        reader->of->actions[found - 1].flags |= CT_ACTION_CANCELLED;
    return CT_OK;
}

/* What was begun goes on, and nobody waits for it. */
static enum ct_status on_free(struct reader *reader, const struct ct_trace_event *event)
{
    uint32_t found = ct_handle_map_find(&reader->requests, event->request);
    if (found != 0)
        ct_handle_map_remove(&reader->requests, event->request, found);
    return CT_OK;
}

/* ---- collectives ---- */

static enum ct_status count_call(struct reader *reader, const struct ct_trace_event *event,
                                 struct ct_comm_call *call_p)
{
    struct local_comm comm = {0};
    enum ct_status status = find_comm(reader, event->comm, &comm);
    if (status != CT_OK)
        return status;
    *call_p = (struct ct_comm_call){.comm = comm.comm,
                                    .instance = reader->calls[comm.comm]++,
                                    .rank = reader->rank,
                                    .member = comm.member,
                                    .place = reader->place};
    return ct_comms_call(&reader->all->comms, *call_p, event, reader->err);
}

static enum ct_status on_collective(struct reader *reader, const struct ct_trace_event *event)
{
    struct ct_comm_call call;
    enum ct_status status = count_call(reader, event, &call);
    if (status != CT_OK)
        return status;
    uint8_t flags = event->request ? 0 : CT_ACTION_BLOCKS | CT_ACTION_COMPLETED;
    status = add(reader, (struct ct_action){.kind = CT_ACTION_COLLECTIVE,
                                            .peer = call.comm,
                                            .number = call.instance,
                                            .flags = flags});
    return status == CT_OK && event->request ? give_request(reader, event->request, 1) : status;
}

/* Messages to and from the neighbours, receives first, all at once; before them an action of its
 * own, so that a call without neighbours has one too. */
static enum ct_status on_neighbor(struct reader *reader, const struct ct_trace_event *event)
{
    struct ct_comm_call call;
    int32_t tag = 0;
    uint32_t n = 1;
    uint64_t n_to = event->n_values ? event->values[0] : 0;
    if (event->n_values % 2 == 0 || n_to > event->n_values / 2)
        return ct_fail(reader->err, CT_EFORMAT, "a damaged list of neighbours");
    enum ct_status status = count_call(reader, event, &call);
    if (status == CT_OK)
        status = ct_comms_tag(&reader->all->comms, CT_TAG_COLLECTIVE, call.comm, call.instance,
                              &tag, reader->err);
    if (status == CT_OK)
        status = add(reader, (struct ct_action){.kind = CT_ACTION_NONE});
    size_t first_from = 1 + 2 * (size_t)n_to;
    for (int sends = 0; sends < 2; sends++) {
        size_t i = sends ? 1 : first_from, end = sends ? first_from : event->n_values;
        for (; i < end && status == CT_OK; i += 2, n++) {
            uint64_t peer = event->values[i];
            status = check_peer(reader, peer <= INT32_MAX ? (int32_t)peer : -1);
            if (status == CT_OK)
                status = add(reader,
                             (struct ct_action){.kind = sends ? CT_ACTION_SEND : CT_ACTION_RECEIVE,
                                                .peer = (uint32_t)peer,
                                                .number = (uint32_t)tag,
                                                .bytes = event->values[i + 1]});
        }
    }
    return status == CT_OK ? give_request(reader, event->request, n) : status;
}

/* ---- the rest ---- */

static enum ct_status on_begin(struct reader *reader, const struct ct_trace_event *event)
{
    (void)event;
    reader->gap_ns = 0;
    return CT_OK;
}

static enum ct_status on_end(struct reader *reader, const struct ct_trace_event *event)
{
    (void)event;
    reader->of->ended = true;
    return add(reader, (struct ct_action){.kind = CT_ACTION_NONE});
}

static enum ct_status on_unmodelled(struct reader *reader, const struct ct_trace_event *event)
{
    struct ct_convert_notes *notes = reader->notes;
    const char *text = event->text ? event->text : "";
    size_t i = 0,
           length = event->n_text < CT_CONVERT_NAME_MAX ? event->n_text : CT_CONVERT_NAME_MAX;
    while (i < notes->n_unmodelled && (strlen(notes->unmodelled[i].name) != length ||
                                       memcmp(notes->unmodelled[i].name, text, length) != 0))
        i++;
    if (i == notes->n_unmodelled) {
        struct ct_convert_unmodelled *larger = realloc(notes->unmodelled, (i + 1) * sizeof *larger);
        if (!larger)
            return no_memory(reader->err);
        notes->unmodelled = larger;
        larger[i] = (struct ct_convert_unmodelled){.calls = 0};
        memcpy(larger[i].name, text, length);
        notes->n_unmodelled++;
    }
    notes->unmodelled[i].calls++;
    return CT_OK;
}

typedef enum ct_status handler(struct reader *reader, const struct ct_trace_event *event);

static handler *const handlers[CT_TRACE_N_KINDS] = {
    [CT_TRACE_BEGIN] = on_begin,
    [CT_TRACE_END] = on_end,
    [CT_TRACE_NEW_COMM] = new_comm,
    [CT_TRACE_SEND] = on_send,
    [CT_TRACE_RECEIVE] = on_receive,
    [CT_TRACE_SENDRECV] = on_sendrecv,
    [CT_TRACE_PROBE] = on_probe,
    [CT_TRACE_WAIT] = on_wait,
    [CT_TRACE_TEST] = on_wait,
    [CT_TRACE_CANCEL] = on_cancel,
    [CT_TRACE_FREE] = on_free,
    [CT_TRACE_BARRIER] = on_collective,
    [CT_TRACE_BCAST] = on_collective,
    [CT_TRACE_REDUCE] = on_collective,
    [CT_TRACE_ALLREDUCE] = on_collective,
    [CT_TRACE_SCAN] = on_collective,
    [CT_TRACE_EXSCAN] = on_collective,
    [CT_TRACE_GATHER] = on_collective,
    [CT_TRACE_SCATTER] = on_collective,
    [CT_TRACE_ALLGATHER] = on_collective,
    [CT_TRACE_ALLTOALL] = on_collective,
    [CT_TRACE_ALLTOALLV] = on_collective,
    [CT_TRACE_REDUCE_SCATTER] = on_collective,
    [CT_TRACE_NEIGHBOR] = on_neighbor,
    [CT_TRACE_UNMODELLED] = on_unmodelled,
};

static enum ct_status read_event(struct reader *reader, const struct ct_trace_event *event)
{
    if (reader->begun && event->start_ns > reader->end_ns)
        reader->gap_ns += event->start_ns - reader->end_ns;
    if (event->end_ns > reader->end_ns)
        reader->end_ns = event->end_ns;
    reader->begun = true;
    reader->notes->events++;
    enum ct_status status = handlers[event->kind](reader, event);
    return status == CT_OK || status == CT_ENOMEM
               ? status
               : ct_fail_within(reader->err, "rank %u, %s %" PRIu64 " (%s)", reader->rank,
                                reader->source->place_name, reader->place,
                                ct_trace_kind_text(event->kind));
}

static enum ct_status read_rank(struct reader *reader)
{
    const struct ct_events *source = reader->source;
    struct ct_trace_event event;
    enum ct_status status;
    do {
        status = source->next(source->context, reader->rank, &event, &reader->place, reader->err);
        if (status != CT_OK || event.kind == CT_TRACE_NONE)
            break;
        status = read_event(reader, &event);
    } while (status == CT_OK && !reader->of->ended);
    if (!reader->of->ended && reader->notes->n_cut++ == 0)
        reader->notes->first_cut = reader->rank;
    free(reader->comms);
    free(reader->calls);
    free(reader->probed);
    ct_handle_map_free(&reader->requests);
    ct_handle_map_free(&reader->comm_numbers);
    return status;
}

enum ct_status ct_actions_read(const struct ct_events *source, struct ct_actions *actions_p,
                               struct ct_convert_notes *notes, struct ct_error *err)
{
    struct ct_actions actions = {
        .n_ranks = source->n_ranks,
        .comms = {.n_ranks = source->n_ranks, .place_name = source->place_name}};
    enum ct_status status = CT_OK;
    actions.ranks = calloc(source->n_ranks, sizeof *actions.ranks);
    if (!actions.ranks)
        return no_memory(err);
    for (uint32_t rank = 0; rank < source->n_ranks && status == CT_OK; rank++) {
        struct reader reader = {.source = source,
                                .all = &actions,
                                .of = &actions.ranks[rank],
                                .notes = notes,
                                .rank = rank,
                                .err = err};
        status = read_rank(&reader);
    }
    if (status == CT_OK)
        *actions_p = actions;
    else
        ct_actions_free(&actions);
    return status;
}
