/* What the page says in words: the summary, the warnings, what was measured where. */
#include "core/text.h"
#include "report/sections.h"
#include "study/verdict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LISTED_MAX = 40, TABLE_APPS_MAX = 16 };

/* ---- summary: pairs by verdict ---- */

/* Whole percents with their sign, and no "-0". */
static void print_percent(struct ct_html *page, double frac)
{
    double percent = round(100 * frac);
    if (percent == 0)
        fputs("0\302\240%", page->out);
    else
        fprintf(page->out, "%+.0f\302\240%%", percent);
}

static void print_slowdown(struct ct_html *page, const struct ct_judged *slowdown,
                           bool with_interval)
{
    print_percent(page, slowdown->frac);
    if (with_interval && !isnan(slowdown->interval.lo))
        fprintf(page->out, ", %.0f to %.0f", 100 * slowdown->interval.lo,
                100 * slowdown->interval.hi);
    if (!slowdown->is_measured)
        fputs(isnan(slowdown->interval.lo) ? ", predicted without an interval" : ", predicted",
              page->out);
}

static void print_pair(struct ct_html *page, const struct ct_page_facts *facts,
                       const struct ct_pair_verdict *verdict)
{
    const struct ct_judged *judged = &verdict->judged[verdict->decisive];
    ct_text_html(ct_page_app(facts, verdict->app[0]), page->out);
    if (verdict->app[0] == verdict->app[1]) {
        fputs(" twice", page->out);
    } else {
        fputs(" with ", page->out);
        ct_text_html(ct_page_app(facts, verdict->app[1]), page->out);
    }
    if (isnan(judged->frac))
        return;
    fputs(" (", page->out);
    if (verdict->app[0] != verdict->app[1]) {
        ct_text_html(ct_page_app(facts, verdict->app[verdict->decisive]), page->out);
        fputc(' ', page->out);
    }
    print_slowdown(page, judged, verdict->verdict == CT_VERDICT_PERHAPS);
    fputc(')', page->out);
}

static size_t count(const struct ct_pair_verdict *verdicts, size_t n, enum ct_verdict share)
{
    size_t found = 0;
    for (size_t i = 0; i < n; i++)
        found += verdicts[i].verdict == share;
    return found;
}

static void list_pairs(struct ct_html *page, const struct ct_page_facts *facts,
                       const struct ct_pair_verdict *verdicts, size_t n, enum ct_verdict share)
{
    size_t n_share = count(verdicts, n, share), n_listed = 0;
    if (n_share == 0)
        return;
    static const char *const names[CT_N_VERDICTS] = {[CT_VERDICT_YES] = "may share",
                                                     [CT_VERDICT_PERHAPS] = "not certain",
                                                     [CT_VERDICT_UNKNOWN] = "not known",
                                                     [CT_VERDICT_DISTURBED] =
                                                         "disturbed, do not decide by this",
                                                     [CT_VERDICT_NO] = "should not share"};
    const char *words = names[share];
    fprintf(page->out, "<li><b>%c%s</b> (%zu of %zu): ", words[0] - 'a' + 'A', words + 1, n_share,
            n);
    for (size_t i = 0; i < n && n_listed < LISTED_MAX; i++)
        if (verdicts[i].verdict == share) {
            fputs(n_listed++ ? "; " : "", page->out);
            print_pair(page, facts, &verdicts[i]);
        }
    if (n_listed < n_share)
        fprintf(page->out, "; and %zu more", n_share - n_listed);
    fputs(".</li>\n", page->out);
}

static void print_verdict_cell(struct ct_html *page, const struct ct_pair_verdict *verdict)
{
    const struct ct_judged *judged = &verdict->judged[verdict->decisive];
    const char *key = ct_verdict_key(verdict->verdict);
    fprintf(page->out, "<td class=\"share-%s\">%s", key,
            verdict->verdict == CT_VERDICT_UNKNOWN ? "?" : key);
    if (!isnan(judged->frac)) {
        fputs("<br/>", page->out);
        print_percent(page, judged->frac);
    }
    fputs("</td>", page->out);
}

/* Verdicts are indexed by (a, b) with a <= b. */
static size_t index_of(size_t n, size_t one, size_t other)
{
    size_t a = one < other ? one : other, b = one < other ? other : one;
    return a * n - a * (a + 1) / 2 + b;
}

