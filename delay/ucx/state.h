/**
 * What the library knows: its settings, and for each worker of UCX what is on its way. One process
 * has one of it; the lock of calls.h protects it.
 */
#ifndef CT_DELAY_UCX_STATE_H
#define CT_DELAY_UCX_STATE_H

#include "delay/due.h"
#include "delay/latency.h"
#include "delay/match.h"
#include "delay/run.h"
#include "delay/ucx/calls.h"
#include "delay/ucx/map.h"

#include <pthread.h>
#include <stdatomic.h>

struct ct_delay_settings {
    bool active; /**< a latency or matrix is given, be it 0 */
    bool quiet;
    struct ct_delay_latency latency;
    size_t rendezvous_bytes; /**< messages of that length and longer are sent by rendezvous */
    size_t rank, n_ranks;    /**< of the program, as its launcher says; n_ranks 0: unknown */
};
extern struct ct_delay_settings ct_delay_settings;

/** Read the environment, once. Prints an error by itself. @return whether it can be used */
bool ct_delay_settings_read(void);

/** "crosstalk delay: ...", to standard error. */
void ct_delay_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/** A call of the program that is to be made from its own ucp_worker_progress(). */
struct ct_delay_call {
    struct ct_delay_call *next;
    void (*make)(struct ct_delay_call *call); /**< frees it, too */
};

/** Things that become due. */
enum ct_delay_kind {
    CT_DELAY_ARRIVE, /**< a message is seen by the program: struct ct_delay_message */
    CT_DELAY_GRANT,  /**< a rendezvous may send its data: struct ct_delay_receive */
    CT_DELAY_FINISH, /**< its data is there: struct ct_delay_receive */
    CT_DELAY_SENT    /**< a synchronous send is acknowledged: struct ct_delay_send */
};

struct ct_delay_worker {
    ucp_worker_h ucx;
    size_t request_size; /**< bytes that the program keeps in a request */
    ucp_request_init_callback_t request_init;
    struct ct_match match;
    struct ct_due due;    /**< but for grants */
    struct ct_due grants; /**< the helper looks after them, too */
    struct ct_delay_call *first_call, **last_call;
    struct ct_delay_receive *spare; /**< to be used again */
    struct ct_map callbacks;        /**< of requests whose calls pass no data on */
    uint64_t n_messages;
    /* The helper. */
    atomic_uint beats; /**< calls of ucp_worker_progress by the program */
    atomic_bool ending;
    pthread_t helper;
    int fd, wake_fd; /**< the worker's; an eventfd */
    int64_t nap_ns;
    struct ct_delay_worker *next;
};

extern struct ct_delay_worker *ct_delay_workers;

/** The one of UCX's handle; NULL: not delayed. */
struct ct_delay_worker *ct_delay_worker_of(ucp_worker_h ucx);

/** Queue a call of the program. */
void ct_delay_call_later(struct ct_delay_worker *worker, struct ct_delay_call *call);

/** Add to what is due; ends the process where there is no memory. */
void ct_delay_add(struct ct_due *due, int64_t due_ns, enum ct_delay_kind kind, void *what);

/** CLOCK_MONOTONIC. */
int64_t ct_delay_now_ns(void);

/** Memory, zeroed; ends the process where there is none: a message would be lost. */
void *ct_delay_allocate(size_t bytes);

#endif
