/**
 * The delay line: one process that holds back every packet between the switch and its host. Its
 * settings and counters are in a page of memory that it shares with the commands of the lab.
 */
#pragma once

#include "lab/lab.h"

#include <stdatomic.h>

/** In the lab's folder `ns`. */
#define CT_LAB_DELAY_PAGE "delay"
/** Its name in the list of processes. */
#define CT_LAB_DELAY_NAME "crosstalk-delay"

/** Hosts' ports, then both directions of links between switches (`a` to `b` first). */
enum { CT_LAB_DELAY_PORTS_MAX = CT_LAB_HOSTS_MAX + 2 * CT_LAB_LINKS_MAX };

struct ct_lab_delay_page {
    /* Written by tests of what finds sick links (tests/soak/watch_lab.py), which rely on its place:
       what leaves by a port is later by this. */
    _Atomic int64_t later_ns[CT_LAB_DELAY_PORTS_MAX];
    /* Written by commands. */
    _Atomic int64_t latency_ns, jitter_ns;
    _Atomic int shape;        /**< enum ct_lab_jitter */
    _Atomic uint64_t request; /**< incremented: take the settings, and update the counters */
    /* Written by the delay line. */
    _Atomic uint64_t answer; /**< the last request that was served */
    _Atomic uint64_t packets[CT_LAB_LATE_BINS];
    _Atomic uint64_t ring_drops, send_drops;
    _Atomic double lead_s;     /**< how much earlier than a packet is due its sleep is set to end */
    _Atomic bool is_real_time; /**< it has a real-time priority */
};

/**
 * The page of a new lab, with its settings.
 * @param ns  [in] ct_lab_paths.ns, as the caller sees it
 */
enum ct_status ct_lab_delay_page_create(const char *ns, const struct ct_lab_delay *delay,
                                        struct ct_error *err);

/** Map a page; munmap() is due. @param path  [in] of the file */
enum ct_status ct_lab_delay_page_map(const char *path, struct ct_lab_delay_page **page_p,
                                     struct ct_error *err);

void ct_lab_delay_page_read(const struct ct_lab_delay_page *page, struct ct_lab_delay *delay_p);

/**
 * Start the process, in the network namespace of the switch, and wait until it works.
 * @param real_time_p  [out] whether it has a real-time priority
 */
enum ct_status ct_lab_delay_start(const char *ns, const struct ct_lab_spec *spec, pid_t *pid_p,
                                  bool *real_time_p, struct ct_error *err);
