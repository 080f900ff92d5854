#include "cli/family.h"

#include "core/completion.h"
#include "core/log.h"
#include "core/man.h"
#include "core/version.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const char *last_word(const char *name)
{
    const char *blank = strrchr(name, ' ');
    return blank ? blank + 1 : name;
}

static void print_help(const struct ct_family *family, FILE *out)
{
    fprintf(out, "%s - %s\n\nUsage: %s COMMAND %s\n\nCommands:\n", family->name, family->summary,
            family->name, family->operands);
    for (size_t i = 0; i < family->n_members; i++) {
        const struct ct_command *member = family->member(i);
        fprintf(out, "  %-14s %s\n", last_word(member->name), member->summary);
    }
    fprintf(out, "\n%s\n\nExamples:\n", family->notes);
    for (const char *const *line = family->examples; *line; line += 2)
        fprintf(out, "  %s\n      %s\n", line[0], line[1]);
    fprintf(out, "\nExit codes: 0 success, 1 failure, 2 wrong usage%s.\n", family->exit_note);
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

/* A word that names no member, or none at all. */
static int refuse(const struct ct_family *family, const char *name)
{
    struct ct_error err;
    struct ct_log log = ct_log_open(family->name, false);
    if (*name)
        ct_fail(&err, CT_EUSAGE, "unknown command '%s'; see %s --help", name, family->name);
    else
        ct_fail(&err, CT_EUSAGE, "a command is missing; see %s --help", family->name);
    ct_log_error(&log, &err);
    return ct_exit_code(err.status);
}

int ct_family_main(const struct ct_family *family, int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    int code = argc > 1 ? run_member(family, argc - 1, argv + 1) : -1;
    if (code >= 0)
        return code;
    for (const struct ct_former_command *row = family->former; row && row->name; row++)
        if (!strcmp(name, row->name))
            return run_former(family, row, argc, argv);
    if (!strcmp(name, "--help") || !strcmp(name, "-h")) {
        print_help(family, stdout);
        return 0;
    }
    if (!strcmp(name, "--version")) {
        puts("crosstalk " CT_VERSION);
        return 0;
    }
    if (!strcmp(name, "--man")) {
        print_man(family, stdout);
        return 0;
    }
    if (!strcmp(name, "--completion")) {
        print_completion(family, stdout);
        return 0;
    }
    return refuse(family, name);
}
