#include "report/scan_page.h"

#include "core/svg.h"
#include "core/text.h"
#include "core/units.h"
#include "core/version.h"
#include "report/page_css.h"
#include "study/scan_gpcnet.h"
#include "study/scan_words.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- words ---- */

static void print_words(const struct ct_argv *words, bool is_seen, FILE *out)
{
    for (size_t i = 0; i < words->n; i++) {
        fputs(i == 0 ? is_seen ? "<p id=\"status\" class=\"fair\">"
                               : "<p id=\"status\" class=\"good\">"
                     : "<p>",
              out);
        ct_text_html(words->item[i], out);
        fputs("</p>\n", out);
    }
}

/* ---- factors ---- */

static void print_factor(const struct ct_scan_factor *factor, FILE *out)
{
    char text[CT_SCAN_FACTOR_MAX];
    ct_scan_factor_format(factor, text);
    fprintf(out, "<td class=\"number%s\">%s</td>", factor->interval.lo > 1 ? " over" : "", text);
}

static void print_row(const struct ct_scan_row *row, FILE *out)
{
    char text[CT_SCAN_TEXT_MAX], rate[CT_UNITS_TEXT_MAX];
    ct_scan_case_format(&row->scan_case, text);
    fprintf(out, "<tr><th scope=\"row\">%s", text);
    if (row->path_class > 0)
        fprintf(out, ", %d switch%s", row->path_class, row->path_class == 1 ? "" : "es");
    fputs("</th>", out);
    for (int i = 0; i < CT_N_SCAN_STATISTICS; i++)
        print_factor(&row->at[i], out);
    ct_format_rate_words(8 * row->node_bytes_per_s, rate);
    fprintf(out, "<td class=\"number\">%s</td>", row->node_bytes_per_s > 0 ? rate : "-");
    fprintf(out, "<td class=\"number\">%zu</td></tr>\n", row->n_rounds);
}

static void print_factors(const struct ct_scan_sheet *sheet, bool of_steady, FILE *out)
{
    fputs("<div class=\"wide\" tabindex=\"0\" role=\"group\" aria-label=\"factors\"><table "
          "style=\"--share:30%\">\n<thead><tr><th>cell</th><th>mean</th><th>median</th><th>99 "
          "%</th><th>a congestor node gets</th><th>rounds</th></tr></thead>\n<tbody>\n",
          out);
    for (size_t i = 0; i < sheet->n_rows; i++) {
        const struct ct_scan_row *row = &sheet->rows[i];
        bool is_first = row->path_class == -1 && ct_scan_is_steady(&row->scan_case.setting);
        if (row->scan_case.setting.congestor != CT_SCAN_WITH_NONE && is_first == of_steady)
            print_row(row, out);
    }
    fputs("</tbody></table></div>\n", out);
}

/* ---- as GPCNeT has it ---- */

static void print_gpcnet_value(const struct ct_scan_gpcnet_value *value, FILE *out)
{
    fprintf(out, "<td class=\"number\">%.4g</td><td class=\"number\">%.4g</td>", value->alone,
            value->beside);
    print_factor(&value->impact, out);
}

static void print_gpcnet(const struct ct_scan *scan, const struct ct_scan_sheet *sheet, FILE *out)
{
    struct ct_scan_gpcnet_row rows[CT_N_SCAN_CANARIES];
    size_t n = ct_scan_gpcnet_make(scan, sheet, rows);
    if (n == 0)
        return;
    fputs("<section>\n<h2>As GPCNeT defines it</h2>\n<p>Its four congestors at once, each on a "
          "quarter of the congestor nodes: alone, beside them, and congestion impact, which is the "
          "quotient.</p>\n<div class=\"wide\" tabindex=\"0\" role=\"group\" "
          "aria-label=\"GPCNeT\"><table>\n<thead><tr><th>network test</th><th>average, "
          "alone</th><th>beside</th><th>impact</th><th>99 %, alone</th><th>beside</th>"
          "<th>impact</th></tr></thead>\n<tbody>\n",
          out);
    for (size_t i = 0; i < n; i++) {
        fprintf(out, "<tr><th scope=\"row\">%s [%s]</th>", rows[i].name, rows[i].unit);
        print_gpcnet_value(&rows[i].average, out);
        print_gpcnet_value(&rows[i].p99, out);
        fputs("</tr>\n", out);
    }
    fputs("</tbody></table></div>\n</section>\n", out);
}

