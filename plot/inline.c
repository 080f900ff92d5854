/* From gnuplot's SVG to an element of a page. Only tags are looked at, so that text which looks
 * like an attribute stays as it is. */
#include "core/text.h"
#include "plot/plot.h"

#include <string.h>

static bool starts(const char *text, const char *with)
{
    return !strncmp(text, with, strlen(with));
}

/* Where an identifier begins: id="X", href="#X", url(#X). Returns the length of what is before. */
static size_t before_identifier(const char *tag)
{
    static const char *const openings[] = {" id=\"", " id='", "href=\"#", "href='#", "url(#"};
    for (size_t i = 0; i < sizeof openings / sizeof *openings; i++)
        if (starts(tag, openings[i]))
            return strlen(openings[i]);
    return 0;
}

/* One tag, from '<' to '>'; returns what follows it. */
static const char *print_tag(const char *tag, const char *id, FILE *out)
{
    char quote = '\0';
    for (; *tag; tag++) {
        size_t n = before_identifier(tag);
        if (n > 0 && (!quote || starts(tag, "url(#"))) {
            fprintf(out, "%.*s%s-", (int)n, tag, id);
            quote = starts(tag, "url(#") ? quote : tag[n - 1] == '#' ? tag[n - 2] : tag[n - 1];
            tag += n - 1;
            continue;
        }
        fputc(*tag, out);
        if (quote ? *tag == quote : *tag == '"' || *tag == '\'')
            quote = quote ? '\0' : *tag;
        else if (*tag == '>' && !quote)
            return tag + 1;
    }
    return tag;
}

/* The element that this is the start of, up to its end: gnuplot's own titles name its variables. */
static const char *skip_element(const char *svg, const char *end)
{
    const char *found = strstr(svg, end);
    return found ? found + strlen(end) : svg + strlen(svg);
}

/* gnuplot escapes all but '>', and "]]>" is not allowed in XML. */
static void print_character(char c, FILE *out)
{
    if (c == '>')
        fputs("&gt;", out);
    else
        fputc(c, out);
}

void ct_plot_inline(const char *svg, const char *id, const char *name, const char *about, FILE *out)
{
    const char *root = strstr(svg, "<svg");
    if (!root)
        return;
    fprintf(out, "<svg role=\"img\" aria-labelledby=\"%s-name\"%s%s%s", id,
            about ? " aria-describedby=\"" : "", about ? id : "", about ? "-about\"" : "");
    svg = print_tag(root + strlen("<svg"), id, out);
    fprintf(out, "\n<title id=\"%s-name\">", id);
    ct_text_html(name, out);
    fputs("</title>", out);
    if (about) {
        fprintf(out, "<desc id=\"%s-about\">", id);
        ct_text_html(about, out);
        fputs("</desc>", out);
    }
    while (*svg) {
        if (starts(svg, "<title>"))
            svg = skip_element(svg, "</title>");
        else if (starts(svg, "<desc>"))
            svg = skip_element(svg, "</desc>");
        else if (*svg == '<')
            svg = print_tag(svg, id, out);
        else
            print_character(*svg++, out);
    }
}
