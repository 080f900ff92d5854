#include "study/questions.h"

#include "predict/resample.h"
#include "predict/summaries.h"
#include "results/scan_setting.h"
#include "study/constants.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- names ---- */

static bool find_name(const struct ct_study *study, const char *name, size_t length, size_t *app_p)
{
    for (size_t app = 0; app < study->measured.n_apps; app++)
        if (strlen(ct_study_app(study, app)) == length &&
            strncmp(ct_study_app(study, app), name, length) == 0) {
            *app_p = app;
            return true;
        }
    return false;
}

/* Split text at separators into names of applications. A name may hold a separator itself, so every
 * place to split at is tried. */
static bool split_names(const struct ct_study *study, const char *text, char separator,
                        size_t *apps, size_t room, size_t *n_p)
{
    if (room == 0)
        return false;
    for (const char *end = text;; end++) {
        if (*end != separator && *end != '\0')
            continue;
        if (find_name(study, text, (size_t)(end - text), &apps[0])) {
            if (*end == '\0') {
                *n_p = 1;
                return true;
            }
            if (split_names(study, end + 1, separator, apps + 1, room - 1, n_p)) {
                (*n_p)++;
                return true;
            }
        }
        if (*end == '\0')
            return false;
    }
}

enum { GROUP_MAX = 16 };

static enum ct_status no_such(const struct ct_study *study, const char *option, const char *wanted,
                              const char *form, struct ct_error *err)
{
    char names[300] = "";
    for (size_t app = 0; app < study->measured.n_apps; app++) {
        size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s", app ? ", " : "",
                 ct_study_app(study, app));
    }
    return ct_fail(err, CT_EUSAGE, "--%s: '%s': not %s of %s", option, wanted, form, names);
}

enum ct_status ct_names_parse(const struct ct_study *study, const char *option, const char *text,
                              size_t **apps_p, size_t *n_p, struct ct_error *err)
{
    size_t room = strlen(text) + 1, *apps = malloc(room * sizeof *apps);
    if (!apps)
        return ct_no_memory(err, "--%s", option);
    if (!split_names(study, text, ',', apps, room, n_p)) {
        free(apps);
        return no_such(study, option, text, "a list A,B,...", err);
    }
    *apps_p = apps;
    return CT_OK;
}

/* ---- what has to be there ---- */

/* Whether one of these loads was probed, or an application timed beside it. */
static bool any_probed(const struct ct_measurements *measured, size_t first, size_t n)
{
    for (size_t load = first; load < first + n; load++)
        if (measured->loads[load].latency_s.n > 0)
            return true;
    return false;
}

static bool any_timed(const struct ct_measurements *measured, size_t first, size_t n)
{
    for (size_t load = first; load < first + n; load++)
        for (size_t app = 0; app < measured->n_apps; app++)
            if (ct_measured_passes(measured, app, load).n > 0)
                return true;
    return false;
}

bool ct_study_only_loads(const struct ct_study *study, size_t app)
{
    const struct ct_measurements *measured = &study->measured;
    bool is_congestor = false;
    for (const char *const *name = ct_scan_congestor_names; *name && !is_congestor; name++)
        is_congestor = !strcmp(*name, ct_study_app(study, app));
    for (size_t load = 0; load < ct_measured_n_loads(measured) && is_congestor; load++)
        is_congestor = ct_measured_passes(measured, app, load).n == 0;
    return is_congestor;
}

/* Pieces without which there is nothing to predict, each with what makes it. */
enum ct_status ct_study_check(const struct ct_study *study, unsigned facts, const char *directory,
                              struct ct_error *err)
{
    const struct ct_measurements *measured = &study->measured;
    size_t n_apps = measured->n_apps, n_configs = measured->n_configs;
    const size_t configs = ct_load_of_config(n_apps, 0), apps = ct_load_of_app(0);
    const bool has_schedules = facts & CT_HAS_A_SCHEDULE;
    if ((facts & CT_HAS_ALL_SCHEDULES) ||
        (any_timed(measured, 0, 1) && any_timed(measured, apps, n_apps)))
        return CT_OK;
    const struct {
        bool missing;
        const char *what, *by;
    } pieces[] = {
        {!any_probed(measured, 0, 1), "no probe run on the idle network",
         "'impactb --output FILE.h5' with nothing beside it"},
        {!has_schedules && !any_probed(measured, configs, n_configs),
         "no probe run beside a CompressionB configuration", "impactb beside compressionb"},
        {!any_probed(measured, apps, n_apps), "no probe run beside an application",
         "impactb beside 'workload NAME --loop'"},
        {!has_schedules && !any_timed(measured, 0, 1), "no baseline, an application timed alone",
         "'workload NAME --output FILE.h5'"},
        {!has_schedules && !any_timed(measured, configs, n_configs),
         "no application timed beside a CompressionB configuration",
         "'workload NAME --output FILE.h5' beside compressionb"},
    };
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++)
        if (pieces[i].missing)
            return ct_study_fail_within(
                study,
                ct_fail(err, CT_ENODATA, "%s: %s; 'crosstalk campaign run FILE.yaml' makes it (%s)",
                        directory, pieces[i].what, pieces[i].by),
                err);
    return CT_OK;
}

