#include "report/page.h"

#include "core/text.h"
#include "core/version.h"
#include "report/page_css.h"
#include "report/page_js.h"
#include "report/part.h"
#include "report/picture.h"
#include "study/describe.h"
#include "study/placements.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Everything that is written. */
struct draft {
    const struct ct_page_settings *settings;
    struct ct_page_part *parts;
    size_t n_parts;
    char *name; /* of the campaign */
};

/* ---- reading ---- */

/* Last part of a path. */
static char *name_of(const char *path)
{
    size_t end = strlen(path);
    while (end > 1 && path[end - 1] == '/')
        end--;
    size_t first = end;
    while (first > 0 && path[first - 1] != '/')
        first--;
    return first < end ? strndup(path + first, end - first) : strdup(path);
}

/* Placements of which each is a part; none for the one that was asked for, or the only one. */
static enum ct_status list_placements(const struct ct_page_settings *settings,
                                      struct ct_argv *names, struct ct_error *err)
{
    if (settings->placement) {
        ct_argv_add(names, "%s", settings->placement);
        return names->failed ? ct_no_memory(err, "%s", settings->directory) : CT_OK;
    }
    return ct_placements_read(settings->directory, names, err);
}

static enum ct_status read_parts(struct draft *draft, const struct ct_argv *names,
                                 struct ct_error *err)
{
    draft->parts = calloc(names->n + 1, sizeof *draft->parts);
    if (!draft->parts)
        return ct_no_memory(err, "%s", draft->settings->directory);
    for (size_t i = 0; i < names->n; i++)
        CT_TRY(ct_page_part_read(draft->settings, names->item[i], &draft->parts[draft->n_parts++],
                                 err));
    return CT_OK;
}

/* ---- data ---- */

static enum ct_status write_part(const struct ct_page_part *part, struct ct_json *into,
                                 struct ct_error *err)
{
    static ct_page_writer *const writers[] = {ct_page_write_pairs,  ct_page_write_loads,
                                              ct_page_write_times,  ct_page_write_tolerance,
                                              ct_page_write_models, ct_page_write_provenance};
    char question[600];
    ct_page_describe_question(part, question, sizeof question);
    ct_json_put(into, "placement", ct_json_text(part->placement));
    ct_json_put(into, "question", ct_json_text(question));
    ct_json_put(into, "shared", ct_json_text(ct_shared_key(part->session.study.shared)));
    if (!part->is_analysed)
        ct_json_put(into, "why_not", ct_json_text(part->why_not.text));
    for (size_t i = 0; i < sizeof writers / sizeof *writers; i++)
        CT_TRY(writers[i](part, into, err));
    return CT_OK;
}

/* What others did to the measurements; false: nothing that is known. */
static bool describe_busy(const struct draft *draft, char text[CT_DESCRIPTION_MAX])
{
    for (size_t i = 0; i < draft->n_parts; i++)
        if (ct_describe_busy(&draft->parts[i].session.study, text))
            return true;
    return false;
}

static enum ct_status write_data(const struct draft *draft, struct ct_json *root,
                                 struct ct_error *err)
{
    const struct ct_page_settings *settings = draft->settings;
    ct_json_put(root, "crosstalk", ct_json_text(CT_VERSION));
    ct_json_put(root, "name", ct_json_text(draft->name));
    ct_json_put(root, "directory", ct_json_text(settings->directory));
    ct_json_put(root, "network", ct_json_text(settings->network ? settings->network : ""));
    ct_json_put(root, "file", ct_json_text(settings->file ? settings->file : ""));
    ct_json_put(root, "limit", ct_page_number(settings->acceptable_frac));
    ct_json_put(root, "level", ct_page_number(settings->bootstrap.level));
    char busy[CT_DESCRIPTION_MAX] = "";
    describe_busy(draft, busy);
    ct_json_put(root, "busy", ct_json_text(busy));
    struct ct_json *warnings = ct_json_put(root, "warnings", ct_json_array());
    for (size_t i = 0; i < settings->n_warnings; i++)
        ct_json_append(warnings, ct_json_text(settings->warnings[i]));
    struct ct_json *parts = ct_json_put(root, "placements", ct_json_array());
    for (size_t i = 0; i < draft->n_parts; i++)
        CT_TRY(write_part(&draft->parts[i], ct_json_append(parts, ct_json_object()), err));
    return CT_OK;
}

