#include "bench/replay/goal_player.h"

#include "bench/replay/memory.h"
#include "bench/replay/pace.h"
#include "bench/replay/payload.h"
#include "bench/replay/ranks.h"
#include "bench/replay/replay.h"
#include "core/array.h"
#include "lp-bridge/graph/graph.h"
#include "lp-bridge/graph/match.h"

#include <stdio.h>
#include <stdlib.h>

enum { CPUS = 256, NONE = UINT32_MAX };

/* An operation of this rank. */
struct op {
    uint64_t amount;
    uint32_t peer, tag; /* MPI's: the number of the message among those of its two ranks */
    uint32_t requires;  /* operations that it waits for */
    uint32_t first_on_end, first_on_start, last; /* in `next`: those that wait for it */
    uint32_t next_ready;                         /* of its CPU */
    uint8_t kind, cpu;
};

struct cpu {
    uint32_t first, last; /* ready operations, in the order in which they became so; or NONE */
    uint32_t calc;        /* that goes on; or NONE */
    double due_ns;        /* of it */
};

/* A message under way. */
struct message {
    uint32_t op;
    bool has_ended; /* for those that wait for it */
    unsigned char *bytes;
    size_t room;
    bool is_spoiled; /* a receive has left other bytes than those of a message */
};

/* Messages under way, and what MPI_Waitsome() fills in. */
struct messages {
    struct message *all; /* [n], beside their requests */
    MPI_Request *requests;
    size_t n, room, room_requests;
    int *indices;
    MPI_Status *statuses;
    size_t room_indices, room_statuses;
};

struct ct_goal_player {
    uint32_t rank, n_ops, n_ended, n_started;
    struct op *ops;
    uint32_t *next;   /* operations that wait for others */
    uint32_t *open;   /* [n_ops] what each still waits for, in this pass */
    double *ready_ns; /* [n_ops] when the last of that happened */
    struct cpu *cpus; /* [n_cpus] */
    uint32_t n_cpus;
    struct messages under_way;
    uint64_t used, available; /* of all messages; of the node's memory for this rank; bytes */
    struct ct_pace pace;
    struct ct_workload_run *run; /* of the pass that is going on */
};

static _Noreturn void give_up(const struct ct_goal_player *player, uint64_t bytes)
{
    fprintf(stderr, "workload: rank %u: no memory for %llu bytes\n", player->rank,
            (unsigned long long)bytes);
    MPI_Abort(MPI_COMM_WORLD, 1);
    abort();
}

/* ---- reading ---- */

/* What has no counterpart, or waits for itself, is no schedule that can end. */
static enum ct_status check_goal(const struct ct_goal *goal, struct ct_error *err)
{
    const struct ct_graph_options options = {.eager_max_bytes = CT_GOAL_EAGER_BYTES};
    struct ct_graph graph;
    CT_TRY(ct_graph_build(goal, &options, &graph, err));
    ct_graph_free(&graph);
    return CT_OK;
}

/* The number of each message of this rank among those of its two ranks, in the order of the sender.
 */
static enum ct_status number_messages(const struct ct_goal *goal, const uint32_t *partner,
                                      uint32_t rank, uint32_t *tags, struct ct_error *err)
{
    uint32_t *n_to = calloc(goal->n_ranks, sizeof *n_to);
    uint32_t *n_from = calloc(goal->n_ranks, sizeof *n_from);
    enum ct_status status = n_to && n_from ? CT_OK : ct_no_memory(err, "schedule");
    for (uint32_t from = 0; from < goal->n_ranks && status == CT_OK; from++) {
        for (uint64_t i = goal->first_op[from]; i < goal->first_op[from + 1]; i++) {
            const struct ct_goal_op *op = &goal->ops[i];
            if (op->kind != CT_GOAL_SEND)
                continue;
            if (from == rank)
                tags[i] = n_to[op->peer]++;
            else if (op->peer == rank)
                tags[i] = n_from[from]++;
        }
    }
    for (uint64_t i = goal->first_op[rank]; i < goal->first_op[rank + 1] && status == CT_OK; i++)
        if (goal->ops[i].kind == CT_GOAL_RECV)
            tags[i] = tags[partner[i]];
    free(n_to);
    free(n_from);
    return status;
}

