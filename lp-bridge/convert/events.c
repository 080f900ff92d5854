#include "lp-bridge/convert/events.h"

#include "lp-bridge/convert/allprof.h"
#include "lp-bridge/trace/reader.h"

#include <stdlib.h>

struct traces {
    struct ct_trace_set set;
    uint64_t *positions; /* [rank] events read */
};

static enum ct_status next_of_trace(void *context, uint32_t rank, struct ct_trace_event *event_p,
                                    uint64_t *position_p, struct ct_error *err)
{
    struct traces *traces = context;
    *position_p = ++traces->positions[rank];
    return ct_trace_next(traces->set.traces[rank], event_p, err);
}

static struct ct_events_place tell_in_trace(const void *context, uint32_t rank)
{
    const struct traces *traces = context;
    struct ct_trace_place place = ct_trace_tell(traces->set.traces[rank]);
    return (struct ct_events_place){place.at, place.end_ns, traces->positions[rank]};
}

static void seek_in_trace(void *context, uint32_t rank, struct ct_events_place place)
{
    struct traces *traces = context;
    ct_trace_seek(traces->set.traces[rank], (struct ct_trace_place){place.at, place.before});
    traces->positions[rank] = place.position;
}

static void close_traces(void *context)
{
    struct traces *traces = context;
    ct_trace_set_close(&traces->set);
    free(traces->positions);
    free(traces);
}

static enum ct_status open_traces(const char *directory, struct ct_events *events_p,
                                  struct ct_error *err)
{
    struct ct_trace_set set;
    enum ct_status status = ct_trace_set_open(directory, &set, err);
    if (status != CT_OK)
        return status;
    struct traces *traces = calloc(1, sizeof *traces);
    uint64_t *positions = calloc(set.n_ranks, sizeof *positions);
    if (!traces || !positions) {
        free(traces);
        free(positions);
        ct_trace_set_close(&set);
        return ct_fail(err, CT_ENOMEM, "traces: out of memory");
    }
    *traces = (struct traces){set, positions};
    *events_p = (struct ct_events){.n_ranks = set.n_ranks,
                                   .position_unit = "event",
                                   .context = traces,
                                   .next = next_of_trace,
                                   .tell = tell_in_trace,
                                   .seek = seek_in_trace,
                                   .close = close_traces};
    return CT_OK;
}

enum ct_status ct_events_open(const char *directory, struct ct_events *events_p,
                              struct ct_error *err)
{
    enum ct_status status = open_traces(directory, events_p, err);
    if (status != CT_ENOENT)
        return status;
    status = ct_allprof_open(directory, events_p, err);
    if (status != CT_ENOENT)
        return status;
    return ct_fail(err, CT_ENOENT,
                   "%s: no traces there: neither rank-000000.trace (crosstalk trace) nor a file "
                   "that ends in -0.txt (liballprof)",
                   directory);
}
