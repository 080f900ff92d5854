#include "delay/match.h"

#include "core/random.h"

#include <stdlib.h>

enum { BUCKETS_MIN = 64 };

/* ---- lists: `all` has slot CT_MATCH_MASKS ---- */

static struct ct_match_link *link_of(struct ct_match_item *item, size_t slot)
{
    return slot == CT_MATCH_MASKS ? &item->all : &item->links[slot];
}

static void append_item(struct ct_match_list *list, struct ct_match_item *item, size_t slot)
{
    *link_of(item, slot) = (struct ct_match_link){.previous = list->last};
    if (list->last)
        link_of(list->last, slot)->next = item;
    else
        list->first = item;
    list->last = item;
}

static void unlink_item(struct ct_match_list *list, struct ct_match_item *item, size_t slot)
{
    struct ct_match_link *at = link_of(item, slot);
    if (at->previous)
        link_of(at->previous, slot)->next = at->next;
    else
        list->first = at->next;
    if (at->next)
        link_of(at->next, slot)->previous = at->previous;
    else
        list->last = at->previous;
}

/* ---- tables ---- */

static struct ct_match_list *bucket_of(const struct ct_match_table *table, uint64_t key)
{
    return &table->buckets[ct_random_mix(key) & (table->n_buckets - 1)];
}

/* More buckets, filled anew in the order of the items. Without memory all stays as it is. */
static void resize_table(struct ct_match_queue *queue, size_t slot, uint64_t mask, bool is_receives,
                         const uint64_t *masks)
{
    struct ct_match_table *table = &queue->tables[slot];
    size_t n_buckets = table->n_buckets > 0 ? 4 * table->n_buckets : BUCKETS_MIN;
    struct ct_match_list *buckets = calloc(n_buckets, sizeof *buckets);
    if (!buckets)
        return;
    free(table->buckets);
    *table = (struct ct_match_table){.buckets = buckets, .n_buckets = n_buckets};
    for (struct ct_match_item *item = queue->all.first; item; item = item->all.next) {
        if (is_receives && item->mask != masks[slot])
            continue;
        append_item(bucket_of(table, item->tag & mask), item, slot);
        table->n_items++;
    }
}

/* The table of a mask; CT_MATCH_MASKS: it has none, what has it is searched. */
static size_t slot_of(struct ct_match *match, uint64_t mask)
{
    size_t slot = 0;
    while (slot < match->n_masks && match->masks[slot] != mask)
        slot++;
    if (slot < match->n_masks || slot == CT_MATCH_MASKS)
        return slot;
    match->masks[slot] = mask;
    resize_table(&match->messages, slot, mask, false, match->masks);
    resize_table(&match->receives, slot, mask, true, match->masks);
    if (!match->messages.tables[slot].buckets || !match->receives.tables[slot].buckets) {
        free(match->messages.tables[slot].buckets);
        free(match->receives.tables[slot].buckets);
        match->messages.tables[slot] = match->receives.tables[slot] = (struct ct_match_table){0};
        return CT_MATCH_MASKS;
    }
    match->n_masks++;
    return slot;
}

void ct_match_end(struct ct_match *match)
{
    for (size_t slot = 0; slot < match->n_masks; slot++) {
        free(match->messages.tables[slot].buckets);
        free(match->receives.tables[slot].buckets);
    }
    *match = (struct ct_match){0};
}

/* ---- queues ---- */

static void insert_item(struct ct_match *match, struct ct_match_queue *queue, size_t slot,
                        struct ct_match_item *item)
{
    struct ct_match_table *table = &queue->tables[slot];
    bool is_receives = queue == &match->receives;
    append_item(bucket_of(table, item->tag & match->masks[slot]), item, slot);
    table->n_items++;
    if (table->n_items > 2 * table->n_buckets)
        resize_table(queue, slot, match->masks[slot], is_receives, match->masks);
}