/* ---- applications ---- */

static void print_answer(const struct ct_scan_answer *answer, FILE *out)
{
    char text[CT_SCAN_ANSWER_MAX] = "-";
    if (answer)
        ct_scan_answer_format(answer, text);
    fprintf(out, "<td class=\"number%s\">%s</td>", answer && answer->interval.lo > 0 ? " over" : "",
            text);
}

/* Applications by loads: of steady congestors, or the others. */
static void print_answers(const struct ct_scan_sheet *sheet, bool of_steady, FILE *out)
{
    size_t first_end = ct_scan_answers_end(sheet, 0); /* all have the same loads */
    fputs("<div class=\"wide\" tabindex=\"0\" role=\"group\" aria-label=\"applications\"><table "
          "style=\"--share:30%\">\n<thead><tr><th>beside</th>",
          out);
    for (size_t from = 0; from < sheet->n_answers; from = ct_scan_answers_end(sheet, from)) {
        fputs("<th>", out);
        ct_text_html(sheet->answers[from].application, out);
        fputs("</th>", out);
    }
    fputs("</tr></thead>\n<tbody>\n", out);
    for (size_t i = 0; i < first_end; i++) {
        const struct ct_scan_setting *setting = &sheet->answers[i].setting;
        char text[CT_SCAN_TEXT_MAX];
        if (ct_scan_is_steady(setting) != of_steady)
            continue;
        ct_scan_setting_format(setting, text);
        fprintf(out, "<tr><th scope=\"row\">%s</th>", text);
        for (size_t from = 0, end; from < sheet->n_answers; from = end) {
            end = ct_scan_answers_end(sheet, from);
            print_answer(ct_scan_answer_find(&sheet->answers[from], end - from, setting), out);
        }
        fputs("</tr>\n", out);
    }
    fputs("</tbody></table></div>\n", out);
}

static void print_applications(const struct ct_scan_sheet *sheet, const struct ct_argv *words,
                               FILE *out)
{
    if (sheet->n_answers == 0)
        return;
    fputs("<section id=\"applications\">\n<h2>How much longer applications take</h2>\n", out);
    for (size_t i = 0; i < words->n; i++) {
        fputs("<p>", out);
        ct_text_html(words->item[i], out);
        fputs("</p>\n", out);
    }
    print_answers(sheet, true, out);
    fputs("<details><summary>Beside bursts, lower intensities and known loads</summary>", out);
    print_answers(sheet, false, out);
    fputs("</details>\n</section>\n", out);
}

/* ---- heat maps ---- */

enum { AXIS_MAX = 12 };

/* Different times of a map, ascending. */
struct axis {
    double at_s[AXIS_MAX];
    size_t n;
};

static void add_time(struct axis *axis, double time_s)
{
    size_t i = axis->n;
    for (size_t k = 0; k < axis->n; k++)
        if (fabs(axis->at_s[k] - time_s) <= 1e-3 * time_s)
            return;
    if (axis->n == AXIS_MAX)
        return;
    for (; i > 0 && axis->at_s[i - 1] > time_s; i--)
        axis->at_s[i] = axis->at_s[i - 1];
    axis->at_s[i] = time_s;
    axis->n++;
}

static bool is_of_map(const struct ct_scan_row *row, const struct ct_scan_case *map)
{
    return row->scan_case.canary == map->canary && row->path_class == -1 &&
           row->scan_case.setting.congestor == map->setting.congestor &&
           row->scan_case.setting.burst_s > 0 && row->scan_case.setting.intensity >= 1;
}

/* From white at 1 to dark orange at 3 and above; texts stay black on all of them. */
static void format_colour(double factor, char text[24])
{
    double share = fmin(fmax(log(factor) / log(3), 0), 1);
    snprintf(text, 24, "#%02x%02x%02x", (unsigned)(255 - 23 * share), (unsigned)(255 - 122 * share),
             (unsigned)(255 - 196 * share));
}

