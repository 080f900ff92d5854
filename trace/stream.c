#include "trace/stream.h"

#include "core/hash.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PIECE_BYTES = 1 << 18 }; /* of the file that is mapped; a multiple of every page size */

struct ct_trace_stream {
    char path[PATH_MAX];
    uint32_t rank;
    int fd;
    unsigned char *piece; /* NULL: none mapped, after an error */
    size_t piece_bytes;
    uint64_t piece_at; /* its offset in the file */
    size_t used;       /* bytes of it */
    struct ct_trace_before before;
    struct ct_trace_threads threads;
};

static enum ct_status fail_to(struct ct_error *err, const char *what, const char *path, int why)
{
    return ct_fail(err, why == EEXIST ? CT_EEXIST : CT_EIO, "cannot %s %s: %s", what, path,
                   strerror(why));
}

static void unmap_stream(struct ct_trace_stream *stream)
{
    if (stream->piece)
        munmap(stream->piece, stream->piece_bytes);
    stream->piece = NULL;
}

/* Go on with a piece that has room for the bytes, from the page that the last event ended in. */
static enum ct_status map_next(struct ct_trace_stream *stream, size_t bytes, struct ct_error *err)
{
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    uint64_t end = stream->piece_at + stream->used;
    uint64_t at = end / page * page;
    size_t needed = (size_t)(end - at) + bytes;
    size_t size = (needed + PIECE_BYTES - 1) / PIECE_BYTES * PIECE_BYTES;
    unmap_stream(stream);
    stream->piece_at = at;
    stream->used = (size_t)(end - at);
    int why = posix_fallocate(stream->fd, (off_t)at, (off_t)size);
    if (why != 0)
        return fail_to(err, "extend", stream->path, why);
    void *piece = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, stream->fd, (off_t)at);
    if (piece == MAP_FAILED)
        return fail_to(err, "map", stream->path, errno);
    stream->piece = piece;
    stream->piece_bytes = size;
    return CT_OK;
}

enum ct_status ct_trace_stream_open(const char *path, const struct ct_trace_header *header,
                                    struct ct_trace_stream **stream_p, struct ct_error *err)
{
    struct ct_trace_stream *stream = calloc(1, sizeof *stream);
    if (!stream)
        return ct_no_memory(err, "trace");
    if ((size_t)snprintf(stream->path, sizeof stream->path, "%s", path) >= sizeof stream->path) {
        free(stream);
        return ct_fail(err, CT_EIO, "path of a trace is too long: %s", path);
    }
    stream->rank = header->rank;
    stream->before = ct_trace_before_first(header);
    stream->threads.begin_ns = header->start_ns;
    stream->fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    enum ct_status status = stream->fd < 0 ? fail_to(err, "create", path, errno)
                                           : map_next(stream, CT_TRACE_HEADER_BYTES, err);
    if (status != CT_OK) {
        if (stream->fd >= 0) {
            close(stream->fd);
            unlink(path);
        }
        free(stream);
        return status;
    }
    ct_trace_header_encode(header, stream->piece);
    stream->used = CT_TRACE_HEADER_BYTES;
    *stream_p = stream;
    return CT_OK;
}

/* Calls of a thread follow one another. The name of a place is no call, and takes no time. */
static enum ct_status place_event(struct ct_trace_stream *stream, struct ct_trace_event *event,
                                  struct ct_error *err)
{
    const struct ct_trace_before *before = &stream->before;
    uint64_t *end_ns;
    if (!before->has_threads)
        event->thread = 0;
    else if (event->after > before->index)
        return ct_fail(err, CT_EFORMAT, "%s: an event after %llu others, as number %llu",
                       stream->path, (unsigned long long)event->after,
                       (unsigned long long)before->index);
    if (event->kind == CT_TRACE_SITE) {
        event->start_ns = event->end_ns = before->end_ns;
        return CT_OK;
    }
    enum ct_status status = ct_trace_threads_end(&stream->threads, event->thread, &end_ns, err);
    if (status != CT_OK)
        return ct_fail_within(err, status, "%s", stream->path);
    if (event->start_ns < *end_ns)
        event->start_ns = *end_ns;
    if (event->end_ns < event->start_ns)
        event->end_ns = event->start_ns;
    *end_ns = event->end_ns;
    return CT_OK;
}

