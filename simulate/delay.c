#include "simulate/delay.h"

#include "core/lesser.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* A corner of dL(t); between two corners it is straight. Two at one time are a jump. */
struct corner {
    double time_ns, extra_ns;
};

struct ct_delay {
    struct corner *corners; /* n, from 0 to period */
    size_t n;
    double period_ns;
    uint32_t *first; /* [bucket]: the last corner that is not after the bucket's begin */
    size_t n_buckets;
    double buckets_per_ns;
};

/* ---- nothing overtakes ---- */

struct maker {
    struct ct_delay *delay;
    double latest_ns; /* arrival of the latest message so far */
};

static void add_corner(struct maker *maker, double time_ns, double extra_ns)
{
    struct ct_delay *delay = maker->delay;
    const struct corner *last = delay->n > 0 ? &delay->corners[delay->n - 1] : NULL;
    if (last && last->time_ns == time_ns && last->extra_ns == extra_ns)
        return;
    delay->corners[delay->n++] = (struct corner){time_ns, extra_ns};
}

/* A straight piece of d, raised to where nothing arrives before what was sent earlier. */
static void add_piece(struct maker *maker, struct corner from, struct corner to)
{
    double arrival_ns = from.time_ns + from.extra_ns, end_ns = to.time_ns + to.extra_ns;
    if (arrival_ns >= maker->latest_ns) {
        maker->latest_ns = arrival_ns;
        add_corner(maker, from.time_ns, from.extra_ns);
    } else {
        add_corner(maker, from.time_ns, maker->latest_ns - from.time_ns);
        if (end_ns > maker->latest_ns) {
            double part = (maker->latest_ns - arrival_ns) / (end_ns - arrival_ns);
            double at_ns = from.time_ns + part * (to.time_ns - from.time_ns);
            add_corner(maker, at_ns, from.extra_ns + part * (to.extra_ns - from.extra_ns));
        }
    }
    if (end_ns >= maker->latest_ns) {
        maker->latest_ns = end_ns;
        add_corner(maker, to.time_ns, to.extra_ns);
    } else {
        add_corner(maker, to.time_ns, maker->latest_ns - to.time_ns);
    }
}

/* Times from the first sample on; the end of the last piece is the beginning of the next period. */
static void add_period(struct maker *maker, const struct ct_delay_samples *samples)
{
    for (size_t i = 0; i < samples->n; i++) {
        bool is_last = i + 1 == samples->n;
        struct corner from = {samples->time_ns[i] - samples->time_ns[0], samples->extra_ns[i]};
        struct corner to = {is_last ? samples->period_ns
                                    : samples->time_ns[i + 1] - samples->time_ns[0],
                            samples->extra_ns[is_last ? 0 : i + 1]};
        if (samples->shape == CT_DELAY_STEP)
            to.extra_ns = from.extra_ns;
        add_piece(maker, from, to);
    }
}

/* The second period sees what the one before left behind. */
static void add_corners(struct ct_delay *delay, const struct ct_delay_samples *samples)
{
    struct maker maker = {delay, -INFINITY};
    add_period(&maker, samples);
    maker.latest_ns -= samples->period_ns;
    delay->n = 0;
    add_period(&maker, samples);
}

/* ---- looking up ---- */

static void index_corners(struct ct_delay *delay)
{
    uint32_t corner = 0;
    for (size_t b = 0; b < delay->n_buckets; b++) {
        double begin_ns = (double)b / delay->buckets_per_ns;
        while (corner + 1 < delay->n && delay->corners[corner + 1].time_ns <= begin_ns)
            corner++;
        delay->first[b] = corner;
    }
}

double ct_delay_at(const struct ct_delay *delay, double time_ns)
{
    if (time_ns >= delay->period_ns)
        time_ns -= floor(time_ns / delay->period_ns) * delay->period_ns;
    size_t bucket = (size_t)(ct_greater(0, time_ns) * delay->buckets_per_ns);
    size_t i = delay->first[bucket < delay->n_buckets ? bucket : delay->n_buckets - 1];
    while (i > 0 && delay->corners[i].time_ns > time_ns)
        i--;
    while (i + 2 < delay->n && delay->corners[i + 1].time_ns <= time_ns)
        i++;
    const struct corner *from = &delay->corners[i], *to = from + 1;
    double width_ns = to->time_ns - from->time_ns;
    if (to->extra_ns == from->extra_ns || !(width_ns > 0))
        return from->extra_ns;
    return from->extra_ns + (to->extra_ns - from->extra_ns) * (time_ns - from->time_ns) / width_ns;
}

double ct_delay_period_ns(const struct ct_delay *delay)
{
    return delay->period_ns;
}

double ct_delay_mean_ns(const struct ct_delay *delay)
{
    double area = 0;
    for (size_t i = 1; i < delay->n; i++) {
        const struct corner *from = &delay->corners[i - 1], *to = &delay->corners[i];
        area += (to->time_ns - from->time_ns) * (from->extra_ns + to->extra_ns) / 2;
    }
    return area / delay->period_ns;
}

/* ---- the whole ---- */

static enum ct_status check(const struct ct_delay_samples *samples, struct ct_error *err)
{
    if (samples->n == 0 || samples->n > UINT32_MAX / 4)
        return ct_fail(err, CT_EINVAL, "delay: %zu samples; 1 to 2^30 are needed", samples->n);
    for (size_t i = 0; i < samples->n; i++) {
        if (!isfinite(samples->time_ns[i]) || !isfinite(samples->extra_ns[i]))
            return ct_fail(err, CT_EINVAL, "delay: sample %zu is not finite", i);
        if (i > 0 && samples->time_ns[i] < samples->time_ns[i - 1])
            return ct_fail(err, CT_EINVAL, "delay: sample %zu is earlier than the one before", i);
    }
    double span_ns = samples->time_ns[samples->n - 1] - samples->time_ns[0];
    if (!(isfinite(samples->period_ns) && samples->period_ns > span_ns))
        return ct_fail(err, CT_EINVAL,
                       "delay: a period of %g ns for samples over %g ns; it must be longer",
                       samples->period_ns, span_ns);
    return CT_OK;
}

enum ct_status ct_delay_new(const struct ct_delay_samples *samples, struct ct_delay **delay_p,
                            struct ct_error *err)
{
    enum { CORNERS_A_PIECE = 3 };
    enum ct_status status = check(samples, err);
    if (status != CT_OK)
        return status;
    struct ct_delay *delay = calloc(1, sizeof *delay);
    if (delay) {
        delay->period_ns = samples->period_ns;
        delay->n_buckets = samples->n;
        delay->buckets_per_ns = (double)samples->n / samples->period_ns;
        delay->corners = malloc((CORNERS_A_PIECE * samples->n + 1) * sizeof *delay->corners);
        delay->first = malloc(delay->n_buckets * sizeof *delay->first);
    }
    if (!delay || !delay->corners || !delay->first) {
        ct_delay_free(delay);
        return ct_fail(err, CT_ENOMEM, "delay: out of memory");
    }
    add_corners(delay, samples);
    index_corners(delay);
    *delay_p = delay;
    return CT_OK;
}

void ct_delay_free(struct ct_delay *delay)
{
    if (!delay)
        return;
    free(delay->corners);
    free(delay->first);
    free(delay);
}
