#include "lp-bridge/otf2/calls.h"

#include "core/array.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

void ct_otf2_calls_begin(struct ct_otf2_calls *calls, uint32_t rank, bool scanning)
{
    calls->rank = rank;
    calls->scanning = scanning;
    calls->n_events = calls->next_event = calls->n_values = 0;
    if (scanning)
        calls->n_posted = 0;
    calls->next_posted = 0;
    ct_handle_map_free(&calls->requests);
    calls->requests = (struct ct_handle_map){0};
    calls->n_under_way = calls->n_unused = 0;
    calls->region = NULL;
    calls->depth = 0;
    calls->n_completions = 0;
    calls->has_list = calls->has_extra = calls->has_rma = false;
    calls->begun = calls->ended = false;
    calls->status = CT_OK;
}

void ct_otf2_calls_free(struct ct_otf2_calls *calls)
{
    free(calls->events);
    free(calls->values);
    free(calls->posted);
    free(calls->under_way);
    free(calls->unused);
    free(calls->completions);
    free(calls->list);
    ct_handle_map_free(&calls->requests);
    *calls = (struct ct_otf2_calls){0};
}

/* ---- the end of a callback ---- */

static OTF2_CallbackCode done(struct ct_otf2_calls *calls, uint64_t position, enum ct_status status)
{
    if (status == CT_OK)
        return OTF2_CALLBACK_SUCCESS;
    if (calls->status == CT_OK && status != CT_ENOMEM)
        ct_fail_within(calls->err, status, "rank %u, event %" PRIu64, calls->rank, position);
    calls->status = status;
    return OTF2_CALLBACK_INTERRUPT;
}

static enum ct_status no_memory(const struct ct_otf2_calls *calls)
{
    return ct_fail(calls->err, CT_ENOMEM, "archive: out of memory");
}

/* Since the archive's first tick. */
static uint64_t time_ns(const struct ct_otf2_calls *calls, OTF2_TimeStamp time)
{
    uint64_t ticks = time > calls->all->offset ? time - calls->all->offset : 0;
    uint64_t seconds = ticks / calls->all->resolution, rest = ticks % calls->all->resolution;
    __extension__ typedef unsigned __int128 wide;
    return seconds * 1000000000U + (uint64_t)((wide)rest * 1000000000U / calls->all->resolution);
}

/* ---- events ---- */

static enum ct_status add_value(struct ct_otf2_calls *calls, uint64_t value)
{
    if (!CT_ARRAY_RESERVE(calls->values, calls->room_values, calls->n_values + 1))
        return no_memory(calls);
    calls->values[calls->n_values++] = value;
    return CT_OK;
}

/* The last n_values values are the event's. */
static enum ct_status add_event(struct ct_otf2_calls *calls, struct ct_trace_event event,
                                uint64_t position)
{
    if (!CT_ARRAY_RESERVE(calls->events, calls->room_events, calls->n_events + 1))
        return no_memory(calls);
    calls->events[calls->n_events++] =
        (struct ct_otf2_event){event, position, calls->n_values - event.n_values};
    return CT_OK;
}

static enum ct_status add_comm(struct ct_otf2_calls *calls, const struct ct_otf2_comm *comm,
                               uint64_t start_ns, uint64_t end_ns, uint64_t position)
{
    uint32_t member, n;
    if (!comm->group || !ct_otf2_member_of(comm, calls->rank, &member))
        return CT_OK;
    n = ct_otf2_size_of(comm);
    enum ct_status status = add_value(calls, comm->ordinal);
    for (uint32_t m = 0; m < n && status == CT_OK; m++)
        status = add_value(calls, comm->is_self ? calls->rank : comm->group->members[m]);
    return status == CT_OK ? add_event(calls,
                                       (struct ct_trace_event){.kind = CT_TRACE_NEW_COMM,
                                                               .start_ns = start_ns,
                                                               .end_ns = end_ns,
                                                               .comm = comm->number,
                                                               .n_values = (size_t)n + 1},
                                       position)
                           : status;
}

/* All communicators are there from the start, unless crosstalk wrote when they are made. */
static enum ct_status add_comms(struct ct_otf2_calls *calls, uint64_t at_ns, uint64_t position)
{
    static const char text[] = "what other threads did";
    const struct ct_otf2_definitions *all = calls->all;
    enum ct_status status = CT_OK;
    calls->begun = true;
    for (size_t i = 0; i < all->n_comms && status == CT_OK; i++)
        if (!all->has_attribute[CT_OTF2_ATTRIBUTE_COMM])
            status = add_comm(calls, &all->comms[i], at_ns, at_ns, position);
    for (uint32_t i = 0; i < all->n_other_locations && calls->rank == 0 && status == CT_OK; i++)
        status = add_event(calls,
                           (struct ct_trace_event){.kind = CT_TRACE_UNMODELLED,
                                                   .start_ns = at_ns,
                                                   .end_ns = at_ns,
                                                   .text = text,
                                                   .n_text = sizeof text - 1},
                           position);
    return status;
}

/* Something happened, at a time; what is first of the rank brings its communicators. */
static enum ct_status begin_record(struct ct_otf2_calls *calls, uint64_t at_ns, uint64_t position)
{
    return calls->scanning || calls->begun ? CT_OK : add_comms(calls, at_ns, position);
}

