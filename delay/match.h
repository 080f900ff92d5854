/**
 * Matching of messages and receives by tags with masks, as UCX does it: a receive with tag r and
 * mask m takes the earliest message whose tag t has (t & m) == (r & m); a message goes to the
 * earliest such receive.
 *
 * Each mask that was seen has a table of its own for messages and for receives, so that a match
 * costs a look-up for each mask, of which an MPI has three or four, however long the queues are.
 * Masks beyond CT_MATCH_MASKS are matched by searching.
 *
 * Items are embedded in what they stand for, and owned by the caller.
 */
#ifndef CT_DELAY_MATCH_H
#define CT_DELAY_MATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CT_MATCH_MASKS = 6 };

/** A message or a receive. */
struct ct_match_item {
    uint64_t tag;
    uint64_t mask;  /**< of a receive */
    uint64_t order; /**< set when it is queued */
    struct ct_match_link {
        struct ct_match_item *next, *previous;
    } all, links[CT_MATCH_MASKS];
};

struct ct_match_list {
    struct ct_match_item *first, *last;
};

/** Lists of one mask, by hash of the masked tag. */
struct ct_match_table {
    struct ct_match_list *buckets; /**< NULL: no memory for it, items are searched */
    size_t n_buckets, n_items;
};

/** Queued items, either messages or receives. */
struct ct_match_queue {
    struct ct_match_list all; /**< in their order */
    struct ct_match_table tables[CT_MATCH_MASKS];
    size_t n;
};

/** Begins as {0}. */
struct ct_match {
    uint64_t masks[CT_MATCH_MASKS];
    size_t n_masks;
    struct ct_match_queue messages, receives;
    uint64_t queued; /**< items so far */
};

/** Free the tables; items stay with the caller. */
void ct_match_end(struct ct_match *match);

/**
 * A receive is posted: it takes a queued message, or is queued.
 * @param receive  [in] tag and mask are set; borrowed while it is queued
 * @return the message, which is not queued any more; NULL: none
 */
struct ct_match_item *ct_match_post(struct ct_match *match, struct ct_match_item *receive);

/**
 * A message arrives: a queued receive takes it, or it is queued.
 * @param message  [in] tag is set; borrowed while it is queued
 * @return the receive, which is not queued any more; NULL: none
 */
struct ct_match_item *ct_match_arrive(struct ct_match *match, struct ct_match_item *message);

/** The message that such a receive would take; it stays queued. NULL: none. */
struct ct_match_item *ct_match_find(struct ct_match *match, uint64_t tag, uint64_t mask);

/** Take a queued message, or withdraw a queued receive. */
void ct_match_take(struct ct_match *match, struct ct_match_item *message);
void ct_match_withdraw(struct ct_match *match, struct ct_match_item *receive);

#endif
