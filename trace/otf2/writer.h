/* An archive that is being written: what its parts share. */
#pragma once

#include "trace/convert/communicators.h"
#include "trace/convert/events.h"
#include "trace/otf2/attributes.h"
#include "trace/otf2/sizes.h"

#include <otf2/otf2.h>

enum { CT_OTF2_TICKS_PER_S = 1000000000 };

/* What a request began. */
struct ct_otf2_writer_request {
    uint64_t id;
    enum ct_trace_kind kind;
    bool persistent;
    OTF2_CollectiveOp op;
    OTF2_CommRef ref;
    uint32_t comm; /* number in events */
    uint32_t root; /* member */
    struct ct_otf2_sizes sizes;
    uint32_t next_unused; /* where the place is not used: another, + 1 */
};

struct ct_otf2_written_region {
    OTF2_StringRef name;
    OTF2_RegionRole role;
    bool is_unmodelled;
};

/* A thread's records. */
struct ct_otf2_written_thread {
    OTF2_EvtWriter *events;
    uint64_t end_ns; /* of its last event */
};

/* References of the archive: to a text, to a region. */
struct ct_otf2_written_names {
    char **texts; /* OTF2_StringRef -> text, owned */
    size_t n_texts, room_texts;
    struct ct_map text_of; /* hash -> index + 1 */
    struct ct_otf2_written_region *regions;
    size_t n_regions, room_regions;
    struct ct_map region_of; /* name << 1 | is_unmodelled -> index + 1 */
};

/* The rank under way. */
struct ct_otf2_written_rank {
    uint32_t rank;
    struct ct_otf2_written_thread *threads; /* [n_threads] */
    uint32_t n_threads, room_threads;
    uint32_t thread; /* of the event under way, and of the region that is open */
    uint64_t shift_ns;
    struct ct_map comm_numbers; /* number -> index among comms + 1 */
    struct ct_map requests;     /* number -> index + 1 */
    struct ct_otf2_writer_request *under_way;
    size_t n_under_way, room_under_way;
    uint32_t unused; /* of under_way, + 1; 0: none */
    uint64_t n_requests;
    bool is_open; /* the region below: of a call that starts more requests */
    OTF2_RegionRef open;
    uint32_t next_start;
};

struct ct_otf2_writer {
    const struct ct_events *source;
    OTF2_Archive *archive;
    OTF2_EvtWriter *events; /* of the thread of the event under way */
    OTF2_AttributeList *attributes;
    struct ct_comms comms;
    uint32_t n_self;    /* communicators of one rank: highest ordinal + 1 */
    OTF2_CommRef *refs; /* [comms.n] */
    struct ct_otf2_written_names names;
    /* Locations: those of the ranks have their numbers, which are those of their threads 0; then
     * come the other threads of rank 0, of rank 1, ... */
    uint32_t *first_others; /* [ranks + 1] */
    uint64_t *n_events;     /* [locations] */
    uint64_t origin_ns, last_ns;
    struct ct_otf2_written_rank now;
    OTF2_ErrorCode code; /* of the first call that failed */
    struct ct_error *err;
};

/* Location of a thread of a rank. */
static inline uint32_t ct_otf2_written_location(const struct ct_otf2_writer *writer, uint32_t rank,
                                                uint32_t thread)
{
    return thread == 0 ? rank : writer->first_others[rank] + thread - 1;
}

/* The first failure counts; it is reported where a status is returned. */
static inline void ct_otf2_keep(struct ct_otf2_writer *writer, OTF2_ErrorCode code)
{
    if (writer->code == OTF2_SUCCESS)
        writer->code = code;
}

static inline enum ct_status ct_otf2_writer_check(const struct ct_otf2_writer *writer)
{
    return writer->code == OTF2_SUCCESS
               ? CT_OK
               : ct_fail(writer->err, CT_EIO, "the archive cannot be written: OTF2: %s",
                         OTF2_Error_GetDescription(writer->code));
}

/* ---- names (write_names.c): references are given out once for each text, and each region ---- */

enum ct_status ct_otf2_write_text(struct ct_otf2_writer *writer, const char *text,
                                  OTF2_StringRef *ref_p);
/* The region that stands for the event's call. */
enum ct_status ct_otf2_write_region(struct ct_otf2_writer *writer,
                                    const struct ct_trace_event *event, OTF2_RegionRef *ref_p);

/* ---- communicators (write_comms.c) ---- */

/* Before the events: all communicators, then their references. */
enum ct_status ct_otf2_write_comm(struct ct_otf2_writer *writer,
                                  const struct ct_trace_event *event);
enum ct_status ct_otf2_number_comms(struct ct_otf2_writer *writer);
/* Of a communicator of several ranks, after `before`: the one with the next ordinal; comms.n: there
 * is none. By their order a reader tells those with the same members apart. */
size_t ct_otf2_next_comm(const struct ct_comms *comms, size_t before);
/* The event's communicator, which its number stands for from now on. */
enum ct_status ct_otf2_have_comm(struct ct_otf2_writer *writer, const struct ct_trace_event *event);
/* What a number stands for. CT_OK; CT_EFORMAT */
enum ct_status ct_otf2_comm_ref(const struct ct_otf2_writer *writer, uint32_t number,
                                const struct ct_comm **comm_p, OTF2_CommRef *ref_p);
/* Place of a rank among the members. CT_OK; CT_EFORMAT */
enum ct_status ct_otf2_writer_member(const struct ct_otf2_writer *writer,
                                     const struct ct_comm *comm, int64_t rank, uint32_t *member_p);

/* ---- calls (write_calls.c) ---- */

/* The event's region, with its records and attributes. */
enum ct_status ct_otf2_write_event(struct ct_otf2_writer *writer,
                                   const struct ct_trace_event *event);
/* Leave the region that is open, if there is one: after the last event of a rank, and before one of
 * a thread. */
void ct_otf2_write_leave(struct ct_otf2_writer *writer, uint32_t next_thread);

/* ---- definitions (write_definitions.c): at last, when all of them are known ---- */

enum ct_status ct_otf2_write_definitions(struct ct_otf2_writer *writer);
