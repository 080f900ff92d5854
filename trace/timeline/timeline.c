#include "trace/timeline/timeline.h"

#include "core/array.h"
#include "core/units.h"
#include "trace/timeline/messages.h"

#include <inttypes.h>
#include <stdlib.h>

enum { SENT, RECEIVED, N_SIDES };

struct ct_timeline {
    struct ct_events events;
    struct ct_messages *messages;
    struct ct_timeline_about about;
    uint64_t origin_ns;
    uint32_t *first_tracks;            /* [n_ranks + 1] */
    struct ct_trace_threads threads;   /* of the rank whose events are read */
    unsigned char *in_window[N_SIDES]; /* a bit a message; NULL: all are */
    uint64_t *received;                /* of a span */
    size_t room_received;
};

void ct_timeline_free(struct ct_timeline *timeline)
{
    if (!timeline)
        return;
    ct_messages_free(timeline->messages);
    for (int side = 0; side < N_SIDES; side++)
        free(timeline->in_window[side]);
    free(timeline->received);
    free(timeline->first_tracks);
    ct_trace_threads_free(&timeline->threads);
    free(timeline);
}

const struct ct_timeline_about *ct_timeline_about(const struct ct_timeline *timeline)
{
    return &timeline->about;
}

uint32_t ct_timeline_first_track(const struct ct_timeline *timeline, uint32_t rank)
{
    return timeline->first_tracks[rank];
}

/* ---- a pass over the events of a rank ---- */

/* An event with its time since the origin, which is 0 in the first pass; of a thread none begins
 * before the end of the one before. */
struct placed {
    uint32_t track;
    const struct ct_trace_event *event;
    uint64_t before_ns, start_ns, end_ns; /* end of the event before, or the start of the first */
    const struct ct_message_ends *ends;
};

typedef enum ct_status on_event(struct ct_timeline *timeline, const struct placed *placed,
                                void *data, struct ct_error *err);

static enum ct_status place_rank(struct ct_timeline *timeline, uint32_t rank, uint64_t shift_ns,
                                 struct placed *placed, struct ct_error *err)
{
    const struct ct_trace_event *event = placed->event;
    bool is_first = event->thread >= timeline->threads.n;
    uint64_t *end_ns;
    CT_TRY(ct_trace_threads_end(&timeline->threads, event->thread, &end_ns, err));
    placed->track = timeline->first_tracks[rank] + event->thread;
    placed->start_ns = event->start_ns + shift_ns;
    placed->end_ns = event->end_ns + shift_ns;
    placed->before_ns = is_first ? placed->start_ns : *end_ns;
    if (placed->start_ns < placed->before_ns)
        placed->start_ns = placed->before_ns;
    if (placed->end_ns < placed->start_ns)
        placed->end_ns = placed->start_ns;
    *end_ns = placed->end_ns;
    return CT_OK;
}

static enum ct_status run_pass(struct ct_timeline *timeline, uint32_t rank,
                               enum ct_messages_pass what, on_event *handle, void *data,
                               struct ct_error *err)
{
    const struct ct_events *events = &timeline->events;
    uint64_t shift_ns = events->clocks ? events->clocks[rank].offset_ns : 0, position = 0;
    struct ct_trace_event event = {0};
    struct ct_message_ends ends;
    enum ct_status status = CT_OK;
    shift_ns -= timeline->origin_ns;
    timeline->threads.n = 0;
    events->rewind(events->context, rank);
    ct_messages_begin(timeline->messages, rank, what);
    while (status == CT_OK && event.kind != CT_TRACE_END) {
        status = events->next(events->context, rank, &event, &position, err);
        if (status != CT_OK || event.kind == CT_TRACE_NONE)
            break;
        struct placed placed = {.event = &event, .ends = &ends};
        status = ct_messages_next(timeline->messages, &event, &ends, err);
        if (status == CT_OK)
            status = place_rank(timeline, rank, shift_ns, &placed, err);
        if (status != CT_OK) {
            ct_fail_within(err, status, "rank %u, %s %" PRIu64 " (%s)", rank, events->position_unit,
                           position, ct_trace_kind_text(event.kind));
            break;
        }
        status = handle ? handle(timeline, &placed, data, err) : CT_OK;
    }
    return status == CT_OK ? ct_messages_end(timeline->messages, err) : status;
}

/* ---- the first pass ---- */

