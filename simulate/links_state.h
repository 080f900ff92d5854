/* What the parts of the links share: messages under way, who sends where, and at which rates. */
#ifndef CT_SIMULATE_LINKS_STATE_H
#define CT_SIMULATE_LINKS_STATE_H

#include "core/lesser.h"
#include "simulate/events.h"
#include "simulate/links.h"
#include "simulate/pair_map.h"
#include "simulate/routes.h"
#include "simulate/tokens.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

enum { CT_LINKS_NONE = UINT32_MAX };

/* Times that differ by less, relative to them, are one. */
#define CT_LINKS_SAME_TIME 1e-9

/* A message in the queue of a lane, or a free entry. */
struct entry {
    double bytes; /* if inputs have buckets, of a head: that did not pass at once */
    uint32_t number, next;
};

/* Messages of a job from one node to another, in order. */
struct lane {
    uint32_t head, tail; /* entries */
    double left_bytes;   /* of the head, when the rate of the pair was found or changed last */
    double behind_bytes; /* of the messages that follow it */
};

/* A link of the path of a pair. */
struct hop {
    uint32_t link;
    uint32_t place; /* of the pair, while it sends, among the members of the link */
};

/* A pair of nodes that has sent. One that has nothing to send is idle: it is kept for the next
 * message, but if there are many, another pair takes the place of the one that has been idle
 * longest. */
struct pair {
    uint32_t from, to;
    uint32_t first_hop;
    uint16_t n_hops;
    uint16_t open;       /* lanes whose head is under way, a bit each; before, what is ahead of the
                            head is not through */
    uint8_t n_busy;      /* such lanes */
    bool is_solving : 1; /* its rate is to be found */
    bool is_fixed : 1;   /* it is found */
    bool is_moving : 1;  /* in a circle: is offered more or less than before */
    bool is_idle : 1;
    /* If inputs have buckets, bits of lanes as in `open`: */
    uint16_t queued; /* whose head is behind those of other lanes */
    uint16_t begun;  /* whose head is not any more */
    uint16_t late;   /* whose head did not pass at once */
    union {
        uint32_t end_at;      /* index in ends, while something is under way */
        uint32_t idle_before; /* while it is idle: in the list */
    };
    union {
        uint32_t held_by;    /* link between switches that limits the rate; none: one of a node
                                does */
        uint32_t idle_after; /* while it is idle: in the list */
    };
    double rate; /* bytes a ns, of all lanes together, since settled_ns */
    double settled_ns;
    double next_rate; /* of a solution that is not in force yet; else the rate */
    uint64_t checked; /* for a link that limits it, the last time */
};

/* A pair on a link: that of hops[hop]. */
struct member {
    uint32_t pair, hop;
};

struct link {
    struct member *members; /* pairs that send: n_members */
    uint32_t n_members, room_members;
    uint32_t n_paths;    /* of pairs over it, whether they send or not */
    uint32_t n_shares;   /* that have no rate yet: pairs, their jobs, or the nodes that send */
    uint32_t n_open;     /* in a circle: of its members, those to which it makes offers; they come
                            first */
    bool is_between : 1; /* switches */
    bool is_examined : 1;
    bool is_in_debt : 1; /* it lends nothing until it has paid */
    bool is_full : 1;    /* nothing is left */
    bool is_free : 1;    /* more than rounding is left */
    bool was_free : 1;   /* before it was examined */
    bool is_due : 1;     /* in a circle: to make its offers anew */
    bool may_fill : 1;   /* while rates are found: it gives none of its pairs more than others do */
    double rate;         /* bytes a ns */
    union {
        double left; /* of it, while rates are found */
        double top;  /* when they are found: the most that one of its shares has */
    };
    union {
        double part;      /* of it for each share, while rates are found; INFINITY: there is none */
        double next_used; /* when they are found */
    };
    double used; /* bytes a ns that pass it, since counted_ns */
    double counted_ns;
    double tokens;     /* bytes that may pass at once, at counted_ns; below 0: that it owes */
    double held_bytes; /* under way over it and links after it: tokens for these are not lost */
    double passed_bytes;
};

