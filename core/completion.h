/**
 * Completion of command lines in bash, from the option tables. With --completion every program and
 * command prints rows for the case statement in packaging/completion.bash.
 */
#pragma once

#include "core/option.h"

/**
 * Print the rows of a command: its options, and the arguments that each takes: the choices, or file
 * names if the argument is called FILE or DIR in --help.
 *
 *     'crosstalk lab up') words='--hosts --rate --queue --help --version' ;;
 *     'crosstalk lab up --queue') words='round-robin fifo' ;;
 *     'crosstalk lab up --rate') words='' ;;
 *     'impactb --output') files=1 ;;
 */
void ct_command_completion(const struct ct_command *command, FILE *out);

/**
 * Print the row of a command that has subcommands.
 * @param words  [in] n_words, the subcommands
 */
void ct_completion_words(const char *name, const char *const *words, size_t n_words, FILE *out);
