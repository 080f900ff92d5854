/**
 * Predictions of a scan, sealed before the rounds that judge them: DIR/sealed.txt, which is written
 * once. Its first line says how many rounds it was made of, and the level of its intervals; then a
 * line a prediction: MODEL CELL STATISTIC VALUE LO HI.
 *
 *     sealed 1 rounds 2 level 0.9
 *     repeat latency:incast mean 1.52 1.40 1.66
 *
 * Its digest is that of `sha256sum sealed.txt`. The file alone does not prove when it was written:
 * the digest does, where somebody else got it before.
 *
 * Models predict the factor of each later round, alone:
 *  - repeat: the geometric mean of the first rounds, with the t interval of one round more. The
 *    variance of the logarithms is that of all cells of the canary.
 *  - queue: a latency beside a congestor of the intensity i, of that beside the full one and of the
 *    idle network, by the queue of model/queue/queue.h: rho = rho_0 + i (rho_1 - rho_0).
 *  - bursts: a mean beside bursts, of that beside the steady congestor, F: with the share d of
 *    bursts in the time, calls one behind the other take 1 / (1 - d + d / F) on average.
 *  - probe: the mean of a workload beside a steady congestor, by study/scan_workloads.h.
 * None of the last three has seen its cell; intervals of queue and bursts are those of F, put into
 * the formula, without an error of the model.
 */
#pragma once

#include "core/sha256.h"
#include "study/scan_factors.h"

#define CT_SCAN_SEAL_FILE "sealed.txt"

/** Rounds beside congestors that predictions need: a spread is between rounds. */
enum { CT_SCAN_SEAL_ROUNDS = 2 };

#define CT_SCAN_MODEL_MAP(X)                                                                       \
    X(REPEAT, "repeat")                                                                            \
    X(QUEUE, "queue")                                                                              \
    X(BURSTS, "bursts")                                                                            \
    X(PROBE, "probe")

enum ct_scan_model {
#define CT_SCAN_MODEL_ENUM(name, text) CT_SCAN_BY_##name,
    CT_SCAN_MODEL_MAP(CT_SCAN_MODEL_ENUM)
#undef CT_SCAN_MODEL_ENUM
        CT_N_SCAN_MODELS
};

struct ct_scan_prediction {
    enum ct_scan_model model;
    struct ct_scan_case scan_case;
    enum ct_scan_statistic statistic;
    double value;
    struct ct_interval interval; /**< of each round alone */
    double measured;             /**< geometric mean of the rounds since; NaN: none */
    size_t n_rounds;             /**< since, which have the cell */
    size_t n_inside;             /**< of them, in the interval */
};

struct ct_scan_seal {
    char *text;                 /**< of the file; owned */
    char digest[CT_SHA256_MAX]; /**< of the text */
    bool is_broken;             /**< a digest that came with the text is another one */
    size_t n_made_of;           /**< rounds beside congestors, the first ones */
    double level;
    struct ct_scan_prediction *items; /**< owned */
    size_t n;
};

/** Longest line, its end counted. */
enum { CT_SCAN_SEAL_LINE = 200 };
/** Whether a line, without its end, is one of a seal to the last character. */
bool ct_scan_seal_is_line(const char *line);

/**
 * @param text    [in]  lines with their ends
 * @param source  [in]  name for messages
 * @param seal_p  [out] nothing is judged; ct_scan_seal_free(); unchanged on error
 * @return CT_OK; CT_EFORMAT; CT_ENOMEM
 */
enum ct_status ct_scan_seal_parse(const char *text, const char *source, struct ct_scan_seal *seal_p,
                                  struct ct_error *err);

/**
 * Predict from all rounds of the scan, which are those in DIR/runs, and write DIR/sealed.txt.
 * @return CT_OK; CT_ENODATA (fewer than CT_SCAN_SEAL_ROUNDS); CT_EEXIST (it is there); CT_EIO;
 *         CT_ENOMEM
 */
enum ct_status ct_scan_seal_make(const char *dir, const struct ct_scan *scan, struct ct_error *err);

/**
 * Read DIR/sealed.txt, if there is one, and judge it by the rounds since.
 * @param seal_p  [out] ct_scan_seal_free(); its text is NULL where nothing is sealed, which is no
 *                      error; unchanged on error
 * @return as ct_scan_seal_parse(); CT_EIO
 */
enum ct_status ct_scan_seal_judge(const char *dir, const struct ct_scan *scan,
                                  struct ct_scan_seal *seal_p, struct ct_error *err);

/** "MODEL CELL STATISTIC" of a prediction. */
void ct_scan_prediction_format(const struct ct_scan_prediction *item, char text[CT_SCAN_SEAL_LINE]);
/** Whether what was measured since is in the interval. */
bool ct_scan_prediction_is_hit(const struct ct_scan_prediction *item);
/** Whether the seal is whole, and how often each model hit. @param words  [in,out] gets a sentence
 * a word */
void ct_scan_seal_words(const struct ct_scan_seal *seal, struct ct_argv *words);
void ct_scan_seal_free(struct ct_scan_seal *seal);
