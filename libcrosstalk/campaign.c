/* Slowdowns: what crosstalk predict asks, without its options and tables. */
#include "core/cancel.h"
#include "core/order.h"
#include "libcrosstalk/facade.h"
#include "predict/interval.h"
#include "study/session.h"
#include "study/verdict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* With what an analysis is made: replaying schedules takes long, so only who asks waits for it. */

struct crosstalk_campaign {
    char *path;
    struct ct_session session;
    struct ct_argv notes;
    struct ct_predict_analysis analysis;
    bool is_made;
    bool was_stopped; /* simulations that were stopped count as failed: nothing is asked after */
};

void crosstalk_campaign_setup_init(struct crosstalk_campaign_setup *setup_p)
{
    *setup_p = (struct crosstalk_campaign_setup){.link_bit_per_s = NAN};
}

/* ---- reading ---- */

static enum ct_status take_notes(struct crosstalk_campaign *campaign, struct ct_error *err)
{
    const struct ct_study *study = &campaign->session.study;
    const struct ct_schedules *schedules = &campaign->session.schedules;
    for (size_t i = 0; i < study->notes.n; i++)
        ct_argv_add(&campaign->notes, "%s", study->notes.item[i]);
    for (size_t i = 0; i < study->drifts.n; i++) {
        char text[400];
        ct_drift_describe(&study->drifts.items[i], text, sizeof text);
        ct_argv_add(&campaign->notes, "%s", text);
    }
    for (size_t app = 0; app < schedules->n_apps; app++)
        if (schedules->items[app].path && schedules->items[app].why)
            ct_argv_add(&campaign->notes, "%s", schedules->items[app].why);
    for (size_t i = 0; i < schedules->notes.n; i++)
        ct_argv_add(&campaign->notes, "%s", schedules->notes.item[i]);
    return campaign->notes.failed ? ct_no_memory(err, "%s", campaign->path) : CT_OK;
}

static enum ct_status load_study(struct crosstalk_campaign *campaign,
                                 const struct crosstalk_campaign_setup *setup, struct ct_error *err)
{
    const struct ct_session_settings settings = {
        .path = campaign->path,
        .use_schedules = true,
        .link_bit_per_s = setup->link_bit_per_s,
        .schedules = {
            .folder = setup->schedules_path,
            .given = {.L_s = NAN, .o_s = NAN, .G_s_per_byte = NAN, .logp_path = setup->logp_path}}};
    CT_TRY(ct_session_open(&settings, &campaign->session, err));
    CT_TRY(ct_session_check(&campaign->session, campaign->path, err));
    return take_notes(campaign, err);
}

enum crosstalk_status crosstalk_campaign_open(const char *path,
                                              const struct crosstalk_campaign_setup *setup,
                                              struct crosstalk_campaign **campaign_p,
                                              struct crosstalk_error *error)
{
    struct ct_error err;
    struct crosstalk_campaign_setup defaults;
    struct crosstalk_campaign *campaign = calloc(1, sizeof *campaign);
    crosstalk_campaign_setup_init(&defaults);
    setup = setup ? setup : &defaults;
    enum ct_status status = CT_OK;
    if (!isnan(setup->link_bit_per_s) && !(setup->link_bit_per_s > 0))
        status = ct_fail(&err, CT_EINVAL, "link_bit_per_s: %g: not above 0", setup->link_bit_per_s);
    if (status == CT_OK && (!campaign || !(campaign->path = strdup(path))))
        status = ct_no_memory(&err, "%s", path);
    if (status == CT_OK) {
        struct ct_results_guest guest = ct_facade_enter_results();
        ct_facade_enter_gsl();
        status = load_study(campaign, setup, &err);
        ct_facade_leave_gsl();
        ct_facade_leave_results(guest);
    }
    if (status != CT_OK) {
        crosstalk_campaign_close(campaign);
        return ct_facade_return(status, &err, error);
    }
    *campaign_p = campaign;
    return CROSSTALK_OK;
}

void crosstalk_campaign_close(struct crosstalk_campaign *campaign)
{
    if (campaign) {
        ct_predict_analysis_free(&campaign->analysis);
        ct_session_free(&campaign->session);
        ct_argv_free(&campaign->notes);
        free(campaign->path);
    }
    free(campaign);
}

