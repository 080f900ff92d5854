/*
 * A schedule in the binary form as windows between places at which nothing is under way. A rank may
 * be cut behind an operation that all waiting from before to behind goes through, and a program
 * where each rank may, and no message is between them. The ranks read until they have done their
 * share; those that are behind read on, each to its next cut.
 */
#include "lp-bridge/goal/binary.h"
#include "lp-bridge/goal/channels.h"

#include <stdlib.h>
#include <sys/mman.h>

/* A rank: where the window begins, where it ends as far as is known, and what waits there. */
struct progress {
    uint64_t first, end;
    uint64_t listed;   /* operations so far that are in the list of channels */
    uint64_t reach;    /* the last operation that waits for one before `end` */
    uint64_t n_waits;  /* dependencies of operations before `end`, as they count them */
    uint64_t n_waited; /* of any on operations before `end`, as these list them */
    bool is_behind;
};

struct ct_goal_windows {
    struct ct_goal_binary binary;
    void *mapped; /* NULL: the bytes are the caller's */
    uint64_t weight;
    struct progress *progress; /* [n_ranks] */
    struct ct_channels channels;
    bool is_begun;
    bool
        is_last; /* what is left is one window: a receive takes any tag, or a message has one end */
};

enum { SMALLER = 8, OF_RANK = 16 };

/* Once there are several, they may be smaller: what they need stays in caches. But each rank takes
 * part in each of them. */
uint64_t ct_goal_window_weight(uint64_t weight, uint32_t n_ranks)
{
    const uint64_t smaller = weight / SMALLER, least = OF_RANK * (uint64_t)n_ranks;
    if (weight < least)
        return weight;
    return smaller > least ? smaller : least;
}

static uint64_t count_operations(const struct ct_goal_binary *binary)
{
    uint64_t n = 0;
    for (uint32_t rank = 0; rank < binary->n_ranks; rank++)
        n += binary->parts[rank].n_ops;
    return n;
}

enum ct_status ct_goal_windows_of(const unsigned char *bytes, size_t size, const char *name,
                                  uint64_t weight, struct ct_goal_windows **windows_p,
                                  struct ct_error *err)
{
    struct ct_goal_binary binary;
    CT_TRY(ct_goal_binary_open(bytes, size, name, &binary, err));
    struct ct_goal_windows *windows = calloc(1, sizeof *windows);
    struct progress *progress = calloc(binary.n_ranks, sizeof *progress);
    if (!windows || !progress) {
        free(windows);
        free(progress);
        ct_goal_binary_close(&binary);
        return ct_no_memory(err, "%s", name);
    }
    *windows = (struct ct_goal_windows){.binary = binary,
                                        .weight = ct_goal_window_weight(weight, binary.n_ranks),
                                        .progress = progress,
                                        .is_last = count_operations(&binary) <= weight};
    *windows_p = windows;
    return CT_OK;
}

enum ct_status ct_goal_windows_open(const char *path, uint64_t weight,
                                    struct ct_goal_windows **windows_p, struct ct_error *err)
{
    const unsigned char *bytes;
    size_t size;
    struct ct_goal_windows *windows;
    *windows_p = NULL;
    if (!ct_goal_map_binary(path, &bytes, &size))
        return CT_OK;
    enum ct_status status = ct_goal_windows_of(bytes, size, path, weight, &windows, err);
    if (status == CT_OK && !windows->is_last) {
        windows->mapped = (void *)(uintptr_t)bytes;
        *windows_p = windows;
        return CT_OK;
    }
    if (status == CT_OK)
        ct_goal_windows_free(windows);
    munmap((void *)(uintptr_t)bytes, size);
    return status;
}

void ct_goal_windows_free(struct ct_goal_windows *windows)
{
    if (!windows)
        return;
    if (windows->mapped)
        munmap(windows->mapped, windows->binary.size);
    ct_goal_binary_close(&windows->binary);
    ct_channels_free(&windows->channels);
    free(windows->progress);
    free(windows);
}

/* ---- ranks ---- */

