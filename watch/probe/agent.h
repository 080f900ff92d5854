/**
 * What probes on one host of a watch: it asks other hosts at random times, answers what they ask,
 * and hands what it saw to the collector, which is the process that was given no one to join. The
 * collector has the list of hosts. It is event-driven: clocks, network and random numbers come from
 * its caller, so that tests set them.
 *
 * A host joins by asking one that it was given, and leaves by a message or by silence
 * (CT_PROBE_SILENCE_S); the rest goes on. Without the collector hosts probe those that they know,
 * and keep what they saw, as much as fits; they ask to join again until the collector answers.
 *
 * What a host sends is bounded by a bucket of bytes, and what it computes by one of processor time;
 * a probe that is due when one of them is empty is not sent, but recorded as skipped. Answers to
 * other hosts are always sent, and paid from the same bucket.
 */
#pragma once

#include "core/status.h"
#include "topology/places.h"
#include "watch/probe/message.h"
#include "watch/sample.h"
#include "watch/state.h"

/* Times of the protocol. */
#define CT_PROBE_PULL_S 2.0     /**< between signs of life */
#define CT_PROBE_SILENCE_S 10.0 /**< a host without a sign of life is dropped */
#define CT_PROBE_SETTLE_S 5.0   /**< before a new host is asked: all others know it by then */
#define CT_PROBE_DEADLINE_S 2.0 /**< a probe without an answer is lost */
#define CT_PROBE_JUMP_S 0.5     /**< a change of the date by more is a jump */

/** An address of UDP: IPv6, or IPv4 mapped to it. */
struct ct_probe_address {
    unsigned char host[16];
    uint16_t port;
};

/** Where a program runs. */
struct ct_probe_place {
    void *state;
    int64_t (*now_ns)(void *state);  /**< a clock that never jumps; any start */
    int64_t (*unix_ns)(void *state); /**< the date, which may jump */
    int64_t (*cpu_ns)(void *state);  /**< processor time that the process has used */
    /** n bytes, in datagrams of `each` bytes. */
    void (*send)(void *state, const struct ct_probe_address *to, const void *bytes, size_t n,
                 size_t each);
    /** A line for the user, without a newline. */
    void (*say)(void *state, bool is_warning, const char *text);
    /** The collector only: a sample; those of a host come in the order of time. */
    void (*take)(void *state, const struct ct_watch_sample *sample);
};

enum { CT_PROBE_JOINS_MAX = 16 };

struct ct_probe_settings {
    unsigned char key[CT_PROBE_KEY_BYTES];
    char name[64];    /**< of this host; different on each */
    uint64_t session; /**< random, not 0 */
    uint64_t seed;
    struct ct_probe_address join[CT_PROBE_JOINS_MAX]; /**< the collector, under any of these */
    size_t n_join;                                    /**< 0: this is the collector */
    double interval_s;                                /**< mean time between probes; > 0 */
    size_t small_bytes, train_bytes;    /**< of probes and trains, without what the wire adds */
    double bytes_per_s;                 /**< bound of what is sent, with what the wire adds */
    double cpu_frac;                    /**< bound, of a core */
    const struct ct_topology *topology; /**< collector: NULL: not known. Borrowed */
    enum ct_places places;
};

struct ct_probe_agent;

/**
 * @param hosts  [in]  collector: hosts that keep their numbers, n of them; may be NULL
 * @return CT_OK; CT_EINVAL (a size); CT_ENOMEM
 */
enum ct_status ct_probe_agent_new(const struct ct_probe_settings *settings,
                                  const struct ct_probe_place *place,
                                  const struct ct_watch_host *hosts, size_t n,
                                  struct ct_probe_agent **agent_p, struct ct_error *err);
void ct_probe_agent_free(struct ct_probe_agent *agent);

/** A datagram. @param arrived_ns  [in] when, by the place's clock */
void ct_probe_agent_receive(struct ct_probe_agent *agent, const struct ct_probe_address *from,
                            const unsigned char *bytes, size_t n, int64_t arrived_ns);

/** Do what is due. @return when something will be due, by the place's clock */
int64_t ct_probe_agent_step(struct ct_probe_agent *agent);

/** Say goodbye, and hand over what was seen, if the collector still listens. */
void ct_probe_agent_leave(struct ct_probe_agent *agent);

/** Collector: all hosts that ever joined. Borrowed until the next call. */
const struct ct_watch_host *ct_probe_agent_hosts(struct ct_probe_agent *agent, size_t *n_p);

/** What happened, for one line at the end. */
struct ct_probe_counts {
    uint64_t sent_bytes; /**< with what the wire adds */
    uint64_t asked, skipped, refused, garbage, forgotten;
    size_t memory_bytes;
};
struct ct_probe_counts ct_probe_agent_counts(const struct ct_probe_agent *agent);
