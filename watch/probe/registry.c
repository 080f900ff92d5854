/* The collector's list of hosts: who joined, who is silent, who probes whom. */
#include "core/endian.h"
#include "watch/probe/agent_state.h"
#include "watch/probe/partners.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LIST_HEAD_BYTES = 24, ENTRY_BYTES = 28 };

/* A list of another process is another version, too. */
static void change_list(struct ct_probe_agent *agent)
{
    agent->version++;
    agent->is_partners_old = true;
}

static bool find_name(const struct ct_probe_agent *agent, const char *name, uint32_t *number_p)
{
    for (uint32_t i = 0; i < agent->n_members; i++)
        if (strcmp(agent->hosts[i].name, name) == 0) {
            *number_p = i;
            return true;
        }
    return false;
}

static bool enter_host(struct ct_probe_agent *agent, const char *name, uint64_t session,
                       const struct ct_probe_address *address, uint32_t *number_p)
{
    uint32_t number = (uint32_t)agent->n_members;
    if (!find_name(agent, name, &number) && !ct_probe_members_grow(agent, agent->n_members + 1))
        return false;
    struct ct_probe_member *member = &agent->members[number];
    int64_t now_ns = agent->place.now_ns(agent->place.state);
    if (member->session != session) {
        if (member->session != 0) {
            ct_map_remove(&agent->by_session, member->session, (uint64_t)number + 1);
            agent->retired[agent->n_retired++ % CT_PROBE_RETIRED] = member->session;
        }
        *member = (struct ct_probe_member){.session = session};
        if (!ct_map_set(&agent->by_session, session, (uint64_t)number + 1))
            return false;
    }
    member->address = *address;
    member->since_ns = member->heard_ns = now_ns;
    member->is_present = true;
    snprintf(agent->hosts[number].name, sizeof agent->hosts[number].name, "%s", name);
    agent->hosts[number].is_present = true;
    change_list(agent);
    *number_p = number;
    return true;
}

bool ct_probe_registry_begin(struct ct_probe_agent *agent, const struct ct_watch_host *hosts,
                             size_t n)
{
    const struct ct_probe_address nowhere = {0};
    if (!ct_probe_members_grow(agent, n) || !(agent->offsets = ct_probe_offsets_new()))
        return false;
    for (size_t i = 0; i < n; i++) {
        agent->hosts[i] = hosts[i];
        agent->hosts[i].is_present = false;
    }
    agent->version = agent->settings.session << 20; /* so that no list of before is this one */
    if (!enter_host(agent, agent->settings.name, agent->settings.session, &nowhere, &agent->self))
        return false;
    ct_probe_offsets_refer(agent->offsets, agent->self);
    return ct_probe_offsets_reset(agent->offsets, agent->self, 0);
}

void ct_probe_registry_answer_join(struct ct_probe_agent *agent,
                                   const struct ct_probe_message *message)
{
    unsigned char bytes[CT_PROBE_FRAME_BYTES] = {0};
    ct_probe_send(agent, message->from, message->head.from, CT_PROBE_WELCOME, bytes, sizeof bytes);
}

/* ---- the list ---- */

static void store_entry(const struct ct_probe_agent *agent, uint32_t asker, uint32_t number,
                        unsigned char *entry)
{
    const struct ct_probe_member *member = &agent->members[number];
    bool is_partner = agent->partners && asker < agent->n_partners && number < agent->n_partners &&
                      agent->partners[asker * agent->n_partners + number];
    ct_endian_store(entry, member->session, 8);
    memcpy(entry + 8, member->address.host, sizeof member->address.host);
    ct_endian_store(entry + 24, member->address.port, 2);
    entry[26] = (unsigned char)((member->is_present ? 1 : 0) | (is_partner ? 2 : 0));
}

static void send_list(struct ct_probe_agent *agent, uint32_t asker, uint64_t version,
                      uint64_t first, const struct ct_probe_message *message)
{
    unsigned char bytes[CT_PROBE_MESSAGE_MAX] = {0}, *content = bytes + CT_PROBE_HEAD_BYTES;
    size_t room = (message->whole_size - CT_PROBE_FRAME_BYTES - LIST_HEAD_BYTES) / ENTRY_BYTES,
           n = 0;
    if (first >= agent->n_members)
        first = 0;
    if (version != agent->version)
        n = agent->n_members - first < room ? agent->n_members - first : room;
    ct_endian_store(content, agent->version, 8);
    const uint64_t numbers[] = {agent->n_members, first, n, asker};
    for (size_t i = 0; i < 4; i++)
        ct_endian_store(content + 8 + 4 * i, numbers[i], 4);
    for (size_t i = 0; i < n; i++)
        store_entry(agent, asker, (uint32_t)(first + i),
                    content + LIST_HEAD_BYTES + i * ENTRY_BYTES);
    ct_probe_send(agent, message->from, message->head.from, CT_PROBE_MEMBERS, bytes,
                  CT_PROBE_FRAME_BYTES + LIST_HEAD_BYTES + n * ENTRY_BYTES);
}

