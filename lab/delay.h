/**
 * Latency that a lab adds to every packet from the switch to a host: its settings, when a packet is
 * due, how early to wake up for it, and statistics of how late packets left. Pure functions; the
 * process that holds packets back is in lab/delay_line.c.
 */
#pragma once

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Range of latencies. Below it waking up takes as long as the delay. */
#define CT_LAB_LATENCY_MIN_S 200e-6
#define CT_LAB_LATENCY_MAX_S 20e-3

enum ct_lab_jitter {
    CT_LAB_JITTER_UNIFORM, /**< between latency - jitter and latency + jitter */
    CT_LAB_JITTER_NORMAL   /**< jitter is the standard deviation; cut off at 3 of them */
};

/** "uniform", "normal", NULL; indexed by enum ct_lab_jitter. */
extern const char *const ct_lab_jitter_names[];

struct ct_lab_delay {
    double latency_s; /**< 0: nothing is added, and there is no delay line */
    double jitter_s;  /**< 0: none. Packets to a host keep their order in any case. */
    enum ct_lab_jitter shape;
};

/** @return CT_OK; CT_EINVAL: out of range, or jitter leaves less than 50 us of the latency */
enum ct_status ct_lab_delay_check(const struct ct_lab_delay *delay, struct ct_error *err);

/** The shortest time that a packet is held, in nanoseconds: latency minus jitter. */
int64_t ct_lab_delay_shortest_ns(const struct ct_lab_delay *delay);

/* ---- when a packet is due ---- */

/** Packets of one port, in the order of their arrival. */
struct ct_lab_delay_order {
    int64_t last_due_ns; /**< of the packet before; INT64_MIN: none */
    uint64_t random;     /**< state of the jitter's generator; begins as any number */
};

/**
 * When a packet leaves: its arrival + latency + a random jitter, but not before the packet before
 * it.
 * @param arrival_ns  [in] on any clock; the result is on the same clock
 */
int64_t ct_lab_delay_due_ns(struct ct_lab_delay_order *order, const struct ct_lab_delay *delay,
                            int64_t arrival_ns);

/* ---- how early to wake up ---- */

/**
 * A sleep ends late, by an amount that depends on whether the processor was halted. So it is set to
 * end earlier by a lead. The lead follows the median of the observed lateness: it changes by one
 * step each time, so that a very late end counts as much as a slightly late one.
 */
struct ct_lab_delay_lead {
    double lead_ns; /**< 0 .. CT_LAB_DELAY_LEAD_MAX_NS */
};
#define CT_LAB_DELAY_LEAD_MAX_NS 120e3
#define CT_LAB_DELAY_LEAD_STEP_NS 500.0

/** Begin with the median of measured delays of waking up; sorts them. @param n  [in] >= 1 */
void ct_lab_delay_lead_begin(struct ct_lab_delay_lead *lead, double *late_ns, size_t n);

/** @param late_ns  [in] time of waking up minus the intended time, with the lead already applied */
void ct_lab_delay_lead_learn(struct ct_lab_delay_lead *lead, int64_t late_ns);

/* ---- how late packets left ---- */

/** Bins: 1 us wide from -256 us to 1024 us, then 32 to an octave up to 16.8 s; outermost: beyond.
 */
enum { CT_LAB_LATE_BINS = 1 + 256 + 1024 + 14 * 32 + 1 };

/** Since the lab was built. Two readings subtracted are those of the time in between. */
struct ct_lab_late {
    uint64_t packets[CT_LAB_LATE_BINS]; /**< by lateness: time of leaving minus due time */
    uint64_t ring_drops;                /**< lost because too many were held back */
    uint64_t send_drops;                /**< lost when they were sent to the host */
};

size_t ct_lab_late_bin(int64_t late_ns);
/** Lower edge of a bin, seconds; of the first one -INFINITY. @param bin  [in] < CT_LAB_LATE_BINS +
 * 1
 */
double ct_lab_late_edge_s(size_t bin);

struct ct_lab_lateness {
    uint64_t packets;
    double median_s, p99_s; /**< linear within a bin; NaN: no packet */
    double largest_s;       /**< upper edge of the last bin with a packet; NaN: no packet */
    uint64_t drops;         /**< of both kinds */
};

/** Between two readings. @param before  [in] NULL: since the lab was built */
struct ct_lab_lateness ct_lab_lateness(const struct ct_lab_late *before,
                                       const struct ct_lab_late *after);
