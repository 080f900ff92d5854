/* Data structures of the rehearsal: ranks, their operations, messages, collective calls. */
#pragma once

#include "trace/convert/communicators.h"
#include "trace/rehearse/prepared.h"
#include "trace/rehearse/rehearsal.h"
#include "trace/rehearse/script.h"
#include "trace/rehearse/slots.h"

enum { CT_SIZE_MAX = INT32_MAX };

/* Route of a message: ranks of MPI_COMM_WORLD. */
struct ct_way {
    uint32_t comm, source, destination;
    int64_t tag; /* of messages >= 0; of neighbours: below 0 */
};

/* An event of a rank that others of its threads need: its place, and the thread that made it. */
struct ct_made {
    uint64_t index;
    uint32_t thread;
};

/* An operation under way: one struct for all kinds, since a request may become another. */
struct ct_op {
    struct ct_made made; /* by the last event that began it, or completed a persistent one */
    uint32_t pending;    /* messages that it waits for */
    uint64_t bytes;      /* of a receive: size of the buffer, then of the message */
    uint64_t began;      /* marks that the rank had passed */
    bool exact;          /* the message has this size */
    bool any_size;       /* several messages of unknown sizes */
    bool cut;            /* the message is longer than the buffer */
    bool receives;
    bool expected;                /* of a receive: a call completes it with a message */
    bool aside;                   /* of a receive: it gets no message, but would get one for: */
    struct ct_trace_message from; /* rank or tag below 0: any */
    bool sends;
    struct ct_way way; /* of its message; of a collective: none */
    bool any;          /* a persistent receive, from any source or with any tag */
    uint64_t after;    /* of a receive: a message that was sent before its sender had passed so many
                          marks where all synchronize could have come to an `any` before */
    size_t freed;      /* of a receive that the rank `own` frees: place in answer.freed, + 1 */
    bool collective;
    uint32_t comm;
    uint64_t instance;
    struct ct_prepared prepared; /* of a persistent request */
    bool idle;                   /* it is not under way */
};

/* Operations of a rank: one of each thread for its calls that block, then those of requests, by
 * place. What a request that was freed does on its own has no operation. */
enum { CT_OP_FREED = INT32_MAX };

struct ct_actor_comm {
    uint32_t comm, member;
    uint64_t calls;
    struct ct_made made;
};

/* What a call claims, for calls of other threads at the same time (overlaps.c). */
enum ct_claim_kind {
    CT_CLAIM_SEND,
    CT_CLAIM_RECEIVE,
    CT_CLAIM_ASIDE, /* a receive that gets no message */
    CT_CLAIM_COLLECTIVE,
    CT_CLAIM_COMM
};
struct ct_claim {
    uint64_t index, after; /* of the event */
    uint32_t thread;
    enum ct_claim_kind kind;
    struct ct_way way;            /* of a collective or communicator: its comm only */
    struct ct_trace_message from; /* of one aside: rank or tag below 0: any */
    uint64_t bytes;
    bool exact, cut; /* of a receive: the size of its message is known; it is cut short */
};

/* One thread of a rank. */
struct ct_actor {
    uint32_t rank, thread;
    struct ct_process *process;
    struct ct_script script;
    struct ct_trace_event event; /* current event; kind NONE: read the next one */
    struct ct_outcome outcome;
    bool begun;      /* the event has begun, and waits; else others must end first */
    size_t new_comm; /* in comms, of an event that makes one */
    bool ended;
    uint32_t starts, next_start; /* of a call that starts some; next_start 0: none is open */
    uint64_t *syncs; /* [n_syncs] of several threads: index of each mark where all synchronize */
    size_t n_syncs, room_syncs;
};

/* What the threads of a rank share: one struct, since each of their calls may touch any of it. */
struct ct_process {
    struct ct_actor *threads; /* [n_threads] */
    uint32_t n_threads, n_ended;
    bool finalized;
    bool has_gaps;           /* parts of it were not recorded */
    struct ct_claim *claims; /* [n_claims] that calls which are still to come may overlap with */
    size_t n_claims, room_claims;
    struct ct_slots slots;
    struct ct_op *ops; /* [n_threads and the slots] */
    uint32_t room_ops;
    struct ct_actor_comm *comms;
    size_t n_comms, room_comms;
    struct ct_map comm_numbers; /* number -> index + 1 */
    uint64_t epoch;             /* marks that it has passed */
    uint64_t synced;            /* of these, where all ranks synchronize */
    uint64_t any_until;         /* `after` of receives that follow */
    uint32_t n_any;             /* operations `any` that are under way */
    uint32_t n_idle;            /* persistent requests that are not under way */
    uint32_t n_aside;           /* receives that get no message */
};

static inline void ct_actor_end(struct ct_actor *actor)
{
    actor->ended = true;
    actor->process->n_ended++;
}

/* Operation of the thread's calls that block. */
static inline uint32_t ct_actor_blocking(const struct ct_actor *actor)
{
    return actor->thread;
}

