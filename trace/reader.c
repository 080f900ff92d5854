#include "trace/reader.h"

#include "core/array.h"
#include "trace/lists.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct ct_trace {
    char *path;
    const unsigned char *bytes;
    size_t size, at;
    bool borrows; /* the bytes are another reader's */
    struct ct_trace_header header;
    struct ct_trace_before before;
    struct ct_trace_threads threads;
    size_t checked; /* byte up to which the threads of events are known to be right */
    struct ct_trace_scratch scratch;
    char **sites; /* [n_sites] names of the places with numbers from 1 on */
    size_t n_sites, room_sites;
    struct ct_trace_lists *lists; /* of the program's communicators; other readers use them, too */
    struct ct_trace_lists own_lists;
};

/* Files up to this size are read, larger ones are mapped: the kernel allows 65,530 maps of a
 * process (vm.max_map_count), and programs have more ranks. */
enum { READ_BYTES_MAX = 1 << 16 };

static enum ct_status read_bytes(int fd, unsigned char *bytes, size_t size, const char *path,
                                 struct ct_error *err)
{
    size_t at = 0;
    while (at < size) {
        ssize_t n = read(fd, bytes + at, size - at);
        if (n <= 0 && !(n < 0 && errno == EINTR))
            return ct_fail(err, CT_EIO, "cannot read %s: %s", path,
                           n == 0 ? "it has become shorter" : strerror(errno));
        at += n > 0 ? (size_t)n : 0;
    }
    return CT_OK;
}

static enum ct_status load_bytes(int fd, struct ct_trace *trace, struct ct_error *err)
{
    if (trace->size > READ_BYTES_MAX) {
        void *bytes = mmap(NULL, trace->size, PROT_READ, MAP_PRIVATE, fd, 0);
        if (bytes == MAP_FAILED)
            return ct_fail(err, CT_EIO, "cannot map %s: %s%s", trace->path, strerror(errno),
                           errno == ENOMEM ? "; raise vm.max_map_count above the number of ranks"
                                           : "");
        trace->bytes = bytes;
        return CT_OK;
    }
    unsigned char *bytes = malloc(trace->size);
    if (!bytes)
        return ct_no_memory(err, "trace");
    trace->bytes = bytes;
    return read_bytes(fd, bytes, trace->size, trace->path, err);
}

