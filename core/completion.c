#include "core/completion.h"

#include <string.h>

/* Options that every command answers without a row of its own. */
static const char standard_options[] = "--help --version";

static bool names_a_file(const char *argument)
{
    return argument && (strstr(argument, "FILE") || strstr(argument, "DIR") ||
                        strstr(argument, "FOLDER") || strstr(argument, "PATH"));
}

static void print_argument(const char *command, const struct ct_option *option, FILE *out)
{
    if (!ct_option_takes_argument(option) || option->successor)
        return;
    fprintf(out, "'%s --%s') ", command, option->name);
    if (option->choices) {
        fputs("words='", out);
        for (const char *const *choice = option->choices; *choice; choice++)
            fprintf(out, "%s%s", choice == option->choices ? "" : " ", *choice);
        fputs("' ;;\n", out);
    } else {
        fprintf(out, "%s ;;\n", names_a_file(ct_option_argument(option)) ? "files=1" : "words=''");
    }
}

void ct_command_completion(const struct ct_command *command, FILE *out)
{
    fprintf(out, "'%s') words='", command->name);
    for (const struct ct_option_group *group = command->groups; group->title; group++)
        for (const struct ct_option *option = group->options; option->name; option++)
            if (!option->successor)
                fprintf(out, "--%s ", option->name);
    fprintf(out, "%s' ;;\n", standard_options);
    for (const struct ct_option_group *group = command->groups; group->title; group++)
        for (const struct ct_option *option = group->options; option->name; option++)
            print_argument(command->name, option, out);
}

void ct_completion_words(const char *name, const char *const *words, size_t n_words, FILE *out)
{
    fprintf(out, "'%s') words='", name);
    for (size_t i = 0; i < n_words; i++)
        fprintf(out, "%s ", words[i]);
    fprintf(out, "%s' ;;\n", standard_options);
}
