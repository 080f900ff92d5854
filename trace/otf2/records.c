/* A callback of the library only packs what it gets. take_record() is what all records have in
 * common, and a row of `sorts` what sets one apart. */
#include "trace/otf2/records.h"

#include "trace/otf2/call_attributes.h"
#include "trace/otf2/calls.h"
#include "trace/otf2/collectives.h"
#include "trace/otf2/event_list.h"
#include "trace/otf2/requests.h"

#include <inttypes.h>

/* Of the library's arguments: those that the record has. */
struct record {
    uint64_t at_ns, position;
    const OTF2_AttributeList *attributes;
    OTF2_RegionRef region;
    uint64_t id; /* of a request */
    OTF2_CollectiveOp op;
    OTF2_CommRef comm;
    uint32_t peer; /* member: receiver, sender, root */
    uint32_t tag;
    uint64_t bytes, received;
};

typedef enum ct_status record_fn(struct ct_otf2_calls *calls, const struct record *record);

/* What a record is to the two passes; NULL: nothing. */
struct sort {
    record_fn *scan, *read;
    bool is_of_mpi; /* what a call communicates */
};

/* Offsets of a clock may set it back by a rounding; where it goes back further, no time is right.
 */
static enum ct_status go_on(struct ct_otf2_calls *calls, uint64_t *at_ns)
{
    enum { ROUNDING_NS = 1000 };
    uint64_t *last_ns = &calls->threads[calls->thread].last_ns;
    if (*at_ns + ROUNDING_NS < *last_ns)
        return ct_fail(calls->err, CT_EFORMAT, "is %" PRIu64 " ns before the event before",
                       *last_ns - *at_ns);
    if (*at_ns < *last_ns)
        *at_ns = *last_ns;
    *last_ns = *at_ns;
    return CT_OK;
}

static OTF2_CallbackCode take_record(void *data, const struct sort *sort, OTF2_TimeStamp time,
                                     struct record record)
{
    struct ct_otf2_calls *calls = data;
    record_fn *take = calls->scanning ? sort->scan : sort->read;
    enum ct_status status = CT_OK;
    if (!take || (calls->ended && !calls->scanning))
        return OTF2_CALLBACK_SUCCESS;
    record.at_ns = ct_otf2_time_ns(calls, time);
    if (!calls->scanning)
        status = go_on(calls, &record.at_ns);
    if (status == CT_OK && !calls->scanning)
        status = ct_otf2_begin_events(calls, record.at_ns, record.position);
    if (status == CT_OK && !calls->scanning)
        status = ct_otf2_calls_end_flush(calls, record.at_ns, record.position);
    calls->open.has_records |= sort->is_of_mpi;
    if (status == CT_OK)
        status = take(calls, &record);
    if (status == CT_OK)
        return OTF2_CALLBACK_SUCCESS;
    if (calls->status == CT_OK && status != CT_ENOMEM)
        ct_fail_within(calls->err, status, "rank %u, event %" PRIu64, calls->rank, record.position);
    calls->status = status;
    return OTF2_CALLBACK_INTERRUPT;
}

/* ---- regions ---- */

static enum ct_status enter_call(struct ct_otf2_calls *calls, const struct record *record)
{
    return ct_otf2_calls_enter(calls, record->region, record->at_ns, record->attributes);
}

static enum ct_status scan_leave(struct ct_otf2_calls *calls, const struct record *record)
{
    return ct_otf2_take_thread(calls, record->attributes);
}

static enum ct_status leave_call(struct ct_otf2_calls *calls, const struct record *record)
{
    enum ct_status status =
        ct_otf2_calls_leave(calls, record->region, record->at_ns, record->position);
    if (status == CT_OK)
        status = ct_otf2_take_thread(calls, record->attributes);
    return status != CT_OK || calls->next_thread == calls->thread || !calls->open.region
               ? status
               : ct_fail(calls->err, CT_EFORMAT, "goes on with another thread within a call");
}

static enum ct_status end_program(struct ct_otf2_calls *calls, const struct record *record)
{
    return ct_otf2_calls_end_program(calls, record->at_ns, record->position);
}

static enum ct_status turn_on_or_off(struct ct_otf2_calls *calls, const struct record *record)
{
    return record->id == OTF2_MEASUREMENT_OFF
               ? ct_otf2_calls_turn_off(calls, record->at_ns, record->position)
               : ct_otf2_calls_turn_on(calls, record->at_ns, record->position);
}

static enum ct_status flush_buffer(struct ct_otf2_calls *calls, const struct record *record)
{
    ct_otf2_calls_flush(calls, record->at_ns, ct_otf2_time_ns(calls, record->id));
    return CT_OK;
}

