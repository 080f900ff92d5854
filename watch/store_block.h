/**
 * Blocks of the files of a watch. A file is a row of blocks, each complete by itself: a head of
 * CT_WATCH_HEAD_BYTES (magic, type, number of records, bytes of content, a label, and the FNV-1a of
 * all of the block but itself), then records of fixed size, or histograms. All numbers are
 * little-endian.
 */
#pragma once

#include "core/status.h"
#include "watch/sample.h"
#include "watch/state.h"

enum {
    CT_WATCH_HEAD_BYTES = 40,
    CT_WATCH_SAMPLE_BYTES = 48,
    CT_WATCH_HOST_BYTES = 128,
    CT_WATCH_CONTENT_MAX = 1 << 20,
    CT_WATCH_HOSTS_MAX = 1 << 12,
    CT_WATCH_PATH_MAX = 4096
};

enum ct_watch_block_type { CT_WATCH_SAMPLES = 1, CT_WATCH_HOSTS, CT_WATCH_HISTORY };

struct ct_watch_block {
    enum ct_watch_block_type type;
    uint32_t n;     /**< records */
    uint32_t bytes; /**< of the content */
    int64_t label;  /**< hour since 1970 */
};

/** How bytes look that may be a block. */
enum ct_watch_look { CT_WATCH_WHOLE, CT_WATCH_CUT /**< more bytes are needed */, CT_WATCH_DAMAGED };

/**
 * @param block_p  [out] set where the head is possible
 * @return WHOLE only where the sum is right and the content has the size of its records
 */
enum ct_watch_look ct_watch_block_look(const unsigned char *bytes, size_t size,
                                       struct ct_watch_block *block_p);

/** Write the head in front of content that is there already: bytes + CT_WATCH_HEAD_BYTES. */
void ct_watch_block_seal(unsigned char *bytes, const struct ct_watch_block *block);

void ct_watch_sample_store(unsigned char *to, const struct ct_watch_sample *sample);
/** @return false: no sample can be like that */
bool ct_watch_sample_load(const unsigned char *from, struct ct_watch_sample *sample_p);

void ct_watch_host_store(unsigned char *to, const struct ct_watch_host *host);
/** The name ends in NUL, and has no control characters. */
void ct_watch_host_load(const unsigned char *from, struct ct_watch_host *host_p);

/** A file of samples: its number, which grows from file to file, and the hour in its name. */
struct ct_watch_file {
    uint64_t number;
    int64_t hour; /**< since 1970 */
};

/** "FOLDER/samples-NUMBER-HOUR.ctw" */
void ct_watch_file_path(const char *folder, struct ct_watch_file file,
                        char path[CT_WATCH_PATH_MAX]);

/**
 * The files of samples, by their numbers.
 * @param files_p  [out] free()
 * @return CT_OK; CT_EIO; CT_ENOMEM
 */
enum ct_status ct_watch_files_list(const char *folder, struct ct_watch_file **files_p, size_t *n_p,
                                   struct ct_error *err);

/**
 * Read the table of hosts.
 * @param hosts_p  [out] free(); unchanged on error
 * @return CT_OK; CT_ENOENT (none yet); CT_EFORMAT; CT_EIO; CT_ENOMEM
 */
enum ct_status ct_watch_hosts_read(const char *folder, struct ct_watch_host **hosts_p, size_t *n_p,
                                   struct ct_error *err);
