/* Probes: due at random times, sent while the buckets have something, settled in their order. */
#include "core/endian.h"
#include "core/lesser.h"
#include "watch/probe/agent_state.h"

#include <math.h>
#include <string.h>

enum { ASK_BYTES = 24, ANSWER_BYTES = 24, DUE_MAX = 64 /* in a step */ };

/* Shares of the bound on bytes; the rest is for lists and reports. */
static const double small_share = 0.4, train_share = 0.3;
static const double trains_most = 0.5;    /* of the probes */
static const double skipped_late_s = 1.0; /* a probe this late shows another time than its own */
static const double gap_s = 60;           /* a host that slept does not catch up */

/* ---- whom ---- */

static bool is_askable(const struct ct_probe_agent *agent, uint32_t number, int64_t now_ns)
{
    const struct ct_probe_member *member = &agent->members[number];
    return number != agent->self && member->session != 0 && member->is_present &&
           now_ns - member->since_ns >= ct_probe_ns(CT_PROBE_SETTLE_S);
}

static bool is_near(const struct ct_probe_agent *agent, uint32_t number)
{
    uint32_t apart = number > agent->self ? number - agent->self : agent->self - number;
    return (apart & (apart - 1)) == 0;
}

static bool is_any(const struct ct_probe_agent *agent, uint32_t number)
{
    (void)agent;
    (void)number;
    return true;
}

static bool is_partner(const struct ct_probe_agent *agent, uint32_t number)
{
    return agent->members[number].is_partner;
}

/* One of them at random, each as likely (reservoir of one). */
static uint32_t draw_host(struct ct_probe_agent *agent, int64_t now_ns,
                          bool (*fits)(const struct ct_probe_agent *, uint32_t))
{
    uint32_t found = UINT32_MAX;
    uint64_t n = 0;
    for (uint32_t i = 0; i < agent->n_members; i++)
        if (is_askable(agent, i, now_ns) && fits(agent, i) &&
            ct_random_next(&agent->random) % ++n == 0)
            found = i;
    return found;
}

/* Half of the probes go to hosts whose paths distinguish links; in large watches half of the
   others to those by which clocks are compared. */
static uint32_t choose_host(struct ct_probe_agent *agent, int64_t now_ns)
{
    uint64_t random = ct_random_next(&agent->random);
    uint32_t found = UINT32_MAX;
    if (random & 1)
        found = draw_host(agent, now_ns, is_partner);
    else if (agent->n_members > CT_PROBE_ALL_PAIRS && (random & 2))
        found = draw_host(agent, now_ns, is_near);
    return found != UINT32_MAX ? found : draw_host(agent, now_ns, is_any);
}

/* ---- how often ---- */

static size_t count_datagrams(size_t bytes)
{
    return (bytes + CT_PROBE_MESSAGE_MAX - 1) / CT_PROBE_MESSAGE_MAX;
}

static double cost_of(size_t bytes)
{
    return (double)(bytes + count_datagrams(bytes) * CT_PROBE_WIRE_BYTES);
}

/* A host answers as often as it asks. */
static double interval_of(const struct ct_probe_agent *agent)
{
    double least =
        2 * cost_of(agent->settings.small_bytes) / (small_share * agent->settings.bytes_per_s);
    return ct_greater(agent->settings.interval_s, least);
}

static double trains_of(const struct ct_probe_agent *agent)
{
    double apart =
        cost_of(agent->settings.train_bytes) / (train_share * agent->settings.bytes_per_s);
    return ct_lesser(trains_most, interval_of(agent) / apart);
}

/* ---- asking ---- */

static void write_ask(unsigned char *message, const struct ct_probe_pending *pending, uint32_t i,
                      uint32_t n)
{
    unsigned char *content = message + CT_PROBE_HEAD_BYTES;
    ct_endian_store(content, pending->id, 8);
    ct_endian_store(content + 8, i, 4);
    ct_endian_store(content + 12, n, 4);
    ct_endian_store(content + 16, pending->record.bytes, 4);
}

