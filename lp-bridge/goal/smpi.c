#include "lp-bridge/goal/smpi.h"

#include "core/file.h"
#include "core/order.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- what can be said, and the numbers of messages ---- */

static enum ct_status check_op(const struct ct_goal *goal, uint32_t op, uint32_t rank,
                               struct ct_error *err)
{
    const struct ct_goal_op *at = &goal->ops[op];
    const char *why = NULL;
    char text[CT_GOAL_TEXT_MAX];
    if (at->cpu != 0 || at->nic != 0)
        why = "a rank has one CPU and one NIC in SMPI's replay";
    else if (at->kind != CT_GOAL_CALC && at->tag == CT_GOAL_ANY_TAG)
        why = "SMPI's replay needs a tag to wait for a receive";
    else if (at->kind != CT_GOAL_CALC && at->peer == rank)
        why = "SMPI's replay cannot tell a send from a receive between a rank and itself";
    else if (at->kind != CT_GOAL_CALC && at->amount > INT_MAX)
        why = "a message of SMPI's replay has less than 2 GiB";
    if (!why)
        return CT_OK;
    ct_goal_describe(goal, op, text);
    return ct_fail(err, CT_EUNSUPPORTED, "%s: %s", text, why);
}

/* One side of a message. */
struct side {
    uint32_t from, to, op;
    int32_t tag;
};

CT_ORDER(compare_sides, struct side, from, to, tag, op)

struct sides {
    struct side *sends, *recvs;
    size_t n_sends, n_recvs;
};

static enum ct_status collect_sides(const struct ct_goal *goal, struct sides *sides,
                                    struct ct_error *err)
{
    for (uint32_t rank = 0; rank < goal->n_ranks; rank++)
        for (uint64_t i = goal->first_op[rank]; i < goal->first_op[rank + 1]; i++) {
            const struct ct_goal_op *op = &goal->ops[i];
            CT_TRY(check_op(goal, (uint32_t)i, rank, err));
            if (op->kind == CT_GOAL_SEND)
                sides->sends[sides->n_sends++] =
                    (struct side){rank, op->peer, (uint32_t)i, op->tag};
            else if (op->kind == CT_GOAL_RECV)
                sides->recvs[sides->n_recvs++] =
                    (struct side){op->peer, rank, (uint32_t)i, op->tag};
        }
    qsort(sides->sends, sides->n_sends, sizeof *sides->sends, compare_sides);
    qsort(sides->recvs, sides->n_recvs, sizeof *sides->recvs, compare_sides);
    return CT_OK;
}

static enum ct_status fail_alone(const struct ct_goal *goal, const struct side *side, bool is_send,
                                 struct ct_error *err)
{
    char text[CT_GOAL_TEXT_MAX];
    ct_goal_describe(goal, side->op, text);
    return ct_fail(err, CT_EINVAL, "%s: there is no %s for it", text, is_send ? "receive" : "send");
}

static enum ct_status number_sides(const struct ct_goal *goal, const struct sides *sides,
                                   uint32_t *tags, struct ct_error *err)
{
    const size_t n_sends = sides->n_sends, n_recvs = sides->n_recvs;
    const size_t n = n_sends < n_recvs ? n_sends : n_recvs;
    uint32_t number = 0;
    for (size_t i = 0; i < n; i++) {
        const struct side *send = &sides->sends[i], *recv = &sides->recvs[i];
        if (send->from != recv->from || send->to != recv->to || send->tag != recv->tag) {
            bool is_send = compare_sides(send, recv) < 0;
            return fail_alone(goal, is_send ? send : recv, is_send, err);
        }
        bool is_first = i == 0 || send->from != send[-1].from || send->to != send[-1].to;
        number = is_first ? 0 : number + 1;
        tags[send->op] = tags[recv->op] = number;
    }
    if (n_sends > n)
        return fail_alone(goal, &sides->sends[n], true, err);
    return n_recvs > n ? fail_alone(goal, &sides->recvs[n], false, err) : CT_OK;
}

