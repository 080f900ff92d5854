/** Probes as MPI messages: both ends of a pair, with receives posted ahead. */
#ifndef CT_BENCH_IMPACT_IMPACT_WIRE_H
#define CT_BENCH_IMPACT_IMPACT_WIRE_H

#include "core/status.h"

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** What a message says of itself; the rest is a pattern. */
enum ct_probe_kind {
    CT_PROBE_WARMUP,
    CT_PROBE_PING,
    CT_PROBE_END, /**< the last one of an epoch */
    CT_PROBE_PONG,
    CT_PROBE_LATE_PONG /**< the partner was through already */
};

/** Least size of a message: what it says of itself. */
enum { CT_PROBE_LEAST_BYTES = 16 };

struct ct_impact_slot;

/** A rank's end; its state. */
struct ct_impact_wire {
    MPI_Comm comm; /**< of the probes; not owned */
    size_t bytes;  /**< of a message, >= CT_PROBE_LEAST_BYTES */
    size_t outstanding;
    int partner;
    uint32_t epoch;
    bool draining;                /**< this rank is through: it answers as CT_PROBE_LATE_PONG */
    struct ct_impact_slot *slots; /**< [outstanding] */
    unsigned char *memory;        /**< of all messages */
    uint64_t n_served;            /**< by a responder in this epoch */
};

/**
 * Make room for messages. The caller sets comm, partner and epoch; comm stays its own.
 * @param outstanding  [in]  probes under way at most, and receives posted ahead, >= 1
 * @param wire_p       [out] ct_impact_wire_free() is due; unchanged on error
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_impact_wire_new(size_t bytes, size_t outstanding, struct ct_impact_wire *wire_p,
                                  struct ct_error *err);
void ct_impact_wire_free(struct ct_impact_wire *wire);

/* ---- initiator ---- */

/** Post the receive of the answer, send. Probe numbers count up by one. */
void ct_impact_wire_ping(struct ct_impact_wire *wire, uint64_t sequence, enum ct_probe_kind kind);

/** The answer to a probe is here; it is not taken. */
bool ct_impact_wire_answered(struct ct_impact_wire *wire, uint64_t sequence);

/**
 * Take the answer, if it is here.
 * @param counts_p  [out] with arrived_p: false where the partner was through already
 * @return CT_OK; CT_EIO (it is not the answer to this probe, or was changed)
 */
enum ct_status ct_impact_wire_pong(struct ct_impact_wire *wire, uint64_t sequence, bool *arrived_p,
                                   bool *counts_p, struct ct_error *err);

/* ---- responder ---- */

/** Post receives for the partner's probes. */
void ct_impact_wire_listen(struct ct_impact_wire *wire);

/**
 * Answer the oldest probe that has come, if any.
 * @param served_p  [out] there was one
 * @param kind_p    [out] what it was; with served_p
 * @return CT_OK; CT_EIO (it was changed on the way; it was answered all the same)
 */
enum ct_status ct_impact_wire_serve(struct ct_impact_wire *wire, bool *served_p,
                                    enum ct_probe_kind *kind_p, struct ct_error *err);

/** Take back the receives that are still posted; a probe that has come meanwhile is answered. */
enum ct_status ct_impact_wire_unlisten(struct ct_impact_wire *wire, struct ct_error *err);

/** Answer a probe of any rank, none of whose receives is posted. @return as ..._serve() */
enum ct_status ct_impact_wire_serve_any(struct ct_impact_wire *wire, bool *served_p,
                                        struct ct_error *err);

#endif
