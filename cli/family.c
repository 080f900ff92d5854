#include "cli/family.h"

#include "core/completion.h"
#include "core/log.h"
#include "core/man.h"
#include "core/text.h"
#include "core/version.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const char *last_word(const char *name)
{
    const char *blank = strrchr(name, ' ');
    return blank ? blank + 1 : name;
}

static const char *group_of(const struct ct_family *family, size_t i)
{
    return family->group_of ? family->group_of(i) : "Commands";
}

static bool begins_group(const struct ct_family *family, size_t i)
{
    return i == 0 || strcmp(group_of(family, i), group_of(family, i - 1)) != 0;
}

static void print_usage(const struct ct_family *family, FILE *out)
{
    ct_help_title(family->name, family->summary, out);
    fprintf(out, "Usage: %s COMMAND %s\n\n", family->name, family->operands);
}

static void print_help(const struct ct_family *family, FILE *out)
{
    print_usage(family, out);
    for (size_t i = 0; i < family->n_members; i++) {
        const struct ct_command *member = family->member(i);
        if (begins_group(family, i))
            fprintf(out, "%s:\n", group_of(family, i));
        fprintf(out, "  %-14s %s\n", last_word(member->name), member->summary);
    }
    fputc('\n', out);
    ct_help_examples(family->examples, SIZE_MAX, out);
    ct_text_wrap(family->notes, 0, 0, ct_text_width(out), out);
    char codes[160];
    snprintf(codes, sizeof codes, "Exit codes: 0 success, 1 failure, 2 wrong usage%s.",
             family->exit_note);
    fputc('\n', out);
    ct_text_wrap(codes, 0, 0, ct_text_width(out), out);
}

/* A line a group. */
static void print_brief(const struct ct_family *family, FILE *out)
{
    print_usage(family, out);
    for (size_t i = 0; i < family->n_members; i++) {
        if (begins_group(family, i))
            fprintf(out, "%s%-14s", i > 0 ? "\n" : "", group_of(family, i));
        fprintf(out, "%s%s", begins_group(family, i) ? "" : ", ",
                last_word(family->member(i)->name));
    }
    fputs("\n\n", out);
    ct_help_examples(family->examples, 3, out);
    fprintf(out, "What the commands do: %s --help\nOne of them: %s COMMAND -h\n", family->name,
            family->name);
}

static void print_man(const struct ct_family *family, FILE *out)
{
    ct_man_heading(family->name, family->summary, out);
    fprintf(out, ".SH SYNOPSIS\n.B %s\n\\fICOMMAND\\fR ", family->name);
    ct_man_text(family->operands, out);
    fputs("\n.SH DESCRIPTION\n", out);
    ct_man_text(family->notes, out);
    fputs("\n.SH COMMANDS\n", out);
    for (size_t i = 0; i < family->n_members; i++) {
        const struct ct_command *member = family->member(i);
        if (family->group_of && begins_group(family, i))
            fprintf(out, ".SS %s\n", group_of(family, i));
        fprintf(out, ".TP\n.B %s\n", last_word(member->name));
        ct_man_text(member->summary, out);
        fputc('\n', out);
    }
    ct_man_pairs("EXAMPLES", family->examples, out);
    ct_man_pairs("ENVIRONMENT", family->environment, out);
    ct_man_closing(family->exit_note, family->see_also, out);
}

static void print_completion(const struct ct_family *family, FILE *out)
{
    const char *words[CT_FAMILY_MAX];
    size_t n = family->n_members < CT_FAMILY_MAX ? family->n_members : CT_FAMILY_MAX;
    for (size_t i = 0; i < n; i++)
        words[i] = last_word(family->member(i)->name);
    ct_completion_words(family->name, words, n, out);
}

static int run_member(const struct ct_family *family, int argc, char **argv)
{
    for (size_t i = 0; i < family->n_members; i++)
        if (!strcmp(argv[0], last_word(family->member(i)->name)))
            return family->run(i, argc, argv);
    return -1;
}

/* A former name, with the words that stand for it. */
static int run_former(const struct ct_family *family, const struct ct_former_command *former,
                      int argc, char **argv)
{
    struct ct_log log = ct_log_open(family->name, false);
    struct ct_error err;
    int n = 0;
    char **words =
        calloc((size_t)argc + sizeof former->words / sizeof *former->words, sizeof *words);
    if (!words)
        return ct_exit_code(ct_no_memory(&err, "%s", former->name));
    for (; former->words[n]; n++)
        words[n] = (char *)(uintptr_t)former->words[n];
    ct_log_warn(&log, "%s: give %s %s in its place; the name %s goes in 0.4", former->name,
                family->name, former->successor, former->name);
    for (int i = 2; i < argc; i++)
        words[n++] = argv[i];
    int code = n > 0 ? run_member(family, n, words) : -1;
    free(words);
    return code;
}

/* The member whose name is spelled alike; NULL: none. */
static const char *find_nearest(const struct ct_family *family, const char *name)
{
    const char *nearest = NULL;
    size_t least = ct_text_misspelt(name) + 1;
    for (size_t i = 0; i < family->n_members; i++) {
        const char *other = last_word(family->member(i)->name);
        size_t distance = ct_text_distance(name, other);
        if (distance < least) {
            least = distance;
            nearest = other;
        }
    }
    return nearest;
}

/* A word that names no member, or none at all. */
static int refuse_member(const struct ct_family *family, const char *name)
{
    struct ct_error err;
    struct ct_log log = ct_log_open(family->name, false);
    const char *nearest = find_nearest(family, name);
    if (!*name)
        ct_fail(&err, CT_EUSAGE, "a command is missing; see %s --help", family->name);
    else if (nearest)
        ct_fail(&err, CT_EUSAGE, "unknown command '%s'; did you mean %s? see %s --help", name,
                nearest, family->name);
    else
        ct_fail(&err, CT_EUSAGE, "unknown command '%s'; see %s --help", name, family->name);
    ct_log_error(&log, &err);
    return ct_exit_code(err.status);
}

/* "help COMMAND...": its --help. */
static int run_help(const struct ct_family *family, int argc, char **argv)
{
    struct ct_error err;
    char **words = calloc((size_t)argc + 1, sizeof *words), help[] = "--help";
    if (!words)
        return ct_exit_code(ct_no_memory(&err, "help"));
    for (int i = 2; i < argc; i++)
        words[i - 2] = argv[i];
    words[argc - 2] = help;
    int code = run_member(family, argc - 1, words);
    free(words);
    return code >= 0 ? code : refuse_member(family, argv[2]);
}

int ct_family_main(const struct ct_family *family, int argc, char **argv)
{
    static const struct {
        const char *word;
        void (*print)(const struct ct_family *family, FILE *out);
    } texts[] = {{"--help", print_help},
                 {"-h", print_brief},
                 {"help", print_help},
                 {"--man", print_man},
                 {"--completion", print_completion}};
    const char *name = argc > 1 ? argv[1] : "";
    int code = argc > 1 ? run_member(family, argc - 1, argv + 1) : -1;
    if (code >= 0)
        return code;
    for (const struct ct_former_command *row = family->former; row && row->name; row++)
        if (!strcmp(name, row->name))
            return run_former(family, row, argc, argv);
    if (!strcmp(name, "help") && argc > 2)
        return run_help(family, argc, argv);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (!strcmp(name, texts[i].word)) {
            texts[i].print(family, stdout);
            return 0;
        }
    if (!strcmp(name, "--version")) {
        puts("crosstalk " CT_VERSION);
        return 0;
    }
    return refuse_member(family, name);
}
