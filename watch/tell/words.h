/** Alarms in words, for the answer, the journal, the metrics and the commands that alarms run. */
#pragma once

#include "watch/state.h"

#include <stddef.h>

enum { CT_WATCH_PLACE_MAX = 256, CT_WATCH_SIZE_MAX = 64 };

/** "leaf0 to spine0 or spine0 to leaf2"; the name of a host; "more than 4 links". */
void ct_watch_place(const struct ct_watch_state *state, const struct ct_watch_alarm *alarm,
                    char text[CT_WATCH_PLACE_MAX]);

/** "1.2 % [0.6, 2.2]", "12 us [9, 15]", "not known". */
void ct_watch_size(const struct ct_watch_alarm *alarm, char text[CT_WATCH_SIZE_MAX]);

/** "leaf0 to spine0 loses messages: 1.2 % [0.6, 2.2]" */
void ct_watch_sentence(const struct ct_watch_state *state, const struct ct_watch_alarm *alarm,
                       char *text, size_t room);