static enum ct_status note_rma(struct ct_otf2_calls *calls, const struct record *record)
{
    (void)record;
    calls->open.has_rma = true;
    return CT_OK;
}

/* ---- messages ---- */

static enum ct_status add_event(struct ct_otf2_calls *calls, const struct record *record,
                                struct ct_trace_event event)
{
    return ct_otf2_calls_add(calls, event, record->at_ns, record->position);
}

static enum ct_status take_message(const struct ct_otf2_calls *calls, const struct record *record,
                                   struct ct_trace_event *event, struct ct_trace_message *message_p)
{
    return ct_otf2_take_message(calls, record->comm, record->peer, record->tag, record->bytes,
                                event, message_p);
}

static struct ct_trace_event a_send(const struct ct_otf2_calls *calls)
{
    return (struct ct_trace_event){.kind = CT_TRACE_SEND,
                                   .mode = calls->open.region ? calls->open.region->mode
                                                              : CT_TRACE_STANDARD};
}

static enum ct_status take_send(struct ct_otf2_calls *calls, const struct record *record)
{
    struct ct_trace_event event = a_send(calls);
    if (ct_otf2_is_null(record->peer))
        return CT_OK;
    CT_TRY(take_message(calls, record, &event, &event.to));
    return add_event(calls, record, event);
}

static enum ct_status take_receive(struct ct_otf2_calls *calls, const struct record *record)
{
    struct ct_trace_event event = {.kind = CT_TRACE_RECEIVE,
                                   .cut = ct_otf2_is_cut(calls, record->attributes)};
    if (ct_otf2_is_null(record->peer))
        return CT_OK;
    CT_TRY(take_message(calls, record, &event, &event.from));
    return add_event(calls, record, event);
}

static enum ct_status take_isend(struct ct_otf2_calls *calls, const struct record *record)
{
    struct ct_trace_event event = a_send(calls);
    if (ct_otf2_is_null(record->peer))
        return ct_otf2_open_null_request(calls, record->id);
    CT_TRY(take_message(calls, record, &event, &event.to));
    CT_TRY(ct_otf2_begin_request(calls, record->id, &event));
    return add_event(calls, record, event);
}

static enum ct_status scan_irecv_request(struct ct_otf2_calls *calls, const struct record *record)
{
    return ct_otf2_scan_post(calls, record->id, false);
}

/* A call that never completes, so that nothing is known of it. */
static enum ct_status add_unknown(struct ct_otf2_calls *calls, const struct record *record,
                                  const char *otherwise)
{
    return ct_otf2_add_unmodelled(calls, calls->open.region ? calls->open.region->name : otherwise,
                                  record->at_ns, record->position);
}

/* What was posted is known from the pass before, or from crosstalk's attributes. */
static enum ct_status irecv_request(struct ct_otf2_calls *calls, const struct record *record)
{
    struct ct_trace_event event = {.kind = CT_TRACE_RECEIVE, .from = {-1, -1, 0}};
    const struct ct_otf2_posted *posted = ct_otf2_next_posted(calls);
    bool found;
    CT_TRY(ct_otf2_receive_in(calls, record->attributes, &event, &found));
    if (!found && !posted->known)
        return add_unknown(calls, record, "a receive");
    if (!found && ct_otf2_is_null(posted->peer))
        return ct_otf2_open_null_request(calls, record->id);
    if (!found)
        CT_TRY(ct_otf2_take_message(calls, posted->comm, posted->peer, (uint32_t)posted->tag,
                                    posted->bytes, &event, &event.from));
    CT_TRY(ct_otf2_begin_request(calls, record->id, &event));
    return add_event(calls, record, event);
}

/* ---- completions ---- */

static enum ct_status take_completion(struct ct_otf2_calls *calls, const struct record *record,
                                      struct ct_trace_completion completion)
{
    CT_TRY(ct_otf2_add_completion(calls, completion));
    return ct_otf2_calls_complete(calls, record->at_ns, record->position);
}

static enum ct_status close_request(struct ct_otf2_calls *calls, const struct record *record,
                                    struct ct_otf2_request *request_p, bool *known_p)
{
    return ct_otf2_close_request(calls, record->id, record->at_ns, record->position, request_p,
                                 known_p);
}

static enum ct_status isend_complete(struct ct_otf2_calls *calls, const struct record *record)
{
    struct ct_otf2_request request;
    bool known;
    enum ct_status status = close_request(calls, record, &request, &known);
    if (status != CT_OK || !known)
        return status;
    if (!calls->open.region || calls->open.region->call != CT_OTF2_FREE)
        return take_completion(calls, record,
                               (struct ct_trace_completion){.request = request.number});
    return add_event(calls, record,
                     (struct ct_trace_event){.kind = CT_TRACE_FREE, .request = request.number});
}

