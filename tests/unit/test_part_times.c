/* Equations 1 to 4 [D, section 3.1] on random schedules: where the time of each rank goes, found
 * from the times of the steps of messages by sums and differences, and not by following the ranks.
 *
 * A rank does one thing after the other: it computes, and then sends or receives; it waits for that
 * at once, or computes in between. Of an operation let
 *
 *     w = when the rank begins to wait: when it posts, or when the computation in between ends
 *     e = when the operation ends; if e <= w there is no wait
 *
 * A receiver waits for the program of the sender until t_send, when its first step is paid for:
 * max(0, min(t_send, e) - w), equations 2 and 4. A sender that needs the receive waits until
 * t_recv, when that is posted: max(0, min(t_recv, e) - max(w, t_send)), equations 1 and 3; and then
 * for a receiver that computes and makes no progress. It also waits for credit. What the rank
 * itself works meanwhile is stack, as is the work of the other rank on the message. The rest of the
 * wait is the network. */
#include "engine_example.h"
#include "goal_example.h"
#include "unit.h"

#include <string.h>

enum { STEPS = 60, RANKS_MAX = 8, SIDES = STEPS * CT_MESSAGE_SIDES, PARTS = CT_TIME_PARTS };

/* ---- schedules ---- */

/* A send or a receive. */
struct side {
    uint32_t rank, op;            /* op: numbered over all ranks */
    double before_ns, between_ns; /* that it computes; between: 0: it waits at once */
};

struct schedule {
    struct ct_goal goal;
    struct side sides[SIDES];
    size_t n;
};

/* Three operations: computation, message, computation. The rank goes on after the last two. */
static void add_side(struct ct_goal_builder *builder, const struct ct_goal_op *message,
                     struct side *side, bool is_first)
{
    struct ct_goal_op calc = {.kind = CT_GOAL_CALC, .amount = (uint64_t)side->before_ns};
    uint32_t before = ct_goal_add(builder, calc);
    side->op = ct_goal_add(builder, *message);
    calc.amount = (uint64_t)side->between_ns;
    uint32_t between = ct_goal_add(builder, calc);
    for (uint32_t back = 1; back <= 2 && !is_first; back++)
        ct_goal_require(builder, before, before - back, CT_GOAL_FINISH);
    ct_goal_require(builder, side->op, before, CT_GOAL_FINISH);
    ct_goal_require(builder, between, side->op,
                    side->between_ns > 0 ? CT_GOAL_START : CT_GOAL_FINISH);
}

/* A step: who sends how much to whom, the same for all ranks. */
static void add_step(struct ct_goal_builder *builder, uint64_t *die, uint64_t bytes_max,
                     uint32_t rank, struct schedule *schedule, bool *is_first)
{
    uint32_t n_ranks = schedule->goal.n_ranks, ends[CT_MESSAGE_SIDES];
    ends[0] = (uint32_t)throw_die(die, n_ranks);
    ends[1] = (ends[0] + 1 + (uint32_t)throw_die(die, n_ranks - 1)) % n_ranks;
    uint64_t bytes = throw_die(die, 5) == 0 ? 0 : throw_die(die, bytes_max);
    for (int s = 0; s < CT_MESSAGE_SIDES; s++) {
        struct side side = {.rank = rank, .before_ns = (double)throw_die(die, 9000)};
        bool waits_at_once = throw_die(die, 2) == 0;
        double between_ns = 1 + (double)throw_die(die, 20000);
        side.between_ns = waits_at_once ? 0 : between_ns;
        if (ends[s] != rank)
            continue;
        const struct ct_goal_op message = {.kind =
                                               s == CT_SIDE_SENDER ? CT_GOAL_SEND : CT_GOAL_RECV,
                                           .amount = bytes,
                                           .peer = ends[1 - s]};
        add_side(builder, &message, &side, *is_first);
        *is_first = false;
        schedule->sides[schedule->n++] = side;
    }
}

