/* Events as an archive: each call is a region with the records of MPI in it, as Score-P writes
 * them; what these cannot say is in attributes. Definitions come last, when they are known. */
#include "core/array.h"
#include "core/version.h"
#include "lp-bridge/convert/communicators.h"
#include "lp-bridge/otf2/definitions.h"
#include "lp-bridge/otf2/otf2.h"
#include "lp-bridge/otf2/sizes.h"
#include "lp-bridge/trace/call.h"

#include <errno.h>
#include <ftw.h>
#include <inttypes.h>
#include <otf2/otf2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { EVENTS_CHUNK = 1 << 20, DEFINITIONS_CHUNK = 4 << 20, TICKS_PER_S = 1000000000 };

/* What a request began. */
struct request {
    uint64_t id;
    enum ct_trace_kind kind;
    OTF2_CommRef ref;
    uint32_t comm; /* number in events */
    uint32_t root; /* member */
    struct ct_otf2_sizes sizes;
};

struct text {
    char *text;
    uint64_t hash;
};

struct region {
    OTF2_StringRef name;
    OTF2_RegionRole role;
    bool is_unmodelled;
};

struct writer {
    const struct ct_events *source;
    OTF2_Archive *archive;
    OTF2_EvtWriter *events;
    OTF2_AttributeList *attributes;
    struct ct_comms comms;
    uint32_t n_self;    /* communicators of one rank: highest ordinal + 1 */
    OTF2_CommRef *refs; /* [comms.n] */
    struct text *texts; /* OTF2_StringRef -> text */
    size_t n_texts, room_texts;
    struct ct_handle_map text_of; /* hash -> index + 1 */
    struct region *regions;
    size_t n_regions, room_regions;
    struct ct_handle_map region_of; /* name << 1 | is_unmodelled -> index + 1 */
    uint64_t *n_events;             /* [ranks] */
    uint64_t origin_ns, last_ns;
    /* the rank under way */
    uint32_t rank;
    uint64_t shift_ns, end_ns;
    struct ct_handle_map comm_numbers; /* number -> index among comms + 1 */
    struct ct_handle_map requests;     /* number -> index + 1 */
    struct request *under_way;
    size_t n_under_way, room_under_way;
    uint64_t n_requests;
    OTF2_ErrorCode code; /* of the first call that failed */
    struct ct_error *err;
};

static enum ct_status no_memory(const struct writer *writer)
{
    return ct_fail(writer->err, CT_ENOMEM, "archive: out of memory");
}

/* The first failure counts; it is reported where a status is returned. */
static void keep(struct writer *writer, OTF2_ErrorCode code)
{
    if (writer->code == OTF2_SUCCESS)
        writer->code = code;
}

static enum ct_status check(const struct writer *writer)
{
    return writer->code == OTF2_SUCCESS
               ? CT_OK
               : ct_fail(writer->err, CT_EIO, "the archive cannot be written: OTF2: %s",
                         OTF2_Error_GetDescription(writer->code));
}

/* ---- texts and regions ---- */

static uint64_t hash_of(const char *text)
{
    uint64_t hash = 0xcbf29ce484222325U;
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * 0x100000001b3U;
    return hash;
}

static enum ct_status find_text(struct writer *writer, const char *text, OTF2_StringRef *ref_p)
{
    uint64_t hash = hash_of(text);
    uint32_t found = ct_handle_map_find(&writer->text_of, hash);
    if (found != 0 && strcmp(writer->texts[found - 1].text, text) == 0) {
        *ref_p = found - 1;
        return CT_OK;
    }
    char *copy = strdup(text);
    if (!copy || writer->n_texts >= UINT32_MAX - 1 ||
        !CT_ARRAY_RESERVE(writer->texts, writer->room_texts, writer->n_texts + 1)) {
        free(copy);
        return no_memory(writer);
    }
    *ref_p = (OTF2_StringRef)writer->n_texts;
    writer->texts[writer->n_texts++] = (struct text){copy, hash};
    if (found == 0 && !ct_handle_map_add(&writer->text_of, hash, *ref_p + 1))
        return no_memory(writer);
    return CT_OK;
}

static OTF2_RegionRole role_of(enum ct_trace_kind kind)
{
    switch (ct_trace_class_of(kind)) {
    case CT_TRACE_CLASS_SEND:
    case CT_TRACE_CLASS_RECEIVE:
    case CT_TRACE_CLASS_WAIT:
        return OTF2_REGION_ROLE_POINT2POINT;
    case CT_TRACE_CLASS_COLLECTIVE:
        return kind == CT_TRACE_BARRIER ? OTF2_REGION_ROLE_BARRIER : OTF2_REGION_ROLE_COLL_OTHER;
    default:
        return OTF2_REGION_ROLE_FUNCTION;
    }
}

