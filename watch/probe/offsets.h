/**
 * Offsets and drifts of the clocks of hosts, from probes between them. Pure.
 *
 * The clock of host i shows t + theta_i(t), where t is the time of the reference host. A message
 * from i to j, sent at t, seems to take d + theta_j - theta_i, its answer d' + theta_i - theta_j.
 * For each pair and direction the shortest of each half minute is kept, for ten minutes; the line
 * below these points that is highest at their mean time (an edge of their lower convex hull; Moon,
 * Skelly and Towsley, INFOCOM 1999) is free of queues. Half the difference of the two lines is
 * theta_j - theta_i, wrong by half of what the shortest paths there and back differ. Hosts then get
 * the offsets that agree with most of their pairs: a median over pairs, so that a link that is slow
 * in one direction does not move the clocks behind it, as long as most pairs avoid it.
 *
 * Pairs whose numbers differ by a power of two are followed, and in small watches all: memory is
 * proportional to n log n.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CT_PROBE_ALL_PAIRS = 32 /**< hosts up to which all pairs are followed */ };

struct ct_probe_offsets;

/** @return NULL: out of memory. ct_probe_offsets_free() */
struct ct_probe_offsets *ct_probe_offsets_new(void);
void ct_probe_offsets_free(struct ct_probe_offsets *offsets);

/**
 * Forget what was known of a host, since its process is a new one, and take a first guess.
 * @param host      [in] its number
 * @param guess_ns  [in] its clock less that of the reference, within a minute or so
 * @return false: out of memory
 */
bool ct_probe_offsets_reset(struct ct_probe_offsets *offsets, uint32_t host, int64_t guess_ns);

/** The host whose clock all refer to; 0 at first. */
void ct_probe_offsets_refer(struct ct_probe_offsets *offsets, uint32_t host);

/**
 * Add a probe that was answered. Pairs that are not followed are left out.
 * @param sent_ns   [in] by the clock of `from`
 * @param there_ns  [in] arrival by the clock of `to`, less sent_ns
 * @param back_ns   [in] arrival of the answer by the clock of `from`, less its sending by that of
 *                       `to`
 * @return false: out of memory
 */
bool ct_probe_offsets_add(struct ct_probe_offsets *offsets, uint32_t from, uint32_t to,
                          int64_t sent_ns, int64_t there_ns, int64_t back_ns);

/** Estimate all offsets anew, as of a time of the reference. @return false: out of memory */
bool ct_probe_offsets_solve(struct ct_probe_offsets *offsets, int64_t now_ns);

/** A clock as last estimated: at the reference's time t it shows t + at_ns + drift (t - time_ns).
 */
struct ct_probe_clock_line {
    bool is_known; /**< else at_ns is the guess */
    int64_t time_ns;
    double at_ns, drift;
};
struct ct_probe_clock_line ct_probe_offsets_line(const struct ct_probe_offsets *offsets,
                                                 uint32_t host);

/** The reference's time when a host's clock showed `shown_ns`. */
int64_t ct_probe_offsets_time(const struct ct_probe_offsets *offsets, uint32_t host,
                              int64_t shown_ns);

/** theta of a host at a time of the reference. */
double ct_probe_offsets_at(const struct ct_probe_offsets *offsets, uint32_t host, int64_t time_ns);

/** Bytes of memory: for tests of the bound. */
size_t ct_probe_offsets_bytes(const struct ct_probe_offsets *offsets);
