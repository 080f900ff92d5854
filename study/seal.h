/**
 * Sealed predictions: they are written to a file before the co-runs are measured, and judged
 * afterwards. So nothing can have been fitted to these co-runs.
 *
 * The file is JSON (RFC 8259) and is written once: { "sealed_predictions": 1, "made_utc", "version"
 * (of the program), "commit", "program" and "inputs" [{ "file", "hash" }] (seal_source.h; seals of
 * earlier versions have none), "runs", "seed", "level" (of the intervals), "models" [NAME..],
 * "predictions" [{ "app", "with" "A,B", "measured" (true: the co-run was measured already, so this
 * prediction is not judged), "by" { MODEL: { "slowdown", "interval" [lo, hi] } } }] }; fractions;
 * null: no prediction.
 */
#pragma once

#include "predict/evaluate.h"
#include "study/questions.h"
#include "study/seal_source.h"

/** Ending of such a file's name. */
#define CT_SEAL_ENDING ".sealed.json"

struct ct_sealed_answer {
    double slowdown_frac;        /**< NaN: the model had no prediction */
    struct ct_interval interval; /**< NaN: none */
};

struct ct_sealed {
    char *app, *with;                 /**< names; those of several co-runners joined by "," */
    bool was_measured;                /**< the co-run was measured before the prediction */
    struct ct_sealed_answer *answers; /**< [model of the seal] */
};

struct ct_seal {
    char *made_utc, *version;
    double level;
    uint64_t seed, n_runs;
    char **models; /**< [n_models] keys; a seal of another version may have unknown ones */
    size_t n_models;
    struct ct_sealed *items;
    size_t n;
    struct ct_seal_source source; /**< without a program: not recorded */
};

/** What is to be sealed; borrowed. */
struct ct_seal_input {
    const struct ct_study *study;
    const struct ct_questions *questions; /**< with the slowdowns measured so far */
    const bool *is_asked;                 /**< [model] */
    const struct ct_predict_case *cases;  /**< by ct_questions_ask() */
    double level;
    uint64_t seed;
    const struct ct_seal_source *source;
};

/**
 * Check the name of a file to seal, before what takes long.
 * @return CT_OK; CT_EUSAGE (its ending); CT_EEXIST
 */
enum ct_status ct_seal_check_path(const char *path, struct ct_error *err);

/**
 * @param path  [in] ends in CT_SEAL_ENDING
 * @return CT_OK; CT_EUSAGE (another ending); CT_EEXIST: sealed predictions are never overwritten;
 *         CT_EIO; CT_ENOMEM
 */
enum ct_status ct_seal_write(const char *path, const struct ct_seal_input *input,
                             struct ct_error *err);

/**
 * @param seal_p  [out] ct_seal_free(); unchanged on error
 * @return CT_OK; CT_ENOENT; CT_EIO; CT_EFORMAT (not a file of sealed predictions, or damaged);
 *         CT_ENOMEM
 */
enum ct_status ct_seal_read(const char *path, struct ct_seal *seal_p, struct ct_error *err);

/**
 * The same from a text.
 * @param name  [in] its source, for messages
 */
enum ct_status ct_seal_parse(const char *text, size_t size, const char *name,
                             struct ct_seal *seal_p, struct ct_error *err);
void ct_seal_free(struct ct_seal *seal);

/** Sealed predictions compared with the slowdowns measured since. */
struct ct_seal_verdict {
    struct ct_predict_evaluation *models; /**< [model of the seal], over all judged predictions */
    struct ct_predict_evaluation
        *network_models; /**< likewise, without co-runs of ct_question_is_slowed_by_processors() */
    struct ct_predict_decisions *decisions; /**< [model of the seal], over all judged predictions */
    const struct ct_question **judged;      /**< [sealed], borrowed: the question with its measured
                                               slowdown; NULL: not judged */
    size_t n_slowed; /**< judged predictions of co-runs that processors slow */
    size_t n_judged;
    size_t n_known;   /**< not judged: measured before the prediction */
    size_t n_missing; /**< not judged: not measured yet */
};

/**
 * @param questions   [in]  with measured slowdowns
 * @param limit_frac  [in]  of decisions
 * @param verdict_p   [out] ct_seal_verdict_free(); unchanged on error
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_seal_judge(const struct ct_seal *seal, const struct ct_study *study,
                             const struct ct_questions *questions, double limit_frac,
                             struct ct_seal_verdict *verdict_p);
void ct_seal_verdict_free(struct ct_seal_verdict *verdict);

/**
 * Whether there are sealed predictions in a folder.
 * @param name  [out] name of the first one, cut to size; unchanged if there is none
 */
bool ct_seal_is_in(const char *folder, char *name, size_t size);
