#include "trace/otf2/call_attributes.h"

#include "core/array.h"
#include "trace/otf2/event_list.h"
#include "trace/otf2/requests.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static bool number_in(const struct ct_otf2_calls *calls, const OTF2_AttributeList *attributes,
                      enum ct_otf2_attribute which, uint64_t *value_p)
{
    return attributes && calls->all->has_attribute[which] &&
           OTF2_AttributeList_GetUint64(attributes, calls->all->attributes[which], value_p) ==
               OTF2_SUCCESS;
}

static enum ct_status out_of_range(const struct ct_otf2_calls *calls, const char *what)
{
    return ct_fail(calls->err, CT_EFORMAT, "attributes of %s are out of range", what);
}

/* which: source or destination */
static enum ct_status message_in(struct ct_otf2_calls *calls, const OTF2_AttributeList *attributes,
                                 enum ct_otf2_attribute which, uint32_t *comm_p,
                                 struct ct_trace_message *message_p, bool *found_p)
{
    uint64_t rank, tag, bytes, ref;
    const struct ct_otf2_comm *comm = NULL;
    *found_p = number_in(calls, attributes, which, &rank) &&
               number_in(calls, attributes, CT_OTF2_ATTRIBUTE_TAG, &tag) &&
               number_in(calls, attributes, CT_OTF2_ATTRIBUTE_BYTES, &bytes) &&
               number_in(calls, attributes, CT_OTF2_ATTRIBUTE_COMM, &ref);
    if (!*found_p)
        return CT_OK;
    if (rank > calls->all->ranks->n || tag > (uint64_t)INT32_MAX + 1 || ref > UINT32_MAX)
        return out_of_range(calls, "a message");
    CT_TRY(ct_otf2_need_comm(calls, (OTF2_CommRef)ref, &comm));
    *comm_p = comm->number;
    *message_p =
        (struct ct_trace_message){(int32_t)((int64_t)rank - 1), (int32_t)((int64_t)tag - 1), bytes};
    return CT_OK;
}

enum ct_status ct_otf2_receive_in(struct ct_otf2_calls *calls, const OTF2_AttributeList *attributes,
                                  struct ct_trace_event *event, bool *found_p)
{
    return message_in(calls, attributes, CT_OTF2_ATTRIBUTE_SOURCE, &event->comm, &event->from,
                      found_p);
}

bool ct_otf2_is_cut(const struct ct_otf2_calls *calls, const OTF2_AttributeList *attributes)
{
    uint64_t cut = 0;
    return number_in(calls, attributes, CT_OTF2_ATTRIBUTE_CUT, &cut) && cut == 1;
}

/* What a persistent request is for; of a foreign archive that is not known. */
static enum ct_status take_init(struct ct_otf2_calls *calls, const OTF2_AttributeList *attributes)
{
    bool sends = calls->open.region->call == CT_OTF2_SEND_INIT, found;
    struct ct_trace_event *event = &calls->open.extra;
    uint64_t id;
    enum ct_status status = message_in(
        calls, attributes, sends ? CT_OTF2_ATTRIBUTE_DESTINATION : CT_OTF2_ATTRIBUTE_SOURCE,
        &event->comm, sends ? &event->to : &event->from, &found);
    if (status != CT_OK || !found || !number_in(calls, attributes, CT_OTF2_ATTRIBUTE_REQUEST, &id))
        return status;
    event->kind = sends ? CT_TRACE_SEND_INIT : CT_TRACE_RECEIVE_INIT;
    event->mode = sends ? calls->open.region->mode : CT_TRACE_STANDARD;
    calls->open.has_extra = true;
    return ct_otf2_make_request(calls, id, event);
}

static enum ct_status take_list(struct ct_otf2_calls *calls, const OTF2_AttributeList *attributes)
{
    OTF2_StringRef ref;
    const char *text = NULL;
    calls->open.n_list = 0;
    calls->open.has_list = false;
    if (attributes && calls->all->has_attribute[CT_OTF2_ATTRIBUTE_VALUES] &&
        OTF2_AttributeList_GetStringRef(
            attributes, calls->all->attributes[CT_OTF2_ATTRIBUTE_VALUES], &ref) == OTF2_SUCCESS)
        text = ct_otf2_find_string(calls->all, ref);
    if (!text)
        return CT_OK;
    calls->open.has_list = true;
    while (*text) {
        char *end;
        uint64_t value = strtoull(text, &end, 10);
        if (end == text || *text < '0' || *text > '9')
            return ct_fail(calls->err, CT_EFORMAT, "the list '%.40s' is none of numbers", text);
        if (!CT_ARRAY_RESERVE(calls->open.list, calls->open.room_list, calls->open.n_list + 1))
            return ct_otf2_no_memory(calls);
        calls->open.list[calls->open.n_list++] = value;
        text = *end == ' ' ? end + 1 : end;
    }
    return CT_OK;
}