/* ---- questions ---- */

static bool same_members(const size_t *a, const size_t *b, size_t n)
{
    bool taken[GROUP_MAX] = {false};
    if (n > GROUP_MAX)
        return false;
    for (size_t i = 0; i < n; i++) {
        size_t j = 0;
        while (j < n && (taken[j] || b[j] != a[i]))
            j++;
        if (j == n)
            return false;
        taken[j] = true;
    }
    return true;
}

/* Passes of what is asked about; n = 0: not timed. */
static struct ct_samples passes_of(const struct ct_study *study, const struct ct_question *question)
{
    if (question->n_with == 1)
        return ct_measured_passes(&study->measured, question->app,
                                  ct_load_of_app(question->with[0]));
    for (size_t i = 0; i < study->n_groups; i++) {
        const struct ct_study_group *group = &study->groups[i];
        if (group->app == question->app && group->n_with == question->n_with &&
            same_members(group->with, question->with, group->n_with))
            return group->passes_s;
    }
    return (struct ct_samples){0};
}

void ct_questions_measure(const struct ct_study *study, const struct ct_predict_analysis *analysis,
                          double level, struct ct_questions *questions)
{
    const struct ct_between_runs between_runs = ct_predict_between_runs(analysis->summaries);
    for (size_t i = 0; i < questions->n; i++) {
        struct ct_question *question = &questions->items[i];
        const struct ct_samples alone_s = ct_measured_passes(&study->measured, question->app, 0);
        const struct ct_samples with_s = passes_of(study, question);
        question->measured.frac = ct_measured_slowdown(&with_s, &alone_s);
        question->measured.interval = ct_measured_interval(&with_s, &alone_s, between_runs, level);
        question->spread_frac = ct_measured_spread(&with_s, &alone_s);
        question->processors_frac = ct_measured_processors(&with_s, &alone_s);
        question->stolen_frac = ct_measured_stolen(&with_s, &alone_s);
        const struct ct_app_drift *drift =
            ct_drifts_of(&study->drifts, ct_study_app(study, question->app));
        question->drift_frac = drift ? drift->drift.change_frac : 0;
    }
}

double ct_question_cpu_wait(const struct ct_question *question)
{
    const struct ct_slowdown *measured = &question->measured;
    double least_frac = isnan(measured->interval.lo) ? measured->frac : measured->interval.lo;
    if (!(least_frac > 0) || isnan(question->processors_frac))
        return NAN;
    return fmin(fmax(question->processors_frac / measured->frac, 0), 1);
}

bool ct_question_is_slowed_by_processors(const struct ct_question *question)
{
    return question->processors_frac > ct_study_constant(CT_STUDY_PROCESSORS_NOTED);
}

bool ct_question_is_changed_by_stealing(const struct ct_question *question)
{
    return fabs(question->stolen_frac) > ct_study_constant(CT_STUDY_PROCESSORS_NOTED);
}

static enum ct_status make_question(size_t app, const size_t *with, size_t n,
                                    struct ct_question *question_p)
{
    size_t *copy = malloc(n * sizeof *copy);
    if (!copy)
        return CT_ENOMEM;
    memcpy(copy, with, n * sizeof *copy);
    *question_p = (struct ct_question){.app = app,
                                       .with = copy,
                                       .n_with = n,
                                       .measured = {NAN, {NAN, NAN}},
                                       .spread_frac = NAN,
                                       .processors_frac = NAN,
                                       .stolen_frac = NAN};
    return CT_OK;
}

enum ct_status ct_question_parse(const struct ct_study *study, const char *option, const char *text,
                                 struct ct_question *question_p, struct ct_error *err)
{
    size_t apps[GROUP_MAX], n = 0;
    if (!split_names(study, text, '+', apps, GROUP_MAX, &n) || n < 2)
        return no_such(study, option, text, "A+B with two", err);
    if (make_question(apps[0], apps + 1, n - 1, question_p) != CT_OK)
        return ct_no_memory(err, "list of co-runs");
    return CT_OK;
}

/* What is asked about, before it is known how much. */
struct asked {
    const struct ct_study *study;
    struct ct_questions *questions; /* room for all */
};

static enum ct_status ask_models(const struct asked *asked, size_t app, const size_t *with,
                                 size_t n)
{
    struct ct_questions *questions = asked->questions;
    enum ct_status status = make_question(app, with, n, &questions->items[questions->n]);
    questions->n += status == CT_OK;
    return status;
}

