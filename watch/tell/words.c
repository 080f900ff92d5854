#include "watch/tell/words.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *end_name(const struct ct_topology *topology, uint32_t direction, bool far)
{
    return ct_topology_name(topology,
                            topology->links[direction / 2].end[(direction % 2 == 0) == far]);
}

void ct_watch_place(const struct ct_watch_state *state, const struct ct_watch_alarm *alarm,
                    char text[CT_WATCH_PLACE_MAX])
{
    size_t used = 0;
    if (alarm->host != UINT32_MAX) {
        snprintf(text, CT_WATCH_PLACE_MAX, "%s", state->hosts[alarm->host].name);
        return;
    }
    snprintf(text, CT_WATCH_PLACE_MAX, "more than %d links", CT_WATCH_SUSPECTS_MAX);
    for (uint32_t i = 0; i < alarm->n_suspects && used < CT_WATCH_PLACE_MAX; i++)
        used += (size_t)snprintf(text + used, CT_WATCH_PLACE_MAX - used, "%s%s to %s",
                                 i > 0 ? " or " : "",
                                 end_name(state->topology, alarm->suspects[i], false),
                                 end_name(state->topology, alarm->suspects[i], true));
}

void ct_watch_size(const struct ct_watch_alarm *alarm, char text[CT_WATCH_SIZE_MAX])
{
    bool is_time = alarm->kind == CT_WATCH_DELAY || alarm->kind == CT_WATCH_ROUTE;
    double unit = is_time ? 1e-6 : 0.01;
    if (isnan(alarm->size))
        snprintf(text, CT_WATCH_SIZE_MAX, "not known");
    else
        snprintf(text, CT_WATCH_SIZE_MAX, "%.3g%s [%.3g, %.3g]", alarm->size / unit,
                 is_time ? " us" : " %", alarm->low / unit, alarm->high / unit);
}

static const struct {
    const char *what, *how_much; /* "%s": the size, with its interval */
} forms[] = {
    [CT_WATCH_RATE] = {"carries less than it did", ", by %s"},
    [CT_WATCH_DELAY] = {"takes longer than it did", ", by %s"},
    [CT_WATCH_LOSS] = {"loses messages", ": %s"},
    [CT_WATCH_FLAP] = {"is down for moments", ""},
    [CT_WATCH_HOST] = {"sends and answers late: the host is slow, not its link", ""},
    [CT_WATCH_ROUTE] = {"is passed by messages to one host that take longer: is it another way "
                        "than the topology has?",
                        " (longer by %s)"}};

void ct_watch_sentence(const struct ct_watch_state *state, const struct ct_watch_alarm *alarm,
                       char *text, size_t room)
{
    char place[CT_WATCH_PLACE_MAX], size[CT_WATCH_SIZE_MAX];
    const char *form = forms[alarm->kind].how_much, *at = strstr(form, "%s");
    ct_watch_place(state, alarm, place);
    ct_watch_size(alarm, size);
    if (at && !isnan(alarm->size))
        snprintf(text, room, "%s %s%.*s%s%s", place, forms[alarm->kind].what, (int)(at - form),
                 form, size, at + 2);
    else
        snprintf(text, room, "%s %s", place, forms[alarm->kind].what);
}