static enum ct_status find_comm(const struct ct_otf2_calls *calls, OTF2_CommRef ref,
                                const struct ct_otf2_comm **comm_p)
{
    const struct ct_otf2_comm *comm = ct_otf2_find_comm(calls->all, ref);
    if (!comm)
        return ct_fail(calls->err, CT_EFORMAT, "communicator %u is not defined", ref);
    if (!comm->group)
        return ct_fail(calls->err, CT_EUNSUPPORTED,
                       "communicator %u is not of one group of MPI's ranks", ref);
    *comm_p = comm;
    return CT_OK;
}

static enum ct_status world_rank(const struct ct_otf2_calls *calls, const struct ct_otf2_comm *comm,
                                 uint32_t member, uint32_t *rank_p)
{
    if (ct_otf2_rank_of(comm, calls->rank, member, rank_p) && *rank_p < calls->all->ranks->n)
        return CT_OK;
    return ct_fail(calls->err, CT_EFORMAT, "rank %u of a communicator of %u ranks", member,
                   ct_otf2_size_of(comm));
}

static enum ct_status take_message(const struct ct_otf2_calls *calls, OTF2_CommRef ref,
                                   uint32_t member, uint32_t tag, uint64_t bytes,
                                   struct ct_trace_event *event, struct ct_trace_message *message_p)
{
    const struct ct_otf2_comm *comm = NULL;
    uint32_t rank = 0;
    enum ct_status status = find_comm(calls, ref, &comm);
    if (status == CT_OK)
        status = world_rank(calls, comm, member, &rank);
    if (status == CT_OK && tag > INT32_MAX)
        status = ct_fail(calls->err, CT_EFORMAT, "a message with tag %u", tag);
    if (status != CT_OK)
        return status;
    event->comm = comm->number;
    *message_p = (struct ct_trace_message){(int32_t)rank, (int32_t)tag, bytes};
    return CT_OK;
}

/* ---- requests ---- */

static enum ct_status open_request(struct ct_otf2_calls *calls, uint64_t id, bool sends,
                                   uint32_t *number_p)
{
    uint32_t before = ct_handle_map_find(&calls->requests, id);
    if (before != 0)
        return ct_fail(calls->err, CT_EFORMAT, "request %" PRIu64 " begins twice", id);
    /* Room for all of them to be unused, so that closing one cannot fail. */
    if (calls->n_under_way >= UINT32_MAX - 1 ||
        !CT_ARRAY_RESERVE(calls->under_way, calls->room_under_way, calls->n_under_way + 1) ||
        !CT_ARRAY_RESERVE(calls->unused, calls->room_unused, calls->n_under_way + 1))
        return no_memory(calls);
    uint32_t index =
        calls->n_unused > 0 ? calls->unused[--calls->n_unused] : (uint32_t)calls->n_under_way++;
    *number_p = index + 1;
    calls->under_way[index] = (struct ct_otf2_request){*number_p, sends};
    return ct_handle_map_add(&calls->requests, id, *number_p) ? CT_OK : no_memory(calls);
}

/* NULL: none of that ID is under way */
static const struct ct_otf2_request *close_request(struct ct_otf2_calls *calls, uint64_t id)
{
    uint32_t found = ct_handle_map_find(&calls->requests, id);
    if (found == 0)
        return NULL;
    ct_handle_map_remove(&calls->requests, id, found);
    calls->unused[calls->n_unused++] = found - 1;
    return &calls->under_way[found - 1];
}

static enum ct_status fail_request(const struct ct_otf2_calls *calls, uint64_t id)
{
    return ct_fail(calls->err, CT_EFORMAT, "request %" PRIu64 " completes, which was not begun",
                   id);
}

static enum ct_status add_completion(struct ct_otf2_calls *calls,
                                     struct ct_trace_completion completion)
{
    if (!CT_ARRAY_RESERVE(calls->completions, calls->room_completions,
                          calls->n_completions + CT_TRACE_COMPLETION_VALUES))
        return no_memory(calls);
    calls->n_completions =
        ct_trace_completion_put(&completion, calls->completions, calls->n_completions);
    return CT_OK;
}

/* ---- what was posted ---- */

static enum ct_status scan_post(struct ct_otf2_calls *calls, uint64_t id, bool is_collective)
{
    if (calls->n_posted >= UINT32_MAX - 1 ||
        !CT_ARRAY_RESERVE(calls->posted, calls->room_posted, calls->n_posted + 1))
        return no_memory(calls);
    uint32_t before = ct_handle_map_find(&calls->requests, id);
    if (before != 0)
        ct_handle_map_remove(&calls->requests, id, before);
    calls->posted[calls->n_posted++] = (struct ct_otf2_posted){.is_collective = is_collective};
    return ct_handle_map_add(&calls->requests, id, (uint32_t)calls->n_posted) ? CT_OK
                                                                              : no_memory(calls);
}

static void scan_completion(struct ct_otf2_calls *calls, uint64_t id, struct ct_otf2_posted known)
{
    uint32_t found = ct_handle_map_find(&calls->requests, id);
    if (found == 0)
        return;
    ct_handle_map_remove(&calls->requests, id, found);
    known.known = known.is_collective == calls->posted[found - 1].is_collective;
    known.is_collective = calls->posted[found - 1].is_collective;
    calls->posted[found - 1] = known;
}

