/**
 * Command lines as lists of words; splits a text into words by the rules of a shell, without a
 * shell.
 */
#pragma once

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>

/** A list that grows; clear with {0}. Words are owned. */
struct ct_argv {
    char **item; /**< NULL-terminated once there is a word; NULL before */
    size_t n;
    bool failed; /**< out of memory: check once, at the end */
};

/** Append a word, formatted as by printf(). */
void ct_argv_add(struct ct_argv *argv, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/** Append copies of all words of a list. @param list  [in] NULL-terminated */
void ct_argv_add_all(struct ct_argv *argv, char *const *list);

/** Whether a word is there. */
bool ct_argv_has(const struct ct_argv *argv, const char *word);

/**
 * Append the words of a text. Blanks separate words. '...' and "..." quote; outside '...' a \ makes
 * the next character literal. Variables and patterns are not expanded.
 * @return CT_OK; CT_EINVAL (a quote is not closed); CT_ENOMEM
 */
enum ct_status ct_argv_split(struct ct_argv *argv, const char *text, struct ct_error *err);

void ct_argv_free(struct ct_argv *argv);
