#include "campaign/adaptive_co_runs.h"

#include "campaign/constants.h"
#include "campaign/folder.h"
#include "study/session.h"
#include "study/verdict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- verdicts ---- */

/* The runs of a placement, and what they say of every pair of the study's applications. */
struct known {
    struct ct_session session;
    struct ct_predict_analysis analysis;
    struct ct_questions questions;
    struct ct_predict_case *cases; /* [app * n_apps + with] */
    bool is_analysed;              /* else there is nothing to predict from */
};

static void forget_known(struct known *known)
{
    free(known->cases);
    ct_questions_free(&known->questions);
    if (known->is_analysed)
        ct_predict_analysis_free(&known->analysis);
    ct_session_free(&known->session);
}

static enum ct_status ask_model(struct known *known, double level, struct ct_error *err)
{
    const struct ct_study *study = &known->session.study;
    size_t model, n_pairs = study->measured.n_apps * study->measured.n_apps;
    CT_TRY(ct_session_find_model(&known->session, NULL, &model, err));
    CT_TRY(ct_questions_make(study, &(struct ct_question_choice){.pair = NULL}, &known->questions,
                             err));
    ct_questions_measure(study, &known->analysis, level, &known->questions);
    known->cases = calloc(n_pairs + 1, sizeof *known->cases);
    for (size_t i = 0; i < n_pairs && known->cases; i++)
        known->cases[i] = (struct ct_predict_case){.model = &ct_predict_models[model],
                                                   .app = known->questions.items[i].app,
                                                   .with = known->questions.items[i].with,
                                                   .n_with = 1};
    enum ct_status status =
        known->cases ? ct_predict_cases(&known->analysis, level, known->cases, n_pairs) : CT_ENOMEM;
    return status == CT_OK ? CT_OK : ct_fail(err, status, "%s", ct_status_text(status));
}

static enum ct_status learn_verdicts(const char *folder, const char *placement, double level,
                                     struct known *known_p, struct ct_error *err)
{
    const struct ct_session_settings settings = {.path = folder,
                                                 .placement = placement,
                                                 .use_cache = true,
                                                 .use_schedules = true,
                                                 .link_bit_per_s = NAN};
    *known_p = (struct known){.is_analysed = false};
    enum ct_status status = ct_session_open(&settings, &known_p->session, err);
    if (status == CT_OK)
        status = ct_session_analyse(&known_p->session, folder, &known_p->analysis, err);
    known_p->is_analysed = status == CT_OK;
    if (status == CT_OK)
        status = ask_model(known_p, level, err);
    return status == CT_ENODATA || status == CT_ENOENT ? CT_OK : status;
}

static bool is_open(enum ct_verdict verdict)
{
    return verdict == CT_VERDICT_PERHAPS || verdict == CT_VERDICT_UNKNOWN;
}

/* Index of a pair of the spec's applications in what is known; SIZE_MAX: nothing is. */
static size_t find_pair(const struct ct_campaign_spec *spec, const struct known *known, size_t app,
                        size_t with)
{
    size_t n = known->is_analysed ? known->session.study.measured.n_apps : 0;
    size_t a = n > 0 ? ct_study_find_app(&known->session.study, spec->apps[app].name) : 0;
    size_t b = n > 0 ? ct_study_find_app(&known->session.study, spec->apps[with].name) : 0;
    return a < n && b < n ? a * n + b : SIZE_MAX;
}

static struct ct_judged judge_pair(const struct ct_campaign_spec *spec, const struct known *known,
                                   size_t app, size_t with)
{
    size_t at = find_pair(spec, known, app, with);
    if (at == SIZE_MAX)
        return (struct ct_judged){
            .frac = NAN, .interval = {NAN, NAN}, .verdict = CT_VERDICT_UNKNOWN};
    return ct_question_judge(&known->questions.items[at], &known->cases[at].prediction,
                             spec->acceptable_frac);
}

/* ---- the choice ---- */