static const struct ct_otf2_posted *next_posted(struct ct_otf2_calls *calls)
{
    static const struct ct_otf2_posted unknown = {.known = false};
    return calls->next_posted < calls->n_posted ? &calls->posted[calls->next_posted++] : &unknown;
}

/* ---- collectives ---- */

static enum ct_trace_kind kind_of(OTF2_CollectiveOp op)
{
    switch (op) {
    case OTF2_COLLECTIVE_OP_BARRIER:
        return CT_TRACE_BARRIER;
    case OTF2_COLLECTIVE_OP_BCAST:
        return CT_TRACE_BCAST;
    case OTF2_COLLECTIVE_OP_GATHER:
    case OTF2_COLLECTIVE_OP_GATHERV:
        return CT_TRACE_GATHER;
    case OTF2_COLLECTIVE_OP_SCATTER:
    case OTF2_COLLECTIVE_OP_SCATTERV:
        return CT_TRACE_SCATTER;
    case OTF2_COLLECTIVE_OP_ALLGATHER:
    case OTF2_COLLECTIVE_OP_ALLGATHERV:
        return CT_TRACE_ALLGATHER;
    case OTF2_COLLECTIVE_OP_ALLTOALL:
        return CT_TRACE_ALLTOALL;
    case OTF2_COLLECTIVE_OP_ALLTOALLV:
    case OTF2_COLLECTIVE_OP_ALLTOALLW:
        return CT_TRACE_ALLTOALLV;
    case OTF2_COLLECTIVE_OP_ALLREDUCE:
        return CT_TRACE_ALLREDUCE;
    case OTF2_COLLECTIVE_OP_REDUCE:
        return CT_TRACE_REDUCE;
    case OTF2_COLLECTIVE_OP_REDUCE_SCATTER:
    case OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK:
        return CT_TRACE_REDUCE_SCATTER;
    case OTF2_COLLECTIVE_OP_SCAN:
        return CT_TRACE_SCAN;
    case OTF2_COLLECTIVE_OP_EXSCAN:
        return CT_TRACE_EXSCAN;
    default: /* of communicators, windows and files */
        return CT_TRACE_NONE;
    }
}

static enum ct_status add_unmodelled(struct ct_otf2_calls *calls, const char *text, uint64_t at_ns,
                                     uint64_t position)
{
    size_t n = strlen(text);
    return add_event(
        calls,
        (struct ct_trace_event){.kind = CT_TRACE_UNMODELLED,
                                .start_ns = at_ns,
                                .end_ns = at_ns,
                                .text = text,
                                .n_text = n < CT_TRACE_TEXT_MAX ? n : CT_TRACE_TEXT_MAX},
        position);
}

/* The list of an event: as crosstalk wrote it, else equal blocks. */
static enum ct_status add_list(struct ct_otf2_calls *calls, struct ct_trace_event *event,
                               uint32_t n)
{
    enum ct_status status = CT_OK;
    uint64_t sum = event->bytes;
    event->n_values = calls->has_list ? calls->n_list : n;
    for (size_t i = 0; i < event->n_values && status == CT_OK; i++)
        status = add_value(calls, calls->has_list ? calls->list[i] : sum / n + (i < sum % n));
    if (event->kind != CT_TRACE_REDUCE_SCATTER)
        event->bytes = 0;
    return status;
}

static enum ct_status add_collective(struct ct_otf2_calls *calls, struct ct_otf2_posted what,
                                     uint32_t request, uint64_t start_ns, uint64_t end_ns,
                                     uint64_t position)
{
    struct ct_trace_event event = {
        .kind = kind_of(what.op), .request = request, .start_ns = start_ns, .end_ns = end_ns};
    const struct ct_otf2_comm *comm = NULL;
    struct ct_otf2_place place = {.n = 1};
    if (event.kind == CT_TRACE_NONE)
        return CT_OK;
    if (calls->region && calls->region->call == CT_OTF2_NEIGHBOR) {
        if (!calls->has_list)
            return add_unmodelled(calls, calls->region->name, end_ns, position);
        event.kind = CT_TRACE_NEIGHBOR;
    }
    enum ct_status status = find_comm(calls, what.comm, &comm);
    if (status != CT_OK)
        return status;
    event.comm = comm->number;
    place.n = ct_otf2_size_of(comm);
    if (!ct_otf2_member_of(comm, calls->rank, &place.member))
        return ct_fail(calls->err, CT_EFORMAT, "a collective on a communicator of others");
    if (ct_trace_kind_fields(event.kind) & CT_TRACE_ROOT) {
        place.is_root = comm->is_self || what.peer == place.member;
        status = world_rank(calls, comm, comm->is_self ? 0 : what.peer, &event.root);
    }
    event.bytes =
        ct_otf2_bytes_of(event.kind, (struct ct_otf2_sizes){what.bytes, what.received}, place);
    bool listed = ct_trace_kind_fields(event.kind) & CT_TRACE_VALUES;
    bool known = calls->has_list || (event.kind == CT_TRACE_REDUCE_SCATTER &&
                                     what.bytes == what.received && what.bytes % place.n == 0);
    if (status == CT_OK && listed)
        status = add_list(calls, &event, place.n);
    if (status == CT_OK)
        status = add_event(calls, event, position);
    if (status == CT_OK && listed && !known)
        status = add_unmodelled(calls,
                                event.kind == CT_TRACE_ALLTOALLV
                                    ? "how the bytes of an alltoallv are divided"
                                    : "how the bytes of a reduce_scatter are divided",
                                end_ns, position);
    return status;
}

