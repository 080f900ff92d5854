/* One-sided accesses. The replay has one window for all of the program's, whose epoch lasts as long
 * as the replay: what the program synchronizes by messages and barriers is in the trace as such,
 * and its locks are accesses that change nothing. */
#include "bench/replay/player.h"

void ct_player_open_window(struct ct_player *player, MPI_Comm world)
{
    if (!player->rehearsal.has_accesses)
        return;
    MPI_Win_create(player->accessed.bytes, (MPI_Aint)player->accessed.room, 1, MPI_INFO_NULL, world,
                   &player->window);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, player->window);
}

void ct_player_close_window(struct ct_player *player)
{
    if (player->window == MPI_WIN_NULL)
        return;
    MPI_Win_unlock_all(player->window);
    MPI_Win_free(&player->window);
}

/* A type of one element of that size; MPI_DATATYPE_NULL: there is none. */
static MPI_Datatype element_of(int bytes)
{
    return bytes == 1   ? MPI_INT8_T
           : bytes == 2 ? MPI_INT16_T
           : bytes == 4 ? MPI_INT32_T
           : bytes == 8 ? MPI_INT64_T
                        : MPI_DATATYPE_NULL;
}

/* Elements of other sizes, complex ones say, are fetched as several. */
static void access_element(const struct ct_player *player, const struct ct_trace_event *event)
{
    const bool is_lock = event->mode == CT_TRACE_LOCK || event->mode == CT_TRACE_UNLOCK;
    void *from = player->access.bytes; /* SimGrid's MPI_Compare_and_swap() takes no const */
    void *to = player->fetched.bytes;
    int n = is_lock ? 1 : (int)event->bytes, rank = event->to.rank;
    MPI_Datatype type = element_of(n);
    if (type != MPI_DATATYPE_NULL && event->mode == CT_TRACE_COMPARE_AND_SWAP)
        MPI_Compare_and_swap(from, from, to, type, rank, 0, player->window);
    else if (type != MPI_DATATYPE_NULL)
        MPI_Fetch_and_op(from, to, type, rank, 0, event->to.bytes > 0 ? MPI_REPLACE : MPI_NO_OP,
                         player->window);
    else
        MPI_Get_accumulate(from, n, MPI_BYTE, to, n, MPI_BYTE, rank, 0, n, MPI_BYTE, MPI_REPLACE,
                           player->window);
}

static void access_many(const struct ct_player *player, const struct ct_trace_event *event,
                        MPI_Request *request)
{
    const void *from = player->access.bytes;
    void *to = player->fetched.bytes;
    const MPI_Win window = player->window;
    const int out = (int)event->to.bytes, in = (int)event->bytes, rank = event->to.rank;
    switch (event->mode) {
    case CT_TRACE_PUT:
        if (request)
            MPI_Rput(from, out, MPI_BYTE, rank, 0, out, MPI_BYTE, window, request);
        else
            MPI_Put(from, out, MPI_BYTE, rank, 0, out, MPI_BYTE, window);
        return;
    case CT_TRACE_GET:
        if (request)
            MPI_Rget(to, in, MPI_BYTE, rank, 0, in, MPI_BYTE, window, request);
        else
            MPI_Get(to, in, MPI_BYTE, rank, 0, in, MPI_BYTE, window);
        return;
    case CT_TRACE_ACCUMULATE:
        if (request)
            MPI_Raccumulate(from, out, MPI_BYTE, rank, 0, out, MPI_BYTE, MPI_REPLACE, window,
                            request);
        else
            MPI_Accumulate(from, out, MPI_BYTE, rank, 0, out, MPI_BYTE, MPI_REPLACE, window);
        return;
    default:
        if (request)
            MPI_Rget_accumulate(from, out, MPI_BYTE, to, in, MPI_BYTE, rank, 0, in, MPI_BYTE,
                                out > 0 ? MPI_REPLACE : MPI_NO_OP, window, request);
        else
            MPI_Get_accumulate(from, out, MPI_BYTE, to, in, MPI_BYTE, rank, 0, in, MPI_BYTE,
                               out > 0 ? MPI_REPLACE : MPI_NO_OP, window);
    }
}

void ct_player_access(struct ct_player_thread *thread, const struct ct_trace_event *event)
{
    struct ct_player *player = thread->player;
    struct ct_player_slot *slot =
        event->request ? ct_player_open_slot(player, event->request) : NULL;
    ct_player_lock(player);
    ct_workload_sent(player->run, event->to.rank, event->to.bytes);
    ct_player_unlock(player);
    ct_player_begin_call(thread);
    if (slot)
        slot->use = CT_SLOT_SEND;
    if (event->mode >= CT_TRACE_FETCH_AND_OP)
        access_element(player, event);
    else
        access_many(player, event, slot ? &slot->request : NULL);
    ct_player_end_call(thread, false);
}

void ct_player_flush(struct ct_player_thread *thread, const struct ct_trace_event *event)
{
    ct_player_begin_call(thread);
    for (size_t i = 0; i < event->n_values; i++)
        MPI_Win_flush((int)event->values[i], thread->player->window);
    if (event->n_values == 0)
        MPI_Win_flush_all(thread->player->window);
    ct_player_end_call(thread, true);
}
