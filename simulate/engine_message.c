/* The steps of messages: what they wait for, the work of ranks, and what the network carries. */
#include "core/array.h"
#include "core/lesser.h"
#include "simulate/engine_state.h"

#include <math.h>

const size_t ct_engine_flight_bytes = sizeof(struct ct_flight);

static const uint32_t none = CT_ENGINE_NONE;

/* ---- messages under way ---- */

static struct ct_job *job_of(const struct ct_engine *engine, const struct ct_flight *flight)
{
    return &engine->jobs[flight->job];
}

static const struct ct_stack_protocol *protocol_of(const struct ct_engine *engine,
                                                   const struct ct_flight *flight)
{
    return &engine->setup->stack->protocols[flight->protocol];
}

static uint32_t node_of(const struct ct_engine *engine, const struct ct_flight *flight,
                        enum ct_message_side side)
{
    return job_of(engine, flight)->ranks[flight->rank[side]].node;
}

/* ---- their times, for an observer ---- */

static bool reserve_times(struct ct_engine *engine)
{
    return !engine->keeps_steps ||
           CT_ARRAY_RESERVE(engine->times, engine->room_times, (size_t)engine->room_flights);
}

static void forget_step(struct ct_engine *engine, uint32_t number, uint8_t step)
{
    static const struct ct_message_times not_yet = {INFINITY, INFINITY, INFINITY};
    if (engine->keeps_steps)
        engine->times[number].steps[step] = not_yet;
}

static void forget_times(struct ct_engine *engine, uint32_t number)
{
    forget_step(engine, number, 0);
    for (int side = 0; engine->keeps_steps && side < CT_MESSAGE_SIDES; side++)
        engine->times[number].posted_ns[side] = INFINITY;
}

static void keep_posted(struct ct_engine *engine, uint32_t number, enum ct_message_side side)
{
    if (engine->keeps_steps)
        engine->times[number].posted_ns[side] = engine->now_ns;
}

static void keep_ended(struct ct_engine *engine, uint32_t number, enum ct_message_side side)
{
    if (engine->keeps_steps)
        engine->times[number].ended_ns[side] = engine->now_ns;
}

static void keep_ready(struct ct_engine *engine, uint32_t number)
{
    if (engine->keeps_steps)
        engine->times[number].steps[engine->flights[number].step].ready_ns = engine->now_ns;
}

static void keep_paid(struct ct_engine *engine, uint32_t number)
{
    if (engine->keeps_steps)
        engine->times[number].steps[engine->flights[number].step].paid_ns = engine->now_ns;
}

static void keep_there(struct ct_engine *engine, uint32_t number)
{
    if (engine->keeps_steps)
        engine->times[number].steps[engine->flights[number].step].there_ns = engine->now_ns;
}

/* ---- new ones ---- */

static uint32_t new_flight(struct ct_engine *engine)
{
    uint32_t at = engine->free_flight;
    if (at != none) {
        engine->free_flight = engine->flights[at].next;
        return at;
    }
    if (engine->n_flights == CT_ENGINE_INDEX_MAX ||
        !CT_ARRAY_RESERVE(engine->flights, engine->room_flights, engine->n_flights + (size_t)1) ||
        !reserve_times(engine))
        return none;
    return engine->n_flights++;
}

/* The message of a send or a receive: begun by the side that comes first. */
static uint32_t flight_of(struct ct_engine *engine, struct ct_job *job, uint32_t op)
{
    const struct ct_engine_op *of = &job->program->ops[op];
    bool sends = of->kind == CT_GOAL_SEND;
    uint32_t send = sends ? op : of->partner;
    if (job->states[send].flight != none)
        return job->states[send].flight;
    uint32_t at = new_flight(engine);
    if (at == none)
        return none;
    engine->flights[at] = (struct ct_flight){
        .bytes = of->amount,
        .op = {send, sends ? of->partner : op},
        .next = none,
        .rank = {sends ? of->rank : of->partner_rank, sends ? of->partner_rank : of->rank},
        .job = (uint16_t)(job - engine->jobs),
        .protocol = ct_stack_protocol_of(engine->setup->stack, of->amount) & 3U};
    forget_times(engine, at);
    job->states[send].flight = at;
    return at;
}