static enum ct_status check_message(const struct ct_goal *goal, uint32_t i, uint32_t tag,
                                    struct ct_error *err)
{
    char text[CT_GOAL_TEXT_MAX];
    int *tag_max, found;
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &tag_max, &found);
    if (goal->ops[i].amount <= INT32_MAX && (!found || tag <= (uint32_t)*tag_max))
        return CT_OK;
    ct_goal_describe(goal, i, text);
    return ct_fail(err, CT_EUNSUPPORTED,
                   "%s: a replay takes messages of at most %d bytes, %d of "
                   "each pair of ranks",
                   text, INT32_MAX, found ? *tag_max : INT32_MAX);
}

static enum ct_status copy_ops(const struct ct_goal *goal, const uint32_t *tags,
                               struct ct_goal_player *player, struct ct_error *err)
{
    uint32_t base = (uint32_t)goal->first_op[player->rank];
    for (uint32_t i = 0; i < player->n_ops; i++) {
        const struct ct_goal_op *op = &goal->ops[base + i];
        player->ops[i] = (struct op){.amount = op->amount,
                                     .peer = op->peer,
                                     .tag = tags[base + i],
                                     .kind = op->kind,
                                     .cpu = op->cpu};
        if (op->cpu >= player->n_cpus)
            player->n_cpus = op->cpu + 1U;
        if (op->kind != CT_GOAL_CALC)
            CT_TRY(check_message(goal, base + i, tags[base + i], err));
    }
    return CT_OK;
}

/* Lists of those that wait, by what they wait for: for its end, then for its start. */
static void copy_deps(const struct ct_goal *goal, struct ct_goal_player *player)
{
    uint32_t base = (uint32_t)goal->first_op[player->rank], at = 0;
    struct op *ops = player->ops;
    for (uint64_t d = 0; d < goal->n_deps; d++) {
        uint32_t on = goal->deps[d].on - base, op = goal->deps[d].op - base;
        if (goal->deps[d].on < base || on >= player->n_ops)
            continue;
        ops[op].requires ++;
        ops[on].first_on_start += !goal->deps[d].irequires;
        ops[on].last++;
    }
    for (uint32_t i = 0; i < player->n_ops; i++) {
        uint32_t n_on_end = ops[i].first_on_start, n = ops[i].last;
        ops[i].first_on_end = ops[i].last = at; /* last: filled below */
        ops[i].first_on_start = at + n_on_end;
        at += n;
    }
    for (int starts = 0; starts < 2; starts++) {
        for (uint64_t d = 0; d < goal->n_deps; d++) {
            uint32_t on = goal->deps[d].on - base, op = goal->deps[d].op - base;
            if (goal->deps[d].on >= base && on < player->n_ops && goal->deps[d].irequires == starts)
                player->next[ops[on].last++] = op;
        }
    }
}

static enum ct_status take_part(const struct ct_goal *goal, const uint32_t *tags,
                                struct ct_goal_player *player, struct ct_error *err)
{
    size_t n_deps = 0;
    uint32_t rank = player->rank;
    player->n_ops = (uint32_t)(goal->first_op[rank + 1] - goal->first_op[rank]);
    for (uint64_t d = 0; d < goal->n_deps; d++)
        n_deps +=
            goal->deps[d].on >= goal->first_op[rank] && goal->deps[d].on < goal->first_op[rank + 1];
    player->ops = calloc((size_t)player->n_ops + 1, sizeof *player->ops);
    player->open = calloc((size_t)player->n_ops + 1, sizeof *player->open);
    player->ready_ns = calloc((size_t)player->n_ops + 1, sizeof *player->ready_ns);
    player->next = calloc(n_deps + 1, sizeof *player->next);
    player->cpus = calloc(CPUS, sizeof *player->cpus);
    if (!player->ops || !player->open || !player->ready_ns || !player->next || !player->cpus)
        return ct_no_memory(err, "schedule");
    player->n_cpus = 1;
    CT_TRY(copy_ops(goal, tags, player, err));
    copy_deps(goal, player);
    return CT_OK;
}

static enum ct_status use_goal(const struct ct_goal *goal, struct ct_goal_player *player,
                               struct ct_error *err)
{
    uint32_t *partner = NULL, *tags = calloc((size_t)goal->n_ops + 1, sizeof *tags);
    enum ct_status status = tags ? check_goal(goal, err) : ct_no_memory(err, "schedule");
    if (status == CT_OK)
        status = ct_match(goal, &partner, err);
    if (status == CT_OK)
        status = number_messages(goal, partner, player->rank, tags, err);
    if (status == CT_OK)
        status = take_part(goal, tags, player, err);
    free(partner);
    free(tags);
    return status;
}

/* Messages that are under way at once in any case: the largest one, and those that nothing comes
 * before. */
