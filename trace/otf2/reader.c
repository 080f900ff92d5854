/* An archive as events: one rank after the other, in batches of records. Each rank is read twice,
 * for a receive that does not block is known when it completes. */
#include "core/array.h"
#include "core/foreign.h"
#include "trace/otf2/calls.h"
#include "trace/otf2/records.h"
#include "trace/otf2/untried.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BATCH = 4096, NO_RANK = UINT32_MAX };

/* A thread's records. */
struct location {
    OTF2_EvtReader *events;
    uint64_t n_read;
};

struct archive {
    char *path;
    OTF2_Reader *reader;
    OTF2_EvtReaderCallbacks *callbacks;
    struct ct_otf2_definitions all;
    struct ct_events_clock *clocks; /* [ranks]; NULL: when the recording began is not known */
    struct ct_otf2_calls calls;
    struct location *threads; /* [n_threads] of the rank that is open */
    uint32_t n_threads;
    uint32_t rank;  /* NO_RANK: none is */
    uint64_t index; /* of its next event */
    bool finished;
};

static void close_rank(struct archive *archive)
{
    for (uint32_t thread = 0; thread < archive->n_threads; thread++)
        if (archive->threads[thread].events)
            OTF2_Reader_CloseEvtReader(archive->reader, archive->threads[thread].events);
    archive->n_threads = 0;
    archive->rank = NO_RANK;
}

static void close_archive(void *context)
{
    struct archive *archive = context;
    close_rank(archive);
    ct_otf2_calls_free(&archive->calls);
    if (archive->reader) {
        OTF2_Reader_CloseEvtFiles(archive->reader);
        OTF2_Reader_Close(archive->reader);
    }
    OTF2_EvtReaderCallbacks_Delete(archive->callbacks);
    ct_otf2_free_definitions(&archive->all);
    free(archive->threads);
    free(archive->clocks);
    free(archive->path);
    free(archive);
}

/* ---- a rank ---- */

static const struct ct_otf2_location *location_of(const struct archive *archive, uint32_t thread)
{
    return ct_otf2_location_of(&archive->all, archive->rank, thread);
}

static enum ct_status fail_rank(const struct archive *archive, uint32_t thread, OTF2_ErrorCode code,
                                struct ct_error *err)
{
    char what[96];
    uint64_t self = location_of(archive, thread)->self;
    snprintf(what, sizeof what,
             "rank %u (location %" PRIu64 ", its file %" PRIu64 ".evt), event %" PRIu64,
             archive->rank, self, self, archive->threads[thread].n_read + 1);
    return ct_otf2_fail(code, what, err);
}

static enum ct_status open_thread(struct archive *archive, uint32_t thread, struct ct_error *err)
{
    OTF2_EvtReader *events =
        OTF2_Reader_GetEvtReader(archive->reader, location_of(archive, thread)->self);
    archive->threads[thread].events = events;
    if (!events)
        return fail_rank(archive, thread, OTF2_ERROR_INVALID, err);
    OTF2_ErrorCode code = OTF2_Reader_RegisterEvtCallbacks(archive->reader, events,
                                                           archive->callbacks, &archive->calls);
    return code == OTF2_SUCCESS ? CT_OK : fail_rank(archive, thread, code, err);
}

static enum ct_status open_rank(struct archive *archive, uint32_t rank, bool scanning,
                                struct ct_error *err)
{
    close_rank(archive);
    uint32_t n_threads = ct_otf2_n_threads(&archive->all, rank);
    if (!CT_ARRAY_RESIZE(archive->threads, n_threads))
        return ct_no_memory(err, "archive");
    memset(archive->threads, 0, n_threads * sizeof *archive->threads);
    archive->n_threads = n_threads;
    archive->rank = rank;
    archive->index = 0;
    archive->finished = false;
    archive->calls.err = err;
    CT_TRY(ct_otf2_calls_begin(&archive->calls, rank, scanning));
    for (uint32_t thread = 0; thread < n_threads; thread++)
        CT_TRY(open_thread(archive, thread, err));
    return CT_OK;
}

