/* Threads of all ranks in turn. */
#include "trace/rehearse/rehearsal.h"

#include "core/array.h"
#include "trace/rehearse/stage.h"

#include <stdlib.h>

enum { TURN_EVENTS = 256 }; /* of a rank, before it is the next one's turn */

static bool has_ended(const struct ct_process *process)
{
    return process->n_ended == process->n_threads;
}

/* The next event of a thread, or its end. */
static enum ct_status read_next(struct ct_stage *stage, struct ct_actor *actor)
{
    struct ct_process *process = actor->process;
    uint64_t last = actor->script.position;
    enum ct_status status =
        ct_script_next(&actor->script, &actor->event, &actor->outcome, stage->err);
    if (status != CT_OK || actor->event.kind != CT_TRACE_NONE)
        return status;
    ct_actor_end(actor);
    return process->finalized || !has_ended(process)
               ? CT_OK
               : ct_fail(stage->err, CT_EFORMAT,
                         "rank %u, after %s %llu: the trace ends before MPI_Finalize: the program "
                         "was aborted",
                         actor->rank, stage->events->position_unit, (unsigned long long)last);
}

/* Whether all events of other threads have ended that had when this one began; each has its next
 * event. */
static bool may_begin(const struct ct_actor *actor)
{
    const struct ct_process *process = actor->process;
    for (uint32_t i = 0; i < process->n_threads; i++) {
        const struct ct_actor *other = &process->threads[i];
        if (other != actor && !other->ended && ct_actor_index(other) < actor->event.after)
            return false;
    }
    return true;
}

/* One event. *acted_p: something happened. */
static enum ct_status act_once(struct ct_stage *stage, struct ct_actor *actor, bool *acted_p)
{
    enum ct_status status = CT_OK;
    bool may = false;
    *acted_p = false;
    if (actor->event.kind == CT_TRACE_NONE) {
        status = read_next(stage, actor);
        *acted_p = actor->ended;
        if (status != CT_OK || actor->ended)
            return status;
    }
    if (!actor->begun) {
        if (!may_begin(actor))
            return CT_OK;
        status = ct_stage_check_start(stage, actor);
        if (status == CT_OK)
            status = ct_stage_begin(stage, actor);
        actor->begun = true;
        *acted_p = true;
    }
    if (status == CT_OK)
        status = ct_stage_end(stage, actor, &may);
    if (status == CT_OK && may) {
        actor->event = (struct ct_trace_event){0};
        actor->begun = false;
        *acted_p = true;
    }
    return status;
}

/* Of the threads that have an event with this index or a later one, the one with the first. */
static struct ct_actor *first_from(const struct ct_process *process, uint64_t index)
{
    struct ct_actor *first = NULL;
    for (uint32_t i = 0; i < process->n_threads; i++) {
        struct ct_actor *actor = &process->threads[i];
        bool fits = !actor->ended && ct_actor_index(actor) >= index;
        if (fits && (!first || ct_actor_index(actor) < ct_actor_index(first)))
            first = actor;
    }
    return first;
}

/* One event of several threads, in the order of the trace where they may go on. */
static enum ct_status act_first(struct ct_stage *stage, struct ct_process *process, bool *acted_p)
{
    enum ct_status status = CT_OK;
    for (uint32_t i = 0; i < process->n_threads && status == CT_OK; i++)
        if (!process->threads[i].ended && process->threads[i].event.kind == CT_TRACE_NONE)
            status = read_next(stage, &process->threads[i]);
    struct ct_actor *actor = first_from(process, 0);
    for (*acted_p = false; actor && !*acted_p && status == CT_OK;) {
        uint64_t index = ct_actor_index(actor);
        status = act_once(stage, actor, acted_p);
        actor = first_from(process, index + 1);
    }
    return status;
}

/* A rank goes on until it waits, or others should have their turn. */
static enum ct_status take_turn(struct ct_stage *stage, struct ct_process *process, bool *acted_p)
{
    enum ct_status status = CT_OK;
    bool acted = true;
    for (int i = 0; i < TURN_EVENTS && !has_ended(process) && acted && status == CT_OK; i++) {
        if (process->n_threads > 1) {
            status = act_first(stage, process, &acted);
            *acted_p |= acted;
            continue;
        }
        struct ct_actor *actor = process->threads;
        status = act_once(stage, actor, &acted);
        *acted_p |= acted;
        acted = acted && actor->event.kind == CT_TRACE_NONE;
    }
    return status;
}

/* The first thread that waits for ever, and not for other threads of its rank. */
static enum ct_status explain_stop(struct ct_stage *stage)
{
    const struct ct_actor *actor = stage->actors;
    for (size_t i = 0; i < stage->n_actors; i++) {
        actor = &stage->actors[i];
        if (!actor->ended && actor->begun)
            break;
    }
    const struct ct_trace_event *event = &actor->event;
    static const char never[] = "the program cannot end:";
    switch (event->kind) {
    case CT_TRACE_RECEIVE:
    case CT_TRACE_SENDRECV:
    case CT_TRACE_PROBE:
        return ct_stage_fail(stage, actor, CT_EFORMAT,
                             "%s it waits for a message from rank %d, tag %d", never,
                             event->from.rank, event->from.tag);
    case CT_TRACE_SEND:
        return ct_stage_fail(stage, actor, CT_EFORMAT,
                             "%s it waits until rank %d receives its message, tag %d", never,
                             event->to.rank, event->to.tag);
    case CT_TRACE_WAIT:
    case CT_TRACE_TEST:
        return ct_stage_fail(stage, actor, CT_EFORMAT, "%s it waits for a request", never);
    default:
        return ct_stage_fail(stage, actor, CT_EFORMAT,
                             "%s it waits for the other members of communicator %u", never,
                             event->comm);
    }
}