static uint64_t least_memory(const struct ct_goal_player *player)
{
    bool computes[CPUS] = {false};
    uint64_t largest = 0, first = 0;
    for (uint32_t i = 0; i < player->n_ops; i++)
        if (player->ops[i].kind == CT_GOAL_CALC && player->ops[i].requires == 0)
            computes[player->ops[i].cpu] = true;
    for (uint32_t i = 0; i < player->n_ops; i++) {
        const struct op *op = &player->ops[i];
        if (op->kind == CT_GOAL_CALC)
            continue;
        largest = op->amount > largest ? op->amount : largest;
        first += op->requires == 0 && !computes[op->cpu] ? op->amount : 0;
    }
    return largest > first ? largest : first;
}

static enum ct_status check_memory(struct ct_goal_player *player, const char *path, MPI_Comm comm,
                                   struct ct_error *err)
{
    uint64_t bytes = err ? least_memory(player) : 0; /* else the schedule is not there */
    struct ct_node_memory node = ct_node_memory(comm, bytes);
    player->available = node.available / node.ranks;
    if (node.asked <= node.available)
        return CT_OK;
    return ct_fail(err, CT_ENOMEM,
                   "%s: rank %u has messages of %llu bytes under way at once, and the ranks of "
                   "its node together of %llu; the node has %llu",
                   path, player->rank, (unsigned long long)bytes, (unsigned long long)node.asked,
                   (unsigned long long)node.available);
}

enum ct_status ct_goal_player_open(const char *path, const struct ct_workload_run *run,
                                   struct ct_goal_player **player_p, struct ct_error *err)
{
    struct ct_goal goal;
    struct ct_goal_player none = {.rank = (uint32_t)run->rank}, *player = calloc(1, sizeof *player);
    if (!player)
        give_up(&none, sizeof *player); /* the others wait */
    player->rank = (uint32_t)run->rank;
    player->pace = (struct ct_pace){.scale = run->replay->compute_scale, .spin = run->spin};
    enum ct_status status = ct_goal_read(path, &goal, err);
    if (status == CT_OK) {
        status = ct_replay_check_ranks("--goal", path, goal.n_ranks, run, err);
        if (status == CT_OK && (status = use_goal(&goal, player, err)) != CT_OK)
            ct_fail_within(err, status, "%s", path);
        ct_goal_free(&goal);
    }
    enum ct_status memory = check_memory(player, path, run->comm, status == CT_OK ? err : NULL);
    if (status == CT_OK)
        status = memory;
    if (status == CT_OK)
        *player_p = player;
    else
        ct_goal_player_free(player);
    return status;
}

void ct_goal_player_free(struct ct_goal_player *player)
{
    if (!player)
        return;
    for (size_t i = 0; i < player->under_way.room; i++)
        free(player->under_way.all[i].bytes);
    free(player->under_way.all);
    free(player->under_way.requests);
    free(player->under_way.indices);
    free(player->under_way.statuses);
    free(player->ops);
    free(player->next);
    free(player->open);
    free(player->ready_ns);
    free(player->cpus);
    free(player);
}

/* ---- what becomes ready ---- */

static void make_ready(struct ct_goal_player *player, uint32_t op)
{
    struct cpu *cpu = &player->cpus[player->ops[op].cpu];
    player->ops[op].next_ready = NONE;
    if (cpu->last == NONE)
        cpu->first = op;
    else
        player->ops[cpu->last].next_ready = op;
    cpu->last = op;
}

static void tell_delay(struct ct_goal_player *player, uint32_t from, uint32_t to, double now_ns)
{
    for (uint32_t i = from; i < to; i++) {
        uint32_t op = player->next[i];
        if (now_ns > player->ready_ns[op])
            player->ready_ns[op] = now_ns;
        if (--player->open[op] == 0)
            make_ready(player, op);
    }
}

static void has_started(struct ct_goal_player *player, uint32_t op, double now_ns)
{
    tell_delay(player, player->ops[op].first_on_start, player->ops[op].last, now_ns);
}

static void has_ended(struct ct_goal_player *player, uint32_t op, double now_ns)
{
    player->n_ended++;
    tell_delay(player, player->ops[op].first_on_end, player->ops[op].first_on_start, now_ns);
}

/* ---- messages ---- */

static _Noreturn void too_much(const struct ct_goal_player *player)
{
    fprintf(stderr,
            "workload: --goal %s: the messages under way together at rank %u take %llu bytes; of "
            "the memory of its node it may have %llu\n",
            player->run->replay->goal, player->rank, (unsigned long long)player->used,
            (unsigned long long)player->available);
    MPI_Abort(MPI_COMM_WORLD, 1);
    abort();
}

