/** Probes of a fabric in virtual time, with loads and one fault. */
#pragma once

#include "core/random.h"
#include "topology/route.h"
#include "watch/sample.h"
#include "watch/state.h"

struct fabric_fault {
    enum ct_watch_kind kind;
    bool is_there;
    uint32_t direction; /* but of HOST */
    uint32_t host;      /* HOST, and ROUTE: messages to it */
    double size;        /* RATE: what is left; DELAY: times as long; LOSS: share */
};

struct fabric {
    const struct ct_topology *topology;
    struct ct_router *router;
    struct ct_route route;
    double *load;          /* [2 n_links] busy share of each direction */
    double link_s, byte_s; /* latency of a link, time of a byte */
    double jitter_frac;    /* of a path, on average */
    double probes_per_s;   /* of each host */
    double now_s;
    uint64_t random;
    struct fabric_fault fault;
};

void fabric_open(struct fabric *fabric, const struct ct_topology *topology, uint64_t seed);
void fabric_close(struct fabric *fabric);

/* The next probe: half of them are large. At 8 Gbit/s they take 0.07 % of a host's link. */
struct ct_watch_sample fabric_probe(struct fabric *fabric);
