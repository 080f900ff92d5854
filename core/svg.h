/**
 * Figures as SVG, piece by piece. Lengths are points with two decimals; texts are escaped, and cut
 * after 4 kB. `more` are further attributes, each after a blank. Errors of the stream are the
 * caller's.
 */
#pragma once

#include <stdio.h>

/** The root, white, with texts of that size; ends with fputs("</svg>\n", out). */
void ct_svg_begin(FILE *out, double width, double height, int font_size);
/** What the element that was begun last is called: a tooltip. */
void ct_svg_title(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));
void ct_svg_box(FILE *out, double x, double y, double width, double height, const char *fill,
                const char *more);
void ct_svg_line(FILE *out, double x1, double y1, double x2, double y2, const char *more);
/** From x on, on the line y. */
void ct_svg_text(FILE *out, double x, double y, const char *more, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
/** Width of a text, as letters without serifs have it in the mean. */
double ct_svg_text_width(const char *text, int font_size);

/** A frame with an axis of time, which needs 44 points below it. @param span_ns  [in] above 0 */
void ct_svg_time_axis(FILE *out, double left, double top, double width, double height,
                      double from_ns, double span_ns);
