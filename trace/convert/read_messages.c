/* Messages, probes, and what becomes of requests. */
#include "core/array.h"
#include "trace/convert/read.h"

#include <stdlib.h>

/* ---- messages ---- */

static enum ct_status message_tag(struct ct_reader *reader, uint32_t comm, int32_t tag,
                                  uint32_t *number_p)
{
    int32_t number;
    if (tag < 0)
        return ct_fail(reader->err, CT_EFORMAT, "a message with tag %d", tag);
    CT_TRY(ct_comms_tag(&reader->all->comms, CT_TAG_MESSAGE, comm, (uint32_t)tag, &number,
                        reader->err));
    *number_p = (uint32_t)number;
    return CT_OK;
}

static enum ct_status add_send(struct ct_reader *reader, const struct ct_trace_event *event,
                               uint8_t flags)
{
    struct ct_action action = {.kind = CT_ACTION_SEND,
                               .mode = (uint8_t)event->mode,
                               .flags = flags,
                               .bytes = event->to.bytes};
    struct ct_local_comm *comm = NULL;
    CT_TRY(ct_reader_find_comm(reader, event->comm, &comm));
    CT_TRY(ct_reader_check_peer(reader, event->to.rank));
    CT_TRY(message_tag(reader, comm->comm, event->to.tag, &action.number));
    action.peer = (uint32_t)event->to.rank;
    reader->notes->synchronous += event->mode == CT_TRACE_SYNCHRONOUS;
    return ct_reader_add(reader, action);
}

/* Source and tag, where they are known. A receive that is posted for any has its communicator as
 * its peer until it is complete. */
static enum ct_status address_peer(struct ct_reader *reader, struct ct_action *action,
                                   uint32_t comm, struct ct_trace_message from)
{
    action->bytes = from.bytes;
    if (from.rank < 0 || from.tag < 0) {
        action->flags |= CT_ACTION_UNRESOLVED;
        action->peer = comm;
        return CT_OK;
    }
    enum ct_status status = ct_reader_check_peer(reader, from.rank);
    if (status == CT_OK)
        status = message_tag(reader, comm, from.tag, &action->number);
    action->peer = (uint32_t)from.rank;
    return status;
}

static enum ct_status add_receive(struct ct_reader *reader, const struct ct_trace_event *event,
                                  uint8_t flags)
{
    struct ct_action action = {.kind = CT_ACTION_RECEIVE, .flags = flags, .cut = event->cut};
    struct ct_local_comm *comm = NULL;
    CT_TRY(ct_reader_find_comm(reader, event->comm, &comm));
    CT_TRY(address_peer(reader, &action, comm->comm, event->from));
    if (flags & CT_ACTION_BLOCKS && action.flags & CT_ACTION_UNRESOLVED)
        return ct_fail(reader->err, CT_EFORMAT,
                       "a receive from any source or with any tag, and nothing "
                       "left that it can have got");
    return ct_reader_add(reader, action);
}

static struct ct_probed *find_probed(struct ct_reader *reader, uint32_t source, uint32_t tag)
{
    for (size_t i = 0; i < reader->n_probed; i++)
        if (reader->probed[i].source == source && reader->probed[i].tag == (int32_t)tag)
            return &reader->probed[i];
    return NULL;
}

/* A receive of a message that was probed before: the receive at the probe is the one that counts.
 * @return its action, else the receive itself */
static uint32_t settle_receive(struct ct_reader *reader, uint32_t receive)
{
    struct ct_action *action = &reader->of->actions[receive];
    struct ct_probed *probed = find_probed(reader, action->peer, action->number);
    if (!probed || probed->action > receive)
        return receive;
    uint32_t first = probed->action;
    *probed = reader->probed[--reader->n_probed];
    action->kind = CT_ACTION_NONE;
    return first;
}

