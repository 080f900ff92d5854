/* From actions to a schedule. */
#include "core/array.h"
#include "core/cancel.h"
#include "core/units.h"
#include "trace/call.h"
#include "trace/convert/served.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Many operations that wait for many others: one between them saves dependencies. */
enum { WAITS_MAX = 2 };

/* What an operation is to wait for. */
struct wait {
    uint32_t op;
    enum ct_goal_wait for_what;
};

/* Operations that whatever comes next waits for: a point in the program, or in a collective. */
struct point {
    struct wait *waits;
    size_t n, room;
};

/* The operations of an action that a wait can name. */
struct emitted {
    uint32_t first, last;
    uint32_t completion; /* the one whose end completes it, + 1; 0: none */
    /* For marks: */
    uint32_t call;   /* the first call that waits after it has begun, + 1; 0: it needs no marks */
    uint32_t begins; /* from this operation on they begin in such calls */
    uint32_t waits;  /* the call that waits for its end, + 1; 0: none */
};

/* A call that waits. */
struct waiting {
    struct wait at[WAITS_MAX]; /* [n] where it begins */
    size_t n;
};

/* The longest time between calls that wait, of those from here on. */
struct pause {
    uint32_t call; /* after the pause */
    uint64_t ns;
};

/* One struct, since an action of a rank may touch any of it: what the program waits for, the
 * collective that is expanded, the calls that wait. */
struct emitter {
    const struct ct_convert_options *options;
    struct ct_actions *all;
    const struct ct_rank_actions *of;
    struct ct_served_list served;
    uint32_t first_served; /* operation of the first access to the rank */
    struct ct_map waits; /* of a rank that is accessed: collective and instance -> its call, + 1 */
    struct ct_goal_builder *builder;
    uint32_t rank;
    struct point point; /* where the program is */
    double compute_ns;  /* since then */
    struct point stage; /* where the stage of a call begins, of action stage_first on */
    uint32_t stage_first;
    bool is_later_stage;     /* and is not the first */
    bool joins_many;         /* it stands for many operations of the window before */
    struct emitted *emitted; /* [actions of the rank] */
    /* Of the rank, if the schedule is to have marks: calls that wait, pauses, and the compute since
     * the last of the calls. */
    struct waiting *waiting;
    uint32_t n_waiting;
    size_t room_waiting;
    struct pause *pauses; /* n_pauses, each longer than those that follow */
    size_t n_pauses, room_pauses;
    double since_ns;
    uint8_t call;     /* of the schedule: that of the action */
    uint64_t *column; /* [ranks] what an alltoallv receives from each */
    /* A collective that is expanded: the round that it is in, and what ended before that. */
    const struct ct_comm *comm;
    int32_t tag;
    uint32_t round;
    struct point before, ended;
    bool has_sent; /* in this round */
    uint32_t last_sent;
    uint32_t first_step; /* operation of its first message, + 1; 0: none yet */
    uint32_t later_step; /* the first of another round, or UINT32_MAX */
    struct ct_error *err;
};

/* ---- points ---- */

static enum ct_status point_add(struct emitter *emitter, struct point *point, uint32_t op,
                                enum ct_goal_wait for_what)
{
    if (!CT_ARRAY_RESERVE(point->waits, point->room, point->n + 1))
        return ct_no_memory(emitter->err, "schedule");
    point->waits[point->n++] = (struct wait){op, for_what};
    return CT_OK;
}

static enum ct_status point_set(struct emitter *emitter, struct point *point, uint32_t op,
                                enum ct_goal_wait for_what)
{
    point->n = 0;
    return point_add(emitter, point, op, for_what);
}

static void swap_points(struct point *a, struct point *b)
{
    struct point kept = *a;
    *a = *b;
    *b = kept;
}

static void require_point(struct emitter *emitter, uint32_t op, const struct point *point)
{
    for (size_t i = 0; i < point->n; i++)
        ct_goal_require(emitter->builder, op, point->waits[i].op, point->waits[i].for_what);
}

