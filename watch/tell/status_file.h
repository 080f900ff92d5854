/**
 * What the answer of `crosstalk watch --format json` says of one host, or of the whole network: for
 * checks of a node's health, which must be quick, and right about what they do not know.
 */
#pragma once

#include "core/status.h"

#include <stdint.h>

enum ct_watch_verdict {
    CT_WATCH_WELL,   /**< nothing is sick there */
    CT_WATCH_SICK,   /**< a fault lasts there */
    CT_WATCH_UNSURE, /**< it is not known */
    CT_WATCH_N_VERDICTS
};

struct ct_watch_health {
    enum ct_watch_verdict verdict;
    char text[640]; /**< why, without a newline */
};

/**
 * @param json        [in]  the file's text
 * @param host        [in]  a host, whose links count, too; NULL: everything
 * @param now_unix_s  [in]  the date
 * @param age_max_s   [in]  a newest probe older than this says nothing
 * @param health_p    [out] always filled: a file that is not understood makes it unsure
 */
void ct_watch_health_read(const char *json, size_t size, const char *host, double now_unix_s,
                          double age_max_s, struct ct_watch_health *health_p);
