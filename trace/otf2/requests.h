/* Requests of a rank: those under way; what was posted, from the pass that scans. */
#pragma once

#include "trace/otf2/calls.h"

/* number_p: in events. CT_OK; CT_EFORMAT (it is under way, and its completion cannot have been
 * missed while nothing was recorded); CT_ENOMEM */
enum ct_status ct_otf2_open_request(struct ct_otf2_calls *calls, uint64_t id, bool sends,
                                    uint32_t *number_p);
/* The same for one of MPI_PROC_NULL, which events do not have. */
enum ct_status ct_otf2_open_null_request(struct ct_otf2_calls *calls, uint64_t id);
/* The same for the persistent request of an init event, which gets its number. */
enum ct_status ct_otf2_make_request(struct ct_otf2_calls *calls, uint64_t id,
                                    struct ct_trace_event *event);
/* A message begins: the event gets its request; if that is a persistent one, `starts` and mode. */
enum ct_status ct_otf2_begin_request(struct ct_otf2_calls *calls, uint64_t id,
                                     struct ct_trace_event *event);
/* A request is freed, if there is one of that ID. */
void ct_otf2_drop_request(struct ct_otf2_calls *calls, uint64_t id);
/* *known_p: whether events have it: not one of MPI_PROC_NULL, and not one that began while nothing
 * was recorded, which becomes an unmodelled event. CT_OK; CT_EFORMAT (none of that ID is under
 * way); CT_ENOMEM */
enum ct_status ct_otf2_close_request(struct ct_otf2_calls *calls, uint64_t id, uint64_t at_ns,
                                     uint64_t position, struct ct_otf2_request *request_p,
                                     bool *known_p);
/* What the call that is open completes, too. */
enum ct_status ct_otf2_add_completion(struct ct_otf2_calls *calls,
                                      struct ct_trace_completion completion);

/* The first pass: something is posted, and what it was when it completes. */
enum ct_status ct_otf2_scan_post(struct ct_otf2_calls *calls, uint64_t id, bool is_collective);
void ct_otf2_scan_completion(struct ct_otf2_calls *calls, uint64_t id, struct ct_otf2_posted known);
/* The second pass: what is posted next. */
const struct ct_otf2_posted *ct_otf2_next_posted(struct ct_otf2_calls *calls);
