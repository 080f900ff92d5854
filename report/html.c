#include "report/html.h"

#include "core/file.h"
#include "core/text.h"
#include "core/version.h"
#include "report/page_css.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static void print_element(struct ct_html *page, const char *opening, const char *text,
                          const char *closing)
{
    fputs(opening, page->out);
    ct_text_html(text, page->out);
    fputs(closing, page->out);
}

/* Well-formed XML too, so that any parser can check it. */
void ct_html_open(struct ct_html *page, const char *title)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\">\n<head>\n"
          "<meta charset=\"utf-8\"/>\n<meta name=\"viewport\" "
          "content=\"width=device-width, initial-scale=1\"/>\n"
          "<meta name=\"generator\" content=\"crosstalk " CT_VERSION "\"/>\n"
          "<link rel=\"icon\" href=\"data:,\"/>\n",
          page->out);
    print_element(page, "<title>", title, "</title>\n");
    fprintf(page->out, "<style>\n%s</style>\n</head>\n<body>\n", page_css);
}

void ct_html_close(struct ct_html *page)
{
    fputs("</body>\n</html>\n", page->out);
}

void ct_html_section_open(struct ct_html *page, const char *id, const char *title)
{
    fprintf(page->out, "<section id=\"%s\">\n", id);
    print_element(page, "<h2>", title, "</h2>\n");
}

void ct_html_section_close(struct ct_html *page)
{
    fputs("</section>\n", page->out);
}

void ct_html_heading(struct ct_html *page, const char *text)
{
    print_element(page, "<h3>", text, "</h3>\n");
}

__attribute__((format(printf, 3, 0))) static void
print_paragraph(struct ct_html *page, const char *opening, const char *format, va_list args)
{
    char *text;
    if (vasprintf(&text, format, args) < 0)
        return;
    print_element(page, opening, text, "</p>\n");
    free(text);
}

void ct_html_say(struct ct_html *page, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    print_paragraph(page, "<p>", format, args);
    va_end(args);
}

void ct_html_missing(struct ct_html *page, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    print_paragraph(page, "<p class=\"missing\">", format, args);
    va_end(args);
}

void ct_html_grid_open(struct ct_html *page, bool is_small)
{
    fprintf(page->out, "<div class=\"grid%s\">\n", is_small ? " small" : "");
}

void ct_html_grid_close(struct ct_html *page)
{
    fputs("</div>\n", page->out);
}

void ct_html_fold_open(struct ct_html *page, const char *summary)
{
    print_element(page, "<details>\n<summary>", summary, "</summary>\n");
}

void ct_html_fold_close(struct ct_html *page)
{
    fputs("</details>\n", page->out);
}

/* ---- downloads ---- */

/* Other characters than these have a meaning in the names of files somewhere. */
static void print_file_name(const char *text, FILE *out)
{
    for (; *text; text++)
        fputc(isalnum((unsigned char)*text) || strchr("-_.", *text) ? *text : '_', out);
}

void ct_html_download(struct ct_html *page, const char *file_name, const char *type,
                      const char *words, const char *text)
{
    fputs("<a class=\"download\" download=\"", page->out);
    print_file_name(page->name, page->out);
    fputc('-', page->out);
    print_file_name(file_name, page->out);
    fprintf(page->out, "\" href=\"data:%s;charset=utf-8,", type);
    ct_text_uri(text, strlen(text), page->out);
    print_element(page, "\">", words, "</a>");
}

static enum ct_status print_csv_link(struct ct_html *page, const char *id, struct ct_tables *data,
                                     struct ct_error *err)
{
    char *text = NULL, name[128];
    size_t size;
    FILE *memory = open_memstream(&text, &size);
    if (!memory)
        return ct_no_memory(err, "%s", id);
    enum ct_status status = ct_tables_print_as(data, CT_FORMAT_CSV, memory, err);
    if (fclose(memory) != 0 && status == CT_OK)
        status = ct_no_memory(err, "%s", id);
    if (status == CT_OK) {
        snprintf(name, sizeof name, "%s.csv", id);
        ct_html_download(page, name, "text/csv", "data (CSV)", text);
    }
    free(text);
    return status;
}

/* ---- figures and tables ---- */

static enum ct_status write_file(const struct ct_html *page, const char *id, const char *svg,
                                 struct ct_error *err)
{
    char *path;
    if (asprintf(&path, "%s/%s.svg", page->figures, id) < 0)
        return ct_no_memory(err, "%s", id);
    enum ct_status status = ct_file_save(path, svg, strlen(svg), err);
    free(path);
    return status;
}

static enum ct_status draw_figure(const struct ct_html_figure *figure, char **svg_p,
                                  struct ct_error *err)
{
    if (figure->stacked)
        return ct_stacked_draw(figure->stacked, svg_p, err);
    if (figure->plot)
        return ct_plot_draw(figure->plot, svg_p, err);
    *svg_p = strdup(figure->svg);
    return *svg_p ? CT_OK : ct_no_memory(err, "figure");
}

enum ct_status ct_html_figure(struct ct_html *page, const struct ct_html_figure *figure,
                              struct ct_error *err)
{
    char *svg;
    enum ct_status status = draw_figure(figure, &svg, err);
    if (status == CT_OK && page->figures &&
        (status = write_file(page, figure->id, svg, err)) != CT_OK)
        free(svg);
    if (status != CT_OK)
        return status;
    page->n_figures++;
    fprintf(page->out, "<figure id=\"%s\">\n<div class=\"drawing\">\n", figure->id);
    ct_plot_inline(svg, figure->id, figure->name, figure->about, page->out);
    free(svg);
    fprintf(page->out, "</div>\n<figcaption><b>Figure %zu. ", page->n_figures);
    ct_text_html(figure->name, page->out);
    fputs(".</b> ", page->out);
    if (figure->about)
        ct_text_html(figure->about, page->out);
    fputc(' ', page->out);
    if (figure->data)
        status = print_csv_link(page, figure->id, figure->data, err);
    fputs("</figcaption>\n</figure>\n", page->out);
    return status;
}

enum ct_status ct_html_table(struct ct_html *page, const char *id, struct ct_tables *data,
                             struct ct_error *err)
{
    fprintf(page->out, "<div class=\"table\" id=\"%s\">\n", id);
    enum ct_status status = ct_tables_print_as(data, CT_FORMAT_HTML, page->out, err);
    fputs("</div>\n<p>", page->out);
    if (status == CT_OK)
        status = print_csv_link(page, id, data, err);
    fputs("</p>\n", page->out);
    return status;
}