struct extent {
    uint64_t first_ns, last_ns; /* of the rank */
    bool begun, ended;
};

static enum ct_status count_event(struct ct_timeline *timeline, const struct placed *placed,
                                  void *data, struct ct_error *err)
{
    struct extent *extent = data;
    (void)err;
    if (!extent->begun || placed->start_ns < extent->first_ns)
        extent->first_ns = placed->start_ns;
    if (!extent->begun || placed->end_ns > extent->last_ns)
        extent->last_ns = placed->end_ns;
    extent->begun = true;
    extent->ended = placed->event->kind == CT_TRACE_END;
    timeline->about.n_calls += placed->event->kind != CT_TRACE_NEW_COMM;
    return CT_OK;
}

static enum ct_status count_all(struct ct_timeline *timeline, struct ct_error *err)
{
    const struct ct_events_clock *clocks = timeline->events.clocks;
    struct extent all = {0};
    for (uint32_t rank = 0; rank < timeline->events.n_ranks; rank++) {
        struct extent of = {0};
        CT_TRY(run_pass(timeline, rank, CT_MESSAGES_COUNT, count_event, &of, err));
        timeline->about.n_cut += !of.ended;
        timeline->first_tracks[rank + 1] =
            timeline->first_tracks[rank] + (timeline->threads.n > 0 ? timeline->threads.n : 1);
        if (!of.begun)
            continue;
        if (clocks)
            of.first_ns = clocks[rank].start_ns + clocks[rank].offset_ns;
        if (!all.begun || of.first_ns < all.first_ns)
            all.first_ns = of.first_ns;
        if (!all.begun || of.last_ns > all.last_ns)
            all.last_ns = of.last_ns;
        all.begun = true;
    }
    timeline->about.n_tracks = timeline->first_tracks[timeline->events.n_ranks];
    timeline->origin_ns = all.first_ns;
    timeline->about.span_ns = all.last_ns - all.first_ns;
    ct_messages_pair(timeline->messages);
    timeline->about.n_messages = ct_messages_total(timeline->messages);
    return CT_OK;
}

/* ---- the window ---- */

static bool touches_span(const struct ct_timeline *timeline, uint64_t start_ns, uint64_t end_ns)
{
    return start_ns <= timeline->about.window.to_ns && end_ns >= timeline->about.window.from_ns;
}

static void set_bit(unsigned char *bits, uint64_t number)
{
    bits[number / 8] |= (unsigned char)(1U << number % 8);
}

static bool is_in_window(const struct ct_timeline *timeline, uint64_t number)
{
    const unsigned char *sent = timeline->in_window[SENT];
    const unsigned char *received = timeline->in_window[RECEIVED];
    return !sent || (sent[number / 8] & received[number / 8] & 1U << number % 8) != 0;
}

static enum ct_status mark_event(struct ct_timeline *timeline, const struct placed *placed,
                                 void *data, struct ct_error *err)
{
    (void)err;
    bool *any = data;
    if (touches_span(timeline, placed->before_ns, placed->end_ns))
        *any = true;
    if (!touches_span(timeline, placed->start_ns, placed->end_ns))
        return CT_OK;
    if (placed->ends->sent != 0)
        set_bit(timeline->in_window[SENT], placed->ends->sent);
    for (size_t i = 0; i < placed->ends->n_received; i++)
        set_bit(timeline->in_window[RECEIVED], placed->ends->received[i]);
    return CT_OK;
}

/* The pass that numbers messages follows the one that puts receives in order. */
static enum ct_status number_events(struct ct_timeline *timeline, uint32_t rank, on_event *handle,
                                    void *data, struct ct_error *err)
{
    CT_TRY(run_pass(timeline, rank, CT_MESSAGES_ORDER, NULL, NULL, err));
    return run_pass(timeline, rank, CT_MESSAGES_NUMBER, handle, data, err);
}

static enum ct_status fail_empty(const struct ct_timeline *timeline, struct ct_error *err)
{
    char from[CT_UNITS_TEXT_MAX], to[CT_UNITS_TEXT_MAX], end[CT_UNITS_TEXT_MAX];
    ct_format_duration(1e-9 * (double)timeline->about.window.from_ns, from);
    ct_format_duration(1e-9 * (double)timeline->about.window.to_ns, to);
    ct_format_duration(1e-9 * (double)timeline->about.span_ns, end);
    bool has_end = timeline->about.window.to_ns != UINT64_MAX;
    return ct_fail(err, CT_ENODATA, "nothing happens from %s%s%s; the traces end after %s", from,
                   has_end ? " to " : "", has_end ? to : " on", end);
}

