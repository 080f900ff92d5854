/* An archive as traces that can be read at any place: a replay reads all ranks in turns. */
#include "trace/otf2/otf2.h"
#include "trace/stream.h"

#include <limits.h>
#include <stdio.h>

static enum ct_status copy_events(const struct ct_events *events, uint32_t rank,
                                  struct ct_trace_stream *stream, struct ct_error *err)
{
    struct ct_trace_event event;
    uint64_t position;
    enum ct_status status;
    do {
        status = events->next(events->context, rank, &event, &position, err);
        if (status == CT_OK && event.kind != CT_TRACE_NONE)
            status = ct_trace_stream_add(stream, &event, err);
    } while (status == CT_OK && event.kind != CT_TRACE_NONE);
    return status;
}

static enum ct_status unpack_rank(const struct ct_events *events, uint32_t rank,
                                  const char *directory, struct ct_error *err)
{
    const struct ct_trace_header header = {
        .rank = rank, .n_ranks = events->n_ranks, .has_threads = events->has_threads};
    struct ct_trace_stream *stream;
    char path[PATH_MAX], name[CT_TRACE_NAME_MAX];
    ct_trace_file_name(rank, name);
    if (snprintf(path, sizeof path, "%s/%s", directory, name) >= (int)sizeof path)
        return ct_fail(err, CT_EIO, "path is too long: %s/%s", directory, name);
    CT_TRY(ct_trace_stream_open(path, &header, &stream, err));
    enum ct_status status = copy_events(events, rank, stream, err);
    enum ct_status closed = ct_trace_stream_close(stream, status == CT_OK ? err : NULL);
    return status == CT_OK ? closed : status;
}

enum ct_status ct_otf2_unpack(const char *path, const char *directory, bool *room_possible_p,
                              struct ct_error *err)
{
    struct ct_events events;
    CT_TRY(ct_otf2_open(path, &events, err));
    enum ct_status status = CT_OK;
    for (uint32_t rank = 0; rank < events.n_ranks && status == CT_OK; rank++)
        status = unpack_rank(&events, rank, directory, err);
    *room_possible_p = events.room_possible;
    events.close(events.context);
    return status;
}
