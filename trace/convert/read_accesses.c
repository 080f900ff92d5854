/* One-sided accesses, and what waits for them. */
#include "core/array.h"
#include "trace/convert/read.h"

static enum ct_status remember_access(struct ct_reader *reader, struct ct_accessed access)
{
    if (!CT_ARRAY_RESERVE(reader->accessed, reader->room_accessed, reader->n_accessed + 1))
        return ct_no_memory(reader->err, "traces");
    reader->accessed[reader->n_accessed++] = access;
    return CT_OK;
}

static enum ct_status check_target(struct ct_reader *reader, const struct ct_trace_event *event,
                                   uint32_t *comm_p)
{
    struct ct_local_comm *comm = NULL;
    uint32_t member;
    CT_TRY(ct_reader_find_comm(reader, event->comm, &comm));
    *comm_p = comm->comm;
    if (event->to.rank >= 0 && (uint32_t)event->to.rank != reader->rank &&
        ct_ranks_find(&reader->all->comms.comms[comm->comm].group, (uint32_t)event->to.rank,
                      &member))
        return CT_OK;
    return ct_fail(reader->err, CT_EFORMAT,
                   "an access to rank %d, which is no other rank of the window", event->to.rank);
}

enum ct_status ct_on_access(struct ct_reader *reader, const struct ct_trace_event *event)
{
    struct ct_accessed access = {.target = (uint32_t)event->to.rank, .action = reader->of->n};
    int32_t there = 0, back = 0;
    struct ct_comms *comms = &reader->all->comms;
    enum ct_status status = check_target(reader, event, &access.comm);
    reader->notes->accesses++;
    if (status == CT_OK)
        status = ct_comms_tag(comms, CT_TAG_ACCESS, access.comm, 0, &there, reader->err);
    if (status == CT_OK)
        status = ct_comms_tag(comms, CT_TAG_ACCESS, access.comm, 1, &back, reader->err);
    if (status == CT_OK)
        status = ct_reader_add(reader, (struct ct_action){.kind = CT_ACTION_ACCESS,
                                                          .mode = (uint8_t)event->mode,
                                                          .peer = access.target,
                                                          .number = (uint32_t)there,
                                                          .bytes = event->to.bytes});
    if (status == CT_OK)
        status = ct_reader_add(reader, (struct ct_action){.kind = CT_ACTION_NONE,
                                                          .number = (uint32_t)back,
                                                          .bytes = event->bytes});
    if (status == CT_OK)
        status = remember_access(reader, access);
    return status == CT_OK && event->request ? ct_reader_give_request(reader, event->request, 2)
                                             : status;
}

static bool is_flushed(const struct ct_trace_event *event, uint32_t comm,
                       const struct ct_accessed *access)
{
    bool is_named = event->n_values == 0;
    for (size_t i = 0; i < event->n_values && !is_named; i++)
        is_named = event->values[i] == access->target;
    return access->comm == comm && is_named;
}

enum ct_status ct_on_flush(struct ct_reader *reader, const struct ct_trace_event *event)
{
    struct ct_local_comm *comm = NULL;
    const uint32_t first = reader->of->n_completed;
    size_t n_kept = 0;
    enum ct_status status = ct_reader_find_comm(reader, event->comm, &comm);
    for (size_t i = 0; i < reader->n_accessed && status == CT_OK; i++) {
        const struct ct_accessed access = reader->accessed[i];
        if (is_flushed(event, comm->comm, &access))
            status = ct_reader_add_completed(reader, access.action);
        else
            reader->accessed[n_kept++] = access;
    }
    const uint32_t n = reader->of->n_completed - first;
    if (status != CT_OK || n == 0)
        return status;
    reader->n_accessed = n_kept;
    return ct_reader_add(reader,
                         (struct ct_action){.kind = CT_ACTION_COMPLETE, .partner = first, .n = n});
}
