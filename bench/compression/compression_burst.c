#include "bench/compression/compression_burst.h"

#include "core/random.h"

#include <math.h>

static const double jitter_frac = 0.25;

static double draw_length(struct ct_phases *phases)
{
    double mean_s = phases->on ? phases->burst.on_s : phases->burst.off_s;
    return mean_s * (1 + jitter_frac * (2 * ct_random_unit(ct_random_next(&phases->random)) - 1));
}

struct ct_phases ct_phases_start(struct ct_burst burst, uint64_t seed)
{
    struct ct_phases phases = {.burst = burst, .random = seed, .on = true};
    phases.to_s = burst.given ? draw_length(&phases) : INFINITY;
    return phases;
}

static void move_on(struct ct_phases *phases)
{
    if (phases->on)
        phases->on_before_s += phases->to_s - phases->from_s;
    phases->on = !phases->on;
    phases->from_s = phases->to_s;
    phases->to_s += draw_length(phases);
}

static void seek_phase(struct ct_phases *phases, double t_s)
{
    while (phases->to_s <= t_s)
        move_on(phases);
}

double ct_phases_next_on(struct ct_phases *phases, double t_s)
{
    seek_phase(phases, t_s);
    return phases->on ? t_s : phases->to_s;
}

double ct_phases_on_time(struct ct_phases *phases, double t_s)
{
    seek_phase(phases, t_s);
    return phases->on_before_s + (phases->on ? t_s - phases->from_s : 0);
}

double ct_phases_end_of_work(const struct ct_phases *phases, double t_s, double work_s)
{
    struct ct_phases ahead = *phases;
    double start_s = ct_phases_next_on(&ahead, t_s), left_s = work_s;
    while (start_s + left_s > ahead.to_s || !ahead.on) {
        if (ahead.on)
            left_s -= ahead.to_s - start_s;
        move_on(&ahead);
        start_s = ahead.from_s;
    }
    return start_s + left_s;
}
