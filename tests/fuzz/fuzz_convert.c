/*
 * Traces of all ranks: whatever their events are, they are converted or refused, and a schedule
 * that comes out has no message without its counterpart. They are drawn, too, or refused; each
 * message has two ends. Acted, they end or are refused, and no place of a request is out of the
 * table. The input is the files of ranks 0, 1 and so on, each after its length in two bytes, low
 * one first. A file whose header is that of one with threads has them, and begins at 0 like all.
 */
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/fuzz_goal_check.h"
#include "trace/convert/actions.h"
#include "trace/rehearse/rehearsal.h"
#include "trace/timeline/timeline.h"

#include <stdlib.h>
#include <string.h>

enum { RANKS_MAX = 6 };

struct file {
    const uint8_t *bytes;
    size_t size, at;
    struct ct_trace_before before;
    struct ct_trace_threads threads;
    size_t checked; /* byte up to which threads are known to be right */
    struct ct_trace_scratch scratch;
};

struct files {
    struct file of[RANKS_MAX];
    uint32_t n;
};

static void split(const uint8_t *data, size_t size, struct files *files)
{
    struct ct_trace_header header;
    while (size >= 2 && files->n < RANKS_MAX) {
        size_t length = data[0] + 256U * data[1];
        length = length < size - 2 ? length : size - 2;
        struct file file = {.bytes = data + 2, .size = length, .at = CT_TRACE_HEADER_BYTES};
        if (ct_trace_header_decode(file.bytes, length, &header, NULL) == CT_OK) {
            file.before.has_threads = header.has_threads;
            file.before.lists_ranks = header.lists_ranks;
        }
        files->of[files->n++] = file;
        data += 2 + length;
        size -= 2 + length;
    }
}

static enum ct_status next(void *context, uint32_t rank, struct ct_trace_event *event_p,
                           uint64_t *position_p, struct ct_error *err)
{
    struct file *file = &((struct files *)context)->of[rank];
    enum ct_status status = ct_trace_event_decode(file->bytes, file->size, &file->at, &file->before,
                                                  &file->scratch, event_p, err);
    *position_p = file->before.index + 1;
    if (status != CT_OK || event_p->kind == CT_TRACE_NONE)
        return status;
    ct_trace_before_pass(&file->before, event_p);
    if (!file->before.has_threads || file->at <= file->checked)
        return CT_OK;
    file->checked = file->at;
    return ct_trace_threads_pass(&file->threads, event_p, err);
}

static struct ct_events_place tell(const void *context, uint32_t rank)
{
    const struct file *file = &((const struct files *)context)->of[rank];
    return (struct ct_events_place){file->at, file->before.end_ns, file->before.index};
}

static void seek(void *context, uint32_t rank, struct ct_events_place place)
{
    struct file *file = &((struct files *)context)->of[rank];
    file->at = (size_t)place.at;
    file->before.end_ns = place.before;
    file->before.index = place.position;
}

static void rewind_rank(void *context, uint32_t rank)
{
    struct file *file = &((struct files *)context)->of[rank];
    file->at = CT_TRACE_HEADER_BYTES;
    file->before.end_ns = file->before.index = 0;
}

static void forget(struct files *files)
{
    for (uint32_t rank = 0; rank < RANKS_MAX; rank++) {
        ct_trace_scratch_free(&files->of[rank].scratch);
        ct_trace_threads_free(&files->of[rank].threads);
    }
}

static void close_again(void *context)
{
    forget(context);
    free(context);
}

static enum ct_status read_again(const void *context, uint32_t rank, struct ct_events *again_p,
                                 struct ct_error *err);

static struct ct_events events_of(struct files *files, bool has_threads)
{
    return (struct ct_events){.n_ranks = files->n,
                              .position_unit = "event",
                              .has_threads = has_threads,
                              .context = files,
                              .next = next,
                              .tell = tell,
                              .seek = seek,
                              .rewind = rewind_rank,
                              .again = read_again,
                              .close = close_again};
}

static enum ct_status read_again(const void *context, uint32_t rank, struct ct_events *again_p,
                                 struct ct_error *err)
{
    const struct files *files = context;
    const struct file *file = &files->of[rank];
    struct files *again = calloc(1, sizeof *again);
    if (!again)
        return ct_no_memory(err, "files");
    again->n = files->n;
    again->of[rank] = (struct file){.bytes = file->bytes,
                                    .size = file->size,
                                    .at = CT_TRACE_HEADER_BYTES,
                                    .before.has_threads = file->before.has_threads,
                                    .before.lists_ranks = file->before.lists_ranks};
    *again_p = events_of(again, true);
    return CT_OK;
}