enum ct_status ct_goal_smpi_tags(const struct ct_goal *goal, uint32_t **tags_p,
                                 struct ct_error *err)
{
    size_t n = (size_t)goal->n_ops + 1;
    struct sides sides = {.sends = malloc(n * sizeof *sides.sends),
                          .recvs = malloc(n * sizeof *sides.recvs)};
    uint32_t *tags = calloc(n, sizeof *tags);
    enum ct_status status = sides.sends && sides.recvs && tags
                                ? collect_sides(goal, &sides, err)
                                : ct_no_memory(err, "traces for SMPI");
    if (status == CT_OK)
        status = number_sides(goal, &sides, tags, err);
    free(sides.sends);
    free(sides.recvs);
    if (status == CT_OK)
        *tags_p = tags;
    else
        free(tags);
    return status;
}

/* ---- one rank as a sequence ---- */

enum op_state { OP_REMAINS, OP_RUNS, OP_HAS_ENDED };

/* Dependencies by one of their ends: those of v are items[first[v]] .. items[first[v + 1]]. */
struct index {
    uint32_t *first, *items;
};

struct queue {
    uint32_t *ops, head, end;
};

/* Operations are numbered within the rank. */
struct sequence {
    const struct ct_goal *goal;
    const uint32_t *tags; /* of the rank */
    uint32_t rank, n;
    uint64_t first;                 /* operation of the schedule */
    const struct ct_goal_dep *deps; /* of the rank */
    uint32_t n_deps;
    struct index needs, needed;   /* by the operation that waits, and by what it waits for */
    uint32_t *unmet;              /* [n] */
    uint8_t *state;               /* [n] enum op_state */
    struct queue messages, calcs; /* that can begin */
    FILE *out;
};

static uint32_t end_of(const struct sequence *sequence, uint32_t dep, bool on)
{
    const struct ct_goal_dep *at = &sequence->deps[dep];
    return (uint32_t)((on ? at->on : at->op) - sequence->first);
}

/* @return false: out of memory */
static bool make_index(const struct sequence *sequence, bool on, struct index *index)
{
    index->first = calloc((size_t)sequence->n + 2, sizeof *index->first);
    index->items = malloc(((size_t)sequence->n_deps + 1) * sizeof *index->items);
    if (!index->first || !index->items)
        return false;
    for (uint32_t d = 0; d < sequence->n_deps; d++)
        index->first[end_of(sequence, d, on) + 2]++;
    for (uint32_t v = 2; v < sequence->n + 2; v++)
        index->first[v] += index->first[v - 1];
    for (uint32_t d = 0; d < sequence->n_deps; d++)
        index->items[index->first[end_of(sequence, d, on) + 1]++] = d;
    return true;
}

static const struct ct_goal_op *op_of(const struct sequence *sequence, uint32_t op)
{
    return &sequence->goal->ops[sequence->first + op];
}

static void push_ready(struct sequence *sequence, uint32_t op)
{
    struct queue *queue =
        op_of(sequence, op)->kind == CT_GOAL_CALC ? &sequence->calcs : &sequence->messages;
    queue->ops[queue->end++] = op;
}

/* What waits for the start of an operation, or for its end, waits for one thing less. */
static void release_op(struct sequence *sequence, uint32_t op, bool at_start)
{
    for (uint32_t i = sequence->needed.first[op]; i < sequence->needed.first[op + 1]; i++) {
        uint32_t dep = sequence->needed.items[i], waits = end_of(sequence, dep, false);
        if (sequence->deps[dep].irequires == at_start && --sequence->unmet[waits] == 0)
            push_ready(sequence, waits);
    }
}

static void begin_op(struct sequence *sequence, uint32_t op)
{
    const struct ct_goal_op *at = op_of(sequence, op);
    sequence->state[op] = OP_RUNS;
    if (at->kind == CT_GOAL_CALC)
        fprintf(sequence->out, "%" PRIu32 " compute %" PRIu64 "\n", sequence->rank, at->amount);
    else
        fprintf(sequence->out, "%" PRIu32 " %s %" PRIu32 " %" PRIu32 " %" PRIu64 "\n",
                sequence->rank, at->kind == CT_GOAL_SEND ? "isend" : "irecv", at->peer,
                sequence->tags[op], at->amount);
    release_op(sequence, op, true);
    if (at->kind == CT_GOAL_CALC) {
        sequence->state[op] = OP_HAS_ENDED;
        release_op(sequence, op, false);
    }
}

