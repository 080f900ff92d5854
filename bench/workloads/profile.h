/**
 * Profile of a pass: time, messages and bytes of each phase of the workload. Pure: no MPI; the
 * caller passes the readings of the clock.
 *
 * A rank is in exactly one phase at a time, from the start of a pass (phase 0) to its own end of
 * the pass. So its phases add up to the pass, without the wait for the slowest rank.
 */
#pragma once

#include "core/status.h"

#include <stdbool.h>
#include <stdint.h>

enum { CT_PROFILE_PHASES_MAX = 8 };

/** One phase of one rank, over all passes so far. */
struct ct_profile_phase {
    double time_s;
    double mpi_s;        /**< part of time_s in MPI calls */
    uint64_t messages;   /**< sent to other ranks */
    uint64_t bytes;      /**< in these messages */
    uint64_t reductions; /**< over all ranks, of one number each; not counted in messages */
};

struct ct_profile {
    struct ct_profile_phase phases[CT_PROFILE_PHASES_MAX];
    unsigned char *phases_of_peer; /**< n_peers sets: bit i: a message was sent in phase i */
    size_t n_peers;
    bool counts; /**< within a pass; between passes nothing is counted */
    int current; /**< current phase */
    double phase_from_s;
};

/** @param profile_p  [out] all zero; ct_profile_free(). @return CT_OK; CT_ENOMEM */
enum ct_status ct_profile_new(int n_ranks, struct ct_profile *profile_p, struct ct_error *err);
void ct_profile_free(struct ct_profile *profile);

/** A pass starts, in phase 0; or ends. Outside of passes the calls below count nothing. */
void ct_profile_start(struct ct_profile *profile, double now_s);
void ct_profile_stop(struct ct_profile *profile, double now_s);

/** The current phase ends and another begins, 0..CT_PROFILE_PHASES_MAX-1. */
void ct_profile_enter(struct ct_profile *profile, int phase, double now_s);

/** Time in MPI calls, and reductions, in the current phase. */
void ct_profile_mpi(struct ct_profile *profile, double duration_s);
void ct_profile_reduced(struct ct_profile *profile);

/** A message leaves in the current phase. */
void ct_profile_sent(struct ct_profile *profile, int peer, uint64_t bytes);

/** Number of ranks to which messages were sent in a phase. */
size_t ct_profile_partners(const struct ct_profile *profile, int phase);
