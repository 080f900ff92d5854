#include "trace/otf2/event_list.h"

#include "core/array.h"
#include "trace/ranks.h"

#include <string.h>

enum ct_status ct_otf2_no_memory(const struct ct_otf2_calls *calls)
{
    return ct_no_memory(calls->err, "archive");
}

uint64_t ct_otf2_time_ns(const struct ct_otf2_calls *calls, OTF2_TimeStamp time)
{
    uint64_t ticks = time > calls->all->offset ? time - calls->all->offset : 0;
    uint64_t seconds = ticks / calls->all->resolution, rest = ticks % calls->all->resolution;
    __extension__ typedef unsigned __int128 wide;
    return seconds * 1000000000U + (uint64_t)((wide)rest * 1000000000U / calls->all->resolution);
}

enum ct_status ct_otf2_add_value(struct ct_otf2_calls *calls, uint64_t value)
{
    if (!CT_ARRAY_RESERVE(calls->found.values, calls->found.room_values, calls->found.n_values + 1))
        return ct_otf2_no_memory(calls);
    calls->found.values[calls->found.n_values++] = value;
    return CT_OK;
}

enum ct_status ct_otf2_add_event(struct ct_otf2_calls *calls, struct ct_trace_event event,
                                 uint64_t position)
{
    if (!CT_ARRAY_RESERVE(calls->found.events, calls->found.room_events, calls->found.n_events + 1))
        return ct_otf2_no_memory(calls);
    /* Without a region, records of others may be between those of a collective. */
    struct ct_otf2_thread *thread = &calls->threads[calls->thread];
    if (event.start_ns < thread->end_ns)
        event.start_ns = thread->end_ns;
    if (event.end_ns < event.start_ns)
        event.end_ns = event.start_ns;
    thread->end_ns = event.end_ns;
    event.thread = calls->thread;
    event.after = calls->open.after;
    calls->found.events[calls->found.n_events++] = (struct ct_otf2_event){
        event, position, calls->found.n_values - event.n_values, calls->open.tells_after};
    return CT_OK;
}

enum ct_status ct_otf2_add_unmodelled(struct ct_otf2_calls *calls, const char *text, uint64_t at_ns,
                                      uint64_t position)
{
    size_t n = strlen(text);
    return ct_otf2_add_event(
        calls,
        (struct ct_trace_event){.kind = CT_TRACE_UNMODELLED,
                                .start_ns = at_ns,
                                .end_ns = at_ns,
                                .text = text,
                                .n_text = n < CT_TRACE_TEXT_MAX ? n : CT_TRACE_TEXT_MAX},
        position);
}

/* ---- communicators and messages ---- */

enum ct_status ct_otf2_add_comm(struct ct_otf2_calls *calls, const struct ct_otf2_comm *comm,
                                uint64_t start_ns, uint64_t end_ns, uint64_t position)
{
    const uint64_t alone[CT_RANKS_RUN_VALUES] = {calls->rank, 1, CT_RANKS_NEXT};
    struct ct_trace_event event = {.kind = CT_TRACE_NEW_COMM,
                                   .start_ns = start_ns,
                                   .end_ns = end_ns,
                                   .comm = comm->number,
                                   .ordinal = comm->ordinal,
                                   .n_values = CT_RANKS_RUN_VALUES};
    uint32_t member;
    if (!comm->group || !ct_otf2_member_of(comm, calls->rank, &member))
        return CT_OK;
    enum ct_status status = CT_OK;
    for (int i = 0; i < CT_RANKS_RUN_VALUES && comm->is_self && status == CT_OK; i++)
        status = ct_otf2_add_value(calls, alone[i]);
    if (!comm->is_self) {
        event.list = comm->group->hash;
        event.values = comm->group->runs;
        event.n_values = comm->group->n_runs;
    }
    return status == CT_OK ? ct_otf2_add_event(calls, event, position) : status;
}

/* All communicators are there from the start, unless crosstalk wrote when they are made. */
static enum ct_status add_comms(struct ct_otf2_calls *calls, uint64_t at_ns, uint64_t position)
{
    static const char text[] = "what other threads did";
    const struct ct_otf2_definitions *all = calls->all;
    calls->begun = true;
    for (size_t i = 0; i < all->comms.n; i++)
        if (!all->has_attribute[CT_OTF2_ATTRIBUTE_COMM])
            CT_TRY(ct_otf2_add_comm(calls, &all->comms.item[i], at_ns, at_ns, position));
    for (uint32_t i = 0; i < all->n_other_locations && calls->rank == 0; i++)
        CT_TRY(ct_otf2_add_event(calls,
                                 (struct ct_trace_event){.kind = CT_TRACE_UNMODELLED,
                                                         .start_ns = at_ns,
                                                         .end_ns = at_ns,
                                                         .text = text,
                                                         .n_text = sizeof text - 1},
                                 position));
    return CT_OK;
}

enum ct_status ct_otf2_begin_events(struct ct_otf2_calls *calls, uint64_t at_ns, uint64_t position)
{
    return calls->scanning || calls->begun ? CT_OK : add_comms(calls, at_ns, position);
}

bool ct_otf2_is_null(uint32_t peer)
{
    return peer >= UINT32_MAX - 1;
}

enum ct_status ct_otf2_need_comm(const struct ct_otf2_calls *calls, OTF2_CommRef ref,
                                 const struct ct_otf2_comm **comm_p)
{
    const struct ct_otf2_comm *comm = ct_otf2_find_comm(calls->all, ref);
    if (!comm)
        return ct_fail(calls->err, CT_EFORMAT, "communicator %u is not defined", ref);
    if (comm->is_inter)
        return ct_fail(calls->err, CT_EUNSUPPORTED,
                       "communicator %u is an intercommunicator: messages and collective calls "
                       "between its two groups are not read",
                       ref);
    if (!comm->group)
        return ct_fail(calls->err, CT_EUNSUPPORTED,
                       "communicator %u is not of one group of MPI's ranks", ref);
    *comm_p = comm;
    return CT_OK;
}

enum ct_status ct_otf2_need_rank(const struct ct_otf2_calls *calls, const struct ct_otf2_comm *comm,
                                 uint32_t member, uint32_t *rank_p)
{
    if (ct_otf2_rank_of(comm, calls->rank, member, rank_p) && *rank_p < calls->all->ranks->n)
        return CT_OK;
    return ct_fail(calls->err, CT_EFORMAT, "rank %u of a communicator of %u ranks", member,
                   ct_otf2_size_of(comm));
}

enum ct_status ct_otf2_take_message(const struct ct_otf2_calls *calls, OTF2_CommRef ref,
                                    uint32_t member, uint32_t tag, uint64_t bytes,
                                    struct ct_trace_event *event,
                                    struct ct_trace_message *message_p)
{
    const struct ct_otf2_comm *comm = NULL;
    uint32_t rank = 0;
    CT_TRY(ct_otf2_need_comm(calls, ref, &comm));
    CT_TRY(ct_otf2_need_rank(calls, comm, member, &rank));
    if (tag > INT32_MAX)
        return ct_fail(calls->err, CT_EFORMAT, "a message with tag %u", tag);
    event->comm = comm->number;
    *message_p = (struct ct_trace_message){(int32_t)rank, (int32_t)tag, bytes};
    return CT_OK;
}
