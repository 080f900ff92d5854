/**
 * How much later messages arrive: one latency for all, or one for each ordered pair of ranks, as a
 * text with a row for each sender:
 *
 *     # from rank 0, 1, 2 to rank 0, 1, 2
 *     -     50us  1ms
 *     50us  -     1ms
 *     1ms   1ms   -
 *
 * Entries are durations with a unit, separated by blanks; "-" is for the diagonal only, which may
 * have a duration, too: messages of a rank to itself do not leave it. What follows a # is a
 * comment.
 */
#ifndef CT_DELAY_LATENCY_H
#define CT_DELAY_LATENCY_H

#include "core/status.h"

#include <stddef.h>
#include <stdint.h>

/** The number of a rank travels in eight bits of the tag of each message. */
enum { CT_DELAY_RANKS_MAX = 256 };
/** Largest latency that can be added. */
#define CT_DELAY_LATENCY_MAX_S 10.0

struct ct_delay_latency {
    int64_t uniform_ns; /**< of all pairs where there is no matrix */
    size_t n_ranks;     /**< of the matrix; 0: there is none */
    int64_t *matrix_ns; /**< n_ranks x n_ranks, row: sender; owned; NULL: none */
};

/** @return CT_OK; CT_EINVAL: negative, above CT_DELAY_LATENCY_MAX_S or NaN */
enum ct_status ct_delay_latency_check(double latency_s, struct ct_error *err);

/**
 * Read a matrix.
 * @param text       [in]  size bytes; need not end with a NUL
 * @param name       [in]  of the file, for messages, which are "NAME:LINE: why"
 * @param latency_p  [out] its matrix is set, to be freed by the caller; unchanged on error
 * @return CT_OK; CT_EFORMAT; CT_ENOMEM
 */
enum ct_status ct_delay_matrix_parse(const char *text, size_t size, const char *name,
                                     struct ct_delay_latency *latency_p, struct ct_error *err);

/** Of a file. @return CT_OK; CT_ENOENT; CT_EIO; as above */
enum ct_status ct_delay_matrix_read(const char *path, struct ct_delay_latency *latency_p,
                                    struct ct_error *err);

/** From one rank to another, nanoseconds; ranks below n_ranks where there is a matrix. */
int64_t ct_delay_latency_ns(const struct ct_delay_latency *latency, size_t from, size_t to);

/** The smallest that is not 0, of any pair; 0: all are. */
int64_t ct_delay_latency_least_ns(const struct ct_delay_latency *latency);

#endif
