/**
 * Options of a command as one table: parsing, --help, the man page and the provenance lines all
 * come from the same rows.
 *
 *     struct values { double time_s; bool loop; };
 *     static const struct ct_option options[] = {
 *         {CT_OPTION(DURATION, "time", struct values, time_s), .initial = "60s",
 *          CT_RANGE(1e-3, 1e7), .help = "end after this time"},
 *         {CT_OPTION(FLAG, "loop", struct values, loop),
 *          .help = "start again after the last iteration"},
 *         {0}};
 */
#pragma once

#include "core/file.h"
#include "core/status.h"
#include "core/units.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum ct_option_type {
    CT_OPTION_FLAG = 1, /**< bool; takes no argument */
    CT_OPTION_STRING,   /**< const char *; borrowed from argv or from the row */
    CT_OPTION_U64,      /**< uint64_t */
    CT_OPTION_DOUBLE,   /**< double */
    CT_OPTION_FRACTION, /**< double; "0.05" or "5%" */
    CT_OPTION_DURATION, /**< double, seconds */
    CT_OPTION_GAP,      /**< double, seconds for a byte; "0.08ns" or "12GB/s" */
    CT_OPTION_SIZE,     /**< size_t, bytes */
    CT_OPTION_RATE,     /**< double, bits per second */
    CT_OPTION_PAUSE,    /**< struct ct_pause */
    CT_OPTION_CHOICE,   /**< int, index into choices */
    CT_OPTION_SEED, /**< uint64_t; drawn from the system when not given, so that it can be recorded
                     */
    CT_OPTION_VIEW, /**< bool; a flag that is no parameter of the result */
    CT_OPTION_VERBOSE, /**< struct ct_given; such a flag, and which rows the command line has */
    CT_OPTION_CUSTOM   /**< whatever parse() writes */
};

enum { CT_OPTION_ROWS_MAX = 128 }; /* of a command */

/** What a command line has. */
struct ct_given {
    bool verbose; /**< parameters that were not given are wanted, too */
    bool all;     /**< the whole result is wanted; of a row of type VIEW */
    bool row[CT_OPTION_ROWS_MAX];
};

/* The C type that a row of a kind writes; void: any. */
#define CT_OPTION_C_FLAG bool
#define CT_OPTION_C_STRING const char *
#define CT_OPTION_C_U64 uint64_t
#define CT_OPTION_C_DOUBLE double
#define CT_OPTION_C_FRACTION double
#define CT_OPTION_C_DURATION double
#define CT_OPTION_C_GAP double
#define CT_OPTION_C_SIZE size_t
#define CT_OPTION_C_RATE double
#define CT_OPTION_C_PAUSE struct ct_pause
#define CT_OPTION_C_CHOICE int
#define CT_OPTION_C_SEED uint64_t
#define CT_OPTION_C_VIEW bool
#define CT_OPTION_C_VERBOSE struct ct_given
#define CT_OPTION_C_CUSTOM void

/** offsetof() of a member that has a type; another type does not compile: an array of negative
 * size. */
#define CT_OFFSET_OF(type_, structure_, member_)                                                   \
    (offsetof(structure_, member_) +                                                               \
     0 * sizeof(char[__builtin_types_compatible_p(type_, void) ||                                  \
                             __builtin_types_compatible_p(type_,                                   \
                                                          __typeof__(((structure_ *)0)->member_))  \
                         ? 1                                                                       \
                         : -1]))

/** Kind and place of a row: CT_OPTION_AT(DURATION, struct values, time_s). */
#define CT_OPTION_AT(kind_, structure_, member_)                                                   \
    .type = CT_OPTION_##kind_, .offset = CT_OFFSET_OF(CT_OPTION_C_##kind_, structure_, member_)

/** These and the long name. Not by CT_OPTION_AT: the kind is pasted before a macro of its name,
 * such as SEED of SimGrid's mpi.h, is expanded. */