/* An operation from a point on. */
static uint32_t add_op(struct emitter *emitter, struct ct_goal_op op, const struct point *point)
{
    uint32_t added = ct_goal_add(emitter->builder, op);
    require_point(emitter, added, point);
    return added;
}

/* The point becomes one operation. */
static enum ct_status join_point(struct emitter *emitter, struct point *point, uint64_t compute_ns)
{
    const struct ct_goal_op calc = {.kind = CT_GOAL_CALC, .amount = compute_ns};
    return point_set(emitter, point, add_op(emitter, calc, point), CT_GOAL_FINISH);
}

/* The same, where it takes time or joins many. */
static enum ct_status settle_compute(struct emitter *emitter, struct point *point,
                                     uint64_t compute_ns)
{
    if (compute_ns == 0 && point->n <= WAITS_MAX)
        return CT_OK;
    return join_point(emitter, point, compute_ns);
}

/* Whole nanoseconds of the compute so far; the rest waits for the next. */
static enum ct_status settle_program(struct emitter *emitter)
{
    const double whole_ns = floor(emitter->compute_ns);
    const bool joins_many = emitter->joins_many;
    emitter->compute_ns -= whole_ns;
    emitter->joins_many = false;
    return (joins_many ? join_point : settle_compute)(emitter, &emitter->point, (uint64_t)whole_ns);
}

/* ---- marks of waits ---- */

/* Whether the memory of the rank is accessed. */
static bool is_accessed(const struct emitter *emitter)
{
    return emitter->served.first[emitter->rank] < emitter->served.first[emitter->rank + 1];
}

/* The rank makes a call that waits, at the point where the program is. */
static enum ct_status begin_waiting(struct emitter *emitter)
{
    if (!emitter->options->marks_waits)
        return CT_OK;
    const struct pause pause = {emitter->n_waiting, (uint64_t)ceil(emitter->since_ns)};
    while (emitter->n_pauses > 0 && emitter->pauses[emitter->n_pauses - 1].ns <= pause.ns)
        emitter->n_pauses--;
    if (!CT_ARRAY_RESERVE(emitter->waiting, emitter->room_waiting, emitter->n_waiting + 1) ||
        !CT_ARRAY_RESERVE(emitter->pauses, emitter->room_pauses, emitter->n_pauses + 1))
        return ct_no_memory(emitter->err, "schedule");
    emitter->pauses[emitter->n_pauses++] = pause;
    emitter->since_ns = 0;
    struct waiting *waiting = &emitter->waiting[emitter->n_waiting++];
    waiting->n = emitter->point.n;
    for (size_t i = 0; i < waiting->n; i++)
        waiting->at[i] = emitter->point.waits[i];
    return CT_OK;
}

/* The longest pause after a call that waits, up to the last one. */
static uint64_t longest_pause_ns(const struct emitter *emitter, uint32_t call)
{
    size_t low = 0, high = emitter->n_pauses;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (emitter->pauses[middle].call > call)
            high = middle;
        else
            low = middle + 1;
    }
    return low < emitter->n_pauses ? emitter->pauses[low].ns : 0;
}

static void mark_from(struct emitter *emitter, const struct emitted *of, uint32_t call,
                      uint8_t flags, uint64_t away_ns)
{
    const struct waiting *waiting = &emitter->waiting[call];
    struct ct_goal_mark mark = {.rank = emitter->rank, .away_ns = away_ns};
    for (mark.op = of->first; mark.op <= of->last; mark.op++)
        for (size_t i = 0; i == 0 || i < waiting->n; i++) {
            bool is_begin = waiting->n == 0;
            mark.on = is_begin ? mark.op : waiting->at[i].op;
            mark.flags = flags;
            if (mark.op >= of->begins)
                mark.flags |= CT_GOAL_MARK_BEGINS;
            if (!is_begin && waiting->at[i].for_what == CT_GOAL_START)
                mark.flags |= CT_GOAL_MARK_START;
            ct_goal_add_mark(emitter->builder, mark);
        }
}

