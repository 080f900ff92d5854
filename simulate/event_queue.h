/**
 * Events to come, most of which are added in the order of time: those of one kind that happen a
 * constant time after they are added. Each such kind has a queue, first in, first out, and all
 * others share a heap (events.h), as do those that would not be the last of their queue. The next
 * event is the first of these few, so that most events take constant time.
 *
 * Events come in the order in which they would from a heap alone.
 */
#pragma once

#include "simulate/events.h"

enum { CT_EVENT_FIFOS = 2, CT_EVENT_SOURCES };

struct ct_event_fifo {
    struct ct_event_entry *entries; /* those from first to end - 1 */
    uint32_t first, end, room;
};

/** ct_event_queue_empty() at first; ct_event_queue_free(). */
struct ct_event_queue {
    struct ct_events heap;
    struct ct_event_fifo fifos[CT_EVENT_FIFOS];
    struct ct_event_entry heads[CT_EVENT_SOURCES]; /* the first of each fifo, then of the heap */
    struct ct_event_first next;                    /* of these */
};

/* What comes first where there is no event. */
static inline struct ct_event_entry ct_event_entry_never(void)
{
    return ct_event_entry_of((struct ct_event){INFINITY, UINT32_MAX, UINT32_MAX});
}

static inline struct ct_event_queue ct_event_queue_empty(void)
{
    const struct ct_event_entry never = ct_event_entry_never();
    return (struct ct_event_queue){.heads = {never, never, never}, .next = {never, 0}};
}

static inline void ct_event_queue_free(struct ct_event_queue *queue)
{
    free(queue->heap.heap);
    for (int i = 0; i < CT_EVENT_FIFOS; i++)
        free(queue->fifos[i].entries);
    *queue = ct_event_queue_empty();
}

/** Time of the next event; INFINITY: there is none. */
static inline double ct_event_queue_next_ns(const struct ct_event_queue *queue)
{
    return ct_event_of_entry(queue->next.entry).at_ns;
}

/* Room for one more at the end: that of those that have been taken, if these are most. */
static inline bool ct_event_fifo_reserve(struct ct_event_fifo *fifo)
{
    if (fifo->end < fifo->room)
        return true;
    if (fifo->first <= fifo->room / 2)
        return CT_ARRAY_RESERVE(fifo->entries, fifo->room, fifo->end + (size_t)1);
    fifo->end -= fifo->first;
    memmove(fifo->entries, fifo->entries + fifo->first, fifo->end * sizeof *fifo->entries);
    fifo->first = 0;
    return true;
}

static inline bool ct_event_fifo_is_in_order(const struct ct_event_fifo *fifo,
                                             struct ct_event_entry entry)
{
    return fifo->first == fifo->end || fifo->entries[fifo->end - 1].at_bits <= entry.at_bits;
}

static inline struct ct_event_entry ct_event_fifo_take(struct ct_event_fifo *fifo)
{
    if (++fifo->first < fifo->end)
        return fifo->entries[fifo->first];
    fifo->first = fifo->end = 0;
    return ct_event_entry_never();
}

/* Orders as ct_events_age() makes them. */
static inline void ct_event_queue_age(struct ct_event_queue *queue)
{
    ct_events_age(&queue->heap);
    for (int i = 0; i < CT_EVENT_FIFOS; i++) {
        const struct ct_event_fifo *fifo = &queue->fifos[i];
        for (uint32_t k = fifo->first; k < fifo->end; k++) {
            struct ct_event event = ct_event_of_entry(fifo->entries[k]);
            event.order = ct_events_aged(event.order);
            fifo->entries[k] = ct_event_entry_of(event);
        }
        if (fifo->first < fifo->end)
            queue->heads[i] = fifo->entries[fifo->first];
    }
    if (queue->heap.n > 0)
        queue->heads[CT_EVENT_FIFOS] = queue->heap.heap[0];
    queue->next.entry = queue->heads[queue->next.at];
}

/* An event has been added to a source of events. */
static inline void ct_event_queue_note(struct ct_event_queue *queue, uint64_t source,
                                       struct ct_event_entry entry)
{
    if (ct_event_entry_is_before(entry, queue->heads[source]))
        queue->heads[source] = entry;
    if (ct_event_entry_is_before(entry, queue->next.entry))
        queue->next = (struct ct_event_first){entry, source};
}

static inline struct ct_event ct_event_queue_new(struct ct_event_queue *queue, double at_ns,
                                                 uint32_t what)
{
    if (ct_events_are_old(&queue->heap))
        ct_event_queue_age(queue);
    return (struct ct_event){fabs(at_ns), what, ct_events_next_order(&queue->heap)}; /* not -0 */
}

static inline bool ct_event_queue_put(struct ct_event_queue *queue, struct ct_event event)
{
    if (!ct_events_put(&queue->heap, event))
        return false;
    ct_event_queue_note(queue, CT_EVENT_FIFOS, ct_event_entry_of(event));
    return true;
}

/** Add an event that may come before any other. @return false: out of memory */
static inline bool ct_event_queue_add(struct ct_event_queue *queue, double at_ns, uint32_t what)
{
    return ct_event_queue_put(queue, ct_event_queue_new(queue, at_ns, what));
}

/**
 * Add an event that is expected to come after all others that were added to its queue.
 * @param number  [in] of the queue, < CT_EVENT_FIFOS
 * @return false: out of memory
 */
static inline bool ct_event_queue_append(struct ct_event_queue *queue, uint32_t number,
                                         double at_ns, uint32_t what)
{
    const struct ct_event event = ct_event_queue_new(queue, at_ns, what);
    const struct ct_event_entry entry = ct_event_entry_of(event);
    struct ct_event_fifo *fifo = &queue->fifos[number];
    if (!ct_event_fifo_is_in_order(fifo, entry))
        return ct_event_queue_put(queue, event);
    if (!ct_event_fifo_reserve(fifo))
        return false;
    fifo->entries[fifo->end++] = entry;
    ct_event_queue_note(queue, number, entry);
    return true;
}

/** Remove the next event. There must be one. */
static inline struct ct_event ct_event_queue_take(struct ct_event_queue *queue)
{
    const struct ct_event event = ct_event_of_entry(queue->next.entry);
    uint64_t source = queue->next.at;
    if (source < CT_EVENT_FIFOS) {
        queue->heads[source] = ct_event_fifo_take(&queue->fifos[source]);
    } else {
        ct_events_take(&queue->heap);
        queue->heads[source] = queue->heap.n > 0 ? queue->heap.heap[0] : ct_event_entry_never();
    }
    queue->next = ct_events_least(queue->heads, 0, CT_EVENT_SOURCES);
    return event;
}
