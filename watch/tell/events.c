#include "watch/tell/events.h"

#include "core/array.h"

#include <stdlib.h>

const char *const ct_watch_event_names[] = {"fault", "place", "over"};

static const struct ct_watch_alarm *find_alarm(const struct ct_watch_state *state, uint64_t id)
{
    for (size_t i = 0; i < state->n_alarms; i++)
        if (state->alarms[i].id == id)
            return &state->alarms[i];
    return NULL;
}

static bool is_told(const struct ct_watch_events *events, const struct ct_watch_alarm *alarm)
{
    bool lasts = false;
    for (size_t i = 0; i < events->n_lasting; i++)
        lasts |= events->lasting[i].id == alarm->id;
    return alarm->id <= events->newest_id && (lasts || alarm->ended_unix_ns != 0);
}

/* Narrower places, and ends. Those that are forgotten have ended long ago. */
static void tell_changes(struct ct_watch_events *events, const struct ct_watch_state *state,
                         ct_watch_event_taker *take, void *taker)
{
    size_t n = 0;
    for (size_t i = 0; i < events->n_lasting; i++) {
        struct ct_watch_lasting lasting = events->lasting[i];
        const struct ct_watch_alarm *alarm = find_alarm(state, lasting.id);
        if (alarm && alarm->narrowed_unix_ns > lasting.narrowed_unix_ns) {
            lasting.narrowed_unix_ns = alarm->narrowed_unix_ns;
            take(taker, state, alarm, CT_WATCH_NARROWED);
        }
        if (alarm && alarm->ended_unix_ns == 0)
            events->lasting[n++] = lasting;
        else if (alarm && alarm->ended_unix_ns > events->told_unix_ns)
            take(taker, state, alarm, CT_WATCH_OVER);
    }
    events->n_lasting = n;
}

enum ct_status ct_watch_events_next(struct ct_watch_events *events,
                                    const struct ct_watch_state *state, ct_watch_event_taker *take,
                                    void *taker, struct ct_error *err)
{
    for (size_t i = state->n_alarms; i-- > 0;) { /* the oldest first */
        const struct ct_watch_alarm *alarm = &state->alarms[i];
        if (is_told(events, alarm))
            continue;
        if (!CT_ARRAY_RESERVE(events->lasting, events->room, events->n_lasting + 1))
            return ct_no_memory(err, "alarms that last");
        bool is_new = alarm->raised_unix_ns > events->told_unix_ns;
        events->lasting[events->n_lasting++] = (struct ct_watch_lasting){
            alarm->id, is_new ? alarm->narrowed_unix_ns : events->told_unix_ns};
        events->newest_id = alarm->id > events->newest_id ? alarm->id : events->newest_id;
        if (is_new)
            take(taker, state, alarm, CT_WATCH_FAULT);
    }
    tell_changes(events, state, take, taker);
    events->told_unix_ns = 0; /* what comes now is new, also where the date was set back */
    return CT_OK;
}

void ct_watch_events_free(struct ct_watch_events *events)
{
    free(events->lasting);
    *events = (struct ct_watch_events){0};
}
