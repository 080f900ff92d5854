#include "report/picture.h"

#include "core/svg.h"
#include "core/text.h"

#include <math.h>
#include <string.h>

enum { FONT = 14, SMALL = 12, GAP = 40, ROW = 26, LABEL_MAX = 150, TITLE = 30, LEGEND = 60 };

/* Cells are small where there are many. */
enum { APPS_FULL = 12 };
struct cell {
    double width, height;
    bool has_words;
};

static struct cell cell_of(size_t n_apps)
{
    return n_apps <= APPS_FULL ? (struct cell){88, 60, true} : (struct cell){46, 22, false};
}

/* ---- words ---- */

/* "+7 %", with one decimal below 10 %; "?": not known. */
static void format_percent(double frac, char text[32])
{
    double percent = 100 * frac;
    if (isnan(frac))
        snprintf(text, 32, "?");
    else if (fabs(percent) < 0.05)
        snprintf(text, 32, "0 %%");
    else
        snprintf(text, 32, fabs(percent) < 9.95 ? "%+.1f %%" : "%+.0f %%", percent);
}

/* "3.1 to 5.7", without "-0.0"; "": none. */
static void format_interval(struct ct_interval interval, char text[32])
{
    int decimals = fmax(fabs(interval.lo), fabs(interval.hi)) < 0.0995 ? 1 : 0;
    double unit = decimals ? 1000 : 100, lo = round(unit * interval.lo) / (unit / 100) + 0.0,
           hi = round(unit * interval.hi) / (unit / 100) + 0.0;
    *text = '\0';
    if (!isnan(lo) && !isnan(hi))
        snprintf(text, 32, "%.*f to %.*f", decimals, lo, decimals, hi);
}

/* The text, or its beginning with an ellipsis, at most that wide. */
static void cut_text(const char *text, double width, char cut[256])
{
    size_t n = 0;
    snprintf(cut, 256, "%s", text);
    if (strlen(text) < 256 && ct_svg_text_width(text, FONT) <= width)
        return;
    for (size_t length; n < 240 && text[n]; n += length) {
        length = ct_text_utf8(text + n) ? ct_text_utf8(text + n) : 1;
        snprintf(cut, n + length + 1, "%s", text);
        if (ct_svg_text_width(cut, FONT) > width - FONT)
            break;
    }
    snprintf(cut + n, 256 - n, "\342\200\246");
}

/* ---- the matrix ---- */

/* Acceptable: one colour; beyond the limit the darker the larger, up to 30 times the limit. */
static void choose_shade(const struct ct_judged *judged, double limit_frac, char colour[8])
{
    static const double from[] = {253, 229, 208}, to[] = {232, 133, 59};
    double t = log(judged->frac / limit_frac) / log(30);
    t = t < 1 ? t : 1;
    if (isnan(judged->frac))
        snprintf(colour, 8, "#eeeeee");
    else if (judged->frac <= limit_frac)
        snprintf(colour, 8, "#d6e9f6");
    else
        snprintf(colour, 8, "#%02x%02x%02x", (unsigned)(from[0] + t * (to[0] - from[0])),
                 (unsigned)(from[1] + t * (to[1] - from[1])),
                 (unsigned)(from[2] + t * (to[2] - from[2])));
}

static void draw_cell(const struct ct_page_part *part, size_t app, size_t with, double x, double y,
                      FILE *out)
{
    const struct ct_judged *judged = ct_page_judged(part, app, with);
    const struct cell cell = cell_of(ct_page_n_apps(part));
    char colour[8], percent[32];
    double middle = x + cell.width / 2;
    choose_shade(judged, part->settings->acceptable_frac, colour);
    format_percent(judged->frac, percent);
    fputs("<g>", out);
    ct_svg_title(out, "%s beside %s: %s, %s", ct_page_app(part, app), ct_page_app(part, with),
                 percent, ct_verdict_key(judged->verdict));
    ct_svg_box(out, x, y, cell.width - 2, cell.height - 2, colour, "");
    if (judged->verdict == CT_VERDICT_DISTURBED)
        ct_svg_box(out, x, y, cell.width - 2, cell.height - 2, "url(#hatch)", "");
    if (!cell.has_words) {
        ct_svg_text(out, middle, y + 15, " text-anchor=\"middle\" font-size=\"11\"", "%s", percent);
    } else {
        ct_svg_text(out, middle, y + 19, " text-anchor=\"middle\" font-weight=\"bold\"", "%s%s",
                    percent, judged->is_measured || isnan(judged->frac) ? "" : "*");
        format_interval(judged->interval, percent);
        ct_svg_text(out, middle, y + 35, " text-anchor=\"middle\" font-size=\"12\"", "%s", percent);
        ct_svg_text(out, middle, y + 51, " text-anchor=\"middle\" font-size=\"12\"", "%s",
                    ct_verdict_key(judged->verdict));
    }
    fputs("</g>\n", out);
}

