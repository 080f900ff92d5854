#include "core/option.h"

#include "core/completion.h"
#include "core/text.h"
#include "core/version.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

static void *field_of(const struct ct_option *option, void *values)
{
    return (char *)values + option->offset;
}

static enum ct_status parse_choice(const struct ct_option *option, const char *text, int *index_p,
                                   struct ct_error *err)
{
    char list[200] = "";
    for (int i = 0; option->choices[i]; i++) {
        if (!strcmp(option->choices[i], text)) {
            *index_p = i;
            return CT_OK;
        }
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", option->choices[i]);
    }
    return ct_fail(err, CT_EINVAL, "'%s': not one of %s", text, list);
}

static enum ct_status check_range(const struct ct_option *option, double value, const char *text,
                                  struct ct_error *err)
{
    bool bounded = option->min != 0 || option->max != 0;
    if (!bounded || (value >= option->min && value <= option->max))
        return CT_OK;
    char low[CT_UNITS_TEXT_MAX], high[CT_UNITS_TEXT_MAX];
    switch (option->type) {
    case CT_OPTION_DURATION:
    case CT_OPTION_GAP:
        ct_format_duration(option->min, low);
        ct_format_duration(option->max, high);
        break;
    case CT_OPTION_SIZE:
        ct_format_size((size_t)option->min, low);
        ct_format_size((size_t)option->max, high);
        break;
    case CT_OPTION_RATE:
        ct_format_rate(option->min, low);
        ct_format_rate(option->max, high);
        break;
    default:
        snprintf(low, sizeof low, "%g", option->min);
        snprintf(high, sizeof high, "%g", option->max);
    }
    return ct_fail(err, CT_EINVAL, "'%s': outside %s to %s", text, low, high);
}

static enum ct_status parse_number(const struct ct_option *option, const char *text, double *field,
                                   struct ct_error *err)
{
    static enum ct_status (*const parsers[])(const char *, double *, struct ct_error *) = {
        [CT_OPTION_DOUBLE] = ct_parse_double,     [CT_OPTION_FRACTION] = ct_parse_percent,
        [CT_OPTION_DURATION] = ct_parse_duration, [CT_OPTION_GAP] = ct_parse_gap,
        [CT_OPTION_RATE] = ct_parse_rate,
    };
    double value;
    CT_TRY(parsers[option->type](text, &value, err));
    CT_TRY(check_range(option, value, text, err));
    *field = value;
    return CT_OK;
}

static enum ct_status parse_value(const struct ct_option *option, const char *text, void *field,
                                  struct ct_error *err)
{
    uint64_t count;
    size_t bytes;
    switch (option->type) {
    case CT_OPTION_FLAG:
    case CT_OPTION_VIEW:
        *(bool *)field = true;
        return CT_OK;
    case CT_OPTION_STRING:
        *(const char **)field = text;
        return CT_OK;
    case CT_OPTION_U64:
    case CT_OPTION_SEED:
        CT_TRY(ct_parse_u64(text, &count, err));
        CT_TRY(check_range(option, (double)count, text, err));
        *(uint64_t *)field = count;
        return CT_OK;
    case CT_OPTION_SIZE:
        CT_TRY(ct_parse_size(text, &bytes, err));
        CT_TRY(check_range(option, (double)bytes, text, err));
        *(size_t *)field = bytes;
        return CT_OK;
    case CT_OPTION_PAUSE:
        return ct_parse_pause(text, field, err);
    case CT_OPTION_CHOICE:
        return parse_choice(option, text, field, err);
    case CT_OPTION_VERBOSE:
        ((struct ct_given *)field)->verbose = true;
        return CT_OK;
    case CT_OPTION_CUSTOM:
        return option->parse(text, field, err);
    case CT_OPTION_DOUBLE:
    case CT_OPTION_FRACTION:
    case CT_OPTION_DURATION:
    case CT_OPTION_GAP:
    case CT_OPTION_RATE:
        break;
    }
    return parse_number(option, text, field, err);
}

/* A wrong value of a command line is a usage error whatever its parser called it. */
static enum ct_status parse_argument(const struct ct_option *option, const char *text, void *field,
                                     struct ct_error *err)
{
    struct ct_error why;
    if (parse_value(option, text, field, &why) == CT_OK)
        return CT_OK;
    return ct_fail(err, CT_EUSAGE, "--%s: %s", option->name, why.text);
}

