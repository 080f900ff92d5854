#include "bench/impact/impact_wire.h"

#include "bench/common/bench.h"
#include "bench/common/clock.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TAG_PING = 1, TAG_PONG = 2 };

/* A probe under way, or a receive that waits for one. */
struct ct_impact_slot {
    unsigned char *out, *in;
    MPI_Request sent, received;
};

struct header {
    uint64_t sequence;
    uint32_t kind;
    uint32_t epoch;
};
_Static_assert(sizeof(struct header) == CT_PROBE_LEAST_BYTES, "header of a probe");
_Static_assert(sizeof(struct header) + sizeof(double) == CT_PROBE_TIMED_BYTES, "time of an answer");

/* ---- messages ---- */

static unsigned char pattern_byte(size_t i)
{
    return (unsigned char)(i * 131 + 7);
}

static void set_header(unsigned char *message, uint64_t sequence, enum ct_probe_kind kind,
                       uint32_t epoch)
{
    const struct header header = {sequence, (uint32_t)kind, epoch};
    memcpy(message, &header, sizeof header);
}

static struct header header_of(const unsigned char *message)
{
    struct header header;
    memcpy(&header, message, sizeof header);
    return header;
}

/* The time follows the header of an answer, in place of a part of the pattern. */
static void set_time(unsigned char *message, size_t size, double time_s)
{
    if (size >= CT_PROBE_TIMED_BYTES)
        memcpy(message + sizeof(struct header), &time_s, sizeof time_s);
}

static double time_of(const unsigned char *message, size_t size)
{
    double time_s = NAN;
    if (size >= CT_PROBE_TIMED_BYTES)
        memcpy(&time_s, message + sizeof(struct header), sizeof time_s);
    return time_s;
}

static bool is_intact(const unsigned char *message, size_t size)
{
    for (size_t i = CT_PROBE_TIMED_BYTES; i < size; i++)
        if (message[i] != pattern_byte(i))
            return false;
    return true;
}

static int count_of(const struct ct_impact_wire *wire)
{
    return (int)wire->bytes;
}

enum ct_status ct_impact_wire_new(size_t bytes, size_t outstanding, struct ct_impact_wire *wire_p,
                                  struct ct_error *err)
{
    struct ct_impact_wire wire = {
        .comm = MPI_COMM_NULL, .bytes = bytes, .outstanding = outstanding};
    wire.slots = calloc(outstanding, sizeof *wire.slots);
    wire.memory = malloc(2 * outstanding * bytes);
    if (!wire.slots || !wire.memory) {
        free(wire.slots);
        free(wire.memory);
        return ct_no_memory(err, "--outstanding %zu of %zu bytes", outstanding, bytes);
    }
    for (size_t i = 0; i < outstanding; i++) {
        struct ct_impact_slot *slot = &wire.slots[i];
        *slot = (struct ct_impact_slot){.out = wire.memory + 2 * i * bytes,
                                        .in = wire.memory + (2 * i + 1) * bytes,
                                        .sent = MPI_REQUEST_NULL,
                                        .received = MPI_REQUEST_NULL};
        for (size_t k = 0; k < bytes; k++)
            slot->out[k] = pattern_byte(k);
    }
    *wire_p = wire;
    return CT_OK;
}

void ct_impact_wire_free(struct ct_impact_wire *wire)
{
    free(wire->slots);
    free(wire->memory);
    *wire = (struct ct_impact_wire){.comm = MPI_COMM_NULL};
}

static struct ct_impact_slot *slot_of(struct ct_impact_wire *wire, uint64_t sequence)
{
    return &wire->slots[sequence % wire->outstanding];
}

/* ---- initiator ---- */

void ct_impact_wire_ping(struct ct_impact_wire *wire, uint64_t sequence, enum ct_probe_kind kind)
{
    struct ct_impact_slot *slot = slot_of(wire, sequence);
    set_header(slot->out, sequence, kind, wire->epoch);
    MPI_Irecv(slot->in, count_of(wire), MPI_BYTE, wire->partner, TAG_PONG, wire->comm,
              &slot->received);
    MPI_Isend(slot->out, count_of(wire), MPI_BYTE, wire->partner, TAG_PING, wire->comm,
              &slot->sent);
}

bool ct_impact_wire_answered(struct ct_impact_wire *wire, uint64_t sequence, bool idle)
{
    struct ct_impact_slot *slot = slot_of(wire, sequence);
    int arrived = 1;
    if (CT_SIMULATED && idle) /* SMPI's MPI_Request_get_status() does not see messages under way */
        return ct_bench_test_idle(&slot->received);
    if (CT_SIMULATED)
        MPI_Test(&slot->received, &arrived, MPI_STATUS_IGNORE);
    else
        MPI_Request_get_status(slot->received, &arrived, MPI_STATUS_IGNORE);
    return arrived != 0;
}

