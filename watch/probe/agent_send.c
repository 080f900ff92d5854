#include "watch/probe/agent_state.h"

#include <stdarg.h>
#include <stdio.h>

static void seal_message(struct ct_probe_agent *agent, uint64_t session, enum ct_probe_type type,
                         unsigned char *bytes, size_t size)
{
    const struct ct_probe_head head = {
        .type = type, .to = session, .from = agent->settings.session, .number = ++agent->number};
    ct_probe_message_seal(bytes, size, &head, agent->settings.key);
    agent->counts.sent_bytes += size + CT_PROBE_WIRE_BYTES;
    agent->byte_tokens -= (double)(size + CT_PROBE_WIRE_BYTES);
}

void ct_probe_send(struct ct_probe_agent *agent, const struct ct_probe_address *to,
                   uint64_t session, enum ct_probe_type type, unsigned char *bytes, size_t size)
{
    seal_message(agent, session, type, bytes, size);
    agent->place.send(agent->place.state, to, bytes, size, size);
}

void ct_probe_send_burst(struct ct_probe_agent *agent, const struct ct_probe_address *to,
                         uint64_t session, enum ct_probe_type type,
                         unsigned char (*messages)[CT_PROBE_MESSAGE_MAX], size_t n)
{
    for (size_t i = 0; i < n; i++)
        seal_message(agent, session, type, messages[i], sizeof messages[i]);
    agent->place.send(agent->place.state, to, messages, n * sizeof messages[0], sizeof messages[0]);
}

void ct_probe_say(const struct ct_probe_agent *agent, bool is_warning, const char *format, ...)
{
    char text[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    agent->place.say(agent->place.state, is_warning, text);
}

void ct_probe_garbage(struct ct_probe_agent *agent, uint32_t number, const char *what)
{
    struct ct_probe_member *member = &agent->members[number];
    agent->counts.garbage++;
    if (member->is_garbage_named)
        return;
    member->is_garbage_named = true;
    if (agent->hosts)
        ct_probe_say(agent, true, "%s sends %s: these messages are left out",
                     agent->hosts[number].name, what);
    else
        ct_probe_say(agent, true, "host %u sends %s: these messages are left out", number, what);
}
