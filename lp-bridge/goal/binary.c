/* LogGOPSim's binary schedules; goal.h has their layout. */
#include "core/endian.h"
#include "lp-bridge/goal/goal.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { COOKIE = 4223, HEAD_BYTES = 14, RANK_BYTES = 16, OP_BYTES = 39 };
static const uint8_t kind_codes[CT_GOAL_N_KINDS] = {
    [CT_GOAL_SEND] = 1, [CT_GOAL_RECV] = 2, [CT_GOAL_CALC] = 3};

bool ct_goal_is_binary(const unsigned char *bytes, size_t size)
{
    return size >= 8 && ct_endian_load(bytes, 8) == COOKIE;
}

/* ---- reading ---- */

struct part {
    const unsigned char *ops;  /* n_ops of OP_BYTES */
    const unsigned char *list; /* n_list numbers */
    uint32_t rank;
    uint64_t n_ops, n_list;
    uint32_t *waits; /* n_ops; dependencies of each, as found in the list */
    struct ct_goal_builder *builder;
    const char *name;
    struct ct_error *err;
};

static enum ct_status fail_damaged(const struct part *part, const char *what)
{
    return ct_fail(part->err, CT_EFORMAT, "%s: rank %" PRIu32 ": %s", part->name, part->rank, what);
}

static enum ct_status read_op(const struct part *part, const unsigned char *from)
{
    struct ct_goal_op op = {.peer = ct_endian_load_u32(from + 5),
                            .amount = ct_endian_load(from + 9, 8),
                            .cpu = from[21],
                            .nic = from[22]};
    uint32_t tag = ct_endian_load_u32(from + 17);
    int kind = 0;
    while (kind < CT_GOAL_N_KINDS && kind_codes[kind] != from[4])
        kind++;
    if (kind == CT_GOAL_N_KINDS)
        return fail_damaged(part,
                            "an operation of a kind that there is not: the file is damaged, or in "
                            "LogGOPSim2's binary form, which is another one; its text is read");
    op.kind = (uint8_t)kind;
    if (kind == CT_GOAL_CALC)
        op.peer = 0, op.nic = 0, tag = 0;
    if (kind == CT_GOAL_RECV && op.peer == UINT32_MAX)
        return fail_damaged(part, "a receive from any source: give the source that it had");
    if (kind == CT_GOAL_SEND && tag == UINT32_MAX)
        return fail_damaged(part, "a send with the tag 4294967295, which is any tag of a receive");
    op.tag = tag == UINT32_MAX ? CT_GOAL_ANY_TAG : ct_goal_make_tag(part->builder, tag);
    ct_goal_add(part->builder, op);
    return CT_OK;
}

static enum ct_status read_waiting(const struct part *part, uint32_t on, const unsigned char *from,
                                   enum ct_goal_wait wait)
{
    uint64_t n = ct_endian_load_u32(from), first = ct_endian_load_u32(from + 4);
    if (n == 0)
        return CT_OK;
    if (first > part->n_list || n > part->n_list - first)
        return fail_damaged(part, "dependencies beyond the end");
    for (uint64_t i = 0; i < n; i++) {
        uint32_t op = ct_endian_load_u32(part->list + 4 * (first + i));
        if (op >= part->n_ops || op == on)
            return fail_damaged(part,
                                "a dependency on an operation that there is not, or on itself");
        part->waits[op]++;
        ct_goal_require(part->builder, op, on, wait);
    }
    return CT_OK;
}

/* No more dependencies than numbers in the list: lists that overlap would be read without end. */
static enum ct_status read_dependencies(const struct part *part)
{
    enum ct_status status = CT_OK;
    uint64_t n_waiting = 0;
    for (uint64_t i = 0; i < part->n_ops && status == CT_OK; i++) {
        const unsigned char *op = part->ops + OP_BYTES * i;
        n_waiting += (uint64_t)ct_endian_load_u32(op + 23) + ct_endian_load_u32(op + 31);
        if (n_waiting > part->n_list)
            status = fail_damaged(part, "dependencies beyond the end");
        if (status == CT_OK)
            status = read_waiting(part, (uint32_t)i, op + 23, CT_GOAL_FINISH);
        if (status == CT_OK)
            status = read_waiting(part, (uint32_t)i, op + 31, CT_GOAL_START);
    }
    return status;
}

