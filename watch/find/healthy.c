#include "watch/find/healthy.h"

#include "core/array.h"
#include "core/random.h"
#include "core/stats.h"
#include "watch/find/constants.h"

#include <math.h>

uint32_t ct_healthy_class(struct ct_healthy *healthy, uint32_t links, uint32_t bytes, bool is_round)
{
    uint64_t key = (uint64_t)(2 * links + is_round) << 32 | bytes;
    uint64_t found = ct_map_get(&healthy->numbers, key);
    if (found > 0)
        return (uint32_t)(found - 1);
    if (!CT_ARRAY_RESERVE(healthy->classes, healthy->room, healthy->n + 1) ||
        !ct_map_set(&healthy->numbers, key, (uint64_t)healthy->n + 1))
        return UINT32_MAX;
    healthy->classes[healthy->n] = (struct ct_healthy_class){.links = links,
                                                             .bytes = bytes,
                                                             .is_round = is_round,
                                                             .floor_s = NAN,
                                                             .slow_s = NAN,
                                                             .waited_s = NAN};
    return healthy->n++;
}

bool ct_reservoir_take(struct ct_reservoir *reservoir, double value, uint64_t *random)
{
    if (!reservoir->kept && !CT_ARRAY_RESIZE(reservoir->kept, CT_HEALTHY_KEPT))
        return false;
    uint64_t at = reservoir->n++;
    if (at >= CT_HEALTHY_KEPT)
        at = (uint64_t)(ct_random_unit(ct_random_next(random)) * (double)reservoir->n);
    if (at < CT_HEALTHY_KEPT)
        reservoir->kept[at] = (float)value;
    return true;
}

bool ct_healthy_take(struct ct_healthy *healthy, uint32_t number, unsigned hour, double time_s)
{
    struct ct_healthy_class *class = &healthy->classes[number];
    return ct_reservoir_take(hour < CT_HEALTHY_HOURS ? &class->by_hour[hour] : &class->all, time_s,
                             &healthy->random);
}

static size_t sort_reservoir(const struct ct_reservoir *reservoir, double *sorted)
{
    size_t n = reservoir->n < CT_HEALTHY_KEPT ? (size_t)reservoir->n : CT_HEALTHY_KEPT;
    for (size_t i = 0; i < n; i++)
        sorted[i] = (double)reservoir->kept[i];
    ct_stats_sort(sorted, n);
    return n;
}

double ct_reservoir_quantile(const struct ct_reservoir *reservoir, double p)
{
    double sorted[CT_HEALTHY_KEPT], q = NAN;
    ct_stats_quantile(sorted, sort_reservoir(reservoir, sorted), p, &q);
    return q;
}

enum ct_status ct_healthy_settle(struct ct_healthy *healthy, struct ct_error *err)
{
    double *sorted = NULL;
    if (!CT_ARRAY_RESIZE(sorted, CT_HEALTHY_KEPT))
        return ct_no_memory(err, "what healthy paths take");
    for (uint32_t i = 0; i < healthy->n; i++) {
        struct ct_healthy_class *class = &healthy->classes[i];
        size_t n = sort_reservoir(&class->all, sorted);
        double next_s;
        if ((double)n < ct_watch_constants[CT_WATCH_FLOOR_LEAST].value)
            continue;
        ct_stats_quantile(sorted, n, ct_watch_constants[CT_WATCH_FLOOR_QUANTILE].value,
                          &class->floor_s);
        ct_stats_quantile(sorted, n, 2 * ct_watch_constants[CT_WATCH_FLOOR_QUANTILE].value,
                          &next_s);
        class->slow_s =
            class->floor_s + fmax(ct_watch_constants[CT_WATCH_FLOOR_MARGIN].value * class->floor_s,
                                  next_s - class->floor_s);
        class->waited_s =
            fmax(class->slow_s, class->floor_s + ct_watch_constants[CT_WATCH_WAIT_MARGIN].value *
                                                     (next_s - class->floor_s));
    }
    free(sorted);
    return CT_OK;
}

void ct_healthy_free(struct ct_healthy *healthy)
{
    for (uint32_t i = 0; i < healthy->n; i++) {
        free(healthy->classes[i].all.kept);
        for (unsigned hour = 0; hour < CT_HEALTHY_HOURS; hour++)
            free(healthy->classes[i].by_hour[hour].kept);
    }
    free(healthy->classes);
    ct_map_free(&healthy->numbers);
    *healthy = (struct ct_healthy){0};
}
