/** The inside of struct ct_probe_agent, for the files of this room. */
#pragma once

#include "core/map.h"
#include "core/random.h"
#include "watch/probe/agent.h"
#include "watch/probe/offsets.h"

enum {
    CT_PROBE_MEMBERS_MAX = 4096,
    CT_PROBE_PENDING = 1024, /**< probes that are not settled */
    CT_PROBE_OUTBOX = 4096,  /**< records that the collector has not confirmed */
    CT_PROBE_RECORD_BYTES = 48,
    CT_PROBE_RETIRED = 256
};

/** What became of a probe, by the clocks of the hosts. */
struct ct_probe_record {
    int64_t sent_ns; /**< or when it was due */
    uint32_t to, bytes, answer_bytes;
    uint8_t fate;
    int64_t there_ns, back_ns; /**< differences of two clocks */
    uint32_t hold_ns, late_ns; /**< at most UINT32_MAX */
};

/** A host, in the order of the table of hosts. */
struct ct_probe_member {
    uint64_t session; /**< 0: never seen */
    struct ct_probe_address address;
    bool is_present;
    bool is_partner; /**< of this host: their path passes a link that few pairs pass */
    int64_t since_ns, heard_ns;
    struct ct_probe_window window;
    /* The train that is arriving. */
    uint64_t train;
    uint32_t train_count;
    /* Collector. */
    uint64_t next_record; /**< number of the next one */
    int64_t last_unix_ns;
    bool is_garbage_named;
};

struct ct_probe_pending {
    uint64_t id; /**< 0: free */
    uint64_t session;
    int64_t deadline_ns;
    bool is_settled;
    struct ct_probe_record record;
};

/** It is one struct, since each message and each due time may touch any part of it; the files of
 * this room have a part each, by the headings below. */
struct ct_probe_agent {
    struct ct_probe_settings settings;
    struct ct_probe_place place;
    uint64_t random;
    uint64_t number; /**< of the last message */

    struct ct_probe_member *members;
    size_t n_members, members_room;
    struct ct_map by_session; /**< number + 1 */
    uint32_t self;            /**< UINT32_MAX: not known yet */
    uint64_t version;         /**< of the list */

    /* A host: the collector, as known. */
    struct ct_probe_address collector;
    uint64_t collector_session; /**< 0: not joined */
    struct ct_probe_window collector_window;
    int64_t collector_heard_ns, next_pull_ns, next_report_ns;
    size_t n_pulled; /**< of the list that differs */
    uint64_t pulled_version;
    bool is_behind;

    /* Probes. */
    int64_t next_due_ns;
    struct ct_probe_pending *pending; /**< [CT_PROBE_PENDING] */
    uint64_t next_id, oldest_id;
    struct ct_probe_record *outbox; /**< [CT_PROBE_OUTBOX] */
    uint64_t first_record, end_record;
    double byte_tokens, cpu_tokens;
    int64_t tokens_ns, cpu_ns, cpu_time_ns;

    /* Collector. */
    struct ct_watch_host *hosts; /**< [members_room] */
    struct ct_probe_offsets *offsets;
    bool *partners; /**< [n_partners n_partners]; NULL: none */
    size_t n_partners;
    bool is_partners_old;
    int64_t unix_base_ns; /**< date less clock */
    int64_t next_solve_ns, next_look_ns;
    uint64_t retired[CT_PROBE_RETIRED];
    size_t n_retired;

    struct ct_probe_counts counts;
    int64_t refused_said_ns, twin_said_ns;
};

static inline bool ct_probe_is_collector(const struct ct_probe_agent *agent)
{
    return agent->settings.n_join == 0;
}

static inline int64_t ct_probe_ns(double s)
{
    return (int64_t)(1e9 * s);
}

/* ---- agent_send.c ---- */

enum { CT_PROBE_BURST = 32 }; /**< messages that the kernel takes at once: below 64 KiB */

/** Send a message whose content is in bytes + CT_PROBE_HEAD_BYTES. */
void ct_probe_send(struct ct_probe_agent *agent, const struct ct_probe_address *to,
                   uint64_t session, enum ct_probe_type type, unsigned char *bytes, size_t size);

/** As many messages, of CT_PROBE_MESSAGE_MAX bytes each, which leave one behind the other.
 * @param n  [in] 1 .. CT_PROBE_BURST */
void ct_probe_send_burst(struct ct_probe_agent *agent, const struct ct_probe_address *to,
                         uint64_t session, enum ct_probe_type type,
                         unsigned char (*messages)[CT_PROBE_MESSAGE_MAX], size_t n);

/** A line for the user. */
void ct_probe_say(const struct ct_probe_agent *agent, bool is_warning, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/** A host whose messages cannot be right. */
void ct_probe_garbage(struct ct_probe_agent *agent, uint32_t number, const char *what);

/* ---- members.c ---- */

/** A message that arrived, opened. */
struct ct_probe_message {
    struct ct_probe_head head;
    const struct ct_probe_address *from;
    const unsigned char *content;
    size_t size;       /**< of the content */
    size_t whole_size; /**< of the message: no answer is longer */
    int64_t arrived_ns;
};

/** Room for one more host. @return false: out of memory, or too many */
bool ct_probe_members_grow(struct ct_probe_agent *agent, size_t n);
void ct_probe_members_ask(struct ct_probe_agent *agent, int64_t now_ns);
void ct_probe_members_take_welcome(struct ct_probe_agent *agent,
                                   const struct ct_probe_message *message);
void ct_probe_members_take_list(struct ct_probe_agent *agent,
                                const struct ct_probe_message *message);

/* ---- registry.c: the collector's list ---- */

/** Register this host itself. */
bool ct_probe_registry_begin(struct ct_probe_agent *agent, const struct ct_watch_host *hosts,
                             size_t n);
void ct_probe_registry_answer_join(struct ct_probe_agent *agent,
                                   const struct ct_probe_message *message);
void ct_probe_registry_answer_pull(struct ct_probe_agent *agent,
                                   const struct ct_probe_message *message);
void ct_probe_registry_drop(struct ct_probe_agent *agent, uint32_t number, const char *why);
/** Drop hosts that are silent, and choose partners anew. */
void ct_probe_registry_look(struct ct_probe_agent *agent, int64_t now_ns);

/* ---- probes.c ---- */

void ct_probe_probes_ask(struct ct_probe_agent *agent, int64_t now_ns);
void ct_probe_probes_settle(struct ct_probe_agent *agent, int64_t now_ns);
void ct_probe_probes_answer(struct ct_probe_agent *agent, struct ct_probe_member *member,
                            const struct ct_probe_message *message);
void ct_probe_probes_take_answer(struct ct_probe_agent *agent, uint32_t number,
                                 const struct ct_probe_message *message);

/* ---- reports.c ---- */

void ct_probe_reports_send(struct ct_probe_agent *agent, int64_t now_ns);
void ct_probe_reports_confirm(struct ct_probe_agent *agent, const struct ct_probe_message *message);
void ct_probe_reports_take(struct ct_probe_agent *agent, uint32_t number,
                           const struct ct_probe_message *message);
/** Collector: make a sample of a record. */
void ct_probe_reports_collect(struct ct_probe_agent *agent, uint32_t number,
                              const struct ct_probe_record *record);
