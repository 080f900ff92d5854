#include "core/lesser.h"
#include "watch/probe/agent_state.h"

#include <arpa/inet.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double solve_s = 10, look_s = 1, burst_s = 5, cpu_burst_s = 10;
static const double refused_said_s = 60;

/* ---- beginning and end ---- */

static enum ct_status check_settings(const struct ct_probe_settings *settings, struct ct_error *err)
{
    if (settings->small_bytes < CT_PROBE_FRAME_BYTES + 24 ||
        settings->small_bytes > CT_PROBE_MESSAGE_MAX)
        return ct_fail(err, CT_EINVAL, "probes of %zu B: from %d to %d B are possible",
                       settings->small_bytes, CT_PROBE_FRAME_BYTES + 24, CT_PROBE_MESSAGE_MAX);
    return CT_OK;
}

enum ct_status ct_probe_agent_new(const struct ct_probe_settings *settings,
                                  const struct ct_probe_place *place,
                                  const struct ct_watch_host *hosts, size_t n,
                                  struct ct_probe_agent **agent_p, struct ct_error *err)
{
    CT_TRY(check_settings(settings, err));
    struct ct_probe_agent *agent = calloc(1, sizeof *agent);
    if (!agent)
        return ct_no_memory(err, "probes");
    agent->settings = *settings;
    agent->place = *place;
    agent->random = settings->seed;
    agent->self = UINT32_MAX;
    agent->next_id = agent->oldest_id = 1;
    agent->first_record = agent->end_record = 1;
    agent->pending = calloc(CT_PROBE_PENDING, sizeof *agent->pending);
    agent->outbox = calloc(CT_PROBE_OUTBOX, sizeof *agent->outbox);
    int64_t now_ns = place->now_ns(place->state);
    agent->tokens_ns = agent->next_due_ns = agent->cpu_time_ns = now_ns;
    agent->refused_said_ns = agent->twin_said_ns = now_ns - ct_probe_ns(refused_said_s);
    agent->cpu_ns = place->cpu_ns(place->state);
    agent->cpu_tokens = settings->cpu_frac * cpu_burst_s;
    agent->unix_base_ns = place->unix_ns(place->state) - now_ns;
    if (!agent->pending || !agent->outbox ||
        (ct_probe_is_collector(agent) && !ct_probe_registry_begin(agent, hosts, n))) {
        ct_probe_agent_free(agent);
        return ct_no_memory(err, "probes");
    }
    *agent_p = agent;
    return CT_OK;
}

void ct_probe_agent_free(struct ct_probe_agent *agent)
{
    if (!agent)
        return;
    ct_probe_offsets_free(agent->offsets);
    ct_map_free(&agent->by_session);
    free(agent->members);
    free(agent->hosts);
    free(agent->partners);
    free(agent->pending);
    free(agent->outbox);
    free(agent);
}

void ct_probe_agent_leave(struct ct_probe_agent *agent)
{
    if (agent->collector_session == 0)
        return;
    agent->next_report_ns = 0;
    ct_probe_reports_send(agent, agent->place.now_ns(agent->place.state));
    unsigned char bytes[CT_PROBE_FRAME_BYTES] = {0};
    ct_probe_send(agent, &agent->collector, agent->collector_session, CT_PROBE_LEAVE, bytes,
                  sizeof bytes);
}

/* ---- messages ---- */

static void refuse_message(struct ct_probe_agent *agent, const struct ct_probe_address *from,
                           int64_t now_ns)
{
    agent->counts.refused++;
    if (now_ns - agent->refused_said_ns < ct_probe_ns(refused_said_s))
        return;
    agent->refused_said_ns = now_ns;
    char text[INET6_ADDRSTRLEN] = "";
    inet_ntop(AF_INET6, from->host, text, sizeof text);
    ct_probe_say(agent, true,
                 "%ju messages so far are not sealed with the key of this watch, or were there "
                 "before, the last one from %s port %u: they are not answered",
                 (uintmax_t)agent->counts.refused, text, from->port);
}

static void take_from_collector(struct ct_probe_agent *agent,
                                const struct ct_probe_message *message)
{
    if (message->head.from != agent->collector_session)
        return;
    if (!ct_probe_window_take(&agent->collector_window, message->head.number)) {
        refuse_message(agent, message->from, message->arrived_ns);
        return;
    }
    agent->collector_heard_ns = message->arrived_ns;
    if (message->head.type == CT_PROBE_MEMBERS)
        ct_probe_members_take_list(agent, message);
    else
        ct_probe_reports_confirm(agent, message);
}