static enum ct_status find_region(struct writer *writer, const struct ct_trace_event *event,
                                  OTF2_RegionRef *ref_p)
{
    char name[CT_TRACE_CALL_MAX];
    bool is_unmodelled = event->kind == CT_TRACE_UNMODELLED;
    struct region region = {.role = role_of(event->kind), .is_unmodelled = is_unmodelled};
    ct_trace_call_name(event, name);
    enum ct_status status = find_text(writer, name, &region.name);
    if (status != CT_OK)
        return status;
    uint64_t key = (uint64_t)region.name << 1 | is_unmodelled;
    uint32_t found = ct_handle_map_find(&writer->region_of, key);
    if (found == 0) {
        if (!CT_ARRAY_RESERVE(writer->regions, writer->room_regions, writer->n_regions + 1))
            return no_memory(writer);
        writer->regions[writer->n_regions++] = region;
        found = (uint32_t)writer->n_regions;
        if (!ct_handle_map_add(&writer->region_of, key, found))
            return no_memory(writer);
    }
    *ref_p = found - 1;
    return CT_OK;
}

/* ---- communicators ---- */

/* Before the events: all communicators. */
static enum ct_status add_comm(struct writer *writer, const struct ct_trace_event *event)
{
    enum { ORDINAL_MAX = 1 << 20 };
    uint32_t comm = 0;
    enum ct_status status =
        ct_comms_add(&writer->comms, event->values, event->n_values, &comm, writer->err);
    if (status != CT_OK)
        return status;
    const struct ct_comm *added = &writer->comms.comms[comm];
    if (added->n == 1 && added->ordinal >= ORDINAL_MAX)
        return ct_fail(writer->err, CT_EUNSUPPORTED, "more than 2^20 communicators of one rank");
    if (added->n == 1 && added->ordinal >= writer->n_self)
        writer->n_self = (uint32_t)added->ordinal + 1;
    return CT_OK;
}

/* Of a communicator of several ranks, after `before`: the one with the next ordinal; comms.n: there
 * is none. By their order a reader tells those with the same members apart. */
static size_t next_comm(const struct ct_comms *comms, size_t before)
{
    size_t found = comms->n;
    for (size_t i = 0; i < comms->n; i++) {
        const struct ct_comm *comm = &comms->comms[i];
        bool is_later = before == comms->n || comm->ordinal > comms->comms[before].ordinal ||
                        (comm->ordinal == comms->comms[before].ordinal && i > before);
        if (comm->n > 1 && is_later &&
            (found == comms->n || comm->ordinal < comms->comms[found].ordinal))
            found = i;
    }
    return found;
}

/* References are consecutive: communicators of one rank, all ranks' by their ordinals, then the
 * others. */
static enum ct_status number_comms(struct writer *writer)
{
    const struct ct_comms *comms = &writer->comms;
    OTF2_CommRef next = writer->n_self;
    writer->refs = calloc(comms->n + 1, sizeof *writer->refs);
    if (!writer->refs)
        return no_memory(writer);
    for (size_t i = 0; i < comms->n; i++)
        if (comms->comms[i].n == 1)
            writer->refs[i] = (OTF2_CommRef)comms->comms[i].ordinal;
    for (size_t i = next_comm(comms, comms->n); i < comms->n; i = next_comm(comms, i))
        writer->refs[i] = next++;
    return CT_OK;
}

/* The event's communicator, which its number stands for from now on. */
static enum ct_status on_comm(struct writer *writer, const struct ct_trace_event *event)
{
    uint32_t comm = 0;
    enum ct_status status =
        ct_comms_add(&writer->comms, event->values, event->n_values, &comm, writer->err);
    if (status != CT_OK)
        return status;
    return ct_handle_map_add(&writer->comm_numbers, event->comm, comm + 1) ? CT_OK
                                                                           : no_memory(writer);
}

static enum ct_status find_comm(const struct writer *writer, uint32_t number,
                                const struct ct_comm **comm_p, OTF2_CommRef *ref_p)
{
    uint32_t found = ct_handle_map_find(&writer->comm_numbers, number);
    if (found == 0)
        return ct_fail(writer->err, CT_EFORMAT, "communicator %u is not in the trace", number);
    *comm_p = &writer->comms.comms[found - 1];
    *ref_p = writer->refs[found - 1];
    return CT_OK;
}

static enum ct_status member_of(const struct writer *writer, const struct ct_comm *comm,
                                int64_t rank, uint32_t *member_p)
{
    if (rank >= 0 && rank < comm->n && comm->members[rank] == rank) {
        *member_p = (uint32_t)rank;
        return CT_OK;
    }
    if (rank >= 0 && ct_comm_member(comm, (uint32_t)rank, member_p))
        return CT_OK;
    return ct_fail(writer->err, CT_EFORMAT, "rank %" PRId64 " is not in the communicator", rank);
}

/* ---- requests ---- */

static struct request *find_request(struct writer *writer, uint32_t number)
{
    uint32_t found = ct_handle_map_find(&writer->requests, number);
    return found ? &writer->under_way[found - 1] : NULL;
}