static enum ct_status check_whole(const struct archive *archive, struct ct_error *err)
{
    for (uint32_t thread = 0; thread < archive->n_threads; thread++) {
        const struct ct_otf2_location *location = location_of(archive, thread);
        if (archive->threads[thread].n_read < location->n_events)
            return ct_fail(err, CT_EFORMAT,
                           "rank %u (location %" PRIu64 ", its file %" PRIu64
                           ".evt): cut: it has %" PRIu64 " of %" PRIu64 " events",
                           archive->rank, location->self, location->self,
                           archive->threads[thread].n_read, location->n_events);
    }
    return CT_OK;
}

/* Any record may be the last one before one of another thread. */
static enum ct_status read_batch(struct archive *archive, struct ct_error *err)
{
    struct ct_otf2_calls *calls = &archive->calls;
    struct location *location = &archive->threads[calls->thread];
    uint64_t n = 0, most = archive->n_threads > 1 ? 1 : BATCH;
    calls->err = err;
    OTF2_ErrorCode code = OTF2_Reader_ReadLocalEvents(archive->reader, location->events, most, &n);
    if (calls->status != CT_OK)
        return calls->status;
    if (code != OTF2_SUCCESS)
        return fail_rank(archive, calls->thread, code, err);
    location->n_read += n;
    calls->thread = calls->next_thread;
    archive->finished = n < most;
    return archive->finished ? check_whole(archive, err) : CT_OK;
}

static enum ct_status begin_rank(struct archive *archive, uint32_t rank, struct ct_error *err)
{
    enum ct_status status = open_rank(archive, rank, true, err);
    while (status == CT_OK && !archive->finished)
        status = read_batch(archive, err);
    return status == CT_OK ? open_rank(archive, rank, false, err) : status;
}

/* Until an event is there whose call is closed, or the end. */
static enum ct_status fill_buffer(struct archive *archive, struct ct_error *err)
{
    struct ct_otf2_calls *calls = &archive->calls;
    enum ct_status status = CT_OK;
    calls->found.n_events = calls->found.next_event = calls->found.n_values = 0;
    calls->found.n_before = archive->index;
    calls->open.first_of_call = 0;
    while (status == CT_OK && !archive->finished && !calls->ended &&
           (calls->found.n_events == 0 || calls->open.region))
        status = read_batch(archive, err);
    if (status == CT_OK && archive->finished && !calls->ended)
        status = ct_otf2_calls_end(calls, archive->threads[calls->thread].n_read);
    return status;
}

static enum ct_status read_event(void *context, uint32_t rank, struct ct_trace_event *event_p,
                                 uint64_t *position_p, struct ct_error *err)
{
    struct archive *archive = context;
    struct ct_otf2_calls *calls = &archive->calls;
    enum ct_status status = CT_OK;
    if (archive->rank != rank)
        status = begin_rank(archive, rank, err);
    if (status == CT_OK && calls->found.next_event == calls->found.n_events && !archive->finished &&
        !calls->ended)
        status = fill_buffer(archive, err);
    if (status != CT_OK)
        return status == CT_ENOMEM ? status : ct_fail_within(err, status, "%s", archive->path);
    if (calls->found.next_event == calls->found.n_events) {
        *event_p = (struct ct_trace_event){0};
        return CT_OK;
    }
    const struct ct_otf2_event *found = &calls->found.events[calls->found.next_event++];
    *event_p = found->event;
    if (event_p->list == 0 && event_p->n_values > 0)
        event_p->values = calls->found.values + found->first_value;
    *position_p = found->position;
    if (!found->tells_after)
        event_p->after = archive->index;
    if (event_p->after > archive->index++)
        return ct_fail(err, CT_EFORMAT, "%s: rank %u, event %" PRIu64 ": is after itself",
                       archive->path, rank, found->position);
    return CT_OK;
}

static void rewind_rank(void *context, uint32_t rank)
{
    struct archive *archive = context;
    if (archive->rank == rank)
        close_rank(archive);
}

/* ---- opening ---- */

static bool is_in_files(const struct archive *archive)
{
    OTF2_FileSubstrate substrate;
    return OTF2_Reader_GetFileSubstrate(archive->reader, &substrate) == OTF2_SUCCESS &&
           substrate == OTF2_SUBSTRATE_POSIX;
}