/* A node that sends over a link between switches, which serves such nodes in turn. */
struct source {
    uint32_t n_open; /* pairs that have no rate yet */
    bool is_counted, is_listed;
    uint32_t first_ask;
    double fixed; /* bytes a ns of those that have one */
    double total; /* bytes a ns of all */
    double top;   /* the most that one of them has */
    struct ct_bucket assured;
    double ahead; /* bytes that were counted as ahead of message number `counted` */
    uint64_t counted;
};

/* What is ahead of a message in one place, and of how many others it is. */
struct ahead {
    double bytes;
    uint32_t n_others;
};

/* What is ahead of a message on one link. */
struct hop_ahead {
    struct ahead others;
    struct ahead own; /* of the node that it is sent from, in the same queue */
    double own_rate;  /* at which that queue is served, bytes a ns */
};

/* What a pair, or a node that sends, would take of a link. */
struct ask {
    double rate;
    uint32_t pair;
    uint32_t hop;  /* or the source */
    uint32_t next; /* in a list; none */
};

/* Idle pairs whose paths have as many links: the first one has been idle longest. */
struct idle {
    uint32_t first, last; /* pairs; none */
};

/* When the next message of a pair is through. */
struct pair_end {
    double at_ns; /* INFINITY: it has no rate */
    uint32_t pair;
};

struct ct_links {
    struct ct_links_setup setup;
    double now_ns;
    struct ct_pair_map pair_of; /* nodes: number of a pair */
    struct pair *pairs;         /* n_pairs */
    struct hop *hops;           /* n_hops, those of a pair in order */
    uint32_t *hop_sources;      /* [hop], if links serve nodes in turn: the node that sends; none:
                                   this link does not */
    double *offers;             /* [hop], likewise, where links limit each other: the most that the
                                   pair could have */
    double *next_offers;        /* [hop], likewise: what the link would offer now */
    struct ct_bucket *assured;  /* [hop], if inputs have buckets: what the pair is assured */
    struct lane *lanes;         /* [pair * n_jobs + job] */
    uint32_t n_pairs, room_pairs, n_hops, room_hops, room_hop_sources, room_assured, room_offers,
        room_next_offers;
    size_t room_lanes;
    struct idle *idle; /* [links of a path]: n_idle_lists */
    uint32_t n_idle_lists, room_idle_lists, n_idle;
    struct pair_end *ends; /* of pairs that send: n_active, a heap */
    uint32_t n_active, room_ends;
    struct link *links; /* n_links */
    uint32_t n_links;
    struct ct_pair_map source_of; /* link, node: number of a source */
    struct source *sources;
    uint32_t n_sources, room_sources;
    bool serves_in_turn; /* links between switches serve the nodes that send in turn */
    bool has_inputs;     /* links have buckets for their inputs, too */
    struct ct_tokens tokens;
    double packet_bytes; /* if inputs have buckets: of the packets that these let pass */
    double frame_frac;   /* bytes of a program in those of a full packet */
    struct ask *asks;    /* of a link: 2 n_paths, if links serve nodes in turn */
    uint32_t room_asks;
    struct hop_ahead *ahead; /* [room_ahead]: for one message, by link of its path */
    uint32_t room_ahead;
    struct entry *entries;
    uint32_t room_entries, free_entry;
    double *sent_ns; /* [entry], if inputs have buckets: when it was sent */
    double together_ns;
    double ahead_least;       /* the most that queues were asked to hold ahead, and did: with
                                 ahead_bytes from there on all would be the same; INFINITY: they
                                 did not once */
    struct ct_events waiting; /* lanes that open later */
    struct ct_events paid;    /* links that have no debt then */
    uint64_t n_sent, n_checks;
    bool offers_at_once; /* in a circle: of all links, or one after the other */
    double offer_frac;   /* likewise: of its change that an offer takes */
    /* What has changed since rates were found, and what is to be found anew. */
    uint32_t *examined; /* links: n_examined */
    uint32_t n_examined;
    uint32_t *solving; /* pairs: n_solving */
    uint32_t n_solving, room_solving;
    uint32_t *due; /* links: n_due from first_due on, round an array of n_links */
    uint32_t first_due, n_due;
    uint32_t *moving; /* pairs: n_moving */
    uint32_t n_moving, room_moving;
};

