/**
 * The sheet of a scan: how much longer calls take beside each congestor than alone.
 *
 * In each round the statistic (mean, median, 99 %) of all times of a cell is divided by that of the
 * baselines of the same canary, path class and round. The factor is the geometric mean of these
 * ratios over rounds; its interval is that of the mean of their logarithms by Student's t. Rounds
 * are independent, since each draws its nodes and its order anew; times within one are not, and are
 * only seen through the ratio of their round.
 */
#pragma once

#include "core/stats.h"
#include "study/scan.h"

enum ct_scan_statistic { CT_SCAN_MEAN, CT_SCAN_MEDIAN, CT_SCAN_P99, CT_N_SCAN_STATISTICS };
/** "mean", "median", "p99": keys of files. */
extern const char *const ct_scan_statistic_keys[CT_N_SCAN_STATISTICS];

struct ct_scan_factor {
    double value;                /**< > 0 */
    struct ct_interval interval; /**< of the constant scan_level; NaN: fewer than two rounds */
};

/** A cell of all rounds, or a baseline, whose values are seconds and not factors. */
struct ct_scan_row {
    struct ct_scan_case scan_case;
    int path_class; /**< as in struct ct_scan_cell */
    size_t n_rounds, n_samples;
    struct ct_scan_factor at[CT_N_SCAN_STATISTICS];
    double node_bytes_per_s; /**< that a congestor node received, mean of the cells */
};

/** The pair of nodes whose median latency grows most; mean of the rounds in which it measured. */
struct ct_scan_worst {
    size_t node_a, node_b;
    struct ct_scan_setting setting;
    double factor; /**< NaN: no pair was measured beside a congestor */
    size_t n_rounds;
};

/** Idle latencies of the pairs of one class. */
struct ct_scan_class_health {
    int path_class;
    size_t n_pairs;
    size_t n_outliers; /**< medians above the constant scan_outlier times that of the class */
    double least_s, median_s, most_s; /**< of the medians of the pairs */
    size_t most_a, most_b;            /**< nodes of the slowest pair */
};

/** The score is the geometric mean of the factors at the mean beside steady congestors of full
 * intensity: first over the path classes of a cell, then over congestors, then over canaries, each
 * with the same weight, so that it does not move with the share of near pairs, which is that of one
 * in the number of canary nodes. A class counts from two rounds on. Half of its interval is the
 * mean of those of its cells in logarithms, which is enough however these vary together. */
struct ct_scan_score {
    struct ct_scan_factor factor; /**< NaN: no cell */
    size_t n_cells;               /**< that are in it, of ct_scan_score_cells() */
};

/** How much longer an application takes beside a congestor: study/scan_answers.h. */
struct ct_scan_answer {
    char application[64];
    uint32_t n_ranks, ranks_per_node; /**< n_ranks 0: it has no schedule */
    struct ct_scan_setting setting;
    double slowdown_frac;        /**< NaN: not known */
    struct ct_interval interval; /**< NaN: a factor has none */
    char why[96];                /**< it is not known */
};

struct ct_scan_sheet {
    struct ct_scan_row *rows;
    size_t n_rows;
    struct ct_scan_answer *answers; /**< by application; none unless they are asked for */
    size_t n_answers;
    struct ct_scan_score score;
    struct ct_scan_worst worst;
    struct ct_scan_class_health *classes;
    size_t n_classes;
};

/** @param sheet_p  [out] ct_scan_sheet_free(); unchanged on error. @return CT_OK; CT_ENOMEM */
enum ct_status ct_scan_sheet_make(const struct ct_scan *scan, struct ct_scan_sheet *sheet_p,
                                  struct ct_error *err);
void ct_scan_sheet_free(struct ct_scan_sheet *sheet);

/** One row. @param row_p  [out] n_rounds 0: no round has it. @return CT_OK; CT_ENOMEM */
enum ct_status ct_scan_row_make(const struct ct_scan *scan, const struct ct_scan_case *scan_case,
                                int path_class, struct ct_scan_row *row_p, struct ct_error *err);

/** Cells that a complete score has. */
size_t ct_scan_score_cells(void);
/** The row of all path classes; NULL: there is none. */
const struct ct_scan_row *ct_scan_sheet_find(const struct ct_scan_sheet *sheet,
                                             const struct ct_scan_case *scan_case, int path_class);
/** Whether the load is one that the score is made of: a congestor by itself, steady and of full
 * intensity. */
bool ct_scan_is_steady(const struct ct_scan_setting *setting);

/**
 * Why nothing can be seen, as a sentence: where no interval at the mean beside a steady congestor
 * is all above 1. These intervals hold together with scan_level (Bonferroni), so that one of many
 * cells is not an effect by chance.
 * @return false: an effect was seen, or there is no interval yet; text is unchanged
 */
bool ct_scan_explain_nothing(const struct ct_scan *scan, const struct ct_scan_sheet *sheet,
                             char *text, size_t size);