/* ---- calls ---- */

static enum ct_status add_wait(struct ct_otf2_calls *calls, bool tests, uint64_t start_ns,
                               uint64_t end_ns, uint64_t position)
{
    enum ct_status status = CT_OK;
    for (size_t i = 0; i < calls->n_completions && status == CT_OK; i++)
        status = add_value(calls, calls->completions[i]);
    if (status == CT_OK)
        status = add_event(calls,
                           (struct ct_trace_event){.kind = tests ? CT_TRACE_TEST : CT_TRACE_WAIT,
                                                   .start_ns = start_ns,
                                                   .end_ns = end_ns,
                                                   .n_values = calls->n_completions},
                           position);
    calls->n_completions = 0;
    return status;
}

/* The two messages of a sendrecv are one event. */
static void join_sendrecv(struct ct_otf2_calls *calls)
{
    if (calls->n_events - calls->first_of_call != 2 ||
        strncasecmp(calls->region->name, "MPI_Sendrecv", strlen("MPI_Sendrecv")) != 0)
        return;
    struct ct_trace_event *one = &calls->events[calls->first_of_call].event;
    const struct ct_trace_event *other = &calls->events[calls->first_of_call + 1].event;
    if (!((one->kind == CT_TRACE_SEND && other->kind == CT_TRACE_RECEIVE) ||
          (one->kind == CT_TRACE_RECEIVE && other->kind == CT_TRACE_SEND)) ||
        one->comm != other->comm || one->request != 0 || other->request != 0)
        return;
    if (one->kind == CT_TRACE_SEND)
        one->from = other->from;
    else
        one->to = other->to;
    one->kind = CT_TRACE_SENDRECV;
    calls->n_events--;
}

/* A call without records, by its name. Of those that take time in MPI, and no more is known of, a
 * test that found nothing stands. */
static enum ct_status add_empty_call(struct ct_otf2_calls *calls, enum ct_otf2_call call,
                                     uint64_t end_ns, uint64_t position)
{
    struct ct_trace_event event = {.start_ns = calls->start_ns, .end_ns = end_ns};
    if (calls->made)
        return add_comm(calls, calls->made, calls->start_ns, end_ns, position);
    switch (call) {
    case CT_OTF2_INIT:
        event.kind = CT_TRACE_BEGIN;
        break;
    case CT_OTF2_FINALIZE:
        event.kind = CT_TRACE_END;
        calls->ended = true;
        break;
    case CT_OTF2_WITHOUT_MODEL:
    case CT_OTF2_NEIGHBOR:
        event.kind = CT_TRACE_UNMODELLED;
        event.text = calls->region->name;
        event.n_text = strnlen(event.text, CT_TRACE_TEXT_MAX);
        break;
    case CT_OTF2_WAIT:
        event.kind = CT_TRACE_WAIT;
        break;
    case CT_OTF2_TEST:
    case CT_OTF2_PROBE:
    case CT_OTF2_COMM:
        event.kind = CT_TRACE_TEST;
        break;
    default:
        break;
    }
    if (calls->has_extra) {
        event = calls->extra;
        event.start_ns = calls->start_ns;
        event.end_ns = end_ns;
    }
    return event.kind != CT_TRACE_NONE ? add_event(calls, event, position) : CT_OK;
}

/* Events of the records in a call share its time: the first has all of it. */
static enum ct_status close_call(struct ct_otf2_calls *calls, uint64_t end_ns, uint64_t position)
{
    enum ct_otf2_call call = calls->region->call;
    enum ct_status status = CT_OK;
    if (calls->has_rma)
        call = CT_OTF2_WITHOUT_MODEL;
    join_sendrecv(calls);
    for (size_t i = calls->first_of_call; i < calls->n_events; i++) {
        calls->events[i].event.start_ns = i == calls->first_of_call ? calls->start_ns : end_ns;
        calls->events[i].event.end_ns = end_ns;
    }
    bool empty = calls->n_events == calls->first_of_call;
    if (calls->n_completions > 0)
        status = add_wait(calls, call == CT_OTF2_TEST, empty ? calls->start_ns : end_ns, end_ns,
                          position);
    else if (empty)
        status = add_empty_call(calls, call, end_ns, position);
    calls->region = NULL;
    return status;
}

/* ---- attributes ---- */

static bool number_in(const struct ct_otf2_calls *calls, const OTF2_AttributeList *attributes,
                      enum ct_otf2_attribute which, uint64_t *value_p)
{
    return attributes && calls->all->has_attribute[which] &&
           OTF2_AttributeList_GetUint64(attributes, calls->all->attributes[which], value_p) ==
               OTF2_SUCCESS;
}