/* The last call that waits is the one for this action. */
static void mark_waits(struct emitter *emitter, struct emitted *of)
{
    if (of->call == 0)
        return;
    uint32_t first = of->call - 1, last = emitter->n_waiting - 1;
    mark_from(emitter, of, first,
              first == last ? CT_GOAL_MARK_FIRST | CT_GOAL_MARK_LAST : CT_GOAL_MARK_FIRST,
              longest_pause_ns(emitter, first));
    if (first != last)
        mark_from(emitter, of, last, CT_GOAL_MARK_LAST, 0);
    of->call = 0;
}

/* What the program never waits for goes on in calls that wait for others, and in the last one. */
static enum ct_status mark_rest(struct emitter *emitter)
{
    CT_TRY(begin_waiting(emitter));
    for (uint32_t i = 0; i < emitter->of->n; i++) {
        struct emitted *of = &emitter->emitted[i];
        if (of->call > 0)
            mark_from(emitter, of, of->call - 1, CT_GOAL_MARK_FIRST | CT_GOAL_MARK_LAST,
                      longest_pause_ns(emitter, of->call - 1));
    }
    return CT_OK;
}

/* The last call that waits is the one for this action, and all that are like it. */
static enum ct_status note_waiting(struct emitter *emitter, uint32_t i)
{
    const struct ct_action *action = &emitter->of->actions[i];
    struct emitted *of = &emitter->emitted[i];
    if (!emitter->options->marks_waits)
        return CT_OK;
    of->waits = emitter->n_waiting;
    if (action->kind == CT_ACTION_COLLECTIVE && is_accessed(emitter) &&
        !ct_map_add(&emitter->waits, ct_map_pair(action->peer, action->number), of->waits))
        return ct_no_memory(emitter->err, "schedule");
    return CT_OK;
}

/*
 * An access is served in the call of the rank that waits for what its origin does next: that of the
 * two which is the first here, or the last of the program. A call that waits for that may wait for
 * the access in a circle; then from the rank's first call that waits on, after a pause.
 */
static void mark_served(struct emitter *emitter)
{
    const size_t *first = &emitter->served.first[emitter->rank];
    for (size_t i = first[0]; i < first[1]; i++) {
        const struct ct_served *served = &emitter->served.served[i];
        uint32_t received = emitter->first_served + 2 * (uint32_t)(i - first[0]),
                 call = emitter->n_waiting, /* + 1 */
            in[] = {served->receive ? emitter->emitted[served->receive - 1].waits : 0,
                    ct_map_find(&emitter->waits, ct_map_pair(served->comm, served->instance))};
        for (size_t k = 0; k < sizeof in / sizeof *in; k++)
            call = in[k] > 0 && in[k] < call ? in[k] : call;
        const struct emitted of = {.first = received, .last = received + 1, .begins = UINT32_MAX};
        mark_from(emitter, &of, call - 1, CT_GOAL_MARK_LAST, 0);
        mark_from(emitter, &of, 0, CT_GOAL_MARK_FIRST, longest_pause_ns(emitter, 0));
    }
    ct_map_free(&emitter->waits);
}

/* ---- messages ---- */

/* An empty message from the receiver to the sender, at the end of `received` or from the start of
 * `sent` on. */
static enum ct_status acknowledge_message(struct emitter *emitter, const struct ct_action *action,
                                          uint32_t message, uint32_t *op_p)
{
    bool sends = action->kind == CT_ACTION_SEND;
    struct ct_goal_op op = {.kind = sends ? CT_GOAL_RECV : CT_GOAL_SEND, .peer = action->peer};
    CT_TRY(ct_comms_tag(&emitter->all->comms, CT_TAG_ACKNOWLEDGE, 0, action->number, &op.tag,
                        emitter->err));
    *op_p = ct_goal_add(emitter->builder, op);
    ct_goal_require(emitter->builder, *op_p, message, sends ? CT_GOAL_START : CT_GOAL_FINISH);
    return CT_OK;
}

/* The next call that waits, + 1; 0: nothing needs marks. */
static uint32_t call_number(const struct emitter *emitter)
{
    return emitter->options->marks_waits ? emitter->n_waiting + 1 : 0;
}

