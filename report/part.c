#include "report/part.h"

#include "study/describe.h"
#include "study/placements.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t ct_page_n_apps(const struct ct_page_part *part)
{
    return part->session.study.measured.n_apps;
}

const char *ct_page_app(const struct ct_page_part *part, size_t app)
{
    return ct_study_app(&part->session.study, app);
}

const struct ct_judged *ct_page_judged(const struct ct_page_part *part, size_t app, size_t with)
{
    size_t n = ct_page_n_apps(part), a = app < with ? app : with, b = app < with ? with : app;
    return &part->verdicts[a * n - a * (a + 1) / 2 + b].judged[app > with];
}

static bool is_simulated(const struct ct_run_list *list)
{
    return list->n_entries > 0 && ct_run_text(&list->entries[0].info, CT_RUN_SIMULATED_MODEL);
}

bool ct_page_is_unwatched(const struct ct_page_part *part, size_t app, size_t with)
{
    const struct ct_question *question = &part->questions.items[app * ct_page_n_apps(part) + with];
    return !isnan(question->measured.frac) && isnan(question->processors_frac) &&
           isnan(question->stolen_frac) && !is_simulated(&part->list);
}

bool ct_page_is_probe_of(const struct ct_run_info *info, const char *app)
{
    return info->kind == CT_RUN_IMPACT && !info->has_config && !*info->with &&
           !strcmp(info->app, app);
}

/* ---- answers ---- */

static enum ct_status choose_model(struct ct_page_part *part)
{
    const char *key = part->settings->model;
    part->why_model = key ? NULL : ct_session_default(&part->session)->why;
    return ct_session_find_model(&part->session, key, &part->model, NULL);
}

/* Two at a time. Where that cannot be said, the page has no groups. */
static enum ct_status group_apps(struct ct_page_part *part)
{
    const struct ct_advice_settings wanted = {.model = &ct_predict_models[part->model],
                                              .n_jobs = ct_page_n_apps(part),
                                              .limit_frac = part->settings->acceptable_frac,
                                              .per_switch = 2,
                                              .setup = part->settings->bootstrap};
    enum ct_status status = CT_OK;
    if (wanted.n_jobs > 1)
        status =
            ct_advice_make(&part->session.study, &part->analysis, &wanted, &part->advice, NULL);
    return status == CT_ENOMEM ? status : CT_OK;
}

/* Pairs and groups in one call for all models, so that they are asked about the same replicates. */
static enum ct_status ask_models(struct ct_page_part *part)
{
    struct ct_questions *questions = &part->questions;
    const struct ct_question_choice all = {.pair = NULL};
    size_t n = ct_page_n_apps(part);
    CT_TRY(ct_questions_make(&part->session.study, &all, questions, NULL));
    CT_TRY(ct_questions_ask(questions, NULL, &part->analysis, &part->settings->bootstrap,
                            &part->cases));
    ct_questions_measure(&part->session.study, &part->analysis, part->settings->bootstrap.level,
                         questions);
    CT_TRY(choose_model(part));
    part->n_verdicts = ct_pairs_count(n);
    part->verdicts = calloc(part->n_verdicts + 1, sizeof *part->verdicts);
    if (!part->verdicts)
        return CT_ENOMEM;
    ct_study_verdicts(questions->items, part->cases + part->model * questions->n, n,
                      part->settings->acceptable_frac, part->verdicts);
    part->is_analysed = true;
    return group_apps(part);
}

/* What cannot be analysed is said on the page; the rest of it is there all the same. */
static enum ct_status analyse_part(struct ct_page_part *part, struct ct_error *err)
{
    const struct ct_predict_input input = ct_session_input(&part->session);
    if (!part->session.study.measured.loads[0].latency_s.n &&
        !ct_session_default(&part->session)->facts) {
        ct_session_check(&part->session, part->settings->directory, &part->why_not);
        return CT_OK;
    }
    enum ct_status status = ct_predict_analyse(&input, NULL, &part->analysis, &part->why_not);
    if (status == CT_ENODATA)
        return CT_OK;
    if (status != CT_OK)
        return ct_fail(err, status, "%s: %s", part->settings->directory, part->why_not.text);
    status = ask_models(part);
    return status == CT_OK
               ? CT_OK
               : ct_fail(err, status, "%s: %s", part->settings->directory, ct_status_text(status));
}

/* ---- warnings ---- */

