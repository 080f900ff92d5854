/** Which co-runs are asked about, and what was measured of them. */
#ifndef CT_STUDY_QUESTIONS_H
#define CT_STUDY_QUESTIONS_H

#include "predict/interval.h"
#include "study/study.h"

/** How much is app slowed beside with, all at once? */
struct ct_question {
    size_t app;
    size_t *with; /**< [n_with] applications; owned */
    size_t n_with;
    struct ct_slowdown measured; /**< by ct_questions_measure(); NaN: not measured */
    double processors_frac;      /**< ct_measured_processors() of it; likewise; NaN: unknown, too */
};

struct ct_questions {
    struct ct_question *items;
    size_t n;
};

/** What the user asks for; texts are NULL where not given. */
struct ct_question_choice {
    const char *pair; /**< "A+B": A beside B and B beside A */
    const char *with; /**< "B,C": every application beside B and C at once */
};

/**
 * @param questions_p  [out] ct_questions_free(); unchanged on error. Without a choice: every pair,
 *                           then every group that was measured
 * @return CT_OK; CT_EUSAGE (a name that is not there); CT_ENOMEM
 */
enum ct_status ct_questions_make(const struct ct_study *study,
                                 const struct ct_question_choice *choice,
                                 struct ct_questions *questions_p, struct ct_error *err);

/** Fill in what was measured, with the intervals that the analysis has by now. */
void ct_questions_measure(const struct ct_study *study, const struct ct_predict_analysis *analysis,
                          struct ct_questions *questions);

/**
 * Part of the measured slowdown that waiting for processors explains.
 * @param question  [in] that was measured
 * @return 0 to 1; NaN where that is unknown, and where the slowdown may be none: the interval of
 *         what was measured contains 0, or, of groups, which have none, it is not above 0
 */
double ct_question_cpu_wait(const struct ct_question *question);

/** It explains more than the constant processors_noted of a pass alone. */
bool ct_question_is_slowed_by_processors(const struct ct_question *question);

void ct_questions_free(struct ct_questions *questions);

/**
 * Every question to every model, with intervals; those of what was measured are made too.
 * @param is_asked  [in]  [model]; NULL: all are
 * @param cases_p   [out] [model * questions->n + question], owned by the caller, free(); answered
 *                        where asked; unchanged on error
 * @return as ct_predict_cases(), ct_predict_resample()
 */
enum ct_status ct_questions_ask(const struct ct_questions *questions, const bool *is_asked,
                                struct ct_predict_analysis *analysis,
                                const struct ct_bootstrap *setup, struct ct_predict_case **cases_p);

/**
 * One question from "A+B" or "A+B+C": A beside all the others.
 * @param question_p  [out] free its with; unchanged on error
 * @return CT_OK; CT_EUSAGE; CT_ENOMEM
 */
enum ct_status ct_question_parse(const struct ct_study *study, const char *option, const char *text,
                                 struct ct_question *question_p, struct ct_error *err);

/**
 * Applications from "A,B,...".
 * @param apps_p  [out] free it; unchanged on error
 * @return CT_OK; CT_EUSAGE (a name that is not there); CT_ENOMEM
 */
enum ct_status ct_names_parse(const struct ct_study *study, const char *option, const char *text,
                              size_t **apps_p, size_t *n_p, struct ct_error *err);

/**
 * CT_ENODATA where a piece is missing without which there is nothing to predict, with what makes
 * it.
 * @param has_schedules  [in] models of execution answer from the probe alone
 */
enum ct_status ct_study_check(const struct ct_study *study, bool has_schedules,
                              const char *directory, struct ct_error *err);

/** Names of the co-runners, "fft,milc"; cut to size. */
void ct_question_with(const struct ct_question *question, const struct ct_study *study, char *text,
                      size_t size);

#endif