static enum ct_status emit_message(struct emitter *emitter, uint32_t i)
{
    const struct ct_action *action = &emitter->of->actions[i];
    bool sends = action->kind == CT_ACTION_SEND;
    const struct ct_goal_op op = {.kind = sends ? CT_GOAL_SEND : CT_GOAL_RECV,
                                  .amount = action->bytes,
                                  .peer = action->peer,
                                  .tag = (int32_t)action->number};
    bool buffered = sends && action->mode == CT_TRACE_BUFFERED;
    bool waits = action->flags & CT_ACTION_BLOCKS && !buffered;
    CT_TRY(settle_program(emitter));
    if (waits)
        CT_TRY(begin_waiting(emitter));
    uint32_t message = add_op(emitter, op, &emitter->point), complete = message;
    /* Both sides know the mode: the receiver has to answer. */
    if (action->mode == CT_TRACE_SYNCHRONOUS) {
        uint32_t answer;
        CT_TRY(acknowledge_message(emitter, action, message, &answer));
        complete = sends ? answer : message;
    }
    emitter->emitted[i] = (struct emitted){.first = message,
                                           .last = complete,
                                           .completion = buffered ? 0 : complete + 1,
                                           .call = waits ? 0 : call_number(emitter),
                                           .begins = UINT32_MAX};
    if (waits)
        CT_TRY(note_waiting(emitter, i));
    return point_set(emitter, &emitter->point, waits ? complete : message,
                     waits ? CT_GOAL_FINISH : CT_GOAL_START);
}

/* ---- one-sided accesses ---- */

/* A message there, and one back from when it has come. */
static enum ct_status emit_access(struct emitter *emitter, uint32_t i)
{
    const struct ct_action *there = &emitter->of->actions[i], *back = there + 1;
    const struct ct_goal_op sends = {.kind = CT_GOAL_SEND,
                                     .amount = there->bytes,
                                     .peer = there->peer,
                                     .tag = (int32_t)there->number},
                            receives = {.kind = CT_GOAL_RECV,
                                        .amount = back->bytes,
                                        .peer = there->peer,
                                        .tag = (int32_t)back->number};
    CT_TRY(settle_program(emitter));
    uint32_t sent = add_op(emitter, sends, &emitter->point),
             received = ct_goal_add(emitter->builder, receives);
    ct_goal_require(emitter->builder, received, sent, CT_GOAL_START);
    emitter->emitted[i] = (struct emitted){.first = sent,
                                           .last = received,
                                           .completion = received + 1,
                                           .call = call_number(emitter),
                                           .begins = UINT32_MAX};
    return point_set(emitter, &emitter->point, sent, CT_GOAL_START);
}

/* What is done to the memory of a rank, whatever the rank does meanwhile. */
static void serve_accesses(struct emitter *emitter)
{
    const size_t first = emitter->served.first[emitter->rank],
                 end = emitter->served.first[emitter->rank + 1];
    if (first < end)
        ct_goal_begin_call_at(emitter->builder, NULL, NULL);
    for (size_t i = first; i < end; i++) {
        const struct ct_served *served = &emitter->served.served[i];
        uint32_t received =
            ct_goal_add(emitter->builder, (struct ct_goal_op){.kind = CT_GOAL_RECV,
                                                              .amount = served->bytes,
                                                              .peer = served->origin,
                                                              .tag = served->tag});
        uint32_t sent =
            ct_goal_add(emitter->builder, (struct ct_goal_op){.kind = CT_GOAL_SEND,
                                                              .amount = served->answer,
                                                              .peer = served->origin,
                                                              .tag = served->answer_tag});
        ct_goal_require(emitter->builder, sent, received, CT_GOAL_FINISH);
        if (i == first)
            emitter->first_served = received;
    }
}

/* ---- collectives ---- */

