/**
 * Events to come, in the order of time: a heap in which each entry has four below it, so that these
 * share a cache line. Events at the same time come in the order in which they were added.
 */
#ifndef CT_SIMULATE_EVENTS_H
#define CT_SIMULATE_EVENTS_H

#include "core/array.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

/** An event. Fewer than 2^31 are to come at any time, so that their order is known. */
struct ct_event {
    double at_ns;
    uint32_t order; /**< of those at the same time */
    uint32_t what;  /**< up to who adds it */
};

/** {0} at first; free(heap). */
struct ct_events {
    struct ct_event *heap; /**< n */
    uint32_t n, room;
    uint32_t added;
};

/* Without branches, since which event is first cannot be foreseen. */
static inline uint32_t ct_event_is_before(const struct ct_event *a, const struct ct_event *b)
{
    uint32_t is_earlier = a->at_ns < b->at_ns, is_same = a->at_ns <= b->at_ns;
    return is_earlier | (is_same & ((a->order - b->order) >> 31));
}

/** @return false: out of memory */
static inline bool ct_events_add(struct ct_events *events, double at_ns, uint32_t what)
{
    if (!CT_ARRAY_RESERVE(events->heap, events->room, events->n + (size_t)1))
        return false;
    const struct ct_event event = {at_ns, events->added++, what};
    struct ct_event *heap = events->heap;
    uint32_t at = events->n++;
    for (; at > 0 && ct_event_is_before(&event, &heap[(at - 1) / 4]); at = (at - 1) / 4)
        heap[at] = heap[(at - 1) / 4];
    heap[at] = event;
    return true;
}

/** Time of the next event; INFINITY: there is none. */
static inline double ct_events_next_ns(const struct ct_events *events)
{
    return events->n > 0 ? events->heap[0].at_ns : INFINITY;
}

/* The first of the events from `first` on, up to four. */
static inline uint32_t ct_events_least(const struct ct_event *heap, uint32_t first, uint32_t n)
{
    if (first + 4 <= n) {
        const struct ct_event *four = heap + first;
        uint32_t a = ct_event_is_before(&four[1], &four[0]),
                 b = 2 + ct_event_is_before(&four[3], &four[2]);
        return first + a + ((b - a) & -ct_event_is_before(&four[b], &four[a]));
    }
    uint32_t least = first;
    for (uint32_t i = first + 1; i < n; i++)
        least = ct_event_is_before(&heap[i], &heap[least]) ? i : least;
    return least;
}

/**
 * Remove the next event. There must be one. The gap goes down to the end, and the last event up
 * from there: it is one of the latest, so it does not go far.
 */
static inline struct ct_event ct_events_take(struct ct_events *events)
{
    struct ct_event *heap = events->heap;
    const struct ct_event top = heap[0], last = heap[--events->n];
    uint32_t at = 0, n = events->n;
    for (uint32_t first; (first = 4 * at + 1) < n;) {
        uint32_t least = ct_events_least(heap, first, n);
        heap[at] = heap[least];
        at = least;
    }
    for (; at > 0 && ct_event_is_before(&last, &heap[(at - 1) / 4]); at = (at - 1) / 4)
        heap[at] = heap[(at - 1) / 4];
    heap[at] = last;
    return top;
}

#endif