static void end_request(struct writer *writer, uint32_t number)
{
    uint32_t found = ct_handle_map_find(&writer->requests, number);
    if (found != 0)
        ct_handle_map_remove(&writer->requests, number, found);
}

/* Places of requests are used again when none is under way. */
static enum ct_status begin_request(struct writer *writer, uint32_t number, struct request request,
                                    uint64_t *id_p)
{
    end_request(writer, number);
    if (writer->requests.n == 0)
        writer->n_under_way = 0;
    if (writer->n_under_way >= UINT32_MAX - 1 ||
        !CT_ARRAY_RESERVE(writer->under_way, writer->room_under_way, writer->n_under_way + 1))
        return no_memory(writer);
    request.id = *id_p = writer->n_requests++;
    writer->under_way[writer->n_under_way++] = request;
    return ct_handle_map_add(&writer->requests, number, (uint32_t)writer->n_under_way)
               ? CT_OK
               : no_memory(writer);
}

/* ---- records in a call ---- */

static void add_number(struct writer *writer, enum ct_otf2_attribute which, uint64_t value)
{
    keep(writer, OTF2_AttributeList_AddUint64(writer->attributes, (OTF2_AttributeRef)which, value));
}

static enum ct_status add_receive_attributes(struct writer *writer,
                                             const struct ct_trace_event *event)
{
    const struct ct_comm *comm;
    OTF2_CommRef ref = 0;
    enum ct_status status = find_comm(writer, event->comm, &comm, &ref);
    add_number(writer, CT_OTF2_ATTRIBUTE_SOURCE, (uint64_t)((int64_t)event->from.rank + 1));
    add_number(writer, CT_OTF2_ATTRIBUTE_TAG, (uint64_t)((int64_t)event->from.tag + 1));
    add_number(writer, CT_OTF2_ATTRIBUTE_BYTES, event->from.bytes);
    add_number(writer, CT_OTF2_ATTRIBUTE_COMM, ref);
    return status;
}

static enum ct_status write_send(struct writer *writer, const struct ct_trace_event *event,
                                 uint64_t at_ns)
{
    const struct ct_comm *comm = NULL;
    OTF2_CommRef ref = 0;
    uint32_t member = 0;
    uint64_t id;
    enum ct_status status = find_comm(writer, event->comm, &comm, &ref);
    if (status == CT_OK)
        status = member_of(writer, comm, event->to.rank, &member);
    if (status == CT_OK && event->to.tag < 0)
        status = ct_fail(writer->err, CT_EFORMAT, "a message with tag %d", event->to.tag);
    if (status != CT_OK)
        return status;
    if (event->request == 0) {
        keep(writer, OTF2_EvtWriter_MpiSend(writer->events, NULL, at_ns, member, ref,
                                            (uint32_t)event->to.tag, event->to.bytes));
        return CT_OK;
    }
    status = begin_request(writer, event->request, (struct request){.kind = CT_TRACE_SEND}, &id);
    if (status == CT_OK)
        keep(writer, OTF2_EvtWriter_MpiIsend(writer->events, NULL, at_ns, member, ref,
                                             (uint32_t)event->to.tag, event->to.bytes, id));
    return status;
}

/* A receive that is over: MpiRecv, or MpiIrecv of a request. */
static enum ct_status write_received(struct writer *writer, const struct ct_comm *comm,
                                     OTF2_CommRef ref, const struct ct_trace_message *from,
                                     const uint64_t *id, uint64_t at_ns)
{
    uint32_t member = 0;
    enum ct_status status = member_of(writer, comm, from->rank, &member);
    if (status == CT_OK && from->tag < 0)
        status = ct_fail(writer->err, CT_EFORMAT, "a message with tag %d", from->tag);
    if (status != CT_OK)
        return status;
    keep(writer, id ? OTF2_EvtWriter_MpiIrecv(writer->events, NULL, at_ns, member, ref,
                                              (uint32_t)from->tag, from->bytes, *id)
                    : OTF2_EvtWriter_MpiRecv(writer->events, NULL, at_ns, member, ref,
                                             (uint32_t)from->tag, from->bytes));
    return CT_OK;
}

static enum ct_status write_receive(struct writer *writer, const struct ct_trace_event *event,
                                    uint64_t start_ns, uint64_t end_ns)
{
    const struct ct_comm *comm = NULL;
    OTF2_CommRef ref = 0;
    uint64_t id;
    enum ct_status status = find_comm(writer, event->comm, &comm, &ref);
    if (status != CT_OK)
        return status;
    if (event->request == 0)
        return write_received(writer, comm, ref, &event->from, NULL, end_ns);
    status = begin_request(writer, event->request,
                           (struct request){.kind = CT_TRACE_RECEIVE, .comm = event->comm}, &id);
    if (status == CT_OK)
        status = add_receive_attributes(writer, event);
    if (status == CT_OK)
        keep(writer,
             OTF2_EvtWriter_MpiIrecvRequest(writer->events, writer->attributes, start_ns, id));
    return status;
}

