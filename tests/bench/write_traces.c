/*
 * Write the traces of a program that `crosstalk goal` generates, one file a rank:
 *
 *     write_traces FOLDER PROGRAM
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

static void write_rank(const struct ct_events *events, const char *folder, uint32_t rank)
{
    const struct ct_trace_header header = {.rank = rank, .n_ranks = events->n_ranks};
    char name[CT_TRACE_NAME_MAX], path[PATH_MAX];
    struct ct_trace_stream *stream;
    struct ct_trace_event event;
    struct ct_error err;
    uint64_t position;
    ct_trace_file_name(rank, name);
    if ((size_t)snprintf(path, sizeof path, "%s/%s", folder, name) >= sizeof path) {
        fputs("write_traces: the path is too long\n", stderr);
        exit(1);
    }
    must(ct_trace_stream_open(path, &header, &stream, &err), &err);
    for (;;) {
        must(events->next(events->context, rank, &event, &position, &err), &err);
        if (event.kind == CT_TRACE_NONE)
            break;
        must(ct_trace_stream_add(stream, &event, &err), &err);
    }
    must(ct_trace_stream_close(stream, &err), &err);
}

int main(int argc, char **argv)
{
    struct ct_events events;
    struct ct_error err;
    if (argc != 3) {
        fputs("usage: write_traces FOLDER PROGRAM\n", stderr);
        return 2;
    }
    must(ct_generate_open(argv[2], &events, &err), &err);
    if (mkdir(argv[1], 0777) != 0) {
        perror(argv[1]);
        return 1;
    }
    for (uint32_t rank = 0; rank < events.n_ranks; rank++)
        write_rank(&events, argv[1], rank);
    events.close(events.context);
    return 0;
}
