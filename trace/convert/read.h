/* Reading events into actions: what the files that do it share. */
#pragma once

#include "trace/convert/actions.h"

/* A communicator of a rank. */
struct ct_local_comm {
    uint32_t comm, member;
    uint32_t calls; /* collective calls so far */
};

/* A message that a probe has found, and that is still to be received. */
struct ct_probed {
    int32_t tag;
    uint32_t source;
    uint32_t action;
};

/* An access that the program has not waited for. */
struct ct_accessed {
    uint32_t comm, target, action;
};

/* A rank as it is read. One struct, since one event may touch communicators, requests and probes.
 */
struct ct_reader {
    const struct ct_events *source;
    struct ct_actions *all;
    struct ct_rank_actions *of;
    struct ct_convert_notes *notes;
    uint32_t rank;
    uint64_t position;                  /* of the event that is read */
    const struct ct_trace_event *event; /* that is read */
    bool has_actions;                   /* the event has some so far */
    uint16_t site;                      /* of the event, as struct ct_action has it */
    uint16_t *sites;                    /* [n_sites] of the places that this rank has numbered */
    size_t n_sites, room_sites;
    uint64_t weight;             /* operations that its actions become, about */
    uint64_t end_ns, gap_ns;     /* latest end of an event; compute since the action before */
    bool begun;                  /* end_ns is set */
    bool has_threads;            /* the rank had an event of a second thread */
    struct ct_local_comm *comms; /* [n_comms] in the order of their events */
    uint32_t n_comms, room_comms;
    struct ct_map comm_numbers; /* number -> index in comms + 1 */
    struct ct_map comm_places;  /* communicator of all ranks -> index in comms + 1 */
    struct ct_map requests;     /* number -> first action + 1 */
    struct ct_probed *probed;
    size_t n_probed, room_probed;
    struct ct_accessed *accessed;
    size_t n_accessed, room_accessed;
    bool keeps_accesses;
    /* Events that are still to come in each stage of a call, of which `stage` is the next. */
    uint64_t *stages;
    size_t n_stages, room_stages, stage;
    enum ct_action_stage begins; /* of the next action */
    struct ct_error *err;
};

/* A reader at the first event of a rank; NULL: out of memory. keeps_accesses: what comes after an
 * access, up to the end, is read with it. */
struct ct_reader *ct_reader_new(const struct ct_events *source, struct ct_actions *all,
                                struct ct_convert_notes *notes, uint32_t rank, bool keeps_accesses);
void ct_reader_free(struct ct_reader *reader); /* NULL is allowed */

/*
 * Read on, at least one event, to a place at which no request is open and no message is probed but
 * not received, and to at least this weight; without such a place, to the end.
 * ended_p: whether that is the end.
 */
enum ct_status ct_reader_read(struct ct_reader *reader, uint64_t weight, bool *ended_p,
                              struct ct_error *err);

/* Add an action; it gets the compute since the one before. */
enum ct_status ct_reader_add(struct ct_reader *reader, struct ct_action action);
/* Add an action to the list of those that the next CT_ACTION_COMPLETE completes. */
enum ct_status ct_reader_add_completed(struct ct_reader *reader, uint32_t action);
/* The last n actions belong to a request; if that is 0, the program waits for them. */
enum ct_status ct_reader_give_request(struct ct_reader *reader, uint32_t request, uint32_t n);

/* CT_OK; CT_EFORMAT (there is none of that number; no rank of the program) */
enum ct_status ct_reader_find_comm(struct ct_reader *reader, uint32_t number,
                                   struct ct_local_comm **comm_p);
enum ct_status ct_reader_check_peer(struct ct_reader *reader, int32_t peer);

/* The place in the program that an event comes from, as struct ct_action has it. */
enum ct_status ct_reader_find_site(struct ct_reader *reader, const struct ct_trace_event *event);

/* Events of each kind. */
typedef enum ct_status ct_read_fn(struct ct_reader *reader, const struct ct_trace_event *event);
ct_read_fn ct_on_send, ct_on_receive, ct_on_sendrecv, ct_on_probe; /* read_messages.c */
ct_read_fn ct_on_wait, ct_on_cancel, ct_on_free;                   /* read_messages.c */
ct_read_fn ct_on_access, ct_on_flush;                              /* read_accesses.c */
ct_read_fn ct_on_collective, ct_on_neighbor;                       /* read_collectives.c */