static void fill_pairs(const struct ct_campaign_spec *spec, uint64_t seed,
                       const struct ct_plan *plan, size_t placement, const struct known *known,
                       struct ct_next_co_run_pair *pairs)
{
    size_t n = spec->n_apps;
    for (size_t i = 0; i < n * n; i++) {
        size_t app = i / n, with = i % n;
        struct ct_judged judged = judge_pair(spec, known, app, with);
        struct ct_judged other = judge_pair(spec, known, with, app);
        bool is_planned = ct_plan_has_co_run(plan, placement, app, with);
        bool is_wanted = is_open(ct_pair_judge(app, with, &judged, &other).verdict);
        pairs[i] = (struct ct_next_co_run_pair){
            .is_measured = judged.is_measured,
            .is_open = is_wanted && !judged.is_measured && is_open(judged.verdict),
            .frac = judged.frac,
            .interval = judged.interval,
            .run_s =
                is_planned ? NAN : ct_plan_co_run(spec, seed, placement, app, with).expected_s};
    }
}

static enum ct_status choose_in(const struct ct_campaign_spec *spec, const char *folder,
                                uint64_t seed, const struct ct_plan *plan, size_t placement,
                                struct ct_next_co_run *next_p, struct ct_error *err)
{
    struct known known;
    struct ct_plan_run any = {.placement = placement};
    const double level = ct_campaign_constant(CT_CAMPAIGN_PICK_LEVEL);
    struct ct_next_co_run_pair *pairs = calloc(spec->n_apps * spec->n_apps + 1, sizeof *pairs);
    if (!pairs)
        return ct_no_memory(err, "co-runs");
    enum ct_status status =
        learn_verdicts(folder, ct_plan_placement(spec, &any), level, &known, err);
    if (status == CT_OK) {
        fill_pairs(spec, seed, plan, placement, &known, pairs);
        const struct ct_next_co_run_question question = {.n_apps = spec->n_apps,
                                                         .pairs = pairs,
                                                         .limit_frac = spec->acceptable_frac,
                                                         .level = level};
        status = ct_next_co_run_choose(&question, next_p);
        if (status != CT_OK)
            ct_fail(err, status, "next co-run: %s", ct_status_text(status));
    }
    forget_known(&known);
    free(pairs);
    return status;
}

static bool has_closed(const struct ct_campaign_spec *spec, const char *folder,
                       const struct ct_plan *plan)
{
    for (size_t i = 0; i < plan->n_runs; i++)
        if (ct_plan_closes(spec, &plan->runs[i]) &&
            ct_folder_find_run(folder, spec, &plan->runs[i], NULL) == CT_OK)
            return true;
    return false;
}

enum ct_status ct_adaptive_add_co_run(const struct ct_campaign_spec *spec, const char *folder,
                                      uint64_t seed, struct ct_plan *plan, size_t *placement_p,
                                      struct ct_next_co_run *next_p, struct ct_error *err)
{
    struct ct_next_co_run next = {.is_found = false};
    enum ct_status status = CT_OK;
    size_t placement = 0, n_open = 0;
    bool is_over = !spec->repetitions.picks_co_runs || has_closed(spec, folder, plan);
    while (!is_over && status == CT_OK) {
        status = choose_in(spec, folder, seed, plan, placement, &next, err);
        n_open += next.n_open;
        is_over = next.is_found || placement + 1 >= spec->n_placements;
        placement += is_over ? 0 : 1;
    }
    if (status == CT_OK && next.is_found) {
        const struct ct_plan_run run = ct_plan_co_run(spec, seed, placement, next.app, next.with);
        status = ct_plan_append(plan, &run, err);
    } else {
        next.n_open = n_open;
    }
    if (status == CT_OK) {
        *next_p = next;
        *placement_p = placement;
    }
    return status;
}

enum ct_status ct_adaptive_add_co_runs_found(const struct ct_campaign_spec *spec,
                                             const char *folder, uint64_t seed,
                                             struct ct_plan *plan, struct ct_error *err)
{
    enum ct_status status = CT_OK;
    size_t n = spec->repetitions.picks_co_runs ? spec->n_apps : 0, placement = 0;
    do
        for (size_t i = 0; i < n * n && status == CT_OK; i++) {
            const struct ct_plan_run run = ct_plan_co_run(spec, seed, placement, i / n, i % n);
            if (ct_folder_find_run(folder, spec, &run, NULL) == CT_OK)
                status = ct_plan_append(plan, &run, err);
        }
    while (++placement < spec->n_placements && status == CT_OK);
    return status;
}
