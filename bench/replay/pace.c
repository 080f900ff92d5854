#include "bench/replay/pace.h"

#include "core/clock.h"

/* Shorter pauses than a sleep takes to begin and end are spun. */
static const double sleep_from_ns = 30e3;
static const double lead_max_ns = 200e3, memory = 1.0 / 16;

/* What is late by far was kept from the processor by others: that is no matter of timers. */
static void note_late(struct ct_pace *pace, double late_ns)
{
    double counted_ns = late_ns > lead_max_ns ? lead_max_ns : late_ns < 0 ? 0 : late_ns;
    pace->lead_ns += memory * (counted_ns - pace->lead_ns);
}

uint64_t ct_pace_until(struct ct_pace *pace, double due_ns)
{
    uint64_t now_ns = ct_clock_now_ns();
    while ((double)now_ns < due_ns) { /* a signal ends a sleep early; the pass stays whole */
        double until_ns = due_ns - pace->lead_ns;
        bool sleeps = !pace->spin && until_ns - (double)now_ns >= sleep_from_ns;
        if (sleeps)
            ct_clock_sleep_until(1e-9 * until_ns);
        else
            ct_clock_spin(1e-9 * due_ns);
        now_ns = ct_clock_now_ns();
        if (sleeps)
            note_late(pace, (double)now_ns - until_ns);
    }
    return now_ns;
}

void ct_pace_wait(struct ct_pace *pace, uint64_t compute_ns)
{
    double due_ns = ct_pace_due(pace, compute_ns);
    ct_pace_start(pace, due_ns, ct_pace_until(pace, due_ns));
}
