/**
 * A program that is started for each alarm that is raised, gets a narrower place or ends, without a
 * shell and without arguments; what happened is in its environment:
 *
 *     CROSSTALK_WATCH_EVENT     fault, place, or over
 *     CROSSTALK_WATCH_ID        number of the alarm
 *     CROSSTALK_WATCH_KIND      rate, delay, loss, flap, host, route
 *     CROSSTALK_WATCH_PLACE     leaf1 to spine0
 *     CROSSTALK_WATCH_SINCE     seconds since 1970
 *     CROSSTALK_WATCH_TEXT      the sentence of the answer
 *     CROSSTALK_WATCH_REASON    what was seen
 *
 * One at a time; others wait. What it prints goes to standard error.
 */
#pragma once

#include "core/log.h"
#include "watch/tell/events.h"

struct ct_watch_command;

/**
 * @param program    [in]  found in PATH
 * @param limit_s    [in]  after this time its process group gets SIGTERM, then SIGKILL
 * @param log        [in]  for what fails; borrowed
 * @return CT_OK; CT_ENOENT (no such program, or none that may be executed); CT_ENOMEM
 */
enum ct_status ct_watch_command_new(const char *program, double limit_s, struct ct_log *log,
                                    struct ct_watch_command **command_p, struct ct_error *err);

/** It is to be started. For ct_watch_events_next(). More than 64 that wait are dropped, with a
 * warning. */
void ct_watch_command_alarm(struct ct_watch_command *command, const struct ct_watch_state *state,
                            const struct ct_watch_alarm *alarm, enum ct_watch_event event);

/** Start what is due, say what has failed, end what takes too long. To be called every second. */
void ct_watch_command_step(struct ct_watch_command *command);

/** Run what waits, for as long as one may take; then end what runs. NULL: nothing */
void ct_watch_command_free(struct ct_watch_command *command);
