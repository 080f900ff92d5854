/* Records on their way to the collector, each until it is confirmed; there they become samples. */
#include "core/endian.h"
#include "watch/probe/agent_state.h"

#include <math.h>

enum {
    REPORT_HEAD_BYTES = 24,
    IN_REPORT =
        (CT_PROBE_MESSAGE_MAX - CT_PROBE_FRAME_BYTES - REPORT_HEAD_BYTES) / CT_PROBE_RECORD_BYTES,
    CLOCK_BYTES_MAX = 4096 /* larger messages do not show when they were sent */
};
static const double report_s = 1.0;
static const int64_t longest_ns = INT64_C(10000000000); /* of a round trip that can be */

/* ---- a host ---- */

static void store_record(unsigned char *to, const struct ct_probe_record *record)
{
    ct_endian_store(to, (uint64_t)record->sent_ns, 8);
    const uint64_t numbers[] = {record->to, record->bytes, record->answer_bytes, record->fate};
    for (size_t i = 0; i < 4; i++)
        ct_endian_store(to + 8 + 4 * i, numbers[i], 4);
    ct_endian_store(to + 24, (uint64_t)record->there_ns, 8);
    ct_endian_store(to + 32, (uint64_t)record->back_ns, 8);
    ct_endian_store(to + 40, record->hold_ns, 4);
    ct_endian_store(to + 44, record->late_ns, 4);
}

static void send_report(struct ct_probe_agent *agent)
{
    unsigned char bytes[CT_PROBE_MESSAGE_MAX] = {0}, *content = bytes + CT_PROBE_HEAD_BYTES;
    uint64_t n = agent->end_record - agent->first_record;
    if (n > IN_REPORT)
        n = IN_REPORT;
    ct_endian_store(content, (uint64_t)agent->place.now_ns(agent->place.state), 8);
    ct_endian_store(content + 8, agent->first_record, 8);
    ct_endian_store(content + 16, n, 8);
    for (uint64_t i = 0; i < n; i++)
        store_record(content + REPORT_HEAD_BYTES + i * CT_PROBE_RECORD_BYTES,
                     &agent->outbox[(agent->first_record + i) % CT_PROBE_OUTBOX]);
    ct_probe_send(agent, &agent->collector, agent->collector_session, CT_PROBE_REPORT, bytes,
                  CT_PROBE_FRAME_BYTES + REPORT_HEAD_BYTES + (size_t)n * CT_PROBE_RECORD_BYTES);
}

void ct_probe_reports_send(struct ct_probe_agent *agent, int64_t now_ns)
{
    if (now_ns < agent->next_report_ns)
        return;
    agent->next_report_ns = now_ns + ct_probe_ns(report_s);
    if (agent->collector_session != 0 && agent->self < agent->n_members &&
        agent->end_record > agent->first_record)
        send_report(agent);
}

void ct_probe_reports_confirm(struct ct_probe_agent *agent, const struct ct_probe_message *message)
{
    uint64_t next = message->size >= 8 ? ct_endian_load(message->content, 8) : 0;
    if (next <= agent->first_record || next > agent->end_record)
        return;
    agent->first_record = next;
    if (agent->end_record - agent->first_record >= IN_REPORT)
        send_report(agent);
}

/* ---- the collector ---- */

static bool load_record(const unsigned char *from, struct ct_probe_record *record)
{
    *record = (struct ct_probe_record){.sent_ns = (int64_t)ct_endian_load(from, 8),
                                       .to = ct_endian_load_u32(from + 8),
                                       .bytes = ct_endian_load_u32(from + 12),
                                       .answer_bytes = ct_endian_load_u32(from + 16),
                                       .fate = from[20],
                                       .there_ns = (int64_t)ct_endian_load(from + 24, 8),
                                       .back_ns = (int64_t)ct_endian_load(from + 32, 8),
                                       .hold_ns = ct_endian_load_u32(from + 40),
                                       .late_ns = ct_endian_load_u32(from + 44)};
    const int64_t far_ns = INT64_C(1) << 61;
    int64_t round_ns = (int64_t)((uint64_t)record->there_ns + (uint64_t)record->back_ns);
    return record->fate <= CT_WATCH_SKIPPED && record->answer_bytes <= record->bytes &&
           record->sent_ns > -far_ns && record->sent_ns < far_ns && record->there_ns > -far_ns &&
           record->there_ns < far_ns && round_ns >= 0 && round_ns <= longest_ns;
}

/* Of a host, in the order of time; the date may have been set back. */
static int64_t date_of(struct ct_probe_agent *agent, uint32_t number, int64_t time_ns)
{
    struct ct_probe_member *member = &agent->members[number];
    int64_t unix_ns = time_ns + agent->unix_base_ns;
    if (unix_ns < member->last_unix_ns)
        unix_ns = member->last_unix_ns;
    member->last_unix_ns = unix_ns;
    return unix_ns > 0 ? unix_ns : 0;
}

