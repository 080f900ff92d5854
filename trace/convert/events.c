#include "trace/convert/events.h"

#include "core/order.h"

#include <stdlib.h>

struct traces {
    struct ct_trace_set set;
    struct ct_events_clock *clocks;
};

/* ---- clocks ---- */

/* Ranks of one node have one monotonic clock, and so the same difference to the time of day, but
 * for the time between the two readings of it; those of other nodes were booted at another time. */
enum { SAME_CLOCK_NS = 1000000 };

struct offset {
    uint64_t ns;
    uint32_t rank;
};

CT_ORDER(by_offset, struct offset, ns)

/* Of the ranks with one clock, the least difference counts: nothing came between its readings. */
static bool read_clocks(const struct ct_trace_set *set, struct ct_events_clock *clocks)
{
    struct offset *offsets = malloc(set->n_ranks * sizeof *offsets);
    if (!offsets)
        return false;
    for (uint32_t rank = 0; rank < set->n_ranks; rank++) {
        const struct ct_trace_header *header = ct_trace_header_of(set->traces[rank]);
        clocks[rank].start_ns = header->start_ns;
        offsets[rank] = (struct offset){header->start_unix_ns - header->start_ns, rank};
    }
    qsort(offsets, set->n_ranks, sizeof *offsets, by_offset);
    uint64_t offset_ns = offsets[0].ns;
    for (uint32_t i = 0; i < set->n_ranks; i++) {
        if (i > 0 && offsets[i].ns - offsets[i - 1].ns > SAME_CLOCK_NS)
            offset_ns = offsets[i].ns;
        clocks[offsets[i].rank].offset_ns = offset_ns;
    }
    free(offsets);
    return true;
}

/* ---- the tracer's files: one, which is the context ---- */

static const char position_unit[] = "event";

static enum ct_status next_of_trace(void *context, uint32_t rank, struct ct_trace_event *event_p,
                                    uint64_t *position_p, struct ct_error *err)
{
    (void)rank;
    *position_p = ct_trace_tell(context).index + 1;
    return ct_trace_next(context, event_p, err);
}

static struct ct_events_place tell_in_trace(const void *context, uint32_t rank)
{
    (void)rank;
    struct ct_trace_place place = ct_trace_tell(context);
    return (struct ct_events_place){place.at, place.end_ns, place.index};
}

static void seek_in_trace(void *context, uint32_t rank, struct ct_events_place place)
{
    (void)rank;
    ct_trace_seek(context, (struct ct_trace_place){place.at, place.before, place.position});
}

static void rewind_trace(void *context, uint32_t rank)
{
    (void)rank;
    ct_trace_rewind(context);
}

static void close_trace(void *context)
{
    ct_trace_free(context);
}

/* ---- and those of all ranks ---- */

static struct ct_trace *trace_of(const void *context, uint32_t rank)
{
    return ((const struct traces *)context)->set.traces[rank];
}

static enum ct_status next_of_rank(void *context, uint32_t rank, struct ct_trace_event *event_p,
                                   uint64_t *position_p, struct ct_error *err)
{
    return next_of_trace(trace_of(context, rank), rank, event_p, position_p, err);
}

static struct ct_events_place tell_of_rank(const void *context, uint32_t rank)
{
    return tell_in_trace(trace_of(context, rank), rank);
}

static void seek_of_rank(void *context, uint32_t rank, struct ct_events_place place)
{
    seek_in_trace(trace_of(context, rank), rank, place);
}

static void rewind_rank(void *context, uint32_t rank)
{
    rewind_trace(trace_of(context, rank), rank);
}

static enum ct_status read_again(const void *context, uint32_t rank, struct ct_events *again_p,
                                 struct ct_error *err)
{
    const struct traces *traces = context;
    struct ct_trace *again;
    CT_TRY(ct_trace_again(trace_of(context, rank), &again, err));
    *again_p = (struct ct_events){.n_ranks = traces->set.n_ranks,
                                  .position_unit = position_unit,
                                  .has_threads = true,
                                  .clocks = traces->clocks,
                                  .context = again,
                                  .next = next_of_trace,
                                  .tell = tell_in_trace,
                                  .seek = seek_in_trace,
                                  .rewind = rewind_trace,
                                  .close = close_trace};
    return CT_OK;
}

static void close_traces(void *context)
{
    struct traces *traces = context;
    ct_trace_set_close(&traces->set);
    free(traces->clocks);
    free(traces);
}

static bool have_threads(const struct ct_trace_set *set)
{
    bool have = false;
    for (uint32_t rank = 0; rank < set->n_ranks; rank++)
        have |= ct_trace_header_of(set->traces[rank])->has_threads;
    return have;
}

enum ct_status ct_trace_events_open(const char *directory, struct ct_events *events_p,
                                    struct ct_error *err)
{
    struct ct_trace_set set;
    CT_TRY(ct_trace_set_open(directory, &set, err));
    struct traces *traces = calloc(1, sizeof *traces);
    struct ct_events_clock *clocks = calloc(set.n_ranks, sizeof *clocks);
    if (!traces || !clocks || !read_clocks(&set, clocks)) {
        free(traces);
        free(clocks);
        ct_trace_set_close(&set);
        return ct_no_memory(err, "traces");
    }
    *traces = (struct traces){set, clocks};
    *events_p = (struct ct_events){.n_ranks = set.n_ranks,
                                   .position_unit = position_unit,
                                   .by_processor = ct_trace_header_of(set.traces[0])->by_processor,
                                   .in_simgrid = ct_trace_header_of(set.traces[0])->in_simgrid,
                                   .has_threads = have_threads(&set),
                                   .clocks = clocks,
                                   .context = traces,
                                   .next = next_of_rank,
                                   .tell = tell_of_rank,
                                   .seek = seek_of_rank,
                                   .rewind = rewind_rank,
                                   .again = read_again,
                                   .close = close_traces};
    return CT_OK;
}
