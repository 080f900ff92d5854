#include "core/time_axis.h"

#include <math.h>
#include <stddef.h>

/* Between 5 and 25 marks. */
static double step_of(double span)
{
    double step = pow(10, floor(log10(span / 5)));
    if (span / step > 25)
        return step * 5;
    return span / step > 10 ? step * 2 : step;
}

void ct_time_axis_draw(const struct ct_time_axis *axis, FILE *out)
{
    static const struct {
        const char *name;
        double ns;
    } units[] = {{"s", 1e9}, {"ms", 1e6}, {"us", 1e3}, {"ns", 1}};
    enum { N_UNITS = sizeof units / sizeof *units, MARKS_MAX = 50 };
    size_t u = 0;
    while (u + 1 < N_UNITS && axis->span_ns < units[u].ns)
        u++;
    double step = step_of(axis->span_ns / units[u].ns), y = axis->bottom;
    double first = ceil(axis->from_ns / units[u].ns / step - 1e-9);
    double per_ns = axis->width / axis->span_ns;
    for (int i = 0; i < MARKS_MAX; i++) {
        double at = (first + i) * step,
               x = axis->left + (at * units[u].ns - axis->from_ns) * per_ns;
        if (x > axis->left + axis->width + 0.5)
            break;
        fprintf(out,
                "<line x1=\"%.2f\" y1=\"%.2f\" x2=\"%.2f\" y2=\"%.2f\" stroke=\"black\"/><text "
                "x=\"%.2f\" "
                "y=\"%.2f\" text-anchor=\"middle\">%.10g</text>\n",
                x, y, x, y + 5, x, y + 17, at);
    }
    fprintf(out,
            "<rect x=\"%.0f\" y=\"%.0f\" width=\"%.0f\" height=\"%.2f\" fill=\"none\" "
            "stroke=\"black\"/>\n"
            "<text x=\"%.0f\" y=\"%.2f\" text-anchor=\"middle\">time (%s)</text>\n",
            axis->left, axis->top, axis->width, y - axis->top, axis->left + floor(axis->width / 2),
            y + 35, units[u].name);
}