static bool is_message(const struct ct_goal_record *record)
{
    return record->op.kind != CT_GOAL_CALC;
}

static struct ct_message_end end_of(uint32_t rank, const struct ct_goal_record *record)
{
    return ct_message_end_of(rank, record->op.peer, record->tag, record->op.kind == CT_GOAL_SEND);
}

/* What waits for operation i, and whether the rank may be cut behind it. */
static bool is_cut(const struct ct_goal_part *part, const struct ct_goal_record *record, uint64_t i,
                   struct progress *progress)
{
    bool may_cut = progress->reach <= i;
    uint64_t n_behind = 0;
    progress->n_waits += record->n_waits;
    for (int wait = CT_GOAL_FINISH; wait <= CT_GOAL_START; wait++) {
        progress->n_waited += record->n[wait];
        for (uint64_t k = 0; k < record->n[wait]; k++) {
            uint32_t op = ct_goal_binary_waiting(part, record->first[wait] + k);
            if (op <= i)
                continue;
            n_behind++;
            may_cut = may_cut && wait == CT_GOAL_FINISH;
            progress->reach = op > progress->reach ? op : progress->reach;
        }
    }
    /* Else operations up to i wait for some behind it. */
    return may_cut && progress->n_waits == progress->n_waited - n_behind;
}

/* The rank has so many operations in the window, or all, and the next cut. */
static enum ct_status read_rank(struct ct_goal_windows *windows, uint32_t rank, uint64_t weight,
                                struct ct_error *err)
{
    const struct ct_goal_part *part = &windows->binary.parts[rank];
    struct progress *progress = &windows->progress[rank];
    for (bool is_at_cut = false; progress->end < part->n_ops;) {
        struct ct_goal_record record;
        CT_TRY(ct_goal_binary_record(&windows->binary, rank, progress->end, &record, err));
        is_at_cut = is_cut(part, &record, progress->end++, progress);
        if (progress->n_waited > part->n_list)
            return ct_fail(err, CT_EFORMAT, "%s: rank %u: dependencies beyond the end",
                           windows->binary.name, rank);
        if (is_message(&record))
            ct_channels_count(&windows->channels, end_of(rank, &record));
        windows->is_last |= record.op.kind == CT_GOAL_RECV && record.tag == UINT32_MAX;
        if (is_at_cut && progress->end - progress->first >= weight)
            break;
    }
    return CT_OK;
}

static enum ct_status read_shares(struct ct_goal_windows *windows, struct ct_error *err)
{
    const uint32_t n_ranks = windows->binary.n_ranks;
    enum ct_status status = CT_OK;
    for (uint32_t rank = 0; rank < n_ranks && status == CT_OK && !windows->is_last; rank++)
        status = read_rank(windows, rank, (windows->weight + n_ranks - 1) / n_ranks, err);
    return status;
}

static void read_rest(struct ct_goal_windows *windows)
{
    for (uint32_t rank = 0; rank < windows->binary.n_ranks; rank++)
        windows->progress[rank].end = windows->binary.parts[rank].n_ops;
}

static bool has_ended(const struct ct_goal_windows *windows)
{
    uint32_t rank = 0;
    while (rank < windows->binary.n_ranks &&
           windows->progress[rank].end == windows->binary.parts[rank].n_ops)
        rank++;
    return rank == windows->binary.n_ranks;
}

/* ---- who is behind ---- */

static enum ct_status list_messages(struct ct_goal_windows *windows, struct ct_error *err)
{
    for (uint32_t rank = 0; rank < windows->binary.n_ranks; rank++) {
        struct progress *progress = &windows->progress[rank];
        for (; progress->listed < progress->end; progress->listed++) {
            struct ct_goal_record record;
            CT_TRY(ct_goal_binary_record(&windows->binary, rank, progress->listed, &record, err));
            if (is_message(&record) && !ct_channels_list(&windows->channels, end_of(rank, &record)))
                return ct_no_memory(err, "%s", windows->binary.name);
        }
    }
    return CT_OK;
}