static const enum ct_collective collectives[CT_TRACE_N_KINDS] = {
    [CT_TRACE_BARRIER] = CT_COLLECTIVE_BARRIER,
    [CT_TRACE_BCAST] = CT_COLLECTIVE_BCAST,
    [CT_TRACE_REDUCE] = CT_COLLECTIVE_REDUCE,
    [CT_TRACE_ALLREDUCE] = CT_COLLECTIVE_ALLREDUCE,
    [CT_TRACE_SCAN] = CT_COLLECTIVE_SCAN,
    [CT_TRACE_EXSCAN] = CT_COLLECTIVE_EXSCAN,
    [CT_TRACE_GATHER] = CT_COLLECTIVE_GATHER,
    [CT_TRACE_SCATTER] = CT_COLLECTIVE_SCATTER,
    [CT_TRACE_ALLGATHER] = CT_COLLECTIVE_ALLGATHER,
    [CT_TRACE_ALLTOALL] = CT_COLLECTIVE_ALLTOALL,
    [CT_TRACE_ALLTOALLV] = CT_COLLECTIVE_ALLTOALL,
    [CT_TRACE_REDUCE_SCATTER] = CT_COLLECTIVE_REDUCE_SCATTER,
};

/* The table has 0, a barrier, for kinds that are no collectives. */
static bool is_collective(enum ct_trace_kind kind)
{
    return collectives[kind] != CT_COLLECTIVE_BARRIER || kind == CT_TRACE_BARRIER;
}

void ct_convert_collectives(const struct ct_trace_count *kinds, uint64_t *calls_p)
{
    memset(calls_p, 0, CT_COLLECTIVE_N_COLLECTIVES * sizeof *calls_p);
    for (int kind = 0; kind < CT_TRACE_N_KINDS; kind++)
        if (is_collective((enum ct_trace_kind)kind))
            calls_p[collectives[kind]] += kinds[kind].calls;
}

static enum ct_status begin_round(struct emitter *emitter)
{
    if (emitter->ended.n > 0) {
        swap_points(&emitter->before, &emitter->ended);
        emitter->ended.n = 0;
    }
    emitter->has_sent = false;
    return settle_compute(emitter, &emitter->before, 0);
}

static enum ct_status emit_step(const struct ct_collective_step *step, void *context)
{
    struct emitter *emitter = context;
    const struct ct_goal_op op = {.kind = step->is_send ? CT_GOAL_SEND : CT_GOAL_RECV,
                                  .amount = step->bytes,
                                  .peer = ct_ranks_rank(&emitter->comm->group, step->peer),
                                  .tag = emitter->tag};
    CT_TRY(step->round != emitter->round ? begin_round(emitter) : CT_OK);
    emitter->round = step->round;
    uint32_t added;
    if (step->is_send && emitter->has_sent) {
        added = ct_goal_add(emitter->builder, op);
        ct_goal_require(emitter->builder, added, emitter->last_sent, CT_GOAL_START);
    } else {
        added = add_op(emitter, op, &emitter->before);
    }
    if (step->round > 0 && added < emitter->later_step)
        emitter->later_step = added;
    if (emitter->first_step == 0)
        emitter->first_step = added + 1;
    if (step->is_send) {
        emitter->has_sent = true;
        emitter->last_sent = added;
    }
    return point_add(emitter, &emitter->ended, added, CT_GOAL_FINISH);
}

/* The call as this member makes it. */
static struct ct_collective_call call_of(struct emitter *emitter,
                                         const struct ct_instance *instance, uint32_t member)
{
    uint32_t n = emitter->comm->group.n;
    struct ct_collective_call call = {.what = collectives[instance->kind],
                                      .n_ranks = n,
                                      .rank = member,
                                      .root = instance->root,
                                      .bytes = instance->bytes,
                                      .recv_bytes = instance->blocks};
    if (instance->kind == CT_TRACE_ALLTOALLV) {
        for (uint32_t from = 0; from < n; from++)
            emitter->column[from] = instance->blocks[(size_t)from * n + member];
        call.send_bytes = instance->blocks + (size_t)member * n;
        call.recv_bytes = emitter->column;
    }
    return call;
}

