/**
 * Keeps the order of a trace among the threads of a rank: a call begins when all events of the rank
 * have ended that had when it began in the trace. Each thread tells the event that it is at; as the
 * one with the first of these waits for no other, all go on. Pure: no MPI.
 *
 *     ct_gate_move(gate, thread, index of its first event);   for all threads, before any passes
 *     ct_gate_pass(gate, thread, after of the event);         the call
 *     ct_gate_move(gate, thread, index of its next event);    and so on
 */
#pragma once

#include "core/status.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct ct_gate {
    _Atomic uint64_t *at; /**< [n] index of the event that a thread is at, which has not ended */
    uint32_t n;
    _Atomic uint32_t n_waiting;
    pthread_mutex_t lock; /**< of those that sleep */
    pthread_cond_t moved;
};

/** What a thread is at behind its last event. */
#define CT_GATE_END UINT64_MAX

/**
 * @param n       [in]  threads
 * @param gate_p  [out] ct_gate_close(); all are at event 0; unchanged on error
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_gate_open(uint32_t n, struct ct_gate *gate_p, struct ct_error *err);
void ct_gate_close(struct ct_gate *gate); /**< {0} is allowed */

/** All events of the thread before this one have ended. */
void ct_gate_move(struct ct_gate *gate, uint32_t thread, uint64_t index);

/**
 * Wait until no other thread is at one of the first `after` events.
 * @return whether the thread had to wait
 */
bool ct_gate_pass(struct ct_gate *gate, uint32_t thread, uint64_t after);
