/** Incoming messages, and the receives that they match. Call all functions with the lock held. */
#pragma once

#include "delay/ucx/state.h"

/** Requests in memory of the program's: bytes in front of a request that a receive needs. */
extern const size_t ct_delay_request_bytes;

struct ct_delay_receive;

/** Take the messages that have arrived from UCX, and record the time. */
void ct_delay_drain(struct ct_delay_worker *worker);

/** Process the items that are due, in the program's thread. */
void ct_delay_act(struct ct_delay_worker *worker);

/** Grant the rendezvous that are due; called by the helper too. */
void ct_delay_grant(struct ct_delay_worker *worker);

/** Free everything that is held back in a worker, when it ends. */
void ct_delay_forget(struct ct_delay_worker *worker);
