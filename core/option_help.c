/* --help and the man page of a command, from its option table. */
#include "core/man.h"
#include "core/option.h"
#include "core/text.h"

#include <stdlib.h>
#include <string.h>

enum { HELP_INDENT = 26 };

/* Unless the name of the value lists them, or the text begins to explain them one by one. */
static bool needs_choices(const struct ct_option *option)
{
    if (!option->choices || (option->argument && strchr(option->argument, '|')))
        return false;
    size_t length = strlen(option->choices[0]);
    return strncmp(option->help, option->choices[0], length) != 0 ||
           !strchr(":,", option->help[length]);
}

static void print_description(const struct ct_option *option, FILE *out)
{
    for (size_t i = 0; needs_choices(option) && option->choices[i]; i++)
        fprintf(out, "%s%s", option->choices[i], option->choices[i + 1] ? ", " : ": ");
    fputs(option->help, out);
    if (option->type == CT_OPTION_SEED)
        fputs(" (default: drawn, and recorded)", out);
    else if (option->required)
        fputs(" (required)", out);
    else if (option->initial && *option->initial)
        fprintf(out, " (default: %s)", option->initial);
}

const char *ct_option_argument(const struct ct_option *option)
{
    static const char *const words[CT_OPTION_CUSTOM + 1] = {[CT_OPTION_U64] = "N",
                                                            [CT_OPTION_DOUBLE] = "X",
                                                            [CT_OPTION_FRACTION] = "FRACTION",
                                                            [CT_OPTION_DURATION] = "DURATION",
                                                            [CT_OPTION_GAP] = "GAP",
                                                            [CT_OPTION_SIZE] = "SIZE",
                                                            [CT_OPTION_RATE] = "RATE",
                                                            [CT_OPTION_PAUSE] = "PAUSE",
                                                            [CT_OPTION_SEED] = "N"};
    return option->argument ? option->argument : words[option->type];
}

/* As one text, free(); NULL: out of memory. */
static char *describe_argument(const struct ct_option *option)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    print_description(option, out);
    return fclose(out) == 0 ? text : NULL;
}

/* The description follows on the next line where the name is longer than `name_columns`. */
static void print_option(const struct ct_option *option, int name_columns, size_t width, FILE *out)
{
    int column = option->letter ? fprintf(out, "  -%c, --%s", option->letter, option->name)
                                : fprintf(out, "      --%s", option->name);
    if (ct_option_argument(option))
        column += fprintf(out, " %s", ct_option_argument(option));
    if (column > name_columns) {
        fputc('\n', out);
        column = 0;
    } else if (column >= HELP_INDENT - 1)
        column += fprintf(out, " ");
    char *text = describe_argument(option);
    ct_text_wrap(text ? text : option->help, (size_t)column, HELP_INDENT, width, out);
    free(text);
}

static const struct ct_option quiet_option = {
    .name = "quiet", .letter = 'q', .help = "accepted by every command; this one is quiet already"};

static const struct ct_option standard_options[] = {
    {.name = "help", .letter = 'h', .help = "print this text; -h: a short one"},
    {.name = "version", .help = "print the version"},
    {0}};

static bool has_quiet(const struct ct_command *command)
{
    for (const struct ct_option_group *group = command->groups; group->title; group++)
        for (const struct ct_option *option = group->options; option->name; option++)
            if (!strcmp(option->name, quiet_option.name))
                return true;
    return false;
}

static bool has_options(const struct ct_option_group *group)
{
    return group->options->name;
}

/* Of a command line: a word, or an option with the value behind it. */
static size_t measure_unit(const char *p)
{
    size_t word = strcspn(p, " "), blanks = strspn(p + word, " ");
    const char *value = p + word + blanks;
    if (*p != '-' || word < 2 || !strncmp(p, "-- ", 3) || !blanks || strchr("-<>|", *value))
        return word;
    return word + blanks + strcspn(value, " ");
}

/* A command line, broken for a shell where it is too long; its meaning in the lines that follow. */
static void print_example(const char *const *pair, size_t width, FILE *out)
{
    enum { INDENT = 2, DEEPER = 6 };
    size_t column = INDENT;
    fprintf(out, "%*s", INDENT, "");
    for (const char *p = pair[0]; *p; p += strspn(p, " ")) {
        size_t word = measure_unit(p);
        if (column > DEEPER && column + 1 + word + 2 > width) {
            fprintf(out, " \\\n%*s", DEEPER, "");
            column = DEEPER;
        } else if (p > pair[0])
            column += (size_t)fprintf(out, " ");
        column += (size_t)fprintf(out, "%.*s", (int)word, p);
        p += word;
    }
    fputc('\n', out);
    ct_text_wrap(pair[1], 0, DEEPER, width, out);
}