/* From the program's point on; ended is what ends it. */
static enum ct_status expand_call(struct emitter *emitter, const struct ct_action *action)
{
    emitter->comm = &emitter->all->comms.comms[action->peer];
    const struct ct_instance *instance = &emitter->comm->instances[action->number];
    uint32_t member = 0;
    CT_TRY(ct_comms_tag(&emitter->all->comms, CT_TAG_COLLECTIVE, action->peer, action->number,
                        &emitter->tag, emitter->err));
    ct_ranks_find(&emitter->comm->group, emitter->rank, &member);
    struct ct_collective_call call = call_of(emitter, instance, member);
    emitter->before.n = emitter->ended.n = 0;
    emitter->first_step = 0;
    emitter->later_step = UINT32_MAX;
    emitter->round = 0;
    emitter->has_sent = false;
    for (size_t i = 0; i < emitter->point.n; i++)
        CT_TRY(point_add(emitter, &emitter->before, emitter->point.waits[i].op,
                         emitter->point.waits[i].for_what));
    return ct_collective_expand(&emitter->options->rules, &call, emit_step, emitter, emitter->err);
}

static enum ct_status emit_collective(struct emitter *emitter, uint32_t i)
{
    const struct ct_action *action = &emitter->of->actions[i];
    enum ct_status status = settle_program(emitter);
    if (status == CT_OK && action->flags & CT_ACTION_BLOCKS)
        status = begin_waiting(emitter);
    if (status == CT_OK && action->flags & CT_ACTION_BLOCKS)
        status = note_waiting(emitter, i);
    if (status == CT_OK)
        status = expand_call(emitter, action);
    if (status != CT_OK || emitter->ended.n == 0)
        return status;
    if (action->flags & CT_ACTION_BLOCKS) {
        swap_points(&emitter->point, &emitter->ended);
        return CT_OK;
    }
    /* One operation that a wait can name. */
    uint32_t first = emitter->first_step - 1;
    if (emitter->ended.n > 1)
        status =
            point_set(emitter, &emitter->ended,
                      add_op(emitter, (struct ct_goal_op){.kind = CT_GOAL_CALC}, &emitter->ended),
                      CT_GOAL_FINISH);
    uint32_t last = emitter->ended.waits[0].op;
    emitter->emitted[i] = (struct emitted){.first = first,
                                           .last = last,
                                           .completion = last + 1,
                                           .call = call_number(emitter),
                                           .begins = emitter->later_step};
    return status;
}

/* ---- stages ---- */

/* Sets where the action begins: the first of a call where the program is. */
static enum ct_status begin_stage(struct emitter *emitter, uint32_t i)
{
    const enum ct_action_stage stage = (enum ct_action_stage)emitter->of->actions[i].stage;
    CT_TRY(settle_program(emitter));
    if (stage == CT_STAGE_SAME)
        return CT_OK;
    emitter->is_later_stage = stage == CT_STAGE_NEXT;
    if (stage == CT_STAGE_FIRST)
        emitter->stage.n = 0;
    for (size_t k = 0; stage == CT_STAGE_FIRST && k < emitter->point.n; k++)
        CT_TRY(point_add(emitter, &emitter->stage, emitter->point.waits[k].op,
                         emitter->point.waits[k].for_what));
    bool has_ended = false; /* something; a stage without operations ends where it begins */
    for (uint32_t k = emitter->stage_first; stage == CT_STAGE_NEXT && k < i; k++) {
        const uint32_t completion = emitter->emitted[k].completion;
        if (completion > 0 && !has_ended)
            emitter->stage.n = 0;
        if (completion > 0)
            CT_TRY(point_add(emitter, &emitter->stage, completion - 1, CT_GOAL_FINISH));
        has_ended = has_ended || completion > 0;
    }
    emitter->stage_first = i;
    return CT_OK;
}

typedef enum ct_status emit_fn(struct emitter *emitter, uint32_t i);

/* What begins later does so in calls of MPI, and the program does not wait for it there. */
static enum ct_status emit_in_stage(struct emitter *emitter, uint32_t i, emit_fn *emit)
{
    CT_TRY(begin_stage(emitter, i));
    if (!emitter->is_later_stage)
        return emit(emitter, i);
    swap_points(&emitter->point, &emitter->stage);
    enum ct_status status = emit(emitter, i);
    swap_points(&emitter->point, &emitter->stage);
    emitter->emitted[i].begins = emitter->emitted[i].first;
    return status;
}

