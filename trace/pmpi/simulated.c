/* State of the tracer where all ranks are in one process, of one thread: one for each rank. */
#include "core/array.h"
#include "trace/pmpi/state.h"
#include "trace/pmpi/wrap.h"

#include <simgrid/actor.h>
#include <stdio.h>
#include <stdlib.h>

/* Not moved once it is made: a lock of it may be held. */
struct rank {
    struct ct_tracer_state tracer;
    struct ct_tracer_thread thread;
    unsigned calls;
};

/* By the simulator's number of the rank. */
static struct rank **ranks;
static size_t n_ranks;

static struct rank *make_rank(size_t number)
{
    size_t n = number + 1;
    struct rank *rank = calloc(1, sizeof *rank);
    if (!rank || (n > n_ranks && !CT_ARRAY_RESIZE(ranks, n))) {
        fprintf(stderr, "crosstalk trace: out of memory\n");
        abort();
    }
    for (; n_ranks < n; n_ranks++)
        ranks[n_ranks] = NULL;
    pthread_mutex_init(&rank->tracer.lock, NULL);
    ranks[number] = rank;
    return rank;
}

static struct rank *own_rank(void)
{
    size_t number = (size_t)sg_actor_self_get_pid();
    return number < n_ranks && ranks[number] ? ranks[number] : make_rank(number);
}

struct ct_tracer_state *ct_tracer_self(void)
{
    return &own_rank()->tracer;
}

struct ct_tracer_thread *ct_tracer_find_thread(void)
{
    return &own_rank()->thread;
}

unsigned *ct_tracer_depth_self(void)
{
    return &own_rank()->calls;
}
