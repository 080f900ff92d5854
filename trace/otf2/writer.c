/* Events as an archive: each call is a region with the records of MPI in it, as Score-P writes
 * them; what these cannot say is in attributes. Definitions come last, when they are known. */
#include "trace/otf2/writer.h"

#include "core/array.h"
#include "core/file.h"
#include "core/version.h"
#include "trace/otf2/definitions.h"
#include "trace/otf2/otf2.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { EVENTS_CHUNK = 1 << 20, DEFINITIONS_CHUNK = 4 << 20 };

/* ---- ranks ---- */

static enum ct_status write_rank_events(struct ct_otf2_writer *writer)
{
    const struct ct_events *source = writer->source;
    struct ct_trace_event event;
    uint64_t position;
    enum ct_status status;
    source->rewind(source->context, writer->now.rank);
    while ((status = source->next(source->context, writer->now.rank, &event, &position,
                                  writer->err)) == CT_OK &&
           event.kind != CT_TRACE_NONE) {
        status = ct_otf2_write_event(writer, &event);
        if (status == CT_EFORMAT)
            ct_fail_within(writer->err, status, "rank %u, %s %" PRIu64 " (%s)", writer->now.rank,
                           source->position_unit, position, ct_trace_kind_text(event.kind));
        if (status != CT_OK)
            break;
    }
    return status;
}

static enum ct_status open_threads(struct ct_otf2_writer *writer, uint32_t rank)
{
    uint32_t n = 1 + writer->first_others[rank + 1] - writer->first_others[rank];
    if (!CT_ARRAY_RESERVE(writer->now.threads, writer->now.room_threads, (size_t)n))
        return ct_no_memory(writer->err, "archive");
    for (writer->now.n_threads = 0; writer->now.n_threads < n; writer->now.n_threads++) {
        uint32_t location = ct_otf2_written_location(writer, rank, writer->now.n_threads);
        OTF2_EvtWriter *events = OTF2_Archive_GetEvtWriter(writer->archive, location);
        if (!events)
            return ct_fail(writer->err, CT_EIO, "the events of rank %u cannot be written", rank);
        writer->now.threads[writer->now.n_threads] =
            (struct ct_otf2_written_thread){.events = events};
    }
    writer->now.thread = 0;
    writer->events = writer->now.threads[0].events;
    return CT_OK;
}

static void close_threads(struct ct_otf2_writer *writer, uint32_t rank)
{
    for (uint32_t thread = 0; thread < writer->now.n_threads; thread++) {
        OTF2_EvtWriter *events = writer->now.threads[thread].events;
        uint64_t *n_events = &writer->n_events[ct_otf2_written_location(writer, rank, thread)];
        ct_otf2_keep(writer, OTF2_EvtWriter_GetNumberOfEvents(events, n_events));
        ct_otf2_keep(writer, OTF2_Archive_CloseEvtWriter(writer->archive, events));
    }
}

static enum ct_status write_rank(struct ct_otf2_writer *writer, uint32_t rank)
{
    const struct ct_events_clock *clocks = writer->source->clocks;
    writer->now.rank = rank;
    writer->now.shift_ns = (clocks ? clocks[rank].offset_ns : 0) - writer->origin_ns;
    ct_map_free(&writer->now.comm_numbers);
    ct_map_free(&writer->now.requests);
    writer->now.comm_numbers = writer->now.requests = (struct ct_map){0};
    writer->now.n_under_way = writer->now.unused = 0;
    writer->now.is_open = false;
    enum ct_status status = open_threads(writer, rank);
    if (status == CT_OK)
        status = write_rank_events(writer);
    if (status == CT_OK)
        ct_otf2_write_leave(writer, writer->now.thread);
    close_threads(writer, rank);
    return status == CT_OK ? ct_otf2_writer_check(writer) : status;
}

/* A pass before: all communicators and threads, and when the first rank began, for nothing of the
 * archive is before. */
static enum ct_status prepare_rank(struct ct_otf2_writer *writer, uint32_t rank)
{
    struct ct_trace_threads threads = {0};
    uint64_t *end_ns;
    const struct ct_events *source = writer->source;
    struct ct_trace_event event;
    uint64_t position, first_ns = 0;
    bool begun = source->clocks != NULL;
    enum ct_status status;
    if (begun)
        first_ns = source->clocks[rank].start_ns + source->clocks[rank].offset_ns;
    source->rewind(source->context, rank);
    while ((status = source->next(source->context, rank, &event, &position, writer->err)) ==
               CT_OK &&
           event.kind != CT_TRACE_NONE) {
        if (!begun || (!source->clocks && event.start_ns < first_ns))
            first_ns = event.start_ns;
        begun = true;
        status = ct_trace_threads_end(&threads, event.thread, &end_ns, writer->err);
        if (status == CT_OK && event.kind == CT_TRACE_NEW_COMM)
            status = ct_otf2_write_comm(writer, &event);
        if (status != CT_OK) {
            ct_fail_within(writer->err, status, "rank %u, %s %" PRIu64, rank, source->position_unit,
                           position);
            break;
        }
    }
    writer->first_others[rank + 1] =
        writer->first_others[rank] + (threads.n > 0 ? threads.n - 1 : 0);
    ct_trace_threads_free(&threads);
    if (begun && first_ns < writer->origin_ns)
        writer->origin_ns = first_ns;
    return status;
}

