/* A first look at a rank's file: the size of requests, and what happens to communicators. */
#include "core/array.h"
#include "trace/convert/allprof_reader.h"

static bool is_known(struct ct_allprof_reader *reader, const struct ct_allprof_call *call)
{
    uint32_t found = ct_map_find(&reader->comms, call->comm);
    if (found == 0)
        return false;
    const struct ct_allprof_record *before = &reader->of->records[found - 1];
    if (before->rank == call->comm_rank && before->size == call->comm_size)
        return true;
    ct_map_remove(&reader->comms, call->comm, found);
    return false;
}

static enum ct_status on_line(struct ct_allprof_reader *reader, const struct ct_allprof_call *call)
{
    struct ct_allprof_rank *of = reader->of;
    enum ct_allprof_does does = call->row.does;
    bool changes = does >= CT_ALLPROF_DUP && does <= CT_ALLPROF_COMM_FREE;
    if (call->row.arguments && call->n_requests > 0 && call->request % 8 != 0)
        of->request_bytes = 4;
    if (!changes && (call->comm_size == 0 || is_known(reader, call)))
        return CT_OK;
    if (!CT_ARRAY_RESERVE(of->records, of->room_records, of->n_records + 1))
        return ct_no_memory(reader->err, "traces");
    of->records[of->n_records++] = (struct ct_allprof_record){.line = reader->line,
                                                              .name = call->row.name,
                                                              .does = does,
                                                              .handle = call->comm,
                                                              .rank = call->comm_rank,
                                                              .size = call->comm_size,
                                                              .color = call->color,
                                                              .key = call->key,
                                                              .address = call->new_comm};
    if (changes) /* from here on a handle may stand for another communicator */
        ct_map_free(&reader->comms);
    else if (!ct_map_add(&reader->comms, call->comm, (uint32_t)of->n_records))
        return ct_no_memory(reader->err, "traces");
    return CT_OK;
}

enum ct_status ct_allprof_rank_scan(struct ct_allprof_rank *rank, struct ct_allprof_text text,
                                    struct ct_error *err)
{
    struct ct_allprof_reader reader = {.of = rank, .err = err};
    rank->request_bytes = 8;
    enum ct_status status = ct_allprof_each_line(&reader, text, on_line);
    ct_map_free(&reader.comms);
    return status;
}
