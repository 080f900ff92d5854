#include "bench/replay/pace.h"

#include "core/clock.h"

/* Shorter pauses than a sleep takes to begin and end are spun. */
static const double sleep_from_ns = 30e3;

void ct_pace_wait(struct ct_pace *pace, uint64_t compute_ns)
{
    double due_ns = ct_pace_due(pace, compute_ns);
    uint64_t now_ns = ct_clock_now_ns();
    while ((double)now_ns < due_ns) { /* a signal ends a sleep early; the pass stays whole */
        if (!pace->spin && due_ns - (double)now_ns >= sleep_from_ns)
            ct_clock_sleep_until(1e-9 * due_ns);
        now_ns = ct_clock_now_ns();
    }
    ct_pace_start(pace, due_ns, now_ns);
}