static OTF2_CollectiveOp op_of(enum ct_trace_kind kind)
{
    static const OTF2_CollectiveOp ops[CT_TRACE_N_KINDS] = {
        [CT_TRACE_BARRIER] = OTF2_COLLECTIVE_OP_BARRIER,
        [CT_TRACE_BCAST] = OTF2_COLLECTIVE_OP_BCAST,
        [CT_TRACE_REDUCE] = OTF2_COLLECTIVE_OP_REDUCE,
        [CT_TRACE_ALLREDUCE] = OTF2_COLLECTIVE_OP_ALLREDUCE,
        [CT_TRACE_SCAN] = OTF2_COLLECTIVE_OP_SCAN,
        [CT_TRACE_EXSCAN] = OTF2_COLLECTIVE_OP_EXSCAN,
        [CT_TRACE_GATHER] = OTF2_COLLECTIVE_OP_GATHER,
        [CT_TRACE_SCATTER] = OTF2_COLLECTIVE_OP_SCATTER,
        [CT_TRACE_ALLGATHER] = OTF2_COLLECTIVE_OP_ALLGATHER,
        [CT_TRACE_ALLTOALL] = OTF2_COLLECTIVE_OP_ALLTOALL,
        [CT_TRACE_ALLTOALLV] = OTF2_COLLECTIVE_OP_ALLTOALLV,
        [CT_TRACE_REDUCE_SCATTER] = OTF2_COLLECTIVE_OP_REDUCE_SCATTER,
        [CT_TRACE_NEIGHBOR] = OTF2_COLLECTIVE_OP_ALLTOALLV,
    };
    return ops[kind];
}

static enum ct_status describe_collective(const struct writer *writer,
                                          const struct ct_trace_event *event,
                                          struct request *what_p)
{
    const struct ct_comm *comm = NULL;
    struct ct_otf2_place place = {.n = 1};
    struct request what = {.kind = event->kind, .root = OTF2_COLLECTIVE_ROOT_NONE};
    enum ct_status status = find_comm(writer, event->comm, &comm, &what.ref);
    if (status == CT_OK)
        status = member_of(writer, comm, writer->rank, &place.member);
    if (status == CT_OK && ct_trace_kind_fields(event->kind) & CT_TRACE_ROOT) {
        status = member_of(writer, comm, event->root, &what.root);
        place.is_root = what.root == place.member;
    }
    if (status != CT_OK)
        return status;
    place.n = comm->n;
    what.sizes = ct_otf2_sizes_of(event->kind, ct_trace_sent_bytes(event), place);
    *what_p = what;
    return CT_OK;
}

static enum ct_status write_collective(struct writer *writer, const struct ct_trace_event *event,
                                       uint64_t start_ns, uint64_t end_ns)
{
    struct request what = {.kind = CT_TRACE_NONE};
    uint64_t id;
    enum ct_status status = describe_collective(writer, event, &what);
    if (status != CT_OK)
        return status;
    if (event->request == 0) {
        keep(writer, OTF2_EvtWriter_MpiCollectiveBegin(writer->events, NULL, start_ns));
        keep(writer, OTF2_EvtWriter_MpiCollectiveEnd(writer->events, NULL, end_ns,
                                                     op_of(event->kind), what.ref, what.root,
                                                     what.sizes.sent, what.sizes.received));
        return CT_OK;
    }
    status = begin_request(writer, event->request, what, &id);
    if (status == CT_OK)
        keep(writer,
             OTF2_EvtWriter_NonBlockingCollectiveRequest(writer->events, NULL, start_ns, id));
    return status;
}

static enum ct_status write_completion(struct writer *writer,
                                       const struct ct_trace_completion *completion, uint64_t at_ns)
{
    const struct request *found = find_request(writer, completion->request);
    if (!found)
        return ct_fail(writer->err, CT_EFORMAT, "completes request %u, which was not begun",
                       completion->request);
    struct request request = *found;
    end_request(writer, completion->request);
    if (request.kind == CT_TRACE_SEND) {
        keep(writer, OTF2_EvtWriter_MpiIsendComplete(writer->events, NULL, at_ns, request.id));
    } else if (request.kind == CT_TRACE_RECEIVE && !completion->received) {
        keep(writer, OTF2_EvtWriter_MpiRequestCancelled(writer->events, NULL, at_ns, request.id));
    } else if (request.kind == CT_TRACE_RECEIVE) {
        const struct ct_comm *comm = NULL;
        enum ct_status status = find_comm(writer, request.comm, &comm, &request.ref);
        return status == CT_OK ? write_received(writer, comm, request.ref, &completion->from,
                                                &request.id, at_ns)
                               : status;
    } else {
        keep(writer, OTF2_EvtWriter_NonBlockingCollectiveComplete(
                         writer->events, NULL, at_ns, op_of(request.kind), request.ref,
                         request.root, request.sizes.sent, request.sizes.received, request.id));
    }
    return CT_OK;
}

