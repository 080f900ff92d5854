/**
 * Events to come, in the order of time: a heap in which each entry has four below it, so that these
 * share a cache line. Events at the same time come in the order in which they were added.
 *
 * Who may need an event later, or never, takes its order with ct_events_next_order(), and adds it
 * with ct_events_put(): it is then where it would have been.
 */
#pragma once

#include "core/array.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/** An event, or what is known of one that is not among those to come. */
struct ct_event {
    double at_ns;   /**< >= 0, and not -0 */
    uint32_t what;  /**< up to who adds it */
    uint32_t order; /**< of those at the same time */
};

/* An event as two numbers, by which events are compared: bits of doubles that are not negative are
 * in their order. */
struct ct_event_entry {
    uint64_t at_bits, order_what;
};

/** {0} at first; free(heap). */
struct ct_events {
    struct ct_event_entry *heap; /**< n */
    uint32_t n, room;
    uint32_t added;
};

static inline struct ct_event_entry ct_event_entry_of(struct ct_event event)
{
    struct ct_event_entry entry = {.order_what = (uint64_t)event.order << 32 | event.what};
    memcpy(&entry.at_bits, &event.at_ns, sizeof entry.at_bits);
    return entry;
}

static inline struct ct_event ct_event_of_entry(struct ct_event_entry entry)
{
    struct ct_event event = {.what = (uint32_t)entry.order_what,
                             .order = (uint32_t)(entry.order_what >> 32)};
    memcpy(&event.at_ns, &entry.at_bits, sizeof event.at_ns);
    return event;
}

/* 1 or 0, without branches, since which event is first cannot be foreseen. */
static inline uint64_t ct_event_entry_is_before(struct ct_event_entry a, struct ct_event_entry b)
{
    __extension__ typedef unsigned __int128 whole;
    return ((whole)a.at_bits << 64 | a.order_what) < ((whole)b.at_bits << 64 | b.order_what);
}

static inline bool ct_event_is_before(struct ct_event a, struct ct_event b)
{
    return ct_event_entry_is_before(ct_event_entry_of(a), ct_event_entry_of(b));
}

/* ---- the heap ---- */

/* Both numbers in general registers: compilers would take them together into a vector register,
 * which takes long if they were written one by one a moment ago, and take them apart again to
 * compare. */
static inline struct ct_event_entry ct_event_entry_at(const struct ct_event_entry *heap,
                                                      uint64_t at)
{
    struct ct_event_entry entry = heap[at];
    __asm__("" : "+r"(entry.at_bits), "+r"(entry.order_what));
    return entry;
}

static inline void ct_events_raise(struct ct_events *events, uint32_t at,
                                   struct ct_event_entry entry)
{
    struct ct_event_entry *heap = events->heap;
    while (at > 0) {
        uint32_t above = (at - 1) / 4;
        const struct ct_event_entry other = ct_event_entry_at(heap, above);
        if (!ct_event_entry_is_before(entry, other))
            break;
        heap[at] = other;
        at = above;
    }
    heap[at] = entry;
}

/** The order of an event that may be added later, by ct_events_put(). */
static inline uint32_t ct_events_next_order(struct ct_events *events)
{
    return events->added++;
}

/** Add an event with its order. @return false: out of memory */
static inline bool ct_events_put(struct ct_events *events, struct ct_event event)
{
    if (!CT_ARRAY_RESERVE(events->heap, events->room, events->n + (size_t)1))
        return false;
    ct_events_raise(events, events->n++, ct_event_entry_of(event));
    return true;
}

/** Time of the next event; INFINITY: there is none. */
static inline double ct_events_next_ns(const struct ct_events *events)
{
    return events->n > 0 ? ct_event_of_entry(ct_event_entry_at(events->heap, 0)).at_ns : INFINITY;
}

/* A candidate for the first of some events. */
struct ct_event_first {
    struct ct_event_entry entry;
    uint64_t at; /* in the heap */
};

static inline struct ct_event_first ct_event_first_of(struct ct_event_first a,
                                                      struct ct_event_first b)
{
    uint64_t takes_b = -ct_event_entry_is_before(b.entry, a.entry);
    a.entry.at_bits ^= (a.entry.at_bits ^ b.entry.at_bits) & takes_b;
    a.entry.order_what ^= (a.entry.order_what ^ b.entry.order_what) & takes_b;
    a.at ^= (a.at ^ b.at) & takes_b;
    return a;
}

static inline struct ct_event_first ct_event_candidate(const struct ct_event_entry *heap,
                                                       uint64_t at)
{
    return (struct ct_event_first){ct_event_entry_at(heap, at), at};
}

/* The first of the events from `at` on, up to four. */
static inline struct ct_event_first ct_events_least(const struct ct_event_entry *heap, uint64_t at,
                                                    uint64_t n)
{
    struct ct_event_first least = ct_event_candidate(heap, at);
    if (at + 4 <= n)
        return ct_event_first_of(
            ct_event_first_of(least, ct_event_candidate(heap, at + 1)),
            ct_event_first_of(ct_event_candidate(heap, at + 2), ct_event_candidate(heap, at + 3)));
    for (uint64_t i = at + 1; i < n; i++)
        least = ct_event_first_of(least, ct_event_candidate(heap, i));
    return least;
}

/**
 * Remove the next event. There must be one. The gap goes down to the end, and the last event up
 * from there: it is one of the latest, so it does not go far.
 */
static inline struct ct_event ct_events_take(struct ct_events *events)
{
    struct ct_event_entry *heap = events->heap;
    const struct ct_event_entry top = ct_event_entry_at(heap, 0),
                                last = ct_event_entry_at(heap, --events->n);
    uint64_t at = 0, n = events->n;
    for (uint64_t first; (first = 4 * at + 1) < n;) {
        const struct ct_event_first least = ct_events_least(heap, first, n);
        heap[at] = least.entry;
        at = least.at;
    }
    ct_events_raise(events, (uint32_t)at, last);
    return ct_event_of_entry(top);
}

/* ---- orders, of which there are 2^32 ---- */

enum { CT_EVENTS_AGE = INT32_MAX };

/** Whether orders have to be made smaller: a quarter of them is left. */
static inline bool ct_events_are_old(const struct ct_events *events)
{
    return events->added > (uint32_t)CT_EVENTS_AGE + (uint32_t)CT_EVENTS_AGE / 2;
}

/** The smaller order of an event. Of events that are older than 2^31 others, and at the same time,
 * the order is lost. */
static inline uint32_t ct_events_aged(uint32_t order)
{
    return order > (uint32_t)CT_EVENTS_AGE ? order - (uint32_t)CT_EVENTS_AGE : 0;
}

/** Make the orders of all events to come smaller: as a heap anew, since what decides between orders
 * that become equal is `what`. If orders are kept elsewhere, these are to be made smaller, too. */
static inline void ct_events_age(struct ct_events *events)
{
    events->added = ct_events_aged(events->added);
    for (uint32_t i = 0; i < events->n; i++) {
        struct ct_event event = ct_event_of_entry(events->heap[i]);
        event.order = ct_events_aged(event.order);
        ct_events_raise(events, i, ct_event_entry_of(event));
    }
}