/* Where a thread's events are; false: the path is too long. */
static bool path_of_events(const struct archive *archive, const struct ct_otf2_location *location,
                           char path[PATH_MAX])
{
    size_t stem = strlen(archive->path) - strlen(".otf2");
    return snprintf(path, PATH_MAX, "%.*s/%" PRIu64 ".evt", (int)stem, archive->path,
                    location->self) < PATH_MAX;
}

/* Locations of all threads of all ranks. */
static uint32_t n_locations(const struct archive *archive)
{
    return archive->all.first_threads[archive->all.ranks->n];
}

/* The library would say no more than that something is missing. */
static enum ct_status check_files(const struct archive *archive, struct ct_error *err)
{
    char path[PATH_MAX];
    if (!is_in_files(archive))
        return CT_OK;
    for (uint32_t rank = 0; rank < archive->all.ranks->n; rank++)
        for (uint32_t thread = 0; thread < ct_otf2_n_threads(&archive->all, rank); thread++) {
            const struct ct_otf2_location *location =
                ct_otf2_location_of(&archive->all, rank, thread);
            if (!path_of_events(archive, location, path))
                return ct_fail(err, CT_EIO, "path is too long: %s", archive->path);
            if (location->n_events > 0 && access(path, R_OK) != 0)
                return ct_fail(err, CT_ENODATA, "the events of rank %u, %s: %s", rank, path,
                               strerror(errno));
        }
    return CT_OK;
}

/* Offsets of the clocks, and local names of what is defined globally. */
static enum ct_status read_local_definitions(struct archive *archive, struct ct_error *err)
{
    for (uint32_t i = 0; i < n_locations(archive); i++)
        OTF2_Reader_SelectLocation(archive->reader, archive->all.threads[i].self);
    if (OTF2_Reader_OpenDefFiles(archive->reader) != OTF2_SUCCESS)
        return CT_OK; /* an archive need not have any */
    for (uint32_t i = 0; i < n_locations(archive); i++) {
        OTF2_LocationRef self = archive->all.threads[i].self;
        OTF2_DefReader *definitions = OTF2_Reader_GetDefReader(archive->reader, self);
        uint64_t n = 0;
        if (!definitions)
            continue;
        OTF2_ErrorCode code = OTF2_Reader_ReadAllLocalDefinitions(archive->reader, definitions, &n);
        OTF2_Reader_CloseDefReader(archive->reader, definitions);
        if (code == OTF2_SUCCESS)
            continue;
        uint32_t rank = 0;
        while (archive->all.first_threads[rank + 1] <= i)
            rank++;
        char what[80];
        snprintf(what, sizeof what,
                 "rank %u (location %" PRIu64 "), its definitions, file %" PRIu64 ".def", rank,
                 self, self);
        return ct_otf2_fail(code, what, err);
    }
    OTF2_Reader_CloseDefFiles(archive->reader);
    return CT_OK;
}

static enum ct_status open_reader(struct archive *archive, struct ct_error *err)
{
    ct_otf2_keep_quiet();
    archive->reader = OTF2_Reader_Open(archive->path);
    if (!archive->reader)
        return ct_fail(err, CT_EFORMAT, "not an archive of OTF2, or not whole");
    archive->callbacks = ct_otf2_new_callbacks();
    if (!archive->callbacks)
        return ct_no_memory(err, "archive");
    OTF2_Reader_SetSerialCollectiveCallbacks(archive->reader);
    enum ct_status status = ct_otf2_read_definitions(archive->reader, &archive->all, err);
    archive->calls.all = &archive->all;
    if (status == CT_OK)
        status = check_files(archive, err);
    if (status == CT_OK)
        status = read_local_definitions(archive, err);
    if (status == CT_OK) {
        OTF2_ErrorCode code = OTF2_Reader_OpenEvtFiles(archive->reader);
        if (code != OTF2_SUCCESS)
            status = ct_otf2_fail(code, "its events cannot be read", err);
    }
    return status;
}

/* Times of events count from the offset of the archive's clock, at which all ranks began. */
static enum ct_status set_clocks(struct archive *archive, struct ct_error *err)
{
    uint32_t n = archive->all.ranks->n;
    if (archive->all.realtime_ns == OTF2_UNDEFINED_TIMESTAMP)
        return CT_OK;
    archive->clocks = calloc(n, sizeof *archive->clocks);
    if (!archive->clocks)
        return ct_no_memory(err, "archive");
    for (uint32_t rank = 0; rank < n; rank++)
        archive->clocks[rank].offset_ns = archive->all.realtime_ns;
    return CT_OK;
}