/* Both halves. */
static void print_verdict_table(struct ct_html *page, const struct ct_page_facts *facts,
                                const struct ct_pair_verdict *verdicts)
{
    size_t n = facts->measured->n_apps;
    fputs("<div class=\"table\"><table class=\"verdicts\">\n<caption>May they share a switch? The "
          "larger of both slowdowns.</caption>\n<thead><tr><td></td>",
          page->out);
    for (size_t b = 0; b < n; b++) {
        fputs("<th scope=\"col\">", page->out);
        ct_text_html(ct_page_app(facts, b), page->out);
        fputs("</th>", page->out);
    }
    fputs("</tr></thead>\n<tbody>\n", page->out);
    for (size_t row = 0; row < n; row++) {
        fputs("<tr><th scope=\"row\">", page->out);
        ct_text_html(ct_page_app(facts, row), page->out);
        fputs("</th>", page->out);
        for (size_t column = 0; column < n; column++)
            print_verdict_cell(page, &verdicts[index_of(n, row, column)]);
        fputs("</tr>\n", page->out);
    }
    fputs("</tbody>\n</table></div>\n", page->out);
}

/* ---- summary: applications ---- */

/* Mean slowdown that an application suffers, or does to others; NaN: not known. */
static double mean_slowdown(const struct ct_pair_verdict *verdicts, size_t n, size_t app,
                            bool suffers)
{
    double sum = 0;
    size_t n_known = 0;
    for (size_t other = 0; other < n; other++) {
        const struct ct_pair_verdict *verdict = &verdicts[index_of(n, app, other)];
        double frac = verdict->judged[(verdict->app[0] == app) != suffers].frac;
        if (isnan(frac))
            continue;
        sum += frac;
        n_known++;
    }
    return n_known > 0 ? sum / (double)n_known : NAN;
}

static void say_extreme(struct ct_html *page, const struct ct_page_facts *facts,
                        const struct ct_pair_verdict *verdicts, bool suffers)
{
    size_t n = facts->measured->n_apps, most = n;
    double most_frac = 0;
    for (size_t app = 0; app < n; app++) {
        double frac = mean_slowdown(verdicts, n, app, suffers);
        if (isnan(frac) || (most < n && frac <= most_frac))
            continue;
        most = app;
        most_frac = frac;
    }
    if (most < n)
        ct_html_say(page, "%s %s most: %+.1f %% on average over its co-runners.",
                    ct_page_app(facts, most), suffers ? "suffers" : "disturbs", 100 * most_frac);
}

static enum ct_status say_certainty(struct ct_html *page, const struct ct_page_view *view)
{
    const struct ct_page_facts *facts = view->facts;
    const char *key = ct_predict_models[view->order.model].key;
    size_t n = facts->measured->n_apps * facts->measured->n_apps, n_measured = 0;
    double *measured = malloc((n + 1) * sizeof *measured);
    if (!measured)
        return CT_ENOMEM;
    for (size_t i = 0; i < n; i++) {
        measured[i] = facts->analysis->beside_app[i].frac;
        n_measured += isnan(measured[i]) ? 0 : 1;
    }
    struct ct_predict_evaluation evaluation;
    enum ct_status status =
        ct_predict_evaluate(facts->cases + view->order.model * n, measured, n, &evaluation);
    free(measured);
    if (status != CT_OK)
        return status;
    if (n_measured == n)
        ct_html_say(page, "All %zu slowdowns of one application beside another were measured.", n);
    else
        ct_html_say(page,
                    "%zu of %zu slowdowns of one application beside another were measured; the "
                    "others are predicted by the model %s.",
                    n_measured, n, key);
    if (evaluation.slowdown.n > 0)
        ct_html_say(page,
                    "Where both are known, %s is off by %.1f points of slowdown on average, and by "
                    "%.1f at most (%zu cases)%s%s.",
                    key, 100 * evaluation.slowdown.mean_abs, 100 * evaluation.slowdown.max,
                    evaluation.slowdown.n, facts->why_model ? "; it is the default where " : "",
                    facts->why_model ? facts->why_model : "");
    else
        ct_html_missing(page, "No co-run was measured with which predictions could be compared: "
                              "how far they are off is not known here.");
    return CT_OK;
}