/* The last of the list of messages, with room for so many bytes. Room of messages that were is used
 * again. */
static struct message *add_message(struct ct_goal_player *player, uint64_t bytes)
{
    size_t before = player->under_way.room, n = player->under_way.n;
    if (!CT_ARRAY_RESERVE(player->under_way.all, player->under_way.room, n + 1) ||
        !CT_ARRAY_RESERVE(player->under_way.requests, player->under_way.room_requests, n + 1) ||
        !CT_ARRAY_RESERVE(player->under_way.indices, player->under_way.room_indices, n + 1) ||
        !CT_ARRAY_RESERVE(player->under_way.statuses, player->under_way.room_statuses, n + 1))
        give_up(player, bytes);
    for (; before < player->under_way.room; before++)
        player->under_way.all[before] = (struct message){0};
    struct message *message = &player->under_way.all[n];
    if (message->room < bytes || !message->bytes) {
        free(message->bytes);
        player->used += bytes - message->room;
        if (player->used > player->available)
            too_much(player);
        message->bytes = malloc((size_t)bytes + 1);
        message->room = (size_t)bytes;
        if (!message->bytes)
            give_up(player, bytes);
        message->is_spoiled = true;
    }
    if (message->is_spoiled)
        ct_payload_fill(0, message->bytes, message->room);
    message->is_spoiled = false;
    message->has_ended = false;
    player->under_way.n++;
    return message;
}

static uint64_t stamp_of(const struct ct_goal_player *player, uint32_t from, uint32_t to,
                         const struct op *op, uint64_t bytes)
{
    return ct_payload_stamp(from, to, op->tag, bytes, player->run->iteration);
}

static bool looks_at_all(const struct ct_goal_player *player)
{
    return player->run->max_checks == SIZE_MAX;
}

static void start_message(struct ct_goal_player *player, uint32_t i)
{
    struct op *op = &player->ops[i];
    struct message *message = add_message(player, op->amount);
    MPI_Request *request = &player->under_way.requests[player->under_way.n - 1];
    bool sends = op->kind == CT_GOAL_SEND;
    int n = (int)op->amount, peer = (int)op->peer, tag = (int)op->tag;
    message->op = i;
    if (sends)
        ct_payload_put_stamp(stamp_of(player, player->rank, op->peer, op, op->amount),
                             message->bytes, (size_t)op->amount);
    else
        ct_payload_spoil(message->bytes, (size_t)op->amount, looks_at_all(player));
    if (sends)
        ct_workload_sent(player->run, peer, op->amount);
    ct_workload_mpi_begin(player->run);
    if (sends)
        MPI_Isend(message->bytes, n, MPI_BYTE, peer, tag, player->run->comm, request);
    else
        MPI_Irecv(message->bytes, n, MPI_BYTE, peer, tag, player->run->comm, request);
    ct_workload_mpi_end(player->run);
    double now_ns = (double)ct_clock_now_ns();
    player->n_started++;
    has_started(player, i, now_ns);
    if (sends && op->amount <= CT_GOAL_EAGER_BYTES) {
        message->has_ended = true;
        has_ended(player, i, now_ns);
    }
}

static void check_received(struct ct_goal_player *player, struct message *message,
                           const MPI_Status *status)
{
    const struct op *op = &player->ops[message->op];
    int count = 0;
    size_t at = 0;
    MPI_Get_count(status, MPI_BYTE, &count);
    message->is_spoiled = (uint64_t)count < op->amount;
    const struct ct_payload payload = {
        .has_stamp = true, .stamp = stamp_of(player, op->peer, player->rank, op, (uint64_t)count)};
    enum { SAMPLED_CHECKS = 4 };
    if (count == 0 || player->run->status != CT_OK ||
        ct_payload_check(&payload, 0, message->bytes, (size_t)count,
                         looks_at_all(player) ? SIZE_MAX : SAMPLED_CHECKS, &at))
        return;
    player->run->status = ct_fail(
        &player->run->error, CT_EIO,
        "rank %u, operation %u of pass %llu: byte %zu of %d from rank %u is not what was sent: the "
        "network or the MPI library changed or lost data",
        player->rank, message->op + 1, (unsigned long long)player->run->iteration, at, count,
        op->peer);
}