/* Operation of the request at a place. */
static inline uint32_t ct_process_op(const struct ct_process *process, uint32_t place)
{
    return process->n_threads + place;
}

/* A message that was sent, or a receive that waits for one. */
struct ct_node {
    uint64_t bytes;    /* of a receive that was freed: of its buffer */
    uint64_t epoch;    /* marks that the rank had passed; of a receive: if it was freed */
    uint32_t rank, op; /* rank and operation of the receive, or of a synchronous send */
    uint64_t order; /* of a message: `synced` of its sender; of a receive that was freed: after */
    size_t freed;   /* as of the operation */
    uint32_t next;  /* + 1; 0: the last, or free */
    bool synchronous;
};

/* One direction between two ranks, with one tag: messages, or receives, in order. */
struct ct_channel {
    uint64_t key;
    uint32_t first, last; /* + 1 */
    bool has_messages;
};

struct ct_call {
    enum ct_trace_kind kind;
    bool vector, blocks;
    uint32_t root, first_rank;
    uint64_t first_position, bytes, hash;
    uint32_t arrived;
    bool root_is_here;
    const struct ct_actor *own; /* thread of the rank `own` that has arrived; NULL: none, with: */
    uint32_t own_op;
    uint64_t own_position;
    uint64_t *sizes; /* [members] or NULL */
};

struct ct_gathering {
    uint32_t made; /* members that have the communicator */
    struct ct_call *calls;
    size_t first, n, room;
    uint64_t done; /* calls that all members have made; calls[first] comes next */
};

/* Messages and receives that wait (channels.c). */
struct ct_stage_messages {
    struct ct_map pairs; /* communicator, source, destination -> number */
    uint32_t n_pairs;
    struct ct_map channel_numbers; /* pair and tag -> index + 1 */
    struct ct_channel *channels;
    uint32_t n_channels, room_channels, *free_channels, n_free_channels, room_free_channels;
    struct ct_node *nodes;
    uint32_t n_nodes, room_nodes, free_node; /* + 1 */
};

/* What crosses marks (marks.c). */
struct ct_stage_marks {
    int64_t *
        crossings; /* [mark - 1]: number that cross it but not the one before, minus the opposite */
    size_t n_crossings, room_crossings, room_marks;
};

/* Lists in the answer, and what they are made from (needs.c). */
struct ct_stage_needs {
    size_t room_slots, room_uses, n_sizes, room_sizes, room_freed;
    struct ct_room *frees; /* [n_frees] by place: requests that are freed while under way */
    size_t n_frees, room_frees;
    struct ct_map known_sizes; /* hash -> index in uses of the first with it, + 1 */
};

/* One call of one rank may move any other: ranks, messages and collectives. */
struct ct_stage {
    const struct ct_events *events;
    uint32_t own;                 /* rank whose facts are collected */
    struct ct_process *processes; /* [rank] */
    struct ct_actor *actors;      /* [n_actors] threads of all ranks, by rank */
    size_t n_actors;
    struct ct_comms comms;
    struct ct_gathering *gatherings; /* [comms.n] */
    size_t n_gatherings, room_gatherings;
    struct ct_stage_messages messages;
    bool comms_first;
    struct ct_stage_marks marks;
    struct ct_way unwaited; /* of the first message whose receive no call completes */
    bool has_unwaited;
    bool has_threads; /* ranks of several that called MPI, whose calls traces do not assign */
    struct ct_rehearsal answer;
    struct ct_stage_needs needs;
    struct ct_error *err;
};

/* ---- events (calls.c) ---- */

/* What the current event does at once. */
enum ct_status ct_stage_begin(struct ct_stage *stage, struct ct_actor *actor);
/* Whether the thread may go on behind its event, which then has ended; else it waits. */
enum ct_status ct_stage_end(struct ct_stage *stage, struct ct_actor *actor, bool *ended_p);

/* ---- messages (channels.c) ---- */

enum ct_status ct_stage_send(struct ct_stage *stage, const struct ct_actor *actor,
                             struct ct_way way, uint64_t bytes, bool synchronous, uint32_t op);
enum ct_status ct_stage_receive(struct ct_stage *stage, struct ct_way way, uint32_t op);
/* Whether a message has arrived that was not received. */
bool ct_stage_has_message(struct ct_stage *stage, struct ct_way way);
/* The request of an operation is freed while its message has not come or gone: that goes on. */
void ct_stage_set_free(struct ct_stage *stage, uint32_t rank, uint32_t op);
/* Check at the end that all messages were received, and that receives which were freed got theirs.
 * CT_OK; CT_EFORMAT; CT_EUNSUPPORTED (by a receive that no call completes) */
enum ct_status ct_stage_check_messages(struct ct_stage *stage);

/* ---- collective calls (gatherings.c) ---- */

enum ct_status ct_stage_arrive(struct ct_stage *stage, struct ct_actor *actor,
                               const struct ct_trace_event *event, uint32_t op);