void ct_help_examples(const char *const *examples, size_t n_most, FILE *out)
{
    fputs("Examples:\n", out);
    for (size_t i = 0; i < n_most && examples[2 * i]; i++)
        print_example(&examples[2 * i], ct_text_width(out), out);
    fputc('\n', out);
}

void ct_help_title(const char *name, const char *summary, FILE *out)
{
    size_t width = ct_text_width(out), column = strlen(name) + strlen(" - ");
    fprintf(out, "%s - ", name);
    ct_text_wrap(summary, column, column > width / 2 ? 0 : column, width, out);
    fputc('\n', out);
}

static void print_usage(const struct ct_command *command, FILE *out)
{
    bool has_operands = command->operands && *command->operands;
    ct_help_title(command->name, command->summary, out);
    fprintf(out, "Usage: %s [OPTION]...%s%s\n\n", command->name, has_operands ? " " : "",
            has_operands ? command->operands : "");
}

/* How many of the examples have the option. */
static size_t count_uses(const struct ct_command *command, const struct ct_option *option)
{
    char word[80];
    size_t n = 0;
    int length = snprintf(word, sizeof word, " --%s", option->name);
    for (const char *const *line = command->examples; line && *line; line += 2) {
        const char *at = strstr(*line, word);
        n += at && strchr(" =", at[length]) ? 1 : 0; /* also at the end */
        if (option->letter && strstr(*line, (char[]){' ', '-', option->letter, ' ', '\0'}))
            n++;
    }
    return n;
}

enum { BRIEF_LINES = 25, BRIEF_EXAMPLES = 3 };

/* The option, or, without one, the first examples. Free(); NULL: out of memory. */
static char *format_part(const struct ct_command *command, const struct ct_option *option,
                         size_t width)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    if (option)
        print_option(option, (int)width, width, out);
    else
        for (size_t i = 0; command->examples && i < BRIEF_EXAMPLES && command->examples[2 * i]; i++)
            print_example(&command->examples[2 * i], width, out);
    return fclose(out) == 0 ? text : NULL;
}

static size_t count_lines(const char *text)
{
    size_t n = 0;
    for (; text && *text; text++)
        n += *text == '\n';
    return n;
}

/* The first n_most lines; where there are more, to the last sentence that ends in them, if that is
 * most of them. */
static void print_sentences(char *text, size_t n_most, FILE *out)
{
    size_t n = 0, length = 0, sentence = 0, words[2] = {0, 0};
    for (; text[length] && n < n_most; length++) {
        n += text[length] == '\n';
        if (!strchr(" \n", text[length]) || length == 0 || text[length - 1] == ' ')
            continue;
        words[0] = words[1]; /* the last but one leaves room for what says that there is more */
        words[1] = length;
        if (length > HELP_INDENT && strchr(".;", text[length - 1]))
            sentence = length - 1;
    }
    if (!text[length])
        fputs(text, out);
    else if (2 * sentence < length)
        fprintf(out, "%.*s...\n", (int)words[0], text);
    else
        fprintf(out, "%.*s\n", (int)sentence, text);
}

enum { MOST_CHOSEN = 5 };

/* In n_lines, of which those that need fewer leave theirs to the others. */
static void print_chosen(const struct ct_command *command, const struct ct_option *const *chosen,
                         size_t n, size_t n_lines, FILE *out)
{
    char *texts[MOST_CHOSEN];
    size_t others = 0; /* that want more than a line, of those to come */
    for (size_t i = 0; i < n; i++) {
        texts[i] = format_part(command, chosen[i], ct_text_width(out));
        others += count_lines(texts[i]) > 1;
    }
    fputs("Options:\n", out);
    for (size_t i = 0; i < n; i++) {
        size_t spare = n_lines > n - i ? n_lines - (n - i) : 0; /* beside a line for each */
        size_t wanted = count_lines(texts[i]);
        others -= others > 0 && wanted > 1;
        size_t room = 1 + (spare + others) / (others + 1), used = wanted < room ? wanted : room;
        if (texts[i])
            print_sentences(texts[i], used, out);
        n_lines -= used < n_lines ? used : n_lines;
        free(texts[i]);
    }
    fputc('\n', out);
}

