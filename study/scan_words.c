#include "study/scan_words.h"

#include "core/table.h"
#include "core/units.h"
#include "study/constants.h"
#include "study/scan_gpcnet.h"

#include <math.h>
#include <stdio.h>

enum { CHANGES_SHOWN = 5, APPLICATIONS_SHOWN = 6 };

const char ct_scan_answers_note[] =
    "Predicted by T(L, G) of their schedules, whose L and G the factors of the latency and the "
    "bandwidth canary multiply; each in the place of the canaries, computing as traced.";

static double half_of(const struct ct_scan_factor *factor)
{
    return (factor->interval.hi - factor->interval.lo) / 2;
}

void ct_scan_factor_format(const struct ct_scan_factor *factor, char text[CT_SCAN_FACTOR_MAX])
{
    double half = half_of(factor);
    if (isnan(half))
        snprintf(text, CT_SCAN_FACTOR_MAX, "%.3g, no interval", factor->value);
    else
        snprintf(text, CT_SCAN_FACTOR_MAX, "%.*f±%.*f", ct_interval_decimals(2 * half),
                 factor->value, ct_interval_decimals(2 * half), half);
}

static void say_score(const struct ct_scan_sheet *sheet, struct ct_argv *words)
{
    const struct ct_scan_score *score = &sheet->score;
    char text[CT_SCAN_FACTOR_MAX];
    if (score->n_cells == 0) {
        ct_argv_add(words, "No congestion score: no canary was measured beside a steady "
                           "congestor and alone in the same round.");
        return;
    }
    ct_scan_factor_format(&score->factor, text);
    ct_argv_add(words,
                "Congestion score %s: beside steady congestors calls take so many times as long as "
                "alone (geometric mean of %zu of %zu cells, each canary and path class with the "
                "same weight).",
                text, score->n_cells, ct_scan_score_cells());
}

/* Waiting for processors is no time of the network. */
static void say_waits(const struct ct_scan *scan, struct ct_argv *words)
{
    double sum_frac = 0, most_frac = 0;
    size_t n = 0;
    char mean[CT_UNITS_TEXT_MAX], most[CT_UNITS_TEXT_MAX];
    for (size_t i = 0; i < scan->n_rounds; i++) {
        const struct ct_scan_round *round = &scan->rounds[i];
        if (round->is_survey || isnan(round->wait_frac))
            continue;
        sum_frac += round->wait_frac;
        most_frac = fmax(most_frac, round->wait_frac);
        n++;
    }
    if (n == 0 || !(sum_frac > (double)n * ct_study_constant(CT_STUDY_IDLE_WAIT_NOTED)))
        return;
    ct_format_share(sum_frac / (double)n, mean);
    ct_format_share(most_frac, most);
    ct_argv_add(words,
                "Disturbed: ranks waited for processors %s of the time (%s in a round); factors "
                "have that, too, not only the network.",
                mean, most);
}

static void name_node(const struct ct_scan_node *node, char *text, size_t size)
{
    if (node->switch_name)
        snprintf(text, size, "%.60s (%.60s)", node->name, node->switch_name);
    else
        snprintf(text, size, "%.60s", node->name);
}

static void say_worst(const struct ct_scan *scan, const struct ct_scan_worst *worst,
                      struct ct_argv *words)
{
    char a[140], b[140], setting[CT_SCAN_TEXT_MAX];
    if (isnan(worst->factor))
        return;
    name_node(&scan->nodes[worst->node_a], a, sizeof a);
    name_node(&scan->nodes[worst->node_b], b, sizeof b);
    ct_scan_setting_format(&worst->setting, setting);
    ct_argv_add(words,
                "Worst path: %s to %s beside %s, median latency %.3g times that alone (%zu "
                "round%s; the largest of all pairs, so rather too large).",
                a, b, setting, worst->factor, worst->n_rounds, worst->n_rounds == 1 ? "" : "s");
}