/* ---- lists of ranks ---- */

static bool write_bytes(int fd, const unsigned char *bytes, size_t n)
{
    size_t at = 0;
    while (at < n) {
        ssize_t written = write(fd, bytes + at, n - at);
        if (written < 0 && errno != EINTR)
            return false;
        at += written > 0 ? (size_t)written : 0;
    }
    return true;
}

/* A list that is there was written for another communicator of the same ranks. */
static enum ct_status write_list(const char *path, const unsigned char *bytes, size_t n,
                                 struct ct_error *err)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0)
        return errno == EEXIST ? CT_OK : fail_to(err, "create", path, errno);
    int why = write_bytes(fd, bytes, n) && fsync(fd) == 0 ? 0 : errno;
    if (close(fd) != 0 && why == 0)
        why = errno;
    if (why == 0)
        return CT_OK;
    unlink(path);
    return fail_to(err, "write", path, why);
}

static enum ct_status save_list(const struct ct_trace_stream *stream, uint64_t list,
                                const struct ct_trace_event *event, struct ct_error *err)
{
    char name[CT_TRACE_LIST_NAME_MAX], path[PATH_MAX];
    const char *slash = strrchr(stream->path, '/');
    const int folder = slash ? (int)(slash - stream->path + 1) : 0;
    ct_trace_list_name(list, name);
    if ((size_t)snprintf(path, sizeof path, "%.*s%s", folder, stream->path, name) >= sizeof path)
        return ct_fail(err, CT_EIO, "path is too long: %s", stream->path);
    unsigned char *bytes = malloc(ct_trace_list_bound(event->n_values));
    if (!bytes)
        return ct_no_memory(err, "trace");
    size_t n = ct_trace_list_encode(event->values, event->n_values, bytes);
    enum ct_status status = write_list(path, bytes, n, err);
    free(bytes);
    return status;
}

/* Ranks that take many numbers are in a file of their own, which their first one writes. */
static enum ct_status share_ranks(const struct ct_trace_stream *stream,
                                  struct ct_trace_event *event, struct ct_error *err)
{
    if (event->kind != CT_TRACE_NEW_COMM || event->n_values <= CT_TRACE_INLINE_VALUES)
        return CT_OK;
    event->list = ct_hash_numbers(event->values, event->n_values);
    enum ct_status status =
        event->values[0] == stream->rank ? save_list(stream, event->list, event, err) : CT_OK;
    if (event->list != 0)
        event->n_values = 0;
    return status;
}

/* ---- events ---- */

enum ct_status ct_trace_stream_add(struct ct_trace_stream *stream,
                                   const struct ct_trace_event *event, struct ct_error *err)
{
    struct ct_trace_event placed = *event;
    if (!stream->piece)
        return ct_fail(err, CT_EIO, "%s takes no more events", stream->path);
    CT_TRY(share_ranks(stream, &placed, err));
    size_t bound = ct_trace_event_bound(&placed);
    if (bound > stream->piece_bytes - stream->used)
        CT_TRY(map_next(stream, bound, err));
    CT_TRY(place_event(stream, &placed, err));
    stream->used += ct_trace_event_encode(&placed, &stream->before, stream->piece + stream->used);
    ct_trace_before_pass(&stream->before, &placed);
    return CT_OK;
}

enum ct_status ct_trace_stream_close(struct ct_trace_stream *stream, struct ct_error *err)
{
    if (!stream)
        return CT_OK;
    unmap_stream(stream);
    enum ct_status status = CT_OK;
    if (ftruncate(stream->fd, (off_t)(stream->piece_at + stream->used)) != 0 ||
        fsync(stream->fd) != 0)
        status = fail_to(err, "finish", stream->path, errno);
    if (close(stream->fd) != 0 && status == CT_OK)
        status = fail_to(err, "close", stream->path, errno);
    ct_trace_threads_free(&stream->threads);
    free(stream);
    return status;
}
