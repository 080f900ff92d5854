/* A host's side of the list of hosts: join, pull, take. */
#include "core/array.h"
#include "core/endian.h"
#include "watch/probe/agent_state.h"

#include <string.h>

enum { PULL_BYTES = CT_PROBE_FRAME_BYTES + 80, LIST_HEAD_BYTES = 24, ENTRY_BYTES = 28 };

bool ct_probe_members_grow(struct ct_probe_agent *agent, size_t n)
{
    if (n > CT_PROBE_MEMBERS_MAX)
        return false;
    size_t room = agent->members_room;
    if (!CT_ARRAY_RESERVE(agent->members, agent->members_room, n))
        return false;
    if (ct_probe_is_collector(agent) && agent->members_room > room) {
        struct ct_watch_host *hosts =
            ct_array_resize(agent->hosts, agent->members_room, sizeof *hosts);
        if (!hosts) {
            agent->members_room = room;
            return false;
        }
        agent->hosts = hosts;
    }
    for (; agent->n_members < n; agent->n_members++) {
        agent->members[agent->n_members] = (struct ct_probe_member){0};
        if (agent->hosts)
            agent->hosts[agent->n_members] = (struct ct_watch_host){0};
    }
    return true;
}

/* ---- asking ---- */

static void send_join(struct ct_probe_agent *agent)
{
    unsigned char bytes[CT_PROBE_FRAME_BYTES] = {0};
    for (size_t i = 0; i < agent->settings.n_join; i++)
        ct_probe_send(agent, &agent->settings.join[i], 0, CT_PROBE_JOIN, bytes, sizeof bytes);
}

/* Padded where an answer has something to say. */
static void send_pull(struct ct_probe_agent *agent)
{
    unsigned char bytes[CT_PROBE_MESSAGE_MAX] = {0}, *content = bytes + CT_PROBE_HEAD_BYTES;
    memcpy(content, agent->settings.name, sizeof agent->settings.name);
    ct_endian_store(content + 64, agent->version, 8);
    ct_endian_store(content + 72, agent->n_pulled, 8);
    ct_probe_send(agent, &agent->collector, agent->collector_session, CT_PROBE_PULL, bytes,
                  agent->is_behind ? sizeof bytes : PULL_BYTES);
}

void ct_probe_members_ask(struct ct_probe_agent *agent, int64_t now_ns)
{
    if (now_ns < agent->next_pull_ns)
        return;
    agent->next_pull_ns = now_ns + ct_probe_ns(CT_PROBE_PULL_S);
    bool is_silent = now_ns - agent->collector_heard_ns > ct_probe_ns(CT_PROBE_SILENCE_S);
    if (agent->collector_session != 0)
        send_pull(agent);
    if (agent->collector_session == 0 || is_silent)
        send_join(agent);
}

/* ---- taking ---- */

static void forget_members(struct ct_probe_agent *agent)
{
    agent->n_members = 0;
    ct_map_clear(&agent->by_session);
    agent->self = UINT32_MAX;
    agent->version = 0;
    agent->n_pulled = 0;
    agent->is_behind = true;
}

/* Hosts may have other numbers in another session of the collector: records name them by number. */
void ct_probe_members_take_welcome(struct ct_probe_agent *agent,
                                   const struct ct_probe_message *message)
{
    if (message->head.from == agent->collector_session)
        return;
    if (agent->collector_session != 0)
        ct_probe_say(agent, true,
                     "joined a new collector: %ju records for the former one are given up",
                     (uintmax_t)(agent->end_record - agent->first_record));
    agent->counts.forgotten += agent->end_record - agent->first_record;
    agent->first_record = agent->end_record;
    forget_members(agent);
    memset(agent->pending, 0, CT_PROBE_PENDING * sizeof *agent->pending);
    agent->oldest_id = agent->next_id;
    agent->collector = *message->from;
    agent->collector_session = message->head.from;
    agent->collector_window = (struct ct_probe_window){0};
    agent->collector_heard_ns = message->arrived_ns;
    send_pull(agent);
}

static void take_entry(struct ct_probe_agent *agent, uint32_t number, const unsigned char *entry,
                       int64_t now_ns)
{
    struct ct_probe_member *member = &agent->members[number];
    uint64_t session = ct_endian_load(entry, 8);
    if (session != member->session) {
        if (member->session != 0)
            ct_map_remove(&agent->by_session, member->session, (uint64_t)number + 1);
        *member = (struct ct_probe_member){.session = session, .since_ns = now_ns};
        if (session != 0 && !ct_map_set(&agent->by_session, session, (uint64_t)number + 1))
            member->session = 0;
    }
    bool is_present = (entry[26] & 1) != 0;
    if (is_present && !member->is_present)
        member->since_ns = now_ns;
    member->is_present = is_present;
    member->is_partner = (entry[26] & 2) != 0;
    memcpy(member->address.host, entry + 8, sizeof member->address.host);
    member->address.port = (uint16_t)ct_endian_load(entry + 24, 2);
    /* The collector does not know how others reach it. */
    if (session == agent->collector_session)
        member->address = agent->collector;
}

void ct_probe_members_take_list(struct ct_probe_agent *agent,
                                const struct ct_probe_message *message)
{
    if (message->size < LIST_HEAD_BYTES)
        return;
    const unsigned char *content = message->content;
    uint64_t version = ct_endian_load(content, 8);
    uint32_t n = ct_endian_load_u32(content + 8), first = ct_endian_load_u32(content + 12);
    uint32_t n_here = ct_endian_load_u32(content + 16);
    if (n > CT_PROBE_MEMBERS_MAX || first > n || n_here > n - first ||
        message->size < LIST_HEAD_BYTES + (size_t)n_here * ENTRY_BYTES ||
        !ct_probe_members_grow(agent, n))
        return;
    agent->self = ct_endian_load_u32(content + 20);
    if (version == agent->version) {
        agent->is_behind = false;
        return;
    }
    /* Pieces of different lists make none. */
    if (first != 0 && version != agent->pulled_version) {
        agent->n_pulled = 0;
        agent->is_behind = true;
        return;
    }
    agent->pulled_version = version;
    for (uint32_t i = 0; i < n_here; i++)
        take_entry(agent, first + i, content + LIST_HEAD_BYTES + (size_t)i * ENTRY_BYTES,
                   message->arrived_ns);
    agent->is_behind = first + n_here < n;
    agent->n_pulled = agent->is_behind ? first + n_here : 0;
    if (!agent->is_behind)
        agent->version = version;
    else
        send_pull(agent);
}
