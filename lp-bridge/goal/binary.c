/* LogGOPSim's binary schedules; goal.h has their layout. */
#include "lp-bridge/goal/binary.h"

#include "core/endian.h"

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

static enum ct_status fail_damaged(const struct ct_goal_binary *binary, uint32_t rank,
                                   const char *what, struct ct_error *err)
{
    return ct_fail(err, CT_EFORMAT, "%s: rank %" PRIu32 ": %s", binary->name, rank, what);
}

static const char *find_fault(const struct ct_goal_part *part, const struct ct_goal_record *record)
{
    const struct ct_goal_op *op = &record->op;
    if (op->kind == CT_GOAL_N_KINDS)
        return "an operation of a kind that there is not: the file is damaged, or in LogGOPSim2's "
               "binary form, which is another one; its text is read";
    if (op->kind == CT_GOAL_RECV && op->peer == UINT32_MAX)
        return "a receive from any source: give the source that it had";
    if (op->kind == CT_GOAL_SEND && record->tag == UINT32_MAX)
        return "a send with the tag 4294967295, which is any tag of a receive";
    for (size_t k = 0; k < 2; k++)
        if (record->n[k] > 0 &&
            (record->first[k] > part->n_list || record->n[k] > part->n_list - record->first[k]))
            return "dependencies beyond the end";
    return NULL;
}

enum ct_status ct_goal_binary_record(const struct ct_goal_binary *binary, uint32_t rank, uint64_t i,
                                     struct ct_goal_record *record_p, struct ct_error *err)
{
    const struct ct_goal_part *part = &binary->parts[rank];
    const unsigned char *from = part->ops + OP_BYTES * i;
    *record_p = (struct ct_goal_record){.op = {.peer = ct_endian_load_u32(from + 5),
                                               .amount = ct_endian_load(from + 9, 8),
                                               .cpu = from[21],
                                               .nic = from[22]},
                                        .tag = ct_endian_load_u32(from + 17),
                                        .n_waits = ct_endian_load_u32(from),
                                        .n = {[CT_GOAL_FINISH] = ct_endian_load_u32(from + 23),
                                              [CT_GOAL_START] = ct_endian_load_u32(from + 31)},
                                        .first = {[CT_GOAL_FINISH] = ct_endian_load_u32(from + 27),
                                                  [CT_GOAL_START] = ct_endian_load_u32(from + 35)}};
    uint8_t kind = 0;
    while (kind < CT_GOAL_N_KINDS && kind_codes[kind] != from[4])
        kind++;
    record_p->op.kind = kind;
    if (kind == CT_GOAL_CALC)
        record_p->op.peer = 0, record_p->op.nic = 0, record_p->tag = 0;
    const char *fault = find_fault(part, record_p);
    return fault ? fail_damaged(binary, rank, fault, err) : CT_OK;
}

uint32_t ct_goal_binary_waiting(const struct ct_goal_part *part, uint64_t at)
{
    return ct_endian_load_u32(part->list + 4 * at);
}

/* A slice that becomes operations of a builder. */
struct reading {
    const struct ct_goal_binary *binary;
    const struct ct_goal_part *part;
    uint32_t rank;
    struct ct_goal_slice slice;
    uint32_t *counted, *listed; /* dependencies of each operation of the slice */
    uint64_t n_waiting;
    struct ct_goal_builder *builder;
    struct ct_error *err;
};

/* Its number in the rank of the builder: what stands for all before the slice is the first. */
static uint32_t local_of(const struct reading *reading, uint64_t i)
{
    return i < reading->slice.first ? 0
                                    : (uint32_t)(i - reading->slice.first) + reading->slice.goes_on;
}

static enum ct_status read_op(struct reading *reading, uint64_t i)
{
    struct ct_goal_record record;
    CT_TRY(ct_goal_binary_record(reading->binary, reading->rank, i, &record, reading->err));
    record.op.tag =
        record.tag == UINT32_MAX ? CT_GOAL_ANY_TAG : ct_goal_make_tag(reading->builder, record.tag);
    ct_goal_add(reading->builder, record.op);
    reading->counted[i - reading->slice.first] = record.n_waits;
    return CT_OK;
}