static void enqueue_flight(struct ct_engine *engine, struct ct_flight_queue *queue, uint32_t number)
{
    engine->flights[number].next = none;
    if (queue->head == none)
        queue->head = number;
    else
        engine->flights[queue->tail].next = number;
    queue->tail = number;
}

static uint32_t dequeue_flight(struct ct_engine *engine, struct ct_flight_queue *queue)
{
    uint32_t number = queue->head;
    queue->head = engine->flights[number].next;
    return number;
}

/* A side ends at a moment of the step at hand. */
static enum ct_status reach_moment(struct ct_engine *engine, uint32_t number,
                                   enum ct_message_moment moment)
{
    struct ct_flight *flight = &engine->flights[number];
    const struct ct_stack_protocol *protocol = protocol_of(engine, flight);
    for (int side = 0; side < CT_MESSAGE_SIDES; side++) {
        const struct ct_message_point *end =
            side == CT_SIDE_SENDER ? &protocol->send_ends : &protocol->recv_ends;
        if (end->step != flight->step || end->moment != moment)
            continue;
        keep_ended(engine, number, (enum ct_message_side)side);
        CT_TRY(ct_engine_end_op(engine, job_of(engine, flight), flight->op[side]));
    }
    return CT_OK;
}

/* ---- steps ---- */

static enum ct_status begin_step(struct ct_engine *engine, uint32_t number);

/* A message that has gone through all of its steps. */
static enum ct_status end_flight(struct ct_engine *engine, uint32_t number)
{
    struct ct_flight *flight = &engine->flights[number];
    struct ct_job *job = job_of(engine, flight);
    ct_engine_tell_message(engine, number);
    job->states[flight->op[CT_SIDE_SENDER]].flight = none;
    flight->next = engine->free_flight;
    engine->free_flight = number;
    return ct_engine_count_down(engine, job);
}

enum ct_status ct_engine_add_poll(struct ct_engine *engine, const struct ct_job *job, uint32_t rank)
{
    if (!CT_ARRAY_RESERVE(engine->polls, engine->room_polls, engine->n_polls + (size_t)1))
        return ct_no_memory(engine->err, "simulation");
    engine->polls[engine->n_polls++] = (struct ct_poll){(uint32_t)(job - engine->jobs), rank};
    return CT_OK;
}

enum ct_status ct_engine_there(struct ct_engine *engine, uint32_t number)
{
    struct ct_flight *flight = &engine->flights[number];
    keep_there(engine, number);
    if (flight->step + 1 == protocol_of(engine, flight)->n_steps)
        return end_flight(engine, number);
    flight->step++;
    forget_step(engine, number, flight->step);
    CT_TRY(reach_moment(engine, number, CT_MOMENT_BEGIN));
    return begin_step(engine, number);
}

enum ct_status ct_engine_left(struct ct_engine *engine, uint32_t number)
{
    return reach_moment(engine, number, CT_MOMENT_LEFT);
}

/* Inside a node: the bytes, then the latency; a rank to itself takes no time. */
static enum ct_status send_locally(struct ct_engine *engine, uint32_t number, double bytes,
                                   bool to_itself)
{
    const struct ct_stack *stack = engine->setup->stack;
    struct ct_flight *flight = &engine->flights[number];
    flight->flags |= CT_FLIGHT_LOCAL;
    flight->flags &= (uint8_t)~CT_FLIGHT_LOCAL_LEFT;
    double lasts_ns = to_itself ? 0 : bytes * stack->local_ns_per_byte;
    return ct_engine_add(engine, engine->now_ns + lasts_ns, CT_ENGINE_FLIGHT, number);
}

static enum ct_status local_ends(struct ct_engine *engine, uint32_t number)
{
    struct ct_flight *flight = &engine->flights[number];
    bool to_itself = flight->rank[CT_SIDE_SENDER] == flight->rank[CT_SIDE_RECEIVER];
    if (flight->flags & CT_FLIGHT_LOCAL_LEFT)
        return ct_engine_there(engine, number);
    flight->flags |= CT_FLIGHT_LOCAL_LEFT;
    double latency_ns = to_itself ? 0 : engine->setup->stack->local_ns;
    CT_TRY(ct_engine_left(engine, number));
    return latency_ns > 0
               ? ct_engine_add(engine, engine->now_ns + latency_ns, CT_ENGINE_FLIGHT, number)
               : ct_engine_there(engine, number);
}