void ct_scan_answer_format(const struct ct_scan_answer *answer, char text[CT_SCAN_ANSWER_MAX])
{
    double percent = 100 * answer->slowdown_frac;
    double width = 100 * (answer->interval.hi - answer->interval.lo);
    int decimals = width > 0 ? ct_interval_decimals(width) : 1;
    decimals = decimals > 2 ? 2 : decimals;
    const char *sign = percent > 0 ? "+" : "";
    if (isnan(percent))
        snprintf(text, CT_SCAN_ANSWER_MAX, "-");
    else if (isnan(width))
        snprintf(text, CT_SCAN_ANSWER_MAX, "%s%.3g %%, no interval", sign, percent);
    else
        snprintf(text, CT_SCAN_ANSWER_MAX, "%s%.*f %% ± %.*f", sign, decimals, percent, decimals,
                 width / 2);
}

const struct ct_scan_answer *ct_scan_answer_find(const struct ct_scan_answer *answers, size_t n,
                                                 const struct ct_scan_setting *setting)
{
    for (size_t i = 0; i < n; i++)
        if (ct_scan_setting_same(&answers[i].setting, setting))
            return &answers[i];
    return NULL;
}

size_t ct_scan_answers_end(const struct ct_scan_sheet *sheet, size_t from)
{
    const struct ct_scan_answer *first = &sheet->answers[from];
    size_t end = from;
    do
        end++;
    while (end < sheet->n_answers &&
           !ct_scan_setting_same(&sheet->answers[end].setting, &first->setting));
    return end;
}

/* The most of n answers. */
static void say_application(const struct ct_scan_answer *answers, size_t n, struct ct_argv *words)
{
    const struct ct_scan_answer *most = &answers[0];
    char text[CT_SCAN_ANSWER_MAX], setting[CT_SCAN_TEXT_MAX];
    size_t n_known = 0;
    for (size_t i = 0; i < n; i++) {
        n_known += isnan(answers[i].slowdown_frac) ? 0 : 1;
        if (!(answers[i].slowdown_frac <= most->slowdown_frac) && !isnan(answers[i].slowdown_frac))
            most = &answers[i];
    }
    if (n_known == 0) {
        ct_argv_add(words, "%s: slowdown not known, since %s.", most->application, most->why);
        return;
    }
    ct_scan_answer_format(most, text);
    ct_scan_setting_format(&most->setting, setting);
    ct_argv_add(words, "%s beside %s: %s, the most of %zu load%s.", most->application, setting,
                text, n_known, n_known == 1 ? "" : "s");
}

void ct_scan_applications_words(const struct ct_scan_sheet *sheet, struct ct_argv *words)
{
    size_t n = 0;
    for (size_t from = 0, end; from < sheet->n_answers; from = end, n++) {
        end = ct_scan_answers_end(sheet, from);
        if (n < APPLICATIONS_SHOWN)
            say_application(&sheet->answers[from], end - from, words);
    }
    if (n > APPLICATIONS_SHOWN)
        ct_argv_add(words, "And %zu more applications: in the page and the JSON.",
                    n - APPLICATIONS_SHOWN);
    if (n > 0)
        ct_argv_add(words, "%s", ct_scan_answers_note);
}

static void say_idle(const struct ct_scan *scan, const struct ct_scan_sheet *sheet,
                     struct ct_argv *words)
{
    for (size_t i = 0; i < sheet->n_classes; i++) {
        const struct ct_scan_class_health *health = &sheet->classes[i];
        char least[CT_UNITS_TEXT_MAX], median[CT_UNITS_TEXT_MAX], most[CT_UNITS_TEXT_MAX];
        char class[40] = "pairs";
        ct_format_words(health->least_s, 3, least);
        ct_format_words(health->median_s, 3, median);
        ct_format_words(health->most_s, 3, most);
        if (health->path_class > 0)
            snprintf(class, sizeof class, "pairs, %d switch%s between", health->path_class,
                     health->path_class == 1 ? "" : "es");
        if (4 * health->n_outliers > health->n_pairs)
            ct_argv_add(words,
                        "Idle, %zu %s: %s to %s, median %s; %zu are slower than %g times that, "
                        "too many for single links: something else ran on network or nodes.",
                        health->n_pairs, class, least, most, median, health->n_outliers,
                        ct_study_constant(CT_STUDY_SCAN_OUTLIER));
        else if (health->n_outliers > 0)
            ct_argv_add(words,
                        "Idle, %zu %s: %s (median), but %zu are slower than %g times that; "
                        "%s to %s takes %s: look at their links.",
                        health->n_pairs, class, median, health->n_outliers,
                        ct_study_constant(CT_STUDY_SCAN_OUTLIER), scan->nodes[health->most_a].name,
                        scan->nodes[health->most_b].name, most);
        else
            ct_argv_add(words, "Idle, %zu %s: %s to %s, median %s; no pair stands out.",
                        health->n_pairs, class, least, most, median);
    }
}

