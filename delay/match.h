/**
 * Matching of messages and receives by tags with masks, as UCX does it: a receive with tag r and
 * mask m takes the earliest message whose tag t has (t & m) == (r & m); a message goes to the
 * earliest such receive.
 *
 * Each mask has its own tables of messages and of receives. So a match takes one look-up for each
 * mask, of which an MPI has three or four, for any length of the queues. Masks beyond
 * CT_MATCH_MASKS are matched by searching.
 *
 * Items are embedded in structs of the caller, who owns them.
 */
#pragma once

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
    uint64_t queued; /**< number of items queued so far */
};

/** Free the tables; the items are the caller's. */
void ct_match_end(struct ct_match *match);

/**
 * Post a receive: it matches a queued message, or is queued.
 * @param receive  [in] tag and mask are set; borrowed while it is queued
 * @return the matched message, which is removed from the queue; NULL: none
 */
struct ct_match_item *ct_match_post(struct ct_match *match, struct ct_match_item *receive);

/**
 * Add a message: it matches a queued receive, or is queued.
 * @param message  [in] tag is set; borrowed while it is queued
 * @return the matched receive, which is removed from the queue; NULL: none
 */
struct ct_match_item *ct_match_arrive(struct ct_match *match, struct ct_match_item *message);

/** The message that a receive with this tag and mask would match; it stays queued. NULL: none. */
struct ct_match_item *ct_match_find(struct ct_match *match, uint64_t tag, uint64_t mask);

/** Remove a queued message, or a queued receive. */
void ct_match_take(struct ct_match *match, struct ct_match_item *message);
void ct_match_withdraw(struct ct_match *match, struct ct_match_item *receive);