/* As text of a script element, in HTML and in XML: no character of it can end the element. Members
 * stand on lines of their own; the tabs before them are left out. */
static void print_inside_script(const char *json, FILE *out)
{
    for (; *json; json++)
        if (*json == '<' || *json == '>' || *json == '&')
            fprintf(out, "\\u%04x", (unsigned)*json);
        else if (*json != '\t')
            fputc(*json, out);
}

static enum ct_status print_data(const struct draft *draft, FILE *out, struct ct_error *err)
{
    char *text = NULL;
    size_t size = 0;
    struct ct_json *root = ct_json_object();
    enum ct_status status = write_data(draft, root, err);
    FILE *memory = status == CT_OK ? open_memstream(&text, &size) : NULL;
    if (status == CT_OK && !memory)
        status = CT_ENOMEM;
    if (memory) {
        status = ct_json_print(root, memory);
        if (fclose(memory) != 0)
            status = CT_ENOMEM;
        if (status != CT_OK)
            ct_no_memory(err, "%s", draft->settings->directory);
    }
    if (status == CT_OK)
        print_inside_script(text, out);
    free(text);
    ct_json_free(root);
    return status;
}

/* ---- words ---- */

static void print_text(const char *opening, const char *text, const char *closing, FILE *out)
{
    fputs(opening, out);
    ct_text_html(text, out);
    fputs(closing, out);
}

/* Of the slowdowns of all parts. */
struct counts {
    size_t n, n_measured, n_disturbed, n_unwatched;
    size_t of[CT_N_VERDICTS]; /* pairs */
    size_t n_pairs;
    double explained_frac; /* the most that disturbances may explain of a measured slowdown */
};

static void count_part(const struct ct_page_part *part, struct counts *counts)
{
    for (size_t i = 0; i < part->n_verdicts; i++) {
        const struct ct_pair_verdict *pair = &part->verdicts[i];
        counts->of[pair->verdict]++;
        counts->n_pairs++;
        for (size_t k = 0; k < (pair->app[0] == pair->app[1] ? 1 : 2); k++) {
            counts->n++;
            counts->n_measured += pair->judged[k].is_measured;
            counts->n_disturbed += pair->judged[k].verdict == CT_VERDICT_DISTURBED;
            counts->explained_frac = fmax(counts->explained_frac, pair->judged[k].explained_frac);
            counts->n_unwatched += ct_page_is_unwatched(part, pair->app[k], pair->app[1 - k]);
        }
    }
}

static const double UNSEEN_FRAC = 5e-4; /* of a slowdown: 0.0 points */

/* What must be known before anything else is believed. The script says the same for other limits.
 */
static void print_status(const struct draft *draft, FILE *out)
{
    struct counts counts = {0};
    char busy[CT_DESCRIPTION_MAX];
    for (size_t i = 0; i < draft->n_parts; i++)
        count_part(&draft->parts[i], &counts);
    bool is_good = counts.n_measured == counts.n && counts.n_unwatched == 0;
    bool is_busy = describe_busy(draft, busy);
    bool is_bad = counts.n == 0 || counts.n_disturbed > 0 || is_busy;
    fprintf(out, "<p id=\"status\" class=\"%s\">", is_bad ? "bad" : is_good ? "good" : "fair");
    if (is_busy)
        fputs(busy, out);
    else if (counts.n == 0)
        fputs("No slowdown is known: see what is missing below.", out);
    else if (counts.n_disturbed > 0)
        fprintf(out, "%zu of %zu measurements are disturbed: do not decide by %s.",
                counts.n_disturbed, counts.n_measured,
                2 * counts.n_disturbed > counts.n_measured ? "this page" : "the hatched cells");
    else if (counts.n_measured < counts.n)
        fprintf(out, "%zu of %zu slowdowns were measured, the others are predicted (marked *).",
                counts.n_measured, counts.n);
    else
        fprintf(out, "All %zu slowdowns were measured", counts.n);
    if (is_good && !is_bad && counts.explained_frac < UNSEEN_FRAC)
        fputs(", and nothing known disturbed them.", out);
    else if (is_good && !is_bad)
        fprintf(out, "; drift, stolen time and processors explain at most %.1f points of any.",
                100 * counts.explained_frac);
    else if (!is_bad && counts.n_measured == counts.n)
        fputs(".", out);
    if (counts.n_unwatched > 0)
        fputs(" Whether ranks waited for processors was not recorded.", out);
    fputs("</p>\n", out);
}