/* Whether a rank may continue after a collective. */
bool ct_stage_passes(const struct ct_stage *stage, uint32_t rank, const struct ct_op *op);
void ct_stage_free_gatherings(struct ct_stage *stage);

/* ---- operations and requests (requests.c) ---- */

/* An operation of the current event; request 0: it blocks. Else the request must not be open. */
enum ct_status ct_stage_new_op(struct ct_stage *stage, struct ct_actor *actor, uint32_t request,
                               struct ct_op op, uint32_t *op_p);
/* The event starts a persistent request, which must be idle and have these arguments. */
enum ct_status ct_stage_start_op(struct ct_stage *stage, struct ct_actor *actor, uint32_t *op_p);
/*
 * A receive is posted for a message: none that was posted before it, and gets none, would have
 * taken it. Messages are received in that order by every MPI, so a replay would wait for ever.
 */
enum ct_status ct_stage_check_aside(struct ct_stage *stage, struct ct_actor *actor,
                                    struct ct_way way);
/* Any event: those of a call that starts several requests follow one another. */
enum ct_status ct_stage_check_start(struct ct_stage *stage, struct ct_actor *actor);
bool ct_stage_is_complete(const struct ct_stage *stage, uint32_t rank, const struct ct_op *op);
/* Of a wait or test: all of its requests are complete, or the rank waits. */
enum ct_status ct_stage_are_complete(struct ct_stage *stage, struct ct_actor *actor, bool *done_p);
/* They end. */
enum ct_status ct_stage_complete(struct ct_stage *stage, struct ct_actor *actor);
enum ct_status ct_stage_cancel_or_free(struct ct_stage *stage, struct ct_actor *actor);

/* ---- threads of one rank (overlaps.c) ---- */

/* Index of the current event, from 0. */
uint64_t ct_actor_index(const struct ct_actor *actor);
/* Whether the current event begins after another one has ended, in every run. */
bool ct_actor_is_behind(const struct ct_actor *actor, struct ct_made made);
/* The current event ends: a mark where all ranks synchronize. false: out of memory */
bool ct_actor_sync(struct ct_actor *actor);
/* How many of these the rank has passed when the current event begins, in every run. */
uint64_t ct_actor_synced(const struct ct_actor *actor);
/* How many it may have come to when the current event ends; UINT64_MAX - 1: not known. */
uint64_t ct_actor_may_be_synced(const struct ct_actor *actor);
/* Whether a receive of another thread may be posted before or after the current event. */
bool ct_actor_overlaps_receive(const struct ct_actor *actor);
/*
 * The current event begins, and claims something: its kind and what follows.
 * CT_OK; CT_EUNSUPPORTED (a call of another thread that may be at the same time claims the same,
 * and their order makes a difference); CT_ENOMEM
 */
enum ct_status ct_stage_claim(struct ct_stage *stage, const struct ct_actor *actor,
                              struct ct_claim claim);

/* ---- marks (marks.c) ---- */

/* A rank comes to its next mark. */
enum ct_status ct_stage_mark(struct ct_stage *stage, const struct ct_actor *actor,
                             const struct ct_op *op);
/* Count a message or request that begins after `from` marks and ends after `to` marks. */
enum ct_status ct_stage_cross(struct ct_stage *stage, uint64_t from, uint64_t to);
enum ct_status ct_stage_count_message(struct ct_stage *stage, const struct ct_actor *actor);
void ct_stage_finish_marks(struct ct_stage *stage);

/* ---- memory of the rank `own` (needs.c) ---- */

/* Bytes for an operation. CT_OK; CT_EUNSUPPORTED (more than 2^31 - 1); CT_ENOMEM */
enum ct_status ct_stage_need(struct ct_stage *stage, const struct ct_actor *actor, uint32_t op,
                             bool collective, struct ct_room room);
/* Memory of a collective, without sizes that are only in traces of other ranks. */
enum ct_status ct_stage_need_call(struct ct_stage *stage, const struct ct_actor *actor,
                                  uint32_t comm, uint32_t member, uint32_t op);
/* All members have made a call that has sizes. */
enum ct_status ct_stage_keep_sizes(struct ct_stage *stage, const struct ct_call *call, uint32_t n);
/* A receive is posted whose request is freed before the message comes. CT_OK; CT_ENOMEM */
enum ct_status ct_stage_post_freed(struct ct_stage *stage, const struct ct_actor *actor,
                                   struct ct_op *op);
/* A request is freed whose buffers are in use until the pass ends. CT_OK; CT_ENOMEM */
enum ct_status ct_stage_need_freed(struct ct_stage *stage, uint32_t place, bool sends);
enum ct_status ct_stage_finish_needs(struct ct_stage *stage);

/* "rank 3, event 17 (receive): " before the message. */
enum ct_status ct_stage_fail(struct ct_stage *stage, const struct ct_actor *actor,
                             enum ct_status status, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