/* A peer that does not exist is found when the schedule is made. */
static uint32_t mark_behind(struct ct_goal_windows *windows)
{
    uint32_t n = 0, rank;
    for (size_t i = 0; i < windows->channels.n; i++) {
        if (!ct_channels_behind(&windows->channels, i, &rank) || rank >= windows->binary.n_ranks)
            continue;
        struct progress *progress = &windows->progress[rank];
        if (progress->is_behind || progress->end == windows->binary.parts[rank].n_ops)
            continue;
        progress->is_behind = true;
        n++;
    }
    return n;
}

static enum ct_status read_behind(struct ct_goal_windows *windows, struct ct_error *err)
{
    for (uint32_t rank = 0; rank < windows->binary.n_ranks; rank++) {
        if (!windows->progress[rank].is_behind)
            continue;
        windows->progress[rank].is_behind = false;
        CT_TRY(read_rank(windows, rank, 0, err));
    }
    return CT_OK;
}

/* ---- windows ---- */

static enum ct_status find_end(struct ct_goal_windows *windows, struct ct_error *err)
{
    enum ct_status status = read_shares(windows, err);
    while (status == CT_OK && !windows->is_last && windows->channels.under_way != 0) {
        CT_TRY(list_messages(windows, err));
        windows->is_last = mark_behind(windows) == 0;
        status = read_behind(windows, err);
    }
    if (status == CT_OK && windows->is_last)
        read_rest(windows);
    return status;
}

static enum ct_status add_slices(struct ct_goal_windows *windows, bool is_continued,
                                 struct ct_goal_builder *builder, struct ct_error *err)
{
    for (uint32_t rank = 0; rank < windows->binary.n_ranks; rank++) {
        const struct progress *progress = &windows->progress[rank];
        const struct ct_goal_slice slice = {.first = progress->first,
                                            .end = progress->end,
                                            .goes_on = windows->is_begun,
                                            .is_continued = is_continued};
        CT_TRY(ct_goal_binary_read(&windows->binary, rank, slice, builder, err));
    }
    return CT_OK;
}

/* Numbers of operations in messages are those of the file. */
static uint64_t *number_operations(const struct ct_goal_windows *windows)
{
    uint64_t *from = malloc(windows->binary.n_ranks * sizeof *from);
    for (uint32_t rank = 0; from && rank < windows->binary.n_ranks; rank++)
        from[rank] = windows->progress[rank].first - windows->is_begun;
    return from;
}

static enum ct_status build_window(struct ct_goal_windows *windows, struct ct_goal *goal_p,
                                   struct ct_error *err)
{
    const bool is_continued = !has_ended(windows);
    const char *name = windows->binary.name;
    struct ct_goal_builder *builder = ct_goal_builder_new(windows->binary.n_ranks);
    if (!builder)
        return ct_no_memory(err, "%s", name);
    ct_goal_number_from(builder, number_operations(windows));
    enum ct_status status = add_slices(windows, is_continued, builder, err);
    if (status != CT_OK) {
        ct_goal_builder_free(builder);
        return status;
    }
    status = ct_goal_build(builder, goal_p, err);
    if (status != CT_OK)
        return ct_fail_within(err, status, "%s", name);
    goal_p->goes_on = windows->is_begun;
    goal_p->is_continued = is_continued;
    return CT_OK;
}

/* What was read is not needed again; the next pages are read when they are. */
static void forget_window(struct ct_goal_windows *windows)
{
    for (uint32_t rank = 0; rank < windows->binary.n_ranks; rank++)
        windows->progress[rank].first = windows->progress[rank].end;
    ct_channels_clear(&windows->channels);
    if (windows->mapped)
        madvise(windows->mapped, windows->binary.size, MADV_DONTNEED);
}

enum ct_status ct_goal_windows_next(struct ct_goal_windows *windows, struct ct_goal *goal_p,
                                    struct ct_error *err)
{
    enum ct_status status = find_end(windows, err);
    if (status == CT_OK)
        status = build_window(windows, goal_p, err);
    windows->is_begun = true;
    if (status == CT_OK)
        forget_window(windows);
    return status;
}