/* Whether a message must wait until g after the one before; it has an event then. */
static bool is_behind(struct ct_engine *engine, uint32_t number, const struct ct_stack_step *step,
                      enum ct_status *status_p)
{
    struct ct_flight *flight = &engine->flights[number];
    const double g_ns = engine->setup->stack->g_ns;
    bool is_eager = flight->step == 0 && step->carries == CT_CARRIES_DATA &&
                    flight->rank[CT_SIDE_SENDER] != flight->rank[CT_SIDE_RECEIVER];
    *status_p = CT_OK;
    if (!(g_ns > 0) || !is_eager)
        return false;
    struct ct_engine_rank *rank = &job_of(engine, flight)->ranks[flight->rank[CT_SIDE_SENDER]];
    const double at_ns = ct_greater(engine->now_ns, rank->leaves_ns);
    rank->leaves_ns = at_ns + g_ns;
    if (!(at_ns > engine->now_ns))
        return false;
    flight->flags |= CT_FLIGHT_BEHIND;
    *status_p = ct_engine_add(engine, at_ns, CT_ENGINE_FLIGHT, number);
    return true;
}

static enum ct_status carry_step(struct ct_engine *engine, uint32_t number,
                                 const struct ct_stack_step *step)
{
    const struct ct_flight *flight = &engine->flights[number];
    const struct ct_stack_protocol *protocol = protocol_of(engine, flight);
    enum ct_message_side other = step->by == CT_SIDE_SENDER ? CT_SIDE_RECEIVER : CT_SIDE_SENDER;
    const struct ct_stack_carried carried =
        ct_stack_carried(engine->setup->stack, step, flight->bytes);
    const struct ct_transfer transfer = {.from = node_of(engine, flight, step->by),
                                         .to = node_of(engine, flight, other),
                                         .job = flight->job,
                                         .number = number,
                                         .bytes = carried.bytes,
                                         .late_frac = carried.late_frac,
                                         .tells_left =
                                             protocol->send_ends.moment == CT_MOMENT_LEFT &&
                                             protocol->send_ends.step == flight->step};
    if (transfer.from == transfer.to)
        return send_locally(engine, number, carried.bytes, flight->rank[0] == flight->rank[1]);
    const struct ct_simulate_network *network = engine->setup->network;
    return network->ops->send(network->state, engine->now_ns, &transfer, engine->err);
}

/* ---- credits ---- */

/* The mailbox that a message goes to; none: out of memory. */
static uint32_t credit_of(struct ct_engine *engine, const struct ct_flight *flight)
{
    uint32_t number, first = job_of(engine, flight)->first_rank;
    if (!ct_map_number(&engine->credit_of,
                       ct_map_pair(first + flight->rank[CT_SIDE_SENDER],
                                   first + flight->rank[CT_SIDE_RECEIVER]),
                       &number))
        return none;
    if (number < engine->n_credits)
        return number;
    if (!CT_ARRAY_RESERVE(engine->credits, engine->room_credits, number + (size_t)1))
        return none;
    engine->credits[engine->n_credits++] = (struct ct_credit){0, {none, none}};
    return number;
}

/* A message has been copied from the mailbox: the sender will know. */
static enum ct_status return_credit(struct ct_engine *engine, const struct ct_flight *flight)
{
    const struct ct_simulate_network *network = engine->setup->network;
    uint32_t from = node_of(engine, flight, CT_SIDE_RECEIVER),
             to = node_of(engine, flight, CT_SIDE_SENDER);
    double latency_ns = engine->setup->stack->local_ns;
    uint32_t credit = credit_of(engine, flight);
    if (credit == none)
        return ct_no_memory(engine->err, "simulation");
    if (from != to)
        CT_TRY(network->ops->latency_ns(network->state, from, to, &latency_ns, engine->err));
    return ct_engine_add(engine, engine->now_ns + latency_ns, CT_ENGINE_CREDIT, credit);
}

enum ct_status ct_engine_credit_is_back(struct ct_engine *engine, uint32_t number)
{
    struct ct_credit *credit = &engine->credits[number];
    if (credit->waiting.head == none) {
        credit->used--;
        return CT_OK;
    }
    uint32_t flight = dequeue_flight(engine, &credit->waiting);
    engine->flights[flight].flags &= (uint8_t)~CT_FLIGHT_CREDIT;
    return begin_step(engine, flight);
}

