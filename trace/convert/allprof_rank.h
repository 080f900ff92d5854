/* One rank's file in liballprof's form, as events. */
#pragma once

#include "trace/convert/allprof_comms.h"

/* An event and its line. Its values are in the rank's list, from first_value on. */
struct ct_allprof_event {
    struct ct_trace_event event;
    uint64_t line;
    size_t first_value;
};

/* A wait or test, and the event whose request it completes. */
struct ct_allprof_completion {
    uint32_t event, completes;
};

/* A rank as it is read: one struct of seven arrays, each with its length and its room. */
struct ct_allprof_rank {
    uint32_t rank, n_ranks;
    uint64_t request_bytes; /* from one handle of an array to the next */
    struct ct_allprof_record *records;
    size_t n_records, room_records;
    struct ct_allprof_binding *bindings;
    size_t n_bindings, room_bindings;
    uint32_t *comms; /* by number in events: index in the table */
    size_t n_comms, room_comms;
    struct ct_allprof_event *events;
    size_t n, room;
    uint64_t *values;
    size_t n_values, room_values;
    struct ct_allprof_completion *completions; /* by event, once it is read */
    size_t n_completions, room_completions;
    size_t next_event, next_completion; /* that ct_allprof_rank_next() gives */
    uint64_t *scratch;                  /* values of the event that it gave */
    size_t room_scratch;
};

void ct_allprof_rank_free(struct ct_allprof_rank *rank);

/* First: request_bytes and records. rank->rank and n_ranks are set, the rest is 0.
 * CT_OK; CT_EFORMAT; CT_ENOMEM */
enum ct_status ct_allprof_rank_scan(struct ct_allprof_rank *rank, struct ct_allprof_text text,
                                    struct ct_error *err);

/* Then, with the handles of all ranks bound: the events. CT_OK; CT_EFORMAT; CT_EUNSUPPORTED (a
 * communicator whose members are not known); CT_ENOMEM */
enum ct_status ct_allprof_rank_read(struct ct_allprof_rank *rank,
                                    const struct ct_allprof_comms *comms,
                                    struct ct_allprof_text text, struct ct_error *err);

enum ct_status ct_allprof_rank_next(struct ct_allprof_rank *rank, struct ct_trace_event *event_p,
                                    uint64_t *position_p, struct ct_error *err);

void ct_allprof_rank_rewind(struct ct_allprof_rank *rank);

/* Sources and tags of wildcard receives, by what is sent. CT_OK; CT_EFORMAT; CT_ENOMEM */
enum ct_status ct_allprof_resolve(struct ct_allprof_rank *ranks, uint32_t n_ranks,
                                  struct ct_error *err);