static void print_counts(const struct counts *counts, FILE *out)
{
    static const struct {
        enum ct_verdict verdict;
        const char *words;
    } others[] = {{CT_VERDICT_PERHAPS, "perhaps"},
                  {CT_VERDICT_DISTURBED, "disturbed"},
                  {CT_VERDICT_UNKNOWN, "not known"}};
    const char *separator = "; ";
    char may[24] = "none", no[24] = "none";
    if (counts->of[CT_VERDICT_YES] > 0)
        snprintf(may, sizeof may, "%zu", counts->of[CT_VERDICT_YES]);
    if (counts->of[CT_VERDICT_NO] > 0)
        snprintf(no, sizeof no, "%zu", counts->of[CT_VERDICT_NO]);
    fprintf(out, " Of %zu pair%s %s may run beside each other, %s should not", counts->n_pairs,
            counts->n_pairs == 1 ? "" : "s", may, no);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (counts->of[others[i].verdict] > 0) {
            fprintf(out, "%s%s: %zu", separator, others[i].words, counts->of[others[i].verdict]);
            separator = ", ";
        }
    fputs(".", out);
}

static void print_answer(const struct ct_page_part *part, FILE *out)
{
    struct counts counts = {0};
    char question[600];
    ct_page_describe_question(part, question, sizeof question);
    count_part(part, &counts);
    fputs("<p>", out);
    if (part->placement && *part->placement)
        print_text("<b>", part->placement, ":</b> ", out);
    ct_text_html(question, out);
    if (part->is_analysed)
        print_counts(&counts, out);
    else
        print_text(" This needs what was not measured: ", part->why_not.text, ".", out);
    fputs("</p>\n", out);
}

/* ---- the page ---- */

/* Well-formed XML too, so that any parser can check it. */
static void print_head(const struct draft *draft, FILE *out)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\">\n<head>\n"
          "<meta charset=\"utf-8\"/>\n<meta name=\"viewport\" "
          "content=\"width=device-width, initial-scale=1\"/>\n"
          "<meta name=\"color-scheme\" content=\"light dark\"/>\n"
          "<meta name=\"generator\" content=\"crosstalk " CT_VERSION "\"/>\n"
          "<link rel=\"icon\" href=\"data:,\"/>\n",
          out);
    print_text("<title>", draft->name, ": crosstalk report</title>\n", out);
    fprintf(out, "<style>\n%s</style>\n</head>\n<body>\n", page_css);
}

static void print_first_screen(const struct draft *draft, const struct ct_page *page, FILE *out)
{
    const struct ct_page_settings *settings = draft->settings;
    print_text("<header>\n<h1>", draft->name, "</h1>\n", out);
    fputs("<p id=\"made\">crosstalk " CT_VERSION "</p>\n</header>\n<main>\n", out);
    print_status(draft, out);
    fputs("<section id=\"answer\">\n<h2>May two applications run beside each other?</h2>\n"
          "<div id=\"question\">\n",
          out);
    for (size_t i = 0; i < draft->n_parts; i++)
        print_answer(&draft->parts[i], out);
    if (settings->network)
        print_text("<p>Network: ", settings->network, ".</p>\n", out);
    fprintf(out,
            "<p>Yes: neither is slowed by more than %g %%, by the whole interval of %g %%.</p>\n"
            "</div>\n",
            100 * settings->acceptable_frac, 100 * settings->bootstrap.level);
    fprintf(out,
            "<div id=\"pictures\">\n<div role=\"img\" aria-label=\"Slowdown of each application "
            "beside each other one\">\n%s</div>\n",
            page->matrix_svg);
    fprintf(out,
            "<div role=\"img\" aria-label=\"Which applications to run two at a time\">\n%s</div>\n"
            "</div>\n",
            page->groups_svg);
    fputs("</section>\n<div id=\"rest\"></div>\n<noscript><p>The rest of this page needs scripts; "
          "the numbers are printed by crosstalk predict, the runs by crosstalk "
          "export.</p></noscript>\n</main>\n",
          out);
}

