/* Collective calls, and those of neighbours, which are messages at once. */
#include "trace/convert/read.h"

/* Operations of a call of a member, about: in rounds whose number grows with the logarithm of the
 * members, or one for each of them and back. */
static uint64_t weight_of(enum ct_trace_kind kind, uint32_t n_members)
{
    const bool is_linear = kind == CT_TRACE_ALLTOALL || kind == CT_TRACE_ALLTOALLV ||
                           kind == CT_TRACE_ALLGATHER || kind == CT_TRACE_REDUCE_SCATTER;
    uint64_t rounds = 1;
    while (n_members >> rounds > 0)
        rounds++;
    return kind == CT_TRACE_NEIGHBOR ? 0 : is_linear ? 2 * (uint64_t)n_members : 2 * rounds;
}

static enum ct_status count_call(struct ct_reader *reader, const struct ct_trace_event *event,
                                 struct ct_comm_call *call_p)
{
    struct ct_local_comm *comm = NULL;
    CT_TRY(ct_reader_find_comm(reader, event->comm, &comm));
    *call_p = (struct ct_comm_call){.comm = comm->comm,
                                    .instance = comm->calls++,
                                    .rank = reader->rank,
                                    .member = comm->member,
                                    .position = reader->position};
    reader->weight += weight_of(event->kind, reader->all->comms.comms[comm->comm].group.n);
    return ct_comms_call(&reader->all->comms, *call_p, event, reader->err);
}

/* All ranks make it, and wait in it: its last action has the mark. */
static uint8_t mark_of(const struct ct_reader *reader, const struct ct_trace_event *event,
                       uint32_t comm)
{
    const struct ct_actions *all = reader->all;
    return event->request == 0 && all->comms.comms[comm].group.n == all->n_ranks ? CT_ACTION_MARK
                                                                                 : 0;
}

enum ct_status ct_on_collective(struct ct_reader *reader, const struct ct_trace_event *event)
{
    struct ct_comm_call call;
    CT_TRY(count_call(reader, event, &call));
    uint8_t flags = event->request ? 0 : CT_ACTION_BLOCKS | CT_ACTION_COMPLETED;
    flags |= mark_of(reader, event, call.comm);
    enum ct_status status = ct_reader_add(reader, (struct ct_action){.kind = CT_ACTION_COLLECTIVE,
                                                                     .peer = call.comm,
                                                                     .number = call.instance,
                                                                     .flags = flags});
    return status == CT_OK && event->request ? ct_reader_give_request(reader, event->request, 1)
                                             : status;
}

/* Messages to and from the neighbours, receives first, all at once; before them an action of its
 * own, so that a call without neighbours has one too. */
enum ct_status ct_on_neighbor(struct ct_reader *reader, const struct ct_trace_event *event)
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
        status = ct_reader_add(reader, (struct ct_action){.kind = CT_ACTION_NONE});
    size_t first_from = 1 + 2 * (size_t)n_to;
    for (int sends = 0; sends < 2; sends++) {
        size_t i = sends ? 1 : first_from, end = sends ? first_from : event->n_values;
        for (; i < end && status == CT_OK; i += 2, n++) {
            uint64_t peer = event->values[i];
            status = ct_reader_check_peer(reader, peer <= INT32_MAX ? (int32_t)peer : -1);
            if (status == CT_OK)
                status = ct_reader_add(
                    reader, (struct ct_action){.kind = sends ? CT_ACTION_SEND : CT_ACTION_RECEIVE,
                                               .peer = (uint32_t)peer,
                                               .number = (uint32_t)tag,
                                               .bytes = event->values[i + 1]});
        }
    }
    if (status == CT_OK)
        status = ct_reader_give_request(reader, event->request, n);
    if (status == CT_OK)
        reader->of->actions[reader->of->n - 1].flags |= mark_of(reader, event, call.comm);
    return status;
}
