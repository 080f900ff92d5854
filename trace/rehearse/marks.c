/* Points that all ranks pass together: the ends of collectives that block and that all of them
 * make. */
#include "core/array.h"
#include "core/random.h"
#include "trace/rehearse/stage.h"

static bool reserve_marks(struct ct_stage *stage, uint64_t n)
{
    size_t before = stage->marks.n_crossings;
    if (n <= before)
        return true;
    if (!CT_ARRAY_RESERVE(stage->marks.crossings, stage->marks.room_crossings, (size_t)n) ||
        !CT_ARRAY_RESERVE(stage->answer.marks, stage->marks.room_marks, (size_t)n))
        return false;
    for (; stage->marks.n_crossings < n; stage->marks.n_crossings++) {
        stage->marks.crossings[stage->marks.n_crossings] = 0;
        stage->answer.marks[stage->marks.n_crossings] = (struct ct_mark){0};
    }
    return true;
}

enum ct_status ct_stage_mark(struct ct_stage *stage, const struct ct_actor *actor,
                             const struct ct_op *op)
{
    const struct ct_trace_event *event = &actor->event;
    struct ct_rehearsal *answer = &stage->answer;
    uint64_t call = ct_random_mix((uint64_t)op->comm << 32 | (uint64_t)event->kind << 24 |
                                  (event->root & 0xffffff));
    /* What ranks give may differ where each has sizes of its own. */
    if (!ct_rehearsal_has_sizes(event->kind) && event->kind != CT_TRACE_NEIGHBOR)
        call ^= ct_random_mix(event->bytes + 1);
    if (!reserve_marks(stage, actor->process->epoch + 2))
        return ct_no_memory(stage->err, "traces");
    struct ct_mark *mark = &answer->marks[actor->process->epoch];
    if (actor->process->epoch == answer->n_marks) {
        mark->call = call;
        answer->n_marks++;
    } else if (mark->call != call) {
        mark->crossed = true; /* ranks make them in different orders */
    }
    return CT_OK;
}

enum ct_status ct_stage_cross(struct ct_stage *stage, uint64_t from, uint64_t to)
{
    uint64_t first = from < to ? from : to, last = from < to ? to : from;
    if (first == last)
        return CT_OK;
    if (!reserve_marks(stage, last + 1))
        return ct_no_memory(stage->err, "traces");
    stage->marks.crossings[first]++;
    stage->marks.crossings[last]--;
    return CT_OK;
}

enum ct_status ct_stage_count_message(struct ct_stage *stage, const struct ct_actor *actor)
{
    if (!reserve_marks(stage, actor->process->epoch + 1))
        return ct_no_memory(stage->err, "traces");
    stage->answer.marks[actor->process->epoch].messages++;
    return CT_OK;
}

/* Requests that nobody has seen complete are open to the end. */
void ct_stage_finish_marks(struct ct_stage *stage)
{
    struct ct_rehearsal *answer = &stage->answer;
    int64_t open = 0;
    for (uint32_t rank = 0; rank < stage->events->n_ranks; rank++) {
        const struct ct_process *process = &stage->processes[rank];
        if (ct_slots_open(&process->slots) > process->n_idle && process->epoch > 0)
            ct_stage_cross(stage, 0, process->epoch);
    }
    for (size_t i = 0; i < answer->n_marks; i++) {
        open += stage->marks.crossings[i];
        answer->marks[i].crossed |= open > 0;
    }
}