static enum ct_status open_archive(const char *path, struct archive **archive_p,
                                   struct ct_error *err)
{
    struct archive *archive = calloc(1, sizeof *archive);
    if (!archive || !(archive->path = strdup(path))) {
        free(archive);
        return ct_no_memory(err, "archive");
    }
    archive->rank = NO_RANK;
    enum ct_status status = open_reader(archive, err);
    if (status == CT_OK)
        status = set_clocks(archive, err);
    if (status != CT_OK) {
        close_archive(archive);
        if (status == CT_ENOMEM || ct_foreign_explain_path(path, CT_READS_TRACES, err))
            return status;
        return ct_fail_within(err, status, "%s", path);
    }
    *archive_p = archive;
    return CT_OK;
}

/* ---- trying ---- */

/* Seconds of processor time: to open an archive, by the size of its definitions, and for its
 * events. */
enum { OPEN_S = 2, DEFINITIONS_BYTES_PER_S = 1 << 20, EVENTS_PER_S = 50000, ALL_S_MAX = 3600 };

static rlim_t time_to_open(const char *path)
{
    char definitions[PATH_MAX];
    struct stat about;
    int stem = (int)(strlen(path) - strlen(".otf2"));
    if (snprintf(definitions, sizeof definitions, "%.*s.def", stem, path) >= PATH_MAX ||
        stat(definitions, &about) != 0 || about.st_size < 0)
        return OPEN_S;
    return OPEN_S + (rlim_t)about.st_size / DEFINITIONS_BYTES_PER_S;
}

/* Not more than the size of its file allows, whatever the definitions say. */
static uint64_t n_events_of(const struct archive *archive, const struct ct_otf2_location *location)
{
    OTF2_Compression compression;
    char path[PATH_MAX];
    struct stat about;
    uint64_t n = location->n_events;
    if (!is_in_files(archive) || !path_of_events(archive, location, path) ||
        stat(path, &about) != 0 ||
        OTF2_Reader_GetCompression(archive->reader, &compression) != OTF2_SUCCESS ||
        compression != OTF2_COMPRESSION_NONE)
        return n;
    return n < (uint64_t)about.st_size ? n : (uint64_t)about.st_size;
}

static void limit_time(rlim_t seconds)
{
    const struct rlimit limit = {seconds, seconds};
    setrlimit(RLIMIT_CPU, &limit);
}

void ct_otf2_try(const char *path)
{
    struct archive *archive;
    struct ct_trace_event event;
    uint64_t position, n = 0;
    const rlim_t open_s = time_to_open(path);
    limit_time(open_s);
    if (open_archive(path, &archive, NULL) != CT_OK)
        return;
    for (uint32_t i = 0; i < n_locations(archive); i++)
        n += n_events_of(archive, &archive->all.threads[i]) / EVENTS_PER_S;
    limit_time(open_s + (n < ALL_S_MAX ? (rlim_t)n : ALL_S_MAX));
    enum ct_status status = CT_OK;
    for (uint32_t rank = 0; rank < archive->all.ranks->n && status == CT_OK; rank++)
        do
            status = read_event(archive, rank, &event, &position, NULL);
        while (status == CT_OK && event.kind != CT_TRACE_NONE);
    close_archive(archive);
}

enum ct_status ct_otf2_open_untried(const char *anchor, struct ct_events *events_p,
                                    struct ct_error *err)
{
    struct archive *archive;
    CT_TRY(open_archive(anchor, &archive, err));
    *events_p = (struct ct_events){.n_ranks = archive->all.ranks->n,
                                   .position_unit = "event",
                                   .has_threads = n_locations(archive) > archive->all.ranks->n,
                                   .room_possible = !archive->all.by_crosstalk,
                                   .clocks = archive->clocks,
                                   .context = archive,
                                   .next = read_event,
                                   .rewind = rewind_rank,
                                   .close = close_archive};
    return CT_OK;
}