enum ct_status ct_impact_wire_pong(struct ct_impact_wire *wire, uint64_t sequence, bool *arrived_p,
                                   struct ct_probe_answer *answer_p, struct ct_error *err)
{
    struct ct_impact_slot *slot = slot_of(wire, sequence);
    int arrived = 1; /* SMPI does not say so of a request that was completed before */
    MPI_Test(&slot->received, &arrived, MPI_STATUS_IGNORE);
    *arrived_p = arrived != 0;
    if (!arrived)
        return CT_OK;
    MPI_Wait(&slot->sent, MPI_STATUS_IGNORE); /* over there long ago */
    struct header header = header_of(slot->in);
    *answer_p = (struct ct_probe_answer){.counts = header.kind == CT_PROBE_PONG,
                                         .answered_s = time_of(slot->in, wire->bytes)};
    if ((header.kind != CT_PROBE_PONG && header.kind != CT_PROBE_LATE_PONG) ||
        header.sequence != sequence || !is_intact(slot->in, wire->bytes))
        return ct_fail(err, CT_EIO,
                       "a probe came back changed: the network or the MPI library is at fault");
    return CT_OK;
}

/* ---- responder ---- */

static void post_receive(struct ct_impact_wire *wire, struct ct_impact_slot *slot)
{
    MPI_Irecv(slot->in, count_of(wire), MPI_BYTE, wire->partner, TAG_PING, wire->comm,
              &slot->received);
}

static enum ct_status answer_probe(struct ct_impact_wire *wire, struct ct_impact_slot *slot,
                                   int source, struct header *header_p, struct ct_error *err)
{
    *header_p = header_of(slot->in);
    set_header(slot->out, header_p->sequence, wire->draining ? CT_PROBE_LATE_PONG : CT_PROBE_PONG,
               header_p->epoch);
    set_time(slot->out, wire->bytes, ct_clock_now_s() - wire->start_s);
    MPI_Send(slot->out, count_of(wire), MPI_BYTE, source, TAG_PONG, wire->comm);
    if (!is_intact(slot->in, wire->bytes))
        return ct_fail(err, CT_EIO,
                       "a probe arrived changed: the network or the MPI library is at fault");
    return CT_OK;
}

void ct_impact_wire_listen(struct ct_impact_wire *wire)
{
    wire->n_served = 0;
    for (size_t i = 0; i < wire->outstanding; i++)
        post_receive(wire, &wire->slots[i]);
}

enum ct_status ct_impact_wire_serve(struct ct_impact_wire *wire, bool *served_p,
                                    enum ct_probe_kind *kind_p, struct ct_error *err)
{
    struct ct_impact_slot *slot = slot_of(wire, wire->n_served);
    *served_p = ct_bench_test_idle(&slot->received);
    if (!*served_p)
        return CT_OK;
    struct header header;
    enum ct_status status = answer_probe(wire, slot, wire->partner, &header, err);
    *kind_p = (enum ct_probe_kind)header.kind;
    post_receive(wire, slot);
    wire->n_served++;
    return status;
}

enum ct_status ct_impact_wire_unlisten(struct ct_impact_wire *wire, struct ct_error *err)
{
    enum ct_status first = CT_OK;
    for (size_t i = 0; i < wire->outstanding; i++) {
        struct ct_impact_slot *slot = slot_of(wire, wire->n_served + i);
        MPI_Status status;
        int cancelled;
        MPI_Cancel(&slot->received);
        MPI_Wait(&slot->received, &status);
        MPI_Test_cancelled(&status, &cancelled);
        struct header header;
        struct ct_error error;
        if (cancelled)
            continue;
        enum ct_status answered = answer_probe(wire, slot, wire->partner, &header, &error);
        if (answered != CT_OK && first == CT_OK) {
            first = answered;
            *err = error;
        }
    }
    return first;
}

enum ct_status ct_impact_wire_serve_any(struct ct_impact_wire *wire, bool *served_p,
                                        struct ct_error *err)
{
    struct ct_impact_slot *slot = &wire->slots[0];
    int arrived;
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, TAG_PING, wire->comm, &arrived, &status);
    *served_p = arrived != 0;
    if (!arrived)
        return CT_OK;
    MPI_Recv(slot->in, count_of(wire), MPI_BYTE, status.MPI_SOURCE, TAG_PING, wire->comm,
             MPI_STATUS_IGNORE);
    struct header header;
    return answer_probe(wire, slot, status.MPI_SOURCE, &header, err);
}
