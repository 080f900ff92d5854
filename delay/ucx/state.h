/**
 * State of the library: its settings and, for each worker of UCX, the messages under way. One for
 * each process; the lock of calls.h protects it.
 */
#pragma once

#include "core/map.h"
#include "delay/due.h"
#include "delay/latency.h"
#include "delay/match.h"
#include "delay/run.h"
#include "delay/ucx/calls.h"
#include "delay/wire.h"

#include <pthread.h>
#include <stdatomic.h>

struct ct_delay_settings {
    bool quiet;
    bool within_nodes; /**< messages between ranks of a node are delayed too */
    struct ct_delay_latency latency;
    size_t rendezvous_bytes; /**< messages of that length and longer are sent by rendezvous */
    size_t rank,
        n_ranks; /**< of the program, from its launcher's environment; n_ranks = 0: unknown */
    bool is_openmpi;
    struct ct_delay_marks marks; /**< of tags */
    struct ct_delay_peer self;   /**< in front of this process's addresses, if there are marks */
};
extern struct ct_delay_settings ct_delay_settings;

/**
 * Read the environment, once. An error is printed here.
 * @param is_openmpi  [in] the MPI is Open MPI, not MPICH
 * @return whether the settings are valid
 */
bool ct_delay_settings_read(bool is_openmpi);

/** Whether ranks tell each other who they are. */
static inline bool ct_delay_has_marks(void)
{
    return ct_delay_settings.marks.rank != 0 || ct_delay_settings.marks.nearby != 0;
}

/** Whether a latency or a matrix is given, even if it is 0. */
bool ct_delay_is_wanted(void);

/** "crosstalk delay: ...", to standard error. */
void ct_delay_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/** A callback of the program that has to be called from the program's own ucp_worker_progress(). */
struct ct_delay_call {
    struct ct_delay_call *next;
    void (*make)(struct ct_delay_call *call); /**< also frees the call */
};

/** Kinds of items that become due. */
enum ct_delay_kind {
    CT_DELAY_ARRIVE, /**< a message becomes visible to the program: struct ct_delay_message */
    CT_DELAY_GRANT,  /**< a rendezvous may send its data: struct ct_delay_receive */
    CT_DELAY_FINISH, /**< its data has arrived: struct ct_delay_receive */
    CT_DELAY_SENT    /**< a synchronous send is acknowledged: struct ct_delay_send */
};

struct ct_delay_worker {
    ucp_worker_h ucx;
    size_t request_size; /**< bytes of the program's data in a request */
    ucp_request_init_callback_t request_init;
    ucp_request_cleanup_callback_t request_cleanup;
    struct ct_match match;
    struct ct_due due;    /**< all items but grants */
    struct ct_due grants; /**< also processed by the helper */
    struct ct_delay_call *first_call, **last_call;
    struct ct_delay_receive *spare; /**< for reuse */
    struct ct_map callbacks;        /**< of requests whose callbacks have no data argument */
    uint64_t n_messages;            /**< that are delayed */
    /* The helper. */
    atomic_uint beats; /**< calls of ucp_worker_progress by the program */
    atomic_bool ending;
    pthread_t helper;
    int fd, wake_fd; /**< the worker's; an eventfd */
    int64_t nap_ns;
    struct ct_delay_worker *next;
};

extern struct ct_delay_worker *ct_delay_workers;

/** The worker of a handle of UCX; NULL: not delayed. */
struct ct_delay_worker *ct_delay_worker_of(ucp_worker_h ucx);

/** Queue a callback of the program. */
void ct_delay_call_later(struct ct_delay_worker *worker, struct ct_delay_call *call);

/**
 * While callbacks of the program run, and while it frees a request, no other thread does either, as
 * with UCX: a thread may free the request whose callback another thread is in. May be nested. Take
 * it before the lock of calls.h, never within.
 */
void ct_delay_callbacks_enter(void);
void ct_delay_callbacks_leave(void);

/** Add an item; ends the process if there is no memory. */
void ct_delay_add(struct ct_due *due, int64_t due_ns, enum ct_delay_kind kind, void *what);

/** CLOCK_MONOTONIC. */
int64_t ct_delay_now_ns(void);

/** Allocate zeroed memory; ends the process if there is none, since a message would be lost. */
void *ct_delay_allocate(size_t bytes);