#define CT_OPTION(kind_, name_, structure_, member_)                                               \
    .name = (name_), .type = CT_OPTION_##kind_,                                                    \
    .offset = CT_OFFSET_OF(CT_OPTION_C_##kind_, structure_, member_)

/** Accepted values. */
#define CT_RANGE(min_, max_) .min = (min_), .max = (max_)

struct ct_option {
    const char *name; /**< long name without dashes; NULL ends the table */
    char letter;      /**< short name or 0 */
    enum ct_option_type type;
    size_t offset; /**< of the field in the values */
    size_t given;  /**< offset of a bool that becomes true if the command line has the option; 0:
                      there is none */
    const char *argument; /**< as shown in --help; NULL: the word of the type, "DURATION" or "N",
                               if it has one */
    const char *initial;  /**< default as text, parsed like an argument; NULL: field untouched */
    double min, max;      /**< accepted range in base units; none where both are 0 */
    const char *const *choices; /**< CT_OPTION_CHOICE: NULL-terminated */
    const char *const *former;  /**< CHOICE: pairs of a name of earlier versions and the choice that
                                     is taken for it, with a warning; NULL-terminated; or NULL */
    const char *successor; /**< of a row for names of earlier versions, which help, man page and
                                completion do not have: what to give in its place, said in a
                                warning; "": without a warning; or NULL */
    enum ct_status (*parse)(const char *text, void *field, struct ct_error *err); /**< CUSTOM */
    bool required;
    enum ct_file_target target; /**< STRING: what is written under that name, which is then checked
                                     before the work begins */
    const char *help;           /**< one or two sentences without the default, which is added */
};

/** How much of a result is printed as text: the rows of CT_ROWS_VIEW(). */
struct ct_view {
    bool quiet;
    struct ct_given given;
};

/** Tables that are parsed into one values struct, at an offset each. */
struct ct_option_group {
    const char *title; /**< heading in --help; NULL ends the list of groups */
    const struct ct_option *options;
    size_t base_offset; /**< of the struct that the table's offsets are relative to */
};

struct ct_command {
    const char *name;        /**< "impactb", "crosstalk lab up" */
    const char *summary;     /**< one line, lower case, no full stop */
    const char *operands;    /**< as shown in the usage line, "FILE.h5..."; NULL: takes none */
    const char *description; /**< paragraphs separated by an empty line */
    const struct ct_option_group *groups;
    const char *const *examples;       /**< pairs: command line, what it does; NULL-terminated */
    const char *const *see_also;       /**< "crosstalk(1)"; NULL-terminated or NULL */
    size_t min_operands, max_operands; /**< max 0: as many as min; SIZE_MAX: no limit */
    bool options_end_at_operand;       /**< for commands whose operands are another command line */
    bool (*starts_nothing)(const void *values); /**< where the options so far say that the operands
                                                   are none; NULL: they always are one */
};

/** Result of parsing, besides the values. */
struct ct_arguments {
    bool finished;   /**< --help, --version or --man was answered: exit with success */
    char **operands; /**< borrowed from argv, NULL-terminated */
    size_t n_operands;
};

/**
 * Parse a command line into values. Every default is applied first.
 * --help, --version and --man (the page in roff, used by the build) are answered on out.
 * @param command  [in]  borrowed
 * @param argv     [in]  argc strings; argv[0] is skipped; operands are moved to the front
 * @param values   [out] the struct that the offsets refer to
 * @param args_p   [out] operands, and whether --help or the like was answered
 * @return CT_OK; CT_EUSAGE with a message naming the option, the value and what is accepted
 */
enum ct_status ct_command_parse(const struct ct_command *command, int argc, char **argv,
                                void *values, struct ct_arguments *args_p, FILE *out,
                                struct ct_error *err);

static inline bool ct_option_takes_argument(const struct ct_option *option)
{
    return option->type != CT_OPTION_FLAG && option->type != CT_OPTION_VIEW &&
           option->type != CT_OPTION_VERBOSE;
}

/** The word for the argument of an option; NULL: it has none. */
const char *ct_option_argument(const struct ct_option *option);

/** Call visit(name, value text, data) for every option of the command: provenance. */
void ct_command_visit(const struct ct_command *command, const void *values,
                      void (*visit)(const char *name, const char *value, void *data), void *data);

/** What the command line had; NULL: the command has no row of type VERBOSE. */
const struct ct_given *ct_command_given(const struct ct_command *command, const void *values);

/** Whether the command line had an option; true where that is not known. */
bool ct_command_has(const struct ct_command *command, const void *values, const char *name);

/** --help; and -h: usage, the five options that are used most, three examples. */
void ct_command_help(const struct ct_command *command, FILE *out);
void ct_command_brief(const struct ct_command *command, FILE *out);

/** The first lines of help. */
void ct_help_title(const char *name, const char *summary, FILE *out);

/** Examples as --help shows them. @param examples  [in] pairs, NULL-terminated */
void ct_help_examples(const char *const *examples, size_t n_most, FILE *out);

void ct_command_man(const struct ct_command *command, FILE *out);

/** Exit code for a status: 0 for CT_OK, 2 for CT_EUSAGE, 1 for the rest. */
int ct_exit_code(enum ct_status status);