static void send_train(struct ct_probe_agent *agent, const struct ct_probe_pending *pending,
                       uint32_t n)
{
    const struct ct_probe_member *member = &agent->members[pending->record.to];
    unsigned char messages[CT_PROBE_BURST][CT_PROBE_MESSAGE_MAX] = {{0}};
    for (uint32_t i = 0, most; i < n; i += most) {
        most = n - i < CT_PROBE_BURST ? n - i : CT_PROBE_BURST;
        for (uint32_t k = 0; k < most; k++)
            write_ask(messages[k], pending, i + k, n);
        ct_probe_send_burst(agent, &member->address, member->session, CT_PROBE_ASK, messages, most);
    }
}

static void send_probe(struct ct_probe_agent *agent, const struct ct_probe_pending *pending)
{
    const struct ct_probe_member *member = &agent->members[pending->record.to];
    uint32_t n = (uint32_t)count_datagrams(pending->record.bytes);
    unsigned char message[CT_PROBE_MESSAGE_MAX] = {0};
    if (n > 1) {
        send_train(agent, pending, n);
        return;
    }
    write_ask(message, pending, 0, 1);
    ct_probe_send(agent, &member->address, member->session, CT_PROBE_ASK, message,
                  pending->record.bytes);
}

static uint32_t clamp_ns(int64_t ns)
{
    return ns < 0 ? 0 : ns > UINT32_MAX ? UINT32_MAX : (uint32_t)ns;
}

static void ask_host(struct ct_probe_agent *agent, int64_t due_ns, int64_t now_ns)
{
    uint32_t to = choose_host(agent, now_ns);
    if (to == UINT32_MAX)
        return;
    if (agent->next_id - agent->oldest_id == CT_PROBE_PENDING) {
        agent->counts.skipped++;
        return;
    }
    bool is_train = ct_random_unit(ct_random_next(&agent->random)) < trains_of(agent);
    size_t bytes = is_train ? count_datagrams(agent->settings.train_bytes) * CT_PROBE_MESSAGE_MAX
                            : agent->settings.small_bytes;
    struct ct_probe_pending *pending = &agent->pending[agent->next_id % CT_PROBE_PENDING];
    *pending = (struct ct_probe_pending){.id = agent->next_id++,
                                         .session = agent->members[to].session,
                                         .deadline_ns = now_ns + ct_probe_ns(CT_PROBE_DEADLINE_S),
                                         .record = {.to = to,
                                                    .bytes = (uint32_t)bytes,
                                                    .fate = CT_WATCH_LOST,
                                                    .sent_ns = now_ns,
                                                    .late_ns = clamp_ns(now_ns - due_ns)}};
    if (now_ns - due_ns > ct_probe_ns(skipped_late_s) || agent->byte_tokens < cost_of(bytes) ||
        agent->cpu_tokens < 0) {
        pending->record.fate = CT_WATCH_SKIPPED;
        pending->record.sent_ns = due_ns;
        pending->is_settled = true;
        agent->counts.skipped++;
        return;
    }
    agent->counts.asked++;
    pending->record.sent_ns = agent->place.now_ns(agent->place.state);
    send_probe(agent, pending);
}

void ct_probe_probes_ask(struct ct_probe_agent *agent, int64_t now_ns)
{
    if (now_ns - agent->next_due_ns > ct_probe_ns(gap_s))
        agent->next_due_ns = now_ns;
    for (unsigned i = 0; i < DUE_MAX && agent->next_due_ns <= now_ns; i++) {
        if (agent->self < agent->n_members)
            ask_host(agent, agent->next_due_ns, now_ns);
        double unit = ct_random_unit(ct_random_next(&agent->random));
        agent->next_due_ns += ct_probe_ns(-log1p(-unit) * interval_of(agent)) + 1;
    }
}

/* ---- the end of a probe ---- */

