/** struct ct_logp_transport over MPI, and the rank at the other end. */
#pragma once

#include "bench/logp/logp_transport.h"

#include <mpi.h>

struct ct_logp_wire {
    MPI_Comm comm;
    int partner;
    unsigned char *buffer; /**< of the largest size; borrowed */
};

/**
 * The end that measures: blocking MPI_Send and MPI_Recv. Returns CT_EINTR if a signal has come to
 * either end. Feeds the watchdog.
 * @param wire  [in] borrowed; the partner is in ct_logp_wire_answer()
 */
struct ct_logp_transport ct_logp_wire_transport(struct ct_logp_wire *wire);

/** The other end: answer the partner's messages, until the partner calls ct_logp_wire_dismiss(). */
void ct_logp_wire_answer(struct ct_logp_wire *wire);
void ct_logp_wire_dismiss(struct ct_logp_wire *wire);