static enum ct_status apply_defaults(const struct ct_command *command, void *values,
                                     struct ct_error *err)
{
    for (const struct ct_option_group *group = command->groups; group->title; group++) {
        void *base = (char *)values + group->base_offset;
        for (const struct ct_option *option = group->options; option->name; option++) {
            void *field = field_of(option, base);
            if (option->type == CT_OPTION_SEED) {
                uint32_t drawn;
                if (getrandom(&drawn, sizeof drawn, 0) != sizeof drawn)
                    return ct_fail(err, CT_EIO, "--seed: no random number from the system");
                *(uint64_t *)field = drawn;
            } else if (option->type == CT_OPTION_FLAG || option->type == CT_OPTION_VIEW) {
                *(bool *)field = false;
            } else if (option->type == CT_OPTION_VERBOSE) {
                *(struct ct_given *)field = (struct ct_given){.verbose = false};
            } else if (option->initial) {
                CT_TRY(parse_argument(option, option->initial, field, err));
            }
        }
    }
    return CT_OK;
}

struct found {
    const struct ct_option *option;
    void *field;
};

static bool find_option(const struct ct_command *command, void *values, const char *name,
                        size_t length, char letter, struct found *found_p)
{
    for (const struct ct_option_group *group = command->groups; group->title; group++) {
        for (const struct ct_option *option = group->options; option->name; option++) {
            bool same =
                letter ? option->letter == letter
                       : strlen(option->name) == length && !strncmp(option->name, name, length);
            if (same) {
                found_p->option = option;
                found_p->field = field_of(option, (char *)values + group->base_offset);
                return true;
            }
        }
    }
    return false;
}

static void mark_given(const struct found *found)
{
    const struct ct_option *option = found->option;
    if (option->given > 0)
        *(bool *)((char *)found->field - option->offset + option->given) = true;
}

/* The choice that is taken for a name of earlier versions; any other text as it is. */
static const char *successor_of(const struct ct_command *command, const struct ct_option *option,
                                const char *text)
{
    for (const char *const *pair = text ? option->former : NULL; pair && *pair; pair += 2)
        if (!strcmp(pair[0], text)) {
            fprintf(stderr, "%s: warning: --%s %s: %s is taken instead; the name %s goes in 0.4\n",
                    command->name, option->name, text, pair[1], text);
            return pair[1];
        }
    return text;
}

/* An unknown one, with the one that is spelled alike, else one that is described by that word. */
static enum ct_status refuse_option(const struct ct_command *command, const char *word,
                                    size_t length, struct ct_error *err)
{
    char name[64];
    const struct ct_option *nearest = NULL;
    snprintf(name, sizeof name, "%.*s", (int)length, word + 2);
    int shown = (int)strcspn(word, "=");
    size_t least = ct_text_misspelt(name);
    for (int described = 0; described < 2 && !nearest && length > 2; described++)
        for (const struct ct_option_group *group = command->groups; group->title; group++)
            for (const struct ct_option *option = group->options; option->name; option++) {
                size_t distance = ct_text_distance(name, option->name);
                if (option->successor ||
                    (described ? strncmp(option->help, name, length) != 0 : distance > least))
                    continue;
                if (!described)
                    least = distance - (distance > 0);
                if (!described || !nearest)
                    nearest = option;
            }
    if (nearest)
        return ct_fail(err, CT_EUSAGE, "unknown option '%.*s'; did you mean --%s? see %s --help",
                       shown, word, nearest->name, command->name);
    return ct_fail(err, CT_EUSAGE, "unknown option '%.*s'; see %s --help", shown, word,
                   command->name);
}

/* Parse argv[i], an option, and its argument; *used_p is how many words it took. */
static enum ct_status parse_word(const struct ct_command *command, char **argv, int argc, int i,
                                 void *values, const struct ct_option **option_p, int *used_p,
                                 struct ct_error *err)
{
    const char *word = argv[i];
    bool is_long = word[1] == '-';
    const char *value = is_long ? strchr(word, '=') : (word[2] ? word + 2 : NULL);
    size_t length = is_long ? (value ? (size_t)(value - word) : strlen(word)) - 2 : 0;
    if (is_long && value)
        value++;
    struct found found;
    if (!find_option(command, values, word + 2, length, is_long ? '\0' : word[1], &found))
        return refuse_option(command, word, length, err);
    *used_p = 1;
    *option_p = found.option;
    if (!ct_option_takes_argument(found.option)) {
        if (value)
            return ct_fail(err, CT_EUSAGE, "--%s: takes no argument", found.option->name);
    } else if (!value) {
        const char *argument = ct_option_argument(found.option);
        if (i + 1 >= argc)
            return ct_fail(err, CT_EUSAGE, "--%s: %s is missing", found.option->name,
                           argument ? argument : "its argument");
        value = argv[i + 1];
        *used_p = 2;
    }
    mark_given(&found);
    if (found.option->successor && *found.option->successor)
        fprintf(stderr, "%s: warning: --%s: give %s in its place; the name --%s goes in 0.4\n",
                command->name, found.option->name, found.option->successor, found.option->name);
    return parse_argument(found.option, successor_of(command, found.option, value), found.field,
                          err);
}