/* What says how the next events begin is a region without records. */
static enum ct_status take_stages(struct ct_otf2_calls *calls, const OTF2_AttributeList *attributes)
{
    if (strcmp(calls->open.region->name, ct_trace_kind_text(CT_TRACE_STAGES)) != 0)
        return CT_OK;
    CT_TRY(take_list(calls, attributes));
    calls->open.extra.kind = CT_TRACE_STAGES;
    calls->open.has_extra = calls->open.has_list;
    calls->open.has_list = false;
    return CT_OK;
}

/* Of a one-sided access, or of what waits for some; other calls are left as they are. */
static enum ct_status take_access(struct ct_otf2_calls *calls, const OTF2_AttributeList *attributes)
{
    struct ct_trace_event *event = &calls->open.extra;
    const struct ct_otf2_comm *comm = NULL;
    uint64_t id;
    bool found;
    enum ct_status status = message_in(calls, attributes, CT_OTF2_ATTRIBUTE_DESTINATION,
                                       &event->comm, &event->to, &found);
    const bool flushes = !found && strcmp(calls->open.region->name, "MPI_Win_flush") == 0 &&
                         number_in(calls, attributes, CT_OTF2_ATTRIBUTE_COMM, &id);
    if (status != CT_OK || (!found && !flushes))
        return status;
    status = take_list(calls, attributes);
    calls->open.has_extra = status == CT_OK && calls->open.has_list;
    calls->open.has_list = false;
    if (!calls->open.has_extra)
        return status;
    if (flushes) {
        event->kind = CT_TRACE_WINDOW_FLUSH;
        status = id <= UINT32_MAX ? ct_otf2_need_comm(calls, (OTF2_CommRef)id, &comm)
                                  : out_of_range(calls, "a communicator");
        event->comm = comm ? comm->number : 0;
        return status;
    }
    event->kind = CT_TRACE_ACCESS;
    if (calls->open.n_list != 2 || calls->open.list[0] < CT_TRACE_PUT ||
        calls->open.list[0] >= CT_TRACE_ALL_MODES)
        return out_of_range(calls, "an access");
    event->mode = (enum ct_trace_mode)calls->open.list[0];
    event->bytes = calls->open.list[1];
    return number_in(calls, attributes, CT_OTF2_ATTRIBUTE_REQUEST, &id)
               ? ct_otf2_open_request(calls, id, true, &event->request)
               : CT_OK;
}

enum ct_status ct_otf2_take_thread(struct ct_otf2_calls *calls,
                                   const OTF2_AttributeList *attributes)
{
    uint64_t thread;
    if (!number_in(calls, attributes, CT_OTF2_ATTRIBUTE_THREAD, &thread))
        return CT_OK;
    if (thread >= calls->n_threads)
        return ct_fail(calls->err, CT_EFORMAT, "goes on with thread %" PRIu64 " of %u", thread,
                       calls->n_threads);
    calls->next_thread = (uint32_t)thread;
    return CT_OK;
}

enum ct_status ct_otf2_take_attributes(struct ct_otf2_calls *calls,
                                       const OTF2_AttributeList *attributes)
{
    uint64_t id;
    enum ct_otf2_call call = calls->open.region->call;
    calls->open.has_extra = false;
    calls->open.tells_after =
        calls->n_threads > 1 &&
        number_in(calls, attributes, CT_OTF2_ATTRIBUTE_AFTER, &calls->open.after);
    calls->open.made = NULL;
    calls->open.extra = (struct ct_trace_event){.kind = CT_TRACE_NONE};
    if (call == CT_OTF2_PROBE) {
        calls->open.extra.kind = CT_TRACE_PROBE;
        return ct_otf2_receive_in(calls, attributes, &calls->open.extra, &calls->open.has_extra);
    }
    if (call == CT_OTF2_SEND_INIT || call == CT_OTF2_RECEIVE_INIT)
        return take_init(calls, attributes);
    if ((call == CT_OTF2_CANCEL || call == CT_OTF2_FREE) &&
        number_in(calls, attributes, CT_OTF2_ATTRIBUTE_REQUEST, &id)) {
        calls->open.extra.kind = call == CT_OTF2_CANCEL ? CT_TRACE_CANCEL : CT_TRACE_FREE;
        calls->open.extra.request = ct_map_find(&calls->requests.of_id, id);
        calls->open.has_extra = calls->open.extra.request != 0;
        if (call == CT_OTF2_FREE)
            ct_otf2_drop_request(calls, id);
        return CT_OK;
    }
    enum ct_status status = take_access(calls, attributes);
    if (status == CT_OK && !calls->open.has_extra)
        status = take_stages(calls, attributes);
    if (status != CT_OK || calls->open.has_extra)
        return status;
    if (call == CT_OTF2_MPI && number_in(calls, attributes, CT_OTF2_ATTRIBUTE_COMM, &id))
        return id <= UINT32_MAX ? ct_otf2_need_comm(calls, (OTF2_CommRef)id, &calls->open.made)
                                : out_of_range(calls, "a communicator");
    return take_list(calls, attributes);
}
