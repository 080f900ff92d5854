#include "predict/mutual.h"

#include <math.h>

/* Mean speed of the other members, each weighted by its part in the load. */
static double speed_of_others(const struct ct_mutual *mutual, size_t member)
{
    double sum = 0, loads = 0;
    for (size_t i = 0; i < mutual->n; i++)
        if (i != member) {
            sum += mutual->load[i] * mutual->speed[i];
            loads += mutual->load[i];
        }
    return loads > 0 ? sum / loads : 1;
}

/* An application that runs at speed v loads the network for v times the share of the time that it
 * does alone, and leaves it idle for the rest: v_i = 1 - x_i (1 - V_i), where V_i is its speed
 * beside the others at full speed and x_i the mean speed of these. Each step shortens distances by
 * max (1 - V_i) < 1, so there is one solution, and every start leads to it. */
static void settle_delays(struct ct_mutual *mutual)
{
    enum { STEPS_MAX = 10000 };
    double change = 1;
    for (int step = 0; step < STEPS_MAX && change > 1e-9; step++) {
        change = 0;
        for (size_t i = 0; i < mutual->n; i++) {
            double next = 1 - speed_of_others(mutual, i) * (1 - mutual->full[i]);
            change = fmax(change, fabs(next - mutual->speed[i]));
            mutual->speed[i] = next;
        }
    }
}

double ct_mutual_speed(struct ct_mutual *mutual)
{
    const double *full = mutual->full;
    for (size_t i = 0; i < mutual->n; i++)
        mutual->speed[i] = full[i];
    /* Of two whose loads are known the solution is at hand. */
    if (mutual->n == 2 && mutual->load[0] > 0 && mutual->load[1] > 0)
        return full[0] / (1 - (1 - full[0]) * (1 - full[1]));
    settle_delays(mutual);
    return mutual->speed[0];
}
