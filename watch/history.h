/**
 * What is kept of hours that are older than a day: counts and histograms of round trips, by pair of
 * hosts, or by asking host in watches of more than CT_WATCH_PAIRS_HOSTS hosts. history.ctw becomes
 * history-old.ctw at CT_WATCH_HISTORY_BYTES_MAX, in the place of the one before.
 *
 * Bins are log-linear, eight to an octave, in nanoseconds: below 8 ns one each; bin b >= 8 begins
 * at (8 + b % 8) 2^(b / 8 - 1) ns, so that its width is at most an eighth of the value.
 */
#pragma once

#include "watch/store_block.h"

enum { CT_WATCH_BINS = 8 * 62, CT_WATCH_PAIRS_HOSTS = 64, CT_WATCH_HISTORY_BYTES_MAX = 64 << 20 };

/** @param s  [in] any number; below 0 or NaN: bin 0 */
uint32_t ct_watch_history_bin(double s);
/** Where a bin begins, seconds. @param bin  [in] any; beyond the last one: that of the last one */
double ct_watch_history_from_s(uint32_t bin);

/** A row of an hour; `count` has n_bins pairs of a bin and its number of round trips. */
struct ct_watch_history_row {
    int64_t hour;      /**< since 1970 */
    uint32_t from, to; /**< to: UINT32_MAX where all are together */
    bool is_large;
    uint32_t answered, lost, skipped;
    uint32_t n_bins;
    const unsigned char *count; /**< as in the file: 4 bytes of the bin, 4 of its number */
};

/**
 * Add a file of samples to the history. Damaged blocks are left out.
 * @return CT_OK; CT_EIO (nothing was added); CT_ENOMEM
 */
enum ct_status ct_watch_history_add(const char *folder, struct ct_watch_file file,
                                    struct ct_error *err);

/**
 * Call a function for each row of a block.
 * @return false: the content is not as it must be; rows before that were given
 */
bool ct_watch_history_rows(const unsigned char *content, const struct ct_watch_block *block,
                           void (*take)(void *taker, const struct ct_watch_history_row *row),
                           void *taker);

/**
 * The same for all of a folder, oldest first.
 * @return CT_OK, also where there is no history yet; CT_EFORMAT (damaged: the rest is not read);
 *         CT_EIO; CT_ENOMEM
 */
enum ct_status ct_watch_history_read(const char *folder,
                                     void (*take)(void *taker,
                                                  const struct ct_watch_history_row *row),
                                     void *taker, struct ct_error *err);