static enum ct_status choose_messages(struct ct_timeline *timeline, struct ct_error *err)
{
    size_t bytes = (size_t)(ct_messages_total(timeline->messages) / 8) + 1;
    bool any = false;
    unsigned char *sent = calloc(bytes, 1), *received = calloc(bytes, 1);
    timeline->in_window[SENT] = sent;
    timeline->in_window[RECEIVED] = received;
    if (!sent || !received)
        return ct_no_memory(err, "timeline");
    for (uint32_t rank = 0; rank < timeline->events.n_ranks; rank++)
        CT_TRY(number_events(timeline, rank, mark_event, &any, err));
    timeline->about.n_messages = 0;
    for (size_t i = 0; i < bytes; i++)
        timeline->about.n_messages += (unsigned)__builtin_popcount(sent[i] & received[i]);
    return any ? CT_OK : fail_empty(timeline, err);
}

/* ---- opening ---- */

enum ct_status ct_timeline_of(const struct ct_events *events,
                              const struct ct_timeline_window *window,
                              struct ct_timeline **timeline_p, struct ct_error *err)
{
    struct ct_timeline *timeline = calloc(1, sizeof *timeline);
    if (!timeline)
        return ct_no_memory(err, "timeline");
    timeline->events = *events;
    timeline->about.n_ranks = events->n_ranks;
    timeline->first_tracks = calloc((size_t)events->n_ranks + 1, sizeof *timeline->first_tracks);
    timeline->about.window = window ? *window : (struct ct_timeline_window){0, UINT64_MAX};
    bool everything =
        timeline->about.window.from_ns == 0 && timeline->about.window.to_ns == UINT64_MAX;
    enum ct_status status = timeline->first_tracks
                                ? ct_messages_new(events, &timeline->messages, err)
                                : ct_no_memory(err, "timeline");
    if (status == CT_OK)
        status = count_all(timeline, err);
    if (status == CT_OK && !everything)
        status = choose_messages(timeline, err);
    if (status != CT_OK) {
        ct_timeline_free(timeline);
        return status;
    }
    *timeline_p = timeline;
    return CT_OK;
}

/* ---- visiting ---- */

struct visit {
    ct_timeline_visitor *visit;
    void *data;
    bool begun; /* MPI_Init is over; what is before it is no compute */
};

static enum ct_status visit_event(struct ct_timeline *timeline, const struct placed *placed,
                                  void *data, struct ct_error *err)
{
    struct visit *visit = data;
    const struct ct_message_ends *ends = placed->ends;
    struct ct_timeline_span span = {
        .track = placed->track, .start_ns = placed->before_ns, .end_ns = placed->start_ns};
    enum ct_status status = CT_OK;
    if (visit->begun && span.end_ns > span.start_ns && placed->event->kind != CT_TRACE_BEGIN &&
        touches_span(timeline, span.start_ns, span.end_ns))
        status = visit->visit(visit->data, &span, err);
    visit->begun = visit->begun || placed->event->kind != CT_TRACE_NEW_COMM;
    span = (struct ct_timeline_span){.track = placed->track,
                                     .event = placed->event,
                                     .start_ns = placed->start_ns,
                                     .end_ns = placed->end_ns};
    if (status != CT_OK || !touches_span(timeline, span.start_ns, span.end_ns))
        return status;
    if (!CT_ARRAY_RESERVE(timeline->received, timeline->room_received, ends->n_received + 1))
        return ct_no_memory(err, "timeline");
    for (size_t i = 0; i < ends->n_received; i++)
        if (is_in_window(timeline, ends->received[i]))
            timeline->received[span.n_received++] = ends->received[i];
    span.received = timeline->received;
    span.sent = ends->sent != 0 && is_in_window(timeline, ends->sent) ? ends->sent : 0;
    return visit->visit(visit->data, &span, err);
}

enum ct_status ct_timeline_visit(struct ct_timeline *timeline, uint32_t rank,
                                 ct_timeline_visitor *visit, void *data, struct ct_error *err)
{
    struct visit by = {.visit = visit, .data = data};
    return number_events(timeline, rank, visit_event, &by, err);
}