static void draw_map(const struct ct_scan_sheet *sheet, const struct ct_scan_case *map,
                     const struct axis *bursts, const struct axis *pauses, FILE *out)
{
    enum { LEFT = 74, TOP = 24, WIDTH = 76, HEIGHT = 36 };
    char text[CT_UNITS_TEXT_MAX], colour[24];
    ct_svg_begin(out, LEFT + WIDTH * (double)pauses->n + 8, TOP + HEIGHT * (double)bursts->n + 8,
                 12);
    ct_svg_text(out, 4, TOP - 8, "", "burst");
    for (size_t k = 0; k < pauses->n; k++) {
        ct_format_duration(pauses->at_s[k], text);
        ct_svg_text(out, LEFT + WIDTH * (double)k + 4, TOP - 8, "", "%s%s", k ? "" : "pause ",
                    text);
    }
    for (size_t b = 0; b < bursts->n; b++) {
        double y = TOP + HEIGHT * (double)b;
        ct_format_duration(bursts->at_s[b], text);
        ct_svg_text(out, 4, y + HEIGHT / 2.0 + 4, "", "%s", text);
        for (size_t k = 0; k < pauses->n; k++) {
            struct ct_scan_case cell = *map;
            cell.setting = (struct ct_scan_setting){.congestor = map->setting.congestor,
                                                    .burst_s = bursts->at_s[b],
                                                    .pause_s = pauses->at_s[k],
                                                    .intensity = 1};
            const struct ct_scan_row *row = ct_scan_sheet_find(sheet, &cell, -1);
            double x = LEFT + WIDTH * (double)k;
            if (!row)
                continue;
            const struct ct_scan_factor *factor = &row->at[CT_SCAN_MEAN];
            format_colour(factor->value, colour);
            ct_svg_box(out, x, y, WIDTH - 2, HEIGHT - 2, colour, "");
            ct_svg_text(out, x + 4, y + 15, "", "%.3g", factor->value);
            ct_svg_text(out, x + 4, y + 29, "", "%.3g–%.3g", factor->interval.lo,
                        factor->interval.hi);
        }
    }
    fputs("</svg>\n", out);
}

static size_t print_map(const struct ct_scan_sheet *sheet, const struct ct_scan_case *map,
                        FILE *out)
{
    struct axis bursts = {0}, pauses = {0};
    for (size_t i = 0; i < sheet->n_rows; i++)
        if (is_of_map(&sheet->rows[i], map)) {
            add_time(&bursts, sheet->rows[i].scan_case.setting.burst_s);
            add_time(&pauses, sheet->rows[i].scan_case.setting.pause_s);
        }
    if (bursts.n == 0)
        return 0;
    fprintf(out,
            "<figure><figcaption>%s beside bursts of %s: mean, and its interval"
            "</figcaption>\n",
            ct_scan_canary_names[map->canary], ct_scan_congestor_names[map->setting.congestor]);
    draw_map(sheet, map, &bursts, &pauses, out);
    fputs("</figure>\n", out);
    return 1;
}

static void print_maps(const struct ct_scan_sheet *sheet, FILE *out)
{
    size_t n = 0;
    fputs("<section id=\"pictures\">\n<h2>Bursts and pauses</h2>\n<div class=\"side\">\n", out);
    for (int i = 0; i < CT_N_SCAN_CANARIES; i++)
        for (int k = CT_SCAN_WITH_NONE + 1; k < CT_N_SCAN_CONGESTORS; k++) {
            const struct ct_scan_case map = {(enum ct_scan_canary)i,
                                             {.congestor = (enum ct_scan_congestor)k}};
            n += print_map(sheet, &map, out);
        }
    if (n == 0)
        fputs("<p>No cell of this scan has bursts: a longer --time has them, or --cells.</p>", out);
    fputs("</div>\n</section>\n", out);
}

/* ---- sealed predictions ---- */

static void print_prediction(const struct ct_scan_prediction *item, FILE *out)
{
    char text[CT_SCAN_SEAL_LINE];
    bool is_hit = ct_scan_prediction_is_hit(item);
    ct_scan_prediction_format(item, text);
    fprintf(out,
            "<tr><th scope=\"row\">%s</th><td class=\"number\">%.5g</td><td "
            "class=\"number\">%.5g–%.5g</td>",
            text, item->value, item->interval.lo, item->interval.hi);
    if (item->n_rounds == 0)
        fputs("<td>not measured</td><td></td></tr>\n", out);
    else
        fprintf(out,
                "<td class=\"number\">%.5g</td><td class=\"number%s\">%s, %zu of %zu</td></tr>\n",
                item->measured, is_hit ? "" : " over", is_hit ? "hit" : "miss", item->n_inside,
                item->n_rounds);
}