/* The simulator starts an operation by its count: it would run another schedule than the list's. */
static enum ct_status check_waits(const struct part *part)
{
    for (uint64_t i = 0; i < part->n_ops; i++) {
        uint32_t counted = ct_endian_load_u32(part->ops + OP_BYTES * i);
        if (counted != part->waits[i])
            return ct_fail(part->err, CT_EFORMAT,
                           "%s: rank %" PRIu32 ", operation %" PRIu64 ": %" PRIu32
                           " dependencies counted, %" PRIu32 " listed",
                           part->name, part->rank, i + 1, counted, part->waits[i]);
    }
    return CT_OK;
}

static enum ct_status read_part(struct part *part, const unsigned char *from, uint64_t size)
{
    if (size < 8)
        return fail_damaged(part, "its part is cut");
    part->n_ops = ct_endian_load_u32(from);
    uint64_t n_independent = ct_endian_load_u32(from + 4);
    uint64_t ops_at = 8 + 4 * n_independent, list_at = ops_at + OP_BYTES * part->n_ops;
    if (list_at > size)
        return fail_damaged(part, "its part is cut");
    part->ops = from + ops_at;
    part->list = from + list_at;
    part->n_list = (size - list_at) / 4;
    part->waits = calloc(part->n_ops + 1, sizeof *part->waits);
    if (!part->waits)
        return ct_no_memory(part->err, "%s", part->name);
    ct_goal_begin_rank(part->builder, part->rank);
    enum ct_status status = CT_OK;
    for (uint64_t i = 0; i < part->n_ops && status == CT_OK; i++)
        status = read_op(part, part->ops + OP_BYTES * i);
    if (status == CT_OK)
        status = read_dependencies(part);
    if (status == CT_OK)
        status = check_waits(part);
    free(part->waits);
    return status;
}

/* ---- marks, behind the parts ---- */

static const char marks_magic[] = "CTWAITS1";
enum { MARKS_HEAD_BYTES = 16, MARK_BYTES = 21 };

/* @param at  [in] behind the last part */
static enum ct_status read_marks(const unsigned char *bytes, size_t size, uint64_t at,
                                 struct ct_goal_builder *builder, const char *name,
                                 struct ct_error *err)
{
    if (size - at < MARKS_HEAD_BYTES || memcmp(bytes + at, marks_magic, 8) != 0)
        return CT_OK;
    uint64_t n = ct_endian_load(bytes + at + 8, 8);
    if (n > (size - at - MARKS_HEAD_BYTES) / MARK_BYTES)
        return ct_fail(err, CT_EFORMAT, "%s: its marks of waits are cut", name);
    ct_goal_begin_marks(builder);
    for (uint64_t i = 0; i < n; i++) {
        const unsigned char *from = bytes + at + MARKS_HEAD_BYTES + MARK_BYTES * i;
        ct_goal_add_mark(builder, (struct ct_goal_mark){.rank = ct_endian_load_u32(from),
                                                        .op = ct_endian_load_u32(from + 4),
                                                        .on = ct_endian_load_u32(from + 8),
                                                        .flags = from[12],
                                                        .away_ns = ct_endian_load(from + 13, 8)});
    }
    return CT_OK;
}

static enum ct_status read_parts(const unsigned char *bytes, size_t size, struct part *part,
                                 uint32_t n_ranks)
{
    uint64_t from_cookie = size - 8, behind = HEAD_BYTES + (uint64_t)RANK_BYTES * n_ranks;
    uint64_t room = size - HEAD_BYTES - (uint64_t)RANK_BYTES * n_ranks;
    for (part->rank = 0; part->rank < n_ranks; part->rank++) {
        const unsigned char *entry = bytes + HEAD_BYTES + (size_t)RANK_BYTES * part->rank;
        uint64_t begin = ct_endian_load(entry, 8), end = ct_endian_load(entry + 8, 8);
        if (begin > end || end > from_cookie)
            return fail_damaged(part, "its part is beyond the end of the file");
        /* Else a small file, with one part for many ranks, could be a huge schedule. */
        if (end - begin > room)
            return fail_damaged(part, "its part overlaps others");
        room -= end - begin;
        behind = 8 + end > behind ? 8 + end : behind;
        enum ct_status status = read_part(part, bytes + 8 + begin, end - begin);
        if (status != CT_OK)
            return status;
    }
    return read_marks(bytes, size, behind, part->builder, part->name, part->err);
}