/* ---- calls ---- */

/* From the first action of an event on. What the tracer notes of calls without an event of their
 * own is none. */
static void begin_call(struct emitter *emitter, const struct ct_action *action)
{
    const enum ct_trace_kind kind = (enum ct_trace_kind)action->event;
    const bool is_call = ct_trace_class_of(kind) != CT_TRACE_CLASS_OTHER &&
                         !(action->flags & CT_ACTION_DROPPED) &&
                         !(action->kind == CT_ACTION_COMPLETE && action->n == 0);
    const char *name =
        ct_trace_kind_name(kind, (enum ct_trace_mode)action->mode, action->nonblocking);
    const char *site = action->site > 0 ? emitter->all->sites[action->site - 1] : NULL;
    emitter->call = ct_goal_begin_call_at(emitter->builder, is_call ? name : NULL, site);
}

/* ---- ranks ---- */

static enum ct_status emit_complete(struct emitter *emitter, uint32_t i)
{
    const struct ct_action *action = &emitter->of->actions[i];
    enum ct_status status = settle_program(emitter);
    if (status == CT_OK && action->n > 0)
        status = begin_waiting(emitter);
    for (uint32_t k = 0; k < action->n && status == CT_OK; k++) {
        uint32_t completed = emitter->of->completed[action->partner + k];
        struct emitted *done = &emitter->emitted[completed];
        if (done->completion == 0)
            continue;
        mark_waits(emitter, done);
        CT_TRY(note_waiting(emitter, completed));
        status = point_add(emitter, &emitter->point, done->completion - 1, CT_GOAL_FINISH);
        /* A receive that a probe has waited for stays one of the probe. */
        if (!(emitter->of->actions[completed].flags & CT_ACTION_BLOCKS))
            ct_goal_waited_in(emitter->builder, done->first, done->last, emitter->call);
    }
    return status;
}

static enum ct_status emit_none(struct emitter *emitter, uint32_t i)
{
    (void)emitter;
    (void)i;
    return CT_OK;
}

/* Where the window before ended, or time 0. */
static enum ct_status begin_rank(struct emitter *emitter, const struct ct_emit_window *window)
{
    const struct ct_rank_carry nothing = {0};
    const struct ct_rank_carry *carry = window->carry ? &window->carry[emitter->rank] : &nothing;
    ct_goal_begin_rank(emitter->builder, emitter->rank);
    emitter->point.n = emitter->stage.n = 0;
    emitter->stage_first = 0;
    emitter->is_later_stage = false;
    emitter->compute_ns = carry->compute_ns;
    emitter->joins_many = carry->joins_many;
    enum ct_status status = window->is_first ? CT_OK : join_point(emitter, &emitter->point, 0);
    serve_accesses(emitter);
    return status;
}

/* The end of the program, and of what it still waits for; or of the window. */
static enum ct_status end_rank(struct emitter *emitter, const struct ct_emit_window *window,
                               bool is_set_up)
{
    if (window->is_last || !window->carry) {
        emitter->compute_ns = round(emitter->compute_ns);
        return settle_program(emitter);
    }
    window->carry[emitter->rank] =
        (struct ct_rank_carry){.compute_ns = emitter->compute_ns,
                               .is_set_up = is_set_up,
                               .joins_many = emitter->joins_many || emitter->point.n > WAITS_MAX};
    return join_point(emitter, &emitter->point, 0);
}

static enum ct_status check_compute(const struct emitter *emitter)
{
    char compute[CT_UNITS_TEXT_MAX], most[CT_UNITS_TEXT_MAX];
    if (emitter->compute_ns <= (double)CT_GOAL_CALC_MAX_NS)
        return CT_OK;
    ct_format_duration(1e-9 * emitter->compute_ns, compute);
    ct_format_duration(1e-9 * (double)CT_GOAL_CALC_MAX_NS, most);
    return ct_fail(emitter->err, CT_EFORMAT, "rank %u: %s between two calls: at most %s",
                   emitter->rank, compute, most);
}

