/** What happened between two states of a watch: alarms begin and end; one that flaps does again. */
#pragma once

#include "core/status.h"
#include "watch/state.h"

struct ct_watch_events {
    int64_t told_unix_ns; /**< what happened until then is known: another process has said it;
                             of the first state alone */
    uint64_t newest_id;
    uint64_t *lasting; /**< [n_lasting] of room: ids of alarms whose end is to come */
    size_t n_lasting, room;
};

/** @param is_end  [in] the alarm has ended; else it was raised */
typedef void ct_watch_event_taker(void *taker, const struct ct_watch_state *state,
                                  const struct ct_watch_alarm *alarm, bool is_end);

/**
 * Call a function for what is new, in its order.
 * @param events  [in,out] {0} at first, or with told_unix_ns; ct_watch_events_free()
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_watch_events_next(struct ct_watch_events *events,
                                    const struct ct_watch_state *state, ct_watch_event_taker *take,
                                    void *taker, struct ct_error *err);
void ct_watch_events_free(struct ct_watch_events *events);
