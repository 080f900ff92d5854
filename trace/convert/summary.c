#include "trace/convert/summary.h"

#include "trace/call.h"

#include <stdlib.h>
#include <string.h>

static int by_name(const void *a, const void *b)
{
    const struct ct_trace_unmodelled *left = a, *right = b;
    return strcmp(left->name, right->name);
}

/* A rank whose events are being added. */
struct rank {
    uint32_t number;
    uint64_t begin_ns; /* start of the recording, if `begun`, else that of the first event */
    uint64_t end_ns;   /* latest of its events */
    bool begun, whole;
};

static enum ct_status add_event(struct ct_trace_summary *summary, struct rank *rank,
                                const struct ct_trace_event *event, struct ct_error *err)
{
    struct ct_trace_count *count = &summary->kinds[event->kind];
    if (!rank->begun)
        rank->begin_ns = event->start_ns;
    rank->begun = true;
    count->calls++;
    count->sent_bytes += ct_trace_sent_bytes(event);
    count->time_ns += event->end_ns - event->start_ns;
    summary->events++;
    if (event->end_ns > rank->end_ns)
        rank->end_ns = event->end_ns;
    if (event->thread >= summary->n_threads)
        summary->n_threads = event->thread + 1;
    rank->whole = rank->whole || event->kind == CT_TRACE_END;
    return event->kind == CT_TRACE_UNMODELLED
               ? ct_trace_unmodelled_add(&summary->unmodelled, &summary->n_unmodelled, event, err)
               : CT_OK;
}

static void end_rank(struct ct_trace_summary *summary, const struct rank *rank)
{
    uint64_t time_ns = rank->end_ns > rank->begin_ns ? rank->end_ns - rank->begin_ns : 0;
    summary->time_ns += time_ns;
    if (time_ns > summary->longest_ns)
        summary->longest_ns = time_ns;
    if (!rank->whole && summary->n_cut++ == 0)
        summary->first_cut = rank->number;
}

static void sort_summary(struct ct_trace_summary *summary)
{
    if (summary->n_unmodelled > 1)
        qsort(summary->unmodelled, summary->n_unmodelled, sizeof *summary->unmodelled, by_name);
}

static enum ct_status summarize_rank(const struct ct_events *events, uint32_t rank,
                                     struct ct_trace_summary *summary, struct ct_error *err)
{
    struct rank of = {.number = rank};
    struct ct_trace_event event;
    uint64_t position;
    enum ct_status status;
    if (events->clocks) {
        of.begin_ns = events->clocks[rank].start_ns;
        of.begun = true;
    }
    events->rewind(events->context, rank);
    while ((status = events->next(events->context, rank, &event, &position, err)) == CT_OK &&
           event.kind != CT_TRACE_NONE) {
        status = add_event(summary, &of, &event, err);
        if (status != CT_OK)
            break;
    }
    end_rank(summary, &of);
    return status;
}

enum ct_status ct_events_summarize(const struct ct_events *events,
                                   struct ct_trace_summary *summary_p, struct ct_error *err)
{
    struct ct_trace_summary summary = {0};
    for (uint32_t rank = 0; rank < events->n_ranks; rank++) {
        enum ct_status status = summarize_rank(events, rank, &summary, err);
        if (status != CT_OK) {
            ct_trace_summary_free(&summary);
            return status;
        }
    }
    sort_summary(&summary);
    *summary_p = summary;
    return CT_OK;
}

void ct_trace_summary_free(struct ct_trace_summary *summary)
{
    free(summary->unmodelled);
    *summary = (struct ct_trace_summary){0};
}