static bool is_retired(const struct ct_probe_agent *agent, uint64_t session)
{
    for (size_t i = 0; i < CT_PROBE_RETIRED; i++)
        if (agent->retired[i] == session)
            return true;
    return false;
}

/* The name as it is printed everywhere. */
static bool copy_name(char name[64], const unsigned char *from)
{
    memcpy(name, from, 64);
    if (name[63] != '\0' || name[0] == '\0')
        return false;
    for (const char *c = name; *c; c++)
        if ((unsigned char)*c <= ' ' || *c == 0x7f)
            return false;
    return true;
}

/* A host asks every two seconds, and a recording of that may come at any rate. */
static void say_twin(struct ct_probe_agent *agent, const struct ct_probe_message *message,
                     const char *name, const char *what)
{
    if (message->arrived_ns - agent->twin_said_ns <= ct_probe_ns(CT_PROBE_SILENCE_S))
        return;
    agent->twin_said_ns = message->arrived_ns;
    ct_probe_say(agent, true, "a second host calls itself %s: it %s", name, what);
}

static bool admit_host(struct ct_probe_agent *agent, const char *name,
                       const struct ct_probe_message *message, uint32_t *number_p)
{
    uint32_t number = UINT32_MAX;
    bool is_known = find_name(agent, name, &number);
    if (number == agent->self) {
        say_twin(agent, message, name, "may not join, since this is the first: --name");
        return false;
    }
    struct ct_probe_member *member = is_known ? &agent->members[number] : NULL;
    bool is_new = !is_known || member->session != message->head.from;
    if (is_new && is_retired(agent, message->head.from))
        return false;
    if (is_known && is_new && member->is_present &&
        message->arrived_ns - member->heard_ns < ct_probe_ns(CT_PROBE_PULL_S * 2)) {
        /* Two hosts of one name, or one that began anew: it may join when the other is silent. */
        say_twin(agent, message, name, "joins when the first is silent");
        return false;
    }
    if (!enter_host(agent, name, message->head.from, message->from, number_p))
        return false;
    if (is_new &&
        !ct_probe_offsets_reset(agent->offsets, *number_p, 0)) /* the first record has the guess */
        return false;
    ct_probe_say(agent, false, "%s joined", name);
    return true;
}

void ct_probe_registry_answer_pull(struct ct_probe_agent *agent,
                                   const struct ct_probe_message *message)
{
    char name[64];
    uint32_t number = ct_map_find(&agent->by_session, message->head.from);
    if (message->size < 80 || !copy_name(name, message->content))
        return;
    if (number > 0 && agent->members[number - 1].is_present)
        number--;
    else if (!admit_host(agent, name, message, &number))
        return;
    agent->members[number].heard_ns = message->arrived_ns;
    agent->members[number].address = *message->from;
    send_list(agent, number, ct_endian_load(message->content + 64, 8),
              ct_endian_load(message->content + 72, 8), message);
}

/* ---- who is gone ---- */

void ct_probe_registry_drop(struct ct_probe_agent *agent, uint32_t number, const char *why)
{
    if (number == agent->self || !agent->members[number].is_present)
        return;
    agent->members[number].is_present = agent->hosts[number].is_present = false;
    change_list(agent);
    ct_probe_say(agent, false, "%s %s", agent->hosts[number].name, why);
}

void ct_probe_registry_look(struct ct_probe_agent *agent, int64_t now_ns)
{
    for (uint32_t i = 0; i < agent->n_members; i++)
        if (now_ns - agent->members[i].heard_ns > ct_probe_ns(CT_PROBE_SILENCE_S))
            ct_probe_registry_drop(agent, i, "is silent: dropped until it joins again");
    if (!agent->settings.topology || !agent->is_partners_old)
        return;
    agent->is_partners_old = false;
    struct ct_error err;
    bool *partners = NULL;
    enum ct_status status =
        ct_probe_partners_choose(agent->settings.topology, agent->settings.places, agent->hosts,
                                 agent->n_members, &partners, &err);
    if (status != CT_OK)
        ct_probe_say(agent, true, "hosts are paired at random: %s", err.text);
    free(agent->partners);
    agent->partners = partners;
    agent->n_partners = partners ? agent->n_members : 0;
    agent->version++;
    for (uint32_t i = 0; i < agent->n_partners; i++)
        agent->members[i].is_partner = partners[agent->self * agent->n_partners + i];
}
