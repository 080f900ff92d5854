#include "study/advice.h"

#include "core/array.h"
#include "core/hash.h"
#include "core/map.h"
#include "core/order.h"
#include "predict/constants.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- what groups of jobs cost ---- */

/* Jobs of the same applications cost the same. */
struct known_group {
    size_t *apps; /* [n], ascending; owned */
    size_t n;
    double cost;
};

struct jobs {
    const struct ct_study *study;
    struct ct_predict_analysis *analysis;
    const struct ct_advice_settings *settings;
    struct ct_error *err;
    struct known_group *known;
    size_t n_known, capacity;
    struct ct_map known_by_hash; /* index + 1 */
};

static size_t app_of(const struct ct_advice_settings *settings, size_t job)
{
    return settings->jobs ? settings->jobs[job] : job;
}

/* The applications beside one of a group; their number is n - 1. */
static void list_others(const size_t *apps, size_t n, size_t member, size_t *others)
{
    size_t n_others = 0;
    for (size_t i = 0; i < n; i++)
        if (i != member)
            others[n_others++] = apps[i];
}

static enum ct_status fail_unknown(const struct jobs *jobs, const struct ct_question *question,
                                   const struct ct_prediction *prediction)
{
    char with[256];
    ct_question_with(question, jobs->study, with, sizeof with);
    return ct_fail(jobs->err, CT_ENODATA, "%s beside %s: the model %s gives no slowdown: %s",
                   ct_study_app(jobs->study, question->app), with, jobs->settings->model->key,
                   ct_prediction_flag_meaning(prediction->flag));
}

/* Measured, or else predicted. */
static enum ct_status slowdown_of(const struct jobs *jobs, struct ct_question *question,
                                  double *frac_p)
{
    const struct ct_advice_settings *settings = jobs->settings;
    ct_questions_measure(jobs->study, jobs->analysis, settings->setup.level,
                         &(struct ct_questions){question, 1});
    *frac_p = question->measured.frac;
    if (!isnan(*frac_p))
        return CT_OK;
    struct ct_prediction prediction;
    enum ct_status status = ct_predict_group(settings->model, jobs->analysis, question->app,
                                             question->with, question->n_with, NULL, &prediction);
    *frac_p = prediction.slowdown_frac;
    return status == CT_OK && isnan(*frac_p) ? fail_unknown(jobs, question, &prediction) : status;
}

static enum ct_status price_group(const struct jobs *jobs, const size_t *apps, size_t n,
                                  double *cost_p)
{
    double sum = 0, worst = 0;
    size_t *others = malloc((n + 1) * sizeof *others);
    enum ct_status status = others ? CT_OK : CT_ENOMEM;
    for (size_t member = 0; member < n && n > 1 && status == CT_OK; member++) {
        double frac = NAN;
        list_others(apps, n, member, others);
        struct ct_question question = {.app = apps[member], .with = others, .n_with = n - 1};
        status = slowdown_of(jobs, &question, &frac);
        sum += frac;
        worst = fmax(worst, frac);
    }
    free(others);
    *cost_p = jobs->settings->objective == CT_GROUPING_SUM ? sum : worst;
    return status;
}

static const struct known_group *find_known(const struct jobs *jobs, uint64_t hash,
                                            const size_t *apps, size_t n)
{
    size_t at = 0, found;
    while ((found = ct_map_next(&jobs->known_by_hash, hash, &at)) != 0) {
        const struct known_group *group = &jobs->known[found - 1];
        if (group->n == n && !memcmp(group->apps, apps, n * sizeof *apps))
            return group;
    }
    return NULL;
}

static bool keep_known(struct jobs *jobs, uint64_t hash, struct known_group group)
{
    size_t *apps = malloc((group.n + 1) * sizeof *apps);
    bool fits = apps && CT_ARRAY_RESERVE(jobs->known, jobs->capacity, jobs->n_known + 1) &&
                ct_map_add(&jobs->known_by_hash, hash, jobs->n_known + 1);
    if (!fits) {
        free(apps);
        return false;
    }
    memcpy(apps, group.apps, group.n * sizeof *apps);
    group.apps = apps;
    jobs->known[jobs->n_known++] = group;
    return true;
}

static void free_known(struct jobs *jobs)
{
    for (size_t i = 0; i < jobs->n_known; i++)
        free(jobs->known[i].apps);
    free(jobs->known);
    ct_map_free(&jobs->known_by_hash);
}

static enum ct_status cost_of_group(const size_t *group, size_t n, void *data, double *cost_p)
{
    struct jobs *jobs = data;
    size_t few[16], *apps = n <= 16 ? few : malloc(n * sizeof *apps);
    enum ct_status status = CT_OK;
    if (!apps)
        return CT_ENOMEM;
    for (size_t i = 0; i < n; i++)
        apps[i] = app_of(jobs->settings, group[i]);
    qsort(apps, n, sizeof *apps, ct_order_sizes);
    uint64_t hash = ct_hash_text((const char *)apps, n * sizeof *apps);
    const struct known_group *known = find_known(jobs, hash, apps, n);
    if (known) {
        *cost_p = known->cost;
    } else {
        status = price_group(jobs, apps, n, cost_p);
        if (status == CT_OK && !keep_known(jobs, hash, (struct known_group){apps, n, *cost_p}))
            status = CT_ENOMEM;
    }
    if (apps != few)
        free(apps);
    return status;
}

