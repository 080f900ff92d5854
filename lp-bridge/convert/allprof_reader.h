/* Reading liballprof's lines into events: what the files that do it share. */
#ifndef CT_LP_BRIDGE_CONVERT_ALLPROF_READER_H
#define CT_LP_BRIDGE_CONVERT_ALLPROF_READER_H

#include "lp-bridge/convert/allprof_rank.h"

/* A communicator's handle as the file has it; its number is its place. */
struct ct_allprof_handle {
    uint64_t handle, size;
};

/* A request under way: the event that began it. */
struct ct_allprof_open_request {
    uint32_t event;
    bool is_tested; /* `tested` was the last call that may have completed it */
    uint32_t tested;
};

struct ct_allprof_reader {
    struct ct_allprof_rank *of;
    uint64_t line;
    uint64_t request_bytes; /* from one handle of an array to the next */
    struct ct_allprof_handle *handles;
    size_t n_handles;
    struct ct_handle_map comms;  /* handle -> number + 1 */
    uint64_t n_copies, n_selves; /* communicators of all ranks but MPI_COMM_WORLD, and of one */
    struct ct_allprof_open_request *open; /* all there were, in the order of their begin */
    size_t n_open, room_open;
    struct ct_handle_map requests;   /* address -> place in open + 1 */
    struct ct_handle_map persistent; /* address -> place in templates + 1 */
    struct ct_trace_event *templates;
    size_t n_templates, room_templates;
    struct ct_error *err;
};

/* Room for one item more, at least. */
bool ct_allprof_make_room(void *array_p, size_t n, size_t *room, size_t item_size);
/* An event whose n_values values were added last. */
enum ct_status ct_allprof_add_event(struct ct_allprof_reader *reader, struct ct_trace_event event);
enum ct_status ct_allprof_add_value(struct ct_allprof_reader *reader, uint64_t value);

/* Whether a call's communicator has all ranks, with the numbers that they have in the program. */
bool ct_allprof_is_world(const struct ct_allprof_reader *reader,
                         const struct ct_allprof_call *call);
/* Number of a call's communicator, which is added if it is new. CT_OK; CT_EUNSUPPORTED; CT_ENOMEM
 */
enum ct_status ct_allprof_find_comm(struct ct_allprof_reader *reader,
                                    const struct ct_allprof_call *call, uint32_t *number_p);

/* An event of a kind with the times of a call. */
struct ct_trace_event ct_allprof_timed(const struct ct_allprof_call *call, enum ct_trace_kind kind);
/*
 * The event of a call that communicates. Its values, if it has some, are added.
 * silent_p: it is with MPI_PROC_NULL
 */
enum ct_status ct_allprof_make_event(struct ct_allprof_reader *reader,
                                     const struct ct_allprof_call *call,
                                     struct ct_trace_event *event, bool *silent_p);

#endif
