/* How much each application is slowed beside each other one: what was measured, run by run. */
#include "report/part.h"

enum { QUANTILES = 61 };

/* [passes, mean in seconds] of each run. */
static struct ct_json *list_runs(const struct ct_samples *passes, double factor)
{
    struct ct_json *runs = ct_json_array();
    for (size_t r = 0, first = 0; r < (passes->n_runs ? passes->n_runs : 1); r++) {
        size_t end = passes->n_runs ? passes->ends[r] : passes->n;
        if (end > first) {
            struct ct_json *run = ct_json_append(runs, ct_json_array());
            ct_json_append(run, ct_json_number((double)(end - first)));
            ct_json_append(
                run, ct_page_number(ct_samples_mean(passes->x + first, end - first) / factor));
        }
        first = end;
    }
    return runs;
}

/* Times are those of the machine that a lab imitates. */
static struct ct_json *describe_passes(struct ct_samples passes, double factor)
{
    struct ct_json *one = ct_json_object();
    ct_json_put(one, "runs", list_runs(&passes, factor));
    ct_json_put(one, "passes_s",
                ct_page_quantiles(ct_samples_values(&passes), QUANTILES, 1 / factor));
    return one;
}

static struct ct_json *describe_pair(const struct ct_page_part *part, size_t app, size_t with)
{
    const struct ct_question *question = &part->questions.items[app * part->analysis.n_apps + with];
    const struct ct_judged *judged = ct_page_judged(part, app, with);
    struct ct_json *one = describe_passes(
        ct_measured_passes(&part->session.study.measured, app, ct_load_of_app(with)),
        part->session.study.dilation.factor);
    ct_json_put(one, "slowdown", ct_page_number(judged->frac));
    ct_json_put(one, "lo", ct_page_number(judged->interval.lo));
    ct_json_put(one, "hi", ct_page_number(judged->interval.hi));
    ct_json_put(one, "is_measured", ct_json_number(judged->is_measured));
    ct_json_put(one, "is_unwatched", ct_json_number(ct_page_is_unwatched(part, app, with)));
    ct_json_put(one, "processors", ct_page_number(question->processors_frac));
    ct_json_put(one, "stolen", ct_page_number(question->stolen_frac));
    ct_json_put(one, "drift", ct_page_number(question->drift_frac));
    ct_json_put(one, "verdict", ct_json_text(ct_verdict_key(judged->verdict)));
    return one;
}

/* Applications that run together in the division with the least slowdown. */
static void write_groups(const struct ct_page_part *part, struct ct_json *into)
{
    struct ct_json *groups = ct_json_put(into, "groups", ct_json_array()), *group = NULL;
    for (size_t i = 0; i < part->advice.n; i++) {
        const struct ct_advice_row *row = &part->advice.rows[i];
        if (i == 0 || row->number != row[-1].number)
            group = ct_json_append(groups, ct_json_array());
        ct_json_append(group, ct_json_number((double)row->question.app));
    }
}

/* Beside several at once. */
static void write_several(const struct ct_page_part *part, struct ct_json *into)
{
    enum { WITH_MAX = 512 };
    const struct ct_questions *questions = &part->questions;
    struct ct_json *several = ct_json_put(into, "several", ct_json_array());
    for (size_t q = part->analysis.n_apps * part->analysis.n_apps; q < questions->n; q++) {
        const struct ct_question *question = &questions->items[q];
        char with[WITH_MAX];
        ct_question_with(question, &part->session.study, with, sizeof with);
        struct ct_json *one = ct_json_append(several, ct_json_object());
        ct_json_put(one, "app", ct_json_text(ct_page_app(part, question->app)));
        ct_json_put(one, "with", ct_json_text(with));
        ct_json_put(one, "measured", ct_page_number(question->measured.frac));
        ct_json_put(
            one, "predicted",
            ct_page_number(part->cases[part->model * questions->n + q].prediction.slowdown_frac));
    }
}

enum ct_status ct_page_write_pairs(const struct ct_page_part *part, struct ct_json *into,
                                   struct ct_error *err)
{
    (void)err;
    size_t n = ct_page_n_apps(part);
    struct ct_json *apps = ct_json_put(into, "apps", ct_json_array());
    struct ct_json *alone = ct_json_put(into, "alone", ct_json_array());
    struct ct_json *pairs = ct_json_put(into, "pairs", ct_json_array());
    for (size_t app = 0; app < n; app++) {
        ct_json_append(apps, ct_json_text(ct_page_app(part, app)));
        ct_json_append(alone,
                       describe_passes(ct_measured_passes(&part->session.study.measured, app, 0),
                                       part->session.study.dilation.factor));
        for (size_t with = 0; with < n && part->is_analysed; with++)
            ct_json_append(pairs, describe_pair(part, app, with));
    }
    write_groups(part, into);
    write_several(part, into);
    return CT_OK;
}
