#include "study/session.h"

#include "study/cache.h"
#include "study/questions.h"

#include <math.h>

static enum ct_status open_in(const struct ct_session_settings *settings,
                              struct ct_session *session, struct ct_error *err)
{
    /* Schedules are replayed beside samples: summaries are not enough. */
    bool replays =
        settings->needs_series && ct_schedules_are_there(settings->path, &settings->schedules);
    struct ct_run_list list = {0};
    enum ct_status status =
        ct_study_load_cached(settings->path, settings->placement, settings->use_cache && !replays,
                             &session->study, &list, err);
    if (status == CT_OK && settings->use_schedules)
        status = ct_schedules_load(&session->study, settings->path, settings->placement, &list,
                                   &settings->schedules, &session->schedules, err);
    ct_run_list_free(&list);
    if (status == CT_OK && settings->use_cache && session->schedules.network) {
        session->store = ct_simulation_store_open(settings->path);
        ct_simulation_keep(session->schedules.simulation, session->store);
    }
    if (status != CT_OK || isnan(settings->link_bit_per_s))
        return status;
    status = ct_study_set_rate(&session->study, settings->link_bit_per_s, err);
    return status == CT_OK ? CT_OK : ct_fail_within(err, status, "%s", settings->path);
}

enum ct_status ct_session_open(const struct ct_session_settings *settings,
                               struct ct_session *session_p, struct ct_error *err)
{
    *session_p =
        (struct ct_session){.needs_series = settings->needs_series, .seed = settings->seed};
    enum ct_status status = open_in(settings, session_p, err);
    if (status != CT_OK)
        ct_session_free(session_p);
    return status;
}

enum ct_status ct_session_check(const struct ct_session *session, const char *path,
                                struct ct_error *err)
{
    const struct ct_predict_input input = ct_session_input(session);
    return ct_study_check(&session->study, input.responses || input.joint.model, path, err);
}

enum ct_status ct_session_analyse(const struct ct_session *session, const char *path,
                                  struct ct_predict_analysis *analysis_p, struct ct_error *err)
{
    const struct ct_predict_input input = ct_session_input(session);
    enum ct_status status = ct_session_check(session, path, err);
    if (status != CT_OK)
        return status;
    status = ct_predict_analyse(&input, NULL, analysis_p, err);
    return status == CT_OK ? CT_OK : ct_fail_within(err, status, "%s", path);
}

struct ct_predict_input ct_session_input(const struct ct_session *session)
{
    struct ct_predict_input input = ct_study_input(&session->study);
    input.seed = session->seed;
    ct_schedules_join(&session->schedules, session->needs_series, &input);
    return input;
}

void ct_session_free(struct ct_session *session)
{
    ct_schedules_free(&session->schedules);
    ct_simulation_store_close(session->store);
    session->store = NULL;
    ct_study_free(&session->study);
}
