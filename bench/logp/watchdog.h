/**
 * A deadline for blocking MPI calls. They cannot be given one, and polling instead would change
 * what is measured; so a timer looks once a second whether messages still move, and ends the
 * process with a message and exit code 1 where none has for too long. The launcher then ends the
 * other ranks.
 */
#ifndef CT_BENCH_LOGP_WATCHDOG_H
#define CT_BENCH_LOGP_WATCHDOG_H

/** @param deadline_s  [in] rounded up to whole seconds, at least 2 */
void ct_watchdog_start(double deadline_s);

/** A message moved. Cheap enough for a timed loop. */
void ct_watchdog_feed(void);

void ct_watchdog_stop(void);

#endif