static enum ct_status ask_pair(const struct asked *asked, const char *text, struct ct_error *err)
{
    const struct ct_study *study = asked->study;
    size_t apps[2], n = 0;
    if (!split_names(study, text, '+', apps, 2, &n) || n != 2)
        return no_such(study, "pair", text, "A+B with two", err);
    bool is_ordered = apps[0] <= apps[1];
    size_t first = apps[!is_ordered], second = apps[is_ordered];
    enum ct_status status = ask_models(asked, first, &second, 1);
    if (status == CT_OK && first != second)
        status = ask_models(asked, second, &first, 1);
    return status == CT_OK ? CT_OK : ct_no_memory(err, "list of co-runs");
}

static enum ct_status ask_group(const struct asked *asked, const char *text, struct ct_error *err)
{
    const struct ct_study *study = asked->study;
    size_t with[GROUP_MAX], n = 0;
    if (!split_names(study, text, ',', with, GROUP_MAX, &n))
        return no_such(study, "with", text, "B,C,... with applications", err);
    for (size_t app = 0; app < study->measured.n_apps; app++)
        if (ask_models(asked, app, with, n) != CT_OK)
            return ct_no_memory(err, "list of co-runs");
    return CT_OK;
}

static enum ct_status ask_all(const struct asked *asked, bool of_timed, struct ct_error *err)
{
    const struct ct_study *study = asked->study;
    size_t n_apps = study->measured.n_apps;
    for (size_t app = 0; app < n_apps; app++) {
        if (of_timed && ct_study_only_loads(study, app))
            continue;
        for (size_t with = 0; with < n_apps; with++)
            if (ask_models(asked, app, &with, 1) != CT_OK)
                return ct_no_memory(err, "list of co-runs");
    }
    for (size_t i = 0; i < study->n_groups; i++) {
        const struct ct_study_group *group = &study->groups[i];
        if (group->n_with > 1 && ask_models(asked, group->app, group->with, group->n_with) != CT_OK)
            return ct_no_memory(err, "list of co-runs");
    }
    return CT_OK;
}

enum ct_status ct_questions_make(const struct ct_study *study,
                                 const struct ct_question_choice *choice,
                                 struct ct_questions *questions_p, struct ct_error *err)
{
    size_t n_apps = study->measured.n_apps;
    struct ct_questions questions = {
        calloc(n_apps * n_apps + study->n_groups + 2, sizeof *questions.items), 0};
    if (!questions.items)
        return ct_no_memory(err, "list of co-runs");
    const struct asked asked = {study, &questions};
    enum ct_status status;
    if (choice->pair)
        status = ask_pair(&asked, choice->pair, err);
    else if (choice->with)
        status = ask_group(&asked, choice->with, err);
    else
        status = ask_all(&asked, choice->of_timed, err);
    if (status != CT_OK) {
        ct_questions_free(&questions);
        return status;
    }
    *questions_p = questions;
    return CT_OK;
}

void ct_questions_free(struct ct_questions *questions)
{
    for (size_t i = 0; i < questions->n; i++)
        free(questions->items[i].with);
    free(questions->items);
    *questions = (struct ct_questions){0};
}

enum ct_status ct_questions_ask(const struct ct_questions *questions, const bool *is_asked,
                                struct ct_predict_analysis *analysis,
                                const struct ct_bootstrap *setup, struct ct_predict_case **cases_p)
{
    size_t n = questions->n;
    struct ct_predict_case *cases = calloc(CT_N_PREDICT_MODELS * n + 1, sizeof *cases);
    if (!cases)
        return CT_ENOMEM;
    for (size_t i = 0; i < CT_N_PREDICT_MODELS * n; i++) {
        const struct ct_question *question = &questions->items[i % n];
        cases[i] = (struct ct_predict_case){
            .model = !is_asked || is_asked[i / n] ? &ct_predict_models[i / n] : NULL,
            .app = question->app,
            .with = question->with,
            .n_with = question->n_with};
    }
    enum ct_status status =
        ct_predict_cases(analysis, setup->level, cases, CT_N_PREDICT_MODELS * n);
    if (status == CT_OK)
        status = ct_predict_resample(analysis, setup);
    if (status == CT_OK)
        *cases_p = cases;
    else
        free(cases);
    return status;
}

void ct_question_with(const struct ct_question *question, const struct ct_study *study, char *text,
                      size_t size)
{
    *text = '\0';
    for (size_t i = 0; i < question->n_with; i++) {
        size_t used = strlen(text);
        snprintf(text + used, size - used, "%s%s", i ? "," : "",
                 ct_study_app(study, question->with[i]));
    }
}
