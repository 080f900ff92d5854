#include "core/text.h"

#include <stdbool.h>
#include <string.h>

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

void ct_text_uri(const char *text, size_t size, FILE *out)
{
    static const char safe[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
    for (size_t i = 0; i < size; i++)
        if (text[i] && strchr(safe, text[i]))
            fputc(text[i], out);
        else
            fprintf(out, "%%%02X", (unsigned char)text[i]);
}