/* From a host of the list, or from one that wants to be in it. */
static void take_from_host(struct ct_probe_agent *agent, const struct ct_probe_message *message)
{
    bool is_collector = ct_probe_is_collector(agent);
    uint32_t found = ct_map_find(&agent->by_session, message->head.from);
    if (found == 0) {
        if (!is_collector || message->head.type != CT_PROBE_PULL)
            return;
        ct_probe_registry_answer_pull(agent, message);
        if ((found = ct_map_find(&agent->by_session, message->head.from)) > 0)
            ct_probe_window_take(&agent->members[found - 1].window, message->head.number);
        return;
    }
    struct ct_probe_member *member = &agent->members[found - 1];
    if (!ct_probe_window_take(&member->window, message->head.number)) {
        refuse_message(agent, message->from, message->arrived_ns);
        return;
    }
    if (message->head.type == CT_PROBE_ASK)
        ct_probe_probes_answer(agent, member, message);
    else if (message->head.type == CT_PROBE_ANSWER)
        ct_probe_probes_take_answer(agent, found - 1, message);
    else if (is_collector && message->head.type == CT_PROBE_PULL)
        ct_probe_registry_answer_pull(agent, message);
    else if (is_collector && message->head.type == CT_PROBE_REPORT)
        ct_probe_reports_take(agent, found - 1, message);
    else if (is_collector && message->head.type == CT_PROBE_LEAVE)
        ct_probe_registry_drop(agent, found - 1, "left");
}

static bool wants_collector(const struct ct_probe_agent *agent, int64_t now_ns)
{
    return agent->collector_session == 0 ||
           now_ns - agent->collector_heard_ns > ct_probe_ns(CT_PROBE_SILENCE_S);
}

void ct_probe_agent_receive(struct ct_probe_agent *agent, const struct ct_probe_address *from,
                            const unsigned char *bytes, size_t n, int64_t arrived_ns)
{
    struct ct_probe_message message = {.from = from, .arrived_ns = arrived_ns, .whole_size = n};
    if (!ct_probe_message_open(bytes, n, agent->settings.key, &message.head)) {
        refuse_message(agent, from, arrived_ns);
        return;
    }
    message.content = bytes + CT_PROBE_HEAD_BYTES;
    message.size = n - CT_PROBE_FRAME_BYTES;
    bool is_collector = ct_probe_is_collector(agent);
    if (message.head.type == CT_PROBE_JOIN && is_collector && message.head.to == 0)
        ct_probe_registry_answer_join(agent, &message);
    if (message.head.to != agent->settings.session || message.head.from == message.head.to)
        return;
    if (message.head.type == CT_PROBE_WELCOME) {
        if (!is_collector && wants_collector(agent, arrived_ns))
            ct_probe_members_take_welcome(agent, &message);
    } else if (message.head.type == CT_PROBE_MEMBERS || message.head.type == CT_PROBE_REPORTED) {
        if (!is_collector)
            take_from_collector(agent, &message);
    } else {
        take_from_host(agent, &message);
    }
}

/* ---- time ---- */

static void refill_buckets(struct ct_probe_agent *agent, int64_t now_ns)
{
    double past_s = 1e-9 * (double)(now_ns - agent->tokens_ns);
    double rate = agent->settings.bytes_per_s;
    double most = ct_greater(burst_s * rate, 1.5 * (double)agent->settings.train_bytes);
    agent->byte_tokens = ct_lesser(most, agent->byte_tokens + rate * past_s);
    agent->tokens_ns = now_ns;
    if (now_ns - agent->cpu_time_ns < ct_probe_ns(0.1))
        return;
    int64_t cpu_ns = agent->place.cpu_ns(agent->place.state);
    past_s = 1e-9 * (double)(now_ns - agent->cpu_time_ns);
    double used_s = 1e-9 * (double)(cpu_ns - agent->cpu_ns);
    double cpu_most = cpu_burst_s * agent->settings.cpu_frac;
    /* What strangers send takes time, too, and is not paid for hours. */
    agent->cpu_tokens =
        ct_lesser(cpu_most, ct_greater(-cpu_most, agent->cpu_tokens +
                                                      agent->settings.cpu_frac * past_s - used_s));
    agent->cpu_ns = cpu_ns;
    agent->cpu_time_ns = now_ns;
}