static inline uint32_t ct_links_n_nodes(const struct ct_links *links)
{
    return links->setup.paths ? links->setup.paths->n_nodes
                              : ct_routes_n_nodes(links->setup.routes);
}

static inline bool ct_links_are_fifo(const struct ct_links *links)
{
    return links->setup.queues.order == CT_LINKS_FIFO;
}

/* Parts that a pair has of a link on which pairs or jobs have parts. */
static inline uint32_t ct_links_shares(const struct ct_links *links, const struct pair *pair)
{
    return ct_links_are_fifo(links) ? pair->n_busy : 1;
}

static inline struct lane *ct_links_lanes(const struct ct_links *links, const struct pair *pair)
{
    return links->lanes + (size_t)(pair - links->pairs) * links->setup.n_jobs;
}

/* The node that sends, on a link that serves nodes in turn; none: this one does not. */
static inline uint32_t ct_links_source(const struct ct_links *links, uint32_t hop)
{
    return links->serves_in_turn ? links->hop_sources[hop] : CT_LINKS_NONE;
}

/* What the input is assured that a hop is on its link: on links of nodes the pair, on those between
 * switches the node that sends. */
static inline struct ct_bucket *ct_links_assured(const struct ct_links *links, uint32_t hop)
{
    uint32_t source = ct_links_source(links, hop);
    return source == CT_LINKS_NONE ? &links->assured[hop] : &links->sources[source].assured;
}

static inline struct link *ct_links_link(const struct ct_links *links, uint32_t hop)
{
    return &links->links[links->hops[hop].link];
}

/* What a link lends those that send over it, bytes a ns. */
static inline double ct_links_lent(const struct link *link)
{
    return link->is_in_debt ? 0 : link->rate;
}

/* Whether a queue holds so many bytes ahead of a message. */
static inline bool ct_links_hold_ahead(struct ct_links *links, double bytes)
{
    bool does = bytes <= links->setup.queues.ahead_bytes;
    links->ahead_least = does ? ct_greater(links->ahead_least, bytes) : INFINITY;
    return does;
}

/* When the next packet of a pair passes by what inputs are assured; INFINITY: none waits. */
static inline double ct_links_assured_ns(const struct ct_links *links, const struct pair *pair)
{
    double at_ns = links->now_ns;
    if (pair->late == 0)
        return INFINITY;
    for (uint32_t h = pair->first_hop; h < pair->first_hop + pair->n_hops; h++)
        at_ns = ct_greater(at_ns, ct_links_assured(links, h)->empty_ns);
    return at_ns;
}

/* The first link of a pair that is in debt, so that the rate of the pair is 0, but for this one;
 * none: there is none. */
static inline uint32_t ct_links_in_debt(const struct ct_links *links, const struct pair *pair,
                                        uint32_t but)
{
    for (uint32_t h = pair->first_hop; h < pair->first_hop + pair->n_hops; h++)
        if (links->hops[h].link != but && ct_links_link(links, h)->is_in_debt)
            return links->hops[h].link;
    return CT_LINKS_NONE;
}

/* Whether something of it is under way. */
static inline bool ct_links_sends(const struct pair *pair)
{
    return pair->n_busy > 0;
}