static enum ct_status prepare_archive(struct ct_otf2_writer *writer)
{
    uint32_t n_ranks = writer->source->n_ranks;
    writer->origin_ns = UINT64_MAX;
    writer->first_others = calloc((size_t)n_ranks + 1, sizeof *writer->first_others);
    if (!writer->first_others)
        return ct_no_memory(writer->err, "archive");
    writer->first_others[0] = n_ranks;
    for (uint32_t rank = 0; rank < n_ranks; rank++)
        CT_TRY(prepare_rank(writer, rank));
    writer->n_events = calloc(writer->first_others[n_ranks] + (size_t)1, sizeof *writer->n_events);
    return writer->n_events ? ct_otf2_number_comms(writer) : ct_no_memory(writer->err, "archive");
}

/* ---- the archive ---- */

static OTF2_FlushType flush_buffer(void *data, OTF2_FileType type, OTF2_LocationRef location,
                                   void *caller, bool is_last)
{
    (void)data;
    (void)type;
    (void)location;
    (void)caller;
    (void)is_last;
    return OTF2_FLUSH;
}

static enum ct_status write_all(struct ct_otf2_writer *writer, const char *directory)
{
    static const OTF2_FlushCallbacks callbacks = {.otf2_pre_flush = flush_buffer};
    CT_TRY(prepare_archive(writer));
    writer->archive =
        OTF2_Archive_Open(directory, "traces", OTF2_FILEMODE_WRITE, EVENTS_CHUNK, DEFINITIONS_CHUNK,
                          OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    if (!writer->archive)
        return ct_fail(writer->err, CT_EIO, "cannot be created");
    ct_otf2_keep(writer, OTF2_Archive_SetFlushCallbacks(writer->archive, &callbacks, NULL));
    ct_otf2_keep(writer, OTF2_Archive_SetSerialCollectiveCallbacks(writer->archive));
    ct_otf2_keep(writer, OTF2_Archive_SetCreator(writer->archive, "crosstalk " CT_VERSION));
    ct_otf2_keep(writer, OTF2_Archive_OpenEvtFiles(writer->archive));
    enum ct_status status = ct_otf2_writer_check(writer);
    for (uint32_t rank = 0; rank < writer->source->n_ranks && status == CT_OK; rank++)
        status = write_rank(writer, rank);
    ct_otf2_keep(writer, OTF2_Archive_CloseEvtFiles(writer->archive));
    if (status == CT_OK)
        status = ct_otf2_write_definitions(writer);
    ct_otf2_keep(writer, OTF2_Archive_Close(writer->archive));
    return status == CT_OK ? ct_otf2_writer_check(writer) : status;
}

static void free_writer(struct ct_otf2_writer *writer)
{
    for (size_t i = 0; i < writer->names.n_texts; i++)
        free(writer->names.texts[i]);
    free(writer->names.texts);
    free(writer->names.regions);
    free(writer->n_events);
    free(writer->first_others);
    free(writer->now.threads);
    free(writer->refs);
    free(writer->now.under_way);
    ct_map_free(&writer->names.text_of);
    ct_map_free(&writer->names.region_of);
    ct_map_free(&writer->now.comm_numbers);
    ct_map_free(&writer->now.requests);
    ct_comms_free(&writer->comms);
    OTF2_AttributeList_Delete(writer->attributes);
}

/* The library writes the anchor last: an archive that is not complete has none. */
enum ct_status ct_otf2_write(const struct ct_events *events, const char *directory,
                             struct ct_error *err)
{
    struct ct_otf2_writer writer = {
        .source = events,
        .comms = {.n_ranks = events->n_ranks, .position_unit = events->position_unit},
        .attributes = OTF2_AttributeList_New(),
        .err = err};
    enum ct_status status = writer.attributes ? CT_OK : ct_no_memory(writer.err, "archive");
    if (status == CT_OK && access(directory, F_OK) == 0 && rmdir(directory) != 0)
        status = ct_fail(err, CT_EEXIST,
                         "%s: is there already, and not empty: an archive gets a folder of its own",
                         directory);
    /* The library would make the folders above it, too. */
    if (status == CT_OK && mkdir(directory, 0777) != 0)
        status = ct_fail(err, CT_EIO, "%s: cannot be created: %s", directory, strerror(errno));
    if (status == CT_OK) {
        ct_otf2_keep_quiet();
        status = write_all(&writer, directory);
        if (status != CT_OK) {
            ct_file_remove_folder(directory);
            ct_fail_within(err, status, "%s", directory);
        }
    }
    free_writer(&writer);
    return status;
}
