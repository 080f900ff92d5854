/**
 * Places for the requests of a rank with several threads: which memory each of them uses, decided
 * by the trace alone. So threads that are not in the order of the trace have the same places, and
 * need no table that they share.
 *
 * The numbers of requests in a trace are reused as soon as an event that completes one is written.
 * Another thread may begin a request with that number before that call has ended in a replay. A
 * place is reused only by a call that begins after its last request was completed.
 */
#pragma once

#include "core/map.h"
#include "trace/format.h"

struct ct_place {
    uint64_t free_from; /**< free: index of the event behind the one that completed its request */
    bool persistent;
};

/** {0}: none are open. */
struct ct_places {
    struct ct_map numbers;   /**< request -> place + 1 */
    struct ct_place *places; /**< [n] that were ever used */
    uint32_t n, room;
    uint32_t *free; /**< [n_free], the latest last */
    uint32_t n_free, room_free;
    uint64_t *values; /**< of the event that was translated last */
    size_t room_values;
};

void ct_places_free(struct ct_places *places);
/** Forget all requests, and go back to {0}; memory stays. */
void ct_places_restart(struct ct_places *places);

/**
 * The next event of the rank's trace, whatever thread it is of.
 * @param index  [in] of the event among those of the rank, from 0
 * @return false: out of memory
 */
bool ct_places_pass(struct ct_places *places, const struct ct_trace_event *event, uint64_t index);

/**
 * Pass an event and put places, from 1 on, in it for numbers of requests. A number that is not open
 * becomes UINT32_MAX.
 * @param event  [in,out] its values are borrowed from places until the next call
 * @return false: out of memory
 */
bool ct_places_translate(struct ct_places *places, struct ct_trace_event *event, uint64_t index);