static enum ct_status emit_rank(struct emitter *emitter, const struct ct_emit_window *window)
{
    static emit_fn *const emit[] = {
        [CT_ACTION_NONE] = emit_none,         [CT_ACTION_SEND] = emit_message,
        [CT_ACTION_RECEIVE] = emit_message,   [CT_ACTION_COLLECTIVE] = emit_collective,
        [CT_ACTION_COMPLETE] = emit_complete, [CT_ACTION_ACCESS] = emit_access};
    /* Until the first communication a program sets itself up. */
    bool is_set_up = window->carry && window->carry[emitter->rank].is_set_up;
    emitter->emitted = calloc(emitter->of->n + (size_t)1, sizeof *emitter->emitted);
    if (!emitter->emitted)
        return ct_no_memory(emitter->err, "schedule");
    enum ct_status status = begin_rank(emitter, window);
    emitter->since_ns = 0;
    emitter->n_waiting = 0;
    emitter->n_pauses = 0;
    for (uint32_t i = 0; i < emitter->of->n && status == CT_OK; i++) {
        const struct ct_action *action = &emitter->of->actions[i];
        double compute_ns =
            (double)action->gap_ns * (is_set_up ? emitter->options->compute_scale : 1);
        emitter->compute_ns += compute_ns;
        emitter->since_ns += compute_ns;
        is_set_up = is_set_up || action->kind != CT_ACTION_NONE;
        status = check_compute(emitter);
        if (!(action->flags & CT_ACTION_CONTINUES))
            begin_call(emitter, action);
        if (status == CT_OK && !(action->flags & CT_ACTION_DROPPED))
            status = action->stage == CT_STAGE_NONE ? emit[action->kind](emitter, i)
                                                    : emit_in_stage(emitter, i, emit[action->kind]);
    }
    if (status == CT_OK)
        status = end_rank(emitter, window, is_set_up);
    if (status == CT_OK)
        status = mark_rest(emitter);
    if (status == CT_OK && emitter->options->marks_waits)
        mark_served(emitter);
    free(emitter->emitted);
    return status;
}

static enum ct_status build_goal(struct emitter *emitter, const struct ct_emit_window *window,
                                 struct ct_goal *goal_p)
{
    enum ct_status status = ct_goal_build(emitter->builder, goal_p, emitter->err);
    emitter->builder = NULL;
    if (status == CT_OK) {
        goal_p->goes_on = !window->is_first;
        goal_p->is_continued = !window->is_last;
    }
    return status;
}

enum ct_status ct_actions_emit(struct ct_actions *actions, const struct ct_convert_options *options,
                               const struct ct_emit_window *window, struct ct_goal *goal_p,
                               struct ct_error *err)
{
    struct emitter emitter = {.options = options, .all = actions, .err = err};
    enum ct_status status = CT_OK;
    emitter.builder = ct_goal_builder_new(actions->n_ranks);
    emitter.column = calloc(actions->n_ranks, sizeof *emitter.column);
    if (!emitter.builder || !emitter.column)
        status = ct_no_memory(err, "schedule");
    else if (options->marks_waits)
        ct_goal_begin_marks(emitter.builder);
    if (status == CT_OK)
        status = ct_served_make(actions, &emitter.served, err);
    for (uint32_t rank = 0; rank < actions->n_ranks && status == CT_OK; rank++) {
        emitter.rank = rank;
        emitter.of = &actions->ranks[rank];
        if ((status = ct_cancel_check(err)) == CT_OK)
            status = emit_rank(&emitter, window);
        if (!window->carry || window->is_last)
            ct_rank_actions_free(&actions->ranks[rank]);
    }
    ct_served_free(&emitter.served);
    ct_map_free(&emitter.waits);
    free(emitter.column);
    free(emitter.point.waits);
    free(emitter.stage.waits);
    free(emitter.before.waits);
    free(emitter.ended.waits);
    free(emitter.waiting);
    free(emitter.pauses);
    if (status == CT_OK)
        status = build_goal(&emitter, window, goal_p);
    ct_goal_builder_free(emitter.builder);
    return status;
}
