/* Reading liballprof's lines into events: what the files that do it share. */
#pragma once

#include "trace/convert/allprof_rank.h"

/* A request under way: the event that began it. */
struct ct_allprof_open_request {
    uint32_t event;
    bool is_tested; /* `tested` was the last call that may have completed it */
    uint32_t tested;
};

struct ct_allprof_reader {
    struct ct_allprof_rank *of;
    uint64_t line;
    const struct ct_allprof_comms *table;
    size_t next_binding;
    struct ct_map comms;                  /* handle -> index of its binding + 1 */
    struct ct_map numbers;                /* index in the table -> number in events + 1 */
    struct ct_allprof_open_request *open; /* all there were, in the order of their begin */
    size_t n_open, room_open;
    struct ct_map requests;   /* address -> index in open + 1 */
    struct ct_map persistent; /* address -> index in templates + 1 */
    struct ct_map made;       /* address -> 1: a call has made a request there */
    struct ct_trace_event *templates;
    size_t n_templates, room_templates;
    struct ct_error *err;
};

/* An event whose n_values values were added last. */
enum ct_status ct_allprof_add_event(struct ct_allprof_reader *reader, struct ct_trace_event event);
enum ct_status ct_allprof_add_value(struct ct_allprof_reader *reader, uint64_t value);

/* For each line that is a call, until one fails. */
typedef enum ct_status ct_allprof_handler(struct ct_allprof_reader *reader,
                                          const struct ct_allprof_call *call);
enum ct_status ct_allprof_each_line(struct ct_allprof_reader *reader, struct ct_allprof_text text,
                                    ct_allprof_handler *handle);

/* MPICH and its relatives give their objects numbers that begin with the kind of the object. */
bool ct_allprof_is_mpich(uint64_t comm);

/* An event of a kind with the times of a call. */
struct ct_trace_event ct_allprof_timed(const struct ct_allprof_call *call, enum ct_trace_kind kind);
/*
 * The event of a call that communicates. Its values, if it has some, are added.
 * silent_p: it is with MPI_PROC_NULL
 */
enum ct_status ct_allprof_make_event(struct ct_allprof_reader *reader,
                                     const struct ct_allprof_call *call,
                                     struct ct_trace_event *event, bool *silent_p);
