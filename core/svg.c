#include "core/svg.h"

#include "core/text.h"

#include <math.h>
#include <stdarg.h>

/* What varies is from files of users. */
static void __attribute__((format(printf, 2, 0)))
print_escaped(FILE *out, const char *format, va_list args)
{
    char text[4096];
    vsnprintf(text, sizeof text, format, args);
    ct_text_html(text, out);
}

void ct_svg_begin(FILE *out, double width, double height, int font_size)
{
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" viewBox=\"0 "
            "0 %.0f %.0f\" font-family=\"sans-serif\" font-size=\"%d\">\n<rect width=\"100%%\" "
            "height=\"100%%\" fill=\"white\"/>\n",
            width, height, width, height, font_size);
}

void ct_svg_title(FILE *out, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fputs("<title>", out);
    print_escaped(out, format, args);
    fputs("</title>", out);
    va_end(args);
}

void ct_svg_box(FILE *out, double x, double y, double width, double height, const char *fill,
                const char *more)
{
    fprintf(out, "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"%s\"%s/>\n", x,
            y, width, height, fill, more);
}

void ct_svg_line(FILE *out, double x1, double y1, double x2, double y2, const char *more)
{
    fprintf(out, "<line x1=\"%.2f\" y1=\"%.2f\" x2=\"%.2f\" y2=\"%.2f\"%s/>\n", x1, y1, x2, y2,
            more);
}

void ct_svg_text(FILE *out, double x, double y, const char *more, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fprintf(out, "<text x=\"%.2f\" y=\"%.2f\"%s>", x, y, more);
    print_escaped(out, format, args);
    fputs("</text>\n", out);
    va_end(args);
}

double ct_svg_text_width(const char *text, int font_size)
{
    size_t n = 0;
    for (; *text; text++)
        n += ((unsigned char)*text & 0xc0) != 0x80;
    return 0.6 * font_size * (double)n;
}

/* Between 5 and 25 marks. */
static double step_of(double span)
{
    double step = pow(10, floor(log10(span / 5)));
    if (span / step > 25)
        return step * 5;
    return span / step > 10 ? step * 2 : step;
}

void ct_svg_time_axis(FILE *out, double left, double top, double width, double height,
                      double from_ns, double span_ns)
{
    static const struct {
        const char *name;
        double ns;
    } units[] = {{"s", 1e9}, {"ms", 1e6}, {"us", 1e3}, {"ns", 1}};
    static const char centred[] = " text-anchor=\"middle\"";
    enum { N_UNITS = sizeof units / sizeof *units, MARKS_MAX = 50 };
    size_t u = 0;
    while (u + 1 < N_UNITS && span_ns < units[u].ns)
        u++;
    double step = step_of(span_ns / units[u].ns), bottom = top + height;
    double first = ceil(from_ns / units[u].ns / step - 1e-9);
    double per_ns = width / span_ns;
    for (int i = 0; i < MARKS_MAX; i++) {
        double at = (first + i) * step, x = left + (at * units[u].ns - from_ns) * per_ns;
        if (x > left + width + 0.5)
            break;
        ct_svg_line(out, x, bottom, x, bottom + 5, " stroke=\"black\"");
        ct_svg_text(out, x, bottom + 17, centred, "%.10g", at);
    }
    ct_svg_box(out, left, top, width, height, "none", " stroke=\"black\"");
    ct_svg_text(out, left + floor(width / 2), bottom + 35, centred, "time (%s)", units[u].name);
}