enum ct_status ct_section_summary(struct ct_html *page, const struct ct_page_view *view,
                                  struct ct_error *err)
{
    const struct ct_page_facts *facts = view->facts;
    size_t n_apps = facts->measured->n_apps, n = ct_pairs_count(n_apps);
    if (n_apps == 0) {
        ct_html_missing(page, "No application was measured.");
        return CT_OK;
    }
    struct ct_pair_verdict *verdicts = calloc(n, sizeof *verdicts);
    if (!verdicts)
        return ct_no_memory(err, "%zu pairs", n);
    ct_study_verdicts(facts->pairs, facts->cases + view->order.model * n_apps * n_apps, n_apps,
                      facts->acceptable_frac, verdicts);
    size_t n_unknown = count(verdicts, n, CT_VERDICT_UNKNOWN);
    size_t n_disturbed = count(verdicts, n, CT_VERDICT_DISTURBED);
    char unknown[64] = "";
    if (n_unknown > 0)
        snprintf(unknown, sizeof unknown, ", and for %zu nothing is known", n_unknown);
    if (n_disturbed > 0)
        ct_html_say(page,
                    "Disturbed, do not decide by these: %zu of %zu pairs. Shared processors, "
                    "stolen time or drift explain more than half of their slowdown.",
                    n_disturbed, n);
    ct_html_say(page,
                "Two applications may share a switch if neither is slowed by more than %g %%. Of "
                "%zu pairs, %zu may and %zu should not; for %zu the interval contains the limit%s.",
                100 * facts->acceptable_frac, n, count(verdicts, n, CT_VERDICT_YES),
                count(verdicts, n, CT_VERDICT_NO), count(verdicts, n, CT_VERDICT_PERHAPS), unknown);
    if (n_apps <= TABLE_APPS_MAX)
        print_verdict_table(page, facts, verdicts);
    fputs("<ul>\n", page->out);
    for (int share = 0; share < CT_N_VERDICTS; share++)
        list_pairs(page, facts, verdicts, n, (enum ct_verdict)share);
    fputs("</ul>\n", page->out);
    say_extreme(page, facts, verdicts, true);
    say_extreme(page, facts, verdicts, false);
    free(verdicts);
    if (say_certainty(page, view) != CT_OK)
        return ct_no_memory(err, "errors of the models");
    return CT_OK;
}

/* ---- warnings ---- */

enum ct_status ct_section_warnings(struct ct_html *page, const struct ct_page_view *view,
                                   struct ct_error *err)
{
    (void)err;
    const struct ct_page_facts *facts = view->facts;
    if (facts->n_warnings == 0) {
        ct_html_say(page, "None: no application drifted, no run was left out or tried again.");
        return CT_OK;
    }
    fputs("<ul class=\"warnings\">\n", page->out);
    for (size_t i = 0; i < facts->n_warnings; i++) {
        fputs("<li>", page->out);
        ct_text_html(facts->warnings[i], page->out);
        fputs("</li>\n", page->out);
    }
    fputs("</ul>\n", page->out);
    return CT_OK;
}

/* ---- what was measured where ---- */

enum ct_status ct_section_provenance(struct ct_html *page, const struct ct_page_view *view,
                                     struct ct_error *err)
{
    const struct ct_page_facts *facts = view->facts;
    fputs("<div class=\"table\"><table class=\"facts\">\n<tbody>\n", page->out);
    for (size_t i = 0; i < facts->n_provenance; i++) {
        fputs("<tr><th scope=\"row\">", page->out);
        ct_text_html(facts->provenance[i].key, page->out);
        fputs("</th><td>", page->out);
        ct_text_html(facts->provenance[i].text, page->out);
        fputs("</td></tr>\n", page->out);
    }
    fputs("</tbody>\n</table></div>\n<p>", page->out);
    if (facts->runs_csv)
        ct_html_download(page, "runs.csv", "text/csv", "all runs (CSV)", facts->runs_csv);
    fputs("</p>\n", page->out);
    if (!facts->campaign_file) {
        ct_html_missing(page, "There is no campaign file with these runs.");
        return CT_OK;
    }
    ct_html_heading(page, "Campaign file");
    fputs("<pre>", page->out);
    /* Line by line: ct_text_html() makes blanks of control characters. */
    for (const char *line = facts->campaign_file; *line;) {
        size_t length = strcspn(line, "\n");
        char *copy = strndup(line, length);
        if (!copy)
            return ct_no_memory(err, "campaign file");
        ct_text_html(copy, page->out);
        free(copy);
        fputc('\n', page->out);
        line += length + (line[length] == '\n');
    }
    fputs("</pre>\n", page->out);
    return CT_OK;
}