/* ---- rows ---- */

static enum ct_status make_row(const struct ct_advice_settings *settings,
                               const struct ct_grouping *grouping, size_t job,
                               struct ct_advice_row *row)
{
    size_t *with = malloc((settings->n_jobs + 1) * sizeof *with), n = 0;
    if (!with)
        return CT_ENOMEM;
    for (size_t i = 0; i < settings->n_jobs; i++)
        if (i != job && grouping->switch_of[i] == grouping->switch_of[job])
            with[n++] = app_of(settings, i);
    qsort(with, n, sizeof *with, ct_order_sizes);
    row->number = grouping->switch_of[job];
    row->question = (struct ct_question){.app = app_of(settings, job), .with = with, .n_with = n};
    return CT_OK;
}

CT_ORDER(by_switch, struct ct_advice_row, number)

static enum ct_status answer_rows(const struct jobs *jobs, struct ct_advice_row *rows, size_t n)
{
    const struct ct_advice_settings *settings = jobs->settings;
    struct ct_predict_case *cases = calloc(n + 1, sizeof *cases);
    if (!cases)
        return CT_ENOMEM;
    for (size_t i = 0; i < n; i++)
        cases[i] =
            (struct ct_predict_case){.model = rows[i].question.n_with > 0 ? settings->model : NULL,
                                     .app = rows[i].question.app,
                                     .with = rows[i].question.with,
                                     .n_with = rows[i].question.n_with};
    enum ct_status status = ct_predict_cases(jobs->analysis, settings->setup.level, cases, n);
    for (size_t i = 0; i < n && status == CT_OK; i++) {
        struct ct_question *question = &rows[i].question;
        rows[i].prediction = cases[i].prediction;
        ct_questions_measure(jobs->study, jobs->analysis, settings->setup.level,
                             &(struct ct_questions){question, 1});
        rows[i].judged = ct_question_judge(question, &rows[i].prediction, settings->limit_frac);
    }
    free(cases);
    return status;
}

/* ---- the whole ---- */

static enum ct_status divide_apps(struct jobs *jobs, const struct ct_grouping_problem *problem,
                                  struct ct_advice *advice)
{
    size_t n_trials = ct_predict_count(CT_PREDICT_GROUPING_TRIALS);
    advice->rows = calloc(advice->n, sizeof *advice->rows);
    CT_TRY(advice->rows ? ct_grouping_best(problem, &advice->grouping) : CT_ENOMEM);
    CT_TRY(ct_grouping_random(problem, n_trials, &advice->random_cost));
    for (size_t i = 0; i < advice->n; i++)
        CT_TRY(make_row(jobs->settings, &advice->grouping, i, &advice->rows[i]));
    qsort(advice->rows, advice->n, sizeof *advice->rows, by_switch);
    return answer_rows(jobs, advice->rows, advice->n);
}

static size_t least_switches(const struct ct_advice_settings *settings)
{
    return (settings->n_jobs + settings->per_switch - 1) / settings->per_switch;
}

enum ct_status ct_advice_check(const struct ct_advice_settings *settings, struct ct_error *err)
{
    if (settings->n_jobs > CT_ADVICE_JOBS_MAX)
        return ct_fail(err, CT_EUSAGE, "--jobs: %zu jobs; at most %d", settings->n_jobs,
                       CT_ADVICE_JOBS_MAX);
    if (settings->n_switches > 0 && settings->n_switches < least_switches(settings))
        return ct_fail(err, CT_EUSAGE, "--switches: %zu x %zu jobs is not room for %zu",
                       settings->n_switches, settings->per_switch, settings->n_jobs);
    return CT_OK;
}

enum ct_status ct_advice_make(const struct ct_study *study, struct ct_predict_analysis *analysis,
                              const struct ct_advice_settings *settings, struct ct_advice *advice_p,
                              struct ct_error *err)
{
    struct ct_error why = {0};
    struct jobs jobs = {.study = study, .analysis = analysis, .settings = settings, .err = &why};
    struct ct_advice advice = {.n = settings->n_jobs};
    const struct ct_grouping_problem problem = {
        .n = settings->n_jobs,
        .n_switches = settings->n_switches > 0 ? settings->n_switches : least_switches(settings),
        .per_switch = settings->per_switch,
        .objective = settings->objective,
        .cost = cost_of_group,
        .data = &jobs,
        .seed = settings->setup.seed};
    CT_TRY(ct_advice_check(settings, err));
    enum ct_status status = divide_apps(&jobs, &problem, &advice);
    free_known(&jobs);
    if (status == CT_OK) {
        *advice_p = advice;
        return CT_OK;
    }
    ct_advice_free(&advice);
    return ct_fail(err, status, "%s", why.status != CT_OK ? why.text : ct_status_text(status));
}

void ct_advice_free(struct ct_advice *advice)
{
    for (size_t i = 0; advice->rows && i < advice->n; i++)
        free(advice->rows[i].question.with);
    free(advice->rows);
    ct_grouping_free(&advice->grouping);
    *advice = (struct ct_advice){0};
}