static double label_width(const struct ct_page_part *part)
{
    double most = 40;
    for (size_t app = 0; app < ct_page_n_apps(part); app++)
        most = fmax(most, ct_svg_text_width(ct_page_app(part, app), FONT));
    return fmin(most, LABEL_MAX) + 12;
}

static double matrix_width(const struct ct_page_part *part)
{
    size_t n = ct_page_n_apps(part);
    double cells = cell_of(n).width * (double)n;
    return label_width(part) + fmax(cells, 230);
}

static double matrix_height(const struct ct_page_part *part)
{
    size_t n = ct_page_n_apps(part);
    return TITLE + ROW + cell_of(n).height * (double)n;
}

static void draw_matrix(const struct ct_page_part *part, double x, double y, FILE *out)
{
    size_t n = ct_page_n_apps(part);
    const struct cell cell = cell_of(n);
    double left = x + label_width(part);
    char name[256];
    cut_text(part->placement && *part->placement
                 ? part->placement
                 : "Slowdown of the row beside the column, its interval, verdict",
             matrix_width(part), name);
    ct_svg_text(out, x, y + 18, " font-weight=\"bold\"", "%s", name);
    y += TITLE;
    for (size_t i = 0; i < n; i++) {
        cut_text(ct_page_app(part, i), cell.width - 6, name);
        ct_svg_text(out, left + ((double)i + 0.5) * cell.width, y + 16, " text-anchor=\"middle\"",
                    "%s", name);
        cut_text(ct_page_app(part, i), LABEL_MAX, name);
        ct_svg_text(out, left - 10, y + ROW + ((double)i + 0.5) * cell.height + 5,
                    " text-anchor=\"end\"", "%s", name);
        for (size_t with = 0; with < n; with++)
            draw_cell(part, i, with, left + (double)with * cell.width,
                      y + ROW + (double)i * cell.height, out);
    }
}

static void draw_legend(double x, double y, double limit_frac, FILE *out)
{
    static const struct {
        double times;
        bool is_disturbed;
    } keys[] = {{1, false}, {1.01, false}, {30, false}, {1, true}};
    char words[4][64];
    snprintf(words[0], sizeof *words, "up to %g %%", 100 * limit_frac);
    snprintf(words[1], sizeof *words, "more");
    snprintf(words[2], sizeof *words, "%g %% or more", 3000 * limit_frac);
    snprintf(words[3], sizeof *words, "disturbed");
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const struct ct_judged judged = {.frac = keys[i].times * limit_frac};
        char colour[8];
        choose_shade(&judged, limit_frac, colour);
        ct_svg_box(out, x, y, 18, 14, colour, " stroke=\"#767676\"");
        if (keys[i].is_disturbed)
            ct_svg_box(out, x, y, 18, 14, "url(#hatch)", "");
        ct_svg_text(out, x + 24, y + 12, " font-size=\"12\"", "%s", words[i]);
        x += 44 + ct_svg_text_width(words[i], SMALL);
    }
}

