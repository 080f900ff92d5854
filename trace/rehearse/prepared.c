#include "trace/rehearse/prepared.h"

struct ct_prepared ct_prepared_of(const struct ct_trace_event *event)
{
    bool sends = event->kind == CT_TRACE_SEND_INIT || event->kind == CT_TRACE_SEND;
    return (struct ct_prepared){.exists = true,
                                .sends = sends,
                                .mode = event->mode,
                                .comm = event->comm,
                                .message = sends ? event->to : event->from};
}

static bool is_same_call(const struct ct_prepared *a, const struct ct_prepared *b)
{
    return a->exists == b->exists && a->sends == b->sends && a->mode == b->mode &&
           a->comm == b->comm && a->message.bytes == b->message.bytes;
}

static bool allows_start(int32_t prepared, int32_t started, bool sends)
{
    return prepared == started || (!sends && prepared < 0);
}

bool ct_prepared_fits(const struct ct_prepared *prepared, const struct ct_trace_event *start)
{
    const struct ct_prepared started = ct_prepared_of(start);
    return is_same_call(prepared, &started) &&
           allows_start(prepared->message.rank, started.message.rank, prepared->sends) &&
           allows_start(prepared->message.tag, started.message.tag, prepared->sends);
}

bool ct_prepared_same(const struct ct_prepared *a, const struct ct_prepared *b)
{
    return is_same_call(a, b) && a->message.rank == b->message.rank &&
           a->message.tag == b->message.tag;
}