static bool answer_standard(const struct ct_command *command, const char *word, FILE *out)
{
    if (!strcmp(word, "--help"))
        ct_command_help(command, out);
    else if (!strcmp(word, "-h"))
        ct_command_brief(command, out);
    else if (!strcmp(word, "--version"))
        fprintf(out, "%.*s %s\n", (int)strcspn(command->name, " "), command->name, CT_VERSION);
    else if (!strcmp(word, "--man"))
        ct_command_man(command, out);
    else if (!strcmp(word, "--completion"))
        ct_command_completion(command, out);
    else
        return false;
    return true;
}

/* For scripts that say it to every command: one that has no messages of its own is quiet already.
 */
static bool is_quiet_already(const struct ct_command *command, void *values, const char *word)
{
    struct found found;
    return (!strcmp(word, "--quiet") || !strcmp(word, "-q")) &&
           !find_option(command, values, "quiet", strlen("quiet"), '\0', &found);
}

/* Number of the row among all rows of the command; that of all rows where wanted is NULL. */
static size_t row_of(const struct ct_command *command, const struct ct_option *wanted)
{
    size_t row = 0;
    for (const struct ct_option_group *group = command->groups; group->title; group++)
        for (const struct ct_option *option = group->options; option->name; option++, row++)
            if (option == wanted)
                return row;
    return row;
}

/* NULL: the command has no --verbose. */
static struct ct_given *find_given(const struct ct_command *command, void *values)
{
    for (const struct ct_option_group *group = command->groups; group->title; group++)
        for (const struct ct_option *option = group->options; option->name; option++)
            if (option->type == CT_OPTION_VERBOSE)
                return field_of(option, (char *)values + group->base_offset);
    return NULL;
}

static enum ct_status check_complete(const struct ct_command *command, const bool *seen,
                                     const struct ct_arguments *args, struct ct_error *err)
{
    for (const struct ct_option_group *group = command->groups; group->title; group++)
        for (const struct ct_option *option = group->options; option->name; option++)
            if (option->required && !seen[row_of(command, option)])
                return ct_fail(err, CT_EUSAGE, "--%s %s is missing; see %s --help", option->name,
                               ct_option_argument(option), command->name);
    if (args->n_operands < command->min_operands)
        return ct_fail(err, CT_EUSAGE, "%s is missing; see %s --help",
                       command->operands ? command->operands : "an operand", command->name);
    const size_t most = command->max_operands > 0 ? command->max_operands : command->min_operands;
    if (args->n_operands > most)
        return ct_fail(err, CT_EUSAGE, "'%s': one operand too many; see %s --help",
                       args->operands[most], command->name);
    return CT_OK;
}

/* Names of files and folders that are to be written. */
static enum ct_status check_targets(const struct ct_command *command, const void *values,
                                    const bool *seen, struct ct_error *err)
{
    for (const struct ct_option_group *group = command->groups; group->title; group++)
        for (const struct ct_option *option = group->options; option->name; option++) {
            if (option->target == CT_FILE_NONE || !seen[row_of(command, option)])
                continue;
            const char *const *path =
                (const void *)((const char *)values + group->base_offset + option->offset);
            enum ct_status status = ct_file_check_target(*path, option->target, err);
            if (status != CT_OK)
                return ct_fail_within(err, status == CT_EINVAL ? CT_EUSAGE : status, "--%s",
                                      option->name);
        }
    return CT_OK;
}

static enum ct_status parse_words(const struct ct_command *command, int argc, char **argv,
                                  void *values, bool *seen, struct ct_arguments *args, FILE *out,
                                  struct ct_error *err)
{
    bool options_over = false;
    for (int i = 1; i < argc;) {
        char *word = argv[i];
        if (options_over || word[0] != '-' || word[1] == '\0') {
            args->operands[args->n_operands++] = word;
            options_over |= command->options_end_at_operand &&
                            !(command->starts_nothing && command->starts_nothing(values));
            i++;
        } else if (!strcmp(word, "--")) {
            options_over = true;
            i++;
        } else if (answer_standard(command, word, out)) {
            args->finished = true;
            return CT_OK;
        } else if (is_quiet_already(command, values, word)) {
            i++;
        } else {
            const struct ct_option *option = NULL;
            int used = 0;
            CT_TRY(parse_word(command, argv, argc, i, values, &option, &used, err));
            seen[row_of(command, option)] = true;
            i += used;
        }
    }
    args->operands[args->n_operands] = NULL;
    CT_TRY(check_complete(command, seen, args, err));
    return check_targets(command, values, seen, err);
}