/* The options that are required, then those that examples have, then the first ones. */
static void print_most_used(const struct ct_command *command, size_t n_lines, FILE *out)
{
    const struct ct_option *chosen[MOST_CHOSEN];
    size_t n = 0;
    for (size_t uses = SIZE_MAX; n < MOST_CHOSEN;) {
        size_t next = 0; /* most uses below those that were taken */
        for (const struct ct_option_group *group = command->groups; group->title; group++)
            for (const struct ct_option *option = group->options; option->name; option++) {
                size_t own = option->required ? SIZE_MAX - 1 : count_uses(command, option);
                if (!option->successor && own < uses && own > next)
                    next = own;
            }
        for (const struct ct_option_group *group = command->groups; group->title; group++)
            for (const struct ct_option *option = group->options; option->name; option++) {
                size_t own = option->required ? SIZE_MAX - 1 : count_uses(command, option);
                if (!option->successor && own == next && n < MOST_CHOSEN)
                    chosen[n++] = option;
            }
        if (next == 0)
            break;
        uses = next;
    }
    if (n > 0)
        print_chosen(command, chosen, n, n_lines, out);
}

void ct_command_brief(const struct ct_command *command, FILE *out)
{
    enum { REST = 9 }; /* usage, titles, the last line, and blanks between them */
    char *lines = format_part(command, NULL, ct_text_width(out));
    size_t title = strlen(command->name) + strlen(" - ") + strlen(command->summary);
    size_t n = REST + count_lines(lines) + (title > ct_text_width(out) ? 1 : 0);
    print_usage(command, out);
    print_most_used(command, n < BRIEF_LINES ? BRIEF_LINES - n : 0, out);
    if (lines && *lines)
        fprintf(out, "Examples:\n%s\n", lines);
    free(lines);
    fprintf(out, "All options, and what the command does: %s --help\n", command->name);
}

void ct_command_help(const struct ct_command *command, FILE *out)
{
    print_usage(command, out);
    if (command->examples)
        ct_help_examples(command->examples, SIZE_MAX, out);
    if (command->description) {
        ct_text_wrap(command->description, 0, 0, ct_text_width(out), out);
        fputc('\n', out);
    }
    for (const struct ct_option_group *group = command->groups; group->title; group++) {
        if (!has_options(group))
            continue;
        fprintf(out, "%s:\n", group->title);
        for (const struct ct_option *option = group->options; option->name; option++)
            if (!option->successor)
                print_option(option, HELP_INDENT - 2, ct_text_width(out), out);
        fputc('\n', out);
    }
    fputs("Information:\n", out);
    if (!has_quiet(command))
        print_option(&quiet_option, HELP_INDENT - 2, ct_text_width(out), out);
    for (const struct ct_option *option = standard_options; option->name; option++)
        print_option(option, HELP_INDENT - 2, ct_text_width(out), out);
    fputs("\nExit codes: 0 success, 1 failure, 2 wrong usage.\n", out);
}

static void man_option(const struct ct_option *option, FILE *out)
{
    fputs(".TP\n", out);
    if (option->letter)
        fprintf(out, "\\fB\\-%c\\fR, ", option->letter);
    fputs("\\fB", out);
    ct_man_text("--", out);
    ct_man_text(option->name, out);
    fputs("\\fR", out);
    if (ct_option_argument(option))
        fprintf(out, " \\fI%s\\fR", ct_option_argument(option));
    fputc('\n', out);
    char *text = describe_argument(option);
    ct_man_text(text ? text : option->help, out);
    free(text);
    fputc('\n', out);
}

void ct_command_man(const struct ct_command *command, FILE *out)
{
    ct_man_heading(command->name, command->summary, out);
    fprintf(out, ".SH SYNOPSIS\n.B %s\n[\\fIOPTION\\fR]...", command->name);
    if (command->operands) {
        fputs(" \\fI", out);
        ct_man_text(command->operands, out);
        fputs("\\fR", out);
    }
    fputc('\n', out);
    if (command->description) {
        fputs(".SH DESCRIPTION\n", out);
        ct_man_paragraphs(command->description, out);
    }
    fputs(".SH OPTIONS\n", out);
    for (const struct ct_option_group *group = command->groups; group->title; group++) {
        if (!has_options(group))
            continue;
        fputs(".SS ", out);
        ct_man_text(group->title, out);
        fputc('\n', out);
        for (const struct ct_option *option = group->options; option->name; option++)
            if (!option->successor)
                man_option(option, out);
    }
    fputs(".SS Information\n", out);
    if (!has_quiet(command))
        man_option(&quiet_option, out);
    for (const struct ct_option *option = standard_options; option->name; option++)
        man_option(option, out);
    ct_man_pairs("EXAMPLES", command->examples, out);
    ct_man_closing("", command->see_also, out);
}
