/* From events to actions: the loop, communicators, and what is left to no other file. */
#include "trace/convert/read.h"

#include "core/array.h"
#include "core/cancel.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void ct_rank_actions_free(struct ct_rank_actions *of)
{
    free(of->actions);
    free(of->completed);
    free(of->comms);
    *of = (struct ct_rank_actions){0};
}

void ct_actions_free(struct ct_actions *actions)
{
    for (uint32_t rank = 0; actions->ranks && rank < actions->n_ranks; rank++)
        ct_rank_actions_free(&actions->ranks[rank]);
    free(actions->ranks);
    for (uint32_t i = 0; i < actions->n_sites; i++)
        free(actions->sites[i]);
    free(actions->sites);
    ct_comms_free(&actions->comms);
    *actions = (struct ct_actions){0};
}

/* ---- communicators ---- */

/* A communicator that the rank has already, under another number: its calls go on. */
static enum ct_status find_place(struct ct_reader *reader, uint32_t comm, uint32_t *place_p)
{
    struct ct_local_comm local = {.comm = comm};
    struct ct_rank_actions *of = reader->of;
    *place_p = ct_map_find(&reader->comm_places, comm);
    if (*place_p != 0)
        return CT_OK;
    if (!ct_ranks_find(&reader->all->comms.comms[comm].group, reader->rank, &local.member))
        return ct_fail(reader->err, CT_EFORMAT, "a communicator that the rank is no member of");
    if (!CT_ARRAY_RESERVE(reader->comms, reader->room_comms, (size_t)reader->n_comms + 1) ||
        !CT_ARRAY_RESERVE(of->comms, of->room_comms, (size_t)of->n_comms + 1))
        return ct_no_memory(reader->err, "traces");
    reader->comms[reader->n_comms++] = local;
    of->comms[of->n_comms++] = comm;
    *place_p = reader->n_comms;
    return ct_map_add(&reader->comm_places, comm, *place_p) ? CT_OK
                                                            : ct_no_memory(reader->err, "traces");
}

static enum ct_status new_comm(struct ct_reader *reader, const struct ct_trace_event *event)
{
    uint32_t comm = 0, place = 0;
    CT_TRY(ct_comms_add(&reader->all->comms, event, &comm, reader->err));
    CT_TRY(find_place(reader, comm, &place));
    return ct_map_add(&reader->comm_numbers, event->comm, place)
               ? CT_OK
               : ct_no_memory(reader->err, "traces");
}

/* ---- the rest ---- */

static enum ct_status on_begin(struct ct_reader *reader, const struct ct_trace_event *event)
{
    (void)event;
    reader->gap_ns = 0;
    return CT_OK;
}

static enum ct_status on_end(struct ct_reader *reader, const struct ct_trace_event *event)
{
    (void)event;
    reader->of->ended = true;
    return ct_reader_add(reader, (struct ct_action){.kind = CT_ACTION_NONE});
}

static void note_threads(struct ct_reader *reader)
{
    reader->notes->n_threaded += !reader->has_threads;
    reader->has_threads = true;
}

static enum ct_status on_unmodelled(struct ct_reader *reader, const struct ct_trace_event *event)
{
    bool is_end = ct_trace_is_unmodelled(event, CT_TRACE_END_NOT_RECORDED);
    if (ct_trace_is_unmodelled(event, CT_TRACE_THREADS)) {
        note_threads(reader);
        return CT_OK;
    }
    reader->notes->n_open += is_end;
    reader->of->n_not_recorded += is_end || ct_trace_is_unmodelled(event, CT_TRACE_NOT_RECORDED);
    return ct_trace_unmodelled_add(&reader->notes->unmodelled, &reader->notes->n_unmodelled, event,
                                   reader->err);
}

/* Making a persistent request takes time, and communicates nothing; the name of a place is no call.
 */
static enum ct_status on_init(struct ct_reader *reader, const struct ct_trace_event *event)
{
    (void)reader;
    (void)event;
    return CT_OK;
}

static enum ct_status on_stages(struct ct_reader *reader, const struct ct_trace_event *event)
{
    reader->n_stages = event->n_values;
    reader->stage = 0;
    reader->begins = CT_STAGE_FIRST;
    if (!CT_ARRAY_RESERVE(reader->stages, reader->room_stages, event->n_values))
        return ct_no_memory(reader->err, "traces");
    for (size_t i = 0; i < event->n_values; i++) {
        reader->stages[i] = event->values[i];
        if (event->values[i] == 0)
            return ct_fail(reader->err, CT_EFORMAT, "a stage without calls");
    }
    return CT_OK;
}

/* The event is in a stage: what comes after it. */
static enum ct_status pass_in_stage(struct ct_reader *reader, const struct ct_trace_event *event)
{
    if (event->request == 0)
        return ct_fail(reader->err, CT_EFORMAT, "a call that blocks, in a stage of another one");
    const bool is_last = --reader->stages[reader->stage] == 0;
    reader->stage += is_last;
    reader->begins = reader->stage == reader->n_stages ? CT_STAGE_NONE
                     : is_last                         ? CT_STAGE_NEXT
                                                       : CT_STAGE_SAME;
    return CT_OK;
}

