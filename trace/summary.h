/**
 * Summary of the traces of a program: calls, bytes and time of every kind, and calls that are not
 * modelled.
 */
#pragma once

#include "trace/reader.h"
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
 * @param set        [in]  read from the start to the end
 * @param summary_p  [out] ct_trace_summary_free(); unchanged on error
 * @return CT_OK; CT_EFORMAT (a damaged file, named); CT_ENOMEM
 */
enum ct_status ct_trace_summarize(const struct ct_trace_set *set,
                                  struct ct_trace_summary *summary_p, struct ct_error *err);

/** A rank whose events are being added. */
struct ct_trace_summary_rank {
    uint32_t rank;
    uint64_t begin_ns; /**< start of the recording, if `begun`, else that of the first event */
    uint64_t end_ns;   /**< latest of its events */
    bool begun, whole;
};

/**
 * The same event by event, for traces of other forms: for each rank ct_trace_summary_add() of all
 * events, then ct_trace_summary_end(), and at last ct_trace_summary_sort().
 * @param rank  [in,out] {.rank = R} at first
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_trace_summary_add(struct ct_trace_summary *summary,
                                    struct ct_trace_summary_rank *rank,
                                    const struct ct_trace_event *event, struct ct_error *err);
void ct_trace_summary_end(struct ct_trace_summary *summary,
                          const struct ct_trace_summary_rank *rank);
void ct_trace_summary_sort(struct ct_trace_summary *summary);

void ct_trace_summary_free(struct ct_trace_summary *summary);
