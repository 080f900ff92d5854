/**
 * What a watch says at a time: hosts, latencies by class of path, loads, alarms and their price.
 * Page, metrics, journal and the check for Slurm print this and nothing else.
 */
#pragma once

#include "topology/topology.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum ct_watch_kind {
    CT_WATCH_RATE,  /**< a link carries less than it did */
    CT_WATCH_DELAY, /**< a direction of a link takes longer */
    CT_WATCH_LOSS,  /**< messages are lost */
    CT_WATCH_FLAP,  /**< a link is down for a moment, again and again */
    CT_WATCH_HOST,  /**< a host is slow; its links are not */
    CT_WATCH_ROUTE  /**< messages take another path than the topology says */
};
extern const char *const ct_watch_kind_names[]; /**< NULL-terminated */

/** A set larger than this is not a finding. */
enum { CT_WATCH_SUSPECTS_MAX = 4 };

/** A change that is no chance, by the level that the user chose. */
struct ct_watch_alarm {
    uint64_t id; /**< from 1 on, never used again */
    int64_t since_unix_ns, raised_unix_ns;
    int64_t ended_unix_ns;    /**< 0: it lasts */
    int64_t narrowed_unix_ns; /**< when suspects became fewer; 0: they are those of the raise */
    enum ct_watch_kind kind;
    uint32_t n_suspects;                      /**< 0: HOST, or more than
                                                   CT_WATCH_SUSPECTS_MAX explain it */
    uint32_t suspects[CT_WATCH_SUSPECTS_MAX]; /**< directions: 2 link + 1 where it is the way back;
                                                 no path of the watch tells them apart */
    uint32_t host;                            /**< HOST: its number; else UINT32_MAX */
    double size, low, high;                   /**< how large, with its 90 % interval: RATE, LOSS and
                                                 FLAP a share, DELAY and HOST seconds; NaN: not known */
    double log_evidence;                      /**< ln of the e-value when it was raised */
    char reason[256];                         /**< a sentence: what was seen, where, against what */
};

/** What an alarm costs an application (price.h). */
struct ct_watch_price {
    uint64_t alarm;            /**< id */
    char application[64];      /**< name of its trace */
    double percent, low, high; /**< of its run time; NaN: not known */
    char how[64];              /**< "T(L, G) by pair", "packets", or why it is not known */
};

struct ct_watch_host {
    char name[64];
    bool is_present;
    int64_t seen_unix_ns;         /**< last answer from it; 0: never */
    double offset_s, drift_per_s; /**< of its clock against host 0's; NaN: not known */
    uint64_t sent, answered, lost, skipped;
};

/** Small messages on paths with as many switches. */
struct ct_watch_class {
    uint32_t switches, bytes;
    bool is_round;                 /**< there and back, where times one way are not known */
    uint64_t n;                    /**< in the last minute */
    double median_s, p90_s, p99_s; /**< in the last minute; NaN: none */
    double healthy_s,
        healthy_p99_s; /**< median and 99 % learned for this time of day; NaN: not yet */
};

/** What a small message met on its way. */
struct ct_watch_wait {
    uint32_t from, to; /**< nodes */
    bool has_waited;   /**< took longer than alone, by more than a margin */
};

/** Borrowed from the finder until its next call. */
struct ct_watch_state {
    int64_t unix_ns;                    /**< of the newest sample; 0: none */
    const struct ct_topology *topology; /**< NULL: not known, then nothing is located */
    const struct ct_watch_host *hosts;
    size_t n_hosts;
    const struct ct_watch_class *classes;
    size_t n_classes;
    const double *load; /**< [2 n_links] busy share of directions in the last minute, NaN: not known
                             of this one; NULL: of none */
    const struct ct_watch_alarm *alarms; /**< newest first; those that ended are kept for a day */
    size_t n_alarms;
    const struct ct_watch_price *prices;
    size_t n_prices;
    const char *const *unknown; /**< sentences: what the watch cannot say now, and why */
    size_t n_unknown;
    double false_alarms_per_day; /**< the level chosen by the user */
    bool has_learned; /**< what is healthy is known: no alarm then says that nothing is sick */
};
