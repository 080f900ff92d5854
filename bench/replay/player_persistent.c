/* Persistent requests: made, started, and the same again in each round of steps. */
#include "bench/replay/player.h"

typedef int init_fn(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
static init_fn *const inits[CT_TRACE_N_MODES] = {[CT_TRACE_STANDARD] = MPI_Send_init,
                                                 [CT_TRACE_SYNCHRONOUS] = MPI_Ssend_init,
                                                 [CT_TRACE_BUFFERED] = MPI_Bsend_init,
                                                 [CT_TRACE_READY] = MPI_Rsend_init};

static void make_request(struct ct_player *player, struct ct_player_slot *slot,
                         const struct ct_prepared *prepared)
{
    const struct ct_player_comm *comm = ct_player_comm_of(player, prepared->comm);
    const struct ct_trace_message *message = &prepared->message;
    int n = (int)message->bytes, tag = message->tag < 0 ? MPI_ANY_TAG : message->tag;
    int peer = message->rank < 0 ? MPI_ANY_SOURCE : ct_player_place_of(player, comm, message->rank);
    slot->prepared = *prepared;
    slot->active = false;
    slot->comm = prepared->comm;
    slot->use = prepared->sends ? CT_SLOT_SEND : CT_SLOT_RECEIVE;
    if (prepared->sends)
        inits[prepared->mode](slot->send.bytes, n, MPI_BYTE, peer, tag, comm->comm, &slot->request);
    else
        MPI_Recv_init(slot->receive.bytes, n, MPI_BYTE, peer, tag, comm->comm, &slot->request);
}

void ct_player_prepare(struct ct_player_thread *thread, const struct ct_trace_event *event)
{
    const struct ct_prepared prepared = ct_prepared_of(event);
    struct ct_player_slot *slot = ct_player_open_slot(thread->player, event->request);
    ct_player_begin_call(thread);
    make_request(thread->player, slot, &prepared);
    ct_player_end_call(thread, false);
}

/* A receive from any source is for the message that it gets, as all such receives are, if another
 * message could come: its request is made again where the one before was for another. */
static void aim_request(struct ct_player_thread *thread, struct ct_player_slot *slot,
                        const struct ct_trace_event *event, const struct ct_outcome *outcome)
{
    struct ct_player *player = thread->player;
    struct ct_trace_message from = outcome->arrives ? outcome->message : event->from;
    struct ct_prepared wanted = slot->prepared;
    ct_player_spoil(thread, slot->receive.bytes, (size_t)from.bytes);
    if (outcome->freed)
        ct_player_expect_freed(thread, slot, &from);
    if (!player->rehearsal.any_may_differ)
        return;
    wanted.message.rank = from.rank;
    wanted.message.tag = from.tag;
    if (ct_prepared_same(&wanted, &slot->prepared))
        return;
    MPI_Request_free(&slot->request);
    make_request(player, slot, &wanted);
}

void ct_player_start(struct ct_player_thread *thread, const struct ct_trace_event *event,
                     const struct ct_outcome *outcome)
{
    struct ct_player *player = thread->player;
    int n = (int)event->starts;
    uint32_t place = ct_player_find_slot(player, event->request);
    struct ct_player_slot *slot = &player->slot[place];
    if (slot->prepared.sends)
        ct_player_stamped(thread, &slot->send, &event->to);
    else
        aim_request(thread, slot, event, outcome);
    slot->active = true;
    thread->places[event->start] = place;
    thread->requests[event->start] = slot->request;
    if (event->start + 1 < event->starts)
        return;
    ct_player_begin_call(thread);
    if (n == 1)
        MPI_Start(thread->requests);
    else
        MPI_Startall(n, thread->requests);
    ct_player_end_call(thread, false);
    /* Open MPI may have put another in the place of one whose message is still leaving. */
    for (int i = 0; i < n; i++)
        player->slot[thread->places[i]].request = thread->requests[i];
}

/* ---- steps ---- */

void ct_player_keep_prepared(struct ct_player *player)
{
    for (uint32_t i = 0; i < player->rehearsal.n_slots; i++)
        player->first_prepared[i] = player->slot[i].prepared;
}

/* Nothing is under way. */
void ct_player_restore_prepared(struct ct_player *player)
{
    for (uint32_t i = 0; i < player->rehearsal.n_slots; i++) {
        struct ct_player_slot *slot = &player->slot[i];
        const struct ct_prepared *first = &player->first_prepared[i];
        if (ct_prepared_same(&slot->prepared, first))
            continue;
        if (slot->prepared.exists)
            MPI_Request_free(&slot->request);
        slot->prepared = *first;
        if (first->exists)
            make_request(player, slot, first);
    }
}