enum ct_status ct_goal_read_binary(const unsigned char *bytes, size_t size, const char *name,
                                   struct ct_goal *goal_p, struct ct_error *err)
{
    if (!ct_goal_is_binary(bytes, size) || size < HEAD_BYTES)
        return ct_fail(err, CT_EFORMAT, "%s: not a binary schedule of LogGOPSim", name);
    uint32_t n_ranks = ct_endian_load_u32(bytes + 8);
    if (n_ranks < 1 || n_ranks > CT_GOAL_RANKS_MAX ||
        (uint64_t)n_ranks * RANK_BYTES > size - HEAD_BYTES)
        return ct_fail(err, CT_EFORMAT, "%s: %" PRIu32 " ranks, in %zu bytes", name, n_ranks, size);
    struct part part = {.builder = ct_goal_builder_new(n_ranks), .name = name, .err = err};
    if (!part.builder)
        return ct_no_memory(err, "%s", name);
    enum ct_status status = read_parts(bytes, size, &part, n_ranks);
    if (status != CT_OK) {
        ct_goal_builder_free(part.builder);
        return status;
    }
    status = ct_goal_build(part.builder, goal_p, err);
    return status == CT_OK ? CT_OK : ct_fail_within(err, status, "%s", name);
}

/* ---- writing ---- */

struct writer {
    FILE *out;
    const struct ct_goal *goal;
    uint64_t next_dep; /* the first of the rank */
    uint32_t *counts;  /* for each operation of the rank: waits for, waiting for end, for start */
    uint32_t *firsts;  /* index in the list of those waiting, twice for each */
    uint32_t *list;
};

static void put_number(FILE *out, uint64_t value, size_t n_bytes)
{
    /* Locking the file for every byte would be most of the work. */
    for (size_t i = 0; i < n_bytes; i++)
        putc_unlocked((int)(value >> 8 * i & 0xff), out);
}

enum { WAITS, END_WAITED, START_WAITED, N_COUNTS };

static uint64_t deps_of_rank(const struct ct_goal *goal, uint32_t rank, uint64_t first)
{
    uint64_t n = 0;
    while (first + n < goal->n_deps && goal->deps[first + n].op < goal->first_op[rank + 1])
        n++;
    return n;
}

/* Sorts the rank's dependencies by what is waited for. */
static void sort_deps(struct writer *writer, uint64_t first_op, uint64_t n_ops, uint64_t n_deps)
{
    const struct ct_goal_dep *deps = writer->goal->deps + writer->next_dep;
    memset(writer->counts, 0, N_COUNTS * n_ops * sizeof *writer->counts);
    for (uint64_t d = 0; d < n_deps; d++) {
        writer->counts[N_COUNTS * (deps[d].op - first_op) + WAITS]++;
        writer->counts[N_COUNTS * (deps[d].on - first_op) +
                       (deps[d].irequires ? START_WAITED : END_WAITED)]++;
    }
    uint32_t next = 0;
    for (uint64_t i = 0; i < n_ops; i++)
        for (size_t k = 0; k < 2; k++) {
            writer->firsts[2 * i + k] = next;
            next += writer->counts[N_COUNTS * i + END_WAITED + k];
        }
    for (uint64_t d = 0; d < n_deps; d++)
        writer->list[writer->firsts[2 * (deps[d].on - first_op) + deps[d].irequires]++] =
            (uint32_t)(deps[d].op - first_op);
    for (uint64_t i = 0; i < n_ops; i++)
        for (size_t k = 0; k < 2; k++)
            writer->firsts[2 * i + k] -= writer->counts[N_COUNTS * i + END_WAITED + k];
}

static void put_op(struct writer *writer, const struct ct_goal_op *op, uint64_t i)
{
    const uint32_t *counts = writer->counts + N_COUNTS * i;
    put_number(writer->out, counts[WAITS], 4);
    put_number(writer->out, kind_codes[op->kind], 1);
    put_number(writer->out, op->peer, 4);
    put_number(writer->out, op->amount, 8);
    put_number(writer->out, (uint32_t)op->tag, 4);
    put_number(writer->out, op->cpu, 1);
    put_number(writer->out, op->nic, 1);
    for (size_t k = 0; k < 2; k++) {
        put_number(writer->out, counts[END_WAITED + k], 4);
        put_number(writer->out, writer->firsts[2 * i + k], 4);
    }
}