static void erase_item(struct ct_match *match, struct ct_match_queue *queue, size_t slot,
                       struct ct_match_item *item)
{
    struct ct_match_table *table = &queue->tables[slot];
    unlink_item(bucket_of(table, item->tag & match->masks[slot]), item, slot);
    table->n_items--;
}

static void enqueue_item(struct ct_match *match, struct ct_match_queue *queue,
                         struct ct_match_item *item)
{
    item->order = match->queued++;
    append_item(&queue->all, item, CT_MATCH_MASKS);
    queue->n++;
}

static void dequeue_item(struct ct_match_queue *queue, struct ct_match_item *item)
{
    unlink_item(&queue->all, item, CT_MATCH_MASKS);
    queue->n--;
}

static void queue_message(struct ct_match *match, struct ct_match_item *message)
{
    enqueue_item(match, &match->messages, message);
    for (size_t slot = 0; slot < match->n_masks; slot++)
        insert_item(match, &match->messages, slot, message);
}

void ct_match_take(struct ct_match *match, struct ct_match_item *message)
{
    for (size_t slot = 0; slot < match->n_masks; slot++)
        erase_item(match, &match->messages, slot, message);
    dequeue_item(&match->messages, message);
}

static void queue_receive(struct ct_match *match, struct ct_match_item *receive)
{
    size_t slot = slot_of(match, receive->mask);
    enqueue_item(match, &match->receives, receive);
    if (slot < CT_MATCH_MASKS)
        insert_item(match, &match->receives, slot, receive);
}

void ct_match_withdraw(struct ct_match *match, struct ct_match_item *receive)
{
    size_t slot = slot_of(match, receive->mask);
    if (slot < CT_MATCH_MASKS)
        erase_item(match, &match->receives, slot, receive);
    dequeue_item(&match->receives, receive);
}

struct ct_match_item *ct_match_find(struct ct_match *match, uint64_t tag, uint64_t mask)
{
    size_t slot = slot_of(match, mask);
    bool has_table = slot < CT_MATCH_MASKS;
    struct ct_match_item *message =
        has_table ? bucket_of(&match->messages.tables[slot], tag & mask)->first
                  : match->messages.all.first;
    while (message && (message->tag & mask) != (tag & mask))
        message = link_of(message, slot)->next;
    return message;
}

/* The earliest receive of one mask; with no table the earliest of all masks that have none. */
static struct ct_match_item *find_receive(struct ct_match *match, size_t slot, uint64_t tag)
{
    struct ct_match_item *receive;
    if (slot < CT_MATCH_MASKS) {
        uint64_t mask = match->masks[slot];
        receive = bucket_of(&match->receives.tables[slot], tag & mask)->first;
        while (receive && (receive->tag & mask) != (tag & mask))
            receive = receive->links[slot].next;
        return receive;
    }
    receive = match->receives.all.first;
    while (receive && (receive->tag & receive->mask) != (tag & receive->mask))
        receive = receive->all.next;
    return receive;
}

struct ct_match_item *ct_match_post(struct ct_match *match, struct ct_match_item *receive)
{
    struct ct_match_item *message = ct_match_find(match, receive->tag, receive->mask);
    if (message)
        ct_match_take(match, message);
    else
        queue_receive(match, receive);
    return message;
}

struct ct_match_item *ct_match_arrive(struct ct_match *match, struct ct_match_item *message)
{
    struct ct_match_item *earliest = NULL;
    size_t n_indexed = 0;
    for (size_t slot = 0; slot < match->n_masks; slot++) {
        struct ct_match_item *receive = find_receive(match, slot, message->tag);
        n_indexed += match->receives.tables[slot].n_items;
        if (receive && (!earliest || receive->order < earliest->order))
            earliest = receive;
    }
    if (n_indexed < match->receives.n) /* some have masks without a table: search all */
        earliest = find_receive(match, CT_MATCH_MASKS, message->tag);
    if (earliest)
        ct_match_withdraw(match, earliest);
    else
        queue_message(match, message);
    return earliest;
}