static struct schedule schedule_of(uint64_t seed, uint64_t bytes_max)
{
    struct schedule schedule = {.goal.n_ranks = 2 + (uint32_t)(seed % (RANKS_MAX - 1))};
    uint32_t n_ranks = schedule.goal.n_ranks;
    struct ct_goal_builder *builder = ct_goal_builder_new(n_ranks);
    for (uint32_t rank = 0; rank < n_ranks; rank++) {
        uint64_t die = seed;
        bool is_first = true;
        ct_goal_begin_rank(builder, rank);
        for (int i = 0; i < STEPS; i++)
            add_step(builder, &die, bytes_max, rank, &schedule, &is_first);
    }
    assert_int_equal(ct_goal_build(builder, &schedule.goal, NULL), CT_OK);
    for (size_t i = 0; i < schedule.n; i++)
        schedule.sides[i].op += (uint32_t)schedule.goal.first_op[schedule.sides[i].rank];
    return schedule;
}

/* ---- what the steps of messages cost ---- */

/* Work of a step, of hand_parameters(); LogGPS: of `somewhere`. */
static double work_ns(const struct ct_observed_message *message, uint8_t step, bool is_loggps)
{
    const double header_ns = 100, rdma_ns = 200, copy_ns = (double)message->bytes;
    const double pin_ns = 1000 + 10 * ceil((double)message->bytes / 4096);
    if (is_loggps)
        return somewhere.o_ns;
    const double small[] = {header_ns, copy_ns},
                 medium[] = {copy_ns + header_ns, rdma_ns, 0, copy_ns},
                 large[] = {pin_ns + header_ns, pin_ns + rdma_ns, 0, 0, 0};
    return strcmp(message->protocol, "mailbox") == 0 ? small[step]
           : strcmp(message->protocol, "eager") == 0 ? medium[step]
                                                     : large[step];
}

struct piece {
    uint32_t rank;
    double begin_ns, end_ns;
};

static double length(double begin_ns, double end_ns)
{
    return fmax(0, end_ns - begin_ns);
}

/* How much of a time is in pieces of a rank, which do not overlap. */
static double in_pieces(const struct piece *pieces, size_t n, uint32_t rank, double begin_ns,
                        double end_ns)
{
    double sum_ns = 0;
    for (size_t i = 0; i < n; i++)
        if (pieces[i].rank == rank)
            sum_ns += length(fmax(begin_ns, pieces[i].begin_ns), fmin(end_ns, pieces[i].end_ns));
    return sum_ns;
}

/* ---- the equations ---- */

/* An operation with its message, and when its rank waits for it. */
struct wait {
    const struct ct_observed_message *message;
    const struct ct_message_times *steps;
    enum ct_message_side side;
    uint32_t rank, op;
    double w_ns, e_ns;
};

/* All that the equations are about. */
struct known {
    struct wait waits[SIDES];
    struct piece works[SIDES * CT_STACK_STEPS_MAX], calcs[SIDES * 2];
    size_t n_waits, n_works, n_calcs;
};

static struct told told;

static const struct side *side_of(const struct schedule *schedule, uint32_t op)
{
    size_t i = 0;
    while (i < schedule->n && schedule->sides[i].op != op)
        i++;
    assert_in_range(i, 0, schedule->n - 1);
    return &schedule->sides[i];
}

/* The computations of an operation, and its wait. A send has started when its first work is paid
 * for, or, without credit, when it is posted. */
static void know_side(const struct schedule *schedule, size_t m, enum ct_message_side s,
                      struct known *known)
{
    const struct ct_observed_message *message = &told.messages[m];
    const struct ct_message_times *steps = told.times[m];
    const struct side *side = side_of(schedule, message->op[s]);
    double posted_ns = message->posted_ns[s];
    bool has_credit = steps[0].ready_ns <= posted_ns;
    double begun_ns = s == CT_SIDE_SENDER && has_credit ? steps[0].paid_ns : posted_ns;
    double between_ns = side->between_ns;
    known->calcs[known->n_calcs++] =
        (struct piece){side->rank, posted_ns - side->before_ns, posted_ns};
    if (between_ns > 0)
        known->calcs[known->n_calcs++] =
            (struct piece){side->rank, begun_ns, begun_ns + between_ns};
    known->waits[known->n_waits++] =
        (struct wait){.message = message,
                      .steps = steps,
                      .side = s,
                      .rank = side->rank,
                      .op = side->op,
                      .w_ns = between_ns > 0 ? begun_ns + between_ns : posted_ns,
                      .e_ns = message->ended_ns[s]};
}

