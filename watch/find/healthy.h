/**
 * What times of healthy paths are, by class: a number of links and a size of messages. A load makes
 * some messages wait; those that meet no other take as long as on the idle network. So the floor, a
 * low quantile, is the same under load, and a time above it by more than a margin was slow.
 */
#pragma once

#include "core/map.h"
#include "core/status.h"

#include <stdbool.h>
#include <stdint.h>

enum { CT_HEALTHY_KEPT = 1024, CT_HEALTHY_HOURS = 24 };

/** Drawn so that each value that came is kept as likely (reservoir sampling, Vitter 1985). */
struct ct_reservoir {
    float *kept; /**< [CT_HEALTHY_KEPT]; NULL: none came */
    uint64_t n;  /**< that came */
};

struct ct_healthy_class {
    uint32_t links, bytes;
    bool is_round;           /**< there and back together */
    struct ct_reservoir all; /**< while floors are learned */
    struct ct_reservoir by_hour[CT_HEALTHY_HOURS];
    double floor_s, slow_s, waited_s; /**< slower than what healthy paths take; so slow that it has
                                           waited; NaN: too few values */
};

/** {0} with a seed; ct_healthy_free(). */
struct ct_healthy {
    struct ct_healthy_class *classes;
    uint32_t n, room;
    struct ct_map numbers;
    uint64_t random;
};

/** @return number of the class; UINT32_MAX: out of memory */
uint32_t ct_healthy_class(struct ct_healthy *healthy, uint32_t links, uint32_t bytes,
                          bool is_round);

/** @param hour  [in] of the day, UTC; CT_HEALTHY_HOURS: for the floor. @return false: out of memory
 */
bool ct_healthy_take(struct ct_healthy *healthy, uint32_t number, unsigned hour, double time_s);

/** Floors and margins from what came for them. @return CT_OK; CT_ENOMEM */
enum ct_status ct_healthy_settle(struct ct_healthy *healthy, struct ct_error *err);

/** @param random  [in,out] state of ct_random_next(). @return false: out of memory */
bool ct_reservoir_take(struct ct_reservoir *reservoir, double value, uint64_t *random);

/** @return NaN: none came. @param p  [in] 0..1 */
double ct_reservoir_quantile(const struct ct_reservoir *reservoir, double p);

void ct_healthy_free(struct ct_healthy *healthy);