enum ct_status ct_command_parse(const struct ct_command *command, int argc, char **argv,
                                void *values, struct ct_arguments *args_p, FILE *out,
                                struct ct_error *err)
{
    struct ct_arguments args = {.operands = argv + 1};
    CT_TRY(apply_defaults(command, values, err));
    bool seen[CT_OPTION_ROWS_MAX] = {false};
    assert(row_of(command, NULL) <= CT_OPTION_ROWS_MAX);
    enum ct_status status = parse_words(command, argc, argv, values, seen, &args, out, err);
    struct ct_given *given = find_given(command, values);
    if (given)
        memcpy(given->row, seen, sizeof seen);
    if (status == CT_OK)
        *args_p = args;
    return status;
}

/* Value of a row as text that parses to the same value; "" for an unset string, and for a duration
 * or rate that is NaN: not given. */
static void format_value(const struct ct_option *option, const void *values, char *text,
                         size_t size)
{
    const void *field = (const char *)values + option->offset;
    char unit_text[CT_UNITS_TEXT_MAX];
    const char *string;
    switch (option->type) {
    case CT_OPTION_FLAG:
        snprintf(text, size, "%s", *(const bool *)field ? "yes" : "no");
        return;
    case CT_OPTION_STRING:
        string = *(const char *const *)field;
        snprintf(text, size, "%s", string ? string : "");
        return;
    case CT_OPTION_U64:
    case CT_OPTION_SEED:
        snprintf(text, size, "%llu", (unsigned long long)*(const uint64_t *)field);
        return;
    case CT_OPTION_DOUBLE:
    case CT_OPTION_FRACTION:
        snprintf(text, size, "%.12g", *(const double *)field);
        return;
    case CT_OPTION_CHOICE:
        snprintf(text, size, "%s", option->choices[*(const int *)field]);
        return;
    case CT_OPTION_DURATION:
    case CT_OPTION_GAP:
        unit_text[0] = '\0';
        if (!isnan(*(const double *)field))
            ct_format_duration(*(const double *)field, unit_text);
        break;
    case CT_OPTION_SIZE:
        ct_format_size(*(const size_t *)field, unit_text);
        break;
    case CT_OPTION_RATE:
        unit_text[0] = '\0';
        if (!isnan(*(const double *)field))
            ct_format_rate(*(const double *)field, unit_text);
        break;
    case CT_OPTION_PAUSE:
        ct_format_pause(*(const struct ct_pause *)field, unit_text);
        break;
    case CT_OPTION_VIEW:
    case CT_OPTION_VERBOSE:
    case CT_OPTION_CUSTOM:
        unit_text[0] = '\0';
        break;
    }
    snprintf(text, size, "%s", unit_text);
}

/* NULL: it has none. */
static const char *find_string(const struct ct_option *option, const void *values)
{
    const void *field = (const char *)values + option->offset;
    return option->type == CT_OPTION_STRING ? *(const char *const *)field : NULL;
}

void ct_command_visit(const struct ct_command *command, const void *values,
                      void (*visit)(const char *name, const char *value, void *data), void *data)
{
    for (const struct ct_option_group *group = command->groups; group->title; group++)
        for (const struct ct_option *option = group->options; option->name; option++) {
            char text[256];
            const void *of_group = (const char *)values + group->base_offset;
            if (option->type == CT_OPTION_CUSTOM || option->type == CT_OPTION_VIEW ||
                option->type == CT_OPTION_VERBOSE)
                continue;
            format_value(option, of_group, text, sizeof text);
            if (option->successor && (!*text || !strcmp(text, "no")))
                continue;
            const char *string = find_string(option, of_group);
            visit(option->name, string ? string : text, data); /* of any length */
        }
}

const struct ct_given *ct_command_given(const struct ct_command *command, const void *values)
{
    return find_given(command, (void *)(uintptr_t)values);
}

bool ct_command_has(const struct ct_command *command, const void *values, const char *name)
{
    struct found found;
    const struct ct_given *given = ct_command_given(command, values);
    if (!given)
        return true;
    return find_option(command, (void *)(uintptr_t)values, name, strlen(name), '\0', &found) &&
           given->row[row_of(command, found.option)];
}

int ct_exit_code(enum ct_status status)
{
    return status == CT_OK ? 0 : status == CT_EUSAGE ? 2 : 1;
}
