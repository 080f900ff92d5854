/* Windows: one-sided accesses, and what synchronizes them, as the messages that MPICH 4 sends
 * (docs/traces.md). */
#include "core/array.h"
#include "trace/pmpi/state.h"

#include <stdlib.h>

/* Tags of messages that synchronize: from the rank whose memory is accessed, and to it. */
enum { POST_TAG, COMPLETE_TAG };

/* NULL: it is not known, or has ranks of other worlds, and has been refused. */
static struct ct_tracer_window *find_window(uint64_t start_ns, MPI_Win window)
{
    uint32_t found = ct_map_find(&ct_tracer.window_numbers, CT_TRACER_HANDLE(window));
    if (found != 0 && ct_tracer.comms[ct_tracer.windows[found - 1].comm].group.n > 0)
        return &ct_tracer.windows[found - 1];
    ct_tracer_refuse_others(start_ns);
    return NULL;
}

/* ---- events ---- */

static void write_barrier(uint64_t start_ns, const struct ct_tracer_window *window)
{
    ct_tracer_write(start_ns,
                    (struct ct_trace_event){.kind = CT_TRACE_BARRIER, .comm = window->comm});
}

static void write_messages(uint64_t start_ns, const struct ct_tracer_window *window,
                           enum ct_trace_kind kind, int32_t tag, const uint64_t *ranks, size_t n)
{
    struct ct_trace_event event = {.kind = kind, .comm = window->comm};
    for (size_t i = 0; i < n; i++) {
        struct ct_trace_message message = {(int32_t)ranks[i], tag, 0};
        *(kind == CT_TRACE_SEND ? &event.to : &event.from) = message;
        if (message.rank != ct_tracer.world_rank)
            ct_tracer_write(start_ns, event);
    }
}

static uint64_t rank_of_world(const struct ct_tracer_window *window, int rank)
{
    return (uint64_t)ct_tracer_world_rank(window->comm, rank);
}

static void write_flush(uint64_t start_ns, struct ct_tracer_window *window, int rank)
{
    const bool is_all = rank == CT_TRACER_ALL_RANKS;
    uint64_t value = is_all ? 0 : rank_of_world(window, rank);
    if (window->is_open)
        ct_tracer_write(start_ns, (struct ct_trace_event){.kind = CT_TRACE_WINDOW_FLUSH,
                                                          .comm = window->comm,
                                                          .values = &value,
                                                          .n_values = is_all ? 0 : 1});
    if (is_all)
        window->is_open = false;
}

/* A lock is a message there and one back, and so is its end. */
static void write_lock(uint64_t start_ns, struct ct_tracer_window *window, enum ct_trace_mode mode,
                       int rank)
{
    const bool is_all = rank == CT_TRACER_ALL_RANKS;
    const int n = is_all ? (int)ct_tracer.comms[window->comm].group.n : rank + 1;
    struct ct_trace_event event = {.kind = CT_TRACE_ACCESS, .mode = mode, .comm = window->comm};
    for (int i = is_all ? 0 : rank; i < n; i++) {
        event.to.rank = (int32_t)rank_of_world(window, i);
        if (event.to.rank == ct_tracer.world_rank)
            continue;
        ct_tracer_write(start_ns, event);
        window->is_open = true;
    }
    write_flush(start_ns, window, rank);
}

/* ---- windows ---- */

/* MPICH and Open MPI make all ranks wait for each other at both ends of a window. */
void ct_tracer_new_window(uint64_t start_ns, MPI_Win handle, MPI_Comm comm)
{
    struct ct_tracer_window window = {0};
    if (!ct_tracer_enter())
        return;
    bool is_known = ct_tracer_add_copy(start_ns, comm, &window.comm);
    if (is_known && (!CT_ARRAY_RESIZE(ct_tracer.windows, (size_t)ct_tracer.n_windows + 1) ||
                     !ct_map_add(&ct_tracer.window_numbers, CT_TRACER_HANDLE(handle),
                                 ct_tracer.n_windows + 1))) {
        ct_tracer_give_up("out of memory");
    } else if (is_known) {
        ct_tracer.windows[ct_tracer.n_windows++] = window;
        if (ct_tracer.comms[window.comm].group.n > 0)
            write_barrier(start_ns, &window);
    }
    ct_tracer_leave();
}

static void forget_ranks(uint64_t **ranks, size_t *n)
{
    free(*ranks);
    *ranks = NULL;
    *n = 0;
}

