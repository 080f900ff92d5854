/**
 * State of one rank of a replay: the communicators and requests of this run for the numbers in the
 * trace, and of each thread its script and buffers. All memory is allocated before the first pass.
 */
#pragma once

#include "bench/replay/gate.h"
#include "bench/replay/pace.h"
#include "bench/replay/payload.h"
#include "bench/workloads/workload.h"
#include "trace/rehearse/prepared.h"
#include "trace/rehearse/rehearsal.h"
#include "trace/rehearse/script.h"
#include "trace/rehearse/slots.h"
#include "trace/rehearse/steps.h"

#include <mpi.h>

/** A set of ranks that has one communicator or several. */
struct ct_members {
    uint32_t *ranks; /**< [n] of the world */
    uint32_t n;
    int own;              /**< place of this rank */
    int *place_of;        /**< [ranks of the world] place, or -1 */
    MPI_Comm comm;        /**< of the replay itself, from which the program's are made */
    uint64_t mask;        /**< exclusive or of the contributions of all of them to a reduction */
    uint64_t mask_before; /**< of the ranks before this one */
};

/** A communicator of the program. */
struct ct_player_comm {
    MPI_Comm comm; /**< MPI_COMM_NULL: not made yet */
    uint32_t members;
    uint64_t ordinal; /**< among those with the same members */
    bool is_mine;     /**< made by the replay, which has to free it */
    bool stays;       /**< made before the first step */
    bool has_neighbours;
    int *neighbours; /**< [n_to + n_from] places: destinations, then sources */
    int n_to, n_from;
};

/** Bytes that are sent or received. */
struct ct_buffer {
    unsigned char *bytes;
    size_t room;
    uint64_t layout; /**< of the blocks for which it is filled; 0: one message */
};

/** What a request that was freed still uses. */
struct ct_abandoned {
    struct ct_buffer buffer;
    bool receives;
    struct ct_trace_message from; /**< of a receive: the message that comes */
    bool came;
};

enum ct_slot_use { CT_SLOT_SEND, CT_SLOT_RECEIVE, CT_SLOT_COLLECTIVE };

/** Sizes and places of the blocks of a collective, bytes. */
struct ct_blocks {
    int *counts, *places; /**< [n] */
    uint32_t n;
    bool same; /**< all blocks have the same size */
    int total;
};

/** An open request. */
struct ct_player_slot {
    MPI_Request request;
    struct ct_prepared prepared; /**< of a persistent one: what MPI was given */
    bool active;                 /**< of a persistent one: it was started, and is not complete */
    enum ct_slot_use use;
    struct ct_buffer send, receive;
    struct ct_trace_message freed; /**< of a receive that is freed: the message that comes */
    int *counts; /**< of a collective with a size for each member; NULL: none so far */
    size_t room_counts;
    uint32_t comm; /**< of a receive or a collective */
    /* Of a collective: its parameters, for checking the result. */
    enum ct_trace_kind kind;
    uint32_t root;
    uint64_t bytes;
    struct ct_blocks from;
};

/** Memory of a thread's own calls. */
struct ct_player_memory {
    struct ct_buffer send, receive;                       /**< of calls that block: messages */
    struct ct_buffer collective_send, collective_receive; /**< and collectives */
    int *counts;                                          /**< of collectives that block */
    size_t room_counts;
};

/** One thread of the rank: where it is in its part of the script, and what its own calls use. */
struct ct_player_thread {
    struct ct_player *player;
    uint32_t number; /**< in the trace */
    struct ct_script script;
    struct ct_trace_event event; /**< of several threads: the next one, and its outcome */
    struct ct_outcome outcome;
    struct ct_pace pace;
    struct ct_player_memory memory;
    MPI_Request *requests; /**< [rehearsal.n_slots] for calls with several */
    MPI_Status *statuses;
    uint32_t *places;
    size_t next_freed; /**< of rehearsal.freed */
    size_t next_use;   /**< of rehearsal.uses */
    uint64_t marks;    /**< number of marks passed */
    uint64_t end_ns;   /**< of the event before, in the trace */
    bool has_end;
    uint64_t gap_ns;        /**< the program computed since its last call */
    uint64_t held_until_ns; /**< other threads had to come first until then; 0: they had not */
};

/** A place in the script, and what belongs to it. */
struct ct_player_place {
    struct ct_events_place events;
    uint64_t marks, end_ns;
    size_t next_use, next_freed;
    bool is_set;
};

