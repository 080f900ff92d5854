/** A command with subcommands, such as crosstalk itself and crosstalk lab. */
#pragma once

#include "core/option.h"

enum { CT_FAMILY_MAX = 32 };

/** A command of earlier versions. */
struct ct_former_command {
    const char *name, *successor; /**< what to give in its place */
    const char *words[4]; /**< that stand for it, the first a member's name; NULL-terminated */
};

struct ct_family {
    const char *name;                  /**< "crosstalk lab" */
    const char *summary;               /**< one line, lower case, no full stop */
    const char *operands;              /**< after COMMAND in the usage line */
    const char *notes;                 /**< paragraph after the list of commands */
    const char *(*group_of)(size_t i); /**< heading above a member, of which consecutive ones have
                                            the same; NULL: all are commands */
    const char *const *examples;       /**< pairs: command line, what it does; NULL-terminated */
    const char *const *environment;    /**< pairs: variable, meaning; NULL-terminated; NULL: none */
    const char *const *see_also;       /**< NULL-terminated or NULL */
    const char *exit_note;             /**< added to the exit codes; "" for none */
    const struct ct_former_command *former; /**< ends with a row without name; NULL: none */
    size_t n_members;
    const struct ct_command *(*member)(size_t i); /**< selected by the last word of its name */
    int (*run)(size_t i, int argc, char **argv); /**< argv[0] is that word; returns the exit code */
};

/** Run the member that argv[1] names; prints the text of --help, --version and --man. */
int ct_family_main(const struct ct_family *family, int argc, char **argv);
