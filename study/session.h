/** A study joined with the schedules of its applications: what predictions are made from. */
#ifndef CT_STUDY_SESSION_H
#define CT_STUDY_SESSION_H

#include "study/schedules.h"

/** What is to be opened, and for which questions; borrowed. */
struct ct_session_settings {
    const char *path;      /**< folder or packed campaign */
    bool use_cache;        /**< summaries and simulations may be kept in files beside the runs */
    bool use_schedules;    /**< look for schedules of the applications */
    bool needs_series;     /**< models are asked that replay schedules beside the probe's series */
    double link_bit_per_s; /**< loads of configurations are known by it; NaN: by counters */
    struct ct_schedule_source schedules;
    uint64_t seed; /**< of the random numbers with which schedules are replayed */
};

struct ct_session {
    struct ct_study study;
    struct ct_schedules schedules; /**< refers to the study: a session is not copied */
    bool needs_series;
    uint64_t seed;
};

/**
 * @param session_p  [out] ct_session_free(); empty on error
 * @return CT_OK; CT_ENOENT; CT_ENODATA (no run; a rate without recorded runs); CT_EUSAGE
 *         (parameters of schedules); CT_ENOMEM
 */
enum ct_status ct_session_open(const struct ct_session_settings *settings,
                               struct ct_session *session_p, struct ct_error *err);

/** Whether there is something to predict. @return CT_OK; CT_ENODATA with what is missing */
enum ct_status ct_session_check(const struct ct_session *session, const char *path,
                                struct ct_error *err);

/**
 * Check and analyse it, without intervals.
 * @param path        [in]  for messages
 * @param analysis_p  [out] ct_predict_analysis_free(), before the session; unchanged on error
 * @return CT_OK; CT_ENODATA (a piece is missing without which there is nothing to predict); what
 *         ct_predict_analyse() returns
 */
enum ct_status ct_session_analyse(const struct ct_session *session, const char *path,
                                  struct ct_predict_analysis *analysis_p, struct ct_error *err);

/** What ct_predict_analyse() takes; it refers to the session. */
struct ct_predict_input ct_session_input(const struct ct_session *session);

void ct_session_free(struct ct_session *session);

#endif