struct ct_crew; /**< threads that were started; player_threads.c */

/** The player of a rank. One struct, since each call of a trace may use any of it: player_*.c have
 * a part each. */
struct ct_player {
    struct ct_workload_run *run; /**< of the current pass */
    const char *source;          /**< folder, for messages */
    struct ct_events events;
    struct ct_rehearsal rehearsal;
    uint32_t rank, n_ranks;
    struct ct_player_thread *threads; /**< [n_threads] */
    uint32_t n_threads;
    /* Of several threads, else unused: */
    struct ct_gate gate;
    struct ct_crew *crew;
    pthread_mutex_t lock; /**< of the profile and the status in `run`, and of `abandoned` */

    struct ct_members *members;
    size_t n_members, room_members;
    struct ct_player_comm *comms;
    size_t n_comms, room_comms;
    struct ct_map comm_numbers; /**< number in the trace -> index in comms + 1 */

    struct ct_slots slots;
    struct ct_slots first_slots;        /**< where the first step begins */
    struct ct_player_slot *slot;        /**< [rehearsal.n_slots] */
    struct ct_prepared *first_prepared; /**< [rehearsal.n_slots] where the first step begins */
    struct ct_buffer reduced;           /**< contribution of this rank to reductions */
    void *buffered;                     /**< attached for buffered sends */
    MPI_Win window; /**< for one-sided accesses of all windows of the program; MPI_WIN_NULL: none */
    struct ct_buffer accessed;        /**< its memory */
    struct ct_buffer access, fetched; /**< what accesses send, and what they get */
    struct ct_abandoned *abandoned;   /**< of requests that were freed; until the next pass */
    size_t n_abandoned, room_abandoned;

    struct ct_steps steps; /**< the steps that are repeated; n = 0: a pass is the whole program */
    struct ct_player_place first; /**< where the first step begins */
};

/* ---- events (player_act.c) ---- */

/** Make the call of an event. */
void ct_player_act(struct ct_player_thread *thread, const struct ct_trace_event *event,
                   const struct ct_outcome *outcome);
/** The program computes from the end of a call to the start of the next. */
void ct_player_note_time(struct ct_player_thread *thread, const struct ct_trace_event *event);
/** Compute what comes behind the last call. */
void ct_player_compute(struct ct_player_thread *thread);
void ct_player_rewind(struct ct_player_thread *thread, struct ct_player_place place);

/* ---- several threads (player_threads.c) ---- */

/** Start the threads, if there are several; they sleep. @return CT_OK; CT_ENOMEM */
enum ct_status ct_player_start_threads(struct ct_player *player, struct ct_error *err);
/** A pass of all threads. */
void ct_player_play_threads(struct ct_player *player);
void ct_player_stop_threads(struct ct_player *player);

/* ---- slots (player_slots.c) ---- */

/** A slot for a request that begins. */
struct ct_player_slot *ct_player_open_slot(struct ct_player *player, uint32_t request);
/** Place of the slot of an open request. */
uint32_t ct_player_find_slot(const struct ct_player *player, uint32_t request);
/** The request has ended. */
void ct_player_close_slot(struct ct_player *player, uint32_t request, uint32_t place);
/** Free the requests that are open at the end of a pass. */
void ct_player_drop_requests(struct ct_player *player);

/* ---- communicators (player_comms.c) ---- */

/** Read the rank's own events for its communicators. Not collective. */
enum ct_status ct_player_list_comms(struct ct_player *player, struct ct_error *err);
/**
 * Make the communicators from which the program's are made. Collective over world, which has all
 * ranks. If a rank runs out of memory, it ends the job.
 */
void ct_player_open_comms(struct ct_player *player, MPI_Comm world);
/** End the job, since other ranks wait for this one. */
_Noreturn void ct_player_give_up(const struct ct_player *player);
/** Make a communicator of the program. Collective over its members. */
void ct_player_make_comm(struct ct_player_thread *thread, const struct ct_trace_event *event);
/** Free the communicators that a pass has made. */
void ct_player_drop_comms(struct ct_player *player);
void ct_player_close_comms(struct ct_player *player);

static inline struct ct_player_comm *ct_player_comm_of(struct ct_player *player, uint32_t number)
{
    return &player->comms[ct_map_find(&player->comm_numbers, number) - 1];
}

static inline const struct ct_members *ct_player_members_of(const struct ct_player *player,
                                                            const struct ct_player_comm *comm)
{
    return &player->members[comm->members];
}

