/** Completion of command lines by bash, from the option tables: rows of a case statement that
 * packaging/completion.bash holds, printed by every program and command with --completion. */
#ifndef CT_CORE_COMPLETION_H
#define CT_CORE_COMPLETION_H

#include "core/option.h"

/**
 * Rows of a command: its options, what each takes as an argument (choices, or files where the
 * argument's name says FILE or DIR).
 *
 *     'crosstalk lab up') words='--hosts --rate --queue --help --version' ;;
 *     'crosstalk lab up --queue') words='round-robin fifo' ;;
 *     'crosstalk lab up --rate') words='' ;;
 *     'impactb --output') files=1 ;;
 */
void ct_command_completion(const struct ct_command *command, FILE *out);

/** The row of a command that only has commands: what comes next. */
void ct_completion_words(const char *name, const char *const *words, size_t n_words, FILE *out);

#endif