/* Samples go on by the new date, since readers compare it with theirs. */
static void look_at_date(struct ct_probe_agent *agent, int64_t now_ns)
{
    int64_t base_ns = agent->place.unix_ns(agent->place.state) - now_ns;
    double jump_s = 1e-9 * (double)(base_ns - agent->unix_base_ns);
    agent->unix_base_ns = base_ns;
    if (fabs(jump_s) < CT_PROBE_JUMP_S)
        return;
    ct_probe_say(agent, true,
                 "the date of this host was set %s by %.3g s: samples go on by the new date",
                 jump_s > 0 ? "forward" : "back", fabs(jump_s));
    for (size_t i = 0; i < agent->n_members; i++)
        agent->members[i].last_unix_ns = 0;
}

static void estimate_clocks(struct ct_probe_agent *agent, int64_t now_ns)
{
    ct_probe_offsets_solve(agent->offsets, now_ns);
    double first_s = 0, first_drift = 0;
    for (uint32_t i = 0; i < agent->n_members; i++) {
        struct ct_probe_clock_line line = ct_probe_offsets_line(agent->offsets, i);
        if (i == 0 && line.is_known) {
            first_s = 1e-9 * line.at_ns;
            first_drift = line.drift;
        }
        agent->hosts[i].offset_s = line.is_known ? 1e-9 * line.at_ns - first_s : NAN;
        agent->hosts[i].drift_per_s = line.is_known ? line.drift - first_drift : NAN;
    }
}

static void step_collector(struct ct_probe_agent *agent, int64_t now_ns)
{
    agent->members[agent->self].heard_ns = now_ns;
    if (now_ns >= agent->next_look_ns) {
        agent->next_look_ns = now_ns + ct_probe_ns(look_s);
        look_at_date(agent, now_ns);
        ct_probe_registry_look(agent, now_ns);
    }
    if (now_ns >= agent->next_solve_ns) {
        agent->next_solve_ns = now_ns + ct_probe_ns(solve_s);
        estimate_clocks(agent, now_ns);
    }
}

static void take_earlier(int64_t *next_ns, int64_t due_ns)
{
    if (due_ns < *next_ns)
        *next_ns = due_ns;
}

int64_t ct_probe_agent_step(struct ct_probe_agent *agent)
{
    int64_t now_ns = agent->place.now_ns(agent->place.state);
    refill_buckets(agent, now_ns);
    if (ct_probe_is_collector(agent)) {
        step_collector(agent, now_ns);
    } else {
        ct_probe_members_ask(agent, now_ns);
        ct_probe_reports_send(agent, now_ns);
    }
    ct_probe_probes_ask(agent, now_ns);
    ct_probe_probes_settle(agent, now_ns);
    int64_t next_ns = agent->next_due_ns;
    if (ct_probe_is_collector(agent)) {
        take_earlier(&next_ns, agent->next_look_ns);
    } else {
        take_earlier(&next_ns, agent->next_pull_ns);
        take_earlier(&next_ns, agent->next_report_ns);
    }
    const struct ct_probe_pending *oldest = &agent->pending[agent->oldest_id % CT_PROBE_PENDING];
    if (agent->oldest_id < agent->next_id && oldest->id != 0 && !oldest->is_settled)
        take_earlier(&next_ns, oldest->deadline_ns);
    return next_ns;
}

const struct ct_watch_host *ct_probe_agent_hosts(struct ct_probe_agent *agent, size_t *n_p)
{
    *n_p = agent->n_members;
    return agent->hosts;
}

struct ct_probe_counts ct_probe_agent_counts(const struct ct_probe_agent *agent)
{
    struct ct_probe_counts counts = agent->counts;
    counts.memory_bytes = sizeof *agent + CT_PROBE_PENDING * sizeof *agent->pending +
                          CT_PROBE_OUTBOX * sizeof *agent->outbox +
                          agent->members_room * (sizeof *agent->members + sizeof *agent->hosts) +
                          agent->by_session.room * sizeof *agent->by_session.slots +
                          (agent->offsets ? ct_probe_offsets_bytes(agent->offsets) : 0);
    return counts;
}
