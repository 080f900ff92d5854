#include "study/session.h"

#include "study/cache.h"
#include "study/questions.h"

#include <math.h>
#include <string.h>

static enum ct_status open_in(const struct ct_session_settings *settings,
                              struct ct_session *session, struct ct_error *err)
{
    struct ct_run_list list = {0};
    enum ct_status status =
        ct_study_load_cached(settings->path, settings->placement, settings->scan,
                             settings->use_cache, &session->study, &list, err);
    struct ct_schedule_source source = settings->schedules;
    source.use_cache = settings->use_cache;
    if (status == CT_OK && settings->use_schedules)
        status = ct_schedules_load(&session->study, settings->path, settings->placement, &list,
                                   &source, &session->schedules, err);
    ct_run_list_free(&list);
    /* With all schedules the default model has the links between switches. */
    if (status == CT_OK && session->schedules.n_available < session->study.measured.n_apps &&
        session->study.switches.n > 0)
        ct_argv_add_all(&session->study.notes, session->study.switches.item);
    if (status == CT_OK && session->study.notes.failed)
        status = ct_no_memory(err, "notes");
    if (status == CT_OK && session->study.dilation.machine && session->schedules.model)
        ct_dilation_compare(&session->study.dilation, session->schedules.model, session->like,
                            &session->study.notes);
    if (status != CT_OK || isnan(settings->link_bit_per_s))
        return status;
    status = ct_study_set_rate(&session->study, settings->link_bit_per_s, err);
    return status == CT_OK ? CT_OK : ct_fail_within(err, status, "%s", settings->path);
}

enum ct_status ct_session_open(const struct ct_session_settings *settings,
                               struct ct_session *session_p, struct ct_error *err)
{
    *session_p = (struct ct_session){.study = {.n_runs = 0}};
    enum ct_status status = open_in(settings, session_p, err);
    if (status != CT_OK)
        ct_session_free(session_p);
    return status;
}

enum ct_status ct_session_analyse(const struct ct_session *session, const char *path,
                                  struct ct_predict_analysis *analysis_p, struct ct_error *err)
{
    const struct ct_predict_input input = ct_session_input(session);
    CT_TRY(ct_session_check(session, path, err));
    enum ct_status status = ct_predict_analyse(&input, NULL, analysis_p, err);
    return status == CT_OK ? CT_OK : ct_fail_within(err, status, "%s", path);
}

struct ct_predict_input ct_session_input(const struct ct_session *session)
{
    struct ct_predict_input input = ct_study_input(&session->study);
    ct_schedules_join(&session->schedules, &input);
    return input;
}

/* Configurations that were probed, and that an application was timed under. */
static bool has_configs(const struct ct_measurements *measured)
{
    for (size_t c = 0; c < measured->n_configs; c++) {
        size_t load = ct_load_of_config(measured->n_apps, c);
        for (size_t app = 0; app < measured->n_apps && measured->loads[load].latency_s.n > 0; app++)
            if (ct_measured_passes(measured, app, load).n > 0)
                return true;
    }
    return false;
}

static bool has_co_runs(const struct ct_measurements *measured)
{
    for (size_t app = 0; app < measured->n_apps; app++)
        for (size_t with = 0; with < measured->n_apps; with++)
            if (ct_measured_passes(measured, app, ct_load_of_app(with)).n > 0)
                return true;
    return false;
}

/* Beside one of these loads, and on the idle network. */
static bool is_probed(const struct ct_measurements *measured, size_t first, size_t n)
{
    bool is_any = false;
    for (size_t load = first; load < first + n; load++)
        is_any |= measured->loads[load].latency_s.n > 0;
    return is_any && measured->loads[0].latency_s.n > 0;
}

/* Of enum ct_predict_facts: those of the schedules. */
static unsigned facts_of_schedules(const struct ct_session *session)
{
    const struct ct_schedules *schedules = &session->schedules;
    bool are_all = schedules->n_available == session->study.measured.n_apps;
    if (schedules->n_available == 0)
        return 0;
    return CT_HAS_A_SCHEDULE | (are_all ? CT_HAS_ALL_SCHEDULES : 0U);
}

enum ct_status ct_session_check(const struct ct_session *session, const char *path,
                                struct ct_error *err)
{
    return ct_study_check(&session->study, facts_of_schedules(session), path, err);
}

const struct ct_predict_default *ct_session_default(const struct ct_session *session)
{
    const struct ct_measurements *measured = &session->study.measured;
    unsigned facts = facts_of_schedules(session);
    if (!is_probed(measured, ct_load_of_app(0), measured->n_apps))
        facts &= ~(unsigned)CT_HAS_A_SCHEDULE; /* lp needs the delays of co-runners */
    else if (has_configs(measured))
        facts |= CT_HAS_CONFIGS;
    if (has_co_runs(measured))
        facts |= CT_HAS_CO_RUNS;
    return ct_predict_default(facts);
}

enum ct_status ct_session_find_model(const struct ct_session *session, const char *key,
                                     size_t *model_p, struct ct_error *err)
{
    const char *sought = key ? key : ct_session_default(session)->key;
    return ct_predict_model_find(sought, strlen(sought), model_p, err);
}

void ct_session_free(struct ct_session *session)
{
    ct_schedules_free(&session->schedules);
    ct_study_free(&session->study);
}
