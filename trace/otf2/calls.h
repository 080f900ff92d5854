/* Converts the calls of one rank, region by region, to events. */
#pragma once

#include "trace/otf2/definitions.h"

/* An event that is finished; its values and text are behind those of the events before it. */
struct ct_otf2_event {
    struct ct_trace_event event;
    uint64_t position; /* of its last record */
    size_t first_value;
    bool tells_after; /* else `after` is its index */
};

/* Times of a thread's records: each location has a clock that does not go back. */
struct ct_otf2_thread {
    uint64_t last_ns; /* of the record before */
    uint64_t end_ns;  /* of the event before */
};

/* A receive or a collective that does not block: its parameters are known when it completes. */
struct ct_otf2_posted {
    bool is_collective, known;
    OTF2_CollectiveOp op;
    OTF2_CommRef comm;
    uint32_t peer; /* member: sender or root */
    int32_t tag;
    uint64_t bytes, received;
};

/* A request under way. */
struct ct_otf2_request {
    uint32_t number; /* in events */
    bool sends;
    bool persistent, idle;   /* idle: a persistent one that is not under way */
    bool is_null;            /* of MPI_PROC_NULL: no event has it */
    enum ct_trace_mode mode; /* of a persistent one */
    /* of one that is not used: the thread that ended it, and events up to that */
    uint32_t by;
    uint64_t since;
};

/* Events that were found and not given out yet. */
struct ct_otf2_found {
    struct ct_otf2_event *events;
    size_t n_events, room_events, next_event;
    uint64_t n_before; /* events of the rank before them */
    uint64_t *values;  /* of the events */
    size_t n_values, room_values;
};

/* What was posted, in order; of the second pass: next_posted of them came. */
struct ct_otf2_posts {
    struct ct_otf2_posted *posted;
    size_t n_posted, room_posted, next_posted;
};

/* Requests: ID of the archive -> index + 1; of the first pass, of what was posted. */
struct ct_otf2_requests {
    struct ct_map of_id;
    bool has_completions; /* the rank has any record of one */
    struct ct_otf2_request *under_way;
    size_t n_under_way, room_under_way;
    uint32_t *unused; /* of under_way */
    size_t n_unused, room_unused;
};

/* The call that is open. */
struct ct_otf2_open_call {
    const struct ct_otf2_region *region;
    uint32_t depth; /* regions of MPI that are open */
    uint64_t start_ns;
    size_t first_of_call; /* among the events */
    uint64_t *completions;
    size_t n_completions, room_completions;
    uint64_t *list; /* attribute "values" */
    size_t n_list, room_list;
    bool has_list;
    struct ct_trace_event extra; /* attributes */
    bool has_extra;
    const struct ct_otf2_comm *made; /* by it; NULL: none that is known */
    bool has_rma;
    bool has_records; /* of MPI */
    uint64_t after;   /* attribute, if tells_after */
    bool tells_after;
};

/* What is no compute though it is outside of calls: while the recording is off, and while the
 * tracer writes its buffer. */
struct ct_otf2_pause {
    bool is_off, was_off, flushes;
    uint32_t lost_leaves; /* calls that were open when it was turned off: their ends may follow */
    uint64_t off_ns, flush_ns, flush_end_ns;
};

struct ct_otf2_calls {
    const struct ct_otf2_definitions *all;
    uint32_t rank;
    struct ct_otf2_thread *threads; /* [n_threads] of the rank */
    uint32_t n_threads;
    uint32_t thread, next_thread; /* whose records are read; whose are next */
    bool scanning;                /* the pass that finds out what was posted */
    struct ct_otf2_found found;
    struct ct_otf2_posts posts;
    struct ct_otf2_requests requests;
    struct ct_otf2_open_call open;
    uint64_t collective_start_ns; /* of the one that began */
    struct ct_otf2_pause pause;
    bool begun, ended;
    enum ct_status status; /* of the first failure in a callback */
    struct ct_error *err;
};

/* Before a pass, which begins with thread 0. CT_OK; CT_ENOMEM */
enum ct_status ct_otf2_calls_begin(struct ct_otf2_calls *calls, uint32_t rank, bool scanning);
/* After all records of the second pass: the end of the program, unless a call says so. */
enum ct_status ct_otf2_calls_end(struct ct_otf2_calls *calls, uint64_t position);
void ct_otf2_calls_free(struct ct_otf2_calls *calls);

/*
 * Of the second pass, in the order of the records; position: of the record.
 * CT_OK; CT_EFORMAT (with the cause, without the place); CT_EUNSUPPORTED; CT_ENOMEM
 */

/* A region begins or ends; those that are not of MPI, and within one of MPI, do not count. */
enum ct_status ct_otf2_calls_enter(struct ct_otf2_calls *calls, OTF2_RegionRef ref, uint64_t at_ns,
                                   const OTF2_AttributeList *attributes);
enum ct_status ct_otf2_calls_leave(struct ct_otf2_calls *calls, OTF2_RegionRef ref, uint64_t at_ns,
                                   uint64_t position);
/* A record that is an event; outside of a call it takes no time. */
enum ct_status ct_otf2_calls_add(struct ct_otf2_calls *calls, struct ct_trace_event event,
                                 uint64_t at_ns, uint64_t position);
/* What completed outside of a call is a wait that takes no time. */
enum ct_status ct_otf2_calls_complete(struct ct_otf2_calls *calls, uint64_t at_ns,
                                      uint64_t position);
/* The recording is turned off, or on again. */
enum ct_status ct_otf2_calls_turn_off(struct ct_otf2_calls *calls, uint64_t at_ns,
                                      uint64_t position);
enum ct_status ct_otf2_calls_turn_on(struct ct_otf2_calls *calls, uint64_t at_ns,
                                     uint64_t position);
/* The tracer writes its buffer until end_ns, at most until the next record. */
void ct_otf2_calls_flush(struct ct_otf2_calls *calls, uint64_t at_ns, uint64_t end_ns);
/* Before each record. */
enum ct_status ct_otf2_calls_end_flush(struct ct_otf2_calls *calls, uint64_t at_ns,
                                       uint64_t position);
enum ct_status ct_otf2_calls_end_program(struct ct_otf2_calls *calls, uint64_t at_ns,
                                         uint64_t position);
