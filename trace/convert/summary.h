/**
 * Summary of the traces of a program: calls, bytes and time of every kind, and calls that are not
 * modelled.
 */
#pragma once

#include "trace/convert/events.h"
#include "trace/unmodelled.h"

/** Calls of one kind, over all ranks. */
struct ct_trace_count {
    uint64_t calls;
    uint64_t sent_bytes; /**< of send and sendrecv: messages; of collectives: see
                            CT_TRACE_KIND_MAP, for lists their sum */
    uint64_t time_ns;    /**< time in these calls */
};

struct ct_trace_summary {
    struct ct_trace_count kinds[CT_TRACE_N_KINDS];
    uint64_t events;
    uint64_t time_ns;                       /**< from the first to the last event, sum over ranks */
    uint64_t longest_ns;                    /**< the same of the rank that took longest */
    uint32_t n_threads;                     /**< of the rank with most threads that called MPI */
    uint32_t n_cut;                         /**< ranks whose trace ends before MPI_Finalize */
    uint32_t first_cut;                     /**< the first of them, if there is one */
    struct ct_trace_unmodelled *unmodelled; /**< n_unmodelled, by name; owned */
    size_t n_unmodelled;
};

/**
 * Summarize events, from the first to the last one of each rank.
 * @param summary_p  [out] ct_trace_summary_free(); unchanged on error
 * @return CT_OK; what next() returns; CT_ENOMEM
 */
enum ct_status ct_events_summarize(const struct ct_events *events,
                                   struct ct_trace_summary *summary_p, struct ct_error *err);
void ct_trace_summary_free(struct ct_trace_summary *summary);
