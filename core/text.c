#include "core/text.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum ct_status ct_text_lines(const char *text, const char *source, unsigned *line_p,
                             enum ct_status (*take)(void *taker, char *line), void *taker,
                             struct ct_error *err)
{
    enum ct_status status = CT_OK;
    *line_p = 0;
    while (*text && status == CT_OK) {
        char line[CT_TEXT_LINE_MAX];
        size_t n = strcspn(text, "\n");
        ++*line_p;
        snprintf(line, sizeof line, "%.*s", (int)(n < sizeof line ? n : 0), text);
        status = n < sizeof line ? take(taker, line)
                                 : ct_fail(err, CT_EFORMAT, "a line of %zu characters; at most %zu",
                                           n, sizeof line - 1);
        text += n + (text[n] == '\n');
    }
    return status == CT_OK ? CT_OK : ct_fail_within(err, status, "%s:%u", source, *line_p);
}

const char *ct_text_skip_mark(const char *text)
{
    return strncmp(text, "\xef\xbb\xbf", 3) == 0 ? text + 3 : text;
}

char *ct_text_trim(char *text)
{
    static const char blanks[] = " \t\r";
    text += strspn(text, blanks);
    size_t n = strlen(text);
    while (n > 0 && strchr(blanks, text[n - 1]))
        text[--n] = '\0';
    return text;
}

/* One row a length: the first byte under a mask, and the smallest code point. */
static const struct {
    unsigned char mask, value;
    unsigned long least;
} leads[] = {{0x80, 0x00, 0}, {0xe0, 0xc0, 0x80}, {0xf0, 0xe0, 0x800}, {0xf8, 0xf0, 0x10000}};

size_t ct_text_utf8(const char *text)
{
    const unsigned char *bytes = (const unsigned char *)text;
    if (*bytes == '\0')
        return 0;
    for (size_t n = 1; n <= sizeof leads / sizeof *leads; n++) {
        if ((bytes[0] & leads[n - 1].mask) != leads[n - 1].value)
            continue;
        unsigned long point = bytes[0] & (unsigned char)~leads[n - 1].mask;
        for (size_t i = 1; i < n; i++) {
            if ((bytes[i] & 0xc0) != 0x80)
                return 0;
            point = point << 6 | (bytes[i] & 0x3f);
        }
        bool is_surrogate = point >= 0xd800 && point <= 0xdfff;
        bool is_no_xml = point == 0xfffe || point == 0xffff;
        return point < leads[n - 1].least || point > 0x10ffff || is_surrogate || is_no_xml ? 0 : n;
    }
    return 0;
}

bool ct_text_ends_in(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);
    return n > m && strcmp(text + n - m, end) == 0;
}

enum ct_status ct_text_check_nesting(const char *text, size_t size, const char *source,
                                     struct ct_error *err)
{
    size_t depth = 0, line = 1;
    for (size_t i = 0; i < size; i++) {
        line += text[i] == '\n';
        if (text[i] == '[' || text[i] == '{')
            depth++;
        else if ((text[i] == ']' || text[i] == '}') && depth > 0)
            depth--;
        if (depth > CT_TEXT_NESTING_MAX)
            return ct_fail(err, CT_EFORMAT,
                           "%s:%zu: more than %d brackets are open within each other", source, line,
                           CT_TEXT_NESTING_MAX);
    }
    return CT_OK;
}

size_t ct_text_columns(const char *text)
{
    size_t n = 0;
    for (const char *p = text; *p; n++) {
        size_t length = ct_text_utf8(p);
        p += length > 0 ? length : 1;
    }
    return n;
}

void ct_text_wrap(const char *text, size_t column, size_t indent, size_t width, FILE *out)
{
    for (const char *p = text; *p; p += *p == '\n' ? 1 : strspn(p, " ")) {
        char word[CT_TEXT_LINE_MAX];
        size_t length = strcspn(p, " \n");
        if (!strncmp(p + length, " %", 2)) /* stays beside its number */
            length += 1 + strcspn(p + length + 1, " \n");
        snprintf(word, sizeof word, "%.*s", (int)length, p);
        size_t columns = ct_text_columns(word);
        if (column > indent && column + 1 + columns > width) {
            fputc('\n', out);
            column = 0;
        }
        if (length > 0) {
            size_t gap = column < indent ? indent - column : column > indent ? 1 : 0;
            fprintf(out, "%*s%.*s", (int)gap, "", (int)length, p);
            column += gap + columns;
        }
        p += length;
        if (*p == '\n') {
            fputc('\n', out);
            column = 0;
        }
    }
    fputc('\n', out);
}

size_t ct_text_width(FILE *out)
{
    enum { USUAL = 100, LEAST = 40, MOST = 100000 };
    const char *columns = getenv("COLUMNS");
    struct winsize window;
    unsigned long n = columns ? strtoul(columns, NULL, 10) : 0;
    if (n == 0 && fileno(out) >= 0 && isatty(fileno(out)) &&
        ioctl(fileno(out), TIOCGWINSZ, &window) == 0)
        n = window.ws_col;
    if (n == 0)
        n = USUAL;
    return n < LEAST ? LEAST : n > MOST ? MOST : n;
}

/* Damerau's and Levenshtein's, where no place is changed twice. Long texts are far apart. */
size_t ct_text_distance(const char *a, const char *b)
{
    enum { MOST = 64 };
    size_t n = strlen(a), m = strlen(b), d[MOST + 1][MOST + 1];
    if (n > MOST || m > MOST)
        return n > m ? n : m;
    for (size_t i = 0; i <= n; i++)
        for (size_t j = 0; j <= m; j++) {
            size_t least = i + j;
            if (i > 0 && j > 0) {
                least = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
                least = d[i - 1][j] + 1 < least ? d[i - 1][j] + 1 : least;
                least = d[i][j - 1] + 1 < least ? d[i][j - 1] + 1 : least;
            }
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
                d[i - 2][j - 2] + 1 < least)
                least = d[i - 2][j - 2] + 1;
            d[i][j] = least;
        }
    return d[n][m];
}

size_t ct_text_misspelt(const char *word)
{
    size_t length = strlen(word);
    return length < 4 ? 1 : length < 8 ? 2 : 3;
}

static const char *entity_of(char c)
{
    switch (c) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return NULL;
    }
}

void ct_text_html(const char *text, FILE *out)
{
    while (*text) {
        size_t n = ct_text_utf8(text);
        const char *entity = entity_of(*text);
        if (n == 0)
            fputc('?', out);
        else if ((unsigned char)*text < ' ' || *text == 0x7f)
            fputc(' ', out);
        else if (entity)
            fputs(entity, out);
        else
            fwrite(text, 1, n, out);
        text += n > 0 ? n : 1;
    }
}
