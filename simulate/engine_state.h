/* What the parts of the engine share: programs, ranks, messages under way, time of ranks. */
#pragma once

#include "core/map.h"
#include "simulate/engine.h"
#include "simulate/event_queue.h"

enum { CT_ENGINE_NONE = UINT32_MAX };

/* ---- programs ---- */

struct ct_engine_op {
    uint64_t amount;     /* calc: ns; send: bytes; recv: those of its send */
    uint32_t partner;    /* of a message; of a calc itself */
    uint32_t first_edge; /* of those that wait for it: to that of the next operation */
    uint32_t rank;
    uint32_t partner_rank : 29;
    uint32_t kind : 2;       /* enum ct_goal_kind */
    uint32_t has_starts : 1; /* some wait for its start */
};

struct ct_engine_program {
    struct ct_engine_op *ops; /* n_ops + 1 */
    uint32_t *n_waits;        /* [op]: what it waits for */
    uint32_t *edges;          /* operation that waits << 1 | whether it waits for the start */
    uint32_t *first_op;       /* n_ranks + 1 */
    uint32_t n_ops, n_ranks, n_messages;
};

/* ---- messages ---- */

enum ct_flight_flags {
    CT_FLIGHT_SENT = 1,        /* the send has begun */
    CT_FLIGHT_POSTED = 2,      /* the receive is posted */
    CT_FLIGHT_STUCK = 4,       /* its step waits for the receive to be posted */
    CT_FLIGHT_CREDIT = 8,      /* it waits for credit */
    CT_FLIGHT_STARTED = 16,    /* what waits for the start of its send has been notified */
    CT_FLIGHT_LOCAL = 32,      /* it moves inside a node: its event is not the end of work */
    CT_FLIGHT_LOCAL_LEFT = 64, /* inside a node: the last byte has left */
    CT_FLIGHT_BEHIND = 128     /* its event is when it may leave after the message before */
};

struct ct_flight {
    uint64_t bytes;
    uint32_t op[CT_MESSAGE_SIDES];
    uint32_t rank[CT_MESSAGE_SIDES];
    uint32_t next; /* of a queue, or free one */
    uint16_t job;
    uint8_t protocol : 2;
    uint8_t step : 6;
    uint8_t flags;
};

/* When what became of a message, for an observer. */
struct ct_flight_times {
    double posted_ns[CT_MESSAGE_SIDES], ended_ns[CT_MESSAGE_SIDES];
    struct ct_message_times steps[CT_STACK_STEPS_MAX]; /* INFINITY: not yet */
};

struct ct_flight_queue {
    uint32_t head, tail;
};

/* Messages of a rank in the mailbox of another one. */
struct ct_credit {
    uint32_t used;
    struct ct_flight_queue waiting;
};

/* ---- ranks ---- */

/* A piece of the time of a rank since it continued last. */
struct ct_piece {
    double begin_ns, end_ns;
    uint32_t op;
    uint8_t what; /* CT_TIME_COMPUTE, CT_TIME_STACK; CT_TIME_PARTS: a wait */
};

struct ct_engine_rank {
    uint32_t node;
    uint32_t n_calcs, n_working;        /* under way */
    uint32_t n_left;                    /* operations that have not ended */
    uint32_t calc, work;                /* operation that it computes, that it works for */
    struct ct_flight_queue ready, held; /* messages that wait for its processor; for its library to
                                           be called */
    double since_ns;                    /* of what it does now */
    double leaves_ns;                   /* its next message, if g is asked for, not before */
    struct ct_piece *pieces;            /* n_pieces */
    uint32_t n_pieces, room_pieces;
};

/* ---- all ---- */

/* An operation in a pass. */
struct ct_op_state {
    uint32_t waits;  /* what it still waits for */
    uint32_t flight; /* of a send: its message under way */
};

struct ct_job {
    const struct ct_engine_program *program;
    struct ct_simulate_place place;
    struct ct_op_state *states; /* [op] */
    struct ct_engine_rank *ranks;
    uint32_t first_op, first_rank; /* among those of all programs */
    uint32_t n_left;               /* operations that have not ended, and messages */
    uint32_t pass;
    double begin_ns, end_ns, sum_ns;
    size_t n_passes;
};

/* An operation that can begin. */
struct ct_ready {
    uint32_t job, op;
};

/* A rank whose library may be called. */
struct ct_poll {
    uint32_t job, rank;
};

/* One struct, since an event may touch any of it: jobs, messages under way, ranks that are ready.
 */