/* What waits for `on`; behind the slice it waits for the end of all of the slice. */
static enum ct_status read_waiting(struct reading *reading, uint64_t on,
                                   const struct ct_goal_record *record, enum ct_goal_wait wait)
{
    const struct ct_goal_slice *slice = &reading->slice;
    for (uint64_t k = 0; k < record->n[wait]; k++) {
        uint32_t op = ct_goal_binary_waiting(reading->part, record->first[wait] + k);
        if (slice->is_continued && op >= slice->end)
            continue;
        if (op < slice->first || op >= slice->end || op == on)
            return fail_damaged(reading->binary, reading->rank,
                                "a dependency on an operation that there is not, or on itself",
                                reading->err);
        reading->listed[op - slice->first]++;
        ct_goal_require(reading->builder, local_of(reading, op), local_of(reading, on), wait);
    }
    return CT_OK;
}

/* No more dependencies than numbers in the list: lists that overlap would be read without end. */
static enum ct_status read_dependencies(struct reading *reading, uint64_t on)
{
    struct ct_goal_record record;
    enum ct_status status =
        ct_goal_binary_record(reading->binary, reading->rank, on, &record, reading->err);
    reading->n_waiting += (uint64_t)record.n[CT_GOAL_FINISH] + record.n[CT_GOAL_START];
    if (status == CT_OK && reading->n_waiting > reading->part->n_list)
        status = fail_damaged(reading->binary, reading->rank, "dependencies beyond the end",
                              reading->err);
    if (status == CT_OK)
        status = read_waiting(reading, on, &record, CT_GOAL_FINISH);
    return status == CT_OK ? read_waiting(reading, on, &record, CT_GOAL_START) : status;
}

/* The simulator starts an operation by its count: it would run another schedule than the list's. */
static enum ct_status check_waits(const struct reading *reading)
{
    const struct ct_goal_slice *slice = &reading->slice;
    for (uint64_t i = slice->first; i < slice->end; i++) {
        const uint32_t counted = reading->counted[i - slice->first],
                       listed = reading->listed[i - slice->first];
        if (counted != listed)
            return ct_fail(reading->err, CT_EFORMAT,
                           "%s: rank %" PRIu32 ", operation %" PRIu64 ": %" PRIu32
                           " dependencies counted, %" PRIu32 " listed",
                           reading->binary->name, reading->rank, i + 1, counted, listed);
    }
    return CT_OK;
}

static enum ct_status read_slice(struct reading *reading)
{
    static const struct ct_goal_op nothing = {.kind = CT_GOAL_CALC};
    const struct ct_goal_slice *slice = &reading->slice;
    const bool has_before = slice->goes_on && slice->first > 0;
    ct_goal_begin_rank(reading->builder, reading->rank);
    if (slice->goes_on)
        ct_goal_add(reading->builder, nothing);
    for (uint64_t i = slice->first; i < slice->end; i++)
        CT_TRY(read_op(reading, i));
    for (uint64_t i = slice->first - has_before; i < slice->end; i++)
        CT_TRY(read_dependencies(reading, i));
    if (slice->is_continued) {
        uint32_t last = ct_goal_add(reading->builder, nothing);
        if (last > 0)
            ct_goal_require(reading->builder, last, last - 1, CT_GOAL_FINISH);
    }
    return check_waits(reading);
}

