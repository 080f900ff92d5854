#include "lab/delay.h"

#include "core/random.h"
#include "core/stats.h"
#include "core/units.h"

#include <math.h>

/* What is left of the latency where jitter makes it shortest: time to see a packet and wake up. */
static const double rest_min_s = 50e-6;
static const double normal_reach = 3;

enum { BELOW = 256, LINEAR = 1024, OCTAVE = 32, N_OCTAVES = 14, LINEAR_NS = 1000 };
static const double linear_s = 1e-9 * LINEAR_NS;

const char *const ct_lab_jitter_names[] = {
    [CT_LAB_JITTER_UNIFORM] = "uniform", [CT_LAB_JITTER_NORMAL] = "normal", NULL};

static double reach_s(const struct ct_lab_delay *delay)
{
    return delay->shape == CT_LAB_JITTER_NORMAL ? normal_reach * delay->jitter_s : delay->jitter_s;
}

enum ct_status ct_lab_delay_check(const struct ct_lab_delay *delay, struct ct_error *err)
{
    char text[CT_UNITS_TEXT_MAX];
    if (delay->latency_s == 0 && delay->jitter_s == 0)
        return CT_OK;
    ct_format_duration(delay->latency_s, text);
    if (delay->latency_s == 0)
        return ct_fail(err, CT_EINVAL, "jitter: needs a latency that it varies");
    if (!(delay->latency_s >= CT_LAB_LATENCY_MIN_S && delay->latency_s <= CT_LAB_LATENCY_MAX_S))
        return ct_fail(err, CT_EINVAL, "latency %s: 200us to 20ms can be added", text);
    if (!(delay->jitter_s >= 0 && delay->latency_s - reach_s(delay) >= rest_min_s * (1 - 1e-9)))
        return ct_fail(err, CT_EINVAL,
                       "jitter: at least 50us of the latency, %s, have to remain; uniform jitter "
                       "takes away up to itself, normal jitter up to 3 times itself",
                       text);
    return CT_OK;
}

static int64_t to_ns(double s)
{
    return (int64_t)llround(1e9 * s);
}

int64_t ct_lab_delay_shortest_ns(const struct ct_lab_delay *delay)
{
    return to_ns(delay->latency_s - reach_s(delay));
}

/* ---- when a packet is due ---- */

static double draw_unit(struct ct_lab_delay_order *order)
{
    return ct_random_unit(ct_random_next(&order->random));
}

/* Box and Muller, Annals of Mathematical Statistics 29 (1958); one of its two numbers. */
static double draw_normal(struct ct_lab_delay_order *order)
{
    double x;
    do {
        double radius = sqrt(-2 * log(1 - draw_unit(order)));
        x = radius * cos(2 * M_PI * draw_unit(order));
    } while (fabs(x) > normal_reach);
    return x;
}

int64_t ct_lab_delay_due_ns(struct ct_lab_delay_order *order, const struct ct_lab_delay *delay,
                            int64_t arrival_ns)
{
    double jitter = 0;
    if (delay->jitter_s > 0)
        jitter =
            delay->shape == CT_LAB_JITTER_NORMAL ? draw_normal(order) : 2 * draw_unit(order) - 1;
    int64_t due_ns = arrival_ns + to_ns(delay->latency_s + jitter * delay->jitter_s);
    if (due_ns < order->last_due_ns)
        due_ns = order->last_due_ns;
    order->last_due_ns = due_ns;
    return due_ns;
}

/* ---- how early to wake up ---- */

static double bound_lead(double lead_ns)
{
    return fmin(fmax(lead_ns, 0), CT_LAB_DELAY_LEAD_MAX_NS);
}

void ct_lab_delay_lead_begin(struct ct_lab_delay_lead *lead, double *late_ns, size_t n)
{
    ct_stats_select(late_ns, n, n / 2);
    lead->lead_ns = bound_lead(late_ns[n / 2]);
}

void ct_lab_delay_lead_learn(struct ct_lab_delay_lead *lead, int64_t late_ns)
{
    double step_ns = late_ns > 0 ? CT_LAB_DELAY_LEAD_STEP_NS : -CT_LAB_DELAY_LEAD_STEP_NS;
    lead->lead_ns = bound_lead(lead->lead_ns + step_ns);
}

/* ---- how late packets left ---- */

size_t ct_lab_late_bin(int64_t late_ns)
{
    if (late_ns < -BELOW * LINEAR_NS)
        return 0;
    if (late_ns < LINEAR * LINEAR_NS)
        return 1 + (size_t)(late_ns / LINEAR_NS + BELOW - (late_ns < 0 && late_ns % LINEAR_NS));
    int exponent;
    double mantissa = frexp((double)late_ns / (LINEAR * LINEAR_NS), &exponent); /* 0.5 .. 1 */
    size_t octave = (size_t)exponent - 1;
    if (octave >= N_OCTAVES)
        return CT_LAB_LATE_BINS - 1;
    return 1 + BELOW + LINEAR + octave * OCTAVE + (size_t)((2 * mantissa - 1) * OCTAVE);
}

double ct_lab_late_edge_s(size_t bin)
{
    if (bin == 0)
        return -INFINITY;
    if (bin <= 1 + BELOW + LINEAR)
        return linear_s * ((double)bin - 1 - BELOW);
    if (bin >= CT_LAB_LATE_BINS)
        return INFINITY;
    size_t above = bin - (1 + BELOW + LINEAR);
    return linear_s * LINEAR * ldexp(1 + (double)(above % OCTAVE) / OCTAVE, (int)(above / OCTAVE));
}

/* Linear within the bin that it falls into; the edge of the known where that is open. */
static double quantile_s(const uint64_t *counts, uint64_t n, double p)
{
    double wanted = p * (double)n, below = 0;
    size_t bin = 0;
    while (bin < CT_LAB_LATE_BINS - 1 && below + (double)counts[bin] < wanted)
        below += (double)counts[bin++];
    double low_s = ct_lab_late_edge_s(bin), high_s = ct_lab_late_edge_s(bin + 1);
    if (isinf(low_s) || isinf(high_s))
        return isinf(low_s) ? high_s : low_s;
    return low_s + (high_s - low_s) * (counts[bin] ? (wanted - below) / (double)counts[bin] : 0);
}

struct ct_lab_lateness ct_lab_lateness(const struct ct_lab_late *before,
                                       const struct ct_lab_late *after)
{
    uint64_t counts[CT_LAB_LATE_BINS];
    struct ct_lab_lateness result = {.median_s = NAN, .p99_s = NAN, .largest_s = NAN};
    size_t last = 0;
    for (size_t i = 0; i < CT_LAB_LATE_BINS; i++) {
        counts[i] = after->packets[i] - (before ? before->packets[i] : 0);
        result.packets += counts[i];
        if (counts[i])
            last = i;
    }
    result.drops = after->ring_drops + after->send_drops;
    if (before)
        result.drops -= before->ring_drops + before->send_drops;
    if (result.packets == 0)
        return result;
    result.median_s = quantile_s(counts, result.packets, 0.5);
    result.p99_s = quantile_s(counts, result.packets, 0.99);
    result.largest_s = ct_lab_late_edge_s(last + 1);
    return result;
}
