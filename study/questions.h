/** Questions: co-runs that are to be predicted, with their measured slowdowns. */
#pragma once

#include "predict/interval.h"
#include "study/study.h"

/** How much is app slowed beside all of `with` together? */
struct ct_question {
    size_t app;
    size_t *with; /**< [n_with] applications; owned */
    size_t n_with;
    struct ct_slowdown measured; /**< by ct_questions_measure(); NaN: not measured, and the interval
                                    also if nothing says how it varies */
    double spread_frac;          /**< ct_measured_spread() of the co-run; set likewise */
    double processors_frac; /**< ct_measured_processors() of the co-run; set likewise; NaN: also if
                               unknown */
    double stolen_frac;     /**< ct_measured_stolen(); likewise */
    double drift_frac;      /**< of the baseline of app; set likewise; 0: none was found */
};

struct ct_questions {
    struct ct_question *items;
    size_t n;
};

/** Options that select co-runs; NULL: not given. */
struct ct_question_choice {
    const char *pair; /**< "A+B": A beside B and B beside A */
    const char *with; /**< "B,C": every application beside B and C at once */
    bool of_timed;    /**< without either: not of those that ct_study_only_loads() */
};

/** Whether an application is a congestor of a scan, which was never timed: it is only what others
 * run beside. */
bool ct_study_only_loads(const struct ct_study *study, size_t app);

/**
 * @param questions_p  [out] ct_questions_free(); unchanged on error. Without a choice: every pair,
 *                           then every group that was measured
 * @return CT_OK; CT_EUSAGE (no such application); CT_ENOMEM
 */
enum ct_status ct_questions_make(const struct ct_study *study,
                                 const struct ct_question_choice *choice,
                                 struct ct_questions *questions_p, struct ct_error *err);

/**
 * Set the measured slowdowns with their intervals, which have no random numbers.
 * @param level  [in] of ct_measured_interval(), 0 < level < 1
 */
void ct_questions_measure(const struct ct_study *study, const struct ct_predict_analysis *analysis,
                          double level, struct ct_questions *questions);

/**
 * Part of the measured slowdown that waiting for processors explains.
 * @param question  [in] one with a measured slowdown
 * @return 0 to 1; NaN if it is unknown, or if the slowdown may be 0: its interval contains 0 or,
 *         where it has none, it is not above 0
 */
double ct_question_cpu_wait(const struct ct_question *question);

/**
 * Whether waiting for processors explains a slowdown of more than the constant processors_noted.
 */
bool ct_question_is_slowed_by_processors(const struct ct_question *question);

/** Whether time that was stolen changes a slowdown, up or down, by more than that constant. */
bool ct_question_is_changed_by_stealing(const struct ct_question *question);

void ct_questions_free(struct ct_questions *questions);

/**
 * Predict every question by every model, with intervals.
 * @param is_asked  [in]  [model]; NULL: all are
 * @param cases_p   [out] [model * questions->n + question], owned by the caller, free(); filled for
 *                        the models that are asked; unchanged on error
 * @return as ct_predict_cases(), ct_predict_resample()
 */
enum ct_status ct_questions_ask(const struct ct_questions *questions, const bool *is_asked,
                                struct ct_predict_analysis *analysis,
                                const struct ct_bootstrap *setup, struct ct_predict_case **cases_p);

/**
 * Parse a question, "A+B" or "A+B+C": A beside all the others.
 * @param question_p  [out] free its with; unchanged on error
 * @return CT_OK; CT_EUSAGE; CT_ENOMEM
 */
enum ct_status ct_question_parse(const struct ct_study *study, const char *option, const char *text,
                                 struct ct_question *question_p, struct ct_error *err);

/**
 * Parse a list of applications, "A,B,...".
 * @param apps_p  [out] free it; unchanged on error
 * @return CT_OK; CT_EUSAGE (a name that is not there); CT_ENOMEM
 */
enum ct_status ct_names_parse(const struct ct_study *study, const char *option, const char *text,
                              size_t **apps_p, size_t *n_p, struct ct_error *err);

/**
 * Check that a study has the runs without which nothing can be predicted: schedules of all
 * applications need none, co-runs and their baselines none else.
 * @param facts  [in] enum ct_predict_facts of its schedules
 * @return CT_OK; CT_ENODATA (the message names the missing runs, and the command that makes them)
 */
enum ct_status ct_study_check(const struct ct_study *study, unsigned facts, const char *directory,
                              struct ct_error *err);

/** Names of the co-runners, "fft,milc"; cut to size. */
void ct_question_with(const struct ct_question *question, const struct ct_study *study, char *text,
                      size_t size);