enum ct_status ct_goal_binary_read(const struct ct_goal_binary *binary, uint32_t rank,
                                   struct ct_goal_slice slice, struct ct_goal_builder *builder,
                                   struct ct_error *err)
{
    const uint64_t n = slice.end - slice.first;
    uint32_t *counts = calloc(2 * n + 1, sizeof *counts);
    if (!counts)
        return ct_no_memory(err, "%s", binary->name);
    struct reading reading = {.binary = binary,
                              .part = &binary->parts[rank],
                              .rank = rank,
                              .slice = slice,
                              .counted = counts,
                              .listed = counts + n,
                              .builder = builder,
                              .err = err};
    enum ct_status status = read_slice(&reading);
    free(counts);
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

/* ---- a file ---- */

static enum ct_status find_part(struct ct_goal_binary *binary, uint32_t rank, uint64_t begin,
                                uint64_t end, struct ct_error *err)
{
    const unsigned char *from = binary->bytes + 8 + begin;
    const uint64_t size = end - begin;
    if (size < 8)
        return fail_damaged(binary, rank, "its part is cut", err);
    const uint64_t n_ops = ct_endian_load_u32(from), n_independent = ct_endian_load_u32(from + 4),
                   ops_at = 8 + 4 * n_independent, list_at = ops_at + OP_BYTES * n_ops;
    if (list_at > size)
        return fail_damaged(binary, rank, "its part is cut", err);
    binary->parts[rank] = (struct ct_goal_part){.ops = from + ops_at,
                                                .list = from + list_at,
                                                .n_ops = n_ops,
                                                .n_list = (size - list_at) / 4};
    return CT_OK;
}

static enum ct_status find_parts(struct ct_goal_binary *binary, struct ct_error *err)
{
    const uint64_t head = HEAD_BYTES + (uint64_t)RANK_BYTES * binary->n_ranks,
                   from_cookie = binary->size - 8;
    uint64_t room = binary->size - head;
    binary->behind = head;
    for (uint32_t rank = 0; rank < binary->n_ranks; rank++) {
        const unsigned char *entry = binary->bytes + HEAD_BYTES + (size_t)RANK_BYTES * rank;
        uint64_t begin = ct_endian_load(entry, 8), end = ct_endian_load(entry + 8, 8);
        if (begin > end || end > from_cookie)
            return fail_damaged(binary, rank, "its part is beyond the end of the file", err);
        /* Else a small file, with one part for many ranks, could be a huge schedule. */
        if (end - begin > room)
            return fail_damaged(binary, rank, "its part overlaps others", err);
        room -= end - begin;
        binary->behind = 8 + end > binary->behind ? 8 + end : binary->behind;
        CT_TRY(find_part(binary, rank, begin, end, err));
    }
    return CT_OK;
}

enum ct_status ct_goal_binary_open(const unsigned char *bytes, size_t size, const char *name,
                                   struct ct_goal_binary *binary_p, struct ct_error *err)
{
    if (!ct_goal_is_binary(bytes, size) || size < HEAD_BYTES)
        return ct_fail(err, CT_EFORMAT, "%s: not a binary schedule of LogGOPSim", name);
    struct ct_goal_binary binary = {
        .bytes = bytes, .size = size, .name = name, .n_ranks = ct_endian_load_u32(bytes + 8)};
    if (binary.n_ranks < 1 || binary.n_ranks > CT_GOAL_RANKS_MAX ||
        (uint64_t)binary.n_ranks * RANK_BYTES > size - HEAD_BYTES)
        return ct_fail(err, CT_EFORMAT, "%s: %" PRIu32 " ranks, in %zu bytes", name, binary.n_ranks,
                       size);
    binary.parts = malloc(binary.n_ranks * sizeof *binary.parts);
    enum ct_status status = binary.parts ? find_parts(&binary, err) : ct_no_memory(err, "%s", name);
    if (status == CT_OK)
        *binary_p = binary;
    else
        ct_goal_binary_close(&binary);
    return status;
}

void ct_goal_binary_close(struct ct_goal_binary *binary)
{
    free(binary->parts);
    *binary = (struct ct_goal_binary){0};
}

static enum ct_status read_all(const struct ct_goal_binary *binary, struct ct_goal_builder *builder,
                               struct ct_error *err)
{
    for (uint32_t rank = 0; rank < binary->n_ranks; rank++) {
        const struct ct_goal_slice all = {.end = binary->parts[rank].n_ops};
        CT_TRY(ct_goal_binary_read(binary, rank, all, builder, err));
    }
    return read_marks(binary->bytes, binary->size, binary->behind, builder, binary->name, err);
}

enum ct_status ct_goal_read_binary(const unsigned char *bytes, size_t size, const char *name,
                                   struct ct_goal *goal_p, struct ct_error *err)
{
    struct ct_goal_binary binary;
    CT_TRY(ct_goal_binary_open(bytes, size, name, &binary, err));
    struct ct_goal_builder *builder = ct_goal_builder_new(binary.n_ranks);
    enum ct_status status =
        builder ? read_all(&binary, builder, err) : ct_no_memory(err, "%s", name);
    ct_goal_binary_close(&binary);
    if (status != CT_OK) {
        ct_goal_builder_free(builder);
        return status;
    }
    status = ct_goal_build(builder, goal_p, err);
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
