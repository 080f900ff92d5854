/**
 * Links of nodes to one switch, shared by the messages that are on them: as a fluid, without
 * packets. A message of B bytes from node s to node d takes part of two links, out of s and into d.
 *
 * Rates are max-min fair (Bertsekas and Gallager, Data Networks, 6.5.2) and messages of a job
 * between two nodes follow one another. Who has a fair part depends on the order in which ports
 * serve:
 *
 * - round-robin: pairs of nodes, as ports serve their inputs in turn; the jobs of a pair have equal
 *   parts of its rate;
 * - FIFO: jobs of pairs, each of which has as much in the one queue of the port as it may.
 *
 * Packets are there in one respect: a message that is shorter than what is ahead of it waits for
 * that. Round-robin: a packet of each other pair on its links, which ports do not interrupt, and
 * the bytes that another job of its own pair has in the queues already, ahead_bytes at most. FIFO:
 * the same bytes of every other job that sends on its links.
 *
 * A link may let a burst pass at once, as shapers with a token bucket do: tokens of unused bytes
 * gather up to burst_bytes, and a message that begins takes those that both of its links have. What
 * they cover takes no time.
 */
#ifndef CT_SIMULATE_LINKS_H
#define CT_SIMULATE_LINKS_H

#include "core/status.h"

#include <stdbool.h>
#include <stdint.h>

struct ct_links;

/** The order in which a port serves what waits. */
enum ct_links_order { CT_LINKS_ROUND_ROBIN, CT_LINKS_FIFO };
extern const char *const ct_links_order_names[]; /**< NULL-terminated */

/** What queues do to a message. */
struct ct_links_queues {
    enum ct_links_order order;
    double packet_bytes; /**< round-robin: of another pair, ahead of a message, at most; >= 0 */
    double ahead_bytes;  /**< of another job in the same queue, likewise */
    double burst_bytes;  /**< that an unused link lets pass at once, >= 0; 0: none */
};

struct ct_links_setup {
    uint32_t n_nodes;   /**< 1 .. CT_LINKS_NODES_MAX */
    uint32_t n_jobs;    /**< 1 .. CT_LINKS_JOBS_MAX */
    double ns_per_byte; /**< of a link that is used by one message only: G, > 0 */
    struct ct_links_queues queues;
};

enum { CT_LINKS_NODES_MAX = 512, CT_LINKS_JOBS_MAX = 16 };

struct ct_links_message {
    uint32_t from, to; /**< nodes, different ones */
    uint32_t job;
    double bytes;    /**< >= 0 */
    uint32_t number; /**< handed back */
};

/** @return CT_OK; CT_EINVAL (out of range); CT_ENOMEM */
enum ct_status ct_links_new(const struct ct_links_setup *setup, struct ct_links **links_p,
                            struct ct_error *err);
void ct_links_free(struct ct_links *links);

/** A message begins, not before the last time that was given here or returned. @return CT_OK;
 * CT_ENOMEM
 */
enum ct_status ct_links_send(struct ct_links *links, double now_ns,
                             const struct ct_links_message *message, struct ct_error *err);

/** Pairs of nodes with something under way: what the next call takes time for. */
uint32_t ct_links_n_busy(const struct ct_links *links);

/** When something happens next; INFINITY: nothing is under way. */
double ct_links_next_ns(struct ct_links *links);

/**
 * Let it happen; the time moves on. There must be something.
 * @param number_p  [out] of the message that is through
 * @return false: none is, a message that waited for others has begun
 */
bool ct_links_step(struct ct_links *links, uint32_t *number_p);

#endif