static enum ct_status act_all(struct ct_stage *stage)
{
    enum ct_status status = CT_OK;
    for (;;) {
        bool acted = false, ended = true;
        for (uint32_t rank = 0; rank < stage->events->n_ranks && status == CT_OK; rank++) {
            struct ct_process *process = &stage->processes[rank];
            status = take_turn(stage, process, &acted);
            ended = ended && has_ended(process);
        }
        if (status != CT_OK || ended)
            return status;
        if (!acted)
            return explain_stop(stage);
    }
}

static void free_stage(struct ct_stage *stage)
{
    for (size_t i = 0; i < stage->n_actors; i++) {
        ct_script_free(&stage->actors[i].script);
        free(stage->actors[i].syncs);
    }
    free(stage->actors);
    for (uint32_t rank = 0; stage->processes && rank < stage->events->n_ranks; rank++) {
        struct ct_process *process = &stage->processes[rank];
        ct_slots_free(&process->slots);
        ct_map_free(&process->comm_numbers);
        free(process->ops);
        free(process->comms);
        free(process->claims);
    }
    free(stage->processes);
    ct_stage_free_gatherings(stage);
    ct_comms_free(&stage->comms);
    ct_map_free(&stage->messages.pairs);
    ct_map_free(&stage->messages.channel_numbers);
    ct_map_free(&stage->needs.known_sizes);
    free(stage->messages.channels);
    free(stage->messages.free_channels);
    free(stage->messages.nodes);
    free(stage->marks.crossings);
    free(stage->needs.frees);
    ct_rehearsal_free(&stage->answer);
}

static enum ct_status open_process(struct ct_stage *stage, uint32_t rank)
{
    struct ct_process *process = &stage->processes[rank];
    process->threads = &stage->actors[stage->n_actors];
    process->slots.given = process->n_threads > 1;
    for (uint32_t i = 0; i < process->n_threads; i++) {
        struct ct_actor *actor = &stage->actors[stage->n_actors++];
        *actor = (struct ct_actor){.rank = rank, .thread = i, .process = process};
        if (process->n_threads == 1)
            ct_script_open(stage->events, rank, &actor->script);
        else
            CT_TRY(ct_script_open_thread(stage->events, rank, i, &actor->script, stage->err));
    }
    if (!CT_ARRAY_RESERVE(process->ops, process->room_ops, process->n_threads))
        return ct_no_memory(stage->err, "traces");
    return CT_OK;
}

static enum ct_status open_stage(struct ct_stage *stage)
{
    uint32_t n = stage->events->n_ranks;
    size_t n_actors = 0;
    stage->comms = (struct ct_comms){.n_ranks = n, .position_unit = stage->events->position_unit};
    stage->processes = calloc((size_t)n + 1, sizeof *stage->processes);
    if (!stage->processes)
        return ct_no_memory(stage->err, "traces");
    for (uint32_t rank = 0; rank < n; rank++) {
        uint32_t *n_p = &stage->processes[rank].n_threads;
        CT_TRY(ct_script_count_threads(stage->events, rank, n_p, stage->err));
        n_actors += *n_p;
    }
    stage->actors = calloc(n_actors + 1, sizeof *stage->actors);
    if (!stage->actors)
        return ct_no_memory(stage->err, "traces");
    for (uint32_t rank = 0; rank < n; rank++)
        CT_TRY(open_process(stage, rank));
    uint32_t n_threads = stage->processes[stage->own].n_threads;
    stage->answer.threads = calloc(n_threads + (size_t)1, sizeof *stage->answer.threads);
    if (!stage->answer.threads)
        return ct_no_memory(stage->err, "traces");
    stage->answer.n_threads = n_threads;
    return CT_OK;
}

static enum ct_status rehearse_ranks(const struct ct_events *events, uint32_t rank,
                                     bool comms_first, struct ct_rehearsal *rehearsal_p,
                                     struct ct_error *err)
{
    struct ct_stage stage = {.events = events, .own = rank, .comms_first = comms_first, .err = err};
    enum ct_status status = open_stage(&stage);
    if (status == CT_OK)
        status = act_all(&stage);
    if (status == CT_OK)
        status = ct_stage_check_messages(&stage);
    if (status == CT_OK)
        status = ct_stage_finish_needs(&stage);
    if (status == CT_OK) {
        ct_stage_finish_marks(&stage);
        *rehearsal_p = stage.answer;
        stage.answer = (struct ct_rehearsal){0};
    }
    free_stage(&stage);
    return status;
}

enum ct_status ct_rehearse(const struct ct_events *events, uint32_t rank,
                           struct ct_rehearsal *rehearsal_p, struct ct_error *err)
{
    struct ct_events_place *starts = calloc(events->n_ranks, sizeof *starts);
    if (!starts)
        return ct_no_memory(err, "traces");
    for (uint32_t r = 0; r < events->n_ranks; r++)
        starts[r] = events->tell(events->context, r);
    struct ct_error first;
    enum ct_status status = rehearse_ranks(events, rank, false, rehearsal_p, &first);
    if (status == CT_EFORMAT) {
        for (uint32_t r = 0; r < events->n_ranks; r++)
            events->seek(events->context, r, starts[r]);
        /* Forms of traces that have no such calls give communicators with their first use. */
        if (rehearse_ranks(events, rank, true, rehearsal_p, NULL) == CT_OK)
            status = CT_OK;
    }
    for (uint32_t r = 0; r < events->n_ranks; r++)
        events->seek(events->context, r, starts[r]);
    free(starts);
    if (status != CT_OK)
        ct_fail(err, status, "%s", first.text);
    return status;
}
