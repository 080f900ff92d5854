#include "bench/replay/gate.h"

#include "core/clock.h"

#include <stdlib.h>

/* What takes less time than to fall asleep and wake up is waited for awake. */
static const uint64_t awake_ns = 20000;

enum ct_status ct_gate_open(uint32_t n, struct ct_gate *gate_p, struct ct_error *err)
{
    _Atomic uint64_t *at = calloc(n, sizeof *at);
    if (!at)
        return ct_no_memory(err, "replay");
    gate_p->at = at;
    gate_p->n = n;
    gate_p->n_waiting = 0;
    pthread_mutex_init(&gate_p->lock, NULL);
    pthread_cond_init(&gate_p->moved, NULL);
    return CT_OK;
}

void ct_gate_close(struct ct_gate *gate)
{
    if (!gate->at)
        return;
    pthread_cond_destroy(&gate->moved);
    pthread_mutex_destroy(&gate->lock);
    free(gate->at);
    gate->at = NULL;
}

/* A thread that sleeps has counted itself before it looked for the last time. */
void ct_gate_move(struct ct_gate *gate, uint32_t thread, uint64_t index)
{
    atomic_store(&gate->at[thread], index);
    if (atomic_load(&gate->n_waiting) == 0)
        return;
    pthread_mutex_lock(&gate->lock);
    pthread_cond_broadcast(&gate->moved);
    pthread_mutex_unlock(&gate->lock);
}

static bool is_open(const struct ct_gate *gate, uint32_t thread, uint64_t after)
{
    for (uint32_t i = 0; i < gate->n; i++)
        if (i != thread && atomic_load(&gate->at[i]) < after)
            return false;
    return true;
}

bool ct_gate_pass(struct ct_gate *gate, uint32_t thread, uint64_t after)
{
    if (is_open(gate, thread, after))
        return false;
    uint64_t from_ns = ct_clock_now_ns();
    while (ct_clock_now_ns() - from_ns < awake_ns)
        if (is_open(gate, thread, after))
            return true;
    pthread_mutex_lock(&gate->lock);
    atomic_fetch_add(&gate->n_waiting, 1);
    while (!is_open(gate, thread, after))
        pthread_cond_wait(&gate->moved, &gate->lock);
    atomic_fetch_sub(&gate->n_waiting, 1);
    pthread_mutex_unlock(&gate->lock);
    return true;
}