struct ct_engine {
    const struct ct_engine_setup *setup;
    const struct ct_observer *observer; /* its functions may be NULL */
    bool keeps_time;                    /* of ranks, for the observer */
    bool keeps_steps;                   /* of messages, likewise, or for the times of ranks */
    struct ct_job *jobs;
    size_t n_jobs;
    double now_ns;
    struct ct_event_queue events; /* what: enum ct_engine_event */
    struct ct_ready *ready;       /* those from next_ready on are still to begin */
    uint32_t next_ready, n_ready, room_ready;
    struct ct_poll *polls;
    uint32_t n_polls, room_polls;
    struct ct_flight *flights;
    struct ct_flight_times *times; /* of flights; NULL: none are kept */
    uint32_t n_flights, room_flights, room_times, free_flight;
    struct ct_map credit_of; /* pairs of ranks, numbered over all programs */
    struct ct_credit *credits;
    uint32_t n_credits, room_credits;
    double all_run_ns;
    struct ct_engine_counts counts;
    struct ct_error *err;
};

/* Events of the engine: two bits below an index. */
enum ct_engine_event {
    CT_ENGINE_CALC,   /* a calc ends: operation over all programs */
    CT_ENGINE_FLIGHT, /* a message ends its phase */
    CT_ENGINE_PASS,   /* a pass begins: job */
    CT_ENGINE_CREDIT, /* a credit is back: index */
    CT_ENGINE_BITS = 2,
    CT_ENGINE_MASK = 3,
    CT_ENGINE_INDEX_MAX = 1 << 30
};

static inline enum ct_status ct_engine_add(struct ct_engine *engine, double at_ns,
                                           enum ct_engine_event event, uint32_t index)
{
    return ct_event_queue_add(&engine->events, at_ns, index << CT_ENGINE_BITS | (uint32_t)event)
               ? CT_OK
               : ct_no_memory(engine->err, "simulation");
}

/* The work of a message ends: for each side a queue, since most work of one side takes equally
 * long. */
static inline enum ct_status ct_engine_add_work(struct ct_engine *engine, double at_ns,
                                                enum ct_message_side by, uint32_t number)
{
    return ct_event_queue_append(&engine->events, by, at_ns,
                                 number << CT_ENGINE_BITS | CT_ENGINE_FLIGHT)
               ? CT_OK
               : ct_no_memory(engine->err, "simulation");
}

/* engine_ops.c: the end of an operation, or its start, for those that wait for that. */
enum ct_status ct_engine_end_op(struct ct_engine *engine, struct ct_job *job, uint32_t op);
enum ct_status ct_engine_start_op(struct ct_engine *engine, struct ct_job *job, uint32_t op);
/* One thing less until a pass is over. */
enum ct_status ct_engine_count_down(struct ct_engine *engine, struct ct_job *job);

/* engine_message.c: what becomes of messages; number: of one under way, or of a credit. */
enum ct_status ct_engine_post(struct ct_engine *engine, struct ct_job *job, uint32_t op);
enum ct_status ct_engine_phase_ends(struct ct_engine *engine, uint32_t number);
enum ct_status ct_engine_left(struct ct_engine *engine, uint32_t number);
enum ct_status ct_engine_there(struct ct_engine *engine, uint32_t number);
enum ct_status ct_engine_credit_is_back(struct ct_engine *engine, uint32_t number);
/* A rank with messages that are held may wait by now: once all that can begin has begun, it looks,
 * unless it has something else to do then. */
enum ct_status ct_engine_add_poll(struct ct_engine *engine, const struct ct_job *job,
                                  uint32_t rank);
static inline enum ct_status ct_engine_will_poll(struct ct_engine *engine, const struct ct_job *job,
                                                 uint32_t rank)
{
    return job->ranks[rank].held.head == CT_ENGINE_NONE ? CT_OK
                                                        : ct_engine_add_poll(engine, job, rank);
}
enum ct_status ct_engine_poll(struct ct_engine *engine, struct ct_job *job, uint32_t rank);

/* engine_time.c, whose functions are called if an observer needs the time of ranks: before what a
 * rank does changes, so that its fields still say what it did. */
enum ct_status ct_engine_keep_piece(struct ct_engine *engine, struct ct_engine_rank *rank,
                                    const struct ct_job *job);
static inline enum ct_status ct_engine_touch(struct ct_engine *engine, struct ct_engine_rank *rank,
                                             const struct ct_job *job)
{
    return engine->keeps_time ? ct_engine_keep_piece(engine, rank, job) : CT_OK;
}
/* A rank continues, because an operation of it has ended or started. */
enum ct_status ct_engine_tell_pieces(struct ct_engine *engine, struct ct_job *job, uint32_t op,
                                     uint32_t next);
static inline enum ct_status ct_engine_go_on(struct ct_engine *engine, struct ct_job *job,
                                             uint32_t op, uint32_t next)
{
    return engine->keeps_time ? ct_engine_tell_pieces(engine, job, op, next) : CT_OK;
}
/* A rank has ended its pass, or begins one. */
void ct_engine_tell_rank(const struct ct_engine *engine, const struct ct_job *job, uint32_t rank,
                         double end_ns);
/* An operation begins; after: what it waited for last, or CT_TIME_NO_OP. */
void ct_engine_tell_begin(const struct ct_engine *engine, const struct ct_job *job, uint32_t op,
                          uint32_t after, bool at_start);
void ct_engine_tell_message(const struct ct_engine *engine, uint32_t number);
