/* A source of events: the traces of all ranks of a program, in any form. */
#pragma once

#include "trace/reader.h"
#include "trace/unmodelled.h"

/* The clock of a rank. */
struct ct_events_clock {
    uint64_t start_ns;  /* when the recording began */
    uint64_t offset_ns; /* to be added (modulo 2^64), for a clock that all ranks share */
};

/* A place among the events of a rank; the meaning of the numbers depends on the form of traces. */
struct ct_events_place {
    uint64_t at, before, position;
};

/*
 * Events of each rank, in order, with the meaning that trace/format.h gives them. Readers of other
 * forms translate to these.
 */
struct ct_events {
    uint32_t n_ranks;
    const char *position_unit; /* what positions count: "event", "line" */
    /* Whether the bytes of a receive are the size of its buffer, not of its message. */
    bool room_only;
    /* Whether they may be: of some writers of archives. */
    bool room_possible;
    /* Whether the time between calls is the processor time of the thread that made them. */
    bool by_processor;
    /* Whether the program ran inside SimGrid. */
    bool in_simgrid;
    /* Whether a rank may have events of several threads. */
    bool has_threads;
    const struct ct_events_clock *clocks; /* [n_ranks]; NULL: one clock, whose start is not known */
    void *context;
    /*
     * The next event of a rank; kind CT_TRACE_NONE at the end; borrowed until the next call.
     * position_p: its number, from 1, for messages.
     */
    enum ct_status (*next)(void *context, uint32_t rank, struct ct_trace_event *event_p,
                           uint64_t *position_p, struct ct_error *err);
    /* Get the place of the next event of a rank, and go back to a place; both take no time. */
    struct ct_events_place (*tell)(const void *context, uint32_t rank);
    void (*seek)(void *context, uint32_t rank, struct ct_events_place place);
    /* To the first event of a rank. */
    void (*rewind)(void *context, uint32_t rank);
    /*
     * Another cursor over the events of one rank, at the first one; no other rank of *again_p may
     * be read. It is closed before these events are. With has_threads; else NULL. again_p:
     * unchanged on error. CT_OK; CT_ENOMEM
     */
    enum ct_status (*again)(const void *context, uint32_t rank, struct ct_events *again_p,
                            struct ct_error *err);
    void (*close)(void *context);
};

/* Traces of `crosstalk trace` in a folder. CT_OK; else as ct_trace_set_open(); CT_ENOMEM */
enum ct_status ct_trace_events_open(const char *directory, struct ct_events *events_p,
                                    struct ct_error *err);
