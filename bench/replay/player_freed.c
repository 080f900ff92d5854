/* Requests that are freed while they are under way: nothing tells when their buffers are free. */
#include "bench/replay/player.h"
#include "core/array.h"

#include <sched.h>
#include <stdlib.h>

/* A message that has not come so long after the rest of its pass is lost. */
static const double patience_s = 60;

void ct_player_expect_freed(struct ct_player_thread *thread, struct ct_player_slot *slot,
                            const struct ct_trace_message *from)
{
    slot->freed = *from;
    const struct ct_rehearsal *rehearsal = &thread->player->rehearsal;
    while (rehearsal->freed[thread->next_freed].position < thread->script.position)
        thread->next_freed++; /* those of other threads */
    slot->freed.bytes = rehearsal->freed[thread->next_freed++].bytes;
    /* Only what is in the buffer will tell that the message is there, to its last word. */
    ct_payload_spoil(slot->receive.bytes, slot->receive.room, true);
}

/* The buffer is in use until the pass has ended on all ranks: the slot gets another one. */
static void abandon_slot(struct ct_player_thread *thread, struct ct_player_slot *slot)
{
    struct ct_player *player = thread->player;
    bool receives = slot->use == CT_SLOT_RECEIVE;
    struct ct_buffer *buffer = receives ? &slot->receive : &slot->send;
    struct ct_buffer fresh = {malloc(buffer->room + 1), buffer->room, 0};
    ct_player_lock(player);
    bool has_room = fresh.bytes && CT_ARRAY_RESERVE(player->abandoned, player->room_abandoned,
                                                    player->n_abandoned + 1);
    if (has_room)
        player->abandoned[player->n_abandoned++] =
            (struct ct_abandoned){.buffer = *buffer, .receives = receives, .from = slot->freed};
    ct_player_unlock(player);
    if (!has_room) {
        free(fresh.bytes);
        ct_player_fail(thread, "out of memory for what requests that were freed still use");
        return;
    }
    if (!receives)
        ct_payload_fill(0, fresh.bytes, fresh.room);
    *buffer = fresh;
}

void ct_player_free_request(struct ct_player_thread *thread, const struct ct_trace_event *event)
{
    struct ct_player *player = thread->player;
    uint32_t place = ct_player_find_slot(player, event->request);
    struct ct_player_slot *slot = &player->slot[place];
    if (!slot->prepared.exists || slot->active)
        abandon_slot(thread, slot);
    ct_player_begin_call(thread);
    MPI_Request_free(&slot->request);
    ct_player_end_call(thread, false);
    slot->prepared = (struct ct_prepared){.exists = false};
    slot->active = false;
    ct_player_close_slot(player, event->request, place);
}

static bool has_come(const struct ct_player_thread *thread, const struct ct_abandoned *abandoned)
{
    const struct ct_payload payload = ct_player_payload(thread, &abandoned->from);
    size_t n = (size_t)abandoned->from.bytes, at;
    return n == 0 || ct_payload_check(&payload, 0, abandoned->buffer.bytes, n, SIZE_MAX, &at);
}

void ct_player_await_freed(struct ct_player_thread *thread)
{
    struct ct_player *player = thread->player;
    double start_s = 0;
    for (size_t i = 0; i < player->n_abandoned; i++) {
        struct ct_abandoned *abandoned = &player->abandoned[i];
        abandoned->came = !abandoned->receives || has_come(thread, abandoned);
        while (!abandoned->came) {
            if (start_s == 0)
                start_s = ct_clock_now_s();
            if (ct_clock_now_s() - start_s > patience_s) {
                ct_player_fail(thread,
                               "the message from rank %d, tag %d, to a receive that was freed, did "
                               "not come, or not as it was sent",
                               abandoned->from.rank, abandoned->from.tag);
                return;
            }
            ct_player_poll(thread);
            sched_yield();
            abandoned->came = has_come(thread, abandoned);
        }
    }
}

/* A message that has not come may still do so: its buffer stays. */
void ct_player_forget_freed(struct ct_player *player)
{
    while (player->n_abandoned > 0) {
        const struct ct_abandoned *last = &player->abandoned[--player->n_abandoned];
        if (last->came)
            free(last->buffer.bytes);
    }
}
