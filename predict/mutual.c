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

static double slowed_speed(enum ct_mutual_law law, double full, double others)
{
    return law == CT_MUTUAL_SHARES ? 1 - others * (1 - full) : full / (full + others * (1 - full));
}

/* An application that runs at speed v loads the network v times as much as alone. By shares each
 * step shortens distances by max (1 - V_i) < 1, so there is one solution, and every start leads to
 * it. By rates, too, since the logarithm of each speed moves less than those of the others: its
 * derivative is x (1 - V) / (V + x (1 - V)) < 1. */
static void settle_delays(struct ct_mutual *mutual)
{
    enum { STEPS_MAX = 10000 };
    double change = 1;
    for (int step = 0; step < STEPS_MAX && change > 1e-9; step++) {
        change = 0;
        for (size_t i = 0; i < mutual->n; i++) {
            double next = slowed_speed(mutual->law, mutual->full[i], speed_of_others(mutual, i));
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
    if (mutual->law == CT_MUTUAL_SHARES && mutual->n == 2 && mutual->load[0] > 0 &&
        mutual->load[1] > 0)
        return full[0] / (1 - (1 - full[0]) * (1 - full[1]));
    settle_delays(mutual);
    return mutual->speed[0];
}