static enum ct_status add_warnings(struct ct_page_part *part, struct ct_error *err)
{
    const struct ct_study *study = &part->session.study;
    char text[400];
    for (size_t i = 0; i < study->drifts.n; i++) {
        ct_drift_describe(&study->drifts.items[i], text, sizeof text);
        ct_argv_add(&part->warnings, "%s", text);
    }
    if (part->is_analysed && ct_describe_idle_noise(&part->analysis, text))
        ct_argv_add(&part->warnings, "%s", text);
    if (part->is_analysed && ct_describe_reach(study, &part->analysis, text))
        ct_argv_add(&part->warnings, "%s", text);
    for (size_t i = 0; i < study->notes.n; i++)
        ct_argv_add(&part->warnings, "%s", study->notes.item[i]);
    for (size_t i = 0; i < part->session.schedules.notes.n; i++)
        ct_argv_add(&part->warnings, "%s", part->session.schedules.notes.item[i]);
    return part->warnings.failed ? ct_no_memory(err, "%s", part->settings->directory) : CT_OK;
}

/* ---- the whole ---- */

enum ct_status ct_page_part_read(const struct ct_page_settings *settings, const char *placement,
                                 struct ct_page_part *part_p, struct ct_error *err)
{
    const struct ct_session_settings wanted = {.path = settings->directory,
                                               .placement = placement,
                                               .use_schedules = true,
                                               .link_bit_per_s = settings->link_bit_per_s,
                                               .schedules = settings->schedules};
    *part_p = (struct ct_page_part){.settings = settings, .placement = placement};
    CT_TRY(ct_placements_read_list(settings->directory, placement, &part_p->list, err));
    CT_TRY(ct_session_open(&wanted, &part_p->session, err));
    CT_TRY(analyse_part(part_p, err));
    return add_warnings(part_p, err);
}

void ct_page_part_free(struct ct_page_part *part)
{
    ct_argv_free(&part->warnings);
    ct_advice_free(&part->advice);
    free(part->verdicts);
    free(part->cases);
    ct_questions_free(&part->questions);
    ct_predict_analysis_free(&part->analysis);
    ct_session_free(&part->session);
    ct_run_list_free(&part->list);
    *part = (struct ct_page_part){0};
}

/* ---- what was measured ---- */

/* "h1 h2 h3 h4", and how many more. */
static void describe_hosts(const char *hosts, char *text, size_t size)
{
    enum { SHOWN = 8 };
    const char *end = hosts;
    size_t n = 0, n_more = 0;
    for (const char *at = hosts + strspn(hosts, " "); *at; at += strspn(at, " ")) {
        at += strcspn(at, " ");
        if (n++ < SHOWN)
            end = at;
        else
            n_more++;
    }
    if (n_more > 0)
        snprintf(text, size, "%.*s and %zu more", (int)(end - hosts), hosts, n_more);
    else
        snprintf(text, size, "%s", hosts);
}

void ct_page_describe_question(const struct ct_page_part *part, char *text, size_t size)
{
    const struct ct_run_info *co_run = ct_shared_find_run(&part->list);
    char own[200], with[200] = "";
    if (!co_run || !*co_run->with) {
        snprintf(text, size, "No two applications were run beside each other.");
        return;
    }
    const enum ct_shared shared = part->session.study.shared;
    const char *hosts = ct_run_text(co_run, CT_RUN_PLACEMENT_HOSTS);
    const char *others = ct_run_text(co_run, CT_RUN_PLACEMENT_WITH);
    describe_hosts(hosts ? hosts : co_run->hosts, own, sizeof own);
    if (others && shared != CT_SHARED_HOSTS)
        describe_hosts(others, with, sizeof with);
    if (shared == CT_SHARED_UNKNOWN)
        snprintf(
            text, size,
            "Each two applications ran at the same time (one on %s); whether the other one had "
            "hosts of its own was not recorded.",
            own);
    else
        snprintf(text, size, "Each two applications ran %s (%s%s%s).", ct_shared_words(shared), own,
                 *with ? "; beside it " : "", with);
}

/* ---- numbers ---- */

struct ct_json *ct_page_number(double value)
{
    char digits[32];
    snprintf(digits, sizeof digits, "%.6g", value);
    return ct_json_number(isfinite(value) ? strtod(digits, NULL) : NAN);
}

struct ct_json *ct_page_numbers(const double *values, size_t n, double unit)
{
    struct ct_json *array = ct_json_array();
    for (size_t i = 0; i < n; i++)
        ct_json_append(array, ct_page_number(values[i] * unit));
    return array;
}

struct ct_json *ct_page_quantiles(struct ct_series values, size_t n_most, double unit)
{
    size_t n = values.n < n_most ? values.n : n_most;
    double *sorted = malloc((values.n + 1) * sizeof *sorted);
    struct ct_json *array = sorted ? ct_json_array() : NULL;
    if (array && values.n > 0) {
        memcpy(sorted, values.x, values.n * sizeof *sorted);
        ct_stats_sort(sorted, values.n);
    }
    for (size_t i = 0; array && i < n; i++)
        ct_json_append(array,
                       ct_page_number(unit * sorted[n > 1 ? i * (values.n - 1) / (n - 1) : 0]));
    free(sorted);
    return array;
}