static enum ct_status print_page(const struct draft *draft, const struct ct_page *page, FILE *out,
                                 struct ct_error *err)
{
    print_head(draft, out);
    print_first_screen(draft, page, out);
    fputs("<footer><p>Method: Casas and Bronevetsky, Active measurement of the impact of network "
          "switch utilization on application performance, IPDPS 2014.</p></footer>\n"
          "<script type=\"application/json\" id=\"data\">",
          out);
    enum ct_status status = print_data(draft, out, err);
    fprintf(out, "</script>\n<script>//<![CDATA[\n%s//]]></script>\n</body>\n</html>\n", page_js);
    return status;
}

/* ---- the whole ---- */

static enum ct_status draw_picture(const struct draft *draft,
                                   void (*picture)(const struct ct_page_part *parts, size_t n_parts,
                                                   FILE *out),
                                   char **svg_p, struct ct_error *err)
{
    size_t size;
    FILE *out = open_memstream(svg_p, &size);
    if (out)
        picture(draft->parts, draft->n_parts, out);
    return out && fclose(out) == 0 ? CT_OK : ct_no_memory(err, "%s", draft->settings->directory);
}

static enum ct_status write_page(const struct draft *draft, struct ct_page *page,
                                 struct ct_error *err)
{
    size_t size;
    CT_TRY(draw_picture(draft, ct_page_draw_matrix, &page->matrix_svg, err));
    CT_TRY(draw_picture(draft, ct_page_draw_groups, &page->groups_svg, err));
    FILE *out = open_memstream(&page->html, &size);
    if (!out)
        return ct_no_memory(err, "%s", draft->settings->directory);
    enum ct_status status = print_page(draft, page, out, err);
    bool failed = ferror(out) != 0;
    if ((fclose(out) != 0 || failed) && status == CT_OK)
        status = ct_no_memory(err, "%s", draft->settings->directory);
    return status;
}

/* Each once. */
static void list_notes(const struct draft *draft, struct ct_argv *notes)
{
    for (size_t i = 0; i < draft->n_parts; i++) {
        const struct ct_session *session = &draft->parts[i].session;
        const struct ct_argv *const lists[] = {&session->study.notes, &session->schedules.notes};
        for (size_t l = 0; l < sizeof lists / sizeof *lists; l++)
            for (size_t k = 0; k < lists[l]->n; k++)
                if (!ct_argv_has(notes, lists[l]->item[k]))
                    ct_argv_add(notes, "%s", lists[l]->item[k]);
    }
}

enum ct_status ct_page_make(const struct ct_page_settings *settings, struct ct_page *page_p,
                            struct ct_error *err)
{
    struct draft draft = {.settings = settings};
    struct ct_page page = {0};
    struct ct_argv names = {0};
    draft.name = settings->name ? strdup(settings->name) : name_of(settings->directory);
    enum ct_status status = draft.name ? list_placements(settings, &names, err)
                                       : ct_no_memory(err, "%s", settings->directory);
    if (status == CT_OK)
        status = read_parts(&draft, &names, err);
    if (status == CT_OK)
        status = write_page(&draft, &page, err);
    list_notes(&draft, &page.notes);
    for (size_t i = 0; i < draft.n_parts; i++)
        ct_page_part_free(&draft.parts[i]);
    free(draft.parts);
    free(draft.name);
    ct_argv_free(&names);
    if (status == CT_OK)
        *page_p = page;
    else
        ct_page_free(&page);
    return status;
}

void ct_page_free(struct ct_page *page)
{
    free(page->html);
    free(page->matrix_svg);
    free(page->groups_svg);
    ct_argv_free(&page->notes);
    *page = (struct ct_page){0};
}
