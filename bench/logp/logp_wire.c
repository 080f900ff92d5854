#include "bench/logp/logp_wire.h"

#include "bench/common/bench.h"
#include "bench/common/clock.h"
#include "bench/logp/watchdog.h"

enum { TAG_ORDER = 1, TAG_READY = 2, TAG_MESSAGE = 3, TAG_ANSWER = 4 };
enum order_kind { ORDER_TRAIN, ORDER_REPLY, ORDER_END };
static const double spin_s = 200e-6; /* before a receive: a sleeping processor is a slow one */

/* What the partner is to do next: sent as bytes between processes of one program. */
struct order {
    uint64_t kind, bytes, n_messages, count;
};

static void send_bytes(const struct ct_logp_wire *wire, size_t bytes, int tag)
{
    MPI_Send(wire->buffer, (int)bytes, MPI_BYTE, wire->partner, tag, wire->comm);
    ct_watchdog_feed();
}

static void receive_bytes(const struct ct_logp_wire *wire, size_t bytes, int tag)
{
    MPI_Recv(wire->buffer, (int)bytes, MPI_BYTE, wire->partner, tag, wire->comm, MPI_STATUS_IGNORE);
    ct_watchdog_feed();
}

/* ---- the end that measures ---- */

/* The partner says when it is ready, and whether a signal reached it. */
static enum ct_status give_order(const struct ct_logp_wire *wire, struct order order,
                                 struct ct_error *err)
{
    char signalled;
    if (ct_bench_signalled())
        return ct_fail(err, CT_EINTR, "ended by a signal");
    ct_watchdog_feed();
    MPI_Send(&order, (int)sizeof order, MPI_BYTE, wire->partner, TAG_ORDER, wire->comm);
    MPI_Recv(&signalled, 1, MPI_CHAR, wire->partner, TAG_READY, wire->comm, MPI_STATUS_IGNORE);
    ct_watchdog_feed();
    return signalled ? ct_fail(err, CT_EINTR, "ended by a signal") : CT_OK;
}

static enum ct_status measure_train(void *self, size_t bytes, uint64_t n_messages, size_t count,
                                    struct ct_logp_trip *trips_p, struct ct_error *err)
{
    const struct ct_logp_wire *wire = self;
    CT_TRY(give_order(wire, (struct order){ORDER_TRAIN, bytes, n_messages, count}, err));
    for (size_t i = 0; i < count; i++) {
        double start_s = ct_clock_now_s();
        for (uint64_t n = 0; n < n_messages; n++)
            send_bytes(wire, bytes, TAG_MESSAGE);
        double sent_s = ct_clock_now_s();
        receive_bytes(wire, 0, TAG_ANSWER);
        double end_s = ct_clock_now_s();
        trips_p[i] = (struct ct_logp_trip){.send_s = sent_s - start_s, .total_s = end_s - start_s};
    }
    return CT_OK;
}

/* No MPI call while waiting: the message is to arrive unexpected, its cost to fall in the receive.
 */
static void wait_without_mpi(double duration_s)
{
    double until_s = ct_clock_now_s() + duration_s;
    while (ct_clock_now_s() < until_s - spin_s) {
        ct_clock_sleep_until(until_s - spin_s);
        ct_watchdog_feed();
    }
    while (ct_clock_now_s() < until_s)
        ct_clock_spin(until_s);
}

static double time_unexpected(const struct ct_logp_wire *wire, size_t bytes, double wait_s)
{
    send_bytes(wire, 0, TAG_MESSAGE);
    wait_without_mpi(wait_s);
    double start_s = ct_clock_now_s();
    receive_bytes(wire, bytes, TAG_ANSWER);
    return ct_clock_now_s() - start_s;
}

static double time_expected(const struct ct_logp_wire *wire, size_t bytes, double wait_s)
{
    MPI_Request request;
    char ask = 0;
    double start_s = ct_clock_now_s();
    MPI_Irecv(wire->buffer, (int)bytes, MPI_BYTE, wire->partner, TAG_ANSWER, wire->comm, &request);
    double posted_s = ct_clock_now_s();
    MPI_Send(&ask, 0, MPI_BYTE, wire->partner, TAG_MESSAGE, wire->comm);
    wait_without_mpi(wait_s);
    double again_s = ct_clock_now_s();
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    double end_s = ct_clock_now_s();
    ct_watchdog_feed();
    return (posted_s - start_s) + (end_s - again_s);
}

static enum ct_status time_receives(void *self, size_t bytes, double wait_s, bool expected,
                                    size_t count, double *receive_s, struct ct_error *err)
{
    const struct ct_logp_wire *wire = self;
    CT_TRY(give_order(wire, (struct order){ORDER_REPLY, bytes, 1, count}, err));
    for (size_t i = 0; i < count; i++)
        receive_s[i] =
            expected ? time_expected(wire, bytes, wait_s) : time_unexpected(wire, bytes, wait_s);
    return CT_OK;
}

static double now_s(void *self)
{
    (void)self;
    return ct_clock_now_s();
}

struct ct_logp_transport ct_logp_wire_transport(struct ct_logp_wire *wire)
{
    struct ct_clock_quality quality = ct_clock_measure();
    return (struct ct_logp_transport){.self = wire,
                                      .train = measure_train,
                                      .receive = time_receives,
                                      .now_s = now_s,
                                      .timer_overhead_s = quality.overhead_s,
                                      .timer_resolution_s = quality.resolution_s};
}

void ct_logp_wire_dismiss(struct ct_logp_wire *wire)
{
    const struct order order = {.kind = ORDER_END};
    MPI_Send(&order, (int)sizeof order, MPI_BYTE, wire->partner, TAG_ORDER, wire->comm);
}

/* ---- the end that answers ---- */

static void obey_order(const struct ct_logp_wire *wire, struct order order)
{
    char signalled = ct_bench_signalled();
    MPI_Send(&signalled, 1, MPI_CHAR, wire->partner, TAG_READY, wire->comm);
    for (uint64_t i = 0; i < order.count && !signalled; i++) {
        if (order.kind == ORDER_TRAIN) {
            for (uint64_t n = 0; n < order.n_messages; n++)
                receive_bytes(wire, order.bytes, TAG_MESSAGE);
            send_bytes(wire, 0, TAG_ANSWER);
        } else {
            receive_bytes(wire, 0, TAG_MESSAGE);
            send_bytes(wire, order.bytes, TAG_ANSWER);
        }
    }
}

void ct_logp_wire_answer(struct ct_logp_wire *wire)
{
    struct order order;
    for (;;) {
        MPI_Recv(&order, (int)sizeof order, MPI_BYTE, wire->partner, TAG_ORDER, wire->comm,
                 MPI_STATUS_IGNORE);
        ct_watchdog_feed();
        if (order.kind == ORDER_END)
            return;
        obey_order(wire, order);
    }
}