static void wait_for(struct sequence *sequence, uint32_t op)
{
    const struct ct_goal_op *at = op_of(sequence, op);
    bool is_send = at->kind == CT_GOAL_SEND;
    fprintf(sequence->out, "%" PRIu32 " wait %" PRIu32 " %" PRIu32 " %" PRIu32 "\n", sequence->rank,
            is_send ? sequence->rank : at->peer, is_send ? at->peer : sequence->rank,
            sequence->tags[op]);
    sequence->state[op] = OP_HAS_ENDED;
    release_op(sequence, op, false);
}

/* An operation that this one waits for and that has not begun. @return whether there is one */
static bool find_not_begun(const struct sequence *sequence, uint32_t op, uint32_t *found_p)
{
    for (uint32_t i = sequence->needs.first[op]; i < sequence->needs.first[op + 1]; i++) {
        uint32_t on = end_of(sequence, sequence->needs.items[i], true);
        if (sequence->state[on] == OP_REMAINS) {
            *found_p = on;
            return true;
        }
    }
    return false;
}

/* Wait for all that keeps `op`, or what it needs first, from beginning. */
static enum ct_status wait_before(struct sequence *sequence, uint32_t op, struct ct_error *err)
{
    for (uint32_t depth = 0; find_not_begun(sequence, op, &op); depth++)
        if (depth > sequence->n) {
            char text[CT_GOAL_TEXT_MAX];
            ct_goal_describe(sequence->goal, (uint32_t)(sequence->first + op), text);
            return ct_fail(err, CT_EINVAL, "%s: waits for itself through others", text);
        }
    for (uint32_t i = sequence->needs.first[op]; i < sequence->needs.first[op + 1]; i++) {
        uint32_t on = end_of(sequence, sequence->needs.items[i], true);
        if (sequence->state[on] == OP_RUNS && !sequence->deps[sequence->needs.items[i]].irequires)
            wait_for(sequence, on);
    }
    return CT_OK;
}

static enum ct_status write_sequence(struct sequence *sequence, struct ct_error *err)
{
    uint32_t next = 0;
    enum ct_status status = CT_OK;
    for (uint32_t d = 0; d < sequence->n_deps; d++)
        sequence->unmet[end_of(sequence, d, false)]++;
    for (uint32_t op = 0; op < sequence->n; op++)
        if (sequence->unmet[op] == 0)
            push_ready(sequence, op);
    fprintf(sequence->out, "%" PRIu32 " init\n", sequence->rank);
    while (status == CT_OK) {
        if (sequence->messages.head < sequence->messages.end)
            begin_op(sequence, sequence->messages.ops[sequence->messages.head++]);
        else if (sequence->calcs.head < sequence->calcs.end)
            begin_op(sequence, sequence->calcs.ops[sequence->calcs.head++]);
        else {
            while (next < sequence->n && sequence->state[next] != OP_REMAINS)
                next++;
            if (next == sequence->n)
                break;
            status = wait_before(sequence, next, err);
        }
    }
    for (uint32_t op = 0; op < sequence->n && status == CT_OK; op++)
        if (sequence->state[op] == OP_RUNS)
            wait_for(sequence, op);
    fprintf(sequence->out, "%" PRIu32 " finalize\n", sequence->rank);
    return status;
}

/* The first dependency of operations from `op` on, the first of its rank; they are in the order of
   the ranks. */
