/* A timeline as a file for viewers. */
#include "core/json.h"
#include "core/viewer_file.h"
#include "trace/call.h"
#include "trace/ranks.h"
#include "trace/timeline/timeline.h"

#include <inttypes.h>

/* ---- arguments of calls ---- */

static void print_rank(const char *name, int32_t rank, FILE *out)
{
    if (rank < 0)
        fprintf(out, ",\"%s\":\"any\"", name);
    else
        fprintf(out, ",\"%s\":%d", name, rank);
}

static void print_message(const char *peer, const char *tag, const char *bytes,
                          const struct ct_trace_message *message, FILE *out)
{
    print_rank(peer, message->rank, out);
    print_rank(tag, message->tag, out);
    fprintf(out, ",\"%s\":%" PRIu64, bytes, message->bytes);
}

static size_t count_completions(const struct ct_trace_event *event)
{
    struct ct_trace_completion completion;
    size_t n = 0, at = 0;
    while (ct_trace_completion_next(event, &at, &completion))
        n++;
    return n;
}

static void print_ranks(const struct ct_trace_event *event, FILE *out)
{
    const char *before = "";
    for (size_t at = 0; at + CT_RANKS_RUN_VALUES <= event->n_values; at += CT_RANKS_RUN_VALUES) {
        struct ct_ranks_run run = ct_ranks_run_of(event->values + at);
        for (uint64_t i = 0; i < run.n; i++, before = ",")
            fprintf(out, "%s%" PRIu64, before, run.first + i * (uint64_t)run.stride);
    }
}

static void print_arguments(const struct ct_trace_event *event, FILE *out)
{
    unsigned fields = ct_trace_kind_fields(event->kind);
    bool both = fields & CT_TRACE_TO && fields & CT_TRACE_FROM;
    /* The kind comes first, so that all others begin with a comma. */
    fprintf(out, ",\"args\":{\"event\":\"%s\"", ct_trace_kind_text(event->kind));
    if (fields & CT_TRACE_TO)
        print_message("to", "tag", "bytes", &event->to, out);
    if (fields & CT_TRACE_FROM)
        print_message("from", both ? "from_tag" : "tag", both ? "from_bytes" : "bytes",
                      &event->from, out);
    if (fields & CT_TRACE_ROOT)
        fprintf(out, ",\"root\":%u", event->root);
    if (fields & CT_TRACE_BYTES || event->kind == CT_TRACE_ALLTOALLV ||
        event->kind == CT_TRACE_NEIGHBOR)
        fprintf(out, ",\"bytes\":%" PRIu64, ct_trace_sent_bytes(event));
    if (fields & CT_TRACE_COMM)
        fprintf(out, ",\"comm\":%u", event->comm);
    if (fields & CT_TRACE_REQUEST && event->request != 0)
        fprintf(out, ",\"request\":%u", event->request);
    if (event->kind == CT_TRACE_WAIT || event->kind == CT_TRACE_TEST)
        fprintf(out, ",\"completed\":%zu", count_completions(event));
    if (event->thread > 0)
        fprintf(out, ",\"thread\":%u", event->thread);
    if (event->site_name) {
        fputs(",\"site\":", out);
        ct_json_print_text(event->site_name, out);
    }
    if (event->kind == CT_TRACE_NEW_COMM) {
        fprintf(out, ",\"ranks\":[");
        print_ranks(event, out);
        fputc(']', out);
    }
    fputc('}', out);
}

/* ---- events ---- */

/* An arrow leaves a call at its start and ends just before the end of the one that receives. */
static enum ct_status print_span(void *data, const struct ct_timeline_span *span,
                                 struct ct_error *err)
{
    FILE *out = data;
    char name[CT_TRACE_CALL_MAX] = "compute";
    uint64_t duration_ns = span->end_ns - span->start_ns;
    bool is_instant = span->event && span->event->kind == CT_TRACE_NEW_COMM;
    (void)err;
    if (span->event)
        ct_trace_call_name(span->event, name);
    ct_viewer_event(is_instant ? "i" : "X", span->event ? "mpi" : "compute", 0, span->track,
                    span->start_ns, out);
    if (is_instant)
        fputs(",\"s\":\"t\"", out);
    else
        ct_viewer_time("dur", duration_ns, out);
    fputs(",\"name\":", out);
    ct_json_print_text(name, out);
    if (span->event)
        print_arguments(span->event, out);
    fputc('}', out);
    if (span->sent != 0)
        ct_viewer_arrow(CT_VIEWER_SENT, 0, span->track, span->start_ns, span->sent, out);
    for (size_t i = 0; i < span->n_received; i++)
        ct_viewer_arrow(CT_VIEWER_RECEIVED, 0, span->track, span->end_ns - (duration_ns > 0),
                        span->received[i], out);
    return CT_OK;
}

static void name_tracks(const struct ct_timeline *timeline, uint32_t rank, FILE *out)
{
    uint32_t first = ct_timeline_first_track(timeline, rank);
    uint32_t n = ct_timeline_first_track(timeline, rank + 1) - first;
    char name[48];
    for (uint32_t thread = 0; thread < n; thread++) {
        int length = snprintf(name, sizeof name, "rank %u", rank);
        if (thread > 0)
            snprintf(name + length, sizeof name - (size_t)length, ", thread %u", thread);
        ct_viewer_track(0, first + thread, first + thread, name, out);
    }
}

enum ct_status ct_timeline_write_json(struct ct_timeline *timeline, const char *name, FILE *out,
                                      struct ct_error *err)
{
    const struct ct_timeline_about *about = ct_timeline_about(timeline);
    enum ct_status status = CT_OK;
    ct_viewer_begin(out);
    ct_viewer_program(0, name, out);
    for (uint32_t rank = 0; rank < about->n_ranks; rank++)
        name_tracks(timeline, rank, out);
    for (uint32_t rank = 0; rank < about->n_ranks && status == CT_OK && !ferror(out); rank++)
        status = ct_timeline_visit(timeline, rank, print_span, out, err);
    ct_viewer_end(out);
    return status;
}