static void put_part(struct writer *writer, uint32_t rank)
{
    const struct ct_goal *goal = writer->goal;
    uint64_t first = goal->first_op[rank], n_ops = goal->first_op[rank + 1] - first;
    uint64_t n_deps = deps_of_rank(goal, rank, writer->next_dep), n_independent = 0;
    sort_deps(writer, first, n_ops, n_deps);
    for (uint64_t i = 0; i < n_ops; i++)
        n_independent += writer->counts[N_COUNTS * i + WAITS] == 0;
    put_number(writer->out, n_ops, 4);
    put_number(writer->out, n_independent, 4);
    for (uint64_t i = 0; i < n_ops; i++)
        if (writer->counts[N_COUNTS * i + WAITS] == 0)
            put_number(writer->out, i, 4);
    for (uint64_t i = 0; i < n_ops; i++)
        put_op(writer, &goal->ops[first + i], i);
    for (uint64_t d = 0; d < n_deps; d++)
        put_number(writer->out, writer->list[d], 4);
    writer->next_dep += n_deps;
}

static void put_marks(const struct ct_goal *goal, FILE *out)
{
    fwrite(marks_magic, 1, sizeof marks_magic - 1, out);
    put_number(out, goal->n_marks, 8);
    for (uint64_t i = 0; i < goal->n_marks; i++) {
        const struct ct_goal_mark *mark = &goal->marks[i];
        uint64_t first = goal->first_op[mark->rank];
        put_number(out, mark->rank, 4);
        put_number(out, mark->op - first, 4);
        put_number(out, mark->on - first, 4);
        put_number(out, mark->flags, 1);
        put_number(out, mark->away_ns, 8);
    }
}

static void put_head(const struct ct_goal *goal, FILE *out)
{
    uint8_t cpu = 0, nic = 0;
    for (uint64_t i = 0; i < goal->n_ops; i++) {
        cpu = goal->ops[i].cpu > cpu ? goal->ops[i].cpu : cpu;
        nic = goal->ops[i].nic > nic ? goal->ops[i].nic : nic;
    }
    put_number(out, COOKIE, 8);
    put_number(out, goal->n_ranks, 4);
    put_number(out, cpu, 1);
    put_number(out, nic, 1);
}

/* Where each rank's part begins: their sizes follow from the numbers of things in them. */
static void put_offsets(struct writer *writer, uint8_t *waits)
{
    const struct ct_goal *goal = writer->goal;
    uint64_t begin = HEAD_BYTES - 8 + (uint64_t)RANK_BYTES * goal->n_ranks, dep = 0;
    for (uint64_t d = 0; d < goal->n_deps; d++)
        waits[goal->deps[d].op] = 1;
    for (uint32_t rank = 0; rank < goal->n_ranks; rank++) {
        uint64_t n_ops = goal->first_op[rank + 1] - goal->first_op[rank], n_independent = 0;
        uint64_t n_deps = deps_of_rank(goal, rank, dep);
        for (uint64_t op = goal->first_op[rank]; op < goal->first_op[rank + 1]; op++)
            n_independent += !waits[op];
        uint64_t end = begin + 8 + 4 * n_independent + OP_BYTES * n_ops + 4 * n_deps;
        put_number(writer->out, begin, 8);
        put_number(writer->out, end, 8);
        begin = end;
        dep += n_deps;
    }
}

enum ct_status ct_goal_write_binary(const struct ct_goal *goal, FILE *out, struct ct_error *err)
{
    struct writer writer = {.out = out, .goal = goal};
    uint8_t *waits = calloc(goal->n_ops + 1, sizeof *waits);
    writer.counts = malloc((N_COUNTS * goal->n_ops + 1) * sizeof *writer.counts);
    writer.firsts = malloc((2 * goal->n_ops + 1) * sizeof *writer.firsts);
    writer.list = malloc((goal->n_deps + 1) * sizeof *writer.list);
    enum ct_status status = CT_OK;
    if (!waits || !writer.counts || !writer.firsts || !writer.list) {
        status = ct_no_memory(err, "schedule");
    } else {
        put_head(goal, out);
        put_offsets(&writer, waits);
        for (uint32_t rank = 0; rank < goal->n_ranks; rank++)
            put_part(&writer, rank);
        if (goal->marks)
            put_marks(goal, out);
        if (fflush(out) != 0 || ferror(out))
            status = ct_fail(err, CT_EIO, "schedule: %s", strerror(errno));
    }
    free(waits);
    free(writer.counts);
    free(writer.firsts);
    free(writer.list);
    return status;
}