void ct_tracer_drop_window(uint64_t start_ns, MPI_Win handle)
{
    if (!ct_tracer_enter())
        return;
    struct ct_tracer_window *window = find_window(start_ns, handle);
    if (window) {
        write_barrier(start_ns, window);
        forget_ranks(&window->posted, &window->n_posted);
        forget_ranks(&window->started, &window->n_started);
        ct_map_remove(&ct_tracer.window_numbers, CT_TRACER_HANDLE(handle),
                      (uint32_t)(window - ct_tracer.windows) + 1);
    }
    ct_tracer_leave();
}

/* ---- calls ---- */

/* What a rank does to its own memory is no message, nor is what has no bytes. */
void ct_tracer_access(uint64_t start_ns, MPI_Win handle, struct ct_tracer_access access,
                      const MPI_Request *request)
{
    struct ct_trace_event event = {
        .kind = CT_TRACE_ACCESS, .mode = access.mode, .bytes = access.answer};
    bool is_message = false;
    if (!ct_tracer_enter())
        return;
    struct ct_tracer_window *window = find_window(start_ns, handle);
    if (window && access.rank >= 0 && access.bytes + access.answer > 0) {
        event.comm = window->comm;
        event.to.rank = (int32_t)rank_of_world(window, access.rank);
        event.to.bytes = access.bytes;
        is_message = event.to.rank >= 0 && event.to.rank != ct_tracer.world_rank;
        window->is_open = window->is_open || is_message;
    }
    if (request)
        ct_tracer_begin_request(start_ns, *request, CT_TRACER_SEND, CT_TRACER_ONCE, !is_message,
                                event);
    else if (is_message)
        ct_tracer_write(start_ns, event);
    else if (window)
        ct_tracer_pass(start_ns);
    ct_tracer_leave();
}

/* With MPI_MODE_NOCHECK the two sides know without a message that they may begin. */
static void begin_epoch(uint64_t start_ns, struct ct_tracer_window *window,
                        const struct ct_tracer_synchronization *sync)
{
    const bool posts = sync->what == CT_TRACER_POST;
    uint64_t **ranks = posts ? &window->posted : &window->started;
    size_t *n = posts ? &window->n_posted : &window->n_started;
    forget_ranks(ranks, n);
    *ranks = ct_tracer_append_members(NULL, n, sync->group);
    if (!*ranks)
        ct_tracer_give_up("out of memory");
    else if (!(sync->assert &MPI_MODE_NOCHECK))
        write_messages(start_ns, window, posts ? CT_TRACE_SEND : CT_TRACE_RECEIVE, POST_TAG, *ranks,
                       *n);
}

static void write_sync(uint64_t start_ns, struct ct_tracer_window *window,
                       const struct ct_tracer_synchronization *sync)
{
    switch (sync->what) {
    case CT_TRACER_FENCE:
        write_flush(start_ns, window, CT_TRACER_ALL_RANKS);
        write_barrier(start_ns, window);
        return;
    case CT_TRACER_POST:
    case CT_TRACER_START:
        begin_epoch(start_ns, window, sync);
        return;
    case CT_TRACER_END_START:
        write_flush(start_ns, window, CT_TRACER_ALL_RANKS);
        write_messages(start_ns, window, CT_TRACE_SEND, COMPLETE_TAG, window->started,
                       window->n_started);
        forget_ranks(&window->started, &window->n_started);
        return;
    case CT_TRACER_END_POST:
        write_messages(start_ns, window, CT_TRACE_RECEIVE, COMPLETE_TAG, window->posted,
                       window->n_posted);
        forget_ranks(&window->posted, &window->n_posted);
        return;
    case CT_TRACER_LOCK:
        window->is_unchecked = sync->assert &MPI_MODE_NOCHECK;
        if (!window->is_unchecked)
            write_lock(start_ns, window, CT_TRACE_LOCK, sync->rank);
        return;
    case CT_TRACER_UNLOCK:
        write_flush(start_ns, window, sync->rank);
        if (!window->is_unchecked)
            write_lock(start_ns, window, CT_TRACE_UNLOCK, sync->rank);
        return;
    case CT_TRACER_FLUSH:
        write_flush(start_ns, window, sync->rank);
    }
}

void ct_tracer_synchronize(uint64_t start_ns, MPI_Win handle, struct ct_tracer_synchronization sync)
{
    if (!ct_tracer_enter())
        return;
    struct ct_tracer_window *window = find_window(start_ns, handle);
    uint64_t n_events = ct_tracer.n_events;
    bool is_known = window && sync.rank != MPI_PROC_NULL;
    if (is_known)
        write_sync(start_ns, window, &sync);
    if (window && n_events == ct_tracer.n_events)
        ct_tracer_pass(start_ns);
    ct_tracer_leave();
}
