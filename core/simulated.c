#include "core/simulated.h"

#include "core/clock.h"

#include <simgrid/actor.h>
#include <string.h>

/* Clocks are read in whole nanoseconds: with a shorter sleep a loop that waits might not get on. */
static const double shortest_sleep_s = 2e-9;

void ct_clock_sleep_until(double time_s)
{
    double left_s = time_s - ct_clock_now_s();
    if (left_s > 0)
        sg_actor_sleep_for(left_s > shortest_sleep_s ? left_s : shortest_sleep_s);
}

void ct_clock_spin(double until_s)
{
    ct_clock_sleep_until(until_s);
}

struct ct_simulated_rank ct_simulated_look(void)
{
    if (ct_simulated_self)
        return ct_simulated_self();
    const char *rank = sg_actor_get_property_value(sg_actor_self(), "rank");
    return (struct ct_simulated_rank){.is_first = !rank || strcmp(rank, "0") == 0};
}

void ct_simulated_mark(bool begins)
{
    if (ct_simulated_measure)
        ct_simulated_measure(begins);
}
