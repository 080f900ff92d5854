/**
 * Table of the open requests of a rank: maps request numbers of a trace to places, which are
 * reused.
 */
#pragma once

#include "core/map.h"

/** {0}: none. The same calls in the same order give the same places. */
struct ct_slots {
    struct ct_map places; /**< request -> place + 1 */
    uint32_t *free;       /**< [n_free] places, the next one last */
    uint32_t n_free, room;
    uint32_t n; /**< places that were ever used */
    bool given; /**< requests are places already, from 1 on: those of several threads */
};

void ct_slots_free(struct ct_slots *slots);

/**
 * A request begins. An open request with the same number is replaced.
 * @return false: out of memory
 */
bool ct_slots_take(struct ct_slots *slots, uint32_t request, uint32_t *place_p);
/** @return false: it is not open */
bool ct_slots_find(const struct ct_slots *slots, uint32_t request, uint32_t *place_p);
/** An open request ends. */
void ct_slots_give(struct ct_slots *slots, uint32_t request, uint32_t place);
/**
 * Copy a table, so that both give the same places.
 * @param to  [in,out] a table with room for as many places, or none; what was in it is gone
 * @return false: out of memory
 */
bool ct_slots_copy(const struct ct_slots *from, struct ct_slots *to);
/** Number of open requests. */
uint32_t ct_slots_open(const struct ct_slots *slots);
