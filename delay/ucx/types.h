/** Datatypes that the MPI packs and unpacks. Call all functions with the lock held. */
#pragma once

#include "delay/ucx/state.h"

/**
 * Begin to unpack, as UCX does when a receive is posted: the program may free the datatype while
 * the receive is held back.
 * @return what the MPI needs to unpack; NULL: nothing, UCX copies the bytes
 */
void *ct_delay_unpack_begin(const ucp_request_param_t *param, void *buffer, size_t count);

/** The call of UCX that follows goes on with it. @param state  [in] may be NULL */
void ct_delay_unpack_pass(void *state);

/** Bytes of a message whose send UCX has just started. */
size_t ct_delay_packed_bytes(size_t count, const ucp_request_param_t *param);