/* ---- calls: each from its due time on; MPI's time is counted ---- */

/** Compute until the call is due. */
void ct_player_begin_call(struct ct_player_thread *thread);
/** @param waits  [in] the call waits, or may wait, for other ranks */
void ct_player_end_call(struct ct_player_thread *thread, bool waits);

/** What several threads change is between these two; one thread takes no lock. */
static inline void ct_player_lock(struct ct_player *player)
{
    if (player->n_threads > 1)
        pthread_mutex_lock(&player->lock);
}
static inline void ct_player_unlock(struct ct_player *player)
{
    if (player->n_threads > 1)
        pthread_mutex_unlock(&player->lock);
}

/** Place of a rank in a communicator. */
static inline int ct_player_place_of(const struct ct_player *player,
                                     const struct ct_player_comm *comm, int32_t rank)
{
    return ct_player_members_of(player, comm)->place_of[rank];
}

/** Put the message in a buffer, and count it. @return its bytes */
const void *ct_player_stamped(struct ct_player_thread *thread, struct ct_buffer *buffer,
                              const struct ct_trace_message *to);

void ct_player_send(struct ct_player_thread *thread, const struct ct_trace_event *event);
void ct_player_receive(struct ct_player_thread *thread, const struct ct_trace_event *event,
                       const struct ct_outcome *outcome);
void ct_player_receive_cut(struct ct_player_thread *thread, const struct ct_trace_event *event);
void ct_player_sendrecv(struct ct_player_thread *thread, const struct ct_trace_event *event);
void ct_player_probe(struct ct_player_thread *thread, const struct ct_trace_event *event);
void ct_player_complete(struct ct_player_thread *thread, const struct ct_trace_event *event);
void ct_player_cancel(struct ct_player_thread *thread, const struct ct_trace_event *event);

/* ---- requests that are freed (player_freed.c) ---- */

/** Before a receive is posted: what comes if its request is freed. */
void ct_player_expect_freed(struct ct_player_thread *thread, struct ct_player_slot *slot,
                            const struct ct_trace_message *from);
void ct_player_free_request(struct ct_player_thread *thread, const struct ct_trace_event *event);
/**
 * Wait for the messages of receives that were freed, at the end of a pass: the next one's messages
 * must not come to them.
 */
void ct_player_await_freed(struct ct_player_thread *thread);
/** All ranks have ended the pass before: nothing of it is on its way. */
void ct_player_forget_freed(struct ct_player *player);

/* ---- persistent requests (player_persistent.c) ---- */

void ct_player_prepare(struct ct_player_thread *thread, const struct ct_trace_event *event);
/** Start a request; with the last one that its call starts, the call is made. */
void ct_player_start(struct ct_player_thread *thread, const struct ct_trace_event *event,
                     const struct ct_outcome *outcome);
/** Remember the persistent requests at the begin of the first step, and have the same ones again.
 */
void ct_player_keep_prepared(struct ct_player *player);
void ct_player_restore_prepared(struct ct_player *player);

void ct_player_collective(struct ct_player_thread *thread, const struct ct_trace_event *event);
/** Check the result of a collective that a wait has completed. */
void ct_player_check_slot(struct ct_player_thread *thread, struct ct_player_slot *slot);

/* ---- one-sided accesses (player_windows.c) ---- */

/** Make the window, if there are some, and free it. Both collective over all ranks. */
void ct_player_open_window(struct ct_player *player, MPI_Comm world);
void ct_player_close_window(struct ct_player *player);
void ct_player_access(struct ct_player_thread *thread, const struct ct_trace_event *event);
void ct_player_flush(struct ct_player_thread *thread, const struct ct_trace_event *event);

/* ---- checks of received data (player_check.c) ---- */

/** A call that finds nothing, which lets the MPI library go on. */
void ct_player_poll(struct ct_player_thread *thread);
/** The right content of a message. */
struct ct_payload ct_player_payload(const struct ct_player_thread *thread,
                                    const struct ct_trace_message *from);

/** Record a failure of this rank, unless it has one already: a message with wrong content. */
void ct_player_fail(struct ct_player_thread *thread, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/** @param from  [in] rank of the world, for the message */
void ct_player_check(struct ct_player_thread *thread, uint32_t from,
                     const struct ct_payload *payload, size_t offset, const unsigned char *data,
                     size_t n);
void ct_player_spoil(struct ct_player_thread *thread, unsigned char *data, size_t n);