/* Whether a message may go to a mailbox; else it waits. */
static enum ct_status take_credit(struct ct_engine *engine, uint32_t number, bool *taken_p)
{
    struct ct_flight *flight = &engine->flights[number];
    uint32_t at = credit_of(engine, flight);
    if (at == none)
        return ct_no_memory(engine->err, "simulation");
    struct ct_credit *credit = &engine->credits[at];
    *taken_p = credit->used < engine->setup->stack->credits;
    if (*taken_p) {
        credit->used++;
        return CT_OK;
    }
    flight->flags |= CT_FLIGHT_CREDIT | CT_FLIGHT_STARTED;
    enqueue_flight(engine, &credit->waiting, number);
    return ct_engine_start_op(engine, job_of(engine, flight), flight->op[CT_SIDE_SENDER]);
}

static bool uses_credit(const struct ct_engine *engine, const struct ct_flight *flight)
{
    return engine->setup->stack->credits > 0 && protocol_of(engine, flight)->takes_credit;
}

/* ---- work ---- */

/* The work of a step is done. */
static enum ct_status pay_step(struct ct_engine *engine, uint32_t number)
{
    struct ct_flight *flight = &engine->flights[number];
    const struct ct_stack_protocol *protocol = protocol_of(engine, flight);
    const struct ct_stack_step *step = &protocol->steps[flight->step];
    struct ct_job *job = job_of(engine, flight);
    enum ct_status status = CT_OK;
    keep_paid(engine, number);
    if (flight->step == 0 && !(flight->flags & CT_FLIGHT_STARTED))
        status = ct_engine_start_op(engine, job, flight->op[CT_SIDE_SENDER]);
    if (status == CT_OK)
        status = reach_moment(engine, number, CT_MOMENT_PAID);
    if (status == CT_OK && flight->step + 1 == protocol->n_steps && uses_credit(engine, flight))
        status = return_credit(engine, flight);
    if (status != CT_OK)
        return status;
    if (step->carries == CT_CARRIES_NOTHING)
        return ct_engine_there(engine, number);
    return is_behind(engine, number, step, &status) || status != CT_OK
               ? status
               : carry_step(engine, number, step);
}

static enum ct_status leave_late(struct ct_engine *engine, uint32_t number)
{
    struct ct_flight *flight = &engine->flights[number];
    flight->flags &= (uint8_t)~CT_FLIGHT_BEHIND;
    return carry_step(engine, number, &protocol_of(engine, flight)->steps[flight->step]);
}

static enum ct_status start_work(struct ct_engine *engine, struct ct_job *job,
                                 struct ct_engine_rank *rank, uint32_t number)
{
    struct ct_flight *flight = &engine->flights[number];
    const struct ct_stack_step *step = &protocol_of(engine, flight)->steps[flight->step];
    double work_ns = ct_stack_work_ns(engine->setup->stack, step->work, flight->bytes);
    CT_TRY(ct_engine_touch(engine, rank, job));
    rank->n_working++;
    rank->work = flight->op[step->by];
    flight->flags &= (uint8_t)~CT_FLIGHT_LOCAL;
    return ct_engine_add_work(engine, engine->now_ns + work_ns, step->by, number);
}

static enum ct_status work_ends(struct ct_engine *engine, uint32_t number)
{
    const struct ct_flight *flight = &engine->flights[number];
    struct ct_job *job = job_of(engine, flight);
    enum ct_message_side by = protocol_of(engine, flight)->steps[flight->step].by;
    struct ct_engine_rank *rank = &job->ranks[flight->rank[by]];
    enum ct_status status = ct_engine_touch(engine, rank, job);
    rank->n_working--;
    if (status == CT_OK)
        status = pay_step(engine, number);
    /* What was paid may have begun other work, but not on a rank that does one at a time and has
     * more to do. */
    if (status == CT_OK && rank->ready.head != none && rank->n_working == 0)
        status = start_work(engine, job, rank, dequeue_flight(engine, &rank->ready));
    return status == CT_OK ? ct_engine_will_poll(engine, job, (uint32_t)(rank - job->ranks))
                           : status;
}

/* A step has all that it waits for, but the processor. */
static enum ct_status be_ready(struct ct_engine *engine, struct ct_job *job,
                               struct ct_engine_rank *rank, uint32_t number)
{
    keep_ready(engine, number);
    if (engine->setup->stack->one_at_a_time && (rank->n_working > 0 || rank->ready.head != none)) {
        enqueue_flight(engine, &rank->ready, number);
        return CT_OK;
    }
    return start_work(engine, job, rank, number);
}