static ct_read_fn *const handlers[CT_TRACE_N_KINDS] = {
    [CT_TRACE_BEGIN] = on_begin,
    [CT_TRACE_END] = on_end,
    [CT_TRACE_NEW_COMM] = new_comm,
    [CT_TRACE_SEND] = ct_on_send,
    [CT_TRACE_RECEIVE] = ct_on_receive,
    [CT_TRACE_SENDRECV] = ct_on_sendrecv,
    [CT_TRACE_PROBE] = ct_on_probe,
    [CT_TRACE_WAIT] = ct_on_wait,
    [CT_TRACE_TEST] = ct_on_wait,
    [CT_TRACE_CANCEL] = ct_on_cancel,
    [CT_TRACE_FREE] = ct_on_free,
    [CT_TRACE_BARRIER] = ct_on_collective,
    [CT_TRACE_BCAST] = ct_on_collective,
    [CT_TRACE_REDUCE] = ct_on_collective,
    [CT_TRACE_ALLREDUCE] = ct_on_collective,
    [CT_TRACE_SCAN] = ct_on_collective,
    [CT_TRACE_EXSCAN] = ct_on_collective,
    [CT_TRACE_GATHER] = ct_on_collective,
    [CT_TRACE_SCATTER] = ct_on_collective,
    [CT_TRACE_ALLGATHER] = ct_on_collective,
    [CT_TRACE_ALLTOALL] = ct_on_collective,
    [CT_TRACE_ALLTOALLV] = ct_on_collective,
    [CT_TRACE_REDUCE_SCATTER] = ct_on_collective,
    [CT_TRACE_NEIGHBOR] = ct_on_neighbor,
    [CT_TRACE_UNMODELLED] = on_unmodelled,
    [CT_TRACE_SEND_INIT] = on_init,
    [CT_TRACE_RECEIVE_INIT] = on_init,
    [CT_TRACE_SITE] = on_init,
    [CT_TRACE_ACCESS] = ct_on_access,
    [CT_TRACE_WINDOW_FLUSH] = ct_on_flush,
    [CT_TRACE_STAGES] = on_stages,
};

/* Time goes on from the latest end: before a call that began earlier, in another thread, there is
 * none. */
static enum ct_status read_event(struct ct_reader *reader, const struct ct_trace_event *event)
{
    if (reader->begun && event->start_ns > reader->end_ns)
        reader->gap_ns += event->start_ns - reader->end_ns;
    if (event->end_ns > reader->end_ns)
        reader->end_ns = event->end_ns;
    reader->begun = true;
    reader->of->last_position = reader->position;
    reader->event = event;
    reader->has_actions = false;
    /* A rank's calls follow one another in a schedule: those of several threads in the order in
     * which they ended. */
    if (event->thread != 0)
        note_threads(reader);
    const bool in_stage = reader->stage < reader->n_stages;
    enum ct_status status = ct_reader_find_site(reader, event);
    if (status == CT_OK)
        status = handlers[event->kind](reader, event);
    if (status == CT_OK && in_stage)
        status = pass_in_stage(reader, event);
    return status == CT_OK || status == CT_ENOMEM
               ? status
               : ct_fail_within(reader->err, status, "rank %u, %s %" PRIu64 " (%s)", reader->rank,
                                reader->source->position_unit, reader->position,
                                ct_trace_kind_text(event->kind));
}

struct ct_reader *ct_reader_new(const struct ct_events *source, struct ct_actions *all,
                                struct ct_convert_notes *notes, uint32_t rank, bool keeps_accesses)
{
    struct ct_reader *reader = malloc(sizeof *reader);
    if (reader)
        *reader = (struct ct_reader){.source = source,
                                     .all = all,
                                     .of = &all->ranks[rank],
                                     .notes = notes,
                                     .rank = rank,
                                     .keeps_accesses = keeps_accesses};
    return reader;
}

void ct_reader_free(struct ct_reader *reader)
{
    if (!reader)
        return;
    free(reader->comms);
    free(reader->probed);
    free(reader->accessed);
    free(reader->stages);
    free(reader->sites);
    ct_map_free(&reader->requests);
    ct_map_free(&reader->comm_numbers);
    ct_map_free(&reader->comm_places);
    free(reader);
}

static bool is_quiet(const struct ct_reader *reader)
{
    return reader->requests.n == 0 && reader->n_probed == 0 && reader->n_accessed == 0 &&
           !(reader->keeps_accesses && reader->notes->accesses > 0);
}

/* The end of the program, if it comes next: then no window is needed for it alone. */
static enum ct_status read_end(struct ct_reader *reader, bool *ended_p)
{
    const struct ct_events *source = reader->source;
    const struct ct_events_place here = source->tell(source->context, reader->rank);
    const uint64_t position = reader->position;
    struct ct_trace_event event;
    enum ct_status status =
        source->next(source->context, reader->rank, &event, &reader->position, reader->err);
    if (status == CT_OK && event.kind == CT_TRACE_END) {
        *ended_p = true;
        return read_event(reader, &event);
    }
    reader->position = position;
    if (status == CT_OK)
        source->seek(source->context, reader->rank, here);
    return status;
}

enum ct_status ct_reader_read(struct ct_reader *reader, uint64_t weight, bool *ended_p,
                              struct ct_error *err)
{
    const struct ct_events *source = reader->source;
    struct ct_trace_event event;
    enum ct_status status;
    reader->err = err;
    *ended_p = false;
    do {
        if ((status = ct_cancel_check(err)) != CT_OK)
            return status;
        status = source->next(source->context, reader->rank, &event, &reader->position, err);
        if (status != CT_OK)
            return status;
        if (event.kind != CT_TRACE_NONE)
            status = read_event(reader, &event);
        *ended_p = event.kind == CT_TRACE_NONE || reader->of->ended;
    } while (status == CT_OK && !*ended_p && !(reader->weight >= weight && is_quiet(reader)));
    if (status == CT_OK && !*ended_p)
        status = read_end(reader, ended_p);
    if (status == CT_OK && *ended_p && !reader->of->ended && reader->notes->n_cut++ == 0)
        reader->notes->first_cut = reader->rank;
    return status;
}