static void count_record(struct ct_probe_agent *agent, uint32_t number,
                         const struct ct_probe_record *record, int64_t unix_ns)
{
    struct ct_watch_host *host = &agent->hosts[number];
    host->sent += record->fate != CT_WATCH_SKIPPED;
    host->answered += record->fate == CT_WATCH_ANSWERED;
    host->lost += record->fate == CT_WATCH_LOST;
    host->skipped += record->fate == CT_WATCH_SKIPPED;
    if (record->fate == CT_WATCH_ANSWERED)
        agent->hosts[record->to].seen_unix_ns = unix_ns;
}

void ct_probe_reports_collect(struct ct_probe_agent *agent, uint32_t number,
                              const struct ct_probe_record *record)
{
    int64_t time_ns = ct_probe_offsets_time(agent->offsets, number, record->sent_ns);
    struct ct_watch_sample sample = {.unix_ns = date_of(agent, number, time_ns),
                                     .from = number,
                                     .to = record->to,
                                     .bytes = record->bytes,
                                     .answer_bytes = record->answer_bytes,
                                     .fate = record->fate,
                                     .round_s = NAN,
                                     .there_s = NAN,
                                     .back_s = NAN,
                                     .hold_s = NAN,
                                     .late_s = 1e-9F * (float)record->late_ns};
    if (record->fate == CT_WATCH_ANSWERED) {
        sample.round_s = (float)(1e-9 * (double)(record->there_ns + record->back_ns));
        sample.hold_s = 1e-9F * (float)record->hold_ns;
        if (record->bytes < CLOCK_BYTES_MAX)
            ct_probe_offsets_add(agent->offsets, number, record->to, record->sent_ns,
                                 record->there_ns, record->back_ns);
        if (ct_probe_offsets_line(agent->offsets, number).is_known &&
            ct_probe_offsets_line(agent->offsets, record->to).is_known) {
            double apart = ct_probe_offsets_at(agent->offsets, record->to, time_ns) -
                           ct_probe_offsets_at(agent->offsets, number, time_ns);
            sample.there_s = (float)(1e-9 * ((double)record->there_ns - apart));
            sample.back_s = (float)(1e-9 * ((double)record->back_ns + apart));
        }
    }
    count_record(agent, number, record, sample.unix_ns);
    agent->place.take(agent->place.state, &sample);
}

static bool has_guess(struct ct_probe_agent *agent, uint32_t number,
                      const struct ct_probe_message *message)
{
    struct ct_probe_member *member = &agent->members[number];
    if (member->next_record != 0)
        return true;
    int64_t shown_ns = (int64_t)ct_endian_load(message->content, 8);
    const int64_t far_ns = INT64_C(1) << 60;
    if (shown_ns < -far_ns || shown_ns > far_ns)
        return false;
    return ct_probe_offsets_reset(agent->offsets, number, shown_ns - message->arrived_ns);
}

void ct_probe_reports_take(struct ct_probe_agent *agent, uint32_t number,
                           const struct ct_probe_message *message)
{
    if (message->size < REPORT_HEAD_BYTES) {
        ct_probe_garbage(agent, number, "reports that are too short");
        return;
    }
    struct ct_probe_member *member = &agent->members[number];
    uint64_t first = ct_endian_load(message->content + 8, 8);
    uint64_t n = ct_endian_load(message->content + 16, 8);
    if (first == 0 || first > UINT64_MAX / 2 || n > IN_REPORT ||
        message->size < REPORT_HEAD_BYTES + n * CT_PROBE_RECORD_BYTES ||
        !has_guess(agent, number, message)) {
        ct_probe_garbage(agent, number, "reports that cannot be right");
        return;
    }
    for (uint64_t i = 0; i < n; i++) {
        struct ct_probe_record record;
        if (first + i < member->next_record)
            continue;
        if (load_record(message->content + REPORT_HEAD_BYTES + i * CT_PROBE_RECORD_BYTES,
                        &record) &&
            record.to < agent->n_members && record.to != number)
            ct_probe_reports_collect(agent, number, &record);
        else
            ct_probe_garbage(agent, number, "records that cannot be right");
        member->next_record = first + i + 1;
    }
    unsigned char bytes[CT_PROBE_FRAME_BYTES + 8] = {0};
    ct_endian_store(bytes + CT_PROBE_HEAD_BYTES, member->next_record, 8);
    ct_probe_send(agent, message->from, message->head.from, CT_PROBE_REPORTED, bytes, sizeof bytes);
}
