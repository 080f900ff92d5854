/** Probes as MPI messages: both ends of a pair, with receives posted ahead. */
#pragma once

#include "bench/impact/probe_transport.h"

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * Kind of a message. Messages begin with a header that has it; the rest is a pattern that is
 * checked.
 */
enum ct_probe_kind {
    CT_PROBE_WARMUP,
    CT_PROBE_PING,
    CT_PROBE_END, /**< the last one of an epoch */
    CT_PROBE_PONG,
    CT_PROBE_LATE_PONG /**< an answer of a partner that had ended its run */
};

/** Least size of a message: that of the header. With CT_PROBE_TIMED_BYTES or more, an answer has
 * the time at which it was sent, too. */
enum { CT_PROBE_LEAST_BYTES = 16, CT_PROBE_TIMED_BYTES = 24 };

struct ct_impact_slot;

/** State of a rank. */
struct ct_impact_wire {
    MPI_Comm comm; /**< of the probes; not owned */
    size_t bytes;  /**< of a message, >= CT_PROBE_LEAST_BYTES */
    size_t outstanding;
    double start_s; /**< of the run, by the clock of bench/common/clock.h */
    int partner;
    uint32_t epoch;
    bool draining; /**< this rank has ended its run: it answers with CT_PROBE_LATE_PONG */
    struct ct_impact_slot *slots; /**< [outstanding] */
    unsigned char *memory;        /**< of all messages */
    uint64_t n_served;            /**< number of probes that were answered in this epoch */
};

/**
 * Make room for messages. The caller sets comm, start_s, partner and epoch, and owns comm.
 * @param outstanding  [in]  most probes that are not yet answered, and number of receives posted
 *                           ahead, >= 1
 * @param wire_p       [out] ct_impact_wire_free() is due; unchanged on error
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_impact_wire_new(size_t bytes, size_t outstanding, struct ct_impact_wire *wire_p,
                                  struct ct_error *err);
void ct_impact_wire_free(struct ct_impact_wire *wire);

/* ---- initiator ---- */

/**
 * Post the receive of the answer, then send.
 * @param sequence  [in] one more than that of the probe before
 */
void ct_impact_wire_ping(struct ct_impact_wire *wire, uint64_t sequence, enum ct_probe_kind kind);

/**
 * Whether the answer to a probe has arrived. ct_impact_wire_pong() is to receive it.
 * @param idle  [in] there is nothing to do before: in a simulation, wait for it
 */
bool ct_impact_wire_answered(struct ct_impact_wire *wire, uint64_t sequence, bool idle);

/**
 * Receive the answer, if it has arrived.
 * @param answer_p  [out] valid if *arrived_p
 * @return CT_OK; CT_EIO (the message is not the answer to this probe, or its content is wrong)
 */
enum ct_status ct_impact_wire_pong(struct ct_impact_wire *wire, uint64_t sequence, bool *arrived_p,
                                   struct ct_probe_answer *answer_p, struct ct_error *err);

/* ---- responder ---- */

/** Post receives for the partner's probes. */
void ct_impact_wire_listen(struct ct_impact_wire *wire);

/**
 * Answer the oldest probe that has arrived, if any.
 * @param served_p  [out] there was one
 * @param kind_p    [out] its kind; valid if *served_p
 * @return CT_OK; CT_EIO (its content is wrong; it was answered nevertheless)
 */
enum ct_status ct_impact_wire_serve(struct ct_impact_wire *wire, bool *served_p,
                                    enum ct_probe_kind *kind_p, struct ct_error *err);

/** Cancel the receives that are still posted; a probe that has arrived meanwhile is answered. */
enum ct_status ct_impact_wire_unlisten(struct ct_impact_wire *wire, struct ct_error *err);

/**
 * Answer a probe of any rank, while no receives are posted.
 * @return as ct_impact_wire_serve()
 */
enum ct_status ct_impact_wire_serve_any(struct ct_impact_wire *wire, bool *served_p,
                                        struct ct_error *err);
