/** Endpoints: who is behind them, and the addresses by which ranks find each other. */
#pragma once

#include "delay/ucx/state.h"

struct ct_delay_endpoint {
    struct ct_delay_worker *worker;
    size_t rank;           /**< in MPI_COMM_WORLD */
    bool is_of_this_world; /**< false: the rank is unknown, or that of another program */
    bool is_nearby;        /**< messages stay within a node, and are not delayed */
};

/** NULL: it belongs to no worker whose messages are delayed. */
struct ct_delay_endpoint *ct_delay_endpoint_of(ucp_ep_h ep);

/** The worker that an endpoint was made from; NULL: as above. */
static inline struct ct_delay_worker *ct_delay_worker_of_ep(ucp_ep_h ep)
{
    struct ct_delay_endpoint *endpoint = ct_delay_endpoint_of(ep);
    return endpoint ? endpoint->worker : NULL;
}
