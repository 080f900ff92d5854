/**
 * Links that messages share, in a fluid model without packets: the bytes of a message pass all
 * links of its path (paths.h) at the same time and at the same rate, as with cut-through switches
 * and packets that are short beside messages. The time that a packet takes in each switch is a part
 * of the latency. On one switch a path is the link out of a node and the link into another.
 *
 * Rates are max-min fair (Bertsekas and Gallager, Data Networks, 6.5.2) and messages of a job
 * between two nodes are sent one after the other, whichever ranks of these nodes send them: ranks
 * share the link of their node. What shares fairly depends on the order in which ports serve:
 *
 * - round-robin: ports serve their inputs in turn. On the links of nodes pairs of nodes share. On a
 *   link between switches the nodes that send share, as in switches with a queue for each of them,
 *   and of a node all pairs. The jobs of a pair have equal shares of its rate;
 * - FIFO: all jobs of all pairs share, each of which has as many bytes in the one queue of the port
 *   as it may.
 *
 * Rates change only where they must: a pair keeps its rate as long as it has a link that limits it,
 * which is full and gives no other share more. Where links between switches limit each other in a
 * circle, they make offers until these settle (links_circle.c). Rates are found when time goes on,
 * once for all that begins or ends at an instant.
 *
 * In addition, a message waits for the bytes that are ahead of it, if it is shorter than these: on
 * the one of its links where these take longest.
 * Round-robin: a packet of each other pair on its links, since ports do not interrupt a packet, and
 * the bytes of another job of its own pair that are in the queues already, at most ahead_bytes.
 * FIFO: such bytes of every other job that sends on its links.
 * On a link between switches only pairs count to which this link gives less than all others do,
 * since nothing of the others is in its queue. Round-robin: a packet of each other node; and of the
 * own node, whose pairs have one queue there, the bytes of each job, at most ahead_bytes.
 *
 * A link may let a burst pass at once, as shapers with a token bucket do: an unused link collects
 * tokens for bytes, up to burst_bytes. A message that begins takes the tokens that all of its
 * links have; the bytes for which it has tokens take no time.
 * Round-robin: each input of a link has a bucket, too (tokens.h), the pair on a link of a node, the
 * node that sends on one between switches. It fills at the share of the rate that the input is
 * assured. So packets pass beside the rates (links_inputs.c): when a message begins, as many as on
 * each of its links its input is assured, or the port has tokens for if nobody else sends; later on
 * one whenever it is assured. The port pays for all, and lends nothing while it owes. Messages
 * between two nodes are in one queue then, whichever jobs send them: one waits for those of other
 * jobs that were sent before it, if these have at most ahead_bytes. Those that are sent within
 * `together` of each other (constants.h) share, since either may be first.
 */
#ifndef CT_SIMULATE_LINKS_H
#define CT_SIMULATE_LINKS_H

#include "simulate/paths.h"

#include <stdbool.h>
#include <stdint.h>

struct ct_links;

/** The order in which a port serves waiting messages. */
enum ct_links_order { CT_LINKS_ROUND_ROBIN, CT_LINKS_FIFO };
extern const char *const ct_links_order_names[]; /**< NULL-terminated */

/** Properties of the queues. */
struct ct_links_queues {
    enum ct_links_order order;
    double packet_bytes; /**< round-robin: most bytes of another pair ahead of a message, and those
                              that a bucket of an input lets pass together, if there are no frames
                              (0: burst_bytes); >= 0 */
    double ahead_bytes; /**< most bytes of another job in the same queue ahead of a message; >= 0 */
    double burst_bytes; /**< bytes that an unused link lets pass at once, >= 0; 0: none */
};

/**
 * Headers that links carry beside messages; {0}: none. The rate of a link is that of long messages:
 * the bytes of a full packet, of which payload_bytes are of the message, pass in payload_bytes /
 * rate.
 */
struct ct_links_frames {
    double payload_bytes;        /**< of a full packet; 0: no headers */
    double header_bytes;         /**< of each packet; >= 0 */
    double message_header_bytes; /**< of each message, in front of it; >= 0 */
};

struct ct_routes;

struct ct_links_setup {
    const struct ct_simulate_paths *paths; /**< borrowed until ct_links_free(); NULL: see routes */
    uint32_t n_jobs;                       /**< 1 .. CT_LINKS_JOBS_MAX */
    struct ct_links_queues queues;
    struct ct_links_frames frames;
    struct ct_routes *routes; /**< without paths: finds each when it is needed; borrowed likewise */
};

enum { CT_LINKS_JOBS_MAX = 16 };

struct ct_links_message {
    uint32_t from, to; /**< nodes, different ones */
    uint32_t job;
    double bytes;    /**< >= 0 */
    uint32_t number; /**< returned by ct_links_step() */
};

/** @return CT_OK; CT_EINVAL (out of range); CT_ENOMEM */
enum ct_status ct_links_new(const struct ct_links_setup *setup, struct ct_links **links_p,
                            struct ct_error *err);
void ct_links_free(struct ct_links *links);

/**
 * Begin a message. now_ns must not be before the last time given here or returned by
 * ct_links_next_ns().
 * @return CT_OK; what ct_routes_find() returns; CT_ENOMEM
 */
enum ct_status ct_links_send(struct ct_links *links, double now_ns,
                             const struct ct_links_message *message, struct ct_error *err);

/**
 * Bytes that have passed each link, at its rate: so those of headers are smaller.
 * @param until_ns  [in]  not before the last time given, not after the next event
 * @param bytes     [out] n_links of the paths
 */
void ct_links_passed(struct ct_links *links, double until_ns, double *bytes);

/** The least ahead_bytes of the queues with which all would have been the same so far; INFINITY:
 * with no others. */
double ct_links_ahead_least(const struct ct_links *links);

/** Number of pairs of nodes with messages under way. */
uint32_t ct_links_n_busy(const struct ct_links *links);

/** Time of the next event; INFINITY: there is none, since no message is under way. */
double ct_links_next_ns(struct ct_links *links);

/**
 * The same, but INFINITY if it is not before until_ns. So messages that begin at the same instant
 * need their rates found once, not each.
 */
double ct_links_next_before(struct ct_links *links, double until_ns);

/**
 * Process the next event. There must be one.
 * @param number_p  [out] number of the message that is complete
 * @return false: no message is complete; one that waited has begun
 */
bool ct_links_step(struct ct_links *links, uint32_t *number_p);

#endif