/* ---- what there is ---- */

size_t crosstalk_campaign_app_count(const struct crosstalk_campaign *campaign)
{
    return campaign->session.study.measured.n_apps;
}

const char *crosstalk_campaign_app(const struct crosstalk_campaign *campaign, size_t app)
{
    return ct_study_app(&campaign->session.study, app);
}

size_t crosstalk_campaign_find_app(const struct crosstalk_campaign *campaign, const char *name)
{
    return ct_study_find_app(&campaign->session.study, name);
}

size_t crosstalk_campaign_note_count(const struct crosstalk_campaign *campaign)
{
    return campaign->notes.n;
}

const char *crosstalk_campaign_note(const struct crosstalk_campaign *campaign, size_t i)
{
    return campaign->notes.item[i];
}

size_t crosstalk_model_count(void)
{
    return CT_N_PREDICT_MODELS;
}

const char *crosstalk_model_name(size_t i)
{
    return ct_predict_models[i].key;
}

const char *crosstalk_model_needs(size_t i)
{
    return ct_predict_models[i].needs;
}

/* ---- answers ---- */

static enum ct_status stop_campaign(struct crosstalk_campaign *campaign, struct ct_error *err)
{
    campaign->was_stopped = true;
    return ct_cancel_check(err);
}

static enum ct_status analyse_study(struct crosstalk_campaign *campaign,
                                    struct ct_predict_analysis **analysis_p, struct ct_error *err)
{
    struct ct_predict_input input = ct_session_input(&campaign->session);
    if (campaign->was_stopped)
        return ct_fail(err, CT_EINTR, "%s: a call about it was stopped; open it again",
                       campaign->path);
    if (!campaign->is_made) {
        enum ct_status status = ct_predict_analyse(&input, NULL, &campaign->analysis, err);
        if (status == CT_OK && ct_is_cancelled())
            ct_predict_analysis_free(&campaign->analysis);
        if (ct_is_cancelled())
            status = stop_campaign(campaign, err);
        if (status != CT_OK)
            return ct_fail_within(err, status, "%s", campaign->path);
        campaign->is_made = true;
    }
    *analysis_p = &campaign->analysis;
    return CT_OK;
}

static enum ct_status check_apps(const struct crosstalk_campaign *campaign, size_t app,
                                 const size_t *with, size_t n, struct ct_error *err)
{
    size_t n_apps = crosstalk_campaign_app_count(campaign), wrong = app;
    for (size_t i = 0; i < n && wrong < n_apps; i++)
        wrong = with[i];
    return wrong < n_apps ? CT_OK
                          : ct_fail(err, CT_EINVAL, "application %zu: %s has %zu, from 0 on", wrong,
                                    campaign->path, n_apps);
}

static struct crosstalk_load publish_load(const struct ct_predict_load *load)
{
    bool known = load->profile.latency_s.n > 0;
    return (struct crosstalk_load){.n_latencies = load->profile.latency_s.n,
                                   .mean_latency_s = known ? load->profile.latency_s.mean : NAN,
                                   .pk_frac = load->utilization_frac,
                                   .calibrated_frac = load->calibrated.frac,
                                   .waiting_frac = load->waiting.frac,
                                   .mixture_frac = load->mixture.frac,
                                   .counted_frac = load->true_utilization_frac};
}

enum crosstalk_status crosstalk_campaign_load(struct crosstalk_campaign *campaign, size_t app,
                                              struct crosstalk_load *load_p,
                                              struct crosstalk_error *error)
{
    struct ct_error err;
    struct ct_predict_analysis *analysis = NULL;
    ct_facade_enter_gsl();
    enum ct_status status = check_apps(campaign, app, NULL, 0, &err);
    if (status == CT_OK)
        status = analyse_study(campaign, &analysis, &err);
    if (status == CT_OK)
        *load_p = publish_load(&analysis->apps[app]);
    ct_facade_leave_gsl();
    return ct_facade_return(status, &err, error);
}

