/**
 * Latency that is added to messages: one for all, or one for each ordered pair of ranks, as a text
 * with a row for each sender:
 *
 *     # from rank 0, 1, 2 to rank 0, 1, 2
 *     -     50us  1ms
 *     50us  -     1ms
 *     1ms   1ms   -
 *
 * Entries are durations with a unit, separated by blanks; "-" is allowed on the diagonal only. The
 * diagonal may have durations too, which are not used, since messages of a rank to itself do not
 * leave it. A # begins a comment.
 */
#pragma once

#include "core/status.h"

#include <stddef.h>
#include <stdint.h>

/** The number of a rank is sent in eight bits of the tag of each message. */
enum { CT_DELAY_RANKS_MAX = 256 };
/** Largest latency that can be added. */
#define CT_DELAY_LATENCY_MAX_S 10.0

struct ct_delay_latency {
    int64_t uniform_ns; /**< of all pairs if there is no matrix */
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

/**
 * Read a matrix from a file.
 * @return as ct_delay_matrix_parse(); CT_ENOENT; CT_EIO
 */
enum ct_status ct_delay_matrix_read(const char *path, struct ct_delay_latency *latency_p,
                                    struct ct_error *err);

/** Latency from one rank to another, nanoseconds; with a matrix, ranks are below n_ranks. */
int64_t ct_delay_latency_ns(const struct ct_delay_latency *latency, size_t from, size_t to);

/** The smallest latency of any pair that is not 0; 0: all are 0. */
int64_t ct_delay_latency_least_ns(const struct ct_delay_latency *latency);
