/** What happened between two states of a watch: alarms begin, get a narrower place and end; one
 * that flaps begins again. */
#pragma once

#include "core/status.h"
#include "watch/state.h"

enum ct_watch_event { CT_WATCH_FAULT, CT_WATCH_NARROWED, CT_WATCH_OVER };
extern const char *const ct_watch_event_names[]; /**< fault, place, over */

struct ct_watch_lasting {
    uint64_t id;
    int64_t narrowed_unix_ns; /**< as it was reported last */
};

struct ct_watch_events {
    int64_t told_unix_ns; /**< what happened until then is known: another process has said it;
                             of the first state alone */
    uint64_t newest_id;
    struct ct_watch_lasting *lasting; /**< [n_lasting] of room: alarms whose end is to come */
    size_t n_lasting, room;
};

typedef void ct_watch_event_taker(void *taker, const struct ct_watch_state *state,
                                  const struct ct_watch_alarm *alarm, enum ct_watch_event event);

/**
 * Call a function for what is new, in its order.
 * @param events  [in,out] {0} at first, or with told_unix_ns; ct_watch_events_free()
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_watch_events_next(struct ct_watch_events *events,
                                    const struct ct_watch_state *state, ct_watch_event_taker *take,
                                    void *taker, struct ct_error *err);
void ct_watch_events_free(struct ct_watch_events *events);