enum crosstalk_status crosstalk_campaign_idle(struct crosstalk_campaign *campaign,
                                              struct crosstalk_load *load_p,
                                              struct crosstalk_error *error)
{
    struct ct_error err;
    struct ct_predict_analysis *analysis = NULL;
    ct_facade_enter_gsl();
    enum ct_status status = analyse_study(campaign, &analysis, &err);
    if (status == CT_OK)
        *load_p = publish_load(&analysis->idle);
    ct_facade_leave_gsl();
    return ct_facade_return(status, &err, error);
}

/* Its measured slowdown and what explains it; question_p->with is owned by the caller. */
static enum ct_status measure_question(struct crosstalk_campaign *campaign, size_t app,
                                       const size_t *with, size_t n, double level_frac,
                                       struct ct_question *question_p, struct ct_error *err)
{
    struct ct_predict_analysis *analysis = NULL;
    enum ct_status status = check_apps(campaign, app, with, n, err);
    if (status == CT_OK && n == 0)
        status = ct_fail(err, CT_EINVAL, "n: 0: beside what?");
    if (status == CT_OK)
        status = analyse_study(campaign, &analysis, err);
    size_t *ordered = status == CT_OK ? malloc((n + 1) * sizeof *ordered) : NULL;
    if (status == CT_OK && !ordered)
        status = ct_no_memory(err, "%s", campaign->path);
    if (status != CT_OK)
        return status;
    memcpy(ordered, with, n * sizeof *ordered);
    qsort(ordered, n, sizeof *ordered, ct_order_sizes);
    *question_p = (struct ct_question){.app = app, .with = ordered, .n_with = n};
    struct ct_questions questions = {question_p, 1};
    ct_questions_measure(&campaign->session.study, analysis, level_frac, &questions);
    return CT_OK;
}

enum crosstalk_status crosstalk_campaign_measured(struct crosstalk_campaign *campaign, size_t app,
                                                  const size_t *with, size_t n,
                                                  double *slowdown_frac_p,
                                                  struct crosstalk_error *error)
{
    enum { LEVEL_PERCENT = 90 }; /* of an interval that is not looked at */
    struct ct_error err;
    struct ct_question question = {.with = NULL};
    ct_facade_enter_gsl();
    enum ct_status status =
        measure_question(campaign, app, with, n, LEVEL_PERCENT / 100.0, &question, &err);
    ct_facade_leave_gsl();
    if (status == CT_OK)
        *slowdown_frac_p = question.measured.frac;
    free(question.with);
    return ct_facade_return(status, &err, error);
}

/* ---- predictions ---- */

static enum ct_status take_question(const struct crosstalk_campaign *campaign,
                                    const struct crosstalk_question *question,
                                    struct ct_predict_case *answer, struct ct_error *err)
{
    size_t m;
    CT_TRY(ct_session_find_model(&campaign->session, question->model, &m, err));
    if (question->n_with == 0)
        return ct_fail(err, CT_EINVAL, "n_with: 0: beside what?");
    *answer = (struct ct_predict_case){.model = &ct_predict_models[m],
                                       .app = question->app,
                                       .with = question->with,
                                       .n_with = question->n_with};
    return check_apps(campaign, question->app, question->with, question->n_with, err);
}

static enum ct_status answer_all(const struct ct_predict_analysis *analysis, double level_frac,
                                 struct ct_predict_case *cases, size_t n)
{
    if (!isnan(level_frac))
        return ct_predict_cases(analysis, level_frac, cases, n);
    for (size_t i = 0; i < n; i++)
        CT_TRY(ct_predict_group(cases[i].model, analysis, cases[i].app, cases[i].with,
                                cases[i].n_with, NULL, &cases[i].prediction));
    return CT_OK;
}

static enum ct_status predict_cases(struct crosstalk_campaign *campaign,
                                    const struct crosstalk_question *questions, size_t n,
                                    double level_frac, struct ct_predict_case *cases,
                                    struct ct_error *err)
{
    struct ct_predict_analysis *analysis = NULL;
    enum ct_status status = CT_OK;
    bool intervals = !isnan(level_frac);
    if (intervals && !(level_frac >= 0.5 && level_frac <= 0.99))
        return ct_fail(err, CT_EINVAL, "level_frac: %g: not within 0.5 and 0.99", level_frac);
    for (size_t i = 0; i < n && status == CT_OK; i++)
        status = take_question(campaign, &questions[i], &cases[i], err);
    if (status == CT_OK)
        status = analyse_study(campaign, &analysis, err);
    if (status != CT_OK)
        return status;
    status = answer_all(analysis, level_frac, cases, n);
    if (ct_is_cancelled())
        return stop_campaign(campaign, err);
    return status == CT_OK ? CT_OK
                           : ct_fail(err, status, "%s: %s", campaign->path, ct_status_text(status));
}