enum ct_status ct_on_probe(struct ct_reader *reader, const struct ct_trace_event *event)
{
    const uint8_t flags = CT_ACTION_BLOCKS | CT_ACTION_COMPLETED;
    struct ct_local_comm *comm = NULL;
    uint32_t tag = 0;
    enum ct_status status = ct_reader_find_comm(reader, event->comm, &comm);
    if (status == CT_OK)
        status = message_tag(reader, comm->comm, event->from.tag, &tag);
    if (status == CT_OK)
        status = ct_reader_check_peer(reader, event->from.rank);
    if (status != CT_OK || find_probed(reader, (uint32_t)event->from.rank, tag))
        return status;
    CT_TRY(add_receive(reader, event, flags));
    if (!CT_ARRAY_RESERVE(reader->probed, reader->room_probed, reader->n_probed + 1))
        return ct_no_memory(reader->err, "traces");
    reader->probed[reader->n_probed++] =
        (struct ct_probed){(int32_t)tag, (uint32_t)event->from.rank, reader->of->n - 1};
    return CT_OK;
}

enum ct_status ct_on_send(struct ct_reader *reader, const struct ct_trace_event *event)
{
    const uint8_t blocking = CT_ACTION_BLOCKS | CT_ACTION_COMPLETED;
    enum ct_status status = add_send(reader, event, event->request ? 0 : blocking);
    return status == CT_OK && event->request ? ct_reader_give_request(reader, event->request, 1)
                                             : status;
}

enum ct_status ct_on_receive(struct ct_reader *reader, const struct ct_trace_event *event)
{
    const uint8_t blocking = CT_ACTION_BLOCKS | CT_ACTION_COMPLETED;
    CT_TRY(add_receive(reader, event, event->request ? 0 : blocking));
    if (event->request)
        return ct_reader_give_request(reader, event->request, 1);
    settle_receive(reader, reader->of->n - 1);
    return CT_OK;
}

enum ct_status ct_on_sendrecv(struct ct_reader *reader, const struct ct_trace_event *event)
{
    CT_TRY(add_receive(reader, event, 0));
    CT_TRY(add_send(reader, event, 0));
    return ct_reader_give_request(reader, 0, 2);
}

/* ---- requests ---- */

/* What a wait or test says about a receive is what came. */
static enum ct_status complete_receive(struct ct_reader *reader, uint32_t receive,
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
        status = address_peer(reader, &actual, peer, completion->from);
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
    action->cut = completion->cut;
    return CT_OK;
}

static enum ct_status complete_request(struct ct_reader *reader,
                                       const struct ct_trace_completion *completion)
{
    uint32_t found = ct_map_find(&reader->requests, completion->request);
    if (found == 0)
        return ct_fail(reader->err, CT_EFORMAT, "completes request %u, which was not begun",
                       completion->request);
    ct_map_remove(&reader->requests, completion->request, found);
    uint32_t first = found - 1, n = reader->of->actions[first].n;
    for (uint32_t i = first; i < first + n; i++) {
        uint32_t done = i;
        /* Collectives of neighbours have several actions, and their messages are known. */
        if (reader->of->actions[i].kind == CT_ACTION_RECEIVE && n == 1) {
            CT_TRY(complete_receive(reader, i, completion));
            if (!(reader->of->actions[i].flags & CT_ACTION_DROPPED))
                done = settle_receive(reader, i);
        }
        CT_TRY(ct_reader_add_completed(reader, done));
    }
    return CT_OK;
}

enum ct_status ct_on_wait(struct ct_reader *reader, const struct ct_trace_event *event)
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
    return ct_reader_add(reader, (struct ct_action){.kind = CT_ACTION_COMPLETE,
                                                    .partner = first,
                                                    .n = reader->of->n_completed - first});
}

enum ct_status ct_on_cancel(struct ct_reader *reader, const struct ct_trace_event *event)
{
    uint32_t found = ct_map_find(&reader->requests, event->request);
    if (found != 0)
        reader->of->actions[found - 1].flags |= CT_ACTION_CANCELLED;
    return CT_OK;
}

/* What was begun goes on, and nobody waits for it. */
enum ct_status ct_on_free(struct ct_reader *reader, const struct ct_trace_event *event)
{
    uint32_t found = ct_map_find(&reader->requests, event->request);
    if (found != 0)
        ct_map_remove(&reader->requests, event->request, found);
    return CT_OK;
}