/* Source, tag, bytes and communicator, as an event; false: they are not all there. */
static enum ct_status receive_in(struct ct_otf2_calls *calls, const OTF2_AttributeList *attributes,
                                 struct ct_trace_event *event, bool *found_p)
{
    uint64_t source, tag, bytes, ref;
    const struct ct_otf2_comm *comm = NULL;
    *found_p = number_in(calls, attributes, CT_OTF2_ATTRIBUTE_SOURCE, &source) &&
               number_in(calls, attributes, CT_OTF2_ATTRIBUTE_TAG, &tag) &&
               number_in(calls, attributes, CT_OTF2_ATTRIBUTE_BYTES, &bytes) &&
               number_in(calls, attributes, CT_OTF2_ATTRIBUTE_COMM, &ref);
    if (!*found_p)
        return CT_OK;
    if (source > calls->all->ranks->n || tag > (uint64_t)INT32_MAX + 1 || ref > UINT32_MAX)
        return ct_fail(calls->err, CT_EFORMAT, "attributes of a receive are out of range");
    enum ct_status status = find_comm(calls, (OTF2_CommRef)ref, &comm);
    if (status != CT_OK)
        return status;
    event->comm = comm->number;
    event->from = (struct ct_trace_message){(int32_t)((int64_t)source - 1),
                                            (int32_t)((int64_t)tag - 1), bytes};
    return CT_OK;
}

static enum ct_status take_list(struct ct_otf2_calls *calls, const OTF2_AttributeList *attributes)
{
    OTF2_StringRef ref;
    const char *text = NULL;
    calls->n_list = 0;
    calls->has_list = false;
    if (attributes && calls->all->has_attribute[CT_OTF2_ATTRIBUTE_VALUES] &&
        OTF2_AttributeList_GetStringRef(
            attributes, calls->all->attributes[CT_OTF2_ATTRIBUTE_VALUES], &ref) == OTF2_SUCCESS)
        text = ct_otf2_find_string(calls->all, ref);
    if (!text)
        return CT_OK;
    calls->has_list = true;
    while (*text) {
        char *end;
        uint64_t value = strtoull(text, &end, 10);
        if (end == text || *text < '0' || *text > '9')
            return ct_fail(calls->err, CT_EFORMAT, "the list '%.40s' is none of numbers", text);
        if (!CT_ARRAY_RESERVE(calls->list, calls->room_list, calls->n_list + 1))
            return no_memory(calls);
        calls->list[calls->n_list++] = value;
        text = *end == ' ' ? end + 1 : end;
    }
    return CT_OK;
}

/* What the attributes of a call's begin say that its records cannot. */
static enum ct_status take_attributes(struct ct_otf2_calls *calls,
                                      const OTF2_AttributeList *attributes)
{
    uint64_t id;
    enum ct_otf2_call call = calls->region->call;
    calls->has_extra = false;
    calls->made = NULL;
    calls->extra = (struct ct_trace_event){.kind = CT_TRACE_NONE};
    if (call == CT_OTF2_PROBE) {
        calls->extra.kind = CT_TRACE_PROBE;
        return receive_in(calls, attributes, &calls->extra, &calls->has_extra);
    }
    if ((call == CT_OTF2_CANCEL || call == CT_OTF2_FREE) &&
        number_in(calls, attributes, CT_OTF2_ATTRIBUTE_REQUEST, &id)) {
        uint32_t found = ct_handle_map_find(&calls->requests, id);
        calls->has_extra = found != 0;
        calls->extra.kind = call == CT_OTF2_CANCEL ? CT_TRACE_CANCEL : CT_TRACE_FREE;
        calls->extra.request = found;
        if (call == CT_OTF2_FREE)
            close_request(calls, id);
        return CT_OK;
    }
    if (call == CT_OTF2_MPI && number_in(calls, attributes, CT_OTF2_ATTRIBUTE_COMM, &id))
        return find_comm(calls, (OTF2_CommRef)id, &calls->made);
    return take_list(calls, attributes);
}

/* ---- callbacks ---- */

/* A record that is an event; outside of a call it takes no time. */
static enum ct_status finish_record(struct ct_otf2_calls *calls, struct ct_trace_event event,
                                    uint64_t at_ns, uint64_t position)
{
    event.start_ns = event.end_ns = at_ns;
    return add_event(calls, event, position);
}

static OTF2_CallbackCode on_enter(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position,
                                  void *data, OTF2_AttributeList *attributes, OTF2_RegionRef ref)
{
    struct ct_otf2_calls *calls = data;
    const struct ct_otf2_region *region = ct_otf2_find_region(calls->all, ref);
    uint64_t at_ns = time_ns(calls, time);
    (void)location;
    enum ct_status status = begin_record(calls, at_ns, position);
    if (calls->scanning || !region || region->call == CT_OTF2_NO_MPI || calls->ended)
        return done(calls, position, status);
    if (calls->depth > 0) {
        calls->depth++;
        return done(calls, position, status);
    }
    calls->depth++;
    calls->region = region;
    calls->start_ns = at_ns;
    calls->first_of_call = calls->n_events;
    calls->has_rma = false;
    if (status == CT_OK)
        status = take_attributes(calls, attributes);
    return done(calls, position, status);
}

static OTF2_CallbackCode on_leave(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position,
                                  void *data, OTF2_AttributeList *attributes, OTF2_RegionRef ref)
{
    struct ct_otf2_calls *calls = data;
    const struct ct_otf2_region *region = ct_otf2_find_region(calls->all, ref);
    (void)location;
    (void)attributes;
    if (calls->scanning || !region || region->call == CT_OTF2_NO_MPI || calls->ended)
        return OTF2_CALLBACK_SUCCESS;
    if (calls->depth == 0)
        return done(
            calls, position,
            ct_fail(calls->err, CT_EFORMAT, "%s is left, which was not entered", region->name));
    if (--calls->depth > 0)
        return OTF2_CALLBACK_SUCCESS;
    return done(calls, position, close_call(calls, time_ns(calls, time), position));
}