static const char *note_of(const struct ct_prediction *made)
{
    bool too_few = made->interval_from == CT_INTERVAL_FROM_TOO_FEW;
    return too_few && made->flag == CT_PREDICTION_PLAIN
               ? "no interval: fewer errors of the model are known than its level needs"
               : ct_prediction_flag_meaning(made->flag);
}

enum crosstalk_status crosstalk_campaign_predict(struct crosstalk_campaign *campaign,
                                                 const struct crosstalk_question *questions,
                                                 size_t n, double level_frac,
                                                 struct crosstalk_prediction *predictions_p,
                                                 struct crosstalk_error *error)
{
    struct ct_error err;
    bool intervals = !isnan(level_frac);
    struct ct_predict_case *cases = calloc(n + 1, sizeof *cases);
    if (!cases)
        return ct_facade_return(ct_no_memory(&err, "%s", campaign->path), &err, error);
    ct_facade_enter_gsl();
    enum ct_status status = predict_cases(campaign, questions, n, level_frac, cases, &err);
    ct_facade_leave_gsl();
    for (size_t i = 0; i < n && status == CT_OK; i++) {
        const struct ct_prediction *made = &cases[i].prediction;
        predictions_p[i] =
            (struct crosstalk_prediction){.slowdown_frac = made->slowdown_frac,
                                          .lo_frac = intervals ? made->interval.lo : NAN,
                                          .hi_frac = intervals ? made->interval.hi : NAN,
                                          .note = note_of(made)};
    }
    free(cases);
    return ct_facade_return(status, &err, error);
}

/* ---- verdicts ---- */

static enum ct_status judge_question(struct crosstalk_campaign *campaign,
                                     const struct crosstalk_question *asked, double limit_frac,
                                     double level_frac, struct ct_judged *judged_p,
                                     struct ct_error *err)
{
    struct ct_question question = {.with = NULL};
    struct ct_predict_case answer = {.prediction = {.slowdown_frac = NAN}};
    if (!(limit_frac > 0))
        return ct_fail(err, CT_EINVAL, "limit_frac: %g: not above 0", limit_frac);
    if (!(level_frac >= 0.5 && level_frac <= 0.99))
        return ct_fail(err, CT_EINVAL, "level_frac: %g: not within 0.5 and 0.99", level_frac);
    enum ct_status status = measure_question(campaign, asked->app, asked->with, asked->n_with,
                                             level_frac, &question, err);
    if (status == CT_OK && isnan(question.measured.frac))
        status = predict_cases(campaign, asked, 1, level_frac, &answer, err);
    if (status == CT_OK)
        *judged_p = ct_question_judge(&question, &answer.prediction, limit_frac);
    free(question.with);
    return status;
}

enum crosstalk_status crosstalk_campaign_verdict(struct crosstalk_campaign *campaign,
                                                 const struct crosstalk_question *question,
                                                 double limit_frac, double level_frac,
                                                 struct crosstalk_verdict *verdict_p,
                                                 struct crosstalk_error *error)
{
    struct ct_error err;
    struct ct_judged judged;
    ct_facade_enter_gsl();
    enum ct_status status =
        judge_question(campaign, question, limit_frac, level_frac, &judged, &err);
    ct_facade_leave_gsl();
    if (status == CT_OK)
        *verdict_p = (struct crosstalk_verdict){.verdict = ct_verdict_key(judged.verdict),
                                                .slowdown_frac = judged.frac,
                                                .lo_frac = judged.interval.lo,
                                                .hi_frac = judged.interval.hi,
                                                .explained_frac = judged.explained_frac,
                                                .is_measured = judged.is_measured};
    return ct_facade_return(status, &err, error);
}

const char *crosstalk_campaign_shared(const struct crosstalk_campaign *campaign)
{
    return ct_shared_key(campaign->session.study.shared);
}
