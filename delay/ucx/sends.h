/** Sends: their callbacks, and the acknowledgements of synchronous ones. Call all functions with
 * the lock held. */
#pragma once

#include "delay/ucx/state.h"

struct ct_delay_send;

/** An acknowledgement is due. */
void ct_delay_sent(struct ct_delay_worker *worker, struct ct_delay_send *send);

/** Whether the program does not yet know of the end of a send, although UCX may have it. */
bool ct_delay_is_sending(void *request);

/** The program is about to free a request of UCX, so that it wants no callback any more. */
void ct_delay_drop_send(void *request);