static enum ct_status write_completions(struct writer *writer, const struct ct_trace_event *event,
                                        uint64_t at_ns)
{
    struct ct_trace_completion completion;
    size_t at = 0;
    enum ct_status status = CT_OK;
    while (status == CT_OK && ct_trace_completion_next(event, &at, &completion))
        status = write_completion(writer, &completion, at_ns);
    if (status == CT_OK && at < event->n_values)
        status = ct_fail(writer->err, CT_EFORMAT, "a damaged list of completions");
    return status;
}

/* ---- calls ---- */

/* Numbers with blanks between, as a string of the archive. */
static enum ct_status add_list(struct writer *writer, const struct ct_trace_event *event)
{
    enum { DIGITS_MAX = 21 };
    OTF2_StringRef ref = 0;
    char *text = malloc(DIGITS_MAX * event->n_values + 1), *to = text;
    if (!text)
        return no_memory(writer);
    *to = '\0';
    for (size_t i = 0; i < event->n_values; i++)
        to += sprintf(to, "%s%" PRIu64, i > 0 ? " " : "", event->values[i]);
    enum ct_status status = find_text(writer, text, &ref);
    if (status == CT_OK)
        keep(writer,
             OTF2_AttributeList_AddStringRef(writer->attributes, CT_OTF2_ATTRIBUTE_VALUES, ref));
    free(text);
    return status;
}

/* What the records of a call cannot say. */
static enum ct_status add_attributes(struct writer *writer, const struct ct_trace_event *event)
{
    const struct request *request;
    const struct ct_comm *comm;
    OTF2_CommRef ref = 0;
    enum ct_status status;
    switch (event->kind) {
    case CT_TRACE_NEW_COMM:
        status = find_comm(writer, event->comm, &comm, &ref);
        add_number(writer, CT_OTF2_ATTRIBUTE_COMM, ref);
        return status;
    case CT_TRACE_PROBE:
        return add_receive_attributes(writer, event);
    case CT_TRACE_CANCEL:
    case CT_TRACE_FREE:
        request = find_request(writer, event->request);
        if (request)
            add_number(writer, CT_OTF2_ATTRIBUTE_REQUEST, request->id);
        return CT_OK;
    case CT_TRACE_ALLTOALLV:
    case CT_TRACE_REDUCE_SCATTER:
    case CT_TRACE_NEIGHBOR:
        return add_list(writer, event);
    default:
        return CT_OK;
    }
}

static enum ct_status write_records(struct writer *writer, const struct ct_trace_event *event,
                                    uint64_t start_ns, uint64_t end_ns)
{
    enum ct_status status = CT_OK;
    switch (event->kind) {
    case CT_TRACE_SEND:
        return write_send(writer, event, start_ns);
    case CT_TRACE_RECEIVE:
        return write_receive(writer, event, start_ns, end_ns);
    case CT_TRACE_SENDRECV:
        status = write_send(writer, event, start_ns);
        return status == CT_OK ? write_receive(writer, event, start_ns, end_ns) : status;
    case CT_TRACE_WAIT:
    case CT_TRACE_TEST:
        return write_completions(writer, event, end_ns);
    case CT_TRACE_FREE:
        end_request(writer, event->request);
        return CT_OK;
    default:
        return ct_trace_class_of(event->kind) == CT_TRACE_CLASS_COLLECTIVE
                   ? write_collective(writer, event, start_ns, end_ns)
                   : CT_OK;
    }
}

static enum ct_status write_event(struct writer *writer, const struct ct_trace_event *event)
{
    OTF2_RegionRef region = 0;
    uint64_t start_ns = event->start_ns + writer->shift_ns;
    uint64_t end_ns = event->end_ns + writer->shift_ns;
    if (start_ns < writer->end_ns)
        start_ns = writer->end_ns;
    if (end_ns < start_ns)
        end_ns = start_ns;
    writer->end_ns = end_ns;
    if (end_ns > writer->last_ns)
        writer->last_ns = end_ns;
    OTF2_AttributeList_RemoveAllAttributes(writer->attributes);
    enum ct_status status = event->kind == CT_TRACE_NEW_COMM ? on_comm(writer, event) : CT_OK;
    if (status == CT_OK)
        status = find_region(writer, event, &region);
    if (status == CT_OK)
        status = add_attributes(writer, event);
    if (status != CT_OK)
        return status;
    keep(writer, OTF2_EvtWriter_Enter(writer->events, writer->attributes, start_ns, region));
    OTF2_AttributeList_RemoveAllAttributes(writer->attributes);
    status = write_records(writer, event, start_ns, end_ns);
    OTF2_AttributeList_RemoveAllAttributes(writer->attributes);
    if (status != CT_OK)
        return status;
    keep(writer, OTF2_EvtWriter_Leave(writer->events, NULL, end_ns, region));
    return check(writer);
}

/* ---- ranks ---- */