static void know(const struct schedule *schedule, bool is_loggps, struct known *known)
{
    known->n_waits = known->n_works = known->n_calcs = 0;
    for (size_t m = 0; m < told.n_messages; m++) {
        const struct ct_observed_message *message = &told.messages[m];
        for (uint8_t i = 0; i < message->n_steps; i++) {
            double paid_ns = told.times[m][i].paid_ns;
            known->works[known->n_works++] =
                (struct piece){message->rank[message->by_receiver >> i & 1],
                               paid_ns - work_ns(message, i, is_loggps), paid_ns};
        }
        know_side(schedule, m, CT_SIDE_SENDER, known);
        know_side(schedule, m, CT_SIDE_RECEIVER, known);
    }
}

/* A stretch of a wait, without what the rank works meanwhile. */
static double idle_ns(const struct known *known, const struct wait *wait, double begin_ns,
                      double end_ns)
{
    begin_ns = fmax(begin_ns, wait->w_ns);
    end_ns = fmin(end_ns, wait->e_ns);
    return end_ns > begin_ns
               ? end_ns - begin_ns -
                     in_pieces(known->works, known->n_works, wait->rank, begin_ns, end_ns)
               : 0;
}

/* Equations 1 to 4. @param until_p  [out] when the other program has come */
static double sync_ns(const struct known *known, const struct wait *wait, double *until_p)
{
    const struct ct_message_times *steps = wait->steps;
    double t_send_ns = steps[0].paid_ns, t_recv_ns = wait->message->posted_ns[CT_SIDE_RECEIVER];
    bool is_rendezvous = strcmp(wait->message->protocol, "rendezvous") == 0;
    *until_p = t_send_ns;
    if (wait->side == CT_SIDE_RECEIVER)
        return idle_ns(known, wait, wait->w_ns, t_send_ns);
    double credit_ns = idle_ns(known, wait, wait->w_ns, steps[0].ready_ns);
    if (!is_rendezvous)
        return credit_ns;
    *until_p = fmax(t_send_ns, t_recv_ns);
    return credit_ns + idle_ns(known, wait, t_send_ns, t_recv_ns) +
           idle_ns(known, wait, fmax(steps[0].there_ns, *until_p), steps[1].ready_ns);
}

/* Work of the other rank on the message, after it has come. */
static double other_ns(const struct known *known, const struct wait *wait, double until_ns,
                       bool is_loggps)
{
    double sum_ns = 0;
    for (uint8_t i = 0; i < wait->message->n_steps; i++) {
        bool by_receiver = wait->message->by_receiver >> i & 1;
        if (by_receiver == (wait->side == CT_SIDE_SENDER) &&
            work_ns(wait->message, i, is_loggps) > 0)
            sum_ns += idle_ns(known, wait, fmax(until_ns, wait->steps[i].ready_ns),
                              wait->steps[i].paid_ns);
    }
    return sum_ns;
}

/* ---- against what the engine tells ---- */

static void assert_time(uint64_t seed, const char *what, uint32_t number, double is_ns,
                        double as_ns)
{
    if (fabs(is_ns - as_ns) > 1e-6)
        fail_msg("seed %d: %s of %u: %.9g ns in place of %.9g", (int)seed, what, number, is_ns,
                 as_ns);
}

static double told_sync_ns(uint32_t op)
{
    double sum_ns = 0;
    for (size_t i = 0; i < told.n_spans; i++)
        if (told.spans[i].part == CT_TIME_SYNC && told.spans[i].op == op)
            sum_ns += told.spans[i].end_ns - told.spans[i].begin_ns;
    return sum_ns;
}

