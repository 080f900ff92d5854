#include "simulate/run_path.h"

#include "core/array.h"
#include "simulate/call_times.h"

#include <stdlib.h>

/* The steps of a message: from `first` on. */
struct message {
    uint32_t first;
    uint8_t n, met, by_receiver; /* n 0: not there yet */
};

struct op {
    double begin_ns;
    uint32_t after;         /* operation << 1 | whether for its start; no_op: none */
    struct message message; /* of a send */
    uint32_t partner;       /* of a send or receive */
};

static const uint32_t no_op = CT_TIME_NO_OP;

struct program {
    const struct ct_goal *goal;
    struct op *ops;                 /* [goal->n_ops] */
    struct ct_message_times *times; /* n_times */
    uint32_t n_times, room_times;
    uint32_t n_ranks_left; /* that have not ended the first pass */
    uint32_t last;         /* the operation that ended last */
    double begin_ns, end_ns;
};

struct ct_path_record {
    struct program *programs;
    size_t n;
    bool out_of_memory;
};

enum ct_status ct_path_record_new(const struct ct_goal *goals, size_t n,
                                  struct ct_path_record **record_p, struct ct_error *err)
{
    struct ct_path_record *record = calloc(1, sizeof *record);
    if (record)
        record->programs = calloc(n, sizeof *record->programs);
    bool ok = record && record->programs;
    for (size_t i = 0; i < n && ok; i++) {
        record->n = i + 1;
        record->programs[i] = (struct program){.goal = &goals[i],
                                               .ops = calloc(goals[i].n_ops + 1, sizeof(struct op)),
                                               .n_ranks_left = goals[i].n_ranks,
                                               .last = no_op};
        ok = record->programs[i].ops;
    }
    if (!ok) {
        ct_path_record_free(record);
        return ct_no_memory(err, "critical path");
    }
    *record_p = record;
    return CT_OK;
}

void ct_path_record_free(struct ct_path_record *record)
{
    for (size_t i = 0; record && i < record->n; i++) {
        free(record->programs[i].ops);
        free(record->programs[i].times);
    }
    free(record ? record->programs : NULL);
    free(record);
}

/* ---- the observer ---- */

static void end_op(struct program *program, uint32_t op, double at_ns)
{
    if (program->last != no_op && at_ns <= program->end_ns)
        return;
    program->last = op;
    program->end_ns = at_ns;
}

static void take_begin(void *context, const struct ct_observed_begin *begin)
{
    struct ct_path_record *record = context;
    struct program *program = &record->programs[begin->program];
    const struct ct_goal_op *op = &program->goal->ops[begin->op];
    if (begin->pass > 0 || program->n_ranks_left == 0)
        return;
    program->ops[begin->op].begin_ns = begin->at_ns;
    program->ops[begin->op].after =
        begin->after == CT_TIME_NO_OP ? no_op : begin->after << 1 | (begin->at_start ? 1 : 0);
    if (op->kind == CT_GOAL_CALC)
        end_op(program, begin->op, begin->at_ns + (double)op->amount);
}

static void take_message(void *context, const struct ct_observed_message *message)
{
    struct ct_path_record *record = context;
    struct program *program = &record->programs[message->program];
    uint32_t send = message->op[CT_SIDE_SENDER], receive = message->op[CT_SIDE_RECEIVER];
    struct op *op = &program->ops[send];
    if (message->pass > 0 || op->message.n > 0 || record->out_of_memory)
        return;
    if (!CT_ARRAY_RESERVE(program->times, program->room_times,
                          program->n_times + (size_t)message->n_steps)) {
        record->out_of_memory = true;
        return;
    }
    op->message =
        (struct message){program->n_times, message->n_steps, message->met, message->by_receiver};
    op->partner = receive;
    program->ops[receive].partner = send;
    for (uint8_t i = 0; i < message->n_steps; i++)
        program->times[program->n_times++] = message->steps[i];
    for (int side = 0; side < CT_MESSAGE_SIDES; side++)
        end_op(program, message->op[side], message->ended_ns[side]);
}

static void take_rank(void *context, const struct ct_observed_rank *rank)
{
    struct ct_path_record *record = context;
    struct program *program = &record->programs[rank->program];
    if (rank->pass > 0 || program->n_ranks_left == 0)
        return;
    program->begin_ns = rank->begin_ns;
    program->n_ranks_left--;
}

struct ct_observer ct_path_record_observer(struct ct_path_record *record)
{
    return (struct ct_observer){
        .message = take_message, .rank = take_rank, .begin = take_begin, .context = record};
}

/* ---- the path ---- */

/* Back along the path. */
struct walk {
    const struct program *program;
    struct ct_run_path_step *steps; /* n, the last one first */
    size_t n, room;
    double at_ns;
    bool out_of_memory;
};

/* From a time up to where the walk is. */
static void add_step(struct walk *walk, double begin_ns, struct ct_run_path_step step)
{
    if (!(begin_ns < walk->at_ns))
        return;
    if (!CT_ARRAY_RESERVE(walk->steps, walk->room, walk->n + (size_t)1)) {
        walk->out_of_memory = true;
        return;
    }
    step.begin_ns = begin_ns;
    step.end_ns = walk->at_ns;
    walk->steps[walk->n++] = step;
    walk->at_ns = begin_ns;
}

/* A message, and the operation that the path reached it by. */
struct passage {
    uint32_t op, send, receive;
    uint32_t rank[CT_MESSAGE_SIDES];
};