static enum ct_status write_rank_events(struct writer *writer)
{
    const struct ct_events *source = writer->source;
    struct ct_trace_event event;
    uint64_t position;
    enum ct_status status;
    source->rewind(source->context, writer->rank);
    while ((status = source->next(source->context, writer->rank, &event, &position, writer->err)) ==
               CT_OK &&
           event.kind != CT_TRACE_NONE) {
        status = write_event(writer, &event);
        if (status == CT_EFORMAT)
            ct_fail_within(writer->err, status, "rank %u, %s %" PRIu64 " (%s)", writer->rank,
                           source->position_unit, position, ct_trace_kind_text(event.kind));
        if (status != CT_OK)
            break;
    }
    return status;
}

static enum ct_status write_rank(struct writer *writer, uint32_t rank)
{
    const struct ct_events_clock *clocks = writer->source->clocks;
    writer->rank = rank;
    writer->shift_ns = (clocks ? clocks[rank].offset_ns : 0) - writer->origin_ns;
    writer->end_ns = 0;
    ct_handle_map_free(&writer->comm_numbers);
    ct_handle_map_free(&writer->requests);
    writer->comm_numbers = writer->requests = (struct ct_handle_map){0};
    writer->n_under_way = 0;
    writer->events = OTF2_Archive_GetEvtWriter(writer->archive, rank);
    if (!writer->events)
        return ct_fail(writer->err, CT_EIO, "the events of rank %u cannot be written", rank);
    enum ct_status status = write_rank_events(writer);
    keep(writer, OTF2_EvtWriter_GetNumberOfEvents(writer->events, &writer->n_events[rank]));
    keep(writer, OTF2_Archive_CloseEvtWriter(writer->archive, writer->events));
    return status == CT_OK ? check(writer) : status;
}

/* A pass before: all communicators, and when the first rank began, for nothing of the archive is
 * before. */
static enum ct_status prepare_rank(struct writer *writer, uint32_t rank)
{
    const struct ct_events *source = writer->source;
    struct ct_trace_event event;
    uint64_t position, first_ns = 0;
    bool begun = source->clocks != NULL;
    enum ct_status status;
    if (begun)
        first_ns = source->clocks[rank].start_ns + source->clocks[rank].offset_ns;
    source->rewind(source->context, rank);
    while ((status = source->next(source->context, rank, &event, &position, writer->err)) ==
               CT_OK &&
           event.kind != CT_TRACE_NONE) {
        if (!begun)
            first_ns = event.start_ns;
        begun = true;
        if (event.kind == CT_TRACE_NEW_COMM)
            status = add_comm(writer, &event);
        if (status != CT_OK)
            return ct_fail_within(writer->err, status, "rank %u, %s %" PRIu64, rank,
                                  source->position_unit, position);
    }
    if (begun && first_ns < writer->origin_ns)
        writer->origin_ns = first_ns;
    return status;
}

static enum ct_status prepare(struct writer *writer)
{
    enum ct_status status = CT_OK;
    writer->origin_ns = UINT64_MAX;
    for (uint32_t rank = 0; rank < writer->source->n_ranks && status == CT_OK; rank++)
        status = prepare_rank(writer, rank);
    return status == CT_OK ? number_comms(writer) : status;
}

/* ---- definitions ---- */

enum { GROUP_RANKS, GROUP_SELF, GROUP_FIRST_COMM };

static OTF2_StringRef text(struct writer *writer, OTF2_GlobalDefWriter *to, const char *content)
{
    OTF2_StringRef ref = OTF2_UNDEFINED_STRING;
    size_t before = writer->n_texts;
    if (find_text(writer, content, &ref) != CT_OK)
        keep(writer, OTF2_ERROR_MEM_ALLOC_FAILED);
    else if (ref >= before)
        keep(writer, OTF2_GlobalDefWriter_WriteString(to, ref, content));
    return ref;
}

static void define_attributes(struct writer *writer, OTF2_GlobalDefWriter *to)
{
    static const char *const names[CT_OTF2_N_ATTRIBUTES] = {
#define CT_OTF2_ATTRIBUTE_NAME(name, content) [CT_OTF2_ATTRIBUTE_##name] = (content),
        CT_OTF2_ATTRIBUTE_MAP(CT_OTF2_ATTRIBUTE_NAME)
#undef CT_OTF2_ATTRIBUTE_NAME
    };
    for (int a = 0; a < CT_OTF2_N_ATTRIBUTES; a++)
        keep(writer, OTF2_GlobalDefWriter_WriteAttribute(
                         to, (OTF2_AttributeRef)a, text(writer, to, names[a]), text(writer, to, ""),
                         a == CT_OTF2_ATTRIBUTE_VALUES ? OTF2_TYPE_STRING : OTF2_TYPE_UINT64));
}