void ct_page_draw_matrix(const struct ct_page_part *parts, size_t n_parts, FILE *out)
{
    double width = GAP / 2.0, height = 0;
    for (size_t i = 0; i < n_parts; i++)
        if (parts[i].is_analysed) {
            width += matrix_width(&parts[i]) + GAP;
            height = fmax(height, matrix_height(&parts[i]));
        }
    ct_svg_begin(out, fmax(width, 460), height + LEGEND, FONT);
    fputs("<defs><pattern id=\"hatch\" width=\"7\" height=\"7\" patternUnits=\"userSpaceOnUse\" "
          "patternTransform=\"rotate(45)\"><rect width=\"2\" height=\"7\" fill=\"#1a1a1a\" "
          "fill-opacity=\"0.3\"/></pattern></defs>\n",
          out);
    double x = GAP / 2.0;
    for (size_t i = 0; i < n_parts; i++)
        if (parts[i].is_analysed) {
            draw_matrix(&parts[i], x, 8, out);
            x += matrix_width(&parts[i]) + GAP;
        }
    draw_legend(GAP / 2.0, height + 22, parts[0].settings->acceptable_frac, out);
    fputs("</svg>\n", out);
}

/* ---- the groups ---- */

enum { BOX = 210, BOX_GAP = 12, BOXES_IN_ROW = 4 };

static size_t count_boxes(const struct ct_page_part *part)
{
    size_t n = 0;
    for (size_t i = 0; i < part->advice.n; i++)
        n += i == 0 || part->advice.rows[i].number != part->advice.rows[i - 1].number;
    return n;
}

static size_t find_box_end(const struct ct_advice *advice, size_t first)
{
    size_t end = first;
    while (end < advice->n && advice->rows[end].number == advice->rows[first].number)
        end++;
    return end;
}

/* Applications first..end - 1 of the advice, and the largest slowdown among them. */
static void draw_box(const struct ct_page_part *part, size_t first, size_t end, double x, double y,
                     FILE *out)
{
    const struct ct_advice_row *rows = part->advice.rows;
    const struct ct_judged *worst = NULL;
    char name[256], percent[32], colour[8] = "#d6e9f6";
    for (size_t i = first; i < end; i++)
        for (size_t k = first; k < end; k++) {
            const struct ct_judged *one =
                ct_page_judged(part, rows[i].question.app, rows[k].question.app);
            if (i != k && (!worst || one->frac > worst->frac))
                worst = one;
        }
    if (worst)
        choose_shade(worst, part->settings->acceptable_frac, colour);
    ct_svg_box(out, x, y, BOX, 24 * (double)(end - first) + 34, colour, " rx=\"4\"");
    for (size_t i = first; i < end; i++) {
        cut_text(ct_page_app(part, rows[i].question.app), BOX - 20, name);
        ct_svg_text(out, x + 10, y + 22 + 24 * (double)(i - first), " font-weight=\"bold\"", "%s",
                    name);
    }
    format_percent(worst ? worst->frac : 0, percent);
    ct_svg_text(out, x + 10, y + 22 + 24 * (double)(end - first), " font-size=\"12\"", "%s %s",
                worst ? "at most" : "alone:", percent);
}

void ct_page_draw_groups(const struct ct_page_part *parts, size_t n_parts, FILE *out)
{
    enum { STEP = 92 };
    double height = 8, in_row = 2; /* room for a title */
    for (size_t i = 0; i < n_parts; i++) {
        double n = (double)count_boxes(&parts[i]);
        in_row = fmax(in_row, fmin(n, BOXES_IN_ROW));
        if (n > 0)
            height += TITLE + STEP * ceil(n / BOXES_IN_ROW);
    }
    ct_svg_begin(out, GAP + in_row * (BOX + BOX_GAP), height + 8, FONT);
    double y = 8;
    for (size_t i = 0; i < n_parts; i++) {
        const struct ct_page_part *part = &parts[i];
        size_t n = 0;
        if (part->advice.n == 0)
            continue;
        ct_svg_text(out, GAP / 2.0, y + 18, " font-weight=\"bold\"", "%s%s",
                    part->placement && *part->placement ? part->placement : "Two at a time",
                    ": least slowdown together");
        y += TITLE;
        for (size_t first = 0, end; first < part->advice.n; first = end, n++) {
            end = find_box_end(&part->advice, first);
            draw_box(part, first, end, GAP / 2.0 + (double)(n % BOXES_IN_ROW) * (BOX + BOX_GAP),
                     y + STEP * floor((double)n / BOXES_IN_ROW), out);
        }
        y += STEP * ceil((double)n / BOXES_IN_ROW);
    }
    fputs("</svg>\n", out);
}