static void rehearse(const struct ct_events *events)
{
    struct ct_rehearsal rehearsal;
    struct ct_error err;
    if (ct_rehearse(events, events->n_ranks - 1, &rehearsal, &err) != CT_OK)
        return;
    for (size_t i = 0; i < rehearsal.n_uses; i++)
        if (i > 0 && rehearsal.uses[i].position <= rehearsal.uses[i - 1].position)
            abort();
    for (uint32_t i = 0; i < rehearsal.n_slots; i++)
        if (rehearsal.slots[i].send > INT32_MAX || rehearsal.slots[i].receive > INT32_MAX)
            abort();
    ct_rehearsal_free(&rehearsal);
}

/* ---- timelines ---- */

enum { TRACKS_MAX = 64 }; /* those whose spans are checked for their order */
struct ends {
    uint64_t sent, received, end_ns[TRACKS_MAX];
    size_t n_sent, n_received;
};

static enum ct_status add_ends(void *data, const struct ct_timeline_span *span,
                               struct ct_error *err)
{
    struct ends *ends = data;
    (void)err;
    if (span->end_ns < span->start_ns ||
        (span->track < TRACKS_MAX && span->start_ns < ends->end_ns[span->track]))
        abort();
    if (span->track < TRACKS_MAX)
        ends->end_ns[span->track] = span->end_ns;
    ends->sent += span->sent;
    ends->n_sent += span->sent != 0;
    for (size_t i = 0; i < span->n_received; i++)
        ends->received += span->received[i];
    ends->n_received += span->n_received;
    return CT_OK;
}

static void draw(const struct ct_events *events, const struct ct_timeline_window *window)
{
    struct ct_timeline *timeline;
    struct ends ends = {0};
    if (ct_timeline_of(events, window, &timeline, NULL) != CT_OK)
        return;
    for (uint32_t rank = 0; rank < events->n_ranks; rank++)
        if (ct_timeline_visit(timeline, rank, add_ends, &ends, NULL) != CT_OK)
            abort();
    if (ends.sent != ends.received || ends.n_sent != ends.n_received)
        abort();
    FILE *out = fopen("/dev/null", "w");
    if (!out || ct_timeline_write_json(timeline, "fuzz", out, NULL) != CT_OK ||
        ct_timeline_draw(timeline, "fuzz", out, NULL) != CT_OK)
        abort();
    fclose(out);
    ct_timeline_free(timeline);
}

static void rewind_ranks(struct files *files)
{
    for (uint32_t rank = 0; rank < files->n; rank++)
        rewind_rank(files, rank);
}

static bool have_threads(const struct files *files)
{
    bool have = false;
    for (uint32_t i = 0; i < files->n; i++)
        have |= files->of[i].before.has_threads;
    return have;
}

/* The same window by window, which must not find fault with what is sound in one piece. */
static void convert_windows(const struct ct_events *events, bool is_sound)
{
    enum { WEIGHT = 3 };
    const struct ct_convert_options options = ct_convert_defaults();
    struct ct_windows *windows;
    enum ct_status status = ct_windows_open(events, &options, WEIGHT, &windows, NULL);
    if (status != CT_OK)
        abort();
    for (bool is_continued = true; is_continued && status == CT_OK;) {
        struct ct_goal goal = {0};
        status = ct_windows_next(windows, &goal, NULL);
        is_continued = goal.is_continued;
        if (status == CT_OK)
            fuzz_check_matched(&goal);
        ct_goal_free(&goal);
    }
    ct_windows_free(windows);
    if (status != CT_OK && is_sound)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ct_convert_options options = ct_convert_defaults();
    struct ct_convert_notes notes;
    struct files files = {.n = 0};
    struct ct_goal goal;
    split(data, size, &files);
    const struct ct_events events = events_of(&files, have_threads(&files));
    const struct ct_timeline_window window = {1000, 1000000};
    bool is_sound = false;
    if (files.n > 0)
        rehearse(&events);
    if (files.n > 0 && ct_convert_events(&events, &options, &goal, &notes, NULL) == CT_OK) {
        fuzz_check_matched(&goal);
        ct_goal_free(&goal);
        is_sound = notes.n_cut == 0;
        ct_convert_notes_free(&notes);
    }
    rewind_ranks(&files);
    if (files.n > 0)
        convert_windows(&events, is_sound);
    rewind_ranks(&files);
    if (files.n > 0) {
        draw(&events, NULL);
        draw(&events, &window);
    }
    forget(&files);
    return 0;
}
