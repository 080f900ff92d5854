#include "lp-bridge/trace/summary.h"

#include "core/array.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t bytes_of(const struct ct_trace_event *event)
{
    uint64_t bytes = event->to.bytes + event->bytes;
    if (event->kind == CT_TRACE_ALLTOALLV)
        for (size_t i = 0; i < event->n_values; i++)
            bytes += event->values[i];
    if (event->kind == CT_TRACE_NEIGHBOR && event->n_values > 0)
        for (size_t i = 0; i < event->values[0] && 2 * i + 2 < event->n_values; i++)
            bytes += event->values[2 * i + 2];
    return bytes;
}

static int by_name(const void *a, const void *b)
{
    const struct ct_trace_unmodelled *left = a, *right = b;
    return strcmp(left->name, right->name);
}

/* There are few names, so they are searched from the front. */
static enum ct_status count_unmodelled(struct ct_trace_summary *summary,
                                       const struct ct_trace_event *event, struct ct_error *err)
{
    char name[CT_TRACE_TEXT_MAX + 1];
    snprintf(name, sizeof name, "%.*s", (int)event->n_text, event->text ? event->text : "");
    size_t i = 0;
    while (i < summary->n_unmodelled && strcmp(summary->unmodelled[i].name, name) != 0)
        i++;
    if (i == summary->n_unmodelled) {
        if (!CT_ARRAY_RESIZE(summary->unmodelled, i + 1))
            return ct_fail(err, CT_ENOMEM, "traces: out of memory");
        summary->unmodelled[summary->n_unmodelled++] = (struct ct_trace_unmodelled){0};
        memcpy(summary->unmodelled[i].name, name, sizeof name);
    }
    summary->unmodelled[i].calls++;
    summary->unmodelled[i].time_ns += event->end_ns - event->start_ns;
    return CT_OK;
}

static enum ct_status add_rank(struct ct_trace *trace, struct ct_trace_summary *summary,
                               struct ct_error *err)
{
    struct ct_trace_event event;
    uint64_t begin_ns = ct_trace_header_of(trace)->start_ns, end_ns = begin_ns;
    bool whole = false;
    ct_trace_rewind(trace);
    for (;;) {
        enum ct_status status = ct_trace_next(trace, &event, err);
        if (status != CT_OK || event.kind == CT_TRACE_NONE) {
            uint64_t time_ns = end_ns - begin_ns;
            summary->time_ns += time_ns;
            if (time_ns > summary->longest_ns)
                summary->longest_ns = time_ns;
            if (!whole && summary->n_cut++ == 0)
                summary->first_cut = ct_trace_header_of(trace)->rank;
            return status;
        }
        struct ct_trace_count *count = &summary->kinds[event.kind];
        count->calls++;
        count->sent_bytes += bytes_of(&event);
        count->time_ns += event.end_ns - event.start_ns;
        summary->events++;
        end_ns = event.end_ns;
        whole = whole || event.kind == CT_TRACE_END;
        if (event.kind == CT_TRACE_UNMODELLED && count_unmodelled(summary, &event, err) != CT_OK)
            return CT_ENOMEM;
    }
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
    if (summary.n_unmodelled > 1)
        qsort(summary.unmodelled, summary.n_unmodelled, sizeof *summary.unmodelled, by_name);
    *summary_p = summary;
    return CT_OK;
}

void ct_trace_summary_free(struct ct_trace_summary *summary)
{
    free(summary->unmodelled);
    *summary = (struct ct_trace_summary){0};
}
