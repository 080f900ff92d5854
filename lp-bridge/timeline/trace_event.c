/* The Trace Event format: one object with the list traceEvents. A slice is an event "X" (complete),
 * an arrow a pair of "s" and "f" with one id, each within a slice of its track; "M" gives names.
 * Times are microseconds. */
#include "core/json.h"
#include "core/version.h"
#include "lp-bridge/timeline/timeline.h"
#include "lp-bridge/trace/call.h"

#include <inttypes.h>

/* Viewers take thread 0 for the processor's idle time, so a rank's track is one higher. */
enum { PROCESS = 1, FIRST_TRACK = 1 };

static uint32_t track_of(uint32_t rank)
{
    return rank + FIRST_TRACK;
}

static void print_time(const char *name, uint64_t time_ns, FILE *out)
{
    fprintf(out, ",\"%s\":%" PRIu64 ".%03u", name, time_ns / 1000, (unsigned)(time_ns % 1000));
}

/* What all events on a track have. The ones before this end with a comma and a newline. */
static void begin_event(const char *phase, const char *category, uint32_t rank, uint64_t start_ns,
                        FILE *out)
{
    fprintf(out, ",\n{\"ph\":\"%s\",\"cat\":\"%s\",\"pid\":%d,\"tid\":%u", phase, category, PROCESS,
            track_of(rank));
    print_time("ts", start_ns, out);
}

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
    if (event->kind == CT_TRACE_NEW_COMM) {
        fprintf(out, ",\"ranks\":[");
        for (size_t i = 1; i < event->n_values; i++)
            fprintf(out, "%s%" PRIu64, i > 1 ? "," : "", event->values[i]);
        fputc(']', out);
    }
    fputc('}', out);
}

/* ---- events ---- */

static void print_end_of_arrow(const char *phase, uint32_t rank, uint64_t time_ns, uint64_t message,
                               FILE *out)
{
    begin_event(phase, "message", rank, time_ns, out);
    fprintf(out, ",\"name\":\"message\",\"id\":%" PRIu64 "}", message);
}

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
    begin_event(is_instant ? "i" : "X", span->event ? "mpi" : "compute", span->rank, span->start_ns,
                out);
    if (is_instant)
        fputs(",\"s\":\"t\"", out);
    else
        print_time("dur", duration_ns, out);
    fputs(",\"name\":", out);
    ct_json_print_text(name, out);
    if (span->event)
        print_arguments(span->event, out);
    fputc('}', out);
    if (span->sent != 0)
        print_end_of_arrow("s", span->rank, span->start_ns, span->sent, out);
    for (size_t i = 0; i < span->n_received; i++)
        print_end_of_arrow("f\",\"bp\":\"e", span->rank, span->end_ns - (duration_ns > 0),
                           span->received[i], out);
    return CT_OK;
}

static void print_names(uint32_t n_ranks, const char *name, FILE *out)
{
    fprintf(out,
            "{\"ph\":\"M\",\"pid\":%d,\"tid\":%d,\"ts\":0,\"name\":\"process_name\",\"args\":{"
            "\"name\":",
            PROCESS, FIRST_TRACK);
    ct_json_print_text(name, out);
    fputs("}}", out);
    for (uint32_t rank = 0; rank < n_ranks; rank++)
        fprintf(out,
                ",\n{\"ph\":\"M\",\"pid\":%d,\"tid\":%u,\"ts\":0,\"name\":\"thread_name\","
                "\"args\":{\"name\":\"rank %u\"}},\n"
                "{\"ph\":\"M\",\"pid\":%d,\"tid\":%u,\"ts\":0,\"name\":\"thread_sort_index\","
                "\"args\":{\"sort_index\":%u}}",
                PROCESS, track_of(rank), rank, PROCESS, track_of(rank), rank);
}

enum ct_status ct_timeline_write_json(struct ct_timeline *timeline, const char *name, FILE *out,
                                      struct ct_error *err)
{
    const struct ct_timeline_about *about = ct_timeline_about(timeline);
    enum ct_status status = CT_OK;
    fprintf(out,
            "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"producer\":\"crosstalk %s\"},\n"
            "\"traceEvents\":[\n",
            CT_VERSION);
    print_names(about->n_ranks, name, out);
    for (uint32_t rank = 0; rank < about->n_ranks && status == CT_OK && !ferror(out); rank++)
        status = ct_timeline_visit(timeline, rank, print_span, out, err);
    fputs("\n]}\n", out);
    return status;
}