/* Completions outside of a call are waits that take no time. */
static enum ct_status finish_completion(struct ct_otf2_calls *calls, uint64_t at_ns,
                                        uint64_t position)
{
    return calls->region ? CT_OK : add_wait(calls, false, at_ns, at_ns, position);
}

static enum ct_trace_mode mode(const struct ct_otf2_calls *calls)
{
    return calls->region ? calls->region->mode : CT_TRACE_STANDARD;
}

static OTF2_CallbackCode on_send(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position,
                                 void *data, OTF2_AttributeList *attributes, uint32_t receiver,
                                 OTF2_CommRef comm, uint32_t tag, uint64_t bytes)
{
    struct ct_otf2_calls *calls = data;
    struct ct_trace_event event = {.kind = CT_TRACE_SEND, .mode = mode(calls)};
    uint64_t at_ns = time_ns(calls, time);
    (void)location;
    (void)attributes;
    if (calls->scanning || calls->ended)
        return OTF2_CALLBACK_SUCCESS;
    enum ct_status status = begin_record(calls, at_ns, position);
    if (status == CT_OK)
        status = take_message(calls, comm, receiver, tag, bytes, &event, &event.to);
    if (status == CT_OK)
        status = finish_record(calls, event, at_ns, position);
    return done(calls, position, status);
}

static OTF2_CallbackCode on_receive(OTF2_LocationRef location, OTF2_TimeStamp time,
                                    uint64_t position, void *data, OTF2_AttributeList *attributes,
                                    uint32_t sender, OTF2_CommRef comm, uint32_t tag,
                                    uint64_t bytes)
{
    struct ct_otf2_calls *calls = data;
    struct ct_trace_event event = {.kind = CT_TRACE_RECEIVE};
    uint64_t at_ns = time_ns(calls, time);
    (void)location;
    (void)attributes;
    if (calls->scanning || calls->ended)
        return OTF2_CALLBACK_SUCCESS;
    enum ct_status status = begin_record(calls, at_ns, position);
    if (status == CT_OK)
        status = take_message(calls, comm, sender, tag, bytes, &event, &event.from);
    if (status == CT_OK)
        status = finish_record(calls, event, at_ns, position);
    return done(calls, position, status);
}

static OTF2_CallbackCode on_isend(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position,
                                  void *data, OTF2_AttributeList *attributes, uint32_t receiver,
                                  OTF2_CommRef comm, uint32_t tag, uint64_t bytes, uint64_t id)
{
    struct ct_otf2_calls *calls = data;
    struct ct_trace_event event = {.kind = CT_TRACE_SEND, .mode = mode(calls)};
    uint64_t at_ns = time_ns(calls, time);
    (void)location;
    (void)attributes;
    if (calls->scanning || calls->ended)
        return OTF2_CALLBACK_SUCCESS;
    enum ct_status status = begin_record(calls, at_ns, position);
    if (status == CT_OK)
        status = take_message(calls, comm, receiver, tag, bytes, &event, &event.to);
    if (status == CT_OK)
        status = open_request(calls, id, true, &event.request);
    if (status == CT_OK)
        status = finish_record(calls, event, at_ns, position);
    return done(calls, position, status);
}

static OTF2_CallbackCode on_isend_complete(OTF2_LocationRef location, OTF2_TimeStamp time,
                                           uint64_t position, void *data,
                                           OTF2_AttributeList *attributes, uint64_t id)
{
    struct ct_otf2_calls *calls = data;
    uint64_t at_ns = time_ns(calls, time);
    (void)location;
    (void)attributes;
    if (calls->scanning || calls->ended)
        return OTF2_CALLBACK_SUCCESS;
    enum ct_status status = begin_record(calls, at_ns, position);
    const struct ct_otf2_request *request = close_request(calls, id);
    if (status == CT_OK && !request)
        status = fail_request(calls, id);
    else if (status == CT_OK && calls->region && calls->region->call == CT_OTF2_FREE)
        status = finish_record(
            calls, (struct ct_trace_event){.kind = CT_TRACE_FREE, .request = request->number},
            at_ns, position);
    else if (status == CT_OK)
        status = add_completion(calls, (struct ct_trace_completion){.request = request->number});
    if (status == CT_OK && calls->n_completions > 0)
        status = finish_completion(calls, at_ns, position);
    return done(calls, position, status);
}

/* What was posted is known from the pass before, or from crosstalk's attributes. */
static OTF2_CallbackCode on_irecv_request(OTF2_LocationRef location, OTF2_TimeStamp time,
                                          uint64_t position, void *data,
                                          OTF2_AttributeList *attributes, uint64_t id)
{
    struct ct_otf2_calls *calls = data;
    struct ct_trace_event event = {.kind = CT_TRACE_RECEIVE, .from = {-1, -1, 0}};
    uint64_t at_ns = time_ns(calls, time);
    bool found;
    (void)location;
    if (calls->scanning)
        return done(calls, position, scan_post(calls, id, false));
    if (calls->ended)
        return OTF2_CALLBACK_SUCCESS;
    const struct ct_otf2_posted *posted = next_posted(calls);
    enum ct_status status = begin_record(calls, at_ns, position);
    if (status == CT_OK)
        status = receive_in(calls, attributes, &event, &found);
    if (status == CT_OK && !found && posted->known)
        status = take_message(calls, posted->comm, posted->peer, (uint32_t)posted->tag,
                              posted->bytes, &event, &event.from);
    if (status == CT_OK)
        status = open_request(calls, id, false, &event.request);
    if (status == CT_OK)
        status = finish_record(calls, event, at_ns, position);
    return done(calls, position, status);
}