static enum ct_status open_file(struct ct_trace *trace, struct ct_error *err)
{
    struct stat about;
    int fd = open(trace->path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return ct_fail(err, errno == ENOENT ? CT_ENOENT : CT_EIO, "cannot read %s: %s", trace->path,
                       strerror(errno));
    enum ct_status status = CT_OK;
    if (fstat(fd, &about) != 0 || !S_ISREG(about.st_mode) ||
        about.st_size < CT_TRACE_HEADER_BYTES) {
        status = ct_fail(err, CT_EFORMAT, "%s: not a trace of crosstalk", trace->path);
    } else {
        trace->size = (size_t)about.st_size;
        status = load_bytes(fd, trace, err);
    }
    close(fd);
    return status;
}

enum ct_status ct_trace_open(const char *path, struct ct_trace **trace_p, struct ct_error *err)
{
    struct ct_trace *trace = calloc(1, sizeof *trace);
    if (!trace || !(trace->path = strdup(path))) {
        ct_trace_free(trace);
        return ct_no_memory(err, "trace");
    }
    enum ct_status status = open_file(trace, err);
    if (status == CT_OK) {
        status = ct_trace_header_decode(trace->bytes, trace->size, &trace->header, err);
        if (status != CT_OK)
            ct_fail_within(err, status, "%s", path);
    }
    if (status != CT_OK) {
        ct_trace_free(trace);
        return status;
    }
    trace->threads.begin_ns = trace->header.start_ns;
    trace->lists = &trace->own_lists;
    ct_trace_rewind(trace);
    *trace_p = trace;
    return CT_OK;
}

enum ct_status ct_trace_again(const struct ct_trace *trace, struct ct_trace **again_p,
                              struct ct_error *err)
{
    struct ct_trace *again = calloc(1, sizeof *again);
    char *path = strdup(trace->path);
    if (!again || !path) {
        free(again);
        free(path);
        return ct_no_memory(err, "trace");
    }
    *again = (struct ct_trace){.path = path,
                               .bytes = trace->bytes,
                               .size = trace->size,
                               .borrows = true,
                               .header = trace->header,
                               .lists = trace->lists,
                               .threads.begin_ns = trace->header.start_ns};
    ct_trace_rewind(again);
    *again_p = again;
    return CT_OK;
}

const struct ct_trace_header *ct_trace_header_of(const struct ct_trace *trace)
{
    return &trace->header;
}

/* Keep the name of a place, unless it was read before. */
static enum ct_status add_site(struct ct_trace *trace, const struct ct_trace_event *event,
                               struct ct_error *err)
{
    if (event->site == 0 || event->site > trace->n_sites + 1)
        return ct_fail(err, CT_EFORMAT, "place %u of the program where %zu was expected",
                       event->site, trace->n_sites + 1);
    if (event->site <= trace->n_sites)
        return CT_OK;
    char *name = malloc(event->n_text + 1);
    if (!name || !CT_ARRAY_RESERVE(trace->sites, trace->room_sites, trace->n_sites + 1)) {
        free(name);
        return ct_no_memory(err, "trace");
    }
    for (size_t i = 0; i < event->n_text; i++)
        name[i] = event->text[i] >= ' ' && event->text[i] <= '~' ? event->text[i] : '?';
    name[event->n_text] = '\0';
    trace->sites[trace->n_sites++] = name;
    return CT_OK;
}

/* Once for each event: a place is sought only where the trace has been read. */
static enum ct_status check_thread(struct ct_trace *trace, const struct ct_trace_event *event,
                                   struct ct_error *err)
{
    if (!trace->before.has_threads || trace->at <= trace->checked)
        return CT_OK;
    trace->checked = trace->at;
    return ct_trace_threads_pass(&trace->threads, event, err);
}

/* The ranks of a communicator, where the event says only which list has them. */
static enum ct_status find_ranks(struct ct_trace *trace, struct ct_trace_event *event,
                                 struct ct_error *err)
{
    struct ct_trace_list list;
    if (event->list == 0)
        return CT_OK;
    CT_TRY(ct_trace_lists_get(trace->lists, trace->path, event->list, &list, err));
    event->values = list.values;
    event->n_values = list.n_values;
    return CT_OK;
}

static enum ct_status next_event(struct ct_trace *trace, struct ct_trace_event *event_p,
                                 struct ct_error *err)
{
    enum ct_status status;
    do {
        status = ct_trace_event_decode(trace->bytes, trace->size, &trace->at, &trace->before,
                                       &trace->scratch, event_p, err);
        if (status == CT_OK && event_p->kind != CT_TRACE_NONE)
            ct_trace_before_pass(&trace->before, event_p);
        if (status == CT_OK && event_p->kind == CT_TRACE_SITE)
            status = add_site(trace, event_p, err);
        else if (status == CT_OK && event_p->kind != CT_TRACE_NONE)
            status = check_thread(trace, event_p, err);
    } while (status == CT_OK && event_p->kind == CT_TRACE_SITE);
    if (status == CT_OK)
        status = find_ranks(trace, event_p, err);
    if (status != CT_OK || event_p->site == 0)
        return status;
    if (event_p->site > trace->n_sites)
        return ct_fail(err, CT_EFORMAT, "place %u of the program has no name", event_p->site);
    event_p->site_name = trace->sites[event_p->site - 1];
    return CT_OK;
}

enum ct_status ct_trace_next(struct ct_trace *trace, struct ct_trace_event *event_p,
                             struct ct_error *err)
{
    enum ct_status status = next_event(trace, event_p, err);
    return status == CT_OK ? CT_OK : ct_fail_within(err, status, "%s", trace->path);
}

void ct_trace_rewind(struct ct_trace *trace)
{
    trace->at = CT_TRACE_HEADER_BYTES;
    trace->before = ct_trace_before_first(&trace->header);
}

struct ct_trace_place ct_trace_tell(const struct ct_trace *trace)
{
    return (struct ct_trace_place){trace->at, trace->before.end_ns, trace->before.index};
}

void ct_trace_seek(struct ct_trace *trace, struct ct_trace_place place)
{
    trace->at = place.at;
    trace->before.end_ns = place.end_ns;
    trace->before.index = place.index;
}

void ct_trace_free(struct ct_trace *trace)
{
    if (!trace)
        return;
    void *bytes = (void *)(uintptr_t)trace->bytes;
    if (bytes && !trace->borrows && trace->size > READ_BYTES_MAX)
        munmap(bytes, trace->size);
    else if (!trace->borrows)
        free(bytes);
    ct_trace_scratch_free(&trace->scratch);
    ct_trace_threads_free(&trace->threads);
    for (size_t i = 0; i < trace->n_sites; i++)
        free(trace->sites[i]);
    free(trace->sites);
    ct_trace_lists_free(&trace->own_lists);
    free(trace->path);
    free(trace);
}

/* ---- all ranks ---- */

static enum ct_status open_rank(const char *directory, uint32_t rank, struct ct_trace **trace_p,
                                struct ct_error *err)
{
    char name[CT_TRACE_NAME_MAX], path[PATH_MAX];
    ct_trace_file_name(rank, name);
    if ((size_t)snprintf(path, sizeof path, "%s/%s", directory, name) >= sizeof path)
        return ct_fail(err, CT_EIO, "path is too long: %s", directory);
    return ct_trace_open(path, trace_p, err);
}

static enum ct_status open_others(const char *directory, struct ct_trace_set *set,
                                  struct ct_error *err)
{
    for (uint32_t rank = 1; rank < set->n_ranks; rank++) {
        enum ct_status status = open_rank(directory, rank, &set->traces[rank], err);
        if (status == CT_ENOENT)
            return ct_fail(
                err, CT_ENODATA,
                "%s: no trace of rank %u, of %u ranks; copy the files of all ranks there",
                directory, rank, set->n_ranks);
        if (status != CT_OK)
            return status;
        const struct ct_trace_header *header = &set->traces[rank]->header;
        if (header->rank != rank || header->n_ranks != set->n_ranks)
            return ct_fail(err, CT_EFORMAT,
                           "%s: is of rank %u of %u, beside a rank 0 of %u: traces of several "
                           "programs; use a folder for each",
                           set->traces[rank]->path, header->rank, header->n_ranks, set->n_ranks);
        set->traces[rank]->lists = set->traces[0]->lists;
    }
    return CT_OK;
}

enum ct_status ct_trace_set_open(const char *directory, struct ct_trace_set *set_p,
                                 struct ct_error *err)
{
    struct ct_trace *first;
    enum ct_status status = open_rank(directory, 0, &first, err);
    if (status == CT_ENOENT)
        return ct_fail(err, CT_ENOENT,
                       "%s: no traces there (rank-000000.trace and so on; traces in liballprof's "
                       "form are for crosstalk goal)",
                       directory);
    if (status != CT_OK)
        return status;
    struct ct_trace_set set = {.n_ranks = first->header.n_ranks};
    if (set.n_ranks > CT_TRACE_RANKS_MAX || first->header.rank != 0)
        status =
            ct_fail(err, CT_EFORMAT, "%s: rank %u of %u where rank 0 of at most %d was expected",
                    first->path, first->header.rank, set.n_ranks, CT_TRACE_RANKS_MAX);
    else if (!(set.traces = calloc(set.n_ranks, sizeof *set.traces)))
        status = ct_no_memory(err, "traces");
    if (status != CT_OK) {
        ct_trace_free(first);
        return status;
    }
    set.traces[0] = first;
    status = open_others(directory, &set, err);
    if (status != CT_OK)
        ct_trace_set_close(&set);
    else
        *set_p = set;
    return status;
}

void ct_trace_set_close(struct ct_trace_set *set)
{
    for (uint32_t rank = 0; set->traces && rank < set->n_ranks; rank++)
        ct_trace_free(set->traces[rank]);
    free(set->traces);
    *set = (struct ct_trace_set){0};
}
