/**
 * Sealed predictions: written to a file before the co-runs that they are about are measured, and
 * judged afterwards, so that nobody can have fitted anything to these.
 *
 * The file is JSON (RFC 8259) and is written once: { "sealed_predictions": 1, "made_utc", "version"
 * (of the program), "runs", "seed", "level" (of the intervals), "models" [NAME..], "predictions" [{
 * "app", "with" "A,B", "measured" (true: the truth was there already, so that this one proves
 * nothing), "by" { MODEL: { "slowdown", "interval" [lo, hi] } } }] }; fractions, null where there
 * is no answer.
 */
#ifndef CT_STUDY_SEAL_H
#define CT_STUDY_SEAL_H

#include "predict/evaluate.h"
#include "study/questions.h"

/** Ending of such a file's name. */
#define CT_SEAL_ENDING ".sealed.json"

struct ct_sealed_answer {
    double slowdown_frac;        /**< NaN: the model had none */
    struct ct_interval interval; /**< NaN: there was none */
};

struct ct_sealed {
    char *app, *with;                 /**< names; those of several co-runners joined by "," */
    bool was_measured;                /**< when it was predicted */
    struct ct_sealed_answer *answers; /**< [model of the seal] */
};

struct ct_seal {
    char *made_utc, *version;
    double level;
    uint64_t seed, n_runs;
    char **models; /**< [n_models] keys; those of another version may be unknown here */
    size_t n_models;
    struct ct_sealed *items;
    size_t n;
};

/** What is to be sealed; borrowed. */
struct ct_seal_input {
    const struct ct_study *study;
    const struct ct_questions *questions; /**< with what is measured of them by now */
    const bool *is_asked;                 /**< [model] */
    const struct ct_predict_case *cases;  /**< as ct_questions_ask() makes them */
    double level;
    uint64_t seed;
};

/**
 * @param path  [in] ends in CT_SEAL_ENDING
 * @return CT_OK; CT_EUSAGE (another ending); CT_EEXIST: sealed predictions are never overwritten;
 *         CT_EIO; CT_ENOMEM
 */
enum ct_status ct_seal_write(const char *path, const struct ct_seal_input *input,
                             struct ct_error *err);

/**
 * @param seal_p  [out] ct_seal_free(); unchanged on error
 * @return CT_OK; CT_ENOENT; CT_EIO; CT_EFORMAT (no such file, or damaged) with what is wrong;
 *         CT_ENOMEM
 */
enum ct_status ct_seal_read(const char *path, struct ct_seal *seal_p, struct ct_error *err);

/** The same of a text. @param name [in] where it is from, for messages */
enum ct_status ct_seal_parse(const char *text, size_t size, const char *name,
                             struct ct_seal *seal_p, struct ct_error *err);
void ct_seal_free(struct ct_seal *seal);

/** Sealed predictions beside what is measured by now. */
struct ct_seal_verdict {
    struct ct_predict_evaluation *models; /**< [model of the seal], over all that is judged */
    struct ct_predict_evaluation *network_models; /**< likewise, without what processors slow */
    const struct ct_question **judged; /**< [sealed], borrowed: with what was measured; NULL: not
                                            measured, or not judged */
    size_t n_slowed;                   /**< judged ones that processors slow */
    size_t n_judged;
    size_t n_known;   /**< measured already when they were predicted: not judged */
    size_t n_missing; /**< not measured yet */
};

/**
 * @param questions  [in]  with what is measured
 * @param verdict_p  [out] ct_seal_verdict_free(); unchanged on error
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_seal_judge(const struct ct_seal *seal, const struct ct_study *study,
                             const struct ct_questions *questions,
                             struct ct_seal_verdict *verdict_p);
void ct_seal_verdict_free(struct ct_seal_verdict *verdict);

/**
 * Whether there are sealed predictions in a folder.
 * @param name  [out] of the first one by name, cut to size; unchanged where there is none
 */
bool ct_seal_is_in(const char *folder, char *name, size_t size);

#endif