static enum ct_status scan_irecv(struct ct_otf2_calls *calls, const struct record *record)
{
    ct_otf2_scan_completion(calls, record->id,
                            (struct ct_otf2_posted){.comm = record->comm,
                                                    .peer = record->peer,
                                                    .tag = (int32_t)record->tag,
                                                    .bytes = record->bytes});
    return CT_OK;
}

static enum ct_status take_irecv(struct ct_otf2_calls *calls, const struct record *record)
{
    struct ct_trace_event event = {.kind = CT_TRACE_RECEIVE};
    struct ct_otf2_request request;
    bool known;
    enum ct_status status = close_request(calls, record, &request, &known);
    if (status != CT_OK || !known)
        return status;
    status = take_message(calls, record, &event, &event.from);
    return status == CT_OK ? take_completion(calls, record,
                                             (struct ct_trace_completion){
                                                 .request = request.number,
                                                 .received = true,
                                                 .from = event.from,
                                                 .cut = ct_otf2_is_cut(calls, record->attributes)})
                           : status;
}

static enum ct_status take_cancelled(struct ct_otf2_calls *calls, const struct record *record)
{
    struct ct_otf2_request request;
    bool known;
    if (ct_map_find(&calls->requests.of_id, record->id) == 0)
        return CT_OK; /* of a receive that is unknown */
    enum ct_status status = close_request(calls, record, &request, &known);
    if (status != CT_OK || !known)
        return status;
    if (request.sends)
        status =
            add_event(calls, record,
                      (struct ct_trace_event){.kind = CT_TRACE_CANCEL, .request = request.number});
    return status == CT_OK
               ? take_completion(calls, record,
                                 (struct ct_trace_completion){.request = request.number})
               : status;
}

/* ---- collectives ---- */

static struct ct_otf2_posted operation_of(const struct record *record)
{
    return (struct ct_otf2_posted){.is_collective = true,
                                   .op = record->op,
                                   .comm = record->comm,
                                   .peer = record->peer,
                                   .bytes = record->bytes,
                                   .received = record->received};
}

static enum ct_status collective_begin(struct ct_otf2_calls *calls, const struct record *record)
{
    calls->collective_start_ns = record->at_ns;
    return CT_OK;
}

static enum ct_status collective_end(struct ct_otf2_calls *calls, const struct record *record)
{
    uint64_t start_ns = calls->collective_start_ns;
    calls->collective_start_ns = record->at_ns;
    return ct_otf2_add_collective(calls, operation_of(record), 0, start_ns, record->at_ns,
                                  record->position);
}

static enum ct_status scan_collective_request(struct ct_otf2_calls *calls,
                                              const struct record *record)
{
    return ct_otf2_scan_post(calls, record->id, true);
}

static enum ct_status collective_request(struct ct_otf2_calls *calls, const struct record *record)
{
    const struct ct_otf2_posted *posted = ct_otf2_next_posted(calls);
    uint32_t request = 0;
    if (!posted->known)
        return add_unknown(calls, record, "a collective call");
    CT_TRY(ct_otf2_open_request(calls, record->id, true, &request));
    return ct_otf2_add_collective(calls, *posted, request, record->at_ns, record->at_ns,
                                  record->position);
}

static enum ct_status scan_collective_complete(struct ct_otf2_calls *calls,
                                               const struct record *record)
{
    ct_otf2_scan_completion(calls, record->id, operation_of(record));
    return CT_OK;
}

/* One that made a communicator has no event that it could complete. */
static enum ct_status collective_complete(struct ct_otf2_calls *calls, const struct record *record)
{
    struct ct_otf2_request request;
    bool known;
    enum ct_status status = close_request(calls, record, &request, &known);
    if (status != CT_OK || !known || ct_otf2_kind_of(record->op) == CT_TRACE_NONE)
        return status;
    return take_completion(calls, record, (struct ct_trace_completion){.request = request.number});
}

/* ---- the library's callbacks ---- */

#define PARAMETERS                                                                                 \
    OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position, void *data,                 \
        OTF2_AttributeList *attributes

/* The end of a callback: what the record is to the two passes, and which members it has; of a
 * record of what a call communicates, and of others. */
#define TAKE_SORT(scan, read, is_of_mpi, ...)                                                      \
    ((void)location,                                                                               \
     take_record(data, &(const struct sort){scan, read, is_of_mpi}, time,                          \
                 (struct record){.position = position, .attributes = attributes, __VA_ARGS__}))
