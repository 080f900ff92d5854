#include "core/man.h"

#include "core/version.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

static void print_escaped(const char *text, size_t length, FILE *out)
{
    bool line_start = true;
    for (size_t i = 0; i < length; i++) {
        char c = text[i];
        if (line_start && (c == '.' || c == '\''))
            fputs("\\&", out);
        if (c == '\\' || c == '-')
            fprintf(out, "\\%c", c == '\\' ? 'e' : '-');
        else
            fputc(c, out);
        line_start = c == '\n';
    }
}

void ct_man_text(const char *text, FILE *out)
{
    print_escaped(text, strlen(text), out);
}

void ct_man_paragraphs(const char *text, FILE *out)
{
    for (const char *p = text; *p;) {
        const char *end = strstr(p, "\n\n");
        size_t length = end ? (size_t)(end - p) : strlen(p);
        fputs(".PP\n", out);
        print_escaped(p, length, out);
        fputc('\n', out);
        p += length + (end ? 2 : 0);
    }
}

void ct_man_heading(const char *name, const char *summary, FILE *out)
{
    fputs(".TH \"", out);
    for (const char *p = name; *p; p++)
        fputc(*p == ' ' ? '-' : toupper((unsigned char)*p), out);
    fprintf(out, "\" 1 \"\" \"crosstalk %s\" \"User Commands\"\n.SH NAME\n", CT_VERSION);
    for (const char *p = name; *p; p++)
        fputs(*p == ' ' ? "\\-" : (char[]){*p, '\0'}, out);
    fputs(" \\- ", out);
    ct_man_text(summary, out);
    fputc('\n', out);
}

void ct_man_pairs(const char *section, const char *const *pairs, FILE *out)
{
    if (!pairs)
        return;
    fprintf(out, ".SH %s\n", section);
    for (; *pairs; pairs += 2) {
        fputs(".TP\n.B ", out);
        ct_man_text(pairs[0], out);
        fputc('\n', out);
        ct_man_text(pairs[1], out);
        fputc('\n', out);
    }
}

void ct_man_closing(const char *exit_note, const char *const *see_also, FILE *out)
{
    fputs(".SH EXIT STATUS\n0 success, 1 failure, 2 wrong usage", out);
    ct_man_text(exit_note, out);
    fputs(".\n", out);
    if (!see_also)
        return;
    fputs(".SH SEE ALSO\n", out);
    for (; *see_also; see_also++) {
        ct_man_text(*see_also, out);
        fputs(see_also[1] ? ",\n" : "\n", out);
    }
}