/* @param n_sync_p  [in,out] operations that waited for another program */
static void compare(uint64_t seed, const struct schedule *schedule, bool is_loggps,
                    struct known *known, size_t *n_sync_p)
{
    double as_ns[RANKS_MAX][PARTS] = {{0}}, is_ns[RANKS_MAX][PARTS] = {{0}};
    know(schedule, is_loggps, known);
    for (size_t i = 0; i < known->n_waits; i++) {
        const struct wait *wait = &known->waits[i];
        double until_ns, sync = sync_ns(known, wait, &until_ns);
        double other = other_ns(known, wait, until_ns, is_loggps);
        assert_time(seed, "synchronization", wait->op, told_sync_ns(wait->op), sync);
        as_ns[wait->rank][CT_TIME_SYNC] += sync;
        as_ns[wait->rank][CT_TIME_STACK] += other;
        as_ns[wait->rank][CT_TIME_NETWORK] +=
            idle_ns(known, wait, wait->w_ns, wait->e_ns) - sync - other;
        *n_sync_p += sync > 0;
    }
    for (size_t i = 0; i < known->n_calcs; i++)
        as_ns[known->calcs[i].rank][CT_TIME_COMPUTE] +=
            known->calcs[i].end_ns - known->calcs[i].begin_ns;
    for (size_t i = 0; i < known->n_works; i++) {
        const struct piece *work = &known->works[i];
        as_ns[work->rank][CT_TIME_STACK] +=
            work->end_ns - work->begin_ns -
            in_pieces(known->calcs, known->n_calcs, work->rank, work->begin_ns, work->end_ns);
    }
    for (size_t i = 0; i < told.n_spans; i++)
        is_ns[told.spans[i].rank][told.spans[i].part] +=
            told.spans[i].end_ns - told.spans[i].begin_ns;
    for (uint32_t rank = 0; rank < schedule->goal.n_ranks; rank++)
        for (int part = 0; part < PARTS; part++)
            assert_time(seed, ct_time_part_names[part], rank, is_ns[rank][part], as_ns[rank][part]);
}

/* All messages by one protocol, or by size; credits and progress, or LogGPS. */
static struct ct_stack stack_by(uint64_t seed, bool is_loggps)
{
    static const size_t small[] = {20000, 0, 0, 2000}, medium[] = {20000, 20000, 0, 6000};
    struct ct_stack_parameters parameters = hand_parameters();
    if (is_loggps)
        return ct_stack_loggps(&somewhere, (const size_t[]){0, 5000, SIZE_MAX}[seed % 3], NULL);
    parameters.mailbox_max_bytes = small[seed % 4];
    parameters.eager_max_bytes = medium[seed % 4];
    parameters.credits = seed / 4 % 3;
    parameters.progress = seed / 12 % 2 ? CT_PROGRESS_IN_CALL : CT_PROGRESS_ASYNC;
    return ct_stack_rdma(&parameters);
}

static void check_equations(bool is_loggps)
{
    static struct known known;
    size_t n_sync = 0;
    for (uint64_t seed = 1; seed <= 72; seed++) {
        struct schedule schedule = schedule_of(seed, 10000);
        const struct ct_stack stack = stack_by(seed, is_loggps);
        const struct ct_simulate_network_setup setup = switch_of(schedule.goal.n_ranks, 1);
        for (int kind = 0; kind < CT_NETWORK_KINDS; kind++) {
            run_alone(&schedule.goal, &stack, (enum ct_simulate_network_kind)kind, &setup, &told);
            compare(seed, &schedule, is_loggps, &known, &n_sync);
        }
        ct_goal_free(&schedule.goal);
    }
    assert_true(n_sync > 1000);
}

static void slow_the_equations_hold_with_rdma(void **state)
{
    (void)state;
    check_equations(false);
}

static void slow_the_equations_hold_with_loggps(void **state)
{
    (void)state;
    check_equations(true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(slow_the_equations_hold_with_rdma),
                                       cmocka_unit_test(slow_the_equations_hold_with_loggps)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
