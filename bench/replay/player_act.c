/* Events: the call of each, and the time before it. */
#include "bench/replay/player.h"

void ct_player_note_time(struct ct_player_thread *thread, const struct ct_trace_event *event)
{
    if (thread->has_end && event->start_ns > thread->end_ns)
        thread->gap_ns += event->start_ns - thread->end_ns;
    if (!thread->has_end || event->end_ns > thread->end_ns)
        thread->end_ns = event->end_ns;
    thread->has_end = true;
}

static void act_message(struct ct_player_thread *thread, const struct ct_trace_event *event,
                        const struct ct_outcome *outcome)
{
    if (event->starts > 0)
        ct_player_start(thread, event, outcome);
    else if (event->kind == CT_TRACE_SEND)
        ct_player_send(thread, event);
    else if (event->cut)
        ct_player_receive_cut(thread, event);
    else
        ct_player_receive(thread, event, outcome);
}

void ct_player_act(struct ct_player_thread *thread, const struct ct_trace_event *event,
                   const struct ct_outcome *outcome)
{
    ct_player_note_time(thread, event);
    switch (event->kind) {
    case CT_TRACE_BEGIN:
        thread->gap_ns = 0;
        return;
    case CT_TRACE_UNMODELLED:
    case CT_TRACE_STAGES: /* all of them begin at once, so that each can go on in any call */
        return;
    case CT_TRACE_NEW_COMM:
        ct_player_make_comm(thread, event);
        return;
    case CT_TRACE_SEND:
    case CT_TRACE_RECEIVE:
        act_message(thread, event, outcome);
        return;
    case CT_TRACE_SEND_INIT:
    case CT_TRACE_RECEIVE_INIT:
        ct_player_prepare(thread, event);
        return;
    case CT_TRACE_SENDRECV:
        ct_player_sendrecv(thread, event);
        return;
    case CT_TRACE_PROBE:
        ct_player_probe(thread, event);
        return;
    case CT_TRACE_WAIT:
    case CT_TRACE_TEST:
        ct_player_complete(thread, event);
        return;
    case CT_TRACE_ACCESS:
        ct_player_access(thread, event);
        return;
    case CT_TRACE_WINDOW_FLUSH:
        ct_player_flush(thread, event);
        return;
    case CT_TRACE_CANCEL:
        ct_player_cancel(thread, event);
        return;
    case CT_TRACE_FREE:
        ct_player_free_request(thread, event);
        return;
    default:
        ct_player_collective(thread, event);
    }
}

void ct_player_compute(struct ct_player_thread *thread)
{
    ct_pace_wait(&thread->pace, thread->gap_ns);
    thread->gap_ns = 0;
}

void ct_player_rewind(struct ct_player_thread *thread, struct ct_player_place place)
{
    ct_script_seek(&thread->script, place.events);
    thread->next_use = place.next_use;
    thread->next_freed = place.next_freed;
    thread->marks = place.marks;
    thread->end_ns = place.end_ns;
    thread->has_end = place.is_set;
    thread->gap_ns = 0;
    thread->held_until_ns = 0;
}