static void hand_over(struct ct_probe_agent *agent, const struct ct_probe_record *record)
{
    if (ct_probe_is_collector(agent)) {
        ct_probe_reports_collect(agent, agent->self, record);
        return;
    }
    if (agent->end_record - agent->first_record == CT_PROBE_OUTBOX) {
        agent->first_record++;
        agent->counts.forgotten++;
    }
    agent->outbox[agent->end_record++ % CT_PROBE_OUTBOX] = *record;
}

/* What was sent to a host that has left meanwhile says nothing. */
static bool has_left(const struct ct_probe_agent *agent, const struct ct_probe_pending *pending)
{
    const struct ct_probe_member *member = &agent->members[pending->record.to];
    return pending->record.to >= agent->n_members || member->session != pending->session ||
           !member->is_present;
}

void ct_probe_probes_settle(struct ct_probe_agent *agent, int64_t now_ns)
{
    for (; agent->oldest_id < agent->next_id; agent->oldest_id++) {
        struct ct_probe_pending *pending = &agent->pending[agent->oldest_id % CT_PROBE_PENDING];
        if (pending->id == 0)
            continue;
        if (!pending->is_settled && now_ns < pending->deadline_ns)
            return;
        if (pending->record.fate != CT_WATCH_LOST || !has_left(agent, pending))
            hand_over(agent, &pending->record);
        pending->id = 0;
    }
}

/* ---- answers ---- */

/* A train is answered when its last datagram is there; a datagram that is missing makes it lost. */
void ct_probe_probes_answer(struct ct_probe_agent *agent, struct ct_probe_member *member,
                            const struct ct_probe_message *message)
{
    if (message->size < ASK_BYTES)
        return;
    uint64_t id = ct_endian_load(message->content, 8);
    uint32_t n = ct_endian_load_u32(message->content + 12);
    if (n > 1) {
        member->train_count = member->train == id ? member->train_count + 1 : 1;
        member->train = id;
        if (member->train_count < n)
            return;
    }
    unsigned char bytes[CT_PROBE_MESSAGE_MAX] = {0}, *content = bytes + CT_PROBE_HEAD_BYTES;
    ct_endian_store(content, id, 8);
    ct_endian_store(content + 8, (uint64_t)message->arrived_ns, 8);
    ct_endian_store(content + 16, (uint64_t)agent->place.now_ns(agent->place.state), 8);
    ct_probe_send(agent, message->from, message->head.from, CT_PROBE_ANSWER, bytes,
                  n > 1 ? CT_PROBE_FRAME_BYTES + ANSWER_BYTES : message->whole_size);
}

void ct_probe_probes_take_answer(struct ct_probe_agent *agent, uint32_t number,
                                 const struct ct_probe_message *message)
{
    if (message->size < ANSWER_BYTES) {
        ct_probe_garbage(agent, number, "answers that are too short");
        return;
    }
    uint64_t id = ct_endian_load(message->content, 8);
    struct ct_probe_pending *pending = &agent->pending[id % CT_PROBE_PENDING];
    if (id == 0 || pending->id != id || pending->is_settled ||
        pending->session != message->head.from)
        return; /* too late, or twice */
    struct ct_probe_record *record = &pending->record;
    /* Of unknown origin: their difference may not fit. */
    uint64_t arrived = ct_endian_load(message->content + 8, 8);
    uint64_t answered = ct_endian_load(message->content + 16, 8);
    int64_t hold_ns = (int64_t)(answered - arrived);
    int64_t round_ns = message->arrived_ns - record->sent_ns;
    if (hold_ns < 0 || hold_ns > round_ns || message->whole_size > record->bytes) {
        ct_probe_garbage(agent, number, "answers whose times cannot be right");
        return;
    }
    record->there_ns = (int64_t)(arrived - (uint64_t)record->sent_ns);
    record->back_ns = (int64_t)((uint64_t)message->arrived_ns - answered);
    record->hold_ns = clamp_ns(hold_ns);
    record->answer_bytes = (uint32_t)message->whole_size;
    record->fate = CT_WATCH_ANSWERED;
    pending->is_settled = true;
}