static void add_part(struct walk *walk, double begin_ns, enum ct_time_part part,
                     const struct passage *passage, enum ct_message_side by)
{
    const struct ct_goal *goal = walk->program->goal;
    bool is_work = part == CT_TIME_STACK, is_carried = part == CT_TIME_NETWORK;
    uint32_t side_op = by == CT_SIDE_SENDER ? passage->send : passage->receive;
    enum ct_message_side other = by == CT_SIDE_SENDER ? CT_SIDE_RECEIVER : CT_SIDE_SENDER;
    const struct ct_time_span span = {.op = is_work ? side_op : passage->op,
                                      .next = is_work ? CT_TIME_NO_OP : passage->op,
                                      .part = part};
    add_step(walk, begin_ns,
             (struct ct_run_path_step){.part = part,
                                       .op = span.op,
                                       .row = ct_call_row_of(goal, &span),
                                       .from = passage->rank[by],
                                       .to = passage->rank[is_carried ? other : by]});
}

/* Back through a message, to the begin of its send or the posting of its receive: which is
 * returned. */
static uint32_t pass_message(struct walk *walk, const struct passage *passage)
{
    const struct op *ops = walk->program->ops;
    const struct message message = ops[passage->send].message;
    const struct ct_message_times *times = walk->program->times + message.first;
    double posted_ns = ops[passage->receive].begin_ns;
    for (uint8_t i = message.n; i-- > 0;) {
        bool by_receiver = message.by_receiver >> i & 1;
        enum ct_message_side by = by_receiver ? CT_SIDE_RECEIVER : CT_SIDE_SENDER;
        double before_ns = i > 0 ? times[i - 1].there_ns : ops[passage->send].begin_ns;
        add_part(walk, times[i].paid_ns, CT_TIME_NETWORK, passage, by);
        add_part(walk, times[i].ready_ns, CT_TIME_STACK, passage, by);
        if (i == message.met && before_ns < posted_ns && posted_ns <= walk->at_ns) {
            add_part(walk, posted_ns, CT_TIME_SYNC, passage, by);
            return passage->receive;
        }
        add_part(walk, before_ns, CT_TIME_SYNC, passage, by);
    }
    return passage->send;
}

/* Back through an operation, from its end or its start, to the begin of one, which is returned. */
static uint32_t pass_op(struct walk *walk, uint32_t op, const uint32_t *rank_of, bool from_start)
{
    const struct program *program = walk->program;
    const struct op *ops = program->ops;
    enum ct_goal_kind kind = (enum ct_goal_kind)program->goal->ops[op].kind;
    if (kind == CT_GOAL_CALC && !from_start)
        add_step(walk, ops[op].begin_ns,
                 (struct ct_run_path_step){
                     .part = CT_TIME_COMPUTE, .op = op, .from = rank_of[op], .to = rank_of[op]});
    if (kind == CT_GOAL_CALC || (kind == CT_GOAL_RECV && from_start))
        return op;
    bool sends = kind == CT_GOAL_SEND;
    struct passage passage = {
        .op = op, .send = sends ? op : ops[op].partner, .receive = sends ? ops[op].partner : op};
    passage.rank[CT_SIDE_SENDER] = rank_of[passage.send];
    passage.rank[CT_SIDE_RECEIVER] = rank_of[passage.receive];
    return pass_message(walk, &passage);
}

static void walk_back(struct walk *walk, const uint32_t *rank_of)
{
    uint32_t op = walk->program->last;
    bool from_start = false;
    while (op != no_op && !walk->out_of_memory) {
        uint32_t after = walk->program->ops[pass_op(walk, op, rank_of, from_start)].after;
        from_start = after & 1;
        op = after == no_op ? no_op : after >> 1;
    }
}

static uint32_t *ranks_of_ops(const struct ct_goal *goal)
{
    uint32_t *rank_of = malloc((goal->n_ops + 1) * sizeof *rank_of);
    for (uint32_t rank = 0; rank_of && rank < goal->n_ranks; rank++)
        for (uint64_t op = goal->first_op[rank]; op < goal->first_op[rank + 1]; op++)
            rank_of[op] = rank;
    return rank_of;
}

enum ct_status ct_run_path_find(const struct ct_path_record *record, size_t index,
                                struct ct_run_path *path_p, struct ct_error *err)
{
    const struct program *program = &record->programs[index];
    if (record->out_of_memory)
        return ct_no_memory(err, "critical path");
    if (program->n_ranks_left > 0 || program->last == no_op)
        return ct_fail(err, CT_ENODATA, "critical path: program %zu has not ended a pass",
                       index + 1);
    uint32_t *rank_of = ranks_of_ops(program->goal);
    if (!rank_of)
        return ct_no_memory(err, "critical path");
    struct walk walk = {.program = program, .at_ns = program->end_ns};
    walk_back(&walk, rank_of);
    free(rank_of);
    if (walk.out_of_memory) {
        free(walk.steps);
        return ct_no_memory(err, "critical path");
    }
    for (size_t i = 0; i < walk.n / 2; i++) {
        const struct ct_run_path_step step = walk.steps[i];
        walk.steps[i] = walk.steps[walk.n - 1 - i];
        walk.steps[walk.n - 1 - i] = step;
    }
    *path_p = (struct ct_run_path){walk.steps, walk.n, program->begin_ns, program->end_ns};
    return CT_OK;
}

void ct_run_path_free(struct ct_run_path *path)
{
    free(path->steps);
    *path = (struct ct_run_path){0};
}
