/* Traces and lists of ranks: any bytes are read or refused, and an event that is read is written as
 * it was. */
#include "core/hash.h"
#include "tests/fuzz/fuzz.h"
#include "trace/format.h"

#include <stdlib.h>
#include <string.h>

static void check_event(const struct ct_trace_event *event, const struct ct_trace_before *before)
{
    struct ct_trace_scratch scratch = {0};
    struct ct_trace_event back;
    struct ct_trace_completion completion;
    struct ct_trace_before here = *before;
    unsigned char *bytes = malloc(ct_trace_event_bound(event));
    size_t at = 0;
    if (!bytes)
        return;
    here.lists_ranks = false; /* as it is written */
    size_t size = ct_trace_event_encode(event, &here, bytes);
    if (event->after > before->index ||
        ct_trace_event_decode(bytes, size, &at, &here, &scratch, &back, NULL) != CT_OK ||
        at != size || back.kind != event->kind || back.start_ns != event->start_ns ||
        back.end_ns != event->end_ns || back.thread != event->thread ||
        back.after != event->after || back.ordinal != event->ordinal || back.list != event->list ||
        back.n_values != event->n_values)
        abort();
    for (at = 0; ct_trace_completion_next(event, &at, &completion);)
        if (at > event->n_values)
            abort();
    ct_trace_scratch_free(&scratch);
    free(bytes);
}

/* The first number says which list it is to be, so that some are: those of one number. */
static void check_list(const uint8_t *data, size_t size)
{
    uint64_t *values, list = size > 8 ? (CT_HASH_BASIS ^ data[8]) * CT_HASH_PRIME : 0;
    size_t n;
    if (ct_trace_list_decode(data, size, list, &values, &n, NULL) != CT_OK)
        return;
    if (ct_hash_numbers(values, n) != list)
        abort();
    free(values);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ct_trace_header header;
    struct ct_trace_scratch scratch = {0};
    struct ct_trace_event event;
    size_t at = CT_TRACE_HEADER_BYTES;
    check_list(data, size);
    if (ct_trace_header_decode(data, size, &header, NULL) != CT_OK)
        return 0;
    struct ct_trace_before before = ct_trace_before_first(&header);
    struct ct_trace_threads threads = {.begin_ns = header.start_ns};
    while (ct_trace_event_decode(data, size, &at, &before, &scratch, &event, NULL) == CT_OK &&
           event.kind != CT_TRACE_NONE) {
        check_event(&event, &before);
        ct_trace_before_pass(&before, &event);
        if (ct_trace_threads_pass(&threads, &event, NULL) == CT_OK &&
            (event.thread >= threads.n || event.end_ns < event.start_ns))
            abort();
    }
    ct_trace_threads_free(&threads);
    ct_trace_scratch_free(&scratch);
    return 0;
}