/* The bit of a lane in those of its pair. */
static inline uint16_t ct_links_bit(const struct ct_links *links, const struct pair *pair,
                                    const struct lane *lane)
{
    return (uint16_t)(1U << (lane - ct_links_lanes(links, pair)));
}

static inline bool ct_links_is_open(const struct pair *pair, uint32_t job)
{
    return (pair->open >> job & 1) != 0;
}

/* Bytes that the head of an open lane of a pair has left now. */
static inline double ct_links_left_bytes(const struct ct_links *links, const struct pair *pair,
                                         const struct lane *lane)
{
    double passed_ns = links->now_ns - pair->settled_ns;
    return ct_greater(0, lane->left_bytes - passed_ns * (pair->rate / pair->n_busy));
}

/* ---- links_pairs.c: who sends ---- */

/* The pair of two nodes, which is to send: its path is found if it is new. @return as
 * ct_links_send() */
enum ct_status ct_links_find_pair(struct ct_links *links, uint32_t from, uint32_t to,
                                  uint32_t *number_p, struct ct_error *err);
/* A lane of a pair begins to send, or has sent all. */
void ct_links_open_lane(struct ct_links *links, struct pair *pair, struct lane *lane);
void ct_links_close_lane(struct ct_links *links, struct pair *pair, struct lane *lane);
/* A pair may have nothing to send. */
void ct_links_rest(struct ct_links *links, struct pair *pair);
/* What lanes have left is counted until now. */
void ct_links_settle(const struct ct_links *links, struct pair *pair);
/* When the first lane of a pair is through at its rate; INFINITY: it has none. */
double ct_links_through_ns(const struct ct_links *links, const struct pair *pair);
/* The rate of a pair has changed, or what is left of a lane: find when the next one is through. */
void ct_links_set_end(struct ct_links *links, struct pair *pair);

/* The rate of a pair is to be found, and what its links pass. */
void ct_links_solve_pair(struct ct_links *links, struct pair *pair);
/* Likewise for those that send over a link whose debt begins or ends, but for those of which
 * another link is in debt, too: their rates are 0 before and after. */
void ct_links_solve_debt(struct ct_links *links, uint32_t number);

/* ---- links_inputs.c: buckets of inputs ---- */

/* What is sent first of the head of a lane, which begins. @return whether it is all of it; else the
 * head is late */
bool ct_links_pass_at_once(struct ct_links *links, struct pair *pair, struct lane *lane);
/* The packet of ct_links_assured_ns() passes. @return the lane whose head is through with it; NULL:
 * none is */
struct lane *ct_links_pass_assured(struct ct_links *links, struct pair *pair);
/* Links of a pair pay for bytes that pass beside rates; 0: it sends now over links that may owe
 * some. */
void ct_links_charge(struct ct_links *links, const struct pair *pair, double bytes);
/* The head of a lane is through: its last packet is charged to the links. The lane is closed. */
void ct_links_end_inputs(struct ct_links *links, struct pair *pair, double bytes,
                         double left_bytes);
/* A link has paid. */
void ct_links_step_paid(struct ct_links *links);

/* ---- links_ahead.c: what short messages wait for ---- */

/* How long a message waits for what is ahead of it, beyond what sharing costs it. Its lane is not
 * under way. */
double ct_links_wait_ns(struct ct_links *links, const struct pair *pair, double bytes);

/* ---- links_rates.c: max-min fair rates ---- */

/* Rates of the pairs to be solved, on the links that are examined, beside others, whose rates stay.
 */
void ct_links_fill(struct ct_links *links);

/* ---- links_circle.c: where links limit each other ---- */

/* Rates of the pairs to be solved that are not fixed yet. @return false: none were found */
bool ct_links_fill_circle(struct ct_links *links);

/* ---- links_solve.c: whose rates change ---- */

/* Rates from now on. */
void ct_links_solve(struct ct_links *links);
/* What has passed a link, and its tokens, are counted until now. */
void ct_links_count(const struct ct_links *links, struct link *link);

#endif
