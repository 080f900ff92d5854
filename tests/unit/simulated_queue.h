/** A network for probes, without a network: two queues that other traffic fills, and a clock that
 * jumps. */
#pragma once

#include "bench/impact/probe_transport.h"

#include <stddef.h>

/** Work that arrives at a server: the time that the server needs for it. */
struct simulated_arrival {
    double time_s, work_s;
};

/** One direction: first in, first out; a probe waits for the work that it finds and adds none. */
struct simulated_server {
    struct simulated_arrival *arrivals; /**< ordered by time; owned by the test */
    size_t n_arrivals, next;
    double free_s; /**< when the work that has arrived is done */
};

enum { SIMULATED_PROBES_MAX = 65536 };

struct simulated_queue {
    struct simulated_server there, back;
    double delay_s; /**< of a message that meets nothing */
    double now_s;
    double end_s; /**< the run is over; INFINITY: it goes on */
    uint64_t n_sent, n_taken;
    uint64_t asked; /**< probe whose answer was asked for last */

    double ahead_s; /**< the partner's clock, less the other one */

    double arrived_s[SIMULATED_PROBES_MAX];  /**< at the partner, of probe i at [i % max] */
    double answered_s[SIMULATED_PROBES_MAX]; /**< of probe i at [i % max] */
};

struct ct_probe_transport simulated_queue_transport(struct simulated_queue *queue);

/** Time that a probe which arrives then waits at a server. Times must not decrease. */
double simulated_wait_s(struct simulated_server *server, double time_s);
