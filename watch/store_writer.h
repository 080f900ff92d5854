/**
 * The one process that writes into the folder of a watch (store.h): samples in files of an hour,
 * the table of hosts, and history.ctw with histograms of the hours that are older than a day. The
 * memory and the size of the folder are bounded.
 */
#pragma once

#include "core/status.h"
#include "watch/sample.h"
#include "watch/state.h"

#include <stdbool.h>

struct ct_watch_writer;

/**
 * Make the folder if it is not there, and lock it.
 * @param bytes_max  [in]  of all files of samples; beyond it the oldest hours become histograms
 *                         before a day is over; >= 1 MiB
 * @return CT_OK; CT_EEXIST (another process writes there: names it); CT_EFORMAT (a damaged table of
 *         hosts); CT_EIO; CT_ENOMEM
 */
enum ct_status ct_watch_writer_open(const char *folder, uint64_t bytes_max,
                                    struct ct_watch_writer **writer_p, struct ct_error *err);

/** Write what is left, and unlock. @return as ct_watch_writer_flush(); the writer is gone anyway */
enum ct_status ct_watch_writer_close(struct ct_watch_writer *writer, struct ct_error *err);

/** The hosts that the folder had when it was opened. Borrowed. */
const struct ct_watch_host *ct_watch_writer_hosts(const struct ct_watch_writer *writer,
                                                  size_t *n_p);

/** Keep a sample for the next flush. @return false: the buffer is full, since nothing can be
 * written; the sample is counted as dropped */
bool ct_watch_writer_add(struct ct_watch_writer *writer, const struct ct_watch_sample *sample);

/**
 * Write the samples so far to their file. After an error they are kept, and tried again next time.
 * @return CT_OK; CT_EIO (such as a full disk; says how many samples wait and were dropped);
 *         CT_ENOMEM
 */
enum ct_status ct_watch_writer_flush(struct ct_watch_writer *writer, struct ct_error *err);

/** Replace the table of hosts. @return CT_OK; CT_EIO; CT_ENOMEM */
enum ct_status ct_watch_writer_save_hosts(struct ct_watch_writer *writer,
                                          const struct ct_watch_host *hosts, size_t n_hosts,
                                          struct ct_error *err);