static void print_seal(const struct ct_scan_seal *seal, FILE *out)
{
    fprintf(out,
            "<section id=\"sealed\">\n<h2>Predictions that were sealed before these rounds</h2>\n"
            "<p>Of the first %zu rounds beside congestors, SHA-256 %s. Measured is the "
            "geometric mean of the rounds since; a hit has it in the interval. Of single rounds %g "
            "%% should be in it.</p>\n<details><summary>%zu predictions</summary>\n<div "
            "class=\"wide\" tabindex=\"0\" role=\"group\" aria-label=\"predictions\"><table "
            "style=\"--share:36%%\">\n<thead><tr><th>model, cell</th><th>predicted</th>"
            "<th>interval</th><th>measured</th><th>rounds in it</th></tr></thead>\n<tbody>\n",
            seal->n_made_of, seal->digest, 100 * seal->level, seal->n);
    for (size_t i = 0; i < seal->n; i++)
        print_prediction(&seal->items[i], out);
    fputs("</tbody></table></div>\n</details>\n</section>\n", out);
}

/* ---- the page ---- */

/* Sentences on the fabric, and on applications. */
struct page_words {
    struct ct_argv fabric, applications;
};

static void print_page(const struct ct_scan *scan, const struct ct_scan_sheet *sheet,
                       const struct ct_scan_seal *seal, const struct page_words *words, FILE *out)
{
    char nothing[400];
    fprintf(out,
            "<!DOCTYPE html>\n<html lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\">\n<head>\n"
            "<meta charset=\"utf-8\"/>\n<meta name=\"viewport\" "
            "content=\"width=device-width, initial-scale=1\"/>\n"
            "<meta name=\"color-scheme\" content=\"light dark\"/>\n"
            "<link rel=\"icon\" href=\"data:,\"/>\n<title>crosstalk scan</title>\n"
            "<style>\n%s</style>\n</head>\n<body>\n<header><h1>A fabric under load</h1>\n"
            "<p id=\"made\">crosstalk " CT_VERSION ", %zu nodes, %zu rounds</p></header>\n<main>\n",
            page_css, scan->n_nodes, scan->n_rounds);
    print_words(&words->fabric, !ct_scan_explain_nothing(scan, sheet, nothing, sizeof nothing),
                out);
    fputs(
        "<section id=\"answer\">\n<h2>How much longer calls take beside each congestor</h2>\n"
        "<p>Time beside the congestor by that alone, of the same nodes and round; intervals of 95 "
        "%. Orange: above 1 by the whole interval.</p>\n",
        out);
    print_factors(sheet, true, out);
    fputs("</section>\n", out);
    print_gpcnet(scan, sheet, out);
    print_applications(sheet, &words->applications, out);
    print_maps(sheet, out);
    if (seal)
        print_seal(seal, out);
    fputs("<details><summary>Bursts, lower intensities, known loads, and paths by the switches "
          "between</summary>",
          out);
    print_factors(sheet, false, out);
    fputs("</details>\n</main>\n</body>\n</html>\n", out);
}

enum ct_status ct_scan_page_make(const struct ct_scan *scan, const struct ct_scan_sheet *sheet,
                                 const struct ct_scan_comparison *comparison,
                                 const struct ct_scan_seal *seal, char **html_p,
                                 struct ct_error *err)
{
    char *html = NULL;
    size_t size;
    struct page_words words = {0};
    ct_scan_words(scan, sheet, comparison, &words.fabric);
    if (seal)
        ct_scan_seal_words(seal, &words.fabric);
    ct_scan_applications_words(sheet, &words.applications);
    bool is_enough = !words.fabric.failed && !words.applications.failed;
    FILE *out = is_enough ? open_memstream(&html, &size) : NULL;
    if (out)
        print_page(scan, sheet, seal, &words, out);
    bool has_failed = !out || ferror(out) != 0;
    if (out && fclose(out) != 0)
        has_failed = true;
    ct_argv_free(&words.fabric);
    ct_argv_free(&words.applications);
    if (has_failed) {
        free(html);
        return ct_no_memory(err, "page");
    }
    *html_p = html;
    return CT_OK;
}
