#include "trace/summary.h"

#include "trace/call.h"

#include <stdlib.h>
#include <string.h>

static int by_name(const void *a, const void *b)
{
    const struct ct_trace_unmodelled *left = a, *right = b;
    return strcmp(left->name, right->name);
}

enum ct_status ct_trace_summary_add(struct ct_trace_summary *summary,
                                    struct ct_trace_summary_rank *rank,
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

void ct_trace_summary_end(struct ct_trace_summary *summary,
                          const struct ct_trace_summary_rank *rank)
{
    uint64_t time_ns = rank->end_ns > rank->begin_ns ? rank->end_ns - rank->begin_ns : 0;
    summary->time_ns += time_ns;
    if (time_ns > summary->longest_ns)
        summary->longest_ns = time_ns;
    if (!rank->whole && summary->n_cut++ == 0)
        summary->first_cut = rank->rank;
}

void ct_trace_summary_sort(struct ct_trace_summary *summary)
{
    if (summary->n_unmodelled > 1)
        qsort(summary->unmodelled, summary->n_unmodelled, sizeof *summary->unmodelled, by_name);
}

static enum ct_status add_rank(struct ct_trace *trace, struct ct_trace_summary *summary,
                               struct ct_error *err)
{
    const struct ct_trace_header *header = ct_trace_header_of(trace);
    struct ct_trace_summary_rank rank = {
        .rank = header->rank, .begin_ns = header->start_ns, .begun = true};
    struct ct_trace_event event;
    enum ct_status status;
    ct_trace_rewind(trace);
    while ((status = ct_trace_next(trace, &event, err)) == CT_OK && event.kind != CT_TRACE_NONE) {
        status = ct_trace_summary_add(summary, &rank, &event, err);
        if (status != CT_OK)
            break;
    }
    ct_trace_summary_end(summary, &rank);
    return status;
}

enum ct_status ct_trace_summarize(const struct ct_trace_set *set,
                                  struct ct_trace_summary *summary_p, struct ct_error *err)
{
    struct ct_trace_summary summary = {0};
    for (uint32_t rank = 0; rank < set->n_ranks; rank++) {
        enum ct_status status = add_rank(set->traces[rank], &summary, err);
        if (status != CT_OK) {
            ct_trace_summary_free(&summary);
            return status;
        }
    }
    ct_trace_summary_sort(&summary);
    *summary_p = summary;
    return CT_OK;
}

void ct_trace_summary_free(struct ct_trace_summary *summary)
{
    free(summary->unmodelled);
    *summary = (struct ct_trace_summary){0};
}
