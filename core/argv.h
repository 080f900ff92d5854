/** Command lines: lists of words, and texts cut into words as a shell does it, without a shell. */
#ifndef CT_CORE_ARGV_H
#define CT_CORE_ARGV_H

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>

/** A list that grows; clear with {0}. Words are owned. */
struct ct_argv {
    char **item; /**< NULL-terminated once there is a word; NULL before */
    size_t n;
    bool failed; /**< out of memory: check once, at the end */
};

void ct_argv_add(struct ct_argv *argv, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void ct_argv_add_all(struct ct_argv *argv, char *const *list); /**< NULL-terminated */

/**
 * Append the words of a text: separated by blanks, quoted by '...' or "...", with \ before a
 * character that is to stand for itself (not within '...'). Nothing else is special: no variables,
 * no patterns.
 * @return CT_OK; CT_EINVAL (a quote is not closed); CT_ENOMEM
 */
enum ct_status ct_argv_split(struct ct_argv *argv, const char *text, struct ct_error *err);

void ct_argv_free(struct ct_argv *argv);

#endif
