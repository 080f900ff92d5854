/* Programs as a tracer sees them, made by hand: events of each rank, in memory. */
#pragma once

#include "lp-bridge/envelope/path.h"
#include "trace/convert/actions.h"

enum { PROGRAM_RANKS_MAX = 40, PROGRAM_EVENTS_MAX = 400 };

struct traced_rank {
    struct ct_trace_event events[PROGRAM_EVENTS_MAX];
    size_t n, next;
};

struct traced_program {
    uint32_t n_ranks;
    bool has_threads;
    struct traced_rank *ranks;
    uint64_t *values; /* of all events */
    size_t n_values;
};

/* Every rank has MPI_COMM_WORLD, as communicator 0, and begins at 0 ns. */
struct traced_program program_of(uint32_t n_ranks);
void program_free(struct traced_program *program);

/* Add an event from start to end, ns; its values are copied. */
void call(struct traced_program *program, uint32_t rank, uint64_t start_ns, uint64_t end_ns,
          struct ct_trace_event event);
/* MPI_Finalize. */
void end(struct traced_program *program, uint32_t rank, uint64_t at_ns);
/* A communicator with the number that the rank gives it. */
void communicator(struct traced_program *program, uint32_t rank, uint64_t at_ns, uint32_t number,
                  const uint64_t *ordinal_and_members, size_t n);

/* Kinds of events. request 0: the call blocks. */
struct ct_trace_event send_to(int32_t to, int32_t tag, uint64_t bytes, uint32_t request);
struct ct_trace_event receive_from(int32_t from, int32_t tag, uint64_t bytes, uint32_t request);
/* A persistent request is made, by the send or receive that it is for, and started: one of n that
 * its call starts. */
struct ct_trace_event init_of(struct ct_trace_event message);
struct ct_trace_event start_of(struct ct_trace_event message, uint32_t start, uint32_t n);
struct ct_trace_event free_of(uint32_t request);
/* A wait for one request; of a receive: what came. */
struct ct_trace_event wait_sent(uint32_t request);
struct ct_trace_event wait_received(uint32_t request, int32_t from, int32_t tag, uint64_t bytes);
struct ct_trace_event collective(enum ct_trace_kind kind, uint32_t root, uint64_t bytes,
                                 uint32_t request);
struct ct_trace_event in_comm(uint32_t comm, struct ct_trace_event event);
/* A call of a thread that begins after so many events of its rank have ended. */
struct ct_trace_event on_thread(uint32_t thread, uint64_t after, struct ct_trace_event event);
struct ct_trace_event in_mode(enum ct_trace_mode mode, struct ct_trace_event event);

/* Two ranks, which both post a receive and a send, compute, and wait. */
struct traced_program nonblocking_ring(uint64_t compute_ns);

/* The program as events; borrows it. */
struct ct_events events_of(struct traced_program *program);

/* Convert, or fail the test. */
struct ct_goal goal_of_program(struct traced_program *program,
                               const struct ct_convert_options *options);
/* Convert, and fail the test unless that fails with a message that has all words, in order. */
void assert_refused(struct traced_program *program, const char *words);

/* The text form of a schedule; free(). */
char *text_of(const struct ct_goal *goal);

/* T of a schedule at L, with o and G and all messages eager, or with rendezvous above S bytes. */
double runtime_of(const struct ct_goal *goal, double o_ns, double L_ns, double G_ns_per_byte,
                  uint64_t S_bytes);

double runtime_in_graph(const struct ct_goal *goal, const struct ct_loggps *at,
                        const struct ct_graph_options *options);

/* The calls of an operation: that which made it, and that in which its rank waits for it. */
struct calls {
    const char *made, *waited;
};
struct calls calls_of(const struct ct_goal *goal, uint64_t op);
/* How often the program calls it. */
uint64_t count_of(const struct ct_goal *goal, const char *name);