static void define_regions(struct writer *writer, OTF2_GlobalDefWriter *to)
{
    OTF2_StringRef none = text(writer, to, ""), unmodelled = text(writer, to, CT_OTF2_UNMODELLED);
    for (size_t i = 0; i < writer->n_regions; i++) {
        const struct region *region = &writer->regions[i];
        bool is_mpi =
            !region->is_unmodelled || strncmp(writer->texts[region->name].text, "MPI_", 4) == 0;
        keep(writer, OTF2_GlobalDefWriter_WriteRegion(
                         to, (OTF2_RegionRef)i, region->name, region->name,
                         region->is_unmodelled ? unmodelled : none, region->role,
                         is_mpi ? OTF2_PARADIGM_MPI : OTF2_PARADIGM_MEASUREMENT_SYSTEM,
                         OTF2_REGION_FLAG_NONE, none, 0, 0));
    }
}

static void define_ranks(struct writer *writer, OTF2_GlobalDefWriter *to)
{
    uint32_t n = writer->source->n_ranks;
    char name[32];
    uint64_t *ranks = malloc(n * sizeof *ranks);
    if (!ranks) {
        keep(writer, OTF2_ERROR_MEM_ALLOC_FAILED);
        return;
    }
    keep(writer, OTF2_GlobalDefWriter_WriteSystemTreeNode(to, 0, text(writer, to, "machine"),
                                                          text(writer, to, "machine"),
                                                          OTF2_UNDEFINED_SYSTEM_TREE_NODE));
    for (uint32_t rank = 0; rank < n; rank++) {
        ranks[rank] = rank;
        snprintf(name, sizeof name, "MPI Rank %u", rank);
        keep(writer, OTF2_GlobalDefWriter_WriteLocationGroup(to, rank, text(writer, to, name),
                                                             OTF2_LOCATION_GROUP_TYPE_PROCESS, 0,
                                                             OTF2_UNDEFINED_LOCATION_GROUP));
        keep(writer, OTF2_GlobalDefWriter_WriteLocation(to, rank, text(writer, to, "Master thread"),
                                                        OTF2_LOCATION_TYPE_CPU_THREAD,
                                                        writer->n_events[rank], rank));
    }
    keep(writer, OTF2_GlobalDefWriter_WriteGroup(to, GROUP_RANKS, text(writer, to, "MPI"),
                                                 OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI,
                                                 OTF2_GROUP_FLAG_NONE, n, ranks));
    keep(writer, OTF2_GlobalDefWriter_WriteGroup(to, GROUP_SELF, text(writer, to, ""),
                                                 OTF2_GROUP_TYPE_COMM_SELF, OTF2_PARADIGM_MPI,
                                                 OTF2_GROUP_FLAG_NONE, 0, NULL));
    free(ranks);
}

static void define_comm(struct writer *writer, OTF2_GlobalDefWriter *to, size_t index)
{
    const struct ct_comm *comm = &writer->comms.comms[index];
    OTF2_GroupRef group = GROUP_FIRST_COMM + writer->refs[index] - writer->n_self;
    uint64_t *members = malloc(comm->n * sizeof *members);
    bool is_world = comm->n == writer->source->n_ranks && comm->ordinal == 0;
    if (!members) {
        keep(writer, OTF2_ERROR_MEM_ALLOC_FAILED);
        return;
    }
    for (uint32_t i = 0; i < comm->n; i++) {
        members[i] = comm->members[i];
        is_world = is_world && members[i] == i;
    }
    OTF2_StringRef name = text(writer, to, is_world ? "MPI_COMM_WORLD" : "");
    keep(writer, OTF2_GlobalDefWriter_WriteGroup(to, group, name, OTF2_GROUP_TYPE_COMM_GROUP,
                                                 OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, comm->n,
                                                 members));
    keep(writer, OTF2_GlobalDefWriter_WriteComm(to, writer->refs[index], name, group,
                                                OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE));
    free(members);
}

static void define_comms(struct writer *writer, OTF2_GlobalDefWriter *to)
{
    const struct ct_comms *comms = &writer->comms;
    for (uint32_t i = 0; i < writer->n_self; i++)
        keep(writer,
             OTF2_GlobalDefWriter_WriteComm(to, i, text(writer, to, i == 0 ? "MPI_COMM_SELF" : ""),
                                            GROUP_SELF, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE));
    for (size_t i = next_comm(comms, comms->n); i < comms->n; i = next_comm(comms, i))
        define_comm(writer, to, i);
}