#define TAKE(scan, read, ...) TAKE_SORT(scan, read, true, __VA_ARGS__)
#define TAKE_OTHER(scan, read, ...) TAKE_SORT(scan, read, false, __VA_ARGS__)

static OTF2_CallbackCode on_enter(PARAMETERS, OTF2_RegionRef region)
{
    return TAKE_OTHER(NULL, enter_call, .region = region);
}

static OTF2_CallbackCode on_leave(PARAMETERS, OTF2_RegionRef region)
{
    return TAKE_OTHER(scan_leave, leave_call, .region = region);
}

static OTF2_CallbackCode on_program_end(PARAMETERS, int64_t exit_status)
{
    (void)exit_status;
    return TAKE_OTHER(NULL, end_program, .id = 0);
}

static OTF2_CallbackCode on_measurement(PARAMETERS, OTF2_MeasurementMode mode)
{
    return TAKE_OTHER(NULL, turn_on_or_off, .id = mode);
}

static OTF2_CallbackCode on_flush(PARAMETERS, OTF2_TimeStamp end)
{
    return TAKE_OTHER(NULL, flush_buffer, .id = end);
}

static OTF2_CallbackCode on_put_or_get(PARAMETERS, OTF2_RmaWinRef window, uint32_t remote,
                                       uint64_t bytes, uint64_t matching)
{
    (void)window;
    (void)matching;
    return TAKE(NULL, note_rma, .peer = remote, .bytes = bytes);
}

static OTF2_CallbackCode on_send(PARAMETERS, uint32_t peer, OTF2_CommRef comm, uint32_t tag,
                                 uint64_t bytes)
{
    return TAKE(NULL, take_send, .peer = peer, .comm = comm, .tag = tag, .bytes = bytes);
}

static OTF2_CallbackCode on_receive(PARAMETERS, uint32_t peer, OTF2_CommRef comm, uint32_t tag,
                                    uint64_t bytes)
{
    return TAKE(NULL, take_receive, .peer = peer, .comm = comm, .tag = tag, .bytes = bytes);
}

static OTF2_CallbackCode on_isend(PARAMETERS, uint32_t peer, OTF2_CommRef comm, uint32_t tag,
                                  uint64_t bytes, uint64_t id)
{
    return TAKE(NULL, take_isend, .peer = peer, .comm = comm, .tag = tag, .bytes = bytes, .id = id);
}

static OTF2_CallbackCode on_isend_complete(PARAMETERS, uint64_t id)
{
    return TAKE(NULL, isend_complete, .id = id);
}

static OTF2_CallbackCode on_irecv_request(PARAMETERS, uint64_t id)
{
    return TAKE(scan_irecv_request, irecv_request, .id = id);
}

static OTF2_CallbackCode on_irecv(PARAMETERS, uint32_t peer, OTF2_CommRef comm, uint32_t tag,
                                  uint64_t bytes, uint64_t id)
{
    return TAKE(scan_irecv, take_irecv, .peer = peer, .comm = comm, .tag = tag, .bytes = bytes,
                .id = id);
}

static OTF2_CallbackCode on_cancelled(PARAMETERS, uint64_t id)
{
    return TAKE(NULL, take_cancelled, .id = id);
}

static OTF2_CallbackCode on_collective_begin(PARAMETERS)
{
    return TAKE(NULL, collective_begin, .id = 0);
}

static OTF2_CallbackCode on_collective_end(PARAMETERS, OTF2_CollectiveOp op, OTF2_CommRef comm,
                                           uint32_t root, uint64_t sent, uint64_t received)
{
    return TAKE(NULL, collective_end, .op = op, .comm = comm, .peer = root, .bytes = sent,
                .received = received);
}

static OTF2_CallbackCode on_collective_request(PARAMETERS, uint64_t id)
{
    return TAKE(scan_collective_request, collective_request, .id = id);
}

static OTF2_CallbackCode on_collective_complete(PARAMETERS, OTF2_CollectiveOp op, OTF2_CommRef comm,
                                                uint32_t root, uint64_t sent, uint64_t received,
                                                uint64_t id)
{
    return TAKE(scan_collective_complete, collective_complete, .op = op, .comm = comm, .peer = root,
                .bytes = sent, .received = received, .id = id);
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
    OTF2_EvtReaderCallbacks_SetMeasurementOnOffCallback(callbacks, on_measurement);
    OTF2_EvtReaderCallbacks_SetBufferFlushCallback(callbacks, on_flush);
    return callbacks;
}
