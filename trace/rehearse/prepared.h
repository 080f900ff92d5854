/**
 * Persistent requests: the arguments that a program prepared, and that each start of the request
 * repeats. Pure: no MPI.
 */
#pragma once

#include "trace/format.h"

struct ct_prepared {
    bool exists; /**< false: there is no persistent request, and the rest is 0 */
    bool sends;
    enum ct_trace_mode mode;
    uint32_t comm;
    struct ct_trace_message message; /**< to or from; rank or tag of a receive below 0: any */
};

/** @param event  [in] send_init, receive_init, or a start */
struct ct_prepared ct_prepared_of(const struct ct_trace_event *event);
/**
 * Whether a start is one of this request. The source and tag of a receive from any source may be
 * those of the message that it gets.
 */
bool ct_prepared_fits(const struct ct_prepared *prepared, const struct ct_trace_event *start);
bool ct_prepared_same(const struct ct_prepared *a, const struct ct_prepared *b);
