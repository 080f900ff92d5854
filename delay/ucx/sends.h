/** Sends: their callbacks, and the acknowledgements of synchronous ones. */
#ifndef CT_DELAY_UCX_SENDS_H
#define CT_DELAY_UCX_SENDS_H

#include "delay/ucx/state.h"

struct ct_delay_send;

/** An acknowledgement is due. */
void ct_delay_sent(struct ct_delay_worker *worker, struct ct_delay_send *send);

/** The worker that an endpoint was made from. */
struct ct_delay_worker *ct_delay_worker_of_ep(ucp_ep_h ep);

#endif
