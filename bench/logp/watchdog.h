/**
 * A deadline for blocking MPI calls, which have none of their own; polling would change the
 * measured times. A timer checks once a second whether there were messages. If there was none for
 * too long, it ends the process with a message and exit code 1. The launcher then ends the other
 * ranks.
 */
#pragma once

/** @param deadline_s  [in] rounded up to whole seconds, at least 2 */
void ct_watchdog_start(double deadline_s);

/** Note that there was a message. Cheap enough for a timed loop. */
void ct_watchdog_feed(void);

void ct_watchdog_stop(void);
