/**
 * The folder of a watch: its hosts, and its samples in files of an hour. Samples of a day are kept;
 * older hours become histograms. One process writes (a lock says so), any number read.
 */
#pragma once

#include "core/status.h"
#include "watch/sample.h"
#include "watch/state.h"

struct ct_watch_reader;

/**
 * Follow the samples of a folder from its oldest, or from a time on.
 * @param from_unix_ns  [in] 0: from the oldest
 * @return CT_OK; CT_EFORMAT (no folder of a watch, another version); CT_EIO; CT_ENOMEM
 */
enum ct_status ct_watch_reader_open(const char *folder, int64_t from_unix_ns,
                                    struct ct_watch_reader **reader_p, struct ct_error *err);
void ct_watch_reader_close(struct ct_watch_reader *reader);

/**
 * Read what has come since the last call, in the order of time for each asking host.
 * @param samples  [out] at most room
 * @param n_p      [out] how many, on error, too; 0 with CT_OK: nothing new now
 * @return CT_OK; CT_EFORMAT (damaged: names file and place; the reader goes on behind it); CT_EIO
 */
enum ct_status ct_watch_reader_next(struct ct_watch_reader *reader, struct ct_watch_sample *samples,
                                    size_t room, size_t *n_p, struct ct_error *err);

/** The hosts as known now. Borrowed until the next call with this reader. */
const struct ct_watch_host *ct_watch_reader_hosts(struct ct_watch_reader *reader, size_t *n_p);