static OTF2_CallbackCode on_irecv(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position,
                                  void *data, OTF2_AttributeList *attributes, uint32_t sender,
                                  OTF2_CommRef comm, uint32_t tag, uint64_t bytes, uint64_t id)
{
    struct ct_otf2_calls *calls = data;
    struct ct_trace_event event = {.kind = CT_TRACE_RECEIVE};
    uint64_t at_ns = time_ns(calls, time);
    (void)location;
    (void)attributes;
    if (calls->scanning) {
        scan_completion(calls, id,
                        (struct ct_otf2_posted){
                            .comm = comm, .peer = sender, .tag = (int32_t)tag, .bytes = bytes});
        return OTF2_CALLBACK_SUCCESS;
    }
    if (calls->ended)
        return OTF2_CALLBACK_SUCCESS;
    enum ct_status status = begin_record(calls, at_ns, position);
    const struct ct_otf2_request *request = close_request(calls, id);
    if (status == CT_OK && !request)
        status = fail_request(calls, id);
    if (status == CT_OK)
        status = take_message(calls, comm, sender, tag, bytes, &event, &event.from);
    if (status == CT_OK)
        status =
            add_completion(calls, (struct ct_trace_completion){request->number, true, event.from});
    if (status == CT_OK)
        status = finish_completion(calls, at_ns, position);
    return done(calls, position, status);
}

static OTF2_CallbackCode on_cancelled(OTF2_LocationRef location, OTF2_TimeStamp time,
                                      uint64_t position, void *data, OTF2_AttributeList *attributes,
                                      uint64_t id)
{
    struct ct_otf2_calls *calls = data;
    uint64_t at_ns = time_ns(calls, time);
    (void)location;
    (void)attributes;
    if (calls->scanning || calls->ended)
        return OTF2_CALLBACK_SUCCESS;
    enum ct_status status = begin_record(calls, at_ns, position);
    const struct ct_otf2_request *request = close_request(calls, id);
    if (status == CT_OK && !request)
        status = fail_request(calls, id);
    if (status == CT_OK && request->sends)
        status = finish_record(
            calls, (struct ct_trace_event){.kind = CT_TRACE_CANCEL, .request = request->number},
            at_ns, position);
    if (status == CT_OK)
        status = add_completion(calls, (struct ct_trace_completion){.request = request->number});
    if (status == CT_OK)
        status = finish_completion(calls, at_ns, position);
    return done(calls, position, status);
}

