/* Slowdowns that are not the network's: what waiting for processors explains of those measured. */
#include "report/sections.h"
#include "study/constants.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Of the pairs of a page. */
struct counts {
    size_t n_known, n_slowed;
    size_t worst; /* pair */
};

static struct counts count(const struct ct_page_facts *facts)
{
    struct counts counts = {0};
    size_t n = facts->analysis->n_apps * facts->analysis->n_apps;
    for (size_t pair = 0; pair < n; pair++) {
        double frac = facts->pairs[pair].processors_frac;
        if (isnan(frac))
            continue;
        if (counts.n_known++ == 0 || frac > facts->pairs[counts.worst].processors_frac)
            counts.worst = pair;
        counts.n_slowed += ct_question_is_slowed_by_processors(&facts->pairs[pair]);
    }
    return counts;
}

/* Mean error of a model over all pairs, or over those that processors do not slow, in points. */
static double mean_error(const struct ct_page_facts *facts, size_t model, bool all)
{
    size_t n = facts->analysis->n_apps * facts->analysis->n_apps, n_counted = 0;
    double sum = 0;
    for (size_t pair = 0; pair < n; pair++) {
        double off = fabs(facts->cases[model * n + pair].prediction.slowdown_frac -
                          facts->analysis->beside_app[pair].frac);
        if (isnan(off) || (!all && ct_question_is_slowed_by_processors(&facts->pairs[pair])))
            continue;
        sum += 100 * off;
        n_counted++;
    }
    return n_counted > 0 ? sum / (double)n_counted : NAN;
}

/* "none 5.1 instead of 20.3, queue ..." of the models that are shown first; "": there is none. */
static void describe_errors(const struct ct_page_view *view, char *text, size_t size)
{
    *text = '\0';
    for (size_t i = 0; i < view->order.n_first; i++) {
        size_t m = view->order.models[i], used = strlen(text);
        double without = mean_error(view->facts, m, false);
        if (!isnan(without))
            snprintf(text + used, size - used, "%s%s %.3g instead of %.3g", used ? ", " : "",
                     ct_predict_models[m].key, without, mean_error(view->facts, m, true));
    }
}

void ct_page_say_processors(struct ct_html *page, const struct ct_page_view *view)
{
    const struct ct_page_facts *facts = view->facts;
    size_t n = facts->analysis->n_apps;
    struct counts counts = count(facts);
    if (counts.n_slowed == 0)
        return;
    char errors[400];
    const struct ct_question *worst = &facts->pairs[counts.worst];
    ct_html_say(page,
                "Ranks also waited for processors. That may explain more than %g points of the "
                "slowdown of %zu of %zu co-runs, most of %s beside %s: up to %.3g points; measured "
                "are %.3g. Models of the network do not know of it.",
                100 * ct_study_constant(CT_STUDY_PROCESSORS_NOTED), counts.n_slowed, counts.n_known,
                ct_page_app(facts, counts.worst / n), ct_page_app(facts, counts.worst % n),
                100 * worst->processors_frac, 100 * worst->measured.frac);
    describe_errors(view, errors, sizeof errors);
    if (*errors)
        ct_html_say(page, "Mean errors without these co-runs, in points: %s.", errors);
}
