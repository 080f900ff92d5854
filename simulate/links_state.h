/* What links.c and links_rates.c share: messages under way, and the rates of those who send. */
#ifndef CT_SIMULATE_LINKS_STATE_H
#define CT_SIMULATE_LINKS_STATE_H

#include "simulate/links.h"

#include <stdbool.h>
#include <stdint.h>

/* A message in the queue of a lane, or a free entry. */
struct entry {
    double bytes;
    uint32_t number, next;
};

/* Messages of a job from one node to another, in order. */
struct lane {
    uint32_t head, tail; /* entries */
    double left_bytes;   /* of the head */
    double behind_bytes; /* of the messages that follow it */
    double opens_ns;     /* what was ahead of the head is through; before, the lane has no rate */
};

/* A pair of nodes with something to send. */
struct pair {
    uint32_t from, to;
    uint32_t n_busy; /* lanes */
    uint32_t n_hops;
    const uint32_t *hops; /* links, in order */
    double rate;          /* bytes a ns, of all lanes together */
    uint32_t held_by;     /* link between switches that limits the rate; none: one of a node does */
    bool is_fixed;
};

struct link {
    uint32_t n_shares; /* that have no rate yet: pairs, their jobs, or the nodes that send */
    bool is_used, is_full;
    double rate;   /* bytes a ns */
    double left;   /* of it */
    double part;   /* of it for each of them; INFINITY: there is none */
    double tokens; /* bytes that may pass at once */
    double passed_bytes;
};

/* A node that sends over a link between switches, which serves such nodes in turn. */
struct source {
    uint32_t n_open; /* pairs that have no rate yet */
    double fixed;    /* bytes a ns of those that have one */
    double ahead;    /* bytes that were counted as ahead of message number `counted` */
    uint64_t counted;
};

struct ct_links {
    struct ct_links_setup setup;
    double now_ns;
    struct lane *lanes;      /* [(from * n_nodes + to) * n_jobs + job] */
    uint32_t *active_at;     /* [from * n_nodes + to]: index in pairs; none */
    struct pair *pairs;      /* n_pairs */
    struct link *links;      /* as in setup.paths */
    uint32_t *used;          /* n_used links that some pair uses */
    struct source *sources;  /* [link between switches * n_nodes + node]; NULL: no link serves nodes
                                in turn */
    struct hop_ahead *ahead; /* [most_hops]: for one message */
    struct entry *entries;
    uint32_t *waiting; /* lanes that open later: n_waiting, room_waiting */
    uint32_t n_waiting, room_waiting;
    uint32_t n_pairs, n_used, room_entries, free_entry;
    double filled_ns; /* since then links pass what they do now */
    uint64_t n_sent;
    bool other_pairs; /* than the rates are for */
    bool is_stale;    /* next_ns is */
    double next_ns;
    uint32_t next_lane;    /* whose head is through */
    uint32_t next_waiting; /* or, unless it is none, index in waiting of the one that opens */
};

/* fmin() and fmax() are calls, for the sake of NaN, which is not here. */
static inline double ct_lesser(double a, double b)
{
    return a < b ? a : b;
}

static inline double ct_greater(double a, double b)
{
    return a > b ? a : b;
}

static inline bool ct_links_are_fifo(const struct ct_links *links)
{
    return links->setup.queues.order == CT_LINKS_FIFO;
}

/* Whether a link joins switches. */
static inline bool ct_links_is_between(const struct ct_links *links, uint32_t link)
{
    return link >= links->setup.paths->n_links - links->setup.paths->n_between;
}

/* A node that sends over a link between switches. */
static inline struct source *ct_links_source(const struct ct_links *links, uint32_t link,
                                             uint32_t node)
{
    const struct ct_simulate_paths *paths = links->setup.paths;
    size_t between = link - (paths->n_links - paths->n_between);
    return &links->sources[between * paths->n_nodes + node];
}

/* Rates of all pairs, from now on. */
void ct_links_fill(struct ct_links *links);

/* Count what has passed each link since the rates were found. */
void ct_links_count_passed(struct ct_links *links, double until_ns);

#endif