static void end_messages(struct ct_goal_player *player, int n)
{
    double now_ns = (double)ct_clock_now_ns();
    for (int k = 0; k < n; k++) {
        struct message *message = &player->under_way.all[player->under_way.indices[k]];
        if (player->ops[message->op].kind == CT_GOAL_RECV)
            check_received(player, message, &player->under_way.statuses[k]);
        if (!message->has_ended)
            has_ended(player, message->op, now_ns);
    }
    /* The rest moves up; its room moves with the messages. */
    size_t kept = 0;
    for (size_t i = 0; i < player->under_way.n; i++) {
        if (player->under_way.requests[i] == MPI_REQUEST_NULL)
            continue;
        if (kept != i) {
            struct message moved = player->under_way.all[i];
            player->under_way.all[i] = player->under_way.all[kept];
            player->under_way.all[kept] = moved;
            player->under_way.requests[kept] = player->under_way.requests[i];
        }
        kept++;
    }
    player->under_way.n = kept;
}

/* Messages that have come or gone; waits for one, if asked to. */
static void look_for_messages(struct ct_goal_player *player, bool wait)
{
    int n = 0;
    if (player->under_way.n == 0)
        return;
    ct_workload_mpi_begin(player->run);
    if (wait)
        MPI_Waitsome((int)player->under_way.n, player->under_way.requests, &n,
                     player->under_way.indices, player->under_way.statuses);
    else
        MPI_Testsome((int)player->under_way.n, player->under_way.requests, &n,
                     player->under_way.indices, player->under_way.statuses);
    ct_workload_mpi_end(player->run);
    if (n > 0)
        end_messages(player, n);
}

/* ---- the loop ---- */

static void start_calc(struct ct_goal_player *player, struct cpu *cpu, uint32_t i)
{
    /* From when it could start, not from when that was seen: what is late does not add up. */
    double from_ns = player->ready_ns[i] > cpu->due_ns ? player->ready_ns[i] : cpu->due_ns;
    player->n_started++;
    cpu->calc = i;
    cpu->due_ns = from_ns + player->pace.scale * (double)player->ops[i].amount;
    has_started(player, i, from_ns);
}

/* Whatever is ready, on every CPU that is free. */
static bool start_ready(struct ct_goal_player *player)
{
    bool started = false;
    for (uint32_t c = 0; c < player->n_cpus; c++) {
        struct cpu *cpu = &player->cpus[c];
        while (cpu->calc == NONE && cpu->first != NONE) {
            uint32_t i = cpu->first;
            cpu->first = player->ops[i].next_ready;
            if (cpu->first == NONE)
                cpu->last = NONE;
            if (player->ops[i].kind == CT_GOAL_CALC)
                start_calc(player, cpu, i);
            else
                start_message(player, i);
            started = true;
        }
    }
    return started;
}

static struct cpu *first_due(struct ct_goal_player *player)
{
    struct cpu *first = NULL;
    for (uint32_t c = 0; c < player->n_cpus; c++)
        if (player->cpus[c].calc != NONE && (!first || player->cpus[c].due_ns < first->due_ns))
            first = &player->cpus[c];
    return first;
}

static void wait_for_calc(struct ct_goal_player *player, struct cpu *cpu)
{
    uint64_t now_ns = ct_clock_now_ns();
    /* With other CPUs, a message may come that one of them waits for. */
    bool looks = player->n_cpus > 1 && player->under_way.n > 0;
    if ((double)now_ns < cpu->due_ns) {
        if (looks)
            look_for_messages(player, false);
        else
            ct_pace_until(&player->pace, cpu->due_ns);
        return;
    }
    uint32_t i = cpu->calc;
    cpu->calc = NONE;
    has_ended(player, i, cpu->due_ns);
}

void ct_goal_player_run(struct ct_goal_player *player, struct ct_workload_run *run)
{
    double now_ns = (double)ct_clock_now_ns();
    player->run = run;
    player->n_ended = player->n_started = 0;
    for (uint32_t c = 0; c < player->n_cpus; c++)
        player->cpus[c] = (struct cpu){.first = NONE, .last = NONE, .calc = NONE, .due_ns = now_ns};
    for (uint32_t i = 0; i < player->n_ops; i++) {
        player->open[i] = player->ops[i].requires;
        player->ready_ns[i] = now_ns;
        if (player->open[i] == 0)
            make_ready(player, i);
    }
    while (player->n_ended < player->n_ops) {
        if (start_ready(player))
            continue;
        struct cpu *cpu = first_due(player);
        if (cpu)
            wait_for_calc(player, cpu);
        else
            look_for_messages(player, true);
    }
    while (player->under_way.n > 0)
        look_for_messages(player, true);
}
