/**
 * The journal of a watch: a file of JSON lines, to which one is added for each alarm that is
 * raised, gets a narrower place or ends, and for each thing that the watch begins or ceases not to
 * know.
 *
 *     {"time": "2026-11-29T01:44:36Z", "unix_ns": 1795916676000000000, "event": "fault", "id": 1,
 *      "kind": "loss", "place": "leaf1 to spine0", "since": "2026-11-29T01:44:35Z", "size": 0.902,
 *      "low": 0.886, "high": 0.916, "log_evidence": 17.2, "reason": "messages are lost (...)"}
 *
 * on one line. Events are fault, place and over (of an alarm), unknown and known (with "what").
 * Times are those of the probes.
 */
#pragma once

#include "core/status.h"
#include "watch/tell/events.h"

struct ct_watch_journal;

/**
 * Open a file at its end, or make it. A last line that is not whole is removed.
 * @param told_p  [out] unix_ns of its newest alarm; 0: none
 * @return CT_OK; CT_EEXIST (another process writes it); CT_EFORMAT (its last line is not whole, and
 *         not that of a journal); CT_EIO; CT_ENOMEM
 */
enum ct_status ct_watch_journal_open(const char *path, struct ct_watch_journal **journal_p,
                                     int64_t *told_p, struct ct_error *err);

/** Write what is left. @return as ct_watch_journal_flush(); the journal is gone anyway */
enum ct_status ct_watch_journal_close(struct ct_watch_journal *journal, struct ct_error *err);

/** For ct_watch_events_next(). */
void ct_watch_journal_alarm(struct ct_watch_journal *journal, const struct ct_watch_state *state,
                            const struct ct_watch_alarm *alarm, enum ct_watch_event event);

/** What the state does not know, and the last one did, or the other way round. Sentences that
 * differ in numbers only are the same. */
void ct_watch_journal_unknown(struct ct_watch_journal *journal, const struct ct_watch_state *state);

/**
 * Write the lines so far to the disk. What cannot be written waits, up to 1 MiB.
 * @return CT_OK; CT_EIO (such as a full disk; says how many lines were dropped)
 */
enum ct_status ct_watch_journal_flush(struct ct_watch_journal *journal, struct ct_error *err);