/* Wait for what the step waits for, and work. */
static enum ct_status take_step(struct ct_engine *engine, uint32_t number)
{
    struct ct_flight *flight = &engine->flights[number];
    const struct ct_stack_step *step = &protocol_of(engine, flight)->steps[flight->step];
    struct ct_job *job = job_of(engine, flight);
    if (step->waits_for == CT_WAIT_RECV && !(flight->flags & CT_FLIGHT_POSTED)) {
        flight->flags |= CT_FLIGHT_STUCK;
        return CT_OK;
    }
    if (step->work == CT_WORK_NONE) {
        keep_ready(engine, number);
        return pay_step(engine, number);
    }
    return be_ready(engine, job, &job->ranks[flight->rank[step->by]], number);
}

/* Whether a rank is busy with what its program does: its library sees nothing that comes. */
static bool is_away(const struct ct_stack *stack, const struct ct_engine_rank *rank)
{
    return rank->n_calcs > 0 ||
           (stack->one_at_a_time && (rank->n_working > 0 || rank->ready.head != none));
}

/* The step before has arrived. */
static enum ct_status begin_step(struct ct_engine *engine, uint32_t number)
{
    struct ct_flight *flight = &engine->flights[number];
    const struct ct_stack *stack = engine->setup->stack;
    const struct ct_stack_step *step = &protocol_of(engine, flight)->steps[flight->step];
    struct ct_engine_rank *rank = &job_of(engine, flight)->ranks[flight->rank[step->by]];
    bool is_of_library = step->waits_for != CT_WAIT_SEND && step->work != CT_WORK_NONE;
    if (stack->progress == CT_PROGRESS_IN_CALL && is_of_library && is_away(stack, rank)) {
        enqueue_flight(engine, &rank->held, number);
        return CT_OK;
    }
    return take_step(engine, number);
}

enum ct_status ct_engine_poll(struct ct_engine *engine, struct ct_job *job, uint32_t rank)
{
    struct ct_engine_rank *of = &job->ranks[rank];
    enum ct_status status = CT_OK;
    if (is_away(engine->setup->stack, of))
        return CT_OK;
    while (of->held.head != none && status == CT_OK)
        status = take_step(engine, dequeue_flight(engine, &of->held));
    return status;
}

/* ---- operations ---- */

static enum ct_status begin_send(struct ct_engine *engine, uint32_t number)
{
    struct ct_flight *flight = &engine->flights[number];
    bool may_go = true;
    engine->counts.n_messages++;
    flight->flags |= CT_FLIGHT_SENT;
    keep_posted(engine, number, CT_SIDE_SENDER);
    enum ct_status status =
        uses_credit(engine, flight) ? take_credit(engine, number, &may_go) : CT_OK;
    return status == CT_OK && may_go ? begin_step(engine, number) : status;
}

static enum ct_status post_receive(struct ct_engine *engine, struct ct_job *job, uint32_t op,
                                   uint32_t number)
{
    struct ct_flight *flight = &engine->flights[number];
    flight->flags |= CT_FLIGHT_POSTED;
    keep_posted(engine, number, CT_SIDE_RECEIVER);
    enum ct_status status = ct_engine_start_op(engine, job, op);
    if (status != CT_OK || !(flight->flags & CT_FLIGHT_STUCK))
        return status;
    flight->flags &= (uint8_t)~CT_FLIGHT_STUCK;
    return begin_step(engine, number);
}

enum ct_status ct_engine_post(struct ct_engine *engine, struct ct_job *job, uint32_t op)
{
    bool sends = job->program->ops[op].kind == CT_GOAL_SEND;
    uint32_t number = flight_of(engine, job, op);
    if (number == none)
        return ct_no_memory(engine->err, "simulation");
    return sends ? begin_send(engine, number) : post_receive(engine, job, op, number);
}

enum ct_status ct_engine_phase_ends(struct ct_engine *engine, uint32_t number)
{
    const uint8_t flags = engine->flights[number].flags;
    return flags & CT_FLIGHT_BEHIND  ? leave_late(engine, number)
           : flags & CT_FLIGHT_LOCAL ? local_ends(engine, number)
                                     : work_ends(engine, number);
}