static OTF2_CallbackCode on_collective_begin(OTF2_LocationRef location, OTF2_TimeStamp time,
                                             uint64_t position, void *data,
                                             OTF2_AttributeList *attributes)
{
    struct ct_otf2_calls *calls = data;
    (void)location;
    (void)position;
    (void)attributes;
    calls->collective_start_ns = time_ns(calls, time);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_collective_end(OTF2_LocationRef location, OTF2_TimeStamp time,
                                           uint64_t position, void *data,
                                           OTF2_AttributeList *attributes, OTF2_CollectiveOp op,
                                           OTF2_CommRef comm, uint32_t root, uint64_t sent,
                                           uint64_t received)
{
    struct ct_otf2_calls *calls = data;
    struct ct_otf2_posted what = {
        .op = op, .comm = comm, .peer = root, .bytes = sent, .received = received};
    uint64_t at_ns = time_ns(calls, time);
    (void)location;
    (void)attributes;
    if (calls->scanning || calls->ended)
        return OTF2_CALLBACK_SUCCESS;
    enum ct_status status = begin_record(calls, calls->collective_start_ns, position);
    if (status == CT_OK)
        status = add_collective(calls, what, 0, calls->collective_start_ns, at_ns, position);
    return done(calls, position, status);
}

static OTF2_CallbackCode on_collective_request(OTF2_LocationRef location, OTF2_TimeStamp time,
                                               uint64_t position, void *data,
                                               OTF2_AttributeList *attributes, uint64_t id)
{
    struct ct_otf2_calls *calls = data;
    uint64_t at_ns = time_ns(calls, time);
    uint32_t request = 0;
    (void)location;
    (void)attributes;
    if (calls->scanning)
        return done(calls, position, scan_post(calls, id, true));
    if (calls->ended)
        return OTF2_CALLBACK_SUCCESS;
    const struct ct_otf2_posted *posted = next_posted(calls);
    enum ct_status status = begin_record(calls, at_ns, position);
    if (status == CT_OK && !posted->known)
        return done(calls, position,
                    add_unmodelled(calls, calls->region ? calls->region->name : "a collective call",
                                   at_ns, position));
    if (status == CT_OK)
        status = open_request(calls, id, true, &request);
    if (status == CT_OK)
        status = add_collective(calls, *posted, request, at_ns, at_ns, position);
    return done(calls, position, status);
}

static OTF2_CallbackCode on_collective_complete(OTF2_LocationRef location, OTF2_TimeStamp time,
                                                uint64_t position, void *data,
                                                OTF2_AttributeList *attributes,
                                                OTF2_CollectiveOp op, OTF2_CommRef comm,
                                                uint32_t root, uint64_t sent, uint64_t received,
                                                uint64_t id)
{
    struct ct_otf2_calls *calls = data;
    uint64_t at_ns = time_ns(calls, time);
    (void)location;
    (void)attributes;
    if (calls->scanning) {
        scan_completion(calls, id,
                        (struct ct_otf2_posted){.is_collective = true,
                                                .op = op,
                                                .comm = comm,
                                                .peer = root,
                                                .bytes = sent,
                                                .received = received});
        return OTF2_CALLBACK_SUCCESS;
    }
    if (calls->ended)
        return OTF2_CALLBACK_SUCCESS;
    enum ct_status status = begin_record(calls, at_ns, position);
    const struct ct_otf2_request *request = close_request(calls, id);
    if (status == CT_OK && !request)
        status = fail_request(calls, id);
    /* One that made a communicator has no event that it could complete. */
    if (status == CT_OK && kind_of(op) != CT_TRACE_NONE)
        status = add_completion(calls, (struct ct_trace_completion){.request = request->number});
    if (status == CT_OK && calls->n_completions > 0)
        status = finish_completion(calls, at_ns, position);
    return done(calls, position, status);
}

static OTF2_CallbackCode on_rma(struct ct_otf2_calls *calls)
{
    calls->has_rma = true;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_put_or_get(OTF2_LocationRef location, OTF2_TimeStamp time,
                                       uint64_t position, void *data,
                                       OTF2_AttributeList *attributes, OTF2_RmaWinRef window,
                                       uint32_t remote, uint64_t bytes, uint64_t matching)
{
    (void)location;
    (void)time;
    (void)position;
    (void)attributes;
    (void)window;
    (void)remote;
    (void)bytes;
    (void)matching;
    return on_rma(data);
}

static OTF2_CallbackCode on_program_end(OTF2_LocationRef location, OTF2_TimeStamp time,
                                        uint64_t position, void *data,
                                        OTF2_AttributeList *attributes, int64_t exit_status)
{
    struct ct_otf2_calls *calls = data;
    uint64_t at_ns = time_ns(calls, time);
    (void)location;
    (void)attributes;
    (void)exit_status;
    if (calls->scanning || calls->ended)
        return OTF2_CALLBACK_SUCCESS;
    calls->ended = true;
    enum ct_status status = begin_record(calls, at_ns, position);
    if (status == CT_OK)
        status =
            finish_record(calls, (struct ct_trace_event){.kind = CT_TRACE_END}, at_ns, position);
    return done(calls, position, status);
}

enum ct_status ct_otf2_calls_end(struct ct_otf2_calls *calls, uint64_t position)
{
    uint64_t at_ns = calls->n_events > 0 ? calls->events[calls->n_events - 1].event.end_ns : 0;
    if (calls->ended || calls->all->has_finalize)
        return CT_OK;
    calls->ended = true;
    enum ct_status status = begin_record(calls, at_ns, position);
    return status == CT_OK ? finish_record(calls, (struct ct_trace_event){.kind = CT_TRACE_END},
                                           at_ns, position)
                           : status;
}

OTF2_EvtReaderCallbacks *ct_otf2_new_callbacks(void)
{
    OTF2_EvtReaderCallbacks *callbacks = OTF2_EvtReaderCallbacks_New();
    if (!callbacks)
        return NULL;
    OTF2_EvtReaderCallbacks_SetEnterCallback(callbacks, on_enter);
    OTF2_EvtReaderCallbacks_SetLeaveCallback(callbacks, on_leave);
    OTF2_EvtReaderCallbacks_SetMpiSendCallback(callbacks, on_send);
    OTF2_EvtReaderCallbacks_SetMpiRecvCallback(callbacks, on_receive);
    OTF2_EvtReaderCallbacks_SetMpiIsendCallback(callbacks, on_isend);
    OTF2_EvtReaderCallbacks_SetMpiIsendCompleteCallback(callbacks, on_isend_complete);
    OTF2_EvtReaderCallbacks_SetMpiIrecvRequestCallback(callbacks, on_irecv_request);
    OTF2_EvtReaderCallbacks_SetMpiIrecvCallback(callbacks, on_irecv);
    OTF2_EvtReaderCallbacks_SetMpiRequestCancelledCallback(callbacks, on_cancelled);
    OTF2_EvtReaderCallbacks_SetMpiCollectiveBeginCallback(callbacks, on_collective_begin);
    OTF2_EvtReaderCallbacks_SetMpiCollectiveEndCallback(callbacks, on_collective_end);
    OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveRequestCallback(callbacks,
                                                                    on_collective_request);
    OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveCompleteCallback(callbacks,
                                                                     on_collective_complete);
    OTF2_EvtReaderCallbacks_SetRmaPutCallback(callbacks, on_put_or_get);
    OTF2_EvtReaderCallbacks_SetRmaGetCallback(callbacks, on_put_or_get);
    OTF2_EvtReaderCallbacks_SetProgramEndCallback(callbacks, on_program_end);
    return callbacks;
}
