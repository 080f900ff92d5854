/** A study with the schedules of its applications: the input of predictions. */
#pragma once

#include "predict/models.h"
#include "study/schedules.h"

/** What to open, and for which models; borrowed. */
struct ct_session_settings {
    const char *path;      /**< folder or packed campaign */
    const char *placement; /**< of the runs to be used, see study/placements.h; NULL: all runs,
                                which must have the same */
    const char *scan;      /**< folder of a scan, whose loads of known amount are configurations
                                (study/scan_runs.h); NULL: none */
    bool use_cache;        /**< read and write the caches of summaries and of simulated slowdowns */
    bool use_schedules;    /**< look for schedules of the applications */
    double link_bit_per_s; /**< rate of a link, from which known loads are computed; NaN: known
                              loads by counters */
    struct ct_schedule_source schedules;
};

struct ct_session {
    struct ct_study study;
    struct ct_schedules schedules;   /**< refers to the study: a session is not copied */
    char like[CT_DILATION_TEXT_MAX]; /**< groups of its network beside the machine's that it
                                         imitates; "": none, or without parameters */
};

/**
 * @param session_p  [out] ct_session_free(); empty on error
 * @return CT_OK; CT_ENOENT; CT_ENODATA (no run; a rate without recorded runs; a scan without known
 *         loads); CT_EUSAGE (parameters of schedules, placement, no scan); CT_ENOMEM
 */
enum ct_status ct_session_open(const struct ct_session_settings *settings,
                               struct ct_session *session_p, struct ct_error *err);

/**
 * Check that there is something to predict.
 * @return CT_OK; CT_ENODATA (the message names the missing runs)
 */
enum ct_status ct_session_check(const struct ct_session *session, const char *path,
                                struct ct_error *err);

/**
 * Check and analyse the session, without intervals.
 * @param path        [in]  for messages
 * @param analysis_p  [out] ct_predict_analysis_free(), before the session; unchanged on error
 * @return CT_OK; CT_ENODATA (runs are missing without which nothing can be predicted); what
 *         ct_predict_analyse() returns
 */
enum ct_status ct_session_analyse(const struct ct_session *session, const char *path,
                                  struct ct_predict_analysis *analysis_p, struct ct_error *err);

/** The model that answers where none is named: the best one that the runs and schedules allow. */
const struct ct_predict_default *ct_session_default(const struct ct_session *session);

/**
 * @param key      [in]  of a model, or of one of earlier versions; NULL: ct_session_default()
 * @param model_p  [out] index in ct_predict_models; unchanged on error
 * @return CT_OK; CT_EUSAGE, with a list of the keys
 */
enum ct_status ct_session_find_model(const struct ct_session *session, const char *key,
                                     size_t *model_p, struct ct_error *err);

/** Input for ct_predict_analyse(); it refers to the session. */
struct ct_predict_input ct_session_input(const struct ct_session *session);

void ct_session_free(struct ct_session *session);
