/*
 * Write the traces of a program that `crosstalk goal` generates, one file a rank, or traces that
 * are there again, the program several times, one after the other:
 *
 *     write_traces FOLDER PROGRAM
 *     write_traces FOLDER TRACES TIMES
 */
#include "trace/convert/generate.h"
#include "trace/reader.h"
#include "trace/stream.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

static void must(enum ct_status status, const struct ct_error *err)
{
    if (status == CT_OK)
        return;
    fprintf(stderr, "write_traces: %s\n", err->text);
    exit(1);
}

/* What a program does once. */
static bool is_once(enum ct_trace_kind kind)
{
    return kind == CT_TRACE_BEGIN || kind == CT_TRACE_NEW_COMM;
}

/* The events of a rank from begin_ns on; 0: for the first time. @return when they end */
static uint64_t add_events(const struct ct_events *events, uint32_t rank, uint64_t begin_ns,
                           bool is_last, uint64_t *n_events, struct ct_trace_stream *stream)
{
    struct ct_trace_event event;
    struct ct_error err;
    uint64_t position, end_ns = begin_ns, later_ns = 0;
    for (bool is_begin = true;; is_begin = false) {
        must(events->next(events->context, rank, &event, &position, &err), &err);
        if (event.kind == CT_TRACE_NONE)
            return end_ns;
        if (is_begin)
            later_ns = begin_ns - event.start_ns; /* modulo 2^64 */
        event.start_ns += later_ns;
        event.end_ns += later_ns;
        end_ns = event.end_ns;
        if ((is_once(event.kind) && begin_ns > 0) || (event.kind == CT_TRACE_END && !is_last))
            continue;
        event.site = 0; /* the names of places are not written */
        event.after = (*n_events)++;
        must(ct_trace_stream_add(stream, &event, &err), &err);
    }
}

static void write_rank(const struct ct_events *events, const char *folder, uint32_t rank,
                       long times)
{
    const struct ct_trace_header header = {.rank = rank, .n_ranks = events->n_ranks};
    char name[CT_TRACE_NAME_MAX], path[PATH_MAX];
    struct ct_trace_stream *stream;
    struct ct_error err;
    uint64_t end_ns = 0, n_events = 0;
    ct_trace_file_name(rank, name);
    if ((size_t)snprintf(path, sizeof path, "%s/%s", folder, name) >= sizeof path) {
        fputs("write_traces: the path is too long\n", stderr);
        exit(1);
    }
    must(ct_trace_stream_open(path, &header, &stream, &err), &err);
    for (long i = 0; i < times; i++) {
        events->rewind(events->context, rank);
        end_ns = add_events(events, rank, end_ns, i + 1 == times, &n_events, stream);
    }
    must(ct_trace_stream_close(stream, &err), &err);
}

int main(int argc, char **argv)
{
    struct ct_events events;
    struct ct_error err;
    const long times = argc == 4 ? strtol(argv[3], NULL, 10) : 1;
    if (argc < 3 || argc > 4 || times < 1) {
        fputs("usage: write_traces FOLDER PROGRAM|TRACES [TIMES]\n", stderr);
        return 2;
    }
    if (argc == 4)
        must(ct_trace_events_open(argv[2], &events, &err), &err);
    else
        must(ct_generate_open(argv[2], &events, &err), &err);
    if (mkdir(argv[1], 0777) != 0) {
        perror(argv[1]);
        return 1;
    }
    for (uint32_t rank = 0; rank < events.n_ranks; rank++)
        write_rank(&events, argv[1], rank, times);
    events.close(events.context);
    return 0;
}