static void say_rate(const struct ct_scan *scan, const struct ct_scan_sheet *sheet,
                     struct ct_argv *words)
{
    const struct ct_scan_case alone = {CT_SCAN_BANDWIDTH,
                                       {.congestor = CT_SCAN_WITH_NONE, .intensity = 1}};
    const struct ct_scan_row *row = ct_scan_sheet_find(sheet, &alone, -1);
    const double bits = 8 * (double)ct_scan_window_bytes(scan);
    char rate[CT_UNITS_TEXT_MAX];
    if (!row || !(row->at[CT_SCAN_MEAN].value > 0) || !(bits > 0))
        return;
    ct_format_rate_words(bits / row->at[CT_SCAN_MEAN].value, rate);
    ct_argv_add(words, "Rate: a canary node sends and receives %s each way, alone.", rate);
}

/* Short names of its rows are in the table. */
static void say_gpcnet(const struct ct_scan *scan, const struct ct_scan_sheet *sheet,
                       struct ct_argv *words)
{
    struct ct_scan_gpcnet_row rows[CT_N_SCAN_CANARIES];
    size_t n = ct_scan_gpcnet_make(scan, sheet, rows), used = 0;
    char text[400] = "";
    for (size_t i = 0; i < n && used < sizeof text; i++) {
        char average[CT_SCAN_FACTOR_MAX], p99[CT_SCAN_FACTOR_MAX];
        ct_scan_factor_format(&rows[i].average.impact, average);
        ct_scan_factor_format(&rows[i].p99.impact, p99);
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s %s (99 %%: %s)",
                                 i ? "; " : "", rows[i].name, average, p99);
    }
    if (n > 0)
        ct_argv_add(words, "GPCNeT's four congestors at once, its congestion impact: %s.", text);
}

static void say_changes(const struct ct_scan_comparison *comparison, struct ct_argv *words)
{
    if (comparison->n_compared == 0) {
        ct_argv_add(words, "The other sheet has no cell in common with this one that has an "
                           "interval in both.");
        return;
    }
    ct_argv_add(words,
                "Against the other sheet: %zu of %zu values differ (each at %.5g %%, so that "
                "two scans of one fabric differ in none nine times in ten).",
                comparison->n_changes, comparison->n_compared, 100 * comparison->level);
    for (size_t i = 0; i < comparison->n_changes && i < CHANGES_SHOWN; i++) {
        const struct ct_scan_change *change = &comparison->changes[i];
        char text[CT_SCAN_TEXT_MAX];
        ct_scan_case_format(&change->row->scan_case, text);
        ct_argv_add(words, "  %s, %s: %.3g times what it was (%.3g to %.3g).", text,
                    ct_scan_statistic_keys[change->statistic], change->ratio, change->interval.lo,
                    change->interval.hi);
    }
}

void ct_scan_words(const struct ct_scan *scan, const struct ct_scan_sheet *sheet,
                   const struct ct_scan_comparison *comparison, struct ct_argv *words)
{
    char nothing[400];
    say_score(sheet, words);
    say_waits(scan, words);
    if (ct_scan_explain_nothing(scan, sheet, nothing, sizeof nothing))
        ct_argv_add(words, "%s", nothing);
    else
        say_worst(scan, &sheet->worst, words);
    say_gpcnet(scan, sheet, words);
    say_idle(scan, sheet, words);
    say_rate(scan, sheet, words);
    if (comparison)
        say_changes(comparison, words);
}
