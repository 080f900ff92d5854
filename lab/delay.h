/**
 * Latency that a lab adds to every packet on its way from the switch to a host: what is wanted,
 * when a packet is due, how early to wake up for it, and how late packets left. Pure functions; the
 * process that holds packets back is in lab/delay_line.c.
 */
#ifndef CT_LAB_DELAY_H
#define CT_LAB_DELAY_H

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Latencies that can be added. Below, waking up takes as long as the delay. */
#define CT_LAB_LATENCY_MIN_S 200e-6
#define CT_LAB_LATENCY_MAX_S 20e-3

enum ct_lab_jitter {
    CT_LAB_JITTER_UNIFORM, /**< between latency - jitter and latency + jitter */
    CT_LAB_JITTER_NORMAL   /**< jitter is the standard deviation; cut off at 3 of them */
};

/** "uniform", "normal", NULL; indexed by enum ct_lab_jitter. */
extern const char *const ct_lab_jitter_names[];

struct ct_lab_delay {
    double latency_s; /**< 0: nothing is added, and nothing is in the way of packets */
    double jitter_s;  /**< 0: none. Packets to a host keep their order, whatever it is. */
    enum ct_lab_jitter shape;
};

/** @return CT_OK; CT_EINVAL: out of range, or jitter leaves less than 50 us of the latency */
enum ct_status ct_lab_delay_check(const struct ct_lab_delay *delay, struct ct_error *err);

/** The shortest time that a packet is held, in nanoseconds: latency less jitter. */
int64_t ct_lab_delay_shortest_ns(const struct ct_lab_delay *delay);

/* ---- when a packet is due ---- */

/** Packets of one port, in the order of their arrival. */
struct ct_lab_delay_order {
    int64_t last_due_ns; /**< of the packet before; INT64_MIN: none */
    uint64_t random;     /**< state of the jitter's generator; begins as any number */
};

/**
 * When a packet leaves: its arrival + latency + a draw of the jitter, and not before the packet
 * before it.
 * @param arrival_ns  [in] on any clock; the answer is on the same
 */
int64_t ct_lab_delay_due_ns(struct ct_lab_delay_order *order, const struct ct_lab_delay *delay,
                            int64_t arrival_ns);

/* ---- how early to wake up ---- */

/**
 * A sleeper wakes up late, by an amount that depends on whether the processor was halted. It asks
 * to be woken that much earlier. The lead follows the median of what was seen, up and down by one
 * step a time, so that one that was very late counts as much as one that was slightly late.
 */
struct ct_lab_delay_lead {
    double lead_ns; /**< 0 .. CT_LAB_DELAY_LEAD_MAX_NS */
};
#define CT_LAB_DELAY_LEAD_MAX_NS 120e3
#define CT_LAB_DELAY_LEAD_STEP_NS 500.0

/** Begin with the median of measured delays of waking up; sorts them. @param n  [in] >= 1 */
void ct_lab_delay_lead_begin(struct ct_lab_delay_lead *lead, double *late_ns, size_t n);

/** @param late_ns  [in] when it woke up less when it should have, the lead taken into account */
void ct_lab_delay_lead_learn(struct ct_lab_delay_lead *lead, int64_t late_ns);

/* ---- how late packets left ---- */

/** Bins: 1 us wide from -256 us to 1024 us, then 32 to an octave up to 16.8 s; outermost: beyond.
 */
enum { CT_LAB_LATE_BINS = 1 + 256 + 1024 + 14 * 32 + 1 };

/** Since the lab was built. Two readings subtracted are those of the time in between. */
struct ct_lab_late {
    uint64_t packets[CT_LAB_LATE_BINS]; /**< by lateness: when one left less when it was due */
    uint64_t ring_drops;                /**< lost because too many were held back */
    uint64_t send_drops;                /**< refused on the way to the host */
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

#endif
