/** Messages on their way in, and the receives that take them. All with the lock held. */
#ifndef CT_DELAY_UCX_MESSAGES_H
#define CT_DELAY_UCX_MESSAGES_H

#include "delay/ucx/state.h"

/** Where the sender's rank stands in the tags of messages on the wire, if there is a matrix. */
enum { CT_DELAY_TAG_SHIFT = 40 };
#define CT_DELAY_TAG_RANK (UINT64_C(0xff) << CT_DELAY_TAG_SHIFT)

struct ct_delay_receive;

/** Take what arrived from UCX and note when. */
void ct_delay_drain(struct ct_delay_worker *worker);

/** Do what is due, in the program's own thread. */
void ct_delay_act(struct ct_delay_worker *worker);

/** The rest of what the helper does: let rendezvous send that are due. */
void ct_delay_grant(struct ct_delay_worker *worker);

/** What a worker holds back goes away with it. */
void ct_delay_forget(struct ct_delay_worker *worker);

#endif