static enum ct_status write_definitions(struct writer *writer)
{
    keep(writer, OTF2_Archive_OpenDefFiles(writer->archive));
    for (uint32_t rank = 0; rank < writer->source->n_ranks; rank++) {
        OTF2_DefWriter *local = OTF2_Archive_GetDefWriter(writer->archive, rank);
        keep(writer,
             local ? OTF2_Archive_CloseDefWriter(writer->archive, local) : OTF2_ERROR_INVALID);
    }
    keep(writer, OTF2_Archive_CloseDefFiles(writer->archive));
    OTF2_GlobalDefWriter *to = OTF2_Archive_GetGlobalDefWriter(writer->archive);
    if (!to)
        return ct_fail(writer->err, CT_EIO, "its definitions cannot be written");
    uint64_t realtime_ns = writer->source->clocks ? writer->origin_ns : OTF2_UNDEFINED_TIMESTAMP;
    keep(writer, OTF2_GlobalDefWriter_WriteClockProperties(to, TICKS_PER_S, 0, writer->last_ns + 1,
                                                           realtime_ns));
    for (size_t i = 0; i < writer->n_texts; i++)
        keep(writer,
             OTF2_GlobalDefWriter_WriteString(to, (OTF2_StringRef)i, writer->texts[i].text));
    keep(writer, OTF2_GlobalDefWriter_WriteParadigm(to, OTF2_PARADIGM_MPI, text(writer, to, "MPI"),
                                                    OTF2_PARADIGM_CLASS_PROCESS));
    define_attributes(writer, to);
    define_regions(writer, to);
    define_ranks(writer, to);
    define_comms(writer, to);
    keep(writer, OTF2_Archive_CloseGlobalDefWriter(writer->archive, to));
    return check(writer);
}

/* ---- the archive ---- */

static OTF2_FlushType flush(void *data, OTF2_FileType type, OTF2_LocationRef location, void *caller,
                            bool is_last)
{
    (void)data;
    (void)type;
    (void)location;
    (void)caller;
    (void)is_last;
    return OTF2_FLUSH;
}

static enum ct_status write_all(struct writer *writer, const char *directory)
{
    static const OTF2_FlushCallbacks callbacks = {.otf2_pre_flush = flush};
    enum ct_status status = prepare(writer);
    if (status != CT_OK)
        return status;
    writer->archive =
        OTF2_Archive_Open(directory, "traces", OTF2_FILEMODE_WRITE, EVENTS_CHUNK, DEFINITIONS_CHUNK,
                          OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    if (!writer->archive)
        return ct_fail(writer->err, CT_EIO, "cannot be created");
    keep(writer, OTF2_Archive_SetFlushCallbacks(writer->archive, &callbacks, NULL));
    keep(writer, OTF2_Archive_SetSerialCollectiveCallbacks(writer->archive));
    keep(writer, OTF2_Archive_SetCreator(writer->archive, "crosstalk " CT_VERSION));
    keep(writer, OTF2_Archive_OpenEvtFiles(writer->archive));
    status = check(writer);
    for (uint32_t rank = 0; rank < writer->source->n_ranks && status == CT_OK; rank++)
        status = write_rank(writer, rank);
    keep(writer, OTF2_Archive_CloseEvtFiles(writer->archive));
    if (status == CT_OK)
        status = write_definitions(writer);
    keep(writer, OTF2_Archive_Close(writer->archive));
    return status == CT_OK ? check(writer) : status;
}

static void free_writer(struct writer *writer)
{
    for (size_t i = 0; i < writer->n_texts; i++)
        free(writer->texts[i].text);
    free(writer->texts);
    free(writer->regions);
    free(writer->n_events);
    free(writer->refs);
    free(writer->under_way);
    ct_handle_map_free(&writer->text_of);
    ct_handle_map_free(&writer->region_of);
    ct_handle_map_free(&writer->comm_numbers);
    ct_handle_map_free(&writer->requests);
    ct_comms_free(&writer->comms);
    OTF2_AttributeList_Delete(writer->attributes);
}

static int remove_one(const char *path, const struct stat *about, int type, struct FTW *walk)
{
    (void)about;
    (void)type;
    (void)walk;
    return remove(path);
}

static void remove_all(const char *directory)
{
    enum { OPEN_FOLDERS = 8 };
    nftw(directory, remove_one, OPEN_FOLDERS, FTW_DEPTH | FTW_PHYS);
}

/* The library writes the anchor last: an archive that is not complete has none. */
enum ct_status ct_otf2_write(const struct ct_events *events, const char *directory,
                             struct ct_error *err)
{
    struct writer writer = {
        .source = events,
        .comms = {.n_ranks = events->n_ranks, .position_unit = events->position_unit},
        .attributes = OTF2_AttributeList_New(),
        .n_events = calloc(events->n_ranks, sizeof *writer.n_events),
        .err = err};
    enum ct_status status = writer.attributes && writer.n_events ? CT_OK : no_memory(&writer);
    if (status == CT_OK && access(directory, F_OK) == 0 && rmdir(directory) != 0)
        status = ct_fail(err, CT_EEXIST,
                         "%s: is there already, and not empty: an archive gets a folder of its own",
                         directory);
    /* The library would make the folders above it, too. */
    if (status == CT_OK && mkdir(directory, 0777) != 0)
        status = ct_fail(err, CT_EIO, "%s: cannot be created: %s", directory, strerror(errno));
    if (status == CT_OK) {
        ct_otf2_keep_quiet();
        status = write_all(&writer, directory);
        if (status != CT_OK) {
            remove_all(directory);
            ct_fail_within(err, status, "%s", directory);
        }
    }
    free_writer(&writer);
    return status;
}
