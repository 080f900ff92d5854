#include "trace/rehearse/stage.h"

#include <stdarg.h>
#include <stdio.h>

enum ct_status ct_stage_fail(struct ct_stage *stage, const struct ct_actor *actor,
                             enum ct_status status, const char *format, ...)
{
    static const char lost[] =
        "; threads called MPI at the same time, and traces do not have the order of such calls";
    char text[sizeof stage->err->text], gaps[80] = "";
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    for (uint32_t rank = 0; rank < stage->events->n_ranks && !*gaps; rank++)
        if (stage->processes[rank].has_gaps)
            snprintf(gaps, sizeof gaps, "; the recording of rank %u was off in between", rank);
    return ct_fail(stage->err, status, "rank %u, %s %llu (%s): %s%s%s", actor->rank,
                   stage->events->position_unit, (unsigned long long)actor->script.position,
                   ct_trace_kind_text(actor->event.kind), text, stage->has_threads ? lost : "",
                   gaps);
}
