/* Traces: any bytes are read or refused, and an event that is read is written as it was. */
#include "lp-bridge/trace/format.h"
#include "tests/fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

static void check_event(const struct ct_trace_event *event, uint64_t previous_end_ns)
{
    struct ct_trace_scratch scratch = {0};
    struct ct_trace_event back;
    struct ct_trace_completion completion;
    unsigned char *bytes = malloc(ct_trace_event_bound(event));
    size_t at = 0;
    if (!bytes)
        return;
    size_t size = ct_trace_event_encode(event, previous_end_ns, bytes);
    if (ct_trace_event_decode(bytes, size, &at, previous_end_ns, &scratch, &back, NULL) != CT_OK ||
        at != size || back.kind != event->kind || back.end_ns != event->end_ns ||
        back.n_values != event->n_values)
        abort();
    for (at = 0; ct_trace_completion_next(event, &at, &completion);)
        if (at > event->n_values)
            abort();
    ct_trace_scratch_free(&scratch);
    free(bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ct_trace_header header;
    struct ct_trace_scratch scratch = {0};
    struct ct_trace_event event;
    size_t at = CT_TRACE_HEADER_BYTES;
    if (ct_trace_header_decode(data, size, &header, NULL) != CT_OK)
        return 0;
    uint64_t end_ns = header.start_ns;
    while (ct_trace_event_decode(data, size, &at, end_ns, &scratch, &event, NULL) == CT_OK &&
           event.kind != CT_TRACE_NONE) {
        check_event(&event, end_ns);
        end_ns = event.end_ns;
    }
    ct_trace_scratch_free(&scratch);
    return 0;
}