static uint64_t first_dep(const struct ct_goal *goal, uint64_t op)
{
    uint64_t low = 0, high = goal->n_deps;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (goal->deps[middle].op < op)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

enum ct_status ct_goal_write_smpi_rank(const struct ct_goal *goal, uint32_t rank,
                                       const uint32_t *tags, FILE *out, struct ct_error *err)
{
    uint64_t first = goal->first_op[rank], end = goal->first_op[rank + 1];
    uint64_t dep = first_dep(goal, first), dep_end = first_dep(goal, end);
    struct sequence sequence = {.goal = goal,
                                .tags = tags + first,
                                .rank = rank,
                                .n = (uint32_t)(end - first),
                                .first = first,
                                .deps = goal->deps + dep,
                                .n_deps = (uint32_t)(dep_end - dep),
                                .out = out};
    size_t n = (size_t)sequence.n + 1;
    sequence.unmet = calloc(n, sizeof *sequence.unmet);
    sequence.state = calloc(n, sizeof *sequence.state);
    sequence.messages.ops = malloc(n * sizeof *sequence.messages.ops);
    sequence.calcs.ops = malloc(n * sizeof *sequence.calcs.ops);
    bool has_room = sequence.unmet && sequence.state && sequence.messages.ops &&
                    sequence.calcs.ops && make_index(&sequence, false, &sequence.needs) &&
                    make_index(&sequence, true, &sequence.needed);
    enum ct_status status =
        has_room ? write_sequence(&sequence, err) : ct_no_memory(err, "traces for SMPI");
    free(sequence.unmet);
    free(sequence.state);
    free(sequence.messages.ops);
    free(sequence.calcs.ops);
    free(sequence.needs.first);
    free(sequence.needs.items);
    free(sequence.needed.first);
    free(sequence.needed.items);
    return status;
}

/* ---- files ---- */

struct one_rank {
    const struct ct_goal *goal;
    const uint32_t *tags;
    uint32_t rank;
};

static enum ct_status write_rank(FILE *out, const void *data, struct ct_error *err)
{
    const struct one_rank *one = data;
    return ct_goal_write_smpi_rank(one->goal, one->rank, one->tags, out, err);
}

struct list {
    const char *directory;
    uint32_t n_ranks;
};

static enum ct_status write_list(FILE *out, const void *data, struct ct_error *err)
{
    const struct list *list = data;
    char full[PATH_MAX];
    if (!realpath(list->directory, full))
        return ct_fail(err, CT_EIO, "%s", strerror(errno));
    for (uint32_t rank = 0; rank < list->n_ranks; rank++)
        fprintf(out, "%s/rank-%" PRIu32 ".txt\n", full, rank);
    return CT_OK;
}

static enum ct_status write_files(const struct ct_goal *goal, const uint32_t *tags,
                                  const char *directory, struct ct_error *err)
{
    char path[PATH_MAX];
    enum ct_status status = CT_OK;
    for (uint32_t rank = 0; rank < goal->n_ranks && status == CT_OK; rank++) {
        const struct one_rank one = {goal, tags, rank};
        if (snprintf(path, sizeof path, "%s/rank-%" PRIu32 ".txt", directory, rank) >=
            (int)sizeof path)
            return ct_fail(err, CT_EINVAL, "%s: too long a name", directory);
        status = ct_file_make(path, write_rank, &one, err);
    }
    const struct list list = {directory, goal->n_ranks};
    snprintf(path, sizeof path, "%s/traces.txt", directory);
    return status == CT_OK ? ct_file_make(path, write_list, &list, err) : status;
}

enum ct_status ct_goal_write_smpi(const struct ct_goal *goal, const char *directory,
                                  struct ct_error *err)
{
    uint32_t *tags;
    CT_TRY(ct_goal_smpi_tags(goal, &tags, err));
    enum ct_status status = CT_OK;
    if (mkdir(directory, 0777) != 0)
        status = ct_fail(err, errno == EEXIST ? CT_EEXIST : CT_EIO, "%s: %s", directory,
                         errno == EEXIST ? "is there already: traces get a folder of their own"
                                         : strerror(errno));
    else {
        status = write_files(goal, tags, directory, err);
        if (status != CT_OK)
            ct_file_remove_folder(directory);
    }
    free(tags);
    return status;
}
